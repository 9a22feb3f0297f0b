// A profile of instruction counts is converted to estimated cycles, with the farm's simulations of its launches.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, root, startFarm } from './harness.mjs';

const LIST = join(root, 'examples/bfs/launches.json');
let farm, folder, counts, trace, profile, plan;
const vivace = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
const refused = (status, part) => (e) => e.status === status && JSON.stringify(e.problem ?? e.message).includes(part);

before(async () => {
  farm = await startFarm({ workers: 1 });
  folder = mkdtempSync(join(tmpdir(), 'vivace-pilot-'));
  counts = join(folder, 'counts.csv');
  trace = join(folder, 'bfs.vtrace');
  execFileSync(program('vivace'), ['ptx', 'run', LIST, '--profile', counts, '--trace', trace], { stdio: 'ignore' });
  profile = await farm.profile(readFileSync(counts), { name: 'counts.csv', workload: 'bfs' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.4, seed: 3 });
});
after(async () => {
  await farm?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('without a result no cycles can be estimated', async () => {
  await assert.rejects(farm.api('GET', `/profiles/${profile.id}/cycles?design=v100`), refused(409, 'no result of this profile'));
  await assert.rejects(farm.api('GET', `/profiles/${profile.id}/cycles`), refused(422, 'design'));
  await assert.rejects(farm.api('GET', `/profiles/${profile.id}/cycles?design=none`), refused(404, 'no design'));
});

test('simulated launches scale the others, by shape, then by kernel', { timeout: 300000 }, async () => {
  const samples = (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items;
  assert.equal(vivace('push', trace, '--profile', profile.id).status, 0);
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  assert.equal((await farm.finished(run.id)).state, 'done');
  const results = new Map();
  for (const job of (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items)
    results.set(job.launch, await farm.api('GET', `/results/${job.result}`));
  assert.equal(results.size, samples.length);

  const file = await farm.api('GET', `/profiles/${profile.id}/cycles?design=v100`);
  assert.deepEqual([file.format, file.version, file.gpu], ['vivace-cycles', 1, 'v100']);
  assert.match(file.note, new RegExp(`^estimated from ${samples.length} launches simulated on v100, which have \\d+ of \\d+ shapes`));
  const name = (k) => file.kernels.name[k];
  const sums = (same) => {
    const all = [...results].filter(([i]) => file.instructions[i] > 0 && same(file.kernel[i]));
    const sum = (of) => all.reduce((n, [i, r]) => n + of(r, i), 0);
    const fixed = (r) => Number(r.counters.find((c) => c.name === 'launch_cycles').value);
    return all.length && { fixed: sum(fixed) / all.length, rate: sum((r) => r.cycles - fixed(r)) / sum((r, i) => file.instructions[i]) };
  };
  let scaled = 0;
  file.cycles.forEach((cycles, i) => {
    const own = sums((k) => k === file.kernel[i]);
    const s = own || sums((k) => name(k) === name(file.kernel[i])) || sums(() => true);
    scaled += own ? 0 : 1;
    assert.ok(Math.abs(cycles - (s.fixed + s.rate * file.instructions[i])) <= 0.5 + 1e-9 * cycles, `launch ${i}: ${cycles}, by ${JSON.stringify(s)}`);
  });
  assert.ok(scaled > 0 && scaled < file.cycles.length, 'some shapes were not simulated');
  assert.ok(file.note.includes('other kernels'));
});

test('a plan of the method pilot has one launch of each shape', { timeout: 300000 }, async () => {
  const pilot = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'pilot' });
  assert.equal(pilot.samples_count ?? pilot.strata.length, profile.kernel_shapes);
  const ran = vivace('run', pilot.id, '--gpu', 'v100', '--wait', '--json');
  assert.equal(ran.status, 0, ran.stderr);
  const file = await farm.api('GET', `/profiles/${profile.id}/cycles?design=v100`);
  assert.match(file.note, new RegExp(`have ${profile.kernel_shapes} of ${profile.kernel_shapes} shapes; 0 % of the cycles`));
});

test('the pushed estimate is a profile that can be planned, run and projected', { timeout: 300000 }, async () => {
  const path = join(folder, 'cycles.json');
  const fetched = vivace('plans', 'cycles', profile.id, '--gpu', 'v100', '--out', path);
  assert.equal(fetched.status, 0, fetched.stderr);
  assert.match(fetched.stderr, /estimated from \d+ launches simulated on v100/);
  assert.equal(vivace('plans', 'cycles', profile.id).status, 64);

  const cycles = await farm.profile(readFileSync(path), { name: 'cycles.json', workload: 'bfs' });
  assert.deepEqual([cycles.unit, cycles.format, cycles.gpu_name, cycles.total_s], ['cycles', 'vivace-cycles', 'v100', null]);
  assert.equal(Number(cycles.total), JSON.parse(readFileSync(path)).cycles.reduce((n, c) => n + c, 0));
  const planned = await farm.api('POST', `/profiles/${cycles.id}/plans`, { method: 'srs', share: 0.4, seed: 5 });
  assert.equal(planned.unit, 'cycles');
  assert.match(planned.note, /cycles estimated for v100/);
  const own = JSON.parse(execFileSync(program('vivace'), ['plan', path, '--method', 'srs', '--share', '0.4', '--seed', '5', '--json'], { encoding: 'utf8' }));
  assert.equal(own.profile_sha256, cycles.sha256, 'the same profile with and without a farm');

  await assert.rejects(farm.api('POST', `/plans/${planned.id}/runs`, { engine: 'replay' }), refused(422, 'not measurements'));
  await assert.rejects(farm.api('GET', `/profiles/${cycles.id}/cycles?design=v100`), refused(422, 'measured cycles'));
  assert.equal(vivace('push', trace, '--profile', cycles.id).status, 0);
  const run = await farm.api('POST', `/plans/${planned.id}/runs`, { engine: 'cycle', designs: ['v100', 'h100'] });
  assert.equal((await farm.finished(run.id)).state, 'done');
  const done = await farm.api('GET', `/runs/${run.id}`);
  for (const d of done.designs) assert.ok(d.projection.value_cycles > 0, JSON.stringify(d.projection));
  for (const page of ['histogram', 'series', 'spreads', 'kernels', 'costs']) await farm.api('GET', `/profiles/${cycles.id}/${page}`);
});
