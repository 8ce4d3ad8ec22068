# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Runs suites of tests and counts their results. Sourced after lib.sh. What each
# printed is left in RESULTS.

: "${RESULTS:=$OUT/check}"
passed_all=0
failed_all=0
skipped_all=0

# cpu_seconds FILE: of what "times" printed, what the shell's children have taken.
cpu_seconds()
{
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } }
		END { printf "%d\n", s }' "$1"
}

# suite NAME COMMAND...: runs a command that prints KTAP. No result at all is a
# failure, and so is a status that the results do not explain.
suite()
{
	name=$1
	shift
	point_number=0
	log=$RESULTS/$(echo "$name" | tr ' /' '--').log
	start=$(date +%s)
	mkdir -p "$RESULTS"
	times >"$log.cpu"
	cpu=$(cpu_seconds "$log.cpu")
	id=${log##*/}
	# A build says itself how far it is.
	case $name in
	build:*) ;;
	*) running "$id" tests "$log" "$name" ;;
	esac
	# Where lines move, and beside others, this one is written when it is whole.
	[ -n "$side${WATCHED:-}" ] || printf '%-28s ' "$name"
	status=0
	"$@" >"$log" 2>"$log.err" </dev/null || status=$?
	awk -v counts="$log.counts" -f "$TOP/scripts/ktap.awk" "$log" >"$log.failures"
	read -r passed failed skipped <"$log.counts"
	times >"$log.cpu"
	cpu=$(($(cpu_seconds "$log.cpu") - cpu))
	if [ "$status" -ne 0 ] && { [ "$failed" -eq 0 ] || [ "$status" -ge 124 ]; }; then
		failed=$((failed + 1))
		{
			echo "the suite ends with status $status"
			tail -n 80 "$log.err"
		} >>"$log.failures"
	elif [ $((passed + failed)) -eq 0 ]; then
		failed=1
		{
			echo 'no test ran'
			tail -n 20 "$log" "$log.err"
		} >>"$log.failures"
	fi
	{
		[ -z "$side${WATCHED:-}" ] || printf '%-28s ' "$name"
		printf '%4d passed, %d failed, %d skipped  %4d s, %4d s of a CPU\n' \
			"$passed" "$failed" "$skipped" "$(seconds_since "$start")" "$cpu"
		sed 's/^/    /' "$log.failures"
	} >"$log.result"
	ended "$id"
	cat "$log.result"
	[ -s "$log.err" ] || rm -f "$log.err"
	rm -f "$log.counts" "$log.cpu" "$log.failures" "$log.result"
	passed_all=$((passed_all + passed))
	failed_all=$((failed_all + failed))
	skipped_all=$((skipped_all + skipped))
}

# point NAME COMMAND...: one line of KTAP. The test is passed if the command
# succeeds; what it says comes before the line, as diagnostics do.
point_number=0
point_failures=0

point()
{
	what=$1
	shift
	point_number=$((point_number + 1))
	if "$@" 2>&1; then
		echo "ok $point_number $what"
	else
		point_failures=$((point_failures + 1))
		echo "not ok $point_number $what"
	fi
}

# ok_if NAME COMMAND...: a suite of one test.
ok_if()
{
	suite "$1" point "$@"
}

# === Side by side ===

# What runs beside the rest is a session of its own each, to be ended as one.
beside=

end_beside()
{
	for pid in $beside; do
		kill -- "-$pid" 2>/dev/null || :
	done
}

run_beside()
{
	setsid "$@" </dev/null &
	beside="$beside $!"
	trap end_beside EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# side_by_side COMMAND...: each is a function of these files and its arguments in one word,
# and runs suites. All at once: a guest of two CPUs leaves a third of their time unused.
side=

side_by_side()
{
	counts=$RESULTS/side
	rm -rf "$counts"
	mkdir -p "$counts"
	export ARCH BUILD JOBS KSRC OUT RESULTS
	sides=
	for command; do
		# shellcheck disable=SC2016 # the variables are the inner shell's
		run_beside sh -euc '
			. "$(dirname "$0")/lib.sh"
			. "$(dirname "$0")/suites.sh"
			side=$1
			$2
			echo "$passed_all $failed_all $skipped_all" >"$side"' \
			"$TOP/scripts/suites.sh" "$counts/$command" "$command"
		sides="$sides $!"
	done
	for pid in $sides; do
		wait "$pid" || :
	done
	for command; do
		if [ -s "$counts/$command" ]; then
			read -r passed failed skipped <"$counts/$command"
		else
			echo "$command: has not come to its end"
			passed=0 failed=1 skipped=0
		fi
		passed_all=$((passed_all + passed))
		failed_all=$((failed_all + failed))
		skipped_all=$((skipped_all + skipped))
	done
	rm -rf "$counts"
}

# === What is built ===

# One big build at a time, on a machine that has a lock for them: BUILD_LOCK.
build_kernel()
{
	KERNEL=$1 ${BUILD_LOCK:+flock "$BUILD_LOCK"} "$TOP/scripts/kernel.sh"
}

# === What is run ===

# What is built for them, and the same each time, comes from the compiler cache.
cached()
{
	PATH=/usr/lib/ccache:$PATH CCACHE_BASEDIR=$TOP CCACHE_NOHASHDIR=1 "$@"
}

# On this machine: the tools, on logs that were made before and damaged.
host_tests()
{
	KSRC=$BUILD/linux LKST_TOOLS=$OBJ/tools \
		suite 'tools on this machine' cached sh "$TOP/selftests/host/run.sh"
}

dump_tests()
{
	KSRC=$BUILD/linux LKST_TOOLS=$OBJ/tools-dump \
		suite 'crash dumps on this machine' cached sh "$TOP/selftests/host/dump.sh"
}

# What needs no guest runs beside guests, in what they leave of the machine. Where each session
# has a share of its own, "nice" is for those within one.
give_way()
{
	renice -n 19 -p $$ >/dev/null
	[ ! -w /proc/$$/autogroup ] || echo 19 >/proc/$$/autogroup || :
}

build_beside()
{
	give_way
	ok_if "build: $1" build_kernel "$1"
}

# The tools of another architecture do not run here.
tools_beside()
{
	give_way
	[ "$ARCH" != "$(uname -m)" ] || host_tests
}

models_beside()
{
	give_way
	ok_if 'models' "$TOP/scripts/model.sh"
	[ "$ARCH" != "$(uname -m)" ] || dump_tests
}

# In the guest: run_in KERNEL COMMAND
run_in()
{
	KERNEL=$1 TIMEOUT=${TIMEOUT:-3600} "$TOP/scripts/run.sh" "$2"
}

# Two of the four CPUs never come, here and below.
kunit_tests()
{
	MAXCPUS=4 APPEND="kunit.enable=1 ${APPEND:-}" suite "$1: KUnit" run_in "$1" \
		'modprobe -a lkst_latency lkst_latency_test && cat /sys/kernel/debug/kunit/*/results'
}

# guest_selftests KERNEL PART [NAME]
guest_selftests()
{
	MAXCPUS=4 run_in "$1" "LKST_TEST_STRICT=1 LKST_TEST_TIMES=1 LKST_TEST_PART=$2 \
		exec sh /src/selftests/run.sh ${3:-}"
}

# A kernel that is locked down stays so: a guest of its own.
lockdown_selftests()
{
	run_in "$1" 'LKST_TEST_LOCKDOWN=1 LKST_TEST_STRICT=1 exec sh /src/selftests/run.sh lockdown'
}

# guest_tests KERNEL HALF: with ONE_THREAD, a guest of its own has a thread for each CPU, for
# what makes CPUs race with each other. That is for kernels that look for their own faults;
# what programs do is left out, for which check-all has time.
guest_tests()
{
	if [ -z "${ONE_THREAD:-}" ]; then
		suite "$1: selftests, $2 of 2" guest_selftests "$1" "$2/2"
		return
	fi
	suite "$1: selftests, $2 of 2" guest_selftests "$1" "$2/2" rest
	ONE_THREAD='' suite "$1: races, $2 of 2" guest_selftests "$1" "$2/2" races
}

# Where an interrupt comes between any two instructions. While the guest waits for the
# host its clock runs on, by minutes: only the time of the whole run is limited.
stepped_torture()
{
	ICOUNT=1 run_in "$1" "LKST_TEST_STRICT=1 LKST_TEST_TIMES=1 LKST_TEST_LIMIT=100000 \
		exec sh /src/selftests/torture.sh"
}

# crash KERNEL WHAT EVENT...: a boot that ends with a panic. On its console are these
# events, EREs in which PID is that of who brought it about, and no others.
crash()
{
	console=$RESULTS/crash-$1-$2
	ended=0
	CONSOLE=$console run_in "$1" "exec sh /src/selftests/crash.sh $2" \
		2>"$console.err" || ended=$?
	shift 2
	pid=$(sed -n 's/.*lkst-test: pid \([0-9]*\).*/\1/p' "$console")
	tr -d '\r' <"$console" | sed -n 's/.*lkst-test: \(event .*\)/\1/p' >"$console.events"
	# The kernel has complained, and nothing else was wrong.
	if [ "$ended" -ne 125 ] || [ "$(wc -l <"$console.events")" -ne $# ]; then
		cat "$console.err"
		return 1
	fi
	for event; do
		sed -n "$((${event%%:*}))p" "$console.events" |
			grep -xE "$(echo "${event#*:}" | sed "s/PID/$pid/")" && continue
		echo "wanted: $event"
		cat "$console.events"
		return 1
	done
	rm -f "$console" "$console.events" "$console.err"
}

# The ids are those of O_PANIC and O_OOPS. A text has 24 bytes, or 16.
crash_points()
{
	point 'a panic' crash "$1" panic \
		'1:event 153 of pid PID in lkdtm_PANIC \[lkdtm], 4 arguments, .*, text "dumptest"'
	# A write that finds no page; of arm64, what the processor says of it. Inline KASAN
	# reads the shadow of that address first, and on x86 there is none of address 0.
	kasan=
	! grep -q '^CONFIG_KASAN_INLINE=y' "$OBJ/$1/.config" || kasan=1
	case $ARCH in
	arm64)
		fault='second 0x9600004[4-7], text "Oops"'
		[ -z "$kasan" ] || fault='second 0x9600000[4-7], text "Oops"'
		panics='in die, 4 arguments, .*, text "Oops: Fatal exception"'
		;;
	*)
		fault='second 0x2, text "Oops"'
		[ -z "$kasan" ] || fault='second 0x0, text "general protecti"'
		panics='in oops_end, 4 arguments, .*, text "Fatal exception"'
		;;
	esac
	point 'an oops and its panic' crash "$1" oops \
		"1:event 155 of pid PID in lkdtm_EXCEPTION \[lkdtm], 4 arguments, $fault" \
		"2:event 153 of pid PID $panics"
}

# A hook where RCU does not watch is told, and there is no other warning but that only the
# idle task should be there.
unwatched()
{
	console=$RESULTS/crash-$1-unwatched
	ended=0
	CONSOLE=$console run_in "$1" 'cd /sys/kernel/debug/lkst && echo idle >masksets/create &&
		echo "INT_TASKLETHI_ENTRY default" >masksets/idle && echo idle >maskset &&
		insmod "$LKST_TEST_BIN/lkst_test_hook.ko" idle=1' >"$console.out" 2>&1 || ended=$?
	others=$(grep 'WARNING: ' "$console" | grep -cvE 'context_tracking\.c:|lkst_prove_rcu' || :)
	if [ "$ended" -ne 125 ] || [ "$others" -ne 0 ] ||
		! grep -q 'LKST: RCU does not watch at a hook of event 12' "$console"; then
		tail -n 30 "$console"
		return 1
	fi
	rm -f "$console" "$console.out"
}

# crash_last KERNEL N: N records of the CPU that panicked and N of all are on its
# console, in the order of time. What they end with is what the panic was preceded by.
crash_last()
{
	console=$RESULTS/crash-$1-last
	ended=0
	CONSOLE=$console APPEND="lkst.dump_on_oops=$2" \
		run_in "$1" 'exec sh /src/selftests/crash.sh last' 2>"$console.err" || ended=$?
	tr -d '\r' <"$console" | sed 's/^\[[^]]*] //' | awk -v want="$2" '
	/^lkst-test: counted / { counted = $3 }
	/^lkst: the last / {
		of = $7
		on = 1
		lines = last = dumped = told = markers = 0
		if ($4 != want)
			bad = bad " asked"
		next
	}
	/^lkst: end of the last records/ {
		on = 0
		parts = parts " " of
		if (lines != want || !told || markers != counted + 1)
			bad = bad " " of ":" lines "," told "," markers
	}
	!on { next }
	/^lkst: .* being written/ { next }
	{ lines++ }
	$4 + 0 < last + 0 { bad = bad " order" }
	{ last = $4 }
	/ LKST_MARKER .*text=count / { markers = $0; sub(/.*count /, "", markers) }
	/ LKST_DUMP reason=1$/ { dumped = 1; next }
	/ O_PANIC .*text=dumptest/ { told = dumped }
	# On the CPU that panics there is nothing else.
	dumped && of == "CPU" && !/ O_PANIC / { bad = bad " after" }
	END {
		if (ended != 125 || parts != " CPU all" || bad) {
			print "parts:" parts ", wrong:" bad
			exit 1
		}
	}' ended="$ended" || {
		tail -n 30 "$console"
		cat "$console.err"
		return 1
	}
	rm -f "$console" "$console.err"
}

# kdump KERNEL HOW LINES: a crash kernel reads the dump. What the first one complains of
# are so many lines. All counts are there, and the reason at the end.
kdump()
{
	console=$RESULTS/kdump-$1-$2
	kdump_guest "$@" >"$console.out" 2>"$console.err" || {
		tail -n 20 "$console.out" "$console.err"
		return 1
	}
	for line in '^markers: 51$' ' LKST_DUMP reason=' '^after it: [0-9]$' \
		' records in .*, 0 missing$'; do
		grep -qE "$line" "$console.out" && continue
		echo "wanted: $line"
		cat "$console.out"
		return 1
	done
	rm -f "$console" "$console.out" "$console.err"
}

# Where the host lets one CPU wait the other goes on: names and counts are to be there still.
LARGE_BUFFER=lkst.buffer_size=4M

kdump_guest()
{
	CONSOLE=$console APPEND="crashkernel=256M $LARGE_BUFFER" run_in "$1" \
		"IMAGE='/host$OBJ/$1/arch/x86/boot/bzImage' DUMP='/host$OBJ/tools-dump/lkst' \
		exec sh /src/selftests/crash.sh ${4:-kdump} $2 $3"
}

# crash_again KERNEL SEED [KIND]: of a random kind, on 2 or 4 CPUs; all that was counted is
# there.
crash_again()
{
	console=$RESULTS/crash-$1-$2
	smp=$((2 + 2 * ($2 % 2)))
	SMP=$smp CONSOLE=$console APPEND=crashkernel=256M run_in "$1" \
		"IMAGE='/host$OBJ/$1/arch/x86/boot/bzImage' DUMP='/host$OBJ/tools-dump/lkst' \
		exec sh /src/selftests/crash.sh loop $2 ${3:-}" \
		>"$console.out" 2>"$console.err" || {
		tail -n 20 "$console.out" "$console.err"
		return 1
	}
	sed -n 1p "$console.out"
	counted=$(sed -n 's/.*lkst-test: counted \([0-9]*\).*/\1/p' "$console" | sort -n | tail -n 1)
	markers=$(sed -n 's/^markers: //p' "$console.out")
	if [ "${markers:-0}" -lt "${counted:-1}" ] || ! grep -q ' LKST_DUMP ' "$console.out"; then
		echo "counted to $counted, in the dump: $markers"
		cat "$console.out"
		return 1
	fi
	rm -f "$console" "$console.out" "$console.err"
}

# crash_loop KERNEL N
crash_loop()
{
	for seed in $(seq "$2"); do
		point "crash $seed" crash_again "$1" "$seed"
	done
}

# The same, and in makedumpfile's formats.
formats()
{
	kdump "$1" sysrq 1 formats
}

kdump_points()
{
	if [ "$1" = debug ]; then
		point 'a dump: SysRq' kdump "$1" sysrq 1
	else
		point 'a dump: SysRq; formats of makedumpfile' formats "$1"
	fi
	point 'a dump: BUG()' kdump "$1" BUG 2
	# "BUG: kernel NULL pointer dereference" is not for KASAN's way to fault.
	lines=2
	! grep -q '^CONFIG_KASAN_INLINE=y' "$OBJ/$1/.config" || lines=1
	point 'a dump: an oops' kdump "$1" EXCEPTION $lines
}

# reset KERNEL NAME LAST OPTIONS: the counts are there after a reset, and after one from a
# panic, with these options of the kernel, a list in one word. LAST is what crash.sh does
# with them at last. What is printed is of several boots, and of some twice where the guest
# had to start anew.
reset()
{
	console=$RESULTS/reset-$1-$2
	CONSOLE=$console RESETS=1 APPEND="lkst.buffer_size=256K $4" \
		run_in "$1" "DUMP='/host$OBJ/tools-dump/lkst' exec sh -x /src/selftests/crash.sh reset $3" \
		>"$console.out" 2>"$console.err" || {
		tail -n 20 "$console.out" "$console.err"
		return 1
	}
	for line in ' LKST_DUMP reason=' '^# .*: panic on CPU' '^last boot$'; do
		grep -q "$line" "$console.out" && continue
		echo "wanted: $line"
		cat "$console.out"
		return 1
	done
	case $4 in
	*ramoops*)
		[ "$(grep -c '^in pstore: the last records' "$console.out")" -eq 2 ] || {
			cat "$console.out"
			return 1
		}
		;;
	esac
	[ "$(grep -c '^markers: 51$' "$console.out")" -ge 4 ] || {
		cat "$console.out"
		return 1
	}
	rm -f "$console" "$console.out" "$console.err"
}

# region_refused KERNEL REGION WHY: the log says so, and buffers are where they are without.
region_refused()
{
	APPEND="nokaslr lkst.persist=$2" run_in "$1" "dmesg | grep -F 'lkst: persist=$2: $3' &&
		grep '^persist: 0 of 0' /sys/kernel/debug/lkst/status &&
		echo RDEFAULT >/sys/kernel/debug/lkst/maskset"
}

# shellcheck disable=SC2016 # the dollar is memmap's
RAMOOPS='memmap=1M$0x21000000 ramoops.mem_address=0x21000000 ramoops.mem_size=0x100000'
RAMOOPS="$RAMOOPS ramoops.record_size=0x40000 pstore.kmsg_bytes=65536"

reset_points()
{
	point 'after a reset: records of the boots before, pstore has the last' reset "$1" address \
		deleted "nokaslr lkst.persist=4M@0x20000000 lkst.dump_on_oops=50 $RAMOOPS"
	# Each is several boots, which are slow there.
	[ "$1" != debug ] || return 0
	point 'the same, and the kernel is somewhere else, and locked down' reset "$1" kaslr \
		locked 'reserve_mem=4M:4096:lkst lkst.persist=lkst'
	# shellcheck disable=SC2016 # the dollar is memmap's
	point 'the same, in memory that the kernel does not have' reset "$1" mapped \
		deleted 'memmap=4M$0x20000000 lkst.persist=4M@0x20000000'
	point 'a region where the kernel is' region_refused "$1" 4M@16M 'that is in use'
	point 'a region that is memory in part' region_refused "$1" 4M@1022M \
		'not all of that is memory'
	point 'a region without memory' region_refused "$1" 4M@3G 'there is no memory'
	point 'a region that the firmware has' region_refused "$1" 64K@0xf0000 'that is taken'
	point 'a region of less than a page' region_refused "$1" 2K@0x20000000 'less than a page'
	point 'a region nobody knows' region_refused "$1" nosuch 'no such region'
}

# lx-lkst on a machine that is halted; it shares no out/ with others. Some blocks are in
# memory that the kernel does not have.
halted()
{
	mkdir -p "$RESULTS/halted"
	OUT=$RESULTS/halted VMLINUX=$OBJ/$1/vmlinux SCRIPT=$BUILD/linux/scripts/gdb/linux/lkst.py \
		DUMP=$OBJ/tools-dump/lkst GUEST="MEM=256M KERNEL=$1 QEMU=\"-gdb unix:\$1,server=on,wait=off\" \
		APPEND='$LARGE_BUFFER memmap=512K\$0x8000000 lkst.persist=512K@0x8000000' \
		$TOP/scripts/run.sh 'exec sh /src/selftests/crash.sh halted'" \
		sh "$TOP/selftests/host/halted.sh" &&
		rm -r "$RESULTS/halted"
}

halted_points()
{
	point 'a halted machine, with gdb' halted "$1"
}

crash_last_points()
{
	point 'the last records are on the console' crash_last "$1" 500
}

# kernel_tests KERNEL HALF: all there is for it, in two halves that take as long.
kernel_tests()
{
	our_tools=
	[ "$ARCH" != "$(uname -m)" ] || our_tools=1
	# Two of its guests would want four CPUs.
	[ "$1" != debug ] || export ONE_THREAD=1
	case $2 in
	1)
		kunit_tests "$1"
		guest_tests "$1" 1
		[ -n "$our_tools" ] || return 0
		suite "$1: crash dumps" kdump_points "$1"
		suite "$1: resets" reset_points "$1"
		;;
	2)
		guest_tests "$1" 2
		suite "$1: crashes" crash_points "$1"
		[ "$1" != debug ] || ok_if "$1: a hook while idle" unwatched "$1"
		suite "$1: last records" crash_last_points "$1"
		{ [ -n "$our_tools" ] && [ "$1" != debug ]; } || return 0
		suite "$1: locked down" lockdown_selftests "$1"
		suite "$1: debugger" halted_points "$1"
		suite "$1: torture, stepped" stepped_torture "$1"
		;;
	esac
}

# both_halves FUNCTION KERNEL [COMMAND...]: FUNCTION KERNEL 1, FUNCTION KERNEL 2 and those
# commands, side by side.
both_halves()
{
	halves="$1 $2"
	shift 2
	side_by_side "$halves 1" "$halves 2" "$@"
}

# The suites of make check. The debug kernel is what takes longest to build, and its tests
# wait for nothing else.
check_suites()
{
	rm -rf "$RESULTS"
	ok_if 'build: lkst' build_kernel lkst
	both_halves kernel_tests lkst 'build_beside debug'
	both_halves kernel_tests debug tools_beside models_beside
}

# The closing line, and the exit status.
finish()
{
	unwatch
	tail=
	[ "$skipped_all" -eq 0 ] || tail=", $skipped_all skipped"
	echo
	echo "$passed_all passed, $failed_all failed$tail"
	[ "$failed_all" -eq 0 ] && [ "$passed_all" -gt 0 ]
	exit
}
