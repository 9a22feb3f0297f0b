// Runs with a stopping rule: pilot, interim analyses, extensions, answers of users, and a server that is killed in between.
// Simulated values come from a scripted worker, so the true total is known.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report, sha256, trace } from './scripted_worker.mjs';

let farm, seed = 900;
before(async () => { farm = await startFarm({ args: ['--test-dead-after', '15min'] }); }); // scripted workers send no heartbeats
after(async () => { await farm?.stop(); });

const getRun = (run) => farm.api('GET', `/runs/${run.id}`);
const eventsOf = async (run) => (await farm.api('GET', `/runs/${run.id}/events`)).items.map((e) => e.text);
const jobsOf = async (run) => (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items;
const cli = (...args) => execFileSync(program('vivace'), args,
  { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
/** A confidence level with two digits of its difference to 100 %. */
const percent = (level) => `${(100 * level).toFixed(Math.max(0, 1 - Math.floor(Math.log10(100 * (1 - level) * (1 + 1e-9))))).replace(/\.?0+$/, '')} %`;
const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.abs(b), `${a} is not ${b}`);
const post = (run, path, body = {}) => farm.api('POST', `/runs/${run.id}/${path}`, body);

async function newPlan(error = 0.02) {
  const profile = await farm.profile(report(++seed), { name: `report-${seed}.csv`, workload: `looks ${seed}` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error, confidence: 0.95, seed: 1 });
  return { profile, plan };
}

/** Binds the missing traces of a plan. The request may name any plan of the same profile (`through`). */
async function bindAll(plan, through = plan) {
  const { missing } = await farm.api('GET', `/plans/${plan}/traces`);
  const samples = new Map((await farm.api('GET', `/plans/${plan}/samples?limit=1000`)).items.map((s) => [s.launch, s]));
  const list = [];
  await Promise.all(missing.map(async ({ launch }) => {
    const s = samples.get(launch), bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: launch + 1000 * seed });
    await farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes, { 'Content-Type': 'application/octet-stream' });
    list.push({ sha256: sha256(bytes), context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block });
  }));
  return farm.api('POST', `/plans/${through}/traces`, { traces: list });
}

/** Sends missing traces and works until the run waits for a user or has ended. */
async function workOn(run, cycles, worker) {
  const w = worker ?? await new ScriptedWorker(farm, { slots: 64 }).open();
  return until('the run to stop', async () => {
    const r = await getRun(run);
    if (r.counts.blocked > 0) await bindAll(r.plan, run.plan);
    await w.drain(cycles);
    return r.state !== 'running' || r.looks.at(-1)?.extension?.answer === 'waiting' ? r : null;
  }, 120000);
}

/** Differs from the launch's profiled value by up to a tenth: more than the spread in the profile, as on another GPU. */
const uneven = (l) => {
  const wild = l.launch % 8 > 4, i = l.launch;
  const ns = wild ? 2000 + ((i * 7919 + seed * 104729) % 1009) * 5 : 1000 + ((i * 31 + seed) % 7) * 20;
  return Math.round(ns * (0.9 + ((i * 7919) % 97) / 485));
};
const truthOf = (cycles) => Array.from({ length: 160 }, (_, launch) => cycles({ launch })).reduce((a, b) => a + b, 0);

const named = (csv, name) => Buffer.from(csv.toString().replaceAll('wild(float *, int)', name));
test('the decision of an interim analysis contains a long kernel name that is not ASCII, cut between characters', async () => {
  const name = `a${'é'.repeat(60)}`;
  const profile = await farm.profile(named(report(++seed), name), { name: `report-${seed}.csv`, workload: `looks ${seed}` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.02, confidence: 0.95, seed: 1 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.012 });
  const done = await workOn(run, uneven), needs = done.looks.find((l) => / \(aé+\) needs more/.test(l.reason)) ?? { reason: JSON.stringify(done.looks.map((l) => l.reason)) };
  assert.equal(done.state, 'done');
  assert.match(needs.reason, /\(aé{29}\) needs more/);
  const [, number, from, to] = needs.reason.match(/S(\d+) \(.*\) needs more: (\d+) → (\d+);/).map(Number); // the number of tables and files
  assert.deepEqual(needs.extension.strata.filter((s) => s.stratum === number).map((s) => [s.from, s.to]), [[from, to]], needs.reason);

  // the decision is a kind with parameters, and its event has the same ones; a link that hides names hides only the kernel's name
  assert.equal(needs.kind, 'look.more');
  assert.deepEqual(needs.params.growth, { kind: 'look.growth', params: { stratum: number, kernel: `a${'é'.repeat(29)}`, from, to } });
  const { items } = await farm.api('GET', `/runs/${run.id}/events`), event = items.find((e) => e.kind === 'run.look' && e.params.look === needs.number);
  assert.deepEqual(event.params.decision, { kind: needs.kind, params: needs.params });
  assert.equal(event.text, `Interim analysis ${needs.number}: ${needs.reason}`);
  const share = await farm.api('POST', '/shares', { kind: 'run', object: run.id, hide_names: true });
  const shown = async (path) => (await fetch(`${farm.url}${share.url}/api/v1/runs/${run.id}${path}`)).text();
  const [its, theirs] = [JSON.parse(await shown('')).looks.find((l) => l.number === needs.number), JSON.parse(await shown('/events')).items.find((e) => e.id === event.id)];
  assert.match(its.params.growth.params.kernel, /^x-[0-9a-f]{10}$/);
  assert.deepEqual(its.params, { ...needs.params, growth: { ...needs.params.growth, params: { ...needs.params.growth.params, kernel: its.params.growth.params.kernel } } });
  assert.equal(its.reason, needs.reason.replace(`a${'é'.repeat(29)}`, its.params.growth.params.kernel));
  assert.equal(theirs.text, `Interim analysis ${needs.number}: ${its.reason}`);
  for (const path of ['', '/projection', '/events']) assert.ok(!(await shown(path)).includes('aéé'), path);
});

test('an interim analysis that the database refuses ends the run with a message, and is not repeated', async () => {
  const { plan } = await newPlan();
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.012 });
  farm.psql("ALTER TABLE look ADD CONSTRAINT none_of_these CHECK (reason::text !~ '.') NOT VALID");
  const done = await workOn(run, uneven).finally(() => farm.psql('ALTER TABLE look DROP CONSTRAINT none_of_these'));
  assert.equal(done.state, 'done');
  assert.equal(done.rule.settled, true);
  assert.equal(done.looks.length, 0);
  assert.ok((await eventsOf(run)).some((s) => /^The run asks for no more samples: .*none_of_these/.test(s)), 'reported in its events');
});

test('a run begins with a pilot, requests the samples that it needs, and ends when the promise is kept', async () => {
  const { plan } = await newPlan();
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.012 });
  assert.notEqual(run.plan, plan.id);
  assert.equal(run.rule.until, 0.012);
  assert.equal(run.rule.settled, false);
  const pilot = await farm.api('GET', `/plans/${run.plan}`);
  assert.equal(pilot.parent, plan.id);
  assert.equal(pilot.version, 2);
  assert.ok(pilot.samples_count < plan.samples_count, 'a pilot is a part');
  assert.equal(run.counts.blocked, pilot.samples_count, 'its launches have no traces yet');
  const done = await workOn(run, uneven);
  assert.equal(done.state, 'done');
  assert.ok(done.looks.length >= 2 && done.looks.length <= 5, `${done.looks.length} looks`);
  done.looks.forEach((look, i) => assert.equal(look.number, i + 1));
  const last = done.looks.at(-1), [promise] = last.promises;
  assert.match(last.decision, /kept|whole|last/);
  assert.equal(promise.kept, last.decision !== 'last');
  assert.ok(!promise.kept || promise.half_width <= promise.wanted);
  assert.equal(last.extension, null);
  const first = done.looks[0].extension, grown = await farm.api('GET', `/plans/${first.plan}`);
  assert.equal(grown.parent, run.plan);
  assert.equal(first.answer, 'auto');
  assert.ok(first.strata.length > 0 && first.strata.every((s) => s.to > s.from));
  assert.equal(grown.samples_count - pilot.samples_count, first.jobs);
  const samples = async (id) => (await farm.api('GET', `/plans/${id}/samples?limit=1000`)).items.map((s) => s.launch);
  const before = await samples(run.plan), later = new Set(await samples(done.plan));
  assert.ok(before.every((i) => later.has(i)), 'nothing that was simulated is thrown away');
  assert.equal(done.jobs, later.size);
  assert.equal((await jobsOf(run)).length, later.size);
  const { projection } = done.designs[0];
  assert.ok(Math.abs(projection.value - truthOf(uneven)) <= projection.half_width, 'the interval holds the truth');
  assert.equal(projection.complete, true);
  // the displayed values of the run are those of its last interim analysis
  near(projection.half_width_s, promise.half_width);
  near(projection.level, promise.level);
  assert.deepEqual([projection.confidence, projection.looks], [0.95, 5]);
  near(promise.relative_half_width, projection.half_width / projection.value);
  near(promise.relative_wanted, 0.012);
  assert.match(cli('projection', run.id), new RegExp(`at ${percent(projection.level)} confidence.*\\n +at most 5 interim analyses share 95 %, so this interval is wider`));
  const [estimate] = (await farm.api('GET', `/runs/${run.id}/estimate`)).designs;
  near(estimate.half_width, projection.half_width);
  assert.deepEqual([estimate.confidence, estimate.looks], [0.95, 5]);
  const all = JSON.parse(cli('run', 'show', run.id, '--json')), [{ opinions }] = all.estimate.designs;
  assert.deepEqual([all.run.id, opinions.each.length, opinions.each.filter((x) => x.used).length], [run.id, 4, 1]);
  const { quantiles } = all.metrics.designs[0];
  assert.deepEqual(quantiles.map((q) => q.p), [0.1, 0.5, 0.9, 0.99]);
  for (const q of quantiles) assert.ok(q.low_s <= q.value_s && q.value_s <= q.high_s, JSON.stringify(q));
  const times = Array.from({ length: 160 }, (_, launch) => uneven({ launch })).sort((a, b) => a - b);
  assert.ok(quantiles[1].low <= times[80] && times[79] <= quantiles[1].high, `half take at most ${times[79]}: ${JSON.stringify(quantiles[1])}`);
  const text = cli('run', 'show', run.id);
  assert.equal(text.match(/at most 5 interim analyses share 95 %, so this interval is wider/g).length, 2, 'the projection, and it by every estimator');
  for (const part of [/opinions +expansion, used: /, /take at most/, /2\.000 warp instr|ipc/i]) assert.match(text, part);
  const events = (await farm.api('GET', `/runs/${run.id}/events`)).items;
  assert.equal(events.filter((e) => e.kind === 'run.look').length, done.looks.length, 'looks are events of their own kind');
  const said = await eventsOf(run);
  assert.ok(said.some((s) => /^Interim analysis 1: v100 is (?:known to ± .* %|not known yet: its interval is wider than the total itself), and ± 1\.2 % is wanted(?: with more samples under it)?\. S\d+ \(.*\) needs more: \d+ → \d+; in all \d+ → \d+ launches, \+ /.test(s)), said.join('\n'));
  assert.deepEqual((await farm.api('GET', `/plans?workload=${run.workload}`)).items.map((p) => p.id), [plan.id], 'plans that runs made are theirs');
});

test('extensions wait for a user: an accepted one is simulated, a declined one ends the run', async () => {
  const { plan } = await newPlan();
  const start = () => JSON.parse(cli('run', plan.id, '--gpu', 'v100', '--until', '3%', '--ask', '--budget', '4h', '--json'));
  const run = await start();
  const asks = await workOn(run, uneven);
  assert.equal(asks.state, 'running');
  assert.equal(asks.looks.length, 1);
  near(asks.designs[0].projection.level, asks.looks[0].promises[0].level);
  assert.equal(asks.rule.budget.seconds, 14400);
  assert.equal(asks.plan, run.plan, 'nothing has changed yet');
  await assert.rejects(post(run, 'looks/2/accept'), (e) => e.status === 409);
  const accepted = await post(run, 'looks/1/accept');
  assert.equal(accepted.looks[0].extension.answer, 'accepted');
  assert.equal(accepted.looks[0].extension.answered_by, 'owner');
  assert.equal(accepted.plan, accepted.looks[0].extension.plan);
  assert.ok(accepted.jobs > asks.jobs);
  const list = await farm.api('GET', `/plans/${accepted.plan}/trace-commands?for=list&format=json&missing=true`);
  assert.equal(JSON.stringify(list).match(/"launch_order"|"order"/g).length, accepted.counts.blocked, 'only missing traces need to be recorded');
  assert.deepEqual(JSON.parse(cli('plan', 'trace', run.id, '--missing', '--for', 'list', '--json')), list);
  assert.match(cli('plan', 'trace', run.id, '--missing', '--for', 'accel-sim'), /^#!\/bin\/sh/);
  assert.deepEqual((await farm.api('GET', `/plans/${plan.id}/traces`)).waiting, [accepted.plan], 'a push to the plan sends what the run waits for');
  await assert.rejects(post(run, 'looks/1/accept'), (e) => e.status === 409);
  // undone while it is simulated: the pilot's answer remains, and the finished results are kept
  const back = await post(run, 'looks/1/undo');
  assert.equal(back.plan, run.plan);
  assert.equal(back.jobs, asks.jobs);
  const ended = await farm.finished(run.id);
  assert.equal(ended.state, 'done');
  assert.equal(ended.rule.settled, true);
  const other = await start();
  const again = await workOn(other, uneven);
  assert.equal(again.cached, again.jobs, 'the pilot was known');
  assert.match(cli('run', 'undo', other.id), /^run .*: running/);
  assert.equal((await farm.finished(other.id)).looks[0].extension.answer, 'undone');
});

test('an ended run is extended, and a budget ends it', async () => {
  const { plan } = await newPlan(0.1);
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'] });
  await workOn(run, uneven);
  assert.equal((await getRun(run)).rule, null);
  const extended = JSON.parse(cli('run', 'extend', run.id, '--until', '0.1%', '--budget', '12jobs', '--json'));
  assert.equal(extended.state, 'running');
  assert.equal(extended.rule.budget.jobs, extended.jobs + 12, 'in addition to the spent budget');
  const done = await workOn(run, uneven);
  assert.equal(done.state, 'done');
  assert.equal(done.looks.at(-1).decision, 'budget');
  assert.ok(done.jobs > extended.jobs && done.jobs <= extended.jobs + 12, `${extended.jobs} -> ${done.jobs}`);
  assert.equal(done.looks[0].promises.length, 2);
  const resolved = await farm.api('POST', `/plans/${done.plan}/runs`, { designs: ['v100', 'b200'], resolve: 0.001, looks: 2 });
  const reported = await workOn(resolved, (l) => Math.round(uneven(l) * (l.design_name === 'b200' ? 1 + (l.launch % 5) / 50 : 1)));
  const [difference] = reported.looks.at(-1).promises, { baseline } = reported.designs[1];
  near(baseline.ratio_half_width, difference.half_width);
  near(baseline.level, difference.level);
  assert.equal(baseline.looks, 2);
  const [item] = (await farm.api('GET', `/runs/${resolved.id}/compare`)).items;
  near(item.ratio_half_width, difference.half_width);
  const refused = (body, part) => assert.rejects(post(run, 'extend', body), (e) => e.status === 422 && part.test(e.message));
  await refused({}, /missing/);
  await refused({ until: 2 }, /between 0 and 1/);
  await refused({ until: 0.1, budget: { jobs: 1, seconds: 1 } }, /one of/);
  await refused({ until: 0.1, budget: { money: 1 } }, /price_per_s/);
  await refused({ until: 0.1, approve: 'maybe' }, /auto or ask/);
});

test('the cost of an extension is shown before it begins, exact to the job, or the reason why it is unknown', async () => {
  const { plan } = await newPlan(0.1), run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'] });
  const cost = (of, rule) => post(of, 'extend/cost', rule);
  const open = await cost(run, { until: 0.01 });
  assert.deepEqual([open.decision, open.jobs, open.missing_traces, open.designs], [null, null, null, []]);
  assert.match(open.why_not, /still being simulated/);
  await workOn(run, uneven);
  const more = await cost(run, { until: 0.01 });
  assert.deepEqual([more.decision, more.jobs, more.designs, more.looks_left, more.until, more.resolve], ['more', 2 * more.samples, ['v100', 'h100'].map((design) => ({ design, jobs: more.samples })), 4, 0.01, null]);
  assert.equal((await cost(run, { until: 0.9 })).decision, 'more', 'so few samples keep no promise');
  const half = await farm.api('POST', `/profiles/${plan.profile}/plans`, { method: 'srs', share: 0.5, error: 0.1, confidence: 0.95, seed: 1 });
  const many = await farm.api('POST', `/plans/${half.id}/runs`, { designs: ['v100'] });
  await workOn(many, uneven);
  assert.equal((await cost(many, { until: 0.9 })).decision, 'kept');
  const [budget, least] = await Promise.all([cost(run, { until: 0.01, budget: { jobs: 8 } }), cost(run, { until: 0.01, looks: 1 })]);
  assert.ok(budget.jobs > 0 && budget.jobs <= 8, `${budget.jobs} of 8 jobs`);
  assert.equal(least.decision, 'last');
  await assert.rejects(cost(run, {}), (e) => e.status === 422 && /missing/.test(e.message));
  const terminal = (answer, ...args) => execFileSync('script', ['-qec', [program('vivace'), ...args].join(' '), '/dev/null'],
    { input: answer, encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  const said = terminal('n\n', 'run', 'extend', run.id, '--until', '1%');
  assert.match(said, new RegExp(`${more.samples} launches more on all 2 designs of the run: ${more.jobs} jobs[^]*Go on\\? \\[y/N\\] [^]*unchanged`));
  assert.deepEqual([(await getRun(run)).state, (await getRun(run)).rule], ['done', null]);
  assert.doesNotMatch(terminal('', 'run', 'extend', run.id, '--until', '1%', '--yes'), /Go on/);
  const look = await until('the look', async () => (await getRun(run)).looks.at(-1));
  assert.equal(look.extension.jobs, more.jobs);
  const kept = await workOn(await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.2 }), uneven);
  assert.match((await cost(kept, { until: 0.1 })).why_not, /spent its level on the totals/);
});

test('a run without an interim analysis has none to accept or undo', async () => {
  const { plan } = await newPlan();
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: ['v100'] });
  for (const verb of ['accept', 'undo'])
    await assert.rejects(post(run, `looks/1/${verb}`), (e) => e.status === 404 && /the run has had no interim analysis yet/.test(e.message) && e.body.hint.includes(`vivace run show ${run.id}`));
});

test('a run whose plan allows no interim analysis is not extended, and does not change', async () => {
  const { profile } = await newPlan(0.1), plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'stem', error: 0.1 });
  assert.equal(plan.promise_valid, false);
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'] }), done = await workOn(run, uneven);
  await assert.rejects(post(run, 'extend', { until: 0.02 }), (e) => e.status === 422 && /method stem cannot have a stopping rule/.test(e.message) && /vivace or srs/.test(e.body.hint));
  assert.equal(done.promised_error, null, 'it promises no error for simulated values');
  assert.equal((await getRun(run)).state, 'done');
});

test('an existing answer does not become worse: its level is spent, and a new run has a new level', async () => {
  const { plan } = await newPlan();
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.05 }), kept = await workOn(run, uneven);
  assert.equal(kept.looks.at(-1).decision, 'kept');
  for (const until of [0.2, 0.05, 0.01]) {
    await assert.rejects(post(run, 'extend', { until }), (e) => e.status === 409 && /has spent its level on the totals/.test(e.message) && e.body.hint.includes(`--until ${100 * until}%`));
  }
  const still = await getRun(run);
  assert.deepEqual([still.state, still.looks.length, still.designs[0].projection], ['done', kept.looks.length, kept.designs[0].projection]);
  const two = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], until: 0.05 });
  await workOn(two, uneven);
  await post(two, 'extend', { resolve: 0.01 });
  await workOn(two, uneven);
  await assert.rejects(post(two, 'extend', { until: 0.01 }), (e) => e.status === 409 && /spent its level on the totals/.test(e.message), 'an interim analysis of differences in between returns no level');
  const narrower = await workOn(await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.01 }), uneven);
  assert.ok(narrower.cached >= kept.jobs && narrower.designs[0].projection.half_width < kept.designs[0].projection.half_width, JSON.stringify([narrower.cached, kept.jobs]));
});

test('a launch that cannot be simulated is replaced by the next of its stratum, and the run reports it', async () => {
  const { plan } = await newPlan();
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.05 });
  await bindAll(run.plan);
  const w = await new ScriptedWorker(farm, {}).open();
  let poison = null;
  for (;;) {
    const leases = await w.claim();
    if (leases.length === 0) break;
    poison ??= leases[0].launch;
    const bad = leases.filter((l) => l.launch === poison), good = leases.filter((l) => l.launch !== poison);
    if (bad.length) await w.fail(bad, 'unsupported', 'the trace has an opcode that is unknown');
    if (good.length) await w.finish(good, uneven);
  }
  const done = await workOn(run, uneven, w);
  assert.equal(done.state, 'done');
  assert.equal(done.counts.failed, 0, 'its jobs are deleted with it');
  assert.equal(done.not_simulated.replaced, 1);
  assert.match(done.not_simulated.assumption, /like the others of their strata/);
  assert.ok((await eventsOf(run)).some((s) => /could not be simulated; the next launches of their strata replace them/.test(s)));
  const samples = (await farm.api('GET', `/plans/${done.plan}/samples?limit=1000`)).items.map((s) => s.launch);
  assert.ok(!samples.includes(poison));
  const gone = await farm.api('GET', `/runs/${run.id}/not-simulated`), [weighed] = gone.designs;
  assert.deepEqual(gone.items.map((i) => [i.launch, i.design, i.failure.class, i.replaced]), [[poison, 'v100', 'unsupported', true]]);
  assert.ok(weighed.share > 0 && weighed.share < 0.5 && Math.abs(weighed.if_twice - weighed.share) < 1e-12, JSON.stringify(weighed));
  const rows = cli('run', 'not-simulated', run.id, '--csv').trim().split('\n');
  assert.deepEqual([rows.length, rows[1].split(',')[0]], [2, String(poison)]);
  assert.deepEqual((await farm.api('GET', `/runs/${run.id}/projection`)).not_simulated_launches.map((l) => l.launch), [poison]);
});

test('a server that is killed during interim analyses makes each analysis once, with the same result', async () => {
  const { plan } = await newPlan();
  const start = () => farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', until: 0.005 });
  const calm = await workOn(await start()), shaken = await start();
  assert.ok(calm.looks.length >= 2, `${calm.looks.length} looks`);
  // all its results are known: the interim analyses follow each other at once, and the server is killed between and during them
  for (let blow = 0; blow < 3; blow++) {
    await farm.kill('SIGKILL');
    await farm.start();
  }
  const done = await workOn(shaken);
  assert.equal(done.state, 'done');
  const decisions = (r) => r.looks.map((l) => [l.number, l.decision, l.promises[0].value, l.promises[0].half_width, l.extension?.jobs]);
  assert.deepEqual(decisions(done), decisions(calm));
  assert.equal(done.jobs, calm.jobs);
  assert.equal(done.designs[0].projection.value, calm.designs[0].projection.value);
});

test('messages have a name for a stratum of several kernels', async () => {
  const { profile } = await newPlan(), plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', error: 0.02, confidence: 0.95, seed: 1 });
  const { strata } = await farm.api('GET', `/plans/${plan.id}`);
  assert.equal(strata.length, 1);
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], until: 0.01 }), done = await workOn(run, uneven);
  const needs = done.looks.find((l) => l.reason.includes('needs more'));
  assert.match(needs?.reason ?? JSON.stringify(done.looks), /\. S0 \(several kernels\) needs more: \d+ → \d+; in all /);
});
