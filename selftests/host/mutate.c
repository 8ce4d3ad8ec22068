// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damages a log: mutate SEED < LOG > DAMAGED. Bytes are changed, numbers made
 * extreme, pieces cut out, doubled or moved; the same seed does the same again.
 * mutate SEED FLIPS only flips so many bits, each in a part of the log of its own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t rnd(uint32_t below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return below ? (uint32_t)(state >> 33) % below : 0;
}

static void flip(unsigned char *log, size_t size, unsigned int flips)
{
	size_t part = size / flips, i;

	for (i = 0; i < flips; i++)
		log[i * part + rnd(part)] ^= 1 << rnd(8);
}

int main(int argc, char **argv)
{
	static const uint64_t extreme[] = {
		0, 1, 7, 8, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff,
		0x100000000ULL, 0x7fffffffffffffffULL, 0xffffffffffffffffULL,
		0xfffffffffffffff0ULL, 0x8000000000000000ULL,
	};
	static unsigned char log[1 << 23], piece[1 << 23];
	size_t size = fread(log, 1, sizeof(log) / 2, stdin), at, n, to;
	static const int widths[] = { 1, 2, 4, 8 };
	unsigned int rounds;

	state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	rnd(1);
	if (argc > 2) {
		flip(log, size, strtoul(argv[2], NULL, 0));
		return fwrite(log, 1, size, stdout) != size || fflush(stdout);
	}
	rounds = 1 + rnd(8);
	while (rounds-- && size > 16) {
		at = rnd(size);
		n = 1 + rnd(rnd(4) ? 64 : size);
		if (n > size - at)
			n = size - at;
		switch (rnd(8)) {
		case 0:
			log[at] ^= 1 << rnd(8);
			break;
		case 1:
			log[at] = rnd(256);
			break;
		case 2:
		case 3:
		case 4:
			/* Fields are aligned, those of 8 bytes to 4. */
			n = widths[rnd(4)];
			at -= at % (n < 4 ? n : 4);
			if (at + n <= size)
				memcpy(log + at, &extreme[rnd(sizeof(extreme) / 8)], n);
			break;
		case 5:
			memmove(log + at, log + at + n, size - at - n);
			size -= n;
			break;
		case 6:
			if (size + n > sizeof(log))
				break;
			memcpy(piece, log + at, n);
			to = rnd(size);
			memmove(log + to + n, log + to, size - to);
			memcpy(log + to, piece, n);
			size += n;
			break;
		default:
			size = at;
			break;
		}
	}
	return fwrite(log, 1, size, stdout) != size || fflush(stdout);
}
