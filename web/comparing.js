// comparing.js: the sides that the user has collected for the page Compare. A side is RUN:DESIGN. Stored in this
// browser; the page itself has them in its address.
import { href } from './routes.js';

const KEY = 'comparison';
export const MOST = 8;

/** @param {string} run @param {string} design */
export const sideOf = (run, design) => `${run}:${design}`;

/** @returns {{ base: string, with: string[] }} */
export function chosen() {
  try {
    const c = JSON.parse(localStorage.getItem(KEY) ?? '');
    if (typeof c.base === 'string' && Array.isArray(c.with)) return { base: c.base, with: c.with.map(String) };
  } catch { /* nothing stored, or in another version's format */ }
  return { base: '', with: [] };
}

/** @param {string} base @param {string[]} others */
export function keep(base, others) {
  localStorage.setItem(KEY, JSON.stringify({ base, with: others.filter((s, i) => s !== base && others.indexOf(s) === i) }));
}

/** Adds a side; the first one is the baseline. False: it exists already, or the list is full. @param {string} side */
export function addSide(side) {
  const c = chosen();
  if (c.base === side || c.with.includes(side) || c.with.length >= MOST) return false;
  keep(c.base || side, c.base ? [...c.with, side] : c.with);
  return true;
}

/** Makes a side the baseline; the previous baseline becomes one of the others. @param {string} side */
export function makeBase(side) {
  const c = chosen();
  keep(side, [c.base, ...c.with].filter((s) => s && s !== side));
}

/** The page Compare with the question of a share link. @param {import('./types.js').ShareQuestion} q */
export function questionAddress(q) {
  const text = (/** @type {import('./types.js').ShareSide} */ s) => sideOf(s.run, s.design);
  return href('compare', {}, { base: text(q.base), with: q.with.map(text).join(','), ...(q.show ? { show: text(q.show) } : {}), ...(q.all_parameters ? { parameters: 'all' } : {}) });
}

/** The inverse: what a share link has to show of the page Compare. `show` and `parameters` are as in its address.
 * @param {{ base: string, with: string[], show: string, parameters: string }} page @returns {import('./types.js').ShareQuestion} */
export function questionOf(page) {
  const side = (/** @type {string} */ s) => ({ run: s.slice(0, s.indexOf(':')), design: s.slice(s.indexOf(':') + 1) });
  return { base: side(page.base), with: page.with.map(side), ...(page.with.includes(page.show) ? { show: side(page.show) } : {}), all_parameters: page.parameters === 'all' };
}

/** @param {{ base: string, with: string[] }} c */
export const compareAddress = (c) => href('compare', {}, { ...(c.base ? { base: c.base } : {}), ...(c.with.length ? { with: c.with.join(',') } : {}) });
