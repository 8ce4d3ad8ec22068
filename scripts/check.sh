#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The tests: of the tools on this machine, the models, then KUnit and
# the selftests in a guest, on the kernel and on its debug build. What each printed
# is in OUT/check/.

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"

fetch tree build run model dump gdb tables
fetch browser || say 'without a browser, tests of lkstla page are skipped'
watch
"$TOP/scripts/tree.sh"
check_suites
finish
