# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the tests of events that are made at run time share. Sourced after lib.sh.

[ -e "$LKST/dynamic_events" ] || {
	skip_all() { skip 'the kernel has no CONFIG_LKST_DYNAMIC'; }
	t 'events are made at run time' skip_all
	finish
}

DYNAMIC=$LKST/dynamic_events

# made LINE...: in one write.
made() {
	printf '%s\n' "$@" >"$DYNAMIC"
}

# none PATTERN FILE: nothing matches. What follows a plain "!" would fail in vain.
none() {
	if grep -E -- "$1" "$2"; then
		return 1
	fi
}

# Without what becomes of them by itself.
definitions() {
	sed 's/\( # id=[0-9]*\) .*/\1/' "$DYNAMIC"
}

# refused ERRNO WHERE WHAT LINE...: the write fails for that reason, at "LINE COLUMN", and
# changes nothing.
refused() {
	errno=$1 line=${2% *} column=${2#* } what=$3
	shift 3
	definitions >"$TMP/before"
	echo >"$LKST/error_log"
	printf '%s\n' "$@" >"$TMP/lines"
	if dd if="$TMP/lines" of="$DYNAMIC" bs=4096 2>/dev/null; then
		return 1
	fi
	cat "$LKST/error_log"
	definitions | cmp "$TMP/before" -
	grep -qF " dynamic_events: $errno: line $line, column $column: $what" "$LKST/error_log"
}

# of NAME PID: the lines of the file trace, from the flags on.
of() {
	sed -nE "s/^ *$2 \[[0-9]+\] (.{4}) +[0-9.]+: ($1( .*)?)\$/\1 \2/p" "$LKST/trace"
}

# What contexts_agree looks at: in_task, in_soft and in_hard were made at vfs_read,
# run_timer_softirq and hrtimer_interrupt.
maskset_of_contexts() {
	maskset three 'in_* default' 'SYSCALL_ENTRY default' 'INT_BH_ENTRY default' \
		'INT_VECTOR_ENTRY default' 'INT_HARDWARE_ENTRY default'
}

# The context of each record is what the hook says that was passed just before on that CPU, in
# the same context. need_resched may come.
contexts_agree() {
	awk '{ flags = $3; sub(/N/, ".", flags) }
		$5 == "SYSCALL_ENTRY" { before["in_task" $2] = flags }
		$5 == "INT_BH_ENTRY" { before["in_soft" $2] = flags }
		/INT_(VECTOR|HARDWARE)_ENTRY/ { before["in_hard" $2] = flags }
		$5 in want && ($5 $2) in before {
			n[$5]++
			if (flags !~ want[$5] || flags != before[$5 $2]) {
				print before[$5 $2], $0
				bad++
			}
		}
		BEGIN { want["in_task"] = "^[.][.][.][.]$"; want["in_soft"] = "^[.][.]s"
			want["in_hard"] = "^d[.][hH]" }
		END { print n["in_task"], n["in_soft"], n["in_hard"]
			exit bad || !n["in_task"] || !n["in_soft"] || !n["in_hard"] }' \
		"$LKST/trace"
}

has_fprobes() {
	grep -q ' register_fprobe_ips$' /proc/kallsyms
}

# calls_everywhere: a program on each CPU reads and writes bytes until calls_end.
calls_everywhere() {
	# Not all machines have it.
	give_way=
	! command -v nice >/dev/null || give_way='nice -n 19'
	for cpu in $(cpus); do
		# shellcheck disable=SC2086 # words
		$give_way taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1 count=100000000 2>/dev/null &
		loads="${loads:-} $!"
	done
}

calls_end() {
	# shellcheck disable=SC2086 # a list
	kill $loads
}

# record_a_while MASKSET: until a thousand more records were written, more than what one call of
# each event makes.
record_a_while() {
	more_than=$(($(sum main written) + 1000))
	put maskset "$1"
	wait_for 5 recorded_more
	stop
}

recorded_more() {
	[ "$(sum main written)" -gt "$more_than" ]
}

# How long a call took: more than it slept, less than from the hook before it to that after.
# took_its_time LINE: LINE makes naps, returns of hrtimer_nanosleep().
took_its_time() {
	made "$1"
	put buffers/main/size 8M
	maskset naps 'naps default' 'SYSCALL_* default'
	put maskset naps
	pid=$(sh -c 'echo $$; exec usleep 50000')
	stop
	grep -E "^ *$pid " "$LKST/trace" >"$TMP/trace"
	grep -B1 -A1 ' naps ' "$TMP/trace" | tee "$TMP/call"
	awk '{ sub(/:$/, "", $4); sec[NR] = $4 } / naps / { split($6, took, "="); ns = took[2] }
		END { whole = (sec[3] - sec[1]) * 1e9
			exit !(NR == 3 && ns >= 50000000 && ns < whole) }' "$TMP/call"
	grep -q ' naps took=[0-9]* ret=0x0$' "$TMP/call"
}

# What a return tells of its call: values of arguments are those at the entry.
# has_arguments_of_call LINE: LINE makes reads, returns of vfs_read(), with n and ret.
has_arguments_of_call() {
	made "$1"
	maskset reads 'reads default'
	put maskset reads
	printf 12345 >"$TMP/five"
	pid=$(sh -c 'echo $$; exec dd if="$1" of=/dev/null bs=8192' sh "$TMP/five" 2>/dev/null)
	stop
	of reads "$pid" | grep 'n=8192 ' | tee "$TMP/reads"
	sed 's/.* ret=/ret=/' "$TMP/reads" >"$TMP/got"
	printf 'ret=5\nret=0\n' | cmp - "$TMP/got"
}
