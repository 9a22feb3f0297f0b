import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { CONCEPTS, conceptOf } from '../../help.js';

const source = readFileSync(new URL('../../views/help_texts.js', import.meta.url), 'utf8');
const explained = [...source.matchAll(/^ {2}(\w+): says\('/gm)].map((m) => m[1]);

test('each term has its text, and each text is used by a term', () => {
  assert.deepEqual([...new Set(Object.values(CONCEPTS))].sort(), [...explained].sort());
});
test('each text is three sentences', () => {
  const texts = [...source.matchAll(/says\('[^\n]*\[\n((?: {4}'.*',\n)+) {2}\]/g)].map((m) => m[1].trim().split('\n'));
  assert.equal(texts.length, explained.length);
  for (const t of texts) assert.equal(t.length, 3, t[0]);
});
test('labels are found by their first words, not by the words after them', () => {
  assert.equal(conceptOf('Projected time, v100'), 'projection');
  assert.equal(conceptOf('Against v100'), 'paired');
  assert.equal(conceptOf('Best: h100'), 'paired');
  assert.equal(conceptOf('What it would take to tell 1 % apart'), 'resolve');
  for (const other of ['Against', 'Againstness', 'toString', 'Workers', '']) assert.equal(conceptOf(other), other === 'Against' ? 'paired' : null, other);
});
