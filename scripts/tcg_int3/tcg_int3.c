// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lets kernels patch their code on more than one CPU under QEMU's TCG.
 *
 * QEMU before 8.1 has a race: a CPU that is just translating a piece of code
 * misses a write to it by another CPU, and goes on with what it has read. When
 * the kernel turns a static key, a kprobe or a tracepoint on or off, the piece
 * then has a breakpoint in it that is long gone, and the kernel dies of it:
 * "Oops: int3". (QEMU's commit deba78709a, "accel/tcg: Always lock pages before
 * translation", closes it.)
 *
 * If there is no breakpoint at the place of the breakpoint, that is what has
 * happened. Writing the byte that is there once more makes QEMU forget its
 * translation; then the instruction is done again.
 *
 * If there is one, it may be that of the next change, which came between the kernel's
 * look for a change that goes on, as there was none, and ours. So it is done again
 * then, too, and if the kernel still knows nothing of it after some times, it is a
 * breakpoint that does not belong there.
 */
#include <linux/jiffies.h>
#include <linux/kdebug.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <asm/processor-flags.h>
#include <asm/special_insns.h>
#include <asm/text-patching.h>

static unsigned long seen;
module_param(seen, ulong, 0444);
MODULE_PARM_DESC(seen, "Number of breakpoints that were not there");

static unsigned long again;
module_param(again, ulong, 0444);
MODULE_PARM_DESC(again, "Number of breakpoints that were there, and done again");

/* How often one CPU does a breakpoint again, within a second from the first time. */
#define TRIES	16

static DEFINE_PER_CPU(u8 *, tried);
static DEFINE_PER_CPU(unsigned long, tried_at);
static DEFINE_PER_CPU(unsigned int, tries);

/* Interrupts are off. */
static bool try_again(u8 *code)
{
	if (__this_cpu_read(tried) != code ||
	    time_after(jiffies, __this_cpu_read(tried_at) + HZ)) {
		__this_cpu_write(tried, code);
		__this_cpu_write(tried_at, jiffies);
		__this_cpu_write(tries, 0);
	}
	return __this_cpu_inc_return(tries) <= TRIES;
}

static int tcg_int3(struct notifier_block *nb, unsigned long event, void *data)
{
	struct die_args *args = data;
	struct pt_regs *regs = args->regs;
	unsigned long cr0;
	u8 *code;

	if (event != DIE_INT3 || user_mode(regs))
		return NOTIFY_DONE;

	code = (u8 *)regs->ip - INT3_INSN_SIZE;
	if (READ_ONCE(*code) == INT3_INSN_OPCODE) {
		if (!try_again(code))
			return NOTIFY_DONE;
		regs->ip = (unsigned long)code;
		again++;
		return NOTIFY_STOP;
	}

	/* Interrupts are off. */
	cr0 = native_read_cr0();
	asm volatile("mov %0, %%cr0" : : "r" (cr0 & ~X86_CR0_WP) : "memory");
	asm volatile("lock orb $0, %0" : "+m" (*code));
	asm volatile("mov %0, %%cr0" : : "r" (cr0) : "memory");

	regs->ip = (unsigned long)code;
	seen++;
	return NOTIFY_STOP;
}

static struct notifier_block tcg_int3_block = {
	.notifier_call = tcg_int3,
	.priority = INT_MAX,
};

static int __init tcg_int3_init(void)
{
	return register_die_notifier(&tcg_int3_block);
}
module_init(tcg_int3_init);

static void __exit tcg_int3_exit(void)
{
	unregister_die_notifier(&tcg_int3_block);
}
module_exit(tcg_int3_exit);

MODULE_DESCRIPTION("Works around a race of QEMU's TCG with patched code");
MODULE_LICENSE("GPL");
