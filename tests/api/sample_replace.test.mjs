// Launches that could not be simulated, replaced or dropped at a user's request. A scripted worker replays the values and fails
// the jobs that the test selects.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, worker, seed = 0;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // the scripted worker sends no heartbeats
  worker = await new ScriptedWorker(farm, { slots: 64 }).open();
});
after(async () => { await farm?.stop(); });

const getRun = (id) => farm.api('GET', `/runs/${id}`);
const jobsOf = async (id, query = '') => (await farm.api('GET', `/runs/${id}/jobs?limit=1000${query}`)).items;
const eventsOf = async (id) => (await farm.api('GET', `/runs/${id}/events`)).items.map((e) => e.text);
const samplesOf = async (plan) => (await farm.api('GET', `/plans/${plan}/samples?limit=1000`)).items.map((s) => s.launch);
const ended = (id, done) => until('the run to be over', async () => {
  const r = await getRun(id);
  return r.state === 'done' && r.designs[0].projection?.done === done && r;
});
const refused = (promise, pattern, status = 409, hint = /^/) => assert.rejects(promise, (e) => e.status === status && pattern.test(e.message) && hint.test(e.body.hint ?? ''), `${pattern} ${hint}`);

/** A run whose first `bad` launches have failed, on all designs or only on the design `only`, and whose other jobs are done. No result of its profile was known before. */
async function failedRun(bad, { method = 'srs', share = 0.05, designs = ['v100'], only, ...rule } = {}) {
  const profile = await farm.profile(report(++seed), { name: `report-${seed}.csv`, workload: `taken out ${seed}` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method, share, confidence: 0.95, seed });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs, ...rule });
  const jobs = await jobsOf(run.id), launches = [...new Set(jobs.map((j) => j.launch))].slice(0, bad);
  const lost = new Set(jobs.filter((j) => launches.includes(j.launch) && (!only || only[launches.indexOf(j.launch)] === j.design)).map((j) => j.id));
  for (let leases; (leases = await worker.claimPack(1, 32)).length > 0;) {
    const poor = leases.filter((l) => lost.has(l.job)), rest = leases.filter((l) => !lost.has(l.job));
    if (poor.length) await worker.fail(poor, 'unsupported', 'the trace has an opcode that is unknown');
    if (rest.length) await worker.finish(rest);
  }
  return { run, plan, failed: await jobsOf(run.id, '&state=failed') };
}

test('redraw: the next launch of the stratum replaces it, an ended run continues, and reports it', async () => {
  const { run, plan, failed: [job] } = await failedRun(1);
  const before = await ended(run.id, plan.samples_count - 1), drawn = await samplesOf(before.plan);
  const answer = await farm.api('POST', `/jobs/${job.id}/redraw`, {});
  assert.deepEqual([answer.id, answer.state, answer.not_simulated.replaced], [run.id, 'running', 1]);
  assert.notEqual(answer.plan, before.plan, 'the plan of before stays as it was');
  const now = await samplesOf(answer.plan), fresh = now.filter((i) => !drawn.includes(i));
  assert.deepEqual([now.length, fresh.length, now.includes(job.launch)], [drawn.length, 1, false]);
  assert.deepEqual((await jobsOf(run.id, '&state=ready')).map((j) => j.launch), fresh, 'simulated results stay');
  await refused(farm.api('GET', `/jobs/${job.id}`), /no job/, 404);
  await worker.drain();
  const after_ = await ended(run.id, plan.samples_count), p = after_.designs[0].projection;
  assert.deepEqual([after_.counts.failed, p.complete, p.done], [0, true, plan.samples_count]);
  assert.ok((await eventsOf(run.id)).some((s) => s.includes(`replaced launch ${job.launch}, which could not be simulated, by the next of S0`)));
  const gone = await farm.api('GET', `/runs/${run.id}/not-simulated`);
  assert.deepEqual(gone.items.map((i) => [i.launch, i.failure.class, i.replaced]), [[job.launch, 'unsupported', true]]);
});

test('drop: the run continues without the launch, the interval stays; another try reverses it', async () => {
  const { run, plan, failed: [job, other] } = await failedRun(2);
  const before = await ended(run.id, plan.samples_count - 2);
  assert.equal(job.dropped, false);
  const answer = await farm.api('POST', `/jobs/${job.id}/drop`, {});
  assert.deepEqual([answer.state, answer.not_simulated.dropped, answer.not_simulated.replaced], ['done', 1, 0]);
  assert.match(answer.not_simulated.assumption, /like the others of their strata/);
  assert.deepEqual(answer.designs[0].projection, before.designs[0].projection);
  assert.deepEqual((await jobsOf(run.id, '&state=failed')).map((j) => [j.id, j.dropped]).sort(), [[job.id, true], [other.id, false]].sort());
  await refused(farm.api('POST', `/jobs/${job.id}/drop`, {}), /dropped already/);

  await farm.api('POST', `/jobs/${job.id}/retry`, {});
  assert.equal((await getRun(run.id)).not_simulated.dropped, 0, 'it may be simulated after all');
  await worker.drain();
  const again = await ended(run.id, plan.samples_count - 1);
  assert.deepEqual([again.counts.failed, (await farm.api('GET', `/jobs/${job.id}`)).state], [1, 'done']);
  await refused(farm.api('POST', `/jobs/${job.id}/drop`, {}), /has not failed/);
  await refused(farm.api('POST', `/jobs/${job.id}/redraw`, {}), /has not failed/);
});

test('a launch is dropped on all designs; a dropped launch can still be replaced', async () => {
  const { run, plan, failed } = await failedRun(1, { designs: ['v100', 'h100'] });
  assert.deepEqual([failed.length, new Set(failed.map((j) => j.launch)).size], [2, 1]);
  await farm.api('POST', `/jobs/${failed[0].id}/drop`, {});
  const { not_simulated: gone, plan: grown } = await farm.api('POST', `/jobs/${failed[1].id}/redraw`, {});
  assert.deepEqual([gone.replaced, gone.dropped], [1, 0]);
  assert.equal((await jobsOf(run.id)).filter((j) => j.launch === failed[0].launch).length, 0);
  assert.ok(!(await samplesOf(grown)).includes(failed[0].launch));
  await worker.drain();
  await ended(run.id, plan.samples_count);
});

test('a stratum keeps a sample that has a result or may get one, on each design', async () => {
  const { failed: [one, two], plan } = await failedRun(2, { share: 0.01 });
  assert.equal(plan.samples_count, 2);
  for (const j of [one, two]) await refused(farm.api('POST', `/jobs/${j.id}/drop`, {}), /no other sample of stratum S0 has a result/, 409, /^Draw another.*or try the job again\.$/);
  await farm.api('POST', `/jobs/${two.id}/retry`, {});
  assert.equal((await farm.api('POST', `/jobs/${one.id}/drop`, {})).not_simulated.dropped, 1, 'the other sample may get a result now');
  await worker.drain();

  const apart = await failedRun(2, { share: 0.01, designs: ['v100', 'h100'], only: ['v100', 'h100'] });
  assert.equal(apart.failed.length, 2);
  assert.equal((await farm.api('POST', `/jobs/${apart.failed[0].id}/drop`, {})).not_simulated.dropped, 1, 'the other sample has a result on that design');
  const both = await failedRun(2, { share: 0.01, designs: ['v100', 'h100'] }), [first] = both.failed;
  const rest = both.failed.find((j) => j.launch !== first.launch && j.design !== first.design);
  await farm.api('POST', `/jobs/${rest.id}/retry`, {});
  await refused(farm.api('POST', `/jobs/${first.id}/drop`, {}), /no other sample of stratum S0/);
  await worker.drain();
});

test('methods that choose their samples have no next one; an ended rule keeps its answer; both list the remaining actions', async () => {
  const chosen = await failedRun(1, { method: 'systematic' });
  await refused(farm.api('POST', `/jobs/${chosen.failed[0].id}/redraw`, {}), /no launch can replace/, 409, /^Drop the launch, or try the job again\.$/);
  const none = (await failedRun(Infinity, { method: 'systematic' })).failed[0].id;
  await refused(farm.api('POST', `/jobs/${none}/redraw`, {}), /no launch can replace/, 409, new RegExp(`^The job can only be tried again: .vivace job retry ${none}.[.]$`));
  assert.equal((await farm.api('POST', `/jobs/${chosen.failed[0].id}/drop`, {})).not_simulated.dropped, 1);
  const ruled = await failedRun(1, { share: 0.2, until: 0.5, failures: 'drop' });
  await until('the rule to be settled', async () => {
    await worker.drain();
    return (await getRun(ruled.run.id)).rule.settled;
  });
  await refused(farm.api('POST', `/jobs/${ruled.failed[0].id}/redraw`, {}), /stopping rule has ended/, 409, /^Drop the launch, try the job again, or start another run/);
  await refused(farm.api('POST', `/jobs/00000000-0000-7000-8000-000000000000/drop`, {}), /no job/, 404);
});

test('a request to drop a launch that is being dropped gets a reason', async () => {
  const { run, failed } = await failedRun(2);
  const drops = await Promise.allSettled([...Array(4).fill(failed[0]), ...Array(4).fill(failed[1])].map((j) => farm.api('POST', `/jobs/${j.id}/drop`, {})));
  const refusals = drops.filter((d) => d.status === 'rejected').map((d) => d.reason.message);
  assert.deepEqual([refusals.length, (await getRun(run.id)).not_simulated.dropped], [6, 2], refusals.join());
  for (const message of refusals) assert.match(message, /dropped already/);
});

test('redraw waits for a report in progress, and the report does not wait for it', async () => {
  const own = 77, profile = await farm.profile(report(own), { name: `report-${own}.csv`, workload: 'reports meanwhile' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.05, confidence: 0.95, seed: own });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: ['v100'] });
  const [bad, ...rest] = (await worker.claimPack(1, 32)).sort((a, b) => a.launch - b.launch), drawn = await samplesOf(plan.id);
  await worker.fail([bad], 'unsupported', 'the trace has an opcode that is unknown');
  // the lock order of a report: its jobs, then their run. No other transaction may hold the run while it waits for these jobs:
  // PostgreSQL would end one of the two.
  const psql = spawn('psql', [farm.databaseUrl(), '-XAtq', '-v', 'ON_ERROR_STOP=1'], { ...farm.asOwner(), stdio: ['pipe', 'pipe', 'inherit'] });
  const over = new Promise((resolve) => psql.on('close', resolve));
  psql.stdin.write(`BEGIN; SELECT count(*) FROM (SELECT 1 FROM job WHERE run_id = '${run.id}' AND state = 'leased' FOR UPDATE) j;\n`);
  assert.equal(Number(await once(psql.stdout, 'data')), rest.length);
  const redraw = farm.api('POST', `/jobs/${bad.job}/redraw`, {});
  await until('redraw to wait', () => farm.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '% job j %'") === '1');
  psql.stdin.end(`UPDATE run SET version = version + 1 WHERE id = '${run.id}'; COMMIT;\n`);
  const answers = await Promise.allSettled([over, redraw]);
  assert.equal(answers[0].value, 0, 'the report got its run');
  const now = await samplesOf(answers[1].value.plan);
  assert.ok(now.findIndex((i) => !drawn.includes(i)) > 0, 'running jobs have other numbers now');
  await worker.finish(rest);
  assert.equal(await worker.drain(), 1);
});

test('vivace job redraw and drop', async () => {
  const { run, failed: [one, two] } = await failedRun(2);
  const cli = (...args) => execFileSync(program('vivace'), ['job', ...args], { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  assert.match(cli('drop', one.id), new RegExp(`run ${run.id}: \\w+; launches replaced 0, dropped 1`));
  assert.match(cli('redraw', two.id), new RegExp(`run ${run.id}: running; launches replaced 1, dropped 1`));
  for (const verb of ['redraw', 'show']) assert.throws(() => cli(verb, ''), /missing job id/);
  assert.throws(() => cli('forget', one.id), /none of list, show, retry, redraw, drop/);
});
