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

# Sums over all intervals of a column, by another one, in CSV that may change its titles.
by_interval() {
	awk -F, -v key="$1" -v value="$2" '
		/^from_s,/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
		NF && key in at && value in at { n[$at[key]] += $at[value] }
		END { for (k in n) printf "%s %.0f\n", k, n[k] }' "$3" | sort
}

has_intervals() { [ "$(cut -d, -f1 "$TMP/live.csv" | grep '^[0-9]' | sort -u | wc -l)" -ge "$1" ]; }

# The last interval ends less than five seconds before now.
caught_up() {
	awk -F '[ ,]' -v now="$(mono_ns)" '/^[0-9]/ { to = $2 }
		END { exit !(to && now / 1e9 - to < 5) }' "$TMP/live.csv"
}

# What is recorded is counted as it comes, and as it is counted in the end.
live() {
	# What reads and counts is recorded, too: no more than it can keep up with.
	maskset few 'PROCESS_CONTEXTSWITCH default' 'PROCESS_WAKEUP* default' \
		'PROCESS_FORK default' 'PROCESS_EXEC default' 'PROCESS_EXIT default' \
		'INT_VECTOR_* default'
	put maskset few
	mkfifo "$TMP/fifo"
	lkstbuf read -w 2>"$TMP/reader.err" >"$TMP/fifo" &
	reader=$!
	tee "$TMP/log" <"$TMP/fifo" | lkstla events --every 0.5 --csv >"$TMP/live.csv" 2>"$TMP/live.err" &
	wait_for 30 has_intervals 3
	kill -0 $reader
	# What was recorded before comes first.
	wait_for 60 caught_up || {
		mono_ns
		tail -n 1 "$TMP/live.csv"
		cat "$TMP/live.err" "$TMP/reader.err"
		false
	}
	kill -0 $reader
	kill -INT $reader
	wait
	stop
	cat "$TMP/live.err"
	lkstla events --every 0.5 --csv "$TMP/log" >"$TMP/file.csv" 2>"$TMP/said"
	by_interval event records "$TMP/live.csv" >"$TMP/a"
	by_interval event records "$TMP/file.csv" >"$TMP/b"
	[ "$(wc -l <"$TMP/a")" -gt 5 ]
	diff "$TMP/b" "$TMP/a"
	# What is known only in the end is unknown in an interval of a pipe, and nothing else.
	lkstla states -a --every 0.5 --csv "$TMP/log" >"$TMP/file.csv" 2>"$TMP/said"
	by_interval pid running_ns "$TMP/file.csv" >"$TMP/b"
	cat "$TMP/log" | lkstla states -a --every 0.5 --csv >"$TMP/live.csv" 2>"$TMP/said"
	by_interval pid running_ns "$TMP/live.csv" >"$TMP/a"
	by_interval pid unknown_ns "$TMP/live.csv" >"$TMP/u"
	[ "$(wc -l <"$TMP/a")" -gt 10 ]
	awk 'FILENAME ~ /b$/ { want[$1] = $2; next } FILENAME ~ /u$/ { unknown[$1] = $2; next }
		$2 > want[$1] || $2 + unknown[$1] < want[$1] {
			print "PID", $1, "ran", $2, "and", unknown[$1], "unknown, not", want[$1]
			bad = 1
		} END { exit bad }' "$TMP/b" "$TMP/u" "$TMP/a"
	lkstla states --csv "$TMP/log" 2>"$TMP/said" | awk -F, '!NF { exit } NR > 1 { n += $3 }
		END { printf "%.0f\n", n }' >"$TMP/a"
	awk '{ n += $2 } END { printf "%.0f\n", n }' "$TMP/b" | diff "$TMP/a" -
}

t 'states: who ran and who was ready, as the scheduler counts' states
t 'states, events: no CPU runs two at once, and no record is counted twice' sums
t 'page: every record, every task and every mark is in it' page
t 'events, states: a pipe by intervals, as it comes, adds up to what the log has' live
finish
