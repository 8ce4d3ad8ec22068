#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Boots KERNEL in QEMU and runs CMD there as root; prints what CMD prints and
# nothing else, and exits with its status. Exits with 124 if it took longer
# than TIMEOUT, with 125 if the kernel complained or the guest ended before CMD
# did; the end of the console is then on standard error.
#
# usage: run.sh [COMMAND]	without one: an interactive shell
#
# Environment, beside that of lib.sh:
#   SMP=2 MEM=1G	the machine
#   MAXCPUS=SMP		CPUs that it may have: those that are not there could be plugged in
#   APPEND=		more of the kernel's command line
#   ICOUNT=		1: one CPU on which an instruction takes a nanosecond
#   TIMEOUT=300		seconds
#   ACCEL=		tcg, or kvm where the processor can
#   ONE_THREAD=		1: with tcg, all CPUs take turns in one thread of the host; no two
#			instructions at once, but a fifth less work where CPUs are busy
#   CONSOLE=		file for the console, kept
#   RESETS=		1: a guest that resets itself boots again, with what its memory holds
#			and as a boot loader would, and CMD starts again; what CMD prints comes
#			at the end
#   QEMU=		more arguments for QEMU
#
# The guest has the repository at /src, out/ at /out (writable), the modules and
# the tools of KERNEL at /guest, the host's files at /host.

set -eu
. "$(dirname "$0")/lib.sh"

: "${SMP:=2}" "${MEM:=1G}" "${APPEND:=}" "${ICOUNT:=}" "${TIMEOUT:=300}"
: "${ACCEL:=}" "${ONE_THREAD:=}" "${CONSOLE:=}" "${RESETS:=}" "${QEMU:=}"

# What a kernel says when something is wrong.
COMPLAINT='Kernel panic|Oops|(^|[^E])BUG[: ]|WARNING: |general protection fault'
COMPLAINT="$COMPLAINT|unable to handle|\\[ cut here \\]|Call Trace:"
COMPLAINT="$COMPLAINT|INFO: (possible|suspicious|task|trying to register)"
COMPLAINT="$COMPLAINT|rcu: INFO|soft lockup|detected stall"
COMPLAINT="$COMPLAINT|K(A|C|M)SAN: |UBSAN: |kmemleak: [0-9]+ new"
COMPLAINT="$COMPLAINT|possible (circular|recursive|irq lock)"
COMPLAINT="$COMPLAINT|unchecked MSR|nobody cared|cannot create duplicate"
COMPLAINT="$COMPLAINT|guest-init: "

[ $# -eq 0 ] || [ -n "$1" ] || die "CMD is missing: make run CMD='uname -a'"
[ "$ARCH" != um ] || die "user-mode Linux is no guest: scripts/um.sh runs its KUnit tests"
fetch run
image=$OBJ/$KERNEL/vmlinux
[ "$ARCH" = x86_64 ] || image=$OBJ/$KERNEL/arch/$ARCH/boot/Image
[ -f "$image" ] || "$TOP/scripts/kernel.sh" >&2
if [ -n "$RESETS" ]; then
	[ "$ARCH" = x86_64 ] || die "RESETS=1 is for x86_64"
	image=$OBJ/$KERNEL/arch/x86/boot/bzImage
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP

busybox=/bin/busybox
if [ "$ARCH" != x86_64 ]; then
	unpack_foreign "$ARCH" "$OBJ/busybox" busybox-static
	busybox=$OBJ/busybox/bin/busybox
fi

# The initramfs: busybox, its names, /init, and the command. The host's programs
# are there where they are of the guest's architecture.
make_initramfs()
{
	root=$dir/root
	mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" \
		"$root/run" "$root/root" "$root/etc" "$root/lib" "$root/mnt"
	cp "$busybox" "$root/bin/"
	# Debian builds all of them from one configuration.
	for applet in $(/bin/busybox --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
	done
	ln -s bin "$root/sbin"
	if [ "$ARCH" = "$(uname -m)" ]; then
		ln -s host/usr "$root/usr"
		ln -s host/usr/lib64 "$root/lib64"
	fi
	printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' \
		'nobody:x:65534:65534:nobody:/:/bin/false' >"$root/etc/passwd"
	printf '%s\n' 'root:x:0:' 'nogroup:x:65534:' >"$root/etc/group"
	cp "$TOP/scripts/guest-init" "$root/init"
	chmod 755 "$root/init"
	cat >"$root/etc/guest" <<-ENVIRONMENT
	export LKST_KERNEL=$KERNEL
	export LKST_TEST_BIN=/guest/selftests LKST_TEST_MOD=/guest/selftests
	TTY_SIZE='$(stty size 2>/dev/null)'
	RESETS=$RESETS
	ENVIRONMENT
	[ -n "$ICOUNT" ] || [ "$ACCEL" != tcg ] ||
		find "$GUEST/$KERNEL" -name tcg_int3.ko -exec cp {} "$root/lib/" \;
	[ $# -eq 0 ] || printf '%s\n' "$1" >"$root/cmd"
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$dir/initrd"
}

share()
{
	echo "-fsdev local,id=$1,path=$2,security_model=none,multidevs=remap$3" \
		"-device virtio-9p-pci,fsdev=$1,mount_tag=$1"
}

if [ -z "$ACCEL" ]; then
	ACCEL=tcg
	if [ "$ARCH" = x86_64 ] && grep -qwE 'vmx|svm' /proc/cpuinfo && [ -w /dev/kvm ]; then
		ACCEL=kvm
	fi
fi
case $ACCEL in
kvm) cpu=host ;;
*) cpu=max ;;
esac

# Where there is ERMS the kernel clears and copies pages by bytes, which TCG does one by
# one. With SMAP it keeps a second TLB, for what the kernel does between STAC and CLAC, and
# ends a block at each of them: a twelfth of what fork and exec take with lockdep. Without
# lockdep it is there: who comes to user memory in a wrong way is found.
# What is counted goes on as it was: those bytes are instructions there.
if [ "$cpu" = max ] && [ -z "$ICOUNT" ]; then
	cpu=max,-erms
	! grep -q '^CONFIG_LOCKDEP=y' "$OBJ/$KERNEL/.config" || cpu=$cpu,-smap
fi

args="-accel $ACCEL"
[ -z "$ONE_THREAD" ] || [ "$ACCEL" != tcg ] || args="$args,thread=single"
case $ARCH in
x86_64)
	machine=pc
	append="console=ttyS0 earlyprintk=ttyS0 panic=-1 reboot=t tsc=reliable"
	append="$append no_timer_check"
	;;
arm64)
	machine=virt,gic-version=3
	cpu=cortex-a57
	append='console=ttyAMA0 earlycon panic=-1'
	;;
esac
if [ -n "$ICOUNT" ]; then
	SMP=1
	args='-accel tcg -icount shift=0,sleep=off'
	[ "$ARCH" != x86_64 ] || append="$append tsc_early_khz=1000000"
elif [ "$ACCEL" = tcg ] && [ "$ARCH" = x86_64 ]; then
	# The guest's counter is the host's. Measured against the emulated timer,
	# it comes out as unusable when the host is busy, and what a CPU but the first
	# takes for a microsecond as half of it or less.
	hz=$(sed -n 's/^CONFIG_HZ=//p' "$OBJ/$KERNEL/.config")
	append="$append $(awk -v hz="$hz" '/^cpu MHz/ {
		printf "tsc_early_khz=%d lpj=%d\n", $4 * 1000, $4 * 1000000 / hz; exit }' /proc/cpuinfo)"
fi

mkdir -p "$OUT" "$GUEST/$KERNEL/lib/modules"
make_initramfs "$@"

if [ $# -eq 0 ]; then
	ports='-chardev stdio,id=tty,signal=off
		-device virtio-serial-pci -device virtconsole,chardev=tty'
	limit=
else
	ports='-chardev file,id=out,path=/dev/fdset/1,append=on -add-fd fd=3,set=1
		-device virtio-serial-pci,ioeventfd=off
		-device virtserialport,chardev=out,name=out
		-device virtserialport,chardev=status,name=status'
	ports="$ports -chardev file,id=status,path=$dir/status"
	limit="timeout -k 5 $TIMEOUT"
fi
# To reset is not to end then: guest-init writes to that port.
[ -z "$RESETS" ] || QEMU="-action reboot=reset -device isa-debug-exit,iobase=0x501,iosize=1 $QEMU"

: "${MAXCPUS:=$SMP}"
emulated=$ARCH
[ "$ARCH" != arm64 ] || emulated=aarch64

qemu()
{
	# shellcheck disable=SC2046,SC2086 # lists of words
	$limit "qemu-system-$emulated" -nodefaults -no-user-config -no-reboot \
		-display none -machine $machine $args -cpu $cpu -smp "$SMP,maxcpus=$MAXCPUS,sockets=$MAXCPUS" -m "$MEM" \
		-kernel "$image" -initrd "$dir/initrd" -append "$append $APPEND" \
		-chardev file,id=console,path="$dir/console" \
		-serial chardev:console $ports \
		$(share host / ,readonly=on) $(share src "$TOP" ,readonly=on) \
		$(share guest "$GUEST/$KERNEL" ,readonly=on) \
		$(share out "$OUT" '') $QEMU
}

# What the kernel complained of, a line each with its number. Of the data races
# that KCSAN finds, and a kernel without LKST has its own, only those with LKST
# in either stack, up to what an interrupt came to. What a test has provoked on
# purpose is none: from a line "lkst-test: expect N PATTERN", N or * for any, to a line
# "lkst-test: expected" there are N lines that match PATTERN, and stack traces.
complaints()
{
	COMPLAINT=$COMPLAINT awk '
	function close_span()
	{
		if (open && (want != "*" && got != want))
			print NR ":expected " want ", came " got ": " pattern
		open = 0
	}
	{ sub(/\r$/, "") }
	/lkst-test: expect [0-9*]/ {
		close_span()
		sub(/.*lkst-test: expect /, "")
		want = $1
		got = 0
		sub(/^[0-9*]+ /, "")
		pattern = $0
		open = 1
		next
	}
	/lkst-test: expected$/ { close_span(); next }
	open && $0 ~ pattern { got++; next }
	open && /\[ cut here \]|Call Trace:/ { next }
	/BUG: KCSAN: / { race = NR ":" $0; next }
	race && / by (task|interrupt)/ { stack = 1 }
	race && / asm_| Comm: / { stack = 0 }
	race && stack && /lkst/ { print race; race = "" }
	race && /==================/ { race = "" }
	$0 ~ ENVIRON["COMPLAINT"] { print NR ":" $0 }
	END { close_span() }' "$dir/console"
}

complain()
{
	cp "$dir/console" "$OUT/console.log"
	say "run: the end of $OUT/console.log:"
	tail -n 60 "$dir/console" | tr -d '\r' >&2
	say "run: $1"
	exit "$2"
}

if [ $# -eq 0 ]; then
	: >"$dir/console"
	qemu || die 'QEMU failed'
	exit 0
fi

boot()
{
	: >"$dir/console"
	: >"$dir/status"
	{
		ended=0
		qemu 3>&1 >"$dir/qemu.log" 2>&1 </dev/null || ended=$?
		echo "$ended" >"$dir/ended"
	} | if [ -n "$RESETS" ]; then cat >"$dir/said"; else cat; fi
}

# What goes wrong under TCG before the command has started is tried again: the
# race that tcg_int3.c is about, and timers that a busy host has held up. What has been
# printed by then is none of the command's; with RESETS it can be, and is held back.
FALSE_START='Oops: int3|APIC timer disabled|Marking TSC unstable'

# What the command ended with. A crash kernel writes to the port as well.
status()
{
	sed -n '/^[0-9]/p' "$dir/status" | tail -n 1
}

# Is there nothing to be tried again? A reset starts the command again, so that any boot of
# those may have gone wrong, unless all did well.
settled()
{
	[ -s "$dir/status" ] || return 1
	[ -z "$RESETS" ] || { [ "$(status)" = 0 ] && [ -z "$(complaints)" ]; }
}

# Or QEMU 7.2 itself crashes: memory_region_dispatch_write() is called with no region.
false_start()
{
	grep -qE "$FALSE_START" "$dir/console" || [ "$(cat "$dir/ended")" = 139 ]
}

boot
for _ in 1 2 3 4 5 6; do
	if settled || ! false_start; then
		break
	fi
	boot
done

[ -z "$RESETS" ] || cat "$dir/said"
[ -z "$CONSOLE" ] || cp "$dir/console" "$CONSOLE"
read -r ended <"$dir/ended"
[ "$ended" -ne 124 ] || complain "no end after $TIMEOUT s" 124
# What isa-debug-exit makes of a 0.
[ -z "$RESETS" ] || [ "$ended" -ne 1 ] || ended=0
[ "$ended" -eq 0 ] || { cat "$dir/qemu.log" >&2; die "QEMU exits with $ended"; }
complaints >"$dir/complaints"
if [ -s "$dir/complaints" ]; then
	complain "the kernel complained: $(head -n 5 "$dir/complaints")" 125
fi
[ -n "$(status)" ] || complain 'the guest ended before the command' 125
exit "$(status)"
