// line.js: one value over time, or a few of the same unit.
import { timeChart, seriesRows, paint } from './time_chart.js';
import { heightMarks } from './ticks.js';
import { columnsOf } from './time_window.js';

/** @typedef {{ series: import('./time_chart.js').Series, colors: string[], most: number, percent: boolean, finding: string }} LineData */

const HEIGHT = 110;

export const line = timeChart({
  name: (/** @type {LineData} */ d) => d.finding,
  of: (d) => d.series,
  height: () => HEIGHT,
  draw(ctx, d, p, w) {
    const s = d.series;
    const [first, end] = columnsOf(w, s);
    const y = (/** @type {number} */ v) => (p.height - 2) * (1 - v / d.most) + 1;
    ctx.strokeStyle = paint('var(--grid)');
    for (const mark of heightMarks(d.most, d.percent, p.height)) if (mark.value > 0 && mark.value < d.most) ctx.strokeRect(p.left, y(mark.value), p.width, 0);
    for (let k = 0; k < s.lines; k++) {
      const color = paint(d.colors[k]);
      const middle = (/** @type {number} */ c) => p.x(Math.min(s.to, s.from + (c + 0.5) * s.column));
      ctx.strokeStyle = color;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      let drawing = false;
      for (let c = first; c < end; c++) {
        const v = s.values[(k * s.columns + c) * 3 + 1];
        if (v !== v) drawing = false;
        else if (drawing) ctx.lineTo(middle(c), y(v));
        else {
          ctx.moveTo(middle(c), y(v));
          drawing = true;
        }
      }
      ctx.stroke();
    }
  },
  yLabels: (d, height) => heightMarks(d.most, d.percent, height),
  rows: (d, w) => seriesRows(d.series, w),
});

/** Two series of one unit and grid in one picture. @param {import('./time_chart.js').Series[]} list @returns {import('./time_chart.js').Series} */
export function together(list) {
  const [first] = list;
  const values = new Float32Array(list.reduce((n, s) => n + s.values.length, 0));
  let at = 0;
  for (const s of list) {
    values.set(s.values, at);
    at += s.values.length;
  }
  return { ...first, labels: list.map((s) => s.title), lines: list.length, values };
}
