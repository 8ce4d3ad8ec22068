// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes events of the network and prints what is true of them, as
 * assignments for a shell or as the lines that a dump should have.
 *
 * provoke_net VERB [ARG...]; the verbs are listed in verbs[] below.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/net.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

/* Numbers that no interface has by itself. */
#define INDEX_A		71
#define INDEX_B		73
#define NAME_A		"lkst_a"
#define NAME_B		"lkst_b"
#define ADDR_A		0x0a4d0001	/* 10.77.0.1 */
#define ADDR_B		0x0a4d0002

static void usage(void);

/* === Addresses and sockets === */

static struct sockaddr_in in_addr(uint32_t addr, int port)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(addr),
		.sin_port = htons(port),
	};

	return a;
}

static int sock(int family, int type, int protocol)
{
	int fd = socket(family, type, protocol);

	if (fd < 0)
		die("socket");
	return fd;
}

static void bind_in(int fd, uint32_t addr, int port)
{
	struct sockaddr_in a = in_addr(addr, port);

	if (bind(fd, (void *)&a, sizeof(a)))
		die("bind");
}

static int port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	if (getsockname(fd, (void *)&a, &len))
		die("getsockname");
	return ntohs(a.sin_port);
}

static int peer_port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	if (getpeername(fd, (void *)&a, &len))
		die("getpeername");
	return ntohs(a.sin_port);
}

static void connect_in(int fd, uint32_t addr, int port)
{
	struct sockaddr_in a = in_addr(addr, port);

	if (connect(fd, (void *)&a, sizeof(a)) && errno != EINPROGRESS)
		die("connect");
}

static void send_to(int fd, size_t size, uint32_t addr, int port)
{
	static char buf[65536];
	struct sockaddr_in a = in_addr(addr, port);

	if (sendto(fd, buf, size, 0, (void *)&a, sizeof(a)) != (ssize_t)size)
		die("sendto");
}

static bool ready(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static void nonblock(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* === Netlink === */

struct request {
	struct nlmsghdr h;
	union {
		struct ifinfomsg ifi;
		struct ifaddrmsg ifa;
		struct tcmsg tc;
	};
	char attr[1024];
};

static void *tail(struct request *r)
{
	return (char *)r + NLMSG_ALIGN(r->h.nlmsg_len);
}

static struct rtattr *put(struct request *r, int type, const void *data, size_t len)
{
	struct rtattr *a = tail(r);

	a->rta_type = type;
	a->rta_len = RTA_LENGTH(len);
	if (len)
		memcpy(RTA_DATA(a), data, len);
	r->h.nlmsg_len = NLMSG_ALIGN(r->h.nlmsg_len) + RTA_ALIGN(a->rta_len);
	return a;
}

static void end(struct request *r, struct rtattr *a)
{
	a->rta_len = (char *)tail(r) - (char *)a;
}

static struct request request(int type, int flags, size_t len)
{
	struct request r = {
		.h.nlmsg_len = NLMSG_LENGTH(len),
		.h.nlmsg_type = type,
		.h.nlmsg_flags = NLM_F_REQUEST | flags,
	};

	return r;
}

/* Sends it and gives the answer, an error as an exit. */
static struct nlmsghdr *ask(struct request *r, char *answer, size_t size)
{
	int fd = sock(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct nlmsghdr *h = (void *)answer;
	struct nlmsgerr *e = NLMSG_DATA(h);
	ssize_t got;

	if (send(fd, r, r->h.nlmsg_len, 0) < 0)
		die("netlink");
	got = recv(fd, answer, size, 0);
	if (got < (ssize_t)sizeof(*h))
		die("netlink");
	close(fd);
	if (h->nlmsg_type == NLMSG_ERROR && e->error) {
		errno = -e->error;
		die("netlink");
	}
	return h;
}

static void tell(struct request *r)
{
	char answer[8192];

	r->h.nlmsg_flags |= NLM_F_ACK;
	ask(r, answer, sizeof(answer));
}

/* Its interfaces send nothing by themselves: IPv6 would look for neighbours and routers. */
static int name_space(void)
{
	int fd;

	if (unshare(CLONE_NEWNET))
		die("unshare");
	fd = open("/proc/sys/net/ipv6/conf/default/disable_ipv6", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && (write(fd, "1", 1) != 1 || close(fd)))
		die("disable_ipv6");
	fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("ns/net");
	return fd;
}

static void enter(int ns)
{
	if (setns(ns, CLONE_NEWNET))
		die("setns");
}

static void up(const char *name, bool on)
{
	struct ifreq ifr = { 0 };
	int fd = sock(AF_INET, SOCK_DGRAM, 0);

	strcpy(ifr.ifr_name, name);
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		die(name);
	ifr.ifr_flags = on ? ifr.ifr_flags | IFF_UP : ifr.ifr_flags & ~IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr))
		die(name);
	close(fd);
}

/* Gives an interface an address or takes it away. */
static void address(int index, uint32_t addr, bool on)
{
	struct request r = request(on ? RTM_NEWADDR : RTM_DELADDR,
				   on ? NLM_F_CREATE | NLM_F_EXCL : 0, sizeof(r.ifa));

	r.ifa.ifa_family = AF_INET;
	r.ifa.ifa_prefixlen = 24;
	r.ifa.ifa_index = index;
	addr = htonl(addr);
	put(&r, IFA_LOCAL, &addr, sizeof(addr));
	put(&r, IFA_ADDRESS, &addr, sizeof(addr));
	tell(&r);
}

static void feature(const char *name, int cmd, int on)
{
	struct ethtool_value v = { .cmd = cmd, .data = on };
	struct ifreq ifr = { .ifr_data = (void *)&v };
	int fd = sock(AF_INET, SOCK_DGRAM, 0);

	strcpy(ifr.ifr_name, name);
	if (ioctl(fd, SIOCETHTOOL, &ifr))
		die("ethtool");
	close(fd);
}

static struct { int a, b; } ns;

/*
 * A pair of interfaces, each in a network name space of its own: A, where we are
 * then, and B. Comes back when packets pass.
 */
static void pair(bool napi)
{
	struct request r = request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, sizeof(r.ifi));
	struct rtattr *info, *data, *peer;
	struct ifinfomsg ifi = { .ifi_index = INDEX_B };
	int in, out, i;
	char c;

	ns.b = name_space();
	ns.a = name_space();
	r.ifi.ifi_index = INDEX_A;
	put(&r, IFLA_IFNAME, NAME_A, sizeof(NAME_A));
	info = put(&r, IFLA_LINKINFO, NULL, 0);
	put(&r, IFLA_INFO_KIND, "veth", 4);
	data = put(&r, IFLA_INFO_DATA, NULL, 0);
	peer = put(&r, VETH_INFO_PEER, &ifi, sizeof(ifi));
	put(&r, IFLA_IFNAME, NAME_B, sizeof(NAME_B));
	put(&r, IFLA_NET_NS_FD, &ns.b, sizeof(ns.b));
	end(&r, peer);
	end(&r, data);
	end(&r, info);
	tell(&r);

	enter(ns.b);
	if (napi)
		feature(NAME_B, ETHTOOL_SGRO, 1);
	up(NAME_B, true);
	address(INDEX_B, ADDR_B, true);
	in = sock(AF_INET, SOCK_DGRAM, 0);
	bind_in(in, ADDR_B, 7);
	enter(ns.a);
	/* Only what is not segmented already goes through NAPI. */
	if (napi)
		feature(NAME_A, ETHTOOL_STSO, 0);
	up(NAME_A, true);
	address(INDEX_A, ADDR_A, true);
	out = sock(AF_INET, SOCK_DGRAM, 0);
	for (i = 0; i < 500; i++) {
		send_to(out, 1, ADDR_B, 7);
		if (ready(in, 20))
			break;
	}
	if (recv(in, &c, 1, MSG_DONTWAIT) != 1)
		die("no packet passes");
	while (ready(in, 20))
		if (recv(in, &c, 1, 0) != 1)
			break;
	close(in);
	close(out);
}

/* A packet of an own protocol, straight to the device. */
static void frame(int fd, int index, size_t len)
{
	static char buf[2048];
	struct sockaddr_ll a = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(0x88b5),
		.sll_ifindex = index,
		.sll_halen = ETH_ALEN,
	};

	if (sendto(fd, buf, len, 0, (void *)&a, sizeof(a)) != (ssize_t)len)
		die("sendto");
}

static struct request new_qdisc(const char *kind, const void *options, size_t len)
{
	struct request r = request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, sizeof(r.tc));

	r.tc.tcm_ifindex = INDEX_A;
	r.tc.tcm_parent = TC_H_ROOT;
	r.tc.tcm_handle = 0x77 << 16;
	put(&r, TCA_KIND, kind, strlen(kind) + 1);
	if (options)
		put(&r, TCA_OPTIONS, options, len);
	return r;
}

/* A queue with room for some packets that holds each for some time. */
static void delay_all(int limit, int ms)
{
	struct tc_netem_qopt netem = { .limit = limit };
	int64_t delay = ms * 1000000LL;
	struct request r = new_qdisc("netem", &netem, sizeof(netem));
	/* A struct with attributes behind it. */
	struct rtattr *options = (void *)((char *)tail(&r) - RTA_SPACE(sizeof(netem)));

	put(&r, TCA_NETEM_LATENCY64, &delay, sizeof(delay));
	end(&r, options);
	tell(&r);
}

/* What the kernel's own statistics say of it. */
static struct tc_stats qdisc_stats(void)
{
	struct request r = request(RTM_GETQDISC, NLM_F_ECHO, sizeof(r.tc));
	struct tc_stats stats = { 0 };
	struct nlmsghdr *h;
	char answer[8192];
	struct rtattr *a;
	int left;

	r.tc.tcm_ifindex = INDEX_A;
	r.tc.tcm_handle = 0x77 << 16;
	h = ask(&r, answer, sizeof(answer));
	a = (void *)((char *)NLMSG_DATA(h) + NLMSG_ALIGN(sizeof(struct tcmsg)));
	left = NLMSG_PAYLOAD(h, sizeof(struct tcmsg));
	for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
		if (a->rta_type == TCA_STATS)
			memcpy(&stats, RTA_DATA(a), sizeof(stats));
	return stats;
}

/* === Packets === */

/* udp SIZE N: N packets to itself over loopback. */
static int verb_udp(int argc, char **argv)
{
	int in, out, i, port;
	static char buf[65536];
	long size, n;

	if (argc != 3)
		usage();
	size = number(argv[1]);
	n = number(argv[2]);
	in = sock(AF_INET, SOCK_DGRAM, 0);
	out = sock(AF_INET, SOCK_DGRAM, 0);
	bind_in(in, INADDR_LOOPBACK, 0);
	port = port_of(in);
	for (i = 0; i < n; i++) {
		send_to(out, size, INADDR_LOOPBACK, port);
		if (recv(in, buf, sizeof(buf), 0) != size)
			die("recv");
	}
	printf("pid=%d lo=%d\n", getpid(), if_nametoindex("lo"));
	return 0;
}

/*
 * veth SIZE N [gro]: N packets from one interface to another, each in a name
 * space of its own.
 */
static int verb_veth(int argc, char **argv)
{
	static char buf[65536];
	int in, out, i;
	long size, n;

	if (argc < 3)
		usage();
	size = number(argv[1]);
	n = number(argv[2]);
	pair(argc > 3);
	out = sock(AF_INET, SOCK_DGRAM, 0);
	enter(ns.b);
	in = sock(AF_INET, SOCK_DGRAM, 0);
	bind_in(in, ADDR_B, 9);
	for (i = 0; i < n; i++)
		send_to(out, size, ADDR_B, 9);
	for (i = 0; i < n; i++)
		if (recv(in, buf, sizeof(buf), 0) != size)
			die("recv");
	printf("pid=%d a=%d b=%d\n", getpid(), INDEX_A, INDEX_B);
	return 0;
}

/*
 * busypoll: waits for a packet on a socket that polls its device itself. Prints
 * what came.
 */
static int verb_busypoll(int argc, char **argv)
{
	int in, out, us = 20000, i;
	char c;

	pair(true);
	out = sock(AF_INET, SOCK_DGRAM, 0);
	enter(ns.b);
	in = sock(AF_INET, SOCK_DGRAM, 0);
	if (setsockopt(in, SOL_SOCKET, SO_BUSY_POLL, &us, sizeof(us)))
		die("SO_BUSY_POLL");
	bind_in(in, ADDR_B, 9);
	/* The first packet tells the socket which device it comes from. */
	send_to(out, 1, ADDR_B, 9);
	if (recv(in, &c, 1, 0) != 1)
		die("recv");
	for (i = 0; i < 5; i++)
		if (recv(in, &c, 1, i < 4 ? MSG_DONTWAIT : 0) != 1 && errno != EAGAIN)
			die("recv");
		else if (i == 3 && !fork()) {
			usleep(5000);
			send_to(out, 1, ADDR_B, 9);
			_exit(0);
		}
	printf("pid=%d b=%d\n", getpid(), INDEX_B);
	return 0;
}

/* === System calls === */

static char *lines;
static size_t lines_len;

static void expect(const char *format, ...)
{
	char line[200];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	lines = realloc(lines, lines_len + n + 1);
	if (!lines)
		die("realloc");
	memcpy(lines + lines_len, line, n + 1);
	lines_len += n;
}

/* One call, and what its record should have; the number is given by SYS_. */
#define CALL(event, call, a1, a2, a3, ...)				\
({									\
	expect("0x%lx 0x%lx 0x%lx 0x%lx\n", (long)(event), (long)(a1),	\
	       (long)(a2), (long)(a3));					\
	syscall(call, a1, a2, a3, ##__VA_ARGS__);			\
})

/*
 * calls: each system call on sockets once or more. Prints its PID and a line for
 * each of them: the number and three arguments.
 */
static int verb_calls(int argc, char **argv)
{
	/* An abstract name of our own. */
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	socklen_t len = offsetof(struct sockaddr_un, sun_path) + 12, got;
	struct msghdr msg = { 0 };
	struct mmsghdr mmsg[2] = { 0 };
	struct timespec soon = { .tv_nsec = 1000 };
	int server, client, one, two, value = 1, pairs[2];
	char buf[16] = "";

	snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "lkst%07d", getpid());
	server = CALL(SYS_SOCKET, __NR_socket, AF_UNIX, SOCK_STREAM, 0);
	client = CALL(SYS_SOCKET, __NR_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CALL(SYS_SOCKET, __NR_socket, 4711, 1, 2);
	CALL(SYS_BIND, __NR_bind, server, &a, len);
	CALL(SYS_LISTEN, __NR_listen, server, 5, 0);
	CALL(SYS_CONNECT, __NR_connect, client, &a, len);
	got = sizeof(a);
	one = CALL(SYS_ACCEPT, __NR_accept, server, NULL, NULL);
	CALL(SYS_GETSOCKNAME, __NR_getsockname, client, &a, &got);
	got = sizeof(a);
	CALL(SYS_GETPEERNAME, __NR_getpeername, client, &a, &got);
	CALL(SYS_SOCKETPAIR, __NR_socketpair, AF_UNIX, SOCK_DGRAM, 0, pairs);
	CALL(SYS_SEND, __NR_sendto, pairs[0], buf, 11L, 0, NULL, 0);
	CALL(SYS_RECV, __NR_recvfrom, pairs[1], buf, 16L, 0, NULL, NULL);
	CALL(SYS_SEND, __NR_sendto, pairs[0], buf, 12L, 0, NULL, 0);
	CALL(SYS_RECVFROM, __NR_recvfrom, pairs[1], buf, 15L, 0, &a, &got);
	CALL(SYS_SENDTO, __NR_sendto, pairs[0], buf, 13L, MSG_DONTWAIT, &a, 2);
	CALL(SYS_SETSOCKOPT, __NR_setsockopt, one, SOL_SOCKET, SO_PASSCRED, &value, 4);
	got = sizeof(value);
	CALL(SYS_GETSOCKOPT, __NR_getsockopt, one, SOL_SOCKET, SO_TYPE, &value, &got);
	CALL(SYS_SENDMSG, __NR_sendmsg, pairs[0], &msg, MSG_NOSIGNAL);
	CALL(SYS_RECVMSG, __NR_recvmsg, pairs[1], &msg, MSG_DONTWAIT | MSG_PEEK);
	CALL(SYS_SENDMMSG, __NR_sendmmsg, pairs[0], mmsg, 2, 0);
	CALL(SYS_RECVMMSG, __NR_recvmmsg, pairs[1], mmsg, 2, MSG_DONTWAIT, NULL);
	CALL(SYS_RECVMMSG, __NR_recvmmsg, pairs[1], mmsg, 1, MSG_DONTWAIT, &soon);
	CALL(SYS_SHUTDOWN, __NR_shutdown, pairs[0], SHUT_WR, 0);
	two = CALL(SYS_SOCKET, __NR_socket, AF_UNIX, SOCK_STREAM, 0);
	snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "lkst%07d", getpid());
	CALL(SYS_CONNECT, __NR_connect, two, &a, len);
	got = sizeof(a);
	CALL(SYS_ACCEPT4, __NR_accept4, server, &a, &got, SOCK_CLOEXEC);
	/* None of a socket, and none at all. */
	CALL(SYS_LISTEN, __NR_listen, 0, -3, 0);
	CALL(SYS_BIND, __NR_bind, -1, 0x1234L, 0x56);
	CALL(SYS_SHUTDOWN, __NR_shutdown, 99, 77, 0);
	printf("%d\n%s", getpid(), lines);
	return 0;
}

#ifdef __x86_64__
static long call32(long nr, long a, long b, long c, long d)
{
	long ret;

	asm volatile("int $0x80" : "=a" (ret)
		     : "a" (nr), "b" (a), "c" (b), "d" (c), "S" (d), "D" (0L)
		     : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

/*
 * calls32: socketcall(2) with all its numbers, and some calls of their own, as a
 * 32-bit program makes them. Output as that of "calls".
 */
static int verb_calls32(int argc, char **argv)
{
	uint32_t *a = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	int i;

	if (a == MAP_FAILED)
		die("mmap");
	for (i = SYS_SOCKET; i <= SYS_SENDMMSG; i++) {
		long fd = i == SYS_SOCKET || i == SYS_SOCKETPAIR ? 0x7000 : 0x7000 + i;
		/* An address, a flag: what tells send from sendto, accept from accept4. */
		uint32_t a3 = i == SYS_ACCEPT4 ? SOCK_CLOEXEC : 0;
		uint32_t a4 = i == SYS_SENDTO || i == SYS_RECVFROM ? 0x5000 : 0;
		uint32_t args[6] = { fd, 0x1000 + i, 0x30 + i, a3, a4, 0 };

		memcpy(a, args, sizeof(args));
		if (i == SYS_LISTEN || i == SYS_SHUTDOWN)
			expect("0x%x 0x%lx 0x%x 0x0\n", i, fd, 0x1000 + i);
		else
			expect("0x%x 0x%lx 0x%x 0x%x\n", i, fd, 0x1000 + i, 0x30 + i);
		call32(102, i, (long)a, 0, 0);
	}
	/* Numbers that there are none of. */
	call32(102, 0, (long)a, 0, 0);
	call32(102, SYS_SENDMMSG + 1, (long)a, 0, 0);
	expect("0x%x 0x7001 0x2 0x3\n", SYS_SOCKET);
	call32(359, 0x7001, 2, 3, 0);
	expect("0x%x 0x7002 0x4000 0x9\n", SYS_CONNECT);
	call32(362, 0x7002, 0x4000, 9, 0);
	expect("0x%x 0x7003 0x5000 0x7\n", SYS_SENDMSG);
	call32(370, 0x7003, 0x5000, 7, 0);
	expect("0x%x 0x7004 0x5000 0x8\n", SYS_RECVMSG);
	call32(372, 0x7004, 0x5000, 8, 0);
	expect("0x%x 0x7005 0x5000 0x9\n", SYS_RECVMMSG);
	call32(417, 0x7005, 0x5000, 9, 0);
	expect("0x%x 0x7006 0x5000 0xa\n", SYS_SENDMMSG);
	call32(345, 0x7006, 0x5000, 10, 0);
	printf("%d\n%s", getpid(), lines);
	return 0;
}
#endif

/* What a socket says of itself. */
static unsigned int kind(int fd)
{
	int family, type, protocol;
	socklen_t len = sizeof(family);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &len) ||
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) ||
	    getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &len))
		die("getsockopt");
	return family << 24 | type << 16 | protocol;
}

static void expect_io(const char *event, int fd, int flags, long ret)
{
	expect("%s 0x%x 0x%x 0x%lx\n", event, kind(fd), flags, ret < 0 ? -errno : ret);
}

static long out(int fd, size_t size, int flags)
{
	static char buf[65536];
	long ret = send(fd, buf, size, flags);

	expect_io("NET_SOCKSEND", fd, flags, ret);
	return ret;
}

static long in(int fd, size_t size, int flags)
{
	static char buf[65536];
	long ret = recv(fd, buf, size, flags);

	expect_io("NET_SOCKRECV", fd, flags, ret);
	return ret;
}

/*
 * data: sends and receives through sockets of some kinds. Prints its PID, and a
 * line for each: the event, what the socket is, flags, result.
 */
static int verb_data(int argc, char **argv)
{
	int fds[2], udp, tcp, listener, server, raw;
	char buf[300] = "";
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	long ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds))
		die("socketpair");
	out(fds[0], 123, 0);
	in(fds[1], 1000, MSG_PEEK);
	in(fds[1], 100, MSG_DONTWAIT | MSG_TRUNC);
	in(fds[1], 100, MSG_DONTWAIT);
	close(fds[1]);
	out(fds[0], 1, MSG_NOSIGNAL);

	udp = sock(AF_INET, SOCK_DGRAM, 0);
	bind_in(udp, INADDR_LOOPBACK, 0);
	connect_in(udp, INADDR_LOOPBACK, port_of(udp));
	out(udp, 1000, 0);
	in(udp, 2000, 0);
	out(udp, 65508, 0);
	/* The other ways: sendmsg, write. */
	ret = sendmsg(udp, &msg, MSG_DONTWAIT);
	expect_io("NET_SOCKSEND", udp, MSG_DONTWAIT, ret);
	ret = recvmsg(udp, &msg, 0);
	expect_io("NET_SOCKRECV", udp, 0, ret);
	ret = write(udp, buf, 77);
	expect_io("NET_SOCKSEND", udp, 0, ret);
	ret = read(udp, buf, 99);
	expect_io("NET_SOCKRECV", udp, 0, ret);
	nonblock(udp);
	ret = recv(udp, buf, 99, 0);
	expect_io("NET_SOCKRECV", udp, MSG_DONTWAIT, ret);

	listener = sock(AF_INET, SOCK_STREAM, 0);
	bind_in(listener, INADDR_LOOPBACK, 0);
	if (listen(listener, 1))
		die("listen");
	tcp = sock(AF_INET, SOCK_STREAM, 0);
	connect_in(tcp, INADDR_LOOPBACK, port_of(listener));
	server = accept(listener, NULL, NULL);
	out(tcp, 5000, MSG_DONTWAIT);
	in(server, 4000, MSG_WAITALL);
	in(server, 4000, 0);
	close(tcp);
	in(server, 4000, 0);

	raw = sock(AF_PACKET, SOCK_RAW, 0);
	in(raw, 100, MSG_DONTWAIT);
	printf("%d\n%s", getpid(), lines);
	return 0;
}

/* === Drops === */

/* closed SIZE: a packet to a port that nobody has open. */
static int verb_closed(int argc, char **argv)
{
	int udp = sock(AF_INET, SOCK_DGRAM, 0), port;

	if (argc != 2)
		usage();
	bind_in(udp, INADDR_LOOPBACK, 0);
	port = port_of(udp);
	close(udp);
	udp = sock(AF_INET, SOCK_DGRAM, 0);
	send_to(udp, number(argv[1]), INADDR_LOOPBACK, port);
	printf("pid=%d lo=%d\n", getpid(), if_nametoindex("lo"));
	return 0;
}

/* The drops of a UDP socket, as the kernel counts them. */
static long drops(int port)
{
	char line[300], *p;
	unsigned int local;
	long n = -1;
	FILE *f = fopen("/proc/net/udp", "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %*d: %*x:%x", &local) != 1 || (int)local != port)
			continue;
		/* The last column. */
		line[strcspn(line, "\n")] = 0;
		for (p = line + strlen(line); p > line && p[-1] == ' '; p--)
			p[-1] = 0;
		p = strrchr(line, ' ');
		n = p ? number(p + 1) : -1;
	}
	if (f)
		fclose(f);
	return n;
}

/* full N: N packets for a socket that takes only some. */
static int verb_full(int argc, char **argv)
{
	int udp = sock(AF_INET, SOCK_DGRAM, 0), small = 4096, got = 0, i;
	static char buf[2048];
	long n;

	if (argc != 2)
		usage();
	n = number(argv[1]);
	if (setsockopt(udp, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)))
		die("SO_RCVBUF");
	bind_in(udp, INADDR_LOOPBACK, 0);
	for (i = 0; i < n; i++)
		send_to(udp, 1000, INADDR_LOOPBACK, port_of(udp));
	printf("pid=%d drops=%ld", getpid(), drops(port_of(udp)));
	while (recv(udp, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		got++;
	printf(" got=%d\n", got);
	return 0;
}

/* === TCP === */

static struct tcp_info tcp_info(int fd)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		die("TCP_INFO");
	return info;
}

static int state(int fd)
{
	return tcp_info(fd).tcpi_state;
}

static void expect_state(const char *who, int fd)
{
	expect("%s=%d\n", who, state(fd));
}

/* Until the other's FIN has come. */
static void till_end(int fd)
{
	char c;

	while (recv(fd, &c, 1, 0) > 0)
		;
}

/*
 * tcp: a connection that the client closes first. Prints the ports, and what the
 * sockets said of their states in between.
 */
static int verb_tcp(int argc, char **argv)
{
	int listener, client, server, refused, port;

	listener = sock(AF_INET, SOCK_STREAM, 0);
	bind_in(listener, INADDR_LOOPBACK, 0);
	port = port_of(listener);
	expect("pid=%d\nport=%d\n", getpid(), port);
	if (listen(listener, 1))
		die("listen");
	expect_state("listening", listener);
	client = sock(AF_INET, SOCK_STREAM, 0);
	connect_in(client, INADDR_LOOPBACK, port);
	server = accept(listener, NULL, NULL);
	expect("client=%d\nserver_peer=%d\n", port_of(client), peer_port_of(server));
	expect_state("connected", client);
	expect_state("accepted", server);
	shutdown(client, SHUT_WR);
	till_end(server);
	while (state(client) == TCP_FIN_WAIT1)
		usleep(1000);
	expect_state("ended", server);
	expect_state("shut", client);
	close(server);
	till_end(client);
	close(client);
	close(listener);

	/* Nobody listens now. */
	refused = sock(AF_INET, SOCK_STREAM, 0);
	bind_in(refused, INADDR_LOOPBACK, 0);
	expect("refused=%d\n", port_of(refused));
	errno = 0;
	if (connect(refused, (void *)&(struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_port = htons(port),
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK) },
		    sizeof(struct sockaddr_in)) == 0 || errno != ECONNREFUSED)
		die("refused");
	fputs(lines, stdout);
	return 0;
}

/* What TCP sends on the wire: its packets from a port, seen on an interface. */
static int tap(int index)
{
	struct sockaddr_ll a = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = index,
	};
	int fd = sock(AF_PACKET, SOCK_DGRAM, 0), size = 1 << 20;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(fd, (void *)&a, sizeof(a)))
		die("bind");
	return fd;
}

/* Prints "NAME=SEQ" of each such packet; with data or SYN, from that port. */
static void print_tapped(int fd, const char *name, int port)
{
	unsigned char buf[2048];
	ssize_t got;

	while ((got = recv(fd, buf, sizeof(buf), MSG_DONTWAIT)) > 0) {
		struct tcphdr *tcp;
		int head = (buf[0] & 15) * 4;

		if (got < 40 || buf[0] >> 4 != 4 || buf[9] != IPPROTO_TCP)
			continue;
		tcp = (void *)(buf + head);
		if (ntohs(tcp->source) != port)
			continue;
		if (tcp->syn || (buf[2] << 8 | buf[3]) > head + tcp->doff * 4)
			printf("%s=0x%x\n", name, ntohl(tcp->seq));
	}
}

/*
 * retransmit: data that nobody takes. Prints the ports, how often the socket says
 * that it retransmitted, and the sequence numbers that were on the wire.
 */
static int verb_retransmit(int argc, char **argv)
{
	int listener, client, server, wire, i;

	pair(false);
	enter(ns.b);
	listener = sock(AF_INET, SOCK_STREAM, 0);
	bind_in(listener, ADDR_B, 0);
	if (listen(listener, 1))
		die("listen");
	enter(ns.a);
	client = sock(AF_INET, SOCK_STREAM, 0);
	connect_in(client, ADDR_B, port_of(listener));
	server = accept(listener, NULL, NULL);
	if (server < 0)
		die("accept");
	wire = tap(INDEX_A);
	/* From here on packets for B are not for it. */
	enter(ns.b);
	address(INDEX_B, ADDR_B, false);
	enter(ns.a);
	if (send(client, "0123456789", 10, 0) != 10)
		die("send");
	for (i = 0; i < 500; i++) {
		usleep(10000);
		if (tcp_info(client).tcpi_total_retrans >= 2)
			break;
	}
	printf("pid=%d\nclient=%d\nport=%d\n", getpid(), port_of(client), port_of(listener));
	/* No more of them. */
	address(INDEX_A, ADDR_A, false);
	printf("retrans=%d\n", tcp_info(client).tcpi_total_retrans);
	print_tapped(wire, "seq", port_of(client));
	return 0;
}

/* synack: a SYN whose answer goes astray until it is sent again. */
static int verb_synack(int argc, char **argv)
{
	int listener, client, wire, i;
	unsigned int sent;
	char c[2048];

	pair(false);
	enter(ns.b);
	listener = sock(AF_INET, SOCK_STREAM, 0);
	bind_in(listener, ADDR_B, 0);
	if (listen(listener, 1))
		die("listen");
	wire = tap(INDEX_B);
	enter(ns.a);
	client = sock(AF_INET, SOCK_STREAM, 0);
	nonblock(client);
	bind_in(client, ADDR_A, 0);
	/* A drops what comes. */
	{
		struct sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
		struct sock_fprog prog = { 1, &drop };

		if (setsockopt(client, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)))
			die("SO_ATTACH_FILTER");
	}
	connect_in(client, ADDR_B, port_of(listener));
	printf("pid=%d\nclient=%d\nport=%d\n", getpid(), port_of(client), port_of(listener));
	for (i = 0, sent = 0; i < 400 && sent < 2; i++) {
		ssize_t got;

		usleep(10000);
		/* SYN-ACKs that are on the wire by now. */
		sent = 0;
		while ((got = recv(wire, c, sizeof(c), MSG_DONTWAIT)) > 0) {
			struct tcphdr *tcp = (void *)(c + (c[0] & 15) * 4);

			if (got >= 40 && c[9] == IPPROTO_TCP && tcp->syn && tcp->ack)
				expect("seq=0x%x\n", ntohl(tcp->seq));
		}
		for (char *p = lines; p && (p = strstr(p, "seq=")); p++)
			sent++;
	}
	fputs(lines ? lines : "", stdout);
	return 0;
}

/* === Queues === */

/*
 * queue N MS: N packets into a queue that holds each for MS milliseconds. Prints
 * the length that the kernel tells of in between, and how many were dropped.
 */
static int verb_queue(int argc, char **argv)
{
	static char buf[2048];
	int in, out, i;
	long n;

	if (argc != 3)
		usage();
	n = number(argv[1]);
	pair(false);
	delay_all(1000, number(argv[2]));
	out = sock(AF_INET, SOCK_DGRAM, 0);
	enter(ns.b);
	in = sock(AF_INET, SOCK_DGRAM, 0);
	bind_in(in, ADDR_B, 9);
	enter(ns.a);
	for (i = 0; i < n; i++) {
		send_to(out, 100 + i, ADDR_B, 9);
		usleep(5000);
	}
	printf("pid=%d a=%d qlen=%u", getpid(), INDEX_A, qdisc_stats().qlen);
	for (i = 0; i < n; i++)
		if (recv(in, buf, sizeof(buf), 0) != 100 + i)
			die("recv");
	printf(" left=%u packets=%u\n", qdisc_stats().qlen, qdisc_stats().packets);
	return 0;
}

/* overflow N LIMIT: N packets into a queue that takes LIMIT. */
static int verb_overflow(int argc, char **argv)
{
	int out, i;
	long n;

	if (argc != 3)
		usage();
	n = number(argv[1]);
	pair(false);
	delay_all(number(argv[2]), 100);
	out = sock(AF_INET, SOCK_DGRAM, 0);
	for (i = 0; i < n; i++) {
		struct sockaddr_in a = in_addr(ADDR_B, 9);
		char c[200];

		sendto(out, c, sizeof(c), 0, (void *)&a, sizeof(a));
	}
	printf("pid=%d drops=%u qlen=%u\n", getpid(), qdisc_stats().drops, qdisc_stats().qlen);
	return 0;
}

static void parameter(const char *name, const char *value)
{
	char path[100];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/lkst_test_net/parameters/%s", name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", value) < 0 || fclose(f))
		die(path);
}

/*
 * stopped CPU CPU2: two packets from each of these into a queue that counts by CPU,
 * of a device that takes none for the time. Output as that of "queue".
 */
static int verb_stopped(int argc, char **argv)
{
	struct request r = request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, sizeof(r.ifi));
	struct rtattr *info;
	int fd, i;

	if (argc != 3)
		usage();
	name_space();
	r.ifi.ifi_index = INDEX_A;
	put(&r, IFLA_IFNAME, NAME_A, sizeof(NAME_A));
	info = put(&r, IFLA_LINKINFO, NULL, 0);
	put(&r, IFLA_INFO_KIND, "dummy", 5);
	end(&r, info);
	tell(&r);
	up(NAME_A, true);
	r = new_qdisc("pfifo_fast", NULL, 0);
	tell(&r);
	parameter("stop", NAME_A);
	fd = sock(AF_PACKET, SOCK_DGRAM, 0);
	for (i = 0; i < 4; i++) {
		pin(number(argv[1 + i / 2]));
		frame(fd, INDEX_A, 100 + i);
	}
	printf("pid=%d a=%d qlen=%u", getpid(), INDEX_A, qdisc_stats().qlen);
	parameter("wake", NAME_A);
	for (i = 0; i < 500 && qdisc_stats().qlen; i++)
		usleep(10000);
	printf(" left=%u packets=%u\n", qdisc_stats().qlen, qdisc_stats().packets);
	return 0;
}

/* round N: N packets to itself, two calls each; for counting instructions. */
static int verb_round(int argc, char **argv)
{
	struct timespec t0, t1;
	int udp, i, k;
	long n, best = 1L << 60, ns_;
	char c;

	if (argc != 2)
		usage();
	n = number(argv[1]);
	udp = sock(AF_INET, SOCK_DGRAM, 0);
	bind_in(udp, INADDR_LOOPBACK, 0);
	connect_in(udp, INADDR_LOOPBACK, port_of(udp));
	for (k = 0; k < 20; k++) {
		clock_gettime(CLOCK_MONOTONIC, &t0);
		for (i = 0; i < n; i++)
			if (send(udp, "x", 1, 0) != 1 || recv(udp, &c, 1, 0) != 1)
				die("udp");
		clock_gettime(CLOCK_MONOTONIC, &t1);
		ns_ = (t1.tv_sec - t0.tv_sec) * 1000000000L + t1.tv_nsec - t0.tv_nsec;
		if (ns_ < best)
			best = ns_;
	}
	printf("%ld.%02ld ns a round trip\n", best / n, best % n * 100 / n);
	return 0;
}

static const struct {
	const char *name;
	int (*fn)(int argc, char **argv);
} verbs[] = {
	{ "busypoll", verb_busypoll },
	{ "calls", verb_calls },
#ifdef __x86_64__
	{ "calls32", verb_calls32 },
#endif
	{ "closed", verb_closed },
	{ "data", verb_data },
	{ "full", verb_full },
	{ "overflow", verb_overflow },
	{ "queue", verb_queue },
	{ "retransmit", verb_retransmit },
	{ "round", verb_round },
	{ "stopped", verb_stopped },
	{ "synack", verb_synack },
	{ "tcp", verb_tcp },
	{ "udp", verb_udp },
	{ "veth", verb_veth },
};

static void usage(void)
{
	size_t i;

	fprintf(stderr, "usage: provoke_net VERB [ARG...]; verbs:");
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(stderr, " %s", verbs[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		usage();
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].fn(argc - 1, argv + 1);
	usage();
	return 2;
}
