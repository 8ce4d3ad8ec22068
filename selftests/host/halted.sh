#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine that gdb has halted: the log of what lx-lkst writes has all counts, and what it
# prints is what "lkst dump" says of that, and of QEMU's own dumps. $VMLINUX is the kernel's, without debug
# information; $SCRIPT is lkst.py; $DUMP the lkst that reads dumps; $GUEST what starts the
# machine, with the socket for gdb as its argument; $OUT is /out there.

set -eu

tmp=$(mktemp -d)
trap 'touch "$OUT/go"; wait; rm -rf "$tmp"' EXIT
rm -f "$OUT/ready" "$OUT/go" "$OUT/lost"
sh -c "$GUEST" guest "$tmp/socket" >"$tmp/guest" 2>&1 &
n=0
while [ ! -e "$OUT/ready" ]; do
	[ $((n += 1)) -lt 600 ] || { cat "$tmp/guest"; exit 1; }
	sleep 0.1
done
set -x

# Of nobody's configuration, and with nothing but the one file.
gdb -nx -batch -ex "target remote $tmp/socket" -x "$SCRIPT" \
	-ex 'echo == status\n' -ex 'lx-lkst status' \
	-ex 'echo == last\n' -ex 'lx-lkst last 200' \
	-ex 'echo == cpu 0\n' -ex 'lx-lkst last 50 0' \
	-ex 'echo == cpu 1\n' -ex 'lx-lkst last 50 1' \
	-ex 'echo == core\n' -ex "lx-lkst core $tmp/core" -ex 'echo == end\n' \
	-ex "monitor dump-guest-memory $tmp/guest.elf" \
	-ex "monitor dump-guest-memory -z $tmp/guest.flat" \
	-ex 'python d = Directory(Memory())' \
	-ex 'python end = d.virt(d.lists[-1][0]) + 8' \
	-ex 'python d.memory.inferior.write_memory(end, struct.pack("<Q", d.blocks))' \
	-ex 'echo == circle\n' -ex 'lx-lkst status' -ex 'echo == end\n' \
	-ex 'python d.memory.inferior.write_memory(end, bytes(8))' \
	-ex detach "$VMLINUX" >"$tmp/gdb" 2>"$tmp/gdb.err" || { cat "$tmp/gdb.err"; exit 1; }
touch "$OUT/go"
part() { sed -n "/^== $1\$/,/^== /{/^== /!p}" "$tmp/gdb"; }

"$DUMP" dump -o "$tmp/log" "$tmp/core"
"$DUMP" buffer print -f "$tmp/log" >"$tmp/text"
awk '/ LKST_MARKER / { sub(/.*count /, ""); if ($1 != last + 1) exit 1; last = $1 }
	END { exit last != 51 }' "$tmp/text"

# The same of what QEMU dumps of it, ELF and compressed, where nothing says where LKST is.
makedumpfile -R "$tmp/guest.z" <"$tmp/guest.flat" >/dev/null 2>&1
"$DUMP" dump --report "$tmp/guest.elf" >"$tmp/report"
for dump in guest.elf guest.z; do
	"$DUMP" dump -o "$tmp/$dump.log" "$tmp/$dump"
	"$DUMP" buffer print -r -f "$tmp/$dump.log" >"$tmp/$dump.text"
	"$DUMP" buffer print -r -f "$tmp/log" | cmp - "$tmp/$dump.text"
	rm "$tmp/$dump"
done

# What found no place after the last block was begun was counted elsewhere. That is in
# QEMU's dumps only.
[ -s "$OUT/lost" ]
sed -n 's/^CPU \([0-9]*\), buffer full: .*, \([0-9]*\) found no place$/\1 \2/p' "$tmp/report" |
	cmp - "$OUT/lost"

# What gdb counts are those of the log, and those that were being written.
part status >"$tmp/status"
grep -qx 'stopped_by: no' "$tmp/status"
awk '/^(main|full|names) / { n += $4; torn += $5 } END { print n - torn }' "$tmp/status" >"$tmp/records"
grep -vc '^#' "$tmp/text" | cmp - "$tmp/records"

# Of a list that leads back to its start it says so, and has all of it.
part circle | cmp - "$tmp/status"
grep -q '^The list of blocks is damaged: it has \([0-9]*\) of \1\.$' "$tmp/gdb.err"

# CPU, PID, event and time.
fields() { sed -E 's/^ *([^ ]*-)?([0-9]+) +\[([0-9]+|---)\] +([^ ]{4} +)?([0-9.]+): +([A-Z_0-9]+).*/\3 \2 \6 \5/'; }

# agree N: gdb has shown so many records, and those of the log, in their order. Times are
# reckoned from other samples of the clocks: all are off by the same, which is as long as
# the host left a CPU alone that took one. gdb does not look which records are torn.
torn=$(awk '/^(main|full|names) / { torn += $5 } END { print torn }' "$tmp/status")
agree() {
	[ "$(wc -l <"$tmp/last")" -eq "$1" ]
	[ "$torn" -eq 0 ] || return 0
	paste -d ' ' "$tmp/last" "$tmp/wanted" | awk '
		{ late = $4 - $8 }
		NR == 1 { off = late }
		$1 != $5 || $2 != $6 || $3 != $7 || (late - off) ^ 2 > 1e-10 || off ^ 2 > 1e-4 {
			print; bad++ }
		END { exit bad > 0 }'
}

# The last ones of each CPU, and of all: these by CPU, as two may have the same time.
grep -v '^#' "$tmp/text" | fields >"$tmp/all"
for cpu in 0 1; do
	part "cpu $cpu" | fields >"$tmp/last"
	grep "^00$cpu " "$tmp/all" | tail -n 50 >"$tmp/wanted"
	agree 50
done
part last | fields | sort -s -k 1,1 >"$tmp/last"
tail -n 200 "$tmp/all" | sort -s -k 1,1 >"$tmp/wanted"
agree 200

wait
grep . "$tmp/guest" && exit 1
exit 0
