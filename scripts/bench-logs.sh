#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# How fast logs are read: records a second, and the most memory, of every analysis of lkstla
# and of lkstbuf print, on a log of a real mix (scripts/bench/mix.sh, recorded in a guest with
# the maskset full, and repeated up to RECORDS); beside it, what other tools take for the same
# events, as far as they can be had here.
#
# usage: bench-logs.sh	RECORDS=30000000	how many; 2000000 is a quick run
#				RUNS=3			of these the quickest counts
#				LOG=			the log to repeat, instead of recording one
#				DIR=			for large files (default: TMPDIR)
#
# The table is in out/bench/logs.csv, too, and all that is printed in logs.txt.

set -eu
. "$(dirname "$0")/lib.sh"

: "${RECORDS:=30000000}" "${RUNS:=3}" "${LOG:=}" "${DIR:=${TMPDIR:-/tmp}}"
result=$OUT/bench
work=$(mktemp -d "$DIR/lkst-logs.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

fetch build logs
mkdir -p "$result" "$work/tools"

# === What is measured with, and on ===

make -s -C "$BUILD/linux/tools/tracing/lkst" --no-print-directory -j "$JOBS" \
	OUTPUT="$work/tools/" LDFLAGS=-static all >"$work/make.log" 2>&1 || {
	cat "$work/make.log" >&2
	die 'the tools do not build'
}
PATH=$work/tools:$PATH
gcc -O2 -o "$work/repeat" "$TOP/scripts/bench/repeat.c"

if [ -z "$LOG" ]; then
	LOG=$result/mix.log
	[ -s "$LOG" ] || MEM=3G TIMEOUT=1200 "$TOP/scripts/run.sh" "
		export PATH=/guest/bin:\$PATH
		lkst setup full &&
		lkst record -s 256M -m full -o /out/bench/mix.log -- \
			sh /src/scripts/bench/mix.sh '/host$BUILD/linux'" >&2
fi
"$work/repeat" "$RECORDS" <"$LOG" >"$work/log"
records=$(lkst info "$work/log" 2>/dev/null | sed -n 's/^records: //p')
bytes=$(wc -c <"$work/log")

# === Measuring ===

# measure COMMAND...: "SECONDS KIB", its processor time and most memory; of RUNS runs the
# quickest. Pages of the log that are mapped and clean are the page cache's, not memory.
measure()
{
	for _ in $(seq "$RUNS"); do
		/usr/bin/time -f '%U %S' -o "$work/time" "$@" >/dev/null 2>"$work/err" || {
			tail -n 3 "$work/err" >&2
			return 1
		}
		awk 'END { print $1 + $2 }' "$work/time"
	done | sort -n | sed -n 1p
}

# What it takes of its own: sampled, as what it has mapped of the log would count as well.
memory()
{
	"$@" >/dev/null 2>&1 &
	pid=$!
	most=0
	while kill -0 $pid 2>/dev/null; do
		now=$(awk '/^RssAnon:/ { print $2 }' "/proc/$pid/status" 2>/dev/null || :)
		[ "${now:-0}" -le "$most" ] || most=$now
		sleep 0.02
	done
	wait $pid || :
	echo "$most"
}

line()
{
	printf '%-24s  %9s  %12s  %9s\n' "$@"
}

rule()
{
	line ======================== ========= ============ =========
}

# row EVENTS COMMAND... FILE
row()
{
	events=$1
	shift
	shown=$(echo "$*" | sed 's, [^ ]*$,,')
	seconds=$(measure "$@") || seconds=
	if [ -z "$seconds" ]; then
		line "$shown" failed
		return
	fi
	kib=$(memory "$@")
	rate=$(awk -v n="$events" -v s="$seconds" 'BEGIN { printf "%.2f", n / 1e6 / (s ? s : 0.01) }')
	line "$shown" "$seconds" "$rate" "$(awk -v k="$kib" 'BEGIN { printf "%.1f", k / 1024 }')"
	echo "$shown,$events,$seconds,$rate,$kib" >>"$result/logs.csv"
}

# version COMMAND...: the first line of what it says.
version()
{
	"$@" 2>&1 | sed -n '/./{p;q}'
}

# rival FORMAT COMMAND...: on what "lkstla convert" makes of the log.
rival()
{
	format=$1
	shift
	if ! lkstla convert --to "$format" -o "$work/$format" "$work/log" 2>"$work/err"; then
		echo "$1: there is no $format: $(sed -n 1p "$work/err")" >>"$work/missing"
		return
	fi
	row "$records" "$@" "$work/$format"
	rm -rf "${work:?}/$format"
}

report()
{
	cat <<-END
	$records records, $bytes bytes, on $(nproc) cores; $RUNS runs of each, and the quickest counts.
	$(lkstla --version), $(gcc --version | sed -n 1p);
	$(version babeltrace2 --version); $(version trace-cmd version).
	Before it the load was $(cut -d ' ' -f 1 /proc/loadavg).

	END
	rule
	line command seconds 'millions/s' MiB
	rule
	for verb in $(lkstla --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | grep -vx convert); do
		row "$records" lkstla "$verb" "$work/log"
	done
	row "$records" lkstbuf print "$work/log"
	row "$records" lkstbuf print -C "$work/log"
	rival ctf babeltrace2
	rival trace.dat trace-cmd report -i
	rule
	echo
	cat "$work/missing"
}

{
	echo 'Not measured, since it needs more than the log:'
	echo 'perf sched, as only perf record makes what it reads;'
	echo 'lttng-schedstats, which is Python.'
} >"$work/missing"
echo 'command,events,seconds,million_a_second,kib' >"$result/logs.csv"
report | tee "$result/logs.txt"
