#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Ends with a panic: for a boot of its own, whose console shows what LKST was told.
# scripts/suites.sh looks there.
#
#	crash.sh panic		panic(), called by lkdtm
#	crash.sh oops		an oops of lkdtm, which is made a panic
#	crash.sh last		panic() while all CPUs record: with lkst.dump_on_oops=,
#				the last records are on the console
#	crash.sh kdump HOW N	the same with a crash kernel, which reads the dump; HOW is
#				sysrq, or what lkdtm does, of which the kernel complains
#				in N lines. Needs crashkernel=
#	crash.sh loop SEED [KIND]
#				the same, at a moment that SEED says and of a kind that it
#				says, or this, while all CPUs record all there is
#	crash.sh formats HOW N	the same, and of makedumpfile's formats
#	crash.sh dumped		what the crash kernel does
#	crash.sh dumpedformats	the same, for formats
#	crash.sh reset LAST	resets the machine, then panics and is reset: each time, the
#				next boot has what was recorded. Needs lkst.persist=. In the
#				last boot, this is deleted, or nobody may see it: LAST is
#				deleted or locked
#
#	crash.sh halted		records until /out/go is there; for who halts the machine
#
# For those with a dump: $IMAGE is the kernel, $DUMP the lkst that reads dumps.

set -eu

LKST=/sys/kernel/debug/lkst
DIRECT=/sys/kernel/debug/provoke-crash/DIRECT

# count [LINE]: every system call and switch, and what the line of a maskset says; and a
# counter, of which the console knows how far it came for certain.
count()
{
	modprobe lkdtm
	echo live >$LKST/masksets/create
	printf '%s default\n' :process :syscall :panic :irq >$LKST/masksets/live
	printf '%s\n' 'O_PRINTK nothing' "$@" >>$LKST/masksets/live
	echo live >$LKST/maskset
	yes >/dev/null &
	yes | cat >/dev/null &
	# What comes between the last count and the panic is not many records.
	"$LKST_TEST_BIN/lkst_helper" fifo $$
	i=0
	while [ $i -lt 50 ]; do
		i=$((i + 1))
		echo "count $i" >$LKST/marker
	done
	echo "lkst-test: counted $i" >/dev/kmsg
	echo "count $((i + 1))" >$LKST/marker
}

# "CPU RECORDS" that found no place in the buffer "full".
full_lost()
{
	awk 'NR == 1 { for (i = 2; i <= NF; i++) if ($i ~ /^(discarded|nmi|busy)$/) c[i]; next }
		{ n = 0; for (i in c) n += $i; if (n) print $1, n }' $LKST/buffers/full/stats
}

# A buffer that keeps what it has, while more comes. /out/lost: how much of each CPU that was.
overflow()
{
	echo RDEFAULT >$LKST/maskset
	echo 'full 64K' >$LKST/buffers/create
	echo discard >$LKST/buffers/full/mode
	echo full >$LKST/buffer
	n=0
	while [ -z "$(full_lost)" ] && [ $((n += 1)) -lt 100 ]; do
		ls -R $LKST >/dev/null
	done
	echo RNOTHING >$LKST/maskset
	echo main >$LKST/buffer
	full_lost >/out/lost
}

# The same, without an end. The highest count on the console must be in the dump. Where a
# CPU is to lock up, what counts never runs on it: each fork of a program waits for all CPUs
# that its memory was used on.
count_on()
{
	case $1 in
	*LOCKUP) taskset -p 1 $$ >/dev/null ;;
	esac
	echo live >$LKST/masksets/create
	printf '%s\n' '* default' 'O_PRINTK nothing' >$LKST/masksets/live
	echo live >$LKST/maskset
	# Who counts waits for memory then, as long as others look for it.
	[ "$1" != oom ] || echo 2M >$LKST/buffers/main/size
	yes >/dev/null &
	yes | cat >/dev/null &
	(
		i=0
		while :; do
			i=$((i + 1))
			echo "count $i" >$LKST/marker
			[ $((i % 20)) -eq 0 ] || continue
			# An oops stops recording some time before it stops this.
			grep -q '^stopped_by: -' $LKST/status || break
			echo "lkst-test: counted $i" >/dev/kmsg
			: >/tmp/counted
		done
	) &
	while [ ! -e /tmp/counted ]; do
		sleep 0.1
	done
}

# crash KIND: what lkdtm does, at once or at a point of the kernel; what the kernel finds
# out itself.
crash()
{
	case $1 in
	sysrq) echo c >/proc/sysrq-trigger ;;
	oom)
		echo 1 >/proc/sys/vm/panic_on_oom
		tail /dev/zero
		;;
	HUNG_TASK)
		echo 1 >/proc/sys/kernel/hung_task_panic
		echo 2 >/proc/sys/kernel/hung_task_timeout_secs
		echo HUNG_TASK >$DIRECT &
		;;
	SOFTLOCKUP)
		echo 1 >/proc/sys/kernel/softlockup_panic
		echo 2 >/proc/sys/kernel/watchdog_thresh
		taskset 2 sh -c "echo SOFTLOCKUP >$DIRECT" &
		;;
	HARDLOCKUP)
		# The other CPU finds it, and calls this one with an NMI.
		echo 1 >/proc/sys/kernel/hardlockup_panic
		echo 1 >/proc/sys/kernel/watchdog_thresh
		taskset 2 sh -c "echo HARDLOCKUP >$DIRECT" &
		;;
	*:*)
		echo "${1#*:}" >"${DIRECT%/*}/${1%%:*}"
		# Devices interrupt for what is not in memory yet.
		find /host/usr/share -type f -exec cat {} + >/dev/null
		;;
	*) echo "$1" >$DIRECT ;;
	esac
	sleep 60
	exit 1
}

KINDS='sysrq PANIC BUG EXCEPTION INT_HW_IRQ_EN:BUG INT_HW_IRQ_EN:EXCEPTION INT_HW_IRQ_EN:PANIC
	HUNG_TASK SOFTLOCKUP HARDLOCKUP EXHAUST_STACK oom'

# The crash kernel gets this root, and another command.
load_crash_kernel()
{
	echo "IMAGE='$IMAGE' DUMP='$DUMP' exec sh /src/selftests/crash.sh $1" >/cmd
	# What /init puts into lib is its own; see there what it does without it.
	(cd / && find . -xdev ! -path './lib/*' | cpio -o -H newc 2>/dev/null) >/tmp/initrd
	kexec -p "$IMAGE" --initrd=/tmp/initrd --append="$(sed \
		's/crashkernel=[^ ]*//; s/lkst\.[^ ]*//g' /proc/cmdline) nr_cpus=1 reset_devices"
	rm /tmp/initrd
}

# counts TEXT: the highest count, and whether all are there, in order, from where all CPUs
# still have their records on. One that had less to record goes further back.
counts()
{
	awk '{ match($0, /\[[0-9]+\] [^ ]+ +[0-9.]+:/)
		split(substr($0, RSTART + 1, RLENGTH - 2), word, /[] ]+/) }
		FNR == NR { if (!(word[1] in seen) && word[3] > from) from = word[3]
			seen[word[1]] = 1; next }
		/ LKST_MARKER / {
			sub(/.*count /, "")
			if ($1 + 0 > high) high = $1
			if (word[3] < from) next
			if (last && $1 != last + 1) { print "after " last ": " $1; bad = 1 }
			last = $1 }
		END { print "markers: " high; exit bad }' "$1" "$1"
}

# named FILE: names of tasks that have done nothing are there, however full the buffers were.
named()
{
	for id in 1/1 2/2; do
		grep -q "\[---\] .* LKST_PROCESS .* tid=$id comm=" "$1"
	done
}

# print_dump FILE: the highest count, and whether all of them are there and in order; the
# record of the stop, and how many others are later: what other CPUs had begun before it.
print_dump()
{
	echo 'lkst-test: expected' >/dev/kmsg
	"$DUMP" dump -o /tmp/log "$1"
	"$DUMP" buffer print -f /tmp/log >/tmp/text
	counts /tmp/text
	named /tmp/text
	awk '/ LKST_DUMP / { stopped = 1; print; next }
		stopped && !/ O_(OOPS|PANIC) / { n++ }
		END { print "after it: " n + 0 }' /tmp/text
	tail -n 5 /tmp/text
}

# Debian's makedumpfile: what it has left out at each level is no record, in any format.
print_formats()
{
	for how in '-c -d 23' '-l -d 31' '-c -d 31' '-F -c -d 31'; do
		rm -f /tmp/core
		# shellcheck disable=SC2086 # words
		case $how in
		-F*) makedumpfile $how /proc/vmcore 2>/dev/null | makedumpfile -R /tmp/core ;;
		*) makedumpfile $how /proc/vmcore /tmp/core ;;
		esac >/dev/null 2>&1
		"$DUMP" dump -o /tmp/log-core /tmp/core
		"$DUMP" buffer print -f /tmp/log-core >/tmp/text-core
		cmp /tmp/text /tmp/text-core
		echo "the same: makedumpfile $how"
	done
}

# What kdump-tools' units call: the log beside a dump, or instead of it.
saves()
{
	rm -rf /tmp/crash
	mkdir /tmp/crash
	env PATH="${DUMP%/*}:$PATH" LKST_COREDIR=/tmp/crash LKST_REBOOT='echo reboots' "$@" \
		sh /src/build/linux/tools/tracing/lkst/kdump/lkst-kdump >/tmp/said 2>&1
}

saved()
{
	cmp /tmp/log /tmp/crash/lkst-*/lkst.log
	grep -q 'panic on CPU' /tmp/crash/lkst-*/report
	grep -c '^reboots$' /tmp/said || :
}

print_saved()
{
	free=$(df -Pm /tmp | awk 'NR == 2 { print $4 }')
	saves
	[ "$(saved)" -eq 0 ]
	saves LKST_VMCORE=instead
	[ "$(saved)" -eq 1 ]
	saves LKST_VMCORE=$((free / 2))
	[ "$(saved)" -eq 0 ]
	saves LKST_VMCORE=$((free * 2))
	[ "$(saved)" -eq 1 ]
	# What is asked for wrongly, is no dump, or was no crash, keeps nobody from one.
	! saves LKST_VMCORE=never || exit 1
	[ "$(saved)" -eq 0 ]
	! saves LKST_VMCORE=instead LKST_FROM=/src/README || exit 1
	[ -z "$(ls /tmp/crash)" ]
	! grep '^reboots$' /tmp/said || exit 1
	saves LKST_VMCORE=instead LKST_FROM=/dev/null
	[ -z "$(cat /tmp/said)" ]
	echo "saved by lkst-kdump"
}

PREVIOUS=$LKST/buffers/previous

# The kernel's text has the records that the dump has, but for those beside one that was
# being written; each buffer's is a part of it; and the counts are in it, too.
print_previous()
{
	print_dump $PREVIOUS/core
	head -n 3 $PREVIOUS/trace
	behind=$(sed -n 's/^# \([0-9]*\) records are not here.*/\1/p' $PREVIOUS/trace)
	# The kernel shows one of those if it looks whole; the tool finds out which it was.
	writing=$(sed -n 's/^# \([0-9]*\) records were being written.*/\1/p' $PREVIOUS/trace)
	grep -v '^#' $PREVIOUS/trace >/tmp/trace
	cat $PREVIOUS/*/trace | grep -vc '^#' | grep -qx "$(wc -l </tmp/trace)"
	[ "$(wc -l </tmp/trace)" -le $(($(wc -l </tmp/text) + ${writing:-0})) ]
	[ "$(wc -l </tmp/trace)" -ge $(($(wc -l </tmp/text) - ${behind:-0})) ]
	counts /tmp/trace
	named /tmp/trace
	# Functions have names, wherever this boot has put the kernel.
	grep -q ' LK_SPINUNLOCK lock=0x[0-9a-f]* caller=[a-z_]*$' /tmp/trace
}

# pstore has the kernel's last messages, and the last records are among them.
print_pstore()
{
	[ -e /sys/module/ramoops/parameters/mem_address ] || return 0
	read -r at </sys/module/ramoops/parameters/mem_address
	[ "$at" -ne 0 ] || return 0
	mount -t pstore pstore /sys/fs/pstore
	cat /sys/fs/pstore/dmesg-ramoops-* >/tmp/pstore
	for of in 'of CPU [0-9]*' 'of all CPUs'; do
		sed -n "/lkst: the last [0-9]* records $of/,/lkst: end of the last records/p" \
			/tmp/pstore >/tmp/records
		grep -q ' LKST_DUMP ' /tmp/records
		echo "in pstore: the last records $of"
	done
}

# Its name is free for others then.
previous_deleted()
{
	echo previous >$LKST/buffers/delete
	[ ! -e $PREVIOUS ]
	echo 'previous 64K' >$LKST/buffers/create
	[ -e $PREVIOUS/size ]
}

# A kernel that is locked down shows nobody the records of the boot before either. As debugfs
# can't be written to, they stay; how much there is, is no secret.
previous_locked()
{
	find $PREVIOUS -type f >/tmp/files
	for file in trace core main/trace; do
		grep -qx $PREVIOUS/$file /tmp/files
		head -c 1 $PREVIOUS/$file | grep -q .
	done
	level=/sys/kernel/security/lockdown
	[ -e $level ] || mount -t securityfs none /sys/kernel/security
	echo confidentiality >$level
	while read -r file; do
		if dd count=1 if="$file" of=/tmp/got 2>/tmp/said; then
			echo "$file is shown"
			exit 1
		fi
		grep "open '$file': Operation not permitted" /tmp/said
	done </tmp/files
	if (echo previous >$LKST/buffers/delete) 2>/tmp/said; then
		exit 1
	fi
	grep 'Operation not permitted' /tmp/said
	[ -e $PREVIOUS/core ]
	grep -q '^persist: [0-9]* of [1-9]' $LKST/status
	echo "locked down: $(wc -l </tmp/files) files"
}

# In three boots. The kernel may come to lie where the region was: then it starts anew.
reset()
{
	if [ ! -e $PREVIOUS ]; then
		echo "first boot"
		echo 'side 64K' >$LKST/buffers/create
		count ':lock default'
		echo side >$LKST/buffer
		sleep 0.2
		echo b >/proc/sysrq-trigger
	elif ! grep -q '^# .*: panic on CPU' $PREVIOUS/trace; then
		print_previous
		[ -d $PREVIOUS/side ]
		[ -d $PREVIOUS/main ]
		# It stays as it is while this boot records.
		count ':lock default'
		if echo 'previous 64K' 2>/dev/null >$LKST/buffers/create; then
			exit 1
		fi
		echo 'lkst-test: expect 1 Kernel panic' >/dev/kmsg
		echo PANIC >$DIRECT
	else
		print_previous
		"previous_$1"
		print_pstore
		echo "last boot"
	fi
}

case $1 in
last)
	count
	echo PANIC >$DIRECT
	exit 1
	;;
kdump | formats)
	load_crash_kernel "dumped${1#kdump}"
	echo 1 >/proc/sys/kernel/panic_on_oops
	count
	echo "lkst-test: expect $3 Kernel panic|BUG[: ]|Oops" >/dev/kmsg
	case $2 in
	sysrq) echo c >/proc/sysrq-trigger ;;
	*) echo "$2" >$DIRECT ;;
	esac
	exit 1
	;;
loop)
	modprobe lkdtm cpoint_count=1
	load_crash_kernel dumped
	echo 1 >/proc/sys/kernel/panic_on_oops
	# shellcheck disable=SC2086 # words
	kind=${3:-$(echo $KINDS | awk -v s="$2" '{ srand(s); print $(1 + int(rand() * NF)) }')}
	moment=$(awk -v s="$2" 'BEGIN { srand(s); rand(); print rand() }')
	echo "$kind after $moment s, $(nproc) CPUs"
	count_on "$kind"
	sleep "$moment"
	# In an NMI's context nothing is printed before the crash kernel starts.
	echo 'lkst-test: expect * Kernel panic|BUG[: ]|Oops|Call Trace:|INFO: task|soft lockup|hard LOCKUP' >/dev/kmsg
	crash "$kind"
	;;
dumped)
	print_dump /proc/vmcore
	exit
	;;
dumpedformats)
	print_dump /proc/vmcore
	print_saved
	print_formats
	exit
	;;
reset)
	reset "$2"
	exit
	;;
halted)
	overflow
	count
	echo ready >/out/ready
	n=0
	while [ ! -e /out/go ] && [ $((n += 1)) -lt 600 ]; do
		sleep 0.1
	done
	[ -e /out/go ]
	exit
	;;
esac

insmod "${LKST_TEST_MOD:-.}/lkst_test_panic.ko"
modprobe lkdtm
echo crash >$LKST/masksets/create
echo 'O_PANIC lkst_test_panic' >$LKST/masksets/crash
echo 'O_OOPS lkst_test_panic' >$LKST/masksets/crash
echo crash >$LKST/maskset
echo 1 >/proc/sys/kernel/panic_on_oops
echo "lkst-test: pid $$" >/dev/kmsg
case $1 in
panic) echo PANIC >$DIRECT ;;
oops) echo EXCEPTION >$DIRECT ;;
esac
