// PostgreSQL over TCP with a synchronous replica: the primary is lost in the middle of a run and the replica takes its place, for
// servers that know both clusters by their addresses, and for servers behind PgBouncer.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from './chaos/proxy.mjs';
import { startPair } from './cluster_pair.mjs';
import { postgresPrograms, startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { pgbouncer } from './tcp_database.mjs';
import { replayRun } from './work.mjs';

/** `use` receives the pair of clusters and a proxy that connects to the primary. */
async function withPair(use) {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-pair-')), begun = [];
  chmodSync(folder, 0o755);
  try {
    const pair = await startPair(join(folder, 'database'), postgresPrograms());
    begun.push(() => pair.stop());
    const primary = await startProxy({ listen: { host: '127.0.0.1', port: 0 }, target: { host: '127.0.0.1', port: pair.port }, seed: 1 });
    begun.push(() => primary.stop());
    await use(pair, primary, begun);
  } finally {
    for (const end of begun.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const kind of ['both addresses', 'PgBouncer'])
  test(`a run continues after a fail-over: ${kind}`, { timeout: 300000, skip: kind === 'PgBouncer' && !pgbouncer ? 'pgbouncer is not installed' : false }, () => withPair(async (pair, primary, begun) => {
    const direct = pair.address(primary.port);
    let way = ['--database', pair.address(pair.port).replace(`localhost:${pair.port}`, pair.slots.map((s) => `localhost:${s.port}`).join(','))];
    if (kind === 'PgBouncer') {
      await pair.startPooler(primary.port);
      way = ['--database', pair.pooled, '--database-direct', direct];
    }
    const farm = await startFarm({ database: direct, args: [...way, '--test-dead-after', '15min'] });
    begun.push(() => farm.stop());
    const run = await replayRun(farm, 1, { designs: [] }), worker = await new ScriptedWorker(farm, { engines: ['replay'] }).open();
    const leases = await until('leases', async () => { const l = await worker.claimPack(1, 1, 5); return l.length ? l : null; });
    await pair.failOver();
    primary.move({ host: '127.0.0.1', port: pair.port });
    const again = (ask) => until('the database', () => ask().catch((e) => { if (![500, 503].includes(e.status)) throw e; }), 60000);
    const before = await again(() => farm.api('GET', `/runs/${run.id}`));
    assert.deepEqual([before.jobs, before.counts.leased], [run.jobs, leases.length], 'acknowledged data exists');
    assert.ok((await again(() => worker.finish(leases))).every((i) => i.accepted));
    await again(() => worker.drain());
    const done = await farm.finished(run.id);
    assert.deepEqual([done.state, done.counts.done], ['done', run.jobs]);
    assert.equal(farm.server.exitCode, null, 'the server lived through it');
  }));

test('no write is acknowledged without the replica, however long the replica is unavailable', { timeout: 300000 }, () => withPair(async (pair, primary, begun) => {
  const farm = await startFarm({ database: pair.address(primary.port), args: ['--database', pair.address(primary.port), '--test-dead-after', '15min'] });
  begun.push(() => farm.stop());
  const replica = pair.slots[1 - pair.primary];
  pair.signalAll(replica, 'SIGSTOP');
  const asked = farm.request('POST', '/tokens', { name: 'in doubt', scopes: ['read'] }).then((r) => r.status, () => 'cut');
  const answer = await Promise.race([asked, sleep(15000).then(() => 'waits')]);
  assert.ok(answer === 'waits' || answer >= 500 || answer === 'cut', `it was answered ${answer} while the replica did not have the data`);
  pair.signalAll(replica, 'SIGCONT');
  await until('a successful request', async () => (await farm.request('POST', '/tokens', { name: 'sure', scopes: ['read'] }).catch(() => ({}))).status === 201, 60000);
}));
