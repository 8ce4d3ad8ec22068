#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Ends with a panic: for a boot of its own, whose console shows what LKST was told.
# scripts/suites.sh looks there.
#
#	crash.sh panic		panic(), called by lkdtm
#	crash.sh oops		an oops of lkdtm, which is made a panic

set -eu

LKST=/sys/kernel/debug/lkst
DIRECT=/sys/kernel/debug/provoke-crash/DIRECT

insmod "${LKST_TEST_MOD:-.}/lkst_test_panic.ko"
modprobe lkdtm
echo crash >$LKST/masksets/create
echo 'O_PANIC lkst_test_panic' >$LKST/masksets/crash
echo 'O_OOPS lkst_test_panic' >$LKST/masksets/crash
echo crash >$LKST/maskset
echo 1 >/proc/sys/kernel/panic_on_oops
echo "lkst-test: pid $$" >/dev/kmsg
case $1 in
panic) echo PANIC >$DIRECT ;;
oops) echo EXCEPTION >$DIRECT ;;
esac
