// Tests of what charts compute before they draw.
import test from 'node:test';
import assert from 'node:assert/strict';
import { BYTES_MAX, IDS_MAX, notSelected, SELECTED, selectionOf, selectionText } from '../../charts/select_text.js';
import { csvText } from '../../charts/csv.js';
import { gridOf, nearestAlong } from '../../charts/nearest.js';
import { axisMarks, evenTicks, heightMarks, logTicks, signed } from '../../charts/ticks.js';
import { fixedTo } from '../../ui/format.js';
import { clipped, viewOf, viewText } from '../../charts/view.js';
import { rowAt, topsOf } from '../../ui/shown.js';
import { sorted } from '../../ui/sort.js';

test('CSV is RFC 4180: quotes, commas, line ends; unknown is empty', () => {
  assert.equal(csvText([['kernel', 'mean_ns'], ['a<int, 2>', 1.5], ['say "hi"\nthere', null], ['=1+1', NaN]]),
    'kernel,mean_ns\r\n"a<int, 2>",1.5\r\n"say ""hi""\nthere",\r\n=1+1,\r\n');
});

test('marks of a log axis: powers, otherwise 1, 2, 5, otherwise even steps', () => {
  assert.deepEqual(logTicks(0.5, 2000), [1, 10, 100, 1000]);
  assert.deepEqual(logTicks(10, 400), [10, 20, 50, 100, 200]);
  assert.deepEqual(logTicks(72, 138), [80, 100, 120]);
  assert.deepEqual(logTicks(0.001, 10), [0.001, 0.01, 0.1, 1, 10]);
  for (const [low, high] of [[1.001, 1.002], [99, 101], [0.3, 0.9], [5, 5e6]]) {
    const ticks = logTicks(low, high);
    assert.ok(ticks.length >= 3 && ticks.length <= 12 && ticks.every((t) => t >= low && t <= high), `${low} to ${high}: ${ticks}`);
  }
});

test('marks of an even axis: 1, 2, 5; all with the digits of their step', () => {
  assert.deepEqual(evenTicks(0, 20.4, 5), [0, 5, 10, 15, 20]);
  assert.deepEqual(evenTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(evenTicks(-0.03, 0.11, 7), [-0.02, 0, 0.02, 0.04, 0.06, 0.08, 0.1]);
  const marks = evenTicks(1.74, 1.81, 7);
  assert.deepEqual(marks.map((v) => fixedTo(v, marks)), ['1.74', '1.75', '1.76', '1.77', '1.78', '1.79', '1.80', '1.81']);
  assert.deepEqual([15000, 20000].map((v) => fixedTo(v, [15000, 20000])), ['15\u202f000', '20\u202f000']);
});

test('every axis has at least three labels, which differ and do not overlap', () => {
  let state = 7;
  const random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
  const check = (low, high, of) => {
    const { marks, text } = axisMarks(low, high, of), labels = marks.map(text), what = `${low} to ${high} ${JSON.stringify(of)}: ${labels}`;
    assert.ok(marks.length >= 3, what);
    assert.equal(new Set(labels).size, labels.length, what);
    const at = (x) => of.room * (of.log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low));
    for (let i = 0; i < marks.length; i += 1) {
      assert.ok(marks[i] >= low - 1e-9 * Math.abs(low) && marks[i] <= high * (1 + Math.sign(high) * 1e-9), what);
      if (i > 0) assert.ok(at(marks[i]) - at(marks[i - 1]) >= (of.tall ? 14 : 5.5 * (labels[i].length + labels[i - 1].length) / 2), what);
    }
  };
  for (const room of [260, 520, 1200]) {
    for (let i = 0; i < 400; i += 1) {
      const low = 10 ** (random() * 9 - 3), narrow = 1 + 10 ** (random() * 5 - 4);
      check(low, low * narrow, { room });
      check(low, low * narrow, { room, log: true });
      check(-low, low * narrow, { room, text: signed });
      check(0, low, { room: 88, tall: true, most: 5 });
    }
    check(6, 9.8, { room, log: true }); // the range contains no power of ten, and only one number of the series 1, 2, 5
    check(1234567, 1234667, { room, end: 64 }); // cycles, zoomed: "1.23 M" was there six times
    check(3, 40, { room, whole: true });
  }
  assert.deepEqual(heightMarks(1, true, 150).map((m) => m.text), ['0 %', '20 %', '40 %', '60 %', '80 %', '100 %']);
});

test('rows of several lines: the row at a height, and the height of all', () => {
  const tops = topsOf([1, 3, 2, 1], (lines) => lines);
  assert.deepEqual([...tops], [0, 30, 91, 132, 162]);
  assert.deepEqual([0, 29, 30, 90, 91, 161, 999].map((y) => rowAt(tops, y)), [0, 0, 1, 1, 2, 3, 3]);
  assert.equal(rowAt(topsOf([], () => 1), 50), 0);
});

test('tables sort by value, keep equal rows in order, and put unknown values last in both directions', () => {
  const columns = [{ key: 'v', sort: (r) => r.v }, { key: 'plain' }];
  const rows = [{ n: 'a', v: 2 }, { n: 'b', v: null }, { n: 'c', v: 1 }, { n: 'd', v: 2 }];
  const names = (order) => sorted(rows, columns, order).map((r) => r.n).join('');
  assert.equal(names('v'), 'cadb');
  assert.equal(names('-v'), 'adcb');
  assert.equal(names('plain'), 'abcd');
  assert.equal(names('nothing'), 'abcd');
});

test('the nearest mark equals the result of a search through all of them', () => {
  let state = 1;
  const random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
  const points = Array.from({ length: 3000 }, () => ({ x: random() * 900, y: random() * 400 }));
  const nearest = gridOf(points);
  for (let i = 0; i < 300; i += 1) {
    const [x, y] = [random() * 1000 - 50, random() * 500 - 50];
    const far = points.map((p) => Math.hypot(p.x - x, p.y - y));
    const best = Math.min(...far);
    const found = nearest(x, y, 40);
    assert.equal(found < 0 ? null : far[found], best <= 40 ? best : null, `${x}, ${y}`);
  }
  assert.equal(gridOf([])(1, 1, 40), -1);
  assert.deepEqual([-5, 0, 4.9, 5.1, 99].map((at) => nearestAlong([0, 10, 20], at)), [0, 0, 0, 1, 2]);
  assert.equal(nearestAlong([], 3), -1);
});

test('a window is written to the address and read back; parts outside of the range are cut, invalid values ignored', () => {
  const view = { x: [0.123456789, 2], y: [-1, 1e6] };
  assert.equal(viewText(view), '0.123457,2,-1,1000000');
  assert.deepEqual(viewOf(viewText(view)), { x: [0.123457, 2], y: [-1, 1e6] });
  assert.deepEqual(viewOf('1,2'), { x: [1, 2] });
  for (const bad of ['', '1', '2,1', '1,2,3', 'a,b', '1,NaN', '1,2,4,3']) assert.equal(viewOf(bad), null, bad);
  assert.equal(viewText(null), '');
  assert.deepEqual(clipped({ x: [-5, 5] }, { x: [0, 10] }), { x: [0, 5] });
  assert.deepEqual(clipped({ x: [2, 5] }, { x: [0, 10], y: [1, 3] }), { x: [2, 5], y: [1, 3] });
  assert.equal(clipped({ x: [11, 12] }, { x: [0, 10] }), null);
  assert.equal(clipped(null, { x: [0, 10] }), null);
});

test('a selection is in the address as ids separated by commas, unless it is empty or too large', () => {
  for (const ids of [[], ['stratum:4'], ['stratum:4', 'kernel:17'], ['design:h100, run 12ab', 'design:a\\b,', 'method:x']]) {
    const text = selectionText(new Set(ids));
    assert.deepEqual([...selectionOf(text)], ids);
    assert.ok(SELECTED.test(text), text);
  }
  assert.equal(selectionText(new Set(['stratum:1', 'stratum:2'])), 'stratum:1,stratum:2');
  assert.deepEqual([...selectionOf('stratum:1,,nothing,:3,kernel:,kernel:2')], ['stratum:1', 'kernel:2']);
  for (const bad of ['nothing', 'stratum:1,', ',stratum:1', 'kernel:', '\\']) assert.ok(!SELECTED.test(bad), bad);
  const many = Array.from({ length: IDS_MAX + 1 }, (_, i) => `stratum:${i}`);
  assert.equal(selectionText(new Set(many)), '');
  assert.ok(!SELECTED.test(many.join()));
  // The server takes 8192 bytes of an address (server/platform/net/http_head.h), and one letter may take nine bytes.
  const names = (n) => new Set(Array.from({ length: n }, (_, i) => `workload:${i} ${'語'.repeat(40)}`));
  const bytesOf = (ids) => encodeURIComponent([...ids].join()).length;
  assert.ok(bytesOf(names(9)) < BYTES_MAX && bytesOf(names(20)) > 2 * BYTES_MAX - 1000);
  assert.deepEqual([...selectionOf(selectionText(names(9)))], [...names(9)]);
  assert.equal(selectionText(names(20)), '');
});

test('unknown objects in an address are reported once the data are loaded', () => {
  const page = { stratum: [0, 4], design: ['h100', 'run: 2'], kernel: undefined };
  assert.deepEqual(notSelected('', page), []);
  assert.deepEqual(notSelected('stratum:4,design:run: 2,kernel:9', page), []);
  assert.deepEqual(notSelected('stratum:4,stratum:999', page), ['The address selects “stratum:999”, which this page does not have; that is left out.']);
  assert.deepEqual(notSelected('nokind:1,constructor:2', page), ['The address selects “nokind:1”, “constructor:2”, which this page does not have; that is left out.']);
  assert.match(notSelected([1, 2, 3, 5, 6].map((id) => `stratum:${id}`).join(), page)[0], /“stratum:3” and 2 more, which/);
});
