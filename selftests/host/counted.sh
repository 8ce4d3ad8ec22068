#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In a guest: records what processes do, and counts to 51.

set -e

cd /sys/kernel/debug/lkst
echo live >masksets/create
echo ':process default' >masksets/live
echo live >maskset
i=0
while [ $i -lt 51 ]; do
	i=$((i + 1))
	echo "count $i" >marker
done
echo 'lkst-test: counted' >/dev/kmsg
