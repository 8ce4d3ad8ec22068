#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Shows that with CONFIG_LKST=n the kernel's code is what it is without the
# series: disassembles vmlinux of both and compares, instruction by instruction,
# addresses and operands included. Symbols and line numbers, which are data, may
# differ.

set -eu
. "$(dirname "$0")/lib.sh"

fetch build
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
if cmp -s "$dir/stock-off" "$dir/off"; then
	echo "CONFIG_LKST=n: $instructions instructions of vmlinux, all those of the stock kernel"
	rm -rf "$dir"
else
	diff -u "$dir/stock-off" "$dir/off" | head -n 40 >&2
	die "the code differs; see $dir"
fi
