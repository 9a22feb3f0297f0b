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

/** @param {{ base: string, with: string[] }} c */
export const compareAddress = (c) => href('compare', {}, { ...(c.base ? { base: c.base } : {}), ...(c.with.length ? { with: c.with.join(',') } : {}) });
