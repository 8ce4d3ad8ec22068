#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Applies the series to the kernel tree KSRC, without fuzz. It is tried on a
# copy of the files in question first: if a patch does not apply, this says
# which and at which hunk, and the tree is left as it was.

set -eu
. "$(dirname "$0")/lib.sh"

[ -n "$KSRC" ] || die 'on which tree? KSRC=dir'
[ -f "$KSRC/Kbuild" ] || die "$KSRC is no kernel tree"
[ ! -e "$KSRC/include/linux/lkst.h" ] || die "$KSRC has LKST already"
fetch tree
check_series >&2 || die 'the series is not in order'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"

version=$(make -s -C "$KSRC" kernelversion 2>/dev/null || :)
case $version in
6.12|6.12.*) ;;
*) say "patch: $KSRC is ${version:-of unknown version}; this series is for 6.12.y" ;;
esac

for patch in $(series_patches); do
	patch_files "$TOP/patches/$patch"
done | LC_ALL=C sort -u >"$work/files"
rsync -a --ignore-missing-args --files-from="$work/files" "$KSRC/" "$work/tree/"

for patch in $(series_patches); do
	patch -d "$work/tree" -p1 -f -F0 --no-backup-if-mismatch -r - \
		<"$TOP/patches/$patch" >"$work/log" 2>&1 && continue
	say "patch: $patch does not apply to $KSRC:"
	grep -E -B 20 'FAILED|ignored|No such file|malformed' "$work/log" |
		awk '/^patching file/ { file = $0; next }
		     /^Hunk.*succeeded/ { next }
		     { if (file) print "  " file; file = ""; print "  " $0 }' >&2
	die "$KSRC is as it was"
done

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
