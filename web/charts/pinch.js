// pinch.js: two fingers on a time axis: the times under the fingers stay under them. Pure.

/** @typedef {import('./time_window.js').Window} Window */

const LEAST = 8; // minimum distance of the fingers in pixels: below it small movements have too large effects

/** The window in which these times are at these positions; null: the fingers are too close, or have crossed.
 * @param {number[]} moments two @param {number[]} xs pixels from the left end of the axis @param {number} width pixels @returns {Window|null}
 */
export function pinched([a, b], [x, y], width) {
  if (Math.abs(y - x) < LEAST || a === b || (b > a) !== (y > x)) return null;
  const pixel = (b - a) / (y - x);
  return { from: a - x * pixel, to: a + (width - x) * pixel };
}
