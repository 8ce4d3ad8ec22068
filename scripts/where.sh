#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Shows in which functions of the kernel a workload takes more instructions with the
# hooks, all of them off, than without: the NOP of each hook that it passes, and what
# the hook has changed of the code around it. Each instruction is executed as a block
# of its own, which QEMU writes down.
#
# usage: where.sh getppid|pipe|fault|udp|pread|fork
#
# Environment, beside that of lib.sh:
#   KERNELS='stock lkst'	the two
#   SECONDS_EACH=10		how long each is watched
#   LINES=25			how many functions are shown

set -eu
. "$(dirname "$0")/lib.sh"

: "${KERNELS:=stock lkst}" "${SECONDS_EACH:=10}" "${LINES:=25}"

# What a call passes through once. Where that is in the call, the watching begins and
# ends.
workload=${1:-}
case $workload in
getppid) mark=__x64_sys_getppid ;;
pipe) mark=pipe_write ;;
fault) mark=handle_mm_fault ;;
udp) mark=udp_sendmsg ;;
pread) mark=__x64_sys_pread64 ;;
fork) mark=wake_up_new_task ;;
*) die 'usage: where.sh getppid|pipe|fault|udp|pread|fork' ;;
esac

fetch build run
work=$OUT/where
rm -rf "$work"
mkdir -p "$work"
gcc -O2 -Wall -static -pthread -o "$work/count" "$TOP/scripts/workload/count.c"

# Counts the instructions of QEMU's log, from mark to mark, but for the first calls:
# "calls N", and "ADDRESS TIMES" a line.
counted()
{
	awk -v mark="$(awk -v f="$mark" '$3 == f { print $1 }' "$BUILD/obj/$1/System.map")" '
	function keep(	pc)
	{
		for (pc in n)
			total[pc] += n[pc]
		split("", n)
	}
	{ if (split($0, part, "/") < 3) next }
	part[2] == mark {
		if (++marks > warm + 1)
			keep()
		split("", n)
	}
	{ n[part[2]]++ }
	END {
		print "calls", marks - warm - 1
		for (pc in total)
			print pc, total[pc]
	}' warm=20
}

# watch KERNEL
watch()
{
	monitor=$work/$1.monitor
	log=$work/$1.log
	out=$work/$1.out
	mkfifo "$monitor.in" "$monitor.out" "$log"
	counted "$1" <"$log" >"$work/$1.counts" &
	counter=$!
	cat "$monitor.out" >"$work/$1.said" &
	KERNEL=$1 ICOUNT=1 TIMEOUT=600 APPEND='nokaslr norandmaps' \
		QEMU="-chardev pipe,id=monitor,path=$monitor -mon chardev=monitor -D $log" \
		"$TOP/scripts/run.sh" "cat /sys/kernel/debug/lkst/hooks 2>/dev/null; echo ready
			/out/where/count -l 1000000 -n 10 $workload" >"$out" 2>"$out.err" &
	guest=$!
	for _ in $(seq 300); do
		! grep -qxs ready "$out" || break
		kill -0 $guest 2>/dev/null || break
		sleep 0.2
	done
	grep -qx ready "$out" || { cat "$out.err" >&2; die "$1: the guest does not start"; }
	{
		sleep 3
		echo 'singlestep on'
		echo 'log exec,nochain'
		sleep "$SECONDS_EACH"
		echo 'log none'
		echo 'quit'
	} >"$monitor.in"
	wait $guest || :
	wait $counter
	rm -f "$monitor.in" "$monitor.out" "$log"
}

# shellcheck disable=SC2086 # two words
set -- $KERNELS
for kernel; do
	[ ! -t 2 ] || printf '\r\033[K%s: building and watching it' "$kernel" >&2
	KERNEL=$kernel "$TOP/scripts/kernel.sh" >/dev/null
	watch "$kernel"
done
[ ! -t 2 ] || printf '\r\033[K' >&2

# report STOCK LKST: a function and what the compiler has split off it are one.
report()
{
	awk -v stock="$1" -v lkst="$2" -v lines="$LINES" '
	function digits(hex, i,	n)
	{
		for (n = 0; i <= length(hex); i++)
			n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}
	# An address of the kernel, from where it begins: awk has numbers of 31 bits.
	function number(address)
	{
		return digits(address, length(address) - 7) - 2147483648
	}
	function base(name)
	{
		sub(/\.(constprop|isra|part|cold).*/, "", name)
		return name
	}
	# The function with this address: symbols are sorted.
	function function_at(address,	low, high, middle)
	{
		low = 1
		high = symbols
		while (low < high) {
			middle = int((low + high + 1) / 2)
			if (start[middle] <= address)
				low = middle
			else
				high = middle - 1
		}
		return base(name[low])
	}
	function row(text, a, b, hooks)
	{
		printf "%-40s %11.2f %11.2f %9.2f %9.2f\n", text, a, b, hooks, b - a - hooks
	}
	FILENAME ~ /System\.map$/ {
		if (!(FILENAME in read)) {
			read[FILENAME] = 1
			symbols = 0
		}
		if ($2 ~ /^[tTwW]$/) {
			start[++symbols] = number($1)
			name[symbols] = $3
			places[FILENAME, $3] = places[FILENAME, $3] " " start[symbols]
		}
		map = FILENAME
		next
	}
	FILENAME ~ /\.out$/ {
		# FUNCTION+0xOFFSET/0xSIZE
		if (split($3, part, /[+\/]/) != 3)
			next
		n = split(places[map, part[1]], place, " ")
		for (i = 1; i <= n; i++)
			hook[place[i] + digits(part[2], 3)] = 1
		next
	}
	$1 == "calls" {
		kernel = ++kernels
		calls[kernel] = $2
		if ($2 < 1) {
			bad = 1
			exit
		}
		next
	}
	{
		each = $2 / calls[kernel]
		all[kernel] += each
		f = $1 ~ /^f/ ? function_at(number($1)) : "(user space)"
		taken[kernel, f] += each
		seen[f] = 1
		if (kernel == 2 && $1 ~ /^f/ && number($1) in hook) {
			nops[f] += each
			nops_all += each
		}
	}
	END {
		if (bad) {
			print "no call was seen: a longer SECONDS_EACH?"
			exit 1
		}
		printf "%d calls of %s, %d of %s\n\n", calls[1], stock, calls[2], lkst
		printf "%-40s %11s %11s %9s %9s\n", "instructions a call", stock, lkst, "hooks", "besides"
		row("all", all[1], all[2], nops_all)
		for (f in seen) {
			d = taken[2, f] - taken[1, f] - nops[f]
			list[++functions] = f
			order[functions] = d < 0 ? -d : d
		}
		for (shown = 0; shown < lines && shown < functions; shown++) {
			most = 0
			for (i = 1; i <= functions; i++)
				if (!(i in done) && (!most || order[i] > order[most]))
					most = i
			done[most] = 1
			f = list[most]
			row(f, taken[1, f], taken[2, f], nops[f])
		}
	}' "$BUILD/obj/$1/System.map" "$work/$1.counts" \
		"$BUILD/obj/$2/System.map" "$work/$2.out" "$work/$2.counts"
}

report "$@"
