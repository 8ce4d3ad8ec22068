#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lkst record: what the log has, and that all is as it was, whatever ends it.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

begin() {
	need lkst lkstbuf
	insmod "$(module lkst_filter)"
	maskset mine 'SYSCALL_ENTRY default' 'SYSCALL_EXIT default'
	save
}

settings() {
	"$H" settings
	cat "$LKST/handlers/filter/control"
}

save() {
	settings >"$TMP/before"
}

as_before() {
	settings >"$TMP/after"
	cmp "$TMP/before" "$TMP/after"
}

# start COMMAND...: in the background, and recording has begun; $r is lkst.
start() {
	"$@" &
	r=$!
	wait_for 20 grep -qx mine "$LKST/maskset"
}

command_and_log() {
	begin
	put handlers/filter/control pid=1
	save
	rc=0
	lkst record -m mine -h filter=pid=2 -o "$TMP/log" -- sh -c "$H getppid 100; exit 7" \
		>"$TMP/pids" || rc=$?
	[ $rc -eq 7 ]
	as_before
	read -r pid _ <"$TMP/pids"
	lkstbuf print -r -f "$TMP/log" >"$TMP/text"
	[ "$(grep -cE " $pid \\[.* SYSCALL_ENTRY nr=$(nr getppid) " "$TMP/text")" -eq 101 ]
	# Only the command, and what it makes.
	lkst record -m mine -p $$ -o "$TMP/log" -- "$H" getppid 100 >"$TMP/pids"
	as_before
	# Of a handler without a configuration.
	put handlers/filter/control ''
	save
	lkst record -m mine -h filter=pid=2 -o "$TMP/log" -- true
	as_before
}

# While lkst stands still, more is recorded than it reads of a CPU at a time: twice 4 MiB.
all_of_it() {
	need taskset
	begin
	head -c 1048576 /dev/zero | tr '\0' x >"$TMP/x"
	lkst record -m mine -s 16M -o "$TMP/log" -- taskset 1 sh -c "kill -STOP \$PPID
		for _ in 1 2 3 4 5 6 7 8; do
			dd if='$TMP/x' of='$LKST/marker' bs=4096 2>/dev/null
		done
		{ sleep 1; kill -CONT \$PPID; } &"
	as_before
	lkstbuf print -C -e LKST_MARKER -f "$TMP/log" >"$TMP/text" 2>"$TMP/why"
	cat "$TMP/why"
	# Each mark is one line, of 37 records.
	[ "$(grep -c '^"lkst_marker"' "$TMP/text")" -eq $((8 * 256)) ]
	[ "$(awk 'length > 4096' "$TMP/text" | wc -l)" -eq $((8 * 256)) ]
	grep -q ', 0 missing$' "$TMP/why"
}

# One CPU records to another buffer than the rest.
buffers_of_cpus() {
	begin
	lkst start mine
	lkst stop
	put buffers/create 'other 64K'
	put per_cpu/cpu0/buffer other
	save
	lkst record -m mine -o "$TMP/log" -- "$H" getppid 100 >"$TMP/pids"
	as_before
	# It gets nothing of what is recorded for the log.
	[ "$(wc -c <"$LKST/buffers/other/cpu0/trace_raw")" -eq 0 ]
}

# lkst record has failed before it ran the command.
not_run() {
	words=$1
	shift
	rc=0
	"$@" 2>"$TMP/why" || rc=$?
	cat "$TMP/why"
	[ $rc -eq 125 ]
	grep -q "$words" "$TMP/why"
}

is_recording() {
	! grep -qx RNOTHING "$LKST/maskset"
}

have_started() {
	[ "$(wc -l <"$TMP/tids")" -eq $((threads + 1)) ]
}

# A process is all of its threads, however many; when it has ended, so has the recording.
process_of_threads() {
	begin
	threads=1100
	mkfifo "$TMP/hold"
	# shellcheck disable=SC2046 # names
	"$H" threads $(seq $threads) <"$TMP/hold" >"$TMP/tids" &
	exec 3>"$TMP/hold"
	wait_for 60 have_started
	read -r pid <"$TMP/tids"
	lkst record -m mine -p "$pid" -s 4M -o "$TMP/log" 3>&- &
	r=$!
	wait_for 20 is_recording
	"$H" getppid 50 >"$TMP/others"
	exec 3>&-
	wait $r
	as_before
	lkstbuf print -r -f "$TMP/log" |
		sed -n 's/.* \([0-9]*\) \[.* SYSCALL_ENTRY .*/\1/p' | sort -u >"$TMP/have"
	sort -u "$TMP/tids" | diff - "$TMP/have"
}

# Nothing can ask it to put back: who waits for its end does so.
killed() {
	begin
	start lkst record -m mine -o "$TMP/log" -- sleep 60
	for comm in $(grep -lx lkst-undo /proc/[0-9]*/comm); do
		pid=${comm#/proc/}
		kill -INT "${pid%/*}"
		kill -QUIT "${pid%/*}"
		kill -PIPE "${pid%/*}"
	done
	kill -KILL $r
	wait_for 20 as_before
}

# The command hears of each signal, not just of the first.
signals() {
	begin
	start lkst record -m mine -o "$TMP/log" -- sh -c "trap '' HUP; exec sleep 60"
	kill -HUP $r
	wait_for 20 grep -qx RNOTHING "$LKST/maskset"
	kill -TERM $r
	rc=0
	wait $r || rc=$?
	[ $rc -eq $((128 + 15)) ]
	as_before
	# The end of a child is heard of where that was ignored.
	timeout 20 sh -c "trap '' CHLD; exec lkst record -m mine -o '$TMP/log' -- true"
	as_before
	# One that was to be ignored is.
	start sh -c "trap '' HUP; exec lkst record -m mine -o '$TMP/log' -- sleep 60"
	kill -HUP $r
	usleep 300000
	[ "$(cat "$LKST/maskset")" = mine ]
	kill -TERM $r
	rc=0
	wait $r || rc=$?
	[ $rc -eq $((128 + 15)) ]
	as_before
}

refused() {
	begin
	rc=0
	lkst record -m mine -o "$TMP/log" -- no_such_command 2>"$TMP/why" || rc=$?
	[ $rc -eq 127 ]
	grep -q 'no_such_command: No such file' "$TMP/why"
	as_before
	not_run 'no maskset' lkst record -m none -o "$TMP/log" -- true
	as_before
	# No log, no command.
	not_run 'nowhere/log: No such file' lkst record -m mine -o "$TMP/nowhere/log" -- \
		touch "$TMP/begun"
	[ ! -e "$TMP/begun" ]
	as_before
	not_run 'no such process' lkst record -m mine -p 4194304 -o "$TMP/log" -- true
	as_before
	# debugfs has locks, too.
	start lkst record -m mine -o "$TMP/log" -- sleep 60
	not_run "another lkst record is running (pid $r)" lkst record -- touch "$TMP/begun"
	[ ! -e "$TMP/begun" ]
	[ "$(cat "$LKST/maskset")" = mine ]
	kill -TERM $r
	wait $r || true
	as_before
}

# Pasted; with commands that end sooner.
examples() {
	need lkst lkstm lkstbuf modprobe
	lkst record --help >"$TMP/help"
	sed '1,/^examples:/d; s/make -j4/true/; s/sleep 5/true/' "$TMP/help" >"$TMP/examples"
	[ "$(grep -c 'lkst record' "$TMP/examples")" -ge 4 ]
	(cd "$TMP" && sh -e ./examples >printed)
	grep -q ' PROCESS_EXEC ' "$TMP/printed"
}

t 'a command, its log, and all as it was' command_and_log
t 'all of a burst is in the log' all_of_it
t 'CPUs with buffers of their own' buffers_of_cpus
t 'a process of many threads' process_of_threads
t 'lkst is killed: all as it was' killed
t 'signals, and those that are ignored' signals
t 'what cannot be recorded' refused
t 'examples of --help' examples
finish
