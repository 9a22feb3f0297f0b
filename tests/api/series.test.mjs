// The series of a result: a worker simulates it again on request; it is read in windows.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { cycleRun, replayRun } from './work.mjs';

let farm, folder, results;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-series-'));
  farm = await startFarm({ workers: 1, args: ['--test-heartbeat', '1s', '--test-dead-after', '30s'] });
  const run = await cycleRun(farm, folder, 4);
  await farm.finished(run.id);
  results = (await farm.api('GET', `/runs/${run.id}/jobs?limit=10`)).items.map((j) => j.result);
});
after(async () => { await farm?.stop(); rmSync(folder, { recursive: true, force: true }); });

const get = (id) => farm.api('GET', `/results/${id}`);
const ask = (id) => farm.api('POST', `/results/${id}/series`);
const series = (id, query = '') => farm.api('GET', `/results/${id}/series${query}`);
const raw = async (id, query) => Buffer.from(await (await farm.request('GET', `/results/${id}/series${query}`)).arrayBuffer());
const ended = (id) => until('the recording', async () => ['done', 'failed'].includes((await get(id)).series?.state) && get(id));

/** Reads a file as numpy.load() does: header, then float32. */
function npy(bytes) {
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x93NUMPY\x01\x00');
  const length = bytes.readUInt16LE(8), header = bytes.subarray(10, 10 + length).toString();
  assert.equal((10 + length) % 64, 0);
  const shape = /'shape': \((\d+), (\d+), 3\)/.exec(header).slice(1, 3).map(Number);
  const n = shape[0] * shape[1] * 3;
  assert.equal(bytes.length, 10 + length + 4 * n);
  return { shape, at: (line, column, part) => bytes.readFloatLE(10 + length + 4 * ((line * shape[1] + column) * 3 + part)) };
}

test('a result explains its counters and its origin', async () => {
  const r = await get(results[0]);
  assert.equal(r.series, null);
  assert.ok(r.use.workload_name.length > 0 && r.use.launch >= 0);
  assert.ok(Math.abs(r.metrics.find((m) => m.name === 'ipc').value - r.warp_instructions / r.cycles) < 1e-12);
  assert.equal(r.seconds, r.cycles / r.clock_hz);
  for (const c of r.counters) assert.ok(c.sentence.length > 5 && !c.sentence.includes(']'), `${c.name}: ${c.sentence}`);
  assert.equal(r.counters.find((c) => c.name === 'cycles').value, r.cycles);
});

test('a worker records a result on request: the cycles are the same, and windows add up', { timeout: 300000 }, async () => {
  const id = results[0], before = await get(id);
  await assert.rejects(series(id), (e) => e.status === 404 && /no series/.test(e.message));
  assert.match((await ask(id)).state, /^(ready|leased)$/, 'a worker may have taken it already');
  const after = await ended(id);
  assert.equal(after.series.state, 'done', after.series.why ?? '');
  assert.deepEqual({ ...after, series: null }, before, 'nothing else of the result has changed');

  const list = await series(id);
  assert.equal(list.cycles, before.cycles);
  assert.ok(list.intervals <= 2048 && list.intervals * list.interval_cycles >= list.cycles);
  const ipc = await series(id, '?name=ipc'), [line] = ipc.lines;
  assert.equal(ipc.columns, list.intervals);
  const weight = (i) => Math.min(ipc.cycles_a_column, ipc.to - i * ipc.cycles_a_column);
  const total = line.mean.reduce((n, v, i) => n + v * weight(i), 0);
  assert.ok(Math.abs(total - before.warp_instructions) < 1e-6 * total, 'instructions a cycle, over all cycles, are the instructions');
  for (const name of ['warp_states', 'active_warp_states', 'active_lanes']) {
    const s = await series(id, `?name=${name}&columns=7`);
    for (let i = 0; i < s.columns; i++) {
      const values = s.lines.map((l) => l.mean[i]).filter((v) => v !== null);
      if (values.length) assert.ok(Math.abs(values.reduce((a, b) => a + b) - 1) < 1e-9, `${name}, column ${i}`);
    }
  }
  const sms = await series(id, '?name=sm_ipc&columns=1'), kind = list.series.find((s) => s.name === 'sm_ipc');
  assert.equal(sms.lines.length, kind.lines);
  assert.ok(Math.abs(sms.lines.reduce((n, l) => n + l.mean[0], 0) - before.warp_instructions / before.cycles) < 1e-9);
});

test('the same numbers as JSON, CSV and .npy; a window; a trace for Perfetto; the file itself', { timeout: 300000 }, async () => {
  const id = results[0], query = '?name=sm_ipc&columns=10&from=100&to=900';
  await ask(id);
  await ended(id);
  const json = await series(id, query), matrix = npy(await raw(id, `${query}&format=npy`));
  assert.ok(json.from <= 100 && json.to >= 900 && json.columns <= 10);
  assert.deepEqual(matrix.shape, [json.lines.length, json.columns]);
  const rows = (await raw(id, `${query}&format=csv`)).toString().trimEnd().split('\r\n');
  assert.equal(rows[0], 'line,from_cycle,to_cycle,min (instructions a cycle),mean,max');
  assert.equal(rows.length, 1 + json.lines.length * json.columns);
  json.lines.forEach((l, n) => [l.min, l.mean, l.max].forEach((values, part) => values.forEach((v, i) => {
    const text = rows[1 + n * json.columns + i].split(',');
    assert.equal(matrix.at(n, i, part), Math.fround(v));
    assert.deepEqual([text[0], Number(text[1]), Number(text[3 + part])], [l.label, json.from + i * json.cycles_a_column, v]);
  })));
  const trace = JSON.parse((await raw(id, '?format=chrome')).toString());
  assert.ok(trace.traceEvents.some((e) => e.ph === 'X' && e.args.cycles > 0) && trace.traceEvents.every((e) => e.name && e.ph));
  const file = join(folder, 'one.vrec');
  writeFileSync(file, await raw(id, '?format=recording'));
  assert.match(execFileSync(program('vivace'), ['record', 'show', file]).toString(), /ipc +\d/);
});

test('the command line shows the same', { timeout: 300000 }, async () => {
  const vivace = (...args) => execFileSync(program('vivace'), ['result', ...args], { env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } }).toString();
  const id = results[3], shown = JSON.parse(vivace('show', id, '--json'));
  assert.deepEqual(shown, await get(id));
  assert.match(vivace('show', id), /cycles .*SM clocks from launch to end/);
  assert.match(vivace('series', id, '--record', '--quiet'), /sm_ipc +sm +80 /);
  assert.equal(vivace('series', id, '--name', 'sm_ipc', '--columns', '5', '--csv'), (await raw(id, '?name=sm_ipc&columns=5&format=csv')).toString());
  const file = join(folder, 'sm_ipc.npy');
  vivace('series', id, '--name', 'sm_ipc', '--format', 'npy', '--out', file);
  assert.equal(Buffer.compare(readFileSync(file), await raw(id, '?name=sm_ipc&format=npy')), 0);
});

test('an invalid request gets a message that names the fault', async () => {
  const id = results[0];
  await ask(id);
  await ended(id);
  for (const [query, what] of [['?name=temperature', /no series/], ['?name=ipc&from=9&to=3', /after `from`/], ['?name=ipc&columns=0', /columns/],
    ['?name=ipc&format=xml', /format/], ['?format=csv', /format/]])
    await assert.rejects(series(id, query), (e) => e.status >= 400 && e.status < 500 && what.test(e.message), query);
  await assert.rejects(ask('01234567-89ab-7cde-8f01-23456789abcd'), (e) => e.status === 404);
  const run = await replayRun(farm, 77);
  await farm.finished(run.id);
  const replayed = (await farm.api('GET', `/runs/${run.id}/jobs?limit=1`)).items[0].result;
  await assert.rejects(ask(replayed), (e) => e.status === 409 && /replayed/.test(e.message));
});

test('a worker’s recording must be of this result; a lost worker is replaced', { timeout: 300000 }, async () => {
  const bytes = (await raw(results[0], '?format=recording')), id = results[1], vanishing = results[2];
  farm.workers[0].kill();
  await farm.workers[0].ended;
  const w = await new ScriptedWorker(farm).openAlive();
  await ask(id);
  const wanted = () => farm.psql("SELECT coalesce(sum(ready_jobs), 0) || ' ' || (SELECT workers FROM scale_busy) FROM scale_demand");
  assert.equal(wanted(), '1 0', 'launchers of workers see the demand');
  const [lease, ...more] = await w.claim(1);
  assert.equal(wanted(), '0 1');
  assert.deepEqual([lease.job, lease.record, lease.attempt, more.length], [id, true, 1, 0]);
  assert.deepEqual(await w.claim(1), [], 'no other worker gets it');
  const tell = (about) => w.api('POST', '/worker/recordings', { session: w.session, result: id, attempt: 1, outcome: 'ok', ...about });
  await tell({ outcome: 'crash', message: 'killed' });
  assert.equal((await get(id)).series.state, 'ready', 'a crash may be an accident');
  const [again] = await w.claim(1);
  assert.equal(again.attempt, 2);
  await tell({ outcome: 'crash', message: 'a late report of the first attempt' });
  assert.equal((await get(id)).series.state, 'leased', 'the fence holds');
  const damaged = Buffer.from(bytes.toString('latin1').replace(/\ncycles\t(\d+)/, (_, n) => `\ncycles\t${Number(n) - 1}`), 'latin1');
  await tell({ attempt: 2, recording: damaged.toString('base64') });
  const refused = (await get(id)).series;
  assert.deepEqual([refused.state, /cycles, the result|fit together/.test(refused.why)], ['failed', true], refused.why);
  assert.equal((await ask(id)).state, 'ready', 'a failed recording may be requested again');

  const [last] = await w.claim(1);
  assert.equal(last.attempt, 1);
  await ask(vanishing);
  const other = await new ScriptedWorker(farm, { name: 'other' }).open();
  assert.equal((await other.claim(1))[0].job, vanishing);
  // `other` has sent no heartbeat for too long: its session is dead, and its lease is free again
  farm.psql(`UPDATE worker_session SET seen_at = seen_at - interval '2 minutes' WHERE id = '${other.session}'`);
  const retaken = await until('the lease', async () => {
    await w.beat([]);
    return (await w.claim(1))[0];
  });
  assert.deepEqual([retaken.job, retaken.attempt], [vanishing, 2]);
});

test('after an upgrade, recordings of results of the old simulator end with a reason', { timeout: 300000 }, async () => {
  const id = results[3];
  farm.psql(`DELETE FROM task WHERE result_id = '${id}'`);
  farm.psql(`UPDATE result SET simulator = '0.0.1' WHERE id = '${id}'`);
  farm.psql(`WITH made AS (INSERT INTO task (id, kind, result_id, trace_sha256, design_sha256, simulator, made_at)
    SELECT id, 'recording', id, trace_sha256, design_sha256, simulator, now() FROM result WHERE id = '${id}' RETURNING id)
    INSERT INTO recording SELECT id, 'somebody' FROM made`);
  const given = await until('its end', async () => {
    const { series: s } = await get(id);
    return s.state === 'failed' && s;
  });
  assert.match(given.why, /simulator version has changed/);
  await assert.rejects(ask(id), (e) => e.status === 409 && /simulator 0\.0\.1/.test(e.message));
});
