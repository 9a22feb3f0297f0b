// The pure parts of the pictures over time: windows, orders of rows, the scale of amounts, .npy.
import test from 'node:test';
import assert from 'node:assert/strict';
import { closer, columnsOf, inside, moved, windowText } from '../../charts/time_window.js';
import { hiddenOf, highest, onlyLines, withTurned } from '../../charts/hidden.js';
import { pinched } from '../../charts/pinch.js';
import { rowOrder } from '../../charts/row_order.js';
import { AMOUNT, amountIndex, amountPixels } from '../../charts/amount.js';
import { npy } from '../../npy.js';

const whole = { from: 0, to: 1000 };

test('a window stays inside the range, and keeps the moment under the pointer', () => {
  assert.deepEqual(inside({ from: -50, to: 150 }, whole, 10), { from: 0, to: 200 });
  assert.deepEqual(inside({ from: 900, to: 1100 }, whole, 10), { from: 800, to: 1000 });
  assert.deepEqual(inside({ from: 500, to: 501 }, whole, 10), { from: 500, to: 540 }, 'no narrower than four columns');
  assert.deepEqual(inside({ from: -9, to: 5000 }, whole, 10), whole);
  const w = closer({ from: 100, to: 500 }, 200, 2);
  assert.deepEqual(w, { from: 150, to: 350 });
  assert.equal((200 - w.from) / (w.to - w.from), (200 - 100) / 400);
  assert.deepEqual(moved(w, 50), { from: 200, to: 400 });
  assert.deepEqual(columnsOf({ from: 150, to: 310 }, { from: 0, columns: 10, column: 100 }), [1, 4]);
  assert.deepEqual(columnsOf({ from: 990, to: 1000 }, { from: 0, columns: 10, column: 100 }), [9, 10]);
});

test('the moments under two fingers stay under them', () => {
  assert.deepEqual(pinched([200, 400], [100, 300], 500), { from: 100, to: 600 });
  assert.deepEqual(pinched([200, 400], [50, 450], 500), { from: 175, to: 425 }, 'apart: closer');
  assert.deepEqual(pinched([400, 200], [450, 50], 500), { from: 175, to: 425 }, 'for both orders of the fingers');
  for (const xs of [[100, 104], [300, 100]]) assert.equal(pinched([200, 400], xs, 500), null);
});

/** A matrix whose mean values are given. */
const matrix = (rows) => ({ lines: rows.length, columns: rows[0].length, values: Float32Array.from(rows.flatMap((r) => r.flatMap((v) => [v, v, v]))) });

test('rows are sorted by number, by mean, or grouped by similarity', () => {
  const early = [9, 9, 0, 0], late = [0, 0, 8, 8];
  const m = matrix([early, late, [9, 8, 0, 0], [0, 0, 8, 9], [9, 9, 0, 1]]);
  assert.deepEqual(rowOrder(m, 'id'), [0, 1, 2, 3, 4]);
  assert.deepEqual(rowOrder(m, 'mean').slice(0, 1), [4], 'the busiest on top');
  const order = rowOrder(m, 'similarity'), place = (i) => order.indexOf(i);
  assert.ok(Math.max(place(0), place(2), place(4)) - Math.min(place(0), place(2), place(4)) === 2, `alike rows are neighbours: ${order}`);
  assert.deepEqual(rowOrder(m, 'similarity'), order, 'and the order is the same every time');
  assert.deepEqual(rowOrder(matrix([[NaN, NaN], [1, NaN]]), 'mean'), [1, 0]);
  assert.deepEqual(rowOrder(matrix([[1, 1], [1, 1]]), 'similarity'), [0, 1], 'equal rows are sorted by number');
});

test('amounts are shown from dark to bright, evenly', () => {
  const light = (p) => 0.2126 * (p & 255) + 0.7152 * (p >> 8 & 255) + 0.0722 * (p >> 16 & 255);
  for (let i = 16; i < 256; i += 16) assert.ok(light(amountPixels[i]) > light(amountPixels[i - 16]), `step ${i}`);
  assert.equal((amountPixels[0] & 0xffffff).toString(16), AMOUNT[0].slice(1).match(/../g).reverse().join('').replace(/^0+/, ''));
  assert.deepEqual([amountIndex(0, 2), amountIndex(1, 2), amountIndex(9, 2), amountIndex(-1, 2)], [0, 128, 255, 0]);
});

test('.npy is read in the format that we write, and refused in others', () => {
  const file = (descr, values, cut = 0) => {
    const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (1, ${values.length / 3}, 3), }`.padEnd(117) + '\n';
    const bytes = Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([118, 0]), Buffer.from(header), Buffer.from(Float32Array.from(values).buffer)]);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - cut);
  };
  const { shape, values } = npy(file('<f4', [1, 2.5, 4]));
  assert.deepEqual([shape, [...values]], [[1, 1, 3], [1, 2.5, 4]]);
  assert.throws(() => npy(file('<f8', [1, 2, 3])), /other numbers/);
  assert.throws(() => npy(file('<f4', [1, 2, 3], 1)), /too early/);
  assert.throws(() => npy(new TextEncoder().encode('not a matrix at all').buffer), /no .npy/);
});

test('hidden lines: in the address, not in the series; the axis ends at the highest sum of the others', () => {
  const once = withTurned('', 'warp-states:empty'), both = withTurned(once, 'active-lanes:29 to 32 lanes');
  assert.deepEqual([...hiddenOf(both)], ['warp-states:empty', 'active-lanes:29 to 32 lanes']);
  assert.equal(withTurned(both, 'warp-states:empty'), 'active-lanes:29 to 32 lanes');
  assert.equal(withTurned(once, 'warp-states:empty'), '');
  assert.equal(hiddenOf('').size, 0);
  const s = { ...matrix([[0.02, 0.03], [0.01, NaN], [0.97, 0.97]]), labels: ['issued', 'memory', 'empty'] };
  assert.equal(onlyLines(s, [0, 1, 2]), s, 'no copy where nothing is hidden');
  const shown = onlyLines(s, [0, 2]);
  assert.deepEqual([shown.lines, shown.labels, [...shown.values].filter((_, i) => i % 3 === 1)], [2, ['issued', 'empty'], [0.02, 0.03, 0.97, 0.97].map(Math.fround)]);
  assert.ok(Math.abs(highest(s) - 1) < 1e-6);
  assert.ok(Math.abs(highest(onlyLines(s, [0, 1])) - 0.03) < 1e-6, 'a line without a value adds nothing');
  assert.equal(highest(onlyLines(s, [])), 1);
});

test('a window that covers a part is written to the address', () => {
  assert.equal(windowText({ from: 0, to: 1000 }, whole, String), '');
  assert.equal(windowText({ from: 100.7, to: 250.2 }, whole, String), 'cycles 100 to 251');
  assert.equal(windowText({ from: 100, to: 1000 }, whole, String), 'cycles 100 to 1000');
});
