// A simulation cannot use connections of the worker that started it, and a worker cannot use leases of sessions with another token.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker, good } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

const O_CLOEXEC = 0o2000000;
let farm;
before(async () => { farm = await startFarm({ args: ['--test-dead-after', '15min'] }); });
after(() => farm?.stop());

test('a program that a worker starts inherits no connections', async () => {
  const worker = farm.startWorker();
  const descriptors = () => readdirSync(`/proc/${worker.pid}/fd`).map((fd) => {
    try {
      return { fd: Number(fd), to: readlinkSync(`/proc/${worker.pid}/fd/${fd}`), flags: parseInt(/flags:\s*(\d+)/.exec(readFileSync(`/proc/${worker.pid}/fdinfo/${fd}`, 'utf8'))[1], 8) };
    } catch { return null; /* closed meanwhile */ }
  }).filter(Boolean);
  await until('a connection to the server', () => /ready for jobs/.test(readFileSync(worker.log, 'utf8')) && descriptors().some((d) => d.fd > 2 && /^socket:/.test(d.to)));
  // Other descriptors are closed when a simulation starts: tests/unit/worker/test_sim_process.c
  const connections = new Set(readFileSync(`/proc/${worker.pid}/net/tcp`, 'utf8').split('\n').slice(1).map((l) => `socket:[${l.trim().split(/\s+/)[9]}]`));
  const ours = descriptors().filter((d) => connections.has(d.to));
  assert.ok(ours.length > 0);
  assert.deepEqual(ours.filter((d) => !(d.flags & O_CLOEXEC)), []);
  worker.kill('SIGTERM');
  await worker.ended;
});

test('a token cannot end an attempt that was leased to another token', async () => {
  const run = await replayRun(farm, 1, { designs: [] });
  const mine = await new ScriptedWorker(farm, { name: 'mine', engines: ['replay'] }).open();
  const stranger = new ScriptedWorker(farm, { name: 'stranger', engines: ['replay'] });
  stranger.token = (await farm.api('POST', '/tokens', { name: 'stranger', scopes: ['worker'] })).token;
  await stranger.open();
  const [lease, second] = await until('two leases', async () => {
    await mine.claimPack(1, 1, 5);
    return mine.held.size === 2 ? [...mine.held.values()] : null;
  });
  for (const session of [stranger.session, mine.session]) { // with either session id in the request
    const { items } = await stranger.api('POST', '/worker/complete', { session, outcomes: [good(lease), { ...good(second), outcome: 'crash', result: null }] });
    assert.deepEqual(items.map((i) => [i.accepted, i.reason]), Array(2).fill([false, 'the lease belongs to a session of another token']));
  }
  const counts = async () => (await farm.api('GET', `/runs/${run.id}`)).counts;
  assert.deepEqual([(await counts()).leased, (await counts()).done], [2, 0]);
  // nor an expired lease: the job is in the queue again, and only the former worker may still send its result
  await mine.fail([second], 'disk');
  const [late] = (await stranger.api('POST', '/worker/complete', { session: stranger.session, outcomes: [good(second)] })).items;
  assert.deepEqual([late.accepted, late.reason], [false, 'the lease belongs to a session of another token']);
  assert.equal((await counts()).done, 0);
  assert.ok((await mine.complete([good(lease), good(second)])).every((i) => i.accepted));
  assert.equal((await counts()).done, 2);
  // nor a lease of a job that is done or cancelled: a second result would be stored beside the first, or be used by other runs
  const [third] = await mine.claimPack(1, 1, 5);
  await farm.api('POST', `/runs/${run.id}/cancel`, {});
  for (const l of [lease, third]) {
    const [item] = (await stranger.api('POST', '/worker/complete', { session: stranger.session, outcomes: [good(l)] })).items;
    assert.deepEqual([item.accepted, item.reason], [false, 'the lease belongs to a session of another token']);
  }
  assert.equal(farm.psql(`SELECT count(*) FROM result t JOIN job j ON j.key = t.key WHERE j.id = '${third.job}'`), '0');
  assert.equal((await mine.complete([good(third)]))[0].accepted, true);
  assert.equal(farm.psql(`SELECT count(*) FROM result t JOIN job j ON j.key = t.key WHERE j.id = '${third.job}'`), '1', 'the result is kept');
});

/** A worker with its own token. */
async function stranger(name) {
  const w = new ScriptedWorker(farm, { name, engines: ['cycle', 'replay'] });
  w.token = (await farm.api('POST', '/tokens', { name, scopes: ['worker'] })).token;
  return w.open();
}
const refusal = (asked) => asked.then(() => null, (e) => [e.status, e.body.detail]);
const GONE = [410, 'this worker session is not alive, or was opened with another token'];

test('a token cannot claim, send heartbeats or report in the session of another token', async () => {
  await replayRun(farm, 2, { designs: [] });
  const mine = await new ScriptedWorker(farm, { name: 'owner', engines: ['replay'] }).open();
  const leases = await until('a lease', async () => { const l = await mine.claimPack(1, 1, 5); return l.length ? l : null; });
  const other = await stranger('claims-as-another');
  const seen = () => farm.psql(`SELECT seen_at FROM worker_session WHERE id = '${mine.session}'`);
  const before = seen();
  const ask = (path, body) => refusal(other.api('POST', `/worker/${path}`, { session: mine.session, ...body }));
  assert.deepEqual(await ask('claim', { slots: 4, wait_s: 0 }), GONE);
  assert.deepEqual(await ask('heartbeat', { running: [] }), GONE);
  assert.deepEqual(await ask('heartbeat', { running: [], ending: true }), GONE);
  assert.equal(seen(), before, 'a token cannot keep the session of another alive');
  // both requests are in one transaction, so that one batch has the session with two tokens
  await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? mine.beat(leases) : ask('heartbeat', { running: [], ending: true }).then((r) => assert.deepEqual(r, GONE)))));
  assert.deepEqual(await mine.beat(leases), [], 'alive, with its own lease');
  assert.ok((await mine.complete(leases.map((l) => good(l)))).every((i) => i.accepted));
});

test('a token cannot end a recording that was leased to another token', async () => {
  const other = await stranger('records-as-another'), mine = await stranger('records');
  const report = { session: mine.session, result: '018f0000-0000-7000-8000-000000000001', attempt: 1, outcome: 'disk', message: 'x' };
  assert.deepEqual(await refusal(other.api('POST', '/worker/recordings', report)), [403, 'the lease does not belong to a session of this token']);
  assert.equal(await refusal(mine.api('POST', '/worker/recordings', report)), null, 'an attempt that no job waits for is skipped');
});

test('a session is replaced by its own token, or when that token is no longer valid', async () => {
  const state = (w) => farm.psql(`SELECT state FROM worker_session WHERE id = '${w.session}'`);
  const token = await farm.api('POST', '/tokens', { name: 'first', scopes: ['worker'] });
  const open = async (with_, replaces) => {
    const w = new ScriptedWorker(farm, { name: 'moved', engines: ['replay'], replaces });
    w.token = with_;
    return w.open();
  };
  const first = await open(token.token), second = await farm.api('POST', '/tokens', { name: 'second', scopes: ['worker'] });
  await open(second.token, first.session);
  assert.equal(state(first), 'alive', 'another token\'s session stays');
  const third = await open(token.token, first.session);
  assert.equal(state(first), 'dead');
  await farm.api('DELETE', `/tokens/${token.id}`);
  await open(second.token, third.session);
  assert.equal(state(third), 'dead', 'the worker has a new token, as the old one was revoked');
});
