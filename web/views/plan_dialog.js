// plan_dialog.js: the dialog for a new plan: error, confidence, method.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { error, speedup } from '../ui/format.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { PART_KINDS, PART_NAMES } from './facts.js';
import { PilotChoice, PilotState } from './pilot.js';
import { useSweep, whyNot } from './sweep.js';

/** @typedef {import('../types.js').PlanRequest} Params @typedef {import('../types.js').Method} Method */

/** The methods in the order of the list: vivace, then those that need durations only, then the others.
 * @param {Method[]} methods @returns {[string, Method[]][]} */
const groups = (methods) => /** @type {[string, Method[]][]} */ ([
  ['Ours', methods.slice(0, 1)],
  ['Published, by the value of each launch', methods.slice(1).filter((m) => m.needs.length === 0)],
  ['Published, by features of each launch', methods.slice(1).filter((m) => m.needs.length > 0)],
]).filter(([, list]) => list.length > 0);

/** @param {string} text @param {string} what @param {number} low @param {number} high @returns {{ value: number, problem: string|null }} */
function percent(text, what, low, high) {
  const value = Number(text.replace('%', '').replace(',', '.').trim());
  const fine = text.trim() !== '' && Number.isFinite(value) && value >= low && value <= high;
  return { value: value / 100, problem: fine ? null : `${what} must be a percentage from ${low} to ${high}.` };
}

/** `sweep`: the evaluation of the methods on this profile, if the page has it already. `unit`, `shapes`: of the
 * profile.
 * @param {{ profile: string, unit: import('../types.js').Unit, shapes?: number, start?: Partial<Params>, sweep?: import('./sweep.js').Sweep, onClose: () => void }} p
 */
export function PlanDialog({ profile, unit, shapes, start = {}, sweep: known, onClose }) {
  const [method, setMethod] = useState(start.method ?? 'vivace');
  const [err, setErr] = useState(String(Number(((start.error ?? 0.05) * 100).toPrecision(6))));
  const [confidence, setConfidence] = useState(String(Number(((start.confidence ?? 0.95) * 100).toPrecision(6))));
  const [seed, setSeed] = useState(String(start.seed ?? 1));
  const [problems, setProblems] = useState(/** @type {string[]} */ ([]));
  const { busy, problem, submit } = useSubmit();
  const [noise, setNoise] = useState(String(Number(((start.noise_floor ?? 0.005) * 100).toPrecision(6))));
  const [budget, setBudget] = useState(start.budget ? String(Number((start.budget * 100).toPrecision(6))) : '');
  const [sure, setSure] = useState(start.assurance ? String(Number((start.assurance * 100).toPrecision(6))) : '');
  const [only, setOnly] = useState(start.only ?? '');
  const [steps, setSteps] = useState(start.steps ?? '');
  const [by, setBy] = useState(/** @type {Params['by']|''} */ (start.by ?? ''));
  const [seconds, setSeconds] = useState(false);
  const [pilot, setPilot] = useState('');
  const [begun, setBegun] = useState(/** @type {import('../types.js').Pilot|null} */ (null));
  const own = useSweep(known ? undefined : profile, 0.95).data;
  const sweep = known ?? own;

  const items = sweep?.items ?? [];
  const methods = sweep?.methods ?? [{ name: 'vivace', title: 'Vivace', sentence: '', needs: [], prefix_is_enough: false, needs_sentence: '' }];
  const chosen = methods.find((m) => m.name === method);
  const refused = whyNot(sweep, method);
  const ours = method === methods[0].name;
  const assurable = ours && unit === 'ns'; // no assurance for counts and cycles
  const keeps = assurable && sure.trim() !== '';
  const near = items.find((i) => i.method === method && Math.abs(i.error * 100 - Number(err)) < 1e-9 && i.speedup !== null);

  const make = (/** @type {Event} */ e) => {
    e.preventDefault();
    const eps = percent(err, 'The error', 0.01, 100);
    const conf = percent(confidence, 'The confidence', 50, 99.99);
    const number = Number(seed);
    const floor = percent(noise, 'The noise floor', 0, 99);
    const spend = budget.trim() === '' ? { value: 0, problem: null } : percent(budget, 'The budget', 0.0001, 100);
    const keep = !keeps ? { value: 0, problem: null } : percent(sure, 'The probability that the error is kept', 50, 99);
    const bad = [eps.problem, conf.problem, keep.problem, ours ? floor.problem : null, spend.problem, /^\d{1,15}$/.test(seed.trim()) ? null : 'The seed is a whole number of at most 15 digits.'].filter((x) => x !== null);
    setProblems(/** @type {string[]} */ (bad));
    if (bad.length) return;
    const wanted = { method, error: eps.value, confidence: conf.value, seed: number, ...(spend.value ? { budget: spend.value } : {}), ...(keep.value ? { assurance: keep.value } : {}), ...(ours ? { noise_floor: floor.value } : {}), ...(only.trim() ? { only: only.trim() } : {}), ...(steps.trim() ? { steps: steps.trim() } : {}), ...(by ? { by } : {}), ...(ours && start.estimator ? { estimator: start.estimator } : {}), ...(ours && seconds && !pilot ? { cost: /** @type {const} */ ('farm') } : {}) };
    if (pilot) {
      submit(() => api.createPilot(profile, { design: pilot, plan: wanted }), { done: setBegun, late: () => 'The pilot has begun: the page of the profile shows how far it is.' });
      return;
    }
    submit(() => api.createPlan(profile, wanted), {
      done: (plan) => {
        onClose();
        go(href('plan', { id: plan.id }));
      },
      late: () => 'The plan is made: it is in the list of plans.',
    });
  };

  if (begun)
    return html`<${Dialog} title="Plan" onClose=${onClose} wide><${PilotState} start=${begun} meanwhile=${html`<p class="quiet">You may close this dialog: the pilot continues, and the <a href=${href('profile', { id: profile })}>page of the profile</a> shows how far it is.</p>`} /><//>`;
  return html`<${Dialog} title="Plan" onClose=${onClose}><form onSubmit=${make} class="form">
    ${unit === 'warp_instructions' && html`<${PilotChoice} shapes=${shapes} value=${pilot} onChange=${setPilot} />`}
    <label for="plan-error">Error at most, %</label>
    <input id="plan-error" inputmode="decimal" value=${err} onInput=${(/** @type {any} */ e) => setErr(e.target.value)} autofocus />
    <label for="plan-confidence">in how many of 100 runs, %</label>
    <input id="plan-confidence" inputmode="decimal" value=${confidence} onInput=${(/** @type {any} */ e) => setConfidence(e.target.value)} />
    ${assurable && html`<label for="plan-sure">Sure to keep it, %</label>
    <input id="plan-sure" inputmode="decimal" placeholder="on average" value=${sure} onInput=${(/** @type {any} */ e) => setSure(e.target.value)} aria-describedby="plan-sure-why" />
    <p class="quiet across" id="plan-sure-why">Left empty, about half of such plans end up wider than asked. With 90, nine in ten stay within the error, for more launches: for runs that cannot draw more later.</p>`}
    <label for="plan-method">Method</label>
    <select id="plan-method" value=${method} onChange=${(/** @type {any} */ e) => setMethod(e.target.value)}>${groups(methods).map(([label, list]) => html`<optgroup key=${label} label=${label}>${list.map((m) => html`<option key=${m.name} value=${m.name} disabled=${Boolean(whyNot(sweep, m.name))}>${m.title}${whyNot(sweep, m.name) ? ' (cannot run here)' : ''}</option>`)}</optgroup>`)}</select>
    <label for="plan-seed">Seed</label>
    <input id="plan-seed" inputmode="numeric" value=${seed} onInput=${(/** @type {any} */ e) => setSeed(e.target.value)} />
    ${ours && html`<label for="plan-noise">Noise floor, %</label>
    <input id="plan-noise" inputmode="decimal" value=${noise} onInput=${(/** @type {any} */ e) => setNoise(e.target.value)} aria-describedby="plan-noise-why" />
    <p class="quiet across" id="plan-noise-why">Launches that look equal are planned to differ by this much on another GPU.</p>
    ${!pilot && html`<label class="across"><input type="checkbox" checked=${seconds} onChange=${(/** @type {any} */ e) => setSeconds(e.target.checked)} /> Plan for seconds, as past simulations took</label>`}`}
    <label for="plan-budget">Spend at most, %</label>
    <input id="plan-budget" inputmode="decimal" placeholder="no limit" value=${budget} onInput=${(/** @type {any} */ e) => setBudget(e.target.value)} />
    <label for="plan-only">Only layers</label>
    <input id="plan-only" placeholder="all" value=${only} onInput=${(/** @type {any} */ e) => setOnly(e.target.value)} aria-describedby="plan-part-why" />
    <label for="plan-steps">Only steps</label>
    <input id="plan-steps" placeholder="all" value=${steps} onInput=${(/** @type {any} */ e) => setSteps(e.target.value)} aria-describedby="plan-part-why" />
    <label for="plan-by">Strata keep to one</label>
    <select id="plan-by" value=${by} onChange=${(/** @type {any} */ e) => setBy(e.target.value)}><option value="">part or several</option>${PART_KINDS.map((k) => html`<option key=${k} value=${k}>${PART_NAMES[k]}</option>`)}</select>
    <p class="quiet across" id="plan-part-why">Layers as decoder.layers.7.*, steps as 12 or 10..19: the plan and its projection are of this part alone. Strata that keep to a part draw from each of them.</p>
    <p class="across">${chosen?.sentence}</p>
    <p class="quiet across">${refused ? `Cannot run here: it ${refused}.` : near && !pilot && !only.trim() && !steps.trim() ? html`Scored on this profile${keeps ? ', without being sure to keep it' : ''}: speed-up ${speedup(near.speedup)}, promised error ${error(near.promised_error)}, actual ${error(near.actual_error)}.${near.representative ? ' Its samples are representatives: a projection will have no interval.' : ''}${near.caution ? ` ${near.caution}` : ''}` : 'The same seed draws the same launches again.'}</p>
    ${[...problems, ...(problem ? [`${problem.message} ${problem.hint}`] : [])].map((p) => html`<p class="field-problem across" role="alert">${p}</p>`)}
    <p class="next across"><button class="filled" disabled=${busy}>${busy ? 'Choosing launches…' : pilot ? 'Simulate, then plan' : 'Plan'}</button></p>
  </form><//>`;
}
