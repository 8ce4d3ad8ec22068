#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of "lkst dump" that need no kernel: dumps that gendump made, which knows what it
# put into them, and damaged ones. KTAP on stdout.
#
#	dump.sh [TEST...]
#
# KSRC: the patched tree. LKST_TOOLS: a folder with the tools; without it they are built,
# with sanitizers. FUZZ: how many damaged dumps to read (default 300). SEEDS: how many
# random ones (default 40).

here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
for dir in "${KSRC:-}" "$here/../../build/linux" "$here/../../../../.."; do
	[ -f "$dir/tools/tracing/lkst/Makefile" ] && break
done
ksrc=$(cd "$dir" && pwd)
cc=${CC:-cc}
mutate=$here/mutate.c
export LC_ALL=C TMPDIR="$tmp"
# The library does not free all that it takes.
echo leak:libkdumpfile >"$tmp/leaks"
export LSAN_OPTIONS="suppressions=$tmp/leaks:print_suppressions=0"

# === What the tests are made of ===

# build DIR MAKE-ARGUMENTS...
build()
{
	mkdir -p "$1"
	out=$1
	shift
	make -s -C "$ksrc/tools/tracing/lkst" --no-print-directory -j2 \
		OUTPUT="$out/" "$@" >"$out/make.log" 2>&1 || { cat "$out/make.log"; return 1; }
}

# make_dump GENDUMP-ARGUMENTS...: $core, and what is in it: $core.want
make_dump()
{
	core=$tmp/$(echo "$*" | tr -d ' ').core
	[ -f "$core" ] && return
	# shellcheck disable=SC2068
	"$tmp/gendump" $@ >"$core" && "$tmp/gendump" -x $@ >"$core.want"
}

run_dump()
{
	status=0
	timeout 300 "$bin/lkst" dump "$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	! grep -q 'ERROR: [A-Z][a-z]*Sanitizer\|runtime error' "$tmp/stderr" || {
		cat "$tmp/stderr"
		return 99
	}
}

# equal WHAT WANTED FOUND
equal()
{
	[ "$2" = "$3" ] && return
	echo "$1: wanted \"$2\", found \"$3\""
	return 1
}

says()
{
	grep -qF -- "$1" "$tmp/stderr" && return
	echo "nothing says \"$1\":"
	cat "$tmp/stderr"
	return 1
}

# The records that were printed are those that are whole in $core.
same_records()
{
	grep -v '^#' "$tmp/stdout" >"$tmp/records" || :
	[ -s "$core.want" ] || { echo "gendump expects nothing"; return 1; }
	cmp -s "$core.want" "$tmp/records" && return
	echo "$core: other records"
	diff "$core.want" "$tmp/records" | head
	return 1
}

# fails_with STATUS TEXT ARGUMENTS...: that status, one line on stderr with that text,
# nothing written
fails_with()
{
	want=$1
	text=$2
	shift 2
	rm -f "$tmp/out.log" "$tmp/out.log.part"
	run_dump -o "$tmp/out.log" "$@" || return 1
	equal status "$want" "$status" || return 1
	says "$text" || return 1
	equal lines 1 "$(wc -l <"$tmp/stderr")" || return 1
	[ ! -e "$tmp/out.log" ] && [ ! -e "$tmp/out.log.part" ] && return
	echo "there is an output file"
	return 1
}

fails() { fails_with 1 "$@"; }

# each_machine COMMAND...: with $machine of both byte orders and word sizes
each_machine()
{
	for machine in '' -b -3 '-b -3'; do
		"$@" || { echo "machine: $machine"; return 1; }
	done
}

# === Whole dumps ===

whole()
{
	# shellcheck disable=SC2086
	make_dump $machine "$1"
	run_dump -rT "$core" || return 1
	equal status 0 "$status" || return 1
	same_records || return 1
	says ' 0 missing'
}

test_records_by_vmcoreinfo() { each_machine whole plain && each_machine whole decoy; }
test_records_by_directory_magic() { each_machine whole no_vmcoreinfo; }
test_directory_without_a_list_first() { each_machine whole decoy_scan; }
test_records_where_vmcoreinfo_is_wrong() { each_machine whole scan; }
test_records_by_block_magic()
{
	# The table of the tools has no MADE_UP.
	blocks()
	{
		# shellcheck disable=SC2086
		make_dump $machine no_directory
		sed -i 's/MADE_UP/EVENT_700/' "$core.want"
		whole no_directory && says 'directory is not in the dump' || return 1
		run_dump -V "$core"
		case $machine in
		*3*) grep -q '^# LKST log.* 32-bit' "$tmp/stdout";;
		*) grep -q '^# LKST log.* 64-bit' "$tmp/stdout";;
		esac
	}
	each_machine blocks
}

# list_of LISTED FOUND MISSING CASE: so many of 12 blocks are in the list, of which four were
# used; of the others so many are found.
list_of()
{
	# shellcheck disable=SC2086
	make_dump $machine "$4"
	run_dump -rT "$core" || return 1
	same_records || return 1
	says "the list of LKST's blocks is broken: it has $1 of 12; $2 others were found" ||
		return 1
	if [ "$3" -eq 0 ]; then
		equal status 0 "$status" && ! grep 'more blocks' "$tmp/stderr"
	else
		equal status 4 "$status" && says ": up to $3 more blocks are missing"
	fi
}

test_list_that_is_missing() { each_machine list_of 0 4 8 no_list; }
test_list_that_is_there_in_part() { each_machine list_of 5 1 6 no_list_page; }
test_list_that_leads_back() { each_machine list_of 9 1 2 list_circle; }
test_list_that_leads_to_its_end_again() { each_machine list_of 12 0 0 list_itself; }
test_list_that_ends_early() { each_machine list_of 5 2 5 list_ends; }
test_list_that_leads_nowhere() { each_machine list_of 5 2 5 list_nowhere; }
test_list_that_leads_astray() { each_machine list_of 5 2 5 list_astray; }
test_list_of_no_length() { each_machine list_of 5 2 5 list_longer; }
test_list_without_its_places() { each_machine list_of 9 1 2 list_zeros; }
test_a_kernel_that_lives() { each_machine whole live; }

log_file()
{
	# shellcheck disable=SC2086
	make_dump $machine plain
	rm -f "$tmp/out.log"
	run_dump -o "$tmp/out.log" "$core" || return 1
	equal status 0 "$status" || return 1
	[ ! -e "$tmp/out.log.part" ] || return 1
	"$bin/lkstbuf" print -rT -f "$tmp/out.log" >"$tmp/stdout" 2>"$tmp/stderr" || return 1
	same_records || return 1
	"$bin/lkst" states -f "$tmp/out.log" >"$tmp/stdout" || return 1
	"$bin/lkstbuf" print -V -f "$tmp/out.log" >"$tmp/stdout" 2>"$tmp/stderr" || return 1
	case $machine in
	'') what='64-bit, little-endian';;
	-b) what='64-bit, big-endian';;
	-3) what='32-bit, little-endian';;
	*) what='32-bit, big-endian';;
	esac
	for line in "# LKST log, $(wc -l <"$core.want") records, $what" \
		'# release: 6.12.0-golden' '# hostname: dumped' '# source: crash dump' \
		'# stopped: panic on CPU 1, PID 101: sysrq triggered crash' '# clock_khz: 2000000'; do
		grep -qxF "$line" "$tmp/stdout" || { echo "there is no \"$line\""; return 1; }
	done
	# CPU 1's first record, at 2 GHz since 5 s; some tick was rounded.
	ticks=$(sed -n 's/.*\[001\] .... *\([0-9]*\):.*/\1/p' "$core.want" | head -n 1)
	ns=$(printf '%08d' $(((ticks - 1000000000000) / 20)))
	grep -q "^ *init-101 *\\[001\\] .... *5\\.${ns}[0-9]:" "$tmp/stdout"
}

test_log_file() { each_machine log_file; }

test_log_to_standard_output()
{
	make_dump plain
	"$bin/lkst" dump -o - "$core" 2>"$tmp/stderr" | "$bin/lkstbuf" print -rT 2>/dev/null \
		>"$tmp/stdout" && same_records
}

# Names of threads that no record names.
test_names_from_memory()
{
	make_dump plain
	run_dump "$core" && grep -q ' init-101 ' "$tmp/stdout" || return 1
	run_dump -o "$tmp/out.log" "$core"
	for line in '101 101 init' '102 102 bash' '103 103 server' '104 103 worker 1' \
		'105 103 worker 2'; do
		tr '\0' '\n' <"$tmp/out.log" | grep -qaxF "$line" || { echo "no $line"; return 1; }
	done
}

test_tasks_in_a_loop()
{
	make_dump task_loop
	run_dump -rT "$core" && equal status 0 "$status" && same_records && says 'list of tasks'
}

test_last_records()
{
	make_dump plain
	for n in 1 7 100000; do
		run_dump -rT --last "$n" "$core" || return 1
		tail -n "$n" "$core.want" >"$tmp/want"
		cmp -s "$tmp/want" "$tmp/stdout" || { echo "last $n"; return 1; }
	done
	run_dump -rT -l 3 -c 1 -e INT_HARDWARE_ENTRY "$core"
	grep '\[001\].*: INT_HARDWARE_ENTRY ' "$core.want" | tail -n 3 >"$tmp/want"
	cmp -s "$tmp/want" "$tmp/stdout" || return 1
	run_dump --last 0 "$core" && equal status 2 "$status"
}

# What was counted after the newest block was begun.
losses()
{
	# shellcheck disable=SC2086
	make_dump $machine "$1"
	run_dump -rT "$core" || return 1
	equal status 0 "$status" || return 1
	same_records || return 1
	says ' 14 missing (0 overwritten or cleared, 14 lost)' || return 1
	run_dump --report "$core" || return 1
	equal losses 'CPU 0, buffer main: 0 records are missing, 11 found no place
CPU 1, buffer main: 0 records are missing, 3 found no place' \
		"$(grep 'are missing' "$tmp/stdout")"
}

test_losses_in_the_newest_block() { each_machine losses losses; }

# Where only the directory says where anything is.
test_losses_and_names_without_page_tables()
{
	guest()
	{
		losses guest || return 1
		# No record names this one.
		run_dump "$core" && grep -q ' init-101 ' "$tmp/stdout"
	}
	each_machine guest
}

# === Records that were being written ===

torn()
{
	# shellcheck disable=SC2086
	make_dump $machine "$@"
	# shellcheck disable=SC2086
	n=$("$tmp/gendump" $machine -t "$@")
	run_dump -rT "$core" || return 1
	equal status 0 "$status" || return 1
	same_records || return 1
	[ "$n" -eq 0 ] || says ": $n records were being written"
}

test_torn_records() { each_machine torn torn; }

test_torn_long_records() { each_machine torn torn_long; }
test_torn_places_that_look_whole() { each_machine torn strict; }

test_torn_at_random()
{
	seed=0
	while [ $((seed += 1)) -le "${SEEDS:-40}" ]; do
		each_machine torn -s "$seed" random || return 1
		rm -f "$tmp"/*random.core*
	done
}

# What can't be told: as many records as there are, no more than one other for each that
# is torn, and one for four of them in all.
test_torn_at_any_step()
{
	seed=0
	others=0
	torn=0
	while [ $((seed += 1)) -le "${SEEDS:-40}" ]; do
		make_dump -a -s $seed random
		n=$("$tmp/gendump" -a -t -s $seed random)
		run_dump -rT "$core" || return 1
		equal status 0 "$status" || return 1
		grep -v '^#' "$tmp/stdout" >"$tmp/records"
		equal records "$(wc -l <"$core.want")" "$(wc -l <"$tmp/records")" || return 1
		other=$(diff "$core.want" "$tmp/records" | grep -c '^>')
		[ "$other" -le "$n" ] || { echo "seed $seed: $other of $n"; return 1; }
		others=$((others + other))
		torn=$((torn + n))
		rm -f "$core"*
	done
	echo "# $others of $torn are others"
	[ $((4 * others)) -le $torn ]
}

# === Damaged dumps ===

no_block()
{
	# shellcheck disable=SC2086
	make_dump $machine no_block
	run_dump -rT "$core" || return 1
	equal status 4 "$status" || return 1
	same_records || return 1
	says ': 1 blocks are not in the dump' && says ': 1 blocks are damaged'
}

test_pages_of_blocks_are_missing() { each_machine no_block; }

# What lies behind the last name that is there would seem to be of that function.
test_names_of_functions_end_early()
{
	make_dump plain
	run_dump "$core" && grep -q 'handler=my_irq$' "$tmp/stdout" || return 1
	make_dump half_names
	run_dump "$core" && equal status 0 "$status" || return 1
	says "names of functions can't be read" && grep -q 'handler=0xffffffff81002000$' "$tmp/stdout"
}

test_event_table_is_missing()
{
	make_dump no_etypes
	sed -i 's/MADE_UP/EVENT_700/' "$core.want"
	run_dump -rT "$core" && equal status 0 "$status" && same_records &&
		says 'event table is not in the dump'
}

test_cut_off()
{
	make_dump plain
	# In the third block: of four, the first two are whole.
	head -c $((4096 + 65536 + 40000)) "$core" >"$tmp/cut"
	run_dump -rT "$tmp/cut" || return 1
	equal status 4 "$status" || return 1
	says 'not in the dump' || return 1
	grep -v '^#' "$tmp/stdout" >"$tmp/records"
	n=$(wc -l <"$tmp/records")
	[ "$n" -gt 1400 ] && [ "$n" -lt 2100 ] || { echo "$n records"; return 1; }
	# All of them are records of the whole one.
	[ -z "$(grep -vxFf "$core.want" "$tmp/records")" ]
}

# cut PERCENT: what is there is found; what is missing is said, by the size of the whole
cut()
{
	# shellcheck disable=SC2086
	make_dump $machine $format plain
	whole=$(wc -c <"$core")
	# shellcheck disable=SC2086
	make_dump $machine $format -c "$1" plain
	size=$(wc -c <"$core")
	run_dump -rT "$core" || return 1
	equal status 4 "$status" || return 1
	says ": cut off at byte $size of $whole: $((whole - size)) bytes are missing" || return 1
	! grep 'nothing was recorded\|nothing of LKST' "$tmp/stderr" || return 1
	[ -s "$core.want" ] || { says 'in the part of it that is there'; return; }
	same_records || return 1
	# A log, and a report, are made of it all the same.
	rm -f "$tmp/out.log"
	run_dump -o "$tmp/out.log" "$core" && equal status 4 "$status" && [ -s "$tmp/out.log" ]
}

test_cut_off_anywhere()
{
	for machine in '' -b -3 '-b -3'; do
		for format in '' -k; do
			case $machine$format in
			*3*k) continue;;
			esac
			for percent in 99 90 80 70 60 50 40 30 20; do
				cut $percent || { echo "$machine $format $percent"; return 1; }
			done
		done
	done
}

# Where not even the heads are all there: how much is missing is not known then.
test_cut_off_in_the_heads()
{
	for percent in 10 3 1; do
		make_dump -k -c $percent plain
		run_dump -rT "$core" || return 1
		equal status 4 "$status" || return 1
		says "cut off at byte $(wc -c <"$core") of at least 16384: at least" || return 1
		make_dump -c $percent plain
		run_dump -rT "$core" || return 1
		equal status 4 "$status" && says 'cut off at byte' || return 1
	done
}

test_whole_compressed()
{
	for machine in '' -b; do
		whole '-k plain' && whole '-k no_vmcoreinfo' || return 1
	done
}

# Bits that flipped in memory: the records behind them are still there.
flipped()
{
	# shellcheck disable=SC2086
	make_dump $machine flipped
	run_dump -rT "$core" || return 1
	equal status 4 "$status" || return 1
	same_records || return 1
	says ": 7 records can't be true, and are left out"
}

test_records_that_are_not_true() { each_machine flipped; }

# 50 bits that flipped in 256 KiB, behind the heads of the file: 400 in 2 MiB. Few records are
# lost, and none is before LKST was started, or seconds after it was stopped.
test_bits_that_flipped()
{
	make_dump plain
	n=$(wc -l <"$core.want")
	: >"$tmp/all"
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		{ head -c 4096 "$core"; tail -c +4097 "$core" | "$tmp/mutate" "$seed" 50; } >"$tmp/bad"
		run_dump -rT "$tmp/bad" || return 1
		[ "$status" -eq 0 ] || equal "status of seed $seed" 4 "$status" || return 1
		grep -v '^#' "$tmp/stdout" >>"$tmp/all"
	done
	printed=$(wc -l <"$tmp/all")
	echo "# $printed of $((10 * n)) records"
	[ $((10 * printed)) -ge $((95 * n)) ] || return 1
	# Times of 2 GHz; the kernel started at 10^12 of it, and stopped a second later.
	sed -n 's/^.*\] .... *\([0-9]*\): [A-Z].*/\1/p' "$tmp/all" |
		awk '$1 < 995e9 || $1 > 1007e9 { print; n++ } END { exit n > 0 }'
}

# Lengths are not those that they were: what is behind such a record is found again.
damaged()
{
	# shellcheck disable=SC2086
	make_dump $machine damaged
	run_dump -rT "$core" || return 1
	equal status 4 "$status" || return 1
	same_records
}

test_records_of_other_lengths() { each_machine damaged; }

# Old bytes behind a place that is torn wrongly would be a record there, but for its time.
test_torn_place_of_another_size() { each_machine torn -s 51 random; }

test_directory_of_another_version()
{
	make_dump version
	sed -i 's/MADE_UP/EVENT_700/' "$core.want"
	run_dump -rT "$core" && equal status 0 "$status" && same_records &&
		says 'directory is of version 1; these tools know 2, and look for blocks' &&
		equal told 1 "$(grep -c 'version 1' "$tmp/stderr")"
}

# === Nothing to take ===

test_no_dump()
{
	echo 'This is no dump, nor is it anything else.' >"$tmp/text"
	fails 'not a crash dump' "$tmp/text" || return 1
	: >"$tmp/empty"
	fails 'not a crash dump' "$tmp/empty" || return 1
	fails 'No such file' "$tmp/nowhere" || return 1
	fails "$tmp" "$tmp"
}

test_no_lkst() { make_dump no_lkst; fails 'CONFIG_LKST' "$core"; }
test_never_started() { make_dump never_started; fails 'was not started' "$core"; }
test_no_records() { make_dump no_records; fails 'buffers are empty' "$core"; }

# Of a kernel with the format of before.
blocks1()
{
	# shellcheck disable=SC2086
	make_dump $machine blocks1
	fails 'of another version of the format; these tools know 2' "$core"
}

test_blocks_of_version_1() { each_machine blocks1; }

test_no_place_for_the_log()
{
	make_dump plain
	run_dump -o "$tmp/no/where.log" "$core" && equal status 1 "$status" && says 'where.log'
}

# A FIFO is written to, and a link is followed: neither is replaced.
test_log_to_what_is_no_file()
{
	make_dump plain
	run_dump -o "$tmp/out.log" "$core" && equal status 0 "$status" || return 1
	mkfifo "$tmp/fifo"
	timeout 60 cat "$tmp/fifo" >"$tmp/through.log" &
	run_dump -o "$tmp/fifo" "$core"
	wait $!
	equal status 0 "$status" && [ -p "$tmp/fifo" ] && cmp "$tmp/out.log" "$tmp/through.log" ||
		return 1
	ln -s target.log "$tmp/link.log"
	for _ in 1 2; do
		run_dump -o "$tmp/link.log" "$core" && equal status 0 "$status" || return 1
		[ -L "$tmp/link.log" ] && cmp "$tmp/out.log" "$tmp/target.log" || return 1
	done
	# Nor is what somebody else has put there.
	ln -s out.log "$tmp/new.log.part"
	run_dump -o "$tmp/new.log" "$core" && equal status 1 "$status" && says 'new.log.part' || return 1
	cmp "$tmp/out.log" "$tmp/target.log"
}

test_log_has_all_records()
{
	make_dump plain
	fails_with 2 'not what -e says' -e SYSCALL_ENTRY "$core" &&
		fails_with 2 'not what --report says' --report "$core"
}

# A disk that gets full is no reason to leave half a log.
test_no_room_for_the_log()
{
	make_dump plain
	rm -f "$tmp/out.log"
	(trap '' XFSZ; ulimit -f 20; run_dump -o "$tmp/out.log" "$core"; [ "$status" -eq 1 ]) ||
		return 1
	says 'File too large' && [ ! -e "$tmp/out.log" ] && [ ! -e "$tmp/out.log.part" ] || return 1
	# Also of a dump that is damaged: what could be read was not written.
	make_dump flipped
	(trap '' XFSZ; ulimit -f 20; run_dump -o "$tmp/out.log" "$core"; [ "$status" -eq 1 ])
}

# === Bounds ===

# 64 GiB, of which few pages are in the file.
test_large_dump()
{
	[ -z "$sanitized" ] || { echo SKIP sanitizers take memory of their own; return 4; }
	make_dump large
	# shellcheck disable=SC3045 # dash has it
	(ulimit -v 65536 && "$bin/lkst" dump -rT "$core" >"$tmp/stdout" 2>"$tmp/stderr") ||
		{ cat "$tmp/stderr"; return 1; }
	same_records
}

test_fuzz()
{
	seed=0
	while [ $((seed += 1)) -le "${FUZZ:-300}" ]; do
		case $((seed % 4)) in
		0) make_dump plain;;
		1) make_dump torn;;
		2) make_dump -b -3 torn;;
		3) make_dump no_directory;;
		esac
		"$tmp/mutate" "$seed" <"$core" >"$tmp/fuzz"
		run_dump -V "$tmp/fuzz" || { echo "seed $seed"; return 1; }
		[ "$status" -le 1 ] || [ "$status" -eq 4 ] || { echo "seed $seed: status $status"; return 1; }
		run_dump --report "$tmp/fuzz" || { echo "seed $seed"; return 1; }
		[ "$status" -le 1 ] || [ "$status" -eq 4 ] || { echo "seed $seed: report: $status"; return 1; }
	done
}

# Only what LKST's own memory says is changed: deeper than a random byte gets.
test_fuzz_of_words()
{
	make_dump torn
	seed=0
	while [ $((seed += 1)) -le "${FUZZ:-300}" ]; do
		"$tmp/gendump" -f $seed torn >"$tmp/fuzz"
		run_dump -V "$tmp/fuzz" || { echo "seed $seed"; return 1; }
		[ "$status" -le 1 ] || [ "$status" -eq 4 ] || { echo "seed $seed: status $status"; return 1; }
	done
}

# === The report ===

test_report()
{
	make_dump open
	run_dump --report "$core" || return 1
	equal status 0 "$status" || return 1
	while read -r line; do
		tr -s ' ' <"$tmp/stdout" | sed 's/^ //' | grep -qF -- "$line" ||
			{ echo "no \"$line\":"; cat "$tmp/stdout"; return 1; }
	done <<-LINES
		at 2023-11-14 22:13:21.000 UTC, 1.000 s after LKST started
		panic on CPU 1, PID 101 (init): sysrq triggered crash
		1 records were being written
		CPU 0: init-101, in a hard interrupt
		CPU 1: bash-102, in a soft interrupt
		CPU 0: hard interrupt 33 my_irq+0x10, 9.995 ms
		CPU 1: softirq TIMER
		init-101: system call sync
		init-101: lock 0xffff888000aaaa00 by do_lock, on CPU 0, 9.998 ms
	LINES
	# What was closed is not open.
	sed '/^The last/,$d' "$tmp/stdout" >"$tmp/opens"
	! grep 'bbbb00\|getpid' "$tmp/opens" || return 1
	# Both CPUs have a column, and what came 30 s before the end is not in the table.
	grep -q '^    -9.999  SYSCALL_ENTRY sync 0x2 0x3 0x4$' "$tmp/stdout" &&
		grep -q '^    -4.999  \{40,\}SYSCALL_EXIT getpid 102$' "$tmp/stdout" &&
		! grep CONTEXTSWITCH "$tmp/stdout"
}

# 5000 locks are held at once, and 150000 others released: as long as it takes to read them.
test_report_of_many()
{
	[ -z "$sanitized" ] || { echo SKIP sanitizers take time of their own; return 4; }
	make_dump many_open
	# shellcheck disable=SC3045 # dash has it
	(ulimit -t 1 && "$bin/lkst" dump --report "$core" >"$tmp/stdout" 2>"$tmp/stderr") ||
		{ cat "$tmp/stderr"; return 1; }
	grep -q '^  (too many at once: of 905 that began earlier it is unknown)$' "$tmp/stdout" ||
		{ grep 'too many' "$tmp/stdout"; return 1; }
	equal locks 4095 "$(grep -c ': lock 0x' "$tmp/stdout")" || return 1
	# The first that is told of is the 906th.
	grep -m 1 ': lock 0x' "$tmp/stdout" | grep -q ': lock 0xffff88800000e240 by' &&
		grep -q 'system call getpid' "$tmp/stdout"
}

# === The program ===

test_built_without_the_library()
{
	build "$tmp/without" LIBKDUMPFILE=0 || return 1
	! grep -i warning "$tmp/without/make.log" || return 1
	make_dump plain
	bin=$tmp/without
	fails 'built without libkdumpfile' "$core"
}

test_static_build()
{
	build "$tmp/static" LDFLAGS=-static || return 1
	! grep -i warning "$tmp/static/make.log" || return 1
	strip "$tmp/static/lkst"
	size=$(wc -c <"$tmp/static/lkst")
	echo "# $size bytes"
	[ "$size" -lt 1000000 ]
}

# For a crash kernel with kdump-tools: what its units run is where they look for it.
test_install_for_kdump()
{
	build "$tmp/kdump" DESTDIR="$tmp/root" bindir=/usr/bin install-kdump || return 1
	[ -x "$tmp/root/usr/bin/lkst" ] && [ -x "$tmp/root/usr/bin/lkstla" ] || return 1
	for unit in kdump-tools kdump-tools-dump; do
		conf=$tmp/root/etc/systemd/system/$unit.service.d/lkst.conf
		called=$(sed -n 's/^ExecStartPre=-//p' "$conf")
		[ -n "$called" ] && [ -x "$tmp/root$called" ] && sh -n "$tmp/root$called" || return 1
	done
	# No file that a package would have to leave out, and none anywhere else.
	[ "$(find "$tmp/root" -type f | wc -l)" -eq 5 ]
}

# === Running them ===

"$cc" -O1 -g -Wall -Wextra -Werror -o "$tmp/gendump" "$here/gendump.c" || exit 1
"$cc" -O1 -o "$tmp/mutate" "$mutate" || exit 1
bin=${LKST_TOOLS:-$tmp/san}
sanitized=
if [ -z "$LKST_TOOLS" ]; then
	sanitized=y
	build "$bin" CFLAGS='-O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer' \
		LDFLAGS=-fsanitize=address,undefined || exit 1
fi
tests=${*:-$(sed -n 's/^test_\([a-z_]*\)().*/\1/p' "$0")}
echo 'KTAP version 1'
# shellcheck disable=SC2086
echo "1..$(echo $tests | wc -w)"
n=0
failed=0
for name in $tests; do
	n=$((n + 1))
	result=0
	(test_$name) >"$tmp/report" 2>&1 || result=$?
	sed 's/^\(# \)\{0,1\}/# /' "$tmp/report"
	what=$(echo "$name" | tr _ ' ')
	case $result in
	0) echo "ok $n $what";;
	4) echo "ok $n $what # SKIP";;
	*) echo "not ok $n $what"; failed=1;;
	esac
done
exit $failed
