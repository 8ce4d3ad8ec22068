# SPDX-License-Identifier: GPL-2.0-only
#
# Turns what `lkst states --intervals` prints, "PID COMM STATE START_MS END_MS
# CPU", into what process.gp draws. Variables:
#
#	out=DIR		where to write overview.dat, zoom.dat and rows.gp
#	first="A B…"	commands whose rows come first, in this order
#	rows=N		how many rows at most (12)
#	bins=N		how many columns the overview has (800)
#	zoom=MS		length of the second picture (20)
#
# The first picture shows the time in which the `first` ones lived, all of it if
# there are none, cut into columns: where a column holds more than one state,
# they share its height by the time spent in each. The second one shows every
# interval as it is, of that part of the run in which the most happens.

function clip(v, lo, hi)
{
	return v < lo ? lo : v > hi ? hi : v
}

# A rectangle: from x0 to x1, from y0 to y1, colour of the state.
function box(file, x0, x1, y0, y1, state)
{
	printf "%.6f %.6f %.6f %.6f %.6f %.6f %d\n", (x0 + x1) / 2, (y0 + y1) / 2,
	       x0, x1, y0, y1, state > file
}

function share_of(b, s)
{
	return (b, s) in share ? share[b, s] : 0
}

function overview_row(r, t,	i, b, b0, b1, s, y, x0, n, sum, only, prev)
{
	split("", share)
	for (i = 1; i <= nr[t]; i++) {
		if (to[t, i] <= start || from[t, i] >= end)
			continue
		x0 = clip(from[t, i], start, end)
		x1 = clip(to[t, i], start, end)
		b0 = int((x0 - start) / width)
		b1 = int((x1 - start) / width)
		for (b = b0; b <= b1 && b < bins; b++)
			share[b, state[t, i]] += clip(x1, start + b * width, start + (b + 1) * width) - \
						 clip(x0, start + b * width, start + (b + 1) * width)
	}
	prev = 0
	for (b = 0; b <= bins; b++) {
		sum = share_of(b, 1) + share_of(b, 2) + share_of(b, 3)
		only = 0
		if (b < bins && sum > 0)
			for (s = 1; s <= 3; s++)
				if (share_of(b, s) > 0.999 * sum)
					only = s
		if (prev && only != prev)
			box(overview, run, start + b * width, r - half, r + half, prev)
		if (only && only != prev)
			run = start + b * width
		prev = only
		if (only || sum <= 0)
			continue
		y = r + half
		for (s = 1; s <= 3; s++) {
			n = share_of(b, s) / sum * 2 * half
			if (n > 0)
				box(overview, start + b * width, start + (b + 1) * width, y - n, y, s)
			y -= n
		}
	}
}

# The start of the part in which the rows change their state most often. The
# parts overlap by half; of equals, the one nearest to the middle.
function busiest(	r, t, i, k, last, best, middle)
{
	last = int((end - start) / zoom * 2) - 2
	if (last < 0)
		return start
	split("", changes)
	for (r = 1; r <= n; r++) {
		t = row[r]
		for (i = 1; i <= nr[t]; i++) {
			if (from[t, i] < start)
				continue
			k = int((from[t, i] - start) / zoom * 2)
			changes[k]++
			changes[k - 1]++
		}
	}
	middle = last / 2
	best = int(middle)
	for (k = 0; k <= last; k++)
		if (changes[k] > changes[best] ||
		    changes[k] == changes[best] && (k - middle) ^ 2 < (best - middle) ^ 2)
			best = k
	return start + best * zoom / 2
}

function zoom_row(r, t,	i)
{
	for (i = 1; i <= nr[t]; i++)
		if (to[t, i] > zoom0 && from[t, i] < zoom1)
			box(zoomed, clip(from[t, i], zoom0, zoom1), clip(to[t, i], zoom0, zoom1),
			    r - half, r + half, state[t, i])
}

# What is not known stays empty.
$3 == "unknown" {
	next
}

BEGIN {
	number["running"] = 1
	number["ready"] = 2
	number["blocked"] = 3
	half = 0.40
	if (!rows)
		rows = 12
	if (!bins)
		bins = 800
	if (!zoom)
		zoom = 20
	overview = out "/overview.dat"
	zoomed = out "/zoom.dat"
	rowfile = out "/rows.gp"
	printf "" > overview
	printf "" > zoomed
}

$1 ~ /^[0-9]+$/ && $1 > 0 && $3 in number {
	t = $1
	if (!(t in nr))
		order[++tasks] = t
	i = ++nr[t]
	comm[t] = $2
	state[t, i] = number[$3]
	from[t, i] = $4 + 0
	to[t, i] = $5 + 0
	if (state[t, i] != 3)
		busy[t] += to[t, i] - from[t, i]
	if (tasks == 1 && i == 1 || from[t, i] < begin)
		begin = from[t, i]
	if (to[t, i] > finish)
		finish = to[t, i]
}

END {
	if (!tasks) {
		print "process.awk: there are no intervals" > "/dev/stderr"
		exit 1
	}

	# The named rows, in their order; then the busiest, if they did anything.
	n = 0
	nfirst = split(first, want, " ")
	for (f = 1; f <= nfirst; f++)
		for (j = 1; j <= tasks; j++)
			if (comm[order[j]] == want[f] && !(order[j] in taken)) {
				row[++n] = order[j]
				taken[order[j]] = 1
			}
	start = begin
	end = finish
	if (n) {
		start = finish
		end = begin
		for (j = 1; j <= n; j++) {
			t = row[j]
			if (from[t, 1] < start)
				start = from[t, 1]
			if (to[t, nr[t]] > end)
				end = to[t, nr[t]]
		}
	}
	while (n < rows) {
		best = 0
		for (j = 1; j <= tasks; j++) {
			t = order[j]
			if (!(t in taken) && busy[t] > 0.002 * (end - start) && (!best || busy[t] > busy[best]))
				best = t
		}
		if (!best)
			break
		row[++n] = best
		taken[best] = 1
	}
	if (!n || end <= start) {
		print "process.awk: there is nothing to draw" > "/dev/stderr"
		exit 1
	}

	if (zoom > end - start)
		zoom = end - start
	zoom0 = busiest()
	zoom1 = zoom0 + zoom
	width = (end - start) / bins

	printf "nrows = %d\nx0 = %.6f\nx1 = %.6f\nzoom0 = %.6f\nzoom1 = %.6f\n",
	       n, start, end, zoom0, zoom1 > rowfile
	tics = ""
	for (r = 1; r <= n; r++) {
		t = row[r]
		overview_row(r, t)
		zoom_row(r, t)
		label = comm[t]
		gsub(/\\x20/, " ", label)
		gsub(/["\\]/, "?", label)
		tics = tics sprintf("%s\"%s (%d)\" %d", r > 1 ? ", " : "", label, t, r)
	}
	printf "set ytics (%s)\n", tics > rowfile
}
