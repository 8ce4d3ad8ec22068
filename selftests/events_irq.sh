#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Interrupts between CPUs, of the CPU itself, NMIs, interrupt threads, machine
# checks, softirqs that are raised; port I/O; system calls of 32-bit programs.
# What a record must show comes from the program or module that provoked it, or
# from /proc/interrupts.
#
# Not here: thermal, threshold, APIC error, spurious and platform interrupts.
# QEMU's CPUs do not raise them; their hooks are those of the timer's.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

P=$BIN/provoke_irq
M=/sys/module/lkst_test_irq/parameters

start() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only'
	put buffers/main/size 8M
	maskset irqs "$@"
	put maskset irqs
}

# provoke CPU WHAT [N]: loads the module on a CPU; interrupts go to the last one.
# What it tells is in $TMP/param; the module is gone.
provoke() {
	ko=$(module lkst_test_irq)
	[ ! -d "${M%/*}" ] || rmmod lkst_test_irq
	"$P" on "$1" insmod "$ko" what="$2" n="${3:-10}" cpu="$(last_cpu)"
	for f in "$M"/*; do
		echo "${f##*/} $(cat "$f")"
	done >"$TMP/param"
	rmmod lkst_test_irq
}

param() {
	awk -v k="$1" '$1 == k { print $2 }' "$TMP/param"
}

# callers FUNCTION...: of the callers in $TMP/sent, the one that lies in one of
# these functions.
callers() {
	awk '{ print $8 }' "$TMP/sent" | sort -u >"$TMP/callers"
	awk -v names=" $* " '
		NR == FNR { a[++n] = substr($1, 3) ""; next }
		{ at = $1 "" }
		at ~ /^ffffffff[89ab]/ && $2 ~ /[tT]/ {
			for (i = 1; i <= n; i++)
				if (at <= a[i] && at > best[i]) { best[i] = at; name[i] = $3 } }
		END { for (i = 1; i <= n; i++)
			if (index(names, " " name[i] " ")) { print "0x" a[i]; found++ }
			exit found != 1 }' "$TMP/callers" /proc/kallsyms
}

# busy CPU: something runs there until idle(): a CPU that is about to sleep needs
# no interrupt.
busy() {
	"$H" spin 20000 "$1" &
	busy=$!
	sleep 0.1
}

idle() {
	kill "$busy"
	wait "$busy" || :
}

# nested: entry and exit are pairs on each CPU, IPIs and vectors together.
nested() {
	awk '$5 ~ /^INT_(IPI|VECTOR)_ENTRY$/ { stack[$1, ++depth[$1]] = $6; n++ }
		$5 ~ /^INT_(IPI|VECTOR)_EXIT$/ && depth[$1] {
			if (stack[$1, depth[$1]--] != $6) bad++ }
		END { for (c in depth) if (depth[c] > 1) bad++
			print n, "entries"; exit bad || !n }' "$TMP/dump"
}

# The sender waits for each: it is taken on the other CPU before the next is sent.
call() {
	need_cpus 2
	cpu=$(last_cpu)
	busy "$cpu"
	start 'INT_IPI_* default'
	provoke 0 call 20
	taken
	idle
	pid=$(param pid)
	[ "$(param ran)" -eq 20 ]
	func=$(symbol generic_smp_call_function_single_interrupt)
	grep -E "^0 [0-9]+ $pid 0x[0-9a-f]+ INT_IPI_SEND $(hex "$cpu") 0x0 0x[0-9a-f]{16} $func\$" \
		"$TMP/dump" >"$TMP/sent"
	# The loader's own calls are of other functions.
	ours=$(callers smp_call_function_single generic_exec_single)
	grep " $ours $func\$" "$TMP/sent" >"$TMP/ours"
	n=$(wc -l <"$TMP/ours")
	# One that finds another's on its way needs no interrupt of its own.
	[ "$n" -le 20 ]
	[ "$n" -ge 17 ]
	# Who loads the module sends from the same place to other CPUs, and from other CPUs.
	sort -n -k2 "$TMP/dump" | awk -v cpu="$cpu" -v want="$n" '
		FNR == NR { sent[$0]; next }
		$0 in sent { open = 1 }
		$1 == cpu && $5 == "INT_IPI_ENTRY" && $6 == "0xfb" && open { open = 0; taken++ }
		END { print taken, "taken"; exit taken != want }' "$TMP/ours" -
	nested
}

# To several at once, which takes three CPUs.
call_many() {
	need_cpus 3
	for cpu in $(cpus); do
		[ "$cpu" -eq 0 ] || { "$H" spin 5000 "$cpu" & }
	done
	sleep 0.1
	start 'INT_IPI_* default'
	provoke 0 many 20
	taken
	mask=0
	for cpu in $(cpus); do
		[ "$cpu" -eq 0 ] || mask=$((mask | 1 << cpu))
	done
	[ "$(param ran)" -eq $((20 * ($(cpus | wc -l) - 1))) ]
	func=$(symbol generic_smp_call_function_single_interrupt)
	grep -E "^0 [0-9]+ $(param pid) 0x[0-9a-f]+ INT_IPI_SEND 0xffffffffffffffff $(hex "$mask") 0x[0-9a-f]{16} $func\$" \
		"$TMP/dump" >"$TMP/sent"
	ours=$(callers smp_call_function smp_call_function_many)
	[ "$(grep -c " $ours $func\$" "$TMP/sent")" -ge 15 ]
	[ "$(count ' INT_IPI_ENTRY 0xfc$')" -ge 30 ]
	nested
}

# Rescheduling: there is no function, the sender is the module's.
resched() {
	need_cpus 2
	cpu=$(last_cpu)
	busy "$cpu"
	start 'INT_IPI_* default'
	provoke 0 resched 20
	taken
	idle
	from=$(hex "$(param sender)")
	grep -E "^0 [0-9]+ $(param pid) 0x[0-9a-f]+ INT_IPI_SEND $(hex "$cpu") 0x0 0x[0-9a-f]{16} 0x0\$" \
		"$TMP/dump" | awk '{ print $8 }' >"$TMP/callers"
	n=0
	while read -r caller; do
		off=$((caller - from))
		[ "$off" -le 0 ] || [ "$off" -ge 512 ] || n=$((n + 1))
	done <"$TMP/callers"
	[ "$n" -eq 20 ]
	[ "$(param ran)" -eq 20 ]
	[ "$(grep -cE "^$cpu .* INT_IPI_ENTRY 0xfd\$" "$TMP/dump")" -ge 20 ]
	nested
}

# Work for this CPU itself: an interrupt that it sends to itself.
irq_work() {
	start 'INT_IPI_* default' 'INT_VECTOR_* default'
	provoke 0 irq_work 15
	taken
	[ "$(param ran)" -eq 15 ]
	func=$(hex "$(param func)")
	grep -E "^0 [0-9]+ $(param pid) 0x[0-9a-f]+ INT_IPI_SEND 0x0 0x0 0x[0-9a-f]{16} $func\$" \
		"$TMP/dump" >"$TMP/sent"
	[ "$(wc -l <"$TMP/sent")" -eq 15 ]
	callers irq_work_queue __irq_work_queue_local
	sort -n -k2 "$TMP/dump" | awk -v func_="$func" '
		$5 == "INT_IPI_SEND" && $9 == func_ { open = 1 }
		$1 == 0 && $5 == "INT_VECTOR_ENTRY" && $6 == "0xf6" && open { open = 0; taken++ }
		END { print taken, "taken"; exit taken != 15 }'
	nested
}

# interrupts: "NAME.CPU COUNT" of the CPU's own and of those between CPUs.
interrupts() {
	awk 'NR == 1 { for (n = 1; n <= NF; n++) cpu[n] = substr($n, 4); n = NF; next }
		/^ *(LOC|IWI|RES|CAL):/ { sub(":", "", $1)
			for (i = 1; i <= n; i++) print $1 "." cpu[i], $(i + 1) }' /proc/interrupts
}

# As many as /proc/interrupts counts, on each CPU.
vectors() {
	interrupts >"$TMP/o0"
	start 'INT_IPI_* default' 'INT_VECTOR_* default'
	interrupts >"$TMP/i0"
	"$H" load "$(scaled 300)" >/dev/null
	"$H" pingpong "$(scaled 200)" 0 "$(last_cpu)" >/dev/null
	provoke 0 irq_work 5
	interrupts >"$TMP/i1"
	stop
	interrupts >"$TMP/o1"
	taken
	awk '$5 ~ /^INT_(IPI|VECTOR)_ENTRY$/ {
		name = $6 == "0xec" ? "LOC" : $6 == "0xf6" ? "IWI" : $6 == "0xfd" ? "RES" :
			$6 == "0xfb" || $6 == "0xfc" ? "CAL" : "other"
		# Which event it is says whose it is.
		if (($5 == "INT_IPI_ENTRY") != (name == "RES" || name == "CAL")) name = "wrong"
		n[name "." $1]++ }
		END { for (k in n) print k, n[k] }' "$TMP/dump" >"$TMP/recorded"
	if grep -E '^(wrong|other)' "$TMP/recorded"; then
		return 1
	fi
	awk -v cpus="$(cpus | wc -l)" 'FNR == 1 { file++ }
		file == 1 { o0[$1] = $2 }
		file == 2 { i0[$1] = $2 }
		file == 3 { i1[$1] = $2 }
		file == 4 { o1[$1] = $2 }
		file == 5 { n[$1] = $2 }
		END { for (k in o1) {
			low = i1[k] - i0[k]; high = o1[k] - o0[k]
			print k, n[k] + 0, "of", low, "to", high
			if (n[k] + 0 < low || n[k] + 0 > high) bad++
			if (low > 0) seen++ }
		exit bad || seen < (cpus > 1 ? 3 : 2) }' "$TMP/o0" "$TMP/i0" "$TMP/i1" "$TMP/o1" "$TMP/recorded"
	nested
}

# Nothing runs that was not raised; each raise of the module's is there.
raise() {
	start 'INT_BH_* default'
	provoke 0 tasklet 25
	taken
	[ "$(param ran)" -eq 25 ]
	# By the module itself, not by an interrupt of its CPU.
	[ "$(count "^[0-9]+ [0-9]+ $(param pid) 0x[0-9a-f]*[048c] INT_BH_RAISE 0x6\$")" -eq 25 ]
	# Two may have been raised before: one is next in the softirqs that run, and was raised
	# again since these were begun.
	awk '$5 == "INT_BH_RAISE" { raised[$1, $6]++ }
		$5 == "INT_BH_ENTRY" && ++ran[$1, $6] > raised[$1, $6] + 2 { bad++ }
		END { exit bad > 0 }' "$TMP/dump"
}

# Handled by the module's handler, on that CPU, in NMI, as long as it says it took.
nmi() {
	start 'INT_NMI default'
	provoke 0 nmi 10
	taken
	[ "$(param ran)" -eq 10 ]
	func=$(hex "$(param func)")
	cpu=$(last_cpu)
	grep -E "^$cpu [0-9]+ [0-9]+ 0x[0-9a-f]*[4567cdef] INT_NMI $func 0x[0-9a-f]+ 0x1\$" \
		"$TMP/dump" | sort -n -k2 >"$TMP/nmi"
	[ "$(wc -l <"$TMP/nmi")" -eq 10 ]
	param ns | tr ',' '\n' >"$TMP/ns"
	exec 3<"$TMP/ns"
	while read -r _ _ _ _ _ _ took _; do
		read -r ns <&3
		[ $((took)) -ge "$ns" ]
		[ $((took)) -lt $((ns + 20000000)) ]
	done <"$TMP/nmi"
	# The others in the line were asked too, in vain.
	[ "$(count "^$cpu .* INT_NMI .* 0x0\$")" -ge 10 ]
}

# threads WHAT: 12 times what a thread does for an interrupt; every third time it was
# not its own.
threads() {
	start 'INT_THREAD_* default'
	provoke 0 "$1" 12
	taken
	irq=$(hex "$(param irq)")
	pid=$(param pid)
	[ "$(count " $pid 0x[0-9a-f]+ INT_THREAD_ENTRY $irq $(hex "$(param func)")\$")" -eq 12 ]
	grep -E " $pid 0x[0-9a-f]+ INT_THREAD_" "$TMP/dump" | sort -n -k2 |
		awk '{ print substr($5, 12), $6, $5 ~ /EXIT/ ? $7 : "" }' >"$TMP/got"
	i=1
	while [ "$i" -le 12 ]; do
		echo "ENTRY $irq "
		echo "EXIT $irq $(hex $((i % 3 > 0)))"
		i=$((i + 1))
	done >"$TMP/want"
	cmp "$TMP/want" "$TMP/got"
}

thread() { threads thread; }
nested_thread() { threads nested; }

# Handlers that became threads by threadirqs: all of this line's.
forced_thread() {
	grep -qw threadirqs /proc/cmdline || skip 'needs threadirqs on the command line'
	start 'INT_THREAD_* default' 'INT_HARDWARE_* default'
	cat /host/etc/passwd /host/usr/bin/ls >/dev/null
	printf '# %0200d\n' 0 >/dev/ttyS0
	sleep 0.3
	taken
	[ "$(count ' INT_THREAD_ENTRY ')" -ge 3 ]
	grep ' INT_THREAD_' "$TMP/dump" | awk '{ print $6, $3 }' | sort -u >"$TMP/threads"
	while read -r irq pid; do
		case $(cat "/proc/$pid/comm") in
		"irq/$((irq))-"*) ;;
		*) return 1 ;;
		esac
	done <"$TMP/threads"
}

# What mce-inject makes up is what is logged.
machine_check() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only'
	ko=$(module mce-inject)
	I=/sys/kernel/debug/mce-inject
	[ -d /sys/module/mce_inject ] || insmod "$ko"
	[ -d "$I" ] || skip 'no mce-inject here'
	cpu=$(last_cpu)
	start 'INT_MACHINE_CHECK default'
	echo sw >"$I/flags"
	# Corrected, with an address. The injector adds: valid, and MISC is.
	echo 0x9400000000000135 >"$I/status"
	echo 0x12345040 >"$I/addr"
	echo 0x86 >"$I/misc"
	echo "$cpu" >"$I/cpu"
	echo 3 >"$I/bank"
	i=0
	until dmesg | grep -q 'Bank 3: 9c00000000000135'; do
		[ $((i += 1)) -lt 50 ]
		sleep 0.1
	done
	taken
	rmmod mce-inject
	of=$(hex $((cpu << 32 | 3)))
	[ "$(count " INT_MACHINE_CHECK $of 0x9c00000000000135 0x12345040 0x86\$")" -eq 1 ]
	[ "$(count ' INT_MACHINE_CHECK ')" -eq 1 ]
}

# By a program, through /dev/port: COM1's scratch register keeps what is written.
dev_port() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only'
	[ -c /dev/port ] || lack 'no /dev/port in this kernel'
	start 'O_PORT* default'
	"$P" port 0x3ff 0xa7 >"$TMP/wrote"
	"$P" port 0x3ff >"$TMP/read"
	taken
	read -r w _ <"$TMP/wrote"
	read -r r value <"$TMP/read"
	[ "$value" = 0xa7 ]
	[ "$(count " $w 0x[0-9a-f]+ O_PORTOUT 0x3ff 0xa7 0x1 0x1\$")" -eq 1 ]
	[ "$(count " $r 0x[0-9a-f]+ O_PORTIN 0x3ff 0xa7 0x1 0x1\$")" -eq 1 ]
	[ "$(count " $w 0x[0-9a-f]+ O_PORTIN 0x3ff ")" -eq 0 ]
}

# By a module: all widths, with a pause, and strings, whose buffer is told.
ports() {
	start 'O_PORT* default'
	provoke 0 ports
	taken
	pid=$(param pid)
	# shellcheck disable=SC2046 # a list of numbers
	set -- $(param values | tr ',' ' ')
	[ "$1" -eq $((0x5a)) ]
	[ "$2" -eq $((0xa5)) ]
	# The last byte of the string that was written comes back.
	[ "$7" -eq $((0x33)) ]
	cat >"$TMP/want" <<-END
		O_PORTOUT 0x3ff 0x5a 0x1 0x1
		O_PORTIN 0x3ff $(hex "$1") 0x1 0x1
		O_PORTOUT 0x3ff 0xa5 0x1 0x1
		O_PORTIN 0x3ff $(hex "$2") 0x1 0x1
		O_PORTOUT 0x80 0x1234 0x2 0x1
		O_PORTIN 0x3fe $(hex "$3") 0x2 0x1
		O_PORTOUT 0x80 0x12345678 0x4 0x1
		O_PORTIN 0x3fc $(hex "$4") 0x4 0x1
		O_PORTOUT 0x3ff $(hex "$5") 0x1 0x3
		O_PORTIN 0x3ff $(hex "$6") 0x1 0x4
	END
	# The console's interrupts use the ports beside.
	grep -E " $pid 0x[0-9a-f]*[048c] O_PORT" "$TMP/dump" | sort -n -k2 |
		grep -E ' (0x3ff|0x3fe 0x[0-9a-f]* 0x2|0x3fc 0x[0-9a-f]* 0x4|0x80) ' |
		cut -d' ' -f5- >"$TMP/got"
	cmp "$TMP/want" "$TMP/got"
}

# Bit 32 of the number says that it is of the 32-bit table.
syscalls_32() {
	[ -f /proc/sys/abi/vsyscall32 ] || skip 'no 32-bit programs in this kernel'
	start ':syscall default'
	"$P" int80 >"$TMP/int80"
	"$P" exec32 >"$TMP/exec32"
	taken
	read -r a ret <"$TMP/int80"
	[ "$ret" -eq -9 ]
	read -r b status <"$TMP/exec32"
	[ "$status" -eq 7 ]
	for pid in "$a" "$b"; do
		[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_ENTRY 0x100000004 0x7ffffff1 0x1234 0x5678\$")" -eq 1 ]
		[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_EXIT 0x100000004 0xfffffffffffffff7\$")" -eq 1 ]
	done
	# A number that there is no call for.
	[ "$(count " $a 0x[0-9a-f]+ SYSCALL_ENTRY 0x180000004 0x1 0x2 0x3\$")" -eq 1 ]
	[ "$(count " $a 0x[0-9a-f]+ SYSCALL_EXIT 0x180000004 0xffffffffffffffda\$")" -eq 1 ]
	# The 64-bit program's others are of its own table, its end is 231.
	[ "$(count " $a 0x[0-9a-f]+ SYSCALL_ENTRY 0x10000000[0-9a-f] ")" -eq 1 ]
	[ "$(count " $a 0x[0-9a-f]+ SYSCALL_ENTRY 0xe7 0x0 ")" -eq 1 ]
	[ "$(count " $b 0x[0-9a-f]+ SYSCALL_ENTRY 0x100000001 0x7 ")" -eq 1 ]
	# Between the two ends of a call the number is the same; but exec becomes that
	# of the program that it starts.
	for pid in "$a" "$b"; do
		awk -v p="$pid" '$3 == p && $5 ~ /^SYSCALL_/' "$TMP/dump" | sort -n -k2 | awk '
			$5 == "SYSCALL_ENTRY" { nr = $6 }
			$5 == "SYSCALL_EXIT" && nr != "" && $6 != nr {
				if ($6 != "0x10000000b") bad++; exec_++ }
			END { exit bad || exec_ > 1 }'
	done
}

# What seccomp refuses has its number; the way back from a signal's handler has none.
syscalls_refused() {
	start ':syscall default'
	"$P" refused >"$TMP/refused"
	taken
	read -r pid ret <"$TMP/refused"
	[ "$ret" -eq -1 ]
	[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_ENTRY 0x79 0x7ffffff1 ")" -eq 1 ]
	[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_EXIT 0x79 0xffffffffffffffff\$")" -eq 1 ]
	[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_ENTRY 0xf ")" -eq 1 ]
	[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_EXIT 0xf ")" -eq 0 ]
	[ "$(count " $pid 0x[0-9a-f]+ SYSCALL_EXIT 0xffffffffffffffff ")" -eq 1 ]
}

t 'a function called on another CPU' call
t 'a function called on several CPUs' call_many
t 'rescheduling another CPU' resched
t 'work that a CPU sends to itself' irq_work
t 'vectors as /proc/interrupts counts them' vectors
t 'softirqs are raised before they run' raise
t 'NMIs' nmi
t 'threads of interrupts' thread
t 'interrupts nested in the thread of another' nested_thread
t 'handlers forced into threads' forced_thread
t 'machine checks' machine_check
t 'ports of a program' dev_port
t 'ports of a driver, of all widths' ports
t 'system calls of 32-bit programs' syscalls_32
t 'system calls that are refused' syscalls_refused
finish
