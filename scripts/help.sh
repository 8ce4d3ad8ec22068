#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the targets of the Makefile.

set -eu
. "$(dirname "$0")/lib.sh"

echo 'usage: make TARGET [VARIABLE=VALUE]...'
echo
sed -nE 's/^([a-z-]+):.*## (.*)/\1	\2/p' "$TOP/Makefile" |
while IFS='	' read -r target text; do
	printf '  %-10s %s\n' "$target" "$text"
done
cat <<TEXT

  make demo                           the first thing to try
  make run CMD='uname -a; exit 3'     exits with 3
  make kernel run KERNEL=debug CMD=…  another kernel
  make patch KSRC=../linux-6.12.y     your own kernel

Each target fetches what it lacks. BUILD= and OUT= move build/ and out/.
TEXT
