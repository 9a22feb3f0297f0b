// comparing.js: what the visitor has put together for Compare while looking at runs. A side is RUN:DESIGN. Kept in this
// browser; the page itself has all of it in its address.
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
  } catch { /* nothing was chosen yet, or by another version */ }
  return { base: '', with: [] };
}

/** @param {string} base @param {string[]} others */
export function keep(base, others) {
  localStorage.setItem(KEY, JSON.stringify({ base, with: others.filter((s, i) => s !== base && others.indexOf(s) === i) }));
}

/** The first one chosen is the baseline. False: it is in already, or nothing more fits. @param {string} side */
export function addSide(side) {
  const c = chosen();
  if (c.base === side || c.with.includes(side) || c.with.length >= MOST) return false;
  keep(c.base || side, c.base ? [...c.with, side] : c.with);
  return true;
}

/** The baseline until now stays as one of the others. @param {string} side */
export function makeBase(side) {
  const c = chosen();
  keep(side, [c.base, ...c.with].filter((s) => s && s !== side));
}

/** @param {{ base: string, with: string[] }} c */
export const compareAddress = (c) => href('compare', {}, { ...(c.base ? { base: c.base } : {}), ...(c.with.length ? { with: c.with.join(',') } : {}) });
