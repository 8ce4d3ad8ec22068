// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verdict on what kernel/trace/lkst/tests/torture.c records.
 *
 *	lkst_torture SECONDS PACE	starts it, reads all records of all CPUs meanwhile,
 *					ends it, and prints what was found. PACE is 1, with
 *					pauses, or 2. Exits with 1 if anything is wrong, and
 *					says what
 *
 * Nobody else may read, and what is recorded to has to be new. What is wrong:
 *
 *	a record that is torn: its second argument is not that of its first
 *	a record in another CPU's buffer, or with the flags of another context
 *	a number that comes twice, or in a buffer after a larger one of its context, or
 *	with a time before that one's
 *	a number that is missing without being counted as lost
 *	records that are missing in the middle of a buffer and not counted as overwritten
 *	records that were read and not counted as read
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>

#include "lkst_raw.h"
#include "provoke.h"

#define FILE_RUN	"/sys/kernel/debug/lkst_torture"

#define EV_TORTURE	12		/* INT_TASKLETHI_ENTRY */
#define MAGIC		0x7047ULL
#define GOLDEN_RATIO_64	0x61C8864680B583EBULL

#define MAX_CPUS	64
#define MAX_BUFFERS	16
#define READ_SIZE	(1 << 20)

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

enum { TASK, SOFTIRQ, HARDIRQ, NMI, NR_CONTEXTS };

static const char * const context_names[] = { "task", "softirq", "hardirq", "nmi" };

/* Of the flags, what says in which context a record is. */
static const unsigned int context_mask =
	LKST_FLAG_HARDIRQ | LKST_FLAG_SOFTIRQ | LKST_FLAG_NMI;

/* What one context of a CPU records. */
struct stream {
	uint8_t *seen;			/* a bit for each number */
	uint64_t size;			/* of them */
	uint64_t nr_seen;
	uint64_t fired;			/* as the kernel has it */
};

/* A buffer on one CPU. */
struct place {
	char name[LKST_NAME_LEN];
	uint64_t next;			/* the number of the record to come */
	struct {
		uint64_t number, time;
	} last[NR_CONTEXTS];
};

struct cpu {
	struct stream stream[NR_CONTEXTS];
	struct place place[MAX_BUFFERS];
	int nr_places;
	int fd;
};

static struct cpu cpus[MAX_CPUS];
static unsigned int cpu_nrs[MAX_CPUS];
static int nr_cpus;

static uint64_t nr_read, nr_torture, nr_gaps, nr_wrong;

__attribute__((format(printf, 2, 3)))
static void wrong(const struct raw_rec *r, const char *fmt, ...)
{
	va_list args;

	/* The first few tell. */
	if (nr_wrong++ >= 20)
		return;
	if (r)
		printf("cpu%u record %" PRIu64 " time %" PRIu64 " flags 0x%x 0x%" PRIx64
		       " 0x%" PRIx64 ": ", r->cpu, r->index, r->time, r->flags, r->arg[0],
		       r->arg[1]);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

/* === Records === */

static struct place *find_place(struct cpu *cpu, const char *name)
{
	int i;

	for (i = 0; i < cpu->nr_places; i++)
		if (!strcmp(cpu->place[i].name, name))
			return &cpu->place[i];
	if (i == MAX_BUFFERS)
		die("more buffers than there may be");
	memcpy(cpu->place[i].name, name, LKST_NAME_LEN);
	cpu->nr_places++;
	return &cpu->place[i];
}

/* Notes that it was there; false if it was before. */
static bool mark(struct stream *s, uint64_t number)
{
	uint64_t size = s->size ? s->size : 1 << 20;
	uint8_t bit = 1 << number % 8;

	while (number >= size)
		size *= 2;
	if (size > s->size) {
		s->seen = realloc(s->seen, size / 8);
		if (!s->seen)
			die("realloc");
		memset(s->seen + s->size / 8, 0, (size - s->size) / 8);
		s->size = size;
	}
	if (s->seen[number / 8] & bit)
		return false;
	s->seen[number / 8] |= bit;
	s->nr_seen++;
	return true;
}

/*
 * On PREEMPT_RT soft interrupts are threads, and an interrupt may come in the middle of
 * a soft one: the innermost counts.
 */
static int context_of(unsigned int flags)
{
	if (flags & LKST_FLAG_NMI)
		return NMI;
	if (flags & LKST_FLAG_HARDIRQ)
		return HARDIRQ;
	return flags & LKST_FLAG_SOFTIRQ ? SOFTIRQ : TASK;
}

/* As hash_64() of the kernel makes 32 bits. */
static uint64_t hash(uint64_t number)
{
	return number * GOLDEN_RATIO_64 >> 32;
}

static void look_at(const struct lkst_block *b, const struct raw_rec *r, void *data)
{
	struct place *place = data;
	unsigned int context, cpu;
	uint64_t number;

	nr_read++;
	if (r->event != EV_TORTURE)
		return;
	nr_torture++;
	if (r->nargs != 2 || r->arg[1] != hash(r->arg[0]) || r->arg[0] >> 48 != MAGIC) {
		wrong(r, "torn");
		return;
	}
	context = r->arg[0] >> 44 & 0xf;
	cpu = r->arg[0] >> 32 & 0xfff;
	number = r->arg[0] & 0xffffffff;
	if (cpu != r->cpu || context >= NR_CONTEXTS) {
		wrong(r, "in another's place");
		return;
	}
	if (context_of(r->flags & context_mask) != (int)context)
		wrong(r, "with flags of another context");
	if (!mark(&cpus[cpu].stream[context], number))
		wrong(r, "twice");
	if (number <= place->last[context].number)
		wrong(r, "after number %" PRIu64, place->last[context].number);
	if (r->time < place->last[context].time)
		wrong(r, "before the one that it follows, at %" PRIu64,
		      place->last[context].time);
	place->last[context].number = number;
	place->last[context].time = r->time;
}

static void look_at_block(struct cpu *cpu, const struct lkst_block *b)
{
	struct place *place = find_place(cpu, b->name);
	const char *err;

	if (b->first < place->next)
		wrong(NULL, "cpu%u %s: record %llu comes again: %" PRIu64 " is next", b->cpu,
		      b->name, b->first, place->next);
	else
		nr_gaps += b->first - place->next;
	place->next = b->first + raw_count(b);
	err = raw_walk(b, look_at, place);
	if (err)
		wrong(NULL, "cpu%u %s block %llu: %s", b->cpu, b->name, b->seq, err);
}

/* What is there of one CPU, at most READ_SIZE. */
static void take(int i)
{
	static char buf[READ_SIZE] __attribute__((aligned(8)));
	struct cpu *cpu = &cpus[cpu_nrs[i]];
	ssize_t got, pos;

	got = read(cpu->fd, buf, sizeof(buf));
	if (got < 0 && errno != EAGAIN)
		die("trace_raw");
	for (pos = 0; pos < got;) {
		const struct lkst_block *b = (const void *)(buf + pos);
		const char *err = raw_check(b, got - pos);

		if (!err && b->cpu != cpu_nrs[i])
			err = "a block of another CPU";
		if (err) {
			wrong(NULL, "cpu%u: %s", cpu_nrs[i], err);
			return;
		}
		look_at_block(cpu, b);
		pos += raw_bytes(b);
	}
}

/* Returns if there was any of the torture: LKST's own records may always come. */
static bool take_all(void)
{
	uint64_t before = nr_torture;
	int i;

	for (i = 0; i < nr_cpus; i++)
		take(i);
	return nr_torture > before;
}

/* === Counts === */

static void put(const char *file, const char *text)
{
	FILE *f = fopen(file, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		die(file);
}

static void read_fired(void)
{
	FILE *f = fopen(FILE_RUN, "r");
	uint64_t n[NR_CONTEXTS];
	char line[256];
	unsigned int cpu;
	int i;

	if (!f || !fgets(line, sizeof(line), f))
		die(FILE_RUN);
	while (fscanf(f, "%u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &cpu, &n[0], &n[1],
		      &n[2], &n[3]) == 5) {
		for (i = 0; cpu < MAX_CPUS && i < NR_CONTEXTS; i++)
			cpus[cpu].stream[i].fired = n[i];
	}
	fclose(f);
}

/* What of the file status is looked at, as it was before. */
static struct count {
	const char *key;
	bool lost;
	uint64_t before;
} counts[] = {
	{ "read" }, { "overwritten" }, { "discarded", true }, { "nmi", true },
	{ "busy", true }, { "nobuf", true }, { "recursed", true },
};

/* The value of "key: value" in the file status. */
static uint64_t status(const char *key)
{
	FILE *f = fopen(LKST_DIR "/status", "r");
	size_t len = strlen(key);
	uint64_t value = 0;
	char line[256];
	bool found = false;

	if (!f)
		die("status");
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, key, len) && line[len] == ':') {
			value = strtoull(line + len + 1, NULL, 10);
			found = true;
		}
	}
	fclose(f);
	if (!found)
		wrong(NULL, "status says nothing of %s", key);
	return value;
}

static void judge(void)
{
	uint64_t fired[NR_CONTEXTS] = { 0 }, seen[NR_CONTEXTS] = { 0 }, missing = 0;
	uint64_t value[ARRAY_SIZE(counts)], lost = 0;
	uint64_t read_, overwritten;
	int i, c;

	for (i = 0; i < (int)ARRAY_SIZE(counts); i++) {
		value[i] = status(counts[i].key) - counts[i].before;
		lost += counts[i].lost ? value[i] : 0;
	}
	read_ = value[0];
	overwritten = value[1];
	read_fired();
	for (i = 0; i < nr_cpus; i++) {
		for (c = 0; c < NR_CONTEXTS; c++) {
			struct stream *s = &cpus[cpu_nrs[i]].stream[c];

			if (s->nr_seen > s->fired)
				wrong(NULL, "cpu%u %s: %" PRIu64 " were recorded of %" PRIu64,
				      cpu_nrs[i], context_names[c], s->nr_seen, s->fired);
			else
				missing += s->fired - s->nr_seen;
			fired[c] += s->fired;
			seen[c] += s->nr_seen;
		}
	}
	if (nr_read != read_)
		wrong(NULL, "%" PRIu64 " were read, and status says %" PRIu64, nr_read, read_);
	if (nr_gaps != overwritten)
		wrong(NULL, "%" PRIu64 " are missing between those that were read, and status "
		      "says %" PRIu64, nr_gaps, overwritten);
	/* LKST's own records may be among the lost and the overwritten. */
	if (missing > lost + overwritten)
		wrong(NULL, "%" PRIu64 " numbers are missing, and %" PRIu64 " were counted",
		      missing, lost + overwritten);
	printf("context recorded read\n");
	for (c = 0; c < NR_CONTEXTS; c++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", context_names[c], fired[c], seen[c]);
	for (i = 0; i < (int)ARRAY_SIZE(counts); i++)
		printf("%s%s %" PRIu64 "\n", counts[i].lost ? "lost_" : "", counts[i].key,
		       value[i]);
	printf("missing %" PRIu64 "\nwrong %" PRIu64 "\n", missing, nr_wrong);
}

int main(int argc, char **argv)
{
	struct timespec t;
	time_t end;
	int i;

	if (argc != 3) {
		fprintf(stderr, "usage: lkst_torture SECONDS PACE\n");
		return 2;
	}
	nr_cpus = raw_cpus(cpu_nrs, MAX_CPUS);
	for (i = 0; i < nr_cpus; i++) {
		cpus[cpu_nrs[i]].fd = raw_open(cpu_nrs[i], O_NONBLOCK);
		if (cpus[cpu_nrs[i]].fd < 0)
			die("trace_raw");
	}
	for (i = 0; i < (int)ARRAY_SIZE(counts); i++)
		counts[i].before = status(counts[i].key);
	put(FILE_RUN, argv[2]);
	clock_gettime(CLOCK_MONOTONIC, &t);
	end = t.tv_sec + number(argv[1]);
	while (t.tv_sec < end) {
		if (!take_all())
			poll(NULL, 0, 10);
		clock_gettime(CLOCK_MONOTONIC, &t);
	}
	put(FILE_RUN, "0");
	while (take_all())
		;
	judge();
	return nr_wrong > 0;
}
