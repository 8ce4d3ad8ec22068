#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events that are made at run time: what is recorded of them is held against what is known
# from elsewhere, and what can't be made is refused, all of it, and said why.

# shellcheck disable=SC2016 # the dollars are those of probes

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# shellcheck source=lib_dynamic.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_dynamic.sh"

OPTIMIZE=/proc/sys/debug/kprobes-optimization

# What a program opens: the name that it was given, text in user space.
entry() {
	made 'p:opened do_sys_openat2 dir=$arg1:s32 file=+0($arg2):ustring'
	maskset opens 'opened default'
	put maskset opens
	echo short >"$TMP/s"
	echo long >"$TMP/a_name_of_more_than_24_characters"
	pid=$(sh -c 'echo $$; exec 3<"$1"; exec 3<"$2"' sh "$TMP/s" \
		"$TMP/a_name_of_more_than_24_characters")
	stop
	of opened "$pid" | tail -n 2 >"$TMP/opened"
	long=$(echo "$TMP/a_name_of_more_than_24_characters" | cut -c -24)
	printf '.... opened dir=-100 file=%s\n' "$TMP/s" "$long" >"$TMP/want"
	cat "$TMP/opened"
	sed 's/^\.N\.\./..../' "$TMP/opened" | cmp "$TMP/want" -
}

# Numbers of all widths, a symbol, and text of the kernel.
types() {
	made 'p:reads vfs_read n=$arg3:u64 low=$arg3:u8 sign=$arg3:s8 at=@sys_call_table:symbol' \
		'p:execs begin_new_exec comm=$comm:string'
	maskset both 'reads default' 'execs default'
	put maskset both
	pid=$(sh -c 'echo $$; exec dd if=/dev/zero of=/dev/null bs=4224 count=1' 2>/dev/null)
	stop
	of reads "$pid" | cut -c 6- | grep 'n=4224 ' >"$TMP/reads"
	cat "$TMP/reads"
	grep -qxE 'reads n=4224 low=128 sign=-128 at=__[a-z0-9]*_sys_[a-z_]*' "$TMP/reads"
	[ "$(of execs "$pid" | cut -c 6-)" = 'execs comm=sh' ]
}

return_time() {
	took_its_time 'r:naps hrtimer_nanosleep'
}

return_arguments() {
	has_arguments_of_call 'r:reads vfs_read n=$arg3:u64 ret=$retval:s64'
}

# The context of a record is that of the code, not of the exception that a probe is.
context() {
	[ ! -e "$OPTIMIZE" ] || trap 'echo 1 >$OPTIMIZE' EXIT
	made 'p:in_task vfs_read' 'p:in_soft run_timer_softirq' 'p:in_hard hrtimer_interrupt'
	maskset_of_contexts
	for optimize in 0 1; do
		[ ! -e "$OPTIMIZE" ] || echo "$optimize" >"$OPTIMIZE"
		put trace ''
		put maskset three
		[ ! -e "$OPTIMIZE" ] || [ "$optimize" -eq 0 ] ||
			wait_for 5 grep -qE '^p:in_task .* (jump|ftrace) ' "$DYNAMIC"
		usleep 300000
		dd if=/dev/zero of=/dev/null bs=1 count=20 2>/dev/null
		stop
		contexts_agree
	done
}

# What is said of how a probe was made, and that it is what can be had.
ways() {
	[ -e "$OPTIMIZE" ] || skip 'probes are not optimised here'
	trap 'echo 1 >$OPTIMIZE' EXIT
	made 'p:reads vfs_read'
	grep -qx 'p:reads vfs_read # id=[0-9]* off [a-z]* missed=0 faults=0' "$DYNAMIC"
	maskset reads 'reads default'
	put maskset reads
	wait_for 5 grep -q '^p:reads vfs_read # id=[0-9]* \(jump\|ftrace\) ' "$DYNAMIC"
	echo 0 >"$OPTIMIZE"
	wait_for 5 grep -q '^p:reads vfs_read # id=[0-9]* \(breakpoint\|ftrace\) ' "$DYNAMIC"
	[ "$(grep -c ' reads vfs_read+0x[0-9a-f]*/' "$LKST/hooks")" -eq 1 ]
	grep -q '^[0-9]* reads dynamic 1 default p:reads vfs_read$' "$LKST/events"
	# What the file says makes the same again.
	cat "$DYNAMIC" >"$TMP/lines"
	stop
	drop_masksets
	made '-:reads'
	[ ! -s "$DYNAMIC" ]
	cat "$TMP/lines" >"$DYNAMIC"
	[ "$(cut -d' ' -f -4 "$DYNAMIC")" = "$(cut -d' ' -f -4 "$TMP/lines")" ]
}

# An address that leads nowhere: the record ends before it, and it is counted.
faults() {
	made 'p:reads vfs_read n=$arg3:u64 bad=+0($arg3):u64 pos=$arg4'
	maskset reads 'reads default'
	put maskset reads
	pid=$(sh -c 'echo $$; exec dd if=/dev/zero of=/dev/null bs=3333 count=7' 2>/dev/null)
	stop
	of reads "$pid" | cut -c 6- | grep -c '^reads n=3333$' | tee "$TMP/n"
	[ "$(cat "$TMP/n")" -eq 7 ]
	[ "$(sed -nE 's/.* faults=//p' "$DYNAMIC")" -eq "$(grep -c ': reads n=' "$LKST/trace")" ]
	# To a handler it has no such argument.
	modprobe lkst_count
	put handlers/count/control 'by=arg2'
	put masksets/reads 'reads count'
	put maskset reads
	dd if=/dev/zero of=/dev/null bs=3333 count=7 2>/dev/null
	stop
	cat "$LKST/handlers/count/result"
	grep -qE '^ *[0-9]+ arg2=-$' "$LKST/handlers/count/result"
	none ' arg2=0x' "$LKST/handlers/count/result"
	# Nor has a pair a key that is not known.
	drop_masksets
	made 'p:same vfs_read bad=+0($arg3):u64'
	modprobe lkst_latency
	put handlers/latency/control 'begin=same end=same key=arg1'
	maskset same 'same latency'
	put maskset same
	dd if=/dev/zero of=/dev/null bs=3333 count=7 2>/dev/null
	stop
	cat "$LKST/handlers/latency/result"
	[ "$(awk '$1 == "pairs:" { print $2 }' "$LKST/handlers/latency/result")" -eq 0 ]
	[ "$(awk '$1 == "keyless:" { print $2 }' "$LKST/handlers/latency/result")" -ge 7 ]
}

# Masksets, handlers and expressions take its name; while one has it, it stays.
named() {
	made 'p:begin vfs_read n=$arg3:u64' 'r:end vfs_read'
	modprobe -a lkst_latency lkst_trigger
	put handlers/latency/control 'begin=begin end=end key=task'
	maskset pairs 'begin latency' 'end latency'
	put maskset pairs
	dd if=/dev/zero of=/dev/null bs=100 count=50 2>/dev/null
	stop
	cat "$LKST/handlers/latency/result"
	awk '$1 == "pairs:" { n = $2 } END { exit n < 50 }' "$LKST/handlers/latency/result"
	refused EBUSY '1 3' 'maskset "pairs" names begin' '-:begin'
	refused EBUSY '2 3' 'maskset "pairs" names end' 'p:more vfs_write' '-:end'
	drop_masksets
	refused EBUSY '1 3' 'handler "latency" names begin' '-:begin'
	put handlers/latency/control ''
	made '-:begin' '-:end'
	[ ! -s "$DYNAMIC" ]
	none ' begin ' "$LKST/events"
	maskset after
	if echo 'begin default' >"$LKST/masksets/after"; then
		return 1
	fi
}

# An edit that was begun before an event went does not bring it back: not even for the same
# event, which has the same id again while a buffer may have records of it.
stale_edit() {
	quiet
	echo here >"$LKST/marker"
	stop
	made 'p:reads vfs_read'
	definitions >"$TMP/was"
	maskset m 'reads default'
	# The edit starts from a table that has it; a bad line restores that table.
	(
		echo 'PROCESS_EXEC default'
		echo 'reads nothing' >"$LKST/masksets/m"
		made '-:reads'
		echo 'no_such_event default'
	) >"$LKST/masksets/m" || :
	[ ! -s "$DYNAMIC" ]
	made 'p:reads vfs_read'
	definitions | cmp "$TMP/was" -
	grep -x 'reads nothing' "$LKST/masksets/m"
	grep -x 'PROCESS_EXEC nothing' "$LKST/masksets/m"
}

# A record keeps its meaning when its event is gone and others come.
meaning() {
	made 'p:first vfs_read n=$arg3:u64'
	id=$(sed -nE 's/.* # id=([0-9]+) .*/\1/p' "$DYNAMIC")
	maskset m 'first default'
	put maskset m
	dd if=/dev/zero of=/dev/null bs=77 count=1 2>/dev/null
	stop
	drop_masksets
	made '-:first'
	made 'p:second vfs_write'
	[ "$(sed -nE 's/.* # id=([0-9]+) .*/\1/p' "$DYNAMIC")" -ne "$id" ]
	grep -q ': first n=77$' "$LKST/trace"
	grep -q "^$id	first	" "$LKST/etypes"
	# The same has the same id, and what is like it another.
	made 'p:first   vfs_read   n=$arg3:u64'
	grep -q "^p:first vfs_read n=\$arg3:u64 # id=$id " "$DYNAMIC"
	made '-:first'
	made 'p:first vfs_read n=$arg3:u32'
	none "^p:first .* # id=$id " "$DYNAMIC"
}

# free_ids: how many there are, but for those of LKST_LOG() in the kernel.
free_ids() {
	echo $((496 - $(awk '$3 == "log"' "$LKST/events" | wc -l)))
}

# many PREFIX: so many events in as few writes as can be.
many() {
	seq "$(free_ids)" | awk -v p="$1" -v to="$TMP/many." '
		{ print "p:" p $1 " vfs_read" >(to int((NR - 1) / 120)) }'
	for part in "$TMP"/many.*; do
		cat "$part" >"$DYNAMIC"
	done
}

# There are 496 ids. One is given to another event when no buffer has records of the one
# before.
ids() {
	many a
	[ "$(wc -l <"$DYNAMIC")" -eq "$(free_ids)" ]
	refused ENOSPC '1 3' 'all 496 ids are given out' 'p:one vfs_write'
	quiet
	echo here >"$LKST/marker"
	stop
	drop_masksets
	drop_dynamic_events
	refused ENOSPC '1 3' 'all 496 ids are given out' 'p:one vfs_write'
	put trace ''
	made 'p:one vfs_write'
	many_at=$(sed -nE 's/.* # id=([0-9]+) .*/\1/p' "$DYNAMIC")
	[ "$(grep -c "^$many_at	" "$LKST/etypes")" -eq 1 ]
	grep -q "^$many_at	one	" "$LKST/etypes"
	# The others are forgotten.
	none '	a[0-9]*	' "$LKST/etypes"
}

# Each with its errno, where and why; and nothing is done.
bad_lines() {
	refused EINVAL '1 1' 'want f:NAME, p:NAME, r:NAME, t:NAME or -:NAME, found "x:a"' 'x:a vfs_read'
	refused EINVAL '1 1' 'want f:NAME' 'p vfs_read'
	refused EINVAL '1 3' 'bad name "1a"' 'p:1a vfs_read'
	refused EINVAL '1 3' 'bad name ""' 'p: vfs_read'
	refused EINVAL '1 3' 'bad name "a-b"' 'p:a-b vfs_read'
	refused EEXIST '1 3' 'there is an event "PROCESS_EXEC"' 'p:PROCESS_EXEC vfs_read'
	refused EINVAL '1 4' 'want "p:NAME SYMBOL' 'p:a'
	refused ENOENT '1 5' 'no symbol "no_such_function"' 'p:a no_such_function'
	refused EINVAL '1 5' 'want SYMBOL or SYMBOL+OFFSET' 'p:a vfs_read+x'
	refused EINVAL '1 5' 'vfs_read+0x2' 'r:a vfs_read+2'
	refused EINVAL '1 5' 'lkst_record+0x0' 'p:a lkst_record'
	modprobe lkst_count
	refused EINVAL '1 5' 'count_free+0x0' 'p:a lkst_count:count_free'
	modprobe lkst_latency
	twice=$(awk '$4 == "" { own[$3] }
		$4 ~ /^\[lkst_(count|latency)\]$/ && $2 ~ /[tT]/ && !($3 in own) { print $3 }' \
		/proc/kallsyms | sort | uniq -d | tail -n 1)
	[ -n "$twice" ]
	n=$(grep " $twice	" /proc/kallsyms | grep -vc __builtin)
	refused EINVAL '1 5' "$n symbols \"$twice\": want MODULE:SYMBOL" "p:a $twice"
	refused EINVAL '1 14' 'Invalid' 'p:a vfs_read $argx'
	refused EINVAL '1 22' 'Unknown type is specified' 'p:a vfs_read x=$arg1:u65'
	refused EINVAL '1 14' 'arrays are not recorded' 'p:a vfs_read x=+0($arg1):u8[4]'
	refused EINVAL '1 14' 'want type symbol instead of symstr' 'p:a vfs_read x=$stack0:symstr'
	refused EINVAL '1 32' '"texts" would be read as more of "text"' \
		'p:a vfs_read text=$comm:string texts=$comm:string'
	refused EINVAL '1 50' 'more than 4 arguments' \
		'p:a vfs_read a=$arg1 b=$arg1 c=$arg1 d=$arg1     e=$arg1'
	refused ENOENT '1 3' 'no event "a" was made at run time' '-:a'
	refused ENOENT '1 3' 'no event "PROCESS_EXEC" was made' '-:PROCESS_EXEC'
	# The third of three: neither of the others is there.
	refused ENOENT '3 5' 'no symbol "no_such_function"' 'p:a vfs_read' 'r:b vfs_read' 'p:c no_such_function'
	refused EEXIST '2 3' 'there is an event "a"' 'p:a vfs_read' 'p:a vfs_write'
	made 'p:a vfs_read'
	refused EEXIST '1 3' 'there is an event "a"' 'r:a vfs_read'
	refused ENOENT '2 3' 'no event "b"' '-:a' '-:b'
	# One write may replace an event, comments and empty lines are none.
	made '' '# p:c nothing' '-:a' 'p:a vfs_write # written'
	[ "$(cut -d' ' -f -2 "$DYNAMIC")" = 'p:a vfs_write' ]
	name=$(awk '$2 == "T" && $3 == "exc_int3" { print $3 }' /proc/kallsyms)
	[ -z "$name" ] || refused EINVAL '1 5' "$name+0x0" "p:c $name"
}

# A probe in a module goes with it.
in_a_module() {
	modprobe null_blk nr_devices=1 || lack 'no null_blk'
	made 'p:inside null_blk:null_queue_rq'
	maskset m 'inside default'
	put maskset m
	dd if=/dev/nullb0 of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null
	stop
	grep -q ': inside$' "$LKST/trace"
	rmmod null_blk
	put maskset m
	cat "$DYNAMIC"
	stop
	grep -q '^p:inside .* gone ' "$DYNAMIC"
	drop_masksets
	made '-:inside'
	refused ENOENT '1 10' 'no symbol "null_blk:null_queue_rq"' 'p:inside null_blk:null_queue_rq'
}

# Tools have the name and the arguments, of a log, too.
tools() {
	need lkstbuf lkst
	made 'p:reads vfs_read n=$arg3:u64 comm=$comm:string' \
		'p:short vfs_read n=$arg3:u64 bad=+0($arg3):u64'
	maskset m 'reads default' 'short default'
	put maskset m
	dd if=/dev/zero of=/dev/null bs=9999 count=3 2>/dev/null
	stop
	grep -E ': (reads|short) ' "$LKST/trace" | sed 's/.*: //' >"$TMP/want"
	[ "$(grep -c '^reads n=9999 comm=dd$' "$TMP/want")" -eq 3 ]
	[ "$(grep -c '^short n=9999$' "$TMP/want")" -eq 3 ]
	lkstbuf read >"$TMP/log"
	drop_masksets
	made '-:reads' '-:short'
	lkstbuf print "$TMP/log" | grep -E ': (reads|short) ' | sed 's/.*: //' | cmp "$TMP/want" -
}

# What lkst probe makes of what a person writes, lists and deletes.
probe() {
	need lkst lkstm
	lkst probe vfs_read 'n=$arg3:u64'
	lkst probe vfs_read+0
	lkst probe --return vfs_read
	lkst probe --tracepoint sched:sched_switch prev_pid next_pid
	lkst probe --name mine --tracepoint sched:sched_switch
	definitions | sed 's/ # .*//' >"$TMP/made"
	printf '%s\n' 'p:vfs_read vfs_read n=$arg3:u64' 'p:vfs_read_2 vfs_read+0' \
		'r:vfs_read_return vfs_read ret=$retval' \
		't:sched_switch sched:sched_switch prev_pid next_pid' 't:mine sched:sched_switch' |
		cmp - "$TMP/made"
	lkst probe -l | sed 1d | sed -E 's/^ *[0-9]+ off [a-z]+ (missed=0 )?faults=0 +//' | cmp - "$TMP/made"
	fails 'no symbol "no_such"' lkst probe no_such
	fails 'made at run time' lkst probe -d vfs_read no_such
	definitions | sed 's/ # .*//' | cmp - "$TMP/made"
	# As it says itself how to go on.
	lkst probe --name=bytes vfs_write 'n=$arg3:u64' | sed -n '/lkstm new/p' |
		sed 's,sleep 5,-o $1 dd if=/dev/zero of=/dev/null bs=7777 count=2,' >"$TMP/said"
	sh "$TMP/said" "$TMP/log" 2>&1
	lkst print "$TMP/log" | grep -c 'bytes n=7777$' | grep -x 2
	drop_masksets
	lkst probe -d vfs_read mine bytes
	lkst probe -d
	[ ! -s "$DYNAMIC" ]
}

# Events come, are armed, and go while what they tell of runs on all CPUs. Before 8.1, QEMU's
# TCG may go on for a while with code of before a change (see scripts/tcg_int3/): not every
# round has all of them there.
under_load() {
	put buffers/main/size 128K
	calls_everywhere
	rounds=$(scaled 8)
	for round in $(seq "$rounds"); do
		made 'p:into vfs_read n=$arg3:u64' 'r:back vfs_read' 'p:within vfs_write+0 comm=$comm:string' \
			't:called raw_syscalls:sys_enter id'
		maskset m 'into default' 'back default' 'within default' 'called default'
		record_a_while m
		sed -nE 's/.*: ((into) n=1|(back) took=.*|(within) comm=dd|(called) id=([01]|6[34]))$/\2\3\4\5/p' \
			"$LKST/trace" | sort -u | tee -a "$TMP/told" | sed "s/^/round $round: /"
		drop_masksets
		made '-:into' '-:back' '-:within' '-:called'
	done
	calls_end
	identity main
	for name in into back within called; do
		[ "$(grep -cx "$name" "$TMP/told")" -ge $(((rounds + 1) / 2)) ]
	done
}

t 'an entry has its arguments, text of user space among them' entry
t 'numbers of all widths, symbols and text of the kernel' types
t 'a return tells how long the call took' return_time
t 'a return has arguments as they were at the entry' return_arguments
t 'the context is that of the code that is probed' context
t 'the file says how each is made, and makes the same again' ways
t 'what can not be read is unknown, and counted' faults
t 'an event that a maskset or a handler names stays' named
t 'an edit that was begun before an event went does not bring it back' stale_edit
t 'a record keeps its meaning when its event is gone' meaning
t 'an id goes to another event when no buffer has records of it' ids
t 'what can not be made is refused, and nothing is done' bad_lines
t 'a probe in a module goes with it' in_a_module
t 'tools have the names and the arguments' tools
t 'lkst probe writes the lines' probe
t 'events come and go under load' under_load
finish
