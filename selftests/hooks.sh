#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Each event is provoked on purpose, and its record held against what is known of
# it from elsewhere: /proc, /proc/kallsyms, the helper that provoked it.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_ftrace.sh
. "$SRC/lib_ftrace.sh"

# all: everything is recorded from here, into a buffer that nothing falls out of.
all() {
	put buffers/main/size 8M
	put maskset RALL
}

fork_exec_exit() {
	ln -s "$H" "$TMP/lkst_kid"
	all
	"$H" child "$TMP/lkst_kid" 42 >"$TMP/pids"
	taken
	read -r parent child <"$TMP/pids"
	grep -E "^[0-9]+ [0-9]+ $parent .* PROCESS_FORK 0x[0-9a-f]{16} $child/$child\$" "$TMP/dump" >"$TMP/fork"
	[ "$(wc -l <"$TMP/fork")" -eq 1 ]
	addr=$(awk '{ print $6 }' "$TMP/fork")
	[ "$(count " $child .* PROCESS_EXEC $addr $child\$")" -eq 1 ]
	[ "$(count " $child .* PROCESS_EXIT $addr 0x2a00\$")" -eq 1 ]
	# Named at each of the three.
	[ "$(count "LKST_PROCESS $addr $child/$child lkst_helper\$")" -ge 1 ]
	[ "$(count "LKST_PROCESS $addr $child/$child lkst_kid\$")" -ge 2 ]
	[ "$(task "$child")" = "$addr" ]
	# In this order.
	sort -n -k2 "$TMP/dump" | grep -oE "PROCESS_(FORK|EXEC|EXIT) $addr" |
		cut -d' ' -f1 >"$TMP/order"
	printf 'PROCESS_FORK\nPROCESS_EXEC\nPROCESS_EXIT\n' | cmp - "$TMP/order"
}

# The exit code is what wait() gives, also after a signal; threads are told from
# processes.
exit_by_signal() {
	ln -s "$H" "$TMP/lkst_kid"
	all
	"$H" child "$TMP/lkst_kid" -9 >"$TMP/pids"
	"$H" threads one two >"$TMP/tids" </dev/null
	taken
	read -r parent child <"$TMP/pids"
	[ "$(count " $child .* PROCESS_EXIT 0x[0-9a-f]{16} 0x9\$")" -eq 1 ]
	# shellcheck disable=SC2046
	set -- $(cat "$TMP/tids")
	[ "$(count " $1 .* PROCESS_FORK 0x[0-9a-f]{16} $2/$1\$")" -eq 1 ]
	[ "$(count " $1 .* PROCESS_FORK 0x[0-9a-f]{16} $3/$1\$")" -eq 1 ]
	[ "$(count " $2 .* PROCESS_EXIT $(task "$2") 0x0\$")" -eq 1 ]
	[ "$(count " $3 .* PROCESS_EXIT $(task "$3") 0x0\$")" -eq 1 ]
}

# Modules have hooks, too: turned on as they are loaded, and later.
in_a_module() {
	ko=$(module lkst_test_hook)
	maskset hi 'INT_TASKLETHI_* default'
	put maskset hi
	insmod "$ko"
	put maskset RNOTHING
	rmmod lkst_test_hook
	insmod "$ko"
	put maskset hi
	rmmod lkst_test_hook
	taken
	[ "$(count ' INT_TASKLETHI_ENTRY 0x123456 0x654321$')" -eq 1 ]
	[ "$(count ' INT_TASKLETHI_EXIT 0x123456 0x654321$')" -eq 1 ]
}

# The hooks of several events, in the kernel and in a module, are turned on and off
# together: x86 has the other CPUs stop three times for changed code, whatever there is of it.
# What is counted is how often each is told to, as ftrace has it. It need not be interrupted
# for that: one that has been called for something else and has not come to it yet, or is
# idle and still looks for work, is not.
armed_at_once() {
	grep -q ' do_sync_core$' /proc/kallsyms || skip 'code is changed in another way'
	need_cpus 2
	ftrace_ready csd/csd_queue_cpu
	ko=$(module lkst_test_hook)
	maskset few 'PROCESS_EXEC default'
	maskset more 'PROCESS_EXEC default' 'INT_TASKLET* default' 'SYSCALL_* default'
	insmod "$ko"
	put maskset few
	echo 1 >"$T/events/csd/csd_queue_cpu/enable"
	echo 1 >"$T/tracing_on"
	# shellcheck disable=SC2016 # of the new shell
	pid=$(sh -c 'echo $$; cd "$1"; echo more >maskset; echo few >maskset' sh "$LKST")
	grep -E -- "-$pid .* csd_queue_cpu: .* func=do_sync_core( |\$)" "$T/trace" >"$TMP/told" || :
	ftrace_off
	rmmod lkst_test_hook
	cat "$TMP/told"
	[ "$(wc -l <"$TMP/told")" -eq $((6 * ($(cpus | wc -l) - 1))) ]
}

# The kernel's own test of static keys, in modules: of what turns hooks on, too.
static_keys() {
	base=$(module test_static_key_base)
	keys=$(module test_static_keys)
	insmod "$base"
	status=0
	insmod "$keys" && rmmod test_static_keys || status=1
	rmmod test_static_key_base
	return "$status"
}

# Hooks are turned on and off while a module that has some comes and goes, and then do
# what they are told.
armed_meanwhile() {
	ko=$(module lkst_test_hook)
	maskset hi 'INT_TASKLETHI_* default'
	put buffers/main/size 8M
	seq "$(scaled 40)" | while read -r _; do
		insmod "$ko"
		rmmod lkst_test_hook
	done &
	while kill -0 $! 2>/dev/null; do
		put maskset hi
		put maskset RNOTHING
	done
	wait $!
	put maskset hi
	"$H" markers 0 1 1
	insmod "$ko"
	rmmod lkst_test_hook
	"$H" markers 0 2 1
	stop
	insmod "$ko"
	rmmod lkst_test_hook
	taken
	sort -n -k2 "$TMP/dump" | awk '
		$5 == "LKST_MARKER" { part = $NF }
		$5 == "INT_TASKLETHI_ENTRY" { entries[part]++ }
		$5 == "INT_TASKLETHI_EXIT" { exits[part]++ }
		END {
			print entries[0] + 0, exits[0] + 0, "meanwhile"
			exit !(entries[1] == 1 && exits[1] == 1 && !entries[2] && !exits[2])
		}'
}

# An exec that fails is none.
exec_fails() {
	echo nothing >"$TMP/text"
	all
	"$H" child "$TMP/nosuch" 0 >"$TMP/pids" || :
	taken
	read -r parent child <"$TMP/pids"
	[ "$(count " $child .* PROCESS_EXEC ")" -eq 0 ]
	[ "$(count " $child .* PROCESS_EXIT 0x[0-9a-f]+ 0x100\$")" -eq 1 ]
}

# From whom, to whom, which, and what became of it.
sigsend() {
	all
	"$H" signals >"$TMP/pids"
	taken
	read -r me target <"$TMP/pids"
	addr=$(task "$target")
	grep -E "^[0-9]+ [0-9]+ $me .* PROCESS_SIGSEND $addr " "$TMP/dump" |
		sort -n -k2 | cut -d' ' -f7- >"$TMP/sent"
	cat >"$TMP/want" <<-END
		0xa 0x0 0x0
		0xa 0x0 0x2
		0xc 0x0 0x1
		0x9 0x0 0x0
	END
	cmp "$TMP/want" "$TMP/sent"
	# The kernel's own: the child's end for its parent.
	parent=$(task "$me")
	[ "$(count " $target .* PROCESS_SIGSEND $parent 0x11 ")" -eq 1 ]
}

kernel_thread() {
	ko=$(module lkst_test)
	all
	insmod "$ko"
	taken
	pid=$(cat /sys/module/lkst_test/parameters/thread_pid)
	rmmod lkst_test
	[ "$pid" -gt 0 ]
	hex=$(printf '0x%x' "$pid")
	# kthreadd makes it, its function is kthread().
	grep -E "^[0-9]+ [0-9]+ 2 .* PROCESS_LTHREADGEN $(symbol kthread) 0x[0-9a-f]+ 0x[0-9a-f]+ $hex\$" \
		"$TMP/dump"
	[ "$(count " PROCESS_LTHREADGEN .* $hex\$")" -eq 1 ]
	[ "$(count " 2 .* PROCESS_FORK 0x[0-9a-f]{16} $pid/$pid\$")" -eq 1 ]
}

# N calls are N entries and N exits, with the arguments and the result.
syscall_count() {
	maskset calls ':syscall default'
	put buffers/main/size 8M
	put maskset calls
	n=$(scaled 5000)
	"$H" getppid "$n" >"$TMP/pids"
	taken
	read -r pid ppid <"$TMP/pids"
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr getppid) ")" -eq $((n + 1)) ]
	[ "$(count " $pid .* SYSCALL_EXIT $(nr getppid) $(printf '0x%x' "$ppid")\$")" -eq $((n + 1)) ]
	# One after the other, on the thread's own line.
	awk -v p="$pid" '$3 == p && $5 ~ /^SYSCALL_/' "$TMP/dump" | sort -n -k2 |
		awk '$5 == "SYSCALL_ENTRY" { if (in_call) bad++; in_call = 1; nr = $6 }
		     $5 == "SYSCALL_EXIT" { if (in_call && $6 != nr) bad++; in_call = 0 }
		     END { exit bad > 0 }'
}

syscall_arguments() {
	all
	pid=$("$H" syscalls)
	taken
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr write) 0xffffffffffffffff 0x1234 0x5678\$")" -eq 1 ] ||
		[ "$(count " $pid .* SYSCALL_ENTRY $(nr write) 0xffffffff 0x1234 0x5678\$")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_EXIT $(nr write) 0xfffffffffffffff7\$")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr pread64) 0xf*[0-9a-f]* 0x1111 0x2222\$")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_EXIT $(nr pread64) 0xfffffffffffffff7\$")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr close) 0x7fffabcd ")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_EXIT $(nr close) 0xfffffffffffffff7\$")" -eq 1 ]
	# A number that there is no call for.
	[ "$(count " $pid .* SYSCALL_ENTRY 0xfa0 0xaaaa 0xbbbb 0xcccc\$")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_EXIT 0xfa0 0xffffffffffffffda\$")" -eq 1 ]
	# 64 bits of an argument.
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr lseek) 0xf4240 0x123456789abcdef 0x63\$")" -eq 1 ]
	# The last one has no exit.
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr exit_group) 0x0 ")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_EXIT $(nr exit_group) ")" -eq 0 ]
}

# interrupts: "IRQ COUNT" of all CPUs from /proc/interrupts.
interrupts() {
	awk 'NR == 1 { n = NF; next }
		$1 ~ /^[0-9]+:$/ { s = 0; for (i = 2; i <= n + 1; i++) s += $i
			sub(":", "", $1); print $1, s }' /proc/interrupts
}

softirqs() {
	awk 'NR == 1 { n = NF; next }
		{ s = 0; for (i = 2; i <= n + 1; i++) s += $i
			sub(":", "", $1); print NR - 2, s, $1 }' /proc/softirqs
}

# between OUT0 IN0 IN1 OUT1 FILE: what was recorded, "NUMBER COUNT" in FILE, is
# no less than what was counted while recording was on, and no more than what
# was from before it till after.
between() {
	awk -v file=0 '
		FNR == 1 { file++ }
		file == 1 { o0[$1] = $2 }
		file == 2 { i0[$1] = $2 }
		file == 3 { i1[$1] = $2 }
		file == 4 { o1[$1] = $2 }
		file == 5 { n[$1] = $2 }
		END {
			for (k in o1) {
				low = i1[k] - i0[k]
				high = o1[k] - o0[k]
				if (n[k] + 0 < low || n[k] + 0 > high) {
					print k ": recorded", n[k] + 0, \
						"counted", low, "to", high
					bad = 1
				}
				if (low > 0)
					seen++
			}
			print seen + 0, "kinds were seen"
			exit bad || !seen
		}' "$@"
}

# as_counted NAME: the entries and exits that were recorded, by their first argument, lie
# between the counts that were taken around and while recording was on.
as_counted() {
	for e in ENTRY EXIT; do
		awk -v e="INT_$1_$e" '$5 == e { print $6 }' "$TMP/dump" | sort |
			uniq -c | while read -r n x; do echo $((x)) "$n"; done >"$TMP/$e"
		between "$TMP/o0" "$TMP/i0" "$TMP/i1" "$TMP/o1" "$TMP/$e"
	done
}

# The timer is an interrupt of its own on most machines; files of the host and the
# console bring others.
some_interrupts() {
	"$H" load "$(scaled 300)" >/dev/null
	cat /src/selftests/*.sh >/dev/null 2>&1 || :
	for d in /sys/block/*; do
		dd if="/dev/${d##*/}" of=/dev/null bs=64k count=4 iflag=direct 2>/dev/null || :
	done
	# More than the console's FIFO takes at once.
	[ ! -c /dev/ttyS0 ] || printf '# %0200d\n' 0 >/dev/ttyS0 || :
}

hardirq() {
	put buffers/main/size 8M
	maskset irqs 'INT_HARDWARE_* default'
	echo 1 >"$TMP/o0"
	interrupts >"$TMP/o0"
	put maskset irqs
	interrupts >"$TMP/i0"
	some_interrupts
	interrupts >"$TMP/i1"
	stop
	interrupts >"$TMP/o1"
	taken
	as_counted HARDWARE
	# In a hardware interrupt, with a function of the kernel, handled (IRQ_HANDLED) or, with
	# threadirqs, to be handled by a thread (IRQ_WAKE_THREAD).
	handled=1
	! grep -qw threadirqs /proc/cmdline || handled=2
	if awk '$5 ~ /^INT_HARDWARE_/' "$TMP/dump" | grep -vE '^[0-9]+ [0-9]+ [0-9]+ 0x[0-9a-f]*[13579bdf] '; then
		return 1
	fi
	awk '$5 == "INT_HARDWARE_ENTRY" { print $7 }' "$TMP/dump" | sort -u |
	while read -r f; do
		grep -q "^${f#0x} " /proc/kallsyms
	done
	[ "$(count ' INT_HARDWARE_EXIT 0x[0-9a-f]+ 0x'$handled'$')" -gt 0 ]
	nested HARDWARE
}

# nested NAME: entry and exit are pairs on each CPU.
nested() {
	awk -v in_="INT_$1_ENTRY" -v out="INT_$1_EXIT" '
		$5 == in_ { stack[$1, ++depth[$1]] = $6 }
		$5 == out && depth[$1] { if (stack[$1, depth[$1]--] "" != $6) bad++ }
		END { for (c in depth) if (depth[c] > 1) bad++; exit bad > 0 }' \
		"$TMP/dump"
}

softirq() {
	put buffers/main/size 8M
	maskset irqs 'INT_BH_E* default'
	ip link set lo up 2>/dev/null || :
	softirqs >"$TMP/o0"
	put maskset irqs
	softirqs >"$TMP/i0"
	"$H" load "$(scaled 300)" >/dev/null
	"$H" udp 50 || :
	softirqs >"$TMP/i1"
	stop
	softirqs >"$TMP/o1"
	taken
	as_counted BH
	# The timer's, and the network's.
	[ "$(count ' INT_BH_ENTRY 0x1$')" -gt 0 ]
	[ ! -d /sys/class/net/lo ] || [ "$(count ' INT_BH_ENTRY 0x3$')" -ge 50 ]
	# In a soft interrupt.
	if awk '$5 ~ /^INT_BH_E/' "$TMP/dump" | grep -vE '^[0-9]+ [0-9]+ [0-9]+ 0x[0-9a-f]*[2367abef] '; then
		return 1
	fi
	nested BH
}

tasklets() {
	ko=$(module lkst_test)
	all
	insmod "$ko" tasklets=25
	taken
	p=/sys/module/lkst_test/parameters
	func=$(printf '0x%x' "$(cat "$p/func")")
	func_hi=$(printf '0x%x' "$(cat "$p/func_hi")")
	ran=$(cat "$p/ran")
	ran_hi=$(cat "$p/ran_hi")
	rmmod lkst_test
	[ "$ran" -eq 25 ]
	[ "$ran_hi" -eq 25 ]
	for e in ENTRY EXIT; do
		[ "$(count " INT_TASKLET_$e 0x[0-9a-f]{16} $func\$")" -eq 25 ]
		[ "$(count " INT_TASKLETHI_$e 0x[0-9a-f]{16} $func_hi\$")" -eq 25 ]
		[ "$(count " INT_TASKLETHI_$e 0x[0-9a-f]{16} $func\$")" -eq 0 ]
	done
	nested TASKLET
	nested TASKLETHI
	# Each lies in its softirq: HI is 0, TASKLET is 6.
	awk '$5 == "INT_BH_ENTRY" { vec[$1] = $6 }
		$5 == "INT_BH_EXIT" { vec[$1] = "" }
		$5 == "INT_TASKLET_ENTRY" && vec[$1] != "0x6" { bad++ }
		$5 == "INT_TASKLETHI_ENTRY" && vec[$1] != "0x0" { bad++ }
		END { exit bad > 0 }' "$TMP/dump"
}

# Two processes wait for each other N times on one CPU.
pingpong() {
	maskset sched 'PROCESS_* default'
	put buffers/main/size 4M
	put maskset sched
	n=$(scaled 500)
	"$H" pingpong "$n" 0 0 >"$TMP/pids"
	taken
	read -r a b <"$TMP/pids"
	ta=$(task "$a")
	tb=$(task "$b")
	# One woke the other, and one's sleep gave way to the other, again and again.
	[ "$(count "^0 [0-9]+ $a .* PROCESS_WAKEUP $tb\$")" -ge 5 ]
	[ "$(count "^0 [0-9]+ $b .* PROCESS_WAKEUP $ta\$")" -ge 5 ]
	[ "$(count "^0 [0-9]+ $a .* PROCESS_CONTEXTSWITCH $ta $tb 0x1\$")" -ge 5 ]
	[ "$(count "^0 [0-9]+ $b .* PROCESS_CONTEXTSWITCH $tb $ta 0x1\$")" -ge 5 ]
	[ "$(count "PROCESS_WAKEUP ($ta|$tb)\$")" -ge $((n / 2)) ]
	# Who slept was woken up before he ran again, and only who slept was.
	for t in "$ta" "$tb"; do
		sort -n -k2 "$TMP/dump" | awk -v t="$t" '
			$5 == "PROCESS_CONTEXTSWITCH" && $6 "" == t { asleep = $8 != "0x0"; n++ }
			# The memory of one that ended is used again.
			$5 == "PROCESS_FORK" && $6 "" == t { asleep = 0 }
			$5 == "PROCESS_WAKEUP" && $6 "" == t { if (!asleep) awake++; asleep = 0 }
			$5 == "PROCESS_CONTEXTSWITCH" && $7 "" == t && asleep { bad++ }
			END { print n, "times off", awake + 0, "woken awake", bad + 0, "ran asleep"
				exit bad > 0 || awake > n / 20 + 2 }'
	done
}

# On each CPU the one who leaves is the one who came before, and a record between
# is of that thread.
switch_chain() {
	put buffers/main/size 16M
	maskset sched 'PROCESS_CONTEXTSWITCH default' 'SYSCALL_ENTRY default' \
		'PROCESS_FORK default'
	put maskset sched
	"$H" load "$(scaled 100)" >/dev/null
	"$H" pingpong "$(scaled 100)" 0 "$(last_cpu)" >/dev/null
	taken
	[ "$(count PROCESS_CONTEXTSWITCH)" -gt 100 ]
	# $3 of a switch is the PID of the one who leaves.
	awk '/^#/ { next }
		$5 == "LKST_PROCESS" || $5 == "PROCESS_FORK" || $5 == "PROCESS_CONTEXTSWITCH" || $5 == "SYSCALL_ENTRY" { print }' \
		"$TMP/dump" | sort -n -k2 | awk '
		$5 == "LKST_PROCESS" || $5 == "PROCESS_FORK" {
			split($7, id, "/"); pid[$6] = id[1]; next }
		$5 == "SYSCALL_ENTRY" {
			if (now[$1] != "" && (now[$1] in pid) && pid[now[$1]] != $3) {
				print "not running: " $0; bad++ }
			next }
		{ if (now[$1] != "" && now[$1] "" != $6) {
			print "not who came: " $0 " but " now[$1]; bad++ }
		  if (($6 in pid) && pid[$6] != $3 && $3 != 0) {
			print "not its PID: " $0 " but " pid[$6]; bad++ }
		  now[$1] = $7; n++ }
		END { print n, "switches"; exit bad > 0 || n < 100 }' >"$TMP/chain" || {
		head -n 5 "$TMP/chain"
		return 1
	}
}

# switched_away PID STATE: how often PID was switched away from with a state that matches,
# from its start, which may have been on another CPU, to the last of its markers, which is
# what it counted up to.
switched_away() {
	sort -n -k2 "$TMP/dump" | awk -v pid="$1" -v t="$(task "$1")" -v state="$2" '
		$3 != pid { next }
		$5 == "PROCESS_CONTEXTSWITCH" && $6 == t && $8 ~ state { n++ }
		$5 == "LKST_MARKER" && $7 == "hog" { counted = n }
		END { print counted + 0 }'
}

# Someone preempted by another is ready, not asleep: two hogs on one CPU. The kernel
# counts both.
switch_preempted() {
	maskset sched 'PROCESS_CONTEXTSWITCH default'
	put maskset sched
	"$H" hogs 2 600 0 >"$TMP/hogs"
	taken
	[ "$(wc -l <"$TMP/hogs")" -eq 2 ]
	while read -r pid slept preempted; do
		echo "$pid slept $slept times, was preempted $preempted times"
		[ "$(switched_away "$pid" '^0x0$')" -eq "$preempted" ]
		[ "$(switched_away "$pid" '^0x[1-9a-f]')" -eq "$slept" ]
		[ "$preempted" -ge 3 ]
	done <"$TMP/hogs"
}

t 'fork, exec and exit tell of one task' fork_exec_exit
t 'exit by a signal; threads' exit_by_signal
t 'an exec that fails is not told' exec_fails
t 'a hook in a module' in_a_module
t 'the test that the kernel has of static keys' static_keys
t 'many hooks are turned on at once' armed_at_once
t 'hooks are turned on while modules come and go' armed_meanwhile
t 'signals: to whom, which, what became of it' sigsend
t 'kernel threads' kernel_thread
t 'every system call has an entry and an exit' syscall_count
t 'system calls with their arguments and results' syscall_arguments
t 'hardware interrupts as /proc/interrupts counts them' hardirq
t 'soft interrupts as /proc/softirqs counts them' softirq
t 'tasklets and high-priority tasklets' tasklets
t 'a pair that wakes each other' pingpong
t 'who leaves a CPU is who came' switch_chain
t 'who is preempted stays ready' switch_preempted
finish
