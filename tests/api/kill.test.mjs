// A run survives kill -9 of a worker, of the server and of PostgreSQL while its jobs are being simulated. Afterwards every job
// is done once, no acknowledged data is lost, and the projection equals that of an undisturbed run.
//
// The order of the kills comes from a seed, which is printed: VIVACE_SEED=7 VIVACE_BLOWS=40 node --test tests/api/kill.test.mjs
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program, root, startFarm, until } from './harness.mjs';
import { numbers } from './seeded.mjs';
import { begun, programs } from './work.mjs';

const seed = Number(process.env.VIVACE_SEED ?? 1);
const blows = Number(process.env.VIVACE_BLOWS ?? 9);

/** The command line program, logged in to a farm; answers its JSON document. */
function cli(farm, home, ...args) {
  const env = { ...process.env, XDG_CONFIG_HOME: home };
  return JSON.parse(execFileSync(program('vivace'), [...args, '--json'], { env, maxBuffer: 1 << 28 }).toString() || 'null');
}

/** Workers whose state folder is kept after their end, so that the next worker delivers the spool. */
class Workers {
  constructor(farm, count, sim) {
    this.farm = farm;
    this.sim = sim;
    this.list = Array.from({ length: count }, (_, n) => this.start(n));
  }
  start(n) {
    const log = openSync(join(this.farm.folder, `killed-worker-${n}.log`), 'a');
    const child = spawn(program('vivace-worker'), ['--server', this.farm.url, '--token-file', join(this.farm.state, 'worker-token'),
      '--state', join(this.farm.folder, `killed-worker-${n}`), '--slots', '1', '--name', `w${n}`, '--vivace-sim', this.sim], { stdio: ['ignore', log, log] });
    closeSync(log);
    child.ended = new Promise((done) => child.on('exit', done));
    return child;
  }
  async kill(n) {
    this.list[n].kill('SIGKILL');
    await this.list[n].ended;
    this.list[n] = this.start(n);
  }
  async stop() {
    for (const w of this.list) w.kill('SIGKILL');
    await Promise.all(this.list.map((w) => w.ended));
  }
}

async function killPostgres(farm) {
  const pid = farm.postgresPid();
  if (!pid) return;
  process.kill(pid, 'SIGKILL');
  await until('PostgreSQL to run again', async () => {
    const ready = await farm.request('GET', '//readyz').catch(() => null);
    return farm.postgresPid() !== pid && ready?.ok;
  }, 60000, 200);
}

async function killServer(farm) {
  await farm.kill('SIGKILL');
  await farm.start();
}

async function allJobs(farm, run) {
  const jobs = [];
  let after = '';
  do {
    const page = await farm.api('GET', `/runs/${run}/jobs?limit=500${after}`);
    jobs.push(...page.items);
    after = page.next ? `&after=${encodeURIComponent(page.next)}` : '';
    if (!page.next) break;
  } while (true);
  return jobs;
}

const estimates = (run) => run.designs.map((d) => ({ ...d.projection, design: d.design }));

test(`kill -9 of any process, ${blows} times, seed ${seed}: the run completes, nothing is lost or duplicated`, { timeout: 600000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-kill-'));
  const farm = await startFarm({ privateDatabase: true, args: ['--test-heartbeat', '1s', '--test-dead-after', '15s'] });
  let workers = null, bin = null;
  try {
    const traces = join(folder, 'traces.vtrace');
    execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/tiny-gpt/launches.json'), '--trace', traces], { stdio: 'ignore' });
    execFileSync(program('vivace'), ['login', farm.url, '--token-file', join(farm.state, 'admin-token')],
      { env: { ...process.env, XDG_CONFIG_HOME: folder }, stdio: 'ignore' });
    const { profile } = cli(farm, folder, 'push', traces);
    const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'srs', error: 0.2, confidence: 0.95, seed: 1 });
    cli(farm, folder, 'push', traces, '--plan', plan.id);
    const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], engine: 'cycle' });
    assert.equal(run.jobs, 2 * plan.samples_count);

    // Simulations begin after the first kill, so the run cannot end before it, even if this test is slow.
    const gate = join(farm.folder, 'gate');
    bin = programs({ gate });
    workers = new Workers(farm, 2, join(bin, 'vivace-sim'));
    const next = numbers(seed), done = { worker: 0, server: 0, postgres: 0 };
    await Promise.all(workers.list.map(begun));
    for (let i = 0; i < blows; i++) {
      await sleep(300 + 700 * next());
      const what = ['worker', 'server', 'postgres'][i < 3 ? i : Math.floor(3 * next())]; // each at least once
      if (what === 'worker') await workers.kill(Math.floor(2 * next()));
      else if (what === 'server') await killServer(farm);
      else await killPostgres(farm);
      done[what]++;
      const now = await until('the server to answer', () => farm.api('GET', `/runs/${run.id}`).catch(() => null));
      t.diagnostic(`after killing the ${what}: ${now.counts.done} of ${now.jobs} done`);
      if (i === 0) assert.ok(now.counts.done < now.jobs, 'the run is still going on: otherwise this tests nothing');
      writeFileSync(gate, '');
    }
    assert.ok(done.worker && done.server && done.postgres);

    let end = await farm.finished(run.id, 240000);
    // On a slow machine, one job may have been running on three killed workers. It is then parked with the reason, until a user
    // retries it.
    const parked = (await allJobs(farm, run.id)).filter((j) => j.state === 'failed');
    for (const j of parked) {
      assert.equal(j.failure.class, 'poison', JSON.stringify(j));
      await farm.api('POST', `/jobs/${j.id}/retry`);
    }
    if (parked.length) end = await farm.finished(run.id, 240000);
    assert.equal(end.state, 'done');
    assert.deepEqual(end.counts, { blocked: 0, ready: 0, leased: 0, done: run.jobs, failed: 0, cancelled: 0 });

    const jobs = await allJobs(farm, run.id);
    assert.equal(new Set(jobs.map((j) => j.id)).size, run.jobs, 'each job is there once');
    assert.equal(new Set(jobs.map((j) => `${j.launch} ${j.design}`)).size, run.jobs, 'one job per sample and design');
    assert.ok(jobs.every((j) => j.state === 'done' && j.result), 'each has its result');

    // The expected values: the same samples simulated here by one undisturbed process.
    const file = join(folder, 'plan.json');
    execFileSync(program('vivace'), ['plans', 'fetch', plan.id, '--out', file], { env: { ...process.env, XDG_CONFIG_HOME: folder } });
    const local = JSON.parse(execFileSync(program('vivace'), ['simulate', traces, '--gpu', 'v100,h100', '--plan', file, '--json'],
      { maxBuffer: 1 << 28 }).toString());
    for (const mine of local.projections) {
      const theirs = estimates(end).find((p) => p.design === mine.design);
      assert.equal(theirs.value_cycles, mine.value_cycles, mine.design);
      assert.equal(theirs.half_width_cycles, mine.half_width_cycles, mine.design);
    }

    // Then the same run again: every key is known, so no job is simulated, and the answer is the same.
    const again = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], engine: 'cycle' });
    const cached = await farm.finished(again.id);
    assert.equal(cached.cached, run.jobs, 'every result was kept');
    assert.deepEqual(estimates(cached), estimates(end));
  } finally {
    if (workers) await workers.stop();
    await farm.stop();
    if (bin) rmSync(bin, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});
