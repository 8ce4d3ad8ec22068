// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver with a fault: closing the device frees its structure, and the timer in it
 * is still pending. See Documentation/trace/lkst/stories/freed-timer.rst. What is
 * written to the parameter "do" is done to the device:
 *
 *	open		makes the structure and starts the timer, which is due after 1 s
 *	close		frees the structure
 *	shut		the same, but stops the timer before, as it should be
 *
 * The cache is its own, and a second object keeps it: nobody else gets the memory.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>

struct driver_device {
	struct timer_list timer;
	unsigned char rest[216];	/* the free list's pointer is in the middle */
};

static struct kmem_cache *cache;
static struct driver_device *keeper, *device;
static bool loose;
static unsigned int runs;
module_param(runs, uint, 0400);
MODULE_PARM_DESC(runs, "how often the timer's function was called");

static unsigned long address;

static int driver_address(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "0x%lx\n", address);
}

static const struct kernel_param_ops address_ops = { .get = driver_address };
module_param_cb(address, &address_ops, NULL, 0400);
MODULE_PARM_DESC(address, "of the structure, and of the timer");

static void driver_timeout(struct timer_list *timer)
{
	runs++;
}

static noinline int driver_open(void)
{
	if (device)
		return -EBUSY;
	device = kmem_cache_alloc(cache, GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	address = (unsigned long)device;
	timer_setup(&device->timer, driver_timeout, 0);
	device->timer.expires = jiffies + HZ;
	add_timer(&device->timer);
	return 0;
}

static noinline int driver_close(bool stop)
{
	if (!device)
		return -ENODEV;
	if (stop)
		timer_shutdown_sync(&device->timer);
	else
		loose = timer_pending(&device->timer);
	kmem_cache_free(cache, device);
	device = NULL;
	return 0;
}

static int driver_do(const char *val, const struct kernel_param *kp)
{
	if (sysfs_streq(val, "open"))
		return driver_open();
	if (sysfs_streq(val, "close"))
		return driver_close(false);
	if (sysfs_streq(val, "shut"))
		return driver_close(true);
	return -EINVAL;
}

static const struct kernel_param_ops driver_ops = { .set = driver_do };
module_param_cb(do, &driver_ops, NULL, 0200);
MODULE_PARM_DESC(do, "open, close or shut");

static int __init driver_init(void)
{
	cache = kmem_cache_create("lkst_test_driver", sizeof(*device), 0, SLAB_NO_MERGE, NULL);
	if (!cache)
		return -ENOMEM;
	keeper = kmem_cache_alloc(cache, GFP_KERNEL);
	if (keeper)
		return 0;
	kmem_cache_destroy(cache);
	return -ENOMEM;
}

static void __exit driver_exit(void)
{
	driver_close(true);
	/* The timer of what was freed has run by then. */
	if (loose)
		msleep(1100);
	kmem_cache_free(cache, keeper);
	kmem_cache_destroy(cache);
}

module_init(driver_init);
module_exit(driver_exit);
MODULE_DESCRIPTION("A driver with a fault, for LKST's tests");
MODULE_LICENSE("GPL");
