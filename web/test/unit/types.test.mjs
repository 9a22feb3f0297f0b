// types.d.ts mirrors the OpenAPI document: what a page takes for there is there, of that kind, and null where that may be.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const types = readFileSync(new URL('../../types.d.ts', import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
const { components: { schemas } } = JSON.parse(readFileSync(join(process.env.VIVACE_BUILD ?? 'build', 'gen/api/openapi.json'), 'utf8'));

/** Interfaces whose schema has another name in the document, or none: there it means something else. */
const NAMED = { Attempt: '', Workload: 'WorkloadRow', WorkloadDetail: 'Workload', ProfileBrief: 'ProfileRow', SweepItem: 'Evaluation', ProblemDocument: 'Problem' };

/** Pieces between separators that stand in no bracket. @param {string} text @param {string} by */
function split(text, by) {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if ('{[(<'.includes(c)) depth += 1;
    if ('}])>'.includes(c)) depth -= 1;
    if (c === by && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.map((p) => p.trim()).filter(Boolean);
}
/** Members of an interface, those that it extends with them: name → type. @param {string} name @returns {Map<string, string>} */
function members(name) {
  const found = new RegExp(`export interface ${name}(?:<T>)?(?: extends ([^{]+))? \\{([\\s\\S]*?)\\n?\\}\\n`).exec(types);
  if (!found) return new Map();
  return new Map([...split(found[1] ?? '', ',').flatMap((base) => [...members(base.replace(/<.*/, ''))]), ...split(found[2], ';').map((m) => /** @type {[string, string]} */ ([/^\w+/.exec(m)[0], m.replace(/^\w+\??:\s*/, '')]))]);
}
const ALIASES = Object.fromEntries([...types.matchAll(/^export type (\w+) = ([^;]+);/gm)].map(([, name, what]) => [name, what]));

/** Kinds of JSON that a type allows. @param {string} type @returns {Set<string>} */
const kindsOf = (type) => new Set(split(type, '|').flatMap((t) => {
  if (ALIASES[t]) return [...kindsOf(ALIASES[t])];
  if (t === 'any') return ['any'];
  if (t.endsWith('[]') || t.startsWith('[')) return ['array'];
  if (/^'|^string$|^keyof /.test(t)) return ['string'];
  if (/^[A-Z{]/.test(t)) return ['object'];
  return [t];
}));
/** The same of a schema. @param {any} s @returns {Set<string>} */
function kindsIn(s) {
  if (s.$ref) return kindsIn(schemas[s.$ref.split('/').at(-1)]);
  if (s.oneOf ?? s.anyOf) return new Set((s.oneOf ?? s.anyOf).flatMap((x) => [...kindsIn(x)]));
  if (s.enum && !s.type) return new Set(s.enum.map((v) => (v === null ? 'null' : typeof v)));
  return new Set([s.type ?? 'any'].flat().map((t) => (t === 'integer' ? 'number' : t)));
}
/** All properties, also those that `allOf` adds. @param {any} s @returns {Record<string, any>} */
const propertiesOf = (s) => (s.$ref ? propertiesOf(schemas[s.$ref.split('/').at(-1)]) : Object.assign({}, ...(s.allOf ?? []).map(propertiesOf), s.properties));

test('each interface that has a schema says what that says', () => {
  const names = [...types.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name), wrong = [];
  let compared = 0;
  for (const name of names) {
    const schema = schemas[NAMED[name] ?? name];
    if (!schema) continue;
    const has = propertiesOf(schema);
    for (const [member, type] of members(name)) {
      compared += 1;
      if (!has[member]) {
        wrong.push(`${name}.${member} is not in the document`);
        continue;
      }
      const [mine, theirs] = [kindsOf(type), kindsIn(has[member])];
      if (mine.has('any') || theirs.has('any')) continue;
      const missing = [...theirs].filter((k) => !mine.has(k)), extra = [...mine].filter((k) => !theirs.has(k));
      if (missing.length + extra.length) wrong.push(`${name}.${member}: ${type}, but the document says ${[...theirs].join(' or ')}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(compared > 150, `${compared} members were compared`);
});
