// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server that is slow once, see Documentation/trace/lkst/stories/slow-request.rst.
 *
 *	provoke_story N		answers N requests, all on CPU 0. Before one of them
 *				another process takes the server's lock, and sleeps
 *				30 ms with it as soon as the server wants it
 *
 * Prints what happened as the processes themselves have it:
 *
 *	server PID
 *	rotate PID		who took the lock
 *	lock ADDRESS
 *	slow NS			how long the answer to that request took
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

struct pipes {
	int to[2];
	int from[2];
};

static struct {
	pthread_mutex_t lock;
	bool wanted;			/* by the server */
} *shared;

static void make_lock(void)
{
	pthread_mutexattr_t attr;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->lock, &attr);
}

static void serve(int in, int out)
{
	char c;

	while (read(in, &c, 1) == 1) {
		__atomic_store_n(&shared->wanted, true, __ATOMIC_RELAXED);
		pthread_mutex_lock(&shared->lock);
		pthread_mutex_unlock(&shared->lock);
		__atomic_store_n(&shared->wanted, false, __ATOMIC_RELAXED);
		if (write(out, &c, 1) != 1)
			die("answer");
	}
}

static void rotate(int in, int out)
{
	const struct timespec t = { .tv_nsec = 30000000 };
	char c;

	while (read(in, &c, 1) == 1) {
		pthread_mutex_lock(&shared->lock);
		if (write(out, &c, 1) != 1)
			die("rotate");
		/* However long the client takes: the server waits all the time. */
		while (!__atomic_load_n(&shared->wanted, __ATOMIC_RELAXED))
			sched_yield();
		nanosleep(&t, NULL);
		pthread_mutex_unlock(&shared->lock);
	}
}

static pid_t start(const char *name, void (*fn)(int, int), struct pipes *p)
{
	pid_t pid;

	if (pipe2(p->to, O_CLOEXEC) || pipe2(p->from, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_NAME, name);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(p->to[1]);
		fn(p->to[0], p->from[1]);
		_exit(0);
	}
	return pid;
}

/* Until there is the answer. */
static void ask(struct pipes *p)
{
	char c = 0;

	if (write(p->to[1], &c, 1) != 1 || read(p->from[0], &c, 1) != 1)
		die("ask");
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t slow = 0, time;
	struct pipes server, rotator;
	pid_t server_pid, rotate_pid;
	long n, i;

	if (argc != 2) {
		fprintf(stderr, "usage: provoke_story N\n");
		return 2;
	}
	n = number(argv[1]);
	pin(0);
	make_lock();
	rotate_pid = start("rotate", rotate, &rotator);
	server_pid = start("server", serve, &server);
	for (i = 0; i < n; i++) {
		if (i == n * 3 / 4)
			ask(&rotator);
		time = now();
		ask(&server);
		time = now() - time;
		if (i == n * 3 / 4)
			slow = time;
	}
	kill(server_pid, SIGKILL);
	kill(rotate_pid, SIGKILL);
	while (wait(NULL) > 0)
		;
	printf("server %d\nrotate %d\nlock %p\nslow %llu\n", server_pid, rotate_pid,
	       (void *)&shared->lock, (unsigned long long)slow);
	return 0;
}
