// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provokes, at loading, events with arguments that no program can bring about: "none" where
 * a CPU should be, sizes that cannot be had, times that never come. The parameter told has
 * what a trace must show, as provoke_extremes.c prints it.
 *
 * While it is loaded there is a file system lkst_extremes, with a file called file whose
 * inode number has all its 64 bits in use.
 */
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <linux/writeback.h>

#define INODE		0xfedcba9876543210UL
#define GFP_MARK	(GFP_KERNEL | __GFP_NOMEMALLOC | __GFP_NORETRY | __GFP_NOWARN)

static char text[PAGE_SIZE];
static char *told = text;
module_param(told, charp, 0400);
MODULE_PARM_DESC(told, "what was done");

static size_t len;

#define tell(...) (len += scnprintf(text + len, sizeof(text) - len, __VA_ARGS__))

/* === A file === */

static struct address_space_operations extremes_aops;
static const struct file_operations extremes_fops = {
	.read_iter = generic_file_read_iter,
	.write_iter = generic_file_write_iter,
	.fsync = noop_fsync,
	.llseek = generic_file_llseek,
};

static int extremes_fill(struct super_block *sb, void *data, int silent)
{
	static const struct tree_descr files[] = {
		[2] = { "file", &extremes_fops, 0600 },
		{ "" },
	};
	struct dentry *dentry;
	struct inode *inode;
	int err;

	err = simple_fill_super(sb, 0x4c4b5354, files);
	if (err)
		return err;
	sb->s_maxbytes = MAX_LFS_FILESIZE;
	dentry = d_hash_and_lookup(sb->s_root, &(struct qstr)QSTR_INIT("file", 4));
	if (IS_ERR_OR_NULL(dentry))
		return -ENOENT;
	inode = d_inode(dentry);
	inode->i_ino = INODE;
	/* Like those of a ramfs, but that its pages become dirty. */
	extremes_aops = ram_aops;
	extremes_aops.dirty_folio = filemap_dirty_folio;
	inode->i_mapping->a_ops = &extremes_aops;
	mapping_set_gfp_mask(inode->i_mapping, GFP_HIGHUSER);
	dput(dentry);
	return 0;
}

static struct dentry *extremes_mount(struct file_system_type *type, int flags, const char *dev,
				     void *data)
{
	return mount_single(type, flags, data, extremes_fill);
}

static struct file_system_type extremes_type = {
	.name = "lkst_extremes",
	.mount = extremes_mount,
	.kill_sb = kill_litter_super,
	.owner = THIS_MODULE,
};

/* === Timers and work === */

static void extremes_run(struct timer_list *timer)
{
}

static void extremes_work(struct work_struct *work)
{
}

static DEFINE_TIMER(timer, extremes_run);
static DECLARE_WORK(work, extremes_work);

static void extremes_timers(void)
{
	timer.expires = jiffies + LONG_MAX;
	add_timer(&timer);
	tell("%d TIMER_ADD timer=0x%lx,expires=%lu,cpu=-1 0x%lx,-,0x%lx,0xffffffffffffffff\n",
	     current->pid, (unsigned long)&timer, timer.expires, (unsigned long)&timer,
	     timer.expires);
	timer_delete_sync(&timer);
	queue_work(system_unbound_wq, &work);
	tell("%d WORK_QUEUE work=0x%lx,cpu=-1 0x%lx,-,-,0xffffffffffffffff\n", current->pid,
	     (unsigned long)&work, (unsigned long)&work);
	flush_work(&work);
}

/* === Memory === */

static noinline void extremes_memory(void)
{
	/* A size that the compiler does not know, and nobody has. */
	size_t size = READ_ONCE(len) + (1UL << 44) + 12345;

	tell("%d MEM_MALLOC object=0x%lx,size=%zu,gfp=0x%x 0x0,0x%zx,0x%x,-\n", current->pid,
	     (unsigned long)kmalloc(size, GFP_MARK), size, GFP_MARK, size, GFP_MARK);
	tell("%d MEM_VMALLOC address=0x%lx,size=%zu,gfp=0x%x 0x0,0x%zx,0x%x,-\n", current->pid,
	     (unsigned long)__vmalloc(size, GFP_MARK), size, GFP_MARK, size, GFP_MARK);
}

static int __init lkst_test_extremes_init(void)
{
	extremes_timers();
	extremes_memory();
	return register_filesystem(&extremes_type);
}

static void __exit lkst_test_extremes_exit(void)
{
	unregister_filesystem(&extremes_type);
}

module_init(lkst_test_extremes_init);
module_exit(lkst_test_extremes_exit);
MODULE_DESCRIPTION("Provokes events with extreme arguments for the tests of LKST");
MODULE_LICENSE("GPL");
