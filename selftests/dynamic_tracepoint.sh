#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events that are made of the kernel's tracepoints: held against LKST's own hooks, which are
# passed at the same places, and against ftrace.

# shellcheck disable=SC2016 # the dollars are those of fields

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_dynamic.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_dynamic.sh"
# shellcheck source=lib_ftrace.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_ftrace.sh"

PASS=/sys/module/lkst_test_tracepoint/parameters/pass

module_with_tracepoint() {
	ko=$(module lkst_test_tracepoint)
	insmod "$ko"
}

# fields WANT FIELD...: the tracepoint of the module is passed three times, and that is
# recorded each time.
fields() {
	want=$1
	shift
	made "t:fields lkst_test:lkst_test_fields $*"
	maskset fields 'fields default'
	put maskset fields
	echo 3 >"$PASS"
	stop
	sed -nE 's/.*: (fields.*)/\1/p' "$LKST/trace" >"$TMP/fields"
	put trace ''
	put masksets/delete fields
	made '-:fields'
	cat "$TMP/fields"
	[ "$(grep -cxF "fields $want" "$TMP/fields")" -eq 3 ]
	[ "$(wc -l <"$TMP/fields")" -eq 3 ]
}

# Each kind of field, by its name alone, and as eprobes would have it.
kinds() {
	ftrace_ready sched/sched_switch
	module_with_tracepoint
	fields 'byte=128 sbyte=-128 half=12928 shalf=12928' byte sbyte half shalf
	fields 'word=1985229440 sword=1985229440 full=18364758544493064832 sfull=-81985529216486784' \
		word sword full sfull
	fields 'pointer=0xfedcba9876543280 address=0x76543280' pointer address
	fields 'text=a text of more bytes than there ' text
	fields 'comm=a text of more  byte=128' comm byte
	fields 'low=12928 task=sh' 'low=$full:u16' 'task=$COMM:string'
}

# The arguments of a system call, and what its pointer leads to: held against LKST's hook.
system_call() {
	ftrace_ready syscalls/sys_enter_openat
	made 't:opens syscalls:sys_enter_openat at=$filename:x64 filename'
	maskset opens 'opens default' 'SYSCALL_ENTRY default'
	put maskset opens
	pid=$(sh -c 'echo $$; exec 3<"$1"' sh /etc/passwd)
	stop
	of '(opens|SYSCALL_ENTRY)' "$pid" | cut -c 6- |
		grep -A1 ' filename=/etc/passwd$' | tee "$TMP/call"
	at=$(sed -nE 's/^opens at=(0x[0-9a-f]+) .*/\1/p' "$TMP/call")
	[ -n "$at" ]
	sed -n 2p "$TMP/call" | grep -E "^SYSCALL_ENTRY .* arg2=$at "
}

# Every switch: of the same tasks in the same order as the hook in the scheduler has them, and
# in the same context; and who is switched to is who is switched from next.
switches() {
	ftrace_ready sched/sched_switch
	made 't:switch sched:sched_switch prev_pid next_pid'
	maskset both 'switch default' 'PROCESS_CONTEXTSWITCH default'
	put buffers/main/size 8M
	# Whether ftrace records it or not, or those of some tasks alone, is all the same.
	for filter in off 0 'next_pid == 0'; do
		put trace ''
		if [ "$filter" != off ]; then
			# What was recorded under the filter of before is not of this round.
			echo "$filter" >"$T/events/sched/sched_switch/filter"
			echo >"$T/trace"
			echo 1 >"$T/tracing_on"
			echo 1 >"$T/events/sched/sched_switch/enable"
		fi
		put maskset both
		dd if=/dev/zero bs=1 count=300 2>/dev/null | cat >/dev/null
		usleep 100000
		stop
		nothing_overwritten
		for c in $(cpus); do
			sed -nE 's/^ *([0-9]+) *\[[0-9]+\] (.).(..) .*: (switch|PROCESS_CONTEXTSWITCH) (.*)/\1 \2\3 \4 \5/p' \
				"$LKST/per_cpu/cpu$c/trace" >"$TMP/cpu"
			# The probe and the hook are not turned on at the same moment, nor off.
			awk -v c="$c" '
			$3 == "switch" {
				split($4, prev, "=")
				split($5, next_pid, "=")
				if (prev[2] != $1 || (last != "" && last != $1)) { print "from", last, $0; bad++ }
				last = next_pid[2]
				told = $1 " " $2
				next
			}
			told != "" { n++; if (told != $1 " " $2) { print "told", told, $0; bad++ } }
			told == "" && n { print "not told", $0; bad++ }
			{ told = "" }
			END { print "cpu" c ":", n + 0; exit bad > 0 }' "$TMP/cpu" | tee -a "$TMP/counts"
			none 'from|told' "$TMP/counts"
		done
		[ "$(awk '{ n += $2 } END { print n }' "$TMP/counts")" -ge 20 ]
		rm "$TMP/counts"
	done
	# The filter was ftrace's, whose records are of those tasks alone.
	echo 0 >"$T/events/sched/sched_switch/enable"
	grep ' sched_switch: ' "$T/trace" >"$TMP/ftrace"
	echo 0 >"$T/events/sched/sched_switch/filter"
	[ "$(grep -c ' next_pid=0 ' "$TMP/ftrace")" -ge 5 ]
	[ "$(wc -l <"$TMP/ftrace")" -eq "$(grep -c ' next_pid=0 ' "$TMP/ftrace")" ]
}

# The context of what a tracepoint is in, a task, a softirq or an interrupt, is that of the
# hook which is passed next to it. need_resched may come between them.
context() {
	ftrace_ready sched/sched_switch
	made 't:in_task raw_syscalls:sys_enter' 't:in_soft irq:softirq_entry' \
		't:in_hard timer:hrtimer_expire_entry'
	maskset three 'in_* default' 'SYSCALL_ENTRY default' 'INT_BH_ENTRY default' \
		'TIMER_HR_RUN default'
	put maskset three
	usleep 300000
	dd if=/dev/zero of=/dev/null bs=1 count=20 2>/dev/null
	stop
	awk '{ flags = $3; sub(/N/, ".", flags) }
		$5 ~ /^in_/ { told[$5, $1, $2] = flags }
		$5 in tracepoint && (tracepoint[$5], $1, $2) in told {
			of = tracepoint[$5]
			if (told[of, $1, $2] != flags) { print told[of, $1, $2], $0; bad++ }
			n[of] += flags ~ want[of]
			delete told[of, $1, $2]
		}
		BEGIN { tracepoint["SYSCALL_ENTRY"] = "in_task"; want["in_task"] = "^[.][.][.][.]$"
			tracepoint["INT_BH_ENTRY"] = "in_soft"; want["in_soft"] = "^[.][.]s"
			tracepoint["TIMER_HR_RUN"] = "in_hard"; want["in_hard"] = "^d[.][hH]" }
		END { print n["in_task"], n["in_soft"], n["in_hard"]
			exit bad || !n["in_task"] || !n["in_soft"] || !n["in_hard"] }' "$LKST/trace"
}

# ftrace has its event on and off as its user said, and nothing of ours is left there.
beside_ftrace() {
	ftrace_ready sched/sched_switch
	enable=$T/events/sched/sched_process_exec/enable
	trigger=$T/events/sched/sched_process_exec/trigger
	cat "$trigger" >"$TMP/trigger"
	echo 1 >"$T/tracing_on"
	made 't:execs sched:sched_process_exec pid' 't:again sched:sched_process_exec pid'
	maskset execs 'execs default' 'again default'
	put maskset execs
	/bin/true
	[ "$(cat "$enable")" = '0*' ]
	cmp "$TMP/trigger" "$trigger"
	# A trigger of ftrace's user comes and goes meanwhile.
	echo traceoff >"$trigger"
	/bin/true
	[ "$(cat "$T/tracing_on")" -eq 0 ]
	echo '!traceoff' >"$trigger"
	echo 1 >"$T/tracing_on"
	/bin/true
	stop
	[ "$(cat "$enable")" = 0 ]
	none sched_process_exec "$T/trace"
	[ "$(grep -c ': execs pid=' "$LKST/trace")" -ge 3 ]
	[ "$(grep -c ': execs pid=' "$LKST/trace")" -eq "$(grep -c ': again pid=' "$LKST/trace")" ]
	grep -qE '^t:execs sched:sched_process_exec pid # id=[0-9]+ (off )?tracepoint faults=0$' "$DYNAMIC"
	grep -qE '^[0-9]+ execs sched:sched_process_exec$' "$LKST/hooks"
}

# A module stays while an event is made of its tracepoint.
in_a_module() {
	ftrace_ready sched/sched_switch
	module_with_tracepoint
	made 't:fields lkst_test:lkst_test_fields full'
	fails 'in use|unavailable' rmmod lkst_test_tracepoint
	made '-:fields'
	rmmod lkst_test_tracepoint
	refused ENOENT '1 10' 'no tracepoint "lkst_test:lkst_test_fields"' \
		't:fields lkst_test:lkst_test_fields'
}

# Locks are taken by all that there is, also by what turns tracepoints on and reads buffers.
everywhere() {
	ftrace_ready sched/sched_switch
	[ -e "$T/events/lock/lock_acquire" ] || skip 'the kernel does not trace its locks'
	made 't:lock lock:lock_acquire lockdep_addr name'
	maskset locks 'lock default' 'PROCESS_CONTEXTSWITCH default'
	put maskset locks
	dd if=/dev/zero of=/dev/null bs=1 count=100 2>/dev/null
	head -n 2000 "$LKST/trace" >"$TMP/trace"
	stop
	identity main
	[ "$(grep -c ': lock lockdep_addr=0x[0-9a-f]* name=[^ ]' "$TMP/trace")" -gt 100 ]
}

bad_lines() {
	ftrace_ready sched/sched_switch
	module_with_tracepoint
	refused EINVAL '1 4' 'want "t:NAME GROUP:TRACEPOINT [FIELD...]"' 't:a'
	refused EINVAL '1 5' 'want GROUP:TRACEPOINT, found "sched_switch"' 't:a sched_switch'
	refused ENOENT '1 5' 'no tracepoint "sched:no_such"' 't:a sched:no_such'
	refused ENOENT '1 5' 'no tracepoint "ftrace:function"' 't:a ftrace:function'
	echo 'p:own/kprobe vfs_read' >"$T/dynamic_events"
	refused ENOENT '1 5' 'no tracepoint "own:kprobe"' 't:a own:kprobe'
	echo '-:own/kprobe' >>"$T/dynamic_events"
	refused EINVAL '1 24' 'the tracepoint has no field "pid"' 't:a sched:sched_switch pid'
	refused EINVAL '1 32' 'the tracepoint has no field "none"' \
		't:a lkst_test:lkst_test_fields none'
	refused EINVAL '1 37' 'wide is "u8[16]": neither a number of up to 8 bytes nor text' \
		't:a lkst_test:lkst_test_fields byte wide'
	refused EINVAL '1 32' 'numbers is "__data_loc u32[]": neither' \
		't:a lkst_test:lkst_test_fields numbers'
	refused EINVAL '1 32' 'wide is "u8[16]": neither' 't:a lkst_test:lkst_test_fields x=$wide'
	refused EINVAL '1 24' 'Invalid' 't:a sched:sched_switch $retval'
	# With the last event goes what held the module.
	rmmod lkst_test_tracepoint
}

t 'a field of each kind has the value that it has' kinds
t 'the arguments of a system call are told' system_call
t 'every switch is told as the hook beside it tells it' switches
t 'the context is that of what passes the tracepoint' context
t 'ftrace and its triggers are as they were' beside_ftrace
t 'a module stays while its tracepoint is in use' in_a_module
t 'a tracepoint of all locks is told of' everywhere
t 'what can not be made is refused, and nothing is done' bad_lines
finish
