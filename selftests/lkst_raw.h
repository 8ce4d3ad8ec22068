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

#define RAW_MAX_ARGS	LKST_MAX_WORDS
#define RAW_FIRST_OWN	LKST_EV_INIT

struct raw_rec {
	unsigned int cpu;
	unsigned int event;
	unsigned int shape;
	unsigned int nargs;
	unsigned int flags;
	uint32_t pid;
	uint64_t index;			/* number on its CPU and buffer */
	uint64_t time;			/* full 64 bits */
	uint64_t arg[RAW_MAX_ARGS];	/* those of 4 bytes without a sign: see raw_arg() */
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
	if (b->header_size < sizeof(*b) || b->header_size % 4)
		return "bad header_size";
	if (b->commit != b->reserve)
		return "commit differs from reserve";
	if (b->commit & (1ULL << (b->count_shift - 1)))
		return "the closed bit is set";
	if (raw_bytes(b) < b->header_size || raw_bytes(b) > b->size)
		return "more bytes than the block has";
	if (raw_bytes(b) > avail)
		return "the image is cut off";
	if (raw_bytes(b) % 4)
		return "the image is no multiple of 4 bytes";
	if (!b->seq)
		return "an unused block (seq 0)";
	if (!memchr(b->name, 0, sizeof(b->name)))
		return "a name without an end";
	return NULL;
}

/* === Records === */

/* How many arguments a record of this shape has; -1 if there is no such shape. */
static inline int raw_nargs(unsigned int shape)
{
	int n = LKST_MAX_ARGS;

	if (shape & LKST_SHAPE_WORDS)
		return shape & ~LKST_SHAPE_WORDS;
	while (n >= 0 && !(shape & 1U << n))
		n--;
	return n;
}

/* The bytes of one of them. */
static inline size_t raw_width(unsigned int shape, unsigned int arg)
{
	return shape & (LKST_SHAPE_WORDS | 1U << arg) ? 8 : 4;
}

/* The bytes of the record. */
static inline size_t raw_length(unsigned int shape)
{
	size_t len = sizeof(struct lkst_record);
	int i;

	for (i = 0; i < raw_nargs(shape); i++)
		len += raw_width(shape, i);
	return len;
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
		const char *arg = p + sizeof(*r);
		uint64_t stamp;
		int64_t diff;
		unsigned int i;

		if (end - p < (long)sizeof(*r))
			return "a record's head is cut off";
		memcpy(&stamp, r->stamp, sizeof(stamp));
		rec.event = (stamp >> LKST_STAMP_EVENT_SHIFT) & LKST_STAMP_EVENT_MASK;
		rec.shape = stamp & LKST_STAMP_SHAPE_MASK;
		if (!stamp)
			return "an empty record";
		if (raw_nargs(rec.shape) < 0)
			return "a record without a shape";
		if (!(rec.shape & LKST_SHAPE_WORDS) == (rec.event >= RAW_FIRST_OWN))
			return "a record with a shape that is not for its event";
		if ((size_t)(end - p) < raw_length(rec.shape))
			return "a record's arguments are cut off";

		/* The 48-bit time, extended as a signed difference. */
		diff = (int64_t)(((stamp >> LKST_STAMP_TIME_SHIFT) - time) <<
				 (64 - LKST_TIME_BITS)) >> (64 - LKST_TIME_BITS);
		time += diff;

		rec.nargs = raw_nargs(rec.shape);
		rec.flags = r->who >> LKST_WHO_FLAGS_SHIFT;
		rec.pid = r->who & LKST_WHO_PID_MASK;
		rec.time = time;
		rec.index = b->first + n++;
		for (i = 0; i < rec.nargs; i++) {
			uint32_t narrow;

			if (raw_width(rec.shape, i) == 8) {
				memcpy(&rec.arg[i], arg, 8);
			} else {
				memcpy(&narrow, arg, 4);
				rec.arg[i] = narrow;
			}
			arg += raw_width(rec.shape, i);
		}
		fn(b, &rec, data);
		p += raw_length(rec.shape);
	}
	if (n != raw_count(b))
		return "not as many records as the head says";
	return NULL;
}

/* === Types === */

/* What the file etypes says of the arguments of the hooks' events. */
struct raw_type {
	char name[16];
	char type[8];
};

struct raw_event {
	char name[32];
	unsigned int nargs;
	struct raw_type arg[LKST_MAX_ARGS];
};

static struct raw_event raw_events[LKST_STAMP_EVENT_MASK + 1];

/* The next field of a line; the fields are behind tabs. */
static inline bool raw_field(const char **line, char *to, size_t size)
{
	size_t len;

	if (**line != '\t')
		return false;
	len = strcspn(++*line, "\t\n");
	snprintf(to, size, "%.*s", (int)len, *line);
	*line += len;
	return true;
}

/*
 * Reads the text of etypes, whose lines are ID NAME MNEMONIC CATEGORY MEANING and, for
 * each argument, NAME TYPE DESCRIPTION.
 */
static inline void raw_parse_types(const char *text)
{
	char skipped[8];
	const char *p;

	for (; *text; text = *p ? p + 1 : p) {
		unsigned long id = strtoul(text, NULL, 10);
		struct raw_event *e;
		struct raw_type a;

		p = text + strcspn(text, "\t\n");
		if (id <= LKST_STAMP_EVENT_MASK) {
			e = &raw_events[id];
			e->nargs = 0;
			raw_field(&p, e->name, sizeof(e->name));
			raw_field(&p, skipped, sizeof(skipped));
			raw_field(&p, skipped, sizeof(skipped));
			raw_field(&p, skipped, sizeof(skipped));
			while (raw_field(&p, a.name, sizeof(a.name)) &&
			       raw_field(&p, a.type, sizeof(a.type)) &&
			       raw_field(&p, skipped, sizeof(skipped)) &&
			       e->nargs < LKST_MAX_ARGS)
				e->arg[e->nargs++] = a;
		}
		p += strcspn(p, "\n");
	}
}

/* Reads a file like it; returns false if it cannot. */
static inline bool raw_load_types(const char *path)
{
	static const size_t size = 1 << 18;
	FILE *f = fopen(path, "r");
	char *text = malloc(size);
	size_t len;

	if (!f || !text)
		return false;
	len = fread(text, 1, size - 1, f);
	text[len] = 0;
	fclose(f);
	raw_parse_types(text);
	free(text);
	return len > 0;
}

static inline bool raw_one_of(const char *type, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(type, *list))
			return true;
	return false;
}

/* The bytes that an argument of a type must take, on a kernel of 64 bits. */
static inline size_t raw_type_width(const char *type)
{
	static const char *const narrow[] = {
		"s32", "u32", "x32", "state", "sig", "ret", "softirq", "dev", NULL
	};

#ifdef __x86_64__
	if (!strcmp(type, "func"))
		return 4;
#endif
	return raw_one_of(type, narrow) ? 4 : 8;
}

/* Does a value need 8 bytes, of a type that takes 4 or 8? In 4, nothing is lost of it. */
static inline bool raw_needs_wide(const char *type, uint64_t value)
{
	if (!strcmp(type, "nr"))
		return (int64_t)value != (int32_t)value;
	return !strcmp(type, "pfn") && value > UINT32_MAX;
}

/* Extends an argument to 64 bits, as its type is. Needs the types. */
static inline uint64_t raw_arg(const struct raw_rec *r, unsigned int i)
{
	static const char *const with_sign[] = { "s32", "nr", "ret", "func", NULL };
	const struct raw_event *e = &raw_events[r->event];

	if (raw_width(r->shape, i) == 4 && i < e->nargs &&
	    raw_one_of(e->arg[i].type, with_sign))
		return (int32_t)r->arg[i];
	return r->arg[i];
}

/* === Files === */

static inline int raw_open(unsigned int cpu, int flags)
{
	char path[80];

	if (cpu == LKST_CPU_NAMES)
		snprintf(path, sizeof(path), LKST_DIR "/names_raw");
	else
		snprintf(path, sizeof(path), LKST_DIR "/per_cpu/cpu%u/trace_raw", cpu);
	return open(path, O_RDONLY | O_CLOEXEC | flags);
}

/*
 * Reads all there is on one CPU, or of names, without waiting, and calls fn for each record.
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
