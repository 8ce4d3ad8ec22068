#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Buffers: made, resized, linked, jumped to, cleared and deleted while tracing.
#
# Numbered markers are the oracle: each one that was written is found, or the
# counters tell of it.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# numbers [PREFIX]: those of the markers in $TMP/dump, as they come.
numbers() {
	awk -v p="${1:-m}" '$5 == "LKST_MARKER" && $7 == p { print $8 }' "$TMP/dump"
}

# run_of FIRST LAST: stdin is exactly these numbers in their order.
run_of() {
	cat >"$TMP/run"
	seq "$1" "$2" | cmp - "$TMP/run"
}

# records [BUFFER]: how many records of CPUs $TMP/dump has.
records() {
	grep -vc '^[#-]' "$TMP/dump" || :
}

# whole: no image of $TMP/dump repeated or left out a record.
whole() {
	if grep -E '^#(gap|again)' "$TMP/dump"; then
		return 1
	fi
}

# fill NAME: makes NAME current and a quiet maskset to write markers under.
into() {
	put buffer "$1"
	quiet
}

create() {
	put buffers/create 'a 8192'
	[ "$(cat "$LKST/buffers/a/size")" = 8192 ]
	[ "$(cat "$LKST/buffers/a/mode")" = '[overwrite] discard' ]
	[ -z "$(cat "$LKST/buffers/a/next")" ]
	put buffers/create 'b 64K discard'
	[ "$(cat "$LKST/buffers/b/size")" = 65536 ]
	[ "$(cat "$LKST/buffers/b/mode")" = 'overwrite [discard]' ]
	put buffers/create 'c 1M next=a'
	[ "$(cat "$LKST/buffers/c/size")" = 1048576 ]
	[ "$(cat "$LKST/buffers/c/next")" = a ]
	put buffers/create 'd.d_d-1 12288 discard next=c'
	[ "$(cat "$LKST/buffers/d.d_d-1/next")" = c ]
	sed -n 1p "$LKST/buffers/a/stats" |
		grep -qx 'cpu written read overwritten discarded nmi busy unread blocks'
	sed 1d "$LKST/buffers/a/stats" | cut -d' ' -f1 >"$TMP/cpus"
	cpus possible | cmp - "$TMP/cpus"
	put buffers/delete d.d_d-1
	put buffers/delete c
	[ ! -e "$LKST/buffers/c" ]
	put buffers/create 'c 8K'
	[ "$(cat "$LKST/buffers/c/size")" = 8192 ]
}

# calls: every system call is recorded from here.
calls() {
	maskset calls ':syscall default'
	put maskset calls
}

# Bad sizes and names, while tracing goes on in what was there.
create_bad() {
	calls
	put buffers/create 'a 64K'
	for size in 0 1 4095 4096 8193 12289 -8192 0x 8Q 1KK K 18446744073709559808 \
		    0x10000000000100000 17179869185G 18446744073709551612K; do
		refused EINVAL buffers/create "new $size" "$size"
		refused EINVAL buffers/a/size "$size" "$size"
	done
	refused EINVAL buffers/create new
	refused EINVAL buffers/create ''
	refused EEXIST buffers/create 'a 64K' a
	refused EEXIST buffers/create 'main 64K' main
	refused EINVAL buffers/create 'a/b 64K' a/b
	refused EINVAL buffers/create '3 64K' 3
	refused EINVAL buffers/create "$(printf 'a\001b') 64K" ''
	refused EINVAL buffers/create 'abcdefghijabcdefghijabcdefghij12 64K' abcdefghij
	refused 'EINVAL|EEXIST' buffers/create 'create 64K' create
	refused EINVAL buffers/create 'new 64K sometimes' sometimes
	refused ENOENT buffers/create 'new 64K next=nosuch' nosuch
	refused 'EINVAL|ENOENT' buffers/create 'new 64K next=' ''
	refused ENOENT buffers/a/next nosuch
	refused EINVAL buffers/a/mode sometimes
	refused EINVAL buffers/a/mode ''
	refused ENOENT buffers/delete nosuch
	refused 'EINVAL|ENOENT' buffers/delete ''
	written=$(key status written)
	"$H" getppid 100 >/dev/null
	[ "$(key status written)" -ge $((written + 200)) ]
}

# More than there is, just so and by far.
create_too_large() {
	calls
	put buffers/create 'a 64K'
	memory=$(buffers_memory)
	total=$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo)
	# On each CPU: a little more than there is for it, all there is twice, and a
	# number that has no meaning.
	for kib in $(((total / $(cpus | wc -l) & ~3) + 4096)) \
		   $(((total & ~3) * 2)) $((total * 4096)); do
		refused 'ENOMEM|EINVAL' buffers/create "new ${kib}K" new
		refused 'ENOMEM|EINVAL' buffers/a/size "${kib}K" "${kib}K"
		[ "$(buffers_memory)" -eq "$memory" ]
	done
	written=$(key status written)
	"$H" getppid 100 >/dev/null
	[ "$(key status written)" -ge $((written + 200)) ]
}

# What a buffer takes is counted, and comes back.
memory() {
	put maskset RDEFAULT
	before=$(buffers_memory)
	put buffers/create 'a 1M'
	put buffer a
	with=$(buffers_memory)
	[ $((with - before)) -ge $(($(cpus | wc -l) * 1048576)) ]
	[ $((with - before)) -le $(($(cpus | wc -l) * 1048576 * 3 / 2)) ]
	put buffer main
	put buffers/delete a
	[ "$(buffers_memory)" -eq "$before" ]
}

identity_all() {
	for b in "$LKST"/buffers/*/stats; do
		b=${b%/stats}
		identity "${b##*/}"
	done
}

# Each is there, or was overwritten and counted: the last ones are there.
overwrite() {
	put buffers/create 'a 16K'
	into a
	n=$(scaled 6000)
	"$H" markers 0 1 "$n"
	stop
	identity_all
	unread=$(sum a unread)
	[ "$(sum a read)" -eq 0 ]
	[ "$(sum a discarded)" -eq 0 ]
	[ "$(sum a overwritten)" -gt $((n / 2)) ]
	dump
	whole
	[ "$(records)" -eq "$unread" ]
	[ "$(sum a read)" -eq "$unread" ]
	identity_all
	first=$(numbers | head -n 1)
	numbers | run_of "$first" "$n"
	# The buffer held about what its size promises: a record takes 28 bytes.
	[ $(((n - first) * 28)) -ge 8192 ]
	[ $(((n - first) * 28)) -le 16384 ]
}

# The first ones are there, the others were counted, and when there is room again
# the trace says how many are missing.
discard() {
	put buffers/create 'a 16K discard'
	into a
	n=$(scaled 6000)
	"$H" markers 0 1 "$n"
	identity a
	[ "$(sum a overwritten)" -eq 0 ]
	discarded=$(sum a discarded)
	[ "$discarded" -gt $((n / 2)) ]
	unread=$(sum a unread)
	dump
	whole
	last=$(numbers | tail -n 1)
	numbers | run_of 1 "$last"
	[ $((n - last)) -le "$discarded" ]
	# The few that were discarded beside the markers are LKST's own.
	[ $((n - last + 50)) -ge "$discarded" ]
	"$H" markers 0 100001 3
	stop
	dump
	numbers | run_of 100001 100003
	lost=$(awk '$5 == "LKST_LOST" && $7 == "0x0" { print $6 }' "$TMP/dump" |
		while read -r x; do echo $((x)); done |
		awk '{ s += $1 } END { print s + 0 }')
	[ "$lost" -ge $((n - last)) ]
	[ "$lost" -eq "$(sum a discarded)" ]
	identity a
}

# The mode may change while records come.
mode() {
	put buffers/create 'a 16K'
	into a
	"$H" markers 0 1 "$(scaled 2000)"
	put buffers/a/mode discard
	[ "$(cat "$LKST/buffers/a/mode")" = 'overwrite [discard]' ]
	overwritten=$(sum a overwritten)
	"$H" markers 0 1 "$(scaled 2000)"
	[ "$(sum a overwritten)" -eq "$overwritten" ]
	[ "$(sum a discarded)" -gt 0 ]
	put buffers/a/mode overwrite
	"$H" markers 0 50001 "$(scaled 2000)"
	stop
	[ "$(sum a overwritten)" -gt "$overwritten" ]
	identity a
	dump
	numbers | tail -n 100 | run_of $((50001 + $(scaled 2000) - 100)) \
		$((50000 + $(scaled 2000)))
}

# Growing loses nothing, not even of what is being written.
grow() {
	put buffers/create 'a 128K'
	into a
	"$H" markers 0 1 300
	n=301
	# In each turn less is written than what was there before holds.
	for size in 256K 320K 384K 512K 768K 1M; do
		"$H" markers 0 "$n" 1500 &
		put buffers/a/size "$size"
		wait
		n=$((n + 1500))
	done
	[ "$(cat "$LKST/buffers/a/size")" = 1048576 ]
	stop
	[ "$(sum a overwritten)" -eq 0 ]
	identity a
	dump
	whole
	numbers | run_of 1 9300
	# Blocks keep their size: a small buffer grows by small ones.
	put buffers/create 'b 8K'
	put buffers/b/size 20K
	[ "$(cat "$LKST/buffers/b/size")" = 20480 ]
}

# Shrinking loses the oldest and counts them.
shrink() {
	put buffers/create 'a 512K'
	into a
	"$H" markers 0 1 12000
	"$H" markers 0 12001 4000 &
	put buffers/a/size 256K
	wait
	put buffers/a/size 128K
	stop
	[ "$(cat "$LKST/buffers/a/size")" = 131072 ]
	identity a
	[ "$(sum a overwritten)" -gt 0 ]
	unread=$(sum a unread)
	dump
	[ "$(records)" -eq "$unread" ]
	first=$(numbers | head -n 1)
	numbers | run_of "$first" 16000
	[ "$first" -lt 14000 ]
	# And it goes on.
	put maskset quiet
	"$H" markers 0 50001 100
	stop
	dump
	numbers | run_of 50001 50100
}

# Up and down under full load.
resize_load() {
	put buffers/create 'a 256K'
	put buffer a
	put maskset RALL
	"$H" load 2000 >"$TMP/load" &
	job=$!
	i=0
	while kill -0 "$job" 2>/dev/null; do
		for size in 128K 1M 192K 512K 320K; do
			put buffers/a/size "$size"
		done
		i=$((i + 1))
	done
	wait "$job"
	[ "$i" -gt 0 ]
	stop
	identity_all
	unread=$(sum a unread)
	dump
	[ "$(records)" -eq "$unread" ]
	if grep '^#again' "$TMP/dump"; then
		return 1
	fi
}

# A full buffer shifts to the next and stays as it is; the last one wraps.
chain() {
	put buffers/create 'tail 16K'
	put buffers/create 'head 16K next=tail'
	into head
	n=$(scaled 6000)
	[ "$(cat "$LKST/per_cpu/cpu0/buffer")" = head ]
	"$H" markers 0 1 "$n"
	[ "$(cat "$LKST/per_cpu/cpu0/buffer")" = tail ]
	stop
	[ "$(sum head overwritten)" -eq 0 ]
	[ "$(sum tail overwritten)" -gt 0 ]
	identity_all
	dump 0
	# The first ones and the last ones, nothing between.
	numbers | sort -n >"$TMP/n"
	gap=$(awk 'NR > 1 && $1 != p + 1 { print p } { p = $1 }' "$TMP/n")
	[ "$(echo "$gap" | wc -w)" -eq 1 ]
	sed "/^$gap\$/q" "$TMP/n" | run_of 1 "$gap"
	first=$(sed "1,/^$gap\$/d" "$TMP/n" | head -n 1)
	sed "1,/^$gap\$/d" "$TMP/n" | run_of "$first" "$n"
}

# The trace says where it goes on.
chain_told() {
	put buffers/create 'tail 16K'
	put buffers/create 'head 16K next=tail'
	into head
	"$H" markers 0 1 600
	stop
	dump 0
	grep -q ' LKST_BUFFER head tail$' "$TMP/dump"
}

# A chain that leads back to its start is a ring of buffers.
ring() {
	put buffers/create 'a 16K'
	put buffers/create 'b 16K next=a'
	put buffers/create 'c 16K next=b'
	put buffers/a/next c
	into a
	n=4000
	"$H" markers 0 1 "$n"
	stop
	identity_all
	# More than one of them holds came through each.
	for b in a b c; do
		[ "$(sum "$b" written)" -gt 600 ]
	done
	dump 0
	numbers | sort -n >"$TMP/n"
	first=$(head -n 1 "$TMP/n")
	run_of "$first" "$n" <"$TMP/n"
	# Two of them are full at any time, beside the current one.
	[ $(((n - first) * 28)) -gt 24576 ]
	for b in a b c; do
		put "buffers/$b/next" none
		[ -z "$(cat "$LKST/buffers/$b/next")" ]
	done
}

# A jump of all CPUs, and of one; what the buffer left behind holds is kept.
jump() {
	need_cpus 2
	quiet
	"$H" markers 0 1 10
	"$H" markers 1 1 10 n
	put buffers/create 'a 64K'
	put per_cpu/cpu1/buffer a
	[ "$(cat "$LKST/per_cpu/cpu0/buffer")" = main ]
	[ "$(cat "$LKST/per_cpu/cpu1/buffer")" = a ]
	"$H" markers 0 11 10
	"$H" markers 1 11 10 n
	put buffers/create 'b 64K'
	put buffer b
	[ "$(cat "$LKST/buffer")" = b ]
	[ "$(cat "$LKST/per_cpu/cpu0/buffer")" = b ]
	[ "$(cat "$LKST/per_cpu/cpu1/buffer")" = b ]
	"$H" markers 0 21 10
	"$H" markers 1 21 10 n
	stop
	dump -b
	grep -q '^1 .* LKST_BUFFER main a$' "$TMP/dump"
	grep -q '^0 .* LKST_BUFFER main b$' "$TMP/dump"
	grep -q '^1 .* LKST_BUFFER a b$' "$TMP/dump"
	# Which marker lies where.
	awk '/^#block/ { b = $2 " " $3 } $5 == "LKST_MARKER" { print b, $7, $8 }' \
		"$TMP/dump" | sort >"$TMP/where"
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "0 main m $i"
		echo "0 main m $((i + 10))"
		echo "0 b m $((i + 20))"
		echo "1 main n $i"
		echo "1 a n $((i + 10))"
		echo "1 b n $((i + 20))"
	done | sort | cmp - "$TMP/where"
}

# Jumps all the time under load: every record is in one of them, once.
jump_load() {
	# CPU 0 records there, and may be the only one.
	put buffers/main/size 4M
	for b in a b c; do
		put buffers/create "$b 4M"
	done
	put buffer a
	maskset calls 'SYSCALL_ENTRY default'
	put maskset calls
	"$H" getppid "$(scaled 20000)" 0 >"$TMP/pid" &
	job=$!
	while kill -0 "$job" 2>/dev/null; do
		for b in b c a; do
			put buffer "$b"
			put per_cpu/cpu0/buffer main
		done
	done
	wait "$job"
	stop
	identity_all
	nothing_overwritten
	dump
	whole
	pid=$(cut -d' ' -f1 "$TMP/pid")
	[ "$(awk -v p="$pid" -v nr="$(nr getppid)" '$3 == p && $6 == nr' "$TMP/dump" | wc -l)" -eq \
		$(($(scaled 20000) + 1)) ]
}

clear() {
	need_cpus 2
	put buffers/create 'a 64K'
	quiet
	"$H" markers 0 1 10
	"$H" markers 1 1 10
	put buffer a
	"$H" markers 0 11 10
	"$H" markers 1 11 10
	# One CPU's.
	put per_cpu/cpu0/trace x
	dump_text
	[ "$(grep -c '\[000\].* LKST_MARKER' "$TMP/text")" -eq 0 ]
	[ "$(grep -c '\[001\].* LKST_MARKER' "$TMP/text")" -eq 20 ]
	# All.
	echo >"$LKST/trace"
	dump_text
	[ "$(grep -c LKST_MARKER "$TMP/text")" -eq 0 ]
	"$H" markers 0 31 5
	stop
	identity_all
	dump
	numbers | run_of 31 35
}

dump_text() {
	cat "$LKST/trace" >"$TMP/text"
}

# The ring of CPU 1 in the buffer a: 1,025 blocks of 4 KiB, and texts enough for them.
many_blocks() {
	need_cpus 2
	put buffers/create 'a 4100K'
	put buffer a
	quiet
	yes 0123456789 | tr -d '\n' |
		taskset -c 1 dd bs=4000 count=1200 iflag=fullblock of="$LKST/marker" 2>/dev/null
	awk '$1 == 1 { exit $4 == 0 }' "$LKST/buffers/a/stats"
	put buffer main
}

# interrupts COMMAND: how many CPU 1 gets from others while CPU 0 runs that. An idle CPU may
# look for calls without one.
interrupts() {
	[ -d "$LKST/masksets/ipis" ] || maskset ipis 'INT_IPI_* default'
	put maskset ipis
	taskset -c 1 sh -c 'while :; do :; done' &
	job=$!
	taskset -c 0 sh -c "$1"
	kill "$job"
	put maskset quiet
	dump
	grep -c '^1 .* INT_IPI_ENTRY' "$TMP/dump"
}

# With interrupts off, a CPU is kept for 64 of its blocks at a time.
clear_steps() {
	many_blocks
	# Opened and not written to: cleared once.
	[ "$(interrupts ": >$LKST/trace")" -ge 16 ]
	[ "$(sum a unread)" -eq 0 ]
	identity a
}

resize_steps() {
	many_blocks
	lost=$(sum a overwritten)
	had=$(sum a unread)
	[ "$(interrupts "echo 8K >$LKST/buffers/a/size")" -ge 16 ]
	identity a
	# The dump has taken what is left.
	left=$(sum a read)
	[ "$(sum a overwritten)" -eq $((lost + had - left)) ]
	[ "$left" -lt 200 ]
}

clear_load() {
	put buffers/create 'a 64K'
	put buffer a
	put maskset RALL
	"$H" load 1500 >/dev/null &
	job=$!
	while kill -0 "$job" 2>/dev/null; do
		echo >"$LKST/trace"
		echo >"$LKST/per_cpu/cpu0/trace"
	done
	wait "$job"
	stop
	identity_all
	dump
	if grep '^#again' "$TMP/dump"; then
		return 1
	fi
	echo >"$LKST/trace"
	[ "$(key status unread)" -eq 0 ]
	identity_all
}

# times_beside WHAT: how often that is possible in a second and a half, "FILE [TEXT...]" as for
# "longest", which also says how long it takes at most.
times_beside() {
	# shellcheck disable=SC2086 # a list of words
	set -- $1
	file=$1
	shift
	"$H" longest 1500 "$LKST/$file" "$@"
}

# Hundredths of a second since the boot.
hundredths() {
	read -r up _ </proc/uptime
	echo "${up%.*}${up#*.}"
}

# again_and_again COMMAND...: how long each took, in hundredths of a second, is a line of
# TMP/took.
again_and_again() {
	while :; do
		from=$(hundredths)
		"$@"
		echo $(($(hundredths) - from)) >>"$TMP/took"
	done
}

# beside COMMAND...: switches of the maskset and of a buffer, and reads, while the command
# runs again and again: they are as many, or nearly, as beside programs that do nothing, or
# none took half as long as the shortest run of the command. Where neither holds, they waited.
beside() {
	maskset one 'PROCESS_EXIT default'
	maskset two 'PROCESS_FORK default'
	put maskset one
	for what in 'maskset one two' status per_cpu/cpu0/stats per_cpu/cpu0/trace_raw \
		'per_cpu/cpu0/buffer main'; do
		"$H" spin 100000 0 &
		job=$!
		"$H" spin 100000 "$(last_cpu)" &
		other=$!
		alone=$(times_beside "$what")
		kill "$job" "$other"
		wait "$job" "$other" || :
		: >"$TMP/took"
		again_and_again "$@" &
		job=$!
		with=$(times_beside "$what")
		kill "$job"
		wait "$job" || :
		shortest=$(sort -n "$TMP/took" | sed -n 1p)
		echo "$what: longest (us) and times $with, else $alone;" \
			"the command ${shortest:-150} hundredths" | tee -a "$TMP/say"
		[ $((${with#* } * 6)) -ge "${alone#* }" ] ||
			[ "${with% *}" -lt $((${shortest:-150} * 5000)) ]
	done
}

big_comes_and_goes() {
	[ -e "$LKST/buffers/big" ] || put buffers/create 'big 192M'
	put buffers/delete big
}

big_grows_and_shrinks() {
	put buffers/main/size 192M
	put buffers/main/size 1M
}

# However large a buffer is, it is made and freed while others go on.
create_beside() {
	beside big_comes_and_goes
}

resize_beside() {
	beside big_grows_and_shrinks
}

delete() {
	need_cpus 2
	put buffers/create 'a 64K'
	put buffers/create 'b 64K next=a'
	refused EBUSY buffers/delete a
	put buffers/b/next none
	put buffer a
	refused EBUSY buffers/delete a
	put buffer b
	put per_cpu/cpu1/buffer a
	refused EBUSY buffers/delete a
	put per_cpu/cpu1/buffer b
	quiet
	"$H" markers 0 1 10
	put buffer main
	put buffers/delete a
	put buffers/delete b
	refused ENOENT buffers/delete b
	[ ! -e "$LKST/buffers/a" ]
	stop
	dump
	# They went with it.
	[ -z "$(numbers)" ]
}

# Made, used and deleted again under load, with readers.
delete_load() {
	put maskset RALL
	"$H" load 2000 >/dev/null &
	job=$!
	cat "$LKST/trace_pipe" >/dev/null &
	while kill -0 "$job" 2>/dev/null; do
		put buffers/create 'x 16K'
		put buffers/create 'y 32K discard next=x'
		put buffer y
		head -n 50 "$LKST/trace" >/dev/null
		put buffer main
		put buffers/delete y
		put buffers/delete x
	done
	wait "$job"
	stop
	identity_all
}

# Numbered calls from every CPU under load: present or counted, in every mode.
counted() {
	for mode in '' discard; do
		put buffers/create "a$mode 64K $mode"
		put buffer "a$mode"
		maskset "calls$mode" 'SYSCALL_ENTRY default' 'SYSCALL_EXIT default'
		put maskset "calls$mode"
		full=overwritten
		[ -z "$mode" ] || full=discarded
		# A busy host does not fill it at once.
		until [ "$(sum "a$mode" "$full")" -gt 0 ]; do
			"$H" load "$(scaled 1000)" >/dev/null
		done
		stop
		identity_all
		unread=$(sum "a$mode" unread)
		written=$(sum "a$mode" written)
		discarded=$(sum "a$mode" discarded)
		dump
		whole
		[ "$(records)" -eq "$((unread + $(sum main read)))" ] ||
			[ "$(records)" -ge "$unread" ]
		[ "$written" -gt 1000 ]
		if [ -n "$mode" ]; then
			[ "$discarded" -gt 0 ]
			[ "$(sum "a$mode" overwritten)" -eq 0 ]
		else
			[ "$discarded" -eq 0 ]
			[ "$(sum "a$mode" overwritten)" -gt 0 ]
		fi
	done
}

# span CPU: milliseconds from the first to the last record of its trace.
span() {
	awk '!/^#/ { sub(/:$/, "", $4); if (!n++) first = $4; last = $4 }
		END { printf "%d\n", (last - first) * 1000 + 0.5 }' "$LKST/per_cpu/cpu$1/trace"
}

# milliseconds KEY FILE: of a line "KEY: 1.734 s".
milliseconds() {
	sed -n "s/^$1: \([0-9]*\)\.\([0-9][0-9][0-9]\) s\$/\1\2/p" "$LKST/$2" | sed 's/^0*\(.\)/\1/'
}

# What memory reaches back is the time between the records that it holds, of a ring that
# has wrapped and of one that has not; status has the least of all CPUs.
reach() {
	[ "$(milliseconds reach status)" -eq 0 ]
	put buffers/create 'a 16K'
	put buffer a
	calls
	for _ in 1 2 3 4; do
		"$H" getppid "$(scaled 1000)" >/dev/null
		usleep 100000
	done
	stop
	[ "$(sum a overwritten)" -gt 0 ]
	least=
	for c in $(cpus); do
		ms=$(milliseconds reach "per_cpu/cpu$c/stats")
		echo "# CPU $c: $ms ms, its records span $(span "$c") ms"
		[ $((ms - $(span "$c"))) -le 5 ]
		[ $((ms - $(span "$c"))) -ge -5 ]
		[ "$(key "per_cpu/cpu$c/stats" bytes)" -gt 0 ]
		[ "$(key "per_cpu/cpu$c/stats" bytes)" -le 16384 ]
		[ "$ms" -eq "$(milliseconds "reach_cpu$c" status)" ] || [ "$ms" -eq 0 ]
		[ -n "$least" ] && [ "$least" -le "$ms" ] || least=$ms
	done
	[ "$(milliseconds reach status)" -eq "$least" ]
	# While something is recorded, from now: here, from the jump.
	put maskset calls
	put buffers/create 'b 1M'
	put buffer b
	usleep 300000
	for c in $(cpus); do
		[ "$(milliseconds reach "per_cpu/cpu$c/stats")" -ge 300 ]
		[ "$(milliseconds reach "per_cpu/cpu$c/stats")" -le 60000 ]
	done
	[ "$(sum b overwritten)" -eq 0 ]
}

t 'a buffer has size, mode, next and stats' create
t 'status and stats say how far back memory reaches' reach
t 'bad sizes and names are refused, tracing goes on' create_bad
t 'sizes beyond the memory are refused, tracing goes on' create_too_large
t 'memory is counted and comes back' memory
t 'overwrite: the last records are there, the others counted' overwrite
t 'discard: the first records are there, the others counted' discard
t 'mode changes while records come' mode
t 'growing loses nothing' grow
t 'shrinking loses the oldest and counts them' shrink
t 'resizing under load' resize_load
t 'a chain keeps the first and the last records' chain
t 'a shift to the next buffer is told' chain_told
t 'a ring of buffers' ring
t 'jump on one CPU and on all keeps what was there' jump
t 'jumps under load lose nothing and repeat nothing' jump_load
t 'clear one CPU and all' clear
t 'clear goes in steps' clear_steps
t 'resizing goes in steps' resize_steps
t 'clear under load' clear_load
t 'nobody waits while a large buffer is made and freed' create_beside
t 'nobody waits while a buffer is made large' resize_beside
t 'a buffer in use is not deleted' delete
t 'create, use and delete under load with a reader' delete_load
t 'every record is present or counted' counted
finish
