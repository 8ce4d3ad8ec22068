/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The protocol of LKST's blocks, for spin: writers in a task, an interrupt and an NMI of
 * one CPU, and readers of another. Steps have the names of the functions in
 * kernel/trace/lkst/buffer whose loads and stores they are; each load or store is one
 * atomic step here, in the order that the code has.
 *
 * Not in here: memory that is seen out of order (the barriers' comments have that).
 *
 * With -DDISCARD the buffer keeps what was not read. With -DRESIZE it loses a block and
 * gets another one meanwhile. With -DJUMPS there are two buffers, and nobody reads: a
 * handler in the NMI jumps to the second, to which the first is linked, and one of them
 * is deleted. With -DBUG_... the model has a fault, and spin must find it.
 */

#define TASK		0
#define INTERRUPT	1
#define CALL		2	/* an interrupt, too, and none of those above in it */
#define NMI		3
#define WRITERS		3

/* How often each of them comes. */
#ifndef TASKS
#define TASKS		2
#endif
#ifndef INTERRUPTS
#define INTERRUPTS	1
#endif
#ifndef NMIS
#define NMIS		1
#endif
#ifndef BLOCKS
#define BLOCKS		2
#endif
#ifndef ROOM
#define ROOM		1	/* records in a block */
#endif

#define MOST		(TASKS + INTERRUPTS + NMIS)

#ifdef JUMPS
#define BUFFERS		2
#else
#define BUFFERS		1
#endif
#define NO_BUFFER	BUFFERS

/* struct lkst_slots: which block comes where. One more is got by resizing. */
#ifdef RESIZE
#define ALL_BLOCKS	(BLOCKS + 1)
byte slot[BLOCKS];
byte nr = BLOCKS;
#define SLOT(own, i)	slot[i]
#define NR		nr
#define OWNER(b)	0
#else
#define ALL_BLOCKS	(BUFFERS * BLOCKS)
#define SLOT(own, i)	((own) * BLOCKS + (i))
#define NR		BLOCKS
#define OWNER(b)	((b) / BLOCKS)
#endif

/* Those who end, beside readers. */
#if defined(RESIZE) || defined(JUMPS)
#define ENDS		(WRITERS + 1)
#else
#define ENDS		WRITERS
#endif

/* A block: the two words, the closed bit, the sequence number, and its records. */
byte reserve[ALL_BLOCKS];
byte commit[ALL_BLOCKS];
bool closed[ALL_BLOCKS];
byte seq[ALL_BLOCKS];
byte record[ALL_BLOCKS * ROOM];

/* struct lkst_slot: what readers have taken, and of which block. */
byte taken_seq[ALL_BLOCKS];
byte taken[ALL_BLOCKS];

/* A block that is nobody's any more. */
bool freed[ALL_BLOCKS];

/* struct lkst_cpu_buffer */
byte cur[BUFFERS];
byte last[BUFFERS];

#ifdef JUMPS
byte filled[BUFFERS];

/* struct lkst_buffer: what it is linked to, who links to it or holds it. */
byte linked[BUFFERS];
byte users[BUFFERS];

/* A handler jumps to the second one; it did. */
bool held;
bool jumped;
#endif

/* struct lkst_cpu */
byte block;
bool shifting;
bool irqs_off;

/* What runs on the CPU. A context that comes between two steps ends before the second. */
byte level = TASK;
byte ended;

/* The task is between preempt_disable() and preempt_enable(): synchronize_rcu() waits. */
bool in_hook;

/* lkst_cpu_buffer.mutex: who reads or resizes. */
bool mutex;

byte written, lost, overwritten;
#ifndef JUMPS
byte read;
#endif

/* For the proof: who was to write what, by sequence number and place. */
byte serial;
byte truth[BUFFERS * (MOST + 2) * ROOM];
#define TRUTH(own, number, place)	truth[((own) * (MOST + 2) + (number)) * ROOM + (place)]

#define STEP(what)	atomic { level == me -> what }
#define OPEN(b)		(!closed[b] && seq[b] != 0)	/* lkst_is_open() */

/* lkst_recycle() */
inline recycle(b, number)
{
	if
	:: seq[b] -> overwritten = overwritten + reserve[b] - taken[b]
	:: else
	fi;
	taken_seq[b] = number;
	taken[b] = 0
}

/* lkst_close() */
inline close()
{
#ifndef BUG_NOT_CLOSED
	STEP(closed[SLOT(own, cur[own])] = true)
#else
	skip
#endif
}

/* lkst_close(), lkst_recycle(), lkst_open() */
inline open_next()
{
	close();
	STEP(recycle(next, last[to] + 1));
	STEP(seq[next] = 0);
	STEP(assert(reserve[next] == commit[next]); commit[next] = 0);
	STEP(reserve[next] = 0; closed[next] = false);
	STEP(seq[next] = last[to] + 1);
	STEP(last[to]++; cur[to] = (cur[to] + 1) % NR)
}

/* lkst_advance() and lkst_shift(); @room is whether there is a block to write to. */
inline advance()
{
	STEP(own = OWNER(at);
	     to = own;
	     next = SLOT(own, cur[own]);
	     need = (next == at || !OPEN(next)));
#ifdef JUMPS
	/* On to the next buffer, where a block may have been left open. */
	if
	:: need ->
		STEP(
			if
			:: linked[own] != NO_BUFFER && filled[own] >= NR ->
				to = linked[own];
				next = SLOT(to, cur[to]);
				need = !OPEN(next)
			:: else
			fi
		);
		if
		:: !need -> close()
		:: else
		fi
	:: else
	fi;
#endif
	if
	:: need ->
		STEP(next = SLOT(to, (cur[to] + 1) % NR);
		     assert(!freed[next]);
		     room = (reserve[next] == commit[next]));
#ifdef DISCARD
		/* Behind that test, as in lkst_next_slot(): nobody adds to the block now. */
		STEP(room = (room && (seq[next] == 0 || taken[next] == reserve[next])));
#endif
#ifdef BUG_NOT_WHOLE
		room = true;
#endif
		if
		:: room ->
			open_next();
#ifdef JUMPS
			STEP(filled[to] = (to == own -> filled[to] + 1 : 1))
#endif
		:: else -> STEP(lost++)
		fi
	:: else -> room = true
	fi;
	if
	:: room ->
		/* this_cpu_cmpxchg() */
		STEP(
			if
#ifdef BUG_JUMP_UNDONE
			:: true -> block = SLOT(to, cur[to])
#else
			:: block == at -> block = SLOT(to, cur[to])
#endif
			:: else
			fi
		)
	:: else
	fi
}

/* lkst_make_room() */
inline make_room()
{
	STEP(assert(!freed[at]); were_off = irqs_off; irqs_off = true);
	STEP(meets = shifting);
#ifdef BUG_NO_FLAG
	meets = false;
#endif
	if
	:: meets ->
		STEP(reserve[at]--);
#ifndef BUG_NOT_COUNTED
		STEP(lost++);
#endif
		room = false
	:: else ->
		STEP(shifting = true);
#ifndef BUG_NOT_TAKEN_BACK
		STEP(reserve[at]--);
#endif
		STEP(need = (block == at));
		if
		:: need -> advance()
		:: else -> room = true
		fi;
		STEP(shifting = false)
	fi;
	STEP(irqs_off = were_off)
}

proctype writer(byte me, times)
{
	byte at, own, to, place, next, opened, old, n, id, turns;
	bool fits, room, need, meets, were_off;

	do
	:: n == times -> break
	:: else ->
		/* It is called, or comes between. */
		atomic {
			level == me || (level < me && (me == NMI || !irqs_off)) ->
			old = level;
			level = me;
			in_hook = in_hook || me == TASK;
			n++;
			serial++;
			id = serial;
			room = true
		}
#ifdef JUMPS
		/* lkst_do_jump(), by its handler */
		if
		:: me == NMI -> STEP(
			if
			:: held ->
				block = (OWNER(block) == 1 -> block : SLOT(1, cur[1]));
				jumped = true
			:: else
			fi
		)
		:: else
		fi;
#endif
		do
		:: room ->
			/* lkst_reserve() */
			STEP(at = block);
			STEP(assert(!freed[at]); place = reserve[at]; fits = (!closed[at] && place < ROOM);
			     opened = seq[at]; reserve[at]++);
			if
			:: fits ->
				STEP(TRUTH(OWNER(at), opened, place) = id);
#ifdef BUG_COMMIT_FIRST
				STEP(commit[at]++);
#endif
				STEP(assert(seq[at] == opened); record[at * ROOM + place] = id);
#ifndef BUG_COMMIT_FIRST
				STEP(commit[at]++);
#endif
				STEP(written++);
				break
			:: else ->
				/* A turn for each block that was opened meanwhile. */
				STEP(turns++; assert(turns <= MOST));
				make_room()
			fi
		:: else -> break
		od;
		/* What is of no more use is 0: fewer states. */
		STEP(level = old; in_hook = in_hook && me != TASK; old = 0; at = 0; own = 0;
		     to = 0; place = 0; next = 0; opened = 0; id = 0; turns = 0; fits = false;
		     room = false; need = false; meets = false; were_off = false)
	od;
	ended++
}

#ifndef JUMPS

/*
 * lkst_copy(); who does not consume only looks. When the writers have ended, @all,
 * nothing is in his way.
 */
proctype reader(bool consumes)
{
	byte from = 1, count, at, is, i, end, number;
	bool all, is_closed;
	byte copy[ROOM];

	do
	:: atomic { !mutex -> mutex = true };
		all = (ended == ENDS);
		/* lkst_slot_from() */
		d_step {
			is = 0;
			at = 0;
			i = 0;
			do
			:: i == NR -> break
			:: else ->
				if
				:: seq[SLOT(0, i)] >= from && (is == 0 || seq[SLOT(0, i)] < is) ->
					is = seq[SLOT(0, i)];
					at = SLOT(0, i)
				:: else
				fi;
				i++
			od
		}
		if
		:: is == 0 ->
			if
			:: all -> break
			:: else -> goto again
			fi
		:: else
		fi;
		/* lkst_settled() */
#ifdef BUG_SETTLED_ORDER
		atomic { end = reserve[at]; is_closed = closed[at] }
		number = commit[at];
#else
		number = commit[at];
		atomic { end = reserve[at]; is_closed = closed[at] }
#endif
		if
		:: end != number ->
			assert(!all);
			goto again
		:: else
		fi;
		if
		:: is != from ->
			from = is;
			count = 0
		:: else
		fi;
		if
		:: count >= end && is_closed ->
			from++;
			count = 0;
			goto again
		:: count >= end && !is_closed && all -> break
		:: count >= end && !is_closed && !all -> goto again
		:: else
		fi;
		i = count;
		do
		:: i >= end || i >= ROOM -> break
		:: else ->
			copy[i] = record[at * ROOM + i];
			i++
		od;
#ifndef BUG_NO_NUMBER
		if
		:: seq[at] != is ->
			assert(!all);
			goto again
		:: else
		fi;
#endif
		if
		:: consumes ->
			/* lkst_take() */
			atomic {
				if
#ifdef BUG_NO_TAG
				:: taken[at] == count -> taken[at] = end
#else
				:: taken_seq[at] == is && taken[at] == count -> taken[at] = end
#endif
				:: else ->
					assert(!all);
					goto again
				fi;
				read = read + end - count
			}
		:: else
		fi;
		/* None is torn, and none is of another time. */
		d_step {
			assert(end <= ROOM);
			i = count;
			do
			:: i >= end -> break
			:: else ->
				assert(copy[i] == TRUTH(0, is, i));
				i++
			od;
			count = end
		}
again:
		skip;
		d_step {
			mutex = false;
			at = 0;
			is = 0;
			end = 0;
			number = 0;
			is_closed = false;
			i = 0;
			do
			:: i == ROOM -> break
			:: else ->
				copy[i] = 0;
				i++
			od;
			i = 0
		}
	od;
	mutex = false;
	if
	:: consumes ->
		assert(serial == MOST);
		assert(written + lost == MOST);
		assert(read + overwritten == written);
#if defined(DISCARD) && !defined(RESIZE)
		assert(overwritten == 0)
#endif
	:: else
	fi
}

#endif

#ifdef RESIZE

/* lkst_on_cpu(): called by an interrupt. */
#define CALLED		atomic { level == TASK && !irqs_off -> level = me; irqs_off = true }; \
			STEP(shifting = true)
#define CALL_ENDS	STEP(shifting = false); STEP(level = TASK; irqs_off = false)

/* lkst_drop() */
inline drop(b)
{
#ifndef BUG_DROP_UNCOUNTED
	STEP(recycle(b, 0));
#endif
	STEP(seq[b] = 0; dropped = b)
}

/* lkst_do_empty(): the oldest block that no writer is in. What is current is noted. */
inline do_empty(drops)
{
	CALLED;
	STEP(
		at = cur[0];
		number = last[0];
		dropped = ALL_BLOCKS;
		found = ALL_BLOCKS;
		i = 1;
		do
		:: i == nr || !drops -> break
		:: else ->
			b = slot[(at + i) % nr];
#ifdef BUG_DROP_WRITTEN
			whole = true;
#else
			whole = (reserve[b] == commit[b]);
#endif
			if
			:: whole ->
				found = b;
				break
			:: else
			fi;
			i++
		od;
		i = 0
	);
	if
	:: found != ALL_BLOCKS -> drop(found)
	:: else
	fi;
	CALL_ENDS
}

/* lkst_resize_lay_out(): the CPU may go on meanwhile. */
inline lay_out(fresh, drops)
{
	d_step {
		j = 0;
		if
		:: drops
		:: else ->
			order[j] = fresh;
			j++
		fi;
		i = 1;
		do
		:: i > nr -> break
		:: else ->
			b = slot[(at + i) % nr];
			if
			:: b == dropped
			:: else ->
				order[j] = b;
				j++
			fi;
			i++
		od;
		i = 0
	}
}

/* lkst_do_resize() */
inline do_resize(drops)
{
	CALLED;
	STEP(
		moved = last[0] - number;
		done = (moved < nr && moved < j);
		/* lkst_resize_can_keep() */
		if
		:: done && drops && moved ->
			done = (moved == 1 && slot[(at + 1) % nr] == dropped &&
				reserve[order[0]] == commit[order[0]])
		:: else
		fi
	);
#ifdef BUG_NOT_CORRECTED
	moved = 0;
#endif
	if
	:: done && drops && moved ->
		STEP(b = dropped);
		drop(order[0]);
		STEP(order[0] = b)
	:: done && !drops ->
		STEP(
			do
			:: i == moved -> break
			:: else ->
				b = order[i];
				order[i] = order[1 + i];
				order[1 + i] = b;
				i++
			od;
			i = 0
		)
	:: else
	fi;
	if
	:: done ->
		STEP(
			do
			:: i == j -> break
			:: else ->
				slot[i] = order[i];
				i++
			od;
			i = 0;
			nr = j;
			cur[0] = (j - 1 + moved) % j
		)
	:: else
	fi;
	CALL_ENDS
}

/* lkst_resize_cpu(), to one block less and back. */
proctype resizer()
{
	byte me = CALL, i, j, b, at, number, moved, found, dropped;
	byte order[BLOCKS];
	bool whole, done;

	atomic { !mutex -> mutex = true };
	do_empty(true);
	if
	:: dropped != ALL_BLOCKS ->
		lay_out(0, true);
		do_resize(true)
	:: else
	fi;
	if
	:: done ->
#ifndef BUG_FREED_EARLY
		/* lkst_synchronize() */
		atomic { level == TASK && !in_hook -> skip };
#endif
		freed[dropped] = true;
		do_empty(false);
		lay_out(BLOCKS, false);
		do_resize(false)
	:: else
	fi;
	d_step { mutex = false; ended++ }
}

#endif

#ifdef JUMPS

/* lkst_synchronize() */
inline synchronize()
{
	atomic { level == TASK && !in_hook -> skip }
}

/* lkst_buffer_jump() to the second one: lkst_do_jump(), called by an interrupt */
inline jump()
{
	atomic { level == TASK && !irqs_off -> level = me; irqs_off = true };
	STEP(to = SLOT(1, cur[1]); need = (OWNER(block) != 1));
	if
	:: need -> STEP(block = to)
	:: else
	fi;
	STEP(level = TASK; irqs_off = false; to = 0; need = false)
}

/* lkst_buffer_delete(), lkst_buffer_free() */
inline delete(which)
{
	if
#ifdef BUG_DELETE_HELD
	:: OWNER(block) != which ->
#else
	:: users[which] == 0 && OWNER(block) != which ->
#endif
#ifndef BUG_DELETED_EARLY
		synchronize();
#endif
		d_step {
			i = 0;
			do
			:: i == BLOCKS -> break
			:: else ->
				freed[SLOT(which, i)] = true;
				i++
			od;
			i = 0
		}
	:: else
	fi
}

proctype deleter()
{
	byte me = CALL, i, to;
	bool need;

	if
	:: true ->
		/* On to the second, and the first is deleted. */
		jump();
		delete(0)
	:: true ->
		/* lkst_buffer_link() to none; the handler lets go of it; it is deleted. */
		linked[0] = NO_BUFFER;
#ifndef BUG_LINK_NO_WAIT
		synchronize();
#endif
		users[1]--;
		if
		:: held ->
			held = false;
			synchronize();
			users[1]--
		:: true
		fi;
		delete(1)
	fi;
	ended++
}

/* Of records that are still there, none is torn; of all, each was counted once. */
inline all_counted()
{
	d_step {
		i = 0;
		do
		:: i == ALL_BLOCKS -> break
		:: else ->
			assert(reserve[i] == commit[i] && reserve[i] <= ROOM);
			j = 0;
			do
			:: j == reserve[i] || seq[i] == 0 -> break
			:: else ->
				assert(record[i * ROOM + j] == TRUTH(OWNER(i), seq[i], j));
				j++
			od;
			kept = kept + j;
			i++
		od
	}
	assert(serial == MOST);
	assert(written + lost == MOST);
	assert(kept + overwritten == written)
}

#endif

init {
	byte i = 1, j, kept;

	atomic {
#ifdef RESIZE
		do
		:: i == BLOCKS -> break
		:: else ->
			slot[i] = i;
			i++
		od;
		i = 1;
#endif
		do
		:: i == ALL_BLOCKS -> break
		:: else ->
			closed[i] = true;
			i++
		od;
		seq[0] = 1;
		taken_seq[0] = 1;
		last[0] = 1;
		run writer(TASK, TASKS);
		run writer(INTERRUPT, INTERRUPTS);
		run writer(NMI, NMIS);
#ifdef RESIZE
		run resizer();
#endif
#ifdef JUMPS
		/* All blocks of the first have been written to. */
		filled[0] = BLOCKS;
		linked[0] = 1;
		linked[1] = NO_BUFFER;
		if
		:: held = true
		:: true
		fi;
		users[1] = 1 + held;
		run deleter()
#else
		run reader(true)
#ifdef LOOKS
		;
		run reader(false)
#endif
#endif
	}
#ifdef JUMPS
	ended == ENDS;
	all_counted();
	assert(!freed[block] && (!jumped || OWNER(block) == 1))
#endif
}
