#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Locks: a module takes locks of each kind from functions whose names are known,
# at addresses that it tells; provoke_locks does so with futexes.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

REPORT=/sys/module/lkst_test_locks/parameters/report

# run EVENTS PARAMETER...: the module does what it is told to while these are
# recorded; then $TMP/dump, $TMP/report, $TMP/symbols of functions by address.
run() {
	ko=$(module lkst_test_locks)
	maskset locks 'PROCESS_FORK default'
	for event in $1; do
		put masksets/locks "LK_$event default"
	done
	shift
	put buffers/main/size 8M
	put maskset locks
	insmod "$ko" "$@"
	stop
	nothing_overwritten
	dump
	cat "$REPORT" >"$TMP/report"
	grep -E ' [tT] (lkst_test|lkst_wait|ww_mutex_|mutex_)' /proc/kallsyms |
		cut -f1 | cut -d' ' -f1,3 | sort >"$TMP/symbols"
	rmmod lkst_test_locks
	read -r _ pid <"$TMP/report"
}

# lock NAME: its address.
lock() {
	awk -v n="$1" '$1 == n { print $2 }' "$TMP/report"
}

# on LOCK PID EVENTS: what this thread did to the lock, in order: the event's name,
# and its arguments but the lock, callers as the functions that they are in. Most
# locks start with a spinlock of their own, so EVENTS says which to look at.
on() {
	sort -s -n -k2 "$TMP/dump" | awk -v lock="$1" -v pid="$2" -v events="^LK_($3)" \
		-v symbols="$TMP/symbols" '
		BEGIN { while ((getline line < symbols) > 0) {
			split(line, w, " "); at[n] = "0x" w[1]; name[n++] = w[2] } }
		function symbol(x,  i, s) {
			for (i = 0; i < n && at[i] <= x; i++)
				s = name[i]
			return s
		}
		# As text: as numbers, addresses that are near are the same.
		$3 == pid && $6 "" == lock "" && $5 ~ events {
			printf "%s", $5
			caller = $5 !~ /CONTENTION|RWSEM_WAIT|RTMUTEX_WAIT/
			for (i = 7; i <= NF; i++)
				printf " %s", caller && i == 7 ? symbol($i) : $i
			print ""
		}'
}

# same LOCK PID EVENTS: what this thread did to the lock is what standard input
# says.
same() {
	on "$1" "$2" "$3" >"$TMP/got"
	cat >"$TMP/want"
	diff "$TMP/want" "$TMP/got"
}

# pairs N LOCK FUNCTION LOCKED UNLOCKED: N times one and the other.
pairs() {
	i=0
	while [ "$i" -lt "$1" ]; do
		printf '%s %s\n%s %s\n' "$3" "$2" "$4" "$2"
		i=$((i + 1))
	done
}

spinlock() {
	run 'SPIN*' what=spin
	f=lkst_test_spin
	{
		pairs 6 "$f" LK_SPINLOCK LK_SPINUNLOCK
		cat <<-END
		LK_SPINTRYLOCK $f 0x1
		LK_SPINTRYLOCK $f 0x0
		LK_SPINTRYLOCK $f 0x0
		LK_SPINUNLOCK $f
		LK_SPINTRYLOCK $f 0x1
		LK_SPINUNLOCK $f
		END
	} | same "$(lock spin)" "$pid" SPIN
	f=lkst_test_raw
	same "$(lock raw)" "$pid" SPIN <<-END
	LK_SPINLOCK $f
	LK_SPINUNLOCK $f
	LK_SPINTRYLOCK $f 0x1
	LK_SPINUNLOCK $f
	END
}

rwlock() {
	run 'WR* RD*' what=spin
	w=lkst_test_write
	r=lkst_test_read
	{
		pairs 5 "$w" LK_WRLOCK LK_WRUNLOCK
		cat <<-END
		LK_WRTRYLOCK $w 0x1
		LK_WRTRYLOCK $w 0x0
		LK_WRUNLOCK $w
		END
		pairs 4 "$r" LK_RDLOCK LK_RDUNLOCK
		cat <<-END
		LK_RDTRYLOCK $r 0x1
		LK_RDUNLOCK $r
		LK_WRLOCK $r
		LK_RDTRYLOCK $r 0x0
		LK_WRUNLOCK $r
		END
	} | same "$(lock rw)" "$pid" 'WR|RD'
}

# Recorded between taking and releasing: interrupts and preemption are as the
# lock has them.
context() {
	run 'SPIN*' what=spin
	sort -s -n -k2 "$TMP/dump" |
		awk -v l="$(lock spin)" -v p="$pid" '$3 == p && $6 "" == l "" { print $4 }' >"$TMP/flags"
	# spin_lock, _irq, _irqsave, _bh: preemption is off in each, interrupts in two.
	i=0
	while read -r flags; do
		i=$((i + 1))
		[ "$i" -le 8 ] || break
		case $i in
		3 | 4 | 5 | 6) [ $((flags & 0x200)) -ne 0 ] ;;
		*) [ $((flags & 0x200)) -eq 0 ] ;;
		esac
		[ $((flags & 8)) -ne 0 ] || [ "$i" -ge 7 ]
	done <"$TMP/flags"
	[ "$i" -gt 8 ]
}

mutexes() {
	run 'MUTEX*' what=sleep
	f=lkst_test_mutex
	on "$(lock mutex)" "$pid" MUTEX | sed "s/mutex_lock_io\$/$f/" >"$TMP/got"
	pairs 6 "$f" LK_MUTEX_LOCK LK_MUTEX_UNLOCK | diff - "$TMP/got"
	f=lkst_test_ww
	for ww in ww:4 ww2:1; do
		on "$(lock "${ww%:*}")" "$pid" MUTEX |
			sed "s/ww_mutex_[a-z]*\$/$f/" >"$TMP/got"
		pairs "${ww#*:}" "$f" LK_MUTEX_LOCK LK_MUTEX_UNLOCK | diff - "$TMP/got"
	done
}

rwsem() {
	run 'RWSEM*' what=sleep
	r=lkst_test_rwsem_read
	w=lkst_test_rwsem_write
	{
		pairs 6 "$r" LK_RWSEM_LOCK LK_RWSEM_UNLOCK | sed 's/$/ 0x0/'
		pairs 5 "$w" LK_RWSEM_LOCK LK_RWSEM_UNLOCK | sed 's/$/ 0x1/'
		# Downgraded.
		pairs 1 "$w" LK_RWSEM_LOCK LK_RWSEM_UNLOCK | sed 's/$/ 0x0/'
	} | same "$(lock rwsem)" "$pid" RWSEM
}

rtmutex() {
	run 'RTMUTEX*' what=sleep
	pairs 4 lkst_test_rtmutex LK_RTMUTEX_LOCK LK_RTMUTEX_UNLOCK |
		same "$(lock rtmutex)" "$pid" RTMUTEX
}

# waited KIND EVENTS: sets addr, tid and owner, and puts what who waited did in
# $TMP/got.
waited() {
	events=$2
	# shellcheck disable=SC2046
	set -- $(grep "^$1 " "$TMP/report")
	[ $# -eq 4 ]
	addr=$2
	tid=$3
	owner=$4
	on "$addr" "$tid" "$events" >"$TMP/got"
}

# from_frames INNER CALLER: where the kernel has frame pointers, or calls something at the
# end of each function as with KCSAN, no call is made a jump, and it is INNER that calls the
# part that waits.
from_frames() {
	[ "$(uname -m)" != x86_64 ] || [ -e /sys/kernel/debug/kcsan ] || return 0
	sed -i "s/^\(LK_MUTEX_[A-Z]*\) $1\( \|\$\)/\1 $2\2/" "$TMP/got"
}

# holder KIND: the insmod that holds the lock is the task that its record names.
holder() {
	waited "$1" NONE
	[ "$owner" = "$(task "$pid")" ]
}

contended_mutex() {
	run 'CONTENTION* MUTEX*' what=contend kind=mutex
	holder mutex
	waited mutex 'CONTENTION|MUTEX'
	f=lkst_wait_mutex
	from_frames mutex_lock $f
	# Spinning, sleeping; perhaps spinning and sleeping again.
	head -n 3 "$TMP/got" >"$TMP/first"
	tail -n 3 "$TMP/got" >"$TMP/last"
	diff - "$TMP/first" <<-END
	LK_CONTENTION_BEGIN 0x21
	LK_CONTENTION_BEGIN 0x20
	LK_MUTEX_WAIT $f $owner
	END
	diff - "$TMP/last" <<-END
	LK_CONTENTION_END 0x0
	LK_MUTEX_LOCK $f
	LK_MUTEX_UNLOCK $f
	END
	[ "$(sed '1,3d' "$TMP/got" | sed '$d' | grep -vcE '^LK_CONTENTION_BEGIN 0x2[01]$')" -eq 2 ]

	# A signal ends it.
	waited mutex_intr 'CONTENTION|MUTEX'
	from_frames mutex_lock_interruptible lkst_wait_mutex_intr
	sed -n '$p' "$TMP/got" >"$TMP/last"
	echo LK_CONTENTION_END 0xfffffffffffffffc | diff - "$TMP/last"
	grep -q "^LK_MUTEX_WAIT lkst_wait_mutex_intr $owner\$" "$TMP/got"
	if grep LK_MUTEX_LOCK "$TMP/got"; then
		return 1
	fi
}

# waiter KIND EVENTS: standard input says all that who waited did.
waiter() {
	cat >"$TMP/want"
	waited "$1" "CONTENTION|$2"
	sed -i "s/OWNER/$owner/" "$TMP/want"
	diff "$TMP/want" "$TMP/got"
}

contended_rwsem() {
	run 'CONTENTION* RWSEM*' what=contend kind=rwsem
	holder rwsem_read
	waiter rwsem_read RWSEM <<-END
	LK_CONTENTION_BEGIN 0x2
	LK_RWSEM_WAIT 0x0 OWNER
	LK_CONTENTION_END 0x0
	LK_RWSEM_LOCK lkst_wait_read 0x0
	LK_RWSEM_UNLOCK lkst_wait_read 0x0
	END
	waiter rwsem_read_intr RWSEM <<-END
	LK_CONTENTION_BEGIN 0x2
	LK_RWSEM_WAIT 0x0 OWNER
	LK_CONTENTION_END 0xfffffffffffffffc
	END
	waiter rwsem_write RWSEM <<-END
	LK_CONTENTION_BEGIN 0x4
	LK_RWSEM_WAIT 0x1 OWNER
	LK_CONTENTION_END 0x0
	LK_RWSEM_LOCK lkst_wait_write 0x1
	LK_RWSEM_UNLOCK lkst_wait_write 0x1
	END
	waiter rwsem_write_kill RWSEM <<-END
	LK_CONTENTION_BEGIN 0x4
	LK_RWSEM_WAIT 0x1 OWNER
	LK_CONTENTION_END 0xfffffffffffffffc
	END
	# A reader has it: no owner.
	waiter rwsem_write_read RWSEM <<-END
	LK_CONTENTION_BEGIN 0x4
	LK_RWSEM_WAIT 0x1 0x0
	LK_CONTENTION_END 0x0
	LK_RWSEM_LOCK lkst_wait_write 0x1
	LK_RWSEM_UNLOCK lkst_wait_write 0x1
	END
}

contended_rtmutex() {
	run 'CONTENTION* RTMUTEX*' what=contend kind=rtmutex
	holder rtmutex
	waiter rtmutex RTMUTEX <<-END
	LK_CONTENTION_BEGIN 0x8
	LK_RTMUTEX_WAIT OWNER
	LK_CONTENTION_END 0x0
	LK_RTMUTEX_LOCK lkst_wait_rtmutex
	LK_RTMUTEX_UNLOCK lkst_wait_rtmutex
	END
	waiter rtmutex_intr RTMUTEX <<-END
	LK_CONTENTION_BEGIN 0x8
	LK_RTMUTEX_WAIT OWNER
	LK_CONTENTION_END 0xfffffffffffffffc
	END
}

contended_semaphore() {
	run 'CONTENTION*' what=contend kind=sem
	waiter sem CONTENTION <<-END
	LK_CONTENTION_BEGIN 0x0
	LK_CONTENTION_END 0x0
	END
	waiter sem_intr CONTENTION <<-END
	LK_CONTENTION_BEGIN 0x0
	LK_CONTENTION_END 0xfffffffffffffffc
	END
}

contended_percpu() {
	run 'CONTENTION*' what=contend kind=percpu
	waiter percpu_read CONTENTION <<-END
	LK_CONTENTION_BEGIN 0x12
	LK_CONTENTION_END 0x0
	END
	waiter percpu_write CONTENTION <<-END
	LK_CONTENTION_BEGIN 0x14
	LK_CONTENTION_END 0x0
	END
}

contended_rwlock() {
	need_cpus 2
	run 'CONTENTION* RD* WR*' what=contend kind=rw_
	waiter rw_read RD <<-END
	LK_CONTENTION_BEGIN 0x3
	LK_CONTENTION_END 0x0
	LK_RDLOCK lkst_wait_rw_read
	LK_RDUNLOCK lkst_wait_rw_read
	END
	waiter rw_write WR <<-END
	LK_CONTENTION_BEGIN 0x5
	LK_CONTENTION_END 0x0
	LK_WRLOCK lkst_wait_rw_write
	LK_WRUNLOCK lkst_wait_rw_write
	END
}

contended_spinlock() {
	need_cpus 2
	run 'CONTENTION* SPIN*' what=contend kind=spin
	grep -q '^spin ' "$TMP/report" || skip 'spinlocks have no queue here'
	waiter spin SPIN <<-END
	LK_CONTENTION_BEGIN 0x1
	LK_CONTENTION_END 0x0
	LK_SPINLOCK lkst_wait_spin
	LK_SPINUNLOCK lkst_wait_spin
	END
}

# futexes VERB: provoke_locks does it, with what it prints in $TMP/said.
futexes() {
	maskset futexes 'LK_FUTEX_* default' 'LK_RTMUTEX_WAIT default' 'PROCESS_FORK default'
	put buffers/main/size 4M
	put maskset futexes
	"$BIN/provoke_locks" "$1" >"$TMP/said"
	taken
}

futex() {
	futexes futex
	read -r pid tid addr none one <"$TMP/said"
	[ "$none" -eq 0 ]
	[ "$one" -eq 1 ]
	# Once and again if it was woken for nothing; never for another value.
	[ "$(count " $tid .* LK_FUTEX_WAIT $addr 0x1234 0xf0f\$")" -ge 1 ]
	[ "$(count " LK_FUTEX_WAIT $addr 0x1 ")" -eq 0 ]
	[ "$(count " $pid .* LK_FUTEX_WAKE $addr 0x3 0xf0f0 0x0\$")" -eq 1 ]
	[ "$(count " $pid .* LK_FUTEX_WAKE $addr 0x7 0x100 0x1\$")" -eq 1 ]
	# First it waits, then it is woken.
	sort -s -n -k2 "$TMP/dump" | awk -v a="$addr" '$6 "" == a "" { print $5 }' |
		uniq >"$TMP/order"
	printf 'LK_FUTEX_WAIT\nLK_FUTEX_WAKE\n' | diff - "$TMP/order"
}

futex_waitv() {
	futexes waitv
	read -r pid tid addr addr2 <"$TMP/said"
	[ "$(count " $tid .* LK_FUTEX_WAIT $addr 0x1234 0xffffffff\$")" -ge 1 ]
	[ "$(count " $tid .* LK_FUTEX_WAIT $addr2 0x5678 0xffffffff\$")" -ge 1 ]
	[ "$(count " $pid .* LK_FUTEX_WAKE $addr2 0x1 0xffffffff 0x1\$")" -eq 1 ]
	[ "$(count " LK_FUTEX_WAKE $addr ")" -eq 0 ]
}

# Without FUTEX_PRIVATE_FLAG, of memory that processes share.
futex_shared() {
	futexes shared
	read -r pid tid addr odd <"$TMP/said"
	[ "$(count " $tid .* LK_FUTEX_WAIT $odd 0x1234 0xffffffff\$")" -ge 1 ]
	[ "$(count " $pid .* LK_FUTEX_WAKE $odd 0x1 0xffffffff 0x1\$")" -eq 1 ]
	[ "$(count " LK_FUTEX_WA.* $addr ")" -eq 0 ]
}

# Without that flag, too, but of memory that is the process's own.
futex_said() {
	futexes said
	read -r pid tid addr odd <"$TMP/said"
	[ "$(count " $tid .* LK_FUTEX_WAIT $addr 0x1234 0xffffffff\$")" -ge 1 ]
	[ "$(count " $pid .* LK_FUTEX_WAKE $addr 0x1 0xffffffff 0x1\$")" -eq 1 ]
	[ "$(count " LK_FUTEX_WA.* $odd ")" -eq 0 ]
}

# Its owner is known; a plain wake of it is an error.
futex_pi() {
	futexes pi
	read -r pid tid addr <"$TMP/said"
	[ "$(count " $tid .* LK_RTMUTEX_WAIT 0xffff[0-9a-f]{12} $(task "$pid")\$")" -eq 1 ]
	[ "$(count " $pid .* LK_FUTEX_WAKE $addr 0x1 0xffffffff 0xffffffffffffffea\$")" -eq 1 ]
	[ "$(count " LK_FUTEX_WAIT $addr ")" -eq 0 ]
}

t 'spinlocks: taken, tried and released, where and by whom' spinlock
t 'rwlocks: the same for writers and readers' rwlock
t 'they are recorded while the lock is held' context
t 'mutexes and ww_mutexes' mutexes
t 'rw_semaphores' rwsem
t 'rt_mutexes' rtmutex
t 'waiting for a mutex' contended_mutex
t 'waiting for an rw_semaphore' contended_rwsem
t 'waiting for an rt_mutex' contended_rtmutex
t 'waiting for a semaphore' contended_semaphore
t 'waiting for a per-CPU rw_semaphore' contended_percpu
t 'waiting for a rwlock' contended_rwlock
t 'waiting for a spinlock' contended_spinlock
t 'futexes: who waits for what, who wakes how many' futex
t 'waiting for several futexes' futex_waitv
t 'futexes that processes share' futex_shared
t 'futexes that are said to be shared' futex_said
t 'futexes with priority inheritance' futex_pi
finish
