#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The tests of check.sh and the long ones: more of the model, the kernel that looks
# for data races, one CPU and four, loads of a minute and a million writes, a hundred
# crashes, their dumps read by a tool of 32 bits, logs fuzzed for ten minutes, libvirt's
# dumps, Debian's kdump-tools, arm64, user-mode Linux, the documentation, clang, Debian's
# configuration, the kernel's own ftrace selftests with and without the series, the stock
# kernel's code where LKST is not configured, builds with configurations that others have, and
# after every patch. Hours.

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"

# The ftrace selftests on kernel $1; the names of those that pass. One of them probes
# what it finds mapped in a shell whose name ends in sh. In one thread of the host: what
# scripts/tcg_int3/ mends by running code does not happen there, and here all code is traced.
ftrace_passes()
{
	tests=/host$(kernel_tree "$1")/tools/testing/selftests/ftrace
	ONE_THREAD=1 run_in "$1" "rm /bin/sh && cp /usr/bin/dash /bin/sh && cd $tests &&
		PATH=/usr/sbin:/usr/bin:\$PATH \
		/usr/bin/dash ./ftracetest -K -l /tmp/logs" >"$RESULTS/$1.ktap" || {
		[ $? -lt 124 ] || return 125
	}
	sed -nE '/# (SKIP|XFAIL)/d; s/ +$//; s/^ok [0-9]+ +//p' "$RESULTS/$1.ktap" |
		LC_ALL=C sort >"$RESULTS/$1.passes"
}

# What passes without the series passes with it. Some wait for what is to happen within
# a tenth of a second: not side by side.
ftrace_tests()
{
	ftrace_passes stock-ftrace || return
	ftrace_passes ftrace || return
	while read -r test; do
		point "$test" grep -qxF "$test" "$RESULTS/ftrace.passes"
	done <"$RESULTS/stock-ftrace.passes"
}

# Loads of a minute, writes by the million.
long_selftests()
{
	run_in "$1" 'LKST_TEST_LONG=1 LKST_TEST_LIMIT=3600 LKST_TEST_STRICT=1 \
		exec sh /src/selftests/run.sh stress fuzz'
}

# Ten minutes of it.
long_torture()
{
	SMP=4 run_in "$1" 'LKST_TEST_LONG=1 LKST_TEST_STRICT=1 exec sh /src/selftests/torture.sh'
}

# "lkst dump" of another machine, of 32 bits, on the dumps that it is tried on here. What
# is left out has a limit of memory that the emulator does not keep.
dump_tests_32()
{
	fetch armhf || return 1
	dir=$OBJ/armhf
	root=$dir/root
	libs=$root/usr/lib/arm-linux-gnueabihf
	mkdir -p "$dir/tools" "$dir/bin"
	unpack_foreign armhf "$root" libkdumpfile-dev zlib1g-dev || return 1
	PKG_CONFIG_LIBDIR=$libs/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
		make -s -C "$BUILD/linux/tools/tracing/lkst" --no-print-directory -j "$JOBS" \
		CC="arm-linux-gnueabihf-gcc --sysroot=$root" LIBKDUMPFILE=1 \
		LDFLAGS="-Wl,-rpath-link,$libs" OUTPUT="$dir/tools/" all || return 1
	for name in lkst lkstbuf; do
		printf '#!/bin/sh\nexec qemu-arm -0 %s -L "%s" "%s" "$@"\n' \
			"$name" "$root" "$dir/tools/lkst" >"$dir/bin/$name"
		chmod 755 "$dir/bin/$name"
	done
	# shellcheck disable=SC2046 # a list of words
	KSRC=$BUILD/linux LKST_TOOLS=$dir/bin sh "$TOP/selftests/host/dump.sh" \
		$(sed -n 's/^test_\([a-z_]*\)().*/\1/p' "$TOP/selftests/host/dump.sh" |
			grep -vxE 'large_dump|built_without_the_library|static_build|install_.*')
}

# A guest that hangs is dumped by what runs it.
libvirt_dumps()
{
	fetch libvirt dump || return 1
	IMAGE=$OBJ/$1/arch/x86/boot/bzImage DUMP=$OBJ/tools-dump/lkst \
		sh "$TOP/selftests/host/libvirt.sh"
}

# A machine with Debian's kdump-tools saves what LKST recorded by itself.
kdump_tools()
{
	fetch kdump-tools run dump || return 1
	IMAGE=$OBJ/$1/arch/x86/boot/bzImage KSRC=$BUILD/linux TOOLS=$OBJ/tools-dump \
		sh "$TOP/selftests/host/kdump_tools.sh"
}

# Every command that reads a log, ten minutes in all.
fuzzed_logs()
{
	fetch afl || return 1
	KSRC=$BUILD/linux OUT=$OUT sh "$TOP/selftests/host/afl.sh"
}

next_patch_builds()
{
	quilt_in "$tree" push -q && build_kernel prefix
}

# The tree builds after every patch.
prefix_builds()
{
	tree=$BUILD/prefix
	rm -rf "$tree"
	unpack_source "$tree"
	quilt_in "$tree" init >/dev/null
	for patch in $(series_patches); do
		point "$patch" next_patch_builds
	done
	rm -rf "$tree"
}

fetch tree build run model dump gdb tables
fetch browser || say 'without a browser, tests of lkstla page are skipped'
watch
"$TOP/scripts/tree.sh"
check_suites

ONE_THREAD=1 suite 'debug: programs' guest_selftests debug 1/1 programs
LARGE=1 ok_if 'models, large' "$TOP/scripts/model.sh"
ok_if 'build: kcsan' build_kernel kcsan
kunit_tests kcsan
both_halves guest_tests kcsan
SMP=1 suite 'lkst, 1 CPU: selftests' guest_selftests lkst 1/1
# Some cases want more than two CPUs, or interrupts in threads.
SMP=4 APPEND=threadirqs suite 'lkst, 4 CPUs: selftests' guest_selftests lkst 1/1
TIMEOUT=10800 suite 'lkst: long' long_selftests lkst
# Memory that nobody frees is looked for there.
APPEND=kmemleak=on TIMEOUT=21600 suite 'debug: long' long_selftests debug

for kernel in lkst debug kcsan; do
	TIMEOUT=3600 suite "$kernel, 4 CPUs: torture" long_torture "$kernel"
done

suite 'lkst: 100 crashes' crash_loop lkst 100

# Many times as many cut and damaged logs as in check.sh.
CUTS=1000 FUZZ=600 suite 'logs, long' env KSRC="$BUILD/linux" LKST_TOOLS="$OBJ/tools" \
	sh "$TOP/selftests/host/run.sh" lkstla_of_cut_logs damaged_logs_crash_nothing
# A million tasks, and as many pairs.
MANY=1000000 suite 'logs, large' env KSRC="$BUILD/linux" LKST_TOOLS="$OBJ/tools" \
	sh "$TOP/selftests/host/run.sh" lkstla_time_is_linear
suite 'logs, fuzzed' fuzzed_logs

[ "$ARCH" != "$(uname -m)" ] || suite 'crash dumps, a tool of 32 bits' dump_tests_32
if [ "$ARCH" = x86_64 ]; then
	ok_if "libvirt's dumps" libvirt_dumps lkst
	ok_if "Debian's kdump-tools" kdump_tools lkst
	ok_if 'build: debian' build_kernel debian
	kunit_tests debian
	both_halves guest_tests debian
fi

suite 'user-mode Linux: KUnit' "$TOP/scripts/um.sh"
ok_if 'documentation' "$TOP/scripts/docs.sh"
ok_if 'build: clang' build_kernel clang
kunit_tests clang
suite 'clang: selftests' guest_selftests clang 1/1
ok_if 'CONFIG_LKST=n: the stock code' "$TOP/scripts/unchanged.sh"
[ "$ARCH" = arm64 ] ||
	ARCH=arm64 RESULTS=$RESULTS/arm64 ok_if 'arm64: make check' "$TOP/scripts/check.sh"

ok_if 'build: stock-ftrace' build_kernel stock-ftrace
ok_if 'build: ftrace' build_kernel ftrace
suite "the kernel's ftrace selftests" ftrace_tests
suite 'recipes' "$TOP/scripts/recipes.sh"
suite 'configurations' "$TOP/scripts/configs.sh"
suite 'every patch builds' prefix_builds

finish
