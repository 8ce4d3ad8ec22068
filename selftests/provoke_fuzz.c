// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes to the control files what makes sense, what nearly does, and what does not.
 *
 *	provoke_fuzz DIR SEED N
 *
 * DIR is LKST's folder in debugfs. What is written follows from SEED. Fails if a write
 * is refused with an errno that no control file has, or without a line in error_log.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t state;
static char last[8192];
static size_t last_len;

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators" */
static uint32_t rnd(uint32_t n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 32) % n;
}

/* === What there is to write === */

static const char * const words[] = {
	"m0", "m1", "m2", "b0", "b1", "b2", "h0", "h1", "h2", "main", "none", "default",
	"nothing", "RNOTHING", "RALL", "RDEFAULT", "0", "1", "2", "3", "255", "256", "-1",
	"SYSCALL_ENTRY", "PROCESS_CONTEXTSWITCH", "LK_SPINLOCK", "LKST_MARKER", "MEM_*",
	"*", ":irq", ":net", ":none", "[a-", "filter", "trigger", "count", "latency",
	"sample", "stack", "regs", "perbuffer", "watchdog", "8192", "64K", "128K", "1M",
	"4095", "1G", "9999999999G", "0x2000", "discard", "overwrite", "next=b1",
	"next=none", "id=7", "id=2", "tsc", "local", "mono", "boot", "x", "../a", "a b",
};

static const char * const lines[] = {
	"pid=1,2 children=1", "pid=1", "tgid=1 arg2>=4096", "comm=sh*,provoke* cpu=0-1",
	"flags=hardirq,irqs-off", "arg1&7 arg2!=-1", "cpu=0\npid=3 children=1\narg4<5",
	"when=SYSCALL_ENTRY if=arg1>3 count=10 within=5ms do=maskset:m1 do=buffer:b1",
	"count=5 rearm=1ms do=notify after=1ms do=buffer:main", "do=stop", "do=notify rearm=0",
	"do=maskset:RALL after=2ms do=maskset:m0 after=1ms do=maskset:m2",
	"begin=SYSCALL_ENTRY end=SYSCALL_EXIT key=task over=1ms", "begin=2 end=1 key=arg1/arg2",
	"by=comm,arg1 top=3", "by=event,pid,cpu", "every=10", "rate=100 every=2",
	"depth=16 user=1", "pid=1:b1 pid=2:b2 default=main", "timeout=2ms do=notify",
	"timeout=1s if=comm=sh do=stop", "if=\"pid=1 arg1=2\" do=notify",
};

static size_t put(char *to, const char *text)
{
	size_t len = strlen(text);

	memcpy(to, text, len);
	return len;
}

static size_t sentence(char *to)
{
	size_t len = 0;
	unsigned int i, n = 1 + rnd(3);

	if (!rnd(2))
		return put(to, lines[rnd(ARRAY_SIZE(lines))]);
	for (i = 0; i < n; i++) {
		if (i)
			to[len++] = " \t\n="[rnd(8) < 5 ? 0 : rnd(4)];
		len += put(to + len, words[rnd(ARRAY_SIZE(words))]);
	}
	return len;
}

static size_t mutate(char *text, size_t len)
{
	size_t at = rnd(len + 1), n;

	switch (rnd(6)) {
	case 0:
		if (at < len)
			text[at] ^= 1 << rnd(8);
		return len;
	case 1:
		memmove(text + at + 1, text + at, len - at);
		text[at] = rnd(256);
		return len + 1;
	case 2:
		return at;
	case 3:
		n = len - at;
		memcpy(text + len, text + at, n);
		return len + n;
	case 4:
		n = last_len > 200 ? 200 : last_len;
		memcpy(text + len, last, n);
		return len + n;
	default:
		if (rnd(64))
			return len;
		n = 1 + rnd(5000);
		memset(text + len, 'a' + rnd(26), n);
		return len + n;
	}
}

/* === Where to === */

static char *files[1024];
static size_t nr_files;

static void find(const char *dir)
{
	struct dirent *entry;
	DIR *d = opendir(dir);
	struct stat st;
	char *path;

	while (d && (entry = readdir(d))) {
		if (entry->d_name[0] == '.' || asprintf(&path, "%s/%s", dir, entry->d_name) < 0)
			continue;
		if (!lstat(path, &st) && S_ISDIR(st.st_mode))
			find(path);
		else if ((st.st_mode & 0200) && nr_files < ARRAY_SIZE(files))
			files[nr_files++] = strdup(path);
		free(path);
	}
	if (d)
		closedir(d);
}

static void forget(void)
{
	while (nr_files)
		free(files[--nr_files]);
}

/* As control files are documented to fail; ENODEV: no cycle counter. */
static bool known(int error)
{
	switch (error) {
	case EINVAL: case ENOENT: case EEXIST: case EPERM: case EBUSY: case ENOMEM:
	case E2BIG: case ENODEV: case ENOSPC:
		return true;
	default:
		return false;
	}
}

/* Is there a line of this file in error_log? Files that are gone say nothing. */
static bool told(const char *dir, const char *file)
{
	static char log[65536];
	char path[512], *line;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/error_log", dir);
	fd = open(path, O_RDONLY);
	len = fd < 0 ? -1 : read(fd, log, sizeof(log) - 1);
	close(fd);
	if (len <= 0)
		return false;
	log[len] = 0;
	line = strstr(log, file + strlen(dir) + 1);
	return line;
}

int main(int argc, char **argv)
{
	static char text[65536];
	unsigned long i, n, taken = 0, refused = 0;
	const char *dir, *file;
	size_t len;
	ssize_t ret;
	int fd, error;

	if (argc != 4) {
		fprintf(stderr, "usage: provoke_fuzz DIR SEED N\n");
		return 2;
	}
	dir = argv[1];
	state = strtoull(argv[2], NULL, 0) * 2 + 1;
	n = strtoul(argv[3], NULL, 0);
	for (i = 0; i < n; i++) {
		/* Files come and go by what is written. */
		if (!(i % 100)) {
			forget();
			find(dir);
		}
		file = files[rnd(nr_files)];
		len = sentence(text);
		while (!rnd(3))
			len = mutate(text, len);
		memcpy(last, text, len > sizeof(last) ? sizeof(last) : len);
		last_len = len > sizeof(last) ? sizeof(last) : len;

		fd = open(file, O_WRONLY);
		if (fd < 0)
			continue;
		ret = write(fd, text, len);
		error = ret < 0 ? errno : 0;
		close(fd);
		if (!error) {
			taken++;
			continue;
		}
		refused++;
		if (!known(error) || (error == EINVAL && !(i % 16) && !told(dir, file))) {
			printf("%s: %s%s\n", file, strerror(error),
			       known(error) ? ", and nothing in error_log" : "");
			fwrite(text, 1, len > 300 ? 300 : len, stdout);
			printf("\n");
			return 1;
		}
	}
	printf("taken %lu refused %lu\n", taken, refused);
	return taken < n / 100 || refused < n / 100;
}
