// The parser of the event stream: the result does not depend on how the bytes are split.
import test from 'node:test';
import assert from 'node:assert/strict';
import { backoff, sseParser } from '../../sse.js';

const TEXT = ': hello\n\nid: 88121\nevent: run.progress\ndata: {"run":"142",\ndata:  "done":78}\n\ndata: second\r\n\r\n: keep-alive\n\nid: 88122\nevent: reset\ndata\n\nevent: lost\n\n';
const EXPECTED = [
  { id: '88121', event: 'run.progress', data: '{"run":"142",\n "done":78}' },
  { id: '88121', event: 'message', data: 'second' },
  { id: '88122', event: 'reset', data: '' },
];

test('messages are the same for every split of the input', () => {
  for (let size = 1; size <= TEXT.length; size += 1) {
    const got = [];
    const feed = sseParser((m) => got.push(m));
    for (let i = 0; i < TEXT.length; i += size) feed(TEXT.slice(i, i + size));
    assert.deepEqual(got, EXPECTED, `pieces of ${size}`);
  }
});

test('an unfinished message is not returned', () => {
  const got = [];
  sseParser((m) => got.push(m))('data: half\n');
  assert.deepEqual(got, []);
});

test('the waiting time grows to at most 15 s', () => {
  assert.equal(backoff(0, 0.5), 500);
  assert.equal(backoff(3, 0.5), 4000);
  assert.equal(backoff(50, 0.5), 15000);
  assert.ok(backoff(1, 0) < backoff(1, 1));
});
