/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine that was made up, for genlog: four CPUs, threads that run, are preempted, sleep,
 * are woken, fork and exit, as a random generator with the seed -n says, and numbers that are
 * given out again. With -x, what is true of each number: "PID RUNNING READY BLOCKED" in
 * nanoseconds, and "event ID RECORDS"; counted while it happens, not from records.
 *
 * In sim_parts there are system calls, page faults, interrupts and softirqs, too, and threads
 * say for what they are about to sleep; then also "part PID STATE PART NANOSECONDS". What
 * the log does not tell of the time before it is none of these; and "irq KIND COUNT NANOSECONDS".
 * sim_entries has no exits of calls and faults, and sim_switchless no switches, as a maskset
 * may have it. sim_live is sim as "lkstbuf read -w" writes it.
 */
#define SIM_CPUS	4
#define SIM_TASKS	24
/* A PID is taken again soon. */
#define SIM_PIDS	16
#define SIM_STEPS	4000
/* Of a block. */
#define SIM_RECORDS	24

enum sim_state { SIM_NONE, SIM_RUNNING, SIM_READY, SIM_BLOCKED };

enum sim_part {
	SIM_USER, SIM_SYSTEM, SIM_EXCEPTION, SIM_IRQ, SIM_SOFTIRQ, SIM_NEW, SIM_WOKEN,
	SIM_PREEMPTED, SIM_PIPE, SIM_FUTEX, SIM_TIMER, SIM_OTHER, SIM_BEFORE, SIM_PARTS,
};

static const char *const sim_part_names[] = {
	"running user", "running system", "running exception", "interrupted irq",
	"interrupted softirq", "ready new", "ready woken", "ready preempted", "blocked pipe",
	"blocked futex", "blocked timer",
};

#define SIM_READ	0
#define SIM_FUTEX_CALL	202
#define SIM_NANOSLEEP	35
#define SIM_GETPID	39
#define SIM_NO_CALL	(-1)

static struct sim_task {
	enum sim_state state;
	unsigned int pid;
	uint64_t since;
	/* Its system call, the page faults in it; what it said it would wait for. */
	int call, faults, said, on;
	/* Why it is ready, or blocked; up to when its parts are counted. */
	enum sim_part why;
	uint64_t counted;
} sim_task[SIM_TASKS];

static int sim_deep, sim_exits = 1, sim_switches = 1;
/* Flags of the softirq, and of the interrupt, that a CPU is in. */
static unsigned int sim_soft[SIM_CPUS], sim_hard[SIM_CPUS];
static uint64_t sim_part_sum[SIM_PIDS][SIM_PARTS];
/* Softirqs, and interrupts: since when on a CPU, how many, for how long. */
static uint64_t sim_entered[2][SIM_CPUS], sim_count_of[2], sim_time_of[2];

/* Task struct n is free, or of the thread that has it. Of idle CPUs: -1. */
static int sim_on[SIM_CPUS];
static uint64_t sim_sum[SIM_PIDS][4], sim_events[256], sim_now, sim_random;

/* What each CPU recorded. */
static struct sim_record {
	uint64_t time, a, b, c;
	unsigned int event, pid, flags;
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

	if (event == 1 && !sim_switches)
		return;
	if (sim_records[cpu] % 1024 == 0)
		sim_record[cpu] = realloc(sim_record[cpu],
					  (sim_records[cpu] + 1024) * sizeof(*r));
	if (!sim_record[cpu])
		exit(1);
	r = &sim_record[cpu][sim_records[cpu]++];
	*r = (struct sim_record){ sim_now, a, b, c, event, pid,
				  event == 1 ? 8 : sim_soft[cpu] | sim_hard[cpu] };
	if (event < 256)
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

static enum sim_part sim_part_of(const struct sim_task *t)
{
	if (t->state != SIM_RUNNING)
		return t->why;
	if (sim_hard[t->on])
		return SIM_IRQ;
	if (sim_soft[t->on])
		return SIM_SOFTIRQ;
	return t->faults ? SIM_EXCEPTION : t->call == SIM_NO_CALL ? SIM_USER : SIM_SYSTEM;
}

/* Counts what it did so far; before anything of that changes. */
static void sim_count(int n)
{
	struct sim_task *t = n < 0 ? NULL : &sim_task[n];

	if (t && t->state)
		sim_part_sum[t->pid - 1000][sim_part_of(t)] += (sim_now - t->counted) / 2;
	if (t)
		t->counted = sim_now;
}

static void sim_enter(int n, enum sim_state state)
{
	struct sim_task *t = &sim_task[n];

	sim_count(n);
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
	if (prev >= 0) {
		sim_enter(prev, left);
		if (left == SIM_READY)
			sim_task[prev].why = SIM_PREEMPTED;
	}
	if (next >= 0) {
		sim_enter(next, SIM_RUNNING);
		sim_task[next].on = cpu;
	}
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
	sim_task[n].why = SIM_NEW;
	sim_task[n].call = SIM_GETPID;
	sim_task[n].faults = 0;
	sim_task[n].said = 0;
}

static void sim_wake(int cpu)
{
	int n = sim_any(SIM_BLOCKED);

	if (n < 0)
		return;
	sim_write(cpu, 2, sim_pid(sim_on[cpu]), task(n), 0, 0);
	sim_enter(n, SIM_READY);
	sim_task[n].why = SIM_WOKEN;
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

/* === In parts === */

static void sim_interrupt(int cpu, int hard, int enter)
{
	unsigned int *in = hard ? &sim_hard[cpu] : &sim_soft[cpu];

	sim_count(sim_on[cpu]);
	if (enter)
		*in = hard ? HARD : SOFT;
	sim_write(cpu, (hard ? 33 : 16) + !enter, sim_pid(sim_on[cpu]), hard ? 0xec : 1, 0, 0);
	if (enter) {
		sim_entered[hard][cpu] = sim_now;
		return;
	}
	*in = 0;
	sim_count_of[hard]++;
	sim_time_of[hard] += (sim_now - sim_entered[hard][cpu]) / 2;
}

static void sim_in_interrupt(int cpu)
{
	switch (sim_choose(4)) {
	case 0:
		sim_wake(cpu);
		break;
	case 1:
		if (!sim_hard[cpu])
			sim_interrupt(cpu, 1, 1);
		break;
	default:
		sim_interrupt(cpu, sim_hard[cpu] != 0, 0);
		break;
	}
}

static void sim_fault(int cpu, struct sim_task *t, int enter)
{
	sim_count(t - sim_task);
	t->faults += enter ? 1 : -1;
	if (enter || sim_exits)
		sim_write(cpu, enter ? 165 : 166, t->pid, 1, 2, 3);
}

static void sim_call(int cpu, struct sim_task *t)
{
	static const int calls[] = { SIM_READ, SIM_FUTEX_CALL, SIM_NANOSLEEP, SIM_GETPID };

	sim_count(t - sim_task);
	if (t->call != SIM_NO_CALL) {
		if (sim_exits)
			sim_write(cpu, 9, t->pid, t->call, 0, 0);
		t->call = SIM_NO_CALL;
		return;
	}
	t->call = calls[sim_choose(4)];
	t->said = 0;
	sim_write(cpu, 8, t->pid, t->call, 0, 0);
}

static void sim_sleep_for(int cpu, struct sim_task *t, enum sim_part why, unsigned int state)
{
	/* It may get it before it sleeps: then it does not wait for that any more. */
	if (why != SIM_OTHER && !sim_choose(4)) {
		t->said = -1;
		return;
	}
	sim_now += 2 * US;
	sim_switch(cpu, SIM_BLOCKED, state);
	t->why = why;
}

static void sim_sleep(int cpu, struct sim_task *t)
{
	if (t->faults || t->said < 0) {
		sim_sleep_for(cpu, t, SIM_OTHER, 2);
	} else if (t->call == SIM_READ) {
		/* Having slept, it sleeps again for the same. */
		if (!t->said++)
			sim_write(cpu, 86, t->pid, task(80), 0, 0);
		sim_sleep_for(cpu, t, SIM_PIPE, 1);
	} else if (t->call == SIM_FUTEX_CALL) {
		sim_write(cpu, 125, t->pid, 0x1000, 0, 0);
		sim_sleep_for(cpu, t, SIM_FUTEX, 1);
	} else if (t->call == SIM_NANOSLEEP) {
		sim_sleep_for(cpu, t, SIM_TIMER, 1);
	} else {
		sim_sleep_for(cpu, t, SIM_OTHER, 1 + sim_choose(2));
	}
}

static void sim_in_thread(int cpu, struct sim_task *t)
{
	unsigned int dice = sim_choose(8);

	if (t->faults && dice < 5)
		sim_fault(cpu, t, 0);
	else if (t->faults)
		sim_sleep(cpu, t);
	else if (dice == 0)
		sim_fault(cpu, t, 1);
	else if (t->call == SIM_NO_CALL || dice < 3)
		sim_call(cpu, t);
	else if (dice == 3)
		sim_fork(cpu);
	else if (dice == 4 && !sim_choose(4))
		sim_exit(cpu);
	else if (dice > 4)
		sim_sleep(cpu, t);
}

static void sim_deep_step(void)
{
	int cpu = sim_choose(SIM_CPUS);

	sim_now += 2 * (1 + sim_choose(50000));
	if (sim_hard[cpu] || sim_soft[cpu]) {
		sim_in_interrupt(cpu);
		return;
	}
	switch (sim_choose(8)) {
	case 0:
		sim_interrupt(cpu, sim_choose(2), 1);
		break;
	case 1:
		sim_wake(cpu);
		break;
	case 2:
		sim_switch(cpu, SIM_READY, 0);
		break;
	default:
		if (sim_on[cpu] >= 0)
			sim_in_thread(cpu, &sim_task[sim_on[cpu]]);
		else
			sim_switch(cpu, SIM_READY, 0);
		break;
	}
}

/* === All of it === */

static void sim_deep_record(const struct sim_record *r)
{
	switch (r->event) {
	case 9:
		record(r->time, 9, r->pid, r->flags, "ll", r->a, r->b);
		break;
	case 16: case 17: case 33: case 34: case 24:
		record(r->time, r->event, r->pid, r->flags, "w", r->a);
		break;
	case 1010:
		record(r->time, 1010, r->pid, r->flags, "qq", r->a, r->b);
		break;
	case 86:
		record(r->time, 86, r->pid, r->flags, "lw", r->a, r->b);
		break;
	case 125:
		record(r->time, 125, r->pid, r->flags, "lww", r->a, r->b, A(0xffffffff));
		break;
	case 165:
		record(r->time, 165, r->pid, r->flags, "lll", r->a, r->b, r->c);
		break;
	case 166:
		record(r->time, 166, r->pid, r->flags, "");
		break;
	default:
		record(r->time, 2, r->pid, sim_deep ? r->flags : 1, "l", r->a);
		break;
	}
}

/* Those up to that time. */
static void sim_blocks(int cpu, uint64_t until)
{
	static size_t done[SIM_CPUS];
	static uint64_t seq[SIM_CPUS], opened[SIM_CPUS];
	const struct sim_record *r = sim_record[cpu] + done[cpu];
	const struct sim_record *last = sim_record[cpu] + sim_records[cpu];

	while (r < last && r->time <= until) {
		block_begin(cpu, "main", ++seq[cpu], done[cpu], 0, opened[cpu] ? opened[cpu] : T0);
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
				sim_deep_record(r);
			opened[cpu] = r->time;
			r++;
		} while (r < last && r->time <= until && count < SIM_RECORDS);
		done[cpu] += count;
		block_end();
	}
}

/* All CPUs, one after the other: what comes meanwhile is there of the last ones. */
static void sim_rounds(void)
{
	uint64_t time;
	int cpu;

	for (time = T0 + 5 * MS; time < sim_now; time += 5 * MS) {
		for (cpu = 0; cpu < SIM_CPUS; cpu++)
			sim_blocks(cpu, time + cpu * 100 * US);
		upto(0, time, MONO0 + (time - T0) / 2);
	}
}

static void sim_truth(void)
{
	unsigned int i, k;

	for (i = 0; i < SIM_PIDS; i++) {
		printf("%u %llu %llu %llu\n", 1000 + i, (unsigned long long)sim_sum[i][SIM_RUNNING],
		       (unsigned long long)sim_sum[i][SIM_READY],
		       (unsigned long long)sim_sum[i][SIM_BLOCKED]);
	}
	for (i = 0; sim_deep && i < SIM_PIDS; i++) {
		for (k = 0; k < SIM_OTHER; k++)
			printf("part %u %s %llu\n", 1000 + i, sim_part_names[k],
			       (unsigned long long)sim_part_sum[i][k]);
	}
	for (i = 0; sim_deep && i < 2; i++)
		printf("irq %s %llu %llu\n", i ? "vector" : "softirq",
		       (unsigned long long)sim_count_of[i], (unsigned long long)sim_time_of[i]);
	for (i = 0; i < 256; i++) {
		if (sim_events[i])
			printf("event %u %llu\n", i, (unsigned long long)sim_events[i]);
	}
}

static void make_sim(int live)
{
	int cpu, n;

	sim_random = number;
	sim_now = T0;
	for (n = 0; n < SIM_PIDS - 2; n++) {
		sim_task[n].pid = 1000 + n;
		sim_task[n].call = SIM_GETPID;
		sim_task[n].why = n % 2 ? SIM_BEFORE : SIM_OTHER;
		sim_enter(n, n < SIM_CPUS ? SIM_RUNNING : n % 2 ? SIM_READY : SIM_BLOCKED);
	}
	for (cpu = 0; cpu < SIM_CPUS; cpu++) {
		sim_on[cpu] = cpu;
		sim_task[cpu].on = cpu;
		if (!sim_switches)
			sim_write(cpu, 1010, sim_pid(cpu), 0, 0, 0);
		sim_write(cpu, 8, sim_pid(cpu), 39, 0, 0);
	}
	for (n = 0; n < SIM_STEPS * (sim_deep ? 4 : 1); n++) {
		if (sim_deep)
			sim_deep_step();
		else
			sim_step();
	}
	sim_now += US;
	for (cpu = 0; cpu < SIM_CPUS; cpu++)
		sim_write(cpu, sim_deep ? 24 : 8, sim_pid(sim_on[cpu]), 39, 0, 0);
	for (n = 0; n < SIM_TASKS; n++) {
		if (sim_task[n].state)
			sim_enter(n, sim_task[n].state);
	}
	if (expect) {
		sim_truth();
		return;
	}
	head();
	if (!sim_deep)
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
	if (live)
		sim_rounds();
	for (cpu = 0; cpu < SIM_CPUS; cpu++)
		sim_blocks(cpu, ~0ULL);
	finish();
}

static void sim(void) { make_sim(0); }
static void sim_live(void) { make_sim(1); }

static void sim_parts(void)
{
	sim_deep = 1;
	sim();
}

static void sim_entries(void)
{
	sim_exits = 0;
	sim_parts();
}

static void sim_switchless(void)
{
	sim_switches = 0;
	sim_parts();
}
