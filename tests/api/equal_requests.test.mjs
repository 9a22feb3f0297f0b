// Many equal requests at once: PostgreSQL executes each different request once, not once per client; each team gets its own answer.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startFarm, until } from './harness.mjs';
import { report } from './scripted_worker.mjs';

/** Few enough for the queue of the listening socket: the kernel retries a connection without a place only after seconds. */
const CROWD = 40;
/** How long to wait for late connections: the server gives up waiting for a lock after two seconds. */
const CONNECTED_MS = 1000;
let farm;
before(async () => {
  farm = await startFarm({ args: ['--db-threads', '1', '--test-idle', '1h'], privateDatabase: true });
  farm.psql('ALTER SYSTEM SET log_min_duration_statement = 0; SELECT pg_reload_conf()');
});
after(() => farm?.stop());

/** How often PostgreSQL has executed a statement of this name. */
function executed(name) {
  const folder = join(farm.state, 'postgres/log');
  return readdirSync(folder).map((f) => readFileSync(join(folder, f), 'utf8')).join('').split(`execute ${name}:`).length - 1;
}

/** Connections that the server has accepted. The kernel counts them, because the server's only database thread is waiting. */
const port = () => Number(new URL(farm.url).port).toString(16).toUpperCase().padStart(4, '0');
const connections = () => readFileSync('/proc/net/tcp', 'utf8').split('\n').filter((l) => l.split(/\s+/)[2] === `0100007F:${port()}` && l.split(/\s+/)[4] === '01').length;

/** Requests that fetch has written to a connection: idle connections of an earlier test take some, so the connections do not count them. */
let written = 0;
channel('undici:client:sendHeaders').subscribe(() => { written++; });

/** Sends requests that read a locked table, so that all except the first wait for a thread; then unlocks the table. */
async function whileLocked(table, asks) {
  const holder = spawn('psql', [farm.databaseUrl(), '-XAtq'], { stdio: ['pipe', 'pipe', 'inherit'], ...farm.asOwner() });
  let said = '';
  holder.stdout.on('data', (text) => { said += text; });
  try {
    holder.stdin.write(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; SELECT 'held';\n`);
    await until(`a lock of ${table}`, () => said.includes('held'));
    // The session with the lock looks for waiting sessions itself: the server gives up after two seconds, and starting a
    // program may take longer.
    holder.stdin.write(`DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass)
      AND clock_timestamp() < now() + interval '1 min' LOOP PERFORM pg_sleep(0.005); END LOOP; END $$; SELECT 'awaited';\n`);
    const before = written, first = asks[0]();
    await until(`a statement that waits for ${table}`, () => said.includes('awaited'), 60000, 5);
    const others = asks.slice(1).map((ask) => ask()), ended = Promise.all([first, ...others]);
    const asked = performance.now();
    let over = false;
    ended.then(() => { over = true; }, () => { over = true; });
    await until('each request to have its connection', () => over || performance.now() - asked > CONNECTED_MS || (written - before >= asks.length && connections() >= asks.length));
    await new Promise((done) => setTimeout(done, 300)); // time for the server to read them: a later request may need one more statement
    holder.stdin.end('COMMIT;\n');
    return await ended;
  } finally {
    holder.stdin.end();
  }
}

/** Repeats this until no request was refused because of the lock time-out. `before`: the state before the last try. */
async function whileLockedInTime(table, asks, measure = () => undefined) {
  for (let left = 8; ; left--) {
    const before = await measure(), answers = await whileLocked(table, asks);
    if (left === 0 || answers.every((r) => r.status !== 503)) return { before, answers };
    await Promise.all(answers.map((r) => r.text()));
  }
}

test('equal requests that wait need one statement', { timeout: 600000 }, async () => {
  const { before, answers } = await whileLockedInTime('worker_session', Array.from({ length: CROWD }, () => () => farm.request('GET', '/workers')),
    async () => ({ executed: executed('run_workers'), shared: await farm.metric('vivace_answers_shared_total') }));
  const bodies = new Set(await Promise.all(answers.map((r) => r.text()))), tags = new Set(answers.map((r) => r.headers.get('etag')));
  assert.deepEqual([...new Set(answers.map((r) => r.status))], [200]);
  assert.deepEqual([bodies.size, tags.size], [1, 1]);
  assert.equal(new Set(answers.map((r) => r.headers.get('x-request-id'))).size, CROWD);
  const others = await farm.metric('vivace_answers_shared_total') - before.shared, statements = CROWD - others;
  assert.ok(statements >= 2 && statements < CROWD / 2, `${statements} statements for ${CROWD} requests`);
  await until('the log of PostgreSQL to have them', () => executed('run_workers') - before.executed >= statements);
  assert.equal(executed('run_workers') - before.executed, statements);
  const again = await farm.request('GET', '/workers', undefined, { 'If-None-Match': [...tags][0] });
  assert.equal(again.status, 304);
});

test('a credential in many simultaneous requests is looked up once', { timeout: 600000 }, async () => {
  let token;
  const mine = () => ({ Authorization: `Bearer ${token}` });
  const { before, answers } = await whileLockedInTime('token', Array.from({ length: CROWD }, () => () => farm.request('GET', '/runs', undefined, mine())),
    async () => { // a new token each time, because the server caches tokens
      ({ token } = await farm.api('POST', '/tokens', { name: 'crowd', scopes: ['read'] }));
      return { executed: executed('token_by_hash'), listed: executed('run_list') };
    });
  assert.deepEqual([...new Set(answers.map((r) => r.status))], [200]);
  await until('the log of PostgreSQL to have all of it', () => executed('run_list') > before.listed);
  const statements = executed('token_by_hash') - before.executed;
  assert.ok(statements >= 1 && statements < CROWD / 2, `${statements} statements for ${CROWD} requests`);
});

test('a failure is returned to all equal requests, each with its own request id', { timeout: 600000 }, async () => {
  const { answers } = await whileLockedInTime('run', Array.from({ length: 20 }, () => () => farm.request('GET', '/runs/01234567-89ab-7cde-8f01-23456789abcd')));
  assert.deepEqual([...new Set(answers.map((r) => r.status))], [404]);
  const ids = await Promise.all(answers.map(async (r) => [(await r.json()).request_id, r.headers.get('x-request-id')]));
  for (const [reported, id] of ids) assert.equal(reported, id);
  assert.equal(new Set(ids.map(([id]) => id)).size, 20);
});

test('each team gets its own answer', { timeout: 600000 }, async () => {
  await farm.profile(report(1), { name: 'report.csv', workload: 'ours' });
  await farm.api('POST', '/teams', { team: 'blue' });
  await farm.api('POST', '/teams/blue/members', { user: 'ina', role: 'viewer', password: 'a password of ina' });
  const login = await fetch(`${farm.url}/api/v1/session`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ user: 'ina', password: 'a password of ina' }) });
  assert.ok(login.ok, await login.clone().text());
  const theirs = { Authorization: null, Cookie: login.headers.get('set-cookie').split(';')[0] };
  assert.deepEqual((await (await farm.request('GET', '/workloads', undefined, theirs)).json()).items, []);
  const { answers } = await whileLockedInTime('workload', Array.from({ length: 20 }, (_, i) => () => farm.request('GET', '/workloads', undefined, i % 2 ? theirs : {})));
  const names = await Promise.all(answers.map(async (r) => (await r.json()).items.map((w) => w.name)));
  for (const [i, of] of names.entries()) assert.deepEqual(of, i % 2 ? [] : ['ours'], `request ${i}`);
});
