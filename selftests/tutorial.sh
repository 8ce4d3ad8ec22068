#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The tutorial of the original, its command lines as they were printed.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# The tools say what they do; the results are looked at in the files.
tutorial() {
	need lkstm lkstbuf
	lkstm read -m 0 | lkstm write -m 3
	lkstm config -m 3 1 1
	lkstm config -m 3 2 1
	lkstm set -m 3
	[ "$(key status tracing)" -eq 1 ]
	"$H" pingpong 50 0 0 >"$TMP/pids"
	sleep 1 &
	child=$!
	wait "$child"
	# What the file itself has now must be in the log then.
	cat "$LKST/trace" >"$TMP/text"

	lkstbuf read -f trace.log
	lkstbuf print -r -C -S -V -f trace.log > trace.csv
	grep context trace.csv | cut -d, -f3,7 | sort | uniq > trace.db
	stop

	# Each switch and each wakeup is a line.
	for e in PROCESS_CONTEXTSWITCH:context_switch PROCESS_WAKEUP:process_wakeup; do
		n=$(grep -c " ${e%:*} " "$TMP/text")
		[ "$n" -ge 10 ]
		[ "$(grep -c "${e#*:}" trace.csv)" -ge "$n" ]
	done

	# trace.db maps a PID to its task's address; LKST_PROCESS says the same.
	read -r a b <"$TMP/pids"
	tr -d '" ' <trace.db | sed 's/^0*\([0-9]\)/\1/; s/,/ /' >"$TMP/db"
	for pid in "$a" "$b" $child; do
		addr=$(sed -n "s/.*LKST_PROCESS task=\\(0x[0-9a-f]*\\) tid=$pid\\/.*/\\1/p" "$TMP/text" | sort -u)
		[ -n "$addr" ]
		[ "$(grep -c "^$pid " "$TMP/db")" -eq 1 ]
		got=$(sed -n "s/^$pid //p" "$TMP/db")
		case $got in
		0x*) ;;
		*) got=0x$got ;;
		esac
		[ $((got)) -eq $((addr)) ]
	done
	# Nobody but idle has two addresses.
	[ -z "$(cut -d' ' -f1 "$TMP/db" | grep -vx 0 | uniq -d)" ]
}

# One line of the CSV against one record.
csv() {
	need lkstm lkstbuf
	put clock mono
	maskset mine 'PROCESS_CONTEXTSWITCH default' 'PROCESS_WAKEUP default' \
		'SYSCALL_EXIT default'
	put maskset mine
	"$H" pingpong 20 0 0 >"$TMP/pids"
	"$H" syscalls >/dev/null
	stop
	grep -v '^#' "$LKST/trace" >"$TMP/text"
	lkstbuf read -f trace.log
	lkstbuf print -r -C -S -V -f trace.log >trace.csv
	# As many lines as records, in the same order.
	[ "$(grep -vc '^#' trace.csv)" -eq "$(wc -l <"$TMP/text")" ]
	tr -d '" ' <trace.csv | awk -F, '/^context_switch/ { print $2, $3, $4, $5 }' |
		sed 's/\(^\| \)0*\([0-9]\)/\1\2/g' >"$TMP/csv"
	sed -n 's/^ *\([0-9]*\) \[0*\([0-9]\+\)\] *[^ ]* *\([0-9]*\)\.0*\([0-9]\+\): PROCESS_CONTEXTSWITCH .*/\2 \1 \3 \4/p' \
		"$TMP/text" >"$TMP/want"
	[ -s "$TMP/want" ]
	cmp "$TMP/want" "$TMP/csv"
	# Description, value, upper word.
	line=$(grep context_switch trace.csv | head -n 1 | tr -d '"')
	[ "$(echo "$line" | cut -d, -f6)" = 'pointer to task struct(prev)' ]
	[ "$(echo "$line" | cut -d, -f9)" = 'pointer to task struct(next)' ]
	[ $(($(echo "$line" | cut -d, -f8))) -eq 0 ]
}

# maskset 3 goes back and forth through the tools as text.
roundtrip() {
	need lkstm
	maskset mine 'INT_* default' '2 1'
	lkstm read -m 3 >mine.txt
	lkstm write -m 4 <mine.txt
	lkstm read -m 4 >again.txt
	sed 1d "$LKST/masksets/mine" >"$TMP/want"
	for new in "$LKST"/masksets/[!cd]*; do
		grep -qx '# id 4 rw' "$new" && break
	done
	grep -qx '# id 4 rw' "$new"
	sed 1d "$new" | cmp - "$TMP/want"
}

t 'the seven lines of the tutorial' tutorial
t 'the CSV says what the records say' csv
t 'a maskset goes through lkstm as text' roundtrip
finish
