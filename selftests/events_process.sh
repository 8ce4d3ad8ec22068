#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Wait queues, run queues, priorities, moves between CPUs, signals that are taken.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

P=$BIN/provoke_process

# on EVENT...: these are recorded from here, into a buffer that nothing falls out of.
on() {
	put buffers/main/size 8M
	put masksets/create on
	for event; do
		put masksets/on "$event default"
	done
	put maskset on
}

collect() {
	taken
	sort -n -k2 "$TMP/dump" >"$TMP/sorted"
}

# records PID PATTERN: those of a thread, without what stands before the event.
records() {
	awk -v p="$1" -v e="$2" '$3 == p && $5 ~ e' "$TMP/sorted" | cut -d' ' -f5-
}

# about PID PATTERN: those that tell of a thread, whoever's they are. (The memory of one
# that ended is used again.)
about() {
	awk -v p="$1" -v e="$2" '$5 == "LKST_PROCESS" { split($7, id, "/"); pid[$6] = id[1]; next }
		pid[$6] == p && $5 ~ e' "$TMP/sorted" | cut -d' ' -f5-
}

# within ADDRESS START: it is in the function that starts there, or near by.
within() {
	[ $(($1 - $2)) -gt 0 ] && [ $(($1 - $2)) -lt 1024 ]
}

# Each function that adds and removes, in a module that says what it did.
wait_queue() {
	ko=$(module lkst_test_process)
	on 'PROCESS_*_WQ*'
	insmod "$ko"
	collect
	p=/sys/module/lkst_test_process/parameters
	read -r at <"$p/init_at"
	grep . "$p/log" >"$TMP/want"
	rmmod lkst_test_process
	queue=$(sed -n 's/^init //p' "$TMP/want")
	# Of that queue, and of its entries where the waker took them off.
	awk -v q="$queue" 'NR == FNR { if ($1 == "add") mine[$3] = 1; next }
		$5 == "PROCESS_INIT_WQH" && $6 == q { print "init", $6 }
		$5 == "PROCESS_ADD_WQ" && ($6 == q || $7 in mine) { print "add", $6, $7, $8 }
		$5 == "PROCESS_REM_WQ" && ($6 == q || $7 in mine) { print "rem", $6, $7 }' \
		"$TMP/want" "$TMP/sorted" >"$TMP/have"
	[ "$(grep -c ^add "$TMP/want")" -eq 11 ]
	diff "$TMP/want" "$TMP/have"
	# Who initialises it is that function of the module.
	caller=$(awk -v q="$queue" '$5 == "PROCESS_INIT_WQH" && $6 == q { print $7 }' "$TMP/dump")
	within "$caller" "$at"
}

# The queues of a pipe: who made them, who waits, who takes him off.
wait_queue_of_pipe() {
	on 'PROCESS_*_WQ*'
	"$P" pipe "$(last_cpu)" >"$TMP/pids"
	collect
	read -r me child <"$TMP/pids"
	start=$(awk '$3 == "alloc_pipe_info" { print "0x" $1; exit }' /proc/kallsyms)
	records "$me" INIT_WQH | while read -r _ queue caller; do
		! within "$caller" "$start" || echo "$queue"
	done >"$TMP/queues"
	[ "$(wc -l <"$TMP/queues")" -eq 2 ]
	# The one for readers was the first: polled, then read, exclusively.
	read -r queue <"$TMP/queues"
	records "$me" "_WQ$" | awk -v q="$queue" '$2 "" == q' >"$TMP/mine"
	polled=$(awk 'NR == 1 { print $3 }' "$TMP/mine")
	read=$(awk 'NR == 3 { print $3 }' "$TMP/mine")
	# The child took it off; woken up, it goes on the queue before it looks again.
	cat >"$TMP/want" <<-END
		PROCESS_ADD_WQ $queue $polled 0x0
		PROCESS_REM_WQ $queue $polled
		PROCESS_ADD_WQ $queue $read 0x1
		PROCESS_ADD_WQ $queue $read 0x1
		PROCESS_REM_WQ $queue $read
	END
	diff "$TMP/want" "$TMP/mine"
	[ "$(records "$child" REM_WQ | grep -c " 0x0 $read\$")" -eq 1 ]
}

priority() {
	on PROCESS_PRIORITY
	"$P" priority >"$TMP/said"
	collect
	pid=$(head -n 1 "$TMP/said")
	sed 1d "$TMP/said" | while read -r old new policy; do
		echo "PROCESS_PRIORITY $(task "$pid") $(hex "$old") $(hex "$new") $(hex "$policy")"
	done >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 9 ]
	records "$pid" PRIORITY >"$TMP/have"
	diff "$TMP/want" "$TMP/have"
}

# Who holds a lock that one of high priority wants has that priority meanwhile.
priority_lent() {
	on PROCESS_PRIORITY
	"$P" boost "$(last_cpu)" >"$TMP/said"
	collect
	read -r pid before during after <"$TMP/said"
	[ "$before" -eq 120 ]
	[ "$during" -eq 69 ]
	[ "$after" -eq 120 ]
	addr=$(task "$pid")
	about "$pid" PRIORITY >"$TMP/have"
	cat >"$TMP/want" <<-END
		PROCESS_PRIORITY $addr $(hex "$before") $(hex "$during") 0x0
		PROCESS_PRIORITY $addr $(hex "$during") $(hex "$after") 0x0
	END
	diff "$TMP/want" "$TMP/have"
}

migrate() {
	need_cpus 2
	a=$(cpus | head -n 1)
	b=$(last_cpu)
	n=$(scaled 20)
	on ':process'
	"$P" migrate "$n" "$a" "$b" >"$TMP/said"
	collect
	read -r pid child <"$TMP/said"
	addr=$(task "$pid")
	# From each CPU that it found itself on to the next one: off one run queue and
	# on the other.
	sed 1d "$TMP/said" | awk -v t="$addr" 'NR > 1 {
		printf "PROCESS_DEQUEUE %s 0x%x\n", t, last
		printf "PROCESS_MIGRATE %s 0x%x 0x%x\n", t, last, $1
		printf "PROCESS_ENQUEUE %s 0x%x\n", t, $1 }
		{ last = $1 }' >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq $((6 * n)) ]
	# It sleeps at times: of run queues, only what is about a move.
	about "$pid" 'MIGRATE|QUEUE' | awk '{ l[++n] = $0 }
		END { for (i = 2; i < n; i++) if (l[i] ~ /MIGRATE/) {
			sub(/ [^ ]*$/, "", l[i - 1]); sub(/ [^ ]*$/, "", l[i + 1])
			print l[i - 1]; print l[i]; print l[i + 1] } }' |
		tail -n $((6 * n)) >"$TMP/have"
	diff "$TMP/want" "$TMP/have"
	# Moved in its sleep: to the CPU it woke up on, by who woke it or moved it.
	addr=$(task "$child")
	records "$pid" MIGRATE | grep -x "PROCESS_MIGRATE $addr $(hex "$a") $(hex "$b")"
	[ "$(about "$child" MIGRATE | wc -l)" -eq 1 ]
}

wakeup_new() {
	on PROCESS_WAKEUP_NEW PROCESS_FORK
	# shellcheck disable=SC2046
	"$P" wakenew $(cpus) >"$TMP/said"
	collect
	[ "$(wc -l <"$TMP/said")" -eq $((2 * $(cpus | wc -l))) ]
	while read -r parent new cpu; do
		addr=$(task "$new")
		records "$parent" WAKEUP_NEW | grep -x "PROCESS_WAKEUP_NEW $addr $(hex "$cpu")"
	done <"$TMP/said"
	pid=$(cut -d' ' -f1 "$TMP/said" | head -n 1)
	[ "$(records "$pid" WAKEUP_NEW | wc -l)" -eq "$(wc -l <"$TMP/said")" ]
}

# Put on another CPU than its parent's, it comes to run there, if it is not moved.
wakeup_new_elsewhere() {
	need_cpus 2
	on PROCESS_WAKEUP_NEW PROCESS_MIGRATE PROCESS_CONTEXTSWITCH
	pid=$("$P" forks "$(scaled 40)")
	collect
	awk -v p="$pid" '$5 == "PROCESS_WAKEUP_NEW" && $3 == p {
			cpu[$6] = $7; n++; if ($7 != sprintf("0x%x", $1)) other++ }
		$5 == "PROCESS_MIGRATE" && ($6 in cpu) { if (cpu[$6] != $7) bad++; cpu[$6] = $8 }
		$5 == "PROCESS_CONTEXTSWITCH" && ($7 in cpu) {
			if (cpu[$7] != sprintf("0x%x", $1)) { print "runs elsewhere: " $0; bad++ }
			delete cpu[$7] }
		END { print n + 0, "new,", other + 0, "on another CPU"
			exit bad || n < 10 || !other }' "$TMP/sorted"
}

signals_taken() {
	on 'PROCESS_SIG*'
	"$P" deliver >"$TMP/said"
	collect
	pid=$(head -n 1 "$TMP/said")
	sed '1d; s/^/PROCESS_SIGDELIVER /' "$TMP/said" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 5 ]
	records "$pid" SIGDELIVER >"$TMP/have"
	diff "$TMP/want" "$TMP/have"
	# The last one was sent, and had without being delivered.
	[ "$(records "$pid" SIGSEND | grep -c " $(task "$pid") 0xa ")" -eq 3 ]
}

# What ends a process without a core is taken by each thread as SIGKILL; the exit code
# has its number. Else one of them takes it as what it is.
signals_fatal() {
	on 'PROCESS_SIG*' PROCESS_EXIT
	"$P" fatal 15 >"$TMP/term"
	"$P" fatal 3 >"$TMP/quit"
	collect
	read -r pid other <"$TMP/term"
	[ "$(records "$pid" SIGDELIVER)" = 'PROCESS_SIGDELIVER 0x9 0x0 0x0 0x0' ]
	[ "$(records "$other" SIGDELIVER)" = 'PROCESS_SIGDELIVER 0x9 0x0 0x0 0x0' ]
	[ "$(records "$other" EXIT)" = "PROCESS_EXIT $(task "$other") 0xf" ]
	read -r pid other <"$TMP/quit"
	[ "$(records "$pid" SIGDELIVER)" = 'PROCESS_SIGDELIVER 0x3 0xfffffffffffffffa 0x0 0x0' ]
	[ "$(records "$other" SIGDELIVER)" = 'PROCESS_SIGDELIVER 0x9 0x0 0x0 0x0' ]
	[ "$(records "$other" EXIT | cut -d' ' -f3)" = "$(records "$pid" EXIT | cut -d' ' -f3)" ]
}

# To a traced process it comes, if the tracer wants.
signal_ignored() {
	on PROCESS_SIGDELIVER
	"$P" traced >"$TMP/said"
	collect
	read -r pid <"$TMP/said"
	# glibc's signal() sets SA_RESTART, and SA_RESTORER always, where there is one.
	flags=0x14000000
	[ "$(uname -m)" = x86_64 ] || flags=0x10000000
	[ "$(records "$pid" SIGDELIVER)" = "PROCESS_SIGDELIVER 0xc 0x0 0x1 $flags" ]
}

# Who is on a run queue is taken off before he is put on again, only who is on one
# runs, and there only, and its length goes by one up and down.
run_queues() {
	first=$(cpus | head -n 1)
	on PROCESS_ENQUEUE PROCESS_DEQUEUE PROCESS_CONTEXTSWITCH PROCESS_MIGRATE PROCESS_FORK
	"$P" hogs 2 "$(last_cpu)" "$(scaled 60)" >"$TMP/said" &
	"$H" load "$(scaled 200)" >/dev/null
	"$H" pingpong "$(scaled 200)" "$first" "$(last_cpu)" >/dev/null
	"$P" asleep "$(scaled 20)" "$first" "$(last_cpu)" >>"$TMP/said"
	wait $!
	collect
	awk 'function number(hex,  i, n) {
			for (i = 3; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n + 0 }
		function is_on(t) { return (t in on) && on[t] != "off" }
		$5 == "PROCESS_FORK" { delete on[$6] }
		$5 == "LKST_PROCESS" && $7 == "0/0" { idle[$6] = 1 }
		$5 == "PROCESS_MIGRATE" && is_on($6) { print "moved while on a queue: " $0; bad++ }
		$5 == "PROCESS_CONTEXTSWITCH" {
			if ($8 != "0x0" && is_on($6)) {
				print "sleeps, but is on " on[$6] ": " $0; bad++ }
			if (($7 in on) && !($7 in idle)) {
				if (on[$7] != sprintf("0x%x", $1)) {
					print "runs, but is on " on[$7] ": " $0; bad++ }
				ran++ } }
		$5 == "PROCESS_ENQUEUE" {
			if (is_on($6)) { print "twice on: " $0; bad++ }
			on[$6] = $7
			if (($7 in len) && number($8) != len[$7] + 1) {
				print "not " len[$7] " and one: " $0; bad++ }
			len[$7] = number($8); n++ }
		$5 == "PROCESS_DEQUEUE" {
			if (($6 in on) && on[$6] != $7) { print "not from " on[$6] ": " $0; bad++ }
			on[$6] = "off"
			if (($7 in len) && number($8) != len[$7] - 1) {
				print "not " len[$7] " less one: " $0; bad++ }
			len[$7] = number($8); n++ }
		END { print n + 0, "moves", ran + 0, "runs"; exit bad > 0 || n < 100 || ran < 100 }' \
		"$TMP/sorted" >"$TMP/queues" || {
		tail -n 1 "$TMP/queues"
		head -n 5 "$TMP/queues"
		return 1
	}
	cp "$TMP/queues" "$TMP/say"
}

# With three that never sleep, whoever comes is at least the fourth: one more than
# those who came before and did not go. Who was there before the recording began has
# long gone.
run_queue_length() {
	cpu=$(last_cpu)
	on PROCESS_ENQUEUE PROCESS_DEQUEUE
	"$P" hogs 3 "$cpu" 40 >"$TMP/said"
	collect
	read -r pid <"$TMP/said"
	awk -v pid="$pid" -v cpu="$(hex "$cpu")" '
		$5 == "LKST_PROCESS" { split($7, id, "/"); is[$6] = id[1]; next }
		$5 == "PROCESS_ENQUEUE" { on[$6] = $7 }
		$5 == "PROCESS_DEQUEUE" { delete on[$6] }
		$5 !~ /^PROCESS_(EN|DE)QUEUE$/ || is[$6] != pid { next }
		{
			n = 0
			for (task in on)
				n += on[task] == cpu
			# Its last, as it exits: the hogs may have been killed by then.
			bad += few
			least = $5 == "PROCESS_ENQUEUE" ? 4 : 3
			few = n < least
			wrong = $7 != cpu || sprintf("0x%x", n) != $8
			bad += wrong
			if (few || wrong)
				print n, "are on it: " $0
			all[$5]++
		}
		END {
			print all["PROCESS_ENQUEUE"] + 0, "on,", all["PROCESS_DEQUEUE"] + 0, "off"
			# It need not have left each time that it wanted to sleep.
			exit bad || all["PROCESS_ENQUEUE"] < 20 || all["PROCESS_DEQUEUE"] < 20
		}' "$TMP/sorted" >"$TMP/lengths" || {
		tail -n 5 "$TMP/lengths"
		return 1
	}
}

t 'wait queues: each way on and off' wait_queue
t 'the wait queues of a pipe' wait_queue_of_pipe
t 'priorities as /proc has them' priority
t 'a priority that is lent' priority_lent
t 'moves to another CPU' migrate
t 'where a new task becomes runnable' wakeup_new
t 'where a new task runs' wakeup_new_elsewhere
t 'signals that are taken' signals_taken
t 'signals that end a process' signals_fatal
t 'a signal that is ignored' signal_ignored
t 'on and off the run queues' run_queues
t 'how long a run queue is' run_queue_length
finish
