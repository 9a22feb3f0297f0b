// compare_workloads.js: designs over several workloads: sorted gains, and design × workload.
import { html, useMemo } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { Picture } from '../charts/picture.js';
import { scurve } from '../charts/scurve.js';
import { differenceColors } from '../charts/difference.js';
import { bound, change, estimate, UNKNOWN } from '../ui/format.js';

/** @typedef {import('../types.js').Comparison} Comparison @typedef {import('../types.js').ComparedDesign} Side */

/** Designs by name × workloads; of a design that is in several runs of a workload the first. @param {Comparison} c */
export function gridOf(c) {
  const known = c.items.filter((s) => !s.is_baseline && s.ratio !== null);
  const workloads = [...new Map([c.base, ...c.items].map((s) => [s.workload, s.workload_name])).entries()].map(([id, name]) => ({ id, name }));
  const designs = [...new Set(known.map((s) => s.design))];
  return { workloads, designs, of: (/** @type {string} */ design, /** @type {string} */ workload) => known.find((s) => s.design === design && s.workload === workload) };
}

/** @param {{ comparison: Comparison, colorOf: (s: Side) => string }} p */
export function AcrossWorkloads({ comparison: c, colorOf }) {
  const grid = useMemo(() => gridOf(c), [c]);
  const data = useMemo(() => ({
    baseline: c.base.design, what: 'workload',
    lines: grid.designs.map((design) => {
      const sides = grid.workloads.flatMap((w) => grid.of(design, w.id) ?? []);
      return { label: design, color: colorOf(sides[0]), points: sides.map((s) => ({ name: s.workload_name, value: Number(s.ratio) - 1, half: s.ratio_half_width, real: s.distinguishable })) };
    }),
  }), [c]);
  if (grid.workloads.length < 2 || grid.designs.length === 0) return null;
  const most = Math.max(...data.lines.flatMap((l) => l.points.map((p) => Math.abs(p.value))));
  return html`<div class="columns">
    <${Picture} title="Gains over workloads" chart=${scurve} data=${data} height=${280} file="workloads" note=${`Projected time against ${c.base.design} on the same workload, each line sorted. Hollow: cannot be told from no difference.`}
      caption=${`Against ${c.base.design}, ${grid.workloads.length} workloads, ${bound(c.level)} for all intervals together`} />
    <${Card} title="Design × workload" note=${`Change of projected time against ${c.base.design} there. Blue is faster; a value in brackets cannot be told from none.`}>
      <div class="tablebox" tabindex="0" role="region" aria-label="Design by workload"><table class="rows heat"><caption class="hidden">Change of projected time, design by workload</caption>
        <thead><tr><th scope="col">design</th>${grid.workloads.map((w) => html`<th key=${w.id} scope="col" class="right"><span class="name" title=${w.name}>${w.name}</span></th>`)}</tr></thead>
        <tbody>${grid.designs.map((d) => html`<tr key=${d}><th scope="row">${d}</th>${grid.workloads.map((w) => html`<${Cell} key=${w.id} side=${grid.of(d, w.id)} most=${most} />`)}</tr>`)}</tbody></table></div><//>
  </div>`;
}

/** @param {{ side: Side|undefined, most: number }} p */
function Cell({ side, most }) {
  if (!side || side.ratio === null) return html`<td class="right unknown" title="not chosen, or nothing to hold it against">${UNKNOWN}</td>`;
  const text = estimate(change(side.ratio - 1, side.ratio_half_width));
  return html`<td class="right" style=${differenceColors(side.ratio - 1, most)}><data value=${String(side.ratio - 1)}>${side.distinguishable ? text : `(${text})`}</data></td>`;
}
