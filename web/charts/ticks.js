// ticks.js: where a logarithmic axis has its marks. Pure.

/** Powers of ten; where they are fewer than three, ones, twos and fives; where those are too few, even steps.
 * @param {number} low above 0 @param {number} high */
export function logTicks(low, high) {
  const from = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.max(1, Math.ceil(Math.log10(high)) - from + 1) }, (_, i) => Number(`1e${from + i}`));
  const inside = (/** @type {number[]} */ list) => list.filter((t) => t >= low * (1 - 1e-9) && t <= high * (1 + 1e-9));
  for (const list of [powers, powers.flatMap((t) => [t, 2 * t, 5 * t])]) {
    if (inside(list).length >= 3) return inside(list);
  }
  return evenTicks(low, high, 5);
}

/** Even steps of one, two or five, at most about `most`. @param {number} low @param {number} high @param {number} most */
export function evenTicks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
