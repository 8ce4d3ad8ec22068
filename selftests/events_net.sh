#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The events of the network, each provoked on purpose. What a record must say comes
# from the program or module that provokes it, which knows sizes, ports, addresses
# and results, and from the kernel's own counters.

# What the program tells becomes variables, by eval.
# shellcheck disable=SC2154

# shellcheck source=lib.sh
. "${LKST_TEST_SRC:-$(dirname "$0")}/lib.sh"

P=$BIN/provoke_net

# record VERB...: what it prints into $TMP/out, the records into $TMP/dump, in the
# order of time.
record() {
	put buffers/main/size 8M
	maskset network ':net default'
	ip link set lo up
	put maskset network
	"$P" "$@" >"$TMP/out"
	recorded
}

recorded() {
	stop
	nothing_overwritten
	dump
	sort -s -n -k2 "$TMP/dump" | grep ' NET_' >"$TMP/sorted"
	mv "$TMP/sorted" "$TMP/dump"
}

# facts: $TMP/out as variables of this shell.
facts() {
	# shellcheck source=/dev/null
	. "$TMP/out"
}

# within ADDRESS: the function that it lies in.
within() {
	awk -v a="x${1#0x}" '$2 ~ /[tT]/ && "x" $1 <= a && "x" $1 >= best { best = "x" $1; name = $3 " " $4 }
		END { print name }' /proc/kallsyms
}

# reason NAME: its number in this kernel.
reason() {
	format=/sys/kernel/tracing/events/skb/kfree_skb/format
	[ -e $format ] || lack 'no tracefs'
	hex "$(grep -oE "\{ [0-9]+, \"$1\" \}" $format | tr -dc 0-9)"
}

ETH=14
IP=20
UDP=8

# flow SIZE FROM TO N: N packets with SIZE bytes went from one interface to another:
# the same packet at all four stations, with its length there, and freed after that.
# (A driver that hands it over at once has done so before it returns.)
flow() {
	whole=$(hex $(($1 + ETH + IP + UDP)))
	inner=$(hex $(($1 + IP + UDP)))
	awk -v whole="$whole" -v inner="$inner" -v from="$(hex "$2")" -v to="$(hex "$3")" -v n="$4" '
		$5 == "NET_PKTSEND" && $7 == from && $8 == whole && $9 == "0x800" { at[$6] = "sent " }
		$5 == "NET_PKTSENDI" && $7 == from && $8 == whole && $9 == "0x0" && at[$6] { at[$6] = at[$6] "out " }
		$5 == "NET_PKTRECVI" && $7 == to && $8 == inner && at[$6] { at[$6] = at[$6] "in " }
		$5 == "NET_PKTRECV" && $7 == to && $8 == inner && $9 == "0x800" && at[$6] { at[$6] = at[$6] "received " }
		$5 == "NET_SKBFREE" && at[$6] {
			if (at[$6] ~ /^sent (in out|out in) received $/)
				all++
			else
				print $6, at[$6]
			at[$6] = ""
		}
		END { print all + 0, "of", n; exit all != n }' "$TMP/dump"
}

loopback() {
	record udp 1234 20
	facts
	flow 1234 "$lo" "$lo" 20
	# No packet but these from that process, and in this order: see flow().
	for e in PKTSEND PKTSENDI; do
		[ "$(count " $pid 0x[0-9a-f]* NET_$e ")" -eq 20 ]
	done
}

# The two interfaces have numbers of their own, in different name spaces.
pair() {
	record veth 777 20
	facts
	flow 777 "$a" "$b" 20
	# Before the first packet its address was asked for, in 28 bytes and the head.
	arp=$(awk -v f="$(hex "$a")" '$5 == "NET_PKTSEND" && $7 == f && $9 == "0x806" { print $6, $8; exit }' "$TMP/dump")
	[ "${arp#* }" = 0x2a ]
	[ "$(count " NET_PKTRECV ${arp% *} $(hex "$b") 0x1c 0x806\$")" -ge 1 ]
	[ "$(count " NET_PKTRECVI ${arp% *} $(hex "$b") 0x1c\$")" -ge 1 ]
	# What is received is received in a soft interrupt.
	awk '$5 == "NET_PKTRECV"' "$TMP/dump" | cut -d' ' -f4 | sort -u |
		grep -qxE '0x[0-9a-f]*[2367abef]'
}

# processed: packets of all CPUs, as the kernel counts them.
processed() {
	s=0
	while read -r n _; do
		s=$((s + 0x$n))
	done </proc/net/softnet_stat
	echo $s
}

# Without NAPI of its own a device is polled by proxy: as many packets as the
# kernel says that it processed, and as were taken from drivers.
backlog() {
	before=$(processed)
	record udp 10 50
	after=$(processed)
	budget=$(hex "$(cat /proc/sys/net/core/dev_weight)")
	[ "$(count ' NET_NAPIPOLL 0x[0-9a-f]* 0x0 ')" -ge 1 ]
	[ "$(count ' NET_NAPIPOLL ')" -eq "$(count " NET_NAPIPOLL 0x[0-9a-f]{16} 0x0 0x[0-9a-f]+ $budget\$")" ]
	work=0
	for n in $(awk '$5 == "NET_NAPIPOLL" { print $8 }' "$TMP/dump"); do
		work=$((work + n))
	done
	[ "$work" -eq 50 ]
	[ $((after - before)) -eq 50 ]
	[ "$(count ' NET_PKTRECVI ')" -eq 50 ]
	[ "$(count ' NET_PKTRECV ')" -eq 50 ]
}

# A device with NAPI: what was polled from it is what came from it.
device_poll() {
	record veth 300 30 gro
	facts
	budget=0x40
	work=0
	for n in $(awk -v b="$(hex "$b")" '$5 == "NET_NAPIPOLL" && $7 == b { print $8 }' "$TMP/dump"); do
		work=$((work + n))
	done
	[ "$work" -ge 30 ]
	[ "$(count " NET_NAPIPOLL 0x[0-9a-f]{16} $(hex "$b") ")" -eq \
		"$(count " NET_NAPIPOLL 0x[0-9a-f]{16} $(hex "$b") 0x[0-9a-f]+ $budget\$")" ]
	flow 300 "$a" "$b" 30
	# All of them came by that way.
	[ "$work" -eq "$(count " NET_PKTRECVI 0x[0-9a-f]{16} $(hex "$b") ")" ]
}

# What a socket polls itself is told too: by a call that does not wait once for the
# packets, and once to end it.
busy_poll() {
	record busypoll
	facts
	awk -v p="$pid" -v b="$(hex "$b")" '
		$3 != p { next }
		$5 == "NET_SOCKETIF" { polls = other = 0 }
		$5 == "NET_NAPIPOLL" && $7 == b && $8 == "0x0" && $9 == "0x8" { polls++ }
		$5 == "NET_SOCKRECV" && $9 == "0xfffffffffffffff5" { empty++; twice += polls == 2 }
		END { print empty, twice + 0; exit !twice }' "$TMP/dump"
}

# All calls, one record each, in their order.
calls() {
	record calls
	same_calls
}

calls32() {
	"$P" calls32 >/dev/null 2>&1 || skip 'no 32-bit system calls here'
	record calls32
	same_calls
}

same_calls() {
	read -r pid <"$TMP/out"
	sed 1d "$TMP/out" >"$TMP/want"
	awk -v p="$pid" '$3 == p && $5 == "NET_SOCKETIF" { print $6, $7, $8, $9 }' \
		"$TMP/dump" >"$TMP/got"
	[ "$(wc -l <"$TMP/want")" -ge 20 ]
	cmp "$TMP/want" "$TMP/got"
	# Each number there is.
	[ "$(cut -d' ' -f1 "$TMP/got" | sort -u | wc -l)" -eq 20 ]
}

# Each send and each receive with what the socket is, the flags, and the result.
data() {
	record data
	read -r pid <"$TMP/out"
	sed 1d "$TMP/out" >"$TMP/want"
	awk -v p="$pid" '$3 == p && $5 ~ /^NET_SOCK(SEND|RECV)$/ { print $5, $7, $8, $9 }' \
		"$TMP/dump" >"$TMP/got"
	[ "$(wc -l <"$TMP/want")" -ge 18 ]
	cmp "$TMP/want" "$TMP/got"
	# The connected UDP socket is one, and no other.
	[ "$(grep -E ' NET_SOCK(SEND|RECV) 0x[0-9a-f]+ 0x2020011 ' "$TMP/dump" |
		cut -d' ' -f6 | sort -u | wc -l)" -eq 1 ]
	[ "$(grep -E ' NET_SOCK(SEND|RECV) 0x[0-9a-f]+ 0x2010006 ' "$TMP/dump" |
		cut -d' ' -f6 | sort -u | wc -l)" -eq 2 ]
}

# The packet that was sent is the one that is dropped, for the reason that it is.
no_socket() {
	record closed 55
	facts
	skb=$(awk -v p="$pid" '$3 == p && $5 == "NET_PKTSEND" { print $6; exit }' "$TMP/dump")
	[ "$(count " NET_PKTSEND $skb $(hex "$lo") $(hex $((55 + ETH + IP + UDP))) 0x800\$")" -ge 1 ]
	[ "$(count " NET_SKBDROP $skb 0x[0-9a-f]{16} $(reason NO_SOCKET) 0x800\$")" -eq 1 ]
	caller=$(awk -v s="$skb" '$5 == "NET_SKBDROP" && $6 == s { print $7 }' "$TMP/dump")
	within "$caller" | grep udp
}

# As many as the kernel says that the socket dropped.
no_room() {
	record full 20
	facts
	[ "$drops" -gt 0 ]
	[ $((drops + got)) -eq 20 ]
	[ "$(count " NET_SKBDROP 0x[0-9a-f]{16} 0x[0-9a-f]{16} $(reason SOCKET_RCVBUFF) 0x800\$")" -eq "$drops" ]
	# The others were freed where they were read, all by one caller.
	awk -v p="$pid" '$3 == p && $5 == "NET_SKBFREE" { print $7 }' "$TMP/dump" | sort |
		uniq -c | sort -n | tail -n 1 >"$TMP/most"
	read -r freed caller <"$TMP/most"
	[ "$freed" -eq "$got" ]
	within "$caller" | grep udp
}

# What only a driver does.
driver() {
	ko=$(module lkst_test_net)
	put buffers/main/size 8M
	maskset network ':net default'
	ip link set lo up
	put maskset network
	insmod "$ko"
	recorded
	tr ' ' '\n' </sys/module/lkst_test_net/parameters/report >"$TMP/out"
	facts
	loaded=$(awk '$4 == "[lkst_test_net]" { print $1 }' /proc/kallsyms | sort)
	first=$(echo "$loaded" | head -n 1)
	last=$(echo "$loaded" | tail -n 1)
	rmmod lkst_test_net
	lo=$(hex "$lo")

	# Freed or dropped: which, by whom, why; once each.
	# shellcheck disable=SC2154 # facts
	cat >"$TMP/want" <<-END
		NET_SKBFREE $consumed
		NET_SKBDROP $dropped $(reason PKT_TOO_BIG) 0x88b5
		NET_SKBFREE $shared
		NET_SKBFREE $not_dropped
		NET_SKBDROP $list1 $(reason FULL_RING) 0x88b5
		NET_SKBDROP $list2 $(reason FULL_RING) 0x88b5
		NET_SKBFREE $napi_consumed
	END
	# By the module itself.
	awk -v first="0x$first" -v last="0x$last" '
		$5 ~ /^NET_SKB(FREE|DROP)$/ && $7 "" >= first "" && $7 "" <= last "" {
			line = $5 " " $6
			if ($5 == "NET_SKBDROP")
				line = line " " $8 " " $9
			print line
		}' "$TMP/dump" >"$TMP/got"
	cmp "$TMP/want" "$TMP/got"
	# By the softirq that frees for hardware interrupts; the function, not a
	# place in it.
	action=$(awk '$3 == "net_tx_action" { print "0x" $1; exit }' /proc/kallsyms)
	[ "$(count " NET_SKBFREE $irq_consumed $action\$")" -eq 1 ]
	[ "$(count " NET_SKBDROP $irq_dropped $action $(reason DEV_READY) 0x88b5\$")" -eq 1 ]

	# Received: one by one, as a list, through GRO, in fragments. Nobody takes
	# that protocol.
	while read -r skb len; do
		[ "$(count " NET_PKTRECVI $skb $lo $(hex "$len")\$")" -eq 1 ]
		[ "$(count " NET_PKTRECV $skb $lo $(hex "$len") 0x88b5\$")" -eq 1 ]
		[ "$(count " NET_SKBDROP $skb 0x[0-9a-f]{16} $(reason UNHANDLED_PROTO) 0x88b5\$")" -ge 1 ]
	done <<-END
		$received 70
		$listed1 71
		$listed2 72
		$gro 80
		$frags 81
	END
	[ "$(count " NET_SKBDROP .* $(reason UNHANDLED_PROTO) 0x88b5\$")" -eq 5 ]

	# Its own NAPI.
	[ "$(count " NET_NAPIPOLL $napi $lo $(hex "$work") $(hex "$budget")\$")" -eq 1 ]
	[ "$(count " NET_NAPIPOLL $napi ")" -eq 1 ]
}

# states SK: "OLD>NEW" of a socket.
states() {
	awk -v s="$1" '$5 == "NET_TCPSTATE" && $6 == s { print $7 ">" $8 }' "$TMP/dump" |
		tr '\n' ' '
}

# ports SK OLD NEW PORT PORT2: what that change was recorded with.
ports() {
	[ "$(count " NET_TCPSTATE $1 $2 $3 $(hex $(($4 + $5 * 65536)))\$")" -eq 1 ]
}

# 1 established, 2 SYN sent, 3 SYN received, 4 and 5 FIN wait, 7 closed, 8 close
# wait, 9 last ACK, 10 listen.
tcp() {
	record tcp
	facts
	[ "$server_peer" = "$client" ]
	# Who is who: by the ports, each as its side has them.
	sk_listen=$(awk -v p="$(hex "$port")" '$5 == "NET_TCPSTATE" && $8 == "0xa" && $9 == p { print $6 }' "$TMP/dump")
	sk_client=$(awk -v p="$(hex $((client + port * 65536)))" '$5 == "NET_TCPSTATE" && $7 == "0x2" && $8 == "0x1" && $9 == p { print $6 }' "$TMP/dump")
	sk_server=$(awk -v p="$(hex $((port + client * 65536)))" '$5 == "NET_TCPSTATE" && $7 == "0x3" && $8 == "0x1" && $9 == p { print $6 }' "$TMP/dump")
	[ "$(states "$sk_listen")" = '0x7>0xa 0xa>0x7 ' ]
	[ "$(states "$sk_server")" = '0xa>0x3 0x3>0x1 0x1>0x8 0x8>0x9 0x9>0x7 ' ]
	case $(states "$sk_client") in
	# The second starts where there is a refused one in the same memory.
	'0x7>0x2 0x2>0x1 0x1>0x4 0x4>0x5 0x5>0x7 '*) ;;
	*) return 1 ;;
	esac
	ports "$sk_listen" 0x7 0xa "$port" 0
	ports "$sk_client" 0x7 0x2 0 "$port"
	ports "$sk_client" 0x1 0x4 "$client" "$port"
	ports "$sk_client" 0x4 0x5 "$client" "$port"
	ports "$sk_client" 0x5 0x7 "$client" "$port"
	ports "$sk_server" 0x1 0x8 "$port" "$client"
	ports "$sk_server" 0x9 0x7 "$port" "$client"
	# As the sockets said in between.
	[ "$listening $connected $accepted $ended $shut" = '10 1 1 8 5' ]
	# A refused connection never was one.
	sk=$(awk -v p="$(hex $((refused + port * 65536)))" '$5 == "NET_TCPSTATE" && $9 == p { print $6; exit }' "$TMP/dump")
	ports "$sk" 0x2 0x7 "$refused" "$port"
}

# Data that gets no answer: with the sequence numbers that were on the wire, as often
# as the socket says.
retransmit() {
	record retransmit
	grep -v '^seq=' "$TMP/out" >"$TMP/facts"
	# shellcheck source=/dev/null
	. "$TMP/facts"
	[ "$retrans" -ge 2 ]
	both=$(hex $((client + port * 65536)))
	awk -v p="$both" '$5 == "NET_TCPRETRANS" && $9 == p { print $8 }' "$TMP/dump" >"$TMP/got"
	# The first of them on the wire is the segment itself.
	sed -n 's/^seq=//p' "$TMP/out" | sed 1d >"$TMP/want"
	[ "$(wc -l <"$TMP/got")" -eq "$retrans" ]
	cmp "$TMP/want" "$TMP/got"
	# One socket, the one that sent; and the segment is a packet.
	sk=$(awk -v p="$both" '$5 == "NET_TCPRETRANS" && $9 == p { print $6 }' "$TMP/dump" | sort -u)
	[ "$(count " NET_SOCKSEND $sk 0x2010006 0x0 0xa\$")" -eq 1 ]
	[ "$(count " NET_TCPRETRANS $sk 0xffff[0-9a-f]{12} ")" -eq "$retrans" ]
}

# The answer to a SYN: of the listening socket, with no segment of its own.
synack() {
	record synack
	grep -v '^seq=' "$TMP/out" >"$TMP/facts"
	# shellcheck source=/dev/null
	. "$TMP/facts"
	seq=$(sed -n 's/^seq=//p' "$TMP/out" | sort -u)
	listener=$(awk -v p="$(hex "$port")" '$5 == "NET_TCPSTATE" && $8 == "0xa" && $9 == p { print $6 }' "$TMP/dump")
	[ "$(count " NET_TCPRETRANS $listener 0x0 $seq $(hex $((port + client * 65536)))\$")" -ge 1 ]
	[ "$(count " NET_TCPRETRANS $listener 0x0 ")" -eq \
		"$(count " NET_TCPRETRANS $listener 0x0 $seq $(hex $((port + client * 65536)))\$")" ]
}

# Into the queue one by one, as long as the kernel says in between, and out again,
# the same packets.
queue() {
	record queue 5 300
	facts
	in_and_out 5 0
}

# A queue that counts by CPU: the length is that of all of them.
queue_of_cpus() {
	need_cpus 2
	ko=$(module lkst_test_net)
	insmod "$ko"
	record stopped 0 "$(last_cpu)" || {
		rmmod lkst_test_net
		return 1
	}
	rmmod lkst_test_net
	facts
	# The first finds the queue empty and is to go past it; as the device does
	# not take it, it waits in there too.
	in_and_out 4 1
}

# in_and_out N PAST: N packets, all but PAST of them through the entry.
in_and_out() {
	[ "$qlen" -eq "$1" ]
	[ "$left" -eq 0 ]
	[ "$packets" -eq "$1" ]
	q=$(awk -v f="$(hex "$a")" '$5 == "NET_QDISC_ENQUEUE" && $9 == f { print $6; exit }' "$TMP/dump")
	awk -v q="$q" -v f="$(hex "$a")" -v n="$1" -v past="$2" '
		BEGIN { len = past }
		function dec(x,   i, v) {
			for (i = 3; i <= length(x); i++)
				v = v * 16 + index("0123456789abcdef", substr(x, i, 1)) - 1
			return v + 0
		}
		$5 == "NET_PKTSEND" && $7 == f && $9 != "0x806" && $8 != "0x2b" { order[++sent] = $6 }
		$5 == "NET_QDISC_ENQUEUE" && $6 == q {
			if ($7 != order[sent] || dec($8) != ++len || $9 != f)
				bad++
			enqueued++
			if (len > most)
				most = len
		}
		$5 == "NET_QDISC_DEQUEUE" && $6 == q {
			if ($7 != order[dequeued + 1])
				bad++
			dequeued += dec($9)
			len -= dec($9)
			if (dec($9) < 1 || dec($8) != len)
				bad++
		}
		END { print enqueued, dequeued, most, len, bad + 0
			exit enqueued != n - past || dequeued != n || most != n || len != 0 || bad }' "$TMP/dump"
	# The sender enqueues, dequeued is by a timer or an interrupt.
	[ "$(count " $pid 0x[0-9a-f]* NET_QDISC_ENQUEUE $q ")" -eq $(($1 - $2)) ]
}

# What does not fit in was never in, and is dropped.
overflow() {
	record overflow 10 4
	facts
	[ "$drops" -eq 6 ]
	[ "$qlen" -eq 4 ]
	q=$(awk '$5 == "NET_QDISC_ENQUEUE" { print $6; exit }' "$TMP/dump")
	[ "$(count " $pid 0x[0-9a-f]* NET_QDISC_ENQUEUE $q ")" -eq 4 ]
	awk -v q="$q" '$5 == "NET_QDISC_ENQUEUE" && $6 == q { print $8 }' "$TMP/dump" |
		tr '\n' ' ' | grep -x '0x1 0x2 0x3 0x4 '
	[ "$(count " NET_SKBDROP 0x[0-9a-f]{16} 0x[0-9a-f]{16} $(reason QDISC_DROP) 0x800\$")" -eq 6 ] ||
		[ "$(count " NET_SKBDROP 0x[0-9a-f]{16} 0x[0-9a-f]{16} $(reason QDISC_OVERLIMIT) 0x800\$")" -eq 6 ]
}

t 'a packet over loopback, from socket to socket' loopback
t 'packets from one interface to another' pair
t 'polls without NAPI, as /proc/net/softnet_stat counts' backlog
t 'polls of a device with NAPI' device_poll
t 'a socket polls its device' busy_poll
t 'system calls on sockets' calls
t 'system calls on sockets of 32-bit programs' calls32
t 'data through sockets: kind, flags, result' data
t 'a packet that nobody waits for' no_socket
t 'packets that a socket has no room for' no_room
t 'what drivers do: free, drop, receive, poll' driver
t 'the states of a TCP connection' tcp
t 'TCP segments sent again' retransmit
t 'SYN-ACKs sent again' synack
t 'the length of a queue' queue
t 'the length of a queue that counts by CPU' queue_of_cpus
t 'a queue that is full' overflow
finish
