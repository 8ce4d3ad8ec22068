#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The series on each 6.12.y that Debian's archive has, and on the source KSRC if it is set:
# applies it without fuzz, looks whether each hook is in the function that it is made for,
# builds the kernel, boots it, runs KUnit and the quick selftests. Writes what came out into
# Documentation/versions.rst; rows of versions that were not looked at stay.
#
# usage: versions.sh [6.12.Y]...
#	KSRC=		a tarball or a folder: that one alone
#	KEEP=1		leaves the trees in BUILD/versions

# shellcheck disable=SC2154 # suites.sh counts

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"

: "${KEEP:=}"
table=$TOP/Documentation/versions.rst
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What patches change most often, and what takes little time.
quick='control hooks buffers names clocks events_process events_memory events_memory_user'
quick="$quick events_locks events_irq events_block events_fs events_net events_timers"

# "6.12.117 PACKAGE-VERSION" of each in the archive, the newest first.
archive()
{
	apt-cache madison "$LINUX_PACKAGE" |
		awk -F ' *[|] *' '{ of = $2; sub(/-.*/, "", of); print of, $2 }' |
		awk '!seen[$1]++'
}

# download PACKAGE-VERSION TARBALL: the source in that package.
download()
{
	(
		cd "$work"
		apt-get -q download "$LINUX_PACKAGE=$1" >"$work/log" 2>&1 || {
			cat "$work/log"
			exit 1
		}
		dpkg-deb --fsys-tarfile "$LINUX_PACKAGE"_*.deb |
			tar -xO --wildcards "./usr/src/$LINUX_PACKAGE.tar.xz" >"$2.new"
		rm "$LINUX_PACKAGE"_*.deb
	)
	mv "$2.new" "$2"
}

# The hooks in the tree $1, each with its file and its function.
hooks_of()
(
	cd "$1"
	for patch in $(series_patches); do
		patch_files "$TOP/patches/$patch"
	done | grep '\.[ch]$' | grep -vE '^(kernel/trace/lkst|tools|samples)/' | LC_ALL=C sort -u |
	while read -r file; do
		[ -f "$file" ] && awk -v file="$file" '
			/^[A-Za-z_].*\(/ && !/;[ \t]*$/ {
				f = $0
				sub(/\(.*/, "", f)
				sub(/.*[ *]/, "", f)
			}
			/LKST_HOOK(_IF)?\(/ { on = 1; text = file " " f }
			on {
				gsub(/[ \t]+/, " ")
				text = text $0
			}
			on && /;/ { print text; on = 0 }' "$file"
	done
)

# Text that repeats may take a patch for another function without a word.
hooks_in_place()
{
	[ -s "$RESULTS/hooks" ] || {
		KSRC='' BUILD=$all "$TOP/scripts/tree.sh" >&2 || return 1
		hooks_of "$all/linux" >"$RESULTS/hooks"
	}
	hooks_of "$BUILD/linux" | diff "$RESULTS/hooks" -
}

applies()
{
	"$TOP/scripts/tree.sh" 2>"$work/said" || {
		cat "$work/said"
		return 1
	}
	cat "$work/said"
}

# How it was made to apply: "as it is", or which files are others.
how()
{
	if grep -q '^carry: .* was merged' "$work/said"; then
		echo merged
	elif grep -q '^carry: ' "$work/said"; then
		grep -c '^carry: ' "$work/said" | sed 's/$/ carried/'
	else
		echo 'as it is'
	fi
}

# row VERSION WORD...: its row of the table, in place of the one before.
row()
{
	version=$1
	shift
	awk -v version="$version" -v row="$(printf '%-9s  %-10s  %-9s  %-7s  %-12s  %-12s' \
			"$version" "$@" | sed 's/ *$//')" '
		function put() { if (!done++) print row }
		/^=+  =+/ { rules++ }
		rules == 2 && /^6\.12\./ {
			split($1, a, ".")
			split(version, b, ".")
			if (a[3] == b[3])
				next
			if (a[3] < b[3])
				put()
		}
		/^=+  =+/ && rules == 3 { put() }
		{ print }' "$table" >"$work/table"
	cp "$work/table" "$table"
}

# counted NAME COMMAND...: a suite; its results in words, for the row.
counted()
{
	before_passed=$passed_all
	before_failed=$failed_all
	suite "$@"
	said="$((passed_all - before_passed)) passed"
	[ "$failed_all" -eq "$before_failed" ] ||
		said="$((failed_all - before_failed)) failed"
}

quick_selftests()
{
	MAXCPUS=4 run_in lkst "LKST_TEST_STRICT=1 exec sh /src/selftests/run.sh $quick"
}

# one VERSION: all of it. What failed leaves the rest of the row empty.
one()
{
	applies=no builds=- kunit=- selftests=-
	was=$failed_all
	ok_if "$1: applies" applies
	[ "$failed_all" -ne "$was" ] || {
		applies=$(how)
		ok_if "$1: hooks in place" hooks_in_place
		[ "$failed_all" -eq "$was" ] || applies=misplaced
		builds=no
		ok_if "$1: build" build_kernel lkst
	}
	[ "$failed_all" -ne "$was" ] || {
		builds=yes
		counted "$1: KUnit" kunit
		kunit=$said
		counted "$1: selftests" quick_selftests
		selftests=$said
	}
	row "$1" "$(date +%F)" "$applies" "$builds" "$kunit" "$selftests"
}

kunit()
{
	MAXCPUS=4 APPEND=kunit.enable=1 run_in lkst \
		'modprobe -a lkst_latency lkst_latency_test && cat /sys/kernel/debug/kunit/*/results'
}

# in_its_place VERSION: with folders of its own.
in_its_place()
{
	all=$BUILD
	BUILD=$all/versions/$1
	export BUILD KSRC
	one "$1"
	[ -n "$KEEP" ] || rm -rf "$BUILD"
	BUILD=$all
}

RESULTS=$OUT/versions
rm -rf "$RESULTS"
mkdir -p "$RESULTS" "$BUILD/versions"
if [ -n "$KSRC" ]; then
	[ -d "$KSRC" ] || die "KSRC=$KSRC: a folder"
	in_its_place "$(tree_version "$KSRC")"
else
	archive >"$work/archive"
	[ -s "$work/archive" ] || die "apt knows no $LINUX_PACKAGE: apt-get update"
	while read -r version package <&3; do
		case " $* " in
		'  '|*" $version "*) ;;
		*) continue ;;
		esac
		KSRC=$BUILD/versions/$version.tar.xz
		[ -f "$KSRC" ] || download "$package" "$KSRC" || die "no source of $version"
		in_its_place "$version"
	done 3<"$work/archive"
fi
finish
