// waterfall.js: from the baseline's total to another design's, kernel by kernel. All other kernels are one grey step.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { axisMarks } from './ticks.js';
import { estimate, timeEstimate, timeUnit } from '../ui/format.js';
import { distinctNames } from '../ui/kernel_name.js';

/** @typedef {{ name: string, difference: number, half: number|null, real: boolean }} Step */
/** `steps`: the largest differences; `others`: the number of other kernels. `total`: the total difference.
 * @typedef {{ steps: Step[], others: number, total: Step, from: string, to: string }} Data */
const ROW = 26;
const NAME = 34, NAME_NARROW = 16;

/** @param {Data} data @param {number} [most] characters of a name */
function placed(data, most = NAME) {
  const names = distinctNames(data.steps.map((s) => s.name), most);
  let at = 0;
  const rows = data.steps.map((s, i) => {
    const from = at;
    at += s.difference;
    return { ...s, key: `${i}`, label: names.get(s.name) ?? '', from, to: at, rest: false };
  });
  if (data.others > 0) rows.push({ name: '', difference: data.total.difference - at, half: null, real: true, key: 'others', label: data.others === 1 ? '1 other' : `${data.others} others`, from: at, to: data.total.difference, rest: true });
  return [...rows, { ...data.total, key: 'all', label: 'all', from: 0, to: data.total.difference, rest: false }];
}

/** Width of the longest name, limited. @param {string[]} labels @param {number} most in pixels */
const labelWidth = (labels, most) => Math.min(most, 28 + 6.5 * Math.max(...labels.map((l) => l.length)));

/** @param {Data} data */
const reachOf = (data) => placed(data).flatMap((r) => [r.from, r.to - (r.half ?? 0), r.to + (r.half ?? 0)]);
/** @param {Data} data */
const largest = (data) => Math.max(...reachOf(data).map(Math.abs), 1e-12);

export const waterfall = chartOf({
  name: (/** @type {Data} */ data) => `From ${data.from} to ${data.to}: ${estimate(timeEstimate(data.total.difference, data.total.half))}; most of it by ${data.steps.slice(0, 3).map((s) => `${s.name} ${estimate(timeEstimate(s.difference, s.half))}`).join(', ')}`,
  draw: (data, width) => {
    const narrow = width < 520;
    const rows = placed(data, narrow ? NAME_NARROW : NAME);
    const reach = reachOf(data);
    const [scale, unit] = timeUnit(largest(data));
    const labels = new Map(rows.map((r) => [r.key, r.label]));
    const pad = (Math.max(...reach, 0) - Math.min(...reach, 0)) * 0.04 / scale;
    const low = Math.min(...reach, 0) / scale - pad, high = Math.max(...reach, 0) / scale + pad, left = labelWidth([...labels.values()], narrow ? 120 : 250), right = narrow ? 8 : 130;
    const across = axisMarks(low, high, { room: width - left - right, most: 5 });
    return draw({
      width, height: 52 + rows.length * ROW, marginLeft: left, marginRight: right, marginBottom: 38, marginTop: 8,
      x: { domain: [low, high], label: `change of projected time (${unit})`, labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { type: 'band', domain: rows.map((r) => r.key), tickFormat: (/** @type {string} */ k) => labels.get(k) ?? '', label: null, tickSize: 0, padding: 0.35 },
      marks: [
        Plot.gridX({ ticks: across.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.barX(rows, { y: 'key', x1: (r) => r.from / scale, x2: (r) => r.to / scale, stroke: fill, strokeWidth: 1, fill: (r) => (r.real ? fill(r) : 'var(--panel)'), fillOpacity: (r) => (r.rest ? 0.5 : 1) }),
        Plot.ruleY(rows.filter((r) => r.half !== null), { y: 'key', x1: (r) => (r.to - r.half) / scale, x2: (r) => (r.to + r.half) / scale, stroke: 'var(--ink)', strokeWidth: 1.5 }),
        Plot.ruleX([0], { stroke: 'var(--ink-2)' }),
        ...(narrow ? [] : [Plot.text(rows.filter((r) => !r.rest), { y: 'key', frameAnchor: 'right', dx: 8, textAnchor: 'start', text: (r) => (r.real ? estimate(timeEstimate(r.difference, r.half)) : 'not distinguishable'), fill: 'var(--ink-2)' })]),
      ],
    });
  },
  reach: 'y',
  marks: (data) => placed(data).filter((r) => !r.rest).map((r) => ({ x: r.to / timeUnit(largest(data))[0], y: r.key, ids: r.key === 'all' ? [] : [`kernel:${r.name}`], datum: r })),
  read: (/** @type {Step} */ s) => `${s.name}: ${estimate(timeEstimate(s.difference, s.half))}${s.real ? '' : ', not distinguishable from none'}`,
  rows: (data) => [['kernel', 'difference_s', 'half_width_s', 'distinguishable'], ...[...data.steps, data.total].map((s) => [s.name, s.difference, s.half, String(s.real)])],
});

/** @param {{ key: string, rest: boolean, difference: number }} r */
const fill = (r) => (r.rest ? 'var(--cat-rest)' : r.key === 'all' ? 'var(--ink)' : r.difference < 0 ? 'var(--cat-1)' : 'var(--cat-2)');
