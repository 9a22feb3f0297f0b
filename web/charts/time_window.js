// time_window.js: a time window that several pictures share: zoom, pan, text. Pure; all times in cycles.

/** @typedef {{ from: number, to: number }} Window */

const COLUMNS_MIN = 4;

/** Limits a window to the whole range and to a minimum of a few columns. @param {Window} w @param {Window} whole @param {number} column cycles of one @returns {Window} */
export function inside(w, whole, column) {
  const width = Math.min(whole.to - whole.from, Math.max(w.to - w.from, COLUMNS_MIN * column));
  const from = Math.min(Math.max(whole.from, w.from), whole.to - width);
  return { from, to: from + width };
}

/** Zooms in by `factor` around `at`. @param {Window} w @param {number} at @param {number} factor @returns {Window} */
export const closer = (w, at, factor) => ({ from: at - (at - w.from) / factor, to: at + (w.to - at) / factor });

/** @param {Window} w @param {number} by in cycles @returns {Window} */
export const moved = (w, by) => ({ from: w.from + by, to: w.to + by });

/** @param {Window} a @param {Window} b */
export const same = (a, b) => Math.round(a.from) === Math.round(b.from) && Math.round(a.to) === Math.round(b.to);

/** The columns of a matrix starting at cycle `from` that overlap the window; the end is exclusive.
 * @param {Window} w @param {{ from: number, columns: number, column: number }} of @returns {[number, number]} */
export function columnsOf(w, of) {
  const first = Math.max(0, Math.floor((w.from - of.from) / of.column));
  const end = Math.min(of.columns, Math.ceil((w.to - of.from) / of.column));
  return [Math.min(first, of.columns - 1), Math.max(end, first + 1)];
}

/** The window as text; empty if it covers everything. @param {Window} w @param {Window} whole
 * @param {(n: number) => string} count how a number is written */
export const windowText = (w, whole, count) => (w.from <= whole.from && w.to >= whole.to ? '' : `cycles ${count(Math.floor(w.from))} to ${count(Math.ceil(w.to))}`);
