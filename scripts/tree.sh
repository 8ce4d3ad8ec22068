#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes BUILD/linux: the kernel source with the whole series applied, without
# fuzz, and selftests/ and Documentation/ copied in. When it is there already
# only what has changed is applied again. What was edited in the tree and is not
# in patches/ yet is never overwritten.
#
# usage: tree.sh [linux|stock|stock-off]
#	stock: BUILD/stock, the source as it comes
#	stock-off: BUILD/stock-off, the same with the patches that are meant for mainline

set -eu
. "$(dirname "$0")/lib.sh"

tree=$BUILD/linux
# The patches as they are applied in the tree, and the sums of what was copied.
state=$tree/.pc/.lkst

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

applied_patches()
{
	cat "$tree/.pc/applied-patches" 2>/dev/null || :
}

# The files that applied patch $1 changes.
files_of()
{
	[ ! -d "$tree/.pc/$1" ] ||
		(cd "$tree/.pc/$1" && find . -type f ! -name .timestamp |
			sed 's,^\./,,' | LC_ALL=C sort)
}

# Where file $2 is as it was after patch $1: what the next patch that changes it
# has put away, or the file itself.
after_patch()
{
	applied_patches | awk -v patch="$1" 'on { print } $0 == patch { on = 1 }' | {
		while read -r later; do
			[ -f "$tree/.pc/$later/$2" ] || continue
			echo "$tree/.pc/$later/$2"
			exit
		done
		echo "$tree/$2"
	}
}

# same_file FILE FILE: quilt puts an empty file away for one that is not there.
same_file()
{
	if [ -s "$1" ] && [ -s "$2" ]; then
		cmp -s "$1" "$2"
	else
		[ ! -s "$1" ] && [ ! -s "$2" ]
	fi
}

# tree_has PATCH FILE: the tree has exactly what patch file FILE makes of the
# tree before PATCH.
tree_has()
{
	[ -f "$2" ] || return 1
	rm -rf "$work/before"
	mkdir "$work/before"
	for file in $(files_of "$1"); do
		[ -s "$tree/.pc/$1/$file" ] || continue
		mkdir -p "$work/before/$(dirname "$file")"
		cp "$tree/.pc/$1/$file" "$work/before/$file"
	done
	patch -d "$work/before" -p1 -sf -F0 --no-backup-if-mismatch -r - \
		<"$2" >/dev/null 2>&1 || return 1
	# Those that it has now, too: a patch may have gained a file.
	for file in $(files_of "$1") $(cd "$work/before" && find . -type f); do
		same_file "$work/before/$file" "$(after_patch "$1" "$file")" ||
			return 1
	done
}

# Prints the applied patches that are in the tree just as patches/ has them, up
# to the first that is not. Ends the script at an edit that is not refreshed.
current_patches()
{
	series_patches >"$work/series"
	current=yes
	edited=
	number=0
	for patch in $(applied_patches); do
		number=$((number + 1))
		if tree_has "$patch" "$patches/$patch"; then
			[ "$(sed -n "${number}p" "$work/series")" = "$patch" ] ||
				current=
		elif tree_has "$patch" "$state/patches/$patch"; then
			current=
		else
			edited="$edited $patch"
		fi
		[ -z "$current" ] || echo "$patch"
	done
	[ -z "$edited" ] || {
		say "tree: $tree has edits that are not in patches/:"
		for patch in $edited; do
			say "  $patch"
		done
		say 'Write them back with "make refresh", or remove the tree.'
		exit 1
	}
}

# Makes the patches for this source. The copy of it as it comes is one more tree.
carry_patches()
{
	"$TOP/scripts/tree.sh" stock
	rm -rf "$BUILD/carried"
	"$TOP/scripts/carry.sh" "$BUILD/stock" "$BUILD/carried" || {
		rm -rf "$BUILD/carried"
		die "the series does not apply to $(tree_version "$BUILD/stock")"
	}
	rm -rf "$BUILD/carried/tree"
	patches=$BUILD/carried/patches
	# quilt goes by what it was told at the start, not by quiltrc.
	echo "$patches" >"$tree/.pc/.quilt_patches"
}

# Has carry/ something for this version, or for a later one?
is_carried()
{
	version=$(tree_version "$tree")
	for dir in "$TOP"/carry/*/; do
		of=$(basename "$dir")
		[ "${of##*.}" -lt "${version##*.}" ] || return 0
	done
	return 1
}

# Is it what a merge would go by? Then a patch that does not apply is one to mend.
is_base()
{
	package=$(dpkg-query -W -f '${Version}' "$LINUX_PACKAGE" 2>/dev/null || :)
	[ "${package%%-*}" = "$(tree_version "$tree")" ]
}

# The patches as they are do not apply to all of the tree.
push_carried()
{
	if ! is_base; then
		[ -z "$(applied_patches)" ] || quilt_in "$tree" pop -qfa >/dev/null
		carry_patches
		quilt_in "$tree" push -qa >"$work/push" 2>&1 && return
	fi
	cat "$work/push" >&2
	save_patches
	die 'the series does not apply'
}

apply_series()
{
	current_patches >"$work/current" || exit 1
	applied=$(applied_patches | wc -l)
	keep=$(wc -l <"$work/current")
	total=$(series_patches | wc -l)
	if [ "$keep" -eq "$applied" ] && [ "$keep" -eq "$total" ]; then
		return 0
	fi

	# What comes out as it was keeps its time, so that make has less to do.
	for patch in $(applied_patches); do
		files_of "$patch"
	done | LC_ALL=C sort -u >"$work/files"
	mkdir "$work/old"
	rsync -a --ignore-missing-args --files-from="$work/files" \
		"$tree/" "$work/old/"

	if [ "$keep" -lt "$applied" ]; then
		# quilt pops one by one only while the names are those of series.
		if applied_patches | cmp -s - "$work/series" ||
		   [ "$(head -n "$applied" "$work/series")" = "$(applied_patches)" ]; then
			pop=$((applied - keep))
		else
			pop=-a
		fi
		quilt_in "$tree" pop -qf "$pop" >/dev/null
	fi
	rm -rf "$state/patches"
	say "Applying $((total - $(applied_patches | wc -l))) patches"
	if [ "$(applied_patches | wc -l)" -lt "$total" ]; then
		quilt_in "$tree" push -qa >"$work/push" 2>&1 || push_carried
	fi
	while read -r file; do
		cmp -s "$work/old/$file" "$tree/$file" || continue
		touch -r "$work/old/$file" "$tree/$file"
	done <"$work/files"
	save_patches
	echo "$total patches, $((total - keep)) of them applied now"
}

save_patches()
{
	mkdir -p "$state/patches"
	for patch in $(applied_patches); do
		cp "$patches/$patch" "$state/patches/"
	done
}

# copy_in FOLDER DESTINATION: FOLDER of the repository into the tree.
copy_in()
{
	[ -d "$TOP/$1" ] || return 0
	sums=$state/$1.sums
	[ ! -f "$sums" ] ||
	(cd "$tree/$2" && sha256sum -c --quiet "$sums" 2>/dev/null) |
	sed -n 's,^\./\(.*\): FAILED$,\1,p' | while read -r file; do
		cmp -s "$TOP/$1/$file" "$tree/$2/$file" || echo "  $2/$file"
	done >"$work/edited"
	if [ -s "$work/edited" ]; then
		cat "$work/edited" >&2
		die "edited in the tree: copy it to $1/, where its source is"
	fi
	mkdir -p "$tree/$2"
	rsync -a --delete --exclude='*~' "$TOP/$1/" "$tree/$2/"
	(cd "$tree/$2" && find . -type f -exec sha256sum {} +) >"$sums"
}

if [ "${1:-linux}" = stock ]; then
	[ -d "$BUILD/stock" ] || unpack_source "$BUILD/stock"
	exit 0
fi

fetch tree
check_series >&2 || die 'the series is not in order'
if [ "${1:-linux}" = stock-off ]; then
	rm -rf "$BUILD/stock-off"
	unpack_source "$BUILD/stock-off"
	quilt_in "$BUILD/stock-off" init >/dev/null
	for patch in $(mainline_patches); do
		quilt_in "$BUILD/stock-off" push -q >&2
	done
	exit 0
fi
if [ ! -d "$tree" ]; then
	say "Unpacking the kernel source"
	unpack_source "$tree"
	quilt_in "$tree" init >/dev/null
fi
[ -d "$tree/.pc" ] ||
	die "$tree was not made by this script: move it away, or remove it"
mkdir -p "$state"
patches=$TOP/patches
{ [ ! -d "$BUILD/carried" ] && ! is_carried; } || carry_patches
apply_series
copy_in selftests tools/testing/selftests/lkst
copy_in Documentation Documentation/trace/lkst
