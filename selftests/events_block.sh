#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# One I/O after the other, with its device, sector, size and operation, from the
# system call to its end: on null_blk, whose requests can be made to fail and to wait,
# and on a RAM disk, which takes them without a queue.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

B=$BIN/provoke_block
CONFIG=/sys/kernel/config

# nullb NAME=VALUE...: a device /dev/lkst with these settings, till the case ends.
nullb() {
	modprobe null_blk nr_devices=0 || lack "no null_blk"
	[ -d $CONFIG/nullb ] || mount -t configfs none $CONFIG
	mkdir $CONFIG/nullb/lkst
	trap away EXIT
	for setting in "$@"; do
		echo "${setting#*=}" >"$CONFIG/nullb/lkst/${setting%%=*}"
	done
	echo 1 >$CONFIG/nullb/lkst/power
	dev=$(number /dev/lkst)
}

away() {
	rmdir $CONFIG/nullb/lkst
	rmmod null_blk
}

scheduler() {
	echo "$1" >/sys/block/lkst/queue/scheduler
}

# number FILE: a device as the kernel has it.
number() {
	printf '0x%x\n' $((0x$(stat -c %t "$1") << 20 | 0x$(stat -c %T "$1")))
}

record() {
	maskset blk ':block default'
	put buffers/main/size 4M
	put maskset blk
}

# took DEV|DEV: what was recorded of these devices goes to $TMP/got.
took() {
	taken
	awk -v d="^($1)\$" '$5 ~ /^(FS_DEV|BLK_)/ && $6 ~ d' "$TMP/dump" | sort -s -n -k2 |
		cut -d' ' -f5- >"$TMP/got"
}

# done_io COMMAND...: runs provoke_block io; it must return what is asked for.
done_io() {
	"$B" io "$@" >"$TMP/io"
	read -r pid ret <"$TMP/io"
	[ "$pid" -gt 0 ]
}

got() {
	grep -cE "$1" "$TMP/got" || :
}

# Each step of a read and a write, in order: 0x8800 is REQ_SYNC and REQ_IDLE.
steps() {
	nullb memory_backed=1
	scheduler mq-deadline
	record
	done_io /dev/lkst write 40 8192
	[ "$ret" -eq 8192 ]
	done_io /dev/lkst read 4194296 4096
	[ "$ret" -eq 4096 ]
	took "$dev"
	cat >"$TMP/want" <<-END
		FS_DEVRW $dev 0x28 0x2000 0x8801
		BLK_BIO_QUEUE $dev 0x28 0x2000 0x8801
		BLK_RQ_INSERT $dev 0x28 0x2000 0x8801
		BLK_RQ_ISSUE $dev 0x28 0x2000 0x8801
		BLK_RQ_COMPLETE $dev 0x28 0x2000 0x0
		FS_DEVEND $dev 0x28 0x8801 0x0
		FS_DEVRW $dev 0x3ffff8 0x1000 0x800
		BLK_BIO_QUEUE $dev 0x3ffff8 0x1000 0x800
		BLK_RQ_INSERT $dev 0x3ffff8 0x1000 0x800
		BLK_RQ_ISSUE $dev 0x3ffff8 0x1000 0x800
		BLK_RQ_COMPLETE $dev 0x3ffff8 0x1000 0x0
		FS_DEVEND $dev 0x3ffff8 0x800 0x0
	END
	diff "$TMP/want" "$TMP/got"
	# By whom it was asked for.
	[ "$(grep -c "^[0-9]* [0-9]* $pid .* FS_DEVRW $dev 0x3ffff8 " "$TMP/dump")" -eq 1 ]
}

# Without a scheduler a request goes to the driver at once.
no_scheduler() {
	nullb memory_backed=1
	scheduler none
	record
	done_io /dev/lkst write 8 512
	[ "$ret" -eq 512 ]
	took "$dev"
	cat >"$TMP/want" <<-END
		FS_DEVRW $dev 0x8 0x200 0x8801
		BLK_BIO_QUEUE $dev 0x8 0x200 0x8801
		BLK_RQ_ISSUE $dev 0x8 0x200 0x8801
		BLK_RQ_COMPLETE $dev 0x8 0x200 0x0
		FS_DEVEND $dev 0x8 0x8801 0x0
	END
	diff "$TMP/want" "$TMP/got"
}

# Completions that come from interrupts, of several requests at once.
from_interrupt() {
	nullb irqmode=2 completion_nsec=1000000
	scheduler none
	record
	"$B" writes /dev/lkst 8 64 4096
	took "$dev"
	for sector in 0x40 0x50 0x60 0x70 0x80 0x90 0xa0 0xb0; do
		[ "$(got "^BLK_RQ_ISSUE $dev $sector 0x1000 0x8801\$")" -eq 1 ]
		[ "$(got "^BLK_RQ_COMPLETE $dev $sector 0x1000 0x0\$")" -eq 1 ]
		[ "$(got "^FS_DEVEND $dev $sector 0x8801 0x0\$")" -eq 1 ]
	done
	[ "$(got '^BLK_RQ_COMPLETE')" -eq 8 ]
	# In an interrupt.
	grep " BLK_RQ_COMPLETE $dev " "$TMP/dump" |
		awk '$4 !~ /^0x[0-9a-f]*[1235679abdef]$/ { bad = 1 } END { exit bad }'
}

# The error that the driver gives is the one that is told.
errors() {
	nullb memory_backed=1 badblocks=+72-79
	scheduler none
	record
	done_io /dev/lkst write 72 4096
	[ "$ret" -eq -5 ]
	took "$dev"
	cat >"$TMP/want" <<-END
		FS_DEVRW $dev 0x48 0x1000 0x8801
		BLK_BIO_QUEUE $dev 0x48 0x1000 0x8801
		BLK_RQ_ISSUE $dev 0x48 0x1000 0x8801
		BLK_RQ_COMPLETE $dev 0x48 0x1000 0xfffffffffffffffb
		FS_DEVEND $dev 0x48 0x8801 0xfffffffffffffffb
	END
	diff "$TMP/want" "$TMP/got"
}

# writes_throttled: six processes write at once. What is beyond the rate of null_blk goes
# back. Its timer starts the queue again, and does so once: if that is before the request
# is back, nobody does, and it stays there for good. So the queue is run from here, too.
writes_throttled() {
	"$B" writes /dev/lkst 6 1024 20480 &
	while kill -0 $! 2>/dev/null; do
		echo run >/sys/kernel/debug/block/lkst/state
		sleep 0.2
	done
	wait $!
}

# A driver that is out of resources: 20 KiB each 20 ms are all that it takes.
requeue() {
	nullb memory_backed=1 mbps=1
	scheduler "$1"
	# Where the machine is busy, they may be so far apart that the driver takes them all.
	for _ in 1 2 3 4 5; do
		record
		writes_throttled
		took "$dev"
		requeued=$(got '^BLK_RQ_REQUEUE ')
		[ "$requeued" -eq 0 ] || break
	done
	for sector in 0x400 0x450 0x4a0 0x4f0 0x540 0x590; do
		[ "$(got "^BLK_RQ_ISSUE $dev $sector 0x5000 0x8801\$")" -eq 1 ]
		[ "$(got "^BLK_RQ_COMPLETE $dev $sector 0x5000 0x0\$")" -eq 1 ]
	done
	[ "$requeued" -gt 0 ]
	[ "$(got "^BLK_RQ_REQUEUE $dev 0x(4[05af]|5[49])0 0x5000 0x8801\$")" -eq "$requeued" ]
	# Each before it was issued.
	awk '$1 == "BLK_RQ_ISSUE" { issued[$3] = 1 }
		$1 == "BLK_RQ_REQUEUE" && issued[$3] { bad = 1 }
		END { exit bad }' "$TMP/got"
}

requeue_none() {
	requeue none
	# Those that came while the queue was stopped wait in it.
	[ "$(got "^BLK_RQ_INSERT $dev 0x[45][0-9af]0 0x5000 0x8801\$")" -gt 0 ]
}

requeue_deadline() {
	requeue mq-deadline
	[ "$(got "^BLK_RQ_INSERT $dev 0x[45][0-9af]0 0x5000 0x8801\$")" -eq 6 ]
}

# What is larger than the device takes at once is one I/O, and several requests.
split() {
	nullb memory_backed=1 max_sectors=8
	scheduler none
	record
	done_io /dev/lkst read 800 12288
	[ "$ret" -eq 12288 ]
	took "$dev"
	[ "$(got "^FS_DEVRW $dev 0x320 0x3000 0x800\$")" -eq 1 ]
	[ "$(got "^BLK_BIO_QUEUE $dev 0x320 0x3000 0x800\$")" -eq 1 ]
	for sector in 0x320 0x328 0x330; do
		[ "$(got "^BLK_RQ_ISSUE $dev $sector 0x1000 ")" -eq 1 ]
		[ "$(got "^BLK_RQ_COMPLETE $dev $sector 0x1000 0x0\$")" -eq 1 ]
		[ "$(got "^FS_DEVEND $dev $sector 0x[0-9a-f]*00 0x0\$")" -eq 1 ]
	done
	[ "$(got '^BLK_RQ_ISSUE ')" -eq 3 ]
	# The last to end is all of it.
	tail -n 1 "$TMP/got" | grep "^FS_DEVEND $dev 0x330 0x800 0x0\$"
}

# A partition's sectors are told as they were asked for, and as the disk counts them.
partition() {
	nullb memory_backed=1
	scheduler none
	"$B" part /dev/lkst 1 2048 4096
	part=$(number /dev/lkst1)
	[ "$part" != "$dev" ]
	record
	done_io /dev/lkst1 write 16 1024
	[ "$ret" -eq 1024 ]
	took "$dev|$part"
	"$B" part /dev/lkst 1 0 0
	cat >"$TMP/want" <<-END
		FS_DEVRW $part 0x10 0x400 0x8801
		BLK_BIO_QUEUE $dev 0x810 0x400 0x8801
		BLK_RQ_ISSUE $dev 0x810 0x400 0x8801
		BLK_RQ_COMPLETE $dev 0x810 0x400 0x0
		FS_DEVEND $part 0x10 0x8801 0x0
	END
	diff "$TMP/want" "$TMP/got"
}

# A flush has no sectors; 0x40801 is a write with REQ_SYNC and REQ_PREFLUSH.
flush() {
	nullb memory_backed=1 cache_size=1
	scheduler none
	record
	done_io /dev/lkst sync 0 0
	[ "$ret" -eq 0 ]
	took "$dev"
	[ "$(got "^FS_DEVRW $dev 0x0 0x0 0x40801\$")" -eq 1 ]
	[ "$(got "^BLK_BIO_QUEUE $dev 0x0 0x0 0x40801\$")" -eq 1 ]
	[ "$(got "^BLK_RQ_ISSUE $dev 0x0 0x0 0x[0-9a-f]*02\$")" -eq 1 ]
	[ "$(got "^FS_DEVEND $dev 0x0 0x40801 0x0\$")" -eq 1 ]
}

# A discard has sectors and no data: operation 3.
discard() {
	nullb memory_backed=1 discard=1
	scheduler none
	record
	done_io /dev/lkst discard 96 16384
	[ "$ret" -eq 0 ]
	took "$dev"
	[ "$(got "^FS_DEVRW $dev 0x60 0x4000 0x[0-9a-f]*03\$")" -eq 1 ]
	[ "$(got "^BLK_RQ_ISSUE $dev 0x60 0x4000 0x[0-9a-f]*03\$")" -eq 1 ]
	[ "$(got "^BLK_RQ_COMPLETE $dev 0x60 0x4000 0x0\$")" -eq 1 ]
	[ "$(got "^FS_DEVEND $dev 0x60 0x[0-9a-f]*03 0x0\$")" -eq 1 ]
}

# A driver that takes an I/O as it is has no requests.
without_requests() {
	[ -b /dev/ram0 ] || lack "no /dev/ram0"
	dev=$(number /dev/ram0)
	record
	done_io /dev/ram0 write 24 4096
	[ "$ret" -eq 4096 ]
	took "$dev"
	cat >"$TMP/want" <<-END
		FS_DEVRW $dev 0x18 0x1000 0x8801
		BLK_BIO_QUEUE $dev 0x18 0x1000 0x8801
		FS_DEVEND $dev 0x18 0x8801 0x0
	END
	diff "$TMP/want" "$TMP/got"
}

t 'each step of a read and a write' steps
t 'without a scheduler' no_scheduler
t 'requests that end in an interrupt' from_interrupt
t 'an error' errors
t 'requests that go back to their queue' requeue_none
t 'requests that go back to a scheduler' requeue_deadline
t 'an I/O that is split' split
t 'a partition' partition
t 'a flush' flush
t 'a discard' discard
t 'a device without requests' without_requests
finish
