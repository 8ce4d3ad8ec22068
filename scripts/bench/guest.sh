#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of bench.sh that runs in the guest. Prints facts, and a line a case:
#
#	fact KEY VALUE...
#	BENCHMARK CASE LEAST MEDIAN MEAN MOST
#
# Whole workloads are in loads.sh.
#
# usage: guest.sh DIR BENCHMARK...	DIR: where count, compile.sh and the modules are

set -eu

dir=$1
count=$dir/count
shift
lkst=/sys/kernel/debug/lkst
tracefs=/sys/kernel/tracing
enter=$tracefs/events/raw_syscalls/sys_enter
leave=$tracefs/events/raw_syscalls/sys_exit

fact()
{
	echo "fact $*"
}

# What a case writes into a file is something it cannot do without.
put()
{
	printf '%b' "$2" >"$1" || { echo "bench: could not write $1" >&2; exit 1; }
}

# measure BENCHMARK CASE OPTION...: OPTION: of count
measure()
{
	benchmark=$1
	name=$2
	shift 2
	program=$benchmark
	case $benchmark in
	getppid) calls=1000 ;;
	probes) calls=1000 program=getppid ;;
	pipe) calls=100 ;;
	fault) calls=100 ;;
	udp) calls=50 ;;
	pread) calls=200 ;;
	fork) calls=10 ;;
	esac
	if result=$("$count" -l 101 -n "$calls" -t "$tracefs" "$@" "$program"); then
		echo "$benchmark $name $result"
	else
		echo "bench: $benchmark $name failed" >&2
		failed=1
	fi
}

# The events of a benchmark, by the names that LKST and the tracepoints have.
lkst_events()
{
	case $1 in
	getppid) echo 'SYSCALL_ENTRY SYSCALL_EXIT' ;;
	pipe) echo 'PROCESS_CONTEXTSWITCH PROCESS_WAKEUP' ;;
	esac
}

trace_events()
{
	case $1 in
	getppid) echo 'raw_syscalls:sys_enter raw_syscalls:sys_exit' ;;
	pipe) echo 'sched:sched_switch sched:sched_wakeup' ;;
	esac
}

# lkst_case BENCHMARK CASE HANDLER EVENT...: with a maskset that has the events.
lkst_case()
{
	benchmark=$1
	name=$2
	handler=$3
	shift 3
	put $lkst/masksets/create bench
	for event; do
		put $lkst/masksets/bench "$event $handler\n"
	done
	put $lkst/maskset bench
	measure "$benchmark" "$name"
	put $lkst/maskset RNOTHING
	put $lkst/masksets/delete bench
}

# With the events' hooks on, and a maskset that has nothing for them.
armed_case()
{
	benchmark=$1
	put $lkst/masksets/create armed
	for event in $(lkst_events "$benchmark"); do
		put $lkst/masksets/armed "$event default\n"
	done
	if insmod "$dir/lkst_arm.ko" maskset=armed; then
		lkst_case "$benchmark" lkst:armed default PROCESS_EXEC
		rmmod lkst_arm
	else
		echo 'bench: without lkst_arm.ko there is no case "armed"' >&2
	fi
	put $lkst/masksets/delete armed
}

# A handler in a module, which does nothing.
handler_case()
{
	insmod "$dir/lkst_idle.ko" || {
		echo 'bench: without lkst_idle.ko there is no case "handler"' >&2
		return
	}
	# shellcheck disable=SC2046 # a list of words
	lkst_case getppid lkst:handler idle $(lkst_events getppid)
	rmmod lkst_idle
}

# Handlers that switch, and nothing else: the entry of each call makes another maskset
# current, and its exit the first again.
switch_case()
{
	put $lkst/masksets/create inside
	put $lkst/masksets/create outside
	if insmod "$dir/lkst_switch.ko" inside=inside outside=outside; then
		put $lkst/masksets/outside 'SYSCALL_ENTRY switch_in\n'
		put $lkst/masksets/inside 'SYSCALL_EXIT switch_out\n'
		put $lkst/maskset outside
		measure getppid lkst:switch
		put $lkst/maskset RNOTHING
		put $lkst/masksets/outside 'SYSCALL_ENTRY nothing\n'
		put $lkst/masksets/inside 'SYSCALL_EXIT nothing\n'
		rmmod lkst_switch
	else
		echo 'bench: without lkst_switch.ko there is no case "switch"' >&2
	fi
	put $lkst/masksets/delete inside
	put $lkst/masksets/delete outside
}

# conf INSTANCE TEXT: of the handler "trigger", which is made if need be.
conf()
{
	[ -d $lkst/handlers/"$1" ] || put $lkst/handlers/create "trigger $1"
	put $lkst/handlers/"$1"/control "$2"
}

# What it takes to react: the entry of each call makes another maskset current, and
# its exit the first again. Beside it the same triggers with nothing to do.
react_case()
{
	modprobe lkst_trigger || {
		echo 'bench: without lkst_trigger.ko there is no case "react"' >&2
		return
	}
	put $lkst/masksets/create inside
	put $lkst/masksets/create outside
	conf enter rearm=0
	conf leave rearm=0
	put $lkst/masksets/outside 'SYSCALL_ENTRY enter\nSYSCALL_EXIT leave\n'
	put $lkst/maskset outside
	measure getppid lkst:trigger
	put $lkst/masksets/outside 'SYSCALL_EXIT nothing\n'
	put $lkst/masksets/inside 'SYSCALL_EXIT leave\n'
	conf enter 'rearm=0 do=maskset:inside'
	conf leave 'rearm=0 do=maskset:outside'
	measure getppid lkst:react
	put $lkst/maskset RNOTHING
	put $lkst/buffers/create "kept 1M"
	put $lkst/masksets/outside 'SYSCALL_EXIT default\n'
	conf enter 'rearm=0 do=snapshot:kept'
	put $lkst/maskset outside
	measure getppid lkst:snapshot
	put $lkst/maskset RNOTHING
	conf enter '\n'
	conf leave '\n'
	put $lkst/buffers/delete kept
	put $lkst/masksets/delete inside
	put $lkst/masksets/delete outside
	put $lkst/handlers/delete enter
	put $lkst/handlers/delete leave
	rmmod lkst_trigger
}

# The same with triggers of ftrace, which enable an event and disable it again.
ftrace_react_case()
{
	put $tracefs/trace ''
	put "$enter/trigger" 'enable_event:sched:sched_waking\n'
	put "$leave/trigger" 'disable_event:sched:sched_waking\n'
	put "$enter/enable" 1
	put "$leave/enable" 1
	put $tracefs/tracing_on 1
	measure getppid ftrace:react
	put $tracefs/events/enable 0
	put "$enter/trigger" '!enable_event:sched:sched_waking\n'
	put "$leave/trigger" '!disable_event:sched:sched_waking\n'
}

# A trigger that keeps, at the entry of each call, what led to it.
ftrace_snapshot_case()
{
	[ -e $tracefs/snapshot ] || {
		echo 'bench: this kernel has no snapshots of ftrace' >&2
		return 0
	}
	put $tracefs/trace ''
	put "$enter/trigger" 'snapshot\n'
	put "$enter/enable" 1
	put "$leave/enable" 1
	put $tracefs/tracing_on 1
	measure getppid ftrace:snapshot
	put $tracefs/events/enable 0
	put "$enter/trigger" '!snapshot\n'
	put $tracefs/snapshot 0
}

# records: what all CPUs wrote into the buffer.
records()
{
	awk 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "written") n = i }
		NR > 1 { s += $n } END { printf "%d\n", s }' $lkst/buffers/main/stats
}

# counted BENCHMARK CALLS: the records of two loops of so many calls, and those
# of starting and ending the program.
counted()
{
	before=$(records)
	"$count" -l 1 -n "$2" "$1" >/dev/null
	echo $(($(records) - before))
}

# hooks BENCHMARK: how many hooks a call passes, as the records that it makes with
# everything on.
hooks()
{
	# So many that what else happens meanwhile is little beside them.
	case $1 in
	getppid) calls=20000 ;;
	fork) calls=100 ;;
	*) calls=2000 ;;
	esac
	put $lkst/maskset RALL
	few=$(counted "$1" $calls)
	many=$(counted "$1" $((calls * 3)))
	put $lkst/maskset RNOTHING
	echo "$1 hooks $(awk -v n=$((many - few)) -v c=$((calls * 4)) 'BEGIN { print n / c }')"
}

# worst_case CASE BUFFER [OPTION...]: OPTION: of lkst_worst.ko
worst_case()
{
	name=$1
	put $lkst/buffer "$2"
	shift 2
	if insmod "$dir/lkst_worst.ko" "$@"; then
		result=$(cat /sys/module/lkst_worst/parameters/result)
		echo "worst $name $result"
		rmmod lkst_worst
	else
		echo "bench: worst $name failed" >&2
		failed=1
	fi
	put $lkst/buffer main
}

# Each record by itself, through some ten blocks.
worst_cases()
{
	put $lkst/masksets/create bench
	put $lkst/masksets/bench 'PROCESS_INIT_WQH default\n'
	# There is no buffer before there is something to record.
	put $lkst/maskset bench
	put $lkst/maskset RNOTHING
	put $lkst/buffers/create 'second 128K'
	put $lkst/buffers/create 'first 128K next=second'
	put $lkst/buffers/create 'full 128K discard'
	worst_case nothing main
	nothing=$(echo "$result" | cut -d ' ' -f 2)
	put $lkst/maskset bench
	worst_case lkst main nothing="$nothing"
	worst_case lkst:interrupt main interrupt=1 nothing="$nothing"
	worst_case lkst:next first nothing="$nothing"
	worst_case lkst:discard full nothing="$nothing"
	put $lkst/maskset RNOTHING
	worst_case ring main ring=1
	worst_case ring:interrupt main ring=1 interrupt=1
	put $lkst/masksets/delete bench
	for buffer in first second full; do
		put $lkst/buffers/delete $buffer
	done
}

ftrace_case()
{
	put $tracefs/trace ''
	for event in $(trace_events "$1"); do
		put $tracefs/events/"$(echo "$event" | tr : /)"/enable 1
	done
	put $tracefs/tracing_on 1
	measure "$1" ftrace
	put $tracefs/events/enable 0
}

perf_case()
{
	measure "$1" perf -p "$(trace_events "$1" | tr ' ' ,)"
	# A second later the kernel stops looking after perf's events at every switch.
	sleep 3
}

# Until probes are jumps, if they can be. ftrace's calls are as good.
optimised()
{
	tries=20
	while grep -v -e OPTIMIZED -e FTRACE /sys/kernel/debug/kprobes/list && [ $tries -gt 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
	done >&2
}

# probe_case CASE LINE: an event of LKST that is made of that, off and on.
probe_case()
{
	put $lkst/dynamic_events "$2\n"
	put $lkst/masksets/create bench
	put $lkst/masksets/bench 'probe default\n'
	measure probes "$1:off"
	put $lkst/maskset bench
	optimised
	measure probes "$1"
	put $lkst/maskset RNOTHING
	put $lkst/masksets/delete bench
	put $lkst/dynamic_events '-:probe\n'
}

# ftrace_probe_case CASE LINE: the same of ftrace.
ftrace_probe_case()
{
	put $tracefs/trace ''
	put $tracefs/dynamic_events "$2\n"
	put $tracefs/events/bench/probe/enable 1
	put $tracefs/tracing_on 1
	optimised
	measure probes "$1"
	put $tracefs/events/bench/probe/enable 0
	# Opened to be written anew, it takes all of them away.
	put $tracefs/dynamic_events ''
}

# What is made at run time: the function that getppid() is, and the tracepoint before it.
probes_cases()
{
	measure probes nothing
	fprobes=$(grep ' register_fprobe_ips$' /proc/kallsyms)
	probe_case lkst:p 'p:probe __x64_sys_getppid regs=$arg1'
	probe_case lkst:r 'r:probe __x64_sys_getppid ret=$retval'
	[ -z "$fprobes" ] || {
		probe_case lkst:f 'f:probe __x64_sys_getppid regs=$arg1'
		probe_case lkst:fr 'f:probe __x64_sys_getppid%return ret=$retval'
	}
	probe_case lkst:t 't:probe raw_syscalls:sys_enter id'
	ftrace_probe_case ftrace:p 'p:bench/probe __x64_sys_getppid regs=$arg1'
	ftrace_probe_case ftrace:r 'r:bench/probe __x64_sys_getppid ret=$retval'
	[ -z "$fprobes" ] || {
		ftrace_probe_case ftrace:f 'f:bench/probe __x64_sys_getppid regs=$arg1'
		ftrace_probe_case ftrace:fr 'f:bench/probe __x64_sys_getppid%return ret=$retval'
	}
	ftrace_probe_case ftrace:e 'e:bench/probe raw_syscalls.sys_enter id=$id'
	put $tracefs/trace ''
	put "$enter/enable" 1
	measure probes ftrace:t
	put $tracefs/events/enable 0
}

# visit_case CASE COMMAND: the calls of lkst_run_on_cpu() in that.
visit_case()
{
	if insmod "$dir/lkst_visit.ko"; then
		eval "$2"
		echo "visit $1 $(cat /sys/module/lkst_visit/parameters/result)"
		rmmod lkst_visit
	else
		echo "bench: visit $1 failed" >&2
		failed=1
	fi
}

# texts: those blocks are full of them.
texts()
{
	put $lkst/buffer many
	yes 0123456789 | tr -d '\n' |
		dd bs=4000 count=1200 iflag=fullblock of=$lkst/marker 2>/dev/null
	put $lkst/buffer main
}

# A buffer of 1025 blocks, which are all written to.
visit_cases()
{
	put $lkst/masksets/create bench
	put $lkst/masksets/bench 'PROCESS_LTHREADGEN default\n'
	put $lkst/maskset bench
	put $lkst/buffers/create 'many 4100K'
	texts
	visit_case clear ": >$lkst/buffers/many/trace"
	texts
	visit_case shrink "put $lkst/buffers/many/size 8K"
	visit_case grow "put $lkst/buffers/many/size 4100K"
	put $lkst/maskset RNOTHING
	put $lkst/masksets/delete bench
	put $lkst/buffers/delete many
}

# How many instructions a tick costs does not matter; that the counter counts
# instructions does.
if ! turn=$("$count" check); then
	echo "bench: a loop of known length took $turn times its length: not counting instructions" >&2
	exit 1
fi
fact per_instruction "$turn"
fact release "$(uname -r)"
fact version "$(cat /proc/version)"

mountpoint -q $tracefs || mount -t tracefs tracefs $tracefs

# shellcheck source=scripts/bench/loads.sh
. "$(dirname "$0")/loads.sh"

ip link set lo up
# Where the parts of a process lie says how many tables fork has to copy.
put /proc/sys/kernel/randomize_va_space 0
if [ -d $lkst ]; then
	fact clock "$(cat $lkst/clock)"
	fact sites "$(grep -vc '^#' $lkst/hooks)"
	fact lkst "$(sed -n 's/^version: //p' $lkst/version)"
fi

failed=
for benchmark; do
	case $benchmark in
	exec | random | hackbench | nginx | compile)
		load_cases "$benchmark"
		continue
		;;
	worst)
		[ ! -d $lkst ] || worst_cases
		continue
		;;
	visit)
		[ ! -d $lkst ] || visit_cases
		continue
		;;
	probes)
		[ ! -e $lkst/dynamic_events ] || probes_cases
		continue
		;;
	esac
	measure "$benchmark" nothing
	if [ -d $lkst ]; then
		hooks "$benchmark"
		[ -n "$(lkst_events "$benchmark")" ] || continue
		# shellcheck disable=SC2046 # a list of words
		lkst_case "$benchmark" lkst default $(lkst_events "$benchmark")
		for event in $(lkst_events "$benchmark"); do
			lkst_case "$benchmark" "lkst:$event" default "$event"
		done
		armed_case "$benchmark"
		if [ "$benchmark" = getppid ]; then
			handler_case
			switch_case
			react_case
		fi
		put $lkst/maskset RALL
		measure "$benchmark" lkst:RALL
		put $lkst/maskset RNOTHING
		measure "$benchmark" again
	fi
	[ -n "$(lkst_events "$benchmark")" ] || continue
	ftrace_case "$benchmark"
	if [ "$benchmark" = getppid ]; then
		ftrace_react_case
		ftrace_snapshot_case
	fi
	perf_case "$benchmark"
done
[ -z "$failed" ]
