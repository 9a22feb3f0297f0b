// lanes.js: who was at what, when: a row each, coloured by what it was at; gaps are seen.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { clock } from '../ui/format.js';

/** `text`: what is said of it. @typedef {{ row: string, from: number, to: number, color: string, failed: boolean, text: string }} Lane */
/** Moments in ms. @typedef {{ rows: string[], lanes: Lane[], from: number, to: number, name: string }} Data */
const ROW = 24;
const SVG_MOST = 400;

/** @param {Data} data */
const heightOf = (data) => 44 + data.rows.length * ROW;

/** Round times of day. @param {Data} data @param {number} most */
function ticksOf(data, most) {
  const span = data.to - data.from;
  const step = 60000 * ([1, 2, 5, 10, 20, 60, 120, 240].find((m) => span / (m * 60000) <= most) ?? 480);
  const first = Math.ceil(data.from / step);
  return Array.from({ length: Math.max(0, Math.floor(data.to / step) - first + 1) }, (_, i) => (first + i) * step);
}

export const lanes = chartOf({
  name: (/** @type {Data} */ data) => data.name,
  draw: (data, width) => draw({
    width, height: heightOf(data), marginLeft: Math.min(width / 3, 16 + 6.6 * Math.max(4, ...data.rows.map((r) => Array.from(r).length))), marginRight: 12, marginTop: 6, marginBottom: 36,
    x: { domain: [data.from, data.to], label: 'time of day', labelAnchor: 'center', labelArrow: 'none', ticks: ticksOf(data, width < 520 ? 4 : 8), tickFormat: (/** @type {number} */ t) => clock(t), tickSize: 0, type: 'linear' },
    y: { type: 'band', domain: data.rows, label: null, tickSize: 0, padding: 0.25 },
    marks: [
      Plot.gridX({ ticks: ticksOf(data, width < 520 ? 4 : 8), stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.barX(data.rows, { y: (r) => r, x1: data.from, x2: data.to, fill: 'var(--sunken)' }),
      Plot.barX(data.lanes.length <= SVG_MOST ? data.lanes : [], { y: 'row', x1: 'from', x2: 'to', fill: 'color' }),
      Plot.tickX(data.lanes.filter((l) => l.failed).slice(-SVG_MOST), { y: 'row', x: 'to', stroke: 'var(--bad)', strokeWidth: 2 }),
    ],
  }),
  // Thousands of intervals: on one canvas over the rows.
  under: (data, svg, host) => {
    if (data.lanes.length <= SVG_MOST) return;
    const width = Number(svg.getAttribute('width')), ratio = devicePixelRatio || 1;
    const canvas = document.createElement('canvas');
    canvas.className = 'cloud';
    canvas.width = width * ratio;
    canvas.height = heightOf(data) * ratio;
    canvas.setAttribute('aria-hidden', 'true');
    const context = canvas.getContext('2d');
    const [x, y] = [/** @type {any} */ (svg).scale('x'), /** @type {any} */ (svg).scale('y')];
    if (!context) return;
    const root = getComputedStyle(document.documentElement);
    context.scale(ratio, ratio);
    for (const l of data.lanes) {
      context.fillStyle = root.getPropertyValue(l.color.slice(4, -1)).trim();
      context.fillRect(x.apply(l.from), y.apply(l.row), Math.max(0.5, x.apply(l.to) - x.apply(l.from)), y.bandwidth);
    }
    host.append(canvas);
  },
  reach: 'xy',
  marks: (data) => data.lanes.map((l) => ({ x: (l.from + l.to) / 2, x1: l.from, x2: l.to, y: l.row, ids: [`worker:${l.row}`], datum: l })),
  read: (/** @type {Lane} */ l) => `${l.row}, ${clock(l.from)} to ${clock(l.to)}: ${l.text}`,
  rows: (data) => [['worker', 'from', 'to', 'what'], ...data.lanes.map((l) => [l.row, new Date(l.from).toISOString(), new Date(l.to).toISOString(), l.text])],
});
