#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What a page of "lkstla page" of a million states takes: how long it is in the making, how
# large it is, when it can be seen, how long a frame takes at 1600x900, at five zooms, and how
# much memory the browser has for it. In Debian's chromium, without a screen or a GPU.
#
# usage: bench-page.sh	ROUNDS=135000	of the log that is made: of 8 records, with some 7 states
#				LOG=		a log of yours instead
#				FRAMES=30	how many at each zoom
#
# The table is in out/bench/page.csv, too.

set -eu
. "$(dirname "$0")/lib.sh"

: "${ROUNDS:=135000}" "${LOG:=}" "${FRAMES:=30}"
result=$OUT/bench
tmp=$(mktemp -d)
. "$TOP/selftests/host/browser.sh"
trap 'browser_stop; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP

fetch build page || say 'a browser could not be installed'
if browser_missing >"$tmp/why"; then
	echo "Not measured, the page: $(cat "$tmp/why")"
	exit
fi
mkdir -p "$result" "$tmp/tools"
make -s -C "$BUILD/linux/tools/tracing/lkst" --no-print-directory -j "$JOBS" \
	OUTPUT="$tmp/tools/" LDFLAGS=-static all >"$tmp/make.log" 2>&1 || {
	cat "$tmp/make.log" >&2
	die 'the tools do not build'
}
if [ -z "$LOG" ]; then
	gcc -O2 -o "$tmp/genlog" "$TOP/selftests/host/genlog.c"
	LOG=$tmp/good.log
	"$tmp/genlog" -n "$ROUNDS" many_good >"$LOG"
fi

# row WHAT VALUE UNIT
row()
{
	[ -n "$2" ] || die "the page does not tell: $1"
	echo "$1,$2,$3" >>"$result/page.csv"
	printf '%-34s %12s %s\n' "$@"
}

echo 'what,value,unit' >"$result/page.csv"
/usr/bin/time -f '%e %U %M' -o "$tmp/time" "$tmp/tools/lkstla" page "$LOG" -o "$tmp/page.html" \
	2>"$tmp/err" || { cat "$tmp/err" >&2; die 'there is no page'; }
read -r wall user kib <"$tmp/time"
read -r load _ </proc/loadavg
echo "Before it the load was $load on $(nproc) cores."
row 'lkstla page' "$wall" s
row 'of it in user mode' "$user" s
row 'its memory, the mapped log included' $((kib / 1024)) MiB
row 'the file' "$(awk -v n="$(wc -c <"$tmp/page.html")" 'BEGIN { printf "%.2f", n / 1e6 }')" MB

browser_start --enable-precise-memory-info
size 1600 900
scheme light
go "$tmp/page.html"
row states "$(js 'return lkst.spans().from.length')" ''
row lanes "$(js 'return lkst.lanes.length')" ''
row 'records' "$(js 'return lkst.about.records')" ''
row 'first paint' "$(js 'return Math.round(performance.getEntriesByName("first-contentful-paint")[0]
	?.startTime)')" ms
row 'all there' "$(js 'return document.documentElement.dataset.ready')" ms
row 'heap of scripts' "$(js 'return Math.round(performance.memory.usedJSHeapSize / 1e6)')" MB
for zoom in 1 4 16 64 256; do
	js "const { view, about } = lkst, length = (about.to - about.from) / $zoom, times = [];
		for (let i = 0; i < $FRAMES; i++) {
			/* Each is another part. */
			view.from = about.from + (about.to - about.from - length) * i / $FRAMES;
			view.to = view.from + length;
			const start = performance.now();
			lkst.frame();
			times.push(performance.now() - start);
		}
		times.sort((a, b) => a - b);
		return times[0].toFixed(1) + ' ' + times[$FRAMES >> 1].toFixed(1)" >"$tmp/frames"
	read -r best median <"$tmp/frames"
	row "a frame, 1/$zoom of it, median" "$median" ms
	row "a frame, 1/$zoom of it, best" "$best" ms
done
