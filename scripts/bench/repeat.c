// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a long log of a short one of this machine's byte order: repeat RECORDS < LOG > LONG.
 * What was recorded comes again and again, each time later, until there are so many records:
 * with all of its threads, which find themselves elsewhere where it begins anew.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD		24
#define SECTION_HEAD	16
#define SECTION_CLOCKS	3
#define SECTION_BLOCK	5
#define NAMES		0xffffffff
#define TIME_MASK	0xffffffffffffULL
#define MAX_STREAMS	1024

/* Of a block. */
enum {
	HEAD_SIZE = 10, CPU = 12, SEQ = 32, FIRST = 40, LOST = 48, TIME = 56, MONO = 64,
	COMMIT = 72, NAME = 88, NAME_END = 120,
};

/* A moment: clock, kHz, and the time of each clock. */
enum { KHZ = 4, CLOCK_TIME = 8, CLOCK_MONO = 16, CLOCK_REAL = 24, CLOCK_BOOT = 32, MOMENT = 40 };

/* The blocks of a CPU and a buffer. */
static struct stream {
	const unsigned char *head;
	uint64_t blocks, records, lost;
} stream[MAX_STREAMS];

static unsigned char *log_data;
static size_t size, nr_streams;
static uint64_t first = ~0ULL, last, khz;

static uint16_t get16(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void add64(unsigned char *p, uint64_t n)
{
	uint64_t v = get64(p) + n;

	memcpy(p, &v, sizeof(v));
}

static void read_log(void)
{
	size_t room = 0, n;

	do {
		if (size == room) {
			room = room ? 2 * room : 1 << 24;
			log_data = realloc(log_data, room);
			if (!log_data)
				exit(1);
		}
		n = fread(log_data + size, 1, room - size, stdin);
		size += n;
	} while (n);
}

static size_t section_end(size_t at)
{
	return (at + SECTION_HEAD + get64(log_data + at + 8) + 7) & ~7ULL;
}

static uint32_t block_end(const unsigned char *block)
{
	return get64(block + COMMIT) & 0xffffffff;
}

static uint32_t record_size(uint64_t stamp)
{
	unsigned int shape = stamp & 0x3f, nargs = 0;

	if (shape & 0x20)
		return 12 + 8 * (shape ^ 0x20);
	while (shape >> (nargs + 1))
		nargs++;
	return 12 + 4 * (nargs + __builtin_popcount(shape) - 1);
}

static struct stream *find_stream(const unsigned char *block)
{
	struct stream *s;

	for (s = stream; s < stream + nr_streams; s++) {
		if (get32(s->head + CPU) == get32(block + CPU) &&
		    !memcmp(s->head + NAME, block + NAME, NAME_END - NAME))
			return s;
	}
	if (nr_streams == MAX_STREAMS)
		exit(1);
	nr_streams++;
	s->head = block;
	return s;
}

/* Moves a block by so many ticks and nanoseconds, once more than times before. */
static void move_block(unsigned char *block, uint64_t times, uint64_t ticks, uint64_t ns)
{
	const struct stream *s = find_stream(block);
	uint32_t at, end = block_end(block);
	uint64_t stamp;

	add64(block + SEQ, times * s->blocks);
	add64(block + FIRST, times * s->records);
	add64(block + LOST, times * s->lost);
	add64(block + TIME, times * ticks);
	add64(block + MONO, times * ns);
	for (at = get16(block + HEAD_SIZE); at + 12 <= end; at += record_size(stamp)) {
		stamp = get64(block + at);
		stamp = (((stamp >> 16) + times * ticks) & TIME_MASK) << 16 | (stamp & 0xffff);
		memcpy(block + at, &stamp, sizeof(stamp));
	}
}

static void scan_block(const unsigned char *block)
{
	struct stream *s = find_stream(block);
	uint32_t at, end = block_end(block);
	uint64_t time = get64(block + TIME), stamp;

	s->blocks++;
	s->records += get64(block + COMMIT) >> 32;
	s->lost = get64(block + LOST) - get64(s->head + LOST);
	if (get32(block + CPU) == NAMES)
		return;
	for (at = get16(block + HEAD_SIZE); at + 12 <= end; at += record_size(stamp)) {
		stamp = get64(block + at);
		time += (int64_t)(((stamp >> 16) - time) << 16) >> 16;
		first = time < first ? time : first;
		last = time > last ? time : last;
	}
}

static uint64_t scan(void)
{
	uint64_t records = 0;
	size_t at;

	for (at = HEAD; at + SECTION_HEAD <= size; at = section_end(at)) {
		if (get32(log_data + at) == SECTION_CLOCKS && !khz)
			khz = get32(log_data + at + SECTION_HEAD + KHZ);
		if (get32(log_data + at) == SECTION_BLOCK) {
			scan_block(log_data + at + SECTION_HEAD);
			records += get64(log_data + at + SECTION_HEAD + COMMIT) >> 32;
		}
	}
	return records;
}

static void write_blocks(uint64_t times, uint64_t ticks, uint64_t ns)
{
	unsigned char *copy = malloc(size);
	size_t at, n;

	if (!copy)
		exit(1);
	for (at = HEAD; at + SECTION_HEAD <= size; at += n) {
		n = section_end(at) - at;
		if (get32(log_data + at) != SECTION_BLOCK ||
		    (times && get32(log_data + at + SECTION_HEAD + CPU) == NAMES))
			continue;
		memcpy(copy, log_data + at, n);
		move_block(copy + SECTION_HEAD, times, ticks, ns);
		fwrite(copy, 1, n, stdout);
	}
	free(copy);
}

/* What stood before the first block, or what stood behind it, which is later now. */
static void write_rest(int behind, uint64_t ticks, uint64_t ns)
{
	unsigned char *moment;
	int passed = 0;
	size_t at, n;

	for (at = HEAD; at + SECTION_HEAD <= size; at += n) {
		n = section_end(at) - at;
		if (get32(log_data + at) == SECTION_BLOCK) {
			passed = 1;
			continue;
		}
		if (passed != behind)
			continue;
		moment = log_data + at + SECTION_HEAD;
		for (; get32(log_data + at) == SECTION_CLOCKS &&
		     moment + MOMENT <= log_data + at + n; moment += MOMENT) {
			add64(moment + CLOCK_TIME, ticks);
			add64(moment + CLOCK_MONO, ns);
			add64(moment + CLOCK_REAL, ns);
			add64(moment + CLOCK_BOOT, ns);
		}
		fwrite(log_data + at, 1, n, stdout);
	}
}

int main(int argc, char **argv)
{
	uint64_t wanted, records, ticks, ns, times, i;

	if (argc != 2)
		return 1;
	wanted = strtoull(argv[1], NULL, 0);
	read_log();
	records = size >= HEAD && !memcmp(log_data, "LKSTLOG\n", 8) ? scan() : 0;
	if (!records || !khz) {
		fprintf(stderr, "repeat: this is no log of LKST that can be repeated\n");
		return 1;
	}
	times = (wanted + records - 1) / records;
	/* A millisecond between one and the next. */
	ticks = last - first + khz;
	ns = (__uint128_t)ticks * 1000000 / khz;
	fwrite(log_data, 1, HEAD, stdout);
	write_rest(0, 0, 0);
	for (i = 0; i < times; i++)
		write_blocks(i, ticks, ns);
	write_rest(1, (times - 1) * ticks, (times - 1) * ns);
	return fflush(stdout) || ferror(stdout);
}
