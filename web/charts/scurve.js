// scurve.js: S-curve: the sorted differences of workloads, one line per design.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { axisMarks, signed } from './ticks.js';
import { change, estimate } from '../ui/format.js';

/** @typedef {{ name: string, value: number, half: number|null, real: boolean }} Point */
/** `what`: the dimension of the points ("workload"). @typedef {{ lines: { label: string, color: string, points: Point[] }[], baseline: string, what: string }} Data */
const HEIGHT = 280;

/** @param {Data} data */
const placed = (data) => data.lines.flatMap((l) => [...l.points].sort((a, b) => a.value - b.value).map((p, i) => ({ ...p, rank: i + 1, line: l.label, color: l.color })));

/** @param {Data} data */
const mostOf = (data) => Math.max(...data.lines.map((l) => l.points.length));

export const scurve = chartOf({
  name: (/** @type {Data} */ data) => `Change against ${data.baseline} over ${data.what}s, sorted: ${data.lines.map((l) => `${l.label} from ${change(Math.min(...l.points.map((p) => p.value)), null).value} to ${change(Math.max(...l.points.map((p) => p.value)), null).value} %`).join('; ')}`,
  domains: (data) => ({ x: [0.5, mostOf(data) + 0.5] }),
  draw: (data, width, { x: shown }) => {
    const dots = placed(data);
    const most = mostOf(data);
    const ends = data.lines.map((l) => dots.filter((d) => d.line === l.label).at(-1));
    const reach = [0, ...dots.flatMap((d) => [d.value - (d.half ?? 0), d.value + (d.half ?? 0)])].map((v) => v * 100), pad = 0.05 * (Math.max(...reach) - Math.min(...reach)) || 1;
    const [low, high] = [Math.min(...reach) - pad, Math.max(...reach) + pad];
    const across = axisMarks(shown[0], shown[1], { room: width - 156, whole: true, most: 12 }), up = axisMarks(low, high, { room: HEIGHT - 60, tall: true, most: 6, text: signed });
    return draw({
      width, height: HEIGHT, marginLeft: 56, marginRight: 100, marginBottom: 38, marginTop: 22, clip: true,
      x: { domain: shown, label: `${data.what}s, from the greatest gain`, labelAnchor: 'center', labelArrow: 'none', ticks: across.marks, tickFormat: across.text, tickSize: 0 },
      y: { domain: [low, high], label: 'projected time against the baseline (%)', labelArrow: 'none', tickFormat: up.text, ticks: up.marks, tickSize: 0 },
      marks: [
        Plot.gridY({ ticks: up.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.ruleY([0], { stroke: 'var(--ink-2)' }),
        Plot.line(dots, { x: 'rank', y: (d) => d.value * 100, z: 'line', stroke: 'color', strokeWidth: 1.5 }),
        Plot.ruleX(dots.filter((d) => d.half !== null), { x: 'rank', y1: (d) => (d.value - d.half) * 100, y2: (d) => (d.value + d.half) * 100, stroke: 'color', strokeOpacity: 0.6 }),
        Plot.dot(dots, { x: 'rank', y: (d) => d.value * 100, r: 4, stroke: 'color', fill: (d) => (d.real ? d.color : 'var(--panel)'), strokeWidth: 1.5 }),
        Plot.text(ends, { x: 'rank', y: (d) => d.value * 100, text: 'line', textAnchor: 'start', dx: 9, fill: 'color', clip: false }),
      ],
    });
  },
  reach: 'xy',
  marks: (data) => placed(data).map((d) => ({ x: d.rank, y: d.value * 100, ids: [`${data.what}:${d.name}`], datum: d })),
  read: (/** @type {ReturnType<typeof placed>[0]} */ d, data) => `${d.name}: ${data.lines.flatMap((l) => l.points.filter((p) => p.name === d.name).map((p) => `${l.label} ${estimate(change(p.value, p.half))}`)).join(', ')}`,
  rows: (data) => [['design', data.what, 'relative_difference', 'half_width', 'distinguishable'], ...placed(data).map((d) => [d.line, d.name, d.value, d.half, String(d.real)])],
});
