#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The user tools against the running kernel: the result of a command line is
# looked up in the control files, and what cannot work says why and fails.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

EACH='lkst status
lkst start
lkst stop
lkst version
lkst setup
lkst list
lkstm list
lkstm read -m 0
lkstm set -m 1
lkstbuf list
lkstbuf read -f log
lkstbuf create x 64K
lksteh list'

each() {
	echo "$EACH" | while read -r line; do
		# shellcheck disable=SC2086
		case $line in
		'lkst version')
			# It tells its own version all the same, and why there is no other.
			"$@" $line >"$TMP/stdout" 2>"$TMP/stderr" </dev/null
			grep -qiE -- "^kernel: .*$WORDS" "$TMP/stdout"
			;;
		*)
			fails_with "$STATUS" "$WORDS" "$@" $line
			;;
		esac
	done
}

not_root() {
	need lkst lkstm lkstbuf lksteh
	WORDS='root.*(sudo|su)'
	STATUS=1
	chmod 777 "$TMP"
	each "$H" nobody
}

# In a mount namespace of its own, everybody else keeps debugfs.
not_mounted() {
	need lkst lkstm lkstbuf lksteh unshare
	WORDS='mount -t debugfs'
	STATUS=3
	cat >"$TMP/without" <<-'END'
		#!/bin/sh
		while umount /sys/kernel/debug 2>/dev/null; do :; done
		exec "$@"
	END
	chmod 755 "$TMP/without"
	each unshare -m "$TMP/without"
}

# A folder of debugfs where its root should be: one with no lkst in it.
no_lkst() {
	need lkst lkstm lkstbuf lksteh unshare
	WORDS='kernel.*(CONFIG_LKST|LKST)'
	STATUS=3
	cat >"$TMP/without" <<-'END'
		#!/bin/sh
		for d in /sys/kernel/debug/*/; do
			case $d in */lkst/ | */tracing/) continue ;; esac
			mount --bind "$d" /sys/kernel/debug && break
		done
		exec "$@"
	END
	chmod 755 "$TMP/without"
	unshare -m "$TMP/without" test ! -e "$LKST"
	each unshare -m "$TMP/without"
}

masksets() {
	need lkstm
	lkstm new quiet
	[ -e "$LKST/masksets/quiet" ]
	lkstm new -m 9 all RALL
	grep -qx '# id 9 rw' "$LKST/masksets/all"
	lkstm config -m quiet PROCESS_EXIT default 'SYSCALL_*' 1
	grep ' default$' "$LKST/masksets/quiet" | cut -d' ' -f1 | sort >"$TMP/got"
	printf 'PROCESS_EXIT\nSYSCALL_ENTRY\nSYSCALL_EXIT\n' | cmp - "$TMP/got"
	lkstm set -m quiet
	[ "$(cat "$LKST/maskset")" = quiet ]
	lkstm list >"$TMP/list"
	grep -q '^\*.* quiet ' "$TMP/list"
	[ "$(grep -c 'RNOTHING\|RALL\|RDEFAULT\|quiet\|all' "$TMP/list")" -eq 5 ]
	fails busy lkstm delete -m quiet
	lkstm set -m RNOTHING
	lkstm delete -m quiet
	lkstm delete -m 9
	[ ! -e "$LKST/masksets/quiet" ]
	[ ! -e "$LKST/masksets/all" ]
	# The kernel's own words reach the user.
	fails 'maskset 3' lkstm config -m 3 PROCESS_EXIT default
	lkstm new mine
	fails NO_SUCH lkstm config -m mine NO_SUCH default
	fails nosuch lkstm config -m mine PROCESS_EXIT nosuch
	fails RALL lkstm config -m RALL PROCESS_EXIT nothing
	fails nosuch lkstm set -m nosuch
	fails mine lkstm new mine
}

buffers() {
	need lkstbuf
	lkstbuf create small 64K
	lkstbuf create big 256K --discard --next small
	[ "$(cat "$LKST/buffers/big/size")" = 262144 ]
	[ "$(cat "$LKST/buffers/big/mode")" = 'overwrite [discard]' ]
	[ "$(cat "$LKST/buffers/big/next")" = small ]
	lkstbuf link big none
	[ -z "$(cat "$LKST/buffers/big/next")" ]
	lkstbuf mode big overwrite
	[ "$(cat "$LKST/buffers/big/mode")" = '[overwrite] discard' ]
	lkstbuf resize big 128K
	[ "$(cat "$LKST/buffers/big/size")" = 131072 ]
	lkstbuf jump big
	[ "$(cat "$LKST/buffer")" = big ]
	lkstbuf jump small -c 0
	[ "$(cat "$LKST/per_cpu/cpu0/buffer")" = small ]
	lkstbuf list | grep -q big
	quiet
	"$H" markers 0 1 10
	[ "$(key status unread)" -gt 10 ]
	lkstbuf clear -c 0
	[ "$(awk '$1 == "unread:" { print $2 }' "$LKST/per_cpu/cpu0/stats")" -lt 10 ]
	stop
	fails big lkstbuf delete big
	lkstbuf jump main
	lkstbuf delete big
	lkstbuf delete small
	[ ! -e "$LKST/buffers/big" ]
	fails 4097 lkstbuf create odd 4097
	fails nosuch lkstbuf delete nosuch
}

# What the log prints is what trace shows.
log() {
	need lkstbuf lkst
	put clock mono
	lkst start
	[ "$(cat "$LKST/maskset")" = RDEFAULT ]
	lkst mark here it is
	"$H" pingpong 10 0 0 >/dev/null
	lkst stop
	[ "$(cat "$LKST/maskset")" = RNOTHING ]
	grep -v '^#' "$LKST/trace" >"$TMP/trace"
	lkstbuf read -f log
	[ "$(key status unread)" -eq 0 ]
	lkstbuf print -f log | grep -v '^#' >"$TMP/print"
	grep -q 'LKST_MARKER.*here it is' "$TMP/print"
	[ "$(wc -l <"$TMP/trace")" -eq "$(wc -l <"$TMP/print")" ]
	# The times and events in their order.
	for f in "$TMP/trace" "$TMP/print"; do
		grep -oE '[0-9]+\.[0-9]{9}:? +[A-Z0-9_]+' "$f" | tr -d : |
			awk '{ print $1, $2 }' >"$f.2"
	done
	[ -s "$TMP/print.2" ]
	cmp "$TMP/trace.2" "$TMP/print.2"
}

# What was recorded while it was read is there as well.
log_while_writing() {
	need lkstbuf
	put maskset RALL
	"$H" load "$(scaled 1000)" >/dev/null &
	lkstbuf read -f log
	wait
	stop
	lkstbuf print -f log >"$TMP/print"
	[ "$(grep -vc '^#' "$TMP/print")" -gt 100 ]
}

damaged() {
	need lkstbuf
	put maskset RALL
	"$H" getppid 3000 >/dev/null
	stop
	lkstbuf read -f log
	n=$(lkstbuf print -f log | wc -l)
	head -c $(($(wc -c <log) / 2)) log >half
	rc=0
	lkstbuf print -f half >"$TMP/print" 2>"$TMP/err" || rc=$?
	[ "$rc" -ne 0 ]
	[ "$rc" -lt 126 ]
	[ -s "$TMP/err" ]
	[ "$(wc -l <"$TMP/print")" -gt 0 ]
	[ "$(wc -l <"$TMP/print")" -lt "$n" ]
	fails . lkstbuf print -f /dev/null
	fails . lkstbuf print -f "$ME"
	fails nosuch lkstbuf print -f nosuch
}

# The size follows from the rate of the CPU that records most: so that one of its rings
# reaches back twice as far, it is to be twice as large.
resize_reach() {
	need lkstbuf taskset
	lkstbuf create far 16K
	lkstbuf jump far
	fails far lkstbuf resize far --reach 2s
	fails_with 2 2x lkstbuf resize far --reach 2x
	fails_with 2 0s lkstbuf resize far --reach 0s
	[ "$(cat "$LKST/buffers/far/size")" -eq 16384 ]
	maskset calls ':syscall default'
	put maskset calls
	# On each CPU to the end, and not much at once: 16 KiB are some hundred calls. One that has
	# recorded nothing for long reaches less far back, one that is quick not a millisecond.
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		for c in $(cpus); do
			taskset "$(printf %x $((1 << c)))" "$H" getppid 40 >/dev/null
		done
		usleep 20000
	done
	stop
	least=
	for c in $(cpus); do
		[ "$(awk -v c="$c" '$1 == c { print $4 }' "$LKST/buffers/far/stats")" -gt 0 ] ||
			continue
		ms=$(sed -n 's/^reach: \(.*\) s$/\1/p' "$LKST/per_cpu/cpu$c/stats" |
			awk '{ print $1 * 1000 }')
		[ -n "$least" ] && [ "$least" -le "$ms" ] || least=$ms
	done
	echo "# the shortest reach is $least ms"
	[ "$least" -gt 0 ]
	lkstbuf resize far --reach "$((2 * least))ms"
	size=$(cat "$LKST/buffers/far/size")
	echo "# 16 KiB became $size bytes"
	[ "$size" -ge $((2 * 16384 * 8 / 10)) ]
	[ "$size" -le $((2 * 16384 * 13 / 10)) ]
}

# mark_time TEXT: when a mark was written, in seconds since 1970.
mark_time() {
	lkstbuf print -R -f "$TMP/log" 2>/dev/null |
		sed -n "s/.* \([0-9]*\)\.[0-9]*: LKST_MARKER .*text=$1\$/\1/p"
}

# The date is set an hour ahead, and back: each mark has the date that was then.
date_is_set() {
	need lkstbuf
	quiet
	put marker first
	start=$(date +%s)
	date -s "@$((start + 3600))" >/dev/null
	put marker ahead
	ahead=$(date +%s)
	date -s "@$((ahead - 3600))" >/dev/null
	put marker back
	back=$(date +%s)
	stop
	lkstbuf read -f "$TMP/log"
	[ $((ahead - start)) -ge 3600 ]
	for is in "first $start" "ahead $ahead" "back $back"; do
		off=$(($(mark_time "${is% *}") - ${is#* }))
		echo "# ${is% *}: $off s off"
		[ "$off" -ge -2 ]
		[ "$off" -le 2 ]
	done
	[ "$(lkstbuf print -f "$TMP/log" 2>/dev/null | grep -c LKST_TIME)" -ge 2 ]
}

# A mark is printed while recording goes on; in the end, all that plain print shows is.
printed_as_it_comes() {
	need lkst lkstbuf mkfifo
	quiet
	mkfifo "$TMP/pipe"
	tee "$TMP/log" <"$TMP/pipe" | lkst print >"$TMP/piped" 2>"$TMP/said" &
	piped=$!
	lkstbuf read -w >"$TMP/pipe" &
	put marker one
	wait_for 20 grep -q text=one "$TMP/piped"
	lkst print --follow "$TMP/log" >"$TMP/followed" 2>"$TMP/said" &
	followed=$!
	put marker two
	wait_for 20 grep -q text=two "$TMP/piped"
	wait_for 20 grep -q text=two "$TMP/followed"
	[ "$(cat "$LKST/maskset")" = quiet ]
	put marker three
	stop
	wait $piped
	wait $followed
	lkst print "$TMP/log" >"$TMP/text" 2>"$TMP/said"
	grep -q text=three "$TMP/text"
	# The header tells how many there are, and names that came later are in the text.
	for file in piped followed; do
		sed -n 's/.*\(\[[0-9]*] .*\)/\1/p' "$TMP/$file" | grep -v '^#' >"$TMP/have"
		sed -n 's/.*\(\[[0-9]*] .*\)/\1/p' "$TMP/text" | grep -v '^#' | diff - "$TMP/have"
	done
}

# on_time FILE [US]: the marks that between() made are where it read the clock, to 200 us or
# to US. Each line of the file: TEXT, and CLOCK_MONOTONIC before it and after it.
on_time() {
	sed -n 's/.* \([0-9]*\)\.\([0-9]*\): LKST_MARKER .*text=\([a-z0-9]*\)$/\3 \1 \2/p' |
		awk -v file="$1" -v ns="${2:-200}e3" '
		BEGIN { while ((getline line <file) > 0) { split(line, a)
				from[a[1]] = a[2]; to[a[1]] = a[3]; want++ } }
		# With a 1 in front: what starts with 0 is octal to this awk.
		$1 in from { t = ($2 - 1) * 1e9 + ("1" substr($3 "000", 1, 9))
			printf "# %s: %d us after the first reading\n", $1, (t - from[$1]) / 1e3
			bad = bad || t < from[$1] - ns || t > to[$1] + ns
			n++ }
		END { exit bad || !want || n != want }'
}

# between TEXT [CPU]: waits, and makes the mark.
between() {
	sleep 1
	echo "$1 $("$H" between mono "$@")" >>"$TMP/marks"
}

# Where it is not there, records have times of a clock that nobody slews, and that is shown.
by_counter() {
	grep -q '\[tsc]' "$LKST/clock" || skip 'no tsc here'
}

# CLOCK_MONOTONIC goes a tenth faster for a while: one line from the start to the end would be
# 50 ms off. The moment of the change is read by the interrupt after it, and what that is late,
# on a loaded host, times are off by a tenth of.
clock_is_slewed() {
	need lkstbuf adjtimex
	by_counter
	quiet
	between before
	trap 'adjtimex -t 10000 >"$TMP/said"' EXIT
	adjtimex -t 11000 >"$TMP/said"
	between faster
	between still
	adjtimex -t 10000 >"$TMP/said"
	between after
	stop
	on_time "$TMP/marks" 20000 <"$LKST/trace"
	lkstbuf read -f "$TMP/log"
	lkstbuf print -f "$TMP/log" 2>/dev/null | on_time "$TMP/marks" 20000
}

# What was recorded before a stop goes by the clocks of then.
slewed_before_a_stop() {
	need lkstbuf adjtimex
	by_counter
	quiet
	between one
	trap 'adjtimex -t 10000 >"$TMP/said"' EXIT
	adjtimex -t 11000 >"$TMP/said"
	between two
	between three
	stop
	adjtimex -t 10000 >"$TMP/said"
	sleep 1
	put maskset quiet
	between four
	stop
	on_time "$TMP/marks" 20000 <"$LKST/trace"
	lkstbuf read -f "$TMP/log"
	lkstbuf print -f "$TMP/log" 2>/dev/null | on_time "$TMP/marks" 20000
}

# asleep: for how long CLOCK_MONOTONIC has stood still, in ns.
asleep() {
	key status clock_now | awk '{ printf "%.0f\n", $4 - $2 }'
}

# suspended WHAT: marks before a suspension and after it, which are on time in the end. They
# are on the CPU that suspends the clocks: the others do not go offline for it.
suspended() {
	need lkstbuf
	by_counter
	ko=$(module lkst_test_timers)
	quiet
	between before1 0
	between before2 0
	before=$(asleep)
	insmod "$ko" what="$1"
	# By a clock of whole seconds.
	[ $(($(asleep) - before)) -ge 1000000000 ]
	between after1 0
	between after2 0
	stop
	for from in trace log; do
		if [ $from = trace ]; then
			cat "$LKST/trace" >"$TMP/text"
		else
			lkstbuf read -f "$TMP/log"
			lkstbuf print -f "$TMP/log" >"$TMP/text" 2>/dev/null
		fi
		on_time "$TMP/marks" <"$TMP/text"
		sed -n 's/.*LKST_MARKER .*text=//p' "$TMP/text" >"$TMP/order"
		echo before1 before2 after1 after2 | tr ' ' '\n' | diff - "$TMP/order"
	done
}

# The counter goes on while the machine is suspended, and CLOCK_MONOTONIC does not.
machine_is_suspended() {
	suspended suspend
}

# The counter is reset, as far as LKST can tell: full times go on, by a multiple of 2^48.
counter_is_reset() {
	suspended reset
	now=$(key status clock_now)
	[ "${now%% *}" -ge 281474976710656 ]
}

handlers() {
	need lksteh
	lksteh list | grep -q default
	ko=$(module lkst_pidfilter)
	insmod "$ko"
	lksteh list | grep -q pidfilter
	lksteh control -h pidfilter pid=77
	grep -q pid=77 "$LKST/handlers/pidfilter/control"
	lksteh control -h pidfilter | grep -q pid=77
	fails . lksteh control -h pidfilter pid=x
	fails nosuch lksteh control -h nosuch x
}

t 'not root: says so, ends with 1' not_root
t 'debugfs not mounted: says how, ends with 3' not_mounted
t 'no LKST in the kernel: says so, ends with 3' no_lkst
t 'lkstm: new, config, list, set, delete' masksets
t 'lkstbuf: create, link, mode, resize, jump, clear, delete' buffers
t 'lkstbuf: a size so that memory reaches back so far' resize_reach
t 'the date is set: times are right before and after' date_is_set
t 'a log is printed as it comes' printed_as_it_comes
t 'a clock is slewed: times are right before and after' clock_is_slewed
t 'a clock was slewed before a stop: times are right before and after' slewed_before_a_stop
t 'the machine is suspended: times are right before and after' machine_is_suspended
t 'a counter is reset: times are right before and after' counter_is_reset
t 'lksteh: list and control' handlers
t 'the log prints what trace shows' log
t 'a log made while records come' log_while_writing
t 'damaged and foreign logs' damaged
finish
