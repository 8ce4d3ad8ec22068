#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the kernel KERNEL in BUILD/obj/KERNEL; what the guest sees of it as
# /guest is in BUILD/guest/KERNEL: modules, user tools, programs of the tests.
# With ARCH=arm64 both are below BUILD/obj/arm64 and BUILD/guest/arm64. With ARCH=um it
# is a program, BUILD/obj/um/KERNEL/linux, for which there is no guest.
#
# usage: kernel.sh [config]	config: only write the configuration

set -eu
. "$(dirname "$0")/lib.sh"

fetch build

tree=$(kernel_tree "$KERNEL")
obj=$OBJ/$KERNEL
guest=$GUEST/$KERNEL
# One for all kernels of a tree. What is halfway through the series is another tree.
tools=$OBJ/tools
[ "$KERNEL" != prefix ] || tools=$OBJ/tools-prefix

# quiet_kmake TARGET: of the configuration; what it says only if it fails.
quiet_kmake()
{
	kmake "$tree" -s O="$obj" KCONFIG_CONFIG="$config" "$1" >"$obj/config.log" 2>&1 ||
		{ cat "$obj/config.log" >&2; exit 1; }
}

# What the fragments go on top of: next to nothing, or of Debian's configuration for clouds
# all that is no module.
write_base()
{
	if [ "$KERNEL" = debian ]; then
		[ "$ARCH" = x86_64 ] || die 'KERNEL=debian is for x86_64'
		fetch debian
		xz -dc "/usr/src/$CONFIG_PACKAGE/config.amd64_none_cloud-amd64.xz" >"$config.debian"
		sed 's/^\(CONFIG_.*\)=m$/# \1 is not set/' "$config.debian" >"$config"
	else
		quiet_kmake tinyconfig
	fi
}

# A symbol that was asked for and did not stick is an error, so that nobody
# tests less than he thinks. LKST's own need not exist: stock has none of them,
# and halfway through the series there are some.
configure()
{
	fragments=$(kernel_fragments "$KERNEL")
	mkdir -p "$obj"
	config=$obj/.config.wanted
	write_base
	# shellcheck disable=SC2086 # a list of files
	cat $fragments >>"$config"
	quiet_kmake olddefconfig

	# shellcheck disable=SC2086 # a list of files
	cat $fragments | awk -v config="$config" '
	function name(line) {
		sub(/^# /, "", line); sub(/[ =].*/, "", line)
		return line
	}
	/^CONFIG_[A-Z0-9a-z_]+=/ || /^# CONFIG_.* is not set$/ {
		want[name($0)] = $0
	}
	END {
		while ((getline line < config) > 0)
			if (line ~ /^(# )?CONFIG_/)
				have[name(line)] = line
		for (symbol in want) {
			known = symbol in have
			if (want[symbol] == have[symbol])
				continue
			if (!known && (want[symbol] ~ /^#/ || symbol ~ /LKST/))
				continue
			print symbol ": wanted \"" want[symbol] "\", is \"" \
				(known ? have[symbol] : "unknown") "\""
			bad = 1
		}
		exit bad
	}' >&2 || die "$KERNEL: these symbols did not stick"

	cmp -s "$config" "$obj/.config" || cp "$config" "$obj/.config"
}

# The modules, and the one that run.sh needs: see its source.
install_modules()
{
	int3=
	if [ "$ARCH" = x86_64 ]; then
		int3=M=$obj/tcg_int3
		mkdir -p "$obj/tcg_int3"
		rsync -a "$TOP/scripts/tcg_int3/" "$obj/tcg_int3/"
		kmake "$tree" -s O="$obj" "$int3" modules
	fi
	for module in '' $int3; do
		kmake "$tree" -s O="$obj" INSTALL_MOD_PATH="$guest" \
			INSTALL_MOD_STRIP=1 DEPMOD=true $module modules_install
	done
	release=$(cat "$obj/include/config/kernel.release")
	depmod -b "$guest" "$release"
	rm -f "$guest/lib/modules/$release/build"
}

# make_tools FOLDER ARGUMENT...: into that folder, whose name is relative: in the lists of
# dependencies, ccache writes names below CCACHE_BASEDIR so, and make has to know them.
make_tools()
{
	mkdir -p "$1"
	to=$(realpath --relative-to="$tree/tools/tracing/lkst" "$1")
	shift
	CCACHE_BASEDIR=$TOP make -s -C "$tree/tools/tracing/lkst" \
		--no-print-directory -j "$JOBS" OUTPUT="$to/" all "$@"
}

# The user tools, static.
install_tools()
{
	[ -f "$tree/tools/tracing/lkst/Makefile" ] || return 0
	mkdir -p "$guest/bin"
	make_tools "$tools" CC="ccache ${CROSS}gcc" LDFLAGS=-static
	for name in lkst lkstla; do
		[ ! -f "$tools/$name" ] ||
			"${CROSS}strip" -o "$guest/bin/$name" "$tools/$name"
	done
	for name in lkstm lkstbuf lksteh; do
		ln -sf lkst "$guest/bin/$name"
	done
}

# The same for this machine, with a library that reads crash dumps.
install_dump_tools()
{
	[ -f "$tree/tools/tracing/lkst/cmd/dump.c" ] && [ "$ARCH" = "$(uname -m)" ] ||
		return 0
	fetch dump
	make_tools "$tools-dump" CC='ccache gcc' LIBKDUMPFILE=1
}

# The programs and the modules of the selftests: where there is what they test, all of
# it, and not after the first patches.
install_selftests()
{
	[ "$KERNEL" != prefix ] && grep -qx CONFIG_LKST=y "$obj/.config" || return 0
	mkdir -p "$guest/selftests"
	CCACHE_BASEDIR=$TOP make -s -C "$TOP/selftests" --no-print-directory \
		CC="ccache $(kernel_compiler)" OUTPUT="$guest/selftests" KSRC="$tree" \
		KDIR="$obj" ARCH="$ARCH" CROSS_COMPILE="$CROSS" \
		>"$obj/selftests.log" 2>&1 || {
		cat "$obj/selftests.log" >&2
		die "the selftests do not build"
	}
}

[ -d "$tree" ] || "$TOP/scripts/tree.sh" "$(basename "$tree")"

configure
[ "${1:-}" != config ] || exit 0

start=$(date +%s)
[ -t 2 ] || say "$KERNEL: building the kernel: minutes, the first time"
watch
running "build-$KERNEL" objects "$obj/build.log" "$KERNEL: the kernel's build"
case $ARCH in
x86_64) images='vmlinux bzImage' ;;
arm64) images='vmlinux Image' ;;
um) images=linux ;;
esac
# shellcheck disable=SC2086 # a list of words
kmake "$tree" O="$obj" $images modules >"$obj/build.log" 2>&1 || {
	grep -nE 'error|Error|\*\*\*|undefined' "$obj/build.log" | head -40 >&2
	die "$KERNEL does not build; see $obj/build.log"
}
built=$(grep -cE '^  [A-Z]+ ' "$obj/build.log" || :)
[ "$built" -le "$(cat "$obj/build.log.steps" 2>/dev/null || echo 0)" ] ||
	echo "$built" >"$obj/build.log.steps"
# Warnings are shown: the series adds none.
grep -A5 -E 'warning:|modpost: ' "$obj/build.log" >&2 || :
ended "build-$KERNEL"
unwatch
if [ "$ARCH" != um ]; then
	install_modules
	install_tools
	install_dump_tools
	install_selftests
fi
echo "$KERNEL: $(cat "$obj/include/config/kernel.release"), $(seconds_since "$start") s"
