// The farm page: the runs that workers simulated, waiting jobs, slow samples, and no data of other teams.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker, ended, good, report } from './scripted_worker.mjs';

let farm, run, worker;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'decoder' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed: 1 });
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  worker = await new ScriptedWorker(farm, { name: 'w-lane' }).open();
});
after(async () => { await farm?.stop(); });

test('lanes, queue and facts follow the work of a worker', async () => {
  const idle = await farm.api('GET', '/farm/activity');
  assert.deepEqual([idle.lanes, idle.facts.done, idle.facts.lost_leases], [[], 0, 0]);
  assert.deepEqual(idle.queue.map((q) => [q.run, q.workload_name, q.leased, q.ready, q.share_of_busy]), [[run.id, 'decoder', 0, run.jobs, null]]);
  assert.equal(Date.parse(idle.to) - Date.parse(idle.from), 3600e3);
  const sums = async () => {
    const { queue } = await farm.api('GET', '/farm'), { facts } = await farm.api('GET', '/farm/activity');
    assert.deepEqual([queue.total, facts.trouble], [queue.blocked + queue.ready + queue.leased, facts.failed + facts.lost_leases]);
    return [queue.total, facts.trouble];
  };
  assert.deepEqual(await sums(), [run.jobs, 0]);
  const [lease, ...others] = await worker.claim(1); // replay jobs are leased in packs
  const busy = await farm.api('GET', '/farm/activity?seconds=60');
  assert.deepEqual(busy.lanes.map((l) => [l.worker, l.run, l.workload_name, l.jobs, l.failed, l.going]), [['w-lane', run.id, 'decoder', 1 + others.length, 0, true]]);
  assert.deepEqual([busy.queue[0].leased, busy.queue[0].share_of_busy], [1 + others.length, 1]);
  assert.deepEqual(await sums(), [run.jobs, 0], 'running jobs are still in the queue');
  assert.ok(Date.parse(busy.lanes[0].from) >= Date.parse(busy.from) && Date.parse(busy.lanes[0].to) <= Date.parse(busy.to));
  await worker.complete([ended(lease, 'bad_input', 'it fell'), ...others.map((l) => good(l))]);
  await worker.drain();
  await farm.finished(run.id);
  const after_ = await farm.api('GET', '/farm/activity');
  assert.deepEqual([after_.queue, after_.facts.done, after_.facts.failed], [[], run.jobs - 1, 1]);
  assert.deepEqual(await sums(), [0, 1]);
  assert.ok(after_.facts.retries === 0 && after_.facts.stored_bytes > 0 && after_.facts.team_stored_bytes > 0);
  assert.equal(after_.lanes.reduce((n, l) => n + l.jobs, 0), run.jobs, 'every attempt is in one interval');
  assert.equal(after_.lanes.reduce((n, l) => n + l.failed, 0), 1);
  assert.ok(after_.slowest.length > 0 && after_.slowest.length <= 10 && after_.slowest.every((s, i, a) => s.run === run.id && (i === 0 || s.host_seconds <= a[i - 1].host_seconds)));
});

test('the history of a worker; other teams see that it worked, but not on which run', async () => {
  const { items: [row] } = await farm.api('GET', '/workers');
  const { items } = await farm.api('GET', `/workers/${row.id}/attempts`);
  assert.ok(items.some((a) => a.outcome === 'bad_input' && a.message === 'it fell' && a.run === run.id));
  assert.ok(items.every((a, i) => i === 0 || a.ended_at <= items[i - 1].ended_at));
  await assert.rejects(farm.api('GET', '/workers/x/attempts'), (e) => e.status === 404);
  await assert.rejects(farm.api('GET', '/farm/activity?seconds=1'), (e) => e.status >= 400 && e.status < 500);
  farm.psql("INSERT INTO team (slug) VALUES ('blue')");
  farm.psql("UPDATE profile SET team_id = (SELECT id FROM team WHERE slug = 'blue')"); // now the run belongs to the other team
  const seen = await farm.api('GET', '/farm/activity');
  assert.ok(seen.lanes.length > 0 && seen.lanes.every((l) => l.run === null && l.workload_name === null));
  assert.deepEqual(seen.slowest, []);
  const history = (await farm.api('GET', `/workers/${row.id}/attempts`)).items;
  assert.ok(history.length > 0 && history.every((a) => a.run === null && a.job === null && a.message === null));
});

/** The expected activity answer for these attempts, counted one by one. Times in microseconds. */
function countedOneByOne(attempts, from, to, ownRuns) {
  const step = (to - from) / 1000, lanes = [];
  const seen = attempts.filter((a) => a.ended > from).map((a) => ({ ...a, began: Math.max(a.began, from) }));
  for (const a of seen.sort((x, y) => x.began - y.began || x.ended - y.ended)) {
    let lane = lanes.findLast((l) => l.worker === a.worker && l.of === a.run);
    if (!lane || a.began > lane.to + step) lanes.push(lane = { worker: a.worker, of: a.run, from: a.began, to: a.ended, jobs: 0, failed: 0 });
    lane.to = Math.max(lane.to, a.ended);
    lane.jobs++;
    lane.failed += a.outcome !== 'ok';
  }
  const count = (is) => seen.filter(is).length, lost = (a) => ['lost', 'overdue'].includes(a.outcome);
  return {
    lanes: lanes.map(({ of, ...l }) => ({ ...l, run: ownRuns.has(of) ? of : null })),
    facts: [count((a) => a.outcome === 'ok'), count((a) => a.outcome !== 'ok' && !lost(a)), count(lost), count((a) => a.number > 1)],
    slowest: seen.filter((a) => a.outcome === 'ok' && ownRuns.has(a.run)).sort((x, y) => y.seconds - x.seconds).slice(0, 10).map((a) => [a.job, a.seconds]),
  };
}

test('activity aggregated by minute shows the same as the attempts', { timeout: 300000 }, async () => {
  farm.psql("UPDATE profile SET team_id = (SELECT id FROM team WHERE slug = 'blue')");
  const profile = await farm.profile(report(2), { name: 'report.csv', workload: 'encoder' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed: 1 });
  const own = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  for (const id of [run.id, own.id])
    farm.psql(`
      INSERT INTO job (id, run_id, seq, sample, design, state, finished_at)
      SELECT gen_random_uuid(), '${id}', 1000000 + i, 0, 0, 'cancelled', now() FROM generate_series(1, 4000) i`);
  // Attempts of the last two hours: most in bursts, some alone, some that begin or end within a burst's minute. Then they are
  // aggregated again.
  farm.psql(`
    BEGIN;
    SELECT setseed(0.25);
    DELETE FROM activity_minute;
    DELETE FROM attempt;
    INSERT INTO attempt (job_id, number, worker, session_id, started_at, ended_at, outcome, message, last_lines, host_seconds)
    SELECT id, 1 + (random() < 0.1)::integer, worker, md5(worker)::uuid, CASE WHEN random() < 0.95 THEN at - random() ^ 4 * interval '200 seconds' END, at,
           (ARRAY['ok','ok','ok','ok','crash','lost','overdue','fetch'])[1 + floor(random() * 8)], '', '', random() * 100
      FROM (SELECT id, 'r-' || floor(random() * 7) AS worker, clock_timestamp() - interval '1 second' - floor(random() * 60) * interval '2 minutes'
                 - random() ^ 2 * interval '110 seconds' AS at FROM job WHERE seq > 1000000) x;
    UPDATE activity_rolled SET upto = '-infinity';
    COMMIT`);
  await until('it to be rolled up', () => farm.psql("SELECT upto > now() - interval '4 minutes' FROM activity_rolled").trim() === 't', 120000);
  assert.ok(Number(farm.psql('SELECT sum(attempts) FROM activity_minute')) > 7000);
  const us = (column) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
  const attempts = farm.psql(`SELECT j.run_id, t.job_id, t.number, t.worker, ${us('coalesce(t.started_at, t.ended_at)')}, ${us('t.ended_at')}, t.outcome, t.host_seconds
      FROM attempt t JOIN job j ON j.id = t.job_id`).trim().split('\n').map((line) => line.split('|'))
    .map(([of, job, number, worker, began, ended_, outcome, seconds]) => ({ run: of, job, number: Number(number), worker, began: Number(began), ended: Number(ended_), outcome, seconds: Number(seconds) }));
  const micro = (time) => Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number((/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(6, '0'));
  const order = (x, y) => x.worker.localeCompare(y.worker) || x.from - y.from || x.to - y.to || x.jobs - y.jobs;
  for (const seconds of [60, 600, 1000, 3600, 7000, 86400]) {
    const { from, to, lanes, facts, slowest } = await farm.api('GET', `/farm/activity?seconds=${seconds}`);
    const want = countedOneByOne(attempts, micro(from), micro(to), new Set([own.id]));
    assert.deepEqual([facts.done, facts.failed, facts.lost_leases, facts.retries], want.facts, `${seconds} s`);
    assert.deepEqual(slowest.map((s) => [s.job, s.host_seconds]), want.slowest, `${seconds} s`);
    const shown = lanes.map((l) => ({ worker: l.worker, from: micro(l.from), to: micro(l.to), jobs: l.jobs, failed: l.failed, run: l.run }));
    assert.deepEqual(shown.sort(order), want.lanes.sort(order), `${seconds} s`);
  }

  // After a retry of a job, its lost attempts no longer count as lost, whether they were aggregated or not.
  const lost = farm.psql(`SELECT t.job_id FROM attempt t JOIN job j ON j.id = t.job_id WHERE t.outcome = 'lost' AND j.run_id = '${own.id}' ORDER BY t.ended_at LIMIT 1`).trim();
  const upto = farm.psql('SELECT upto FROM activity_rolled'); // meanwhile later minutes are aggregated
  const sum = () => farm.psql(`SELECT sum(lost) FROM activity_minute WHERE minute < '${upto}'`).trim();
  const before_ = Number(sum());
  farm.psql(`ALTER TABLE job DISABLE TRIGGER job_moves; UPDATE job SET state = 'failed', failure = 'lost', failure_text = 'lost', key = sha256(id::text::bytea) WHERE id = '${lost}';
    ALTER TABLE job ENABLE TRIGGER job_moves`);
  await farm.api('POST', `/jobs/${lost}/retry`, {});
  assert.equal(Number(sum()), before_ - 1);
});
