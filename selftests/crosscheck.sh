#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The same run, recorded by LKST and by ftrace at the same time: context switches,
# wakeups, system calls, interrupts and softirqs must agree record by record, on
# every CPU, from one getpgid() to another that both have.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_ftrace.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_ftrace.sh"

# (The first wakeup of a new task, sched_wakeup_new, is PROCESS_FORK to LKST.)
EVENTS='sched/sched_switch sched/sched_wakeup
	raw_syscalls/sys_enter raw_syscalls/sys_exit irq/irq_handler_entry
	irq/irq_handler_exit irq/softirq_entry irq/softirq_exit'

# record CLOCK FTRACE_CLOCK COMMAND: into $TMP/run, from both.
record() {
	# This shell and what it starts stay on one CPU, but for the loads that
	# choose their own: who is preempted between the two hooks and goes on
	# elsewhere has its record on one CPU here, on another there.
	taskset -p -c "$(cpus | head -n 1)" $$ >/dev/null
	ftrace_ready raw_syscalls
	grep -qw "$2" "$T/trace_clock" || skip "ftrace has no clock $2"
	if [ "$("$H" wr "$LKST/clock" "$1")" != OK ] ||
	   [ "$(key status clock)" != "$1" ]; then
		skip "LKST has no clock $1 here"
	fi
	echo "$2" >"$T/trace_clock"
	echo 32000 >"$T/buffer_size_kb"
	put buffers/main/size 32M
	maskset cross 'PROCESS_CONTEXTSWITCH default' 'PROCESS_WAKEUP default' \
		'PROCESS_FORK default' ':syscall default' \
		'INT_HARDWARE_* default' 'INT_BH_E* default'
	for e in $EVENTS; do
		echo 1 >"$T/events/$e/enable"
	done
	both cross "$3"
	"$BIN/lkst_compare" "$TMP/run" "$(cpus | wc -l)" "$BEGIN" "$END" >"$TMP/result" || {
		cat "$TMP/result"
		return 1
	}
	tee "$TMP/say" <"$TMP/result"
}

# seen KIND N: at least N of these were alike, all CPUs together.
seen() {
	[ "$(sed 's/.*apart://' "$TMP/result" | tr ' ' '\n' |
		awk -v k="$1" 'on { s += $1 } { on = $1 == k } END { print s + 0 }')" -ge "$2" ]
}

load() {
	# shellcheck disable=SC2046
	"$H" load "$(scaled 200)" $(cpus)
}

pairs() {
	"$H" pingpong "$(scaled 300)" 0 0
	"$H" pingpong "$(scaled 300)" 0 "$(last_cpu)"
}

# Interrupts of a device: of the disk that these programs are on, or the console.
devices() {
	cat "$BIN"/lkst_helper "$0" >/dev/null
	cat /src/selftests/* >/dev/null 2>&1 || :
	seq 20 2>/dev/null >/dev/ttyS0 || :
}

everything() {
	load
	devices
	pairs
	"$H" udp 50
	sleep 1
}

mono() {
	record mono mono everything
	seen switch "$(scaled 200)"
	seen wakeup "$(scaled 200)"
	seen sys_enter "$(scaled 2000)"
	seen sys_exit "$(scaled 2000)"
	seen irq_entry 5
	seen irq_exit 5
	seen softirq_entry "$(scaled 50)"
	seen softirq_exit "$(scaled 50)"
}

tsc() {
	record tsc x86-tsc pairs
	seen switch "$(scaled 200)"
	seen wakeup "$(scaled 200)"
}

t 'LKST and ftrace agree: load, pipes, network, timers' mono
t 'LKST and ftrace agree: two CPUs wake each other, by the TSC' tsc
finish
