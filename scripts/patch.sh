#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Applies the series to the kernel tree KSRC, without fuzz, as carry.sh makes it for that
# point release. It is tried on a copy of the files in question first: if a patch does not
# apply, this says which and at which file, and the tree is left as it was.

set -eu
. "$(dirname "$0")/lib.sh"

[ -n "$KSRC" ] || die 'on which tree? KSRC=dir'
[ -f "$KSRC/Kbuild" ] || die "$KSRC is no kernel tree"
[ ! -e "$KSRC/include/linux/lkst.h" ] || die "$KSRC has LKST already"
fetch tree
check_series >&2 || die 'the series is not in order'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(tree_version "$KSRC")
case $version in
6.12|6.12.*) ;;
*) say "patch: $KSRC is $version; this series is for 6.12.y" ;;
esac

"$TOP/scripts/carry.sh" "$KSRC" "$work" || die "$KSRC is as it was"

for patch in $(series_patches); do
	patch_files "$work/patches/$patch"
done | LC_ALL=C sort -u >"$work/files"

# Files that a patch removed are gone from the copy.
while read -r file; do
	if [ ! -e "$work/tree/$file" ]; then
		rm -f "$KSRC/$file"
	elif ! cmp -s "$work/tree/$file" "$KSRC/$file"; then
		mkdir -p "$KSRC/$(dirname "$file")"
		cp "$work/tree/$file" "$KSRC/$file"
	fi
done <"$work/files"
for pair in selftests:tools/testing/selftests/lkst \
	    Documentation:Documentation/trace/lkst; do
	[ -d "$TOP/${pair%%:*}" ] || continue
	mkdir -p "$KSRC/${pair#*:}"
	rsync -a --exclude='*~' "$TOP/${pair%%:*}/" "$KSRC/${pair#*:}/"
done

cat <<TEXT
$(series_patches | wc -l) patches applied to $KSRC. Now, there, switch on:
$(sed -n 's/^CONFIG/  CONFIG/p' "$TOP/kernel-config/lkst.config")
  scripts/kconfig/merge_config.sh .config $TOP/kernel-config/lkst.config
Build and boot it, then
  make -C tools/tracing/lkst
  echo RDEFAULT > /sys/kernel/debug/lkst/maskset
TEXT
