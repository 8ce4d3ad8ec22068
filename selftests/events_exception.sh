#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Exceptions, provoked one by one in user mode and in the kernel. What a record
# must show is what the signal's frame, getrusage() or perf told the program.
#
# Not here, for want of a way to survive them or to have them in QEMU: double
# faults (they end the kernel), device not available (the kernel never lets it
# happen), invalid TSS and coprocessor overrun (no instruction of 64-bit mode
# raises them), control protection and virtualization exceptions (QEMU has
# neither); their hooks are those of the others, or look like them.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_ftrace.sh
. "$SRC/lib_ftrace.sh"

P=$BIN/provoke_irq

start() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only'
	put buffers/main/size 8M
	maskset exceptions 'EXCEPTION_* default'
	put maskset exceptions
}

# pairs PID: each exit is that of the exception entered last, and none is left.
pairs() {
	sort -n -k2 "$TMP/dump" | awk -v p="$1" '
		$3 != p || $5 !~ /^EXCEPTION_/ { next }
		{ what = $5 ~ /_PF_/ ? "page fault" : $6 }
		$5 ~ /_ENTRY$/ { stack[++depth] = what; n++ }
		$5 ~ /_EXIT$/ {
			# Of one that was under way when recording started.
			if (!depth) { early++; next }
			if (stack[depth--] != what) { print "not nested:", $0; bad++ } }
		END { print n, "entries,", depth + 0, "left,", early + 0, "early"
			exit bad || depth || !n || early > 1 }'
}

# Each of them tells of vector, place, error code and address.
user_mode() {
	start
	"$P" exceptions >"$TMP/told"
	taken
	read -r _ pid <"$TMP/told"
	n=0
	missing=
	sed 1d "$TMP/told" >"$TMP/list"
	while read -r name vector ip error address; do
		if [ "$vector" = none ]; then
			missing="$missing $name"
			continue
		fi
		# Of the kernel's pages a program is told that all are there.
		[ "$name" != kernel ] || error='0x[45]'
		event="EXCEPTION_ENTRY $vector"
		[ "$vector" != 0xe ] || event=EXCEPTION_PF_ENTRY
		[ "$(count " $pid 0x[0-9a-f]+ $event $ip $error $address\$")" -eq 1 ]
		n=$((n + 1))
	done <"$TMP/list"
	[ "$n" -ge 14 ]
	# QEMU's TCG checks no alignment, and raises nothing for SIMD.
	case $missing in
	'' | *simd* | *align*) ;;
	*) return 1 ;;
	esac
	[ -z "$missing" ] || echo "not raised by this processor:$missing" >"$TMP/say"
	# No more of the rare ones than were raised.
	for v in 0x0 0x3 0x4 0x5 0xb 0xc 0x10; do
		[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_ENTRY $v ")" -eq \
		  "$(grep -cE "^[a-z0-9]+ $v 0x" "$TMP/list" || :)" ]
	done
	# Page faults have events of their own.
	[ "$(count ' EXCEPTION_(ENTRY|EXIT) 0xe( |$)')" -eq 0 ]
	pairs "$pid"
}

# Every page once, with its address; a write to what is not there is error 6.
page_faults() {
	start
	n=$(scaled 200)
	"$P" touch "$n" >"$TMP/told"
	taken
	read -r pid base faults <"$TMP/told"
	[ "$faults" -ge "$n" ]
	i=0
	while [ "$i" -lt "$n" ]; do
		printf '0x%x\n' $((base + i * 4096 + i % 4096))
		i=$((i + 1))
	done >"$TMP/want"
	awk -v p="$pid" '$3 == p && $5 == "EXCEPTION_PF_ENTRY" && $7 == "0x6" {
		print $2, $8 }' "$TMP/dump" | sort -n | cut -d' ' -f2 >"$TMP/got"
	# In this order; others may lie between.
	awk 'NR == FNR { want[++n] = $1; next }
		$1 == want[i + 1] { i++ }
		$1 in seen { next }
		END { print i + 0, "of", n; exit i != n }' "$TMP/want" "$TMP/got"
	sort "$TMP/got" | uniq -d >"$TMP/twice"
	for address in $(head -n 20 "$TMP/want"); do
		if grep -qx "$address" "$TMP/twice"; then
			return 1
		fi
	done
	pairs "$pid"
}

# The kernel's own, at a user's address: the instruction is the kernel's.
kernel_page_fault() {
	start
	"$P" kernel_fault >"$TMP/told"
	taken
	read -r pid address <"$TMP/told"
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_PF_ENTRY 0xffff[0-9a-f]{12} 0x0 $address\$")" -ge 1 ]
	pairs "$pid"
}

# One that the kernel repairs: at that instruction, as often as it was done.
kernel_protection() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only'
	ko=$(module lkst_test_irq)
	start
	insmod "$ko" what=fault n=7
	taken
	pid=$(cat /sys/module/lkst_test_irq/parameters/pid)
	ip=$(printf '0x%x' "$(cat /sys/module/lkst_test_irq/parameters/func)")
	rmmod lkst_test_irq
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_ENTRY 0xd $ip 0x0 0x0\$")" -eq 7 ]
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_ENTRY 0xd ")" -eq 7 ]
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_EXIT 0xd\$")" -eq 7 ]
	pairs "$pid"
}

# A watchpoint, hit by the program and by the kernel: DR6 says which register's.
debug() {
	start
	"$P" watch >"$TMP/told"
	taken
	read -r pid hits <"$TMP/told"
	[ "$hits" -eq 3 ]
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_ENTRY 0x1 0x[0-9a-f]{1,12} 0x1 0x0\$")" -eq 2 ]
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_ENTRY 0x1 0xffff[0-9a-f]{12} 0x1 0x0\$")" -eq 1 ]
	[ "$(count " $pid 0x[0-9a-f]+ EXCEPTION_ENTRY 0x1 ")" -eq 3 ]
	pairs "$pid"
}

# What a hook always runs takes no breakpoint, as it runs in noinstr code. What it runs
# now and then does: for a full block, a jump, a maskset, a clock, an action. (What runs when
# a machine wakes up begins with the NOP of a static key, where no breakpoint can be.)
breakpoints() {
	ftrace_ready raw_syscalls
	[ -e "$T/kprobe_events" ] || lack 'no kprobe_events in this kernel'
	# (Each shape of record has an entry of its own.)
	for f in $(awk '$3 ~ /^__lkst_hook[0-9]+$/ { print $3 }' /proc/kallsyms) \
		 lkst_call_handler lkst_record lkst_make_room lkst_log_text lkst_record_text; do
		[ -n "$(symbol "$f")" ]
		if echo "p:lkst_test/$f $f" >"$T/kprobe_events"; then
			echo "a breakpoint in $f"
			return 1
		fi
	done
	[ "$(grep -c ' __lkst_hook[0-9]*$' /proc/kallsyms)" -ge 5 ]
	n=0
	for f in $(awk '$2 ~ /[tT]/ && $3 ~ /^lkst_(table_effective|catch_up|jump|snapshot|buffer_(get|put|switch)|clock|open|close|advance|publish|rearm|tell|action|match$|any|record_)/ {
			print $3 }' /proc/kallsyms | grep -v -e '_init$' -e '_clock_resume$' -e '_text$' | sort -u); do
		# (Parts of functions have a dot in their names.)
		if ! echo "p:lkst_test/$(echo "$f" | tr . _) $f" >>"$T/kprobe_events"; then
			! dmesg | grep -q "Could not probe notrace function $f" ||
				lack 'with a function tracer it takes CONFIG_KPROBE_EVENTS_ON_NOTRACE'
			exit 1
		fi
		n=$((n + 1))
	done
	[ "$n" -ge 30 ]
	insmod "$(module lkst_trigger)"
	insmod "$(module lkst_filter)"
	put buffers/create 'kept 256K'
	put buffers/create 'other 4M'
	put handlers/trigger/control 'do=snapshot:kept rearm=1ms'
	put handlers/filter/control 'comm!=nobody'
	maskset probed '* default' 'PROCESS_WAKEUP trigger' 'SYSCALL_ENTRY filter'
	echo 1 >"$T/events/lkst_test/enable"
	for clock in tsc local mono; do
		put maskset RNOTHING
		[ "$clock" != tsc ] || [ "$(uname -m)" = x86_64 ] || continue
		put clock "$clock"
		put maskset probed
		"$H" load 500 >/dev/null &
		w=$!
		for _ in 1 2 3 4 5; do
			put buffer other
			put maskset RALL
			put buffer main
			put maskset probed
		done
		wait "$w"
	done
	# Through all of it, not one record is missing.
	maskset calls 'SYSCALL_* default'
	put maskset calls
	put trace ''
	pid=$("$H" getppid 1000 | cut -d' ' -f1)
	stop
	dump
	[ "$(count "^[0-9]+ [0-9]+ $pid .* SYSCALL_ENTRY $(nr getppid) ")" -eq 1001 ]
	[ "$(count "^[0-9]+ [0-9]+ $pid .* SYSCALL_EXIT $(nr getppid) ")" -eq 1001 ]
	identity main
	echo 0 >"$T/events/lkst_test/enable"
	cat "$T/kprobe_profile"
	for f in lkst_table_effective lkst_catch_up lkst_buffer_switch lkst_snapshot lkst_match; do
		awk -v f="$f" '$1 == f { hit = $2 } END { exit !hit }' "$T/kprobe_profile"
	done
	echo >"$T/kprobe_events"
}

t 'exceptions of a program, one of each' user_mode
t 'page faults with their addresses' page_faults
t 'a page fault of the kernel' kernel_page_fault
t 'a general protection fault of the kernel' kernel_protection
t 'debug exceptions, of a program and of the kernel' debug
t 'breakpoints in what hooks run' breakpoints
finish
