// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes what user space cannot: a kernel thread and tasklets, at loading.
 *
 * /sys/module/lkst_test/parameters/ then tells what a trace must show.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>

static int tasklets = 10;
module_param(tasklets, int, 0444);
MODULE_PARM_DESC(tasklets, "how often each tasklet runs");

static int thread_pid;
module_param(thread_pid, int, 0444);
MODULE_PARM_DESC(thread_pid, "the kernel thread's PID");

static int ran, ran_hi;
module_param(ran, int, 0444);
MODULE_PARM_DESC(ran, "how often the tasklet ran");
module_param(ran_hi, int, 0444);
MODULE_PARM_DESC(ran_hi, "how often the high-priority tasklet ran");

static unsigned long func, func_hi;
module_param(func, ulong, 0400);
MODULE_PARM_DESC(func, "address of the tasklet's function");
module_param(func_hi, ulong, 0400);
MODULE_PARM_DESC(func_hi, "address of the high-priority tasklet's function");

static DECLARE_COMPLETION(done);

static void lkst_test_tasklet(struct tasklet_struct *t)
{
	ran++;
	complete(&done);
}

static void lkst_test_hi_tasklet(struct tasklet_struct *t)
{
	ran_hi++;
	complete(&done);
}

static DECLARE_TASKLET(tasklet, lkst_test_tasklet);
static DECLARE_TASKLET(hi_tasklet, lkst_test_hi_tasklet);

static int lkst_test_thread(void *unused)
{
	thread_pid = current->pid;
	complete(&done);
	return 0;
}

static int __init lkst_test_init(void)
{
	struct task_struct *task;
	int i;

	func = (unsigned long)lkst_test_tasklet;
	func_hi = (unsigned long)lkst_test_hi_tasklet;

	task = kthread_run(lkst_test_thread, NULL, "lkst_test");
	if (IS_ERR(task))
		return PTR_ERR(task);
	wait_for_completion(&done);

	for (i = 0; i < tasklets; i++) {
		tasklet_schedule(&tasklet);
		wait_for_completion(&done);
		tasklet_hi_schedule(&hi_tasklet);
		wait_for_completion(&done);
	}
	return 0;
}

static void __exit lkst_test_exit(void)
{
	tasklet_kill(&tasklet);
	tasklet_kill(&hi_tasklet);
}

module_init(lkst_test_init);
module_exit(lkst_test_exit);
MODULE_DESCRIPTION("Provokes events for the tests of LKST");
MODULE_LICENSE("GPL");
