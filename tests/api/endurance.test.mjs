// What an acknowledged upload survives: kill -9 of the server and of PostgreSQL, a full disk, an orderly stop.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync, existsSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFarm, until, program, sharedData } from './harness.mjs';

const pieces = 8 << 20;
function report(megabytes) { // a CSV of that size, filled with names
  const lines = ['Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name'];
  for (let i = 0, n = 0; n < megabytes << 20; i++) {
    const line = `${i * 10},${5 + i % 9},${i},4,1,1,128,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,${'k'.repeat(250)}${i % 7}`;
    n += line.length + 1;
    lines.push(line);
  }
  return Buffer.from(lines.join('\n') + '\n');
}
const piece = (bytes, n) => bytes.subarray(n * pieces, (n + 1) * pieces);
const staged = (farm) => readdirSync(join(farm.state, 'staging')).filter((f) => !f.startsWith('upload-'));

test('an upload continues after kill -9 of the server; the next server takes over its PostgreSQL', async () => {
  const farm = await startFarm({ privateDatabase: true });
  try {
    const bytes = report(20);
    const up = await farm.api('POST', '/uploads', { name: 'big.csv', bytes: bytes.length });
    await farm.api('PUT', `/uploads/${up.id}/pieces/1`, piece(bytes, 1));
    const cut = farm.request('PUT', `/uploads/${up.id}/pieces/0`, piece(bytes, 0)).catch(() => {}); // the request may succeed or fail
    const postgres = farm.postgresPid();
    await farm.kill('SIGKILL');
    await cut;
    writeFileSync(join(farm.state, 'staging', 'stage-1-1'), 'left behind');
    await farm.start();
    assert.equal(farm.postgresPid(), postgres, 'the same postmaster');
    assert.match(farm.log(), /a running private database was taken over/);
    assert.equal(farm.log().split('This is the first start').length, 2, 'no second owner token');
    const left = (await farm.api('GET', `/uploads/${up.id}`)).missing;
    assert.ok(!left.includes(1), 'an acknowledged piece stays');
    assert.ok(left.includes(2));
    assert.deepEqual(staged(farm), [], 'the staged files of the killed server are deleted');
    for (const n of left) await farm.api('PUT', `/uploads/${up.id}/pieces/${n}`, piece(bytes, n));
    const i = await farm.imported((await farm.api('POST', `/uploads/${up.id}/finish`)).import);
    assert.equal(i.state, 'ready', i.problem?.detail);
    assert.equal(i.rows, bytes.toString().split('\n').length - 2);
  } finally {
    await farm.stop();
  }
});

test('imports that kill -9 interrupts start again; no partial import is visible', async () => {
  const farm = await startFarm({ privateDatabase: true });
  try {
    const bytes = report(24);
    for (const wait of [0, 60, 250, 600]) {
      const id = await farm.upload(bytes, { name: `cut-${wait}.csv` });
      await new Promise((r) => setTimeout(r, wait));
      await farm.kill('SIGKILL');
      await farm.start();
      const seen = await farm.api('GET', `/imports/${id}`);
      for (const w of (await farm.api('GET', '/workloads')).items)
        assert.ok(w.profile, `${w.name} is listed with its profile or not at all`);
      const i = await farm.imported(id);
      assert.equal(i.state, 'ready', `${wait} ms (then ${seen.state}): ${i.problem?.detail}`);
      assert.equal((await farm.api('GET', `/workloads/${i.workload}`)).profiles.length, 1);
      const p = await farm.api('GET', `/profiles/${i.profile}`);
      const h = await farm.api('GET', `/profiles/${i.profile}/histogram?bins=3`);
      assert.equal(h.strata[0].n, p.launches, 'every chunk is there');
    }
  } finally {
    await farm.stop();
  }
});

test('PostgreSQL killed: 503 with Retry-After, then normal answers again', async () => {
  const farm = await startFarm({ privateDatabase: true });
  try {
    const before = farm.postgresPid();
    await farm.api('POST', '/uploads', { name: 'x', bytes: 10 });
    // Without this file it cannot start again, so it stays away until the test restores the file.
    const needed = join(farm.state, 'postgres/data/PG_VERSION');
    renameSync(needed, `${needed}.away`);
    process.kill(before, 'SIGKILL');
    const away = await until('the database to be away', async () => {
      const r = await farm.request('GET', '/workloads');
      return r.status === 503 ? r : null;
    });
    assert.ok(Number(away.headers.get('retry-after')) > 0);
    assert.equal((await away.json()).code, 'database');
    assert.equal((await farm.request('GET', '//healthz')).status, 200, 'the process is alive');
    renameSync(`${needed}.away`, needed);
    await until('the database to be back', async () => (await farm.request('GET', '//readyz')).status === 200);
    assert.notEqual(farm.postgresPid(), before);
    assert.equal((await farm.api('GET', '/workloads')).items.length, 0);
    await farm.api('POST', '/uploads', { name: 'x', bytes: 10 });
  } finally {
    await farm.stop();
  }
});

test('connections that PostgreSQL closed while idle make no request fail', async () => {
  const farm = await startFarm({ privateDatabase: true }), clients = "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
  try {
    await Promise.all(Array.from({ length: 40 }, () => farm.request('GET', '/workloads'))); // every thread opens a connection
    const pids = await until('eight connections', () => { // the server's own threads open connections when they need them
      const all = farm.psql(`SELECT string_agg(pid::text, ',') ${clients}`);
      return all.split(',').length >= 8 && all;
    });
    farm.psql(`SELECT count(pg_terminate_backend(pid)) ${clients}`);
    // Not read from pg_stat_activity: a session leaves that view before it closes its socket.
    await until('the sessions to end', () => !pids.split(',').some((pid) => existsSync(`/proc/${pid}`)));
    for (let i = 0; i < 20; i++) assert.equal((await farm.request('GET', '/workloads')).status, 200, `call ${i}`);
  } finally {
    await farm.stop();
  }
});

test('SIGTERM finishes requests, then stops PostgreSQL; a second server on the same folder is refused', async () => {
  const farm = await startFarm({ privateDatabase: true });
  try {
    const second = spawnSync(program('vivace-server'), ['--listen', '127.0.0.1:0', '--state', farm.state], { encoding: 'utf8' });
    assert.notEqual(second.status, 0);
    assert.match(second.stderr, /another vivace-server uses the state folder/);
    const postgres = farm.postgresPid();
    const bytes = report(8).subarray(0, pieces);
    const up = await farm.api('POST', '/uploads', { name: 'x', bytes: pieces });
    const put = farm.request('PUT', `/uploads/${up.id}/pieces/0`, bytes).then((r) => r.status, () => 'cut');
    await new Promise((r) => setTimeout(r, 15));
    const end = await farm.kill('SIGTERM');
    assert.deepEqual(end, { code: 0, signal: null });
    assert.throws(() => process.kill(postgres, 0), /ESRCH/);
    const answer = await put;
    await farm.start();
    const { missing } = await farm.api('GET', `/uploads/${up.id}`);
    if (answer === 204) assert.deepEqual(missing, [], 'acknowledged data exists');
  } finally {
    await farm.stop();
  }
});

test('a full disk: 507 with a message, nothing stored partly, and normal work when there is room', async (t) => {
  if (process.getuid() !== 0) return t.skip('a small file system needs root to mount');
  const mount = mkdtempSync(join(tmpdir(), 'vivace-full-'));
  const how = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=240m,mode=755', 'tmpfs', mount]);
  if (how.status !== 0) { rmSync(mount, { recursive: true }); return t.skip('tmpfs cannot be mounted here'); }
  let farm;
  try {
    const state = join(mount, 'state');
    farm = await startFarm({ state });
    const bytes = report(24);
    const up = await farm.api('POST', '/uploads', { name: 'x.csv', bytes: bytes.length });
    await farm.api('PUT', `/uploads/${up.id}/pieces/0`, piece(bytes, 0));
    const filler = join(mount, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' });
    const full = await farm.request('PUT', `/uploads/${up.id}/pieces/1`, piece(bytes, 1));
    assert.equal(full.status, 507);
    const body = await full.json();
    assert.equal(body.code, 'no_space');
    assert.match(body.detail, /room|space|full/i);
    assert.match(body.hint, /^Free disk space/);
    const more = await farm.request('POST', '/uploads', { name: 'y', bytes: 1 << 20 });
    assert.equal(more.status, 507);
    assert.deepEqual(staged(farm), [], 'nothing half stored');
    assert.ok(!(await farm.api('GET', `/uploads/${up.id}`)).missing.includes(0));
    rmSync(filler);
    for (const n of (await farm.api('GET', `/uploads/${up.id}`)).missing)
      await farm.api('PUT', `/uploads/${up.id}/pieces/${n}`, piece(bytes, n));
    const i = await farm.imported((await farm.api('POST', `/uploads/${up.id}/finish`)).import);
    assert.equal(i.state, 'ready', i.problem?.detail);
  } finally {
    await farm?.stop();
    spawnSync('umount', [mount]);
    rmSync(mount, { recursive: true, force: true });
  }
});

test('the import of a hostile file ends its process, not the server', async () => {
  const farm = await startFarm({ privateDatabase: true, args: ['--import-memory', '256MiB', '--import-time', '10s'] });
  try {
    // four million distinct names: more than the memory limit of the process allows
    const lines = [report(0).toString().trim()];
    for (let i = 0; i < 600000; i++)
      lines.push(`${i},5,${i},4,1,1,128,1,1,16,0.000,0.000,,,,,X (0),1,7,${i}${'n'.repeat(400)}`);
    const id = await farm.upload(Buffer.from(lines.join('\n') + '\n'), { name: 'many.csv' });
    const i = await farm.imported(id, 120000);
    assert.equal(i.state, 'failed');
    assert.match(i.problem.detail, /memory|signal|long/i);
    assert.equal((await farm.request('GET', '//readyz')).status, 200);
  } finally {
    await farm.stop();
  }
});

test('--check, --help, database-url and wrong settings', async () => {
  const run = (...args) => spawnSync(program('vivace-server'), args, { encoding: 'utf8', cwd: tmpdir() });
  const help = run('--help');
  assert.equal(help.status, 0);
  for (const part of ['usage: vivace-server', '--listen', 'default: 127.0.0.1:8080', '--database', '--import-memory', 'Exit codes'])
    assert.ok(help.stdout.includes(part), part);
  const typo = run('--lisen', 'x');
  assert.equal(typo.status, 64);
  assert.match(typo.stderr, /no setting --lisen[^]*Did you mean --listen/);
  assert.match(run('--listen').stderr, /--listen needs a value/);
  assert.equal(run('--db-threads', '0').status, 64);
  assert.equal(run('dance').status, 64);
  const folder = mkdtempSync(join(tmpdir(), 'vivace-check-'));
  chmodSync(folder, 0o755);
  try {
    const checked = run('--check', '--state', join(folder, 's'), '--database', 'postgresql://127.0.0.1:1/none');
    assert.equal(checked.status, 69);
    assert.match(checked.stderr, /the database/);
    assert.ok(!existsSync(join(folder, 's/postgres')));
    const ended = run('--state', join(folder, 's'), '--database', 'postgresql://127.0.0.1:1/none', '--listen', '127.0.0.1:0');
    assert.equal(ended.status, 69, ended.stderr);
    for (const { stderr } of [checked, ended]) {
      assert.match(stderr, /Check that the database runs and that --database, where given, names it/);
      assert.doesNotMatch(stderr, /keeps trying/, 'it has ended');
    }
    const url = run('database-url', '--state', join(folder, 's'));
    assert.match(url.stdout, /^host=\S+ port=5432 dbname=vivace user=\S+\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('two servers on one database show the same farm', async () => {
  const a = await startFarm({ privateDatabase: true });
  let b;
  try {
    const url = execFileSync(program('vivace-server'), ['database-url', '--state', a.state], { encoding: 'utf8' }).trim();
    b = await startFarm({ args: ['--database', url], token: a.token });
    assert.ok(!existsSync(join(b.state, 'admin-token')), 'the farm has its owner already');
    const up = await a.api('POST', '/uploads', { name: 'x', bytes: 10 });
    assert.equal((await b.api('GET', `/uploads/${up.id}`)).id, up.id);
    const made = await b.api('POST', '/tokens', { name: 'from b', scopes: ['read'] });
    assert.equal((await a.request('GET', '/workloads', undefined, { Authorization: `Bearer ${made.token}` })).status, 200);
  } finally {
    if (b?.stop) await b.stop();
    await a.stop();
  }
});
