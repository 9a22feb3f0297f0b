// Plans with an assurance: the farm and `vivace plan` make the same plan; it is stored and shown; invalid requests are refused
// with one sentence.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, startFarm } from './harness.mjs';
import { report } from './scripted_worker.mjs';

let farm, folder, path, profile;
const vivace = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
const local = (...args) => JSON.parse(execFileSync(program('vivace'), ['plan', path, ...args, '--json'], { encoding: 'utf8' }));
const newPlan = (body) => farm.api('POST', `/profiles/${profile.id}/plans`, body);

before(async () => {
  farm = await startFarm();
  folder = mkdtempSync(join(tmpdir(), 'vivace-assurance-'));
  path = join(folder, 'report.csv');
  writeFileSync(path, report(7));
  profile = await farm.profile(report(7), { name: 'report.csv', workload: 'assured' });
});
after(async () => {
  await farm?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('the same profile and request give the same launches and numbers as without a farm', async () => {
  for (const [asked, options] of [[{ error: 0.02, assurance: 0.9, seed: 5 }, ['--error', '2%', '--assurance', '90%', '--seed', '5']], [{ error: 0.05, assurance: 0.99 }, ['--error', '5%', '--assurance', '99%']]]) {
    const plan = await newPlan(asked), own = local(...options);
    assert.deepEqual([plan.assurance, plan.assured, plan.assured_noise], [own.assurance, own.assured, own.assured_noise]);
    assert.ok(plan.assured >= asked.assurance && plan.assured_noise > 0, `${plan.assured} assured`);
    assert.deepEqual([plan.promised_error, plan.speedup, plan.note, plan.caution], [own.promised_error, own.speedup, own.note, own.caution]);
    assert.deepEqual(await farm.api('GET', `/plans/${plan.id}/file`), own, 'the same launches');
    const plain = await newPlan({ ...asked, assurance: 0 });
    assert.deepEqual([plain.assurance, plain.assured, plain.assured_noise], [0, null, null]);
    assert.ok(plan.samples_count > plain.samples_count, `${plan.samples_count} launches instead of ${plain.samples_count}`);
    assert.deepEqual((await farm.api('GET', '/plans')).items.find((p) => p.id === plan.id)?.assurance, asked.assurance);
  }
});

test('the command line requests assurance and shows it', () => {
  const made = vivace('plans', 'create', profile.id, '--error', '2%', '--assurance', '90%');
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stdout, /^assured +the error is kept in [\d.]+ % of cases, where 90 % was asked for; up to a noise of [\d.]+ %$/m);
  const line = (text) => /^assured +(.*)$/m.exec(text)?.[1];
  assert.equal(line(made.stdout), line(execFileSync(program('vivace'), ['plan', path, '--error', '2%', '--assurance', '90%'], { encoding: 'utf8' })));
  const id = /^plan +(\S+)/m.exec(made.stdout)[1];
  assert.equal(line(vivace('plans', 'show', id).stdout), line(made.stdout));
  assert.equal(line(vivace('plans', 'create', profile.id).stdout), undefined);
});

test('a plan that cannot be assured is refused, or reports it', async () => {
  const refused = (body, part) => assert.rejects(newPlan(body), (e) => e.status === 422 && e.message.includes(part) && e.message.split('. ').length === 1);
  for (const assurance of [0.3, 0.999, 1, -0.9, 90]) await refused({ assurance }, '`assurance` must lie between 0.5 and 0.99; 0.9 is 90 %');
  await refused({ assurance: 'high' }, 'assurance');
  await refused({ assurance: 0.9, method: 'root' }, 'method root does not support `assurance`');
  await refused({ assurance: 0.9, estimator: 'ratio' }, 'plans by ratios to profiled times have no assurance');
  const single = await newPlan({ assurance: 0.9, least_samples: 1 });
  assert.deepEqual([single.assurance, single.assured, single.promise_valid], [0.9, null, false]);
  assert.match(single.caution, /^nothing is assured: with one sample/);
  const shown = vivace('plans', 'show', single.id).stdout;
  assert.match(shown, /^assured +nothing, where 90 % was asked for$/m);
  for (const [value, status] of [['30%', 1], ['100%', 1]]) {
    const said = vivace('plans', 'create', profile.id, '--assurance', value);
    assert.ok(said.status >= status, `${value}: ${said.stdout}`);
    assert.match(said.stderr, /assurance/);
  }
});
