// The queue over months and teams: jobs of ended runs are archived and finally deleted, while pages show the same data; teams
// share the workers by simulation time; priorities; restarted workers.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker, report, sha256 } from './scripted_worker.mjs';

let farm, seed = 300;
// Scripted workers send no heartbeats, and no test here needs a dead one.
before(async () => { farm = await startFarm({ args: ['--test-heartbeat', '1s', '--test-dead-after', '15min', '--test-archive-after', '1s'] }); });
after(async () => { await farm?.stop(); });

const worker = (about) => new ScriptedWorker(farm, { engines: ['replay'], ...about }).open();
const jobsOf = async (run) => (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items;

async function newPlan(error = 0.05) {
  const profile = await farm.profile(report(++seed), { name: `q${seed}.csv`, workload: `queue ${seed}` });
  return farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error, confidence: 0.95, seed: 1 });
}
/** Waits until the server has read its runs again, so that the next claim uses the changes made by SQL. */
const seenByServer = async (plan) => farm.api('POST', `/runs/${(await newRun(plan)).id}/cancel`);
const newRun = (plan, more = {}) => farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [], ...more });
const archived = (run) => until('the run to be archived', () => farm.psql(`SELECT archived_at IS NOT NULL FROM run WHERE id = '${run.id}'`) === 't');

test('jobs of an ended run are archived; its pages do not change', async () => {
  const plan = await newPlan(), run = await newRun(plan), w = await worker();
  const [first] = await w.claimPack(1, 1);
  await w.complete([{ job: first.job, attempt: first.attempt, outcome: 'bad_input', message: 'not this one', last_lines: 'the last lines', host_seconds: 1, cpu_seconds: 1, peak_bytes: 1, result: null }]);
  await w.drain();
  await until('the rest', async () => { await w.drain(); return (await farm.api('GET', `/runs/${run.id}`)).finished_at; });
  const pages = async () => Promise.all([`/runs/${run.id}`, `/runs/${run.id}/jobs?limit=1000`, `/jobs/${first.job}`, `/runs/${run.id}/projection`, `/runs/${run.id}/estimate`]
    .map(async (path) => ({ ...(await farm.api('GET', path)), as_of: null })));
  await until('its projection', async () => (await farm.api('GET', `/runs/${run.id}`)).designs[0].projection.done === plan.samples_count - 1);
  const result = (await jobsOf(run)).find((j) => j.result).result;
  const before = await pages();
  await archived(run);
  assert.equal(farm.psql(`SELECT count(*) FROM job WHERE run_id = '${run.id}'`), '0');
  assert.equal(farm.psql(`SELECT count(*) FROM attempt a JOIN job_archive j ON j.id = a.job_id WHERE j.run_id = '${run.id}'`), '0');
  assert.deepEqual(await pages(), before);
  assert.equal((await farm.api('GET', `/results/${result}`)).simulator, 'replay');
  assert.equal((await farm.api('GET', `/jobs/${first.job}`)).attempts[0].last_lines, 'the last lines');

  // a failed job is retried: the run returns from the archive, ends, and is archived again
  const again = await farm.api('POST', `/jobs/${first.job}/retry`);
  assert.equal(again.state, 'ready');
  assert.equal(await w.drain(), 1);
  assert.equal((await farm.finished(run.id)).counts.done, plan.samples_count);
  await archived(run);
  assert.equal((await jobsOf(run)).filter((j) => j.state === 'done').length, plan.samples_count);
});

test('a job that is needed again during archiving is moved back', async () => {
  const plan = await newPlan(), run = await newRun(plan), w = await worker(), [first] = await w.claimPack(1, 1);
  await w.fail([first], 'bad_input');
  await until('the rest', async () => { await w.drain(); return (await farm.api('GET', `/runs/${run.id}`)).finished_at; });
  await archived(run);
  farm.psql(`BEGIN; UPDATE run SET archived_at = NULL, ended_counts = NULL, finished_at = now() + interval '1 hour' WHERE id = '${run.id}';
    WITH left_behind AS (DELETE FROM job_archive WHERE id = '${first.job}' RETURNING *) INSERT INTO job SELECT * FROM left_behind; COMMIT`);
  assert.equal((await farm.api('POST', `/jobs/${first.job}/retry`)).state, 'ready');
  assert.deepEqual([farm.psql(`SELECT count(*) FROM job WHERE run_id = '${run.id}'`), farm.psql(`SELECT count(*) FROM job_archive WHERE run_id = '${run.id}'`)],
    [String(plan.samples_count), '0']);
  assert.equal(await w.drain(), 1);
  assert.equal((await farm.finished(run.id)).counts.done, plan.samples_count);
  await archived(run);
});

test('an ended run is projected once; the key of its result does not change', async () => {
  const plan = await newPlan(), run = await newRun(plan), w = await worker();
  await until('its end', async () => { await w.drain(); return (await farm.api('GET', `/runs/${run.id}`)).finished_at; });
  await archived(run); // archiving waits for every projection of the run
  // a projection of fewer samples may have begun before the last result arrived; it contains the state of the run at its end
  assert.equal(farm.psql(`SELECT count(*) FROM event WHERE topic = 'run:${run.id}' AND kind = 'run.progress' AND params ->> 'state' = 'done'
    AND (params -> 'projections' -> 0 ->> 'done')::integer = ${plan.samples_count}`), '1');
  assert.equal(farm.psql("SELECT encode(result_key_replay('aa', 12345678901), 'hex')"), sha256('replay|aa|12345678901'));
});

test('many small runs are archived together, also beside a run whose server was killed during its cancellation', async () => {
  const plan = await newPlan(), w = await worker(), first = await newRun(plan);
  await w.drain();
  await farm.finished(first.id);
  const left = await newRun(await newPlan());
  farm.psql(`UPDATE run SET state = 'cancelled', finished_at = now() - interval '1 minute', projected_version = version WHERE id = '${left.id}'`);
  const runs = await Promise.all(Array.from({ length: 60 }, () => newRun(plan)));
  const ids = [first, ...runs, left].map((r) => `'${r.id}'`);
  await until('all to be archived', () => farm.psql(`SELECT count(*) FROM run WHERE archived_at IS NULL AND id IN (${ids})`) === '0', 120000, 200);
  assert.deepEqual(farm.psql(`SELECT DISTINCT ended_counts ->> 'done' FROM run WHERE plan_id = '${plan.id}'`), String(plan.samples_count));
  assert.equal(farm.psql(`SELECT ended_counts ->> 'cancelled' FROM run WHERE id = '${left.id}'`), String(left.jobs));
  assert.equal(farm.psql(`SELECT count(*) FROM job_archive WHERE run_id = '${left.id}' AND state = 'cancelled'`), String(left.jobs));
});

test('archives are emptied after their retention time; projections stay', async () => {
  const plan = await newPlan(), run = await newRun(plan), w = await worker();
  await w.drain();
  const value = (await farm.finished(run.id)).designs[0].projection.value;
  await archived(run);
  farm.psql(`UPDATE run SET finished_at = finished_at - interval '91 days' WHERE id = '${run.id}';
    UPDATE attempt_archive SET ended_at = ended_at - interval '31 days' WHERE job_id IN (SELECT id FROM job_archive WHERE run_id = '${run.id}')`);
  await until('its jobs to be deleted', () => farm.psql(`SELECT dropped_at IS NOT NULL FROM run WHERE id = '${run.id}'`) === 't');
  assert.deepEqual(await jobsOf(run), []);
  const after = await farm.api('GET', `/runs/${run.id}`);
  assert.equal(after.designs[0].projection.value, value);
  assert.equal(after.counts.done, plan.samples_count);
  await until('its attempts to be deleted', () => farm.psql("SELECT count(*) FROM attempt_archive WHERE ended_at < now() - interval '30 days'") === '0');
});

test('a deleted run leaves no job and no attempt', async () => {
  const plan = await newPlan(), run = await newRun(plan), w = await worker();
  await w.drain();
  await farm.finished(run.id);
  farm.psql(`DELETE FROM run WHERE id = '${run.id}'`);
  for (const t of ['', '_archive'])
    assert.equal(farm.psql(`SELECT (SELECT count(*) FROM job${t} WHERE run_id = '${run.id}') + (SELECT count(*) FROM attempt${t} a WHERE NOT EXISTS (SELECT 1 FROM job${t} j WHERE j.id = a.job_id))`), '0');
});

test('a session that claims twice at the same time gets each lease once', async () => {
  const plan = await newPlan(0.02), run = await newRun(plan), w = await worker({ slots: 64 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => w.claimPack(2, 1)));
  const jobs = answers.flat().map((l) => l.job);
  assert.equal(new Set(jobs).size, jobs.length);
  assert.ok(answers.every((leases) => leases.length <= 2), 'not more than requested');
  await w.finish(answers.flat());
  await w.drain();
  await farm.finished(run.id);
});

test('a lease whose answer was lost returns to the queue without cost to a budget; leases that the worker lists stay', async () => {
  const plan = await newPlan(0.02), run = await newRun(plan), w = await worker({ slots: 8 });
  const known = await w.claimPack(1, 1), lost = await w.claimPack(1, 1);
  assert.deepEqual([known.length, lost.length], [1, 1]);
  await w.beat(known);
  assert.equal((await farm.api('GET', `/jobs/${lost[0].job}`)).state, 'leased', 'its answer may be in transit');
  farm.psql(`UPDATE job SET leased_at = leased_at - interval '16 minutes' WHERE id IN ('${known[0].job}', '${lost[0].job}')`);
  assert.deepEqual(await w.beat(known), []);
  const [a, b] = [await farm.api('GET', `/jobs/${known[0].job}`), await farm.api('GET', `/jobs/${lost[0].job}`)];
  assert.deepEqual([a.state, b.state], ['leased', 'ready']);
  assert.deepEqual(b.attempts.map((x) => [x.outcome, x.message]), [['released', "the worker does not know this job: the reply to its claim was lost"]]);
  assert.equal(farm.psql(`SELECT losses + troubles + failures FROM job WHERE id = '${b.id}'`), '0');
  await w.finish(known);
  await w.drain();
  assert.equal((await farm.finished(run.id)).counts.done, plan.samples_count);
});

test('within a team, higher priority runs first', async () => {
  const plan = await newPlan(0.02), other = await newPlan(0.02);
  const low = await newRun(plan), high = await newRun(other, { priority: 7 });
  farm.psql(`UPDATE run SET jobs = 1000 WHERE id IN ('${low.id}', '${high.id}')`); // so that neither run has the priority of a small new run
  assert.equal((await farm.api('GET', `/runs/${high.id}`)).priority, 7);
  await assert.rejects(newRun(plan, { priority: 1.5 }), (e) => e.status === 422);
  await assert.rejects(newRun(plan, { priority: 101 }), (e) => e.status === 422);
  await seenByServer(plan);
  const w = await worker({ slots: 64 }), [lease] = await w.claimPack(1, 1);
  assert.equal((await farm.api('GET', `/jobs/${lease.job}`)).run, high.id);
  await w.finish([lease]);
  await w.drain();
  await Promise.all([farm.finished(low.id), farm.finished(high.id)]);
});

test('teams get workers in proportion to their shares', async () => {
  // a second team with a copy of the first team's jobs, created by SQL, and three times its share of the workers
  const plan = await newPlan(0.02), run = await newRun(plan), jobs = Number(farm.psql(`SELECT jobs FROM run WHERE id = '${run.id}'`));
  await farm.api('POST', '/teams', { team: 'other' });
  for (const share of [0, -1, 1001, '3', null]) await assert.rejects(farm.api('PATCH', '/teams/other', { share }), (e) => e.status === 422 || e.status === 400, `${share}`);
  await assert.rejects(farm.api('PATCH', '/teams/absent', { share: 3 }), (e) => e.status === 404);
  await farm.api('PATCH', '/teams/other', { share: 3 });
  assert.deepEqual((await farm.api('GET', '/teams')).items.map((t) => [t.team, t.share]), [['default', 1], ['other', 3]]);
  farm.psql(`BEGIN;
    CREATE TEMP TABLE ids AS SELECT (SELECT id FROM team WHERE slug = 'other') AS team, uuid_at(now()) AS workload, uuid_at(now()) AS run;
    SET session_replication_role = replica;
    CREATE TEMP TABLE p AS SELECT f.* FROM profile f JOIN plan l ON l.profile_id = f.id WHERE l.id = '${plan.id}';
    UPDATE p SET id = ids.workload, team_id = ids.team, import_id = ids.run FROM ids; INSERT INTO profile SELECT * FROM p;
    CREATE TEMP TABLE l AS SELECT * FROM plan WHERE id = '${plan.id}'; UPDATE l SET id = ids.workload, profile_id = ids.workload FROM ids; INSERT INTO plan SELECT * FROM l;
    INSERT INTO sample SELECT (jsonb_populate_record(s, jsonb_build_object('plan_id', ids.workload))).* FROM sample s, ids WHERE s.plan_id = '${plan.id}';
    CREATE TEMP TABLE r AS SELECT * FROM run WHERE id = '${run.id}'; UPDATE r SET id = ids.run, plan_id = ids.workload FROM ids; INSERT INTO run SELECT * FROM r;
    INSERT INTO run_design SELECT ids.run, number, design_sha256, name, clock_hz FROM run_design, ids WHERE run_id = '${run.id}';
    INSERT INTO job (id, run_id, seq, sample, design, state, ready_at, key) SELECT uuid_at(now()), ids.run, seq, sample, design, 'ready', now(), sha256(j.id::text::bytea) FROM job j, ids WHERE run_id = '${run.id}';
    UPDATE run SET jobs = 1000 WHERE id IN ('${run.id}', (SELECT run FROM ids)); COMMIT;`);
  await seenByServer(plan);
  const w = await worker({ slots: 64 }), many = Math.min(16, jobs);
  // All claims at once, because the age of leases counts too and differs between machines.
  const leases = (await Promise.all(Array.from({ length: many }, () => w.claimPack(1, 1)))).flat();
  const mine = leases.filter((l) => farm.psql(`SELECT run_id FROM job WHERE id = '${l.job}'`) === run.id).length;
  assert.ok(Math.abs(mine - many / 4) <= 1, `${mine} of ${many} to the team that has a quarter`);
  await w.finish(leases);
  farm.psql(`DELETE FROM team WHERE slug = 'nobody'; UPDATE run SET state = 'cancelled', finished_at = now() WHERE plan_id <> '${plan.id}' AND state = 'running'`);
  await w.drain();
  await farm.finished(run.id);
});

test('a restarted worker names its old session, whose jobs return at once', async () => {
  const plan = await newPlan(0.02), run = await newRun(plan);
  const w = await worker({ name: 'rebooted' }), leases = await w.claim(4, 0);
  assert.ok(leases.length > 0);
  const stranger = await worker({ name: 'stranger', replaces: w.session });
  assert.equal((await w.beat(leases)).length, 0, 'a worker cannot end the session of another');
  const anew = await worker({ name: 'rebooted', replaces: w.session });
  await assert.rejects(w.beat(leases), (e) => e.status === 410);
  const attempts = (await farm.api('GET', `/jobs/${leases[0].job}`)).attempts;
  assert.deepEqual(attempts.map((a) => a.outcome), ['lost']);
  await until('all of it', async () => { await anew.drain(); await stranger.drain(); return (await farm.api('GET', `/runs/${run.id}`)).finished_at; });
  assert.equal((await farm.api('GET', `/runs/${run.id}`)).counts.done, plan.samples_count);
});

test('two servers on one database: each wakes claims that wait at the other, jobs run once, and one server may be killed', async () => {
  const other = await startFarm({ args: ['--database', farm.databaseUrl(), '--blob-store', farm.state, '--test-heartbeat', '1s', '--test-dead-after', '15min'], database: farm.databaseUrl(), token: farm.token });
  try {
    const plan = await newPlan(0.02), here = await worker({ slots: 8 }), claims = await farm.metric('vivace_claims_total'), waiting = here.claim(1, 25);
    await farm.claimsBeyond(claims);
    const run = await other.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
    const woken = await waiting;
    assert.ok(woken.length > 0, 'woken by a request to the other server');
    await here.finish(woken);
    await until('a hint from the other server', async () => await farm.metric('vivace_hints_received_total') > 0);

    // leased at one server and completed at the other, by both workers at once
    const there = await new ScriptedWorker(farm, { name: 'there', slots: 8, engines: ['replay'] }).open();
    there.farm = other;
    const second = await newRun(await newPlan(0.02)), seen = [];
    const over = async () => (await Promise.all([run, second].map((r) => farm.api('GET', `/runs/${r.id}`)))).every((r) => r.state === 'done');
    const work = async (w, at) => {
      for (let leases; (leases = await w.claimPack(2, 2, 1)).length > 0 || !(await over());) {
        seen.push(...leases.map((l) => l.job));
        w.farm = at; // both servers know the session
        assert.ok((await w.finish(leases)).every((i) => i.accepted && !i.reason));
      }
    };
    await Promise.all([work(here, other), work(there, farm)]);
    assert.equal(new Set(seen).size, seen.length);
    await Promise.all([farm.finished(run.id), farm.finished(second.id)]);

    const third = await newRun(await newPlan(0.02));
    here.farm = other;
    const [held] = await here.claimPack(1, 1, 20);
    await other.kill('SIGKILL');
    here.farm = farm;
    assert.deepEqual(await here.beat([held]), [], 'its lease outlives the server that gave it');
    await here.finish([held]);
    await until('the rest', async () => { await here.drain(); return (await farm.api('GET', `/runs/${third.id}`)).state === 'done'; });
  } finally {
    await other.stop();
  }
});
