# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the tests of memory events share. Sourced after lib.sh.
# shellcheck disable=SC2034

P=$BIN/provoke_memory

# record [LINE...]: records memory events, or those of the lines, from here.
record() {
	[ $# -gt 0 ] || set -- ':memory default'
	put buffers/main/size 16M
	maskset mem "$@"
	put maskset mem
}
