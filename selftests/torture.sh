#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Records that are numbered and signed, from threads, interrupts and NMIs on every CPU,
# while all that can change under them does: see kernel/trace/lkst/tests/torture.c.
# Each case takes LKST_TORTURE_SECONDS, 10 of them, or 300 with LKST_TEST_LONG=1. QEMU
# without KVM lets interrupts come at branches only: between any two instructions with
# -icount.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

SECONDS_EACH=${LKST_TEST_LONG:+300}
SECONDS_EACH=${LKST_TORTURE_SECONDS:-${SECONDS_EACH:-10}}
LIMIT=$((LIMIT + 2 * SECONDS_EACH))

# torture PACE CHANGES: runs that again and again until the time is over.
torture() {
	[ -e "$TORTURE" ] || lack 'no CONFIG_LKST_TORTURE in this kernel'
	[ ! -e "$CPU1/online" ] || can_unplug
	for handler in filter stack trigger; do
		insmod "$(module "lkst_$handler")"
	done
	regs=$(module lkst_regs)
	maskset direct 'INT_TASKLETHI_ENTRY default'
	maskset called 'INT_TASKLETHI_ENTRY filter'
	maskset deep 'INT_TASKLETHI_ENTRY stack'
	maskset acting 'INT_TASKLETHI_ENTRY trigger'
	maskset extra 'INT_TASKLETHI_ENTRY default'
	put handlers/trigger/control 'count=200 rearm=1ms do=buffer:two do=maskset:direct
		after=1ms do=buffer:one'
	put trace ''
	put buffer one
	put maskset direct
	"$BIN/lkst_torture" "$SECONDS_EACH" "$1" >"$TMP/told" &
	checker=$!
	rounds=0
	while kill -0 "$checker" 2>/dev/null; do
		"$2"
		rounds=$((rounds + 1))
	done
	good=0
	wait "$checker" || good=1
	stop
	cat "$TMP/told"
	[ "$good" -eq 0 ]
	[ "$rounds" -gt 0 ]
	for b in one two; do
		identity "$b"
	done
	contexts='task softirq hardirq'
	[ "$(uname -m)" != x86_64 ] || contexts="$contexts nmi"
	for context in $contexts; do
		[ "$(value "$context" "$TMP/told" | cut -d' ' -f2)" -gt 100 ]
	done
	awk -v rounds="$rounds" '
		NF == 3 && $2 > 0 { printf "%s %s of %s", n++ ? "," : "read:", $3, $2 " in " $1 }
		$1 == "overwritten" || /^lost_/ { counted += $2 }
		$1 == "missing" { missing = $2 }
		END { printf "; %d rounds; %d missing, %d and LKST\047s own are counted\n",
			rounds, missing, counted }' "$TMP/told" >"$TMP/say"
}

# Masksets, handlers, a module, buffers, and a CPU that goes and comes.
changes() {
	put maskset called
	put buffer two
	put maskset deep
	insmod "$regs"
	put masksets/extra 'INT_TASKLETHI_ENTRY regs'
	put maskset extra
	put buffer one
	put maskset acting
	put masksets/extra 'INT_TASKLETHI_ENTRY default'
	rmmod lkst_regs
	[ ! -e "$CPU1/online" ] || echo 0 >"$CPU1/online"
	put maskset direct
	[ ! -e "$CPU1/online" ] || echo 1 >"$CPU1/online"
}

# As much as is recorded until it is read has room, unless the machine is busy.
room() {
	put buffers/create 'one 32M'
	put buffers/create 'two 32M'
	torture 1 changes
}

# resize BUFFER SIZE: a smaller one waits for writers that were interrupted.
resize() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		put "buffers/$1/size" "$2" 2>"$TMP/busy" && return
	done
	cat "$TMP/busy"
	return 1
}

tight_changes() {
	changes
	resize one 20K
	put buffer two
	resize one 256K
	put buffer three
	resize two 16K
	put buffers/one/mode discard
	put buffer one
	resize two 128K
	put buffers/one/mode overwrite
}

# More comes than can be read, blocks are small, and buffers change their size, too.
tight() {
	put buffers/create 'two 72K'
	put buffers/create 'one 68K'
	put buffers/create 'three 24K next=two'
	torture 2 tight_changes
	identity three
}

t 'torture: large buffers' room
t 'torture: small buffers, and their sizes change' tight
finish
