// row_order.js: the order of the rows of a heat map: by number, by mean, or by similarity. Pure.

const STEPS = 40;
/** Maximum number of columns for similarity: more columns do not visibly change the order. */
const LOOKED_AT = 256;

/** @typedef {{ lines: number, columns: number, values: Float32Array }} Matrix  [line][column][min, mean, max] */

/** @param {Matrix} m @param {number} line */
function meanOf(m, line) {
  let sum = 0;
  let n = 0;
  for (let c = 0; c < m.columns; c++) {
    const v = m.values[(line * m.columns + c) * 3 + 1];
    if (v === v) { sum += v; n += 1; }
  }
  return n ? sum / n : -Infinity;
}

/** Rows minus their means, on a reduced number of columns. @param {Matrix} m @returns {Float64Array[]} */
function centred(m) {
  const each = Math.ceil(m.columns / LOOKED_AT);
  const n = Math.ceil(m.columns / each);
  return Array.from({ length: m.lines }, (_, line) => {
    const row = new Float64Array(n);
    for (let c = 0; c < m.columns; c++) {
      const v = m.values[(line * m.columns + c) * 3 + 1];
      if (v === v) row[Math.floor(c / each)] += v;
    }
    return row;
  });
}

/** The position of each row along the first principal component (by power iteration from a fixed start, so that the order is reproducible). @param {Matrix} m */
function alongTheMain(m) {
  const rows = centred(m);
  const n = rows[0]?.length ?? 0;
  const mean = new Float64Array(n);
  for (const r of rows) for (let i = 0; i < n; i++) mean[i] += r[i] / rows.length;
  for (const r of rows) for (let i = 0; i < n; i++) r[i] -= mean[i];
  let direction = Float64Array.from({ length: n }, (_, i) => 1 + (i % 7) / 7);
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(n);
    for (const r of rows) {
      let dot = 0;
      for (let i = 0; i < n; i++) dot += r[i] * direction[i];
      for (let i = 0; i < n; i++) next[i] += dot * r[i];
    }
    const length = Math.hypot(...next);
    if (!(length > 0)) break;
    direction = next.map((x) => x / length);
  }
  return rows.map((r) => r.reduce((s, x, i) => s + x * direction[i], 0));
}

/** @param {Matrix} m @param {'id'|'mean'|'similarity'} by @returns {number[]} the lines from top to bottom */
export function rowOrder(m, by) {
  const lines = Array.from({ length: m.lines }, (_, i) => i);
  if (by === 'id') return lines;
  const key = by === 'mean' ? lines.map((l) => -meanOf(m, l)) : alongTheMain(m);
  return lines.sort((a, b) => key[a] - key[b] || a - b);
}
