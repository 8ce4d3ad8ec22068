// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds what LKST recorded against the tracepoints that mean the same, value by
 * value.
 *
 *	lkst_tracepoints DIR NR_CPUS BEGIN END ETYPES PAIRS
 *
 * DIR has lkst.N and ftrace.N for each CPU, ftrace's with the option "fields".
 * ETYPES is the file of that name. PAIRS is a list, a pair a line:
 *
 *	EVENT[+] TRACEPOINT [ARG=FIELD[:BITS]...] [if FIELD[!]=NUMBER]
 *
 * ARG is an argument of the event; FIELD one of the tracepoint, of which BITS are
 * compared. Several tracepoints may stand for one event. "if" takes only the
 * tracepoints with that value, or without it. With "+" the event is also where there is no
 * tracepoint: LKST may have records between those that both have.
 *
 * The comparison goes, on each CPU, from the call getpgid(BEGIN) to getpgid(END). A task
 * that was preempted by these between a tracepoint and its hook has one on each side.
 * An interrupt may come between a hook and its tracepoint, and brings its own
 * records in between. So the two are held against each other thread by thread,
 * and there context by context: within these, the order must be the same.
 */
#include <sys/syscall.h>

#include "lkst_ftrace.h"

#define MAX_PAIRS	256
#define MAX_FIELDS	4
#define WINDOW		512		/* records of one interrupt or switch, and all it nests */
#define SHOWN		3		/* differences told of */

struct field {
	unsigned int arg;
	uint64_t mask;
	char name[64];
};

struct pair {
	unsigned int event;
	char event_name[64];
	char tracepoint[64];
	unsigned int nr_fields;
	struct field field[MAX_FIELDS];
	char if_name[64];
	bool if_not;
	uint64_t if_value;
	bool more;			/* LKST may have more of them */
	size_t alike;
};

/* A record of either, as the fields of its pair have it. */
struct rec {
	unsigned int event;
	unsigned int context;
	uint32_t thread;
	size_t order;
	const struct pair *pair;	/* of ftrace's: which it is */
	uint64_t value[MAX_FIELDS];
	uint64_t time;
	bool used;			/* has its partner in the other list */
	bool later;			/* of those outside: behind the end */
};

struct list {
	struct rec *rec;
	size_t nr, size;
	struct tokens tokens;
};

#define CALL	0x10000			/* events of our own: the tokens */
#define RETURN	0x10001

static struct pair pairs[MAX_PAIRS];
static size_t nr_pairs;

static int cpu;				/* whose records are being read */

#define IDLE	0x80000000		/* and the CPU's number */

/* Each CPU has an idle task, and they all have the PID 0. */
static uint32_t thread_of(uint32_t pid)
{
	return pid ? pid : IDLE | cpu;
}

static void add(struct list *l, const struct rec *r)
{
	if (l->nr == l->size) {
		l->size = l->size ? l->size * 2 : 65536;
		l->rec = realloc(l->rec, l->size * sizeof(*l->rec));
		if (!l->rec)
			abort();
	}
	if (r->event == CALL)
		token_call(&l->tokens, r->value[0], l->nr);
	else if (r->event == RETURN)
		token_return(&l->tokens, l->nr);
	l->rec[l->nr] = *r;
	l->rec[l->nr].order = l->nr;
	l->nr++;
}

/* === What is compared === */

static char *read_text(const char *path)
{
	static const size_t size = 1 << 20;
	char *text = malloc(size);
	FILE *f = fopen(path, "r");
	size_t len;

	if (!f || !text) {
		printf("# %s: %s\n", path, strerror(errno));
		exit(2);
	}
	len = fread(text, 1, size - 1, f);
	text[len] = 0;
	fclose(f);
	return text;
}

/* Finds the event, and of its arguments that called arg; -1 if there is none. */
static int find_arg(const char *event, const char *arg, unsigned int *id)
{
	const struct raw_event *e;
	unsigned int i;

	for (*id = 0; *id <= LKST_STAMP_EVENT_MASK; ++*id) {
		e = &raw_events[*id];
		if (strcmp(e->name, event))
			continue;
		if (!arg)
			return 0;
		for (i = 0; i < e->nargs; i++)
			if (!strcmp(e->arg[i].name, arg))
				return i;
		return -1;
	}
	return -1;
}

static void bad_pair(const char *what, const char *word)
{
	printf("# the list of pairs: %s: %s\n", what, word);
	exit(2);
}

static void parse_field(struct pair *p, char *word)
{
	struct field *f = &p->field[p->nr_fields++];
	char *equal = strchr(word, '='), *colon;
	unsigned int bits;
	int arg;

	if (!equal || p->nr_fields > MAX_FIELDS)
		bad_pair("not ARG=FIELD", word);
	*equal++ = 0;
	f->mask = ~0ULL;
	colon = strchr(equal, ':');
	if (colon) {
		*colon++ = 0;
		bits = atoi(colon);
		if (bits < 1 || bits > 63)
			bad_pair("not a number of bits", colon);
		f->mask = (1ULL << bits) - 1;
	}
	arg = find_arg(p->event_name, word, &p->event);
	if (arg < 0)
		bad_pair("no such argument", word);
	f->arg = arg;
	snprintf(f->name, sizeof(f->name), " %s=", equal);
}

static void parse_pairs(char *text)
{
	char *line, *word, *save, *save_word;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct pair *p = &pairs[nr_pairs];

		word = strtok_r(line, " \t", &save_word);
		if (!word || *word == '#')
			continue;
		if (++nr_pairs > MAX_PAIRS)
			bad_pair("too many", word);
		snprintf(p->event_name, sizeof(p->event_name), "%s", word);
		p->more = word[strlen(word) - 1] == '+';
		if (p->more)
			p->event_name[strlen(word) - 1] = 0;
		if (find_arg(p->event_name, NULL, &p->event))
			bad_pair("no such event", word);
		word = strtok_r(NULL, " \t", &save_word);
		if (!word || !strchr(word, ':'))
			bad_pair("no tracepoint", p->event_name);
		snprintf(p->tracepoint, sizeof(p->tracepoint), "%s", strchr(word, ':') + 1);
		while ((word = strtok_r(NULL, " \t", &save_word))) {
			if (strcmp(word, "if")) {
				parse_field(p, word);
				continue;
			}
			word = strtok_r(NULL, "=", &save_word);
			if (!word || !*save_word)
				bad_pair("not if FIELD[!]=NUMBER", p->event_name);
			p->if_not = word[strlen(word) - 1] == '!';
			if (p->if_not)
				word[strlen(word) - 1] = 0;
			snprintf(p->if_name, sizeof(p->if_name), " %s=", word);
			p->if_value = strtoull(save_word, NULL, 0);
			break;
		}
	}
}

/* === LKST === */

static unsigned int lkst_context(unsigned int flags)
{
	if (flags & LKST_FLAG_NMI)
		return 3;
	return flags & LKST_FLAG_HARDIRQ ? 2 : flags & LKST_FLAG_SOFTIRQ ? 1 : 0;
}

static void lkst_record(const struct lkst_block *b, const struct raw_rec *r, void *data)
{
	struct rec rec = {
		.event = r->event,
		.context = lkst_context(r->flags),
		.thread = thread_of(r->pid),
		.time = r->time,
	};
	unsigned int j;
	size_t i;

	if ((r->event == EV_SYSCALL_ENTRY || r->event == EV_SYSCALL_EXIT) &&
	    r->arg[0] == SYS_getpgid) {
		rec.event = r->event == EV_SYSCALL_ENTRY ? CALL : RETURN;
		rec.value[0] = r->arg[1];
		add(data, &rec);
		return;
	}
	/* The values as they came: which tracepoint it goes with is not known yet. */
	for (i = 0; i < nr_pairs; i++)
		if (pairs[i].event == r->event) {
			for (j = 0; j < r->nargs && j < MAX_FIELDS; j++)
				rec.value[j] = raw_arg(r, j);
			add(data, &rec);
			return;
		}
}

/* === ftrace === */

static bool field_value(const char *rest, const char *name, uint64_t *value)
{
	const char *p = strstr(rest, name);

	if (!p)
		return false;
	p += strlen(name);
	/* A byte is 'c'(99), or (99) if it is no letter. */
	if (*p == '\'' && p[1])
		p += 3;
	p += *p == '(';
	*value = strtoull(p, NULL, 0);
	return *p == '0' || *value;
}

static unsigned int ftrace_context(char c)
{
	switch (c) {
	case 'z':
	case 'Z':
		return 3;
	case 'h':
	case 'H':
		return 2;
	case 's':
		return 1;
	default:
		return 0;
	}
}

static int ftrace_line(char *line, struct list *list)
{
	struct ftrace_line l;
	uint64_t value;
	size_t i, j;

	if (!ftrace_parse(line, &l))
		return 0;

	struct rec rec = {
		.context = ftrace_context(l.context),
		.thread = thread_of(l.pid),
		.time = l.time,
	};

	if (!strcmp(l.name, "sys_enter_getpgid") || !strcmp(l.name, "sys_exit_getpgid")) {
		rec.event = l.name[5] == 'n' ? CALL : RETURN;
		field_value(l.rest, " pid=", &rec.value[0]);
		rec.value[0] &= 0xffffffff;
		add(list, &rec);
		return 0;
	}
	for (i = 0; i < nr_pairs; i++) {
		const struct pair *p = &pairs[i];

		if (strcmp(l.name, p->tracepoint))
			continue;
		if (*p->if_name && (!field_value(l.rest, p->if_name, &value) ||
				    (value == p->if_value) == p->if_not))
			continue;
		rec.event = p->event;
		rec.pair = p;
		for (j = 0; j < p->nr_fields; j++) {
			if (!field_value(l.rest, p->field[j].name, &rec.value[j])) {
				printf("# %s has no number%s in:%s\n", l.name,
				       p->field[j].name, l.rest);
				return -1;
			}
		}
		add(list, &rec);
		return 0;
	}
	return 0;
}

static int load_ftrace(const char *dir, struct list *list)
{
	char *line, *save = NULL, *buf;
	size_t len;

	buf = read_file(dir, "ftrace", cpu, &len);
	if (!buf)
		return -1;
	for (line = strtok_r(buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "LOST") && strstr(line, "EVENTS")) {
			printf("# ftrace.%d lost events\n", cpu);
			return -1;
		}
		if (*line != '#' && ftrace_line(line, list))
			return -1;
	}
	free(buf);
	return 0;
}

/* === Comparison === */

static int thread_cmp(const struct rec *a, const struct rec *b)
{
	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->context != b->context)
		return a->context < b->context ? -1 : 1;
	return 0;
}

static int by_thread(const void *x, const void *y)
{
	const struct rec *a = x, *b = y;

	if (thread_cmp(a, b))
		return thread_cmp(a, b);
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool same_values(const struct rec *l, const struct rec *f)
{
	unsigned int i;

	for (i = 0; i < f->pair->nr_fields; i++) {
		const struct field *field = &f->pair->field[i];

		if ((l->value[field->arg] ^ f->value[i]) & field->mask)
			return false;
	}
	return true;
}

static const char *event_name(unsigned int event)
{
	size_t i;

	for (i = 0; i < nr_pairs; i++)
		if (pairs[i].event == event)
			return pairs[i].event_name;
	return "getpgid()";
}

static void print_rec(const char *who, const struct rec *r)
{
	static const char contexts[] = { 't', 's', 'h', 'n' };
	unsigned int i;

	printf("#   %s %s %s %u %c %" PRIu64 ":", who,
	       r->pair ? r->pair->tracepoint : event_name(r->event),
	       r->thread & IDLE ? "idle task" : "pid", r->thread & ~IDLE,
	       contexts[r->context], r->time);
	for (i = 0; i < MAX_FIELDS; i++)
		printf(" 0x%" PRIx64, r->value[i]);
	printf("\n");
}

static bool may_be_more(unsigned int event)
{
	size_t i;

	for (i = 0; i < nr_pairs; i++)
		if (pairs[i].event == event && pairs[i].more)
			return true;
	return false;
}

static size_t told;

static void tell(const char *who, const struct rec *r)
{
	if (told++ < SHOWN) {
		printf("# only %s has\n", who);
		print_rec(who, r);
	}
}

/*
 * Has @r, which is between the calls, its partner among the @outside ones? Of those of its
 * thread that have none there, it is the one next to the calls.
 */
static bool is_cut(const struct rec *r, struct list *outside)
{
	struct rec *near[2] = { NULL, NULL }, *o;
	size_t i;

	for (i = 0; i < outside->nr; i++) {
		o = &outside->rec[i];
		if (thread_cmp(o, r) || o->used)
			continue;
		if (!near[o->later] || (o->time < near[o->later]->time) == o->later)
			near[o->later] = o;
	}
	for (i = 0; i < 2; i++) {
		o = near[i];
		if (o && (r->pair ? same_values(o, r) : same_values(r, o))) {
			o->used = true;
			return true;
		}
	}
	return false;
}

/*
 * Each record of ftrace's is one of LKST's, of the same thread and context, and the
 * other way round but for events that may be more.
 *
 * The order is the same, too, but where a task is preempted between a tracepoint and
 * its hook: what the scheduler does in its name then (the debug kernel fills its pool
 * of objects there) is between the two. Returns how many these are. All CPUs are taken
 * together, as the task may go on with the one on another CPU than it had the other.
 */
static size_t match(struct list *l, struct list *f)
{
	size_t moved = 0, first = 0, last = 0, i, j;

	qsort(l->rec, l->nr, sizeof(*l->rec), by_thread);
	qsort(f->rec, f->nr, sizeof(*f->rec), by_thread);
	for (j = 0; j < f->nr; j++) {
		struct rec *r = &f->rec[j];

		while (first < l->nr &&
		       (l->rec[first].used || thread_cmp(&l->rec[first], r) < 0))
			first++;
		/* Not further back than what comes between two hooks. */
		i = last > first + WINDOW ? last - WINDOW : first;
		for (; i < l->nr && !thread_cmp(&l->rec[i], r); i++)
			if (!l->rec[i].used && (r->event >= CALL || same_values(&l->rec[i], r)))
				break;
		if (i == l->nr || thread_cmp(&l->rec[i], r))
			continue;
		l->rec[i].used = true;
		r->used = true;
		moved += i < last;
		last = i;
	}
	return moved;
}

/* How many have no partner, neither in the other list nor, at the cut, @outside of it. */
static size_t differing(const struct list *list, struct list *outside, const char *who,
			size_t *cut)
{
	size_t bad = 0, i;

	for (i = 0; i < list->nr; i++) {
		const struct rec *r = &list->rec[i];

		if (r->used) {
			if (r->pair)
				((struct pair *)r->pair)->alike++;
		} else if (!r->pair && may_be_more(r->event)) {
			continue;
		} else if (r->event < CALL && is_cut(r, outside)) {
			++*cut;
		} else {
			bad++;
			tell(who, r);
		}
	}
	return bad;
}

static void add_part(const struct list *from, size_t begin, size_t end, struct list *inside,
		     struct list *outside)
{
	size_t i;

	for (i = 0; i < from->nr; i++) {
		struct rec r = from->rec[i];

		r.later = i > end;
		add(i < begin || i > end ? outside : inside, &r);
	}
}

int main(int argc, char **argv)
{
	uint64_t begin, end;
	struct list all_l = { 0 }, all_f = { 0 }, outside_l = { 0 }, outside_f = { 0 };
	size_t bad, moved, cut = 0, i;
	int cpus;

	if (argc != 7) {
		fprintf(stderr,
			"usage: lkst_tracepoints DIR NR_CPUS BEGIN END ETYPES PAIRS\n");
		return 2;
	}
	cpus = atoi(argv[2]);
	begin = strtoull(argv[3], NULL, 0);
	end = strtoull(argv[4], NULL, 0);
	if (!raw_load_types(argv[5]))
		bad_pair("cannot be read", argv[5]);
	parse_pairs(read_text(argv[6]));

	for (cpu = 0; cpu < cpus; cpu++) {
		struct list l = { 0 }, f = { 0 };
		size_t from_l, from_f, to_l, to_f;

		if (load_lkst(argv[1], cpu, lkst_record, &l) ||
		    load_ftrace(argv[1], &f))
			return 1;
		if (!token_quiet(&l.tokens, &f.tokens, begin, &from_l, &from_f) ||
		    !token_quiet(&l.tokens, &f.tokens, end, &to_l, &to_f)) {
			printf("# cpu%d: no begin or no end\n", cpu);
			return 1;
		}
		add_part(&l, from_l, to_l, &all_l, &outside_l);
		add_part(&f, from_f, to_f, &all_f, &outside_f);
		free(l.rec);
		free(f.rec);
	}
	moved = match(&all_l, &all_f);
	match(&outside_l, &outside_f);
	bad = differing(&all_f, &outside_l, "ftrace", &cut) +
		differing(&all_l, &outside_f, "LKST", &cut);
	for (i = 0; i < nr_pairs; i++)
		printf("%s %s %zu\n", pairs[i].event_name, pairs[i].tracepoint,
		       pairs[i].alike);
	printf("# %zu of %zu differ, %zu at the ends, %zu moved\n", bad, all_f.nr, cut, moved);
	return bad > 0 || moved * 50 > all_f.nr;
}
