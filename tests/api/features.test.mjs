// Features on the farm: what a file adds to a profile, which files are refused, and that a plan which needs features has the
// same projection on the farm, to the last digit, as `vivace simulate --plan`.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, startFarm } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { writeTextTraces } from './text_traces.mjs';

let farm, traces, converted, features;
const env = () => ({ ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token });
const cli = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: env(), stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
const send = (profile, body, name) => farm.api('POST', `/profiles/${profile.id}/features${name ? `?name=${encodeURIComponent(name)}` : ''}`, body, { 'Content-Type': 'application/octet-stream' });
const newPlan = (profile, body) => farm.api('POST', `/profiles/${profile.id}/plans`, body);

before(async () => {
  farm = await startFarm({ workers: 1 });
  traces = join(farm.folder, 'traces.tar.zst');
  features = join(farm.folder, 'features.json');
  writeTextTraces(traces, 60);
  converted = join(farm.folder, 'traces.vtrace');
  cli('trace', 'convert', traces, converted);
  cli('trace', 'features', traces, '--out', features);
});
after(async () => { await farm?.stop(); });

/** 60 launches of two kernels, and the instruction counts of some of them. */
const LAUNCHES = 60;
const kernel = (i) => (i % 3 === 2 ? 'copy' : 'gemm');
let salt = 0;
function report() {
  salt += 1;
  const head = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
  return Buffer.from(`${head}\n${Array.from({ length: LAUNCHES }, (_, i) =>
    `${5000 * i},${900 + (i * 37) % 101 + salt},${i + 1},4,1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,${kernel(i)}`).join('\n')}\n`);
}
const counts = (n = LAUNCHES, name = kernel) => Buffer.from(`kernel,grid,block,instructions\n${Array.from({ length: n }, (_, i) =>
  `${name(i)},"4,1,1","128,1,1",${1000 + (i % 5) * 10}`).join('\n')}\n`);
const timed = () => farm.profile(report(), { name: 'report.csv', workload: `timed ${salt}` });

for (const [method, params] of [['sieve', {}], ['photon', {}], ['tbpoint', {}], ['systematic', { share: 0.2 }], ['root', { error: 0.05 }]])
  test(`a plan by ${method} has the same projection on a farm and without a farm`, { timeout: 300000 }, async () => {
    const profile = await farm.profile(traces, { workload: `traced ${method}` });
    assert.match(profile.features, /^instruction counts of all \S+ launches$/, 'features that traces already contain');
    const { known } = await send(profile, readFileSync(features), 'features.json');
    assert.equal(known, profile.launches);
    const plan = await newPlan(profile, { method, seed: 3, ...params });
    const path = join(farm.folder, `${method}.json`), own = join(farm.folder, `${method}-own.json`);
    cli('plans', 'fetch', plan.id, '--out', path);
    cli('plan', traces, '--features', features, '--method', method, '--seed', '3', ...Object.entries(params).flatMap(([k, v]) => [`--${k}`, String(v)]), '--out', own);
    assert.deepEqual(JSON.parse(readFileSync(path)), JSON.parse(readFileSync(own)), 'the farm plans as the program does, profile hash and all');

    cli('push', method === 'sieve' ? converted : traces, '--plan', plan.id);
    const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100', 'h100'] });
    const done = await farm.finished(run.id, 150000);
    assert.equal(done.state, 'done');
    const alone = JSON.parse(cli('simulate', traces, '--gpu', 'v100,h100', '--plan', path, '--json'));
    const { designs } = await farm.api('GET', `/runs/${run.id}/estimate`);
    for (const [d, want] of alone.projections.entries()) {
      const stored = done.designs[d].projection, asked = designs[d];
      assert.equal(stored.value, want.value_cycles);
      assert.equal(stored.half_width, want.half_width_cycles);
      for (const k of ['value_s', 'half_width_s', 'level', 'df', 'done', 'planned', 'complete']) assert.equal(stored[k], want[k], k);
      for (const k of ['value_s', 'half_width_s', 'df', 'estimator', 'warning']) assert.equal(asked[k], want[k], k);
      assert.equal(asked.variance_method, want.interval);
      assert.deepEqual(asked.cross_checks, want.cross_checks);
    }
    assert.ok(done.designs[0].projection.value > 0);
    const [{ difference_s, half_width_s, ratio, ratio_half_width }] = alone.comparison, b = done.designs[1].baseline;
    assert.deepEqual([b.difference_s, b.ratio, b.ratio_half_width], [difference_s, ratio, ratio_half_width]);
    assert.ok(half_width_s === null || half_width_s >= 0);
  });

test('counts in a CSV enable sieve; the hash is that of the two files, and cached answers are deleted', async () => {
  const profile = await timed();
  const ask = async () => (await farm.api('GET', `/profiles/${profile.id}/sweep?method=sieve&errors=0.05`)).items[0];
  assert.match((await ask()).why_not, /instruction counts/);
  assert.equal((await ask()).lacks_features, true);
  await assert.rejects(newPlan(profile, { method: 'sieve' }), (e) => e.status === 422 && /instruction counts/.test(e.message));
  const before = await newPlan(profile, { method: 'vivace' });

  const said = await send(profile, counts(), 'counts.csv');
  assert.equal(said.sentence, 'Added instruction counts of all 60 launches. Methods that can plan this profile now: sieve, sieve-ae.');
  assert.deepEqual([said.launches, said.known, said.methods], [60, 60, ['sieve', 'sieve-ae']]);
  assert.notEqual(said.sha256, profile.sha256);
  const now = await farm.api('GET', `/profiles/${profile.id}`);
  assert.deepEqual([profile.features, now.features, now.sha256], ['', 'instruction counts of all 60 launches', said.sha256]);
  assert.equal((await ask()).why_not, null);
  const plan = await newPlan(profile, { method: 'sieve' });
  const fileOf = (p) => farm.api('GET', `/plans/${p.id}/file`);
  assert.equal((await fileOf(plan)).profile_sha256, said.sha256);
  assert.equal((await fileOf(before)).profile_sha256, profile.sha256, 'an old plan keeps the features that it was planned from');
  assert.equal((await send(profile, counts())).sha256, said.sha256, 'the same file again changes nothing');
  assert.equal((await send(profile, counts(20))).sentence, 'Added instruction counts of the first 20 of 60 launches.');
  await assert.rejects(newPlan(profile, { method: 'sieve' }), (e) => e.status === 422 && /first ones only/.test(e.message));
});

test('a frozen link keeps working when its profile gets features', async () => {
  const profile = await timed();
  await send(profile, counts(), 'counts.csv');
  const made = await farm.api('POST', '/shares', { kind: 'profile', object: profile.id, frozen: true });
  const seen = await (await fetch(`${farm.url}${made.url}/api/v1/profiles/${profile.id}/spreads`)).json();
  assert.deepEqual(seen, await farm.api('GET', `/profiles/${profile.id}/spreads`));
});

test('features of another profile are refused with the launch that differs, and nothing is stored', async () => {
  const profile = await timed();
  const refused = async (status, body, part, name = 'counts.csv') => {
    await assert.rejects(send(profile, body, name), (e) => {
      assert.equal(e.status, status, e.message);
      assert.match(e.message, part);
      assert.ok(!e.message.includes('/staging/') && !(e.body.hint ?? '').includes('/staging/'), e.message);
      return true;
    });
  };
  await refused(422, counts(LAUNCHES, (i) => (i === 7 ? 'other' : kernel(i))), /^422: counts\.csv does not belong to the profile: there it is launch 7: other grid .*, but here launch 7: gemm grid/);
  await refused(422, counts(61), /61 launches/);
  await refused(422, 'kernel,instructions\ngemm,many\n', /counts\.csv/);
  await refused(422, report(), /counts\.csv has no features/);
  await refused(422, Buffer.alloc(0), /is empty/);
  await refused(415, Buffer.from('\x00\x01 not a known format'.repeat(20)), /./);
  await refused(422, '{"format":"vivace-features","version":1,"kernels":[', /./);
  assert.equal((await farm.api('GET', `/profiles/${profile.id}`)).sha256, profile.sha256);
  const nobody = '01234567-89ab-7cde-8f01-23456789abcd';
  await assert.rejects(send({ id: nobody }, counts()), (e) => e.status === 404 && /no profile/.test(e.message));
  await assert.rejects(send({ id: 'x' }, counts()), (e) => e.status === 404);
  assert.equal((await farm.request('POST', `/profiles/${profile.id}/features`, counts(), { Authorization: null })).status, 401);
});

test('features wait until the runs of their profile have ended', async () => {
  const profile = await timed();
  const plan = await newPlan(profile, { method: 'srs', share: 0.2 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  await assert.rejects(send(profile, counts()), (e) => e.status === 409 && /a run of a plan of this profile has not ended/.test(e.message) && /cancel it/.test(e.body.hint));
  await farm.api('POST', `/runs/${run.id}/cancel`);
  assert.equal((await send(profile, counts())).known, LAUNCHES);
});

test('of simultaneous files one is stored completely; a later one is refused with a reason', async () => {
  const profile = await timed();
  const answers = await Promise.allSettled([send(profile, counts(30)), send(profile, counts(40)), send(profile, counts(50))]);
  const stored = answers.filter((a) => a.status === 'fulfilled');
  assert.ok(stored.length >= 1);
  for (const a of answers) if (a.status === 'rejected') assert.ok(a.reason.status === 409 && /changed by another request/.test(a.reason.message), a.reason.message);
  const { sha256 } = await farm.api('GET', `/profiles/${profile.id}`);
  assert.ok(stored.some((a) => a.value.sha256 === sha256), 'the hash is that of one of the files');
  const sieve = await farm.api('GET', `/profiles/${profile.id}/sweep?method=sieve&errors=0.05`);
  assert.match(sieve.items[0].why_not, /first ones only/);
});

test('the command line sends features', async () => {
  const profile = await timed(), path = join(farm.folder, 'counts.csv');
  writeFileSync(path, counts());
  const said = cli('push', path, '--profile', profile.id);
  assert.match(said, /^counts\.csv: Added instruction counts of all 60 launches\. .*sieve, sieve-ae\.\n/);
  assert.match(said, /next +vivace plan create [0-9a-f-]{36} --method sieve/);
  assert.equal(JSON.parse(cli('push', path, '--profile', profile.id, '--json')).known, LAUNCHES);
  assert.throws(() => cli('push', path, '--profile', profile.id, '--plan', 'x'), /--plan.*--profile|--profile.*--plan/s);
});
