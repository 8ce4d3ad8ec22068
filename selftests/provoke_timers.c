// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timers of user space, and sleep, with what a trace must show of them.
 *
 *	provoke_timers timerfd		prints "PID CLOCK EXPIRES" for each timer
 *	provoke_timers sleep CPU MS N	sleeps N times on that CPU; prints its PID
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

#define NS_PER_SEC	1000000000LL

/* Sets a timer to be due in so many ns, and prints when that is. */
static void set(int fd, clockid_t clock, int64_t ns)
{
	struct itimerspec its = { 0 };
	struct timespec now;

	clock_gettime(clock, &now);
	ns += now.tv_sec * NS_PER_SEC + now.tv_nsec;
	its.it_value.tv_sec = ns / NS_PER_SEC;
	its.it_value.tv_nsec = ns % NS_PER_SEC;
	printf("%d %d 0x%llx\n", getpid(), clock, (unsigned long long)ns);
	if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &its, NULL))
		die("timerfd_settime");
}

/* Of each clock one, that is set twice and waited for. All stay open: one address each. */
static int timerfd(void)
{
	static const clockid_t clocks[] = {
		CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME,
	};
	unsigned int i;
	uint64_t n;
	int fd;

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		fd = timerfd_create(clocks[i], 0);
		if (fd < 0)
			die("timerfd_create");
		set(fd, clocks[i], 1000 * NS_PER_SEC);
		set(fd, clocks[i], 5000000);
		if (read(fd, &n, sizeof(n)) != sizeof(n) || n != 1)
			die("read");
	}
	return 0;
}

static int sleeps(int cpu, int ms, int n)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	while (n--)
		nanosleep(&ts, NULL);
	printf("%d\n", getpid());
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "timerfd"))
		return timerfd();
	if (argc == 5 && !strcmp(argv[1], "sleep"))
		return sleeps(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
	fprintf(stderr, "usage: provoke_timers timerfd | sleep CPU MS N\n");
	return 2;
}
