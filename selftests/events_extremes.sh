#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A value that is larger than its place in a record is a bug: for each argument that may be
# large, negative or "none", the extremes that the kernel can have, in the text of the trace
# and in the records themselves.
#
# Not here, for want of a way to have them:
#
#	page frames beyond 2^32: that is 16 TiB of memory
#	IPI_SEND cpu -1: it takes three CPUs, see events_irq.sh
#	reads and writes of 4 GiB: the kernel takes 2 GiB less a page at once, which is here
#	FS_WRITEBACK of an inode beyond 2^32: file systems that have them are not built here
#	device numbers beyond 2^29: block devices have majors up to 511
#	CPUs beyond 2^31, errnos beyond 4095: there are none
#
# What is not here, wide() looks at in the table of events.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

P=$BIN/provoke_extremes

# on LINE...: is recorded from here, into a buffer that nothing falls out of.
on() {
	put buffers/main/size 8M
	maskset some "$@"
	put maskset some
}

# found: each record that $TMP/told tells of is there: as text, and as it is.
found() {
	stop
	nothing_overwritten
	grep -v '^#' "$LKST/trace" >"$TMP/text"
	dump
	[ -s "$TMP/told" ]
	awk '
	# Strings: as numbers, those of 64 bits that are close to each other are equal.
	function same(have, wanted,  n, i, h, w) {
		n = split(wanted, w, ",")
		split(have, h, ",")
		for (i = 1; i <= n; i++)
			if (w[i] != "-" && w[i] "" != h[i] "")
				return 0
		return 1
	}
	# All the words of it are in the text?
	function says(have, wanted,  n, i, w) {
		n = wanted == "-" ? 0 : split(wanted, w, ",")
		for (i = 1; i <= n; i++)
			if (!index(have " ", " " w[i] " "))
				return 0
		return 1
	}
	FNR == 1 { file++ }
	file == 1 {
		nr++
		pid[nr] = $1; event[nr] = $2; text[nr] = $3; args[nr] = $4
		wanted[$2]
		next
	}
	file == 2 {
		sub(/^ */, "")
		of = $1
		sub(/^[^]]*\] *[^ ]* *[0-9.]*: /, "")
		if (!($1 in wanted))
			next
		for (i = 1; i <= nr; i++)
			if (event[i] == $1 && (pid[i] == "-" || pid[i] == of) && says($0, text[i]))
				as_text[i] = 1
		next
	}
	$5 in wanted {
		have = $6
		for (i = 7; i <= NF; i++)
			have = have "," $i
		for (i = 1; i <= nr; i++)
			if (event[i] == $5 && (pid[i] == "-" || pid[i] == $3) && same(have, args[i]))
				as_is[i] = 1
	}
	END {
		for (i = 1; i <= nr; i++) {
			if (!as_text[i])
				print "not in the text: " pid[i], event[i], text[i]
			if (!as_is[i])
				print "not in the records: " pid[i], event[i], args[i]
			bad += !as_text[i] || !as_is[i]
		}
		print nr, "wanted"
		exit bad > 0
	}' "$TMP/told" "$TMP/text" "$TMP/dump" >"$TMP/found" || {
		cat "$TMP/found"
		for event in $(sed -n 's/^not in the text: [^ ]* \([^ ]*\).*/\1/p' "$TMP/found" |
			sort -u); do
			grep " $event " "$TMP/text" | tail -n 3
		done
		return 1
	}
}

# told VERB [ARG...]: provokes it.
told() {
	"$P" "$@" >>"$TMP/told"
}

# Positions up to the largest file there can be, and beyond; counts.
files() {
	on ':fs default' ':syscall default' 'MEM_PAGECACHE_* default'
	told files "$TMP"
	found
}

inodes() {
	ko=$(module lkst_test_extremes)
	insmod "$ko"
	mkdir "$TMP/mnt"
	mount -t lkst_extremes none "$TMP/mnt"
	on ':fs default' 'MEM_PAGECACHE_* default'
	told inode "$TMP/mnt/file" || {
		umount "$TMP/mnt"
		return 1
	}
	umount "$TMP/mnt"
	rmmod lkst_test_extremes
	found
}

# A disk of nearly 2^62 bytes, with the last minor number.
disks() {
	[ -e /dev/loop-control ] || lack 'no loop devices'
	"$P" attach "$TMP/disk"
	trap '"$P" detach' EXIT
	on ':block default' ':fs default' 'MEM_PAGECACHE_* default'
	told disk
	found
}

# Two threads wait for a block near the end of it.
block() {
	[ -e /dev/loop-control ] || lack 'no loop devices'
	ko=$(module lkst_test_fs)
	"$P" attach "$TMP/disk"
	trap '"$P" detach' EXIT
	on 'FS_BUFBUSY default'
	nr=$((1 << 49))
	insmod "$ko" device=/dev/loop1048575 block=$nr
	size=$(cat /sys/module/lkst_test_fs/parameters/size)
	rmmod lkst_test_fs
	printf -- '- FS_BUFBUSY dev=7:1048575,block=%s,size=%s -,0x7fffff,0x%x,0x%x\n' \
		$nr "$size" $nr "$size" >"$TMP/told"
	found
}

# The last number that a process can have.
last_pid() {
	pid_max=$(cat /proc/sys/kernel/pid_max)
	echo 4194304 >/proc/sys/kernel/pid_max
	on ':process default' ':syscall default'
	told pid 4194303 || {
		echo "$pid_max" >/proc/sys/kernel/pid_max
		return 1
	}
	echo "$pid_max" >/proc/sys/kernel/pid_max
	found
}

signals() {
	on ':process default' ':syscall default'
	told signals
	found
}

priorities() {
	on 'PROCESS_PRIORITY default'
	told priority
	found
}

calls() {
	on ':syscall default' 'NET_SOCKETIF default' ':ipc default'
	told errnos
	told arguments
	found
}

memory() {
	on ':memory default' ':exception default' 'PROCESS_SIG* default'
	told memory "$TMP"
	found
}

futexes() {
	on 'LK_FUTEX_* default'
	told futex
	found
}

uring() {
	[ -e /proc/sys/kernel/io_uring_disabled ] || lack "no io_uring"
	on 'IO_URING_* default'
	told uring
	found
}

net() {
	ip link set lo up
	on ':net default'
	told net
	found
}

timers() {
	on 'TIMER_* default'
	told timer
	found
}

# What takes a module: no CPU, sizes and times that there are none of.
in_the_kernel() {
	ko=$(module lkst_test_extremes)
	on 'TIMER_ADD default' 'WORK_QUEUE default' 'MEM_MALLOC default' 'MEM_VMALLOC default'
	insmod "$ko"
	grep . /sys/module/lkst_test_extremes/parameters/told >"$TMP/told"
	rmmod lkst_test_extremes
	[ "$(wc -l <"$TMP/told")" -eq 4 ]
	found
}

# All zones: no order is wanted.
compaction() {
	on 'MEM_COMPACT_BEGIN default'
	echo 1 >/proc/sys/vm/compact_memory
	echo "- MEM_COMPACT_BEGIN order=-1 -,-,0xffffffffffffffff,-" >"$TMP/told"
	found
}

# By the table: what may be large has 8 bytes, and what may be negative has a sign, or
# 8 bytes. The size of a slab cache's objects is an unsigned int in the kernel, that of a
# port is at most 4, the error of an I/O is an errno, and one read or write moves
# MAX_RW_COUNT at most, which is less than 2^31.
wide() {
	awk -F '\t' '
	$1 >= 1008 { next }
	{
		for (i = 6; i < NF; i += 3) {
			name = $i; type = $(i + 1); help = $(i + 2); n++
			wide = type ~ /^([sux]64|ptr|func|ip|str|nr|pfn|ret64|tid)$/
			large = name ~ /^(pfn|zone_start|zone_end|entry|inode|index|pgoff|sector|block|pos)$/ ||
				name ~ /^(address|addr|ip|size|count|pages|user_data|cgroup|mask|expires|now)$/ ||
				name ~ /^(handler|error|misc|arg[0-9])$/ ||
				($2 ~ /^MEM_/ && name ~ /^(from|to|old|new)$/)
			if ($2 " " name ~ /^((MEM_CACHE_CREATE|O_PORTIN|O_PORTOUT) size|FS_(READ|WRITE) count)$/)
				large = 0
			if (type == "ret")
				large = 0
			if (large && !wide)
				print $2 ": " name " has the type " type
			if ((help ~ /negative|-1/ || type == "ret") && !wide &&
			    type !~ /^(s32|ret)$/)
				print $2 ": " name ", " help ", has the type " type
		}
	}
	END { if (n < 300) print n + 0 " arguments" }' "$LKST/etypes" >"$TMP/bad"
	cat "$TMP/bad"
	[ ! -s "$TMP/bad" ]
}

t 'positions and sizes of files' files
t 'inode numbers' inodes
t 'sectors, bytes and minor numbers of disks' disks
t 'numbers of blocks' block
t 'the last PID' last_pid
t 'signals, their codes, exit codes' signals
t 'priorities' priorities
t 'arguments and results of system calls' calls
t 'addresses and sizes of memory' memory
t 'futexes' futexes
t 'user data and results of io_uring' uring
t 'lengths and ports of packets' net
t 'a timer that is never due' timers
t 'no CPU, no memory' in_the_kernel
t 'compaction without an order' compaction
t 'the types in the table are wide enough' wide
finish
