// An attacker guesses passwords from many addresses without end. The owner can log in: from a known device without a delay,
// from a new one after a wait. Each address is slowed down, and all guesses at one account together.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietClock, startFarm, until } from './harness.mjs';

const TURN_S = 4, PLACES = 8, FREE = 10, THREADS = 12; // server/domain/access/login_guard.h, server/main/vivace_server.c
const password = 'correct horse battery';
let farm;
before(async () => {
  farm = await startFarm({ args: ['--trusted-proxies', '127.0.0.1'] });
  await farm.api('POST', '/users', { user: 'owner', password });
  await farm.api('POST', '/users', { user: 'other', password });
});
after(() => farm?.stop());

const signIn = (user, pass, address, cookie) => farm.request('POST', '/session', { user, password: pass },
  { Authorization: null, 'X-Forwarded-For': address, ...(cookie ? { Cookie: cookie } : {}) });
/** Logs in like a user: tries again a second after each 429. On a quiet machine this takes at most this number of seconds. */
async function signInPatiently(user, address, seconds, what) {
  const past = quietClock();
  for (let signedIn = false; !signedIn;) {
    const r = await signIn(user, password, address);
    if (r.status !== 200) assert.equal(r.status, 429, what);
    assert.ok(past() < 1000 * seconds, `${what}: it took ${past()} ms, and was answered ${r.status}`);
    signedIn = r.status === 200;
    if (!signedIn) await sleep(1100);
  }
}
const deviceOf = (r) => (r.headers.get('set-cookie') ?? '').split(/, (?=\w+=)/).find((c) => c.startsWith('vivace_device_'));

test('a successful log-in registers the device with a cookie that is sent only with log-ins', async () => {
  const r = await signIn('other', password, '198.51.100.1');
  assert.equal(r.status, 200);
  assert.match(deviceOf(r), /^vivace_device_[0-9a-f]{16}=[\w-]{75}; Path=\/api\/v1\/session; HttpOnly; SameSite=Strict; Max-Age=15552000$/);
  assert.equal(deviceOf(await signIn('other', 'wrong password', '198.51.100.1')), undefined);
  assert.equal(deviceOf(await farm.request('POST', '/session', { token: farm.token }, { Authorization: null })), undefined);
});

test('one address is slowed down on all accounts, and answers state the waiting time', async () => {
  let slow;
  for (let i = 0; i < 30 && !slow; i++) {
    const r = await signIn(`user-${i}`, 'wrong password', '198.51.100.2');
    if (r.status === 429) slow = r;
    else assert.equal(r.status, 401);
  }
  assert.ok(Number(slow.headers.get('retry-after')) >= 1);
  assert.match((await slow.json()).detail, /from this address/);
  assert.equal((await signIn('other', password, '198.51.100.3')).status, 200, 'another address is not');
  const token = await farm.request('POST', '/session', { token: farm.token }, { Authorization: null, 'X-Forwarded-For': '198.51.100.2' });
  assert.equal(token.status, 200, 'a token still signs in: only passwords are guessed');
});

test('the owner can log in while others guess continuously', { timeout: 600000 }, async (t) => {
  const known = deviceOf(await signIn('owner', password, '198.51.100.10')).split(';')[0];
  const seen = { 401: 0, 429: 0 };
  const began = performance.now();
  let going = true;
  t.after(() => { going = false; });
  const guessers = Array.from({ length: 40 }, async (_, i) => {
    while (going) {
      const r = await signIn('owner', `guess ${Math.random()}`, `203.0.113.${i}`);
      assert.ok(r.status in seen, `${r.status}`);
      seen[r.status]++;
      await r.arrayBuffer();
      if (r.status !== 401) await sleep(200); // a higher rate would only load this machine
    }
  });
  await until('the account to be guessed at in turns', () => seen[401] >= FREE && seen[429] > 80, 60000);

  for (let i = 0; i < 5; i++) assert.equal((await signIn('owner', password, `198.51.100.${20 + i}`, known)).status, 200, 'a known device, from any address');
  /* Eight other new addresses may be before it in the list. */
  await signInPatiently('owner', '198.51.100.30', TURN_S * (PLACES + 2) + 2, 'a new device');
  const mistyped = await signIn('owner', 'mistyped password', '198.51.100.20', known);
  assert.equal(mistyped.status, 401);
  assert.equal((await signIn('owner', password, '198.51.100.20', known)).status, 200);
  await signInPatiently('other', '198.51.100.40', 5, 'another account, which is not slowed down');

  going = false;
  await Promise.all(guessers);
  const most = FREE + THREADS + (performance.now() - began) / 1000 / TURN_S + 1;
  assert.ok(seen[401] <= most, `${seen[401]} guesses were checked, ${most} at most`);
});

test('an invited user who waits for a turn holds no transaction', { timeout: 600000 }, async () => {
  await farm.api('POST', '/users', { user: 'invited', password });
  await farm.api('POST', '/teams', { team: 'blue' });
  const { invitation } = await farm.api('POST', '/teams/blue/invitations', { role: 'member' });
  for (let i = 0; i <= FREE; i++) assert.equal((await signIn('invited', `guess ${i}`, `198.51.100.${60 + i}`)).status, 401);
  let joined = null, waiting = 0;
  const join = farm.request('POST', '/invitations', { invitation, user: 'invited', password }, { Authorization: null, 'X-Forwarded-For': '198.51.100.80' }).then((r) => { joined = r; });
  await until('the join to end', () => {
    waiting += Number(farm.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vivace-server' AND state = 'idle in transaction' AND xact_start < now() - interval '1 s'"));
    return joined;
  }, 60000);
  await join;
  assert.equal(joined.status, 200);
  assert.equal(waiting, 0, 'a transaction is open during the wait');
});

test('a known device that guesses loses this status, and is not refused', { timeout: 600000 }, async () => {
  const known = deviceOf(await signIn('other', password, '198.51.100.50')).split(';')[0];
  for (let i = 0; i < FREE; i++) assert.equal((await signIn('other', `guess ${i}`, '198.51.100.51', known)).status, 401);
  assert.equal((await signIn('other', password, '198.51.100.52', known)).status, 200, 'it waits for its turn like other devices');
});
