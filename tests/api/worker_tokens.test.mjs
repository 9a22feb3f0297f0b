// Tokens of workers: they are valid until they are revoked, or until their expiry date, which is reported in advance. A worker
// exits when its token is refused.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';

let farm;
before(async () => { farm = await startFarm({ args: ['--test-heartbeat', '1s', '--test-dead-after', '15s'] }); });
after(() => farm?.stop());

const make = (name, options = {}) => farm.api('POST', '/tokens', { name, scopes: ['worker'], ...options });
function worker(token) {
  const file = join(farm.folder, `${token.name}.token`);
  writeFileSync(file, `${token.token}\n`, { mode: 0o600 });
  return farm.startWorker(['--token-file', file]);
}
const logOf = (w) => readFileSync(w.log, 'utf8');
const ready = (w) => until('the worker to be ready', () => /ready for jobs/.test(logOf(w)));
function doctor() {
  const env = { ...process.env, XDG_CONFIG_HOME: farm.folder };
  spawnSync(program('vivace'), ['login', farm.url, '--token-file', join(farm.state, 'admin-token')], { env });
  return JSON.parse(spawnSync(program('vivace'), ['farm', 'doctor', '--json'], { env, encoding: 'utf8' }).stdout).find((c) => c.check === 'worker tokens');
}

test('a worker’s token does not expire unless it has an expiry time', async () => {
  assert.equal((await make('plain')).expires_at, null);
  const days = async (options) => (new Date((await farm.api('POST', '/tokens', { name: 'x', ...options })).expires_at) - Date.now()) / 86400000;
  assert.ok(Math.abs(await days({ scopes: ['worker'], expires_days: 20 }) - 20) < 0.1);
  assert.ok(Math.abs(await days({ scopes: ['read'] }) - 90) < 0.1);
  assert.ok(Math.abs(await days({ scopes: ['read', 'worker'] }) - 90) < 0.1, 'one that also reads is like others');
});

test('the expiry of a token in use is announced 14 days before', async () => {
  const token = await make('ends', { expires_days: 20 }), w = worker(token);
  await ready(w);
  await until('its use to be noted', () => farm.psql(`SELECT last_used_at IS NOT NULL FROM token WHERE public_id = '${token.id}'`) === 't', 120000);
  const count = () => farm.metric('vivace_worker_tokens_expiring');
  await new Promise((done) => setTimeout(done, 6000)); // longer than the watch rests
  assert.equal(await count(), 0);
  assert.equal(doctor().state, 'ok');
  farm.psql(`UPDATE token SET expires_at = now() + interval '13 days' WHERE public_id = '${token.id}'`);
  await until('the metric', async () => await count() === 1);
  assert.ok(Math.abs(await farm.metric('vivace_worker_token_left_seconds') - 13 * 86400) < 600);
  const said = doctor();
  assert.match(said.detail, /1 in use expire soon, the first in 13\.0 days/);
  assert.match(said.hint, /vivace token create/);
  assert.doesNotMatch(logOf(w), /expires soon/, '20 days remained at this request');
  w.kill('SIGTERM');
  await w.ended;
  const again = worker(token);
  await until('the message of the worker', () => /level=warn [^\n]*the token expires soon: put another token into the token file and start the worker again[^\n]* days=13\.0/.test(logOf(again)));
  again.kill('SIGTERM');
  await again.ended;
});

test('a worker whose token was revoked ends, and reports why', { timeout: 600000 }, async () => {
  const token = await make('revoked'), w = worker(token);
  await ready(w);
  await farm.api('DELETE', `/tokens/${token.id}`);
  const { code } = await w.ended;
  assert.equal(code, 77);
  assert.match(logOf(w), /refuses this worker's token: it was revoked or has expired[^]*put another token into the token file/);
});

test('a worker that ended normally counts as ended at once', async () => {
  const w = worker(await make('leaves'));
  await ready(w);
  const mine = async () => (await farm.api('GET', '/workers')).items.filter((x) => logOf(w).includes(x.id)).map((x) => x.state);
  assert.deepEqual(await mine(), ['alive']);
  w.kill('SIGTERM');
  assert.deepEqual(await w.ended, { code: 0, signal: null });
  assert.deepEqual((await mine()).filter((state) => state === 'alive'), []);
});
