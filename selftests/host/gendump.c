// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes crash dumps to test "lkst dump" with. It shares nothing with the tools, not even
 * the headers: what it writes, byte by byte, is what the memory of a kernel is meant to
 * look like.
 *
 *	gendump [-b] [-3] [-a] [-k] [-c PERCENT] [-s SEED] [-f SEED] [-x | -t] CASE
 *
 * -b big-endian (s390x, or ppc), -3 of a 32-bit kernel, -s another random one, -a torn at
 * any step, -f words of LKST's changed at random, -k as makedumpfile writes it, -c cut off
 * after so much of the file. -x prints, instead of the dump, the
 * records that are whole in it, as "lkst dump -rT" does; -t how many are torn.
 */
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int big, bits32;
static unsigned long seed = 1;
/* Torn at any step, and not only where that can be seen. */
static int any_step;
/* Change words of LKST's, by this seed. */
static unsigned long fuzz;

/* The recording clock: 2 GHz, and at 10^12 when CLOCK_MONOTONIC was 5 s. */
#define T0		1000000000000ULL
#define KHZ		2000000
#define MONO0		5000000000ULL
#define REAL0		1700000000000000000ULL
#define US		2000ULL
#define STOP		(T0 + 1000000 * US)
#define A(x)		((uint64_t)(x))
/* All steps of a writer. */
#define WHOLE		(~0U)

#define HARDIRQ		0x1
#define SOFTIRQ		0x2
#define NMI		0x4
#define IRQS_OFF	0x200

/* === Memory === */

#define PAGE		4096
#define BASE		0x1000000ULL
#define MAX_BLOCKS	240
#define BLOCK_SIZE	16384U
#define DIRECTORY	0x0
#define ETYPES		0x2000
#define TABLES		0x5000
#define TASKS		0xa000
#define BLOCKS		0x10000
#define MEMORY		(BLOCKS + room_blocks * BLOCK_SIZE)
#define MAX_MEMORY	(BLOCKS + MAX_BLOCKS * BLOCK_SIZE)

/* The list of blocks: its pages are in no order. */
#define LIST_PAGES	3
#define LIST_PLACES	509
static const size_t list_page[LIST_PAGES] = { 0x3000, 0x1000, 0x4000 };

/* How many blocks there are room for. */
static unsigned int room_blocks = 12;
static unsigned char memory[MAX_MEMORY];
/* Pages that are not in the dump. */
static char missing[MAX_MEMORY / PAGE];

static void put_number(unsigned char *at, uint64_t value, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		at[big ? bytes - 1 - i : i] = value >> (8 * i);
}

static uint64_t get_number(const unsigned char *at, int bytes)
{
	uint64_t value = 0;
	int i;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)at[big ? bytes - 1 - i : i] << (8 * i);
	return value;
}

static void put16(size_t at, uint16_t v) { put_number(memory + at, v, 2); }
static void put32(size_t at, uint32_t v) { put_number(memory + at, v, 4); }
static void put64(size_t at, uint64_t v) { put_number(memory + at, v, 8); }
static void put_text(size_t at, const char *s) { memcpy(memory + at, s, strlen(s)); }

#define VIRT		(bits32 ? 0xc0000000ULL : 0xffff888000000000ULL)

static int words(void) { return bits32 ? 4 : 8; }

static void put_word(size_t at, uint64_t v)
{
	put_number(memory + at, v, words());
}

static uint64_t virt(size_t at) { return VIRT + BASE + at; }

static unsigned long rnd(unsigned long n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

/* === Events === */

#define MAX_ARGS	31

/*
 * A letter for each argument: w of 4 bytes, f of 4, a function; l of 8, on
 * a 32-bit kernel 4; q of 8, which are words of LKST's own events.
 */
static const struct {
	unsigned int id;
	const char *args;
	const char *name;
} events[] = {
	{ 1, "llw", "PROCESS_CONTEXTSWITCH" },
	{ 2, "l", "PROCESS_WAKEUP" },
	{ 8, "llll", "SYSCALL_ENTRY" },
	{ 9, "ll", "SYSCALL_EXIT" },
	{ 10, "wf", "INT_HARDWARE_ENTRY" },
	{ 11, "ww", "INT_HARDWARE_EXIT" },
	{ 16, "w", "INT_BH_ENTRY" },
	{ 17, "w", "INT_BH_EXIT" },
	{ 105, "lf", "LK_SPINLOCK" },
	{ 107, "lf", "LK_SPINUNLOCK" },
	/* Not in the table of the tools. */
	{ 700, "", "MADE_UP" },
	/* From here on not at random. */
	{ 1015, "qqqq", "LKST_PROCESS" },
	/* As many words as kernels write, and as many as there can be. */
	{ 1016, "qqqqqqqqqqqqqqq", "LKST_STACK" },
	{ 1017, "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", "LKST_REGS" },
};

#define NR_RANDOM	11

static unsigned int event_index(unsigned int id)
{
	unsigned int i = 0;

	while (events[i].id != id)
		i++;
	return i;
}

static unsigned int nr_args(unsigned int event)
{
	return strlen(events[event].args);
}

static unsigned int arg_size(unsigned int event, unsigned int i)
{
	char c = events[event].args[i];

	return c == 'q' || (c == 'l' && !bits32) ? 8 : 4;
}

static unsigned int shape_of(unsigned int event)
{
	unsigned int n = nr_args(event), shape = 1U << n, i;

	if (events[event].id >= 1008)
		return 0x20 | n;
	for (i = 0; i < n; i++)
		shape |= (arg_size(event, i) == 8) << i;
	return shape;
}

/* What is to be read of an argument for which there are too few bytes. */
static uint64_t as_recorded(unsigned int event, unsigned int i, uint64_t value)
{
	char c = events[event].args[i];

	if (arg_size(event, i) == 8)
		return value;
	value &= 0xffffffff;
	if (!bits32 && c == 'f' && value >> 31)
		value |= 0xffffffff00000000ULL;
	return value;
}

static const char etypes[] =
	"1\tPROCESS_CONTEXTSWITCH\tcontext_switch\tprocess\tthe CPU goes to another task"
	"\tprev\tptr\tpointer to task struct(prev)\tnext\tptr\tpointer to task struct(next)"
	"\tprev_state\tstate\tstate of prev after the switch\n"
	"2\tPROCESS_WAKEUP\tprocess_wakeup\tprocess\ta sleeping task becomes runnable"
	"\ttask\tptr\tpointer to task struct\n"
	"8\tSYSCALL_ENTRY\tsystem_call_entry\tsyscall\ta system call starts"
	"\tnr\tnr\tsystem call number\targ1\tx64\tfirst argument"
	"\targ2\tx64\tsecond argument\targ3\tx64\tthird argument\n"
	"9\tSYSCALL_EXIT\tsystem_call_exit\tsyscall\ta system call ends"
	"\tnr\tnr\tsystem call number\tret\tret64\treturn value\n"
	"10\tINT_HARDWARE_ENTRY\thardware_int_entry\tirq\ta handler starts"
	"\tirq\tu32\tinterrupt number\thandler\tfunc\thandler function\n"
	"11\tINT_HARDWARE_EXIT\thardware_int_exit\tirq\ta handler ends"
	"\tirq\tu32\tinterrupt number\tret\tu32\twhat it did\n"
	"16\tINT_BH_ENTRY\tbottom_half_entry\tirq\ta softirq starts"
	"\tvec\tsoftirq\tsoftirq number\n"
	"17\tINT_BH_EXIT\tbottom_half_exit\tirq\ta softirq ends"
	"\tvec\tsoftirq\tsoftirq number\n"
	"105\tLK_SPINLOCK\tspin_lock\tlock\ta spinlock has been taken"
	"\tlock\tptr\tpointer to lock\tcaller\tfunc\twho takes it\n"
	"107\tLK_SPINUNLOCK\tspin_unlock\tlock\ta spinlock is released"
	"\tlock\tptr\tpointer to lock\tcaller\tfunc\twho releases it\n"
	"700\tMADE_UP\tmade_up\tdynamic\tan event of this kernel only\n"
	"1015\tLKST_PROCESS\tlkst_process\tlkst\twhat names a task"
	"\ttask\tptr\tpointer to task struct\ttid\ttid\tthread id and thread group id"
	"\tcomm\tstr\tcommand\tcomm2\tstr\tcommand, continued\n"
	"1016\tLKST_STACK\tlkst_stack\tlkst\ta stack\tpart\tx64\tpart\tat\tip\tfunction\n"
	"1017\tLKST_REGS\tlkst_regs\tlkst\tregisters\tpart\tx64\tpart\treg\tx64\tregister\n";

static const char *const arg_names[][4] = {
	{ "prev", "next", "prev_state" }, { "task" }, { "nr", "arg1", "arg2", "arg3" },
	{ "nr", "ret" }, { "irq", "handler" }, { "irq", "ret" }, { "vec" }, { "vec" },
	{ "lock", "caller" }, { "lock", "caller" }, {}, { "task", "tid", "comm", "comm2" },
	{ "part", "at" }, { "part", "reg" },
};

/* === What is whole in the dump === */

struct expected {
	uint64_t time;
	uint32_t pid, cpu, order;
	uint16_t flags;
	unsigned int event;
	uint64_t arg[MAX_ARGS];
	/* The start of its block, and its end. */
	size_t block, end;
};

static struct expected expected[200000];
static size_t nr_expected;
static unsigned long nr_torn;

static int compare_expected(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void print_expected(void)
{
	const struct expected *e;
	unsigned int i;
	char context;

	qsort(expected, nr_expected, sizeof(*expected), compare_expected);
	for (e = expected; e < expected + nr_expected; e++) {
		context = e->flags & NMI ? 'z' : e->flags & HARDIRQ ?
			  e->flags & SOFTIRQ ? 'H' : 'h' : e->flags & SOFTIRQ ? 's' : '.';
		printf("%7u [%03u] %c.%c. %16llu: %s", e->pid, e->cpu,
		       e->flags & IRQS_OFF ? 'd' : '.', context,
		       (unsigned long long)e->time, events[e->event].name);
		for (i = 0; i < nr_args(e->event); i++) {
			if (i < 4 && arg_names[e->event][i])
				printf(" %s=", arg_names[e->event][i]);
			else
				putchar(' ');
			printf("0x%llx", (unsigned long long)e->arg[i]);
		}
		putchar('\n');
	}
}

/* === Blocks === */

/* What a block belongs to has counters, 24 bytes behind its start: three. */
#define OWNERS		(TASKS + 0x2800)
#define COUNTERS	24
#define NR_COUNTERS	3

static uint64_t owner(unsigned int cpu)
{
	return virt(OWNERS + 64 * cpu);
}

static void count(unsigned int cpu, unsigned int nr, uint64_t n)
{
	put_word(OWNERS + 64 * cpu + COUNTERS + nr * words(), n);
}

static size_t block;
static unsigned int block_cpu, nr_blocks;
static uint64_t now[8], first[8], seq[8], told[8];
static uint64_t nr_reserved, nr_committed;
static size_t reserved, committed;
static int shift, closed;
static unsigned int block_version = 2;

static void put_words(void)
{
	uint64_t bit = closed ? 1ULL << (shift - 1) : 0;

	put64(block + 72, nr_reserved << shift | bit | reserved);
	put64(block + 80, nr_committed << shift | committed);
}

/* The event and the shape. */
static uint16_t low_stamp(const struct expected *e)
{
	return events[e->event].id << 6 | shape_of(e->event);
}

static uint64_t stamp(const struct expected *e)
{
	return (e->time & 0xffffffffffffULL) << 16 | low_stamp(e);
}

static void put_args(size_t at, const struct expected *e, unsigned int n)
{
	unsigned int i;

	at += 12;
	for (i = 0; i < n && i < nr_args(e->event); i++) {
		put_number(memory + at, e->arg[i], arg_size(e->event, i));
		at += arg_size(e->event, i);
	}
}

static void put_record(size_t at, const struct expected *e)
{
	put64(at, stamp(e));
	put32(at + 8, (uint32_t)e->flags << 22 | e->pid);
	put_args(at, e, MAX_ARGS);
}

static size_t record_size(const struct expected *e)
{
	size_t size = 12;
	unsigned int i;

	for (i = 0; i < nr_args(e->event); i++)
		size += arg_size(e->event, i);
	return size;
}

static struct expected random_record(unsigned int cpu, uint64_t time, uint16_t flags)
{
	struct expected e = { .time = time, .cpu = cpu, .flags = flags };
	unsigned int i;

	e.event = rnd(NR_RANDOM);
	e.pid = 100 + cpu;
	for (i = 0; i < nr_args(e.event); i++)
		e.arg[i] = as_recorded(e.event, i, 0xffff888000000000ULL + rnd(1000000) +
				       (A(rnd(2)) << 31));
	return e;
}

/* What was there before: records of the last round, or zeros in the first one. */
static void fill_old(int old)
{
	size_t at = block + 120 + 4 * rnd(6);
	struct expected e;

	while (old && at + 48 < block + BLOCK_SIZE) {
		e = random_record(block_cpu, now[block_cpu] - 100000 * US + at,
				  rnd(2) ? HARDIRQ | IRQS_OFF : 0);
		put_record(at, &e);
		at += record_size(&e);
	}
}

static void block_begin(unsigned int cpu, int old)
{
	block = BLOCKS + nr_blocks++ * BLOCK_SIZE;
	block_cpu = cpu;
	if (!now[cpu])
		now[cpu] = T0 + cpu;
	shift = bits32 ? 18 : 32;
	put64(block, 0x314b4c4254534b4cULL);
	put16(block + 8, block_version);
	put16(block + 10, 120);
	put32(block + 12, cpu);
	put32(block + 16, BLOCK_SIZE);
	put16(block + 20, 0);
	put16(block + 22, shift);
	put64(block + 24, owner(cpu));
	put64(block + 32, ++seq[cpu]);
	put64(block + 40, first[cpu]);
	put64(block + 48, told[cpu]);
	put64(block + 56, now[cpu]);
	put64(block + 64, MONO0 + (now[cpu] - T0) / 2);
	put_text(block + 88, "main");
	nr_reserved = 0;
	nr_committed = 0;
	reserved = 120;
	committed = 120;
	closed = 0;
	fill_old(old);
	put_words();
}

static void block_end(int is_closed)
{
	closed = is_closed;
	put_words();
	first[block_cpu] += nr_reserved;
}

/* Steps of a writer, and how many there are without arguments. */
enum { RESERVED, EVENT, TIME, WHO, ARGS };

/*
 * Writes a record as a kernel does, up to a step. What it had no room for is reserved, and
 * nothing else.
 */
static void write_steps(const struct expected *e, unsigned int steps)
{
	size_t at = block + reserved, size = record_size(e);

	nr_reserved++;
	reserved += size;
	if (reserved <= BLOCK_SIZE && !(closed && steps != WHOLE)) {
		if (steps >= EVENT) {
			/* The low 16 bits of the stamp. */
			put16(big ? at + 6 : at, low_stamp(e));
		}
		if (steps >= TIME)
			put64(at, stamp(e));
		if (steps >= WHO)
			put32(at + 8, (uint32_t)e->flags << 22 | e->pid);
		if (steps >= ARGS)
			put_args(at, e, steps == WHOLE ? MAX_ARGS : steps - ARGS + 1);
	}
	if (steps != WHOLE) {
		nr_torn++;
		return;
	}
	nr_committed++;
	committed += size;
	expected[nr_expected] = *e;
	expected[nr_expected].order = nr_expected;
	expected[nr_expected].block = block;
	expected[nr_expected].end = block + reserved;
	nr_expected++;
}

static void advance(void)
{
	now[block_cpu] += US / 4 + rnd(US);
}

static void write_random(uint16_t flags, unsigned int n)
{
	struct expected e;

	while (n--) {
		advance();
		e = random_record(block_cpu, now[block_cpu], flags);
		if (reserved + record_size(&e) <= BLOCK_SIZE)
			write_steps(&e, WHOLE);
	}
}

static void write_one(unsigned int id, uint32_t pid, uint16_t flags, unsigned int steps, ...)
{
	struct expected e = { .cpu = block_cpu, .pid = pid, .flags = flags };
	unsigned int i;
	va_list ap;

	advance();
	e.time = now[block_cpu];
	e.event = event_index(id);
	va_start(ap, steps);
	for (i = 0; i < nr_args(e.event); i++)
		e.arg[i] = as_recorded(e.event, i, va_arg(ap, uint64_t));
	va_end(ap);
	write_steps(&e, steps);
}

/* LKST's own with many words. */
static void write_long(unsigned int id, uint16_t flags, unsigned int steps)
{
	struct expected e = { .cpu = block_cpu, .pid = 5, .flags = flags };
	unsigned int i;

	advance();
	e.time = now[block_cpu];
	e.event = event_index(id);
	for (i = 0; i < nr_args(e.event); i++)
		e.arg[i] = 0x1234567800000000ULL + i;
	write_steps(&e, steps);
}

/* Torn in a context; what it interrupts is so far, what interrupts it follows. */
static void tear(uint16_t flags, unsigned int steps)
{
	struct expected e;

	advance();
	e = random_record(block_cpu, now[block_cpu], flags);
	write_steps(&e, steps);
}

/* === The rest of memory === */

#define NR_TASKS	6
#define TASK_SIZE	512
/* init_task, and five tasks: the last two are threads of the one before. */
static void make_tasks(void)
{
	static const char *const comm[] = { "swapper/0", "init", "bash", "server", "worker 1",
					    "worker 2" };
	size_t task, signal, next;
	unsigned int i, leader;

	for (i = 0; i < NR_TASKS; i++) {
		task = TASKS + i * TASK_SIZE;
		leader = i > 3 ? 3 : i;
		next = TASKS + (i + 1) % 4 * TASK_SIZE;
		signal = TASKS + 0x2000 + leader * 64;
		if (i < 4)
			put_word(task + 16, virt(next + 16));
		put32(task + 32, i ? 100 + i : 0);
		put32(task + 36, leader ? 100 + leader : 0);
		put_text(task + 40, comm[i]);
		put_word(task + 72, virt(signal));
		/* In a ring of the head and the threads. */
		if (i < 4)
			put_word(signal + 8, virt(task + 56));
		put_word(task + 56, i < 3 || i == 5 ? virt(signal + 8) :
			 virt(task + TASK_SIZE + 56));
	}
}

/* x86-64: the first gigabytes where the kernel has them. */
static void make_tables(void)
{
	size_t top = TABLES, direct = TABLES + 0x1000, text = TABLES + 0x2000;
	size_t pages = TABLES + 0x3000;
	unsigned int i;

	put64(top + 8 * 273, (BASE + direct) | 0x63);
	put64(top + 8 * 511, (BASE + text) | 0x63);
	for (i = 0; i < 4; i++)
		put64(direct + 8 * i, (A(i) << 30) | 0x1e3);
	put64(text + 8 * 510, (BASE + pages) | 0x63);
	for (i = 0; i < 256; i++)
		put64(pages + 8 * i, (A(i) << 21) | 0x1e3);
}

/* Names of two functions; tokens are letters, and one is a longer piece. */
#define KALLSYMS	(TASKS + 0x3000)

static void make_kallsyms(void)
{
	static const char *const name[] = { "Dpercpu_thing", "T_text", "tdo_lock", "Tmy_irq" };
	static const int32_t offset[] = { 0x1000, -1, -1 - 0x1000, -1 - 0x2000 };
	size_t table = KALLSYMS + 0x200, names = KALLSYMS + 0x800, offsets = KALLSYMS + 0x900;
	unsigned int i, at = 0;
	const char *p;

	put32(KALLSYMS, 4);
	put_word(KALLSYMS + 8, 0xffffffff81000000ULL);
	for (i = 0; i < 256; i++) {
		put16(KALLSYMS + 0xa00 + 2 * i, at);
		if (i == 1) {
			put_text(table + at, "do_");
			at += 3;
		} else if (i >= 'A' && i <= 'z') {
			memory[table + at++] = i;
		}
		at++;
	}
	for (i = 0; i < 4; i++) {
		put32(offsets + 4 * i, offset[i]);
		p = name[i];
		at = names++;
		while (*p) {
			if (!strncmp(p, "do_", 3)) {
				memory[names++] = 1;
				p += 3;
			} else {
				memory[names++] = *p++;
			}
		}
		memory[at] = names - at - 1;
	}
}

static void put_clock(size_t at, uint64_t time)
{
	put32(at, 0);
	put32(at + 4, KHZ);
	put64(at + 8, time);
	put64(at + 16, MONO0 + (time - T0) / 2);
	put64(at + 24, REAL0 + (time - T0) / 2);
	put64(at + 32, MONO0 + (time - T0) / 2 + 7);
}

static void list_link(unsigned int page, uint64_t next)
{
	put64(list_page[page] + 8, next);
}

static size_t list_place(unsigned int place)
{
	return list_page[place / LIST_PLACES] + 24 + 8 * (place % LIST_PLACES);
}

/* In no order, with holes, and in each page. */
static void make_list(void)
{
	const unsigned int places = LIST_PAGES * LIST_PLACES;
	unsigned int i;

	for (i = 0; i < LIST_PAGES; i++) {
		put64(list_page[i], 0x3154534c54534b4cULL);
		list_link(i, i + 1 < LIST_PAGES ? BASE + list_page[i + 1] : 0);
		put32(list_page[i] + 16, i);
		put32(list_page[i] + 20, LIST_PLACES);
	}
	for (i = 0; i < room_blocks; i++)
		put64(list_place(i * 1009 % places), BASE + BLOCKS + i * BLOCK_SIZE);
}

static void make_directory(int stopped)
{
	unsigned int i;

	memcpy(memory + ETYPES, etypes, sizeof(etypes) - 1);
	make_tasks();
	if (!bits32 && !big)
		make_tables();
	make_kallsyms();
	put64(DIRECTORY, 0x3152494454534b4cULL);
	put16(DIRECTORY + 8, 2);
	put16(DIRECTORY + 10, words());
	put32(DIRECTORY + 12, 640);
	put64(DIRECTORY + 16, BASE + list_page[0]);
	put32(DIRECTORY + 24, room_blocks);
	put32(DIRECTORY + 28, 4);
	put64(DIRECTORY + 32, BASE + ETYPES);
	put32(DIRECTORY + 40, sizeof(etypes) - 1);
	put_clock(DIRECTORY + 56, T0);
	if (stopped) {
		put32(DIRECTORY + 44, 1);
		put32(DIRECTORY + 48, 1);
		put32(DIRECTORY + 52, 101);
		put_clock(DIRECTORY + 96, STOP);
		put_text(DIRECTORY + 368, "sysrq triggered crash\n");
	}
	put64(DIRECTORY + 136, virt(TASKS));
	put32(DIRECTORY + 144, 16);
	put32(DIRECTORY + 148, 32);
	put32(DIRECTORY + 152, 36);
	put32(DIRECTORY + 156, 40);
	put32(DIRECTORY + 160, 56);
	put32(DIRECTORY + 164, 72);
	put32(DIRECTORY + 168, 8);
	put16(DIRECTORY + 172, COUNTERS);
	put16(DIRECTORY + 174, NR_COUNTERS);
	put64(DIRECTORY + 624, virt(DIRECTORY));
	put64(DIRECTORY + 632, VIRT);
	put_text(DIRECTORY + 176, "6.12.0-golden");
	put_text(DIRECTORY + 240, big ? bits32 ? "ppc" : "s390x" : bits32 ? "i686" : "x86_64");
	put_text(DIRECTORY + 304, "dumped");
	/* Not used yet, they have a size and are closed. */
	for (i = nr_blocks; i < room_blocks; i++) {
		put32(BLOCKS + i * BLOCK_SIZE + 16, BLOCK_SIZE);
		put64(BLOCKS + i * BLOCK_SIZE + 72, 1ULL << (bits32 ? 17 : 31));
	}
	make_list();
}

/* === ELF === */

static unsigned char out[MAX_MEMORY + 65536];
static size_t fill;
static int with_vmcoreinfo = 1, with_vaddr = 1;
/* Memory besides, which is a hole in the file. */
static uint64_t empty_memory;
static uint64_t directory_at = BASE + DIRECTORY;

/* Where in the file each page is. */
static size_t page_at[MAX_MEMORY / PAGE];
/* As makedumpfile writes it. */
static int compressed;

static void emit(uint64_t value, int bytes)
{
	put_number(out + fill, value, bytes);
	fill += bytes;
}

static void emit_header(unsigned int phnum)
{
	int w = words();

	memcpy(out, "\177ELF", 4);
	out[4] = bits32 ? ELFCLASS32 : ELFCLASS64;
	out[5] = big ? ELFDATA2MSB : ELFDATA2LSB;
	out[6] = EV_CURRENT;
	fill = 16;
	emit(ET_CORE, 2);
	emit(big ? bits32 ? EM_PPC : EM_S390 : bits32 ? EM_386 : EM_X86_64, 2);
	emit(EV_CURRENT, 4);
	emit(0, w);
	emit(bits32 ? 52 : 64, w);
	emit(0, w);
	emit(0, 4);
	emit(bits32 ? 52 : 64, 2);
	emit(bits32 ? 32 : 56, 2);
	emit(phnum, 2);
	emit(0, 2);
	emit(0, 2);
	emit(0, 2);
}

static void emit_segment(uint32_t type, uint64_t offset, uint64_t vaddr, uint64_t paddr,
			 uint64_t size)
{
	int w = words();

	emit(type, 4);
	if (!bits32)
		emit(7, 4);
	emit(offset, w);
	emit(vaddr, w);
	emit(paddr, w);
	emit(size, w);
	emit(size, w);
	if (bits32)
		emit(7, 4);
	emit(0, w);
}

static const struct {
	const char *name;
	unsigned int at;
} kallsyms[] = {
	{ "num_syms", 0 }, { "relative_base", 8 }, { "token_table", 0x200 },
	{ "names", 0x800 }, { "offsets", 0x900 }, { "token_index", 0xa00 },
};

static size_t make_vmcoreinfo(char *info, size_t size)
{
	size_t desc, i;

	desc = snprintf(info, size, "OSRELEASE=6.12.0-golden\nPAGESIZE=%d\n"
			"SYMBOL(init_top_pgt)=ffffffff%08llx\n"
			"SYMBOL(swapper_pg_dir)=ffffffff%08llx\n"
			"NUMBER(phys_base)=0\nNUMBER(pgtable_l5_enabled)=0\n"
			"KERNELOFFSET=0\nNUMBER(KERNEL_IMAGE_SIZE)=1073741824\n"
			"SYMBOL(_stext)=ffffffff81000000\n"
			"LKST_DIRECTORY=%llx\n", PAGE, 0x80000000 + BASE + TABLES,
			0x80000000 + BASE + TABLES, (unsigned long long)directory_at);
	for (i = 0; i < 6; i++)
		desc += snprintf(info + desc, size - desc, "SYMBOL(kallsyms_%s)=ffffffff%08llx\n",
				 kallsyms[i].name, 0x80000000 + BASE + KALLSYMS + kallsyms[i].at);
	return desc;
}

static void emit_elf(void)
{
	size_t segments[MAX_MEMORY / PAGE][2], n = 0, i, k, at, notes, desc = 0;
	char info[2048] = "";

	for (i = 0; i < MEMORY / PAGE; i++) {
		if (missing[i])
			continue;
		if (!i || missing[i - 1])
			segments[n++][0] = i;
		segments[n - 1][1] = i + 1;
	}
	if (with_vmcoreinfo)
		desc = make_vmcoreinfo(info, sizeof(info));
	emit_header(n + 1 + !!empty_memory);
	notes = fill + (n + 1 + !!empty_memory) * (bits32 ? 32 : 56);
	at = (notes + 24 + desc + PAGE) & -PAGE;
	emit_segment(PT_NOTE, notes, 0, 0, desc ? 12 + 12 + ((desc + 3) & -4) : 0);
	for (i = 0; i < n; i++) {
		emit_segment(PT_LOAD, at, with_vaddr ? VIRT + BASE + segments[i][0] * PAGE : 0,
			     BASE + segments[i][0] * PAGE,
			     (segments[i][1] - segments[i][0]) * PAGE);
		at += (segments[i][1] - segments[i][0]) * PAGE;
	}
	if (empty_memory)
		emit_segment(PT_LOAD, at, VIRT + (1ULL << 32), 1ULL << 32, empty_memory);
	if (desc) {
		emit(11, 4);
		emit(desc, 4);
		emit(0, 4);
		memcpy(out + fill, "VMCOREINFO\0", 12);
		memcpy(out + fill + 12, info, desc);
	}
	fill = (notes + 24 + desc + PAGE) & -PAGE;
	for (i = 0; i < n; i++) {
		at = (segments[i][1] - segments[i][0]) * PAGE;
		memcpy(out + fill, memory + segments[i][0] * PAGE, at);
		for (k = segments[i][0]; k < segments[i][1]; k++)
			page_at[k] = fill + (k - segments[i][0]) * PAGE;
		fill += at;
	}
}

/* === As makedumpfile writes it; its pages may be as they are === */

static int is_zero(size_t page)
{
	static const unsigned char zero[PAGE];

	return !memcmp(memory + page * PAGE, zero, PAGE);
}

static void out_number(size_t at, uint64_t value, int bytes)
{
	put_number(out + at, value, bytes);
}

/* Of a 64-bit machine: a page of head, one that is its own, bitmaps, descriptors, pages. */
static void emit_compressed(void)
{
	size_t first = BASE / PAGE, descs = 4 * PAGE, n = 0, i, zeros;

	memcpy(out, "KDUMP   ", 8);
	out_number(8, 6, 4);
	memcpy(out + 12, "Linux", 5);
	memcpy(out + 12 + 2 * 65, "6.12.0-golden", 13);
	memcpy(out + 12 + 4 * 65, big ? "s390x" : "x86_64", big ? 5 : 6);
	out_number(428, PAGE, 4);
	out_number(432, 1, 4);
	out_number(436, 2, 4);
	out_number(440, first + MEMORY / PAGE, 4);
	out_number(460, 4, 4);
	if (with_vmcoreinfo) {
		out_number(PAGE + 32, PAGE + 1024, 8);
		out_number(PAGE + 40, make_vmcoreinfo((char *)out + PAGE + 1024, 2048), 8);
	}
	out_number(PAGE + 96, first + MEMORY / PAGE, 8);
	for (i = 0; i < MEMORY / PAGE; i++) {
		if (missing[i])
			continue;
		out[2 * PAGE + (first + i) / 8] |= 1 << (first + i) % 8;
		out[3 * PAGE + (first + i) / 8] |= 1 << (first + i) % 8;
		n++;
	}
	/* One page is all that are zeros. */
	zeros = descs + 24 * n;
	fill = zeros + PAGE;
	for (i = 0, n = 0; i < MEMORY / PAGE; i++) {
		if (missing[i])
			continue;
		page_at[i] = zeros;
		if (!is_zero(i)) {
			page_at[i] = fill;
			memcpy(out + fill, memory + i * PAGE, PAGE);
			fill += PAGE;
		}
		out_number(descs + 24 * n, page_at[i], 8);
		out_number(descs + 24 * n++ + 8, PAGE, 4);
	}
}

/* The file ends here: what of a record's block is not there before it, takes it along. */
static void cut_off(size_t size)
{
	size_t i, k, page, left;

	fill = size;
	for (i = 0, k = 0; i < nr_expected; i++) {
		for (page = expected[i].block / PAGE; page * PAGE < expected[i].end; page++) {
			left = page_at[page] < size ? size - page_at[page] : 0;
			if (left < PAGE && (compressed || left < expected[i].end - page * PAGE))
				break;
		}
		if (page * PAGE >= expected[i].end)
			expected[k++] = expected[i];
	}
	nr_expected = k;
}

/* === Cases === */

static void plain_blocks(void)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		block_begin(0, i);
		if (!i)
			write_one(1015, 100, 0, WHOLE, virt(TASKS + TASK_SIZE), A(102) << 32 | 102,
				  A(0), A(0));
		while (reserved + 44 <= BLOCK_SIZE)
			write_random(0, 1);
		block_end(i < 2);
	}
	block_begin(1, 0);
	write_random(0, 20);
	write_one(105, 101, 0, WHOLE, A(0x1234500), A(0xffffffff81001000));
	write_one(8, 101, 0, WHOLE, A(1), A(2), A(3), A(4));
	write_random(HARDIRQ | IRQS_OFF, 2);
	write_one(10, 101, HARDIRQ | IRQS_OFF, WHOLE, A(9), A(0xffffffff81002000));
	block_end(0);
	/* Set up, and not used yet. */
	block_begin(2, 0);
	put64(block + 32, 0);
	seq[2]--;
}

static void plain(void)
{
	plain_blocks();
	make_directory(1);
}

static void live(void)
{
	plain_blocks();
	make_directory(0);
}

/* Each kind of being torn: at the end, and with interrupts behind it. */
static void torn(void)
{
	unsigned int i, cpu = 0;

	for (i = 0; i < room_blocks - 1; i++) {
		block_begin(cpu++ % 4, i > 1);
		write_random(0, 100);
		switch (i) {
		case 0:
			tear(0, RESERVED);
			break;
		case 1:
			tear(0, EVENT);
			break;
		case 2:
			tear(0, EVENT);
			write_random(HARDIRQ | IRQS_OFF, 5);
			break;
		case 3:
			tear(SOFTIRQ, RESERVED);
			write_random(HARDIRQ | SOFTIRQ, 1);
			break;
		case 4:
			/* As one context after the other. */
			tear(0, EVENT);
			write_random(SOFTIRQ, 2);
			tear(SOFTIRQ, EVENT);
			write_random(HARDIRQ, 3);
			tear(HARDIRQ, RESERVED);
			write_random(NMI, 1);
			tear(NMI, EVENT);
			break;
		case 5:
		case 10:
			/* Whole, and not added: it is CPU 1 that stopped; CPU 2 had time. */
			if (block_cpu == 1)
				now[1] = STOP - 6 * US;
			write_one(9, 5, 0, ARGS + 2, A(1), A(2));
			write_one(105, 5, HARDIRQ, WHOLE, A(3), A(4));
			write_one(2, 5, HARDIRQ, WHOLE, A(3));
			write_one(107, 5, HARDIRQ, WHOLE, A(3), A(4));
			break;
		case 6:
			/* No room, and not taken back. */
			while (reserved + 12 <= BLOCK_SIZE)
				write_one(700, 7, 0, WHOLE);
			tear(0, RESERVED);
			break;
		case 7:
			/* The same above one that is torn. */
			tear(0, EVENT);
			while (reserved + 12 <= BLOCK_SIZE)
				write_one(700, 7, HARDIRQ, WHOLE);
			tear(HARDIRQ, RESERVED);
			break;
		case 8:
			tear(0, TIME);
			write_random(NMI, 1);
			break;
		default:
			/* Nothing before it. */
			break;
		}
		block_end(i == 3);
	}
	make_directory(1);
}

/* Records that are as long as they can be, torn and whole. */
static void torn_long(void)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		block_begin(i, 1);
		write_random(0, 20);
		write_long(1017, 0, WHOLE);
		write_long(i % 2 ? 1016 : 1017, 0, i < 2 ? RESERVED : EVENT);
		write_random(HARDIRQ | IRQS_OFF, 4);
		write_long(1016, HARDIRQ, WHOLE);
		if (i == 3) {
			tear(HARDIRQ, RESERVED);
			write_long(1016, NMI, WHOLE);
			write_random(NMI, 2);
		}
		block_end(0);
	}
	make_directory(1);
}

/*
 * A place that is reserved and no more, where there are the bytes of what is no record: the
 * shape is not the event's, or there is a flag that no kernel sets. But for that it would be
 * the record behind it that was not added yet.
 */
static void strict(void)
{
	struct expected e = { .event = event_index(1), .pid = 5 };
	unsigned int i;
	size_t at;

	for (i = 0; i < 3; i++) {
		block_begin(i == 1 ? 3 : i, 1);
		write_random(0, 20);
		now[block_cpu] = STOP - 6 * US;
		at = block + reserved;
		e.time = STOP - 5 * US;
		e.flags = i == 1 ? 0x20 : 0;
		put_record(at, &e);
		/* Two arguments, as long as the three. */
		if (i == 0)
			put16(big ? at + 6 : at, 1 << 6 | (bits32 ? 0x5 : 0xd));
		/* No shape at all. */
		if (i == 2)
			put16(big ? at + 6 : at, 1 << 6);
		write_steps(&e, RESERVED);
		write_one(2, 5, HARDIRQ, WHOLE, A(3));
		write_one(1, 5, HARDIRQ, WHOLE, A(3), A(4), A(5));
		block_end(0);
	}
	make_directory(1);
}

/*
 * A CPU as it is: contexts that interrupt each other at any step, until all stops. What
 * is stored but for its last words can't be told from what is whole: only with -a.
 */
static unsigned int random_step(const struct expected *e)
{
	return rnd(any_step ? ARGS + nr_args(e->event) + 1 : TIME);
}

static void run_context(unsigned int level, int *stop)
{
	static const uint16_t flags[] = { 0, SOFTIRQ, HARDIRQ | IRQS_OFF, NMI | IRQS_OFF };
	unsigned int n = 1 + rnd(level ? 12 : 300);
	struct expected e;

	while (n-- && !*stop) {
		advance();
		e = random_record(block_cpu, now[block_cpu], flags[level]);
		if (reserved + record_size(&e) + 200 > BLOCK_SIZE)
			return;
		if (!rnd(60) && level < 3) {
			/* Interrupted, and nobody comes back. */
			write_steps(&e, random_step(&e));
			run_context(level + 1 + rnd(3 - level), stop);
			*stop = 1;
			return;
		}
		if (level && !rnd(80)) {
			write_steps(&e, random_step(&e));
			*stop = 1;
			return;
		}
		write_steps(&e, WHOLE);
		if (level < 3 && !rnd(10))
			run_context(level + 1 + rnd(3 - level), stop);
	}
}

static void random_torn(void)
{
	unsigned int i;
	int stop;

	for (i = 0; i < 64; i++)
		rnd(2);
	for (i = 0; i < room_blocks; i++) {
		block_begin(i % 4, rnd(3));
		stop = 0;
		run_context(0, &stop);
		if (!stop && rnd(2))
			tear(0, rnd(TIME));
		block_end(rnd(2));
	}
	make_directory(rnd(2));
}

/*
 * CPU 0 had told of 4, and 7 found no place since; those of CPU 1 were all told, and of
 * CPU 3 nothing is known.
 */
static void losses(void)
{
	told[0] = 4;
	count(0, 0, 5);
	count(0, 2, 6);
	told[1] = 3;
	count(1, 1, 3);
	plain_blocks();
	block_begin(3, 0);
	write_random(0, 5);
	put64(block + 24, virt(1ULL << 29));
	block_end(0);
	make_directory(1);
}

/* As a machine dumps its guest: nothing says where page tables are. */
static void guest(void)
{
	losses();
	with_vmcoreinfo = 0;
	with_vaddr = 0;
}

static void scan(void)
{
	plain();
	directory_at = 0xdeadbeef000;
}

/* A directory of an older kernel, of which there are no blocks any more. */
static void decoy(void)
{
	plain();
	memcpy(memory + TABLES + 0x4000, memory + DIRECTORY, PAGE);
	directory_at = BASE + TABLES + 0x4000;
	put64(DIRECTORY + 16, 0);
	put32(DIRECTORY + 24, 0);
}

/* The same, and nothing says which it is. */
static void decoy_scan(void)
{
	decoy();
	with_vmcoreinfo = 0;
}

static void no_vmcoreinfo(void)
{
	plain();
	with_vmcoreinfo = 0;
}

static void no_directory(void)
{
	plain();
	with_vmcoreinfo = 0;
	missing[DIRECTORY / PAGE] = 1;
}

static void no_list(void)
{
	plain();
	missing[list_page[0] / PAGE] = 1;
}

/* Of the list the second page is not there; nor is a block that only this page has. */
static void no_list_page(void)
{
	size_t i, k;

	plain();
	missing[list_page[1] / PAGE] = 1;
	missing[(BLOCKS + BLOCK_SIZE) / PAGE] = 1;
	for (i = 0, k = 0; i < nr_expected; i++) {
		if (expected[i].block != BLOCKS + BLOCK_SIZE)
			expected[k++] = expected[i];
	}
	nr_expected = k;
}

static void list_circle(void)
{
	plain();
	list_link(1, BASE + list_page[0]);
}

static void list_itself(void)
{
	plain();
	list_link(2, BASE + list_page[2]);
}

static void list_ends(void)
{
	plain();
	list_link(0, 0);
}

static void list_nowhere(void)
{
	plain();
	list_link(0, 0xdeadbeef000ULL);
}

/* What is there is another page of the kernel's, or this one no more what it was. */
static void list_astray(void)
{
	plain();
	list_link(0, BASE + ETYPES);
}

static void list_longer(void)
{
	plain();
	put32(list_page[1] + 20, LIST_PLACES + 1);
}

/* Of the third page, only the places. */
static void list_zeros(void)
{
	plain();
	memset(memory + list_page[2] + 24, 0, PAGE - 24);
}

static void no_etypes(void)
{
	plain();
	missing[ETYPES / PAGE] = 1;
}

static void no_tasks(void)
{
	plain();
	missing[TASKS / PAGE] = 1;
}

static void task_loop(void)
{
	plain();
	/* Back to itself, and never to the head. */
	put_word(TASKS + 2 * TASK_SIZE + 16, virt(TASKS + 2 * TASK_SIZE + 16));
}

/* The first page of the second block, and the second of the third. */
static void no_block(void)
{
	uint64_t middle = BLOCKS + 2 * BLOCK_SIZE + PAGE;
	size_t i, k, at;

	plain();
	missing[(BLOCKS + BLOCK_SIZE) / PAGE] = 1;
	missing[middle / PAGE] = 1;
	/* Whole records before the page that is missing, and other blocks, are there. */
	for (i = 0, k = 0, at = 120; i < nr_expected; i++) {
		size_t in = 0;

		if (expected[i].cpu == 0) {
			uint64_t t1 = get_number(memory + BLOCKS + BLOCK_SIZE + 56, 8);
			uint64_t t2 = get_number(memory + BLOCKS + 2 * BLOCK_SIZE + 56, 8);

			in = expected[i].time > t2 ? 3 : expected[i].time > t1 ? 2 : 1;
		}
		if (in == 2)
			continue;
		if (in == 3) {
			at += record_size(&expected[i]);
			if (at > PAGE)
				continue;
		}
		expected[k++] = expected[i];
	}
	nr_expected = k;
}

static void no_lkst(void)
{
	make_tables();
	with_vmcoreinfo = 0;
	put_text(DIRECTORY, "nothing to see here");
}

static void never_started(void)
{
	make_directory(0);
	memset(memory + DIRECTORY + 56, 0, 40);
}

static void no_records(void)
{
	make_directory(1);
}

/* What a kernel with format 1 records. */
static void blocks1(void)
{
	block_version = 1;
	plain();
}

/* With an array instead of a list. */
static void version(void)
{
	plain();
	put16(DIRECTORY + 8, 1);
}

/* For the report: what is open at the end on each CPU. */
static void open_things(void)
{
	block_begin(0, 0);
	now[0] = STOP - 30000 * US;
	write_one(1, 77, 0, WHOLE, virt(TASKS), virt(TASKS + TASK_SIZE), A(1));
	now[0] = STOP - 10000 * US;
	write_one(8, 101, 0, WHOLE, A(162), A(2), A(3), A(4));
	write_one(105, 101, 0, WHOLE, A(0xffff888000aaaa00), A(0xffffffff81001000));
	write_one(105, 101, 0, WHOLE, A(0xffff888000bbbb00), A(0xffffffff81001000));
	write_one(107, 101, 0, WHOLE, A(0xffff888000bbbb00), A(0xffffffff81001000));
	write_one(10, 101, HARDIRQ, WHOLE, A(33), A(0xffffffff81002010));
	block_end(0);
	block_begin(1, 0);
	now[1] = STOP - 5000 * US;
	write_one(8, 102, 0, WHOLE, A(39), A(0), A(0), A(0));
	write_one(9, 102, 0, WHOLE, A(39), A(102));
	write_one(16, 102, SOFTIRQ, WHOLE, A(1));
	tear(SOFTIRQ, EVENT);
	block_end(0);
	make_directory(1);
}

/*
 * More locks than a report follows, all at once, and unlocks of others. Last a system call,
 * so that something has begun behind all that.
 */
static void many_open(void)
{
	unsigned int locks = 0;

	room_blocks = MAX_BLOCKS;
	while (nr_blocks < room_blocks - 1) {
		block_begin(0, 0);
		while (reserved + 28 <= BLOCK_SIZE) {
			if (locks < 5000)
				write_one(105, 5, 0, WHOLE, A(0xffff888000000000) + 64 * locks,
					  A(0xffffffff81001000));
			else
				write_one(107, 5, 0, WHOLE, A(0xffff888000000020) + 64 * locks,
					  A(0xffffffff81001000));
			locks++;
		}
		block_end(1);
	}
	block_begin(0, 0);
	write_one(8, 101, 0, WHOLE, A(39), A(0), A(0), A(0));
	block_end(0);
	make_directory(0);
}

/* Bits of the record's stamp and of its words change; it is no record any more. */
static void flip(size_t i, size_t at, unsigned int bit)
{
	memory[expected[i].end - record_size(&expected[i]) + (big ? (at < 8 ? 7 : 19) - at : at)] ^=
		1 << bit;
	expected[i].end = 0;
}

/* Of its time the highest bit that makes it much later; 48 bits are a ring. */
static void flip_late(size_t i)
{
	unsigned int bit = 46;

	while (expected[i].time >> bit & 1)
		bit--;
	flip(i, (16 + bit) / 8, (16 + bit) % 8);
}

/* Unknown flags, times that are far too late, the number of another event. */
static void flipped(void)
{
	size_t i, k;

	plain();
	flip(10, 11, 3);
	flip_late(50);
	/* What is made at run time may have any number of its kind. */
	for (i = 51; events[expected[i].event].id == 700; i++)
		;
	flip(i, 1, 6);
	flip_late(150);
	for (; expected[i].block == expected[0].block; i++)
		;
	/* The last of a block, and the last of all. */
	flip_late(i - 1);
	flip_late(i + 100);
	flip(nr_expected - 1, 11, 3);
	for (i = 0, k = 0; i < nr_expected; i++) {
		if (expected[i].end)
			expected[k++] = expected[i];
	}
	nr_expected = k;
}

/*
 * Shapes, and so lengths, of one in twenty, of two behind each other, and of the last in a
 * block and the first in the next: all others are still found. The length of a record of
 * LKST's own is not sure where damage follows it, nor is one sure that is alone in damage.
 */
static void damaged(void)
{
	size_t i, k, next;

	plain();
	for (next = 0; expected[next].block == expected[0].block; next++)
		;
	flip(next - 1, 0, 4);
	flip(next, 0, 1);
	for (i = 5; i < nr_expected; i += 20) {
		while (events[expected[i - 1].event].id >= 1008)
			i++;
		if (i + 6 < next || (i > next + 6 && i < nr_expected))
			flip(i, 0, i / 20 % 6);
		if (i == 105)
			flip(i + 1, 0, 2);
	}
	for (i = 0, k = 0; i < nr_expected; i++) {
		if (expected[i].end)
			expected[k++] = expected[i];
	}
	nr_expected = k;
}

/* There is one symbol more than there are names. */
static void half_names(void)
{
	plain();
	put32(KALLSYMS, 5);
}

static void large(void)
{
	plain();
	with_vmcoreinfo = 1;
	empty_memory = 64ULL << 30;
}

static void change_words(void)
{
	static const uint64_t extreme[] = {
		0, 1, 7, 120, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x100000000ULL,
		0x7fffffffffffffffULL, 0xffffffffffffffffULL, 0xfffffffffffffff0ULL,
	};
	unsigned int n, i;
	size_t at;

	seed = fuzz;
	for (i = 0; i < 8; i++)
		rnd(2);
	for (n = 1 + rnd(4); n--;) {
		switch (rnd(5)) {
		case 0:
			at = DIRECTORY + 8 * rnd(22);
			break;
		case 4:
			at = list_page[rnd(LIST_PAGES)] + 4 * rnd(rnd(2) ? 6 : 1000);
			break;
		case 1:
			at = TASKS + 8 * rnd(1200);
			break;
		case 2:
			at = BLOCKS + rnd(room_blocks) * BLOCK_SIZE + 4 * rnd(400);
			break;
		default:
			at = BLOCKS + rnd(room_blocks) * BLOCK_SIZE + 8 * rnd(15);
		}
		if (rnd(2))
			put64(at, extreme[rnd(12)]);
		else if (rnd(2))
			memory[at + rnd(8)] ^= 1 << rnd(8);
		else
			put64(at, get_number(memory + at, 8) + (A(rnd(65)) - 32) * 8);
	}
}

static const struct {
	const char *name;
	void (*make)(void);
} cases[] = {
	{ "plain", plain }, { "live", live }, { "torn", torn }, { "random", random_torn },
	{ "torn_long", torn_long }, { "strict", strict }, { "blocks1", blocks1 },
	{ "scan", scan }, { "decoy", decoy }, { "decoy_scan", decoy_scan },
	{ "no_vmcoreinfo", no_vmcoreinfo }, { "no_directory", no_directory },
	{ "no_list", no_list }, { "no_list_page", no_list_page },
	{ "list_circle", list_circle }, { "list_itself", list_itself },
	{ "list_ends", list_ends }, { "list_nowhere", list_nowhere },
	{ "list_astray", list_astray }, { "list_longer", list_longer },
	{ "list_zeros", list_zeros }, { "no_etypes", no_etypes }, { "no_tasks", no_tasks },
	{ "task_loop", task_loop }, { "no_block", no_block }, { "no_lkst", no_lkst },
	{ "losses", losses }, { "guest", guest },
	{ "never_started", never_started }, { "no_records", no_records },
	{ "version", version }, { "flipped", flipped }, { "damaged", damaged },
	{ "half_names", half_names },
	{ "many_open", many_open }, { "open", open_things }, { "large", large },
};

int main(int argc, char **argv)
{
	int c, print = 0, percent = 100;
	size_t i;

	while ((c = getopt(argc, argv, "ab3kc:s:f:xt")) != -1) {
		if (c == 'b')
			big = 1;
		else if (c == 'f')
			fuzz = strtoul(optarg, NULL, 0);
		else if (c == 'a')
			any_step = 1;
		else if (c == '3')
			bits32 = 1;
		else if (c == 'k')
			compressed = 1;
		else if (c == 'c')
			percent = atoi(optarg);
		else if (c == 's')
			seed = strtoul(optarg, NULL, 0);
		else
			print = c;
	}
	for (i = 0; optind < argc && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(cases[i].name, argv[optind]))
			continue;
		cases[i].make();
		if (fuzz)
			change_words();
		if (compressed)
			emit_compressed();
		else
			emit_elf();
		if (percent < 100)
			cut_off(fill * percent / 100);
		if (print == 'x') {
			print_expected();
		} else if (print == 't') {
			printf("%lu\n", nr_torn);
		} else {
			if (fwrite(out, fill, 1, stdout) != 1 || fflush(stdout))
				return 1;
			return empty_memory ? ftruncate(STDOUT_FILENO, fill + empty_memory) : 0;
		}
		return fflush(stdout);
	}
	fprintf(stderr, "usage: gendump [-b] [-3] [-a] [-k] [-c PERCENT] [-s SEED] [-f SEED] "
		"[-x | -t] CASE\n");
	return 1;
}
