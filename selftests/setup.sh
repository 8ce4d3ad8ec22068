#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The masksets that come with LKST, the list of events, and masksets of whole
# families of events.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

SETS='full sched syscalls memory io net locks irq latency'

# lines NAME: a maskset without its first line, which has its id.
lines() {
	sed 1d "$LKST/masksets/$1"
}

# default_events NAME: the events that have the handler default.
default_events() {
	lines "$1" | sed -n 's/ default$//p'
}

# The folder of the files, in this repository or in a kernel tree.
files() {
	for dir in "$SRC/../Documentation/masksets" \
		   "$SRC/../../../../Documentation/trace/lkst/masksets"; do
		[ -d "$dir" ] && echo "$dir" && return
	done
	lack 'no Documentation/masksets'
}

all_sets() {
	need lkst
	dir=$(files)
	# shellcheck disable=SC2086
	printf '%s\n' $SETS | sort >"$TMP/sets"
	(cd "$dir" && printf '%s\n' *) | sort | cmp - "$TMP/sets"
	lkst setup >"$TMP/out"
	[ ! -s "$TMP/out" ]
	echo compare >"$LKST/masksets/create"
	for set in $SETS; do
		cat "$dir/$set" >"$LKST/masksets/compare"
		lines compare >"$TMP/want"
		lines "$set" | cmp - "$TMP/want"
		[ "$(default_events "$set" | wc -l)" -ge 5 ]
		[ "$(lines "$set" | grep -cvE ' (default|nothing)$')" -eq 0 ]
	done
	# Nothing has been started.
	[ "$(cat "$LKST/maskset")" = RNOTHING ]
	[ "$(default_events syscalls | grep -c '^SYSCALL_')" -eq 2 ]
	[ "$(default_events sched | grep -cE '^PROCESS_(CONTEXTSWITCH|WAKEUP)$')" -eq 2 ]
	[ "$(default_events net | grep -c '^MEM_')" -eq 0 ]
	# All there is but locks, and of these what RDEFAULT has.
	{
		awk '$3 != "lock" && $1 < 1008 { print $2 }' "$LKST/events"
		default_events RDEFAULT | grep '^LK_'
	} | sort >"$TMP/want"
	default_events full | sort | diff "$TMP/want" -
	# What is taken all the time would drown the rest.
	[ "$(default_events locks | grep -cE '^LK_(SPIN|RD|WR)')" -eq 0 ]
}

# What was changed is as it should be again; others are left alone.
again() {
	need lkst lkstm
	lkst setup net
	[ ! -e "$LKST/masksets/sched" ]
	lines net >"$TMP/net"
	lkstm config -m net ':net' nothing PROCESS_EXIT default
	maskset mine 'PROCESS_EXIT default'
	lkstm set -m net
	lkst setup sched net
	lines net | cmp - "$TMP/net"
	[ "$(cat "$LKST/maskset")" = net ]
	[ "$(default_events mine)" = PROCESS_EXIT ]
	[ -e "$LKST/masksets/sched" ]
	[ ! -e "$LKST/masksets/io" ]
}

folder() {
	need lkst
	mkdir sets
	printf '# one\n* nothing\nPROCESS_EXIT default\n' >sets/one
	printf 'PROCESS_FORK default' >sets/two
	echo 'PROCESS_EXIT default' >sets/.hidden
	echo 'PROCESS_EXIT default' >sets/old~
	lkst setup -d sets
	[ "$(default_events one)" = PROCESS_EXIT ]
	[ "$(default_events two)" = PROCESS_FORK ]
	[ "$(lkstm list | grep -cE 'hidden|old|sched')" -eq 0 ]
	# Only those that are named.
	printf '* nothing\nPROCESS_EXEC default\n' | tee sets/one >sets/two
	lkst setup --dir=sets two
	[ "$(default_events one)" = PROCESS_EXIT ]
	[ "$(default_events two)" = PROCESS_EXEC ]
}

# Nothing is left half made.
mistakes() {
	need lkst
	fails 'no maskset nosuch' lkst setup nosuch
	fails 'no maskset nosuch' lkst setup sched nosuch
	[ ! -e "$LKST/masksets/sched" ]
	fails 'no-such-folder.*No such file' lkst setup -d no-such-folder
	mkdir sets
	fails 'no masksets in sets' lkst setup -d sets
	printf '# text\nPROCESS_EXIT default\nNO_SUCH_EVENT default\n' >sets/new
	fails 'new.*line 3.*NO_SUCH_EVENT' lkst setup -d sets
	[ ! -e "$LKST/masksets/new" ]
	maskset new 'PROCESS_FORK default'
	fails 'new.*line 3.*NO_SUCH_EVENT' lkst setup -d sets
	[ "$(default_events new)" = PROCESS_FORK ]
	rm sets/new
	echo 'PROCESS_EXIT default' >sets/RALL
	fails 'RALL.*reserved' lkst setup -d sets
	mv sets/RALL sets/create
	fails 'called create' lkst setup -d sets
	mv sets/create 'sets/a b'
	fails_with 2 'no name' lkst setup -d sets
	rm 'sets/a b'
	mkdir sets/folder
	fails 'folder: not a file' lkst setup -d sets
	fails_with 2 unknown lkst setup --nosuch
}

# What they record is what they name, and comes.
recorded() {
	need lkst
	lkst setup
	for set in sched syscalls; do
		lkst start $set
		"$H" pingpong "$(scaled 50)" 0 0 >/dev/null
		lkst stop
		nothing_overwritten
		dump
		awk '!/^#/ && $5 !~ /^LKST_/ { print $5 }' "$TMP/dump" | sort -u >"$TMP/came"
		default_events $set | sort >"$TMP/named"
		[ -s "$TMP/came" ]
		sort "$TMP/came" "$TMP/named" | uniq -d | cmp - "$TMP/came"
		case $set in
		sched) grep -qx PROCESS_CONTEXTSWITCH "$TMP/came" ;;
		syscalls) grep -qx SYSCALL_ENTRY "$TMP/came" ;;
		esac
	done
}

list() {
	need lkst
	maskset mine 'PROCESS_EXIT default'
	put maskset mine
	lkst list >"$TMP/list"
	put maskset RNOTHING
	head -n 1 "$TMP/list" | grep -qE '^ *ID NAME +CATEGORY +HOOKS +HANDLER +MEANING$'
	# Line by line what the kernel says.
	sed 1d "$TMP/list" | sed 's/  */ /g; s/^ //' >"$TMP/got"
	put maskset mine
	cmp "$LKST/events" "$TMP/got"
	put maskset RNOTHING
	grep -qE '^ +7 PROCESS_EXIT +process +[1-9][0-9]* +default +a task ends$' "$TMP/list"
	# Columns are straight.
	[ "$(sed 1d "$TMP/list" | cut -c6- | grep -c '^ ')" -eq 0 ]
	[ "$(awk '{ sub(/ (default|nothing|-) .*/, ""); print length }' "$TMP/list" |
		sed 1d | sort -u | wc -l)" -eq 1 ]
}

list_some() {
	need lkst
	names() {
		lkst list "$@" | awk 'NR > 1 { print $2 }'
	}
	[ "$(names 'TIMER_*')" = "$(awk '$2 ~ /^TIMER_/ { print $2 }' "$LKST/events")" ]
	[ "$(names :net)" = "$(awk '$3 == "net" { print $2 }' "$LKST/events")" ]
	[ "$(names 7)" = PROCESS_EXIT ]
	[ "$(names context_switch)" = PROCESS_CONTEXTSWITCH ]
	# Each once, in the order of ids.
	[ "$(names PROCESS_EXIT :syscall 'PROCESS_E*T' | tr '\n' ' ')" = \
		'PROCESS_EXIT SYSCALL_ENTRY SYSCALL_EXIT ' ]
	fails '"NO_SUCH"' lkst list PROCESS_EXIT NO_SUCH
	fails '":nosuch"' lkst list :nosuch
	fails '"9999"' lkst list 9999
}

# Families of events, by pattern and by category, together.
families() {
	need lkstm
	lkstm new mine
	lkstm config -m mine 'MEM_*' default
	awk '$2 ~ /^MEM_/ { print $2 }' "$LKST/events" >"$TMP/want"
	[ -s "$TMP/want" ]
	default_events mine | cmp - "$TMP/want"
	lkstm config -m mine :net default
	awk '$2 ~ /^MEM_/ || $3 == "net" { print $2 }' "$LKST/events" >"$TMP/want"
	grep -q '^NET_' "$TMP/want"
	default_events mine | cmp - "$TMP/want"
	lkstm config -m mine :memory nothing 'LK_MUTEX_?*' 1 'TIMER_[AD]*' default
	awk '$3 == "net" || $2 ~ /^(LK_MUTEX_|TIMER_[AD])/ { print $2 }' "$LKST/events" >"$TMP/want"
	default_events mine | cmp - "$TMP/want"
	# All or nothing.
	fails nosuch lkstm config -m mine 'PROCESS_*' default :nosuch default
	fails 'NO_\*' lkstm config -m mine 'PROCESS_*' default 'NO_*' default
	default_events mine | cmp - "$TMP/want"
	# LKST's own are in no maskset, and none for a pattern.
	lkstm config -m mine '*' default
	awk '$1 < 1008 { print $2 }' "$LKST/events" >"$TMP/want"
	default_events mine | cmp - "$TMP/want"
	fails 'LKST_INIT' lkstm config -m mine LKST_INIT default
}

t 'setup makes the masksets that come with LKST' all_sets
t 'setup again puts right what was changed' again
t 'setup with the files of a folder' folder
t 'setup with mistakes' mistakes
t 'what the masksets record' recorded
t 'list tells what the kernel tells' list
t 'list of names, patterns and categories' list_some
t 'masksets of whole families' families
finish
