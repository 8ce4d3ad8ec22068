// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server that is slow once, see Documentation/trace/lkst/stories/slow-request.rst.
 *
 *	provoke_story N		answers N requests, all on CPU 0. Before one of them
 *				another process takes the server's lock and sleeps
 *				30 ms with it
 *
 * Prints what happened as the processes themselves have it:
 *
 *	server PID
 *	rotate PID		who took the lock
 *	lock ADDRESS
 *	slow NUMBER NS		the slowest request, and how long its answer took
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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

static pthread_mutex_t *lock;

static void make_lock(void)
{
	pthread_mutexattr_t attr;

	lock = mmap(NULL, sizeof(*lock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
	if (lock == MAP_FAILED)
		die("mmap");
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(lock, &attr);
}

static void serve(int in, int out)
{
	char c;

	while (read(in, &c, 1) == 1) {
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
		if (write(out, &c, 1) != 1)
			die("answer");
	}
}

static void rotate(int in, int out)
{
	const struct timespec t = { .tv_nsec = 30000000 };
	char c;

	while (read(in, &c, 1) == 1) {
		pthread_mutex_lock(lock);
		if (write(out, &c, 1) != 1)
			die("rotate");
		nanosleep(&t, NULL);
		pthread_mutex_unlock(lock);
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
	uint64_t longest = 0, time;
	struct pipes server, rotator;
	pid_t server_pid, rotate_pid;
	long n, i, slow = 0;

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
		if (time > longest) {
			longest = time;
			slow = i;
		}
	}
	kill(server_pid, SIGKILL);
	kill(rotate_pid, SIGKILL);
	while (wait(NULL) > 0)
		;
	printf("server %d\nrotate %d\nlock %p\nslow %ld %llu\n", server_pid, rotate_pid,
	       (void *)lock, slow, (unsigned long long)longest);
	return 0;
}
