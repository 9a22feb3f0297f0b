// plan_dialog.js: which error, how often, by which method.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useLoad } from '../ui/load.js';
import { error, speedup } from '../ui/format.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {{ method: string, error: number, confidence: number, seed: number }} Params */

/** @param {string} text @param {string} what @param {number} low @param {number} high @returns {{ value: number, problem: string|null }} */
function percent(text, what, low, high) {
  const value = Number(text.replace('%', '').replace(',', '.').trim());
  const fine = text.trim() !== '' && Number.isFinite(value) && value >= low && value <= high;
  return { value: value / 100, problem: fine ? null : `${what} is a number of per cent from ${low} to ${high}.` };
}

/** @param {{ profile: string, start?: Partial<Params>, onClose: () => void }} p */
export function PlanDialog({ profile, start = {}, onClose }) {
  const [method, setMethod] = useState(start.method ?? 'vivace');
  const [err, setErr] = useState(String(Number(((start.error ?? 0.05) * 100).toPrecision(6))));
  const [confidence, setConfidence] = useState(String(Number(((start.confidence ?? 0.95) * 100).toPrecision(6))));
  const [seed, setSeed] = useState(String(start.seed ?? 1));
  const [problems, setProblems] = useState(/** @type {string[]} */ ([]));
  const [busy, setBusy] = useState(false);
  const sweep = useLoad((abort) => api.sweep(profile, 0.95, abort), [profile]);

  const items = sweep.data?.items ?? [];
  const methods = items.length ? [...new Map(items.map((i) => [i.method, i])).values()] : [{ method: 'vivace', title: 'Vivace', why_not: null }];
  const chosen = methods.find((m) => m.method === method);
  const near = items.find((i) => i.method === method && Math.abs(i.error * 100 - Number(err)) < 1e-9 && i.speedup !== null);

  const make = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const eps = percent(err, 'The error', 0.01, 100);
    const conf = percent(confidence, 'The confidence', 50, 99.99);
    const number = Number(seed);
    const bad = [eps.problem, conf.problem, /^\d{1,15}$/.test(seed.trim()) ? null : 'The seed is a whole number of at most 15 digits.'].filter((x) => x !== null);
    setProblems(/** @type {string[]} */ (bad));
    if (bad.length) return;
    setBusy(true);
    try {
      const plan = await api.createPlan(profile, { method, error: eps.value, confidence: conf.value, seed: number });
      onClose();
      go(href('plan', { id: plan.id }));
    } catch (x) {
      const p = /** @type {api.Problem} */ (x);
      setProblems([`${p.message} ${p.hint}`]);
      setBusy(false);
    }
  };

  return html`<${Dialog} title="Plan" onClose=${onClose}><form onSubmit=${make} class="form">
    <label for="plan-error">Error at most, %</label>
    <input id="plan-error" inputmode="decimal" value=${err} onInput=${(/** @type {any} */ e) => setErr(e.target.value)} autofocus />
    <label for="plan-confidence">in how many of 100 runs, %</label>
    <input id="plan-confidence" inputmode="decimal" value=${confidence} onInput=${(/** @type {any} */ e) => setConfidence(e.target.value)} />
    <label for="plan-method">Method</label>
    <select id="plan-method" value=${method} onChange=${(/** @type {any} */ e) => setMethod(e.target.value)}>${methods.map((m) => html`<option key=${m.method} value=${m.method} disabled=${Boolean(m.why_not)}>${m.title}${m.why_not ? ' (cannot run here)' : ''}</option>`)}</select>
    <label for="plan-seed">Seed</label>
    <input id="plan-seed" inputmode="numeric" value=${seed} onInput=${(/** @type {any} */ e) => setSeed(e.target.value)} />
    <p class="quiet across">${chosen?.why_not ?? (near ? html`From the sweep of this profile: speed-up ${speedup(near.speedup)}, promised error ${error(near.promised_error)}, actual ${error(near.actual_error)}.` : 'The same seed draws the same invocations again.')}</p>
    ${problems.map((p) => html`<p class="field-problem across" role="alert">${p}</p>`)}
    <p class="next across"><button class="filled" disabled=${busy}>${busy ? 'Choosing invocations…' : 'Plan'}</button></p>
  </form><//>`;
}
