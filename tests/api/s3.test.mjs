// A farm whose files are in a bucket: against a strict S3 of our own (s3_server.mjs), faults included.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { program, root, startFarm } from './harness.mjs';
import { startS3 } from './s3_server.mjs';
import { report } from './scripted_worker.mjs';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const keyOf = (hash) => `farm/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
let s3, farm, args;
const keys = () => ({ AWS_ACCESS_KEY_ID: s3.account.access, AWS_SECRET_ACCESS_KEY: s3.account.secret });
before(async () => {
  s3 = await startS3();
  args = ['--blob-store', `s3://${s3.account.bucket}/farm/`, '--s3-endpoint', s3.url, '--s3-region', s3.account.region];
  farm = await startFarm({ args: [...args, '--test-blob-grace', '1s'], env: keys() });
});
after(async () => { await farm?.stop(); await s3?.stop(); });

/** Runs a program asynchronously, because this process must answer as the store. */
const run = (name, words, env) => new Promise((done) => execFile(program(name), words, { encoding: 'utf8', cwd: '/', env, maxBuffer: 1 << 28 },
  (error, stdout, stderr) => done({ status: error ? error.code : 0, stdout, stderr })));
const put = (bytes) => farm.request('PUT', `/blobs/${sha256(bytes)}`, bytes);
const get = async (bytes) => Buffer.from(await (await farm.request('GET', `/blobs/${sha256(bytes)}`)).arrayBuffer());
const staged = () => readdirSync(join(farm.state, 'staging')).filter((f) => f.startsWith('stage-'));
const psql = (sql) => farm.psql(sql);

test('a blob is stored in the bucket, and read from it with a presigned URL', async () => {
  const bytes = Buffer.from('to the bucket'), hash = sha256(bytes);
  assert.equal((await put(bytes)).status, 201);
  assert.deepEqual(s3.objects.get(keyOf(hash)), bytes);
  assert.deepEqual([existsSync(join(farm.state, 'blobs', hash.slice(0, 2))), staged()], [false, []], 'nothing stays here');
  const r = await fetch(`${farm.url}/api/v1/blobs/${hash}`, { headers: { Authorization: `Bearer ${farm.token}` }, redirect: 'manual' });
  assert.equal(r.status, 307);
  assert.ok(r.headers.get('location').startsWith(`${s3.url}/${s3.account.bucket}/${keyOf(hash)}?X-Amz-`));
  assert.ok(!r.headers.get('location').includes(encodeURIComponent(s3.account.secret)));
  assert.deepEqual(await get(bytes), bytes);
  assert.equal((await farm.request('HEAD', `/blobs/${hash}`)).status, 200);
  assert.equal((await farm.request('HEAD', `/blobs/${sha256('nobody')}`)).status, 404);
});

test('a temporary failure of the store is retried', async () => {
  const bytes = Buffer.from('in the third try');
  s3.faults = [{ method: 'PUT', status: 503, times: 1 }, { method: 'PUT', status: 500, times: 1 }, { method: 'PUT', drop: true, times: 1 }];
  assert.equal((await put(bytes)).status, 201);
  assert.deepEqual(s3.faults.map((f) => f.times), [0, 0, 0]);
  assert.deepEqual(s3.objects.get(keyOf(sha256(bytes))), bytes);
});

test('a large blob is sent in parts, also when connections fail', { timeout: 300000 }, async () => {
  const bytes = Buffer.alloc((64 << 20) + 1000, 'large ');
  s3.faults = [{ method: 'POST', status: 503, times: 1 }, { method: 'PUT', drop: true, times: 1 }];
  assert.equal((await put(bytes)).status, 201);
  assert.equal(sha256(s3.objects.get(keyOf(sha256(bytes)))), sha256(bytes));
  s3.objects.delete(keyOf(sha256(bytes)));
  const begun = s3.uploads.size;
  s3.faults = [{ method: 'POST', query: 'uploadId', late: true, times: 1 }]; // completed, but the answer is lost
  assert.ok((await put(bytes)).status < 300);
  assert.equal(s3.uploads.size, begun, 'no part is left behind');
  s3.objects.delete(keyOf(sha256(bytes)));
  psql(`DELETE FROM blob WHERE sha256 = '${sha256(bytes)}'`);
  s3.faults = [{ method: 'PUT', status: 503, times: 20 }];
  assert.equal((await put(bytes)).status, 503);
  assert.equal(s3.uploads.size, begun, 'an upload that cannot be completed is aborted');
  s3.faults = [];
});

test('a profile is imported and simulated by a worker without keys', { timeout: 300000 }, async () => {
  const folder = farm.folder, traces = join(folder, 'traces.vtrace');
  const env = { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token };
  const cli = async (...words) => {
    const r = await run('vivace', [...words, '--json'], env);
    assert.equal(r.status, 0, r.stderr);
    return JSON.parse(r.stdout || 'null');
  };
  execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/tiny-gpt/launches.json'), '--trace', traces], { stdio: 'ignore' });
  const { profile } = await cli('push', traces);
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'srs', error: 0.5, confidence: 0.9, seed: 1 });
  await cli('push', traces, '--plan', plan.id);
  const { id } = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], engine: 'cycle' });
  s3.faults = [{ method: 'GET', flip: true, times: 1 }]; // the worker checks the hash of the received bytes
  farm.startWorker();
  const done = await farm.finished(id, 200000);
  assert.equal(done.state, 'done');
  assert.equal(done.counts.failed, 0);
  assert.equal(s3.faults[0].times, 0);
});

test('gc and scrub work on the bucket', async () => {
  const server = (...words) => run('vivace-server', [...words, ...farm.place(), '--test-blob-grace', '1h', ...args], { ...process.env, ...keys() });
  const loose = Buffer.from('nobody binds this'), bad = Buffer.from('damaged in the bucket');
  await put(loose);
  await put(bad);
  psql(`UPDATE blob SET touched_at = touched_at - interval '2 days' WHERE sha256 = '${sha256(loose)}'`);
  assert.match((await server('gc')).stdout, /^removed 1 blobs/m);
  assert.ok(!s3.objects.has(keyOf(sha256(loose))));
  s3.objects.set(keyOf(sha256(bad)), Buffer.from('Damaged in the bucket'));
  const r = await server('scrub', '--test-scrub-rate', '10GB');
  assert.equal(r.status, 74, r.stderr);
  assert.match(r.stdout, /1 damaged/);
  assert.ok(s3.objects.has(`farm/quarantine/${sha256(bad)}`) && !s3.objects.has(keyOf(sha256(bad))));
  assert.equal((await farm.request('HEAD', `/blobs/${sha256(bad)}`)).status, 404);
});

test('wrong keys are reported with what to do, and the server keeps answering', async () => {
  const secret = s3.account.secret;
  s3.account.secret = 'another';
  const r = await put(Buffer.from('refused'));
  s3.account.secret = secret;
  assert.equal(r.status, 502);
  const problem = await r.json();
  assert.match(problem.detail, /answered 403/);
  assert.match(problem.hint, /access key/);
  assert.ok(!problem.detail.includes(secret));
  const bare = await run('vivace-server', ['--check', '--state', join(farm.folder, 'other'), ...args], { PATH: process.env.PATH });
  assert.equal(bare.status, 64);
  assert.match(bare.stderr, /no keys for the blob store/);
});

test('an upload continues at another server: its pieces are in the bucket, and are deleted when the upload ends', { timeout: 300000 }, async () => {
  s3.faults = [];
  const second = await startFarm({ args: [...args, '--database', farm.databaseUrl()], env: keys(), token: farm.token, port: 0 });
  const pieces = () => [...s3.objects.keys()].filter((k) => k.startsWith('farm/uploads/'));
  try {
    const bytes = Buffer.concat([report(3), Buffer.from('\n'.repeat(9 << 20))]);
    const up = await farm.api('POST', '/uploads', { name: 'report.csv', bytes: bytes.length, workload: 'two servers' });
    const put = (at, n) => at.api('PUT', `/uploads/${up.id}/pieces/${n}`, bytes.subarray(n * up.piece_bytes, (n + 1) * up.piece_bytes));
    await put(second, 1);
    await put(farm, 0);
    assert.deepEqual(pieces().sort(), [0, 1].map((n) => `farm/uploads/${up.id}/${n}`));
    assert.deepEqual((await second.api('GET', `/uploads/${up.id}`)).missing, []);
    const made = (await second.api('POST', `/uploads/${up.id}/finish`)).import, done = await farm.imported(made);
    assert.equal(done.state, 'ready', JSON.stringify(done.problem));
    const dropped = await second.api('POST', '/uploads', { name: 'dropped.csv', bytes: 5 });
    await farm.api('PUT', `/uploads/${dropped.id}/pieces/0`, Buffer.from('bytes'));
    await second.api('DELETE', `/uploads/${dropped.id}`);
    assert.equal(pieces().length, 3);
    assert.equal((await run('vivace-server', ['gc', ...farm.place(), '--test-blob-grace', '1h', ...args], { ...process.env, ...keys() })).status, 0);
    assert.deepEqual(pieces(), []);
    assert.equal(farm.psql('SELECT count(*) FROM upload_gone'), '0');
  } finally {
    await second.stop();
  }
});
