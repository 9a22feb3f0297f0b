// What charts work out before they draw.
import test from 'node:test';
import assert from 'node:assert/strict';
import { csvText } from '../../charts/csv.js';
import { logTicks } from '../../charts/ticks.js';
import { sorted } from '../../ui/sort.js';

test('CSV is RFC 4180: quotes, commas, line ends; unknown is empty', () => {
  assert.equal(csvText([['kernel', 'mean_ns'], ['a<int, 2>', 1.5], ['say "hi"\nthere', null], ['=1+1', NaN]]),
    'kernel,mean_ns\r\n"a<int, 2>",1.5\r\n"say ""hi""\nthere",\r\n=1+1,\r\n');
});

test('marks of a log axis: powers, else ones twos fives, else even steps', () => {
  assert.deepEqual(logTicks(0.5, 2000), [1, 10, 100, 1000]);
  assert.deepEqual(logTicks(10, 400), [10, 20, 50, 100, 200]);
  assert.deepEqual(logTicks(72, 138), [80, 100, 120]);
  assert.deepEqual(logTicks(0.001, 10), [0.001, 0.01, 0.1, 1, 10]);
  for (const [low, high] of [[1.001, 1.002], [99, 101], [0.3, 0.9], [5, 5e6]]) {
    const ticks = logTicks(low, high);
    assert.ok(ticks.length >= 3 && ticks.length <= 12 && ticks.every((t) => t >= low && t <= high), `${low} to ${high}: ${ticks}`);
  }
});

test('tables sort by value, keep equal rows in order, and put the unknown last both ways', () => {
  const columns = [{ key: 'v', sort: (r) => r.v }, { key: 'plain' }];
  const rows = [{ n: 'a', v: 2 }, { n: 'b', v: null }, { n: 'c', v: 1 }, { n: 'd', v: 2 }];
  const names = (order) => sorted(rows, columns, order).map((r) => r.n).join('');
  assert.equal(names('v'), 'cadb');
  assert.equal(names('-v'), 'adcb');
  assert.equal(names('plain'), 'abcd');
  assert.equal(names('nothing'), 'abcd');
});
