#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The memory of programs: faults, mappings, huge pages, swap, the OOM killer. A
# program does it and says what it did; frames come from its /proc/self/pagemap.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_memory.sh
. "$SRC/lib_memory.sh"

# The page that is mapped by a fault, and the one before that.
faults() {
	record 'MEM_DO_* default'
	"$P" faults "$TMP/file" >"$TMP/out"
	taken
	value nopage "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 5 ]
	while read -r pid address pfn; do
		grep -E " $pid .* MEM_DO_NOPAGE 0x$address 0x$pfn 0x[0-9a-f]+ 0x[0-9a-f]+\$" \
			"$TMP/dump" >"$TMP/one"
		[ "$(wc -l <"$TMP/one")" -eq 1 ]
		# By a program, and no failure: SIGBUS, SIGSEGV, OOM.
		read -r _ _ _ _ _ _ _ flags result <"$TMP/one"
		[ $((flags & 0x40)) -ne 0 ]
		[ $((result & 0x73)) -eq 0 ]
	done <"$TMP/want"
	# Those that write: the first, and the last two.
	for i in 1 4 5; do
		address=$(sed -n "${i}p" "$TMP/want" | cut -d' ' -f2)
		flags=$(awk -v a="0x$address" '$5 == "MEM_DO_NOPAGE" && $6 == a { print $8 }' "$TMP/dump")
		[ $((flags & 1)) -eq 1 ]
	done
	value wp "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 4 ]
	while read -r pid address old new; do
		[ "$(count " $pid .* MEM_DO_WPPAGE 0x$address 0x$old 0x$new 0x0\$")" -eq 1 ]
	done <"$TMP/want"
	# One of them kept its page, the others got a copy.
	# As text: 3e998 is a number to awk, and too large to be equal to itself.
	[ "$(awk '$3 "" == $4 ""' "$TMP/want" | wc -l)" -eq 1 ]
	# Behind the end of the file there is no page: VM_FAULT_SIGBUS.
	read -r pid address <<-END
		$(value bus "$TMP/out")
	END
	[ "$(count " $pid .* MEM_DO_NOPAGE 0x$address 0xffffffffffffffff 0x[0-9a-f]+ 0x2\$")" -eq 1 ]
}

# Who faulted where, and what became of it.
user_fault() {
	record 'MEM_USER_FAULT default'
	"$P" faults "$TMP/file" >"$TMP/out"
	taken
	value user "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 2 ]
	while read -r pid address func; do
		grep -E " $pid .* MEM_USER_FAULT 0x$address 0x[0-9a-f]+ 0x[0-9a-f]+ 0x0\$" \
			"$TMP/dump" >"$TMP/one"
		[ "$(wc -l <"$TMP/one")" -eq 1 ]
		read -r _ _ _ _ _ _ ip flags _ <"$TMP/one"
		[ $((ip - 0x$func)) -ge 0 ]
		[ $((ip - 0x$func)) -lt 16 ]
		[ $((flags & 0x40)) -ne 0 ]
	done <"$TMP/want"
	# The first wrote, the second read.
	address=$(head -n 1 "$TMP/want" | cut -d' ' -f2)
	flags=$(awk -v a="0x$address" '$6 == a { print $8 }' "$TMP/dump")
	[ $((flags & 1)) -eq 1 ]
	address=$(tail -n 1 "$TMP/want" | cut -d' ' -f2)
	flags=$(awk -v a="0x$address" '$6 == a { print $8; exit }' "$TMP/dump")
	[ $((flags & 1)) -eq 0 ]
	read -r pid address <<-END
		$(value bus "$TMP/out")
	END
	[ "$(count " $pid .* MEM_USER_FAULT 0x$address 0x[0-9a-f]+ 0x[0-9a-f]+ 0x2\$")" -eq 1 ]
}

# In this order, with the access that was asked for, and nothing else in between.
maps() {
	record 'MEM_MMAP default' 'MEM_MUNMAP default'
	"$P" maps "$TMP/file" >"$TMP/out"
	taken
	pid=$(value pid "$TMP/out")
	sort -n -k2 "$TMP/dump" | awk -v p="$pid" '
		$3 != p { next }
		$5 == "MEM_MMAP" { print "mmap", $6, $7, substr($8, length($8)), $9 }
		$5 == "MEM_MUNMAP" { print "munmap", $6, $7 }' >"$TMP/is"
	awk '$1 == "mmap" { print $1, "0x" $2, "0x" $3, $4, "0x" $5 }
		$1 == "munmap" { print $1, "0x" $2, "0x" $3 }' "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 15 ]
	# The program's start and its malloc() may map more.
	first=$(head -n 1 "$TMP/want")
	awk -v first="$first" '$0 == first { on = 1 } on' "$TMP/is" >"$TMP/from"
	head -n 15 "$TMP/from" | cmp - "$TMP/want" || {
		diff "$TMP/want" "$TMP/from"
		return 1
	}
}

brk() {
	record 'MEM_BRK default'
	"$P" brk >"$TMP/out"
	taken
	pid=$(value pid "$TMP/out")
	value brk "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 4 ]
	while read -r old new; do
		[ "$(count " $pid .* MEM_BRK 0x$old 0x$new\$")" -eq 1 ]
	done <"$TMP/want"
	# Asking where it is moves nothing, and what is refused is no move.
	[ "$(count " $pid .* MEM_BRK 0x[0-9a-f]+ 0x(0|1000)\$")" -eq 0 ]
	# Each goes on where the one before ended.
	sort -n -k2 "$TMP/dump" | awk -v p="$pid" '
		$3 == p && $5 == "MEM_BRK" { if (n++ && $6 != at) bad++; at = $7 }
		END { exit bad > 0 || n < 4 }'
}

huge() {
	thp=/sys/kernel/mm/transparent_hugepage
	[ -d $thp ] || lack "no transparent huge pages"
	grep -q '\[never\]' $thp/enabled && lack "no transparent huge pages"
	shmem=$(sed 's/.*\[\(.*\)\].*/\1/' $thp/shmem_enabled)
	echo advise >$thp/shmem_enabled
	# There may be none in one piece.
	echo 1 >/proc/sys/vm/compact_memory
	record 'MEM_HUGE_* default' 'MEM_DO_WPPAGE default' 'MEM_CACHE_ALLOC default'
	"$P" huge >"$TMP/out"
	taken
	echo "$shmem" >$thp/shmem_enabled
	pid=$(value pid "$TMP/out")
	value fault "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 3 ]
	while read -r address pfn; do
		[ "$(count " $pid .* MEM_HUGE_FAULT 0x$address 0x$pfn 0x9\$")" -eq 1 ]
		[ $((0x$pfn & 511)) -eq 0 ]
	done <"$TMP/want"
	read -r address old new <<-END
		$(value wp "$TMP/out")
	END
	[ "$(count " $pid .* MEM_DO_WPPAGE 0x$address 0x$old 0x$new 0x0\$")" -eq 1 ]
	[ "$(count " $pid .* MEM_HUGE_SPLIT 0x$(value split "$TMP/out") 0x9 0x0 0x0\$")" -eq 1 ]
	read -r address pfn <<-END
		$(value collapse "$TMP/out")
	END
	grep -E " $pid .* MEM_HUGE_COLLAPSE 0x[0-9a-f]{16} 0x$address 0x$pfn 0x1\$" "$TMP/dump" \
		>"$TMP/one"
	[ "$(wc -l <"$TMP/one")" -eq 1 ]
	read -r address pfn <<-END
		$(value file "$TMP/out")
	END
	# 10: madvise() maps it after that.
	[ "$(count " $pid .* MEM_HUGE_COLLAPSE $(awk '{ print $6 }' "$TMP/one") 0x$address 0x$pfn 0xa\$")" -eq 1 ]
	# The mm is one that was made when the program was.
	mm=$(awk '{ print $6 }' "$TMP/one")
	[ "$(count " $pid .* MEM_CACHE_ALLOC $mm ")" -ge 1 ]
}

# What was written where, and read from there again.
swap() {
	[ -b /dev/ram2 ] || lack "no /dev/ram2"
	swpout() {
		awk '$1 == "pswpout" || $1 == "pswpin"' /proc/vmstat
	}
	swpout >"$TMP/i0"
	record 'MEM_SWAP* default'
	"$P" swap /dev/ram2 6 >"$TMP/out"
	taken
	swpout >"$TMP/i1"
	pid=$(value pid "$TMP/out")
	[ "$(value out "$TMP/out" | wc -l)" -eq 5 ]
	value out "$TMP/out" >"$TMP/want"
	while read -r pfn entry; do
		[ "$(count " $pid .* MEM_SWAPOUT 0x$pfn 0x0 0x$entry\$")" -eq 1 ]
	done <"$TMP/want"
	value in "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 5 ]
	while read -r pfn entry; do
		[ "$(count " $pid .* MEM_SWAPIN 0x$pfn 0x0 0x$entry\$")" -eq 1 ]
	done <"$TMP/want"
	# A page of zeroes is not written.
	pfn=$(value zero "$TMP/out" | head -n 1)
	[ "$(count " MEM_SWAPOUT 0x$pfn ")" -eq 0 ]
	[ "$(count " $pid .* MEM_SWAPIN ")" -eq 5 ]
	# As many as /proc/vmstat counts, where it does.
	[ -s "$TMP/i0" ] || return 0
	[ "$(count " MEM_SWAPOUT ")" -eq \
		$(($(value pswpout "$TMP/i1") - $(value pswpout "$TMP/i0"))) ]
	[ "$(count " MEM_SWAPIN ")" -eq $(($(value pswpin "$TMP/i1") - $(value pswpin "$TMP/i0"))) ]
}

# Pages of tmpfs leave the page cache for the swap device, and come back.
swap_shared() {
	[ -b /dev/ram3 ] || lack "no /dev/ram3"
	record 'MEM_SWAP* default' 'MEM_PAGECACHE_* default'
	"$P" shared /dev/ram3 3 >"$TMP/out"
	taken
	pid=$(value pid "$TMP/out")
	ino=$(value inode "$TMP/out")
	value out "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 3 ]
	while read -r pfn index; do
		[ "$(count " $pid .* MEM_PAGECACHE_DELETE 0x$pfn 0x0 $(hex "$ino") 0x$index\$")" -ge 1 ]
		[ "$(count " $pid .* MEM_SWAPOUT 0x$pfn 0x0 0x[0-9a-f]+\$")" -eq 1 ]
	done <"$TMP/want"
	value in "$TMP/out" >"$TMP/want"
	while read -r pfn index; do
		[ "$(count " $pid .* MEM_PAGECACHE_ADD 0x$pfn 0x0 $(hex "$ino") 0x$index\$")" -ge 1 ]
		[ "$(count " $pid .* MEM_SWAPIN 0x$pfn 0x0 0x[0-9a-f]+\$")" -eq 1 ]
	done <"$TMP/want"
	# Each came twice, and left twice: at the end with the file.
	for e in ADD DELETE; do
		[ "$(count " $pid .* MEM_PAGECACHE_$e 0x[0-9a-f]+ 0x0 $(hex "$ino") 0x[012]\$")" -eq 6 ]
	done
}

# A cgroup that is too small for its task.
oom_kill() {
	need_memcg
	echo 8M >$cg/memory.max
	[ ! -e $cg/memory.swap.max ] || echo 0 >$cg/memory.swap.max
	# The kernel tells of it at length: not on the console.
	level=$(cut -f1 /proc/sys/kernel/printk)
	echo 1 >/proc/sys/kernel/printk
	record 'MEM_OOM_KILL default' 'PROCESS_FORK default'
	"$P" eat $cg 32 321 >"$TMP/out"
	taken
	echo "$level" >/proc/sys/kernel/printk
	rmdir $cg
	pid=$(value pid "$TMP/out")
	[ "$(value status "$TMP/out")" -eq 9 ]
	dmesg | grep -E "Memory cgroup out of memory: Killed process $pid " | tail -n 1 >"$TMP/says"
	# In kB, a page of 4 each.
	pages=$(sed 's/.*anon-rss:\([0-9]*\)kB, file-rss:\([0-9]*\)kB, shmem-rss:\([0-9]*\)kB.*/\1 \2 \3/' \
		"$TMP/says" | awk '{ print ($1 + $2 + $3) / 4 }')
	[ "$pages" -gt 1000 ]
	[ "$(count " MEM_OOM_KILL $(task "$pid") $(hex "$pid") $(hex "$pages") $(hex 321)\$")" -eq 1 ]
	[ "$(count " MEM_OOM_KILL ")" -eq 1 ]
}

t 'faults: the page that is mapped' faults
t 'faults: address, instruction and result' user_fault
t 'mmap, munmap and mremap' maps
t 'brk' brk
t 'huge pages' huge
t 'swap out and in' swap
t 'swap out and in of tmpfs' swap_shared
t 'the OOM killer' oom_kill
finish
