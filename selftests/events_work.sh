#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Deferred work, RCU and power management: each event is provoked on purpose, and
# its record held against what who provoked it knows.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_timers.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_timers.sh"

# Bound, waiting, unbound, in a softirq, by a timer.
work() {
	ko=$(module lkst_test_timers)
	on ':work default' 'TIMER_ADD default' 'TIMER_RUN default' 'TIMER_DEL default'
	provoke work
	collect
	# Who was interrupted by the timer is not known.
	sed -E -i 's/^([0-9]+) [0-9]+ (TIMER_RUN|WORK_QUEUE)/\1 - \2/' "$TMP/want"
	told 'WORK_(QUEUE|START|END)|TIMER_(ADD|RUN|DEL)'
}

kthread_work() {
	ko=$(module lkst_test_timers)
	on ':work default'
	provoke kthread
	collect
	told 'WORK_KTHREAD_.*'
	# By the worker's own thread.
	[ "$(awk '$3 ~ /START|END/ { print $2 }' "$TMP/want" | sort -u | wc -l)" -eq 1 ]
}

rcu_callback() {
	ko=$(module lkst_test_timers)
	on 'RCU_* default'
	provoke rcu
	collect
	[ "$(wc -l <"$TMP/want")" -eq 3 ]
	told RCU_CALLBACK
}

# Between two readings of its number, a grace period has started if its number
# says so, and has ended if the next one does: once each, one after the other.
rcu_grace_period() {
	ko=$(module lkst_test_timers)
	on 'RCU_* default'
	provoke rcu
	collect
	[ -d /sys/module/rcutree ] || skip 'no tree RCU'
	# The lower two bits are the state: 0 between two, 1 in a grace period.
	ended=0
	seq=$((from / 4 * 4 + 1))
	# The one that may be under way had started before.
	[ $((from % 4)) -eq 0 ] || seq=$((seq + 4))
	while [ $((seq)) -le $((to)) ]; do
		hex=$(printf '0x%x' $seq)
		[ "$(count " RCU_GP_START $hex\$")" -eq 1 ]
		if [ $((seq + 3)) -le $((to)) ]; then
			[ "$(count " RCU_GP_END $hex\$")" -eq 1 ]
			grep -E " RCU_GP_(START|END) $hex\$" "$TMP/dump" | head -n 1 |
				grep -q START
			ended=$((ended + 1))
		fi
		seq=$((seq + 4))
	done
	[ $ended -ge 3 ]
	# Each callback waited for one.
	awk '$5 == "RCU_GP_END" { gp++ }
		$5 == "RCU_CALLBACK" && $6 "" == head { if (!gp) bad++; gp = 0; n++ }
		END { exit bad > 0 || n != 3 }' \
		head="$(awk '{ print $4; exit }' "$TMP/want")" "$TMP/dump"
}

# alternate STATES: on each CPU, idle is entered and left in turn, by the idle
# task, on that CPU, in these states.
alternate() {
	awk -v states="^($1)\$" '
		$5 !~ /^POWER_IDLE_/ { next }
		$3 != 0 { print "not idle: " $0; bad++ }
		$6 != sprintf("0x%x", $1) { print "not its CPU: " $0; bad++ }
		$5 == "POWER_IDLE_ENTER" {
			if (idle[$1]) { print "twice: " $0; bad++ }
			if ($7 !~ states) { print "state: " $0; bad++ }
			idle[$1] = 1
		}
		$5 == "POWER_IDLE_EXIT" {
			if (idle[$1] == 0 && seen[$1]) { print "not in: " $0; bad++ }
			idle[$1] = 0
		}
		{ seen[$1] = 1; n++ }
		END { print n + 0, "records"; exit bad > 0 || !n }' "$TMP/dump" >"$TMP/alternate" || {
		head -n 5 "$TMP/alternate"
		return 1
	}
}

# idle_ms CPU: what /proc/stat says, in ms.
idle_ms() {
	awk -v c="cpu$1" '$1 == c { print ($5 + $6) * 10 }' /proc/stat
}

# Without a driver: as long as /proc/stat says, but for what interrupts take.
idle() {
	need_cpus 2
	cpu=$(last_cpu)
	on 'POWER_IDLE_* default'
	[ ! -e /sys/devices/system/cpu/cpu0/cpuidle/state0 ] || skip 'there is a driver'
	before=$(idle_ms "$cpu")
	"$BIN/provoke_timers" sleep "$cpu" 100 5 >/dev/null
	after=$(idle_ms "$cpu")
	collect
	alternate 0x1
	ms=$(awk -v c="$cpu" '$1 == c && $5 == "POWER_IDLE_ENTER" { in_ = $2 }
		$1 == c && $5 == "POWER_IDLE_EXIT" && in_ { s += $2 - in_ }
		END { printf "%d\n", s / 1000000 }' "$TMP/dump")
	echo "$ms ms recorded, $((after - before)) ms counted"
	[ "$ms" -ge $(((after - before) * 8 / 10 - 20)) ]
	[ "$ms" -le $(((after - before) * 12 / 10 + 60)) ]
	[ "$ms" -ge 200 ]
}

idle_polls() {
	ko=$(module lkst_test_timers)
	on 'POWER_IDLE_* default'
	provoke poll
	collect
	alternate '0x0|0x1'
	[ "$(count ' POWER_IDLE_ENTER 0x[0-9a-f]+ 0x0$')" -ge 1 ]
}

# usage: "CPU/STATE COUNT" of the idle driver.
usage() {
	for f in /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state*/usage; do
		read -r n <"$f"
		f=${f#*/cpu/cpu}
		f=${f%/usage}
		echo "${f%%/*}/${f##*state} $n"
	done
}

# With a driver: as often in each state as it counts. What is under way when the
# counts are read is in one and not in the other.
idle_states() {
	[ "$(uname -m)" = x86_64 ] || skip "the module's driver is for x86-64"
	ko=$(module lkst_test_timers)
	gone
	insmod "$ko" what=idle
	on_idle
	rmmod lkst_test_timers
}

on_idle() {
	put clock mono
	put buffers/main/size 8M
	maskset some 'POWER_IDLE_* default'
	usage >"$TMP/o0"
	put maskset some
	usage >"$TMP/i0"
	# First without the one, then without the other, so that both are entered.
	for without in 1 2; do
		for f in /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state"$without"/disable; do
			echo 1 >"$f"
		done
		for cpu in $(cpus); do
			"$BIN/provoke_timers" sleep "$cpu" 5 10 >/dev/null
		done
		for f in /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state"$without"/disable; do
			echo 0 >"$f"
		done
	done
	usage >"$TMP/i1"
	collect
	usage >"$TMP/o1"
	alternate '0x0|0x1|0x2'
	awk '$5 == "POWER_IDLE_ENTER" { print $6, $7 }' "$TMP/dump" | sort | uniq -c |
	while read -r n cpu state; do
		echo "$((cpu))/$((state)) $n"
	done >"$TMP/n"
	awk 'FNR == 1 { file++ }
		file == 1 { o0[$1] = $2 }
		file == 2 { i0[$1] = $2 }
		file == 3 { i1[$1] = $2 }
		file == 4 { o1[$1] = $2 }
		file == 5 { n[$1] = $2 }
		END {
			for (k in o1) {
				low = i1[k] - i0[k] - 1
				high = o1[k] - o0[k] + 1
				if (n[k] + 0 < low || n[k] + 0 > high) {
					print k ": recorded", n[k] + 0, "counted", low, "to", high
					bad = 1
				}
				all += n[k]
			}
			print all + 0
			exit bad || all < 20
		}' "$TMP/o0" "$TMP/i0" "$TMP/i1" "$TMP/o1" "$TMP/n"
	grep -q '/1 ' "$TMP/n"
	grep -q '/2 ' "$TMP/n"
}

CPUFREQ=/sys/devices/system/cpu/cpufreq

# reaches FILE VALUE: the policy is applied by a work item.
reaches() {
	for _ in $(seq 100); do
		read -r now <"$1"
		[ "$now" != "$2" ] || return 0
		usleep 10000
	done
	echo "$1 is $now, not $2"
	return 1
}

# The driver of the module changes to what it is told to, and tells of it.
freq() {
	ko=$(module lkst_test_timers)
	on 'POWER_FREQUENCY default'
	[ ! -d $CPUFREQ/policy0 ] || skip 'there is a driver'
	insmod "$ko" what=freq
	for p in "$CPUFREQ"/policy*; do
		echo performance >"$p/scaling_governor"
		reaches "$p/scaling_cur_freq" 3000000
		echo 2000000 >"$p/scaling_max_freq"
		reaches "$p/scaling_cur_freq" 2000000
		echo 1000000 >"$p/scaling_max_freq"
		reaches "$p/scaling_cur_freq" 1000000
	done
	# As the scheduler does it.
	echo 3000000 >$CPUFREQ/policy0/scaling_max_freq
	reaches $CPUFREQ/policy0/scaling_cur_freq 3000000
	echo 2000000 >$P/fast
	reaches $CPUFREQ/policy0/scaling_cur_freq 2000000
	# The driver fails: there, and back.
	lines=$(wc -l <$P/told)
	echo 1 >$P/fails
	echo 1000000 >$CPUFREQ/policy0/scaling_max_freq
	for _ in $(seq 100); do
		[ "$(wc -l <$P/told)" -lt $((lines + 2)) ] || break
		usleep 10000
	done
	[ "$(wc -l <$P/told)" -ge $((lines + 2)) ]
	echo 0 >$P/fails
	cat $P/told >"$TMP/want"
	rmmod lkst_test_timers
	collect
	changes
	# Each CPU by itself.
	for cpu in $(cpus); do
		[ "$(count " POWER_FREQUENCY $(printf '0x%x 0xf4240 0x%x' "$cpu" $((1 << cpu)))\$")" -ge 1 ]
	done
}

changes() {
	awk '{ print $3, $4, $5, $6 }' "$TMP/want" | sort -s -k2,2 >"$TMP/wanted"
	awk '$5 == "POWER_FREQUENCY" { print $5, $6, $7, $8 }' "$TMP/dump" | sort -s -k2,2 |
		cmp "$TMP/wanted" -
}

# All CPUs at once: one record.
freq_shared() {
	ko=$(module lkst_test_timers)
	on 'POWER_FREQUENCY default'
	[ ! -d $CPUFREQ/policy0 ] || skip 'there is a driver'
	insmod "$ko" what=freq_shared
	echo performance >$CPUFREQ/policy0/scaling_governor
	reaches $CPUFREQ/policy0/scaling_cur_freq 3000000
	echo 1000000 >$CPUFREQ/policy0/scaling_max_freq
	reaches $CPUFREQ/policy0/scaling_cur_freq 1000000
	cat $P/told >"$TMP/want"
	rmmod lkst_test_timers
	collect
	changes
	mask=0
	for cpu in $(cpus); do
		mask=$((mask | 1 << cpu))
	done
	# Not one a CPU: that changes() has seen. More than one if the default governor
	# slowed down before it was replaced.
	[ "$(count " POWER_FREQUENCY 0x0 0xf4240 $(printf '0x%x' $mask)\$")" -ge 1 ]
}

# As far as the freezer, and refused.
suspend() {
	[ -e /sys/power/pm_test ] || lack 'no CONFIG_PM_DEBUG'
	grep -qw freeze /sys/power/state || lack 'no suspend to idle'
	delay=/sys/module/suspend/parameters/pm_test_delay
	read -r old <$delay
	echo 0 >$delay
	on 'POWER_SUSPEND default'
	echo freezer >/sys/power/pm_test
	echo freeze >/sys/power/state
	# A level that there is not for this state: EAGAIN.
	echo core >/sys/power/pm_test
	if echo freeze >/sys/power/state; then
		return 1
	fi
	echo none >/sys/power/pm_test
	echo "$old" >$delay
	collect
	awk '$5 == "POWER_SUSPEND" { print $6, $7, $8 }' "$TMP/dump" >"$TMP/got"
	printf '%s\n' '0x1 0x1 0x0' '0x1 0x0 0x0' '0x1 0x1 0x0' '0x1 0x0 0xfffffffffffffff5' |
		cmp - "$TMP/got"
}

t 'work items: bound, waiting, unbound, in a softirq, by a timer' work
t 'items of a kthread worker' kthread_work
t 'RCU callbacks' rcu_callback
t 'RCU grace periods by their numbers' rcu_grace_period
t 'idle as long as /proc/stat counts' idle
t 'idle that polls' idle_polls
t 'idle states as often as their driver counts' idle_states
t 'the frequency of each CPU' freq
t 'a frequency that CPUs share' freq_shared
t 'suspend, as far as it is tested, and refused' suspend
finish
