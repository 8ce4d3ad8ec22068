#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Shows that with CONFIG_LKST=n the kernel's code is what it is without LKST, that is,
# with those patches of the series alone that are meant for mainline: disassembles
# vmlinux of both and compares, instruction by instruction, addresses and operands
# included. Symbols may differ, and so may the number of a line that some warnings tell
# (__LINE__), where the line is the same and stands further down.

set -eu
. "$(dirname "$0")/lib.sh"

fetch build
"$TOP/scripts/tree.sh" stock-off >&2
for name in stock-off off; do
	KERNEL=$name "$TOP/scripts/kernel.sh" >&2
done

dir=$OUT/unchanged
mkdir -p "$dir"

# The symbol in "call ffffffff81000000 <symbol>" and "# ffffffff82000000 <symbol>"
# may be another name of the same address.
disassemble()
{
	objdump -d --no-show-raw-insn "$BUILD/obj/$1/vmlinux" |
		sed 's/ <[^>]*>//; /file format/d' >"$dir/$1"
}

disassemble stock-off
disassemble off
instructions=$(grep -c '^ *[0-9a-f]*:' "$dir/off")
[ "$instructions" -gt 100000 ] || die "only $instructions instructions: not a kernel"

# Lines "NUMBER NUMBER", one each for the places where only a number differs that is
# loaded into a register; "other" for what is different otherwise.
numbers()
{
	paste -d'|' "$dir/stock-off" "$dir/off" | awk -F'|' '
	$1 == $2 { next }
	{
		a = $1
		b = $2
		if (!match(a, /mov +\$0x[0-9a-f]+,%/)) { print "other"; next }
		x = substr(a, RSTART, RLENGTH)
		a = substr(a, 1, RSTART - 1) substr(a, RSTART + RLENGTH)
		if (!match(b, /mov +\$0x[0-9a-f]+,%/)) { print "other"; next }
		y = substr(b, RSTART, RLENGTH)
		b = substr(b, 1, RSTART - 1) substr(b, RSTART + RLENGTH)
		gsub(/.*\$|,%/, "", x)
		gsub(/.*\$|,%/, "", y)
		print a == b ? x " " y : "other"
	}'
}

# The line $1 of a file of the kernel without LKST is the line $2 of the same file with the
# series, and tells its number.
moved_line()
{
	for file in $files; do
		line=$(sed -n "$(($1))p" "$BUILD/stock-off/$file" 2>/dev/null)
		case $line in
		*ASSERT_RTNL*|*WARN*|*BUG*)
			[ "$line" != "$(sed -n "$(($2))p" "$BUILD/linux/$file")" ] || return 0
			;;
		esac
	done
	return 1
}

files=$(sed -n 's,^+++ b/\(.*\.[ch]\)$,\1,p' "$TOP"/patches/*.patch | LC_ALL=C sort -u)
numbers >"$dir/numbers"
lines=0
while read -r stock patched; do
	if [ "$stock" = other ] || ! moved_line "$stock" "$patched"; then
		diff -u "$dir/stock-off" "$dir/off" | head -n 40 >&2
		die "the code differs; see $dir"
	fi
	lines=$((lines + 1))
done <"$dir/numbers"
echo "CONFIG_LKST=n: $instructions instructions of vmlinux, all those of the kernel without LKST;" \
	"$lines of them tell the number of a line that has moved"
rm -rf "$dir"
