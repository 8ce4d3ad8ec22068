# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# In a guest: a mix of what machines do, for about a minute. mix.sh TREE: compiles the tools'
# sources of that kernel tree, while pipes, forks, directories and /proc are busy.

tools=$1/tools/tracing/lkst
include=$1/tools/include

compile()
{
	for file; do
		gcc -O1 -std=gnu11 -D_GNU_SOURCE -D__SANE_USERSPACE_TYPES__ -I"$tools/lib" \
			-idirafter "$include" -c -o "/tmp/$file.o" "$tools/lib/$file.c"
	done
}

busy()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		dd if=/dev/zero bs=512 count=8000 2>/dev/null | tr '\0' a | cat | md5sum
		find /proc /sys -maxdepth 3 2>/dev/null | sort | uniq | wc -l
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			/bin/busybox true
		done
		cat /proc/[0-9]*/stat /proc/[0-9]*/maps 2>/dev/null
		sleep 0.05
	done >/dev/null
}

compile merge block args task clock format torn mend &
compile event symbol marker table log util char write &
busy &
busy &
wait
