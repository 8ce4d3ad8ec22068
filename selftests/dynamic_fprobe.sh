#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events that are made by fprobe, and probes that share ftrace's call with others: held against
# kprobes at the same place, and against LKST's own hooks beside it.

# shellcheck disable=SC2016 # the dollars are those of probes

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_dynamic.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_dynamic.sh"
# shellcheck source=lib_ftrace.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_ftrace.sh"

fprobes() {
	has_fprobes || skip 'the kernel has no CONFIG_FPROBE'
}

no_fprobes() {
	! has_fprobes || skip 'the kernel has fprobes'
	refused EOPNOTSUPP '1 5' 'the kernel has no fprobes: CONFIG_FPROBE' 'f:a vfs_read'
}

# The same arguments as a kprobe has at the same place: numbers, text of user space, a name.
entry() {
	fprobes
	args='dir=$arg1:s32 file=+0($arg2):ustring'
	made "f:by_f do_sys_openat2 $args" "p:by_p do_sys_openat2 $args"
	maskset opens 'by_* default'
	put maskset opens
	for i in $(seq 5); do
		echo "$i" >"$TMP/file$i"
	done
	pid=$(sh -c 'echo $$; for i in 1 2 3 4 5; do exec 3<"$1/file$i"; done' sh "$TMP")
	stop
	for kind in f p; do
		of "by_$kind" "$pid" | sed "s/^\(.\)N/\1./; s/by_$kind/by/" |
			grep "$TMP/file" | tee "$TMP/$kind"
	done
	for i in $(seq 5); do
		echo ".... by dir=-100 file=$TMP/file$i" | cut -c -44
	done >"$TMP/want"
	cmp "$TMP/want" "$TMP/f"
	cmp "$TMP/want" "$TMP/p"
}

return_time() {
	fprobes
	took_its_time 'f:naps hrtimer_nanosleep%return'
}

return_arguments() {
	fprobes
	has_arguments_of_call 'f:reads vfs_read%return n=$arg3:u64 ret=$retval:s64'
}

# round: the context of what is made now.
round() {
	put trace ''
	put maskset three
	usleep 300000
	dd if=/dev/zero of=/dev/null bs=1 count=20 2>/dev/null
	stop
	contexts_agree
}

# Whoever has preemption off is not the code: nor where the function tracer shares the call,
# and another has preemption off once more.
context() {
	fprobes
	ftrace_ready sched/sched_switch
	trap 'echo nop >$T/current_tracer; echo >$T/set_ftrace_filter' EXIT
	printf '%s\n' vfs_read run_timer_softirq hrtimer_interrupt >"$T/set_ftrace_filter"
	for kind in f: f:%return p: r:; do
		what=${kind%%:*} suffix=${kind#*:}
		made "$what:in_task vfs_read$suffix" "$what:in_soft run_timer_softirq$suffix" \
			"$what:in_hard hrtimer_interrupt$suffix"
		cat "$DYNAMIC"
		maskset_of_contexts
		round
		echo function >"$T/current_tracer"
		echo 1 >"$T/tracing_on"
		round
		echo 0 >"$T/tracing_on"
		for name in vfs_read run_timer_softirq hrtimer_interrupt; do
			grep -q ": $name <-" "$T/trace"
		done
		echo nop >"$T/current_tracer"
		put masksets/delete three
		made -:in_task -:in_soft -:in_hard
	done
}

# ftrace's call is there while the event is on, and only then.
only_while_on() {
	fprobes
	ftrace_ready sched/sched_switch
	made 'f:reads vfs_read'
	maskset reads 'reads default'
	grep -qx 'f:reads vfs_read # id=[0-9]* off ftrace missed=0 faults=0' "$DYNAMIC"
	none '^vfs_read ' "$T/enabled_functions"
	for i in 1 2; do
		put maskset reads
		grep '^vfs_read ' "$T/enabled_functions"
		grep -qx 'f:reads vfs_read # id=[0-9]* ftrace missed=0 faults=0' "$DYNAMIC"
		dd if=/dev/zero of=/dev/null bs=3333 count=7 2>/dev/null
		stop
		wait_for 10 none '^vfs_read ' "$T/enabled_functions"
		[ "$(grep -c ': reads$' "$LKST/trace")" -ge 7 ]
		put trace ''
	done
	[ "$(grep -cE ' reads vfs_read(\+0x[0-9a-f]*)?/' "$LKST/hooks")" -eq 1 ]
}

# What happens while another is told of is told as well, and what happens while that one is, is
# counted: ftrace lets one more through, which may be an interrupt.
within_another() {
	fprobes
	made 'f:reads vfs_read at=+0($arg1):u64' 'f:inner copy_from_kernel_nofault at=+0($arg2):u64'
	maskset both 'reads default' 'inner default'
	put maskset both
	pid=$(sh -c 'echo $$; exec dd if=/dev/zero of=/dev/null bs=3333 count=7' 2>/dev/null)
	stop
	cat "$DYNAMIC"
	reads=$(of reads "$pid" | grep -c ' at=')
	[ "$reads" -ge 7 ]
	[ "$(of inner "$pid" | grep -c ' at=')" -ge "$reads" ]
	# What calls it outside of reads is told, what it calls itself then, too, and the next is not.
	missed=$(sed -nE 's/^f:inner .* missed=([0-9]*) .*/\1/p' "$DYNAMIC")
	reads=$(grep -c ': reads at=' "$LKST/trace")
	[ "$(grep -c ': inner at=' "$LKST/trace")" -eq $((2 * missed - reads)) ]
	grep -q '^f:reads .* missed=0 ' "$DYNAMIC"
}

# ftrace would call for another module that comes to be in the place of one that went.
in_a_module() {
	fprobes
	modprobe null_blk nr_devices=1 || lack 'no null_blk'
	made 'f:inside null_blk:null_queue_rq'
	maskset m 'inside default'
	put maskset m
	dd if=/dev/nullb0 of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null
	stop
	grep -q ': inside$' "$LKST/trace"
	fails 'in use|unavailable' rmmod null_blk
	drop_masksets
	made '-:inside'
	rmmod null_blk
	refused ENOENT '1 10' 'no symbol "null_blk:null_queue_rq"' 'f:inside null_blk:null_queue_rq'
}

bad_lines() {
	fprobes
	refused EINVAL '1 4' 'want "f:NAME SYMBOL[%return]' 'f:a'
	refused ENOENT '1 5' 'no symbol "no_such_function"' 'f:a no_such_function'
	refused ENOENT '1 5' 'no symbol "no_such_function"' 'f:a no_such_function%return'
	refused ENOENT '1 5' 'no symbol "vfs_read%retur"' 'f:a vfs_read%retur'
	refused EINVAL '1 5' 'want a function without an offset' 'f:a vfs_read+4'
	refused EINVAL '1 5' 'lkst_dynamic_write+0x0' 'f:a lkst_dynamic_write'
	refused EINVAL '1 5' 'memcpy is no function that ftrace can trace' 'f:a memcpy'
	refused EINVAL '1 5' 'sys_call_table%return is no function' 'f:a sys_call_table%return'
	refused EINVAL '1 16' 'Invalid fetch argument' 'f:a vfs_read x=%ax'
	refused EINVAL '1 45' 'more than 3 arguments' \
		'f:a vfs_read%return a=$arg1 b=$arg1 c=$arg1 d=$arg1'
	made 'f:a vfs_read'
	refused EEXIST '1 3' 'there is an event "a"' 'f:a vfs_read'
}

# On and off while all CPUs call it, beside a kprobe and the function tracer.
under_load() {
	fprobes
	ftrace_ready sched/sched_switch
	trap 'echo nop >$T/current_tracer; echo >$T/set_ftrace_filter' EXIT
	echo vfs_read >"$T/set_ftrace_filter"
	put buffers/main/size 128K
	calls_everywhere
	rounds=$(scaled 6)
	for round in $(seq "$rounds"); do
		made 'f:into vfs_read n=$arg3:u64' 'f:back vfs_read%return' 'p:by_p vfs_read n=$arg3:u64'
		maskset m 'into default' 'back default' 'by_p default'
		# With the function tracer and without, in turns.
		[ $((round % 2)) -eq 0 ] || echo function >"$T/current_tracer"
		record_a_while m
		echo nop >"$T/current_tracer"
		sed -nE 's/.*: ((into) n=1|(back) took=.*|(by_p) n=1)$/\2\3\4/p' "$LKST/trace" |
			sort -u | tee -a "$TMP/told" | sed "s/^/round $round: /"
		drop_masksets
		made '-:into' '-:back' '-:by_p'
	done
	calls_end
	identity main
	# QEMU may run code of before for a while: see dynamic.sh.
	for name in into back by_p; do
		[ "$(grep -cx "$name" "$TMP/told")" -ge $(((rounds + 1) / 2)) ]
	done
}

t 'a kernel without fprobes says so' no_fprobes
t 'an entry has the arguments that a kprobe has there' entry
t 'a return tells how long the call took' return_time
t 'a return has arguments as they were at the entry' return_arguments
t 'the context is that of the function, whoever shares the call' context
t 'ftrace calls while the event is on' only_while_on
t 'what happens while another is told of is told, or counted' within_another
t 'a module stays while its function is in use' in_a_module
t 'what can not be made is refused, and nothing is done' bad_lines
t 'events come and go under load' under_load
finish
