// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places of LKST_LOG() whose events are those of another module, or can't be made.
 */
#include <linux/lkst_log.h>
#include <linux/module.h>

static int pass_set(const char *value, const struct kernel_param *kp)
{
	int where = 100;
	unsigned long byte = 1;

	/* The same one. */
	LKST_LOG(log_where, where);
	/* Another type, other arguments, another kind of event, no name. */
	LKST_LOG(log_shape_2, byte);
	LKST_LOG(log_none, byte);
	LKST_LOG(PROCESS_FORK, byte);
	LKST_LOG(a_name_of_more_than_31_characters, byte);
	return 0;
}

static const struct kernel_param_ops pass_ops = { .set = pass_set };
module_param_cb(pass, &pass_ops, NULL, 0200);
MODULE_PARM_DESC(pass, "passes the places");

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("More places of LKST_LOG() for the tests");
