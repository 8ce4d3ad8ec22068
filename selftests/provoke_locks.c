// SPDX-License-Identifier: GPL-2.0-only
/*
 * provoke_locks VERB: futexes for the tests of LKST. Prints what a trace must
 * show.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "provoke.h"

#ifndef SYS_futex_waitv
#define SYS_futex_waitv	449
#endif

struct waitv {
	uint64_t val;
	uint64_t uaddr;
	uint32_t flags;
	uint32_t reserved;
};

static uint32_t word = 0x1234;
static uint32_t word2 = 0x5678;
static uint32_t pi_word;

static _Atomic int waiter_tid;

/* FUTEX_PRIVATE_FLAG or 0: what is said, and what is true, are two things. */
static int private = FUTEX_PRIVATE_FLAG;
static uint32_t *shared = &word;

static long futex(uint32_t *addr, int op, uint32_t val, uint32_t val3)
{
	return syscall(SYS_futex, addr, op | private, val, NULL, NULL, val3);
}

static void *wait_bitset(void *unused)
{
	(void)unused;
	waiter_tid = syscall(SYS_gettid);
	while (futex(&word, FUTEX_WAIT_BITSET, 0x1234, 0x0f0f) && errno == EINTR)
		;
	return NULL;
}

static void *wait_shared(void *unused)
{
	(void)unused;
	waiter_tid = syscall(SYS_gettid);
	while (futex(shared, FUTEX_WAIT, 0x1234, 0) && errno == EINTR)
		;
	return NULL;
}

static void *wait_many(void *unused)
{
	struct waitv v[2] = {
		{ .val = 0x1234, .uaddr = (uintptr_t)&word, .flags = 2 | FUTEX_PRIVATE_FLAG },
		{ .val = 0x5678, .uaddr = (uintptr_t)&word2, .flags = 2 | FUTEX_PRIVATE_FLAG },
	};

	(void)unused;
	waiter_tid = syscall(SYS_gettid);
	if (syscall(SYS_futex_waitv, v, 2, 0, NULL, 0) != 1)
		die("futex_waitv");
	return NULL;
}

static void *wait_pi(void *unused)
{
	(void)unused;
	waiter_tid = syscall(SYS_gettid);
	if (futex(&pi_word, FUTEX_LOCK_PI, 0, 0))
		die("FUTEX_LOCK_PI");
	if (futex(&pi_word, FUTEX_UNLOCK_PI, 0, 0))
		die("FUTEX_UNLOCK_PI");
	return NULL;
}

/* The state of a thread, as /proc shows it. */
static char state(int tid)
{
	char path[64], line[256], *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	p = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return p ? p[2] : 0;
}

static pthread_t start(void *(*fn)(void *))
{
	pthread_t t;

	waiter_tid = 0;
	if (pthread_create(&t, NULL, fn, NULL))
		die("pthread_create");
	/* Twice: it may sleep for something else before it has the futex. Ten seconds. */
	for (int asleep = 0, turn = 0; asleep < 2; turn++) {
		if (turn == 2000) {
			errno = ETIMEDOUT;
			die("a thread that waits for a futex");
		}
		asleep = waiter_tid && state(waiter_tid) == 'S' ? asleep + 1 : 0;
		usleep(5000);
	}
	return t;
}

/* Prints PID TID ADDRESS and what each wake returned. */
static void do_futex(void)
{
	pthread_t t;
	long none, one;

	if (futex(&word, FUTEX_WAIT, 1, 0) != -1 || errno != EAGAIN)
		die("FUTEX_WAIT of another value");
	t = start(wait_bitset);
	none = futex(&word, FUTEX_WAKE_BITSET, 3, 0xf0f0);
	one = futex(&word, FUTEX_WAKE_BITSET, 7, 0x0100);
	pthread_join(t, NULL);
	printf("%d %d 0x%lx %ld %ld\n", getpid(), waiter_tid, (long)&word, none, one);
}

/* Prints PID TID ADDRESS ADDRESS2. */
static void do_waitv(void)
{
	pthread_t t = start(wait_many);

	if (futex(&word2, FUTEX_WAKE, 1, 0) != 1)
		die("FUTEX_WAKE");
	pthread_join(t, NULL);
	printf("%d %d 0x%lx 0x%lx\n", getpid(), waiter_tid, (long)&word, (long)&word2);
}

/* Prints PID TID ADDRESS; the owner is this thread. */
static void do_pi(void)
{
	pthread_t t;

	pi_word = getpid();
	t = start(wait_pi);
	if (futex(&pi_word, FUTEX_WAKE, 1, 0) != -1 || errno != EINVAL)
		die("FUTEX_WAKE of a PI futex");
	if (futex(&pi_word, FUTEX_UNLOCK_PI, 0, 0))
		die("FUTEX_UNLOCK_PI");
	pthread_join(t, NULL);
	printf("%d %d 0x%lx\n", getpid(), waiter_tid, (long)&pi_word);
}

/* The same, with a futex of memory that is shared, or said to be. */
static void do_shared(int flags)
{
	pthread_t t;

	private = 0;
	if (flags) {
		shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
		if (shared == MAP_FAILED)
			die("mmap");
		*shared = 0x1234;
	}
	t = start(wait_shared);
	if (futex(shared, FUTEX_WAKE, 1, 0) != 1)
		die("FUTEX_WAKE");
	pthread_join(t, NULL);
	printf("%d %d %#lx %#lx\n", getpid(), waiter_tid, (long)shared, (long)shared | 1);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "futex"))
		do_futex();
	else if (argc == 2 && !strcmp(argv[1], "waitv"))
		do_waitv();
	else if (argc == 2 && !strcmp(argv[1], "pi"))
		do_pi();
	else if (argc == 2 && !strcmp(argv[1], "shared"))
		do_shared(MAP_SHARED | MAP_ANONYMOUS);
	else if (argc == 2 && !strcmp(argv[1], "said"))
		do_shared(0);
	else
		return 2;
	return 0;
}
