// A share of new results is simulated by a second worker too. If the bytes differ, neither result is used until a site admin
// decides.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, ended, good, tracedPlan } from './scripted_worker.mjs';
import { cycleRun, programs } from './work.mjs';

let farm, env;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min', '--recheck', '100%'] });
  env = { ...process.env, XDG_CONFIG_HOME: farm.folder };
  spawnSync(program('vivace'), ['login', farm.url, '--token-file', join(farm.state, 'admin-token')], { env });
});
after(() => farm?.stop());

const vivace = (...args) => spawnSync(program('vivace'), args, { env, encoding: 'utf8' });
const doctor = (check) => JSON.parse(vivace('farm', 'doctor', '--json').stdout).find((c) => c.check === check);
const count = (state) => Number(farm.psql(`SELECT count(*) FROM recheck JOIN task ON task_id = id WHERE ${state}`));
const get = (id) => farm.api('GET', `/runs/${id}`);
const start = (plan) => farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], engine: 'cycle' });
/** The rechecks that a worker gets. */
const rechecks = async (w) => {
  const jobs = new Set(farm.psql(`SELECT id FROM task WHERE kind = 'recheck'`).split('\n'));
  return (await w.claim()).filter((l) => jobs.has(l.job));
};

let first, second, run;
test('another worker simulates each new result again, never the same one', async () => {
  const plan = await tracedPlan(farm);
  run = await start(plan);
  first = await new ScriptedWorker(farm, { name: 'first', slots: 2 }).openAlive();
  await first.drain(() => 1000);
  assert.equal((await farm.finished(run.id)).state, 'done', 'no run waits for it');
  assert.equal(count("state = 'ready'"), run.jobs);
  assert.deepEqual(await first.claim(), [], 'it has simulated them');
  second = await new ScriptedWorker(farm, { name: 'second', slots: 2 }).openAlive();
  const [lease] = await until('a recheck', async () => { const l = await rechecks(second); return l.length ? l : null; });
  assert.deepEqual([lease.record ?? false, lease.engine], [false, 'cycle']);
  assert.deepEqual(await second.beat([lease]), [], 'its lease is known');
  await second.complete([ended(lease, 'disk')]);
  assert.equal(count("state = 'ready'"), run.jobs, 'a failed recheck is retried');
  assert.deepEqual((await second.complete([good(lease)])).map((i) => i.accepted), [false], 'its lease has ended');
  await until('all of them', async () => {
    for (const l of await rechecks(second)) assert.ok((await second.complete([good(l)]))[0].accepted);
    return count("state = 'done' AND agrees AND second = 'second'") === run.jobs;
  });
  await until('the metric', async () => await farm.metric('vivace_rechecks{state="agree"}') === run.jobs);
  assert.equal(await farm.metric('vivace_results_quarantined'), 0);
  assert.equal(doctor('results').state, 'ok');
});

let other;
test('when two results differ, neither is used, and the run reports it', async () => {
  const plan = await tracedPlan(farm, { seed: 2, workload: 'other' });
  other = await start(plan);
  await first.drain(() => 1000);
  await farm.finished(other.id);
  const [lease] = await until('a recheck', async () => { const l = await rechecks(second); return l.length ? l : null; });
  assert.ok((await second.complete([good(lease, 1001)]))[0].accepted);
  const result = farm.psql(`SELECT result_id FROM task WHERE id = '${lease.job}'`);
  await until('the quarantine', () => farm.psql(`SELECT quarantined FROM result WHERE id = '${result}'`) === 't');
  const now = await farm.finished(other.id);
  assert.deepEqual([now.counts.done, now.counts.failed], [other.jobs - 1, 1]);
  await until('the projection without it', async () => (await get(other.id)).designs[0].projection.done === other.jobs - 1);
  const [job] = (await farm.api('GET', `/runs/${other.id}/jobs?state=failed`)).items;
  assert.deepEqual([job.failure.class, job.result], ['quarantined', null]);
  assert.match(job.failure.detail, /two workers simulated it, and had different results/);
  assert.match((await farm.api('GET', `/runs/${other.id}/events`)).items.map((x) => x.text).join('\n'),
    /^1 of its jobs have no result any more: workers first and second had different results\./m);
  const said = await farm.api('GET', `/results/${result}`);
  assert.deepEqual([said.disputed, said.discarded.by, said.discarded.quarantined], [true, 'the farm', true]);
  assert.equal(farm.psql(`SELECT worker FROM result_dispute WHERE result_id = '${result}'`), 'second', 'the other result is stored too');
  await until('the metric', async () => await farm.metric('vivace_results_quarantined') === 1);
  assert.deepEqual([doctor('results').state, /1 results differ between two workers/.test(doctor('results').detail)], ['wrong', true]);
  // another run of the same plan does not use the result either
  const again = await start(plan);
  assert.equal(again.counts.ready, 1);
  await farm.api('POST', `/runs/${again.id}/cancel`, {});
});

test('a site admin decides: the job is simulated and checked again', async () => {
  const done = vivace('results', 'discard', '--quarantined', '--why', 'second has bad memory', '--yes');
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(await get(other.id).then((r) => [r.state, r.counts.ready, r.counts.failed]), ['running', 1, 0]);
  const third = await new ScriptedWorker(farm, { name: 'third', slots: 2 }).openAlive();
  await third.drain(() => 1000);
  const end = await farm.finished(other.id);
  assert.deepEqual([end.state, end.counts.done], ['done', other.jobs]);
  assert.equal(Math.round(end.designs[0].projection.value), 160 * 1000);
  await until('the metric', async () => await farm.metric('vivace_results_quarantined') === 0);
  for (const w of [first, second, third]) w.fallSilent();
});

test('real workers give identical bytes', { timeout: 300000 }, async () => {
  farm.psql(`UPDATE worker_session SET state = 'dead'`);
  const made = await cycleRun(farm, programs(), 3);
  for (const name of ['one', 'two']) farm.startWorker(['--name', name]);
  await farm.finished(made.id);
  // only this run: real workers also recheck the invented results of the scripted workers, and those differ
  const compared = () => farm.psql(`SELECT agrees FROM recheck JOIN task ON task.id = task_id
    JOIN job USING (result_id) WHERE job.run_id = '${made.id}' AND agrees IS NOT NULL`).split('\n').filter(Boolean);
  await until('the comparisons', () => compared().length === made.jobs, 120000);
  assert.deepEqual(compared(), Array(made.jobs).fill('t'));
});
