// sort.js: the order of rows. Pure.

/** The possible orders of a table with these columns. @param {{ key: string, sort?: unknown }[]} columns */
export const ordersOf = (columns) => columns.flatMap((c) => (c.sort ? [c.key, `-${c.key}`] : []));

/** @template R @param {R[]} rows @param {{ key: string, sort?: (row: R) => number|string|null }[]} columns @param {string} order "key" or "-key": largest first */
export function sorted(rows, columns, order) {
  const down = order.startsWith('-');
  const column = columns.find((c) => c.key === order.replace(/^-/, ''));
  const value = column?.sort;
  if (!value) return rows;
  const sign = down ? -1 : 1;
  return rows
    .map((row, i) => ({ row, i, v: value(row) }))
    .sort((a, b) => {
      // Unknown values are last in both directions.
      if (a.v === null || b.v === null) return Number(a.v === null) - Number(b.v === null) || a.i - b.i;
      return (a.v < b.v ? -sign : a.v > b.v ? sign : 0) || a.i - b.i;
    })
    .map(({ row }) => row);
}
