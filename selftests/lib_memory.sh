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

# need_memcg: a cgroup of its own for memory, $cg.
need_memcg() {
	cg=/sys/fs/cgroup
	[ -e $cg/cgroup.controllers ] || {
		mkdir -p $cg
		mount -t cgroup2 none $cg || lack "no cgroup2"
	}
	grep -q memory $cg/cgroup.controllers || lack "no memory controller"
	echo +memory >$cg/cgroup.subtree_control
	cg=$cg/lkst_test
	[ ! -d $cg ] || rmdir $cg
	mkdir $cg
}
