# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Whole workloads, with nothing on, with masksets of LKST and with the events of ftrace
# that match them. Sourced by guest.sh, which has the rest. PROGRAMS: where hackbench,
# nginx and wrk are unpacked, with their libraries.

: "${count:?}" "${dir:?}" "${lkst:?}" "${tracefs:?}" "${PROGRAMS:?}"

# program COMMAND...: with these in PATH.
program()
{
	LD_LIBRARY_PATH=$PROGRAMS/usr/lib/x86_64-linux-gnu:$PROGRAMS/lib/x86_64-linux-gnu \
		PATH=$PROGRAMS/usr/sbin:$PROGRAMS/usr/bin:$PATH "$@"
}

# What one takes, in instructions: of a program that is started, or of a request.
load()
{
	case $1 in
	exec | random) "$count" -l 21 -n 100 "$1" | cut -d ' ' -f 2 ;;
	hackbench) program "$count" run hackbench -p -g 2 -l 100 >/tmp/load && tail -n 1 /tmp/load ;;
	compile) "$count" run sh "$dir/compile.sh" ;;
	nginx)
		program "$count" run wrk -t 1 -c 4 -d 1s http://127.0.0.1:8080/ >/tmp/load
		awk '/ requests in / { n = $1 } END { if (!n) exit 1; printf "%.2f\n", $1 / n }' /tmp/load
		;;
	esac
}

# measure_load LOAD CASE: no run is quite like another, and what is compiled is read from
# the host the first time.
measure_load()
{
	case $1 in
	exec | random) times=1 ;;
	nginx) times=3 ;;
	hackbench) times=9 && load "$1" >/dev/null ;;
	compile) times=5 && load "$1" >/dev/null ;;
	esac
	: >/tmp/counts
	for _ in $(seq "$times"); do
		load "$1" >>/tmp/counts || {
			echo "bench: $1 $2 failed" >&2
			# shellcheck disable=SC2034 # looked at by guest.sh
			failed=1
			return 0
		}
	done
	sort -n /tmp/counts | awk -v name="$1 $2" '{ v[NR] = $1; s += $1 }
		END { print name, v[1], v[int((NR + 1) / 2)], s / NR, v[NR] }'
}

start_nginx()
{
	mkdir -p /tmp/www /var/log/nginx
	grep -qs '^root:' /etc/group || echo 'root:x:0:' >>/etc/group
	dd if=/dev/zero of=/tmp/www/index.html bs=1k count=4 2>/dev/null
	cat >/tmp/nginx.conf <<-END
	user root;
	daemon off;
	master_process off;
	pid /tmp/nginx.pid;
	error_log /tmp/nginx.log;
	events { }
	http {
		access_log off;
		client_body_temp_path /tmp/body;
		proxy_temp_path /tmp/proxy;
		fastcgi_temp_path /tmp/fastcgi;
		uwsgi_temp_path /tmp/uwsgi;
		scgi_temp_path /tmp/scgi;
		server {
			listen 127.0.0.1:8080;
			root /tmp/www;
		}
	}
	END
	program nginx -e /tmp/nginx.log -c /tmp/nginx.conf &
	for _ in $(seq 100); do
		[ ! -s /tmp/nginx.pid ] || return 0
		sleep 0.1
	done
	cat /tmp/nginx.log >&2
}

# The events of ftrace that are nearest to a maskset.
matching()
{
	case $1 in
	sched) echo 'sched task power' ;;
	RDEFAULT)
		echo 'sched task power signal irq ipi raw_syscalls exceptions kmem vmscan compaction
			migrate filemap block writeback net skb sock tcp qdisc napi timer workqueue
			rcu cgroup module printk'
		;;
	esac
}

lkst_load()
{
	if [ "$2" = sched ]; then
		put $lkst/masksets/create sched
		cat /src/Documentation/masksets/sched >$lkst/masksets/sched
	fi
	put $lkst/maskset "$2"
	measure_load "$1" "lkst:$2"
	put $lkst/maskset RNOTHING
	[ "$2" != sched ] || put $lkst/masksets/delete sched
}

ftrace_load()
{
	put $tracefs/trace ''
	for group in $(matching "$2"); do
		[ ! -d "$tracefs/events/$group" ] || put "$tracefs/events/$group/enable" 1
	done
	put $tracefs/tracing_on 1
	measure_load "$1" "ftrace:$2"
	put $tracefs/events/enable 0
}

# perf leaves itself out, and writes what it reads nowhere: less than it takes where
# somebody wants it.
perf_load()
{
	events=
	for group in $(matching "$2"); do
		[ ! -d "$tracefs/events/$group" ] || events="$events,$group:*"
	done
	mkfifo /tmp/perf.control /tmp/perf.ack
	exec 3<>/tmp/perf.control 4<>/tmp/perf.ack
	perf record -q -a -D -1 --control fifo:/tmp/perf.control,/tmp/perf.ack -o - \
		-e "${events#,}" --exclude-perf >/dev/null 2>/tmp/perf.log 3>&- 4>&- &
	echo enable >&3
	# It is read from the host, and while the guest waits for that its clock runs on.
	if timeout 10000 head -n 1 <&4 | grep -q ack; then
		measure_load "$1" "perf:$2"
		echo stop >&3
	else
		cat /tmp/perf.log >&2
		kill $!
		# shellcheck disable=SC2034 # looked at by guest.sh
		failed=1
	fi
	wait $! || :
	exec 3>&- 4>&-
	rm /tmp/perf.control /tmp/perf.ack
}

# buffer_sum COLUMN: of the buffer's statistics.
buffer_sum()
{
	awk -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) n = i; next }
		{ s += $n } END { print s + 0 }' $lkst/buffers/main/stats
}

# How many bytes of LKST's buffer a record takes over a compilation, heads of blocks
# included.
bytes_a_record()
{
	put $lkst/buffers/main/size 96M
	put $lkst/trace ''
	before=$(buffer_sum overwritten)
	put $lkst/maskset RDEFAULT
	load compile >/dev/null
	put $lkst/maskset RNOTHING
	records=$(buffer_sum unread)
	bytes=$(dd if=$lkst/per_cpu/cpu0/trace_raw bs=64k 2>/dev/null | wc -c)
	fact bytes "$bytes $records $(($(buffer_sum overwritten) - before))"
	put $lkst/buffers/main/size 1M
}

load_cases()
{
	[ "$1" != nginx ] || start_nginx
	measure_load "$1" nothing
	if [ -d $lkst ]; then
		lkst_load "$1" sched
		lkst_load "$1" RDEFAULT
		[ "$1" != compile ] || bytes_a_record
	else
		ftrace_load "$1" sched
		ftrace_load "$1" RDEFAULT
		perf_load "$1" sched
		perf_load "$1" RDEFAULT
	fi
	[ "$1" != nginx ] || kill "$(cat /tmp/nginx.pid)"
}
