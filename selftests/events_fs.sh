#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Files, pipes, eventfds and io_uring: provoke_fs prints the records that there must
# be, with the addresses that the module lkst_test_fs tells it.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

F=$BIN/provoke_fs

# provoke VERB [ARG...]: records what it does; what it prints is in $TMP/want.
provoke() {
	ko=$(module lkst_test_fs)
	insmod "$ko"
	trap 'rmmod lkst_test_fs' EXIT
	maskset files ':fs default' 'PROCESS_FORK default'
	put buffers/main/size 4M
	put maskset files
	"$F" "$@" >"$TMP/want"
	collect
}

collect() {
	taken
	sort -s -n -k2 "$TMP/dump" | cut -d' ' -f3,5- >"$TMP/records"
}

# same: what was recorded of the events and files (or pipes) of $TMP/want is just that.
same() {
	awk 'NR == FNR { seen[$2, $3]; next } ($2, $3) in seen' \
		"$TMP/want" "$TMP/records" >"$TMP/got"
	diff "$TMP/want" "$TMP/got"
}

files() {
	provoke files "$TMP"
	[ "$(wc -l <"$TMP/want")" -ge 40 ]
	same
}

# The address is that of a file that is not to be had.
o_path() {
	echo 1 >"$TMP/file"
	provoke path "$TMP/file"
	read -r pid event addr dev inode flags <"$TMP/want"
	[ "$event $addr" = "FS_OPEN 0x0" ]
	grep -E "^$pid FS_OPEN 0x[0-9a-f]{16} $dev $inode $flags\$" "$TMP/records" >"$TMP/open"
	[ "$(wc -l <"$TMP/open")" -eq 1 ]
	read -r pid event addr dev inode flags <"$TMP/open"
	[ "$(grep -c "^$pid FS_CLOSE $addr $dev $inode\$" "$TMP/records")" -eq 1 ]
}

# A file that is still open when its process ends.
at_exit() {
	echo 1 >"$TMP/file"
	provoke exits "$TMP/file"
	awk 'NR == FNR { seen[$1, $3]; next } ($1, $3) in seen && $2 ~ /^FS_(OPEN|CLOSE)$/' \
		"$TMP/want" "$TMP/records" >"$TMP/got"
	diff "$TMP/want" "$TMP/got"
}

fsyncs() {
	provoke sync "$TMP/file"
	[ "$(wc -l <"$TMP/want")" -eq 3 ]
	same
}

# A file system on a RAM disk, with a file of seven pages that become dirty.
dirty_pages() {
	[ -b /dev/ram0 ] || lack "no /dev/ram0"
	"$F" mkfs /dev/ram0
	mkdir "$TMP/mnt"
	mount -t ext4 /dev/ram0 "$TMP/mnt" || lack "no ext4"
	# A disk that has written little has no part of the pages that may be dirty, and the
	# flusher, if it is awake, begins at the first of them.
	bdi=/sys/class/bdi/$(($(stat -c '0x%t' /dev/ram0))):$(($(stat -c '0x%T' /dev/ram0)))
	echo 50 >"$bdi/min_ratio"
	provoke dirty "$TMP/mnt/file" 3 7
	echo 0 >"$bdi/min_ratio"
	umount "$TMP/mnt"
	sed '/^--$/,$d' "$TMP/want" >"$TMP/want.dirty"
	sed '1,/^--$/d' "$TMP/want" >"$TMP/want.back"
	[ "$(wc -l <"$TMP/want.dirty")" -eq 9 ]
	read -r pid _ _ inode _ <"$TMP/want.dirty"
	grep -E "^$pid FS_DIRTY 0x[0-9a-f]+ $inode " "$TMP/records" >"$TMP/got"
	diff "$TMP/want.dirty" "$TMP/got"
	# The flusher may look at it again, with nothing left to write.
	read -r _ _ dev inode _ <"$TMP/want.back"
	grep -E "^[0-9]+ FS_WRITEBACK $dev $inode 0x[1-9a-f]" "$TMP/records" |
		sed 's/^[0-9]* /0 /' >"$TMP/got"
	diff "$TMP/want.back" "$TMP/got"
}

# Two threads that wait for a buffer which the module keeps locked.
busy_buffer() {
	[ -b /dev/ram0 ] || lack "no /dev/ram0"
	ko=$(module lkst_test_fs)
	maskset files ':fs default'
	put maskset files
	insmod "$ko" device=/dev/ram0 block=77
	collect
	p=/sys/module/lkst_test_fs/parameters
	buffer=$(printf '0x%x' "$(cat $p/buffer)")
	size=$(printf '0x%x' "$(cat $p/size)")
	waiter=$(cat $p/waiter)
	locker=$(cat $p/locker)
	rmmod lkst_test_fs
	dev=$(printf '0x%x' $((0x$(stat -c %t /dev/ram0) << 20 | 0x$(stat -c %T /dev/ram0))))
	cat >"$TMP/want" <<-END
		$waiter FS_BUFBUSY $buffer $dev 0x4d $size
		$locker FS_BUFBUSY $buffer $dev 0x4d $size
	END
	same
}

pipes() {
	provoke pipes
	[ "$(wc -l <"$TMP/want")" -eq 4 ]
	same
}

eventfds() {
	provoke eventfds
	[ "$(wc -l <"$TMP/want")" -eq 2 ]
	same
}

# The address of a request is the same at both ends, and 0 where there is none.
uring() {
	[ -e /proc/sys/kernel/io_uring_disabled ] || lack "no io_uring"
	# On this file system fsync() has something to do.
	dd if=/dev/zero of="$TMP/file" bs=1k count=1 2>/dev/null
	provoke uring "$TMP/file"
	tail -n 1 "$TMP/want" >"$TMP/want.sync"
	sed -i '$d' "$TMP/want"
	[ "$(wc -l <"$TMP/want")" -gt 30 ]
	awk 'NR == FNR { seen[$2, $3]; next }
		!(($2, $3) in seen) { next }
		$2 == "IO_URING_SUBMIT" { request[$3, $6] = $4 }
		# Strings: as numbers, addresses that are close to each other are equal.
		$2 == "IO_URING_COMPLETE" && $4 != "0x0" && $4 "" != request[$3, $6] "" {
			print "not what was submitted:", $0 }
		$2 == "IO_URING_COMPLETE" { $1 = 0 }
		$4 != "0x0" { $4 = "0x1" }
		{ print }' "$TMP/want" "$TMP/records" >"$TMP/got"
	diff "$TMP/want" "$TMP/got"
	cut -d' ' -f2- "$TMP/records" | grep "^$(cut -d' ' -f1,2 "$TMP/want.sync") " >"$TMP/got"
	diff "$TMP/want.sync" "$TMP/got"
}

# A thread that no system call for that has made.
uring_thread() {
	[ -e /proc/sys/kernel/io_uring_disabled ] || lack "no io_uring"
	provoke sqpoll
	read -r pid tid <"$TMP/want"
	[ "$(grep -cE "^$pid PROCESS_FORK 0x[0-9a-f]{16} $tid/$pid\$" "$TMP/records")" -eq 1 ]
}

t 'open, read, write and close' files
t 'a file that is only a path' o_path
t 'a file that its process leaves open' at_exit
t 'fsync and fdatasync' fsyncs
t 'pages that become dirty and are written back' dirty_pages
t 'a buffer that is busy' busy_buffer
t 'who waits for a pipe' pipes
t 'who waits for an eventfd' eventfds
t 'requests of io_uring' uring
t 'a thread that io_uring makes' uring_thread
finish
