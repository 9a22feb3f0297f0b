// shown.js: the visible columns and rows of a table; the address contains the hidden columns. Pure.

/** The rule of the address: keys separated by commas; the first column stays. @param {{ key: string }[]} columns */
export const hideRule = (columns) => {
  const keys = columns.slice(1).map((c) => c.key);
  return { fallback: '', test: (/** @type {string} */ text) => { const list = text.split(','); return list.every((k) => keys.includes(k)) && new Set(list).size === list.length; } };
};

/** @param {string} hide @param {string} key */
export const isHidden = (hide, key) => hide.split(',').includes(key);

/** @template {{ key: string }} C @param {C[]} columns @param {string} hide */
export const shownOf = (columns, hide) => columns.filter((c, i) => i === 0 || !isHidden(hide, c.key));

/** Hides the column, or shows it again. @param {string} hide @param {string} key */
export function turned(hide, key) {
  const list = hide.split(',').filter(Boolean);
  return (isHidden(hide, key) ? list.filter((k) => k !== key) : [...list, key]).join(',');
}

const ROW = 30, LINE = 20, BORDER = 1; // style.css: --row, .designlines, .rows td

/** The top of each row, and the bottom of the last. @template R @param {R[]} rows @param {(row: R) => number} lines */
export function topsOf(rows, lines) {
  const tops = new Float64Array(rows.length + 1);
  rows.forEach((row, i) => { tops[i + 1] = tops[i] + Math.max(ROW, lines(row) * LINE + BORDER); });
  return tops;
}

/** The row at this height. @param {Float64Array} tops @param {number} y */
export function rowAt(tops, y) {
  let low = 0, high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle] <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
