// keys.js: single-letter shortcuts, outside input fields only. All functions are reachable without them.
import { useLayoutEffect, useRef } from './lib.js';
import { isModal } from './layers.js';

/** @typedef {{ keys: string, does: string, run: () => void }} Key  "g w" is g, then w. */

/** The current key bindings, the page's own first, for the help dialog. @type {Set<{ list: Key[] }>} */
const bound = new Set();
let before = '';
let beforeAt = 0;

export const allKeys = () => [...bound].reverse().flatMap((b) => b.list);

/** @param {EventTarget|null} target */
function inField(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** @param {KeyboardEvent} e */
function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || inField(e.target) || isModal()) return;
  if (localStorage.getItem('keys') === 'off') return;
  const pair = e.timeStamp - beforeAt < 1200 && before ? `${before} ${e.key}` : '';
  const keys = allKeys();
  const hit = keys.find((k) => k.keys === pair) ?? keys.find((k) => k.keys === e.key);
  before = e.key.length === 1 ? e.key : '';
  beforeAt = e.timeStamp;
  if (!hit) return;
  e.preventDefault();
  before = '';
  hit.run();
}
let listening = false;

/** Binds keys while the component is on the page. @param {Key[]} list */
export function useKeys(list) {
  const mine = useRef({ list });
  mine.current.list = list;
  useLayoutEffect(() => {
    if (!listening) document.addEventListener('keydown', pressed);
    listening = true;
    bound.add(mine.current);
    return () => { bound.delete(mine.current); };
  }, []);
}

/** j and k move through the rows of the page's tables; Enter opens a row, because its link has the focus. @param {1|-1} step */
export function walkRows(step) {
  const rows = [...document.querySelectorAll('main tbody tr[data-row] :is(a, button)')];
  const own = rows.filter((el, i) => i === 0 || el.closest('tr') !== rows[i - 1].closest('tr'));
  const at = own.findIndex((el) => el.closest('tr')?.contains(document.activeElement));
  const next = own[at < 0 ? (step > 0 ? 0 : own.length - 1) : Math.max(0, Math.min(own.length - 1, at + step))];
  if (next instanceof HTMLElement) next.focus();
}
