# SPDX-License-Identifier: GPL-2.0-only
#
# Reads KTAP, nested or not, from a program or from a kernel's console. Prints
# what failed with the lines that came before it, and writes "passed failed
# skipped" to the file in the variable "counts". Only the innermost results are
# counted. What was planned and did not come has failed.

function fail(what)
{
	failed++
	printf "%s", output
	print what
	output = ""
}

# Ends all levels that are further in than this one.
function close_levels(indent,	level)
{
	for (level = deepest; level > indent; level--) {
		if (level in planned && seen[level] < planned[level])
			fail("not ok - " planned[level] - seen[level] \
				" of " planned[level] " results did not come")
		delete planned[level]
		delete seen[level]
	}
	deepest = indent
}

{
	sub(/\r$/, "")
	sub(/^(<[0-9]+>)?\[ *[0-9]+\.[0-9]+\](\[[ TC0-9]+\])? /, "")
	match($0, /^ */)
	indent = RLENGTH
	line = substr($0, indent + 1)
}

line ~ /^1\.\.[0-9]+/ {
	if (indent > deepest)
		deepest = indent
	planned[indent] = substr(line, 4) + 0
	seen[indent] = 0
	next
}

line ~ /^(not )?ok [0-9]+/ {
	inner = deepest > indent
	close_levels(indent)
	seen[indent]++
	ok = line !~ /^not /
	if (inner) {
		# What holds others: they have been counted.
		if (!ok && failed_at[indent] == failed)
			fail($0)
	} else if (line ~ /# SKIP/) {
		skipped++
	} else if (ok) {
		passed++
	} else {
		fail($0)
	}
	failed_at[indent] = failed
	output = ""
	next
}

line ~ /^Bail out!/ {
	fail($0)
	next
}

line ~ /^(K?TAP version|# Totals)/ {
	next
}

{
	output = output $0 "\n"
	if (++lines > 400 || length(output) > 40000) {
		output = substr(output, length(output) - 20000)
		lines = 0
	}
}

END {
	close_levels(-1)
	print passed + 0, failed + 0, skipped + 0 >counts
}
