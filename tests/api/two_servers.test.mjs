// Two servers on one PostgreSQL over TCP, with a password and TLS: every route with every role, on the server that did not
// create the credentials. Each change of a credential on one server takes effect on the other, which caches credentials for ten
// seconds.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { startFarm, until } from './harness.mjs';
import { walkAll } from './role_walk.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

let first, second, document;
const password = (name) => `the password of ${name}`;

before(async () => {
  first = await startFarm({ tcp: 'tcp', args: ['--test-dead-after', '15min'] });
  second = await startFarm({ database: first.database.url, token: first.token, args: ['--database', first.database.url, '--test-dead-after', '15min', '--blob-store', first.state, '--blob-store-shared'] });
  document = await second.api('GET', '/openapi.json');
  for (const team of ['red', 'blue']) await first.api('POST', '/teams', { team });
});
after(async () => { await second?.stop(); await first?.stop(); });

/** A client of the second server. */
const caller = (name, headers) => ({ name, headers,
  request: (method, path, body, more = {}) => second.request(method, path.startsWith('/api/v1') ? path.slice(7) : `/${path}`, body, { Authorization: null, ...headers, ...more }) });
const bearer = (token, name = 'a token') => caller(name, { Authorization: `Bearer ${token}` });
const status = async (who, path, method = 'GET', body) => { const r = await who.request(method, `/api/v1${path}`, body); await r.body?.cancel(); return r.status; };
const remove = async (path) => first.api('DELETE', path);

/** A session that began at the first server. */
async function session(user) {
  const r = await first.request('POST', '/session', { user, password: password(user) }, { Authorization: null });
  assert.equal(r.status, 200);
  return caller(user, { Cookie: r.headers.get('set-cookie').split(';')[0], 'X-Vivace-Request': '1' });
}
async function person(name, role, team = 'red') {
  await first.api('POST', `/teams/${team}/members`, { user: name, password: password(name), role });
  return session(name);
}
async function tokenOf(who, scopes, more = {}) {
  const r = await first.request('POST', '/tokens', { name: 'its own', scopes, ...more }, { Authorization: null, ...who.headers });
  assert.equal(r.status, 201);
  return r.json();
}

/** The second server caches credentials: it answers with one status before the change, and with another one after it, long before the cache entry expires. */
async function actsAtOnce(what, who, { path, method, body, before: seen, change, after: wanted }) {
  for (let i = 0; i < 2; i++) assert.equal(await status(who, path, method, body), seen, `${what}: before`);
  await change();
  await until(`${what}: ${wanted} at the other server`, async () => await status(who, path, method, body) === wanted, 4000, 20);
}

test('every route with every role, at the server that did not create the objects', { timeout: 300000 }, async () => {
  await first.api('POST', '/users', { user: 'sue', password: password('sue'), site_admin: true });
  await walkAll(document, caller('nobody', {}), null);
  await walkAll(document, await person('vera', 'viewer'), ['read']);
  await walkAll(document, await person('max', 'member'), ['read', 'write']);
  await walkAll(document, await person('rita', 'owner'), ['read', 'write', 'admin']);
  await walkAll(document, await session('sue'), ['worker', 'farm']);
  for (const scope of ['read', 'write', 'worker', 'admin', 'farm']) {
    const { id, token } = await first.api('POST', '/tokens', { name: scope, scopes: [scope] });
    await walkAll(document, bearer(token, `a token with ${scope}`), scope === 'admin' ? ['read', 'write', 'admin'] : [scope]);
    await remove(`/tokens/${id}`);
    await until('the token to be unknown', async () => await status(bearer(token), '/runs') === 401);
    if (scope === 'admin') await walkAll(document, bearer(token, 'a revoked token'), null);
  }
});

test('tokens: revoked, and limited by a changed role', async () => {
  const { id, token } = await first.api('POST', '/tokens', { name: 'short', scopes: ['read'] });
  await actsAtOnce('a token that is revoked', bearer(token), { path: '/runs', before: 200, change: () => remove(`/tokens/${id}`), after: 401 });
  const own = bearer((await tokenOf(await person('ann', 'owner'), ['admin'])).token), role = (r) => first.api('PUT', '/teams/red/members/ann', { role: r });
  await actsAtOnce('owner to viewer', own, { path: '/tokens', before: 200, change: () => role('viewer'), after: 403 });
  await actsAtOnce('viewer to member', own, { path: '/uploads', method: 'POST', body: { nonsense: 1 }, before: 403, change: () => role('member'), after: 422 });
  await actsAtOnce('member to nobody', own, { path: '/runs', before: 200, change: () => remove('/teams/red/members/ann'), after: 403 });
});

test('sessions: ended, moved to another team, of a disabled account, after a password change', async () => {
  const ben = await person('ben', 'member');
  await actsAtOnce('log out', ben, { path: '/runs', before: 200, change: () => first.request('DELETE', '/session', undefined, { Authorization: null, ...ben.headers }), after: 401 });
  const again = await session('ben'), own = bearer((await tokenOf(again, ['read'])).token);
  await actsAtOnce('a new password', again, { path: '/runs', before: 200, change: () => first.api('PUT', '/users/ben/password', { password: 'another one of ben' }), after: 401 });
  await actsAtOnce('an account that is disabled', own, { path: '/runs', before: 200, change: () => first.api('PATCH', '/users/ben', { disabled: true }), after: 401 });
  const cleo = await person('cleo', 'owner');
  await first.api('PUT', '/teams/blue/members/cleo', { role: 'viewer' });
  await actsAtOnce('a session that moves to a team where its person is less', cleo, { path: '/uploads', method: 'POST', body: { nonsense: 1 }, before: 422,
    change: () => first.request('PATCH', '/session', { team: 'blue' }, { Authorization: null, ...cleo.headers }), after: 403 });
  await first.api('POST', '/users', { user: 'dora', password: password('dora'), site_admin: true });
  await actsAtOnce('no longer a site admin', await session('dora'), { path: '/users', before: 200, change: () => first.api('PATCH', '/users/dora', { site_admin: false }), after: 403 });
});

test('share links, event streams and worker tokens', async () => {
  const run = await replayRun(first);
  const link = await first.api('POST', '/shares', { kind: 'run', object: run.id });
  await actsAtOnce('a share link', bearer(link.url.slice(3)), { path: `/runs/${run.id}`, before: 200, change: () => remove(`/shares/${link.id}`), after: 401 });

  const { id, token } = await first.api('POST', '/tokens', { name: 'listens', scopes: ['read'] });
  const stream = await bearer(token).request('GET', '/api/v1/events?topics=farm');
  assert.equal(stream.status, 200);
  let over = false;
  const ended = (async () => { for await (const piece of stream.body) assert.ok(piece); over = true; })();
  await remove(`/tokens/${id}`);
  await until('the stream to end', () => over, 10000);
  await ended;

  const pool = await first.api('POST', '/tokens', { name: 'pool', scopes: ['worker'] });
  const api = async (method, path, body) => {
    const r = await bearer(pool.token).request(method, `/api/v1${path}`, body), text = await r.text();
    if (!r.ok) throw Object.assign(new Error(text), { status: r.status });
    return text ? JSON.parse(text) : null;
  };
  const worker = await new ScriptedWorker({ state: first.state, api }, { name: 'revoked', engines: ['replay'] }).open();
  await worker.drain();
  const claims = await second.metric('vivace_claims_total'), waits = worker.claim(1, 20).then((leases) => leases.length, (e) => e.status);
  await second.claimsBeyond(claims);
  await actsAtOnce('a worker\'s token', bearer(pool.token), { path: '/worker/heartbeat', method: 'POST', body: { session: worker.session, running: [] }, before: 200, change: () => remove(`/tokens/${pool.id}`), after: 401 });
  await new Promise((done) => setTimeout(done, 1100)); // a session that was used within the last second is not looked up again
  await replayRun(first, 2);
  assert.equal(await waits, 410, 'a claim that waited since before gets no job');
});
