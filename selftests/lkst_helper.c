// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the shell tests of LKST cannot do themselves: see the error of a write,
 * provoke one event exactly, and decode records without LKST's own tools.
 *
 * lkst_helper VERB [ARG...]; the verbs are listed in verbs[] below.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <grp.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>

#include "lkst_raw.h"
#include "provoke.h"

#define MAX_CPUS	256
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static void usage(void);

static uint64_t now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static char *slurp(int fd, size_t *len)
{
	size_t size = 65536;
	char *buf = malloc(size);
	ssize_t got;

	*len = 0;
	while (buf && (got = read(fd, buf + *len, size - *len)) > 0) {
		*len += got;
		if (*len == size)
			buf = realloc(buf, size *= 2);
	}
	if (!buf)
		die("malloc");
	return buf;
}

/* === Control files === */

/* What is written to, or follows from it: the settings. */
static const char * const settings[] = {
	"enable", "clock", "maskset", "masksets/*", "buffer", "events",
	"per_cpu/*/buffer", "buffers/*/size", "buffers/*/mode", "buffers/*/next",
	"handlers/*/users",
};

struct text {
	char *s;
	size_t len;
};

static void add_text(struct text *t, const char *s, size_t len)
{
	t->s = realloc(t->s, t->len + len + 1);
	if (!t->s)
		die("realloc");
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = 0;
}

/* The settings of everything below a folder, and the names of all files. */
static void add_settings(struct text *t, const char *dir)
{
	struct dirent **entry;
	int i, n, fd;
	size_t j;

	n = scandir(dir, &entry, NULL, alphasort);
	for (i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;
		char path[512], *text;
		const char *rel;
		size_t len;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		rel = path + strlen(LKST_DIR "/");
		add_text(t, "== ", 3);
		add_text(t, rel, strlen(rel));
		add_text(t, "\n", 1);
		if (entry[i]->d_type == DT_DIR) {
			add_settings(t, path);
			continue;
		}
		for (j = 0; j < ARRAY_SIZE(settings); j++)
			if (!fnmatch(settings[j], rel, FNM_PATHNAME))
				break;
		fd = j < ARRAY_SIZE(settings) ? open(path, O_RDONLY) : -1;
		if (fd < 0)
			continue;
		text = slurp(fd, &len);
		close(fd);
		add_text(t, text, len);
		free(text);
	}
}

/* settings: prints them. */
static int verb_settings(int argc, char **argv)
{
	struct text t = { 0 };

	add_settings(&t, LKST_DIR);
	fputs(t.s, stdout);
	return 0;
}

/* One write of TEXT with a newline, as echo does it; returns the error's name. */
static const char *write_line(const char *path, const char *line)
{
	const char *err = "OK";
	char *text;
	int fd, len;

	len = asprintf(&text, "%s\n", line);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return strerrorname_np(errno);
	if (write(fd, text, len) != len)
		err = strerrorname_np(errno);
	if (close(fd))
		err = strerrorname_np(errno);
	free(text);
	return err;
}

/*
 * refused ERRNO|ERRNO FILE TEXT WORD: the write fails with one of these, error_log
 * has one line, of FILE and the error, with WORD in it, and nothing changed. Says
 * what is not so.
 */
static int verb_refused(int argc, char **argv)
{
	struct text before = { 0 }, after = { 0 };
	char path[512], wanted[80], given[80], head[512], *log, *p;
	const char *err;
	size_t len;
	int fd;

	if (argc != 5)
		usage();
	if (strcmp(write_line(LKST_DIR "/error_log", ""), "OK"))
		die("error_log");
	add_settings(&before, LKST_DIR);
	snprintf(path, sizeof(path), LKST_DIR "/%s", argv[2]);
	err = write_line(path, argv[3]);
	add_settings(&after, LKST_DIR);

	printf("writing \"%s\" to %s: %s\n", argv[3], argv[2], err);
	snprintf(wanted, sizeof(wanted), "|%s|", argv[1]);
	snprintf(given, sizeof(given), "|%s|", err);
	if (!strstr(wanted, given)) {
		printf("instead of %s\n", argv[1]);
		return 1;
	}
	if (strcmp(before.s, after.s)) {
		printf("changed this:\n%s\nto this:\n%s\n", before.s, after.s);
		return 1;
	}
	fd = open(LKST_DIR "/error_log", O_RDONLY);
	if (fd < 0)
		die("error_log");
	log = slurp(fd, &len);
	printf("%.*s", (int)len, log);
	if (!len || memchr(log, '\n', len) != log + len - 1) {
		printf("instead of one line in error_log\n");
		return 1;
	}
	log[len - 1] = 0;
	snprintf(head, sizeof(head), "] %s: %s: ", argv[2], err);
	p = strstr(log, head);
	if (log[0] != '[' || !p || !strstr(p + strlen(head), argv[4])) {
		printf("instead of a line that starts so and has \"%s\"\n", argv[4]);
		return 1;
	}
	return 0;
}

/*
 * wr [-c CHUNK] FILE [TEXT]: writes TEXT (with a newline) or stdin, in one
 * write() or in pieces, and prints OK or the name of the error.
 */
static int verb_wr(int argc, char **argv)
{
	size_t chunk = 0, len, pos = 0;
	const char *err = NULL;
	char *text;
	int fd;

	if (argc > 2 && !strcmp(argv[1], "-c")) {
		chunk = number(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (argc < 2 || argc > 3)
		usage();
	if (argc == 3) {
		if (asprintf(&text, "%s\n", argv[2]) < 0)
			die("asprintf");
		len = strlen(text);
	} else {
		text = slurp(0, &len);
	}

	fd = open(argv[1], O_WRONLY | O_TRUNC);
	if (fd < 0) {
		puts(strerrorname_np(errno));
		return 0;
	}
	do {
		size_t n = chunk && chunk < len - pos ? chunk : len - pos;
		ssize_t put = write(fd, text + pos, n);

		if (put < 0)
			err = strerrorname_np(errno);
		else if (put == 0 && n)
			err = "ZERO";
		else if ((size_t)put > n)
			err = "TOOMANY";
		else
			pos += put;
	} while (!err && pos < len);
	if (close(fd) && !err)
		err = strerrorname_np(errno);
	puts(err ? err : "OK");
	return 0;
}

/*
 * fault FILE TEXT: writes TEXT (with a newline) to FILE, then from where there is no memory,
 * then TEXT again, and prints what came of each.
 */
static int verb_fault(int argc, char **argv)
{
	int fd, i;

	if (argc != 3)
		usage();
	fd = open(argv[1], O_WRONLY | O_TRUNC);
	if (fd < 0)
		die(argv[1]);
	for (i = 0; i < 3; i++) {
		ssize_t put = i == 1 ? write(fd, (void *)1, strlen(argv[2])) :
			      dprintf(fd, "%s\n", argv[2]);

		printf("%s%s", i ? " " : "", put < 0 ? strerrorname_np(errno) : "OK");
	}
	putchar('\n');
	close(fd);
	return 0;
}

/* Reads all there is; LKST records what this process itself does. */
static void drain(int fd)
{
	static char buf[65536];

	while (read(fd, buf, sizeof(buf)) > 0)
		;
}

/*
 * rd [-d] FILE [SIZE]: one non-blocking read; prints how many bytes it gave or
 * the name of the error. With -d, what is there before goes first.
 */
static int verb_rd(int argc, char **argv)
{
	size_t size;
	ssize_t got;
	bool first = argc > 1 && !strcmp(argv[1], "-d");
	char *buf;
	int fd;

	argc -= first;
	argv += first;
	if (argc < 2 || argc > 3)
		usage();
	size = argc == 3 ? number(argv[2]) : 65536;
	buf = malloc(size + 1);
	fd = open(argv[1], O_RDONLY | O_NONBLOCK);
	if (fd < 0) {
		puts(strerrorname_np(errno));
		return 0;
	}
	if (first)
		drain(fd);
	got = read(fd, buf, size);
	if (got < 0)
		puts(strerrorname_np(errno));
	else
		printf("%zd\n", got);
	return 0;
}

/*
 * poll FILE MS: reads what is there, waits for more; prints how long it waited
 * in ms and what became ready.
 */
static int verb_poll(int argc, char **argv)
{
	struct pollfd p = { .events = POLLIN };
	uint64_t start;
	int ret;

	if (argc != 3)
		usage();
	p.fd = open(argv[1], O_RDONLY | O_NONBLOCK);
	if (p.fd < 0)
		die(argv[1]);
	drain(p.fd);
	start = now_ns(CLOCK_MONOTONIC);
	ret = poll(&p, 1, number(argv[2]));
	printf("%" PRIu64 " %s\n", (now_ns(CLOCK_MONOTONIC) - start) / 1000000,
	       ret == 0 ? "timeout" : p.revents & POLLIN ? "in" : "other");
	return 0;
}

/* === Running things === */

/*
 * limit SECONDS FILE COMMAND...: runs it in a process group of its own, ends it when
 * the time is up (status 124) and in any case all that it left behind. What cannot be
 * killed is left after DYING seconds, and the kernel logs where it waits. Makes FILE
 * if the kernel has warned since the last time; descriptor 3 is /dev/kmsg then.
 */
#define KMSG_FD	3
#define DYING	30

static bool kernel_warned(void)
{
	bool warned = false;
	char line[8192];
	ssize_t len;

	fcntl(KMSG_FD, F_SETFL, O_NONBLOCK);
	for (;;) {
		len = read(KMSG_FD, line, sizeof(line) - 1);
		if (len < 0 && errno == EAGAIN)
			return warned;
		/* EPIPE: there were more than the log holds. */
		if (len <= 0 && errno != EPIPE)
			return true;
		line[len > 0 ? len : 0] = 0;
		/* It starts with facility * 8 + level. */
		if (len <= 0 || (atoi(line) & 7) <= LOG_WARNING)
			warned = true;
	}
}

static volatile sig_atomic_t timed_out;
static volatile pid_t limited;

static void on_alarm(int sig)
{
	static const char left[] = "killed, and still there: see dmesg\n";
	int fd;

	if (!timed_out) {
		timed_out = 1;
		kill(-limited, SIGKILL);
		alarm(DYING);
		return;
	}
	fd = open("/proc/sysrq-trigger", O_WRONLY);
	if (write(fd, "w", 1) != 1 || write(STDERR_FILENO, left, sizeof(left) - 1) < 0)
		_exit(125);
	_exit(124);
}

static void on_term(int sig)
{
	kill(-limited, SIGKILL);
	_exit(128 + sig);
}

static int verb_limit(int argc, char **argv)
{
	int status = 0, st;
	pid_t pid, got;

	if (argc < 4)
		usage();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		setpgid(0, 0);
		close(KMSG_FD);
		execvp(argv[3], argv + 3);
		die(argv[3]);
	}
	setpgid(pid, pid);
	limited = pid;
	signal(SIGALRM, on_alarm);
	signal(SIGTERM, on_term);
	signal(SIGINT, on_term);
	alarm(number(argv[1]));
	while ((got = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
		;
	if (!timed_out)
		alarm(DYING);
	kill(-pid, SIGKILL);
	/* Whoever left the group does not hold us up. */
	while (waitpid(-pid, &st, 0) > 0 || errno == EINTR)
		;
	alarm(0);
	if (kernel_warned())
		close(open(argv[2], O_CREAT | O_WRONLY, 0600));
	if (timed_out)
		return 124;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* names N: takes another name N times, and the first one again. */
static int verb_names(int argc, char **argv)
{
	char was[16], name[16];
	long i, n;

	if (argc != 2)
		usage();
	n = number(argv[1]);
	prctl(PR_GET_NAME, was);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%ld", i);
		if (prctl(PR_SET_NAME, name))
			die("prctl");
	}
	if (prctl(PR_SET_NAME, was))
		die("prctl");
	return 0;
}

/* nr NAME: the number of a system call, as dump prints it. */
static int verb_nr(int argc, char **argv)
{
	static const struct {
		const char *name;
		int nr;
	} calls[] = {
		{ "clock_nanosleep", SYS_clock_nanosleep },
		{ "close", SYS_close },
		{ "exit_group", SYS_exit_group },
		{ "futex", SYS_futex },
		{ "getpgid", SYS_getpgid },
		{ "getppid", SYS_getppid },
		{ "lseek", SYS_lseek },
		{ "pread64", SYS_pread64 },
		{ "read", SYS_read },
		{ "write", SYS_write },
	};
	size_t i;

	for (i = 0; argc == 2 && i < ARRAY_SIZE(calls); i++) {
		if (!strcmp(argv[1], calls[i].name)) {
			printf("0x%x\n", calls[i].nr);
			return 0;
		}
	}
	fprintf(stderr, "lkst_helper: nr: one of the calls that it knows\n");
	return 2;
}

/* nobody COMMAND...: runs it without privileges. */
static int verb_nobody(int argc, char **argv)
{
	if (argc < 2)
		usage();
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		die("setuid");
	execvp(argv[1], argv + 1);
	die(argv[1]);
	return 1;
}

/* === Provoking events === */

/* getppid N [CPU]: prints "PID PPID", then calls getppid() N times. */
static int verb_getppid(int argc, char **argv)
{
	long n, i;

	if (argc < 2 || argc > 3)
		usage();
	if (argc == 3)
		pin(number(argv[2]));
	n = number(argv[1]);
	printf("%d %ld\n", getpid(), syscall(SYS_getppid));
	fflush(stdout);
	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	return 0;
}

/* syscalls: prints its PID and makes calls with arguments to recognise. */
static int verb_syscalls(int argc, char **argv)
{
	printf("%d\n", getpid());
	fflush(stdout);
	syscall(SYS_write, -1, 0x1234L, 0x5678L);
	syscall(SYS_pread64, -1, 0x1111L, 0x2222L, 0x3333L);
	syscall(SYS_close, 0x7fffabcdL);
	syscall(4000, 0xaaaaL, 0xbbbbL, 0xccccL);
	syscall(SYS_lseek, 1000000, 0x123456789abcdefL, 99L);
	return 0;
}

/*
 * child COMM CODE: a child that becomes the program COMM (a link to this one)
 * and ends with CODE, or, if CODE is negative, by that signal. Prints
 * "PARENT CHILD".
 */
static int verb_child(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc != 3)
		usage();
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		execl(argv[1], argv[1], "exit", argv[2], NULL);
		die(argv[1]);
	}
	waitpid(pid, &status, 0);
	printf("%d %d\n", getpid(), pid);
	return 0;
}

static int verb_exit(int argc, char **argv)
{
	long code;

	if (argc != 2)
		usage();
	code = number(argv[1]);
	if (code < 0)
		kill(getpid(), -code);
	return code;
}

/*
 * signals: prints "ME TARGET" and sends TARGET: SIGUSR1, blocked there; SIGUSR1
 * again, already pending; SIGUSR2, ignored; SIGKILL.
 */
static int verb_signals(int argc, char **argv)
{
	int ready[2], status;
	char c;
	pid_t pid;

	if (pipe(ready))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigprocmask(SIG_BLOCK, &set, NULL);
		signal(SIGUSR2, SIG_IGN);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &c, 1) != 1)
		die("read");
	printf("%d %d\n", getpid(), pid);
	fflush(stdout);
	kill(pid, SIGUSR1);
	kill(pid, SIGUSR1);
	kill(pid, SIGUSR2);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return 0;
}

static void pong(int in, int out, long n, const char *name, bool first)
{
	char c = 'p';
	long i;

	prctl(PR_SET_NAME, name);
	for (i = 0; i < n; i++) {
		if (first && write(out, &c, 1) != 1)
			_exit(1);
		if (read(in, &c, 1) != 1)
			_exit(1);
		if (!first && write(out, &c, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

/*
 * pingpong N CPU CPU2: two processes wake each other N times; prints their
 * PIDs and waits for them.
 */
static int verb_pingpong(int argc, char **argv)
{
	int a[2], b[2], status, bad = 0;
	pid_t ping, pongs;
	long n;

	if (argc != 4)
		usage();
	n = number(argv[1]);
	if (pipe(a) || pipe(b))
		die("pipe");
	ping = fork();
	if (!ping) {
		pin(number(argv[2]));
		pong(a[0], b[1], n, "lkst_ping", true);
	}
	pongs = fork();
	if (!pongs) {
		pin(number(argv[3]));
		pong(b[0], a[1], n, "lkst_pong", false);
	}
	printf("%d %d\n", ping, pongs);
	fflush(stdout);
	while (wait(&status) > 0)
		bad |= status;
	return !!bad;
}

/* udp N: sends N packets to itself over loopback. */
static int verb_udp(int argc, char **argv)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(addr);
	long n, i;
	char c;
	int in, out;

	if (argc != 2)
		usage();
	n = number(argv[1]);
	in = socket(AF_INET, SOCK_DGRAM, 0);
	out = socket(AF_INET, SOCK_DGRAM, 0);
	if (in < 0 || out < 0 || bind(in, (void *)&addr, len) ||
	    getsockname(in, (void *)&addr, &len))
		die("socket");
	for (i = 0; i < n; i++) {
		if (sendto(out, "x", 1, 0, (void *)&addr, len) != 1)
			die("sendto");
		if (recv(in, &c, 1, 0) != 1)
			die("recv");
	}
	return 0;
}

/* spin MS [CPU]: keeps a CPU busy. */
static int verb_spin(int argc, char **argv)
{
	uint64_t end;

	if (argc < 2 || argc > 3)
		usage();
	if (argc == 3)
		pin(number(argv[2]));
	end = now_ns(CLOCK_MONOTONIC) + number(argv[1]) * 1000000ULL;
	while (now_ns(CLOCK_MONOTONIC) < end)
		;
	return 0;
}

static int marker_fd(void)
{
	int fd = open(LKST_DIR "/marker", O_WRONLY);

	if (fd < 0)
		die("marker");
	return fd;
}

/*
 * Writes the marker "hog PID" and prints PID, how often it slept, and how often it lost
 * the CPU up to the last of its markers, as the kernel counted. A marker it lost the CPU
 * beside is written again: what is printed is exact.
 */
static void hog_counts(int marker)
{
	struct rusage before, after;
	char text[32];
	int len = snprintf(text, sizeof(text), "hog %d\n", getpid());

	getrusage(RUSAGE_SELF, &after);
	do {
		before = after;
		if (write(marker, text, len) != len)
			die("write");
		getrusage(RUSAGE_SELF, &after);
	} while (before.ru_nvcsw != after.ru_nvcsw || before.ru_nivcsw != after.ru_nivcsw);
	printf("%d %ld %ld\n", getpid(), after.ru_nvcsw, after.ru_nivcsw);
	fflush(stdout);
}

/* hogs N MS CPU: processes that want the CPU at once; of each a line of hog_counts(). */
static int verb_hogs(int argc, char **argv)
{
	int marker = marker_fd();
	long i, n;
	pid_t pid;

	if (argc != 4)
		usage();
	n = number(argv[1]);
	for (i = 0; i < n; i++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (pid)
			continue;
		verb_spin(argc - 1, argv + 1);
		hog_counts(marker);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

/*
 * load MS [CPU...]: system calls, pipes, forks and timers on those CPUs (all by
 * default). Prints how many rounds it made.
 */
static long load_cpu(int cpu, uint64_t end)
{
	long rounds = 0;
	int p[2];
	char c = 0;

	pin(cpu);
	prctl(PR_SET_NAME, "lkst_load");
	if (pipe(p))
		die("pipe");
	while (now_ns(CLOCK_MONOTONIC) < end) {
		int i;

		for (i = 0; i < 20; i++)
			syscall(SYS_getppid);
		if (write(p[1], &c, 1) != 1 || read(p[0], &c, 1) != 1)
			_exit(1);
		syscall(SYS_write, -1, 0x10adL, rounds);
		if (rounds % 64 == 63) {
			pid_t pid = fork();

			if (!pid)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		if (rounds % 16 == 15)
			usleep(100);
		else
			sched_yield();
		rounds++;
	}
	return rounds;
}

static int verb_load(int argc, char **argv)
{
	int cpus[MAX_CPUS], n = 0, i, p[2], bad = 0, status;
	long rounds, total = 0;
	uint64_t end;
	cpu_set_t set;

	if (argc < 2)
		usage();
	for (i = 2; i < argc && n < MAX_CPUS; i++)
		cpus[n++] = number(argv[i]);
	if (!n) {
		sched_getaffinity(0, sizeof(set), &set);
		for (i = 0; i < MAX_CPUS; i++)
			if (CPU_ISSET(i, &set))
				cpus[n++] = i;
	}
	end = now_ns(CLOCK_MONOTONIC) + number(argv[1]) * 1000000ULL;
	if (pipe(p))
		die("pipe");
	for (i = 0; i < n; i++) {
		if (!fork()) {
			/* Who kills the one kills all. */
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			rounds = load_cpu(cpus[i], end);
			if (write(p[1], &rounds, sizeof(rounds)) !=
			    sizeof(rounds))
				_exit(1);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		bad |= status;
	for (i = 0; i < n && !bad; i++) {
		if (read(p[0], &rounds, sizeof(rounds)) != sizeof(rounds))
			return 1;
		total += rounds;
	}
	printf("%ld\n", total);
	return !!bad;
}

/* === Names === */

static int hold_in[2], hold_out[2];

static void *hold_thread(void *name)
{
	char c;

	prctl(PR_SET_NAME, name);
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	if (write(hold_out[1], "x", 1) != 1 || read(hold_in[0], &c, 1) != 1)
		return NULL;
	return NULL;
}

/*
 * threads NAME...: one thread for each name, alive until stdin ends; prints the
 * process's and the threads' ids.
 */
static int verb_threads(int argc, char **argv)
{
	int i, n = argc - 1;
	pthread_t *t;
	char c;

	if (n < 1)
		usage();
	t = calloc(n, sizeof(*t));
	if (!t || pipe(hold_in) || pipe(hold_out))
		die("pipe");
	printf("%d\n", getpid());
	fflush(stdout);
	for (i = 0; i < n; i++) {
		if (pthread_create(&t[i], NULL, hold_thread, argv[i + 1]))
			die("pthread_create");
		if (read(hold_out[0], &c, 1) != 1)
			return 1;
	}
	while (read(0, &c, 1) > 0)
		;
	close(hold_in[1]);
	for (i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

/* With a stack of this many bytes, without memory of its own but for that. */
#define CROWD_STACK	4096

static int crowd_thread(void *nr)
{
	char name[16];

	/* Only what needs no thread-local storage, which is the first thread's. */
	snprintf(name, sizeof(name), "crowd%lu", (unsigned long)nr);
	prctl(PR_SET_NAME, name);
	for (;;)
		pause();
}

/*
 * crowd N: N threads with the names crowd0, crowd1, ... that do nothing until stdin ends;
 * prints the process's id when all are there.
 */
static int verb_crowd(int argc, char **argv)
{
	unsigned long i, n;
	char *stacks, c;
	int tid;

	if (argc != 2)
		usage();
	n = number(argv[1]);
	stacks = mmap(NULL, n * CROWD_STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED)
		die("mmap");
	for (i = 0; i < n; i++) {
		tid = clone(crowd_thread, stacks + (i + 1) * CROWD_STACK,
			    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			    CLONE_SYSVSEM, (void *)i);
		if (tid < 0)
			die("clone");
	}
	printf("%d\n", getpid());
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	syscall(SYS_exit_group, 0);
	return 0;
}

/*
 * rename NAME...: takes these names, one after the other, the last one through
 * /proc; prints its PID.
 */
static int verb_rename(int argc, char **argv)
{
	int i, fd;

	printf("%d\n", getpid());
	for (i = 1; i < argc - 1; i++)
		prctl(PR_SET_NAME, argv[i]);
	fd = open("/proc/self/comm", O_WRONLY);
	if (fd < 0 || argc < 2 || write(fd, argv[i], strlen(argv[i])) < 0)
		die("/proc/self/comm");
	return 0;
}

/* === Markers and time === */

/*
 * markers CPU FIRST COUNT [PREFIX]: writes "PREFIX NUMBER" from that CPU; prints
 * nothing. A write that fails ends it.
 */
static int verb_markers(int argc, char **argv)
{
	const char *prefix = argc == 5 ? argv[4] : "m";
	long first, count, i;
	char text[100];
	int fd;

	if (argc < 4 || argc > 5)
		usage();
	pin(number(argv[1]));
	first = number(argv[2]);
	count = number(argv[3]);
	fd = marker_fd();
	for (i = first; i < first + count; i++) {
		int len = snprintf(text, sizeof(text), "%s %ld\n", prefix, i);

		if (write(fd, text, len) != len)
			die("write");
	}
	return 0;
}

/*
 * between CLOCK TEXT [CPU]: reads a clock, writes the marker TEXT, reads the
 * clock again; prints both in ns. CLOCK is mono, boot or real.
 */
static int verb_between(int argc, char **argv)
{
	clockid_t id = CLOCK_MONOTONIC;
	uint64_t t0, t1;
	ssize_t put;
	int fd;

	if (argc < 3 || argc > 4)
		usage();
	if (!strcmp(argv[1], "boot"))
		id = CLOCK_BOOTTIME;
	else if (!strcmp(argv[1], "real"))
		id = CLOCK_REALTIME;
	if (argc == 4)
		pin(number(argv[3]));
	fd = marker_fd();
	t0 = now_ns(id);
	put = write(fd, argv[2], strlen(argv[2]));
	t1 = now_ns(id);
	if (put != (ssize_t)strlen(argv[2]))
		die("write");
	printf("%" PRIu64 " %" PRIu64 "\n", t0, t1);
	return 0;
}

/*
 * token NUMBER CPU...: getpgid(NUMBER), which fails, on each of the CPUs: a
 * record that stands out in any trace of system calls. Several times, so that
 * one of them is without an interrupt.
 */
static int verb_token(int argc, char **argv)
{
	int i, again;

	if (argc < 3)
		usage();
	for (i = 2; i < argc; i++) {
		pin(number(argv[i]));
		for (again = 0; again < 8; again++)
			syscall(SYS_getpgid, number(argv[1]));
	}
	return 0;
}

/* === Decoding === */

/* Prints bytes of arguments as text, up to the first NUL. */
static void print_text(const uint64_t *arg, size_t len)
{
	const char *s = (const char *)arg;
	size_t i;

	for (i = 0; i < len && s[i]; i++)
		putchar(s[i] == '\n' ? ' ' : s[i]);
}

static void print_record(const struct lkst_block *b, const struct raw_rec *r,
			 void *data)
{
	unsigned int i;
	uint64_t left;

	if (r->cpu == LKST_CPU_NAMES)
		putchar('-');
	else
		printf("%u", r->cpu);
	printf(" %" PRIu64 " %u 0x%x ", r->time, r->pid, r->flags);
	if (*raw_events[r->event].name)
		printf("%s", raw_events[r->event].name);
	else
		printf("EVENT_%u", r->event);

	switch (r->event) {
	case EV_FORK:
		printf(" 0x%" PRIx64 " %" PRIu64 "/%" PRIu64, r->arg[0],
		       r->arg[1], r->arg[2]);
		break;
	case EV_EXEC:
		printf(" 0x%" PRIx64 " %" PRIu64, r->arg[0], r->arg[1]);
		break;
	case LKST_EV_PROCESS:
		printf(" 0x%" PRIx64 " %u/%u ", r->arg[0],
		       (uint32_t)r->arg[1], (uint32_t)(r->arg[1] >> 32));
		print_text(r->arg + 2, 16);
		break;
	case LKST_EV_MARKER:
		printf(" %u ", (uint32_t)r->arg[0]);
		/* The bytes of the whole mark, of which this record may have a part. */
		left = (r->arg[0] >> 32) - (uint32_t)r->arg[0];
		print_text(r->arg + 1, left < 8 * (r->nargs - 1) ? left : 8 * (r->nargs - 1));
		break;
	case LKST_EV_BUFFER:
		putchar(' ');
		print_text(r->arg, 8);
		putchar(' ');
		print_text(r->arg + 1, 8);
		break;
	default:
		for (i = 0; i < r->nargs; i++)
			printf(" 0x%" PRIx64, raw_arg(r, i));
	}
	putchar('\n');
}

/* How the images of one CPU follow each other. */
struct follow {
	struct {
		char name[LKST_NAME_LEN];
		uint64_t next, seq;
	} buf[32];
	unsigned int nbuf;
	bool blocks;
};

static void follow_block(const struct lkst_block *b, void *data)
{
	struct follow *f = data;
	unsigned int i;

	for (i = 0; i < f->nbuf && strcmp(f->buf[i].name, b->name); i++)
		;
	if (f->blocks)
		printf("#block %u %s seq %llu first %llu count %" PRIu64
		       " lost %llu time %llu mono %llu clock %u\n", b->cpu,
		       b->name, b->seq, b->first, raw_count(b), b->lost, b->time,
		       b->mono, b->clock);
	if (i == f->nbuf) {
		if (i == 32)
			return;
		f->nbuf++;
		memcpy(f->buf[i].name, b->name, sizeof(b->name));
	} else if (f->buf[i].next > b->first) {
		printf("#again %u %s %" PRIu64 " %llu\n", b->cpu, b->name,
		       f->buf[i].next, b->first);
	} else if (f->buf[i].next < b->first && b->cpu != LKST_CPU_NAMES) {
		printf("#gap %u %s %" PRIu64 " %llu\n", b->cpu, b->name,
		       f->buf[i].next, b->first);
	}
	f->buf[i].next = b->first + raw_count(b);
	f->buf[i].seq = b->seq;
}

/*
 * dump [-b] [CPU...]: takes out all records of these CPUs, or of all and of names,
 * and prints them, one a line: "CPU TIME PID FLAGS EVENT ARG...", the arguments as
 * numbers of 64 bits. CPU is "-" for names. Between them, from the heads of the blocks: "#gap" where records are missing, "#again" where
 * some come twice.
 */
static int verb_dump(int argc, char **argv)
{
	unsigned int cpus[MAX_CPUS + 1];
	bool blocks = false;
	int i, n = 0;

	if (argc > 1 && !strcmp(argv[1], "-b")) {
		blocks = true;
		argc--;
		argv++;
	}
	for (i = 1; i < argc && n < MAX_CPUS; i++)
		cpus[n++] = number(argv[i]);
	if (!n) {
		n = raw_cpus(cpus, MAX_CPUS);
		cpus[n++] = LKST_CPU_NAMES;
	}
	if (!raw_load_types(LKST_DIR "/etypes"))
		die("etypes");
	for (i = 0; i < n; i++) {
		struct follow f = { .blocks = blocks };
		const char *err = raw_drain(cpus[i], 1 << 20, follow_block,
					    print_record, &f);

		if (err) {
			fflush(stdout);
			fprintf(stderr, "lkst_helper: cpu%u: %s\n", cpus[i], err);
			return 1;
		}
	}
	return 0;
}

/* === Which maskset was it? === */

/*
 * A switch is one store: its LKST_MASKSET record is stamped just before. So no
 * record of the new maskset is older than that, on any CPU, and once a CPU has
 * recorded something of the new one, nothing of the old one follows there. In
 * between, what was about to be recorded when the store came still is.
 */
struct torn_rec {
	uint64_t time;
	uint64_t index;
	unsigned int cpu;
	unsigned int event;
	unsigned int to;		/* of a switch: the new maskset */
};

static struct {
	struct torn_rec *rec;
	size_t nr, size;
	uint64_t strange;
} torn;

static void torn_record(const struct lkst_block *b, const struct raw_rec *r,
			void *data)
{
	if (r->event != LKST_EV_MASKSET && r->event != EV_SYSCALL_ENTRY &&
	    r->event != EV_SYSCALL_EXIT) {
		/* LKST's own come with any maskset; nothing else does. */
		if (r->event < LKST_EV_INIT)
			torn.strange++;
		return;
	}
	if (torn.nr == torn.size) {
		torn.size = torn.size ? torn.size * 2 : 65536;
		torn.rec = realloc(torn.rec, torn.size * sizeof(*torn.rec));
		if (!torn.rec)
			die("realloc");
	}
	torn.rec[torn.nr++] = (struct torn_rec) {
		.time = r->time,
		.index = torn.nr,
		.cpu = r->cpu % MAX_CPUS,
		.event = r->event,
		.to = r->event == LKST_EV_MASKSET ? r->arg[1] : 0,
	};
}

static int torn_order(const void *x, const void *y)
{
	const struct torn_rec *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	/* A switch comes before what it causes. */
	if ((a->event == LKST_EV_MASKSET) != (b->event == LKST_EV_MASKSET))
		return a->event == LKST_EV_MASKSET ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

/*
 * torn A B: takes out all records, and looks at each system call's: entries are
 * of maskset A only, exits of B only. Prints "ENTRIES EXITS SWITCHES LATE WRONG":
 * late are those of the maskset that has just been left.
 */
static int verb_torn(int argc, char **argv)
{
	uint64_t seen[2] = { 0 }, wrong = 0, late = 0, switches = 0;
	unsigned int cpus[MAX_CPUS], a, b, cur = 0, before = 0;
	uint64_t reached[MAX_CPUS] = { 0 };
	size_t i;
	int n;

	if (argc != 3)
		usage();
	a = number(argv[1]);
	b = number(argv[2]);
	n = raw_cpus(cpus, MAX_CPUS);
	while (n--) {
		const char *err = raw_drain(cpus[n], 1 << 20, NULL, torn_record,
					    NULL);

		if (err) {
			fprintf(stderr, "lkst_helper: cpu%u: %s\n", cpus[n], err);
			return 1;
		}
	}
	qsort(torn.rec, torn.nr, sizeof(*torn.rec), torn_order);
	for (i = 0; i < torn.nr; i++) {
		const struct torn_rec *r = &torn.rec[i];
		unsigned int of = r->event == EV_SYSCALL_ENTRY ? a : b;

		if (r->event == LKST_EV_MASKSET) {
			before = cur;
			cur = r->to;
			switches++;
			continue;
		}
		seen[r->event == EV_SYSCALL_EXIT]++;
		if (of == cur) {
			reached[r->cpu] = switches;
		} else if (of == before && reached[r->cpu] < switches) {
			late++;
		} else if (wrong++ < 5) {
			printf("# cpu%u time %" PRIu64 ": event %u under maskset %u\n",
			       r->cpu, r->time, r->event, cur);
		}
	}
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       seen[0], seen[1], switches, late, wrong + torn.strange);
	return 0;
}

/*
 * switch N MS NAME...: writes the names to maskset, one after the other, N times
 * or until MS have passed, and calls getpgid(-1 - I) after the Ith: prints its PID
 * and how many.
 */
static int verb_switch(int argc, char **argv)
{
	uint64_t end;
	long n, i;
	int fd;

	if (argc < 4)
		usage();
	n = number(argv[1]);
	end = now_ns(CLOCK_MONOTONIC) + number(argv[2]) * 1000000ULL;
	for (i = 0; i < n && now_ns(CLOCK_MONOTONIC) < end; i++) {
		const char *name = argv[3 + i % (argc - 3)];

		fd = open(LKST_DIR "/maskset", O_WRONLY);
		if (fd < 0 || write(fd, name, strlen(name)) < 0)
			die(name);
		syscall(SYS_getpgid, -1 - i);
		close(fd);
		usleep(500);
	}
	printf("%d %ld\n", getpid(), i);
	return 0;
}

/*
 * longest MS FILE [TEXT...]: writes the texts to the file in turn, or reads it, for so long;
 * prints the microseconds that the longest of these took, and how many there were.
 */
static int verb_longest(int argc, char **argv)
{
	uint64_t start, took, longest = 0, end;
	static char buf[65536];
	long i;
	int fd;

	if (argc < 3)
		usage();
	end = now_ns(CLOCK_MONOTONIC) + number(argv[1]) * 1000000ULL;
	for (i = 0; (start = now_ns(CLOCK_MONOTONIC)) < end; i++) {
		const char *text = argc > 3 ? argv[3 + i % (argc - 3)] : NULL;

		fd = open(argv[2], (text ? O_WRONLY : O_RDONLY) | O_NONBLOCK);
		if (fd < 0)
			die(argv[2]);
		if (text && write(fd, text, strlen(text)) < 0)
			die(text);
		if (!text && read(fd, buf, sizeof(buf)) < 0 && errno != EAGAIN)
			die(argv[2]);
		close(fd);
		took = now_ns(CLOCK_MONOTONIC) - start;
		if (took > longest)
			longest = took;
		usleep(1000);
	}
	printf("%" PRIu64 " %ld\n", longest / 1000, i);
	return 0;
}

/*
 * stall FILE PAGE: reads the file into a page of another one, whose file system is frozen
 * until "thaw": the page can't become dirty, and copying to it waits. Prints "frozen", then
 * how many bytes it got.
 */
static int verb_stall(int argc, char **argv)
{
	int from, to;
	char *page;

	if (argc != 3)
		usage();
	from = open(argv[1], O_RDONLY);
	to = open(argv[2], O_RDWR | O_CREAT, 0600);
	if (from < 0 || to < 0 || ftruncate(to, 4096))
		die(argv[from < 0 ? 1 : 2]);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
	if (page == MAP_FAILED || ioctl(to, FIFREEZE, 0))
		die("freeze");
	puts("frozen");
	fflush(stdout);
	printf("%zd\n", read(from, page, 4096));
	return 0;
}

/* thaw FOLDER: undoes what "stall" does to its file system. */
static int verb_thaw(int argc, char **argv)
{
	int fd;

	if (argc != 2)
		usage();
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || ioctl(fd, FITHAW, 0))
		die(argv[1]);
	return 0;
}

/* fifo PID: the process has its turn before all that is not real-time. */
static int verb_fifo(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 1 };

	if (argc != 2)
		usage();
	if (sched_setscheduler(number(argv[1]), SCHED_FIFO, &param))
		die("sched_setscheduler");
	return 0;
}

static const struct {
	const char *name;
	int (*fn)(int argc, char **argv);
} verbs[] = {
	{ "between", verb_between },
	{ "child", verb_child },
	{ "crowd", verb_crowd },
	{ "dump", verb_dump },
	{ "exit", verb_exit },
	{ "fault", verb_fault },
	{ "fifo", verb_fifo },
	{ "getppid", verb_getppid },
	{ "hogs", verb_hogs },
	{ "limit", verb_limit },
	{ "load", verb_load },
	{ "longest", verb_longest },
	{ "markers", verb_markers },
	{ "names", verb_names },
	{ "nobody", verb_nobody },
	{ "nr", verb_nr },
	{ "pingpong", verb_pingpong },
	{ "poll", verb_poll },
	{ "rd", verb_rd },
	{ "refused", verb_refused },
	{ "rename", verb_rename },
	{ "settings", verb_settings },
	{ "signals", verb_signals },
	{ "spin", verb_spin },
	{ "stall", verb_stall },
	{ "switch", verb_switch },
	{ "syscalls", verb_syscalls },
	{ "thaw", verb_thaw },
	{ "threads", verb_threads },
	{ "token", verb_token },
	{ "torn", verb_torn },
	{ "udp", verb_udp },
	{ "wr", verb_wr },
};


static void usage(void)
{
	size_t i;

	fprintf(stderr, "usage: lkst_helper VERB [ARG...]; verbs:");
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		fprintf(stderr, " %s", verbs[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		usage();
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].fn(argc - 1, argv + 1);
	usage();
	return 2;
}
