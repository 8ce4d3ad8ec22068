/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Masksets for spin: hooks that look up the table and are in a handler of a module, a
 * handler that makes another maskset current, and a write that gives a maskset another
 * table, after which the old table is freed and the module goes. Steps have the names
 * of the functions in kernel/trace/lkst/maskset.c, hook.c and handler.c.
 *
 * As in block.pml, memory is in order here, and -DBUG_... is a fault to be found.
 */

#ifndef HOOKS
#define HOOKS		2	/* contexts on as many CPUs */
#endif
#ifndef TIMES
#define TIMES		2	/* events in each */
#endif

/* Tables: T_OLD names the module's handler, T_NEW and T_OTHER do not. */
#define T_OLD		0
#define T_NEW		1
#define T_OTHER		2
/* Masksets: the one that is edited, and another that handlers hold. */
#define EDITED		0
#define OTHER		1

byte maskset_table[2];
byte current;
byte table;
bool freed;		/* T_OLD */
bool gone;		/* the module */
byte users = 1;		/* tables that name its handler */

/*
 * Preemption is off, in hooks and where a handler switches: how often it was. What
 * lkst_synchronize() waits for is that all have left what they were in.
 */
#define CONTEXTS	(HOOKS + 2)
#define SWITCHER	HOOKS
#define EDITOR		(HOOKS + 1)
bool inside[CONTEXTS];
byte entered[CONTEXTS];
byte ended;

inline enter(who)
{
	atomic {
		inside[who] = true;
		entered[who]++
	}
}

inline leave(who)
{
	inside[who] = false
}

/* lkst_publish(), with lkst_effective() twice; @m, @t and @again are the caller's. */
inline publish()
{
	do
	:: m = current;
	   t = maskset_table[m];
	   table = t;
#ifdef BUG_NO_SECOND_LOOK
	   break
#else
	   m = current;
	   again = maskset_table[m];
	   if
	   :: again == t -> break
	   :: else
	   fi
#endif
	od
}

/* lkst_hit(), lkst_call_handler() */
proctype hook(byte me)
{
	byte n, t;

	do
	:: n == TIMES -> break
	:: else ->
#ifndef BUG_PREEMPTIBLE
		enter(me);
#endif
		t = table;
		/* The slot of the table, and then the handler that it names. */
		assert(t != T_OLD || !freed);
		if
		:: t == T_OLD ->
			assert(!gone);
			/* In the handler, until it returns. */
			assert(!gone)
		:: else
		fi;
		t = 0;
		leave(me);
		n++
	od;
	ended++
}

/* A handler of another module: to the other maskset and back. */
proctype switcher()
{
	byte n, m, t, again;

	do
	:: n == 2 -> break
	:: else ->
		enter(SWITCHER);
		current = (n == 0 -> OTHER : EDITED);
		publish();
		m = 0;
		t = 0;
		again = 0;
		leave(SWITCHER);
		n++
	od;
	ended++
}

/* lkst_synchronize() */
inline synchronize()
{
	d_step {
		i = 0;
		do
		:: i == CONTEXTS -> break
		:: else ->
			was[i] = (inside[i] -> entered[i] : 0);
			i++
		od;
		i = 0
	}
	do
	:: i == CONTEXTS -> break
	:: else ->
		(was[i] == 0 || !inside[i] || entered[i] != was[i]);
		i++
	od;
	i = 0
}

/* lkst_maskset_update(), then lkst_handler_unregister() */
proctype editor()
{
	byte m, t, again, i;
	byte was[CONTEXTS];

#ifdef BUG_FREED_FIRST
	freed = true;
#endif
	maskset_table[EDITED] = T_NEW;
	enter(EDITOR);
	publish();
	leave(EDITOR);
#ifndef BUG_NO_GRACE
	synchronize();
#ifndef BUG_ONE_GRACE
	synchronize();
#endif
#endif
	users--;
	freed = true;
	/* -EBUSY otherwise */
	assert(users == 0);
	gone = true;
	ended++;

	/* What hooks see in the end is what is meant. */
	ended == HOOKS + 2;
	assert(table == maskset_table[current])
}

init {
	atomic {
		byte i = 0;

		maskset_table[EDITED] = T_OLD;
		maskset_table[OTHER] = T_OTHER;
		current = EDITED;
		table = T_OLD;
		do
		:: i == HOOKS -> break
		:: else ->
			run hook(i);
			i++
		od;
		run switcher();
		run editor()
	}
}
