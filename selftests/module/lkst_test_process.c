// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts entries on a wait queue of its own and takes them off, by every function
 * that does so, at loading.
 *
 * /sys/module/lkst_test_process/parameters/log then tells what a trace must show,
 * in this order: "init QUEUE", "add QUEUE ENTRY FLAGS", "rem QUEUE ENTRY", in hex.
 */
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

static char log[2048];
module_param_string(log, log, sizeof(log), 0400);
MODULE_PARM_DESC(log, "what was done");

static unsigned long init_at;
module_param(init_at, ulong, 0400);
MODULE_PARM_DESC(init_at, "address of the function that initialises the queue");

static size_t len;
static struct wait_queue_head queue;
static struct wait_queue_entry entry, waker_removes;

static void added(struct wait_queue_entry *e, unsigned int flags)
{
	len += scnprintf(log + len, sizeof(log) - len, "add 0x%lx 0x%lx 0x%x\n",
			 (unsigned long)&queue, (unsigned long)e, flags);
}

static void removed(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	len += scnprintf(log + len, sizeof(log) - len, "rem 0x%lx 0x%lx\n",
			 (unsigned long)q, (unsigned long)e);
}

static noinline void lkst_test_init_queue(void)
{
	init_waitqueue_head(&queue);
	len += scnprintf(log + len, sizeof(log) - len, "init 0x%lx\n",
			 (unsigned long)&queue);
}

static void add_and_remove(void)
{
	add_wait_queue(&queue, &entry);
	added(&entry, 0);
	remove_wait_queue(&queue, &entry);
	removed(&queue, &entry);

	add_wait_queue_exclusive(&queue, &entry);
	added(&entry, WQ_FLAG_EXCLUSIVE);
	remove_wait_queue(&queue, &entry);
	removed(&queue, &entry);

	add_wait_queue_priority(&queue, &entry);
	added(&entry, WQ_FLAG_EXCLUSIVE | WQ_FLAG_PRIORITY);
	remove_wait_queue(&queue, &entry);
	removed(&queue, &entry);
	entry.flags = 0;
	INIT_LIST_HEAD(&entry.entry);
}

/* What is on the queue is not added again, what is off it not removed again. */
static void prepare_and_finish(void)
{
	prepare_to_wait(&queue, &entry, TASK_UNINTERRUPTIBLE);
	added(&entry, 0);
	prepare_to_wait(&queue, &entry, TASK_UNINTERRUPTIBLE);
	finish_wait(&queue, &entry);
	removed(&queue, &entry);
	finish_wait(&queue, &entry);

	prepare_to_wait_exclusive(&queue, &entry, TASK_UNINTERRUPTIBLE);
	added(&entry, WQ_FLAG_EXCLUSIVE);
	prepare_to_wait_exclusive(&queue, &entry, TASK_UNINTERRUPTIBLE);
	finish_wait(&queue, &entry);
	removed(&queue, &entry);

	entry.flags = 0;
	prepare_to_wait_event(&queue, &entry, TASK_UNINTERRUPTIBLE);
	added(&entry, 0);
	finish_wait(&queue, &entry);
	removed(&queue, &entry);

	entry.flags = WQ_FLAG_EXCLUSIVE;
	prepare_to_wait_event(&queue, &entry, TASK_INTERRUPTIBLE);
	added(&entry, WQ_FLAG_EXCLUSIVE);
	prepare_to_wait_event(&queue, &entry, TASK_INTERRUPTIBLE);

	/* A signal takes it off, the first time. */
	set_thread_flag(TIF_SIGPENDING);
	prepare_to_wait_event(&queue, &entry, TASK_INTERRUPTIBLE);
	removed(&queue, &entry);
	prepare_to_wait_event(&queue, &entry, TASK_INTERRUPTIBLE);
	recalc_sigpending();
	finish_wait(&queue, &entry);
	entry.flags = 0;
}

/* With a signal pending these do not sleep. Who takes off is a header's macro. */
static void wait_locked(void)
{
	set_thread_flag(TIF_SIGPENDING);

	spin_lock(&queue.lock);
	do_wait_intr(&queue, &entry);
	added(&entry, 0);
	do_wait_intr(&queue, &entry);
	__remove_wait_queue(&queue, &entry);
	spin_unlock(&queue.lock);
	INIT_LIST_HEAD(&entry.entry);

	spin_lock_irq(&queue.lock);
	do_wait_intr_irq(&queue, &entry);
	added(&entry, 0);
	do_wait_intr_irq(&queue, &entry);
	__remove_wait_queue(&queue, &entry);
	spin_unlock_irq(&queue.lock);
	INIT_LIST_HEAD(&entry.entry);

	recalc_sigpending();
	__set_current_state(TASK_RUNNING);
}

/* Nobody needs to be asleep to be woken: it is enough to be about to. */
static void remove_by_waker(void)
{
	init_wait(&waker_removes);
	prepare_to_wait(&queue, &waker_removes, TASK_UNINTERRUPTIBLE);
	added(&waker_removes, 0);
	wake_up(&queue);
	removed(NULL, &waker_removes);
	/* This one was awake already, so it stays on the queue. */
	finish_wait(&queue, &waker_removes);

	prepare_to_wait(&queue, &waker_removes, TASK_UNINTERRUPTIBLE);
	added(&waker_removes, 0);
	__set_current_state(TASK_RUNNING);
	wake_up(&queue);
	finish_wait(&queue, &waker_removes);
	removed(&queue, &waker_removes);
}

static int __init lkst_test_process_init(void)
{
	init_at = (unsigned long)lkst_test_init_queue;
	lkst_test_init_queue();

	init_wait(&entry);
	entry.func = default_wake_function;
	add_and_remove();
	prepare_and_finish();
	wait_locked();
	remove_by_waker();
	return 0;
}

static void __exit lkst_test_process_exit(void)
{
}

module_init(lkst_test_process_init);
module_exit(lkst_test_process_exit);
MODULE_DESCRIPTION("Provokes events of wait queues for the tests of LKST");
MODULE_LICENSE("GPL");
