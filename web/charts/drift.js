// drift.js: durations in launch order; shows phases and drift. A point summarises consecutive launches with minimum,
// mean and maximum.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { axisMarks } from './ticks.js';
import { count, countedIn, planned, plural, short, timeUnit } from '../ui/format.js';

/** @typedef {import('../types.js').LaunchSeries} Series @typedef {Series['points'][number]} Point */
/** @typedef {{ series: Series, what: string }} Data */
const HEIGHT = 240;

/** @param {Series} s @returns {[number, string]} */
function unitOf(s) {
  const most = Math.max(1, ...s.points.map((p) => p.max));
  if (s.unit !== 'ns') return most >= 1e6 ? [1e6, `M ${countedIn(s.unit)}`] : [1, countedIn(s.unit)];
  const [seconds, name] = timeUnit(most / 1e9);
  return [seconds * 1e9, name];
}

/** @param {Point} p */
const middle = (p) => (p.first + p.last) / 2;

export const drift = chartOf({
  name: (/** @type {Data} */ data) => `${data.series.unit === 'ns' ? 'Durations' : data.series.unit === 'cycles' ? 'Estimated cycles' : 'Instructions'} of ${data.what} in the order of launches`,
  domains: (data) => ({ x: [0, Math.max(1, data.series.launches)] }),
  draw: (data, width, { x }) => {
    const [scale, unit] = unitOf(data.series);
    const points = data.series.points;
    const inWindow = points.filter((p) => p.last >= x[0] && p.first <= x[1]);
    const most = Math.max(...inWindow.map((p) => p.max), 1e-300) / scale;
    const across = axisMarks(x[0], x[1], { room: width - 68, whole: true }), up = axisMarks(0, most * 1.05, { room: HEIGHT - 62, tall: true, most: 5 });
    return draw({
      width, height: HEIGHT, marginLeft: 52, marginBottom: 40, marginTop: 22, marginRight: 16, clip: true,
      x: { domain: x, label: 'launch', labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { domain: [0, most * 1.05], label: data.series.unit === 'ns' ? `duration (${unit})` : unit, labelArrow: 'none', tickFormat: up.text, ticks: up.marks, tickSize: 0 },
      marks: [
        Plot.gridY({ ticks: up.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.ruleY([0], { stroke: 'var(--line)' }),
        Plot.areaY(points, { x: middle, y1: (p) => p.min / scale, y2: (p) => p.max / scale, fill: 'var(--cat-1)', fillOpacity: 0.25 }),
        Plot.lineY(points, { x: middle, y: (p) => p.mean / scale, stroke: 'var(--cat-1)', strokeWidth: 1.3 }),
      ],
    });
  },
  reach: 'x',
  marks: (data) => {
    const [scale] = unitOf(data.series);
    return data.series.points.map((p) => ({ x: middle(p), y: p.mean / scale, datum: p }));
  },
  read: (/** @type {Point} */ p, data) => {
    const text = (/** @type {number} */ v) => planned(v, data.series.unit);
    const where = p.launches === 1 ? `launch ${count(p.first)}` : `${plural(p.launches, 'launch', 'launches')} from ${count(p.first)} to ${count(p.last)}`;
    return `${where}: mean ${text(p.mean)}${p.launches === 1 ? '' : `, ${text(p.min)} to ${text(p.max)}`}`;
  },
  rows: (data) => [['first', 'last', 'launches', `min_${data.series.unit}`, `mean_${data.series.unit}`, `max_${data.series.unit}`], ...data.series.points.map((p) => [p.first, p.last, p.launches, p.min, p.mean, p.max])],
});
