/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads what a case recorded with LKST and with ftrace, from files: for each CPU
 * N lkst.N, what its trace_raw gave, and ftrace.N, the text of ftrace's
 * per_cpu/cpuN/trace.
 */
#ifndef LKST_FTRACE_H
#define LKST_FTRACE_H

#include <ctype.h>
#include <inttypes.h>

#include "lkst_raw.h"

static inline char *read_file(const char *dir, const char *name, int cpu, size_t *len)
{
	char path[512];
	size_t size = 1 << 20;
	char *buf = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.%d", dir, name, cpu);
	f = fopen(path, "r");
	if (!f) {
		printf("# %s: %s\n", path, strerror(errno));
		return NULL;
	}
	*len = 0;
	for (;;) {
		size_t got;

		size *= 2;
		buf = realloc(buf, size + 1);
		if (!buf)
			abort();
		got = fread(buf + *len, 1, size - *len, f);
		*len += got;
		if (*len < size)
			break;
	}
	buf[*len] = 0;
	fclose(f);
	return buf;
}

/* Calls fn for every record; returns -1, having said why, if any is missing. */
static inline int load_lkst(const char *dir, int cpu, raw_fn fn, void *data)
{
	uint64_t next = 0;
	size_t len, pos = 0;
	char *buf = read_file(dir, "lkst", cpu, &len);

	if (!buf)
		return -1;
	while (pos < len) {
		const struct lkst_block *b = (const void *)(buf + pos);
		const char *err = raw_check(b, len - pos);

		if (!err && pos && b->first != next)
			err = "records are missing";
		if (!err && b->lost)
			err = "records were lost";
		if (!err)
			err = raw_walk(b, fn, data);
		if (err) {
			printf("# lkst.%d at %zu: %s\n", cpu, pos, err);
			return -1;
		}
		next = b->first + raw_count(b);
		pos += raw_bytes(b);
	}
	free(buf);
	return 0;
}

/* A line of ftrace: who was running, in what context, when, what. */
struct ftrace_line {
	uint32_t pid;
	char context;			/* of its flags: . s h H z Z */
	uint64_t time;
	const char *name;
	const char *rest;
};

/* Takes a line apart; returns false if it is none of an event. */
static inline bool ftrace_parse(char *line, struct ftrace_line *l)
{
	char *p, *q, *end;
	uint64_t frac;

	/* "comm-PID   [CPU] flags TIME: name: rest"; a comm may hold anything. */
	for (p = line; (p = strstr(p, " ["));  p++)
		if (isdigit(p[2]) && isdigit(p[3]) && isdigit(p[4]) && p[5] == ']')
			break;
	if (!p)
		return false;
	for (q = p; q > line && *q == ' '; q--)
		;
	while (q > line && isdigit(q[-1]))
		q--;
	l->pid = strtoul(q, NULL, 10);
	p += 6;
	p += strspn(p, " ");
	l->context = p[0] && p[1] ? p[2] : 0;
	p += strcspn(p, " ");
	/* "SECONDS.MICROSECONDS:" or, with a raw clock, "COUNT:" */
	l->time = strtoull(p, &p, 10);
	if (*p == '.') {
		frac = strtoull(p + 1, &q, 10);
		for (p++; q - p < 9; p--)
			frac *= 10;
		p = q;
		l->time = l->time * 1000000000 + frac;
	}
	if (strncmp(p, ": ", 2))
		return false;
	l->name = p + 2;
	end = strchr(p + 2, ':');
	if (!end)
		return false;
	*end = 0;
	l->rest = end + 1;
	return true;
}

/* === From where to where === */

/* A call of getpgid() in a list: its argument, and where it is. */
struct token {
	uint32_t value;
	bool quiet;			/* its return is the next of the list */
	size_t at;
};

struct tokens {
	struct token *token;
	size_t nr, size;
};

static inline void token_call(struct tokens *t, uint32_t value, size_t at)
{
	if (t->nr == t->size) {
		t->size = t->size ? t->size * 2 : 16;
		t->token = realloc(t->token, t->size * sizeof(*t->token));
		if (!t->token)
			abort();
	}
	t->token[t->nr++] = (struct token){ .value = value, .at = at };
}

static inline void token_return(struct tokens *t, size_t at)
{
	if (t->nr && t->token[t->nr - 1].at + 1 == at)
		t->token[t->nr - 1].quiet = true;
}

/* The nth call with this argument; NULL if there is none. */
static inline const struct token *token_find(const struct tokens *t, uint32_t value,
					     unsigned int n)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->token[i].value == value && !n--)
			return &t->token[i];
	return NULL;
}

/*
 * The first of these calls with nothing between it and its return in both: no interrupt
 * came between the hooks, so that the cut goes through the same place of both lists.
 */
static inline bool token_quiet(const struct tokens *l, const struct tokens *f, uint32_t value,
			       size_t *in_l, size_t *in_f)
{
	const struct token *a, *b;
	unsigned int n;

	for (n = 0;; n++) {
		a = token_find(l, value, n);
		b = token_find(f, value, n);
		if (!a || !b)
			return false;
		if (a->quiet && b->quiet)
			break;
	}
	*in_l = a->at;
	*in_f = b->at;
	return true;
}

#endif /* LKST_FTRACE_H */
