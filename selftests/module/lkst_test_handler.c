// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event handler that does what handlers should not, and what they may do anywhere:
 *
 *	echo 'meet=3' > handlers/lkst_test/control	takes a lock so often
 *	echo 'spin=20ms' > ...				takes its time
 *	echo 'switch=NAME' > ...			makes that maskset current
 *
 * Its result tells how often it was called, in which context, and how many are in it now.
 * It complains if its configuration is freed while somebody is in it.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <asm/local.h>

enum context { TASK, SOFTIRQ, HARDIRQ, NMI, NR_CONTEXTS };

static const char * const context_names[] = { "task", "softirq", "hardirq", "nmi" };

struct test_cpu {
	local_t calls[NR_CONTEXTS];
	raw_spinlock_t lock;		/* this CPU's, each call */
};

struct test {
	u64 meet;
	u64 spin;			/* ns */
	struct lkst_maskset *maskset;
	atomic_t inside;
	struct test_cpu __percpu *cpu;
};

static enum context test_context(void)
{
	if (in_nmi())
		return NMI;
	if (in_hardirq())
		return HARDIRQ;
	return in_serving_softirq() ? SOFTIRQ : TASK;
}

/*
 * The lock is tried, as an interrupt may find it held; its event comes all the same.
 */
static void test_meet(struct test_cpu *cpu)
{
	if (raw_spin_trylock(&cpu->lock))
		raw_spin_unlock(&cpu->lock);
}

static void test(const struct lkst_event *ev)
{
	struct test *t = ev->config;
	struct test_cpu *cpu = this_cpu_ptr(t->cpu);
	u64 i, end;

	atomic_inc(&t->inside);
	local_inc(&cpu->calls[test_context()]);
	for (i = 0; i < t->meet; i++)
		test_meet(cpu);
	/* Not udelay(): on a busy host, what an emulated CPU takes for 100 us may be ten. */
	for (end = local_clock() + t->spin; t->spin && local_clock() < end;)
		cpu_relax();
	if (t->maskset)
		lkst_maskset_switch(t->maskset);
	atomic_dec(&t->inside);
}

static void test_free(void *config)
{
	struct test *t = config;

	WARN_ON(atomic_read(&t->inside));
	lkst_maskset_put(t->maskset);
	free_percpu(t->cpu);
	kfree(t);
}

static int test_word(struct test *t, char *word, struct lkst_why *why)
{
	char *value;

	if (lkst_value(word, "meet", &value))
		return lkst_parse_number(value, &t->meet, why);
	if (lkst_value(word, "spin", &value))
		return lkst_parse_time(value, &t->spin, why);
	if (!lkst_value(word, "switch", &value))
		return lkst_wrong(why, word, "want meet=, spin= or switch=");
	t->maskset = lkst_maskset_get(value);
	return t->maskset ? 0 : lkst_wrong(why, value, "no such maskset");
}

static void *test_configure(char *text, struct lkst_why *why)
{
	struct test *t = kzalloc(sizeof(*t), GFP_KERNEL);
	char *word;
	int ret = 0, cpu;

	if (!t)
		return ERR_PTR(-ENOMEM);
	t->cpu = alloc_percpu(struct test_cpu);
	if (t->cpu)
		for_each_possible_cpu(cpu)
			raw_spin_lock_init(&per_cpu_ptr(t->cpu, cpu)->lock);
	else
		ret = -ENOMEM;
	while (!ret && (word = lkst_next_word(&text)))
		ret = test_word(t, word, why);
	if (ret) {
		test_free(t);
		return ERR_PTR(ret);
	}
	return t;
}

static void test_result(struct seq_file *m, void *config)
{
	struct test *t = config;
	enum context c;
	long calls;
	int cpu;

	for (c = 0; c < NR_CONTEXTS; c++) {
		calls = 0;
		for_each_possible_cpu(cpu)
			calls += local_read(&per_cpu_ptr(t->cpu, cpu)->calls[c]);
		seq_printf(m, "%s: %ld\n", context_names[c], calls);
	}
	seq_printf(m, "inside: %d\n", atomic_read(&t->inside));
}

static struct lkst_handler test_handler = {
	.name = "lkst_test",
	.fn = test,
	.configure = test_configure,
	.result = test_result,
	.free = test_free,
	.owner = THIS_MODULE,
};
module_lkst_handler(test_handler);
MODULE_DESCRIPTION("An event handler for the tests of LKST");
MODULE_LICENSE("GPL");
