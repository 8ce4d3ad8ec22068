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

#endif /* LKST_FTRACE_H */
