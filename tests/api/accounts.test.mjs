// Users: accounts, teams, roles, passwords, invitations, and tokens that are limited by a role.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program, startFarm } from './harness.mjs';

let farm;
before(async () => { farm = await startFarm(); });
after(async () => { await farm?.stop(); });

/** A session of a user: call(method, path, body) with its cookie. */
async function login(user, password, team) {
  const r = await farm.request('POST', '/session', { user, password, ...(team ? { team } : {}) }, { Authorization: null });
  assert.equal(r.status, 200, await r.clone().text());
  const headers = { Authorization: null, Cookie: r.headers.get('set-cookie').split(';')[0], 'X-Vivace-Request': '1' };
  return {
    who: await r.json(),
    call: (method, path, body) => farm.request(method, path, body, headers),
    status: async (method, path, body) => (await farm.request(method, path, body, headers)).status,
  };
}
const as = (token) => ({ Authorization: `Bearer ${token}` });
const password = (name) => `the password of ${name}`;
const add = (team, user, role) => farm.api('POST', `/teams/${team}/members`, { user, password: password(user), role });

test('a site admin creates teams and accounts; an owner invites others; each role has its permissions', async () => {
  await farm.api('POST', '/teams', { team: 'red' });
  await farm.api('POST', '/teams', { team: 'blue' });
  await add('red', 'rita', 'owner');
  const rita = await login('rita', password('rita'));
  assert.deepEqual(rita.who, { name: 'rita', user: 'rita', team: 'red', role: 'owner', scopes: ['read', 'write', 'admin'] });
  assert.equal(await rita.status('POST', '/teams/red/members', { user: 'max', password: password('max'), role: 'member' }), 201);
  assert.equal(await rita.status('POST', '/teams/red/members', { user: 'vera', password: password('vera'), role: 'viewer' }), 201);
  assert.equal(await rita.status('POST', '/teams/red/members', { user: 'vera', password: password('vera'), role: 'viewer' }), 409);
  const upload = { name: 'x', bytes: 1 };
  for (const [user, want] of [['rita', [200, 201, 200]], ['max', [200, 201, 403]], ['vera', [200, 403, 403]]]) {
    const p = await login(user, password(user));
    assert.deepEqual([await p.status('GET', '/workloads'), await p.status('POST', '/uploads', upload), await p.status('GET', '/teams/red/members')], want, user);
    assert.equal(await p.status('GET', '/users'), 403);
    assert.equal(await p.status('POST', '/teams', { team: 'green' }), 403);
    assert.equal(await p.status('PATCH', '/teams/red', { share: 2 }), 403);
    assert.equal(await p.status('POST', '/worker/claim', {}), 403);
    assert.deepEqual((await (await p.call('GET', '/teams')).json()).items, [{ team: 'red', members: 3, share: 1, role: p.who.role }]);
  }
  // another team gives the same answer as a team that does not exist
  for (const team of ['blue', 'default', 'nowhere'])
    for (const [method, path, body] of [['GET', 'members'], ['PUT', 'members/vera', { role: 'owner' }], ['DELETE', 'members/vera'], ['POST', 'invitations', { role: 'owner' }]])
      assert.equal(await rita.status(method, `/teams/${team}/${path}`, body), 404, `${method} ${team} ${path}`);
});

test('a changed role has effect at once; the last owner cannot be removed', async () => {
  const rita = await login('rita', password('rita')), vera = await login('vera', password('vera'));
  assert.equal(await vera.status('POST', '/uploads', { name: 'x', bytes: 1 }), 403);
  assert.equal(await rita.status('PUT', '/teams/red/members/vera', { role: 'member' }), 204);
  assert.equal(await vera.status('POST', '/uploads', { name: 'x', bytes: 1 }), 201);
  assert.equal(await rita.status('PUT', '/teams/red/members/vera', { role: 'emperor' }), 422);
  assert.equal(await rita.status('PUT', '/teams/red/members/nobody', { role: 'viewer' }), 404);
  assert.equal(await rita.status('DELETE', '/teams/red/members/vera'), 204);
  assert.equal(await vera.status('GET', '/workloads'), 403);
  assert.equal((await (await vera.call('GET', '/session')).json()).team, '');
  assert.equal(await rita.status('DELETE', '/teams/red/members/vera'), 404);
  assert.equal(await rita.status('DELETE', '/teams/red/members/rita'), 409);
  assert.equal(await rita.status('PUT', '/teams/red/members/rita', { role: 'viewer' }), 409);
  assert.equal(await rita.status('PUT', '/teams/red/members/vera', { role: 'viewer' }), 204, 'an existing account is added again');
});

test('a site admin manages teams, but cannot read their objects', async () => {
  await farm.api('POST', '/users', { user: 'sue', password: password('sue'), site_admin: true });
  const sue = await login('sue', password('sue'));
  assert.deepEqual(sue.who, { name: 'sue', user: 'sue', team: '', role: null, scopes: ['worker', 'farm'] });
  assert.equal(await sue.status('GET', '/workloads'), 403);
  assert.equal(await sue.status('GET', '/runs'), 403);
  assert.equal(await sue.status('GET', '/teams/red/members'), 200);
  assert.deepEqual((await (await sue.call('GET', '/teams')).json()).items.map((t) => t.team), ['blue', 'default', 'red']);
  assert.ok((await (await sue.call('GET', '/users')).json()).items.find((u) => u.user === 'max' && u.teams.includes('red')));
  assert.equal(await sue.status('PATCH', '/users/sue', { site_admin: false }), 409);
  assert.equal(await sue.status('PATCH', '/users/nobody', { disabled: true }), 404);
  assert.equal(await sue.status('PUT', '/teams/blue/members/sue', { role: 'viewer' }), 204, 'she joins, and then reads');
  const again = await login('sue', password('sue'));
  assert.equal(await again.status('GET', '/workloads'), 200);
});

test('a person in two teams works in one team at a time', async () => {
  await farm.api('PUT', '/teams/blue/members/max', { role: 'viewer' });
  const max = await login('max', password('max'));
  assert.deepEqual([max.who.team, max.who.role], ['red', 'member']);
  assert.equal(await max.status('PATCH', '/session', { team: 'blue' }), 204);
  const now = await (await max.call('GET', '/session')).json();
  assert.deepEqual([now.team, now.role, now.scopes], ['blue', 'viewer', ['read']]);
  assert.equal(await max.status('PATCH', '/session', { team: 'default' }), 404);
  assert.equal((await login('max', password('max'), 'blue')).who.team, 'blue');
  assert.equal((await farm.request('POST', '/session', { user: 'max', password: password('max'), team: 'default' }, { Authorization: null })).status, 404);
  assert.equal((await farm.request('PATCH', '/session', { team: 'red' })).status, 409, 'a token has one team');
});

test('the same message for an unknown user, a wrong password and a disabled account', async () => {
  await farm.api('POST', '/users', { user: 'gone', password: password('gone') });
  await farm.api('PATCH', '/users/gone', { disabled: true });
  const answers = [];
  for (const [user, pass] of [['rita', 'not the password'], ['nobody', 'not the password'], ['gone', password('gone')], ['NO Body', 'x']]) {
    const r = await farm.request('POST', '/session', { user, password: pass }, { Authorization: null });
    assert.equal(r.status, 401);
    answers.push((await r.json()).detail);
  }
  assert.equal(new Set(answers).size, 1, JSON.stringify(answers));
  for (const body of [{ user: 'x y', password: 'long enough' }, { user: 'short', password: '123456789' }, { user: '', password: 'long enough' }, { user: 'a'.repeat(64), password: 'long enough' }])
    assert.equal((await farm.request('POST', '/users', body)).status, 422, JSON.stringify(body));
  assert.equal((await farm.request('POST', '/users', { user: 'rita', password: 'long enough' })).status, 409);
});

test('disabling an account ends its sessions and tokens', async () => {
  await add('red', 'dan', 'member');
  const dan = await login('dan', password('dan'));
  const made = await (await dan.call('POST', '/tokens', { name: 'mine', scopes: ['read'] })).json();
  assert.equal((await farm.request('GET', '/workloads', undefined, as(made.token))).status, 200);
  await farm.api('PATCH', '/users/dan', { disabled: true });
  assert.equal((await farm.request('GET', '/workloads', undefined, as(made.token))).status, 401);
  assert.equal(await dan.status('GET', '/session'), 401);
  await farm.api('PATCH', '/users/dan', { disabled: false });
  assert.equal((await farm.request('GET', '/workloads', undefined, as(made.token))).status, 200);
  assert.equal(await dan.status('GET', '/session'), 401, 'the session is deleted permanently');
});

test('a changed password ends all sessions', async () => {
  const one = await login('rita', password('rita')), two = await login('rita', password('rita'));
  assert.equal(await one.status('PUT', '/users/rita/password', { password: 'another password' }), 422, 'without the current one');
  assert.equal(await one.status('PUT', '/users/rita/password', { password: 'another password', current: 'wrong one' }), 403);
  assert.equal(await one.status('PUT', '/users/max/password', { password: 'another password', current: password('rita') }), 403);
  assert.equal(await one.status('PUT', '/users/rita/password', { password: 'short', current: password('rita') }), 422);
  assert.equal(await two.status('GET', '/session'), 200);
  assert.equal(await one.status('PUT', '/users/rita/password', { password: 'another password', current: password('rita') }), 204);
  assert.deepEqual([await one.status('GET', '/session'), await two.status('GET', '/session')], [401, 401]);
  assert.equal((await farm.request('POST', '/session', { user: 'rita', password: password('rita') }, { Authorization: null })).status, 401);
  await login('rita', 'another password');
  await farm.api('PUT', '/users/rita/password', { password: password('rita') }); // a site admin resets it
  await login('rita', password('rita'));
});

test('the role of its person limits a token, whatever its scopes are', async () => {
  const max = await login('max', password('max'), 'red');
  assert.equal(await max.status('POST', '/tokens', { name: 'a', scopes: ['admin'] }), 403, 'not more rights than its creator');
  assert.equal(await max.status('POST', '/tokens', { name: 'a', scopes: ['worker'] }), 403);
  assert.equal(await max.status('POST', '/tokens', { name: 'a', scopes: ['read'], for: 'team' }), 403);
  const made = await (await max.call('POST', '/tokens', { name: 'ci', scopes: ['read', 'write'] })).json();
  assert.equal(made.user, 'max');
  const can = async (token) => [(await farm.request('GET', '/workloads', undefined, as(token))).status, (await farm.request('POST', '/uploads', { name: 'x', bytes: 1 }, as(token))).status];
  assert.deepEqual(await can(made.token), [200, 201]);
  assert.equal((await farm.request('POST', '/tokens', { name: 'b', scopes: ['read'] }, as(made.token))).status, 403, 'a token makes no tokens');
  assert.equal((await farm.request('GET', '/tokens', undefined, as(made.token))).status, 403);
  await farm.api('PUT', '/teams/red/members/max', { role: 'viewer' });
  assert.deepEqual(await can(made.token), [200, 403]);
  await farm.api('DELETE', '/teams/red/members/max');
  assert.deepEqual(await can(made.token), [403, 403]);
  await farm.api('PUT', '/teams/red/members/max', { role: 'member' });
  assert.deepEqual(await can(made.token), [200, 201]);
  // an owner sees and removes the tokens of the team, a member their own
  const rita = await login('rita', password('rita'));
  const own = await (await rita.call('POST', '/tokens', { name: 'of rita', scopes: ['admin'] })).json();
  const team = await (await rita.call('POST', '/tokens', { name: 'of the team', scopes: ['read'], for: 'team' })).json();
  assert.equal(team.user, null);
  const names = async (p) => (await (await p.call('GET', '/tokens')).json()).items.map((t) => t.name);
  const again = await login('max', password('max'), 'red');
  assert.deepEqual(await names(again), ['ci']);
  assert.ok((await names(rita)).includes('ci') && (await names(rita)).includes('of the team'));
  assert.equal(await again.status('DELETE', `/tokens/${team.id}`), 404);
  assert.equal(await rita.status('DELETE', `/tokens/${made.id}`), 204);
  assert.deepEqual(await can(made.token), [401, 401]);
  // an owner's token with the scope admin can create tokens, but not for workers, which read the jobs of all teams
  assert.equal((await farm.request('POST', '/tokens', { name: 'c', scopes: ['read'] }, as(own.token))).status, 201);
  assert.equal((await farm.request('POST', '/tokens', { name: 'c', scopes: ['worker'] }, as(own.token))).status, 403);
  assert.equal((await farm.request('POST', '/tokens', { name: 'c', scopes: ['farm'] }, as(own.token))).status, 403);
});

test('an invitation works once, and gives the role that it names', async () => {
  const made = await farm.api('POST', '/teams/blue/invitations', { role: 'member' });
  assert.match(made.invitation, /^[A-Za-z0-9_-]{43}$/);
  const join = (invitation, user, pass) => farm.request('POST', '/invitations', { invitation, user, password: pass }, { Authorization: null });
  assert.equal((await join('A'.repeat(43), 'ina', password('ina'))).status, 410);
  assert.equal((await farm.request('POST', '/session', { user: 'ina', password: password('ina') }, { Authorization: null })).status, 401, 'no account without an invitation');
  assert.equal((await join(made.invitation, 'rita', 'not the password')).status, 401, 'nor the account of another user');
  const joined = await join(made.invitation, 'ina', password('ina'));
  assert.equal(joined.status, 200);
  assert.deepEqual([(await joined.json()).team, joined.headers.get('set-cookie').startsWith('vivace_session=')], ['blue', true]);
  assert.equal((await join(made.invitation, 'eve', password('eve'))).status, 410, 'once');
  const second = await farm.api('POST', '/teams/red/invitations', { role: 'viewer', expires_days: 1 });
  assert.equal((await join(second.invitation, 'ina', password('ina'))).status, 200);
  assert.deepEqual((await (await (await login('ina', password('ina'))).call('GET', '/teams')).json()).items.map((t) => [t.team, t.role]), [['blue', 'member'], ['red', 'viewer']]);
});

test('an action and its row in the audit log are stored together or not at all', async () => {
  const count = (where) => Number(farm.psql(`SELECT count(*) FROM ${where}`));
  const requests = [['/tokens', { name: 'unwritten', scopes: ['read'] }, "token WHERE name = 'unwritten'", 'token.make'],
    ['/teams', { team: 'unwritten' }, "team WHERE slug = 'unwritten'", 'team.make'],
    ['/teams/red/members', { user: 'unwritten', password: password('unwritten'), role: 'viewer' }, "account WHERE login = 'unwritten'", 'member.make']];
  farm.psql("ALTER TABLE audit ADD CONSTRAINT full_disk CHECK (object !~ '.' OR outcome >= 300) NOT VALID");
  for (const [path, body, row] of requests) {
    assert.ok((await farm.request('POST', path, body)).status >= 400, path);
    assert.equal(count(row), 0, `${path}: nothing was done, for it could not be written down`);
  }
  farm.psql('ALTER TABLE audit DROP CONSTRAINT full_disk');
  for (const [path, body, row, action] of requests) {
    const before = count(`audit WHERE action = '${action}' AND outcome = 201`);
    assert.equal((await farm.request('POST', path, body)).status, 201, path);
    assert.deepEqual([count(row), count(`audit WHERE action = '${action}' AND outcome = 201`)], [1, before + 1]);
  }
});

test('the command line: log in by password, members, invitations, shares, audit', async () => {
  const env = { ...process.env, XDG_CONFIG_HOME: join(farm.folder, 'config') };
  delete env.VIVACE_TOKEN;
  const vivace = async (...args) => (await promisify(execFile)(program('vivace'), args, { env })).stdout;
  const file = join(farm.folder, 'password');
  writeFileSync(file, `${password('rita')}\n`, { mode: 0o600 });
  assert.equal(await vivace('login', farm.url, '--user', 'rita', '--password-file', file), `logged in to ${farm.url} as rita\n`);
  writeFileSync(file, Buffer.from('caf\xe9 au lait, long enough\n', 'latin1'));
  await assert.rejects(vivace('teams', 'add', 'red', 'odd', '--new', '--password-file', file), (e) => e.code === 64 && /must be UTF-8/.test(e.stderr));
  writeFileSync(file, `${password('newcomer')}\n`, { mode: 0o600 });
  await vivace('teams', 'add', 'red', 'newcomer', '--new', '--role', 'viewer', '--password-file', file);
  await vivace('teams', 'add', 'red', 'newcomer', '--role', 'member');
  const members = JSON.parse(await vivace('teams', 'members', 'red', '--json')).items;
  assert.equal(members.find((m) => m.user === 'newcomer').role, 'member');
  await vivace('teams', 'remove', 'red', 'newcomer');
  const invitation = await vivace('teams', 'invite', 'red', '--role', 'viewer');
  assert.match(invitation, /^[A-Za-z0-9_-]{43}\n$/);
  const guest = { env: { ...env, XDG_CONFIG_HOME: join(farm.folder, 'config-guest') } }, letter = join(farm.folder, 'invitation');
  writeFileSync(letter, invitation, { mode: 0o600 });
  const asGuest = async (...args) => (await promisify(execFile)(program('vivace'), args, guest)).stdout;
  await assert.rejects(asGuest('login', farm.url, '--invitation-file', letter), (e) => e.code === 64 && /needs --user NAME/.test(e.stderr));
  const joined = ['login', farm.url, '--user', 'guest', '--password-file', file, '--invitation-file', letter];
  assert.equal(await asGuest(...joined), `logged in to ${farm.url} as guest\n`);
  assert.match(await asGuest('teams'), /red +.*viewer/);
  await assert.rejects(asGuest(...joined), (e) => e.code !== 0 && /invitation/.test(e.stderr), 'it works once');
  await vivace('teams', 'remove', 'red', 'guest');
  assert.match(await vivace('teams'), /red +\d+ +1 +owner/);
  await assert.rejects(vivace('teams', 'share', 'red', '2.5'), (e) => e.code === 77 && /lacks the scope farm/.test(e.stderr));
  assert.match(await vivace('audit', '--csv', '--action', 'member.remove'), /rita,token:\d+,127.0.0.1,member.remove,red\/newcomer out,204/);
  assert.equal(await vivace('shares'), 'no share links\n');
  await assert.rejects(vivace('users'), (e) => e.code === 77 && /lacks the scope farm/.test(e.stderr));
  await vivace('login', farm.url, '--token-file', join(farm.state, 'admin-token'));
  assert.equal(await vivace('teams', 'share', 'red', '2.5'), 'the share of red is 2.5\n');
  assert.match(await vivace('teams'), /red +\d+ +2\.5/);
  assert.match(await vivace('users', '--csv'), /^rita,"?red"?,no,no,/m);
  await vivace('users', 'disable', 'newcomer');
  await assert.rejects(vivace('login', farm.url, '--user', 'newcomer', '--password-file', file), (e) => e.code === 77 && /user or password is wrong/.test(e.stderr));
});
