#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What makes sense and what does not is written to every control file, while events
# are recorded. The kernel does not complain, forgets none of its memory, and all can
# be put back. With LKST_TEST_LONG=1 a million writes, others each time; else two thousand
# that are always the same. LKST_TEST_SEED says which. A kernel that was started with
# kmemleak=on is asked for what nobody frees.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

LONG=${LKST_TEST_LONG:-}
LIMIT=$((LIMIT + 120))
[ -z "$LONG" ] || LIMIT=$((LIMIT + 5400))

free_memory() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	usleep 300000
	awk '$1 == "MemFree:" { print $2 }' /proc/meminfo
}

KMEMLEAK=/sys/kernel/debug/kmemleak

# leaks_begin: what is there that nobody frees, was so before. Fails where nobody looks.
leaks_begin() {
	grep -qw kmemleak=on /proc/cmdline || return
	echo scan >"$KMEMLEAK" || lack 'kmemleak=on, and no kmemleak'
	echo clear >"$KMEMLEAK"
}

# leaks_end: none is new. What is younger than 5 s is none, and what was on its way
# while one scan went on, the next finds.
leaks_end() {
	for _ in 1 2; do
		sleep 6
		echo scan >"$KMEMLEAK"
	done
	awk '
	function close_object() {
		if (object ~ /lkst|provoke/) {
			printf "%s", object
			n++
		}
		object = ""
	}
	/^unreferenced object/ { close_object() }
	{ object = object $0 "\n" }
	END { close_object(); exit n > 0 }' "$KMEMLEAK"
}

writes() {
	n=$(scaled 2000)
	[ -z "$LONG" ] || n=1000000
	for handler in filter trigger count latency sample stack regs perbuffer watchdog; do
		ko=$(module "lkst_$handler")
		insmod "$ko"
	done
	settings >"$TMP/before"
	leaks=
	! leaks_begin || leaks=1
	before=$(free_memory)
	seed=1
	[ -z "$LONG" ] || seed=$(date +%s)
	seed=${LKST_TEST_SEED:-$seed}
	echo "seed $seed" >"$TMP/say"
	"$BIN/provoke_load" 2 messages >/dev/null &
	"$BIN/provoke_fuzz" "$LKST" "$seed" "$n" >"$TMP/out" || {
		cat "$TMP/say" "$TMP/out"
		return 1
	}
	cat "$TMP/out" >>"$TMP/say"
	wait
	# What it can't do at once it does later, or it shows below.
	set +e
	reset
	set -e
	for handler in filter trigger count latency sample stack regs perbuffer watchdog; do
		insmod "$(module "lkst_$handler")"
	done
	settings >"$TMP/after"
	diff "$TMP/before" "$TMP/after" || {
		cat "$TMP/say"
		return 1
	}
	after=$(free_memory)
	[ -z "$leaks" ] || leaks_end
	echo "# $before kB free, then $after kB" >>"$TMP/say"
	[ "$after" -ge $((before - 8192)) ]
}

# What was taken mostly waits for a grace period, and a million of these take hours.
read -r expedited </sys/kernel/rcu_expedited
[ -z "$LONG" ] || echo 1 >/sys/kernel/rcu_expedited
t 'every control file, whatever is written' writes
[ -z "$LONG" ] || echo "$expedited" >/sys/kernel/rcu_expedited
finish
