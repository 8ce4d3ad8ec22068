/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots for spin: handlers that take one, or make the buffer that gets it current on
 * all CPUs or on their own, the worker that makes what they asked for, and a write that
 * makes another buffer current. Steps have the names of the functions in policy/jump.c and
 * buffer/buffer.c of kernel/trace/lkst.
 *
 * A ring is what a buffer has on a CPU; here it is a count of records. As in block.pml,
 * memory is in order, and -DBUG_... is a fault to be found.
 */

#ifndef CPUS
#define CPUS		2
#endif
#ifndef EVENTS
#define EVENTS		2	/* on each */
#endif
#ifndef SNAPSHOTS
#define SNAPSHOTS	1	/* that handlers take */
#endif
#ifndef SWITCHES
#define SWITCHES	1	/* of all CPUs to the snapshot's buffer */
#endif
#ifndef ALONE
#define ALONE		0	/* of one CPU */
#endif
#ifndef WRITES
#define WRITES		0	/* of the control file "buffer" */
#endif

/* Buffers, and the rings that they start with. */
#define MAIN		0
#define TO		1
#define SPARE		2

typedef cpu_type {
	byte ring;		/* it is written to */
	byte jumped;
	byte has[3];		/* the ring of a buffer */
	byte held[3];		/* records of a ring */
	bool late[3];		/* some were written after the CPU left for a snapshot */
	bool irqs_off;
	bool ipi		/* an interrupt of another CPU runs */
};

cpu_type cpu[CPUS];
byte current = MAIN;
/* What jumps there were, and where the last one goes: one word. */
byte jumps;
byte jump_to = MAIN;
byte jumps_done;
bool own;			/* every event is LKST's own */
bool due;
bool listed;
bool work;
bool mutex;

/* What was asked for, and what became of the records. */
byte snapshots, switches, alone;
byte left_for;			/* the jump of the first snapshot */
byte written, forgotten, replaced;
byte ended;

/* lkst_publish(), which maskset.pml is about */
inline publish()
{
	atomic { own = (jumps != jumps_done) }
}

/* The loop of lkst_catch_up(); @n and @b are the caller's. */
inline catch_up_now(c)
{
	do
	:: atomic {
		n = jumps;
		b = jump_to
	   };
	   if
	   :: n == cpu[c].jumped -> break
	   :: else
	   fi;
	   atomic {
		cpu[c].ring = cpu[c].has[b];
		cpu[c].jumped = n
	   }
	od;
	n = 0;
	b = 0
}

inline catch_up(c)
{
	if
	:: cpu[c].jumped == jumps
	:: else ->
		cpu[c].irqs_off = true;
		catch_up_now(c);
		cpu[c].irqs_off = false
	fi
}

/* The cmpxchg() of lkst_jump_ask() */
inline ask(buffer)
{
	atomic {
		jump_to = buffer;
#ifdef BUG_TWO_WORDS
	}
	atomic {
#endif
		jumps++;
		if
		:: buffer == SPARE && !left_for -> left_for = jumps
		:: else
		fi
	}
}

/* The rest of it */
inline asked_for(c)
{
	catch_up(c);
	publish();
	work = true
}

/* lkst_buffer_switch_all() */
inline switch_all(c, buffer)
{
	ask(buffer);
	asked_for(c)
}

/* lkst_snapshot(); @was is the caller's. */
inline snapshot(c)
{
	if
	:: current == TO
	:: else ->
#ifdef BUG_TWO_WORDS
		was = !(jump_to == TO && jumps != jumps_done);
		if
		:: was -> ask(SPARE)
		:: else
		fi;
#else
		atomic {
			was = !(jump_to == TO && jumps != jumps_done);
			if
			:: was -> ask(SPARE)
			:: else
			fi
		}
#endif
		if
		:: !was
		:: was ->
			asked_for(c);
			atomic {
				was = due;
				due = true
			}
			if
			:: was
			:: !was -> listed = true
			fi;
			was = false;
			work = true
		fi
	fi
}

/* A task of the CPU. It does not go on while another CPU interrupts this one. */
proctype task(byte c) provided (!cpu[c].ipi)
{
	byte i, n, b;
	bool was;

	do
	:: i == EVENTS -> break
	:: else ->
		/* lkst_jump_handler() */
		if
		:: own -> catch_up(c)
		:: else
		fi;
		atomic {
			written++;
			cpu[c].held[cpu[c].ring]++;
			if
			:: left_for && cpu[c].jumped >= left_for ->
				cpu[c].late[cpu[c].ring] = true
			:: else
			fi
		}
		if
		:: true
		:: atomic { snapshots < SNAPSHOTS -> snapshots++ };
		   snapshot(c)
		:: atomic { switches < SWITCHES -> switches++ };
		   switch_all(c, TO)
		:: atomic { alone < ALONE -> alone++; cpu[c].ring = cpu[c].has[TO] }
		fi;
		i++
	od;
	ended++
}

inline interrupt(c)
{
	atomic { !cpu[c].irqs_off -> cpu[c].ipi = true }
}

inline clear(c, r)
{
	cpu[c].held[r] = 0;
	cpu[c].late[r] = false
}

/* lkst_jump_make(); @asked, @target, @c, @n and @b are the caller's. */
inline jump_make()
{
	atomic {
		asked = jumps;
		target = jump_to
	};
	if
	:: asked == jumps_done
	:: else ->
		c = 0;
		do
		:: c == CPUS -> break
		:: else ->
			interrupt(c);
			catch_up_now(c);
			cpu[c].ipi = false;
			c++
		od;
		c = 0;
		if
		:: target == SPARE
		:: else -> current = target
		fi;
		jumps_done = asked;
		publish()
	fi;
	asked = 0;
	target = 0
}

/* lkst_buffer_jump(), of all CPUs */
inline buffer_jump(buffer)
{
	c = 0;
	do
	:: c == CPUS -> break
	:: else ->
		atomic { !cpu[c].irqs_off -> cpu[c].ring = cpu[c].has[buffer] };
		c++
	od;
	c = 0;
	current = buffer
}

/* lkst_jump_all() */
inline jump_all(buffer)
{
	buffer_jump(buffer);
	if
#ifdef BUG_NOT_AGAIN
	:: true
#else
	:: jumps == jumps_done
	:: else ->
		c = 0;
		do
		:: c == CPUS -> break
		:: else ->
			cpu[c].jumped = jumps_done;
			c++
		od;
		c = 0;
		jump_make()
#endif
	fi
}

/* lkst_buffer_forget() */
inline buffer_forget()
{
	c = 0;
	do
	:: c == CPUS -> break
	:: else ->
		atomic {
			!cpu[c].irqs_off;
			forgotten = forgotten + cpu[c].held[cpu[c].has[SPARE]];
			clear(c, cpu[c].has[SPARE])
		};
		c++
	od;
	c = 0
}

/* lkst_do_rotate(); @r and @f are the caller's. */
inline do_rotate(c, from)
{
	atomic {
		!cpu[c].irqs_off;
		r = cpu[c].has[TO];
		f = cpu[c].has[SPARE];
		if
#ifndef BUG_OWN_CPU
		:: from != TO && cpu[c].ring == r ->
			forgotten = forgotten + cpu[c].held[f];
			clear(c, f)
#endif
		:: else ->
#if !WRITES
			/* What a CPU recorded after it left for the snapshot stays. */
			assert(!cpu[c].late[r]);
#endif
			replaced = replaced + cpu[c].held[r];
			clear(c, r);
			cpu[c].has[SPARE] = r;
			r = cpu[c].has[from];
			cpu[c].has[TO] = r;
			cpu[c].has[from] = f;
			if
			:: cpu[c].ring == r -> cpu[c].ring = f
			:: else
			fi
		fi;
		r = 0;
		f = 0
	}
}

/* lkst_snapshot_make() */
inline snapshot_make()
{
	if
#ifndef BUG_OWN
	:: current == TO ->
		jump_all(TO);
		buffer_forget()
#endif
	:: else ->
		k = 0;
		do
		:: k == CPUS -> break
		:: else ->
			do_rotate(k, from);
			k++
		od;
		k = 0
	fi
}

/* lkst_jump_settle(); @from and @take are the caller's, too. */
inline jump_settle()
{
	atomic {
		take = listed;
		listed = false
	}
	if
	:: take ->
		from = current;
#ifdef BUG_DUE_LATE
		jump_make();
		due = false;
#else
		due = false;
		jump_make();
#endif
		snapshot_make();
		from = 0
	:: else
	fi;
	take = false;
	jump_make()
}

proctype worker()
{
	byte c, k, n, b, r, f, asked, target, from;
	bool take;

	do
	:: atomic { work && !mutex -> mutex = true; work = false };
	   jump_settle();
	   mutex = false
	:: atomic { ended == CPUS + WRITES && !work && !mutex -> break }
	od;

	/* Nobody writes to the spare buffer, and each record is somewhere, or counted. */
	atomic {
		assert(current != SPARE);
		do
		:: c == CPUS -> break
		:: else ->
			assert(cpu[c].ring != cpu[c].has[SPARE]);
#if !ALONE
			assert(cpu[c].ring == cpu[c].has[current]);
#endif
			assert(!cpu[c].held[cpu[c].has[SPARE]]);
			asked = asked + cpu[c].held[cpu[c].has[MAIN]];
			asked = asked + cpu[c].held[cpu[c].has[TO]];
			c++
		od;
		assert(asked + forgotten + replaced == written)
	}
}

/* lkst_jump() */
proctype writer()
{
	byte c, k, n, b, r, f, asked, target, from;
	bool take;

	atomic { !mutex -> mutex = true };
	jump_settle();
	jump_all(MAIN);
	mutex = false;
	ended++
}

init {
	byte c;

	atomic {
		do
		:: c == CPUS -> break
		:: else ->
			cpu[c].has[MAIN] = MAIN;
			cpu[c].has[TO] = TO;
			cpu[c].has[SPARE] = SPARE;
			cpu[c].ring = MAIN;
			run task(c);
			c++
		od;
		run worker();
		if
		:: WRITES -> run writer()
		:: else
		fi
	}
}
