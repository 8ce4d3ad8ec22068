// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes a tracepoint of its own, lkst_test:lkst_test_fields, as often as is written to
 * /sys/module/lkst_test_tracepoint/parameters/pass.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "lkst_test_tracepoint.h"

static int pass(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int ret = kstrtouint(text, 0, &n);

	while (!ret && n--)
		trace_lkst_test_fields(0xfedcba9876543280, "a text of more bytes than there is room for");
	return ret;
}

static const struct kernel_param_ops pass_ops = { .set = pass };
module_param_cb(pass, &pass_ops, NULL, 0200);
MODULE_PARM_DESC(pass, "pass the tracepoint so often");

static int __init lkst_test_init(void)
{
	return 0;
}
module_init(lkst_test_init);

static void __exit lkst_test_exit(void)
{
}
module_exit(lkst_test_exit);

MODULE_DESCRIPTION("Passes a tracepoint with a field of each kind");
MODULE_LICENSE("GPL");
