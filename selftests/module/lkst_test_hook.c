// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hook in a module: one line, as anywhere.
 */
#include <linux/lkst.h>
#include <linux/module.h>

static int __init lkst_test_hook_init(void)
{
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
