// Wrong results are discarded: they are marked, their jobs are simulated again, and everything that was computed from them is
// deleted.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, good, tracedPlan } from './scripted_worker.mjs';

const RIGHT = 1000, WRONG = 7777;
let farm, env, plan, honest, faulty;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min', '--test-archive-after', '1s'] });
  env = { ...process.env, XDG_CONFIG_HOME: farm.folder };
  spawnSync(program('vivace'), ['login', farm.url, '--token-file', join(farm.state, 'admin-token')], { env });
  plan = await tracedPlan(farm);
  honest = await new ScriptedWorker(farm, { name: 'honest' }).openAlive();
  faulty = await new ScriptedWorker(farm, { name: 'faulty' }).openAlive();
});
after(() => farm?.stop());

const vivace = (...args) => spawnSync(program('vivace'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const get = (id) => farm.api('GET', `/runs/${id}`);
const start = (options = {}) => farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'a100'], engine: 'cycle', ...options });
const discard = (options) => farm.api('POST', '/discards', { why: 'bad memory', ...options });
const jobsOf = async (id) => (await farm.api('GET', `/runs/${id}/jobs?limit=1000`)).items;
const refused = (asked, status, words) => assert.rejects(asked, (e) => e.status === status && words.test(e.message));
const archived = (id) => until('its archive', () => farm.psql(`SELECT archived_at IS NOT NULL FROM run WHERE id = '${id}'`) === 't');
const values = (id) => farm.psql(`SELECT DISTINCT t.value FROM (SELECT * FROM job UNION ALL SELECT * FROM job_archive) j JOIN result t ON t.id = j.result_id WHERE j.run_id = '${id}' ORDER BY 1`);

let a, b, wrong, report, link, listedAs;
test('a wrong worker: two runs use its results', async () => {
  a = await start();
  const leases = await faulty.claim(3);
  assert.equal(leases.length, 3);
  report = leases.map((l) => good(l, WRONG));
  assert.ok((await faulty.complete(report)).every((i) => i.accepted));
  await honest.drain(() => RIGHT);
  assert.equal((await farm.finished(a.id)).state, 'done');
  b = await start();
  assert.equal((await farm.finished(b.id)).cached, b.jobs, 'the second one has all of it already');
  await archived(a.id);
  assert.equal(values(a.id), `${RIGHT}\n${WRONG}`);
  wrong = (await jobsOf(a.id)).filter((j) => report.some((o) => o.job === j.id)).map((j) => j.result);
  const r = await farm.api('GET', `/results/${wrong[0]}`);
  assert.deepEqual([r.worker, r.discarded, /^[0-9a-f]{64}$/.test(r.key)], ['faulty', null, true]);
  link = await farm.api('POST', '/shares', { kind: 'run', object: a.id, frozen: true, name: 'for the review' });
});

test('only a site admin can discard results, and must give the reason', async () => {
  const { token } = await farm.api('POST', '/tokens', { name: 'member', scopes: ['read', 'write', 'admin'] });
  await refused(farm.api('POST', '/discards', { worker: 'faulty', why: 'x' }, { Authorization: `Bearer ${token}` }), 403, /./);
  await refused(discard({}), 422, /give at least one of/);
  await refused(farm.api('POST', '/discards', { worker: 'faulty' }), 422, /`why` is missing/);
  await refused(discard({ worker: 'faulty', from: 'tomorrow' }), 422, /`from` must be a day or a time/);
  await refused(discard({ from: '2026-99-99' }), 422, /`from` must be a day or a time/);
  await refused(discard({ result: 'abc' }), 422, /64 hex digits/);
  await refused(discard({ worker: 'nobody' }), 404, /no valid or quarantined result matches/);
  assert.equal(vivace('results', 'discard', '--worker', 'faulty', '--why', 'x').status, 64, 'a script must say --yes');
  assert.match(vivace('results', 'discard', '--worker', 'faulty', '--yes').stderr, /--why is missing/);
});

test('a preview shows the effect of a discard and changes nothing', async () => {
  const cost = await farm.api('POST', '/discards', { worker: 'faulty', dry_run: true });
  assert.deepEqual([cost.results, cost.jobs, cost.runs, cost.runs_over, cost.teams, cost.frozen_links, cost.id], [3, 6, 2, 2, 1, 1, undefined]);
  assert.deepEqual(cost.workers, [{ worker: 'faulty', simulator: honest.about.simulator, results: 3 }]);
  const shown = vivace('results', 'discard', '--worker', 'faulty', '--dry-run');
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /^3 results, stored from .*\n {2}3 of faulty, simulator .*\n6 jobs in 2 runs of 1 team to be simulated again; 2 had ended, and go on\n1 frozen link/);
  assert.equal((await get(a.id)).state, 'done');
  for (const [options, n] of [[{ simulator: honest.about.simulator }, a.jobs], [{ result: wrong[0] }, 1], [{ to: '2020-01-01' }, 0], [{ from: '2020-01-01', worker: 'honest' }, a.jobs - 3]])
    assert.equal(await farm.api('POST', '/discards', { ...options, dry_run: true }).then((c) => c.results, (e) => (e.status === 404 ? 0 : assert.fail(e))), n, JSON.stringify(options));
});

test('discarded results are marked, and all runs that used them are simulated and projected again', async () => {
  const before = (await get(b.id)).designs[0].projection.value, rows = farm.psql('SELECT count(*) FROM result');
  const done = vivace('results', 'discard', '--worker', 'faulty', '--why', 'bad memory', '--yes');
  assert.equal(done.status, 0, done.stderr);
  for (const run of [a, b]) {
    const now = await get(run.id);
    assert.deepEqual([now.state, now.counts.ready, now.counts.done, now.finished_at], ['running', 3, run.jobs - 3, null]);
    assert.match((await farm.api('GET', `/runs/${run.id}/events`)).items.map((x) => x.text).join('\n'), /^3 of its results were found wrong and are discarded \(bad memory\)/m);
    await until('its projection without them', async () => { const p = (await get(run.id)).designs.map((d) => d.projection); return p.every((x) => x.value !== before) && p.reduce((n, x) => n + x.done, 0) === run.jobs - 3; });
  }
  assert.equal(farm.psql('SELECT count(*) FROM result'), rows, 'none is deleted');
  const marked = await farm.api('GET', `/results/${wrong[0]}`);
  assert.deepEqual([marked.discarded.why, marked.value, marked.use.workload_name], ['bad memory', WRONG, 'decoder']);
  await refused(farm.api('POST', `/results/${wrong[0]}/series`, {}), 409, /was discarded/);
  await refused(discard({ worker: 'faulty' }), 404, /no valid or quarantined result matches/);
  const [listed] = (await farm.api('GET', '/discards')).items;
  assert.deepEqual([listed.by, listed.why, listed.chosen, listed.results, listed.jobs, listed.runs], ['owner', 'bad memory', { worker: 'faulty' }, 3, 6, 2]);
  listedAs = listed.id;
  const effect = await farm.api('GET', `/discards/${listed.id}`);
  assert.deepEqual([effect.why, effect.jobs, effect.jobs_done, effect.jobs_open, effect.jobs_failed], ['bad memory', 6, 0, 6, 0]);
  assert.deepEqual(effect.workers, [{ worker: 'faulty', simulator: honest.about.simulator, results: 3 }]);
  assert.deepEqual(effect.used_by.map((r) => [r.run, r.team, r.state, r.jobs, r.jobs_done]), [b, a].map((r) => [r.id, 'default', 'running', 3, 0]));
  for (const r of effect.used_by) assert.deepEqual(r.answers.map((x) => [x.design, x.change, x.outside]), [['v100', null, null], ['a100', null, null]], 'no answer yet');
  await refused(farm.api('GET', '/discards/00000000-0000-7000-8000-000000000000'), 404, /no results were discarded/);
  assert.match(vivace('results', 'discarded').stdout, /owner +3 +6 +2 +bad memory/);
  const audit = (await farm.api('GET', '/audit?action=result.discard')).items;
  assert.ok(audit.some((x) => x.object === listed.id && x.outcome === 201 && x.actor === 'owner'));
});

test('a frozen link reports that its figures use discarded results', async () => {
  const who = await farm.api('GET', '/session', undefined, { Authorization: `Bearer ${link.url.slice(3)}` });
  assert.ok(Date.parse(who.share.discarded_at) >= Date.parse(who.share.frozen_at)); // whole seconds
});

test('a repeated report of the wrong worker does not count', async () => {
  const items = await faulty.complete(report);
  assert.deepEqual(items.map((i) => [i.accepted, i.reason]), Array(3).fill([false, 'the result of this attempt was discarded']));
  assert.equal((await get(a.id)).counts.ready, 3);
});

test('other workers simulate the jobs, and both runs end with the correct results', async () => {
  await honest.drain(() => RIGHT);
  for (const run of [a, b]) {
    const ended = await farm.finished(run.id);
    assert.deepEqual([ended.state, ended.counts.done], ['done', run.jobs]);
    assert.equal(values(run.id), `${RIGHT}`);
    assert.deepEqual(ended.designs.map((d) => [d.projection.complete, Math.round(d.projection.value)]), Array(2).fill([true, 160 * RIGHT]), 'all launches took the same time');
  }
});

test('the discard shows that all were simulated again, and how much the answers changed', async () => {
  const effect = await farm.api('GET', `/discards/${listedAs}`);
  assert.deepEqual([effect.jobs_done, effect.jobs_open, effect.jobs_failed], [6, 0, 0]);
  for (const run of effect.used_by) {
    assert.deepEqual([run.state, run.jobs, run.jobs_done], ['done', 3, 3]);
    for (const answer of run.answers) {
      const was = 160 * RIGHT / (1 + answer.change);
      assert.ok(answer.change < 0 && was > 160 * RIGHT && was < 160 * WRONG, JSON.stringify(answer));
      assert.equal(answer.outside, Math.abs(answer.change) > answer.half_width_before, JSON.stringify(answer));
    }
  }
});

test('jobs of a cancelled run lose their result, and the run stays cancelled', async () => {
  const run = await start({ designs: ['h100'] });
  await honest.finish(await honest.claim(2), () => WRONG);
  await farm.api('POST', `/runs/${run.id}/cancel`, {});
  const { results } = await discard({ from: new Date(Date.parse(run.created_at) - 1000).toISOString(), worker: 'honest', why: 'also wrong' });
  assert.ok(results >= 2);
  const now = await get(run.id);
  assert.deepEqual([now.state, now.counts.cancelled, now.counts.done], ['cancelled', run.jobs, 0]);
});
