#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Looks at everything without running it: the series and the headers of its
# patches, checkpatch, sparse and the compiler's further warnings, who calls whom,
# kernel-doc, the shell scripts, licences. What each printed is in OUT/lint/.
#
# What checkpatch says and is to stay is in patches/NAME.patch.checkpatch, a line
# each: TYPE: the reason.

set -eu
. "$(dirname "$0")/lib.sh"
RESULTS=$OUT/lint
. "$(dirname "$0")/suites.sh"
. "$(dirname "$0")/rooms.sh"

tree=$BUILD/linux
obj=$BUILD/obj/lint
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files that the series adds, one a line.
added_files()
{
	for patch in $(series_patches); do
		awk '/^--- \/dev\/null/ { new = 1; next }
		     new && /^\+\+\+ b\// { sub(/^\+\+\+ b\//, ""); sub(/\t.*/, ""); print }
		     { new = 0 }' "$TOP/patches/$patch"
	done | LC_ALL=C sort -u
}

# The mail header of patch $1 is complete.
check_header()
{
	sed '/^---$/,$d' "$TOP/patches/$1" >"$work/header"
	sed '/^\(--- a\/\|--- \/dev\/null\)/,$d' "$TOP/patches/$1" >"$work/above"
	bad=0
	for tag in 'From: .* <.*@.*>' 'Subject: ' 'Signed-off-by: .* <.*@.*>' \
		   'Forwarded: (not-needed|no|https://.*)$' 'Upstream: (N/A|for mainline), .*[a-z]'; do
		grep -qE "^$tag" "$work/above" || {
			echo "# no line \"$tag\""
			bad=1
		}
	done
	subject=$(sed -nE '/^Subject: /{s/^Subject: (\[[^]]*\] )?//;p;q}' "$work/header")
	[ "${#subject}" -le 75 ] || {
		echo "# the subject has ${#subject} characters"
		bad=1
	}
	awk '/^$/ { body = 1; next } body && !/^[A-Z][A-Za-z-]*: / { n++ }
	     END { exit n == 0 }' "$work/header" || {
		echo '# no text below the subject'
		bad=1
	}
	grep -qE '^ [0-9]+ files? changed' "$work/above" || {
		echo '# no diffstat'
		bad=1
	}
	grep -q '^diff \|^index \|^Index: ' "$TOP/patches/$1" && {
		echo '# not in normal form: make refresh'
		bad=1
	}
	[ "$bad" -eq 0 ]
}

check_headers()
{
	for patch in $(series_patches); do
		point "$patch" check_header "$patch"
	done
}

# Patches the copy in $work/source.
apply_patch()
{
	if ! patch -d "$work/source" -p1 -f -F0 --no-backup-if-mismatch -r - \
			<"$TOP/patches/$1" >"$work/log" ||
	   grep -q '(offset ' "$work/log"; then
		sed 's/^/# /' "$work/log"
		return 1
	fi
}

check_applies()
{
	mkdir "$work/source"
	for patch in $(series_patches); do
		patch_files "$TOP/patches/$patch"
	done | LC_ALL=C sort -u |
		rsync -a --ignore-missing-args --files-from=- \
			"$BUILD/stock/" "$work/source/"
	for patch in $(series_patches); do
		point "$patch" apply_patch "$patch"
	done
}

# checkpatch says what there is a reason for, and nothing else.
check_patch()
{
	reasons=$TOP/patches/$1.checkpatch
	[ -f "$reasons" ] || reasons=/dev/null
	said=$work/checkpatch/$1
	[ -e "$said" ] || return 1
	sed -nE 's/^(ERROR|WARNING|CHECK):([A-Z0-9_]+): .*/\2/p' "$said" |
		LC_ALL=C sort -u >"$work/types"
	sed -nE 's/^([A-Z0-9_]+): ..........+/\1/p' "$reasons" |
		LC_ALL=C sort -u >"$work/reasons"
	cmp -s "$work/types" "$work/reasons" || {
		for type in $(LC_ALL=C comm -23 "$work/types" "$work/reasons"); do
			grep -A 3 ":$type:" "$said" | sed 's/^/# /'
		done
		for type in $(LC_ALL=C comm -13 "$work/types" "$work/reasons"); do
			echo "# $type: a reason, but nothing it is for"
		done
		return 1
	}
}

check_patches()
{
	mkdir "$work/checkpatch"
	# shellcheck disable=SC2016 # the variables are the inner shell's
	series_patches | (cd "$tree" && xargs -P "$JOBS" -n 1 sh -c '
		perl scripts/checkpatch.pl --strict --show-types --quiet --no-summary \
			"$0/$2" >"$1/$2" 2>&1 || :' "$TOP/patches" "$work/checkpatch")
	for patch in $(series_patches); do
		point "$patch" check_patch "$patch"
	done
}

# The warnings in $work/log that are about file $1.
no_warning()
{
	! grep -F -A4 "/$1:" "$work/log" | sed 's/^/# /' | grep .
}

check_compile()
{
	[ -s "$work/added" ] || return 0
	KERNEL=lkst
	dirs=$(grep -E '^(kernel|samples|lib|drivers|arch|mm|fs)/.*\.c$' "$work/added" |
		xargs -n 1 dirname | LC_ALL=C sort -u | sed 's,$,/,')
	mkdir -p "$obj"
	cp "$BUILD/obj/lkst/.config" "$obj/.config"
	kmake "$tree" -s O="$obj" olddefconfig prepare >"$work/prepare" 2>&1 || {
		cat "$work/prepare"
		return 1
	}
	for dir in $dirs; do
		rm -rf "${obj:?}/$dir"
	done
	# shellcheck disable=SC2086 # a list of folders
	kmake "$tree" -k O="$obj" C=2 W=1 $dirs >"$work/log" 2>&1 || {
		cat "$work/log"
		return 1
	}
	cp "$work/log" "$RESULTS/compile.full.log"
	while read -r file; do
		case $file in
		tools/*) ;;
		*.[ch]) point "$file" no_warning "$file" ;;
		esac
	done <"$work/added"
}

check_doc()
{
	"$tree/scripts/kernel-doc" -none -Wall "$tree/$1" >"$work/log" 2>&1
	! sed 's/^/# /' "$work/log" | grep .
}

check_docs()
{
	grep -E '^(include|kernel|samples|arch)/.*\.[ch]$' "$work/added" |
	while read -r file; do
		point "$file" check_doc "$file"
	done
}

# The files of the repository, the ignored ones excepted.
repository_files()
{
	git -C "$TOP" ls-files --cached --others --exclude-standard |
	while read -r file; do
		[ ! -f "$TOP/$file" ] || echo "$file"
	done
}

shell_files()
{
	repository_files | while read -r file; do
		case $file in
		*.sh) echo "$file" ;;
		*.*) ;;
		*) head -n 1 "$TOP/$file" | grep -aqE '^#!.*sh$' && echo "$file" ;;
		esac
	done
}

# What shellcheck says of file $1 is there, and is nothing.
check_shell()
{
	said=$work/shellcheck/$(echo "$1" | tr / -)
	[ -e "$said" ] || return 1
	! sed 's/^/# /' "$said" | grep .
}

check_shells()
{
	mkdir "$work/shellcheck"
	# shellcheck disable=SC2016 # the variables are the inner shell's
	shell_files | (cd "$TOP" && xargs -P "$JOBS" -n 1 sh -c '
		shellcheck -x -P SCRIPTDIR -S warning -f gcc "$1" \
			>"$0/$(echo "$1" | tr / -)" 2>&1 || :' "$work/shellcheck")
	for file in $(shell_files); do
		point "$file" check_shell "$file"
	done
}

# A file of the repository has its licence in it; a patch, one in every file that
# it adds. What a program wrote or reads has no room for one.
check_licence()
{
	case $1 in
	*.patch)
		awk '/^--- \/dev\/null/ { new = 1; next }
		     new && /^\+\+\+ b\// {
			file = $2; new = 0
			# A format of its own, as all there.
			left = file ~ /Documentation\/ABI\// ? 0 : 3; next
		     }
		     left && /^@@/ { next }
		     left && /SPDX-License-Identifier: GPL-2.0/ { left = 0; next }
		     left && --left == 0 { print "# none in " file; bad = 1 }
		     END { exit bad }' "$TOP/$1"
		;;
	*)
		{ head -n 5 "$TOP/$1"; tail -n 5 "$TOP/$1"; } |
			grep -aq 'SPDX-License-Identifier: GPL-2.0'
		;;
	esac
}

check_licences()
{
	repository_files | while read -r file; do
		case $file in
		*.png|*.svg|*.log|*.csv|*.db|*.txt|*.xz|*.checkpatch) ;;
		selftests/settings) ;;
		*) point "$file" check_licence "$file" ;;
		esac
	done
}

# What is called of LKST in the folder $work/step and is not there, and source files that no
# Makefile has. What macros make, or the rest of the kernel has, is among the former, too.
loose_ends()
(
	cd "$work/step"
	find . -name '*.[ch]' | while read -r file; do
		# Without comments. A = is before what defines, a - before what does not call.
		gcc -fpreprocessed -dD -E -P "$file" 2>/dev/null | case $file in
		*.c) sed 's/^\([a-z].*[ *]lkst_[a-z0-9_]*(\)/=\1/; /^=.*;$/s/^=/-/' ;;
		*) sed -E 's/^(#define|.*\<inline\>.*)/=&/; /^=/!s/^/-/' ;;
		esac
	done >"$work/step.text"
	grep -v '^-' "$work/step.text" | grep -oE '\<lkst_[a-z0-9_]+\(' |
		LC_ALL=C sort -u >"$work/step.used"
	sed -nE 's/^=#define (lkst_[a-z0-9_]+\().*/\1/p; t
		s/^=.*\<(lkst_[a-z0-9_]+\().*/\1/p' "$work/step.text" |
		LC_ALL=C sort -u | LC_ALL=C comm -23 "$work/step.used" -
	find kernel/trace/lkst -name '*.c' | while read -r file; do
		object=$(basename "$file" .c).o
		grep -qwF "$object" "${file%/*}/Makefile" "${file%/*/*}/Makefile" 2>/dev/null ||
			echo "$file is in no Makefile"
	done
)

# Nothing is missing here that is not missing when all is there.
step_is_whole()
{
	loose_ends | LC_ALL=C sort >"$work/step.loose"
	LC_ALL=C comm -13 "$work/whole.loose" "$work/step.loose" >"$work/step.missing"
	cat "$work/step.missing"
	[ ! -s "$work/step.missing" ]
}

# Each step has what it calls: going back from the whole, by what quilt has put away.
check_steps()
{
	mkdir -p "$work/step"
	(cd "$BUILD/linux" && find kernel/trace/lkst include/linux include/uapi/linux \
		arch/*/include/asm -path '*lkst*' -type f) |
		rsync -a --files-from=- "$BUILD/linux/" "$work/step/"
	loose_ends | LC_ALL=C sort >"$work/whole.loose"
	tac "$BUILD/linux/.pc/applied-patches" | while read -r patch; do
		(cd "$BUILD/linux/.pc/$patch" && find . -path './*lkst*' -type f |
			grep -E '^\./(kernel|include|arch)/') >"$work/step.files" || continue
		point "$patch" step_is_whole
		while read -r file; do
			if [ -s "$BUILD/linux/.pc/$patch/$file" ]; then
				cp "$BUILD/linux/.pc/$patch/$file" "$work/step/$file"
			else
				rm -f "$work/step/$file"
			fi
		done <"$work/step.files"
	done
}

# other_source FILE TEXT NEW: the source as it comes, of a later version, and in that file
# another text.
other_source()
{
	rm -rf "$work/other" "$work/out"
	mkdir -p "$work/other"
	for patch in $(series_patches); do
		patch_files "$TOP/patches/$patch"
	done | LC_ALL=C sort -u |
		rsync -a --ignore-missing-args --files-from=- "$BUILD/stock/" "$work/other/"
	sed 's/^SUBLEVEL.*/SUBLEVEL = 999/' "$BUILD/stock/Makefile" >"$work/other/Makefile"
	awk -v text="$2" -v new="$3" 'i = index($0, text) {
			$0 = substr($0, 1, i - 1) new substr($0, i + length(text)); n++ }
		{ print } END { exit n != 1 }' "$BUILD/stock/$1" >"$work/other/$1"
}

carry()
{
	BASE=$BUILD/stock "$TOP/scripts/carry.sh" "$work/other" "$work/out" >"$work/said" 2>&1
}

# A line beside a hook is another.
carry_merges()
{
	other_source kernel/fork.c 'user_events_fork(p, clone_flags);' 'user_events_fork(p, 0);'
	carry || {
		cat "$work/said"
		return 1
	}
	grep -q '^carry: 0009-.*: kernel/fork.c was merged' "$work/said" || return 1
	diff "$work/out/tree/kernel/fork.c" "$BUILD/linux/kernel/fork.c" >"$work/diff" || :
	[ "$(grep -c '^[<>]' "$work/diff")" -eq 2 ] &&
		grep -q '^<.*user_events_fork(p, 0);' "$work/diff"
}

# A line that the series changes is another.
carry_refuses()
{
	other_source mm/memory.c 'return do_wp_page(vmf);' 'return something_else();'
	if carry; then
		return 1
	fi
	grep -q '^carry: 0018-.* does not apply to mm/memory.c of 6.12.999' "$work/said" &&
		grep -q 'return something_else();' "$work/said"
}

check_carry()
{
	point 'a line beside a hook is another: merged, and shown' carry_merges
	point 'a line that is changed is another: refused, and shown' carry_refuses
}

fetch tree build lint
"$TOP/scripts/tree.sh"
"$TOP/scripts/tree.sh" stock
rm -rf "$RESULTS"
KERNEL=lkst "$TOP/scripts/kernel.sh" config
added_files >"$work/added"

ok_if 'series' check_series
suite 'patch headers' check_headers
suite 'patch -F0' check_applies
suite 'another source' check_carry
suite 'recipes' "$TOP/scripts/recipes.sh" suse fedora
suite 'each step is whole' check_steps
suite 'checkpatch --strict' check_patches
suite 'sparse, W=1' check_compile
suite 'rooms' check_rooms
suite 'kernel-doc -Wall' check_docs
ok_if 'events.rst is of this tree' "$TOP/scripts/events-doc.sh" --check
suite 'shellcheck' check_shells
suite 'licences' check_licences
finish
