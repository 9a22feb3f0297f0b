// workload_row.js: a workload in its list: with its star and its actions.
import { html, signal, useState } from '../ui/lib.js';
import { LaterDialog } from '../ui/later.js';
import { Menu } from '../ui/menu.js';
import { say } from '../ui/toast.js';
import { compareAddress, MOST, sideOf } from '../comparing.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').WorkloadRow} Workload */

const KEY = 'stars';
/** Maximum number of starred workloads that the server lists first. */
export const STARS_MAX = 50;
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

/** @param {Workload} w */
function turn(w) {
  const next = new Set(stars.value);
  if (!next.delete(w.id)) next.add(w.id);
  if (next.size > STARS_MAX) {
    say(`${STARS_MAX} workloads are on top already: take one of them down first.`, 'bad');
    return;
  }
  stars.value = next;
  localStorage.setItem(KEY, JSON.stringify([...next]));
}

/** @param {{ workload: Workload }} p */
export function Star({ workload: w }) {
  const on = stars.value.has(w.id);
  return html`<button type="button" class="star" aria-pressed=${on} aria-label=${`${w.name}: keep it on top`} title="Keep it on top" onClick=${() => turn(w)}>${on ? '★' : '☆'}</button>`;
}

/** Dialogs, loaded on demand. @type {Record<string, () => Promise<(p: any) => any>>} */
const ASKS = {
  plan: async () => (await import('./plan_dialog.js')).PlanDialog,
  share: async () => (await import('./share_dialog.js')).ShareDialog,
  rename: async () => (await import('./workload_dialogs.js')).RenameDialog,
  delete: async () => (await import('./workload_dialogs.js')).DeleteDialog,
};

/** @param {{ workload: Workload, onDone: () => void }} p */
export function RowMenu({ workload: w, onDone }) {
  const [asked, setAsked] = useState(/** @type {{ what: string, more: any }|null} */ (null));
  const ask = (/** @type {string} */ what, more = {}) => () => setAsked({ what, more });
  const archive = async () => (await import('./workload_dialogs.js')).turnArchived(w, onDone);
  const [plan, run, write] = [w.latest_plan, w.latest_run, api.may('write')];
  const [base, ...others] = run?.projections.slice(0, MOST + 1).map((p) => sideOf(run.id, p.design)) ?? [];
  const items = [
    ...(w.profile && write ? [{ text: 'Plan…', run: ask('plan', { profile: w.profile.id, unit: w.profile.unit, shapes: w.profile.kernel_shapes }) }] : []),
    ...(plan && write ? [{ text: 'Run the latest plan…', run: () => go(href('plan', { id: plan.id }, { run: 'ask' })) }] : []),
    ...(others.length > 0 ? [{ text: 'Compare the latest run', run: () => go(compareAddress({ base, with: others })) }] : []),
    ...(run && api.may('admin') ? [{ text: 'Share the latest run…', run: ask('share', { kind: 'run', id: run.id, name: w.name }) }] : []),
    { text: stars.value.has(w.id) ? 'Take it from the top' : 'Keep it on top', run: () => turn(w) },
    ...(write ? [{ text: 'Rename…', run: ask('rename') }, { text: w.archived ? 'Take out of the archive' : 'Archive', run: archive }, { text: 'Delete…', run: ask('delete') }] : []),
  ];
  return html`<${Menu} label=${`What to do with ${w.name}`} items=${items} floats />${asked && html`<${LaterDialog} key=${asked.what} get=${ASKS[asked.what]} what="The dialog" workload=${w} ...${asked.more} onClose=${() => setAsked(null)} onDone=${onDone} />`}`;
}

/** The states of a workload; the server can filter the list by them. */
export const STATES = /** @type {const} */ (['', 'running', 'done', 'failed', 'not_run', 'not_planned']);
/** @param {string} s */
export const stateWords = (s) => (s === '' ? 'any' : s.replace('_', ' '));
