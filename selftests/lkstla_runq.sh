#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lkstla runq and latency, of logs that were just recorded, against what the kernel has
# counted by itself, and of a timer that is late by a known time.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

need lkst lkstla taskset
need_cpus 2

# Computes on CPU 1, $1 rounds; then it is blocked, and waits for a CPU no more.
cat >"$TMP/hog" <<'END'
taskset -p 2 $$ >/dev/null
read -r from _ </proc/uptime
i=0
while [ $i -lt "$1" ]; do i=$((i + 1)); done
read -r to _ </proc/uptime
echo "$from $to" >"$2"
read -r _ <"$3"
END

# The same, but it sleeps now and then.
cat >"$TMP/sleeper" <<'END'
taskset -p 2 $$ >/dev/null
i=0
while [ $i -lt "$1" ]; do
	i=$((i + 1))
	read -r -t 0.01 _ <>"$3.never" || :
done
: >"$2"
read -r _ <"$3"
END

# What they have waited, as the scheduler has it, is read while all three are blocked; the
# log is from before they are made to after that.
cat >"$TMP/all" <<'END'
cd "$1" || exit 1
mkfifo end end.never
sh hog "$2" done.1 end & pids=$!
sh hog "$2" done.2 end & pids="$pids $!"
sh sleeper 50 done.3 end & pids="$pids $!"
while [ ! -e done.1 ] || [ ! -e done.2 ] || [ ! -e done.3 ]; do usleep 50000; done
usleep 100000
for pid in $pids; do
	cp "/proc/$pid/status" "$pid.status"
	cp "/proc/$pid/sched" "$pid.sched"
	cp "/proc/$pid/schedstat" "$pid.schedstat" 2>/dev/null || :
done
echo "$pids" >pids
END

# waited PID NS LESS MORE: that is what the log says, or so much less or more. Each time that
# it ran it had waited before: how often that was, its status has, as it is blocked.
waited() {
	times=$(awk '/ctxt_switches/ { n += $2 } END { print n }' "$TMP/$1.status")
	awk -F, -v pid="$1" -v waited="$2" -v times="$times" -v less="$3" -v more="$4" '
		$1 == pid && !n++ {
			print pid, "waits", $3, "unknown", $4, "total", $5, "counted", times, waited
			good = $5 >= waited - less && $5 <= waited + more && $3 == times && !$4
		}
		END { exit !good }' "$TMP/runq.csv"
	[ "$2" -gt 1000000 ]
}

# For each wait the scheduler takes the time when it last updated the clock of its queue, and
# the record is made a little later, under the same lock; at its end, the next task has been
# chosen in between. Allowed are three tenths of a millisecond for each, which an emulated CPU
# may take, and a hundredth of all.
counted_waits() {
	while read -r pid; do
		read -r _ ns times <"$TMP/$pid.schedstat"
		error=$((ns / 100 + times * 300000))
		waited "$pid" "$ns" "$error" "$error"
	done <"$TMP/list"
}

# Without CONFIG_SCHED_INFO nobody counts that time. But a hog that does not run waits. The
# clocks do not begin and end together, and an emulated CPU may stand still in between:
# allowed is half a second, of several. Interrupts are no task's time to the scheduler where
# CONFIG_IRQ_TIME_ACCOUNTING is set, and the hog's that they interrupt to the log: on an
# emulated CPU they may take a fifth of all.
derived_waits() {
	n=0
	sed 2q "$TMP/list" >"$TMP/hogs"
	while read -r pid; do
		n=$((n + 1))
		ns=$(awk '$1 == "se.sum_exec_runtime" { ran = $3 }
			FNR == NR { next } { printf "%.0f", ($2 - $1) * 1e9 - ran * 1e6 }' \
			"$TMP/$pid.sched" "$TMP/done.$n")
		waited "$pid" "$ns" $((500000000 + ns / 5)) 500000000
	done <"$TMP/hogs"
}

waits() {
	lkst setup sched >/dev/null
	lkst record -m sched -s 16M -o "$TMP/log" -- sh "$TMP/all" "$TMP" "$(scaled 60000)" \
		2>"$TMP/stderr"
	# All three have been waiting to open it.
	echo >"$TMP/end"
	lkstla runq --by pid --csv --worst 3 "$TMP/log" >"$TMP/runq.csv" 2>"$TMP/said"
	cat "$TMP/said"
	tr ' ' '\n' <"$TMP/pids" >"$TMP/list"
	if [ -e /proc/self/schedstat ]; then
		counted_waits
	else
		derived_waits
	fi
	# Three threads on a CPU, and the other one idles most of the time.
	sed -n '/^cpu,mean/,/^$/p' "$TMP/runq.csv"
	awk -F, '$1 == "cpu" { on = 1; next } !NF { on = 0 }
		 on && $1 == 1 && $3 >= 3 && $6 + $7 + $8 > 20 { good = 1 }
		 END { exit !good }' "$TMP/runq.csv"
	# When one hog waited long, the other one ran. (Once something else may have been the
	# cause, as when they were started.)
	read -r one other _ <"$TMP/pids"
	lkstla runq --pid "$one" --worst 5 --csv "$TMP/log" 2>/dev/null >"$TMP/worst"
	cat "$TMP/worst"
	grep "^[0-9.]*,[0-9]*,$one,sh,1,.*sh-$other [0-9]" "$TMP/worst"
	# The same waits, by another way.
	lkstla latency --csv --worst 3 "$TMP/log" 2>/dev/null | sed 1,/^$/d >"$TMP/parts"
	awk -F, '!NF { next } /^[a-z]/ { table = $2; next }
		 table == "since_s" { whole[$1] = $3 }
		 table == "time_ns" { parts[$1] += $2; n++ }
		 END { if (!n) exit 1
			for (nr in whole) if (whole[nr] != parts[nr]) exit 1 }' "$TMP/parts"
}

# It was due a millisecond after interrupts had been switched off for 20.
late() {
	ko=$(module lkst_test_timers)
	maskset late 'PROCESS_CONTEXTSWITCH default' 'PROCESS_WAKEUP default' \
		'INT_VECTOR_* default' 'INT_HARDWARE_* default' 'TIMER_HR_* default'
	lkst record -m late -o "$TMP/log" -- insmod "$ko" what=late 2>"$TMP/stderr"
	read -r cpu pid _ ns </sys/module/lkst_test_timers/parameters/told
	rmmod lkst_test_timers
	# The tick of the CPU may have been as late.
	lkstla latency --of timer --worst 9 --csv "$TMP/log" >"$TMP/late.csv" 2>"$TMP/said"
	cat "$TMP/said" "$TMP/late.csv"
	echo "told: CPU $cpu, PID $pid, $ns ns"
	# Its function has looked at the clock a little later than it was called.
	awk -F, -v cpu="$cpu" -v ns="$ns" '
		!NF { next } /^[a-z]/ && $2 !~ /^[0-9]/ { table = $2; next }
		table == "since_s" && $7 == "lkst_test_late" && !nr {
			nr = $1
			good = $4 == cpu && ns >= $3 && ns - $3 < 2e6
		}
		table == "time_ns" && $1 == nr && $4 == "insmod-'"$pid"'" { by = $2 }
		END { exit !(good && by > 17e6 && by <= ns) }' "$TMP/late.csv"
}

t 'runq: waits are those that the scheduler counts; what ran instead' waits
t 'latency: a timer that is late by a known time, and who made it so' late
finish
