#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The counter of cycles is found not to be the same on all CPUs. That is so until the
# next boot: nothing that wants the counter may come behind this.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# It is given up when recording starts the next time, and all goes by another clock,
# what was configured before included.
given_up() {
	"$H" wr "$LKST/clock" tsc | grep -qx OK || skip 'no tsc here'
	insmod "$(module lkst_latency)"
	insmod "$(module lkst_test_others)"
	maskset mine 'SYSCALL_* latency'
	maskset plain ':syscall default'
	put handlers/latency/control 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT over=40ms'
	put maskset plain
	"$H" getppid 3 >/dev/null
	put maskset RNOTHING
	echo unstable >/sys/module/lkst_test_others/parameters/act 2>/dev/null ||
		skip 'none that is given up here'
	put maskset mine
	[ "$(key status clock)" = local ]
	dmesg | grep -q 'lkst: no cycle counter .*: clock is "local"'
	# They have their configuration anew a moment later.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		usleep 60000
		over=$(key handlers/latency/result over)
		[ "$over" -eq 0 ] || break
	done
	# Of 40 ms, not of as many ticks of the counter.
	[ "$over" -ge 1 ]
	[ "$(key handlers/latency/result longest)" -lt 10000000000 ]
	put maskset plain
	"$H" getppid 5 >/dev/null
	stop
	# What the counter had stamped is not there any more.
	dump
	awk '!/^#/ && $5 == "SYSCALL_ENTRY"' "$TMP/dump" >"$TMP/calls"
	[ "$(awk '{ print $6 }' "$TMP/calls" | grep -cx "$(nr getppid)")" -eq 6 ]
	refused ENODEV clock tsc 'no cycle counter'
}

# Where every case ends: the counter is not to be had again.
CLOCK=local
t 'a counter that is none: another clock, for all' given_up
finish
