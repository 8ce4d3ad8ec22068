# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the scripts share. Sourced by each of them, after set -eu.
#
# Variables of the environment that every script honours:
#   BUILD   where everything is built         (default: build/)
#   OUT     where a run leaves its results    (default: out/)
#   ARCH    x86_64 (default); arm64: a cross build; um: user-mode Linux
#   KERNEL  lkst (default), stock, debug, kcsan, ...: see kernel_fragments
#   KSRC    a kernel tree or tarball to take instead of Debian's
#   JOBS    how many jobs make runs           (default: the number of CPUs)

# The variables of our Makefile are none of the kernel's Makefile.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

TOP=$(cd "$(dirname "$0")/.." && pwd)
: "${BUILD:=build}" "${OUT:=out}" "${KERNEL:=lkst}" "${KSRC:=}"
: "${JOBS:=$(nproc)}" "${ARCH:=x86_64}"
: "${LINUX_PACKAGE:=linux-source-6.12}"
CONFIG_PACKAGE=linux-config-${LINUX_PACKAGE#linux-source-}

# BUILD and OUT are relative to the repository, wherever make was started.
case $BUILD in /*) ;; *) BUILD=$TOP/$BUILD ;; esac
case $OUT in /*) ;; *) OUT=$TOP/$OUT ;; esac
case $KSRC in
''|/*) ;;
*) [ -e "$KSRC" ] && KSRC=$(cd "$(dirname "$KSRC")" && pwd)/$(basename "$KSRC") ;;
esac

# Where the objects are and what the guest gets, and what the compiler's name
# starts with.
OBJ=$BUILD/obj
GUEST=$BUILD/guest
CROSS=
case $ARCH in
x86_64) ;;
arm64)
	OBJ=$OBJ/arm64
	GUEST=$GUEST/arm64
	CROSS=aarch64-linux-gnu-
	;;
um)
	OBJ=$OBJ/um
	GUEST=$GUEST/um
	;;
*)
	echo "ARCH=$ARCH: there are x86_64, arm64 and um" >&2
	exit 1
	;;
esac

say()
{
	printf '%s\n' "$*" >&2
}

die()
{
	printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
	exit 1
}

# === What is running, on a terminal: progress.sh ===

# watch: from here on it is shown, if there is a terminal to show it on.
watch()
{
	[ -t 2 ] && [ -z "${WATCHED:-}" ] || return 0
	WATCHED=$(mktemp -d)
	export WATCHED
	"$TOP/scripts/progress.sh" "$WATCHED" &
	watcher=$!
}

# running ID KIND FILE NAME: see progress.sh.
running()
{
	[ -z "${WATCHED:-}" ] || echo "$(date +%s) $2 $3 $4" >"$WATCHED/$1.running"
}

# ended ID: its line goes, so that something can be printed.
ended()
{
	[ -n "${WATCHED:-}" ] || return 0
	rm -f "$WATCHED/$1.running"
	printf '\r\033[K' >/dev/tty 2>/dev/null || :
}

# Ends what watch() has begun.
unwatch()
{
	[ -n "${watcher:-}" ] || return 0
	kill "$watcher" 2>/dev/null || :
	rm -rf "$WATCHED"
	WATCHED=
	watcher=
	printf '\r\033[K' >&2
}

# need_packages PACKAGE...: installs those that are missing; prints nothing if
# none is. In a shell of its own: it is called where others' variables are in use.
need_packages()
(
	missing=
	for package; do
		dpkg-query -W -f '${db:Status-Abbrev}\n' "$package" 2>/dev/null |
			grep -q '^.i' || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0

	root=
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || die "as root: apt-get install$missing"
		root=sudo
	fi
	say "Installing$missing"
	log=$(mktemp)
	# shellcheck disable=SC2086 # a list of words each
	if ! { $root env DEBIAN_FRONTEND=noninteractive apt-get -qy \
			--no-install-recommends install $missing ||
	       { $root apt-get -qy update &&
		 $root env DEBIAN_FRONTEND=noninteractive apt-get -qy \
			--no-install-recommends install $missing; }; } \
			>"$log" 2>&1 </dev/null; then
		cat "$log" >&2
		rm -f "$log"
		die "could not install$missing"
	fi
	rm -f "$log"
)

# unpack_foreign ARCH FOLDER PACKAGE...: Debian's packages of another architecture and what
# they depend on, unpacked into the folder if it is not there. Apt is told of a machine of
# that kind, and this one stays as it is.
unpack_foreign()
(
	arch=$1
	to=$2
	apt=$2.apt
	shift 2
	# Guests that start side by side want the same.
	mkdir -p "${to%/*}"
	exec 9>"$to.lock"
	flock 9
	[ ! -d "$to" ] || exit 0
	rm -rf "$apt"
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/root"
	options="-q -y -d --no-install-recommends -o APT::Architecture=$arch
		-o APT::Architectures=$arch -o Dir::State=$apt/state
		-o Dir::State::status=/dev/null -o Dir::Cache=$apt/cache
		-o APT::Sandbox::User=root"
	# A list that can't be had matters if a package is missing then.
	# shellcheck disable=SC2086 # a list of words
	{ apt-get $options update; apt-get $options install "$@"; } \
		>"$apt/log" 2>&1 </dev/null || {
		cat "$apt/log" >&2
		die "there is no $* for $arch"
	}
	for package in "$apt"/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$apt/root"
	done
	mv "$apt/root" "$to"
	rm -rf "$apt"
)

# What each thing done here needs.
packages()
{
	case $1 in
	tree)
		echo 'xz-utils rsync quilt patch diffstat'
		[ -n "$KSRC" ] || echo "$LINUX_PACKAGE"
		;;
	build)
		echo 'gcc libc6-dev make bc bison flex perl openssl kmod ccache'
		echo 'libelf-dev libssl-dev zlib1g-dev'
		[ "$ARCH" != arm64 ] ||
			echo 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
		[ "$KERNEL" != clang ] || echo clang
		;;
	debian) echo "xz-utils $CONFIG_PACKAGE" ;;
	run)
		echo 'qemu-system-x86 busybox-static cpio'
		[ "$ARCH" != arm64 ] || echo qemu-system-arm
		;;
	merge) echo "git $LINUX_PACKAGE" ;;
	recipe-debian) echo 'git patch dpkg-dev' ;;
	recipe-buildroot) echo 'git patch make gcc libc6-dev' ;;
	recipe-nix) echo 'git patch nix-bin' ;;
	combined | recipe-*) echo 'git patch' ;;
	lint) echo 'sparse shellcheck perl patch' ;;
	docs) echo 'python3-sphinx python3-yaml' ;;
	demo) echo 'gnuplot-nox' ;;
	model) echo 'spin gcc libc6-dev ccache' ;;
	gdb) echo 'gdb' ;;
	tables)
		echo 'jq sqlite3 babeltrace2 python3-lttnganalyses trace-cmd'
		echo 'protobuf-compiler libdevel-nytprof-perl'
		echo 'librsvg2-bin libxml2-utils'
		;;
	browser) echo 'chromium chromium-driver curl jq' ;;
	bench) echo 'linux-perf gnuplot-nox' ;;
	logs) echo 'time babeltrace2 trace-cmd' ;;
	page)
		echo time
		packages browser
		;;
	afl) echo 'afl++ clang' ;;
	dump) echo 'libkdumpfile-dev pkgconf kexec-tools makedumpfile' ;;
	libvirt) echo 'libvirt-daemon-system libvirt-clients' ;;
	kdump-tools) echo 'mmdebstrap e2fsprogs' ;;
	armhf) echo 'gcc-arm-linux-gnueabihf qemu-user pkgconf' ;;
	esac
}

# fetch THING...: installs what these need.
fetch()
{
	# shellcheck disable=SC2046 # a list of words
	need_packages $(for thing; do packages "$thing"; done)
}

# The patches of the series, in order, one a line.
series_patches()
{
	[ -f "$TOP/series" ] || return 0
	sed 's/#.*//; s/[[:space:]].*//; /^$/d' "$TOP/series"
}

# Those of them that are meant for mainline. They come first.
mainline_patches()
{
	for patch in $(series_patches); do
		sed '/^---$/q' "$TOP/patches/$patch" | grep -q '^Upstream: for mainline' || break
		echo "$patch"
	done
}

# The order of the series is that of the alphabet, and what is in patches/ is
# what is in the series. Prints what is wrong.
check_series()
{
	series=$(series_patches)
	on_disk=$(find "$TOP/patches" -name '*.patch' -exec basename {} \; |
		LC_ALL=C sort)
	[ "$series" != "$on_disk" ] || return 0
	if [ "$(echo "$series" | LC_ALL=C sort)" = "$on_disk" ]; then
		echo 'series: not in alphabetical order'
		return 1
	fi
	for patch in $series; do
		[ -f "$TOP/patches/$patch" ] || echo "series: no patches/$patch"
	done
	for patch in $on_disk; do
		echo "$series" | grep -qxF "$patch" ||
			echo "patches/$patch: not in the series"
	done
	return 1
}

# The files that patch file $1 changes.
patch_files()
{
	sed -nE 's,^(---|\+\+\+) [ab]/([^	]*).*,\2,p' "$1" | LC_ALL=C sort -u
}

# What the tree in folder $1/b has more than that in $1/a, as one patch: git's, which has modes
# and empty files, too. Pictures can't be in it.
combined_patch()
{
	status=0
	(cd "$1" && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null \
		git diff --no-index --no-prefix --no-color -- a b >combined) || status=$?
	# 1: they differ.
	[ $status -eq 1 ] || die "$1: git finds no difference, or not what to compare"
	awk '/^diff --git / { drop = /\.png$/ } !drop' "$1/combined"
}

# The version of the kernel tree $1, as 6.12.117.
tree_version()
{
	sed -n 's/^\(VERSION\|PATCHLEVEL\|SUBLEVEL\) = *//p' "$1/Makefile" | paste -sd .
}

# quilt_in TREE ARGUMENT...
quilt_in()
{
	(cd "$1" && shift && quilt --quiltrc "$TOP/scripts/quiltrc" "$@")
}

# Copies the unpatched source into the new directory $1: KSRC, or the package.
unpack_source()
{
	rm -rf "$1.new"
	mkdir -p "$1.new"
	if [ -n "$KSRC" ] && [ -d "$KSRC" ]; then
		rsync -a --exclude=/.git --exclude=/.pc "$KSRC/" "$1.new/"
	else
		tarball=$KSRC
		if [ -z "$tarball" ]; then
			fetch tree
			tarball=/usr/src/$LINUX_PACKAGE.tar.xz
		fi
		[ -f "$tarball" ] || die "no kernel source at $tarball"
		tar -xf "$tarball" -C "$1.new" --strip-components=1
	fi
	[ -f "$1.new/Kbuild" ] || die "${tarball:-$KSRC} is no kernel source"
	mv "$1.new" "$1"
}

# The tree that kernel $1 is built from. A name that starts with stock has no
# series applied, stock-off only what is meant for mainline, and prefix has the first
# patches of it: see check-all.sh.
kernel_tree()
{
	case $1 in
	stock-off) echo "$BUILD/stock-off" ;;
	stock*) echo "$BUILD/stock" ;;
	prefix) echo "$BUILD/prefix" ;;
	*) echo "$BUILD/linux" ;;
	esac
}

# The fragments of kernel $1, on top of tinyconfig. NAME and stock-NAME add
# kernel-config/NAME.config, so that both have the same configuration, and NAME-x86.config
# or NAME-arm64.config. Debian's configuration has what is in qemu.config already.
kernel_fragments()
{
	dir=$TOP/kernel-config
	[ "$ARCH" != um ] || {
		echo "$dir/um.config"
		return
	}
	list="$dir/qemu.config $dir/qemu-${ARCH%_64}.config $dir/lkst.config"
	list="$list $dir/test.config"
	[ "$1" != debian ] || list="$dir/lkst.config $dir/test.config"
	variant=${1#stock}
	variant=${variant#-}
	case $variant in
	''|lkst|prefix) ;;
	*)
		[ -f "$dir/$variant.config" ] ||
			die "KERNEL=$1: there is no kernel-config/$variant.config"
		list="$list $dir/$variant.config"
		only=$dir/$variant-${ARCH%_64}.config
		[ ! -f "$only" ] || list="$list $only"
		;;
	esac
	echo "$list"
}

# The seconds since $1, a number of seconds since 1970.
seconds_since()
{
	echo $(($(date +%s) - $1))
}

# What compiles KERNEL, and the modules for it.
kernel_compiler()
{
	case $KERNEL in
	clang) echo clang ;;
	*) echo "${CROSS}gcc" ;;
	esac
}

# kmake DIR ARGUMENT...: make in the kernel tree DIR as every build here does.
# Fixed names keep the compiler cache and the images the same from day to day. What an
# object is made of, the cache is told by the compiler: to run the preprocessor first, as
# it does by default, takes a quarter of a first build. With PREPROCESS=1 it does so: what
# the preprocessor makes of a file is mostly the same in configurations that are alike.
kmake()
{
	tree=$1
	shift
	CCACHE_BASEDIR=$TOP CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content \
	KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
	KBUILD_BUILD_USER=lkst KBUILD_BUILD_HOST=lkst \
		env "CCACHE_${PREPROCESS:+NO}DEPEND=1" \
		make -C "$tree" -j "$JOBS" --no-print-directory \
			ARCH="$ARCH" CROSS_COMPILE="$CROSS" \
			CC="ccache $(kernel_compiler)" HOSTCC='ccache gcc' "$@"
}
