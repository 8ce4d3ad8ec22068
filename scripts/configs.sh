#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds what the series adds and changes in configurations that others have: with LKST
# and next to nothing else, with each group of hooks alone, without jump labels, with what
# guards indirect jumps and returns, for 32 bits, with all that can be a module as one, and
# at random. Prints KTAP.
#
# An object that does not build counts as a failure if the kernel without the series has
# one with the same configuration.
#
# usage: configs.sh [alone|groups|LKST_GROUP|nojump|ibt|i386|allmod|random]...
#	all of them without any; of groups, each, and with its name that one
#	RANDOM_CONFIGS=50	how many at random
#	SEED=1			the seed of the first of them; the next one has the next

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"
: "${RANDOM_CONFIGS:=50}" "${SEED:=1}"
tree=$BUILD/linux
kconfig=$tree/kernel/trace/lkst/Kconfig

# kconf OUT TARGET: what it says only if it fails.
kconf()
{
	kmake "$tree" -s O="$1" "$2" >"$1/config.log" 2>&1 || {
		cat "$1/config.log"
		return 1
	}
}

# configure OUT TARGET: the fragment on its input, and the rest as that target has it.
configure()
{
	mkdir -p "$1"
	cat >"$1/wanted"
	KCONFIG_ALLCONFIG=$1/wanted kconf "$1" "$2" || return 1
	# A defconfig does not look at KCONFIG_ALLCONFIG.
	case $2 in
	*_defconfig)
		cat "$1/wanted" >>"$1/.config"
		kconf "$1" olddefconfig || return 1
		;;
	esac
	while read -r line; do
		case $line in
		\#*)
			symbol=${line#\# }
			! grep -q "^${symbol%% *}=" "$1/.config"
			;;
		*) grep -qxF "$line" "$1/.config" ;;
		esac || {
			echo "\"$line\" did not stick"
			return 1
		}
	done <"$1/wanted"
}

# Objects on the input. A file that others include is built as a part of theirs.
built_with()
{
	while read -r object; do
		dir=${object%/*}
		name=$(basename "$object" .o)
		grep -l "^#include \"$name\.c\"" "$tree/$dir"/*.c 2>/dev/null |
			sed "s|^$tree/||; s|\.c\$|.o|" | grep . || echo "$object"
	done
}

# The objects of the files that the series changes, for this architecture.
changed_objects()
{
	case $ARCH in
	i386|x86_64) others='^arch/(arm64|um)/' ;;
	*) others='^arch/(x86|um)/' ;;
	esac
	sed -n 's|^+++ b/\([^ 	]*\)\.[cS]\([ 	].*\)\{0,1\}$|\1.o|p' "$TOP"/patches/*.patch |
		grep -vE "^(tools|samples|Documentation|kernel/trace/lkst)/|/asm-offsets|$others" |
		built_with | LC_ALL=C sort -u
}

# listed OUT FOLDER: the objects and folders that this configuration has in it.
listed()
{
	# shellcheck disable=SC2016 # the dollars are make's
	printf '%s\n' 'objects:' "src := $tree/$2" "obj := $2" 'include include/config/auto.conf' \
		'BITS := $(if $(CONFIG_64BIT),64,32)' \
		'-include $(firstword $(wildcard $(src)/Kbuild $(src)/Makefile))' \
		'all := $(obj-y) $(obj-m) $(lib-y)' \
		'$(info $(all) $(foreach o,$(all:.o=),$($(o)-y) $($(o)-m) $($(o)-objs)))' |
		make -s -C "$1" -f - srctree="$tree" SRCARCH="$srcarch" \
			ARCH_LIB="arch/$srcarch/lib/" objects |
		tr -s ' ' '\n' | sed "s|^|$2/|; s|^\./||"
}

# configured_objects OUT: those of changed_objects that are built in this configuration.
# Told to, kbuild would try any.
configured_objects()
{
	case $ARCH in
	i386|x86_64) srcarch=x86 ;;
	*) srcarch=$ARCH ;;
	esac
	kconf "$1" syncconfig || return 1
	changed_objects >"$1/changed"
	{
		echo arch/
		listed "$1" .
		awk -F/ '{ dir = ""; for (i = 1; i < NF; i++) print dir = dir (i > 1 ? "/" : "") $i }' \
			"$1/changed" | LC_ALL=C sort -u | while read -r dir; do
			listed "$1" "$dir"
		done
	} >"$1/listed"
	awk -v listed="$1/listed" '
	BEGIN { while ((getline name < listed) > 0) has[name] = 1 }
	{
		n = split($0, part, "/")
		dir = ""
		for (i = 1; i < n; i++)
			if (!((dir = dir part[i] "/") in has))
				next
		if ($0 in has)
			print
	}' "$1/changed"
}

# stock_builds OUT OBJECT: it builds without the series.
stock_builds()
{
	[ -d "$BUILD/stock" ] || "$TOP/scripts/tree.sh" stock >&2
	[ -f "$1/stock/.config" ] || {
		mkdir -p "$1/stock"
		grep -v LKST "$1/.config" >"$1/stock/.config"
		kmake "$BUILD/stock" -s O="$1/stock" olddefconfig >/dev/null 2>&1
	}
	kmake "$BUILD/stock" -s O="$1/stock" "$2" >/dev/null 2>&1
}

# What a log says of errors and of what objtool finds in our code.
complaints()
{
	grep -E 'error:|Error |undefined|warning: objtool: .*lkst' "$1" | head -20
}

# No object of ours divides as only the compiler's library can, for 32 bits: that would
# be found when the kernel is linked.
divides_itself()
{
	find "$1/kernel/trace/lkst" -name '*.o' -exec nm -A -u {} + >"$1/undefined"
	! grep -E ' __u?(div|mod|divmod)[sdt]i[34]$' "$1/undefined"
}

# objects_build OUT: what is ours, and the objects of what the series changes. What a
# debugger needs would be a fifth of the time and of no use.
objects_build()
{
	rm -f "$1/stock/.config"
	objects=$(configured_objects "$1") || return 1
	status=0
	# shellcheck disable=SC2086 # a list of words
	kmake "$tree" -k O="$1" KCFLAGS=-g0 kernel/trace/lkst/ $objects >"$1/build.log" 2>&1 ||
		status=$?
	if grep 'warning: objtool: .*lkst' "$1/build.log"; then
		return 1
	fi
	if [ "$status" -eq 0 ]; then
		divides_itself "$1"
		return
	fi
	kmake "$tree" -s O="$1" KCFLAGS=-g0 kernel/trace/lkst/ >"$1/ours.log" 2>&1 || {
		complaints "$1/ours.log"
		return 1
	}
	divides_itself "$1" || return 1
	status=0
	for object in $objects; do
		if [ ! -f "$1/$object" ] && stock_builds "$1" "$object"; then
			echo "$object builds without the series only"
			status=1
		fi
	done
	[ "$status" -eq 0 ] || complaints "$1/build.log"
	return "$status"
}

# image_builds OUT: all of the kernel, without a warning.
image_builds()
{
	if ! kmake "$tree" O="$1" vmlinux >"$1/build.log" 2>&1; then
		complaints "$1/build.log"
		return 1
	fi
	! grep 'warning:' "$1/build.log"
}

# What is nearly nothing, in 64 bits. Without jump labels, hooks are others: see nojump.
minimal()
{
	cat <<-'END'
	CONFIG_64BIT=y
	CONFIG_JUMP_LABEL=y
	CONFIG_DEBUG_KERNEL=y
	CONFIG_DEBUG_FS=y
	CONFIG_LKST=y
	CONFIG_WERROR=y
	END
}

# Groups of hooks, by the menu of their names.
groups()
{
	sed -n '/^menu "Hooks/,/^endmenu/s/^config //p' "$kconfig"
}

# What a group depends on.
needs()
{
	case $1 in
	LKST_BLOCK) echo CONFIG_BLOCK=y ;;
	LKST_NET) echo CONFIG_NET=y ;;
	LKST_IPC) echo CONFIG_SYSVIPC=y ;;
	LKST_LOCKS) printf '%s\n' CONFIG_SMP=y CONFIG_LKST_CONTENTION=y ;;
	esac
}

only_group()
(
	PREPROCESS=1
	out=$OBJ/configs/groups
	{
		minimal
		needs "$1"
		echo "CONFIG_$1=y"
		for group in $(groups); do
			[ "$group" = "$1" ] || needs "$1" | grep -q "CONFIG_$group=y" ||
				echo "# CONFIG_$group is not set"
		done
	} | configure "$out" allnoconfig && image_builds "$out"
)

each_group()
{
	for group; do
		point "$group alone" only_group "$group"
	done
}

# The same with all hooks, and what they need.
every_group()
{
	minimal
	for group in $(groups); do
		needs "$group"
		echo "CONFIG_$group=y"
	done | LC_ALL=C sort -u
}

alone()
{
	minimal | configure "$OBJ/configs/alone" allnoconfig && image_builds "$OBJ/configs/alone"
}

nojump()
{
	{
		every_group | grep -vx CONFIG_JUMP_LABEL=y
		echo '# CONFIG_JUMP_LABEL is not set'
	} | configure "$OBJ/configs/nojump" allnoconfig && image_builds "$OBJ/configs/nojump"
}

# objtool looks at the whole image: at what is jumped to, and how deep calls are.
ibt()
{
	{
		every_group
		for symbol in MODULES INET X86_KERNEL_IBT CPU_MITIGATIONS MITIGATION_RETPOLINE \
			MITIGATION_RETHUNK MITIGATION_CALL_DEPTH_TRACKING; do
			echo "CONFIG_$symbol=y"
		done
	} | configure "$OBJ/configs/ibt" allnoconfig && image_builds "$OBJ/configs/ibt"
}

i386()
(
	ARCH=i386
	printf '%s\n' CONFIG_DEBUG_FS=y CONFIG_LKST=y CONFIG_WERROR=y |
		configure "$OBJ/configs/i386" i386_defconfig && objects_build "$OBJ/configs/i386"
)

# A symbol of ours that a module refers to is one that we export.
exported()
{
	cd "$1"
	find kernel/trace/lkst arch -path '*lkst*' -name '*.o' -exec nm {} + 2>/dev/null |
		sed -n 's/.* __export_symbol_\(.*lkst.*\)/\1/p' | LC_ALL=C sort -u >exported
	[ -s exported ] || {
		echo 'nothing is exported'
		return 1
	}
	for object in $(changed_objects); do
		cmd=$(dirname "$object")/.$(basename "$object").cmd
		! grep -q -- -DMODULE "$cmd" 2>/dev/null || nm -u "$object"
	done | sed -n 's/^ *U \(.*lkst.*\)/\1/p' | LC_ALL=C sort -u >used
	[ -s used ] || {
		echo 'no module has a hook'
		return 1
	}
	LC_ALL=C comm -13 exported used >missing
	[ ! -s missing ] || {
		cat missing
		return 1
	}
}

allmod()
{
	out=$OBJ/configs/allmod
	point 'allmodconfig' allmod_builds
	point 'allmodconfig: what modules with hooks refer to' exported "$out"
}

allmod_builds()
{
	printf '%s\n' CONFIG_DEBUG_FS=y CONFIG_LKST=y | configure "$out" allmodconfig &&
		objects_build "$out"
}

one_random()
{
	out=$OBJ/configs/random
	printf '%s\n' CONFIG_64BIT=y CONFIG_DEBUG_FS=y CONFIG_LKST=y |
		KCONFIG_SEED=$1 configure "$out" randconfig || return 1
	cp "$out/.config" "$out/config.$1"
	objects_build "$out"
}

random()
{
	seed=$SEED
	while [ "$seed" -lt $((SEED + RANDOM_CONFIGS)) ]; do
		point "randconfig, seed $seed" one_random "$seed"
		seed=$((seed + 1))
	done
}

fetch tree build
"$TOP/scripts/tree.sh" >&2
[ $# -gt 0 ] || set -- alone groups nojump ibt i386 allmod random
for name; do
	case $name in
	alone) point 'LKST and next to nothing else' alone ;;
	groups)
		# shellcheck disable=SC2046 # a list of words
		each_group $(groups)
		;;
	LKST_*) each_group "$name" ;;
	nojump) point 'without jump labels' nojump ;;
	ibt) point 'IBT and call-depth tracking' ibt ;;
	i386) point 'i386_defconfig, warnings are errors' i386 ;;
	allmod) allmod ;;
	random) random ;;
	*) die "no configurations \"$name\"" ;;
	esac
done
[ "$point_failures" -eq 0 ]
