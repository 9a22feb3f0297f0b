// interval.js: estimates with intervals around a zero line, one row per estimate.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { axisMarks, signed } from './ticks.js';
import { change, estimate } from '../ui/format.js';
import { cut } from '../ui/kernel_name.js';

/** A difference relative to the baseline. An interval that contains zero is hollow: the difference is not
 * distinguishable.
 * @typedef {{ label: string, value: number, half: number|null, real: boolean, color?: string }} Row */
/** @typedef {{ rows: Row[], baseline: string }} Data */

/** Width of the names, at most a third of the picture; longer names are shortened in the middle. @param {Row[]} rows @param {number} width */
const left = (rows, width) => Math.min(width / 3, 20 + LETTER * Math.max(...rows.map((r) => Array.from(r.label).length)));
const LETTER = 6.6;

const colorOf = (/** @type {Row} */ r) => r.color ?? 'var(--cat-1)';

export const interval = chartOf({
  name: (/** @type {Data} */ data) => `Difference of each design to ${data.baseline}: ${data.rows.map((r) => `${r.label} ${estimate(change(r.value, r.half))}${r.real ? '' : ', not distinguishable'}`).join('; ')}`,
  draw: (data, width) => {
    const most = Math.max(0.01, ...data.rows.map((r) => Math.abs(r.value) + (r.half ?? 0))) * 100;
    const low = Math.min(0, ...data.rows.map((r) => (r.value - (r.half ?? 0)) * 100)) - most * 0.1;
    const high = Math.max(0, ...data.rows.map((r) => (r.value + (r.half ?? 0)) * 100)) + most * 0.1;
    const across = axisMarks(low, high, { room: width - left(data.rows, width) - 120, most: 5, text: signed });
    return draw({
      width, height: 64 + data.rows.length * 30, marginLeft: left(data.rows, width), marginRight: 120, marginBottom: 40, marginTop: 10,
      x: { domain: [low, high], label: `projected time against ${data.baseline} (%)`, labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { type: 'band', domain: data.rows.map((r) => r.label), tickFormat: (/** @type {string} */ l) => cut(l, Math.round((left(data.rows, width) - 20) / LETTER)), label: null, tickSize: 0, padding: 0.3 },
      marks: [
        Plot.gridX({ ticks: across.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.ruleX([0], { stroke: 'var(--ink-2)' }),
        Plot.ruleY(data.rows.filter((r) => r.half !== null), { y: 'label', x1: (r) => (r.value - r.half) * 100, x2: (r) => (r.value + r.half) * 100, stroke: colorOf, strokeWidth: 2 }),
        Plot.dot(data.rows, { y: 'label', x: (r) => r.value * 100, r: 5, fill: (r) => (r.real ? colorOf(r) : 'var(--panel)'), stroke: colorOf, strokeWidth: 1.5 }),
        Plot.text(data.rows, { y: 'label', frameAnchor: 'right', dx: 8, textAnchor: 'start', text: (r) => (r.real ? estimate(change(r.value, r.half)) : 'not distinguishable'), fill: 'var(--ink-2)' }),
      ],
    });
  },
  reach: 'y',
  marks: (data) => data.rows.map((r) => ({ x: r.value * 100, y: r.label, ids: [`design:${r.label}`], datum: r })),
  read: (/** @type {Row} */ r, data) => `${r.label} against ${data.baseline}: ${estimate(change(r.value, r.half))}${r.real ? '' : ', not distinguishable from none'}`,
  rows: (data) => [['design', 'relative_difference', 'half_width', 'distinguishable'], ...data.rows.map((r) => [r.label, r.value, r.half, String(r.real)])],
});
