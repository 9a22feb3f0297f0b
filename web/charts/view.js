// view.js: the window of a chart: the visible ranges of its axes. Pure.

/** @typedef {[number, number]} Span */
/** The visible ranges. Charts that zoom in x only have no `y`. @typedef {{ x: Span, y?: Span }} Domains */

/** For the address, and back: "0.5,2.25" or four numbers. @param {Domains|null} view */
export const viewText = (view) => (view ? [...view.x, ...(view.y ?? [])].map((v) => Number(v.toPrecision(6))).join(',') : '');
/** @param {string} text @returns {Domains|null} */
export function viewOf(text) {
  const v = text.split(',').map(Number);
  const ok = (v.length === 2 || v.length === 4) && text !== '' && v.every((n, i) => Number.isFinite(n) && (i % 2 === 0 || n > v[i - 1]));
  if (!ok) return null;
  return v.length === 4 ? { x: [v[0], v[1]], y: [v[2], v[3]] } : { x: [v[0], v[1]] };
}

/** The rule for a window in the address; an invalid window is reported. */
export const WINDOW = { fallback: '', test: (/** @type {string} */ text) => viewOf(text) !== null };

/** The intersection of a window with the whole; null if it is empty. @param {Domains|null} view @param {Domains|null} whole */
export function clipped(view, whole) {
  if (!view || !whole) return null;
  const cut = (/** @type {[number, number]} */ v, /** @type {[number, number]} */ w) => /** @type {[number, number]} */ ([Math.max(v[0], w[0]), Math.min(v[1], w[1])]);
  const x = cut(view.x, whole.x);
  const y = whole.y ? cut(view.y ?? whole.y, whole.y) : null;
  return x[0] < x[1] && (!y || y[0] < y[1]) ? { x, ...(y ? { y } : {}) } : null;
}
