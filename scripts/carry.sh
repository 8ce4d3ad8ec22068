#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the patches that apply to the kernel tree KSRC, which may be another point release
# than the one that the series is made on. Writes them to OUT/patches, and the files that
# they change, patched, to OUT/tree. KSRC is not touched.
#
# carry/VERSION/PATCH has the files for which that point release, and those before it, need
# another text than patches/PATCH; the lowest version that is not below that of KSRC counts. A
# file that neither applies to is tried with what other versions carry, the nearest first. If
# none applies, the change is merged: the three sides are KSRC's file, the file that the series
# was made on, and that one patched. What was merged is shown: it has to be looked at.
#
# usage: carry.sh KSRC OUT
#	BASE=		the source that the series is made on, a folder or a tarball; by
#			default Debian's package

set -eu
. "$(dirname "$0")/lib.sh"

source=$1
out=$2
: "${BASE:=/usr/src/$LINUX_PACKAGE.tar.xz}"
fetch tree merge

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/base" "$work/part" "$out/patches" "$out/tree"

# The files that the series changes, of the tree $1, into $2.
copy_files()
{
	for each in $(series_patches); do
		patch_files "$TOP/patches/$each"
	done | LC_ALL=C sort -u >"$work/files"
	rsync -a --ignore-missing-args --files-from="$work/files" "$1/" "$2/"
}

# apply TREE PATCH: without fuzz, or not at all.
apply()
{
	patch -d "$1" -p1 -f -F0 --dry-run <"$2" >"$work/log" 2>&1 &&
		patch -d "$1" -p1 -s -f -F0 --no-backup-if-mismatch <"$2"
}

# split PATCH DIRECTORY: its head into DIRECTORY/head, and what it does to each file into
# DIRECTORY/0001 and so on.
split()
{
	rm -rf "$2"
	mkdir -p "$2"
	awk -v dir="$2" '
		function put(line) { print line >(dir "/" name) }
		BEGIN { name = "head" }
		{
			if (/^\+\+\+ / && last ~ /^--- /)
				name = sprintf("%04d", ++n)
			if (NR > 1)
				put(last)
			last = $0
		}
		END { put(last) }' "$1"
}

# The file that a part of a patch changes.
part_file()
{
	patch_files "$1" | grep -v '^dev/null$' | head -n 1
}

# The versions that carry patch $1: from that of KSRC upwards, then downwards.
carried()
{
	for dir in "$TOP"/carry/*/; do
		[ -f "$dir/$1" ] || continue
		of=$(basename "$dir")
		distance=$((${of##*.} - ${version##*.}))
		echo "$((distance < 0)) ${distance#-} $of"
	done | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 3
}

# Is patch $1 another for this version?
is_other()
{
	of=$(carried "$1" | head -n 1)
	[ -n "$of" ] && [ "${of##*.}" -ge "${version##*.}" ]
}

# take_carried PATCH FILE [LEAST]: a change of that file that another version carries, from
# that one on.
take_carried()
{
	for of in $(carried "$1"); do
		[ "${of##*.}" -ge "${3:-0}" ] || continue
		split "$TOP/carry/$of/$1" "$work/other"
		for other in "$work"/other/0*; do
			[ "$(part_file "$other")" = "$2" ] || continue
			apply "$out/tree" "$other" || continue
			say "carry: $1: $2 as for $of"
			cat "$other" >>"$out/patches/$1"
			return 0
		done
	done
	return 1
}

# The tree that the series is made on, up to the patch before $patch.
base_tree()
{
	[ -f "$work/base.is" ] || {
		if [ -d "$BASE" ]; then
			copy_files "$BASE" "$work/base"
		else
			sed "s,^,$LINUX_PACKAGE/," "$work/files" >"$work/members"
			# Those that the series adds are not in it.
			tar -xf "$BASE" -C "$work/base" --strip-components=1 \
				-T "$work/members" 2>/dev/null || :
		fi
		for before in $(series_patches); do
			[ "$before" != "$patch" ] || break
			apply "$work/base" "$TOP/patches/$before" ||
				die "$BASE is not what the series is made on: BASE=source"
		done
		: >"$work/base.is"
	}
}

# merge PATCH PART FILE: the change of that file, by its three sides.
merge()
{
	merged=yes
	base_tree
	[ -f "$work/base/$3" ] && [ -f "$out/tree/$3" ] || return 1
	mkdir "$work/sides"
	cp "$work/base/$3" "$work/sides/base"
	mkdir -p "$work/after/$(dirname "$3")"
	cp "$work/base/$3" "$work/after/$3"
	patch -d "$work/after" -p1 -s -f -F0 --no-backup-if-mismatch <"$2"
	mkdir -p "$work/a/$(dirname "$3")" "$work/b/$(dirname "$3")"
	cp "$out/tree/$3" "$work/a/$3"
	git merge-file -p -q -L "$version" -L base -L "$1" "$work/a/$3" "$work/sides/base" "$work/after/$3" >"$work/b/$3" ||
		merged=no
	(cd "$work" && diff -up "a/$3" "b/$3") >"$work/sides/diff" || :
	sed -i -E 's/^((---|\+\+\+) [^\t]*)\t.*/\1/' "$work/sides/diff"
	if [ "$merged" = no ]; then
		say "carry: $1: $3 can't be merged:"
		sed -n '/^+<<<<<<</,/^+>>>>>>>/p' "$work/sides/diff" >&2
	else
		say "carry: $1: $3 was merged; look at:"
		grep -E '^(@@|[-+])' "$work/sides/diff" >&2
		cp "$work/b/$3" "$out/tree/$3"
		cat "$work/sides/diff" >>"$out/patches/$1"
	fi
	rm -rf "$work/sides" "$work/after" "$work/a" "$work/b"
	[ "$merged" = yes ]
}

# What of patch $1 is there for this tree, file by file.
by_files()
{
	split "$TOP/patches/$1" "$work/part"
	cp "$work/part/head" "$out/patches/$1"
	for part in "$work"/part/0*; do
		file=$(part_file "$part")
		take_carried "$1" "$file" "${version##*.}" && continue
		if apply "$out/tree" "$part"; then
			cat "$part" >>"$out/patches/$1"
		else
			take_carried "$1" "$file" || merge "$1" "$part" "$file" ||
				die "$1 does not apply to $file of $version"
		fi
	done
}

version=$(tree_version "$source")
copy_files "$source" "$out/tree"
for patch in $(series_patches); do
	if ! is_other "$patch" && apply "$out/tree" "$TOP/patches/$patch"; then
		cp "$TOP/patches/$patch" "$out/patches/"
	else
		by_files "$patch"
	fi
	[ ! -f "$work/base.is" ] || apply "$work/base" "$TOP/patches/$patch"
done
