#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# CPU 1 goes and comes back while everything is being recorded.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

ONLINE=$CPU1/online

online() {
	echo "$1" >"$ONLINE"
	[ "$(cat "$ONLINE")" = "$1" ]
}

start() {
	can_unplug
	need_cpus 2
}

# marks CPU: the numbers of the markers in $TMP/dump.
marks() {
	awk -v c="$1" '$1 == c && $5 == "LKST_MARKER" && $7 == "m" { print $8 }' "$TMP/dump"
}

# What was recorded there before stays, and what comes later follows it.
keeps() {
	start
	quiet
	"$H" markers 1 1 500
	online 0
	grep -c 'LKST_MARKER.*m [0-9]' "$LKST/trace" | grep -qx 500
	"$H" markers 0 1 100
	online 1
	"$H" markers 1 501 500
	stop
	dump
	seq 1 1000 >"$TMP/want"
	marks 1 | cmp - "$TMP/want"
	marks 0 | wc -l | grep -qx 100
	identity main
}

# Read while it is away.
read_away() {
	start
	quiet
	"$H" markers 1 1 500
	online 0
	dump
	seq 1 500 >"$TMP/want"
	marks 1 | cmp - "$TMP/want"
	online 1
	"$H" markers 1 501 500
	stop
	dump
	seq 501 1000 >"$TMP/want"
	marks 1 | cmp - "$TMP/want"
	identity main
}

cpu1_overwritten() {
	awk '$1 == 1 { print $4 }' "$LKST/buffers/main/stats"
}

under_load() {
	start
	put maskset RALL
	put buffers/main/size 32M
	"$H" markers 1 1 100
	lost=$(cpu1_overwritten)
	"$H" load 3000 0 >/dev/null &
	w=$!
	i=0
	while kill -0 "$w" 2>/dev/null && [ "$i" -lt 8 ]; do
		online 0
		online 1
		"$H" markers 1 $((i * 10 + 101)) 10
		i=$((i + 1))
	done
	# A load that outlives the rounds only fills the buffers, which must lose nothing.
	kill "$w" 2>/dev/null || :
	wait "$w" || :
	stop
	[ "$i" -gt 0 ]
	identity main
	[ "$(cpu1_overwritten)" -eq "$lost" ]
	dump 1
	marks 1 >"$TMP/marks"
	seq 1 $((i * 10 + 100)) | cmp - "$TMP/marks"
	if grep -E '^#(gap|again)' "$TMP/dump"; then
		return 1
	fi
}

# Buffers and masksets change while it is away; it comes back to the new ones.
changes_away() {
	start
	quiet
	put buffers/create 'a 64K'
	"$H" markers 1 1 10
	online 0
	put buffers/create 'b 64K'
	put buffers/b/size 128K
	put buffer b
	put buffers/delete a
	maskset other 'SYSCALL_ENTRY default'
	put maskset other
	online 1
	[ "$(cat "$LKST/per_cpu/cpu1/buffer")" = b ]
	"$H" getppid 10 1 >"$TMP/pids"
	"$H" markers 1 11 10
	stop
	dump
	seq 1 20 >"$TMP/want"
	marks 1 | sort -n | cmp - "$TMP/want"
	read -r pid _ <"$TMP/pids"
	[ "$(grep -cE "^1 [0-9]+ $pid .* SYSCALL_ENTRY $(nr getppid) " "$TMP/dump")" -ge 10 ]
	identity b
}

# Tracing starts while it is away.
starts_away() {
	start
	online 0
	quiet
	put marker x
	online 1
	"$H" markers 1 1 10
	stop
	dump
	seq 1 10 >"$TMP/want"
	marks 1 | cmp - "$TMP/want"
}

# A reader that waits for it meanwhile gets what comes later.
reader_waits() {
	start
	quiet
	cat "$LKST/per_cpu/cpu1/trace_pipe" >"$TMP/pipe" &
	r=$!
	"$H" markers 1 1 10
	online 0
	online 1
	"$H" markers 1 11 10
	stop
	wait "$r"
	[ "$(grep -c 'LKST_MARKER.*m [0-9]' "$TMP/pipe")" -eq 20 ]
}

blocks() {
	awk -v cpu="$2" '$1 == cpu { print $9 }' "$LKST/buffers/$1/stats"
}

# A buffer has blocks for CPUs that came online since it was made, of its size by then,
# before their first record.
memory_comes() {
	start
	online 0
	before=$(buffers_memory)
	others=$(cpus | wc -l)
	put buffers/create 'late 128K'
	put buffers/late/size 256K
	[ "$(buffers_memory)" -eq $((before + others * 256 * 1024)) ]
	[ "$(blocks late 0) $(blocks late 1)" = '4 0' ]
	put buffer late
	[ "$(cat "$LKST/per_cpu/cpu1/buffer")" = late ]
	quiet
	put maskset RALL
	online 1
	[ "$(buffers_memory)" -eq $((before + (others + 1) * 256 * 1024)) ]
	[ "$(blocks late 1)" -eq 4 ]
	put maskset RNOTHING
	awk '$1 == 1 && $2 > 0 { n = 1 } END { exit !n }' "$LKST/buffers/late/stats"
	grep -qx 'nobuf: 0' "$LKST/per_cpu/cpu1/stats"
	# It keeps them.
	online 0
	[ "$(blocks late 1)" -eq 4 ]
	online 1
	[ "$(buffers_memory)" -eq $((before + (others + 1) * 256 * 1024)) ]
	identity late
}

# There is no memory for another CPU's part: it comes all the same, and what it loses is
# counted.
no_memory() {
	start
	online 0
	others=$(cpus | wc -l)
	free=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
	size=$((free * 6 / 10 / others / 1024))M
	put buffers/create "huge $size" || skip "no buffer of $size a CPU"
	dmesg -c >/dev/null 2>&1
	online 1
	dmesg | grep -q 'lkst: buffer "huge": no blocks for CPU 1, which records nothing there: -12'
	[ "$(blocks huge 1)" -eq 0 ]
	quiet
	put buffer huge
	before=$(sed -n 's/^nobuf: //p' "$LKST/per_cpu/cpu1/stats")
	"$H" markers 1 1 100
	lost=$(($(sed -n 's/^nobuf: //p' "$LKST/per_cpu/cpu1/stats") - before))
	stop
	[ "$lost" -ge 100 ]
	[ ! -s "$LKST/per_cpu/cpu1/trace" ] || ! grep -q 'LKST_MARKER.*m [0-9]' "$LKST/per_cpu/cpu1/trace"
	put buffer main
	put buffers/delete huge
}

t 'a CPU that comes gets its memory' memory_comes
t 'a CPU that comes without memory for it' no_memory
t 'what was recorded on a CPU outlives it' keeps
t 'it can be read while the CPU is away' read_away
t 'offline and online under load' under_load
t 'buffer and maskset change while it is away' changes_away
t 'tracing starts while it is away' starts_away
t 'a reader that waits' reader_waits
[ -n "${LKST_TEST_TMP:-}" ] && [ -e "$ONLINE" ] && echo 1 2>/dev/null >"$ONLINE"
finish
