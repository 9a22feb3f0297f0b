// How a worker ends: after SIGTERM, running simulations finish, or their leases are returned after a time limit. A second
// SIGTERM returns them at once. Idle workers exit. Also the state folder inside a batch job. No lease is lost.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { patience, startFarm, until } from './harness.mjs';
import { begun, cycleRun, programs, replayRun } from './work.mjs';

let farm, run, count = 0;
const folders = [], JOBS = 6;

/** Programs of work.mjs. */
function bin(how) {
  folders.push(programs(how));
  return folders.at(-1);
}

function start(folder, args, env = {}) {
  const log = join(farm.folder, `drained-${count++}.log`), out = openSync(log, 'w');
  const state = env.SLURM_JOB_ID ? [] : ['--state', `${log}.state`];
  const child = spawn(join(folder, 'vivace-worker'), ['--server', farm.url, '--token-file', join(farm.state, 'worker-token'), '--slots', '1',
    ...state, ...args], { stdio: ['ignore', out, out], env: { ...process.env, ...env } });
  closeSync(out);
  child.ended = new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })));
  child.log = () => readFileSync(log, 'utf8');
  farm.workers.push(child); // it is stopped with the farm in any case
  return child;
}

const counts = async () => (await farm.api('GET', `/runs/${run.id}`)).counts;
async function outcomes() {
  const jobs = (await farm.api('GET', `/runs/${run.id}/jobs?limit=500`)).items;
  const all = await Promise.all(jobs.map((j) => farm.api('GET', `/jobs/${j.id}`)));
  return all.flatMap((j) => j.attempts.map((a) => a.outcome)).sort();
}

before(async () => {
  farm = await startFarm();
  run = await cycleRun(farm, farm.folder, JOBS);
  assert.equal(run.jobs, JOBS);
});
after(async () => {
  await farm?.stop();
  for (const f of folders) rmSync(f, { recursive: true, force: true });
});

test('SIGTERM: running jobs finish, no new job is leased, the exit code is 0', { timeout: 300000 }, async () => {
  const gate = join(farm.folder, 'gate'), worker = start(bin({ gate }), ['--drain-for', '1h']);
  await begun(worker);
  worker.kill('SIGTERM');
  await until('it to drain', () => /draining/.test(worker.log()));
  writeFileSync(gate, '');
  assert.deepEqual(await worker.ended, { code: 0, signal: null }, worker.log());
  const { ready, leased: held, done } = await counts();
  assert.ok(held === 0 && done > 0 && ready + done === JOBS, `${ready} ready, ${held} leased, ${done} done`);
  assert.deepEqual([...new Set(await outcomes())], ['ok']);
  assert.match(worker.log(), /draining: no new jobs/);
});

test('SIGTERM: jobs that do not end in time are returned, without cost to their budgets', { timeout: 300000 }, async () => {
  const worker = start(bin({ seconds: 600 }), ['--drain-for', '1s']);
  await begun(worker);
  worker.kill('SIGTERM');
  assert.deepEqual(await worker.ended, { code: 0, signal: null }, worker.log());
  const { ready, leased: held, done } = await counts();
  assert.ok(held === 0 && ready > 0 && ready + done === JOBS, `${ready} ready, ${held} leased, ${done} done`);
  const ends = await outcomes();
  assert.equal(ends[0], 'ok');
  assert.deepEqual([...new Set(ends)], ['ok', 'released']);
});

test('a second SIGTERM returns the jobs at once', { timeout: 300000 }, async () => {
  const worker = start(bin({ seconds: 600 }), ['--drain-for', '1h']);
  await begun(worker);
  worker.kill('SIGTERM');
  await until('it to drain', () => /draining/.test(worker.log()));
  worker.kill('SIGTERM');
  assert.deepEqual(await worker.ended, { code: 0, signal: null }, worker.log());
  assert.equal((await counts()).leased, 0);
});

test('in a batch job: a scratch folder that is removed at the end; an idle worker exits; an unreachable server is skipped', { timeout: 300000 }, async () => {
  const place = join(farm.folder, 'tmpdir');
  mkdirSync(place);
  const replay = await replayRun(farm); // created first, because an idle worker exits
  const worker = start(bin(), ['--exit-when-idle', `${Math.ceil(patience(3000) / 1000)}s`, '--server', `http://127.0.0.1:1,${farm.url}`],
    { SLURM_JOB_ID: '4711', SLURM_TMPDIR: place });
  await until('its folder', () => readdirSync(place).some((name) => name.startsWith('vivace-worker-4711-')));
  for (const r of [run, replay]) assert.equal((await farm.finished(r.id)).state, 'done');
  assert.deepEqual(await worker.ended, { code: 0, signal: null }, worker.log());
  assert.deepEqual(readdirSync(place), [], 'nothing is left behind');
  const end = await farm.api('GET', `/runs/${run.id}`);
  assert.deepEqual(end.counts, { blocked: 0, ready: 0, leased: 0, done: JOBS, failed: 0, cancelled: 0 });
});
