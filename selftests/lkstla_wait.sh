#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lkstla wait: what is known of waits by who made them is what it says, and its sums are
# those of lkstla states.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

LOG=$TMP/wait.log

# recorded COMMAND...: what the default maskset records of it, and these events, is $LOG.
recorded() {
	need lkst lkstla
	put masksets/create 'waits RDEFAULT'
	for event in TIMER_HR_START LK_FUTEX_WAKE; do
		put masksets/waits "$event default"
	done
	lkst record -m waits -s 16M -o "$LOG" "$@" >"$TMP/stdout" 2>"$TMP/stderr"
	grep ' records ' "$TMP/stderr"
	if grep -E 'missing|lost' "$TMP/stderr"; then
		return 1
	fi
}

# waits PID: a line for each of its waits: begin and length in ns, what is not known of
# them, reason, who ended it, detail; with tabs.
waits() {
	lkstla wait --of "$1" --csv "$LOG" 2>"$TMP/notes" | awk -v OFS='\t' '
		NR == 1 { ranges = /length_ns_low/; next }
		{
			n = split($0, w, ",")
			split(w[1], t, ".")
			i = 2 + ranges
			detail = w[i + 4]
			for (k = i + 5; k <= n; k++)
				detail = detail "," w[k]
			gsub(/"/, "", detail)
			print t[1] t[2], w[2], w[i + 1], w[i + 2], w[i + 3], detail
		}'
}

# expected NAME REASON DETAIL [ENDER]: the one wait that provoke_wait tells of. DETAIL and
# ENDER are patterns. Who ends it may do so through a CPU that is idle and polls for it,
# which no record tells of: nor does one then of whose end a wait was.
# What it waits for takes 30 ms, of which it may take some to leave its CPU on a machine that is
# busy: a third of that is a wait.
expected() {
	# shellcheck disable=SC2046
	set -- "$1" "$2" "$3" "${4:-}" $(grep "^$1 " "$TMP/stdout")
	[ $# -eq 10 ]
	waits "$6" >"$TMP/$1"
	cat "$TMP/$1"
	ender=${4:-.*-$7|another CPU}
	awk -F '\t' -v reason="$2" -v detail="^$3\$" -v begin="$8" -v end="$9" \
		-v ender="^($ender)\$" -v least="${LEAST:-10000000}" '
		$1 < begin || $1 > end || ($4 != reason && $2 < 10000000) { next }
		{ n++ }
		$1 + $2 > end || $2 < least || $3 != "-" { exit }
		$5 == "another CPU" { sub(/, end of .*/, "", detail) }
		$4 == reason && $5 ~ ender && $6 ~ detail { good++ }
		END { exit n != 1 || good != 1 }' "$TMP/$1"
}

known() {
	recorded "$BIN/provoke_wait"
	cat "$TMP/stdout"
	expected pipe pipe 'pipe 0x[0-9a-f]* to read'
	expected eventfd eventfd 'eventfd 0x[0-9a-f]* to read'
	expected net net 'recvfrom of file [0-9]*'
	expected futex futex 'futex 0x[0-9a-f]*, shared'
	expected signal signal rt_sigsuspend
	expected sleep timer 'clock_nanosleep, late by [0-9.]* us' 'timer .hardirq.'
	# Some machines' poll() is that.
	expected timeout timer 'p*poll, late by [0-9.]* us' 'timer .hardirq.'
	expected child child 'wait4, end of other-[0-9]*'
	expected threads futex 'futex 0x[0-9a-f]*'
}

# Each voluntary switch that the kernel counts is a wait in the log, and there is no other.
counted() {
	recorded "$BIN/provoke_wait"
	grep -v ' -$' "$TMP/stdout" >"$TMP/processes"
	while read -r name pid _ _ end switches; do
		n=$(waits "$pid" | awk -F '\t' -v end="$end" '$1 < end && $6 != "not started yet"' | wc -l)
		echo "$name: $n waits, $switches switches"
		[ "$n" -eq "$switches" ]
	done <"$TMP/processes"
}

# How late a timer ran, from the records of its start and of its run.
late() {
	recorded "$BIN/provoke_wait"
	# shellcheck disable=SC2046
	set -- $(grep '^sleep ' "$TMP/stdout")
	lkstbuf print -f "$LOG" >"$TMP/records" 2>"$TMP/stderr"
	awk -v who="^sleep-$2\$" -v begin="$4" -v end="$5" '
		function value(name,  i, w) {
			for (i = 5; i <= NF; i++) {
				split($i, w, "=")
				if (w[1] == name)
					return w[2]
			}
		}
		{ split(substr($4, 1, length($4) - 1), t, "."); ns = t[1] t[2] }
		$1 ~ who && $5 == "TIMER_HR_START" && /func=hrtimer_wakeup/ && ns >= begin {
			timer = value("timer")
			expires = value("expires")
		}
		$5 == "TIMER_HR_RUN" && timer && value("timer") == timer && ns <= end {
			late = value("now") - expires
			printf "%.3f\n", (late > 0 ? late : 0) / 1000
			exit
		}' "$TMP/records" >"$TMP/late"
	cat "$TMP/late"
	waits "$2" | grep -qF "late by $(cat "$TMP/late") us"
}

# By task: reasons and unknown ones are the time that it was blocked, and what is not
# recorded that of which nothing is known.
sums() {
	recorded "$BIN/provoke_wait"
	lkstla states -a --csv "$LOG" 2>"$TMP/stderr" | awk -F, '
		!NF { exit }
		NR > 1 && $1 ~ /^[0-9]+$/ { b[$1] += $7; u[$1] += $9 }
		END { for (pid in b) printf "%d %.0f %.0f\n", pid, b[pid], u[pid] }' |
		sort >"$TMP/states"
	lkstla wait -a --csv "$LOG" 2>"$TMP/stderr" | awk -F, '
		!NF { n++; next }
		# LOW and HIGH of what may be more.
		n && /^pid,/ { time = 4; next }
		n && $1 ~ /^[0-9]+$/ {
			b[$1] += $3 == "unrecorded" ? 0 : $time
			u[$1] += $3 == "unrecorded" ? $time : 0
		}
		END { for (pid in b) printf "%d %.0f %.0f\n", pid, b[pid], u[pid] }' |
		sort >"$TMP/waits"
	[ "$(wc -l <"$TMP/states")" -gt 20 ]
	diff "$TMP/states" "$TMP/waits"
}

# A mutex that a task holds while it sleeps for 5 ms.
held() {
	recorded insmod "$(module lkst_test_locks)" what=contend kind=mutex hold_ms=5
	read -r _ holder </sys/module/lkst_test_locks/parameters/report
	# shellcheck disable=SC2046
	set -- $(grep '^mutex ' /sys/module/lkst_test_locks/parameters/report)
	rmmod lkst_test_locks
	waits "$3" >"$TMP/waits"
	cat "$TMP/waits"
	# Where the compiler makes no jump of a last call, mutex_lock() itself is the caller.
	at=
	[ "$(uname -m)" = x86_64 ] || at=mutex_lock
	awk -F '\t' -v lock="$2" -v holder="insmod-$holder" -v at="$at" '
		$4 == "lock" && $3 == "-" && $2 >= 5000000 && $5 ~ "^(" holder "|another CPU)$" &&
		index($6, "mutex " lock " in " (at ? "mutex_lock+" : "lkst_wait_mutex+")) == 1 &&
		index($6, ", held by " holder) { n++ }
		END { exit n != 1 }' "$TMP/waits"
}

disk() {
	slow_disk
	recorded "$BIN/provoke_wait" /dev/lkst
	dev=$((0x$(stat -c %t /dev/lkst))):$((0x$(stat -c %T /dev/lkst)))
	# It has begun on it before the task sleeps.
	LEAST=1
	expected disk disk "$dev sector 64" '(timer|vector|irq|hardirq|softirq).*'
}

t 'waits are told by what they are for, and who ended them' known
t 'there are as many waits as voluntary switches' counted
t 'how late a timer ran' late
t 'waits add up to the time that a task was blocked' sums
t 'who waits for a mutex is told who holds it' held
t 'who waits for a disk is told which, and the sector' disk
finish
