// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes blocks at random out of a log of this machine's byte order, as a reader leaves them
 * out that could not keep up: cutlog SEED LOG. A CPU keeps its last block, behind which
 * nothing tells that there was another one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_BLOCK	5
#define CPU_AT		12
#define NR_CPUS		64

static unsigned char *data;
static size_t size;

static uint64_t number(size_t at, int bytes)
{
	uint64_t value = 0;

	memcpy(&value, data + at, bytes);
	return value;
}

static size_t section_end(size_t at)
{
	return (at + 16 + number(at + 8, 8) + 7) & ~7ULL;
}

static void read_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	long end;

	if (!f || fseek(f, 0, SEEK_END) || (end = ftell(f)) < 24)
		exit(1);
	size = end;
	data = malloc(size + 16);
	rewind(f);
	if (!data || fread(data, 1, size, f) != size)
		exit(1);
	fclose(f);
}

int main(int argc, char **argv)
{
	size_t at, last[NR_CPUS] = {};
	uint64_t state, cut;
	uint32_t cpu;

	if (argc != 3)
		return 1;
	state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15ULL + 1;
	read_file(argv[2]);
	for (at = 24; at + 16 <= size; at = section_end(at)) {
		cpu = number(at + 16 + CPU_AT, 4);
		if (number(at, 4) == SECTION_BLOCK && cpu < NR_CPUS)
			last[cpu] = at;
	}
	/* One in 2 to 33. */
	cut = 2 + (state >> 40) % 32;
	fwrite(data, 1, 24, stdout);
	for (at = 24; at + 16 <= size; at = section_end(at)) {
		cpu = number(at + 16 + CPU_AT, 4);
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		if (number(at, 4) == SECTION_BLOCK && cpu < NR_CPUS && last[cpu] != at &&
		    (state >> 33) % cut == 0)
			continue;
		fwrite(data + at, 1, section_end(at) - at, stdout);
	}
	return fflush(stdout) != 0;
}
