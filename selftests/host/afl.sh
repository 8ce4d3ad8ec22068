#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Damages logs, as test_damaged_logs_crash_nothing of run.sh does, but goes on with those that
# made a tool do something new: what comes of it gets into corners that chance does not. Each
# command that reads a log, under ASAN and UBSAN, with clang and Debian's afl++. KTAP on stdout.
#
#	afl.sh [COMMAND...]		as "lkstla wait --of 201"; default: all
#
# KSRC: the patched tree. SECONDS_EACH: for each command (default: ten minutes for all).
# OUT: where it leaves what it found, in afl/.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
: "${KSRC:=$here/../../build/linux}" "${OUT:=$here/../../out}" "${SECONDS_EACH:=}"
tools=$(cd "$KSRC/tools/tracing/lkst" && pwd)
result=$OUT/afl
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
export LC_ALL=C

# It is no terminal, no one's machine to tune, and a core is nothing to look for.
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_QUIET=1 \
	AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1

# === What is fuzzed ===

# To add 0 to a pointer that is NULL, as where an array of none ends, is what C2y allows and all
# compilers take: that is only told of, and all else that is told of is looked for at the end.
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
sanitize="$sanitize -fsanitize-recover=pointer-overflow"
mkdir -p "$tmp/bin"
make -s -C "$tools" --no-print-directory -j2 CC=afl-clang-fast CFLAGS="-O1 -g $sanitize" \
	LIBKDUMPFILE=0 OUTPUT="$tmp/bin/" all >"$tmp/make.log" 2>&1 || {
	cat "$tmp/make.log"
	exit 1
}

# Each analysis, and what else reads a log.
commands()
{
	"$tmp/bin/lkstla" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/lkstla \1/p'
	echo 'lkstla wait --of 201'
	echo 'lkst print -C'
	echo 'lkst print -VR'
	echo 'lkst info'
}

[ $# -gt 0 ] || commands >"$tmp/commands"
for command; do
	echo "$command"
done >>"$tmp/commands"

# program NAME MAIN OBJECT...: with its main() in a loop.
program()
{
	name=$1
	main=$2
	shift 2
	rm -f "$tmp/bin/$name"
	afl-clang-fast -O1 -g $sanitize -std=gnu11 -w -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
		-D__SANE_USERSPACE_TYPES__ "-DMAIN=\"$tools/cmd/$main\"" -I"$tmp/bin" \
		-I"$tools/lib" -idirafter "$KSRC/tools/include" -o "$tmp/bin/$name" \
		"$here/afl.c" "$@"
}

cd "$tmp/bin"
program lkstla lkstla.c lib/*.o analysis/*.o
# shellcheck disable=SC2046 # a list of files
program lkst main.c lib/*.o dump/*.o $(echo cmd/*.o | sed 's,cmd/main\.o,,; s,cmd/lkstla\.o,,')
cd - >/dev/null

# The smaller ones of the golden logs.
cc -O2 -w -o "$tmp/genlog" "$here/genlog.c"
mkdir "$tmp/seeds"
sed -n '/^} cases\[\] = {/,/^};/p' "$here/genlog.c" | grep -o '{ "[a-z0-9_]*"' | tr -d '{ "' |
while read -r case; do
	case $case in large | long_head | etypes) continue ;; esac
	"$tmp/genlog" "$case" >"$tmp/seeds/$case"
	"$tmp/genlog" -b -3 "$case" >"$tmp/seeds/$case.b3"
done
find "$tmp/seeds" -size +48k -delete

# === Fuzzing ===

# Does it fail at that?
fails()
{
	status=0
	ASAN_OPTIONS=detect_leaks=0 timeout 20 "$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	[ $status -gt 4 ] || grep 'runtime error' "$tmp/stderr" |
		grep -qv 'applying zero offset to null pointer'
}

# fuzz COMMAND...: 0 if it found nothing.
fuzz()
{
	dir=$result/$(echo "$*" | tr -c 'a-z0-9\n' _)
	rm -rf "$dir"
	mkdir -p "$dir"
	program=$1
	shift
	afl-fuzz -V "$SECONDS_EACH" -t 2000 -m none -i "$tmp/seeds" -o "$dir" -- \
		"$tmp/bin/$program" "$@" @@ >"$dir/log" 2>&1 || {
		tail -n 20 "$dir/log"
		return 1
	}
	sed -n 's/ *: */ /; /^execs_done\|^bitmap_cvg\|^corpus_count/s/^/# /p' \
		"$dir/default/fuzzer_stats"
	failed=0
	for input in "$dir"/default/crashes/id* "$dir"/default/hangs/id* "$dir"/default/queue/id*; do
		# On a busy machine, what seemed to hang was only slow.
		[ -f "$input" ] && fails "$tmp/bin/$program" "$@" "$input" || continue
		echo "# ${input#"$OUT"/}: status $status"
		grep -m 3 -e ERROR: -e 'runtime error' -e '^ *#[0-4] ' "$tmp/stderr" | sed 's/^/# /'
		failed=1
	done
	return $failed
}

: "${SECONDS_EACH:=$((600 / $(wc -l <"$tmp/commands")))}"
echo 'KTAP version 1'
echo "1..$(wc -l <"$tmp/commands")"
n=0
bad=0
while read -r command; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # a list of words
	if fuzz $command </dev/null; then
		echo "ok $n $command"
	else
		bad=$((bad + 1))
		echo "not ok $n $command"
	fi
done <"$tmp/commands"
[ $bad -eq 0 ]
