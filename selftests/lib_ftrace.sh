# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the tests share that record the same run with LKST and with ftrace, from
# one getpgid() to another that both have. Sourced after lib.sh.

T=/sys/kernel/tracing
BEGIN=0x4c4b0001
END=0x4c4b0002

# ftrace_ready EVENT: ftrace is there, has this event, and is off.
ftrace_ready() {
	[ -e "$T/trace" ] || mount -t tracefs none "$T" 2>/dev/null ||
		lack 'no tracefs in this kernel'
	[ -e "$T/events/$1" ] || lack 'no events in this kernel'
	ftrace_off
	echo nop >"$T/current_tracer"
}

ftrace_off() {
	echo 0 >"$T/tracing_on"
	echo 0 >"$T/events/enable"
	echo >"$T/trace"
	echo nofields >"$T/trace_options"
}

# both MASKSET COMMAND: is recorded by both, between two calls of getpgid() on every
# CPU; what they have goes to $TMP/run, a file for each CPU and tracer.
both() {
	echo 1 >"$T/tracing_on"
	put maskset "$1"
	shift
	# shellcheck disable=SC2046
	"$H" token "$BEGIN" $(cpus)
	"$@" >/dev/null
	# shellcheck disable=SC2046
	"$H" token "$END" $(cpus)
	stop
	echo 0 >"$T/tracing_on"
	mkdir -p "$TMP/run"
	# As a number of a CPU, LKST_CPU_NAMES is -1.
	cat "$LKST/names_raw" >"$TMP/run/lkst.-1"
	for c in $(cpus); do
		cat "$LKST/per_cpu/cpu$c/trace_raw" >"$TMP/run/lkst.$c"
		cat "$T/per_cpu/cpu$c/trace" >"$TMP/run/ftrace.$c"
		grep -qx 'overrun: 0' "$T/per_cpu/cpu$c/stats"
	done
	ftrace_off
	echo 1400 >"$T/buffer_size_kb"
	nothing_overwritten
	[ -z "${LKST_TEST_KEEP:-}" ] || cp -r "$TMP/run" "$LKST_TEST_KEEP/$CASE"
}
