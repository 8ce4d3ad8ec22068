// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is recorded of an oops and of the panic that follows, told on the console:
 * an event handler "lkst_test_panic" keeps what it is called with, and a panic
 * notifier prints it before the machine goes down.
 */
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>

static struct lkst_event events[16];
static atomic_t nr_events;

static void lkst_test_panic_event(const struct lkst_event *ev)
{
	int i = atomic_inc_return(&nr_events) - 1;

	lkst_record(ev);
	if (i < ARRAY_SIZE(events))
		events[i] = *ev;
}

static struct lkst_handler lkst_test_panic_handler = {
	.name = "lkst_test_panic",
	.fn = lkst_test_panic_event,
	.owner = THIS_MODULE,
};

/* A symbol for the first argument, text for the last two. */
static void show(const struct lkst_event *ev)
{
	unsigned int text = ev->id == LKST_EV_O_PANIC ? 1 : 2;
	char buf[3 * sizeof(long) + 1] = "";

	memcpy(buf, ev->arg + text, (4 - text) * sizeof(long));
	pr_emerg("lkst-test: event %u of pid %u in %ps, %u arguments, second 0x%lx, text \"%s\"\n",
		 ev->id, ev->pid, (void *)ev->arg[0], ev->nargs, ev->arg[1], buf);
}

static int lkst_test_panic_notify(struct notifier_block *nb, unsigned long action, void *message)
{
	int i, n = min_t(int, atomic_read(&nr_events), ARRAY_SIZE(events));

	pr_emerg("lkst-test: %d events, message \"%s\"\n", n, (char *)message);
	for (i = 0; i < n; i++)
		show(&events[i]);
	return NOTIFY_DONE;
}

static struct notifier_block lkst_test_panic_nb = {
	.notifier_call = lkst_test_panic_notify,
};

static int __init lkst_test_panic_init(void)
{
	int ret = lkst_handler_register(&lkst_test_panic_handler);

	if (!ret)
		atomic_notifier_chain_register(&panic_notifier_list, &lkst_test_panic_nb);
	return ret;
}

static void __exit lkst_test_panic_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &lkst_test_panic_nb);
	lkst_handler_unregister(&lkst_test_panic_handler);
}

module_init(lkst_test_panic_init);
module_exit(lkst_test_panic_exit);
MODULE_DESCRIPTION("Tells what LKST is told of a panic");
MODULE_LICENSE("GPL");
