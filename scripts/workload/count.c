// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts what a system call costs. Meant for a guest in which one instruction
 * takes one nanosecond (QEMU's -icount shift=0): there the time stamp counter
 * counts instructions.
 *
 * Usage: count [-l LOOPS] [-n CALLS] [-p EVENT[,EVENT...]] [-t TRACEFS] WHAT
 *
 *	check	exit 0 if the counter counts instructions, 1 otherwise
 *	getppid	a system call that does next to nothing
 *	pipe	a byte to another thread and one back, on one CPU
 *	fault	a page of memory touched for the first time, and given back
 *	udp	512 bytes to oneself over the loopback device
 *	pread	4 KiB of a file in the page cache
 *	fork	a child that ends at once, and waiting for it
 *	exec	the same, and the child is another program, /bin/true
 *	random	4 KiB of a file of 16 MiB in the page cache, anywhere in it
 *
 * Usage: count run COMMAND [ARGUMENT...]
 *
 * Runs the command and prints how many instructions that took, all processes and the
 * kernel, what the CPU was idle excepted.
 *
 * Runs LOOPS loops of CALLS calls and prints four numbers, instructions per
 * call: least, median, mean and most of the loops. A loop should be shorter than
 * a timer tick, so that most loops have none inside; the least and the median
 * are then free of ticks and the mean includes its share of them.
 *
 * -p records the tracepoints named GROUP:NAME meanwhile, through perf events and
 * with the attributes that `perf record -e EVENT,... COMMAND` sets. The ring
 * buffer is emptied between the loops: that is not part of the count.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PERF_DATA_BYTES	(4UL << 20)
#define CHECK_TURNS	100000UL
#define FILE_PAGES	4096

static const char *tracefs = "/sys/kernel/tracing";
static struct perf_event_mmap_page *perf_page;
static int in, out;	/* the pipes' ends that the measuring process holds */

static void die(const char *what)
{
	fprintf(stderr, "count: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* === The counter, and loops whose own instructions are known === */

#ifdef __x86_64__
static inline uint64_t counter(void)
{
	uint32_t lo, hi;

	asm volatile("rdtsc" : "=a" (lo), "=d" (hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

/* Two instructions a turn. */
static void turn(unsigned long turns)
{
	asm volatile("1: dec %0; jnz 1b" : "+r" (turns) : : "cc");
}

/* Three instructions a call beside the call itself: mov, dec, jnz. */
static void getppids(unsigned long calls)
{
	asm volatile("1: mov %1, %%eax; syscall; dec %0; jnz 1b"
		     : "+r" (calls)
		     : "i" (SYS_getppid)
		     : "rax", "rcx", "r11", "cc", "memory");
}
#else
static inline uint64_t counter(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static void turn(unsigned long turns)
{
	while (turns--)
		asm volatile("" : : : "memory");
}

static void getppids(unsigned long calls)
{
	while (calls--)
		syscall(SYS_getppid);
}
#endif

static void round_trips(unsigned long calls)
{
	char c = 0;

	while (calls--)
		if (write(out, &c, 1) != 1 || read(in, &c, 1) != 1)
			die("pipe");
}

static void *echo(void *ends)
{
	int *fd = ends;
	char c;

	while (read(fd[0], &c, 1) == 1 && write(fd[1], &c, 1) == 1)
		;
	return NULL;
}

/*
 * Starts the thread at the other end, which ends with the process. A thread and
 * not a process: what it costs to change the address space depends on how many
 * others were in use lately, that is on what ran before.
 */
static void start_echo(void)
{
	static int there[2], back[2], fd[2];
	pthread_t thread;

	if (pipe(there) || pipe(back))
		die("pipe");
	fd[0] = there[0];
	fd[1] = back[1];
	out = there[1];
	in = back[0];
	errno = pthread_create(&thread, NULL, echo, fd);
	if (errno)
		die("pthread_create");
}

static void faults(unsigned long calls)
{
	static char *memory;
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned long i;

	if (!memory) {
		memory = mmap(NULL, calls * page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			die("mmap");
		madvise(memory, calls * page, MADV_NOHUGEPAGE);
	}
	for (i = 0; i < calls; i++)
		((volatile char *)memory)[i * page] = 1;
	if (madvise(memory, calls * page, MADV_DONTNEED))
		die("madvise");
}

static void packets(unsigned long calls)
{
	static char data[512];
	static int fd = -1;

	if (fd < 0) {
		struct sockaddr_in addr = {
			.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		};
		socklen_t len = sizeof(addr);

		fd = socket(AF_INET, SOCK_DGRAM, 0);
		if (fd < 0 || bind(fd, (void *)&addr, len) ||
		    getsockname(fd, (void *)&addr, &len) || connect(fd, (void *)&addr, len))
			die("socket");
	}
	while (calls--)
		if (send(fd, data, sizeof(data), 0) != sizeof(data) ||
		    recv(fd, data, sizeof(data), 0) != sizeof(data))
			die("udp");
}

static void preads(unsigned long calls)
{
	static char data[4096];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("count", 0);
		if (fd < 0 || write(fd, data, sizeof(data)) != sizeof(data))
			die("memfd");
	}
	while (calls--)
		if (pread(fd, data, sizeof(data), 0) != sizeof(data))
			die("pread");
}

static void forks(unsigned long calls)
{
	while (calls--) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid)
			_exit(0);
		if (waitpid(pid, NULL, 0) != pid)
			die("waitpid");
	}
}

static void execs(unsigned long calls)
{
	while (calls--) {
		pid_t pid = fork();
		int status;

		if (pid < 0)
			die("fork");
		if (!pid) {
			execl("/bin/true", "true", NULL);
			_exit(127);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			die("/bin/true");
	}
}

static void random_preads(unsigned long calls)
{
	static uint64_t seed = 88172645463325252ULL;	/* of Marsaglia's xorshift */
	static char data[4096];
	static int fd = -1;

	if (fd < 0) {
		int i;

		fd = memfd_create("count", 0);
		for (i = 0; i < FILE_PAGES; i++)
			if (fd < 0 || write(fd, data, sizeof(data)) != sizeof(data))
				die("memfd");
	}
	while (calls--) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		if (pread(fd, data, sizeof(data), seed % FILE_PAGES * sizeof(data)) !=
		    sizeof(data))
			die("pread");
	}
}

/* === Recording as perf record does === */

static int event_id(const char *event)
{
	char path[256];
	const char *colon = strchr(event, ':');
	FILE *f;
	int id;

	if (!colon) {
		fprintf(stderr, "count: %s is not GROUP:NAME\n", event);
		exit(2);
	}
	snprintf(path, sizeof(path), "%s/events/%.*s/%s/id", tracefs,
		 (int)(colon - event), event, colon + 1);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%d", &id) != 1)
		die(path);
	fclose(f);
	return id;
}

static void perf_start(char *events)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_RAW,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.inherit = 1,
		.sample_id_all = 1,
		.exclude_guest = 1,
		.watermark = 1,
		.wakeup_watermark = PERF_DATA_BYTES / 2,
	};
	int fd, first = -1;
	char *event;

	for (event = strtok(events, ","); event; event = strtok(NULL, ",")) {
		attr.config = event_id(event);
		fd = syscall(SYS_perf_event_open, &attr, 0, 0, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0)
			die("perf_event_open");
		if (first >= 0) {
			if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first))
				die("PERF_EVENT_IOC_SET_OUTPUT");
			continue;
		}
		first = fd;
		perf_page = mmap(NULL, sysconf(_SC_PAGESIZE) + PERF_DATA_BYTES,
				 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (perf_page == MAP_FAILED)
			die("mmap");
	}
}

/* Empties the ring buffer; returns the number of bytes that were in it. */
static uint64_t perf_drain(void)
{
	uint64_t bytes, head;

	head = __atomic_load_n(&perf_page->data_head, __ATOMIC_ACQUIRE);
	bytes = head - perf_page->data_tail;
	__atomic_store_n(&perf_page->data_tail, head, __ATOMIC_RELEASE);
	return bytes;
}

/* === Measuring === */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void measure(void (*fn)(unsigned long), unsigned long calls, int loops)
{
	double *cost = calloc(loops, sizeof(*cost)), sum = 0;
	uint64_t before, none = ~0ULL;
	int i;

	if (!cost)
		die("calloc");
	for (i = 0; i < 10; i++) {
		before = counter();
		before = counter() - before;
		if (before < none)
			none = before;
	}

	/* Not counted: page faults of the first time, buffers being set up. */
	fn(calls);
	for (i = 0; i < loops; i++) {
		uint64_t bytes = 0;

		if (perf_page)
			perf_drain();
		before = counter();
		fn(calls);
		cost[i] = (double)(counter() - before - none) / calls;
		sum += cost[i];
		if (perf_page)
			bytes = perf_drain();
		if (perf_page && (bytes < calls * 64 || bytes > PERF_DATA_BYTES * 9 / 10)) {
			fprintf(stderr, "count: %llu bytes in perf's ring buffer: events are missing\n",
				(unsigned long long)bytes);
			exit(1);
		}
	}
	qsort(cost, loops, sizeof(*cost), compare);
	printf("%.2f %.2f %.2f %.2f\n", cost[0],
	       (cost[(loops - 1) / 2] + cost[loops / 2]) / 2, sum / loops, cost[loops - 1]);
	free(cost);
}

/* How long CPU 0 was idle, in ns. */
static uint64_t idle_ns(void)
{
	FILE *f = fopen("/proc/timer_list", "r");
	unsigned long long ns;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " .idle_sleeptime : %llu", &ns) == 1) {
			fclose(f);
			return ns;
		}
	die("/proc/timer_list");
	return 0;
}

static int run(char **command)
{
	uint64_t idle = idle_ns(), before = counter();
	pid_t pid = fork();
	int status;

	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(command[0], command);
		fprintf(stderr, "count: %s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	before = counter() - before;
	printf("%llu\n", (unsigned long long)(before - (idle_ns() - idle)));
	return status ? 1 : 0;
}

static int check(void)
{
	uint64_t before, ticks, least = ~0ULL;
	int i;

	for (i = 0; i < 20; i++) {
		before = counter();
		turn(CHECK_TURNS);
		ticks = counter() - before;
		if (ticks < least)
			least = ticks;
	}
	printf("%.4f\n", (double)least / (2 * CHECK_TURNS));
	return least < 2 * CHECK_TURNS || least > 2 * CHECK_TURNS + 20;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: count [-l LOOPS] [-n CALLS] [-p EVENT[,EVENT...]] [-t TRACEFS] check|getppid|pipe|fault|udp|pread|fork|exec|random\n"
		"       count run COMMAND [ARGUMENT...]\n");
	return 2;
}

int main(int argc, char **argv)
{
	char *events = NULL;
	long calls = 1000;
	int loops = 101;
	cpu_set_t cpus;
	int opt;

	if (argc > 2 && !strcmp(argv[1], "run"))
		return run(argv + 2);
	while ((opt = getopt(argc, argv, "l:n:p:t:")) != -1) {
		switch (opt) {
		case 'l':
			loops = atoi(optarg);
			break;
		case 'n':
			calls = atol(optarg);
			break;
		case 'p':
			events = optarg;
			break;
		case 't':
			tracefs = optarg;
			break;
		default:
			return usage();
		}
	}
	if (optind != argc - 1 || loops < 1 || calls < 1)
		return usage();

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
	if (events)
		perf_start(events);

	if (!strcmp(argv[optind], "check"))
		return check();
	if (!strcmp(argv[optind], "getppid")) {
		measure(getppids, calls, loops);
	} else if (!strcmp(argv[optind], "pipe")) {
		start_echo();
		measure(round_trips, calls, loops);
	} else if (!strcmp(argv[optind], "fault")) {
		measure(faults, calls, loops);
	} else if (!strcmp(argv[optind], "udp")) {
		measure(packets, calls, loops);
	} else if (!strcmp(argv[optind], "pread")) {
		measure(preads, calls, loops);
	} else if (!strcmp(argv[optind], "fork")) {
		measure(forks, calls, loops);
	} else if (!strcmp(argv[optind], "exec")) {
		measure(execs, calls, loops);
	} else if (!strcmp(argv[optind], "random")) {
		measure(random_preads, calls, loops);
	} else {
		return usage();
	}
	return 0;
}
