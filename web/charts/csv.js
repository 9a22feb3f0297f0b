// csv.js: rows → RFC 4180 text. Pure.

/** @param {(string|number|null|undefined)[][]} rows the first is the header, with units in the names */
export const csvText = (rows) => rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';

/** @param {string|number|null|undefined} value */
function cell(value) {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
