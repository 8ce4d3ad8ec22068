/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs that provoke events share. */
#ifndef LKST_PROVOKE_H
#define LKST_PROVOKE_H

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with errno's text. */
static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

/* A word of the command line as a number; ends the program if it is none. */
static inline long number(const char *s)
{
	char *end;
	long n = strtol(s, &end, 0);

	if (end == s || *end) {
		fprintf(stderr, "%s: not a number: %s\n", program_invocation_short_name, s);
		exit(2);
	}
	return n;
}

/* Keeps a thread, or the caller where it is 0, on one CPU. */
static inline void pin_thread(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(tid, sizeof(set), &set))
		die("sched_setaffinity");
}

static inline void pin(int cpu)
{
	pin_thread(0, cpu);
}

#endif
