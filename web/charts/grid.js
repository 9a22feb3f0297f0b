// grid.js: a small matrix of differences, design by workload; each cell shows its value on a colour.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { differenceColors } from './difference.js';
import { change, estimate, trim } from '../ui/format.js';
import { cut } from '../ui/kernel_name.js';

/** A difference relative to the baseline. @typedef {{ row: string, column: string, value: number, half: number|null, real: boolean }} Cell */
/** `what`: the names of the dimensions of rows and columns. @typedef {{ rows: string[], columns: string[], cells: Cell[], baseline: string, what: [string, string] }} Data */
const ROW = 34;
const LETTER = 6.6;
const FOR_INTERVAL_MIN = 108; // width of a cell, in pixels, from which its half-width is shown too
const FOR_TEXT_MIN = 44;

/** @param {Data} data */
export const mostOf = (data) => Math.max(1e-12, ...data.cells.map((c) => Math.abs(c.value)));
/** @param {Data} data @param {number} width */
const leftOf = (data, width) => Math.min(width / 3, 16 + LETTER * Math.max(4, ...data.rows.map((r) => Array.from(r).length)));

/** @param {Cell} c @param {number} width of the cell */
function textOf(c, width) {
  if (width < FOR_TEXT_MIN) return c.real ? '' : '·';
  const text = width < FOR_INTERVAL_MIN ? `${trim(change(c.value, null).value)}` : estimate(change(c.value, c.half));
  return c.real ? text : `(${text})`;
}

export const grid = chartOf({
  name: (/** @type {Data} */ data) => `Difference to ${data.baseline}, ${data.what[0]} by ${data.what[1]}: ${data.rows.map((r) => `${r} ${data.cells.filter((c) => c.row === r).map((c) => `${c.column} ${estimate(change(c.value, c.half))}${c.real ? '' : ', not distinguishable'}`).join(', ')}`).join('; ')}`,
  draw: (data, width) => {
    const left = leftOf(data, width);
    const each = (width - left - 12) / data.columns.length;
    const most = mostOf(data);
    const unknown = data.rows.flatMap((row) => data.columns.filter((column) => !data.cells.some((c) => c.row === row && c.column === column)).map((column) => ({ row, column })));
    return draw({
      width, height: 44 + data.rows.length * ROW, marginLeft: left, marginRight: 12, marginTop: 8, marginBottom: 36,
      x: { type: 'band', domain: data.columns, label: null, tickSize: 0, padding: 0.02, tickFormat: (/** @type {string} */ c) => cut(c, Math.max(4, Math.floor(each / LETTER) - 1)) },
      y: { type: 'band', domain: data.rows, label: null, tickSize: 0, padding: 0.06, tickFormat: (/** @type {string} */ r) => cut(r, Math.max(4, Math.round((left - 16) / LETTER))) },
      marks: [
        Plot.cell(unknown, { x: 'column', y: 'row', fill: 'var(--sunken)' }),
        Plot.cell(data.cells, { x: 'column', y: 'row', fill: (/** @type {Cell} */ c) => differenceColors(c.value, most).background }),
        Plot.text(data.cells, { x: 'column', y: 'row', text: (/** @type {Cell} */ c) => textOf(c, each), fill: (/** @type {Cell} */ c) => differenceColors(c.value, most).color }),
      ],
    });
  },
  reach: 'xy',
  marks: (data) => data.cells.map((c) => ({ x: c.column, y: c.row, ids: [`${data.what[1]}:${c.column}`], datum: c })),
  read: (/** @type {Cell} */ c, data) => `${c.row} on ${c.column}: ${estimate(change(c.value, c.half))} against ${data.baseline} there${c.real ? '' : ', not distinguishable from none'}`,
  rows: (data) => [[data.what[0], data.what[1], 'relative_difference', 'half_width', 'distinguishable'], ...data.cells.map((c) => [c.row, c.column, c.value, c.half, String(c.real)])],
});
