// The cost of pages about a run, and of the server's own work, does not grow for a run of four times the jobs. PostgreSQL
// reports the blocks that each statement reads (auto_explain), also for the server's own statements. Statements that must read
// all jobs grow in proportion, not faster.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';

const FEW = 5000, MANY = 4 * FEW, SLACK = 300; // blocks: the cost of an hour of attempts and of dead index entries
// Statements that create or read a whole plan or all results: once per run, or for pages of results.
const WHOLE = [/^SELECT file FROM plan/, /^SELECT j\.design, coalesce/, /^INSERT INTO (sample|plan|launch|profile|stratum)/, /string_agg\(number::text/, /FROM profile_chunk|profile_column/, /^SELECT p\.profile_id, count\(s\.number\)/];
const CREATES = /INSERT INTO job \(/;

let farm;
before(async () => {
  farm = await startFarm({ args: ['--test-idle', '1h'], privateDatabase: true });
  try {
    farm.psql("LOAD 'auto_explain'");
  } catch {
    return;
  }
  farm.explains = true;
  farm.psql(`LOAD 'auto_explain'; ALTER SYSTEM SET session_preload_libraries = 'auto_explain'; ALTER SYSTEM SET auto_explain.log_min_duration = 0;
    ALTER SYSTEM SET auto_explain.log_analyze = on; ALTER SYSTEM SET auto_explain.log_buffers = on; ALTER SYSTEM SET auto_explain.log_timing = off;
    ALTER SYSTEM SET auto_explain.log_format = json;`);
  await farm.kill('SIGTERM');
  await farm.start();
});
after(() => farm?.stop());

const logs = () => join(farm.state, 'postgres/log');
const logFiles = () => readdirSync(logs()).filter((f) => f.startsWith('postgresql-')).map((f) => join(logs(), f));
const lengths = () => new Map(logFiles().map((f) => [f, statSync(f).size]));

/** Statements that ended since then: text -> blocks of the costliest execution and of all, and the number of executions. */
function statements(since) {
  const of = new Map();
  for (const file of logFiles()) {
    const text = readFileSync(file).subarray(since.get(file) ?? 0).toString();
    for (const [, json] of text.matchAll(/LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g)) {
      let reported;
      try { reported = JSON.parse(json.replaceAll(/^\t/gm, '')); } catch { continue; } // the last one, half written
      const query = reported['Query Text'].replaceAll(/\s+/g, ' '), blocks = reported.Plan['Shared Hit Blocks'] + reported.Plan['Shared Read Blocks'];
      const known = of.get(query) ?? { most: 0, all: 0, times: 0 };
      of.set(query, { most: Math.max(known.most, blocks), all: known.all + blocks, times: known.times + 1 });
    }
  }
  return of;
}

const head = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
async function planOf(launches) {
  const rows = Array.from({ length: launches }, (_, i) => `${1000 * i + 5},${400 + (i * 37) % 997},${i + 1},${1 + i % 4},1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,"k${i % 4}"`);
  const profile = await farm.profile(Buffer.from(`${head}\n${rows.join('\n')}\n`), { name: `large-${launches}.csv` });
  return farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', error: 1e-6, confidence: 0.95, seed: 1 });
}

/** A run of this number of jobs, some leased and some done, with all its pages, then cancelled, with its pages again. */
async function life(jobs) {
  const plan = await planOf(jobs), since = lengths(), w = await new ScriptedWorker(farm, { engines: ['replay'], slots: 64 }).openAlive();
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] }), at = `/runs/${run.id}`;
  assert.equal(run.jobs, jobs);
  const counts = async () => (await farm.api('GET', at)).counts;
  await until('all jobs', async () => (await counts()).blocked === 0, 60000);
  const leases = await w.claimPack(64, 1);
  await w.finish(leases.slice(0, 32));
  await until('how long it will take', async () => (await farm.api('GET', at)).eta_s > 0);
  const known = () => farm.psql(`SELECT json_build_object('blocked', count(*) FILTER (WHERE state = 'blocked'), 'ready', count(*) FILTER (WHERE state = 'ready'),
    'leased', count(*) FILTER (WHERE state = 'leased'), 'done', count(*) FILTER (WHERE state = 'done'), 'failed', count(*) FILTER (WHERE state = 'failed'),
    'cancelled', count(*) FILTER (WHERE state = 'cancelled')) FROM job WHERE run_id = '${run.id}'`);
  assert.deepEqual(await counts(), JSON.parse(known()));
  const states = ['blocked', 'ready', 'leased', 'done', 'failed', 'cancelled'];
  const pages = async () => {
    for (const page of ['', '/projection', '/estimate', '/metrics', '/compare', '/not-simulated', '/strata', '/convergence', '/events'])
      assert.equal((await farm.request('GET', at + page)).status, 200, page);
    const now = await counts();
    for (const state of states) {
      const { items, next } = await farm.api('GET', `${at}/jobs?limit=20&state=${state}`);
      assert.equal(items.length, Math.min(20, now[state]), state);
      assert.ok(items.every((j) => j.state === state), state);
      if (next) assert.ok((await farm.api('GET', `${at}/jobs?limit=20&state=${state}&after=${next}`)).items.length > 0, state);
    }
    const { items } = await farm.api('GET', `${at}/jobs?limit=20`);
    for (const page of [`/jobs/${items[0].id}`, `${at}/jobs?limit=20&stratum=0`, '/runs', '/workloads', '/farm', '/farm/activity', `/plans/${plan.id}`, '//metrics'])
      assert.equal((await farm.request('GET', page)).status, 200, page);
  };
  await pages();
  await farm.api('POST', `${at}/cancel`);
  await until('all to be cancelled', async () => { const { ready, leased } = await counts(); return ready + leased === 0; });
  assert.deepEqual(await counts(), JSON.parse(known()));
  farm.psql('VACUUM job'); // as the sweeper does; otherwise the first reader visits the dead index entries of jobs that were ready
  await pages();
  w.fallSilent();
  return statements(since);
}

/** Statements that cost more of `many` than their growth allows: query to a sentence. */
function growth(few, many) {
  const grown = new Map();
  for (const [query, { most, times }] of many) {
    const before = few.get(query);
    if (!before || CREATES.test(query)) continue; // statements that create jobs are checked below
    const whole = WHOLE.some((of) => of.test(query));
    if (most > (whole ? 5 : 1.5) * before.most + SLACK)
      grown.set(query, `${before.most} blocks, then ${most} (${times} times; ${[...query.matchAll(/state = '\w+'/g)].at(-1)}): ${query.slice(0, 300)}`);
  }
  return grown;
}

test('the cost of a run’s statements grows at most linearly with its jobs, and that of its pages does not grow', { timeout: 900000 }, async (t) => {
  if (!farm.explains) return t.skip('PostgreSQL has no auto_explain here');
  const few = await life(FEW);
  let many, grown;
  // A query plan from just before a table's first ANALYZE may scan the table once. So only a growth in each of three runs counts.
  for (let i = 0; i < 3 && (!grown || grown.size); i++) {
    many = await life(MANY);
    assert.ok(many.size > 50, `${many.size} statements`);
    const now = growth(few, many);
    grown = grown ? new Map([...grown].filter(([query]) => now.has(query))) : now;
  }
  assert.deepEqual([...grown.values()], []);
  const made = (of) => [...of].filter(([query]) => CREATES.test(query)).reduce((sum, [, { all }]) => sum + all, 0);
  assert.ok(made(few) > FEW, 'the statement that creates jobs was seen');
  assert.ok(made(many) / MANY < 1.5 * (made(few) / FEW), `${made(few) / FEW} blocks a job of ${FEW}, ${made(many) / MANY} of ${MANY}`);
});

test('a small run beside a large plan does not read the large plan', { timeout: 300000 }, async (t) => {
  if (!farm.explains) return t.skip('PostgreSQL has no auto_explain here');
  await planOf(3 * MANY);
  const small = await planOf(20);
  farm.psql('ANALYZE');
  await farm.kill('SIGTERM');
  await farm.start(); // so that PostgreSQL plans its statements with these tables
  const since = lengths();
  await farm.api('POST', `/plans/${small.id}/runs`, { engine: 'replay', designs: [] });
  const made = [...statements(since)].filter(([query]) => CREATES.test(query)), pages = Number(farm.psql("SELECT relpages FROM pg_class WHERE relname = 'sample'"));
  assert.ok(made.length > 0 && pages > 2 * SLACK, `${made.length} statements, ${pages} pages of samples`);
  for (const [query, { most }] of made) assert.ok(most < SLACK, `${most} blocks of ${pages}: ${query.slice(0, 200)}`);
});
