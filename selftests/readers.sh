#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# trace and trace_pipe: what they show, in what order, and to whom.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

LINE='^ *[0-9]+ \[([0-9]{3}|---)\] [d.][Nn.pP][hHsSzZ.*][p.0-9] +[0-9]+\.[0-9]{9}: [A-Z][A-Z0-9_]+( [a-z0-9_]+=.*)?$'

# Of all kinds that there are, as each is printed in its own way.
some_records() {
	[ -e "$LKST/masksets/all" ] || all_but_locks all
	put maskset all
	"$H" pingpong 20 0 0 >/dev/null
	"$H" syscalls >/dev/null
	stop
}

# bodies FILE: the records of a text trace.
bodies() {
	grep -v '^#' "$1"
}

# of_cpus FILE: the same without names of tasks, which no CPU counts.
of_cpus() {
	bodies "$1" | grep -v '\[---\]'
}

trace_twice() {
	some_records
	cat "$LKST/trace" >"$TMP/1"
	cat "$LKST/trace" >"$TMP/2"
	cmp "$TMP/1" "$TMP/2"
	[ "$(of_cpus "$TMP/1" | wc -l)" -eq "$(key status unread)" ]
	[ "$(key status unread)" -gt 100 ]
}

trace_lines() {
	some_records
	cat "$LKST/trace" >"$TMP/1"
	[ "$(bodies "$TMP/1" | wc -l)" -gt 100 ]
	if bodies "$TMP/1" | grep -vE "$LINE" | head; then
		if bodies "$TMP/1" | grep -vqE "$LINE"; then
			return 1
		fi
	fi
}

# However it is cut, it is the same text.
trace_pieces() {
	put clock mono
	some_records
	cat "$LKST/trace" >"$TMP/1"
	dd if="$LKST/trace" of="$TMP/2" bs=97 2>/dev/null
	cmp "$TMP/1" "$TMP/2"
	dd if="$LKST/trace" of="$TMP/3" bs=1M 2>/dev/null
	cmp "$TMP/1" "$TMP/3"
}

# in_order FILE: the lines of a text trace are in the order of time.
in_order() {
	sed 's/^[^]]*\] *[^ ]* *\([0-9.]*\):.*/\1/' "$1" |
		awk -F. '{ ns = "x" $2 }	# not a number: it may start with 0
			$1 < s || ($1 == s && ns < last) { print NR; bad = 1; exit }
			{ s = $1; last = ns } END { exit bad }' >"$TMP/bad" || {
		read -r n <"$TMP/bad"
		[ -z "${LKST_TEST_KEEP:-}" ] || cp "$1" "$LKST_TEST_KEEP/unsorted"
		sed -n "$((n - 3)),$((n + 3))p" "$1"
		return 1
	}
}

# By time, all CPUs together.
trace_sorted() {
	all_but_locks all
	put maskset all
	"$H" load 10 >/dev/null
	stop
	bodies "$LKST/trace" >"$TMP/1"
	[ "$(wc -l <"$TMP/1")" -gt 300 ]
	in_order "$TMP/1"
	[ "$(of_cpus "$TMP/1" | sed 's/.*\[\(...\)\].*/\1/' | sort -u | wc -l)" -eq \
		"$(cpus | wc -l)" ]
}

# What the text says is what the records say. (With a clock in ns the numbers
# are the same.)
trace_agrees() {
	put clock mono
	some_records
	bodies "$LKST/trace" | sed -e 's/^ *\([0-9]*\) \[\(0*\|--\)\([0-9]\+\|-\)\] *[^ ]* *\([0-9]*\)\.\([0-9]*\): \([A-Z0-9_]*\).*/\3 \4\5 \1 \6/' \
		>"$TMP/text"
	dump
	awk '!/^#/ { print $1, $2, $3, $5 }' "$TMP/dump" | sort >"$TMP/raw.s"
	sort "$TMP/text" >"$TMP/text.s"
	[ "$(wc -l <"$TMP/raw.s")" -gt 100 ]
	cmp "$TMP/raw.s" "$TMP/text.s"
}

# The arguments, as they are printed.
trace_arguments() {
	maskset some ':process default' ':syscall default'
	put maskset some
	pid=$("$H" syscalls)
	stop
	cat "$LKST/trace" >"$TMP/text"
	grep -E "^ *$pid .*SYSCALL_ENTRY .*=0x1234 [a-z0-9]*=0x5678" "$TMP/text"
	grep -E "^ *$pid .*SYSCALL_EXIT .*ret=-9( |\$)" "$TMP/text"
	grep -E "^ *$pid .*SYSCALL_EXIT .*ret=-38( |\$)" "$TMP/text"
	grep -E "^ *$pid .*LKST_PROCESS task=0x[0-9a-f]{16} tid=$pid/$pid comm=lkst_helper\$" "$TMP/text"
	grep -E "^ *$pid .*PROCESS_EXIT task=0x[0-9a-f]{16} code=0x0\$" "$TMP/text"
	grep -E "PROCESS_FORK task=0x[0-9a-f]{16} pid=$pid tgid=$pid\$" "$TMP/text"
	grep -E 'PROCESS_CONTEXTSWITCH prev=0x[0-9a-f]{16} next=0x[0-9a-f]{16} prev_state=[RSDTtXZPI]' "$TMP/text"
	put maskset some
	put marker 'a rather long text that needs more than one of the words'
	stop
	grep -qF 'a rather long text that needs more than one of the words' "$LKST/trace"
}

per_cpu_trace() {
	need_cpus 2
	quiet
	"$H" markers 0 1 5
	"$H" markers 1 6 5
	stop
	for c in 0 1; do
		bodies "$LKST/per_cpu/cpu$c/trace" | grep 'LKST_MARKER' >"$TMP/$c"
		[ "$(wc -l <"$TMP/$c")" -eq 5 ]
		[ "$(grep -c "\[00$c\]" "$TMP/$c")" -eq 5 ]
	done
	bodies "$LKST/per_cpu/cpu1/trace_pipe" | grep -c LKST_MARKER | grep -qx 5
	bodies "$LKST/per_cpu/cpu0/trace_pipe" | grep -c LKST_MARKER | grep -qx 5
	[ "$(key per_cpu/cpu0/stats unread)" -eq 0 ]
	[ "$(key per_cpu/cpu1/stats unread)" -eq 0 ]
}

pipe_consumes() {
	put clock mono
	some_records
	unread=$(key status unread)
	bodies "$LKST/trace" >"$TMP/1"
	bodies "$LKST/trace_pipe" >"$TMP/2"
	[ "$(of_cpus "$TMP/2" | wc -l)" -eq "$unread" ]
	cmp "$TMP/1" "$TMP/2"
	[ "$(key status unread)" -eq 0 ]
	# Nothing comes twice, here or there.
	[ "$("$H" rd -d "$LKST/trace_pipe")" = EAGAIN ]
	[ -z "$(bodies "$LKST/trace" || :)" ]
	[ "$("$H" rd "$LKST/per_cpu/cpu0/trace_raw")" = 0 ]
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

pipe_waits() {
	quiet
	cat "$LKST/trace_pipe" >"$TMP/pipe" &
	job=$!
	sleep 1
	kill -0 "$job"
	put marker here-I-am
	wait_for 2 grep -q here-I-am "$TMP/pipe"
	kill -0 "$job"
	put marker once-more
	wait_for 2 grep -q once-more "$TMP/pipe"
	# The end, once tracing has stopped and all is read.
	put marker the-last
	stop
	wait_for 2 gone "$job"
	wait "$job"
	grep -q the-last "$TMP/pipe"
}

# The same when tracing is switched off with enable.
pipe_ends_with_enable() {
	quiet
	cat "$LKST/trace_pipe" >"$TMP/pipe" &
	job=$!
	put marker the-last
	usleep 300000
	kill -0 "$job"
	put enable 0
	wait_for 2 gone "$job"
	wait "$job"
	grep -q the-last "$TMP/pipe"
}

# Who waits for records of a buffer does not keep it from being deleted.
raw_ends_with_buffer() {
	put buffers/create 'aside 256K'
	maskset some 'PROCESS_EXIT default'
	put maskset some
	cat "$LKST/buffers/aside/cpu0/trace_raw" >"$TMP/raw" &
	reader=$!
	usleep 300000
	kill -0 "$reader"
	put buffers/delete aside
	[ ! -e "$LKST/buffers/aside" ]
	wait "$reader"
	[ ! -s "$TMP/raw" ]
}

pipe_nonblock() {
	quiet
	[ "$("$H" rd -d "$LKST/trace_pipe")" = EAGAIN ]
	put marker x
	[ "$("$H" rd "$LKST/trace_pipe")" -gt 20 ]
	[ "$("$H" rd -d "$LKST/trace_pipe")" = EAGAIN ]
	stop
	"$H" rd "$LKST/trace_pipe" >/dev/null
	[ "$("$H" rd -d "$LKST/trace_pipe")" = EAGAIN ]
}

# Started before there is anything to read, as in tracefs.
pipe_waits_for_start() {
	stop
	cat "$LKST/trace_pipe" >"$TMP/pipe" &
	job=$!
	sleep 1
	kill -0 "$job"
	[ ! -s "$TMP/pipe" ]
	quiet
	put marker at-last
	wait_for 2 grep -q at-last "$TMP/pipe"
	stop
	wait_for 2 gone "$job"
	wait "$job"
}

# Two that write long lines at once: each line is whole, wherever it is read.
marks_are_whole() {
	quiet
	for who in a b; do
		i=0
		while [ $i -lt 40 ]; do
			printf "$who%03d-%0600d-end\\n" $i 0 >"$LKST/marker"
			i=$((i + 1))
		done &
	done
	wait
	stop
	bodies "$LKST/trace" | grep LKST_MARKER >"$TMP/marks"
	[ "$(wc -l <"$TMP/marks")" -eq 80 ]
	[ "$(grep -cE ' text=[ab][0-9]{3}-0{600}-end$' "$TMP/marks")" -eq 80 ]
	[ "$(grep -o 'text=[ab]...' "$TMP/marks" | sort -u | wc -l)" -eq 80 ]
	bodies "$LKST/trace_pipe" | grep LKST_MARKER | cmp - "$TMP/marks"
}

# A reader that waits can be ended.
pipe_killed() {
	quiet
	for f in trace_pipe per_cpu/cpu0/trace_pipe per_cpu/cpu0/trace_raw; do
		cat "$LKST/$f" >/dev/null &
		job=$!
		usleep 200000
		kill -0 "$job"
		kill "$job"
		wait_for 2 gone "$job"
		wait "$job" || [ $? -eq 143 ]
	done
}

pipe_poll() {
	quiet
	# The shell's next process is enough.
	"$H" poll "$LKST/trace_pipe" 5000 >"$TMP/poll" &
	sleep 1
	wait
	grep ' in$' "$TMP/poll"
	[ "$(cut -d' ' -f1 "$TMP/poll")" -le 2500 ]
}

# marks FILE: the numbers of the markers "m N" in a text trace.
marks() {
	sed -n 's/.*LKST_MARKER.*[^a-z]m \([0-9][0-9]*\).*/\1/p' "$1"
}

# both_have N: the two readers have so many markers, in $TMP/all.
both_have() {
	{
		marks "$TMP/1"
		marks "$TMP/2"
	} | sort -n >"$TMP/all"
	[ "$(wc -l <"$TMP/all")" -ge "$1" ]
}

# Two readers: each record goes to exactly one of them.
pipe_two() {
	need_cpus 2
	quiet
	n=$(scaled 2000)
	cat "$LKST/trace_pipe" >"$TMP/1" &
	a=$!
	cat "$LKST/trace_pipe" >"$TMP/2" &
	b=$!
	"$H" markers 0 1 "$n" &
	c=$!
	"$H" markers 1 $((n + 1)) "$n"
	wait "$c"
	stop
	until both_have $((n * 2)); do
		usleep 100000
	done
	# One that got nothing waits for recording to start.
	[ -s "$TMP/1" ] || kill "$a"
	[ -s "$TMP/2" ] || kill "$b"
	wait "$a" "$b" || :
	identity main
	nothing_overwritten
	[ -z "$(uniq -d "$TMP/all")" ]
	seq 1 $((n * 2)) | cmp - "$TMP/all"
	if grep -vE "$LINE" "$TMP/1" "$TMP/2" | grep -vE '^[^:]*:#'; then
		return 1
	fi
}

# The same with the records themselves.
raw_two() {
	quiet
	n=$(scaled 4000)
	"$H" markers 0 1 "$n" &
	w=$!
	for r in 1 2; do
		while kill -0 "$w" 2>/dev/null; do
			"$H" dump 0
		done >"$TMP/$r" &
	done
	wait
	stop
	"$H" dump 0 >"$TMP/3"
	awk '$5 == "LKST_MARKER" && $7 == "m" { print $8 }' "$TMP/1" "$TMP/2" "$TMP/3" |
		sort -n >"$TMP/all"
	[ -z "$(uniq -d "$TMP/all")" ]
	seq 1 "$n" | cmp - "$TMP/all"
}

# A reader in a loop while everything is being recorded: a marker is read once,
# or the counters tell that so many are missing.
while_writing() {
	put maskset RALL
	"$H" load 1500 >/dev/null &
	w=$!
	while kill -0 "$w" 2>/dev/null; do
		"$H" dump | grep -vc '^[#-]' >>"$TMP/count" || :
	done
	wait "$w"
	stop
	"$H" dump | grep -vc '^[#-]' >>"$TMP/count" || :
	identity main
	[ "$(key status unread)" -eq 0 ]
	awk '{ s += $1 } END { print s }' "$TMP/count" >"$TMP/sum"
	[ "$(cat "$TMP/sum")" -eq "$(sum main read)" ]
	[ "$(sum main written)" -eq $(($(sum main read) + $(sum main overwritten))) ]
}

# trace while records come: whole lines in the order of time.
trace_writing() {
	put buffers/create 'small 64K'
	put buffer small
	put maskset RALL
	"$H" load 1500 >/dev/null &
	w=$!
	n=0
	while kill -0 "$w" 2>/dev/null; do
		# Who is overtaken in all that there is has none to show.
		bodies "$LKST/trace" >"$TMP/text" || continue
		if grep -vE "$LINE" "$TMP/text"; then
			return 1
		fi
		in_order "$TMP/text"
		n=$((n + 1))
	done
	wait "$w"
	[ "$n" -gt 0 ]
}

# took FILE COMMAND...: its output to the file; hundredths of a second that it ran.
took() {
	out=$1
	shift
	read -r began _ </proc/uptime
	"$@" >"$out"
	read -r ended _ </proc/uptime
	awk -v a="$began" -v b="$ended" 'BEGIN { printf "%.0f\n", (b - a) * 100 }'
}

# marks_taken N: hundredths of a second that it takes to print so many marks.
marks_taken() {
	put maskset quiet
	"$H" markers 0 1 "$1"
	stop
	took "$TMP/pipe" cat "$LKST/trace_pipe"
	[ "$(grep -c LKST_MARKER "$TMP/pipe")" -eq "$1" ]
}

# What has no records costs a line nothing: 8 buffers, on each CPU 128 blocks of them.
pipe_idle_buffers() {
	n=$(scaled 5000)
	quiet
	alone=$(marks_taken "$n")
	for name in a b c d e f g h; do
		put buffers/create "idle-$name 8M"
	done
	beside=$(marks_taken "$n")
	echo "alone $alone, beside them $beside"
	[ "$beside" -le $((2 * alone + 20)) ]
}

# soon COMMAND...: it takes less than three seconds.
soon() {
	hundredths=$(took "$TMP/soon" "$@")
	echo "$*: $hundredths"
	[ "$hundredths" -lt 300 ]
}

# stalled FILE: a reader of the file that waits for a page of its own memory, for ten
# seconds if nobody thaws it.
stalled() {
	[ -b /dev/ram0 ] || lack "no /dev/ram0"
	"$BIN/provoke_fs" mkfs /dev/ram0
	mkdir "$TMP/mnt"
	mount -t ext4 /dev/ram0 "$TMP/mnt" || lack "no ext4"
	"$H" stall "$1" "$TMP/mnt/page" >"$TMP/stalled" &
	reader=$!
	wait_for 5 grep -q frozen "$TMP/stalled"
	(
		sleep 10
		"$H" thaw "$TMP/mnt" 2>/dev/null || :
	) &
	usleep 300000
}

# Ends that, and its reader has its bytes.
thawed() {
	"$H" thaw "$TMP/mnt"
	wait "$reader"
	umount "$TMP/mnt"
	[ "$(sed -n 2p "$TMP/stalled")" -gt 100 ]
}

# Whose page faults slowly holds up nobody, not even who deletes the buffer.
raw_stalled() {
	need_cpus 2
	put buffers/create 'aside 256K'
	maskset some 'PROCESS_EXIT default'
	quiet
	put buffer aside
	"$H" markers 0 1 10
	put buffer main
	"$H" markers 0 11 10
	stalled "$LKST/buffers/aside/cpu0/trace_raw"
	soon put maskset some
	soon cat "$LKST/status"
	soon put buffers/delete aside
	soon put maskset quiet
	soon put buffers/create 'aside 256K'
	thawed
	put buffers/delete aside
}

# Nor who reads another CPU, or the same one.
pipe_stalled() {
	need_cpus 2
	quiet
	"$H" markers 0 1 10
	"$H" markers 1 11 10
	stalled "$LKST/per_cpu/cpu0/trace_pipe"
	soon "$H" rd "$LKST/per_cpu/cpu1/trace_raw"
	[ "$(cat "$TMP/soon")" -gt 100 ]
	"$H" markers 0 21 10
	soon "$H" rd "$LKST/per_cpu/cpu0/trace_raw"
	[ "$(cat "$TMP/soon")" -gt 100 ]
	soon cat "$LKST/per_cpu/cpu0/stats"
	soon put buffers/main/size 2M
	soon put trace ''
	stop
	thawed
}

# Records of two CPUs, as they come.
pipe_sorted() {
	need_cpus 2
	quiet
	n=$(scaled 3000)
	cat "$LKST/trace_pipe" >"$TMP/pipe" &
	reader=$!
	"$H" markers 0 1 "$n" &
	"$H" markers 1 1 "$n"
	wait $!
	stop
	wait "$reader"
	bodies "$TMP/pipe" >"$TMP/1"
	[ "$(grep -c LKST_MARKER "$TMP/1")" -eq $((2 * n)) ]
	in_order "$TMP/1"
}

# A record whose writer is interrupted is seen late, and is not left behind by younger ones.
pipe_sorted_stalls() {
	need_cpus 2
	[ "$(uname -m)" = x86_64 ] || skip "x86 only: the module's interrupts"
	ko=$(module lkst_test_irq)
	maskset stalls 'PROCESS_LTHREADGEN default' 'INT_TASKLETHI_ENTRY default'
	put maskset stalls
	cat "$LKST/trace_pipe" >"$TMP/pipe" &
	reader=$!
	"$BIN/provoke_irq" on 0 insmod "$ko" what=stall n=50 cpu=1 &
	while kill -0 $! 2>/dev/null; do
		"$H" markers 0 1 100
	done
	wait $!
	stop
	wait "$reader"
	rmmod lkst_test_irq
	bodies "$TMP/pipe" >"$TMP/1"
	[ "$(grep -c INT_TASKLETHI_ENTRY "$TMP/1")" -ge 1000 ]
	[ "$(grep -c LKST_MARKER "$TMP/1")" -ge 100 ]
	in_order "$TMP/1"
}

t 'trace gives the same twice' trace_twice
t 'trace has lines of one form' trace_lines
t 'trace is the same however it is cut' trace_pieces
t 'trace is sorted by time' trace_sorted
t 'trace says what the records say' trace_agrees
t 'trace prints arguments by their type' trace_arguments
t 'per_cpu trace and trace_pipe show one CPU' per_cpu_trace
t 'trace_pipe takes out what it shows' pipe_consumes
t 'trace_pipe waits for records and ends with tracing' pipe_waits
t 'trace_pipe waits for recording to start' pipe_waits_for_start
t 'a long mark is one line' marks_are_whole
t 'trace_pipe ends when enable becomes 0' pipe_ends_with_enable
t 'a buffer is deleted while its reader waits' raw_ends_with_buffer
t 'trace_pipe with O_NONBLOCK' pipe_nonblock
t 'a waiting reader can be killed' pipe_killed
t 'poll wakes up when records come' pipe_poll
t 'a reader of trace_raw whose memory is slow' raw_stalled
t 'a reader of trace_pipe whose memory is slow' pipe_stalled
t 'trace_pipe is sorted by time' pipe_sorted
t 'trace_pipe is sorted by time where writers stall' pipe_sorted_stalls
t 'trace_pipe is as fast beside buffers that are empty' pipe_idle_buffers
t 'two readers of trace_pipe: each record once' pipe_two
t 'two readers of trace_raw: each record once' raw_two
t 'reading while writing: read or counted' while_writing
t 'trace while writing: whole lines in order' trace_writing
finish
