#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel that is locked down for confidentiality shows nobody its records. It stays so
# until the next boot: run by name only, and with LKST_TEST_LOCKDOWN=1.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

LEVEL=/sys/kernel/security/lockdown

locked_down() {
	[ -n "${LKST_TEST_LOCKDOWN:-}" ] || skip 'lasts until the next boot: LKST_TEST_LOCKDOWN=1'
	[ -e $LEVEL ] || mount -t securityfs none /sys/kernel/security
	[ -e $LEVEL ] || lack 'no CONFIG_SECURITY_LOCKDOWN_LSM'
	maskset quiet 'PROCESS_LTHREADGEN default'
	put maskset quiet
	taskset -p -c 0 $$ >/dev/null
	cpu=per_cpu/cpu0
	files="trace $cpu/trace trace_pipe $cpu/trace_pipe $cpu/trace_raw buffers/main/trace"
	files="$files buffers/main/${cpu#*/}/trace_raw"
	for f in $files; do
		put marker x
		dd bs=512 count=1 if="$LKST/$f" of="$TMP/got"
	done
	# Who had the file open before makes no probe either.
	if [ -e "$LKST/dynamic_events" ]; then
		exec 3>"$LKST/dynamic_events"
		echo 'p:before vfs_read' >&3
		echo 't:before2 sched:sched_switch' >&3
	fi
	echo confidentiality >$LEVEL
	if [ -e "$LKST/dynamic_events" ]; then
		for line in 'p:after vfs_read' 't:after sched:sched_switch' 't:after_* sched:*'; do
			if echo "$line" >&3; then
				return 1
			fi
		done
		exec 3>&-
	fi
	for f in $files; do
		fails 'not permitted' timeout 5 dd bs=512 count=1 if="$LKST/$f" of="$TMP/got"
	done
	# Recording goes on, and says how far it is.
	[ "$(key status tracing)" = 1 ]
}

t 'a kernel that is locked down shows no records' locked_down
finish
