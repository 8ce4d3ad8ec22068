// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the system calls of System V IPC, and prints the records that a trace must
 * then have: "PID SYSV_IPC CALL ARG1 ARG2 ARG3", in the order of the calls.
 *
 * provoke_ipc native|compat|direct: by the system calls of this architecture; by
 * ipc(2) of 32-bit programs, where the kernel runs these; by the calls that 32-bit
 * programs have beside it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/ipc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not those of the C library, which clash with the kernel's. */
struct sembuf {
	unsigned short num;
	short op, flg;
};

#define SETVAL	16

static struct {
	long call;
	uint64_t arg[3];
} wanted[64];
static unsigned int nr_wanted;

static void want(int call, uint64_t a, uint64_t b, uint64_t c)
{
	if (nr_wanted == sizeof(wanted) / sizeof(wanted[0]))
		exit(3);
	wanted[nr_wanted].call = call;
	wanted[nr_wanted].arg[0] = a;
	wanted[nr_wanted].arg[1] = b;
	wanted[nr_wanted++].arg[2] = c;
}

static void print_wanted(void)
{
	unsigned int i;

	for (i = 0; i < nr_wanted; i++)
		printf("%d SYSV_IPC 0x%lx 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 "\n",
		       getpid(), wanted[i].call, wanted[i].arg[0], wanted[i].arg[1],
		       wanted[i].arg[2]);
}

static long check(long ret, const char *what)
{
	if (ret < 0) {
		fprintf(stderr, "provoke_ipc: %s: %s\n", what, strerror(errno));
		exit(1);
	}
	return ret;
}

#define P(x)	((uint64_t)(uintptr_t)(x))

/* The memory that calls point to lies where 32 bits reach it. */
static struct {
	struct sembuf op[2];
	struct { long type; char text[16]; } msg;
	struct { int32_t type; char text[16]; } msg32;
	struct { uint32_t msg; int32_t type; } kludge;
	struct { int64_t sec, nsec; } wait;
	struct { int32_t sec, nsec; } wait32;
	uint32_t value, address;
	char out[256];
} *m;

#ifdef SYS_semop

static void native(void)
{
	long sem, msg, shm, at;

	sem = check(syscall(SYS_semget, IPC_PRIVATE, 2, 0600), "semget");
	want(SEMGET, IPC_PRIVATE, 2, 0600);
	check(syscall(SYS_semctl, sem, 1, SETVAL, 5), "semctl");
	want(SEMCTL, sem, 1, SETVAL);
	check(syscall(SYS_semop, sem, m->op, 2), "semop");
	want(SEMOP, sem, P(m->op), 2);
	check(syscall(SYS_semtimedop, sem, m->op, 1, &m->wait), "semtimedop");
	want(SEMTIMEDOP, sem, P(m->op), 1);
	/* This is how the C library does semop(). */
	check(syscall(SYS_semtimedop, sem, m->op, 1, NULL), "semtimedop");
	want(SEMOP, sem, P(m->op), 1);
	check(syscall(SYS_semctl, sem, 0, IPC_RMID, 0), "semctl");
	want(SEMCTL, sem, 0, IPC_RMID);

	msg = check(syscall(SYS_msgget, 0x1234567, IPC_CREAT | 0600), "msgget");
	want(MSGGET, 0x1234567, IPC_CREAT | 0600, 0);
	check(syscall(SYS_msgsnd, msg, &m->msg, 10, 0), "msgsnd");
	want(MSGSND, msg, P(&m->msg), 10);
	check(syscall(SYS_msgrcv, msg, &m->msg, 12, 0, 0), "msgrcv");
	want(MSGRCV, msg, P(&m->msg), 12);
	check(syscall(SYS_msgctl, msg, IPC_RMID, m->out), "msgctl");
	want(MSGCTL, msg, IPC_RMID, P(m->out));

	shm = check(syscall(SYS_shmget, IPC_PRIVATE, 12288, 0600), "shmget");
	want(SHMGET, IPC_PRIVATE, 12288, 0600);
	at = check(syscall(SYS_shmat, shm, NULL, 010000), "shmat");
	want(SHMAT, shm, 0, 010000);
	check(syscall(SYS_shmdt, at), "shmdt");
	want(SHMDT, at, 0, 0);
	check(syscall(SYS_shmctl, shm, IPC_RMID, m->out), "shmctl");
	want(SHMCTL, shm, IPC_RMID, P(m->out));

	/* Those that fail are told too. */
	syscall(SYS_semctl, -5, 7, 0x1234, 0);
	want(SEMCTL, -5, 7, 0x1234);
	syscall(SYS_shmdt, 0x12345001);
	want(SHMDT, 0x12345001, 0, 0);
}

#else

/* What calls ipc(2) alone has is not tested here. */
static void native(void)
{
	exit(4);
}

#endif

#ifdef __x86_64__

/* A system call of a 32-bit program: from 64-bit code these do as well. */
static long call32(long nr, long a, long b, long c, long d, long e)
{
	long ret;

	asm volatile("push %%rbp; xor %%ebp, %%ebp; int $0x80; pop %%rbp"
		     : "=a" (ret)
		     : "0" (nr), "b" (a), "c" (b), "d" (c), "S" (d), "D" (e)
		     : "memory", "r8", "r9", "r10", "r11");
	ret = (int)ret;
	if (ret < 0 && ret > -4096) {
		errno = -ret;
		return -1;
	}
	return (unsigned int)ret;
}

/* The last argument of semtimedop is the sixth. */
static long semtimedop32(long sem, long n, void *op, void *timeout)
{
	register void *last asm("r12") = timeout;
	long ret;

	asm volatile("push %%rbp; mov %%r12d, %%ebp; int $0x80; pop %%rbp"
		     : "=a" (ret)
		     : "0" (117L), "b" ((long)SEMTIMEDOP), "c" (sem), "d" (n), "S" (0L),
		       "D" (op), "r" (last)
		     : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

#define ipc(call, first, second, third, ptr) \
	check(call32(117, call, first, second, third, P(ptr)), #call)

static bool has_compat(void)
{
	/* getpid() */
	return call32(20, 0, 0, 0, 0, 0) == getpid();
}

static void compat(void)
{
	long sem, msg, shm, ret;

	sem = ipc(SEMGET, IPC_PRIVATE, 2, 0600, 0);
	want(SEMGET, IPC_PRIVATE, 2, 0600);
	m->value = 5;
	ipc(SEMCTL, sem, 1, SETVAL, &m->value);
	want(SEMCTL, sem, 1, SETVAL);
	ipc(SEMOP, sem, 2, 0, m->op);
	want(SEMOP, sem, P(m->op), 2);
	/* Not there without CONFIG_COMPAT_32BIT_TIME. */
	ret = semtimedop32(sem, 1, m->op, &m->wait32);
	if (!ret)
		want(SEMTIMEDOP, sem, P(m->op), 1);
	else if (ret != -ENOSYS)
		exit(1);
	ipc(SEMCTL, sem, 0, IPC_RMID, &m->value);
	want(SEMCTL, sem, 0, IPC_RMID);

	msg = ipc(MSGGET, 0x1234567, IPC_CREAT | 0600, 0, 0);
	want(MSGGET, 0x1234567, IPC_CREAT | 0600, 0);
	ipc(MSGSND, msg, 10, 0, &m->msg32);
	want(MSGSND, msg, P(&m->msg32), 10);
	m->kludge.msg = P(&m->msg32);
	ipc(MSGRCV, msg, 12, 0, &m->kludge);
	want(MSGRCV, msg, P(&m->msg32), 12);
	ipc(MSGCTL, msg, IPC_RMID, 0, m->out);
	want(MSGCTL, msg, IPC_RMID, P(m->out));

	shm = ipc(SHMGET, IPC_PRIVATE, 12288, 0600, 0);
	want(SHMGET, IPC_PRIVATE, 12288, 0600);
	ipc(SHMAT, shm, 010000, P(&m->address), 0);
	want(SHMAT, shm, 0, 010000);
	ipc(SHMDT, 0, 0, 0, P(m->address));
	want(SHMDT, m->address, 0, 0);
	ipc(SHMCTL, shm, IPC_RMID, 0, m->out);
	want(SHMCTL, shm, IPC_RMID, P(m->out));
}

#define direct(nr, a, b, c, d, e) check(call32(nr, a, b, c, d, e), #nr)

static void direct32(void)
{
	long sem, msg, shm, at;

	sem = direct(393, IPC_PRIVATE, 2, 0600, 0, 0);
	want(SEMGET, IPC_PRIVATE, 2, 0600);
	direct(394, sem, 1, SETVAL, 5, 0);
	want(SEMCTL, sem, 1, SETVAL);
	direct(420, sem, P(m->op), 1, P(&m->wait), 0);
	want(SEMTIMEDOP, sem, P(m->op), 1);
	direct(394, sem, 0, IPC_RMID, 0, 0);
	want(SEMCTL, sem, 0, IPC_RMID);

	msg = direct(399, 0x1234567, IPC_CREAT | 0600, 0, 0, 0);
	want(MSGGET, 0x1234567, IPC_CREAT | 0600, 0);
	direct(400, msg, P(&m->msg32), 10, 0, 0);
	want(MSGSND, msg, P(&m->msg32), 10);
	direct(401, msg, P(&m->msg32), 12, 0, 0);
	want(MSGRCV, msg, P(&m->msg32), 12);
	direct(402, msg, IPC_RMID, P(m->out), 0, 0);
	want(MSGCTL, msg, IPC_RMID, P(m->out));

	shm = direct(395, IPC_PRIVATE, 12288, 0600, 0, 0);
	want(SHMGET, IPC_PRIVATE, 12288, 0600);
	at = direct(397, shm, 0, 010000, 0, 0);
	want(SHMAT, shm, 0, 010000);
	direct(398, at, 0, 0, 0, 0);
	want(SHMDT, at, 0, 0);
	direct(396, shm, IPC_RMID, P(m->out), 0, 0);
	want(SHMCTL, shm, IPC_RMID, P(m->out));
}

#else

static bool has_compat(void)
{
	return false;
}

static void compat(void) { }
static void direct32(void) { }

#define MAP_32BIT	0

#endif

int main(int argc, char **argv)
{
	m = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (m == MAP_FAILED)
		return 1;
	/* Up by one, down by one. */
	m->op[0].op = 1;
	m->op[1].num = 1;
	m->op[1].op = -1;
	m->msg.type = 3;
	m->msg32.type = 3;
	m->wait.sec = 1;
	m->wait32.sec = 1;

	if (argc == 2 && !strcmp(argv[1], "native")) {
		native();
	} else if (argc == 2 && !strcmp(argv[1], "compat")) {
		if (!has_compat())
			return 4;
		compat();
	} else if (argc == 2 && !strcmp(argv[1], "direct")) {
		if (!has_compat())
			return 4;
		direct32();
	} else {
		fprintf(stderr, "usage: provoke_ipc native|compat|direct\n");
		return 2;
	}
	print_wanted();
	return 0;
}
