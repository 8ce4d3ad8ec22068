// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places of LKST_LOG_TEXT(): all conversions, texts that are too long, and all contexts.
 *
 * What snprintf() makes of the same is in the parameter said, a line each.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/lkst_log.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char said[PAGE_SIZE];

static __printf(2, 3) void say(const char *name, const char *fmt, ...)
{
	size_t n = strlen(said);
	va_list args;

	n += scnprintf(said + n, sizeof(said) - n, "%s text=", name);
	va_start(args, fmt);
	n += vscnprintf(said + n, sizeof(said) - n, fmt, args);
	va_end(args);
	scnprintf(said + n, sizeof(said) - n, "\n");
}

#define TEXT(name, fmt, ...)							\
do {										\
	LKST_LOG_TEXT(name, fmt, ##__VA_ARGS__);				\
	say(#name, fmt, ##__VA_ARGS__);						\
} while (0)

static noinline void pass_numbers(void)
{
	int m = -42, zero = 0;
	unsigned int u = 4000000000;
	long long ll = -81985529216486896;
	unsigned char byte = 200;
	short half = -30000;

	TEXT(text_none, "100%% of nothing");
	TEXT(text_int, "%d %i %u %x %X %o %#x %#o", m, m, u, u, u, u, u, u);
	TEXT(text_zero, "%d %u %x %#x %#o %c|%5d|%-5d|", zero, zero, zero, zero, zero, 'z', zero,
	     zero);
	TEXT(text_width, "%6d|%-6d|%06d|%+d|% d|%.4d|%8.4d|", m, m, m, 42, 42, 42, 42);
	TEXT(text_star, "%*d|%-*d|%.*d|", 6, m, 6, m, 4, 42);
	TEXT(text_size, "%hhu %hd %ld %lld %llu %lx %zu %td", byte, half, (long)ll, ll, ll,
	     (unsigned long)ll, sizeof(said), (ptrdiff_t)m);
	/* One byte, then one that has to be at a multiple of 2, or 4. */
	TEXT(text_odd, "%c%hd%c%d%c%lld%c%lx", 'a', half, 'b', m, 'c', ll, 'd',
	     (unsigned long)ll);
}

static noinline void pass_strings(void)
{
	static const char long_text[] =
		"0123456789012345678901234567890123456789012345678901234567890123456789"
		"0123456789012345678901234567890123456789012345678901234567890123456789"
		"0123456789012345678901234567890123456789012345678901234567890123456789"
		"01234567890123456789012345678901234567890123456789";
	static const u8 address[] = { 192, 0, 2, 1 };
	char name[] = "eth0";

	TEXT(text_string, "%s|%8s|%-8s|%.2s|%*s|%s|", name, name, name, name, 6, name, "");
	TEXT(text_mixed, "%c%s%d%s%c%lld", 'x', "a", 1, "bcd", 'y', 2LL);
	TEXT(text_pointed, "%pI4 %*ph", address, 4, address);
	TEXT(text_pointer, "%p %px %pK", name, (void *)0xfedc, name);
	TEXT(text_symbol, "%ps %pS %pB", schedule, schedule, schedule);
	TEXT(text_error, "%pe %pe", ERR_PTR(-ENOMEM), ERR_PTR(-EINVAL));
	/* What fits just so, 239 bytes and a NUL; what does not; and one that is made long. */
	TEXT(text_fits, "%s", long_text + sizeof(long_text) - 240);
	LKST_LOG_TEXT(text_above, "%s", long_text + sizeof(long_text) - 241);
	LKST_LOG_TEXT(text_long, "%s%s", long_text, long_text);
	LKST_LOG_TEXT(text_wide, "%300d%300d", 1, 2);
	/* A line stays one. */
	LKST_LOG_TEXT(text_lines, "tab\there, %s\n", "line\nbreak");
	LKST_LOG_TEXT(text_lines, "tab\there, %s\n", name);
}

static __always_inline void text_where(int where, const char *what)
{
	LKST_LOG_TEXT(text_where, "%d: in %s", where, what);
}

static DECLARE_COMPLETION(fired);
static DEFINE_RAW_SPINLOCK(lock);

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	text_where(1, "an interrupt");
	complete(&fired);
	return HRTIMER_NORESTART;
}

static void on_tasklet(struct tasklet_struct *tasklet)
{
	text_where(2, "a softirq");
	complete(&fired);
}

static DECLARE_TASKLET(tasklet, on_tasklet);

static noinline void pass_contexts(void)
{
	struct hrtimer timer;
	unsigned long flags;

	text_where(0, "a task");
	hrtimer_init_on_stack(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = on_timer;
	hrtimer_start(&timer, 1000, HRTIMER_MODE_REL_HARD);
	wait_for_completion(&fired);
	hrtimer_cancel(&timer);
	destroy_hrtimer_on_stack(&timer);
	tasklet_schedule(&tasklet);
	wait_for_completion(&fired);
	raw_spin_lock_irqsave(&lock, flags);
	text_where(3, "a lock");
	raw_spin_unlock_irqrestore(&lock, flags);
}

/* Writing a number to it passes each place so often. */
static int pass_set(const char *value, const struct kernel_param *kp)
{
	unsigned int n;
	int ret = kstrtouint(value, 0, &n);

	for (; !ret && n; n--) {
		said[0] = '\0';
		pass_numbers();
		pass_strings();
		pass_contexts();
	}
	return ret;
}

static const struct kernel_param_ops pass_ops = {
	.set = pass_set,
};

module_param_cb(pass, &pass_ops, NULL, 0200);

static int said_get(char *buffer, const struct kernel_param *kp)
{
	return strscpy(buffer, said, PAGE_SIZE);
}

static const struct kernel_param_ops said_ops = {
	.get = said_get,
};

module_param_cb(said, &said_ops, NULL, 0400);

static int __init test_init(void)
{
	return 0;
}
module_init(test_init);

static void __exit test_exit(void)
{
	tasklet_kill(&tasklet);
}
module_exit(test_exit);

MODULE_DESCRIPTION("Places of LKST_LOG_TEXT(), for tests");
MODULE_LICENSE("GPL");
