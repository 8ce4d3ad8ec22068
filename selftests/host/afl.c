// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tool that runs its command line again and again in one process, as afl-fuzz likes it.
 * MAIN is the file with its main().
 */
#include <fcntl.h>
#include <unistd.h>

#define main tool_main
#include MAIN
#undef main

int main(int argc, char **argv)
{
	char *copy[16];
	int null = open("/dev/null", O_WRONLY), i;

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || argc >= 16)
		return 1;
	while (__AFL_LOOP(1000)) {
		/* A tool may put its words into another order. */
		for (i = 0; i <= argc; i++)
			copy[i] = argv[i];
		tool_main(argc, copy);
	}
	return 0;
}
