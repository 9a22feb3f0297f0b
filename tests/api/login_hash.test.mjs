// Password hashes are slow, and two are computed at a time. Meanwhile a log-in holds no transaction, and changes of its
// account counts.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience, startFarm, until } from './harness.mjs';

const THREADS = 12, HASHES = 2, LOGINS = 20; // server/main/vivace_server.c, server/domain/access/password.c
const password = 'correct horse battery';
/** Its hash by libsodium with 2048 passes over 8 MiB: about two seconds of a processor. */
const slowHash = '$argon2id$v=19$m=8192,t=2048,p=1$VNPk/zhC02hML8gXOjBx7g$mlo95hZOuULviBi8gULET8ODrlEK6KtADIP7r5us3Zg';
let farm;
before(async () => {
  farm = await startFarm();
  for (let i = 0; i < LOGINS; i++) await farm.api('POST', '/users', { user: `user-${i}`, password });
});
after(() => farm?.stop());

const logIn = (user, pass = password) => farm.request('POST', '/session', { user, password: pass }, { Authorization: null });
const cookieOf = (r) => r.headers.get('set-cookie').split(';')[0];
const hashOf = (user) => farm.psql(`SELECT password FROM account WHERE login = '${user}'`);
const setHash = (user, hash) => farm.psql(`UPDATE account SET password = '${hash}' WHERE login = '${user}'`);

/** Runs the SQL in a transaction. It commits when a statement of the server waits for a row of it. */
async function commitWhenAwaited(sql, call) {
  const psql = spawn('psql', [farm.databaseUrl(), '-XAtq', '-v', 'ON_ERROR_STOP=1'], { stdio: ['pipe', 'pipe', 'inherit'], ...farm.asOwner() });
  const ended = new Promise((done) => psql.on('exit', done));
  let said = '';
  psql.stdout.on('data', (text) => { said += text; });
  psql.stdin.end(`BEGIN; ${sql}; SELECT 'written';
    DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.005); END LOOP; END $$;
    COMMIT;`);
  try {
    await until('the change to be written', () => said.includes('written'));
    const answer = await call();
    assert.equal(await Promise.race([ended, sleep(patience(5000), 'the call did not wait for the change', { ref: false })]), 0);
    return answer;
  } finally {
    psql.kill();
    await ended;
  }
}

/** The log-ins of all users at once, until all threads for log-ins work and some log-ins wait for one, or until a slow one has ended. */
async function crowd() {
  for (let i = 0; i < HASHES; i++) setHash(`user-${i}`, slowHash);
  let slowEnded = false;
  const slow = Array.from({ length: HASHES }, (_, i) => logIn(`user-${i}`).finally(() => { slowEnded = true; }));
  const quick = Array.from({ length: LOGINS - HASHES }, (_, i) => logIn(`user-${HASHES + i}`)), all = Promise.all([...slow, ...quick]);
  const waits = await until('log-ins to wait', async () => (await farm.metric('vivace_executor_waiting{executor="login"}') > 0 ? 'yes' : slowEnded && 'no'), 30000, 5);
  return { all, waits };
}

test('many simultaneous log-ins hold no transactions, and other requests are answered', { timeout: 600000 }, async () => {
  let all, waits = 'no';
  for (let tries = 0; tries < 5 && waits === 'no'; tries++) { // the server may be quicker than this test
    await all;
    ({ all, waits } = await crowd());
  }
  const open = Number(farm.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vivace-server' AND state = 'idle in transaction'"));
  assert.ok(open < THREADS / 2, `${open} transactions are open while ${THREADS} log-ins hash or wait for that`);
  assert.equal((await farm.request('GET', '/workloads')).status, 200);
  assert.equal((await farm.request('GET', '/users')).status, 200);
  const statuses = (await all).map((r) => r.status), good = statuses.filter((n) => n === 200).length;
  // Log-ins that arrive before the threads have emptied the queue may not fit into it.
  assert.ok(good >= THREADS && statuses.every((n) => n === 200 || n === 429), statuses.join());
  for (let i = 0; i < HASHES; i++) if (statuses[i] === 200) assert.match(hashOf(`user-${i}`), /\$m=65536,t=2,p=1\$/, 'the hash has the parameters of today');
  assert.equal(waits, 'yes');
});

test('a log-in whose account is disabled during the hash is refused', async () => {
  const r = await commitWhenAwaited(`UPDATE account SET disabled = true WHERE login = 'user-2'`, () => logIn('user-2'));
  assert.equal(r.status, 401);
});

test('a log-in whose password is changed during the hash is refused; a new hash of the same password is not a change', async () => {
  await farm.api('POST', '/users', { user: 'other', password: 'another password' });
  assert.equal((await commitWhenAwaited(`UPDATE account SET password = '${hashOf('other')}' WHERE login = 'user-3'`, () => logIn('user-3'))).status, 401);
  assert.equal((await commitWhenAwaited(`UPDATE account SET password = '${hashOf('user-4')}' WHERE login = 'user-3'`, () => logIn('user-3', 'another password'))).status, 401);
  assert.equal((await commitWhenAwaited(`UPDATE account SET password = '${hashOf('user-5')}' WHERE login = 'user-3'`, () => logIn('user-3'))).status, 200);
});

test('of two simultaneous changes of a password the second is refused', async () => {
  const cookie = cookieOf(await logIn('user-6')), other = hashOf('other');
  const r = await commitWhenAwaited(`UPDATE account SET password = '${other}' WHERE login = 'user-6'`,
    () => farm.request('PUT', '/users/user-6/password', { current: password, password: 'a third password' },
      { Authorization: null, Cookie: cookie, 'X-Vivace-Request': '1' }));
  assert.equal(r.status, 403);
  assert.equal(hashOf('user-6'), other);
});
