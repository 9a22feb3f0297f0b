// Sends the first requests of every page while its scripts are still loading; api.js uses the responses. It runs
// first, so these requests do not wait for the scripts.
const early = /** @type {any} */ (globalThis).early = new Map();
const base = /^\/s\/[^/]+/.exec(location.pathname)?.[0] ?? ''; // of a share link, as in routes.js
const first = ['/session', ...(location.pathname + location.search === '/' && (localStorage.getItem('stars') ?? '[]') === '[]' ? ['/workloads'] : [])];
for (const path of first) {
  const answer = fetch(`${base}/api/v1${path}`, { headers: { Accept: 'application/json' }, credentials: 'same-origin', priority: 'high' });
  answer.catch(() => { /* reported by api.js, which awaits it */ });
  early.set(path, answer);
}
// Files that other pages than the first import, by the beginning of the address. vendor.mjs fills this table, so
// that they load in parallel instead of one round trip after the other.
/** @type {Record<string, string[]>} */
const modules = {};
const [, section, one] = location.pathname.slice(base.length).split('/');
for (const path of modules[one ? `${section}/` : section] ?? []) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = new URL(path, /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  document.head.append(link);
}
// The first Intl.NumberFormat reads the locale's data, which takes longer than a frame on a slow machine. Plot makes
// one when it is loaded, so it is made while the scripts are on their way.
if (one) setTimeout(() => new Intl.NumberFormat('en-US'));
