// Share links that show a comparison: the answer to one question, and nothing else of its runs.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, tracedPlan } from './scripted_worker.mjs';

let farm, plan, one, two, other, worker;
const SECONDS = { v100: 1, a100: 0.8, h100: 0.5 };
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] });
  worker = await new ScriptedWorker(farm).open();
  plan = await tracedPlan(farm, { workload: 'secret workload' });
  one = await simulated(['v100', 'h100']);
  two = await simulated(['a100']);
  other = await simulated(['b200']);
});
after(async () => { await farm?.stop(); });

async function simulated(designs) {
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs });
  await worker.drain((l) => Math.round(1e6 * (SECONDS[l.design_name] ?? 1)) + (l.launch * 37) % 1000);
  return farm.finished(run.id);
}
const side = (run, design) => ({ run: run.id, design });
/** Two designs of one run, and one of another run of the plan. */
const question = (more = {}) => ({ base: side(one, 'v100'), with: [side(one, 'h100'), side(two, 'a100')], ...more });
const query = (more = {}) => `/compare?${new URLSearchParams({ base: `${one.id}:v100`, with: `${one.id}:h100,${two.id}:a100`, kernels: 'true', parameters: 'differences', ...more })}`;
const make = (body) => farm.api('POST', '/shares', body);
const refused = (body, status, what) => assert.rejects(make(body), (e) => e.status === status && what.test(e.message), JSON.stringify(body));
/** Reads with the link's own scope, below its address. */
async function link(how) {
  const made = await make({ kind: 'compare', question: question(), ...how });
  const read = async (path) => {
    const r = await fetch(`${farm.url}${made.url}/api/v1${path}`);
    const text = await r.text();
    return { status: r.status, text, json: /json/.test(r.headers.get('content-type')) ? JSON.parse(text) : null };
  };
  return { made, read };
}

test('a link to a comparison shows the answer to its question', async () => {
  const show = side(two, 'a100'), { made, read } = await link({ name: 'for the review', question: question({ show }) });
  assert.deepEqual([made.kind, made.object, made.question], ['compare', one.id, question({ show })]);
  const who = (await read('/session')).json;
  assert.deepEqual([who.name, who.scopes, who.share.kind, who.share.question], ['for the review', ['read'], 'compare', question({ show })]);
  const shown = await read(query());
  assert.equal(shown.status, 200, shown.text);
  assert.deepEqual(shown.json, await farm.api('GET', query()), 'the same digits as for the team');
  assert.deepEqual(shown.json.items.map((s) => s.design), ['h100', 'a100']);
  assert.equal((await read(`${query()}&format=csv`)).text, await (await farm.request('GET', `${query()}&format=csv`)).text());
  const listed = (await farm.api('GET', '/shares')).items.find((s) => s.id === made.id);
  assert.deepEqual([listed.kind, listed.question, listed.opened], ['compare', question({ show }), 0]);
});

test('a comparison link gives access to nothing else: no other comparison, no page of its runs, no list, no event', async () => {
  const { read } = await link();
  const h100 = `${one.id}:h100`, a100 = `${two.id}:a100`, v100 = `${one.id}:v100`;
  for (const more of [{ base: h100, with: `${v100},${a100}` }, { with: h100 }, { with: `${a100},${h100}` }, { with: `${h100},${a100},${other.id}:b200` }, { with: `${other.id}:b200` }, { resolve: '0.01' }, { parameters: 'all' }]) {
    const r = await read(query(more));
    assert.deepEqual([r.status, r.json.detail], [404, 'the link does not share this comparison'], JSON.stringify(more));
  }
  const closed = ['/compare', `/compare?base=${v100}`, `/runs/${one.id}`, `/runs/${one.id}/compare`, `/runs/${one.id}/projection`, `/runs/${one.id}/jobs`, `/runs/${one.id}/events`, `/runs/${two.id}`, `/plans/${plan.id}`, `/profiles/${plan.profile}`, '/runs', '/workloads', '/designs', '/designs/h100', '/shares', '/tokens', `/events?topics=run:${one.id}`];
  for (const path of closed) assert.ok([403, 404].includes((await read(path)).status), path);
  const all = await link({ question: question({ all_parameters: true }) });
  assert.equal((await all.read(query({ parameters: 'all' }))).json.parameters.some((p) => p.same), true, 'a link with this option shows all parameters');
});

test('a frozen link keeps the answer from its creation, also without its runs', async () => {
  const extra = await simulated(['v100', 'a100']);
  const asked = { base: side(extra, 'v100'), with: [side(extra, 'a100')] }, path = `/compare?base=${extra.id}:v100&with=${extra.id}:a100&kernels=true&parameters=`;
  const frozen = await link({ question: { ...asked, all_parameters: true }, frozen: true }), less = await link({ question: asked, frozen: true }), live = await link({ question: asked });
  const then = await farm.api('GET', `${path}differences`);
  assert.deepEqual((await farm.api('GET', `/runs/${extra.id}/dependents`)).items.map((d) => d.id).sort(), [frozen, less, live].map((l) => l.made.id).sort(), 'a user who deletes the run sees its links');
  assert.equal((await live.read(`${path}differences`)).status, 200);
  await farm.api('DELETE', `/runs/${extra.id}`);
  assert.equal((await live.read(`${path}differences`)).status, 404);
  assert.deepEqual((await frozen.read(`${path}differences`)).json, then);
  assert.ok((await frozen.read(`${path}all`)).json.parameters.length > then.parameters.length);
  assert.equal((await less.read(`${path}all`)).status, 404);
  for (const rest of [`/compare?base=${extra.id}:v100&with=${extra.id}:a100`, `${path}differences`.replace('kernels=true', 'kernels=false')]) assert.equal((await frozen.read(rest)).status, 404, `${rest} was not stored`);
  assert.equal((await frozen.read('/session')).json.share.frozen, true);
});

test('a frozen link says that results of one of its runs were discarded', async () => {
  const faulty = await new ScriptedWorker(farm, { name: 'faulty' }).open();
  const bad = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['t4'] });
  await faulty.drain(() => 500000);
  await farm.finished(bad.id);
  const { read } = await link({ question: { base: side(one, 'v100'), with: [side(bad, 't4')] }, frozen: true }), without = await link({ frozen: true });
  assert.equal((await farm.api('POST', '/discards', { worker: 'faulty', dry_run: true })).frozen_links, 1);
  await farm.api('POST', '/discards', { worker: 'faulty', why: 'bad memory' });
  assert.ok((await read('/session')).json.share.discarded_at);
  assert.equal((await without.read('/session')).json.share.discarded_at, null);
});

test('hidden names are labels; designs, parameters, levels and sentences stay', async () => {
  const own = await farm.api('GET', query());
  for (const frozen of [false, true]) {
    const { read } = await link({ hide_names: true, frozen, name: 'for the review' });
    const { json, text } = await read(query());
    assert.ok(own.kernels.length > 0 && own.kernels.every((k) => k.kernel === '' || !text.includes(JSON.stringify(k.kernel))));
    assert.ok(!text.includes('secret workload'));
    assert.match(json.base.workload_name, /^x-[0-9a-f]{10}$/);
    for (const key of ['level', 'rule', 'parameters']) assert.deepEqual(json[key], own[key], key);
    const numbers = (c) => [c.base, ...c.items].map(({ workload_name, ...rest }) => rest);
    assert.deepEqual(numbers(json), numbers(own));
    assert.deepEqual((await read('/session')).json.share.question, question());
    if (!frozen) assert.equal((await read(`${query()}&format=csv`)).status, 403);
  }
});

test('a link to a run compares the designs of the run, and no others', async () => {
  const made = await make({ kind: 'run', object: one.id });
  const status = async (path) => (await fetch(`${farm.url}${made.url}/api/v1${path}`)).status;
  const path = `/compare?base=${one.id}:v100&with=${one.id}:h100`;
  assert.equal(await status(`${path}&kernels=true`), 200);
  for (const rest of [`${path},${two.id}:a100`, `/compare?base=${two.id}:a100&with=${one.id}:h100`, `${path}&parameters=all`, `${path}&resolve=0.01`]) assert.equal(await status(rest), 404, rest);
});

test('an invalid request is refused with the reason', async () => {
  const q = question();
  await refused({ kind: 'comparison', question: q }, 422, /`kind` must be run, plan, profile or compare/);
  await refused({ kind: 'compare', object: one.id }, 422, /has `question`, not `object`/);
  await refused({ kind: 'run', object: one.id, question: q }, 422, /has `object`, not `question`/);
  await refused({ kind: 'compare' }, 422, /`question` is missing/);
  await refused({ kind: 'compare', question: { ...q, with: [] } }, 422, /1 to 32 designs/);
  await refused({ kind: 'compare', question: { ...q, with: Array(33).fill(q.base) } }, 422, /1 to 32 designs/);
  await refused({ kind: 'compare', question: { ...q, with: ['h100'] } }, 422, /must be an object|is not an object|object/);
  await refused({ kind: 'compare', question: { ...q, base: { run: 'x', design: 'v100' } } }, 422, /must be a run id, not `x`/);
  await refused({ kind: 'compare', question: { ...q, base: side(one, `v100,${two.id}:a100`) } }, 422, /must be the name of a design/);
  await refused({ kind: 'compare', question: { ...q, base: side(one, 'b200') } }, 404, /has no design `b200`/);
  await refused({ kind: 'compare', question: { ...q, show: side(one, 'v100') } }, 422, /`show` of the question must be one of/);
  await refused({ kind: 'compare', question: { ...q, metric: 'ipc' } }, 422, /metric/);
  const { url, token } = await secondTeam();
  const r = await fetch(`${url}/api/v1/shares`, { method: 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: JSON.stringify({ kind: 'compare', question: q }) });
  assert.equal(r.status, 404, 'runs of another team are not there');
});

/** A token of an owner of another team. */
async function secondTeam() {
  await farm.api('POST', '/teams', { team: 'blue' });
  await farm.api('POST', '/teams/blue/members', { user: 'bert', password: 'the password of bert', role: 'owner' });
  const login = await farm.request('POST', '/session', { user: 'bert', password: 'the password of bert' }, { Authorization: null });
  const made = await farm.request('POST', '/tokens', { name: 'blue', scopes: ['read', 'write', 'admin'] }, { Authorization: null, Cookie: login.headers.get('set-cookie').split(';')[0], 'X-Vivace-Request': '1' });
  return { url: farm.url, token: (await made.json()).token };
}

test('the program makes, lists and revokes such a link', async () => {
  const vivace = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  const done = vivace('share', 'create', 'compare', `${one.id}:v100`, `${one.id}:h100`, `${two.id}:a100`, '--frozen', '--name', 'of the program');
  assert.equal(done.status, 0, done.stderr);
  const url = done.stdout.trim();
  assert.equal((await fetch(`${url}/api/v1${query()}`)).status, 200);
  assert.match(vivace('share', 'list').stdout, /compare .*of the program/);
  const { id } = JSON.parse(vivace('share', 'list', '--json').stdout).items.find((s) => s.name === 'of the program');
  assert.equal(vivace('share', 'revoke', id).status, 0);
  await until('the link to end', async () => (await fetch(`${url}/api/v1${query()}`)).status === 401);
  for (const [args, said] of [[['compare', `${one.id}:v100`], /at least one other design/], [['compare', one.id, `${one.id}:h100`], /must have the form RUN:DESIGN/], [['run', one.id, two.id], /one id/], [['run', one.id, '--all-parameters'], /--all-parameters/]]) {
    const wrong = vivace('share', 'create', ...args);
    assert.equal(wrong.status, 64, wrong.stderr);
    assert.match(wrong.stderr, said);
  }
});
