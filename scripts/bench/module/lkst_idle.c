// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler that does nothing: what is left is the cost of calling one.
 */
#include <linux/lkst.h>
#include <linux/module.h>

static void idle(const struct lkst_event *ev)
{
}

static struct lkst_handler idle_handler = {
	.name = "idle",
	.fn = idle,
	.owner = THIS_MODULE,
};
module_lkst_handler(idle_handler);

MODULE_DESCRIPTION("LKST event handler that does nothing, for scripts/bench.sh");
MODULE_LICENSE("GPL");
