#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine with Debian 12, systemd and kdump-tools panics: what "make install-kdump" put
# there saves the log, beside the memory and instead of it. $IMAGE is the kernel, $KSRC its
# tree, $TOOLS where the tools are built with libkdumpfile. For root; some minutes.

set -eu

here=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

# === The machine ===

root=$tmp/root
# From where this one has its packages.
# shellcheck disable=SC2016 # apt's variable
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
	'Origin: Debian' 'Codename: bookworm' | sed -n 1p)
mmdebstrap --variant=apt --aptopt='APT::Install-Recommends false' \
	--include=systemd-sysv,udev,kdump-tools,makedumpfile,libkdumpfile10 \
	bookworm "$root" "$mirror" >"$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; exit 1; }
make -s -C "$KSRC/tools/tracing/lkst" --no-print-directory OUTPUT="$TOOLS/" LIBKDUMPFILE=1 \
	DESTDIR="$root" bindir=/usr/bin install-kdump
cp "$IMAGE" "$root/boot/vmlinuz"
# What it needs is built in: no initrd.
cat >"$root/etc/default/kdump-tools" <<-END
	USE_KDUMP=1
	KDUMP_KERNEL=/boot/vmlinuz
	KDUMP_COREDIR=/var/crash
END
{
	cat "$here/counted.sh"
	echo 'echo c >/proc/sysrq-trigger'
} >"$root/usr/local/sbin/counted"
cat >"$root/etc/systemd/system/counted.service" <<-END
	[Unit]
	After=kdump-tools.service
	[Service]
	Type=oneshot
	ExecStart=/bin/sh /usr/local/sbin/counted
END
ln -s ../counted.service "$root/etc/systemd/system/multi-user.target.wants/"

# === What it leaves ===

# panics MODE: how many dumps of the memory it leaves, as $dumps, and the log in $tmp/crash
panics()
{
	echo "LKST_VMCORE=$1" >"$root/etc/default/lkst-kdump"
	rm -rf "$tmp/disk" "$tmp/crash"
	truncate -s 1G "$tmp/disk"
	mke2fs -q -t ext4 -d "$root" "$tmp/disk"
	# One CPU: several of TCG stumble over code that is being changed (scripts/tcg_int3).
	timeout 600 qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none \
		-machine pc -accel tcg -cpu max -m 1G -kernel "$IMAGE" \
		-append 'root=/dev/vda rw console=ttyS0 panic=-1 tsc=reliable no_timer_check
			crashkernel=256M' -serial "file:$tmp/console" \
		-drive "file=$tmp/disk,format=raw,if=virtio"
	# What is in the journal only goes where it belongs; 1 is "errors corrected".
	e2fsck -p "$tmp/disk" >"$tmp/log" || [ $? -eq 1 ]
	debugfs -R "rdump /var/crash $tmp" "$tmp/disk" >"$tmp/log" 2>&1
	dumps=$(find "$tmp/crash" -name 'dump.*' | wc -l)
}

# saved MODE DUMPS: the log has all counts, the report the reason
saved()
{
	panics "$1"
	[ "$dumps" -eq "$2" ] &&
		grep '^panic on CPU 0, .*(sh): sysrq triggered crash$' "$tmp"/crash/lkst-*/report &&
		"$TOOLS/lkst" buffer print -f "$tmp"/crash/lkst-*/lkst.log >"$tmp/text" &&
		awk '/ LKST_MARKER / { sub(/.*count /, ""); if ($1 != last + 1) exit 1; last = $1 }
			END { exit last != 51 }' "$tmp/text" &&
		return
	echo "LKST_VMCORE=$1: $dumps dumps"
	find "$tmp/crash" -name report -exec cat {} +
	tail -n 40 "$tmp/console"
	exit 1
}

saved beside 1
saved instead 0
