// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes interrupts, exceptions and port I/O of the kernel's own, at loading:
 * "what" says which. /sys/module/lkst_test_irq/parameters/ then tells what a
 * trace must show.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/asm.h>
#include <asm/hardirq.h>
#include <asm/nmi.h>

static char *what = "";
module_param(what, charp, 0444);
MODULE_PARM_DESC(what, "call, many, resched, irq_work, tasklet, nmi, thread, nested, ports, fault or stall");

static int n = 10;
module_param(n, int, 0444);
MODULE_PARM_DESC(n, "how often");

static int cpu;
module_param(cpu, int, 0444);
MODULE_PARM_DESC(cpu, "the CPU that interrupts go to");

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "of the thread that did it");

static int ran;
module_param(ran, int, 0444);
MODULE_PARM_DESC(ran, "how often the function was called");

static unsigned long func;
module_param(func, ulong, 0400);
MODULE_PARM_DESC(func, "address of the function that was called");

static unsigned long sender;
module_param(sender, ulong, 0400);
MODULE_PARM_DESC(sender, "address of the function that sent interrupts");

static int irq;
module_param(irq, int, 0444);
MODULE_PARM_DESC(irq, "the interrupt's number");

static unsigned long ns[32];
static int nr_ns;
module_param_array(ns, ulong, &nr_ns, 0444);
MODULE_PARM_DESC(ns, "how long the handler of the NMI took, each time");

static unsigned long values[8];
static int nr_values;
module_param_array(values, ulong, &nr_values, 0400);
MODULE_PARM_DESC(values, "what was read; addresses");

static DECLARE_COMPLETION(done);

static void test_call(void *unused)
{
	ran++;
}

/* A call of a function on another CPU. */
static void do_call(void)
{
	int i;

	func = (unsigned long)test_call;
	for (i = 0; i < n; i++)
		smp_call_function_single(cpu, test_call, NULL, 1);
}

/* On all others. */
static atomic_t many_ran;

static void test_many(void *unused)
{
	atomic_inc(&many_ran);
}

static void do_many(void)
{
	int i;

	for (i = 0; i < n; i++)
		smp_call_function(test_many, NULL, 1);
	ran = atomic_read(&many_ran);
}

/* Two that are sent before the first is taken would be one. */
static noinline void do_resched(void)
{
	unsigned int *count = &per_cpu(irq_stat, cpu).irq_resched_count;
	unsigned int before;
	int i, wait;

	sender = (unsigned long)do_resched;
	for (i = 0; i < n; i++) {
		before = READ_ONCE(*count);
		arch_smp_send_reschedule(cpu);
		for (wait = 0; wait < 10000 && READ_ONCE(*count) == before; wait++)
			udelay(10);
		ran += READ_ONCE(*count) != before;
	}
}

static void test_irq_work(struct irq_work *work)
{
	ran++;
}

static DEFINE_IRQ_WORK(work, test_irq_work);

static void do_irq_work(void)
{
	int i;

	func = (unsigned long)test_irq_work;
	for (i = 0; i < n; i++) {
		irq_work_queue(&work);
		irq_work_sync(&work);
	}
}

static void test_tasklet(struct tasklet_struct *t)
{
	ran++;
	complete(&done);
}

static DECLARE_TASKLET(tasklet, test_tasklet);

static void do_tasklet(void)
{
	int i;

	for (i = 0; i < n; i++) {
		tasklet_schedule(&tasklet);
		wait_for_completion(&done);
	}
	tasklet_kill(&tasklet);
}

static bool nmi_sent;

static int test_nmi(unsigned int cmd, struct pt_regs *regs)
{
	u64 start = sched_clock();

	if (!READ_ONCE(nmi_sent) || raw_smp_processor_id() != cpu)
		return NMI_DONE;
	udelay(100);
	ns[nr_ns++] = sched_clock() - start;
	ran++;
	smp_store_release(&nmi_sent, false);	/* with what was written; do_nmi() */
	return NMI_HANDLED;
}

static int do_nmi(void)
{
	unsigned long end;
	int i, err;

	func = (unsigned long)test_nmi;
	n = min_t(int, n, ARRAY_SIZE(ns));
	err = register_nmi_handler(NMI_LOCAL, test_nmi, 0, "lkst_test");
	for (i = 0; !err && i < n; i++) {
		WRITE_ONCE(nmi_sent, true);
		preempt_disable();
		apic->send_IPI(cpu, NMI_VECTOR);
		preempt_enable();
		end = jiffies + HZ;
		/* pairs with test_nmi() */
		while (smp_load_acquire(&nmi_sent) && time_before(jiffies, end))
			cpu_relax();
	}
	if (!err)
		unregister_nmi_handler(NMI_LOCAL, "lkst_test");
	return err;
}

/* Not its own every third time. */
static irqreturn_t test_thread(int nr, void *unused)
{
	pid = current->pid;
	ran++;
	complete(&done);
	return ran % 3 ? IRQ_HANDLED : IRQ_NONE;
}

/* An interrupt that has a thread; a nested one is handled in the thread of another. */
static int get_irq(bool nested)
{
	int err;

	func = (unsigned long)test_thread;
	irq = irq_alloc_desc(0);
	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_set_nested_thread(irq, nested);
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	err = request_threaded_irq(irq, NULL, test_thread, IRQF_ONESHOT, "lkst_test", &irq);
	if (err)
		irq_free_desc(irq);
	return err;
}

static void put_irq(void)
{
	free_irq(irq, &irq);
	irq_free_desc(irq);
}

static int do_thread(void)
{
	int i, err = get_irq(false);
	unsigned long flags;

	if (err)
		return err;
	for (i = 0; i < n; i++) {
		local_irq_save(flags);
		generic_handle_irq(irq);
		local_irq_restore(flags);
		wait_for_completion(&done);
		synchronize_irq(irq);
	}
	put_irq();
	return 0;
}

/* This one is the other's thread. */
static int do_nested(void)
{
	int i, err = get_irq(true);

	if (err)
		return err;
	for (i = 0; i < n; i++)
		handle_nested_irq(irq);
	put_irq();
	return 0;
}

/*
 * COM1's scratch register keeps what is written to it; 0x80 is a port that takes
 * anything.
 */
#define SCRATCH	0x3ff

static u8 in_bytes[4];
static const u8 out_bytes[3] = { 0x11, 0x22, 0x33 };

static void do_ports(void)
{
	pid = current->pid;
	outb(0x5a, SCRATCH);
	values[0] = inb(SCRATCH);
	outb_p(0xa5, SCRATCH);
	values[1] = inb_p(SCRATCH);
	outw(0x1234, 0x80);
	values[2] = inw(SCRATCH - 1);
	outl(0x12345678, 0x80);
	values[3] = inl(SCRATCH - 3);
	outsb(SCRATCH, out_bytes, sizeof(out_bytes));
	insb(SCRATCH, in_bytes, sizeof(in_bytes));
	values[4] = (unsigned long)out_bytes;
	values[5] = (unsigned long)in_bytes;
	values[6] = in_bytes[0];
	nr_values = 7;
}

/* A general protection fault that is repaired: no such address can be. */
static void do_fault(void)
{
	unsigned long bad = 0x1234567812345678, at;
	int i;

	pid = current->pid;
	for (i = 0; i < n; i++)
		asm volatile("lea 1f(%%rip), %0\n"
			     "1: mov (%1), %1\n"
			     "2:\n"
			     _ASM_EXTABLE(1b, 2b)
			     : "=&r" (at) : "r" (bad));
	func = at;
}

/*
 * A thread does nothing but record until an interrupt comes, which holds it up for longer
 * than a reader waits: many of them come between the place of a record and its end.
 */
#define STALL_MS	30
/* So many records before each, at least and at most. */
#define STALL_AFTER	20
#define STALL_MOST	1000

static int stalls_due, recorded;

static void test_stall(void *unused)
{
	WRITE_ONCE(ran, ran + 1);
	mdelay(STALL_MS);
}

static call_single_data_t stall_csd = CSD_INIT(test_stall, NULL);

static int test_stalled(void *unused)
{
	while (!kthread_should_stop()) {
		while (READ_ONCE(ran) < READ_ONCE(stalls_due) &&
		       recorded < READ_ONCE(stalls_due) * STALL_MOST) {
			LKST_HOOK(INT_TASKLETHI_ENTRY, (void *)0x123456, (void *)0x654321);
			WRITE_ONCE(recorded, recorded + 1);
		}
		cond_resched();
	}
	return 0;
}

static int do_stall(void)
{
	struct task_struct *thread = kthread_create(test_stalled, NULL, "lkst_test_stall");
	int i;

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, cpu);
	wake_up_process(thread);
	for (i = 0; i < n; i++) {
		int before = READ_ONCE(recorded);

		WRITE_ONCE(stalls_due, i + 1);
		while (READ_ONCE(recorded) - before < STALL_AFTER)
			cond_resched();
		udelay(get_random_u32_below(20));
		/* Others go on here meanwhile. */
		while (smp_call_function_single_async(cpu, &stall_csd))
			fsleep(100);
		while (READ_ONCE(ran) < i + 1)
			fsleep(100);
		msleep(STALL_MS);
	}
	kthread_stop(thread);
	return 0;
}

static int __init lkst_test_irq_init(void)
{
	int err = 0;

	pid = current->pid;
	if (!strcmp(what, "call"))
		do_call();
	else if (!strcmp(what, "many"))
		do_many();
	else if (!strcmp(what, "resched"))
		do_resched();
	else if (!strcmp(what, "irq_work"))
		do_irq_work();
	else if (!strcmp(what, "tasklet"))
		do_tasklet();
	else if (!strcmp(what, "nmi"))
		err = do_nmi();
	else if (!strcmp(what, "thread"))
		err = do_thread();
	else if (!strcmp(what, "nested"))
		err = do_nested();
	else if (!strcmp(what, "ports"))
		do_ports();
	else if (!strcmp(what, "fault"))
		do_fault();
	else if (!strcmp(what, "stall"))
		err = do_stall();
	else
		err = -EINVAL;
	return err;
}

static void __exit lkst_test_irq_exit(void)
{
}

module_init(lkst_test_irq_init);
module_exit(lkst_test_irq_exit);
MODULE_DESCRIPTION("Provokes interrupts and exceptions for the tests of LKST");
MODULE_LICENSE("GPL");
