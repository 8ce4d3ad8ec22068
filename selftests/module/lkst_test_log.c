// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places of LKST_LOG(): arguments of all types, records of all shapes, and all contexts.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/lkst_log.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/spinlock.h>

struct odd {
	int small : 5;
	unsigned int bits : 3;
	char text[8];
};

enum colour { RED = 7, GREEN };

static noinline void pass_types(void *pointer)
{
	u8 byte = 200;
	s8 sbyte = -100;
	u16 half = 60000;
	s16 shalf = -30000;
	u32 word = 4000000000;
	s32 sword = -2000000000;
	u64 full = 0xfedcba9876543210;
	s64 sfull = -81985529216486896;
	struct odd odd = { .small = -3, .bits = 5 }, *at = &odd;
	enum colour colour = GREEN;
	bool yes = true;

	LKST_LOG(log_bytes, byte, sbyte, half, shalf);
	LKST_LOG(log_words, word, sword, full, sfull);
	LKST_LOG(log_odd, at->small, odd.bits, colour, yes);
	LKST_LOG(log_pointers, pointer, at == &odd ? pointer : NULL, (unsigned long)at->text == (unsigned long)odd.text);
	/* Commas in brackets and quotes, names that are none or that are the same. */
	LKST_LOG(log_names, max(byte, half), "a,(	b"[1], 42, 42);
	LKST_LOG(log_none);
}

#define N	0x80000001U
#define W	0x8000000000000001UL

#define SHAPE(shape, ...)	LKST_LOG(log_shape_##shape, ##__VA_ARGS__)

static noinline void pass_shapes(void)
{
	SHAPE(1);
	SHAPE(2, N); SHAPE(3, W);
	SHAPE(4, N, N); SHAPE(5, W, N); SHAPE(6, N, W); SHAPE(7, W, W);
	SHAPE(8, N, N, N); SHAPE(9, W, N, N); SHAPE(10, N, W, N); SHAPE(11, W, W, N);
	SHAPE(12, N, N, W); SHAPE(13, W, N, W); SHAPE(14, N, W, W); SHAPE(15, W, W, W);
	SHAPE(16, N, N, N, N); SHAPE(17, W, N, N, N); SHAPE(18, N, W, N, N);
	SHAPE(19, W, W, N, N); SHAPE(20, N, N, W, N); SHAPE(21, W, N, W, N);
	SHAPE(22, N, W, W, N); SHAPE(23, W, W, W, N); SHAPE(24, N, N, N, W);
	SHAPE(25, W, N, N, W); SHAPE(26, N, W, N, W); SHAPE(27, W, W, N, W);
	SHAPE(28, N, N, W, W); SHAPE(29, W, N, W, W); SHAPE(30, N, W, W, W);
	SHAPE(31, W, W, W, W);
}

/* One place that the compiler copies. */
static __always_inline void log_where(int where)
{
	LKST_LOG(log_where, where);
}

static DECLARE_COMPLETION(fired);
static DEFINE_RAW_SPINLOCK(lock);

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	log_where(1);
	complete(&fired);
	return HRTIMER_NORESTART;
}

static void on_tasklet(struct tasklet_struct *tasklet)
{
	log_where(2);
	complete(&fired);
}

static DECLARE_TASKLET(tasklet, on_tasklet);

static void pass_contexts(void)
{
	struct hrtimer timer;
	unsigned long flags;

	log_where(0);
	hrtimer_init_on_stack(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = on_timer;
	hrtimer_start(&timer, 1000, HRTIMER_MODE_REL_HARD);
	wait_for_completion(&fired);
	hrtimer_cancel(&timer);
	destroy_hrtimer_on_stack(&timer);
	tasklet_schedule(&tasklet);
	wait_for_completion(&fired);
	raw_spin_lock_irqsave(&lock, flags);
	log_where(3);
	raw_spin_unlock_irqrestore(&lock, flags);
}

/* Writing a number to it passes each place so often. */
static int pass_set(const char *value, const struct kernel_param *kp)
{
	unsigned int n;
	int ret = kstrtouint(value, 0, &n);

	for (; !ret && n; n--) {
		pass_types((void *)0xfedcba9876543210);
		pass_shapes();
		pass_contexts();
	}
	return ret;
}

static const struct kernel_param_ops pass_ops = { .set = pass_set };
module_param_cb(pass, &pass_ops, NULL, 0200);
MODULE_PARM_DESC(pass, "how often to pass the places");

static bool fail;
module_param(fail, bool, 0444);
MODULE_PARM_DESC(fail, "the module is not to be loaded");

static int __init test_init(void)
{
	LKST_LOG(log_init, THIS_MODULE);
	return fail ? -EINVAL : 0;
}
module_init(test_init);

static void __exit test_exit(void)
{
	LKST_LOG(log_exit, 1);
	tasklet_kill(&tasklet);
}
module_exit(test_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Places of LKST_LOG() for the tests");
