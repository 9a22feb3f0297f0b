// Traces of code for another architecture, and of a part of a grid: the warnings of a run about them, and the jobs that it refuses.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, startFarm } from './harness.mjs';
import { cycleRun } from './work.mjs';

let farm, folder;
const changes = { 0: { sm: 90 }, 1: { sm: 90, gmma: true }, 2: { sm: 90, missing: 1 } };
const vivace = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
const jobs = async (run) => (await farm.api('GET', `/runs/${run.id}/jobs?limit=100`)).items;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-foreign-'));
  farm = await startFarm({ workers: 1 });
});
after(async () => {
  await farm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a run reports foreign and partial traces like vivace simulate, and refuses foreign instructions', { timeout: 120000 }, async () => {
  const run = await cycleRun(farm, folder, 3, ['v100', 'h100'], { changes });
  const done = await farm.finished(run.id);
  const failed = (await jobs(run)).filter((j) => j.state === 'failed');
  assert.deepEqual(failed.map((j) => j.design), ['v100']);
  const { failure: { detail: why } } = await farm.api('GET', `/jobs/${failed[0].id}`);
  assert.match(why, /v100 \(sm_70\) cannot execute `HGMMA\.64x64x16\.F32`, which GPUs have from sm_90 on\. --allow-foreign-isa simulates it/);

  const here = vivace('simulate', join(folder, 'traces.tar.zst'), '--gpu', 'v100,h100', '--allow-foreign-isa');
  const foreign = /warning: (the trace is of code for sm_90, and v100 is sm_70: .*)\n/.exec(here.stderr)[1];
  const [v100, h100] = done.designs.map((d) => d.projection.warnings);
  assert.equal(v100.length, 2);
  assert.equal(v100[0], foreign);
  assert.match(v100[1], /^launches whose traces have only a part of their CTAs: 1\. The first is launch 2: 3 of 4\. Their cycles are those of this part$/);
  assert.ok(here.stderr.includes(v100[1]), here.stderr);
  assert.deepEqual(h100, [v100[1]]);

  const shown = vivace('run', 'show', run.id).stdout;
  for (const sentence of v100) assert.equal(shown.split(`warning: ${sentence}\n`).length, 2, shown);
});

test('a run that allows foreign instructions simulates them, and its results are separate from those of a run that does not', { timeout: 120000 }, async () => {
  const run = await cycleRun(farm, folder, 3, ['v100'], { changes, more: { allow_foreign_isa: true } });
  const done = await farm.finished(run.id);
  assert.deepEqual([done.state, done.allow_foreign_isa, done.cached, done.counts.failed], ['done', true, 0, 0]);
  const strict = vivace('run', 'create', done.plan, '--gpu', 'v100', '--fixed', '--wait', '--json');
  const again = JSON.parse(vivace('runs', '--json').stdout).items[0];
  assert.equal((await farm.finished(again.id)).counts.failed, 1, strict.stderr);
  const allowed = vivace('run', 'create', done.plan, '--gpu', 'v100', '--fixed', '--allow-foreign-isa', '--wait');
  assert.equal(allowed.status, 0, allowed.stderr);
  assert.match(allowed.stdout, /warning: the trace is of code for sm_90/);
});
