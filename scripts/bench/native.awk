# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the KTAP of the suite lkst_benchmark, and writes a table. form=text|rst|csv|goals

function line(a, b, c, d, e)
{
	printf "%-10s  %-12s  %9s  %9s  %9s\n", a, b, c, d, e
}

function rule()
{
	line("==========", "============", "=========", "=========", "=========")
}

function goal(what, value, most)
{
	printf "%s: %s, at most %s: %s\n", what, value, most, value + 0 <= most + 0 ? "met" : "MISSED"
}

/# benchmark_test_[a-z]*: .*: mean / {
	sub(/.*# benchmark_test_[a-z]*: /, "")
	n++
	split($0, part, /, |: /)
	subject[n] = part[1]
	way[n] = part[2]
	split(part[3], word, " ")
	mean[n] = word[2]
	split(part[4], word, " ")
	most99[n] = word[2]
	split(part[5], word, " ")
	most999[n] = word[2]
	sub(/.* of /, "")
	samples[n] = $0
	value[part[2], part[1]] = mean[n]
}

END {
	if (!n) {
		print "no result" >"/dev/stderr"
		exit 1
	}
	if (form == "goals") {
		goal("a record, hot, in ns", value["hot", "LKST"], 25)
		goal("of what a trace event takes", sprintf("%.2f",
		     value["hot", "LKST"] / value["hot", "trace event"]), 0.25)
		exit
	}
	if (form == "csv")
		print "way,subject,samples,mean_ns,99_percent_ns,99.9_percent_ns"
	if (form == "rst")
		rule()
	if (form != "csv")
		line("ns", "", "mean", "99 %", "99.9 %")
	if (form == "rst")
		rule()
	for (i = 1; i <= n; i++)
		if (form == "csv")
			printf "%s,%s,%s,%s,%s,%s\n", way[i], subject[i], samples[i], mean[i],
			       most99[i], most999[i]
		else
			line(way[i], subject[i], mean[i], most99[i], most999[i])
	if (form == "rst")
		rule()
}
