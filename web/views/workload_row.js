// workload_row.js: a workload in its list: starred to the top, and how far it is.
import { html, signal } from '../ui/lib.js';

/** @typedef {import('../types.js').Workload} Workload */

const KEY = 'stars';
/** Ids of starred workloads, kept in this browser. @returns {Set<string>} */
function read() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(list) ? list.map(String) : []);
  } catch {
    return new Set();
  }
}
export const stars = signal(read());

/** @param {string} id */
function turn(id) {
  const next = new Set(stars.value);
  if (!next.delete(id)) next.add(id);
  stars.value = next;
  localStorage.setItem(KEY, JSON.stringify([...next]));
}

/** @param {{ workload: Workload }} p */
export function Star({ workload: w }) {
  const on = stars.value.has(w.id);
  return html`<button type="button" class="star" aria-pressed=${on} aria-label=${`${w.name}: keep it on top`} title="Keep it on top" onClick=${() => turn(w.id)}>${on ? '★' : '☆'}</button>`;
}

/** How far a workload is: the states that its list can be narrowed to. */
export const STATES = /** @type {const} */ (['any', 'running', 'done', 'failed', 'not run', 'not planned']);
/** @param {Workload} w */
export function stateOf(w) {
  const r = w.latest_run;
  if (r) return r.state === 'paused' ? 'running' : r.state === 'cancelled' ? 'failed' : r.state;
  return w.latest_plan ? 'not run' : 'not planned';
}
