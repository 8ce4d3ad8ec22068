// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates and frees kernel memory in every way there is, at loading.
 *
 * The parameters pages and slab then tell what a trace must show, one thing a
 * line: NAME NUMBER...
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

/* Flags that nobody else combines so. */
#define GFP_MARK	(GFP_KERNEL | __GFP_NOMEMALLOC | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
/* Other ones: vmalloc() and KASAN take pages with what they are given, and these again. */
#define PAGE_MARK	(GFP_KERNEL | __GFP_NOMEMALLOC | __GFP_NORETRY | __GFP_NOWARN)

static char text[2][PAGE_SIZE];
static char *pages = text[0], *slab = text[1];
module_param(pages, charp, 0400);
MODULE_PARM_DESC(pages, "what was done with pages");
module_param(slab, charp, 0400);
MODULE_PARM_DESC(slab, "what was done with objects");

static int hog;
module_param(hog, int, 0400);
MODULE_PARM_DESC(hog, "1: take all memory for a moment");

static char *into = text[0];
static size_t len;

#define at(p)	((unsigned long)(p))
#define tell(...) (len += scnprintf(into + len, PAGE_SIZE - len, __VA_ARGS__))

static noinline void lkst_test_memory_pages(void)
{
	struct page *small, *large, *split, *bulk[6] = {}, *compound;
	unsigned long zeroed;
	int i, n;

	small = alloc_page(PAGE_MARK);
	large = alloc_pages(PAGE_MARK | __GFP_MOVABLE, 3);
	compound = alloc_pages(PAGE_MARK | __GFP_COMP, 2);
	split = alloc_pages(PAGE_MARK, 2);
	zeroed = get_zeroed_page(PAGE_MARK);
	/* It gives what is there at once. */
	for (i = 0; i < 100; i++) {
		n = alloc_pages_bulk_array(PAGE_MARK | __GFP_ZERO, ARRAY_SIZE(bulk), bulk);
		if (n == ARRAY_SIZE(bulk))
			break;
	}
	if (!small || !large || !compound || !split || !zeroed || n != ARRAY_SIZE(bulk)) {
		tell("failed 1\n");
		return;
	}

	tell("page %lx 0 %x 0\n", page_to_pfn(small), PAGE_MARK);
	tell("page %lx 3 %x 1\n", page_to_pfn(large), PAGE_MARK | __GFP_MOVABLE);
	tell("page %lx 2 %x 0\n", page_to_pfn(compound), PAGE_MARK | __GFP_COMP);
	tell("page %lx 2 %x 0\n", page_to_pfn(split), PAGE_MARK);
	tell("page %lx 0 %x 0\n", page_to_pfn(virt_to_page((void *)zeroed)), PAGE_MARK | __GFP_ZERO);
	tell("zeroed %lx 0 %x\n", page_to_pfn(virt_to_page((void *)zeroed)), PAGE_MARK | __GFP_ZERO);
	for (i = 0; i < n; i++) {
		tell("page %lx 0 %x 0\n", page_to_pfn(bulk[i]), PAGE_MARK | __GFP_ZERO);
		tell("zeroed %lx 0 %x\n", page_to_pfn(bulk[i]), PAGE_MARK | __GFP_ZERO);
		tell("freepage %lx 0\n", page_to_pfn(bulk[i]));
	}
	tell("freepage %lx 0\n", page_to_pfn(small));
	tell("freepage %lx 3\n", page_to_pfn(large));
	tell("freepage %lx 2\n", page_to_pfn(compound));
	tell("freepage %lx 0\n", page_to_pfn(virt_to_page((void *)zeroed)));
	/* Someone else holds the first: the others are freed in two parts. */
	tell("freepage %lx 1\n", page_to_pfn(split) + 2);
	tell("freepage %lx 0\n", page_to_pfn(split) + 1);
	tell("freepage %lx 0\n", page_to_pfn(split));

	for (i = 0; i < n; i++)
		put_page(bulk[i]);
	__free_page(small);
	__free_pages(large, 3);
	put_page(compound);
	free_page(zeroed);
	get_page(split);
	__free_pages(split, 2);
	put_page(split);
}

static noinline void lkst_test_memory_slab(void)
{
	void *obj[3], *bulk[5], *mem[10] = {}, *kmem[4];
	struct kmem_cache *cache;
	int i, n;
	/* Sizes that the compiler does not know. */
	size_t size = READ_ONCE(hog) + 300, large = READ_ONCE(hog) + 40000;

	cache = kmem_cache_create("lkst_test_memory", 136, 64, SLAB_NO_MERGE, NULL);
	if (!cache) {
		tell("failed 1\n");
		return;
	}
	tell("create %lx 136 %x\n", at(cache), 64);

	obj[0] = kmem_cache_alloc(cache, GFP_KERNEL);
	obj[1] = kmem_cache_alloc_node(cache, GFP_NOWAIT, 0);
	obj[2] = kmem_cache_alloc_lru(cache, NULL, GFP_MARK);
	n = kmem_cache_alloc_bulk(cache, GFP_MARK, ARRAY_SIZE(bulk), bulk);
	tell("alloc %lx %lx %x\n", at(obj[0]), at(cache), GFP_KERNEL);
	tell("alloc %lx %lx %x\n", at(obj[1]), at(cache), GFP_NOWAIT);
	tell("alloc %lx %lx %x\n", at(obj[2]), at(cache), GFP_MARK);
	for (i = 0; i < n; i++)
		tell("alloc %lx %lx %x\n", at(bulk[i]), at(cache), GFP_MARK);

	mem[0] = kmalloc(200, GFP_KERNEL);
	mem[1] = kmalloc(size, GFP_MARK);
	mem[2] = kmalloc_node(100, GFP_KERNEL, 0);
	mem[3] = kmalloc_node(size, GFP_KERNEL, 0);
	mem[4] = kzalloc(72, GFP_NOWAIT);
	mem[5] = kmemdup(text[0], 77, GFP_KERNEL);
	mem[6] = kmalloc(20000, GFP_KERNEL);
	mem[7] = kmalloc_node(20001, GFP_KERNEL, 0);
	mem[8] = kmalloc(large, GFP_KERNEL);
	mem[9] = kvmalloc(500, GFP_KERNEL);
	tell("malloc %lx %d %x\n", at(mem[0]), 200, GFP_KERNEL);
	tell("malloc %lx %zd %x\n", at(mem[1]), size, GFP_MARK);
	tell("malloc %lx %d %x\n", at(mem[2]), 100, GFP_KERNEL);
	tell("malloc %lx %zd %x\n", at(mem[3]), size, GFP_KERNEL);
	tell("malloc %lx %d %x\n", at(mem[4]), 72, GFP_NOWAIT | __GFP_ZERO);
	tell("malloc %lx %d %x\n", at(mem[5]), 77, GFP_KERNEL);
	tell("large %lx %d %x\n", at(mem[6]), 20000, GFP_KERNEL);
	tell("large %lx %d %x\n", at(mem[7]), 20001, GFP_KERNEL);
	tell("inner %lx %zd %x\n", at(mem[8]), large, GFP_KERNEL);
	tell("other %lx %d %x\n", at(mem[9]), 500, GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(kmem); i++) {
		kmem[i] = kmalloc(400 + i, GFP_MARK);
		tell("malloc %lx %d %x\n", at(kmem[i]), 400 + i, GFP_MARK);
	}

	for (i = 0; i < ARRAY_SIZE(obj); i++) {
		tell("cfree %lx %lx\n", at(obj[i]), at(cache));
		kmem_cache_free(cache, obj[i]);
	}
	for (i = 0; i < n; i++)
		tell("cfree %lx %lx\n", at(bulk[i]), at(cache));
	kmem_cache_free_bulk(cache, n, bulk);
	for (i = 0; i < ARRAY_SIZE(kmem); i++)
		tell("free %lx\n", at(kmem[i]));
	kfree_bulk(ARRAY_SIZE(kmem), kmem);
	for (i = 0; i < ARRAY_SIZE(mem); i++) {
		tell("%s %lx\n", i == 9 ? "kvfree" : "free", at(mem[i]));
		i == 9 ? kvfree(mem[i]) : kfree(mem[i]);
	}
	kmem_cache_destroy(cache);
}

static noinline void lkst_test_memory_vmalloc(void)
{
	void *a, *b, *c;

	a = vmalloc(3 * PAGE_SIZE + 100);
	b = __vmalloc(5000, GFP_MARK);
	/* More than there is. */
	c = __vmalloc(1UL << (BITS_PER_LONG - 20), GFP_MARK);
	tell("vmalloc %lx %lu %x\n", at(a), 3 * PAGE_SIZE + 100, GFP_KERNEL);
	tell("vmalloc %lx %d %x\n", at(b), 5000, GFP_MARK);
	tell("vmalloc %lx %lu %x\n", (unsigned long)c, 1UL << (BITS_PER_LONG - 20), GFP_MARK);
	tell("vfree %lx\n", at(a));
	vfree(a);
	/* As in an interrupt: a worker frees it. */
	tell("vfree %lx\n", at(b));
	local_bh_disable();
	vfree(b);
	local_bh_enable();
}

/* Takes pages of this order until there are none. */
static void take(struct list_head *taken, int order)
{
	struct page *page;

	while ((page = alloc_pages(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN, order))) {
		set_page_private(page, order);
		list_add(&page->lru, taken);
	}
}

static void lkst_test_memory_hog(void)
{
	struct page *page, *next;
	LIST_HEAD(taken);

	take(&taken, MAX_PAGE_ORDER);
	take(&taken, 3);
	list_for_each_entry_safe(page, next, &taken, lru)
		__free_pages(page, page_private(page));
	tell("gfp %x\n", GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
}

static int __init lkst_test_memory_init(void)
{
	tell("pid %d\n", current->pid);

	if (hog) {
		lkst_test_memory_hog();
		return 0;
	}
	tell("func_alloc %lx\n", at(lkst_test_memory_slab));
	tell("func_vmalloc %lx\n", at(lkst_test_memory_vmalloc));
	lkst_test_memory_pages();
	lkst_test_memory_vmalloc();
	into = text[1];
	len = 0;
	lkst_test_memory_slab();
	return 0;
}

static void __exit lkst_test_memory_exit(void)
{
}

module_init(lkst_test_memory_init);
module_exit(lkst_test_memory_exit);
MODULE_DESCRIPTION("Provokes memory events for the tests of LKST");
MODULE_LICENSE("GPL");
