// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls and time of which it is known how much there was.
 *
 *	provoke_calls N		N calls of each kind; on CPU 1 if there is one
 *
 * All are made by the main thread, between the markers "begin PID" and "end PID", and
 * by syscall(), so that no library adds to them:
 *
 *	getppid			N
 *	close			N, which fail with EBADF
 *	nanosleep		N of 2 ms
 *	read			N of a pipe, each of which SIGALRM interrupts: with SA_RESTART they
 *				go on, and get a byte that the handler writes
 *	pause			N, which SIGALRM ends: EINTR
 *
 * In between it computes, and touches new pages. Prints, of what is between the markers:
 *
 *	pid PID
 *	cpu_ns NS		time on a CPU, without interrupts
 *	user_us US		of it, as getrusage() has it
 *	system_us US
 *	faults N		page faults
 *	slept N			voluntary context switches
 *	utime N, stime N	user and system time in ticks, as /proc/PID/stat has it
 *	schedstat N M		time on a CPU, and waiting for one, as /proc/PID/schedstat has
 *				it; 0 0 if the kernel has none
 *
 * Then it does nothing but compute, between the markers "spin PID" and "spun PID", and prints:
 *
 *	spin_wall_ns NS		how long that took
 *	spin_cpu_ns NS		of it, time on a CPU
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

#define PAGE	4096

static int pipes[2];

static void on_alarm(int sig)
{
	(void)sig;
}

static void feed(int sig)
{
	(void)sig;
	if (write(pipes[1], "x", 1) != 1)
		_exit(1);
}

static void handle(void (*handler)(int sig), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	if (sigaction(SIGALRM, &action, NULL))
		die("sigaction");
}

/* In 2 ms; and, if it is to be sure that one comes after that, again and again. */
static void alarm_soon(bool again)
{
	struct itimerval timer = {
		.it_value.tv_usec = 2000, .it_interval.tv_usec = again ? 2000 : 0,
	};

	if (setitimer(ITIMER_REAL, &timer, NULL))
		die("setitimer");
}

static void mark(int fd, const char *what)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%s %d\n", what, getpid());

	if (write(fd, text, len) != len)
		die("marker");
}

/* By a system call, which is exact: /proc has what there was at the last tick. */
static uint64_t cpu_ns(void)
{
	struct timespec t;

	if (syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t))
		die("clock_gettime");
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static uint64_t wall_ns(void)
{
	struct timespec t;

	if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t))
		die("clock_gettime");
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* What the kernel has in files. */
struct counts {
	unsigned long long utime, stime, ran, waited;
};

static struct counts read_counts(void)
{
	struct counts c = {};
	FILE *f = fopen("/proc/self/stat", "r");

	if (!f || fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
			 &c.utime, &c.stime) != 2)
		die("stat");
	fclose(f);
	f = fopen("/proc/self/schedstat", "r");
	if (f && fscanf(f, "%llu %llu", &c.ran, &c.waited) != 2)
		die("schedstat");
	if (f)
		fclose(f);
	return c;
}

static uint64_t micro(const struct timeval *t)
{
	return t->tv_sec * 1000000ULL + t->tv_usec;
}

static void compute(void)
{
	volatile unsigned long x = 0;
	unsigned long i;

	for (i = 0; i < 2000000; i++)
		x += i;
}

static void calls(long n)
{
	struct timespec ms = { .tv_nsec = 2000000 };
	static const sigset_t none;
	volatile char *page;
	long i;
	char c;

	page = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		die("mmap");
	for (i = 0; i < n; i++) {
		syscall(SYS_getppid);
		syscall(SYS_close, -1);
		page[i * PAGE] = 1;
		compute();
		syscall(SYS_nanosleep, &ms, NULL);
	}
	handle(feed, SA_RESTART);
	for (i = 0; i < n; i++) {
		alarm_soon(false);
		if (syscall(SYS_read, pipes[0], &c, 1) != 1)
			die("read");
	}
	handle(on_alarm, 0);
	alarm_soon(true);
	for (i = 0; i < n; i++)
		syscall(SYS_rt_sigsuspend, &none, _NSIG / 8);
}

static void spin(int marker, long n)
{
	uint64_t wall, ns;

	mark(marker, "spin");
	wall = wall_ns();
	ns = cpu_ns();
	while (n--)
		compute();
	ns = cpu_ns() - ns;
	wall = wall_ns() - wall;
	mark(marker, "spun");
	printf("spin_wall_ns %llu\nspin_cpu_ns %llu\n", (unsigned long long)wall,
	       (unsigned long long)ns);
}

int main(int argc, char **argv)
{
	int marker = open("/sys/kernel/debug/lkst/marker", O_WRONLY);
	struct rusage before, after;
	struct counts old, new;
	uint64_t ns;

	if (argc != 2) {
		fputs("usage: provoke_calls N\n", stderr);
		return 2;
	}
	if (marker < 0 || pipe(pipes))
		die("open");
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		pin(1);
	old = read_counts();
	mark(marker, "begin");
	getrusage(RUSAGE_SELF, &before);
	ns = cpu_ns();
	calls(number(argv[1]));
	ns = cpu_ns() - ns;
	getrusage(RUSAGE_SELF, &after);
	mark(marker, "end");
	new = read_counts();
	printf("pid %d\ncpu_ns %llu\nuser_us %llu\nsystem_us %llu\nfaults %ld\nslept %ld\n", getpid(),
	       (unsigned long long)ns,
	       (unsigned long long)(micro(&after.ru_utime) - micro(&before.ru_utime)),
	       (unsigned long long)(micro(&after.ru_stime) - micro(&before.ru_stime)),
	       after.ru_minflt - before.ru_minflt, after.ru_nvcsw - before.ru_nvcsw);
	printf("utime %llu\nstime %llu\nschedstat %llu %llu\n", new.utime - old.utime,
	       new.stime - old.stime, new.ran - old.ran, new.waited - old.waited);
	spin(marker, number(argv[1]));
	return 0;
}
