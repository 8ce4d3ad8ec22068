// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long a record takes at worst: that of PROCESS_INIT_WQH in the function that has its
 * hook, or, with ring=1, one of ftrace's ring buffer. Each is timed by itself, with
 * interrupts off, so that nothing else is.
 *
 *	insmod lkst_worst.ko [ring=1] [interrupt=1] [nothing=TICKS] [calls=20000]
 *
 * In "result", as count has it: the least, the median, the mean and the most, in ticks of
 * the processor's counter, those of "nothing" subtracted: what it takes with nothing on.
 */
#include <linux/completion.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/sizes.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <asm/msr.h>

static bool ring;
module_param(ring, bool, 0400);
MODULE_PARM_DESC(ring, "ftrace's ring buffer, not a hook");

static bool interrupt;
module_param(interrupt, bool, 0400);
MODULE_PARM_DESC(interrupt, "in an interrupt, not in a task that has them off");

static unsigned int nothing;
module_param(nothing, uint, 0400);
MODULE_PARM_DESC(nothing, "ticks of a call that records nothing");

static unsigned int calls = 20000;
module_param(calls, uint, 0400);
MODULE_PARM_DESC(calls, "how many");

static char result[80];
module_param_string(result, result, sizeof(result), 0400);
MODULE_PARM_DESC(result, "least, median, mean and most");

static struct trace_buffer *buffer;
static u32 *ticks;

static noinline void call_hook(void)
{
	static wait_queue_head_t queue;

	init_waitqueue_head(&queue);
}

static noinline void call_ring(void)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, 2 * sizeof(long));
	unsigned long *data;

	if (!event)
		return;
	data = ring_buffer_event_data(event);
	data[0] = (unsigned long)buffer;
	data[1] = _RET_IP_;
	ring_buffer_unlock_commit(buffer);
}

static __always_inline u32 time_one(void (*call)(void))
{
	u64 from = rdtsc_ordered();

	call();
	return rdtsc_ordered() - from;
}

static void time_all(void)
{
	void (*call)(void) = ring ? call_ring : call_hook;
	u32 i;

	/* Whatever is there to be found out the first time. */
	call();
	for (i = 0; i < calls; i++)
		ticks[i] = time_one(call) - nothing;
}

static DECLARE_COMPLETION(done);

static void in_interrupt_now(struct irq_work *work)
{
	time_all();
	complete(&done);
}

static DEFINE_IRQ_WORK(work, in_interrupt_now);

static int by_size(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

static void tell(void)
{
	u64 sum = 0;
	u32 i;

	sort(ticks, calls, sizeof(*ticks), by_size, NULL);
	for (i = 0; i < calls; i++)
		sum += ticks[i];
	snprintf(result, sizeof(result), "%u %u %llu %u", ticks[0], ticks[calls / 2],
		 div_u64(sum, calls), ticks[calls - 1]);
}

static int __init lkst_worst_init(void)
{
	unsigned long flags;

	if (!calls)
		return -EINVAL;
	ticks = vmalloc_array(calls, sizeof(*ticks));
	buffer = ring_buffer_alloc(SZ_1M, RB_FL_OVERWRITE);
	if (ticks && buffer) {
		if (interrupt) {
			irq_work_queue(&work);
			wait_for_completion(&done);
			irq_work_sync(&work);
		} else {
			local_irq_save(flags);
			time_all();
			local_irq_restore(flags);
		}
		tell();
	}
	if (buffer)
		ring_buffer_free(buffer);
	vfree(ticks);
	return *result ? 0 : -ENOMEM;
}
module_init(lkst_worst_init);

static void __exit lkst_worst_exit(void)
{
}
module_exit(lkst_worst_exit);

MODULE_DESCRIPTION("The longest record of LKST, for scripts/bench.sh");
MODULE_LICENSE("GPL");
