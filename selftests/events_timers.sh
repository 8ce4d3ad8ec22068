#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Timers, high-resolution timers and the tick: each event is provoked on purpose,
# and its record held against what who provoked it knows.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_timers.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_timers.sh"

timers() {
	ko=$(module lkst_test_timers)
	on 'TIMER_* default'
	provoke timers
	collect
	told 'TIMER_(RUN|ADD|MOD|DEL|DEL_SYNC)'
}

# The timer is on the stack of schedule_timeout().
schedule_timeout() {
	ko=$(module lkst_test_timers)
	on 'TIMER_* default'
	provoke timeout
	collect
	func=$(symbol process_timeout)
	awk -v p="$pid" -v f="$func" '$5 ~ /^TIMER_(ADD|DEL_SYNC)$/ && $3 == p && $7 "" == f ||
		$5 == "TIMER_RUN" && $7 "" == f { print $5, $6, $7, $8, $9 }' "$TMP/dump" >"$TMP/mine"
	timer=$(awk '$1 == "TIMER_ADD" { print $2; exit }' "$TMP/mine")
	grep " $timer " "$TMP/mine" >"$TMP/got"
	{
		read -r e _ _ expires cpu
		[ "$e" = TIMER_ADD ]
		[ $((expires)) -ge $((from + 2)) ]
		[ $((expires)) -le $((to)) ]
		[ "$cpu" = 0xffffffffffffffff ]
		read -r e _ _ due now
		[ "$e" = TIMER_RUN ]
		[ "$due" = "$expires" ]
		[ $((now)) -ge $((expires)) ]
		[ $((now)) -le $((to)) ]
		read -r e _ _ pending _
		[ "$e $pending" = 'TIMER_DEL_SYNC 0x0' ]
	} <"$TMP/got"
	[ "$(wc -l <"$TMP/got")" -eq 3 ]
}

hrtimers() {
	ko=$(module lkst_test_timers)
	on 'TIMER_* default'
	provoke hrtimers
	collect
	told 'TIMER_HR_.*'
	# The soft one's function ran in a softirq, the other's in an interrupt.
	addr=$(awk '$3 == "TIMER_HR_RUN" { print $4; exit }' "$TMP/want")
	awk -v a="$addr" '$5 == "TIMER_HR_RUN" && $6 "" == a { print $4 }' "$TMP/dump" |
	while read -r flags; do
		# An interrupt may have come in a softirq.
		echo $((flags & 1 ? 1 : flags & 2))
	done | tr '\n' ' ' >"$TMP/flags"
	[ "$(cat "$TMP/flags")" = '1 1 1 2 ' ]
}

# The time that a program asks for is the one that is recorded, in its clock.
timerfd() {
	tmrproc=$(symbol timerfd_tmrproc)
	on 'TIMER_HR_* default'
	"$BIN/provoke_timers" timerfd >"$TMP/asked"
	collect
	[ "$(wc -l <"$TMP/asked")" -eq 6 ]
	while read -r _ clock ns; do
		printf '%s 0x%x\n' "$ns" "$clock"
	done <"$TMP/asked" >"$TMP/want"
	read -r pid _ <"$TMP/asked"
	awk -v p="$pid" -v f="$tmrproc" '$5 == "TIMER_HR_START" && $3 == p && $7 "" == f {
		print $6, $8, $9 }' "$TMP/dump" >"$TMP/started"
	cut -d' ' -f2- "$TMP/started" | cmp "$TMP/want" -
	# Each of the three is set, set again, and runs once: not before it was due.
	[ "$(cut -d' ' -f1 "$TMP/started" | sort -u | wc -l)" -eq 3 ]
	while read -r timer _ && read -r again ns _; do
		[ "$timer" = "$again" ]
		# Its memory was somebody else's before, and is afterwards.
		awk -v t="$timer" -v p="$pid" '$6 "" != t { next }
			$5 == "TIMER_HR_START" && $3 == p { on = 1 }
			on && n++ < 5 { print $5, $7, $8 }' "$TMP/dump" >"$TMP/all"
		cut -d' ' -f1-2 "$TMP/all" >"$TMP/of"
		for e in START CANCEL START RUN; do
			echo "TIMER_HR_$e $tmrproc"
		done >"$TMP/want"
		echo TIMER_HR_END 0x0 >>"$TMP/want"
		cmp "$TMP/want" "$TMP/of"
		now=$(awk '$1 == "TIMER_HR_RUN" { print $3 }' "$TMP/all")
		[ $((now)) -ge $((ns)) ]
	done <"$TMP/started"
}

tick_nsec() {
	hz=$(zcat /proc/config.gz | sed -n 's/^CONFIG_HZ=//p')
	echo $((1000000000 / hz))
}

# The tick of a CPU that sleeps: it stops, its timer is set to the next event, and
# starts again.
tick() {
	need_cpus 2
	cpu=$(last_cpu)
	tick=$(tick_nsec)
	handler=$(symbol tick_nohz_handler)
	on 'TIMER_* default'
	"$BIN/provoke_timers" sleep "$cpu" 60 5 >/dev/null
	collect
	[ "$(count "^$cpu .* TIMER_TICK_STOP ")" -ge 5 ]
	awk -v c="$cpu" -v f="$handler" '$1 == c && ($5 ~ /^TIMER_TICK_/ ||
		$5 == "TIMER_HR_START" && $7 "" == f || $5 == "TIMER_HR_CANCEL" && $7 "" == f) {
		print $2, $5, $6, $8 }' "$TMP/dump" >"$TMP/ticks"
	[ -s "$TMP/ticks" ]
	stopped=
	wait=
	stops=0
	while read -r time event arg expires; do
		case $event in
		TIMER_TICK_STOP)
			[ -z "$stopped" ]
			[ $((arg)) -gt $((time)) ]
			stopped=$time
			wait=$arg
			stops=$((stops + 1))
			;;
		TIMER_TICK_RESTART)
			[ -n "$stopped" ] || [ "$stops" -eq 0 ]
			# Read just before, since it stopped.
			[ $((arg)) -le $((time)) ]
			[ -z "$stopped" ] || [ $((arg)) -ge $((stopped)) ]
			stopped=
			now=$arg
			wait=restart
			;;
		TIMER_HR_START)
			# Stopped: the next event. Started again: a tick at most.
			case $wait in
			'') ;;
			restart)
				[ $((expires)) -gt $((now)) ]
				[ $((expires)) -le $((now + tick)) ]
				;;
			*) [ "$expires" = "$wait" ] ;;
			esac
			wait=
			;;
		TIMER_HR_CANCEL)
			# No next event at all: the timer is not set.
			[ "$wait" != 0x7fffffffffffffff ] || wait=
			;;
		esac
	done <"$TMP/ticks"
	[ "$stops" -ge 5 ]
}

t 'timers: each call and each run, in their order' timers
t 'the timer of schedule_timeout()' schedule_timeout
t 'high-resolution timers: start, run, end, cancel' hrtimers
t 'timers of user space, in the clock they were asked in' timerfd
t 'the tick stops at the next event and starts again' tick
finish
