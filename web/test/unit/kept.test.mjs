// Pages must show frozen documents of shared links that are older than a member of the API.
import test from 'node:test';
import assert from 'node:assert/strict';
import { leastText, relativeHalf, seedText } from '../../views/kept.js';

test('the relative half-width is the server’s, or computed if the document has none', () => {
  assert.equal(relativeHalf({ relative_half_width: 0.02, half_width_s: 9, value_s: 10 }), 0.02);
  assert.equal(relativeHalf({ relative_half_width: null, half_width_s: 9, value_s: 10 }), null);
  assert.equal(relativeHalf({ half_width_s: 1, value_s: 4 }), 0.25);
  assert.equal(relativeHalf({ half_width_s: null, value_s: null, half_width: 3, value: 6 }), 0.5);
  for (const p of [null, undefined, {}, { half_width_s: null, value_s: 4 }, { half_width_s: 1, value_s: 0 }]) assert.equal(relativeHalf(p), null);
});

test('members that an older document lacks are not shown', () => {
  assert.deepEqual([seedText({ seed: 0 }), seedText({})], [', seed 0', '']);
  assert.deepEqual([{ settled: false }, { settled: true }, {}].map(leastText), ['at least ', '', '']);
});
