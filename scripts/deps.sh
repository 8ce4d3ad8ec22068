#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs the Debian packages that any target needs and that are missing;
# prints nothing if none is.

set -eu
. "$(dirname "$0")/lib.sh"

fetch tree build run lint docs demo model dump gdb tables
fetch browser || say 'without a browser, tests of lkstla page are skipped'
