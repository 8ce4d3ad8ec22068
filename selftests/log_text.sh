#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events of code under development that are texts: LKST_LOG_TEXT().

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

PASS=/sys/module/lkst_test_text/parameters/pass
SAID=/sys/module/lkst_test_text/parameters/said

insert() {
	ko=$(module lkst_test_text)
	insmod "$ko"
}

# texts: those in a trace, from the name on, in their order.
texts() {
	sed -nE 's/^.*: (text_[a-z]+( .*)?)$/\1/p' "${1:-$LKST/trace}"
}

# all_texts [HANDLER]: a maskset of all that the module logs, and of nothing else.
all_texts() {
	maskset texts "text_* ${1:-default}"
	put maskset texts
}

# One of each is recorded, and all is stopped.
one_of_each() {
	insert
	all_texts
	echo 1 >"$PASS"
	stop
}

# What is printed is what snprintf() printed of the same.
printed() {
	one_of_each
	cat "$SAID" >"$TMP/want"
	[ "$(wc -l <"$TMP/want")" -eq 14 ]
	texts | grep -vE '^text_(above|long|wide|lines|where) ' | diff "$TMP/want" -
}

# What is too long says so: the record has no room, or the line has none.
cut_off() {
	one_of_each
	digits=$(printf '%0250d' 0 | awk '{ for (i = 0; i < length; i++) printf "%d", i % 10 }')
	# 240 letters and a NUL are a byte too many.
	end=$(echo "$digits" | cut -c 11-)
	texts >"$TMP/found"
	grep '^text_above ' "$TMP/found" >"$TMP/line"
	echo "text_above text=$end..." | diff - "$TMP/line"
	grep '^text_long ' "$TMP/found" >"$TMP/line"
	echo "text_long text=$(echo "$digits" | cut -c 1-247)..." | diff - "$TMP/line"
	grep '^text_wide ' "$TMP/found" >"$TMP/line"
	printf 'text_wide text=%300d%212s...\n' 1 '' | diff - "$TMP/line"
}

# The format has no newline at its end; other control characters are no letters.
lines() {
	one_of_each
	texts | grep '^text_lines ' >"$TMP/found"
	printf '%s\n' 'text_lines text=tab here, line.break' 'text_lines text=tab here, eth0' |
		diff - "$TMP/found"
	grep -F 'LKST_LOG_TEXT(text_lines, "tab here, %s")' "$LKST/events"
	grep "$(printf '\ttext\tfmt\ttab here, %%s$')" "$LKST/etypes"
	# Two, and as often as the compiler has copied them.
	[ "$(awk '$2 == "text_lines" { print $4 }' "$LKST/events")" -ge 2 ]
}

# Wherever a hook may be.
contexts() {
	insert
	all_texts
	echo 20 >"$PASS"
	stop
	sed -nE 's/^.*\] (.{4}) +[0-9.]+: text_where text=([0-9]): in (.*)$/\2 \1 \3/p' \
		"$LKST/trace" | sed -E 's/[nN]/./' | sort | uniq -c | tee "$TMP/found"
	awk '{ n[$2] += $1 }
		$2 == 0 && ($3 != "...." || $5 != "task") { print }
		$2 == 1 && ($3 !~ /^d.h/ || $5 != "interrupt") { print }
		$2 == 2 && ($3 !~ /^..s/ || $5 != "softirq") { print }
		$2 == 3 && ($3 !~ /^d\.\.p/ || $5 != "lock") { print }
		END { for (i = 0; i < 4; i++) if (n[i] != 20) print i, n[i] }' "$TMP/found" |
		diff /dev/null -
}

# A handler that records it records its words; one that does so later has them no more.
handlers() {
	modprobe -a lkst_filter lkst_latency
	insert
	put handlers/create 'filter mine'
	put handlers/mine/control 'pid!=0'
	all_texts mine
	echo 1 >"$PASS"
	stop
	cat "$SAID" >"$TMP/want"
	texts | grep -vE '^text_(above|long|wide|lines|where) ' | diff "$TMP/want" -
	put maskset RNOTHING
	put handlers/create 'latency pair'
	put handlers/pair/control 'begin=text_none end=text_int key=task over=1ns'
	put masksets/texts 'text_* pair'
	put maskset texts
	put trace ''
	echo 1 >"$PASS"
	stop
	texts >"$TMP/found"
	head -n 1 "$TMP/found" | grep -x text_none
	sed -n 2p "$TMP/found" | grep '^text_int text=-42 '
}

# A text has no values for a condition or a key.
no_values() {
	modprobe -a lkst_filter lkst_latency
	insert
	put handlers/create 'filter mine'
	put handlers/create 'latency pair'
	if (echo 'begin=text_none end=text_int key=arg1' >"$LKST/handlers/pair/control") \
		2>/dev/null; then
		return 1
	fi
	grep 'text_none has no arg1' "$LKST/error_log"
	put handlers/mine/control 'arg1=1'
	all_texts mine
	echo 1 >"$PASS"
	stop
	[ -z "$(texts)" ]
}

# What was said can be read when the module is gone, also by the tools.
module_goes() {
	need lkstbuf
	one_of_each
	texts >"$TMP/want"
	put masksets/delete texts
	rmmod lkst_test_text
	[ -z "$(awk '$2 ~ /^text_/' "$LKST/events")" ]
	texts | diff "$TMP/want" -
	# Of pointers, the log has what the kernel hashes; symbols have no size, errors have names.
	lkstbuf read >"$TMP/log"
	lkstbuf print "$TMP/log" >"$TMP/printed"
	texts "$TMP/printed" | grep -vE '^text_(pointer|symbol|error|lines) ' >"$TMP/found"
	grep -vE '^text_(pointer|symbol|error|lines) ' "$TMP/want" | diff - "$TMP/found"
	grep -E ': text_pointer text=[0-9a-f]{16} 000000000000fedc [0-9a-f]{16}$' "$TMP/printed"
	grep -F ': text_error text=-ENOMEM -EINVAL' "$TMP/printed"
	grep -E ': text_symbol text=schedule(\+0x0)? schedule(\+0x0)? [a-z_]+' "$TMP/printed"
}

# Comes and goes while everything is recorded.
under_load() {
	insert
	maskset all '* default'
	put maskset all
	"$H" load "$LIMIT"000 >/dev/null &
	job=$!
	n=$(scaled 20)
	while [ "$n" -gt 0 ]; do
		echo 10 >"$PASS"
		cat "$LKST/trace_pipe" >/dev/null &
		reader=$!
		rmmod lkst_test_text
		insmod "$ko"
		kill "$reader"
		n=$((n - 1))
	done
	kill "$job"
	wait || :
	put trace ''
	echo 1 >"$PASS"
	stop
	[ "$(texts | grep -c '^text_none ')" -eq 1 ]
}

t 'a text is what snprintf() makes of it' printed
t 'a text that is too long is cut, and says so' cut_off
t 'a text is one line' lines
t 'in tasks, interrupts and under locks' contexts
t 'handlers record them' handlers
t 'they have no values' no_values
t 'texts outlive their module' module_goes
t 'modules come and go under load' under_load
finish
