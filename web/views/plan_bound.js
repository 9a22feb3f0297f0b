// plan_bound.js: the error bound of a plan page: a handle on the curve, a number field, two keys. All displayed
// values are evaluated by the server; a bound without a setting is evaluated on request.
import { html, useMemo } from '../ui/lib.js';
import { useLoad } from '../ui/load.js';
import { Num } from '../ui/num.js';
import { bound, count, error, plural, share, shortUnit, speedup } from '../ui/format.js';
import { errorOf } from '../charts/pareto.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Plan} Plan @typedef {import('../types.js').Evaluation} Item */
/** `at`: the setting at the handle. `turned`: it differs from the plan's. `scoring`: its evaluation is pending.
 * @typedef {{ error: number, turned: boolean, scoring: boolean, failed: Error|null, curve: Item[], at: Item|null, set: (error: number, how?: { replace?: boolean }) => void, step: (way: 1|-1) => void }} Bound
 */

const same = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 1e-9;

/** @param {Plan|undefined} plan @param {Item[]|undefined} items of the sweep @param {string} eps as in the address
 * @param {(change: { eps: string }, how?: { replace?: boolean }) => void} set @returns {Bound} */
export function useBound(plan, items, eps, set) {
  const wanted = eps === '' ? plan?.error ?? 0 : Number(eps);
  const own = useMemo(() => (items ?? []).filter((i) => i.method === plan?.method), [items, plan]);
  const able = own.some((i) => errorOf(i) !== null && i.speedup !== null);
  const lacks = plan !== undefined && able && !own.some((i) => same(i.error, wanted));
  const asked = lacks ? wanted : null;
  const extra = useLoad(async (abort) => (plan && asked !== null ? (await api.sweep(plan.profile, api.sweepOf(plan.confidence, [plan.method], [asked]), abort)).items : []), [plan?.id, asked]);
  const curve = useMemo(() => [...own, ...(extra.data ?? []).filter((x) => !own.some((i) => same(i.error, x.error)))]
    .filter((i) => i.speedup !== null).sort((a, b) => a.error - b.error), [own, extra.data]);
  const at = curve.find((i) => same(i.error, wanted)) ?? null;
  const turn = (/** @type {number} */ e, /** @type {{ replace?: boolean }} */ how = {}) => set({ eps: plan && same(e, plan.error) ? '' : String(Number(e.toPrecision(6))) }, how);
  return {
    error: wanted, turned: plan !== undefined && !same(wanted, plan.error), scoring: lacks && extra.data === undefined && !extra.error, failed: lacks ? extra.error : null, curve, at, set: turn,
    step: (way) => {
      const next = way > 0 ? curve.find((i) => i.error > wanted * 1.000001) : [...curve].reverse().find((i) => i.error < wanted * 0.999999);
      if (next) turn(next.error);
    },
  };
}

/** The field beside the picture. @param {{ of: Bound }} p */
export function BoundField({ of }) {
  const take = (/** @type {any} */ e) => {
    const value = Number(e.target.value.replace('%', '').replace(',', '.')) / 100;
    if (value >= 0.0001 && value <= 1) of.set(value);
    else e.target.value = shown;
  };
  const shown = String(Number((of.error * 100).toPrecision(6)));
  return html`<label class="boundfield">ε <input key=${shown} size="5" inputmode="decimal" defaultValue=${shown} aria-label="Error bound, per cent" title="The error bound: drag the handle, type, or press [ and ]" onChange=${take} /> %</label>`;
}

/** The strip while the bound differs from the plan's. @param {Plan} plan @param {Bound} b */
export function boundFacts(plan, b) {
  const i = b.at;
  const wait = b.scoring ? '…' : '–';
  const number = (/** @type {number|null|undefined} */ v, /** @type {(v: number) => string} */ text) => (i ? html`<${Num} value=${v} text=${v === null || v === undefined ? '–' : text(v)} />` : wait);
  return [
    { label: 'Speed-up', value: number(i?.speedup, (v) => speedup(v).replace(/\s×$/, '')), unit: '×', note: i?.speedup ? `simulated ${plan.unit === 'ns' ? 'time' : shortUnit(plan.unit)}: ${share(1 / i.speedup)} of all` : 'being scored' },
    { label: 'Promised error', value: number(i?.promised_error, error), note: `for a bound of ${bound(b.error)}, ${bound(plan.confidence)} level` },
    { label: 'Error against the profile', value: number(i?.actual_error, error), note: i ? `mean of ${plural(i.repeats, 'draw')}${i.inside === null ? '' : `, ${count(i.inside)} inside`}` : '' },
    { label: 'Samples', value: number(i?.samples, (v) => count(Math.round(v))), note: `of ${plural(plan.launches, 'launch', 'launches')}, in ${i?.strata ? plural(Math.round(i.strata), 'stratum', 'strata') : 'strata'}` },
    { label: 'Method', value: plan.method, note: 'not planned yet' },
  ];
}
