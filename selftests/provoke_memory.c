// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes memory events and prints what a trace must show of them.
 *
 * provoke_memory VERB [ARG...]. Each line is NAME NUMBER...; pages are named by
 * the number of their frame, from /proc/self/pagemap.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provoke.h"

#ifndef MADV_COLD
#define MADV_COLD 20
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define HUGE	(2UL << 20)

static size_t page_size;
static int pagemap_fd = -1;

static void tell_pid(void)
{
	printf("pid %d\n", getpid());
	fflush(stdout);
}

static uint64_t pagemap(const volatile void *p)
{
	uint64_t e;

	if (pagemap_fd < 0)
		pagemap_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pread(pagemap_fd, &e, sizeof(e), (uintptr_t)p / page_size * sizeof(e)) != sizeof(e))
		die("/proc/self/pagemap");
	return e;
}

/* The frame that is mapped there, or -1. */
static uint64_t pfn(const volatile void *p)
{
	uint64_t e = pagemap(p);

	return e >> 63 ? e & ((1ULL << 55) - 1) : -1ULL;
}

static char *map(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	char *p = mmap(addr, len, prot, flags, fd, off);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static char *anon(size_t len)
{
	return map(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Memory that begins at a multiple of the size of a huge page. */
static char *huge_aligned(size_t len, int flags)
{
	char *p = map(NULL, len + HUGE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	return (char *)(((uintptr_t)p + HUGE - 1) & ~(HUGE - 1));
}

/* Each touches memory with an instruction of its own. */
static __attribute__((noinline)) void touch_write(volatile char *p)
{
	*p = 1;
}

static __attribute__((noinline)) char touch_read(volatile char *p)
{
	return *p;
}

static char *ram_file(const char *path, size_t pages)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *buf = malloc(page_size);
	size_t i;

	if (fd < 0)
		die(path);
	for (i = 0; i < pages; i++) {
		memset(buf, 'a' + i % 26, page_size);
		if (write(fd, buf, page_size) != (ssize_t)page_size)
			die("write");
	}
	close(fd);
	return buf;
}

/* === Faults === */

static sigjmp_buf bus;

static void on_bus(int sig)
{
	siglongjmp(bus, 1);
}

/*
 * faults FILE: "nopage PID ADDRESS PFN", "wp PID ADDRESS OLD NEW",
 * "user PID ADDRESS IP" (that of the function), one for each fault that it makes.
 */
static int verb_faults(int argc, char **argv)
{
	uint64_t old, new;
	char *a, *z, *f;
	int fd, status;
	pid_t pid;

	tell_pid();
	/* Nothing of what stands between the faults is to make one. */
	a = anon(8 * page_size);
	pfn(a);
	ram_file(argv[1], 4);
	fd = open(argv[1], O_RDWR);

	touch_write(a + 5);
	printf("user %d %lx %lx\n", getpid(), (long)(a + 5), (long)touch_write);
	printf("nopage %d %lx %" PRIx64 "\n", getpid(), (long)(a + 5), pfn(a));

	/* The page of zeroes, and then one of its own. */
	z = a + page_size;
	touch_read(z);
	old = pfn(z);
	printf("user %d %lx %lx\n", getpid(), (long)z, (long)touch_read);
	printf("nopage %d %lx %" PRIx64 "\n", getpid(), (long)z, old);
	touch_write(z + 1);
	new = pfn(z);
	printf("wp %d %lx %" PRIx64 " %" PRIx64 "\n", getpid(), (long)(z + 1), old, new);

	/* A page of the file, and then a copy of it. */
	f = map(NULL, 4 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	madvise(f, 4 * page_size, MADV_RANDOM);
	touch_read(f + 2 * page_size);
	old = pfn(f + 2 * page_size);
	printf("nopage %d %lx %" PRIx64 "\n", getpid(), (long)(f + 2 * page_size), old);
	touch_write(f + 2 * page_size);
	new = pfn(f + 2 * page_size);
	printf("wp %d %lx %" PRIx64 " %" PRIx64 "\n", getpid(), (long)(f + 2 * page_size), old,
	       new);
	/* A copy at once, and a page that is shared: where no fault mapped it before. */
	f = map(NULL, 4 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	touch_write(f + 3 * page_size + 9);
	printf("nopage %d %lx %" PRIx64 "\n", getpid(), (long)(f + 3 * page_size + 9),
	       pfn(f + 3 * page_size));
	f = map(NULL, 4 * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	touch_write(f);
	printf("nopage %d %lx %" PRIx64 "\n", getpid(), (long)f, pfn(f));

	/* Behind the end of the file. */
	if (ftruncate(fd, page_size))
		die("ftruncate");
	signal(SIGBUS, on_bus);
	if (!sigsetjmp(bus, 1))
		touch_read(f + 3 * page_size);
	printf("bus %d %lx\n", getpid(), (long)(f + 3 * page_size));

	/* A child that writes gets a copy; then the parent may have the page itself. */
	old = pfn(a);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		touch_write(a + 7);
		close(pagemap_fd);
		pagemap_fd = -1;
		printf("wp %d %lx %" PRIx64 " %" PRIx64 "\n", getpid(), (long)(a + 7), old, pfn(a));
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	touch_write(a + 9);
	printf("wp %d %lx %" PRIx64 " %" PRIx64 "\n", getpid(), (long)(a + 9), old, pfn(a));
	return 0;
}

/* === Mappings === */

/*
 * maps FILE: "mmap ADDRESS SIZE FLAGS PGOFF", "munmap ADDRESS SIZE" in their order;
 * of the flags only read, write, exec and shared.
 */
static int verb_maps(int argc, char **argv)
{
	size_t p = page_size;
	char *a, *b, *c, *d;
	int fd, id;

	tell_pid();
	ram_file(argv[1], 8);
	fd = open(argv[1], O_RDWR);

	a = map(NULL, 7 * p, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("mmap %lx %zx 3 %lx\n", (long)a, 7 * p, (long)a / p);
	b = map(NULL, 2 * p + 1, PROT_READ, MAP_SHARED, fd, 3 * p);
	printf("mmap %lx %zx 9 3\n", (long)b, 3 * p);
	c = map(NULL, p, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, p);
	printf("mmap %lx %zx 5 1\n", (long)c, p);
	/* Over what is there. */
	map(a + 2 * p, p, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	printf("munmap %lx %zx\n", (long)(a + 2 * p), p);
	printf("mmap %lx %zx 0 %lx\n", (long)(a + 2 * p), p, (long)(a + 2 * p) / p);
	munmap(a + 4 * p, 2 * p);
	printf("munmap %lx %zx\n", (long)(a + 4 * p), 2 * p);
	/* Two mappings with one call, and the hole. */
	munmap(a + 2 * p, 5 * p);
	printf("munmap %lx %zx\n", (long)(a + 2 * p), 5 * p);
	/* Nothing is there. */
	munmap(a + 2 * p, 5 * p);

	/* It moves, shrinks, and grows where it is. */
	d = map(NULL, 16 * p, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("mmap %lx %zx 0 %lx\n", (long)d, 16 * p, (long)d / p);
	munmap(d + 4 * p, 8 * p);
	printf("munmap %lx %zx\n", (long)(d + 4 * p), 8 * p);
	if (mremap(b, 3 * p, 3 * p, MREMAP_MAYMOVE | MREMAP_FIXED, d + 5 * p) != d + 5 * p)
		die("mremap");
	printf("mmap %lx %zx 9 3\n", (long)(d + 5 * p), 3 * p);
	printf("munmap %lx %zx\n", (long)b, 3 * p);
	if (mremap(d + 5 * p, 3 * p, 2 * p, 0) != d + 5 * p)
		die("mremap");
	printf("munmap %lx %zx\n", (long)(d + 7 * p), p);
	if (mremap(d + 5 * p, 2 * p, 4 * p, 0) != d + 5 * p)
		die("mremap");
	printf("mmap %lx %zx 9 5\n", (long)(d + 7 * p), 2 * p);

	/* An attached segment is one as well. */
	id = shmget(IPC_PRIVATE, 5 * p, 0600);
	a = shmat(id, NULL, 0);
	if (a == (void *)-1)
		die("shmat");
	printf("mmap %lx %zx b 0\n", (long)a, 5 * p);
	shmdt(a);
	printf("munmap %lx %zx\n", (long)a, 5 * p);
	shmctl(id, IPC_RMID, NULL);
	return 0;
}

static long my_brk(long to)
{
	return syscall(SYS_brk, to);
}

/* brk: "brk OLD NEW" for each time. */
static int verb_brk(int argc, char **argv)
{
	static const long move[] = { 0x5000, 0x10, -0x2000, 0x123456 };
	long old, new;
	size_t i;

	setvbuf(stdout, malloc(4096), _IOFBF, 4096);
	tell_pid();
	for (i = 0; i < sizeof(move) / sizeof(*move); i++) {
		old = my_brk(0);
		new = my_brk(old + move[i]);
		if (new != old + move[i])
			die("brk");
		printf("brk %lx %lx\n", old, new);
	}
	/* Into what is below the heap: refused. */
	my_brk(0x1000);
	return 0;
}

/* === Huge pages === */

/*
 * huge: "fault ADDRESS PFN", "split PFN", "collapse ADDRESS PFN" and "file ADDRESS
 * PFN" (the same of a file), "wp ADDRESS OLD NEW".
 */
static int verb_huge(int argc, char **argv)
{
	char *a, *b, *c;
	int status, i;
	uint64_t was;
	pid_t pid;

	tell_pid();
	a = huge_aligned(2 * HUGE, MAP_PRIVATE);
	madvise(a, 2 * HUGE, MADV_HUGEPAGE);
	touch_write(a + 5 * page_size);
	printf("fault %lx %" PRIx64 "\n", (long)a, pfn(a));
	if (pfn(a + 9 * page_size) != pfn(a) + 9) {
		printf("none\n");
		return 0;
	}
	/* The page of zeroes. */
	touch_read(a + HUGE + 123);
	printf("fault %lx %" PRIx64 "\n", (long)(a + HUGE), pfn(a + HUGE));

	/* Shared with a child that ends: it goes on being mine. */
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	was = pfn(a);
	touch_write(a + 7 * page_size + 3);
	printf("wp %lx %" PRIx64 " %" PRIx64 "\n", (long)(a + 7 * page_size + 3), was + 7,
	       pfn(a + 7 * page_size));

	/* One page of it is not needed for now. */
	was = pfn(a);
	if (madvise(a + page_size, page_size, MADV_COLD))
		die("MADV_COLD");
	printf("split %" PRIx64 "\n", was);

	/* Small ones, made into one. */
	b = huge_aligned(HUGE, MAP_PRIVATE);
	madvise(b, HUGE, MADV_NOHUGEPAGE);
	for (i = 0; i < 512; i++)
		touch_write(b + i * page_size);
	madvise(b, HUGE, MADV_HUGEPAGE);
	if (madvise(b, HUGE, MADV_COLLAPSE))
		die("MADV_COLLAPSE");
	printf("collapse %lx %" PRIx64 "\n", (long)b, pfn(b));

	/* Of a file in memory. */
	c = huge_aligned(HUGE, MAP_SHARED);
	madvise(c, HUGE, MADV_HUGEPAGE);
	touch_write(c + 3 * page_size);
	printf("%s %lx %" PRIx64 "\n",
	       pfn(c + 5 * page_size) == pfn(c) + 5 ? "fault" : "small", (long)c, pfn(c));

	/* The same of small ones. */
	c = huge_aligned(HUGE, MAP_SHARED);
	madvise(c, HUGE, MADV_NOHUGEPAGE);
	for (i = 0; i < 512; i++)
		touch_write(c + i * page_size);
	madvise(c, HUGE, MADV_HUGEPAGE);
	if (madvise(c, HUGE, MADV_COLLAPSE))
		die("MADV_COLLAPSE");
	printf("file %lx %" PRIx64 "\n", (long)c, pfn(c));
	return 0;
}

/* === Swap === */

/* Makes DEVICE what swapon() takes. */
static void make_swap(const char *device)
{
	uint32_t *u = calloc(1, page_size);
	int fd = open(device, O_RDWR);
	off_t size;

	if (fd < 0)
		die(device);
	size = lseek(fd, 0, SEEK_END);
	u[256] = 1;				/* version */
	u[257] = size / page_size - 1;		/* last page */
	memcpy((char *)u + page_size - 10, "SWAPSPACE2", 10);
	if (pwrite(fd, u, page_size, 0) != (ssize_t)page_size || fsync(fd))
		die("swap header");
	close(fd);
}

/*
 * Has the pages swapped out. The caller stays on one CPU: a new page is in a list of
 * the CPU that made it, and only that one takes it from there.
 */
static void page_out(char *p, int pages)
{
	int tries, i;

	for (tries = 0; tries < 100; tries++) {
		if (madvise(p, pages * page_size, MADV_PAGEOUT))
			die("MADV_PAGEOUT");
		for (i = 0; i < pages && pfn(p + i * page_size) == -1ULL; i++)
			;
		if (i == pages)
			return;
		usleep(10000);
	}
}

/*
 * swap DEVICE PAGES: "out PFN ENTRY" and "in PFN ENTRY" of each page; the last one
 * is full of zeroes and not written: "zero PFN".
 */
static int verb_swap(int argc, char **argv)
{
	int pages = number(argv[2]), i;
	uint64_t *frame = calloc(pages, sizeof(*frame)), *entry = calloc(pages, sizeof(*entry));
	char *p;

	make_swap(argv[1]);
	if (swapon(argv[1], 0))
		die("swapon");
	pin(sched_getcpu());
	tell_pid();
	p = anon(pages * page_size);
	for (i = 0; i < pages; i++) {
		memset(p + i * page_size, i == pages - 1 ? 0 : 'x', page_size);
		frame[i] = pfn(p + i * page_size);
	}
	page_out(p, pages);
	for (i = 0; i < pages; i++) {
		uint64_t e = pagemap(p + i * page_size);

		/* The kernel has the type of the swap area above its offset. */
		entry[i] = (e & 31) << 58 | (e >> 5 & ((1ULL << 50) - 1));
		if (!(e >> 62 & 1))
			printf("present %" PRIx64 "\n", frame[i]);
		else if (i < pages - 1)
			printf("out %" PRIx64 " %" PRIx64 "\n", frame[i], entry[i]);
		else
			printf("zero %" PRIx64 "\n", frame[i]);
	}
	for (i = 0; i < pages; i++) {
		touch_read(p + i * page_size);
		frame[i] = pfn(p + i * page_size);
		if (i < pages - 1)
			printf("in %" PRIx64 " %" PRIx64 "\n", frame[i], entry[i]);
		else
			printf("zero %" PRIx64 "\n", frame[i]);
	}
	fflush(stdout);
	munmap(p, pages * page_size);
	if (swapoff(argv[1]))
		die("swapoff");
	return 0;
}

/*
 * shared DEVICE PAGES: the same with pages of a file in memory: "inode INODE",
 * "out PFN INDEX" and "in PFN INDEX".
 */
static int verb_shared(int argc, char **argv)
{
	int pages = number(argv[2]), fd, i;
	struct stat st;
	char *p;

	make_swap(argv[1]);
	if (swapon(argv[1], 0))
		die("swapon");
	pin(sched_getcpu());
	tell_pid();
	fd = memfd_create("lkst", 0);
	if (fd < 0 || ftruncate(fd, pages * page_size) || fstat(fd, &st))
		die("memfd");
	printf("inode %lu\n", (long)st.st_ino);
	p = map(NULL, pages * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (i = 0; i < pages; i++) {
		memset(p + i * page_size, 'y', page_size);
		printf("out %" PRIx64 " %x\n", pfn(p + i * page_size), i);
	}
	page_out(p, pages);
	for (i = 0; i < pages; i++) {
		touch_read(p + i * page_size);
		printf("in %" PRIx64 " %x\n", pfn(p + i * page_size), i);
	}
	fflush(stdout);
	munmap(p, pages * page_size);
	close(fd);
	if (swapoff(argv[1]))
		die("swapoff");
	return 0;
}

/* === The page cache === */

/*
 * cache FILE PAGES [truncate]: writes that many pages and prints "inode INODE" and
 * "add PFN INDEX" for each; with "truncate" they go.
 */
static int verb_cache(int argc, char **argv)
{
	int pages = number(argv[2]), i, fd;
	struct stat st;
	char *p;

	tell_pid();
	ram_file(argv[1], pages);
	fd = open(argv[1], O_RDWR);
	if (fstat(fd, &st))
		die("fstat");
	printf("inode %lu\n", (long)st.st_ino);
	p = map(NULL, pages * page_size, PROT_READ, MAP_SHARED, fd, 0);
	for (i = 0; i < pages; i++) {
		touch_read(p + i * page_size);
		printf("add %" PRIx64 " %x\n", pfn(p + i * page_size), i);
	}
	munmap(p, pages * page_size);
	fflush(stdout);
	if (argc > 3 && ftruncate(fd, 0))
		die("ftruncate");
	return 0;
}

/*
 * device FILE PAGES [write]: the same by reading from a block device, whose inode has the
 * number of the device; then they are dropped from the cache. With "write", the
 * first is written back before that.
 */
static int verb_device(int argc, char **argv)
{
	int pages = number(argv[2]), i, fd;
	struct stat st;
	char *p;

	tell_pid();
	fd = open(argv[1], O_RDWR);
	if (fd < 0 || fstat(fd, &st))
		die(argv[1]);
	/* As the kernel has it: the minor in the low 20 bits. */
	printf("inode %u\n", major(st.st_rdev) << 20 | minor(st.st_rdev));
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	p = map(NULL, pages * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	madvise(p, pages * page_size, MADV_RANDOM);
	for (i = 0; i < pages; i++) {
		touch_read(p + i * page_size);
		printf("add %" PRIx64 " %x\n", pfn(p + i * page_size), i);
	}
	fflush(stdout);
	if (argc > 3) {
		/* Written back, and waited for. */
		touch_write(p);
		if (msync(p, page_size, MS_SYNC))
			die("msync");
	}
	munmap(p, pages * page_size);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

/* === Reclaim, migration, OOM === */

static int by_frame(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * spread MB FILE: of so much memory, every other page in the lower quarter of its
 * frames and every 16th above: what compaction moves, and where it moves that to,
 * as it takes no block that is all free. Waits for FILE; prints "moved FROM TO" for
 * each page that has another frame then.
 */
static int verb_spread(int argc, char **argv)
{
	size_t pages = (number(argv[1]) << 20) / page_size, i;
	uint64_t *frame = calloc(pages, sizeof(*frame)), *sorted = calloc(pages, sizeof(*sorted));
	char *p = anon(pages * page_size);
	uint64_t now, quarter;

	madvise(p, pages * page_size, MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++) {
		touch_write(p + i * page_size);
		frame[i] = sorted[i] = pfn(p + i * page_size);
	}
	qsort(sorted, pages, sizeof(*sorted), by_frame);
	quarter = sorted[pages / 4];
	for (i = 0; i < pages; i++) {
		if (i % (frame[i] < quarter ? 2 : 16) == 1)
			continue;
		madvise(p + i * page_size, page_size, MADV_DONTNEED);
		frame[i] = 0;
	}
	tell_pid();
	while (access(argv[2], F_OK))
		usleep(5000);
	for (i = 0; i < pages; i++) {
		if (!frame[i])
			continue;
		now = pfn(p + i * page_size);
		if (now != frame[i])
			printf("moved %" PRIx64 " %" PRIx64 "\n", frame[i], now);
	}
	return 0;
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

/*
 * eat DIR MB [ADJ]: a child in the cgroup DIR that writes to so much memory.
 * Prints "pid PID" of the child and "status STATUS".
 */
static int verb_eat(int argc, char **argv)
{
	size_t len = number(argv[2]) << 20, i;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		char *p;

		if (argc > 3)
			write_file("/proc/self", "oom_score_adj", argv[3]);
		write_file(argv[1], "cgroup.procs", "0");
		tell_pid();
		p = anon(len);
		for (i = 0; i < len; i += page_size)
			touch_write(p + i);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("status %d\n", status);
	return 0;
}

/* file DIR MB PATH: reads so much of a file in the cgroup DIR; "cgroup ID". */
static int verb_file(int argc, char **argv)
{
	static char buf[65536];
	struct stat st;
	int fd = open(argv[3], O_RDONLY);
	long i;

	if (fd < 0 || stat(argv[1], &st))
		die(argv[1]);
	write_file(argv[1], "cgroup.procs", "0");
	printf("cgroup %lx\n", (long)st.st_ino);
	for (i = 0; i < number(argv[2]) << 4; i++)
		if (read(fd, buf, sizeof(buf)) != sizeof(buf))
			die(argv[3]);
	return 0;
}

/* reclaim DIR TEXT: writes TEXT to its memory.reclaim. */
static int verb_reclaim(int argc, char **argv)
{
	char path[512];
	int fd;

	tell_pid();
	snprintf(path, sizeof(path), "%s/memory.reclaim", argv[1]);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		die(path);
	/* Less than was asked for is no error here. */
	if (write(fd, argv[2], strlen(argv[2])) < 0 && errno != EAGAIN)
		die("memory.reclaim");
	return 0;
}

/* compact: of all zones. */
static int verb_compact(int argc, char **argv)
{
	tell_pid();
	write_file("/proc/sys/vm", "compact_memory", "1");
	return 0;
}

/* === All of them === */

enum { UNKNOWN, GIVEN, FREED };

struct thing {
	uint64_t key;
	int state;
	struct thing *next;
};

static struct thing *hash[1 << 16];

static struct thing *look_up(uint64_t key)
{
	struct thing **t = &hash[(key ^ key >> 6 ^ key >> 20) & 0xffff];

	for (; *t; t = &(*t)->next)
		if ((*t)->key == key)
			return *t;
	*t = calloc(1, sizeof(**t));
	(*t)->key = key;
	return *t;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = strtoull(strchr(*(char **)a, ' '), NULL, 10);
	uint64_t y = strtoull(strchr(*(char **)b, ' '), NULL, 10);

	return x < y ? -1 : x > y;
}

/*
 * turns DUMP: what is given is not given again before it was freed, what is freed
 * is not freed again before it was given: pages and objects, on the whole machine.
 * (Compaction takes pages aside without a word.) Prints "turns GIVEN FREED" of
 * pages, the same of objects, how many were not so, and "bad ..." for those.
 */
static int verb_turns(int argc, char **argv)
{
	char **line = NULL, *l = NULL;
	uint64_t count[2][3] = {};
	size_t n = 0, size = 0, len = 0, i;
	FILE *f = fopen(argv[1], "r");
	bool compacted = false;
	int bad = 0;

	if (!f)
		die(argv[1]);
	while (getline(&l, &len, f) > 0) {
		if (*l == '#' || !strstr(l, " MEM_"))
			continue;
		if (n == size)
			line = realloc(line, (size = size * 2 + 1024) * sizeof(*line));
		line[n++] = strdup(l);
	}
	qsort(line, n, sizeof(*line), by_time);
	for (i = 0; i < n; i++) {
		char *name = strstr(line[i], " MEM_") + 5;
		uint64_t key, k;
		int order = 0, to, what = 1;
		char *args = strchr(name, ' ');

		if (!args)
			continue;
		key = strtoull(args, &args, 0);
		if (!strncmp(name, "GET_FREEPAGE ", 13) || !strncmp(name, "FREEPAGE ", 9)) {
			if (key == -1ULL)
				continue;
			order = strtoull(args, NULL, 0);
			what = 0;
			to = *name == 'G' ? GIVEN : FREED;
		} else if (!strncmp(name, "CACHE_ALLOC ", 12) || !strncmp(name, "MALLOC ", 7)) {
			to = GIVEN;
		} else if (!strncmp(name, "CACHE_FREE ", 11) || !strncmp(name, "FREE ", 5)) {
			to = FREED;
		} else {
			compacted |= !strncmp(name, "COMPACT_", 8);
			continue;
		}
		/* No object: NULL and ZERO_SIZE_PTR. */
		if (what && key <= 16)
			continue;
		count[what][to]++;
		for (k = key; k < key + (1ULL << order); k++) {
			struct thing *t = look_up(k);

			if (t->state == to && (what || !compacted) && bad++ < 10)
				printf("bad %" PRIx64 " %s", k, line[i]);
			t->state = to;
		}
	}
	printf("turns %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d\n", count[0][GIVEN],
	       count[0][FREED], count[1][GIVEN], count[1][FREED], bad);
	return 0;
}

static const struct {
	const char *name;
	int (*fn)(int argc, char **argv);
	int args;
} verbs[] = {
	{ "brk", verb_brk, 0 },
	{ "cache", verb_cache, 2 },
	{ "compact", verb_compact, 0 },
	{ "device", verb_device, 2 },
	{ "eat", verb_eat, 2 },
	{ "faults", verb_faults, 1 },
	{ "file", verb_file, 3 },
	{ "huge", verb_huge, 0 },
	{ "maps", verb_maps, 1 },
	{ "reclaim", verb_reclaim, 2 },
	{ "shared", verb_shared, 2 },
	{ "spread", verb_spread, 2 },
	{ "swap", verb_swap, 2 },
	{ "turns", verb_turns, 1 },
};

int main(int argc, char **argv)
{
	size_t i;

	page_size = sysconf(_SC_PAGESIZE);
	setvbuf(stdout, NULL, _IOFBF, 65536);
	for (i = 0; argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc - 2 >= verbs[i].args)
			return verbs[i].fn(argc - 1, argv + 1);
	fprintf(stderr, "usage: provoke_memory VERB [ARG...]; verbs:");
	for (i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		fprintf(stderr, " %s", verbs[i].name);
	fprintf(stderr, "\n");
	return 2;
}
