#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Everything is recorded, locks included, while the machine does everything: no
# complaint of the kernel, no stall, and every record is accounted for. With
# LKST_TEST_LONG=1 a minute and a thousand switches, else some seconds.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

LONG=${LKST_TEST_LONG:-}
[ -z "$LONG" ] || LIMIT=$((LIMIT + 3600))
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
	n=40
	[ -z "$SLOW" ] || n=20
	[ -z "$LONG" ] || n=1000
	# Longer than they take: it is ended then.
	seconds=100
	[ -z "$LONG" ] || seconds=3600
	load $seconds
	i=0
	# Who switches has not to wait for its turn behind the load.
	"$H" fifo $$
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

# with HANDLER CONFIGURATION...: all events go to it, with one after the other.
with() {
	ko=$(module "lkst_$1")
	insmod "$ko"
	put masksets/mine "* $1"
	handler=$1
	shift
	for conf; do
		put "handlers/$handler/control" "$conf"
		usleep 10000
	done
	[ ! -e "$LKST/handlers/$handler/result" ] ||
		cat "$LKST/handlers/$handler/result" >/dev/null
	put masksets/mine '* nothing'
	rmmod "lkst_$handler"
}

# Every handler is loaded, called for all events, configured and unloaded.
handlers() {
	put buffers/create 'other 256K'
	maskset detail '* default'
	maskset mine
	put maskset mine
	seconds=8
	[ -z "$LONG" ] || seconds=60
	load $seconds
	n=0
	# shellcheck disable=SC2086
	while kill -0 $loads 2>/dev/null; do
		with filter 'comm=provoke* flags=hardirq' "pid=$$ children=1" ''
		with count by=comm,arg1 by=event,cpu 'by=pid top=0'
		with latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT over=1us' \
			'begin=LK_SPINLOCK end=LK_SPINUNLOCK key=arg1 over=1us'
		with sample every=3 'every=2 rate=100'
		with stack depth=16 'depth=8 user=1'
		with regs
		with trigger 'count=100 rearm=0 do=notify' \
			'count=50 within=10ms rearm=1ms do=buffer:other do=buffer:main' \
			'count=1000 do=maskset:detail after=1ms do=maskset:mine after=1ms do=notify'
		put maskset mine
		with perbuffer 'default=main' "pid=$$:other default=main"
		put buffer main
		with watchdog 'timeout=1ms do=notify' 'timeout=2ms if=comm=nobody do=buffer:main'
		n=$((n + 1))
		[ $n -lt 1000 ]
	done
	[ $n -ge 1 ]
	put buffer main
	[ -z "$LONG" ] || echo "# $n rounds" >>"$TMP/say"
	# shellcheck disable=SC2086
	wait $loads
	stop
	identity main
	identity other
}

t 'RALL under load: nothing uncounted' all
t 'RALL under load, read meanwhile' all_read
t 'RALL to RNOTHING and back under load' switches
t 'every handler is loaded, called, configured and unloaded under load' handlers
finish
