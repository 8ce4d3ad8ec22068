#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lkstla cpu, irq and syscall: what they say of a log, beside what the kernel counted itself
# while that was recorded.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

N=$(scaled 100)

# cells KEY COLUMN OPTIONS...: of the rows of the first table whose first columns are KEY,
# the sum of a column; 0 without one.
cells() {
	row=$1
	column=$2
	shift 2
	lkstla "$@" --csv "$TMP/log" 2>"$TMP/stderr" | awk -F, -v row="$row" -v column="$column" '
		!NF { exit }
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) n = i
			if (!n) exit; next }
		substr($0, 1, length(row)) == row { sum += $n }
		END { if (!n) exit 1; printf "%.0f\n", sum }'
}

# about WHAT FOUND WANTED ERROR: not farther from it than that.
about() {
	echo "$1: found $2, the kernel has $3, allowed $4"
	awk -v a="$2" -v b="$3" -v e="$4" 'BEGIN { exit !(a - b <= e && b - a <= e) }'
}

# between WHAT FOUND LOW HIGH
between() {
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		echo "$1: found $2, the kernel has $3 to $4"
		return 1
	fi
}

# recorded COMMAND...: the log of a command, of which nothing is missing.
recorded() {
	[ -e "$LKST/masksets/mine" ] ||
		maskset mine ':process default' ':syscall default' ':irq default' \
			':exception default' 'FS_PIPE_WAIT default'
	lkst record -m mine -s 16M -o "$TMP/log" -- "$@"
	lkst info "$TMP/log" >"$TMP/info" 2>&1
	! lkst print -l 1 "$TMP/log" 2>&1 | grep -v ' 0 missing' | grep -q missing
}

# All calls of a process are those that its threads have begun, as their forks say whose they
# are; other processes have none of them.
process() {
	need lkst lkstla
	# shellcheck disable=SC2046 # names
	recorded sh -c "$H threads $(seq -s ' ' 30) </dev/null; $H getppid 20" >"$TMP/told"
	read -r pid <"$TMP/told"
	lkst print "$TMP/log" 2>"$TMP/stderr" | awk -v pid="$pid" '
		{ split($0, words, " +\\["); n = words[1]; gsub(/.*-| /, "", n) }
		/ PROCESS_FORK / && $0 ~ " tgid=" pid "( |$)" {
			child = $0
			sub(/.* pid=/, "", child)
			threads[child + 0]
		}
		/ SYSCALL_ENTRY / { calls[n]++ }
		END {
			sum = calls[pid]
			for (n in threads)
				if (n != pid) { sum += calls[n]; many++ }
			print sum, many
		}' >"$TMP/wanted"
	read -r wanted threads <"$TMP/wanted"
	found=$(cells "$pid," calls syscall --by tgid)
	alone=$(cells "$pid," calls syscall --by pid)
	echo "$found calls, of $wanted, $alone of the leader, $threads threads"
	[ "$found" -eq "$wanted" ]
	[ "$threads" -eq 30 ]
	[ "$found" -gt $((alone + 60)) ]
	lkstla syscall --by tgid "$TMP/log" >"$TMP/stdout" 2>&1
	# Its errors, if it had any, are in another table.
	[ "$(sed '/^$/q' "$TMP/stdout" | grep -c "^ *$pid ")" -eq 1 ]
}

# The time of a marker.
moment() {
	lkst print -e LKST_MARKER "$TMP/log" 2>"$TMP/stderr" |
		sed -n "s/.* \([0-9.]*\): LKST_MARKER .*text=$1.*/\1/p" | head -n 1
}

# window OF TO: sets the options for the time between two markers.
window() {
	window="--from $(moment "$1") --to $(moment "$2")"
}

# Of what a thread does it is known how much there was.
system_calls() {
	need lkst lkstla
	case $(uname -m) in
	x86_64 | aarch64) ;;
	*) skip "the names of this machine's calls" ;;
	esac
	recorded "$BIN/provoke_calls" "$N" >"$TMP/told"
	cat "$TMP/told"
	pid=$(value pid "$TMP/told")
	window "begin $pid" "end $pid"
	# shellcheck disable=SC2086 # words
	lkstla syscall -p "$pid" $window "$TMP/log"
	for call in getppid close nanosleep read rt_sigsuspend; do
		# shellcheck disable=SC2086
		[ "$(cells "$call," calls syscall -p "$pid" $window)" -eq "$N" ]
	done
	# The handler of each signal; the two markers are open at the edges of the window.
	# shellcheck disable=SC2086
	[ "$(cells write, calls syscall -p "$pid" $window)" -eq "$N" ]
	# shellcheck disable=SC2086
	[ "$(cells write, open syscall -p "$pid" $window)" -eq 2 ]
	# shellcheck disable=SC2086
	lkstla syscall -p "$pid" $window --csv "$TMP/log" 2>"$TMP/stderr" |
		awk '!NF { on = 1 } on' >"$TMP/errors"
	grep -qx "close,EBADF,$N" "$TMP/errors"
	grep -qx "rt_sigsuspend,EINTR,$N" "$TMP/errors"
	! grep -q -e ^read -e ^nanosleep "$TMP/errors" || { cat "$TMP/errors"; return 1; }
	# Those that waited for the signal; on a slow machine it may have come before them.
	# shellcheck disable=SC2086
	restarts=$(cells read, restarts syscall -p "$pid" $window)
	between restarts "$restarts" $((N / 2)) "$N"
	# Each of them sleeps 2 ms, and not much of that is anything but waiting.
	# shellcheck disable=SC2086
	total=$(cells nanosleep, total_ns syscall -p "$pid" $window)
	# shellcheck disable=SC2086
	waiting=$(cells nanosleep, waiting_ns syscall -p "$pid" $window)
	[ "$total" -ge $((N * 2000000)) ]
	[ "$waiting" -ge $((N * 1900000)) ]
	# Parts are the whole.
	# shellcheck disable=SC2086
	lkstla syscall $window --csv "$TMP/log" 2>"$TMP/stderr" | awk -F, '
		!NF { exit }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["total_ns"] != $at["running_ns"] + $at["ready_ns"] + $at["waiting_ns"] + \
			$at["interrupted_ns"] + $at["unknown_ns"] { print; bad = 1 }
		END { exit bad || NR < 5 }'
}

# time_on_a_cpu TELL COMMAND...: records COMMAND, which runs provoke_calls, sets $pid, $ns and
# $window, and compares what TELL prints with the time that the scheduler gave the thread; a
# tenth of that may lie between them.
#
# The kernel counts it up to the moment at which schedule() was called, the log up to the
# switch, before which another task was looked for. And the kernel counts interrupts from
# irq_enter() to irq_exit(), the log from the handler's entry to its exit. Both are some
# microseconds, on an emulated CPU some tens of them: less than 2 % of what the thread computes.
# The debug kernel takes longer to switch than some threads run: a quarter is allowed there.
#
# Where others use the machine's CPUs as well, an emulated CPU may stop for milliseconds in
# between. And it is the next update of the run queue's clock that takes an interrupt's time
# off: from whom runs by then (update_rq_clock_task()). Both are chance, and what the tools do
# wrong is not: the nearest of three is compared.
time_on_a_cpu() {
	tell=$1
	shift
	error=10
	[ ! -e /proc/lockdep ] || error=4
	for attempt in 1 2 3; do
		echo "attempt $attempt"
		recorded "$@" >"$TMP/told"
		cat "$TMP/told"
		pid=$(value pid "$TMP/told")
		window "begin $pid" "end $pid"
		ns=$(value cpu_ns "$TMP/told")
		! about 'time on a CPU' "$($tell)" "$ns" $((ns / error)) || return 0
	done
	return 1
}

on_a_cpu() {
	found=0
	for part in user system exception running; do
		# shellcheck disable=SC2086
		found=$((found + $(cells '' ${part}_ns cpu -p "$pid" $window)))
	done
	echo "$found"
}

time_of_a_thread() {
	need lkst lkstla
	time_on_a_cpu on_a_cpu "$BIN/provoke_calls" "$N"
	# shellcheck disable=SC2086
	lkstla cpu -p "$pid" $window "$TMP/log"
	# From the first exit on, all of it is told apart.
	# shellcheck disable=SC2086
	[ "$(cells '' running_ns cpu -p "$pid" $window)" -eq 0 ]
	# Faults that the kernel's own accesses cause count there as well. One that has to be
	# tried again is one there, and two here.
	faults=$(value faults "$TMP/told")
	# shellcheck disable=SC2086
	found=$(cells page_fault, count irq -p "$pid" $window)
	between 'page faults' "$found" "$faults" $((faults + faults / 5 + 20))
}

# part STATE [PART]: of the thread, in the window, in ns.
part() {
	# shellcheck disable=SC2086
	lkstla states --parts -p "$pid" $window --csv "$TMP/log" 2>"$TMP/stderr" | awk -F, \
		-v state="$1" -v part="${2:-}" '
		/^pid,comm,state/ { on = 1; next }
		!NF { on = 0 }
		on && $3 == state && (part == "" || $4 == part) { sum += $5 }
		END { printf "%.0f\n", sum }'
}

# What the thread did not run while it computed beside another one, as its own clocks say.
spun_by_its_clocks() {
	window "spin $pid" "spun $pid"
	# shellcheck disable=SC2086
	lkstla states --parts -p "$pid" $window "$TMP/log" || return 1
	wall=$(value spin_wall_ns "$TMP/told")
	off=$((wall - $(value spin_cpu_ns "$TMP/told")))
	[ "$(part ready preempted)" -ge $((wall / 5)) ] || return 1
	# Between a marker and the look at a clock it may have had to wait, too.
	# shellcheck disable=SC2086
	set -- $window
	outside=$(awk -v from="$2" -v to="$4" -v wall="$wall" \
		'BEGIN { printf "%.0f", (to - from) * 1e9 - wall }')
	between 'ready or interrupted, by its clocks' \
		$(($(part ready) + $(part interrupted))) $((off - wall / 20 - 2000000)) \
		$((off + outside + wall / 20 + 2000000))
}

# A thread that another one competes with. What of its time was user's, and what the system's,
# the kernel knows by ticks: it finds an interrupt that lasts in the place of what it
# interrupts, and has a share of the time on a CPU by the share of the ticks. What it had to
# wait for a CPU is what of the time that passed it did not run, while it slept for nothing.
parts_of_a_thread() {
	need lkst lkstla
	cpu=1
	[ "$(cpus | wc -w)" -gt 1 ] || cpu=0
	command="'$H' spin 60000 $cpu & other=\$!
		'$BIN/provoke_calls' $((N / 2)); kill \$other"
	time_on_a_cpu 'part running' sh -c "$command"
	# shellcheck disable=SC2086
	lkstla states --parts -p "$pid" $window "$TMP/log"
	# All of it is told apart, and all of it is there.
	[ "$(part running unknown)" -eq 0 ]
	[ "$(part unknown)" -eq 0 ]
	all=0
	for state in running interrupted ready blocked; do
		all=$((all + $(part $state)))
	done
	# shellcheck disable=SC2086
	set -- $window
	wall=$(awk -v from="$2" -v to="$4" 'BEGIN { printf "%.0f", (to - from) * 1e9 }')
	about 'all of the time' "$all" "$wall" 1000
	# The kernel tells user from system by what runs at its ticks, some twenty here.
	user=$(($(value user_us "$TMP/told") * 1000))
	about 'user, as getrusage() has it' "$(part running user)" "$user" $((ns / 2))
	system=$(($(part running system) + $(part running exception)))
	about 'system, as getrusage() has it' "$system" $(($(value system_us "$TMP/told") * 1000)) \
		$((ns / 2))
	about 'user, as /proc/PID/stat has it' "$(part running user)" \
		$(($(value utime "$TMP/told") * 10000000)) $((ns / 2 + 20000000))
	about 'system, as /proc/PID/stat has it' "$system" \
		$(($(value stime "$TMP/told") * 10000000)) $((ns / 2 + 20000000))
	waited=$(sed -n 's/^schedstat [0-9]* //p' "$TMP/told")
	if [ "$waited" -gt 0 ]; then
		about 'ready, as /proc/PID/schedstat has it' "$(part ready)" "$waited" \
			$((waited / 10 + 5000000))
	fi
	# 2 ms for each of what it slept for, and not much more than what it took to run again.
	[ "$(part blocked timer)" -ge $((N / 2 * 1900000)) ]
	[ "$(part blocked signal)" -gt 0 ]
	[ "$(part blocked pipe)" -gt 0 ]
	[ "$(part blocked unknown)" -le $((wall / 100)) ]
	# Chance is in this as it is in time_on_a_cpu().
	for attempt in 1 2 3; do
		! spun_by_its_clocks || return 0
		[ "$attempt" -lt 3 ] || return 1
		recorded sh -c "$command" >"$TMP/told"
		pid=$(value pid "$TMP/told")
	done
}

# stat FILE CPU FIELD...: the sum of these fields, in ns.
stat() {
	file=$1
	cpu=$2
	shift 2
	awk -v cpu="cpu$cpu" -v fields="$*" '$1 == cpu { n = split(fields, f, " ")
		for (i = 1; i <= n; i++) s += $(f[i] + 1)
		printf "%.0f\n", s * 10000000 }' "$file"
}

# spent CPU PART...: of these, in the window.
spent() {
	cpu=$1
	shift
	ns=0
	for part; do
		# shellcheck disable=SC2086
		ns=$((ns + $(cells "$cpu," "${part}_ns" cpu $window)))
	done
	echo "$ns"
}

# passed CPU FIELD...: of these, between the two looks.
passed() {
	echo $(($(stat "$TMP/after" "$@") - $(stat "$TMP/before" "$@")))
}

# Fields of /proc/stat: 1 user, 2 nice, 3 system, 4 idle, 5 iowait, 6 irq, 7 softirq. It has
# steps of 10 ms. Idle time is measured, and is the same.
#
# So is the time of interrupts, from irq_enter() to irq_exit(): the log, from the handler's
# entry to its exit, can't have more of it. How much less depends on what it costs to set the
# timer again: on an emulated CPU as much as the handlers. Here that is what it interrupted.
#
# Of user and system a tick counts 4 ms, whatever came in between; and a machine that others
# hold up gets fewer ticks than there should be, so that all fields together are less than
# the time that passed: the log must have more of it then, and can't have less.
proc_stat() {
	need lkst lkstla
	last=$(last_cpu)
	recorded sh -c "cat /proc/stat >'$TMP/before'; echo begin >$LKST/marker
		'$H' spin 1000 $last; usleep 500000
		echo end >$LKST/marker; cat /proc/stat >'$TMP/after'"
	window begin end
	# shellcheck disable=SC2086
	lkstla cpu $window "$TMP/log"
	for n in $(cpus); do
		wall=$(spent "$n" busy idle unknown)
		[ "$(spent "$n" unknown)" -eq 0 ]
		allowed=$((wall / 20 + 30000000))
		about "CPU $n, idle" "$(spent "$n" idle)" "$(passed "$n" 4 5)" $allowed
		found=$(spent "$n" irq softirq)
		outside=$(($(passed "$n" 6 7) - found))
		echo "CPU $n, interrupts: found $found, $outside outside of handlers"
		between "CPU $n, interrupts" "$outside" -30000000 $((3 * found + 30000000))
		lost=$((wall - $(passed "$n" 1 2 3 4 5 6 7)))
		[ "$lost" -gt 0 ] || lost=0
		[ "$outside" -gt 0 ] || outside=0
		echo "CPU $n: ticks are missing for $lost ns of $wall"
		found=$(spent "$n" user system exception running)
		counted=$(passed "$n" 1 2 3)
		between "CPU $n, user and system" "$found" $((counted - allowed)) \
			$((counted + allowed + lost + outside))
	done
	# The one that is busy is so.
	[ "$(spent "$last" user)" -ge 500000000 ]
}

# total FILE NAME...: over all CPUs, of the lines with these names.
total() {
	file=$1
	shift
	for name; do
		awk -v name="$name:" '$1 == name { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) s += $i }
			END { print s + 0 }' "$file"
	done | awk '{ s += $1 } END { print s }'
}

# counted FOUND FILE NAME...: as many as there were from the start of the recording to its
# end, which is somewhere between two looks at the file.
counted() {
	found=$1
	file=$2
	shift 2
	low=$(($(total "$TMP/$file.3" "$@") - $(total "$TMP/$file.2" "$@")))
	high=$(($(total "$TMP/$file.4" "$@") - $(total "$TMP/$file.1" "$@")))
	echo "$*: $found, $low to $high"
	between "$*" "$found" "$low" "$high"
}

# The column of CPU $2, of the line named $3.
on_cpu() {
	awk -v cpu="CPU$2" -v name="$3:" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == cpu) n = i + 1 }
		$1 == name { print $n }' "$1"
}

# counted_on CPU FOUND FILE NAME: the same of one CPU.
counted_on() {
	low=$(($(on_cpu "$TMP/$3.3" "$1" "$4") - $(on_cpu "$TMP/$3.2" "$1" "$4")))
	high=$(($(on_cpu "$TMP/$3.4" "$1" "$4") - $(on_cpu "$TMP/$3.1" "$1" "$4")))
	echo "CPU $1, $4: $2, $low to $high"
	between "CPU $1, $4" "$2" "$low" "$high"
}

look() {
	cat /proc/interrupts >"$TMP/interrupts.$1"
	cat /proc/softirqs >"$TMP/softirqs.$1"
}

# Exactly as many as the kernel has counted.
interrupts() {
	need lkst lkstla
	look 1
	recorded sh -c "cat /proc/interrupts >'$TMP/interrupts.2'; cat /proc/softirqs >'$TMP/softirqs.2'
		'$H' load 300 >/dev/null; '$BIN/provoke_calls' 20 >/dev/null; echo x >/dev/console
		cat /proc/interrupts >'$TMP/interrupts.3'; cat /proc/softirqs >'$TMP/softirqs.3'"
	look 4
	lkstla irq "$TMP/log"
	for name in HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU; do
		counted "$(cells "softirq,$name," count irq)" softirqs $name
	done
	[ "$(cells softirq, count irq)" -ge 50 ]
	for n in $(cpus); do
		for name in TIMER SCHED RCU; do
			counted_on "$n" "$(cells "$n,softirq,$name," count irq --by cpu)" softirqs $name
		done
	done
	# Whatever they interrupted, they are as many.
	[ "$(cells '' count irq --by tgid)" -eq "$(cells '' count irq)" ]
	[ "$(uname -m)" = x86_64 ] || return 0
	for n in $(cpus); do
		counted_on "$n" "$(cells "$n,vector,236" count irq --by cpu)" interrupts LOC
	done
	counted "$(cells vector,236 count irq)" interrupts LOC
	[ "$(cells vector,236 count irq)" -ge 50 ]
	counted "$(cells ipi,253 count irq)" interrupts RES
	counted "$(($(cells ipi,251 count irq) + $(cells ipi,252 count irq)))" interrupts CAL
	# Those of devices that have one handler.
	for n in $(awk '$1 ~ /^[0-9]+:$/ && !/, / { print $1 + 0 }' "$TMP/interrupts.4"); do
		counted "$(cells "irq,$n:" count irq)" interrupts "$n"
	done
}

t 'syscall: as many calls, errors and restarts as were made' system_calls
t 'syscall: of a process are those of all of its threads' process
t 'cpu: the time of a thread is what the scheduler gave it' time_of_a_thread
t 'states: parts of a thread, as the kernel counts its time' parts_of_a_thread
t 'cpu: idle, busy and interrupted as /proc/stat has it' proc_stat
t 'irq: as many as /proc/interrupts and /proc/softirqs have counted' interrupts
finish
