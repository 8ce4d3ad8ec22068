#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The tests of check.sh and the long ones: the kernel that looks for data races,
# one CPU and four, the kernel's own ftrace selftests with and without the
# series, and a build after every patch.

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"

# The ftrace selftests on kernel $1; the names of those that pass.
ftrace_passes()
{
	tests=/host$(kernel_tree "$1")/tools/testing/selftests/ftrace
	run_in "$1" "cd $tests && PATH=/usr/sbin:/usr/bin:\$PATH \
		/usr/bin/dash ./ftracetest -k -l /tmp/logs" >"$RESULTS/$1.ktap" || {
		[ $? -lt 124 ] || return 125
	}
	sed -nE '/# SKIP/d; s/^ok [0-9]+ //p' "$RESULTS/$1.ktap" |
		LC_ALL=C sort >"$RESULTS/$1.passes"
}

# What passes without the series passes with it.
ftrace_tests()
{
	ftrace_passes stock-ftrace
	ftrace_passes ftrace
	while read -r test; do
		point "$test" grep -qxF "$test" "$RESULTS/ftrace.passes"
	done <"$RESULTS/stock-ftrace.passes"
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

fetch tree build run
"$TOP/scripts/tree.sh"
check_suites

ok_if 'build: kcsan' build_kernel kcsan
kunit_tests kcsan
guest_tests kcsan
SMP=1 suite 'lkst, 1 CPU: selftests' guest_selftests lkst
SMP=4 suite 'lkst, 4 CPUs: selftests' guest_selftests lkst

ok_if 'build: stock-ftrace' build_kernel stock-ftrace
ok_if 'build: ftrace' build_kernel ftrace
suite "the kernel's ftrace selftests" ftrace_tests
suite 'every patch builds' prefix_builds

finish
