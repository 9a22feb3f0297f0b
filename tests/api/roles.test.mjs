// Every route with every kind of caller: each role, each scope, no credential, another team, a share link; compared with the
// description of the API.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES, leastRole } from '../../api/description.mjs';
import { build, root, startFarm, until } from './harness.mjs';
import { call, opens, routesOf, walkAll } from './role_walk.mjs';
import { ScriptedWorker, good, report, sha256 as digest } from './scripted_worker.mjs';

let farm, document, things, red, blue;
const password = (name) => `the password of ${name}`;

/** A caller: request(method, path, body) with its credential. */
const caller = (name, headers) => ({
  name,
  request: (method, path, body, more = {}) => farm.request(method, path.startsWith('/api/v1') ? path.slice(7) : `/${path}`, body, { Authorization: null, ...headers, ...more }),
});
async function person(team, name, role) {
  await farm.api('POST', `/teams/${team}/members`, { user: name, password: password(name), role });
  return session(name);
}
async function session(user) {
  const r = await farm.request('POST', '/session', { user, password: password(user) }, { Authorization: null });
  assert.equal(r.status, 200);
  return caller(user, { Cookie: r.headers.get('set-cookie').split(';')[0], 'X-Vivace-Request': '1' });
}
const bearer = (name, token) => caller(name, { Authorization: `Bearer ${token}` });
const json = async (response, status = 201) => {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return text ? JSON.parse(text) : null;
};

/** Creates one object of each kind in the team of `who`, with a finished run. */
async function makeThings(who) {
  const ask = async (method, path, body, status) => json(await who.request(method, `/api/v1${path}`, body), status);
  const bytes = Buffer.from(report(1));
  const up = await ask('POST', '/uploads', { name: 'report.csv', bytes: bytes.length, workload: 'secret workload' });
  await ask('PUT', `/uploads/${up.id}/pieces/0`, bytes, 204);
  const { import: imported } = await ask('POST', `/uploads/${up.id}/finish`, undefined, 202);
  let i;
  do i = await ask('GET', `/imports/${imported}`, undefined, 200); while (i.state !== 'ready' && i.state !== 'failed');
  assert.equal(i.state, 'ready');
  const open = await ask('POST', '/uploads', { name: 'open.csv', bytes: 10 });
  const plan = await ask('POST', `/profiles/${i.profile}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  const run = await ask('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  const worker = await new ScriptedWorker(farm).open();
  await worker.drain();
  await until('the run to be done', () => farm.psql(`SELECT state = 'done' AND projected_version >= version FROM run WHERE id = '${run.id}'`) === 't');
  const job = (await ask('GET', `/runs/${run.id}/jobs`, undefined, 200)).items[0];
  const workload = (await ask('GET', '/workloads', undefined, 200)).items[0];
  const token = await ask('POST', '/tokens', { name: 'a token', scopes: ['read'], for: 'team' });
  const share = await ask('POST', '/shares', { kind: 'run', object: run.id });
  const pilot = farm.psql(`INSERT INTO pilot (id, profile_id, design_sha256, design_name, wanted, state, problem, created_by, created_at, finished_at)
    VALUES (gen_random_uuid(), '${i.profile}', '', 'v100', '{}', 'failed', 'it is an example', 'secret workload', now(), now()) RETURNING id`).split('\n')[0].trim();
  return { pilot, upload: open.id, import: imported, workload: workload.id, profile: i.profile, plan: plan.id, run: run.id, job: job.id, token: token.id, share: share.id,
    sha256: i.sha256 ?? '0'.repeat(64), kernel: plan.strata[0].kernel };
}

before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  document = await farm.api('GET', '/openapi.json');
  await farm.api('POST', '/teams', { team: 'red' });
  await farm.api('POST', '/teams', { team: 'blue' });
  red = { owner: await person('red', 'rita', 'owner'), member: await person('red', 'max', 'member'), viewer: await person('red', 'vera', 'viewer') };
  blue = await person('blue', 'bert', 'owner');
  await farm.api('POST', '/users', { user: 'sue', password: password('sue'), site_admin: true });
  things = await makeThings(red.owner);
});
after(async () => { await farm?.stop(); });

/** The routes of the served document. */
const routes = () => routesOf(document);
const walk = (who, scopes) => walkAll(document, who, scopes);

test('docs/SECURITY.md lists the minimum role of each scope, and the page of routes that of each route', () => {
  const table = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8').split('## Every route')[1];
  assert.deepEqual([...table.matchAll(/^\| (\w+) \| (.+) \|$/gm)].map((m) => m.slice(1)), Object.entries(SCOPES));
  const page = readFileSync(join(build, 'gen/api/routes.md'), 'utf8');
  for (const r of routes()) assert.ok(page.includes(`| \`${r.key}\` | ${r.scope} | ${leastRole({ operation: { 'x-scope': r.scope }, method: r.method.toLowerCase() })} |`), r.key);
});

test('every route as every role', async () => {
  await walk(caller('nobody', {}), null);
  await walk(red.viewer, ['read']);
  await walk(red.member, ['read', 'write']);
  await walk(red.owner, ['read', 'write', 'admin']);
  await walk(await session('sue'), ['worker', 'farm']);
});

test('every route with every scope', async () => {
  for (const scope of ['read', 'write', 'worker', 'admin', 'farm']) {
    const { token } = await farm.api('POST', '/tokens', { name: scope, scopes: [scope] });
    await walk(bearer(`a token with ${scope}`, token), scope === 'admin' ? ['read', 'write', 'admin'] : [scope]);
  }
});

test('scope and role: the smaller permission counts', async () => {
  const made = await json(await red.owner.request('POST', '/api/v1/tokens', { name: 'all', scopes: ['admin'] }));
  const all = bearer('a token of rita', made.token);
  await walk(all, ['read', 'write', 'admin']);
  await farm.api('PUT', '/teams/red/members/rita', { role: 'viewer' });
  await walk(all, ['read']);
  await farm.api('PUT', '/teams/red/members/rita', { role: 'owner' });
});

test('expired, revoked, malformed credentials: 401 everywhere', async () => {
  const { id, token } = await farm.api('POST', '/tokens', { name: 'short', scopes: ['admin'] });
  await farm.api('DELETE', `/tokens/${id}`);
  await walk(bearer('a revoked token', token), null);
  await walk(caller('a made-up cookie', { Cookie: `vivace_session=${'A'.repeat(43)}`, 'X-Vivace-Request': '1' }), null);
  await walk(caller('a made-up link', { Authorization: `Bearer ${'A'.repeat(22)}`, 'X-Vivace-Request': '1' }), null);
});

/** Query parameters without which a route refuses the request before it looks for the object. */
const needed = { histogram: '?kernel=0', 'trace-commands': '?for=list', 'launch-list': '?context=0' };

test('objects of another team are not found, on every route that names one', async () => {
  let tried = 0;
  for (const route of routes()) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
    if (!names.length || !names.every((n) => things[n] || n === 'piece') || !opens(route)?.some((s) => ['read', 'write', 'admin'].includes(s))) continue;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, n) => things[n] ?? '0');
    const r = await call(blue, route, path + (needed[route.path.split('/').at(-1)] ?? ''));
    const text = await r.text();
    if (route.path === '/api/v1/blobs/{sha256}' && route.method === 'PUT') continue; // a team may store bytes that another team has, too
    assert.equal(r.status, 404, `${route.key}: ${text}`);
    assert.ok(!text.includes('secret workload'), route.key);
    tried++;
  }
  assert.ok(tried >= 30, `${tried} routes`);
  assert.deepEqual((await json(await blue.request('GET', '/api/v1/workloads'), 200)).items, []);
  assert.deepEqual((await json(await blue.request('GET', '/api/v1/runs'), 200)).items, []);
  assert.deepEqual((await json(await blue.request('GET', '/api/v1/plans'), 200)).items, []);
  assert.deepEqual((await json(await blue.request('GET', '/api/v1/shares'), 200)).items, []);
  for (const topic of [`run:${things.run}`, `plan:${things.plan}`, `pilot:${things.pilot}`]) assert.equal((await blue.request('GET', `/api/v1/events?topics=${topic}`)).status, 404, topic);
  assert.equal((await blue.request('POST', '/api/v1/shares', { kind: 'run', object: things.run })).status, 404);
  // and their team still has all of them
  for (const [kind, at] of [['run', 'runs'], ['plan', 'plans'], ['profile', 'profiles'], ['workload', 'workloads'], ['job', 'jobs'], ['upload', 'uploads'], ['pilot', 'pilots']])
    await json(await red.owner.request('GET', `/api/v1/${at}/${things[kind]}`), 200);
});

test('a team’s own design is private, and does not change what a name means to other teams', async () => {
  const ask = async (who, method, path, body, status = 200) => json(await who.request(method, `/api/v1${path}`, body), status);
  const builtin = await ask(red.owner, 'GET', '/designs/v100');
  const mine = { ...builtin, gpu: { ...builtin.gpu, sms: { ...builtin.gpu.sms, value: 81 } }, name: 'wide' };
  await ask(red.owner, 'POST', '/designs', { ...mine, name: 'v100' }, 409);
  const made = await ask(red.owner, 'POST', '/designs', mine, 201), wider = { ...mine, gpu: { ...mine.gpu, sms: { ...mine.gpu.sms, value: 82 } } };
  const latest = await ask(red.owner, 'POST', '/designs', wider, 201);
  assert.equal((await ask(red.owner, 'GET', '/designs')).items.find((d) => d.name === 'wide').id, latest.id, 'for a team’s own designs, a name means the last upload');
  assert.equal((await ask(blue, 'GET', '/designs')).items.find((d) => d.name === 'wide'), undefined);
  assert.equal((await blue.request('GET', `/api/v1/designs/${made.id}`)).status, 404);
  assert.deepEqual(await ask(blue, 'GET', '/designs/v100'), builtin);
  await ask(red.owner, 'POST', '/designs', mine, 200);
  await ask(blue, 'POST', '/designs', mine, 201); // independent of other teams’ uploads
});

test('a worker’s token reads the objects of its jobs while it has their leases, and nothing else', async () => {
  const token = readFileSync(join(farm.state, 'worker-token'), 'utf8').trim();
  const worker = bearer('worker', token), sha256 = digest('bytes of red');
  const status = async (who) => { const r = await who.request('GET', `/api/v1/blobs/${sha256}`); await r.body?.cancel(); return r.status; };
  assert.equal((await red.member.request('PUT', `/api/v1/blobs/${sha256}`, 'bytes of red')).status, 201);
  assert.deepEqual([await status(red.member), await status(blue), await status(worker)], [200, 404, 404]);
  await new ScriptedWorker(farm, { name: 'holder' }).open();
  // a job of the other team that uses the blob as its trace
  farm.psql(`ALTER TABLE job DISABLE TRIGGER job_moves; UPDATE job SET state = 'leased', result_id = NULL, key = '\\x${'ab'.repeat(32)}', finished_at = NULL, trace_sha256 = '${sha256}', leased_at = now(), deadline_at = now() + interval '1 hour',
    session_id = (SELECT id FROM worker_session WHERE name = 'holder') WHERE id = '${things.job}';
    ALTER TABLE job ENABLE TRIGGER job_moves`);
  assert.deepEqual([await status(blue), await status(worker)], [404, 200]);
  const other = await farm.api('POST', '/tokens', { name: 'another pool', scopes: ['worker'] });
  assert.equal(await status(bearer('another pool', other.token)), 404, 'another pool holds no such job');
  farm.psql("UPDATE worker_session SET state = 'dead' WHERE name = 'holder'");
  assert.equal(await status(worker), 404);
  await until('the lease of the dead session to go back', () => farm.psql(`SELECT state FROM job WHERE id = '${things.job}'`) !== 'leased'); // this changes the run
});

// --- Share links ---

async function openLink(how) {
  const made = await json(await red.owner.request('POST', '/api/v1/shares', how));
  const r = await fetch(farm.url + made.url, { redirect: 'manual' });
  assert.deepEqual([r.status, r.headers.get('set-cookie'), r.headers.get('location')], [200, null, null], 'the link stays in its address');
  await r.body?.cancel();
  return { made, link: caller('a link', { Authorization: `Bearer ${made.url.slice(3)}` }) };
}

test('a link to a run shows the run and its parts, and nothing else', async () => {
  const { made, link } = await openLink({ kind: 'run', object: things.run, name: 'for the review' });
  const who = await json(await link.request('GET', '/api/v1/session'), 200);
  assert.deepEqual([who.name, who.scopes, who.share.object], ['for the review', ['read'], things.run]);
  const shown = [`/runs/${things.run}`, `/runs/${things.run}/projection`, `/runs/${things.run}/jobs`, `/runs/${things.run}/convergence`, `/jobs/${things.job}`, `/plans/${things.plan}`, '/methods'];
  for (const path of shown) assert.equal((await link.request('GET', `/api/v1${path}`)).status, 200, path);
  const hidden = ['/workloads', '/runs', '/plans', `/workloads/${things.workload}`, `/profiles/${things.profile}`, `/plans/${things.plan}/costs`, '/tokens', '/shares', '/audit', '/farm', '/workers', '/designs', '/openapi.json', '/teams', `/compare?base=${things.run}:replay&with=${things.run}:replay`,
    `/uploads/${things.upload}`, `/imports/${things.import}`, '/events?topics=farm', `/events?topics=run:${things.run},farm`];
  for (const path of hidden) assert.ok([403, 404].includes((await link.request('GET', `/api/v1${path}`)).status), path);
  for (const [method, path] of [['POST', `/runs/${things.run}/cancel`], ['POST', `/plans/${things.plan}/launch-list`], ['DELETE', `/workloads/${things.workload}`], ['POST', '/tokens'], ['PATCH', '/session']])
    assert.equal((await link.request(method, `/api/v1${path}`, method === 'DELETE' ? undefined : {}, { 'X-Vivace-Request': '1' })).status, 403, path);
  for (const [kind, object, path] of [['plan', things.plan, `/plans/${things.plan}`], ['profile', things.profile, `/profiles/${things.profile}`]]) {
    const other = (await openLink({ kind, object, name: `of a ${kind}` })).link;
    assert.equal((await other.request('GET', `/api/v1${path}`)).status, 200, path);
    assert.equal((await other.request('GET', `/api/v1${path}/costs`)).status, 404, 'costs are fitted from all that the team has simulated');
    for (const hidden of [`/profiles/${things.profile}/pilots`, `/pilots/${things.pilot}`, `/events?topics=pilot:${things.pilot}`])
      assert.ok([403, 404].includes((await other.request('GET', `/api/v1${hidden}`)).status), hidden);
  }
  const listed = (await json(await red.owner.request('GET', '/api/v1/shares'), 200)).items.find((s) => s.id === made.id);
  assert.deepEqual([listed.opened, listed.made_by, listed.kind], [1, 'rita', 'run']);
  assert.ok(!JSON.stringify(listed).includes(made.url.slice(3)));
  assert.equal((await red.member.request('DELETE', `/api/v1/shares/${made.id}`)).status, 403);
  assert.equal((await red.owner.request('DELETE', `/api/v1/shares/${made.id}`)).status, 204);
  assert.equal((await link.request('GET', `/api/v1/runs/${things.run}`)).status, 401, 'revoked');
  assert.equal((await fetch(farm.url + made.url, { redirect: 'manual' })).status, 410);
});

test('a link is read below its own address, and does not change the visitor’s session', async () => {
  const { made } = await openLink({ kind: 'plan', object: things.plan });
  const login = await farm.request('POST', '/session', { user: 'bert', password: password('bert') }, { Authorization: null });
  const cookie = login.headers.get('set-cookie').split(';')[0];
  const below = (path, headers = {}) => fetch(`${farm.url}${made.url}/api/v1${path}`, { headers });
  for (const headers of [{}, { Cookie: cookie }, { Authorization: `Bearer ${farm.token}` }]) {
    const who = await json(await below('/session', headers), 200);
    assert.deepEqual([who.name, who.share?.kind], ['share link', 'plan'], JSON.stringify(Object.keys(headers)));
    assert.equal((await below(`/plans/${things.plan}`, headers)).status, 200);
    assert.equal((await below(`/runs/${things.run}`, headers)).status, 404, 'a plan\'s link is not its runs\'');
    assert.equal((await below('/tokens', headers)).status, 403);
  }
  assert.equal((await json(await caller('bert', { Cookie: cookie }).request('GET', '/api/v1/session'), 200)).user, 'bert');
  const page = await fetch(`${farm.url}${made.url}/plans/${things.plan}`, { headers: { Accept: 'text/html' } });
  assert.deepEqual([page.status, page.headers.get('content-type'), page.headers.get('set-cookie')], [200, 'text/html; charset=utf-8', null]);
  const csv = await below(`/plans/${things.plan}/samples?format=csv`);
  assert.deepEqual([csv.status, csv.headers.get('content-type').split(';')[0]], [200, 'text/csv']);
  for (const wrong of ['A'.repeat(22), 'x']) assert.equal((await fetch(`${farm.url}/s/${wrong}/api/v1/session`, { headers: { Cookie: cookie } })).status, 401, 'a session does not replace a link');
});

test('a frozen link shows the data at its creation, a live one the present data', async () => {
  const plan = await json(await red.owner.request('POST', `/api/v1/profiles/${things.profile}/plans`, { method: 'vivace', error: 0.02, confidence: 0.95, seed: 3 }));
  const run = await json(await red.owner.request('POST', `/api/v1/plans/${plan.id}/runs`, { engine: 'replay', designs: [] }));
  const frozen = await openLink({ kind: 'run', object: run.id, frozen: true }), live = await openLink({ kind: 'run', object: run.id });
  const state = async (l) => (await json(await l.link.request('GET', `/api/v1/runs/${run.id}`), 200)).state;
  assert.deepEqual([await state(frozen), await state(live)], ['running', 'running']);
  await json(await red.owner.request('POST', `/api/v1/runs/${run.id}/cancel`), 200);
  assert.deepEqual([await state(frozen), await state(live)], ['running', 'cancelled']);
  assert.equal((await frozen.link.request('GET', `/api/v1/runs/${run.id}/projection`)).status, 200);
  assert.equal((await frozen.link.request('GET', `/api/v1/plans/${plan.id}`)).status, 200);
  assert.equal((await frozen.link.request('GET', `/api/v1/runs/${run.id}/not-simulated`)).status, 200);
  assert.equal((await frozen.link.request('GET', `/api/v1/runs/${run.id}/metrics`)).status, 404, 'was not kept');
  for (const by of ['stratum=0', 'worker=steady']) assert.equal((await frozen.link.request('GET', `/api/v1/runs/${run.id}/jobs?${by}`)).status, 404, `${by}: all parts were kept`);
  assert.equal((await frozen.link.request('GET', `/api/v1/events?topics=run:${run.id}`)).status, 404);
});

test('hidden names are labels, the same label for the same name', async () => {
  const { link } = await openLink({ kind: 'run', object: things.run, hide_names: true });
  const own = await json(await red.owner.request('GET', `/api/v1/plans/${things.plan}`), 200);
  const shown = await json(await link.request('GET', `/api/v1/plans/${things.plan}`), 200);
  assert.equal(shown.strata.length, own.strata.length);
  const label = new Map();
  own.strata.forEach((s, i) => {
    assert.match(shown.strata[i].kernel, /^x-[0-9a-f]{10}$/);
    assert.equal(label.get(s.kernel) ?? shown.strata[i].kernel, shown.strata[i].kernel);
    label.set(s.kernel, shown.strata[i].kernel);
    assert.equal(shown.strata[i].share_of_time, s.share_of_time);
  });
  for (const path of [`/plans/${things.plan}`, `/runs/${things.run}`, `/runs/${things.run}/strata`, `/runs/${things.run}/jobs`, `/jobs/${things.job}`, `/runs/${things.run}/events`]) {
    const text = await (await link.request('GET', `/api/v1${path}`)).text();
    for (const s of own.strata) assert.ok(!text.includes(s.kernel), `${path} tells ${s.kernel}`);
    for (const word of ['secret workload', 'report.csv', 'rita', 'test-host', 'scripted', 'holder']) assert.ok(!text.includes(word), `${path} tells ${word}`);
  }
  assert.equal((await link.request('GET', `/api/v1/plans/${things.plan}/samples?format=csv`)).status, 403);
  const events = async (who) => (await json(await who.request('GET', `/api/v1/runs/${things.run}/events`), 200)).items.map((e) => e.text);
  const [said, read] = [await events(red.owner), await events(link)];
  assert.ok(said.some((s) => /^rita started the run/.test(s)), said.join());
  assert.deepEqual(read.map((s) => s.replace(/x-[0-9a-f]{10}/g, 'NAME')), said.map((s) => s.replace(/rita|test-host|scripted|holder/g, 'NAME')), 'sentences stay, names go');
});

test('hidden names: the name, tags and note of a run and its plan are omitted, also in a frozen link', async () => {
  const given = { name: '20260711', tags: ['2.5', 'customer acme'], note: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };
  const words = [given.name, given.note, '"2.5"', 'acme'], nothing = { name: '', tags: [], note: '', archived: false };
  const paths = [`/runs/${things.run}`, `/plans/${things.plan}`];
  for (const path of paths) assert.equal((await red.owner.request('PATCH', `/api/v1${path}`, given)).status, 204);
  for (const frozen of [false, true]) {
    const { link } = await openLink({ kind: 'run', object: things.run, hide_names: true, frozen });
    for (const path of paths) assert.deepEqual((await json(await link.request('GET', `/api/v1${path}`), 200)).label, nothing, `${path}, frozen: ${frozen}`);
    for (const path of [...paths, `/runs/${things.run}/events`, `/runs/${things.run}/events?format=csv`, `/runs/${things.run}/jobs?format=csv`]) {
      const text = await (await link.request('GET', `/api/v1${path}`)).text();
      for (const word of words) assert.ok(!text.includes(word), `${path} tells ${word}`);
    }
  }
  for (const path of paths) assert.equal((await red.owner.request('PATCH', `/api/v1${path}`, { name: '', tags: [], note: '' })).status, 204);
});

test('settings are not hidden as names: the rule of a run stays readable', async () => {
  const run = await json(await red.owner.request('POST', `/api/v1/plans/${things.plan}/runs`, { engine: 'replay', designs: [], until: 0.03, approve: 'ask' }));
  const { link } = await openLink({ kind: 'run', object: run.id, hide_names: true });
  const rule = async (who) => (await json(await who.request('GET', `/api/v1/runs/${run.id}`), 200)).rule;
  assert.equal((await rule(link)).approve, 'ask');
  assert.deepEqual(await rule(link), await rule(red.owner));
});

// --- The audit log ---

test('the audit log shows actions with their user, to owners and site admins, as JSON and CSV', async () => {
  await farm.request('POST', '/session', { user: 'rita', password: 'wrong password' }, { Authorization: null });
  assert.equal((await farm.request('POST', '/session', { token: farm.token }, { Authorization: null })).status, 200);
  const log = async (who, query = '') => (await json(await who.request('GET', `/api/v1/audit?limit=1000${query}`), 200)).items;
  const of = await log(red.owner);
  const actions = new Set(of.map((r) => r.action));
  for (const a of ['login', 'member.make', 'member.change', 'token.make', 'share.make', 'share.open', 'share.revoke', 'run.cancel']) assert.ok(actions.has(a), a);
  assert.ok(of.every((r) => r.team === 'red'), 'the team\'s own rows');
  const made = of.find((r) => r.action === 'share.make' && r.outcome === 201);
  assert.deepEqual([made.actor, made.address], ['rita', '127.0.0.1']);
  assert.match(made.credential, /^session:\d+$/);
  assert.deepEqual(await log(blue).then((rows) => rows.filter((r) => r.team !== 'blue')), []);
  const all = await log(await session('sue'));
  assert.ok(all.some((r) => r.action === 'login' && r.actor === 'rita' && r.outcome === 401));
  assert.deepEqual(all.filter((r) => r.action === 'login' && r.outcome === 200 && r.actor === '-'), [], 'a logged-in user has a name');
  assert.ok(all.some((r) => r.action === 'login' && r.outcome === 200 && r.actor === all.find((t) => t.action === 'team.make').actor), 'a token its own');
  assert.ok(all.some((r) => r.action === 'team.make' && r.object === 'blue'));
  assert.ok((await log(red.owner, '&action=token.make')).every((r) => r.action === 'token.make'));
  for (const since of ['nonsense', 'tomorrow', 'infinity', '2026-13-01', '2026-11-01Tx']) {
    const refused = await red.owner.request('GET', `/api/v1/audit?since=${since}`);
    assert.equal(refused.status, 422);
    assert.match((await refused.json()).detail, new RegExp(`^\`since\` must be a day or a time, as .*, not \`${since}\`$`));
  }
  const csv = await (await red.owner.request('GET', '/api/v1/audit?format=csv')).text();
  assert.equal(csv.split('\n')[0], 'at,team,actor,credential,address,action,object,outcome,request_id');
  assert.ok(csv.includes(',share.make,'));
  // a page begins after the end of the previous one; rows of refused calls are written after their answers
  const ids = (list) => list.map((r) => r.request_id);
  await until('pages that are the beginning of the list', async () => {
    const first = await json(await red.owner.request('GET', '/api/v1/audit?limit=2'), 200);
    const second = await json(await red.owner.request('GET', `/api/v1/audit?limit=2&after=${encodeURIComponent(first.next)}`), 200);
    return ids([...first.items, ...second.items]).join() === ids(await log(red.owner)).slice(0, 4).join();
  });
  await until('refused attempts too', async () => (await log(red.owner)).some((r) => r.action === 'share.revoke' && r.actor === 'max' && r.outcome === 403));
});

// Refused calls are rows of the audit log, so this is after the tests of the log.
test('every route as a link to a comparison: the comparison and what every link opens, nothing else', async () => {
  const { run } = things, design = (await json(await red.owner.request('GET', `/api/v1/runs/${run}`), 200)).designs[0].design, other = await json(await red.owner.request('POST', `/api/v1/plans/${things.plan}/runs`, { engine: 'replay', designs: [] }));
  const { link } = await openLink({ kind: 'compare', question: { base: { run, design }, with: [{ run: other.id, design }] } });
  const asked = `base=${run}:${design}&with=${other.id}:${design}`, always = ['/api/v1/session', '/api/v1/methods', '/api/v1/problems/{code}'];
  const open = [];
  for (const route of routes()) {
    if (route.scope === 'none') continue;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, n) => things[n] ?? (n === 'code' ? 'invalid' : '0')) + (needed[route.path.split('/').at(-1)] ?? (route.path === '/api/v1/compare' ? `?${asked}` : ''));
    const r = await call(link, route, path), text = await r.text();
    if (r.status === 200) open.push(route.path);
    else assert.ok([403, 404].includes(r.status) || (route.path === '/api/v1/session' && route.method !== 'GET'), `${route.key}: ${r.status} ${text}`);
    if (r.status !== 200) assert.ok(!text.includes('secret workload'), route.key);
  }
  assert.deepEqual(open.filter((p) => !always.includes(p)), ['/api/v1/compare']);
  for (const [base, with_] of [[other.id, run], [run, run]]) assert.equal((await link.request('GET', `/api/v1/compare?base=${base}:${design}&with=${with_}:${design}`)).status, 404);
});
