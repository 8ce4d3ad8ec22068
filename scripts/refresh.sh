#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes the tree in BUILD/linux back into patches/: every applied patch in
# normal form, with a diffstat; the mail header above it stays as it is. Names
# the files that were changed in the tree and belong to no patch.

set -eu
. "$(dirname "$0")/lib.sh"

tree=$BUILD/linux
[ -d "$tree/.pc" ] || die "there is no $tree with a series: make tree"
[ ! -d "$BUILD/carried" ] ||
	die "$tree is $(tree_version "$tree"): edit the tree that the series is made on"
fetch tree

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# -f, as later patches may change the same files. The options are in quiltrc.
while read -r patch; do
	quilt_in "$tree" refresh -f "$patch" >"$log" 2>&1 || {
		cat "$log" >&2
		die "$patch cannot be refreshed"
	}
	grep -v -e 'is unchanged$' -e 'Cannot use --strip' "$log" || :
done <"$tree/.pc/applied-patches"

mkdir -p "$tree/.pc/.lkst/patches"
rm -f "$tree/.pc/.lkst/patches/"*
while read -r patch; do
	cp "$TOP/patches/$patch" "$tree/.pc/.lkst/patches/"
done <"$tree/.pc/applied-patches"

# What differs from the source as it comes, and no patch has it.
"$TOP/scripts/tree.sh" stock
rsync -rln --delete --out-format='%n' \
	--exclude=/.pc --exclude='/.checkpatch-*' --exclude=/tools/testing/selftests/lkst/ \
	--exclude=/Documentation/trace/lkst/ "$tree/" "$BUILD/stock/" |
sed 's/^deleting //' | grep -v '/$' | while read -r file; do
	cmp -s "$tree/$file" "$BUILD/stock/$file" ||
	[ -n "$(find "$tree/.pc" -path "$tree/.pc/*/$file" -print -quit)" ] ||
		say "refresh: $file was changed and is in no patch (quilt add)"
done
