#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Every system call of System V IPC, with its arguments, by each of the ways that a
# program has to make it.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# calls HOW: all calls of provoke_ipc are told, in order, and nothing else.
calls() {
	maskset ipc ':ipc default'
	put maskset ipc
	rc=0
	"$BIN/provoke_ipc" "$1" >"$TMP/want" || rc=$?
	stop
	[ $rc -ne 4 ] || skip "no such calls on this architecture"
	[ $rc -eq 0 ]
	nothing_overwritten
	dump
	pid=$(awk 'NR == 1 { print $1 }' "$TMP/want")
	awk -v p="$pid" '$3 == p && $5 == "SYSV_IPC"' "$TMP/dump" | sort -n -k2 |
		cut -d' ' -f3,5- >"$TMP/got"
	diff "$TMP/want" "$TMP/got"
}

ipc_native() {
	calls native
}

ipc_compat() {
	calls compat
}

ipc_direct() {
	calls direct
}

t 'semaphores, messages and shared memory' ipc_native
t 'the same by ipc(2) of a 32-bit program' ipc_compat
t 'the same by the other calls of a 32-bit program' ipc_direct
finish
