// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that computes, and one of its process that makes the kernel interrupt it, see
 * Documentation/trace/lkst/analysis/interrupt-storm.rst.
 *
 *	provoke_storm N		"compute" on CPU 0 does nothing but count; "remap" on CPU 1
 *				takes the right to write from a page and gives it back, until
 *				CPU 0 has had to forget what it knows of the page N times
 *
 * Prints what happened as the threads themselves, and the kernel, have it:
 *
 *	compute TID
 *	remap TID
 *	shootdowns N		interrupts that CPU 0 took for them, of /proc/interrupts
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

static struct {
	bool over;
	pid_t compute;
	pid_t remap;
	unsigned long before;
	unsigned long n;
} shared;

static void be(const char *name, int cpu)
{
	pin_thread(0, cpu);
	prctl(PR_SET_NAME, name);
}

static void *compute(void *unused)
{
	volatile unsigned long n = 0;

	be("compute", 0);
	shared.compute = syscall(SYS_gettid);
	while (!__atomic_load_n(&shared.over, __ATOMIC_RELAXED))
		n++;
	return unused;
}

/* Of CPU 0, in the line that starts with TLB. */
static unsigned long shootdowns(void)
{
	FILE *f = fopen("/proc/interrupts", "r");
	unsigned long n = 0;
	char line[4096];

	if (!f)
		die("/proc/interrupts");
	while (fgets(line, sizeof(line), f)) {
		char *text = line + strspn(line, " ");

		if (!strncmp(text, "TLB:", 4))
			n = strtoul(text + 4, NULL, 10);
	}
	fclose(f);
	return n;
}

static void *remap(void *unused)
{
	size_t size = sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	if (page == MAP_FAILED)
		die("mmap");
	be("remap", 1);
	shared.remap = syscall(SYS_gettid);
	while (shootdowns() - shared.before < shared.n) {
		for (i = 0; i < 16; i++) {
			*page = 1;
			if (mprotect(page, size, PROT_READ) ||
			    mprotect(page, size, PROT_READ | PROT_WRITE))
				die("mprotect");
		}
	}
	__atomic_store_n(&shared.over, true, __ATOMIC_RELAXED);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread[2];

	if (argc != 2) {
		fprintf(stderr, "usage: provoke_storm N\n");
		return 2;
	}
	shared.n = number(argv[1]);
	shared.before = shootdowns();
	if (pthread_create(&thread[0], NULL, compute, NULL) ||
	    pthread_create(&thread[1], NULL, remap, NULL))
		die("pthread_create");
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	printf("compute %d\nremap %d\nshootdowns %lu\n", shared.compute, shared.remap,
	       shootdowns() - shared.before);
	return 0;
}
