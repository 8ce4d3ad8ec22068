#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes in OUT/dist: a tarball of the repository, the series as one patch, and
# the series as a mbox for git am.

set -eu
. "$(dirname "$0")/lib.sh"

fetch tree combined
"$TOP/scripts/tree.sh"
"$TOP/scripts/tree.sh" stock

version=$(git -C "$TOP" describe --tags --always --dirty 2>/dev/null || echo 0)
name=lkst-${version#v}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$OUT/dist"
mkdir -p "$OUT/dist" "$work/$name" "$work/a" "$work/b"

git -C "$TOP" ls-files -z --cached --others --exclude-standard |
	rsync -a --from0 --ignore-missing-args --files-from=- "$TOP/" "$work/$name/"
tar -C "$work" --owner=0 --group=0 --sort=name -cJf "$OUT/dist/$name.tar.xz" "$name"

# Everything the tree has more than the source, what was copied in included.
{
	for patch in $(series_patches); do
		patch_files "$TOP/patches/$patch"
	done
	(cd "$BUILD/linux" && find tools/testing/selftests/lkst \
		Documentation/trace/lkst -type f 2>/dev/null)
} | LC_ALL=C sort -u >"$work/files"
rsync -a --ignore-missing-args --files-from="$work/files" "$BUILD/stock/" "$work/a/"
rsync -a --ignore-missing-args --files-from="$work/files" "$BUILD/linux/" "$work/b/"
combined_patch "$work" >"$OUT/dist/$name.patch"

# The line that starts a mail in a mbox; git am reads the rest from the patch.
for patch in $(series_patches); do
	echo 'From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001'
	cat "$TOP/patches/$patch"
	echo '-- '
	echo "$name"
	echo
done >"$OUT/dist/$name.mbox"
ls "$OUT/dist"/*
