// The error of the cache state of a run's launches: some launches are chosen after the run and simulated again after the
// launches before them. The result must equal that of the command line without a farm.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, root, startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

let farm, folder, plan, bare, run, without;
const path = (name) => join(folder, name);
const get = (id) => farm.api('GET', `/runs/${id}`);
const start = (on, more) => farm.api('POST', `/plans/${on.id}/runs`, { engine: 'cycle', designs: ['v100', 'h100'], ...more });
const vivace = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
const over = (id) => until('the cache check', async () => {
  const r = await get(id);
  return ['measured', 'failed'].includes(r.cache_check?.state) && r;
});
const refused = (promise, status, pattern) => assert.rejects(promise, (e) => e.status === status && pattern.test(e.message), String(pattern));

/** The cache state in `vivace simulate --json`, one entry per design. */
const cacheStates = (simulated) => simulated.projections.map((p) => p.parts.cache_state);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-caches-'));
  chmodSync(folder, 0o755);
  execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/bfs/launches.json'), '--profile', path('bfs.csv'), '--trace', path('warm.vtrace')]);
  execFileSync(program('vivace'), ['trace', 'convert', path('warm.vtrace'), path('bfs.vtrace'), '--no-caches']);
  farm = await startFarm({ workers: 1 });
  const profile = await farm.profile(readFileSync(path('bfs.csv')), { name: 'bfs.csv', workload: 'bfs' });
  await farm.request('POST', `/profiles/${profile.id}/traces?name=bfs.vtrace`, readFileSync(path('bfs.vtrace')), { 'Content-Type': 'application/octet-stream' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.4, seed: 4 });
  const other = await farm.profile(readFileSync(path('bfs.csv')), { name: 'other.csv', workload: 'without traces' });
  bare = await farm.api('POST', `/profiles/${other.id}/plans`, { method: 'srs', share: 0.1, seed: 4 });
  without = await start(bare, { cache_check: 2 });
  await farm.api('POST', `/runs/${without.id}/cancel`);
}, { timeout: 300000 });
after(async () => { await farm?.stop(); rmSync(folder, { recursive: true, force: true }); });

test('the farm measures the same as `vivace simulate --cache-check`', { timeout: 300000 }, async () => {
  run = await start(plan, { cache_check: 3 });
  assert.deepEqual([run.cache_check.launches, run.cache_check.state], [3, 'waiting']);
  const r = await over(run.id);
  assert.deepEqual([r.state, r.cache_check.state, r.cache_check.done, r.cache_check.failed], ['done', 'measured', 6, 0], JSON.stringify(r.cache_check));
  writeFileSync(path('plan.json'), JSON.stringify(await farm.api('GET', `/plans/${plan.id}/file`)));
  const here = JSON.parse(execFileSync(program('vivace'), ['simulate', path('bfs.vtrace'), '--plan', path('plan.json'), '--gpu', 'v100,h100', '--cache-check', '3', '--caches', 'flushed', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
  const said = cacheStates(here);
  assert.equal(said.length, 2);
  const projection = await farm.api('GET', `/runs/${run.id}/projection`);
  r.designs.forEach((d, i) => {
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${d.design}: ${a}, here ${b}`);
    assert.equal(d.cache_state.launches, said[i].launches);
    assert.equal(d.cache_state.missing_before, said[i].missing_before);
    near(d.cache_state.relative, said[i].relative);
    near(d.cache_state.share, said[i].share);
    near(d.cache_state.least, said[i].least);
    near(d.cache_state.most, said[i].most);
    assert.ok(d.cache_state.least <= d.cache_state.relative && d.cache_state.relative <= d.cache_state.most, JSON.stringify(d.cache_state));
    assert.ok(d.cache_state.relative !== 0, 'the caches change something');
    assert.deepEqual(projection.designs[i].parts.cache_state, d.cache_state);
    const { design, classes } = projection.validated[i], local = here.projections[i].parts.validated;
    assert.equal(design, d.design);
    assert.ok(classes.length > 0 && classes.every((c) => (c.kernels > 0) === (c.error !== null)), JSON.stringify(classes));
    assert.deepEqual(classes.map((c) => [c.class, c.kernels, c.error, c.tuned]), local.map((c) => [c.class, c.kernels, c.error, c.tuned]));
  });
  const { items } = await farm.api('GET', `/runs/${run.id}/events`);
  assert.equal(items.filter((e) => /^Cache state is measured: v100 [+−][\d.]+ %; h100 [+−][\d.]+ % /.test(e.text)).length, 1);
});

test('the window grows until a wider one changes nothing, as in `vivace simulate --cache-check`', { timeout: 300000 }, async () => {
  const list = join(root, 'examples/tiny-gpt/launches.json'), octets = { 'Content-Type': 'application/octet-stream' };
  execFileSync(program('vivace'), ['ptx', 'run', list, '--profile', path('gpt.csv'), '--trace', path('gpt-warm.vtrace')]);
  execFileSync(program('vivace'), ['trace', 'convert', path('gpt-warm.vtrace'), path('gpt.vtrace'), '--no-caches']);
  const profile = await farm.profile(readFileSync(path('gpt.csv')), { name: 'gpt.csv', workload: 'a decoder' });
  await farm.request('POST', `/profiles/${profile.id}/traces?name=gpt.vtrace`, readFileSync(path('gpt.vtrace')), octets);
  const few = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.002, seed: 4 });
  const r = await over((await start(few, { designs: ['h100'], cache_check: 2 })).id), { cache_state: farms } = r.designs[0];
  writeFileSync(path('few.json'), JSON.stringify(await farm.api('GET', `/plans/${few.id}/file`)));
  const here = JSON.parse(execFileSync(program('vivace'), ['simulate', path('gpt.vtrace'), '--plan', path('few.json'), '--gpu', 'h100', '--cache-check', '2', '--caches', 'flushed', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
  const [own] = cacheStates(here), round = (c) => ({ ...c, relative: c.relative.toFixed(9), share: c.share.toFixed(9), least: c.least.toFixed(9), most: c.most.toFixed(9) });
  assert.deepEqual(round(farms), round(own));
  assert.deepEqual([farms.settled, farms.whole, farms.missing_before], [true, false, 0]);
  assert.ok(farms.launches_before > 32, `the weights are a token away: ${farms.launches_before}`);
  const windows = farm.psql(`SELECT string_agg(DISTINCT looks_back::text, ',') FROM cache_check WHERE run_id = '${r.id}'`).trim();
  assert.equal(windows.split(',').length, Math.log2(farms.launches_before / 16) + 1, windows);
  const { items } = await farm.api('GET', `/runs/${r.id}/events`);
  assert.deepEqual(items.filter((e) => /^Cache state is measured/.test(e.text)).map((e) => /h100 −/.test(e.text)), [true], 'once, when it is over, and not "at least"');
  assert.match(vivace('run', 'show', r.id), new RegExp(`cache state +-[\\d.]+ % if launches find in L2 what the ${farms.launches_before} before them`));

  // the same launches in a separate file: no earlier launches can be replayed
  execFileSync(program('vivace'), ['ptx', 'run', list, '--plan', path('few.json'), '--trace', path('alone-warm.vtrace')]);
  execFileSync(program('vivace'), ['trace', 'convert', path('alone-warm.vtrace'), path('alone.vtrace'), '--no-caches']);
  const other = await farm.profile(readFileSync(path('gpt.csv')), { name: 'alone.csv', workload: 'a decoder, in part' });
  await farm.request('POST', `/profiles/${other.id}/traces?name=alone.vtrace`, readFileSync(path('alone.vtrace')), octets);
  const drawn = await farm.api('POST', `/profiles/${other.id}/plans`, { method: 'srs', share: 0.002, seed: 4 });
  const lacking = await over((await start(drawn, { designs: ['a100'], cache_check: 2 })).id);
  assert.equal(lacking.cache_check.state, 'failed');
  assert.match(lacking.cache_check.why, /^\d+ of the \d+ launches before the drawn ones are not in the profile's own traces/);
  assert.equal(lacking.designs[0].cache_state, null);
});

test('the command line prints the result, as text and as CSV', async () => {
  const r = await get(run.id), [shown] = vivace('run', 'show', run.id).match(/cache state +(?:at least )?[+-][\d.]+ % if launches find in L2 .*/);
  assert.ok(shown.includes(`${(100 * r.designs[0].cache_state.relative).toFixed(1)} %`) && /: 3 launches, of strata with/.test(shown), shown);
  const { least, most } = r.designs[0].cache_state, signed = (x) => `${x < 0 ? '-' : '\\+'}${Math.abs(100 * x).toFixed(1)}`;
  assert.match(vivace('run', 'show', run.id), new RegExp(`a single launch: ${signed(least)} to ${signed(most)} %; so few launches show only the size`));
  const [head, ...rows] = vivace('projection', run.id, '--csv').trimEnd().split(/\r?\n/).map((l) => l.split(','));
  const column = head.indexOf('cache_state');
  rows.forEach((row, i) => assert.ok(Math.abs(Number(row[column]) - r.designs[i].cache_state.relative) < 1e-9, row.join()));
});

test('the data of the projection is listed, and can be found by its name', async () => {
  const json = (...args) => JSON.parse(vivace(...args, '--json'));
  const { items } = await farm.api('GET', `/runs/${run.id}/strata?design=h100&limit=1000`);
  assert.deepEqual(json('run', 'strata', run.id, '--design', 'h100').items, items);
  assert.equal(vivace('run', 'strata', run.id, '--csv').trimEnd().split('\n').length, 1 + items.length);
  const [, difference, ratio] = vivace('run', 'show', run.id).match(/ against .*?: (.* ± .*), ratio (.* ± .* ×) at \d+/), compared = vivace('compare', run.id);
  assert.ok(compared.includes(`  ${difference}  `) && compared.includes(`  ${ratio}  `), `${difference}, ${ratio}: ${compared}`);
  assert.deepEqual(json('run', 'convergence', run.id), await farm.api('GET', `/runs/${run.id}/convergence`));
  assert.match(vivace('run', 'events', run.id), /Cache state is measured/);
  assert.deepEqual(json('search', 'bfs').items, (await farm.api('GET', '/search?q=bfs')).items);
  assert.match(vivace('search', 'no such letters'), /no name contains this text/);
  const named = (...args) => json('workloads', ...args).items.map((w) => w.name);
  assert.deepEqual(named('--named', 'without'), ['without traces']);
  const { id } = json('workloads', '--named', 'without').items[0];
  assert.match(vivace('workloads', 'rename', id, 'none, at all'), /now has that name/);
  assert.match(vivace('workloads', 'archive', id), /is archived/);
  assert.deepEqual([named('--named', 'without'), named('--archived'), named().includes('none, at all')], [[], ['none, at all'], false]);
  assert.match(vivace('workloads', 'restore', id), /is back in the list/);
  assert.match(vivace('workloads', 'rename', id, 'without traces'), /now has that name/);
  assert.deepEqual(named('--sort', 'name'), [...named()].sort());
  const wrong = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  for (const [args, pattern] of [[['run', 'strata', run.id, '--design', 'b200'], /no design `b200`/], [['search', 'x'.repeat(201)], /1 to 200 bytes/], [['search', ''], /the text is missing/],
    [['run', run.plan, '--gpu', 'nope'], /no GPU design `nope`\n +`vivace design list --farm` lists them; `vivace design add FILE` adds one\n/],
    [['run', 'cache-check', run.id, '--launches', '500'], /1 to 100/]]) {
    const { status, stderr } = wrong(...args);
    assert.ok(status !== 0 && pattern.test(stderr), stderr);
  }
});

test('more launches can be requested later: known results stay, and are not simulated again', { timeout: 300000 }, async () => {
  const asked = JSON.parse(vivace('run', 'cache-check', run.id, '--launches', '4', '--json'));
  assert.equal(asked.cache_check.launches, 4);
  assert.match(asked.cache_check.state, /^(waiting|measuring)$/, 'the run was over: it may have begun already');
  const more = await over(run.id);
  assert.equal(more.cache_check.done, 8);
  assert.equal(more.designs[0].cache_state.launches, 4);
  const again = await start(plan, { cache_check: 4 }), r = await over(again.id);
  assert.deepEqual(r.designs.map((d) => d.cache_state), more.designs.map((d) => d.cache_state));
  assert.equal(farm.psql(`SELECT count(*) FROM cache_check_task WHERE run_id = '${again.id}' AND attempt > 0`), '0', 'the results of the same launches on the same designs were known');
});

test('a run that has ended shows the pending measurements; a request for fewer launches removes none', { timeout: 300000 }, async () => {
  farm.workers.forEach((w) => w.kill('SIGSTOP')); // the results of the run are known, so it ends, and no measurement starts
  const open = await start(plan, { cache_check: 5 });
  await until('the run to end', async () => ((await get(open.id)).state === 'done' ? true : null));
  const reported = vivace('watch', open.id);
  assert.match(reported, new RegExp(`cache state: (not in these figures yet: 5 launches are about to be simulated after a replay of the launches before them|still being measured, \\d+ of \\d+ simulations after a replay done so far); \`vivace run show ${open.id}\` has it then`));
  assert.doesNotMatch(reported, /when the run has ended/);
  assert.match(vivace('run', 'cache-check', open.id, '--launches', '2'), /: 5 launches will be simulated after a replay of the launches before them, as requested before: measured launches are kept; /);
  assert.doesNotMatch(vivace('run', 'cache-check', open.id, '--launches', '5'), /requested before/);
  farm.workers.forEach((w) => w.kill('SIGCONT'));
  await over(open.id);
});

test('three launches by default; none where the request says 0', { timeout: 300000 }, async () => {
  assert.equal((await start(plan)).cache_check.launches, 3);
  assert.equal((await start(plan, { cache_check: 0 })).cache_check, null);
  const none = await start(bare);
  assert.equal(none.cache_check, null, 'a profile without a trace file has no launches to replay');
  await farm.api('POST', `/runs/${none.id}/cancel`);
});

test('traces with warm cache state leave nothing to measure; for others, both bounds decide whether a difference is distinguishable', { timeout: 300000 }, async () => {
  const runOf = async (name, more) => {
    const profile = await farm.profile(readFileSync(path('bfs.csv')), { name: `${name}.csv`, workload: name });
    await farm.request('POST', `/profiles/${profile.id}/traces?name=${name}.vtrace`, readFileSync(path(`${name}.vtrace`)), { 'Content-Type': 'application/octet-stream' });
    const all = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 1, seed: 1 });
    const { id } = await start(all, { designs: ['v100', 'gtx1050', 'h100'], ...more });
    return until(`run ${name}`, async () => { const r = await get(id); return r.state === 'done' && r.designs.every((d, i) => d.projection.complete && (i === 0 || d.baseline)) && r; });
  };
  const warm = await runOf('warm'), empty = await runOf('bfs', { cache_check: 0 });
  const compared = (r) => farm.api('GET', `/compare?base=${r.id}:v100&with=${r.id}:gtx1050,${r.id}:h100&kernels=true`);
  const verdicts = (list) => list.map((c) => [c.distinguishable, c.cache_reversible]);
  assert.deepEqual(warm.designs.map((d) => [d.projection.empty_caches, d.projection.warm_bound]), [[0, null], [0, null], [0, null]]);
  assert.deepEqual(empty.designs.map((d) => d.projection.empty_caches), [empty.jobs / 3, empty.jobs / 3, empty.jobs / 3]);
  empty.designs.forEach((d, i) => {
    const { value, value_s, half_width, warm_bound: b } = d.projection, truth = warm.designs[i].projection.value;
    assert.ok(b.value < truth && truth < value, `${d.design}: ${truth} between ${b.value} and ${value}`);
    assert.deepEqual([half_width, b.half_width, b.low, b.high], [0, 0, b.value, value], 'every launch was simulated');
    assert.ok(Math.abs(b.value_s / b.value - value_s / value) < 1e-20 && b.low_s === b.value_s && b.high_s === value_s);
  });
  // A GTX 1050 is slower in every cache state. An H100 is slower with empty caches, but not with warm ones.
  assert.deepEqual(verdicts(warm.designs.slice(1).map((d) => d.baseline)), [[true, false], [true, false]]);
  assert.deepEqual(verdicts(empty.designs.slice(1).map((d) => d.baseline)), [[true, false], [false, true]]);
  for (const [r, found] of [[warm, [[true, false], [true, false]]], [empty, [[true, false], [false, true]]]]) {
    const { items, kernels } = await compared(r), { items: same } = await farm.api('GET', `/runs/${r.id}/compare`);
    assert.deepEqual([verdicts(items), verdicts(same)], [found, found]);
    assert.equal(kernels.some((k) => k.cache_reversible), r === empty);
  }
  const csv = await (await farm.request('GET', `/compare?base=${empty.id}:v100&with=${empty.id}:h100&format=csv`)).text();
  assert.match(csv, /distinguishable,cache_reversible,empty_caches,projected_inside,seed\r\n.*\r\n.*,false,true,\d+,0,1\r\n$/);
  const estimated = (await farm.api('GET', `/runs/${empty.id}/estimate`)).designs.map((d) => d.warm_bound);
  assert.deepEqual(estimated.map((b) => b.value), empty.designs.map((d) => d.projection.warm_bound.value));
  assert.doesNotMatch(vivace('run', 'show', warm.id), /empty caches|warm bound/);
  const shown = vivace('run', 'show', empty.id);
  assert.match(shown, /h100 against v100: .*; L2 contents kept between launches could reverse it\n.*\nEvery simulated launch began with empty caches/);
  assert.match(shown, /gtx1050 against v100: .*; a real difference\n/);
  assert.match(shown, /warm bound +\S+ ± 0 .s if launches that began with empty caches were fully warm: between /);
  assert.match(vivace('compare', empty.id, '--csv'), /distinguishable,cache_reversible,projected_inside\r\ngtx1050,.*,yes,no,0\r\nh100,.*,no,yes,0\r\n$/);
  assert.match(vivace('projection', empty.id, '--csv'), /empty_caches,projected_inside,warm_s,warm_half_width_s,low_s,high_s,.*\r\nv100,/);
  // Results of older simulators have only one of the two bounds.
  farm.psql(`UPDATE result SET cycles_warm_bound = NULL WHERE id IN (SELECT result_id FROM job WHERE run_id = '${empty.id}' AND design = 1)`);
  const old = (await compared(empty)).items;
  assert.deepEqual(verdicts(old), [[false, true], [false, true]]);
  await until('the request to be removed', async () => (await get(warm.id)).cache_check === null);
  const asked = await farm.api('POST', `/runs/${warm.id}/cache-check`, { launches: 2 });
  assert.equal(asked.cache_check.launches, 2);
  assert.match((await over(warm.id)).cache_check.why, /no launch of the run began with empty caches/);
});

test('a measurement that is impossible is reported with its reason', { timeout: 300000 }, async () => {
  for (const bad of [101, -1, 'many', 2.5]) await refused(start(plan, { cache_check: bad }), 422, /cache_check/);
  await refused(farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', cache_check: 3 }), 422, /replay/);
  for (const bad of [0, 101, 'many']) await refused(farm.api('POST', `/runs/${run.id}/cache-check`, { launches: bad }), 422, /launches/);
  await refused(farm.api('POST', `/runs/${run.id}/cache-check`, { lunches: 3 }), 422, /lunches/);
  await refused(farm.api('POST', '/runs/01234567-89ab-7cde-8f01-23456789abcd/cache-check'), 404, /no run/);
  const replayed = await replayRun(farm, 5);
  await refused(farm.api('POST', `/runs/${replayed.id}/cache-check`), 409, /replay/);
  await farm.finished(replayed.id); // the scripted worker of the next test would get its jobs
  const r = await over(without.id);
  assert.equal(r.cache_check.state, 'failed');
  assert.match(r.cache_check.why, /vivace push FILE\.vtrace --profile/);
  assert.match(vivace('run', 'show', r.id), /cache state: not measured: the farm has no traces of the launches before/);
});

test('a worker’s result must be of this design; a lost worker is replaced', { timeout: 300000 }, async () => {
  farm.workers[0].kill();
  await farm.workers[0].ended;
  const w = await new ScriptedWorker(farm).openAlive();
  await farm.api('POST', `/runs/${run.id}/cache-check`, { launches: 6 });
  const claimed = () => until('a lease', async () => {
    const leases = await w.claim(1);
    return leases.length && leases;
  });
  const [lease, ...rest] = await claimed();
  assert.deepEqual([lease.record, lease.warmed, lease.attempt, rest.length], [true, true, 1, 0]);
  const token = { Authorization: `Bearer ${w.token}` };
  assert.equal((await farm.request('GET', `/blobs/${lease.trace}`, undefined, token)).status, 200, 'the owner of the lease may read its trace');
  const tell = (about) => w.api('POST', '/worker/recordings', { session: w.session, result: lease.job, attempt: 1, outcome: 'ok', ...about });
  await tell({ outcome: 'crash', message: 'killed' });
  assert.equal((await get(run.id)).cache_check.state, 'measuring', 'a crash may be an accident');
  const [other] = await claimed();
  await tell({ outcome: 'bad_input', message: 'a late report of the first attempt' });
  assert.equal((await get(run.id)).cache_check.failed, 0, 'the fence holds');
  await tell({ result: other.job, attempt: other.attempt, recording: Buffer.from('nothing').toString('base64') });
  const { cache_check: c } = await get(run.id);
  assert.deepEqual([c.failed, typeof c.why], [1, 'string'], JSON.stringify(c));
});

test('a design of a team with the name of a built-in one gets no measured model error', async () => {
  const measured = async () => (await farm.api('GET', `/runs/${without.id}/projection`)).validated.find((v) => v.design === 'v100').classes[0].kernels;
  farm.psql(`UPDATE stratum SET kernel_name = 'elementwise_kernel' WHERE plan_id = (SELECT plan_id FROM run WHERE id = '${without.id}')`);
  assert.ok(await measured() > 0);
  farm.psql(`UPDATE run_design SET design_sha256 = (SELECT max(sha256) FROM design WHERE name = 'h100') WHERE run_id = '${without.id}' AND name = 'v100'`);
  assert.equal(await measured(), 0);
});
