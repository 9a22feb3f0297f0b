// The generator that makes C of server/store/repo/sql/*.sql: the expansion of fragments, and the faults that it refuses.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readStatements, statementsOf } from '../../server/store/repo/sql/generate.mjs';
import { root } from './harness.mjs';

const made = (...texts) => statementsOf(texts.map((text, i) => ({ file: `f${i}.sql`, text })));
const one = (...texts) => made(...texts).at(-1).sql;

test('a statement is one line, without comments; text in quotes stays as it is', () => {
  assert.deepEqual(made("-- about the file\n\n-- name: a_find\n-- Finds it.\nSELECT id,\n    'two  spaces -- and ''more'''\n  FROM \"a  b\";\n"),
    [{ name: 'a_find', sql: "SELECT id, 'two  spaces -- and ''more''' FROM \"a  b\"" }]);
});

test('fragments are filled in, also inside each other and as arguments', () => {
  assert.equal(one('-- fragment: t\njob\n-- fragment: of(table; more)\n(SELECT FROM {{table}} {{more}})\n-- name: x\nSELECT {{of({{t}}; WHERE id = $1)}};'),
    'SELECT (SELECT FROM job WHERE id = $1)');
  assert.equal(one("-- fragment: any(s)\nsum({{s}})\n-- fragment: state(s)\nstate = '{{s}}' AND {{any({{s}})}}\n-- name: x\nSELECT {{state(done)}};"),
    "SELECT state = 'done' AND sum(done)");
});

test('a fragment belongs to its file unless it is shared', () => {
  const text = '-- name: y\nSELECT {{t}};';
  assert.equal(one('-- shared fragment: t\n1\n', text), 'SELECT 1');
  assert.throws(() => made('-- fragment: t\n1\n-- name: x\nSELECT {{t}};', text), /f1\.sql:1: there is no fragment t/);
});

test('faults name the file and the line', () => {
  for (const [text, why] of [
    ['SELECT 1;', /f0\.sql:1: text before the first header/],
    ['-- name: x\nSELECT 1', /f0\.sql:1: x does not end with ";"/],
    ['-- name: X-1\nSELECT 1;', /f0\.sql:1: not a header/],
    ['-- name: x\nSELECT 1;\n-- name: x\nSELECT 2;', /f0\.sql:3: x is defined twice/],
    ['-- name: x\nSELECT 1; -- why\n;', /f0\.sql:1: a comment inside a line of x/],
    ['-- name: x\nSELECT {{t;', /f0\.sql:1: "{{" without "}}"/],
    ['-- fragment: t(a)\n{{a}}\n-- name: x\nSELECT {{t}};', /f0\.sql:3: t takes 1 arguments, not 0/],
    ['-- fragment: t\n{{t}}\n-- name: x\nSELECT {{t}};', /f0\.sql:1: t contains itself/],
    ['-- fragment: t\n1\n-- name: x\nSELECT 1;', /f0\.sql:1: nothing uses t/],
  ]) assert.throws(() => made(text), why, text);
});

test('the names of all statements differ, and each has text', () => {
  const all = readStatements(join(root, 'server/store/repo/sql'));
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  for (const { name, sql } of all) assert.ok(sql.length > 0 && !sql.includes('{{'), name);
});
