// nav.js: where the visitor is. The address is the state of the view, so going back undoes what was chosen.
import { signal, useMemo } from './ui/lib.js';
import { match, readQuery, writeQuery } from './routes.js';

/** @typedef {import('./routes.js').Rule} Rule */

/* Going back shows a page where it was left. The browser restores the place before the data has come, when the page is still
 * short; here it is restored as the page grows, until the visitor scrolls, types or presses. */
const KEPT = 'scroll';
/** Entry of the history → how far it was scrolled. @type {Map<string, number>} */
const places = new Map(keptPlaces());
let entered = 0;
/** Where the page is to be, while it has not come so far. @type {number|null} */
let target = null;

/** @returns {[string, number][]} */
function keptPlaces() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  } catch {
    return [];
  }
}

const keyOf = () => String(history.state?.place ?? '');

/** The present entry of the history is left, or its address replaced. @param {boolean} stays */
function leavePlace(stays) {
  if (!stays) target = null;
  if (target === null) places.set(keyOf(), scrollY);
}

/** A new entry has become the present one. */
function enterPlace() {
  entered += 1;
  history.replaceState({ place: `${performance.timeOrigin}-${entered}` }, '');
}

/** The present entry was come back to. */
function scrollBack() {
  target = places.get(keyOf()) ?? 0;
  scrollTo(0, target);
}

history.scrollRestoration = 'manual';
addEventListener('scroll', () => { if (target === null) places.set(keyOf(), scrollY); }, { passive: true });
for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown']) addEventListener(kind, () => { target = null; }, { passive: true, capture: true });
new ResizeObserver(() => { if (target !== null) scrollTo(0, target); }).observe(document.documentElement);
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...places].slice(-50)));
  } catch { /* no room: the pages begin at their top */ }
});
if (places.has(keyOf())) scrollBack(); // loaded again, or come back to from another site

const read = () => ({ path: location.pathname, search: location.search });
export const here = signal(read());

addEventListener('popstate', () => {
  here.value = read();
  scrollBack();
});

/** @param {string} address @param {{ replace?: boolean }} [how] */
export function go(address, { replace = false } = {}) {
  const to = new URL(address, location.href);
  if (to.pathname + to.search === location.pathname + location.search) return;
  leavePlace(replace);
  history[replace ? 'replaceState' : 'pushState'](history.state, '', to.pathname + to.search);
  if (!replace) enterPlace();
  const turned = to.pathname !== here.value.path;
  here.value = read();
  if (turned) scrollTo(0, 0);
}

/** Plain clicks on our own links stay in this page. */
export function followLinks() {
  document.addEventListener('click', (e) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const a = e.target instanceof Element ? e.target.closest('a') : null;
    if (!a || a.target || a.hasAttribute('download') || a.origin !== location.origin || !match(a.pathname)) return;
    if (a.hash && a.pathname === location.pathname && a.search === location.search) return; // a place on this page: the browser goes there
    e.preventDefault();
    go(a.href);
  });
}

/** The view's part of the address, and how to change it. What is clicked pushes history, what is dragged or typed replaces it.
 * @template {Record<string, Rule>} R
 * @param {R} rules
 * @returns {[{[K in keyof R]: string}, (change: Partial<{[K in keyof R]: string}>, how?: { replace?: boolean }) => void, string[]]} */
export function useQuery(rules) {
  const search = here.value.search;
  const { values, problems } = useMemo(() => readQuery(search, rules), [search]);
  /** @param {Partial<{[K in keyof R]: string}>} change @param {{ replace?: boolean }} [how] */
  const set = (change, how) => {
    const now = readQuery(location.search, rules).values;
    go(location.pathname + writeQuery({ ...now, .../** @type {any} */ (change) }, rules), how);
  };
  return [values, set, problems];
}
