// convergence.js: the main picture of a run: estimate and interval over the number of samples, with the promised error.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { countEstimate, estimate, error, fixedTo, NOTHING_YET, plural, saysNothing, short, timeEstimate, timeUnit } from '../ui/format.js';
import { axisMarks } from './ticks.js';

/** @typedef {{ done: number, value: number, half: number|null, relative: number|null }} Point */
/** `unit`: 's', or the counted quantity. `ahead`: the expected half-widths, `promiseAt`: when they reach the
 * promised one; both from the server, for a run in progress. @typedef {{ points: Point[], promise: number|null, planned: number, unit: string, ahead: { done: number, half: number }[], promiseAt: number|null }} Data
 */
const HEIGHT = 320;

/** Scale and name of the axis. @param {Data} data @returns {[number, string]} */
function unitOf(data) {
  const size = data.points[data.points.length - 1]?.value ?? 1;
  if (data.unit === 's') return timeUnit(size);
  return size >= 1e6 ? [1e6, `M ${data.unit}`] : [1, data.unit];
}
/** @param {Point} p @param {string} unit */
const textOf = (p, unit) => saysNothing(p.relative) ? NOTHING_YET : estimate(unit === 's' ? timeEstimate(p.value, p.half) : countEstimate(p.value, p.half, unit));

/** @param {Point[]} points */
const bandOf = (points) => points.filter((p) => p.half !== null);

export const convergence = chartOf({
  name: (/** @type {Data} */ data) => {
    const last = data.points[data.points.length - 1];
    return last ? `Projected time after each of ${plural(last.done, 'finished sample')}; now ${textOf(last, data.unit)}` : 'Projected time after each finished sample';
  },
  domains: (data) => ({ x: [0, 1.04 * Math.max(data.planned, data.points[data.points.length - 1]?.done ?? 1)] }), // space for the last mark
  draw: (data, width, { x: shown }) => {
    const last = data.points[data.points.length - 1];
    const band = bandOf(data.points);
    const lastBand = band[band.length - 1];
    const [scale, unit] = unitOf(data);
    const y = (/** @type {number} */ s) => s / scale;
    const promise = data.promise !== null && last ? data.promise * last.value : null;
    const { ahead, promiseAt } = data;
    // The first intervals can be thousands of times the value; they are clipped, so that the others stay visible.
    const widest = 6 * Math.max(promise ?? 0, lastBand?.half ?? 0, (last?.value ?? 1) * 1e-4);
    const inside = data.points.flatMap((p) => [p.value - (p.half ?? 0), p.value + (p.half ?? 0)]).map((v) => Math.max(last.value - widest, Math.min(last.value + widest, v)));
    const low = Math.min(...inside, (last?.value ?? 0) - (promise ?? 0) * 1.3);
    const high = Math.max(...inside, (last?.value ?? 0) + (promise ?? 0) * 1.3);
    const pad = (high - low) * 0.06 || (last?.value ?? 1) * 0.05;
    const up = axisMarks(y(low - pad), y(high + pad), { room: HEIGHT - 62, tall: true });
    const across = axisMarks(shown[0], shown[1], { room: width - 74, whole: true });
    const label = (/** @type {string} */ text, /** @type {number} */ x, /** @type {string} */ color) => Plot.text([text], { x: () => x, y: () => y(high + pad), text: (t) => t, textAnchor: 'end', dx: -5, dy: 8, fill: color, clip: false });
    return draw({
      width, height: HEIGHT, marginLeft: 56, marginBottom: 40, marginTop: 22, marginRight: 18, clip: true,
      x: { domain: shown, label: 'samples finished', labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { domain: [y(low - pad), y(high + pad)], label: `projected ${data.unit === 's' ? 'time' : 'total'} (${unit})`, labelArrow: 'none', tickFormat: up.text, ticks: up.marks, tickSize: 0 },
      marks: [
        Plot.gridX({ ticks: across.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.gridY({ ticks: up.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        ...(promise !== null ? [Plot.rect([0], { x1: 0, x2: Math.max(data.planned, last.done), y1: y(last.value - promise), y2: y(last.value + promise), fill: 'var(--ink)', fillOpacity: 0.09 })] : []),
        Plot.areaY(band, { x: 'done', y1: (p) => y(p.value - p.half), y2: (p) => y(p.value + p.half), fill: 'var(--cat-1)', fillOpacity: 0.17 }),
        Plot.lineY(ahead, { x: 'done', y: (d) => y(last.value - d.half), stroke: 'var(--cat-1)', strokeDasharray: '2 4' }),
        Plot.lineY(ahead, { x: 'done', y: (d) => y(last.value + d.half), stroke: 'var(--cat-1)', strokeDasharray: '2 4' }),
        Plot.lineY(data.points, { x: 'done', y: (p) => y(p.value), stroke: 'var(--cat-1)', strokeWidth: 1.8 }),
        // A single interval is drawn as a whisker with end caps, to distinguish it from a grid line.
        ...(band.length === 1 ? [Plot.ruleY(band.flatMap((p) => [p.value - Number(p.half), p.value + Number(p.half)].map((v) => ({ v, at: p.done }))), { y: (e) => y(e.v), x1: (e) => e.at - 0.012 * (shown[1] - shown[0]), x2: (e) => e.at + 0.012 * (shown[1] - shown[0]), stroke: 'var(--cat-1)', strokeWidth: 1.5 }), Plot.ruleX(band, { x: 'done', y1: (p) => y(p.value - p.half), y2: (p) => y(p.value + p.half), stroke: 'var(--cat-1)', strokeWidth: 1.5 })] : []),
        ...(last ? [Plot.dot([last], { x: 'done', y: (p) => y(p.value), r: 4, fill: 'var(--cat-1)' })] : []),
        Plot.ruleX([data.planned], { stroke: 'var(--line)' }),
        label(`planned: ${data.planned}`, data.planned, 'var(--ink-2)'),
        ...(promiseAt !== null && promiseAt < data.planned * 0.97 ? [
          Plot.ruleX([promiseAt], { stroke: 'var(--ok)', strokeDasharray: '3 3', y1: y(low - pad), y2: y(high + pad) }),
          Plot.text([promiseAt], { x: (d) => d, y: y(low - pad), text: (d) => `promise met after about ${short(d)}`, ...(promiseAt > data.planned * 0.45 ? { textAnchor: 'end', dx: -5 } : { textAnchor: 'start', dx: 5 }), dy: -8, fill: 'var(--ok)' }),
        ] : []),
      ],
    });
  },
  reach: 'x',
  marks: (data) => {
    const [scale] = unitOf(data);
    return data.points.map((p) => ({ x: p.done, y: p.value / scale, datum: p }));
  },
  read: (/** @type {Point} */ p, data) => `after ${plural(p.done, 'sample')}: ${textOf(p, data.unit)}${p.half === null ? ', no interval yet' : saysNothing(p.relative) ? '' : ` (± ${error(p.relative)})`}`,
  rows: (data) => [['done', `value_${data.unit}`, `half_width_${data.unit}`], ...data.points.map((p) => [p.done, p.value, p.half])],
});
