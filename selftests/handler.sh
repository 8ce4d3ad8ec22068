#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A handler from a module: samples/lkst/lkst_pidfilter.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

load() {
	ko=$(module lkst_pidfilter)
	insmod "$ko"
}

appears() {
	[ ! -e "$LKST/handlers/pidfilter" ]
	load
	id=$(cat "$LKST/handlers/pidfilter/id")
	[ "$id" -ge 2 ]
	[ "$id" -le 254 ]
	[ "$(cat "$LKST/handlers/pidfilter/users")" -eq 0 ]
	put handlers/pidfilter/control "pid=$$"
	grep -q "pid=$$" "$LKST/handlers/pidfilter/control"
	[ "$("$H" wr "$LKST/handlers/pidfilter/control" 'pid=x')" = EINVAL ]
	[ "$("$H" wr "$LKST/handlers/pidfilter/control" 'what=1')" = EINVAL ]
	grep -q "pid=$$" "$LKST/handlers/pidfilter/control"
	grep -q '^\[.*\] handlers/pidfilter/control: EINVAL: ' "$LKST/error_log"
	# By name and by id.
	maskset byname 'SYSCALL_ENTRY pidfilter'
	maskset byid "SYSCALL_EXIT $id"
	grep -qx 'SYSCALL_EXIT pidfilter' "$LKST/masksets/byid"
	[ "$(cat "$LKST/handlers/pidfilter/users")" -eq 2 ]
	put masksets/byid '* nothing'
	put masksets/delete byname
	[ "$(cat "$LKST/handlers/pidfilter/users")" -eq 0 ]
	rmmod lkst_pidfilter
	[ ! -e "$LKST/handlers/pidfilter" ]
	refused 'EINVAL|ENOENT' masksets/byid 'SYSCALL_ENTRY pidfilter' pidfilter
}

# Only what the process does is recorded, and all of that.
filters() {
	load
	mkfifo "$TMP/go"
	sh -c 'read x; exec "$0" getppid 200' "$H" <"$TMP/go" >"$TMP/pids" &
	pid=$!
	put handlers/pidfilter/control "pid=$pid"
	maskset mine '* pidfilter'
	put maskset mine
	echo >"$TMP/go"
	"$H" getppid 200 >/dev/null
	wait "$pid"
	stop
	dump
	read -r same _ <"$TMP/pids"
	[ "$same" -eq "$pid" ]
	[ "$(awk '!/^#/ && $5 !~ /^LKST_/ { print $3 }' "$TMP/dump" | sort -u)" = "$pid" ]
	# (The shell may have made one more before it became the helper.)
	n=$(grep -cE " $pid .* SYSCALL_ENTRY $(nr getppid) " "$TMP/dump")
	[ "$n" -ge 201 ]
	[ "$n" -le 202 ]
	[ "$(grep -cE " $pid .* SYSCALL_EXIT $(nr getppid) " "$TMP/dump")" -eq "$n" ]
	grep -qE " $pid .* PROCESS_EXIT 0x[0-9a-f]+ 0x0\$" "$TMP/dump"
}

# Some events to it, others to the default handler.
mixed() {
	load
	maskset mine 'SYSCALL_ENTRY pidfilter' 'SYSCALL_EXIT default'
	put handlers/pidfilter/control 'pid=1'
	put maskset mine
	pid=$("$H" getppid 50 | cut -d' ' -f1)
	stop
	dump
	[ "$(grep -cE " $pid .* SYSCALL_ENTRY " "$TMP/dump")" -eq 0 ]
	[ "$(grep -cE " $pid .* SYSCALL_EXIT $(nr getppid) " "$TMP/dump")" -eq 51 ]
}

# Not while a maskset names it, current or not.
busy() {
	load
	maskset mine 'SYSCALL_ENTRY pidfilter'
	if rmmod lkst_pidfilter; then
		return 1
	fi
	[ -e "$LKST/handlers/pidfilter" ]
	put maskset mine
	if rmmod lkst_pidfilter; then
		return 1
	fi
	put masksets/mine 'SYSCALL_ENTRY nothing'
	rmmod lkst_pidfilter
	[ ! -e "$LKST/handlers/pidfilter" ]
	"$H" getppid 50 >/dev/null
	# The copy of a maskset counts too, and deleting it lets go.
	load
	put masksets/mine 'SYSCALL_ENTRY pidfilter'
	put masksets/create 'copy mine'
	[ "$(cat "$LKST/handlers/pidfilter/users")" -eq 2 ]
	put maskset copy
	put masksets/delete mine
	if rmmod lkst_pidfilter; then
		return 1
	fi
	stop
	put masksets/delete copy
	rmmod lkst_pidfilter
}

# Loaded, used and unloaded while its events come all the time.
churn_load() {
	ko=$(module lkst_pidfilter)
	maskset mine
	put maskset mine
	"$H" load 100000 >/dev/null &
	w=$!
	n=0
	while [ $n -lt 8 ]; do
		insmod "$ko"
		put handlers/pidfilter/control "pid=$w"
		put masksets/mine '* pidfilter'
		usleep 20000
		put masksets/mine '* nothing'
		rmmod lkst_pidfilter
		n=$((n + 1))
	done
	kill "$w"
	stop
	[ "$(sum main written)" -ge 10 ]
	identity main
}

t 'a module brings a handler, and takes it away' appears
t 'only the process it was told is recorded' filters
t 'two handlers in one maskset' mixed
t 'no rmmod while a maskset names it' busy
t 'loading and unloading under load' churn_load
finish
