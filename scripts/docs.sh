#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes HTML of Documentation/ in OUT/docs, with the kernel's own Sphinx set-up,
# so that kernel-doc comments are in it. A warning is an error.

set -eu
. "$(dirname "$0")/lib.sh"

fetch build docs
"$TOP/scripts/tree.sh"
tree=$BUILD/linux
log=$BUILD/obj/docs.log
mkdir -p "$BUILD/obj/docs" "$OUT"

PATH=/usr/bin:$PATH kmake "$tree" O="$BUILD/obj/docs" SPHINXDIRS=trace/lkst \
	htmldocs >"$log" 2>&1 || { cat "$log" >&2; die 'no HTML'; }
if grep -E 'trace/lkst|lkst.*\.[ch]:' "$log" | grep -E 'WARNING|ERROR|warning:' >&2; then
	die 'Documentation has warnings'
fi
rm -rf "$OUT/docs"
cp -r "$BUILD/obj/docs/Documentation/output/trace/lkst" "$OUT/docs"
# Sphinx leaves files in the tree, and in none of the kernel's lists of them.
kmake "$tree" -s O="$BUILD/obj/docs" cleandocs
echo "$OUT/docs/index.html"
