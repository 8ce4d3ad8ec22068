# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# An oops on purpose, for the tests that need one.

# provoke_oops: lkdtm writes to address 0 in a process of its own, whose id is in
# $TMP/pid; others go on. Not where the case is needed for lockdep afterwards.
provoke_oops() {
	[ -z "$SLOW" ] || skip 'an oops turns lockdep off until the next boot: see crash.sh'
	modprobe lkdtm 2>/dev/null || lack 'no lkdtm.ko'
	# Of x86; of arm64.
	expect 2 'BUG: kernel NULL pointer dereference|Oops: Oops: 0002|Unable to handle kernel NULL pointer dereference|Oops: 0000000096'
	panics=$(cat /proc/sys/kernel/panic_on_oops)
	ftrace=$(cat /sys/kernel/tracing/tracing_on 2>/dev/null) || ftrace=
	echo 0 >/proc/sys/kernel/panic_on_oops
	rc=0
	# shellcheck disable=SC2016
	sh -c 'echo $$; echo EXCEPTION >"$1"' - /sys/kernel/debug/provoke-crash/DIRECT \
		>"$TMP/pid" || rc=$?
	echo "$panics" >/proc/sys/kernel/panic_on_oops
	# It turns ftrace off.
	[ -z "$ftrace" ] || echo "$ftrace" >/sys/kernel/tracing/tracing_on
	[ "$rc" -ne 0 ]
}
