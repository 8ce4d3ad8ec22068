/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time that threads lost, of which it is known how much to what.
 */

/* What thread A, or who is in its place, records after so many tenths of a millisecond. */
#define LOSS_T(t)	(T0 + (t) * (MS / 10))
#define LOSS_LOCK	0xffffffff82002000ULL

static void loss_call(unsigned int t, unsigned int nr)
{
	record(LOSS_T(t), 8, 201, 0, "wlll", A(nr), A(5), A(0), A(0));
}

static void loss_spin(unsigned int t, int begins)
{
	record(LOSS_T(t), begins ? 114 : 115, 201, 0, "lw", LOSS_LOCK, A(begins));
}

static void loss_fault(unsigned int t, int begins)
{
	if (begins)
		record(LOSS_T(t), 165, 201, 0, "lll", A(0x401000), A(4), A(0x7f0000000000));
	else
		record(LOSS_T(t), 166, 201, 0, "");
}

/* A leaves CPU 0 to nobody, or comes back. */
static void loss_switch(unsigned int t, int leaves, unsigned int state)
{
	if (leaves)
		record(LOSS_T(t), 1, 201, 8, "llw", task(1), task(9), A(state));
	else
		record(LOSS_T(t), 1, 0, 8, "llw", task(9), task(1), A(0));
}

static void loss_irq(unsigned int t, unsigned int event, uint32_t pid, unsigned int nr)
{
	record(LOSS_T(t), event, pid, event == 16 || event == 17 ? SOFT : HARD,
	       event == 10 || event == 11 ? "ww" : "w", A(nr), event == 10 ? func() : 1);
}

/* A timer that is due at 70 is called at 72; a softirq that is raised at 85 starts at 88. */
static void loss_late(void)
{
	loss_call(590, 35);
	record(LOSS_T(591), 132, 201, 0x200, "lwlw", A(0xffffc90000001000), function(F_HRTIMER),
	       MONO0 + 70000000, A(1));
	loss_switch(600, 1, 1);
	loss_irq(710, 33, 0, 236);
	record(LOSS_T(720), 133, 0, HARD, "lwl", A(0xffffc90000001000), function(F_HRTIMER),
	       MONO0 + 72000000);
	record(LOSS_T(720), 2, 0, HARD, "l", task(1));
	loss_irq(725, 34, 0, 236);
	loss_switch(730, 0, 0);
	loss_call(790, 45);
	loss_switch(800, 1, 1);
	loss_irq(810, 16, 0, 3);
	loss_irq(815, 17, 0, 3);
	loss_irq(850, 29, 0, 3);
	loss_irq(880, 16, 0, 3);
	record(LOSS_T(885), 92, 0, SOFT, "lwww", A(0xffff888001000000), A(2), A(60), A(0x800));
	record(LOSS_T(890), 2, 0, SOFT, "l", task(1));
	loss_irq(890, 17, 0, 3);
	loss_switch(900, 0, 0);
}

/*
 * A runs on CPU 0 from 0, and B on CPU 1, which wakes A up. Of A's time, in ms:
 *
 *	vector 236 10 to 14; a page fault 20 to 30, in which it spins from 22 to 25
 *	spins 40 to 45, irq 4 in it from 42 to 43; 50 without an end
 *	nanosleep() 60 to 72, 2 too late; recvfrom() 80 to 89, of which the softirq 0 to 3
 *	sync() 95 to 98, which nothing can interrupt; vfork() 101 to 105, which is no loss
 *	a futex that is locked 110 to 114, and one that is not 120 to 124
 *
 * After these, CPU 0 takes 1, 1, 1, 0, 0.5 and 0 ms to run it.
 */
static void loss_cpu_0(void)
{
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, 201, 9, 0, 0, "swapper/0");
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	loss_call(0, 39);
	loss_irq(100, 33, 201, 236);
	loss_irq(140, 34, 201, 236);
	loss_fault(200, 1);
	loss_spin(220, 1);
	loss_spin(250, 0);
	loss_fault(300, 0);
	loss_spin(400, 1);
	loss_irq(420, 10, 201, 4);
	loss_irq(430, 11, 201, 4);
	loss_spin(450, 0);
	loss_spin(500, 1);
	loss_call(550, 39);
	loss_spin(560, 0);
	loss_late();
	loss_call(940, 162);
	loss_switch(950, 1, 2);
	loss_switch(990, 0, 0);
	loss_call(1000, 58);
	loss_switch(1010, 1, 2);
	loss_switch(1050, 0, 0);
	loss_call(1090, 202);
	record(LOSS_T(1095), 125, 201, 0, "lww", A(0x7f0000001001), A(2), A(0xffffffff));
	loss_switch(1100, 1, 1);
	loss_switch(1145, 0, 0);
	loss_call(1190, 202);
	record(LOSS_T(1195), 125, 201, 0, "lww", A(0x7f0000001001), A(0), A(0xffffffff));
	loss_switch(1200, 1, 1);
	loss_switch(1240, 0, 0);
	loss_call(1500, 39);
	block_end();
}

static void loss_cpu_1(void)
{
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	wakeup(98, 202, 1);
	wakeup(105, 202, 1);
	wakeup(114, 202, 1);
	wakeup(124, 202, 1);
	record(T0 + 150 * MS, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	block_end();
}

static void loss(void)
{
	waits_head();
	loss_cpu_0();
	loss_cpu_1();
	text(8, wait_symbols);
	finish();
}

/*
 * B is ready up to 1, from 5 to 20, and from 55 to 60, A from 2 to 5. CPU 1, which idles, is
 * first heard of at 50.
 */
static void loss_unsure(void)
{
	waits_head();
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, 201, 9, 0, 0, "swapper/0");
	name(0, 201, 1, 201, 201, "A");
	name(0, 201, 2, 202, 202, "B");
	loss_call(0, 39);
	leave(1, 1, 2, 1);
	wakeup(2, 202, 1);
	leave(5, 2, 1, 0);
	leave(20, 1, 2, 1);
	leave(40, 2, 9, 1);
	wakeup(41, 0, 1);
	record(T0 + 41 * MS, 1, 0, 8, "llw", task(9), task(1), A(0));
	wakeup(55, 201, 2);
	leave(60, 1, 2, 1);
	record(T0 + 80 * MS, 8, 202, 0, "wlll", A(39), A(0), A(0), A(0));
	block_end();
	block_begin(1, "main", 1, 0, 0, T0);
	record(T0 + 50 * MS, 16, 0, SOFT, "w", A(1));
	record(T0 + 50 * MS, 17, 0, SOFT, "w", A(1));
	block_end();
	finish();
}

/*
 * Whatever takes room: N threads, of names that no terminal may have, wait for a lock each,
 * longer and longer; the interrupt that comes meanwhile has a handler with a long name.
 */
static void loss_names(void)
{
	static const char odd[16] = "\x01\x02\"\\\x7f\xff\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b";
	char symbols[600] = "0xffffffff81000020 ";
	uint64_t t = T0;
	unsigned long i;

	memset(symbols + strlen(symbols), 'f', 500);
	waits_head();
	block_begin(0, "main", 1, 0, 0, T0);
	name(0, 1, 0, 0, 0, "swapper/0");
	for (i = 1; i <= number; i++) {
		record_comm(t, 1015, 200 + i, task(i), TID(200 + i, 200 + i), odd);
		record(t, 8, 200 + i, 0, "wlll", A(0), A(3), A(0), A(0));
		record(t, 117, 200 + i, 0, "lwl", LOSS_LOCK + 64 * i, function(F_LOCKS), task(i));
		record(t + MS, 1, 200 + i, 8, "llw", task(i), task(i + 1), A(2));
		record(t + 2 * MS, 10, 201 + i, HARD, "ww", A(4), function(F_LOCKS));
		record(t + 14 * MS, 11, 201 + i, HARD, "ww", A(4), A(1));
		t += 20 * MS + i * MS;
		record(t, 2, 201 + i, 8, "l", task(i));
	}
	block_end();
	only_cpu_0();
	text(8, symbols);
	finish();
}

/*
 * A switches the recording on, and sleeps 5 ms for that; and in its next call 100 ms so that
 * nothing can interrupt it.
 */
static void loss_recorder(void)
{
	waits_head();
	block_begin(0, "main", 1, 0, 0, LOSS_T(0));
	name(0, 201, 9, 0, 0, "swapper/0");
	name(0, 201, 1, 201, 201, "A");
	record(LOSS_T(0), 1010, 201, 0, "qq", A(0), A(4));
	loss_switch(10, 1, 2);
	record(LOSS_T(60), 2, 0, HARD, "l", task(1));
	loss_switch(61, 0, 0);
	loss_call(100, 162);
	loss_switch(110, 1, 2);
	record(LOSS_T(1110), 2, 0, HARD, "l", task(1));
	loss_switch(1111, 0, 0);
	loss_call(1200, 39);
	block_end();
	only_cpu_0();
	finish();
}

/* A is interrupted from 5 to 15, and spins for a lock from 20 on, to the end at 40. */
static void loss_open(void)
{
	waits_head();
	block_begin(0, "main", 1, 0, 0, LOSS_T(0));
	name(0, 201, 9, 0, 0, "swapper/0");
	name(0, 201, 1, 201, 201, "A");
	loss_call(0, 39);
	loss_irq(50, 10, 201, 4);
	loss_irq(150, 11, 201, 4);
	loss_spin(200, 1);
	loss_irq(399, 33, 201, 236);
	loss_irq(400, 34, 201, 236);
	block_end();
	only_cpu_0();
	finish();
}

/* The log up to CPU 0's first block, which names A. */
static void loss_head(void)
{
	waits_head();
	block_begin(0, "main", 1, 0, 0, LOSS_T(0));
	name(0, 201, 9, 0, 0, "swapper/0");
	name(0, 201, 1, 201, 201, "A");
}

static void loss_finish(void)
{
	block_end();
	only_cpu_0();
	text(8, wait_symbols);
	finish();
}

/*
 * A gets at 5 a lock that it spun for when the log began; it spins from 20 to 40, and is
 * interrupted from 25 to 35.
 */
static void loss_spin_edges(void)
{
	loss_head();
	loss_spin(50, 0);
	loss_spin(200, 1);
	loss_irq(250, 10, 201, 4);
	loss_irq(350, 11, 201, 4);
	loss_spin(400, 0);
	loss_call(500, 39);
	loss_finish();
}

static void loss_futex_wait(unsigned int t, uint32_t pid, uint64_t address, unsigned int ms)
{
	unsigned int n = pid - 200;

	record(LOSS_T(t), 8, pid, 0, "wlll", A(202), A(0), A(0), A(0));
	record(LOSS_T(t), 125, pid, 0, "lww", address, A(2), A(0xffffffff));
	record(LOSS_T(t), 1, pid, 8, "llw", task(n), task(9), A(1));
	record(LOSS_T(t + 10 * ms), 2, 0, HARD, "l", task(n));
	record(LOSS_T(t + 10 * ms), 1, 0, 8, "llw", task(9), task(n), A(0));
}

/*
 * Three processes wait for a lock at the same address: A, which makes B; a process that gets
 * A's number when that has ended; and C, whose process nobody names. A and B wait for one that
 * they share, too.
 */
static void loss_futexes(void)
{
	loss_head();
	loss_futex_wait(10, 201, 0x7f0000001000, 2);
	loss_futex_wait(40, 201, 0x7f0000003001, 3);
	record(LOSS_T(80), 5, 201, 0, "lww", task(2), A(202), A(202));
	record(LOSS_T(80), 2, 201, 0, "l", task(2));
	record(LOSS_T(90), 7, 201, 0, "lw", task(1), A(0));
	record(LOSS_T(91), 1, 201, 8, "llw", task(1), task(2), A(0x80));
	loss_futex_wait(100, 202, 0x7f0000003001, 4);
	record(LOSS_T(150), 5, 202, 0, "lww", task(1), A(201), A(201));
	record(LOSS_T(150), 2, 202, 0, "l", task(1));
	record(LOSS_T(151), 1, 202, 8, "llw", task(2), task(1), A(1));
	loss_futex_wait(160, 201, 0x7f0000001000, 5);
	record(LOSS_T(220), 2, 201, 0, "l", task(3));
	record(LOSS_T(221), 1, 201, 8, "llw", task(1), task(3), A(1));
	loss_futex_wait(230, 203, 0x7f0000001000, 6);
	record(LOSS_T(400), 8, 203, 0, "wlll", A(39), A(0), A(0), A(0));
	loss_finish();
}

/*
 * A sleeps from 10 to 20, by a clock of the date, and from 30 to 40, by another one; both of its
 * timers come 1 late, as they tell.
 */
static void loss_dated(void)
{
	unsigned int i;

	loss_head();
	for (i = 0; i < 2; i++) {
		unsigned int t = 100 + 200 * i;

		loss_call(t - 10, 35);
		record(LOSS_T(t - 5), 132, 201, 0x200, "lwlw", A(0xffffc90000001000),
		       function(F_HRTIMER), MONO0 + (t + 90) * 100000, A(i));
		loss_switch(t, 1, 1);
		record(LOSS_T(t + 100), 133, 0, HARD, "lwl", A(0xffffc90000001000),
		       function(F_HRTIMER), MONO0 + (t + 100) * 100000);
		record(LOSS_T(t + 100), 2, 0, HARD, "l", task(1));
		loss_switch(t + 100, 0, 0);
	}
	loss_call(500, 39);
	loss_finish();
}

/* A sleeps from 5 to 15 so that nothing can interrupt it; if @exits, the call is over then. */
static void loss_sleep(int exits)
{
	loss_head();
	loss_call(0, 39);
	if (exits) {
		record(LOSS_T(1), 9, 201, 0, "wl", A(39), A(0));
		loss_call(10, 162);
		record(LOSS_T(20), 9, 201, 0, "wl", A(162), A(0));
	}
	loss_switch(50, 1, 2);
	record(LOSS_T(150), 2, 0, HARD, "l", task(1));
	loss_switch(150, 0, 0);
	loss_call(200, 162);
	loss_switch(210, 1, 2);
	record(LOSS_T(410), 2, 0, HARD, "l", task(1));
	loss_switch(410, 0, 0);
	loss_call(500, 39);
	loss_finish();
}

static void loss_sleep_exits(void)
{
	loss_sleep(1);
}

static void loss_sleep_no_exits(void)
{
	loss_sleep(0);
}

/* A's last page fault, from 30 on, is not over when the log is, at 40. */
static void loss_fault_open(void)
{
	loss_head();
	loss_call(0, 39);
	record(LOSS_T(300), 165, 201, 0, "lll", A(0x401000), A(4), A(0x7f0000000000));
	loss_irq(399, 33, 201, 236);
	loss_irq(400, 34, 201, 236);
	loss_finish();
}

/* Locks, and page faults, are in the second of three masksets only: from 10 to 20. */
static void loss_masksets(void)
{
	loss_head();
	loss_call(0, 39);
	loss_switch(20, 1, 1);
	record(LOSS_T(30), 2, 0, HARD, "l", task(1));
	loss_switch(30, 0, 0);
	record(LOSS_T(100), 1010, 201, 0, "qq", A(3), A(4));
	loss_spin(110, 1);
	loss_spin(120, 0);
	record(LOSS_T(130), 165, 201, 0, "lll", A(0x401000), A(4), A(0x7f0000000000));
	record(LOSS_T(140), 166, 201, 0, "");
	loss_switch(150, 1, 1);
	record(LOSS_T(160), 2, 0, HARD, "l", task(1));
	loss_switch(160, 0, 0);
	record(LOSS_T(200), 1010, 201, 0, "qq", A(4), A(3));
	loss_switch(250, 1, 1);
	record(LOSS_T(260), 2, 0, HARD, "l", task(1));
	loss_switch(260, 0, 0);
	loss_call(500, 39);
	loss_finish();
}

/*
 * B is ready from 2 to 30 on CPU 0, where A runs. CPU 1 idles, but from 10 to 22 an interrupt
 * keeps it. C waits from 41 to 45 for CPU 1, whose interrupt wakes it up, and ends at 44.
 */
static void loss_kept(void)
{
	loss_head();
	name(0, 201, 2, 202, 202, "B");
	loss_call(0, 39);
	record(LOSS_T(2), 22, 201, 8, "lww", task(4), A(1), A(0));
	wakeup(2, 201, 2);
	leave(30, 1, 2, 1);
	loss_call(1000, 39);
	block_end();
	block_begin(1, "main", 1, 0, 0, LOSS_T(0));
	name(0, 203, 10, 0, 0, "swapper/1");
	name(0, 203, 3, 203, 203, "C");
	record(LOSS_T(0), 1, 203, 8, "llw", task(3), task(10), A(1));
	loss_irq(1, 10, 0, 4);
	loss_irq(2, 11, 0, 4);
	loss_irq(100, 10, 0, 4);
	loss_irq(220, 11, 0, 4);
	loss_irq(400, 10, 0, 4);
	record(LOSS_T(410), 2, 0, HARD, "l", task(3));
	loss_irq(440, 11, 0, 4);
	record(LOSS_T(450), 1, 0, 8, "llw", task(10), task(3), A(0));
	record(LOSS_T(1000), 8, 203, 0, "wlll", A(39), A(0), A(0), A(0));
	block_end();
	text(8, wait_symbols);
	finish();
}

static void loss_spin_at(unsigned int t, uint64_t lock, unsigned int event, unsigned int flags)
{
	record(LOSS_T(t), event, 201, 0, "lw", lock, A(flags));
}

/*
 * A spins for a mutex from 10 to 30, for the lock that guards who waits for it up to 32, and
 * sleeps for the mutex from 33 to 50.
 */
static void loss_mutex(void)
{
	loss_head();
	loss_call(0, 39);
	loss_spin(50, 1);
	loss_spin(60, 0);
	loss_spin_at(100, LOSS_LOCK, 114, 0x21);
	loss_spin_at(300, LOSS_LOCK + 64, 114, 1);
	loss_spin_at(320, LOSS_LOCK + 64, 115, 1);
	loss_spin_at(325, LOSS_LOCK, 114, 0x20);
	loss_switch(330, 1, 2);
	record(LOSS_T(500), 2, 0, HARD, "l", task(1));
	loss_switch(500, 0, 0);
	loss_spin_at(501, LOSS_LOCK, 115, 0);
	loss_call(600, 39);
	loss_finish();
}

/*
 * In a page fault from 10 to 40, A spins from 12 to 17, and in one within that, from 20 to 30,
 * from 22 to 24. In a third one, from 50 to 60, it spins only in one within, from 52 to 54.
 */
static void loss_faults(void)
{
	loss_head();
	loss_call(0, 39);
	loss_fault(100, 1);
	loss_spin(120, 1);
	loss_spin(170, 0);
	loss_fault(200, 1);
	loss_spin(220, 1);
	loss_spin(240, 0);
	loss_fault(300, 0);
	loss_fault(400, 0);
	loss_fault(500, 1);
	loss_fault(510, 1);
	loss_spin(520, 1);
	loss_spin(540, 0);
	loss_fault(560, 0);
	loss_fault(600, 0);
	loss_call(700, 39);
	loss_finish();
}

/* A makes a thread, by vfork() or not, and is stopped from 5 to 25; the call's end is not told. */
static void loss_clone(uint64_t flags)
{
	loss_head();
	record(LOSS_T(0), 8, 201, 0, "wlll", A(56), flags, A(0), A(0));
	loss_switch(50, 1, 2);
	record(LOSS_T(250), 2, 0, HARD, "l", task(1));
	loss_switch(250, 0, 0);
	loss_call(300, 39);
	loss_finish();
}

static void loss_thread(void)
{
	loss_clone(A(0x3d0f00));
}

static void loss_vfork(void)
{
	loss_clone(A(0x4111));
}

/* A has switched the recording on; then it sleeps from 1 to 51, in no call. */
static void loss_recorded(void)
{
	loss_head();
	record(LOSS_T(0), 1010, 201, 0, "qq", A(0), A(4));
	record(LOSS_T(1), 9, 201, 0, "wl", A(1), A(0));
	loss_switch(10, 1, 2);
	record(LOSS_T(510), 2, 0, HARD, "l", task(1));
	loss_switch(510, 0, 0);
	loss_call(600, 39);
	loss_finish();
}

static void loss_pipe(unsigned int from, unsigned int to)
{
	loss_call(from, 0);
	record(LOSS_T(from), 86, 201, 0, "lw", A(0xffff888001001000), A(0));
	loss_switch(from, 1, 1);
	record(LOSS_T(to), 2, 0, HARD, "l", task(1));
	loss_switch(to, 0, 0);
}

/* A waits for a pipe from 5 to 10 and from 55 to 58; from 15 to 45 no switches are recorded. */
static void loss_unswitched(void)
{
	unsigned int t;

	loss_head();
	loss_call(0, 39);
	loss_pipe(50, 100);
	record(LOSS_T(150), 1010, 201, 0, "qq", A(3), A(4));
	for (t = 160; t < 450; t += 10)
		loss_call(t, 39);
	record(LOSS_T(450), 1010, 201, 0, "qq", A(4), A(3));
	loss_pipe(550, 580);
	loss_call(600, 39);
	loss_finish();
}
