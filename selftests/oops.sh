#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What an oops does to recording, and the last records on the console. Panics are in
# crash.sh, which needs boots of its own.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_oops.sh
. "$SRC/lib_oops.sh"

PARAMETERS=/sys/module/lkst/parameters

# Switches on all CPUs go on; what is recorded of an oops is wanted.
record() {
	maskset oops 'PROCESS_CONTEXTSWITCH default' 'PROCESS_WAKEUP default' 'O_OOPS default'
	put maskset oops
	put marker before
}

on_oops() {
	echo "$1" >$PARAMETERS/on_oops
}

# The last that is recorded says why there is no more; what the oops is comes after it.
stops() {
	record
	provoke_oops
	put marker after
	sleep 0.1
	[ "$(key status enable)" = 0 ]
	[ "$(key status tracing)" = 0 ]
	[ "$(key status stopped_by)" = oops ]
	dump
	[ "$(count ' LKST_MARKER ')" -eq 1 ]
	[ "$(count ' LKST_DUMP 0x2$')" -eq 1 ]
	# Behind it nothing but the oops, and what another CPU was writing just then.
	sort -n -k 2 "$TMP/dump" | awk '
		$5 == "LKST_DUMP" { cpu = $1; at = NR; next }
		at && $1 == cpu { own = own " " $5 }
		at && $1 != cpu && !others[$1]++ { more++ }
		END { exit !at || own != " O_OOPS" || NR - at - more != 1 }'

	put enable 1
	[ "$(key status stopped_by)" = - ]
	put marker again
	taken
	[ "$(count ' LKST_MARKER ')" -eq 1 ]
	[ "$(count ' PROCESS_CONTEXTSWITCH ')" -ge 1 ]
}

continues() {
	on_oops continue
	record
	provoke_oops
	put marker after
	on_oops stop
	[ "$(key status stopped_by)" = - ]
	taken
	[ "$(count ' LKST_MARKER ')" -eq 2 ]
	[ "$(count ' LKST_DUMP ')" -eq 0 ]
	[ "$(count ' O_OOPS ')" -eq 1 ]
}

switches() {
	put buffers/create 'aftermath 256K'
	on_oops switch:aftermath
	[ "$(cat $PARAMETERS/on_oops)" = switch:aftermath ]
	refused EBUSY buffers/delete aftermath
	record
	provoke_oops
	put marker after
	on_oops stop
	[ "$(key status stopped_by)" = - ]
	[ "$(key status buffer)" = aftermath ]
	stop
	grep -q 'LKST_MARKER.*before' "$LKST/buffers/main/trace"
	grep -E 'O_OOPS|LKST_MARKER.*after' "$LKST/buffers/main/trace" && return 1
	grep -q O_OOPS "$LKST/buffers/aftermath/trace"
	grep -q 'LKST_MARKER.*after' "$LKST/buffers/aftermath/trace"
	# Nobody holds it any more.
	put buffer main
	put buffers/delete aftermath
	# As long as a name may be.
	long=$(printf 'b%030d' 1)
	put buffers/create "$long 64K"
	on_oops "switch:$long"
	[ "$(cat $PARAMETERS/on_oops)" = "switch:$long" ]
	on_oops stop
}

# Nothing that was off is stopped, but it is told of, and a start begins anew.
while_off() {
	put maskset RDEFAULT
	stop
	provoke_oops
	[ "$(key status enable)" = 1 ]
	[ "$(key status stopped_by)" = oops ]
	put maskset RDEFAULT
	[ "$(key status stopped_by)" = - ]
	[ "$(key status tracing)" = 1 ]
	taken
	[ "$(count ' LKST_DUMP ')" -eq 0 ]
}

refuses() {
	for bad in '' halt switch: switch:nothere "switch:$(printf '%040d' 1)" 'stop now'; do
		on_oops "$bad" 2>/dev/null && return 1
		[ "$(cat $PARAMETERS/on_oops)" = stop ]
	done
	for bad in -1 1001 many 1e3; do
		echo $bad 2>/dev/null >$PARAMETERS/dump_on_oops && return 1
		[ "$(cat $PARAMETERS/dump_on_oops)" = 0 ]
	done
}

# What the console shows between the two lines, without its own times.
console() {
	dmesg | sed 's/^\[[^]]*\] //' | awk '
		/^lkst: the last [0-9]+ records of all CPUs:/ { n = 0; on = 1; next }
		/^lkst: end of the last records/ { on = 0 }
		on { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }'
}

# But for the time, whose last digits come of the moment of reading, and for addresses of
# the kernel: what is on the console is for others to read, too.
without_time() {
	awk '{ $4 = ""; print }' "$1" |
		sed -E 's/=(0x[89a-f][0-9a-f]{15}|[0-9a-f]{16})( |$)/=@\2/g'
}

# As `trace` has them, from several buffers, while nothing is recorded.
sysrq() {
	put buffers/create 'second 64K'
	record
	# One CPU alone does not do enough within that time.
	for i in $(seq 60); do
		put marker "first $i"
	done
	sleep 0.2
	put buffer second
	put marker second
	sleep 0.2
	stop
	echo L >/proc/sysrq-trigger
	console >"$TMP/console"
	[ "$(wc -l <"$TMP/console")" -eq 100 ]
	grep -v '^#' "$LKST/trace" | tail -n 100 >"$TMP/trace"
	without_time "$TMP/console" >"$TMP/console.is"
	without_time "$TMP/trace" >"$TMP/trace.is"
	cmp "$TMP/console.is" "$TMP/trace.is"
	awk '$4 + 0 < last { exit 1 } { last = $4 + 0 }' "$TMP/console"
	grep -q '=0xffff' "$TMP/trace"
	! grep -qw no_hash_pointers /proc/cmdline || return 0
	if grep '=0xffff' "$TMP/console"; then
		return 1
	fi
}

# While CPUs record: no splat, and each line is a record.
sysrq_live() {
	maskset live ':process default' ':syscall default'
	put maskset live
	for _ in 1 2 3 4 5; do
		for _ in $(seq 100); do
			: >/dev/null
		done
		echo L >/proc/sysrq-trigger
		console >"$TMP/console"
		[ "$(wc -l <"$TMP/console")" -ge 90 ]
		# Other CPUs may be in the midst of theirs.
		sed -E '/^lkst: [1-9][0-9]* records were being written; one of those may be false$/d' \
			"$TMP/console" |
			grep -vE '^ *[0-9]+ \[[0-9]{3}\] [.dNhsHzp]{4} +[0-9]+\.[0-9]{9}: [A-Z]' ||
			continue
		return 1
	done
}

t 'on_oops and dump_on_oops take nothing else' refuses
t 'SysRq-L prints the last records as trace has them' sysrq
t 'SysRq-L while records are written' sysrq_live
t 'an oops stops recording' stops
t 'an oops, and recording goes on' continues
t 'an oops, and recording goes on in another buffer' switches
t 'an oops while nothing is recorded' while_off
finish
