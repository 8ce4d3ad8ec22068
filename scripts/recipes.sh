#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes in OUT/recipes what builders of distributions take: dist/NAME/README says where it goes.
# Then follows the builder's own way of applying patches, on the files in question, and compares
# what comes out with the patched tree. Exits with 1 if that is not the same. When all are tried,
# the line in Documentation/distributions.rst says on what, and when.
#
# usage: recipes.sh [NAME...]	names are those of the folders in dist/; without one, all
#	KSRC=		a tree of another point release: the patches are those of carry.sh

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"

names=$*
[ -n "$names" ] || names=$(cd "$TOP/dist" && ls)
for name in $names; do
	[ -d "$TOP/dist/$name" ] || die "there is no $name: $(cd "$TOP/dist" && echo *)"
done
# shellcheck disable=SC2046,SC2086 # lists of words
fetch tree $(printf 'recipe-%s ' $names)
# The trees in BUILD stay those of Debian's source.
source=$KSRC
KSRC=
if [ -z "$source" ]; then
	"$TOP/scripts/tree.sh" stock >&2
	source=$BUILD/stock
fi
config=$TOP/kernel-config/lkst.config
version=$(tree_version "$source")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$TOP/scripts/carry.sh" "$source" "$work" >&2
for patch in $(series_patches); do
	patch_files "$work/patches/$patch"
done | LC_ALL=C sort -u >"$work/files"
mkdir -p "$work/a" "$work/b"
rsync -a --ignore-missing-args --files-from="$work/files" "$source/" "$work/a/"
rsync -a "$work/tree/" "$work/b/"
for pair in selftests:tools/testing/selftests/lkst Documentation:Documentation/trace/lkst; do
	mkdir -p "$work/b/${pair#*:}"
	rsync -a --exclude='*~' "$TOP/${pair%%:*}/" "$work/b/${pair#*:}/"
done

# The configuration, as lines for one that is there already.
config_lines()
{
	grep ^CONFIG "$config"
}

# The same with all else that there is a question for: some builders take no answer for an error.
all_config_lines()
{
	config_lines
	awk '
		function tell() {
			if (asked && !(symbol in told))
				print is == "n" ? "# " symbol " is not set" : symbol "=" is
			asked = 0
			is = "n"
		}
		FNR == NR { sub(/=.*/, ""); told[$1]; next }
		/^config / { tell(); symbol = "CONFIG_" $2 }
		/^\t(bool|tristate) "/ { asked = 1 }
		/^\tdefault [ym]$/ { is = $2 }
		END { tell() }' "$config" "$work/tree/kernel/trace/lkst/Kconfig"
}

# === What is made: $to is the folder, with what dist/NAME has ===

make_debian()
{
	mkdir -p "$to/patches/features/all/lkst"
	cp "$work/patches/"*.patch "$to/patches/features/all/lkst/"
	series_patches | sed 's,^,features/all/lkst/,' >"$to/patches/series.lkst"
	config_lines >"$to/config"
}

make_suse()
{
	mkdir -p "$to/patches.addon"
	for patch in $(series_patches); do
		awk '!NF && !done {
			print "Patch-mainline: Never, carried as a series beside the LTS kernel"
			print "References: lkst"
			done = 1 } 1' "$work/patches/$patch" >"$to/patches.addon/$patch"
	done
	series_patches | sed 's,^,\tpatches.addon/,' >"$to/series.conf"
	all_config_lines >"$to/config"
}

make_buildroot()
{
	mkdir -p "$to/patches/linux"
	cp "$work/patches/"*.patch "$to/patches/linux/"
	cp "$config" "$to/lkst.config"
}

make_openwrt()
{
	mkdir -p "$to/hack-6.12"
	for patch in $(series_patches); do
		cp "$work/patches/$patch" "$to/hack-6.12/9990-lkst-$patch"
	done
	all_config_lines >"$to/config"
}

make_yocto()
{
	dir=$to/recipes-kernel/linux/lkst
	mkdir -p "$dir"
	cp "$work/patches/"*.patch "$dir/"
	cp "$config" "$dir/lkst.cfg"
	{
		echo 'define KFEATURE_DESCRIPTION "Linux Kernel State Tracer"'
		echo 'define KFEATURE_COMPATIBILITY all'
		echo
		echo 'kconf non-hardware lkst.cfg'
		series_patches | sed 's/^/patch /'
	} >"$dir/lkst.scc"
}

make_fedora()
{
	combined_patch "$work" >"$to/linux-kernel-test.patch"
	all_config_lines >"$to/kernel-local"
}

make_arch()
{
	combined_patch "$work" >"$to/lkst.patch"
	cp "$config" "$to/lkst.config"
	sed -e "s/@VERSION@/$version/" -e "s/@PATCH_SUM@/$(sum "$to/lkst.patch")/" \
		-e "s/@CONFIG_SUM@/$(sum "$to/lkst.config")/" "$to/PKGBUILD.in" >"$to/PKGBUILD"
	rm "$to/PKGBUILD.in"
}

make_nix()
{
	combined_patch "$work" >"$to/lkst.patch"
	config_lines | sed 's/^CONFIG_//; s/=/ /' >"$to/config"
}

sum()
{
	sha256sum <"$1" | cut -d ' ' -f 1
}

# === How each builder applies it: in $work/try ===

try_debian()
{
	mkdir -p debian/source debian/patches
	echo '3.0 (quilt)' >debian/source/format
	printf 'Source: linux\nMaintainer: nobody <nobody@example.org>\n\nPackage: linux\n%s\n' \
		'Architecture: any' >debian/control
	printf 'linux (%s-1) UNRELEASED; urgency=low\n\n  * LKST.\n\n -- %s  %s\n' "$version" \
		'nobody <nobody@example.org>' 'Thu, 01 Jan 1970 00:00:00 +0000' >debian/changelog
	cp -r "$to/patches" debian/
	mv debian/patches/series.lkst debian/patches/series
	dpkg-source --before-build . >"$work/log" || { cat "$work/log"; return 1; }
	rm -rf debian .pc
}

try_suse()
{
	while read -r patch; do
		suse_header "$to/$patch" && patch -s -F0 -E -p1 --no-backup-if-mismatch -i "$to/$patch" ||
			return 1
	done <"$to/series.conf"
}

# By the rules of scripts/python/suse_git/header.py, but for who acknowledged it.
suse_header()
{
	sed '/^\(---\|+++\) [^ ]*\//q' "$1" | awk -F ': *' '
		$1 == "From" || $1 == "Subject" || $1 == "References" || $1 == "Patch-mainline" {
			n[$1]++
			if ($2 == "")
				n["empty"]++
		}
		$1 == "Patch-mainline" && $2 !~ /^Never,? +./ { n["reason"]++ }
		END {
			exit !(n["From"] && n["Subject"] == 1 && n["References"] &&
				n["Patch-mainline"] == 1 && !n["empty"] && !n["reason"])
		}'
}

# support/scripts/apply-patches.sh
try_buildroot()
{
	for patch in $(cd "$to/patches/linux" && LC_ALL=C ls); do
		patch -g0 -p1 --no-backup-if-mismatch -t -N -s <"$to/patches/linux/$patch" || return
	done
	buildroot_package
}

# Its commands, where Buildroot's make would run them.
buildroot_package()
{
	"$TOP/scripts/tree.sh" >&2
	cat >"$work/stub.mk" <<-TEXT
		generic-package =
		include $to/package/lkst/lkst.mk
		$work/lkst-1/.stamp_built: ; \$(LKST_BUILD_CMDS)
		$work/lkst-1/.stamp_target_installed: ; \$(LKST_INSTALL_TARGET_CMDS)
	TEXT
	mkdir -p "$work/lkst-1"
	make -s -f "$work/stub.mk" LINUX_DIR="$BUILD/linux" TARGET_DIR="$work/target" INSTALL=install \
		TARGET_CONFIGURE_OPTS="CC=cc LDFLAGS=-static" "$work/lkst-1/.stamp_built" \
		"$work/lkst-1/.stamp_target_installed" &&
	[ "$("$work/target/usr/bin/lkstbuf" --help | head -n 1 | cut -d ' ' -f 2)" = lkstbuf ]
}

# scripts/patch-kernel.sh
try_openwrt()
{
	for patch in "$to/hack-6.12/"*; do
		patch -f -s -p1 -E -d . <"$patch" || return
	done
	[ -z "$(find . -name '*.rej')" ] && find . -name '*.orig' -delete
}

# kgit-s2q
try_yocto()
{
	dir=$to/recipes-kernel/linux/lkst
	git init -q && git add -A &&
	git -c user.name=nobody -c user.email=nobody@example.org commit -q -m 'the source' || return
	for patch in $(sed -n 's/^patch //p' "$dir/lkst.scc"); do
		git -c user.name=nobody -c user.email=nobody@example.org am -q "$dir/$patch" || return
	done
	[ -f "$dir/$(sed -n 's/^kconf [a-z-]* //p' "$dir/lkst.scc")" ] && rm -rf .git
}

# kernel.spec: today's command, and that of older ones.
try_fedora()
{
	[ "$(wc -l <"$to/linux-kernel-test.patch")" -gt 9 ] || return
	mkdir "$work/older" && cp -r . "$work/older/" || return
	(cd "$work/older" && patch -p1 -F1 -s <"$to/linux-kernel-test.patch") || return
	git init -q && git --work-tree=. apply "$to/linux-kernel-test.patch" && rm -rf .git &&
	diff -r . "$work/older"
}

# prepare() of PKGBUILD, but for the kernel's configuration.
try_arch()
{
	srcdir=$work/srcdir
	mkdir "$srcdir" && cp "$to/lkst.patch" "$to/lkst.config" "$srcdir/" &&
	cp -r . "$srcdir/linux-$version" && bash -n "$to/PKGBUILD" || return
	mkdir -p "$srcdir/linux-$version/scripts/kconfig"
	printf '#!/bin/sh\ntest -f "$2" && test -f "$3"\n' \
		>"$srcdir/linux-$version/scripts/kconfig/merge_config.sh"
	chmod 755 "$srcdir/linux-$version/scripts/kconfig/merge_config.sh"
	(cd "$srcdir" && bash -euc '. "$1"; make() { :; }; zcat() { :; }; prepare' - \
		"$to/PKGBUILD" >"$work/log") || return
	(cd "$srcdir/linux-$version" &&
		rm -rf scripts/kconfig/merge_config.sh localversion.10-pkgname .config)
	rsync -a --delete --prune-empty-dirs "$srcdir/linux-$version/" ./
}

# patchPhase of stdenv
try_nix()
{
	nix-instantiate --option build-users-group '' --parse "$to/default.nix" >"$work/log" &&
		patch -s -p1 <"$to/lkst.patch"
}

# recipe NAME: made, and applied as its builder does.
recipe()
{
	to=$OUT/recipes/$1
	rm -rf "$to" "$work/try"
	mkdir -p "$to"
	cp -r "$TOP/dist/$1/." "$to/"
	"make_$1" || return
	cp -r "$work/a" "$work/try"
	(cd "$work/try" && "try_$1") || return
	# One patch has what is copied in as well; pictures are in none.
	of=$work/tree
	[ ! -d "$work/try/tools/testing/selftests/lkst" ] || of=$work/b
	diff -r -x '*.png' "$of" "$work/try"
}

for name in $names; do
	point "$name" recipe "$name"
done
[ "$point_failures" -eq 0 ] || exit 1
[ $# -gt 0 ] || [ "$source" != "$BUILD/stock" ] ||
	sed -i "s/^Last tried: .*/Last tried: all of these, on $version, $(date -u +%F)./" \
		"$TOP/Documentation/distributions.rst"
