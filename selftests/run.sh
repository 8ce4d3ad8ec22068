#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the tests of LKST in the kernel they are to test, as root, and prints one
# KTAP stream.
#
#	run.sh			all
#	run.sh NAME...		these files (control, buffers, …)
#	run.sh races		those in which one CPU writes, reads or changes what another one uses
#	run.sh programs		those of what programs do with control files and logs
#	run.sh rest		all but both
#	run.sh NAME:CASE...	the cases whose function starts so
#
# LKST_TEST_BIN is where the programs are, LKST_TEST_MOD where the modules are,
# LKST_TEST_SCALE the size of the loads in percent. With LKST_TEST_STRICT=1, what
# cannot be run has failed; with LKST_TEST_TIMES=1, each case tells how long it
# took. LKST_TEST_PART=2/3 leaves all but the second of every three files out, for
# machines that share the work.

set -u

SRC=$(cd "$(dirname "$0")" && pwd)
cd "$SRC" || exit 1

AREAS='control maskset handler handlers record buffers readers hooks log log_text dynamic dynamic_fprobe dynamic_pattern dynamic_tracepoint names clocks hotplug'
AREAS="$AREAS tools tutorial lkstla_wait lkstla lkstla_runq lkstla_contexts lkstla_record"
AREAS="$AREAS lkstla_summary setup crosscheck tracepoints stress torture stories"
# Where each event is provoked, a file for each part of the kernel. What is not as it was
# before for as long as the kernel runs is last.
AREAS="$AREAS $(echo events_*.sh | sed 's/\.sh//g') fuzz oops unstable"
# Their order makes two parts that take about as long as what else each half has to do.
RACES='hotplug stress torture handler maskset buffers readers'
PROGRAMS='tools tutorial setup stories crosscheck lkstla_wait lkstla lkstla_runq'
PROGRAMS="$PROGRAMS lkstla_contexts lkstla_record lkstla_summary"

rest() {
	for area in $AREAS; do
		case " $RACES $PROGRAMS tracepoints " in
		*" $area "*) ;;
		*) echo "$area" ;;
		esac
	done
	echo trace_raw
	# Here it makes two parts that take about as long.
	echo tracepoints
}

# The names of the arguments, of which three stand for many.
names() {
	for arg; do
		case $arg in
		races) echo "$RACES" ;;
		programs) echo "$PROGRAMS" ;;
		rest) rest ;;
		*) echo "$arg" ;;
		esac
	done
}

# The programs: where we are told, beside us, or in PATH.
BIN=${LKST_TEST_BIN:-$SRC}
[ -x "$BIN/lkst_helper" ] || BIN=$(dirname "$(command -v lkst_helper)")
export LKST_TEST_BIN="$BIN"

# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $AREAS trace_raw
# shellcheck disable=SC2046 # a list of words
set -- $(names "$@")

# The PART=N/M of the arguments.
part() {
	i=0
	for arg; do
		[ $((i % ${PART#*/} + 1)) -ne "${PART%/*}" ] || echo "$arg"
		i=$((i + 1))
	done
}

PART=${LKST_TEST_PART:-1/1}
# shellcheck disable=SC2046
set -- $(part "$@")
[ $# -gt 0 ] || {
	echo "run.sh: LKST_TEST_PART=$PART leaves nothing: 1/2 and 2/2 are the two halves" >&2
	exit 2
}

# How many test points one argument stands for.
points() {
	case $1 in
	trace_raw)
		[ -x "$BIN/trace_raw_test" ] || {
			echo 1
			return
		}
		"$BIN/trace_raw_test" -l 2>&1 |
			awk '/^-----/ { on = 1; next } on && NF { n++ }
				END { print n + 0 }'
		;;
	*)
		case $1 in
		*:*) only=${1#*:} ;;
		*) only= ;;
		esac
		grep -c "^t '.*' $only" "${1%%:*}.sh"
		;;
	esac
}

run() {
	case $1 in
	trace_raw)
		if [ -x "$BIN/trace_raw_test" ]; then
			"$BIN/trace_raw_test" 2>&1
		elif [ -z "${LKST_TEST_STRICT:-}" ]; then
			echo "ok 1 trace_raw # SKIP no $BIN/trace_raw_test"
		fi
		;;
	*:*)
		sh "./${1%%:*}.sh" "${1#*:}" 2>&1
		;;
	*)
		sh "./$1.sh" 2>&1
		;;
	esac
}

for arg in "$@"; do
	[ "$arg" = trace_raw ] || [ -e "${arg%%:*}.sh" ] || {
		echo "run.sh: no test called ${arg%%:*}; there are:" \
			"$AREAS trace_raw; and races, programs, rest" >&2
		exit 2
	}
done

total=0
for arg in "$@"; do
	total=$((total + $(points "$arg")))
done

{
	for arg in "$@"; do
		echo "@ $(points "$arg") ${arg%%:*}"
		run "$arg"
	done
	echo "@ 0"
} | awk -v total="$total" '
	# A file that ends early has failed in all that it did not tell of.
	function close_area() {
		for (; seen < want; seen++)
			point("not ok", area ": no result")
	}
	function point(result, what) {
		nr++
		print result, nr, what
		if (result == "not ok")
			fail++
		else if (what ~ /# SKIP/)
			skipped++
		else
			pass++
	}
	BEGIN {
		print "TAP version 13"
		print "1.." total
	}
	/^@ [0-9]+/ {
		close_area()
		want = $2
		seen = 0
		area = $3
		if (area != "")
			print "# " area
		fflush()
		next
	}
	/^(not )?ok [0-9]+ / {
		result = $1 == "not" ? "not ok" : "ok"
		what = $0
		sub(/^(not )?ok [0-9]+ (- )?/, "", what)
		point(result, area ": " what)
		seen++
		fflush()
		next
	}
	/^TAP version|^1\.\.|^# Totals/ {
		next
	}
	{
		sub(/^#? ?/, "# ")
		print
		fflush()
	}
	END {
		printf "# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:%d error:0\n",
			pass, fail, skipped
		exit fail > 0 || nr != total
	}'
