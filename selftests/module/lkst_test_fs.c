// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells programs what their files are in the kernel, and keeps buffers busy.
 *
 * Write the number of a file of yours to /sys/module/lkst_test_fs/parameters/file,
 * and read its address and that of its private data from there: a pipe's, an
 * eventfd's, an io_uring's. Loaded with device=PATH, it has two threads wait for a
 * locked buffer of that device, one to see it and one to lock it: their PIDs and the
 * buffer's address are in the other parameters then.
 */
#include <linux/blkdev.h>
#include <linux/buffer_head.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/module.h>

static unsigned long file, private_data;

static int file_set(const char *val, const struct kernel_param *kp)
{
	struct file *f;
	int fd, err;

	err = kstrtoint(val, 0, &fd);
	if (err)
		return err;
	f = fget(fd);
	if (!f)
		return -EBADF;
	file = (unsigned long)f;
	private_data = (unsigned long)f->private_data;
	fput(f);
	return 0;
}

static int file_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "0x%lx 0x%lx\n", file, private_data);
}

static const struct kernel_param_ops file_ops = {
	.set = file_set,
	.get = file_get,
};
module_param_cb(file, &file_ops, NULL, 0600);
MODULE_PARM_DESC(file, "number of an open file; its address and that of its private data");

static char *device;
module_param(device, charp, 0400);
MODULE_PARM_DESC(device, "block device whose buffer is kept busy");

static unsigned long block = 3, buffer, size;
module_param(block, ulong, 0400);
MODULE_PARM_DESC(block, "number of the block");
module_param(buffer, ulong, 0400);
MODULE_PARM_DESC(buffer, "address of its buffer head");
module_param(size, ulong, 0400);
MODULE_PARM_DESC(size, "size of a block");

static int waiter, locker;
module_param(waiter, int, 0400);
MODULE_PARM_DESC(waiter, "PID of the thread that waited for the buffer");
module_param(locker, int, 0400);
MODULE_PARM_DESC(locker, "PID of the thread that waited to lock it");

static DECLARE_COMPLETION(done);

static int lkst_test_wait(void *bh)
{
	wait_on_buffer(bh);
	complete(&done);
	return 0;
}

static int lkst_test_lock(void *bh)
{
	lock_buffer(bh);
	unlock_buffer(bh);
	complete(&done);
	return 0;
}

/* Runs @fn, which finds the buffer locked; returns the PID, or an error. */
static int busy(struct buffer_head *bh, int (*fn)(void *))
{
	unsigned long end = jiffies + 5 * HZ;
	struct task_struct *task;
	bool waits;
	int pid;

	lock_buffer(bh);
	task = kthread_run(fn, bh, "lkst_test_fs");
	if (IS_ERR(task)) {
		unlock_buffer(bh);
		return PTR_ERR(task);
	}
	pid = task->pid;
	/* It can't end before it has the buffer. */
	while (!(waits = READ_ONCE(task->__state) == TASK_UNINTERRUPTIBLE) &&
	       time_before(jiffies, end))
		usleep_range(100, 200);
	unlock_buffer(bh);
	wait_for_completion(&done);
	return waits ? pid : -ETIMEDOUT;
}

static int __init lkst_test_fs_init(void)
{
	struct buffer_head *bh;
	struct file *bdev;
	int err = -ENOMEM;

	if (!device)
		return 0;
	bdev = bdev_file_open_by_path(device, BLK_OPEN_READ, NULL, NULL);
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	size = block_size(file_bdev(bdev));
	bh = __getblk(file_bdev(bdev), block, size);
	if (bh) {
		buffer = (unsigned long)bh;
		waiter = busy(bh, lkst_test_wait);
		locker = busy(bh, lkst_test_lock);
		err = min3(waiter, locker, 0);
		/* Nobody holds it: neither waits. */
		wait_on_buffer(bh);
		lock_buffer(bh);
		unlock_buffer(bh);
		brelse(bh);
	}
	bdev_fput(bdev);
	return err;
}

static void __exit lkst_test_fs_exit(void)
{
}

module_init(lkst_test_fs_init);
module_exit(lkst_test_fs_exit);
MODULE_DESCRIPTION("Provokes events of files for the tests of LKST");
MODULE_LICENSE("GPL");
