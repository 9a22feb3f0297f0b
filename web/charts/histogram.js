// histogram.js: where the invocations of a kernel sit, coloured by stratum, with means and how many are drawn.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { logTicks } from './ticks.js';
import { count, number, plural, short, timeNs, timeUnit } from '../ui/format.js';

/** @typedef {{ histogram: import('../types.js').Histogram, color: (stratum: number) => string, label: (stratum: number) => string, what: string, planned: boolean }} Data */
const HEIGHT = 300;

/** Values in the unit of the axis: one unit for all of them. @param {Data} data */
function axis(data) {
  const { edges, unit } = data.histogram;
  if (unit !== 'ns') return { scale: 1, label: 'warp instructions' };
  const [seconds, name] = timeUnit((edges[Math.floor(edges.length / 2)] || 1) / 1e9);
  return { scale: seconds * 1e9, label: `duration (${name})` };
}

export const histogram = chartOf({
  name: (/** @type {Data} */ data) => `Histogram of ${data.what}`,
  draw: (data, width) => {
    const { edges, strata } = data.histogram;
    const { scale, label } = axis(data);
    const bars = strata.flatMap((s) => s.counts.map((n, i) => ({ i, n, id: s.id, x1: edges[i] / scale, x2: edges[i + 1] / scale })).filter((b) => b.n > 0));
    const positive = edges[0] > 0;
    const sum = edges.slice(1).map((e, i) => ({ i, x1: edges[i] / scale, x2: e / scale, n: strata.reduce((t, s) => t + s.counts[i], 0) }));
    const means = strata.filter((s) => s.n > 0 && Number.isFinite(s.mean)).map((s) => ({ id: s.id, x: s.mean / scale, m: s.m }));
    const most = Math.max(1, ...sum.map((b) => b.n));
    return draw({
      width, height: HEIGHT, marginLeft: 52, marginBottom: 40, marginTop: 26, marginRight: 16,
      x: { type: positive ? 'log' : 'linear', domain: [edges[0] / scale, edges[edges.length - 1] / scale], label, labelAnchor: 'center', labelArrow: 'none', tickFormat: (/** @type {number} */ v) => short(v), ticks: positive ? logTicks(edges[0] / scale, edges[edges.length - 1] / scale) : 6, tickSize: 0 },
      y: { domain: [0, most * 1.05], label: 'invocations', labelArrow: 'none', tickFormat: (/** @type {number} */ v) => short(v), ticks: 5, tickSize: 0 },
      marks: [
        Plot.gridY({ ticks: 5, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.rectY(bars, Plot.stackY({ x1: 'x1', x2: 'x2', y: 'n', fill: (/** @type {any} */ b) => data.color(b.id), insetLeft: 0.25, insetRight: 0.25 })),
        Plot.ruleY([0], { stroke: 'var(--line)' }),
        ...(data.planned && means.length <= 12 ? [
          Plot.ruleX(means, { x: 'x', stroke: (d) => data.color(d.id), strokeDasharray: '2 3' }),
          Plot.text(means, { x: 'x', y: most * 1.05, text: (d) => `m=${short(d.m)}`, dy: -7, fill: 'var(--ink-2)' }),
        ] : []),
        Plot.rectY(sum, Plot.pointerX({ x1: 'x1', x2: 'x2', y1: 0, y2: most * 1.05, fill: 'var(--ink)', fillOpacity: 0.07 })),
      ],
    });
  },
  read: (b, data) => {
    const { scale } = axis(data);
    const at = (/** @type {number} */ x) => (data.histogram.unit === 'ns' ? timeNs(x * scale) : number(x * scale));
    const parts = data.histogram.strata.filter((s) => s.counts[b.i] > 0).slice(0, 4).map((s) => `${data.label(s.id)} ${count(s.counts[b.i])}`);
    return `${at(b.x1)} to ${at(b.x2)}: ${plural(b.n, 'invocation')}${data.planned && parts.length ? ` (${parts.join(', ')})` : ''}`;
  },
  rows: (data) => {
    const { edges, strata, unit } = data.histogram;
    return [
      [`from_${unit}`, `to_${unit}`, ...strata.map((s) => data.label(s.id))],
      ...edges.slice(1).map((e, i) => [edges[i], e, ...strata.map((s) => s.counts[i])]),
    ];
  },
});
