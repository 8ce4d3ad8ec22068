// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two handlers that make another maskset current, one there and one back. The masksets
 * are to be there, and get the handlers after this was loaded.
 *
 *	insmod lkst_switch.ko inside=NAME outside=NAME
 */
#include <linux/lkst.h>
#include <linux/module.h>

static char *inside;
module_param(inside, charp, 0400);
MODULE_PARM_DESC(inside, "Name of the maskset that switch_in makes current");

static char *outside;
module_param(outside, charp, 0400);
MODULE_PARM_DESC(outside, "Name of the maskset that switch_out makes current");

static struct lkst_maskset *to_inside, *to_outside;

static void switch_in(const struct lkst_event *ev)
{
	lkst_maskset_switch(to_inside);
}

static void switch_out(const struct lkst_event *ev)
{
	lkst_maskset_switch(to_outside);
}

static struct lkst_handler handlers[] = {
	{ .name = "switch_in", .fn = switch_in, .owner = THIS_MODULE },
	{ .name = "switch_out", .fn = switch_out, .owner = THIS_MODULE },
};

static void lkst_switch_put(void)
{
	lkst_maskset_put(to_inside);
	lkst_maskset_put(to_outside);
}

static int __init lkst_switch_init(void)
{
	int ret = -ENOENT;

	to_inside = lkst_maskset_get(inside ?: "");
	to_outside = lkst_maskset_get(outside ?: "");
	if (!to_inside || !to_outside)
		goto put;
	ret = lkst_handler_register(&handlers[0]);
	if (ret)
		goto put;
	ret = lkst_handler_register(&handlers[1]);
	if (!ret)
		return 0;
	lkst_handler_unregister(&handlers[0]);
put:
	lkst_switch_put();
	return ret;
}
module_init(lkst_switch_init);

static void __exit lkst_switch_exit(void)
{
	lkst_handler_unregister(&handlers[1]);
	lkst_handler_unregister(&handlers[0]);
	lkst_switch_put();
}
module_exit(lkst_switch_exit);

MODULE_DESCRIPTION("LKST event handlers that switch the maskset, for scripts/bench.sh");
MODULE_LICENSE("GPL");
