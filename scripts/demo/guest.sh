#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of demo.sh that runs in the guest: ProcessTrace as the original's
# tutorial does it, around a workload.
#
# usage: guest.sh DIR MS	DIR: where the workload is, and the results go;
#				MS: how long the workload runs

set -eu

dir=$1
ms=$2
lkst=/sys/kernel/debug/lkst

# Shows a command and runs it.
run()
{
	printf '  # %s\n' "$1"
	eval "$1"
}

mkdir -p /tmp/demo
cd /tmp/demo
cp "$dir/processes" .

run 'lkstm read -m 0 | lkstm write -m 3'
run 'lkstm config -m 3 1 1'
run 'lkstm config -m 3 2 1'
run 'lkstm set -m 3'
run "./processes $ms"
run 'lkst stop'
run 'lkstbuf read -f trace.log'
run 'lkstbuf print -r -C -S -V -f trace.log > trace.csv'
run 'grep context trace.csv | cut -d, -f3,7 | sort | uniq > trace.db'
run 'lkst states -f trace.log > states.txt'
run 'lkst states -f trace.log --intervals > intervals.txt'
run 'lkstla summary trace.log > summary.txt'
run 'lkstla page trace.log -o trace.html'

cat $lkst/status >status.txt
cp trace.log trace.html trace.csv trace.db states.txt intervals.txt summary.txt status.txt "$dir/"
