// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes what the shell cannot: provoke_others VERB [ARG...]
 *
 *	str TEXT		prints the words of a text as records have them
 *	denied			asks for what nobody may; prints its PID
 *	kmsg LEVEL TEXT		writes a message to the kernel log; prints its PID
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

static int verb_str(const char *text)
{
	size_t left = strlen(text);
	uint64_t word;

	do {
		size_t n = left < sizeof(word) ? left : sizeof(word);

		word = 0;
		memcpy(&word, text, n);
		printf("0x%llx\n", (unsigned long long)word);
		text += n;
		left -= n;
	} while (left);
	return 0;
}

static int verb_denied(void)
{
	struct timespec ts = { 0 };

	if (setgid(65534) || setuid(65534))
		die("setuid");
	if (!sethostname("nobody", 6) || errno != EPERM)
		die("sethostname");
	if (!clock_settime(CLOCK_REALTIME, &ts) || errno != EPERM)
		die("clock_settime");
	printf("%d\n", getpid());
	return 0;
}

static int verb_kmsg(const char *level, const char *text)
{
	int fd = open("/dev/kmsg", O_WRONLY);
	char *line;
	int len;

	if (fd < 0)
		die("/dev/kmsg");
	len = asprintf(&line, "<%s>%s\n", level, text);
	if (write(fd, line, len) != len)
		die("write");
	close(fd);
	printf("%d\n", getpid());
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "str"))
		return verb_str(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "denied"))
		return verb_denied();
	if (argc == 4 && !strcmp(argv[1], "kmsg"))
		return verb_kmsg(argv[2], argv[3]);
	fprintf(stderr, "usage: provoke_others str TEXT | denied | kmsg LEVEL TEXT\n");
	return 2;
}
