// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frees, drops and receives packets in the ways that only a driver does. What
 * happened to which is in the parameter "report", as assignments for a shell.
 *
 * An interface whose name is written to the parameter "stop" takes no packets
 * until it is written to "wake", as if its hardware were busy.
 */
#include <linux/completion.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>

/* Of local experiments: nobody takes it. */
#define PROTOCOL	0x88b5
#define BUDGET		16
#define WORK		3

static char report[1024];
module_param_string(report, report, sizeof(report), 0444);

static struct net_device *lo;
static struct napi_struct napi;
static struct sk_buff *gro;
static DECLARE_COMPLETION(polled);

static __printf(1, 2) void say(const char *format, ...)
{
	size_t len = strlen(report);
	va_list ap;

	va_start(ap, format);
	vscnprintf(report + len, sizeof(report) - len, format, ap);
	va_end(ap);
}

static struct sk_buff *packet(const char *name, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(256, GFP_KERNEL | __GFP_NOFAIL);

	skb_put_zero(skb, len);
	skb_reset_mac_header(skb);
	skb->dev = lo;
	skb->protocol = htons(PROTOCOL);
	if (name)
		say("%s=0x%px ", name, skb);
	return skb;
}

/* A function of its own: its caller's code is gone after loading. */
static noinline void free_and_drop(void)
{
	struct sk_buff *skb, *consumed, *dropped;

	consume_skb(packet("consumed", 60));
	kfree_skb_reason(packet("dropped", 61), SKB_DROP_REASON_PKT_TOO_BIG);

	/* Freed by the last of its users, and only then. */
	skb = packet("shared", 62);
	skb_get(skb);
	kfree_skb_reason(skb, SKB_DROP_REASON_PKT_TOO_BIG);
	consume_skb(skb);

	/* A drop that says it is none. */
	kfree_skb_reason(packet("not_dropped", 63), SKB_CONSUMED);

	skb = packet("list1", 64);
	skb->next = packet("list2", 65);
	kfree_skb_list_reason(skb, SKB_DROP_REASON_FULL_RING);

	skb = packet("napi_consumed", 66);
	consumed = packet("irq_consumed", 67);
	dropped = packet("irq_dropped", 68);
	local_bh_disable();
	napi_consume_skb(skb, BUDGET);
	/* These two wait for the softirq. */
	dev_consume_skb_irq(consumed);
	dev_kfree_skb_irq_reason(dropped, SKB_DROP_REASON_DEV_READY);
	local_bh_enable();
}

static void receive(void)
{
	struct sk_buff *one = packet("received", 70);
	struct sk_buff *two = packet("listed1", 71);
	struct sk_buff *three = packet("listed2", 72);
	LIST_HEAD(list);

	list_add_tail(&two->list, &list);
	list_add_tail(&three->list, &list);
	local_bh_disable();
	netif_receive_skb(one);
	netif_receive_skb_list(&list);
	local_bh_enable();
}

/* A page with an Ethernet header in it, as a driver with fragments has it. */
static void frags(unsigned int len)
{
	struct page *page = alloc_page(GFP_ATOMIC | __GFP_ZERO);
	struct sk_buff *skb = napi_get_frags(&napi);
	struct ethhdr *eth;

	if (!page || !skb)
		return;
	eth = page_address(page);
	eth->h_proto = htons(PROTOCOL);
	skb_add_rx_frag(skb, 0, page, 0, ETH_HLEN + len, PAGE_SIZE);
	say("frags=0x%px ", skb);
	napi_gro_frags(&napi);
}

static int poll(struct napi_struct *n, int budget)
{
	frags(81);
	napi_gro_receive(n, gro);
	napi_complete_done(n, WORK);
	complete(&polled);
	return WORK;
}

static int stop_or_wake(const char *val, const struct kernel_param *kp)
{
	struct net_device *dev;
	char name[IFNAMSIZ];

	strscpy(name, val);
	dev = dev_get_by_name(current->nsproxy->net_ns, strim(name));
	if (!dev)
		return -ENODEV;
	if (!strcmp(kp->name, "stop"))
		netif_tx_stop_all_queues(dev);
	else
		netif_tx_wake_all_queues(dev);
	dev_put(dev);
	return 0;
}

static const struct kernel_param_ops stop_ops = { .set = stop_or_wake };
module_param_cb(stop, &stop_ops, NULL, 0200);
module_param_cb(wake, &stop_ops, NULL, 0200);

static int __init lkst_test_net_init(void)
{
	lo = dev_get_by_name(&init_net, "lo");
	if (!lo)
		return -ENODEV;
	say("lo=%d ", lo->ifindex);
	free_and_drop();
	receive();

	say("napi=0x%px work=%d budget=%d ", &napi, WORK, BUDGET);
	gro = packet("gro", 80);
	rtnl_lock();
	netif_napi_add_weight(lo, &napi, poll, BUDGET);
	napi_enable(&napi);
	local_bh_disable();
	napi_schedule(&napi);
	local_bh_enable();
	wait_for_completion(&polled);
	napi_disable(&napi);
	netif_napi_del(&napi);
	rtnl_unlock();
	dev_put(lo);
	return 0;
}

static void __exit lkst_test_net_exit(void)
{
}

module_init(lkst_test_net_init);
module_exit(lkst_test_net_exit);

MODULE_DESCRIPTION("Packets for the tests of LKST");
MODULE_LICENSE("GPL");
