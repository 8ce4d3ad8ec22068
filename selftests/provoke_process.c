// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes events of processes: wait queues, priorities, moves between CPUs,
 * signals that are taken, run queues. Prints what a trace must show.
 *
 * provoke_process VERB [ARG...]; the verbs are listed in verbs[] below.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static pid_t tid(void)
{
	return syscall(SYS_gettid);
}

/* Fields of /proc/PID/task/TID/stat: the state, and the number N of proc(5). */
static long stat_field(pid_t task, int n, char *state)
{
	char path[64], text[512], *p;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", getpid(), task);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		snprintf(path, sizeof(path), "/proc/%d/stat", task);
		fd = open(path, O_RDONLY);
	}
	if (fd < 0)
		die(path);
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		die(path);
	text[got] = 0;
	p = strrchr(text, ')') + 2;
	if (state)
		*state = *p;
	for (n -= 3; n > 0; n--)
		p = strchr(p, ' ') + 1;
	return strtol(p, NULL, 10);
}

/* The kernel's priority: /proc has it less 100. */
static long kernel_prio(pid_t task)
{
	return stat_field(task, 18, NULL) + 100;
}

static void wait_until_asleep(pid_t task)
{
	char state;

	for (;;) {
		stat_field(task, 3, &state);
		if (state == 'S')
			return;
		usleep(200);
	}
}

static void spin_us(long us)
{
	struct timespec t;
	int64_t now, end = 0;

	do {
		clock_gettime(CLOCK_MONOTONIC, &t);
		now = t.tv_sec * 1000000LL + t.tv_nsec / 1000;
		if (!end)
			end = now + us;
	} while (now < end);
}

/* === Wait queues === */

/*
 * pipe CPU: makes a pipe, polls it in vain, and reads from it what a child writes
 * later. Prints "PID CHILD".
 */
static int verb_pipe(int argc, char **argv)
{
	struct pollfd poll_in = { .events = POLLIN };
	pid_t me = getpid(), child;
	int p[2], status;
	char c;

	pin(number(argv[1]));
	if (pipe(p))
		die("pipe");
	poll_in.fd = p[0];
	if (poll(&poll_in, 1, 5))
		die("poll");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		wait_until_asleep(me);
		_exit(write(p[1], "x", 1) != 1);
	}
	if (read(p[0], &c, 1) != 1)
		die("read");
	waitpid(child, &status, 0);
	printf("%d %d\n", me, child);
	return !!status;
}

/* === Priorities === */

struct sched_attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static void set_policy(unsigned int policy, int nice, unsigned int priority)
{
	struct sched_attributes a = {
		.size = sizeof(a),
		.policy = policy,
		.nice = nice,
		.priority = priority,
	};

	/* SCHED_DEADLINE */
	if (policy == 6) {
		a.runtime = 1000000;
		a.deadline = a.period = 100000000;
	}
	if (syscall(SYS_sched_setattr, 0, &a, 0))
		die("sched_setattr");
}

static long last_prio;

/* "OLD NEW POLICY", as they are in /proc and as the system call has it. */
static void print_change(void)
{
	long prio = kernel_prio(tid());
	long policy = syscall(SYS_sched_getscheduler, 0);

	printf("%ld %ld %ld\n", last_prio, prio, policy);
	last_prio = prio;
}

/*
 * priority: prints its PID and changes its own priority in every way; prints
 * "OLD NEW POLICY" of each.
 */
static int verb_priority(int argc, char **argv)
{
	printf("%d\n", getpid());
	last_prio = kernel_prio(tid());

	setpriority(PRIO_PROCESS, 0, 5);
	print_change();
	/* The same again is no change. */
	setpriority(PRIO_PROCESS, 0, 5);
	setpriority(PRIO_PROCESS, 0, -7);
	print_change();
	set_policy(SCHED_FIFO, 0, 10);
	print_change();
	/* Nice is not what such a task goes by. */
	setpriority(PRIO_PROCESS, 0, 3);
	set_policy(SCHED_FIFO, 0, 30);
	print_change();
	set_policy(SCHED_RR, 0, 99);
	print_change();
	set_policy(SCHED_BATCH, 2, 0);
	print_change();
	set_policy(SCHED_IDLE, 2, 0);
	print_change();
	set_policy(6, 0, 0);
	print_change();
	set_policy(SCHED_OTHER, 0, 0);
	print_change();
	return 0;
}

static _Atomic uint32_t pi_lock;
static atomic_int holder_ready;
static pid_t high_tid;

static void *high(void *unused)
{
	struct sched_param param = { .sched_priority = 30 };

	high_tid = tid();
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	if (syscall(SYS_futex, &pi_lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0))
		die("FUTEX_LOCK_PI");
	if (syscall(SYS_futex, &pi_lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0))
		die("FUTEX_UNLOCK_PI");
	return NULL;
}

/*
 * boost CPU: holds a lock that a thread of high priority waits for, and gives it
 * back; prints "PID BEFORE DURING AFTER", its own priorities.
 */
static int verb_boost(int argc, char **argv)
{
	long before, during, after;
	pthread_t thread;

	pin(number(argv[1]));
	pi_lock = tid();
	before = kernel_prio(tid());
	if (pthread_create(&thread, NULL, high, NULL))
		die("pthread_create");
	while ((during = kernel_prio(tid())) == before)
		usleep(1000);
	if (syscall(SYS_futex, &pi_lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0))
		die("FUTEX_UNLOCK_PI");
	after = kernel_prio(tid());
	pthread_join(thread, NULL);
	printf("%d %ld %ld %ld\n", getpid(), before, during, after);
	return 0;
}

/* === CPUs === */

/*
 * migrate N CPU CPU2: goes from one to the other and back N times; then has a
 * child that sleeps on CPU run on CPU2. Prints "PID CHILD" and the CPU it is on
 * after each step.
 */
static int verb_migrate(int argc, char **argv)
{
	long n = number(argv[1]), a = number(argv[2]), b = number(argv[3]), i;
	int p[2], status;
	pid_t child;
	char c;

	pin(a);
	if (pipe(p))
		die("pipe");
	child = fork();
	if (!child) {
		if (read(p[0], &c, 1) != 1)
			_exit(1);
		_exit(sched_getcpu());
	}
	wait_until_asleep(child);
	/* It sleeps for good, and off the run queue. */
	usleep(20000);
	pin_thread(child, b);
	if (write(p[1], "x", 1) != 1)
		die("write");
	waitpid(child, &status, 0);
	if (WEXITSTATUS(status) != b)
		return 1;
	printf("%d %d\n", getpid(), child);
	printf("%d\n", sched_getcpu());
	for (i = 0; i < n; i++) {
		pin(b);
		printf("%d\n", sched_getcpu());
		pin(a);
		printf("%d\n", sched_getcpu());
	}
	return 0;
}

/*
 * asleep N CPU CPU2: a process that shares CPU2 with another, and has taken more
 * than its share when it falls asleep, is then moved to CPU; N times. Prints its PID.
 */
static int verb_asleep(int argc, char **argv)
{
	long n = number(argv[1]), a = number(argv[2]), b = number(argv[3]), i;
	pid_t hog, sleeper;
	int p[2], status;
	char c;

	if (pipe(p))
		die("pipe");
	pin(b);
	hog = fork();
	if (!hog)
		for (;;)
			;
	sleeper = fork();
	if (!sleeper) {
		for (i = 0; i < n; i++) {
			pin(b);
			spin_us(3000 + 1000 * (i % 8));
			if (read(p[0], &c, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	pin(a);
	for (i = 0; i < n; i++) {
		wait_until_asleep(sleeper);
		pin_thread(sleeper, a);
		if (write(p[1], "x", 1) != 1)
			die("write");
		/* Until it is on its CPU again. */
		while (i < n - 1 && stat_field(sleeper, 39, NULL) != b)
			usleep(200);
	}
	waitpid(sleeper, &status, 0);
	kill(hog, SIGKILL);
	waitpid(hog, NULL, 0);
	printf("%d\n", sleeper);
	return !!status;
}

static void *first_cpu(void *cpu)
{
	*(int *)cpu = sched_getcpu();
	return (void *)(long)tid();
}

/*
 * wakenew CPU...: on each, makes a process and a thread; prints "PARENT NEW CPU"
 * of each, the CPU being the one it finds itself on.
 */
static int verb_wakenew(int argc, char **argv)
{
	pthread_t thread;
	int i, status, cpu;
	void *new;
	pid_t pid;

	for (i = 1; i < argc; i++) {
		pin(number(argv[i]));
		pid = fork();
		if (!pid)
			_exit(sched_getcpu());
		waitpid(pid, &status, 0);
		printf("%d %d %d\n", getpid(), pid, WEXITSTATUS(status));
		if (pthread_create(&thread, NULL, first_cpu, &cpu) ||
		    pthread_join(thread, &new))
			die("pthread");
		printf("%d %d %d\n", getpid(), (int)(long)new, cpu);
	}
	return 0;
}

/* forks N: N processes, wherever they come to run; prints its PID. */
static int verb_forks(int argc, char **argv)
{
	long n = number(argv[1]), i;

	printf("%d\n", getpid());
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		spin_us(500);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/*
 * hogs N CPU WAKES: N processes that never sleep; among them one that sleeps and
 * wakes up WAKES times. Prints the PID of that one.
 */
static int verb_hogs(int argc, char **argv)
{
	long n = number(argv[1]), wakes = number(argv[3]), i;
	pid_t hog[16], sleeper;
	int status;

	pin(number(argv[2]));
	for (i = 0; i < n; i++) {
		hog[i] = fork();
		if (!hog[i])
			for (;;)
				;
	}
	sleeper = fork();
	if (!sleeper) {
		/* Now with more on it than its due, now with less. */
		for (i = 0; i < wakes; i++) {
			usleep(3000);
			spin_us(i % 2 ? 50 : 2000);
		}
		_exit(0);
	}
	waitpid(sleeper, &status, 0);
	for (i = 0; i < n; i++)
		kill(hog[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	printf("%d\n", sleeper);
	return !!status;
}

/* === Signals === */

static volatile sig_atomic_t taken_sig, taken_code;

static void on_signal(int sig, siginfo_t *info, void *unused)
{
	taken_sig = sig;
	taken_code = info->si_code;
}

/* The kernel's own view of what a signal does: the handler and the flags. */
static void get_action(int sig, unsigned long *handler, unsigned long *flags)
{
	unsigned long action[4];

	if (syscall(SYS_rt_sigaction, sig, NULL, action, 8))
		die("rt_sigaction");
	*handler = action[0];
	*flags = action[1];
}

/* "SIG CODE HANDLER FLAGS" in hex, of the signal that came last. */
static void print_taken(int sig)
{
	unsigned long handler, flags;

	if (taken_sig != sig)
		die("the signal did not come");
	get_action(sig, &handler, &flags);
	printf("0x%x 0x%lx 0x%lx 0x%lx\n", sig, (unsigned long)taken_code, handler, flags);
	taken_sig = 0;
}

/*
 * deliver: prints its PID, takes signals of several kinds, and prints "SIG CODE
 * HANDLER FLAGS" of each.
 */
static int verb_deliver(int argc, char **argv)
{
	struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	struct itimerspec at = { .it_value.tv_nsec = 1000000 };
	unsigned long handler, flags;
	siginfo_t info;
	sigset_t set, before;
	timer_t timer;
	pid_t pid;

	printf("%d\n", getpid());
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_flags |= SA_RESTART | SA_NODEFER;
	sigaction(SIGUSR2, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);

	kill(getpid(), SIGUSR1);
	print_taken(SIGUSR1);
	raise(SIGUSR2);
	print_taken(SIGUSR2);
	sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 7 });
	print_taken(SIGUSR1);
	/* Blocked until it is waited for: it may come before that. */
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &before);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &at, NULL))
		die("timer");
	sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	print_taken(SIGALRM);

	/* Nothing is done with this one; it comes only because it was blocked. */
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid = fork();
	if (!pid)
		_exit(0);
	get_action(SIGCHLD, &handler, &flags);
	waitid(P_PID, pid, &info, WEXITED);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("0x%x 0x%x 0x%lx 0x%lx\n", SIGCHLD, info.si_code, handler, flags);

	/* Who waits for a signal has it without it being delivered. */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	if (sigwaitinfo(&set, &info) != SIGUSR1)
		die("sigwaitinfo");
	return 0;
}

static void *sleep_on(void *unused)
{
	high_tid = tid();
	atomic_store(&holder_ready, 1);
	for (;;)
		pause();
	return NULL;
}

/*
 * fatal SIG: ends a child of two threads by that signal; prints the PID and the
 * TID of the other thread.
 */
static int verb_fatal(int argc, char **argv)
{
	struct rlimit no_core = { 0 };
	int sig = number(argv[1]), status, p[2];
	pthread_t thread;
	pid_t pid, other;

	setrlimit(RLIMIT_CORE, &no_core);
	if (pipe(p))
		die("pipe");
	pid = fork();
	if (!pid) {
		pthread_create(&thread, NULL, sleep_on, NULL);
		while (!atomic_load(&holder_ready))
			usleep(1000);
		wait_until_asleep(high_tid);
		if (write(p[1], &high_tid, sizeof(high_tid)) != sizeof(high_tid))
			_exit(1);
		for (;;)
			pause();
	}
	if (read(p[0], &other, sizeof(other)) != sizeof(other))
		die("read");
	wait_until_asleep(pid);
	syscall(SYS_tgkill, pid, pid, sig);
	if (waitpid(pid, &status, 0) != pid || WTERMSIG(status) != sig)
		return 1;
	printf("%d %d\n", pid, other);
	return 0;
}

/* traced: a traced child ignores SIGUSR2 and is given it; prints its PID. */
static int verb_traced(int argc, char **argv)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		signal(SIGUSR2, SIG_IGN);
		ptrace(PTRACE_TRACEME);
		kill(getpid(), SIGUSR2);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 1;
	ptrace(PTRACE_CONT, pid, 0, SIGUSR2);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	printf("%d\n", pid);
	return 0;
}

static const struct {
	const char *name;
	int args;
	int (*verb)(int argc, char **argv);
} verbs[] = {
	{ "pipe", 1, verb_pipe },
	{ "priority", 0, verb_priority },
	{ "boost", 1, verb_boost },
	{ "migrate", 3, verb_migrate },
	{ "asleep", 3, verb_asleep },
	{ "wakenew", -1, verb_wakenew },
	{ "forks", 1, verb_forks },
	{ "hogs", 3, verb_hogs },
	{ "deliver", 0, verb_deliver },
	{ "fatal", 1, verb_fatal },
	{ "traced", 0, verb_traced },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(argv[1], verbs[i].name) &&
		    (verbs[i].args < 0 || verbs[i].args == argc - 2)) {
			/* In a pipeline, and before a fork, each line at once. */
			setlinebuf(stdout);
			return verbs[i].verb(argc - 1, argv + 1);
		}
	fprintf(stderr, "usage: provoke_process VERB [ARG...]\n");
	return 2;
}
