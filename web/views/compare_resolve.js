// compare_resolve.js: how much more would have to be simulated to tell the designs apart, and doing it.
import { html, useState } from '../ui/lib.js';
import { Card, Faces, Trouble } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { say } from '../ui/toast.js';
import { bound, count, plural } from '../ui/format.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';

/** @typedef {import('../types.js').Resolve} Resolve */

/** @param {Resolve} r */
function sentence(r) {
  if (r.why_not) return `That cannot be worked out: ${r.why_not}.`;
  if (r.decision === 'more') return `About ${plural(r.samples ?? 0, 'more sample')} in each design of the run: ${plural(r.jobs ?? 0, 'simulation')}.`;
  if (r.decision === 'kept') return 'Nothing more: every difference of this run is known as well as that already.';
  if (r.decision === 'whole') return 'Everything that can be simulated has been: the differences are as well known as they can be.';
  return r.reason ?? '';
}

/** @param {{ base: string, others: string, wanted: string, onWanted: (w: string) => void }} p */
export function ResolveCard({ base, others, wanted, onWanted }) {
  const load = useLoad((abort) => api.compare({ base, with: others, resolve: wanted }, abort), [base, others, wanted]);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const simulate = (/** @type {Resolve} */ r) => async () => {
    setProblem(null);
    try {
      await api.extendRun(r.run, { resolve: r.wanted, baseline: r.baseline ?? 0, approve: 'auto' });
      say('The run goes on until the differences are known as well as that.', 'ok');
      go(href('run', { id: r.run }));
    } catch (e) {
      setProblem(e);
    }
  };
  const change = (/** @type {any} */ e) => {
    const x = Number(e.target.value) / 100;
    if (x >= 0.0001 && x <= 0.5) onWanted(String(Number(x.toPrecision(6))));
  };
  const pct = Number((Number(wanted) * 100).toPrecision(6));
  return html`<${Card} title=${`What it would take to tell ${bound(Number(wanted))} apart`} note="Each difference to the baseline known to within this share of the baseline’s total, as a first look at the run sees it.">
    <p class="next"><label for="wanted">Known to ±</label> <input id="wanted" class="short" type="number" min="0.01" max="50" step="any" value=${pct} onChange=${change} /> %</p>
    <${Faces} load=${load} what="what it would take" height=${60}>${(/** @type {import('../types.js').Comparison} */ c) => {
      const r = c.resolve;
      return r && html`<p>${sentence(r)}</p>
        ${r.decision === 'more' && html`<p class="next">${api.may('write') && html`<button type="button" onClick=${simulate(r)}>Simulate ${count(r.jobs ?? 0)} more</button>`}
          ${r.baseline === 0 && html`<${CommandLine} line=${`vivace compare ${r.run} --resolve ${pct}%`} />`}</p>`}`;
    }}<//>
    ${problem && html`<${Trouble} error=${problem} what="extend the run" />`}<//>`;
}
