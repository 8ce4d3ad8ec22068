// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long a CPU is kept with interrupts off while its part of a buffer is changed: each call
 * of lkst_run_on_cpu() from the moment that this module is there.
 *
 *	insmod lkst_visit.ko; echo 8K >/sys/kernel/debug/lkst/buffers/main/size
 *	cat /sys/module/lkst_visit/parameters/result
 *
 * The least, the median, the mean and the most, in ticks of the processor's counter, and how
 * many. What the probe itself takes is measured on a function that does nothing, and
 * subtracted.
 */
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sort.h>
#include <asm/msr.h>

#define MOST	4096

static u32 ticks[MOST];
static unsigned int calls;
static u32 nothing;

static int entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(u64 *)ri->data = rdtsc_ordered();
	return 0;
}

static int returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u32 took = rdtsc_ordered() - *(u64 *)ri->data;

	if (calls < MOST)
		ticks[calls++] = took > nothing ? took - nothing : 0;
	return 0;
}

static struct kretprobe probe = {
	.entry_handler = entered,
	.handler = returned,
	.data_size = sizeof(u64),
};

static noinline void do_nothing(void)
{
	barrier();
}

static int by_size(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

static void sort_ticks(void)
{
	sort(ticks, calls, sizeof(*ticks), by_size, NULL);
}

static int tell(char *buf, const struct kernel_param *kp)
{
	u64 sum = 0;
	u32 i;

	if (!calls)
		return sysfs_emit(buf, "none\n");
	sort_ticks();
	for (i = 0; i < calls; i++)
		sum += ticks[i];
	return sysfs_emit(buf, "%u %u %llu %u %u\n", ticks[0], ticks[calls / 2],
			  div_u64(sum, calls), ticks[calls - 1], calls);
}

static const struct kernel_param_ops result_ops = { .get = tell };
module_param_cb(result, &result_ops, NULL, 0400);
MODULE_PARM_DESC(result, "least, median, mean and most, and how many");

static int __init lkst_visit_init(void)
{
	int i, ret;

	probe.kp.addr = (kprobe_opcode_t *)do_nothing;
	ret = register_kretprobe(&probe);
	if (ret)
		return ret;
	for (i = 0; i < 100; i++)
		do_nothing();
	unregister_kretprobe(&probe);
	sort_ticks();
	nothing = ticks[calls / 2];
	calls = 0;

	memset(&probe.kp, 0, sizeof(probe.kp));
	probe.kp.symbol_name = "lkst_run_on_cpu";
	return register_kretprobe(&probe);
}
module_init(lkst_visit_init);

static void __exit lkst_visit_exit(void)
{
	unregister_kretprobe(&probe);
}
module_exit(lkst_visit_exit);

MODULE_DESCRIPTION("The time that a CPU is kept for a change to its buffer, for scripts/bench.sh");
MODULE_LICENSE("GPL");
