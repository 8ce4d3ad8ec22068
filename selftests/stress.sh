#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Everything is recorded, locks included, while the machine does everything: no
# complaint of the kernel, no stall, and every record is accounted for. With
# LKST_TEST_LONG=1 a minute and a thousand switches, else some seconds.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

LONG=${LKST_TEST_LONG:-}
[ -z "$LONG" ] || LIMIT=$((LIMIT + 900))
LIMIT=$((LIMIT + 60))

# load SECONDS: in the background: messages, network, disk, memory, locks, and a
# compiler where there is one.
load() {
	ip link set lo up 2>/dev/null || :
	disk=$TMP/disk
	[ ! -b /dev/ram0 ] || disk=/dev/ram0
	"$BIN/provoke_load" "$1" messages tcp udp "disk=$disk" memory threads \
		>"$TMP/load" &
	loads=$!
	if [ -x /usr/bin/gcc ]; then
		(
			end=$(($(date +%s) + $1))
			while [ "$(date +%s)" -lt "$end" ]; do
				/usr/bin/gcc -O2 -S -o "$TMP/out.s" \
					"$SRC/lkst_helper.c" 2>/dev/null || :
				echo compiled
			done >"$TMP/compiled"
		) &
		loads="$loads $!"
	fi
}

# Every part of the load went around, and no CPU lost a record uncounted.
loaded() {
	# shellcheck disable=SC2086
	wait $loads
	[ "$(awk '$2 > 0' "$TMP/load" | wc -l)" -eq 6 ]
	stop
	identity main
	key status recursed
	[ "$(sum main written)" -gt 10000 ]
	sed 's/^/# /' "$TMP/load" >"$TMP/say"
	[ ! -s "$TMP/compiled" ] || echo "# $(wc -l <"$TMP/compiled") compiled" >>"$TMP/say"
	echo "# $(sum main written) records" >>"$TMP/say"
}

all() {
	put maskset RALL
	seconds=8
	[ -z "$LONG" ] || seconds=60
	load $seconds
	loaded
	# Locks too, if they have hooks.
	[ "$(awk '$2 == "LK_SPINLOCK" { print $4 }' "$LKST/events")" -eq 0 ] ||
		"$H" dump | grep -q LK_SPINLOCK
}

# A reader takes out what it can meanwhile.
all_read() {
	put maskset RALL
	load 5
	timeout 4 cat "$LKST/trace_pipe" | tail -n 1 >"$TMP/last" || :
	loaded
	[ -s "$TMP/last" ]
}

switches() {
	n=30
	[ -z "$SLOW" ] || n=5
	[ -z "$LONG" ] || n=1000
	# Longer than they take: it is ended then.
	seconds=100
	[ -z "$LONG" ] || seconds=900
	load $seconds
	i=0
	read -r start _ </proc/uptime
	while [ $i -lt $n ] && kill -0 "${loads%% *}"; do
		put maskset RALL
		put maskset RNOTHING
		i=$((i + 1))
	done
	read -r end _ </proc/uptime
	put maskset RALL
	# shellcheck disable=SC2086
	kill $loads 2>/dev/null || :
	# shellcheck disable=SC2086
	wait $loads || :
	stop
	identity main
	[ $i -eq $n ]
	echo "# $n times on and off from $start to $end s" >"$TMP/say"
}

t 'RALL under load: nothing uncounted' all
t 'RALL under load, read meanwhile' all_read
t 'RALL to RNOTHING and back under load' switches
finish
