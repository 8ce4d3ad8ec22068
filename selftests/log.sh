#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events of code under development: LKST_LOG() in modules and in the kernel.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

TOO=/sys/module/lkst_test_log_too/parameters/pass
PASS=/sys/module/lkst_test_log/parameters/pass

# insert NAME: loads a module of the tests.
insert() {
	ko=$(module "$1")
	insmod "$ko"
}

# recorded: the records of such events, from the name on, in their order.
recorded() {
	sed -nE 's/^.*: (log_[a-z0-9_]+( .*)?)$/\1/p' "$LKST/trace"
}

# all_logs: a maskset of all events that were logged for, and no others.
all_logs() {
	maskset logs ':log default'
	put maskset logs
}

# listed NAME: how many places the file events says that the event has.
listed() {
	awk -v n="$1" '$2 == n && $3 == "log" { print $4 }' "$LKST/events"
}

# None of them is recorded until a maskset names it.
named() {
	insert lkst_test_log
	put maskset RDEFAULT
	echo 1 >"$PASS"
	[ -z "$(recorded)" ]
	put maskset RALL
	echo 1 >"$PASS"
	[ -z "$(recorded)" ]
	maskset one 'log_where default'
	put maskset one
	echo 1 >"$PASS"
	stop
	recorded >"$TMP/found"
	[ "$(grep -c '^log_where ' "$TMP/found")" -eq 4 ]
	[ "$(wc -l <"$TMP/found")" -eq 4 ]
}

# What is recorded is what C had, whatever its type.
types() {
	insert lkst_test_log
	all_logs
	echo 2 >"$PASS"
	stop
	cat >"$TMP/want" <<-'END'
		log_bytes byte=200 sbyte=-100 half=60000 shalf=-30000
		log_words word=4000000000 sword=-2000000000 full=18364758544493064720 sfull=-81985529216486896
		log_odd at_small=-3 odd_bits=5 colour=8 yes=1
		log_pointers pointer=0xfedcba9876543210 at_odd_pointer_NULL=0xfedcba9876543210 unsigned_long_at_text_unsigned_long_odd=1
		log_names max_byte_half=60000 a_b_1=44 arg_2=42 arg_3=42
		log_none
	END
	cat "$TMP/want" "$TMP/want" >"$TMP/twice"
	recorded | grep -vE '^log_(shape|where)' | diff "$TMP/twice" -
	# Their types are those of C, and what was written is what describes them.
	grep -F 'LKST_LOG(log_words, u32 word, s32 sword, u64 full, s64 sfull)' "$LKST/events"
	grep "$(printf '\tat_small\ts32\tat->small\t')" "$LKST/etypes"
}

# Any number of arguments of 4 and 8 bytes, in any order.
shapes() {
	insert lkst_test_log
	all_logs
	echo 1 >"$PASS"
	stop
	recorded | sed -nE 's/^log_shape_([0-9]+)/\1/p' >"$TMP/shapes"
	awk '{
		# The highest bit is how many there are, the others which are wide.
		for (n = 0; 2 ^ (n + 1) <= $1; n++)
			;
		if (NF - 1 != n || $1 != NR) print "shape " $0
		for (i = 0; i < n; i++) {
			want = int($1 / 2 ^ i) % 2 ? "W" : "N"
			value = $(i + 2)
			sub(/.*=/, "", value)
			found = value == "9223372036854775809" ? "W" : value == "2147483649" ? "N" : value
			if (found != want) print "shape " $0
		}
	}
	END { if (NR != 31) print NR " shapes" }' "$TMP/shapes" | diff /dev/null -
}

# Wherever a hook may be.
contexts() {
	insert lkst_test_log
	all_logs
	echo 20 >"$PASS"
	stop
	# Who is interrupted may have anything off; what the interrupt has is known.
	sed -nE 's/^.*\] (.{4}) +[0-9.]+: log_where where=([0-9])$/\2 \1/p' "$LKST/trace" |
		sed -E 's/[nN]/./' | sort | uniq -c | tee "$TMP/found"
	awk '{ n[$2] += $1 }
		$2 == 0 && $3 != "...." { print }
		$2 == 1 && $3 !~ /^d.h/ { print }
		$2 == 2 && $3 !~ /^..s/ { print }
		$2 == 3 && $3 !~ /^d\.\.p/ { print }
		END { for (i = 0; i < 4; i++) if (n[i] != 20) print i, n[i] }' "$TMP/found" |
		diff /dev/null -
}

# A place is one of its module's, as often as the compiler has copied it.
places() {
	insert lkst_test_log
	[ "$(listed log_where)" -eq 4 ]
	[ "$(listed log_shape_31)" -eq 1 ]
	grep ' log_where ' "$LKST/hooks" >"$TMP/hooks"
	[ "$(wc -l <"$TMP/hooks")" -eq 4 ]
	[ "$(grep -cE ' (pass_set|pass_contexts|on_timer|on_tasklet)\+0x[0-9a-f]+/0x[0-9a-f]+ \[lkst_test_log\]$' \
		"$TMP/hooks")" -eq 4 ]
}

# Where the same is written, it is one event; what can't be one is told of.
same_name() {
	insert lkst_test_log
	id=$(awk '$2 == "log_where" { print $1 }' "$LKST/events")
	all_logs
	dmesg -c >/dev/null
	insert lkst_test_log_too
	dmesg | sed 's/^[^L]*//' >"$TMP/said"
	cat >"$TMP/want" <<-'END'
		LKST_LOG(PROCESS_FORK) of lkst_test_log_too records nothing: there is an event "PROCESS_FORK"
		LKST_LOG(a_name_of_more_than_31_characters) of lkst_test_log_too records nothing: bad name "a_name_of_more_than_31_characters": letters, digits and _, up to 31
		LKST_LOG(log_none) of lkst_test_log_too records nothing: there is an event "log_none"
		LKST_LOG(log_shape_2) of lkst_test_log_too records nothing: there is an event "log_shape_2"
	END
	grep '^LKST_LOG' "$TMP/said" | sort | diff "$TMP/want" -
	[ "$(listed log_where)" -eq 5 ]
	echo 1 >"$TOO"
	[ "$(recorded | grep -c '^log_where where=100$')" -eq 1 ]
	rmmod lkst_test_log
	[ "$(listed log_where)" -eq 1 ]
	echo 1 >"$TOO"
	[ "$(recorded | grep -c '^log_where where=100$')" -eq 2 ]
	[ "$(awk '$2 == "log_where" { print $1 }' "$LKST/events")" = "$id" ]
}

# They go with their module, and what was recorded of them can be read on.
module_goes() {
	insert lkst_test_log
	all_logs
	echo 1 >"$PASS"
	stop
	recorded >"$TMP/before"
	[ -s "$TMP/before" ]
	put masksets/delete logs
	rmmod lkst_test_log
	[ -z "$(awk '$2 ~ /^log_/' "$LKST/events")" ]
	recorded | diff "$TMP/before" -
	# The next one finds the same ids.
	awk '$2 == "log_none"' "$LKST/etypes"
	insert lkst_test_log
	all_logs
	echo 1 >"$PASS"
	stop
	cat "$TMP/before" "$TMP/before" >"$TMP/want"
	recorded | diff "$TMP/want" -
}

# Nor are those there of a module that could not be loaded.
module_fails() {
	ko=$(module lkst_test_log)
	if insmod "$ko" fail=1 2>/dev/null; then
		return 1
	fi
	[ -z "$(awk '$2 ~ /^log_/' "$LKST/events")" ]
	insmod "$ko"
	all_logs
	rmmod lkst_test_log
	if insmod "$ko" fail=1 2>/dev/null; then
		return 1
	fi
	# Some programs try it in another way then.
	[ "$(recorded | cut -d ' ' -f 1 | uniq | tr '\n' ' ')" = 'log_exit log_init ' ]
	[ "$(listed log_init)" -eq 0 ]
}

# What a maskset names stays while it does, and goes on when the module comes again: also in
# its first function and its last.
module_comes_again() {
	insert lkst_test_log
	all_logs
	rmmod lkst_test_log
	[ "$(recorded)" = 'log_exit arg_0=1' ]
	awk '$2 ~ /^log_/' "$LKST/events" >"$TMP/there"
	[ "$(wc -l <"$TMP/there")" -ge 39 ]
	[ -z "$(awk '$4 != 0' "$TMP/there")" ]
	if grep ' log_' "$LKST/hooks"; then
		return 1
	fi
	insert lkst_test_log
	rmmod lkst_test_log
	recorded >"$TMP/found"
	[ "$(wc -l <"$TMP/found")" -eq 3 ]
	sed -n 2p "$TMP/found" | grep -xE 'log_init THIS_MODULE=0x[0-9a-f]+'
	# Once nothing names them, they go with the next module that comes or goes.
	stop
	put masksets/delete logs
	insert lkst_test_log_too
	[ -z "$(awk '$2 ~ /^log_/ && $4 == 0' "$LKST/events")" ]
	rmmod lkst_test_log_too
	[ -z "$(awk '$2 ~ /^log_/' "$LKST/events")" ]
}

# In the next build it may have other arguments: not while something names it with those of
# before.
other_arguments() {
	insert lkst_test_log
	all_logs
	rmmod lkst_test_log
	dmesg -c >/dev/null
	insert lkst_test_log_too
	for name in shape_2 none; do
		dmesg | grep -F "LKST_LOG(log_$name) of lkst_test_log_too records nothing:" |
			grep 'a maskset or a handler names it with other arguments$'
	done
	[ "$(listed log_shape_2)" -eq 0 ]
	rmmod lkst_test_log_too
	stop
	put masksets/delete logs
	insert lkst_test_log_too
	# However often the compiler has copied it.
	[ "$(listed log_shape_2)" -ge 1 ]
	all_logs
	echo 1 >"$TOO"
	stop
	recorded >"$TMP/found"
	grep -x 'log_none byte=1' "$TMP/found"
	grep -x 'log_shape_2 byte=1' "$TMP/found"
}

# The kernel's own tests have one.
of_the_kernel() {
	grep -E '^[0-9]+ kunit_log log 1 nothing LKST_LOG\(kunit_log, ' "$LKST/events" ||
		lack 'no CONFIG_LKST_KUNIT_TEST'
	grep -E ' kunit_log lkst_test_log_built_in[^ ]*\+0x' "$LKST/hooks"
}

# A line of dynamic_events makes none of the same name, and takes none away.
lines() {
	[ -e "$LKST/dynamic_events" ] || skip 'the kernel has no CONFIG_LKST_DYNAMIC'
	insert lkst_test_log
	cp "$LKST/events" "$TMP/before"
	for line in 'p:log_where vfs_read' '-:log_where' '-:log_*'; do
		if (echo "$line" >"$LKST/dynamic_events") 2>/dev/null; then
			return 1
		fi
	done
	cut -d ' ' -f 6- "$LKST/error_log"
	grep -qF 'dynamic_events: EEXIST: line 1, column 3: there is an event "log_where"' \
		"$LKST/error_log"
	[ "$(grep -c 'dynamic_events: ENOENT: line 1, column 3: no event' "$LKST/error_log")" -eq 2 ]
	[ -z "$(cat "$LKST/dynamic_events")" ]
	diff "$TMP/before" "$LKST/events"
}

# Arguments have names in conditions, and handlers are called for them.
conditions() {
	modprobe lkst_filter
	put handlers/create 'filter big'
	insert lkst_test_log
	put handlers/big/control 'arg1>=2'
	maskset some 'log_where big'
	put maskset some
	echo 3 >"$PASS"
	stop
	recorded | sort | uniq -c | sed 's/^ *//' >"$TMP/found"
	printf '%s\n' '3 log_where where=2' '3 log_where where=3' | diff - "$TMP/found"
}

# A log has what is needed to read it, when the module has gone.
tools() {
	need lkstbuf lkstm
	insert lkst_test_log
	lkstm new found
	lkstm config -m found :log default
	lkstm set -m found
	echo 1 >"$PASS"
	stop
	recorded >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 41 ]
	lkstbuf read >"$TMP/log"
	put masksets/delete found
	rmmod lkst_test_log
	lkstbuf print "$TMP/log" | sed -nE 's/^.*: (log_[a-z0-9_]+( .*)?)$/\1/p' |
		diff "$TMP/want" -
}

# A module that comes and goes while everything is recorded, and others look.
under_load() {
	insert lkst_test_log
	maskset all '* default'
	put maskset all
	"$H" load "$LIMIT"000 >/dev/null &
	job=$!
	while :; do
		cat "$LKST/hooks" "$LKST/events" "$LKST/etypes" >/dev/null
	done &
	reader=$!
	n=$(scaled 20)
	while [ "$n" -gt 0 ]; do
		echo 1 >"$PASS"
		rmmod lkst_test_log
		insmod "$ko"
		n=$((n - 1))
	done
	kill "$reader" "$job"
	wait "$reader" "$job" || :
	put trace ''
	echo 1 >"$PASS"
	stop
	[ "$(recorded | grep -c '^log_none$')" -eq 1 ]
}

t 'nothing is recorded that no maskset names' named
t 'arguments of all types, and their names' types
t 'records of all shapes' shapes
t 'in tasks, interrupts and under locks' contexts
t 'places are listed' places
t 'places with the same text are one event' same_name
t 'events go with their module' module_goes
t 'a module that is not loaded leaves none' module_fails
t 'an event that is named waits for its module' module_comes_again
t 'a module comes again with other arguments' other_arguments
t 'the kernel has events of that kind, too' of_the_kernel
t 'lines of dynamic_events leave them alone' lines
t 'conditions and handlers' conditions
t 'tools read them from a log' tools
t 'modules come and go under load' under_load
finish
