// A cancellation with a deadline: the server stores it, so any client can undo it, and it survives a restart.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, plan;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] });
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'cancelled later' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
});
after(async () => { await farm?.stop(); });

const newRun = () => farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
const getRun = (run) => farm.api('GET', `/runs/${run.id}`);
const post = (run, what, body) => farm.api('POST', `/runs/${run.id}/${what}`, body);
const eventsOf = async (run) => (await farm.api('GET', `/runs/${run.id}/events`)).items;
const isCancelled = (run) => until('the run to be cancelled', async () => (await getRun(run)).state === 'cancelled');
/** Sets the deadline to now, so that no test waits for it. */
const due = (run) => farm.psql(`UPDATE run SET cancel_at = now() WHERE id = '${run.id}' AND cancel_at IS NOT NULL`);
const vivace = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });

test('a run with a pending cancellation is paused; undoing it restores the previous state', async () => {
  const run = await newRun();
  assert.equal(run.cancel_at, null);
  const waiting = await post(run, 'cancel', { after_s: 3600 });
  assert.equal(waiting.state, 'paused');
  assert.ok(Date.parse(waiting.cancel_at) > Date.parse(run.created_at) + 3590e3, waiting.cancel_at);
  assert.deepEqual(await (await new ScriptedWorker(farm, { engines: ['replay'] }).openAlive()).claim(), [], 'no job is given out');
  assert.equal((await post(run, 'cancel', { after_s: 10 })).cancel_at, waiting.cancel_at, 'requested twice: the first deadline counts');
  const back = await post(run, 'cancel/undo');
  assert.deepEqual([back.state, back.cancel_at], ['running', null]);
  assert.deepEqual([(await post(run, 'cancel/undo')).state], ['running'], 'nothing waits: nothing changes');
  await post(run, 'pause');
  await post(run, 'cancel', { after_s: 3600 });
  assert.equal((await post(run, 'cancel/undo')).state, 'paused');
  await post(run, 'cancel', { after_s: 3600 });
  const resumed = await post(run, 'resume');
  assert.deepEqual([resumed.state, resumed.cancel_at], ['running', null], 'resuming takes it back, too');
  const said = (await eventsOf(run)).map((e) => e.kind);
  assert.deepEqual(['run.cancel_asked', 'run.cancel_undone'].map((k) => said.filter((s) => s === k).length), [3, 2]);
  const log = (await farm.api('GET', '/audit?limit=1000')).items.filter((a) => a.action === 'run.undo');
  assert.deepEqual(log.map((a) => a.object.includes(run.id)), [true, true], 'each that changed something is in the audit log');
  await post(run, 'cancel', { after_s: 3600 });
  assert.equal((await post(run, 'cancel')).state, 'cancelled', 'without a time: at once');
  await assert.rejects(post(run, 'cancel/undo'), (e) => e.status === 409 && /cannot be taken back/.test(e.message));
});

test('the cancellation happens at its time, also after a restart of the server', async () => {
  const [now, later] = [await newRun(), await newRun()];
  await post(later, 'cancel', { after_s: 3600 });
  await post(now, 'cancel', { after_s: 0.01 });
  await isCancelled(now);
  const events = await eventsOf(now);
  assert.deepEqual([events[0].kind, events[0].params], ['run.moved', { by: 'owner', move: 'cancelled' }]);
  assert.equal((await getRun(later)).state, 'paused');
  await farm.kill();
  await farm.start();
  assert.equal((await getRun(later)).state, 'paused');
  due(later);
  const other = await newRun();
  await post(other, 'cancel', { after_s: 3600 }); // wakes the sweeper
  await isCancelled(later);
  await post(other, 'cancel');
});

test('an invalid time is refused; the program cancels at once or later', async () => {
  const run = await newRun();
  for (const body of [{ after_s: -1 }, { after_s: 3601 }, { after_s: 'soon' }, { after: 10 }]) await assert.rejects(post(run, 'cancel', body), (e) => e.status === 422 || e.status === 400, JSON.stringify(body));
  assert.match(vivace('run', 'cancel', run.id, '--after', '600'), /: paused, cancelled at 20\d\d-/);
  assert.match(vivace('run', 'cancel', run.id, '--undo'), /: running\n/);
  assert.match(vivace('run', 'cancel', run.id), /: cancelled\n/);
});

// This is the last test: a later run of this plan would find all results.
test('a run that ends before its cancellation keeps its final state', async () => {
  const run = await newRun(), worker = await new ScriptedWorker(farm, { engines: ['replay'] }).openAlive();
  const leases = await worker.claim(1000);
  await post(run, 'cancel', { after_s: 3600 });
  await worker.finish(leases);
  const end = await until('the run to end', async () => { const r = await getRun(run); return r.state === 'done' && r; });
  assert.equal(end.cancel_at, null);
  await assert.rejects(post(run, 'cancel', { after_s: 10 }), (e) => e.status === 409);
});

test('a run that ends while the request waits for it is not reported as cancelled', async () => {
  for (const [what, body] of [['cancel', undefined], ['cancel', { after_s: 60 }], ['pause', undefined]]) {
    const run = await newRun();
    // another server has changed the row, and commits while the request waits for it
    const ending = new Promise((done) => execFile('psql', [farm.databaseUrl(), '-Xqc',
      `BEGIN; UPDATE run SET state = 'done', finished_at = now() WHERE id = '${run.id}'; SELECT pg_sleep(1); COMMIT`], farm.asOwner(), done));
    await until('the row to be locked', () => farm.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") === '1');
    const r = await farm.request('POST', `/runs/${run.id}/${what}`, body);
    assert.equal(r.status, 409, await r.clone().text());
    assert.match((await r.json()).detail, /the run is done, so it cannot be/);
    await ending;
  }
});
