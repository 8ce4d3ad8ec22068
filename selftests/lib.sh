# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What every test of LKST starts with. A test file is
#
#	. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
#	one_case() { ...; }
#	t "what one_case shows" one_case
#	finish
#
# Each case is a shell of its own, with `set -eu`: the first command that fails
# is the failure, and its trace (set -x) is what the reader gets. It starts from
# the state that reset() makes, has a limited time, and leaves no process behind.

set -u

LKST=/sys/kernel/debug/lkst
TORTURE=/sys/kernel/debug/lkst_torture
CPU1=/sys/devices/system/cpu/cpu1
FAIR_SERVER=/sys/kernel/debug/sched/fair_server/cpu1/runtime
RT_RUNTIME=/proc/sys/kernel/sched_rt_runtime_us
# Where the tests are. Found once, as each case comes by here, and on a kernel with
# KASAN a process takes its time.
SRC=${LKST_TEST_SRC:-$(cd "$(dirname "$0")" && pwd)}
export LKST_TEST_SRC="$SRC"
ME=$SRC/${0##*/}

# Seconds that one case may take.
LIMIT=${LKST_TEST_LIMIT:-60}

# The programs: where we are told, beside us, or in PATH.
BIN=${LKST_TEST_BIN:-$SRC}
[ -x "$BIN/lkst_helper" ] || BIN=$(dirname "$(command -v lkst_helper)")
H=$BIN/lkst_helper

# Loads are in percent of what a plain kernel takes.
SLOW=
if [ -e /proc/lockdep ] || [ -e /sys/kernel/debug/kcsan ]; then
	SLOW=1
	LIMIT=$((LIMIT * 4))
fi
LKST_TEST_SCALE=${LKST_TEST_SCALE:-${SLOW:+25}}
export LKST_TEST_SCALE="${LKST_TEST_SCALE:-100}"

# scaled N: N by LKST_TEST_SCALE, at least 1.
scaled() {
	n=$(($1 * LKST_TEST_SCALE / 100))
	[ "$n" -gt 0 ] || n=1
	echo "$n"
}

# === Results ===

nr=0
failed=0
only=

SKIP=4

# skip WHY: ends a case that cannot run here.
skip() {
	echo "SKIP $*" >"$TMP/skip"
	exit $SKIP
}

# lack WHY: the same for want of something that a full run must have. With
# LKST_TEST_STRICT it is a failure.
lack() {
	[ -n "${LKST_TEST_STRICT:-}" ] || skip "$@"
	echo "lacking: $*"
	exit 1
}

# $TMP/say: what a case that passes has to say all the same.

# need COMMAND...: all of them must be in PATH.
need() {
	for cmd in "$@"; do
		command -v "$cmd" >/dev/null || lack "no $cmd here"
	done
}

# How often the kernel complained, as scripts/run.sh counts it on the console. A
# data race of the kernel's own is none of ours, and what a case has provoked on
# purpose is none: see expect.
splats() {
	dmesg 2>/dev/null | awk '
	/lkst-test: expect [0-9]/ {
		sub(/.*lkst-test: expect /, "")
		want = $1
		got = 0
		sub(/^[0-9]+ /, "")
		pattern = $0
		open = 1
		next
	}
	/lkst-test: expected$/ {
		n += open && got != want
		open = 0
		next
	}
	open && $0 ~ pattern { got++; next }
	/BUG: KCSAN: / && !/lkst/ { next }
	/WARNING:|BUG:|Oops|INFO: (task|rcu)|possible (circular|recursive)/ { n++; next }
	/general protection|UBSAN/ { n++ }
	END { print n + (open && got != want) }'
}

# expect N PATTERN: until this case ends, the kernel complains N times in lines
# that match PATTERN, an ERE of awk; stack traces belong to them. That is no
# failure; less, more or other complaints are.
expect() {
	: >"$TMP/expect"
	echo "lkst-test: expect $1 $2" >/dev/kmsg
}

seen=$(splats)

# The kernel has warned: of something that makes this case a failure?
complaints() {
	splats=$(splats)
	[ "$splats" != "$seen" ] || return 0
	seen=$splats
	echo "the kernel complained: see dmesg" >>"$TMP.log"
	rc=1
}

# t WHAT FUNCTION: runs one case.
t() {
	case "$2" in
	"$only"*) ;;
	*) return 0 ;;
	esac
	nr=$((nr + 1))
	set -- "$1" "$2" "$TMP"/*
	[ ! -e "${3:-}" ] || rm -rf "${TMP:?}"/*
	read -r start _ </proc/uptime
	if [ -x "$H" ]; then
		"$H" limit "$LIMIT" "$TMP/warned" sh "$ME" --case "$2" >"$TMP.log" 2>&1
	else
		sh "$ME" --case "$2" >"$TMP.log" 2>&1
	fi
	rc=$?
	read -r end _ </proc/uptime
	[ ! -e "$TMP/expect" ] || echo 'lkst-test: expected' >/dev/kmsg
	# To read all of the kernel's log takes its time.
	if [ ! -x "$H" ] || [ -e "$TMP/warned" ]; then
		complaints
	fi
	# What a line of KTAP has to say comes before it.
	[ -z "${LKST_TEST_TIMES:-}" ] || echo "# $2: from $start to $end s"
	if [ $rc -eq $SKIP ] && [ -e "$TMP/skip" ]; then
		echo "ok $nr $1 # $(cat "$TMP/skip")"
	elif [ $rc -eq 0 ]; then
		[ ! -e "$TMP/say" ] || sed 's/^#* */# /' "$TMP/say"
		echo "ok $nr $1"
	else
		failed=$((failed + 1))
		[ $rc -ne 124 ] || echo "# not done after $LIMIT s"
		tail -n "${LKST_TEST_LOG:-12}" "$TMP.log" | cut -c -300 |
			sed 's/^/# /'
		echo "not ok $nr $1"
	fi
}

finish() {
	[ ! -d "$LKST" ] || reset 2>/dev/null
	fair_server "$FAIR_RUNTIME"
	[ ! -e "$TMP.limit" ] || cat "$TMP.limit" >"$RT_RUNTIME"
	rm -rf "$TMP" "$TMP.log" "$TMP.limit"
	[ "$failed" -eq 0 ]
	exit
}

# === State ===

# put FILE TEXT: a write that must succeed. Without another process, as are most
# of the helpers here: on a kernel with KASAN these take their time.
put() {
	echo "$2" >"$LKST/$1"
}

# Those that a test may have made.
drop_masksets() {
	for f in "$LKST"/masksets/*; do
		f=${f##*/}
		case $f in
		create | delete | RNOTHING | RALL | RDEFAULT) ;;
		*) echo "$f" >"$LKST/masksets/delete" ;;
		esac
	done
}

# The events that a test may have made.
drop_dynamic_events() {
	[ -e "$LKST/dynamic_events" ] || return 0
	names=
	while read -r f _; do
		names="$names-:${f#*:}
"
		# A write takes a page at most.
		[ "${#names}" -lt 3000 ] || {
			echo "$names" >"$LKST/dynamic_events"
			names=
		}
	done <"$LKST/dynamic_events"
	[ -z "$names" ] || echo "$names" >"$LKST/dynamic_events"
}

# Nothing is recorded, and nothing is there that a test may have made.
reset() {
	[ ! -e "$TORTURE" ] || echo 0 >"$TORTURE"
	echo 1 >"$LKST/enable"
	# The buffer "main" is made by the first start.
	[ -d "$LKST/buffers/main" ] || echo RDEFAULT >"$LKST/maskset"
	echo RNOTHING >"$LKST/maskset"
	# Or a test has deleted it, with another one current.
	[ -d "$LKST/buffers/main" ] || echo "main $MAIN_SIZE" >"$LKST/buffers/create"
	# What a handler is to make current is not deleted, nor is a handler that it names.
	for f in "$LKST"/handlers/*/control; do
		case $f in
		*/default/control | */nothing/control) ;;	# take nothing
		*) echo >"$f" ;;
		esac
	done
	drop_masksets
	for f in "$LKST"/handlers/*; do
		f=${f##*/}
		case $f in
		create | delete) continue ;;
		esac
		# The first instance of a handler goes with its module.
		read -r of <"$LKST/handlers/$f/handler"
		[ "$of" = "$f" ] || echo "$f" >"$LKST/handlers/delete"
	done
	drop_dynamic_events
	for f in /sys/module/lkst_*; do
		[ ! -d "$f" ] || rmmod "${f##*/}"
	done
	# A handler may have stopped all until now.
	echo 1 >"$LKST/enable"
	echo >"$LKST/notify"
	echo main >"$LKST/buffer"
	for f in "$LKST"/buffers/*/next; do
		[ -e "$f" ] && echo none >"$f"
	done
	for f in "$LKST"/buffers/*; do
		f=${f##*/}
		case $f in
		create | delete | main) ;;
		*) echo "$f" >"$LKST/buffers/delete" ;;
		esac
	done
	read -r f <"$LKST/buffers/main/size"
	[ "$f" = "$MAIN_SIZE" ] || echo "$MAIN_SIZE" >"$LKST/buffers/main/size"
	echo overwrite >"$LKST/buffers/main/mode"
	read -r f <"$LKST/clock"
	case $f in
	*"[$CLOCK]"*) ;;
	*) echo "$CLOCK" >"$LKST/clock" ;;
	esac
	echo >"$LKST/trace"
	echo >"$LKST/error_log"
}

# cpus [WHICH]: CPUs that are online, or possible, as a list of words.
cpus() {
	awk -F- -v RS='[,\n]' 'NF { e = NF > 1 ? $2 : $1
		for (i = $1; i <= e; i++) print i }' \
		"/sys/devices/system/cpu/${1:-online}"
}

# The last of them: CPU 1 where there are two.
last_cpu() {
	cpus | tail -n 1
}

# need_cpus N: skips unless that many are online.
need_cpus() {
	[ "$(cpus | wc -l)" -ge "$1" ] || skip "fewer than $1 CPUs"
}

# can_unplug: skips where CPU 1 cannot be taken away. With 6.12 that can bring a
# warning of the kernel's own, in task_non_contending(): sched_cpu_dying() stops the server
# that gives fair tasks a share of a busy CPU even if it was stopped a moment before, as
# dl_server_stop() does not look at dl_server_active. Without runtime there is none.
can_unplug() {
	[ -e "$CPU1/online" ] || skip 'CPU 1 cannot be taken offline'
	echo 1 >"$CPU1/online"
	fair_server 0
}

# fair_server NS: the runtime of that server of CPU 1. To write it stops the server, with
# the same fault: while a fair task runs on that CPU, it has not been stopped. With cpusets
# dl_clear_root_domain() forgets what these servers have of the CPUs, for a governor of
# cpufreq or whoever looks at RT_RUNTIME, and to take from it is EBUSY, unless there is no
# limit. What that was is in $TMP.limit.
fair_server() {
	[ ! -e "$FAIR_SERVER" ] || [ "$(cat "$FAIR_SERVER")" = "$1" ] || {
		[ -e "$TMP.limit" ] || {
			cat "$RT_RUNTIME" >"$TMP.limit"
			echo -1 >"$RT_RUNTIME"
		}
		taskset -c 1 sh -c "echo $1 >$FAIR_SERVER"
	}
}

# CLOCK_MONOTONIC, of which records' times are. /proc/uptime counts suspensions, too.
mono_ns() { awk '/^now at/ { print $3; exit }' /proc/timer_list; }

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
	n=$(($1 * 10))
	shift
	while ! "$@"; do
		[ "$n" -gt 0 ] || return 1
		n=$((n - 1))
		usleep 100000
	done
}

# maskset NAME LINE...: makes a maskset of RNOTHING and these lines.
maskset() {
	put masksets/create "$1"
	name=$1
	shift
	for line in "$@"; do
		put "masksets/$name" "$line"
	done
}

# all_but_locks NAME: makes a maskset of all events that there are but those of locks.
all_but_locks() {
	maskset "$1" '* default' ':lock nothing'
}

# buffers_memory: what buffers take, without the ring of names, which grows with the tasks.
buffers_memory() {
	awk '$1 == "memory:" { n = $2 } $1 == "names_memory:" { n -= $2 } END { print n }' \
		"$LKST/status"
}

# slow_disk: makes /dev/lkst, which takes 30 ms for each request, until the test is over.
slow_disk() {
	config=/sys/kernel/config
	modprobe null_blk nr_devices=0 || lack "no null_blk"
	[ -d "$config/nullb" ] || mount -t configfs none "$config"
	mkdir "$config/nullb/lkst"
	trap 'rmdir $config/nullb/lkst; rmmod null_blk' EXIT
	for setting in irqmode=2 completion_nsec=30000000 blocksize=4096; do
		echo "${setting#*=}" >"$config/nullb/lkst/${setting%%=*}"
	done
	echo 1 >"$config/nullb/lkst/power"
}

# A maskset whose only event hardly ever happens: LKST's own are recorded, the
# markers among them.
quiet() {
	maskset quiet 'PROCESS_LTHREADGEN default'
	put maskset quiet
}

stop() {
	put maskset RNOTHING
}

# dump: everything recorded, taken out, into $TMP/dump; see lkst_helper dump.
dump() {
	"$H" dump "$@" >"$TMP/dump"
}

# taken: recording ends here; $TMP/dump has all of it.
taken() {
	stop
	nothing_overwritten
	dump
}

# count PATTERN: lines of $TMP/dump that match.
count() {
	grep -cE "$1" "$TMP/dump" || :
}

# symbol NAME: its address.
symbol() {
	awk -v n="$1" '$3 == n { print "0x" $1; exit }' /proc/kallsyms
}

# hex NUMBER: as arguments are shown.
hex() {
	printf '0x%x' "$1"
}

# key FILE NAME: the value of a `key: value` line.
key() {
	awk -v k="$2:" '$1 == k { sub(/^[^:]*: */, ""); print; n++ }
		END { exit n != 1 }' "$LKST/$1"
}

# value NAME FILE: what the lines NAME of a program's or a module's output say.
value() {
	awk -v n="$1" '$1 == n { $1 = ""; print substr($0, 2) }' "$2"
}

# sum BUFFER COLUMN: over all CPUs, from buffers/BUFFER/stats.
sum() {
	awk -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) n = i }
		NR > 1 { s += $n }
		END { if (!n) exit 1; printf "%d\n", s }' \
		"$LKST/buffers/$1/stats"
}

# overwritten BUFFER: sets `records` to how many were, over all CPUs. Costs no process.
overwritten() {
	records=0
	while read -r of_cpu _ _ of_them _; do
		case "$of_cpu $of_them" in
		'cpu overwritten') ;;
		cpu*) return 1 ;;
		*) records=$((records + of_them)) ;;
		esac
	done <"$LKST/buffers/$1/stats"
}

# nothing_overwritten: in the buffer "main" since the case began.
nothing_overwritten() {
	overwritten main
	[ "$records" -eq "$OVERWRITTEN" ]
}

# nr NAME: the number of a system call, which each architecture has its own of.
nr() {
	"$H" nr "$1"
}

# identity BUFFER: what was written was read, overwritten or is still there,
# on each CPU. Only true while nothing is being recorded.
identity() {
	awk 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ n++; if ($c["written"] != $c["read"] + $c["overwritten"] + $c["unread"]) {
			print "cpu", $1, "does not add up:", $0; bad = 1 } }
		END { exit bad || !n }' "$LKST/buffers/$1/stats"
}

# The settings of all that is written to, for "nothing changed".
settings() {
	"$H" settings
}

# refused ERRNO FILE TEXT [WORD]: the write fails so, error_log says why and
# names WORD (TEXT by default), and nothing has changed. ERRNO may be A|B.
refused() {
	"$H" refused "$1" "$2" "$3" "${4-$3}"
}

# fails_with STATUS WORDS COMMAND...: that status and a message with these words on stderr.
fails_with() {
	want=$1
	words=$2
	shift 2
	rc=0
	"$@" >"$TMP/stdout" 2>"$TMP/stderr" </dev/null || rc=$?
	[ "$rc" -eq "$want" ]
	cat "$TMP/stderr"
	grep -qiE -- "$words" "$TMP/stderr"
	[ ! -s "$TMP/stdout" ]
}

fails() {
	fails_with 1 "$@"
}

# module NAME: where NAME.ko is; skips if nowhere.
module() {
	for dir in "${LKST_TEST_MOD:-}" "$BIN" "$SRC"; do
		[ -e "$dir/$1.ko" ] && echo "$dir/$1.ko" && return
	done
	found=$(find "/lib/modules/$(uname -r)" -name "$1.ko" 2>/dev/null |
		head -n 1)
	[ -n "$found" ] || lack "no $1.ko"
	echo "$found"
}

# task PID: the address that LKST_PROCESS or PROCESS_FORK in $TMP/dump gives it.
task() {
	awk -v p="$1" '($5 == "LKST_PROCESS" || $5 == "PROCESS_FORK") {
		split($7, id, "/"); if (id[1] == p) a = $6 }
		END { if (a == "") exit 1; print a }' "$TMP/dump"
}

# === Running as a test file ===

if [ "${1:-}" = --case ]; then
	# In the case's own shell; t() comes here through lkst_helper limit.
	TMP=$LKST_TEST_TMP
	MAIN_SIZE=$LKST_TEST_MAIN
	CLOCK=$LKST_TEST_CLOCK
	CASE=$2
	finish() { exit 1; }
	t() {
		[ "$2" = "$CASE" ] || return 0
		cd "$TMP" || exit 1
		[ -x "$H" ] || lack "no lkst_helper: make, or set LKST_TEST_BIN"
		if [ -d "$LKST" ]; then
			case $2 in
			untouched) ;;
			*)
				reset
				overwritten main
				OVERWRITTEN=$records
				;;
			esac
		else
			lack "no $LKST: no LKST in this kernel, or no debugfs"
		fi
		set -eux
		"$2"
		exit 0
	}
else
	[ "$(id -u)" -eq 0 ] || {
		echo "1..0 # SKIP not root"
		exit $SKIP
	}
	TMP=$(mktemp -d)
	trap 'rm -rf "$TMP" "$TMP.log" "$TMP.limit"' EXIT
	export LKST_TEST_TMP="$TMP"
	[ -d "$LKST" ] || mount -t debugfs none /sys/kernel/debug 2>/dev/null
	LKST_TEST_MAIN=$(cat "$LKST/buffers/main/size" 2>/dev/null ||
		cat /sys/module/lkst/parameters/buffer_size 2>/dev/null)
	LKST_TEST_CLOCK=$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$LKST/clock" 2>/dev/null)
	export LKST_TEST_MAIN LKST_TEST_CLOCK
	MAIN_SIZE=$LKST_TEST_MAIN
	CLOCK=$LKST_TEST_CLOCK
	FAIR_RUNTIME=$(cat "$FAIR_SERVER" 2>/dev/null)
	only=${1:-}
	# For lkst_helper limit, which goes on where it stopped.
	exec 3</dev/kmsg
	echo "TAP version 13"
	echo "1..$(grep -c "^t '.*' $only" "$ME")"
fi
