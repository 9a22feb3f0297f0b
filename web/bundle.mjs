// bundle.mjs: concatenates the modules of the dashboard into a few files, which are modules as well.
//
// Each module becomes a function that is called once and returns what the module exports:
//
//   // web/ui/num.js
//   const $ui_num = (() => {
//   const { html } = $ui_lib;
//   …the text, without import and export…
//   return { Num };
//   })();
//
// app.js has what the first view imports, parts.js what several later views share, pictures.js D3, Plot and the shared modules that need them.
// Each module that is imported on demand has a file at its own address, which exports what the module exports. Lines
// are never split or joined, so the source map (https://tc39.es/ecma426/) maps line to line.
import { dirname, join, relative } from 'node:path';

/** A module's imports and its text as the body of a function.
 * @typedef {{ needs: string[], later: string[], body: string, names: string[], values: string[] }} Parsed */

/** Which file has which modules, in the order in which they run. @typedef {Map<string, string[]>} Chunks */

/** The variable of a module in its bundle. */
export const VARIABLE = (/** @type {string} */ path) => `$${path.replace(/\.js$/, '').replace(/[^A-Za-z0-9]/g, '_')}`;
/** Code, not the name of a type in a comment. */
const ON_DEMAND = /(?<!typeof )\bimport\((["'])(\.[^"']+)\1\)(?!\.(?!then\())/g;
/** "a, b as c" as pairs. @param {string} list */
const pairs = (list) => list.split(',').map((p) => p.trim()).filter(Boolean).map((p) => {
  const [from, to = from] = p.split(/\s+as\s+/);
  return [from, to];
});
/** The line ends of the text, so that line numbers stay the same. @param {string} text */
const lines = (text) => '\n'.repeat(text.split('\n').length - 1);

/** @param {string} path @param {string} text @returns {Parsed} */
export function parse(path, text) {
  const needs = new Set(), later = new Set(), names = /** @type {string[]} */ ([]), values = /** @type {string[]} */ ([]);
  const at = (/** @type {string} */ to) => join(dirname(path), to);
  const needed = (/** @type {string} */ to) => { needs.add(at(to)); return VARIABLE(at(to)); };
  const out = (/** @type {string} */ name, value = name) => { names.push(name); values.push(name === value ? name : `${name}: ${value}`); };
  const start = path.startsWith('vendor/') ? '(?<![\\w$.])' : '^';
  const re = (/** @type {string} */ rest) => new RegExp(start + rest, 'gm');
  const body = text
    .replace(re(`import\\s*\\{([^}]*)\\}\\s*from\\s*["'](\\.[^"']+)["'];?`), (whole, list, to) =>
      `const { ${pairs(list).map(([from, as]) => (from === as ? from : `${from}: ${as}`)).join(', ')} } = ${needed(to)};${lines(whole)}`)
    .replace(re(`import \\* as (\\w+) from ["'](\\.[^"']+)["'];`), (_, name, to) => `const ${name} = ${needed(to)};`)
    .replace(re(`import (\\w+) from ["'](\\.[^"']+)["'];`), (_, name, to) => `const { default: ${name} } = ${needed(to)};`)
    .replace(re(`import ["'](\\.[^"']+)["'];`), (_, to) => { needed(to); return ''; })
    .replace(re(`export\\s*\\{([^}]*)\\}\\s*from\\s*["'](\\.[^"']+)["'];?`), (whole, list, to) => {
      for (const [from, as] of pairs(list)) out(as, `${needed(to)}.${from}`);
      return lines(whole);
    })
    .replace(re(`export\\s*\\{([^}]*)\\};?`), (whole, list) => {
      for (const [from, as] of pairs(list)) out(as, from);
      return lines(whole);
    })
    .replace(re(`export default function(?=\\s*\\()`), () => { out('default', 'defaultExport'); return 'const defaultExport = function'; })
    .replace(re(`export (?=(?:async function|function|class|const) (\\w+))`), (_, name) => { out(name); return ''; });
  const left = /^(?:import\b\s*[\w{*"']|export\b).*/m.exec(body);
  if (left) throw new Error(`${path} has a statement that bundle.mjs does not know: "${left[0].trim()}". It knows named, whole and default imports, and exports of functions, classes, constants and lists.`);
  for (const m of body.matchAll(ON_DEMAND)) later.add(at(m[2]));
  return { needs: [...needs], later: [...later], body, names, values };
}

/** What `start` needs, itself last: the order in which modules run. @param {Map<string, Parsed>} all @param {string} start */
export function closure(all, start) {
  const done = new Set(), open = /** @type {string[]} */ ([]);
  const visit = (/** @type {string} */ path) => {
    if (done.has(path)) return;
    if (open.includes(path)) throw new Error(`modules import each other in a circle: ${[...open.slice(open.indexOf(path)), path].join(' → ')}`);
    const module = all.get(path);
    if (!module) throw new Error(`${path} is imported by ${open.at(-1) ?? 'the page'}, but there is no such file`);
    open.push(path);
    module.needs.forEach(visit);
    open.pop();
    done.add(path);
  };
  visit(start);
  return [...done];
}

/** Distributes the modules over files. @param {Map<string, Parsed>} all @param {string} start @returns {Chunks} */
export function distribute(all, start) {
  const first = closure(all, start);
  /** @type {Map<string, string[]>} */
  const demanded = new Map();
  const demand = (/** @type {string[]} */ paths) => {
    for (const path of paths.flatMap((p) => all.get(p)?.later ?? [])) {
      if (demanded.has(path)) continue;
      demanded.set(path, closure(all, path).filter((p) => !first.includes(p)));
      demand(/** @type {string[]} */ (demanded.get(path)));
    }
  };
  demand(first);
  const drawing = all.has('charts/plot.js') ? closure(all, 'charts/plot.js') : [];
  const users = (/** @type {string} */ path) => [...demanded.values()].filter((list) => list.includes(path)).length;
  const draws = (/** @type {string} */ path) => drawing.includes(path) || closure(all, path).includes('charts/plot.js');
  const later = [...new Set([...demanded.values()].flat())];
  const shared = later.filter((p) => users(p) > 1 || drawing.includes(p));
  /** @type {Chunks} */
  const chunks = new Map([[start, first], ['parts.js', shared.filter((p) => !draws(p))], ['pictures.js', shared.filter(draws)]]);
  for (const [path, list] of [...demanded].sort(([a], [b]) => (a < b ? -1 : 1))) chunks.set(path, list.filter((p) => !shared.includes(p)));
  for (const [chunk, list] of chunks) if (list.length === 0 && !all.has(chunk)) chunks.delete(chunk);
  return chunks;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** A number as a source map has it: base 64, five bits a digit, least first. @param {number} value */
function digits(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1, text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/** A source map of whole lines. @param {string} file @param {(readonly [source: number, line: number]|null)[]} origins one for each line
 * @param {string[]} sources @param {string[]} texts */
function sourceMap(file, origins, sources, texts) {
  let [source, line] = [0, 0];
  const mappings = origins.map((from) => {
    if (!from) return '';
    const segment = `A${digits(from[0] - source)}${digits(from[1] - line)}A`;
    [source, line] = from;
    return segment;
  });
  return `${JSON.stringify({ version: 3, file, sourceRoot: '/web/', sources, sourcesContent: texts, names: [], mappings: mappings.join(';') })}\n`;
}

/** One file and its source map. @param {string} chunk @param {Chunks} chunks @param {Map<string, Parsed>} all @param {Map<string, string>} files */
function written(chunk, chunks, all, files) {
  const own = /** @type {string[]} */ (chunks.get(chunk));
  const from = (/** @type {string} */ to) => { const way = relative(dirname(chunk), to); return way.startsWith('.') ? way : `./${way}`; };
  /** @type {Map<string, Set<string>>} */
  const imported = new Map();
  for (const path of [...own.flatMap((p) => all.get(p)?.needs ?? []), ...(all.has(chunk) ? [chunk] : [])]) {
    if (own.includes(path)) continue;
    const holder = [...chunks].find(([, list]) => list.includes(path))?.[0];
    if (!holder) throw new Error(`no file has ${path}, which ${chunk} needs`);
    imported.set(holder, (imported.get(holder) ?? new Set()).add(VARIABLE(path)));
  }
  /** @type {string[]} */
  const text = [];
  /** @type {(readonly [number, number]|null)[]} */
  const origins = [];
  const add = (/** @type {string} */ line, /** @type {readonly [number, number]|null} */ origin = null) => { text.push(line); origins.push(origin); };
  for (const [holder, names] of [...imported].sort(([a], [b]) => (a < b ? -1 : 1))) add(`import { ${[...names].sort().join(', ')} } from '${from(holder)}';`);
  const sources = own.filter((p) => !p.startsWith('vendor/'));
  for (const path of own) {
    const { body, values } = /** @type {Parsed} */ (all.get(path));
    if (body.includes('import.meta') && dirname(path) !== dirname(chunk)) throw new Error(`${path} uses import.meta, but is served in ${chunk}, which is in another folder`);
    add(path.startsWith('vendor/') ? `// ${path}` : `// web/${path}`);
    add(`const ${VARIABLE(path)} = (() => {`);
    const moved = body.replace(ON_DEMAND, (_, quote, to) => `import(${quote}${from(join(dirname(path), to))}${quote})`);
    moved.replace(/\n$/, '').split('\n').forEach((line, i) => add(line, path.startsWith('vendor/') ? null : [sources.indexOf(path), i]));
    add(`return { ${values.join(', ')} };`);
    add('})();');
  }
  if (own.length > 0) add(`export { ${own.map(VARIABLE).join(', ')} };`);
  const demanded = all.get(chunk);
  if (demanded && demanded.names.length > 0) add(`export const { ${demanded.names.join(', ')} } = ${VARIABLE(chunk)};`);
  const map = `${chunk}.map.json`;
  add(`//# sourceMappingURL=${relative(dirname(chunk), map)}`);
  return new Map([[chunk, `${text.join('\n')}\n`], [map, sourceMap(relative(dirname(chunk), chunk), origins, sources, sources.map((p) => /** @type {string} */ (files.get(p))))]]);
}

/** The files to serve, with their source maps. `starts`: modules that the page starts, each in a realm of its own.
 * @param {Map<string, string>} files path → text of each module @param {string[]} starts
 * @returns {{ served: Map<string, string>, chunks: Chunks, needs: (chunk: string) => string[] }} `needs`: the other files
 *   that a file imports at once, all of them */
export function bundle(files, starts) {
  const all = new Map([...files].map(([path, text]) => [path, parse(path, text)]));
  const parts = starts.map((start) => distribute(all, start)), chunks = new Map(parts.flatMap((p) => [...p]));
  const served = new Map(parts.flatMap((p) => [...p.keys()].flatMap((chunk) => [...written(chunk, p, all, files)])));
  const needs = (/** @type {string} */ chunk) => {
    const seen = new Set();
    const visit = (/** @type {string} */ at) => {
      for (const [, to] of /** @type {string} */ (served.get(at)).matchAll(/^import \{.*\} from '(\.[^']+)';$/gm)) {
        const path = join(dirname(at), to);
        if (!seen.has(path)) { seen.add(path); visit(path); }
      }
    };
    visit(chunk);
    return [...seen];
  };
  return { served, chunks, needs };
}
