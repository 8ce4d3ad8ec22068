// SPDX-License-Identifier: GPL-2.0-only
/*
 * Something to look at in a trace of process states:
 *
 *	hog-1, hog-2	compute without end, both on CPU 0: each runs half the
 *			time and waits for the CPU in the other half
 *	ping, pong	on the last CPU; one computes for a moment, writes a
 *			byte to the other's pipe and sleeps until one comes back
 *	sleeper		on the last CPU; wakes up every 20 ms for a moment
 *
 * Usage: processes [MILLISECONDS]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_MSEC	1000000LL
#define TURN_NS		(200 * 1000LL)		/* of ping and pong */
#define NAP_NS		(20 * NSEC_PER_MSEC)	/* of the sleeper */
#define CHORE_NS	(100 * 1000LL)		/* of the sleeper, once awake */

static int start_gate[2];
static int to_ping[2];
static int to_pong[2];
static long long end_ns;

static void die(const char *what)
{
	fprintf(stderr, "processes: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void compute_until(long long until)
{
	while (now_ns() < until)
		;
}

static void hog(void)
{
	compute_until(end_ns);
}

/*
 * As batch tasks, so that the wakeup in write() does not push the writer off the
 * CPU before it waits for its own turn. The one who gives up first closes its
 * pipe and so tells the other.
 */
static void play(int in, int out)
{
	struct sched_param param = { .sched_priority = 0 };
	char ball;

	if (sched_setscheduler(0, SCHED_BATCH, &param))
		die("sched_setscheduler");
	while (read(in, &ball, 1) == 1) {
		long long now = now_ns();

		if (now >= end_ns)
			break;
		compute_until(now + TURN_NS);
		if (write(out, &ball, 1) != 1)
			break;
	}
}

static void ping(void)
{
	close(to_ping[1]);
	close(to_pong[0]);
	if (write(to_pong[1], "o", 1) != 1)
		die("ping");
	play(to_ping[0], to_pong[1]);
}

static void pong(void)
{
	close(to_pong[1]);
	close(to_ping[0]);
	play(to_pong[0], to_ping[1]);
}

static void sleeper(void)
{
	long long next = now_ns();

	for (next += NAP_NS; next < end_ns; next += NAP_NS) {
		struct timespec ts = {
			.tv_sec = next / 1000000000LL,
			.tv_nsec = next % 1000000000LL,
		};

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		compute_until(now_ns() + CHORE_NS);
	}
}

static void spawn(const char *name, int cpu, void (*fn)(void))
{
	cpu_set_t cpus;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid)
		return;

	prctl(PR_SET_NAME, name);
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");

	/* All start when the parent tells them, and when to end. */
	if (read(start_gate[0], &end_ns, sizeof(end_ns)) != sizeof(end_ns))
		die("start");
	fn();
	_exit(0);
}

int main(int argc, char **argv)
{
	int last = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	long long run_ns = 1000 * NSEC_PER_MSEC;
	int status, i, failed = 0;

	if (argc > 2 || (argc == 2 && atoi(argv[1]) <= 0)) {
		fprintf(stderr, "usage: processes [MILLISECONDS]\n");
		return 2;
	}
	if (argc == 2)
		run_ns = atoi(argv[1]) * NSEC_PER_MSEC;
	if (pipe(start_gate) || pipe(to_ping) || pipe(to_pong))
		die("pipe");
	prctl(PR_SET_NAME, "workload");
	signal(SIGPIPE, SIG_IGN);

	spawn("hog-1", 0, hog);
	spawn("hog-2", 0, hog);
	spawn("ping", last, ping);
	spawn("pong", last, pong);
	spawn("sleeper", last, sleeper);

	close(to_ping[0]);
	close(to_ping[1]);
	close(to_pong[0]);
	close(to_pong[1]);

	end_ns = now_ns() + run_ns;
	for (i = 0; i < 5; i++)
		if (write(start_gate[1], &end_ns, sizeof(end_ns)) != sizeof(end_ns))
			die("start");
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
