// SPDX-License-Identifier: GPL-2.0-only
/*
 * per_cpu/cpuN/trace_raw: images of blocks by read(), poll() and mmap().
 *
 * Numbered markers, written from the CPU whose file is read, are what must come
 * out.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "lkst_raw.h"
#include "kselftest_harness.h"

#define CPU		0
#define BUFFER		"lkst_ctest"
#define MASKSET		"lkst_ctest"

/* An address that nothing is at, which the compiler does not see through. */
static void *volatile nowhere = (void *)8;

static int put(const char *file, const char *text)
{
	char path[128];
	int fd, ret = 0;

	snprintf(path, sizeof(path), LKST_DIR "/%s", file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

static long get_number(const char *file)
{
	char path[128], text[64] = "";
	int fd;

	snprintf(path, sizeof(path), LKST_DIR "/%s", file);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return -1;
	close(fd);
	return atol(text);
}

static void nap(long ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&ts, NULL);
}

static long since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 +
	       (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* What came out: the numbers of the markers, in order. */
struct found {
	long next;			/* the marker expected */
	long wrong;			/* markers out of order */
	long records;
	uint64_t index;			/* of the next record, by the heads */
	uint64_t gaps;
	uint32_t pid;
	unsigned int flags;		/* of all markers */
};

static void found_block(const struct lkst_block *b, struct found *f)
{
	if (f->index && b->first != f->index)
		f->gaps++;
	f->index = b->first + raw_count(b);
}

static void found_record(const struct lkst_block *b, const struct raw_rec *r,
			 void *data)
{
	struct found *f = data;
	long n;

	f->records++;
	if (r->event != LKST_EV_MARKER)
		return;
	if (sscanf((const char *)&r->arg[1], "n%ld.", &n) != 1 || n != f->next)
		f->wrong++;
	else
		f->next++;
	if (r->pid != f->pid)
		f->wrong++;
	f->flags |= r->flags;
}

/* Walks all images in a buffer; returns what is wrong, or NULL. */
static const char *walk(const char *buf, size_t len, struct found *f)
{
	size_t pos = 0;

	while (pos < len) {
		const struct lkst_block *b = (const void *)(buf + pos);
		const char *err = raw_check(b, len - pos);

		if (!err && b->cpu != CPU)
			err = "another CPU's block";
		if (!err && b->reserved)
			err = "reserved is not 0";
		if (!err) {
			found_block(b, f);
			err = raw_walk(b, found_record, f);
		}
		if (err)
			return err;
		pos += raw_bytes(b);
	}
	return NULL;
}

FIXTURE(raw) {
	int fd;				/* O_NONBLOCK */
	int marker;
	struct found found;
};

static void tidy(void)
{
	put("enable", "1");
	/* The first start makes the buffer "main". */
	if (access(LKST_DIR "/buffers/main", F_OK))
		put("maskset", "RDEFAULT");
	put("maskset", "RNOTHING");
	put("buffer", "main");
	put("buffers/delete", BUFFER);
	put("masksets/delete", MASKSET);
	put("trace", "0");
}

FIXTURE_SETUP(raw)
{
	cpu_set_t set;

	if (getuid() || access(LKST_DIR "/version", R_OK))
		SKIP(return, "needs root, debugfs and LKST");

	CPU_ZERO(&set);
	CPU_SET(CPU, &set);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(set), &set));

	tidy();
	ASSERT_EQ(0, put("buffers/create", BUFFER " 256K"));
	ASSERT_EQ(0, put("buffer", BUFFER));
	ASSERT_EQ(0, put("masksets/create", MASKSET));
	/* Hardly ever happens; LKST's own are recorded with it. */
	ASSERT_EQ(0, put("masksets/" MASKSET, "PROCESS_LTHREADGEN default\n"));
	ASSERT_EQ(0, put("maskset", MASKSET));
	self->fd = raw_open(CPU, O_NONBLOCK);
	ASSERT_GE(self->fd, 0);
	self->marker = open(LKST_DIR "/marker", O_WRONLY);
	ASSERT_GE(self->marker, 0);
	memset(&self->found, 0, sizeof(self->found));
	self->found.pid = getpid();
}

FIXTURE_TEARDOWN(raw)
{
	close(self->fd);
	close(self->marker);
	tidy();
}

static int mark(int fd, long n)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "n%ld.", n);

	return write(fd, text, len) == len ? 0 : -1;
}

static int marks(int fd, long from, long count)
{
	long i;

	for (i = from; i < from + count; i++)
		if (mark(fd, i))
			return -1;
	return 0;
}

TEST_F(raw, images_are_whole)
{
	static char buf[1 << 20];
	const char *err;
	ssize_t got;

	ASSERT_EQ(0, marks(self->marker, 0, 3000));
	while ((got = read(self->fd, buf, sizeof(buf))) > 0) {
		err = walk(buf, got, &self->found);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	}
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(3000, self->found.next);
	EXPECT_EQ(0, self->found.wrong);
	EXPECT_EQ(0, self->found.gaps);
	EXPECT_EQ(0, self->found.flags & (LKST_FLAG_HARDIRQ | LKST_FLAG_SOFTIRQ |
					  LKST_FLAG_NMI));

	/* What comes later follows without a gap. */
	ASSERT_EQ(0, marks(self->marker, 3000, 10));
	got = read(self->fd, buf, sizeof(buf));
	ASSERT_GT(got, 0);
	err = walk(buf, got, &self->found);
	ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	EXPECT_EQ(3010, self->found.next);
	EXPECT_EQ(0, self->found.gaps);
	EXPECT_EQ(0, self->found.wrong);
}

TEST_F(raw, head_says_what_it_is)
{
	static char buf[65536];
	struct lkst_block *b = (void *)buf;

	ASSERT_EQ(0, mark(self->marker, 0));
	ASSERT_GT(read(self->fd, buf, sizeof(buf)), (ssize_t)sizeof(*b));
	EXPECT_EQ(0, memcmp(&b->magic, "LKSTBLK1", 8));
	EXPECT_EQ(LKST_ABI_VERSION, b->version);
	EXPECT_EQ(sizeof(*b), b->header_size);
	EXPECT_EQ(CPU, b->cpu);
	EXPECT_EQ(65536, b->size);
	EXPECT_EQ(32, b->count_shift);
	EXPECT_EQ(0, b->reserved);
	EXPECT_EQ(1, b->seq);
	EXPECT_EQ(0, b->first);
	EXPECT_EQ(0, b->lost);
	EXPECT_STREQ(BUFFER, b->name);
	EXPECT_NE(0, b->mono);
	EXPECT_NE(0, b->time);
}

static void drain(int fd)
{
	static char buf[65536];

	while (read(fd, buf, sizeof(buf)) > 0)
		;
}

/* What a shape says, by hand. */
TEST_F(raw, shapes)
{
	/* None, 4, 8, 8 4 8 4, 4 8 8 8 bytes; words: none, two, as many as there can be. */
	static const struct {
		unsigned int shape;
		int nargs;
		size_t length;
	} known[] = {
		{ 0x01, 0, 12 }, { 0x02, 1, 16 }, { 0x03, 1, 20 }, { 0x0b, 3, 32 },
		{ 0x15, 4, 36 }, { 0x1e, 4, 40 }, { 0x1f, 4, 44 },
		{ 0x20, 0, 12 }, { 0x22, 2, 28 }, { 0x3f, 31, 260 },
	};
	size_t i;

	EXPECT_EQ(-1, raw_nargs(0));
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		EXPECT_EQ(known[i].nargs, raw_nargs(known[i].shape));
		EXPECT_EQ(known[i].length, raw_length(known[i].shape));
	}
	EXPECT_EQ(8, raw_width(0x15, 0));
	EXPECT_EQ(4, raw_width(0x15, 1));
	EXPECT_EQ(8, raw_width(0x15, 2));
	EXPECT_EQ(4, raw_width(0x15, 3));
	EXPECT_EQ(8, raw_width(0x21, 0));
}

/* getpgid(-2) and its -ESRCH, byte by byte. */
TEST_F(raw, a_record_is_as_the_header_says)
{
	static char buf[65536];
	struct lkst_block *b = (void *)buf;
	char *end, *entry = NULL, *exit = NULL, *p;
	uint32_t word, nr;
	uint64_t wide;
	ssize_t got;

	ASSERT_EQ(0, put("masksets/" MASKSET, "SYSCALL_* default\n"));
	EXPECT_EQ(-1, syscall(SYS_getpgid, -2L, 0x1122334455667788, -1L));
	got = read(self->fd, buf, sizeof(buf));
	ASSERT_GT(got, (ssize_t)sizeof(*b));
	end = buf + raw_bytes(b);
	for (p = buf + b->header_size; p < end; p += raw_length(word & 0x3f)) {
		memcpy(&word, p, 4);
		ASSERT_NE(0, word & 0x3f);
		memcpy(&nr, p + 12, 4);
		if (nr != SYS_getpgid)
			continue;
		if ((word & 0xffff) == (8 << 6 | 0x1e))
			entry = p;
		if ((word & 0xffff) == (9 << 6 | 0x06))
			exit = p;
	}
	ASSERT_NE(NULL, entry);
	ASSERT_EQ(exit, entry + 40);
	for (p = entry; p; p = p == entry ? exit : NULL) {
		/* The low 48 bits of the time. */
		memcpy(&wide, p, 8);
		EXPECT_GE((wide >> 16) - b->time, 0);
		memcpy(&word, p + 8, 4);
		EXPECT_EQ((uint32_t)getpid(), word & 0x3fffff);
		EXPECT_EQ(0, (word >> 22) & (LKST_FLAG_HARDIRQ | LKST_FLAG_SOFTIRQ |
					     LKST_FLAG_NMI));
	}
	memcpy(&wide, entry + 16, 8);
	EXPECT_EQ((uint64_t)-2, wide);
	memcpy(&wide, entry + 24, 8);
	EXPECT_EQ(0x1122334455667788, wide);
	memcpy(&wide, entry + 32, 8);
	EXPECT_EQ(UINT64_MAX, wide);
	memcpy(&wide, exit + 16, 8);
	EXPECT_EQ((uint64_t)-ESRCH, wide);
}

/* Each record is as its event's line of etypes. */
struct widths {
	unsigned int events, bad;
	struct raw_rec first_bad;
	unsigned int seen[LKST_STAMP_EVENT_MASK + 1];
};

/* What all arguments of a record have that are not always of 4 bytes, or of 8. */
static size_t varying_width(const struct raw_event *e, const struct raw_rec *r)
{
	unsigned int i;

	for (i = 0; i < r->nargs; i++)
		if (raw_needs_wide(e->arg[i].type, raw_arg(r, i)))
			return 8;
	return 4;
}

static size_t width_of(const struct raw_event *e, const struct raw_rec *r, unsigned int i)
{
	const char *type = e->arg[i].type;

	if (!strcmp(type, "nr") || !strcmp(type, "pfn"))
		return varying_width(e, r);
	return raw_type_width(type);
}

static void width_record(const struct lkst_block *b, const struct raw_rec *r, void *data)
{
	const struct raw_event *e = &raw_events[r->event];
	struct widths *w = data;
	unsigned int i;

	if (r->event >= RAW_FIRST_OWN)
		return;
	w->events += !w->seen[r->event]++;
	if (r->nargs == e->nargs) {
		for (i = 0; i < r->nargs; i++)
			if (raw_width(r->shape, i) != width_of(e, r, i))
				break;
		if (i == r->nargs)
			return;
	}
	if (!w->bad++)
		w->first_bad = *r;
}

TEST_F(raw, arguments_are_as_wide_as_their_types)
{
	static struct widths w;
	const char *err;
	int status;
	pid_t pid;

	ASSERT_TRUE(raw_load_types(LKST_DIR "/etypes"));
	ASSERT_EQ(0, put("buffers/" BUFFER "/size", "8M"));
	ASSERT_EQ(0, put("masksets/" MASKSET, "* default\n:lock nothing\n"));
	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid) {
		execl("/bin/sh", "sh", "-c", "cat /proc/self/maps /proc/mounts >/dev/null;"
		      "echo >/dev/kmsg; sleep 0.2; true | cat", NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, put("maskset", "RNOTHING"));
	err = raw_drain(CPU, 1 << 20, NULL, width_record, &w);
	ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	EXPECT_EQ(0, w.bad) TH_LOG("event %u with shape 0x%x", w.first_bad.event,
				   w.first_bad.shape);
	EXPECT_GE(w.events, 40) TH_LOG("%u events", w.events);
}

/* Too small for a head and a record: nothing is lost by the attempt. */
TEST_F(raw, small_buffer)
{
	static char buf[65536];
	const char *err;
	ssize_t got;
	size_t size;

	ASSERT_EQ(0, marks(self->marker, 0, 3));
	for (size = 0; size < 512; size += 73) {
		EXPECT_EQ(-1, read(self->fd, buf, size));
		EXPECT_EQ(EINVAL, errno);
	}
	EXPECT_EQ(-1, read(self->fd, buf, 511));
	EXPECT_EQ(EINVAL, errno);
	while ((got = read(self->fd, buf, 512)) > 0) {
		err = walk(buf, got, &self->found);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	}
	EXPECT_EQ(3, self->found.next);
	EXPECT_EQ(0, self->found.wrong);
}

/* However long the reads are, no record is split, lost or repeated. */
TEST_F(raw, short_reads)
{
	static const size_t sizes[] = { 512, 520, 613, 777, 1024, 4095, 4096,
					65535, 65536, 65537, 200000 };
	static char buf[200000];
	const char *err;
	ssize_t got;
	size_t i;
	long n = 0;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, marks(self->marker, n, 500));
		n += 500;
		while ((got = read(self->fd, buf, sizes[i])) > 0) {
			ASSERT_LE(got, (ssize_t)sizes[i]);
			err = walk(buf, got, &self->found);
			ASSERT_EQ(NULL, err) TH_LOG("%s", err);
		}
		EXPECT_EQ(EAGAIN, errno);
		ASSERT_EQ(n, self->found.next) TH_LOG("size %zu", sizes[i]);
		EXPECT_EQ(0, self->found.wrong);
		EXPECT_EQ(0, self->found.gaps);
	}
}

/* A mixture of sizes while a child writes. */
TEST_F(raw, short_reads_while_writing)
{
	static char buf[70000];
	struct timespec start;
	const char *err;
	unsigned int seed = 1;
	ssize_t got;
	pid_t pid;
	int status;

	ASSERT_EQ(0, put("buffers/" BUFFER "/size", "4M"));
	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid)
		_exit(marks(self->marker, 0, 20000) ? 1 : 0);
	self->found.pid = pid;
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (self->found.next < 20000 && since(&start) < 25000) {
		size_t size = 512 + rand_r(&seed) % (sizeof(buf) - 512);

		got = read(self->fd, buf, size);
		if (got < 0) {
			ASSERT_EQ(EAGAIN, errno);
			sched_yield();
			continue;
		}
		err = walk(buf, got, &self->found);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_EQ(20000, self->found.next);
	EXPECT_EQ(0, self->found.wrong);
	EXPECT_EQ(0, self->found.gaps);
}

TEST_F(raw, nonblocking)
{
	static char buf[65536];

	while (read(self->fd, buf, sizeof(buf)) > 0)
		;
	EXPECT_EQ(EAGAIN, errno);
	ASSERT_EQ(0, mark(self->marker, 0));
	EXPECT_GT(read(self->fd, buf, sizeof(buf)), 0);
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);

	/* Stopped: what is left, then the end. */
	ASSERT_EQ(0, mark(self->marker, 1));
	ASSERT_EQ(0, put("maskset", "RNOTHING"));
	EXPECT_GT(read(self->fd, buf, sizeof(buf)), 0);
	EXPECT_EQ(0, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(0, read(self->fd, buf, sizeof(buf)));
}

TEST_F(raw, read_faults)
{
	ASSERT_EQ(0, marks(self->marker, 0, 10));
	EXPECT_EQ(-1, read(self->fd, nowhere, 65536));
	EXPECT_EQ(EFAULT, errno);
}

/* Runs in a child: waits, then writes a marker or stops tracing. */
static pid_t later(int marker, long ms, bool stop)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	nap(ms);
	if (stop)
		put("maskset", "RNOTHING");
	else
		mark(marker, 0);
	_exit(0);
}

TEST_F(raw, poll_wakes)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN };
	struct timespec start;
	static char buf[65536];
	const char *err;
	ssize_t got;
	long ms;
	pid_t pid;

	pid = later(self->marker, 500, false);
	self->found.pid = pid;
	nap(200);
	drain(self->fd);
	EXPECT_EQ(0, poll(&p, 1, 0));

	clock_gettime(CLOCK_MONOTONIC, &start);
	ASSERT_EQ(1, poll(&p, 1, 10000));
	ms = since(&start);
	EXPECT_EQ(POLLIN, p.revents & POLLIN);
	/* The marker came after 300 ms or so. */
	EXPECT_GE(ms, 100);
	EXPECT_LE(ms, 1500);
	/* The child's end may follow. */
	waitpid(pid, NULL, 0);
	got = read(self->fd, buf, sizeof(buf));
	ASSERT_GT(got, 0);
	err = walk(buf, got, &self->found);
	ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	EXPECT_EQ(1, self->found.next);

	/* At once, where something is there. */
	ASSERT_EQ(0, mark(self->marker, 1));
	clock_gettime(CLOCK_MONOTONIC, &start);
	ASSERT_EQ(1, poll(&p, 1, 10000));
	EXPECT_LE(since(&start), 100);
}

TEST_F(raw, poll_wakes_at_the_end)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN };
	struct timespec start;
	pid_t pid;

	pid = later(self->marker, 500, true);
	nap(200);
	drain(self->fd);
	clock_gettime(CLOCK_MONOTONIC, &start);
	EXPECT_EQ(1, poll(&p, 1, 10000));
	EXPECT_LE(since(&start), 2000);
	waitpid(pid, NULL, 0);
	drain(self->fd);
	EXPECT_EQ(1, poll(&p, 1, 0));
}

TEST_F(raw, read_waits)
{
	static char buf[65536];
	struct timespec start;
	const char *err;
	ssize_t got;
	pid_t pid;
	int fd;

	fd = raw_open(CPU, 0);
	ASSERT_GE(fd, 0);
	pid = later(self->marker, 500, false);
	self->found.pid = pid;
	nap(200);
	drain(self->fd);
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!self->found.next && since(&start) < 5000) {
		got = read(fd, buf, sizeof(buf));
		ASSERT_GT(got, 0);
		err = walk(buf, got, &self->found);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	}
	EXPECT_EQ(1, self->found.next);
	EXPECT_GE(since(&start), 100);
	EXPECT_LE(since(&start), 1500);
	waitpid(pid, NULL, 0);
	drain(self->fd);

	/* And for the end. */
	pid = later(self->marker, 500, true);
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	EXPECT_EQ(0, read(fd, buf, sizeof(buf)));
	EXPECT_LE(since(&start), 2500);
	waitpid(pid, NULL, 0);
	close(fd);
}

static void on_signal(int sig)
{
}

TEST_F(raw, signal_ends_waiting)
{
	struct sigaction sa = { .sa_handler = on_signal };
	static char buf[65536];
	pid_t pid;
	int fd;

	fd = raw_open(CPU, 0);
	ASSERT_GE(fd, 0);
	drain(self->fd);
	sigaction(SIGUSR1, &sa, NULL);
	pid = fork();
	if (!pid) {
		nap(500);
		kill(getppid(), SIGUSR1);
		/* To end would be a record. */
		for (;;)
			pause();
	}
	/* The child's birth is there to read. */
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	EXPECT_EQ(EINTR, errno);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

/* The blocks as they lie, and nothing is taken out. */
TEST_F(raw, mmap_shows_the_blocks)
{
	long size = get_number("buffers/" BUFFER "/size");
	struct found mapped = { .pid = getpid() };
	static char copy[65536], buf[1 << 20];
	const char *err;
	long blocks = 0, pos;
	ssize_t got;
	char *map;

	ASSERT_EQ(256 * 1024, size);
	ASSERT_EQ(0, marks(self->marker, 0, 3000));
	ASSERT_EQ(0, put("maskset", "RNOTHING"));

	map = mmap(NULL, size, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	for (pos = 0; pos < size; pos += 65536) {
		struct lkst_block *b = (void *)copy;
		uint64_t closed = 1ULL << 31;

		memcpy(copy, map + pos, sizeof(copy));
		if (!b->seq)
			continue;
		blocks++;
		EXPECT_EQ(LKST_BLOCK_MAGIC, b->magic);
		EXPECT_EQ(65536, b->size);
		EXPECT_EQ(b->commit, b->reserve & ~closed);
		err = raw_walk(b, found_record, &mapped);
		EXPECT_EQ(NULL, err) TH_LOG("%s", err);
	}
	EXPECT_EQ(2, blocks);
	EXPECT_EQ(3000, mapped.next);
	EXPECT_EQ(0, mapped.wrong);

	while ((got = read(self->fd, buf, sizeof(buf))) > 0) {
		err = walk(buf, got, &self->found);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	}
	EXPECT_EQ(3000, self->found.next);
	EXPECT_EQ(mapped.records, self->found.records);
	munmap(map, size);

	/* A part of it. */
	map = mmap(NULL, 65536, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(LKST_BLOCK_MAGIC, ((struct lkst_block *)map)->magic);
	munmap(map, 65536);
}

TEST_F(raw, mmap_refuses)
{
	long size = get_number("buffers/" BUFFER "/size");
	void *map;

	/* Nobody writes. */
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_SHARED, self->fd, 0));
	map = mmap(NULL, size, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(-1, mprotect(map, size, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect(map, size, PROT_READ | PROT_EXEC));
	/* There are no more pages to add. */
	EXPECT_EQ(MAP_FAILED, mremap(map, size, size + 4096, MREMAP_MAYMOVE));
	EXPECT_EQ(EFAULT, errno);
	munmap(map, size);

	/* Nobody sees what lies behind. */
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size + 4096, PROT_READ, MAP_SHARED,
				   self->fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd,
				   size));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 8192, PROT_READ, MAP_SHARED, self->fd,
				   size - 4096));
}

static unsigned long touch(const char *map, long size)
{
	unsigned long sum = 0;
	long i;

	for (i = 0; i < size; i += 64)
		sum += ((const volatile char *)map)[i];
	return sum;
}

static sigjmp_buf fault;

static void on_fault(int sig)
{
	siglongjmp(fault, 1);
}

static int write_to(const char *dir, const char *file, const char *text)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY);
	ret = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

/*
 * CPU hotplug and cpusets are locked outside of the memory of a process, whose policies
 * they move, and LKST waits for hotplug: lockdep tells if mmap() waits for that.
 */
TEST_F(raw, mmap_while_cpusets_move)
{
	char root[] = "/tmp/lkst.XXXXXX", group[64], pid[16];
	int i;

	ASSERT_NE(NULL, mkdtemp(root));
	if (mount("none", root, "cgroup", 0, "cpuset")) {
		rmdir(root);
		SKIP(return, "no cpusets of version 1 here");
	}
	snprintf(group, sizeof(group), "%s/lkst", root);
	snprintf(pid, sizeof(pid), "%d", getpid());
	EXPECT_EQ(0, mkdir(group, 0700));
	EXPECT_EQ(0, write_to(group, "cpuset.mems", "0"));
	EXPECT_EQ(0, write_to(group, "cpuset.cpus", "0"));
	/* Else nothing is done where there is one node. */
	EXPECT_EQ(0, write_to(root, "cpuset.memory_migrate", "1"));
	EXPECT_EQ(0, write_to(group, "cpuset.memory_migrate", "1"));
	for (i = 0; i < 3; i++) {
		void *map = mmap(NULL, 65536, PROT_READ, MAP_SHARED, self->fd, 0);

		EXPECT_NE(MAP_FAILED, map);
		EXPECT_EQ(0, write_to(group, "cgroup.procs", pid));
		EXPECT_EQ(0, put("buffers/" BUFFER "/size", i & 1 ? "256K" : "512K"));
		EXPECT_EQ(0, write_to(root, "cgroup.procs", pid));
		munmap(map, 65536);
	}
	EXPECT_EQ(0, rmdir(group));
	EXPECT_EQ(0, umount(root));
	rmdir(root);
}

/*
 * The memory stays where it is mapped while the buffer shrinks or goes, or
 * these are refused.
 */
TEST_F(raw, mmap_outlives_the_buffer)
{
	long size = get_number("buffers/" BUFFER "/size");
	struct sigaction sa = { .sa_handler = on_fault };
	char *map;
	int ret, i;

	ASSERT_EQ(0, marks(self->marker, 0, 3000));
	map = mmap(NULL, size, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	touch(map, size);
	sigaction(SIGBUS, &sa, NULL);
	sigaction(SIGSEGV, &sa, NULL);

	ret = put("buffers/" BUFFER "/size", "128K");
	EXPECT_TRUE(ret == 0 || ret == -EBUSY);
	if (!sigsetjmp(fault, 1))
		touch(map, size);
	ASSERT_EQ(0, marks(self->marker, 3000, 3000));
	ASSERT_EQ(0, put("buffer", "main"));
	ret = put("buffers/delete", BUFFER);
	EXPECT_TRUE(ret == 0 || ret == -EBUSY);
	/* Others want memory now. */
	for (i = 0; i < 10; i++) {
		put("buffers/create", "lkst_other 1M");
		put("buffers/delete", "lkst_other");
	}
	if (!sigsetjmp(fault, 1))
		touch(map, size);
	munmap(map, size);
	ret = put("buffers/delete", BUFFER);
	EXPECT_TRUE(ret == 0 || ret == -ENOENT);
}

/* Two descriptors share what there is. */
TEST_F(raw, two_descriptors)
{
	static char buf[65536];
	const char *err;
	ssize_t got;
	int other, i;

	other = raw_open(CPU, O_NONBLOCK);
	ASSERT_GE(other, 0);
	ASSERT_EQ(0, marks(self->marker, 0, 1000));
	for (i = 0; i < 1000; i++) {
		got = read(i % 2 ? other : self->fd, buf, 700);
		if (got <= 0)
			break;
		err = walk(buf, got, &self->found);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
	}
	close(other);
	drain(self->fd);
	EXPECT_EQ(1000, self->found.next);
	EXPECT_EQ(0, self->found.wrong);
	EXPECT_EQ(0, self->found.gaps);
}

/* An open reader does not hold up what changes. */
TEST_F(raw, buffer_goes_under_a_reader)
{
	static char buf[65536];

	ASSERT_EQ(0, marks(self->marker, 0, 3000));
	ASSERT_GT(read(self->fd, buf, 600), 0);
	ASSERT_EQ(0, put("buffer", "main"));
	ASSERT_EQ(0, put("buffers/delete", BUFFER));
	drain(self->fd);
	ASSERT_EQ(0, mark(self->marker, 0));
	ASSERT_GT(read(self->fd, buf, sizeof(buf)), 0);
	EXPECT_STREQ("main", ((struct lkst_block *)buf)->name);
}

/* Any text comes out as it went in, in one piece or more. */
struct text {
	char text[8192];
	size_t len, total;
	uint64_t time;
	bool bad;
};

static void text_record(const struct lkst_block *b, const struct raw_rec *r,
			void *data)
{
	struct text *t = data;
	size_t offset, total, len;

	if (r->event != LKST_EV_MARKER)
		return;
	offset = (uint32_t)r->arg[0];
	total = r->arg[0] >> 32;
	len = total - offset < 112 ? total - offset : 112;
	/* Each part has the length of the whole, and all have one time. */
	if (offset != t->len || offset > total || len > 8 * (r->nargs - 1) ||
	    total > sizeof(t->text) || (offset && (total != t->total || r->time != t->time))) {
		t->bad = true;
		return;
	}
	memcpy(t->text + offset, &r->arg[1], len);
	t->len += len;
	t->total = total;
	t->time = r->time;
}

TEST_F(raw, marker_text)
{
	static const size_t lens[] = { 1, 7, 8, 9, 15, 16, 111, 112, 113, 224,
				       225, 1000, 1024 };
	static char in[1024];
	struct text t;
	const char *err;
	size_t i, j;
	ssize_t put_;

	for (j = 0; j < sizeof(in); j++)
		in[j] = 'a' + j % 26;
	drain(self->fd);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		memset(&t, 0, sizeof(t));
		put_ = write(self->marker, in, lens[i]);
		/* Like trace_marker, it may take less: but says so. */
		ASSERT_GT(put_, 0);
		err = raw_drain(CPU, 65536, NULL, text_record, &t);
		ASSERT_EQ(NULL, err) TH_LOG("%s", err);
		EXPECT_FALSE(t.bad);
		EXPECT_EQ((size_t)put_, t.len) TH_LOG("of %zu", lens[i]);
		EXPECT_EQ((size_t)put_, t.total);
		EXPECT_EQ(0, memcmp(in, t.text, put_ < (ssize_t)t.len ? put_ :
				    (ssize_t)t.len));
		if (lens[i] <= 112)
			EXPECT_EQ(lens[i], (size_t)put_);
	}

	/* What cannot be read from the caller. */
	EXPECT_EQ(-1, write(self->marker, nowhere, 10));
	EXPECT_EQ(EFAULT, errno);
}

TEST_HARNESS_MAIN
