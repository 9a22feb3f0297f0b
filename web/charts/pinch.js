// pinch.js: two fingers on a time axis: the moments that they were put on stay under them. Pure.

/** @typedef {import('./time_window.js').Window} Window */

const LEAST = 8; // pixels between the fingers: nearer, the least tremble would turn everything

/** The window in which these moments are at these places; null: the fingers are too close, or have changed sides.
 * @param {number[]} moments two @param {number[]} xs pixels from the left end of the axis @param {number} width pixels @returns {Window|null} */
export function pinched([a, b], [x, y], width) {
  if (Math.abs(y - x) < LEAST || a === b || (b > a) !== (y > x)) return null;
  const pixel = (b - a) / (y - x);
  return { from: a - x * pixel, to: a + (width - x) * pixel };
}
