// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a machine busy until it is killed, or for a time.
 *
 *	provoke_load SECONDS PART...
 *
 * PART is one of
 *	messages	groups of processes send each other messages, as hackbench
 *	tcp		a connection over the loopback device
 *	udp		packets over the loopback device
 *	disk=FILE	writes, syncs and reads a file, through the page cache and not
 *	memory		maps, touches and unmaps; forks
 *	threads		threads that fight for a mutex
 *	pipe		processes that fight for a pipe
 *
 * Prints how often each part went around. Each part is a process of its own.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "provoke.h"

#define GROUPS	2
#define PAIRS	4
#define MESSAGE	100
#define BLOCK	4096

static struct timespec end;

static int done(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > end.tv_sec ||
	       (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

/* A child that does not outlive us. */
static pid_t child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* As hackbench: in each group, every sender sends to every receiver. */
static long messages(void)
{
	char text[MESSAGE] = { 0 };
	int fd[GROUPS * PAIRS][2];
	long n = 0;
	int i, j;

	for (i = 0; i < GROUPS * PAIRS; i++)
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd[i]))
			die("socketpair");
	for (i = 0; i < GROUPS * PAIRS; i++) {
		if (child())
			continue;
		for (j = 0; j < GROUPS * PAIRS; j++) {
			close(fd[j][1]);
			if (j != i)
				close(fd[j][0]);
		}
		while (read(fd[i][0], text, sizeof(text)) > 0)
			;
		exit(0);
	}
	for (i = 0; i < GROUPS * PAIRS; i++) {
		if (child())
			continue;
		while (!done())
			for (j = 0; j < PAIRS; j++)
				if (write(fd[i / PAIRS * PAIRS + j][1], text, sizeof(text)) < 0)
					die("write");
		exit(0);
	}
	for (i = 0; i < GROUPS * PAIRS; i++)
		close(fd[i][1]);
	while (wait(NULL) > 0)
		n++;
	return n;
}

static long tcp(void)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	static char data[16384];
	socklen_t len = sizeof(addr);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
	long n = 0;

	if (bind(listener, (void *)&addr, sizeof(addr)) || listen(listener, 4) ||
	    getsockname(listener, (void *)&addr, &len))
		die("listen");
	if (!child()) {
		while ((fd = accept(listener, NULL, NULL)) >= 0) {
			while (read(fd, data, sizeof(data)) > 0)
				;
			close(fd);
		}
		exit(0);
	}
	for (; !done(); n++) {
		int i;

		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(fd, (void *)&addr, sizeof(addr)))
			die("connect");
		for (i = 0; i < 20; i++)
			if (write(fd, data, sizeof(data)) < 0)
				die("send");
		close(fd);
	}
	return n;
}

static long udp(void)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(addr);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char data[512] = { 0 };
	long n = 0;

	if (bind(fd, (void *)&addr, sizeof(addr)) || getsockname(fd, (void *)&addr, &len) ||
	    connect(fd, (void *)&addr, sizeof(addr)))
		die("bind");
	for (; !done(); n++)
		if (send(fd, data, sizeof(data), 0) < 0 ||
		    recv(fd, data, sizeof(data), 0) != sizeof(data))
			die("udp");
	return n;
}

static long disk(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600), direct;
	char *block = aligned_alloc(BLOCK, BLOCK);
	long n = 0, i;

	if (fd < 0 || !block)
		die(path);
	direct = open(path, O_RDWR | O_DIRECT);
	memset(block, 1, BLOCK);
	for (; !done(); n++) {
		for (i = 0; i < 64; i++)
			if (pwrite(fd, block, BLOCK, i * BLOCK) != BLOCK)
				die("write");
		fsync(fd);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		for (i = 0; i < 64; i++)
			if (pread(fd, block, BLOCK, i * BLOCK) != BLOCK ||
			    (direct >= 0 && pread(direct, block, BLOCK, i * BLOCK) != BLOCK))
				die("read");
	}
	return n;
}

static long memory(void)
{
	const size_t size = 1 << 20;
	long n = 0;
	size_t i;

	for (; !done(); n++) {
		char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			die("mmap");
		for (i = 0; i < size; i += BLOCK)
			p[i] = 1;
		if (!child()) {
			for (i = 0; i < size; i += 16 * BLOCK)
				p[i] = 2;
			_exit(0);
		}
		wait(NULL);
		munmap(p, size);
	}
	return n;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fight(void *count)
{
	while (!done()) {
		pthread_mutex_lock(&mutex);
		++*(long *)count;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static long threads(void)
{
	pthread_t thread[4];
	long n = 0;
	int i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, fight, &n))
			die("pthread_create");
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return n;
}

/* So many times and no more: each is a system call, which a trace may hold. */
#define ROUNDS	20000

static long pipes(void)
{
	char text[64] = { 0 };
	int fd[2], i;
	long n;

	if (pipe(fd))
		die("pipe");
	for (i = 0; i < 6; i++) {
		if (child())
			continue;
		for (n = 0; n < ROUNDS; n++)
			if ((i % 2 ? write(fd[1], text, sizeof(text)) :
				     read(fd[0], text, sizeof(text))) < 0)
				die("pipe");
		pause();
	}
	for (n = 0; n < ROUNDS && !done(); n++)
		if (write(fd[1], text, sizeof(text)) < 0 || read(fd[0], text, sizeof(text)) < 0)
			die("pipe");
	while (!done())
		usleep(10000);
	return n;
}

static long part(const char *name)
{
	if (!strcmp(name, "pipe"))
		return pipes();
	if (!strcmp(name, "messages"))
		return messages();
	if (!strcmp(name, "tcp"))
		return tcp();
	if (!strcmp(name, "udp"))
		return udp();
	if (!strncmp(name, "disk=", 5))
		return disk(name + 5);
	if (!strcmp(name, "memory"))
		return memory();
	if (!strcmp(name, "threads"))
		return threads();
	fprintf(stderr, "provoke_load: no part is called %s\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	int i, status, bad = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: provoke_load SECONDS PART...\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += atoi(argv[1]);
	for (i = 2; i < argc; i++) {
		if (child())
			continue;
		printf("%s %ld\n", argv[i], part(argv[i]));
		fflush(stdout);
		_exit(0);
	}
	while (wait(&status) > 0)
		bad |= status;
	return !!bad;
}
