// What every page asks first is asked while its scripts are still coming; api.js takes the answers. Before the modules,
// which are many: what waits behind them comes a round trip later for each six.
const early = /** @type {any} */ (globalThis).early = new Map();
const first = ['/session', ...(location.pathname + location.search === '/' && (localStorage.getItem('stars') ?? '[]') === '[]' ? ['/workloads'] : [])];
for (const path of first) {
  const answer = fetch(`/api/v1${path}`, { headers: { Accept: 'application/json' }, credentials: 'same-origin', priority: 'high' });
  answer.catch(() => { /* told by api.js, where it is waited for */ });
  early.set(path, answer);
}
