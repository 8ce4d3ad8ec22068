#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What lkstla says of a log that was just recorded, against what the kernel has counted by
# itself.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

command -v lkstla >/dev/null || {
	echo 'lkstla.sh: lkstla is not in PATH' >&2
	exit 1
}

# A program that computes, and writes at its end "PID RAN SWITCHES" to $1, as the scheduler
# has it: in milliseconds, and how often another task took its place.
cat >"$TMP/work" <<'WORK'
taskset -p 1 $$ >/dev/null
i=0
while [ $i -lt "$2" ]; do i=$((i + 1)); done
awk -v pid=$$ '$1 == "se.sum_exec_runtime" { ran = $3 } $1 == "nr_switches" { n = $3 }
	END { print pid, ran, n }' /proc/$$/sched >"$1"
WORK

# Two of them share a CPU. The scheduler's figures are a few system calls older than the end
# of the log: half a second, and 20 switches, are more than those take on a busy machine.
states() {
	[ -e /proc/self/sched ] || skip 'no CONFIG_SCHED_DEBUG'
	lkst setup sched >/dev/null
	# shellcheck disable=SC2016 # the inner shell's
	lkst record -m sched -o "$TMP/log" -- sh -c '
		sh "$1/work" "$1/first" "$2" &
		sh "$1/work" "$1/second" "$2" &
		wait' sh "$TMP" "$(scaled 20000)" 2>"$TMP/stderr"
	lkstla states --csv "$TMP/log" >"$TMP/states.csv" 2>"$TMP/said"
	cat "$TMP/said"
	for one in first second; do
		read -r pid ran switches <"$TMP/$one"
		# Each switch to it has one from it.
		awk -F, -v pid="$pid" -v ran="$ran" -v switches="$switches" '
			$1 == pid {
				late = $3 / 1e6 - ran
				more = $11 / 2 - switches
				print "ran", $3, "not", ran, "switches", $11 / 2, "not", switches, \
					"ready", $5, "unknown", $9
				n++
				good = $9 == 0 && late > -1 && late < 500 && more > -1 && more < 20
				good = good && $5 > 10e6
			}
			END { exit !(n == 1 && good) }' "$TMP/states.csv"
		[ "${ran%.*}" -gt 100 ]
	done
}

# All CPUs together can't have run for more than the time there was, nor can one of them.
sums() {
	lkst record -m RALL -o "$TMP/log" -- sh -c '
		for i in 1 2 3 4; do (true); done; sleep 0.1' 2>"$TMP/stderr"
	lkstla states --intervals "$TMP/log" 2>"$TMP/said" | grep -v '^#' | sort -n -k 6,6 -k 4,4 |
		awk '$3 == "running" {
			if ($6 == cpu && $4 + 0 < end + 0)
				print "CPU " cpu " runs two: " $0
			cpu = $6
			end = $5
			n++
		} END { if (n < 5) print "only " n " intervals" }' >"$TMP/wrong"
	cat "$TMP/wrong"
	[ ! -s "$TMP/wrong" ]
	lkstla events --by cpu --csv "$TMP/log" 2>"$TMP/said" >"$TMP/cpus.csv"
	lkstbuf print -f "$TMP/log" 2>/dev/null | grep -cF '[---]' >"$TMP/names" || :
	total=$(awk -F, 'FNR > 1 { n += $2 } END { print n }' "$TMP/cpus.csv")
	[ "$total" -eq $(($(sed -n 's/.*: \([0-9]*\) records in.*/\1/p' "$TMP/said") - $(cat "$TMP/names"))) ]
}

# The page has every record, and a lane for who ran. A browser looks at it elsewhere.
page() {
	lkst record -m RALL -o "$TMP/log" -- sh -c '
		echo "a <mark>" >/sys/kernel/debug/lkst/marker
		for i in 1 2 3 4; do (true); done; sleep 0.1' 2>"$TMP/stderr"
	lkstla page "$TMP/log" -o "$TMP/page.html" 2>"$TMP/said"
	cat "$TMP/said"
	n=$(lkstbuf print -f "$TMP/log" 2>/dev/null | grep -vc '^# CPU')
	[ "$n" -gt 100 ]
	grep -x "\"records\":$n," "$TMP/page.html"
	grep -x '"marks":1,' "$TMP/page.html"
	grep -q '^\["sleep",[0-9]' "$TMP/page.html"
	! grep -q '<mark>' "$TMP/page.html"
}

t 'states: who ran and who was ready, as the scheduler counts' states
t 'states, events: no CPU runs two at once, and no record is counted twice' sums
t 'page: every record, every task and every mark is in it' page
finish
