// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes locks of each kind for the tests of LKST, at loading, from functions
 * that a trace must name; what=spin, sleep or contend says which.
 *
 * /sys/module/lkst_test_locks/parameters/report then tells where the locks are
 * and who waited.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/ww_mutex.h>

static char *what = "spin";
module_param(what, charp, 0444);
MODULE_PARM_DESC(what, "spin, sleep or contend");

static char *kind = "";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "contend: only the kinds that start so");

static unsigned int hold_ms;
module_param(hold_ms, uint, 0444);
MODULE_PARM_DESC(hold_ms, "contend: how long to sleep while somebody waits");

static char report[3072];
module_param_string(report, report, sizeof(report), 0400);
MODULE_PARM_DESC(report, "addresses and PIDs, a line each");

static size_t reported;

__printf(1, 2) static void tell(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	reported += vscnprintf(report + reported, sizeof(report) - reported, fmt, args);
	va_end(args);
}

static unsigned long addr(const void *p)
{
	return (unsigned long)p;
}

static DEFINE_SPINLOCK(spin);
static DEFINE_RAW_SPINLOCK(raw);
static DEFINE_RWLOCK(rw);
static DEFINE_MUTEX(mutex);
static DECLARE_RWSEM(rwsem);
static DEFINE_RT_MUTEX(rtmutex);
static DEFINE_SEMAPHORE(sem, 1);
static struct percpu_rw_semaphore percpu;
static DEFINE_WW_CLASS(ww_class);
static struct ww_mutex ww, ww2;

/*
 * === One after the other ===
 *
 * The barrier at the end keeps the last call from being a jump: its caller would
 * be the function's caller.
 */

static noinline void lkst_test_spin(void)
{
	unsigned long flags;

	spin_lock(&spin);
	spin_unlock(&spin);
	spin_lock_irq(&spin);
	spin_unlock_irq(&spin);
	spin_lock_irqsave(&spin, flags);
	spin_unlock_irqrestore(&spin, flags);
	spin_lock_bh(&spin);
	spin_unlock_bh(&spin);
	spin_lock_nested(&spin, SINGLE_DEPTH_NESTING);
	spin_unlock(&spin);
	spin_lock_irqsave_nested(&spin, flags, SINGLE_DEPTH_NESTING);
	spin_unlock_irqrestore(&spin, flags);

	if (spin_trylock(&spin)) {
		/* Held: both fail. */
		if (spin_trylock(&spin) || spin_trylock_bh(&spin))
			WARN_ON(1);
		spin_unlock(&spin);
	}
	if (spin_trylock_bh(&spin))
		spin_unlock_bh(&spin);
	barrier();
}

static noinline void lkst_test_raw(void)
{
	raw_spin_lock(&raw);
	raw_spin_unlock(&raw);
	if (raw_spin_trylock(&raw))
		raw_spin_unlock(&raw);
	barrier();
}

static noinline void lkst_test_write(void)
{
	unsigned long flags;

	write_lock(&rw);
	write_unlock(&rw);
	write_lock_irq(&rw);
	write_unlock_irq(&rw);
	write_lock_irqsave(&rw, flags);
	write_unlock_irqrestore(&rw, flags);
	write_lock_bh(&rw);
	write_unlock_bh(&rw);
	write_lock_nested(&rw, SINGLE_DEPTH_NESTING);
	write_unlock(&rw);
	if (write_trylock(&rw)) {
		if (write_trylock(&rw))
			WARN_ON(1);
		write_unlock(&rw);
	}
	barrier();
}

static noinline void lkst_test_read(void)
{
	unsigned long flags;

	read_lock(&rw);
	read_unlock(&rw);
	read_lock_irq(&rw);
	read_unlock_irq(&rw);
	read_lock_irqsave(&rw, flags);
	read_unlock_irqrestore(&rw, flags);
	read_lock_bh(&rw);
	read_unlock_bh(&rw);
	if (read_trylock(&rw))
		read_unlock(&rw);
	write_lock(&rw);
	if (read_trylock(&rw))
		WARN_ON(1);
	write_unlock(&rw);
	barrier();
}

static noinline void lkst_test_mutex(void)
{
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	if (!mutex_lock_interruptible(&mutex))
		mutex_unlock(&mutex);
	if (!mutex_lock_killable(&mutex))
		mutex_unlock(&mutex);
	mutex_lock_nested(&mutex, SINGLE_DEPTH_NESTING);
	mutex_unlock(&mutex);
	if (mutex_trylock(&mutex)) {
		/* No record of what was not taken. */
		if (mutex_trylock(&mutex))
			WARN_ON(1);
		mutex_unlock(&mutex);
	}
	mutex_lock_io(&mutex);
	mutex_unlock(&mutex);
	barrier();
}

static noinline void lkst_test_ww(void)
{
	struct ww_acquire_ctx ctx;

	if (!ww_mutex_lock(&ww, NULL))
		ww_mutex_unlock(&ww);
	if (!ww_mutex_lock_interruptible(&ww, NULL))
		ww_mutex_unlock(&ww);
	if (ww_mutex_trylock(&ww, NULL))
		ww_mutex_unlock(&ww);
	ww_acquire_init(&ctx, &ww_class);
	if (!ww_mutex_lock(&ww, &ctx)) {
		if (ww_mutex_trylock(&ww2, &ctx))
			ww_mutex_unlock(&ww2);
		ww_mutex_unlock(&ww);
	}
	ww_acquire_fini(&ctx);
	barrier();
}

static noinline void lkst_test_rwsem_read(void)
{
	down_read(&rwsem);
	up_read(&rwsem);
	if (!down_read_interruptible(&rwsem))
		up_read(&rwsem);
	if (!down_read_killable(&rwsem))
		up_read(&rwsem);
	down_read_nested(&rwsem, SINGLE_DEPTH_NESTING);
	up_read(&rwsem);
	down_read_non_owner(&rwsem);
	up_read_non_owner(&rwsem);
	if (down_read_trylock(&rwsem)) {
		if (down_write_trylock(&rwsem))
			WARN_ON(1);
		up_read(&rwsem);
	}
	barrier();
}

static noinline void lkst_test_rwsem_write(void)
{
	down_write(&rwsem);
	up_write(&rwsem);
	if (!down_write_killable(&rwsem))
		up_write(&rwsem);
	down_write_nested(&rwsem, SINGLE_DEPTH_NESTING);
	up_write(&rwsem);
	if (down_write_trylock(&rwsem)) {
		if (down_read_trylock(&rwsem))
			WARN_ON(1);
		up_write(&rwsem);
	}
	down_write(&rwsem);
	downgrade_write(&rwsem);
	up_read(&rwsem);
	barrier();
}

static noinline void lkst_test_rtmutex(void)
{
	rt_mutex_lock(&rtmutex);
	rt_mutex_unlock(&rtmutex);
	if (!rt_mutex_lock_interruptible(&rtmutex))
		rt_mutex_unlock(&rtmutex);
	if (!rt_mutex_lock_killable(&rtmutex))
		rt_mutex_unlock(&rtmutex);
	if (rt_mutex_trylock(&rtmutex)) {
		if (rt_mutex_trylock(&rtmutex))
			WARN_ON(1);
		rt_mutex_unlock(&rtmutex);
	}
	barrier();
}

/* === One holds it, another waits === */

/*
 * @wait: takes and releases the lock, or returns an error
 * @ready: of a lock that spins: is somebody waiting?
 * @sig: sent to who waits, instead of releasing the lock
 */
struct kind {
	const char *name;
	void *lock;
	void (*hold)(void);
	void (*drop)(void);
	int (*wait)(void);
	bool (*ready)(void);
	int sig;
};

#define HOLD(name, lock, unlock)						\
static void name##_hold(void) { lock; }						\
static void name##_drop(void) { unlock; }

#define WAIT(name, lock, unlock)						\
static noinline int lkst_wait_##name(void)					\
{										\
	lock;									\
	unlock;									\
	return 0;								\
}

#define WAIT_SIGNAL(name, lock, unlock)						\
static noinline int lkst_wait_##name(void)					\
{										\
	int ret = lock;								\
										\
	if (!ret)								\
		unlock;								\
	return ret;								\
}

HOLD(mutex, mutex_lock(&mutex), mutex_unlock(&mutex))
WAIT(mutex, mutex_lock(&mutex), mutex_unlock(&mutex))
WAIT_SIGNAL(mutex_intr, mutex_lock_interruptible(&mutex), mutex_unlock(&mutex))
HOLD(read, down_read(&rwsem), up_read(&rwsem))
HOLD(write, down_write(&rwsem), up_write(&rwsem))
WAIT(read, down_read(&rwsem), up_read(&rwsem))
WAIT(write, down_write(&rwsem), up_write(&rwsem))
WAIT_SIGNAL(read_intr, down_read_interruptible(&rwsem), up_read(&rwsem))
WAIT_SIGNAL(write_kill, down_write_killable(&rwsem), up_write(&rwsem))
HOLD(rtmutex, rt_mutex_lock(&rtmutex), rt_mutex_unlock(&rtmutex))
WAIT(rtmutex, rt_mutex_lock(&rtmutex), rt_mutex_unlock(&rtmutex))
WAIT_SIGNAL(rtmutex_intr, rt_mutex_lock_interruptible(&rtmutex), rt_mutex_unlock(&rtmutex))
HOLD(sem, down(&sem), up(&sem))
WAIT(sem, down(&sem), up(&sem))
WAIT_SIGNAL(sem_intr, down_interruptible(&sem), up(&sem))
HOLD(percpu, percpu_down_write(&percpu), percpu_up_write(&percpu))
WAIT(percpu_read, percpu_down_read(&percpu), percpu_up_read(&percpu))
WAIT(percpu_write, percpu_down_write(&percpu), percpu_up_write(&percpu))
HOLD(rw, write_lock(&rw), write_unlock(&rw))
WAIT(rw_read, read_lock(&rw), read_unlock(&rw))
WAIT(rw_write, write_lock(&rw), write_unlock(&rw))
WAIT(spin, spin_lock(&spin), spin_unlock(&spin))

static bool rw_ready(void)
{
	return rwlock_is_contended(&rw);
}

#ifdef CONFIG_QUEUED_SPINLOCKS
/*
 * The first who waits sets a bit and is no contention yet in the kernel's eyes,
 * only those behind are. With the bit set by the holder, the first is behind: it
 * shows as a tail, and the bit alone tells nothing of who waits.
 */
static void spin_hold(void)
{
	spin_lock(&spin);
	atomic_or(_Q_PENDING_VAL, &spin.rlock.raw_lock.val);
}

static void spin_drop(void)
{
	atomic_andnot(_Q_PENDING_VAL, &spin.rlock.raw_lock.val);
	spin_unlock(&spin);
}

static bool spin_ready(void)
{
	return atomic_read(&spin.rlock.raw_lock.val) & _Q_TAIL_MASK;
}
#endif

/* In a guest, spinlocks may have no queue, and no contention: see virt_spin_lock(). */
static bool may_lack_queue(const struct kind *k)
{
#if defined(CONFIG_X86) && defined(CONFIG_PARAVIRT)
	return k->lock == &spin && boot_cpu_has(X86_FEATURE_HYPERVISOR);
#else
	return false;
#endif
}

static const struct kind kinds[] = {
	{ "mutex", &mutex, mutex_hold, mutex_drop, lkst_wait_mutex },
	{ "mutex_intr", &mutex, mutex_hold, mutex_drop, lkst_wait_mutex_intr, NULL, SIGUSR1 },
	{ "rwsem_read", &rwsem, write_hold, write_drop, lkst_wait_read },
	{ "rwsem_read_intr", &rwsem, write_hold, write_drop, lkst_wait_read_intr, NULL,
	  SIGUSR1 },
	{ "rwsem_write", &rwsem, write_hold, write_drop, lkst_wait_write },
	{ "rwsem_write_kill", &rwsem, write_hold, write_drop, lkst_wait_write_kill, NULL,
	  SIGKILL },
	{ "rwsem_write_read", &rwsem, read_hold, read_drop, lkst_wait_write },
	{ "rtmutex", &rtmutex, rtmutex_hold, rtmutex_drop, lkst_wait_rtmutex },
	{ "rtmutex_intr", &rtmutex, rtmutex_hold, rtmutex_drop, lkst_wait_rtmutex_intr, NULL,
	  SIGUSR1 },
	{ "sem", &sem, sem_hold, sem_drop, lkst_wait_sem },
	{ "sem_intr", &sem, sem_hold, sem_drop, lkst_wait_sem_intr, NULL, SIGUSR1 },
	{ "percpu_read", &percpu, percpu_hold, percpu_drop, lkst_wait_percpu_read },
	{ "percpu_write", &percpu, percpu_hold, percpu_drop, lkst_wait_percpu_write },
	{ "rw_read", &rw, rw_hold, rw_drop, lkst_wait_rw_read, rw_ready },
	{ "rw_write", &rw, rw_hold, rw_drop, lkst_wait_rw_write, rw_ready },
#ifdef CONFIG_QUEUED_SPINLOCKS
	{ "spin", &spin, spin_hold, spin_drop, lkst_wait_spin, spin_ready },
#endif
};

/* No test is without an end: whoever waits is there by then, or there is an error. */
#define WAIT_SECONDS	5

static DECLARE_COMPLETION(waited);
static struct task_struct *waiter;

static int lkst_waiter(void *data)
{
	const struct kind *k = data;
	int ret;

	if (k->sig)
		allow_signal(k->sig);
	ret = k->wait();
	/* For kthread_stop(), with the signal pending: that ends what can be interrupted. */
	complete(&waited);
	while (!kthread_should_stop())
		msleep(1);
	return ret;
}

static int lkst_holder(void *data)
{
	unsigned long end = jiffies + WAIT_SECONDS * HZ;
	const struct kind *k = data;
	bool ready;

	k->hold();
	wake_up_process(waiter);
	while (!(ready = k->ready()) && time_before(jiffies, end))
		cpu_relax();
	k->drop();
	while (!kthread_should_stop())
		msleep_interruptible(1);
	return ready ? 0 : -ETIMEDOUT;
}

/* Asleep, and all that is recorded before has been. */
static bool asleep(struct task_struct *task)
{
	return READ_ONCE(task->__state) & (TASK_UNINTERRUPTIBLE | TASK_INTERRUPTIBLE) &&
	       !READ_ONCE(task->on_cpu);
}

static int contend_sleeping(const struct kind *k)
{
	unsigned long end = jiffies + WAIT_SECONDS * HZ;
	bool sleeps;

	k->hold();
	wake_up_process(waiter);
	while (!(sleeps = asleep(waiter)) && time_before(jiffies, end))
		usleep_range(1000, 2000);
	if (hold_ms)
		msleep(hold_ms);
	if (k->sig && sleeps)
		send_sig(k->sig, waiter, 1);
	else
		k->drop();
	wait_for_completion(&waited);
	if (k->sig && sleeps)
		k->drop();
	return sleeps ? 0 : -ETIMEDOUT;
}

static int contend_spinning(const struct kind *k)
{
	struct task_struct *holder = kthread_create(lkst_holder, (void *)k, "lkst_holder");

	if (IS_ERR(holder))
		return PTR_ERR(holder);
	kthread_bind(holder, cpumask_first(cpu_online_mask));
	kthread_bind(waiter, cpumask_last(cpu_online_mask));
	wake_up_process(holder);
	wait_for_completion(&waited);
	return kthread_stop(holder);
}

static int contend(const struct kind *k)
{
	int ret, stopped;

	if (k->ready && num_online_cpus() < 2)
		return 0;
	waiter = kthread_create(lkst_waiter, (void *)k, "lkst_waiter");
	if (IS_ERR(waiter))
		return PTR_ERR(waiter);
	get_task_struct(waiter);
	ret = k->ready ? contend_spinning(k) : contend_sleeping(k);
	if (!ret)
		tell("%s 0x%lx %d 0x%lx\n", k->name, addr(k->lock), waiter->pid, addr(current));
	stopped = kthread_stop(waiter);
	put_task_struct(waiter);
	if (ret == -ETIMEDOUT && may_lack_queue(k))
		return 0;
	if (ret)
		return ret;
	return stopped == (k->sig ? -EINTR : 0) ? 0 : -EIO;
}

static int __init lkst_test_locks_init(void)
{
	int i, ret;

	ret = percpu_init_rwsem(&percpu);
	if (ret)
		return ret;
	tell("pid %d\n", current->pid);
	ww_mutex_init(&ww, &ww_class);
	ww_mutex_init(&ww2, &ww_class);
	if (!strcmp(what, "spin")) {
		tell("spin 0x%lx\nraw 0x%lx\nrw 0x%lx\n", addr(&spin), addr(&raw), addr(&rw));
		lkst_test_spin();
		lkst_test_raw();
		lkst_test_write();
		lkst_test_read();
	} else if (!strcmp(what, "sleep")) {
		tell("mutex 0x%lx\nww 0x%lx\nww2 0x%lx\nrwsem 0x%lx\nrtmutex 0x%lx\n",
		     addr(&mutex), addr(&ww.base), addr(&ww2.base), addr(&rwsem),
		     addr(&rtmutex));
		lkst_test_mutex();
		lkst_test_ww();
		lkst_test_rwsem_read();
		lkst_test_rwsem_write();
		lkst_test_rtmutex();
	} else {
		for (i = 0; i < ARRAY_SIZE(kinds) && !ret; i++)
			if (str_has_prefix(kinds[i].name, kind) || !*kind)
				ret = contend(&kinds[i]);
	}
	if (ret)
		percpu_free_rwsem(&percpu);
	return ret;
}

static void __exit lkst_test_locks_exit(void)
{
	percpu_free_rwsem(&percpu);
}

module_init(lkst_test_locks_init);
module_exit(lkst_test_locks_exit);
MODULE_DESCRIPTION("Takes locks for the tests of LKST");
MODULE_LICENSE("GPL");
