#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel's own memory: pages, slabs, vmalloc, reclaim, compaction, the page
# cache. Each event is held against what a module and a program did, against
# /proc/vmstat and /proc/zoneinfo.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_memory.sh
. "$SRC/lib_memory.sh"

load() {
	ko=$(module lkst_test_memory)
	[ ! -d /sys/module/lkst_test_memory ] || rmmod lkst_test_memory
	insmod "$ko" "$@"
	cat /sys/module/lkst_test_memory/parameters/pages >"$TMP/pages"
	cat /sys/module/lkst_test_memory/parameters/slab >"$TMP/slab"
	pid=$(value pid "$TMP/pages")
}

# within ADDRESS START: it is code of the function there, or not far behind it.
within() {
	[ $(($1 - $2)) -ge 0 ]
	[ $(($1 - $2)) -lt 16384 ]
}

# inside ADDRESS START END: between the two symbols.
inside() {
	[ $(($1 - $(symbol "$2"))) -ge 0 ]
	[ $(($1 - $(symbol "$3"))) -lt 0 ]
}

# freed_by CALLER FUNC: the module did. What it called may have called another function for
# that, and no jump at the end hides it where the kernel has frame pointers.
freed_by() {
	within "$1" "$2" || { [ "$(uname -m)" != x86_64 ] && inside "$1" _stext _etext; }
}

# Frame, order, flags and migrate type of what the module took, and of what it
# gave back; page by page where it took several at once.
pages() {
	record
	load
	taken
	rmmod lkst_test_memory
	value page "$TMP/pages" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 11 ]
	while read -r pfn order gfp type; do
		[ "$(count " $pid .* MEM_GET_FREEPAGE 0x$pfn $(hex "$order") 0x$gfp $(hex "$type")\$")" -eq 1 ]
	done <"$TMP/want"
	value zeroed "$TMP/pages" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 7 ]
	while read -r pfn order gfp; do
		[ "$(count " $pid .* MEM_GET_ZEROPAGE 0x$pfn $(hex "$order") 0x$gfp\$")" -eq 1 ]
	done <"$TMP/want"
	# One that was not asked for zeroes is none.
	pfn=$(value page "$TMP/pages" | head -n 1 | cut -d' ' -f1)
	gfp=$(value page "$TMP/pages" | head -n 1 | cut -d' ' -f3)
	[ "$(count " $pid .* MEM_GET_ZEROPAGE 0x$pfn 0x0 0x$gfp\$")" -eq 0 ]

	# After it was taken, each is freed once before it may be taken again.
	value freepage "$TMP/pages" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 13 ]
	sort -n -k2 "$TMP/dump" >"$TMP/sorted"
	while read -r pfn order; do
		awk -v pid="$pid" -v pfn="0x$pfn" -v order="$(hex "$order")" '
			$3 != pid || $6 != pfn { next }
			$5 == "MEM_FREEPAGE" && $7 == order { n++ }
			$5 == "MEM_GET_FREEPAGE" && n { exit }
			END { exit n < 1 }' "$TMP/sorted"
	done <"$TMP/want"
}

# Of pages and objects, on the whole machine: given and freed in turn. And as many
# pages as /proc/vmstat counts.
turns() {
	ko=$(module lkst_test_memory)
	vmstat() {
		awk '/^pgalloc_/ { a += $2 } /^pgfree / { f = $2 } END { print "alloc", a; print "free", f }' \
			/proc/vmstat
	}
	record ':memory default' 'MEM_PAGECACHE_* nothing' 'MEM_USER_FAULT nothing' \
		'MEM_DO_* nothing'
	vmstat >"$TMP/i0"
	"$H" load "$(scaled 200)" >/dev/null
	"$H" udp 20 || :
	insmod "$ko"
	rmmod lkst_test_memory
	vmstat >"$TMP/i1"
	taken
	"$P" turns "$TMP/dump" >"$TMP/turns"
	cat "$TMP/turns"
	read -r _ pages freed objects ofreed bad <<-END
		$(grep ^turns "$TMP/turns")
	END
	[ "$bad" -eq 0 ]
	[ "$pages" -gt 100 ]
	[ "$freed" -gt 100 ]
	[ "$objects" -gt 500 ]
	[ "$ofreed" -gt 500 ]
	grep -q ^pgfree /proc/vmstat || return 0
	# In pages, what was recorded is no less than what was counted in between, and
	# no more than a little over it: reading the numbers takes pages, too.
	for e in alloc free; do
		[ $e = free ] && name=MEM_FREEPAGE || name=MEM_GET_FREEPAGE
		n=$(awk -v e="$name" '$5 == e && $6 != "0xffffffffffffffff" { n[$7]++ }
			END { for (o in n) print o, n[o] }' "$TMP/dump" |
			while read -r o c; do echo $((c << o)); done | awk '{ s += $1 } END { print s + 0 }')
		low=$(($(value $e "$TMP/i1") - $(value $e "$TMP/i0")))
		echo "$e: recorded $n, counted $low"
		[ "$n" -ge "$low" ]
		[ "$n" -le $((low + low / 10 + 200)) ]
	done
}

slab() {
	record
	load
	taken
	func=0x$(value func_alloc "$TMP/pages")
	rmmod lkst_test_memory
	[ "$(value create "$TMP/slab" | wc -l)" -eq 1 ]
	read -r cache size align <<-END
		$(value create "$TMP/slab")
	END
	[ "$(count " $pid .* MEM_CACHE_CREATE 0x$cache $(hex "$size") 0x$align 0x[0-9a-f]+\$")" -eq 1 ]
	# SLAB_NO_MERGE is the bit after SLAB_ACCOUNT or so: of what was asked for only
	# this one was set.
	flags=$(awk '$5 == "MEM_CACHE_CREATE" { print $6, $9 }' "$TMP/dump" |
		grep "^0x$cache " | cut -d' ' -f2)
	[ $((flags & (flags - 1))) -eq 0 ]
	[ $((flags)) -ne 0 ]

	value alloc "$TMP/slab" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 8 ]
	while read -r obj cache gfp; do
		grep -E " $pid .* MEM_CACHE_ALLOC 0x$obj 0x$cache 0x$gfp 0x" "$TMP/dump" >"$TMP/one"
		[ "$(wc -l <"$TMP/one")" -eq 1 ]
		within "$(awk '{ print $9 }' "$TMP/one")" "$func"
	done <"$TMP/want"
	value cfree "$TMP/slab" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 8 ]
	while read -r obj cache; do
		grep -E " $pid .* MEM_CACHE_FREE 0x$obj 0x$cache 0x" "$TMP/dump" >"$TMP/one"
		[ "$(wc -l <"$TMP/one")" -eq 1 ]
		freed_by "$(awk '{ print $8 }' "$TMP/one")" "$func"
	done <"$TMP/want"
}

# Each kind of kmalloc(): small and large, of a size that the compiler knows and
# that it does not, in bulk; who asked, unless it was an inner function.
kmalloc() {
	record
	load
	taken
	func=0x$(value func_alloc "$TMP/pages")
	rmmod lkst_test_memory
	sort -n -k2 "$TMP/dump" >"$TMP/sorted"
	for kind in malloc large inner other; do
		value $kind "$TMP/slab" >"$TMP/want"
		[ -s "$TMP/want" ]
		while read -r obj size gfp; do
			grep -E " $pid .* MEM_MALLOC 0x$obj $(hex "$size") 0x$gfp 0x" "$TMP/sorted" >"$TMP/one"
			[ "$(wc -l <"$TMP/one")" -eq 1 ]
			awk '{ print $6, $2 }' "$TMP/one" >>"$TMP/given"
			caller=$(awk '{ print $9 }' "$TMP/one")
			case $kind in
			# __kmalloc_noprof() asks for it.
			inner) inside "$caller" _stext _etext ;;
			# kvmalloc() or its caller, as it was compiled.
			other) ;;
			*) within "$caller" "$func" ;;
			esac
		done <"$TMP/want"
	done
	# The next that is told of each object is that it was freed, and by whom.
	value free "$TMP/slab" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 13 ]
	value kvfree "$TMP/slab" >>"$TMP/want"
	while read -r obj; do
		# (As strings: as numbers they are too long for awk.)
		given=$(grep "^0x$obj " "$TMP/given" | cut -d' ' -f2)
		awk -v pid="$pid" -v obj="0x$obj" -v given="$given" '
			$6 "" == obj "" && $2 > given { if ($5 == "MEM_FREE" && $3 == pid) print $7; exit }' \
			"$TMP/sorted" >"$TMP/caller"
		[ -s "$TMP/caller" ]
		[ "$obj" = "$(value kvfree "$TMP/slab")" ] || freed_by "$(cat "$TMP/caller")" "$func"
	done <"$TMP/want"
}

# freed ADDRESS: the PIDs of those that freed what the task got there. Others may have had
# the same place before, or get it later.
freed() {
	grep -v '^#' "$TMP/dump" | sort -n -k2 | awk -v addr="0x$1" -v pid="$pid" '
		$5 == "MEM_VMALLOC" && $6 == addr { mine = $3 == pid }
		$5 == "MEM_VFREE" && $6 == addr && mine { print $3 }'
}

vmalloc() {
	record
	load
	taken
	func=0x$(value func_vmalloc "$TMP/pages")
	rmmod lkst_test_memory
	value vmalloc "$TMP/pages" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 3 ]
	while read -r addr size gfp; do
		grep -E " $pid .* MEM_VMALLOC 0x$addr $(hex "$size") 0x$gfp 0x" "$TMP/dump" >"$TMP/one"
		[ "$(wc -l <"$TMP/one")" -eq 1 ]
		within "$(awk '{ print $9 }' "$TMP/one")" "$func"
	done <"$TMP/want"
	# The last one failed.
	[ "$(tail -n 1 "$TMP/want" | cut -d' ' -f1)" = 0 ]
	value vfree "$TMP/pages" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 2 ]
	while read -r addr; do
		freed "$addr"
	done <"$TMP/want" >"$TMP/freed"
	[ "$(wc -l <"$TMP/freed")" -eq 2 ]
	[ "$(head -n 1 "$TMP/freed")" -eq "$pid" ]
	# That which was freed as in an interrupt is freed by a worker.
	[ "$(tail -n 1 "$TMP/freed")" -ne "$pid" ]
}

# All memory is taken: allocations fail, the task reclaims, kswapd works and sleeps.
hog() {
	record 'MEM_GET_FREEPAGE default' 'MEM_RECLAIM_* default' 'MEM_KSWAPD_* default' \
		'MEM_COMPACT_* default'
	vm() {
		awk '/^allocstall_/ { s += $2 } /^pageoutrun / { k = $2 } /^pgsteal_direct / { d = $2 }
			END { print "stall", s; print "run", k; print "direct", d }' /proc/vmstat
	}
	vm >"$TMP/i0"
	load hog=1
	# Until kswapd sleeps for longer than it dozes.
	kswapd=$(grep -lx kswapd0 /proc/[0-9]*/comm | cut -d/ -f3)
	was=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		now=$(grep ctxt_switches "/proc/$kswapd/status")
		[ "$was" != "$now" ] || break
		was=$now
		sleep 0.2
	done
	vm >"$TMP/i1"
	taken
	rmmod lkst_test_memory
	gfp=$(value gfp "$TMP/pages")
	# The order that could not be had.
	[ "$(count " $pid .* MEM_GET_FREEPAGE 0xffffffffffffffff 0xa 0x$gfp 0x0\$")" -eq 1 ]
	[ "$(count " $pid .* MEM_GET_FREEPAGE 0xffffffffffffffff 0x3 0x$gfp 0x0\$")" -eq 1 ]

	# Direct reclaim, with its order.
	begins=$(count " MEM_RECLAIM_BEGIN 0x[0-9a-f]+ 0x[0-9a-f]+ 0x0\$")
	[ "$begins" -gt 0 ]
	[ "$begins" -eq "$(count " MEM_RECLAIM_END ")" ]
	[ "$(count " $pid .* MEM_RECLAIM_BEGIN 0x3 0x$gfp 0x0\$")" -gt 0 ]

	# kswapd, for the highest zone that the kernel's own memory may come from.
	zone=$(awk '/^Node 0, zone/ { if ($4 == "Normal") print n + 0; n++ }' /proc/zoneinfo)
	wakes=$(count " MEM_KSWAPD_WAKE ")
	[ "$(count " $kswapd .* MEM_KSWAPD_WAKE 0x0 $(hex "$zone") 0xa\$")" -gt 0 ]
	[ "$(count " $kswapd .* MEM_KSWAPD_SLEEP 0x0\$")" -gt 0 ]
	[ "$(count " MEM_KSWAPD_SLEEP ")" -eq "$(count " $kswapd .* MEM_KSWAPD_SLEEP 0x0\$")" ]

	# As often as it is counted, where it is, and no fewer pages.
	grep -q ^pgfree /proc/vmstat || return 0
	grown() {
		echo $(($(value "$1" "$TMP/i1") - $(value "$1" "$TMP/i0")))
	}
	# One that gets nothing at first goes round twice, and is counted twice.
	[ "$begins" -le "$(grown stall)" ]
	[ $((begins * 3)) -ge "$(grown stall)" ]
	[ "$wakes" -eq "$(grown run)" ]
	got=$(awk '$5 == "MEM_RECLAIM_END" { print $6 }' "$TMP/dump" |
		while read -r x; do echo $((x)); done | awk '{ s += $1 } END { print s + 0 }')
	[ "$got" -ge "$(grown direct)" ]
	[ "$got" -le $(($(grown direct) + 20000)) ]
}

# Of each zone that has pages, from its first frame to its last.
compaction() {
	# Nothing is moved to what CPUs keep free for themselves, and what lies below is
	# moved first.
	echo 1 >/proc/sys/vm/drop_caches
	fraction=$(cat /proc/sys/vm/percpu_pagelist_high_fraction)
	echo 1000000 >/proc/sys/vm/percpu_pagelist_high_fraction
	"$P" spread 64 "$TMP/go" >"$TMP/spread" &
	spread=$!
	wait_for 60 grep -q ^pid "$TMP/spread"
	echo "$fraction" >/proc/sys/vm/percpu_pagelist_high_fraction
	record 'MEM_COMPACT_* default' 'MEM_MIGRATE default'
	"$P" compact >"$TMP/pid"
	: >"$TMP/go"
	wait $spread
	taken
	pid=$(value pid "$TMP/pid")
	awk '/^Node/ { z = 1; n = 0 } $1 == "spanned" { n = $2 } $1 == "managed" { m = $2 }
		/^  start_pfn:/ { if (n && m) print $2, n }' /proc/zoneinfo >"$TMP/zones"
	[ "$(wc -l <"$TMP/zones")" -ge 1 ]
	while read -r start n; do
		[ "$(count " $pid .* MEM_COMPACT_BEGIN $(hex "$start") $(hex $((start + n))) 0xffffffffffffffff 0x2\$")" -eq 1 ]
		# The whole zone was gone through: complete.
		[ "$(count " $pid .* MEM_COMPACT_END $(hex "$start") 0x5\$")" -eq 1 ]
	done <"$TMP/zones"
	[ "$(count " MEM_COMPACT_BEGIN ")" -eq "$(count " MEM_COMPACT_END ")" ]

	# Each page of the program that has another frame now was moved to it.
	value moved "$TMP/spread" >"$TMP/moved"
	[ "$(wc -l <"$TMP/moved")" -ge 10 ]
	awk '$5 == "MEM_MIGRATE" && $9 == "0x0" { print $2, $6, $7, $8 }' "$TMP/dump" |
		sort -n >"$TMP/moves"
	awk 'NR == FNR { if ($4 == "0x0") { from[$2] = $3 } next }
		{ at = "0x" $1; n = 0
		  while ((at in from) && at != "0x" $2 && n++ < 10) at = from[at]
		  if (at != "0x" $2) { print "not moved there: " $0; bad++ } else good++ }
		END { print good, "moved as recorded"; exit bad > 0 || !good }' \
		"$TMP/moves" "$TMP/moved"
}

# Pages of a cgroup are reclaimed on request.
reclaim_cgroup() {
	need_memcg
	[ -b /dev/ram0 ] || lack "no /dev/ram0"
	# As long as someone has it open, its pages stay.
	exec 9</dev/ram0
	"$P" file $cg 2 /dev/ram0 >"$TMP/cgroup"
	steal() {
		awk '$1 == "pgsteal" { print $1, $2 }' $cg/memory.stat
	}
	record 'MEM_RECLAIM_* default'
	steal >"$TMP/i0"
	"$P" reclaim $cg 1M >"$TMP/pid"
	steal >"$TMP/i1"
	taken
	exec 9<&-
	rmdir $cg
	pid=$(value pid "$TMP/pid")
	id=0x$(value cgroup "$TMP/cgroup")
	n=$(count " $pid .* MEM_RECLAIM_BEGIN 0x0 0x[0-9a-f]+ $id\$")
	[ "$n" -ge 1 ]
	[ "$(count " $pid .* MEM_RECLAIM_END ")" -eq "$n" ]
	got=$(awk -v p="$pid" '$3 == p && $5 == "MEM_RECLAIM_END" { print $6 }' "$TMP/dump" |
		while read -r x; do echo $((x)); done | awk '{ s += $1 } END { print s + 0 }')
	counted=$(($(value pgsteal "$TMP/i1") - $(value pgsteal "$TMP/i0")))
	echo "got $got, counted $counted"
	[ "$got" -gt 100 ]
	[ "$got" -ge "$counted" ]
	[ "$got" -le $((counted + 100)) ]
}

# cache_is FILE KIND: each page that a program has in the page cache was added there
# (or deleted from there) once, with frame, order, inode and index.
cache_is() {
	ino=$(value inode "$1")
	value add "$1" >"$TMP/want"
	[ -s "$TMP/want" ]
	while read -r pfn index; do
		[ "$(count " $2 0x$pfn 0x0 $(hex "$ino") 0x$index\$")" -eq 1 ]
	done <"$TMP/want"
}

# In a tmpfs, pages come with a write and go with the file's end.
cache_tmpfs() {
	record 'MEM_PAGECACHE_* default'
	"$P" cache "$TMP/file" 6 truncate >"$TMP/out"
	taken
	cache_is "$TMP/out" MEM_PAGECACHE_ADD
	cache_is "$TMP/out" MEM_PAGECACHE_DELETE
	[ "$(count " $(value pid "$TMP/out") .* MEM_PAGECACHE_ADD ")" -ge 6 ]
}

cache_ramfs() {
	mkdir "$TMP/mnt"
	mount -t ramfs none "$TMP/mnt"
	record 'MEM_PAGECACHE_* default'
	"$P" cache "$TMP/mnt/file" 5 truncate >"$TMP/out"
	taken
	umount "$TMP/mnt"
	cache_is "$TMP/out" MEM_PAGECACHE_ADD
	cache_is "$TMP/out" MEM_PAGECACHE_DELETE
}

# Pages of a block device are read and dropped again.
cache_device() {
	[ -b /dev/ram1 ] || lack "no /dev/ram1"
	record 'MEM_PAGECACHE_* default'
	"$P" device /dev/ram1 4 >"$TMP/out"
	taken
	cache_is "$TMP/out" MEM_PAGECACHE_ADD
	cache_is "$TMP/out" MEM_PAGECACHE_DELETE
}

# A device that takes its time: the reader waits for the page that is locked, the
# writer for the end of writeback.
wait_page() {
	module null_blk >/dev/null
	[ ! -d /sys/module/null_blk ] || rmmod null_blk
	modprobe null_blk memory_backed=1 nr_devices=1 irqmode=2 completion_nsec=20000000 bs=4096 \
		gb=1
	wait_for 10 test -b /dev/nullb0
	record 'MEM_WAIT_PAGE default' 'MEM_PAGECACHE_ADD default'
	"$P" device /dev/nullb0 3 write >"$TMP/out"
	taken
	rmmod null_blk
	pid=$(value pid "$TMP/out")
	value add "$TMP/out" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 3 ]
	while read -r pfn index; do
		[ "$(count " $pid .* MEM_WAIT_PAGE 0x$pfn 0x0\$")" -ge 1 ]
	done <"$TMP/want"
	pfn=$(head -n 1 "$TMP/want" | cut -d' ' -f1)
	[ "$(count " $pid .* MEM_WAIT_PAGE 0x$pfn 0x1\$")" -ge 1 ]
	# Nobody wrote the others.
	pfn=$(tail -n 1 "$TMP/want" | cut -d' ' -f1)
	[ "$(count " $pid .* MEM_WAIT_PAGE 0x$pfn 0x1\$")" -eq 0 ]
}

t 'pages: frame, order, flags, freed once each' pages
t 'every page and object is given and freed in turn' turns
t 'slab caches and their objects' slab
t 'kmalloc and kfree of every kind' kmalloc
t 'vmalloc and vfree' vmalloc
t 'all memory is taken: failures, reclaim, kswapd' hog
t 'compaction and migration' compaction
t 'reclaim of a cgroup' reclaim_cgroup
t 'page cache of a tmpfs' cache_tmpfs
t 'page cache of a ramfs' cache_ramfs
t 'page cache of a block device' cache_device
t 'waiting for a page' wait_page
finish
