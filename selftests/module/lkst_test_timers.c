// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes the events of timers, deferred work, RCU and power management, and
 * tells what a trace must then show: a line a record, in its order,
 *
 *	CPU PID EVENT ARG...
 *
 * with "-" for what is not known and "LOW..HIGH" for what is not known exactly.
 */
#include <linux/completion.h>
#include <linux/cpufreq.h>
#include <linux/cpuidle.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/stop_machine.h>
#include <linux/syscore_ops.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#define FAR	(1000 * HZ)
#define FAR_NS	(1000ULL * NSEC_PER_SEC)

static char told[PAGE_SIZE];
static size_t told_len;
static DEFINE_RAW_SPINLOCK(told_lock);

static int told_get(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%s", told);
}

static const struct kernel_param_ops told_ops = { .get = told_get };
module_param_cb(told, &told_ops, NULL, 0400);
MODULE_PARM_DESC(told, "what a trace must show");

static char *what = "";
module_param(what, charp, 0444);
MODULE_PARM_DESC(what, "timers, timeout, hrtimers, late, work, kthread, rcu, freq, freq_shared, idle, poll, suspend or reset");

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "PID of who loaded the module");

static unsigned long from, to;
module_param(from, ulong, 0444);
MODULE_PARM_DESC(from, "jiffies or grace periods before what was provoked");
module_param(to, ulong, 0444);
MODULE_PARM_DESC(to, "the same afterwards");

static __printf(2, 3) void tell_cpu(int cpu, const char *fmt, ...)
{
	unsigned long flags;
	va_list args;

	raw_spin_lock_irqsave(&told_lock, flags);
	if (cpu >= 0)
		told_len += scnprintf(told + told_len, sizeof(told) - told_len, "%d", cpu);
	else
		told_len += scnprintf(told + told_len, sizeof(told) - told_len, "-");
	told_len += scnprintf(told + told_len, sizeof(told) - told_len, " %d ", current->pid);
	va_start(args, fmt);
	told_len += vscnprintf(told + told_len, sizeof(told) - told_len, fmt, args);
	va_end(args);
	raw_spin_unlock_irqrestore(&told_lock, flags);
}

#define tell(fmt, ...)		tell_cpu(-1, fmt "\n", ##__VA_ARGS__)
/* Where the task cannot be moved. */
#define tell_here(fmt, ...)	tell_cpu(raw_smp_processor_id(), fmt "\n", ##__VA_ARGS__)

/* As lkst_helper prints them. */
#define addr(x)		((unsigned long)(x))

static DECLARE_COMPLETION(done);
static DECLARE_COMPLETION(started);
static DECLARE_COMPLETION(go);

/* === Timers === */

static struct timer_list timer;
static int ran_on;

static void lkst_test_timer(struct timer_list *t)
{
	ran_on = smp_processor_id();
	tell_here("TIMER_RUN 0x%lx 0x%lx 0x%lx 0x%lx..0x%lx", addr(t), addr(lkst_test_timer),
		  t->expires, t->expires, jiffies);
	complete(&done);
}

static void tell_timer(const char *event, unsigned long expires, long more)
{
	tell("%s 0x%lx 0x%lx 0x%lx 0x%lx", event, addr(&timer), addr(lkst_test_timer), expires,
	     more);
}

static void tell_del(const char *event, int pending)
{
	tell("%s 0x%lx 0x%lx 0x%x", event, addr(&timer), addr(lkst_test_timer), pending);
}

static void mod(unsigned long expires, int pending)
{
	tell_timer("TIMER_MOD", expires, pending);
	mod_timer(&timer, expires);
}

static void del(int pending)
{
	tell_del("TIMER_DEL", pending);
	timer_delete(&timer);
}

static int provoke_timers(void)
{
	unsigned long far = jiffies + FAR;
	int cpu = cpumask_last(cpu_online_mask);

	timer_setup(&timer, lkst_test_timer, 0);
	timer.expires = far;
	tell_timer("TIMER_ADD", far, -1);
	add_timer(&timer);

	mod(far + HZ, 1);
	mod(far + HZ, 1);
	mod(far + HZ + 1, 1);
	/* No later than it is: nothing happens. */
	timer_reduce(&timer, far + 2 * HZ);
	tell_timer("TIMER_MOD", far, 1);
	timer_reduce(&timer, far);
	tell_timer("TIMER_MOD", far + FAR, 1);
	mod_timer_pending(&timer, far + FAR);
	del(1);
	del(0);
	/* Not pending: nothing happens. */
	mod_timer_pending(&timer, far);
	tell_timer("TIMER_MOD", far, 0);
	timer_reduce(&timer, far);

	tell_del("TIMER_DEL_SYNC", 1);
	timer_delete_sync(&timer);
	tell_del("TIMER_DEL_SYNC", 0);
	timer_delete_sync(&timer);
	mod(far, 0);
	tell_del("TIMER_DEL_SYNC", 1);
	try_to_del_timer_sync(&timer);
	tell_del("TIMER_DEL_SYNC", 0);
	try_to_del_timer_sync(&timer);

	/* Bound to this CPU, and so it stays for add_timer(). */
	preempt_disable();
	tell_timer("TIMER_ADD", far, smp_processor_id());
	add_timer_local(&timer);
	preempt_enable();
	del(1);
	preempt_disable();
	tell_timer("TIMER_ADD", far, smp_processor_id());
	add_timer(&timer);
	preempt_enable();
	del(1);
	tell_timer("TIMER_ADD", far, -1);
	add_timer_global(&timer);
	del(1);

	timer.expires = jiffies + 2;
	tell_timer("TIMER_ADD", timer.expires, cpu);
	add_timer_on(&timer, cpu);
	wait_for_completion(&done);
	if (ran_on != cpu)
		return -EIO;
	tell_del("TIMER_DEL_SYNC", 0);
	timer_delete_sync(&timer);

	mod(jiffies + 3, 0);
	wait_for_completion(&done);
	tell_del("TIMER_DEL_SYNC", 0);
	timer_delete_sync(&timer);

	mod(far, 0);
	tell_del("TIMER_DEL", 1);
	timer_shutdown(&timer);
	/* Shut down: nothing happens. */
	mod_timer(&timer, far);
	add_timer(&timer);
	add_timer_on(&timer, cpu);
	tell("TIMER_DEL_SYNC 0x%lx 0x0 0x0", addr(&timer));
	timer_delete_sync(&timer);

	timer_setup(&timer, lkst_test_timer, 0);
	mod(far, 0);
	tell_del("TIMER_DEL_SYNC", 1);
	timer_shutdown_sync(&timer);
	return 0;
}

static int provoke_timeout(void)
{
	from = jiffies;
	schedule_timeout_uninterruptible(2);
	to = jiffies;
	return 0;
}

/* === High-resolution timers === */

static struct hrtimer hrtimer;
static int again;

static enum hrtimer_restart lkst_test_hrtimer(struct hrtimer *t)
{
	tell_here("TIMER_HR_RUN 0x%lx 0x%lx 0x%llx..0x%llx", addr(t), addr(lkst_test_hrtimer),
		  hrtimer_get_expires(t), hrtimer_cb_get_time(t));
	tell_here("TIMER_HR_END 0x%lx 0x%x", addr(t), again > 0);
	if (again-- > 0) {
		hrtimer_add_expires_ns(t, 2 * NSEC_PER_MSEC);
		tell_here("TIMER_HR_START 0x%lx 0x%lx 0x%llx 0x1", addr(t),
			  addr(lkst_test_hrtimer), hrtimer_get_expires(t));
		return HRTIMER_RESTART;
	}
	complete(&done);
	return HRTIMER_NORESTART;
}

static void tell_hr_start(ktime_t low, ktime_t high, int clock)
{
	tell("TIMER_HR_START 0x%lx 0x%lx 0x%llx..0x%llx 0x%x", addr(&hrtimer),
	     addr(lkst_test_hrtimer), low, high, clock);
}

static void tell_hr_cancel(void)
{
	tell("TIMER_HR_CANCEL 0x%lx 0x%lx", addr(&hrtimer), addr(lkst_test_hrtimer));
}

static int provoke_hrtimers(void)
{
	static const int clocks[] = { CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI };
	ktime_t far = ktime_get() + FAR_NS, now;
	int i;

	hrtimer_init(&hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	hrtimer.function = lkst_test_hrtimer;
	tell_hr_start(far, far, CLOCK_MONOTONIC);
	hrtimer_start(&hrtimer, far, HRTIMER_MODE_ABS);
	tell_hr_start(far + 1005, far + 1005, CLOCK_MONOTONIC);
	hrtimer_start_range_ns(&hrtimer, far + 5, 1000, HRTIMER_MODE_ABS_PINNED);
	tell_hr_cancel();
	hrtimer_cancel(&hrtimer);
	hrtimer_cancel(&hrtimer);

	now = ktime_get() + 2 * NSEC_PER_MSEC;
	again = 2;
	tell_hr_start(now, now + 10 * NSEC_PER_SEC, CLOCK_MONOTONIC);
	hrtimer_start(&hrtimer, 2 * NSEC_PER_MSEC, HRTIMER_MODE_REL);
	wait_for_completion(&done);
	/* It has run: there is nothing to cancel. */
	hrtimer_cancel(&hrtimer);

	hrtimer_init(&hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	hrtimer.function = lkst_test_hrtimer;
	now = ktime_get() + 2 * NSEC_PER_MSEC;
	tell_hr_start(now, now + 10 * NSEC_PER_SEC, CLOCK_MONOTONIC);
	again = 0;
	hrtimer_start(&hrtimer, 2 * NSEC_PER_MSEC, HRTIMER_MODE_REL_SOFT);
	wait_for_completion(&done);
	hrtimer_cancel(&hrtimer);

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		hrtimer_init(&hrtimer, clocks[i], HRTIMER_MODE_ABS);
		hrtimer.function = lkst_test_hrtimer;
		far = hrtimer_cb_get_time(&hrtimer) + FAR_NS;
		tell_hr_start(far, far, clocks[i]);
		hrtimer_start(&hrtimer, far, HRTIMER_MODE_ABS);
		tell_hr_cancel();
		hrtimer_cancel(&hrtimer);
	}
	return 0;
}

/* === Timers that are late === */

#define LATE_MS		20

static enum hrtimer_restart lkst_test_late(struct hrtimer *t)
{
	tell_here("late %lld", ktime_to_ns(ktime_sub(ktime_get(), hrtimer_get_expires(t))));
	complete(&done);
	return HRTIMER_NORESTART;
}

/* Due after a millisecond, while interrupts are off: they are what it waits for. */
static int provoke_late(void)
{
	unsigned long flags;
	ktime_t end;

	hrtimer_init(&hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer.function = lkst_test_late;
	local_irq_save(flags);
	hrtimer_start(&hrtimer, NSEC_PER_MSEC, HRTIMER_MODE_REL_PINNED_HARD);
	end = ktime_add_ms(ktime_get(), LATE_MS);
	while (ktime_before(ktime_get(), end))
		cpu_relax();
	local_irq_restore(flags);
	wait_for_completion(&done);
	return 0;
}

/* === Deferred work === */

static void lkst_test_blocks(struct work_struct *work)
{
	tell("WORK_START 0x%lx 0x%lx", addr(work), addr(lkst_test_blocks));
	complete(&started);
	wait_for_completion(&go);
	tell("WORK_END 0x%lx 0x%lx", addr(work), addr(lkst_test_blocks));
}

static void lkst_test_works(struct work_struct *work)
{
	tell("WORK_START 0x%lx 0x%lx", addr(work), addr(lkst_test_works));
	tell("WORK_END 0x%lx 0x%lx", addr(work), addr(lkst_test_works));
}

static DECLARE_WORK(first, lkst_test_blocks);
static DECLARE_WORK(second, lkst_test_works);
static DECLARE_WORK(bottom, lkst_test_works);
static DECLARE_DELAYED_WORK(later, lkst_test_works);

static void tell_queue(struct work_struct *work, struct workqueue_struct *wq, long cpu)
{
	tell("WORK_QUEUE 0x%lx 0x%lx 0x%lx 0x%lx", addr(work), addr(work->func), addr(wq), cpu);
}

static int provoke_work(void)
{
	struct workqueue_struct *bound, *unbound;
	int cpu = cpumask_last(cpu_online_mask);
	unsigned long end;
	bool late;

	bound = alloc_workqueue("lkst_test", 0, 1);
	unbound = alloc_workqueue("lkst_test_unbound", WQ_UNBOUND, 0);
	if (!bound || !unbound)
		return -ENOMEM;

	tell_queue(&first, bound, cpu);
	queue_work_on(cpu, bound, &first);
	wait_for_completion(&started);
	/* Has to wait, and is queued once. */
	tell_queue(&second, bound, cpu);
	queue_work_on(cpu, bound, &second);
	queue_work_on(cpu, bound, &second);
	complete(&go);
	flush_workqueue(bound);

	tell_queue(&second, unbound, -1);
	queue_work(unbound, &second);
	flush_workqueue(unbound);

	preempt_disable();
	tell_queue(&bottom, system_bh_wq, smp_processor_id());
	queue_work(system_bh_wq, &bottom);
	preempt_enable();
	flush_work(&bottom);

	/* A timer queues it. */
	tell("TIMER_ADD 0x%lx 0x%lx 0x%lx..0x%lx 0x%x", addr(&later.timer),
	     addr(delayed_work_timer_fn), jiffies + 2, jiffies + FAR, cpu);
	tell_cpu(cpu, "TIMER_RUN 0x%lx 0x%lx - -\n", addr(&later.timer),
		 addr(delayed_work_timer_fn));
	tell_cpu(cpu, "WORK_QUEUE 0x%lx 0x%lx 0x%lx 0x%x\n", addr(&later.work),
		 addr(later.work.func), addr(bound), cpu);
	queue_delayed_work_on(cpu, bound, &later, 2);
	/* Its timer is not hurried, unless it has not run for five seconds. */
	end = jiffies + 5 * HZ;
	while (!(late = time_after(jiffies, end)) && delayed_work_pending(&later))
		msleep(20);
	flush_delayed_work(&later);

	tell("TIMER_ADD 0x%lx 0x%lx 0x%lx..0x%lx 0x%x", addr(&later.timer),
	     addr(delayed_work_timer_fn), jiffies + FAR, jiffies + 2 * FAR, cpu);
	queue_delayed_work_on(cpu, bound, &later, FAR);
	tell("TIMER_DEL 0x%lx 0x%lx 0x1", addr(&later.timer), addr(delayed_work_timer_fn));
	cancel_delayed_work_sync(&later);

	destroy_workqueue(bound);
	destroy_workqueue(unbound);
	return late ? -ETIMEDOUT : 0;
}

static void lkst_test_kwork(struct kthread_work *work)
{
	tell("WORK_KTHREAD_START 0x%lx 0x%lx", addr(work), addr(lkst_test_kwork));
	tell("WORK_KTHREAD_END 0x%lx 0x%lx", addr(work), addr(lkst_test_kwork));
}

static int provoke_kthread(void)
{
	static DEFINE_KTHREAD_WORK(work, lkst_test_kwork);
	struct kthread_worker *worker = kthread_create_worker(0, "lkst_test");
	int i;

	if (IS_ERR(worker))
		return PTR_ERR(worker);
	for (i = 0; i < 3; i++) {
		tell("WORK_KTHREAD_QUEUE 0x%lx 0x%lx 0x%lx", addr(&work), addr(lkst_test_kwork),
		     addr(worker));
		kthread_queue_work(worker, &work);
		kthread_flush_work(&work);
	}
	kthread_destroy_worker(worker);
	return 0;
}

/* === RCU === */

#ifdef CONFIG_TINY_RCU
static unsigned long rcu_get_gp_seq(void)
{
	return 0;
}
#else
unsigned long rcu_get_gp_seq(void);
#endif

static void lkst_test_rcu(struct rcu_head *head)
{
	tell_here("RCU_CALLBACK 0x%lx 0x%lx", addr(head), addr(lkst_test_rcu));
	complete(&done);
}

static int provoke_rcu(void)
{
	static struct rcu_head head;
	int i;

	from = rcu_get_gp_seq();
	for (i = 0; i < 3; i++) {
		call_rcu(&head, lkst_test_rcu);
		wait_for_completion(&done);
	}
	to = rcu_get_gp_seq();
	return 0;
}

/* === Frequency === */

#ifdef CONFIG_CPU_FREQ
static struct cpufreq_frequency_table freqs[] = {
	{ .frequency = 1000000 },
	{ .frequency = 2000000 },
	{ .frequency = 3000000 },
	{ .frequency = CPUFREQ_TABLE_END },
};

static unsigned int khz[NR_CPUS];

static bool fails;
module_param(fails, bool, 0600);
MODULE_PARM_DESC(fails, "changes of the frequency fail");

static void tell_freq(struct cpufreq_policy *policy, unsigned int freq)
{
	tell("POWER_FREQUENCY 0x%x 0x%x 0x%lx", policy->cpu, freq,
	     cpumask_bits(policy->related_cpus)[0]);
}

static int lkst_test_freq_init(struct cpufreq_policy *policy)
{
	policy->freq_table = freqs;
	if (!strcmp(what, "freq_shared"))
		cpumask_copy(policy->cpus, cpu_present_mask);
	if (!khz[policy->cpu])
		khz[policy->cpu] = freqs[0].frequency;
	return 0;
}

static int lkst_test_freq_target(struct cpufreq_policy *policy, unsigned int index)
{
	tell_freq(policy, freqs[index].frequency);
	if (fails) {
		/* Back to what it was. */
		tell_freq(policy, khz[policy->cpu]);
		return -EIO;
	}
	khz[policy->cpu] = freqs[index].frequency;
	return 0;
}

static unsigned int lkst_test_freq_switch(struct cpufreq_policy *policy, unsigned int freq)
{
	tell_freq(policy, freq);
	khz[policy->cpu] = freq;
	return freq;
}

static unsigned int lkst_test_freq_get(unsigned int cpu)
{
	return khz[cpu];
}

static struct cpufreq_driver freq_driver = {
	.name = "lkst_test",
	.init = lkst_test_freq_init,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = lkst_test_freq_target,
	.fast_switch = lkst_test_freq_switch,
	.get = lkst_test_freq_get,
};

static int fast_set(const char *val, const struct kernel_param *kp)
{
	struct cpufreq_policy *policy;
	unsigned int freq;
	int ret = kstrtouint(val, 0, &freq);

	if (ret)
		return ret;
	policy = cpufreq_cpu_get(0);
	if (!policy)
		return -ENODEV;
	cpufreq_driver_fast_switch(policy, freq);
	cpufreq_cpu_put(policy);
	return 0;
}

static const struct kernel_param_ops fast_ops = { .set = fast_set };
module_param_cb(fast, &fast_ops, NULL, 0200);
MODULE_PARM_DESC(fast, "switches the frequency of CPU 0 as a governor would");

static int provoke_freq(void)
{
	return cpufreq_register_driver(&freq_driver);
}

static void end_freq(void)
{
	cpufreq_unregister_driver(&freq_driver);
}
#else
static int provoke_freq(void)
{
	return -ENODEV;
}

static void end_freq(void) { }
#endif

/* === Idle === */

#if defined(CONFIG_X86_64) && defined(CONFIG_CPU_IDLE)
static __cpuidle int lkst_test_idle(struct cpuidle_device *dev, struct cpuidle_driver *drv,
				    int index)
{
	raw_safe_halt();
	raw_local_irq_disable();
	return index;
}

static struct cpuidle_driver idle_driver = {
	.name = "lkst_test",
	.states = {
		[1] = {
			.enter = lkst_test_idle,
			.exit_latency = 1,
			.target_residency = 1,
			.name = "short",
			.desc = "short",
		},
		[2] = {
			.enter = lkst_test_idle,
			.exit_latency = 10,
			.target_residency = 1000,
			.name = "long",
			.desc = "long",
		},
	},
	.state_count = 3,
};

static int provoke_idle(void)
{
	cpuidle_poll_state_init(&idle_driver);
	/* CPUs that are possible and not there have no device. */
	idle_driver.cpumask = (struct cpumask *)cpu_present_mask;
	return cpuidle_register(&idle_driver, NULL);
}

static void end_idle(void)
{
	cpuidle_unregister(&idle_driver);
}
#else
static int provoke_idle(void)
{
	return -ENODEV;
}

static void end_idle(void) { }
#endif

/* Idle CPUs poll for a while, as with "nohlt" or "idle=poll". */
static int provoke_poll(void)
{
	struct kprobe kp = { .symbol_name = "cpu_idle_poll_ctrl" };
	void (*ctrl)(bool enable);
	int ret;

	/* It is not exported. */
	ret = register_kprobe(&kp);
	if (ret)
		return ret;
	ctrl = (void *)kp.addr;
	unregister_kprobe(&kp);

	ctrl(true);
	msleep(100);
	ctrl(false);
	return 0;
}

/* === Suspension === */

/*
 * The clocks are suspended and resumed as for a machine that sleeps, with the devices left
 * alone, as xen_suspend() does: the host's files would not come back. How long it was is
 * read from a clock of whole seconds.
 */
#define ASLEEP_MS	2500

static int sleep_a_while(void *unused)
{
	int ret = syscore_suspend();

	if (ret)
		return ret;
	mdelay(ASLEEP_MS);
	syscore_resume();
	return 0;
}

static int provoke_suspend(void)
{
	return stop_machine(sleep_a_while, NULL, cpumask_of(0));
}

/*
 * No counter can be reset here. But LKST may take it for one: as if it had been some minutes
 * to an hour further before, by the speed of the counter.
 */
static int was_further(struct kprobe *kp, struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	regs->di += BIT_ULL(40);
#elif defined(CONFIG_ARM64)
	regs->regs[0] += BIT_ULL(40);
#endif
	return 0;
}

static int provoke_reset(void)
{
	struct kprobe kp = { .symbol_name = "lkst_clock_resume", .pre_handler = was_further };
	int ret;

	/* Not on the NOP of a static key, with which it may start. */
	do {
		kp.addr = NULL;
		ret = register_kprobe(&kp);
	} while ((ret == -EINVAL || ret == -EILSEQ) && ++kp.offset < 8);
	if (ret)
		return ret;
	ret = provoke_suspend();
	unregister_kprobe(&kp);
	return ret;
}

static const struct {
	const char *name;
	int (*provoke)(void);
} cases[] = {
	{ "timers", provoke_timers },
	{ "timeout", provoke_timeout },
	{ "hrtimers", provoke_hrtimers },
	{ "late", provoke_late },
	{ "work", provoke_work },
	{ "kthread", provoke_kthread },
	{ "rcu", provoke_rcu },
	{ "freq", provoke_freq },
	{ "freq_shared", provoke_freq },
	{ "idle", provoke_idle },
	{ "poll", provoke_poll },
	{ "suspend", provoke_suspend },
	{ "reset", provoke_reset },
};

static int __init lkst_test_timers_init(void)
{
	int i;

	pid = current->pid;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (!strcmp(what, cases[i].name))
			return cases[i].provoke();
	return -EINVAL;
}

static void __exit lkst_test_timers_exit(void)
{
	if (!strncmp(what, "freq", 4))
		end_freq();
	if (!strcmp(what, "idle"))
		end_idle();
	rcu_barrier();
}

module_init(lkst_test_timers_init);
module_exit(lkst_test_timers_exit);
MODULE_DESCRIPTION("Provokes events of timers, work and power for the tests of LKST");
MODULE_LICENSE("GPL");
