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
	compile) "$count" run chroot /tmp/root /bin/busybox sh /compile.sh ;;
	nginx)
		program "$count" run wrk -t 1 -c 4 -d 1s http://127.0.0.1:8080/ >/tmp/load
		awk '/ requests in / { n = $1 } END { if (!n) exit 1; printf "%.2f\n", $1 / n }' /tmp/load
		;;
	esac
}

# The compiler and what it reads: waiting for the host would be counted, too.
unpack_compiler()
{
	mkdir -p /tmp/root/bin /tmp/root/tmp
	cp /bin/busybox /tmp/root/bin/
	cp "$dir/compile.sh" /tmp/root/
	sed 's,^/,,' "$dir/compile.files" >/tmp/files
	/usr/bin/tar -C /host -hcf - -T /tmp/files | tar -C /tmp/root -xf -
}

# The same compiler, but all of it from the host: as from a disk, what is waited for is in
# the log, too.
compile_from_host()
{
	tree=$(sed -n "1s,^cd '\(.*\)/obj/[^/]*'$,\1,p" "$dir/compile.sh")
	[ -e "$tree" ] || { mkdir -p "${tree%/*}" && ln -s "/host$tree" "$tree"; }
	sh "$dir/compile.sh"
}

# measure_load LOAD CASE: no run is quite like another.
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

# The events of ftrace that are nearest to a maskset: GROUP or GROUP/EVENT.
matching()
{
	case $1 in
	sched) echo 'sched task power' ;;
	RDEFAULT)
		echo 'sched/sched_switch sched/sched_wakeup sched/sched_wakeup_new
			sched/sched_migrate_task sched/sched_process_fork sched/sched_process_exec
			sched/sched_process_exit sched/sched_kthread_work_execute_start
			sched/sched_kthread_work_execute_end signal raw_syscalls
			irq/irq_handler_entry irq/irq_handler_exit irq/softirq_entry irq/softirq_exit
			irq/tasklet_entry irq/tasklet_exit irq_vectors ipi nmi mce
			vmscan/mm_vmscan_direct_reclaim_begin vmscan/mm_vmscan_direct_reclaim_end
			vmscan/mm_vmscan_kswapd_wake vmscan/mm_vmscan_kswapd_sleep
			compaction/mm_compaction_begin compaction/mm_compaction_end oom/mark_victim
			block/block_bio_queue block/block_bio_complete block/block_rq_issue
			block/block_rq_complete block/block_rq_requeue
			io_uring/io_uring_submit_req io_uring/io_uring_complete
			net/net_dev_queue net/netif_receive_skb skb/kfree_skb
			sock/inet_sock_set_state tcp/tcp_retransmit_skb lock
			timer/timer_expire_entry timer/hrtimer_expire_entry
			workqueue/workqueue_execute_start workqueue/workqueue_execute_end
			power/suspend_resume cgroup/cgroup_attach_task module/module_load
			module/module_free printk'
		;;
	esac
}

# The maskset $1, made of the file that lkst setup has.
make_maskset()
{
	put $lkst/masksets/create "$1"
	cat "/src/Documentation/masksets/$1" >"$lkst/masksets/$1"
}

lkst_load()
{
	[ "$2" = RDEFAULT ] || make_maskset "$2"
	put $lkst/maskset "$2"
	measure_load "$1" "lkst:$2"
	put $lkst/maskset RNOTHING
	[ "$2" = RDEFAULT ] || put $lkst/masksets/delete "$2"
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

# perf_events GROUP, or GROUP/EVENT: the events as perf names them, each after a comma. The
# kernel does not let perf sample the one of the interrupt that perf itself wakes up by.
perf_events()
{
	for event in "$tracefs"/events/"$1"/format "$tracefs"/events/"$1"/*/format; do
		[ -f "$event" ] || continue
		event=${event#"$tracefs"/events/}
		event=${event%/format}
		[ "$event" = irq_vectors/irq_work_exit ] || echo ",${event%/*}:${event#*/}"
	done | tr -d '\n'
}

# perf leaves itself out, and writes what it reads nowhere: less than it takes where
# somebody wants it.
perf_load()
{
	events=
	for group in $(matching "$2"); do
		events="$events$(perf_events "$group")"
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

# Pipes, sockets, files and forks.
mix()
{
	program hackbench -p -g 2 -l 20 >/dev/null &&
		program hackbench -g 2 -l 20 >/dev/null &&
		"$count" -l 5 -n 100 random >/dev/null &&
		"$count" -l 5 -n 20 exec >/dev/null
}

# bytes_a_record LOAD MASKSET COMMAND...: how many bytes of LKST's buffer a record takes
# over it, heads of blocks included.
bytes_a_record()
{
	name=$1
	maskset=$2
	shift 2
	put $lkst/buffers/main/size 96M
	put $lkst/trace ''
	before=$(buffer_sum overwritten)
	[ "$maskset" = RDEFAULT ] || make_maskset "$maskset"
	put $lkst/maskset "$maskset"
	"$@" >/dev/null
	put $lkst/maskset RNOTHING
	[ "$maskset" = RDEFAULT ] || put $lkst/masksets/delete "$maskset"
	records=$(buffer_sum unread)
	bytes=$(dd if=$lkst/per_cpu/cpu0/trace_raw bs=64k 2>/dev/null | wc -c)
	fact bytes "$name $maskset $bytes $records $(($(buffer_sum overwritten) - before))"
	put $lkst/buffers/main/size 1M
}

load_cases()
{
	case $1 in
	nginx) start_nginx ;;
	compile) unpack_compiler ;;
	esac
	measure_load "$1" nothing
	if [ -d $lkst ]; then
		lkst_load "$1" sched
		lkst_load "$1" RDEFAULT
		lkst_load "$1" full
		case $1 in
		compile)
			compile_from_host
			bytes_a_record compile full compile_from_host
			bytes_a_record compile RDEFAULT compile_from_host
			;;
		hackbench)
			bytes_a_record mix full mix
			bytes_a_record mix RDEFAULT mix
			;;
		esac
	else
		ftrace_load "$1" sched
		ftrace_load "$1" RDEFAULT
		perf_load "$1" sched
		perf_load "$1" RDEFAULT
	fi
	[ "$1" != nginx ] || kill "$(cat /tmp/nginx.pid)"
}
