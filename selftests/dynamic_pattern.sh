#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Many events by one line, of all functions or tracepoints that a pattern matches: held against
# the kernel's lists of symbols and of tracepoints, and against LKST's own hooks.

# shellcheck disable=SC2016 # the dollars are those of probes

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"
# shellcheck source=lib_dynamic.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_dynamic.sh"
# shellcheck source=lib_ftrace.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib_ftrace.sh"

# functions REGEX: the kernel's own whose name is there once, by the first of its names, sorted.
# Those of the boot are freed.
functions() {
	grep -E ' (_sinittext|_einittext)$' /proc/kallsyms | sort >"$TMP/inittext"
	grep -E " [tTwW] ($1)\$" /proc/kallsyms | awk 'FNR == NR { bound[FNR] = $1; next }
		$3 !~ /^__pfx_/ && !($1 "" >= bound[1] "" && $1 "" < bound[2] "") &&
		!seen[$1]++ { print $3 }' "$TMP/inittext" - | sort | uniq -u
}

# symbols: of the events that were made, sorted.
symbols() {
	cut -d' ' -f 2 "$DYNAMIC" | sort
}

# seconds COMMAND: how long it takes, for people.
seconds() {
	read -r begin _ </proc/uptime
	"$@"
	read -r finish _ </proc/uptime
	echo "$begin $finish $*" | awk '{ printf "%.2f s:", $2 - $1; $1 = $2 = ""; print }' >>"$TMP/say"
}

# as_many_calls PREFIX: events PREFIXread and so on tell of each system call that a program
# makes, next to what the hook says.
as_many_calls() {
	maskset calls "$1* default" 'SYSCALL_ENTRY default'
	seconds put maskset calls
	pid=$(sh -c 'echo $$; exec dd if=/dev/zero of=/dev/null bs=1 count=50' 2>/dev/null)
	seconds stop
	nothing_overwritten
	for name in read write close; do
		nr=$(($(nr "$name")))
		told=$(of "$1$name" "$pid" | wc -l)
		hooks=$(of SYSCALL_ENTRY "$pid" | awk -v nr="$nr" '$3 == "nr=" nr { n++ } END { print n + 0 }')
		echo "$name $told $hooks"
		[ "$told" -ge 3 ]
		[ "$told" -eq "$hooks" ]
	done
	drop_masksets
	seconds made "-:$1*"
	[ ! -s "$DYNAMIC" ]
}

# All system calls, by name.
system_calls() {
	prefix=$(awk '$3 ~ /^__[a-z0-9]+_sys_getppid$/ && $3 !~ /^__(ia32|se|do)_/ {
		sub("getppid$", "", $3); print $3; exit }' /proc/kallsyms)
	# Where ftrace calls, it goes through all functions to turn one on, which takes its time.
	some='' least=200
	! has_fprobes || some='[rwc]' least=50
	seconds made "p:sys_* $prefix$some*"
	functions "$prefix$some.*" | tee "$TMP/all" | wc -l | sed 's,$, functions,' >>"$TMP/say"
	symbols | diff "$TMP/all" -
	[ "$(wc -l <"$TMP/all")" -gt "$least" ]
	as_many_calls sys_
}

# What the * of the pattern stands for is that of the name; arguments are those of each.
names() {
	made 'p:v_*_seen vfs_* first=$arg1:x64'
	sed 's/ #.*//' "$DYNAMIC" >"$TMP/made"
	functions 'vfs_.*' | awk '{ name = substr($1, 5); gsub("[.]", "_", name)
		print "p:v_" name "_seen", $1, "first=$arg1:x64" }' | sort >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -ge 10 ]
	# Longer ones are cut: see below.
	awk 'length($1) - 2 <= 31' "$TMP/want" >"$TMP/short"
	sort "$TMP/made" | grep -xF -f "$TMP/short" | diff "$TMP/short" -
	made '-:*_seen'
	[ ! -s "$DYNAMIC" ]
	# Of more than 31 characters: cut, and each is another.
	made 'p:a_beginning_of_28_characters_* vfs_*'
	functions 'vfs_.*' >"$TMP/want"
	symbols | diff "$TMP/want" -
	cut -d' ' -f 1 "$DYNAMIC" | sort | tee "$TMP/cut" | uniq -d >"$TMP/twice"
	[ ! -s "$TMP/twice" ]
	[ "$(awk '{ print length($1) - 2 }' "$TMP/cut" | sort -n | tail -n 1)" -eq 31 ]
	grep -q '_2$' "$TMP/cut"
}

# others FILE FILE: the lines of the second that the first does not have.
others() {
	awk -v file="$1" 'BEGIN { while ((getline line <file) > 0) have[line] } !($0 in have)' "$2"
}

# Those that can't be probed by themselves are left out, and none else.
left_out() {
	made 'p:c_* *clock_*'
	functions '.*clock_.*' >"$TMP/all"
	symbols >"$TMP/made"
	[ "$(wc -l <"$TMP/made")" -ge 20 ]
	others "$TMP/all" "$TMP/made" >"$TMP/unknown"
	none . "$TMP/unknown"
	others "$TMP/made" "$TMP/all" >"$TMP/missing"
	[ "$(wc -l <"$TMP/missing")" -ge 5 ]
	definitions >"$TMP/before"
	while read -r function; do
		fails '' made "p:alone $function"
	done <"$TMP/missing"
	definitions | diff "$TMP/before" -
}

in_a_module() {
	modprobe null_blk nr_devices=1 || lack 'no null_blk'
	made 'p:nb_* null_blk:null_*'
	cat "$DYNAMIC"
	awk '$4 == "[null_blk]" && $2 ~ /[tT]/ && $3 ~ /^null_/ { print "null_blk:" $3 }' \
		/proc/kallsyms | sort >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -ge 5 ]
	symbols | diff "$TMP/want" -
	grep -q '^p:nb_queue_rq null_blk:null_queue_rq ' "$DYNAMIC"
	made '-:nb_*'
	rmmod null_blk
	refused ENOENT '1 8' 'no function matches "null_blk:null_*"' 'p:nb_* null_blk:null_*'
}

returns() {
	kind=r suffix=
	if has_fprobes; then
		kind=f suffix=%return
	fi
	made "$kind:v_* vfs_[rw]*$suffix"
	cat "$DYNAMIC"
	grep -q "^$kind:v_read vfs_read$suffix ret=\$retval # " "$DYNAMIC"
	grep -q "^$kind:v_write vfs_write$suffix ret=\$retval # " "$DYNAMIC"
	none ' vfs_[^rw]' "$DYNAMIC"
}

# tracepoints REGEX: that ftrace can turn on, sorted.
tracepoints() {
	grep -xE "$1" "$T/available_events" | sort
}

# Those that match and no others, of one group and of several; each switch and each wakeup is
# told by tracepoint and hook, and what is a field of all of them is recorded of each.
of_tracepoints() {
	ftrace_ready sched/sched_switch
	made 't:s_* sched:sched_*'
	tracepoints 'sched:sched_.*' >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -ge 15 ]
	symbols | diff "$TMP/want" -
	grep -q '^t:s_wakeup sched:sched_wakeup # .* tracepoint ' "$DYNAMIC"
	made '-:s_*'
	made 't:*_both [sn]*:*_wak[e]*'
	tracepoints '[sn].*:.*_wake.*' | tee "$TMP/want" | wc -l
	[ "$(wc -l <"$TMP/want")" -ge 3 ]
	symbols | diff "$TMP/want" -
	made '-:*_both'
	seconds made 't:s_* sched:sched_[w]ak*[gpw] pid' 't:s_switch sched:sched_switch next_pid'
	maskset both 's_* default' 'PROCESS_CONTEXTSWITCH default' 'PROCESS_WAKEUP default'
	put maskset both
	dd if=/dev/zero bs=1 count=300 2>/dev/null | cat >/dev/null
	usleep 100000
	seconds stop
	nothing_overwritten
	for pair in 's_switch PROCESS_CONTEXTSWITCH' 's_wakeup PROCESS_WAKEUP'; do
		# One place is on before, and off after, the other: between the first and the last.
		awk -v a="${pair% *}" -v b="${pair#* }" '$5 == a { n++; m = seen } n && $5 == b { seen++ }
			END { print a, n, b, m; exit !(n >= 10 && n - m <= 2 && m - n <= 2) }' \
			"$LKST/trace"
	done
	grep -c ' s_waking pid=[1-9]' "$LKST/trace"
	drop_masksets
	seconds made '-:s_*'
	[ ! -s "$DYNAMIC" ]
}

# As many as there can be, on and off, and ftrace has what it had.
many_tracepoints() {
	ftrace_ready sched/sched_switch
	tracepoints 'syscalls:sys_enter_.*' >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -ge 100 ]
	seconds made 't:t_* syscalls:sys_enter_*'
	symbols | diff "$TMP/want" -
	as_many_calls t_
	none '^1' "$T/events/syscalls/enable"
	refused ENOSPC '1 7' 'more than 496 tracepoints match' 't:a_* *'
}

# Events have the names of the functions if nothing else is said.
tool() {
	need lkst
	lkst probe 'vfs_re*' 'first=$arg1' | grep -x 'There are events vfs_re\* now.*'
	lkst probe --return --name 'slow_*' 'vfs_r*d'
	cat "$DYNAMIC"
	sed 's/ #.*//' "$DYNAMIC" >"$TMP/made"
	grep -x 'p:vfs_read vfs_read first=$arg1' "$TMP/made"
	grep -x 'r:slow_ea vfs_read ret=$retval' "$TMP/made"
	lkst probe --tracepoint 'sched:sched_process_f*' | grep -x 'There are events sched_process_f\* now.*'
	grep '^t:sched_process_fork sched:sched_process_fork # ' "$DYNAMIC"
	lkst probe --tracepoint 's*d:sched_wakeup' | grep -x 'There are events s\*d_sched_wakeup now.*'
	grep '^t:sched_sched_wakeup sched:sched_wakeup # ' "$DYNAMIC"
	lkst probe -d sched_sched_wakeup
	lkst probe -d 'sched_process_f*'
	lkst probe --return '*s_read'
	grep '^r:vfs_read_return vfs_read ' "$DYNAMIC"
	lkst probe -d 'vfs_*' 'slow_*'
	fails 'no event "vfs_\*" was made at run time' lkst probe -d 'vfs_*'
	fails 'no function matches' lkst probe 'no_such_*'
	lkst probe -d
	[ ! -s "$DYNAMIC" ]
}

# Each with its errno, where and why; and nothing is done.
bad_lines() {
	refused EINVAL '1 3' 'want a * in the name, for what that of "vfs_*" stands for' 'p:a vfs_*'
	refused EINVAL '1 3' 'bad name' 'p:a_*_* vfs_*'
	refused EINVAL '1 3' 'bad name "*"' 'p:* vfs_read'
	refused ENOENT '1 8' 'no function matches "no_such_*"' 'p:a_*  no_such_*'
	refused ENOSPC '1 7' 'more than 496 functions match' 'p:a_* *'
	refused ENOENT '1 7' 'no tracepoint matches "no_such:*"' 't:a_* no_such:*'
	refused EINVAL '1 3' 'want a * in the name, for what that of "sched:*" stands for' 't:a sched:*'
	refused EINVAL '1 25' 'sched:sched_switch: the tracepoint has no field "pid"' 't:a_* sched:sched_swit* pid'
	[ "$(uname -m)" != x86_64 ] || refused EINVAL '1 7' 'exc_int3+0x0' 'p:e_* exc_int[3]'
	refused EINVAL '1 29' 'vfs_read: Unknown type is specified' 'p:a_* vfs_rea[d]    x=$arg1:u65'
	refused ENOENT '2 5' 'no symbol "no_such"' 'p:a_* vfs_*' 'p:b no_such'
	refused ENOENT '1 3' 'no event "a_*" was made at run time' '-:a_*'
	made 'p:a_* vfs_re*'
	refused EEXIST '1 3' 'there is an event "a_' 'p:a_* vfs_re*'
	# In one write: what is there goes, and comes again.
	made '-:a_*' 'p:a_* vfs_re*'
	grep -q '^p:a_ad vfs_read ' "$DYNAMIC"
	maskset m 'a_ad default'
	refused EBUSY '1 3' 'maskset "m" names a_ad' '-:a_*'
}

t 'one line makes an event of every system call' system_calls
t 'the name has what the pattern stands for' names
t 'what can not be probed is left out' left_out
t 'functions of a module' in_a_module
t 'returns' returns
t 'tracepoints' of_tracepoints
t 'a tracepoint of every system call' many_tracepoints
t 'lkst probe takes patterns' tool
t 'what can not be made is refused, and nothing is done' bad_lines
finish
