// The mock server of the browser tests answers as the description of the API says, also where it has no invented data.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMock } from '../mock.mjs';
import { answersOf, empty, filled, shaped } from '../mock_shapes.mjs';

const { paths } = JSON.parse(readFileSync(join(process.env.VIVACE_BUILD ?? 'build', 'gen/api/openapi.json'), 'utf8'));
const IDS = { workload: 'w1', profile: 'f1', plan: 'p1', run: 'r1', job: 'j1', result: 'x1', worker: 'k1', import: 'ready', team: 'arch-lab', pilot: 'g1' };
const NEEDED = { search: 'q=a', sweep: 'method=vivace,sieve&errors=0.01,0.05&confidence=0.95', 'trace-commands': 'for=accel-sim&format=json&context=0', compare: 'base=r1:h100&with=r1:h200-l2x2&resolve=0.01', convergence: 'design=h100', domains: 'by=class', strata: 'design=h100' };

let mock;
before(async () => { mock = await startMock('.'); });
after(() => mock.close());

test('each GET is answered as described', async () => {
  const wrong = [];
  let asked = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    if (!path.startsWith('/api/v1/') || !get?.responses[200]?.content?.['application/json'] || /upload|openapi/.test(path)) continue;
    for (const mode of ['full', 'empty']) {
      mock.mode = mode;
      const at = path.replace(/\{(\w+)\}/g, (_, name) => IDS[name] ?? 'one');
      const answer = await fetch(`${mock.url}${at}?${NEEDED[path.split('/').at(-1)] ?? ''}`), text = await answer.text();
      asked += 1;
      if (answer.status >= 500) wrong.push(`${mode} ${path}: ${text.slice(0, 300)}`);
    }
  }
  mock.mode = 'full';
  const list = await fetch(`${mock.url}/api/v1/plans/p1/trace-commands?for=list&format=json&context=0`);
  assert.equal(list.status, 200, 'the second of two shapes');
  assert.deepEqual(wrong, []);
  assert.ok(asked > 100, `${asked} were asked`);
});

test('each change is answered as described', async () => {
  const wrong = [];
  for (const [path, item] of Object.entries(paths)) {
    const described = item.post && Object.entries(item.post.responses).some(([s, r]) => s.startsWith('2') && r.content?.['application/json']);
    if (!described || !/^\/api\/v1\/(plans|runs|jobs|profiles|results|shares)/.test(path)) continue;
    mock.reset();
    const at = path.replace(/\{(\w+)\}/g, (_, name) => IDS[name] ?? '1'), body = path.endsWith('/pilots') ? { design: 'a100', plan: { method: 'vivace' } } : {};
    const answer = await fetch(`${mock.url}${at}?name=a.csv&context=0`, { method: 'POST', headers: { 'X-Vivace-Request': '1' }, body: JSON.stringify(body) }), text = await answer.text();
    if (answer.status >= 500) wrong.push(`${path}: ${text.slice(0, 300)}`);
  }
  assert.deepEqual(wrong, []);
});

test('a missing member is filled in; one of the wrong type is refused', () => {
  const [run] = Object.values(answersOf('GET', '/runs/r1')), [runs] = Object.values(answersOf('GET', '/runs'));
  assert.deepEqual(empty(runs), { items: [], next: null });
  assert.deepEqual([filled(run, { id: 'r1' }).counts, filled(run, { id: 'r1' }).finished_at], [{ blocked: 0, ready: 0, leased: 0, done: 0, failed: 0, cancelled: 0 }, null]);
  assert.throws(() => shaped(run, { id: 1 }), /id: 1 is not string/);
  assert.throws(() => shaped(run, { id: 'r1', state: 'asleep' }), /asleep/);
  assert.deepEqual(answersOf('GET', '/nothing'), {});
});
