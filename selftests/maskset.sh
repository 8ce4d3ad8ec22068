#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The current maskset is switched under load, and nothing is mixed.
#
# Two masksets have nothing in common: A records the entry of system calls, B
# their exit. LKST_MASKSET tells when a switch took place, so that each record can
# be held against the maskset of its time; what is late is explained in
# lkst_helper.c.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# Milliseconds of load: on a slow kernel a second may have but four switches.
LOAD=$((${SLOW:-0} ? 4000 : 1000))

two() {
	maskset A 'SYSCALL_ENTRY default'
	maskset B 'SYSCALL_EXIT default'
	put buffers/main/size 64M
}

# torn: checks what was recorded, see lkst_helper torn.
torn() {
	identity main
	nothing_overwritten
	"$H" torn 3 4 >"$TMP/torn" || {
		cat "$TMP/torn"
		return 1
	}
	tail -n 5 "$TMP/torn"
	# shellcheck disable=SC2046
	set -- $(tail -n 1 "$TMP/torn")
	[ "$1" -gt 20 ]
	[ "$2" -gt 20 ]
	[ "$3" -gt 3 ]
	[ "$4" -le $((($1 + $2) / 20)) ]
	[ "$5" -eq 0 ]
}

switch_load() {
	two
	put maskset A
	"$H" load $LOAD >/dev/null &
	"$H" switch 100000 $((LOAD - 100)) B A >/dev/null
	wait
	stop
	torn
}

# With nothing between them, so that tracing stops and starts all the time.
switch_off_and_on() {
	two
	put maskset A
	"$H" load $LOAD >/dev/null &
	"$H" switch 100000 $((LOAD - 100)) RNOTHING B RNOTHING A >/dev/null
	wait
	stop
	torn
}

# The current maskset is edited from A's to B's table: as atomic as a switch,
# so a call has its entry or its exit of each edit in one piece.
edit_load() {
	maskset cur 'SYSCALL_ENTRY default'
	put maskset cur
	(while :; do "$H" load 500; done) >/dev/null &
	w=$!
	n=0
	while [ $n -lt 8 ]; do
		printf 'SYSCALL_ENTRY nothing\nSYSCALL_EXIT default\n' |
			"$H" wr "$LKST/masksets/cur" | grep -qx OK
		printf 'SYSCALL_ENTRY default\nSYSCALL_EXIT nothing\n' |
			"$H" wr "$LKST/masksets/cur" | grep -qx OK
		n=$((n + 2))
	done
	kill "$w"
	stop
	dump
	# On one CPU and for one thread, an entry is followed by its own exit only
	# where an edit lies between; two of the same kind follow each other
	# otherwise. Never more changes of kind than edits.
	awk '$5 == "SYSCALL_ENTRY" || $5 == "SYSCALL_EXIT" {
		if (last[$1] != "" && last[$1] != $5) c[$1]++
		last[$1] = $5 }
		END { for (i in c) print i, c[i] }' "$TMP/dump" >"$TMP/changes"
	cat "$TMP/changes"
	[ -s "$TMP/changes" ]
	awk -v n="$n" '$2 > n + 1 { bad = 1 } END { exit bad }' "$TMP/changes"
}

# Made, switched to and deleted again.
churn_load() {
	put maskset RALL
	"$H" load 2000 >/dev/null &
	w=$!
	while kill -0 "$w" 2>/dev/null; do
		put masksets/create 'x RALL'
		put masksets/x ':irq nothing'
		put maskset x
		put masksets/create 'y x'
		put maskset y
		put masksets/delete x
		put masksets/create 'x'
		put maskset x
		put masksets/delete y
		put maskset RALL
		put masksets/delete x
	done
	wait "$w"
	stop
	identity main
	dump
	[ "$(grep -c 'LKST_MASKSET' "$TMP/dump")" -gt 0 ]
}

# A switch is told, with the ids.
switch_told() {
	two
	put maskset A
	put maskset B
	put maskset RDEFAULT
	stop
	dump
	sort -n -k2 "$TMP/dump" | awk '$5 == "LKST_MASKSET" { print $6, $7 }' >"$TMP/told"
	printf '0x0 0x3\n0x3 0x4\n0x4 0x2\n0x2 0x0\n' | cmp - "$TMP/told"
}

# Once the write has returned, all is as the new maskset says: the next call is.
switch_at_once() {
	two
	n=$(scaled 400)
	"$H" switch "$n" 60000 A B RNOTHING >"$TMP/pid"
	stop
	dump
	read -r pid count <"$TMP/pid"
	[ "$count" -eq "$n" ]
	# getpgid is 121; the Ith call's argument is -1 - I.
	grep -E " $pid .* SYSCALL_ENTRY $(nr getpgid) " "$TMP/dump" | cut -d' ' -f7 >"$TMP/got"
	awk -v n="$n" 'BEGIN { for (i = 0; i < n; i += 3)
		printf "%d\n", -1 - i }' | while read -r i; do printf '0x%x\n' "$i"; done \
		>"$TMP/want"
	# In any order: it may have gone from CPU to CPU.
	sort "$TMP/want" >"$TMP/want.s"
	sort "$TMP/got" | cmp - "$TMP/want.s"
	# -ESRCH, after each write of B.
	[ "$(grep -cE " $pid .* SYSCALL_EXIT $(nr getpgid) 0xfffffffffffffffd\$" "$TMP/dump")" -eq $(((n + 1) / 3)) ]
}

# Nothing is recorded of an event that the current maskset does not name.
only_named() {
	maskset one 'PROCESS_EXIT default' 'PROCESS_WAKEUP default'
	put maskset one
	"$H" load "$(scaled 300)" >/dev/null
	stop
	dump
	awk '!/^#/ && $5 !~ /^LKST_/ { print $5 }' "$TMP/dump" | sort -u >"$TMP/events"
	printf 'PROCESS_EXIT\nPROCESS_WAKEUP\n' | cmp - "$TMP/events"
}

# Who removes a file waits for who reads it, and holds the folder; who makes one needs
# the folder. None of them waits for ever.
churn_while_read() {
	for name in x y; do
		for other in x y; do
			[ $name != $other ] || continue
			while [ ! -e "$TMP/enough" ]; do
				read -r _ <"$LKST/masksets/$name" || :
				read -r _ <"$LKST/masksets/$other" || :
			done 2>/dev/null &
		done
	done
	churned=
	for name in x y; do
		for _ in $(seq "$(scaled 100)"); do
			put masksets/create $name
			put masksets/delete $name
		done &
		churned="$churned $!"
	done
	# shellcheck disable=SC2086
	wait $churned
	: >"$TMP/enough"
	wait
}

t 'only what the maskset names is recorded' only_named
t 'a switch is told' switch_told
t 'a switch counts from the write on' switch_at_once
t 'switching under load mixes nothing' switch_load
t 'switching off and on under load mixes nothing' switch_off_and_on
t 'editing the current one under load mixes nothing' edit_load
t 'creating, switching and deleting under load' churn_load
t 'creating and deleting while others read' churn_while_read
finish
