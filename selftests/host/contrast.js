// SPDX-License-Identifier: GPL-2.0-only
// The pairs of colours of the page whose contrast is less than 4.5 to 1 (WCAG AA).
const light = (c) => {
	const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const hex = (name) => {
	const text = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
	return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
};
const ratio = (a, b) => {
	const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
};
const bad = [];
for (const back of ["back", "panel"])
	for (const front of ["text", "weak", "link", "mark", "note"])
		if (!(ratio(hex(back), hex(front)) >= 4.5))
			bad.push(`${front} on ${back}`);
lkst.styles().forEach(([back], i) => {
	if (!(ratio(back, lkst.textOn(back)) >= 4.5))
		bad.push(`text on style ${i}`);
});
return bad.join(", ");
