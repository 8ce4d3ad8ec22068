#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the user tools that need no LKST kernel and no root: logs that genlog
# made, damaged ones, and control files that are plain files. KTAP on stdout.
#
#	run.sh [TEST...]
#
# KSRC: the patched tree (default: that of the repository, or the one this is in).
# LKST_TOOLS: a folder with the tools; without it they are built.
# FUZZ: how many seeds of damaged logs to read (default 30).

here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
for dir in "${KSRC:-}" "$here/../../build/linux" "$here/../../../../.."; do
	[ -f "$dir/tools/tracing/lkst/Makefile" ] && break
done
ksrc=$(cd "$dir" && pwd)
if [ ! -f "$ksrc/tools/tracing/lkst/Makefile" ]; then
	echo "run.sh: there is no tools/tracing/lkst; set KSRC" >&2
	exit 1
fi
cc=${CC:-cc}
unset LKST_DEBUGFS
export LC_ALL=C

# === What the tests are made of ===

# build DIR MAKE-ARGUMENTS...
build()
{
	mkdir -p "$1"
	out=$1
	shift
	make -s -C "$ksrc/tools/tracing/lkst" --no-print-directory -j2 \
		OUTPUT="$out/" "$@" >"$out/make.log" 2>&1
}

# The log of a case, made once.
log()
{
	name=$(echo "$*" | tr -d ' ')
	[ -f "$tmp/$name.log" ] || "$tmp/genlog" "$@" >"$tmp/$name.log"
	echo "$tmp/$name.log"
}

# same FILE COMMAND...: the command succeeds, and prints what is in the file.
same()
{
	expected=$here/expected/$1
	shift
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || {
		echo "status $?: $*"
		cat "$tmp/stderr"
		return 1
	}
	[ -z "$UPDATE" ] || cp "$tmp/stdout" "$expected"
	diff -u "$expected" "$tmp/stdout"
}

# fails TEXT COMMAND...: status 1, and one line on stderr that has the text in it.
fails()
{
	text=$1
	shift
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null || status=$?
	if [ "$status" -ne 1 ]; then
		echo "status $status, not 1: $*"
		return 1
	fi
	if [ "$(wc -l <"$tmp/stderr")" -ne 1 ] || ! grep -qF -- "$text" "$tmp/stderr"; then
		echo "not one line with \"$text\": $*"
		cat "$tmp/stderr"
		return 1
	fi
}

# equal WHAT WANTED FOUND
equal()
{
	[ "$2" = "$3" ] && return
	echo "$1: wanted \"$2\", found \"$3\""
	return 1
}

# Control files, as far as plain files can be that.
fake()
{
	rm -rf "$tmp/fake"
	mkdir -p "$tmp/fake/lkst/masksets" "$tmp/fake/lkst/buffers/main" \
		"$tmp/fake/lkst/handlers/default" "$tmp/fake/lkst/handlers/nothing" \
		"$tmp/fake/lkst/handlers/pidfilter" \
		"$tmp/fake/lkst/per_cpu/cpu0" "$tmp/fake/lkst/per_cpu/cpu1"
	(
		cd "$tmp/fake/lkst" || exit 1
		echo 1 >enable
		echo RNOTHING >maskset
		echo main >buffer
		echo '[tsc] local mono boot' >clock
		printf 'version: 1.0.0\nabi: 2\n' >version
		cat >status <<-STATUS
			enable: 1
			tracing: 1
			maskset: mine
			buffer: main
			memory: 2097152
			clock: tsc
			clock_khz: 2000000
			clock_start: 1000000000000 5000000000 1700000000000000000 5000000007
			clock_now: 1004000000000 7000000000 1700000002000000000 7000000007
			cpus: 2
		STATUS
		# shellcheck disable=SC2094
		"$tmp/genlog" etypes >etypes
		: >masksets/create
		: >masksets/delete
		: >error_log
		: >marker
		: >trace
		: >buffers/create
		: >buffers/delete
		printf '# id 0 ro\nA nothing\nB nothing\n' >masksets/RNOTHING
		printf '# id 1 ro\nA default\nB default\n' >masksets/RALL
		printf '# id 3 rw\nA nothing\nB default\n' >masksets/mine
		echo 1 >handlers/default/id
		echo 2 >handlers/default/users
		echo 255 >handlers/nothing/id
		echo 3 >handlers/nothing/users
		echo 7 >handlers/pidfilter/id
		echo 0 >handlers/pidfilter/users
		echo pid=1 >handlers/pidfilter/control
		echo 1048576 >buffers/main/size
		echo '[overwrite] discard' >buffers/main/mode
		echo >buffers/main/next
		: >buffers/main/trace
		cat >buffers/main/stats <<-STATS
			cpu written read overwritten discarded nmi busy unread blocks
			0 100 10 20 1 2 3 70 16
			1 1000 0 0 0 0 0 1000 16
		STATS
		for cpu in 0 1; do
			echo main >per_cpu/cpu$cpu/buffer
			echo "written: $cpu" >per_cpu/cpu$cpu/stats
			: >per_cpu/cpu$cpu/trace
			"$tmp/genlog" raw >per_cpu/cpu$cpu/trace_raw
			"$tmp/genlog" raw >>per_cpu/cpu$cpu/trace_raw
		done
	)
	export LKST_DEBUGFS="$tmp/fake"
	f=$tmp/fake/lkst
}

# === Building ===

test_static_build_is_small()
{
	build "$tmp/static" LDFLAGS=-static || { cat "$tmp/static/make.log"; return 1; }
	equal warnings '' "$(grep -i warning "$tmp/static/make.log" || true)"
	strip "$tmp/static/lkst"
	size=$(wc -c <"$tmp/static/lkst")
	echo "# $size bytes"
	[ "$size" -lt 1000000 ]
	for name in lkstm lkstbuf lksteh; do
		"$tmp/static/$name" --version
	done
}

test_install()
{
	build "$tmp/static" LDFLAGS=-static DESTDIR="$tmp/root" install
	equal names 'lkst lkstbuf lksteh lkstm' "$(cd "$tmp/root/usr/bin" && echo *)"
	"$tmp/root/usr/bin/lkstbuf" --help >"$tmp/stdout"
	grep -q 'usage: lkstbuf COMMAND' "$tmp/stdout"
}

# === The command line ===

commands()
{
	"$1" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'
}

test_help_of_every_command()
{
	for program in lkst lkstm lkstbuf lksteh; do
		n=0
		for command in $(commands "$program"); do
			n=$((n + 1))
			"$program" "$command" --help >"$tmp/stdout"
			grep -q "^usage: $program $command" "$tmp/stdout"
			sed '1,/^examples:/d' "$tmp/stdout" >"$tmp/examples"
			grep -q "^  .*$program $command" "$tmp/examples"
			# What they call is there, and is called with options that it has.
			sh -n "$tmp/examples"
		done
		echo "# $program: $n commands"
		[ "$n" -gt 1 ]
	done
}

test_names_of_the_program()
{
	equal maskset "$(lkstm --help)" "$(lkst maskset --help)"
	equal lkstbuf "$(lkstbuf --help)" "$(lkst lkstbuf --help)"
	equal handler "$(lksteh list --help)" "$(lkst handler list --help)"
}

test_wrong_command_lines()
{
	for program in lkst lkstm lkstbuf lksteh; do
		fails 'unknown command "nonsense"' $program nonsense
		for command in $(commands "$program"); do
			fails "unknown option --nonsense" $program "$command" --nonsense
			fails "unknown option -Z" $program "$command" -Z
		done
	done
	fails 'no value for -m' lkstm read -m
	fails 'it needs -m' lkstm read
	fails 'it needs -h' lksteh control
	fails 'unknown option -x' lkstbuf read --follow -xw
	fails 'unknown option --follow=3' lkstbuf read --follow=3
	fails 'one too many: b' lkst start a b
	fails 'it takes' lkstm config -m 3 1
	fails 'no handler for 2' lkstm config -m 3 1 1 2
}

test_no_usage_without_command()
{
	for program in lkst lkstm lkstbuf lksteh; do
		status=0
		$program >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal status 1 $status
		grep -q '^usage: ' "$tmp/stderr"
	done
}

# The man pages have every command.
test_documentation()
{
	docs=$here/../../Documentation/tools
	[ -d "$docs" ] || docs=$ksrc/Documentation/trace/lkst/tools
	[ -d "$docs" ] || { echo SKIP no Documentation/tools; return 4; }
	for program in lkst lkstm lkstbuf lksteh; do
		for command in $(commands "$program"); do
			grep -q "^\*\*$program $command\*\*" "$docs/$program.rst" || {
				echo "$program.rst does not have $command"
				return 1
			}
			"$program" "$command" --help | sed -n 's/^  -., \(--[a-z]*\).*/\1/p' |
			while read -r option; do
				grep -q -- "\*\*$option\*\*" "$docs/$program.rst" || {
					echo "$program.rst does not have $option of $command"
					return 1
				}
			done
		done
	done
}

# === Kernels without LKST ===

test_no_lkst_in_the_kernel()
{
	mkdir -p "$tmp/empty"
	LKST_DEBUGFS=$tmp/empty
	export LKST_DEBUGFS
	fails 'this kernel has no LKST' lkst start
	fails 'this kernel has no LKST' lkst status
	fails 'this kernel has no LKST' lkstm list
	fails 'this kernel has no LKST' lkstm set -m 3
	fails 'this kernel has no LKST' lkstbuf list
	fails 'this kernel has no LKST' lkstbuf read -f "$tmp/none.log"
	[ ! -e "$tmp/none.log" ]
	fails 'this kernel has no LKST' lksteh list
	unset LKST_DEBUGFS
	fails 'this kernel has no LKST' lksteh list --debugfs "$tmp/empty"
}

test_debugfs_not_mounted()
{
	if grep -q '^[^ ]* [^ ]* debugfs ' /proc/mounts; then
		echo SKIP debugfs is mounted
		return 4
	fi
	fails 'debugfs' lkst status
	grep -q 'mount -t debugfs\|CONFIG_DEBUG_FS' "$tmp/stderr"
}

test_not_root()
{
	fake
	chmod 700 "$tmp" "$tmp/fake"
	if [ "$(id -u)" -ne 0 ]; then
		chmod 000 "$tmp/fake"
		fails 'only root' lkst status
		chmod 700 "$tmp/fake"
		return
	fi
	setpriv --reuid 65534 --clear-groups true 2>/dev/null || {
		echo SKIP no setpriv
		return 4
	}
	cp "$bin/lkst" "$tmp/fake/lkst.bin"
	chmod 711 "$tmp" "$tmp/fake"
	chmod 700 "$tmp/fake/lkst"
	chmod 755 "$tmp/fake/lkst.bin"
	fails 'only root' setpriv --reuid 65534 --clear-groups "$tmp/fake/lkst.bin" status
}

# What lockdown refuses is EPERM, as is what can't be written to even by root.
test_lockdown()
{
	fake
	chattr +i "$f/maskset" 2>/dev/null || {
		echo SKIP no chattr
		return 4
	}
	if (echo >"$f/maskset") 2>/dev/null; then
		chattr -i "$f/maskset"
		echo SKIP files stay writable
		return 4
	fi
	want='the kernel is locked down'
	! grep -qsF '[none]' /sys/kernel/security/lockdown || want='maskset: Operation not'
	result=0
	fails "$want" lkst start || result=1
	chattr -i "$f/maskset"
	return $result
}

# === Control files ===

test_maskset_commands()
{
	fake
	cat >"$tmp/wanted" <<-LIST
		    ID NAME                            MODE EVENTS
		*    0 RNOTHING                        ro        0
		     1 RALL                            ro        2
		     3 mine                            rw        1
	LIST
	lkstm list | diff "$tmp/wanted" -
	lkstm read -m 3 | diff "$f/masksets/mine" -
	lkstm read -m RALL | diff "$f/masksets/RALL" -
	lkstm set -m 3
	equal maskset mine "$(cat "$f/maskset")"
	lkstm set -m RALL
	equal maskset RALL "$(cat "$f/maskset")"
	lkstm new fresh RALL
	equal create 'fresh RALL' "$(cat "$f/masksets/create")"
	lkstm new -m 7 fresh 0
	equal create 'fresh RNOTHING id=7' "$(cat "$f/masksets/create")"
	lkstm delete -m 3
	equal delete mine "$(cat "$f/masksets/delete")"
	printf '# a comment\nA 1\n' | lkstm write -m mine
	equal write '# a comment|A 1|' "$(tr '\n' '|' <"$f/masksets/mine")"
}

test_maskset_config()
{
	fake
	lkstm config -m 3 1 1 2>"$tmp/stderr"
	equal config '1 1' "$(cat "$f/masksets/mine")"
	echo '# id 3 rw' >"$f/masksets/mine"
	lkstm config -m mine 'PROCESS_*' default :irq nothing
	equal config 'PROCESS_* default|:irq nothing|' "$(tr '\n' '|' <"$f/masksets/mine")"
}

# The kernel makes masksets/maskset4 while the tool waits for it to be there; a
# plain file does not, and the error says so.
test_maskset_write_creates()
{
	fake
	echo 'A default' | lkstm write -m 4 2>"$tmp/stderr" && return 1
	equal create 'maskset4 id=4' "$(cat "$f/masksets/create")"
	grep -q 'masksets/maskset4: No such file' "$tmp/stderr"
	echo 'A default' | lkstm write -m new-one 2>"$tmp/stderr" && return 1
	equal create 'new-one' "$(cat "$f/masksets/create")"
	: >"$f/masksets/create"
	fails 'nothing was changed' lkstm write -m 5
	equal create '' "$(cat "$f/masksets/create")"
}

test_maskset_errors()
{
	fake
	fails 'there is no maskset 9' lkstm read -m 9
	fails 'there is no maskset nope' lkstm set -m nope
	fails 'there is no maskset create' lkstm read -m create
	fails 'is no name for a maskset' lkstm read -m ../enable
	fails 'is no name for a maskset' lkstm new 'a b'
	fails 'is no name for a maskset' lkstm new 'a/b'
	fails 'is no name for a maskset' lkstm new ''
	fails 'is no name for a maskset' lkstm new "$(printf 'a\nb')"
	fails 'is no name for a maskset' lkstm new a2345678901234567890123456789012
	lkstm new a234567890123456789012345678901
	fails 'is not a number' lkstm new -m x name
}

# Files that can be opened and not written, as /dev/full is one.
test_refused_writes()
{
	fake
	rm "$f/maskset"
	ln -s /dev/full "$f/maskset"
	fails 'maskset: No space left' lkst start RALL
	cat >"$f/error_log" <<-LOG
		[   12.345678] maskset: ENOENT: no maskset "RAL"
		[   12.345679] masksets/mine: EINVAL: line 1: no event "FOO"
	LOG
	fails 'lkst: maskset: No space left' lkst start RALL
	echo '[   13.000001] maskset: ENOENT: no maskset "RALLL"' >>"$f/error_log"
	fails 'lkst: maskset: ENOENT: no maskset "RALLL"' lkst start RALL
	rm "$f/masksets/mine"
	echo '# id 3 rw' >"$f/masksets/mine"
	rm "$f/masksets/delete"
	ln -s /dev/full "$f/masksets/delete"
	echo '[   14.000001] masksets/delete: EBUSY: "mine" is current' >>"$f/error_log"
	fails 'lkstm: masksets/delete: EBUSY: "mine" is current' lkstm delete -m mine
}

test_start_and_stop()
{
	fake
	echo 0 >"$f/enable"
	lkst start
	equal maskset RDEFAULT "$(cat "$f/maskset")"
	equal enable 1 "$(cat "$f/enable")"
	lkst stop
	equal maskset RNOTHING "$(cat "$f/maskset")"
	lkst start 3
	equal maskset 3 "$(cat "$f/maskset")"
	equal status "$(cat "$f/status")" "$(lkst status)"
	lkst version | grep -q '^kernel version: 1.0.0$'
	lkst enable 0
	equal enable 0 "$(lkst enable)"
	fails 'neither 0 nor 1' lkst enable 2
	equal clock '[tsc] local mono boot' "$(lkst clock)"
	lkst mark here it starts
	equal marker 'here it starts' "$(cat "$f/marker")"
}

test_handler_commands()
{
	fake
	cat >"$tmp/wanted" <<-LIST
		  ID NAME                            MASKSETS CONTROL
		   1 default                                2 -
		   7 pidfilter                              0 pid=1
		 255 nothing                                3 -
	LIST
	lksteh list | diff "$tmp/wanted" -
	equal control pid=1 "$(lksteh control -h pidfilter)"
	lksteh control -h 7 pid=12 and more
	equal control 'pid=12 and more' "$(cat "$f/handlers/pidfilter/control")"
	fails 'there is no handler 8' lksteh control -h 8
	fails 'handler default has nothing to control' lksteh control -h default
}

test_buffer_commands()
{
	fake
	lkstbuf list >"$tmp/stdout"
	grep -q '^\* main  *1048576 overwrite -  *1100  *1070  *20  *6$' "$tmp/stdout"
	lkstbuf create hot 4M -d -n main
	equal create 'hot 4M discard next=main' "$(cat "$f/buffers/create")"
	lkstbuf create cold 65536
	equal create 'cold 65536' "$(cat "$f/buffers/create")"
	lkstbuf resize main 2M
	equal size 2M "$(cat "$f/buffers/main/size")"
	lkstbuf link main main
	equal next main "$(cat "$f/buffers/main/next")"
	lkstbuf link main none
	equal next none "$(cat "$f/buffers/main/next")"
	lkstbuf mode main discard
	equal mode discard "$(cat "$f/buffers/main/mode")"
	echo >"$f/buffer"
	lkstbuf jump main
	equal buffer main "$(cat "$f/buffer")"
	echo >"$f/per_cpu/cpu1/buffer"
	lkstbuf jump -c 1 main
	equal buffer main "$(cat "$f/per_cpu/cpu1/buffer")"
	lkstbuf delete main
	equal delete main "$(cat "$f/buffers/delete")"
	lkstbuf clear
	lkstbuf clear main
	lkstbuf clear -c 0
	for file in trace buffers/main/trace per_cpu/cpu0/trace; do
		equal $file 1 "$(wc -c <"$f/$file")"
	done
	fails 'there is no buffer nope' lkstbuf jump nope
	fails 'there is no buffer nope' lkstbuf read -n nope -f "$tmp/read.log"
	# What the last boot left is none.
	mkdir "$f/buffers/previous"
	: >"$f/buffers/previous/trace"
	lkstbuf list >"$tmp/stdout"
	equal lines 2 "$(wc -l <"$tmp/stdout")"
	fails 'there is no buffer previous' lkstbuf jump previous
	fails 'there is no CPU 2' lkstbuf jump main -c 2
	fails 'is not a size' lkstbuf create x '1 discard'
}

# reach CPU BUFFER BYTES REACH OVERWRITTEN: what the kernel tells of a CPU's current buffer
reach()
{
	echo "$2" >"$f/per_cpu/cpu$1/buffer"
	printf 'written: 100\nbytes: %s\nreach: %s s\n' "$3" "$4" >"$f/per_cpu/cpu$1/stats"
	sed -i "s/^$1 .*/$1 100 0 $5 0 0 0 100 16/" "$f/buffers/main/stats"
}

# main has 16 blocks of 65536 bytes. What is wanted was reckoned by hand.
test_resize_by_reach()
{
	fake
	# Both have wrapped: of CPU 1 it is 1048576 * 10 / 1.734 = 6047151, or 92.3 blocks.
	reach 0 main 1040000 2.000 5000
	reach 1 main 1000000 1.734 1
	equal told 'main: 6094848 bytes on each CPU' "$(lkstbuf resize main --reach 10s)"
	equal size 6094848 "$(cat "$f/buffers/main/size")"
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main -r 2m >"$tmp/stdout"
	# 1107.2 blocks
	equal minutes $((1108 * 65536)) "$(cat "$f/buffers/main/size")"
	# Less than there is now, and a whole number of blocks: 8.
	reach 0 main 1048000 1.000 5
	reach 1 main 1048000 1.500 5
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize --reach=500ms main >"$tmp/stdout"
	equal half 524288 "$(cat "$f/buffers/main/size")"
	# CPU 1 has not wrapped: 300000 bytes in 0.25 s are 12000000 in 10 s, 183.1 blocks.
	reach 1 main 300000 0.250 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal 'not wrapped' $((184 * 65536)) "$(cat "$f/buffers/main/size")"
	# Nor has it since it was made larger: what was overwritten was so before.
	reach 1 main 300000 0.250 1000
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal enlarged $((184 * 65536)) "$(cat "$f/buffers/main/size")"
	# A CPU whose records go elsewhere tells nothing of this buffer; nor does an idle one.
	reach 1 other 300000 0.250 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal elsewhere 10485760 "$(cat "$f/buffers/main/size")"
	reach 1 main 0 0.000 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal idle 10485760 "$(cat "$f/buffers/main/size")"
	# Nearly full, and not wrapped yet: 9500000 bytes in 10 s are 144.96 blocks.
	reach 0 main 0 0.000 0
	reach 1 main 950000 1.000 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal 'nearly full' $((145 * 65536)) "$(cat "$f/buffers/main/size")"
	reach 1 main 0 0.000 0
	# It wrapped, and the kernel does not tell how many bytes there are.
	reach 0 main 1048576 2.000 5
	sed -i /bytes/d "$f/per_cpu/cpu0/stats"
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal 'no bytes' 5242880 "$(cat "$f/buffers/main/size")"
	# Never fewer than two blocks.
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 1ms >"$tmp/stdout"
	equal two 131072 "$(cat "$f/buffers/main/size")"
}

test_resize_by_reach_errors()
{
	fake
	reach 0 main 0 0.000 0
	reach 1 main 0 0.000 0
	fails 'nothing is being recorded into main: start recording first' \
		lkstbuf resize main --reach 10s
	reach 0 main 0 5.000 0
	fails 'start recording first' lkstbuf resize main --reach 10s
	# A kernel that does not tell.
	echo 'written: 5' >"$f/per_cpu/cpu0/stats"
	fails 'start recording first' lkstbuf resize main --reach 10s
	reach 0 main 1048576 1.000 1
	for time in 0s 0ms 10 s 10h -10s 1.5s '10 s' 10ss '' ms 0x10s 99999999999999999999s \
		40000000000000000m; do
		fails 'it takes a number above 0 and ms, s or m' lkstbuf resize main --reach "$time"
	done
	fails 'more memory than there is' lkstbuf resize main --reach 500000m
	fails 'there is no buffer nope' lkstbuf resize nope --reach 10s
	fails 'not both' lkstbuf resize main 4M --reach 10s
	fails 'not both' lkstbuf resize main
	equal size 1048576 "$(cat "$f/buffers/main/size")"
}

# === Reading from the kernel ===

test_read()
{
	fake
	lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	grep -q '8 records of 2 CPUs' "$tmp/stderr"
	lkstbuf print -V -f "$tmp/read.log" >"$tmp/stdout" 2>"$tmp/stderr"
	equal wakeups 4 "$(grep -c ': PROCESS_WAKEUP task=' "$tmp/stdout")"
	grep -q '^# maskset: mine$' "$tmp/stdout"
	grep -q "^# release: $(uname -r)$" "$tmp/stdout"
	grep -q ' 5.000001000: PROCESS_WAKEUP' "$tmp/stdout"
	lkstbuf read | lkstbuf print >"$tmp/stdout2" 2>"$tmp/stderr"
	grep -v '^#' "$tmp/stdout" | diff - "$tmp/stdout2"
}

test_read_errors()
{
	fake
	fails 'No space left' lkstbuf read -f /dev/full
	fails 'nowhere/x.log: No such file' lkstbuf read -f "$tmp/nowhere/x.log"
	head -c 200 /dev/zero >"$f/per_cpu/cpu1/trace_raw"
	fails 'per_cpu/cpu1/trace_raw: there is no block' lkstbuf read -f "$tmp/read.log"
	lkstbuf print -f "$tmp/read.log" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'the log is not complete' "$tmp/stderr"
}

# === Printing ===

test_print_text()
{
	for case in basic bare one_sample wrap disorder gaps evil states mixed empty; do
		same $case.txt lkstbuf print -f "$(log $case)"
	done
	same basic.verbose.txt lkstbuf print -V -f "$(log basic)"
	same basic.raw.txt lkstbuf print -r -f "$(log basic)"
}

test_print_csv()
{
	same basic.csv lkstbuf print -C -f "$(log basic)"
	same basic.raw.csv lkstbuf print -r -C -S -V -f "$(log basic)"
	same gaps.csv lkstbuf print -C -f "$(log gaps)"
	same evil.csv lkstbuf print -C -f "$(log evil)"
	same basic32.raw.csv lkstbuf print -C -r -f "$(log -3 basic)"
}

# Each type at its ends, of both word sizes and byte orders; values were reckoned by hand.
test_print_types()
{
	for order in '' -b; do
		# shellcheck disable=SC2086
		{
			same types.txt lkstbuf print -T -f "$(log $order types)"
			same types.csv lkstbuf print -C -T -f "$(log $order types)"
			same types32.txt lkstbuf print -T -f "$(log $order -3 types)"
		}
	done
	same types.raw.txt lkstbuf print -r -T -f "$(log types)"
	same types32.raw.csv lkstbuf print -C -r -T -f "$(log -3 types)"
	same basic32.txt lkstbuf print -f "$(log -3 basic)"
}

# What a record says of itself is enough to print it: genlog knows what it has put there.
test_print_shapes()
{
	for args in '' -b -3 '-b -3'; do
		# shellcheck disable=SC2086
		"$tmp/genlog" $args -x shapes >"$tmp/wanted"
		equal shapes 63 "$(wc -l <"$tmp/wanted")"
		# shellcheck disable=SC2086
		lkstbuf print -r -T -f "$(log $args shapes)" 2>"$tmp/stderr" | diff "$tmp/wanted" -
	done
}

# Where it is not what the table says.
test_print_other_shapes()
{
	same other_shape.txt lkstbuf print -T -f "$(log other_shape)"
	same other_shape.txt lkstbuf print -T -f "$(log -b other_shape)"
	lkst states -f "$(log other_shape)" >"$tmp/stdout" 2>"$tmp/stderr" || [ $? -eq 1 ]
}

# From context switches to PIDs, as the tutorial does it.
test_print_tutorial()
{
	lkstbuf print -r -C -S -V -f "$(log basic)" >"$tmp/trace.csv" 2>"$tmp/stderr"
	grep context "$tmp/trace.csv" | cut -d, -f3,7 | sort | uniq >"$tmp/trace.db"
	cat >"$tmp/wanted" <<-DB
		00000000,0xffff888004a08000
		00000100,0xffff888004a00000
		00000101,0xffff888004a01000
	DB
	diff "$tmp/wanted" "$tmp/trace.db"
}

# It does not matter what machine a log is from.
test_print_byte_orders()
{
	for case in basic bare wrap disorder gaps evil mixed long_head states; do
		for args in '' '-r' '-C' '-r -C'; do
			# shellcheck disable=SC2086
			lkstbuf print $args -f "$(log $case)" >"$tmp/a" 2>"$tmp/stderr"
			# shellcheck disable=SC2086
			lkstbuf print $args -f "$(log -b $case)" >"$tmp/b" 2>"$tmp/stderr"
			# Words of text, as numbers, are of another order.
			[ "$args" = '' ] || {
				sed -i '/lkst_process\|lkst_marker\|LKST_PROCESS\|LKST_MARKER/d' \
					"$tmp/a" "$tmp/b"
			}
			diff "$tmp/a" "$tmp/b"
		done
		lkstbuf print -f "$(log -3 $case)" >"$tmp/a" 2>"$tmp/stderr"
		lkstbuf print -f "$(log -3 -b $case)" >"$tmp/b" 2>"$tmp/stderr"
		diff "$tmp/a" "$tmp/b"
	done
	lkstbuf print -f "$(log basic)" >"$tmp/a" 2>"$tmp/stderr"
	lkstbuf print -f "$(log long_head)" >"$tmp/b" 2>"$tmp/stderr"
	diff "$tmp/a" "$tmp/b"
}

count()
{
	lkstbuf print "$@" 2>"$tmp/stderr" | grep -vc '^#'
}

test_print_filters()
{
	f=$(log basic)
	equal all 24 "$(count -f "$f")"
	equal cpu 12 "$(count -f "$f" -c 1)"
	equal cpus 24 "$(count -f "$f" -c 1 -c 0)"
	equal name 1 "$(count -f "$f" -e PROCESS_WAKEUP)"
	equal mnemonic 1 "$(count -f "$f" -e process_wakeup)"
	equal id 3 "$(count -f "$f" -e 1)"
	equal glob 2 "$(count -f "$f" -e 'SYSCALL_ENT*')"
	equal category 8 "$(count -f "$f" -e :process)"
	equal two 4 "$(count -f "$f" -e 1 -e 2)"
	equal pid 1 "$(count -f "$f" -p 555)"
	# Not octal: in columns, numbers have zeros in front.
	equal zeros 1 "$(count -f "$f" -p 0555)"
	equal hex 1 "$(count -f "$f" -p 0x22b)"
	equal both 2 "$(count -f "$f" -p 100 -e SYSCALL_ENTRY)"
	equal buffer 1 "$(count -f "$(log gaps)" -n other)"
	equal unknown 1 "$(count -f "$f" -e 601)"
	fails 'there is no event FOO' lkstbuf print -f "$f" -e FOO
	fails 'is not a number' lkstbuf print -f "$f" -c all
}

test_print_times()
{
	f=$(log one_sample)
	lkstbuf print -R -f "$f" 2>"$tmp/stderr" | head -n 1 | grep -q ' 1699999999.990000000: '
	lkstbuf print -T -f "$f" 2>"$tmp/stderr" | head -n 1 | grep -q ' 999980000000: '
	equal seconds "$(lkstbuf print -C -S -f "$f" 2>&1)" "$(lkstbuf print -C -f "$f" 2>&1)"
	equal csv '4,990000000' "$(lkstbuf print -C -f "$f" 2>"$tmp/stderr" |
		head -n 1 | cut -d, -f4,5)"
}

test_print_summary()
{
	lkstbuf print -f "$(log gaps)" 2>&1 >"$tmp/stdout" |
		grep -q ': 5 records in 0.000 s, 46 missing (41 overwritten or cleared, 5 lost)$'
	lkstbuf print -f "$(log basic)" 2>&1 >"$tmp/stdout" | grep -q ': 24 records .* 0 missing$'
}

test_print_from_a_pipe()
{
	lkstbuf print -f "$(log basic)" >"$tmp/a" 2>"$tmp/stderr"
	"$tmp/genlog" basic | lkstbuf print >"$tmp/b" 2>"$tmp/stderr"
	diff "$tmp/a" "$tmp/b"
	"$tmp/genlog" basic | lkstbuf print -f - >"$tmp/b" 2>"$tmp/stderr"
	diff "$tmp/a" "$tmp/b"
}

test_print_to_a_full_disk()
{
	[ -c /dev/full ] || { echo SKIP no /dev/full; return 4; }
	status=0
	lkstbuf print -f "$(log basic)" >/dev/full 2>"$tmp/stderr" || status=$?
	equal status 1 $status
	grep -q 'No space left' "$tmp/stderr"
}

# 100 MiB of records in 16 MiB of memory.
test_print_holds_little_in_memory()
{
	"$tmp/genlog" -n 400 large >"$tmp/large.log"
	# shellcheck disable=SC3045
	lines=$(ulimit -d 16384 && lkstbuf print -C -f "$tmp/large.log" 2>"$tmp/stderr" | wc -l)
	rm "$tmp/large.log"
	equal lines 2560000 "$lines"
}

# === ProcessTrace ===

test_states()
{
	same states.table.txt lkst states -f "$(log states)"
	same states.intervals.txt lkst states -f "$(log states)" --intervals
	same states.data.txt lkst states -f "$(log -b states)" --data
	equal all 6 "$(lkst states -a -f "$(log states)" 2>&1 | grep -c '^ *20[0-9] ')"
	equal pid 1 "$(lkst states -p 203 -f "$(log states)" 2>&1 | grep -c '^ *20[0-9] ')"
	equal comm 2 "$(lkst states -t 'hog*' -f "$(log states)" 2>&1 | grep -c '^ *20[0-9] ')"
}

test_states_of_nothing()
{
	lkst states -f "$(log empty)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'no context switches' "$tmp/stderr"
}

# No state of a task begins before the one before it has ended.
test_states_are_whole()
{
	lkst states --intervals -f "$(log states)" 2>"$tmp/stderr" | grep -v '^#' |
		sort -k1,1n -k4,4n |
		awk '$1 == pid && $4 != end { print "hole:", $0; bad = 1 }
		     { pid = $1; end = $5 } END { exit bad }'
}

# === Files that are wrong ===

test_foreign_files()
{
	: >"$tmp/empty.log"
	fails 'not an LKST log' lkstbuf print -f "$tmp/empty.log"
	echo 'This is text, and a little longer than a log header.' >"$tmp/text.log"
	fails 'not an LKST log' lkstbuf print -f "$tmp/text.log"
	fails 'not an LKST log' lkst states -f "$here/run.sh"
	fails 'nothing.log: No such file' lkstbuf print -f "$tmp/nothing.log"
	fails 'Is a directory' lkstbuf print -f "$tmp"
	fails 'not an LKST log' lkstbuf print
	# A later version; another byte order than there is.
	{ printf 'LKSTLOG\n\004\003\002\001\003\000\010\000'; head -c 100 /dev/zero; } >"$tmp/v3.log"
	fails 'version 3 of the log format' lkstbuf print -f "$tmp/v3.log"
	{ printf 'LKSTLOG\n\001\001\001\001\002\000\010\000'; head -c 100 /dev/zero; } >"$tmp/bo.log"
	fails 'byte order' lkstbuf print -f "$tmp/bo.log"
}

# Of the format of before: one line says so.
test_version_1()
{
	for args in '' -b -3; do
		# shellcheck disable=SC2086
		f=$(log $args version1)
		fails 'version 1 of the log format; these tools know version 2' lkstbuf print -f "$f"
		fails 'version 1 of the log format; these tools know version 2' lkst states -f "$f"
		# A log of today, but not its blocks.
		status=0
		# shellcheck disable=SC2086
		lkstbuf print -f "$(log $args blocks1)" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal status 1 $status
		equal printed '' "$(cat "$tmp/stdout")"
		equal lines 1 "$(grep -c 'damaged at' "$tmp/stderr")"
		grep -q 'the block is of another version of the format' "$tmp/stderr"
	done
	# The kernel is of before.
	fake
	"$tmp/genlog" raw1 >"$f/per_cpu/cpu0/trace_raw"
	fails 'per_cpu/cpu0/trace_raw: the block is of another version of the format' \
		lkstbuf read -f "$tmp/read.log"
}

# Zeros are no record: what was before them is printed, and other blocks.
test_no_shape()
{
	for args in '' -b; do
		# shellcheck disable=SC2086
		f=$(log $args no_shape)
		status=0
		lkstbuf print -T -f "$f" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal status 1 $status
		diff "$here/expected/no_shape.txt" "$tmp/stdout"
		# Behind the head of the block and the one record.
		at=$(($(grep -aobF "$([ "$args" ] && echo 1KLBTSKL || echo LKSTBLK1)" "$f" |
			sed -n '1s/:.*//p') + 120 + 20))
		grep -q "damaged at byte $at: there is no record" "$tmp/stderr"
	done
}

# What names events have in a log from somewhere is nothing for a terminal to act on.
test_names_that_are_none()
{
	f=$(log basic)
	for name in 'PROCESS_WAKEUP:PROC\x1b[2J\x1b[HKUP' 'process_wakeup:proc\x1b]0;x\x07keup' \
		'prev_state:p\x1b[31m\x1b[mx'; do
		LC_ALL=C sed "s/${name%%:*}/${name#*:}/" "$f" >"$tmp/odd.log"
		equal size "$(wc -c <"$f")" "$(wc -c <"$tmp/odd.log")"
		cmp -s "$f" "$tmp/odd.log" && return 1
		for option in -V -C -S; do
			status=0
			lkstbuf print $option -f "$tmp/odd.log" >"$tmp/stdout" 2>"$tmp/stderr" ||
				status=$?
			equal status 1 $status
			grep -q '1 lines of the event table make no sense' "$tmp/stderr"
			grep -c "$(printf '[\001-\010\013-\037\177]')" "$tmp/stdout" \
				"$tmp/stderr" >"$tmp/odd" || continue
			cat "$tmp/odd"
			return 1
		done
	done
}

# Wherever it is cut off: what was before is there, and the error.
test_cut_off_logs()
{
	f=$(log gaps)
	lkstbuf print -T -f "$f" >"$tmp/whole" 2>"$tmp/stderr"
	size=$(wc -c <"$f")
	n=$((size - 1))
	while [ $n -gt 24 ]; do
		head -c $n "$f" >"$tmp/cut.log"
		status=0
		lkstbuf print -T -f "$tmp/cut.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal "status at $n" 1 $status
		grep -q 'damaged at byte\|not complete' "$tmp/stderr"
		# Blocks of two buffers may be out of order of time: no more than that.
		grep -vxFf "$tmp/whole" "$tmp/stdout" >"$tmp/stderr" && {
			echo "cut at $n:"
			cat "$tmp/stderr"
			return 1
		}
		n=$((n - 7))
	done
	head -c $((size - 40)) "$f" >"$tmp/cut.log"
	lkstbuf print -f "$tmp/cut.log" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	equal records 5 "$(grep -vc '^#' "$tmp/stdout")"
}

test_damaged_block()
{
	f=$(log basic)
	# The magic of the second block.
	at=$(grep -aobF LKSTBLK1 "$f" | sed -n '2s/:.*//p')
	{ head -c "$at" "$f"; printf X; tail -c +$((at + 2)) "$f"; } >"$tmp/bad.log"
	status=0
	lkstbuf print -f "$tmp/bad.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 1 $status
	equal records 12 "$(grep -c '\[000\]' "$tmp/stdout")"
	grep -q "damaged at byte $at: there is no block" "$tmp/stderr"
}

test_garbage_after_the_end()
{
	{ cat "$(log basic)"; echo garbage; } >"$tmp/bad.log"
	status=0
	lkstbuf print -f "$tmp/bad.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 1 $status
	diff "$here/expected/basic.txt" "$tmp/stdout"
	grep -q '8 bytes follow the end' "$tmp/stderr"
}

# A program that was killed is one that crashed.
test_damaged_logs_crash_nothing()
{
	flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
	if build "$tmp/asan" CC="$cc" CFLAGS="$flags"; then
		fuzzed=$tmp/asan
	else
		echo "# without sanitizers"
		fuzzed=$bin
	fi
	$cc -O2 -o "$tmp/mutate" "$here/mutate.c"
	seed=0
	while [ $seed -lt "${FUZZ:-30}" ]; do
		for args in basic '-b -3 wrap' gaps states '-b basic' '-3 evil' mixed types \
			'-b -3 shapes'; do
			# shellcheck disable=SC2086
			"$tmp/mutate" $seed <"$(log $args)" >"$tmp/fuzz.log"
			for command in 'lkstbuf print -VR' 'lkstbuf print -C' 'lkst states -a'; do
				status=0
				# shellcheck disable=SC2086
				timeout 60 "$fuzzed"/$command -f "$tmp/fuzz.log" \
					>"$tmp/stdout" 2>"$tmp/stderr" || status=$?
				if [ $status -gt 1 ] || grep -q 'Sanitizer' "$tmp/stderr"; then
					echo "seed $seed, $args, $command: status $status"
					head -n 20 "$tmp/stderr"
					return 1
				fi
			done
		done
		seed=$((seed + 1))
	done
	echo "# $((seed * 27)) runs"
}

# === Running them ===

tests=$(sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$0")
[ $# -eq 0 ] || tests=$*

$cc -O2 -o "$tmp/genlog" "$here/genlog.c" || exit 1
if [ -n "${LKST_TOOLS:-}" ]; then
	bin=$(cd "$LKST_TOOLS" && pwd)
else
	bin=$tmp/bin
	build "$bin" CFLAGS='-O2 -g -Werror' || {
		cat "$bin/make.log" >&2
		exit 1
	}
fi
PATH=$bin:$PATH

echo 'KTAP version 1'
# shellcheck disable=SC2086
echo "1..$(echo $tests | wc -w)"
n=0
pass=0
fail=0
skip=0
for name in $tests; do
	n=$((n + 1))
	# Not in a condition, where set -e would mean nothing.
	(set -e; "test_$name") >"$tmp/result" 2>&1
	status=$?
	grep '^# ' "$tmp/result"
	if [ $status -eq 0 ]; then
		pass=$((pass + 1))
		echo "ok $n $name"
	elif [ $status -eq 4 ] && grep -q '^SKIP' "$tmp/result"; then
		skip=$((skip + 1))
		echo "ok $n $name # $(sed -n '/^SKIP/p' "$tmp/result")"
	else
		fail=$((fail + 1))
		sed 's/^/# /' "$tmp/result"
		echo "not ok $n $name"
	fi
done
echo "# Totals: pass:$pass fail:$fail xfail:0 xpass:0 skip:$skip error:0"
[ $fail -eq 0 ]
