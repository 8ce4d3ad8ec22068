#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lkst record -a: a log that is recorded for an analysis lacks nothing that this asks for, and
# gives it right answers.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

need lkst lkstla

# recorded ANALYSIS COMMAND...: and what lkstla has to say of it, as CSV, is in $TMP/csv.
# Nothing is missing, neither an event nor a record, also of what did not happen.
recorded() {
	analysis=$1
	shift
	lkst record -a "$analysis" -s 16M -o "$TMP/log" -- "$@" >"$TMP/printed" 2>"$TMP/stderr"
	cat "$TMP/stderr"
	[ "$(wc -l <"$TMP/stderr")" -eq 1 ]
	look "$analysis"
}

# look ANALYSIS [OPTION...]
look() {
	lkstla "$@" --csv "$TMP/log" >"$TMP/csv" 2>"$TMP/notes"
	cat "$TMP/notes"
	! grep -E 'there is no|there are no|not in it| lost|[1-9][0-9]* missing' "$TMP/notes"
}

# table N: the Nth table of $TMP/csv, without its head.
table() {
	awk -v n="$1" 'NF == 0 { t++; head = 0; next } t == n - 1 && head++' "$TMP/csv"
}

# A program that makes 500 system calls and then sleeps for 0.3 s; $pid is the one that sleeps.
cat >"$TMP/program" <<'END'
"$1" getppid 500 >/dev/null
usleep 300000 &
echo $!
wait
END

run() {
	recorded "$1" sh "$TMP/program" "$H"
	read -r pid <"$TMP/printed"
}

states() {
	run states
	table 1 | awk -F, -v pid="$pid" '
		$1 == pid { n++; good = $7 >= 290e6 && $7 < 3e9 && $3 > 0 && $9 == 0 }
		END { exit !(n == 1 && good) }'
	# Its parts are by name: it was in system calls and in its program, and slept.
	look states --parts
	table 2 | awk -F, -v pid="$pid" '
		$1 == pid { ns[$3 "," $4] = $5 }
		END {
			exit !(ns["running,user"] > 0 && ns["running,system"] > 0 &&
			       ns["blocked,timer"] >= 290e6)
		}'
}

wait_() {
	run wait
	lkstla wait --of "$pid" --csv "$TMP/log" >"$TMP/csv" 2>"$TMP/notes"
	table 1 | awk -F, '
		$2 >= 290e6 { n++; good = $4 == "timer" && $5 ~ /^timer/ && /late/; print }
		END { exit !(n == 1 && good) }'
	# Each reason is one that it knows.
	! grep 'appear as unknown' "$TMP/notes"
}

# Who ran waited before; the queues are those that the kernel counts.
runq() {
	run runq
	table 1 | awk -F, '$1 == "all" && $2 > 10 && $4 > 0 { n++ } END { exit n != 1 }'
	table 3 | awk -F, '{ n++; good += $2 > 0 && $3 >= 1 } END { exit !(n && good == n) }'
	lkstla events --csv "$TMP/log" 2>/dev/null | grep -q '^PROCESS_ENQUEUE,'
}

latency() {
	run latency
	table 1 | awk -F, '$1 == "woken" && $2 > 5 && $4 > 0 { n++ } END { exit n != 1 }'
	# The timer of usleep is late, by its slack or more.
	look latency --of timer --worst 1000000
	table 2 | awk -F, '/,hrtimer_wakeup$/ && $3 > 0 { n++ } END { exit !n }'
	look latency --of irq
	# A CPU that idles has few ticks in that time.
	table 1 | tee "$TMP/irq"
	awk -F, '$1 == "TIMER" && $2 > 0 && $4 > 0 { n++ } END { exit n != 1 }' "$TMP/irq"
}

# All of the time, and nearly all of it by name.
cpu() {
	run cpu
	table 1 | awk -F, '

		{
			all = 0
			for (i = NF - 8; i < NF; i++)
				all += $i
			span = span ? span : all
			same += all == span
			user += $(NF - 8); system_ += $(NF - 7); running += $(NF - 3); idle += $(NF - 2)
			irq += $(NF - 5)
		}
		END {
			print user, system_, irq, running, idle
			exit !(NR && same == NR && user > 0 && system_ > 0 && irq > 0 && idle > 0 &&
			       running < user + system_)
		}'
}

# As many of each softirq and of the local timer as /proc counts, that of another CPU apart.
irq() {
	run irq
	table 1 | tee "$TMP/table"
	# A CPU that idles has few ticks in that time.
	awk -F, '
		$1 ~ /^(vector|irq)$/ && $2 ~ /local_timer|arch_timer/ && $3 > 0 { timer++ }
		$1 == "softirq" && $2 ~ /TIMER/ && $3 > 0 && $12 > 0 { late++ }
		$1 == "page_fault" && $3 > 50 { faults++ }
		END { exit !(timer == 1 && late >= 1 && faults == 1) }' "$TMP/table"
}

syscall() {
	run syscall
	table 1 | awk -F, '
		$1 == "getppid" && $2 >= 500 { calls = $2 }
		$1 == "clock_nanosleep" || $1 == "nanosleep" { slept = $11 >= 290e6 && $11 < 3e9 }
		END { exit !(calls < 510 && calls && slept) }'
}

summary() {
	run summary
	lkstla summary "$TMP/log" >"$TMP/page"
	cat "$TMP/page"
	! grep 'none was recorded' "$TMP/page" || return 1
	grep -q 'lkstla wait' "$TMP/page"
}

page() {
	lkst record -a page -s 16M -o "$TMP/log" -- sh "$TMP/program" "$H" >"$TMP/printed"
	lkstla page -o "$TMP/page.html" "$TMP/log" 2>"$TMP/notes"
	cat "$TMP/notes"
	! grep -E 'there is no [A-Z]|not in it| lost' "$TMP/notes" || return 1
	[ "$(wc -c <"$TMP/page.html")" -gt 10000 ]
}

# Why it waited is in pictures, too.
convert() {
	lkst record -a convert -s 16M -o "$TMP/log" -- sh "$TMP/program" "$H" >"$TMP/printed"
	lkstla convert --to folded "$TMP/log" >"$TMP/folded" 2>"$TMP/notes"
	cat "$TMP/notes"
	! grep -E 'there is no [A-Z]|not in it| lost' "$TMP/notes" || return 1
	grep -q . "$TMP/folded"
	for name in PROCESS_MIGRATE INT_BH_RAISE TIMER_HR_END; do
		lkstla events --csv "$TMP/log" 2>>"$TMP/notes" | grep -q "^$name," && return 0
	done
	return 1
}

# It makes something of whatever there is: RDEFAULT, and the maskset that is named.
events() {
	run events
	table 1 | awk -F, '$1 == "SYSCALL_ENTRY" && $3 > 500 { n++ } $1 == "SYSCALL_EXIT" { n += 9 }
		END { exit n != 1 }'
	maskset mine 'SYSCALL_EXIT default'
	lkst record -m mine -a events -o "$TMP/log" -- "$H" getppid 50 >"$TMP/printed"
	lkstla events --csv "$TMP/log" 2>"$TMP/notes" | grep -v '^LKST_' >"$TMP/csv"
	cat "$TMP/csv"
	[ "$(sed 1d "$TMP/csv" | cut -d, -f1)" = SYSCALL_EXIT ]
}

# chosen OPTION...: what the maskset has while it records.
chosen() {
	# shellcheck disable=SC2016 # the inner shell's
	lkst record "$@" -o "$TMP/log" -- \
		sh -c 'grep -v -e "^#" -e " nothing$" "$1/masksets/$(cat "$1/maskset")"' sh "$LKST" \
		2>"$TMP/why"
}

several() {
	chosen -a wait >"$TMP/wait"
	chosen -a irq >"$TMP/irq"
	sort -u "$TMP/wait" "$TMP/irq" >"$TMP/union"
	[ "$(wc -l <"$TMP/union")" -gt "$(wc -l <"$TMP/wait")" ]
	[ "$(wc -l <"$TMP/union")" -gt "$(wc -l <"$TMP/irq")" ]
	chosen -a wait,irq | sort | cmp - "$TMP/union"
	chosen -a irq -a wait,irq | sort | cmp - "$TMP/union"
	# Beside what a maskset has, whose handlers stay.
	insmod "$(module lkst_filter)"
	maskset mine 'MEM_BRK default' 'PROCESS_WAKEUP filter'
	{
		grep -v '^PROCESS_WAKEUP ' "$TMP/union"
		printf 'MEM_BRK default\nPROCESS_WAKEUP filter\n'
	} | sort >"$TMP/wanted"
	chosen -m mine -a wait,irq | sort | diff "$TMP/wanted" -
	# Of one process only, all that went to the default handler goes to a filter.
	chosen -m mine -a wait,irq -p $$ >"$TMP/followed"
	sed 's/ .*//' "$TMP/followed" | sort | diff - "$(sed 's/ .*//' "$TMP/wanted" >"$TMP/names"
		echo "$TMP/names")"
	[ "$(grep -c ' record-[0-9]*$' "$TMP/followed")" -eq $(($(wc -l <"$TMP/wanted") - 1)) ]
	[ "$(grep -c 'does not have' "$TMP/why")" -eq 0 ]
	for maskset in "$LKST"/masksets/record*; do
		[ ! -e "$maskset" ]
	done
}

# What a kernel does not have is told of once, and the rest is recorded.
lacking() {
	sed -e '/ WORK_QUEUE /d' -e 's/ \(RCU_CALLBACK\) \([a-z]*\) [0-9]* / \1 \2 0 /' \
		"$LKST/events" >"$TMP/events"
	mount --bind "$TMP/events" "$LKST/events"
	chosen -a wait,wait,irq >"$TMP/lines" || :
	umount "$LKST/events"
	cat "$TMP/why"
	[ "$(grep -c 'does not have.*: WORK_QUEUE, RCU_CALLBACK$' "$TMP/why")" -eq 1 ]
	grep -q '^INT_BH_RAISE default' "$TMP/lines"
	# Nor is it taken for what did not happen.
	lkstla wait "$TMP/log" 2>&1 | grep -q 'there is no .*FS_EVENTFD_WAIT.* in it'
}

# What others do to the maskset meanwhile, or a handler of theirs, may hide some of it.
meddled() {
	note='there is no .*FS_EVENTFD_WAIT.* in it'
	lkst record -a wait -o "$TMP/log" -- true
	[ "$(lkstla wait "$TMP/log" 2>&1 | grep -c "$note")" -eq 0 ]
	# shellcheck disable=SC2016 # the inner shell's
	lkst record -a wait -o "$TMP/log" -- sh -c '
		read -r name <"$1/maskset"
		echo RNOTHING >"$1/maskset"
		echo "$name" >"$1/maskset"' sh "$LKST"
	lkstla wait "$TMP/log" 2>&1 | grep "$note"
	insmod "$(module lkst_filter)"
	maskset mine 'FS_EVENTFD_WAIT filter'
	lkst record -m mine -a wait -o "$TMP/log" -- true
	lkstla wait "$TMP/log" 2>&1 | grep "$note"
	lkst record -a wait -p $$ -o "$TMP/log" -- true
	[ "$(grep -ac '^analyses:' "$TMP/log")" -eq 0 ]
	lkst record -a wait,irq -o "$TMP/log" -- true
	grep -aE '^analyses: wait irq([^ a-z]|$)' "$TMP/log"
}

# Nothing is changed before all words are known.
unknown() {
	"$H" settings >"$TMP/before"
	for words in wiat wait,wiat 'wait,' '' wait,,irq; do
		rc=0
		lkst record -a "$words" -o "$TMP/none" -- touch "$TMP/begun" 2>"$TMP/why" || rc=$?
		cat "$TMP/why"
		[ "$rc" -eq 125 ]
		grep -q 'there is no analysis ".*"; there are states, .*, syscall' "$TMP/why"
	done
	lkst record -a wiat -- true 2>&1 | grep -q '; did you mean "wait"?$'
	[ ! -e "$TMP/begun" ]
	[ ! -e "$TMP/none" ]
	"$H" settings | cmp "$TMP/before" -
}

t '-a states' states
t '-a events: of RDEFAULT, or of a maskset' events
t '-a wait' wait_
t '-a runq' runq
t '-a latency: of wakeups, timers and softirqs' latency
t '-a cpu' cpu
t '-a irq' irq
t '-a syscall' syscall
t '-a summary: nothing is missing that may have cost time' summary
t '-a page' page
t '-a convert' convert
t 'several analyses, a maskset, a process' several
t 'events that this kernel does not have' lacking
t 'what is not recorded at all times' meddled
t 'analyses that there are not' unknown
finish
