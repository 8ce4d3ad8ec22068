#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Every control file, read and written, with good input and bad.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# Tracing costs no memory before its first start. (Comes first, and without the
# reset that starts it.)
untouched() {
	[ ! -d "$LKST/buffers/main" ] || skip 'LKST was in use before'
	[ "$(key status memory)" -eq 0 ]
	[ "$(key status written)" -eq 0 ]
	[ "$(key status clock_start)" = '0 0 0 0' ]
	[ "$(key status tracing)" -eq 0 ]
	[ "$(cat "$LKST/maskset")" = RNOTHING ]
	[ "$(cat "$LKST/enable")" = 1 ]
	put maskset RNOTHING
	[ "$(key status memory)" -eq 0 ]
	[ -z "$(grep -v '^#' "$LKST/trace" || :)" ]
	[ "$("$H" rd -d "$LKST/trace_pipe")" = EAGAIN ]
	# The first start by an edit of the current maskset, whose write can make no folder.
	put masksets/create first
	put maskset first
	[ "$(key status memory)" -eq 0 ]
	put masksets/first 'PROCESS_* default'
	n=$(cat /sys/module/lkst/parameters/buffer_size)
	[ "$(cat "$LKST/buffers/main/size")" -eq "$n" ]
	n=$((n * $(cpus | wc -l)))
	[ "$(key status memory)" -ge "$n" ]
	[ "$(key status memory)" -le $((n * 5 / 4)) ]
	[ "$(key status clock_start)" != '0 0 0 0' ]
}

files_exist() {
	for f in README version status enable clock events etypes hooks \
		 maskset masksets/create masksets/delete masksets/RNOTHING \
		 masksets/RALL masksets/RDEFAULT handlers/create handlers/delete handlers/default/id \
		 handlers/default/users handlers/nothing/id \
		 handlers/nothing/users buffers/create buffers/delete \
		 buffers/main/size buffers/main/mode buffers/main/next \
		 buffers/main/stats buffer trace trace_pipe marker names notify error_log; do
		[ -f "$LKST/$f" ]
	done
	for cpu in $(cpus); do
		[ -f "$LKST/buffers/main/cpu$cpu/trace_raw" ]
		for f in buffer stats trace trace_pipe trace_raw; do
			[ -f "$LKST/per_cpu/cpu$cpu/$f" ]
		done
	done
}

# A reader who asks not to wait gets text, the end or EAGAIN, from every file.
files_read() {
	find "$LKST" -type f | while read -r f; do
		case $f in
		*/create | */delete | */marker)
			want='E[A-Z]*'
			;;
		*/trace_pipe | */trace_raw | */notify)
			want='0|EAGAIN'
			;;
		*)
			want='[0-9]*'
			;;
		esac
		got=$("$H" rd "$f")
		echo "$got" | grep -qxE "$want"
	done
}

files_root_only() {
	# Neither read nor written by others, whatever the mode says.
	find "$LKST" -type f >"$TMP/files"
	chmod 755 "$TMP"
	[ "$("$H" nobody "$H" rd "$LKST/trace")" = EACCES ]
	[ "$("$H" nobody "$H" wr "$LKST/maskset" 0)" = EACCES ]
	# shellcheck disable=SC2016 # for the other shell
	"$H" nobody sh -c 'while read -r f; do
			{ true <"$f"; } 2>/dev/null && echo "can read $f"
			{ true >>"$f"; } 2>/dev/null && echo "can write $f"
		done; :' <"$TMP/files" >"$TMP/can"
	cat "$TMP/can"
	[ ! -s "$TMP/can" ]
	# And root may not write what cannot be written.
	for f in version status events etypes hooks README handlers/default/id \
		 handlers/default/users buffers/main/stats trace_pipe; do
		[ "$(($(stat -c 0%a "$LKST/$f") & 0222))" -eq 0 ]
	done
	if find "$LKST" -type f -perm /077 | grep .; then
		return 1
	fi
}

version_file() {
	printf 'version: 1.0.0\nabi: 2\n' | cmp - "$LKST/version"
}

readme_file() {
	# It tells of every file at the top.
	for f in "$LKST"/*; do
		[ "${f##*/}" = README ] || grep -qw -- "${f##*/}" "$LKST/README"
	done
}

status_file() {
	for k in enable tracing stopped_by maskset buffer memory clock clock_khz \
		 clock_start clock_now cpus written read overwritten discarded \
		 nmi busy nobuf recursed unread; do
		key status "$k" >/dev/null
	done
	if grep -vE '^[a-z_]+: [^ ].*$' "$LKST/status"; then
		return 1
	fi
	[ "$(key status enable)" -eq 1 ]
	[ "$(key status tracing)" -eq 0 ]
	[ "$(key status maskset)" = RNOTHING ]
	[ "$(key status buffer)" = main ]
	[ "$(key status clock)" = "$CLOCK" ]
	[ "$(key status cpus)" -eq "$(cpus possible | wc -l)" ]
	[ "$(key status clock_now | wc -w)" -eq 4 ]
	[ "$(key status clock_start | wc -w)" -eq 4 ]
	put maskset RDEFAULT
	[ "$(key status tracing)" -eq 1 ]
	[ "$(key status stopped_by)" = - ]
	[ "$(key status maskset)" = RDEFAULT ]
	put enable 0
	[ "$(key status tracing)" -eq 0 ]
	[ "$(key status enable)" -eq 0 ]
}

# The sums of status are those of the CPUs, and these those of the buffers.
status_sums() {
	maskset calls ':syscall default'
	put maskset calls
	"$H" getppid 100 >/dev/null
	stop
	put buffers/create 'other 65536'
	put buffer other
	put maskset calls
	"$H" getppid 100 >/dev/null
	stop
	for k in written read overwritten discarded nmi busy unread; do
		s=0
		for f in "$LKST"/per_cpu/cpu*; do
			s=$((s + $(key "per_cpu/${f##*/}/stats" "$k")))
		done
		[ "$(key status "$k")" -eq "$s" ]
		[ "$s" -eq $(($(sum main "$k") + $(sum other "$k"))) ]
	done
	[ "$(key status unread)" -gt 400 ]
}

enable_values() {
	put enable 0
	[ "$(cat "$LKST/enable")" = 0 ]
	put enable 1
	[ "$(cat "$LKST/enable")" = 1 ]
	for bad in 2 -1 '' x 01x 'on off' 99999999999999999999; do
		refused EINVAL enable "$bad"
	done
}

enable_stops() {
	put maskset RALL
	put enable 0
	written=$(key status written)
	"$H" getppid 50 >/dev/null
	[ "$(key status written)" -eq "$written" ]
	[ "$(cat "$LKST/maskset")" = RALL ]
	put enable 1
	"$H" getppid 50 >/dev/null
	[ "$(key status written)" -ge $((written + 100)) ]
}

clock_values() {
	[ "$(sed 's/[][]//g' "$LKST/clock")" = 'tsc local mono boot' ]
	for c in local mono boot "$CLOCK"; do
		put clock "$c"
		grep -qF "[$c]" "$LKST/clock"
		[ "$(tr -dc '[' <"$LKST/clock")" = '[' ]
		[ "$(key status clock)" = "$c" ]
	done
	for bad in '' utc 'mono boot' '[mono]' MONO; do
		refused EINVAL clock "$bad"
	done
}

clock_clears() {
	put clock mono
	maskset calls ':syscall default'
	put maskset calls
	"$H" getppid 10 >/dev/null
	stop
	[ "$(key status unread)" -gt 20 ]
	put clock boot
	[ "$(key status unread)" -eq 0 ]
	if grep -v '^#' "$LKST/trace"; then
		return 1
	fi
}

# in_table FILE: its lines of events of the event table.
in_table() {
	awk '$1 < 512 || $1 > 1007' "$1"
}

events_file() {
	if grep -vE '^[0-9]+ [A-Za-z0-9_]+ [a-z]+ [0-9]+ [a-z_-]+ [^ ].*[^ ]$' "$LKST/events"; then
		return 1
	fi
	grep -qE '^1 PROCESS_CONTEXTSWITCH process [1-9]' "$LKST/events"
	grep -qE '^2 PROCESS_WAKEUP process [1-9]' "$LKST/events"
	for e in PROCESS_SIGSEND PROCESS_LTHREADGEN PROCESS_FORK PROCESS_EXEC \
		 PROCESS_EXIT SYSCALL_ENTRY SYSCALL_EXIT INT_HARDWARE_ENTRY \
		 INT_HARDWARE_EXIT INT_TASKLETHI_ENTRY INT_TASKLETHI_EXIT \
		 INT_TASKLET_ENTRY INT_TASKLET_EXIT INT_BH_ENTRY INT_BH_EXIT; do
		grep -qE "^[0-9]+ $e [a-z]+ [1-9][0-9]* nothing " "$LKST/events" ||
			grep -qE "^[0-9]+ $e [a-z]+ [1-9][0-9]* - " "$LKST/events"
	done
	[ -z "$(cut -d' ' -f1 "$LKST/events" | sort | uniq -d)" ]
	[ -z "$(cut -d' ' -f2 "$LKST/events" | sort | uniq -d)" ]
	# HANDLER is the current maskset's.
	maskset mine 'PROCESS_EXIT default'
	put maskset mine
	grep -qE '^7 PROCESS_EXIT process [1-9][0-9]* default a task ends$' "$LKST/events"
	[ "$(awk '$1 < 1008 && $5 == "default"' "$LKST/events" | wc -l)" -eq 1 ]
	grep -qE '^1013 LKST_MARKER lkst [0-9]+ - text ' "$LKST/events"
	# MEANING is that of etypes.
	in_table "$LKST/events" | cut -d' ' -f6- >"$TMP/meaning"
	in_table "$LKST/etypes" | awk -F'\t' '{ print $5 }' | cmp - "$TMP/meaning"
}

# etypes has the same events, and as many fields as its arguments need.
etypes_file() {
	in_table "$LKST/events" | cut -d' ' -f1-2 >"$TMP/events"
	in_table "$LKST/etypes" | awk -F'\t' '{ print $1, $2 }' | cmp - "$TMP/events"
	# Those that were made at run time and are gone are in etypes alone.
	awk '$1 >= 512 && $1 <= 1007 { print $1, $2 }' "$LKST/events" | while read -r event; do
		awk -F'\t' -v e="$event" 'e == $1 " " $2 { n++ } END { exit n != 1 }' "$LKST/etypes"
	done
	awk -F'\t' 'NF < 5 || (NF - 5) % 3 { print; bad = 1 } END { exit bad }' \
		"$LKST/etypes"
	[ "$(awk -F'\t' '$1 == 1 { print $3 "," $4 "," $6 "," $7 "," $12 }' "$LKST/etypes")" = \
		'context_switch,process,prev,ptr,prev_state' ]
}

# The sites that events counts are those that hooks lists.
hooks_file() {
	if grep -vE '^[0-9]+ [A-Za-z0-9_]+ [^ ]+\+0x[0-9a-f]+/0x[0-9a-f]+( \[[a-z0-9_]+\])?$' \
	   "$LKST/hooks"; then
		return 1
	fi
	cut -d' ' -f1-2 "$LKST/hooks" | sort -n | uniq -c |
		awk '{ print $2, $3, $1 }' >"$TMP/hooks"
	awk '$4 > 0 { print $1, $2, $4 }' "$LKST/events" | sort -n |
		cmp - "$TMP/hooks"
	# In functions that there are.
	awk '{ sub(/\+.*/, "", $3); print $3 }' "$LKST/hooks" | sort -u >"$TMP/in"
	awk 'NR == FNR { known[$3] = 1; next } !($1 in known) { print; bad = 1 }
		END { exit bad }' /proc/kallsyms "$TMP/in"
}

maskset_values() {
	put maskset RDEFAULT
	[ "$(cat "$LKST/maskset")" = RDEFAULT ]
	put maskset 1
	[ "$(cat "$LKST/maskset")" = RALL ]
	put maskset 0
	[ "$(cat "$LKST/maskset")" = RNOTHING ]
	maskset mine
	put maskset mine
	[ "$(cat "$LKST/maskset")" = mine ]
	refused ENOENT maskset nosuch
	refused ENOENT maskset 77
	refused 'EINVAL|ENOENT' maskset ''
	refused 'EINVAL|ENOENT' maskset 'RALL RALL' RALL
	refused 'EINVAL|ENOENT' maskset -1
	refused 'EINVAL|ENOENT' maskset 4294967297
}

masksets_create() {
	put masksets/create 'one'
	[ "$(sed -n 1p "$LKST/masksets/one")" = '# id 3 rw' ]
	put masksets/create 'two RALL'
	[ "$(sed -n 1p "$LKST/masksets/two")" = '# id 4 rw' ]
	put masksets/create 'ten id=10'
	[ "$(sed -n 1p "$LKST/masksets/ten")" = '# id 10 rw' ]
	put masksets/create 'three 4 id=6'
	# What they start with.
	sed 1d "$LKST/masksets/RNOTHING" >"$TMP/nothing"
	sed 1d "$LKST/masksets/RALL" >"$TMP/all"
	sed 1d "$LKST/masksets/one" | cmp - "$TMP/nothing"
	sed 1d "$LKST/masksets/two" | cmp - "$TMP/all"
	sed 1d "$LKST/masksets/three" | cmp - "$TMP/all"
	# The lowest free id comes next.
	put masksets/delete one
	[ ! -e "$LKST/masksets/one" ]
	put masksets/create _again.1-x
	[ "$(sed -n 1p "$LKST/masksets/_again.1-x")" = '# id 3 rw' ]
	put masksets/create abcdefghijabcdefghijabcdefghij1
	[ -e "$LKST/masksets/abcdefghijabcdefghijabcdefghij1" ]
}

masksets_create_bad() {
	put masksets/create mine
	refused EEXIST masksets/create mine
	refused EEXIST masksets/create RALL
	refused 'EEXIST|EINVAL' masksets/create default2\ id=3 default2
	refused 'EEXIST|EINVAL|EPERM' masksets/create low\ id=1 1
	refused 'EINVAL' masksets/create bad\ id=x x
	refused 'EINVAL' masksets/create bad\ id=-5 5
	refused ENOENT masksets/create 'new nosuch' nosuch
	refused EINVAL masksets/create a/b
	refused EINVAL masksets/create ../x
	refused EINVAL masksets/create .
	refused EINVAL masksets/create ''
	refused EINVAL masksets/create 3
	refused EINVAL masksets/create 7up
	refused EINVAL masksets/create 'new RALL more' more
	refused EINVAL masksets/create "$(printf 'a\001b')" ''
	refused EINVAL masksets/create "$(printf 'tab\033[31m')" ''
	refused EINVAL masksets/create "$(printf 'caf\303\251')" ''
	refused EINVAL masksets/create abcdefghijabcdefghijabcdefghij12 abcdefghij
	refused 'EINVAL|EEXIST' masksets/create create
	refused 'EINVAL|EEXIST' masksets/create delete
}

masksets_delete_bad() {
	refused ENOENT masksets/delete nosuch
	for r in RNOTHING RALL RDEFAULT; do
		refused 'EPERM|EBUSY' masksets/delete "$r"
	done
	refused 'EINVAL|ENOENT' masksets/delete ''
	maskset mine
	put maskset mine
	refused EBUSY masksets/delete mine
	stop
	put masksets/delete mine
	refused ENOENT masksets/delete mine
}

masksets_reserved() {
	for r in RNOTHING RALL RDEFAULT; do
		refused EPERM "masksets/$r" 'PROCESS_EXIT nothing' "$r"
	done
	grep -qx '# id 0 ro' "$LKST/masksets/RNOTHING"
	grep -qx '# id 1 ro' "$LKST/masksets/RALL"
	grep -qx '# id 2 ro' "$LKST/masksets/RDEFAULT"
	# All hook events are in each; RALL has a handler for all of them.
	awk '$1 < 1008 { print $2 }' "$LKST/events" >"$TMP/events"
	for r in RNOTHING RALL RDEFAULT; do
		sed 1d "$LKST/masksets/$r" | cut -d' ' -f1 | cmp - "$TMP/events"
	done
	# All of the table.
	awk 'NR == FNR { table[$2] = $1 < 512; next } FNR > 1 && table[$1] { print $2 }' \
		"$LKST/events" "$LKST/masksets/RALL" | sort -u >"$TMP/of_all"
	[ "$(cat "$TMP/of_all")" = default ]
	[ "$(sed 1d "$LKST/masksets/RNOTHING" | cut -d' ' -f2 | sort -u)" = nothing ]
}

# What RDEFAULT records is what the file "primary" says: who gives an event another rank
# has to change it there, too. What locks are taken and released is not among it.
masksets_default() {
	sed -n 's/ default$//p' "$LKST/masksets/RDEFAULT" >"$TMP/default"
	grep -v '^#' "$SRC/primary" | diff - "$TMP/default"
	[ "$(sed 1d "$LKST/masksets/RDEFAULT" | cut -d' ' -f2 | sort -u | tr '\n' ' ')" = \
		'default nothing ' ]
	awk '$3 == "lock" && $2 !~ /_CONTENTION_|_WAIT$/ { print $2 }' "$LKST/events" >"$TMP/locks"
	[ "$(wc -l <"$TMP/locks")" -ge 16 ]
	if grep -xF -f "$TMP/locks" "$TMP/default"; then
		return 1
	fi
}

masksets_edit() {
	maskset mine
	f="$LKST/masksets/mine"
	put masksets/mine 'PROCESS_EXIT default'
	[ "$(sed 1d "$f" | grep -c ' default$')" -eq 1 ]
	grep -qx 'PROCESS_EXIT default' "$f"
	put masksets/mine '7 255'
	grep -qx 'PROCESS_EXIT nothing' "$f"
	put masksets/mine '1 1'
	grep -qx 'PROCESS_CONTEXTSWITCH default' "$f"
	put masksets/mine 'INT_* default'
	[ "$(grep -c '^INT_.* default$' "$f")" -eq "$(grep -c '^INT_' "$f")" ]
	[ "$(sed 1d "$f" | grep -c ' default$')" -eq $(($(grep -c '^INT_' "$f") + 1)) ]
	put masksets/mine '* nothing'
	[ "$(sed 1d "$f" | grep -c ' default$')" -eq 0 ]
	put masksets/mine ':syscall default'
	[ "$(sed 1d "$f" | grep ' default$')" = "$(printf 'SYSCALL_ENTRY default\nSYSCALL_EXIT default')" ]
	put masksets/mine ':all default' || put masksets/mine '* default'
	# Comments, empty lines, blanks; later lines win.
	printf '# a comment\n\n  \n\t PROCESS_EXIT \t nothing  \n* nothing\n2 1\n' |
		"$H" wr "$f" | grep -qx OK
	[ "$(sed 1d "$f" | grep ' default$')" = 'PROCESS_WAKEUP default' ]
	# No newline at the end.
	printf 'PROCESS_WAKEUP nothing' | "$H" wr "$f" | grep -qx OK
	[ "$(sed 1d "$f" | grep -c ' default$')" -eq 0 ]
}

# Any number of write()s is one transaction: long ones cut wherever they like, and
# short ones of whole lines.
masksets_pieces() {
	cat "$LKST/masksets/RALL" >"$TMP/all"
	sed 1d "$TMP/all" >"$TMP/rest"
	{
		seq 1 500 | sed 's/^/# a comment, number /'
		cat "$TMP/all"
		seq 1 500 | sed 's/^/# another comment, number /'
	} >"$TMP/long"
	for n in 1024 1031 4096 5000; do
		maskset "by$n"
		"$H" wr -c "$n" "$LKST/masksets/by$n" <"$TMP/long" | grep -qx OK
		sed 1d "$LKST/masksets/by$n" | cmp - "$TMP/rest"
	done
	maskset lines
	while read -r line; do
		echo "$line"
	done <"$TMP/all" >"$LKST/masksets/lines"
	sed 1d "$LKST/masksets/lines" | cmp - "$TMP/rest"
	# One of these fails: all of them have not been.
	maskset none 'PROCESS_EXIT default'
	sed 1d "$LKST/masksets/none" >"$TMP/before"
	(
		echo 'INT_* default'
		echo 'SYSCALL_ENTRY default'
		echo 'SYSCALL_ENTRIE default'
	) >"$LKST/masksets/none" 2>"$TMP/err" && return 1
	sed 1d "$LKST/masksets/none" | cmp - "$TMP/before"
	# As the documentation has it.
	maskset mine
	cat "$LKST/masksets/RALL" >"$LKST/masksets/mine"
	sed 1d "$LKST/masksets/mine" | cmp - "$TMP/rest"
}

# Whatever is wrong with a write, none of the others stays, and no more is taken.
masksets_fault() {
	maskset mine 'PROCESS_EXIT default'
	sed 1d "$LKST/masksets/mine" >"$TMP/before"
	[ "$("$H" fault "$LKST/masksets/mine" 'PROCESS_FORK default')" = 'OK EFAULT EINVAL' ]
	sed 1d "$LKST/masksets/mine" | cmp - "$TMP/before"
}

# A bad last line without a newline, in a write so long that a C library may have cut it.
masksets_bad_end() {
	maskset mine 'PROCESS_EXIT default'
	sed 1d "$LKST/masksets/mine" >"$TMP/before"
	{
		seq 1 60 | sed 's/^/# a comment, number /'
		echo 'PROCESS_FORK default'
	} >"$TMP/good"
	[ "$(wc -c <"$TMP/good")" -gt 1024 ]
	for bad in 'NO_SUCH_EVENT' 'PROCESS_EXIT nosuch' 'PROCESS_EX'; do
		echo >"$LKST/error_log"
		{ cat "$TMP/good"; printf %s "$bad"; } | "$H" wr "$LKST/masksets/mine" |
			grep -qxE 'EINVAL|ENOENT'
		grep -qF "${bad##* }" "$LKST/error_log"
		sed 1d "$LKST/masksets/mine" | cmp - "$TMP/before"
	done
	# A good one counts, whether it is cut or not.
	{ cat "$TMP/good"; printf 'PROCESS_WAKEUP default'; } |
		"$H" wr "$LKST/masksets/mine" | grep -qx OK
	grep -qx 'PROCESS_WAKEUP default' "$LKST/masksets/mine"
	# Whoever reads only, or writes nothing, closes a file like any other.
	"$H" wr "$LKST/masksets/mine" </dev/null | grep -qx OK
}

# One bad line among 99 good ones, first, in the middle and last.
masksets_one_bad() {
	maskset mine 'PROCESS_EXIT default'
	for at in 50 1 100; do
		for bad in 'NO_SUCH_EVENT default' 'PROCESS_EXIT nosuch' \
			   'PROCESS_EXIT' '999 default' 'PROCESS_EXIT 77' \
			   ':nosuch default' 'NO_* default' \
			   'PROCESS_EXIT default more' 'LKST_MARKER nothing'; do
			awk -v at="$at" -v bad="$bad" 'BEGIN {
				for (i = 1; i <= 100; i++)
					print i == at ? bad : \
						"PROCESS_" (i % 2 ? "WAKEUP" : "FORK") " default" }' \
				>"$TMP/lines"
			settings >"$TMP/s1"
			echo >"$LKST/error_log"
			err=$("$H" wr "$LKST/masksets/mine" <"$TMP/lines")
			case $err in
			EINVAL | ENOENT | EPERM) ;;
			*) return 1 ;;
			esac
			settings >"$TMP/s2"
			cmp "$TMP/s1" "$TMP/s2"
			cat "$LKST/error_log"
			grep -q "masksets/mine: $err: " "$LKST/error_log"
			# It names the line and a word of it.
			grep -qw "$at" "$LKST/error_log"
			for w in $bad; do
				case $w in
				default | nothing) ;;
				*) grep -qF "$w" "$LKST/error_log" && break ;;
				esac
			done
			# At the ends, the first of them will do.
			[ "$at" = 50 ] || break
		done
	done
}

masksets_errors() {
	maskset mine
	refused EINVAL masksets/mine 'NO_SUCH default' NO_SUCH
	refused 'EINVAL|ENOENT' masksets/mine 'PROCESS_EXIT nosuch' nosuch
	refused 'EINVAL|ENOENT' masksets/mine ':nosuch default' nosuch
	refused EINVAL masksets/mine 'PROCESS_EXIT'
	refused EINVAL masksets/mine '511 default' 511
	refused 'EINVAL|ENOENT' masksets/mine '1 200' 200
	refused 'EINVAL|ENOENT' masksets/mine '1 256' 256
	refused 'EINVAL|ENOENT' masksets/mine '1 0' 0
	refused EINVAL masksets/mine 'ZZ* default' 'ZZ*'
}

# What the current maskset names counts at once.
masksets_edit_current() {
	maskset mine 'SYSCALL_ENTRY default'
	put maskset mine
	first=$("$H" getppid 20)
	put masksets/mine 'SYSCALL_ENTRY nothing
SYSCALL_EXIT default'
	second=$("$H" getppid 30)
	stop
	set -- "${first% *}" "${second% *}"
	dump
	[ "$(awk -v p="$1" -v nr="$(nr getppid)" '$3 == p && $5 == "SYSCALL_ENTRY" && $6 == nr' "$TMP/dump" | wc -l)" -eq 21 ]
	[ "$(awk -v p="$1" '$3 == p && $5 == "SYSCALL_EXIT"' "$TMP/dump" | wc -l)" -eq 0 ]
	[ "$(awk -v p="$2" '$3 == p && $5 == "SYSCALL_ENTRY"' "$TMP/dump" | wc -l)" -eq 0 ]
	[ "$(awk -v p="$2" -v nr="$(nr getppid)" '$3 == p && $5 == "SYSCALL_EXIT" && $6 == nr' "$TMP/dump" | wc -l)" -eq 31 ]
}

handlers_files() {
	[ "$(cat "$LKST/handlers/default/id")" = 1 ]
	[ "$(cat "$LKST/handlers/nothing/id")" = 255 ]
	# users: the masksets that name it.
	n=$(cat "$LKST/handlers/default/users")
	maskset one 'PROCESS_EXIT default' 'PROCESS_FORK default'
	[ "$(cat "$LKST/handlers/default/users")" -eq $((n + 1)) ]
	put masksets/one '* nothing'
	[ "$(cat "$LKST/handlers/default/users")" -eq "$n" ]
	put masksets/one 'PROCESS_EXIT default'
	put masksets/delete one
	[ "$(cat "$LKST/handlers/default/users")" -eq "$n" ]
}

marker_text() {
	quiet
	put marker 'hello, world'
	put marker "$(printf '%0100d' 7)"
	printf 'without newline' >"$LKST/marker"
	stop
	dump
	grep -q ' LKST_MARKER 0 hello, world' "$TMP/dump"
	grep -q " LKST_MARKER 0 $(printf '%0100d' 7)" "$TMP/dump"
	grep -q ' LKST_MARKER 0 without newline$' "$TMP/dump"
	# While nothing is recorded, a marker is lost on nobody.
	written=$(key status written)
	"$H" wr "$LKST/marker" 'to nobody'
	[ "$(key status written)" -eq "$written" ]
}

error_log_keeps() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 \
		 25 26 27 28 29 30 31 32 33 34 35; do
		"$H" wr "$LKST/maskset" "nosuch$i"
	done
	[ "$(wc -l <"$LKST/error_log")" -eq 32 ]
	# The oldest have gone, the rest is in order.
	grep -o 'nosuch[0-9]*' "$LKST/error_log" | uniq >"$TMP/log"
	seq 4 35 | sed s/^/nosuch/ | cmp - "$TMP/log"
	put error_log ''
	[ "$(wc -c <"$LKST/error_log")" -eq 0 ]
	# A write that works leaves no line.
	put enable 1
	put maskset RNOTHING
	[ "$(wc -c <"$LKST/error_log")" -eq 0 ]
}

per_cpu_files() {
	for cpu in $(cpus); do
		d=per_cpu/cpu$cpu
		[ "$(cat "$LKST/$d/buffer")" = main ]
		for k in written read overwritten discarded nmi busy nobuf \
			 recursed unread; do
			key "$d/stats" "$k" | grep -qxE '[0-9]+'
		done
		refused ENOENT "$d/buffer" nosuch
		refused 'EINVAL|ENOENT' "$d/buffer" ''
	done
	refused ENOENT buffer nosuch
	refused 'EINVAL|ENOENT' buffer ''
}

# What follows a NUL character would be lost without a word.
nul() {
	maskset mine
	put buffers/create 'b 64K'
	settings >"$TMP/s1"
	while read -r f text; do
		echo >"$LKST/error_log"
		printf '%s\0%s' "$text" more | "$H" wr "$LKST/$f" | grep -qx EINVAL
		grep "$f: EINVAL: a NUL character\$" "$LKST/error_log"
	done <<-END
		enable 0
		maskset mine
		masksets/create other
		masksets/delete mine
		masksets/mine PROCESS_EXIT default
		buffers/create other 64K
		buffers/delete b
		buffers/b/size 128K
		handlers/create default other
		handlers/delete other
		handlers/default/control x
	END
	settings >"$TMP/s2"
	cmp "$TMP/s1" "$TMP/s2"
	# White space is the same everywhere.
	put masksets/create "$(printf 'vt\vRALL')"
	[ -f "$LKST/masksets/vt" ]
}

# Long and random input: an error, nothing changed, nothing broken.
garbage() {
	# Too long is an error like the others, with a line in error_log.
	for n in 5000 300000; do
		echo >"$LKST/error_log"
		head -c "$n" /dev/zero | tr '\0' a | "$H" wr "$LKST/maskset" | grep -vqx OK
		[ "$(wc -l <"$LKST/error_log")" -ge 1 ]
	done
	settings >"$TMP/s1"
	head -c 300000 /dev/zero | tr '\0' a >"$TMP/long"
	head -c 70000 /dev/zero >"$TMP/zero"
	n=$(scaled 12)
	for f in enable clock maskset masksets/create masksets/delete \
		 buffers/create buffers/delete buffer per_cpu/cpu0/buffer \
		 buffers/main/size buffers/main/mode masksets/RALL; do
		[ "$("$H" wr "$LKST/$f" <"$TMP/long")" != OK ]
		[ "$("$H" wr "$LKST/$f" <"$TMP/zero")" != OK ]
		i=0
		while [ "$i" -lt "$n" ]; do
			# With a byte that no name has: three others may well be one.
			{ printf '\001'; head -c $((i * 7 + 3)) /dev/urandom; } |
				"$H" wr "$LKST/$f" | grep -vqx OK
			i=$((i + 1))
		done
	done
	maskset mine
	[ "$("$H" wr "$LKST/masksets/mine" <"$TMP/long")" != OK ]
	put masksets/delete mine
	cat "$LKST/error_log" >"$TMP/log"
	settings >"$TMP/s2"
	cmp "$TMP/s1" "$TMP/s2"
	# What was refused is shown in a form that a terminal can bear.
	[ "$(tr -d '\040-\176\n\t' <"$TMP/log" | wc -c)" -eq 0 ]
}

t 'no memory is taken before the first start' untouched
t 'every file of the interface is there' files_exist
t 'every file can be read or says why not' files_read
t 'only root may use the files' files_root_only
t 'version' version_file
t 'README names every file' readme_file
t 'status has all keys and tells the truth' status_file
t 'status adds up what CPUs and buffers count' status_sums
t 'enable takes 0 and 1 and nothing else' enable_values
t 'enable stops and starts everything' enable_stops
t 'clock takes the four clocks and nothing else' clock_values
t 'another clock empties the buffers' clock_clears
t 'events lists id, name, category, sites and handler' events_file
t 'etypes lists the same events with their arguments' etypes_file
t 'hooks lists the sites that events counts' hooks_file
t 'maskset takes names and ids' maskset_values
t 'masksets/create gives name, base and id' masksets_create
t 'masksets/create refuses bad, known and unknown names' masksets_create_bad
t 'masksets/delete refuses the current and the reserved' masksets_delete_bad
t 'reserved masksets hold all events and stay as they are' masksets_reserved
t 'RDEFAULT is the events that are worth recording at all times' masksets_default
t 'a maskset is edited by name, id, glob and category' masksets_edit
t 'a maskset can be written in pieces' masksets_pieces
t 'a write from where there is no memory takes back the whole edit' masksets_fault
t 'a bad last line without an end is refused when the file is closed' masksets_bad_end
t 'one bad line among 99 good ones: none applies' masksets_one_bad
t 'a bad line gets the errno that fits' masksets_errors
t 'an edit of the current maskset counts at once' masksets_edit_current
t 'handlers show id and users' handlers_files
t 'marker text is recorded as it is' marker_text
t 'error_log keeps the last 32 and can be emptied' error_log_keeps
t 'per_cpu files' per_cpu_files
t 'a NUL character is refused by each file' nul
t 'long and random input changes nothing' garbage
finish
