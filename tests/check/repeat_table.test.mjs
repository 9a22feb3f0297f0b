// Tests of the table of repeated runs, and of the choice of the next run.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { median, plan, table } from './repeat_table.mjs';

const run = (file, condition, seconds, failing = [], more = {}) =>
  ({ file, condition, commit: '0123456789abcdef', seconds, ok: !failing.length, failing, ...(failing.length && { log: `build/repeat/${file}.log` }), ...more });

test('median', () => assert.deepEqual([median([]), median([3]), median([9, 1, 2]), median([4, 1, 2, 3])], [null, 3, 2, 2.5]));

test('the table', () => {
  const records = [
    run('b.test.mjs', 'quiet', 1), run('b.test.mjs', 'quiet', 2), run('b.test.mjs', 'quiet', 600, ['b.test.mjs: waits']),
    run('b.test.mjs', 'slow', 7, ['b.test.mjs: waits', 'b.test.mjs: counts']), run('b.test.mjs', 'slow', 8, ['b.test.mjs: waits'], { changed: true }),
    run('a.test.mjs', 'quiet', 0.25, [], { left: ['postgres'] }),
  ];
  assert.equal(table(records, 'API tests'), `API tests, commit 0123456789, 1 runs with uncommitted changes

                            quiet                   slow
file        runs  failed median s  runs  failed median s
a.test.mjs     1       0      0.3     0       0         
b.test.mjs     3       1      1.5     2       2      7.5
all            4       1              2       2

failed:
  2 of 2, slow: b.test.mjs: waits
      build/repeat/b.test.mjs.log
      build/repeat/b.test.mjs.log
  1 of 2, slow: b.test.mjs: counts
      build/repeat/b.test.mjs.log
  1 of 3, quiet: b.test.mjs: waits
      build/repeat/b.test.mjs.log

processes that a test left running:
  1 of a.test.mjs: postgres
`);
  assert.equal(table([], 'API tests'), 'API tests: no runs recorded\n');
});

test('the missing runs: balanced rounds, the longest file first', () => {
  const records = [run('short', 'quiet', 1), run('long', 'quiet', 9), run('short', 'load', 1)];
  assert.deepEqual(plan({ files: ['new', 'short', 'long'], conditions: ['quiet', 'load'], repeat: 2, records }), [
    { condition: 'quiet', files: ['new'] },
    { condition: 'load', files: ['long', 'new'] },
    { condition: 'quiet', files: ['long', 'short', 'new'] },
    { condition: 'load', files: ['long', 'short', 'new'] },
  ]);
  assert.deepEqual(plan({ files: ['short'], conditions: ['quiet'], repeat: 1, records }), []);
});
