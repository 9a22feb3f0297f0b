// What is stored: quotas, collection of what nothing refers to, damage found by scrubbing, uploads that expire.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';

const MB = 1000000;
let farm;
// The collector's own interval is long: each test runs the collector itself.
before(async () => { farm = await startFarm({ args: ['--team-quota', '30MB', '--test-uploads-most', '4', '--test-blob-grace', '1h', '--test-collect-each', '86400s'] }); });
after(async () => { await farm?.stop(); });

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const refused = (status, code, part) => (e) => {
  assert.equal(e.status, status, e.message);
  assert.equal(e.body.code, code);
  assert.match(e.body.detail, part);
  return true;
};
const psql = (sql) => farm.psql(sql);
/** `vivace-server WORD` beside the running server: its exit code and its output. */
const server = (...words) => {
  const r = spawnSync(program('vivace-server'), [...words, ...farm.place(), '--test-blob-grace', '1h'], { encoding: 'utf8', cwd: '/' });
  return { code: r.status, out: r.stdout, said: r.stderr };
};
const pathOf = (hash) => join(farm.state, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);
const put = (bytes) => farm.request('PUT', `/blobs/${sha256(bytes)}`, bytes);
/** Makes everything stored so far older than the grace period, as a day would. */
const age = () => {
  psql(`UPDATE blob SET touched_at = touched_at - interval '2 days'; UPDATE trace SET created_at = created_at - interval '2 days';
    UPDATE blob_pending SET at = at - interval '2 days'`);
  const old = new Date(Date.now() - 2 * 86400000);
  const walk = (folder) => { for (const f of readdirSync(folder, { withFileTypes: true })) f.isDirectory() ? walk(join(folder, f.name)) : utimesSync(join(folder, f.name), old, old); };
  walk(join(farm.state, 'blobs'));
  walk(join(farm.state, 'staging'));
};
const storage = () => psql('SELECT stored_bytes, reserved_bytes, open_uploads FROM team_storage').split('|').map(Number);
const report = (name) => Buffer.from(`Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name
1000,500,1,4,1,1,128,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,"${name}"
2000,700,2,4,1,1,128,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,"${name}"
`);

/** A PUT of a blob whose sender waits for "100 Continue" and never sends the body. */
const announced = (bytes) => new Promise((done, failed) => {
  const [host, port] = farm.listen.split(':');
  let continued = false;
  const r = request({ host, port, agent: false, method: 'PUT', path: `/api/v1/blobs/${sha256(`${bytes}`)}`,
    headers: { Authorization: `Bearer ${farm.token}`, 'Content-Length': bytes, Expect: '100-continue' } }, async (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (d) => { text += d; }).on('end', () => { done({ status: answer.statusCode, code: JSON.parse(text).code, continued }); r.destroy(); });
  });
  r.on('continue', () => { continued = true; r.destroy(); done({ status: 100, continued }); }).on('error', failed);
  r.flushHeaders();
});

test('an upload reserves quota when it begins, and is refused when the quota is full', async () => {
  const begin = (bytes) => farm.api('POST', '/uploads', { name: 'x.csv', bytes });
  await assert.rejects(begin(31 * MB), refused(413, 'too_large', /31000000 bytes are more than the 30000000/));
  const first = await begin(20 * MB);
  assert.deepEqual(storage(), [0, 20 * MB, 1]);
  await assert.rejects(begin(11 * MB), refused(507, 'no_space', /10000000 of its 30000000 bytes left, and this needs 11000000/));
  assert.deepEqual(await announced(11 * MB), { status: 507, code: 'no_space', continued: false }, 'before a byte of it is sent');
  assert.deepEqual(await announced(31 * MB), { status: 413, code: 'too_large', continued: false });
  assert.equal((await put(Buffer.alloc(9 * MB))).status, 201);
  assert.deepEqual(storage(), [9 * MB, 20 * MB, 1]);
  await farm.api('DELETE', `/uploads/${first.id}`);
  assert.deepEqual(storage(), [9 * MB, 0, 0]);
  psql('UPDATE team_storage SET quota_bytes = 10000000');
  await assert.rejects(begin(11 * MB), refused(413, 'too_large', /10000000/), 'a team may have a quota of its own');
  psql('UPDATE team_storage SET quota_bytes = NULL');
});

test('simultaneous uploads are limited, for every client', async () => {
  const begun = await Promise.all(Array.from({ length: 12 }, () => farm.request('POST', '/uploads', { name: 'x.csv', bytes: 1000 })));
  assert.deepEqual(begun.map((r) => r.status).sort(), [...Array(4).fill(201), ...Array(8).fill(429)]);
  for (const r of begun) if (r.status === 201) await farm.api('DELETE', `/uploads/${(await r.json()).id}`);
  assert.deepEqual(storage().slice(1), [0, 0]);
});

test('stored imports count once, and a failed one keeps no reservation', async () => {
  const [before] = storage();
  const bytes = report('counted');
  const p = await farm.profile(bytes, { name: 'counted.csv', workload: 'counted' });
  assert.deepEqual(storage(), [before + bytes.length, 0, 0]);
  const up = await farm.api('POST', '/uploads', { name: 'x.csv', bytes: 500, sha256: 'ab'.repeat(32) });
  await farm.api('PUT', `/uploads/${up.id}/pieces/0`, Buffer.alloc(500, 'x'));
  assert.equal((await farm.imported((await farm.api('POST', `/uploads/${up.id}/finish`)).import)).state, 'failed');
  assert.deepEqual(storage(), [before + bytes.length, 0, 0]);
  await farm.api('DELETE', `/workloads/${p.workload}`);
});

test('unreferenced bytes are collected; referenced ones are not', async () => {
  const kept = report('kept'), loose = Buffer.from('nobody binds this');
  const p = await farm.profile(kept, { name: 'kept.csv', workload: 'kept' });
  await put(loose);
  assert.equal(server('gc').code, 0);
  assert.ok(existsSync(pathOf(sha256(loose))), 'young ones stay');
  age();
  const dry = server('gc', '--dry-run');
  assert.equal(dry.code, 0, dry.said);
  assert.match(dry.out, new RegExp(`^${sha256(loose)} ${loose.length}$`, 'm'));
  assert.ok(!dry.out.includes(sha256(kept)));
  assert.ok(existsSync(pathOf(sha256(loose))), 'a dry run removes nothing');
  const wet = server('gc');
  assert.match(wet.out, /^removed \d+ blobs/m);
  assert.ok(!existsSync(pathOf(sha256(loose))));
  assert.equal((await farm.request('GET', `/blobs/${sha256(loose)}`)).status, 404);
  assert.ok(existsSync(pathOf(sha256(kept))));
  assert.deepEqual(storage(), [kept.length, 0, 0]);

  await farm.api('DELETE', `/workloads/${p.workload}`);
  age();
  server('gc');
  assert.ok(!existsSync(pathOf(sha256(kept))), 'deleting the workload freed its file in the end');
  assert.deepEqual(storage(), [0, 0, 0]);
  assert.equal(psql('SELECT count(*) FROM blob_pending'), '0');
});

test('a query for a blob keeps it, so a client that sends no bytes because they exist can rely on it', async () => {
  const bytes = Buffer.from('asked for');
  await put(bytes);
  age();
  assert.equal((await farm.request('HEAD', `/blobs/${sha256(bytes)}`)).status, 200);
  server('gc');
  assert.equal((await farm.request('HEAD', `/blobs/${sha256(bytes)}`)).status, 200);
});

test('bytes without a row are deleted, unless a client is sending them', async () => {
  const write = (bytes) => {
    const path = pathOf(sha256(bytes)), { uid, gid } = statSync(farm.state);
    for (const folder of [join(path, '../..'), join(path, '..')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chownSync(folder, uid, gid);
    }
    writeFileSync(path, bytes);
    chownSync(path, uid, gid);
    return path;
  };
  const orphan = write(Buffer.from('left by a server that was killed')), coming = write(Buffer.from('being sent'));
  age();
  psql(`INSERT INTO blob_pending VALUES ('${sha256(Buffer.from('being sent'))}', false, now())`);
  assert.match(server('gc', '--dry-run').out, /left|without a row/);
  server('gc');
  assert.ok(!existsSync(orphan));
  assert.ok(existsSync(coming));
  age(); // and the body never arrived
  server('gc');
  assert.ok(!existsSync(coming));
});

test('bytes cannot be sent while they are being removed', async () => {
  const bytes = Buffer.from('going');
  psql(`INSERT INTO blob_pending VALUES ('${sha256(bytes)}', true, now())`);
  assert.equal((await put(bytes)).status, 503);
  server('gc');
  assert.equal((await put(bytes)).status, 201);
});

test('uploads expire with their files', async () => {
  const up = await farm.api('POST', '/uploads', { name: 'x.csv', bytes: 1000 });
  const file = join(farm.state, 'staging', `upload-${up.id}`), lost = join(farm.state, 'staging', 'upload-017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  writeFileSync(lost, 'its row is deleted');
  age();
  assert.match(server('gc').out, / 0 expired uploads/);
  assert.ok(existsSync(file));
  assert.ok(!existsSync(lost));
  psql(`UPDATE upload SET created_at = created_at - interval '8 days' WHERE id = '${up.id}'`);
  assert.match(server('gc').out, / 1 expired uploads/);
  assert.ok(!existsSync(file));
  await assert.rejects(farm.api('GET', `/uploads/${up.id}`), refused(404, 'not_found', /upload/));
  assert.deepEqual(storage().slice(1), [0, 0]);
});

test('scrubbing finds damage and moves it to quarantine; sending the bytes again repairs it', async () => {
  const bytes = Buffer.from('to be damaged'), path = pathOf(sha256(bytes));
  await put(bytes);
  assert.equal(server('scrub').code, 0);
  const damaged = Buffer.from(bytes);
  damaged[3] ^= 1;
  chmodSync(path, 0o600);
  writeFileSync(path, damaged);
  const r = server('scrub');
  assert.equal(r.code, 74, r.said);
  assert.match(r.out, /1 damaged, 0 missing/);
  assert.deepEqual(readFileSync(join(farm.state, 'quarantine', sha256(bytes))), damaged);
  assert.equal((await farm.request('HEAD', `/blobs/${sha256(bytes)}`)).status, 404);
  const up = await farm.api('POST', '/uploads', { name: 'x.csv', bytes: bytes.length, sha256: sha256(bytes) });
  assert.deepEqual(up.missing, [0], 'a damaged blob counts as missing');
  await farm.api('DELETE', `/uploads/${up.id}`);
  assert.equal((await put(bytes)).status, 201);
  assert.equal(await (await farm.request('GET', `/blobs/${sha256(bytes)}`)).text(), bytes.toString());
  assert.equal(server('scrub').code, 0);
});

// --- Idempotency-Key ---

const create = (key, body) => farm.request('POST', '/uploads', body, { 'Idempotency-Key': key });
const uploads = () => Number(psql("SELECT count(*) FROM upload WHERE state = 'open'"));

test('a repeated creation gets the first answer and creates nothing', async () => {
  const body = { name: 'once.csv', bytes: 1000 };
  const first = await create('key-1', body), text = await first.text();
  assert.equal(first.status, 201);
  const again = await create('key-1', body);
  assert.equal(again.status, 201);
  assert.equal(await again.text(), text);
  assert.equal(again.headers.get('location'), first.headers.get('location'));
  assert.equal(uploads(), 1);
  const other = await create('key-1', { ...body, bytes: 1001 });
  assert.equal(other.status, 422);
  assert.match((await other.json()).detail, /another request/);
  assert.equal((await create('two words', body)).status, 400);
  assert.equal((await create('x'.repeat(129), body)).status, 400);
  assert.equal(uploads(), 1);
  psql("UPDATE idempotent_request SET created_at = created_at - interval '25 hours'");
  server('gc');
  assert.equal(psql('SELECT count(*) FROM idempotent_request'), '0', 'after a day the key is deleted');
  await farm.api('DELETE', `/uploads/${JSON.parse(text).id}`);
});

test('a refused request may be repeated with the same key', async () => {
  assert.equal((await create('key-2', { name: 'x', bytes: 0 })).status, 422);
  assert.equal((await create('key-2', { name: 'x', bytes: 0 })).status, 422);
  assert.equal(psql('SELECT count(*) FROM idempotent_request'), '0');
});

test('the same creation on many connections at once happens once', async () => {
  const body = { name: 'storm.csv', bytes: 1000 };
  const answers = await Promise.all(Array.from({ length: 12 }, async () => {
    const r = await create('key-3', body);
    return { status: r.status, text: await r.text(), retry: r.headers.get('retry-after') };
  }));
  const made = answers.filter((a) => a.status === 201);
  assert.ok(made.length >= 1);
  assert.equal(new Set(made.map((a) => a.text)).size, 1);
  for (const a of answers) if (a.status !== 201) assert.deepEqual([a.status, JSON.parse(a.text).code, a.retry], [409, 'conflict', '1']);
  assert.equal(uploads(), 1);
  await farm.api('DELETE', `/uploads/${JSON.parse(made[0].text).id}`);
});

test('a request that a killed server was answering is answered after the restart; the command line sends keys', async () => {
  const body = { name: 'killed.csv', bytes: 1000 };
  const hash = sha256(`POST\0/api/v1/uploads\0\0${JSON.stringify(body)}`);
  const holder = readFileSync(join(farm.state, 'server-id'), 'utf8').trim();
  psql(`INSERT INTO idempotent_request (team_id, key, request, holder, created_at, running_until)
    SELECT id, 'key-4', '\\x${hash}', '${holder}', now(), now() + interval '10 minutes' FROM team`);
  assert.equal((await create('key-4', body)).status, 409);
  await farm.kill('SIGKILL');
  await farm.start();
  const made = await create('key-4', body);
  assert.equal(made.status, 201);
  await farm.api('DELETE', `/uploads/${(await made.json()).id}`);
  writeFileSync(join(farm.folder, 'pushed.csv'), report('pushed'));
  execFileSync(program('vivace'), ['push', join(farm.folder, 'pushed.csv')], { stdio: 'pipe', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  assert.ok(Number(psql("SELECT count(*) FROM idempotent_request WHERE key <> 'key-4'")) >= 2, 'begin and finish of the upload');
});

test('an answer that was lost after the change is sent again: a run, a plan and an upload are created once', async () => {
  const profile = await farm.profile(report('lost'), { name: 'lost.csv', workload: 'lost' });
  const keyed = (key, path, body) => farm.request('POST', path, body, { 'Idempotency-Key': key });
  const planBody = { method: 'srs', error: 0.2, confidence: 0.95, seed: 1 };
  const { id: plan } = await farm.api('POST', `/profiles/${profile.id}/plans`, planBody);
  for (const [key, path, body, table] of [['key-5', '/uploads', { name: 'lost.csv', bytes: 1000 }, 'upload'],
    ['key-6', `/profiles/${profile.id}/plans`, { ...planBody, seed: 2 }, 'plan'], ['key-7', `/plans/${plan}/runs`, { engine: 'replay', designs: [] }, 'run']]) {
    const first = await keyed(key, path, body), { id } = await first.json(), before = psql(`SELECT count(*) FROM ${table}`);
    assert.equal(first.status, 201, path);
    // the state after the server was killed, or lost the database, between the commit and the storage of the answer
    psql(`UPDATE idempotent_request SET status = NULL, location = NULL, answer = NULL, running_until = now() + interval '10 minutes' WHERE key = '${key}'`);
    assert.equal((await keyed(key, path, body)).status, 409, 'another server may still be answering it');
    psql(`UPDATE idempotent_request SET running_until = now() - interval '1 second' WHERE key = '${key}'`);
    const again = await keyed(key, path, body);
    assert.deepEqual([again.status, (await again.json()).id, again.headers.get('location')], [201, id, first.headers.get('location')]);
    assert.equal(psql(`SELECT count(*) FROM ${table}`), before, 'nothing was created again');
    assert.equal((await keyed(key, path, body)).status, 201);
  }
});

test('the server collects garbage without a request', async () => {
  await farm.kill();
  farm.options.args = ['--test-blob-grace', '1h', '--test-collect-each', '1s'];
  await farm.start();
  const bytes = Buffer.from('collected');
  await put(bytes);
  age();
  await until('the collector', () => !existsSync(pathOf(sha256(bytes))));
});
