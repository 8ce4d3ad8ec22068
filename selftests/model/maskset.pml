/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Masksets for spin: hooks that look up the table and are in a handler of a module,
 * handlers that make another maskset current, one that stops recording, after which a
 * write starts it again or not, and a write that gives a maskset another table, after
 * which the old table is freed and the module goes. Steps have the names of the functions
 * in policy/maskset.c, policy/handler.c and hook/hook.c of kernel/trace/lkst.
 *
 * As in block.pml, memory is in order here, and -DBUG_... is a fault to be found.
 */

#ifndef HOOKS
#define HOOKS		2	/* contexts on as many CPUs */
#endif
#ifndef SWITCHERS
#define SWITCHERS	1	/* handlers that switch */
#endif
#ifndef EDITORS
#define EDITORS		1	/* writes */
#endif
#ifndef STOPPERS
#define STOPPERS	0	/* handlers that stop */
#endif
#ifndef TIMES
#define TIMES		2	/* events in each */
#endif

/* Tables: T_OLD names the module's handler, T_NEW and T_OTHER do not. */
#define T_OLD		0
#define T_NEW		1
#define T_OTHER		2
#define T_NOTHING	3	/* while recording is stopped */
/* Masksets: the one that is edited, and another that handlers hold. */
#define EDITED		0
#define OTHER		1

byte maskset_table[2];
byte current;
bool on = true;	/* lkst_enabled */
byte table;
bool freed;		/* T_OLD */
bool gone;		/* the module */
byte users = 1;		/* tables that name its handler */

/*
 * Preemption is off, in hooks and where a handler switches: how often it was. What
 * lkst_synchronize() waits for is that all have left what they were in.
 */
#define CONTEXTS	(HOOKS + SWITCHERS + EDITORS + STOPPERS)
#define EDITOR		(HOOKS + SWITCHERS)
#define STOPPER		(HOOKS + SWITCHERS + EDITORS)
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

/* lkst_table_effective(); @m is the caller's */
inline effective(t)
{
	if
	:: on ->
		m = current;
		t = maskset_table[m]
	:: else -> t = T_NOTHING
	fi;
	m = 0
}

/* @m, @t and @again are the caller's. */
inline publish()
{
	do
	:: effective(t);
	   table = t;
#ifdef BUG_NO_SECOND_LOOK
	   break
#else
	   effective(again);
	   if
	   :: again == t -> break
	   :: else
	   fi
#endif
	od;
	t = 0;
	again = 0
}

/* lkst_switch_to(); @old, @from, @to and @same are the caller's, too. */
inline switch_to(maskset)
{
	atomic {
		old = current;
		current = maskset
	}
	if
	:: old == maskset
	:: else ->
		from = maskset_table[old];
		to = maskset_table[maskset];
#ifdef BUG_STORE
		same = true;
		table = to;
#else
		atomic {
			same = (table == from);
			if
			:: same -> table = to
			:: else
			fi
		}
#endif
#ifndef BUG_NO_LOOK_BEHIND
		m = current;
#ifdef BUG_LOOK_AT_NAME
		same = same && m == maskset;
#else
		same = same && maskset_table[m] == to;
#endif
		m = 0;
#endif
		if
		:: same
		:: !same -> publish()
		fi
	fi;
	old = 0;
	from = 0;
	to = 0;
	same = false
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
proctype switcher(byte me)
{
	byte n, m, t, again, old, from, to;
	bool same;

	do
	:: n == 2 -> break
	:: else ->
		enter(me);
		if
		:: n == 0 -> switch_to(OTHER)
		:: else -> switch_to(EDITED)
		fi;
		leave(me);
		n++
	od;
	ended++
}

/* lkst_stop(), and lkst_enable() */
proctype stopper()
{
	byte m, t, again;

	enter(STOPPER);
	on = false;
	publish();
	leave(STOPPER);
	if
	:: true ->
		on = true;
		enter(STOPPER);
		publish();
		leave(STOPPER)
	:: true
	fi;
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

/* lkst_maskset_update(), lkst_table_retire(), then lkst_handler_unregister() */
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
	ended++
}

init {
	byte i, m, t;

	atomic {
		maskset_table[EDITED] = T_OLD;
#ifdef BUG_SAME_NOTHING
		maskset_table[OTHER] = T_NOTHING;
#else
		maskset_table[OTHER] = T_OTHER;
#endif
		current = EDITED;
		table = T_OLD;
		do
		:: i == HOOKS -> break
		:: else ->
			run hook(i);
			i++
		od;
		do
		:: i == HOOKS + SWITCHERS -> break
		:: else ->
			run switcher(i);
			i++
		od;
		i = 0;
		if
		:: EDITORS -> run editor()
		:: else
		fi;
		if
		:: STOPPERS -> run stopper()
		:: else
		fi
	}

	/* What hooks see in the end is what is meant. */
	ended == CONTEXTS;
	effective(t);
	assert(table == t)
}
