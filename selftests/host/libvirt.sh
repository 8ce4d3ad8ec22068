#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The dumps that libvirt makes of a guest: all counts are in each. $IMAGE is
# the kernel, $DUMP the lkst that reads dumps. For root.

set -eu

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

# A guest that has counted, and goes on recording.
guest=lkst
root=$tmp/root
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys"
cp /bin/busybox "$root/bin/"
cp "$(dirname "$0")/counted.sh" "$root/"
cat >"$root/init" <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t devtmpfs devtmpfs /dev
mount -t sysfs sysfs /sys
mount -t debugfs debugfs /sys/kernel/debug
sh /counted.sh
while :; do
	sleep 1
done
END
chmod 755 "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$tmp/initrd"

cat >"$tmp/guest.xml" <<END
<domain type='qemu'>
  <name>$guest</name>
  <memory unit='MiB'>256</memory>
  <vcpu>2</vcpu>
  <os>
    <type arch='x86_64' machine='pc'>hvm</type>
    <kernel>$IMAGE</kernel>
    <initrd>$tmp/initrd</initrd>
    <cmdline>console=ttyS0 panic=-1 tsc=reliable no_timer_check</cmdline>
  </os>
  <features><acpi/><apic/></features>
  <cpu mode='maximum'/>
  <devices>
    <serial type='file'><source path='$tmp/console'/></serial>
    <memballoon model='none'/>
  </devices>
</domain>
END

# libvirt's driver within virsh: no daemon, and no file but below its root. The guest ends
# with it.
mkdir -p "$tmp/driver/etc"
cat >"$tmp/driver/etc/qemu.conf" <<END
user = "root"
group = "root"
stdio_handler = "file"
security_driver = "none"
cgroup_controllers = []
namespaces = []
END
{
	echo "create $tmp/guest.xml"
	n=0
	until grep -q 'lkst-test: counted' "$tmp/console" 2>/dev/null; do
		[ $((n += 1)) -lt 600 ] || break
		sleep 0.1
	done
	echo "dump --memory-only $guest $tmp/guest.elf"
	echo "dump --memory-only --format kdump-zlib $guest $tmp/guest.flat"
	echo "destroy $guest"
} | virsh -c "qemu:///embed?root=$tmp/driver" >"$tmp/virsh" 2>&1
grep -c "^Domain '$guest' dumped" "$tmp/virsh" | grep -qx 2 || {
	cat "$tmp/virsh" "$tmp/console"
	exit 1
}

# kdump-zlib is written as for a pipe, which "lkst dump" says.
"$DUMP" dump --last 1 "$tmp/guest.flat" 2>"$tmp/says" && exit 1
grep -q 'makedumpfile -R' "$tmp/says"
makedumpfile -R "$tmp/guest.z" <"$tmp/guest.flat" >/dev/null
for file in guest.elf guest.z; do
	"$DUMP" dump -o "$tmp/log" "$tmp/$file" 2>"$tmp/says"
	"$DUMP" buffer print -f "$tmp/log" >"$tmp/text" 2>&1
	awk '/ LKST_MARKER / { sub(/.*count /, ""); if ($1 != last + 1) exit 1; last = $1 }
		END { exit last != 51 }' "$tmp/text"
done
