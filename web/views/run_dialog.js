// run_dialog.js: the dialog for a new run: GPU designs, engine, stopping rule.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { count, error, number, plural, time } from '../ui/format.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { RuleFields, readRule, ruleOf } from './run_rule.js';

/** @typedef {import('../types.js').Design} Design */

/** @param {{ plan: import('../types.js').Plan, onClose: () => void }} p */
export function RunDialog({ plan, onClose }) {
  const load = useLoad((abort) => api.designs(abort), []);
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const costs = useLoad((abort) => api.planCosts(plan.id, abort), [plan.id]).data;
  const [engine, setEngine] = useState(/** @type {'cycle'|'replay'} */ ('cycle'));
  const [foreign, setForeign] = useState(false);
  const [rule, setRule] = useState(ruleOf(plan));
  const { busy, problem, setProblem, submit } = useSubmit();
  const toggle = (/** @type {string} */ id) => {
    setProblem(null);
    setChosen(chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id]);
  };
  const start = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (chosen.length === 0) {
      setProblem(new api.Problem({ detail: 'No design is chosen.', hint: 'Choose at least one.' }));
      return;
    }
    const { how, problem: wrong } = readRule(engine === 'cycle' ? rule : { ...rule, caches: '', inside: '' }, chosen.length);
    if (wrong) {
      setProblem(new api.Problem({ detail: wrong }));
      return;
    }
    const names = chosen.map((id) => load.data?.items.find((d) => d.id === id)?.name ?? id);
    const twice = names.length !== new Set(names).size;
    submit(() => api.createRun(plan.id, { designs: twice ? chosen : names, engine, ...(engine === 'cycle' && foreign ? { allow_foreign_isa: true } : {}), ...how }), {
      done: (run) => {
        onClose();
        go(href('run', { id: run.id }));
      },
      late: () => 'The run has started: it is in the list of runs.',
    });
  };
  /** The expected duration, from finished simulations. @param {Design} g */
  const expected = (g) => {
    const c = engine === 'cycle' ? costs?.items.find((i) => i.design === g.name) : undefined;
    return c ? `, about ${time(c.expected_s)} of simulation (one launch is typically ${error(c.typical_error)} off)` : '';
  };
  const jobs = plan.samples_count * Math.max(1, chosen.length);
  return html`<${Dialog} title="Run on…" onClose=${onClose} wide><form onSubmit=${start}>
    <fieldset><legend>GPU designs</legend>
      <${Faces} load=${load} what="the designs" height=${120} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">This server has no design. Its operator can add one as a JSON file.</p>`}>${(/** @type {any} */ d) => html`
        <ul class="choices">${d.items.map((/** @type {Design} */ g) => html`<li key=${g.id}><label><input type="checkbox" checked=${chosen.includes(g.id)} onChange=${() => toggle(g.id)} />
          <span><strong>${g.name}</strong>${chosen[0] === g.id && chosen.length > 1 && html` <span class="tag">baseline</span>`}<span class="quiet">${plural(g.sms, 'SM')}, ${number(g.clock_hz / 1e9)} GHz${g.gpu_names?.length > 0 && `, ${g.gpu_names[0]}`}${expected(g)}</span></span></label></li>`)}</ul>`}<//>
      <p class="quiet">The first one chosen is the baseline: the others are compared with it, sample by sample.</p></fieldset>
    <fieldset><legend>Engine</legend>
      <label class="radio"><input type="radio" name="engine" value="cycle" checked=${engine === 'cycle'} onChange=${() => setEngine('cycle')} /><span><strong>cycle</strong><span class="quiet">simulates each sample's trace. Samples without a trace wait for it.</span></span></label>
      <label class="radio"><input type="radio" name="engine" value="replay" checked=${engine === 'replay'} onChange=${() => setEngine('replay')} /><span><strong>replay</strong><span class="quiet">answers with what the profile measured: tests the sampling, needs no traces, simulates no GPU.</span></span></label>
      ${engine === 'cycle' && html`<p class="next"><label><input type="checkbox" checked=${foreign} onChange=${(/** @type {any} */ e) => setForeign(e.target.checked)} /> Simulate instructions that a design’s GPU does not have</label></p>
        <p class="quiet">For traces of another architecture. The nearest unit that the GPU has executes them. Without it, such jobs fail and name the instruction.</p>`}</fieldset>
    <${RuleFields} rule=${rule} plan=${plan} designs=${chosen.length} cycle=${engine === 'cycle'} onChange=${(/** @type {import('./run_rule.js').Rule} */ r) => { setProblem(null); setRule(r); }} />
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
    <p class="next"><button class="filled" disabled=${busy}>${busy ? 'Making jobs…' : 'Run'}</button>
      <span class="quiet">${rule.ends === 'known' && 'At first at most '}${plural(jobs, 'job')}: ${plural(plan.samples_count, 'sample')}${chosen.length > 1 && ` × ${count(chosen.length)} designs`}${engine === 'cycle' && plan.traces.missing > plan.traces.in_file && `; ${count(plan.traces.missing)} traces are missing`}</span></p>
  </form><//>`;
}
