#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Removes build/ and out/, unless the tree has edits that are not in patches/.

set -eu
. "$(dirname "$0")/lib.sh"

[ ! -d "$BUILD/linux" ] || "$TOP/scripts/tree.sh" >/dev/null || exit 1
rm -rf "$BUILD" "$OUT"
