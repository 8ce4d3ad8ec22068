#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Trouble, modules, CPUs, security modules and control groups: each event is
# provoked, and its arguments held against what is known from elsewhere. A panic
# is in crash.sh, which needs a boot of its own.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_oops.sh
. "$SRC/lib_oops.sh"

P=$BIN/provoke_others
ACT=/sys/module/lkst_test_others/parameters

# record EVENT...: from here these are recorded, and what names tasks.
record() {
	maskset others 'PROCESS_EXIT default' 'PROCESS_FORK default'
	for e in "$@"; do
		put masksets/others "$e default"
	done
	put maskset others
}

# symbol_at ADDRESS...: the functions in which they are, one a line.
symbol_at() {
	awk -v list="$(printf 'x%016x ' "$@")" '
		BEGIN { n = split(list, a, " ") }
		$2 ~ /^[tTwW]$/ && $3 !~ /^\$/ {
			at = "x" $1
			for (i = 1; i <= n; i++)
				if (at <= a[i] && at > best[i]) {
					best[i] = at
					name[i] = $3
				}
		}
		END { for (i = 1; i <= n; i++) print name[i] }' /proc/kallsyms
}

# words N TEXT: the text as N words of a record, with a space before each.
words() {
	"$P" str "$2" | head -n "$1" | awk -v n="$1" '{ printf " %s", $1 }
		END { for (; NR < n; n--) printf " 0x0" }'
}

insert() {
	insmod "$(module lkst_test_others)"
}

# By itself, so that its PID is known: act WHAT [CPU]. Prints the PID.
act() {
	# shellcheck disable=SC2016
	taskset -c "${2:-0}" sh -c 'echo $$; echo "$1" >"$2"' - "$1" "$ACT/act"
}

# === The kernel log ===

# Who, how bad, how long, and how it starts.
printk() {
	record O_PRINTK
	a=$("$P" kmsg 3 'lkst-test: a message of more than sixteen bytes')
	b=$("$P" kmsg 6 'lkst-test')
	c=$("$P" kmsg 5 '12345678')
	taken
	grep -E " ($a|$b|$c) .* O_PRINTK " "$TMP/dump"
	[ "$(count " $a .* O_PRINTK 0x3 0x2f$(words 2 'lkst-test: a message')\$")" -eq 1 ]
	[ "$(count " $b .* O_PRINTK 0x6 0x9$(words 2 'lkst-test')\$")" -eq 1 ]
	[ "$(count " $c .* O_PRINTK 0x5 0x8$(words 2 '12345678')\$")" -eq 1 ]
	[ "$(count " ($a|$b|$c) .* O_PRINTK ")" -eq 3 ]
}

# The pieces of a line that comes bit by bit.
printk_continued() {
	insert
	record O_PRINTK
	pid=$(act continue)
	taken
	grep " $pid .* O_PRINTK " "$TMP/dump" | sort -n -k2 | cut -d' ' -f6- >"$TMP/got"
	{
		echo "0x5 0xe$(words 2 'lkst_test: one')"
		echo "0x5 0x5$(words 2 ', two')"
		echo "0x5 0xb$(words 2 ', and three')"
	} | cmp - "$TMP/got"
	dmesg | grep -q 'lkst_test: one, two, and three$'
}

# sysrq-l has each other CPU tell where it is, in an NMI.
printk_nmi() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only: elsewhere other CPUs are asked by interrupts'
	need_cpus 2
	[ -w /proc/sysrq-trigger ] || lack 'no sysrq'
	level=$(cat /proc/sys/kernel/printk)
	sysrq=$(cat /proc/sys/kernel/sysrq)
	expect 1 'sysrq: Show backtrace of all active CPUs'
	record O_PRINTK
	echo 1 >/proc/sys/kernel/sysrq
	taskset -c 0 sh -c 'echo l >/proc/sysrq-trigger'
	echo "$sysrq" >/proc/sys/kernel/sysrq
	echo "$level" >/proc/sys/kernel/printk
	taken
	grep -E '^1 ' "$TMP/dump" | grep -E ' O_PRINTK ' | head -n 3
	# LKST_FLAG_NMI is 4.
	[ "$(count "^1 [0-9]+ [0-9]+ 0x[0-9a-f]*[4567cdef] O_PRINTK 0x[0-7] 0x[0-9a-f]+$(words 2 'NMI backtrace for')\$")" -ge 1 ]
}

# === Trouble ===

warn() {
	insert
	expect 1 'WARNING: CPU: [0-9]+ PID: [0-9]+ at .*lkst_test_warn'
	record O_WARN O_PRINTK
	pid=$(act warn)
	taken
	# TAINT_WARN is 9.
	[ "$(count " $pid .* O_WARN 0x[0-9a-f]{16} 0x9\$")" -eq 1 ]
	[ "$(symbol_at "$(awk '$5 == "O_WARN" { print $6 }' "$TMP/dump")")" = lkst_test_warn ]
	# The headline comes after it.
	grep -E " $pid .* O_(WARN|PRINTK) " "$TMP/dump" | sort -n -k2 |
		awk -v line="$(words 2 'WARNING: CPU: 0 ')" '
		$5 == "O_WARN" { seen++ }
		$5 == "O_PRINTK" && " " $8 " " $9 == line { after = seen }
		END { exit after != 1 || seen != 1 }'
}

# The watchdog of a CPU whose task runs with preemption off for 4 seconds.
softlockup() {
	[ -e /proc/sys/kernel/watchdog_thresh ] || lack 'no CONFIG_SOFTLOCKUP_DETECTOR'
	insert
	cpu=$(last_cpu)
	thresh=$(cat /proc/sys/kernel/watchdog_thresh)
	expect 1 'watchdog: BUG: soft lockup - CPU'
	record O_SOFTLOCKUP
	echo 1 >/proc/sys/kernel/watchdog_thresh
	pid=$(act spin "$cpu")
	echo "$thresh" >/proc/sys/kernel/watchdog_thresh
	taken
	[ "$(count ' O_SOFTLOCKUP ')" -eq 1 ]
	line=$(grep "^$cpu [0-9]* $pid .* O_SOFTLOCKUP $(printf '0x%x' "$cpu") " "$TMP/dump")
	# shellcheck disable=SC2086
	set -- $line
	[ $(($7)) -ge 2 ]
	[ $(($7)) -le 5 ]
	# In a hardware interrupt.
	[ $(($4 & 1)) -eq 1 ]
	[ "$9" = "$(task "$pid")" ]
	# As the kernel log has it. What was interrupted can be a softirq on top of the task.
	dmesg | sed -n "/soft lockup - CPU#$cpu stuck for $(($7))s! \[sh:$pid\]/,\$p" >"$TMP/told"
	sed -nE 's/.*(RIP: [0-9a-f]+:|pc : )([^+ ]+)\+0x.*/\2/p' "$TMP/told" | head -n 1 >"$TMP/place"
	[ -s "$TMP/place" ]
	[ "$(symbol_at "$8")" = "$(cat "$TMP/place")" ]
}

# A task that sleeps for 4 seconds and cannot be woken.
hung() {
	cd /proc/sys/kernel || exit 1
	[ -e hung_task_timeout_secs ] || lack 'no CONFIG_DETECT_HUNG_TASK'
	# The kernel looks no more for them after an oops.
	[ $(($(cat tainted) & 128)) -eq 0 ] || skip 'the kernel has oopsed'
	insert
	timeout=$(cat hung_task_timeout_secs)
	warnings=$(cat hung_task_warnings)
	# Without a word in the log.
	echo 0 >hung_task_warnings
	record O_HUNGTASK
	echo 1 >hung_task_timeout_secs
	pid=$(act hang)
	echo "$timeout" >hung_task_timeout_secs
	echo "$warnings" >hung_task_warnings
	taken
	detector=$(pidof khungtaskd || pgrep khungtaskd)
	hex=$(printf '0x%x' "$pid")
	[ "$(count " $detector .* O_HUNGTASK $(task "$pid") $hex 0x[1-4]\$")" -ge 1 ]
	[ "$(count ' O_HUNGTASK ')" -eq "$(count " O_HUNGTASK $(task "$pid") $hex 0x[1-4]\$")" ]
}

oops() {
	record O_OOPS O_PANIC
	provoke_oops
	taken
	read -r pid <"$TMP/pid"
	# A write, by the kernel, to a page that is not there: on x86; what arm64 says of it.
	code=0x2
	[ "$(uname -m)" = x86_64 ] || code='0x960000[4-7][4-7]'
	[ "$(count " $pid .* O_OOPS 0x[0-9a-f]{16} $code$(words 2 Oops)\$")" -eq 1 ]
	[ "$(count ' O_OOPS ')" -eq 1 ]
	[ "$(count ' O_PANIC ')" -eq 0 ]
	[ "$(symbol_at "$(awk '$5 == "O_OOPS" { print $6 }' "$TMP/dump")")" = lkdtm_EXCEPTION ]
}

# === Modules ===

modules() {
	record 'O_MODULE_*'
	# shellcheck disable=SC2016
	sh -c 'echo $$; exec insmod "$1"' - "$(module lkst_test_others)" >"$TMP/pid"
	read -r loader <"$TMP/pid"
	base=$(awk '$1 == "lkst_test_others" { print $6 }' /proc/modules)
	self=$(printf '0x%x' "$(cat "$ACT/self")")
	sh -c 'echo $$; exec rmmod lkst_test_others' >"$TMP/pid"
	read -r remover <"$TMP/pid"
	taken
	args="$self $base$(words 2 lkst_test_others)"
	[ "$(count " $loader .* O_MODULE_LOAD $args\$")" -eq 1 ]
	[ "$(count " $remover .* O_MODULE_UNLOAD $args\$")" -eq 1 ]
	[ "$(count ' O_MODULE_LOAD ')" -eq 1 ]
	[ "$(count ' O_MODULE_UNLOAD ')" -eq 1 ]
}

# A short name is followed by nothing; one that cannot be loaded is not.
module_names() {
	ko=$(module lkst_test)
	record 'O_MODULE_*'
	insmod "$ko"
	rc=0
	insmod "$ko" 2>/dev/null || rc=$?
	[ "$rc" -ne 0 ]
	rmmod lkst_test
	taken
	[ "$(count ' O_MODULE_LOAD ')" -eq 1 ]
	[ "$(count " O_MODULE_LOAD 0x[0-9a-f]{16} 0x[0-9a-f]{16}$(words 2 lkst_test)\$")" -eq 1 ]
	[ "$(count " O_MODULE_UNLOAD 0x[0-9a-f]{16} 0x[0-9a-f]{16}$(words 2 lkst_test)\$")" -eq 1 ]
}

# === CPUs ===

cpus_go_and_come() {
	need_cpus 2
	can_unplug
	state=$(printf '0x%x' "$(cat "$CPU1/hotplug/state")")
	record O_CPU_UP O_CPU_DOWN
	echo 0 >"$CPU1/online"
	offline=$(printf '0x%x' "$(cat "$CPU1/hotplug/state")")
	echo 1 >"$CPU1/online"
	taken
	[ "$offline" != "$state" ]
	sort -n -k2 "$TMP/dump" | grep -o 'O_CPU_.*' >"$TMP/got"
	printf 'O_CPU_DOWN 0x1 0x0 %s\nO_CPU_UP 0x1 0x0 %s\n' "$offline" "$state" |
		cmp - "$TMP/got"
}

# A step of the way fails, and all is as before.
cpu_stays() {
	need_cpus 2
	can_unplug
	[ -e "$CPU1/hotplug/fail" ] || skip 'no way to have it fail'
	state=$(cat "$CPU1/hotplug/state")
	step=$(sed -n 's/^ *\([0-9]*\): workqueue:online$/\1/p' \
		/sys/devices/system/cpu/hotplug/states)
	record O_CPU_UP O_CPU_DOWN
	echo "$step" >"$CPU1/hotplug/fail"
	went=yes
	echo 0 2>/dev/null >"$CPU1/online" || went=no
	echo -1 >"$CPU1/hotplug/fail"
	taken
	[ $went = no ]
	[ "$(cat "$CPU1/hotplug/state")" -eq "$state" ]
	# EAGAIN is 11.
	grep -o 'O_CPU_.*' "$TMP/dump" >"$TMP/got"
	printf 'O_CPU_DOWN 0x1 0xfffffffffffffff5 0x%x\n' "$state" | cmp - "$TMP/got"
}

# === Security modules ===

# Who may do nothing is refused by the hook for capabilities, and by those that
# ask it.
denied() {
	record O_LSM_DENIAL
	pid=$("$P" denied)
	taken
	grep " $pid .* O_LSM_DENIAL " "$TMP/dump" | sort -n -k2 >"$TMP/records"
	# shellcheck disable=SC2046
	symbol_at $(cut -d' ' -f6 "$TMP/records") >"$TMP/got"
	printf 'security_%s\n' capable capable settime64 | cmp - "$TMP/got"
	# EPERM is 1.
	[ "$(cut -d' ' -f7 "$TMP/records" | sort | uniq -c | sed 's/^ *//')" = '3 0xffffffffffffffff' ]
}

# Root is refused nothing, and the hooks that let pass say nothing.
allowed() {
	record O_LSM_DENIAL
	hostname "$(hostname)"
	cat "$LKST/status" >/dev/null
	taken
	[ "$(count ' O_LSM_DENIAL ')" -eq 0 ]
}

# === Control groups ===

# Version 2 takes processes, its groups are known by their inodes.
cgroup2() {
	mkdir cg
	mount -t cgroup2 none cg || lack 'no cgroup2'
	trap 'rmdir cg/lkst; umount cg' EXIT
	mkdir cg/lkst
	sleep 60 &
	pid=$!
	record O_CGROUP_ATTACH
	# shellcheck disable=SC2016
	sh -c 'echo $$; echo "$1" >cg/lkst/cgroup.procs' - $pid >mover
	echo $pid >cg/cgroup.procs
	kill $pid
	taken
	read -r mover <mover
	addr=$(task $pid)
	group=$(printf '0x%x' "$(stat -c %i cg/lkst)")
	root=$(printf '0x%x' "$(stat -c %i cg)")
	[ "$(count " $mover .* O_CGROUP_ATTACH $addr $group 0x0 0x1\$")" -eq 1 ]
	[ "$(count " O_CGROUP_ATTACH $addr $root 0x0 0x1\$")" -eq 1 ]
	[ "$(count ' O_CGROUP_ATTACH ')" -eq 2 ]
}

# Version 1 takes threads too.
cgroup1() {
	mkdir cg
	mount -t cgroup -o none,name=lkst none cg || lack 'no hierarchies of version 1'
	trap 'rmdir cg/lkst; umount cg' EXIT
	mkdir cg/lkst
	id=$(awk -F: '$2 == "name=lkst" { print $1 }' /proc/self/cgroup)
	sleep 60 &
	pid=$!
	record O_CGROUP_ATTACH
	echo $pid >cg/lkst/tasks
	echo $pid >cg/cgroup.procs
	kill $pid
	taken
	addr=$(task $pid)
	group=$(printf '0x%x' "$(stat -c %i cg/lkst)")
	root=$(printf '0x%x' "$(stat -c %i cg)")
	hex=$(printf '0x%x' "$id")
	[ "$(count " O_CGROUP_ATTACH $addr $group $hex 0x0\$")" -eq 1 ]
	[ "$(count " O_CGROUP_ATTACH $addr $root $hex 0x1\$")" -eq 1 ]
	[ "$(count ' O_CGROUP_ATTACH ')" -eq 2 ]
}

t 'messages of the kernel log' printk
t 'a message that comes in pieces' printk_continued
t 'a message from an NMI' printk_nmi
t 'a warning' warn
t 'a soft lockup' softlockup
t 'a hung task' hung
t 'modules come and go' modules
t 'names of modules, and one that does not load' module_names
t 'a CPU goes and comes back' cpus_go_and_come
t 'a CPU that does not go' cpu_stays
t 'what a security module refuses' denied
t 'what is allowed is not told' allowed
t 'a task moves in a cgroup of version 2' cgroup2
t 'a task moves in a cgroup of version 1' cgroup1
# Some things do not work any more after it.
t 'an oops' oops
finish
