// tests/api/csv_text.mjs: parses a CSV answer.

/** RFC 4180; returns one object per row. */
export function parsed(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (rows.at(-1).length === 0 && plain === '' && end === '') break;
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  const [head, ...body] = rows.filter((r) => r.length > 0);
  return body.map((r) => Object.fromEntries(head.map((name, i) => [name, r[i]])));
}
