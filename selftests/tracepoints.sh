#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Where the kernel has a tracepoint for what an event tells of, both record the
# same run, and have the same records with the same values. What goes with what is
# in tracepoints/, a file for each group.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_ftrace.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_ftrace.sh"

# takes_two EVENT...: those of them that are not seen here, for want of a second CPU.
takes_two() {
	[ "$(cpus | wc -l)" -gt 1 ] || echo "$@"
}

# agree GROUP COMMAND [UNSEEN...]: every pair of the group is seen while COMMAND
# runs, but for UNSEEN, which takes more to provoke, and they agree.
agree() {
	group=$1
	load=$2
	shift 2
	ftrace_ready syscalls/sys_enter_getpgid
	echo fields >"$T/trace_options"
	echo mono >"$T/trace_clock"
	echo 16000 >"$T/buffer_size_kb"
	echo mono >"$LKST/clock"
	put buffers/main/size 32M

	sed 's/#.*//' "$SRC/tracepoints/$group" | awk 'NF' >"$TMP/pairs"
	maskset pairs ':syscall default'
	cut -d' ' -f1 "$TMP/pairs" | tr -d + | sort -u | sed 's/$/ default/' >"$TMP/events"
	cat "$TMP/events" >"$LKST/masksets/pairs"
	echo 1 >"$T/events/syscalls/sys_enter_getpgid/enable"
	echo 1 >"$T/events/syscalls/sys_exit_getpgid/enable"
	awk '{ print $2 }' "$TMP/pairs" | sort -u | tr : / | while read -r e; do
		echo 1 >"$T/events/$e/enable"
	done
	both pairs "$load"
	"$BIN/lkst_tracepoints" "$TMP/run" "$(cpus | wc -l)" "$BEGIN" "$END" \
		"$LKST/etypes" "$TMP/pairs" >"$TMP/result" || {
		grep '^#' "$TMP/result"
		return 1
	}
	# The events seen in none of their tracepoints.
	awk '!/^#/ { n[$1] += $3 } END { for (e in n) if (!n[e]) print e }' \
		"$TMP/result" | sort >"$TMP/unseen"
	printf '%s\n' "$@" >"$TMP/known"
	grep -vxF -f "$TMP/known" "$TMP/unseen" >"$TMP/missing" || :
	[ ! -s "$TMP/missing" ] || {
		cat "$TMP/missing"
		return 1
	}
	awk '/^# .* moved$/ { moved = $(NF - 1) } !/^#/ { n += $3 }
		END { print n " records agree, of " moved " the order differs" }' \
		"$TMP/result" >"$TMP/say"
}

# On one CPU: a task that is preempted and moved between a tracepoint and its hook
# has the one here and the other there.
pinned() {
	taskset 1 "$@"
}

some() {
	pinned "$BIN/provoke_load" 1 messages udp memory threads
	pinned cat "$SRC"/*.sh >"$TMP/copy"
	rm "$TMP/copy"
	sleep 1
}

memory() {
	# So that there is something to read into the page cache.
	sync
	echo 1 >/proc/sys/vm/drop_caches
	agree memory some
}

disk() {
	pinned "$BIN/provoke_load" 1 disk=/dev/nullb0
	sync
}

# With a scheduler, so that requests wait in a queue.
block() {
	modprobe null_blk nr_devices=1 gb=1 2>/dev/null || lack 'no null_blk here'
	[ -b /dev/nullb0 ]
	echo mq-deadline >/sys/block/nullb0/queue/scheduler
	status=0
	agree block disk || status=$?
	rmmod null_blk
	return $status
}

timers() {
	agree timers some
}

fight() {
	"$BIN/provoke_load" 1 pipe memory
}

contention() {
	# shellcheck disable=SC2046 # a list of words
	agree locks fight $(takes_two LK_CONTENTION_BEGIN LK_CONTENTION_END)
}

# module NAME ARG...: loads a module of the tests while it tells what it does, and
# unloads it.
with_module() {
	name=$1
	shift
	pinned insmod "$(module "$name")" "$@"
	rmmod "$name"
}

births() {
	pinned "$H" load "$(scaled 100)"
	"$BIN/provoke_process" migrate 3 0 "$(last_cpu)"
	pinned "$BIN/provoke_process" deliver
	pinned "$BIN/provoke_process" forks 10
	mkdir "$TMP/cgroup/lkst"
	pinned sh -c "echo \$\$ >$TMP/cgroup/lkst/cgroup.procs"
	rmdir "$TMP/cgroup/lkst"
	with_module lkst_test_timers what=kthread
}

process() {
	mkdir "$TMP/cgroup"
	mount -t cgroup2 none "$TMP/cgroup" || lack 'no cgroups in this kernel'
	status=0
	# shellcheck disable=SC2046 # a list of words
	agree process births $(takes_two PROCESS_MIGRATE) || status=$?
	umount "$TMP/cgroup"
	return $status
}

raises() {
	with_module lkst_test_irq what=tasklet n=20 cpu=0
	pinned "$BIN/provoke_load" 1 udp pipe
	with_module lkst_test_irq what=nmi n=5 cpu="$(last_cpu)"
}

irq() {
	[ "$(uname -m)" = x86_64 ] || skip "x86 only: the module's interrupts"
	# shellcheck disable=SC2046 # a list of words
	agree irq raises $(takes_two INT_IPI_SEND)
}

vectors() {
	[ -d "$T/events/irq_vectors" ] || [ "$(uname -m)" = x86_64 ] || skip 'x86 only'
	# shellcheck disable=SC2046 # a list of words
	agree vectors some $(takes_two INT_IPI_ENTRY INT_IPI_EXIT)
}

packets() {
	pinned "$BIN/provoke_load" 1 udp tcp
	# shellcheck disable=SC2086
	for verb in 'closed 55' retransmit 'queue 5 300' 'veth 777 20'; do
		pinned "$BIN/provoke_net" $verb
	done
}

net() {
	ip link set lo up
	agree net packets
}

ring() {
	pinned "$BIN/provoke_fs" uring "$TMP/file"
}

io_uring() {
	[ -e /proc/sys/kernel/io_uring_disabled ] || lack 'no io_uring in this kernel'
	dd if=/dev/zero of="$TMP/file" bs=1k count=1 2>/dev/null
	# What the program asks for addresses.
	insmod "$(module lkst_test_fs)"
	agree io_uring ring
}

starve() {
	with_module lkst_test_memory hog=1
	echo 1 >/proc/sys/vm/compact_memory
	# Until kswapd sleeps.
	sleep 2
}

reclaim() {
	agree reclaim starve
}

t 'memory: pages, slabs, the page cache' memory
t 'block: bios and requests' block
t 'timers, work, idle' timers
t 'contended locks' contention
t 'tasks, signals, cgroups, modules' process
t 'softirqs, tasklets, IPIs, NMIs' irq
t 'vectors and page faults of x86' vectors
t 'network: packets, sockets, queues' net
t 'requests of io_uring' io_uring
t 'reclaim, kswapd, compaction' reclaim
finish
