// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes the events of block devices: one I/O after the other, of a size and at a
 * place that can be recognised.
 *
 * provoke_block VERB [ARG...]; the verbs are listed in main().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provoke.h"

static int open_device(const char *path)
{
	int fd = open(path, O_RDWR | O_DIRECT);

	if (fd < 0)
		die(path);
	return fd;
}

static void *buffer(size_t len)
{
	void *buf;

	if (posix_memalign(&buf, 4096, len + 4096))
		die("memory");
	memset(buf, 0x5a, len);
	return buf;
}

/* 0 or more, or a negative errno. */
static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

static long one(int fd, const char *op, uint64_t sector, size_t len)
{
	uint64_t range[2] = { sector * 512, len };

	if (!strcmp(op, "read"))
		return result(pread(fd, buffer(len), len, sector * 512));
	if (!strcmp(op, "write"))
		return result(pwrite(fd, buffer(len), len, sector * 512));
	if (!strcmp(op, "sync"))
		return result(fsync(fd));
	if (!strcmp(op, "discard"))
		return result(ioctl(fd, BLKDISCARD, range));
	fprintf(stderr, "provoke_block: no operation %s\n", op);
	exit(2);
}

/* io DEV OP SECTOR BYTES: does it, prints its PID and what came of it. */
static int verb_io(char **arg)
{
	int fd = open_device(arg[0]);
	long ret = one(fd, arg[1], atol(arg[2]), atol(arg[3]));

	printf("%d %ld\n", getpid(), ret);
	return 0;
}

/*
 * writes DEV N SECTOR BYTES: N processes write at once, as much apart as is written,
 * so that nothing is merged. None starts before all are there, however long fork() takes.
 */
static int verb_writes(char **arg)
{
	int fd = open_device(arg[0]), n = atoi(arg[1]), status, bad = 0, start[2], i;
	size_t len = atol(arg[3]);
	char c;

	if (pipe(start))
		die("pipe");
	for (i = 0; i < n; i++) {
		if (fork())
			continue;
		close(start[1]);
		if (read(start[0], &c, 1))
			_exit(1);
		_exit(one(fd, "write", atol(arg[2]) + i * (len / 256), len) != (long)len);
	}
	close(start[1]);
	while (wait(&status) > 0)
		bad |= status;
	return !!bad;
}

/* part DEV NR SECTOR SECTORS: makes a partition; no sectors: takes it away. */
static int verb_part(char **arg)
{
	struct blkpg_partition part = {
		.pno = atoi(arg[1]),
		.start = atoll(arg[2]) * 512,
		.length = atoll(arg[3]) * 512,
	};
	struct blkpg_ioctl_arg cmd = {
		.op = part.length ? BLKPG_ADD_PARTITION : BLKPG_DEL_PARTITION,
		.datalen = sizeof(part),
		.data = &part,
	};
	int fd = open(arg[0], O_RDWR);

	if (fd < 0)
		die(arg[0]);
	if (ioctl(fd, BLKPG, &cmd))
		die("BLKPG");
	return 0;
}

static const struct {
	const char *name;
	int nargs;
	int (*fn)(char **arg);
} verbs[] = {
	{ "io", 4, verb_io },
	{ "part", 4, verb_part },
	{ "writes", 4, verb_writes },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc == verbs[i].nargs + 2)
			return verbs[i].fn(argv + 2);
	fprintf(stderr, "usage: provoke_block VERB [ARG...]; see its source\n");
	return 2;
}
