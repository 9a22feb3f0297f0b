// nav.js: navigation. The address is the state of the view, so the back button undoes a choice.
import { signal, useMemo } from './ui/lib.js';
import { match, readQuery, writeQuery } from './routes.js';

/** @typedef {import('./routes.js').Rule} Rule */

/* Going back restores the scroll position. The browser restores it before the data is loaded, when the page is still
 * short; this code restores it as the page grows, until the user scrolls, types or clicks. */
const KEPT = 'scroll';
/** History entry → its scroll position. @type {Map<string, number>} */
const places = new Map(keptPlaces());
let entered = 0;
/** The scroll position to restore, while the page is still too short. @type {number|null} */
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

/** Called when the current history entry is left or its address is replaced. @param {boolean} stays */
function leavePlace(stays) {
  if (!stays) target = null;
  if (target === null) places.set(keyOf(), scrollY);
}

/** Called when a new entry has become the current one. */
function enterPlace() {
  entered += 1;
  history.replaceState({ place: `${performance.timeOrigin}-${entered}` }, '');
}

/** Called when the visitor returns to an entry of the history: restores its scroll position. */
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
  } catch { /* storage is full: pages start at the top */ }
});
if (places.has(keyOf())) scrollBack(); // page reloaded, or return from another site

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

/** Handles plain clicks on internal links without a page load. */
export function followLinks() {
  document.addEventListener('click', (e) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const a = e.target instanceof Element ? e.target.closest('a') : null;
    if (!a || a.target || a.hasAttribute('download') || a.origin !== location.origin || !match(a.pathname)) return;
    if (a.hash && a.pathname === location.pathname && a.search === location.search) return; // an anchor on this page: handled by the browser
    e.preventDefault();
    go(a.href);
  });
}

/** The view's part of the address, and how to change it. Clicks push a history entry; dragging and typing replace the
 * current one.
 * @template {Record<string, Rule>} R
 * @param {R} rules
 * @returns {[{[K in keyof R]: string}, (change: Partial<{[K in keyof R]: string}>, how?: { replace?: boolean }) => void, string[]]}
 */
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
