// SPDX-License-Identifier: GPL-2.0-only
// The lines of all records, and "PID RUNNING READY BLOCKED UNKNOWN" of each thread.
const numbers = Array.from({ length: lkst.about.blocks }, (_, n) => n);
const { from, to, look, lookClass } = lkst.spans(), { reasons, classes } = lkst.about;
for (const lane of lkst.lanes.filter((one) => one.cpu !== undefined)) {
	let at = lkst.about.from;
	for (let i = lane.first; i < lane.end; i++) {
		if (from[i] !== at)
			throw new Error(`${lane.name} at ${at}`);
		at = to[i];
	}
	if (at !== lkst.about.to)
		throw new Error(`${lane.name} ends at ${at}`);
}
const sums = lkst.lanes.filter((lane) => lane.cpu === undefined).map((lane) => {
	const sum = [0, 0, 0, 0];
	for (let i = lane.first; i < lane.end; i++) {
		const c = lookClass[look[i]], name = c < reasons ? classes[c] : "";
		sum[name === "unknown" ? 3 : name === "ready" ? 1 : name ? 0 : 2] += to[i] - from[i];
		if (to[i] <= from[i] || (i > lane.first && from[i] < to[i - 1]))
			throw new Error(`span ${i} of ${lane.name}`);
	}
	return `${lane.tid < 0 ? "" : lane.tid} ${sum.join(" ")}`;
});
return Promise.all(numbers.map(lkst.openBlock)).then((blocks) =>
	[...blocks.map((block) => block.line.join("\n")), "=== sums", ...sums].join("\n"));
