#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The event handlers that come with LKST, each by what it lets through, counts or
# does; instances and configurations, good and bad; notifications.

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

# load HANDLER...: their modules.
load() {
	for handler in "$@"; do
		insmod "$(module "lkst_$handler")"
	done
}

# conf HANDLER TEXT
conf() {
	put "handlers/$1/control" "$2"
}

# result HANDLER NAME: the value of a line of its result.
result() {
	key "handlers/$1/result" "$2"
}

collect() {
	taken
	awk '!/^#/ && $5 !~ /^LKST_/' "$TMP/dump" >"$TMP/events"
}

# bad HANDLER TEXT COLUMN [LINE]: refused, at that place, and all stays as it was.
bad() {
	cp "$LKST/handlers/$1/control" "$TMP/before"
	[ "$("$H" wr "$LKST/handlers/$1/control" "$2")" = EINVAL ]
	cmp "$LKST/handlers/$1/control" "$TMP/before"
	tail -n 1 "$LKST/error_log" >"$TMP/why"
	grep -q "] handlers/$1/control: EINVAL: line ${4:-1}, column $3: " "$TMP/why" || {
		cat "$TMP/why"
		return 1
	}
}

getppid() {
	"$H" getppid "$1" | cut -d' ' -f1
}

# As bash's echo does it. What is refused takes back the lines before it.
line_by_line() {
	last=$(last_cpu)
	load filter
	conf filter pid=1
	{
		echo 'pid=2'
		echo '  comm=make*'
		printf 'cpu=0'
		printf '%s\n' "-$last"
	} >"$LKST/handlers/filter/control"
	cat >"$TMP/wanted" <<-END
		pid=2
		  comm=make*
		cpu=0-$last
	END
	cmp "$LKST/handlers/filter/control" "$TMP/wanted"
	{ echo 'pid=3' && echo 'pid=4 5' && echo 'pid=6'; } >"$LKST/handlers/filter/control" &&
		return 1
	cmp "$LKST/handlers/filter/control" "$TMP/wanted"
	tail -n 1 "$LKST/error_log" | grep 'handlers/filter/control: EINVAL: line 2, column 7: '
	# Another open file starts anew.
	conf filter pid=7
	[ "$(cat "$LKST/handlers/filter/control")" = pid=7 ]
	# All together are no more than a write may be.
	{ printf '%4000s\n' pid=8 && printf '%200s\n' pid=9; } >"$LKST/handlers/filter/control" &&
		return 1
	tail -n 1 "$LKST/error_log" | grep 'control: E2BIG: more than [0-9]* bytes of lines$'
	[ "$(cat "$LKST/handlers/filter/control")" = pid=7 ]
}

# === Instances ===

instances() {
	load filter
	[ "$(cat "$LKST/handlers/filter/handler")" = filter ]
	put handlers/create 'filter web'
	put handlers/create 'filter db'
	[ "$(cat "$LKST/handlers/web/handler")" = filter ]
	conf web 'pid=1'
	conf db 'pid=2 cpu=0'
	[ "$(cat "$LKST/handlers/filter/control")" = '' ]
	[ "$(cat "$LKST/handlers/web/control")" = 'pid=1' ]
	[ "$(cat "$LKST/handlers/db/control")" = 'pid=2 cpu=0' ]
	# What is printed can be written back.
	cat "$LKST/handlers/db/control" >"$LKST/handlers/web/control"
	[ "$(cat "$LKST/handlers/web/control")" = 'pid=2 cpu=0' ]
	maskset mine 'SYSCALL_ENTRY web' 'SYSCALL_EXIT db'
	[ "$(cat "$LKST/handlers/web/users")" -eq 1 ]
	refused EBUSY handlers/delete web
	# An instance holds the module, named by a maskset or not.
	put masksets/mine '* nothing'
	if rmmod lkst_filter; then
		return 1
	fi
	put handlers/delete web
	put handlers/delete db
	[ ! -e "$LKST/handlers/web" ]
	refused ENOENT handlers/delete web
	refused EPERM handlers/delete filter
	refused EPERM handlers/delete default
	refused EEXIST handlers/create 'filter filter' filter
	refused ENOENT handlers/create 'filtre web' filtre
	refused EINVAL handlers/create 'filter 1web' 1web
	refused EINVAL handlers/create 'filter' ''
	refused EINVAL handlers/create 'filter web pid=1' pid=1
	refused EEXIST handlers/create 'filter create' create
	rmmod lkst_filter
	[ ! -e "$LKST/handlers/filter" ]
	# Where modprobe finds it, it is loaded for who wants an instance.
	if modprobe -n lkst_filter 2>/dev/null; then
		put handlers/create 'filter web'
		[ -d "$LKST/handlers/filter" ]
	fi
}

# The number is another task's there.
pids_in_container() {
	need unshare
	[ -e /proc/self/ns/pid ] || skip 'no PID namespaces'
	load filter perbuffer
	put buffers/create 'small 16K'
	conf filter 'pid=1'
	for text in 'filter pid=2' 'filter tgid=2 children=1' 'perbuffer pid=2:small'; do
		[ "$(unshare -p -f "$H" wr "$LKST/handlers/${text%% *}/control" "${text#* }")" = EINVAL ]
		grep -q 'in a container' "$LKST/error_log"
		echo >"$LKST/error_log"
	done
	[ "$(cat "$LKST/handlers/filter/control")" = 'pid=1' ]
	# All else can be written there.
	[ "$(unshare -p -f "$H" wr "$LKST/handlers/filter/control" 'comm=sh')" = OK ]
	bad perbuffer 'pid=4194304:small' 5
}

expressions() {
	load filter trigger latency count sample stack perbuffer watchdog
	conf filter 'pid=1'
	bad filter 'pid=x' 5
	bad filter 'pid=1 arg5=1' 7
	bad filter 'pid=1 comm=' 7
	bad filter 'pid=1 cpu=9999' 11
	bad filter 'pid=1,2,' 9
	bad filter 'children=1' 10
	bad filter 'pid=1 children=2' 16
	bad filter 'flags=hardirq,what' 15
	bad filter 'nothing' 1
	bad filter 'comm>a' 1
	bad filter "pid=1
cpu=0 arg2>=0x" 13 2
	bad trigger 'when=NO_SUCH' 6
	bad trigger 'count=0' 7
	bad trigger 'within=5' 8
	bad trigger 'within=5m' 8
	bad trigger 'within=0ms' 8
	bad trigger 'do=maskset:none' 12
	bad trigger 'do=buffer:none' 11
	bad trigger 'do=snapshot:none' 13
	put buffers/create 'small 16K'
	bad trigger 'do=snapshot:small' 13
	bad trigger 'do=what' 4
	bad trigger 'if=arg1' 4
	bad trigger 'count=1 what=2' 9
	bad latency 'begin=SYSCALL_ENTRY' 1
	bad latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=arg9' 42
	bad latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=task+what' 47
	bad latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=task+cpu/cpu' 51
	bad latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=arg3' 1
	bad latency 'begin=LKST_MARKER' 7
	bad latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT do=stop' 1
	bad count 'by=comm,what' 9
	bad count 'by=comm,comm' 9
	bad count 'top=x' 5
	bad sample 'every=0' 7
	bad sample 'rate=-1' 6
	bad stack 'depth=65' 7
	bad stack 'depth=0' 7
	bad perbuffer 'pid=2' 1
	bad perbuffer 'pid=2:none' 7
	bad watchdog 'do=stop' 1
	bad watchdog 'timeout=5' 9
	[ "$("$H" wr "$LKST/handlers/default/control" 'pid=1')" = EINVAL ]
}

# === filter ===

# Only what the expression means is recorded, and all of that.
filter() {
	load filter
	maskset mine '* filter'
	mkfifo "$TMP/go"
	sh -c 'read x; exec "$0" getppid 200' "$H" <"$TMP/go" >"$TMP/pids" &
	pid=$!
	conf filter "pid=$pid"
	put maskset mine
	echo >"$TMP/go"
	getppid 50
	wait "$pid"
	collect
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr getppid) ")" -ge 201 ]
	# What others do is about it.
	task=$(task "$pid")
	awk -v pid="$pid" -v task="$task" '
		$3 == pid { next }
		{ about = 0; for (i = 6; i <= NF; i++) about += $i == task }
		!about { print "not about it: " $0; bad++; next }
		{ seen[$5]++ }
		# It waited for this shell, which had a CPU meanwhile.
		END { exit bad || !seen["PROCESS_WAKEUP"] || !seen["PROCESS_CONTEXTSWITCH"] }' \
		"$TMP/events" >"$TMP/said" || {
		head -n 5 "$TMP/said"
		return 1
	}
}

# Any name, meant literally.
filter_names() {
	load filter
	maskset mine 'SYSCALL_ENTRY filter'
	put maskset mine
	for name in 'a,b' '[x]' 'q"q' 'b\s' 'a*' '#'; do
		conf filter "comm='$name'"
		[ "$(cat "$LKST/handlers/filter/control")" = "comm='$name'" ]
		put trace ''
		pid=$("$H" rename before "$name")
		"$H" rename a x aa axb qq bs after >/dev/null
		dump
		[ "$(awk '!/^#/ && $5 == "SYSCALL_ENTRY" { print $3 }' "$TMP/dump" | sort -u)" = \
		  "$pid" ]
	done
	bad filter "comm='a" 6
	bad filter "comm=a\\" 7
}

# Results below 0 are errors, and a file descriptor is never one.
filter_signs() {
	load filter
	maskset mine 'SYSCALL_EXIT filter'
	put maskset mine
	conf filter 'arg2<0 arg2>=-4095'
	put trace ''
	"$H" token 12345 0
	getppid 20
	dump
	[ "$(count " SYSCALL_EXIT $(nr getpgid) ")" -eq 8 ]
	[ "$(count " SYSCALL_EXIT $(nr getppid) ")" -eq 0 ]
	load trigger
	bad trigger 'when=BLK_RQ_ISSUE if=arg2<0' 27
	bad trigger 'when=PROCESS_FORK if=arg2>4294967295' 27
	bad filter 'pid<0' 5
	bad filter 'arg1<0 arg3<0' 13
}

# Its children, and theirs, and nobody who has a PID of theirs later.
filter_children() {
	children_by pid
}

# The same for a process, of which any thread may be the parent.
filter_children_tgid() {
	children_by tgid
}

# children_by TERM
children_by() {
	load filter
	maskset mine 'SYSCALL_ENTRY filter' 'PROCESS_FORK default'
	mkfifo "$TMP/go"
	# shellcheck disable=SC2016
	sh -c 'read x; "$0" getppid 5; sh -c "\"$0\" getppid 7; :"; :' "$H" \
		<"$TMP/go" >"$TMP/pids" &
	pid=$!
	conf filter "$1=$pid children=1"
	put maskset mine
	echo >"$TMP/go"
	getppid 50
	wait "$pid"
	collect
	# By PROCESS_FORK itself, in the order of time: who belongs to it.
	sort -n -k2 "$TMP/events" | awk -v pid="$pid" -v nr="$(nr getppid)" '
		BEGIN { in_it[pid] = 1 }
		$5 == "PROCESS_FORK" { split($7, id, "/"); in_it[id[1]] = in_it[$3]; next }
		!in_it[$3] { print "not of it: " $0; bad++ }
		$6 == nr { n[$3]++ }
		END { for (p in n) { print p, n[p]; all++ }
			exit bad || all < 4 }' >"$TMP/said" || {
		cat "$TMP/said"
		return 1
	}
	read -r a _ <"$TMP/pids"
	b=$(sed -n '2s/ .*//p' "$TMP/pids")
	grep -qx "$a 6" "$TMP/said"
	grep -qx "$b 8" "$TMP/said"
}

# By command, argument and CPU, each term and all together.
filter_terms() {
	load filter
	maskset mine 'SYSCALL_ENTRY filter'
	put maskset mine
	nr=$(($(nr getppid)))
	cpu=$(last_cpu)
	for expr in "arg1=$nr" "arg1>=$nr arg1<=$nr" "arg1!=0,1,2 arg1=$nr" "arg1&$nr arg1=$nr" \
		"comm=lkst_h* arg1=$nr" "comm=nobody
arg1=$nr cpu=$cpu flags=task"; do
		conf filter "$expr"
		put trace ''
		taskset $((1 << cpu)) "$H" getppid 20 >"$TMP/pids"
		dump
		read -r pid _ <"$TMP/pids"
		[ "$(count " $pid .* SYSCALL_ENTRY $(nr getppid) ")" -eq 21 ]
		[ "$(awk '!/^#/ && $5 == "SYSCALL_ENTRY" { print $6 }' "$TMP/dump" | sort -u)" = \
		  "$(nr getppid)" ]
	done
	for expr in 'comm=nobody' 'flags=hardirq' "arg1<$nr arg1=$nr" "arg1>$nr arg1=$nr" \
		'arg1=-1' 'flags=nmi' "comm!=lkst_h* arg1=$nr"; do
		conf filter "$expr"
		put trace ''
		getppid 20
		dump
		[ "$(count " SYSCALL_ENTRY $(nr getppid) ")" -eq 0 ]
	done
	conf filter ''
	put trace ''
	getppid 20
	dump
	[ "$(count " SYSCALL_ENTRY $(nr getppid) ")" -eq 21 ]
}

# In a hardware interrupt, and nowhere else.
filter_flags() {
	load filter
	maskset mine '* filter' 'LK_* nothing'
	conf filter flags=hardirq
	put maskset mine
	sleep 0.5
	collect
	[ -s "$TMP/events" ]
	awk '{ f = $4; if (index("13579bdf", substr(f, length(f))) == 0) { print; bad++ } }
		END { exit bad > 0 }' "$TMP/events"
}

# === trigger ===

# At the Nth match, and once; what follows goes by the new maskset and buffer.
trigger() {
	load trigger
	put buffers/create 'after 256K'
	maskset detail 'SYSCALL_EXIT default' 'SYSCALL_ENTRY default'
	maskset mine 'SYSCALL_ENTRY trigger'
	conf trigger "when=SYSCALL_ENTRY if=arg1=$(($(nr getppid))) count=10
		do=buffer:after do=maskset:detail do=notify"
	put maskset mine
	pid=$(getppid 30)
	[ "$(cat "$LKST/maskset")" = detail ]
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(cat "$LKST/buffer")" != after ] || break
		usleep 20000
	done
	[ "$(cat "$LKST/buffer")" = after ]
	stop
	[ "$(result trigger matches)" -ge 10 ]
	[ "$(result trigger fired)" -eq 1 ]
	entries='SYSCALL_ENTRY nr='$(($(nr getppid)))
	exits='SYSCALL_EXIT nr='$(($(nr getppid)))
	# What led to it is in the old buffer, the tenth included; the rest in the new one.
	[ "$(grep -cE "^ *$pid .* $entries" "$LKST/buffers/main/trace")" -eq 10 ]
	[ "$(grep -cE "^ *$pid .* $entries" "$LKST/buffers/after/trace")" -eq 21 ]
	[ "$(grep -cE "^ *$pid .* $exits" "$LKST/buffers/main/trace")" -eq 0 ]
	[ "$(grep -cE "^ *$pid .* $exits" "$LKST/buffers/after/trace")" -eq 22 ]
	timeout 5 head -n 1 "$LKST/notify" >"$TMP/notice"
	grep -qE "^[0-9]+\.[0-9]{9} SYSCALL_ENTRY cpu=[0-9]+ pid=$pid comm=lkst_helper\$" \
		"$TMP/notice"
}

# everywhere BUFFER N: each CPU that was ever online has written so many records to it.
everywhere() {
	awk -v least="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "written") c = i; next }
		$c < least && $NF { few++ }
		END { exit !c || few > 0 }' "$LKST/buffers/$1/stats"
}

# The other CPUs jump with their next event: what is older is in the old buffer, what is
# newer in the new one, but for an event that was on its way.
trigger_everywhere() {
	need_cpus 2
	load trigger
	put buffers/create 'after 1M'
	put buffers/after/mode discard
	maskset mine 'SYSCALL_ENTRY trigger' 'SYSCALL_EXIT default' 'PROCESS_*SWITCH default'
	call=$(($(nr getpgid)))
	conf trigger "when=SYSCALL_ENTRY if=arg1=$call if=arg2=12345 do=buffer:after"
	put maskset mine
	# shellcheck disable=SC2046
	"$H" load 100000000 $(cpus) >/dev/null &
	load=$!
	until everywhere main 500; do
		usleep 10000
	done
	"$H" token 12345 "$(last_cpu)"
	until everywhere after 500; do
		usleep 10000
	done
	stop
	kill $load
	grep -hE '^ *[0-9]+ \[' "$LKST/buffers/main/trace" >"$TMP/main"
	grep -hE '^ *[0-9]+ \[' "$LKST/buffers/after/trace" >"$TMP/after"
	awk -v call="nr=$call" '
		# Nanoseconds since about then: an awk counts in doubles.
		{ split($4, t, /[.:]/) }
		NR == 1 { start = t[1] }
		# With a 1 in front: what starts with 0 is octal to this awk.
		{ time = (t[1] - start) * 1000000000 + ("1" t[2]) }
		# The first of eight. (Nobody else asks so. Records of a CPU may be out
		# of order from one block to the next.)
		FNR == NR && $5 == "SYSCALL_ENTRY" && $6 == call && (!at || time < at) {
			at = time
			own = $2
		}
		FNR == NR { if ($5 !~ /^LKST_/) { old[++n] = time; cpu[n] = $2 } next }
		$5 ~ /^LKST_/ { next }
		{ m[$2]++; if (time < at) { early[$2]++; print "too new a buffer: " $0 } }
		# Where the trigger was, it is done by then.
		$2 == own && (!done || time < done) { done = time }
		END {
			for (i = 1; i <= n; i++)
				if (old[i] > done)
					late[cpu[i]]++
			for (c in late) {
				print "CPU " c ": " late[c] " late, " m[c] " in time"
				if (c == own || late[c] > 1) bad++
			}
			# One that had its time and not yet its place when the
			# jump came by interrupt.
			for (c in early)
				if (c == own || early[c] > 1) bad++
			for (c in m) cpus++
			exit bad || !at || cpus < 2
		}' "$TMP/main" "$TMP/after" >"$TMP/said" || {
		head -n 5 "$TMP/said"
		return 1
	}
	identity main
	identity after
}

# N within a time: not if they are slower than that.
trigger_within() {
	load trigger
	maskset mine 'SYSCALL_ENTRY trigger'
	conf trigger "if=arg1=$(($(nr getppid))) count=8 within=200ms do=stop"
	put maskset mine
	for _ in 1 2 3 4 5 6 7 8 9; do
		getppid 0
		usleep 120000
	done
	[ "$(result trigger matches)" -ge 9 ]
	[ "$(result trigger fired)" -eq 0 ]
	[ "$(cat "$LKST/enable")" -eq 1 ]
	# (Should the machine itself have stood still.)
	for _ in 1 2 3 4 5; do
		getppid 8
		[ "$(result trigger fired)" -eq 0 ] || break
	done
	[ "$(result trigger fired)" -eq 1 ]
	[ "$(cat "$LKST/enable")" -eq 0 ]
	n=$(key status written)
	getppid 50
	[ "$(key status written)" -eq "$n" ]
}

# Each threshold that is reached fires once, whoever reaches it, and on how many CPUs.
trigger_two_cpus() {
	need_cpus 2
	load trigger
	maskset mine 'SYSCALL_ENTRY trigger'
	n=$(scaled 100000)
	for count in 1 2 3; do
		conf trigger "if=arg1=$(($(nr getppid))) count=$count rearm=0 do=notify"
		put maskset mine
		"$H" getppid "$n" 0 >/dev/null &
		"$H" getppid "$n" 1 >/dev/null
		wait
		stop
		put notify ''
		[ "$(result trigger matches)" -eq $((2 * n + 2)) ]
		[ "$(result trigger fired)" -eq $(((2 * n + 2) / count)) ]
	done
}

# Every time, with pauses; and a delay before what follows.
trigger_again() {
	load trigger
	maskset mine 'SYSCALL_ENTRY trigger'
	nr=$(($(nr getppid)))
	conf trigger "if=arg1=$nr count=5 rearm=0 do=notify"
	put maskset mine
	getppid 24
	stop
	[ "$(result trigger matches)" -eq 25 ]
	[ "$(result trigger fired)" -eq 5 ]
	[ "$(timeout 5 head -n 5 "$LKST/notify" | grep -c ' SYSCALL_ENTRY ')" -eq 5 ]
	# A reset keeps the configuration.
	put handlers/trigger/result ''
	[ "$(result trigger fired)" -eq 0 ]
	conf trigger "if=arg1=$nr rearm=10s do=notify"
	put maskset mine
	getppid 24
	stop
	[ "$(result trigger fired)" -eq 1 ]
	put notify ''
	# Longer than it takes to look.
	delay=500
	[ -z "$SLOW" ] || delay=4000
	conf trigger "if=arg1=$nr do=notify after=${delay}ms do=maskset:RNOTHING do=notify"
	put maskset mine
	getppid 5
	[ "$(cat "$LKST/maskset")" = mine ]
	usleep $((delay * 1500))
	[ "$(cat "$LKST/maskset")" = RNOTHING ]
	timeout 5 head -n 2 "$LKST/notify" >"$TMP/notices"
	# Both tell of the event that was the reason.
	awk '{ t[NR] = $1 } END { exit !(NR == 2 && t[2] - t[1] < 0.01 && t[1] - t[2] < 0.01) }' \
		"$TMP/notices"
	# What waits for its time when it is configured anew is not done any more.
	conf trigger "if=arg1=$nr after=${delay}ms do=stop"
	put maskset mine
	getppid 1
	conf trigger "if=arg1=$nr"
	usleep $((delay * 1500))
	[ "$(cat "$LKST/enable")" -eq 1 ]
}

# === notify ===

notify_full() {
	load trigger
	maskset mine 'SYSCALL_ENTRY trigger'
	conf trigger "if=arg1=$(($(nr getppid))) rearm=0 do=notify"
	put notify ''
	put maskset mine
	getppid 1499
	stop
	timeout 30 head -n 1025 "$LKST/notify" >"$TMP/notices"
	[ -z "$(timeout 1 cat "$LKST/notify")" ]
	[ "$(grep -c ' SYSCALL_ENTRY ' "$TMP/notices")" -eq 1024 ]
	[ "$(tail -n 1 "$TMP/notices")" = 'lost 476' ]
	put maskset mine
	getppid 0
	stop
	timeout 5 head -n 1 "$LKST/notify" | grep -q ' SYSCALL_ENTRY '
}

lkst_wait() {
	need lkst
	load trigger
	maskset mine 'SYSCALL_ENTRY trigger'
	conf trigger "if=arg1=$(($(nr getppid))) rearm=0 do=notify"
	put notify ''
	put maskset mine
	fails 'nothing came for 1 seconds' lkst wait --timeout 1
	lkst wait --timeout 20 >"$TMP/line" &
	w=$!
	usleep 300000
	pid=$(getppid 0)
	wait $w
	[ "$(wc -l <"$TMP/line")" -eq 1 ]
	grep -q " SYSCALL_ENTRY cpu=[0-9]* pid=$pid comm=lkst_helper\$" "$TMP/line"
	getppid 2
	lkst wait --count 3 --timeout 20 --exec "echo \"got \$LKST_NOTICE\"" >"$TMP/line"
	[ "$(grep -c '^got [0-9.]* SYSCALL_ENTRY ' "$TMP/line")" -eq 3 ]
	getppid 0
	fails 'ended with 3' lkst wait --timeout 20 --exec 'exit 3'
}

# === trigger: snapshots ===

# asked_line NUMBER: what a record of getpgid(NUMBER) has.
asked_line() {
	echo "SYSCALL_ENTRY nr=$(($(nr getpgid))) arg1=$(hex "$1") "
}

# asked BUFFER NUMBER: how often getpgid(NUMBER) was asked for, by its records.
asked() {
	grep -c "$(asked_line "$2")" "$LKST/buffers/$1/trace" || :
}

in_snapshot() {
	[ "$(asked snap "$1")" -ne 0 ]
}

# Until a worker has made it.
snapshot_made() {
	wait_for 60 in_snapshot "$1" || {
		echo "no getpgid($1) in the snapshot"
		return 1
	}
}

# What led to it is in another buffer, and recording goes on in the current one.
trigger_snapshot() {
	load trigger
	put buffers/create "snap $MAIN_SIZE"
	maskset mine 'SYSCALL_ENTRY trigger' 'SYSCALL_EXIT default'
	call=$(($(nr getpgid)))
	conf trigger "if=arg1=$call if=arg2=12345 do=snapshot:snap"
	put maskset mine
	cpu=$(last_cpu)
	"$H" token 1001 0 "$cpu"
	# Who reads goes on reading what he began with,
	exec 4<"$LKST/trace" 5<"$LKST/trace"
	head -c 100 <&5 >/dev/null
	"$H" token 12345 "$cpu"
	"$H" token 1002 0 "$cpu"
	snapshot_made 12345
	cat <&4 >"$TMP/read"
	[ "$(grep -c "$(asked_line 1001)" "$TMP/read")" -eq 16 ]
	[ "$(grep -c "$(asked_line 1002)" "$TMP/read")" -eq 0 ]
	exec 4<&-
	[ "$(cat "$LKST/buffer")" = main ]
	[ "$(asked snap 1001)" -eq 16 ]
	[ "$(asked snap 12345)" -eq 1 ]
	[ "$(asked snap 1002)" -eq 0 ]
	[ "$(asked main 1001)" -eq 0 ]
	[ "$(asked main 12345)" -eq 7 ]
	[ "$(asked main 1002)" -eq 16 ]
	# The next one takes its place: all since the last.
	conf trigger "if=arg1=$call if=arg2=12345 do=snapshot:snap"
	"$H" token 12345 0
	wait_for 60 in_snapshot 1002
	stop
	[ "$(asked snap 1001)" -eq 0 ]
	[ "$(asked snap 1002)" -eq 16 ]
	[ "$(asked snap 12345)" -eq 8 ]
	[ "$(asked main 12345)" -eq 7 ]
	identity main
	identity snap
	# and holds it.
	conf trigger ''
	cat <&5 >/dev/null
	exec 5<&-
	# Not while it is the snapshot's, and then it can go.
	put buffers/delete snap
}

# Where there is none, whoever reads the notify file is told why.
trigger_no_snapshot() {
	load trigger
	put buffers/create "snap $MAIN_SIZE"
	maskset mine 'SYSCALL_ENTRY trigger'
	conf trigger "if=arg1=$(($(nr getpgid))) if=arg2=12345 rearm=0 do=snapshot:snap"
	put notify ''
	put maskset mine
	put buffer snap
	"$H" token 12345 0
	put buffers/create 'small 16K'
	put buffer small
	"$H" token 12345 0
	stop
	timeout 5 head -n 16 "$LKST/notify" >"$TMP/notices"
	[ "$(grep -c ' SYSCALL_ENTRY .* no snapshot: ' "$TMP/notices")" -eq 16 ]
	[ "$(asked snap 12345)" -eq 8 ]
	[ "$(asked small 12345)" -eq 8 ]
}

# Again and again, on all CPUs, while all are busy and others read.
trigger_snapshots() {
	load trigger
	put buffers/main/size 128K
	put buffers/create 'snap 128K'
	maskset mine 'SYSCALL_ENTRY trigger' 'SYSCALL_EXIT default' 'PROCESS_*SWITCH default'
	conf trigger "if=arg1=$(($(nr getpgid))) if=arg2=12345 rearm=0 do=snapshot:snap do=notify"
	put maskset mine
	# shellcheck disable=SC2046
	"$H" load 100000000 $(cpus) >/dev/null &
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		# shellcheck disable=SC2046
		"$H" token 12345 $(cpus)
		[ $((i % 5)) -ne 0 ] || conf trigger "$(cat "$LKST/handlers/trigger/control")"
		cat "$LKST/buffers/snap/trace" "$LKST/trace" >/dev/null
	done
	kill $!
	stop
	[ "$(cat "$LKST/buffer")" = main ]
	for c in $(cpus); do
		[ "$(cat "$LKST/per_cpu/cpu$c/buffer")" = main ]
	done
	identity main
	identity snap
	# Each record is in its place: of a CPU none is older than one before it in another.
	for b in snap main; do
		grep -hE '^ *[0-9]+ \[' "$LKST/buffers/$b/trace" >"$TMP/$b"
		[ -s "$TMP/$b" ]
	done
	awk '{ time = $4 + 0 }
		FNR == NR { if (!($2 in last) || time > last[$2]) last[$2] = time; next }
		time < last[$2] { early[$2]++ }
		# One whose time was taken before the jump.
		END { for (c in early) if (early[c] > 1) { print c, early[c]; exit 1 } }' \
		"$TMP/snap" "$TMP/main"
}

# again COMMAND...: until it is killed; what is refused meanwhile is.
again() {
	while :; do
		"$@" 2>/dev/null || :
	done
}

read_all() {
	cat "$LKST/buffers/snap/trace" "$LKST/buffers/snap/stats" "$LKST/trace" "$LKST/status"
	timeout 1 head -c 100000 "$LKST/trace_pipe"
	"$H" rd "$LKST/per_cpu/cpu0/trace_raw"
	"$H" rd "$LKST/buffers/snap/cpu0/trace_raw"
}

change_all() {
	put buffers/main/size 256K
	put buffers/snap/size 192K
	put buffers/create 'other 128K next=main'
	put buffer other
	put trace ''
	put buffers/main/size 128K
	put buffer main
	put buffers/other/next none
	put buffers/delete other
	put buffers/snap/trace ''
	put buffers/snap/size 128K
	put clock mono
	put clock local
}

# While all that reads, resizes, clears, makes and deletes them does so, too.
trigger_snapshots_amid() {
	load trigger
	put buffers/main/size 128K
	put buffers/create 'snap 128K'
	maskset mine 'SYSCALL_ENTRY trigger' 'SYSCALL_EXIT default' 'PROCESS_*SWITCH default'
	set_snap="if=arg1=$(($(nr getpgid))) if=arg2=12345 rearm=0 do=snapshot:snap"
	conf trigger "$set_snap"
	put maskset mine
	jobs=
	again read_all >/dev/null &
	jobs="$jobs $!"
	again change_all >/dev/null &
	jobs="$jobs $!"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		# shellcheck disable=SC2046
		"$H" token 12345 $(cpus)
		[ $((i % 4)) -ne 0 ] || conf trigger "$set_snap"
		usleep 100000
	done
	# shellcheck disable=SC2086
	kill $jobs
	# shellcheck disable=SC2086
	wait $jobs || :
	put buffer main
	stop
	[ ! -e "$LKST/buffers/other" ] || {
		put buffers/other/next none
		put buffers/delete other
	}
	identity main
	identity snap
	conf trigger ''
	put buffers/delete snap
}

# === latency ===

# As long as the program itself says, in the right line of the histogram.
latency() {
	load latency
	maskset mine 'SYSCALL_* latency'
	conf latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=task over=40ms'
	put maskset mine
	usleep 60000
	usleep 50000
	getppid 200
	stop
	[ "$(result latency pairs)" -ge 200 ]
	[ "$(result latency over)" -ge 2 ]
	[ "$(result latency full)" -eq 0 ]
	longest=$(result latency longest)
	[ "$longest" -ge 60000000 ]
	# The histogram has every pair, and the longest in its last line.
	awk -v pairs="$(result latency pairs)" -v longest="$longest" '
		/^ *[0-9]+ +[0-9]+ +[0-9]+ / { n += $3; from = $1; to = $2 }
		END { exit !(n == pairs && from <= longest && longest <= to) }' \
		"$LKST/handlers/latency/result"
	dump
	awk '!/^#/ && $5 ~ /^SYSCALL_/' "$TMP/dump" | sort -n -k2 >"$TMP/slow"
	[ "$(wc -l <"$TMP/slow")" -eq $(($(result latency over) * 2)) ]
	# Begin and end of the same thread and call, as far apart as was asked for.
	awk '$5 == "SYSCALL_ENTRY" { t[$3] = $2; nr[$3] = $6; next }
		{ if (!($3 in t) || nr[$3] != $6) { print "no pair: " $0; bad++ } ; n++ }
		END { exit bad || n < 2 }' "$TMP/slow"
	# What takes no time is not among them. (Should the machine itself have stood still.)
	[ "$(awk '{ print $6 }' "$TMP/slow" | grep -cx "$(nr getppid)")" -le 4 ]
}

# Some of the begins, and what is to be done when it took too long.
latency_acts() {
	load latency
	put buffers/create 'after 256K'
	maskset mine 'SYSCALL_* latency'
	call=$(($(nr clock_nanosleep)))
	conf latency "begin=SYSCALL_ENTRY end=SYSCALL_EXIT over=40ms if=arg1=$call
		do=buffer:after do=notify"
	put maskset mine
	for _ in 1 2 3; do
		# Whoever waits for it takes as long, and is not meant.
		sh -c 'usleep 60000'
	done
	stop
	over=$(result latency over)
	[ "$over" -ge 3 ]
	timeout 5 head -n "$over" "$LKST/notify" >"$TMP/notices"
	[ "$(grep -c ' SYSCALL_EXIT ' "$TMP/notices")" -eq "$over" ]
	# The first pair led to it.
	for f in main after; do
		grep -oE 'SYSCALL_[A-Z]+ nr=[0-9]+' "$LKST/buffers/$f/trace" >"$TMP/$f"
	done
	printf '%s\n' "SYSCALL_ENTRY nr=$call" "SYSCALL_EXIT nr=$call" | cmp - "$TMP/main"
	[ "$(grep -c " nr=$call\$" "$TMP/after")" -eq $(((over - 1) * 2)) ]
	[ "$(wc -l <"$TMP/after")" -eq $(((over - 1) * 2)) ]
}

# By an argument: from the start of a timer's function to its end.
latency_by_arg() {
	load latency
	maskset mine 'TIMER_HR_RUN latency' 'TIMER_HR_END latency'
	conf latency 'begin=TIMER_HR_RUN end=TIMER_HR_END key=arg1'
	put maskset mine
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		usleep 20000
	done
	stop
	[ "$(result latency pairs)" -ge 10 ]
	[ "$(result latency restarted)" -eq 0 ]
	dump
	[ "$(count ' TIMER_')" -eq 0 ]
}

# Of a task that has ended, to none that has its PID later.
latency_pids() {
	load latency
	pid_max=$(cat /proc/sys/kernel/pid_max)
	# So few that all are used again; those below 300 are not given out twice.
	max=700
	until echo $max >/proc/sys/kernel/pid_max 2>/dev/null; do
		max=$((max + 100))
		[ "$max" -lt 5000 ]
	done
	maskset mine 'SYSCALL_* latency'
	conf latency "begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=task if=arg1=$(($(nr exit_group)))"
	put maskset mine
	i=0
	while [ $i -lt $((max + 100)) ]; do
		(:)
		i=$((i + 1))
	done
	stop
	echo "$pid_max" >/proc/sys/kernel/pid_max
	cat "$LKST/handlers/latency/result"
	[ "$(result latency pairs)" -eq 0 ]
	[ "$(result latency died)" -ge "$i" ]
}

# A sleep that is interrupted goes on: its time is that of the whole.
latency_interrupted() {
	load latency
	maskset mine 'SYSCALL_* latency'
	conf latency "begin=SYSCALL_ENTRY end=SYSCALL_EXIT over=1500ms
		if=arg1=$(($(nr clock_nanosleep)))"
	put maskset mine
	usleep 2000000 &
	pid=$!
	usleep 500000
	kill -STOP $pid
	usleep 200000
	kill -CONT $pid
	wait $pid
	taken
	[ "$(result latency longest)" -ge 2000000000 ]
	[ "$(result latency over)" -ge 1 ]
	[ "$(count " $pid .* SYSCALL_ENTRY $(nr clock_nanosleep) ")" -eq 1 ]
	[ "$(count " $pid .* SYSCALL_EXIT ")" -eq 1 ]
}

# The same softirq on all CPUs at once.
# The call begins in a program of 64 bits and ends in one of 32, under another number.
latency_exec32() {
	[ -f /proc/sys/abi/vsyscall32 ] || skip 'no 32-bit programs in this kernel'
	load latency
	maskset mine 'SYSCALL_ENTRY latency' 'SYSCALL_EXIT latency'
	conf latency 'begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=task over=1ns'
	put buffers/main/size 4M
	put maskset mine
	"$BIN/provoke_irq" exec32 >"$TMP/exec32"
	stop
	read -r pid status <"$TMP/exec32"
	[ "$status" -eq 7 ]
	dump
	awk -v p="$pid" '$3 == p && $5 ~ /^SYSCALL_/ { print last, $5, $6; last = $5 " " $6 }' \
		"$TMP/dump" >"$TMP/pairs"
	[ "$(grep -cx 'SYSCALL_ENTRY 0x142 SYSCALL_EXIT 0x10000000b' "$TMP/pairs")" -eq 1 ]
	[ "$(grep -cE '^SYSCALL_ENTRY 0x10000000[0-9a-f] SYSCALL_EXIT 0x10000000' "$TMP/pairs")" -ge 1 ]
}

latency_by_cpu() {
	load latency
	maskset mine 'INT_BH_ENTRY latency' 'INT_BH_EXIT latency'
	conf latency 'begin=INT_BH_ENTRY end=INT_BH_EXIT key=arg1+cpu'
	put maskset mine
	# shellcheck disable=SC2046
	"$H" load "$(scaled 1000)" $(cpus) >/dev/null
	usleep 500000
	stop
	[ "$(result latency pairs)" -gt 0 ]
	[ "$(result latency restarted)" -eq 0 ]
}

# From the one clock to the other it would be many seconds: so many that a machine which
# stands still does not look the same.
latency_clocks() {
	"$H" wr "$LKST/clock" tsc | grep -qx OK || skip 'no tsc here, and the others are alike'
	load latency
	maskset mine 'SYSCALL_* latency'
	put maskset mine
	read -r tsc mono _ <<-END
		$(key status clock_now)
	END
	apart=$(((tsc > mono ? tsc - mono : mono - tsc) / 1000))
	[ "$apart" -gt 1000000 ] || skip 'the clocks are too near to each other'
	conf latency "begin=SYSCALL_ENTRY end=SYSCALL_EXIT if=arg1=$(($(nr getppid)))
		over=$((apart / 2))us do=notify"
	pids=
	for _ in $(cpus); do
		"$H" getppid 1000000000 >/dev/null &
		pids="$pids $!"
	done
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		for clock in mono tsc; do
			put clock "$clock"
			usleep 20000
			[ "$(result latency pairs)" -gt 0 ]
		done
	done
	# shellcheck disable=SC2086
	kill $pids
	stop
	[ -z "$(timeout 1 cat "$LKST/notify")" ]
}

# === count ===

counts() {
	load count
	maskset mine 'SYSCALL_ENTRY count'
	conf count 'by=comm,arg1 top=0'
	put maskset mine
	getppid 499
	stop
	grep -qxE " *500 comm=lkst_helper arg1=$(nr getppid)" "$LKST/handlers/count/result"
	# The greatest first, and no key twice.
	awk '/^ / { if (n && $1 > n) bad++; n = $1; if (seen[$2 $3]++) bad++ } END { exit bad || !n }' \
		"$LKST/handlers/count/result"
	[ "$(key handlers/count/result others)" -eq 0 ]
	dump
	[ "$(count ' SYSCALL_')" -eq 0 ]
	conf count 'by=event,cpu top=1'
	put maskset mine
	getppid 200
	stop
	[ "$(grep -c '^ ' "$LKST/handlers/count/result")" -eq 1 ]
	grep -qE '^ *[0-9]+ SYSCALL_ENTRY cpu=[0-9]+$' "$LKST/handlers/count/result"
	# More keys than there are places: none is lost without a word.
	conf count 'by=arg2 top=0'
	put maskset mine
	"$H" spin 1 >/dev/null 2>&1 || :
	stop
	awk '/^ / { n += $1 } /^(rest|others):/ { n += $2 } END { exit !n }' \
		"$LKST/handlers/count/result"
}

# A name is one word in a result and in a notification, whatever is in it.
names_escaped() {
	load count trigger
	maskset mine 'SYSCALL_ENTRY count'
	conf count 'by=comm top=0'
	put masksets/mine 'SYSCALL_EXIT trigger'
	conf trigger 'if=comm=a* rearm=0 count=1 do=notify'
	put notify ''
	put maskset mine
	# shellcheck disable=SC2016
	sh -c 'printf "a b\033\\\\\nc" >/proc/$$/comm; : >/dev/null; : >/dev/null'
	stop
	want='a\040b\e\\\nc'
	awk '{ print $2 }' "$LKST/handlers/count/result" | grep -qxF "comm=$want"
	timeout 5 head -n 1 "$LKST/notify" | awk '{ print $5 }' | grep -qxF "comm=$want"
}

# === sample ===

sample() {
	load sample
	maskset mine 'SYSCALL_ENTRY sample'
	conf sample every=100
	put maskset mine
	taskset 1 "$H" getppid 4999 >/dev/null
	collect
	seen=$(result sample seen)
	[ "$seen" -ge 5000 ]
	# On each CPU the first, and then one in a hundred.
	[ "$(result sample recorded)" -eq "$(wc -l <"$TMP/events")" ]
	[ "$(wc -l <"$TMP/events")" -ge $((seen / 100)) ]
	[ "$(wc -l <"$TMP/events")" -le $((seen / 100 + $(cpus | wc -l))) ]
	conf sample rate=50
	put trace ''
	put maskset mine
	read -r t0 _ </proc/uptime
	getppid 5000
	read -r t1 _ </proc/uptime
	collect
	# So many each second that has begun.
	awk -v t0="$t0" -v t1="$t1" -v n="$(wc -l <"$TMP/events")" \
		'BEGIN { exit !(n >= 50 && n <= 50 * (int(t1 - t0) + 2)) }'
}

# === stack, regs ===

# hooked_first EVENT: the stacks of its records, of up to 14 functions, start with one
# that has such a hook.
hooked_first() {
	awk -v e="$1" '$2 == e { sub(/\+.*/, "", $3); print $3 }' "$LKST/hooks" >"$TMP/hooked"
	grep -A1 " $1 " "$LKST/trace" | sed -n 's/.* LKST_STACK kernel \([^ +]*\)+.*/\1/p' |
		sort -u >"$TMP/first"
	[ -s "$TMP/first" ]
	while read -r function; do
		grep -qx "$function" "$TMP/hooked"
	done <"$TMP/first"
}

# In a task, under a lock, in an interrupt.
stack_first() {
	load stack
	conf stack 'depth=14'
	for event in SYSCALL_ENTRY PROCESS_SIGSEND TIMER_RUN; do
		maskset "of.$event" "$event stack"
		put maskset "of.$event"
		sh -c 'kill -0 $$; kill -CONT $$; usleep 100000'
		stop
		hooked_first $event
		put trace ''
	done
}

stack() {
	load stack
	maskset mine 'PROCESS_SIGSEND stack'
	conf stack 'depth=32'
	put maskset mine
	sh -c 'kill -0 $$; kill -CONT $$'
	stop
	grep -A1 ' PROCESS_SIGSEND ' "$LKST/trace" | grep ' LKST_STACK kernel ' >"$TMP/stacks"
	[ -s "$TMP/stacks" ]
	# From the system call.
	grep -E ' (__x64_sys|__arm64_sys|__se_sys)_kill\+0x| do_syscall_64\+0x| invoke_syscall\+0x' "$TMP/stacks" >/dev/null
	[ "$(grep -c 'lkst' "$TMP/stacks")" -eq 0 ]
	conf stack 'depth=2'
	put trace ''
	put maskset mine
	sh -c 'kill -CONT $$'
	stop
	grep ' LKST_STACK kernel ' "$LKST/trace" | head -n 1 >"$TMP/stacks"
	[ "$(awk '{ print NF }' "$TMP/stacks")" -eq "$(awk '{ for (i = 1; i <= NF; i++) if ($i == "kernel") print i + 2 }' "$TMP/stacks")" ]
}

# Of a system call: the number and arguments that it had.
regs() {
	[ "$(uname -m)" = x86_64 ] || skip 'the names of registers are x86-64 ones'
	load regs
	maskset mine 'SYSCALL_ENTRY regs'
	put maskset mine
	"$H" getppid 3 >"$TMP/pids"
	stop
	read -r pid _ <"$TMP/pids"
	grep -A2 -E "^ *$pid .* SYSCALL_ENTRY nr=$(($(nr getppid)))" "$LKST/trace" |
		grep ' LKST_REGS user ' >"$TMP/regs"
	[ "$(grep -c "orig_ax=$(printf '0x%x' $(($(nr getppid))))" "$TMP/regs")" -ge 3 ]
	grep -qE ' ip=0x[0-9a-f]+' "$TMP/regs"
	grep -qE ' sp=0x7f[0-9a-f]+' "$TMP/regs"
}

# === watchdog ===

watchdog() {
	load watchdog
	maskset mine 'SYSCALL_ENTRY watchdog'
	# As long as a few programs take to start.
	timeout=500
	[ -z "$SLOW" ] || timeout=2000
	conf watchdog "timeout=${timeout}ms if=arg1=$(($(nr getppid))) do=notify"
	put notify ''
	put maskset mine
	for _ in 1 2 3 4 5 6 7 8; do
		getppid 0
		usleep $((timeout * 200))
	done
	[ "$(result watchdog beats)" -ge 8 ]
	[ "$(result watchdog bites)" -eq 0 ]
	usleep $((timeout * 2500))
	# Once, however long it lasts.
	[ "$(result watchdog bites)" -eq 1 ]
	timeout 5 head -n 1 "$LKST/notify" | grep -q ' SYSCALL_ENTRY '
	getppid 0
	usleep $((timeout * 1500))
	[ "$(result watchdog bites)" -eq 2 ]
}

# While nothing is recorded there are no beats, and none is waited for.
watchdog_asleep() {
	load watchdog
	maskset mine 'SYSCALL_ENTRY watchdog'
	maskset after 'SYSCALL_ENTRY default'
	conf watchdog "timeout=200ms if=arg1=$(nr getppid) do=maskset:after"
	usleep 700000
	[ "$(result watchdog bites)" -eq 0 ]
	[ "$(cat "$LKST/maskset")" = RNOTHING ]
	put maskset mine
	wait_for 20 grep -qx after "$LKST/maskset"
	[ "$(result watchdog bites)" -eq 1 ]
}

# === A handler of a test ===

# Its own event inside it: one step in, see lkst_guard_enter(), and no further. So
# of four calls one is an event's and three are let through, which are refused three
# each; of a call that an interrupt made in one of those, all three are.
meets() {
	load test_handler
	conf lkst_test meet=3
	maskset mine 'SYSCALL_ENTRY lkst_test' 'LK_SPINTRYLOCK lkst_test'
	before=$(key status recursed)
	put maskset mine
	getppid 100
	stop
	recursed=$(($(key status recursed) - before))
	calls=$(awk '{ n += $2 } END { print n }' "$LKST/handlers/lkst_test/result")
	[ "$(result lkst_test task)" -ge 400 ]
	[ $((recursed * 4)) -ge $((calls * 9)) ]
	[ "$recursed" -le $((calls * 3)) ]
}

# spinning: another CPU is in the handler, for two seconds.
spinning() {
	conf lkst_test spin=2s
	put maskset mine
	taskset -c "$(last_cpu)" \
		dd if=/dev/zero of="$TMP/file" bs=1 count=1 conv=fsync 2>/dev/null &
	until [ "$(result lkst_test inside)" -gt 0 ]; do
		usleep 1000
	done
	read -r from _ </proc/uptime
}

# waited: for the handler, since spinning().
waited() {
	read -r to _ </proc/uptime
	awk -v from="$from" -v to="$to" 'BEGIN { print to - from; exit to - from < 0.1 }'
	wait
}

# One that takes its time: nothing of it goes away while somebody is in it, and the
# module complains if it does. Interrupts go on meanwhile, and are recorded.
spins() {
	need_cpus 2
	load test_handler
	maskset mine 'FS_FSYNC lkst_test' 'INT_BH_* default'
	spinning
	conf lkst_test spin=1us
	waited
	spinning
	put maskset RNOTHING
	put masksets/delete mine
	rmmod lkst_test_handler
	waited
	taken
	[ "$(count ' INT_BH_ENTRY ')" -gt 0 ]
}

# What may be done anywhere may be done in an NMI.
switches_in_nmi() {
	[ "$(uname -m)" = x86_64 ] || skip 'x86 only: what provokes NMIs'
	load test_handler
	ko=$(module lkst_test_irq)
	maskset two 'SYSCALL_EXIT default'
	maskset one 'INT_NMI lkst_test' 'SYSCALL_ENTRY default'
	conf lkst_test switch=two
	put maskset one
	getppid 5 >"$TMP/first"
	"$BIN/provoke_irq" on 0 insmod "$ko" what=nmi n=1 cpu="$(last_cpu)"
	[ "$(cat "$LKST/maskset")" = two ]
	getppid 7 >"$TMP/second"
	rmmod lkst_test_irq
	taken
	[ "$(result lkst_test nmi)" -ge 1 ]
	[ "$(result lkst_test task)" -eq 0 ]
	read -r first _ <"$TMP/first"
	read -r second _ <"$TMP/second"
	number=$(nr getppid)
	[ "$(count " $first .* SYSCALL_ENTRY $number ")" -eq 6 ]
	[ "$(count " $first .* SYSCALL_EXIT ")" -eq 0 ]
	[ "$(count " $second .* SYSCALL_ENTRY ")" -eq 0 ]
	[ "$(count " $second .* SYSCALL_EXIT $number ")" -eq 8 ]
}

t 'instances of a handler: made, configured, deleted' instances
t 'a configuration that is written line by line' line_by_line
t 'bad configurations: refused, with the place' expressions
t 'a PID that is written in a container' pids_in_container
t 'filter: a thread' filter
t 'filter: a process and its children' filter_children
t 'filter: a process of threads, and its children' filter_children_tgid
t 'filter: commands, arguments, CPUs' filter_terms
t 'filter: interrupts' filter_flags
t 'filter: names with quotes' filter_names
t 'filter: signed arguments' filter_signs
t 'trigger: maskset, buffer and notification at the tenth' trigger
t 'trigger: all CPUs jump' trigger_everywhere
t 'trigger: so many within a time' trigger_within
t 'trigger: again, after a while, not any more' trigger_again
t 'trigger: on two CPUs at once' trigger_two_cpus
t 'trigger: a snapshot' trigger_snapshot
t 'trigger: no snapshot, and why' trigger_no_snapshot
t 'trigger: snapshots while buffers are read and changed' trigger_snapshots_amid
t 'trigger: snapshots while all CPUs are busy' trigger_snapshots
t 'notifications: as many as fit, and how many did not' notify_full
t 'lkst wait' lkst_wait
t 'latency of system calls' latency
t 'latency of some, and what is done then' latency_acts
t 'latency by an argument' latency_by_arg
t 'latency of tasks whose PIDs are used again' latency_pids
t 'latency of a call that is interrupted' latency_interrupted
t 'latency of an exec from 64 bits to 32' latency_exec32
t 'latency by an argument and the CPU' latency_by_cpu
t 'latency while the clock changes' latency_clocks
t 'counts by command and argument' counts
t 'names with a space, an escape and a newline' names_escaped
t 'samples: one in so many, so many a second' sample
t 'the stack' stack
t 'the stack: the hooked function first' stack_first
t 'the registers' regs
t 'a handler that meets its own event' meets
t 'a handler that takes its time' spins
t 'a handler that makes another maskset current in an NMI' switches_in_nmi
t 'watchdog: bites when the beat stays away' watchdog
t 'watchdog: sleeps while nothing is recorded' watchdog_asleep
finish
