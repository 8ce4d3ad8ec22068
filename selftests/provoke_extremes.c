// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes events whose arguments are the largest and the smallest that there can be, and
 * prints what a trace must then have, a record a line:
 *
 *	PID EVENT NAME=TEXT,NAME=TEXT... ARG,ARG...
 *
 * The third word is what the text of the trace says of the arguments that are known, the
 * fourth all arguments as "lkst_helper dump" prints them. "-" is any.
 *
 * provoke_extremes VERB [ARG...]; the verbs are listed in main().
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/loop.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provoke.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define GiB		(1ULL << 30)
#define MAX_RW_COUNT	0x7ffff000	/* of one read or write */

static long check(long ret, const char *what)
{
	if (ret < 0)
		die(what);
	return ret;
}

static void *must(void *p, const char *what)
{
	if (p == MAP_FAILED)
		die(what);
	return p;
}

static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* === What there must be === */

struct arg {
	const char *name;
	char how;			/* as printf() has it; 0 is any */
	uint64_t value;
};

#define ANY		{ "", 0, 0 }
#define D(name, value)	{ name, 'd', (uint64_t)(value) }
#define U(name, value)	{ name, 'u', (uint64_t)(value) }
#define X(name, value)	{ name, 'x', (uint64_t)(value) }

/* Printed at the end: stdout is a file too. */
static char told[16384];
static size_t len;

__attribute__((format(printf, 1, 2)))
static void tell(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	len += vsnprintf(told + len, sizeof(told) - len, fmt, args);
	va_end(args);
	if (len >= sizeof(told))
		exit(3);
}

static void want_of(pid_t pid, const char *event, const struct arg *arg, size_t n)
{
	const char *comma = "";
	size_t i;

	if (pid)
		tell("%d %s ", pid, event);
	else
		tell("- %s ", event);
	for (i = 0; i < n; i++) {
		if (!arg[i].how)
			continue;
		tell(arg[i].how == 'd' ? "%s%s=%" PRId64 : arg[i].how == 'u' ? "%s%s=%" PRIu64 :
		     "%s%s=0x%" PRIx64, comma, arg[i].name, arg[i].value);
		comma = ",";
	}
	tell(*comma ? " " : "- ");
	for (i = 0; i < n; i++)
		tell(arg[i].how ? "%s0x%" PRIx64 : "%s-", i ? "," : "", arg[i].value);
	tell("\n");
}

#define want_by(pid, event, ...)						\
	want_of(pid, event, (const struct arg[]){ __VA_ARGS__ },		\
		sizeof((const struct arg[]){ __VA_ARGS__ }) / sizeof(struct arg))
#define want(event, ...)	want_by(getpid(), event, __VA_ARGS__)

/* === Files === */

static void want_write(int fd, const void *buf, size_t count, off_t pos, size_t taken)
{
	ssize_t ret = result(pwrite(fd, buf, count, pos));

	want("FS_WRITE", ANY, D("pos", pos), U("count", taken), D("ret", ret));
	want("SYSCALL_ENTRY", D("nr", SYS_pwrite64), X("arg1", fd), X("arg2", buf),
	     X("arg3", count));
	want("SYSCALL_EXIT", D("nr", SYS_pwrite64), D("ret", ret));
}

/* files DIR: sizes and positions. DIR is in a tmpfs. */
static void files(char **arg)
{
	static const off_t ends[] = { 0x100000000 - 3, 1LL << 44, (1LL << 62) - 4096 + 5,
				      LLONG_MAX - 20 };
	static char buf[64];
	char path[256];
	off_t at = (off_t)0xffff800000000000;
	size_t i;
	int fd;

	snprintf(path, sizeof(path), "%s/huge", arg[0]);
	fd = check(open(path, O_RDWR | O_CREAT, 0600), path);
	/* More than is taken at once. */
	want("FS_READ", ANY, D("pos", 1LL << 62), U("count", MAX_RW_COUNT),
	     D("ret", result(syscall(SYS_pread64, fd, buf, 1ULL << 46, 1LL << 62))));
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		want_write(fd, buf, 13, ends[i], 13);
		if (pread(fd, buf, 13, ends[i]) != 13)
			die("pread");
		want("FS_READ", ANY, D("pos", ends[i]), U("count", 13), D("ret", 13));
		want("MEM_PAGECACHE_ADD", ANY, ANY, ANY, U("index", ends[i] >> 12));
		if (lseek(fd, ends[i], SEEK_SET) != ends[i])
			die("lseek");
		want("SYSCALL_EXIT", D("nr", SYS_lseek), D("ret", ends[i]));
	}
	check(ftruncate(fd, 0), "ftruncate");
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		want("MEM_PAGECACHE_DELETE", ANY, ANY, ANY, U("index", ends[i] >> 12));
	close(fd);

	fd = check(open("/dev/null", O_WRONLY), "/dev/null");
	want_write(fd, buf, 1ULL << 46, 0, MAX_RW_COUNT);
	close(fd);

	/* A position that is an address: the upper half of them is negative. */
	fd = check(open("/proc/self/mem", O_RDONLY), "/proc/self/mem");
	if (lseek(fd, at, SEEK_SET) != at)
		die("lseek");
	want("SYSCALL_EXIT", D("nr", SYS_lseek), D("ret", at));
	want("FS_READ", ANY, D("pos", at), U("count", 16), D("ret", result(read(fd, buf, 16))));
	close(fd);

	/* A counter that is full. */
	fd = check(eventfd(0, EFD_NONBLOCK), "eventfd");
	if (write(fd, &(uint64_t){ UINT64_MAX - 1 }, 8) != 8)
		die("eventfd");
	check(fcntl(fd, F_SETFL, 0), "fcntl");
	ualarm(50000, 50000);
	if (write(fd, &(uint64_t){ 1 }, 8) != -1)
		die("eventfd");
	ualarm(0, 0);
	want("FS_EVENTFD_WAIT", ANY, U("write", 1), U("count", UINT64_MAX - 1));
}

/*
 * inode FILE: opens, writes, syncs and closes it; its inode number is what it is, in the
 * file system of the module lkst_test_extremes.
 */
static void inode(char **arg)
{
	struct stat st;
	int fd = check(open(arg[0], O_RDWR), arg[0]);
	uint64_t index = 1ULL << 50;

	check(fstat(fd, &st), arg[0]);
	if (st.st_ino >> 32 == 0)
		die("a small inode number");
	want("FS_OPEN", ANY, ANY, U("inode", st.st_ino), ANY);
	if (pwrite(fd, "x", 1, index << 12) != 1)
		die("pwrite");
	want("MEM_PAGECACHE_ADD", ANY, U("order", 0), U("inode", st.st_ino), U("index", index));
	want("FS_DIRTY", ANY, U("inode", st.st_ino), U("index", index));
	check(fsync(fd), "fsync");
	want("FS_FSYNC", ANY, U("inode", st.st_ino), U("datasync", 0), D("ret", 0));
	check(ftruncate(fd, 0), "ftruncate");
	want("MEM_PAGECACHE_DELETE", ANY, U("order", 0), U("inode", st.st_ino), U("index", index));
	close(fd);
	want("FS_CLOSE", ANY, ANY, U("inode", st.st_ino));
}

/* === Block devices === */

#define LOOP		((1 << 20) - 1)	/* the last minor number that there can be */
#define LOOP_PATH	"/dev/loop1048575"
#define LOOP_DEV	(7U << 20 | LOOP)

/* attach FILE: makes it the last of the loop devices, of nearly 2^62 bytes. */
static void attach(char **arg)
{
	int control = check(open("/dev/loop-control", O_RDWR), "/dev/loop-control");
	int file = check(open(arg[0], O_RDWR | O_CREAT, 0600), arg[0]);
	int loop;

	check(ftruncate(file, (1LL << 62) - 4096), "ftruncate");
	if (ioctl(control, LOOP_CTL_ADD, (long)LOOP) != LOOP)
		die("LOOP_CTL_ADD");
	loop = check(open(LOOP_PATH, O_RDWR), LOOP_PATH);
	check(ioctl(loop, LOOP_SET_FD, file), "LOOP_SET_FD");
}

/* detach: undoes that. */
static void detach(char **arg)
{
	int control = check(open("/dev/loop-control", O_RDWR), "/dev/loop-control");
	int loop = check(open(LOOP_PATH, O_RDWR), LOOP_PATH);

	check(ioctl(loop, LOOP_CLR_FD, 0), "LOOP_CLR_FD");
	close(loop);
	while (ioctl(control, LOOP_CTL_REMOVE, (long)LOOP)) {
		if (errno != EBUSY)
			die("LOOP_CTL_REMOVE");
		usleep(10000);
	}
}

static void want_io(uint64_t sector, uint32_t bytes, int op)
{
	static const char *const events[] = {
		"FS_DEVRW", "BLK_BIO_QUEUE", "BLK_RQ_ISSUE", "BLK_RQ_COMPLETE"
	};
	size_t i;

	/* The device as text; as a number it is that of the fourth word. */
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		tell("- %s dev=7:%u,sector=%" PRIu64 ",bytes=%u", events[i], LOOP, sector, bytes);
		tell(" 0x%x,0x%" PRIx64 ",0x%x,-\n", LOOP_DEV, sector, bytes);
	}
	tell("- FS_DEVEND dev=7:%u,sector=%" PRIu64 ",error=0", LOOP, sector);
	tell(" 0x%x,0x%" PRIx64 ",0x%x,0x0\n", LOOP_DEV, sector, op);
}

/* disk: reads, writes and discards at the end of the device, and makes a page dirty there. */
static void disk(char **arg)
{
	static char buf[4096] __attribute__((aligned(4096)));
	uint64_t end = (1ULL << 62) - (1ULL << 20), discard[2] = { 1ULL << 61, 0xfffff000 };
	int fd = check(open(LOOP_PATH, O_RDWR | O_DIRECT), LOOP_PATH);

	if (pread(fd, buf, 4096, end) != 4096)
		die("pread");
	want_io(end >> 9, 4096, 0x800);		/* read, REQ_SYNC */
	if (pwrite(fd, buf, 4096, end + 4096) != 4096)
		die("pwrite");
	want_io((end >> 9) + 8, 4096, 0x8801);	/* write, REQ_SYNC, REQ_IDLE */
	check(ioctl(fd, _IO(0x12, 119), discard), "BLKDISCARD");
	tell("- FS_DEVRW dev=7:%u,sector=%" PRIu64 ",bytes=%u", LOOP, discard[0] >> 9, 0xfffff000);
	tell(" 0x%x,0x%" PRIx64 ",0xfffff000,-\n", LOOP_DEV, discard[0] >> 9);
	tell("- BLK_RQ_COMPLETE dev=7:%u,bytes=%u,error=0", LOOP, 0xfffff000);
	tell(" 0x%x,0x%" PRIx64 ",0xfffff000,0x0\n", LOOP_DEV, discard[0] >> 9);
	close(fd);

	fd = check(open(LOOP_PATH, O_RDWR), LOOP_PATH);
	end += 8 * 4096;
	if (pwrite(fd, buf, 4096, end) != 4096 || fsync(fd))
		die("pwrite");
	want("MEM_PAGECACHE_ADD", ANY, U("order", 0), ANY, U("index", end >> 12));
	want("FS_DIRTY", ANY, ANY, U("index", end >> 12));
	tell("- BLK_RQ_ISSUE dev=7:%u,sector=%" PRIu64 ",bytes=4096", LOOP, end >> 9);
	tell(" 0x%x,0x%" PRIx64 ",0x1000,-\n", LOOP_DEV, end >> 9);
	want("FS_WRITE", ANY, D("pos", end), U("count", 4096), D("ret", 4096));
	close(fd);
}

/* === Processes === */

/* pid NUMBER: a process with this number calls getpgid(-1) and ends. */
static void pid(char **arg)
{
	pid_t tid = number(arg[0]);
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&tid,
		.set_tid_size = 1,
	};
	long child = check(syscall(SYS_clone3, &args, sizeof(args)), "clone3");

	if (!child) {
		syscall(SYS_getpgid, -1);
		_exit(255);
	}
	if (child != tid || waitpid(tid, NULL, 0) != tid)
		die("waitpid");
	tell("%d PROCESS_FORK pid=%d,tgid=%d -,%d/%d\n", getpid(), tid, tid, tid, tid);
	tell("%d LKST_PROCESS tid=%d/%d -,%d/%d,provoke_extreme\n", getpid(), tid, tid, tid, tid);
	want_by(tid, "SYSCALL_EXIT", D("nr", SYS_getpgid), D("ret", -ESRCH));
	want_by(tid, "PROCESS_EXIT", ANY, X("code", 0xff00));
}

static void on_signal(int sig)
{
}

/* signals: the last signal with the smallest si_code, and what ends a process. */
static void signals(char **arg)
{
	struct sigaction sa = { .sa_handler = on_signal };
	siginfo_t info = { .si_signo = 64, .si_code = INT_MIN };
	pid_t child;
	int status;

	sigaction(64, &sa, NULL);
	check(syscall(SYS_rt_sigqueueinfo, getpid(), 64, &info), "rt_sigqueueinfo");
	want("PROCESS_SIGSEND", ANY, D("sig", 64), D("code", INT_MIN), U("result", 0));
	want("PROCESS_SIGDELIVER", D("sig", 64), D("code", INT_MIN), X("handler", on_signal), ANY);
	child = fork();
	if (!child) {
		signal(64, SIG_DFL);
		raise(64);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 64)
		die("not ended by signal 64");
	want_by(child, "PROCESS_SIGSEND", ANY, D("sig", 64), D("code", SI_TKILL), U("result", 0));
	want_by(child, "PROCESS_EXIT", ANY, X("code", 64));
	child = fork();
	if (!child)
		syscall(SYS_exit_group, -1L);
	waitpid(child, &status, 0);
	want_by(child, "SYSCALL_ENTRY", D("nr", SYS_exit_group), X("arg1", (uint64_t)-1), ANY, ANY);
	want_by(child, "PROCESS_EXIT", ANY, X("code", 0xff00));
}

/* priority: of a task that has a deadline, which is before all others. */
static void priority(char **arg)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = {
		.size = sizeof(attr), .policy = 6,
		.runtime = 1000000, .deadline = 100000000, .period = 100000000,
	};

	check(syscall(SYS_sched_setattr, 0, &attr, 0), "sched_setattr");
	want("PROCESS_PRIORITY", ANY, D("old", 120), D("new", -1), U("policy", 6));
	attr.policy = 0;
	attr.nice = 19;
	check(syscall(SYS_sched_setattr, 0, &attr, 0), "sched_setattr");
	want("PROCESS_PRIORITY", ANY, D("old", -1), D("new", 139), U("policy", 0));
}

/* === System calls === */

/* errnos: from the last that there is to the first, by seccomp. */
static void errnos(char **arg)
{
	/* getpgid(), getsid() and getpriority() fail with 4095, 1 and 133. */
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 4095),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getsid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpriority, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EHWPOISON),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &prog))
		die("seccomp");
	syscall(SYS_getpgid, 0);
	want("SYSCALL_EXIT", D("nr", SYS_getpgid), D("ret", -4095));
	syscall(SYS_getsid, 0);
	want("SYSCALL_EXIT", D("nr", SYS_getsid), D("ret", -1));
	syscall(SYS_getpriority, 0);
	want("SYSCALL_EXIT", D("nr", SYS_getpriority), D("ret", -EHWPOISON));
}

/* arguments: all bits set, and numbers of system calls that there are none of. */
static void arguments(char **arg)
{
	static const int numbers[] = { 4000, INT_MAX };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		syscall(numbers[i], -1L, -1L, -1L);
		want("SYSCALL_ENTRY", D("nr", numbers[i]), X("arg1", -1L), X("arg2", -1L),
		     X("arg3", -1L));
		want("SYSCALL_EXIT", D("nr", numbers[i]), D("ret", -ENOSYS));
	}
	syscall(SYS_bind, -1L, -1L, -1L);
	want("NET_SOCKETIF", U("call", 2), X("arg1", -1L), X("arg2", -1L), X("arg3", -1L));
	syscall(SYS_shmget, 0L, -1L, 0L);
	want("SYSV_IPC", U("call", 23), X("arg1", 0), X("arg2", -1L), ANY);
}

/* === Memory === */

/* The last page of a program's addresses that is free. */
static char *last_page(void)
{
	unsigned int bits;
	char *p;

	for (bits = 57; bits > 38; bits--) {
		p = mmap((void *)((1UL << (bits - 1)) - 2 * 4096), 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (p != MAP_FAILED)
			return p;
	}
	die("mmap");
	return NULL;
}

static sigjmp_buf fault;

static void on_fault(int sig)
{
	siglongjmp(fault, 1);
}

/* memory DIR: sizes and addresses. DIR is in a tmpfs. */
static void memory(char **arg)
{
	struct sigaction sa = { .sa_handler = on_fault };
	volatile char *nowhere = (void *)-8L;
	off_t offset = (1LL << 62) - 8192;
	char path[256], *p;
	int fd;

	p = must(mmap(NULL, 1024 * GiB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		      -1, 0), "mmap");
	want("MEM_MMAP", X("address", p), U("size", 1024 * GiB), ANY, ANY);
	check(munmap(p, 1024 * GiB), "munmap");
	want("MEM_MUNMAP", X("address", p), U("size", 1024 * GiB));

	snprintf(path, sizeof(path), "%s/mapped", arg[0]);
	fd = check(open(path, O_RDWR | O_CREAT, 0600), path);
	check(ftruncate(fd, LLONG_MAX), "ftruncate");
	p = must(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset), "mmap");
	want("MEM_MMAP", X("address", p), U("size", 4096), ANY, U("pgoff", offset >> 12));
	*p = 1;
	want("MEM_USER_FAULT", X("address", p), ANY, ANY, ANY);
	want("MEM_PAGECACHE_ADD", ANY, U("order", 0), ANY, U("index", offset >> 12));
	check(ftruncate(fd, 0), "ftruncate");
	close(fd);

	p = last_page();
	want("MEM_MMAP", X("address", p), U("size", 4096), ANY, ANY);
	p[4095] = 1;
	want("MEM_USER_FAULT", X("address", p + 4095), ANY, ANY, ANY);
#ifdef __x86_64__
	want("EXCEPTION_PF_ENTRY", ANY, X("error", 6), X("address", p + 4095));
#endif
	/* One of the kernel's half. */
	sigaction(SIGSEGV, &sa, NULL);
	if (!sigsetjmp(fault, 1))
		*nowhere;
#ifdef __x86_64__
	want("EXCEPTION_PF_ENTRY", ANY, ANY, X("address", nowhere));
#endif
	want("PROCESS_SIGDELIVER", D("sig", SIGSEGV), ANY, X("handler", on_fault), ANY);
}

static uint32_t *word;

static void *wait_on_word(void *unused)
{
	syscall(SYS_futex, word, FUTEX_WAIT, -1, NULL, NULL, 0);
	return NULL;
}

/* Wakes a thread that waits, as soon as it does. */
static void wake(int op, int wanted, uint32_t bitset)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, wait_on_word, NULL))
		die("pthread_create");
	while (syscall(SYS_futex, word, op, wanted, NULL, NULL, bitset) != 1)
		usleep(1000);
	pthread_join(thread, NULL);
	want("LK_FUTEX_WAKE", X("address", word), D("wanted", wanted), X("bitset", bitset),
	     D("ret", 1));
}

/* futex: values with all bits set, at the last address. */
static void futex(char **arg)
{
	struct timespec ts = { 0, 1000000 };

	word = (void *)(last_page() + 4092);

	*word = 0xffffffff;
	if (syscall(SYS_futex, word, FUTEX_WAIT, -1, &ts, NULL, 0) != -1 || errno != ETIMEDOUT)
		die("futex");
	want("LK_FUTEX_WAIT", X("address", word), X("value", 0xffffffff), X("bitset", 0xffffffff));
	wake(FUTEX_WAKE, -1, 0xffffffff);
	wake(FUTEX_WAKE_BITSET, INT_MAX, 0x80000000);
}

/* === io_uring === */

#define NOP_INJECT_RESULT	1U	/* of 6.10; in older headers nothing */

/* uring: user data with all bits set, results from the smallest to the largest. */
static void uring(char **arg)
{
	static const int32_t results[] = { 0, -1, -4095, INT_MAX, INT_MIN };
	static const uint64_t data[] = { UINT64_MAX, 1ULL << 63, UINT32_MAX, 1ULL << 32, 0 };
	struct io_uring_params p = { 0 };
	int fd = check(syscall(SYS_io_uring_setup, 8, &p), "io_uring_setup");
	struct io_uring_sqe *sqe;
	uint32_t *tail, *array;
	char *sq;
	size_t i;

	sq = must(mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, IORING_OFF_SQ_RING), "mmap");
	sqe = must(mmap(NULL, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			IORING_OFF_SQES), "mmap");
	tail = (void *)(sq + p.sq_off.tail);
	array = (void *)(sq + p.sq_off.array);
	for (i = 0; i < ARRAY_SIZE(results); i++, sqe++) {
		memset(sqe, 0, sizeof(*sqe));
		sqe->opcode = IORING_OP_NOP;
		sqe->fd = -1;
		sqe->rw_flags = NOP_INJECT_RESULT;
		sqe->len = results[i];
		sqe->user_data = data[i];
		array[*tail] = *tail;
		__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
		if (syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
			die("io_uring_enter");
		want("IO_URING_SUBMIT", ANY, ANY, U("opcode", IORING_OP_NOP),
		     X("user_data", data[i]));
		want_by(0, "IO_URING_COMPLETE", ANY, ANY, D("res", results[i]),
			X("user_data", data[i]));
	}
}

/* === Network === */

static void net(char **arg)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(65535),
	};
	static char buf[65536];
	int fd, on = 1;

	/* The longest datagram; its IP header and its own, and with that of the device. */
	fd = check(socket(AF_INET, SOCK_DGRAM, 0), "socket");
	check(bind(fd, (void *)&to, sizeof(to)), "bind");
	if (sendto(fd, buf, 65507, 0, (void *)&to, sizeof(to)) != 65507)
		die("sendto");
	want("NET_SOCKSEND", ANY, ANY, ANY, D("ret", 65507));
	want("NET_PKTSEND", ANY, ANY, U("len", 65507 + 28 + 14), X("protocol", 0x800));
	want_by(0, "NET_PKTRECV", ANY, ANY, U("len", 65507 + 28), X("protocol", 0x800));
	if (recv(fd, buf, sizeof(buf), 0) != 65507)
		die("recv");
	want("NET_SOCKRECV", ANY, ANY, ANY, D("ret", 65507));
	/* One byte more. */
	if (sendto(fd, buf, 65508, 0, (void *)&to, sizeof(to)) != -1)
		die("sendto");
	want("NET_SOCKSEND", ANY, ANY, ANY, D("ret", -EMSGSIZE));
	close(fd);

	/* A connection of the last port with itself. */
	fd = check(socket(AF_INET, SOCK_STREAM, 0), "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	check(bind(fd, (void *)&to, sizeof(to)), "bind");
	check(connect(fd, (void *)&to, sizeof(to)), "connect");
	want("NET_TCPSTATE", ANY, U("old", 7), U("new", 2), X("ports", 0xffffffff));
	close(fd);
}

/* === Timers === */

/* timer: that is never due. */
static void timer(char **arg)
{
	struct itimerspec never = { .it_value.tv_sec = LONG_MAX };
	int fd = check(timerfd_create(CLOCK_MONOTONIC, 0), "timerfd_create");

	check(timerfd_settime(fd, TFD_TIMER_ABSTIME, &never, NULL), "timerfd_settime");
	want("TIMER_HR_START", ANY, ANY, D("expires", LLONG_MAX), U("clock", 1));
	close(fd);
}

static const struct {
	const char *name;
	void (*fn)(char **arg);
	int nargs;
} verbs[] = {
	{ "arguments", arguments, 0 },
	{ "attach", attach, 1 },
	{ "detach", detach, 0 },
	{ "disk", disk, 0 },
	{ "errnos", errnos, 0 },
	{ "files", files, 1 },
	{ "futex", futex, 0 },
	{ "inode", inode, 1 },
	{ "memory", memory, 1 },
	{ "net", net, 0 },
	{ "pid", pid, 1 },
	{ "priority", priority, 0 },
	{ "signals", signals, 0 },
	{ "timer", timer, 0 },
	{ "uring", uring, 0 },
};

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	size_t i;

	sigaction(SIGALRM, &sa, NULL);
	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (argc < 2 || strcmp(argv[1], verbs[i].name) || argc != verbs[i].nargs + 2)
			continue;
		verbs[i].fn(argv + 2);
		fputs(told, stdout);
		return 0;
	}
	fprintf(stderr, "usage: provoke_extremes VERB [ARG...]; verbs:");
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		fprintf(stderr, " %s", verbs[i].name);
	fprintf(stderr, "\n");
	return 2;
}
