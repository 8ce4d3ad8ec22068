#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What names a task is in the trace: LKST_PROCESS of all that exist when tracing
# starts, and of those that are made or renamed after that.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# threads: "TID TGID COMM" of all from /proc; of a worker only what is its own.
threads() {
	for d in /proc/[0-9]*/task/[0-9]*; do
		{ read -r comm <"$d/comm"; } 2>/dev/null || continue
		tgid=${d#/proc/}
		tgid=${tgid%%/*}
		case $comm in
		kworker/*) comm=kworker ;;
		esac
		# A kernel thread's may be longer there.
		while [ ${#comm} -gt 15 ]; do
			comm=${comm%?}
		done
		echo "${d##*/} $tgid $comm"
	done | sort
}

names() {
	awk '$5 == "LKST_PROCESS" { split($7, id, "/"); c = $8
		for (i = 9; i <= NF; i++) c = c " " $i
		if (c ~ /^kworker\//) c = "kworker"
		print id[1], id[2], c }' "$TMP/dump" | sort -u
}

at_start() {
	"$H" threads 'one of two' 'a_name_of_15_ch' <"$TMP/hold" >/dev/null &
	usleep 300000
	threads >"$TMP/before"
	quiet
	threads >"$TMP/after"
	stop
	dump
	names >"$TMP/names"
	# Those that lived before and after, under the same name.
	sort "$TMP/before" "$TMP/after" | uniq -d >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -gt 10 ]
	grep -q ' one of two$' "$TMP/want"
	grep -q ' a_name_of_15_ch$' "$TMP/want"
	sort "$TMP/names" "$TMP/want" | uniq -d >"$TMP/got"
	diff "$TMP/want" "$TMP/got"
	# The idle tasks too, one for each CPU.
	[ "$(awk '$5 == "LKST_PROCESS" && $7 == "0/0" { print $6 }' "$TMP/dump" |
		sort -u | wc -l)" -ge "$(cpus | wc -l)" ]
	# LKST_INIT stands before, on each CPU.
	for c in $(cpus); do
		[ "$(grep -c "^$c .* LKST_INIT " "$TMP/dump")" -eq 1 ]
	done
}

at_start_pipe() {
	mkfifo "$TMP/hold"
	sleep 30 >"$TMP/hold" &
	at_start
}

# Every start tells it again, for the trace that is read later.
each_start() {
	quiet
	stop
	echo >"$LKST/trace"
	put maskset quiet
	stop
	dump
	[ "$(grep -c ' LKST_PROCESS .* 1/1 ' "$TMP/dump")" -eq 1 ]
	put maskset quiet
	put enable 0
	echo >"$LKST/trace"
	put enable 1
	stop
	dump
	[ "$(grep -c ' LKST_PROCESS .* 1/1 ' "$TMP/dump")" -eq 1 ]
}

fork_exec_rename() {
	ln -s "$H" "$TMP/lkst_kid"
	# None of the events that tell of fork and exec is recorded.
	maskset one 'PROCESS_SIGSEND default'
	put maskset one
	"$H" child "$TMP/lkst_kid" 0 >"$TMP/pids"
	pid=$("$H" rename first 'the second' a_name_of_15_ch)
	stop
	dump
	read -r parent child <"$TMP/pids"
	names >"$TMP/names"
	grep -qx "$parent $parent lkst_helper" "$TMP/names"
	grep -qx "$child $child lkst_helper" "$TMP/names"
	grep -qx "$child $child lkst_kid" "$TMP/names"
	grep -qx "$pid $pid first" "$TMP/names"
	grep -qx "$pid $pid the second" "$TMP/names"
	grep -qx "$pid $pid a_name_of_15_ch" "$TMP/names"
	# In their order, all at one address.
	grep " LKST_PROCESS .* $pid/$pid " "$TMP/dump" | sort -n -k2 |
		cut -d' ' -f8- | uniq | tail -n 3 >"$TMP/order"
	printf 'first\nthe second\na_name_of_15_ch\n' | cmp - "$TMP/order"
	[ "$(grep " LKST_PROCESS .* $pid/$pid " "$TMP/dump" | cut -d' ' -f6 | sort -u | wc -l)" -eq 1 ]
}

# crowd N: that many threads crowd0, crowd1, ... until the case ends; $pid is their process.
crowd() {
	mkfifo "$TMP/hold"
	sleep "$LIMIT" >"$TMP/hold" &
	"$H" crowd "$1" <"$TMP/hold" >"$TMP/crowd" &
	wait_for 30 test -s "$TMP/crowd"
	read -r pid <"$TMP/crowd"
}

# known N: the trace has the names of all of them.
known() {
	sed -n "s,.* LKST_PROCESS .* tid=[0-9]*/$pid comm=\(crowd[0-9]*\).*,\1,p" \
		"$LKST/trace" | sort -u >"$TMP/known"
	[ "$(wc -l <"$TMP/known")" -eq "$1" ]
}

# forks N: so many programs are run, one after the other.
forks() {
	n=$1
	while [ "$n" -gt 0 ]; do
		"$H" nr write >/dev/null
		n=$((n - 1))
	done
}

# A ring of a CPU holds fewer names than there are threads, and goes round. So does that of
# names, whatever size it has by now: those that live are named again.
more_than_a_ring() {
	crowd 800
	put buffers/create 'small 32K'
	put buffer small
	maskset full 'PROCESS_CONTEXTSWITCH default' 'SYSCALL_* default'
	put maskset full
	known 800
	forks 300
	usleep 200000
	[ "$(sum small overwritten)" -gt 10000 ]
	memory=$(key status names_memory)
	quiet
	# Of 44 bytes each.
	quarter=$((memory / 44 / 4))
	for _ in 1 2 3 4 5 6; do
		"$H" names $quarter
		usleep 200000
	done
	[ "$(key status names_overwritten)" -gt $quarter ]
	known 800
	stop
	known 800
	[ "$(key status names_memory)" -le $((2 * memory)) ]
}

# A sixteenth of large buffers, until they are gone; the names of all are there still.
shrinks() {
	put buffers/create 'large 8M'
	quiet
	stop
	memory=$(key status names_memory)
	put buffers/delete large
	crowd 100
	put maskset quiet
	known 100
	stop
	known 100
	[ "$(key status names_memory)" -lt $((memory / 2)) ]
	put maskset quiet
	known 100
}

# What a maskset does not ask for does not fill the rings of CPUs.
forks_unasked() {
	maskset idle 'POWER_SUSPEND default'
	put maskset idle
	before=$(sum main written)
	ln -s "$H" "$TMP/a_true_name"
	n=$(scaled 600)
	while [ "$n" -gt 0 ]; do
		"$TMP/a_true_name" nr write >/dev/null || :
		n=$((n - 1))
	done
	stop
	[ "$(sum main written)" -le $((before + 10)) ]
	grep -c ' LKST_PROCESS .* comm=a_true_name$' "$LKST/trace" >"$TMP/n"
	[ "$(cat "$TMP/n")" -ge 100 ]
}

# Beside its end, where that is recorded: as long as the ring has its last records.
exit_asked() {
	maskset ends 'PROCESS_EXIT default'
	put maskset ends
	sh -c 'echo $$' >"$TMP/pid"
	read -r child <"$TMP/pid"
	stop
	dump
	grep -E "^[0-9]+ .* LKST_PROCESS 0x[0-9a-f]+ $child/$child sh" "$TMP/dump"
	[ "$(count "^[0-9]+ .* LKST_PROCESS .* $child/$child ")" -eq 1 ]
	[ "$(count "^- .* LKST_PROCESS .* $child/$child ")" -ge 1 ]
}

# A start with many threads can be killed at any time; what it leaves is whole.
start_killed() {
	many=$(scaled 3000)
	crowd "$many"
	maskset idle 'POWER_SUSPEND default'
	for us in 0 500 1000 2000 4000 8000 16000; do
		sh -c "echo idle >$LKST/maskset" &
		usleep "$us"
		kill -9 $! 2>/dev/null || :
		wait $! || :
		# Others go on, whether names are still being recorded or not.
		put marker here
		read -r now <"$LKST/maskset"
		[ "$now" = idle ] || [ "$now" = RNOTHING ]
		stop
	done
	echo >"$LKST/trace"
	put maskset idle
	known "$many"
}

# The threads that live, without a trace.
names_file() {
	"$H" threads 'one of two' 'a_name_of_15_ch' <"$TMP/hold" >/dev/null &
	usleep 300000
	threads >"$TMP/before"
	sed 's,^\([0-9]* [0-9]*\) kworker/.*,\1 kworker,' "$LKST/names" | sort >"$TMP/names"
	threads >"$TMP/after"
	sort "$TMP/before" "$TMP/after" | uniq -d >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -gt 10 ]
	grep -q ' one of two$' "$TMP/want"
	sort "$TMP/names" "$TMP/want" | uniq -d >"$TMP/got"
	diff "$TMP/want" "$TMP/got"
	# In the order of their numbers, each once.
	cut -d' ' -f1 "$LKST/names" >"$TMP/numbers"
	sort -n -u "$TMP/numbers" | cmp - "$TMP/numbers"
}

names_file_pipe() {
	mkfifo "$TMP/hold"
	sleep 30 >"$TMP/hold" &
	names_file
}

# A reader in a container sees the same.
names_in_namespace() {
	need unshare
	[ -e /proc/self/ns/pid ] || skip 'no PID namespaces'
	grep '^1 1 ' "$LKST/names" >"$TMP/init"
	[ -s "$TMP/init" ]
	unshare -p -f sh -c "grep '^1 1 ' '$LKST/names'" | cmp - "$TMP/init"
}

t 'the threads that live have a file' names_file_pipe
t 'a reader in a container finds them, too' names_in_namespace
t 'all that exist when tracing starts are named' at_start_pipe
t 'every start names them' each_start
t 'more threads than a ring holds are named, and stay so' more_than_a_ring
t 'the ring gets smaller with the buffers' shrinks
t 'tasks that come and go fill no ring unasked' forks_unasked
t 'one that ends is named beside its end' exit_asked
t 'a start with many threads can be killed' start_killed
t 'fork, exec, prctl and /proc name a task' fork_exec_rename
finish
