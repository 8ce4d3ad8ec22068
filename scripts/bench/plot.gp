# SPDX-License-Identifier: GPL-2.0-only
#
# Pictures of what bench.sh has measured, from the tables that it has written. The caller
# sets `dir`, where they are, and `table`: getppid, pipe, probes, worst, loads or native.
#
#	gnuplot -e 'dir="out/bench"; table="loads"' scripts/bench/plot.gp

# Colours that can also be told apart by the colour-blind, and in grey.
ours   = 0x1a6fb5
ftrace = 0xf28e1c
perf   = 0x9aa3ad

set datafile separator ","
set border 3 linecolor rgb "#404040"
set tics nomirror out scale 0.5 textcolor rgb "#202020" noenhanced
set style fill solid noborder
set grid noxtics noytics

file = dir."/".table.".csv"

if (table eq "getppid" || table eq "pipe" || table eq "probes") {
	colour(what) = what[1:4] eq "LKST" ? ours : what[1:4] eq "perf" ? perf : ftrace
	# Nothing on, and off again, are what the others are compared with.
	show(over) = over > 1 ? over : NaN
	stats file using 7 skip 1 nooutput
	rows = STATS_records + STATS_invalid
	set terminal pngcairo size 1200, 90 + 26 * rows font "DejaVu Sans,10" background "#ffffff"
	set output dir."/".table.".png"
	set title "{/:Bold ".table."}: instructions more than with nothing on, median (logarithmic)"
	set logscale x
	set xrange [10 : 30000]
	set yrange [rows - 0.4 : -0.6]
	set grid xtics linecolor rgb "#d0d0d0"
	unset key
	plot file using (show($7)):0:(10):(show($7)):($0 - 0.36):($0 + 0.36):(colour(strcol(9))):ytic(9) \
			skip 1 with boxxyerror linecolor rgb variable, \
		"" using (show($7)):0:(sprintf("%.0f", $7)) skip 1 with labels left offset 0.5, 0 noenhanced
}

if (table eq "worst") {
	colour(name) = name[1:4] eq "lkst" ? ours : ftrace
	stats file using 3 skip 1 nooutput
	rows = STATS_records
	set terminal pngcairo size 1200, 110 + 40 * rows font "DejaVu Sans,10" background "#ffffff"
	set output dir."/".table.".png"
	set title "{/:Bold A record at worst}: instructions, the longest of 20000, and the median (dark)"
	set xrange [0 : *]
	set offsets 0, graph 0.08, 0, 0
	set yrange [rows - 0.4 : -0.6]
	set grid xtics linecolor rgb "#d0d0d0"
	unset key
	plot file using (0):0:(0):3:($0 - 0.36):($0 + 0.36):(colour(strcol(1))):ytic(5) \
			skip 1 with boxxyerror linecolor rgb variable, \
		"" using (0):0:(0):2:($0 - 0.36):($0 + 0.36) skip 1 with boxxyerror linecolor rgb "#303030", \
		"" using 3:0:(sprintf("%.0f", $3)) skip 1 with labels left offset 0.5, 0 noenhanced
}

set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9

if (table eq "loads") {
	set terminal pngcairo size 1200, 800 font "DejaVu Sans,10" background "#ffffff"
	set output dir."/".table.".png"
	set multiplot layout 2, 1
	set ylabel "% more than stock"
	set grid ytics linecolor rgb "#d0d0d0"
	set key top left horizontal
	set yrange [0 : *]
	set offsets 0, 0, graph 0.1, 0
	more(n) = column(n) >= 1 ? (column(n) - 1) * 100 : 0
	# Of LKST there is a column more, of the maskset full.
	col(at, i) = at + (i ? 2 * i + 1 : 0)
	# A cluster is three bars and the gap of one.
	label(n) = sprintf("%.1f", more(n))
	do for [set in "sched RDEFAULT"] {
		at = set eq "sched" ? 4 : 5
		set title "{/:Bold ".set."}: whole workloads, instructions"
		plot file using (more(at)):xtic(1) skip 1 linecolor rgb ours title "LKST", \
			"" using (more(at + 3)) skip 1 linecolor rgb ftrace title "ftrace", \
			"" using (more(at + 5)) skip 1 linecolor rgb perf title "perf record", \
			for [i = 0:2] "" using ($0 + 0.25 * (i - 1)):(more(col(at, i))):(label(col(at, i))) \
				skip 1 with labels offset 0, 0.5 notitle
	}
	unset multiplot
}

if (table eq "native") {
	set terminal pngcairo size 900, 500 font "DejaVu Sans,10" background "#ffffff"
	set output dir."/".table.".png"
	set title "{/:Bold A record of two arguments}: nanoseconds, mean (logarithmic)"
	set ylabel "ns"
	set logscale y
	set yrange [1 : 20000]
	set grid ytics linecolor rgb "#d0d0d0"
	set key top left
	# A row is a way and a subject.
	of(subject) = strcol(2) eq subject ? $4 : NaN
	plot file using (of("LKST")):xtic(1) every 3::1 linecolor rgb ours title "LKST", \
		"" using (of("trace event")) every 3::2 linecolor rgb ftrace title "trace event", \
		"" using (of("ring buffer")) every 3::3 linecolor rgb perf title "ftrace's ring buffer alone"
}
