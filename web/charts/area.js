// area.js: parts over time, stacked in a fixed order from useful up. Hovering one fades the others.
import { timeChart, seriesRows, paint, valuesAt } from './time_chart.js';
import { evenTicks } from './ticks.js';
import { columnsOf } from './time_window.js';
import { number, trim } from '../ui/format.js';

/** `colors`: one a line, from the bottom; `most`: the top of the axis; `lit`: the line that the others fade behind.
 * @typedef {{ series: import('./time_chart.js').Series, colors: string[], most: number, percent: boolean, lit: number|null, finding: string }} AreaData */

const HEIGHT = 150;

export const area = timeChart({
  name: (/** @type {AreaData} */ d) => d.finding,
  of: (d) => d.series,
  height: () => HEIGHT,
  draw(ctx, d, p, w) {
    const s = d.series;
    const [first, end] = columnsOf(w, s);
    const base = new Float64Array(end - first);
    const y = (/** @type {number} */ v) => p.height * (1 - v / d.most);
    for (let line = 0; line < s.lines; line++) {
      const top = base.slice();
      for (let c = first; c < end; c++) {
        const v = s.values[(line * s.columns + c) * 3 + 1];
        if (v === v) top[c - first] += v;
      }
      ctx.globalAlpha = d.lit === null || d.lit === line ? 1 : 0.25;
      ctx.fillStyle = paint(d.colors[line]);
      ctx.beginPath();
      for (let i = 0; i < top.length; i++) {
        ctx.lineTo(p.x(s.from + (first + i) * s.column), y(top[i]));
        ctx.lineTo(p.x(Math.min(s.to, s.from + (first + i + 1) * s.column)), y(top[i]));
      }
      for (let i = top.length - 1; i >= 0; i--) {
        ctx.lineTo(p.x(Math.min(s.to, s.from + (first + i + 1) * s.column)), y(base[i]));
        ctx.lineTo(p.x(s.from + (first + i) * s.column), y(base[i]));
      }
      ctx.fill();
      base.set(top);
    }
    ctx.globalAlpha = 1;
  },
  yLabels: (d, height) => evenTicks(0, d.most, 2).map((v) => ({ y: height * (1 - v / d.most), text: d.percent ? `${trim(number(v * 100))} %` : trim(number(v)) })),
  rows: (d, w) => seriesRows(d.series, w),
});

/** The part that a place is in. @param {AreaData} d @param {number} cycle @param {number} share of the height, from the bottom @returns {number|null} */
export function partAt(d, cycle, share) {
  let sum = 0;
  for (let line = 0; line < d.series.lines; line++) {
    sum += valuesAt(d.series, line, cycle)?.mean ?? 0;
    if (share * d.most <= sum) return line;
  }
  return null;
}
