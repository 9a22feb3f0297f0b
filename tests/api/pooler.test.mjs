// PgBouncer in transaction mode between a server and its database: it works if it is configured as a pooler; otherwise it is
// refused with a reason. Skipped where the package is missing (Debian: pgbouncer).
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((p) => existsSync(p));
const skip = pgbouncer ? false : 'pgbouncer is not installed';
let farm, pooler, folder;

before(async () => {
  if (skip) return;
  farm = await startFarm({ privateDatabase: true, args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  folder = join(farm.folder, 'pooler');
  const { uid, gid } = farm.asOwner(), own = (path) => uid !== undefined && chownSync(path, uid, gid);
  const url = Object.fromEntries(farm.databaseUrl().split(' ').map((pair) => pair.split('=')));
  mkdirSync(folder);
  own(folder);
  writeFileSync(join(folder, 'ini'), `[databases]\n${url.dbname} = host=${url.host} port=${url.port} dbname=${url.dbname} user=${url.user}\n`
    + `[pgbouncer]\nunix_socket_dir = ${folder}\nlisten_port = 6432\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 4\n`);
  own(join(folder, 'ini'));
  pooler = spawn(pgbouncer, [join(folder, 'ini')], { stdio: ['ignore', 'ignore', 'inherit'], ...farm.asOwner() });
  farm.pooled = `host=${folder} port=6432 dbname=${url.dbname} user=${url.user}`;
  await until('PgBouncer to answer', () => existsSync(join(folder, '.s.PGSQL.6432')));
});
after(async () => {
  pooler?.kill('SIGTERM');
  await farm?.stop();
});

test('a run completes through PgBouncer in transaction mode', { skip }, async () => {
  const b = await startFarm({ args: ['--database', farm.pooled, '--database-direct', farm.databaseUrl(), '--test-dead-after', '15min'],
    database: farm.databaseUrl(), token: farm.token });
  try {
    const profile = await b.profile(report(1), { name: 'pooled.csv', workload: 'pooled' });
    const plan = await b.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.02, confidence: 0.95, seed: 1 });
    const w = await new ScriptedWorker(farm, { engines: ['replay'] }).open();
    w.farm = b;
    const waiting = w.claim(1, 25), run = await b.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
    await w.finish(await waiting);
    await w.drain();
    const done = await b.finished(run.id);
    assert.equal(done.counts.done, plan.samples_count);
    assert.ok(done.designs[0].projection.value > 0);
    await until('notifications between servers use a separate connection', () =>
      Number(farm.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vivace-server' AND query LIKE '%NOTIFY%'")) >= 1);
  } finally {
    await b.stop();
  }
});

test('a pooler without the setting database-direct is refused, and the message names the setting', { skip }, () => {
  const started = (...args) => spawnSync(program('vivace-server'), ['--listen', '127.0.0.1:0', '--state', join(farm.folder, 'refused'), ...args],
    { encoding: 'utf8', timeout: 300000 });
  const silent = started('--database', farm.pooled);
  assert.equal(silent.status, 69, silent.stderr);
  assert.match(silent.stderr, /unsupported startup parameter[^]*--database-direct/);
  const half = started('--database-direct', farm.databaseUrl());
  assert.equal(half.status, 64, half.stderr);
  assert.match(half.stderr, /--database-direct needs --database/);
});
