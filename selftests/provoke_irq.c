// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes interrupts, exceptions, 32-bit system calls and port I/O, and prints
 * what a trace must show of them. x86-64 only; elsewhere it does nothing.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "provoke.h"

#ifdef __x86_64__
#include <asm/ldt.h>

/* === Exceptions === */

static sigjmp_buf back;
static volatile sig_atomic_t got;
static volatile struct {
	unsigned long vector, ip, error, address;
	int sig, code;
} seen;

/* The signal's frame says what the kernel was told by the processor. */
static void handler(int sig, siginfo_t *info, void *context)
{
	const greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	/* Alignment is checked no more: glibc is not made for it. */
	asm volatile("pushfq; andq $~0x40000, (%%rsp); popfq" : : : "memory", "cc");
	seen.vector = regs[REG_TRAPNO];
	seen.ip = regs[REG_RIP];
	seen.error = regs[REG_ERR];
	/* CR2 is that of the last page fault. */
	seen.address = seen.vector == 14 ? regs[REG_CR2] : 0;
	seen.sig = sig;
	seen.code = info->si_code;
	got = 1;
	siglongjmp(back, 1);
}

/* A place to be in an exception: the addresses are those of the code itself. */
#define TRY(name, ...)								\
do {										\
	got = 0;								\
	if (!sigsetjmp(back, 1))						\
		asm volatile(__VA_ARGS__);					\
	report(name);								\
} while (0)

static void report(const char *name)
{
	/* Also what a signal does not tell of: DR6 stands for the error code. */
	if (got && seen.vector == 1)
		seen.error = seen.code == TRAP_TRACE ? 0x4000 : 0;
	if (got)
		printf("%s 0x%lx 0x%lx 0x%lx 0x%lx\n", name, seen.vector, seen.ip, seen.error,
		       seen.address);
	else
		printf("%s none\n", name);
}

/*
 * Code that is run with the processor in 32-bit mode, for instructions which
 * 64-bit mode has not. It ends in an exception.
 */
asm(".pushsection .rodata\n"
	".code32\n"
	"code_into:	mov $0x7fffffff, %eax\n"
	"		add $1, %eax\n"
	"		into\n"
	"code_bound: lea 64(%edx), %ecx\n"
	"		movl $1, (%ecx)\n"
	"		movl $2, 4(%ecx)\n"
	"		mov $5, %eax\n"
	"		bound %eax, (%ecx)\n"
	"code_end:\n"
	".code64\n"
	".popsection\n");
extern const char code_into[], code_bound[], code_end[];

static void try_32(const char *name, void *page, const char *code, const char *end)
{
	struct {
		uint32_t offset;
		uint16_t selector;
	} __attribute__((packed)) place = { (unsigned long)page, 0x23 };

	memcpy(page, code, end - code);
	got = 0;
	/* (A far return would be as good, but QEMU 7.2 reads the stack as the kernel.) */
	if (!sigsetjmp(back, 1))
		asm volatile("mov $0x2b, %%ecx\n\t"
			     "mov %%ecx, %%ds\n\t"
			     "mov %%ecx, %%es\n\t"
			     "ljmpl *%1" : : "d" ((unsigned long)page), "m" (place)
			     : "rcx", "memory");
	report(name);
}

static unsigned long sink;

static void exceptions(void)
{
	struct sigaction sa = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	static const int sigs[] = { SIGFPE, SIGTRAP, SIGSEGV, SIGILL, SIGBUS };
	struct user_desc absent = {
		.entry_number = 1, .base_addr = 0, .limit = 0xfffff, .seg_32bit = 1,
		.limit_in_pages = 1, .seg_not_present = 1, .useable = 1,
	};
	stack_t stack = { .ss_size = 1 << 16 };
	unsigned short control = 0x37b;		/* all but division by zero masked */
	unsigned int mxcsr = 0x1d00;
	char *page, *readable, *low;
	size_t i;

	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	for (i = 0; i < sizeof(sigs) / sizeof(*sigs); i++)
		sigaction(sigs[i], &sa, NULL);
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	readable = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	low = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (page == MAP_FAILED || readable == MAP_FAILED || low == MAP_FAILED)
		die("mmap");
	memset(low, 0, 4096);
	sink = readable[0];

	printf("pid %d\n", getpid());
	TRY("divide", "xor %%edx, %%edx; mov $1, %%eax; xor %%ecx, %%ecx; div %%ecx"
	    : : : "eax", "ecx", "edx");
	TRY("step", "pushfq; orq $0x100, (%%rsp); popfq; nop; nop" : : : "memory", "cc");
	TRY("icebp", ".byte 0xf1" : : : "memory");
	TRY("int3", "int3" : : : "memory");
	try_32("into", low, code_into, code_bound);
	try_32("bound", low, code_bound, code_end);
	TRY("ud2", "ud2" : : : "memory");
	TRY("hlt", "hlt" : : : "memory");
	TRY("selector", "mov %0, %%es" : : "r" (0x7ff8) : "memory");
	TRY("canonical", "mov (%0), %%rax" : : "r" (0x1234567812345678UL) : "rax", "memory");
	if (!syscall(SYS_modify_ldt, 0x11, &absent, sizeof(absent))) {
		TRY("absent", "mov %0, %%es" : : "r" (0xf) : "memory");
		TRY("stack", "mov %0, %%ss" : : "r" (0xf) : "memory");
	}
	TRY("read", "mov 0x123(%0), %%al" : : "r" (page) : "eax", "memory");
	TRY("write", "movb $1, 0x321(%0)" : : "r" (readable) : "memory");
	TRY("execute", "call *%0" : : "r" (readable + 0x10) : "memory");
	TRY("kernel", "mov (%0), %%rax" : : "r" (0xffff800000000000UL) : "rax", "memory");
	TRY("x87", "fldcw %0; fldz; fld1; fdivp; fwait" : : "m" (control) : "memory");
	asm volatile("fninit");
	TRY("simd", "ldmxcsr %0; xorps %%xmm0, %%xmm0; divss %%xmm0, %%xmm0"
	    : : "m" (mxcsr) : "xmm0", "memory");
	TRY("align", "pushfq; orq $0x40000, (%%rsp); popfq; mov 1(%0), %%eax;"
	    "pushfq; andq $~0x40000, (%%rsp); popfq" : : "r" (low) : "eax", "memory", "cc");
}

/* touch N: writes to as many fresh pages; their first address, and how many faults. */
static void touch(long n)
{
	struct rusage before, after;
	char *p;
	long i;

	p = mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		die("mmap");
	madvise(p, n * 4096, MADV_NOHUGEPAGE);
	printf("%d %p ", getpid(), p);
	getrusage(RUSAGE_SELF, &before);
	for (i = 0; i < n; i++)
		p[i * 4096 + i % 4096] = 1;
	getrusage(RUSAGE_SELF, &after);
	printf("%ld\n", after.ru_minflt - before.ru_minflt);
}

/* The kernel reads from where there is nothing, and is refused. */
static void kernel_fault(void)
{
	char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pair[2];

	if (p == MAP_FAILED || pipe(pair))
		die("mmap");
	errno = 0;
	if (write(pair[1], p + 0x456, 8) != -1 || errno != EFAULT)
		die("write");
	printf("%d %p\n", getpid(), p + 0x456);
}

/*
 * A watchpoint on a variable, that the program hits twice and the kernel once:
 * the PID, and how often perf counted.
 */
static volatile uint64_t watched;

static void watch(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (unsigned long)&watched,
		.bp_len = HW_BREAKPOINT_LEN_8,
	};
	uint64_t count;
	int fd, pair[2];

	if (pipe(pair) || write(pair[1], "12345678", 8) != 8)
		die("pipe");
	watched = 1;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		die("perf_event_open");
	watched = 2;
	watched = 3;
	if (read(pair[0], (void *)&watched, 8) != 8)
		die("read");
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		die("count");
	close(fd);
	printf("%d %" PRIu64 "\n", getpid(), count);
}

/* === System calls of 32-bit programs === */

/* int $0x80 in a 64-bit program: write(2) of the 32-bit table, to no file. */
static void int80(void)
{
	int ret;

	asm volatile("int $0x80" : "=a" (ret)
		     : "a" (4), "b" (0x7ffffff1), "c" (0x1234), "d" (0x5678)
		     : "r8", "r9", "r10", "r11", "memory");
	asm volatile("int $0x80" : : "a" (0x80000004), "b" (1), "c" (2), "d" (3)
		     : "r8", "r9", "r10", "r11", "memory");
	printf("%d %d\n", getpid(), ret);
}

/*
 * A 32-bit program: the same call by way of the vDSO, then exit(7). It finds the
 * vDSO's entry in the auxiliary vector.
 */
asm(".pushsection .rodata\n"
	".code32\n"
	"prog:	mov %esp, %esi\n"
	"		lodsl\n"
	"		lea 4(%esi, %eax, 4), %esi\n"
	"1:		lodsl\n"
	"		test %eax, %eax\n"
	"		jnz 1b\n"
	"2:		lodsl\n"
	"		mov %eax, %ecx\n"
	"		lodsl\n"
	"		cmp $32, %ecx\n"		/* AT_SYSINFO */
	"		je 3f\n"
	"		test %ecx, %ecx\n"
	"		jnz 2b\n"
	"		mov $3, %ebx\n"
	"		jmp 4f\n"
	"3:		mov %eax, %esi\n"
	"		mov $4, %eax\n"
	"		mov $0x7ffffff1, %ebx\n"
	"		mov $0x1234, %ecx\n"
	"		mov $0x5678, %edx\n"
	"		call *%esi\n"
	"		mov $7, %ebx\n"
	"		cmp $-9, %eax\n"		/* -EBADF */
	"		je 4f\n"
	"		mov $5, %ebx\n"
	"4:		mov $1, %eax\n"
	"		int $0x80\n"
	"prog_end:\n"
	".code64\n"
	".popsection\n");
extern const char prog[], prog_end[];

#define BASE	0x10000000

struct image {
	Elf32_Ehdr head;
	Elf32_Phdr load;
	char code[256];
};

static void exec32(void)
{
	struct image image = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_386,
			.e_version = EV_CURRENT,
			.e_entry = BASE + offsetof(struct image, code),
			.e_phoff = sizeof(Elf32_Ehdr),
			.e_ehsize = sizeof(Elf32_Ehdr),
			.e_phentsize = sizeof(Elf32_Phdr),
			.e_phnum = 1,
		},
		.load = {
			.p_type = PT_LOAD,
			.p_vaddr = BASE,
			.p_filesz = sizeof(image),
			.p_memsz = sizeof(image),
			.p_flags = PF_R | PF_X,
			.p_align = 4096,
		},
	};
	char *argv[] = { "lkst_32", NULL };
	int fd, status;
	pid_t pid;

	memcpy(image.code, prog, prog_end - prog);
	fd = memfd_create("lkst_32", MFD_CLOEXEC);
	if (fd < 0 || write(fd, &image, sizeof(image)) != sizeof(image))
		die("memfd");
	pid = fork();
	if (!pid) {
		fexecve(fd, argv, argv + 1);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	printf("%d %d\n", pid, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* === Ports === */

/* port NUMBER [VALUE]: /dev/port; the PID, and what was read. */
static void port(long number, int argc, char **argv)
{
	int fd = open("/dev/port", O_RDWR);
	unsigned char byte;

	if (fd < 0)
		die("/dev/port");
	if (argc) {
		byte = strtol(argv[0], NULL, 0);
		if (pwrite(fd, &byte, 1, number) != 1)
			die("write");
	} else if (pread(fd, &byte, 1, number) != 1) {
		die("read");
	}
	printf("%d 0x%x\n", getpid(), byte);
}

/* === System calls that are none === */

static void nothing(int sig)
{
}

/* refused: prints PID and result of a getpgid() that seccomp refuses; and gets a signal. */
static void refused(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
	signal(SIGUSR1, nothing);
	raise(SIGUSR1);
	printf("%d %ld\n", getpid(), syscall(SYS_getpgid, 0x7ffffff1));
}

/* === Others === */

/* on CPU COMMAND...: runs it there. */
static void on(long cpu, char **argv)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	execvp(argv[0], argv);
	die(argv[0]);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(verb, "exceptions"))
		exceptions();
	else if (!strcmp(verb, "touch") && argc == 3)
		touch(atol(argv[2]));
	else if (!strcmp(verb, "kernel_fault"))
		kernel_fault();
	else if (!strcmp(verb, "watch"))
		watch();
	else if (!strcmp(verb, "int80"))
		int80();
	else if (!strcmp(verb, "exec32"))
		exec32();
	else if (!strcmp(verb, "refused"))
		refused();
	else if (!strcmp(verb, "port") && argc >= 3)
		port(strtol(argv[2], NULL, 0), argc - 3, argv + 3);
	else if (!strcmp(verb, "on") && argc >= 4)
		on(atol(argv[2]), argv + 3);
	else
		return 2;
	return 0;
}

#else

int main(void)
{
	return 4;
}

#endif
