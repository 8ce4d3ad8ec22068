/* SPDX-License-Identifier: GPL-2.0-only */
/* A tracepoint with a field of each kind. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM lkst_test

#if !defined(LKST_TEST_TRACEPOINT_H) || defined(TRACE_HEADER_MULTI_READ)
#define LKST_TEST_TRACEPOINT_H

#include <linux/tracepoint.h>

TRACE_EVENT(lkst_test_fields,
	TP_PROTO(u64 value, const char *text),
	TP_ARGS(value, text),
	TP_STRUCT__entry(
		__field(u8, byte)
		__field(s8, sbyte)
		__field(u16, half)
		__field(s16, shalf)
		__field(u32, word)
		__field(s32, sword)
		__field(unsigned long, full)
		__field(long, sfull)
		__field(const void *, pointer)
		__array(char, comm, 16)
		__array(u8, address, 4)
		__array(u8, wide, 16)
		__string(text, text)
		__dynamic_array(u32, numbers, 2)
	),
	TP_fast_assign(
		u32 *numbers = __get_dynamic_array(numbers);

		__entry->byte = value;
		__entry->sbyte = value;
		__entry->half = value;
		__entry->shalf = value;
		__entry->word = value;
		__entry->sword = value;
		__entry->full = value;
		__entry->sfull = value;
		__entry->pointer = (void *)(unsigned long)value;
		strscpy(__entry->comm, text, sizeof(__entry->comm));
		memcpy(__entry->address, &value, sizeof(__entry->address));
		memset(__entry->wide, 0, sizeof(__entry->wide));
		__assign_str(text);
		numbers[0] = value;
		numbers[1] = value;
	),
	TP_printk("full=%lx text=%s", __entry->full, __get_str(text))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE lkst_test_tracepoint
#include <trace/define_trace.h>
