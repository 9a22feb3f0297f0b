// lanes.js: activity over time: one row per worker or stream, coloured by activity, with visible gaps.
import { d3, draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { clock } from '../ui/format.js';

/** `text`: its description. @typedef {{ row: string, from: number, to: number, color: string, failed: boolean, text: string, ids?: string[] }} Lane */
/** `of`: the name of a row's dimension. `axis`: the axis of times in ms, by default times of day; with `zooms` the
 * chart can zoom.
 * @typedef {{ rows: string[], lanes: Lane[], from: number, to: number, name: string, of: string, axis?: Axis }} Data
 */
/** @typedef {{ label: string, marks: (from: number, to: number, room: number) => { marks: number[], text: (at: number) => string }, said: (at: number) => string, zooms: boolean }} Axis */
const ROW = 24;
const FAILED_MAX = 200;
const RIGHT = 20; // half of a label at the right end
const LEAST = 0.5; // minimum width in pixels, so that the shortest stays visible
const NS = 'http://www.w3.org/2000/svg';

/** @param {Data} data */
const heightOf = (data) => 44 + data.rows.length * ROW;

/** Round times of day. @param {number} from @param {number} to @param {number} most */
function clockTicks(from, to, most) {
  const span = to - from;
  const step = 60000 * ([1, 2, 5, 10, 20, 60, 120, 240].find((m) => span / (m * 60000) <= most) ?? 480);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) => (first + i) * step);
}
/** @type {Axis} */
const CLOCK = { label: 'time of day', marks: (from, to, room) => ({ marks: clockTicks(from, to, room < 420 ? 4 : 8), text: clock }), said: clock, zooms: false };
/** @param {Data} data */
const axisOf = (data) => data.axis ?? CLOCK;

/** All intervals of a colour are one path, so that thousands of them are drawn and exported quickly.
 * @param {Lane[]} list @param {[number, number]} window @returns {any} a mark of Plot */
const paths = (list, [from, to]) => (/** @type {unknown} */ _, /** @type {any} */ { x, y }) => {
  const group = document.createElementNS(NS, 'g');
  for (const [color, of] of d3.group(list.filter((l) => l.from < to && l.to > from), (/** @type {Lane} */ l) => l.color)) {
    const path = document.createElementNS(NS, 'path');
    path.setAttribute('fill', color);
    path.setAttribute('d', of.map((/** @type {Lane} */ l) => {
      const [x0, x1] = [x(Math.max(from, l.from)), x(Math.min(to, l.to))];
      return `M${x0.toFixed(1)},${y(l.row).toFixed(1)}h${Math.max(LEAST, x1 - x0).toFixed(1)}v${y.bandwidth().toFixed(1)}H${x0.toFixed(1)}z`;
    }).join(''));
    group.append(path);
  }
  return group;
};

export const lanes = chartOf({
  name: (/** @type {Data} */ data) => data.name,
  domains: (data) => (axisOf(data).zooms ? { x: [data.from, data.to] } : null),
  draw: (data, width, window) => {
    const [from, to] = window?.x ?? [data.from, data.to];
    const left = Math.min(width / 3, 16 + 6.6 * Math.max(4, ...data.rows.map((r) => Array.from(r).length)));
    const { marks: ticks, text } = axisOf(data).marks(from, to, width - left - RIGHT);
    return draw({
      width, height: heightOf(data), marginLeft: left, marginRight: RIGHT, marginTop: 6, marginBottom: 36, clip: true,
      x: { domain: [from, to], label: axisOf(data).label, labelAnchor: 'center', labelArrow: 'none', ticks, tickFormat: text, tickSize: 0, type: 'linear' },
      y: { type: 'band', domain: data.rows, label: null, tickSize: 0, padding: 0.25 },
      marks: [
        Plot.gridX({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.barX(data.rows, { y: (r) => r, x1: from, x2: to, fill: 'var(--sunken)' }),
        paths(data.lanes, [from, to]),
        Plot.tickX(data.lanes.filter((l) => l.failed).slice(-FAILED_MAX), { y: 'row', x: 'to', stroke: 'var(--bad)', strokeWidth: 2 }),
        Plot.text(data.lanes.filter((l) => l.failed).slice(-FAILED_MAX), { y: 'row', x: 'to', text: () => '✕', fill: 'var(--bad)', stroke: 'var(--panel)', strokeWidth: 3, fontWeight: 700 }),
      ],
    });
  },
  reach: 'xy',
  marks: (data) => data.lanes.map((l) => ({ x: (l.from + l.to) / 2, x1: l.from, x2: l.to, y: l.row, ids: l.ids ?? [`${data.of}:${l.row}`], datum: l })),
  read: (/** @type {Lane} */ l, data) => `${l.row}, ${axisOf(data).said(l.from)} to ${axisOf(data).said(l.to)}: ${l.text}`,
  rows: (data) => [[data.of, ...(data.axis ? ['from_ms', 'to_ms'] : ['from', 'to']), 'what'], ...data.lanes.map((l) => [l.row, ...[l.from, l.to].map((t) => (data.axis ? t : new Date(t).toISOString())), l.text])],
});
