#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes Documentation/events.rst from the event table of the patched tree,
# include/linux/lkst_events.h, the hooks in its code, and the notes in
# events-doc/, a file for each category.
#
# usage: events-doc.sh [--check]	--check: fails if the page is not what this
#					script would write, and shows the
#					difference

set -eu
. "$(dirname "$0")/lib.sh"

tree=$BUILD/linux
page=$TOP/Documentation/events.rst
table=$tree/include/linux/lkst_events.h

case ${1:-} in
''|--check) ;;
*) die 'usage: events-doc.sh [--check]' ;;
esac
[ -f "$table" ] || die "no patched tree at $tree: make tree"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The hooks: lines "EVENT FUNCTION FILE", in the order of the files.
hooks()
{
	cd "$tree"
	LC_ALL=C grep -rlF --include='*.[ch]' LKST_HOOK \
		arch block drivers fs include init io_uring ipc kernel lib mm net \
		security sound virt |
		grep -v -e '^include/linux/lkst' -e '^kernel/trace/lkst/' |
		LC_ALL=C sort >"$work/files"
	while read -r file; do
		awk -v file="$file" '
		# The head of a function: its name stands before the first bracket.
		/^[A-Za-z_][A-Za-z0-9_ \t*]*\(/ && !/;[ \t]*$/ {
			head = $0
			sub(/\(.*/, "", head)
			n = split(head, word, /[ \t*]+/)
			name = word[n]
			# DEFINE_SOMETHING(name, ...)
			if (name ~ /^[A-Z0-9_]+$/) {
				name = $0
				sub(/^[^(]*\(/, "", name)
				sub(/[^A-Za-z0-9_].*/, "", name)
			}
		}
		/^\{/ { function_name = name }
		# A hook in a macro of several lines is of the macro.
		/^#[ \t]*define[ \t]+[A-Za-z0-9_]+\(.*\\$/ {
			outside = function_name
			function_name = $0
			sub(/^#[ \t]*define[ \t]+/, "", function_name)
			sub(/\(.*/, "", function_name)
			in_macro = 1
		}
		in_macro && !/\\$/ { in_macro = 0; left_macro = 1 }
		/^[ \t]+(if \()?LKST_(LOCK_)?HOOK(_IF|_ON|_WIDE_IF)?\(/ { on = 1; text = "" }
		on { text = text " " $0 }
		on && (/;/ || /^[ \t]+if /) {
			on = 0
			n = split(text, word, /[^A-Za-z0-9_]+/)
			for (i = 1; i <= n; i++)
				if (word[i] ~ /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/ && word[i] !~ /^(LKST_(LOCK_)?HOOK|CONFIG_)/)
					print word[i], function_name, file
		}
		left_macro { function_name = outside; left_macro = 0 }' "$file"
	done <"$work/files"
}

(hooks) >"$work/hooks"

# One awk program reads the hooks, the notes and the table, in this order.
cat "$TOP/scripts/events-doc/"*.txt >"$work/notes"
awk -v hooks="$work/hooks" -v notes="$work/notes" '
function line(text) { print text }

function underlined(text, char,	rule)
{
	rule = text
	gsub(/./, char, rule)
	if (char == "*")
		line(rule)
	line(text)
	line(rule)
	line("")
}

# Text that reST would take for markup.
function plain(text)
{
	gsub(/[\\*`|]/, "\\\\&", text)
	gsub(/_($|[^A-Za-z0-9])/, "\\\\&", text)
	return text
}

function sentence(text)
{
	return toupper(substr(text, 1, 1)) substr(text, 2) "."
}

# The text of the next pair of quotation marks in rest, which is cut behind it.
function quoted(	text)
{
	if (!match(rest, /"[^"]*"/))
		return ""
	text = substr(rest, RSTART + 1, RLENGTH - 2)
	rest = substr(rest, RSTART + RLENGTH)
	return text
}

# The next word in rest.
function word(	text)
{
	if (!match(rest, /[A-Za-z0-9_]+/))
		return ""
	text = substr(rest, RSTART, RLENGTH)
	rest = substr(rest, RSTART + RLENGTH)
	return text
}

function event(text,	e, a)
{
	rest = text
	word()
	e = ++events
	id[e] = word()
	name[e] = word()
	mnemonic[e] = word()
	category[e] = word()
	rank[e] = word()
	help[e] = quoted()
	if (!(category[e] in seen)) {
		seen[category[e]] = 1
		categories[++ncategories] = category[e]
	}
	while (sub(/^[^"]*LKST_ARG\(/, "", rest)) {
		a = ++nargs[e]
		arg[e, a] = word()
		type[e, a] = word()
		desc[e, a] = quoted()
	}
}

# A table without lines; cell[row, column], row 0 is its head.
function print_table(rows, columns,	r, c, width, rule, text)
{
	for (c = 1; c <= columns; c++) {
		width[c] = 0
		for (r = 0; r <= rows; r++)
			if (length(cell[r, c]) > width[c])
				width[c] = length(cell[r, c])
	}
	rule = ""
	for (c = 1; c <= columns; c++) {
		text = sprintf("%" width[c] "s", "")
		gsub(/ /, "=", text)
		rule = rule (c > 1 ? "  " : "") text
	}
	line(rule)
	for (r = 0; r <= rows; r++) {
		text = ""
		for (c = 1; c <= columns; c++)
			text = text (c > 1 ? "  " : "") sprintf("%-" width[c] "s", cell[r, c])
		sub(/ +$/, "", text)
		line(text)
		if (!r)
			line(rule)
	}
	line(rule)
	line("")
}

# Pieces with commas between them, in lines of some 80 columns.
function print_wrapped(indent, first, text,	n, i, piece, out)
{
	n = split(text, piece, /, /)
	out = first piece[1]
	for (i = 2; i <= n; i++) {
		if (length(out) + length(piece[i]) + 3 > 80) {
			line(out ",")
			out = indent piece[i]
		} else {
			out = out ", " piece[i]
		}
	}
	line(out)
}

function print_note(key)
{
	if (note[key])
		printf "%s\n", note[key]
	used[key] = 1
}

function print_event(e,	a, where)
{
	underlined(name[e], "-")
	line(sentence(plain(help[e])))
	line("")
	line(":Id: " id[e])
	line(":Mnemonic: ``" mnemonic[e] "``")
	if (rank[e] == "primary")
		line(":Maskset: RDEFAULT")
	where = name[e] in sites ? sites[name[e]] : "none: LKST itself records it"
	if (!(name[e] in sites) && id[e] < 1008)
		where = "none yet"
	print_wrapped("	", ":Hooks: ", where)
	line("")
	if (!nargs[e]) {
		line("No arguments.")
		line("")
		print_note(name[e])
		return
	}
	cell[0, 1] = "Argument"; cell[0, 2] = "Type"; cell[0, 3] = "Description"
	for (a = 1; a <= nargs[e]; a++) {
		cell[a, 1] = "``" arg[e, a] "``"
		cell[a, 2] = type[e, a]
		cell[a, 3] = plain(desc[e, a])
	}
	print_table(nargs[e], 3)
	print_note(name[e])
}

# Puts key[1..n] into ascending order.
function sort(key, n,	i, k, this)
{
	for (i = 2; i <= n; i++) {
		this = key[i]
		for (k = i - 1; k >= 1 && key[k] > this; k--)
			key[k + 1] = key[k]
		key[k + 1] = this
	}
}

# Names in alphabetical order.
function print_index(	e, r, order)
{
	for (e = 1; e <= events; e++)
		order[e] = name[e]
	sort(order, events)
	cell[0, 1] = "Name"; cell[0, 2] = "Id"; cell[0, 3] = "Category"; cell[0, 4] = "Meaning"
	for (r = 1; r <= events; r++) {
		e = number[order[r]]
		cell[r, 1] = "`" name[e] "`_"
		cell[r, 2] = id[e]
		cell[r, 3] = category[e]
		cell[r, 4] = plain(help[e])
	}
	print_table(events, 4)
}

function print_categories(	i, e, list)
{
	for (i = 1; i <= ncategories; i++) {
		list = ""
		for (e = 1; e <= events; e++)
			if (category[e] == categories[i])
				list = list (list ? ", " : "") "`" name[e] "`_"
		line("``:" categories[i] "``")
		print_wrapped("	", "	", list)
		line("")
	}
}

# Those of RDEFAULT, a line a category.
function print_primary(	i, e, list)
{
	for (i = 1; i <= ncategories; i++) {
		list = ""
		for (e = 1; e <= events; e++)
			if (category[e] == categories[i] && rank[e] == "primary")
				list = list (list ? ", " : "") "`" name[e] "`_"
		if (!list)
			continue
		line("``:" categories[i] "``")
		print_wrapped("	", "	", list)
		line("")
	}
}

# The events of the original, from the notes "original YEAR".
function print_originals(	year, n, i, r, names)
{
	cell[0, 1] = "Original name"; cell[0, 2] = "Since"; cell[0, 3] = "Today"
	r = 0
	for (year = 2002; year <= 2005; year++) {
		n = split(note["original " year], names, /[ \n]+/)
		used["original " year] = 1
		for (i = 1; i <= n; i++) {
			if (names[i] == "")
				continue
			if (!(names[i] in number)) {
				print "events-doc: no event " names[i] " of the original" >"/dev/stderr"
				bad = 1
				continue
			}
			r++
			cell[r, 1] = "`" names[i] "`_"
			cell[r, 2] = year
			cell[r, 3] = names[i] in functions ? functions[names[i]] : \
				id[number[names[i]]] < 1008 ? "no hook yet" : "recorded by LKST itself"
		}
	}
	print_table(r, 3)
}

# Function by function, with the file where a function of that name is in two.
function print_functions(	r, w, key, list)
{
	cell[0, 1] = "Function"; cell[0, 2] = "File"; cell[0, 3] = "Events"
	sort(places, nplaces)
	for (r = 1; r <= nplaces; r++) {
		split(places[r], w, " ")
		cell[r, 1] = "``" w[1] "()``"
		cell[r, 2] = w[2]
		cell[r, 3] = at[places[r]]
	}
	print_table(nplaces, 3)
}

function read_hooks(	w, text, key, place)
{
	while ((getline text < hooks) > 0) {
		split(text, w, " ")
		key = w[1] " " w[2] " " w[3]
		if ((key in known) || !(w[1] in number))
			continue
		known[key] = 1
		place = w[2] " " w[3]
		if (!(place in at))
			places[++nplaces] = place
		at[place] = at[place] (at[place] ? ", " : "") "`" w[1] "`_"
		functions[w[1]] = functions[w[1]] (functions[w[1]] ? ", " : "") \
			"``" w[2] "()``"
		sites[w[1]] = sites[w[1]] (w[1] in sites && sites[w[1]] ? ", " : "") \
			"``" w[2] "()`` in " w[3]
	}
}

function read_notes(	text, key)
{
	while ((getline text < notes) > 0) {
		if (text ~ /^#/)
			continue
		if (text ~ /^= /) {
			key = substr(text, 3)
			continue
		}
		if (text == "" && (key == "" || !note[key]))
			continue
		note[key] = note[key] text "\n"
	}
	for (key in note) {
		sub(/\n+$/, "\n", note[key])
	}
}

# The types stand in the comment at the top of the table.
/^ \*\t[a-z0-9, ]+\t+[48][0-9, ]*\t/ && !events {
	text = $0
	sub(/^ \*\t/, "", text)
	split(text, w, /\t+/)
	types++
	typename[types] = w[1]
	typebytes[types] = w[2]
	typetext[types] = w[3]
	next
}
/^ \*\t\t/ && types && !events {
	text = $0
	sub(/^[ *\t]+/, "", text)
	typetext[types] = typetext[types] " " text
	next
}
/^LKST_EVENT\(/ { text = ""; on = 1 }
on {
	text = text " " $0
	bare = text
	gsub(/"[^"]*"/, "", bare)
	if (gsub(/\(/, "", bare) == gsub(/\)/, "", bare)) {
		event(text)
		on = 0
	}
}

END {
	for (i = 1; i <= events; i++)
		number[name[i]] = i
	read_hooks()
	read_notes()
	line(".. SPDX-License-Identifier: GPL-2.0-only")
	line(".. Written by scripts/events-doc.sh of the LKST repository from the event table")
	line("   include/linux/lkst_events.h. Do not edit.")
	line("")
	line("======")
	line("Events")
	line("======")
	line("")
	print_note("intro")
	line("")
	underlined("Index by name", "=")
	print_index()
	underlined("Index by category", "=")
	print_note("by category")
	line("")
	print_categories()
	underlined("Primary events", "=")
	print_note("primary")
	line("")
	print_primary()
	underlined("Index by original name", "=")
	print_note("by original name")
	line("")
	print_originals()
	underlined("Index by kernel function", "=")
	print_note("by function")
	line("")
	print_functions()
	underlined("Types of arguments", "=")
	print_note("types")
	line("")
	cell[0, 1] = "Type"; cell[0, 2] = "Bytes"; cell[0, 3] = "Printed as"
	for (i = 1; i <= types; i++) {
		cell[i, 1] = typename[i]
		cell[i, 2] = typebytes[i]
		cell[i, 3] = plain(typetext[i])
	}
	print_table(types, 3)
	for (i = 1; i <= ncategories; i++) {
		underlined("Category " categories[i], "=")
		print_note(":" categories[i])
		line("")
		for (e = 1; e <= events; e++)
			if (category[e] == categories[i]) {
				print_event(e)
				line("")
			}
	}
	for (key in note)
		if (!(key in used)) {
			print "events-doc: a note, but no event: " key >"/dev/stderr"
			bad = 1
		}
	exit bad
}' "$table" | awk '
# One empty line at a time, and none at the end.
NF { if (empty) print ""; empty = 0; print; next }
{ empty = 1 }' >"$work/page"
grep -q '^Category ' "$work/page" || die "nothing understood of $table"

if [ "${1:-}" = --check ]; then
	diff -u "$page" "$work/page" >&2 ||
		die 'Documentation/events.rst is not current: run scripts/events-doc.sh'
else
	cmp -s "$work/page" "$page" || cp "$work/page" "$page"
fi
