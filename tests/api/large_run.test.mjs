// Runs of many jobs: created and cancelled some thousand at a time. Other requests do not wait long meanwhile, and each sample
// has one job on each design in any case.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { quietClock, startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';

let farm;
before(async () => { farm = await startFarm({ args: ['--test-idle', '1h'] }); });
after(() => farm?.stop());

const head = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';

/** A plan that draws each launch of a profile. */
async function planOf(launches, seed) {
  const rows = Array.from({ length: launches }, (_, i) => `${1000 * i + 5},${400 + seed + (i * 37) % 997},${i + 1},${1 + i % 4},1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,"k${i % 4}"`);
  const profile = await farm.profile(Buffer.from(`${head}\n${rows.join('\n')}\n`), { name: `large-${seed}.csv` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', error: 1e-6, confidence: 0.95, seed: 1 });
  assert.equal(plan.samples_count, launches);
  return plan;
}
const newRun = (plan, designs = []) => farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs });
const runOf = async (run) => farm.api('GET', `/runs/${run.id}`);
const total = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
/** Samples in the order of their jobs: the first of each stratum, then the second ones. */
const inOrder = (plan) => farm.psql(`SELECT string_agg(number::text, ',' ORDER BY turn, stratum) FROM (SELECT number, stratum,
  row_number() OVER (PARTITION BY stratum ORDER BY md5(plan_id::text || ':' || number)) AS turn FROM sample WHERE plan_id = '${plan.id}') s`);
const made = (run) => farm.psql(`SELECT string_agg(sample::text, ',' ORDER BY seq) FROM job WHERE run_id = '${run.id}'`);

test('20 000 jobs are created in seconds, and other runs do not wait for them', { timeout: 600000 }, async () => {
  const plan = await planOf(20000, 1), small = await planOf(20, 2);
  let longest = 0, going = true;
  const others = (async () => {
    while (going) {
      const past = quietClock();
      await newRun(small);
      longest = Math.max(longest, past());
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  const past = quietClock(), run = await newRun(plan);
  assert.equal(run.jobs, 20000);
  for (;;) {
    const { counts, jobs, state } = await runOf(run);
    assert.deepEqual([state, jobs, total(counts)], ['running', 20000, 20000], 'those that are to be created are counted as blocked');
    if (counts.blocked === 0) break;
    assert.ok(past() < 12000, `${counts.blocked} of 20 000 jobs left after ${Math.round(past())} ms`);
    await new Promise((done) => setTimeout(done, 50));
  }
  going = false;
  await others;
  assert.ok(longest < 2000, `a small run waited ${Math.round(longest)} ms`);
  assert.equal(made(run), inOrder(plan), 'the order is that of a small run');
  await farm.api('POST', `/runs/${run.id}/cancel`);
  await until('all to be cancelled', async () => (await runOf(run)).counts.cancelled === 20000);
});

test('a run that is cancelled while it is created gets no more jobs', { timeout: 600000 }, async () => {
  const plan = await planOf(20000, 3);
  let run, ended;
  for (let tries = 0; tries < 5 && !(ended?.jobs < 20000); tries++) { // the server may be faster than this test
    run = await newRun(plan);
    await until('the first jobs', async () => (await runOf(run)).counts.ready > 0, 30000, 1);
    await farm.api('POST', `/runs/${run.id}/cancel`);
    ended = await until('all to be cancelled', async () => {
      const now = await runOf(run);
      return now.counts.cancelled === now.jobs ? now : null;
    });
  }
  assert.ok(ended.jobs < 20000, `${ended.jobs} jobs`);
  await new Promise((done) => setTimeout(done, 1500));
  const later = await runOf(run);
  assert.deepEqual([later.state, later.jobs, later.counts], ['cancelled', ended.jobs, ended.counts]);
});

test('a server that is killed while it creates or cancels jobs continues after its start', { timeout: 600000 }, async () => {
  const plan = await planOf(20000, 4), run = await newRun(plan);
  const again = async () => { await farm.kill('SIGKILL'); await farm.start(); };
  await until('the first jobs', async () => (await runOf(run)).counts.ready > 0);
  await again();
  await until('all jobs', async () => (await runOf(run)).counts.blocked === 0, 60000);
  assert.equal(made(run), inOrder(plan));
  const cancel = farm.api('POST', `/runs/${run.id}/cancel`).catch(() => {});
  await until('the run to be cancelled', () => farm.psql(`SELECT state FROM run WHERE id = '${run.id}'`) === 'cancelled', 30000, 1); // its jobs may already be cancelled
  await again();
  await cancel;
  await until('all to be cancelled', async () => (await runOf(run)).counts.cancelled === 20000);
});

test('cancelling a large run returns before all jobs are cancelled', { timeout: 600000 }, async () => {
  const plan = await planOf(20000, 6), run = await newRun(plan);
  await until('all jobs', async () => (await runOf(run)).counts.blocked === 0, 60000);
  const holder = spawn('psql', [farm.databaseUrl(), '-XAtq'], { stdio: ['pipe', 'pipe', 'inherit'], ...farm.asOwner() });
  try {
    holder.stdin.write(`BEGIN; SELECT id FROM job WHERE run_id = '${run.id}' AND seq = 19999 FOR UPDATE;\n`);
    await new Promise((done) => holder.stdout.once('data', done));
    // while the last job is locked, its slice cannot be cancelled; the request ended without this slice
    await farm.api('POST', `/runs/${run.id}/cancel`);
    const { state, counts } = await runOf(run);
    assert.equal(state, 'cancelled');
    assert.ok(counts.ready > 0, JSON.stringify(counts));
    assert.equal(farm.psql(`SELECT count(*) FROM pg_stat_activity WHERE query ~ '^SELECT id FROM job' AND state = 'idle in transaction'`), '1', 'the lock is still held');
  } finally {
    holder.stdin.end('COMMIT;\n');
  }
  await until('all to be cancelled', async () => (await runOf(run)).counts.cancelled === 20000);
});

test('a large run on two designs ends when all its jobs have ended; another run uses their results', { timeout: 600000 }, async () => {
  const plan = await planOf(2500, 5), designs = ['v100', 'h100'], run = await newRun(plan, designs);
  await until('all jobs', async () => (await runOf(run)).counts.blocked === 0, 60000);
  const page = (after) => farm.api('GET', `/runs/${run.id}/jobs?state=ready&limit=4${after ? `&after=${after}` : ''}`);
  const { items, next } = await page(), more = (await page(next)).items;
  assert.deepEqual([...items, ...more].map((j) => [j.design, Boolean(j.waits_on)]), Array(4).fill([['v100', false], ['h100', true]]).flat(), 'ready jobs that lead and those that wait for them');
  assert.equal(new Set([...items, ...more].map((j) => j.id)).size, 8);
  const w = await new ScriptedWorker(farm, { engines: ['replay'], slots: 512 }).openAlive();
  await until('its end', async () => { await w.drain(); return (await runOf(run)).state === 'done'; }, 120000);
  const first = await runOf(run);
  assert.deepEqual([first.jobs, first.counts.done], [5000, 5000]);
  const second = await farm.finished((await newRun(plan, designs)).id);
  assert.deepEqual([second.state, second.counts.done, second.cached], ['done', 5000, 5000]);
  assert.equal(second.designs[0].projection.value, first.designs[0].projection.value);
  assert.equal(farm.psql(`SELECT count(DISTINCT (sample, design)) FROM job WHERE run_id = '${second.id}'`), '5000');
  w.fallSilent();
});

test('jobs are deleted with their run', () => {
  const run = farm.psql("SELECT run_id FROM job LIMIT 1");
  farm.psql(`DELETE FROM run WHERE id = '${run}'`);
  assert.equal(farm.psql(`SELECT count(*) FROM job WHERE run_id = '${run}'`), '0');
});
