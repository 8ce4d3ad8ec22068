# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2154 # lint.sh sets the variables
#
# The rooms of kernel/trace/lkst call each other one way only. lint.sh checks that with
# these functions, on the objects that its suite "sparse, W=1" compiles.

# The rooms, the lowest first: each may refer to those before it.
rooms='record buffer hook policy dynamic crash files'

# What only some rooms may refer to: a pattern, the room or object, the reason.
allowed='^debugfs_                                    files        only files/ makes files
^(static_key|static_branch|jump_label|arch_jump_label)_|^__st(art|op)___jump_table$ hook only hook/ has keys
^static_key_(enable|disable)$                 record/clock.o a key chooses the clock
^(un)?register_(k(ret)?|f)probes?(_ips)?$   dynamic      only dynamic/ has probes'

# The objects in folders of kernel/trace/lkst, one a line.
room_objects()
{
	(cd "$1" && find . -name '*.o' ! -name '.*' ! -name '*.mod.o' ! -name 'built-in*' |
		sed 's,^\./,,' | grep '^[a-z_]*/[a-z0-9_]*\.o$' | LC_ALL=C sort)
}

# What each object defines (D), exports (E) and refers to (U): "OBJECT KIND SYMBOL" a line.
room_symbols()
{
	for object in $(room_objects "$1"); do
		"${CROSS}nm" "$1/$object" | awk -v object="$object" '
			NF == 2 { print object, "U", $2; next }
			sub(/^__export_symbol_/, "", $3) { print object, "E", $3; next }
			$2 ~ /^[A-Z]$/ { print object, "D", $3 }'
	done
}

# Object $1 refers to no room above its own, and to nothing that is reserved for another.
# Handlers are modules and may use what is exported; tests may use everything. A test that
# needs what is static in a file is compiled into it, and uses what tests share.
room_object()
{
	awk -v object="$1" -v rooms="$rooms" -v allowed="$allowed" '
	BEGIN {
		n = split(rooms, name, " ")
		for (i = 1; i <= n; i++)
			level[name[i]] = i
		na = split(allowed, rule, "\n")
		split(object, part, "/")
		room = part[1]
	}
	FNR == NR {
		if ($2 == "D")
			home[$3] = $1
		if ($2 == "E")
			exported[$3] = 1
		next
	}
	$1 != object || $2 != "U" || room == "tests" { next }
	{
		split(home[$3], at, "/")
		if (room == "handlers") {
			if (home[$3] != "" && at[1] != "handlers" && !exported[$3]) {
				print "# " object ": " $3 " of " home[$3] " is not exported"
				bad = 1
			}
			next
		}
		if (at[1] == "tests")
			next
		if (home[$3] != "" && (!(at[1] in level) || level[at[1]] > level[room])) {
			print "# " object ": " $3 " is in " home[$3] ", above"
			bad = 1
		}
		why = ""
		for (i = 1; i <= na; i++) {
			split(rule[i], field, " ")
			if ($3 !~ field[1])
				continue
			if (field[2] == room || field[2] == object) {
				why = ""
				break
			}
			if (why == "") {
				why = rule[i]
				sub(/^[^ ]+ +[^ ]+ +/, "", why)
			}
		}
		if (why != "") {
			print "# " object ": " $3 ": " why
			bad = 1
		}
	}
	END { exit bad }' "$work/symbols" "$work/symbols"
}

# A file of room $1 includes headers of its own room and of rooms below. Headers of
# kernel/trace are those of probes, for dynamic/.
room_includes()
{
	known=
	for room in $rooms; do
		known="$known$room/ "
		[ "$room" != "$1" ] || break
	done
	! grep -n '^#include "\.\./' "$2/$1"/*.[ch] | while IFS=: read -r file line text; do
		header=${text#*../}
		case "$1 $header" in
		'dynamic ../trace_probe'*) continue ;;
		esac
		case " $known" in
		*" ${header%%/*}/ "*) ;;
		*)
			# A test of what is static in the file.
			[ "${header%%/*}" = tests ] ||
				echo "# ${file#"$2"/}:$line: $text"
			;;
		esac
	done | grep .
}

check_rooms()
{
	room_symbols "$obj/kernel/trace/lkst" >"$work/symbols"
	for object in $(awk '!seen[$1]++ { print $1 }' "$work/symbols"); do
		point "$object" room_object "$object"
	done
	for room in $rooms; do
		point "$room/: includes" room_includes "$room" "$tree/kernel/trace/lkst"
	done
}
