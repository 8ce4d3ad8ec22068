// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes the events of files, pipes, eventfds and io_uring, and prints the records
 * that a trace must then have, as "lkst_helper dump" does: "PID EVENT ARG...", in
 * the order in which they happen.
 *
 * The addresses come from the module lkst_test_fs, which must be loaded.
 *
 * provoke_fs VERB [ARG...]; the verbs are listed in main().
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provoke.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static void *must(void *p, const char *what)
{
	if (!p || p == MAP_FAILED)
		die(what);
	return p;
}

static long check(long ret, const char *what)
{
	if (ret < 0)
		die(what);
	return ret;
}

/* What the kernel calls it. */
static uint64_t kernel_dev(dev_t dev)
{
	return (uint64_t)major(dev) << 20 | minor(dev);
}

struct addr {
	uint64_t file, data;
};

static int param = -1;

/* Opened once: files that come and go would be traced too. */
static void open_param(void)
{
	static const char path[] = "/sys/module/lkst_test_fs/parameters/file";

	param = check(open(path, O_RDWR), path);
}

static struct addr address(int fd)
{
	struct addr a;
	char text[80];
	int len;

	if (param < 0)
		open_param();
	len = snprintf(text, sizeof(text), "%d", fd);
	check(pwrite(param, text, len, 0), "lkst_test_fs");
	len = check(pread(param, text, sizeof(text) - 1, 0), "lkst_test_fs");
	text[len] = 0;
	if (sscanf(text, "%" SCNx64 " %" SCNx64, &a.file, &a.data) != 2)
		die(text);
	return a;
}

/*
 * What is to be printed is kept until the end: stdout is a file too. The first
 * argument of most is not known until the operation is over.
 */
static struct {
	pid_t pid;
	char event[24];
	unsigned int nargs;
	uint64_t arg[4];
} wanted[256];
static unsigned int nr_wanted;

static void want(pid_t pid, const char *event, unsigned int nargs, ...)
{
	unsigned int i;
	va_list args;

	if (nr_wanted == ARRAY_SIZE(wanted))
		exit(3);
	va_start(args, nargs);
	wanted[nr_wanted].pid = pid;
	snprintf(wanted[nr_wanted].event, sizeof(wanted[0].event), "%s", event);
	wanted[nr_wanted].nargs = nargs;
	for (i = 0; i < nargs; i++)
		wanted[nr_wanted].arg[i] = va_arg(args, uint64_t);
	va_end(args);
	nr_wanted++;
}

#define U(x)	((uint64_t)(x))

#define want2(p, e, a, b)	want(p, e, 2, U(a), U(b))
#define want3(p, e, a, b, c)	want(p, e, 3, U(a), U(b), U(c))
#define want4(p, e, a, b, c, d)	want(p, e, 4, U(a), U(b), U(c), U(d))

static void print_wanted(void)
{
	unsigned int i, j;

	for (i = 0; i < nr_wanted; i++) {
		printf("%d %s", wanted[i].pid, wanted[i].event);
		for (j = 0; j < wanted[i].nargs; j++)
			printf(" 0x%" PRIx64, wanted[i].arg[j]);
		putchar('\n');
	}
}

/* 0 or more, or a negative errno. */
static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* === Files === */

static char buf[65536];

/*
 * A 64-bit kernel adds O_LARGEFILE, which is 0 in a 64-bit program, but for paths.
 * O_CLOEXEC is the descriptor's, not the file's.
 */
#ifdef __aarch64__
#define LARGEFILE	0400000
#else
#define LARGEFILE	0100000
#endif
#define KERNEL_FLAGS(f)	((f) & O_PATH ? (f) : ((f) & ~O_CLOEXEC) | LARGEFILE)

static int opened(const char *path, int flags, struct addr *a)
{
	int fd = check(open(path, flags, 0600), path);
	struct stat st;

	check(fstat(fd, &st), path);
	/* fget() does not give an O_PATH file. */
	if (!(flags & O_PATH))
		*a = address(fd);
	want4(getpid(), "FS_OPEN", a->file, kernel_dev(st.st_dev), st.st_ino, KERNEL_FLAGS(flags));
	return fd;
}

static void closed(int fd, uint64_t file)
{
	struct stat st;

	check(fstat(fd, &st), "fstat");
	close(fd);
	want3(getpid(), "FS_CLOSE", file, kernel_dev(st.st_dev), st.st_ino);
}

#define want_rw(what, a, pos, count, ret) \
	want4(getpid(), "FS_" what, (a).file, pos, count, result(ret))

/* files DIR: opens, reads, writes and closes in every way. */
static int verb_files(char **arg)
{
	struct iovec iov[3] = { { buf, 30 }, { buf + 100, 70 }, { buf + 200, 50 } };
	struct addr a = { 0 }, b = { 0 };
	char path[256], *hole;
	int fd, fd2, p[2];

	open_param();
	snprintf(path, sizeof(path), "%s/file", arg[0]);
	fd = opened(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, &a);

	want_rw("WRITE", a, 0, 1000, write(fd, buf, 1000));
	want_rw("WRITE", a, 1000, 24, write(fd, buf, 24));
	want_rw("WRITE", a, 5000, 100, pwrite(fd, buf, 100, 5000));
	want_rw("WRITE", a, 1024, 150, writev(fd, iov, 3));
	want_rw("WRITE", a, 3000, 100, pwritev2(fd, iov, 2, 3000, 0));
	lseek(fd, 10, SEEK_SET);
	want_rw("READ", a, 10, 50, read(fd, buf, 50));
	want_rw("READ", a, 60, 20, read(fd, buf, 20));
	want_rw("READ", a, 4900, 300, pread(fd, buf, 300, 4900));
	want_rw("READ", a, 10000, 10, pread(fd, buf, 10, 10000));
	want_rw("READ", a, 80, 150, readv(fd, iov, 3));
	want_rw("READ", a, 40, 100, preadv2(fd, iov, 2, 40, 0));
	/* Shorter than what was asked for: the file ends at 5100. */
	want_rw("READ", a, 5050, 150, preadv(fd, iov, 3, 5050));
	/* At most this is taken at once. */
	want_rw("READ", a, 5100, 0x7ffff000,
		syscall(SYS_pread64, fd, buf, 0x100000000, 5100));

	/* Nothing is there to read into. */
	hole = must(mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), "mmap");
	want_rw("READ", a, 0, 77, pread(fd, hole, 77, 0));

	/* Not at the position, but at the end. */
	fd2 = opened(path, O_WRONLY | O_APPEND, &b);
	want_rw("WRITE", b, 5100, 7, write(fd2, buf, 7));
	want_rw("WRITE", b, 5107, 150, writev(fd2, iov, 3));
	/* Refused before the file is asked: no record. */
	if (read(fd2, buf, 1) != -1 || errno != EBADF)
		die("read");
	closed(fd2, b.file);

	/* Of a file that has two numbers the last one counts. */
	fd2 = dup(fd);
	close(fd);
	closed(fd2, a.file);

	/* What has no position. */
	check(pipe(p), "pipe");
	a = address(p[0]);
	b = address(p[1]);
	want_rw("WRITE", b, 0, 12, write(p[1], buf, 12));
	want_rw("READ", a, 0, 100, read(p[0], buf, 100));
	closed(p[0], a.file);
	closed(p[1], b.file);
	fd = opened("/dev/zero", O_RDONLY, &a);
	want_rw("READ", a, 0, 300, read(fd, buf, 300));
	want_rw("READ", a, 100, 300, pread(fd, buf, 300, 100));
	closed(fd, a.file);
	fd = eventfd(0, 0);
	a = address(fd);
	want_rw("WRITE", a, 0, 8, write(fd, &(uint64_t){ 5 }, 8));
	want_rw("READ", a, 0, 8, read(fd, buf, 8));
	closed(fd, a.file);

	/* The old interface of a file's operations, without iterators. */
	fd = opened("/proc/self/mem", O_RDWR, &a);
	want_rw("READ", a, buf, 16, pread(fd, buf + 512, 16, (uintptr_t)buf));
	want_rw("WRITE", a, buf, 24, pwrite(fd, buf + 512, 24, (uintptr_t)buf));
	want_rw("READ", a, 8, 16, pread(fd, buf + 512, 16, 8));
	/* One record a piece. */
	if (preadv(fd, iov, 2, (uintptr_t)buf + 1000) != 100)
		die("preadv");
	want4(getpid(), "FS_READ", a.file, buf + 1000, 30, 30);
	want4(getpid(), "FS_READ", a.file, buf + 1030, 70, 70);
	if (pwritev(fd, iov, 2, (uintptr_t)buf + 2000) != 100)
		die("pwritev");
	want4(getpid(), "FS_WRITE", a.file, buf + 2000, 30, 30);
	want4(getpid(), "FS_WRITE", a.file, buf + 2030, 70, 70);
	closed(fd, a.file);
	print_wanted();
	return 0;
}

/* path FILE: opens it with O_PATH; its address is not known. */
static int verb_path(char **arg)
{
	struct addr a = { 0 };
	int fd = opened(arg[0], O_PATH, &a);

	closed(fd, 0);
	print_wanted();
	return 0;
}

/* exits FILE: leaves it open at its end. */
static int verb_exits(char **arg)
{
	struct addr a;
	struct stat st;
	int fd = opened(arg[0], O_RDONLY, &a);

	check(fstat(fd, &st), arg[0]);
	want3(getpid(), "FS_CLOSE", a.file, kernel_dev(st.st_dev), st.st_ino);
	print_wanted();
	/* Known before another file may take its place. */
	fflush(stdout);
	return 0;
}

/* sync FILE: by number, on a file and on what cannot be. */
static int verb_sync(char **arg)
{
	struct addr a, b;
	struct stat st;
	int fd, p[2];

	fd = check(open(arg[0], O_RDWR | O_CREAT, 0600), arg[0]);
	a = address(fd);
	check(fstat(fd, &st), arg[0]);
	want4(getpid(), "FS_FSYNC", a.file, st.st_ino, 0, result(fsync(fd)));
	want4(getpid(), "FS_FSYNC", a.file, st.st_ino, 1, result(fdatasync(fd)));
	check(pipe(p), "pipe");
	b = address(p[0]);
	check(fstat(p[0], &st), "fstat");
	want4(getpid(), "FS_FSYNC", b.file, st.st_ino, 0, result(fsync(p[0])));
	print_wanted();
	return 0;
}

/* The page frame that is mapped at an address. */
static uint64_t frame(void *p)
{
	uint64_t e;
	int fd = check(open("/proc/self/pagemap", O_RDONLY), "pagemap");

	if (pread(fd, &e, 8, (uintptr_t)p / 4096 * 8) != 8 || !(e >> 63))
		die("pagemap");
	close(fd);
	return e & ((1ULL << 55) - 1);
}

/*
 * dirty FILE PAGE N: writes N pages from that one on, then to two of them through
 * memory once they have been written back. Then "DEV INODE N" of what the flusher
 * is to write.
 */
static int verb_dirty(char **arg)
{
	uint64_t page = atoi(arg[1]), n = atoi(arg[2]), i;
	int fd = check(open(arg[0], O_RDWR | O_CREAT, 0600), arg[0]);
	struct stat st;
	char *map;

	check(fstat(fd, &st), arg[0]);
	for (i = 0; i < n; i++)
		if (pwrite(fd, buf, 4096, (page + i) * 4096) != 4096)
			die("pwrite");
	map = must(mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			page * 4096), "mmap");
	for (i = 0; i < n; i++) {
		(void)*(volatile char *)(map + i * 4096);
		want3(getpid(), "FS_DIRTY", frame(map + i * 4096), st.st_ino, page + i);
	}
	/* One that is dirty already does not become it. */
	check(pwrite(fd, buf, 10, page * 4096), "pwrite");
	check(syncfs(fd), "syncfs");
	map[0] = 1;
	map[1] = 1;
	map[(n - 1) * 4096] = 1;
	want3(getpid(), "FS_DIRTY", frame(map), st.st_ino, page);
	want3(getpid(), "FS_DIRTY", frame(map + (n - 1) * 4096), st.st_ino, page + n - 1);
	check(syncfs(fd), "syncfs");
	print_wanted();
	want4(0, "FS_WRITEBACK", kernel_dev(st.st_dev), st.st_ino, n, 0);
	want4(0, "FS_WRITEBACK", kernel_dev(st.st_dev), st.st_ino, 2, 0);
	nr_wanted -= 2;
	wanted[0] = wanted[nr_wanted];
	wanted[1] = wanted[nr_wanted + 1];
	nr_wanted = 2;
	puts("--");
	print_wanted();
	return 0;
}

/* === Those that wait === */

static void until_asleep(pid_t pid)
{
	char path[32], text[256], *p;
	int fd, len;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	for (;;) {
		fd = check(open(path, O_RDONLY), path);
		len = check(read(fd, text, sizeof(text) - 1), path);
		close(fd);
		text[len] = 0;
		p = strrchr(text, ')');
		if (p && p[2] == 'S')
			return;
		usleep(1000);
	}
}

/* A child that does WHAT with FD, and waits for it to sleep. */
static pid_t sleeper(void (*what)(int fd, int other), int fd, int other)
{
	pid_t pid = check(fork(), "fork");

	if (!pid) {
		what(fd, other);
		_exit(0);
	}
	until_asleep(pid);
	return pid;
}

static void reads(int fd, int other)
{
	check(read(fd, buf, 8), "read");
}

static void writes(int fd, int other)
{
	check(write(fd, buf, 4096), "write");
}

static void splices(int fd, int other)
{
	check(splice(fd, NULL, other, NULL, 4096, 0), "splice");
}

static void fill(int fd)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, buf, 4096) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

static void ended(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	if (status)
		exit(1);
}

/* pipes: readers of an empty one, writers of a full one, splices of both. */
static int verb_pipes(char **arg)
{
	int p[2], zero, file;
	uint64_t pipe_addr;
	pid_t pid;

	zero = check(open("/dev/zero", O_RDONLY), "/dev/zero");
	file = check(open("/dev/null", O_WRONLY), "/dev/null");
	check(pipe(p), "pipe");
	pipe_addr = address(p[0]).data;

	/* No waiting here. */
	check(write(p[1], buf, 8), "write");
	check(read(p[0], buf, 8), "read");
	fcntl(p[0], F_SETFL, O_NONBLOCK);
	if (read(p[0], buf, 1) != -1 || errno != EAGAIN)
		die("read");
	fcntl(p[0], F_SETFL, 0);

	pid = sleeper(reads, p[0], 0);
	want2(pid, "FS_PIPE_WAIT", pipe_addr, 0);
	check(write(p[1], buf, 8), "write");
	ended(pid);

	pid = sleeper(splices, p[0], file);
	want2(pid, "FS_PIPE_WAIT", pipe_addr, 0);
	check(write(p[1], buf, 8), "write");
	ended(pid);

	fill(p[1]);
	pid = sleeper(writes, p[1], 0);
	want2(pid, "FS_PIPE_WAIT", pipe_addr, 1);
	check(read(p[0], buf, 4096), "read");
	ended(pid);

	pid = sleeper(splices, zero, p[1]);
	want2(pid, "FS_PIPE_WAIT", pipe_addr, 1);
	check(read(p[0], buf, 4096), "read");
	ended(pid);
	print_wanted();
	return 0;
}

static void adds(int fd, int other)
{
	check(write(fd, &(uint64_t){ 9 }, 8), "write");
}

/* eventfds: a reader of 0, a writer of too much. */
static int verb_eventfds(char **arg)
{
	int fd = check(eventfd(3, 0), "eventfd");
	uint64_t ctx = address(fd).data, most = 0xfffffffffffffffe;
	pid_t pid;

	check(read(fd, buf, 8), "read");
	pid = sleeper(reads, fd, 0);
	want3(pid, "FS_EVENTFD_WAIT", ctx, 0, 0);
	check(write(fd, &(uint64_t){ 1 }, 8), "write");
	ended(pid);

	check(write(fd, &most, 8), "write");
	pid = sleeper(adds, fd, 0);
	want3(pid, "FS_EVENTFD_WAIT", ctx, 1, most);
	check(read(fd, buf, 8), "read");
	ended(pid);
	print_wanted();
	return 0;
}

/* === io_uring === */

struct ring {
	int fd;
	uint64_t ctx;
	struct io_uring_params p;
	struct io_uring_sqe *sqe;
	unsigned char *sq, *cq;
	unsigned int cqe_size;
};

static void ring_init(struct ring *r, unsigned int entries, unsigned int cq, unsigned int flags)
{
	memset(r, 0, sizeof(*r));
	r->p.flags = flags | IORING_SETUP_CQSIZE;
	r->p.cq_entries = cq;
	r->fd = check(syscall(SYS_io_uring_setup, entries, &r->p), "io_uring_setup");
	r->cqe_size = sizeof(struct io_uring_cqe) * (flags & IORING_SETUP_CQE32 ? 2 : 1);
	r->sqe = must(mmap(NULL, r->p.sq_entries * sizeof(*r->sqe), PROT_READ | PROT_WRITE,
			   MAP_SHARED, r->fd, IORING_OFF_SQES), "mmap");
	r->sq = must(mmap(NULL, r->p.sq_off.array + r->p.sq_entries * 4,
			  PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQ_RING), "mmap");
	r->cq = must(mmap(NULL, r->p.cq_off.cqes + r->p.cq_entries * r->cqe_size,
			  PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_CQ_RING), "mmap");
	r->ctx = address(r->fd).data;
}

/* The next entry, for a request with this user data. */
static struct io_uring_sqe *ring_next(struct ring *r, int op, int fd, uint64_t user_data)
{
	unsigned int *tail = (void *)(r->sq + r->p.sq_off.tail);
	unsigned int i = *tail % r->p.sq_entries;
	struct io_uring_sqe *sqe = &r->sqe[i];

	((unsigned int *)(r->sq + r->p.sq_off.array))[i] = i;
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = op;
	sqe->fd = fd;
	sqe->user_data = user_data;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	return sqe;
}

static int ring_enter(struct ring *r, unsigned int submit, unsigned int wait)
{
	return check(syscall(SYS_io_uring_enter, r->fd, submit, wait,
			     wait ? IORING_ENTER_GETEVENTS : 0, NULL, 0), "io_uring_enter");
}

/* Takes one completion out, if there is one. */
static bool ring_take(struct ring *r, struct io_uring_cqe *cqe)
{
	unsigned int *head = (void *)(r->cq + r->p.cq_off.head);
	unsigned int *tail = (void *)(r->cq + r->p.cq_off.tail);

	if (*head == __atomic_load_n(tail, __ATOMIC_ACQUIRE))
		return false;
	memcpy(cqe, r->cq + r->p.cq_off.cqes +
	       (*head % r->p.cq_entries) * (size_t)r->cqe_size, sizeof(*cqe));
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return true;
}

/*
 * The addresses of requests are not known: 1 stands for any, 0 for none. Nor is the
 * thread that completes one.
 */
static void submitted(struct ring *r, int op, uint64_t user_data)
{
	want4(getpid(), "IO_URING_SUBMIT", r->ctx, 1, op, user_data);
}

static void completed(struct ring *r, int request, uint64_t user_data)
{
	struct io_uring_cqe cqe;

	if (!ring_take(r, &cqe) || cqe.user_data != user_data) {
		fprintf(stderr, "provoke_fs: no completion for %" PRIx64 "\n", user_data);
		exit(1);
	}
	want4(0, "IO_URING_COMPLETE", r->ctx, request, (int64_t)cqe.res, user_data);
}

/* uring FILE: requests of several kinds, to a file with some bytes in it. */
static int verb_uring(char **arg)
{
	int fd = check(open(arg[0], O_RDONLY), arg[0]), p[2], i;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe cqe;
	struct ring r, other;
	struct addr a;
	struct stat st;

	ring_init(&r, 8, 16, IORING_SETUP_CQE32);
	ring_init(&other, 4, 4, 0);

	/* One that does nothing, one that reads, one that fails. */
	ring_next(&r, IORING_OP_NOP, -1, 0xabcdef0123456789);
	ring_enter(&r, 1, 1);
	submitted(&r, IORING_OP_NOP, 0xabcdef0123456789);
	completed(&r, 1, 0xabcdef0123456789);
	sqe = ring_next(&r, IORING_OP_READ, fd, 0x1001);
	sqe->addr = (uintptr_t)buf;
	sqe->len = 100;
	ring_enter(&r, 1, 1);
	submitted(&r, IORING_OP_READ, 0x1001);
	completed(&r, 1, 0x1001);
	sqe = ring_next(&r, IORING_OP_READ, 9999, 0x1002);
	ring_enter(&r, 1, 1);
	submitted(&r, IORING_OP_READ, 0x1002);
	completed(&r, 1, 0x1002);

	/* Two at once. */
	ring_next(&r, IORING_OP_NOP, -1, 0x1003);
	ring_next(&r, IORING_OP_NOP, -1, 0x1004);
	ring_enter(&r, 2, 2);
	submitted(&r, IORING_OP_NOP, 0x1003);
	submitted(&r, IORING_OP_NOP, 0x1004);
	completed(&r, 1, 0x1003);
	completed(&r, 1, 0x1004);

	/* One that wants no completion if all is well. */
	sqe = ring_next(&r, IORING_OP_NOP, -1, 0x1005);
	sqe->flags = IOSQE_CQE_SKIP_SUCCESS;
	ring_enter(&r, 1, 0);
	submitted(&r, IORING_OP_NOP, 0x1005);

	/* One that completes again and again: those in between have no request. */
	check(pipe(p), "pipe");
	sqe = ring_next(&r, IORING_OP_POLL_ADD, p[0], 0x1006);
	sqe->poll32_events = POLLIN;
	sqe->len = IORING_POLL_ADD_MULTI;
	ring_enter(&r, 1, 0);
	submitted(&r, IORING_OP_POLL_ADD, 0x1006);
	for (i = 0; i < 2; i++) {
		check(write(p[1], buf, 1), "write");
		ring_enter(&r, 0, 1);
		completed(&r, 0, 0x1006);
	}
	sqe = ring_next(&r, IORING_OP_POLL_REMOVE, -1, 0x1007);
	sqe->addr = 0x1006;
	ring_enter(&r, 1, 2);
	submitted(&r, IORING_OP_POLL_REMOVE, 0x1007);
	/* Either may come first, the second one at the end of the system call. */
	while (ring_take(&r, &cqe))
		want4(0, "IO_URING_COMPLETE", r.ctx, 1, (int64_t)cqe.res, cqe.user_data);

	/* A message from one ring to the other. */
	sqe = ring_next(&r, IORING_OP_MSG_RING, other.fd, 0x1008);
	sqe->len = 77;
	sqe->off = 0x2001;
	ring_enter(&r, 1, 1);
	submitted(&r, IORING_OP_MSG_RING, 0x1008);
	completed(&other, 0, 0x2001);
	completed(&r, 1, 0x1008);

	/* More than the ring holds: they are complete all the same. */
	for (i = 0; i < 4; i++)
		ring_next(&other, IORING_OP_NOP, -1, 0x3000 + i);
	ring_enter(&other, 4, 0);
	for (i = 0; i < 4; i++)
		submitted(&other, IORING_OP_NOP, 0x3000 + i);
	for (i = 0; i < 2; i++)
		ring_next(&other, IORING_OP_NOP, -1, 0x3010 + i);
	ring_enter(&other, 2, 0);
	for (i = 0; i < 4; i++)
		completed(&other, 1, 0x3000 + i);
	for (i = 0; i < 2; i++)
		submitted(&other, IORING_OP_NOP, 0x3010 + i);
	ring_enter(&other, 0, 2);
	for (i = 0; i < 2; i++)
		completed(&other, 1, 0x3010 + i);

	/* One that goes on, and finds the ring full: that ends it. */
	for (i = 0; i < 4; i++)
		ring_next(&other, IORING_OP_NOP, -1, 0x3020 + i);
	ring_enter(&other, 4, 0);
	for (i = 0; i < 4; i++)
		submitted(&other, IORING_OP_NOP, 0x3020 + i);
	for (i = 0; i < 4; i++)
		want4(0, "IO_URING_COMPLETE", other.ctx, 1, 0, 0x3020 + i);
	check(pipe(p), "pipe");
	sqe = ring_next(&other, IORING_OP_POLL_ADD, p[0], 0x3030);
	sqe->poll32_events = POLLIN;
	sqe->len = IORING_POLL_ADD_MULTI;
	ring_enter(&other, 1, 0);
	submitted(&other, IORING_OP_POLL_ADD, 0x3030);
	check(write(p[1], buf, 1), "write");
	ring_enter(&other, 0, 0);
	for (i = 0; i < 4; i++)
		if (!ring_take(&other, &cqe))
			die("a completion is missing");
	ring_enter(&other, 0, 1);
	completed(&other, 1, 0x3030);

	/* A thread of io_uring's own does this one. */
	a = address(fd);
	check(fstat(fd, &st), arg[0]);
	sqe = ring_next(&r, IORING_OP_FSYNC, fd, 0x1009);
	sqe->fsync_flags = IORING_FSYNC_DATASYNC;
	ring_enter(&r, 1, 1);
	submitted(&r, IORING_OP_FSYNC, 0x1009);
	completed(&r, 1, 0x1009);
	print_wanted();
	printf("FS_FSYNC 0x%" PRIx64 " 0x%" PRIx64 " 0x1 0x0\n", a.file, U(st.st_ino));
	return 0;
}

/* sqpoll: a ring with a thread of its own; prints PID and that of the thread. */
static int verb_sqpoll(char **arg)
{
	struct dirent *d;
	struct ring r;
	DIR *tasks;
	int n = 0;

	ring_init(&r, 4, 4, IORING_SETUP_SQPOLL);
	tasks = must(opendir("/proc/self/task"), "opendir");
	while ((d = readdir(tasks)))
		if (atoi(d->d_name) && atoi(d->d_name) != getpid() && !n++)
			printf("%d %s\n", getpid(), d->d_name);
	if (n != 1)
		die("not one thread");
	return 0;
}

/* === A file system to write to === */

static void put_block(int fd, unsigned int nr, const void *data)
{
	if (pwrite(fd, data, 1024, nr * 1024) != 1024)
		die("pwrite");
}

/*
 * mkfs DEV: the smallest ext2: 4 MiB in one group, blocks of 1 KiB, 32 inodes of 128
 * bytes, and an empty root directory. (A fresh machine has no mkfs.)
 */
static int verb_mkfs(char **arg)
{
	int fd = check(open(arg[0], O_WRONLY), arg[0]);
	const unsigned int blocks = 4096, inodes = 32, used = 10;
	uint32_t b[256] = { 0 };
	uint8_t *c = (void *)b;
	uint16_t *s = (void *)b;
	unsigned int i;

	put_block(fd, 0, b);

	/* Super block. */
	b[0] = inodes;
	b[1] = blocks;
	b[3] = blocks - used;
	b[4] = inodes - 10;
	b[5] = 1;			/* first block */
	b[8] = 8192;			/* blocks a group */
	b[9] = 8192;
	b[10] = inodes;
	s[26] = 0xffff;			/* mounts until it is to be checked */
	s[27] = 0xffff;
	s[28] = 0xef53;
	s[29] = 1;			/* clean */
	s[30] = 1;			/* go on after errors */
	b[19] = 1;			/* revision */
	b[21] = 11;			/* first inode that is free */
	s[44] = 128;
	put_block(fd, 1, b);

	/* Descriptor of the group: bitmaps in 3 and 4, inodes from 5 to 8. */
	memset(b, 0, sizeof(b));
	b[0] = 3;
	b[1] = 4;
	b[2] = 5;
	s[6] = blocks - used;
	s[7] = inodes - 10;
	s[8] = 1;
	put_block(fd, 2, b);

	/* Blocks 1 to 9 are in use, and what is behind the end; block 0 is none. */
	memset(b, 0, sizeof(b));
	for (i = 0; i < 8192; i++)
		if (i < used - 1 || i >= blocks - 1)
			c[i / 8] |= 1 << i % 8;
	put_block(fd, 3, b);
	memset(b, 0, sizeof(b));
	for (i = 0; i < 8192; i++)
		if (i < 10 || i >= inodes)
			c[i / 8] |= 1 << i % 8;
	put_block(fd, 4, b);

	/* Inode 2, the root directory, in block 9. */
	memset(b, 0, sizeof(b));
	for (i = 5; i < 9; i++)
		put_block(fd, i, b);
	s[64 + 0] = 040755;
	b[32 + 1] = 1024;
	s[64 + 13] = 2;			/* links */
	b[32 + 7] = 2;			/* sectors */
	b[32 + 10] = 9;
	put_block(fd, 5, b);
	memset(b, 0, sizeof(b));
	b[0] = 2;
	s[2] = 12;
	s[3] = 1;
	c[8] = '.';
	b[3] = 2;
	s[8] = 1012;
	s[9] = 2;
	c[20] = '.';
	c[21] = '.';
	put_block(fd, 9, b);
	check(fsync(fd), "fsync");
	return 0;
}

static const struct {
	const char *name;
	int nargs;
	int (*fn)(char **arg);
} verbs[] = {
	{ "dirty", 3, verb_dirty },
	{ "eventfds", 0, verb_eventfds },
	{ "exits", 1, verb_exits },
	{ "files", 1, verb_files },
	{ "mkfs", 1, verb_mkfs },
	{ "path", 1, verb_path },
	{ "pipes", 0, verb_pipes },
	{ "sync", 1, verb_sync },
	{ "uring", 1, verb_uring },
	{ "sqpoll", 0, verb_sqpoll },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc == verbs[i].nargs + 2)
			return verbs[i].fn(argv + 2);
	fprintf(stderr, "usage: provoke_fs VERB [ARG...]; see its source\n");
	return 2;
}
