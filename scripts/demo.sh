#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# ProcessTrace, end to end: boots the kernel, records every context switch and
# wakeup of a workload, and draws the states of its processes.
#
# usage: demo.sh		MS=1000: how long the workload runs

set -eu
. "$(dirname "$0")/lib.sh"

: "${MS:=1000}"
result=$OUT/demo
shown=${result#"$TOP"/}
tasks='hog-1 hog-2 ping pong sleeper'

case $MS in
''|*[!0-9]*) die "MS=$MS is not a number of milliseconds" ;;
esac

fetch build run demo

[ -f "$BUILD/obj/$KERNEL/vmlinux" ] || "$TOP/scripts/kernel.sh"

# The sum of lines of LKST's status file after the run.
status()
{
	awk -v keys=" $* " '
		index(keys, " " substr($1, 1, length($1) - 1) " ") { sum += $2 }
		END { print sum + 0 }' "$result/status.txt"
}

# Ahead of whatever else this machine does, if that is allowed: while its CPUs
# wait for the host's, the guest's time goes on.
[ "$(id -u)" -ne 0 ] || ahead='nice -n -15'

record()
{
	rm -rf "$result"
	mkdir -p "$result"
	gcc -O2 -Wall -static -o "$result/processes" "$TOP/scripts/workload/processes.c"
	echo 'Recording, in a guest with 2 CPUs:'
	# Room for the whole run: what is in the trace is then all that happened.
	SMP=2 APPEND="${APPEND:-} lkst.buffer_size=8M" ${ahead:-} "$TOP/scripts/run.sh" \
		"/src/scripts/demo/guest.sh /out/demo $MS"
	rm "$result/processes"
}

# What must be seen in the trace, whatever else happened.
verify()
{
	awk '
	function share(comm, state, low, high,	value) {
		if (!total[comm]) {
			print "demo: " comm " is not in the trace"
			bad = 1
			return
		}
		value = 100 * time[comm, state] / total[comm]
		if (value < low || value > high) {
			printf "demo: %s was %s for %.1f %% of the time, not %d to %d %%\n",
			       comm, state, value, low, high
			bad = 1
		}
	}
	/^[0-9]/ {
		time[$2, $3] += $5 - $4
		total[$2] += $5 - $4
	}
	END {
		for (i = 1; i <= 2; i++) {
			share("hog-" i, "running", 40, 60)
			share("hog-" i, "ready", 40, 60)
		}
		share("sleeper", "blocked", 90, 100)
		share("ping", "blocked", 10, 90)
		share("pong", "blocked", 10, 90)
		exit bad
	}' "$result/intervals.txt" >&2
}

# On a busy host the guest's CPUs stand still all the same, and that is in the
# trace too: the times are then not those of the workload.
tries=5
record
until verify; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || die 'the trace does not show what the workload did'
	echo
	echo 'Is this machine very busy? Once more.'
	record
done

lost=$(status overwritten discarded nmi busy nobuf recursed)
echo
echo "$(status written) events recorded, $lost lost. Time in each state:"
echo
cat "$result/states.txt"

plot=$(mktemp -d)
trap 'rm -rf "$plot"' EXIT
awk -v out="$plot" -v first="$tasks" -v rows=8 \
	-f "$TOP/scripts/demo/process.awk" "$result/intervals.txt"
gnuplot -e "dir='$plot'; target='$result/process'" "$TOP/scripts/demo/process.gp"

for file in trace.log trace.html trace.csv trace.db summary.txt process.svg process.png; do
	[ -s "$result/$file" ] || die "$shown/$file is missing or empty"
done
cat <<END

Files in $shown:
  trace.html     the trace, to walk in: open it in a browser
  process.png    the states of the processes over time
  process.svg    the same
  trace.log      the trace, for lkstbuf print and lkstla
  trace.csv      the same as text, a line an event
  trace.db       which PID has which task_struct, from the trace
  intervals.txt  PID, command, state, start and end in ms, a line each
  summary.txt    what cost most time

What cost most time, from summary.txt; its commands are for that folder:

END
cat "$result/summary.txt"

[ "$lost" -eq 0 ] || die "$lost events were lost"
