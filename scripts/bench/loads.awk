# SPDX-License-Identifier: GPL-2.0-only
#
# Reads what bench.sh has of scripts/bench/loads.sh and writes one table: what a workload
# takes, as a part of what it takes on the stock kernel. form=text|rst|csv|goals

# The cases, of which the first is what the others are parts of.
function cases(list)
{
	return split("stock nothing,lkst nothing,lkst lkst:sched,lkst lkst:RDEFAULT,lkst lkst:full," \
		     "stock ftrace:sched,stock ftrace:RDEFAULT,stock perf:sched,stock perf:RDEFAULT",
		     list, ",")
}

function line(first, second, words, format,	n, i, word, text)
{
	text = sprintf("%-36s  %12s", first, second)
	n = split(words, word, " ")
	for (i = 1; i <= n; i++)
		text = text sprintf("  " (format ? format : "%8s"), word[i])
	sub(/ +$/, "", text)
	print text
}

function rule()
{
	line("====================================", "============",
	     "======== ======== ======== ======== ======== ======== ======== ========")
}

function ratio(load, case,	v)
{
	v = value[load, case]
	return v ? sprintf("%.4f", v / value[load, "stock nothing"]) : "-"
}

# What ftrace takes more than the stock kernel, as a multiple of what LKST takes more.
function farther(load,	ours, theirs)
{
	ours = value[load, "lkst lkst:RDEFAULT"] - value[load, "stock nothing"]
	theirs = value[load, "stock ftrace:RDEFAULT"] - value[load, "stock nothing"]
	if (!value[load, "lkst lkst:RDEFAULT"] || !value[load, "stock ftrace:RDEFAULT"])
		return
	if (ours <= 0)
		printf "%s, ftrace with the matching events: LKST takes nothing more: met\n", load
	else
		printf "%s, ftrace with the matching events: %.1f times farther over, at least 10: %s\n",
			load, theirs / ours, (theirs >= 10 * ours) ? "met" : "MISSED"
}

function goal(load, case, name, most,	r)
{
	r = ratio(load, case)
	if (r != "-")
		printf "%s, %s: %s of stock, at most %s: %s\n", load, name, r, most,
			r + 0 <= most + 0 ? "met" : "MISSED"
}

BEGIN {
	most["exec"] = most["random"] = 1.02
	most["hackbench"] = 1.06
	most["nginx"] = 1.03
	most["compile"] = 1.005
	what["exec"] = "fork, exec of /bin/true and wait"
	what["random"] = "4 KiB of a cached file, at random"
	what["hackbench"] = "hackbench -p -g 2 -l 100"
	what["nginx"] = "nginx: a request for 4 KiB, by wrk"
	what["compile"] = "gcc: 4 files of the kernel"
}

$2 == "fact" && $3 == "bytes" {
	n_bytes++
	of[n_bytes] = $4
	maskset[n_bytes] = $5
	bytes[n_bytes] = $6
	records[n_bytes] = $7
	lost[n_bytes] = $8
	next
}

$2 in what {
	# Least or median: what is compiled is read from the host, which adds and never takes.
	value[$2, $1 " " $3] = $2 == "compile" ? $4 : $5
	if (!($2 in listed)) {
		listed[$2] = 1
		load[++loads] = $2
	}
}

END {
	if (!loads)
		exit
	n = cases(c)
	if (form == "csv")
		print "workload,stock,off,sched,RDEFAULT,full,ftrace_sched,ftrace_RDEFAULT,perf_sched,perf_RDEFAULT"
	if (form == "rst")
		rule()
	if (form == "rst" || form == "text") {
		# What has two lines in a cell begins in the same column, or is a quotation in RST.
		line("workload", "instructions", "LKST LKST LKST LKST ftrace ftrace perf perf", "%-8s")
		line("", "", "off sched RDEFAULT full sched RDEFAULT sched RDEFAULT", "%-8s")
	}
	if (form == "rst")
		rule()
	for (i = 1; i <= loads; i++) {
		l = load[i]
		if (!value[l, c[1]])
			continue
		if (form == "goals") {
			goal(l, "lkst lkst:RDEFAULT", "RDEFAULT", most[l])
			farther(l)
			continue
		}
		row = ""
		for (j = 2; j <= n; j++)
			row = row " " ratio(l, c[j])
		if (form == "csv") {
			gsub(/ /, ",", row)
			printf "%s,%.0f%s\n", l, value[l, c[1]], row
		} else {
			line(what[l], sprintf("%.0f", value[l, c[1]]), row)
		}
	}
	if (form == "rst")
		rule()
	for (i = 1; form == "goals" && i <= n_bytes; i++) {
		a = bytes[i] / records[i]
		printf "bytes a record, %s, %s: %.1f (%d records, %d lost)", of[i], maskset[i],
			a, records[i], lost[i]
		limit = maskset[i] != "full" ? 0 : of[i] == "compile" ? 28 : 33
		print limit ? sprintf(", at most %d: %s", limit,
				      a <= limit && !lost[i] ? "met" : "MISSED") : ""
	}
}
