// What the farm page shows: when workers were at which run, what waits, what was slow, and nothing of other teams.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { startFarm } from './harness.mjs';
import { ScriptedWorker, ended, good, report } from './scripted_worker.mjs';

let farm, run, worker;
before(async () => {
  farm = await startFarm({ args: ['--dead-after', '15min'] }); // its scripted worker does not beat by itself
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'decoder' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed: 1 });
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  worker = await new ScriptedWorker(farm, { name: 'w-lane' }).open();
});
after(async () => { await farm?.stop(); });

test('lanes, queue and facts follow what a worker does', async () => {
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
  const [lease, ...others] = await worker.claim(1); // replays come in packs
  const busy = await farm.api('GET', '/farm/activity?seconds=60');
  assert.deepEqual(busy.lanes.map((l) => [l.worker, l.run, l.workload_name, l.jobs, l.failed, l.going]), [['w-lane', run.id, 'decoder', 1 + others.length, 0, true]]);
  assert.deepEqual([busy.queue[0].leased, busy.queue[0].share_of_busy], [1 + others.length, 1]);
  assert.deepEqual(await sums(), [run.jobs, 0], 'what is under way is in the queue still');
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

test('a worker’s history; other teams see that there was work, not whose', async () => {
  const { items: [row] } = await farm.api('GET', '/workers');
  const { items } = await farm.api('GET', `/workers/${row.id}/attempts`);
  assert.ok(items.some((a) => a.outcome === 'bad_input' && a.message === 'it fell' && a.run === run.id));
  assert.ok(items.every((a, i) => i === 0 || a.ended_at <= items[i - 1].ended_at));
  await assert.rejects(farm.api('GET', '/workers/x/attempts'), (e) => e.status === 404);
  await assert.rejects(farm.api('GET', '/farm/activity?seconds=1'), (e) => e.status >= 400 && e.status < 500);
  farm.psql("INSERT INTO team (slug) VALUES ('blue')");
  farm.psql("UPDATE profile SET team_id = (SELECT id FROM team WHERE slug = 'blue')"); // now it is theirs
  const seen = await farm.api('GET', '/farm/activity');
  assert.ok(seen.lanes.length > 0 && seen.lanes.every((l) => l.run === null && l.workload_name === null));
  assert.deepEqual(seen.slowest, []);
  const history = (await farm.api('GET', `/workers/${row.id}/attempts`)).items;
  assert.ok(history.length > 0 && history.every((a) => a.run === null && a.job === null && a.message === null));
});
