// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps a maskset armed, as a handler that may switch to it does, and nothing
 * else: with another maskset current, the hooks are on and find nothing to do.
 *
 *	insmod lkst_arm.ko maskset=NAME
 */
#include <linux/err.h>
#include <linux/lkst.h>
#include <linux/module.h>

static char *maskset;
module_param(maskset, charp, 0400);
MODULE_PARM_DESC(maskset, "Name of the maskset");

static struct lkst_maskset *armed;

static int __init lkst_arm_init(void)
{
	armed = lkst_maskset_get(maskset);
	return PTR_ERR_OR_ZERO(armed);
}
module_init(lkst_arm_init);

static void __exit lkst_arm_exit(void)
{
	lkst_maskset_put(armed);
}
module_exit(lkst_arm_exit);

MODULE_DESCRIPTION("Keeps an LKST maskset armed, for scripts/bench.sh");
MODULE_LICENSE("GPL");
