#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The series as a git repository, of the files that it touches: a commit for the stock
# source, then one for each patch, whose subject is the patch's file name and whose text
# is its mail header.
#
# usage: series-git.sh import DIR	makes the new repository DIR of patches/
#	 series-git.sh export DIR	writes its commits into patches/; "make refresh"
#					gives them their normal form afterwards

set -eu
dir=$(realpath -m "$2")
mode=$1
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=../lib.sh
. "$here/lib.sh"
TOP=$(cd "$here/.." && pwd)

touched()
{
	for patch in $(series_patches); do
		patch_files "$TOP/patches/$patch"
	done | LC_ALL=C sort -u
}

import()
{
	"$TOP/scripts/tree.sh" stock
	mkdir "$dir"
	cd "$dir"
	git init -q
	touched | rsync -a --ignore-missing-args --files-from=- "$BUILD/stock/" ./
	git add -A -f
	git commit -qm base
	for patch in $(series_patches); do
		patch -p1 -s -F0 --no-backup-if-mismatch <"$TOP/patches/$patch"
		git add -A -f
		{
			printf '%s\n\n' "$patch"
			sed '/^---$/,$d' "$TOP/patches/$patch"
		} | git commit -q --cleanup=verbatim -F -
	done
}

export_patches()
{
	cd "$dir"
	for commit in $(git rev-list --reverse HEAD | tail -n +2); do
		git diff -p --no-renames --no-color "$commit^" "$commit" |
			grep -vE '^(diff --git|index |(new|deleted) file mode|(old|new) mode)' \
			>"$dir/.git/diff"
		{
			git log -1 --format=%B "$commit" | tail -n +3 |
				sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
			echo ---
			diffstat -p1 <"$dir/.git/diff"
			echo
			cat "$dir/.git/diff"
		} >"$TOP/patches/$(git log -1 --format=%s "$commit")"
	done
}

case $mode in
import) import ;;
export) export_patches ;;
*) die "usage: $0 import|export DIR" ;;
esac
