#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the user tools that need no LKST kernel and no root: logs that genlog
# made, damaged ones, and control files that are plain files. KTAP on stdout.
#
#	run.sh [TEST...]
#
# KSRC: the patched tree (default: that of the repository, or the one this is in).
# LKST_TOOLS: a folder with the tools; without it they are built.
# FUZZ: how many seeds of damaged logs to read (default 2).
# CUTS: how many logs to cut blocks out of (default 50).
# MANY: rounds of 8 records in the logs that were made to be slow (default 25000).

here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
for dir in "${KSRC:-}" "$here/../../build/linux" "$here/../../../../.."; do
	[ -f "$dir/tools/tracing/lkst/Makefile" ] && break
done
ksrc=$(cd "$dir" && pwd)
if [ ! -f "$ksrc/tools/tracing/lkst/Makefile" ]; then
	echo "run.sh: there is no tools/tracing/lkst; set KSRC" >&2
	exit 1
fi
docs=$here/../../Documentation/tools
[ -d "$docs" ] || docs=$ksrc/Documentation/trace/lkst/tools
cc=${CC:-cc}
unset LKST_DEBUGFS
export LC_ALL=C

# === What the tests are made of ===

# build DIR MAKE-ARGUMENTS...
build()
{
	mkdir -p "$1"
	out=$1
	shift
	make -s -C "$ksrc/tools/tracing/lkst" --no-print-directory -j2 \
		OUTPUT="$out/" "$@" >"$out/make.log" 2>&1
}

# The log of a case, made once.
log()
{
	name=$(echo "$*" | tr -d ' ')
	[ -f "$tmp/$name.log" ] || "$tmp/genlog" "$@" >"$tmp/$name.log"
	echo "$tmp/$name.log"
}

# same FILE COMMAND...: the command succeeds, and prints what is in the file.
same()
{
	expected=$here/expected/$1
	shift
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || {
		echo "status $?: $*"
		cat "$tmp/stderr"
		return 1
	}
	[ -z "$UPDATE" ] || cp "$tmp/stdout" "$expected"
	diff -u "$expected" "$tmp/stdout"
}

# fails_with STATUS TEXT COMMAND...: that status, and one line on stderr with the text in it.
fails_with()
{
	want=$1
	text=$2
	shift 2
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null || status=$?
	if [ "$status" -ne "$want" ]; then
		echo "status $status, not $want: $*"
		return 1
	fi
	if [ "$(wc -l <"$tmp/stderr")" -ne 1 ] || ! grep -qF -- "$text" "$tmp/stderr"; then
		echo "not one line with \"$text\": $*"
		cat "$tmp/stderr"
		return 1
	fi
}

fails() { fails_with 1 "$@"; }
# The command line is wrong.
wrong() { fails_with 2 "$@"; }

# equal WHAT WANTED FOUND
equal()
{
	[ "$2" = "$3" ] && return
	echo "$1: wanted \"$2\", found \"$3\""
	return 1
}

# Control files, as far as plain files can be that.
fake()
{
	rm -rf "$tmp/fake"
	mkdir -p "$tmp/fake/lkst/masksets" "$tmp/fake/lkst/buffers/main" \
		"$tmp/fake/lkst/handlers/default" "$tmp/fake/lkst/handlers/nothing" \
		"$tmp/fake/lkst/handlers/pidfilter" \
		"$tmp/fake/lkst/per_cpu/cpu0" "$tmp/fake/lkst/per_cpu/cpu1"
	(
		cd "$tmp/fake/lkst" || exit 1
		echo 1 >enable
		echo RNOTHING >maskset
		echo main >buffer
		echo '[tsc] local mono boot' >clock
		printf 'version: 1.0.0\nabi: 2\n' >version
		cat >status <<-STATUS
			enable: 1
			tracing: 1
			maskset: mine
			buffer: main
			memory: 2097152
			clock: tsc
			clock_khz: 2000000
			clock_start: 1000000000000 5000000000 1700000000000000000 5000000007
			clock_now: 1004000000000 7000000000 1700000002000000000 7000000007
			cpus: 2
		STATUS
		# shellcheck disable=SC2094
		"$tmp/genlog" etypes >etypes
		: >masksets/create
		: >masksets/delete
		: >error_log
		: >marker
		printf '1 1 init\n7 7 odd\\nname\\\\\n' >names
		: >trace
		: >buffers/create
		: >buffers/delete
		printf '# id 0 ro\nA nothing\nB nothing\n' >masksets/RNOTHING
		printf '# id 1 ro\nA default\nB default\n' >masksets/RALL
		printf '# id 3 rw\nA nothing\nB default\n' >masksets/mine
		echo 1 >handlers/default/id
		echo 2 >handlers/default/users
		echo 255 >handlers/nothing/id
		echo 3 >handlers/nothing/users
		echo 7 >handlers/pidfilter/id
		echo 0 >handlers/pidfilter/users
		echo pid=1 >handlers/pidfilter/control
		echo 1048576 >buffers/main/size
		echo '[overwrite] discard' >buffers/main/mode
		echo >buffers/main/next
		: >buffers/main/trace
		cat >buffers/main/stats <<-STATS
			cpu written read overwritten discarded nmi busy unread blocks
			0 100 10 20 1 2 3 70 16
			1 1000 0 0 0 0 0 1000 16
		STATS
		for cpu in 0 1; do
			echo main >per_cpu/cpu$cpu/buffer
			echo "written: $cpu" >per_cpu/cpu$cpu/stats
			: >per_cpu/cpu$cpu/trace
			"$tmp/genlog" raw >per_cpu/cpu$cpu/trace_raw
			"$tmp/genlog" raw >>per_cpu/cpu$cpu/trace_raw
		done
	)
	export LKST_DEBUGFS="$tmp/fake"
	f=$tmp/fake/lkst
}

# === Building ===

test_static_build_is_small()
{
	build "$tmp/static" LDFLAGS=-static || { cat "$tmp/static/make.log"; return 1; }
	equal warnings '' "$(grep -i warning "$tmp/static/make.log" || true)"
	strip "$tmp/static/lkst"
	size=$(wc -c <"$tmp/static/lkst")
	echo "# $size bytes"
	[ "$size" -lt 1000000 ]
	for name in lkstm lkstbuf lksteh lkstla; do
		"$tmp/static/$name" --version
	done
}

# lib/ knows no verb, dump/ and analysis/ know lib/ only; export/, picture/ and page/ know
# analysis/, too: by what objects refer to.
test_rooms_call_one_way()
{
	[ -f "$bin/lib/log.o" ] || { echo SKIP no objects beside the tools; return 4; }
	(cd "$bin" && for object in lib/*.o dump/*.o analysis/*.o export/*.o picture/*.o page/*.o \
			cmd/*.o; do
		nm "$object" | awk -v object="$object" '
			NF == 2 { print object, "U", $2 }
			NF == 3 && $2 ~ /^[A-Z]$/ { print object, "D", $3 }'
	done) >"$tmp/symbols"
	awk '
		function room(object) { return substr(object, 1, index(object, "/") - 1) }
		NR == FNR { if ($2 == "D" && $3 != "main") home[$3] = $1; next }
		$2 == "U" && ($3 in home) && room($1) != "cmd" && room(home[$3]) != "lib" &&
		!(room($1) ~ /^(page|export|picture)$/ && room(home[$3]) == "analysis") &&
		room(home[$3]) != room($1) { print $1 ": " $3 " is in " home[$3] }
		$2 == "U" { n++ }
		END { if (n < 100) print "only " n " references" }' "$tmp/symbols" "$tmp/symbols" |
		diff /dev/null -
}

# What comes beside the programs: a man page for each, and completion.
test_install_pages()
{
	build "$tmp/static" DESTDIR="$tmp/pages" MAN_DIR="$docs" RST2MAN= install-man
	grep -q 'no rst2man .*man pages are not installed' "$tmp/static/make.log"
	[ ! -e "$tmp/pages/usr/share/man" ]
	build "$tmp/static" DESTDIR="$tmp/pages" install-completion
	for name in lkst lkstm lkstbuf lksteh lkstla; do
		bash -n "$tmp/pages/usr/share/bash-completion/completions/$name"
	done
	command -v rst2man || command -v rst2man.py || { echo SKIP no rst2man; return 4; }
	build "$tmp/static" DESTDIR="$tmp/pages" MAN_DIR="$docs" install-man
	equal pages \
		'man1/lkst.1 man1/lkstbuf.1 man1/lksteh.1 man1/lkstla.1 man1/lkstm.1 man5/lkst-log.5' \
		"$(cd "$tmp/pages/usr/share/man" && echo man*/*)"
	grep -q '^\.TH "\{0,1\}LKSTBUF"\{0,1\} "\{0,1\}1' "$tmp/pages/usr/share/man/man1/lkstbuf.1"
	# What all pages include is in each.
	grep -q 'EXIT STATUS' "$tmp/pages/usr/share/man/man1/lksteh.1"
}

test_install()
{
	build "$tmp/static" LDFLAGS=-static DESTDIR="$tmp/root" MAN_DIR="$docs" install
	equal names 'lkst lkstbuf lksteh lkstla lkstm' "$(cd "$tmp/root/usr/bin" && echo *)"
	"$tmp/root/usr/bin/lkstbuf" --help >"$tmp/stdout"
	grep -q 'usage: lkstbuf COMMAND' "$tmp/stdout"
}

# === The command line ===

# What lkst leaves to lkstla is tried there.
commands()
{
	"$1" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' |
		if [ "$1" = lkst ]; then grep -vx -e report -e states; else cat; fi
}

test_help_of_every_command()
{
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		n=0
		for command in $(commands "$program"); do
			n=$((n + 1))
			"$program" "$command" --help >"$tmp/stdout"
			grep -q "^usage: $program $command" "$tmp/stdout"
			sed '1,/^examples:/d' "$tmp/stdout" >"$tmp/examples"
			grep -q "^  .*$program $command" "$tmp/examples"
			# What they call is there, and is called with options that it has.
			sh -n "$tmp/examples"
		done
		echo "# $program: $n commands"
		[ "$n" -gt 1 ]
	done
}

# "LETTER NAME" of all options of all commands; without a letter, "none NAME"
option_names()
{
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		for command in $(commands $program); do
			$program "$command" --help | sed -n 's/^  -\(.\), --\([a-z-]*\).*/\1 \2/p
				s/^      --\([a-z-]*\).*/none \1/p'
		done
	done | sort -u
}

# An option has one letter wherever it is, or none, and a letter is one option's.
test_one_letter_for_an_option()
{
	option_names >"$tmp/names"
	[ "$(wc -l <"$tmp/names")" -gt 20 ]
	equal options '' "$(awk '{ print $2 }' "$tmp/names" | sort | uniq -d)"
	awk '$1 != "none" { n[$1] = n[$1] " " $2; k[$1]++ }
		END { for (c in n) if (k[c] > 1) print c n[c] }' "$tmp/names" >"$tmp/stdout"
	# What is recorded is for analyses; what is analysed is all tasks. lkst probe lists
	# and deletes by the letters of perf probe.
	printf '%s\n' 'a all analysis' 'd delete dir' 'l last list' >"$tmp/want"
	sort "$tmp/stdout" | diff "$tmp/want" -
	# Those that others had as well.
	for pair in 'd dir' 'e event' 'n buffer' 'r raw' 's size' 't tid'; do
		grep -qx "$pair" "$tmp/names"
	done
}

# Letters that are another option's elsewhere: the message names the option to use.
test_options_without_a_letter()
{
	wrong 'unknown option -d; did you mean --data?' lkst states -d
	wrong 'unknown option -t; did you mean --task?' lkst states -t comm
	wrong 'unknown option -t; did you mean --to?' lkst print -rt +1
	wrong 'unknown option -s; did you mean --report?' lkst dump -s core
	wrong 'unknown option -n; did you mean --count?' lkst wait -n 0
	wrong 'unknown option -t; did you mean --timeout?' lkst wait -t 1
	wrong 'unknown option -e; did you mean --exec?' lkst wait -e true
	wrong 'unknown option -d; did you mean --discard?' lkstbuf create b 1M -d
	wrong 'unknown option -n; did you mean --next?' lkstbuf create b 1M -n main
	wrong 'unknown option -r; did you mean --reach?' lkstbuf resize main -r 1s
	# It is a letter nowhere else either, and other mistakes name the option.
	wrong 'no value for --to;' lkst print --to
	wrong 'unknown option --data=1; did you mean --data?' lkst states --data=1
	wrong 'unknown option -Z; see' lkst states -Z
	lkst states --help >"$tmp/stdout"
	grep -q '^      --data  ' "$tmp/stdout"
	if command -v bash >/dev/null; then
		equal completion --data "$(offers lkst states --da)"
		equal letter '' "$(offers lkst states -d)"
	fi
}

test_names_of_the_program()
{
	equal maskset "$(lkstm --help)" "$(lkst maskset --help)"
	equal lkstbuf "$(lkstbuf --help)" "$(lkst lkstbuf --help)"
	equal handler "$(lksteh list --help)" "$(lkst handler list --help)"
}

test_wrong_command_lines()
{
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		wrong 'unknown command "nonsense"' $program nonsense
		for command in $(commands "$program"); do
			status=2
			[ "$program $command" != 'lkst record' ] || status=125
			fails_with $status 'unknown option --nonsense' $program "$command" --nonsense
			fails_with $status 'unknown option -Z' $program "$command" -Z
		done
	done
	wrong 'no value for -m' lkstm read -m
	wrong 'it needs -m' lkstm read
	wrong 'it needs -h' lksteh control
	wrong 'unknown option -x' lkstbuf read --follow -xw
	wrong 'unknown option --follow=3' lkstbuf read --follow=3
	wrong 'one too many: b' lkst start a b
	wrong 'it takes' lkstm config -m 3 1
	wrong 'no handler for 2' lkstm config -m 3 1 1 2
}

test_no_usage_without_command()
{
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		status=0
		$program >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal status 2 $status
		grep -q '^usage: ' "$tmp/stderr"
	done
}

# The same numbers stand in common.txt.
test_exit_status()
{
	lkst print "$(log basic)" >"$tmp/stdout" 2>"$tmp/stderr"
	fails_with 1 'No such file' lkst print "$tmp/nowhere"
	fails_with 2 'unknown option' lkst print --wrong
	fails_with 2 'no value for' lkst print -f
	fails_with 2 'unknown command' lkst wrong
	fails_with 2 'is no number of seconds' lkst wait --timeout soon
	fails_with 2 'is not a CPU' lkstbuf clear -c all
	fails_with 2 'is not a number' lkst states -p all "$(log basic)"
	fails_with 3 'LKST_DEBUGFS' env LKST_DEBUGFS="$tmp/nowhere" lkst status
	head -c -16 "$(log states)" >"$tmp/cut.log"
	fails_with 125 'unknown option' lkst record --wrong -- true
	for command in 'lkst print' 'lkst states'; do
		status=0
		$command "$tmp/cut.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal "$command" 4 $status
		# What could not be printed is worse.
		[ -c /dev/full ] || continue
		status=0
		$command "$tmp/cut.log" >/dev/full 2>"$tmp/stderr" || status=$?
		equal "$command >/dev/full" 1 $status
	done
	for status in 0 1 2 3 4 125; do
		grep -q "^$status  *[a-z]" "$docs/common.txt" || { echo "no $status"; return 1; }
	done
}

test_log_is_an_argument()
{
	for command in 'lkstbuf print' 'lkst states' 'lkst print'; do
		f=$(log states)
		$command -f "$f" >"$tmp/wanted" 2>"$tmp/stderr"
		$command "$f" >"$tmp/stdout" 2>"$tmp/stderr"
		cmp "$tmp/wanted" "$tmp/stdout"
		$command - <"$f" >"$tmp/stdout" 2>"$tmp/stderr"
		cmp "$tmp/wanted" "$tmp/stdout"
		# Options come before and after.
		$command "$f" -p 203 >"$tmp/wanted" 2>"$tmp/stderr"
		$command -p 203 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
		cmp "$tmp/wanted" "$tmp/stdout"
		wrong '-f names a log, and so does' $command -f "$f" "$f"
		wrong 'one too many' $command "$f" "$f"
		wrong '-f' $command -f "$f" -f "$f"
		fails 'nowhere: No such file' $command "$tmp/nowhere"
	done
	wrong '-f names a log, and so does' lkst info -f a b
}

# lkst has what there is to do with a log.
test_verbs_of_two_programs()
{
	fake
	lkst read -f "$tmp/two.log" 2>"$tmp/stderr"
	lkstbuf print -C "$tmp/two.log" >"$tmp/wanted" 2>"$tmp/stderr"
	[ -s "$tmp/wanted" ]
	lkst print -C "$tmp/two.log" >"$tmp/stdout" 2>"$tmp/stderr"
	cmp "$tmp/wanted" "$tmp/stdout"
	for command in read print info; do
		# All but the name of the program, and the examples.
		lkstbuf $command --help | sed '1s/lkstbuf/lkst/; /^examples:/,$d' >"$tmp/wanted"
		lkst $command --help | sed '/^examples:/,$d' | diff "$tmp/wanted" -
	done
}

test_nearest_word()
{
	wrong 'unknown command "sates"; did you mean "states"?' lkst sates
	wrong 'did you mean "status"?' lkst sttaus
	wrong 'did you mean "buffer"?' lkst bufer
	wrong 'did you mean "config"?' lkstm confg
	wrong 'did you mean "resize"?' lkst buffer rezise main
	wrong 'unknown option --intervls; did you mean --intervals?' lkst states --intervls
	wrong 'unknown option --evnt=1; did you mean --event?' lkst print --evnt=1
	wrong 'did you mean --help?' lkst stop --hlep
	wrong 'did you mean --debugfs?' lkst stop --debufs=x
	# Nothing is like it.
	for word in nonsense x '' "$(head -c 100000 /dev/zero | tr '\0' s)"; do
		wrong 'unknown command' timeout 20 lkst "$word"
		! grep 'did you mean' "$tmp/stderr" || return 1
	done
}

test_help_with_a_word()
{
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		for command in $(commands $program); do
			$program "$command" --help >"$tmp/wanted"
			$program help "$command" | diff "$tmp/wanted" -
		done
		wrong 'unknown command "nonsense"' $program help nonsense
	done
	lkstbuf --help >"$tmp/wanted"
	lkst help buffer | diff "$tmp/wanted" -
	lkstbuf list --help >"$tmp/wanted"
	lkst help buffer list | diff "$tmp/wanted" -
}

test_record_for_no_analysis()
{
	unset LKST_DEBUGFS
	for words in wiat wait,wiat wiat,wait; do
		fails_with 125 'there is no analysis "wiat"; there are states, events, wait,' \
			lkst record -a $words true
		grep -q '; did you mean "wait"?$' "$tmp/stderr"
	done
	for words in '' ',' 'wait,' ',wait'; do
		fails_with 125 'there is no analysis ""; there are' lkst record -a "$words" true
	done
	# Each analysis that there is, and no other.
	lkstla --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | sort >"$tmp/wanted"
	sed 's/.*there are //; s/, /\n/g' "$tmp/stderr" | sort | diff "$tmp/wanted" -
	for name in $(cat "$tmp/wanted"); do
		lkst record -a "$name" true 2>&1 | grep -v 'there is no analysis'
	done
}

# A command may have any number: one is made with 40 options, each of them taken.
test_large_option_table()
{
	cat >"$tmp/table.c" <<-'END'
		#include <stdlib.h>
		#include "lkst.h"

		static struct opt opts[41];
		static char names[40][8];

		static int run(struct args *args)
		{
			int i, n = 0;

			for (i = 0; i < 40; i++)
				n += arg_has(args, opts[i].key);
			printf("%d\n", n);
			return 0;
		}

		static const struct command commands[] = {
			{ .name = "all", .args = "", .summary = "s", .examples = "", .opts = opts, .run = run },
			{}
		};
		const struct program lkst_program = { "lkst", "lkst", "", commands };

		void ctl_set_debugfs(const char *path)
		{
			(void)path;
		}

		int main(int argc, char **argv)
		{
			int i;

			for (i = 0; i < 40; i++) {
				opts[i].key = i < 20 ? 'A' + i : 'a' + i - 20;
				if (opts[i].key == 'h')
					opts[i].key = 'z';
				sprintf(names[i], "o%d", i);
				opts[i].name = names[i];
				opts[i].help = "";
			}
			return program_run(&lkst_program, argc, argv) ? get_status() : 0;
		}
	END
	tools=$ksrc/tools/tracing/lkst/lib
	$cc -std=gnu11 -D_GNU_SOURCE -D__SANE_USERSPACE_TYPES__ -fsanitize=address,undefined \
		-I"$tools" -idirafter "$ksrc/tools/include" -o "$tmp/table" "$tmp/table.c" \
		"$tools/args.c" "$tools/util.c" "$tools/text.c" "$tools/char.c"
	short=
	long=
	for n in $(seq 0 39); do
		long="$long --o$n"
	done
	short=$("$tmp/table" all --help | sed -n 's/^  \(-.\), --o.*/\1/p')
	# shellcheck disable=SC2086
	equal short 40 "$("$tmp/table" all $short)"
	# shellcheck disable=SC2086
	equal long 40 "$("$tmp/table" all $long)"
}

test_options_that_exclude_each_other()
{
	f=$(log basic)
	wrong 'only one can hold: -T and -R' lkst print -TR "$f"
	wrong 'only one can hold: -T and -R' lkstbuf print --realtime "$f" --ticks
	wrong 'only one can hold: -T and -S' lkst print -S -T "$f"
	wrong 'only one can hold: -i and --data' lkst states --data -i "$f"
	wrong 'only one can hold: -T and -R' lkst dump -TR "$f"
	wrong 'there are more: --count' lkst wait --count 1 --count 2
	wrong 'there are more: -m' lkstm read -m 1 --maskset=2
	wrong 'there are more: -h' lksteh control -h 1 -h 2
	wrong 'there are more: -c' lkstbuf jump -c 0 -c 1 main
	wrong 'there are more: --reach' lkstbuf resize main --reach 1s --reach 2s
	wrong 'there are more: -d' lkst setup -d a -d b
	wrong 'there are more: -o' lkst dump -o a -o b c
	wrong 'there are more: --debugfs' lkst status --debugfs a --debugfs b
	fails_with 125 'there are more: -o' lkst record -o a -o b true
	# Those that add up, and those that say nothing new.
	lkst print -e 1 -e 2 -c 0 -c 1 -p 100 -p 101 -n main "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	lkst states -p 201 -p 202 --task 'hog*' --task heir "$(log states)" >"$tmp/stdout" \
		2>"$tmp/stderr"
	lkst print -r -r -SR "$f" >"$tmp/stdout" 2>"$tmp/stderr"
}

# There is something to tell in any case.
test_version_without_lkst()
{
	fake
	lkst version >"$tmp/stdout"
	equal kernel 'kernel version: 1.0.0' "$(sed -n 3p "$tmp/stdout")"
	mkdir -p "$tmp/empty"
	LKST_DEBUGFS=$tmp/empty lkst version >"$tmp/stdout" 2>"$tmp/stderr"
	equal stderr '' "$(cat "$tmp/stderr")"
	sed -n 1p "$tmp/stdout" | grep -q '^tools: [0-9]'
	equal format "log format: $(sed -n 's/^#define LKST_LOG_VERSION[[:space:]]*//p' \
		"$ksrc/include/uapi/linux/lkst.h")" "$(sed -n 2p "$tmp/stdout")"
	grep -q '^kernel: no LKST (LKST_DEBUGFS is wrong: ' "$tmp/stdout"
	equal lines 3 "$(wc -l <"$tmp/stdout")"
	# The option goes before the variable.
	fails_with 3 '--debugfs is wrong' lkst status --debugfs "$tmp/empty"
	lkst version --debugfs "$tmp/fake" | grep -q '^kernel version: 1.0.0$'
}

# Names of files are anything, and a terminal does what some of them say.
test_names_that_a_terminal_obeys()
{
	odd=$(printf 'a\033[31m\302\233b\377\177\tK\303\244se \346\227\245')
	shown='a\x1b[31m\xc2\x9bb\xff\x7f\x09K'$(printf '\303\244se \346\227\245')
	fails "$shown: No such file" lkst print "$tmp/$odd"
	cp "$(log gaps)" "$tmp/$odd"
	lkst print "$tmp/$odd" 2>"$tmp/stderr" >"$tmp/stdout"
	grep -qF "/$shown: 5 records" "$tmp/stderr"
	head -c -16 "$(log states)" >"$tmp/$odd"
	for command in 'lkst print -V' 'lkst states' 'lkst info'; do
		$command "$tmp/$odd" 2>"$tmp/stderr" >"$tmp/stdout" || equal status 4 $?
		grep -qF "/$shown: the log is not complete" "$tmp/stderr"
		grep "$(printf '[\001-\010\013-\037\177]')" "$tmp/stderr" "$tmp/stdout" && return 1
	done
	LC_ALL=C.UTF-8 lkst info "$tmp/$odd" 2>"$tmp/stderr" >"$tmp/stdout" || equal status 4 $?
	sed -n 1p "$tmp/stdout" | grep -qF "/$shown"
	LC_ALL=C.UTF-8 LKST_DEBUGFS=$tmp/$odd lkst version >"$tmp/stdout"
	grep -qF "/$shown" "$tmp/stdout"
	fake
	lkst read -f "$tmp/$odd" 2>"$tmp/stderr"
	grep -qF "/$shown: " "$tmp/stderr"
	wrong '"\x1b]0;x\x07"' lkst "$(printf '\033]0;x\007')"
	# What is no UTF-8: too long, half a pair, above the last character, cut off.
	for bytes in '\300\200' '\340\200\200' '\355\240\200' '\364\220\200\200' '\342\202'; do
		text=$(printf "$bytes" | od -An -tx1 | tr -d '\n' | sed 's/ /\\x/g')
		wrong "\"$text\"" lkst "$(printf "$bytes")"
	done
	wrong "$(printf '"\360\237\230\200"')" lkst "$(printf '\360\237\230\200')"
}

# offers WORD...: what bash offers for the last of them, in a line
offers()
{
	COMPLETE="$ksrc/tools/tracing/lkst/lkst.bash" bash -c '
		. "$COMPLETE"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_lkst "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
		echo "${COMPREPLY[*]}"' bash "$@"
}

test_completion()
{
	command -v bash >/dev/null || { echo SKIP no bash; return 4; }
	[ -f "$ksrc/tools/tracing/lkst/lkst.bash" ]
	equal verb 'start status states' "$(offers lkst sta)"
	equal path 'states' "$(offers "$bin/lkst" states)"
	equal program buffer "$(offers lkst buf)"
	equal help states "$(offers lkst help state)"
	equal option --intervals "$(offers lkst states trace.log --int)"
	equal 'hyphens in it' --no-pager "$(offers lkst print --no)"
	equal 'of lkstm' 'read' "$(offers lkstm re)"
	equal 'other program' 'read resize' "$(offers lkst buffer re)"
	equal 'its option' --follow "$(offers lkst buffer read --fol)"
	equal 'its help' jump "$(offers lkst buffer help ju)"
	equal analysis events "$(offers lkst report ev)"
	equal 'option of an analysis' --by "$(offers lkst report events --b)"
	equal 'of all' --debugfs "$(offers lksteh list --deb)"
	equal files '' "$(offers lkst print trace)"
	# Nothing is left out, of any command.
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		more='help|maskset|buffer|handler'
		[ $program != lkst ] || more="$more|report|states"
		equal $program "$(commands $program | sort | tr '\n' ' ')" \
			"$(offers $program '' | tr ' ' '\n' | grep -v '^$' |
				grep -vxE "$more" | sort | tr '\n' ' ')"
	done
	# By what bash itself does with the table of completions.
	equal table '-o default -F _lkst' "$(bash -c '. "$1"; complete -p lkstbuf' bash \
		"$ksrc/tools/tracing/lkst/lkst.bash" | sed 's/^complete //; s/ lkstbuf$//')"
}

# The man pages have every command.
test_documentation()
{
	[ -d "$docs" ] || { echo SKIP no Documentation/tools; return 4; }
	for program in lkst lkstm lkstbuf lksteh lkstla; do
		for command in $(commands "$program"); do
			grep -q "^\*\*$program $command\*\*" "$docs/$program.rst" || {
				echo "$program.rst does not have $command"
				return 1
			}
			"$program" "$command" --help | sed -n 's/^  -., \(--[a-z-]*\).*/\1/p' |
			while read -r option; do
				grep -q -- "\*\*$option\*\*" "$docs/$program.rst" || {
					echo "$program.rst does not have $option of $command"
					return 1
				}
			done
		done
	done
}

# === Kernels without LKST ===

test_no_lkst_in_the_kernel()
{
	mkdir -p "$tmp/empty"
	LKST_DEBUGFS=$tmp/empty
	export LKST_DEBUGFS
	fails_with 3 'LKST_DEBUGFS is wrong' lkst start
	fails_with 3 'LKST_DEBUGFS is wrong' lkst status
	fails_with 3 'LKST_DEBUGFS is wrong' lkstm list
	fails_with 3 'LKST_DEBUGFS is wrong' lkstm set -m 3
	fails_with 3 'LKST_DEBUGFS is wrong' lkstbuf list
	fails_with 3 'LKST_DEBUGFS is wrong' lkstbuf read -f "$tmp/none.log"
	[ ! -e "$tmp/none.log" ]
	fails_with 3 'LKST_DEBUGFS is wrong' lksteh list
	unset LKST_DEBUGFS
	fails_with 3 '--debugfs is wrong' lksteh list --debugfs "$tmp/empty"
}

test_debugfs_not_mounted()
{
	if grep -q '^[^ ]* [^ ]* debugfs ' /proc/mounts; then
		echo SKIP debugfs is mounted
		return 4
	fi
	fails_with 3 'debugfs' lkst status
	grep -q 'mount -t debugfs\|CONFIG_DEBUG_FS' "$tmp/stderr"
}

test_not_root()
{
	fake
	chmod 700 "$tmp" "$tmp/fake"
	if [ "$(id -u)" -ne 0 ]; then
		chmod 000 "$tmp/fake"
		fails 'only root' lkst status
		chmod 700 "$tmp/fake"
		return
	fi
	setpriv --reuid 65534 --clear-groups true 2>/dev/null || {
		echo SKIP no setpriv
		return 4
	}
	cp "$bin/lkst" "$tmp/fake/lkst.bin"
	chmod 711 "$tmp" "$tmp/fake"
	chmod 700 "$tmp/fake/lkst"
	chmod 755 "$tmp/fake/lkst.bin"
	fails 'only root' setpriv --reuid 65534 --clear-groups "$tmp/fake/lkst.bin" status
}

# What lockdown refuses is EPERM, as is what can't be written to even by root.
test_lockdown()
{
	fake
	chattr +i "$f/maskset" 2>/dev/null || {
		echo SKIP no chattr
		return 4
	}
	if (echo >"$f/maskset") 2>/dev/null; then
		chattr -i "$f/maskset"
		echo SKIP files stay writable
		return 4
	fi
	want='the kernel is locked down'
	! grep -qsF '[none]' /sys/kernel/security/lockdown || want='maskset: Operation not'
	result=0
	fails "$want" lkst start || result=1
	chattr -i "$f/maskset"
	return $result
}

# === Control files ===

test_maskset_commands()
{
	fake
	cat >"$tmp/wanted" <<-LIST
		    ID NAME                            MODE EVENTS
		*    0 RNOTHING                        ro        0
		     1 RALL                            ro        2
		     3 mine                            rw        1
	LIST
	lkstm list | diff "$tmp/wanted" -
	lkstm read -m 3 | diff "$f/masksets/mine" -
	lkstm read -m RALL | diff "$f/masksets/RALL" -
	lkstm set -m 3
	equal maskset mine "$(cat "$f/maskset")"
	lkstm set -m RALL
	equal maskset RALL "$(cat "$f/maskset")"
	lkstm new fresh RALL
	equal create 'fresh RALL' "$(cat "$f/masksets/create")"
	lkstm new -m 7 fresh 0
	equal create 'fresh RNOTHING id=7' "$(cat "$f/masksets/create")"
	lkstm delete -m 3
	equal delete mine "$(cat "$f/masksets/delete")"
	printf '# a comment\nA 1\n' | lkstm write -m mine
	equal write '# a comment|A 1|' "$(tr '\n' '|' <"$f/masksets/mine")"
}

test_maskset_config()
{
	fake
	lkstm config -m 3 1 1 2>"$tmp/stderr"
	equal config '1 1' "$(cat "$f/masksets/mine")"
	echo '# id 3 rw' >"$f/masksets/mine"
	lkstm config -m mine 'PROCESS_*' default :irq nothing
	equal config 'PROCESS_* default|:irq nothing|' "$(tr '\n' '|' <"$f/masksets/mine")"
}

# The kernel makes masksets/maskset4 while the tool waits for it to be there; a
# plain file does not, and the error says so.
test_maskset_write_creates()
{
	fake
	echo 'A default' | lkstm write -m 4 2>"$tmp/stderr" && return 1
	equal create 'maskset4 id=4' "$(cat "$f/masksets/create")"
	grep -q 'masksets/maskset4: No such file' "$tmp/stderr"
	echo 'A default' | lkstm write -m new-one 2>"$tmp/stderr" && return 1
	equal create 'new-one' "$(cat "$f/masksets/create")"
	: >"$f/masksets/create"
	fails 'nothing was changed' lkstm write -m 5
	equal create '' "$(cat "$f/masksets/create")"
}

test_maskset_errors()
{
	fake
	fails 'there is no maskset 9' lkstm read -m 9
	fails 'there is no maskset nope' lkstm set -m nope
	fails 'there is no maskset create' lkstm read -m create
	wrong 'is no name for a maskset' lkstm read -m ../enable
	wrong 'is no name for a maskset' lkstm new 'a b'
	wrong 'is no name for a maskset' lkstm new 'a/b'
	wrong 'is no name for a maskset' lkstm new ''
	wrong 'is no name for a maskset' lkstm new "$(printf 'a\nb')"
	wrong 'is no name for a maskset' lkstm new a2345678901234567890123456789012
	lkstm new a234567890123456789012345678901
	wrong 'is not a number' lkstm new -m x name
}

# Files that can be opened and not written, as /dev/full is one.
test_refused_writes()
{
	fake
	rm "$f/maskset"
	ln -s /dev/full "$f/maskset"
	fails 'maskset: No space left' lkst start RALL
	cat >"$f/error_log" <<-LOG
		[   12.345678] maskset: ENOENT: no maskset "RAL"
		[   12.345679] masksets/mine: EINVAL: line 1: no event "FOO"
	LOG
	fails 'lkst: maskset: No space left' lkst start RALL
	echo '[   13.000001] maskset: ENOENT: no maskset "RALLL"' >>"$f/error_log"
	fails 'lkst: maskset: ENOENT: no maskset "RALLL"' lkst start RALL
	rm "$f/masksets/mine"
	echo '# id 3 rw' >"$f/masksets/mine"
	rm "$f/masksets/delete"
	ln -s /dev/full "$f/masksets/delete"
	echo '[   14.000001] masksets/delete: EBUSY: "mine" is current' >>"$f/error_log"
	fails 'lkstm: masksets/delete: EBUSY: "mine" is current' lkstm delete -m mine
}

test_start_and_stop()
{
	fake
	echo 0 >"$f/enable"
	lkst start
	equal maskset RDEFAULT "$(cat "$f/maskset")"
	equal enable 1 "$(cat "$f/enable")"
	lkst stop
	equal maskset RNOTHING "$(cat "$f/maskset")"
	lkst start 3
	equal maskset 3 "$(cat "$f/maskset")"
	equal status "$(cat "$f/status")" "$(lkst status)"
	lkst version | grep -q '^kernel version: 1.0.0$'
	lkst enable 0
	equal enable 0 "$(lkst enable)"
	wrong 'neither 0 nor 1' lkst enable 2
	equal clock '[tsc] local mono boot' "$(lkst clock)"
	lkst mark here it starts
	equal marker 'here it starts' "$(cat "$f/marker")"
}

test_handler_commands()
{
	fake
	cat >"$tmp/wanted" <<-LIST
		  ID NAME                            MASKSETS CONTROL
		   1 default                                2 -
		   7 pidfilter                              0 pid=1
		 255 nothing                                3 -
	LIST
	lksteh list | diff "$tmp/wanted" -
	equal control pid=1 "$(lksteh control -h pidfilter)"
	lksteh control -h 7 pid=12 and more
	equal control 'pid=12 and more' "$(cat "$f/handlers/pidfilter/control")"
	fails 'there is no handler 8' lksteh control -h 8
	fails 'handler default has nothing to control' lksteh control -h default
}

test_buffer_commands()
{
	fake
	lkstbuf list >"$tmp/stdout"
	grep -q '^\* main  *1048576 overwrite -  *1100  *1070  *20  *6$' "$tmp/stdout"
	lkstbuf create hot 4M --discard --next main
	equal create 'hot 4M discard next=main' "$(cat "$f/buffers/create")"
	lkstbuf create cold 65536
	equal create 'cold 65536' "$(cat "$f/buffers/create")"
	lkstbuf resize main 2M
	equal size 2M "$(cat "$f/buffers/main/size")"
	lkstbuf link main main
	equal next main "$(cat "$f/buffers/main/next")"
	lkstbuf link main none
	equal next none "$(cat "$f/buffers/main/next")"
	lkstbuf mode main discard
	equal mode discard "$(cat "$f/buffers/main/mode")"
	echo >"$f/buffer"
	lkstbuf jump main
	equal buffer main "$(cat "$f/buffer")"
	echo >"$f/per_cpu/cpu1/buffer"
	lkstbuf jump -c 1 main
	equal buffer main "$(cat "$f/per_cpu/cpu1/buffer")"
	lkstbuf delete main
	equal delete main "$(cat "$f/buffers/delete")"
	lkstbuf clear
	lkstbuf clear main
	lkstbuf clear -c 0
	for file in trace buffers/main/trace per_cpu/cpu0/trace; do
		equal $file 1 "$(wc -c <"$f/$file")"
	done
	fails 'there is no buffer nope' lkstbuf jump nope
	fails 'there is no buffer nope' lkstbuf read -n nope -f "$tmp/read.log"
	# What the last boot left is none.
	mkdir "$f/buffers/previous"
	: >"$f/buffers/previous/trace"
	lkstbuf list >"$tmp/stdout"
	equal lines 2 "$(wc -l <"$tmp/stdout")"
	fails 'there is no buffer previous' lkstbuf jump previous
	fails 'there is no CPU 2' lkstbuf jump main -c 2
	wrong 'is not a size' lkstbuf create x '1 discard'
}

# reach CPU BUFFER BYTES REACH OVERWRITTEN: what the kernel tells of a CPU's current buffer
reach()
{
	echo "$2" >"$f/per_cpu/cpu$1/buffer"
	printf 'written: 100\nbytes: %s\nreach: %s s\n' "$3" "$4" >"$f/per_cpu/cpu$1/stats"
	sed -i "s/^$1 .*/$1 100 0 $5 0 0 0 100 16/" "$f/buffers/main/stats"
}

# main has 16 blocks of 65536 bytes. What is wanted was reckoned by hand.
test_resize_by_reach()
{
	fake
	# Both have wrapped: of CPU 1 it is 1048576 * 10 / 1.734 = 6047151, or 92.3 blocks.
	reach 0 main 1040000 2.000 5000
	reach 1 main 1000000 1.734 1
	equal told 'main: 6094848 bytes on each CPU' "$(lkstbuf resize main --reach 10s)"
	equal size 6094848 "$(cat "$f/buffers/main/size")"
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 2m >"$tmp/stdout"
	# 1107.2 blocks
	equal minutes $((1108 * 65536)) "$(cat "$f/buffers/main/size")"
	# Less than there is now, and a whole number of blocks: 8.
	reach 0 main 1048000 1.000 5
	reach 1 main 1048000 1.500 5
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize --reach=500ms main >"$tmp/stdout"
	equal half 524288 "$(cat "$f/buffers/main/size")"
	# CPU 1 has not wrapped: 300000 bytes in 0.25 s are 12000000 in 10 s, 183.1 blocks.
	reach 1 main 300000 0.250 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal 'not wrapped' $((184 * 65536)) "$(cat "$f/buffers/main/size")"
	# Nor has it since it was made larger: what was overwritten was so before.
	reach 1 main 300000 0.250 1000
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal enlarged $((184 * 65536)) "$(cat "$f/buffers/main/size")"
	# A CPU whose records go elsewhere tells nothing of this buffer; nor does an idle one.
	reach 1 other 300000 0.250 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal elsewhere 10485760 "$(cat "$f/buffers/main/size")"
	reach 1 main 0 0.000 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal idle 10485760 "$(cat "$f/buffers/main/size")"
	# Nearly full, and not wrapped yet: 9500000 bytes in 10 s are 144.96 blocks.
	reach 0 main 0 0.000 0
	reach 1 main 950000 1.000 0
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal 'nearly full' $((145 * 65536)) "$(cat "$f/buffers/main/size")"
	reach 1 main 0 0.000 0
	# It wrapped, and the kernel does not tell how many bytes there are.
	reach 0 main 1048576 2.000 5
	sed -i /bytes/d "$f/per_cpu/cpu0/stats"
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 10s >"$tmp/stdout"
	equal 'no bytes' 5242880 "$(cat "$f/buffers/main/size")"
	# Never fewer than two blocks.
	echo 1048576 >"$f/buffers/main/size"
	lkstbuf resize main --reach 1ms >"$tmp/stdout"
	equal two 131072 "$(cat "$f/buffers/main/size")"
}

test_resize_by_reach_errors()
{
	fake
	reach 0 main 0 0.000 0
	reach 1 main 0 0.000 0
	fails 'nothing is being recorded into main: start recording first' \
		lkstbuf resize main --reach 10s
	reach 0 main 0 5.000 0
	fails 'start recording first' lkstbuf resize main --reach 10s
	# A kernel that does not tell.
	echo 'written: 5' >"$f/per_cpu/cpu0/stats"
	fails 'start recording first' lkstbuf resize main --reach 10s
	reach 0 main 1048576 1.000 1
	for time in 0s 0ms 10 s 10h -10s 1.5s '10 s' 10ss '' ms 0x10s 99999999999999999999s \
		40000000000000000m; do
		wrong 'it takes a number above 0 and ms, s or m' lkstbuf resize main --reach "$time"
	done
	fails 'more memory than there is' lkstbuf resize main --reach 500000m
	fails 'there is no buffer nope' lkstbuf resize nope --reach 10s
	wrong 'not both' lkstbuf resize main 4M --reach 10s
	wrong 'not both' lkstbuf resize main
	equal size 1048576 "$(cat "$f/buffers/main/size")"
}

# === Reading from the kernel ===

test_read()
{
	fake
	lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	grep -q '8 records of 2 CPUs' "$tmp/stderr"
	lkstbuf print -V -f "$tmp/read.log" >"$tmp/stdout" 2>"$tmp/stderr"
	equal wakeups 4 "$(grep -c ': PROCESS_WAKEUP task=' "$tmp/stdout")"
	grep -q '^# maskset: mine$' "$tmp/stdout"
	grep -q "^# release: $(uname -r)$" "$tmp/stdout"
	grep -q ' 5.000001000: PROCESS_WAKEUP' "$tmp/stdout"
	lkstbuf read | lkstbuf print >"$tmp/stdout2" 2>"$tmp/stderr"
	grep -v '^#' "$tmp/stdout" | diff - "$tmp/stdout2"
}

# Up to when all CPUs were read stands in the log: until then, all can be printed.
test_read_says_up_to_when()
{
	fake
	lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	lkstbuf print "$tmp/read.log" >"$tmp/wanted" 2>"$tmp/stderr"
	rm -f "$tmp/go"
	{
		head -c -16 "$tmp/read.log"
		until [ -e "$tmp/go" ]; do sleep 0.1; done
		tail -c 16 "$tmp/read.log"
	} | timeout 60 lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr" &
	soon cmp -s "$tmp/wanted" "$tmp/stdout"
	: >"$tmp/go"
	wait $!
	# A kernel that does not tell the time does not say so.
	sed -i /clock_now/d "$f/status"
	lkstbuf read -f "$tmp/read2.log" 2>"$tmp/stderr"
	{
		head -c -16 "$tmp/read2.log"
		sleep 0.5
		wc -c <"$tmp/stdout" >"$tmp/before"
		tail -c 16 "$tmp/read2.log"
	} | lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr"
	equal before 0 "$(cat "$tmp/before")"
}

test_names_of_the_kernel()
{
	fake
	lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	lkstbuf print -f "$tmp/read.log" 2>"$tmp/stderr" >"$tmp/stdout"
	grep -q '^ *init-1 ' "$tmp/stdout"
	# A newline and a backslash are parts of a name.
	printf '1 1 a\\nb\\\\c\n' >"$f/names"
	lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	lkstbuf print -f "$tmp/read.log" 2>"$tmp/stderr" >"$tmp/stdout"
	grep -qF 'a\x0ab\x5cc-1 ' "$tmp/stdout" || grep -F -- '-1 ' "$tmp/stdout" | head -n 1
	grep -q 'a.x0ab' "$tmp/stdout"
	rm "$f/names"
	fails 'names' lkstbuf read -f "$tmp/read.log"
}

test_read_errors()
{
	fake
	fails 'No space left' lkstbuf read -f /dev/full
	fails 'nowhere/x.log: No such file' lkstbuf read -f "$tmp/nowhere/x.log"
	head -c 200 /dev/zero >"$f/per_cpu/cpu1/trace_raw"
	fails 'per_cpu/cpu1/trace_raw: there is no block' lkstbuf read -f "$tmp/read.log"
	lkstbuf print -f "$tmp/read.log" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'the log is not complete' "$tmp/stderr"
}

# The files that an outcome depends on; with what record has changed put back.
ctl_state()
{
	cat "$f/enable" "$f/maskset" "$f/buffer" "$f/handlers/pidfilter/control"
}

fake_record()
{
	fake
	: >"$f/handlers/create"
	: >"$f/handlers/delete"
	ctl_state >"$tmp/before"
}

# lkst record, whose PID is known beforehand, with the files that the kernel would make.
record()
{
	# shellcheck disable=SC2016
	timeout -k 5 30 sh -c 'f=$LKST_DEBUGFS/lkst
		mkdir -p "$f/handlers/record-$$"
		: >"$f/handlers/record-$$/control"
		cp "$f/masksets/mine" "$f/masksets/record-$$"
		for cpu in 0 1; do
			mkdir -p "$f/buffers/record-$$/cpu$cpu"
			cp "$f/per_cpu/cpu$cpu/trace_raw" "$f/buffers/record-$$/cpu$cpu"
		done
		exec lkst record "$@"' sh "$@"
}

# ends STATUS COMMAND...: with this status; all is as it was before record.
ends()
{
	wanted=$1
	shift
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null || status=$?
	equal "status of $*" "$wanted" $status || { cat "$tmp/stderr"; return 1; }
	ctl_state | diff "$tmp/before" -
}

# soon COMMAND...: it succeeds within 10 seconds.
soon()
{
	tries=0
	until "$@" >"$tmp/soon" 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || { echo "not soon: $*"; cat "$tmp/soon"; return 1; }
		sleep 0.1
	done
}

test_record_status()
{
	fake_record
	ends 0 record -o "$tmp/r.log" -- true
	lkstbuf print -f "$tmp/r.log" >"$tmp/stdout" 2>"$tmp/stderr"
	equal wakeups 4 "$(grep -c ': PROCESS_WAKEUP task=' "$tmp/stdout")"
	ends 7 record -o "$tmp/r.log" -- sh -c 'exit 7'
	ends 137 record -o "$tmp/r.log" -- sh -c 'kill -KILL $$'
	ends 127 record -o "$tmp/r.log" -- no_such_command
	ends 126 record -o "$tmp/r.log" -- "$tmp"
	# It was not run.
	ends 125 record -o "$tmp/nowhere/r.log" -- touch "$tmp/begun"
	grep -q 'nowhere/r.log: No such file' "$tmp/stderr"
	ends 125 record -h nonsense -o "$tmp/r.log" -- touch "$tmp/begun"
	ends 125 env LKST_DEBUGFS="$tmp/nowhere" lkst record -- touch "$tmp/begun"
	[ ! -e "$tmp/begun" ]
	# Without a command, the status is ours.
	ends 1 record -o "$tmp/nowhere/r.log"
	record -o "$tmp/r.log" 2>"$tmp/stderr" &
	soon grep -qx RDEFAULT "$f/maskset"
	kill -TERM "$(sed -n 's/^record-//p' "$f/buffer")"
	wait $!
	ctl_state | diff "$tmp/before" -
}

# Whatever became of the log.
test_record_status_without_log()
{
	fake_record
	ends 7 record -o /dev/full -- sh -c 'sleep 0.5; exit 7'
	grep -q 'No space left' "$tmp/stderr"
	grep -q 'recording has ended; the command goes on' "$tmp/stderr"
	ends 0 record -o /dev/full -- true
	# Who was to read it has ended.
	mkfifo "$tmp/fifo"
	true <"$tmp/fifo" &
	ends 7 record -o "$tmp/fifo" -- sh -c 'sleep 0.5; exit 7'
	wait
	grep -q 'Broken pipe' "$tmp/stderr"
	# What can't be put back is told.
	status=0
	# shellcheck disable=SC2016
	record -h pidfilter=pid=2 -o "$tmp/r.log" -- \
		sh -c 'rm "$LKST_DEBUGFS/lkst/handlers/pidfilter/control"; exit 7' \
		2>"$tmp/stderr" || status=$?
	equal status 7 "$status"
	grep -q 'not all is as it was' "$tmp/stderr"
}

test_record_to_stdout()
{
	fake_record
	ends 3 record -o - -- sh -c 'echo spoken; exit 3'
	grep -q '^spoken$' "$tmp/stderr"
	grep -q spoken "$tmp/stdout" && return 1
	cp "$tmp/stdout" "$tmp/r.log"
	lkstbuf print -f "$tmp/r.log" >"$tmp/text" 2>"$tmp/stderr"
	equal wakeups 4 "$(grep -c ': PROCESS_WAKEUP task=' "$tmp/text")"
	# To a file, it speaks where it would.
	ends 0 record -o "$tmp/r.log" -- echo spoken
	equal stdout spoken "$(cat "$tmp/stdout")"
	command -v script >/dev/null || { echo 'SKIP no script(1)'; exit 4; }
	status=0
	timeout 20 script -qec "lkst record -o - -- touch '$tmp/begun'" /dev/null \
		>"$tmp/stdout" 2>&1 </dev/null || status=$?
	equal status 125 $status
	grep -q 'a log is nothing for a terminal' "$tmp/stdout"
	[ ! -e "$tmp/begun" ]
}

test_record_one_at_a_time()
{
	fake_record
	# shellcheck disable=SC2016
	record -o "$tmp/r.log" -- sh -c 'echo $$ >"$0"; exec sleep 60' "$tmp/pid" \
		>"$tmp/first" 2>&1 &
	soon grep -qx RDEFAULT "$f/maskset"
	first=$(sed -n 's/^record-//p' "$f/buffer")
	ctl_state >"$tmp/during"
	status=0
	record -o "$tmp/r2.log" -- touch "$tmp/begun" 2>"$tmp/stderr" || status=$?
	equal status 125 $status
	grep -q 'another lkst record is running' "$tmp/stderr"
	if grep -q 'FLOCK' /proc/locks; then
		grep -q "(pid $first)" "$tmp/stderr"
	else
		echo '# /proc/locks tells nothing'
	fi
	[ ! -e "$tmp/begun" ]
	[ ! -e "$tmp/r2.log" ]
	ctl_state | diff "$tmp/during" -
	# Nothing of it was changed, until the first has put back: that takes a while.
	rm "$f/buffers/delete"
	mkfifo "$f/buffers/delete"
	kill -KILL "$first"
	sleep 0.5
	status=0
	record -o "$tmp/r2.log" -- touch "$tmp/begun" 2>"$tmp/stderr" || status=$?
	equal status 125 $status
	grep -q 'another lkst record is running' "$tmp/stderr"
	grep -q "(pid $first)" "$tmp/stderr" && return 1
	timeout 20 cat "$f/buffers/delete" >"$tmp/deleted"
	equal deleted "record-$first" "$(cat "$tmp/deleted")"
	rm "$f/buffers/delete"
	: >"$f/buffers/delete"
	# Its command lives on, and holds no lock.
	soon record -o "$tmp/r2.log" -- true
	ctl_state | diff "$tmp/before" -
	kill "$(cat "$tmp/pid")"
}

# Under sudo, a log is the user's, where the user could have made it.
test_sudo_owns_log()
{
	[ "$(id -u)" -eq 0 ] || { echo 'SKIP not root'; exit 4; }
	fake_record
	chmod 711 "$tmp"
	mkdir "$tmp/home" "$tmp/public" "$tmp/roots"
	chown 12345 "$tmp/home"
	chmod 1777 "$tmp/public"
	export SUDO_UID=12345 SUDO_GID=23456
	for dir in home public; do
		lkstbuf read -f "$tmp/$dir/read.log" 2>"$tmp/stderr"
		equal "$dir: read" 12345:23456 "$(stat -c %u:%g "$tmp/$dir/read.log")"
		ends 0 record -o "$tmp/$dir/record.log" -- true
		equal "$dir: record" 12345:23456 "$(stat -c %u:%g "$tmp/$dir/record.log")"
	done
	(cd "$tmp/home" && lkstbuf read -f here.log 2>"$tmp/stderr")
	equal here 12345 "$(stat -c %u "$tmp/home/here.log")"
	# One that root has left there.
	echo old >"$tmp/home/old.log"
	lkstbuf read -f "$tmp/home/old.log" 2>"$tmp/stderr"
	equal old 12345 "$(stat -c %u "$tmp/home/old.log")"
	lkstbuf print -f "$tmp/home/old.log" >"$tmp/stdout" 2>"$tmp/stderr"
	# Not by a link, of either kind, nor what is in a place of root's.
	for file in a b c d; do
		echo "$file" >"$tmp/roots/$file"
	done
	ln -s "$tmp/roots/a" "$tmp/home/link"
	ln "$tmp/roots/b" "$tmp/home/hard"
	ln -s "$tmp/roots" "$tmp/home/folder"
	echo e >"$tmp/public/e"
	for file in home/link home/hard home/folder/c home/folder/new roots/d roots/newer \
		public/e; do
		lkstbuf read -f "$tmp/$file" 2>"$tmp/stderr"
		grep -q '8 records' "$tmp/stderr"
	done
	for file in roots/a roots/b roots/c roots/d roots/new roots/newer public/e; do
		equal "$file" 0 "$(stat -c %u "$tmp/$file")"
	done
	for uid in '' -1 x 4294967295 4294967296 99999999999999999999 '5 5'; do
		SUDO_UID=$uid lkstbuf read -f "$tmp/public/uid.log" 2>"$tmp/stderr"
		equal "SUDO_UID=$uid" 0 "$(stat -c %u "$tmp/public/uid.log")"
		rm "$tmp/public/uid.log"
	done
}

# The configuration of the filter of the last record -p.
told()
{
	cat "$f"/handlers/record-*/control
}

in_first_pid_ns()
{
	[ "$(stat -L -c %i /proc/self/ns/pid)" = 4026531836 ]
}

test_record_process()
{
	in_first_pid_ns || { echo 'SKIP in a container'; exit 4; }
	fake_record
	cat >"$tmp/threads.c" <<-'PROGRAM'
		#include <pthread.h>
		#include <stdlib.h>
		#include <unistd.h>

		static void *wait_here(void *p)
		{
			pause();
			return p;
		}

		int main(int argc, char **argv)
		{
			pthread_t t;

			for (int n = argc > 1 ? atoi(argv[1]) : 0; n; n--)
				pthread_create(&t, NULL, wait_here, NULL);
			sleep(60);
			return 0;
		}
	PROGRAM
	$cc -pthread -o "$tmp/threads" "$tmp/threads.c"
	"$tmp/threads" 19 &
	pid=$!
	threads() { set -- "/proc/$pid/task"/*; [ $# -eq 20 ]; }
	soon threads
	tids=$(cd "/proc/$pid/task" && echo *)
	last=${tids##* }
	ends 0 record -m mine -p $pid -o "$tmp/r.log" -- true
	equal process "tgid=$pid children=1" "$(told)"
	rm -r "$f"/handlers/record-*
	ends 0 record -m mine -t "$last" -o "$tmp/r.log" -- true
	equal thread "pid=$last" "$(told)"
	rm -r "$f"/handlers/record-*
	ends 0 record -m mine -p $$ -t "$last" -t $pid -o "$tmp/r.log" -- true
	equal both "tgid=$$ children=1 pid=$last,$pid" "$(told | tr '\n' ' ' | sed 's/ $//')"
	rm -r "$f"/handlers/record-*
	# What is not there changes nothing.
	find "$f" -type f -exec md5sum {} + | sort >"$tmp/sums"
	ends 125 lkst record -p 4194304 -- touch "$tmp/begun"
	grep -q 'no such process: 4194304' "$tmp/stderr"
	ends 1 lkst record -t 4194304
	grep -q 'no such thread: 4194304' "$tmp/stderr"
	ends 125 lkst record -p "$last" -- touch "$tmp/begun"
	grep -q "$last is a thread, and no process; use -t $last" "$tmp/stderr"
	for bad in x 0 -1 4294967297; do
		ends 125 lkst record -p$bad -- touch "$tmp/begun"
		grep -qF "\"$bad\" is no number of a process" "$tmp/stderr"
	done
	find "$f" -type f -exec md5sum {} + | sort | diff "$tmp/sums" -
	[ ! -e "$tmp/begun" ]
	# 16 are what a line takes.
	rm -rf "$f"/handlers/record-*
	# shellcheck disable=SC2046 # options
	ends 0 record -m mine $(yes -- "-t $pid" | head -n 17) -o "$tmp/r.log" -- true
	equal lines '16 1' "$(told | awk -F, '{ printf "%s%d", (NR > 1 ? " " : ""), NF }')"
	kill $pid
}

# Recording ends with the last of them.
test_record_until_process_ends()
{
	in_first_pid_ns || { echo 'SKIP in a container'; exit 4; }
	fake_record
	sleep 60 &
	one=$!
	sleep 60 &
	two=$!
	record -m mine -p $one -p $two -o "$tmp/r.log" 2>"$tmp/stderr" &
	soon grep -q '^record-' "$f/maskset"
	kill $one
	sleep 1
	grep -q '^record-' "$f/maskset"
	kill $two
	wait $!
	ctl_state | diff "$tmp/before" -
	lkstbuf print -f "$tmp/r.log" >"$tmp/stdout" 2>"$tmp/stderr"
	# With a command, it is the command's end.
	sleep 60 &
	# shellcheck disable=SC2016
	ends 5 record -m mine -p $! -o "$tmp/r.log" -- sh -c 'kill $0; sleep 1; exit 5' $!
}

# What /proc shows in a container are not the numbers of the kernel.
test_container()
{
	unshare -pf --mount-proc true 2>/dev/null || { echo 'SKIP no unshare'; exit 4; }
	in_first_pid_ns || { echo 'SKIP in a container'; exit 4; }
	fake_record
	# Names are the kernel's, wherever the reader is.
	unshare -pf --mount-proc lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	grep -aq '1 1 init$' "$tmp/read.log"
	lkstbuf print -f "$tmp/read.log" >"$tmp/stdout" 2>"$tmp/stderr"
	equal wakeups 4 "$(grep -c ': PROCESS_WAKEUP task=' "$tmp/stdout")"
	find "$f" -type f -exec md5sum {} + | sort >"$tmp/sums"
	ends 125 unshare -pf --mount-proc lkst record -p 1 -- touch "$tmp/begun"
	grep -q "PIDs in a container are not the kernel's; run it outside" "$tmp/stderr"
	ends 1 unshare -pf --mount-proc lkst record -t 1
	find "$f" -type f -exec md5sum {} + | sort | diff "$tmp/sums" -
	[ ! -e "$tmp/begun" ]
}

# === Printing ===

test_print_text()
{
	for case in basic bare one_sample wrap disorder gaps evil states mixed empty; do
		same $case.txt lkstbuf print -f "$(log $case)"
	done
	same basic.verbose.txt lkstbuf print -V -f "$(log basic)"
	same basic.raw.txt lkstbuf print -r -f "$(log basic)"
}

# Names that are in a ring of their own, which is no CPU's, and of which nothing is missed.
test_names_apart()
{
	f=$(log states_apart)
	same states.table.txt lkst states "$f"
	same states.intervals.txt lkst states -i "$f"
	lkstbuf print -f "$(log states)" 2>"$tmp/stderr" | grep -v ' LKST_PROCESS ' >"$tmp/wanted"
	lkstbuf print -f "$f" 2>"$tmp/stderr" >"$tmp/text"
	grep -v ' LKST_PROCESS ' "$tmp/text" | diff "$tmp/wanted" -
	equal lines 8 "$(grep -c ' \[---\] .* LKST_PROCESS ' "$tmp/text")"
	equal CSV 8 "$(lkstbuf print -C -f "$f" 2>"$tmp/stderr" | grep -c '^"lkst_process",-,')"
	lkstbuf print -f "$f" -c 1 2>"$tmp/stderr" | grep -v '^#' >"$tmp/of-1"
	grep -q 'sleeper-203  *\[001\]' "$tmp/of-1"
	equal 'of CPU 1' 0 "$(grep -cv '\[001\]' "$tmp/of-1")"
	lkstbuf info "$f" >"$tmp/info"
	equal CPUs '0 0,1 0' "$(sed '1,/^ *CPU /d; /^$/,$d' "$tmp/info" |
		awk '{ printf "%s%s %s", n++ ? "," : "", $1, $5 }')"
	grep -q '^names  *1  *8  *0  *0$' "$tmp/info"
	fails 'there is no CPU 7 in' lkstbuf print -f "$f" -c 7
	equal 'no CPU' 0 "$(grep -c 4294967295 "$tmp/stderr")"
}

test_print_csv()
{
	same basic.csv lkstbuf print -C -f "$(log basic)"
	same basic.raw.csv lkstbuf print -r -C -S -V -f "$(log basic)"
	same gaps.csv lkstbuf print -C -f "$(log gaps)"
	same evil.csv lkstbuf print -C -f "$(log evil)"
	same basic32.raw.csv lkstbuf print -C -r -f "$(log -3 basic)"
}

# Each type at its ends, of both word sizes and byte orders; values were reckoned by hand.
test_print_types()
{
	for order in '' -b; do
		# shellcheck disable=SC2086
		{
			same types.txt lkstbuf print -T -f "$(log $order types)"
			same types.csv lkstbuf print -C -T -f "$(log $order types)"
			same types32.txt lkstbuf print -T -f "$(log $order -3 types)"
		}
	done
	same types.raw.txt lkstbuf print -r -T -f "$(log types)"
	same types32.raw.csv lkstbuf print -C -r -T -f "$(log -3 types)"
	same basic32.txt lkstbuf print -f "$(log -3 basic)"
}

# What a record says of itself is enough to print it: genlog knows what it has put there.
test_print_shapes()
{
	for args in '' -b -3 '-b -3'; do
		# shellcheck disable=SC2086
		"$tmp/genlog" $args -x shapes >"$tmp/wanted"
		equal shapes 63 "$(wc -l <"$tmp/wanted")"
		# shellcheck disable=SC2086
		lkstbuf print -r -T -f "$(log $args shapes)" 2>"$tmp/stderr" | diff "$tmp/wanted" -
	done
}

# Where it is not what the table says.
test_print_other_shapes()
{
	same other_shape.txt lkstbuf print -T -f "$(log other_shape)"
	same other_shape.txt lkstbuf print -T -f "$(log -b other_shape)"
	lkst states -f "$(log other_shape)" >"$tmp/stdout" 2>"$tmp/stderr" || [ $? -eq 1 ]
}

# From context switches to PIDs, as the tutorial does it.
test_print_tutorial()
{
	lkstbuf print -r -C -S -V -f "$(log basic)" >"$tmp/trace.csv" 2>"$tmp/stderr"
	grep context "$tmp/trace.csv" | cut -d, -f3,7 | sort | uniq >"$tmp/trace.db"
	cat >"$tmp/wanted" <<-DB
		00000000,0xffff888004a08000
		00000100,0xffff888004a00000
		00000101,0xffff888004a01000
	DB
	diff "$tmp/wanted" "$tmp/trace.db"
}

# It does not matter what machine a log is from.
test_print_byte_orders()
{
	for case in basic bare wrap disorder gaps evil mixed long_head states; do
		for args in '' '-r' '-C' '-r -C'; do
			# shellcheck disable=SC2086
			lkstbuf print $args -f "$(log $case)" >"$tmp/a" 2>"$tmp/stderr"
			# shellcheck disable=SC2086
			lkstbuf print $args -f "$(log -b $case)" >"$tmp/b" 2>"$tmp/stderr"
			# Words of text, as numbers, are of another order.
			[ "$args" = '' ] || {
				sed -i '/lkst_process\|lkst_marker\|LKST_PROCESS\|LKST_MARKER/d' \
					"$tmp/a" "$tmp/b"
			}
			diff "$tmp/a" "$tmp/b"
		done
		lkstbuf print -f "$(log -3 $case)" >"$tmp/a" 2>"$tmp/stderr"
		lkstbuf print -f "$(log -3 -b $case)" >"$tmp/b" 2>"$tmp/stderr"
		diff "$tmp/a" "$tmp/b"
	done
	lkstbuf print -f "$(log basic)" >"$tmp/a" 2>"$tmp/stderr"
	lkstbuf print -f "$(log long_head)" >"$tmp/b" 2>"$tmp/stderr"
	diff "$tmp/a" "$tmp/b"
}

count()
{
	lkstbuf print "$@" 2>"$tmp/stderr" | grep -vc '^#'
}

test_print_filters()
{
	f=$(log basic)
	equal all 24 "$(count -f "$f")"
	equal cpu 12 "$(count -f "$f" -c 1)"
	equal cpus 24 "$(count -f "$f" -c 1 -c 0)"
	equal name 1 "$(count -f "$f" -e PROCESS_WAKEUP)"
	equal mnemonic 1 "$(count -f "$f" -e process_wakeup)"
	equal id 3 "$(count -f "$f" -e 1)"
	equal glob 2 "$(count -f "$f" -e 'SYSCALL_ENT*')"
	equal category 8 "$(count -f "$f" -e :process)"
	equal two 4 "$(count -f "$f" -e 1 -e 2)"
	equal pid 1 "$(count -f "$f" -p 555)"
	# Not octal: in columns, numbers have zeros in front.
	equal zeros 1 "$(count -f "$f" -p 0555)"
	equal hex 1 "$(count -f "$f" -p 0x22b)"
	equal both 2 "$(count -f "$f" -p 100 -e SYSCALL_ENTRY)"
	equal buffer 1 "$(count -f "$(log gaps)" -n other)"
	equal unknown 1 "$(count -f "$f" -e 601)"
	fails 'there is no event FOO' lkstbuf print -f "$f" -e FOO
	wrong 'is not a number' lkstbuf print -f "$f" -c all
}

test_print_times()
{
	f=$(log one_sample)
	lkstbuf print -R -f "$f" 2>"$tmp/stderr" | head -n 1 | grep -q ' 1699999999.990000000: '
	lkstbuf print -T -f "$f" 2>"$tmp/stderr" | head -n 1 | grep -q ' 999980000000: '
	equal seconds "$(lkstbuf print -C -S -f "$f" 2>&1)" "$(lkstbuf print -C -f "$f" 2>&1)"
	equal csv '4,990000000' "$(lkstbuf print -C -f "$f" 2>"$tmp/stderr" |
		head -n 1 | cut -d, -f4,5)"
}

test_print_summary()
{
	lkstbuf print -f "$(log gaps)" 2>&1 >"$tmp/stdout" |
		grep -q ': 5 records in 0.000 s, 46 missing (41 overwritten or cleared, 5 lost)$'
	lkstbuf print -f "$(log basic)" 2>&1 >"$tmp/stdout" | grep -q ': 24 records .* 0 missing$'
}

test_print_from_a_pipe()
{
	lkstbuf print -f "$(log basic)" >"$tmp/a" 2>"$tmp/stderr"
	"$tmp/genlog" basic | lkstbuf print >"$tmp/b" 2>"$tmp/stderr"
	diff "$tmp/a" "$tmp/b"
	"$tmp/genlog" basic | lkstbuf print -f - >"$tmp/b" 2>"$tmp/stderr"
	diff "$tmp/a" "$tmp/b"
}

# Of a command's log, without its name.
summary()
{
	sed 's/^lkst[a-z]*: [^:]*: //' "$tmp/stderr"
}

# now_and_then SIZE: "follow", of which the second part comes when there is $tmp/go.
now_and_then()
{
	head -c "$1" "$(log follow)"
	tries=0
	until [ -e "$tmp/go" ] || [ $tries -eq 300 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	tail -c +$(($1 + 1)) "$(log follow)"
}

# How much of "follow" are its first rounds, and how many lines of it are due then.
followed() { "$tmp/genlog" -n "$1" followed | wc -c; }
due()
{
	{ "$tmp/genlog" -n "$1" followed; sleep 0.1; } |
		lkstbuf print -T 2>"$tmp/stderr" >"$tmp/b" || equal status 4 $?
	awk -v end=$((1000000000000 + $1 * 200000000)) '
		{ for (i = 1; $i !~ /:$/; i++) { } if ($i + 0 <= end) n++ } END { print n + 0 }' \
		"$tmp/b"
}
lines_are() { [ "$(wc -l <"$1")" -eq "$2" ]; }

# What is due is printed, as it is when all is there.
test_print_pipe_as_it_comes()
{
	f=$(log follow)
	for opts in '' -T -R -C -rC -V '-e LKST_MARKER' '-p 150 -p 151' '-c 1' '--from +0.2' \
		'--to +0.21 -n main'; do
		# shellcheck disable=SC2086
		lkstbuf print $opts "$f" >"$tmp/wanted" 2>"$tmp/stderr"
		summary >"$tmp/summary"
		# How many there are is not known at first, nor of which clocks.
		sed -i 's/^# LKST log, [0-9]* records, /# LKST log, /; /^# times: .*from mono/d' "$tmp/wanted"
		for size in 100 1000 100000; do
			# shellcheck disable=SC2086
			dd if="$f" bs=$size 2>"$tmp/dd" |
				lkstbuf print $opts >"$tmp/stdout" 2>"$tmp/stderr"
			diff "$tmp/wanted" "$tmp/stdout"
			summary | diff "$tmp/summary" -
		done
	done
	lkstbuf print "$f" >"$tmp/wanted" 2>"$tmp/stderr"
	for round in 1 3 5; do
		rm -f "$tmp/go"
		due=$(due $round)
		now_and_then "$(followed $round)" | timeout 60 lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr" &
		soon lines_are "$tmp/stdout" "$due"
		head -n "$due" "$tmp/wanted" | diff - "$tmp/stdout"
		: >"$tmp/go"
		wait $!
		diff "$tmp/wanted" "$tmp/stdout"
	done
}

# The writer of a file is another program.
test_print_follows_a_file()
{
	f=$(log follow)
	lkstbuf print -R "$f" >"$tmp/wanted" 2>"$tmp/stderr"
	summary >"$tmp/summary"
	rm -f "$tmp/go"
	now_and_then 10 >"$tmp/growing.log" &
	writer=$!
	soon test -s "$tmp/growing.log"
	timeout 60 lkstbuf print -R --follow "$tmp/growing.log" >"$tmp/stdout" 2>"$tmp/stderr" &
	sleep 0.3
	[ ! -s "$tmp/stderr" ]
	: >"$tmp/go"
	wait $! $writer
	diff "$tmp/wanted" "$tmp/stdout"
	summary | diff "$tmp/summary" -
	rm "$tmp/go"
	due=$(due 2)
	now_and_then "$(followed 2)" >"$tmp/growing2.log" &
	writer=$!
	soon test -s "$tmp/growing2.log"
	timeout 60 lkstbuf print -R -w - <"$tmp/growing2.log" >"$tmp/stdout" 2>"$tmp/stderr" &
	soon lines_are "$tmp/stdout" "$due"
	head -n "$due" "$tmp/wanted" | diff - "$tmp/stdout"
	: >"$tmp/go"
	wait $! $writer
	diff "$tmp/wanted" "$tmp/stdout"
	# One that nobody writes any more.
	lkstbuf print -R --follow "$f" 2>"$tmp/stderr" | diff "$tmp/wanted" -
	wrong 'only one can hold: -l and -w' lkstbuf print -w -l 3 "$f"
	fails 'No such file' lkstbuf print -w "$tmp/nowhere.log"
	fails 'not an LKST log' timeout 20 lkstbuf print -w "$here/run.sh"
	fails 'Is a directory' lkstbuf print -w "$tmp"
	: >"$tmp/hollow.log"
	fails 'it has only 0 bytes' timeout 20 lkstbuf print -w "$tmp/hollow.log"
	wrong 'it takes seconds' lkstbuf print -w --from x "$f"
	fails 'there is no CPU 7 in' lkstbuf print -c 7 "$f"
	status=0
	lkstbuf print -w -c 7 -c 1 "$f" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 1 $status
	grep -q 'there is no CPU 7 in .*; it has 0, 1$' "$tmp/stderr"
	# No pager.
	if command -v script >"$tmp/a"; then
		PAGER='sed s/^/P:/' on_terminal "lkstbuf print -w $f" >"$tmp/stdout"
		! grep '^P:' "$tmp/stdout" || return 1
	fi
}

# Where it ends too soon, as much comes as if it had been a file.
test_print_follows_to_a_cut()
{
	size=$(followed 3)
	for n in $((size - 2000)) $((size - 57)) $((size - 56)) $((size - 50)) $((size - 1)) \
		"$size" $((size + 5)) $((size + 500)); do
		head -c $n "$(log follow)" >"$tmp/cut.log"
		status=0
		lkstbuf print -f "$tmp/cut.log" >"$tmp/wanted" 2>"$tmp/stderr" || status=$?
		equal 'status of the file' 4 $status
		summary >"$tmp/summary"
		for what in pipe file; do
			status=0
			if [ $what = pipe ]; then
				dd if="$tmp/cut.log" bs=777 2>"$tmp/dd" | timeout 20 lkstbuf print
			else
				timeout 20 lkstbuf print -w "$tmp/cut.log"
			fi >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
			equal "status of the $what" 4 $status
			diff "$tmp/wanted" "$tmp/stdout"
			summary | diff "$tmp/summary" -
		done
	done
	# A file that is made anew while it is followed.
	head -c $((size - 2000)) "$(log follow)" >"$tmp/growing.log"
	exec 9>>"$tmp/growing.log"
	# What it is waited for is not what was printed before.
	: >"$tmp/stdout"
	timeout 20 lkstbuf print -w "$tmp/growing.log" >"$tmp/stdout" 2>"$tmp/stderr" 9>&- &
	printer=$!
	soon test -s "$tmp/stdout"
	head -c 100 "$(log follow)" >"$tmp/growing.log"
	status=0
	wait $printer || status=$?
	equal status 4 $status
	grep -q 'it was cut off' "$tmp/stderr"
}

# Without a word of what is due, it is not known before the end.
test_print_pipe_without_marks()
{
	for case in basic gaps mixed disorder markers steps bare; do
		f=$(log $case)
		lkstbuf print "$f" >"$tmp/wanted" 2>"$tmp/stderr"
		size=$(($(wc -c <"$f") - 8))
		{
			head -c $size "$f"
			sleep 0.5
			wc -c <"$tmp/stdout" >"$tmp/before"
			tail -c +$((size + 1)) "$f"
		} | lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr"
		equal before 0 "$(cat "$tmp/before")"
		diff "$tmp/wanted" "$tmp/stdout"
		lkstbuf print -w "$f" 2>"$tmp/stderr" | diff "$tmp/wanted" -
	done
	# The end of the log is enough, that of the pipe may be later.
	rm -f "$tmp/go"
	{ cat "$f"; until [ -e "$tmp/go" ]; do sleep 0.1; done; } |
		timeout 60 lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr" &
	soon cmp -s "$tmp/wanted" "$tmp/stdout"
	: >"$tmp/go"
	wait $!
	status=0
	{ cat "$f"; sleep 0.3; cat /dev/zero; } 2>"$tmp/dd" |
		timeout 20 lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 4 $status
	grep -q 'bytes follow the end of the log' "$tmp/stderr"
}

# It comes last, and with a word.
test_print_record_that_comes_late()
{
	lkstbuf print "$(log tardy)" 2>"$tmp/stderr" | sed 's/ *<...>-\([0-9]\).*/\1/' >"$tmp/a"
	equal order '1 2 5 7 ' "$(tr '\n' ' ' <"$tmp/a")"
	"$tmp/genlog" tardy | lkstbuf print 2>"$tmp/stderr" |
		sed 's/ *<...>-\([0-9]\).*/\1/' >"$tmp/a"
	equal order '1 5 2 7 ' "$(tr '\n' ' ' <"$tmp/a")"
	grep -q '1 records came late' "$tmp/stderr"
}

# What was read is printed, and that is no error.
test_print_follow_interrupted()
{
	lkstbuf print "$(log follow)" >"$tmp/all" 2>"$tmp/stderr"
	"$tmp/genlog" -n 2 followed >"$tmp/growing.log"
	lkstbuf print "$tmp/growing.log" >"$tmp/wanted" 2>"$tmp/stderr" || equal status 4 $?
	due=$(due 2)
	exec 9>>"$tmp/growing.log"
	lkstbuf print -w "$tmp/growing.log" >"$tmp/stdout" 2>"$tmp/stderr" 9>&- &
	soon lines_are "$tmp/stdout" "$due"
	kill -INT $!
	wait $!
	diff "$tmp/wanted" "$tmp/stdout"
	equal lines 1 "$(wc -l <"$tmp/stderr")"
	exec 9>&-
	# In a pipe the writer hears of it too; only the second one is meant for us alone.
	mkfifo "$tmp/live.fifo"
	for times in 1 2; do
		rm -f "$tmp/go"
		now_and_then "$(followed 2)" >"$tmp/live.fifo" &
		lkstbuf print -f "$tmp/live.fifo" >"$tmp/stdout" 2>"$tmp/stderr" &
		printer=$!
		soon lines_are "$tmp/stdout" "$due"
		kill -INT $!
		sleep 0.3
		lines_are "$tmp/stdout" "$due"
		[ $times -eq 1 ] || kill -INT $!
		[ $times -eq 2 ] || : >"$tmp/go"
		wait $printer
		[ $times -eq 1 ] || : >"$tmp/go"
		[ $times -eq 1 ] && wanted=$tmp/all || wanted=$tmp/wanted
		diff "$wanted" "$tmp/stdout"
	done
}

# What lkst record and lkstbuf read say of what is due.
test_print_while_it_is_recorded()
{
	fake_record
	rm -f "$tmp/go"
	# shellcheck disable=SC2016
	record -o - -- sh -c 'until [ -e "$0" ]; do sleep 0.1; done' "$tmp/go" 2>"$tmp/a" |
		timeout 60 lkst print - >"$tmp/stdout" 2>"$tmp/stderr" &
	soon lines_are "$tmp/stdout" 8
	grep -q 'PROCESS_WAKEUP' "$tmp/stdout"
	[ ! -s "$tmp/stderr" ]
	cp "$tmp/stdout" "$tmp/b"
	: >"$tmp/go"
	wait $!
	diff "$tmp/b" "$tmp/stdout"
	grep -q ': 8 records .* 0 missing$' "$tmp/stderr"
	rm "$tmp/go"
	# shellcheck disable=SC2016
	record -o "$tmp/r.log" -- sh -c 'until [ -e "$0" ]; do sleep 0.1; done' "$tmp/go" \
		2>"$tmp/a" &
	recorder=$!
	soon test -s "$tmp/r.log"
	timeout 60 lkst print -rw "$tmp/r.log" >"$tmp/stdout" 2>"$tmp/stderr" &
	soon lines_are "$tmp/stdout" 8
	: >"$tmp/go"
	wait $! $recorder
	lkst print -r "$tmp/r.log" 2>"$tmp/stderr" | diff - "$tmp/stdout"
}

# A pipe may be as long as it likes: what was printed is given back, memory and disk.
test_print_pipe_holds_little()
{
	mkdir "$tmp/spool"
	# shellcheck disable=SC3045
	"$tmp/genlog" -x -n 200 large | (ulimit -d 16384 &&
		TMPDIR=$tmp/spool lkstbuf print -T 2>"$tmp/stderr") | awk '
		{ i = ($2 ~ /^\[/) ? 4 : 5; if ($i + 0 < last) bad++; last = $i + 0; n++ }
		END { print n + 0, bad + 0 }' >"$tmp/stdout"
	equal 'lines, not in order' '1280000 0' "$(cat "$tmp/stdout")"
}

test_print_to_a_full_disk()
{
	[ -c /dev/full ] || { echo SKIP no /dev/full; return 4; }
	status=0
	lkstbuf print -f "$(log basic)" >/dev/full 2>"$tmp/stderr" || status=$?
	equal status 1 $status
	grep -q 'No space left' "$tmp/stderr"
}

# long_text LETTER LENGTH: the text of genlog
long_text()
{
	awk -v c="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++)
		printf "%s", i % 8 ? int(i / 8) % 10 : c }'
}

# texts ARGUMENTS...: the log of texts, as f, and what is said in it, of each event its name,
# format and text, in $tmp/said.
texts()
{
	# shellcheck disable=SC2068
	f=$(log $@ texts)
	"$tmp/genlog" "$@" -x texts >"$tmp/said"
	[ "$(wc -l <"$tmp/said")" -gt 60 ]
}

# What the kernel's printf() makes of the words; see textlog.h.
test_print_texts()
{
	for args in '' -3 -b '-b -3'; do
		# shellcheck disable=SC2086
		texts $args
		lkstbuf print -f "$f" 2>"$tmp/stderr" >"$tmp/a"
		sed 's/\t.*\t/ text=/' "$tmp/said" >"$tmp/wanted"
		sed -n 's/.*: \(T_[0-9]* text=\)/\1/p' "$tmp/a" | diff "$tmp/wanted" - || return
		# Without arguments; a format where none can be; words of an event that is not known.
		sed 's/.* \[000\] .*: //' "$tmp/a" | tail -n 4 >"$tmp/b"
		printf 'T_68\nODD_1 a=1 text=0x2\nODD_2 text=0x3\nEVENT_901 arg1=0x5 arg2=0x6\n' |
			diff - "$tmp/b"
		lkstbuf print -C -f "$f" 2>"$tmp/stderr" | grep '"fmt"\|"t_' |
			sed 's/^"t_\([0-9]*\)",00,00000001,[^,]*,[^,]*/T_\1/' >"$tmp/a"
		awk -F'\t' '{
			gsub(/"/, "\"\"")
			printf "%s,\"%s\",\"%s\",0x00000000\n", $1, $2, $3
		} END { print "T_68" }' "$tmp/said" | diff - "$tmp/a" || return
	done
	f=$(log texts)
	lkstbuf print -r -e T_1 -e T_67 -e T_68 -f "$f" 2>"$tmp/stderr" | sed 's/.*: T/T/' >"$tmp/a"
	grep -qxF 'T_1 text=0x3068746500000005 arg2=0x0' "$tmp/a"
	equal words 31 "$(grep '^T_67' "$tmp/a" | grep -o '=0x' | wc -l)"
	grep -qx 'T_68' "$tmp/a"
	equal raw 2 "$(lkstbuf print -C -r -e T_1 -f "$f" 2>"$tmp/stderr" |
		grep -o '"queue %d of %s is full",0x[0-9a-f]*,0x00000000' | wc -l)"
	# What is a letter in another locale.
	LC_ALL=C.UTF-8 lkstbuf print -e T_48 -f "$f" 2>"$tmp/stderr" | sed -n 's/.* text=//p' >"$tmp/a"
	printf '\303\244 \\x5c x\n' | diff - "$tmp/a"
}

# What gdb prints of a block, here in a log instead of memory. It pads no pointers, and knows
# of no letters of Latin-1.
test_gdb_prints_texts()
{
	has_readers gdb || return
	gdb -nx -batch -ex 'python import re' >"$tmp/stdout" 2>&1
	[ ! -s "$tmp/stdout" ] || { echo SKIP gdb has no Python; return 4; }
	cat >"$tmp/texts.py" <<-'END'
		class Log:
		    def __init__(self, data, order, word):
		        self.data, self.word = data, word
		        self.memory = Memory()
		        self.memory.order = order
		        self.events = data.index(b'512\tT_0\t')
		        self.events_size = data.index(b'\n', data.rindex(b'\tT_68\t')) + 1 - self.events

		    def phys(self, addr, size):
		        return self.data[addr:addr + size]

		def named(command, to_string):
		    return 'a_function in section .text' if '81000010' in command or \
		        'c0100010' in command else 'No symbol'

		def print_texts(path):
		    data = open(path, 'rb').read()
		    order = '<' if data[8] == 4 else '>'
		    log = Log(data, order, max(data[14:16]))
		    gdb.execute = named
		    events = Events(log)
		    block = Block(log, data.index(BLOCK_MAGIC if order == '<' else BLOCK_MAGIC[::-1]))
		    with open(path + '.said', 'wb') as out:
		        for time, number, pid, places, raw in block.records(log):
		            said = '%s %s\n' % (events.name(number), events.args(number, places, raw))
		            out.write(said.encode())
	END
	for args in '' -3 -b '-b -3'; do
		# shellcheck disable=SC2086
		texts $args
		gdb -nx -batch -x "$ksrc/scripts/gdb/linux/lkst.py" -x "$tmp/texts.py" \
			-ex "python print_texts('$f')" >"$tmp/stdout" 2>&1
		diff /dev/null "$tmp/stdout"
		grep -v -e '\\x' -e '^T_4[13]' "$tmp/said" | sed 's/\t.*\t/ text=/' >"$tmp/wanted"
		cut -d' ' -f1 "$tmp/wanted" >"$tmp/names"
		awk 'NR == FNR { wanted[$1]; next } $1 in wanted' "$tmp/names" "$f.said" |
			diff "$tmp/wanted" - || return
		grep -qx 'T_68 ' "$f.said"
		grep -qx 'T_43 text=.*-EIO' "$f.said"
		grep -qx 'event 901 arg1=0x5 arg2=0x6' "$f.said"
	done
}

# Functions that texts name are looked up when the log is made, and no other addresses.
test_texts_name_functions()
{
	read -r addr _ name <<-END
		$(grep -m 1 ' [tT] vfs_read$' /proc/kallsyms 2>"$tmp/stderr")
	END
	case $addr in
	'' | *[!0]*) ;;
	*) addr= ;;
	esac
	[ -n "$addr" ] || { echo SKIP no addresses in /proc/kallsyms; return 4; }
	fake
	printf '512\tT_0\tt_0\tlog\ttext\ttext\tfmt\t%%s %%*d %%px%%c %%-12ps|\n' >"$f/etypes"
	"$tmp/genlog" -n "0x$addr" texts_raw >"$f/per_cpu/cpu0/trace_raw"
	: >"$f/per_cpu/cpu1/trace_raw"
	lkstbuf read -f "$tmp/read.log" 2>"$tmp/stderr"
	equal text "a name    99 0000000000001234d $name    |" \
		"$(lkstbuf print "$tmp/read.log" 2>"$tmp/stderr" | sed -n 's/.*text=//p')"
	equal looked-up "0x$addr $name" "$(strings "$tmp/read.log" | grep '^0x')"
}

# Words of a text are not values, by which records could be told apart.
test_texts_have_no_values()
{
	f=$(log texts)
	lkstla events -e T_1 --by arg:text "$f" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'there is no --by "arg:text"' "$tmp/stderr"
	lkstla events -e T_1 --csv "$f" 2>"$tmp/stderr" | grep -q '^T_1,'
	for pair in T_1,ODD_1 ODD_1,T_1; do
		lkstla latency --of $pair --by arg "$f" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
		grep -q '"--by arg": T_1 has only text' "$tmp/stderr"
	done
	lkstla latency --of T_1,T_2 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	lkstla summary "$f" >"$tmp/stdout" 2>"$tmp/stderr"
}

# One line a write, at the time of its first record. Its text is made here once more.
test_print_markers()
{
	umlauts=$(awk 'BEGIN { for (i = 0; i < 74; i++) printf "\303\244" }')
	f=long_text
	cat >"$tmp/wanted" <<-TEXTS
		7 0xfa00000000 $($f a 250)
		8 0x7100000000 $($f b 113)
		9 0x8200000000 $($f c 130)
		10 0x9500000000 x$umlauts
		11 0xe000000000 $($f e 224)
		7 0x500000000 short
		13 0xe000000000 $($f h 224)
		12 0x12c00000000 $($f f 112)...
		12 0xc800000070 ...$($f g 200 | cut -c113-)
	TEXTS
	for args in markers '-b markers' '-3 markers'; do
		# shellcheck disable=SC2086
		f=$(log $args)
		LC_ALL=C.UTF-8 lkstbuf print -f "$f" 2>"$tmp/stderr" | grep -v '^#' |
			sed 's/^ *<\.\.\.>-\([0-9]*\) .* len=\([^ ]*\) text=/\1 \2 /' |
			diff "$tmp/wanted" -
		# A field for the text, however long it is.
		LC_ALL=C.UTF-8 lkstbuf print -C -f "$f" 2>"$tmp/stderr" | grep -v '^"missing' |
			sed 's/^[^,]*,[^,]*,0*\([0-9]*\),.*"text","\(.*\)",0x00000000$/\1 \2/' \
			>"$tmp/a"
		sed 's/ 0x[0-9a-f]*//' "$tmp/wanted" | diff - "$tmp/a"
	done
}

# A window that begins or ends within a text, and a CPU that has but a part of it.
test_print_part_of_a_marker()
{
	f=$(log markers)
	lkstbuf print -p 9 -c 1 -f "$f" 2>"$tmp/stderr" >"$tmp/a"
	grep -q "text=\.\.\.$(long_text c 130 | cut -c113-)\$" "$tmp/a"
	# Lines count, not records.
	equal last 3 "$(lkstbuf print --last 3 -f "$f" 2>"$tmp/stderr" | grep -vc '^#')"
	equal raw 16 "$(lkstbuf print -r -f "$f" 2>"$tmp/stderr" | grep -vc '^#')"
}

# Names that the tables of the kernel have, looked up there.
syscall_name()
{
	awk -v nr="$2" -v abi="$3" '$1 == nr && index(" " abi " ", " " $2 " ") { print $3 }' \
		"$ksrc/arch/x86/entry/syscalls/syscall_$1.tbl"
}

test_print_system_calls_of_other_abis()
{
	lkstbuf print -f "$(log abis)" 2>"$tmp/stderr" |
		sed -n 's/.*SYSCALL_ENTRY nr=\([^ ]*\).*/\1/p' >"$tmp/a"
	cat >"$tmp/wanted" <<-NAMES
		$(syscall_name 32 20 i386)/32
		$(syscall_name 32 4 i386)/32
		9999/32
		$(syscall_name 64 39 'common x32')/x32
		$(syscall_name 64 515 'common x32')/x32
		19/x32
		9999/x32
		$(syscall_name 64 39 'common 64')
		515
	NAMES
	diff "$tmp/wanted" "$tmp/a"
	equal getpid getpid/32 "$(head -n 1 "$tmp/a")"
	lkstbuf print -f "$(log abis)" 2>"$tmp/stderr" | sed -n 's/.* ret=//p' >"$tmp/a"
	printf -- '-%s\n' ENOSYS ETIMEDOUT ENAMETOOLONG 41 EHWPOISON 134 ERESTARTSYS EPERM |
		diff - "$tmp/a"
	# Another architecture, other numbers.
	sed 's/x86_64/mips64/' "$(log abis)" >"$tmp/mips.log"
	lkstbuf print -f "$tmp/mips.log" 2>"$tmp/stderr" | grep -q 'ret=-38$'
	lkstbuf print -f "$tmp/mips.log" 2>"$tmp/stderr" | grep -q 'nr=20/32 '
}

# who CASE: who made each of its records, and which tasks are named in it
who()
{
	lkstbuf print -f "$(log "$1")" 2>"$tmp/stderr" |
		sed 's/^ *\([^ ]*\) .*: [A-Z]/\1 /; s/ [A-Z_]* / /; s/ \(code\|pid\|nr\|tid\)=.*//
			s/ prev_state=.*//'
}

# A number and a task struct are called what their owner of that time was.
test_print_names_of_their_time()
{
	for case in owners_at_end owners_at_start; do
		who $case | diff - /dev/fd/3 3<<-NAMES
			lasting-7 task=0xffff888004a02000
			<...>-500 task=<...>-500
			<...>-500 prev=<...>-500 next=<...>-501
			<...>-501 task=<...>-501
			<...>-501 prev=<...>-501 next=lasting-7
			lasting-7 task=0xffff888004a02000
			lasting-7 task=0xffff888004a02000
			lasting-7 prev=lasting-7 next=shell-501
			shell-501 task=0xffff888004a02000
			newer-501
		NAMES
	done
	who owners_between | diff - /dev/fd/3 3<<-NAMES
		old-500 task=0xffff888004a07000
		old-500 task=old-500
		old-500 prev=old-500 next=0xffff888004a07000
		<...>-7 task=0xffff888004a02000
		<...>-500
	NAMES
	# As it comes, it is the same.
	for case in owners_at_end owners_between; do
		lkstbuf print -f "$(log $case)" >"$tmp/a" 2>"$tmp/stderr"
		lkstbuf print <"$(log $case)" 2>"$tmp/stderr" | diff "$tmp/a" -
	done
	lkst states -a "$(log owners_at_end)" >"$tmp/a" 2>"$tmp/stderr"
	grep 'sshd' "$tmp/a" && return 1
	grep -q '^ *500  *?' "$tmp/a"
}

# Where a log does not have what is asked for, it is said what it has.
test_print_what_there_is_not()
{
	fails 'there is no CPU 7 in' lkstbuf print -f "$(log basic)" -c 7
	grep -q '; it has 0, 1$' "$tmp/stderr"
	fails 'there is no CPU 7 in' lkstbuf print -f "$(log basic)" -c 1 -c 7
	fails 'there is no buffer nope in' lkstbuf print -f "$(log gaps)" -n nope
	grep -q '; it has main, other$' "$tmp/stderr"
	fails '; it has none' lkstbuf print -f "$(log empty)" -c 0
	fails 'there is no event FOO* in' lkstbuf print -f "$(log gaps)" -e 'FOO*'
	grep -q '; it has PROCESS_WAKEUP, LKST_LOST$' "$tmp/stderr"
	fails 'it has ma\x1b[2Jin' lkstbuf print -f "$(log evil)" -n nope
	for pids in '-p 99999' '-p 100 -p 99999'; do
		# shellcheck disable=SC2086
		fails 'there is no PID 99999 in' lkstbuf print -f "$(log basic)" $pids
		grep -q '; it has 0, 100, 101, 103, 555$' "$tmp/stderr"
		# shellcheck disable=SC2086
		"$tmp/genlog" basic | lkstbuf print $pids >"$tmp/a" 2>"$tmp/b" && return 1
		grep -q 'there is no PID 99999 in .*; it has 0, 100, 101, 103, 555$' "$tmp/b"
	done
	# Of many, some.
	"$tmp/genlog" collide >"$tmp/many.log"
	fails '109, 110, 111' lkstbuf print -f "$tmp/many.log" -p 99
	grep -q ', 198, 199 and 39901 more$' "$tmp/stderr"
	# What is there, but not together.
	for opts in '-p 555 -c 0' '--from +100'; do
		# shellcheck disable=SC2086
		lkstbuf print -f "$(log basic)" $opts >"$tmp/stdout" 2>"$tmp/stderr"
		equal lines '' "$(cat "$tmp/stdout")"
		grep -q ': none of its records is what the options ask for$' "$tmp/stderr"
	done
	lkstbuf print -c 0 "$(log basic)" 2>&1 >"$tmp/a" | grep 'options' && return 1
	return 0
}

test_print_window()
{
	f=$(log basic)
	for opt in '' -R -T; do
		# shellcheck disable=SC2086
		lkstbuf print $opt -f "$f" >"$tmp/all" 2>"$tmp/stderr"
		# Lines are taken by number here, and by their printed times there.
		sed -n '5,9p' "$tmp/all" >"$tmp/wanted"
		from=$(sed -n '1s/.* \([0-9.]*\): [A-Z].*/\1/p' "$tmp/wanted")
		to=$(sed -n '$s/.* \([0-9.]*\): [A-Z].*/\1/p' "$tmp/wanted")
		# shellcheck disable=SC2086
		lkstbuf print $opt -f "$f" --from "$from" --to "$to" 2>"$tmp/stderr" |
			diff "$tmp/wanted" -
		for n in 1 7 24 100; do
			# shellcheck disable=SC2086
			lkstbuf print $opt -f "$f" --last $n 2>"$tmp/stderr" >"$tmp/a"
			tail -n $n "$tmp/all" | diff - "$tmp/a"
		done
	done
	# The first record is at 5.000000999 or so: 20 us on are those up to 5.000021.
	lkstbuf print -f "$f" >"$tmp/all" 2>"$tmp/stderr"
	awk '{ for (i = 1; $i !~ /^[0-9]+\.[0-9]+:$/; i++) { } t = $i + 0
	       if (NR == 1) start = t
	       if (t - start <= 0.0000200000001) print }' "$tmp/all" >"$tmp/wanted"
	lkstbuf print -f "$f" --to +0.00002 2>"$tmp/stderr" | diff "$tmp/wanted" -
	lkstbuf print -f "$f" --from +100 >"$tmp/a" 2>"$tmp/stderr"
	equal late '' "$(cat "$tmp/a")"
	for time in x 5s +x 5. . 5.0000000001 -1 '' + 99999999999999; do
		wrong 'is no time: it takes seconds' lkstbuf print -f "$f" --from "$time"
	done
	wrong 'is no time: it takes ticks' lkstbuf print -T -f "$f" --to 5.5
	wrong '"--from 6" is later than "--to 5.5"' lkstbuf print -f "$f" --from 6 --to 5.5
	wrong '"--from +2" is later than "--to +1"' lkstbuf print -f "$f" --from +2 --to +1
	wrong 'is later than' lkstbuf print -T -f "$f" --from 7 --to 6
	wrong 'is later than' lkstbuf print -w "$f" --from 7 --to 6
	lkstbuf print -f "$f" --from +0 --to +0 >"$tmp/a" 2>"$tmp/stderr"
	equal 'first one' 1 "$(wc -l <"$tmp/a")"
	for count in 0 x -1; do
		wrong 'is not a number of records' lkstbuf print -f "$f" --last $count
	done
}

# Names end in the same column: wide characters take two cells, marks none.
test_print_widths()
{
	f=$(log names)
	LC_ALL=C.UTF-8 lkstbuf print -f "$f" >"$tmp/a" 2>"$tmp/stderr"
	cat >"$tmp/wanted" <<-NAMES
		           ascii-10
		             äöü-11
		            日本-12
		             $(printf 'e\314\201')té-13
		         cut\xc3-14
		 \xe2\x80\xaeodd-15
		       \xc2\x9bx-16
	NAMES
	sed 's/ *\[000\].*//' "$tmp/a" | diff "$tmp/wanted" - || return 1
	# The name of the locale is enough, where none is installed. What is empty is not set.
	for locale in LC_CTYPE=xx_YY.utf8@z LANG=C.UTF8 'LC_CTYPE= LANG=C.utf-8'; do
		env -u LANG LC_ALL= $locale lkstbuf print -f "$f" 2>"$tmp/stderr" |
			sed 's/ *\[000\].*//' | diff "$tmp/wanted" - || return 1
	done
	# In another locale nothing is but ASCII.
	lkstbuf print -f "$f" >"$tmp/a" 2>"$tmp/stderr"
	LC_ALL=C grep -c "$(printf '[\200-\377]')" "$tmp/a" >"$tmp/b" && return 1
	equal columns 1 "$(grep -v 'x.*x.*x.*x.*-1' "$tmp/a" | grep -n '' |
		sed 's/^[0-9]*:\(.*\) \[000\].*/\1/' | awk '{ print length }' | sort -u | wc -l)"
}

# on_terminal COMMAND: with a terminal as stdout and stderr, 60 seconds at most
on_terminal()
{
	timeout 60 script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

test_print_pager()
{
	command -v script >"$tmp/stdout" || { echo SKIP no script; return 4; }
	f=$(log basic)
	lkstbuf print -f "$f" >"$tmp/all" 2>"$tmp/stderr"
	cat "$tmp/all" "$tmp/stderr" >"$tmp/both"
	sed 's/^/P:/' "$tmp/both" >"$tmp/wanted"
	export PAGER='sed s/^/P:/'
	on_terminal "lkstbuf print -f $f" | diff "$tmp/wanted" -
	on_terminal "lkstbuf print --no-pager -f $f" | diff "$tmp/both" -
	on_terminal "lkstbuf print -f $f | cat" >"$tmp/a"
	grep -q '^P:' "$tmp/a" && return 1
	for PAGER in '' cat; do
		on_terminal "lkstbuf print -f $f" | diff "$tmp/both" -
	done
	# The default.
	unset PAGER
	mkdir -p "$tmp/pager"
	printf '#!/bin/sh\necho "less $*"\ncat\n' >"$tmp/pager/less"
	chmod 755 "$tmp/pager/less"
	{ echo less -FRSX; cat "$tmp/both"; } >"$tmp/wanted"
	on_terminal "PATH=$tmp/pager:$PATH lkstbuf print -f $f" | diff "$tmp/wanted" -
	# Who leaves it early has seen enough; errors are errors all the same.
	export PAGER='head -n 1'
	"$tmp/genlog" -n 2 large >"$tmp/large.log"
	equal left 0 "$(on_terminal "lkstbuf print -f $tmp/large.log >/dev/tty; echo =\$?" |
		sed -n 's/^=//p')"
	export PAGER='sed s/^/P:/'
	head -c -16 "$f" >"$tmp/endless.log"
	equal damage 4 "$(on_terminal "lkstbuf print -f $tmp/endless.log; echo =\$?" |
		sed -n 's/^=//p')"
	export PAGER=/nowhere/pager
	on_terminal "lkstbuf print -f $f; echo =\$?" >"$tmp/a"
	grep -q '^=1$' "$tmp/a"
	grep -q 'there is no pager "/nowhere/pager"' "$tmp/a"
	# ^C is for the pager; when that ends by it, so does the tool.
	export PAGER='kill -INT $$'
	equal interrupted 130 "$(on_terminal "trap : INT; lkstbuf print -f $f; echo =\$?" |
		sed -n 's/^=//p')"
}

# === Info ===

test_info()
{
	for case in basic gaps missing; do
		same $case.info.txt lkstbuf info - <"$(log $case)"
	done
	f=$(log basic)
	lkstbuf info "$f" >"$tmp/info"
	# As date says, and as print has them.
	at=$(lkstbuf print -R -f "$f" 2>"$tmp/stderr" | sed -n '1s/.* \([0-9.]*\): [A-Z].*/\1/p')
	wanted=$(date -u -d "@${at%.*}" '+%Y-%m-%d %H:%M:%S')
	equal first "$wanted.${at#*.} UTC" "$(sed -n 's/^first record: //p' "$tmp/info")"
	lkstbuf print -f "$f" 2>"$tmp/stderr" | sed 's/.*[0-9]: \([A-Z_0-9]*\).*/\1/' |
		sort | uniq -c | awk '{ print $2, $1 }' | sort >"$tmp/wanted"
	sed '1,/^EVENT/d' "$tmp/info" | awk '{ print $1, $2 }' | sort | diff "$tmp/wanted" -
	"$tmp/genlog" basic | lkstbuf info - | sed 's/^log: .*/log: x/' >"$tmp/a"
	sed 's/^log: .*/log: x/' "$tmp/info" | diff - "$tmp/a"
}

test_info_unknown()
{
	# No clocks: what each block says is all there is.
	lkstbuf info "$(log bare)" >"$tmp/a"
	grep -q '^first record: 2023' "$tmp/a"
	lkstbuf info "$(log empty)" >"$tmp/a"
	grep -q '^first record: unknown$' "$tmp/a"
	grep -q '^span: unknown$' "$tmp/a"
	grep -q '^clocks: unknown$' "$tmp/a"
	sed 's/release:/nothing:/' "$(log basic)" >"$tmp/odd.log"
	lkstbuf info "$tmp/odd.log" | grep -q '^kernel: unknown$'
	for case in evil mixed; do
		lkstbuf info "$(log $case)" >"$tmp/a"
		grep -c "$(printf '[\001-\010\013-\037\177]')" "$tmp/a" >"$tmp/b" && return 1
	done
	status=0
	head -c -16 "$(log missing)" >"$tmp/endless.log"
	lkstbuf info "$tmp/endless.log" >"$tmp/a" 2>"$tmp/stderr" || status=$?
	equal status 4 $status
	grep -q '^complete: no: it ends without an END section$' "$tmp/a"
	status=0
	lkstbuf info "$(log no_shape)" >"$tmp/a" 2>"$tmp/stderr" || status=$?
	equal status 4 $status
	grep -q '^damage: 1 place' "$tmp/a"
}

# 100 MiB of records in 16 MiB of memory.
test_print_holds_little_in_memory()
{
	"$tmp/genlog" -n 400 large >"$tmp/large.log"
	# shellcheck disable=SC3045
	lines=$(ulimit -d 16384 && lkstbuf print -C -f "$tmp/large.log" 2>"$tmp/stderr" | wc -l)
	rm "$tmp/large.log"
	equal lines 2560000 "$lines"
}

# === ProcessTrace ===

test_states()
{
	same states.table.txt lkst states -f "$(log states)"
	same states.intervals.txt lkst states -f "$(log states)" --intervals
	same states.data.txt lkst states -f "$(log -b states)" --data
	equal all 6 "$(lkst states -a -f "$(log states)" 2>&1 | grep -c '^ *20[0-9] ')"
	equal pid 1 "$(lkst states -p 203 -f "$(log states)" 2>&1 | grep -c '^ *20[0-9] ')"
	equal comm 2 "$(lkst states --task 'hog*' -f "$(log states)" 2>&1 | grep -c '^ *20[0-9] ')"
}

# What is known in each of them is in genlog.c.
test_states_claim_what_is_known()
{
	for case in missing late reuse thread_exec elsewhere; do
		same $case.table.txt lkst states -f "$(log $case)"
		same $case.intervals.txt lkst states -f "$(log $case)" --intervals
	done
	equal processes 3 "$(lkst states -p 202 -f "$(log reuse)" 2>&1 | grep -c '^ *202 ')"
	equal name 1 "$(lkst states --task second -f "$(log reuse)" 2>&1 | grep -c '^ *202 ')"
}

# A name is a pattern, and any can be meant literally, as in the shell.
test_states_of_names_with_patterns()
{
	for case in '[x] x' '\[x\] [x]' '\[?] [x]' 'x x' 'b\\s\* b\x5cs*' 'b* b\x5cs*'; do
		equal "${case% *}" "${case#* }" "$(lkst states --task "${case% *}" \
			-f "$(log patterns)" 2>&1 | awk '$1 == 202 { print $2 }')"
	done
}

# states_of CASE [AS]: its table, and intervals, which are those of another case if it is named
states_of()
{
	same "${2:-$1}.table.txt" lkst states -f "$(log "$1")"
	same "${2:-$1}.intervals.txt" lkst states -f "$(log "$1")" --intervals
}

# Of what a filter left out, nothing is claimed: nobody runs, nor is ready, in that time.
test_states_of_a_filtered_log()
{
	states_of filtered
	lkst info "$(log filtered)" >"$tmp/a"
	equal gaps 5 "$(sed -n 's/^ *0 .* 15 *\([0-9]*\) .*/\1/p' "$tmp/a")"
	filter="as with a filter (lkst record -p): off its CPU, a task's state is unknown then"
	lkst states "$(log filtered)" 2>&1 >"$tmp/stdout" | grep -qF "$filter"
	for case in busy states missing; do
		lkst states "$(log $case)" 2>&1 >"$tmp/stdout" | grep 'filter' && return 1
	done
	# A switch that was lost is no filter: one gap.
	states_of busy
}

# A CPU is known up to its last record, if it may have had others, and up to when all were read.
test_states_where_a_cpu_ends()
{
	for case in discard discard_rows unread live; do
		states_of $case discard
	done
}

# A CPU of which there is nothing in the log may have run anything.
test_states_of_a_cpu_that_is_not_there()
{
	for case in elsewhere_1 untold_1; do
		states_of $case one_cpu
		lkst info "$(log $case)" | grep -q '^ *1  *unknown  *unknown  *0  *1  *0\.0999'
	done
}

# Who runs was ready before only if a wakeup would have been heard.
test_states_while_no_wakeups_are_recorded()
{
	states_of nowake
	lkst states "$(log nowake)" 2>&1 >"$tmp/stdout" |
		grep -q ': in 59\.970 ms of it there are no wakeups: .* ready then counts as blocked'
	states_of switches
	lkst states "$(log states)" 2>&1 >"$tmp/stdout" | grep -i 'wakeup' && return 1
	return 0
}

# What has ended stays so: its number, and its task struct, are another's then.
test_states_of_a_number_given_out_again()
{
	states_of nofork
}

# An empty table is no answer.
test_states_of_what_there_is_not()
{
	for option in '' -i --data; do
		# shellcheck disable=SC2086
		for args in '-p 99999' '-p 201 -p 99999'; do
			lkst states $option $args "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr" &&
				return 1
			grep -q 'there is no PID 99999 in .*; it has 201, 202, 203, 204, 205, 206$' \
				"$tmp/stderr"
		done
		lkst states $option --task 'hag*' "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr" &&
			return 1
		grep -q 'there is no task hag\* in .*; it has child, heir, hog one, hog2, silent, sleeper$' \
			"$tmp/stderr"
	done
	lkst states -p 205 "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr"
}

# A log without its end may miss records of any CPU after the last one of that.
test_states_of_a_log_without_end()
{
	head -c -16 "$(log missing)" >"$tmp/endless.log"
	lkst states -i -f "$tmp/endless.log" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q '^204 four unknown 79.960019 99.950024 -$' "$tmp/stdout"
}

test_states_without_wakeups()
{
	lkst states -f "$(log -n 1 large)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'no PROCESS_WAKEUP in it: .* ready counts as blocked' "$tmp/stderr"
}

# === What CPUs and threads do ===

# analysed CASE ANALYSIS...: what each prints of it, in a row.
analysed()
{
	case=$1
	shift
	for analysis; do
		same "$case.$analysis.txt" lkstla "$analysis" "$(log "$case")"
	done
}

# cells FILE CASE OPTIONS...: a line for each row of the first table, of COLUMNS.
cells()
{
	lkstla "$@" --csv 2>"$tmp/stderr" | awk -F, -v columns="$COLUMNS" '
		!NF { exit }
		NR == 1 { n = split(columns, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : ""), $at[name[i]]; print "" }'
}

# misused TEXT COMMAND...: lkstla says that on a command line that is wrong.
misused()
{
	want=$1
	shift
	status=0
	lkstla "$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 2 $status
	grep -qF "$want" "$tmp/stderr"
}

# What is in each of them stands in genlog.c; the answers were found by hand.
test_lkstla_contexts()
{
	analysed nested cpu irq syscall
	analysed migrating cpu syscall
	analysed threaded cpu irq
	analysed torn_pairs cpu irq syscall
	analysed entries cpu syscall
	for args in '-b nested' '-3 nested' '-b -3 nested'; do
		for analysis in cpu irq syscall; do
			# shellcheck disable=SC2086
			same nested.$analysis.txt lkstla $analysis "$(log $args)"
		done
	done
}

# While a maskset lacks switches, interrupts are known all the same; a maskset that lacks them
# all the time is no reason to say nothing.
test_lkstla_without_switches()
{
	analysed switchless cpu irq
	for seed in 1 2 3; do
		"$tmp/genlog" -x -n $seed sim_switchless | sed -n 's/^irq //p' | sort >"$tmp/a"
		COLUMNS='kind count total_ns'
		cells irq "$(log -n $seed sim_switchless)" | grep -v page_fault | sort >"$tmp/b"
		diff "$tmp/a" "$tmp/b"
		# What CPUs did otherwise is not known.
		COLUMNS='user_ns system_ns exception_ns running_ns idle_ns'
		cells cpu "$(log -n $seed sim_switchless)" | grep -v '^0 0 0 0 0$' && return 1
		# Nor is it how long a page fault ran.
		lkstla irq --csv "$(log -n $seed sim_switchless)" 2>"$tmp/stderr" |
			awk -F, '$1 == "page_fault" && $3 > 500 && $5 == 0 && $6 == $7 { n++ }
				END { exit n != 1 }'
	done
}

# Each CPU's time is all there, in any window and by any interval.
test_lkstla_cpu_adds_up()
{
	for case in nested migrating restarts torn_pairs entries threaded switchless states \
		missing late reuse thread_exec elsewhere filtered busy live nofork '-n 1024 mix' \
		'-n 1024 mix_cut'; do
		# shellcheck disable=SC2086
		file=$(log $case)
		for window in '' '--from +0.00003 --to +0.000071' '--from +0.01 --to +0.065'; do
			: >"$tmp/all"
			every=--every=3ms
			[ "$window" != '--from +0.00003 --to +0.000071' ] || every=--every=7us
			for every in '' $every; do
				# shellcheck disable=SC2086
				lkstla cpu --csv $window $every "$file" 2>"$tmp/stderr" >"$tmp/stdout" || return 1
				awk -F, '/cpu/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
					!NF || !("busy_percent" in at) { next }
					{ n = $at["user_ns"] + $at["system_ns"] + $at["exception_ns"] + \
						$at["irq_ns"] + $at["softirq_ns"] + $at["running_ns"]
					  low = "busy_ns_low" in at ? $at["busy_ns_low"] : $at["busy_ns"]
					  if (n != low) { print "busy:", $0; bad = 1 }
					  sum[$at["cpu"]] += n + $at["idle_ns"] + $at["unknown_ns"] }
					END { for (cpu in sum) print sum[cpu]; exit bad }' "$tmp/stdout" |
					sort -u >"$tmp/sums"
				# All CPUs have the same time.
				[ "$(wc -l <"$tmp/sums")" -eq 1 ] || { echo "$case $window $every"; return 1; }
				cat "$tmp/sums" >>"$tmp/all"
			done
			[ "$(sort -u "$tmp/all" | wc -l)" -eq 1 ] || { echo "$case $window"; return 1; }
			# shellcheck disable=SC2086
			lkstla cpu --csv $window "$file" 2>"$tmp/stderr" >"$tmp/one"
			[ -s "$tmp/one" ]
		done
	done
}

test_lkstla_cpu_by_interval()
{
	COLUMNS="from_s cpu user_ns system_ns irq_ns idle_ns"
	cells cpu --every 25us "$(log nested)" >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		5.000000000 0 8000 10000 5000 0
		5.000025000 0 7000 4000 4000 0
		5.000050000 0 0 10000 5000 10000
		5.000075000 0 8000 10000 0 5000
	ROWS
	# Of a window, that alone; and of a thread, what it ran and what interrupted it.
	COLUMNS="user_ns system_ns irq_ns softirq_ns idle_ns"
	equal window '0 10000 2000 7000 0' "$(cells cpu --from +0.000024 --to +0.000043 "$(log nested)" |
		awk '{ print 0, $2 + 6000, $3 - 3000, $4, $5 }')"
	equal thread '23000 34000 9000 7000 0' "$(cells cpu -p 201 "$(log nested)")"
	misused 'is no time' cpu --every x "$(log nested)"
	misused 'more than 100000 intervals' cpu --every 1ns "$(log -n 1024 mix)"
}

# A call that starts again is one; whether it was the program that called again, only the
# delivery of the signal tells.
test_lkstla_syscall_restarts()
{
	analysed restarts syscall
	analysed restarts_untold syscall
	lkstla syscall "$(log restarts_untold)" 2>&1 | grep -q 'no PROCESS_SIGDELIVER in it'
	lkstla syscall "$(log restarts)" 2>&1 | grep 'no PROCESS_SIGDELIVER in it' && return 1
	return 0
}

# What nothing was recorded in since a buffer was made is before the log, and not unknown;
# unless there is something of that time.
test_lkstla_starts_with_the_maskset()
{
	COLUMNS='pid running_ns ready_ns blocked_ns unknown_ns'
	for case in set_later set_later_again; do
		cells states -a "$(log $case)" | sort >"$tmp/stdout"
		lkstla states -a --every 1ms --csv <"$(log $case)" 2>/dev/null |
			sed '/^$/q' | cut -d, -f3- >"$tmp/piped"
		lkstla states -a --csv "$(log $case)" 2>/dev/null | sed '/^$/q' | diff - "$tmp/piped"
		cat "$tmp/stdout"
		case $case in
		set_later)
			printf '%s\n' '300 30000 10000 20000 0' '301 30000 10000 20000 0' \
				'302 30000 20000 10000 0' '303 30000 0 30000 0' ;;
		*)
			printf '%s\n' '300 80000 10000 20000 0' '301 30000 10000 20000 50000' \
				'302 59000 40000 10000 1000' '303 50000 0 30000 30000' ;;
		esac | diff - "$tmp/stdout"
	done
	lkstla cpu --csv "$(log set_later)" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		!NF { exit } $at["unknown_ns"] { exit 1 }'
}

# Where ends of interrupts were not recorded, how long they took is not known, and each analysis
# of times says so; in the summary, they may have taken all that was not idle.
test_lkstla_no_irq_exits()
{
	f=$(log no_irq_exits)
	for analysis in irq cpu runq latency 'states --parts'; do
		# shellcheck disable=SC2086 # two words
		lkstla $analysis "$f" 2>&1 >"$tmp/stdout" | grep 'there is no INT_HARDWARE_EXIT in it' ||
			{ echo "$analysis does not say so"; return 1; }
		# What is not there has no end that could be missing.
		lkstla $analysis "$f" 2>&1 >"$tmp/stdout" | grep 'no INT_[A-Z]*_EXIT' |
			grep -v HARDWARE && return 1
	done
	lkstla summary "$f" 2>"$tmp/stderr" >"$tmp/page"
	grep 'ends of interrupts (INT_HARDWARE_EXIT)' "$tmp/page"
	# 8.996 us ready, and two of 10 us in which it was in one, or not.
	sed -n 's/^Threads lost [0-9.]* us[.][.]\([0-9]*\).* us of .*/\1/p' "$tmp/page" >"$tmp/most"
	[ "$(cat "$tmp/most")" -ge 28 ]
	lkstla summary "$(log entries)" 2>"$tmp/stderr" | grep 'ends of' && return 1
	return 0
}

# The child's end of the clone() that made it is no call of its own, also after a change of the
# maskset; unless that was changed within it, of which the parent's is open, too.
test_lkstla_syscall_of_the_new()
{
	COLUMNS='pid calls open'
	cells syscall --by pid "$(log born)" | sort >"$tmp/stdout"
	printf '%s\n' '300 3 2' '301 1 0' '302 1 0' '303 1 1' | diff - "$tmp/stdout"
	COLUMNS='call calls open'
	equal clone 'clone 2 3' "$(cells syscall "$(log born)" | grep clone)"
}

test_lkstla_syscall_by()
{
	COLUMNS="pid comm calls errors total_ns waiting_ns open"
	equal pid '201 one 3 1 71000 12000 1' "$(cells syscall --by pid "$(log nested)")"
	COLUMNS="comm calls"
	cells syscall --by comm "$(log migrating)" >"$tmp/stdout"
	printf 'two 2\none 2\n' | diff - "$tmp/stdout"
	misused 'there are call, pid, tgid, comm' syscall --by x "$(log nested)"
	# Calls that go over the edge of what is asked for are open there.
	COLUMNS="call calls open open_at_least_ns"
	cells syscall --from +0.000015 --to +0.00008 "$(log nested)" >"$tmp/stdout"
	printf 'write 0 1 30000\nread 0 1 25000\n' | sort >"$tmp/a"
	sort "$tmp/stdout" | diff "$tmp/a" -
}

# Without their exits, calls are counted all the same.
test_lkstla_without_exits()
{
	lkstla cpu "$(log entries)" 2>&1 | grep -q 'no SYSCALL_EXIT in it: user and system are not'
	COLUMNS="call calls total_ns open"
	cells syscall "$(log entries)" >"$tmp/stdout"
	printf 'write 2  0\nread 1  0\n' | diff - "$tmp/stdout"
	# Nor is it known when the last call of a thread ended that has ended.
	COLUMNS="total_ns max_ns"
	cells syscall "$(log -n 1 sim)" >"$tmp/stdout"
	[ "$(wc -l <"$tmp/stdout")" -gt 100 ]
	grep '[0-9]' "$tmp/stdout" && return 1
	return 0
}

# What is counted is as many as there are.
test_lkstla_counts()
{
	COLUMNS="kind count own_ns delay_max_ns"
	cells irq "$(log -n 1024 mix)" >"$tmp/stdout"
	printf 'vector 2048 10240000 \nsoftirq 2048 8192000 5000\nirq 2048 4096000 \n' |
		diff - "$tmp/stdout"
	COLUMNS="pid calls errors open running_ns ready_ns waiting_ns interrupted_ns unknown_ns"
	cells syscall --by pid "$(log -n 1024 mix)" >"$tmp/a"
	sort "$tmp/a" >"$tmp/stdout"
	# One in seven fails, but for rt_sigreturn: what that returns is no result of its own.
	diff - "$tmp/stdout" <<-ROWS
		201 1024 146 0 21504000 19456000 11264000 9216000 0
		202 1024 0 0 13312000 0 0 2048000 0
		203 1024 146 0 21504000 19456000 11264000 9216000 0
		204 1024 0 0 13312000 0 0 2048000 0
	ROWS
}

# bounds LOG KEYS ANALYSIS...: of each row, its KEYS, and the bounds of its count.
bounds()
{
	file=$1
	keys=$2
	shift 2
	lkstla "$@" --csv "$file" 2>"$tmp/stderr" | awk -F, -v keys="$keys" '
		!NF { exit }
		NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(count|calls)(_low)?$/) low = i
			high = low + ($low ~ /_low$/); next }
		{ key = $1; for (i = 2; i <= keys; i++) key = key "/" $i
		  print key, $low, $high }' | sort
}

# Whatever blocks are missing, what there was is within the bounds.
test_lkstla_bounds()
{
	for n in 512 640 768 896 1024 1152 1280; do
		for analysis in '2 irq' '1 syscall' '1 syscall --by pid' '1 syscall --by comm'; do
			# shellcheck disable=SC2086
			bounds "$(log -n $n mix)" $analysis >"$tmp/true"
			# shellcheck disable=SC2086
			bounds "$(log -n $n mix_cut)" $analysis >"$tmp/cut"
			join "$tmp/true" "$tmp/cut" | awk -v what="$n $analysis" '
				$2 != $3 || $4 > $2 || $5 < $2 { print what ":", $0; bad = 1 }
				END { exit bad || !NR }'
		done
	done
}

# Times are right on both sides of a step of the date, and of a suspension.
test_clock_steps()
{
	same steps.txt lkstbuf print -f "$(log steps)"
	same steps.real.txt lkstbuf print -R -f "$(log steps)"
	# A suspension that is short beside the time between two moments; a slewed clock.
	lkstbuf print -f "$(log slewed)" 2>"$tmp/stderr" |
		sed -n 's/.*-\([0-9]*\) .* \([0-9.]*\): PROCESS_WAKEUP.*/\1 \2/p' >"$tmp/stdout"
	diff - "$tmp/stdout" <<-TIMES
		1 6.000000000
		3 8.100000000
		5 10.200000000
		3500 3505.200000000
		3605 3609.700000000
	TIMES
}

# Stamps that start anew after a suspension come after those before it.
test_clock_reset()
{
	lkstbuf print -f "$(log reset)" 2>"$tmp/stderr" |
		sed -n 's/.*-\([0-9]*\) .* \([0-9.]*\): PROCESS_WAKEUP.*/\1 \2/p' >"$tmp/stdout"
	diff - "$tmp/stdout" <<-TIMES
		10 6.000000000
		11 6.100000000
		48 9.800000000
		49 9.900000000
		81 10.100000000
		82 10.200000000
		95 11.500000000
		96 11.600000000
	TIMES
	lkstbuf print -R -f "$(log reset)" 2>"$tmp/stderr" | grep -q -e '-96 .* 1700000009\.600000000:'
	lkstbuf print -f "$(log reset_untold)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q ': the clock has gone back by 17400000000 ticks' "$tmp/stderr"
}

# A ring may have lost the record of a change: what is left is later.
test_clock_changes_that_are_lost()
{
	for case in lost_date lost_suspension; do
		lkstbuf print -f "$(log $case)" 2>"$tmp/stderr" |
			sed -n "s/.*-\([0-9]*\) .* \([0-9.]*\): PROCESS_WAKEUP.*/$case \1 \2/p"
	done >"$tmp/stdout"
	diff - "$tmp/stdout" <<-TIMES
		lost_date 90 14.000000000
		lost_date 99 14.900000000
		lost_suspension 82 10.200000000
		lost_suspension 90 11.000000000
		lost_suspension 99 11.900000000
	TIMES
	grep -q 'suspended, no record tells when' "$tmp/stderr"
	lkstbuf print -R -f "$(log lost_date)" 2>"$tmp/stderr" >"$tmp/real"
	grep -q 'the date was set, no record tells when' "$tmp/stderr"
	grep -q -e '-90 .* 1700003609\.000000000:' "$tmp/real"
}

# With two clocks in a log, their ticks do not compare.
test_span_of_two_clocks()
{
	lkstbuf print -f "$(log mixed)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q '3 records in 0.000 s' "$tmp/stderr"
}

test_states_of_nothing()
{
	lkst states -f "$(log empty)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'no PROCESS_CONTEXTSWITCH in it' "$tmp/stderr"
}

# No state of a task begins before the one before it has ended.
test_states_are_whole()
{
	for case in states missing late elsewhere filtered live nowake elsewhere_1; do
		lkst states --intervals -f "$(log $case)" 2>"$tmp/stderr" | grep -v '^#' |
			sort -k1,1n -k4,4n |
			awk '$1 == pid && $4 != end { print "hole:", $0; bad = 1 }
			     { pid = $1; end = $5 } END { exit bad }'
	done
	# Nor do two run on a CPU at once.
	for case in states missing late reuse thread_exec elsewhere filtered live nofork; do
		lkst states --intervals -f "$(log $case)" 2>"$tmp/stderr" | grep ' running ' |
			sort -k6,6n -k4,4n |
			awk '$6 == cpu && $4 < end { print "two run:", $0; bad = 1 }
			     { cpu = $6; end = $5 } END { exit bad }'
	done
}

# === Analyses ===

# The waits of the case runq are listed beside it, in genlog.c.
test_lkstla_runq()
{
	same runq.txt lkstla runq --worst 20 "$(log runq)"
	same runq.txt lkstla runq --worst 20 "$(log -b runq)"
	grep -q ': 2 wakeups were in vain: the thread ran, or waited for a CPU, already$' "$tmp/stderr"
	same runq_pid.txt lkstla runq --by pid --worst 1 "$(log runq)"
	same runq_comm.csv lkstla runq --by comm --csv --worst 1 "$(log runq)"
	same runq_cpu.txt lkstla runq --by cpu --worst 0 "$(log runq)"
	# No idle task waits, nor is one waited for.
	! grep -q swapper "$here"/expected/runq*
}

# Without PROCESS_ENQUEUE, lengths are made of the threads that are known.
test_lkstla_runq_of_lives()
{
	same runq_lives.txt lkstla runq --worst 0 "$(log runq_lives)"
	grep -q 'no PROCESS_ENQUEUE in it: lengths are of threads known' "$tmp/stderr"
}

# A wait that is not whole in the time that is asked for is unknown.
test_lkstla_runq_window()
{
	f=$(log runq)
	equal all 'all,3,0,16000000' "$(lkstla runq --from +0.030 --to +0.060 --csv "$f" 2>&1 |
		grep '^all' | cut -d, -f1-4)"
	equal cut 'all,1,2,5000000' "$(lkstla runq --from +0.033 --to +0.053 --csv "$f" 2>&1 |
		grep '^all' | cut -d, -f1-4)"
	equal pid 'all,3,1,30000000' "$(lkstla runq --pid 202 --csv "$f" 2>&1 |
		grep '^all' | cut -d, -f1-4)"
}

# Where records are missing, and before a CPU's first, no wait is known; sums agree.
test_lkstla_runq_gaps()
{
	for case in runq runq_lives missing late elsewhere filtered live nowake elsewhere_1 states \
		    reuse thread_exec nofork busy; do
		f=$(log $case)
		lkstla runq --worst 100 --csv "$f" >"$tmp/stdout" 2>"$tmp/stderr"
		# No wait is more than the log says of the ready time of all.
		lkst states -a --intervals "$f" 2>"$tmp/stderr" |
			awk '$3 == "ready" { ns += ($5 - $4) * 1e6 } END { printf "%.0f\n", ns }' \
			>"$tmp/ready"
		grep '^all,' "$tmp/stdout" | cut -d, -f4 | cat "$tmp/ready" - |
			awk 'NR == 1 { most = $1 } NR == 2 && $1 > most + 100 { print "more:", $1, most; exit 1 }
				END { if (NR != 2) exit 1 }'
	done
}

# "SINCE LATENCY PID" of system calls that follow each other in a thread.
pairs()
{
	lkstla latency --of SYSCALL_ENTRY,SYSCALL_ENTRY --by thread --csv --worst 100000 "$1" \
		2>"$tmp/stderr" >"$tmp/pairs.csv"
	awk -F, '/^nr,since/ { on = 1; next } !NF { on = 0 } on { print $2, $3, $5 }' \
		"$tmp/pairs.csv" | sort
}

# Where records are missing, no two are a pair that have others between them.
test_lkstla_pairs_of_cut_logs()
{
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	for seed in 1 2 3; do
		pairs "$(log -n $seed sim)" >"$tmp/true"
		[ "$(wc -l <"$tmp/true")" -gt 500 ]
		n=0
		for i in 1 2 3 4 5 6 7 8 9 10; do
			"$tmp/cutlog" $i "$(log -n $seed sim)" >"$tmp/cut.log"
			pairs "$tmp/cut.log" >"$tmp/told"
			n=$((n + $(wc -l <"$tmp/told")))
			comm -23 "$tmp/told" "$tmp/true" | diff /dev/null -
		done
		[ $n -gt 100 ]
	done
}

# What is known before --from is known behind it: who runs where, and which CPU idles.
test_lkstla_runq_knows_what_was_before()
{
	f=$(log states)
	lkstla runq --worst 1 --csv "$f" 2>"$tmp/stderr" | awk -F, '
		/^since/ { on = 1; next } !NF { on = 0 } on { print $1, $2, $7 }' >"$tmp/a"
	read -r since ns idle <"$tmp/a"
	[ "$ns" -gt 0 ] && [ "$idle" -gt 0 ]
	to=$(awk -v since="$since" -v ns="$ns" 'BEGIN { printf "%.9f", since + ns / 1e9 }')
	lkstla runq --worst 1 --csv --from "$since" --to "$to" "$f" 2>"$tmp/stderr" | awk -F, '
		/^since/ { on = 1; next } !NF { on = 0 } on { print $1, $2, $7 }' >"$tmp/b"
	diff "$tmp/a" "$tmp/b"
}

test_lkstla_runq_of_nothing()
{
	lkstla runq "$(log steps)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'no PROCESS_CONTEXTSWITCH in it: nothing is known of run queues; record it, and PROCESS_WAKEUP' "$tmp/stderr"
	lkstla runq --worst many "$(log runq)" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 2 "$status"
	grep -q '"--worst many" is not a number' "$tmp/stderr"
	lkstla runq --by name "$(log runq)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q -- '--by' "$tmp/stderr"
}

# waits_by_pid LOG: "PID WAITS_NS UNKNOWN", of all that had the number
waits_by_pid()
{
	lkstla runq --by pid --csv --worst 0 "$1" 2>"$tmp/stderr" | sed '/^$/q' |
		awk -F, '/^[0-9]/ { ns[$1] += $5; unknown[$1] += $4 }
			 END { for (pid in ns) print pid, ns[pid] + 0, unknown[pid] + 0 }' | sort -n
}

# wrong_waits TRUTH WAITS: waits are all of the time that a thread was ready, or some unknown.
wrong_waits()
{
	awk 'NR == FNR { if ($1 != "event") ready[$1] = $3; next }
	     $2 > ready[$1] || (!$3 && $2 != ready[$1]) {
		print "PID " $1 " waited " $2 ", " $3 " unknown, not " ready[$1]
	     }' "$1" "$2" | diff /dev/null -
}

# Machines that were made up: none has waited for longer than it did, in no part of a log.
test_lkstla_runq_tells_the_truth()
{
	for seed in 1 2 3 4 5; do
		"$tmp/genlog" -x -n $seed sim >"$tmp/truth"
		waits_by_pid "$(log -n $seed sim)" >"$tmp/a"
		wrong_waits "$tmp/truth" "$tmp/a"
		# What has not ended with the log is little.
		awk 'NR == FNR { if ($1 != "event") ready += $3; next } { ns += $2 }
		     END { exit ns < 0.9 * ready }' "$tmp/truth" "$tmp/a"
		parts_agree "$(log -n $seed sim)"
	done
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	i=0
	while [ $i -lt "${CUTS:-50}" ]; do
		i=$((i + 1))
		seed=$((i % 5 + 1))
		"$tmp/cutlog" $i "$(log -n $seed sim)" >"$tmp/cut.log"
		"$tmp/genlog" -x -n $seed sim >"$tmp/truth"
		waits_by_pid "$tmp/cut.log" | awk '{ print $1, $2, 1 }' >"$tmp/a"
		wrong_waits "$tmp/truth" "$tmp/a"
		parts_agree "$tmp/cut.log"
	done
	echo "# $i cuts"
}

# parts_agree LOG ARGUMENTS...: the parts of each latency, in nanoseconds, are all of it.
parts_agree()
{
	f=$1
	shift
	lkstla latency --csv --worst 1000 "$@" "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	awk -F, '!NF { next } /^[a-z]/ { table = $2; next }
		 table == "since_s" { whole[$1] = $3 }
		 table == "time_ns" { parts[$1] += $2 }
		 table == "time_ns" { n++ }
		 END { if (!n) exit 1
			for (nr in whole)
			if (whole[nr] + 0 != parts[nr] + 0) { print nr, whole[nr], parts[nr]; bad = 1 }
		       exit bad }' "$tmp/stdout"
}

# What each of them is made of is beside the case latency, in genlog.c.
test_lkstla_latency()
{
	for of in wakeup timer irq SYSCALL_ENTRY,SYSCALL_EXIT TIMER_HR_START,TIMER_HR_RUN; do
		same "latency_$of.txt" lkstla latency --of $of "$(log latency)"
		same "latency_$of.txt" lkstla latency --of $of "$(log -b latency)"
		parts_agree "$(log latency)" --of $of
	done
	same latency_by_thread.txt lkstla latency --of TIMER_HR_START,TIMER_HR_RUN --by thread \
		"$(log latency)"
	for case in runq runq_lives states missing late reuse nofork; do
		parts_agree "$(log $case)"
	done
}

test_lkstla_latency_of_what_there_is_not()
{
	for args in '2|no event "NOTHING"|NOTHING,SYSCALL_EXIT' '2|none of wakeup, timer|none' \
		    '1|no TIMER_HR_START in it|timer' '1|no INT_BH_RAISE in it|irq' \
		    '1|no PROCESS_SIGSEND in it|PROCESS_SIGSEND,PROCESS_EXIT'; do
		status=0
		lkstla latency --of "${args##*|}" "$(log runq)" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal "$args" "${args%%|*}" "$status"
		text=${args#*|}
		grep -qF -- "${text%|*}" "$tmp/stderr"
	done
}

# === Files that are wrong ===

test_foreign_files()
{
	: >"$tmp/void.log"
	fails 'not an LKST log' lkstbuf print -f "$tmp/void.log"
	echo 'This is text, and a little longer than a log header.' >"$tmp/text.log"
	fails 'not an LKST log' lkstbuf print -f "$tmp/text.log"
	fails 'not an LKST log' lkst states -f "$here/run.sh"
	fails 'nothing.log: No such file' lkstbuf print -f "$tmp/nothing.log"
	fails 'Is a directory' lkstbuf print -f "$tmp"
	fails 'not an LKST log' lkstbuf print
	# A later version; another byte order than there is.
	{ printf 'LKSTLOG\n\004\003\002\001\003\000\010\000'; head -c 100 /dev/zero; } >"$tmp/v3.log"
	fails 'version 3 of the log format' lkstbuf print -f "$tmp/v3.log"
	{ printf 'LKSTLOG\n\001\001\001\001\002\000\010\000'; head -c 100 /dev/zero; } >"$tmp/bo.log"
	fails 'byte order' lkstbuf print -f "$tmp/bo.log"
}

# What has no end is refused by its head.
test_endless_files()
{
	for file in /dev/zero /dev/urandom; do
		# shellcheck disable=SC3045
		(ulimit -f 1000 && fails 'not an LKST log' timeout 20 lkstbuf print -f $file)
		for command in 'lkstbuf print' 'lkst states'; do
			# shellcheck disable=SC2086,SC3045
			(ulimit -f 1000 && timeout 20 $command <$file >"$tmp/stdout" 2>"$tmp/stderr") &&
				return 1
			grep -q ': standard input: not an LKST log$' "$tmp/stderr"
		done
	done
	# A head in pieces, and one that is too short.
	f=$(log basic)
	{ head -c 5 "$f"; sleep 1; tail -c +6 "$f"; } | lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr"
	diff "$here/expected/basic.txt" "$tmp/stdout"
	head -c 9 "$f" | lkstbuf print >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'it has only 9 bytes' "$tmp/stderr"
}

# No choice of addresses makes a map slow.
test_addresses_that_collide()
{
	f=$(log collide)
	# shellcheck disable=SC3045
	(ulimit -t 3 && lkstbuf print -f "$f" >"$tmp/stdout" 2>"$tmp/stderr")
	equal records 40001 "$(wc -l <"$tmp/stdout")"
	tail -n 1 "$tmp/stdout" | grep -q 'handler=name_12345$'
	# shellcheck disable=SC3045
	(ulimit -t 3 && lkst states -a -f "$f" >"$tmp/stdout" 2>"$tmp/stderr")
}

# Of the format of before: one line says so.
test_version_1()
{
	for args in '' -b -3; do
		# shellcheck disable=SC2086
		f=$(log $args version1)
		fails 'version 1 of the log format; these tools know version 2' lkstbuf print -f "$f"
		fails 'version 1 of the log format; these tools know version 2' lkst states -f "$f"
		# A log of today, but not its blocks.
		status=0
		# shellcheck disable=SC2086
		lkstbuf print -f "$(log $args blocks1)" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal status 4 $status
		equal printed '' "$(cat "$tmp/stdout")"
		equal lines 1 "$(grep -c 'damaged at' "$tmp/stderr")"
		grep -q 'the block is of another version of the format' "$tmp/stderr"
	done
	# The kernel is of before.
	fake
	"$tmp/genlog" raw1 >"$f/per_cpu/cpu0/trace_raw"
	fails 'per_cpu/cpu0/trace_raw: the block is of another version of the format' \
		lkstbuf read -f "$tmp/read.log"
}

# Zeros are no record: what was before and behind them is printed, and other blocks.
test_no_shape()
{
	for args in '' -b; do
		# shellcheck disable=SC2086
		f=$(log $args no_shape)
		status=0
		lkstbuf print -T -f "$f" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal status 4 $status
		diff "$here/expected/no_shape.txt" "$tmp/stdout"
		# Behind the head of the block and the one record.
		at=$(($(grep -aobF "$([ "$args" ] && echo 1KLBTSKL || echo LKSTBLK1)" "$f" |
			sed -n '1s/:.*//p') + 120 + 20))
		grep -q "damaged at byte $at: there is no record" "$tmp/stderr"
	done
}

# What names events have in a log from somewhere is nothing for a terminal to act on.
test_names_that_are_none()
{
	f=$(log basic)
	for name in 'PROCESS_SIGSEND:PROC\x1b[2J\x1b[HSEND' 'send_signal:s\x1b]0;x\x07gnal' \
		'prev_state:p\x1b[31m\x1b[mx'; do
		LC_ALL=C sed "s/${name%%:*}/${name#*:}/" "$f" >"$tmp/odd.log"
		equal size "$(wc -c <"$f")" "$(wc -c <"$tmp/odd.log")"
		cmp -s "$f" "$tmp/odd.log" && return 1
		for option in -V -C -S; do
			status=0
			lkstbuf print $option -f "$tmp/odd.log" >"$tmp/stdout" 2>"$tmp/stderr" ||
				status=$?
			equal status 4 $status
			grep -q '1 lines of the event table make no sense' "$tmp/stderr"
			grep -c "$(printf '[\001-\010\013-\037\177]')" "$tmp/stdout" \
				"$tmp/stderr" >"$tmp/odd" || continue
			cat "$tmp/odd"
			return 1
		done
	done
}

# Wherever it is cut off: what was before is there, and the error.
test_cut_off_logs()
{
	f=$(log gaps)
	lkstbuf print -T -f "$f" >"$tmp/whole" 2>"$tmp/stderr"
	size=$(wc -c <"$f")
	n=$((size - 1))
	while [ $n -gt 24 ]; do
		head -c $n "$f" >"$tmp/cut.log"
		status=0
		lkstbuf print -T -f "$tmp/cut.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		equal "status at $n" 4 $status
		grep -q 'damaged at byte\|not complete' "$tmp/stderr"
		# Blocks of two buffers may be out of order of time: no more than that.
		grep -vxFf "$tmp/whole" "$tmp/stdout" >"$tmp/stderr" && {
			echo "cut at $n:"
			cat "$tmp/stderr"
			return 1
		}
		n=$((n - 7))
	done
	head -c $((size - 40)) "$f" >"$tmp/cut.log"
	lkstbuf print -f "$tmp/cut.log" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	equal records 5 "$(grep -vc '^#' "$tmp/stdout")"
}

test_damaged_block()
{
	f=$(log basic)
	# The magic of the second block.
	at=$(grep -aobF LKSTBLK1 "$f" | sed -n '2s/:.*//p')
	{ head -c "$at" "$f"; printf X; tail -c +$((at + 2)) "$f"; } >"$tmp/bad.log"
	status=0
	lkstbuf print -f "$tmp/bad.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 4 $status
	equal records 12 "$(grep -c '\[000\]' "$tmp/stdout")"
	grep -q "damaged at byte $at: there is no block" "$tmp/stderr"
}

# span: the lowest and the highest in what "print -T" has printed to standard input
span()
{
	sed -n 's/^.*\] .... *\([0-9]*\): [A-Z].*/\1/p' | sort -n | sed -n '1p;$p' | tr '\n' ' '
}

# 400 bits that flipped in 2 MiB, behind the head: few records are lost, others are as they
# were. A time can't be told to be wrong if an interrupt may have come between a record's
# place and its time: that is 2^32 ticks.
test_bits_that_flipped()
{
	$cc -O2 -o "$tmp/mutate" "$here/mutate.c"
	slack=4294967296
	for args in '-n 9 large' '-b -n 9 large'; do
		# shellcheck disable=SC2086
		f=$(log $args)
		# What comes before the first block, without the head of the end.
		# shellcheck disable=SC2086
		blocks=$(($("$tmp/genlog" ${args% *} -n 0 large | wc -c) - 16))
		lkstbuf print -rT "$f" >"$tmp/whole" 2>"$tmp/stderr"
		sort "$tmp/whole" >"$tmp/sorted"
		n=$(wc -l <"$tmp/whole")
		equal records 57600 "$n"
		# shellcheck disable=SC2046
		set -- $(span <"$tmp/whole")
		# With 2, a bit of the head of a section flips: the rest of the log is lost.
		for seed in 1 3 4; do
			{
				head -c "$blocks" "$f"
				tail -c "+$((blocks + 1))" "$f" | "$tmp/mutate" "$seed" 400
			} >"$tmp/bad.log"
			status=0
			lkstbuf print -rT "$tmp/bad.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
			equal status 4 $status
			grep -v '^#' "$tmp/stdout" >"$tmp/a"
			printed=$(wc -l <"$tmp/a")
			same=$(sort "$tmp/a" | comm -12 "$tmp/sorted" - | wc -l)
			# shellcheck disable=SC2046
			set -- "$1" "$2" $(span <"$tmp/a")
			echo "# seed $seed: $printed records, $same as they were, from $3 to $4"
			[ $((printed * 100)) -ge $((n * 95)) ]
			[ $((same * 100)) -ge $((n * 90)) ]
			[ "$3" -ge $(($1 - slack)) ]
			[ "$4" -le $(($2 + slack)) ]
			# What was lost is not known, so neither is what tasks did then.
			status=0
			lkst states "$tmp/bad.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
			equal status 4 $status
		done
	done
}

test_garbage_after_the_end()
{
	{ cat "$(log basic)"; echo garbage; } >"$tmp/bad.log"
	status=0
	lkstbuf print -f "$tmp/bad.log" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status 4 $status
	diff "$here/expected/basic.txt" "$tmp/stdout"
	grep -q '8 bytes follow the end' "$tmp/stderr"
}

# A program that was killed is one that crashed.
test_damaged_logs_crash_nothing()
{
	flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
	if build "$tmp/asan" CC="$cc" CFLAGS="$flags"; then
		fuzzed=$tmp/asan
	else
		echo "# without sanitizers"
		fuzzed=$bin
	fi
	$cc -O2 -o "$tmp/mutate" "$here/mutate.c"
	seed=0
	while [ $seed -lt "${FUZZ:-2}" ]; do
		for args in basic '-b -3 wrap' gaps states '-b basic' '-3 evil' mixed types \
			'-b -3 shapes' texts '-b -3 texts' elsewhere thread_exec markers follow '-b tardy' filtered \
			discard_rows '-b live' nofork owners_between waits waits_cut; do
			# shellcheck disable=SC2086
			"$tmp/mutate" $seed <"$(log $args)" >"$tmp/fuzz.log"
			for command in 'lkstbuf print -VR -f' 'lkstbuf print -C -f' \
				'lkstbuf print -wVR -f' 'lkst states --parts -a -f' 'lkstla events -f' 'lkstla wait -a -f' \
				'lkstla summary -a -f' 'lkstbuf info'; do
				status=0
				# shellcheck disable=SC2086
				timeout 60 "$fuzzed"/$command "$tmp/fuzz.log" \
					>"$tmp/stdout" 2>"$tmp/stderr" || status=$?
				# 4: there was damage, and it was told of.
				[ $status -ne 4 ] || status=0
				if [ $status -gt 1 ] ||
				   grep -q 'Sanitizer\|runtime error' "$tmp/stderr"; then
					echo "seed $seed, $args, $command: status $status"
					head -n 20 "$tmp/stderr"
					return 1
				fi
			done
		done
		seed=$((seed + 1))
	done
	echo "# $((seed * 184)) runs"
}

# === Analyses ===

# Sums of all threads that had a PID, from "lkstla states": PID RUNNING READY BLOCKED UNKNOWN
sums_by_pid()
{
	lkstla states -a --csv "$1" 2>"$tmp/stderr" >"$tmp/states.csv"
	awk -F, 'NF == 11 && FNR > 1 && $1 != "" {
		r[$1] += $3; y[$1] += $5; b[$1] += $7; u[$1] += $9
	} END { for (p in r) print p, r[p], y[p], b[p], u[p] }' "$tmp/states.csv" | sort -n
}

# "ID LOW HIGH" of each event, from "lkstla events"
counts_by_event()
{
	lkstla events --csv "$1" 2>"$tmp/stderr" >"$tmp/events.csv"
	"$tmp/genlog" etypes | awk -F'[,\t]' '
		NR == FNR { id[$2] = $1; next }
		FNR == 1 { high = $4 ~ /_high$/ ? 4 : 3; next }
		id[$1] < 1000 { print id[$1], $3, $high }' - "$tmp/events.csv" | sort -n
}

# By the value of an argument: as many as "lkstbuf print" has, and what is no event or no
# argument of it is refused.
test_lkstla_events_by_value()
{
	for what in 'SYSCALL_ENTRY nr restarts' 'PROCESS_CONTEXTSWITCH prev_state restarts' \
		'INT_BH_ENTRY vec nested'; do
		# shellcheck disable=SC2086 # three words
		set -- $what
		f=$(log "$3")
		lkstbuf print -e "$1" -f "$f" 2>"$tmp/stderr" |
			sed -n "s/.* $2=\([^ ]*\).*/\1/p" | sort | uniq -c |
			awk '{ print $2, $1 }' | sort >"$tmp/a"
		[ -s "$tmp/a" ]
		lkstla events -e "$1" --by "$2" --csv "$f" 2>"$tmp/stderr" >"$tmp/b"
		awk -F, 'NR > 1 { print $1, $2 }' "$tmp/b" | sort | diff "$tmp/a" -
		lkstla events -e "$1" --by cpu --csv "$f" 2>"$tmp/stderr" |
			awk -F, 'NR > 1 { n += $2 } END { print n }' >"$tmp/c"
		awk '{ n += $2 } END { print n }' "$tmp/a" | diff - "$tmp/c"
	done
	# Of a thread alone, by whatever: as many as it has in the table of threads.
	f=$(log restarts)
	lkstla events --by pid --csv "$f" 2>"$tmp/stderr" >"$tmp/pids.csv"
	n=$(awk -F, '$2 == "one" { print $3 }' "$tmp/pids.csv")
	pid=$(awk -F, '$2 == "one" { print $1 }' "$tmp/pids.csv")
	[ "$n" -gt 0 ]
	for by in event cpu buffer comm pid; do
		lkstla events --by $by --pid "$pid" --csv "$f" 2>"$tmp/stderr" |
			awk -F, -v n="$n" 'NR == 1 { for (i = 1; $i != "records"; i++) ; next }
				{ sum += $i } END { exit sum != n }'
	done
	# Values of one text are one row: two numbers for "sleeps" are in this log.
	f=$(log states)
	lkstla events -e PROCESS_CONTEXTSWITCH --by prev_state --csv "$f" 2>"$tmp/stderr" |
		cut -d, -f1 | sort | uniq -d >"$tmp/twice"
	[ ! -s "$tmp/twice" ]
	# Where the CPU is an argument, too; texts have no values; idle is who has no number.
	f=$(log types)
	lkstla events -e INT_IPI_SEND --by arg:cpu --csv "$f" 2>"$tmp/stderr" | grep -q '^cpu,'
	lkstla events -e LKST_PROCESS --by arg:comm "$f" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'there is no --by "arg:comm"' "$tmp/stderr"
	f=$(log bare)
	lkstbuf print -C -f "$f" 2>"$tmp/stderr" | awk -F, '$3 == 0 { n++ } END { print n + 0 }' >"$tmp/a"
	lkstla events --by comm --csv "$f" 2>"$tmp/stderr" |
		awk -F, '$1 == "idle" { n = $2 } END { print n + 0 }' | diff "$tmp/a" -
	lkstla events --by nr "$f" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'there is no --by "nr"' "$tmp/stderr"
	lkstla events -e SYSCALL_ENTR "$f" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'there is no --event "SYSCALL_ENTR"' "$tmp/stderr"
}

# Each format has what the table for people has, whatever names are.
test_lkstla_formats()
{
	f=$(log evil)
	command -v jq >/dev/null || { echo SKIP no jq; return 4; }
	command -v sqlite3 >/dev/null || { echo SKIP no sqlite3; return 4; }
	lkstla events --by comm "$f" 2>"$tmp/stderr" | grep -qF 'red\x0a"x",\x5c '
	lkstla events --by comm --json "$f" 2>"$tmp/stderr" |
		jq -c '.events[] | [.comm, .rate, .size_bytes]' >"$tmp/a"
	grep -qF '"\u001b[31mred\n\"x\",\\"' "$tmp/a"
	lkstla events --by comm --sql "$f" 2>"$tmp/stderr" >"$tmp/sql"
	rm -f "$tmp/evil.db"
	sqlite3 "$tmp/evil.db" <"$tmp/sql"
	sqlite3 "$tmp/evil.db" 'SELECT json_array(comm, rate, size_bytes) FROM events' |
		jq -c . | diff "$tmp/a" -
	lkstla events --by comm --csv "$f" 2>"$tmp/stderr" >"$tmp/evil.csv"
	sqlite3 :memory: '.mode csv' ".import $tmp/evil.csv e" '.mode list' \
		'SELECT json_array(comm, rate + 0, size_bytes + 0) FROM e' |
		jq -c . | diff "$tmp/a" -
	# Ranges are two columns, or a pair; what is not known is null.
	lkstla events --json "$(log gaps)" 2>"$tmp/stderr" |
		jq -e '.events[0].records | .[0] < .[1]' >"$tmp/stdout"
	lkstla states -a --csv "$(log missing)" 2>"$tmp/stderr" | grep -q '^$'
	lkstla events --csv "$(log gaps)" 2>"$tmp/stderr" | sed 1q >"$tmp/stdout"
	grep -qx 'event,category,records_low,records_high,records_percent,rate,size_bytes,size_percent' \
		"$tmp/stdout"
	# Order and number of rows.
	lkstla states --sort ready --top 1 "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qx '(4 more; --top 0 shows all)' "$tmp/stdout"
	lkstla states --sort nope "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'no column "nope"; there are pid, comm, running, ready, blocked, unknown, switches$' \
		"$tmp/stderr"
	wrong 'only one can hold: -C and --json' lkstla states --json --csv "$f"
}

# What a machine that was made up did is what is told of it, to the nanosecond.
test_lkstla_tells_the_truth()
{
	for seed in 1 2 3 4 5; do
		"$tmp/genlog" -x -n $seed sim | sort -n >"$tmp/truth"
		grep -v event "$tmp/truth" | sed 's/$/ 0/' >"$tmp/a"
		sums_by_pid "$(log -n $seed sim)" | diff "$tmp/a" -
		sed -n 's/^event \(.*\) \(.*\)/\1 \2 \2/p' "$tmp/truth" | sort -n >"$tmp/a"
		counts_by_event "$(log -n $seed sim)" | diff "$tmp/a" -
	done
}

# Where blocks are missing, the truth is within the bounds: what a thread was known to do is
# not more than it did, and with what is not known not less.
test_lkstla_of_cut_logs()
{
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	i=0
	while [ $i -lt "${CUTS:-50}" ]; do
		i=$((i + 1))
		seed=$((i % 5 + 1))
		"$tmp/cutlog" $i "$(log -n $seed sim)" >"$tmp/cut.log"
		"$tmp/genlog" -x -n $seed sim >"$tmp/truth"
		sums_by_pid "$tmp/cut.log" >"$tmp/a"
		# Some may have lived in gaps only.
		[ "$(wc -l <"$tmp/a")" -ge 12 ]
		awk -v cut=$i '
			NR == FNR { if ($1 != "event") for (k = 2; k <= 4; k++) t[$1, k] = $k; next }
			{
				for (k = 2; k <= 4; k++)
					if ($k < 0 || $k > t[$1, k] || $k + $5 < t[$1, k])
						print "cut " cut ", PID " $1 ", state " k - 2 ": " $k \
							" and " $5 " unknown, not " t[$1, k]
			}' "$tmp/truth" "$tmp/a" | diff /dev/null -
		counts_by_event "$tmp/cut.log" >"$tmp/a"
		[ "$(wc -l <"$tmp/a")" -ge 5 ]
		awk -v cut=$i '
			NR == FNR { if ($1 == "event") t[$2] = $3; next }
			$2 > t[$1] || $3 < t[$1] {
				print "cut " cut ", event " $1 ": " $2 " to " $3 ", not " t[$1]
			}' "$tmp/truth" "$tmp/a" | diff /dev/null -
	done
	echo "# $i cuts"
}

# === lkstla: states in parts ===

# What is in each of them stands in genlog.c; the answers were found by hand.
test_lkstla_parts()
{
	same parts.states.txt lkstla states --parts "$(log parts)"
	same parts.states.txt lkstla states --parts "$(log -b parts)"
	same nested.parts.txt lkstla states --parts "$(log nested)"
	same torn_pairs.parts.txt lkstla states --parts "$(log torn_pairs)"
	# In a window of the log, its part of each; how a thread came to be ready before is known.
	lkstla states -p 201 --parts --csv --from +0.000029 --to +0.000046 "$(log parts)" \
		2>"$tmp/stderr" | sed -n '/^pid,comm,state,/,/^$/s/,[0-9.]*$//p' >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		201,one,running,system,4000
		201,one,running,exception,2000
		201,one,ready,woken,6000
		201,one,blocked,pipe,5000
	ROWS
	lkstla states --parts "$(log entries)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'no SYSCALL_EXIT in it: user and system are not told apart' "$tmp/stderr"
	lkstla states --parts "$(log -n 1 sim_entries)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'no EXCEPTION_PF_EXIT in it: how long page faults last is not known' "$tmp/stderr"
	lkstla states "$(log entries)" 2>&1 | grep 'no SYSCALL_EXIT' && return 1
	wrong 'only one can hold: -i and --parts' lkstla states -i --parts "$(log parts)"
}

# parts_of OPTIONS... LOG: "PID STATE PART NANOSECONDS" of all threads that had a PID; "-" is a
# part that has no name.
parts_of()
{
	lkstla states -a --parts --csv "$@" 2>"$tmp/stderr" | awk -F, '
		/^pid,comm,state/ { on = 1; next }
		!NF { on = 0 }
		on && $1 != "" { sum[$1 " " $3 " " ($4 == "" ? "-" : $4)] += $5 }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort
}

# All parts together are the time that the thread existed, and those of a state are that; on
# what it waited is what "wait" says of it.
test_lkstla_parts_add_up()
{
	for case in nested migrating restarts torn_pairs entries threaded parts switchless states \
		missing late reuse thread_exec elsewhere filtered busy discard live nofork nowake \
		waits waits_cut '-n 1024 mix_cut' '-n 1 sim_parts'; do
		# shellcheck disable=SC2086
		f=$(log $case)
		for window in '' '--from +0.000021 --to +0.000071' '--from +0.01 --to +0.065'; do
			# shellcheck disable=SC2086
			parts_of $window "$f" | awk '{
				sum[$1 " " ($2 == "interrupted" ? "running" : $2)] += $4
			} END { for (i in sum) if (sum[i]) printf "%s %.0f\n", i, sum[i] }' |
				sort >"$tmp/a"
			# shellcheck disable=SC2086
			lkstla states -a --csv $window "$f" 2>"$tmp/stderr" | awk -F, '
				!NF { exit }
				NR > 1 && $1 != "" {
					sum[$1 " running"] += $3; sum[$1 " ready"] += $5
					sum[$1 " blocked"] += $7; sum[$1 " unknown"] += $9
				}
				END { for (i in sum) if (sum[i]) printf "%s %.0f\n", i, sum[i] }' |
				sort >"$tmp/b"
			diff "$tmp/a" "$tmp/b" || { echo "$case $window"; return 1; }
			[ -n "$window" ] || [ -s "$tmp/a" ]
		done
		parts_of "$f" | sed -n 's/ blocked / /p' >"$tmp/a"
		lkstla wait -a --csv "$f" 2>"$tmp/stderr" | awk -F, '
			!NF { on = 1; next }
			on && /^[0-9]/ && $3 != "unrecorded" { sum[$1 " " $3] += $4 }
			END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort |
			diff "$tmp/a" - || { echo "wait of $case"; return 1; }
	done
}

# parts_within TRUTH LOG WHAT SHARE: of each thread, what was true is not less than the part
# that is told, nor more than that with what is not known; and that share of the truth, in
# percent, is told all together. The unknown ones are of no part.
parts_within()
{
	parts_of "$2" >"$tmp/told"
	awk -v what="$3" -v share="$4" '
		NR == FNR { if ($1 == "part") { t[$2 " " $3 " " $4] = $5; all += $5 }; next }
		{ told[$1 " " $2 " " $3] = $4 }
		END {
			for (i in t) {
				split(i, w, " ")
				state = w[2] == "interrupted" ? "running" : w[2]
				low = told[i]
				high = low + told[w[1] " " state " unknown"] + told[w[1] " unknown -"]
				if (t[i] < low || t[i] > high)
					print what ": PID " i ": " low " to " high ", not " t[i]
				known += low
				n++
			}
			if (n < 150 || known * 100 < all * share)
				print what ": " n " parts, " known " told of " all
		}' "$1" "$tmp/told" | diff /dev/null -
}

# What a machine that was made up did is what is told of it; of a log that lacks exits, or
# blocks in the middle, nothing else.
test_lkstla_parts_of_the_truth()
{
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	for seed in 1 2 3 4 5; do
		for case in sim_parts sim_entries; do
			"$tmp/genlog" -x -n $seed $case >"$tmp/truth.$seed.$case"
			share=96
			[ $case = sim_parts ] || share=60
			parts_within "$tmp/truth.$seed.$case" "$(log -n $seed $case)" \
				"$case $seed" $share
		done
	done
	i=0
	while [ $i -lt "${CUTS:-50}" ]; do
		i=$((i + 1))
		seed=$((i % 5 + 1))
		case=sim_parts
		[ $((i % 4)) -ne 0 ] || case=sim_entries
		"$tmp/cutlog" $i "$(log -n $seed $case)" >"$tmp/cut.log"
		parts_within "$tmp/truth.$seed.$case" "$tmp/cut.log" "cut $i" 1
	done
	echo "# $i cuts"
}

# === lkstla: one interval after the other ===

# sums KEY ANALYSIS...: the sum of each of COLUMNS for each KEY, of all tables that have these:
# without --every of one, with it of those of all intervals.
sums()
{
	key=$1
	shift
	lkstla "$@" --csv 2>"$tmp/stderr" | awk -F, -v key="$key" -v columns="$COLUMNS" '
		BEGIN { n = split(columns, name, " "); titles = 1 }
		!NF { titles = 1; next }
		titles {
			split("", at)
			for (i = 1; i <= NF; i++)
				at[$i] = i
			titles = 0
			has = key in at
			for (i = 1; i <= n; i++)
				has = has && name[i] in at
			next
		}
		has {
			seen[$at[key]] = 1
			for (i = 1; i <= n; i++)
				sum[$at[key], i] += $at[name[i]]
		}
		END {
			for (k in seen) {
				printf "%s", k
				for (i = 1; i <= n; i++)
					printf " %.0f", sum[k, i]
				print ""
			}
		}' | sort
}

# What is open at a boundary goes on in the next interval: nothing is lost, nor counted twice,
# nor unknown because it shows only later.
test_lkstla_every_adds_up()
{
	for args in '-n 1 sim' '-n 2 sim_live' missing busy filtered reuse thread_exec nofork elsewhere; do
		# shellcheck disable=SC2086
		f=$(log $args)
		for every in 7ms 900us; do
			COLUMNS='running_ns ready_ns blocked_ns unknown_ns switches'
			sums pid states -a "$f" >"$tmp/a"
			[ "$(wc -l <"$tmp/a")" -ge 2 ]
			sums pid states -a --every $every "$f" | diff "$tmp/a" -
		done
	done
	for args in '-n 1 sim' '-n 2 sim_live' waits; do
		# shellcheck disable=SC2086
		f=$(log $args)
		COLUMNS=time_ns
		sums pid wait -a "$f" >"$tmp/a"
		[ "$(wc -l <"$tmp/a")" -ge 2 ]
		sums pid wait -a --every 7ms "$f" | diff "$tmp/a" -
	done
	# A gap that an interval ends in, or that which is asked for, is not the end of the log.
	f=$(log loss_unswitched)
	for window in '--every 20ms' '--every 20ms --to +0.02' '--to +0.02'; do
		# shellcheck disable=SC2086
		lkstla wait -a --by reason --csv $window "$f" 2>"$tmp/stderr" | sed -n 's/.*,\(pipe,.*\)/\1/p
			s/^pipe,/&/p' | head -n 1 | cut -d, -f1-3 >"$tmp/a"
		echo pipe,5000000,10000000 | diff - "$tmp/a"
	done
	COLUMNS='records size_bytes'
	sums event events "$(log -n 1 sim)" >"$tmp/a"
	[ "$(wc -l <"$tmp/a")" -ge 5 ]
	sums event events --every 3ms "$(log -n 1 sim)" | diff "$tmp/a" -
	# Of a part of the log, too; it ends in the middle of an interval.
	sums event events --from +0.0105 --to +0.05 "$(log -n 1 sim)" >"$tmp/a"
	sums event events --from +0.0105 --to +0.05 --every 3ms "$(log -n 1 sim)" | diff "$tmp/a" -
	COLUMNS='running_ns ready_ns blocked_ns unknown_ns switches'
	sums pid states -a --from +0.0105 --to +0.05 "$(log -n 1 sim)" | grep -v ' 0 0 0 0 0$' >"$tmp/a"
	sums pid states -a --from +0.0105 --to +0.05 --every 3ms "$(log -n 1 sim)" >"$tmp/b"
	# What it was at the end of that shows later: it is not looked for behind.
	awk 'NR == FNR { for (i = 2; i <= 5; i++) all[$1] += $i; run[$1] = $2; next }
		{ n++; if (all[$1] != $2 + $3 + $4 + $5 || run[$1] != $2) { print; bad = 1 } }
		END { exit bad || n < 10 }' "$tmp/a" "$tmp/b"
}

# Records that are missing may be in the intervals, or the window, in which they are missing.
test_lkstla_events_missing()
{
	f=$(log missing)
	{
		for window in '+0.001 --to +0.015' '+0.001 --to +0.03' '+0.062 --to +0.085'; do
			# shellcheck disable=SC2086
			lkstla events --csv --from $window "$f" 2>"$tmp/stderr" | awk -F, -v w="$window" '
				NR == 1 { high = $4 ~ /high/ ? 4 : 3 }
				NR > 1 { print w, $1, $3, $high }'
		done
		lkstla events --csv --every 20ms "$f" 2>"$tmp/stderr" | awk -F, '
			/^from_s/ { high = $6 ~ /high/ ? 6 : 5; next }
			NF { print $1, $3, $5, $high }'
	} >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		+0.001 --to +0.015 PROCESS_CONTEXTSWITCH 1 1
		+0.001 --to +0.015 PROCESS_WAKEUP 1 1
		+0.001 --to +0.03 PROCESS_CONTEXTSWITCH 2 94
		+0.001 --to +0.03 PROCESS_WAKEUP 1 93
		+0.062 --to +0.085 PROCESS_CONTEXTSWITCH 2 2
		5.000000000 LKST_PROCESS 6 98
		5.000000000 PROCESS_CONTEXTSWITCH 2 94
		5.000000000 PROCESS_WAKEUP 1 93
		5.040000000 PROCESS_WAKEUP 1 93
		5.060000000 PROCESS_CONTEXTSWITCH 2 2
		5.080000000 PROCESS_CONTEXTSWITCH 1 1
		5.080000000 PROCESS_WAKEUP 1 1
	ROWS
}

# A call is open in each interval that it was in, if neither its entry nor its exit is there, too.
test_lkstla_syscall_over_intervals()
{
	f=$(log nested)
	lkstla syscall --csv --every 15us "$f" 2>"$tmp/stderr" | awk -F, '
		/^from_s/ { for (i = 1; i <= NF; i++) at[$i] = i; on = 1; next }
		!NF { on = 0 }
		on && $3 == "read" { print $1, $3, $at["calls"], $at["open"], $at["open_at_least_ns"] }' \
		>"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		5.000000000 read 0 1 5000
		5.000015000 read 0 1 15000
		5.000030000 read 0 1 10000
	ROWS
	COLUMNS="call calls open open_at_least_ns"
	equal read 'read 0 1 10000' "$(cells syscall --from +0.000018 --to +0.000028 "$f")"
	# Where no exits are recorded, nobody knows.
	equal none '' "$(cells syscall --from +0.05 --to +0.0501 "$(log -n 1 sim)")"
}

# A time in which there is nothing of the log is said to be one, by all commands.
test_lkstla_of_no_time()
{
	f=$(log waits)
	for args in states events wait runq latency cpu irq syscall summary 'states -i' 'states --json' \
			'states --every 1s' 'convert --to csv' "page -o $tmp/page.html"; do
		for window in '--from +9' '--from 99 --to 100' '--to 4.9'; do
			# shellcheck disable=SC2086
			lkstla $args $window "$f" >"$tmp/stdout" 2>"$tmp/stderr"
			grep -q 'none of its records .* they are from 5.000000000 to 5.498000000$' \
				"$tmp/stderr" || { echo "$args $window"; return 1; }
		done
		# shellcheck disable=SC2086
		lkstla $args --from +0.498 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
		grep 'none of its records' "$tmp/stderr" && return 1
	done
	lkstla states --every 1s --from +9 - <"$f" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'none of its records' "$tmp/stderr"
	# The same of one that is counted while it comes; what is not read has no end.
	live=$(log live)
	for window in '--from +9' '--from 99 --to 100'; do
		# shellcheck disable=SC2086
		cat "$live" | lkstla events --every 1ms $window 2>"$tmp/stderr" >"$tmp/stdout"
		grep 'none of its records .* they are from 5.000000000 to 5.099950024$' "$tmp/stderr"
	done
	cat "$live" | lkstla events --every 1ms --to 4.9 2>"$tmp/stderr" >"$tmp/stdout"
	grep 'none of its records .* they are from 5.000000000 on$' "$tmp/stderr"
	cat "$live" | lkstla events --every 1ms --from +0.05 2>"$tmp/stderr" >"$tmp/stdout"
	grep 'none of its' "$tmp/stderr" && return 1
	# Digits before the point are not needed; some digit is.
	lkstla events --from +.01 --to +.02 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	lkstla events --from +0.01 --to +0.02 "$f" 2>"$tmp/stderr" | diff "$tmp/stdout" -
	[ "$(wc -l <"$tmp/stdout")" -gt 2 ]
	misused 'is no time' events --from . "$f"
	misused 'is no time' events --from +. "$f"
	misused 'is no time' events --from + "$f"
}

# Each interval is what the options --from and --to make of it.
test_lkstla_every_is_from_to()
{
	f=$(log -n 3 sim)
	lkstla states --every 10ms --csv "$f" 2>"$tmp/stderr" >"$tmp/all"
	for i in 0 3 8; do
		from=$(awk -v i=$i 'BEGIN { printf "%.3f", 5 + i / 100 }')
		to=$(awk -v i=$i 'BEGIN { printf "%.9f", 5 + (i + 1) / 100 - 1e-9 }')
		awk -F, -v from="${from}000000" '$1 == from && NF == 13' "$tmp/all" |
			cut -d, -f3,13 | sort >"$tmp/a"
		[ "$(wc -l <"$tmp/a")" -ge 8 ]
		lkstla states --from "$from" --to "$to" --csv "$f" 2>"$tmp/stderr" |
			sed '/^$/,$d; 1d' | cut -d, -f1,11 | sort | diff "$tmp/a" -
	done
	misused 'is no time' events --every 0 "$f"
	misused 'there is no --every' summary --every 1s "$f"
	misused 'makes more than 100000 intervals' events --every 1ns "$f"
	misused 'only one can hold: --every and -i' states --every 1s -i "$f"
	misused 'only one can hold: --every and --of' wait --every 1s --of 1001 "$f"
	# Nobody of that number in any of them; one who is there later.
	lkstla states --every 10ms -p 99999 "$f" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'there is no PID 99999 in .*; it has 1000, ' "$tmp/stderr"
	lkstla states --every 1ms -p 1003 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	lkstla latency --every 1ms "$(log follow)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	grep -q 'there is no PROCESS_CONTEXTSWITCH in it' "$tmp/stderr"
}

test_lkstla_every_formats()
{
	command -v jq >/dev/null || { echo SKIP no jq; return 4; }
	command -v sqlite3 >/dev/null || { echo SKIP no sqlite3; return 4; }
	f=$(log elsewhere)
	COLUMNS='idle_ns unknown_ns'
	sums cpu cpu "$f" >"$tmp/a"
	# A document each, one to a line.
	lkstla cpu --every 13ms --json "$f" 2>"$tmp/stderr" >"$tmp/json"
	equal lines 8 "$(wc -l <"$tmp/json")"
	jq -rs 'map(.cpus[]) | group_by(.cpu)[] |
		"\(.[0].cpu) \(map(.idle_ns) | add) \(map(.unknown_ns) | add)"' "$tmp/json" |
		diff "$tmp/a" -
	equal ends "$(jq -s 'map(.to_s)[:-1]' "$tmp/json")" "$(jq -s 'map(.from_s)[1:]' "$tmp/json")"
	# One table for all intervals, which has all columns that any of them has.
	rm -f "$tmp/every.db"
	lkstla cpu --every 13ms --sql "$f" 2>"$tmp/stderr" >"$tmp/sql"
	grep -q '^ALTER TABLE' "$tmp/sql"
	sqlite3 -bail "$tmp/every.db" <"$tmp/sql"
	sqlite3 -separator ' ' "$tmp/every.db" 'SELECT cpu, sum(idle_ns), sum(unknown_ns) FROM cpus
		GROUP BY cpu ORDER BY cpu' | diff "$tmp/a" -
	equal intervals 8 "$(sqlite3 "$tmp/every.db" 'SELECT count(DISTINCT from_s) FROM cpus')"
	equal busy "$(jq -s 'map(.cpus[].busy_ns | numbers) | add' "$tmp/json")" \
		"$(sqlite3 "$tmp/every.db" 'SELECT sum(busy_ns) FROM cpus')"
	# Titles of CSV once, if they stay the same and are of one table.
	lkstla events --every 5ms --csv "$(log -n 1 sim)" 2>"$tmp/stderr" >"$tmp/stdout"
	equal titles 1 "$(grep -c from_s "$tmp/stdout")"
	lkstla states --every 5ms --csv "$(log -n 1 sim)" 2>"$tmp/stderr" >"$tmp/stdout"
	equal titles 40 "$(grep -c from_s "$tmp/stdout")"
	# For people, each has a heading; what there is to say is said once.
	lkstla runq --every 20ms "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr"
	equal headings 5 "$(grep -c '^5\.0[0-9]* \.\. 5\.[0-9]*:$' "$tmp/stdout")"
	sort "$tmp/stderr" | uniq -d | diff /dev/null -
}

# What comes through a pipe is counted as soon as all of it is there, as it is of a file.
test_lkstla_every_of_a_pipe()
{
	for seed in 1 2; do
		f=$(log -n $seed sim_live)
		for args in 'states -a' events wait runq cpu syscall; do
			# When the last record of a CPU came shows later, and at first what a thread is.
			# shellcheck disable=SC2086
			lkstla $args --every 3ms --csv "$f" 2>"$tmp/stderr" |
				awk -F, '!/^[0-9]/ || (NF != 8 && $1 > 5.01)' >"$tmp/wanted"
			[ "$(wc -l <"$tmp/wanted")" -ge 60 ]
			for size in 1000 100000; do
				# shellcheck disable=SC2086
				dd if="$f" bs=$size 2>"$tmp/dd" | lkstla $args --every 3ms --csv 2>"$tmp/stderr" |
					awk -F, '!/^[0-9]/ || (NF != 8 && $1 > 5.01)' | diff "$tmp/wanted" -
			done
		done
	done
	# Up to 0.1, 0.3, 0.5 s they are due; an interval ends before that.
	lkstla events --every 100ms "$(log follow)" >"$tmp/wanted" 2>"$tmp/stderr"
	for round in 1 3 5; do
		rm -f "$tmp/go"
		now_and_then "$(followed $round)" |
			timeout 60 lkstla events --every 45ms --csv >"$tmp/stdout" 2>"$tmp/stderr" &
		soon grep -q "^5\\.[0-9]*,5\\.$((round - 1))[0-9]*," "$tmp/stdout"
		grep "^5\\.[0-9]*,5\\.[$((round + 1))-9]" "$tmp/stdout" && return 1
		: >"$tmp/go"
		wait $!
		grep -q '^5\.[0-9]*,5\.6' "$tmp/stdout"
	done
	COLUMNS=records_low
	sums event events "$(log follow)" >"$tmp/a"
	awk -F, '/^from_s/ { next } NF { n[$3] += $5 } END { for (e in n) print e, n[e] }' \
		"$tmp/stdout" | sort | diff "$tmp/a" -
	# That records were lost shows when the next ones come.
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	"$tmp/cutlog" 3 "$(log -n 1 sim_live)" | lkstla states -a --every 3ms >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'before 5\.[0-9]* s records were lost, which shows only now' "$tmp/stderr"
	# Of a reader that has enough, the writer hears.
	lkstla events --every 45ms --to +0.1 --csv <"$(log follow)" >"$tmp/stdout" 2>"$tmp/stderr"
	cat "$(log follow)" | lkstla events --every 45ms --to +0.1 --csv 2>"$tmp/stderr" |
		cut -d, -f1-4 >"$tmp/a"
	cut -d, -f1-4 "$tmp/stdout" | sed 's/_low//' | diff - "$tmp/a"
}

# It may never end: its first bytes are enough.
test_pipe_of_no_log()
{
	for command in 'lkstla states' 'lkstla states --every 1s' lkstbuf\ print 'lkst states'; do
		rm -f "$tmp/go"
		mkfifo "$tmp/fifo" 2>/dev/null || :
		{ printf 'no'; soon test -e "$tmp/go"; } >"$tmp/fifo" &
		status=0
		# shellcheck disable=SC2086
		timeout 5 $command <"$tmp/fifo" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
		: >"$tmp/go"
		wait $!
		equal status 1 $status
		grep -q 'not an LKST log$' "$tmp/stderr"
	done
}

# === lkstla: logs that lkst record -a has made ===

# What is not in it did not happen, for the analyses that it was recorded for.
test_lkstla_recorded_for()
{
	lacks='there is no [A-Z_]* in it'
	for args in 'states --parts' irq cpu; do
		# shellcheck disable=SC2086 # words
		lkstla $args "$(log waits)" 2>&1 >/dev/null | grep -q "$lacks"
	done
	for args in wait 'states --parts' summary; do
		# shellcheck disable=SC2086 # words
		lkstla $args "$(log waits_asked_for)" >"$tmp/stdout" 2>"$tmp/stderr"
		! grep "$lacks" "$tmp/stderr" || return 1
	done
	grep -q '^None occurred of these: page faults (EXCEPTION_PF_ENTRY),$' "$tmp/stdout"
	lkstla summary "$(log waits)" 2>/dev/null | grep -q 'none occurred, or none was recorded'
	for args in irq cpu; do
		lkstla $args "$(log waits_asked_for)" 2>&1 >/dev/null | grep -q "$lacks"
	done
	# What the answers say is the same.
	lkstla wait --csv "$(log waits)" 2>/dev/null >"$tmp/a"
	lkstla wait --csv "$(log waits_asked_for)" 2>/dev/null | cmp - "$tmp/a"
}

# === lkstla: rows by thread, process, name, CPU ===

# table_of N COLUMNS COMMAND...: of the Nth table, these columns, of ranges the low ends.
table_of()
{
	wanted=$1
	columns=$2
	shift 2
	lkstla "$@" --csv 2>"$tmp/stderr" | awk -F, -v wanted="$wanted" -v columns="$columns" '
		BEGIN { n = split(columns, name, " "); t = 1 }
		!NF { t++; head = 0; next }
		t != wanted { next }
		{ gsub(/"[^"]*"/, "quoted") }
		!head++ { for (i = 1; i <= NF; i++) { sub(/_low$/, "", $i); at[$i] = i }; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}

# A number is given out again, a leader ends first, a thread calls exec(): see genlog.c.
test_lkstla_by_process()
{
	f=$(log processes)
	printf '%s\n' '300 first 5' '300 third 6' '400 other 2' '500 ? 1' '500 ? 1' ' ? 1' \
		'700 ? 1' '700 ? 2' >"$tmp/wanted"
	for args in 'syscall calls' 'latency --of SYSCALL_ENTRY,SYSCALL_EXIT count'; do
		table_of 1 "tgid comm ${args##* }" ${args% *} --by tgid "$f" | sort >"$tmp/stdout"
		sort "$tmp/wanted" | diff - "$tmp/stdout"
	done
	for analysis in states wait events runq; do
		nr=1
		[ $analysis != wait ] || nr=2
		table_of $nr 'tgid comm' $analysis --by tgid "$f" | sort | uniq >"$tmp/stdout"
		grep -qx '300 first' "$tmp/stdout"
		grep -qx '300 third' "$tmp/stdout"
	done
	# By number, there are both.
	table_of 1 'tgid calls' syscall --by tgid --tgid 300 "$f" | sort >"$tmp/stdout"
	printf '300 5\n300 6\n' | diff - "$tmp/stdout"
}

# However rows are made, together they are the same; and a name's is that of its threads.
test_lkstla_rows_add_up()
{
	cat >"$tmp/add" <<-'EOF'
		{ for (i = 1; i <= NF; i++) sum[i] += $i; n++ }
		END { printf "%d", (n > 0); for (i = 1; i in sum; i++) printf " %.0f", sum[i]; print "" }
	EOF
	cat >"$tmp/names" <<-'EOF'
		/^task@/ { $1 = "?" }
		{ for (i = 2; i <= NF; i++) sum[$1, i] += $i; all[$1]; n = NF > n ? NF : n }
		END {
			for (comm in all) {
				printf "%s", comm
				for (i = 2; i <= n; i++)
					printf " %.0f", sum[comm, i]
				print ""
			}
		}
	EOF
	for f in "$(log processes)" "$(log runq)" "$(log -n 3 sim)"; do
		for args in \
			'syscall 1 call,tgid,comm calls|errors|total_ns|running_ns|waiting_ns|open' \
			'events 1 event,tgid,comm,cpu records|size_bytes' \
			'irq 1 kind,tgid,comm,cpu count|open|own_ns|total_ns' \
			'runq 1 cpu,tgid,comm waits|unknown|total_ns' \
			'latency 1 kind,tgid,comm,cpu count|unknown|total_ns' \
			'states 1 tgid,comm running_ns|ready_ns|blocked_ns|unknown_ns|switches' \
			'wait 2 tgid,comm time_ns|waits|cut'; do
			# shellcheck disable=SC2086 # words
			set -- $args
			columns=$(echo "$4" | tr '|' ' ')
			table_of "$2" "$columns" "$1" --by pid "$f" | awk -f "$tmp/add" >"$tmp/wanted"
			for by in $(echo "$3" | tr , ' '); do
				table_of "$2" "$columns" "$1" --by "$by" "$f" |
					awk -f "$tmp/add" >"$tmp/stdout"
				diff "$tmp/wanted" "$tmp/stdout" || { echo "$1 --by $by $f"; return 1; }
			done
			cat "$tmp/wanted" >>"$tmp/all"
			for by in pid comm; do
				table_of "$2" "comm $columns" "$1" --by $by "$f" |
					awk -f "$tmp/names" | sort >"$tmp/by_$by"
			done
			diff "$tmp/by_pid" "$tmp/by_comm"
		done
	done
	[ "$(grep -c '^1 .*[1-9]' "$tmp/all")" -ge 15 ]
}

# Own times, and what they may be at most, add up to those of all.
test_lkstla_irq_by()
{
	echo '{ n[$1 " " $2] += $3; high[$1 " " $2] += $NF } $3 > $NF { print "less than", $0 }
		END { for (i in n) print i, n[i], high[i] }' >"$tmp/add"
	for case in nested mix sim_switchless; do
		columns='kind name own_ns'
		[ $case = sim_switchless ] && columns="$columns own_ns_high"
		table_of 1 "$columns" irq "$(log $case)" | awk -f "$tmp/add" | sort >"$tmp/wanted"
		[ "$(wc -l <"$tmp/wanted")" -ge 3 ]
		for by in pid tgid comm cpu; do
			lkstla irq --by $by --csv "$(log $case)" 2>"$tmp/stderr" | sed 1q >"$tmp/head"
			equal "$case: ranges" "$(echo "$columns" | grep -c high)" \
				"$(grep -c own_ns_high "$tmp/head")"
			table_of 1 "$columns" irq --by $by "$(log $case)" | awk -f "$tmp/add" | sort |
				diff "$tmp/wanted" -
		done
	done
}

# So are their parts, and those of intervals: processes, too, are as they are in the end.
test_lkstla_states_by()
{
	for args in processes '-n 2 sim' '-n 2 sim_live'; do
		# shellcheck disable=SC2086
		f=$(log $args)
		COLUMNS='time_ns'
		for by in pid tgid comm; do
			sums part states --parts --by $by "$f" >"$tmp/$by"
		done
		[ "$(wc -l <"$tmp/pid")" -ge 2 ]
		diff "$tmp/pid" "$tmp/tgid"
		diff "$tmp/pid" "$tmp/comm"
		COLUMNS='running_ns ready_ns blocked_ns unknown_ns switches'
		sums tgid states -a --by tgid "$f" >"$tmp/a"
		[ "$(wc -l <"$tmp/a")" -ge 3 ]
		every=20us
		[ "$args" = processes ] || every=900us
		sums tgid states -a --by tgid --every $every "$f" | diff "$tmp/a" -
	done
	COLUMNS='calls errors'
	sums tgid syscall --by tgid "$(log processes)" >"$tmp/a"
	[ "$(wc -l <"$tmp/a")" -ge 4 ]
	sums tgid syscall --by tgid --every 20us "$(log processes)" | diff "$tmp/a" -
	misused 'there are pid, tgid, comm' states --by cpu "$f"
	misused 'only one can hold: --by and --data' states --by pid --data "$f"
	misused 'only one can hold: --by and -i' states --by pid -i "$f"
}

# What has no such rows says which it has.
test_lkstla_by_nothing()
{
	f=$(log nested)
	misused 'there are event, pid, tgid, comm, cpu, buffer' events --by x "$f"
	misused 'there are kind, pid, tgid, comm, cpu' runq --by x "$f"
	misused 'there are kind, pid, tgid, comm, cpu' irq --by x "$f"
	misused 'there are kind, pid, tgid, comm, cpu' latency --by arg "$f"
	misused 'there are kind, cpu' latency --of irq --by pid "$f"
	misused 'there are thread, arg, pid, tgid, comm, cpu' \
		latency --of SYSCALL_ENTRY,SYSCALL_EXIT --by x "$f"
	# Of each CPU, and of what ran there; softirqs are late on their CPU, and for no thread.
	equal cpu '0 softirq 1' "$(table_of 1 'cpu kind count' irq --by cpu "$f" | grep softirq)"
	equal pid '201 softirq 1' "$(table_of 1 'pid kind count' irq --by pid "$f" | grep softirq)"
}

# === lkstla: waits ===

# What each wait is, and why, or why not, is in genlog.c.
test_lkstla_wait()
{
	same waits.of.txt lkstla wait --of 201 "$(log waits)"
	same waits.reason.txt lkstla wait --by reason "$(log waits)"
	same waits.worker.txt lkstla wait -p 204 "$(log waits)"
	same waits.of.txt lkstla wait --of 201 "$(log -b waits)"
	lkstla wait --by comm --json "$(log waits)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qF '{"comm": "sleeper", "reason": "pipe", "time_ns": 25000000, ' "$tmp/stdout"
	lkstla wait --by tgid --csv "$(log waits)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qx '201,sleeper,pipe,25000000,[0-9.]*,5,0,5000000,60.000,waker-202' "$tmp/stdout"
	# Of all that it could tell, nothing is told to be missing.
	equal notes 0 "$(lkstla wait "$(log waits)" 2>&1 >"$tmp/stdout" | grep -c 'there is no')"
	refuses 2 'there is no --by "tid"; there are reason, pid, tgid, comm' --by tid
	refuses 2 '"sleeper" is not a number' --of sleeper
	refuses 1 'there is no PID 7 in ' --of 7
	wrong 'only one can hold: ' lkstla wait --of 201 --by pid "$(log waits)"
}

# refuses STATUS TEXT OPTION...: that status, and that message among others.
refuses()
{
	want=$1
	text=$2
	shift 2
	status=0
	lkstla wait "$@" "$(log waits)" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	equal status "$want" $status
	grep -F -- "$text" "$tmp/stderr"
}

# From before the log, to after it, around a gap; of two threads that had the same number.
test_lkstla_wait_at_edges()
{
	same waits_cut.of.txt lkstla wait --of 201 "$(log waits_cut)"
	same waits_cut.table.txt lkstla wait "$(log waits_cut)"
	# What is known of a wait does not depend on what is asked for.
	same waits.window.txt lkstla wait --of 201 --from +0.004 --to +0.016 "$(log waits)"
}

# Without the events that tell of it, a wait is unknown, and a note says so.
test_lkstla_wait_without_events()
{
	lkstla wait "$(log states)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'there is no LK_CONTENTION_BEGIN, .*FS_PIPE_WAIT.* such waits are among the unknown' \
		"$tmp/stderr"
	grep -q 'there is no SYSCALL_ENTRY in it' "$tmp/stderr"
	equal reasons 'unknown' "$(awk '/^$/ { exit } NR > 1 && $1 != "unrecorded" { print $1 }' \
		"$tmp/stdout")"
}

# waits_of LOG: "PID BLOCKED UNRECORDED" of each PID, in ns.
waits_of()
{
	lkstla wait -a --csv "$1" 2>"$tmp/stderr" | awk -F, '
		!NF { on = 1; next }
		on && /^[0-9]/ { sum[$1, $3 == "unrecorded"] += $4; pid[$1] }
		END { for (i in pid) printf "%d %.0f %.0f\n", i, sum[i, 0], sum[i, 1] }' | sort
}

# Of each thread, its waits are the time in which states has it blocked.
test_lkstla_wait_adds_up()
{
	for case in waits waits_cut states missing late reuse thread_exec elsewhere filtered busy \
		discard unread nowake nofork owners_between; do
		f=$(log $case)
		lkstla states -a --csv "$f" 2>"$tmp/stderr" | awk -F, '
			!NF { exit }
			/^[0-9]/ && $7 + $9 { b[$1] += $7; u[$1] += $9 }
			END { for (i in b) printf "%d %.0f %.0f\n", i, b[i], u[i] }' |
			sort >"$tmp/a"
		waits_of "$f" >"$tmp/b"
		[ -s "$tmp/a" ]
		diff "$tmp/a" "$tmp/b" || { echo "$case"; return 1; }
	done
}

# "REASON LOW HIGH LONGEST_LOW LONGEST_HIGH WAITS_LOW WAITS_HIGH" of thread 201.
wait_bounds()
{
	lkstla wait -p 201 --csv "$1" 2>"$tmp/stderr" | awk -F, '
		!NF { on = 1; next }
		on && /^pid/ {
			for (i = n = 1; i <= NF; i++) {
				name = $i
				sub(/_(low|high)$/, "", name)
				low[name] = low[name] ? low[name] : i
				high[name] = i
			}
			next
		}
		on { print $3, $low["time_ns"], $high["time_ns"], $low["longest_ns"],
			$high["longest_ns"], $low["waits"], $high["waits"] }'
}

# What is told of a log that lacks blocks in the middle is true of the whole one.
test_lkstla_wait_of_cut_logs()
{
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	wait_bounds "$(log waits)" >"$tmp/true"
	[ "$(wc -l <"$tmp/true")" -ge 14 ]
	i=0
	n=0
	while [ $i -lt "${CUTS:-50}" ]; do
		i=$((i + 1))
		"$tmp/cutlog" $i "$(log waits)" >"$tmp/cut.log"
		wait_bounds "$tmp/cut.log" >"$tmp/told"
		[ -s "$tmp/told" ]
		# Where only the first is not there, the log begins later.
		grep -q '[^0-9]0 missing' "$tmp/stderr" && continue
		n=$((n + 1))
		awk -v cut=$i '
			NR == FNR { for (k = 2; k <= 7; k++) told[$1, k] = $k; seen[$1] = 1; next }
			$1 == "unknown" || $1 == "unrecorded" { next }
			!seen[$1] {
				if ($2 > told["unrecorded", 3] + told["unknown", 3])
					print "cut " cut ", " $1 ": not there"
				next
			}
			{
				for (k = 2; k <= 6; k += 2)
					if ($k < told[$1, k] || $k > told[$1, k + 1])
						print "cut " cut ", " $1 ": " $k ", not " told[$1, k] \
							" to " told[$1, k + 1]
				if (told[$1, 3] > 498000000 || told[$1, 5] > 498000000)
					print "cut " cut ", " $1 ": longer than the log"
			}' "$tmp/told" "$tmp/true" | diff /dev/null -
	done
	[ $((2 * n)) -gt $i ]
	echo "# $i cuts"
}

# === lkstla: the summary ===

# findings LOG OPTIONS...: "LOW HIGH WHAT" of all that was lost, in ns, the largest first; then
# "LOW HIGH all", and "UNKNOWN UNKNOWN unknown".
findings()
{
	file=$1
	shift
	lkstla summary -a --top 0 --json "$@" "$file" >"$tmp/summary.json" 2>"$tmp/stderr"
	lkstla summary -a --csv --top 0 "$@" "$file" 2>"$tmp/stderr" | awk -F, '
		!NF { on = 0; next }
		/^(finding|length_ns)/ {
			on = $1
			for (i = 1; i <= NF; i++) {
				name = $i
				sub(/_(low|high)$/, "", name)
				low[on, name] = $i ~ /_high$/ ? low[on, name] : i
				high[on, name] = i
			}
			next
		}
		on == "finding" { print $low[on, "lost_ns"], $high[on, "lost_ns"], $1; next }
		on { l = $low[on, "lost_ns"]; h = $high[on, "lost_ns"]; u = $low[on, "unknown_ns"] }
		END { print l, h, "all"; print u, u, "unknown" }'
}

# What was lost to what stands in losslog.h, and beside runq in genlog.c.
test_lkstla_summary()
{
	for case in loss '-b loss'; do
		# shellcheck disable=SC2086
		findings "$(log $case)" >"$tmp/stdout"
		diff - "$tmp/stdout" <<-ROWS
			7000000 7000000 spinning for lock 0xffffffff82002000
			7000000 7000000 page faults
			4000000 4000000 futex 0x7f0000001000 (a shared lock)
			4000000 4000000 interrupted by vector 236:local_timer
			3500000 3500000 ready until an idle CPU ran it
			3000000 3000000 uninterruptible sleep in or after sync()
			2000000 2000000 timers that were late
			1000000 1000000 interrupted by irq 4:0xffffffff81000010
			0 3000000 softirqs that were late: NET_RX
			31500000 34500000 all
			0 0 unknown
		ROWS
	done
	findings "$(log runq)" | sed 's/ [0-9]*//' | grep ready >"$tmp/stdout"
	# Whether C, and G, came from another CPU is not told.
	diff - "$tmp/stdout" <<-ROWS
		39000000 ready while no CPU was idle
		14000000 ready while another CPU was idle
		4000000 ready; whether a CPU was idle is not known
		3000000 ready until an idle CPU ran it
	ROWS
	# Nor what CPU 1 did before its first record.
	findings "$(log loss_unsure)" | grep ready >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		19000000 19000000 ready; whether a CPU was idle is not known
		5000000 24000000 ready while another CPU was idle
	ROWS
	# Who has switched the recording on can lose time afterwards.
	findings "$(log loss_recorder)" | grep uninterruptible >"$tmp/stdout"
	echo '100000000 100000000 uninterruptible sleep in or after sync()' | diff - "$tmp/stdout"
	# What is not over at the end, or crosses an edge of the window, may have been lost.
	findings "$(log loss_open)" | grep -E 'irq 4|all$' | sed 's/:0x.*//' >"$tmp/stdout"
	findings "$(log loss_open)" --from +0.007 --to +0.012 | grep all >>"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		10000000 10000000 interrupted by irq 4
		10100000 30000000 all
		0 5000000 all
	ROWS
	cd "$(dirname "$(log loss)")"
	same summary.txt lkstla summary loss.log
	misused 'what costs most comes first' summary --sort pid "$(log loss)"
}

# What a thread spun is what it ran in the window while it spun. Where the begin or the end of a
# spin, or of a fault, is not in the log, that may be as much.
test_lkstla_summary_of_edges()
{
	f=$(log loss_spin_edges)
	{
		findings "$f"
		findings "$f" --to +0.03
		findings "$f" --from +0.03
		findings "$f" --from +0.028 --to +0.032
		findings "$(log loss_fault_open)"
		findings "$(log loss_fault_open)" --to +0.033
	} | grep -E 'spinning|all$' >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		10000000 15000000 spinning for lock 0xffffffff82002000
		20000000 25000000 all
		5000000 10000000 spinning for lock 0xffffffff82002000
		5000000 15000000 all
		5000000 5000000 spinning for lock 0xffffffff82002000
		5000000 10000000 all
		0 4000000 all
		100000 10000000 all
		0 3000000 all
	ROWS
}

# A futex is one of a process, not of a number that another process has later, unless it is shared.
test_lkstla_summary_of_futexes()
{
	findings "$(log loss_futexes)" | grep futex >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		7000000 7000000 futex 0x7f0000003000 (a shared lock)
		6000000 6000000 futex 0x7f0000001000 (a lock of processes that are not known)
		5000000 5000000 futex 0x7f0000001000 (a lock)
		2000000 2000000 futex 0x7f0000001000 (a lock)
	ROWS
}

# Without its exit, a system call may be over when its thread sleeps in a page fault.
test_lkstla_summary_of_sleeps()
{
	{
		findings "$(log loss_sleep_exits)"
		findings "$(log loss_sleep_no_exits)"
	} | grep uninterruptible >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		20000000 20000000 uninterruptible sleep in sync()
		10000000 10000000 uninterruptible sleep; in what is not known
		20000000 20000000 uninterruptible sleep in or after sync()
		10000000 10000000 uninterruptible sleep in or after getpid()
	ROWS
	lkstla wait --of 201 "$(log loss_sleep_no_exits)" 2>"$tmp/stderr" >"$tmp/stdout"
	grep -q 'in or after system call sync' "$tmp/stdout"
	lkstla wait --of 201 "$(log loss_sleep_exits)" 2>"$tmp/stderr" >"$tmp/stdout"
	grep -q '  system call sync' "$tmp/stdout"
}

# What was spun in a page fault, or in one within it, is the lock's, once: of 40 ms of page
# faults, 9.
test_lkstla_summary_of_faults()
{
	findings "$(log loss_faults)" | grep -v unknown$ >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		31000000 31000000 page faults
		9000000 9000000 spinning for lock 0xffffffff82002000
		40000000 40000000 all
	ROWS
}

# A mutex that is spun for until the lock of its own has to be waited for; who makes a thread, and
# who waits for it to end or to exec; who has switched the recording on, and did so before.
test_lkstla_summary_of_what_ends()
{
	for case in loss_mutex loss_thread loss_vfork loss_recorded; do
		findings "$(log $case)" | grep -v unknown$
	done >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		21000000 21000000 spinning for lock 0xffffffff82002000
		17000000 17000000 lock 0xffffffff82002000
		2000000 2000000 spinning for lock 0xffffffff82002040
		40000000 40000000 all
		20000000 20000000 uninterruptible sleep in or after clone()
		20000000 20000000 all
		0 0 all
		50000000 50000000 uninterruptible sleep; in what is not known
		50000000 50000000 all
	ROWS
}

# What only one of the masksets has is not known at other times.
test_lkstla_summary_of_masksets()
{
	f=$(log loss_masksets)
	lkstla summary "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qF 'with some of its masksets there is no record of locks (40.000 ms), page faults (40.000 ms):' \
		"$tmp/stderr"
	lkstla summary --to +0.015 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qF 'no record of locks (10.000 ms), page faults (10.000 ms):' "$tmp/stderr"
	lkstla summary --json "$f" 2>"$tmp/stderr" | grep -qF 'no record of locks (40.000 ms)'
	# All of the time that is asked for has it; there is no other maskset.
	lkstla summary --from +0.01 --to +0.02 "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	grep 'some of its masksets' "$tmp/stderr" && return 1
	lkstla summary "$(log loss)" >"$tmp/stdout" 2>"$tmp/stderr"
	! grep 'some of its masksets' "$tmp/stderr"
}

# How late a timer by the date is depends on whether that was set; wait does not claim it, either.
test_lkstla_wait_of_dates()
{
	f=$(log loss_dated)
	lkstla wait --of 201 "$f" 2>"$tmp/stderr" | grep -o 'nanosleep.*' >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		nanosleep, by the date: how late is not known
		nanosleep, late by 1000.000 us
	ROWS
	equal late '1000000 1000000 timers that were late' "$(findings "$f" | grep late)"
}

# A CPU that an interrupt keeps runs no other thread; who waits for that CPU waits for all of it.
test_lkstla_summary_of_kept_cpus()
{
	findings "$(log loss_kept)" | grep ready >"$tmp/stdout"
	diff - "$tmp/stdout" <<-ROWS
		16000000 16000000 ready while another CPU was idle
		12000000 12000000 ready while no CPU was idle
		4000000 4000000 ready until an idle CPU ran it
	ROWS
}

# In any window, what is ready is the time in which states has threads ready; what they waited
# for a lock, a disk, memory or RCU is that of wait; and of no thread more is lost than it had.
test_lkstla_summary_adds_up()
{
	for case in waits waits_cut loss runq states missing late reuse nofork nowake '-n 1 sim' \
		'-n 1024 mix' nested; do
		for window in '' '--from +0.005 --to +0.071'; do
			# shellcheck disable=SC2086
			f=$(log $case)
			# shellcheck disable=SC2086
			findings "$f" $window >"$tmp/a"
			# shellcheck disable=SC2086
			lkstla states -a --csv $window "$f" 2>"$tmp/stderr" | awk -F, '
				!NF { exit }
				NR > 1 { ready += $5; all += $3 + $5 + $7 + $9 }
				END { printf "ready %.0f\nexisted %.0f\n", ready, all }' >"$tmp/b"
			# shellcheck disable=SC2086
			lkstla wait -a --by reason --csv $window "$f" 2>"$tmp/stderr" | awk -F, '
				NR > 1 { print $1, $2 }' >>"$tmp/b"
			awk -v what="$case $window" '
				NR == FNR { want[$1] = $2; next }
				$3 == "all" { low = $1; high = $2; next }
				{ sub(/;$/, "", $3)
				  sum[$3 == "ready" || $3 == "lock" || $3 == "disk" || \
					$3 == "memory:" || $3 == "RCU" ? $3 : "other"] += $1
				  if ($1 > $2) { print what, $0; bad = 1 } }
				END {
					if (sum["lock"] + 0 != want["lock"] + 0 ||
					    sum["disk"] + 0 != want["disk"] + 0 ||
					    sum["memory:"] + 0 != want["memory"] + 0 ||
					    sum["RCU"] + 0 != want["rcu"] + 0 ||
					    sum["ready"] + 0 != want["ready"] ||
					    low > high || low < want["ready"] ||
					    high > want["existed"]) {
						print what
						for (i in sum) print i, sum[i]
						for (i in want) print "want", i, want[i]
						bad = 1
					}
					exit bad
				}' "$tmp/b" "$tmp/a"
		done
	done
	# The largest comes first.
	for case in waits loss '-n 1 sim'; do
		# shellcheck disable=SC2086
		findings "$(log $case)" | sed '/ all$/,$d' >"$tmp/a"
		[ "$(wc -l <"$tmp/a")" -ge 3 ]
		sort -s -rn -k 1,1 "$tmp/a" | diff - "$tmp/a"
	done
}

# What was lost up to some moment, and from then on, is what was lost.
test_lkstla_summary_windows_add_up()
{
	for case in waits runq runq_lives '-n 1 sim' '-n 2 sim' '-n 3 sim'; do
		# shellcheck disable=SC2086
		f=$(log $case)
		for moment in 0.007 0.0253 0.0721; do
			findings "$f" >"$tmp/all"
			findings "$f" --to +$moment >"$tmp/a"
			findings "$f" --from +$moment >>"$tmp/a"
			awk -v what="$case $moment" '
				{ key = $3; for (k = 4; k <= NF; k++) key = key " " $k }
				# What is not whole in a window is not counted there.
				/interrupted|late|all$|unknown$/ { next }
				{ sum[key] += NR == FNR ? -$1 : $1 }
				END {
					for (key in sum) {
						n++
						if (!sum[key]) continue
						print what, key, sum[key]
						bad = 1
					}
					exit bad || n < 3
				}' "$tmp/all" "$tmp/a"
		done
	done
}

# Whatever blocks are missing, what was lost is within the bounds.
test_lkstla_summary_of_cut_logs()
{
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	i=0
	n=0
	while [ $i -lt "${CUTS:-50}" ]; do
		i=$((i + 1))
		case $((i % 2)) in
		0) case='waits' ;;
		*) case="-n $((i % 5 + 1)) sim" ;;
		esac
		# shellcheck disable=SC2086
		f=$(log $case)
		[ -f "$f.true" ] || findings "$f" >"$f.true"
		"$tmp/cutlog" $i "$f" >"$tmp/cut.log"
		findings "$tmp/cut.log" >"$tmp/told"
		# Where only the first is not there, the log begins later.
		grep -q '[^0-9]0 missing' "$tmp/stderr" && continue
		n=$((n + 1))
		awk -v cut="$i $case" '
			{ key = $3; for (k = 4; k <= NF; k++) key = key " " $k }
			NR == FNR { low[key] = $1; high[key] = $2; next }
			# What is not known where is not the same in both.
			key == "unknown" || key ~ /not known/ { next }
			key in low { if ($2 < low[key] || $1 > high[key])
				print "cut " cut ", " key ": " $1 ".." $2 ", not " low[key] " to " high[key]
				next }
			$1 > high["all"] { print "cut " cut ", " key ": not there" }
			' "$tmp/told" "$f.true" | diff /dev/null -
	done
	[ $((2 * n)) -gt $i ]
	for n in 512 768 1024 1280; do
		findings "$(log -n $n mix)" >"$tmp/true"
		findings "$(log -n $n mix_cut)" >"$tmp/told"
		awk '{ key = $3; for (k = 4; k <= NF; k++) key = key " " $k }
			NR == FNR { low[key] = $1; high[key] = $2; next }
			key in low && key != "unknown" {
				n++
				if ($2 < low[key] || $1 > high[key]) {
					print key, $1, $2, "not", low[key], high[key]
					bad = 1
				}
			}
			END { exit bad || n < 3 }' "$tmp/told" "$tmp/true"
	done
	echo "# $i cuts"
}

# short FILE: JSON, of less than 2 KB.
short()
{
	size=$(wc -c <"$1")
	[ "$size" -lt 2048 ] || { echo "$size bytes"; return 1; }
	jq -e '.findings | type == "array"' "$1" >"$tmp/jq"
}

# JSON is short, whatever the log, its name, and the names in it.
test_lkstla_summary_json()
{
	command -v jq >/dev/null || { echo SKIP no jq; return 4; }
	for case in waits loss runq nested evil states gaps steps '-n 50 loss_names' '-n 1 sim'; do
		# shellcheck disable=SC2086
		f=$(log $case)
		lkstla summary -a --top 0 --json "$f" >"$tmp/j" 2>"$tmp/stderr" ||
			[ "$case" = steps ] || [ "$case" = evil ] || [ "$case" = gaps ]
		short "$tmp/j"
	done
	jq -e '.lost_ns[0] == 31500000 and .findings[1].what == "page faults" and
		.findings[0].from_s == 5.04 and .findings[4].pid == 201 and .missing_at_most == 0' \
		>"$tmp/jq" <<-END
			$(lkstla summary --json "$(log loss)" 2>"$tmp/stderr")
		END
	# Names of 250 bytes, some of which take six in JSON.
	odd=$(awk 'BEGIN { for (i = 0; i < 62; i++) printf "\\001\"\\\\x" }')
	# shellcheck disable=SC2059
	dir=$tmp/$(printf "$odd")
	dir=$dir/$(basename "$dir")/$(basename "$dir")
	mkdir -p "$dir"
	for case in 'loss' '-n 50 loss_names' 'waits'; do
		# shellcheck disable=SC2086
		cp "$(log $case)" "$dir/log"
		lkstla summary --json "$dir/log" >"$tmp/j" 2>"$tmp/stderr"
		short "$tmp/j"
		# What is left out is counted.
		jq -e '.findings | length >= 2' "$tmp/j" >"$tmp/jq"
		jq -e '.findings[0].command | endswith(" \"$LOG\"")' "$tmp/j" >"$tmp/jq"
	done
	lkstla summary -a --top 0 --json "$(log waits)" 2>"$tmp/stderr" |
		jq -e '(.findings | length) + .more > 8' >"$tmp/jq"
}

# runs COMMAND WHAT: as who pastes it; it has something to say.
runs()
{
	bash -c "$1" >"$tmp/stdout" 2>"$tmp/stderr" || {
		echo "status $?: $1"
		cat "$tmp/stderr"
		return 1
	}
	[ "$(wc -l <"$tmp/stdout")" -ge 2 ] || { echo "says nothing: $1"; return 1; }
}

# pasted NAME LOG OPTIONS...: all commands of the log's page, which has that name.
pasted()
{
	name=$1
	cp "$2" "./$name"
	shift 2
	lkstla summary -a --top 0 "$@" -f "$name" >"$tmp/page" 2>"$tmp/stderr"
	grep '^    lkst' "$tmp/page" | sort -u >"$tmp/commands"
	[ "$(wc -l <"$tmp/commands")" -ge 3 ]
	while read -r command; do
		runs "$command"
	done <"$tmp/commands"
	rm "./$name"
}

# Each command that is shown can be pasted, and shows more of that.
test_lkstla_summary_commands()
{
	mkdir "$tmp/odd names"
	cd "$tmp/odd names"
	for case in loss waits runq nested '-n 3 loss_names' '-n 1 sim'; do
		# shellcheck disable=SC2086
		pasted trace.log "$(log $case)"
	done
	pasted trace.log "$(log loss)" --from +0.001 --to +0.2
	for name in "it's my \"log\" \$x.log" -f "$(printf 'a\001\nb')"; do
		pasted "$name" "$(log runq)" --task 'B*' --from +0
	done
	cp "$(log waits)" trace.log
	# It shows the wait that the finding is about.
	lkstla summary -a --top 0 trace.log 2>"$tmp/stderr" | sed -n '/disk 8:0/,/^    lkstla/p' >"$tmp/a"
	from=$(sed -n 's/^    longest .* ms, \([0-9.]*\) to .*/\1/p' "$tmp/a")
	runs "$(sed -n '/^    lkstla/s/^    //p' "$tmp/a")"
	grep -q "^$from .* disk .*8:0 sector 640" "$tmp/stdout"
	# What came through a pipe has no name.
	lkstla summary <trace.log 2>"$tmp/stderr" | grep -qx 'LOG is the log, which came from standard input.'
}

# What is not in the log is not looked at, and it says so.
test_lkstla_summary_of_little()
{
	lkstla summary "$(log -n 1024 mix)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qF 'locks (LK_CONTENTION_BEGIN)' "$tmp/stdout"
	# Interrupts, and no switches.
	lkstla summary "$(log basic)" >"$tmp/stdout" 2>"$tmp/stderr"
	lkstla summary "$(log steps)" >"$tmp/stdout" 2>"$tmp/stderr" || :
	grep -qx 'What threads waited for is not known: there are no context switches.' "$tmp/stdout"
	grep -qF 'threads (PROCESS_CONTEXTSWITCH)' "$tmp/stdout"
	lkstla summary "$(log empty)" >"$tmp/stdout" 2>"$tmp/stderr" && return 1
	# A thread that runs all the time.
	lkstla summary --from +0.06 --to +0.075 "$(log waits)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q '^Threads lost ' "$tmp/stdout"
	lkstla summary --from +0.13 "$(log loss)" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -qx 'Nothing stands out. Threads lost 0 of 40.000 ms in which they had something to do.' \
		"$tmp/stdout"
}

# === lkstla page ===

# page LOG: its page, made once.
page()
{
	[ -f "$1.html" ] || lkstla page "$1" -o "$1.html" 2>"$tmp/stderr" || return 1
	echo "$1.html"
}

# about PAGE: what it says of itself, as JSON.
about()
{
	sed -n 's/^<script type="application.json" id="about">//; t in
		b
		:in
		s/<.script>$//
		p
		/}$/q
		n
		b in' "$1" | jq -e . || echo "no JSON: $1" >&2
}

# A picture of the log of a case, as it would be made in its folder.
picture()
{
	case=$1
	shift
	log "$case" >/dev/null
	(cd "$tmp" && lkstla "$@" --svg - "$case.log")
}

test_lkstla_pictures()
{
	same picture.states.svg picture states states
	same picture.parts.svg picture parts states --parts
	same picture.states_every.svg picture states states --every 20ms
	same picture.wait.svg picture waits wait
	same picture.runq.svg picture runq runq
	same picture.latency.svg picture runq latency
	same picture.latency_every.svg picture runq latency --every 10ms
	same picture.irq.svg picture nested irq
	same picture.cpu.svg picture gaps cpu --every 5us
}

# Every one can be read, whatever is in the log, and has nothing that runs.
test_lkstla_pictures_are_xml()
{
	command -v xmllint >/dev/null || { echo SKIP no xmllint; return 4; }
	for case in hostile evil empty gaps busy missing late born processes waits_cut; do
		for args in states 'states --parts' 'states --every 10ms' wait runq latency cpu \
			irq 'irq --every 10ms' 'runq --every 10ms'; do
			# shellcheck disable=SC2086
			lkstla $args --svg "$tmp/p.svg" "$(log $case)" 2>"$tmp/stderr" || :
			# It says why if it can't find out anything.
			[ -f "$tmp/p.svg" ] || { grep 'record it' "$tmp/stderr"; continue; }
			xmllint --noout "$tmp/p.svg" || { echo "$case: $args"; return 1; }
			! grep -i -e '<script' -e 'href' -e '[" ,a-z]-\{0,1\}nan[" ,]' "$tmp/p.svg" || return 1
			rm "$tmp/p.svg"
		done
	done
	lkstla states --svg "$tmp/p.svg" "$(log hostile)" 2>"$tmp/stderr"
	grep -F '&#60;!--&#60;script&#62;' "$tmp/p.svg" >"$tmp/stdout"
}

# As wide as the table says, whatever part of whatever thread it is.
test_lkstla_picture_says_the_same()
{
	for case in states busy missing reuse; do
		lkstla states --top 1000 --svg "$tmp/p.svg" "$(log $case)" 2>"$tmp/stderr"
		lkstla states --csv "$(log $case)" 2>"$tmp/stderr" >"$tmp/p.csv"
		sed -n 's/^<rect.* width="\([0-9.]*\)".*<title>\(.*\): \([a-z]*\) .*/\1 \3/p' \
			"$tmp/p.svg" >"$tmp/widths"
		awk -F, 'NR == FNR { split($0, w, " "); width[w[2]] += w[1]; all += w[1]; next }
			/^$/ { exit }
			FNR > 1 { ns["running"] += $3; ns["ready"] += $5; ns["blocked"] += $7
				ns["unknown"] += $9 }
			END { for (i in ns) sum += ns[i]
				if (!sum || !all) exit 1
				for (i in ns) {
					d = width[i] - ns[i] / sum * all
					if (d > 0.3 || d < -0.3) { print i, width[i], ns[i]; bad = 1 }
				}
				exit bad }' "$tmp/widths" "$tmp/p.csv" || { echo "$case"; return 1; }
	done
}

# us_of FILE: what the tooltips of areas in a picture add up to.
us_of()
{
	sed -n 's/^<path fill.*<title>.* \([0-9.]* [a-z]*\)<.title>.*/\1/p' "$1" | awk '
		BEGIN { us["s"] = 1000000; us["ms"] = 1000; us["us"] = 1; us["ns"] = 0.001 }
		{ n += $1 * us[$2] }
		END { printf "%.0f\n", n }'
}

# Of more kinds than there are lines for, and than the legend has, none is left out.
test_lkstla_picture_of_many()
{
	f=$(log -n 5000 many_irqs)
	lkstla irq --every 1ms --svg "$tmp/many.svg" "$f" 2>"$tmp/stderr"
	equal time "$(lkstla irq --every 1ms --csv "$f" 2>"$tmp/stderr" |
		awk -F, '$3 == "irq" { n += $7 } END { printf "%.0f\n", n / 1000 }')" \
		"$(us_of "$tmp/many.svg")"
	equal others 1 "$(grep -c '<title>others ' "$tmp/many.svg")"
}

# Percentiles of rows that are not drawn are not added up; and what nobody asked for is not
# called missing.
test_lkstla_picture_of_some()
{
	lkstla irq --top 1 --svg "$tmp/some.svg" "$(log nested)" 2>"$tmp/stderr"
	grep -o '>[0-9]* more[^<]*' "$tmp/some.svg" | tail -n 1 >"$tmp/stdout"
	grep -x '>[1-9][0-9]* more' "$tmp/stdout"
	lkstla states --every 20ms --svg "$tmp/some.svg" "$(log states)" 2>"$tmp/stderr"
	grep 'There is none' "$tmp/some.svg" && return 1
	lkstla states --to +0.02 --svg "$tmp/some.svg" "$(log missing)" 2>"$tmp/stderr"
	grep -q 'of less than 0\.1 % of the CPUs' "$tmp/some.svg"
}

# A gap that begins millions of windows after the one that is drawn.
test_lkstla_picture_of_little()
{
	lkstla cpu --from +0 --to +0.000000001 --every 1ns --svg "$tmp/little.svg" "$(log missing)" \
		2>"$tmp/stderr"
	grep -q '>CPU 0<' "$tmp/little.svg"
}

test_lkstla_picture_files()
{
	f=$(log states)
	lkstla states --svg "$tmp/p.svg" "$f" 2>"$tmp/stderr"
	(cd "$tmp" && lkstla states "--svg=-p q.svg" "$f" 2>"$tmp/stderr")
	cmp "$tmp/p.svg" "$tmp/-p q.svg"
	equal 'its mode' 600 "$(stat -c %a "$tmp/p.svg")"
	lkstla states --svg /none/p.svg "$f" 2>"$tmp/stderr" && return 1
	grep '/none/p.svg: No such file' "$tmp/stderr" >"$tmp/stdout"
	# The log is no place for its picture, and what has none says so.
	cp "$f" "$tmp/kept.log"
	lkstla states --svg "$tmp/kept.log" "$tmp/kept.log" 2>"$tmp/stderr" && return 1
	grep 'is the log' "$tmp/stderr" >"$tmp/stdout"
	cmp "$f" "$tmp/kept.log"
	for option in '--top 5' '--every 10ms'; do
		# shellcheck disable=SC2086 # two words
		lkstla states $option --svg "$tmp/kept.log" <"$tmp/kept.log" 2>"$tmp/stderr" && return 1
		grep 'is the log' "$tmp/stderr" >"$tmp/stdout"
		cmp "$f" "$tmp/kept.log"
	done
	lkstla events --svg "$tmp/e.svg" "$f" 2>"$tmp/stderr" && return 1
	grep 'there is no picture of it' "$tmp/stderr" >"$tmp/stdout"
	[ ! -e "$tmp/e.svg" ]
	PATH=$bin lkstla states --png "$tmp/p.png" "$f" 2>"$tmp/stderr" && return 1
	grep 'rsvg-convert is not installed' "$tmp/stderr" >"$tmp/stdout"
	[ ! -e "$tmp/p.png" ]
	command -v rsvg-convert >/dev/null || { echo SKIP no rsvg-convert; return 4; }
	(cd "$tmp" && lkstla states "--png=-p q.png" "$f" 2>"$tmp/stderr")
	size=$(od -An -tu1 -j16 -N8 "$tmp/-p q.png" |
		awk '{ print ($3 * 256 + $4) "x" ($7 * 256 + $8) }')
	[ "$size" = "$(sed -n '1s/.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1x\2/p' \
		"$tmp/p.svg")" ]
	lkstla irq --top 1000 --png "$tmp/tall.png" "$(log -n 4000 many_irqs)" 2>"$tmp/stderr" && return 1
	grep 'tall.png: a PNG has 32767 lines at most' "$tmp/stderr" >"$tmp/stdout"
	[ ! -e "$tmp/tall.png" ]
}

# What is printed is one picture, not tables.
test_lkstla_picture_excludes()
{
	for args in --csv --json --sql --intervals --data; do
		lkstla states $args --svg "$tmp/excluded.svg" "$(log states)" 2>"$tmp/stderr" && return 1
		[ ! -e "$tmp/excluded.svg" ]
	done
	lkstla states --every 10ms --svg "$tmp/excluded.svg" "$(log states)" 2>"$tmp/stderr" >"$tmp/stdout"
	[ -s "$tmp/excluded.svg" ]
	[ ! -s "$tmp/stdout" ]
}

test_lkstla_page()
{
	command -v jq || { echo SKIP no jq; return 4; }
	f=$(page "$(log waits)")
	equal 'its mode' 600 "$(stat -c %a "$f")"
	# It asks nobody for anything.
	equal addresses 0 "$(grep -v '^<script type=.application.octet' "$f" |
		grep -cE 'https?:|src=|@import|url\(')"
	about "$f" >"$tmp/about"
	equal lanes "$(lkstla states --csv "$(log waits)" 2>"$tmp/stderr" |
		awk -F, '!NF { exit } FNR > 1 { print $1 }' | sort | tr '\n' ' ')" \
		"$(jq -r '.lanes[] | select(length > 2) | .[1]' "$tmp/about" | sort | tr '\n' ' ')"
	equal records "$(lkstbuf print "$(log waits)" 2>"$tmp/stderr" | wc -l)" "$(jq .text "$tmp/about")"
	# The table is text; what is in the log can't be anything else.
	equal rows "$(lkstla states --csv "$(log waits)" 2>"$tmp/stderr" | awk '!NF { exit } NR > 1' | wc -l)" \
		"$(sed -n '/<caption>states/,/<.table>/p' "$f" | grep -c '^<tr><td>')"
	f=$(page "$(log hostile)")
	equal scripts 0 "$(grep -ciE '<img|<script>hacked|hog|<!--<script>' "$f")"
	equal ends "$(grep -o '<script' "$f" | wc -l)" "$(grep -o '</script>' "$f" | wc -l)"
	grep -qF '<td class="left">&#60;/script&#62;&#34;&#39;&#38;' "$f"
	# Nothing of it is left where it can't be made, and a log stays what it is.
	cp "$(log waits)" "$tmp/own.log"
	status=0
	lkstla page "$tmp/own.log" -o "$tmp/own.log" 2>"$tmp/stderr" || status=$?
	equal status 2 $status
	grep -q 'is the log: give the page another name' "$tmp/stderr"
	cmp "$tmp/own.log" "$(log waits)"
	status=0
	lkstla page -o "$tmp/own.log" <"$tmp/own.log" 2>"$tmp/stderr" || status=$?
	equal 'status of standard input' 2 $status
	cmp "$tmp/own.log" "$(log waits)"
	status=0
	lkstla page "$tmp/own.log" 2>"$tmp/stderr" || status=$?
	equal status 2 $status
	grep -q 'it needs -o' "$tmp/stderr"
	wrong 'only one can hold: ' lkstla page "$(log waits)" -o "$tmp/own.html" --csv
	status=0
	lkstla page "$tmp/own.log" -o "$tmp/nowhere/own.html" 2>"$tmp/stderr" || status=$?
	equal status 1 $status
	grep -q 'nowhere/own.html: No such file' "$tmp/stderr"
	[ ! -e "$tmp/own.html" ]
	# One of which there is nothing, and one without any switches, are pages, too.
	lkstla page "$(log -n 0 empty)" -o "$tmp/own.html" 2>"$tmp/stderr"
	equal records 0 "$(about "$tmp/own.html" | jq .records)"
	lkstla page "$(log gaps)" -o "$tmp/own.html" 2>"$tmp/stderr"
	equal 'records in gaps' 45 "$(about "$tmp/own.html" | jq '[.gaps[][3]] | add')"
	# What is asked for.
	lkstla page "$(log waits)" -o "$tmp/own.html" --from +0.02 --to +0.04 -p 201 2>"$tmp/stderr"
	equal threads 201 "$(about "$tmp/own.html" | jq '.lanes[] | select(length > 2) | .[1]')"
	equal window '20000000 40000000' "$(about "$tmp/own.html" | jq -r '"\(.from) \(.to)"')"
	equal texts "$(lkstbuf print "$(log waits)" --from 5.02 --to 5.04 2>"$tmp/stderr" | wc -l)" \
		"$(about "$tmp/own.html" | jq .text)"
}

# Starts a browser, or says why there is none.
start_browser()
{
	. "$here/browser.sh"
	if browser_missing >"$tmp/why"; then
		echo "SKIP $(cat "$tmp/why")"
		return 4
	fi
	trap browser_stop EXIT
	browser_start
}

# states_of LOG [-a]: "PID RUNNING READY BLOCKED UNKNOWN" of each thread, in ns.
states_of()
{
	lkstla states --json "$@" 2>"$tmp/stderr" | jq -r '.states[] |
		"\(.pid // "") \(.running_ns) \(.ready_ns) \(.blocked_ns) \(.unknown_ns)"' | sort
}

# What the page makes of a log is what the tools do: sums, and each record's line.
test_lkstla_page_says_the_same()
{
	start_browser || return $?
	n=0
	for case in waits '-b waits_cut' states '-3 missing' late reuse nested restarts torn_pairs mix gaps \
			hostile busy markers disorder set_later '-n 0 empty'; do
		# shellcheck disable=SC2086 # options are words of their own
		f=$(log $case)
		go "$(page "$f")" || { echo "$case: it does not start"; return 1; }
		js "$(cat "$here/all.js")" >"$tmp/all"
		lkstbuf print "$f" 2>"$tmp/stderr" | grep -v '^# CPU' >"$tmp/printed" || :
		sed '/^=== sums$/,$d' "$tmp/all" | grep . | diff "$tmp/printed" - || { echo "$case: lines"; return 1; }
		sed '1,/^=== sums$/d' "$tmp/all" | grep . | sort >"$tmp/sums" || :
		states_of "$f" >"$tmp/states"
		states_of "$f" -a >"$tmp/those"
		# Whoever did something, and none but those that are there.
		grep -vxF -f "$tmp/sums" "$tmp/states" && { echo "$case: sums"; return 1; }
		grep -vxF -f "$tmp/those" "$tmp/sums" && { echo "$case: sums"; return 1; }
		n=$((n + $(wc -l <"$tmp/states")))
	done
	# The same of a part, which begins in a gap and ends in a wait.
	set -- --from +0.03 --to +0.085
	lkstla page "$(log missing)" "$@" -o "$tmp/part.html" 2>"$tmp/stderr"
	go "$tmp/part.html"
	js "$(cat "$here/all.js")" | sed '1,/^=== sums$/d' | sort >"$tmp/sums"
	states_of "$(log missing)" -a "$@" >"$tmp/those"
	equal threads 4 "$(grep -cxF -f "$tmp/those" "$tmp/sums")"
	console | grep . && return 1
	[ $n -gt 30 ]
}

# shown: from when to when, in us.
shown() { js 'return Math.round(lkst.view.from / 1000) + " " + Math.round(lkst.view.to / 1000)'; }

# place PID TIME: X and Y of a thread's lane at that time (ns), as "X Y".
place()
{
	js "const lane = lkst.lanes.find((l) => l.tid === $1);
		const { left, top } = document.getElementById('view').getBoundingClientRect();
		return Math.round(left + lkst.xOf($2)) + ' ' + Math.round(top + lkst.yOf(lane) + 9)"
}

# arrow_from PID: does one go from there to the end of what is chosen?
arrow_from()
{
	js "lkst.frame();
		const lane = lkst.lanes.find((one) => one.tid === $1);
		const { lane: woken, span } = lkst.chosen();
		const down = lkst.yOf(woken) > lkst.yOf(lane);
		return document.getElementById('over').getContext('2d').getImageData(
			Math.round(lkst.xOf(lkst.spans().to[span])),
			Math.round(lkst.yOf(lane) + (down ? lkst.laneHeight() : 0)), 1, 1).data[3] > 200"
}

# on_ruler TIME: X and Y.
on_ruler()
{
	js "const { left, top } = document.getElementById('view').getBoundingClientRect();
		return Math.round(left + lkst.xOf($1)) + ' ' + Math.round(top + 30)"
}

# What a hand does: real events, and what comes of them.
test_lkstla_page_by_hand()
{
	start_browser || return $?
	size 1200 700
	f=$(log waits)
	go "$(page "$f")"
	before=$(shown)
	x=$(js 'return Math.round(lkst.xOf(60e6))')
	# shellcheck disable=SC2046 # X and Y
	wheel $(place 201 60000000) -300
	after=$(shown)
	echo "$before $after" | awk '$3 <= $1 || $4 >= $2 || $4 - $3 > 0.7 * ($2 - $1) { print; exit 1 }'
	# What was under the pointer is there still.
	equal 'under the wheel' "$x" "$(js 'return Math.round(lkst.xOf(60e6))')"
	# shellcheck disable=SC2046
	mouse $(place 201 60000000) down 500 200 up
	[ "$(shown)" != "$after" ]
	equal 'its length stays' "$(echo "$after" | awk '{ printf "%.0f", ($2 - $1) / 10 }')" \
		"$(shown | awk '{ printf "%.0f", ($2 - $1) / 10 }')"
	after=$(shown)
	keys d
	[ "$(shown)" != "$after" ]
	keys 0
	equal all "$before" "$(shown)"
	# The record under the pointer.
	# shellcheck disable=SC2046
	mouse $(place 201 21000000)
	js 'return new Promise((done) => setTimeout(done, 200))' >/dev/null
	line=$(js 'return document.getElementById("s-record").textContent')
	lkstbuf print "$f" 2>"$tmp/stderr" | grep -qxF -- "$line"
	js 'return document.getElementById("s-state").textContent' | grep -q '^sleeper-201  *5.02'
	# A click on a wait: what lkstla wait says of it, and the arrow's other end.
	lkstla wait --of 201 --csv "$f" 2>"$tmp/stderr" | awk -F, '/,pipe,/ { print; exit }' >"$tmp/wait"
	t=$(awk -F, '{ split($1, t, "."); printf "%.0f\n", (t[1] - 5) * 1e9 + t[2] + $2 / 2 }' "$tmp/wait")
	# shellcheck disable=SC2046
	mouse $(place 201 "$t") down up
	js 'return new Promise((done) => setTimeout(done, 200))' >/dev/null
	js 'return document.getElementById("p-here").innerText' >"$tmp/here"
	grep -q 'waits: pipe' "$tmp/here"
	grep -q "$(cut -d, -f5 "$tmp/wait")" "$tmp/here"
	grep -qF "$(cut -d, -f6 "$tmp/wait" | tr -d '"')" "$tmp/here"
	equal 'the arrow' true "$(arrow_from 202)"
	# The link goes to who ended it.
	js 'Array.from(document.querySelectorAll("#p-here .link"))
		.find((l) => l.textContent === "waker-202").click()' >/dev/null
	equal 'the other end' 202 "$(js 'return lkst.chosen().lane.tid')"
	# By keys alone: search, next hit, next state, mark, tables; kept in the address.
	keys Escape
	js 'document.getElementById("view").focus()' >/dev/null
	keys / p i p e Enter
	js 'return new Promise((done) => setTimeout(done, 300))' >/dev/null
	js 'return document.getElementById("found").textContent' | grep -q '^1 of [1-9]'
	keys n
	js 'return document.getElementById("found").textContent' | grep -q '^2 of '
	keys N m t
	js 'return new Promise((done) => setTimeout(done, 500))' >/dev/null
	js 'return document.getElementById("p-tables").innerText' | grep -q '^sleeper-201'
	# Each time that a task was ready is in one row of the histogram.
	equal histogram "$(js 'const { from, to, look, lookClass } = lkst.spans();
		return lkst.lanes.filter((lane) => lane.tid).reduce((n, lane) => {
			for (let i = lane.first; i < lane.end; i++)
				n += lkst.about.classes[lookClass[look[i]]] === "ready" &&
					to[i] > lkst.view.from && from[i] < lkst.view.to;
			return n;
		}, 0)')" "$(js 'const kind = document.getElementById("kind");
		kind.value = "spread";
		kind.onchange();
		return [...document.querySelectorAll("#p-tables tbody tr")].reduce((n, row) =>
			n + Number(row.children[2].textContent), 0)')"
	# Tables are of what is selected, as long as it is.
	from=$(on_ruler 40000000)
	# shellcheck disable=SC2046,SC2086
	mouse $from down $(on_ruler 60000000) up
	js 'return new Promise((done) => setTimeout(done, 300))' >/dev/null
	js 'return document.getElementById("p-tables").innerText' | grep -q 'Of the time selected'
	# shellcheck disable=SC2086
	mouse $from down up
	js 'return new Promise((done) => setTimeout(done, 300))' >/dev/null
	js 'return document.getElementById("p-tables").innerText' | grep -q 'Of the time shown'
	hash=$(js 'return location.hash')
	echo "$hash" | grep -q '^#v=.*&c=.*&m='
	was=$(shown)
	go "$(page "$f")" "$hash"
	equal 'what the address keeps' "$was" "$(shown)"
	# Where the page ends before a wait does, nobody ends it there.
	lkstla page "$f" --to +0.035 -o "$tmp/ends.html" 2>"$tmp/stderr"
	go "$tmp/ends.html"
	# shellcheck disable=SC2046
	mouse $(place 201 34000000) down up
	js 'return document.getElementById("p-here").innerText' >"$tmp/here"
	grep -qx 'waker-202, after what the page shows' "$tmp/here"
	grep -qx 'It ended later.' "$tmp/here"
	grep 'Before that' "$tmp/here" && return 1
	equal 'a link to it' 0 "$(js 'return Array.from(document.querySelectorAll("#p-here .link"))
		.filter((l) => l.textContent === "waker-202").length')"
	equal 'an arrow' false "$(arrow_from 202)"
	console | grep . && return 1
	return 0
}

# What it looks like: gaps, names that mean harm, a telephone, the dark, no scripts.
test_lkstla_page_looks()
{
	start_browser || return $?
	size 1200 700
	scheme light
	go "$(page "$(log missing)")"
	# In the gap the CPU's lane has two colours, as hatching has; in no other time white ones.
	equal hatched '2 grey' "$(js 'const y = Math.round(lkst.yOf(lkst.lanes[0])), all = new Set();
		const { width, data } = lkst.image(), x = Math.round(lkst.xOf(30e6));
		for (let i = 0; i < 800; i++) {
			const at = 4 * ((y + i % 20) * width + x + Math.floor(i / 20));
			all.add(data.subarray(at, at + 3).join());
		}
		return all.size + (all.has("138,146,158") ? " grey" : "")')"
	equal 'records missing' "$(lkstbuf print "$(log missing)" 2>&1 >"$tmp/stdout" |
		sed 's/.*, \([0-9]*\) missing.*/\1/')" \
		"$(js 'return lkst.about.gaps.reduce((n, gap) => n + gap[3], 0)')"
	go "$(page "$(log hostile)")"
	equal harm undefined-0 "$(js 'return typeof window.hacked + "-" +
		document.querySelectorAll("img, b").length')"
	equal name "</script>\"'&\\x0a-201" "$(js 'return lkst.lanes.find((l) => l.tid === 201).name')"
	# All texts have enough contrast, in the light and in the dark; a telephone needs no scrolling.
	for look in light dark; do
		scheme $look
		size 390 844 true
		go "$(page "$(log waits)")"
		equal "width, $look" 390 "$(js 'return document.documentElement.scrollWidth')"
		[ "$(js 'return lkst.height()')" -gt 300 ]
		equal "contrast, $look" '' "$(js "$(cat "$here/contrast.js")")"
	done
	# The same pixels on every machine, at four zooms.
	size 1200 700
	scheme light
	go "$(page "$(log waits)")"
	js "$(cat "$here/pixels.js")" >"$tmp/stdout"
	[ -z "$UPDATE" ] || cp "$tmp/stdout" "$here/expected/page.pixels.txt"
	diff "$here/expected/page.pixels.txt" "$tmp/stdout"
	equal distinct 4 "$(sort -u "$tmp/stdout" | wc -l)"
	console | grep . && return 1
	# Without scripts, the table can be read.
	emulate Emulation.setScriptExecutionDisabled '{ "value": true }'
	in_browser POST url "{ \"url\": \"file://$(page "$(log waits)")\" }" >/dev/null
	in_browser POST goog/cdp/execute \
		'{ "cmd": "Accessibility.getFullAXTree", "params": {} }' >"$tmp/tree"
	grep -q '"sleeper"' "$tmp/tree"
	! grep -q '"time line:' "$tmp/tree"
}

# notes: what a page says of the log, one line each.
notes() { about "$1" | jq -r '.trouble[]'; }

# What lkst print says of a log on stderr stands on the page, without where the log was.
test_lkstla_page_tells_of_damage()
{
	f=$(log basic)
	at=$(grep -aobF LKSTBLK1 "$f" | sed -n '2s/:.*//p')
	{ head -c "$at" "$f"; printf X; tail -c +$((at + 2)) "$f"; } >"$tmp/holed.log"
	head -c "$(($(wc -c <"$f") - 40))" "$f" >"$tmp/shortened.log"
	# What was damaged is no reason to make no page.
	for case in holed shortened; do
		f=$tmp/$case.log
		lkstla page "$f" -o "$f.html" 2>"$tmp/stderr" && return 1
		lkstbuf print "$f" 2>&1 >"$tmp/stdout" | sed -n "s|^lkstbuf: $f: ||p" |
			grep -v ' records in ' >"$tmp/said"
		grep -c . "$tmp/said"
		notes "$f.html" >"$tmp/noted"
		grep -vxF -f "$tmp/noted" "$tmp/said" && { echo "$case: it is not there"; return 1; }
		equal "$case: damages" "$(grep -c . "$tmp/said")" "$(about "$f.html" | jq .damages)"
		equal "$case: paths" 0 "$(grep -cF "$tmp" "$f.html")"
		# Those who read the text read it, too.
		sed -n '/<section id="report">/,/<table>/p' "$f.html" |
			grep -qF "<p class=\"note\">$(head -n 1 "$tmp/said")"
	done
	f=$(log gaps)
	lkstbuf print "$f" 2>&1 >"$tmp/stdout" |
		sed -n 's/.*, \([0-9]* missing (.*)\)$/records: \1/p' >"$tmp/said"
	notes "$(page "$f")" | grep -xF -f "$tmp/said"
	equal damages 0 "$(about "$(page "$f")" | jq .damages)"
	equal 'where all is well' '' "$(notes "$(page "$(log waits)")")"
	start_browser || return $?
	go "$tmp/holed.log.html"
	equal 'in sight' true "$(js 'return document.getElementById("trouble").checkVisibility() &&
		document.getElementById("trouble").innerText.includes("there is no block")')"
	go "$(page "$(log waits)")"
	equal 'in sight' false "$(js 'return document.getElementById("trouble").checkVisibility()')"
}

# A task that holds a lock for which another one waits has a line then, and at no other time.
test_lkstla_page_locks()
{
	start_browser || return $?
	size 1200 700
	f=$(log waits)
	go "$(page "$f")"
	# Who held it at the begin, and ended the wait: TIME NS of these waits.
	js 'const { from, to, look, lookClass } = lkst.spans(), { classes } = lkst.about;
		return lkst.lanes.filter((lane) => lane.held).map((lane) => lane.tid + " " +
			lane.held.map((one) => one.join("-")).join(" ")).join("\n")' >"$tmp/held"
	# Of the other ones it is known for the moment at which the wait began.
	lkstla wait --csv --of 201 "$f" 2>"$tmp/stderr" | awk -F, '/,lock,.*held by waker-202"$/ {
		from = ($1 - 5) * 1e9
		printf " %.0f-%.0f", from, from + ($5 == "waker-202" ? $2 : 0)
	}' >"$tmp/wanted"
	equal held "202$(cat "$tmp/wanted")" "$(cat "$tmp/held")"
	equal times 3 "$(wc -w <"$tmp/wanted")"
	# Under the lane, between the first two of them and within the first.
	js 'const lane = lkst.lanes.find((one) => one.held), { width, data } = lkst.image();
		const y = Math.round(lkst.yOf(lane)) + lkst.laneHeight();
		const [a, b] = lane.held.filter((one) => one[1] > one[0]);
		return [(a[0] + a[1]) / 2, (a[1] + b[0]) / 2].map((t) => {
			const at = 4 * (y * width + Math.round(lkst.xOf(t)));
			return data.subarray(at, at + 3).join();
		}).join(" ")' >"$tmp/colours"
	equal colours '208,2,27 255,255,255' "$(cat "$tmp/colours")"
	# A dot tells who waits, too.
	dot=$(js 'const lane = lkst.lanes.find((one) => one.held);
		const { left, top } = document.getElementById("view").getBoundingClientRect();
		const [t] = lane.held.find((one) => one[0] === one[1]);
		return Math.floor(left + lkst.xOf(t)) + " " +
			Math.round(top + lkst.yOf(lane) + lkst.laneHeight())')
	# shellcheck disable=SC2086 # X and Y
	mouse $dot down up
	js 'return document.getElementById("p-here").innerText' | tr '\n' ' ' |
		grep -q 'holds a lock *sleeper-201 waits for'
	# However often one asks at once, a record is told once.
	equal records 1 "$(js 'const view = document.getElementById("view");
		for (let n = 0; n < 3; n++)
			view.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
		return new Promise((done) => setTimeout(done, 200)).then(() =>
			[...document.querySelectorAll("#p-here h3")].filter((one) =>
				one.textContent === "Record at its begin").length)')"
}

# frame_time: of a page, the quickest of some frames, in tenths of a millisecond.
frame_time()
{
	js 'const times = [];
		for (let i = 0; i < 12; i++) {
			const start = performance.now();
			lkst.frame();
			times.push(performance.now() - start);
		}
		return Math.round(10 * Math.min(...times))'
}

# Very many gaps, and very many threads: a page is made, opens and moves all the same.
test_lkstla_page_of_many()
{
	n=${MANY:-25000}
	for case in gaps tasks; do
		for size in $((n / 4)) $n; do
			"$tmp/genlog" -n "$size" many_$case >"$tmp/many_$case.$size"
		done
		not_slower 6 "lkstla page -o $tmp/many_$case.html" "$tmp/many_$case.$((n / 4))" \
			"$tmp/many_$case.$n"
	done
	about "$tmp/many_tasks.html" >"$tmp/about"
	[ "$(jq '.lanes | length' "$tmp/about")" -ge "$n" ]
	# A table of so many rows is more than a browser bears.
	equal rows 1000 "$(sed -n '/<caption>states/,/<.table>/p' "$tmp/many_tasks.html" |
		grep -c '^<tr><td')"
	grep -q "[0-9] more rows" "$tmp/many_tasks.html"
	equal 'records missing' "$(lkstbuf print "$tmp/many_gaps.$n" 2>&1 >"$tmp/stdout" |
		sed 's/.*, \([0-9]*\) missing.*/\1/')" \
		"$(about "$tmp/many_gaps.html" | jq '[.gaps[][3]] | add')"
	start_browser || return $?
	size 1600 900
	go "$(page "$(log waits)")"
	least=$(frame_time)
	for case in gaps tasks; do
		go "$tmp/many_$case.html"
		time=$(frame_time)
		echo "# $case: $time, of few: $least (0.1 ms)"
		# No more than what is on the screen costs: 20 lanes of 3 pixels a state.
		[ "$time" -le $((20 * least + 500)) ]
		js 'lkst.view.top = 1e9; lkst.view.from = 0; lkst.frame()' >/dev/null
		console | grep . && return 1
	done
	rm "$tmp/many_"*
}

# found TEXT: how many hits the page has.
found()
{
	js "document.getElementById('what').value = '$1';
		document.getElementById('find').requestSubmit();
		return new Promise((done) => {
			const look = () => /^(none|.* of .*)$/.test(document.getElementById('found')
				.textContent) ? done(lkst.hits().length) : setTimeout(look, 20);
			look();
		})"
}

# All hits are found and come in order, in whatever they are.
test_lkstla_page_search()
{
	start_browser || return $?
	# More records than have text.
	n=${MANY:-25000}
	"$tmp/genlog" -n $((4 * n)) many_gaps >"$tmp/searched.log"
	lkstla page "$tmp/searched.log" -o "$tmp/searched.html" 2>"$tmp/stderr"
	about "$tmp/searched.html" >"$tmp/about"
	[ "$(jq .text "$tmp/about")" -lt "$(jq .records "$tmp/about")" ]
	lkstbuf print "$tmp/searched.log" 2>"$tmp/stderr" | grep -v '^#' >"$tmp/printed"
	go "$tmp/searched.html"
	equal events "$(grep -c SYSCALL_ENTRY "$tmp/printed")" "$(found syscall_entry)"
	equal 'the last of them' "$(grep SYSCALL_ENTRY "$tmp/printed" | tail -n 1 |
		sed 's/.*\] .... *\([0-9.]*\): .*/\1/')" "$(js 'return lkst.moment(lkst.hits()
			.at(lkst.hits().length - 1).t)')"
	equal 'in order' true "$(js 'const all = lkst.hits();
		for (let i = 1; i < all.length; i++)
			if (all.at(i).t < all.at(i - 1).t)
				return false;
		return true')"
	keys N
	equal 'the one before' "$(grep -c SYSCALL_ENTRY "$tmp/printed")" \
		"$(js 'return document.getElementById("found").textContent.replace(/ of.*/, "")')"
	rm "$tmp/searched.html" "$tmp/searched.log"
	f=$(log waits)
	go "$(page "$f")"
	lkstla wait --csv --of 201 "$f" 2>"$tmp/stderr" >"$tmp/waits"
	lkstbuf print "$f" 2>"$tmp/stderr" >"$tmp/printed"
	# Waits for a pipe, and records that say so.
	equal 'spans, and records' "$(($(grep -c ',pipe,' "$tmp/waits") + $(grep -ci pipe "$tmp/printed")))" \
		"$(found pipe)"
	equal none 0 "$(found nosuchthing)"
	# One that is given up has no hits afterwards.
	equal 'given up' ' null' "$(js 'document.getElementById("what").value = "pipe";
		document.getElementById("find").requestSubmit();
		document.getElementById("view").dispatchEvent(
			new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
		return new Promise((done) => setTimeout(done, 300)).then(() =>
			document.getElementById("found").textContent + " " + lkst.hits())')"
	# The address has it, and goes on to have it; what it shows stays.
	hits=$(found pipe)
	go "$(page "$f")" '#v=0,50000000,0&q=pipe'
	js 'return new Promise((done) => setTimeout(done, 500))' >/dev/null
	equal 'of the address' "$hits hits" "$(js 'return document.getElementById("found").textContent')"
	equal 'what is shown' '0 50000' "$(shown)"
	equal 'the address' 'pipe' "$(js 'return new URLSearchParams(location.hash.slice(1)).get("q")')"
	console | grep . && return 1
	return 0
}

# At the begin of a log a state has no record that put the thread into it.
test_lkstla_page_first_record()
{
	start_browser || return $?
	go "$(page "$(log waits)")"
	js 'return Promise.all(lkst.lanes.filter((lane) => lane.cpu === undefined).map((lane) =>
		lkst.recordAt(lane, lane.first, lkst.spans().from[lane.first])
			.then((line) => `${lane.tid}: ${line}`))).then((all) => all.join("\n"))' >"$tmp/first"
	equal lanes 4 "$(wc -l <"$tmp/first")"
	# Each is of its thread, or tells of it.
	awk -F: '{ tid = $1; sub(/^[0-9]*: /, "")
		if ($0 !~ "^ *[^ ]*-" tid " " && $0 !~ "-" tid "( |$)" && $0 !~ "tid=" tid "/" &&
			$0 != "null") { print tid ": " $0; bad = 1 } }
		END { exit bad }' "$tmp/first"
}

# A page that was saved is that page, with what one has put into it.
test_lkstla_page_save()
{
	start_browser || return $?
	size 1200 700
	mkdir -p "$tmp/saved/again"
	emulate Browser.setDownloadBehavior \
		"{ \"behavior\": \"allow\", \"downloadPath\": \"$tmp/saved\" }"
	f=$(page "$(log waits)")
	go "$f"
	# shellcheck disable=SC2046 # X and Y
	mouse $(place 201 60000000) down up
	keys m
	js 'const note = document.querySelector("#p-marks input");
		note.value = "look </script><b>here"; note.oninput();
		document.getElementById("view").focus()' >/dev/null
	x=$(js 'const r = document.getElementById("view").getBoundingClientRect();
		return Math.round(r.left + lkst.xOf(100e6)) + " " + Math.round(r.top + 30)')
	# shellcheck disable=SC2086
	mouse $x down $((${x% *} + 90)) "${x#* }" up
	keys w w S
	for _ in $(seq 100); do
		[ -s "$tmp/saved/${f##*/}" ] && break
		sleep 0.1
	done
	was=$(shown)
	range=$(js 'return lkst.range().map(Math.round).join()')
	go "$tmp/saved/${f##*/}"
	equal 'what is shown' "$was" "$(shown)"
	equal selection "$range" "$(js 'return lkst.range().map(Math.round).join()')"
	equal chosen 201 "$(js 'return lkst.chosen().lane.tid')"
	equal notes 'look </script><b>here' "$(js 'document.getElementById("t-marks").click();
		return document.querySelector("#p-marks input").value')"
	equal data "$(about "$f" | md5sum)" "$(about "$tmp/saved/${f##*/}" | md5sum)"
	equal 'blocks of data' "$(grep -c '<script type=' "$f")" \
		"$(($(grep -c '<script type=' "$tmp/saved/${f##*/}") - 1))"
	# What was saved can be saved: one copy of what is kept, and nothing of what was open.
	emulate Browser.setDownloadBehavior \
		"{ \"behavior\": \"allow\", \"downloadPath\": \"$tmp/saved/again\" }"
	js 'document.getElementById("view").focus()' >/dev/null
	keys S
	for _ in $(seq 100); do
		[ -s "$tmp/saved/again/${f##*/}" ] && break
		sleep 0.1
	done
	equal kept 1 "$(grep -o 'id="kept"' "$tmp/saved/again/${f##*/}" | wc -l)"
	grep -v 'id="kept"' "$tmp/saved/${f##*/}" >"$tmp/saved/a"
	grep -v 'id="kept"' "$tmp/saved/again/${f##*/}" | cmp - "$tmp/saved/a"
	console | grep . && return 1
	return 0
}

# Colours are told in sight, on a telephone and on paper, too; so is each lane's whole name.
test_lkstla_page_legend()
{
	start_browser || return $?
	f=$(page "$(log waits)")
	for width in 1200 390; do
		size $width 844 "$([ $width = 390 ] && echo true || echo false)"
		go "$f"
		equal "$width" true "$(js 'const box = document.getElementById("keys")
				.getBoundingClientRect();
			const all = new Set(lkst.spans().lookClass);
			return box.height > 10 && box.bottom <= innerHeight && [...all].every((c) =>
				document.getElementById("keys").textContent.includes(lkst.about.classes[c]))')"
	done
	equal 'names that are cut' '' "$(js 'return lkst.lanes.map((lane) => lkst.nameShown(lane))
		.filter((name) => name.includes("\u2026")).join()')"
	# A CPU's lane has its tasks' colours, dotted where it is not known to be user mode.
	equal 'dotted' running "$(js 'const { look, lookClass } = lkst.spans(), all = new Set();
		for (const lane of lkst.lanes.filter((one) => one.cpu !== undefined))
			for (let i = lane.first; i < lane.end; i++)
				if (lane.style[look[i]] >= lkst.about.classes.length &&
				    lkst.styles()[lane.style[look[i]]][2] === "sparse")
					all.add(lkst.about.classes[lookClass[look[i]]]);
		return [...all].join()')"
	js 'return document.getElementById("keys").textContent' | grep -qF 'on CPUs: a colour for each task'
	js 'document.getElementById("t-key").click();
		return document.getElementById("p-key").textContent' |
		grep -qF 'dotted in the kernel, or where that is not known'
	js 'document.getElementById("b-close").click()' >/dev/null
	before=$(js 'return lkst.height()')
	js 'document.getElementById("b-legend").focus()' >/dev/null
	keys Enter
	[ "$(js 'return lkst.height()')" -gt "$before" ]
	equal closed true "$(js 'return document.getElementById("keys").hidden')"
	equal chosen null "$(js 'return lkst.chosen()')"
	# Where the text is shown, keys are for it.
	size 1200 300
	js 'document.activeElement.blur()' >/dev/null
	page_down=$(printf '\356\200\217')
	keys r "$page_down" Enter
	js 'return new Promise((done) => setTimeout(done, 300))' >/dev/null
	[ "$(js 'return scrollY')" -gt 0 ]
	equal chosen null "$(js 'return lkst.chosen()')"
	keys Escape
	equal 'the lanes again' true "$(js 'return document.getElementById("view").checkVisibility()')"
	size 390 844 true
	# On paper it is there although it was closed, and so are the lanes and the tables.
	emulate Emulation.setEmulatedMedia '{ "media": "print" }'
	equal paper 'true true true false' "$(js 'return ["keys", "rows", "report", "what"].map((id) =>
		document.getElementById(id).getBoundingClientRect().height > 10).join(" ")')"
}

# === lkstla: other formats ===

# What lkstbuf print, or a reader, says of a log, in the same words: see convert.awk.
same_words()
{
	LC_ALL=C.UTF-8 awk -v table="$ksrc/include/linux/lkst_events.h" \
		-v calls="$ksrc/arch/x86/entry/syscalls/syscall_64.tbl" \
		-f "$here/convert.awk" "$@" | LC_ALL=C sort
}

# has_readers PROGRAM...: says what to skip for, if one of these is not there.
has_readers()
{
	for reader in "$@"; do
		command -v "$reader" >/dev/null || { echo "SKIP no $reader"; return 4; }
	done
}

# convert FORMAT LOG OPTION...: to $tmp/out
convert()
{
	rm -rf "$tmp/out"
	format=$1
	f=$2
	shift 2
	lkstla convert --to "$format" -o "$tmp/out" "$@" "$f" 2>"$tmp/stderr"
}

# wanted LOG OPTION...: to $tmp/wanted, with the names of tasks that have blocks of their own
# in $tmp/wanted.ctf as well, and to $tmp/wanted.perfetto
wanted()
{
	LC_ALL=C.UTF-8 lkstbuf print "$@" 2>"$tmp/stderr" >"$tmp/print"
	same_words -v from=print "$tmp/print" >"$tmp/wanted.ctf"
	grep -v '^[^ ]* --- ' "$tmp/wanted.ctf" >"$tmp/wanted.dat"
	same_words -v from=print -v decimal=1 "$tmp/print" | grep -v '^[^ ]* --- ' \
		>"$tmp/wanted.perfetto"
	[ -s "$tmp/wanted.dat" ]
}

# The clock of a trace is CLOCK_REALTIME, which is 1699999995 s ahead.
read_ctf()
{
	babeltrace2 --clock-seconds "$tmp/out" >"$tmp/read" 2>"$tmp/stderr"
	same_words -v from=ctf "$tmp/read" | awk '{
		split($1, t, ".")
		$1 = sprintf("%.0f.%s", t[1] - 1699999995, t[2])
		print
	}' | LC_ALL=C sort
}

read_dat()
{
	trace-cmd report -t -i "$tmp/out" >"$tmp/read" 2>"$tmp/stderr"
	same_words -v from=dat "$tmp/read"
}

read_perfetto()
{
	protoc --decode=Trace -I"$here" "$here/perfetto.proto" <"$tmp/out" >"$tmp/read"
	same_words -v from=perfetto "$tmp/read"
}

# reads_back LOG OPTION...: all three formats, record by record
reads_back()
{
	for format in ctf trace.dat perfetto; do
		convert $format "$@"
		read_${format#trace.} >"$tmp/found"
		diff "$tmp/wanted.${format#trace.}" "$tmp/found" || { echo "$format of $*"; return 1; }
	done
}

# Each record is there, with its time, CPU, thread and values, as the readers of others see it.
test_lkstla_convert_reads_back()
{
	has_readers babeltrace2 trace-cmd protoc || return
	for case in basic states reuse runq latency entries mix markers gaps names early_names set_later \
		'-b basic' '-3 states' '-b -3 states'; do
		# shellcheck disable=SC2086
		f=$(log $case)
		wanted "$f"
		reads_back "$f"
	done
	# Symbols that trace-cmd would look up elsewhere, and a name that it cuts, are left out.
	for case in waits shapes evil; do
		f=$(log $case)
		wanted "$f"
		for format in ctf perfetto; do
			convert $format "$f"
			read_$format | diff "$tmp/wanted.$format" -
		done
	done
}

# Lines of "lkstbuf print" as TIME|CPU|PID|EVENT ARGUMENTS
print_rows()
{
	awk 'match($0, /-[0-9]+ +\[[-0-9]+\] [^ ][^ ][^ ][^ ] +[0-9]+\.[0-9]+: /) {
		split(substr($0, RSTART + 1, RLENGTH - 1), h)
		gsub(/[][]/, "", h[2])
		gsub(/[.:]/, "", h[4])
		printf "%s|%s|%s|%s\n", h[4], h[2] ~ /-/ ? "" : h[2] + 0, h[1],
			substr($0, RSTART + RLENGTH)
	}'
}

test_lkstla_convert_csv()
{
	has_readers sqlite3 || return
	for case in basic mix waits types shapes gaps set_later; do
		lkstbuf print "$(log $case)" 2>"$tmp/stderr" | print_rows >"$tmp/wanted"
		[ -s "$tmp/wanted" ]
		convert csv "$(log $case)"
		sqlite3 :memory: '.mode csv' ".import $tmp/out r" '.mode list' \
			"SELECT time_ns, cpu, pid, trim(event || ' ' || arguments) FROM r
				WHERE event <> 'missing'" | diff "$tmp/wanted" - || return
	done
	convert csv "$(log evil)"
	equal comm "$(printf '\033[31mred\n"x",\\')" "$(sqlite3 :memory: '.mode csv' \
		".import $tmp/out r" '.mode list' 'SELECT comm FROM r LIMIT 1')"
}

test_lkstla_convert_jsonl()
{
	has_readers jq || return
	for case in basic mix waits shapes gaps; do
		# There are numbers in these that jq 1.6 has no room for.
		lkstbuf print "$(log $case)" 2>"$tmp/stderr" | print_rows |
			grep -v -e LKST_INIT -e FS_EVENTFD >"$tmp/wanted"
		convert jsonl "$(log $case)"
		jq -r 'select(.event | test("missing|LKST_INIT|FS_EVENTFD") | not) |
			[.time_ns, .cpu, .pid, .event + ([.args | to_entries[] | " \(.key)=\(.value)"] | add)] |
			map(tostring | sub("^null$"; "")) | join("|")' "$tmp/out" |
			diff "$tmp/wanted" - || return
	done
	convert jsonl "$(log evil)"
	equal names '["\u001b[31mred\n\"x\",\\"]' "$(jq -sc 'map(.comm) | unique - [null]' \
		"$tmp/out")"
	# Numbers of 64 bits are all there, whatever reads them.
	convert jsonl "$(log types)"
	grep -q '"u64":18446744073709551615,"x32":"0xffffffff","x64":"0xffffffffffffffff"' "$tmp/out"
}

# The texts in $tmp/out, as its reader has them: EVENT TEXT
read_texts()
{
	case $1 in
	csv)
		sed -n 's/.*,\(T_[0-9]*\),"text=\(.*\)"$/\1 \2/p' "$tmp/out" ;;
	jsonl)
		jq -r 'select(.event | startswith("T_")) | .event + " " + (.args.text // empty)' \
			"$tmp/out" ;;
	ctf)
		babeltrace2 "$tmp/out" 2>"$tmp/stderr" |
			sed -n 's/.* lkst_t_\([0-9]*\): .*{ text = "\(.*\)" }$/T_\1 \2/p' ;;
	trace.dat)
		trace-cmd report -i "$tmp/out" 2>"$tmp/stderr" |
			sed -n 's/.*: lkst_t_\([0-9]*\): *text=/T_\1 /p' ;;
	perfetto)
		read_perfetto >"$tmp/stdout"
		sed -n '/event_name: "lkst_t_/{ s/.*lkst_t_\(.*\)"/T_\1/; h; }
			/str_value: "/{ s/.*str_value: "\(.*\)"$/\1/; H; x; s/\n/ /p; }' "$tmp/read" ;;
	*)
		sed -n 's/.*: lkst:t_\([0-9]*\): *text=/T_\1 /p' "$tmp/out" ;;
	esac
}

# Each format has the text; what readers put in other words is left out. Of what was said
# without arguments there is the event.
test_lkstla_convert_texts()
{
	has_readers babeltrace2 trace-cmd jq protoc || return
	for args in '' -3 -b; do
		# shellcheck disable=SC2086
		texts $args
		grep -v -e '\\x' -e "[\"']" "$tmp/said" | sed 's/\t.*\t/ /; / $/d' >"$tmp/wanted"
		[ "$(wc -l <"$tmp/wanted")" -gt 55 ]
		cut -d' ' -f1 "$tmp/wanted" >"$tmp/names"
		for format in csv jsonl ctf trace.dat perfetto ftrace perf-script; do
			convert $format "$f"
			read_texts $format >"$tmp/a"
			awk 'NR == FNR { wanted[$1]; next } $1 in wanted' "$tmp/names" "$tmp/a" |
				diff "$tmp/wanted" - || { echo "$format"; return 1; }
		done
	done
	convert jsonl "$f"
	jq -c 'select(.event == "T_47" or .event == "T_68").args' "$tmp/out" >"$tmp/a"
	printf '{"text":"a\\u001b[2J\\\\b\303\244\\r"}\n{}\n' | diff - "$tmp/a"
	convert csv "$f"
	grep -q ',T_68,""$' "$tmp/out"
	convert ctf "$f"
	equal 'no arguments' 1 "$(babeltrace2 "$tmp/out" | grep -c ' lkst_t_68: .* text = " " }')"
}

# What is missing, and where, is told by each reader.
test_lkstla_convert_losses()
{
	has_readers babeltrace2 trace-cmd protoc jq || return
	f=$(log gaps)
	convert ctf "$f"
	babeltrace2 --clock-gmt "$tmp/out" 2>&1 >"$tmp/stdout" | sed -n 's/ in trace.*//p' >"$tmp/a"
	diff - "$tmp/a" <<-END
		WARNING: Tracer discarded 1 packet between [22:13:20.000010994] and [22:13:20.000014992]
		WARNING: Tracer discarded 45 events between [22:13:20.000014992] and [22:13:20.000019990]
		WARNING: Tracer discarded 1 event between [22:13:20.000020989] and [22:13:20.000020989]
	END
	convert trace.dat "$f"
	# There is no event behind the last one.
	grep -q 'records are missing at the end of CPU 0' "$tmp/stderr"
	equal dropped '2 [EVENTS DROPPED],3 [45 EVENTS DROPPED],' "$(trace-cmd report -i "$tmp/out" |
		awk '/CPU:/ { sub(/CPU:0 /, ""); printf "%d %s,", n, $0; next } /: / { n++ }')"
	convert perfetto "$f"
	read_perfetto >"$tmp/stdout"
	equal flags 2 "$(grep -c 'lost_events: true' "$tmp/read")"
	equal slices 'records are missing,45 records are missing,1 records are missing,' \
		"$(sed -n 's/.*name: "\(.*records are missing\)"/\1/p' "$tmp/read" | tr '\n' ,)"
	convert jsonl "$f"
	equal jsonl '[[5000010994,5000014992,null],[5000014992,5000019990,45],[5000020989,5000020989,1]]' \
		"$(jq -sc 'map(select(.event == "missing") | [.since_ns, .time_ns, .count])' "$tmp/out")"
}

# Where blocks are cut out of a log, what is left reads back, and so do the losses.
test_lkstla_convert_of_cut_logs()
{
	has_readers babeltrace2 trace-cmd protoc || return
	$cc -O2 -o "$tmp/cutlog" "$here/cutlog.c"
	for cut in 1 2 3 4 5; do
		"$tmp/cutlog" $cut "$(log -n $cut sim)" >"$tmp/cut.log"
		wanted "$tmp/cut.log"
		# Whose task struct it is after a gap, lkstbuf print takes for granted.
		for format in ctf trace.dat perfetto; do
			convert $format "$tmp/cut.log"
			read_${format#trace.} | sed 's/ \(prev\|next\|task\)=[^ ]*//g' >"$tmp/found"
			sed 's/ \(prev\|next\|task\)=[^ ]*//g' "$tmp/wanted.${format#trace.}" |
				diff - "$tmp/found" || { echo "$format"; return 1; }
		done
		convert ctf "$tmp/cut.log"
		missing=$(sed -n 's/.* \([0-9]*\) missing.*/\1/p' "$tmp/stderr")
		[ "$missing" -gt 0 ]
		equal ctf "$missing" "$(babeltrace2 "$tmp/out" 2>&1 >"$tmp/stdout" |
			awk '/discarded .* event/ { n += $4 } END { print n + 0 }')"
		convert trace.dat "$tmp/cut.log"
		equal trace.dat "$missing" "$(trace-cmd report -i "$tmp/out" |
			awk '/EVENTS DROPPED/ { sub(/.*\[/, ""); n += $1 } END { print n + 0 }')"
	done
}

# An exit whose entry is not there, or beyond a gap, is none that closes what is open.
test_lkstla_convert_strays()
{
	has_readers babeltrace2 || return
	convert ctf "$(log latency)" --from +0.0052
	babeltrace2 "$tmp/out" >"$tmp/read" 2>"$tmp/stderr"
	awk '/ (irq_handler|irq_softirq|x86_irq_vectors_[a-z_]*)_(entry|exit): / {
		match($0, /cpu_id = [0-9]+/)
		cpu = substr($0, RSTART, RLENGTH)
		if ($0 ~ /_entry: /)
			open[cpu]++
		else if (--open[cpu] < 0)
			print "an exit too many: " $0
	}' "$tmp/read" | diff /dev/null -
	for from in 1 2 3 4 5 6 7 8 9; do
		convert ctf "$(log mix)" --from +0.000${from}1 --to +0.004
		babeltrace2 "$tmp/out" >"$tmp/read" 2>"$tmp/stderr"
		awk '/ (irq_handler|irq_softirq)_(entry|exit): / {
			match($0, /cpu_id = [0-9]+/)
			cpu = substr($0, RSTART, RLENGTH)
			n++
			if ($0 ~ /_entry: /)
				open[cpu]++
			else if (--open[cpu] < 0)
				print "an exit too many: " $0
		} END { if (!n) print "no interrupts" }' "$tmp/read" | diff /dev/null -
	done
}

# Why a thread was blocked is what "lkstla wait" says, when it ends.
test_lkstla_convert_reasons()
{
	has_readers protoc || return
	f=$(log waits)
	lkstla wait --of 201 --csv "$f" 2>"$tmp/stderr" | awk -F, '
		NR > 1 {
			split($1, t, ".")
			ns = t[2] + $2
			gsub(/"/, "")
			reason = $4 ": " $6
			for (i = 7; i <= NF; i++)
				reason = reason "," $i
			printf "%d.%09d 201 %d %s\n", t[1], ns, $4 == "disk", reason
		}' | LC_ALL=C sort >"$tmp/wanted"
	[ "$(wc -l <"$tmp/wanted")" -gt 40 ]
	convert perfetto "$f"
	protoc --decode=Trace -I"$here" "$here/perfetto.proto" <"$tmp/out" >"$tmp/read"
	same_words -v from=perfetto -v reasons=1 "$tmp/read" | grep ' 201 ' |
		diff "$tmp/wanted" -
}

# What flame graphs are made of: all of the time that threads were blocked, and no other.
test_lkstla_convert_folded()
{
	for case in waits states mix missing late reuse; do
		f=$(log $case)
		lkstla states -a --csv "$f" 2>"$tmp/stderr" | awk -F, '
			!NF { exit }
			NR > 1 && $7 { n[$2] += $7 }
			END { for (i in n) printf "%s %.0f\n", i, n[i] }' | sort >"$tmp/wanted"
		[ -s "$tmp/wanted" ]
		convert folded "$f"
		awk '{ ns = $NF; sub(/;.*/, ""); n[$0] += ns }
			END { for (i in n) printf "%s %.0f\n", i, n[i] }' "$tmp/out" |
			sed 's/^<\.\.\.> / /' | sort | diff "$tmp/wanted" - || return
		# And so far the format's grammar goes.
		grep -vE '^[^;]+(;[^;]+)*;[a-z_]+(: [^;]+)?;--;[^;]+ [0-9]+$' "$tmp/out" |
			diff /dev/null - || return
	done
	convert folded "$(log stacks)"
	diff - "$tmp/out" <<-'END'
		a\x3bb c;do_read;wait_on_page;io_schedule;unknown;--;hardirq 1999000
		a\x3bb c;unknown;--;hardirq 3998001
	END
	flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
	[ -f $flamegraph ] || { echo SKIP no flamegraph.pl; return 4; }
	convert folded "$(log waits)"
	perl $flamegraph --countname ns "$tmp/out" >"$tmp/out.svg"
	grep -q '<title>all (250,000,000 ns, 100%)</title>' "$tmp/out.svg"
	grep -q '<title>sleeper (245,000,000 ns, 98.00%)</title>' "$tmp/out.svg"
}

# As many threads as there may be: lines of them are bounded, and the time is all there.
test_lkstla_convert_folded_many()
{
	f=$tmp/many.log
	"$tmp/genlog" -n 150000 many_tasks >"$f"
	convert folded "$f"
	[ "$(wc -l <"$tmp/out")" -lt 132000 ]
	[ "$(wc -l <"$tmp/out")" -gt 65536 ]
	grep -q ';--;(others) [0-9]*$' "$tmp/out"
	equal time "$(lkstla states --csv "$f" 2>"$tmp/stderr" | awk -F, '
		!NF { exit }
		NR > 1 { n += $7 }
		END { printf "%.0f", n }')" "$(awk '{ n += $NF } END { printf "%.0f", n }' "$tmp/out")"
	rm "$f"
}

# 250000 threads, all of which wait, in 100 MB.
test_lkstla_convert_holds_little_in_memory()
{
	f=$tmp/many.log
	"$tmp/genlog" -n 250000 many_tasks >"$f"
	for format in folded perfetto ctf; do
		# shellcheck disable=SC3045
		(ulimit -d 97656 && convert $format "$f") || { echo $format; return 1; }
	done
	rm "$f"
}

# Of one log there is one file.
test_lkstla_convert_is_the_same_again()
{
	for format in trace.dat perfetto folded; do
		convert $format "$(log waits)"
		mv "$tmp/out" "$tmp/first"
		convert $format "$(log waits)"
		cmp "$tmp/first" "$tmp/out" || { echo $format; return 1; }
	done
}

# Whatever a log is like, readers find as many records as there are, and no time goes back.
test_lkstla_convert_odd_logs()
{
	has_readers babeltrace2 trace-cmd protoc || return
	for case in wrap disorder late steps mixed reset elsewhere discard empty late_name few_args; do
		f=$(log $case)
		lkstbuf print "$f" 2>"$tmp/stderr" | print_rows | awk -F'|' '{ n[$2 == ""]++ }
			END { print n[0] + 0, n[1] + 0 }' >"$tmp/counts"
		read -r cpus names <"$tmp/counts"
		convert ctf "$f"
		babeltrace2 "$tmp/out" >"$tmp/read" 2>"$tmp/stderr"
		equal "ctf of $case" $((cpus + names)) "$(grep -c '^\[' "$tmp/read")"
		convert trace.dat "$f"
		trace-cmd report -t -i "$tmp/out" >"$tmp/read" 2>"$tmp/stderr"
		equal "trace.dat of $case" "$cpus" "$(grep -c '[0-9]: [a-z]' "$tmp/read")"
		awk 'match($0, /[0-9]+\.[0-9]+: [a-z]/) {
			t = substr($0, RSTART, RLENGTH - 3)
			if (t + 0 < last + 0)
				print "from " last " to " t
			last = t
		}' "$tmp/read" | diff /dev/null -
		convert perfetto "$f"
		protoc --decode=Trace -I"$here" "$here/perfetto.proto" <"$tmp/out" |
			sed 's/^ *sched_blocked_reason {/-/; s/^    event {/+/' >"$tmp/read"
		equal "perfetto of $case" "$cpus" $(($(grep -cx + "$tmp/read") -
			$(grep -cx -e - "$tmp/read")))
	done
}

# Names of the log's own table are others' identifiers, each of which is there once.
test_lkstla_convert_odd_names()
{
	has_readers babeltrace2 trace-cmd protoc jq || return
	f=$(log odd_names)
	cat >"$tmp/wanted" <<-END
		lkst_my_event_one a_b=1 a_b_2=2 int=3
		lkst_my_event_one_2 x=4 x_2=5 x_2_2=6
		lkst_record_2 task=TASK task_tid_2=101 task_tid=7 group=8 tgid_2=9 tgid=10
		lkst_my_event_one_3 arg_common_pid_2=11
		lkst_my_event_one_2_2 arg2=12
		lkst_record event=605 args=13 0xe
	END
	convert ctf "$f"
	babeltrace2 "$tmp/out" | sed -n 's/.* golden \([a-z_0-9]*\): .*flags = 0x0 }, { \(.*\) }$/\1 \2/p' |
		sed 's/, / /g; s/ = /=/g; s/"//g; s/0xFFFF888004A01000/TASK/; 1d' |
		diff "$tmp/wanted" -
	convert trace.dat "$f"
	trace-cmd report -i "$tmp/out" | sed -n 's/.*[0-9]: \(lkst_[a-z_0-9]*\): */\1 /p' |
		sed 's/0xffff888004a01000/TASK/; 1d' | diff "$tmp/wanted" -
	convert perfetto "$f"
	protoc --decode=Trace -I"$here" "$here/perfetto.proto" <"$tmp/out" | awk '
		$1 == "event_name:" { printf "%s%s", sep, $2; sep = "\n" }
		$1 == "name:" && $2 !~ /CPU/ { printf " %s", $2 }
		/_value:/ { sub(/.*_value: /, ""); printf "=%s", $0 }
		END { print "" }' | tr -d '"' |
		sed 's/18446612682147631104/TASK/; 1d' | diff "$tmp/wanted" -
	convert jsonl "$f"
	equal jsonl 'a_b a_b_2 int x x_2 x_2_2 task task_tid group tgid arg_common_pid_2 arg2 arg2 arg2_2 ' \
		"$(sed -n 's/.*"args"://; 1!p' "$tmp/out" | grep -o '"[a-z_0-9]*":' | tr -d '":' | tr '\n' ' ')"
}

# Another machine has other calls, interrupts that come within others, and no vectors.
test_arm64()
{
	f=$(log arm64)
	equal calls 2 "$(lkstbuf print -f "$f" 2>"$tmp/stderr" | grep -c ' SYSCALL_ENTRY nr=recvfrom ')"
	equal irq '10000 0' "$(lkstla cpu --csv "$f" 2>"$tmp/stderr" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		NF { print $at["irq_ns"], $at["unknown_ns"]; exit }')"
	lkstla irq "$f" >"$tmp/stdout" 2>"$tmp/stderr"
	grep -q 'there is no INT_BH_ENTRY in it' "$tmp/stderr"
	! grep INT_VECTOR "$tmp/stderr" || return 1
}

# What could not be read at an event is not what stands behind its record.
test_short_args()
{
	has_readers babeltrace2 || return
	f=$(log short_args)
	cat >"$tmp/wanted" <<-END
		lkst_my_a a=1 b=2 c=3
		lkst_my_a a=4 b=18446744073709551615 c=4294967295
		lkst_my_b a=5 word=
		lkst_my_a a=6 b=7 c=4294967295
		lkst_my_a a=8 b=2 c=9
	END
	convert ctf "$f"
	babeltrace2 "$tmp/out" | sed -n 's/.* golden \([a-z_0-9]*\): .*flags = 0x0 }, { \(.*\) }$/\1 \2/p' |
		sed 's/, / /g; s/ = /=/g; s/" *"//; s/"//g; 1d' | diff "$tmp/wanted" -
	grep -q '4 arguments could not be read at their events: -1 stands for them' "$tmp/stderr"
	"$bin/lkstla" events -e MY_A --by b --csv "$f" 2>"$tmp/stderr" | cut -d , -f 1,2 >"$tmp/found"
	printf '%s\n' b,records 2,2 7,1 '?,1' | diff - "$tmp/found"
}

# Where a reader has room for each CPU up to the last one, that is none from nowhere.
test_lkstla_convert_far_cpus()
{
	has_readers trace-cmd protoc || return
	f=$(log far_cpus)
	convert trace.dat "$f"
	grep -q 'no machine has a CPU 60000000: CPUs like it that have numbers from 2 on: 2' \
		"$tmp/stderr"
	[ "$(wc -c <"$tmp/out")" -lt 65536 ]
	equal trace.dat '101 1,102 2,103 3,101 1,102 2,103 3,' "$(trace-cmd report -i "$tmp/out" |
		sed -n 's/.*-\([0-9]*\) *\[0*\([0-9]*\)\] .*softirq_entry.*/\1 \2/p' | tr '\n' ,)"
	convert perfetto "$f"
	grep -q 'no machine has a CPU 60000000' "$tmp/stderr"
	equal perfetto 'cpu: 1,cpu: 2,cpu: 3,' "$(protoc --decode=Trace -I"$here" \
		"$here/perfetto.proto" <"$tmp/out" | sed -n 's/^ *\(cpu: .*\)/\1/p' | tr '\n' ,)"
	# Others tell of it as it is.
	convert jsonl "$f"
	grep -q '"cpu":60000000,' "$tmp/out"
}

# What was entered ends where its exit is missing: a viewer would draw it for ever.
test_lkstla_convert_open_at_gap()
{
	has_readers protoc || return
	cat >"$tmp/a" <<-END
		999 irq_handler_entry 4
		1999 softirq_entry 3
		2998 softirq_exit 3
		2998 irq_handler_exit 4
		20989 irq_handler_entry 5
		21989 softirq_entry 1
		22988 softirq_exit 1
		22988 irq_handler_exit 5
	END
	convert perfetto "$(log open_at_gap)"
	protoc --decode=Trace -I"$here" "$here/perfetto.proto" <"$tmp/out" | awk '
		$1 == "timestamp:" { time = $2 - 5000000007 }
		/_(entry|exit) \{/ { name = $1 }
		$1 == "irq:" || $1 == "vec:" { print time, name, $2 }' | diff "$tmp/a" -
	grep -q 'the ends of 3 interrupts are missing' "$tmp/stderr"
}

# What is not known is no number, nor the name of a CPU that is none.
test_lkstla_convert_unknown()
{
	has_readers babeltrace2 trace-cmd protoc jq || return
	f=$(log unknown_tasks)
	convert csv "$f"
	equal csv 'swapper,"one",swapper/0,' "$(sed '1d; /missing/d' "$tmp/out" | cut -d, -f5 | tr '\n' ,)"
	convert jsonl "$f"
	equal jsonl 'swapper,one,swapper/0,' "$(jq -r '.comm // empty' "$tmp/out" | tr '\n' ,)"
	convert perfetto "$f"
	equal perfetto 'next_comm: "unknown",next_pid: -1,next_comm: "one",next_pid: 101,' \
		"$(protoc --decode=Trace -I"$here" "$here/perfetto.proto" <"$tmp/out" |
		sed -n 's/^ *\(next_comm: .*\|next_pid: .*\)/\1/p' | tr '\n' ,)"
	convert ctf "$f"
	equal ctf 'next_comm = "unknown", next_tid = -1,' "$(babeltrace2 "$tmp/out" |
		sed -n 's/.*\(next_comm = "unknown", next_tid = -1,\).*/\1/p')"
	convert trace.dat "$f"
	equal trace.dat 'next_comm=<...> next_pid=-1' "$(trace-cmd report -N -i "$tmp/out" |
		sed -n 's/.*\(next_comm=[^ ]* next_pid=-1\) .*/\1/p')"
}

# What the kernel prints says the same as a log does, and as trace-cmd makes of trace.dat.
test_lkstla_convert_ftrace()
{
	has_readers trace-cmd || return
	for case in basic states reuse runq latency entries mix waits shapes markers gaps names \
		early_names odd_names unknown_tasks '-b basic' '-3 states' '-b -3 states'; do
		# shellcheck disable=SC2086
		f=$(log $case)
		case $case in
		odd_names) ;;
		*)
			LC_ALL=C.UTF-8 lkstbuf print "$f" 2>"$tmp/stderr" >"$tmp/print"
			same_words -v from=print -v handled=1 "$tmp/print" |
				grep -v '^[^ ]* --- ' | awk '{
					split($1, t, ".")
					us = int((t[2] + 500) / 1000)
					$1 = sprintf("%d.%06d", t[1] + (us == 1000000), us % 1000000)
					print
				}' | LC_ALL=C sort >"$tmp/wanted"
			[ -s "$tmp/wanted" ]
			convert ftrace "$f"
			same_words -v from=ftrace "$tmp/out" | diff "$tmp/wanted" - || return
			;;
		esac
		# Who, where, when and what; trace-cmd has one name for each number.
		convert ftrace "$f"
		sed -n 's/^ *\(.*\)-\([0-9]*\) *\(\[[0-9]*\]\) [^ ]* *\([0-9.]*: [a-z_0-9:]*\): .*/\1 \2 \3 \4/p' \
			"$tmp/out" | sed 's/: lkst:/: lkst_/' >"$tmp/a"
		[ -s "$tmp/a" ]
		convert trace.dat "$f"
		trace-cmd report -i "$tmp/out" |
			sed -n 's/^ *\(.*\)-\([0-9]*\) *\(\[[0-9]*\]\) *\([0-9.]*: [a-z_0-9]*\): .*/\1 \2 \3 \4/p' \
			>"$tmp/b"
		case $case in
		mix | latency | waits | gaps | early_names) columns= ;;
		*) columns='s/^.* \([0-9]* \[\)/\1/' ;;
		esac
		sed "$columns" "$tmp/a" | LC_ALL=C sort >"$tmp/c"
		sed "$columns" "$tmp/b" | LC_ALL=C sort | diff - "$tmp/c" ||
			{ echo "trace-cmd of $case"; return 1; }
	done
	f=$(log mix)
	convert trace.dat "$f"
	trace-cmd report -N -i "$tmp/out" |
		sed -n 's/.*: \(sched_switch\|sched_wakeup\|irq_handler_entry\): */\1 /p' | LC_ALL=C sort \
		>"$tmp/wanted"
	[ "$(wc -l <"$tmp/wanted")" -gt 100 ]
	convert ftrace "$f"
	sed -n 's/.*: \(sched_switch\|sched_wakeup\|irq_handler_entry\): /\1 /p' "$tmp/out" |
		sed 's/ ==> / /; s/prev_state=R/prev_state=0/; s/prev_state=S/prev_state=1/
			s/prev_state=D/prev_state=2/' | LC_ALL=C sort | diff "$tmp/wanted" -
	# It begins as the kernel's does, and says what is missing as that does.
	convert ftrace "$(log gaps)"
	equal first '# tracer: nop' "$(sed 1q "$tmp/out")"
	equal lost 'CPU:0 [LOST EVENTS],CPU:0 [LOST 45 EVENTS],CPU:0 [LOST 1 EVENTS],' \
		"$(grep LOST "$tmp/out" | tr '\n' ,)"
}

# As TP_printk() of the kernel's events has them, of 6.12; behind it what they do not have.
test_lkstla_convert_kernel_formats()
{
	convert ftrace "$(log kernel_formats)"
	sed -n 's/^ *one-300 .* [0-9]*\.[0-9]*: //p' "$tmp/out" | grep -v '^lkst:' >"$tmp/said"
	diff - "$tmp/said" <<-'END'
		hrtimer_expire_entry: hrtimer=0x1000 function=0x2000 now=77
		hrtimer_expire_exit: hrtimer=0x1000 restart=0
		mm_page_alloc: pfn=0x55 order=2 migratetype=1 gfp_flags=0xcc0
		mm_vmscan_kswapd_wake: nid=0 order=4 zid=3
		contention_begin: 0x3000 (flags=SPIN|MUTEX)
		contention_end: 0x3000 (ret=-4)
		contention_begin: 0x3000 (flags=READ|0x40)
		contention_begin: 0x3000 (flags=)
		kfree_skb: skbaddr=0x4000 protocol=2048 location=0x5000 reason: 7
	END
}

# The grammar that stackcollapse-perf.pl reads: what it makes of it, and lines that are none.
collapse()
{
	awk '
		/^#/ { next }
		/^$/ {
			if (comm != "")
				n[comm stack]++
			comm = stack = ""
			next
		}
		match($0, /^[^ ].* +[0-9]+ +\[[0-9]+\] [0-9]+\.[0-9]+: [a-z_]+:[a-z_0-9]+:/) {
			if (comm != "")
				print "no blank line before: " $0
			match($0, / +[0-9]+ +\[/)
			comm = substr($0, 1, RSTART - 1)
			gsub(/ /, "_", comm)
			next
		}
		/^:-1 -1 \[[0-9]+\] [0-9]+\.[0-9]+: PERF_RECORD_LOST lost ([0-9]+|unknown)$/ { next }
		/^\t *[0-9a-f]+ .+ \([^ ]*\)$/ && comm != "" {
			sub(/^\t *[0-9a-f]+ /, "")
			sub(/ \([^ ]*\)$/, "")
			sub(/\+0x[0-9a-f]+$/, "")
			stack = ";" $0 stack
			next
		}
		{ print "unrecognized: " $0 }
		END {
			for (i in n)
				print i, n[i]
		}' "$1" | LC_ALL=C sort
}

test_lkstla_convert_perf_script()
{
	for case in basic states reuse runq latency entries mix waits shapes markers gaps names \
		'-b basic' '-3 states'; do
		# shellcheck disable=SC2086
		f=$(log $case)
		LC_ALL=C.UTF-8 lkstbuf print "$f" 2>"$tmp/stderr" >"$tmp/print"
		same_words -v from=print -v handled=1 "$tmp/print" |
			grep -v -e '^[^ ]* --- ' -e ' LKST_STACK ' >"$tmp/wanted"
		[ -s "$tmp/wanted" ]
		convert perf-script "$f"
		grep -v "^$(printf '\t')" "$tmp/out" >"$tmp/heads"
		same_words -v from=perf "$tmp/heads" | diff "$tmp/wanted" - || return
		collapse "$tmp/out" | grep -e '^no ' -e '^un' | diff /dev/null -
		# All of it is in the order of time.
		sed -n 's/.*\[[0-9]*\] \([0-9.]*\): .*/\1/p' "$tmp/out" | sort -c
	done
	convert perf-script "$(log stacks)"
	collapse "$tmp/out" >"$tmp/a"
	diff - "$tmp/a" <<-END
		a;b_c 3
		a;b_c;do_read;wait_on_page;io_schedule 1
		swapper 4
	END
	grep -qxF "$(printf '\tffffffff81000010 io_schedule+0x10 ([kernel.kallsyms])')" "$tmp/out"
	convert perf-script "$(log gaps)"
	equal lost 'unknown,45,1,' "$(sed -n 's/^:-1 -1 \[000\] .*LOST lost //p' "$tmp/out" | tr '\n' ,)"
	# A stack whose event was left out, one of which a piece is missing, one of a program.
	convert perf-script "$(log odd_stacks)"
	collapse "$tmp/out" >"$tmp/a"
	diff - "$tmp/a" <<-END
		\\x20x 2
		\\x20x;[unknown];[unknown];io_schedule 1
		\\x20x;do_read;[missing];io_schedule 1
		two;wait_on_page 1
		two;wait_on_page;io_schedule 1
	END
}

# Others' analyses of it come to the same as ours.
test_lkstla_convert_for_lttng_analyses()
{
	has_readers lttng-irqstats lttng-schedstats || return
	f=$(log mix)
	convert ctf "$f"
	lttng-irqstats --no-progress "$tmp/out/kernel" >"$tmp/read" 2>"$tmp/stderr"
	lkstla irq --csv "$f" 2>"$tmp/stderr" | awk -F, '/^irq,/ {
		sub(/:/, ": <", $2)
		printf "%s> %d %.3f\n", $2, $3, $9 / 1000
	}' >"$tmp/wanted"
	awk '/^ *[0-9]+: *</ { print $1, $2, $3, $6 }' "$tmp/read" | diff "$tmp/wanted" -
	[ -s "$tmp/wanted" ]
	lttng-schedstats --no-progress "$tmp/out/kernel" >"$tmp/read" 2>"$tmp/stderr"
	equal latencies "$(lkstla latency --csv "$f" 2>"$tmp/stderr" |
		awk -F, '$1 == "woken" { printf "%d %.3f %.3f\n", $2, $4 / $2 / 1000, $10 / 1000 }')" \
		"$(awk 'match($0, /\([0-9]+\) /) {
			split(substr($0, RSTART + RLENGTH), f)
			n += f[1]
			sum += f[1] * f[3]
			max = f[4] > max ? f[4] : max
		} END { printf "%d %.3f %.3f\n", n, sum / n, max }' "$tmp/read")"
}

# Only what is asked for: a time, and the records of threads and those that name them.
test_lkstla_convert_some()
{
	has_readers babeltrace2 trace-cmd protoc || return
	f=$(log mix)
	wanted --from +0.001 --to +0.002 "$f"
	# The options of convert are the same.
	reads_back "$f" --from +0.001 --to +0.002
	LC_ALL=C lkstbuf print "$f" 2>"$tmp/stderr" >"$tmp/print"
	for format in ctf trace.dat perfetto; do
		# And all switches: without them, who comes next would run until it is named again.
		grep -E -e '-202( |$)' -e ' PROCESS_CONTEXTSWITCH ' "$tmp/print" >"$tmp/some"
		[ "$(grep -cvE -e '-202( |$)' "$tmp/some")" -gt 0 ]
		decimal=$([ $format = perfetto ] && echo 1 || echo 0)
		same_words -v from=print -v decimal="$decimal" "$tmp/some" |
			if [ $format = ctf ]; then cat; else grep -v '^[^ ]* --- '; fi >"$tmp/a"
		[ -s "$tmp/a" ]
		convert $format "$f" -p 202
		read_${format#trace.} | grep -v LKST_PROCESS >"$tmp/found"
		grep -v LKST_PROCESS "$tmp/a" | diff - "$tmp/found"
	done
	# Records are missing on CPU 0 from 30 to 60 ms: the part within a window is told.
	f=$(log waits_cut)
	for window in '45 70 5045000000 5060000000' '35 55 5035000000 5055000000'; do
		# shellcheck disable=SC2086 # four words
		set -- $window
		convert jsonl "$f" --from "+0.0$1" --to "+0.0$2"
		equal "missing from $1 to $2" "0 $3 $4 null" "$(jq -r 'select(.event == "missing") |
			[.cpu, .since_ns, .time_ns, .count] | join(" ") |
			if endswith(" ") then . + "null" else . end' "$tmp/out")"
	done
}

test_lkstla_convert_options()
{
	f=$(log basic)
	wrong 'it needs --to FORMAT' lkstla convert "$f"
	wrong 'there is no --to "nonsense"; there are csv, jsonl, ctf, trace.dat, perfetto, folded, ftrace, perf-script' \
		lkstla convert --to nonsense "$f"
	wrong '--to takes one format' lkstla convert --to csv --to jsonl "$f"
	wrong '--to takes one format' lkstla convert --to csv --to 1 --to 2 "$f"
	wrong 'it needs -o PATH' lkstla convert --to ctf "$f"
	cp "$f" "$tmp/same.log"
	for format in csv trace.dat perfetto; do
		if lkstla convert --to $format -o "$tmp/same.log" "$tmp/same.log" 2>"$tmp/stderr"; then
			return 1
		fi
		grep -q 'it is the log itself' "$tmp/stderr"
		cmp "$f" "$tmp/same.log"
		if lkstla convert --to $format -o "$tmp/same.log" <"$tmp/same.log" 2>"$tmp/stderr"; then
			return 1
		fi
		grep -q 'it is the log itself' "$tmp/stderr"
		cmp "$f" "$tmp/same.log"
	done
	rm -rf "$tmp/out"
	lkstla convert --to ctf -o "$tmp/out" "$f" 2>"$tmp/stderr"
	cp -R "$tmp/out" "$tmp/out.before"
	if lkstla convert --to ctf -o "$tmp/out" "$f" 2>"$tmp/stderr"; then return 1; fi
	grep -q 'File exists; a trace is not written over another one' "$tmp/stderr"
	diff -r "$tmp/out.before" "$tmp/out"
	[ -c /dev/full ] || return 0
	for format in csv perfetto; do
		status=0
		lkstla convert --to $format "$f" >/dev/full 2>"$tmp/stderr" || status=$?
		equal "$format to a full disk" 1 $status
		grep -q 'No space left' "$tmp/stderr"
	done
}

# === Logs that were made to be slow ===

# cpu_time COMMAND...: milliseconds of the processor.
cpu_time()
{
	sh -c '"$@" >/dev/null 2>&1; times' sh "$@" | awk '
		NR == 2 { gsub(/[ms]/, " "); printf "%.0f\n", 1000 * (60 * ($1 + $3) + $2 + $4) }'
}

# not_slower TIMES COMMAND GOOD BAD: the other log takes so many times as long at most. A
# second try is for a machine that was busy with something else.
not_slower()
{
	times=$1
	shift
	command=$1
	for _ in 1 2 3; do
		# shellcheck disable=SC2086 # a list of words
		good=$(cpu_time $command "$2")
		# shellcheck disable=SC2086
		bad=$(cpu_time $command "$3")
		[ "$bad" -gt $((times * good + 150)) ] || return 0
	done
	echo "$command: $bad ms, but $good ms of the other log"
	return 1
}

# Pairs that never end, addresses that collide, a thread that is all the time in one call; and
# as many tasks as there are rounds take four times as long as a fourth of them, caches aside.
test_lkstla_time_is_linear()
{
	n=${MANY:-25000}
	"$tmp/genlog" -n $((n / 4)) many_tasks >"$tmp/tasks4"
	for case in good tasks pairs spread collide pieces; do
		"$tmp/genlog" -n "$n" many_$case >"$tmp/$case"
	done
	equal records $((8 * n)) \
		"$(lkst info "$tmp/pairs" 2>"$tmp/stderr" | sed -n 's/^records: //p')"
	lkstla states "$tmp/tasks" 2>"$tmp/stderr" | awk 'END { exit NR < '"$n"' }'
	lkstla --help | sed -n 's/^  \([a-z]\{1,\}\) .*/lkstla \1 --top 10/p' |
		grep -vF 'lkstla convert' >"$tmp/commands"
	{
		echo 'lkstla wait --of 107 --top 10'
		echo 'lkstla latency --of timer'
		echo 'lkstla latency --of SYSCALL_ENTRY,SYSCALL_EXIT'
		echo 'lkstla latency --of LK_CONTENTION_BEGIN,LK_CONTENTION_END --by arg'
		echo 'lkstbuf print'
	} >>"$tmp/commands"
	while read -r command; do
		not_slower 3 "$command" "$tmp/good" "$tmp/pairs"
		not_slower 3 "$command" "$tmp/good" "$tmp/pieces"
		not_slower 3 "$command" "$tmp/spread" "$tmp/collide"
		not_slower 6 "$command" "$tmp/tasks4" "$tmp/tasks"
	done <"$tmp/commands"
	for case in tasks4 good tasks pairs spread collide pieces; do
		rm "$tmp/$case"
	done
}

# === Running them ===

tests=$(sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$0")
[ $# -eq 0 ] || tests=$*

$cc -O2 -o "$tmp/genlog" "$here/genlog.c" || exit 1
if [ -n "${LKST_TOOLS:-}" ]; then
	bin=$(cd "$LKST_TOOLS" && pwd)
else
	bin=$tmp/bin
	build "$bin" CFLAGS='-O2 -g -Werror' || {
		cat "$bin/make.log" >&2
		exit 1
	}
fi
PATH=$bin:$PATH

echo 'KTAP version 1'
# shellcheck disable=SC2086
echo "1..$(echo $tests | wc -w)"
n=0
pass=0
fail=0
skip=0
for name in $tests; do
	n=$((n + 1))
	# Not in a condition, where set -e would mean nothing.
	(set -e; "test_$name") >"$tmp/result" 2>&1
	status=$?
	grep '^# ' "$tmp/result"
	if [ $status -eq 0 ]; then
		pass=$((pass + 1))
		echo "ok $n $name"
	elif [ $status -eq 4 ] && grep -q '^SKIP' "$tmp/result"; then
		skip=$((skip + 1))
		echo "ok $n $name # $(sed -n '/^SKIP/p' "$tmp/result")"
	else
		fail=$((fail + 1))
		sed 's/^/# /' "$tmp/result"
		echo "not ok $n $name"
	fi
done
echo "# Totals: pass:$pass fail:$fail xfail:0 xpass:0 skip:$skip error:0"
[ $fail -eq 0 ]
