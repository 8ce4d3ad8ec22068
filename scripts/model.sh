#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves the protocols of blocks, masksets and snapshots with spin, by looking at every order
# in which those who take part can come between each other (selftests/model/). And
# tries the models: each fault that can be put into them must be found. What was explored once,
# with the same models, options and tools, is not explored again.
#
# usage: model.sh		LARGE=1: more records, and a second reader; minutes,
#				and gigabytes

set -eu
. "$(dirname "$0")/lib.sh"
work=$OUT/model
# Not beside those of a make check that this is a test of.
export RESULTS="$work/results"
. "$(dirname "$0")/suites.sh"

fetch model
rm -rf "$work"
mkdir -p "$work"

# What was found before is in BUILD/model, under the sum of all that it depends on.
known()
{
	{
		spin -V
		gcc --version
		printf '%s\n' "$@"
		cat "$TOP"/selftests/model/*.pml "$TOP/scripts/model.sh"
	} | sha256sum | cut -d ' ' -f 1
}

# explore NAME MODEL FLAG...: all states of it; what spin found is in NAME/found
explore()
{
	dir=$work/$1
	model=$TOP/selftests/model/$2.pml
	shift
	known=$BUILD/model/$(known "$@")
	shift
	mkdir -p "$dir" "$BUILD/model"
	if [ -f "$known" ]; then
		cp "$known" "$dir/found"
		return
	fi
	(
		cd "$dir"
		spin -a "$@" "$model"
		ccache gcc -O2 -w -DSAFETY -DCOLLAPSE -DMEMLIM=16384 -o pan pan.c
		./pan -m1000000 >found
	) || return 1
	# A search that was cut short proves nothing.
	grep -q '^State-vector ' "$dir/found" &&
		! grep -qE 'search depth too small|reached -DMEMLIM|out of memory' "$dir/found" &&
		cp "$dir/found" "$known.new" && mv "$known.new" "$known"
}

errors()
{
	sed -n 's/^State-vector .*, errors: //p' "$work/$1/found"
}

# holds NAME MODEL FLAG...: there is no order in which an assertion does not hold.
holds()
{
	if ! explore "$@" || [ "$(errors "$1")" != 0 ]; then
		cat "$work/$1/found"
		return 1
	fi
	sed -n 's/^ *\([0-9.e+]*\) states, stored.*/# \1 states/p' "$work/$1/found"
}

# found MODEL FAULT [FLAG...]: there is one, which is a trail.
found()
{
	fault=$1-$2
	of=$1
	shift 2
	if ! explore "$fault" "$of" "-DBUG_${fault#*-}" "$@" || [ "$(errors "$fault")" != 1 ]; then
		cat "$work/$fault/found"
		return 1
	fi
}

# A buffer that loses a block and gets another one.
resize='-DRESIZE -DBLOCKS=3'

# Masksets with all who may switch, and nobody who looks on.
several='-DHOOKS=0 -DSWITCHERS=2 -DEDITORS=0 -DSTOPPERS=1'
# Two who switch while a maskset is given another table.
edit='-DHOOKS=1 -DTIMES=1 -DSWITCHERS=2'

# A snapshot while a handler sends its own CPU to the buffer that gets it; two snapshots.
own='-DSWITCHES=0 -DALONE=1'
twice='-DSWITCHES=0 -DSNAPSHOTS=2'

# shellcheck disable=SC2086 # a list of words
faults()
{
	point 'visible before it is filled' found block COMMIT_FIRST
	point 'a full block is not closed' found block NOT_CLOSED
	point 'a block is used again while it is written' found block NOT_WHOLE
	point 'an NMI shifts in the middle of a shift' found block NO_FLAG
	point 'a place behind the end is not given back' found block NOT_TAKEN_BACK
	point 'a drop is not counted' found block NOT_COUNTED
	point 'a reader does not look at the number again' found block NO_NUMBER -DLOOKS
	point 'records are taken of whatever block it is now' found block NO_TAG
	point 'the words are read in the other order' found block SETTLED_ORDER -DROOM=2
	point 'a block is dropped while it is written' found block DROP_WRITTEN $resize -DTASKS=1
	point 'what is dropped is not counted' found block DROP_UNCOUNTED $resize -DTASKS=1
	point 'a ring is laid out anew while its CPU goes on' \
		found block NOT_CORRECTED $resize -DTASKS=1
	point 'a dropped block is freed at once' \
		found block FREED_EARLY $resize -DTASKS=1 -DINTERRUPTS=3 -DNMIS=0
	point 'an NMI jumps, and a shift stores its block over that' found block JUMP_UNDONE -DJUMPS
	point 'a shift to a buffer that nothing is linked to any more' \
		found block LINK_NO_WAIT -DJUMPS
	point 'a buffer that a handler holds is deleted' found block DELETE_HELD -DJUMPS
	point 'a buffer is freed with a writer in it' found block DELETED_EARLY -DJUMPS

	point 'who publishes does not look again' found maskset NO_SECOND_LOOK
	point 'a hook can be preempted' found maskset PREEMPTIBLE
	point 'who switches stores whatever there is' found maskset STORE $several
	point 'who switches does not look behind' found maskset NO_LOOK_BEHIND $several
	point 'who switches looks at the maskset alone' found maskset LOOK_AT_NAME $edit
	point 'a maskset has the table that means stopped' found maskset SAME_NOTHING $several
	point 'one grace period, not two' found maskset ONE_GRACE -DHOOKS=1 -DTIMES=1 -DSTOPPERS=1
	point 'no grace period' found maskset NO_GRACE
	point 'a table is freed before another is there' found maskset FREED_FIRST

	point "a jump takes another one's target" found snapshot TWO_WORDS
	point 'a snapshot of the current buffer to itself' found snapshot OWN
	point 'a snapshot to the buffer of one CPU' found snapshot OWN_CPU $own
	point 'a snapshot that is asked for while one is made' found snapshot DUE_LATE $twice
	point 'a jump that is asked for during another' \
		found snapshot NOT_AGAIN -DWRITES=1 -DEVENTS=1 -DSNAPSHOTS=0
}

proofs()
{
	point 'blocks: writers nested three deep, and a reader' holds plain block
	point 'blocks: what was not read is kept' holds discard block -DDISCARD
	# shellcheck disable=SC2086 # a list of words
	point 'blocks: the buffer is resized' holds resize block $resize -DTASKS=1
	point 'blocks: jumps, a link, and a buffer that is deleted' holds jumps block -DJUMPS
	point 'masksets: hooks, a handler that switches, an edit, a module that goes' \
		holds masksets maskset
	# shellcheck disable=SC2086 # a list of words
	point 'masksets: two handlers that switch, one that stops' holds several maskset $several
	# shellcheck disable=SC2086 # a list of words
	point 'masksets: two handlers that switch, an edit' holds edit maskset $edit
	point 'snapshots: a handler that takes one, another that jumps to it' \
		holds snapshot snapshot
	# shellcheck disable=SC2086 # a list of words
	point 'snapshots: a handler that sends its own CPU there' holds own snapshot $own
	# shellcheck disable=SC2086 # a list of words
	point 'snapshots: two' holds twice snapshot $twice
	point 'snapshots: a jump by hand' holds by-hand snapshot -DWRITES=1 -DEVENTS=1
	[ -n "${LARGE:-}" ] || return 0
	point 'three handlers that switch' holds three maskset -DHOOKS=0 -DSWITCHERS=3 -DEDITORS=0
	point 'blocks of two records' holds room block -DROOM=2 -DTASKS=3
	point 'three blocks' holds blocks block -DBLOCKS=3 -DTASKS=3
	# shellcheck disable=SC2086 # a list of words
	point 'resized, two records by tasks' holds tasks block $resize
	# shellcheck disable=SC2086 # a list of words
	point 'resized, what was not read is kept' holds kept block $resize -DDISCARD
	point 'jumps, blocks of two records' holds jumps-room block -DJUMPS -DROOM=2 -DTASKS=3
	point 'jumps, what was not read is kept' holds jumps-kept block -DJUMPS -DDISCARD
	point 'a reader that looks on' holds looks block -DLOOKS
	point 'snapshots, jumps of all and of one' holds alone snapshot -DALONE=1
	point 'snapshots, jumps by hand, two events' holds mix snapshot -DWRITES=1
	point 'two interrupts, two NMIs' holds more block -DINTERRUPTS=2 -DNMIS=2
}

suite 'models' proofs
suite 'models: faults are found' faults
finish
