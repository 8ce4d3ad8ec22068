// SPDX-License-Identifier: GPL-2.0-only
/*
 * provoke_wait [DEV]: waits of which it is known what for, how long, and who ends them.
 *
 * Each one is a process of its own. A line for each on stdout:
 *
 *	NAME PID OTHER BEGIN END SWITCHES
 *
 * OTHER ends the wait, 0 if no process does, 30 ms after it has begun. It lasts from BEGIN
 * to END, in ns of CLOCK_MONOTONIC, and until END the process had so many voluntary switches.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

static const char *device;
static int fd[2];
static uint32_t word;
static uint32_t *shared;
static pid_t waiter;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static void sleep_ms(long ms)
{
	const struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* Until that thread sleeps: what follows ends its wait. */
static void await_sleep(pid_t tid)
{
	char path[32], line[256], *state;
	FILE *f;

	sprintf(path, "/proc/%d/stat", tid);
	do {
		usleep(1000);
		f = fopen(path, "r");
		if (!f || !fgets(line, sizeof(line), f))
			die(path);
		fclose(f);
		state = strrchr(line, ')');
	} while (!state || state[2] != 'S');
	sleep_ms(30);
}

static long futex(uint32_t *addr, int op, uint32_t val)
{
	return syscall(SYS_futex, addr, op, val, NULL, NULL, 0);
}

/* === Who ends it, after a while === */

static void end_pipe(void)
{
	if (write(fd[1], "x", 1) != 1)
		die("pipe");
}

static void end_eventfd(void)
{
	const uint64_t one = 1;

	if (write(fd[1], &one, sizeof(one)) != sizeof(one))
		die("eventfd");
}

static void end_socket(void)
{
	if (send(fd[1], "x", 1, 0) != 1)
		die("send");
}

static void end_futex(void)
{
	__atomic_store_n(shared, 1, __ATOMIC_SEQ_CST);
	futex(shared, FUTEX_WAKE, 1);
}

static void end_signal(void)
{
	kill(waiter, SIGUSR1);
}

/* === Who waits === */

static void begin_pipe(void)
{
	if (pipe(fd))
		die("pipe");
}

static void begin_eventfd(void)
{
	fd[0] = fd[1] = eventfd(0, 0);
	if (fd[0] < 0)
		die("eventfd");
}

static void begin_socket(void)
{
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fd))
		die("socketpair");
}

static void begin_futex(void)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	*shared = 0;
}

static void nothing(int sig)
{
	(void)sig;
}

static void begin_signal(void)
{
	sigset_t set;

	signal(SIGUSR1, nothing);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void wait_read(void)
{
	uint64_t buf;

	if (read(fd[0], &buf, sizeof(buf)) < 1)
		die("read");
}

static void wait_recv(void)
{
	char c;

	if (recv(fd[0], &c, 1, 0) != 1)
		die("recv");
}

static void wait_futex(void)
{
	while (!__atomic_load_n(shared, __ATOMIC_SEQ_CST))
		futex(shared, FUTEX_WAIT, 0);
}

static void wait_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigsuspend(&set);
}

static void wait_sleep(void)
{
	sleep_ms(30);
}

static void wait_timeout(void)
{
	poll(NULL, 0, 30);
}

static void wait_child(void)
{
	wait(NULL);
}

static void *buf;

static void begin_disk(void)
{
	fd[0] = open(device, O_RDONLY | O_DIRECT);
	if (fd[0] < 0)
		die(device);
	if (posix_memalign(&buf, 4096, 4096))
		die("memory");
	memset(buf, 0, 4096);
}

static void wait_disk(void)
{
	if (pread(fd[0], buf, 4096, 64 * 512) != 4096)
		die("pread");
}

/* A thread that waits for another one. */
static void *other_thread(void *tid)
{
	*(pid_t *)tid = gettid();
	await_sleep(getpid());
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	futex(&word, FUTEX_WAKE_PRIVATE, 1);
	return NULL;
}

static const struct {
	const char *name;
	void (*begin)(void);
	void (*wait)(void);
	void (*end)(void);
} kinds[] = {
	{ "pipe", begin_pipe, wait_read, end_pipe },
	{ "eventfd", begin_eventfd, wait_read, end_eventfd },
	{ "net", begin_socket, wait_recv, end_socket },
	{ "futex", begin_futex, wait_futex, end_futex },
	{ "signal", begin_signal, wait_signal, end_signal },
	{ "sleep", NULL, wait_sleep, NULL },
	{ "timeout", NULL, wait_timeout, NULL },
	{ "child", NULL, wait_child, NULL },
	{ "disk", begin_disk, wait_disk, NULL },
};

static void tell(const char *name, pid_t other, uint64_t begin)
{
	struct rusage usage;
	uint64_t end;

	getrusage(RUSAGE_SELF, &usage);
	end = now();
	printf("%s %d %d %llu %llu %ld\n", name, gettid(), other, (unsigned long long)begin,
	       (unsigned long long)end, usage.ru_nvcsw);
	fflush(stdout);
}

static void wait_once(unsigned int i, pid_t other)
{
	uint64_t begin;

	prctl(PR_SET_NAME, kinds[i].name);
	begin = now();
	kinds[i].wait();
	tell(kinds[i].name, other, begin);
}

/* The other one is who is waited for, or who ends it; it is there before. */
static void run(unsigned int i)
{
	pid_t other = 0;

	waiter = fork();
	if (waiter < 0)
		die("fork");
	if (waiter) {
		waitpid(waiter, NULL, 0);
		return;
	}
	waiter = getpid();
	if (kinds[i].begin)
		kinds[i].begin();
	if (kinds[i].end || kinds[i].wait == wait_child) {
		other = fork();
		if (other < 0)
			die("fork");
	}
	if ((kinds[i].end || kinds[i].wait == wait_child) && !other) {
		prctl(PR_SET_NAME, "other");
		await_sleep(waiter);
		if (kinds[i].end)
			kinds[i].end();
		_exit(0);
	}
	wait_once(i, other);
	_exit(0);
}

static void run_threads(void)
{
	pid_t child = fork(), other = 0;
	uint64_t begin;
	pthread_t thread;

	if (child < 0)
		die("fork");
	if (child) {
		waitpid(child, NULL, 0);
		return;
	}
	prctl(PR_SET_NAME, "threads");
	if (pthread_create(&thread, NULL, other_thread, &other))
		die("pthread_create");
	begin = now();
	while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST))
		futex(&word, FUTEX_WAIT_PRIVATE, 0);
	/* Threads have switches of their own, which are not told apart here. */
	printf("threads %d %d %llu %llu -\n", getpid(), other, (unsigned long long)begin,
	       (unsigned long long)now());
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	unsigned int i;

	device = argv[1];
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (device || kinds[i].wait != wait_disk)
			run(i);
	}
	run_threads();
	return 0;
}
