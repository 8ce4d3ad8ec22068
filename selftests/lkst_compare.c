// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds what LKST recorded against what ftrace did, record by record.
 *
 *	lkst_compare DIR NR_CPUS BEGIN END
 *
 * DIR has for each CPU N lkst.N, what its trace_raw gave, and ftrace.N, the text of ftrace's
 * per_cpu/cpuN/trace; and in lkst.-1 what names_raw gave. The comparison goes, on each CPU, from the call
 * getpgid(BEGIN) to the call getpgid(END), which both must have.
 *
 * LKST's hooks stand beside the tracepoints. Where interrupts are on, one may
 * come between the two: then the same records stand in both, but those of the
 * interrupt before the one and behind the other. Only that is tolerated: such a
 * record is moved over the interrupt, and counted.
 */
#include <sys/syscall.h>

#include "lkst_ftrace.h"

#define WINDOW		512		/* records of one interrupt and all it nests */
#define SHOWN		6

enum kind { SWITCH, WAKEUP, ENTER, EXIT, IRQ_IN, IRQ_OUT, BH_IN, BH_OUT, NR_KINDS };

static const char * const kind_names[] = {
	[SWITCH]	= "switch",
	[WAKEUP]	= "wakeup",
	[ENTER]		= "sys_enter",
	[EXIT]		= "sys_exit",
	[IRQ_IN]	= "irq_entry",
	[IRQ_OUT]	= "irq_exit",
	[BH_IN]		= "softirq_entry",
	[BH_OUT]	= "softirq_exit",
};

struct ev {
	enum kind kind;
	uint32_t pid;			/* who was running */
	uint64_t a[4];
	uint64_t time;
};

struct list {
	struct ev *ev;
	size_t nr, size;
	struct tokens tokens;
};

static void add(struct list *l, const struct ev *ev)
{
	if (l->nr == l->size) {
		l->size = l->size ? l->size * 2 : 4096;
		l->ev = realloc(l->ev, l->size * sizeof(*l->ev));
		if (!l->ev)
			abort();
	}
	if (ev->kind == ENTER && ev->a[0] == SYS_getpgid)
		token_call(&l->tokens, ev->a[1], l->nr);
	else if (ev->kind == EXIT)
		token_return(&l->tokens, l->nr);
	l->ev[l->nr++] = *ev;
}

static void print_ev(const char *who, const struct ev *e)
{
	printf("# %s %-14s pid %u %" PRIu64 ":", who, kind_names[e->kind], e->pid,
	       e->time);
	for (int i = 0; i < 4; i++)
		printf(" 0x%" PRIx64, e->a[i]);
	printf("\n");
}

/* === LKST === */

/*
 * Which thread is at which address, at which time: from FORK and PROCESS records
 * of all CPUs.
 */
struct task {
	uint64_t addr, time;
	uint32_t pid;
};

static struct task *tasks;
static size_t nr_tasks;

static void task_record(const struct lkst_block *b, const struct raw_rec *r,
			void *data)
{
	if (r->event != EV_FORK && r->event != LKST_EV_PROCESS)
		return;
	tasks = realloc(tasks, (nr_tasks + 1) * sizeof(*tasks));
	if (!tasks)
		abort();
	tasks[nr_tasks++] = (struct task) {
		.addr = r->arg[0],
		.time = r->time,
		.pid = r->arg[1],
	};
}

static int by_addr(const void *x, const void *y)
{
	const struct task *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

/* The thread at an address at a time. */
static uint64_t task_pid(uint64_t addr, uint64_t time)
{
	size_t low = 0, high = nr_tasks;

	/* The last one that is not later. */
	while (low < high) {
		size_t mid = (low + high) / 2;

		if (tasks[mid].addr < addr ||
		    (tasks[mid].addr == addr && tasks[mid].time <= time))
			low = mid + 1;
		else
			high = mid;
	}
	if (low && tasks[low - 1].addr == addr)
		return tasks[low - 1].pid;
	/* Told of a little later than it was woken for the first time. */
	if (low < nr_tasks && tasks[low].addr == addr)
		return tasks[low].pid;
	return 0;
}

/* -1 is the way back from a signal's handler. */
static uint64_t syscall_nr(const struct raw_rec *r)
{
	return raw_width(r->shape, 0) == 4 ? (uint64_t)(int32_t)r->arg[0] : r->arg[0];
}

static void lkst_record(const struct lkst_block *b, const struct raw_rec *r,
			void *data)
{
	struct ev e = { .pid = r->pid, .time = r->time };

	switch (r->event) {
	case EV_CONTEXTSWITCH:
		e.kind = SWITCH;
		e.a[0] = task_pid(r->arg[0], r->time);
		e.a[1] = task_pid(r->arg[1], r->time);
		e.a[2] = r->arg[2];
		break;
	case EV_WAKEUP:
		e.kind = WAKEUP;
		e.a[0] = task_pid(r->arg[0], r->time);
		break;
	case EV_SYSCALL_ENTRY:
		e.kind = ENTER;
		memcpy(e.a, r->arg, sizeof(e.a));
		e.a[0] = syscall_nr(r);
		break;
	case EV_SYSCALL_EXIT:
		e.kind = EXIT;
		e.a[0] = syscall_nr(r);
		e.a[1] = r->arg[1];
		break;
	case EV_IRQ_ENTRY:
		e.kind = IRQ_IN;
		e.a[0] = r->arg[0];
		break;
	case EV_IRQ_EXIT:
		e.kind = IRQ_OUT;
		e.a[0] = r->arg[0];
		e.a[1] = !!r->arg[1];
		break;
	case EV_BH_ENTRY:
		e.kind = BH_IN;
		e.a[0] = r->arg[0];
		break;
	case EV_BH_EXIT:
		e.kind = BH_OUT;
		e.a[0] = r->arg[0];
		break;
	default:
		return;
	}
	add(data, &e);
}

/* === ftrace === */

static uint64_t number_after(const char *s, const char *key, int base)
{
	const char *p = strstr(s, key);

	return p ? strtoull(p + strlen(key), NULL, base) : ~0ULL;
}

/* prev_state=S, R+, D|K, … as the bits it is printed from. */
static uint64_t state_after(const char *s)
{
	static const char letters[] = "SDTtXZPI";
	const char *p = strstr(s, " prev_state=");
	uint64_t state = 0;

	if (!p)
		return ~0ULL;
	for (p += 12; *p && *p != ' '; p++) {
		const char *l = strchr(letters, *p);

		if (l)
			state |= 1ULL << (l - letters);
		else if (*p == '+')
			state |= 0x100;
	}
	return state;
}

/* One line; returns false if it is none of ours. */
static bool parse_line(char *line, struct ev *e)
{
	struct ftrace_line l;
	const char *name, *rest;
	char *p;

	if (!ftrace_parse(line, &l))
		return false;
	memset(e, 0, sizeof(*e));
	e->pid = l.pid;
	e->time = l.time;
	name = l.name;
	rest = l.rest;

	if (!strcmp(name, "sched_switch")) {
		e->kind = SWITCH;
		e->a[0] = number_after(rest, " prev_pid=", 10);
		e->a[1] = number_after(rest, " next_pid=", 10);
		e->a[2] = state_after(rest);
	} else if (!strcmp(name, "sched_wakeup")) {
		e->kind = WAKEUP;
		e->a[0] = number_after(rest, " pid=", 10);
	} else if (!strcmp(name, "sys_enter")) {
		e->kind = ENTER;
		e->a[0] = number_after(rest, "NR ", 10);
		p = strchr(rest, '(');
		for (int i = 1; i < 4 && p; i++) {
			e->a[i] = strtoull(p + 1, &p, 16);
			p = strchr(p, ' ');
		}
	} else if (!strcmp(name, "sys_exit")) {
		e->kind = EXIT;
		e->a[0] = number_after(rest, "NR ", 10);
		e->a[1] = number_after(rest, " = ", 10);
	} else if (!strcmp(name, "irq_handler_entry")) {
		e->kind = IRQ_IN;
		e->a[0] = number_after(rest, "irq=", 10);
	} else if (!strcmp(name, "irq_handler_exit")) {
		e->kind = IRQ_OUT;
		e->a[0] = number_after(rest, "irq=", 10);
		e->a[1] = !strstr(rest, "unhandled");
	} else if (!strcmp(name, "softirq_entry")) {
		e->kind = BH_IN;
		e->a[0] = number_after(rest, "vec=", 10);
	} else if (!strcmp(name, "softirq_exit")) {
		e->kind = BH_OUT;
		e->a[0] = number_after(rest, "vec=", 10);
	} else {
		return false;
	}
	return true;
}

static int load_ftrace(const char *dir, int cpu, struct list *l)
{
	char *line, *save = NULL, *buf;
	struct ev e;
	size_t len;

	buf = read_file(dir, "ftrace", cpu, &len);
	if (!buf)
		return -1;
	for (line = strtok_r(buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "LOST") && strstr(line, "EVENTS")) {
			printf("# ftrace.%d lost events\n", cpu);
			return -1;
		}
		if (*line != '#' && parse_line(line, &e))
			add(l, &e);
	}
	free(buf);
	return 0;
}

/* === Comparison === */

static void keep(struct list *l, size_t from, size_t to)
{
	memmove(l->ev, l->ev + from, (to - from + 1) * sizeof(*l->ev));
	l->nr = to - from + 1;
}

/* Cuts both to what lies between the tokens; returns false if they lack. */
static bool cut(struct list *l, struct list *f, uint64_t begin, uint64_t end)
{
	size_t from_l, from_f, to_l, to_f;

	if (!token_quiet(&l->tokens, &f->tokens, begin, &from_l, &from_f) ||
	    !token_quiet(&l->tokens, &f->tokens, end, &to_l, &to_f))
		return false;
	keep(l, from_l, to_l);
	keep(f, from_f, to_f);
	return true;
}

/*
 * The state of who is switched from. LKST has the task's own bits, and 0 for one
 * that stays ready; ftrace has those that it prints, and 0x100 for one that was
 * preempted.
 */
#define STATE_REPORT	0x7f		/* S D T t X Z P, as both have them */
#define STATE_DEAD	0x80		/* LKST: X or Z of ftrace */
#define STATE_IDLE	0x402		/* LKST: I of ftrace */
#define FTRACE_IDLE	0x80
#define FTRACE_PREEMPT	0x100

static size_t signalled;

static bool same_state(uint64_t lkst, uint64_t ftrace)
{
	if (ftrace & FTRACE_PREEMPT)
		return !lkst;
	if (!lkst) {
		/* About to sleep, but a signal came: it stays ready. */
		signalled += !!ftrace;
		return true;
	}
	if (lkst & STATE_DEAD)
		return ftrace & 0x30;
	if ((lkst & STATE_IDLE) == STATE_IDLE)
		return ftrace == FTRACE_IDLE;
	return (lkst & STATE_REPORT) && ftrace == (lkst & STATE_REPORT);
}

/* Is what LKST has what ftrace has? */
static bool same(const struct ev *l, const struct ev *f)
{
	if (l->kind != f->kind || l->pid != f->pid)
		return false;
	if (l->kind == SWITCH)
		return l->a[0] == f->a[0] && l->a[1] == f->a[1] &&
		       same_state(l->a[2], f->a[2]);
	return !memcmp(l->a, f->a, sizeof(l->a));
}

/* May an interrupt come between the two hooks of this kind? */
static bool interruptible(const struct ev *e)
{
	return e->kind == ENTER || e->kind == EXIT || e->kind == BH_IN ||
	       e->kind == BH_OUT || e->kind == IRQ_IN || e->kind == IRQ_OUT;
}

/*
 * Finds what is behind the records of an interrupt in the one list, and moves it
 * before them.
 */
static bool move_over(struct list *l, size_t at, const struct ev *want, bool want_lkst)
{
	struct ev e;
	size_t k;

	if (!interruptible(want) ||
	    (l->ev[at].kind != IRQ_IN && l->ev[at].kind != BH_IN &&
	     l->ev[at].kind != WAKEUP && l->ev[at].kind != SWITCH))
		return false;
	for (k = at + 1; k < l->nr && k < at + WINDOW; k++)
		if (want_lkst ? same(want, &l->ev[k]) : same(&l->ev[k], want))
			break;
	if (k >= l->nr || k >= at + WINDOW)
		return false;
	e = l->ev[k];
	memmove(&l->ev[at + 1], &l->ev[at], (k - at) * sizeof(e));
	l->ev[at] = e;
	return true;
}

static int compare(int cpu, struct list *l, struct list *f)
{
	size_t nr[NR_KINDS] = { 0 }, i, moved = 0;
	uint64_t far = 0;

	signalled = 0;

	for (i = 0; i < l->nr && i < f->nr; i++) {
		if (!same(&l->ev[i], &f->ev[i])) {
			if (move_over(f, i, &l->ev[i], true) ||
			    move_over(l, i, &f->ev[i], false))
				moved++;
			else
				break;
		}
		nr[l->ev[i].kind]++;
		if (l->ev[i].time > f->ev[i].time + far)
			far = l->ev[i].time - f->ev[i].time;
		else if (f->ev[i].time > l->ev[i].time + far)
			far = f->ev[i].time - l->ev[i].time;
	}
	printf("# cpu%d: %zu records alike, %zu moved over an interrupt, ", cpu, i,
	       moved);
	printf("%zu kept awake by a signal, at most %" PRIu64 " apart:", signalled, far);
	for (int k = 0; k < NR_KINDS; k++)
		printf(" %s %zu", kind_names[k], nr[k]);
	printf("\n");
	if (i == l->nr && i == f->nr)
		return moved * 50 > i || signalled * 50 > i;

	printf("# cpu%d: they part at %zu of %zu (LKST) and %zu (ftrace)\n", cpu, i,
	       l->nr, f->nr);
	for (size_t k = i > 3 ? i - 3 : 0; k < i + SHOWN; k++) {
		if (k < l->nr)
			print_ev(k == i ? "LKST  >" : "LKST   ", &l->ev[k]);
		if (k < f->nr)
			print_ev(k == i ? "ftrace>" : "ftrace ", &f->ev[k]);
	}
	return 1;
}

int main(int argc, char **argv)
{
	int cpu, cpus, bad = 0;
	uint64_t begin, end;

	if (argc != 5) {
		fprintf(stderr, "usage: lkst_compare DIR NR_CPUS BEGIN END\n");
		return 2;
	}
	cpus = atoi(argv[2]);
	begin = strtoull(argv[3], NULL, 0);
	end = strtoull(argv[4], NULL, 0);

	/* Names of tasks, too. */
	for (cpu = -1; cpu < cpus; cpu++)
		if (load_lkst(argv[1], cpu, task_record, NULL))
			return 1;
	qsort(tasks, nr_tasks, sizeof(*tasks), by_addr);

	for (cpu = 0; cpu < cpus; cpu++) {
		struct list l = { 0 }, f = { 0 };

		if (load_lkst(argv[1], cpu, lkst_record, &l) ||
		    load_ftrace(argv[1], cpu, &f))
			return 1;
		if (!cut(&l, &f, begin, end)) {
			printf("# cpu%d: no begin or no end\n", cpu);
			return 1;
		}
		bad |= compare(cpu, &l, &f);
		free(l.ev);
		free(f.ev);
	}
	return bad;
}
