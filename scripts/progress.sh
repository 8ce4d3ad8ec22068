#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Says once a second, in one line of the terminal, what is running and how far it is.
# Others start it in the background; it ends with them. See watch() in lib.sh.
#
# usage: progress.sh DIR	DIR/*.running: a line "START KIND FILE NAME" each. START is in
#				seconds since 1970. KIND and FILE say what to count:
#				tests, in KTAP, or objects, in what a build of the kernel
#				prints (the number of the last whole one is in FILE.steps)

set -eu
. "$(dirname "$0")/lib.sh"

# What a build of a kernel without a record of an earlier one takes, about.
OBJECTS=1500

count()
{
	grep -cE "$1" "$2" 2>/dev/null || :
}

# far KIND FILE
far()
{
	case $1 in
	tests)
		total=$(sed -n 's/^ *1\.\.\([0-9]*\).*/\1/p' "$2" 2>/dev/null | head -n 1)
		echo "$(count '^ *(not )?ok [0-9]' "$2")${total:+ of $total}"
		;;
	objects)
		total=$OBJECTS
		[ ! -s "$2.steps" ] || read -r total <"$2.steps"
		# A build of a few: how many, nobody knows before it ends.
		echo "$(count '^  [A-Z]+ ' "$2") of up to $total objects"
		;;
	esac
}

while sleep 1 && kill -0 "$PPID" 2>/dev/null; do
	line=
	for running in "$1"/*.running; do
		read -r start kind file name <"$running" 2>/dev/null || continue
		line="$line${line:+ | }$name: $(far "$kind" "$file"), $(seconds_since "$start") s"
	done
	width=$(stty size <&2 2>/dev/null | cut -d' ' -f2)
	[ "${width:-0}" -gt 0 ] || width=80
	printf '\r%.*s\033[K' $((width - 1)) "$line" >&2
done
# Who started it has ended, and left its folder.
rm -rf "$1"
