// run_metrics.js: totals and rates of the simulator's counters over the whole workload, computed on request.
import { html, useEffect, useState } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Estimate } from '../ui/num.js';
import { countEstimate, estimateParts, level } from '../ui/format.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Run} Run @typedef {import('../types.js').RunDesign} RunDesign @typedef {import('../types.js').RunMetric} RunMetric */

/** The interval of a share is in percentage points: 98.5 % ± 2.6 points. @param {RunMetric} m @returns {import('../ui/format.js').Estimate} */
export function metricEstimate(m) {
  if (m.unit !== 'share' || m.value === null) return countEstimate(m.value ?? NaN, m.half_width, m.unit);
  const [value, half] = estimateParts(100 * m.value, m.half_width === null ? null : 100 * m.half_width);
  return { value: `${value}\u00a0%`, half, unit: half === null ? '' : 'points' };
}

/** @param {{ run: Run, design: RunDesign, tick: number }} p */
export function RunMetrics({ run, design, tick }) {
  const [open, setOpen] = useState(false);
  if (!design.projection || design.projection.value_s === null) return null;
  return html`<${Card} title="Totals and rates" note="Of the whole workload, from the counters of the simulated launches: instructions, hit rates, DRAM, energy, power.">
    ${open ? html`<${Metrics} run=${run} design=${design} tick=${tick} />` : html`<p class="next"><button type="button" onClick=${() => setOpen(true)}>Show totals and rates</button></p>`}<//>`;
}

/** @param {{ run: Run, design: RunDesign, tick: number }} p */
function Metrics({ run, design, tick }) {
  const load = useLoad((abort) => api.runMetrics(run.id, abort), [run.id]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  return html`<${Faces} load=${load} what="the totals and rates">${(/** @type {import('../types.js').RunMetrics} */ data) => {
    const of = data.designs.find((d) => d.design === design.design);
    if (!of || of.metrics.every((m) => m.value === null)) return html`<p class="quiet">No result has counters.</p>`;
    return html`<table class="rows facts"><caption class="hidden">Totals and rates on ${design.design}, intervals at ${level(of.level)}</caption><tbody>
      ${of.metrics.map((m) => html`<tr key=${m.name}><th scope="row">${m.name.replaceAll('_', ' ')}</th><td class="partvalue"><${Estimate} value=${m.value} parts=${metricEstimate(m)} why=${m.value === null ? 'no result has the counters that it needs' : undefined} /></td><td class="quiet">${m.sentence}${m.not_promised && html`<br /><strong>Interval not promised:</strong> ${m.not_promised}`}</td></tr>`)}
    </tbody></table>`;
  }}<//>`;
}
