/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks what per_cpu/cpuN/trace_raw gives, trusting nothing.
 *
 * Written from include/uapi/linux/lkst.h alone, so that it is an opinion of its
 * own beside the one of tools/tracing/lkst.
 */
#ifndef LKST_RAW_H
#define LKST_RAW_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/lkst.h>

#define LKST_DIR	"/sys/kernel/debug/lkst"

/* Ids of the events that the C tests look at; see include/linux/lkst_events.h. */
enum {
	EV_CONTEXTSWITCH	= 1,
	EV_WAKEUP		= 2,
	EV_FORK			= 5,
	EV_EXEC			= 6,
	EV_SYSCALL_ENTRY	= 8,
	EV_SYSCALL_EXIT		= 9,
	EV_IRQ_ENTRY		= 10,
	EV_IRQ_EXIT		= 11,
	EV_BH_ENTRY		= 16,
	EV_BH_EXIT		= 17,
};

#define RAW_MAX_ARGS	LKST_MAX_ARGS

struct raw_rec {
	unsigned int cpu;
	unsigned int event;
	unsigned int nargs;
	unsigned int flags;
	uint32_t pid;
	uint64_t index;			/* number on its CPU and buffer */
	uint64_t time;			/* full 64 bits */
	uint64_t arg[RAW_MAX_ARGS];
};

typedef void (*raw_fn)(const struct lkst_block *b, const struct raw_rec *rec,
		       void *data);

/* Bytes of the image of a block: its head and its records. */
static inline size_t raw_bytes(const struct lkst_block *b)
{
	return b->commit & ((1ULL << (b->count_shift - 1)) - 1);
}

static inline uint64_t raw_count(const struct lkst_block *b)
{
	return b->commit >> b->count_shift;
}

/* Says in words what is wrong with the head of an image, or returns NULL. */
static inline const char *raw_check(const struct lkst_block *b, size_t avail)
{
	if (avail < sizeof(*b))
		return "less than a block's head is left";
	if (b->magic != LKST_BLOCK_MAGIC)
		return "no magic where a block should start";
	if (b->version != LKST_ABI_VERSION)
		return "another version";
	if (b->count_shift != 32)
		return "count_shift is not 32";
	if (b->header_size < sizeof(*b) || b->header_size % 8)
		return "bad header_size";
	if (b->commit != b->reserve)
		return "commit differs from reserve";
	if (b->commit & (1ULL << (b->count_shift - 1)))
		return "the closed bit is set";
	if (raw_bytes(b) < b->header_size || raw_bytes(b) > b->size)
		return "more bytes than the block has";
	if (raw_bytes(b) > avail)
		return "the image is cut off";
	if (raw_bytes(b) % 8)
		return "the image is no multiple of 8 bytes";
	if (!b->seq)
		return "an unused block (seq 0)";
	if (!memchr(b->name, 0, sizeof(b->name)))
		return "a name without an end";
	return NULL;
}

/*
 * Calls fn for each record of one image. Returns what is wrong, or NULL.
 */
static inline const char *raw_walk(const struct lkst_block *b, raw_fn fn,
				   void *data)
{
	const char *p = (const char *)b + b->header_size;
	const char *end = (const char *)b + raw_bytes(b);
	uint64_t time = b->time;
	uint64_t n = 0;

	while (p < end) {
		const struct lkst_record *r = (const void *)p;
		struct raw_rec rec = { .cpu = b->cpu };
		size_t len;
		int64_t diff;

		if (end - p < (long)sizeof(*r))
			return "a record's head is cut off";
		rec.nargs = r->stamp & LKST_STAMP_NARGS_MASK;
		len = sizeof(*r) + 8 * rec.nargs;
		if ((size_t)(end - p) < len)
			return "a record's arguments are cut off";
		if (!r->stamp)
			return "an empty record";
		if (r->spare)
			return "a record whose spare is not 0";

		/* The 48-bit time, extended as a signed difference. */
		diff = (int64_t)(((r->stamp >> LKST_STAMP_TIME_SHIFT) - time) <<
				 (64 - LKST_TIME_BITS)) >> (64 - LKST_TIME_BITS);
		time += diff;

		rec.event = (r->stamp >> LKST_STAMP_EVENT_SHIFT) &
			    LKST_STAMP_EVENT_MASK;
		rec.flags = r->flags;
		rec.pid = r->pid;
		rec.time = time;
		rec.index = b->first + n++;
		memcpy(rec.arg, r->arg, 8 * rec.nargs);
		fn(b, &rec, data);
		p += len;
	}
	if (n != raw_count(b))
		return "not as many records as the head says";
	return NULL;
}

static inline int raw_open(unsigned int cpu, int flags)
{
	char path[80];

	snprintf(path, sizeof(path), LKST_DIR "/per_cpu/cpu%u/trace_raw", cpu);
	return open(path, O_RDONLY | O_CLOEXEC | flags);
}

/*
 * Reads all there is on one CPU without waiting, and calls fn for each record.
 * Returns what is wrong, or NULL. before, if not NULL, is called for each image
 * ahead of its records.
 *
 * While system calls are recorded there is always something new: each read()
 * itself. A read that brings hardly more than that has caught up. So has one of
 * blocks that were all begun after we did: with more recorded than system calls,
 * what is done with a block may fill another.
 */
#define RAW_CAUGHT_UP	1024

static inline const char *raw_drain(unsigned int cpu, size_t bufsize,
				    void (*before)(const struct lkst_block *b,
						   void *data),
				    raw_fn fn, void *data)
{
	const char *err = NULL;
	struct timespec start;
	int small = 0;
	char *buf;
	int fd;

	fd = raw_open(cpu, O_NONBLOCK);
	if (fd < 0)
		return strerror(errno);
	clock_gettime(CLOCK_MONOTONIC, &start);
	buf = aligned_alloc(4096, bufsize);
	if (!buf) {
		close(fd);
		return "out of memory";
	}

	for (;;) {
		ssize_t got = read(fd, buf, bufsize);
		bool older = false;
		size_t pos = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != EAGAIN)
			err = strerror(errno);
		if (got <= 0)
			break;
		while (pos < (size_t)got && !err) {
			const struct lkst_block *b = (const void *)(buf + pos);

			err = raw_check(b, got - pos);
			if (!err && b->cpu != cpu)
				err = "a block of another CPU";
			if (err)
				break;
			if (before)
				before(b, data);
			err = raw_walk(b, fn, data);
			pos += raw_bytes(b);
			older |= b->mono < start.tv_sec * 1000000000ULL + start.tv_nsec;
		}
		if (err || !older || (got < RAW_CAUGHT_UP && ++small > 2))
			break;
	}
	free(buf);
	close(fd);
	return err;
}

/* Fills in the CPUs that have a folder; returns how many. */
static inline int raw_cpus(unsigned int *cpus, int max)
{
	unsigned int cpu;
	int n = 0;

	for (cpu = 0; cpu < 4096 && n < max; cpu++) {
		char path[80];

		snprintf(path, sizeof(path), LKST_DIR "/per_cpu/cpu%u", cpu);
		if (!access(path, F_OK))
			cpus[n++] = cpu;
		else if (cpu > 256)
			break;
	}
	return n;
}

#endif /* LKST_RAW_H */
