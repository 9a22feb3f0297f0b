// Workers under a real Slurm (tests/api/slurm.mjs): they are submitted when jobs wait, cancelled and killed during work, and
// exit when idle; no job is lost. Skipped with a message if Slurm's packages are missing.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, startFarm, until } from './harness.mjs';
import { startSlurm } from './slurm.mjs';
import { cycleRun, programs, replayRun } from './work.mjs';

const slurm = await startSlurm();
const skip = typeof slurm === 'string' ? slurm : false;
const launcher = async (farm) => (await farm.api('GET', '/farm')).launcher;
const LAUNCHES = 100;

test('a run on two pilots: scancel, TERM, kill -9 of Slurm; idle pilots leave', { timeout: 300000, skip }, async (t) => {
  const bin = programs({ seconds: 1 }); // each simulation takes a second longer and is leased alone, so that a job can be cancelled while it runs
  renameSync(join(bin, 'vivace-worker'), join(bin, 'real-worker'));
  writeFileSync(join(bin, 'vivace-worker'), `#!/bin/sh\nexec ${join(bin, 'real-worker')} "$@" --pack 1\n`, { mode: 0o755 });
  const farm = await startFarm({ env: slurm.env, args: ['--launcher', 'slurm', '--launcher-max-workers', '2', '--test-launcher-each', '1s', '--test-launcher-idle', '3s',
    '--launcher-target', '2s', '--test-launcher-drain', '30s', '--launcher-worker', join(bin, 'vivace-worker'),
    '--slurm-options', '--comment=a-test  --nice=1 --mem=100M', '--test-heartbeat', '1s', '--test-dead-after', '5s'] });
  const done = async (id) => (await farm.api('GET', `/runs/${id}`)).counts.done;
  try {
    const run = await cycleRun(farm, farm.folder, LAUNCHES);
    await until('two pilots at work', () => slurm.running().length === 2, 120000, 200);
    const state = await until('the worker on the farm page', async () => {
      const l = await launcher(farm);
      return l.running === 2 ? l : null;
    });
    assert.deepEqual([state.kind, state.wanted, state.waiting, state.problem], ['slurm', 2, 0, null]);

    await until('some results', async () => await done(run.id) > 8);
    const middle = async (what) => {
      const n = await done(run.id);
      t.diagnostic(`${what} with ${n} of ${run.jobs} done`);
      assert.ok(n < run.jobs, `${what}: the run was over by then`);
    };
    // SIGTERM to the batch script's process, as at the time limit: the worker drains and exits with code 0.
    const [first] = await until('a pilot', () => { const r = slurm.running(); return r.length && r; }, 120000, 200);
    slurm.run('scancel', '--batch', '--signal=TERM', first.id);
    await middle(`${first.id} with a request to end`);
    await until('the drained pilot to end well', () =>
      /JobState=COMPLETED [^]*ExitCode=0:0/.test(slurm.run('scontrol', 'show', 'job', first.id)), 120000, 200);

    await slurm.kill9();
    await middle('both daemons killed');
    await slurm.startDaemons();

    // Killed without a signal before, as by preemption without a grace period: a newly submitted worker does the leased jobs.
    const victims = await until('a pilot to take away', () => {
      const ids = slurm.running().map((j) => j.id).filter((id) => id !== first.id);
      return ids.length && ids;
    }, 120000, 200);
    // The next worker simulates without the delay.
    copyFileSync(join(bin, 'real-sim'), join(bin, 'new-sim'));
    renameSync(join(bin, 'new-sim'), join(bin, 'vivace-sim'));
    for (const id of victims) slurm.run('scancel', '--signal=KILL', '--full', id);
    await middle(`${victims} cancelled`);
    await until('new workers in their place', () => slurm.jobs().some((j) => j.id !== first.id && !victims.includes(j.id)), 120000, 200);

    const end = await farm.finished(run.id);
    assert.deepEqual(end.counts, { blocked: 0, ready: 0, leased: 0, done: LAUNCHES, failed: 0, cancelled: 0 });
    await until('idle pilots to leave', () => slurm.jobs().length === 0, 120000, 200);

    // The farm page shows the error message of sbatch.
    slurm.run('scontrol', 'update', 'partitionname=all', 'state=inactive');
    const late = await replayRun(farm);
    const problem = await until('a problem', async () => (await launcher(farm)).problem);
    assert.match(problem, /sbatch: .*submission failed/);
    slurm.run('scontrol', 'update', 'partitionname=all', 'state=up');
    assert.equal((await farm.finished(late.id)).state, 'done');
    await until('the problem to be cleared', async () => (await launcher(farm)).problem === null, 120000, 200);
  } catch (error) {
    error.message += `\n${farm.log().slice(-3000)}\n${slurm.log()}`;
    throw error;
  } finally {
    await farm.stop();
    rmSync(bin, { recursive: true, force: true });
  }
});

test('the script for starting workers by hand', { timeout: 300000, skip }, async () => {
  const bin = programs();
  const farm = await startFarm();
  try {
    const home = join(farm.folder, 'by-hand');
    mkdirSync(home);
    const token = join(home, 'worker-token'), script = join(home, 'worker.sbatch');
    writeFileSync(token, readFileSync(join(farm.state, 'worker-token')), { mode: 0o600 });
    writeFileSync(script, readFileSync(join(root, 'deploy/slurm/worker.sbatch')));
    chmodSync(home, 0o755);
    slurm.run('sbatch', '--array=1-2', '--mem=100M', `--output=${home}/%A_%a.log`, script, join(bin, 'vivace-worker'), '--server', farm.url,
      '--token-file', token, '--exit-when-idle', '2s');
    const run = await replayRun(farm);
    assert.equal((await farm.finished(run.id)).state, 'done');
    await until('idle workers to leave', () => slurm.jobs().length === 0, 120000, 200);
  } finally {
    await farm.stop();
    rmSync(bin, { recursive: true, force: true });
  }
});

test('stop', { skip }, () => slurm.stop());
