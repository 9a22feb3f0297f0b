// A store that accepts connections but does not answer, or sends a byte from time to time: no request waits long, all users see
// the problem, and interrupted work continues afterwards.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, root, startFarm, until } from './harness.mjs';
import { startS3 } from './s3_server.mjs';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
let s3, farm;
before(async () => {
  s3 = await startS3();
  farm = await startFarm({
    args: ['--blob-store', `s3://${s3.account.bucket}/farm`, '--s3-endpoint', s3.url, '--s3-region', s3.account.region, '--test-s3-wait', '2s'],
    env: { AWS_ACCESS_KEY_ID: s3.account.access, AWS_SECRET_ACCESS_KEY: s3.account.secret },
  });
});
after(async () => { await farm?.stop(); await s3?.stop(); });

const put = (text) => farm.request('PUT', `/blobs/${sha256(text)}`, Buffer.from(text));
const ready = async () => (await farm.request('GET', '//readyz')).status === 200;
const metric = async (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await farm.request('GET', '//metrics')).text())[1]);
const cli = (...words) => new Promise((done) => execFile(program('vivace'), [...words, '--json'],
  { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } },
  (error, stdout, stderr) => done({ status: error ? error.code : 0, stdout, stderr })));
/** The store answers no call, and the server has detected this. */
async function silence() {
  s3.faults = [{ silent: true, times: Infinity }];
  await until('the server to notice', async () => { await put(`noise ${Math.random()}`); return !(await ready()); }, 60000);
}
async function speakAgain() {
  s3.faults = [];
  await until('a new request to the store', ready, 60000);
}

test('a silent store: requests end in time, then at once, and every waiting request is answered', { timeout: 300000 }, async () => {
  assert.equal((await put('before')).status, 201);
  assert.equal(await ready(), true);
  assert.equal(await metric('vivace_blob_store_answers'), 1);
  s3.faults = [{ silent: true, times: Infinity }];
  const first = await put('into silence');
  assert.equal(first.status, 503);
  assert.ok(Number(first.headers.get('retry-after')) >= 1);
  const problem = await first.json();
  assert.equal(problem.code, 'unavailable');
  assert.match(problem.detail, /did not answer within 2 s/);
  await silence();

  const asked = s3.calls.filter((c) => c.includes('/farm/blobs/')).length;
  const several = await Promise.all(Array.from({ length: 20 }, (_, i) => put(`refused ${i}`)));
  assert.deepEqual(several.map((r) => r.status), Array(20).fill(503));
  assert.match((await several[0].json()).detail, /has not answered for \d+ s/);
  assert.equal(s3.calls.filter((c) => c.includes('/farm/blobs/')).length, asked, 'no request waited for the store');
  const got = await farm.request('GET', `/blobs/${sha256('before')}`);
  assert.deepEqual([got.status, got.headers.get('location')], [503, null], 'no client is redirected to a silent store');

  const r = await farm.request('GET', '//readyz');
  assert.deepEqual([r.status, /bucket of stored files does not answer/.test(await r.text())], [503, true]);
  assert.equal(await metric('vivace_blob_store_answers'), 0);
  const doctor = await cli('farm', 'doctor');
  assert.notEqual(doctor.status, 0);
  assert.equal(JSON.parse(doctor.stdout).find((c) => c.check === 'file store').state, 'wrong');
  assert.equal((await farm.request('GET', '/runs')).status, 200, 'requests without files are answered');
  await speakAgain();
  assert.equal((await put('after')).status, 201);
  assert.ok(await metric('vivace_blob_store_refused_total') >= 20);
});

test('`admin check` sends a probe to the bucket', { timeout: 600000 }, async () => {
  s3.faults = [{ silent: true, times: Infinity }];
  const r = await new Promise((done) => execFile(program('vivace-server'), ['--check', ...farm.place(), '--blob-store', `s3://${s3.account.bucket}/farm`,
    '--s3-endpoint', s3.url, '--s3-region', s3.account.region, '--test-s3-wait', '1s'],
  { encoding: 'utf8', env: { ...process.env, AWS_ACCESS_KEY_ID: s3.account.access, AWS_SECRET_ACCESS_KEY: s3.account.secret } },
  (error, stdout) => done({ status: error ? error.code : 0, stdout })));
  assert.notEqual(r.status, 0);
  assert.match(r.stdout, /WRONG {2}the bucket: .*did not answer within 1 s/);
  await speakAgain();
});

test('an import waits while the store sends slowly, and a worker waits while the store is silent', { timeout: 300000 }, async () => {
  const traces = join(farm.folder, 'traces.vtrace');
  execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/tiny-gpt/launches.json'), '--trace', traces], { stdio: 'ignore' });
  s3.faults = [{ method: 'GET', drip: true, times: Infinity }];
  const pushing = cli('push', traces);
  await until('the import to have tried', () => s3.faults[0] && s3.calls.some((c) => c.startsWith('GET ')), 60000);
  await until('the server to give up on the drip', () => farm.log().split('an import begins').length > 2, 60000);
  s3.faults = [];
  const pushed = await pushing;
  assert.equal(pushed.status, 0, pushed.stderr);
  const { profile } = JSON.parse(pushed.stdout);
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'srs', error: 0.5, confidence: 0.9, seed: 1 });
  assert.equal((await cli('push', traces, '--plan', plan.id)).status, 0);
  await speakAgain();
  const { id } = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], engine: 'cycle' });
  await until('the jobs to be ready', async () => (await farm.api('GET', `/runs/${id}`)).counts.ready > 0, 60000);
  await silence();
  const worker = farm.startWorker();
  await until('the worker to wait', () => /waiting for it/.test(readFileSync(worker.log, 'utf8')), 60000);
  await speakAgain();
  const done = await farm.finished(id, 200000);
  assert.deepEqual([done.state, done.counts.failed], ['done', 0]);
  assert.equal(farm.psql("SELECT count(*) FROM attempt WHERE outcome = 'fetch'").trim(), '0');
});
