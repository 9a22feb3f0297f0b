// routes.js: addresses ⇄ views and their state. Pure; test/unit/routes.test.mjs walks both ways.

/** Prefix of all addresses of this page: `/s/SECRET` for visitors with a share link, otherwise ''. The API has the
 * same prefix: the link is not a session, so a session in other tabs of this browser is not affected. */
export const base = typeof location === 'undefined' ? '' : /^\/s\/[^/]+/.exec(location.pathname)?.[0] ?? '';

/** The address of this page for pictures and paper, which people pass on: without the secret of a share link. */
export const pageAddress = () => location.origin + (location.pathname.slice(base.length) || '/') + location.search;

/** @typedef {{ name: string, params: Record<string, string> }} Match */
/** Values of one query parameter: its default, and the other allowed values (default: all).
 * @typedef {{ fallback: string, oneOf?: readonly string[], number?: [number, number], test?: (value: string) => boolean }} Rule
 */

/** Name of the view → its path. The order does not matter: a path matches at most one of them. */
export const ROUTES = /** @type {const} */ ({
  workloads: '/',
  upload: '/upload',
  workload: '/workloads/:id',
  profile: '/profiles/:id',
  plans: '/plans',
  plan: '/plans/:id',
  runs: '/runs',
  run: '/runs/:id',
  result: '/results/:id',
  compare: '/compare',
  farm: '/farm',
  discards: '/discards',
  team: '/team/:team',
  join: '/join',
});

/** @param {string} path @returns {Match|null} */
export function match(path) {
  if (!path.startsWith(base)) return null;
  const parts = path.slice(base.length).replace(/\/+$/, '').split('/');
  for (const [name, pattern] of Object.entries(ROUTES)) {
    const wanted = pattern.replace(/\/+$/, '').split('/');
    if (wanted.length !== parts.length) continue;
    /** @type {Record<string, string>} */
    const params = {};
    const same = wanted.every((w, i) => {
      if (!w.startsWith(':')) return w === parts[i];
      try {
        params[w.slice(1)] = decodeURIComponent(parts[i]);
      } catch {
        return false;
      }
      return params[w.slice(1)] !== '';
    });
    if (same) return { name, params };
  }
  return null;
}

/** @param {keyof typeof ROUTES} name @param {Record<string, string>} [params] @param {Record<string, string>} [query] */
export function href(name, params = {}, query = {}) {
  const path = ROUTES[name].replace(/:(\w+)/g, (_, key) => encodeURIComponent(params[key]));
  const search = new URLSearchParams(query).toString();
  return base + (search ? `${path}?${search}` : path);
}

/** The state in an address: unknown parameters are skipped, a bad value becomes the default and is reported.
 * @template {Record<string, Rule>} R
 * @param {string} search @param {R} rules
 * @returns {{ values: {[K in keyof R]: string}, problems: string[] }} */
export function readQuery(search, rules) {
  const given = new URLSearchParams(search);
  /** @type {any} */
  const values = {};
  const problems = [];
  for (const [key, rule] of Object.entries(rules)) {
    const value = given.get(key);
    values[key] = rule.fallback;
    if (value === null) continue;
    if (allowed(value, rule)) values[key] = value;
    else problems.push(`The address asks for ${key} = “${value.slice(0, 40)}”, which this page does not know; ${rule.fallback === '' ? 'that is left out' : `${key} = “${rule.fallback}” is shown`}.`);
  }
  return { values, problems };
}

/** @param {string} value @param {Rule} rule */
function allowed(value, rule) {
  if (rule.oneOf) return rule.oneOf.includes(value);
  if (rule.test) return rule.test(value);
  if (!rule.number) return true;
  const x = Number(value);
  return value.trim() !== '' && Number.isFinite(x) && x >= rule.number[0] && x <= rule.number[1];
}

/** The inverse: values that differ from the defaults, in the order of the rules.
 * @param {Record<string, string>} values @param {Record<string, Rule>} rules */
export function writeQuery(values, rules) {
  const out = new URLSearchParams();
  for (const [key, rule] of Object.entries(rules)) {
    if (values[key] !== undefined && values[key] !== rule.fallback) out.set(key, values[key]);
  }
  const text = out.toString();
  return text ? `?${text}` : '';
}

/** The message about an id in the address that does not exist. @param {string} what @param {string} id '': no id @param {unknown[]|undefined} ids the existing ids, undefined while unknown @returns {string[]} */
export const notHere = (what, id, ids) => (ids && id !== '' && !ids.some((x) => String(x) === id) ? [`The address names ${what} “${id.slice(0, 40)}”, which is not here; that is left out.`] : []);
