#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The stories of the documentation: what stands there is done, in the order of the
# page, and leads where it says.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# page NAME: the blocks of commands of a page, as $TMP/1, $TMP/2, ...
page() {
	for dir in "$SRC/../Documentation" "$SRC/../../../../Documentation/trace/lkst"; do
		[ ! -e "$dir/$1.rst" ] || break
	done
	[ -e "$dir/$1.rst" ] || skip "no Documentation beside the tests"
	awk -v dir="$TMP" '
		/::$/ { n++; on = 1; next }
		/^\t/ && on { sub(/^\t/, ""); print >(dir "/" n); next }
		NF { on = 0 }' "$dir/$1.rst"
}

# step N [SED]: does what block N says, in this shell.
step() {
	sed "${2:-}" "$TMP/$1" >"$TMP/step"
	# shellcheck source=/dev/null
	. "$TMP/step"
}

device() {
	echo "$1" >/sys/module/lkst_test_driver/parameters/do
}

driver() {
	cat "/sys/module/lkst_test_driver/parameters/$1"
}

# events FILE: the names of the events in it, in a line; not LKST's own.
events() {
	awk '$5 !~ /^LKST_/ { printf "%s%s", n++ ? " " : "", $5 }' "$1"
}

# A timer fires after its structure was freed; the trace shows who freed it, and when.
timer() {
	[ ! -e /proc/lockdep ] ||
		skip 'the debug kernel finds this fault itself, and KASAN only the first one'
	page stories/freed-timer
	insmod "$(module lkst_test_driver)"
	step 1
	# Until then only the default events are recorded.
	[ "$(cat maskset)" = watch ]
	device open
	[ "$(cat maskset)" = detail ]
	device close
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(driver runs)" -eq 0 ] || break
		usleep 200000
	done
	step 2 >"$TMP/found"
	cat "$TMP/found"
	# shellcheck disable=SC2154 # by the page
	[ "$timer" = "$(driver address)" ]
	grep -E '^ *[0-9]+ \[' "$TMP/found" >"$TMP/lines"
	[ "$(events "$TMP/lines")" = 'MEM_CACHE_ALLOC TIMER_ADD MEM_CACHE_FREE TIMER_RUN' ]
	grep -qE 'MEM_CACHE_FREE .* caller=driver_close( |\+|$)' "$TMP/lines"
	# Behind it, on whose behalf: what this shell wrote.
	grep -qE 'LKST_STACK kernel .* driver_close\+.* param_attr_store\+' "$TMP/lines"
	[ "$(driver runs)" -eq 1 ]

	# The driver as it should be.
	put handlers/trigger/control "$(cat handlers/trigger/control)"
	put trace ''
	put maskset watch
	device open
	device shut
	usleep 1200000
	step 2 >"$TMP/found"
	grep -E '^ *[0-9]+ \[' "$TMP/found" >"$TMP/lines"
	[ "$(events "$TMP/lines")" = \
		'MEM_CACHE_ALLOC TIMER_ADD TIMER_DEL_SYNC MEM_CACHE_FREE' ]
	[ "$(driver runs)" -eq 1 ]
}

# One request of many is slow; who kept the server waiting is in the old buffer.
server() {
	need lkst
	page stories/slow-request
	n=$(scaled 10000)
	step 1 "s/^futex=.*/futex=$(($(nr futex)))/"
	step 2 >"$TMP/notice" &
	"$BIN/provoke_story" "$n" >"$TMP/told"
	cat "$TMP/told"
	wait $!
	server=$(value server "$TMP/told")
	rotate=$(value rotate "$TMP/told")
	grep -qE "^[0-9]+\.[0-9]{9} SYSCALL_EXIT cpu=0 pid=$server comm=server\$" "$TMP/notice"
	[ "$(cat buffer)" = aftermath ]
	step 4 >"$TMP/found"
	cat "$TMP/found"
	awk '{ print $1, $5, $6 }' "$TMP/found" >"$TMP/who"
	# Bit 0: two processes share it.
	lock=$(printf '0x%x' $(($(value lock "$TMP/told") | 1)))
	printf "%s address=$lock\n" "$server LK_FUTEX_WAIT" "$rotate LK_FUTEX_WAKE" |
		cmp - "$TMP/who"
	# From the wait to the wakeup: as long as the handler was to look for, and not
	# longer than the client has seen.
	awk -v seen="$(value slow "$TMP/told")" '
		NR == 1 { from = $4 + 0 }
		NR == 2 { ns = ($4 - from) * 1000000000; print ns, seen
			exit !(ns > 10000000 && ns < seen) }' "$TMP/found"
	# What it did with the lock: it slept.
	step 6 "s/92/$rotate/" >"$TMP/did"
	cat "$TMP/did"
	sed '/LK_FUTEX_WAKE/q' "$TMP/did" | grep PROCESS_CONTEXTSWITCH | tail -n 1 | grep -qE '=S( |$)'
	# One was over, of as many as the server asked for the lock and had to wait.
	[ "$(key handlers/latency/result over)" -eq 1 ]
	[ "$(grep -c "pid=$server\|^ *$server " buffers/aftermath/trace)" -ge 1 ]
}

# Each process in its own buffer: all of it, and nothing else.
buffers() {
	page stories/buffer-a-process
	mkfifo "$TMP/go_web" "$TMP/go_db"
	sh -c 'read x; exec "$0" getppid 300' "$H" <"$TMP/go_web" >/dev/null &
	web=$!
	sh -c 'read x; exec "$0" getppid 3' "$H" <"$TMP/go_db" >/dev/null &
	db=$!
	step 1
	echo >"$TMP/go_web" &
	echo >"$TMP/go_db" &
	"$H" getppid 300 >/dev/null
	wait "$web" "$db"
	refused EBUSY buffers/delete web
	step 2 >"$TMP/found"
	grep -E '^ *[0-9]+ \[' buffers/web/trace | grep -v ' LKST_' >"$TMP/web"
	grep -E '^ *[0-9]+ \[' "$TMP/found" | grep -v ' LKST_' >"$TMP/db"
	for who in "$web web 301" "$db db 4"; do
		# shellcheck disable=SC2086 # three words
		set -- $who
		awk -v p="$1" '$1 != p { print; bad++ } END { exit bad > 0 }' "$TMP/$2"
		# (The shell may make one before it becomes the helper.)
		n=$(grep -c " SYSCALL_ENTRY nr=$(($(nr getppid))) " "$TMP/$2")
		[ "$n" -ge "$3" ]
		[ "$n" -le $(($3 + 1)) ]
		[ "$(grep -cE "^ *$1 .* SYSCALL_" buffers/main/trace)" -eq 0 ]
	done
	# All others are where they were.
	[ "$(grep -c " SYSCALL_ENTRY nr=$(($(nr getppid))) " buffers/main/trace)" -ge 301 ]
	put handlers/perbuffer/control ''
}

# From the log of a slow server to who was slow, and why.
slow_server() {
	need lkst lkstla
	page analysis/slow-server
	cd "$TMP"
	step 1 "s,\./server,$BIN/provoke_story $(scaled 3000)," >"$TMP/told" 2>"$TMP/stderr"
	cat "$TMP/told"
	rotate=$(value rotate "$TMP/told")
	step 2 >"$TMP/found" 2>"$TMP/notes"
	cat "$TMP/found"
	# All of the server's waits, whose lock it was, and how long: longer than the nap of
	# him who had it, and not longer than the client has seen.
	awk -v by="rotate-$rotate" -v seen="$(value slow "$TMP/told")" '
		$1 == "futex" && !n++ { bad = $4 != 1 || $8 != by || $6 < 30 || $6 * 1e6 > seen }
		END { exit bad || !n }' "$TMP/found"
	step 4 "s/ 95 / $rotate /" >"$TMP/found" 2>"$TMP/notes"
	cat "$TMP/found"
	awk '$5 == "timer" && $4 == "timer" { sleeps++ } /clock_nanosleep$/ && $2 >= 30 { n++ }
		END { exit n != 1 }' "$TMP/found"
}

# From the log of a thread that is slow to who interrupts it.
storm() {
	need lkst lkstla
	page analysis/interrupt-storm
	cd "$TMP"
	step 1 "s,\./program,$BIN/provoke_storm 100," >"$TMP/told" 2>"$TMP/stderr"
	cat "$TMP/told"
	shootdowns=$(value shootdowns "$TMP/told")
	[ "$shootdowns" -ge 100 ]
	step 2 >"$TMP/found" 2>"$TMP/notes"
	cat "$TMP/found"
	# Of both CPUs: those of /proc/interrupts, and others of their vector.
	calls=$(awk '$1 == "ipi" && $2 ~ /:call_function_single$/ { print $3 }' "$TMP/found")
	[ "$calls" -ge "$shootdowns" ]
	step 4 >"$TMP/found" 2>"$TMP/notes"
	cat "$TMP/found"
	# (Another program may make CPU 0 do so, too.)
	awk -v n="$shootdowns" 'NR == 2 { bad = $1 != "remap" || $2 < n * 0.9 }
		END { exit bad || NR < 2 }' "$TMP/found"
}

t 'a timer that comes too late' timer
t 'one request in ten thousand that is slow' server
t 'a buffer per process' buffers
t 'a slow server, by its log' slow_server
t 'an interrupt storm, by its log' storm
finish
