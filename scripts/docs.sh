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
warnings=
if grep -E 'trace/lkst|lkst.*\.[ch]:' "$log" | grep -E 'WARNING|ERROR|warning:' >&2; then
	warnings=1
fi
rm -rf "$OUT/docs"
cp -r "$BUILD/obj/docs/Documentation/output/trace/lkst" "$OUT/docs"
# Sphinx leaves files in the tree, and in none of the kernel's lists of them. And what it has
# read once it does not warn of again.
kmake "$tree" -s O="$BUILD/obj/docs" cleandocs
[ -z "$warnings" ] || die 'Documentation has warnings'
echo "$OUT/docs/index.html"
