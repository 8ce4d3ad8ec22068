# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the tests share that provoke events with the module lkst_test_timers.
# Sourced after lib.sh; who does so sets $ko, the module.
# shellcheck disable=SC2034,SC2154

P=/sys/module/lkst_test_timers/parameters

# on: these categories are recorded from here, with times in ns.
on() {
	gone
	put clock mono
	put buffers/main/size 8M
	maskset some "$@"
	put maskset some
}

# collect: recording ends here; $TMP/dump has all of it, by time.
collect() {
	taken
	sort -n -k2,2 -o "$TMP/dump" "$TMP/dump"
}

gone() {
	[ ! -d /sys/module/lkst_test_timers ] || rmmod lkst_test_timers
}

# provoke WHAT: loads the module; what it tells is in $TMP/want, its PID in $pid.
provoke() {
	insmod "$ko" what="$1"
	cat $P/told >"$TMP/want"
	read -r pid <$P/pid
	read -r from <$P/from
	read -r to <$P/to
	rmmod lkst_test_timers
}

# (To awk, hex numbers are numbers, and those of 64 bits are not exact: addresses
# are compared as text.)

# told EVENTS: the records of these events that have an address of $TMP/want as
# their first argument are those of $TMP/want, in its order.
told() {
	[ -s "$TMP/want" ]
	awk -v events="^($1)\$" '
		# Numbers of 64 bits, as text.
		function less(a, b) {
			return length(a) < length(b) ||
				(length(a) == length(b) && (a "") < (b ""))
		}
		FNR == 1 { file++ }
		file == 1 { want[++n] = $0; known[$4] = 1; next }
		$5 !~ events || !($6 in known) { next }
		{
			got = $1 " " $3
			for (i = 5; i <= NF; i++)
				got = got " " $i
			nr++
			w = split(want[nr], a, " ")
			g = split(got, b, " ")
			ok = w == g
			for (i = 1; i <= w && ok; i++) {
				if (a[i] == "-")
					continue
				if (split(a[i], range, "[.][.]") == 2)
					ok = !less(b[i], range[1]) && !less(range[2], b[i])
				else
					ok = (a[i] "") == (b[i] "")
			}
			if (!ok && bad++ < 5)
				print "record " nr ": " got "\n    wanted: " want[nr]
		}
		END {
			print nr + 0, "records,", n, "wanted"
			exit bad > 0 || nr != n
		}' "$TMP/want" "$TMP/dump"
}
