#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lkstla summary: of a machine on which something is known to be slow, that is what it finds,
# with who it was and how long it took; and the command that it shows shows that.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

LOG=$TMP/trace.log

# recorded COMMAND...: what the default maskset records of it is $LOG.
recorded() {
	need lkst lkstla
	lkst record -m RDEFAULT -s 16M -o "$LOG" "$@" >"$TMP/stdout" 2>"$TMP/stderr"
	lkstla summary --top 0 "$LOG" >"$TMP/page" 2>"$TMP/notes"
	cat "$TMP/page" "$TMP/notes"
}

# found PATTERN: the lines of the finding whose first one matches, as $TMP/found.
found() {
	awk -v what="$1" '
		/^ *[0-9]+\. / { on = $0 ~ what }
		!NF { on = 0 }
		on' "$TMP/page" >"$TMP/found"
	[ -s "$TMP/found" ]
}

# cost LEAST_MS MOST_MS: the finding's time.
cost() {
	awk -v least="$1" -v most="$2" '
		NR == 1 {
			for (i = 2; i < NF && $(i + 1) !~ /^\(/; i++)
				;
			split($2, low, "\\.\\.")
			unit = $3
			sub(/\.\..*/, "", unit)
			ms = low[1] * (unit == "s" ? 1000 : unit == "us" ? 0.001 : 1)
			print "cost " ms " ms, wanted " least " to " most
			exit !(ms >= least && ms <= most)
		}' "$TMP/found"
}

# From the first record of the log to the last one, in ms.
span() { sed -n 's/.* records in \([0-9]*\)\.\([0-9]*\) s, .*/\1\2/p' "$TMP/notes" | sed 's/^0*//'; }

# shows PATTERN: what the finding's command prints has a line that matches.
shows() {
	command=$(sed -n 's/^    \(lkstla .*\)/\1/p' "$TMP/found")
	echo "$command"
	sh -c "$command" >"$TMP/more" 2>"$TMP/stderr"
	cat "$TMP/more"
	grep -qE "$1" "$TMP/more"
}

# A mutex that a task holds while it sleeps for 5 ms and more.
lock() {
	recorded insmod "$(module lkst_test_locks)" what=contend kind=mutex hold_ms=5
	read -r _ holder </sys/module/lkst_test_locks/parameters/report
	# shellcheck disable=SC2046
	set -- $(grep '^mutex ' /sys/module/lkst_test_locks/parameters/report)
	rmmod lkst_test_locks
	found ": lock $2\$"
	cost 5 1000
	grep -qF "held by insmod-$holder" "$TMP/found"
	grep -qE "(lkst_waiter-$3|other thread)" "$TMP/found"
	shows " lock .*mutex $2 .*held by insmod-$holder"
}

disk() {
	slow_disk
	recorded sh -c 'for i in 1 2 3 4 5; do
		dd if=/dev/lkst of=/dev/null bs=4k count=1 skip=$i; done'
	dev=$((0x$(stat -c %t /dev/lkst))):$((0x$(stat -c %T /dev/lkst)))
	found ": disk $dev\$"
	# Some of each may have passed before the task sleeps.
	cost 100 1000
	grep -qE "^    [5-9] times, dd-" "$TMP/found"
	shows " disk .* $dev sector "
}

# More threads than CPUs: of four on two, two wait at any time.
saturation() {
	[ "$(nproc)" -eq 2 ] || skip 'another number of CPUs than 2'
	recorded sh -c 'for i in 1 2 3 4; do
		timeout 0.5 sh -c "while :; do :; done" & done; wait'
	found ': ready while no CPU was idle$'
	grep -q '^ 1\. ' "$TMP/found"
	# Four that compute, and what starts and ends them: at most five wait all the time.
	cost 500 $((5 * $(span)))
	shows '^sh '
}

# A process that sleeps with a lock of a program, which the server waits for. It is in memory that
# the two share.
futex() {
	recorded "$BIN/provoke_story" 1000
	server=$(value server "$TMP/stdout")
	rotate=$(value rotate "$TMP/stdout")
	found ": futex $(value lock "$TMP/stdout") \\\\(a shared lock\\\\)\$"
	cost 20 1000
	grep -q "^    1 time, server-$server\$" "$TMP/found"
	grep -qE "ended by (rotate-$rotate|another CPU)" "$TMP/found"
	shows " futex .* (rotate-$rotate|another CPU) "
}

# Nothing but sleep: nothing that takes long is found; of what there is, the ready time is that
# of states, and JSON is short.
idle() {
	recorded sleep 1
	# That lkst waits for RCU is no finding. On a busy host, CPUs stand still.
	awk '/^ *[0-9]+\. .*: (lock|disk|futex|RCU)/ { exit 1 }' "$TMP/page"
	lkstla summary -a --top 0 --json "$LOG" >"$TMP/json" 2>"$TMP/stderr"
	[ "$(wc -c <"$TMP/json")" -lt 2048 ]
	ready=$(lkstla states -a --csv "$LOG" 2>"$TMP/stderr" | awk -F, '
		!NF { exit }
		NR > 1 { ns += $5 }
		END { printf "%.0f\n", ns }')
	lkstla summary -a --top 0 --csv "$LOG" 2>"$TMP/stderr" | awk -F, -v ready="$ready" '
		!NF { exit }
		NR == 1 { ranges = /lost_ns_low/; next }
		/^"?ready / { ns += $2; unsure = $(2 + ranges) - $2 }
		END {
			print "ready " ready ", found " ns " and " unsure
			exit !(ns > 0 && ns <= ready && ns + unsure >= ready)
		}'
}

t 'a mutex that is held for long is found, with who holds it' lock
t 'a disk that is slow is found' disk
t 'threads that wait for a CPU are found' saturation
t 'a lock of a program that is held for long is found' futex
t 'where nothing is slow, no lock or disk is found, and sums agree' idle
finish
