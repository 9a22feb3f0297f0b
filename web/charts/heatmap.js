// heatmap.js: a matrix over time, one row per SM or channel. It is one off-screen image; each window is a part of it.
import { timeChart, seriesRows } from './time_chart.js';
import { amountIndex, amountPixels } from './amount.js';

/** `order`: the lines from top to bottom; `most`: the end of the scale.
 * @typedef {{ series: import('./time_chart.js').Series, order: number[], most: number, finding: string }} HeatData */

/** The height in pixels for a number of rows: all rows fit on the page, few rows are not too tall, and a thousand rows stay visible. @param {number} lines */
export const heatHeight = (lines) => Math.max(80, Math.min(Math.max(264, Math.min(512, lines / 2)), lines * (lines > 40 ? 2 : 6)));

/** The whole matrix as an image, one pixel per value; made again when values, order or scale change.
 * @type {WeakMap<HeatData, OffscreenCanvas>} */
const images = new WeakMap();

/** Pixels without a value are transparent. @param {HeatData} d */
function imageOf(d) {
  const known = images.get(d);
  if (known) return known;
  const { lines, columns, values } = d.series;
  const canvas = new OffscreenCanvas(columns, lines);
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = ctx.createImageData(columns, lines);
  const pixels = new Uint32Array(image.data.buffer);
  for (let row = 0; row < lines; row++) {
    const from = d.order[row] * columns;
    for (let c = 0; c < columns; c++) {
      const mean = values[(from + c) * 3 + 1];
      pixels[row * columns + c] = mean === mean ? amountPixels[amountIndex(mean, d.most)] : 0;
    }
  }
  ctx.putImageData(image, 0, 0);
  images.set(d, canvas);
  return canvas;
}

export const heatmap = timeChart({
  name: (/** @type {HeatData} */ d) => d.finding,
  of: (d) => d.series,
  height: (d) => heatHeight(d.series.lines),
  draw(ctx, d, p, w) {
    const s = d.series;
    // Columns or rows that share a pixel are averaged; when zoomed in, each value is a sharp block.
    ctx.imageSmoothingEnabled = (w.to - w.from) / s.column > p.width || s.lines > p.height;
    ctx.imageSmoothingQuality = 'medium';
    ctx.drawImage(imageOf(d), (w.from - s.from) / s.column, 0, (w.to - w.from) / s.column, s.lines, p.left, 0, p.width, p.height);
  },
  yLabels(d, height) {
    const each = height / d.series.lines;
    const step = Math.max(1, Math.ceil(d.series.lines / Math.floor(height / 22)));
    return d.order.flatMap((line, row) => (row % step === 0 ? [{ y: (row + 0.5) * each, text: (d.series.brief ?? d.series.labels)[line] }] : []));
  },
  line: (d, y, height) => d.order[Math.max(0, Math.min(d.series.lines - 1, Math.floor((y / height) * d.series.lines)))],
  rows: (d, w) => seriesRows(d.series, w),
});

/** The end of the scale: the largest mean, or 1 if all are 0. @param {import('./time_chart.js').Series} s */
export function largest(s) {
  let most = 0;
  for (let i = 1; i < s.values.length; i += 3) if (s.values[i] > most) most = s.values[i];
  return most || 1;
}
