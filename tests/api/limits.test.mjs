// Rate limits of one caller, headers of pages, and no secret in a log.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFarm } from './harness.mjs';

// A rate so low that no bucket refills while a test on a busy machine empties it.
const limits = ['--requests-a-second', '1', '--test-requests-burst', '60', '--test-anonymous-requests-a-second', '1', '--trusted-proxies', '127.0.0.1'];
let farm;
before(async () => { farm = await startFarm({ args: [...limits, '--log-level', 'debug', '--public-url', 'https://farm.example'] }); });
after(async () => { await farm?.stop(); });

const from = (address, more = {}) => ({ Authorization: null, 'X-Forwarded-For': address, ...more });
const status = async (method, path, body, headers) => {
  const r = await farm.request(method, path, body, headers);
  await r.body?.cancel();
  return r.status;
};
/** Calls until the answer is 429, at most `most` times. Returns the number of accepted calls, and the refusal. */
async function until429(most, call) {
  for (let n = 0; n < most; n++) {
    const r = await call();
    if (r.status === 429) return { n, r };
    await r.body?.cancel();
  }
  throw new Error(`${most} calls, and none was refused`);
}

/** Calls of both kinds share one count: when one kind is refused, the other is refused too. One call per second is accepted again, so a slow machine may need more than one try; a separate count would accept ten. */
async function countedTogether(spend, call) {
  for (let n = 0; n < 9; n++) {
    await until429(100, spend);
    const r = await call();
    await r.body?.cancel();
    if (r.status === 429) return;
  }
  throw new Error('nine calls were let through, so they have a separate count');
}

test('a credential has a burst; answers state the remaining calls, and then the waiting time', async () => {
  const first = await farm.request('GET', '/session');
  assert.match(first.headers.get('ratelimit-policy'), /^"calls";q=60;w=60$/);
  assert.match(first.headers.get('ratelimit'), /^"calls";r=\d+;t=0$/);
  const made = [];
  for (const name of ['one', 'two']) made.push((await farm.api('POST', '/tokens', { name, scopes: ['read', 'write'] })).token);
  const as = (token) => ({ Authorization: `Bearer ${token}` });
  const { n, r } = await until429(200, () => farm.request('GET', '/session', undefined, as(made[0])));
  assert.ok(n >= 59, `${n} calls`);
  assert.ok(Number(r.headers.get('retry-after')) >= 1);
  assert.equal((await r.json()).code, 'rate_limited');
  assert.equal(await status('GET', '/session', undefined, as(made[1])), 200, 'another token is not touched');
  // pieces of uploads are limited by quotas, and workers' calls are not limited
  assert.equal(await status('PUT', `/blobs/${'0'.repeat(64)}`, 'x', as(made[0])), 422);
  const worker = readFileSync(join(farm.state, 'worker-token'), 'utf8').trim();
  for (let i = 0; i < 80; i++) assert.equal(await status('POST', '/worker/claim', {}, as(worker)), 422);
});

test('calls without a credential count for the address, IPv6 for its /64; files of the page do not count', async () => {
  const first = () => farm.request('GET', '/workloads', undefined, from('192.0.2.1'));
  assert.ok((await until429(60, first)).n >= 10);
  assert.equal(await status('GET', '/workloads', undefined, from('192.0.2.2')), 401);
  const guess = (address) => () => farm.request('POST', '/session', { token: 'vvc_x' }, from(address));
  await countedTogether(guess('2001:db8:1:2::1'), guess('2001:db8:1:2:ffff::9')); // the same /64
  assert.equal(await status('POST', '/session', { token: 'vvc_x' }, from('2001:db8:1:3::1')), 401);
  await until429(60, () => farm.request('GET', `//s/${'A'.repeat(22)}`, undefined, from('192.0.2.3')));
  // a client cannot choose its address: a value that it sends is to the left of the one that the proxy adds
  await countedTogether(first, () => farm.request('GET', '/workloads', undefined, from('203.0.113.7, 192.0.2.1')));
  for (const path of ['//', '//healthz', '//runs/x']) assert.equal(await status('GET', path, undefined, from('192.0.2.1')), 200, path);
  // guessed tokens of valid form no longer reach the database
  await countedTogether(first, () => farm.request('GET', '/workloads', undefined, from('192.0.2.1', { Cookie: `vivace_session=${'A'.repeat(43)}` })));
  assert.equal(await status('GET', '/session', undefined, { 'X-Forwarded-For': '192.0.2.1', Authorization: `Bearer ${readFileSync(join(farm.state, 'worker-token'), 'utf8').trim()}` }), 200, 'who is known goes on');
});

test('headers of every page and answer', async () => {
  const page = await farm.request('GET', '//runs/x', undefined, from('198.51.100.1'));
  const wanted = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'strict-transport-security': 'max-age=31536000' };
  for (const [name, value] of Object.entries({ ...wanted, 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' })) assert.equal(page.headers.get(name), value, name);
  assert.match(page.headers.get('content-security-policy'), /frame-ancestors 'none'/);
  for (const path of ['/workloads', '/session']) {
    const r = await farm.request('GET', path, undefined, from('198.51.100.2'));
    for (const [name, value] of Object.entries(wanted)) assert.equal(r.headers.get(name), value, `${path} ${name}`);
    assert.equal(r.headers.get('cache-control'), 'no-store');
    assert.equal(r.headers.get('access-control-allow-origin'), null);
  }
});

test('no log contains a secret, also at the most verbose level', async () => {
  const secrets = ['a password that is right', 'a password that is wrong', 'a new password of max'];
  await farm.api('POST', '/users', { user: 'max', password: secrets[0] });
  const wrong = await farm.request('POST', '/session', { user: 'max', password: secrets[1] }, from('198.51.100.3'));
  assert.equal(wrong.status, 401);
  assert.equal(await status('POST', '/session', { user: secrets[1], password: 'swapped fields' }, from('198.51.100.3')), 401);
  const login = await farm.request('POST', '/session', { user: 'max', password: secrets[0] }, from('198.51.100.3'));
  assert.match(login.headers.get('set-cookie'), /; Secure; SameSite=Lax/);
  secrets.push(login.headers.get('set-cookie').match(/=([^;]+)/)[1]);
  const cookie = from('198.51.100.3', { Cookie: `vivace_session=${secrets.at(-1)}`, 'X-Vivace-Request': '1' });
  secrets.push((await farm.api('POST', '/tokens', { name: 'x', scopes: ['read'] })).token);
  await status('GET', '/workloads', undefined, { Authorization: `Bearer ${secrets.at(-1)}x` });
  secrets.push((await farm.api('POST', '/teams/default/invitations', { role: 'viewer' })).invitation);
  await status('POST', '/invitations', { invitation: secrets.at(-1), user: 'max', password: secrets[1] }, from('198.51.100.4'));
  assert.equal(await status('PUT', '/users/max/password', { password: secrets[2], current: secrets[0] }, cookie), 204);
  await status('POST', '/session', '{"token": "broken', from('198.51.100.4'));
  await status('GET', `//s/${'B'.repeat(22)}`, undefined, from('198.51.100.4'));
  secrets.push('B'.repeat(22), 'broken');
  const log = farm.log();
  assert.ok(log.includes('who=max') && log.includes('status=401'), 'the log contains the user and the request');
  for (const s of secrets) assert.ok(!log.includes(s), `the log holds ${s}`);
  assert.equal(log.split(farm.token).length, 2, 'the owner\'s token: printed at the first start, and never again');
  const audit = JSON.stringify(await farm.api('GET', '/audit?limit=1000'));
  for (const s of secrets) assert.ok(!audit.includes(s), `the audit log holds ${s}`);
});
