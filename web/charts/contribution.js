// contribution.js: the contribution of each part to a total, with its interval: one bar per part, the largest at the top.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { axisMarks } from './ticks.js';
import { error, estimate, timeEstimate, timeUnit } from '../ui/format.js';

/** Values in seconds. `relative`: half-width / value. `id`: the id that a click selects. `name`: the whole name, if the label is shortened.
 * @typedef {{ id: string, label: string, name?: string, value: number, half: number|null, relative: number|null, color: string }} Row
 */
/** `others`: the number of rows that are not shown. `what`: the name of a row's kind, a stratum if absent. `all`: the rows of the CSV, if not those that are shown.
 * @typedef {{ rows: Row[], others: number, what?: string, all?: import('./frame.js').Rows }} Data */
const ROW = 30;
const LETTER = 6.6;

/** The number of bars; the table below a picture has all. */
export const SHOWN_MAX = 8;

/** The rows with the largest known values, and how many others are known. @template T @param {T[]} rows @param {(row: T) => number|null} valueOf */
export function largest(rows, valueOf) {
  const known = rows.filter((r) => valueOf(r) !== null).sort((a, b) => Number(valueOf(b)) - Number(valueOf(a)));
  return { shown: known.slice(0, SHOWN_MAX), others: Math.max(0, known.length - SHOWN_MAX) };
}

/** @param {Data} data */
const reachOf = (data) => Math.max(1e-12, ...data.rows.map((r) => r.value + (r.half ?? 0)));
/** @param {Data} data */
export const heightOf = (data) => 48 + data.rows.length * ROW;

export const contribution = chartOf({
  name: (/** @type {Data} */ data) => `What each ${data.what ?? 'stratum'} adds to the projected time: ${data.rows.slice(0, 3).map((r) => `${r.label} ${estimate(timeEstimate(r.value, r.half))}`).join(', ')}`,
  draw: (data, width) => {
    const [scale, unit] = timeUnit(reachOf(data));
    const names = new Map(data.rows.map((r) => [r.id, r.label]));
    const left = 20 + LETTER * Math.max(...data.rows.map((r) => r.label.length)), across = axisMarks(0, reachOf(data) / scale, { room: width - left - 64, most: 5 });
    return draw({
      width, height: heightOf(data), marginLeft: left, marginRight: 64, marginBottom: 38, marginTop: 6,
      x: { domain: [0, reachOf(data) / scale], label: `projected time (${unit})`, labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { type: 'band', domain: data.rows.map((r) => r.id), tickFormat: (/** @type {string} */ id) => names.get(id) ?? '', label: null, tickSize: 0, padding: 0.4 },
      marks: [
        Plot.gridX({ ticks: across.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.barX(data.rows, { y: 'id', x1: 0, x2: (r) => r.value / scale, fill: 'color' }),
        Plot.ruleY(data.rows.filter((r) => r.half), { y: 'id', x1: (r) => Math.max(0, r.value - r.half) / scale, x2: (r) => (r.value + r.half) / scale, stroke: 'var(--ink)', strokeWidth: 1.5 }),
        Plot.text(data.rows, { y: 'id', x: (r) => (r.value + (r.half ?? 0)) / scale, dx: 6, textAnchor: 'start', text: (r) => (r.relative === null ? '' : `± ${error(r.relative)}`), fill: 'var(--ink-2)' }),
      ],
    });
  },
  reach: 'y',
  marks: (data) => data.rows.map((r) => ({ x: r.value / timeUnit(reachOf(data))[0], y: r.id, ids: [r.id], datum: r })),
  read: (/** @type {Row} */ r) => `${r.name ?? r.label}: ${estimate(timeEstimate(r.value, r.half))}${r.relative === null ? ', no interval yet' : ` (± ${error(r.relative)})`}`,
  rows: (data) => data.all ?? [['stratum', 'total_s', 'half_width_s', 'relative_half_width'], ...data.rows.map((r) => [r.label, r.value, r.half, r.relative])],
});
