// nav.js: where the visitor is. The address is the state of the view, so going back undoes what was chosen.
import { signal, useMemo } from './ui/lib.js';
import { match, readQuery, writeQuery } from './routes.js';

/** @typedef {import('./routes.js').Rule} Rule */

const read = () => ({ path: location.pathname, search: location.search });
export const here = signal(read());

addEventListener('popstate', () => { here.value = read(); });

/** @param {string} address @param {{ replace?: boolean }} [how] */
export function go(address, { replace = false } = {}) {
  const to = new URL(address, location.href);
  if (to.pathname + to.search === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to.pathname + to.search);
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
