# SPDX-License-Identifier: GPL-2.0-only
#
# Reads what scripts/bench/guest.sh printed, KERNEL (stock or lkst) before each
# line, and writes one benchmark. Variables:
#
#	bench=NAME	which one, or off: what the hooks cost in each while off
#	form=text|rst|csv|goals
#
# "Over off" is to the same kernel with nothing on, "over stock" to the stock
# kernel with nothing on. All differences are of medians. Of "worst", each call is a
# record, and what counts is the longest.

function text(kernel, name)
{
	if (name == "nothing")
		return kernel == "stock" ? "stock kernel, nothing on" : "LKST, off"
	if (name == "again")
		return "LKST, off again after it was on"
	if (name == "lkst")
		return "LKST, " events["lkst"] " on"
	if (name == "lkst:armed")
		return "LKST, these armed but not in the current maskset"
	if (name == "lkst:handler")
		return "LKST, a handler of a module, which does nothing, for both"
	if (name == "lkst:switch")
		return "LKST, handlers of a module that switch the maskset and back"
	if (name == "lkst:trigger")
		return "LKST, triggers on both that have nothing to do"
	if (name == "lkst:react")
		return "LKST, triggers on both that switch the maskset"
	if (name == "lkst:snapshot")
		return "LKST, a trigger on the entry that takes a snapshot"
	if (name == "ftrace:snapshot")
		return "ftrace, a trigger on the entry that takes a snapshot" \
			(kernel == "stock" ? ", stock kernel" : "")
	if (name == "ftrace:react")
		return "ftrace, triggers on both that switch an event" \
			(kernel == "stock" ? ", stock kernel" : "")
	if (name == "lkst:RALL")
		return "LKST, all events on (RALL)"
	if (name in probe)
		return probe[name]
	if (name ~ /^lkst:/)
		return "LKST, only " substr(name, 6) " on"
	if (name == "ftrace" || name == "perf")
		return name ", " events["trace"] (kernel == "stock" ? ", stock kernel" : "")
	return name
}

function over(value, base)
{
	return base == "" ? "" : sprintf("%+.1f", value - base)
}

function line(a, b, c, d, e,	s)
{
	s = sprintf("%-" width "s  %12s  %9s  %9s  %10s", a, b, c, d, e)
	sub(/ +$/, "", s)
	print s
}

function rule(	s)
{
	s = sprintf("%" width "s", "")
	gsub(/ /, "=", s)
	line(s, "============", "=========", "=========", "==========")
}

function goal(what, value, most)
{
	if (value == "") {
		printf "%s: not measured\n", what
		return
	}
	printf "%s: %.1f, at most %d: %s\n", what, value, most, value <= most ? "met" : "MISSED"
}

# What a case of LKST takes more than another, or than nothing on.
function more(what, than)
{
	if (!(("lkst", what) in value) || (than && !(("lkst", than) in value)))
		return ""
	return value["lkst", what] - (than ? value["lkst", than] : off["lkst"])
}

function percent(part, whole)
{
	return part == "" || whole == "" ? "" : 100 * part / whole
}

function half(n)
{
	return n == "" ? "" : n / 2
}

BEGIN {
	if (bench == "getppid") {
		events["lkst"] = "SYSCALL_ENTRY and SYSCALL_EXIT"
		events["trace"] = "raw_syscalls:sys_enter and sys_exit"
	} else if (bench == "pipe") {
		events["lkst"] = "PROCESS_CONTEXTSWITCH and PROCESS_WAKEUP"
		events["trace"] = "sched:sched_switch and sched_wakeup"
	}
	width = 68
	probe["lkst:p:off"] = "LKST, p: at the function\047s entry, made and off"
	probe["lkst:p"] = "LKST, p: at the function\047s entry, an argument"
	probe["lkst:r:off"] = "LKST, r: at its return, made and off"
	probe["lkst:r"] = "LKST, r: at its return, how long it took and what it returned"
	probe["lkst:t:off"] = "LKST, t: of raw_syscalls:sys_enter, made and off"
	probe["lkst:t"] = "LKST, t: of raw_syscalls:sys_enter, a field"
	probe["ftrace:p"] = "ftrace, kprobe event at the entry, an argument"
	probe["ftrace:r"] = "ftrace, kretprobe event, what it returned"
	probe["lkst:f:off"] = "LKST, f: at the function\047s entry, made and off"
	probe["lkst:f"] = "LKST, f: at the function\047s entry, an argument"
	probe["lkst:fr:off"] = "LKST, f: at its return, made and off"
	probe["lkst:fr"] = "LKST, f: at its return, how long it took and what it returned"
	probe["ftrace:f"] = "ftrace, fprobe event at the entry, an argument"
	probe["ftrace:fr"] = "ftrace, fprobe event at the return, what it returned"
	probe["ftrace:e"] = "ftrace, eprobe of raw_syscalls:sys_enter, a field"
	probe["ftrace:t"] = "ftrace, raw_syscalls:sys_enter itself, all fields"
}

$3 == "hooks" { hooks[$2] = $4 }
$3 == "nothing" { nothing[$1, $2] = $5; if (!($2 in listed)) { listed[$2] = 1; benches[++nbenches] = $2 } }

function off_line(a, b, c, d, e, f)
{
	printf "%-42s  %12s  %12s  %8s  %12s  %9s\n", a, b, c, d, e, f
}

function off_rule()
{
	off_line("==========================================", "============", "============",
		 "========", "============", "=========")
}

function off_table(	i, b, extra)
{
	what["getppid"] = "getppid()"
	what["pipe"] = "a byte through a pipe and one back"
	what["fault"] = "a page touched and given back"
	what["udp"] = "512 bytes to oneself over UDP"
	what["pread"] = "4 KiB read from the page cache"
	what["fork"] = "fork, exit and wait"
	if (form == "csv")
		print "benchmark,stock,off,extra,hooks,extra_per_hook"
	if (form == "rst")
		off_rule()
	if (form == "rst" || form == "text")
		off_line("LKST off", "stock", "off", "extra", "hooks passed", "per hook")
	if (form == "rst")
		off_rule()
	for (i = 1; i <= nbenches; i++) {
		b = benches[i]
		if (!(("stock", b) in nothing) || !(("lkst", b) in nothing) || !hooks[b])
			continue
		extra = nothing["lkst", b] - nothing["stock", b]
		if (form == "csv")
			printf "%s,%s,%s,%.2f,%.2f,%.2f\n", b, nothing["stock", b],
			       nothing["lkst", b], extra, hooks[b], extra / hooks[b]
		else if (form == "goals")
			printf "%s, off, over stock: %.1f for %.1f hooks, at most one each: %s\n", b,
			       extra, hooks[b], extra <= hooks[b] + 0.05 ? "met" : "MISSED"
		else
			off_line(what[b], sprintf("%.1f", nothing["stock", b]),
				 sprintf("%.1f", nothing["lkst", b]), sprintf("%+.1f", extra),
				 sprintf("%.1f", hooks[b]), sprintf("%.2f", extra / hooks[b]))
	}
	if (form == "rst")
		off_rule()
}

function worst_line(a, b, c, d,	s)
{
	s = sprintf("%-" width "s  %12s  %9s  %9s", a, b, c, d)
	sub(/ +$/, "", s)
	print s
}

function worst_rule(	s)
{
	s = sprintf("%" width "s", "")
	gsub(/ /, "=", s)
	worst_line(s, "============", "=========", "=========")
}

# Of "worst", "times" is of what a record takes as a rule; of "visit", how long a CPU has
# interrupts off for a change to its buffer, it is how often.
function longest_table(	i, longest, often)
{
	if (!n)
		return
	if (form == "csv")
		print "case,median,most,times,what"
	if (form == "rst")
		worst_rule()
	if (form == "rst" || form == "text")
		worst_line(bench, "instructions", "most", "times")
	if (form == "rst")
		worst_rule()
	for (i = 1; i <= n; i++) {
		if (name[i] == "nothing")
			continue
		if ((bench == "visit" || name[i] ~ /^lkst/) && most[i] + 0 > longest)
			longest = most[i] + 0
		often = bench == "visit" ? times[i] : most[i] / value["lkst", "lkst"]
		if (form == "csv")
			printf "%s,%s,%s,%.2f,\"%s\"\n", name[i], median[i], most[i], often,
			       longest_text(name[i])
		else if (form != "goals")
			worst_line(longest_text(name[i]), median[i], most[i],
				   sprintf(bench == "visit" ? "%d" : "%.1f", often))
	}
	if (form == "rst")
		worst_rule()
	if (form != "goals")
		return
	if (bench == "visit")
		goal("the longest that a change to a buffer has interrupts off, instructions",
		     longest, 3000)
	else
		goal("a record at worst, of what one takes as a rule",
		     longest / value["lkst", "lkst"], 10)
}

function longest_text(name)
{
	return bench == "visit" ? visit_text(name) : worst_text(name)
}

function visit_text(name)
{
	if (name == "clear")
		return "a buffer of 1025 blocks is cleared"
	if (name == "shrink")
		return "it becomes one of 2 blocks"
	return "and one of 1025 again"
}

function worst_text(name)
{
	if (name == "lkst")
		return "LKST"
	if (name == "lkst:interrupt")
		return "LKST, in an interrupt"
	if (name == "lkst:next")
		return "LKST, a buffer that goes on to another when it is full (next=)"
	if (name == "lkst:discard")
		return "LKST, a buffer that is full (discard): what is dropped"
	if (name == "ring")
		return "ftrace\047s ring buffer"
	return "ftrace\047s ring buffer, in an interrupt"
}

$2 == bench && $3 != "hooks" {
	n++
	kernel[n] = $1
	name[n] = $3
	least[n] = $4
	median[n] = $5
	mean[n] = $6
	most[n] = $7
	times[n] = $8
	value[$1, $3] = $5
	if ($3 == "nothing")
		off[$1] = $5
}

END {
	if (bench == "off") {
		off_table()
		exit
	}
	if (bench == "worst" || bench == "visit") {
		longest_table()
		exit
	}
	if (form == "csv") {
		print "kernel,case,least,median,mean,most,over_off,over_stock,what"
		for (i = 1; i <= n; i++)
			printf "%s,%s,%s,%s,%s,%s,%s,%s,\"%s\"\n", kernel[i], name[i], least[i],
			       median[i], mean[i], most[i],
			       name[i] == "nothing" ? "" : over(median[i], off[kernel[i]]),
			       over(median[i], off["stock"]), text(kernel[i], name[i])
	} else if (form == "goals") {
		if (bench == "getppid" && "lkst" in off) {
			goal("off, over stock", "stock" in off ? off["lkst"] - off["stock"] : "", 2)
			on = more("lkst", "")
			goal("entry and exit on, over off", on, 120)
			goal("one hook that records", half(on), 60)
			goal("one hook that is armed and not in the current maskset",
			     half(more("lkst:armed", "")), 16)
			goal("one call of a module\047s handler, over a record",
			     half(more("lkst:handler", "lkst")), 15)
			goal("maskset switch by a handler, the record of it included",
			     half(more("lkst:switch", "lkst:handler")), 50)
		}
		if (bench == "probes" && "lkst" in off) {
			goal("an event at a function\047s entry, of ftrace\047s, percent",
			     percent(more("lkst:p", ""), more("ftrace:p", "")), 50)
			goal("an event at its return, of ftrace\047s, percent",
			     percent(more("lkst:r", ""), more("ftrace:r", "")), 50)
			goal("an event of a tracepoint, of an eprobe, percent",
			     percent(more("lkst:t", ""), more("ftrace:e", "")), 50)
		}
	} else if (n) {
		if (form == "rst")
			rule()
		line(bench, "instructions", "least", "over off", "over stock")
		if (form == "rst")
			rule()
		for (i = 1; i <= n; i++)
			line(text(kernel[i], name[i]), sprintf("%.1f", median[i]), sprintf("%.1f", least[i]),
			     name[i] == "nothing" ? "" : over(median[i], off[kernel[i]]),
			     kernel[i] == "stock" && name[i] == "nothing" ? "" : over(median[i], off["stock"]))
		if (form == "rst")
			rule()
	}
}
