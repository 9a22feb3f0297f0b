// A farm whose simulator was upgraded in the middle of a run: the run reports the version that it needs, and continues with the
// new one on request.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, tracedPlan } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

const OLD = '0.0.1';
let farm, env;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] });
  env = { ...process.env, XDG_CONFIG_HOME: farm.folder };
  spawnSync(program('vivace'), ['login', farm.url, '--token-file', join(farm.state, 'admin-token')], { env });
});
after(() => farm?.stop());

const vivace = (...args) => spawnSync(program('vivace'), args, { env, encoding: 'utf8' });
const doctor = (check) => JSON.parse(vivace('farm', 'doctor', '--json').stdout).find((c) => c.check === check);
const get = (id) => farm.api('GET', `/runs/${id}`);
const refused = (asked, status, words) => assert.rejects(asked, (e) => e.status === status && words.test(e.message));
const restart = (id, simulator = 'new') => farm.api('POST', `/runs/${id}/restart`, { simulator });

/** A run that the farm created with an older simulator. */
async function oldRun(plan, options = {}) {
  const run = await farm.api('POST', `/plans/${plan}/runs`, { designs: ['v100', 'a100'], engine: 'cycle', ...options });
  farm.psql(`UPDATE run SET simulator = '${OLD}' WHERE id = '${run.id}';
    UPDATE job j SET key = k.key, waits_on = (SELECT l.id FROM job l WHERE l.key = k.key AND l.state IN ('ready', 'leased') AND l.waits_on IS NULL)
      FROM (SELECT o.id, result_key_cycle(o.trace_sha256, d.design_sha256, '${OLD}') AS key FROM job o JOIN run_design d ON d.run_id = o.run_id AND d.number = o.design
             WHERE o.run_id = '${run.id}') k WHERE j.id = k.id`);
  return get(run.id);
}

let plan, old, fresh;
test('a run reports that no connected worker has its simulator version', async () => {
  plan = await tracedPlan(farm);
  old = await oldRun(plan.id);
  assert.equal(old.simulator, OLD);
  const nobody = await get(old.id);
  assert.deepEqual(nobody.stranded, { jobs: old.jobs, workers: 0, simulators: [] });
  assert.match(vivace('run', 'show', old.id).stdout, new RegExp(`^${old.jobs} jobs wait and no worker is connected`, 'm'));
  const before = await new ScriptedWorker(farm, { name: 'before', simulator: OLD, slots: 2 }).openAlive();
  assert.equal((await get(old.id)).stranded, null, 'one that has it is there');
  assert.equal((await before.finish(await before.claim(2), () => 5000)).length, 2);
  const third = await before.claim(1);
  before.fallSilent();
  farm.psql(`UPDATE worker_session SET state = 'dead' WHERE id = '${before.session}'`);
  assert.equal(third.length, 1);
  fresh = await new ScriptedWorker(farm, { name: 'fresh' }).openAlive();
  assert.equal((await fresh.claim(4)).length, 0, 'results of versions do not mix');
  const run = await until('the lease of the dead session to go back', async () => { const r = await get(old.id); return r.counts.leased === 0 && r; });
  assert.deepEqual(run.stranded, { jobs: old.jobs - 2, workers: 1, simulators: [fresh.about.simulator] });
  assert.match(vivace('run', 'show', old.id).stdout,
    new RegExp(`${old.jobs - 2} jobs wait for simulator ${OLD}, which no connected worker has \\(they have ${fresh.about.simulator}\\): .*vivace run restart ${old.id} --simulator new`));
  await until('the metric', async () => await farm.metric('vivace_runs_stranded') === 1);
  assert.deepEqual([doctor('simulators').state, doctor('simulators').detail], ['wrong', '1 run needs a simulator version that no connected worker has']);
});

test('a restarted run is simulated by the present version, and no other results count', async () => {
  await refused(restart(old.id, '9.9.9'), 422, /`simulator` must be "new" or the version that the farm has/);
  await refused(farm.api('POST', `/runs/${old.id}/restart`, {}), 422, /simulator/);
  assert.match(vivace('runs', 'restart', old.id).stderr, /--simulator new/);
  const known = farm.psql(`SELECT count(*) FROM result WHERE simulator = '${OLD}'`);
  // another run, which still has the old version, waits for one of its jobs
  const waits = await oldRun(plan.id);
  assert.equal(farm.psql(`SELECT count(*) FROM job WHERE run_id = '${waits.id}' AND waits_on IS NOT NULL`), `${old.jobs - 2}`);
  assert.match(vivace('runs', 'restart', old.id, '--simulator', 'new').stdout, /running/);
  const run = await get(old.id);
  assert.deepEqual([run.simulator, run.stranded, run.counts.ready, run.counts.done, run.cached], [fresh.about.simulator, null, old.jobs, 0, 0]);
  assert.equal(run.designs[0].projection.value, null, 'results of the other version are not projected');
  assert.equal(farm.psql(`SELECT count(*) FROM job w JOIN job l ON l.id = w.waits_on WHERE w.key <> l.key`), '0', 'no job waits for another simulation');
  assert.match((await farm.api('GET', `/runs/${old.id}/events`)).items[0].text, new RegExp(`owner restarted the run: all of it is simulated by ${fresh.about.simulator}\\. 2 results of ${OLD} count no longer`));
  await refused(restart(old.id), 409, /already uses simulator /);
  await fresh.drain(() => 1000);
  const ended = await farm.finished(old.id);
  assert.equal(ended.state, 'done');
  assert.ok(ended.designs.every((d) => d.projection.complete));
  assert.deepEqual(farm.psql(`SELECT DISTINCT t.simulator FROM result t JOIN (SELECT * FROM job UNION ALL SELECT * FROM job_archive) j ON j.result_id = t.id WHERE j.run_id = '${old.id}'`), fresh.about.simulator);
  assert.equal(farm.psql(`SELECT count(*) FROM result WHERE simulator = '${OLD}'`), known, 'they stay known');
  assert.ok((await farm.api('GET', '/audit')).items.some((a) => a.action === 'run.restart'));
  await refused(restart(old.id), 409, /is done, so it cannot be restarted/);
  // the other run finds all results
  await restart(waits.id);
  assert.deepEqual((({ state, cached }) => [state, cached])(await farm.finished(waits.id)), ['done', waits.jobs]);
});

test('runs that another version cannot continue are refused, and the message names the next step', async () => {
  await refused(restart((await replayRun(farm)).id), 409, /has no simulator version/);
  const other = await tracedPlan(farm, { seed: 2, workload: 'other' }), ruled = await oldRun(other.id, { until: 0.2 });
  farm.psql(`UPDATE run_rule SET settled = true WHERE run_id = '${ruled.id}'`);
  await refused(restart(ruled.id), 409, /rule has used results of simulator 0\.0\.1 in an interim analysis/);
});
