// hidden.js: which lines of pictures are hidden, as text for the address; a series without its hidden lines. Pure.

/** Hidden lines: `PICTURE:LABEL`, separated by commas. @param {string} text @returns {Set<string>} */
export const hiddenOf = (text) => new Set(text.split(',').filter(Boolean));

/** The text after a line was hidden, or shown again. @param {string} text @param {string} line `PICTURE:LABEL` */
export function withTurned(text, line) {
  const hidden = hiddenOf(text);
  if (!hidden.delete(line)) hidden.add(line);
  return [...hidden].join(',');
}

/** The series with these lines only. @param {import('./time_chart.js').Series} s @param {number[]} lines @returns {import('./time_chart.js').Series} */
export function onlyLines(s, lines) {
  if (lines.length === s.lines) return s;
  const each = s.columns * 3;
  const values = new Float32Array(lines.length * each);
  lines.forEach((line, i) => values.set(s.values.subarray(line * each, (line + 1) * each), i * each));
  return { ...s, lines: lines.length, labels: lines.map((line) => s.labels[line]), values };
}

/** The highest sum of all lines, for the axis of a stack; 1 if there is none. @param {import('./time_chart.js').Series} s */
export function highest(s) {
  let most = 0;
  for (let c = 0; c < s.columns; c++) {
    let sum = 0;
    for (let k = 0; k < s.lines; k++) sum += s.values[(k * s.columns + c) * 3 + 1] || 0;
    if (sum > most) most = sum;
  }
  return most || 1;
}
