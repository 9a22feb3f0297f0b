// compare_workloads.js: designs over several workloads: sorted gains, and design × workload.
import { html, useMemo } from '../ui/lib.js';
import { Picture } from '../charts/picture.js';
import { scurve } from '../charts/scurve.js';
import { grid, mostOf } from '../charts/grid.js';
import { change, estimate, level, plural } from '../ui/format.js';
import { seedsText } from './facts.js';

/** @typedef {import('../types.js').Comparison} Comparison @typedef {import('../types.js').ComparedDesign} Side */

/** Designs by name × workloads; if a design is in several runs of a workload, the first run is used. @param {Comparison} c */
export function gridOf(c) {
  const known = c.items.filter((s) => !s.is_baseline && s.ratio !== null);
  const workloads = [...new Map([c.base, ...c.items].map((s) => [s.workload, s.workload_name])).entries()].map(([id, name], i, all) => ({ id, name, label: all.some(([other, same]) => other !== id && same === name) ? `${name} (${i + 1})` : name }));
  const designs = [...new Set(known.map((s) => s.design))];
  return { workloads, designs, of: (/** @type {string} */ design, /** @type {string} */ workload) => known.find((s) => s.design === design && s.workload === workload) };
}

/** @param {{ comparison: Comparison, csv: string, colorOf: (s: Side) => string, zoom: string, onZoom: (zoom: string) => void }} p */
export function AcrossWorkloads({ comparison: c, csv, colorOf, zoom, onZoom }) {
  const grid_ = useMemo(() => gridOf(c), [c]);
  const data = useMemo(() => ({
    baseline: c.base.design, what: 'workload',
    lines: grid_.designs.map((design) => {
      const sides = grid_.workloads.flatMap((w) => grid_.of(design, w.id) ?? []);
      return { label: design, color: colorOf(sides[0]), points: sides.map((s) => ({ name: s.workload_name, value: Number(s.ratio) - 1, half: s.ratio_half_width, real: s.distinguishable })) };
    }),
  }), [c]);
  const cells = useMemo(() => ({
    rows: grid_.designs, columns: grid_.workloads.map((w) => w.label), baseline: c.base.design, what: /** @type {[string, string]} */ (['design', 'workload']),
    cells: grid_.designs.flatMap((row) => grid_.workloads.flatMap((w) => {
      const s = grid_.of(row, w.id);
      return s && s.ratio !== null ? [{ row, column: w.label, value: s.ratio - 1, half: s.ratio_half_width, real: s.distinguishable }] : [];
    })),
  }), [c]);
  if (grid_.workloads.length < 2 || grid_.designs.length === 0) return null;
  const caption = `Against ${c.base.design}, ${plural(grid_.workloads.length, 'workload')}, ${level(c.level)} for all intervals together, ${seedsText([c.base, ...c.items])}`;
  return html`<div class="columns">
    <${Picture} title="Gains over workloads" chart=${scurve} data=${data} height=${280} file="workloads" zoom=${zoom} onZoom=${onZoom} csv=${csv} note=${`Projected time against ${c.base.design} on the same workload, each line sorted. Hollow: not distinguishable from no difference.`}
      caption=${caption} />
    <${Picture} title="Design × workload" chart=${grid} data=${cells} height=${44 + grid_.designs.length * 34} file="design-by-workload"
      note=${`Change of projected time against ${c.base.design} on the same workload; values in brackets are not distinguishable from no change.`}
      aside=${html`<span class="ramp"><span class="quiet">${estimate(change(-mostOf(cells), null))}</span><span class="differencebar" aria-hidden="true"></span><span class="quiet">${estimate(change(mostOf(cells), null))}</span></span>`}
      caption=${caption} csv=${csv} />
  </div>`;
}
