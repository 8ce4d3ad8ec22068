# SPDX-License-Identifier: GPL-2.0-only
#
# What "lkstbuf print" says of a log, and what a reader of another format says of what
# "lkstla convert" has made of it, in the same words: a line for each record,
#
#	TIME CPU TID EVENT NAME=VALUE...
#
# from: print, ctf (babeltrace2), dat (trace-cmd report -t), perfetto (protoc --decode_raw),
# ftrace (its text, of microseconds), perf (that of perf script, without stacks).
# table: the kernel's table of events; calls: its table of system calls.

function trim(s) { sub(/^ +/, "", s); sub(/ +$/, "", s); return s }

BEGIN {
	while ((getline line <table) > 0) {
		if (line !~ /^LKST_EVENT\(/)
			continue
		sub(/^LKST_EVENT\(/, "", line)
		split(line, f, /, */)
		mnemonic = f[3] ~ /^lkst_/ ? f[3] : "lkst_" f[3]
		own[mnemonic] = f[2]
	}
	own["lkst_my_event"] = "MY_EVENT"
	while ((getline line <calls) > 0) {
		split(line, f)
		if (f[2] == "common" || f[2] == "64")
			number[f[3]] = f[1]
	}
	split("HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU", f, " ")
	for (i in f)
		softirq[f[i]] = i - 1
	split("ENOENT 2 EINTR 4 EIO 5 EAGAIN 11 SIGTERM 15 SIGCHLD 17 SIGUSR1 10 SIGKILL 9", f, " ")
	for (i = 1; i in f; i += 2)
		other[f[i]] = f[i + 1]
	# Bits of a state, as the kernel's tracepoint has them.
	split("0 R 1 S 2 D 4 T 8 t 16 X 32 Z 64 P 128 I", f, " ")
	for (i = 1; i in f; i += 2)
		letter[f[i]] = f[i + 1]
	# NAME_OF_THEIRS NAME_OF_OURS FIELD=ARGUMENT...; TASK is comm and pid.
	add("sched_switch PROCESS_CONTEXTSWITCH prev_=prev next_=next prev_state=prev_state")
	add("sched_wakeup PROCESS_WAKEUP =task")
	add("sched_waking PROCESS_WAKEUP =task")
	add("sched_wakeup_new PROCESS_WAKEUP_NEW =task target_cpu=cpu")
	add("sched_migrate_task PROCESS_MIGRATE =task orig_cpu=from dest_cpu=to")
	add("sched_process_fork PROCESS_FORK child_pid=pid child_tgid=tgid")
	add("task_newtask PROCESS_FORK pid=pid tgid=tgid")
	add("sched_process_exit PROCESS_EXIT =task exit_code=code")
	add("sys_enter SYSCALL_ENTRY id=nr arg1=arg1 arg2=arg2 arg3=arg3")
	add("sys_exit SYSCALL_EXIT id=nr ret=ret")
	add("irq_handler_entry INT_HARDWARE_ENTRY irq=irq name=handler")
	add("irq_handler_exit INT_HARDWARE_EXIT irq=irq ret=ret")
	add("softirq_entry INT_BH_ENTRY vec=vec")
	add("softirq_exit INT_BH_EXIT vec=vec")
	add("softirq_raise INT_BH_RAISE vec=vec")
	add("local_timer_entry INT_VECTOR_ENTRY vector=vector")
	add("local_timer_exit INT_VECTOR_EXIT vector=vector")
	add("call_function_single_entry INT_IPI_ENTRY vector=ipi")
	add("call_function_single_exit INT_IPI_EXIT vector=ipi")
	add("reschedule_entry INT_IPI_ENTRY vector=ipi")
	add("reschedule_exit INT_IPI_EXIT vector=ipi")
	add("call_function_entry INT_IPI_ENTRY vector=ipi")
	add("call_function_exit INT_IPI_EXIT vector=ipi")
	add("irq_work_entry INT_VECTOR_ENTRY vector=vector")
	add("irq_work_exit INT_VECTOR_EXIT vector=vector")
	add("hrtimer_expire_entry TIMER_HR_RUN hrtimer=timer function=func now=now")
	add("hrtimer_expire_exit TIMER_HR_END hrtimer=timer restart=restart")
	add("hrtimer_cancel TIMER_HR_CANCEL hrtimer=timer function=func")
	add("workqueue_execute_start WORK_START work=work function=func")
	add("workqueue_execute_end WORK_END work=work function=func")
	add("contention_begin LK_CONTENTION_BEGIN lock_addr=lock flags=flags")
	add("contention_end LK_CONTENTION_END lock_addr=lock ret=ret")
	n = 0
}

function add(text,	f, k, i, g)
{
	k = split(text, f, " ")
	ours[f[1]] = f[2]
	native[f[2]] = 1
	for (i = 3; i <= k; i++) {
		split(f[i], g, "=")
		order[f[1], i - 2] = g[1]
		name[f[1], i - 2] = g[2]
	}
	fields[f[1]] = k - 2
}

# Values of "lkstbuf print" that are names of numbers, as the numbers.
function plain(event, key, value)
{
	if (key == "nr" && value in number)
		return number[value]
	if (key == "vec" && value in softirq)
		return softirq[value]
	if (key == "ret" && substr(value, 2) in other)
		return "-" other[substr(value, 2)]
	if (key == "sig" && value in other)
		return other[value]
	if (key == "dev")
		return "dev"
	# protoc has no number in hexadecimal.
	if (decimal && value ~ /^0x[0-9a-f]+$/ && !is_code(key) && event !~ /^EVENT_/)
		return dec(substr(value, 3))
	return value
}

function is_code(key) { return key ~ /^(caller|func|at|handler)$/ }

# Of up to 64 bits: more than a number of awk's has.
function dec(hex,	high, low, i, t)
{
	high = low = 0
	for (i = 1; i <= length(hex); i++) {
		low = low * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		t = int(low / 10000000000)
		low -= t * 10000000000
		high = high * 16 + t
	}
	return high ? sprintf("%.0f%010.0f", high, low) : sprintf("%.0f", low)
}

# Of LKST's own events, a task is told by its number.
function is_task(key) { return key == "task" || key == "owner" || key == "prev" || key == "next" }

from == "print" && match($0, /-[0-9]+ +\[[-0-9]+\] [^ ][^ ][^ ][^ ] +[0-9]+\.[0-9]+: /) {
	head = substr($0, RSTART + 1, RLENGTH - 1)
	rest = substr($0, RSTART + RLENGTH)
	split(head, h)
	gsub(/[][]/, "", h[2])
	sub(/:/, "", h[4])
	k = index(rest " ", " ")
	event = substr(rest, 1, k - 1)
	rest = substr(rest, k + 1)
	# Text may have blanks: what does not look like NAME= goes on.
	nr = split(rest, w, " ")
	out = ""
	skip = 0
	for (i = 1; i <= nr; i++) {
		if (w[i] !~ /^[a-z][a-z_0-9]*=/) {
			if (!skip)
				out = out " " w[i]
			continue
		}
		eq = index(w[i], "=")
		key = substr(w[i], 1, eq - 1)
		# A name with blanks in it goes on in the next words.
		value = substr(w[i], eq + 1)
		while (i < nr && w[i + 1] !~ /^[a-z][a-z_0-9]*=/)
			value = value " " w[++i]
		skip = (event == "PROCESS_FORK" && key == "task")
		if (skip)
			continue
		# It is not told whose task struct it is.
		if (is_task(key) && event in native && value ~ /^0x/)
			value = "?"
		# In the kernel's text it is a word, whatever a handler that did something says.
		if (handled && event == "INT_HARDWARE_EXIT" && key == "ret" && value + 0)
			value = 1
		# There is no place for these in Perfetto's messages.
		if (decimal && (event == "PROCESS_EXIT" && key == "code" ||
				event == "LKST_MARKER" && key == "len"))
			continue
		if (decimal && event == "PROCESS_FORK" && key == "pid")
			pid = value
		if (decimal && event == "PROCESS_FORK" && key == "tgid")
			value = value == pid ? "its" : "another"
		if (is_task(key) && !(event in native) && value ~ /-[0-9]+$/)
			sub(/^.*-/, "#", value)
		out = out " " key "=" plain(event, key, value)
	}
	print h[4], h[2] ~ /-/ ? h[2] : h[2] + 0, h[1], event out
	next
}

# === Events of a reader: theirs, and val[] by its names of fields ===

function tell(time, cpu, tid, theirs,	out, i, k, key, value)
{
	if (theirs == "sched_blocked_reason") {
		if (reasons)
			print time, val["pid"], val["io_wait"] + 0, symbol[val["caller"]]
		return
	}
	if (reasons)
		return
	if (sub(/^syscall_entry_/, "", theirs)) {
		out = number[theirs] == val["id"] ? "" : " WRONG CALL " theirs
		theirs = "sys_enter"
		# They have names of their own.
		for (i = 1; i <= 3; i++)
			val["arg" i] = val[keys[i + 1]]
	} else if (sub(/^syscall_exit_/, "", theirs)) {
		out = number[theirs] == val["id"] ? "" : " WRONG CALL " theirs
		theirs = "sys_exit"
	}
	sub(/^irq_softirq/, "softirq", theirs)
	sub(/^timer_hrtimer/, "hrtimer", theirs)
	sub(/^x86_irq_vectors_/, "", theirs)
	if (theirs == "task_newtask")
		val["tgid"] = val["clone_flags"] + 0 ? "another" : "its"
	if (theirs == "lkst_record") {
		k = split(val["args"], args, " ")
		for (i = 1; i <= k; i++)
			out = out " arg" i "=" args[i]
		print time, cpu, tid, "EVENT_" val["event"] out
		return
	}
	if (theirs == "print") {
		print time, cpu, tid, "LKST_MARKER text=" val["text"]
		return
	}
	if (theirs in ours) {
		for (i = 1; i <= fields[theirs]; i++) {
			key = order[theirs, i]
			if (key == "" || key ~ /_$/)
				value = val[key "comm"] "-" val[key "pid"]
			else if (key in val)
				value = val[key]
			else
				continue
			if (key == "prev_state")
				value = letter[value]
			if (is_code(name[theirs, i]))
				sub(/(\+|\/)0x0$/, "", value)
			if (value ~ /^(<\.\.\.>|unknown)-(-1|4294967295)$/)
				value = "?"
			out = out " " name[theirs, i] "=" value
		}
		print time, cpu, tid, ours[theirs] out
		return
	}
	if (!(theirs in own)) {
		print time, cpu, tid, "?" theirs
		return
	}
	for (i = 1; i <= nr_keys; i++) {
		key = keys[i]
		value = val[key]
		if (key ~ /_tid$/ && (substr(key, 1, length(key) - 4) in val))
			continue
		if (is_task(key) && own[theirs] != "LKST_PROCESS" && val[key "_tid"] >= 0)
			value = "#" val[key "_tid"]
		if (key == "tid" && ("tgid" in val))
			value = value "/" val["tgid"]
		if (key == "tgid" && own[theirs] == "LKST_PROCESS")
			continue
		if (key == "dev")
			value = "dev"
		if (is_code(key))
			sub(/\+0x0$/, "", value)
		out = out " " key "=" value
	}
	print time, cpu, tid, own[theirs] out
}

function clear(	i)
{
	for (i in val)
		delete val[i]
	nr_keys = 0
}

function set(key, value)
{
	val[key] = value
	keys[++nr_keys] = key
}

# "[1700000000.000000999] (+...) host NAME: { cpu_id = 0 }, { tid = 1, ... }, { a = 1, b = "x" }"
from == "ctf" && /^\[/ {
	time = substr($1, 2, length($1) - 2)
	line = $0
	sub(/^\[[^]]*\] \([^)]*\) /, "", line)
	k = match(line, /[a-z_0-9A-Z]+: \{/)
	theirs = substr(line, RSTART, RLENGTH - 3)
	line = substr(line, RSTART + RLENGTH - 1)
	cpu = "---"
	if (match(line, /cpu_id = [0-9]+/))
		cpu = substr(line, RSTART + 9, RLENGTH - 9)
	match(line, /\{ tid = [0-9]+/)
	tid = substr(line, RSTART + 8, RLENGTH - 8)
	match(line, /flags = 0x[0-9A-F]+ \}(, )?/)
	line = substr(line, RSTART + RLENGTH)
	clear()
	sub(/^\{ /, "", line)
	while (match(line, /^[a-z_0-9]+ = ("([^"\\]|\\.)*"|[^ ,]+)/)) {
		pair = substr(line, 1, RLENGTH)
		line = substr(line, RLENGTH + 3)
		eq = index(pair, " = ")
		value = substr(pair, eq + 3)
		if (value ~ /^"/) {
			value = substr(value, 2, length(value) - 2)
			gsub(/\\"/, "\"", value)
			gsub(/\\\\/, "\\", value)
		} else if (value ~ /^0x/) {
			value = tolower(value)
		}
		key = substr(pair, 1, eq - 1)
		# There a thread's number is its tid, but in events of its own.
		if (theirs !~ /^lkst_/ && theirs !~ /fork/)
			sub(/tid$/, "pid", key)
		else if (theirs ~ /fork/ && key == "child_pid")
			key = "child_tgid"
		else if (theirs ~ /fork/ && key == "child_tid")
			key = "child_pid"
		set(key, value)
	}
	tell(time, cpu, tid, theirs)
	next
}

# "  COMM-PID  [CPU] SECONDS.NANOSECONDS: EVENT:  TEXT"
from == "dat" && match($0, /-[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +[a-z_0-9]+: +/) {
	head = substr($0, RSTART + 1, RLENGTH - 1)
	rest = substr($0, RSTART + RLENGTH)
	split(head, h)
	gsub(/[][]/, "", h[2])
	sub(/:/, "", h[3])
	sub(/:/, "", h[4])
	clear()
	if (h[4] == "sched_switch") {
		# PREV:PID [PRIO] STATE ==> NEXT:PID [PRIO]
		k = index(rest, " ==> ")
		first = substr(rest, 1, k - 1)
		second = substr(rest, k + 5)
		match(first, /:[0-9-]+ \[-1\] /)
		set("prev_comm", substr(first, 1, RSTART - 1))
		set("prev_pid", substr(first, RSTART + 1, index(substr(first, RSTART), " ") - 2))
		set("prev_state", first)
		s = substr(first, length(first))
		# It has other letters for these than the kernel that it reads.
		k = index("ZXW", s)
		if (k)
			s = substr("XZI", k, 1)
		for (i in letter)
			if (letter[i] == s)
				val["prev_state"] = i
		match(second, /:[0-9-]+ \[-1\]$/)
		set("next_comm", substr(second, 1, RSTART - 1))
		set("next_pid", substr(second, RSTART + 1, index(substr(second, RSTART), " ") - 2))
	} else if (h[4] ~ /^sched_wakeup/) {
		match(rest, /:[0-9-]+ \[-1\]/)
		set("comm", substr(rest, 1, RSTART - 1))
		set("pid", substr(rest, RSTART + 1, RLENGTH - 6))
		if (match(rest, /CPU:[0-9]+/))
			set("target_cpu", substr(rest, RSTART + 4) + 0)
	} else {
		set_pairs(rest)
	}
	tell(h[3], h[2] + 0, h[1], h[4])
	next
}

# NAME=VALUE..., of which values may have blanks in them.
function set_pairs(text,	nr, w, i, eq, key, value)
{
	nr = split(text, w, " ")
	for (i = 1; i <= nr; i++) {
		eq = index(w[i], "=")
		key = substr(w[i], 1, eq - 1)
		value = substr(w[i], eq + 1)
		while (i < nr && w[i + 1] !~ /^[a-z][a-z_0-9]*=/)
			value = value " " w[++i]
		set(key, value)
	}
}

# Bits by their names, as "lkstbuf print" has them.
function lock_flags(names,	w, i, n, bits)
{
	n = split(names, w, "|")
	for (i = 1; i <= n; i++)
		bits += 2 ^ ((index("SPIN   READ   WRITE  RT     PERCPU MUTEX  ", w[i] " ") - 1) / 7)
	return sprintf("0x%x", bits)
}

# What the kernel's format of an event makes of its fields.
function set_kernel_text(event, text,	w, i)
{
	if (event == "sys_enter") {
		split(text, w, / \(|, |\)| /)
		set("id", w[2])
		for (i = 1; i <= 3; i++)
			set("arg" i, "0x" w[i + 2])
	} else if (event == "sys_exit") {
		split(text, w, " ")
		set("id", w[2])
		set("ret", w[4])
	} else if (event ~ /^workqueue_execute/) {
		split(text, w, / struct |: function /)
		set("work", w[2])
		set("function", w[3])
	} else if (event ~ /^contention_/) {
		split(text, w, / \(|=|\)/)
		set("lock_addr", w[1])
		set(w[2], w[2] == "flags" ? lock_flags(w[3]) : w[3])
	} else if (event == "kfree_skb") {
		sub(/ reason: /, " reason=", text)
		set_pairs(text)
	} else {
		sub(/ ==> /, " ", text)
		if (event ~ /^softirq/)
			sub(/ \[action=[^]]*\]/, "", text)
		set_pairs(text)
	}
	if ("target_cpu" in val)
		val["target_cpu"] += 0
	if (event == "irq_handler_exit")
		val["ret"] = val["ret"] == "handled"
	if (event == "sched_switch") {
		for (i in letter)
			if (letter[i] == val["prev_state"])
				w[0] = i
		val["prev_state"] = w[0]
	}
}

# "  COMM-PID  [CPU] FLAGS SECONDS.MICROSECONDS: EVENT: TEXT"
from == "ftrace" && match($0, /-[0-9]+ +\[[0-9]+\] [^ ]+ +[0-9]+\.[0-9]+: [a-z_:0-9]+: /) {
	split(substr($0, RSTART + 1, RLENGTH - 1), h)
	rest = substr($0, RSTART + RLENGTH)
	gsub(/[][]/, "", h[2])
	sub(/:$/, "", h[4])
	sub(/:$/, "", h[5])
	sub(/^lkst:/, "lkst_", h[5])
	clear()
	set_kernel_text(h[5], rest)
	tell(h[4], h[2] + 0, h[1], h[5])
	next
}

# "COMM PID [CPU] SECONDS.NANOSECONDS: SYSTEM:EVENT: TEXT"
from == "perf" && match($0, / [0-9]+ \[[0-9]+\] [0-9]+\.[0-9]+: [a-z_]+:[a-z_0-9]+: /) {
	split(substr($0, RSTART + 1, RLENGTH - 1), h)
	rest = substr($0, RSTART + RLENGTH)
	gsub(/[][]/, "", h[2])
	sub(/:$/, "", h[3])
	sub(/:$/, "", h[4])
	sub(/^lkst:/, "lkst_", h[4])
	sub(/.*:/, "", h[4])
	clear()
	set_kernel_text(h[4], rest)
	tell(h[3], h[2] + 0, h[1], h[4])
	next
}

function octal(s,	out, k)
{
	while (match(s, /\\[0-7][0-7][0-7]/)) {
		out = out substr(s, 1, RSTART - 1)
		k = substr(s, RSTART + 1, 1) * 64
		k += substr(s, RSTART + 2, 1) * 8 + substr(s, RSTART + 3, 1)
		out = out sprintf("%c", k)
		s = substr(s, RSTART + 4)
	}
	return out s
}

# protoc's text: messages within each other, a line each for what begins, is and ends.
from == "perfetto" && /\{$/ {
	level[++depth] = $1
	if (depth == 2 && $1 == "ftrace_events")
		lost = 0
	if (depth == 3 && $1 == "event")
		clear()
	if (depth == 4)
		theirs = $1
	next
}

from == "perfetto" && /^ *\}$/ {
	if (depth == 5 && level[5] == "field")
		set(generic_key, generic_value)
	if (depth == 3 && level[3] == "event") {
		# From CLOCK_BOOTTIME to CLOCK_MONOTONIC.
		time = sprintf("%.0f", time - clock[6] + clock[3])
		tell(sprintf("%s.%s", substr(time, 1, length(time) - 9),
			     substr(time, length(time) - 8)), cpu, tid, theirs)
	}
	depth--
	next
}

from == "perfetto" {
	key = $1
	sub(/:$/, "", key)
	value = $0
	sub(/^ *[a-z_]+: /, "", value)
	if (value ~ /^"/) {
		value = substr(value, 2, length(value) - 2)
		gsub(/\\"/, "\"", value)
		gsub(/\\'/, "'", value)
		value = octal(value)
		gsub(/\\\\/, "\\", value)
	}
	if (level[3] == "clocks" && depth == 3) {
		if (key == "clock_id")
			clock_id = value
		else
			clock[clock_id] = value
	} else if (level[3] == "kernel_symbols" && depth == 3) {
		if (key == "iid")
			iid = value
		else
			symbol[iid] = value
	} else if (depth == 2 && key == "cpu") {
		cpu = value
	} else if (depth == 3 && level[3] == "event" && key == "timestamp") {
		time = value
	} else if (depth == 3 && level[3] == "event" && key == "pid") {
		tid = value
	} else if (depth == 4 && level[3] == "event") {
		if (theirs == "generic") {
			if (key == "event_name")
				theirs = value
		} else if (key == "args") {
			set("arg" (nr_keys), value)
		} else if (key == "function") {
			set(key, symbol[value])
		} else if (theirs == "print") {
			set("text", value)
		} else {
			set(key, value)
		}
	} else if (depth == 5 && level[5] == "field") {
		if (key == "name")
			generic_key = value
		else
			generic_value = value
	}
}
