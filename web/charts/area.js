// area.js: a stacked area chart over time; useful parts are at the bottom. Hovering a part fades the others. The
// chart is one off-screen image with one pixel per column; each window is a part of it, so moving the window only
// costs a copy.
import { timeChart, seriesRows, paint, valuesAt } from './time_chart.js';
import { heightMarks } from './ticks.js';

/** `colors`: one per line, from the bottom; `most`: the top of the axis; `lit`: the highlighted line, all others are
 * faded.
 * @typedef {{ series: import('./time_chart.js').Series, colors: string[], most: number, percent: boolean, lit: number|null, finding: string }} AreaData
 */

const HEIGHT = 150;

/** The whole image; made again when values, colours or the screen's resolution change. @type {WeakMap<AreaData, OffscreenCanvas>} */
let images = new WeakMap();
addEventListener('themechange', () => { images = new WeakMap(); });

/** @param {AreaData} d @param {number} ratio device pixels per CSS pixel */
function imageOf(d, ratio) {
  const known = images.get(d);
  if (known?.height === Math.round(HEIGHT * ratio)) return known;
  const { lines, columns, values } = d.series;
  const image = new OffscreenCanvas(columns, Math.round(HEIGHT * ratio));
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (image.getContext('2d'));
  const base = new Float64Array(columns);
  const y = (/** @type {number} */ v) => image.height * (1 - v / d.most);
  for (let line = 0; line < lines; line++) {
    ctx.globalAlpha = d.lit === null || d.lit === line ? 1 : 0.25;
    ctx.fillStyle = paint(d.colors[line]);
    for (let c = 0; c < columns; c++) {
      const v = values[(line * columns + c) * 3 + 1];
      if (!(v > 0)) continue;
      ctx.fillRect(c, y(base[c] + v), 1, y(base[c]) - y(base[c] + v));
      base[c] += v;
    }
  }
  images.set(d, image);
  return image;
}

export const area = timeChart({
  name: (/** @type {AreaData} */ d) => d.finding,
  of: (d) => d.series,
  height: () => HEIGHT,
  draw(ctx, d, p, w) {
    const s = d.series;
    const image = imageOf(d, devicePixelRatio || 1);
    ctx.imageSmoothingEnabled = (w.to - w.from) / s.column > p.width;
    ctx.imageSmoothingQuality = 'medium';
    ctx.drawImage(image, (w.from - s.from) / s.column, 0, (w.to - w.from) / s.column, image.height, p.left, 0, p.width, p.height);
  },
  line: (d, y, height, cycle) => partAt(d, cycle, 1 - y / height),
  yLabels: (d, height) => heightMarks(d.most, d.percent, height),
  rows: (d, w) => seriesRows(d.series, w),
});

/** The part at a position. @param {AreaData} d @param {number} cycle @param {number} share of the height, from the bottom @returns {number|null} */
function partAt(d, cycle, share) {
  let sum = 0;
  for (let line = 0; line < d.series.lines; line++) {
    sum += valuesAt(d.series, line, cycle)?.mean ?? 0;
    if (share * d.most <= sum) return line;
  }
  return null;
}
