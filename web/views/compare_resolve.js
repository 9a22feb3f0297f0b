// compare_resolve.js: the number of further simulations that make the designs distinguishable, and the button to start them.
import { html, useState } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { useLoad } from '../ui/load.js';
import { say } from '../ui/toast.js';
import { bound, count, plural } from '../ui/format.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';
import { costWords } from './run_answer.js';

/** @typedef {import('../types.js').ExtensionCost} Cost */

/** @param {Cost} c */
function sentence(c) {
  if (c.why_not) return `The cost is unknown: ${c.why_not}.`;
  if (c.decision === 'more') return costWords(c).join(' ');
  if (c.decision === 'kept') return 'No samples are needed: every difference of this run is already known to this precision.';
  if (c.decision === 'whole') return 'All launches have been simulated: the differences cannot become more precise.';
  return c.reason ?? '';
}

/** Shows the cost and asks, then starts. @param {{ cost: Cost, onClose: () => void }} p */
function Extend({ cost, onClose }) {
  const { busy, problem, submit } = useSubmit();
  const start = (/** @type {Event} */ e) => {
    e.preventDefault();
    submit(() => api.extendRun(cost.run, { resolve: Number(cost.resolve), baseline: cost.baseline, approve: 'auto' }), {
      done: () => {
        onClose();
        say('More of the run is simulated; until then its last answer is shown.', 'ok');
        go(href('run', { id: cost.run }));
      },
      late: () => 'The run continues: its page shows the progress.',
    });
  };
  return html`<${Dialog} title=${`Simulate ${plural(cost.jobs ?? 0, 'more job')}?`} onClose=${onClose}><form onSubmit=${start}>
    ${costWords(cost).map((line) => html`<p>${line}</p>`)}
    <p class="quiet">Differences are those of matched pairs: all designs of a run simulate the same launches. Its answer stays on its pages until the next one is complete.${cost.designs.length > 2 && ' To simulate only some designs, run the plan on those: known results are not simulated again.'}</p>
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
    <p class="next"><button class="filled" disabled=${busy}>${busy ? 'Making jobs…' : 'Simulate'}</button><button type="button" onClick=${onClose}>Leave it</button></p>
  </form><//>`;
}

/** @param {{ base: string, others: string, wanted: string, onWanted: (w: string) => void }} p */
export function ResolveCard({ base, others, wanted, onWanted }) {
  const load = useLoad((abort) => api.compare({ base, with: others, resolve: wanted }, abort), [base, others, wanted]);
  const [asked, setAsked] = useState(/** @type {Cost|null} */ (null));
  const change = (/** @type {any} */ e) => {
    const x = Number(e.target.value) / 100;
    if (x >= 0.0001 && x <= 0.5) onWanted(String(Number(x.toPrecision(6))));
  };
  const pct = Number((Number(wanted) * 100).toPrecision(6));
  return html`<${Card} title=${`What it would take to tell ${bound(Number(wanted))} apart`} note="Each difference of the run to the baseline known to within this share of the baseline’s total, as the next interim analysis of the run would require.">
    <p class="next"><label for="wanted">Known to ±</label> <input id="wanted" class="short" type="number" min="0.01" max="50" step="any" value=${pct} onChange=${change} /> %</p>
    <${Faces} load=${load} what="show the cost" height=${60}>${(/** @type {import('../types.js').Comparison} */ c) => {
      const r = c.resolve;
      return r && html`<p>${sentence(r)}</p>
        ${r.decision === 'more' && html`<p class="next">${api.may('write') && html`<button type="button" onClick=${() => setAsked(r)}>Simulate ${count(r.jobs ?? 0)} more…</button>`}
          ${r.baseline === 0 && html`<${CommandLine} line=${`vivace run compare ${r.run} --resolve ${pct}%`} />`}</p>`}`;
    }}<//>
    ${asked && html`<${Extend} cost=${asked} onClose=${() => setAsked(null)} />`}<//>`;
}
