/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine that was made up, for genlog: four CPUs, threads that run, are preempted, sleep,
 * are woken, fork and exit, as a random generator with the seed -n says, and numbers that are
 * given out again. With -x, what is true of each number: "PID RUNNING READY BLOCKED" in
 * nanoseconds, and "event ID RECORDS"; counted while it happens, not from records.
 */
#define SIM_CPUS	4
#define SIM_TASKS	24
/* A PID is taken again soon. */
#define SIM_PIDS	16
#define SIM_STEPS	4000
/* Of a block. */
#define SIM_RECORDS	24

enum sim_state { SIM_NONE, SIM_RUNNING, SIM_READY, SIM_BLOCKED };

static struct sim_task {
	enum sim_state state;
	unsigned int pid;
	uint64_t since;
} sim_task[SIM_TASKS];

/* Task struct n is free, or of the thread that has it. Of idle CPUs: -1. */
static int sim_on[SIM_CPUS];
static uint64_t sim_sum[SIM_PIDS][4], sim_events[32], sim_now, sim_random;

/* What each CPU recorded. */
static struct sim_record {
	uint64_t time, a, b, c;
	unsigned int event, pid;
} *sim_record[SIM_CPUS];
static size_t sim_records[SIM_CPUS];

static unsigned int sim_choose(unsigned int n)
{
	sim_random = sim_random * 6364136223846793005ULL + 1442695040888963407ULL;
	return (sim_random >> 33) % n;
}

static void sim_write(int cpu, unsigned int event, unsigned int pid, uint64_t a, uint64_t b,
		      uint64_t c)
{
	struct sim_record *r;

	if (sim_records[cpu] % 1024 == 0)
		sim_record[cpu] = realloc(sim_record[cpu],
					  (sim_records[cpu] + 1024) * sizeof(*r));
	if (!sim_record[cpu])
		exit(1);
	r = &sim_record[cpu][sim_records[cpu]++];
	*r = (struct sim_record){ sim_now, a, b, c, event, pid };
	if (event < 32)
		sim_events[event]++;
}

static unsigned int sim_pid(int n)
{
	return n < 0 ? 0 : sim_task[n].pid;
}

static uint64_t sim_addr(int n, int cpu)
{
	return n < 0 ? task(100 + cpu) : task(n);
}

static void sim_enter(int n, enum sim_state state)
{
	struct sim_task *t = &sim_task[n];

	if (t->state)
		sim_sum[t->pid - 1000][t->state] += (sim_now - t->since) / 2;
	t->state = state;
	t->since = sim_now;
}

/* One of the threads in a state, or -1. */
static int sim_any(enum sim_state state)
{
	int start = sim_choose(SIM_TASKS), i, n;

	for (i = 0; i < SIM_TASKS; i++) {
		n = (start + i) % SIM_TASKS;
		if (sim_task[n].state == state)
			return n;
	}
	return -1;
}

static void sim_switch(int cpu, enum sim_state left, unsigned int state)
{
	int prev = sim_on[cpu], next = sim_any(SIM_READY);

	if (prev < 0 && next < 0)
		return;
	sim_write(cpu, 1, sim_pid(prev), sim_addr(prev, cpu), sim_addr(next, cpu), state);
	if (prev >= 0)
		sim_enter(prev, left);
	if (next >= 0)
		sim_enter(next, SIM_RUNNING);
	sim_on[cpu] = next;
}

static void sim_fork(int cpu)
{
	int n = sim_any(SIM_NONE), i, used;
	unsigned int pid = 1000 + sim_choose(SIM_PIDS), tries;

	for (tries = 0, used = 1; used && tries < SIM_PIDS; tries++) {
		pid = 1000 + (pid - 1000 + 1) % SIM_PIDS;
		for (i = 0, used = 0; i < SIM_TASKS; i++)
			used |= sim_task[i].state && sim_task[i].pid == pid;
	}
	if (n < 0 || used || sim_on[cpu] < 0)
		return;
	sim_write(cpu, 5, sim_pid(sim_on[cpu]), task(n), pid, pid);
	sim_write(cpu, 21, sim_pid(sim_on[cpu]), task(n), cpu, 0);
	sim_task[n].pid = pid;
	sim_enter(n, SIM_READY);
}

static void sim_wake(int cpu)
{
	int n = sim_any(SIM_BLOCKED);

	if (n < 0)
		return;
	sim_write(cpu, 2, sim_pid(sim_on[cpu]), task(n), 0, 0);
	sim_enter(n, SIM_READY);
}

static void sim_exit(int cpu)
{
	if (sim_on[cpu] < 0)
		return;
	sim_write(cpu, 7, sim_pid(sim_on[cpu]), task(sim_on[cpu]), 0, 0);
	sim_now += 2 * US;
	sim_switch(cpu, SIM_NONE, 0x80);
}

static void sim_step(void)
{
	int cpu = sim_choose(SIM_CPUS);

	sim_now += 2 * (1 + sim_choose(50000));
	switch (sim_choose(16)) {
	case 0:
		sim_fork(cpu);
		break;
	case 1:
		if (!sim_choose(3))
			sim_exit(cpu);
		break;
	case 2: case 3: case 4: case 5:
		sim_wake(cpu);
		break;
	case 6: case 7: case 8:
		sim_switch(cpu, SIM_READY, 0);
		break;
	case 9: case 10: case 11:
		sim_switch(cpu, SIM_BLOCKED, 1 + sim_choose(2));
		break;
	default:
		sim_write(cpu, 8, sim_pid(sim_on[cpu]), sim_choose(300), 0, 0);
		break;
	}
}

static void sim_blocks(int cpu)
{
	const struct sim_record *r = sim_record[cpu], *last = r + sim_records[cpu];
	uint64_t seq = 0, first = 0, opened = T0;

	while (r < last) {
		block_begin(cpu, "main", ++seq, first, 0, opened);
		do {
			if (r->event == 8)
				record(r->time, 8, r->pid, 0, "wlll", r->a, A(0), A(0), A(0));
			else if (r->event == 1)
				record(r->time, 1, r->pid, 8, "llw", r->a, r->b, r->c);
			else if (r->event == 5)
				record(r->time, 5, r->pid, 0, "lww", r->a, r->b, r->c);
			else if (r->event == 21)
				record(r->time, 21, r->pid, 0, "lw", r->a, r->b);
			else if (r->event == 7)
				record(r->time, 7, r->pid, 0, "lw", r->a, r->b);
			else
				record(r->time, 2, r->pid, 1, "l", r->a);
			opened = r->time;
			r++;
		} while (r < last && count < SIM_RECORDS);
		first += count;
		block_end();
	}
}

static void sim_truth(void)
{
	unsigned int i;

	for (i = 0; i < SIM_PIDS; i++) {
		printf("%u %llu %llu %llu\n", 1000 + i, (unsigned long long)sim_sum[i][SIM_RUNNING],
		       (unsigned long long)sim_sum[i][SIM_READY],
		       (unsigned long long)sim_sum[i][SIM_BLOCKED]);
	}
	for (i = 0; i < 32; i++) {
		if (sim_events[i])
			printf("event %u %llu\n", i, (unsigned long long)sim_events[i]);
	}
}

static void sim(void)
{
	int cpu, n;

	sim_random = number;
	sim_now = T0;
	for (n = 0; n < SIM_PIDS - 2; n++) {
		sim_task[n].pid = 1000 + n;
		sim_enter(n, n < SIM_CPUS ? SIM_RUNNING : n % 2 ? SIM_READY : SIM_BLOCKED);
	}
	for (cpu = 0; cpu < SIM_CPUS; cpu++) {
		sim_on[cpu] = cpu;
		sim_write(cpu, 8, sim_pid(cpu), 39, 0, 0);
	}
	for (n = 0; n < SIM_STEPS; n++)
		sim_step();
	sim_now += US;
	for (cpu = 0; cpu < SIM_CPUS; cpu++)
		sim_write(cpu, 8, sim_pid(sim_on[cpu]), 39, 0, 0);
	for (n = 0; n < SIM_TASKS; n++) {
		if (sim_task[n].state)
			sim_enter(n, sim_task[n].state);
	}
	if (expect) {
		sim_truth();
		return;
	}
	head();
	text(2, etypes);
	begin(3);
	clock_sample(0, T0, MONO0);
	clock_sample(0, sim_now, MONO0 + (sim_now - T0) / 2);
	end();
	/* Those that were there: known by their names. */
	block_begin(0xffffffff, "names", 1, 0, 0, T0);
	for (n = 0; n < SIM_PIDS - 2; n++)
		record_comm(T0, 1015, 1, task(n), TID(1000 + n, 1000 + n), "sim");
	block_end();
	for (cpu = 0; cpu < SIM_CPUS; cpu++)
		sim_blocks(cpu);
	finish();
}
