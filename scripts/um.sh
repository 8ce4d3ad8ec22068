#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds user-mode Linux with the series and runs KUnit suites in it, at the speed of this
# machine. Prints their KTAP.
#
# usage: um.sh [GLOB]	which suites; else all but lkst_benchmark, which times records

set -eu
export ARCH=um
. "$(dirname "$0")/lib.sh"

"$TOP/scripts/kernel.sh" >&2

console=$(mktemp)
trap 'rm -f "$console"' EXIT
# It has no program to run, and ends with a panic for want of one.
case ${1:-} in
'') glob='kunit.filter=speed>slow' ;;
*) glob=kunit.filter_glob=$1 ;;
esac
status=0
timeout "${TIMEOUT:-300}" "$OBJ/$KERNEL/linux" mem=512M con=null con0=null,fd:1 "$glob" \
	>"$console" 2>&1 </dev/null || status=$?
sed -n '/^KTAP version/,/^Kernel panic/p' "$console" |
	grep -vE '^(Kernel panic|Run /|epollctl|This architecture)'
grep -q 'Kernel panic.*No working init' "$console" || {
	tail -n 40 "$console" >&2
	die "ended with status $status before the tests did"
}
