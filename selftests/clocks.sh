#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The four clocks, held against clock_gettime() of a process that writes a marker.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# With these clocks the stamp is the time itself: it lies between two readings.
exact() {
	put clock "$1"
	quiet
	for c in $(cpus); do
		"$H" between "$1" "stamp$c" "$c" >"$TMP/times$c"
	done
	stop
	dump
	for c in $(cpus); do
		read -r t0 t1 <"$TMP/times$c"
		t=$(awk -v c="$c" '$5 == "LKST_MARKER" && $7 == "stamp" c { print $2 }' "$TMP/dump")
		[ "$t" -ge "$t0" ]
		[ "$t" -le "$t1" ]
	done
}

mono() {
	exact mono
}

boot() {
	exact boot
}

# convert CLOCK MONO FROM: what status says of two moments makes nanoseconds of
# any other; prints the CLOCK_MONOTONIC of each stamp.
marker_times() {
	awk -v s="$1" -v e="$2" '
		BEGIN { split(s, a, " "); split(e, b, " ") }
		$5 == "LKST_MARKER" {
			f = (b[2] - a[2]) / (b[1] - a[1])
			printf "%s %.0f\n", $7, a[2] + ($2 - a[1]) * f }' "$TMP/dump"
}

# The raw counter, by what status tells: clock_start and clock_now.
tsc() {
	grep -q tsc "$LKST/clock"
	"$H" wr "$LKST/clock" tsc | grep -qx OK || skip 'no tsc here'
	[ "$(key status clock)" = tsc ] || skip 'the tsc is not synchronised'
	quiet
	sleep 1
	for c in $(cpus); do
		"$H" between mono "stamp$c" "$c" >"$TMP/times$c"
	done
	sleep 1
	now=$(key status clock_now)
	start=$(key status clock_start)
	khz=$(key status clock_khz)
	stop
	dump
	marker_times "$start" "$now" >"$TMP/times"
	for c in $(cpus); do
		read -r t0 t1 <"$TMP/times$c"
		t=$(sed -n "s/^stamp$c //p" "$TMP/times")
		# NTP and rounding: within 100 us of the readings.
		[ "$t" -ge $((t0 - 100000)) ]
		[ "$t" -le $((t1 + 100000)) ]
	done
	# clock_khz says the same, to a thousandth.
	echo "$start $now $khz" | awk '{ f = ($5 - $1) / ($6 - $2) * 1e6
		exit !(f > $9 * 0.999 && f < $9 * 1.001) }'
}

# Not comparable with anything, but it goes on and is the CPU's.
local_clock() {
	put clock local
	quiet
	"$H" markers 0 1 50
	stop
	dump
	awk '$5 == "LKST_MARKER" && $7 == "m" { if ($2 < t) bad++; t = $2; n++ }
		END { exit bad > 0 || n != 50 }' "$TMP/dump"
	[ "$(key status clock_khz)" -eq 1000000 ]
}

# status gives four clocks of one moment.
status_clocks() {
	maskset quiet 'PROCESS_LTHREADGEN default'
	for clock in mono boot; do
		put clock "$clock"
		put maskset quiet
		put marker x
		"$H" between mono a >"$TMP/1"
		key status clock_now >"$TMP/now"
		"$H" between mono b >"$TMP/2"
		read -r lkst mono real boot <"$TMP/now"
		[ "$mono" -gt "$(cut -d' ' -f2 "$TMP/1")" ]
		[ "$mono" -lt "$(cut -d' ' -f1 "$TMP/2")" ]
		eval "[ \$(( $lkst - \$$clock )) -lt 1000000 ]"
		eval "[ \$(( \$$clock - $lkst )) -lt 1000000 ]"
		[ $((real / 1000000000)) -ge $(($(date +%s) - 2)) ]
		[ $((real / 1000000000)) -le "$(date +%s)" ]
		[ "$boot" -ge "$mono" ]
		stop
	done
}

# The text trace is in seconds of CLOCK_MONOTONIC, whatever was recorded.
text_is_mono() {
	maskset quiet 'PROCESS_LTHREADGEN default'
	for clock in tsc mono; do
		"$H" wr "$LKST/clock" "$clock" | grep -qx OK || continue
		put maskset quiet
		"$H" between mono "stamp" >"$TMP/times"
		usleep 200000
		stop
		t=$(sed -n 's/^[^]]*\] *[^ ]* *\([0-9]*\)\.\([0-9]*\): LKST_MARKER.*stamp.*/\1\2/p' "$LKST/trace")
		read -r t0 t1 <"$TMP/times"
		[ "$t" -ge $((t0 - 200000)) ]
		[ "$t" -le $((t1 + 200000)) ]
		echo >"$LKST/trace"
	done
}

# LKST_INIT tells time, mono and real of the start, and the clock. The start was after
# what /proc/timer_list said before it, the record after the start, and the end after both.
init_record() {
	put clock mono
	t0=$(mono_ns)
	quiet
	stop
	t1=$(mono_ns)
	dump
	for c in $(cpus); do
		# shellcheck disable=SC2046
		set -- $(awk -v c="$c" '$1 == c && $5 == "LKST_INIT" { print $2, $6, $7, $8, $9 }' "$TMP/dump")
		[ "$(($2))" -ge "$t0" ]
		[ "$1" -ge "$(($2))" ]
		[ "$1" -le "$t1" ]
		d=$(($2 - $(($3))))
		[ "$d" -ge -1000000 ]
		[ "$d" -le 1000000 ]
		[ $(($4 / 1000000000)) -le "$(date +%s)" ]
		# LKST_CLOCK_MONO is 2.
		[ $(($5 & 0xffffffff)) -eq 2 ]
		[ $(($5 >> 32)) -eq "$(key status clock_khz)" ]
	done
}

# The head of each block has the clock's time and CLOCK_MONOTONIC of one moment.
block_times() {
	put clock mono
	maskset calls ':syscall default'
	put maskset calls
	"$H" getppid 2000 >/dev/null
	stop
	dump -b
	awk '/^#block/ { n++
		for (i = 1; i < NF; i++) v[$i] = $(i + 1)
		d = v["time"] - v["mono"]
		if (d > 1000000 || d < -1000000 || v["clock"] != 2) bad++ }
		END { exit bad > 0 || n < 1 }' "$TMP/dump"
}

t 'mono: a stamp lies between two clock_gettime()' mono
t 'boot: a stamp lies between two clock_gettime()' boot
t 'tsc: what status tells makes CLOCK_MONOTONIC of it' tsc
t 'local: goes on' local_clock
t 'status tells four clocks of one moment' status_clocks
t 'the text trace is in CLOCK_MONOTONIC' text_is_mono
t 'LKST_INIT tells the time of the start' init_record
t 'blocks tell clock and CLOCK_MONOTONIC' block_times
finish
