# SPDX-License-Identifier: GPL-2.0-only
#
# ProcessTrace: the states of processes over time, from what process.awk wrote.
# The caller sets `dir`, and `target`, the picture without its extension:
#
#	gnuplot -e 'dir="out/demo/plot"; target="out/demo/process"' process.gp

load dir."/rows.gp"

# Colours that can also be told apart by the colour-blind, and in grey.
running = 0x1a6fb5
ready   = 0xf28e1c
blocked = 0xdfe3e8
colour(s) = s == 1 ? running : s == 2 ? ready : blocked

row_px = 34
plot_px = row_px * nrows
height = 2 * plot_px + 250
wide = 1400

# Edges of the two panels as parts of the picture's height, from below.
below_top = 1 - (78.0 + plot_px) / height
above_bottom = (75.0 + plot_px) / height

do for [format in "svg png"] {
	if (format eq "svg") {
		set terminal svg size wide, height font "DejaVu Sans,Arial,sans-serif,15" background "#ffffff"
	} else {
		set terminal pngcairo size wide, height font "DejaVu Sans,11.5" background "#ffffff"
	}
	set output target.".".format

	unset arrow
	unset object
	unset mxtics
	set multiplot
	set border 3 linecolor rgb "#404040" linewidth 1
	set tics nomirror out scale 0.5 textcolor rgb "#202020"
	set ytics scale 0 noenhanced
	set yrange [nrows + 0.6 : 0.4]
	set lmargin at screen 170.0 / wide
	set rmargin at screen 1 - 30.0 / wide
	set style fill solid noborder
	set format x "%g"

	# The whole run, with the part that the second panel shows in a frame.
	set tmargin at screen 1 - 78.0 / height
	set bmargin at screen below_top
	set xrange [x0 : x1]
	set title sprintf("{/:Bold The whole run}, %.0f ms: where a column holds several states, they share its height", x1 - x0) offset 0, -0.3
	set xlabel "time [ms]" offset 0, 0.6
	set key at screen 0.5, 1 - 18.0 / height center center horizontal maxrows 1 samplen 2.2 width 3 font ",13"
	set object 1 rectangle from zoom0, 0.45 to zoom1, nrows + 0.55 front fillstyle empty border linecolor rgb "#c00000" linewidth 1.6
	set arrow 1 from zoom0, first nrows + 0.55 to screen 170.0 / wide, screen above_bottom nohead linecolor rgb "#c00000" linewidth 0.8 dashtype 3
	set arrow 2 from zoom1, first nrows + 0.55 to screen 1 - 30.0 / wide, screen above_bottom nohead linecolor rgb "#c00000" linewidth 0.8 dashtype 3
	plot dir."/overview.dat" using 1:2:3:4:5:6:(colour($7)) with boxxyerror linecolor rgb variable notitle, \
		NaN with boxes linecolor rgb running title "running", \
		NaN with boxes linecolor rgb ready title "ready (waits for a CPU)", \
		NaN with boxes linecolor rgb blocked title "blocked (sleeps)"

	# Every single switch.
	unset object 1
	unset arrow 1
	unset arrow 2
	unset key
	set tmargin at screen above_bottom
	set bmargin at screen 75.0 / height
	set xrange [zoom0 : zoom1]
	set mxtics 5
	set title sprintf("{/:Bold %.0f ms of it}: every switch as it is", zoom1 - zoom0) offset 0, -0.3
	plot dir."/zoom.dat" using 1:2:3:4:5:6:(colour($7)) with boxxyerror linecolor rgb variable notitle
	unset multiplot
	set output
}
