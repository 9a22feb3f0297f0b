// What every page asks first is asked while its scripts are still coming; api.js takes the answers. Before the modules,
// which are many: what waits behind them comes a round trip later for each six.
const early = /** @type {any} */ (globalThis).early = new Map();
const base = /^\/s\/[^/]+/.exec(location.pathname)?.[0] ?? ''; // of a share link, as in routes.js
const first = ['/session', ...(location.pathname + location.search === '/' && (localStorage.getItem('stars') ?? '[]') === '[]' ? ['/workloads'] : [])];
for (const path of first) {
  const answer = fetch(`${base}/api/v1${path}`, { headers: { Accept: 'application/json' }, credentials: 'same-origin', priority: 'high' });
  answer.catch(() => { /* reported by api.js, where it is waited for */ });
  early.set(path, answer);
}
// A page other than the first has modules of its own, which import others in turn: vendor.mjs has written here which, so
// that they come beside all the rest, and not one round trip after the other. By the beginning of the address.
/** @type {Record<string, string[]>} */
const modules = {};
const [, section, one] = location.pathname.slice(base.length).split('/');
for (const path of modules[one ? `${section}/` : section] ?? []) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = new URL(path, /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  document.head.append(link);
}
