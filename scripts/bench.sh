#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Counts instructions: what a system call, or a switch between two processes,
# costs with LKST off and on, on a stock kernel of the same configuration, and
# with ftrace and perf; what a module's handler costs, and a switch of the maskset by
# one; what events take that are made at run time; what a record takes at worst; how long a
# change to a buffer keeps its CPU from interrupts; and what the hooks on some other ways
# through the kernel cost while they are off; then, whole workloads. Nanoseconds, in user-mode
# Linux; and last, how fast logs are read (scripts/bench-logs.sh), and a page of them is (scripts/
# bench-page.sh). How: Documentation/performance.rst, which it updates.
#
# usage: bench.sh		ONLY=getppid (pipe, probes, fault, udp, pread, fork, worst,
#				visit, exec, random, hackbench, nginx, compile, native, logs, page): only these, and
#				the page stays as it is
#				KERNELS='stock lkst': with these two kernels, which
#				have the tests' code in them but may be there already
#
# The tables are in out/bench/ as CSV and as pictures, all that was counted in raw.txt.

set -eu
. "$(dirname "$0")/lib.sh"

with_rivals='getppid pipe'
loads='exec random hackbench nginx compile'
tables="$with_rivals probes worst visit off"
compiled='gcd int_pow int_sqrt lcm'
all="$with_rivals probes fault udp pread fork worst visit $loads native logs page"
: "${ONLY:=$all}" "${KERNELS:=stock-bench bench}"
result=$OUT/bench
page=$TOP/Documentation/performance.rst

for bench in $ONLY; do
	case " $all " in
	*" $bench "*) ;;
	*) die "ONLY=$bench: there are only: $all" ;;
	esac
done

fetch build run bench
mkdir -p "$result"

progress()
{
	[ ! -t 2 ] || printf '\r\033[K%s' "$*" >&2
}

# picture TABLE: of TABLE.csv.
picture()
{
	gnuplot -e "dir='$result'; table='$1'" "$TOP/scripts/bench/plot.gp"
}

native_report()
{
	awk -v form="$1" -f "$TOP/scripts/bench/native.awk" "$result/native.ktap"
}

# What a record takes, beside ftrace's, at the speed of this machine.
native()
{
	progress 'user-mode Linux: building it, and timing'
	"$TOP/scripts/um.sh" lkst_benchmark >"$result/native.ktap"
	progress
	native_report csv >"$result/native.csv"
	picture native
	native_report text
	echo
	native_report goals
}

case $ONLY in
native)
	native
	exit
	;;
logs) exec "$TOP/scripts/bench-logs.sh" ;;
page) exec "$TOP/scripts/bench-page.sh" ;;
esac

work=$result/.work
rm -rf "$work"
mkdir -p "$work"
gcc -O2 -Wall -static -pthread -o "$work/count" "$TOP/scripts/workload/count.c"

: >"$work/raw"
paths=
wanted_loads=
for bench in $ONLY; do
	case " $loads " in
	*" $bench "*) wanted_loads="$wanted_loads $bench" ;;
	*)
		case $bench in
		native | logs | page) ;;
		*) paths="$paths $bench" ;;
		esac
		;;
	esac
done

# Programs of the workloads, for the guest: unpacked, because Debian starts a server that
# it installs.
programs=$OBJ/loads
case " $wanted_loads " in
*' hackbench '* | *' nginx '*)
	unpack_foreign "$(dpkg --print-architecture)" "$programs" nginx-light wrk rt-tests
	;;
esac

# The compiler's commands for some files of the kernel KERNEL, for the guest.
compilation()
{
	echo "cd '$BUILD/obj/$1'"
	for file in $compiled; do
		sed -n 's/^savedcmd_[^=]*:= *//p' "$BUILD/obj/$1/lib/math/.$file.o.cmd" |
			sed 's/ *;.*//; s/^ccache //; s/-Wp,-MMD,[^ ]*//; s, -o [^ ]* , -o /tmp/object ,'
	done
}

# What these read and run, by the names that the host has for it.
compilation_files()
{
	# The configuration is in no list of what an object is made of.
	find "$BUILD/obj/$1/include/generated" -name '*.h'
	started="$(command -v gcc) $(gcc -print-prog-name=cc1) $(command -v as)"
	for file in $compiled; do
		sed -n "s/^source_[^=]*:= *//p; s/^  \\([^ $]*\\) .*/\\1/p" \
			"$BUILD/obj/$1/lib/math/.$file.o.cmd"
	done | sed "/^$/d; s,^[^/],$BUILD/obj/$1/&," | xargs realpath -s | sort -u
	for program in $started; do
		echo "$program"
		ldd "$program" | sed -nE 's,^[^/]*(/[^ ]*) .*,\1,p'
	done | sort -u
}

# count_on NAME KERNEL BENCHMARK...: in one boot.
count_on()
{
	name=$1
	kernel=$2
	shift 2
	progress "$kernel: counting $*"
	KERNEL=$name ICOUNT=1 TIMEOUT="${TIMEOUT:-1200}" "$TOP/scripts/run.sh" \
		"PROGRAMS='/host$programs' \
		/src/scripts/bench/guest.sh /out/bench/.work $*" >"$work/$kernel" || {
		progress
		cat "$work/$kernel" >&2
		die "the run on KERNEL=$name failed"
	}
	sed "s/^/$kernel /" "$work/$kernel" >>"$work/raw"
}

for name in $KERNELS; do
	case $name in
	stock*) kernel=stock ;;
	*) kernel=lkst ;;
	esac
	progress "$kernel: building the kernel"
	KERNEL=$name "$TOP/scripts/kernel.sh" >/dev/null
	if [ $kernel = lkst ]; then
		cp -r "$TOP/scripts/bench/module" "$work/module"
		kmake "$(kernel_tree "$name")" O="$BUILD/obj/$name" \
			M="$work/module" modules >"$work/module.log" 2>&1 || {
			cat "$work/module.log" >&2
			die 'the modules of the benchmark do not build'
		}
		cp "$work"/module/*.ko "$work/"
	fi
	if [ ! -s "$work/compile.sh" ]; then
		compilation "$name" >"$work/compile.sh"
		compilation_files "$name" >"$work/compile.files"
	fi
	# shellcheck disable=SC2086 # a list of words
	[ -z "$paths" ] || count_on "$name" "$kernel" $paths
	# What a workload finds in memory is not what another one has left.
	for load in $wanted_loads; do
		count_on "$name" "$kernel" "$load"
	done
done
progress

fact()
{
	sed -n "s/^$1 fact $2 //p" "$work/raw" | head -n 1
}

report()
{
	awk -v bench="$1" -v form="$2" -f "$TOP/scripts/bench/report.awk" "$work/raw"
}

# The bytes of code in objects. (In vmlinux they are filled up to pages of 2 MiB.)
code()
{
	size -A "$@" | awk '$1 ~ /^\.(text|noinstr\.text|sched\.text|spinlock\.text|cpuidle\.text)/ { n += $2 }
		END { print n + 0 }'
}

# What hooks add to the code of the kernel, LKST's own code in it aside.
growth()
{
	set -- $KERNELS
	[ $# -eq 2 ] || return 0
	cd "$BUILD/obj/$2"
	# shellcheck disable=SC2046 # the names of objects
	own=$(code arch/x86/kernel/lkst_64.o $(ar t kernel/trace/lkst/built-in.a))
	before=$(code "$BUILD/obj/$1/vmlinux.o")
	after=$(code vmlinux.o)
	cd "$TOP"
	awk -v n=$((after - before - own)) -v sites="$(fact lkst sites)" 'BEGIN {
		printf "Code: %d bytes more for %d hooks, %.1f a hook: at most 24: %s\n", n, sites,
			n / sites, n / sites <= 24 ? "met" : "MISSED" }'
}

compiler=$(fact lkst version | sed 's/^[^(]*([^)]*) (\(.*\)) #.*/\1/; s/, GNU ld.*//')
qemu=$(qemu-system-x86_64 --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')
{
	echo "date,$(date +%Y-%m-%d)"
	echo "lkst,$(fact lkst lkst)"
	echo "kernel,$(fact lkst release)"
	echo "stock,$(fact stock release)"
	echo "clock,$(fact lkst clock)"
	echo "compiler,\"$compiler\""
	echo "qemu,$qemu"
} >"$result/environment.csv"

for bench in $ONLY off; do
	case " $tables " in
	*" $bench "*) ;;
	*) continue ;;
	esac
	report "$bench" csv >"$result/$bench.csv"
	case $bench in
	off | visit) ;;
	*) [ ! -s "$result/$bench.csv" ] || picture "$bench" ;;
	esac
	report "$bench" text
	echo
done
for bench in $ONLY off; do
	report "$bench" goals
done

loads_report()
{
	awk -v form="$1" -f "$TOP/scripts/bench/loads.awk" "$work/raw"
}

if [ -n "$wanted_loads" ]; then
	loads_report csv >"$result/loads.csv"
	picture loads
	loads_report text
	loads_report goals
fi
growth | tee "$result/code.txt"
case " $ONLY " in
*' native '*)
	echo
	native
	;;
esac
case " $ONLY " in
*' logs '*)
	echo
	"$TOP/scripts/bench-logs.sh"
	;;
esac
case " $ONLY " in
*' page '*)
	echo
	"$TOP/scripts/bench-page.sh"
	;;
esac

# The page has a marked place for each table and for what it was taken with.
replace()
{
	awk -v mark="$1" -v file="$2" '
	$0 == ".. end of " mark { skip = 0 }
	!skip { print }
	$0 == ".. start of " mark {
		skip = 1
		print ""
		while ((getline text < file) > 0)
			print text
		print ""
	}' "$page" >"$work/page"
	cmp -s "$work/page" "$page" || cat "$work/page" >"$page"
}

if [ "$ONLY" = "$all" ]; then
	cat >"$work/text" <<END
Taken on $(date +%Y-%m-%d) by \`\`make bench\`\`: LKST $(fact lkst lkst), Linux $(fact lkst release),
x86-64, $compiler, QEMU $qemu.
The configuration is what KERNEL=$name has: tinyconfig and, of \`\`kernel-config/\`\`,
$(kernel_fragments "$name" | tr ' ' '\n' | sed 's,.*/,,; s,\.config,,' | paste -sd, - | sed 's/,/, /g'). The clock is $(fact lkst clock | sed 's/.*\[\(.*\)\].*/\1/').
END
	replace environment "$work/text"
	sed 's/: at most.*/./' "$result/code.txt" >"$work/text"
	replace code "$work/text"
	for bench in $tables; do
		report "$bench" rst >"$work/text"
		replace "$bench" "$work/text"
	done
	loads_report rst >"$work/text"
	replace loads "$work/text"
	loads_report goals | sed -n 's|^bytes a record, \(.*\), \(full\): \([^,]*, [^,]*\).*|Bytes a record, \1, \2: \3.|p' >"$work/text"
	replace bytes "$work/text"
	{
		printf 'Taken on %s, %s, %s CPUs:\n\n' "$(date +%Y-%m-%d)" \
			"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
		native_report rst
	} >"$work/text"
	replace native "$work/text"
	replace logs "$result/logs.txt"
fi
mv "$work/raw" "$result/raw.txt"
rm -rf "$work"

echo
echo "Files: $(cd "$result" && printf "${result#"$TOP"/}/%s " ./*.csv ./*.png | sed 's,/\./,/,g')"
[ "$ONLY" != "$all" ] || echo 'and Documentation/performance.rst'
