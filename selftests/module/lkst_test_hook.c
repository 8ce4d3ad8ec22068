// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hook in a module: one line, as anywhere. With idle=1, it is where RCU takes the CPU for
 * idle: kernels that prove RCU warn of that.
 */
#include <linux/context_tracking.h>
#include <linux/irqflags.h>
#include <linux/lkst.h>
#include <linux/module.h>

static bool idle;
module_param(idle, bool, 0400);
MODULE_PARM_DESC(idle, "RCU does not watch");

static void hit_while_idle(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	ct_idle_enter();
	LKST_HOOK(INT_TASKLETHI_ENTRY, (void *)0x123456, (void *)0x654321);
	ct_idle_exit();
	raw_local_irq_restore(flags);
}

static int __init lkst_test_hook_init(void)
{
	if (idle) {
		hit_while_idle();
		return 0;
	}
	LKST_HOOK(INT_TASKLETHI_ENTRY, (void *)0x123456, (void *)0x654321);
	return 0;
}

/* Loaded for that alone. */
static void __exit lkst_test_hook_exit(void)
{
	LKST_HOOK(INT_TASKLETHI_EXIT, (void *)0x123456, (void *)0x654321);
}

module_init(lkst_test_hook_init);
module_exit(lkst_test_hook_exit);
MODULE_DESCRIPTION("Has a hook, for the tests of LKST");
MODULE_LICENSE("GPL");
