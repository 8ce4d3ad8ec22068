// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes trouble, by what is written to the parameter "act", in the context of
 * who writes: warn, continue, spin, hang; unstable, where the counter of cycles can be.
 *
 * The other parameters tell what a trace must show.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/string.h>

#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#define MESSAGE		"lkst_test: "

static unsigned long self;
module_param(self, ulong, 0400);
MODULE_PARM_DESC(self, "address of the module's struct module");

static unsigned int seconds = 4;
module_param(seconds, uint, 0600);
MODULE_PARM_DESC(seconds, "for how long to spin or to hang");

static noinline void lkst_test_warn(void)
{
	WARN(1, MESSAGE "on purpose\n");
}

static void lkst_test_continue(void)
{
	pr_notice(MESSAGE "one");
	pr_cont(", two");
	pr_cont(", and three\n");
}

/* Until the watchdog of this CPU complains. */
static noinline void lkst_test_spin(void)
{
	u64 end;

	preempt_disable();
	end = local_clock() + seconds * NSEC_PER_SEC;
	while (local_clock() < end)
		cpu_relax();
	preempt_enable();
}

static void lkst_test_hang(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_timeout(seconds * HZ);
}

#ifdef CONFIG_X86
/* For as long as the kernel runs. */
static void lkst_test_unstable(void)
{
	mark_tsc_unstable("the test of LKST");
}
#endif

static const struct {
	const char *name;
	void (*fn)(void);
} acts[] = {
#ifdef CONFIG_X86
	{ "unstable", lkst_test_unstable },
#endif
	{ "warn", lkst_test_warn },
	{ "continue", lkst_test_continue },
	{ "spin", lkst_test_spin },
	{ "hang", lkst_test_hang },
};

static int act_set(const char *text, const struct kernel_param *kp)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(acts); i++) {
		if (sysfs_streq(text, acts[i].name)) {
			acts[i].fn();
			return 0;
		}
	}
	return -EINVAL;
}

static const struct kernel_param_ops act_ops = { .set = act_set };
module_param_cb(act, &act_ops, NULL, 0200);
MODULE_PARM_DESC(act, "what to do");

static int __init lkst_test_others_init(void)
{
	self = (unsigned long)THIS_MODULE;
	return 0;
}

static void __exit lkst_test_others_exit(void)
{
}

module_init(lkst_test_others_init);
module_exit(lkst_test_others_exit);
MODULE_DESCRIPTION("Provokes trouble for the tests of LKST");
MODULE_LICENSE("GPL");
