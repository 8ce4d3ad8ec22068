#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves the protocol of the blocks with spin, by looking at every order in which
# writers and readers can come between each other (selftests/model/block.pml). And
# tries the model: each fault that can be put into it must be found.
#
# usage: model.sh		LARGE=1: more records, and a second reader; minutes,
#				and gigabytes

set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/suites.sh"

fetch model
work=$OUT/model
rm -rf "$work"
mkdir -p "$work"

# explore NAME FLAG...: all states of the model; what spin found is in NAME.found
explore()
{
	dir=$work/$1
	shift
	mkdir -p "$dir"
	(
		cd "$dir"
		spin -a "$@" "$TOP/selftests/model/block.pml"
		gcc -O2 -w -DSAFETY -DCOLLAPSE -DMEMLIM=8192 -o pan pan.c
		./pan -m1000000 >found
	) || return 1
	# A search that was cut short proves nothing.
	grep -q '^State-vector ' "$dir/found" &&
		! grep -qE 'search depth too small|reached -DMEMLIM|out of memory' "$dir/found"
}

errors()
{
	sed -n 's/^State-vector .*, errors: //p' "$work/$1/found"
}

# holds NAME FLAG...: there is no order in which an assertion does not hold.
holds()
{
	explore "$@" && [ "$(errors "$1")" = 0 ] || {
		cat "$work/$1/found"
		return 1
	}
	sed -n 's/^ *\([0-9.e+]*\) states, stored.*/# \1 states/p' "$work/$1/found"
}

# found NAME FLAG...: there is one, which is a trail.
found()
{
	explore "$@" && [ "$(errors "$1")" = 1 ] || {
		cat "$work/$1/found"
		return 1
	}
}

faults()
{
	point 'visible before it is filled' found COMMIT_FIRST -DBUG_COMMIT_FIRST
	point 'a full block is not closed' found NOT_CLOSED -DBUG_NOT_CLOSED
	point 'a block is used again while it is written' found NOT_WHOLE -DBUG_NOT_WHOLE
	point 'an NMI shifts in the middle of a shift' found NO_FLAG -DBUG_NO_FLAG
	point 'a place behind the end is not given back' found NOT_TAKEN_BACK \
		-DBUG_NOT_TAKEN_BACK
	point 'a drop is not counted' found NOT_COUNTED -DBUG_NOT_COUNTED
	point 'a reader does not look at the number again' found NO_NUMBER \
		-DBUG_NO_NUMBER -DLOOKS
	point 'records are taken of whatever block it is now' found NO_TAG -DBUG_NO_TAG
	point 'the words are read in the other order' found SETTLED_ORDER \
		-DBUG_SETTLED_ORDER -DROOM=2
}

proofs()
{
	point 'blocks: writers nested three deep, and a reader' holds plain
	[ -n "${LARGE:-}" ] || return 0
	point 'blocks of two records' holds room -DROOM=2 -DTASKS=3
	point 'three blocks' holds blocks -DBLOCKS=3 -DTASKS=3
	point 'a reader that looks on' holds looks -DLOOKS
	point 'two interrupts, two NMIs' holds more -DINTERRUPTS=2 -DNMIS=2
}

suite 'model of the blocks' proofs
suite 'model: faults are found' faults
finish
