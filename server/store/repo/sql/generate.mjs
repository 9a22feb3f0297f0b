// generate.mjs: the statements of the .sql files beside it as C: node generate.mjs OUT FOLDER
// writes OUT/statements.h (one sql_NAME for each statement) and OUT/statements.c (their text, and the list of all).
// The form of the files is in README.md.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const HEADER = /^-- (name|fragment|shared fragment): ([a-z][a-z0-9_]*)(?:\(([a-z_; ]+)\))?$/;

class Fault extends Error {}

/** The parts of one file: {kind, name, params, text, where}. Comment lines are left out. */
export function partsOf(file, text) {
  const parts = [];
  text.split('\n').forEach((line, i) => {
    const where = `${file}:${i + 1}`, header = HEADER.exec(line);
    if (header) parts.push({ kind: header[1], name: header[2], params: header[3]?.split(/; */) ?? [], text: '', where });
    else if (/^-- (name|(shared )?fragment)\b/.test(line)) throw new Fault(`${where}: not a header: ${line}`);
    else if (/^\s*--/.test(line)) return;
    else if (parts.length > 0) parts.at(-1).text += `${line}\n`;
    else if (line.trim()) throw new Fault(`${where}: text before the first header`);
  });
  for (const part of parts) {
    part.text = part.text.trim();
    if (part.kind === 'name' && !part.text.endsWith(';')) throw new Fault(`${part.where}: ${part.name} does not end with ";"`);
    if (part.kind === 'name') part.text = part.text.slice(0, -1);
    if (part.text.replace(/'(?:[^']|'')*'/g, '').includes('--')) throw new Fault(`${part.where}: a comment inside a line of ${part.name}`);
  }
  return parts;
}

/** The end of the "{{" at `from`, behind its "}}", and where its arguments are divided. */
function endOf(text, from, where) {
  const cuts = [];
  for (let i = from + 2, depth = 1; i < text.length; i++) {
    if (text.startsWith('{{', i)) depth++, i++;
    else if (text.startsWith('}}', i)) {
      depth--, i++;
      if (depth === 0) return { end: i + 1, cuts };
    } else if (text[i] === ';' && depth === 1) cuts.push(i);
  }
  throw new Fault(`${where}: "{{" without "}}"`);
}

/** {name, args} of the text between "{{" and "}}". */
function callOf(text, start, { end, cuts }, where) {
  const inner = text.slice(start + 2, end - 2), call = /^([a-z][a-z0-9_]*)(?:\(([^]*)\))?$/.exec(inner.trim());
  if (!call) throw new Fault(`${where}: not a fragment: {{${inner}}}`);
  if (call[2] === undefined) return { name: call[1], args: [] };
  const first = text.indexOf('(', start) + 1, last = text.lastIndexOf(')', end - 2);
  const edges = [first - 1, ...cuts, last];
  return { name: call[1], args: edges.slice(1).map((edge, i) => text.slice(edges[i] + 1, edge).trim()) };
}

/** `text` with all its fragments filled in. `find(name)`: the fragment that is visible in this file; `open`: the fragments being filled in. */
function expand(text, find, values, open, where) {
  let out = '', from = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', from)) {
    const extent = endOf(text, at, where), { name, args } = callOf(text, at, extent, where);
    out += text.slice(from, at) + filled(name, args, find, values, open, where);
    from = extent.end;
  }
  return out + text.slice(from);
}

function filled(name, args, find, values, open, where) {
  if (values.has(name)) return values.get(name);
  const fragment = find(name, where);
  if (open.includes(name)) throw new Fault(`${fragment.where}: ${name} contains itself`);
  if (args.length !== fragment.params.length) throw new Fault(`${where}: ${name} takes ${fragment.params.length} arguments, not ${args.length}`);
  fragment.used = true;
  const given = new Map(fragment.params.map((param, i) => [param, expand(args[i], find, values, open, where)]));
  return expand(fragment.text, fragment.find, given, [...open, name], fragment.where);
}

/** One space for each run of blanks outside of quotes. */
export const packed = (text) => text.replace(/'(?:[^']|'')*'|"[^"]*"|\s+/g, (x) => (/\s/.test(x[0]) ? ' ' : x)).trim();

/** All statements of the files, [{name, sql}], in the order of files and in each file's order. */
export function statementsOf(files) {
  const shared = new Map(), statements = [], fragments = [], names = new Set();
  const put = (map, part) => {
    if (map.has(part.name)) throw new Fault(`${part.where}: ${part.name} is defined twice`);
    map.set(part.name, part);
  };
  const all = files.map(({ file, text }) => partsOf(file, text));
  for (const part of all.flat()) if (part.kind === 'shared fragment') put(shared, part);
  for (const parts of all) {
    const own = new Map();
    const find = (name, where) => {
      const found = own.get(name) ?? shared.get(name);
      if (!found) throw new Fault(`${where}: there is no fragment ${name}`);
      return found;
    };
    for (const part of parts) {
      if (part.kind === 'fragment') put(own, part);
      if (part.kind !== 'name') { part.find = find; fragments.push(part); continue; }
      if (names.has(part.name)) throw new Fault(`${part.where}: ${part.name} is defined twice`);
      names.add(part.name);
      statements.push({ ...part, find });
    }
  }
  const done = statements.map(({ name, text, where, find }) => ({ name, sql: packed(expand(text, find, new Map(), [], where)) }));
  for (const fragment of fragments) if (!fragment.used) throw new Fault(`${fragment.where}: nothing uses ${fragment.name}`);
  return done;
}

/** All statements of the folder's .sql files. */
export function readStatements(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql')).sort();
  return statementsOf(files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') })));
}

const quoted = (text) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
/** A literal for each hundred characters. */
const literal = (text) => (text.match(/[^]{1,100}/gu) ?? []).map((piece) => `    ${quoted(piece)}`).join('\n');

const headerText = (statements) => `/* Made by generate.mjs from the .sql files of server/store/repo/sql/. */
#ifndef VIVACE_SQL_STATEMENTS_H
#define VIVACE_SQL_STATEMENTS_H

#include "server/store/db/db.h"

${statements.map(({ name }) => `extern const struct db_stmt sql_${name};\n`).join('')}
/* All of them; ends with NULL. For db_use_statements(). */
extern const struct db_stmt *const sql_statements[];

#endif
`;

const sourceText = (statements) => `/* Made by generate.mjs from the .sql files of server/store/repo/sql/. */
#include "server/store/repo/sql/statements.h"

#include <stddef.h>

${statements.map(({ name, sql }) => `const struct db_stmt sql_${name} = {"${name}",\n${literal(sql)}};\n`).join('')}
const struct db_stmt *const sql_statements[] = {
${statements.map(({ name }) => `    &sql_${name},\n`).join('')}    NULL,
};
`;

function main([out, folder]) {
  const statements = readStatements(folder);
  mkdirSync(out, { recursive: true });
  for (const [file, text] of [['statements.h', headerText(statements)], ['statements.c', sourceText(statements)]]) {
    const path = join(out, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

if (process.argv[1] && basename(process.argv[1]) === 'generate.mjs') {
  try {
    main(process.argv.slice(2));
  } catch (e) {
    if (!(e instanceof Fault)) throw e;
    console.error(e.message);
    process.exit(1);
  }
}
