// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes logs to test the tools with. It shares nothing with them, not even the
 * header: what it writes, byte by byte, is what the format is meant to be.
 *
 *	genlog [-b] [-3] [-n N] [-x] CASE
 *
 * -b big-endian, -3 of a 32-bit kernel. -x prints, of the case "shapes", what
 * "lkstbuf print -rT" is to print of it, of "texts" each event's name, its format and the
 * text; and in "large" says what can be printed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int big, bits32, expect;
static unsigned long number = 16;
/* Of the log, and of its blocks. */
static unsigned int log_version = 2, block_version = 2;

/* The recording clock: 2 GHz, and at 10^12 when CLOCK_MONOTONIC was 5 s. */
#define T0		1000000000000ULL
#define KHZ		2000000
#define MONO0		5000000000ULL
#define REAL0		1700000000000000000ULL
#define US		2000ULL
#define MS		(1000 * US)

/* === Bytes === */

static unsigned char *out;
static size_t fill, room;

static void put(const void *data, size_t n)
{
	if (fill + n > room) {
		room = 2 * (fill + n);
		out = realloc(out, room);
		if (!out)
			exit(1);
	}
	memcpy(out + fill, data, n);
	fill += n;
}

static void put_number(uint64_t value, int bytes)
{
	unsigned char b[8];
	int i;

	for (i = 0; i < bytes; i++)
		b[big ? bytes - 1 - i : i] = value >> (8 * i);
	put(b, bytes);
}

static void put16(uint16_t v) { put_number(v, 2); }
static void put32(uint32_t v) { put_number(v, 4); }
static void put64(uint64_t v) { put_number(v, 8); }

static void set64(size_t at, uint64_t value)
{
	size_t end = fill;

	fill = at;
	put64(value);
	fill = end;
}

/* === Sections === */

static size_t section;

static void begin(uint32_t type)
{
	put32(type);
	put32(0);
	put64(0);
	section = fill;
}

static void end(void)
{
	set64(section - 8, fill - section);
	while (fill % 8)
		put("", 1);
}

static void text(uint32_t type, const char *s)
{
	begin(type);
	put(s, strlen(s));
	end();
}

/* A line that says for which analyses it was recorded. */
static const char *analyses = "";

static const char *machine = "x86_64";

static void head(void)
{
	char known[128];

	put("LKSTLOG\n", 8);
	put32(0x01020304);
	put16(log_version);
	put16(bits32 ? 4 : 8);
	put64(0);
	begin(1);
	snprintf(known, sizeof(known),
		 "release: 6.12.0-test\nmachine: %s\nhostname: golden\ncpus: 2\n", machine);
	put(known, strlen(known));
	put(analyses, strlen(analyses));
	end();
}

static const char etypes[] =
	"1\tPROCESS_CONTEXTSWITCH\tcontext_switch\tprocess\tthe CPU goes to another task"
	"\tprev\tptr\tpointer to task struct(prev)\tnext\tptr\tpointer to task struct(next)"
	"\tprev_state\tstate\tstate of prev after the switch\n"
	"2\tPROCESS_WAKEUP\tprocess_wakeup\tprocess\ta sleeping task becomes runnable"
	"\ttask\tptr\tpointer to task struct\n"
	"3\tPROCESS_SIGSEND\tsend_signal\tprocess\ta signal is sent"
	"\ttask\tptr\tpointer to task struct(target)\tsig\tsig\tsignal number"
	"\tcode\ts32\tsi_code\tresult\tu32\t0 delivered, 1 ignored\n"
	"5\tPROCESS_FORK\tprocess_fork\tprocess\ta task is made"
	"\ttask\tptr\tpointer to task struct(child)\tpid\ts32\tPID of the child"
	"\ttgid\ts32\tthread group of the child\n"
	"6\tPROCESS_EXEC\tprocess_exec\tprocess\ta task becomes another program"
	"\ttask\tptr\tpointer to task struct\told_pid\ts32\tPID of the thread that called exec\n"
	"7\tPROCESS_EXIT\tprocess_exit\tprocess\ta task ends"
	"\ttask\tptr\tpointer to task struct\tcode\tx32\texit code\n"
	"8\tSYSCALL_ENTRY\tsystem_call_entry\tsyscall\ta system call starts"
	"\tnr\tnr\tsystem call number\targ1\tx64\tfirst argument"
	"\targ2\tx64\tsecond argument\targ3\tx64\tthird argument\n"
	"9\tSYSCALL_EXIT\tsystem_call_exit\tsyscall\ta system call ends"
	"\tnr\tnr\tsystem call number\tret\tret64\treturn value\n"
	"10\tINT_HARDWARE_ENTRY\thardware_int_entry\tirq\ta handler starts"
	"\tirq\tu32\tinterrupt number\thandler\tfunc\thandler function\n"
	"16\tINT_BH_ENTRY\tbottom_half_entry\tirq\ta softirq starts"
	"\tvec\tsoftirq\tsoftirq number\n"
	"21\tPROCESS_WAKEUP_NEW\tprocess_wakeup_new\tprocess\ta new task becomes runnable"
	"\ttask\tptr\tpointer to task struct\tcpu\tu32\tCPU it is to run on\n"
	"1008\tLKST_INIT\tlkst_init\tlkst\ttracing starts\ttime\tu64\tfull time"
	"\tmono\tu64\tCLOCK_MONOTONIC\treal\tu64\tCLOCK_REALTIME\tclock\tx64\tclock and kHz\n"
	"1012\tLKST_LOST\tlkst_lost\tlkst\trecords are missing here"
	"\tcount\tu64\tnumber of records\tcause\tu64\tcause\n"
	"1013\tLKST_MARKER\tlkst_marker\tlkst\ttext\tlen\tx64\toffset and length"
	"\ttext\tstr\ttext\n"
	"1015\tLKST_PROCESS\tlkst_process\tlkst\twhat names a task"
	"\ttask\tptr\tpointer to task struct\ttid\ttid\tthread id and thread group id"
	"\tcomm\tstr\tcommand\tcomm2\tstr\tcommand, continued\n"
	/* What later kernels may have: an argument of a type from the future. */
	"600\tMY_EVENT\tmy_event\tdynamic\tmade at run time\tx\tquaternion\tan \"odd\" one, yes\n";

static void clock_sample(uint32_t clock, uint64_t time, uint64_t mono)
{
	put32(clock);
	put32(clock ? 1000000 : KHZ);
	put64(time);
	put64(mono);
	put64(REAL0 + mono - MONO0);
	put64(mono + 7);
}

/* Over 2 s the clock gains a millisecond on its nominal rate. */
static void clocks(void)
{
	begin(3);
	clock_sample(0, T0, MONO0);
	clock_sample(0, T0 + 2001 * MS, MONO0 + 2000000000);
	end();
}

static void finish(void)
{
	begin(7);
	end();
}

/* === Blocks === */

static size_t block;
static uint64_t count;
static unsigned int head_size = 120;

static void block_begin(uint32_t cpu, const char *name, uint64_t seq, uint64_t first,
			uint64_t lost, uint64_t time)
{
	char buffer[32] = "";

	strncpy(buffer, name, sizeof(buffer) - 1);
	begin(5);
	block = fill;
	count = 0;
	put64(0x314b4c4254534b4cULL);
	put16(block_version);
	put16(head_size);
	put32(cpu);
	put32(65536);
	put16(0);
	put16(32);
	put64(0);
	put64(seq);
	put64(first);
	put64(lost);
	put64(time);
	put64(MONO0 + (time - T0) / 2);
	put64(0);
	put64(0);
	put(buffer, 32);
	while (fill - block < head_size)
		put("\xee", 1);
}

static void block_end(void)
{
	uint64_t word = count << 32 | (fill - block);

	set64(block + 72, word);
	set64(block + 80, word);
	end();
}

/* The head of a record: 12 bytes. */
static void record_head(uint64_t time, unsigned int event, unsigned int shape, uint32_t pid,
			uint16_t flags)
{
	put64((time & 0xffffffffffffULL) << 16 | (uint64_t)event << 6 | shape);
	put32((uint32_t)flags << 22 | pid);
	count++;
}

/* LKST's own: so many words follow, which the caller puts. */
static void record_words(uint64_t time, unsigned int event, uint32_t pid, unsigned int n)
{
	record_head(time, event, 0x20 | n, pid, 0);
}

static int has_8_bytes(char form)
{
	return form == 'q' || (form == 'l' && !bits32);
}

/*
 * A letter of the form for each argument: w of 4 bytes; l of 8, on a 32-bit kernel 4; q of
 * 8. LKST's own have nothing but words of 8.
 */
static void record(uint64_t time, unsigned int event, uint32_t pid, uint16_t flags,
		   const char *form, ...)
{
	unsigned int n = strlen(form), shape = 1U << n, i;
	__builtin_va_list ap;

	for (i = 0; i < n; i++) {
		if (has_8_bytes(form[i]))
			shape |= 1U << i;
	}
	record_head(time, event, event < 1008 ? shape : 0x20 | n, pid, flags);
	__builtin_va_start(ap, form);
	for (i = 0; i < n; i++)
		put_number(__builtin_va_arg(ap, uint64_t),
			   event >= 1008 || has_8_bytes(form[i]) ? 8 : 4);
	__builtin_va_end(ap);
}

/* Text is text in either byte order. */
static void put_text(const char *s, size_t n)
{
	char field[128] = "";

	memcpy(field, s, strnlen(s, n));
	put(field, n);
}

static void record_comm(uint64_t time, unsigned int event, uint32_t pid, uint64_t task,
			uint64_t second, const char *comm)
{
	record_words(time, event, pid, 4);
	put64(task);
	put64(second);
	put_text(comm, 16);
}

static uint64_t task(unsigned int n)
{
	return (bits32 ? 0xc0a00000ULL : 0xffff888004a00000ULL) + 0x1000 * n;
}

static uint64_t func(void)
{
	return bits32 ? 0xc0100010ULL : 0xffffffff81000010ULL;
}

#define TID(tid, tgid)	((uint64_t)(tgid) << 32 | (tid))
#define A(x)		((uint64_t)(x))

/* === Cases === */

static void write_marker(uint64_t time, uint32_t pid, const char *s)
{
	unsigned int n = strlen(s), words = (n + 7) / 8;

	record_words(time, 1013, pid, 1 + words);
	put64(A(n) << 32);
	put_text(s, 8 * words);
}

static void basic_blocks(void)
{
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * US, 1008, 100, 0x8, "qqqq", T0, MONO0, REAL0, A(KHZ) << 32);
	record_comm(T0 + 2 * US, 1015, 100, task(0), TID(100, 100), "bash");
	record_comm(T0 + 3 * US, 1015, 100, task(1), TID(101, 101), "kworker/0:1");
	record_comm(T0 + 4 * US, 1015, 100, task(2), TID(102, 100), "a name of 15 ch");
	record(T0 + 10 * US, 8, 100, 0, "llll", A(39), A(0), A(1), A(2));
	record(T0 + 12 * US, 9, 100, 0, "ll", A(39), A(100));
	record(T0 + 14 * US, 8, 100, 0, "llll", A(2), A(0x7ffd1234), A(0), A(0));
	record(T0 + 15 * US, 9, 100, 0, "ll", A(2), A(-2LL));
	record(T0 + 20 * US, 1, 100, 0x208, "llw", task(0), task(1), A(1));
	record(T0 + 30 * US, 10, 101, 0x201, "ww", A(4), func());
	record(T0 + 31 * US, 16, 101, 0x2 | 0x10, "w", A(3));
	record(T0 + 40 * US, 1, 101, 0x208, "llw", task(1), task(9), A(0x402));
	block_end();

	block_begin(1, "main", 1, 0, 0, T0);
	record(T0 + 5 * US, 1008, 0, 0x8, "qqqq", T0, MONO0, REAL0, A(KHZ) << 32);
	record(T0 + 25 * US, 2, 0, 0x204, "l", task(0));
	record(T0 + 26 * US, 1, 0, 0x208, "llw", task(8), task(0), A(0));
	record(T0 + 27 * US, 3, 100, 0x5, "lwww", task(2), A(15), A(0), A(0));
	record(T0 + 28 * US, 5, 100, 0, "lww", task(3), A(103), A(103));
	record_comm(T0 + 28 * US, 1015, 100, task(3), TID(103, 103), "bash");
	record(T0 + 29 * US, 6, 103, 0, "lw", task(3), A(103));
	record_comm(T0 + 29 * US, 1015, 103, task(3), TID(103, 103), "ls");
	record(T0 + 35 * US, 7, 103, 0, "lw", task(3), A(0x100));
	write_marker(T0 + 36 * US, 100, "hello, world");
	record(T0 + 37 * US, 600, 100, 0, "q", A(0x1122334455667788ULL));
	record(T0 + 38 * US, 601, 555, 0, "wl", A(1), A(2));
	block_end();
}

static void basic(void)
{
	head();
	text(2, etypes);
	clocks();
	text(4, "100 100 bash\n101 101 kworker/0:1\n555 555 from the end\n");
	basic_blocks();
	text(6, "# per_cpu/cpu0/stats\nwritten: 12\n");
	text(8, bits32 ? "0xc0100010 i8042_interrupt\n" : "0xffffffff81000010 i8042_interrupt\n");
	/* A section from the future. */
	text(99, "nobody knows");
	finish();
}

/* No table of events, no clocks, no names: what the tools know must do. */
static void bare(void)
{
	head();
	basic_blocks();
	finish();
}

/* One sample and the nominal rate; records before it and after it. */
static void one_sample(void)
{
	head();
	text(2, etypes);
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	block_begin(0, "main", 1, 0, 0, T0 - 10 * MS);
	record(T0 - 10 * MS, 2, 1, 0, "l", task(1));
	record(T0, 2, 1, 0, "l", task(1));
	record(T0 + 10 * MS, 2, 1, 0, "l", task(1));
	block_end();
	finish();
}

/* Times go beyond 48 bits, between records and between block and record. */
static void wrap(void)
{
	uint64_t t = (5ULL << 48) - 10 * US;

	head();
	text(2, etypes);
	begin(3);
	put32(0);
	put32(KHZ);
	put64(t);
	put64(MONO0);
	put64(REAL0);
	put64(MONO0);
	end();
	block_begin(0, "main", 1, 0, 0, t);
	record(t, 2, 1, 0, "l", task(1));
	record(t + 9 * US, 2, 2, 0, "l", task(1));
	record(t + 11 * US, 2, 3, 0, "l", task(1));
	/* Interrupted before the wrap, written after it. */
	record(t + 8 * US, 2, 4, 0, "l", task(1));
	record(t + 12 * US, 2, 5, 0, "l", task(1));
	/* 12 hours more: half of what 48 bits hold at 2 GHz is 19. */
	record(t + 12 * 3600 * 1000 * MS, 2, 6, 0, "l", task(1));
	record(t + 24 * 3600 * 1000 * MS, 2, 7, 0, "l", task(1));
	block_end();
	block_begin(1, "main", 1, 0, 0, t + 2 * US);
	record(t + 10 * US, 2, 8, 0, "l", task(1));
	block_end();
	finish();
}

/* PIDs are numbered in the order in which they have to come out. */
static void disorder(void)
{
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * US, 2, 1, 0, "l", task(1));
	record(T0 + 5 * US, 2, 5, 0, "l", task(1));
	record(T0 + 3 * US, 2, 3, 0, "l", task(1));
	record(T0 + 9 * US, 2, 8, 0, "l", task(1));
	block_end();
	/* Its first record was stamped before the last one of the block before. */
	block_begin(0, "main", 2, 4, 0, T0 + 9 * US);
	record(T0 + 7 * US, 2, 7, 0, "l", task(1));
	record(T0 + 12 * US, 2, 10, 0, "l", task(1));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0 + 2 * US, 2, 2, 0, "l", task(1));
	record(T0 + 4 * US, 2, 4, 0, "l", task(1));
	record(T0 + 6 * US, 2, 6, 0, "l", task(1));
	record(T0 + 9 * US, 2, 9, 0, "l", task(1));
	block_end();
	finish();
}

/* CPU 1 had nothing to record. */
static void only_cpu_0(void)
{
	text(6, "# per_cpu/cpu1/stats\nwritten: 0\n");
}

static void gaps(void)
{
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 3, 100, 7, T0 + 10 * US);
	record(T0 + 10 * US, 2, 1, 0, "l", task(1));
	record(T0 + 11 * US, 2, 2, 0, "l", task(1));
	block_end();
	/* 40 were overwritten, 5 found no place. */
	block_begin(0, "main", 5, 142, 12, T0 + 20 * US);
	record(T0 + 20 * US, 1012, 2, 0, "qq", A(5), A(2));
	record(T0 + 21 * US, 2, 3, 0, "l", task(1));
	block_end();
	/* Another buffer counts for itself. */
	block_begin(0, "other", 1, 0, 0, T0 + 15 * US);
	record(T0 + 15 * US, 2, 4, 0, "l", task(1));
	block_end();
	block_begin(0, "other", 2, 2, 0, T0 + 30 * US);
	block_end();
	only_cpu_0();
	finish();
}

/* Names and texts that mean harm to terminals and spreadsheets. */
static void evil(void)
{
	head();
	text(2, etypes);
	clocks();
	text(4, "7 7 a\"b,c\n");
	block_begin(0, "ma\033[2Jin", 1, 0, 0, T0);
	record_comm(T0 + 1 * US, 1015, 7, task(1), TID(7, 7), "\033[31mred\n\"x\",\\");
	write_marker(T0 + 2 * US, 7, "tab\there \"quoted\", 100%s\n");
	block_end();
	block_begin(0, "ma\033[2Jin", 2, 9, 0, T0 + 5 * US);
	record(T0 + 5 * US, 2, 7, 0, "l", task(1));
	block_end();
	finish();
}

static void states_names(void)
{
	record_comm(T0, 1015, 201, task(1), TID(201, 201), "hog one");
	record_comm(T0, 1015, 201, task(2), TID(202, 202), "hog2");
	record_comm(T0, 1015, 201, task(3), TID(203, 203), "sleeper");
	record_comm(T0, 1015, 201, task(5), TID(205, 205), "silent");
}

/* The ring of names has gone round in between, and a worker has told some again. */
static void states_ring(void)
{
	block_begin(0xffffffff, "names", 1, 0, 0, T0);
	states_names();
	block_end();
	block_begin(0xffffffff, "names", 9, 40, 0, T0 + 52 * MS);
	record_comm(T0 + 53 * MS, 1015, 203, task(4), TID(204, 204), "child");
	record_comm(T0 + 64 * MS, 1015, 999, task(1), TID(201, 201), "hog one");
	record_comm(T0 + 65 * MS, 1015, 999, task(3), TID(203, 203), "sleeper");
	record_comm(T0 + 70 * MS, 1015, 0, task(4), TID(206, 206), "heir");
	block_end();
}

/*
 * Two hogs that share CPU 0, a sleeper, one that is made and ends; see states.txt. Names in
 * the blocks of CPUs, as older kernels have them, or apart.
 */
static void states_of(int apart)
{
	unsigned int i;
	uint64_t t = T0;

	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0, 1008, 201, 0, "qqqq", T0, MONO0, REAL0, A(KHZ) << 32);
	if (!apart)
		states_names();
	for (i = 0; i < 10; i++) {
		t += 10 * MS;
		if (i % 2)
			record(t, 1, 202, 8, "llw", task(2), task(1), A(0));
		else
			record(t, 1, 201, 8, "llw", task(1), task(2), A(0));
	}
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0 + 50 * MS, 2, 0, 8, "l", task(3));
	record(T0 + 51 * MS, 1, 0, 8, "llw", task(9), task(3), A(0));
	/* Woken up while it runs: that changes nothing. */
	record(T0 + 52 * MS, 2, 203, 8, "l", task(3));
	record(T0 + 53 * MS, 5, 203, 0, "lww", task(4), A(204), A(204));
	if (!apart)
		record_comm(T0 + 53 * MS, 1015, 203, task(4), TID(204, 204), "child");
	record(T0 + 54 * MS, 2, 203, 8, "l", task(4));
	record(T0 + 55 * MS, 1, 203, 8, "llw", task(3), task(4), A(2));
	record(T0 + 60 * MS, 1, 204, 8, "llw", task(4), task(9), A(0x20));
	/* Its task struct is given out again. */
	if (!apart)
		record_comm(T0 + 70 * MS, 1015, 0, task(4), TID(206, 206), "heir");
	record(T0 + 71 * MS, 1, 0, 8, "llw", task(9), task(4), A(0));
	record(T0 + 81 * MS, 1, 206, 8, "llw", task(4), task(9), A(1));
	block_end();
	if (apart)
		states_ring();
	finish();
}

static void states(void)
{
	states_of(0);
}

static void states_apart(void)
{
	states_of(1);
}

/* === What states knows, and what it does not === */

static void wakeup(uint64_t ms, uint32_t pid, unsigned int n)
{
	record(T0 + ms * MS, 2, pid, 8, "l", task(n));
}

/* Task n has the thread id 200 + n; 9 and above are idle tasks. */
static uint32_t tid_of(unsigned int n)
{
	return n < 9 ? 200 + n : 0;
}

static void leave(uint64_t ms, unsigned int prev, unsigned int next, uint64_t state)
{
	record(T0 + ms * MS, 1, tid_of(prev), 8, "llw", task(prev), task(next), state);
}

static void name(uint64_t ms, uint32_t by, unsigned int n, uint32_t tid, uint32_t tgid,
		 const char *comm)
{
	record_comm(T0 + ms * MS, 1015, by, task(n), TID(tid, tgid), comm);
}

/* The log up to CPU 0's first block, which names the idle tasks. */
static void states_head(uint32_t pid)
{
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, pid, 9, 0, 0, "swapper/0");
	name(0, pid, 10, 0, 0, "swapper/1");
}

/*
 * Records are missing on CPU 0 from 20 to 60 ms. Task 1 ran there before and task 2
 * after it; task 3 slept, and ran on CPU 1 from 80 to 90 ms; task 4 ran on CPU 1 until 80.
 */
static void missing(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "one");
	name(0, 201, 2, 202, 202, "two");
	name(0, 201, 3, 203, 203, "three");
	name(0, 201, 4, 204, 204, "four");
	leave(10, 1, 2, 0);
	leave(20, 2, 1, 0);
	block_end();
	block_begin(0, "main", 3, 100, 0, T0 + 60 * MS);
	wakeup(60, 202, 1);
	leave(70, 2, 9, 1);
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	wakeup(5, 204, 2);
	leave(80, 4, 3, 1);
	leave(90, 3, 10, 1);
	wakeup(100, 0, 4);
	block_end();
	finish();
}

/* Names and texts that mean harm to browsers. */
static void hostile(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "</script>\"'&\n");
	name(0, 201, 2, 202, 202, "<!--<script>");
	name(0, 201, 3, 203, 203, "\303\274\342\202\254\342\200\256\377 x");
	leave(10, 1, 2, 0);
	write_marker(T0 + 12 * MS, 202, "<img src=x onerror=hacked=1> </script><script>hacked=1</script>");
	leave(20, 2, 3, 1);
	write_marker(T0 + 22 * MS, 203, "\303\274ber \"quoted\" \\ line\nend");
	leave(30, 3, 1, 1);
	wakeup(40, 201, 2);
	leave(50, 1, 2, 0);
	leave(60, 2, 1, 1);
	block_end();
	only_cpu_0();
	finish();
}

/* CPU 1 is busy, and has only its last 20 ms; CPU 0 has all 100. */
static void late(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "one");
	name(0, 201, 2, 202, 202, "two");
	leave(10, 1, 9, 1);
	leave(50, 9, 2, 0);
	leave(100, 2, 9, 1);
	block_end();
	block_begin(1, "main", 9, 4000, 0, T0 + 80 * MS);
	wakeup(80, 203, 1);
	leave(90, 3, 1, 0);
	leave(95, 1, 3, 1);
	block_end();
	finish();
}

/* Three processes one after the other, whose number and task struct are the same. */
static void reuse_names(const char *const *names)
{
	unsigned int i;

	states_head(201);
	name(0, 201, 1, 201, 201, "shell");
	for (i = 0; i < 3; i++) {
		record(T0 + 20 * i * MS, 5, 201, 0, "lww", task(2), A(202), A(202));
		name(20 * i, 201, 2, 202, 202, "shell");
		wakeup(20 * i, 201, 2);
		leave(20 * i + 1, 1, 2, 1);
		name(20 * i + 2, 202, 2, 202, 202, names[i]);
		record(T0 + (20 * i + 5 + i) * MS, 7, 202, 0, "lw", task(2), A(0));
		wakeup(20 * i + 5 + i, 202, 1);
		leave(20 * i + 5 + i, 2, 1, 0x80);
	}
	leave(60, 1, 9, 1);
	block_end();
	only_cpu_0();
	finish();
}

static void reuse(void)
{
	static const char *const names[] = { "first", "second", "third" };

	reuse_names(names);
}

/* Names that are patterns to a shell, and one that such a pattern has. */
static void patterns(void)
{
	static const char *const names[] = { "[x]", "x", "b\\s*" };

	reuse_names(names);
}

/*
 * A thread, 202, of process 201 calls exec() while the leader sleeps: the leader ends,
 * and the thread goes on as 201 under another name. The leader's last context switch is
 * made under the thread's old number.
 */
static void thread_exec(void)
{
	states_head(0);
	name(0, 0, 1, 201, 201, "main");
	name(0, 0, 2, 202, 201, "thread");
	leave(10, 9, 1, 0);
	name(12, 201, 1, 201, 201, "main");
	record(T0 + 12 * MS, 7, 201, 0, "lw", task(1), A(0));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	wakeup(0, 0, 2);
	leave(0, 10, 2, 0);
	wakeup(9, 202, 1);
	record_comm(T0 + 14 * MS, 1015, 201, task(2), TID(201, 201), "sleep");
	record(T0 + 14 * MS, 6, 201, 0, "lw", task(2), A(202));
	record(T0 + 20 * MS, 1, 201, 8, "llw", task(2), task(10), A(1));
	wakeup(50, 0, 2);
	record(T0 + 50 * MS, 1, 0, 8, "llw", task(10), task(2), A(0));
	record(T0 + 51 * MS, 7, 201, 0, "lw", task(2), A(0));
	record(T0 + 52 * MS, 1, 201, 8, "llw", task(2), task(10), A(0x80));
	wakeup(100, 0, 3);
	block_end();
	block_begin(0, "main", 2, 7, 0, T0 + 15 * MS);
	record(T0 + 15 * MS, 1, 202, 8, "llw", task(1), task(9), A(0x80));
	block_end();
	finish();
}

/* From 20 to 60 ms a maskset without context switches, from 80 to 90 another buffer. */
static void elsewhere(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "one");
	wakeup(5, 201, 1);
	leave(10, 1, 2, 0);
	leave(15, 2, 1, 0);
	record(T0 + 20 * MS, 1010, 201, 0, "qq", A(3), A(4));
	wakeup(30, 201, 1);
	record(T0 + 60 * MS, 1010, 201, 0, "qq", A(4), A(3));
	leave(70, 1, 2, 0);
	wakeup(80, 202, 3);
	record_words(T0 + 90 * MS, 1011, 202, 2);
	put_text("other", 8);
	put_text("main", 8);
	leave(100, 2, 1, 0);
	block_end();
	only_cpu_0();
	finish();
}

/*
 * A filter lets through the records of task 1 only: others run as well, of which no switch
 * tells. So did one from 210 to 230 ms, though it does not show there.
 */
static void filtered(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	name(0, 201, 3, 203, 203, "C");
	leave(10, 1, 2, 1);
	leave(60, 3, 1, 0);
	leave(70, 1, 2, 1);
	leave(90, 3, 1, 0);
	leave(100, 1, 2, 1);
	leave(200, 3, 1, 0);
	leave(210, 1, 2, 1);
	leave(230, 2, 1, 0);
	leave(240, 1, 9, 1);
	leave(250, 9, 1, 0);
	block_end();
	only_cpu_0();
	finish();
}

/* No filter, but a switch that found no place between 10 and 30 ms. */
static void busy(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	name(0, 201, 3, 203, 203, "C");
	leave(10, 1, 2, 1);
	wakeup(29, 203, 1);
	leave(30, 3, 1, 1);
	leave(40, 1, 2, 1);
	leave(50, 2, 1, 0);
	block_end();
	text(6, "# per_cpu/cpu0/stats\nwritten: 10\nbusy: 1\n# per_cpu/cpu1/stats\nwritten: 0\n");
	finish();
}

/* CPU 0's records end at 50 ms, those of CPU 1 at 100. */
static void two_ends(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	name(0, 201, 3, 203, 203, "C");
	leave(10, 1, 2, 1);
	leave(50, 2, 1, 0);
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	wakeup(5, 203, 2);
	leave(60, 3, 10, 1);
	leave(100, 10, 3, 0);
	block_end();
}

/* On CPU 0 they found no place from then on, or no reader. Other buffers do not matter. */
static void discard(void)
{
	two_ends();
	text(6, "# per_cpu/cpu0/stats\nwritten: 7\ndiscarded: 500\n"
		"# per_cpu/cpu1/stats\nwritten: 3\ndiscarded: 0\n");
	finish();
}

static void discard_rows(void)
{
	two_ends();
	text(6, "# per_cpu/cpu0/stats\nwritten: 7\ndiscarded: 530\n"
		"# per_cpu/cpu1/stats\nwritten: 3\ndiscarded: 30\n"
		"# buffers/main/stats\n"
		"cpu written read overwritten discarded nmi busy unread blocks\n"
		"0 7 7 0 500 0 0 0 4\n1 3 3 0 0 0 0 0 4\n"
		"# buffers/other/stats\n"
		"cpu written read overwritten discarded nmi busy unread blocks\n"
		"0 9 9 0 30 0 0 0 4\n1 9 9 0 30 0 0 0 4\n");
	finish();
}

static void unread(void)
{
	two_ends();
	text(6, "# per_cpu/cpu0/stats\nwritten: 9\nunread: 2\n"
		"# per_cpu/cpu1/stats\nwritten: 3\nunread: 0\n");
	finish();
}

/* Of CPU 1 nothing is there, although it recorded; and where that is not told. */
static void one_cpu(const char *stats)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	leave(10, 1, 2, 1);
	leave(90, 2, 1, 1);
	leave(100, 1, 9, 1);
	block_end();
	if (stats)
		text(6, stats);
	finish();
}

static void elsewhere_1(void)
{
	one_cpu("# per_cpu/cpu0/stats\nwritten: 7\n# per_cpu/cpu1/stats\nwritten: 5\n");
}

static void untold_1(void)
{
	one_cpu(NULL);
}

/* From 20 to 80 ms a maskset without wakeups. */
static void nowake(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	name(0, 201, 3, 203, 203, "C");
	wakeup(5, 201, 2);
	leave(10, 1, 2, 1);
	record(T0 + 20 * MS, 1010, 201, 0, "qq", A(3), A(4));
	leave(50, 2, 1, 1);
	leave(60, 1, 3, 1);
	record(T0 + 80 * MS, 1010, 203, 0, "qq", A(4), A(3));
	wakeup(85, 203, 1);
	leave(90, 3, 1, 1);
	leave(100, 1, 9, 1);
	block_end();
	only_cpu_0();
	finish();
}

/* === What lkstla knows of run queues === */

/* No drift: a millisecond is one. */
static void exact_head(void)
{
	head();
	text(2, etypes);
	begin(3);
	clock_sample(0, T0, MONO0);
	clock_sample(0, T0 + 1000 * MS, MONO0 + 1000000000);
	end();
}

static int queues;

/* Task n enters, or leaves, the queue of a CPU, which is then so long. */
static void queue(uint64_t ms, unsigned int event, uint32_t pid, unsigned int n, unsigned int cpu,
		  unsigned int length)
{
	if (queues)
		record(T0 + ms * MS, event, pid, 0x208, "lww", task(n), A(cpu), A(length));
}

#define ENQUEUE(ms, pid, n, cpu, length)	queue(ms, 25, pid, n, cpu, length)
#define DEQUEUE(ms, pid, n, cpu, length)	queue(ms, 26, pid, n, cpu, length)

static void wakeup_new(uint64_t ms, uint32_t pid, unsigned int n, uint32_t tid, unsigned int cpu)
{
	record(T0 + ms * MS, 5, pid, 8, "lww", task(n), A(tid), A(tid));
	record(T0 + ms * MS, 21, pid, 0x208, "lw", task(n), A(cpu));
}

/*
 * Waits whose causes and lengths are known:
 *
 *	B	5 to 20 on CPU 0: A 13 ms, irq 4 2 ms; CPU 1 idles but from 8 to 15
 *	A	20 to 26 on CPU 0: B; moved; 26 to 27 on CPU 1, which wakes from idle
 *	C	7 to 8 on CPU 1, which wakes from idle
 *	D	new, 32 to 40: B
 *	B	45 to 50: D
 *	E	new, with D's number, 52 to 55: B
 *	B	65 to 75: E; CPU 1 has gone offline
 *	A	95 to 97 on CPU 0, which wakes from idle
 *
 * and three that are not: G before the log, E from 75 on, when CPU 0's records from 80 to
 * 90 are missing, and B from 99 on, at the end. Two wakeups of B are in vain, at 30 and 80.
 */
static void runq_cpu_0(void)
{
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B b");
	name(0, 201, 3, 203, 203, "C");
	name(0, 201, 6, 207, 207, "G");
	record(T0 + 0 * MS, 9, 201, 0, "ll", A(39), A(201));
	ENQUEUE(5, 201, 2, 0, 2);
	wakeup(5, 201, 2);
	record(T0 + 10 * MS, 10, 201, 0x201, "ww", A(4), func());
	record(T0 + 12 * MS, 11, 201, 0x201, "ww", A(4), A(1));
	leave(20, 1, 2, 0);
	/* In vain: it runs. */
	wakeup(30, 202, 2);
	DEQUEUE(40, 202, 2, 0, 1);
	leave(40, 2, 4, 1);
	name(41, 204, 4, 204, 204, "D");
	record(T0 + 50 * MS, 7, 204, 0, "lw", task(4), A(0));
	DEQUEUE(50, 204, 4, 0, 1);
	leave(50, 4, 2, 0x80);
	DEQUEUE(55, 202, 2, 0, 1);
	record(T0 + 55 * MS, 1, 202, 8, "llw", task(2), task(5), A(1));
	name(56, 204, 5, 204, 204, "E");
	record(T0 + 62 * MS, 162, 204, 0, "www", A(1), A(0), A(0));
	ENQUEUE(65, 204, 2, 0, 2);
	wakeup(65, 204, 2);
	record(T0 + 75 * MS, 1, 204, 8, "llw", task(5), task(2), A(0));
	wakeup(80, 202, 2);
	block_end();
	block_begin(0, "main", 3, 200, 0, T0 + 90 * MS);
	DEQUEUE(90, 202, 2, 0, 0);
	leave(90, 2, 9, 1);
	record(T0 + 95 * MS, 22, 0, 0x208, "lww", task(1), A(1), A(0));
	ENQUEUE(95, 0, 1, 0, 1);
	wakeup(95, 0, 1);
	leave(97, 9, 1, 0);
	ENQUEUE(99, 201, 2, 0, 2);
	wakeup(99, 201, 2);
	record(T0 + 100 * MS, 9, 201, 0, "ll", A(39), A(201));
	block_end();
}

static void runq_cpu_1(void)
{
	block_begin(1, "main", 1, 0, 0, T0);
	name(0, 0, 9, 0, 0, "swapper/0");
	name(0, 0, 10, 0, 0, "swapper/1");
	record(T0 + 0 * MS, 16, 0, 2, "w", A(1));
	record(T0 + 0 * MS, 17, 0, 2, "w", A(1));
	record(T0 + 3 * MS, 1, 0, 8, "llw", task(10), task(6), A(0));
	DEQUEUE(4, 207, 6, 1, 0);
	record(T0 + 4 * MS, 1, 207, 8, "llw", task(6), task(10), A(1));
	ENQUEUE(7, 0, 3, 1, 1);
	wakeup(7, 0, 3);
	leave(8, 10, 3, 0);
	DEQUEUE(15, 203, 3, 1, 0);
	leave(15, 3, 10, 1);
	DEQUEUE(26, 0, 1, 0, 1);
	record(T0 + 26 * MS, 22, 0, 0x208, "lww", task(1), A(0), A(1));
	ENQUEUE(26, 0, 1, 1, 1);
	leave(27, 10, 1, 0);
	ENQUEUE(32, 201, 4, 0, 2);
	wakeup_new(32, 201, 4, 204, 0);
	ENQUEUE(45, 201, 2, 0, 2);
	wakeup(45, 201, 2);
	ENQUEUE(52, 201, 5, 0, 2);
	wakeup_new(52, 201, 5, 204, 0);
	DEQUEUE(58, 201, 1, 1, 0);
	leave(58, 1, 10, 1);
	block_end();
}

static void runq_of(int with_queues)
{
	queues = with_queues;
	exact_head();
	runq_cpu_0();
	runq_cpu_1();
	finish();
}

static void runq(void)
{
	runq_of(1);
}

/* The same without the lengths of queues. */
static void runq_lives(void)
{
	runq_of(0);
}

/* Tenths of a millisecond. */
#define TENTHS(t)	(T0 + (t) * (MS / 10))

static void hr_start(unsigned int t, unsigned int n, uint64_t due, unsigned int clock)
{
	record(TENTHS(t), 132, 201, 0x208, "lwqw", task(20 + n), func(), due, A(clock));
}

static void hr_run(unsigned int t, unsigned int n, uint64_t now)
{
	record(TENTHS(t), 133, 201, 0x201, "lwq", task(20 + n), func(), now);
}

static void in_irq(unsigned int t, unsigned int event, unsigned int nr)
{
	if (event == 10)
		record(TENTHS(t), event, 201, 0x201, "ww", A(nr), func());
	else if (event == 11)
		record(TENTHS(t), event, 201, 0x201, "ww", A(nr), A(1));
	else
		record(TENTHS(t), event, 201, event < 20 ? 2 : 0x201, "w", A(nr));
}

static void begins_or_ends(unsigned int t, int starts)
{
	if (starts)
		record(TENTHS(t), 8, 201, 0, "llll", A(0), A(3), A(0), A(0));
	else
		record(TENTHS(t), 9, 201, 0, "ll", A(0), A(1));
}

/*
 * Timers: 0 is due at 10 ms, and the interrupt from 12 on looks at the clock at 12.5 ms and
 * calls it at 13, 1, which is due at 11, at 14. 2 is cancelled; 3 comes early, in its slack;
 * 4 was due before it was started; of 5, the date was set meanwhile.
 */
static void latency_timers(void)
{
	hr_start(10, 0, MONO0 + 10000000, 1);
	hr_start(20, 1, MONO0 + 11000000, 1);
	in_irq(120, 33, 236);
	hr_run(130, 0, MONO0 + 12500000);
	hr_run(140, 1, MONO0 + 12500000);
	in_irq(150, 34, 236);
	hr_start(160, 2, MONO0 + 17000000, 1);
	record(TENTHS(165), 135, 201, 0x208, "lw", task(22), func());
	hr_run(170, 2, MONO0 + 17000000);
	hr_start(180, 3, MONO0 + 20500000, 1);
	hr_run(202, 3, MONO0 + 20200000);
	hr_start(220, 4, MONO0 + 10000000, 1);
	hr_run(230, 4, MONO0 + 23000000);
	hr_start(240, 5, REAL0 + 25000000, 0);
	hr_run(250, 5, REAL0 + 3600000000000);
	record(TENTHS(260), 127, 201, 2, "lwqq", task(30), func(), A(100), A(103));
	record(TENTHS(261), 127, 201, 2, "lwqq", task(30), func(), A(100), A(100));
}

/* NET_RX from 30 to 31: irq 4, softirq TIMER; from 33 to 34, raised twice; RCU never comes. */
static void latency_softirqs(void)
{
	/* From here on, the first raise of it is known to be the first. */
	in_irq(292, 16, 3);
	in_irq(294, 17, 3);
	in_irq(295, 10, 4);
	in_irq(300, 29, 3);
	in_irq(305, 11, 4);
	in_irq(305, 16, 1);
	in_irq(310, 17, 1);
	in_irq(310, 16, 3);
	in_irq(320, 17, 3);
	record(TENTHS(330), 29, 201, 0x208, "w", A(3));
	record(TENTHS(335), 29, 201, 0x208, "w", A(3));
	in_irq(340, 16, 3);
	in_irq(342, 17, 3);
	record(TENTHS(350), 29, 201, 0x208, "w", A(9));
}

/*
 * System calls: 36 to 45, of which it blocks from 37 to 40, waits for B until 42, and irq 4
 * takes 0.5; one whose end is in a gap, from 50 to 60; 62 to 66, with an NMI of 0.5; one
 * that has not ended.
 */
static void latency(void)
{
	exact_head();
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	latency_timers();
	latency_softirqs();
	begins_or_ends(360, 1);
	leave(37, 1, 2, 1);
	wakeup(40, 202, 1);
	leave(42, 2, 1, 0);
	in_irq(430, 10, 4);
	in_irq(435, 11, 4);
	begins_or_ends(450, 0);
	begins_or_ends(460, 1);
	wakeup(50, 201, 1);
	block_end();
	block_begin(0, "main", 3, 200, 0, T0 + 60 * MS);
	wakeup(60, 201, 1);
	begins_or_ends(610, 0);
	begins_or_ends(620, 1);
	record(TENTHS(640), 35, 201, 4, "wqw", func(), A(500000), A(1));
	begins_or_ends(660, 0);
	begins_or_ends(670, 1);
	leave(68, 1, 2, 0);
	wakeup(70, 202, 2);
	block_end();
	only_cpu_0();
	finish();
}

/* No wakeups at all. */
static void switches(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	leave(10, 1, 2, 1);
	leave(30, 2, 1, 0);
	leave(40, 1, 2, 1);
	leave(50, 2, 9, 1);
	block_end();
	only_cpu_0();
	finish();
}

/*
 * PROCESS_FORK is not recorded: the number and the task struct of one that has ended are
 * another's, and then once more another's, of which only switches tell. The number alone is
 * given out again, too.
 */
static void nofork(void)
{
	states_head(201);
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "first");
	leave(10, 1, 2, 1);
	leave(20, 2, 1, 0x80);
	name(30, 201, 2, 202, 202, "second");
	wakeup(31, 201, 2);
	leave(40, 1, 2, 1);
	leave(50, 2, 9, 0x80);
	leave(60, 9, 2, 0);
	leave(70, 2, 1, 0x80);
	name(71, 201, 4, 202, 202, "fourth");
	wakeup(72, 201, 4);
	leave(80, 1, 4, 1);
	record(T0 + 90 * MS, 1, 202, 8, "llw", task(4), task(9), A(0x80));
	block_end();
	only_cpu_0();
	finish();
}

/* === What runs, and what it interrupts === */

#define HARD	0x201
#define SOFT	0x2
#define VECTOR	A(0xec)

static uint64_t us(uint64_t n)
{
	return T0 + n * US;
}

/* Times are whole microseconds of the clock's nominal rate, from 5 s on. */
static void contexts_head(void)
{
	head();
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	text(8, bits32 ? "0xc0100010 a_handler\n" : "0xffffffff81000010 a_handler\n");
	block_begin(0xffffffff, "names", 1, 0, 0, T0);
	name(0, 201, 1, 201, 201, "one");
	name(0, 201, 2, 202, 202, "two");
	name(0, 201, 3, 203, 203, "three");
	name(0, 201, 4, 204, 204, "four");
	name(0, 201, 9, 0, 0, "swapper/0");
	name(0, 201, 10, 0, 0, "swapper/1");
	block_end();
}

static void call(uint64_t at, uint32_t pid, uint64_t nr, uint64_t arg)
{
	record(us(at), 8, pid, 0, "llll", nr, arg, A(2), A(3));
}

static void call_end(uint64_t at, uint32_t pid, uint64_t nr, int64_t ret)
{
	record(us(at), 9, pid, 0, "ll", nr, A(ret));
}

/* Both exits and entries are recorded: what a thread does is told apart from here on. */
static void call_pair(uint64_t at, uint32_t pid)
{
	call(at, pid, A(39), A(0));
	call_end(at + 1, pid, A(39), pid);
}

static void turn(uint64_t at, unsigned int prev, unsigned int next, uint64_t state)
{
	record(us(at), 1, tid_of(prev), 0x208, "llw", task(prev), task(next), state);
}

/* One argument of 4 bytes, as most of what begins and ends has. */
static void mark(uint64_t at, unsigned int event, uint32_t pid, uint16_t flags, uint64_t arg)
{
	record(us(at), event, pid, flags, "w", arg);
}

static void irq(uint64_t from, uint64_t to, uint32_t pid, uint16_t flags)
{
	record(us(from), 10, pid, flags, "ww", A(4), func());
	record(us(to), 11, pid, flags, "ww", A(4), A(1));
}

/* Of one CPU: a softirq in a system call, in it an interrupt and a tasklet, in that an NMI. */
static void nested(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	mark(0, 24, 201, 0, A(0));
	call_pair(1, 201);
	call(10, 201, A(0), A(1));
	mark(20, 33, 201, HARD, VECTOR);
	mark(24, 29, 201, HARD, A(1));
	mark(26, 34, 201, HARD, VECTOR);
	mark(27, 16, 201, SOFT, A(1));
	record(us(30), 10, 201, HARD | SOFT, "ww", A(4), func());
	record(us(32), 35, 201, HARD | SOFT | 4, "wlw", func(), A(1000), A(1));
	record(us(33), 11, 201, HARD | SOFT, "ww", A(4), A(1));
	record(us(34), 14, 201, SOFT, "lw", task(50), func());
	record(us(36), 15, 201, SOFT, "lw", task(50), func());
	mark(37, 17, 201, SOFT, A(1));
	call_end(40, 201, A(0), 5);
	record(us(41), 165, 201, 0, "lll", A(1), A(2), A(3));
	record(us(44), 166, 201, 0, "");
	call(50, 201, A(1), A(1));
	turn(60, 1, 9, 1);
	mark(70, 33, 0, HARD, VECTOR);
	record(us(72), 2, 0, HARD, "l", task(1));
	mark(75, 34, 0, HARD, VECTOR);
	turn(80, 9, 1, 0);
	call_end(90, 201, A(1), -5);
	record(us(96), 165, 201, 0, "lll", A(1), A(2), A(3));
	record(us(98), 166, 201, 0, "");
	call(100, 201, A(39), A(0));
	block_end();
	only_cpu_0();
	finish();
}

/* A thread sleeps in a call, is woken by another CPU, and goes on there. */
static void migrating(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	call_pair(0, 201);
	call(10, 201, A(0), A(1));
	turn(20, 1, 9, 1);
	mark(60, 24, 0, 0, A(0));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	call_pair(0, 202);
	call(5, 202, A(39), A(0));
	record(us(30), 2, 202, 0, "l", task(1));
	record(us(31), 22, 202, 8, "lww", task(1), A(0), A(1));
	turn(40, 2, 1, 0);
	irq(45, 47, 201, HARD);
	call_end(50, 201, A(0), 1);
	turn(55, 1, 2, 1);
	call_end(60, 202, A(39), 202);
	block_end();
	finish();
}

static void signal(uint64_t at, uint64_t handler, uint64_t flags)
{
	record(us(at), 23, 201, 0, "wwlw", A(10), A(0), handler, flags);
}

static void handler_returns(uint64_t at)
{
	call(at, 201, A(15), A(0));
	/* What the handler had interrupted returns that. */
	call_end(at + 1, 201, A(-1LL), -4);
}

/*
 * Calls that signals interrupt: one starts again after a handler, in which there is another
 * call; one ends; one goes on as restart_syscall(). Then the thread ends. Without signals
 * none of their deliveries is recorded.
 */
static void restarts_of(int signals)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	call_pair(0, 201);
	call(100, 201, A(0), A(1));
	call_end(110, 201, A(0), -512);
	if (signals)
		signal(111, A(0x1000), A(0x10000000));
	call_pair(115, 201);
	handler_returns(120);
	call(125, 201, A(0), A(1));
	call_end(130, 201, A(0), 5);
	call(140, 201, A(0), A(1));
	call_end(150, 201, A(0), -512);
	if (signals)
		signal(151, A(0x1000), A(0));
	handler_returns(155);
	/* By the program, which looks the same. */
	call(157, 201, A(0), A(1));
	call_end(158, 201, A(0), 5);
	call(160, 201, A(35), A(1));
	call_end(170, 201, A(35), -516);
	call(175, 201, A(219), A(0));
	call_end(180, 201, A(219), 0);
	call(185, 201, 1ULL << 32 | 20, A(0));
	call_end(186, 201, 1ULL << 32 | 20, 201);
	call(190, 201, A(231), A(0));
	record(us(192), 7, 201, 0, "lw", task(1), A(0));
	turn(195, 1, 9, 0x80);
	mark(200, 24, 0, 0, A(0));
	block_end();
	only_cpu_0();
	finish();
}

static void restarts(void)
{
	restarts_of(1);
}

static void restarts_untold(void)
{
	restarts_of(0);
}

/*
 * Records of CPU 1 are missing from 30 us, in an interrupt, to 70 us, in another one. Thread
 * 1 sleeps in a call all the time, and thread 2 runs on CPU 0, in a call that it has made
 * before. On both CPUs the first record is an exit.
 */
static void torn_pairs(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	call_end(0, 202, A(1), 1);
	call_pair(2, 202);
	call(10, 202, A(0), A(1));
	call_end(90, 202, A(0), 1);
	irq(91, 93, 202, HARD);
	record(us(95), 2, 202, 0, "l", task(1));
	turn(96, 2, 1, 1);
	call_end(98, 201, A(0), 1);
	call(100, 201, A(0), A(1));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	mark(4, 34, 201, HARD, VECTOR);
	call(6, 201, A(0), A(1));
	turn(8, 1, 3, 1);
	mark(30, 33, 203, HARD, VECTOR);
	block_end();
	block_begin(1, "main", 3, 100, 0, us(70));
	mark(70, 29, 203, HARD, A(1));
	mark(74, 34, 203, HARD, VECTOR);
	/* Its exit is missing, and it is over here. */
	mark(80, 33, 203, HARD, VECTOR);
	call(86, 203, A(39), A(0));
	mark(100, 33, 203, HARD, VECTOR);
	block_end();
	finish();
}

/* What RDEFAULT has: entries of system calls, but no exits; no page faults. */
static void entries(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	call(0, 201, A(0), A(1));
	call(10, 201, A(1), A(1));
	irq(20, 25, 201, HARD);
	turn(30, 1, 9, 1);
	record(us(50), 2, 0, 8, "l", task(1));
	turn(60, 9, 1, 0);
	call(100, 201, A(1), A(1));
	block_end();
	only_cpu_0();
	finish();
}

/*
 * Softirqs of PREEMPT_RT, which run in a thread, and handlers that have one: they sleep, and
 * what runs meanwhile is not theirs. The flags do not tell of them: until there was an exit,
 * there may be none in the log.
 */
static void threaded(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	record(us(0), 36, 201, 0, "ww", A(4), func());
	mark(10, 16, 201, 0, A(3));
	turn(20, 1, 2, 0);
	irq(24, 26, 202, HARD);
	turn(40, 2, 1, 0);
	mark(50, 17, 201, 0, A(3));
	irq(52, 55, 201, HARD);
	record(us(60), 37, 201, 0, "ww", A(4), A(1));
	mark(70, 16, 201, 0, A(3));
	mark(85, 17, 201, 0, A(3));
	mark(100, 24, 201, 0, A(0));
	block_end();
	only_cpu_0();
	finish();
}

/*
 * Thread 1 makes another one, waits for a pipe, is woken by a softirq, and waits again, the
 * log does not tell for what. Records of CPU 0 are missing from 70 us to 90.
 */
static void parts(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	call_pair(0, 201);
	record(us(4), 165, 201, 0, "lll", A(1), A(2), A(3));
	record(us(5), 166, 201, 0, "");
	call(10, 201, A(57), A(0));
	record(us(12), 5, 201, 0, "lww", task(5), A(205), A(205));
	record(us(14), 21, 201, 0, "lw", task(5), A(0));
	call_end(16, 201, A(57), 205);
	call(20, 201, A(0), A(3));
	record(us(22), 86, 201, 0, "lw", task(80), A(0));
	turn(24, 1, 5, 1);
	call_end(26, 205, A(57), 0);
	mark(30, 33, 205, HARD, VECTOR);
	mark(32, 34, 205, HARD, VECTOR);
	mark(32, 16, 205, SOFT, A(1));
	record(us(34), 2, 205, SOFT, "l", task(1));
	mark(36, 17, 205, SOFT, A(1));
	turn(40, 5, 1, 0);
	record(us(44), 165, 201, 0, "lll", A(1), A(2), A(3));
	record(us(47), 166, 201, 0, "");
	call_end(50, 201, A(0), 1);
	call(58, 201, A(39), A(0));
	turn(60, 1, 5, 2);
	mark(70, 24, 205, 0, A(0));
	block_end();
	block_begin(0, "main", 3, 100, 0, us(90));
	mark(90, 24, 205, 0, A(0));
	turn(100, 5, 1, 0);
	mark(110, 24, 201, 0, A(0));
	block_end();
	only_cpu_0();
	finish();
}

/*
 * Up to 45 us the maskset has no switches. On CPU 0 a thread has a page fault, with an
 * interrupt in it; another one is interrupted, and then the idle task, before and after 45.
 */
static void switchless(void)
{
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	mark(0, 24, 201, 0, A(0));
	record(us(10), 165, 201, 0, "lll", A(1), A(2), A(3));
	mark(12, 33, 201, HARD, VECTOR);
	mark(15, 34, 201, HARD, VECTOR);
	record(us(20), 166, 201, 0, "");
	mark(30, 33, 202, HARD, VECTOR);
	mark(34, 34, 202, HARD, VECTOR);
	record(us(40), 10, 0, HARD, "ww", A(4), func());
	record(us(50), 11, 0, HARD, "ww", A(4), A(1));
	turn(60, 9, 1, 0);
	irq(70, 73, 201, HARD);
	mark(80, 24, 201, 0, A(0));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(us(0), 1010, 203, 0, "qq", A(0), A(0));
	record(us(45), 1010, 203, 0, "qq", A(0), A(0));
	turn(55, 3, 10, 1);
	mark(80, 24, 0, 0, A(0));
	block_end();
	finish();
}

#define MIX_RECORDS	15
#define MIX_BLOCK	64

/* 100 us of a CPU on which two threads take turns. */
static void mix_round(uint64_t t, unsigned int cpu, unsigned long i)
{
	unsigned int a = 1 + 2 * cpu, b = a + 1;
	uint32_t pid = tid_of(a), other = tid_of(b);

	call(t, pid, A(i % 300), A(1));
	mark(t + 4, 33, pid, HARD, VECTOR);
	mark(t + 5, 29, pid, HARD, A(1));
	mark(t + 9, 34, pid, HARD, VECTOR);
	mark(t + 10, 16, pid, SOFT, A(1));
	record(us(t + 12), 2, pid, SOFT, "l", task(b));
	mark(t + 14, 17, pid, SOFT, A(1));
	turn(t + 20, a, b, 1);
	call(t + 30, other, A(0), A(1));
	record(us(t + 31), 2, other, 8, "l", task(a));
	irq(t + 40, t + 42, other, HARD);
	call_end(t + 45, other, A(0), 1);
	turn(t + 50, b, a, 1);
	call_end(t + 60, pid, A(i % 300), i % 7 ? 0 : -11);
}

/* So many rounds of two busy CPUs; if it is cut, some blocks in between are missing. */
static void mix_of(int cut)
{
	unsigned long i, k, n = (number + MIX_BLOCK - 1) / MIX_BLOCK;
	unsigned int cpu, dice = number;

	contexts_head();
	for (i = 0; i < n; i++) {
		for (cpu = 0; cpu < 2; cpu++) {
			dice = dice * 1103515245 + 12345;
			if (cut && i && i < n - 1 && dice >> 16 & 1)
				continue;
			block_begin(cpu, "main", i + 1, i * MIX_BLOCK * MIX_RECORDS, 0,
				    us(i * MIX_BLOCK * 100));
			for (k = i * MIX_BLOCK; k < (i + 1) * MIX_BLOCK; k++)
				mix_round(k * 100, cpu, k);
			block_end();
		}
	}
	finish();
}

static void mix(void)
{
	mix_of(0);
}

static void mix_cut(void)
{
	mix_of(1);
}

/* === Whose a number was, and when === */

/*
 * What the log says last of 500 and 501 is of other tasks than those that end in it. Of 501
 * the second owner is made in it, too; its task struct was another's before.
 */
static void owners(int list_first)
{
	static const char list[] = "500 500 sshd\n501 501 newer\n7 7 lasting\n";

	head();
	text(2, etypes);
	clocks();
	if (list_first)
		text(4, list);
	block_begin(0, "main", 9, 100, 0, T0);
	record(T0 + 1 * US, 2, 7, 0, "l", task(2));
	record(T0 + 2 * US, 7, 500, 0, "lw", task(5), A(0));
	record(T0 + 3 * US, 1, 500, 8, "llw", task(5), task(6), A(0x80));
	record(T0 + 4 * US, 7, 501, 0, "lw", task(6), A(0));
	record(T0 + 5 * US, 1, 501, 8, "llw", task(6), task(7), A(0x80));
	record(T0 + 6 * US, 5, 7, 0, "lww", task(2), A(501), A(501));
	record_comm(T0 + 6 * US, 1015, 7, task(2), TID(501, 501), "shell");
	record(T0 + 7 * US, 1, 7, 8, "llw", task(7), task(2), A(1));
	record_comm(T0 + 8 * US, 1015, 501, task(2), TID(501, 501), "newer");
	record(T0 + 9 * US, 9, 501, 0, "ll", A(39), A(501));
	block_end();
	if (!list_first)
		text(4, list);
	finish();
}

static void owners_at_end(void)
{
	owners(0);
}

static void owners_at_start(void)
{
	owners(1);
}

/* Names are listed between two blocks: 500 ends after that, and its number is given out. */
static void owners_between(void)
{
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * US, 2, 500, 0, "l", task(7));
	block_end();
	text(4, "500 500 old\n");
	block_begin(0, "main", 2, 1, 0, T0 + 2 * US);
	record(T0 + 2 * US, 7, 500, 0, "lw", task(5), A(0));
	record(T0 + 3 * US, 1, 500, 8, "llw", task(5), task(7), A(0x80));
	record(T0 + 4 * US, 5, 7, 0, "lww", task(2), A(500), A(500));
	record(T0 + 5 * US, 9, 500, 0, "ll", A(39), A(500));
	block_end();
	finish();
}

/* A piece of a text, as the kernel records it: which piece, and how long the text is. */
static void piece(uint64_t time, uint32_t pid, const char *s, unsigned int at, unsigned int n)
{
	unsigned int words = (n + 7) / 8;
	char field[112] = "";

	record_words(time, 1013, pid, 1 + words);
	put64(A(strlen(s)) << 32 | at);
	memcpy(field, s + at, n);
	put(field, 8 * words);
}

/* A text of n letters and numbers that tell where one is in it. */
static const char *long_text(char letter, unsigned int n)
{
	static char s[4097];
	unsigned int i;

	for (i = 0; i < n; i++)
		s[i] = i % 8 ? '0' + i / 8 % 10 : letter;
	s[n] = '\0';
	return s;
}

/*
 * Texts longer than a record. Of 7 and 8, who write at once on two CPUs; of 9, who moves
 * to the other CPU; of 10, of which a character lies across two records; of 11 and 13, with
 * two full pieces each; and on CPU 0, where records are missing then, the beginning of a
 * text of 12 and the end of another one of 12. So 11 may have written more than there is.
 */
static void markers(void)
{
	char utf8[160];
	unsigned int i;

	for (i = 0; i < 150; i++)
		utf8[i] = "\303\244"[(i + 1) % 2];
	utf8[0] = 'x';
	utf8[149] = '\0';
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	piece(T0 + 1 * US, 7, long_text('a', 250), 0, 112);
	piece(T0 + 1 * US, 7, long_text('a', 250), 112, 112);
	piece(T0 + 1 * US, 7, long_text('a', 250), 224, 26);
	piece(T0 + 7 * US, 9, long_text('c', 130), 0, 112);
	piece(T0 + 10 * US, 10, utf8, 0, 112);
	piece(T0 + 10 * US, 10, utf8, 112, 37);
	piece(T0 + 12 * US, 11, long_text('e', 224), 0, 112);
	piece(T0 + 12 * US, 11, long_text('e', 224), 112, 112);
	piece(T0 + 20 * US, 12, long_text('f', 300), 0, 112);
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	piece(T0 + 2 * US, 8, long_text('b', 113), 0, 112);
	piece(T0 + 2 * US, 8, long_text('b', 113), 112, 1);
	piece(T0 + 7 * US, 9, long_text('c', 130), 112, 18);
	write_marker(T0 + 15 * US, 7, "short");
	piece(T0 + 16 * US, 13, long_text('h', 224), 0, 112);
	piece(T0 + 16 * US, 13, long_text('h', 224), 112, 112);
	block_end();
	block_begin(0, "main", 3, 15, 0, T0 + 30 * US);
	piece(T0 + 30 * US, 12, long_text('g', 200), 112, 88);
	block_end();
	finish();
}

/* What programs of other ABIs than the kernel's own call; results. */
static void abis(void)
{
	static const uint64_t nr[] = {
		1ULL << 32 | 20, 1ULL << 32 | 4, 1ULL << 32 | 9999, 0x40000000 | 39,
		0x40000000 | 515, 0x40000000 | 19, 0x40000000 | 9999, 39, 515,
	};
	static const int results[] = { -38, -110, -36, -41, -133, -134, -512, -1 };
	unsigned int i;

	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	for (i = 0; i < sizeof(nr) / sizeof(nr[0]); i++)
		record(T0 + i * US, 8, 1, 0, "qlll", nr[i], A(0), A(0), A(0));
	for (i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		record(T0 + (20 + i) * US, 9, 1, 0, "qq", A(39), A((int64_t)results[i]));
	block_end();
	finish();
}

/* Names of one cell and of two, with marks, and with what is no UTF-8. */
static void names(void)
{
	static const char *const all[] = {
		"ascii", "\303\244\303\266\303\274", "\346\227\245\346\234\254",
		"e\314\201t\303\251", "cut\303", "\342\200\256odd", "\302\233x",
	};
	unsigned int i;

	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		record_comm(T0 + i * US, 1015, 10 + i, task(i), TID(10 + i, 10 + i), all[i]);
	block_end();
	finish();
}

/* Blocks with a longer head, as a later kernel may have. */
static void long_head(void)
{
	head_size = 160;
	basic();
}

static void empty(void)
{
	head();
	text(2, etypes);
	clocks();
	finish();
}

/* CLOCK_MONOTONIC itself and another clock in one log. */
static void mixed(void)
{
	size_t start;

	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0 + 10 * US);
	record(T0 + 10 * US, 2, 1, 0, "l", task(1));
	record(T0 + 30 * US, 2, 3, 0, "l", task(1));
	block_end();
	block_begin(1, "main", 1, 0, 0, MONO0 + 20000);
	start = block;
	record(MONO0 + 20000, 2, 2, 0, "l", task(1));
	block_end();
	/* The clock's place in the head. */
	out[start + 20 + (big ? 1 : 0)] = 2;
	finish();
}

/* All clocks at a moment in ms: that which records, MONOTONIC, REALTIME, BOOTTIME. */
static void moment(uint64_t ms, uint64_t mono, uint64_t real, uint64_t boot)
{
	record(T0 + ms * MS, 1009, 1, 0, "qqqq", T0 + ms * MS, MONO0 + mono * 1000000,
	       REAL0 + real * 1000000, MONO0 + boot * 1000000 + 7);
}

/* The clocks at the start, and at the end: the same in ms as for moment(). */
static void clocks_from_to(uint64_t ms, uint64_t mono, uint64_t real, uint64_t boot)
{
	begin(3);
	clock_sample(0, T0, MONO0);
	put32(0);
	put32(KHZ);
	put64(T0 + ms * MS);
	put64(MONO0 + mono * 1000000);
	put64(REAL0 + real * 1000000);
	put64(MONO0 + boot * 1000000 + 7);
	end();
}

/*
 * After 2 s the date is set an hour ahead; from 5 to 8 s the machine is suspended, and the
 * recording clock runs on. PIDs are the tenths of seconds of it.
 */
static void steps(void)
{
	static const unsigned int tenths[] = { 10, 19, 21, 49, 81, 95 };
	unsigned int i;

	head();
	text(2, etypes);
	clocks_from_to(10000, 7000, 3610000, 10000);
	block_begin(0, "main", 1, 0, 0, T0);
	moment(0, 0, 0, 0);
	for (i = 0; i < 6; i++) {
		if (tenths[i] == 21)
			moment(2000, 2000, 3602000, 2000);
		if (tenths[i] == 81)
			moment(8000, 5000, 3608000, 8000);
		record(T0 + 100 * tenths[i] * MS, 2, tenths[i], 0, "l", task(1));
	}
	block_end();
	finish();
}

/* The date was set before what is left was recorded, and the moment is overwritten. */
static void lost_date(void)
{
	head();
	text(2, etypes);
	clocks_from_to(10000, 10000, 3610000, 10000);
	block_begin(0, "main", 50, 100000, 0, T0 + 9000 * MS);
	record(T0 + 9000 * MS, 2, 90, 0, "l", task(1));
	record(T0 + 9900 * MS, 2, 99, 0, "l", task(1));
	block_end();
	finish();
}

/* So was the machine suspended: for 3 s. */
static void lost_suspension(void)
{
	head();
	text(2, etypes);
	clocks_from_to(10000, 7000, 10000, 10000);
	block_begin(0, "main", 50, 100000, 0, T0 + 8000 * MS);
	record(T0 + 8200 * MS, 2, 82, 0, "l", task(1));
	record(T0 + 9000 * MS, 2, 90, 0, "l", task(1));
	record(T0 + 9900 * MS, 2, 99, 0, "l", task(1));
	block_end();
	finish();
}

/*
 * From 5 to 8 s the machine is suspended, which resets the counter: it starts anew, and full
 * times go on at the next multiple of 2^48. PIDs are tenths of seconds of CLOCK_BOOTTIME.
 */
static void reset(void)
{
	const uint64_t again = (1ULL << 48) + 20 * MS;
	uint32_t cpu;

	head();
	text(2, etypes);
	begin(3);
	clock_sample(0, T0, MONO0);
	put32(0);
	put32(KHZ);
	put64(again + 2000 * MS);
	put64(MONO0 + 7000 * 1000000ULL);
	put64(REAL0 + 10000 * 1000000ULL);
	put64(MONO0 + 10000 * 1000000ULL + 7);
	end();
	for (cpu = 0; cpu < 2; cpu++) {
		block_begin(cpu, "main", 1, 0, 0, T0);
		if (!cpu)
			moment(0, 0, 0, 0);
		record(T0 + (1000 + 100 * cpu) * MS, 2, 10 + cpu, 0, "l", task(1));
		record(T0 + (4800 + 100 * cpu) * MS, 2, 48 + cpu, 0, "l", task(1));
		if (!cpu)
			moment(4990, 4990, 4990, 4990);
		block_end();
		block_begin(cpu, "main", 2, cpu ? 2 : 4, 0, again);
		record(again + 100 * (2 - cpu) * MS, 2, 82 - cpu, 0, "l", task(1));
		if (!cpu)
			record(again + 10 * MS, 1009, 1, 0, "qqqq", again + 10 * MS,
			       MONO0 + 5010 * 1000000ULL, REAL0 + 8010 * 1000000ULL,
			       MONO0 + 8010 * 1000000ULL + 7);
		record(again + (1500 + 100 * cpu) * MS, 2, 95 + cpu, 0, "l", task(1));
		block_end();
	}
	finish();
}

/* As what knows nothing of a reset would have it, or a machine whose clock was changed. */
static void reset_untold(void)
{
	head();
	text(2, etypes);
	clocks_from_to(10000, 7000, 10000, 10000);
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 4800 * MS, 2, 48, 0, "l", task(1));
	block_end();
	block_begin(0, "main", 2, 1, 0, T0 - 4000 * MS);
	record(T0 - 3900 * MS, 2, 81, 0, "l", task(1));
	block_end();
	finish();
}

/*
 * After 2 s CLOCK_MONOTONIC goes a tenth faster, after 4 s as before; then the machine is
 * suspended for half a second of an hour. PIDs are the seconds of the recording clock.
 */
static void slewed(void)
{
	static const unsigned int seconds[] = { 1, 3, 5, 3500, 3605 };
	unsigned int i;

	head();
	text(2, etypes);
	clocks_from_to(3610000, 3609700, 3610200, 3610200);
	block_begin(0, "main", 1, 0, 0, T0);
	for (i = 0; i < 5; i++) {
		if (seconds[i] == 3)
			moment(2000, 2000, 2000, 2000);
		if (seconds[i] == 5)
			moment(4000, 4200, 4200, 4200);
		if (seconds[i] == 3605)
			moment(3604000, 3603700, 3604200, 3604200);
		record(T0 + 1000 * seconds[i] * MS, 2, seconds[i], 0, "l", task(1));
	}
	block_end();
	finish();
}

/* All that was recorded up to this moment is in the log. */
static void upto(uint32_t clock, uint64_t time, uint64_t mono)
{
	begin(9);
	clock_sample(clock, time, mono);
	end();
}

/* CPU 0 was read first, while they went on; at 45 ms neither was. */
static void live(void)
{
	two_ends();
	text(6, "# per_cpu/cpu0/stats\nwritten: 90\nunread: 20\n"
		"# per_cpu/cpu1/stats\nwritten: 90\nunread: 20\n");
	upto(0, T0 + 45 * MS, MONO0 + 45000000ULL * 2000 / 2001);
	finish();
}

/* -n blocks of 64 KiB on each of 4 CPUs, written straight away. */
static void large(void)
{
	uint64_t t = T0, first[4] = {};
	unsigned long i, k, cpu;

	head();
	text(2, etypes);
	clocks();
	for (i = 0; i < number; i++) {
		for (cpu = 0; cpu < 4; cpu++) {
			block_begin(cpu, "main", i + 1, first[cpu], 0, t + cpu);
			for (k = 0; k < 1600; k++)
				record(t + k * US + cpu, 1, 100 + k % 50, 8, "llw",
				       task(k % 50), task((k + 1) % 50), A(k % 3));
			first[cpu] += count;
			block_end();
			if (fwrite(out, fill, 1, stdout) != 1)
				exit(1);
			fill = 0;
		}
		t += 1600 * US;
		if (expect)
			upto(0, t, MONO0 + (t - T0) / 2);
	}
	finish();
}

/* Tasks are named before any CPU records. */
static void early_names(void)
{
	head();
	clocks();
	block_begin(0xffffffff, "names", 1, 0, 0, T0);
	record_comm(T0 + 1 * MS, 1015, 101, task(1), TID(101, 101), "one");
	record_comm(T0 + 2 * MS, 1015, 101, task(2), TID(102, 101), "two");
	block_end();
	block_begin(0, "main", 1, 0, 0, T0 + 3 * MS);
	record(T0 + 3 * MS, 1, 101, 8, "llw", task(1), task(2), A(1));
	block_end();
	finish();
}

/* A task is named after all that any CPU has recorded. */
static void late_name(void)
{
	head();
	clocks();
	block_begin(0xffffffff, "names", 1, 0, 0, T0);
	record_comm(T0, 1015, 101, task(1), TID(101, 101), "one");
	record_comm(T0 + 5 * MS, 1015, 101, task(2), TID(102, 101), "two");
	block_end();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 3 * MS, 1, 101, 8, "llw", task(1), task(2), A(1));
	block_end();
	finish();
}

/* In the log's own table, and in its record, a fork tells of the task struct only. */
static void few_args(void)
{
	char *table = strdup(etypes), *rest = strstr(table, "\tpid\ts32\tPID of the child");
	char *end = strchr(rest, '\n');

	memmove(rest, end, strlen(end) + 1);
	head();
	text(2, table);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * MS, 5, 101, 0, "l", task(1));
	block_end();
	finish();
	free(table);
}

/*
 * What other formats take for something else: characters that their names do not have, names
 * that are there twice, or are made of others.
 */
static void odd_names(void)
{
	head();
	text(2, etypes);
	text(2, "601\tMY-A\tmy-event.one\tdynamic\ta\ta-b\tu32\tone\ta.b\tu32\ttwo\tint\tu32\tthree\n"
	     "602\tMY-B\tmy_event.one\tdynamic\tb\tx\tu32\tone\tx\tu32\ttwo\tx_2\tu32\tthree\n"
	     "603\tMY-C\trecord\tdynamic\tc\ttask\tptr\tpointer to task struct\ttask_tid\tu32\ttwo"
	     "\tgroup\ttid\tthree\ttgid\tu32\tfour\n"
	     "604\tMY-D\tmy-event-one\tdynamic\td\tcommon_pid\tu32\tone\n"
	     "605\tMY-E\tmy_event_one_2\tdynamic\te\targ2\tu32\tone\n");
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record_comm(T0, 1015, 101, task(1), TID(101, 101), "one");
	record(T0 + 1 * US, 601, 101, 0, "www", A(1), A(2), A(3));
	record(T0 + 2 * US, 602, 101, 0, "www", A(4), A(5), A(6));
	record(T0 + 3 * US, 603, 101, 0, "lwqw", task(1), A(7), TID(8, 9), A(10));
	record(T0 + 4 * US, 604, 101, 0, "w", A(11));
	record(T0 + 5 * US, 605, 101, 0, "w", A(12));
	record(T0 + 6 * US, 605, 101, 0, "ww", A(13), A(14));
	block_end();
	only_cpu_0();
	finish();
}

/* Events made at run time, of which an argument could not be read: nor were those behind it. */
static void short_args(void)
{
	head();
	text(2, etypes);
	text(2, "601\tMY_A\tmy_a\tdynamic\ta\ta\tu64\tone\tb\tu64\ttwo\tc\tu32\tthree\n"
	     "602\tMY_B\tmy_b\tdynamic\tb\ta\tu32\tone\tword\tstr\ttwo\n");
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record_comm(T0, 1015, 101, task(1), TID(101, 101), "one");
	record(T0 + 1 * US, 601, 101, 0, "llw", A(1), A(2), A(3));
	record(T0 + 2 * US, 601, 101, 0, "l", A(4));
	record(T0 + 3 * US, 602, 101, 0, "w", A(5));
	record(T0 + 4 * US, 601, 101, 0, "ll", A(6), A(7));
	record(T0 + 5 * US, 601, 101, 0, "llw", A(8), A(2), A(9));
	block_end();
	only_cpu_0();
	finish();
}

/* An interrupt of another CPU, within a hardware interrupt, in a call that arm64 has as 207. */
static void arm64(void)
{
	machine = "aarch64";
	contexts_head();
	block_begin(0, "main", 1, 0, 0, T0);
	call(0, 201, A(207), A(1));
	turn(10, 9, 1, 0);
	call(20, 201, A(207), A(1));
	record(us(40), 10, 201, HARD, "ww", A(2), func());
	record(us(43), 31, 201, HARD, "w", A(1));
	record(us(46), 32, 201, HARD, "w", A(1));
	record(us(50), 11, 201, HARD, "ww", A(2), A(1));
	turn(100, 1, 9, 1);
	block_end();
	only_cpu_0();
	finish();
}

/* Two CPUs whose numbers no machine has, beside one that may be. */
static void far_cpus(void)
{
	static const unsigned int cpus[] = { 1, 60000000, 60000001 };
	unsigned int i;

	head();
	text(2, etypes);
	clocks();
	for (i = 0; i < 3; i++) {
		block_begin(cpus[i], "main", 1, 0, 0, T0 + i * US);
		record(T0 + i * US, 16, 101 + i, 0, "w", A(i));
		record(T0 + (i + 10) * US, 16, 101 + i, 0, "w", A(i));
		block_end();
	}
	finish();
}

/* An interrupt, and a softirq in its exit, that are open where records are missing. */
static void open_at_gap(void)
{
	head();
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record_comm(T0, 1015, 101, task(1), TID(101, 101), "one");
	record(T0 + 1 * US, 10, 101, 0, "wl", A(4), func());
	record(T0 + 2 * US, 16, 101, 0, "w", A(3));
	record(T0 + 3 * US, 2, 101, 0, "l", task(1));
	block_end();
	block_begin(0, "main", 2, 14, 0, T0 + 20 * US);
	record(T0 + 20 * US, 11, 101, 0, "ww", A(4), A(1));
	/* Its exit is missing, without a word: that of what is around it is there. */
	record(T0 + 21 * US, 10, 101, 0, "wl", A(5), func());
	record(T0 + 22 * US, 16, 101, 0, "w", A(1));
	record(T0 + 23 * US, 11, 101, 0, "ww", A(5), A(1));
	block_end();
	only_cpu_0();
	finish();
}

/* The idle task tells names, which are no CPU's; nobody tells of the task that comes next. */
static void unknown_tasks(void)
{
	head();
	clocks();
	block_begin(0xffffffff, "names", 1, 0, 0, T0);
	record_comm(T0 + 1 * MS, 1015, 0, task(1), TID(101, 101), "one");
	block_end();
	block_begin(0, "main", 1, 0, 0, T0 + 3 * MS);
	record(T0 + 3 * MS, 1, 101, 8, "llw", task(1), task(7), A(1));
	record(T0 + 4 * MS, 1, 0, 8, "llw", task(9), task(1), A(0));
	block_end();
	finish();
}

/* A thread sleeps twice; of the first time there is its stack, in two pieces. */
static void stacks(void)
{
	head();
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record_comm(T0, 1015, 101, task(1), TID(101, 101), "a;b c");
	record_comm(T0, 1015, 101, task(9), TID(0, 0), "swapper/0");
	record(T0 + 1 * MS, 1, 101, 8, "llw", task(1), task(9), A(2));
	record(T0 + 1 * MS, 1016, 101, 8, "qqq", A(3) << 16, func(), func() + 0x100);
	record(T0 + 1 * MS, 1016, 101, 8, "qq", A(3) << 16 | 2, func() + 0x200);
	record(T0 + 3 * MS, 2, 0, 1, "l", task(1));
	record(T0 + 3 * MS, 1, 0, 8, "llw", task(9), task(1), A(0));
	record(T0 + 4 * MS, 1, 101, 8, "llw", task(1), task(9), A(2));
	record(T0 + 8 * MS, 2, 0, 1, "l", task(1));
	record(T0 + 9 * MS, 1, 0, 8, "llw", task(9), task(1), A(0));
	block_end();
	only_cpu_0();
	text(8, "0xffffffff81000010 io_schedule+0x10\n0xffffffff81000110 wait_on_page+0x20\n"
	     "0xffffffff81000210 do_read+0x1\n");
	finish();
}

/*
 * Stacks of two CPUs at one time, one without its event, one that has lost a piece, one with
 * a program's part and registers before it.
 */
static void odd_stacks(void)
{
	head();
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record_comm(T0, 1015, 101, task(1), TID(101, 101), " x");
	record(T0 + 1 * MS, 2, 101, 8, "l", task(1));
	record(T0 + 1 * MS, 1016, 101, 8, "qq", A(3) << 16, func());
	record(T0 + 1 * MS, 1016, 101, 8, "qq", A(3) << 16 | 2, func() + 0x200);
	record(T0 + 2 * MS, 2, 101, 8, "l", task(1));
	record(T0 + 2 * MS, 1017, 101, 8, "qq", A(1) << 16, A(5));
	record(T0 + 2 * MS, 1016, 101, 8, "qq", A(1) << 16, func());
	record(T0 + 2 * MS, 1016, 101, 8, "qqq", A(1) << 32 | A(2) << 16, A(0x401000), A(0x402000));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0, 1016, 102, 8, "qq", A(1) << 16, func() + 0x100);
	record(T0 + 1 * MS, 2, 102, 8, "l", task(1));
	record(T0 + 1 * MS, 1016, 102, 8, "qqq", A(2) << 16, func(), func() + 0x100);
	block_end();
	text(4, "102 102 two\n");
	text(8, "0xffffffff81000010 io_schedule+0x10\n0xffffffff81000110 wait_on_page+0x20\n"
	     "0xffffffff81000210 do_read+0x1\n");
	finish();
}

#define ROUNDS		6

/*
 * A tenth of a second as one who follows writes it: CPU 0 is read first, and both after the
 * moment. The clock's rate is not the nominal one, nor always the same. In the last round
 * there is another clock.
 */
static void follow_round(unsigned int i)
{
	static uint64_t first[2];
	static const unsigned int from[] = { 10, 40 }, to[] = { 105, 108 };
	uint64_t t = T0 + i * 100 * MS, ns = MONO0 + i * 100100000ULL + i % 2 * 20000;
	unsigned int cpu, ms;
	size_t start;

	for (cpu = 0; cpu < 2; cpu++) {
		block_begin(cpu, "main", i + 1, first[cpu] + (i == 3), 0, t + from[cpu] * MS);
		start = block;
		if (i == ROUNDS - 1)
			t = MONO0 + i * 100100000ULL;
		for (ms = from[cpu]; ms <= to[cpu]; ms++) {
			if (i == ROUNDS - 1)
				record(t + ms * 1000000, 2, 100 + ms, 0, "l", task(1));
			else
				record(t + ms * MS, 2, 100 + ms, 0, "l", task(1));
		}
		if (i == 1 && !cpu) {
			record_comm(t + ms * MS, 1015, 7, task(2), TID(300, 300), "late name");
			moment(i * 100 + ms + 1, i * 100 + ms + 1, 3600000 + i * 100 + ms + 1,
			       i * 100 + ms + 1);
			piece(t + (ms + 2) * MS, 9, long_text('a', 130), 0, 112);
			piece(t + (ms + 2) * MS, 9, long_text('a', 130), 112, 18);
		}
		first[cpu] += count + (i == 3);
		block_end();
		/* The block's time and clock. */
		if (i == ROUNDS - 1) {
			set64(start + 56, t);
			out[start + 20 + (big ? 1 : 0)] = 2;
		}
	}
	if (i == ROUNDS - 1)
		upto(2, ns + 100100000, ns + 100100000);
	else
		upto(0, T0 + (i + 1) * 100 * MS, ns + 100100000 + (i + 1) % 2 * 20000);
}

static void follow_rounds(unsigned int n)
{
	unsigned int i;

	head();
	text(2, etypes);
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	text(4, "100 100 bash\n");
	for (i = 0; i < n; i++)
		follow_round(i);
}

static void follow(void)
{
	follow_rounds(ROUNDS);
	text(8, "0xffffffff81000010 i8042_interrupt\n");
	finish();
}

/* Of the same, the first -n rounds. */
static void followed(void)
{
	follow_rounds(number);
}

/* What was to be all up to a moment was not. */
static void tardy(void)
{
	head();
	text(2, etypes);
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * US, 2, 1, 0, "l", task(1));
	record(T0 + 5 * US, 2, 5, 0, "l", task(1));
	block_end();
	upto(0, T0 + 6 * US, MONO0 + 6000);
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0 + 2 * US, 2, 2, 0, "l", task(1));
	record(T0 + 7 * US, 2, 7, 0, "l", task(1));
	block_end();
	upto(0, T0 + 8 * US, MONO0 + 8000);
	finish();
}

/* What makes 1 of what was once the multiplier of the tools' maps. */
static uint64_t inverse(void)
{
	uint64_t n = 1;
	int i;

	/* Each step doubles the bits that are right. */
	for (i = 0; i < 6; i++)
		n *= 2 - n * 0x9e3779b97f4a7c15ULL;
	return n;
}

/*
 * 40000 tasks and 40000 functions whose addresses, times what was once the multiplier of
 * the tools' maps, differ in the low 32 bits only.
 */
static void collide(void)
{
	uint64_t key, t = T0;
	unsigned long i;
	char *names = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&names, &size);

	head();
	text(2, etypes);
	clocks();
	for (i = 1; i <= 40000; i++) {
		key = i * inverse();
		if (i % 1000 == 1)
			block_begin(0, "main", i / 1000 + 1, i - 1, 0, t);
		record(t += US, 1, 100 + i, 0, "qqw", key, key, A(0));
		fprintf(f, "0x%llx name_%lu\n", (unsigned long long)key, i);
		if (i % 1000 == 0)
			block_end();
	}
	block_begin(0, "main", 41, 40000, 0, t);
	record(t += US, 10, 100, 0, "wq", A(9), 12345 * inverse());
	block_end();
	fclose(f);
	text(8, names);
	finish();
}

/* === Logs that mean harm by their size === */

/*
 * -n rounds of as many records each, on four CPUs: few threads and few of all else that has a
 * begin and an end; a new thread each round, which does not come back; pairs that never end;
 * 40000 of each, and these with addresses as in collide(); a thread that is in one system call
 * from first to last; records that are missing before each block, which are short.
 */
enum many {
	MANY_GOOD, MANY_TASKS, MANY_PAIRS, MANY_SPREAD, MANY_COLLIDE, MANY_PIECES, MANY_GAPS
};

#define MANY_CPUS	4
/* In a block. */
#define MANY_RECORDS	512
#define MANY_GAPS_RECORDS	16
#define MANY_BYTES	(MANY_RECORDS * 80)

static struct many_block {
	unsigned char data[MANY_BYTES];
	size_t len;
	uint64_t seq, first, records, opened;
} many_block[MANY_CPUS];
static unsigned int many_records = MANY_RECORDS, many_lost;

static void many_flush(int cpu)
{
	struct many_block *b = &many_block[cpu];

	block_begin(cpu, "main", ++b->seq, b->first, 0, b->opened);
	put(b->data, b->len);
	count = b->records;
	b->first += count + many_lost;
	block_end();
	b->len = 0;
	b->records = 0;
	if (fwrite(out, fill, 1, stdout) != 1)
		exit(1);
	fill = 0;
}

/* Into the block of the CPU: what the last record() put at the end of the log. */
static void many_take(int cpu, uint64_t time)
{
	struct many_block *b = &many_block[cpu];

	if (!b->records)
		b->opened = time;
	memcpy(b->data + b->len, out, fill);
	b->len += fill;
	fill = 0;
	if (++b->records == many_records)
		many_flush(cpu);
}

static uint64_t many_addr(enum many many, unsigned long id)
{
	return many == MANY_COLLIDE ? id * inverse() : 0xffff888000000000ULL + 64 * id;
}

static void many_round(enum many many, unsigned long i, uint64_t t)
{
	static unsigned long on[MANY_CPUS] = { 1, 2, 3, 4 };
	unsigned long next = many == MANY_TASKS ? 100 + i : 100 + i % 4096 % 400;
	unsigned long what = many == MANY_PAIRS ? i : i % 16;
	int cpu = i % MANY_CPUS;
	uint64_t prev_addr, next_addr, addr;

	if (many == MANY_SPREAD || many == MANY_COLLIDE)
		next = 100 + (what = i % 40000);
	if (many == MANY_PIECES && cpu == 0)
		next = i % 8 ? 7 : 8;
	addr = many_addr(many, 1000000000 + what);
	prev_addr = many_addr(many, on[cpu]);
	next_addr = many_addr(many, next);
	record(t, 2, on[cpu], 8, "q", next_addr);
	many_take(cpu, t);
	record(t + US, 86, on[cpu], 0, "qw", addr, A(0));
	many_take(cpu, t);
	record(t + 2 * US, 114, on[cpu], 0, "qw", addr, A(32));
	many_take(cpu, t);
	record(t + 3 * US, 1, on[cpu], 8, "qqw", prev_addr, next_addr, A(1));
	many_take(cpu, t);
	on[cpu] = next;
	if (many == MANY_PIECES && cpu == 0)
		record(t + 4 * US, 8, next, 0, "wqqq", A(i >= 8), A(0), A(0), A(0));
	else
		record(t + 4 * US, 8, next, 0, "wqqq", A(0), A(0), A(0), A(0));
	many_take(cpu, t);
	record(t + 5 * US, 132, next, 0, "qqqw", addr, A(0), A(0), A(1));
	many_take(cpu, t);
	if (many == MANY_TASKS || many == MANY_PIECES)
		record(t + 6 * US, 2, next, 8, "q", prev_addr);
	else
		record(t + 6 * US, 9, next, 0, "wq", A(0), A(0));
	many_take(cpu, t);
	if (many == MANY_PAIRS)
		record(t + 7 * US, 29, next, 0, "w", A(i % 10));
	else
		record(t + 7 * US, 133, next, 0, "qqq", addr, A(0), A(0));
	many_take(cpu, t);
}

static void many(enum many many)
{
	unsigned long i;
	int cpu;

	head();
	/* The tools have a table themselves, with all events. */
	clocks();
	fwrite(out, fill, 1, stdout);
	fill = 0;
	for (i = 0; i < number; i++)
		many_round(many, i, T0 + 2 * US * i);
	for (cpu = 0; cpu < MANY_CPUS; cpu++) {
		if (many_block[cpu].records)
			many_flush(cpu);
	}
	finish();
}

static void many_good(void) { many(MANY_GOOD); }
static void many_tasks(void) { many(MANY_TASKS); }
static void many_pairs(void) { many(MANY_PAIRS); }
static void many_spread(void) { many(MANY_SPREAD); }
static void many_collide(void) { many(MANY_COLLIDE); }
static void many_pieces(void) { many(MANY_PIECES); }

static void many_gaps(void)
{
	many_records = MANY_GAPS_RECORDS;
	many_lost = 5;
	many(MANY_GAPS);
}

/* As many interrupts, each with a number of its own. */
static void many_irqs(void)
{
	unsigned long i;
	uint64_t t;

	head();
	clocks();
	fwrite(out, fill, 1, stdout);
	fill = 0;
	for (i = 0; i < number; i++) {
		t = T0 + 2 * US * i;
		record(t, 10, 0, HARD, "ww", A(i), func());
		many_take(0, t);
		record(t + US, 11, 0, HARD, "ww", A(i), A(1));
		many_take(0, t + US);
	}
	if (many_block[0].records)
		many_flush(0);
	only_cpu_0();
	finish();
}

/* === Why tasks wait === */

#define LOCK		0xffffffff82001000ULL
#define IRQS_OFF	0x200

/* Addresses of functions that the log names. */
enum { F_LOCKS = 0x20, F_HRTIMER = 0x30, F_TIMEOUT = 0x40, F_RCU = 0x50, F_TTWU = 0x60, F_WORK = 0x70 };

static const char wait_symbols[] =
	"0xffffffff81000020 takes_locks+0x10\n0xffffffff81000030 hrtimer_wakeup\n"
	"0xffffffff81000040 process_timeout\n0xffffffff81000050 wakeme_after_rcu\n"
	"0xffffffff81000060 ttwu_queue_wakelist+0xe0\n0xffffffff81000070 some_work\n";

static uint64_t function(unsigned int offset)
{
	return (func() & ~0xffULL) + offset;
}

/* Task 1 is about to sleep, task 2 wakes it up; or an interrupt of that does. */
static void asks(uint64_t t, unsigned int nr, uint64_t arg)
{
	record(t, 8, 201, 0, "wlll", A(nr), arg, A(0), A(0));
}

static void contends(uint64_t t, unsigned int flags)
{
	record(t, 114, 201, 0, "lw", A(LOCK), A(flags));
}

static void contended(uint64_t t)
{
	record(t, 115, 201, 0, "lw", A(LOCK), A(0));
}

static void wants_mutex(uint64_t t)
{
	record(t, 117, 201, 0, "lwl", A(LOCK), function(F_LOCKS), task(2));
}

static void sleeps_mutex(uint64_t t)
{
	asks(t - 100 * US, 0, 3);
	contends(t, 0x21);
	contends(t, 0x20);
	wants_mutex(t);
}

static void sleeps_stale(uint64_t t)
{
	sleeps_mutex(t);
	contended(t + 10 * US);
}

static void sleeps_again(uint64_t t)
{
	(void)t;
}

/* Without the events of contention: whether it still waits is not known. */
static void sleeps_mutex_only(uint64_t t)
{
	contended(t - 100 * US);
	wants_mutex(t);
}

static void sleeps_rwsem(uint64_t t)
{
	contends(t, 0x4);
	record(t, 120, 201, 0, "lwl", A(LOCK), A(1), task(2));
	/* On the way to sleep, it spins for another lock. */
	record(t, 114, 201, 0, "lw", A(LOCK + 64), A(1));
	record(t, 115, 201, 0, "lw", A(LOCK + 64), A(0));
}

static void sleeps_after(uint64_t t)
{
	contended(t);
}

static void sleeps_futex(uint64_t t)
{
	asks(t, 202, 0x7f0000001000);
	record(t, 125, 201, 0, "lww", A(0x7f0000001001), A(0), A(0xffffffff));
}

static void sleeps_page(uint64_t t)
{
	asks(t, 0, 3);
	record(t, 43, 201, 0, "lw", A(0x1234), A(0));
}

static void sleeps_writeback(uint64_t t)
{
	asks(t, 74, 3);
	record(t, 43, 201, 0, "lw", A(0x1234), A(1));
}

static void sleeps_buffer(uint64_t t)
{
	asks(t, 0, 3);
	record(t, 73, 201, 0, "lwll", A(0xffff888001000000), A(8 << 20 | 1), A(77), A(4096));
}

static void sleeps_io(uint64_t t)
{
	asks(t, 17, 3);
	record(t, 71, 201, 0, "wlww", A(8 << 20), A(640), A(4096), A(0));
}

static void sleeps_pipe(uint64_t t)
{
	asks(t, 0, 3);
	record(t, 86, 201, 0, "lw", A(0xffff888001000000), A(0));
}

static void sleeps_eventfd(uint64_t t)
{
	asks(t, 1, 3);
	record(t, 87, 201, 0, "lwl", A(0xffff888001000000), A(1), ~1ULL);
}

static void sleeps_recv(uint64_t t) { asks(t, 45, 5); }
static void sleeps_read(uint64_t t) { asks(t, 0, 5); }
static void sleeps_poll(uint64_t t) { asks(t, 7, 0); }
static void sleeps_child(uint64_t t) { asks(t, 61, ~0ULL); }
static void sleeps_signal(uint64_t t) { asks(t, 130, 0); }
static void sleeps_uring(uint64_t t) { asks(t, 426, 4); }
static void sleeps_other(uint64_t t) { asks(t, 101, 0); }

/* Due 4.75 ms later, which is 350 us before the wakeup. */
static void sleeps_nanosleep(uint64_t t)
{
	asks(t, 35, 0x7ffd1000);
	record(t, 132, 201, IRQS_OFF, "lwlw", A(0xffffc90000001000), function(F_HRTIMER),
	       MONO0 + (t - T0) / 2 + 5000000 - 250000, A(1));
	/* Not its own: the scheduler's. */
	record(t + 10 * US, 132, 201, IRQS_OFF, "lwlw", A(0xffff888001000000), function(F_WORK),
	       MONO0, A(1));
}

static void sleeps_reclaim(uint64_t t)
{
	asks(t, 9, 0);
	record(t, 58, 201, 0, "wwl", A(3), A(0), A(0));
}

static void sleeps_reclaimed(uint64_t t)
{
	record(t, 59, 201, 0, "l", A(32));
}

static void sleeps_rcu(uint64_t t)
{
	asks(t, 101, 0);
}

static void sleeps_queue(uint64_t t)
{
	asks(t, 16, 5);
	record(t, 19, 201, 0, "llw", A(0xffff888001000000), A(0xffffc90000001000), A(0));
}

static void sleeps_off_queue(uint64_t t)
{
	record(t, 20, 201, 0, "ll", A(0xffff888001000000), A(0xffffc90000001000));
}

static void wakes_from_irq(uint64_t t)
{
	record(t, 10, 202, HARD, "ww", A(24), func());
}

static void irq_ends(uint64_t t)
{
	record(t, 11, 202, HARD, "ww", A(24), A(1));
}

static void io_ends(uint64_t t, unsigned int dev)
{
	wakes_from_irq(t);
	record(t, 77, 202, HARD, "wlww", A(dev), A(640), A(4096), A(0));
	record(t, 72, 202, HARD, "wlww", A(dev), A(640), A(0), A(0));
}

static void wakes_from_disk(uint64_t t) { io_ends(t, 8 << 20); }
static void wakes_from_other_disk(uint64_t t) { io_ends(t, 8 << 20 | 16); }

/* The I/O is done in an interrupt, and who wakes it up is another one. */
static void wakes_after_disk(uint64_t t)
{
	io_ends(t - 100 * US, 8 << 20);
	irq_ends(t - 90 * US);
	record(t, 10, 202, HARD, "ww", A(9), func());
}

static void softirq(uint64_t t, unsigned int event, unsigned int vec)
{
	record(t, event, 202, SOFT, "w", A(vec));
}

static void wakes_from_net(uint64_t t)
{
	softirq(t, 16, 3);
	record(t, 92, 202, SOFT, "lwww", A(0xffff888001000000), A(2), A(60), A(0x800));
}

static void wakes_after_net(uint64_t t)
{
	wakes_from_net(t);
	softirq(t, 17, 3);
	softirq(t, 16, 6);
}

/* Softirqs are not recorded: it may be any. */
static void wakes_from_some_softirq(uint64_t t)
{
	record(t, 92, 202, SOFT, "lwww", A(0xffff888001000000), A(2), A(60), A(0x800));
}

static void timer_runs(uint64_t t)
{
	record(t, 33, 202, HARD, "w", A(236));
	record(t, 133, 202, HARD, "lwl", A(0xffffc90000001000), function(F_HRTIMER),
	       MONO0 + (t - T0) / 2);
}

static void wakes_after_timer(uint64_t t)
{
	timer_runs(t - 100 * US);
	record(t - 90 * US, 34, 202, HARD, "w", A(236));
	wakes_from_irq(t);
}

/* The same, but the end of one, or the start of the other, was not recorded. */
static void wakes_after_timer_only(uint64_t t)
{
	timer_runs(t - 100 * US);
	wakes_from_irq(t);
}

static void wakes_after_timer_end(uint64_t t)
{
	timer_runs(t - 100 * US);
	record(t - 90 * US, 34, 202, HARD, "w", A(236));
}

static void wakes_from_timeout(uint64_t t)
{
	softirq(t, 16, 1);
	record(t, 127, 202, SOFT, "lwll", A(0xffffc90000001000), function(F_TIMEOUT),
	       A(4295000000), A(4295000002));
}

/* A task that is made in time for it ends. */
static void wakes_at_exit(uint64_t t)
{
	record(t - MS, 5, 202, 0, "lww", task(3), A(203), A(203));
	record_comm(t - MS, 1015, 202, task(3), TID(203, 203), "child");
	record(t - 900 * US, 1, 202, 8, "llw", task(2), task(3), A(0));
	record(t, 7, 203, 0, "lw", task(3), A(0));
}

static void exit_ends(uint64_t t)
{
	record(t, 1, 203, 8, "llw", task(3), task(2), A(0x80));
}

static void wakes_from_uring(uint64_t t)
{
	record(t, 89, 202, 0, "llwl", A(0xffff888001000000), A(0xffff888001000100), A(0), A(7));
}

static void wakes_from_rcu(uint64_t t)
{
	softirq(t, 16, 9);
	record(t, 146, 202, SOFT, "lw", A(0xffffc90000001000), function(F_RCU));
}

static void wakes_from_work(uint64_t t)
{
	record(t, 138, 202, IRQS_OFF, "lwlw", A(0xffff888001000000), function(F_WORK), A(0x1000),
	       A(0));
}

static void wakes(uint64_t t)
{
	(void)t;
}

/* It is told to the CPU that the task is to run on. */
static void wakes_there(uint64_t t)
{
	record(t - 10 * US, 30, 202, IRQS_OFF, "wlww", A(0), A(0), function(F_TTWU), A(0));
}

/* That sends for something else. */
static void calls_there(uint64_t t)
{
	record(t - 10 * US, 30, 202, IRQS_OFF, "wlww", A(0), A(0), function(F_WORK), A(0));
}

static void ipi_comes(uint64_t t)
{
	record(t - 5 * US, 31, 0, HARD, "w", A(251));
	record(t, 2, 0, HARD, "l", task(1));
	record(t + 5 * US, 32, 0, HARD, "w", A(251));
}

/*
 * A wait every 10 ms: the sleeper's records are just before 2 ms, those of who wakes it up
 * just before 7, the wakeup is at 7. What each is, and why, is in expected/waits.of.txt.
 */
static const struct {
	void (*sleeps)(uint64_t t);
	unsigned int state;
	void (*wakes)(uint64_t t);
	unsigned int flags;
	void (*after)(uint64_t t);
	/* On CPU 0, instead. */
	void (*there)(uint64_t t);
} all_waits[] = {
	{ sleeps_mutex, 2, wakes, 0, NULL, NULL },
	{ sleeps_stale, 2, wakes, 0, NULL, NULL },
	{ sleeps_mutex_only, 2, wakes, 0, NULL, NULL },
	{ sleeps_again, 2, wakes, 0, NULL, NULL },
	{ sleeps_mutex_only, 2, wakes_from_irq, HARD, irq_ends, NULL },
	{ sleeps_rwsem, 2, wakes_from_irq, HARD, irq_ends, NULL },
	{ sleeps_again, 2, wakes, 0, NULL, NULL },
	{ sleeps_after, 2, wakes, 0, NULL, NULL },
	{ sleeps_futex, 1, wakes, 0, NULL, NULL },
	{ sleeps_again, 1, wakes, 0, NULL, NULL },
	{ sleeps_page, 2, wakes_from_disk, HARD, irq_ends, NULL },
	{ sleeps_page, 2, wakes, 0, NULL, NULL },
	{ sleeps_page, 2, wakes_after_disk, HARD, irq_ends, NULL },
	{ sleeps_page, 1, wakes_from_disk, HARD, irq_ends, NULL },
	{ sleeps_writeback, 2, wakes, 0, NULL, NULL },
	{ sleeps_buffer, 2, wakes_from_disk, HARD, irq_ends, NULL },
	{ sleeps_io, 2, wakes_from_disk, HARD, irq_ends, NULL },
	{ sleeps_io, 2, wakes_from_other_disk, HARD, irq_ends, NULL },
	{ sleeps_io, 2, wakes_after_disk, HARD, irq_ends, NULL },
	{ sleeps_pipe, 1, wakes, 0, NULL, NULL },
	{ sleeps_again, 1, wakes, 0, NULL, NULL },
	{ sleeps_again, 2, wakes, 0, NULL, NULL },
	{ sleeps_eventfd, 1, wakes, 0, NULL, NULL },
	{ sleeps_recv, 1, wakes_from_net, SOFT, NULL, NULL },
	{ sleeps_recv, 2, wakes, 0, NULL, NULL },
	{ sleeps_read, 1, wakes_from_net, SOFT, NULL, NULL },
	{ sleeps_read, 1, wakes_after_net, SOFT, NULL, NULL },
	{ sleeps_read, 1, wakes_from_some_softirq, SOFT, NULL, NULL },
	{ sleeps_poll, 1, wakes_from_net, SOFT, NULL, NULL },
	{ sleeps_nanosleep, 1, timer_runs, HARD, NULL, NULL },
	{ sleeps_nanosleep, 1, wakes, 0, NULL, NULL },
	{ sleeps_poll, 1, wakes_from_timeout, SOFT, NULL, NULL },
	{ sleeps_poll, 1, wakes_after_timer, HARD, irq_ends, NULL },
	{ sleeps_poll, 1, wakes_after_timer_only, HARD, irq_ends, NULL },
	{ sleeps_poll, 1, wakes_after_timer_end, HARD, NULL, NULL },
	{ sleeps_child, 1, wakes_at_exit, 0, exit_ends, NULL },
	{ sleeps_child, 1, wakes, 0, NULL, NULL },
	{ sleeps_signal, 1, wakes, 0, NULL, NULL },
	{ sleeps_again, 4, wakes, 0, NULL, NULL },
	{ sleeps_reclaim, 2, wakes, 0, NULL, NULL },
	{ sleeps_reclaimed, 2, wakes, 0, NULL, NULL },
	{ sleeps_uring, 1, wakes_from_uring, 0, NULL, NULL },
	{ sleeps_rcu, 2, wakes_from_rcu, SOFT, NULL, NULL },
	{ sleeps_queue, 1, wakes, 0, NULL, NULL },
	{ sleeps_off_queue, 1, wakes, 0, NULL, NULL },
	{ sleeps_other, 1, wakes, 0x4, NULL, NULL },
	{ sleeps_pipe, 1, wakes_there, 0, NULL, ipi_comes },
	{ sleeps_pipe, 1, calls_there, 0, NULL, ipi_comes },
	{ sleeps_pipe, 1, NULL, 0, NULL, ipi_comes },
};

#define NR_WAITS	(sizeof(all_waits) / sizeof(all_waits[0]))

static uint32_t waker_of(unsigned int i)
{
	return all_waits[i].wakes == wakes_at_exit ? 203 : 202;
}

static void waits_head(void)
{
	head();
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
}

/* Each wait has blocks of its own. */
static void wait_block_begin(unsigned int cpu, unsigned int i, uint64_t t)
{
	static uint64_t records;

	records = i ? records + count : 0;
	block_begin(cpu, "main", i + 1, records, 0, t);
}

static void waits_of_cpu0(void)
{
	unsigned int i;
	uint64_t t;

	for (i = 0; i < NR_WAITS; i++) {
		t = T0 + 10 * i * MS;
		wait_block_begin(0, i, t);
		if (!i) {
			name(0, 201, 9, 0, 0, "swapper/0");
			name(0, 201, 1, 201, 201, "sleeper");
			name(0, 201, 2, 202, 202, "waker");
			name(0, 201, 4, 204, 204, "kworker/0:1");
		}
		all_waits[i].sleeps(t + 2 * MS - 100 * US);
		record(t + 2 * MS, 1, 201, 8, "llw", task(1), task(9), A(all_waits[i].state));
		if (all_waits[i].there)
			all_waits[i].there(t + 7 * MS);
		record(t + 8 * MS, 1, 0, 8, "llw", task(9), task(1), A(0));
		block_end();
	}
	/* The worker finds nothing to do until somebody has something. */
	t = T0 + 10 * i * MS;
	wait_block_begin(0, i, t);
	record(t, 1, 201, 8, "llw", task(1), task(4), A(0));
	record(t + 2 * MS, 1, 204, 8, "llw", task(4), task(1), A(0x402));
	record(t + 8 * MS, 1, 201, 8, "llw", task(1), task(4), A(0));
	block_end();
}

static void waits_of_cpu1(void)
{
	unsigned int i;
	uint64_t t;

	for (i = 0; i < NR_WAITS; i++) {
		t = T0 + (10 * i + 7) * MS;
		wait_block_begin(1, i, T0 + 10 * i * MS);
		record(T0 + 10 * i * MS, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
		if (all_waits[i].wakes)
			all_waits[i].wakes(t);
		if (!all_waits[i].there)
			record(t, 2, waker_of(i), all_waits[i].flags, "l", task(1));
		if (all_waits[i].after)
			all_waits[i].after(t + 10 * US);
		record(t + 500 * US, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
		block_end();
	}
	t = T0 + (10 * i + 7) * MS;
	wait_block_begin(1, i, t - MS);
	wakes_from_work(t);
	record(t, 2, 202, 0, "l", task(4));
	record(t + MS, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	block_end();
}

static void waits(void)
{
	waits_head();
	waits_of_cpu0();
	waits_of_cpu1();
	text(8, wait_symbols);
	finish();
}

static void waits_asked_for(void)
{
	analyses = "analyses: wait states summary\n";
	waits();
}

/*
 * Task 1 waits from before the log to 10 ms; for a pipe from 20 ms, and there is a gap of
 * CPU 0 from 30 to 60 ms, after which it is woken up at 70; from 80 on for a futex. Then its
 * number and its task struct are another's, which waits as well. Task 3 is running when the
 * gap begins, and is woken up at 65 ms.
 */
static void waits_cut(void)
{
	waits_head();
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, 202, 1, 201, 201, "sleeper");
	name(0, 202, 2, 202, 202, "waker");
	name(0, 202, 3, 203, 203, "third");
	name(0, 202, 9, 0, 0, "swapper/0");
	name(0, 202, 10, 0, 0, "swapper/1");
	record(T0, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	leave(25, 2, 3, 0);
	record(T0 + 30 * MS, 8, 203, 0, "wlll", A(39), A(0), A(0), A(0));
	block_end();
	block_begin(0, "main", 3, 100, 0, T0 + 60 * MS);
	record(T0 + 60 * MS, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	wakeup(65, 202, 3);
	wakeup(70, 202, 1);
	record(T0 + 120 * MS, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0, 16, 0, SOFT, "w", A(1));
	wakeup(10, 0, 1);
	leave(11, 10, 1, 0);
	sleeps_pipe(T0 + 19 * MS);
	leave(20, 1, 10, 1);
	leave(71, 10, 1, 0);
	sleeps_futex(T0 + 79 * MS);
	leave(80, 1, 10, 1);
	wakeup(85, 0, 1);
	leave(86, 10, 1, 0);
	record(T0 + 87 * MS, 7, 201, 0, "lw", task(1), A(0));
	leave(88, 1, 10, 0x80);
	record(T0 + 90 * MS, 5, 0, 0, "lww", task(1), A(201), A(201));
	name(90, 0, 1, 201, 201, "heir");
	record(T0 + 91 * MS, 21, 0, 0, "lw", task(1), A(1));
	leave(92, 10, 1, 0);
	leave(95, 1, 10, 1);
	record(T0 + 120 * MS, 16, 0, SOFT, "w", A(1));
	block_end();
	finish();
}

/* As the kernel's trace_raw hands it out: images, no sections. */
static void raw(void)
{
	size_t start;

	block_begin(0, "main", 1, 0, 0, T0);
	start = block;
	record(T0 + 1 * US, 2, 1, 0, "l", task(1));
	record(T0 + 2 * US, 10, 1, 0, "ww", A(4), func());
	block_end();
	memmove(out, out + start, fill - start);
	fill -= start;
}

/* === Types and shapes === */

/* An event for some types each; what they are printed as is in expected/types*. */
static const char extreme_types[] =
	"701\tT_SIGNED\tt_signed\tdynamic\tsigned"
	"\ts32\ts32\ts32\ts64\ts64\ts64\tnr\tnr\tnr\tret\tret\tret\n"
	"702\tT_UNSIGNED\tt_unsigned\tdynamic\tunsigned"
	"\tu32\tu32\tu32\tu64\tu64\tu64\tx32\tx32\tx32\tx64\tx64\tx64\n"
	"703\tT_ADDRESS\tt_address\tdynamic\taddresses"
	"\tfunc\tfunc\tfunc\tfunc2\tfunc\tfunc2\tip\tip\tip\tptr\tptr\tptr\n"
	"704\tT_NAMED\tt_named\tdynamic\tnumbers with names"
	"\tret64\tret64\tret64\tsig\tsig\tsig\tstate\tstate\tstate"
	"\tsoftirq\tsoftirq\tsoftirq\n"
	"705\tT_PARTS\tt_parts\tdynamic\tnumbers of parts, and text"
	"\tdev\tdev\tdev\ttid\ttid\ttid\tstr\tstr\tstr\tstr2\tstr\tstr2\n"
	"706\tT_PFN\tt_pfn\tdynamic\tpage frame numbers\tfrom\tpfn\tfrom\tto\tpfn\tto\n"
	"1016\tLKST_STACK\tlkst_stack\tlkst\ta stack\tpart\tx64\tpart\tat\tip\tfunction\n";

static void put_str(const char *s)
{
	put_text(s, bits32 ? 4 : 8);
}

static void types(void)
{
	const uint64_t low = func();

	head();
	text(2, extreme_types);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * US, 701, 1, 0, "wllw", A(-1LL), 1ULL << 63 | 1ULL << 31, A(-1LL),
	       A(-4095LL));
	record(T0 + 2 * US, 701, 1, 0, "wllw", 1ULL << 31, A(-1LL), 1ULL << 32 | 39,
	       A(-4096LL));
	record(T0 + 3 * US, 701, 1, 0, "wllw", A(0x7fffffff), ~0ULL >> 1 & ~(1ULL << 31), A(39),
	       A(-2LL));
	record(T0 + 4 * US, 702, 1, 0, "wlwl", A(0xffffffff), ~0ULL, A(0xffffffff), ~0ULL);
	record(T0 + 5 * US, 702, 1, 0, "wlwl", A(0), A(0), A(0), A(0));
	record(T0 + 6 * US, 702, 1, 0, "wlwl", 1ULL << 31, 1ULL << 63 | 1ULL << 31, 1ULL << 31,
	       1ULL << 63 | 1ULL << 31);
	/* With bit 31, and without; one that has 8 bytes. */
	record(T0 + 7 * US, 703, 1, 0, "wwll", low, A(0x7ffffff0), low, ~0ULL);
	record(T0 + 8 * US, 703, 1, 0, "lwll", low, A(0), A(0x80000000), A(0x80000000));
	record(T0 + 9 * US, 704, 1, 0, "lwww", A(-4095LL), A(0xffffffff), A(0xffffffff),
	       A(0xffffffff));
	record(T0 + 10 * US, 704, 1, 0, "lwww", A(-2LL), A(31), A(0), A(9));
	record_head(T0 + 11 * US, 705, bits32 ? 0x10 : 0x1e, 1, 0);
	put32(0xffffffff);
	put_number(A(4194303) << 32 | 4194302, bits32 ? 4 : 8);
	put_str("exactly8");
	put_str("bytes");
	/* Who: the highest PID with all flags there are, and with all bits. */
	record(T0 + 12 * US, 702, 4194303, 0x21f, "wlwl", A(1), A(2), A(3), A(4));
	record(T0 + 13 * US, 702, 4194303, 0x3ff, "wlwl", A(1), A(2), A(3), A(4));
	record(T0 + 14 * US, 702, 0, 0x1e0, "wlwl", A(1), A(2), A(3), A(4));
	record(T0 + 15 * US, 1016, 1, 0, "qqq", A(2) << 16, low, A(0x80000000));
	/* Either width; none. */
	record(T0 + 16 * US, 706, 1, 0, "ww", A(0xffffffff), A(0));
	record(T0 + 17 * US, 706, 1, 0, "ll", A(0x80000000), 1ULL << 32);
	record(T0 + 18 * US, 706, 1, 0, "ll", A(1), ~0ULL);
	block_end();
	text(8, bits32 ? "0xc0100010 a_function\n" : "0xffffffff81000010 a_function\n");
	finish();
}

static void print_shape(uint64_t time, unsigned int event, uint32_t pid)
{
	printf("%7u [000] .... %16llu: EVENT_%u", pid, (unsigned long long)time, event);
}

/*
 * Every shape, of events that no table has: arguments all differ, and have the highest bit
 * of their bytes set.
 */
static void shapes(void)
{
	unsigned int shape, n, i, wide;
	uint64_t t = T0, value;

	head();
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	for (shape = 1; shape < 64; shape++) {
		t += US;
		n = shape - 32;
		if (shape < 32)
			n = (shape > 1) + (shape > 3) + (shape > 7) + (shape > 15);
		record_head(t, shape < 32 ? 600 : 1020, shape, 1000 + shape, 0);
		if (expect)
			print_shape(t, shape < 32 ? 600 : 1020, 1000 + shape);
		for (i = 0; i < n; i++) {
			wide = shape >= 32 || shape >> i & 1;
			value = A(wide ? 0xf123456700000000ULL : 0x80000000U) + 256 * shape + i;
			put_number(value, wide ? 8 : 4);
			if (expect)
				printf(" arg%u=0x%llx", i + 1, (unsigned long long)value);
		}
		if (expect)
			putchar('\n');
	}
	block_end();
	finish();
	if (expect)
		fill = 0;
}

/* Records of which the table says something else: they are what they say themselves. */
static void other_shape(void)
{
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	/* A pointer of 4 bytes, numbers of 8. */
	record(T0 + 1 * US, 2, 1, 0, "w", A(0x80001000));
	record(T0 + 2 * US, 3, 1, 0, "lqqq", task(1), A(15), A(-2LL), A(0xfffffffffULL));
	/* A result of 4. */
	record(T0 + 3 * US, 9, 1, 0, "ww", A(39), A(-2LL));
	/* Fewer arguments than it should have, none, and more. */
	record(T0 + 4 * US, 1, 1, 0, "l", task(1));
	record(T0 + 5 * US, 1, 1, 0, "");
	record(T0 + 6 * US, 2, 1, 0, "lwq", task(1), A(0x80000000), A(0x8000000000000000ULL));
	/* One that is not LKST's own with words, and one of LKST's own without. */
	record_head(T0 + 7 * US, 5, 0x23, 1, 0);
	put64(task(1));
	put64(102);
	put64(101);
	record_head(T0 + 8 * US, 1015, 0x10, 1, 0);
	put32(0x1000);
	put32(103);
	put_text("abcd", 4);
	put_text("efgh", 4);
	record(T0 + 9 * US, 2, 103, 0, "l", task(1));
	block_end();
	finish();
}

/* Where a record should be there are zeros: what comes behind them can't be found. */
static void no_shape(void)
{
	head();
	text(2, etypes);
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	record(T0 + 1 * US, 2, 1, 0, "l", task(1));
	record_head(0, 0, 0, 0, 0);
	record(T0 + 3 * US, 2, 3, 0, "l", task(1));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0 + 2 * US, 2, 2, 0, "l", task(1));
	block_end();
	finish();
}

/* What tools for format 1 wrote, and what a kernel with format 1 records. */
static void version1(void)
{
	log_version = 1;
	block_version = 1;
	basic();
}

static void blocks1(void)
{
	block_version = 1;
	basic();
}

static void raw1(void)
{
	block_version = 1;
	raw();
}

/* === Processes that had one number === */

static void named(uint64_t at, uint32_t by, unsigned int n, uint32_t tid, uint32_t tgid,
		  const char *comm)
{
	record_comm(us(at), 1015, by, task(n), TID(tid, tgid), comm);
}

static void made(uint64_t at, uint32_t by, unsigned int n, uint32_t tid, uint32_t tgid)
{
	record(us(at), 5, by, 0, "lww", task(n), A(tid), A(tgid));
}

static void gives(uint64_t at, uint32_t pid, unsigned int prev, unsigned int next,
		  uint64_t state)
{
	record(us(at), 1, pid, 0x208, "llw", task(prev), task(next), state);
}

static void ends(uint64_t at, uint32_t pid, unsigned int n, unsigned int next)
{
	record(us(at), 7, pid, 0, "lw", task(n), A(0));
	gives(at + 1, pid, n, next, 0x80);
}

/*
 * The leader of 300 ends before its threads, which make 5 calls in all with it; the last one
 * makes process 400, of 2 calls, which makes another 300. Of that a thread calls exec(): 6
 * calls in all. Of both 500s only a thread is in the log, of one call each, and of 600, which
 * makes one, not the process. Of both 700s, the second makes 2 calls by two threads.
 */
static void processes(void)
{
	head();
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	block_begin(0, "main", 1, 0, 0, T0);
	named(0, 300, 1, 300, 300, "first");
	named(0, 300, 2, 301, 300, "worker");
	named(0, 300, 4, 501, 500, "lone");
	call_pair(10, 300);
	ends(20, 300, 1, 2);
	call_pair(30, 301);
	call_pair(40, 301);
	made(50, 301, 3, 302, 300);
	call_pair(60, 301);
	ends(70, 301, 2, 3);
	call_pair(80, 302);
	made(90, 302, 5, 400, 400);
	named(91, 302, 5, 400, 400, "other");
	ends(100, 302, 3, 5);
	call_pair(110, 400);
	made(120, 400, 1, 300, 300);
	named(121, 400, 1, 300, 300, "second");
	call_pair(130, 400);
	gives(140, 400, 5, 1, 1);
	call_pair(150, 300);
	call_pair(160, 300);
	made(170, 300, 2, 303, 300);
	call_pair(180, 300);
	gives(190, 300, 1, 2, 1);
	call_pair(200, 303);
	record(us(210), 6, 300, 0, "lw", task(2), A(303));
	named(211, 300, 2, 300, 300, "third");
	call_pair(220, 300);
	call_pair(230, 300);
	gives(240, 300, 2, 4, 1);
	call_pair(250, 501);
	ends(260, 501, 4, 6);
	named(265, 502, 6, 502, 500, "alone");
	call_pair(270, 502);
	gives(280, 502, 6, 7, 1);
	call_pair(290, 600);
	gives(300, 600, 7, 9, 1);
	/* What ends the thread of the first 700 is not in the log; its number is another's. */
	gives(301, 0, 9, 8, 0);
	named(302, 701, 8, 701, 700, "old");
	call_pair(303, 701);
	gives(305, 701, 8, 4, 1);
	named(305, 800, 4, 800, 800, "maker");
	made(305, 800, 6, 700, 700);
	made(305, 800, 8, 701, 800);
	gives(306, 800, 4, 6, 1);
	call_pair(307, 700);
	made(308, 700, 3, 702, 700);
	gives(308, 700, 6, 3, 1);
	call_pair(308, 702);
	gives(309, 702, 3, 9, 1);
	record(us(310), 33, 0, HARD, "w", VECTOR);
	record(us(315), 34, 0, HARD, "w", VECTOR);
	block_end();
	only_cpu_0();
	finish();
}

/*
 * After the maskset was changed, threads are made by clone(); the exit of one child is there,
 * the other one is first seen in a call of its own. A change while a third one is made.
 */
static void born(void)
{
	head();
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	block_begin(0, "main", 1, 0, 0, T0);
	named(0, 300, 1, 300, 300, "maker");
	call_pair(5, 300);
	record(us(10), 1010, 300, 0, "qq", A(3), A(4));
	call(20, 300, A(56), A(0));
	made(21, 300, 2, 301, 301);
	call_end(22, 300, A(56), 301);
	gives(30, 300, 1, 2, 1);
	call_end(31, 301, A(56), 0);
	call_pair(35, 301);
	gives(40, 301, 2, 1, 1);
	call(50, 300, A(56), A(0));
	made(51, 300, 3, 302, 302);
	call_end(52, 300, A(56), 302);
	gives(60, 300, 1, 3, 1);
	call_pair(61, 302);
	gives(70, 302, 3, 1, 1);
	call(80, 300, A(56), A(0));
	made(81, 300, 4, 303, 303);
	record(us(82), 1010, 300, 0, "qq", A(4), A(3));
	call_end(83, 300, A(56), 303);
	gives(90, 300, 1, 4, 1);
	call_end(91, 303, A(56), 0);
	call_pair(95, 303);
	gives(99, 303, 4, 9, 1);
	block_end();
	only_cpu_0();
	finish();
}

/* Buffers begin, CPU 0 first; the maskset comes 50 us later. */
static void set_later_with(int earlier)
{
	head();
	begin(3);
	clock_sample(0, T0, MONO0);
	end();
	block_begin(0, "main", 1, 0, 0, us(0));
	record(us(0), 1008, 300, 0, "qqqq", T0, MONO0, REAL0, A(KHZ) << 32);
	named(2, 300, 1, 300, 300, "one");
	record(us(20), 1009, 300, 0, "qqqq", us(20), MONO0 + 20000, REAL0 + 20000, MONO0 + 20007);
	record(us(50), 1010, 300, 0, "qq", A(0), A(3));
	gives(60, 300, 1, 2, 1);
	record(us(80), 2, 301, 0, "l", task(1));
	gives(90, 301, 2, 1, 1);
	record(us(110), 1010, 300, 0, "qq", A(3), A(0));
	block_end();
	block_begin(1, "main", 1, 0, 0, us(1));
	record(us(1), 1008, 0, 0, "qqqq", T0 + US, MONO0 + 1000, REAL0, A(KHZ) << 32);
	if (earlier)
		gives(30, 302, 3, 4, 0);
	gives(70, 303, 4, 3, 1);
	gives(100, 302, 3, 4, 1);
	block_end();
	finish();
}

static void set_later(void)
{
	set_later_with(0);
}

/* As another maskset let it through, whose change was overwritten. */
static void set_later_again(void)
{
	set_later_with(1);
}

/* Of interrupts, entries alone were recorded: a thread runs, and the idle task. */
static void no_irq_exits(void)
{
	head();
	clocks();
	block_begin(0, "main", 1, 0, 0, us(0));
	named(0, 300, 1, 300, 300, "one");
	named(1, 300, 2, 301, 301, "two");
	gives(2, 301, 2, 1, 1);
	call(10, 300, A(0), A(0));
	record(us(20), 10, 300, HARD, "wl", A(4), func());
	call_end(30, 300, A(0), A(0));
	record(us(40), 10, 300, HARD, "wl", A(4), func());
	gives(50, 300, 1, 2, 1);
	call_pair(60, 301);
	gives(70, 301, 2, 9, 1);
	record(us(80), 10, 0, HARD, "wl", A(4), func());
	record(us(81), 2, 0, HARD, "l", task(1));
	gives(90, 0, 9, 1, 0);
	block_end();
	only_cpu_0();
	finish();
}

/* What the kernel prints in an order of its own. */
static void kernel_formats(void)
{
	head();
	clocks();
	block_begin(0, "main", 1, 0, 0, us(0));
	named(0, 300, 1, 300, 300, "one");
	record(us(10), 133, 300, 0, "llq", A(0x1000), A(0x2000), A(77));
	record(us(11), 134, 300, 0, "lw", A(0x1000), A(0));
	record(us(12), 44, 300, 0, "lwww", A(0x55), A(2), A(0xcc0), A(1));
	record(us(13), 60, 300, 0, "www", A(0), A(3), A(4));
	record(us(14), 114, 300, 0, "lw", A(0x3000), A(0x21));
	record(us(15), 115, 300, 0, "lw", A(0x3000), A(-4));
	record(us(16), 114, 300, 0, "lw", A(0x3000), A(0x42));
	record(us(17), 114, 300, 0, "lw", A(0x3000), A(0));
	record(us(18), 96, 300, 0, "llww", A(0x4000), A(0x5000), A(7), A(0x800));
	block_end();
	only_cpu_0();
	finish();
}

#include "simlog.h"
#include "losslog.h"
#include "textlog.h"

static const struct {
	const char *name;
	void (*make)(void);
} cases[] = {
	{ "basic", basic }, { "bare", bare }, { "one_sample", one_sample },
	{ "wrap", wrap }, { "disorder", disorder }, { "gaps", gaps }, { "evil", evil }, { "hostile", hostile },
	{ "states", states }, { "states_apart", states_apart }, { "missing", missing }, { "late", late }, { "reuse", reuse },
	{ "patterns", patterns }, { "thread_exec", thread_exec }, { "elsewhere", elsewhere },
	{ "filtered", filtered }, { "busy", busy }, { "discard", discard }, { "discard_rows", discard_rows },
	{ "unread", unread }, { "live", live }, { "elsewhere_1", elsewhere_1 },
	{ "runq", runq }, { "runq_lives", runq_lives }, { "latency", latency },
	{ "untold_1", untold_1 }, { "nowake", nowake }, { "switches", switches },
	{ "nofork", nofork }, { "nested", nested }, { "migrating", migrating },
	{ "restarts", restarts }, { "restarts_untold", restarts_untold },
	{ "torn_pairs", torn_pairs }, { "entries", entries }, { "threaded", threaded },
	{ "parts", parts }, { "switchless", switchless }, { "mix", mix }, { "mix_cut", mix_cut }, { "owners_at_end", owners_at_end },
	{ "owners_at_start", owners_at_start }, { "owners_between", owners_between },
	{ "long_head", long_head }, { "empty", empty },
	{ "markers", markers }, { "abis", abis }, { "names", names },
	{ "follow", follow }, { "followed", followed }, { "tardy", tardy },
	{ "mixed", mixed }, { "steps", steps },
	{ "lost_date", lost_date }, { "lost_suspension", lost_suspension }, { "slewed", slewed },
	{ "reset", reset }, { "reset_untold", reset_untold }, { "large", large },
	{ "sim", sim }, { "sim_live", sim_live }, { "sim_parts", sim_parts }, { "sim_entries", sim_entries },
	{ "sim_switchless", sim_switchless },
	{ "stacks", stacks }, { "odd_stacks", odd_stacks },
	{ "odd_names", odd_names }, { "short_args", short_args }, { "arm64", arm64 }, { "far_cpus", far_cpus }, { "open_at_gap", open_at_gap },
	{ "unknown_tasks", unknown_tasks },
	{ "early_names", early_names }, { "late_name", late_name }, { "few_args", few_args },
	{ "raw", raw }, { "waits", waits }, { "waits_asked_for", waits_asked_for },
	{ "waits_cut", waits_cut },
	{ "loss", loss }, { "loss_unsure", loss_unsure }, { "loss_names", loss_names },
	{ "loss_recorder", loss_recorder }, { "loss_open", loss_open },
	{ "loss_spin_edges", loss_spin_edges }, { "loss_futexes", loss_futexes },
	{ "loss_sleep_exits", loss_sleep_exits }, { "loss_sleep_no_exits", loss_sleep_no_exits },
	{ "loss_fault_open", loss_fault_open }, { "loss_masksets", loss_masksets },
	{ "loss_mutex", loss_mutex }, { "loss_faults", loss_faults },
	{ "loss_thread", loss_thread }, { "loss_vfork", loss_vfork },
	{ "loss_recorded", loss_recorded }, { "loss_unswitched", loss_unswitched },
	{ "loss_kept", loss_kept }, { "loss_dated", loss_dated },
	{ "processes", processes }, { "born", born },
	{ "set_later", set_later }, { "kernel_formats", kernel_formats },
	{ "no_irq_exits", no_irq_exits }, { "set_later_again", set_later_again }, { "collide", collide }, { "types", types },
	{ "many_good", many_good }, { "many_tasks", many_tasks }, { "many_pairs", many_pairs },
	{ "many_spread", many_spread }, { "many_collide", many_collide }, { "many_pieces", many_pieces },
	{ "many_gaps", many_gaps }, { "many_irqs", many_irqs },
	{ "shapes", shapes }, { "other_shape", other_shape }, { "no_shape", no_shape },
	{ "texts", texts }, { "texts_raw", texts_raw },
	{ "version1", version1 }, { "blocks1", blocks1 }, { "raw1", raw1 }, { "etypes", NULL },
};

int main(int argc, char **argv)
{
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "b3n:x")) != -1) {
		if (c == 'b')
			big = 1;
		else if (c == '3')
			bits32 = 1;
		else if (c == 'x')
			expect = 1;
		else if (c == 'n')
			number = strtoul(optarg, NULL, 0);
	}
	for (i = 0; optind < argc && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(cases[i].name, argv[optind]))
			continue;
		if (cases[i].make)
			cases[i].make();
		else
			put(etypes, strlen(etypes));
		return (fill && fwrite(out, fill, 1, stdout) != 1) || fflush(stdout);
	}
	fprintf(stderr, "usage: genlog [-b] [-3] [-n N] [-x] CASE\n");
	return 1;
}
