// Plans, runs and their jobs: the actions of a worker, their order, and their results. The worker is scripted, so that the
// tests can produce every order of events.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, ended, good, report, sha256, trace } from './scripted_worker.mjs';

let farm, seed = 0;
before(async () => { farm = await startFarm({ args: ['--test-heartbeat', '1s', '--test-dead-after', '30s'] }); });
after(async () => { await farm?.stop(); });

/** A fresh profile and its plan: no result is shared with another test. */
async function newPlan(error = 0.05) {
  const profile = await farm.profile(report(++seed), { name: `report-${seed}.csv`, workload: `workload ${seed}` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error, confidence: 0.95, seed: 1 });
  return { profile, plan };
}
const newRun = (plan, engine, designs) => farm.api('POST', `/plans/${plan.id}/runs`, { engine, designs });
const getRun = (run) => farm.api('GET', `/runs/${run.id}`);
const getJob = (id) => farm.api('GET', `/jobs/${id}`);
const jobsOf = async (run) => (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items;
const eventsOf = async (run) => (await farm.api('GET', `/runs/${run.id}/events`)).items.map((e) => e.text);
const newWorker = (about) => new ScriptedWorker(farm, about).openAlive();

/** Sends traces for all samples of a plan as blobs; returns the bindings that a client would post. */
async function tracesOf(plan) {
  const samples = (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items;
  const list = [];
  for (const s of samples) {
    const bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: s.launch + 1000 * seed });
    const hash = sha256(bytes);
    await farm.api('PUT', `/blobs/${hash}`, bytes, { 'Content-Type': 'application/octet-stream' });
    list.push({ sha256: hash, context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block });
  }
  return list;
}
const bind = (plan, traces) => farm.api('POST', `/plans/${plan.id}/traces`, { traces });

/** A plan with all its traces bound. */
async function tracedPlan() {
  const { profile, plan } = await newPlan();
  const answer = await bind(plan, await tracesOf(plan));
  assert.equal(answer.missing, 0);
  return { profile, plan };
}

test('the jobs of a run by state, stratum and worker, in the API and the program', async () => {
  await (await newWorker()).drain(); // jobs of earlier tests would be claimed first
  const { plan } = await newPlan(0.02);
  const run = await newRun(plan, 'replay', []);
  const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => newWorker({ name })));
  await ann.finish(await ann.claimPack(1, 1));
  const held = await bob.claimPack(1, 1);
  const all = await jobsOf(run), list = async (query) => (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000&${query}`)).items;
  for (const [query, which] of [['worker=ann', (j) => j.worker === 'ann'], ['worker=bob', (j) => j.state === 'leased'], ['stratum=1', (j) => j.stratum === 1], ['stratum=0&state=ready', (j) => j.stratum === 0 && j.state === 'ready']]) {
    const wanted = all.filter(which);
    assert.ok(wanted.length > 0 && wanted.length < all.length, `${query}: ${wanted.length} of ${all.length}`);
    assert.deepEqual(await list(query), wanted, query);
  }
  assert.deepEqual(await list('worker=nobody'), []);
  await assert.rejects(list('stratum=first'), (e) => e.status === 422 && /stratum/.test(e.message));
  const { stratum } = all.find((j) => j.worker === 'ann');
  const reported = execFileSync(program('vivace'), ['jobs', run.id, '--worker', 'ann', '--stratum', String(stratum), '--json'], { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  assert.deepEqual(JSON.parse(reported).items, all.filter((j) => j.worker === 'ann' && j.stratum === stratum));
  await bob.finish(held);
  await bob.drain();
});

test('a replay runs to its end: the projection covers the measured profile', async () => {
  const { profile, plan } = await newPlan();
  assert.equal(plan.strata.length, plan.strata_count);
  assert.ok(Math.abs(plan.strata.reduce((n, s) => n + s.share_of_time, 0) - 1) < 1e-9, 'shares of time sum to one');
  const run = await newRun(plan, 'replay', []);
  assert.equal(run.counts.ready, plan.samples_count);
  assert.equal(run.designs[0].projection.value, null, 'no value before the first result');
  const w = await newWorker();
  assert.equal(await w.drain(), plan.samples_count);
  const done = await farm.finished(run.id);
  assert.equal(done.state, 'done');
  const p = done.designs[0].projection;
  assert.equal(p.done, plan.samples_count);
  assert.equal(p.complete, true);
  assert.ok(Math.abs(p.value_s - Number(profile.total) / 1e9) <= p.half_width_s, 'the interval holds the truth');
  assert.ok(p.half_width_s > 0 && p.half_width_s / p.value_s < 0.1, 'about as wide as promised');
  assert.ok(Math.abs(done.designs[0].makespan_s / p.value_s - 1) < 1e-9, `launches of one stream are busy for their sum: ${done.designs[0].makespan_s}, ${p.value_s}`);
  const strata = (await farm.api('GET', `/runs/${run.id}/strata`)).items;
  assert.equal(strata.length, plan.strata.length);
  assert.ok(strata.every((s) => s.done === s.planned));
  assert.ok(Math.abs(strata.reduce((n, s) => n + s.total_s, 0) - p.value_s) < 1e-12 * p.value_s + 1e-15);
  const points = (await farm.api('GET', `/runs/${run.id}/convergence`)).points;
  assert.equal(points.at(-1).done, plan.samples_count);
  assert.equal(points.at(-1).value_s, p.value_s);
  assert.match((await eventsOf(run))[0], /All \d+ jobs are done\. profile: /);
  assert.match((await eventsOf(run)).at(-1), /^owner started the run: \d+ jobs, engine replay\.$/);
});

test('kernels that wait for other GPUs are projected separately, and the plan lists them', async () => {
  const columns = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
  const rows = Array.from({ length: 300 }, (_, i) =>
    `${10000 * i + 5},${i % 3 ? 1000 + (i * 37) % 101 : 2000 + (i * 53) % 997},${i + 1},4,1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,"${i % 3 ? `k${i % 3}` : 'ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)'}"`);
  const waited = rows.filter((r) => r.includes('nccl')).reduce((n, r) => n + Number(r.split(',')[1]), 0);
  const profile = await farm.profile(Buffer.from(`${columns}\n${rows.join('\n')}\n`), { name: 'ranks.csv' });
  const projected = async (method) => {
    const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method, error: 0.02, confidence: 0.95, seed: 3 });
    assert.match(plan.note, /Communication: 100 launches with .* does not show that waiting/);
    const run = await newRun(plan, 'replay', []);
    await (await newWorker()).drain();
    return (await farm.finished(run.id)).designs[0];
  };
  const { communication: c, projection: p } = await projected('vivace');
  assert.equal(c.launches, 100);
  assert.ok(Math.abs(c.profiled_s - waited / 1e9) < 1e-15);
  assert.ok(Math.abs(c.value_s + c.other_s - p.value_s) < 1e-12, 'the parts are the whole');
  assert.ok(Math.abs(c.value_s - waited / 1e9) <= c.half_width_s + 1e-15 && c.half_width_s < 0.1 * c.value_s, `the part's interval holds: ${JSON.stringify(c)}`);
  assert.equal((await projected('srs')).communication, null, 'one stratum of all kernels has no such data');
});

test('during a run, the convergence curve shows the expected interval', async () => {
  await (await newWorker()).drain();
  const { profile } = await newPlan();
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', error: 0.03, confidence: 0.95, seed: 1 });
  const run = await newRun(plan, 'replay', []), worker = await newWorker();
  const course = () => farm.api('GET', `/runs/${run.id}/convergence`);
  assert.equal((await course()).forecast, null, 'nothing is known yet');
  assert.ok(plan.strata.length === 1 && plan.samples_count > 6, `${plan.samples_count} samples`);
  for (let i = 0; i < plan.samples_count - 2; i += 1) await worker.finish(await worker.claimPack(1, 1));
  const held = [...await worker.claimPack(1, 1), ...await worker.claimPack(1, 1)];
  let c;
  await until('the projection of the done jobs', async () => {
    await worker.beat(held);
    c = await course();
    return c.points.at(-1)?.done === plan.samples_count - 2;
  });
  const last = c.points.at(-1), { points, promise_at: at } = c.forecast;
  assert.equal(last.relative_half_width, last.half_width / last.value);
  assert.deepEqual(points.map((p) => p.done), [0, 1, 2].map((n) => last.done + n));
  for (const p of points) for (const k of ['half_width', 'half_width_s']) assert.ok(Math.abs(p[k] / (last[k] * Math.sqrt(last.done / p.done)) - 1) < 1e-12, `${k} at ${p.done}`);
  const needed = Math.max(last.done, Math.ceil(last.done * (last.relative_half_width / c.promise) ** 2));
  assert.equal(at, needed <= plan.samples_count ? needed : null);
  farm.psql(`UPDATE plan SET promised_error = NULL WHERE id = '${plan.id}'`); // as with a method without a promise
  const bare = await course();
  assert.deepEqual([bare.promise, bare.forecast], [null, { points, promise_at: null }], 'without a promise there is no forecast of when it is kept');
  const p = (await farm.api('GET', `/runs/${run.id}`)).designs[0].projection;
  assert.equal(p.relative_half_width, p.half_width / p.value);
  await worker.finish(held);
  await farm.finished(run.id);
  assert.equal((await course()).forecast, null, 'a finished run has no forecast');
});

test('a run answers with any estimator, with a second estimate, and with what no interval covers', async () => {
  const { profile, plan } = await newPlan(0.02);
  const run = await newRun(plan, 'replay', []);
  const ask = async (query) => (await farm.api('GET', `/runs/${run.id}/estimate${query}`)).designs[0];
  assert.equal((await ask('')).value, null, 'no value before the first result');
  await (await newWorker()).drain();
  const done = await farm.finished(run.id);
  const truth = Number(profile.total) / 1e9, planned = await ask('');
  assert.equal(planned.estimator, 'expansion');
  for (const k of ['value', 'half_width', 'value_s', 'half_width_s', 'df']) assert.equal(planned[k], done.designs[0].projection[k], k);
  assert.deepEqual(planned.cross_checks.map((c) => c.name), ['ratio', 'difference']);
  const stored = (await farm.api('GET', `/runs/${run.id}/projection`)).designs[0].cross_checks;
  assert.deepEqual(stored, planned.cross_checks);
  // a replay returns the profiled values, so an estimator that uses all of them gives their total
  for (const name of ['ratio', 'separate_ratio', 'difference', 'regression']) {
    const p = await ask(`?estimator=${name}`);
    assert.equal(p.estimator, name);
    assert.ok(Math.abs(p.value_s / truth - 1) < (name === 'regression' ? 0.02 : 1e-9), name); // with equal times a slope is undefined
    assert.equal(p.cross_checks[0].name, 'expansion');
  }
  const { opinions } = await ask('?opinions=true');
  assert.deepEqual(opinions.each.map((o) => o.estimator), ['expansion', 'ratio', 'difference', 'regression']);
  assert.equal(opinions.each.filter((o) => o.used).map((o) => o.value)[0], planned.value);
  assert.equal(typeof opinions.disagree, 'boolean');
  assert.ok(opinions.each.every((o) => o.why_not || Number.isFinite(o.value)));
  assert.notEqual((await ask('?estimator=difference&kappa=3')).value, planned.value);
  const { bootstrap } = await ask('?bootstrap=true');
  assert.equal(bootstrap.resamples, 2000);
  assert.ok(bootstrap.low < planned.value && planned.value < bootstrap.high && bootstrap.sentence);
  assert.equal(planned.bootstrap, undefined);
  const refused = (query, part) => assert.rejects(farm.api('GET', `/runs/${run.id}/estimate${query}`),
    (e) => e.status === 422 && part.test(e.message));
  await refused('?estimator=mean', /no estimator `mean`/);
  await refused('?kappa=-1', /positive/);
  await refused('?bootstrap=yes', /true or false/);
  const said = execFileSync(program('vivace'), ['projection', run.id, '--estimator', 'ratio', '--bootstrap'],
    { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
  assert.match(said, /estimator +ratio: combined ratio/);
  assert.match(said, /bootstrap +/);
  assert.match(said, /by difference\n/);
  assert.match(said, /No interval covers:/);
  const { not_covered: lines } = await farm.api('GET', `/runs/${run.id}/estimate`);
  assert.ok(lines.length >= 4 && lines.some((l) => l.startsWith('the simulator')));
  const [replay] = (await farm.api('GET', `/runs/${run.id}/metrics`)).designs;
  assert.ok(replay.metrics.every((m) => m.value === null && m.results === 0), 'a replay has no counters');
});

test('rates of the whole workload are ratios of two projected totals', async () => {
  const { plan } = await tracedPlan();
  const run = await newRun(plan, 'cycle', ['v100']);
  await (await newWorker()).drain((l) => 1000 + 5 * l.launch);
  const done = await farm.finished(run.id);
  const [design] = (await farm.api('GET', `/runs/${run.id}/metrics`)).designs;
  const metric = Object.fromEntries(design.metrics.map((m) => [m.name, m]));
  assert.ok(Math.abs(metric.warp_instructions.value / (0.4 * done.designs[0].projection.value) - 1) < 1e-9);
  assert.equal(metric.warp_instructions.rate, false);
  const { value, half_width: half } = done.designs[0].projection;
  assert.ok(half / value > 1.5 * plan.promised_error, `${half / value} where ${plan.promised_error} was planned`);
  assert.match(execFileSync(program('vivace'), ['projection', run.id], { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } }),
    new RegExp(`wider than planned stratum \\d+ .* of the variance.*\\n +.vivace run extend ${run.id} --until `));
  assert.ok(Math.abs(metric.ipc.value - 0.4) < 1e-9 && metric.ipc.half_width < 5e-3 && metric.ipc.rate, `${metric.ipc.half_width}`); // every sample has this value, so only the minimum spread of pairs remains
  assert.ok(Math.abs(metric.l2_hit_rate.value - 0.75) < 1e-9);
  assert.equal(metric.l2_hit_rate.results, plan.samples_count);
  assert.ok(metric.ipc.effective > 0 && (metric.ipc.not_promised === null || /few of the results|too few results/.test(metric.ipc.not_promised)), JSON.stringify(metric.ipc));
  assert.equal(metric.dram_bytes.value, null, 'no result counts DRAM sectors here');
  const seconds = done.designs[0].projection.value_s;
  assert.ok(Math.abs(metric.energy.value / (70e-9 * value) - 1) < 1e-9 && metric.energy.half_width > 0, `${metric.energy.value} J`);
  assert.ok(Math.abs(metric.power.value * seconds / metric.energy.value - 1) < 1e-9 && metric.power.unit === 'W', `${metric.power.value} W`);
  assert.match(execFileSync(program('vivace'), ['projection', run.id, '--metrics'], { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } }),
    /l2_hit_rate +75\.\d+ % ± 0\.\d+ points +share/);
});

test('invalid plan parameters are refused', async () => {
  const { profile } = await newPlan();
  const wrong = (body, part) => assert.rejects(farm.api('POST', `/profiles/${profile.id}/plans`, body),
    (e) => e.status === 422 && part.test(e.message));
  await wrong({ error: 0 }, /`error` must lie between 0 and 1/);
  await wrong({ confidence: 1 }, /`confidence` must lie between/);
  await wrong({ colour: 'red' }, /unknown member `colour`/);
  await assert.rejects(farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'lottery' }), (e) => e.status === 422 && /lottery/.test(e.message) && /vivace/.test(e.body.hint));
  await assert.rejects(farm.api('GET', '/plans/01234567-89ab-7cde-8f01-23456789abcd'), (e) => e.status === 404);
  await assert.rejects(farm.api('GET', '/plans/x'), (e) => e.status === 404);
});

test('jobs wait for their traces; a trace of another launch is refused with one sentence', async () => {
  const { plan } = await newPlan();
  const run = await newRun(plan, 'cycle', ['v100']);
  assert.equal(run.counts.blocked, plan.samples_count);
  const w = await newWorker();
  assert.deepEqual(await w.claim(), [], 'nothing can be claimed yet');

  const list = await tracesOf(plan);
  const foreign = trace({ name: 'other(int)', grid: list[0].grid, block: list[0].block });
  const bigger = trace({ name: list[0].name, grid: [99, 1, 1], block: list[0].block });
  for (const bytes of [foreign, bigger]) await farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes);
  const { context, order } = list[0];
  const notDrawn = [...Array(160).keys()].find((k) => !list.some((t) => t.order === k));
  const refused = await bind(plan, [
    { sha256: sha256(foreign), context, order }, { sha256: sha256(bigger), context, order },
    { ...list[0], sha256: sha256('never sent') }, { ...list[0], order: notDrawn }]);
  assert.equal(refused.bound, 0);
  assert.equal(refused.not_sampled, 1);
  assert.deepEqual(refused.refused.map((r) => r.order), [order, order, order]);
  assert.match(refused.refused[0].detail, /^the trace is of kernel other\(int\), but in the profile it is .+$/);
  assert.match(refused.refused[1].detail, /^the trace has grid 99x1x1, but the profile has \d+x\d+x1$/);
  assert.match(refused.refused[2].detail, /the farm does not have the trace .*; send it first/);
  await assert.rejects(bind(plan, [{ sha256: 'abc', context: 0, order: 0 }]), (e) => e.status === 422);

  const half = await bind(plan, list.slice(0, 3));
  assert.deepEqual([half.bound, half.missing], [3, plan.samples_count - 3]);
  assert.equal((await getRun(run)).counts.ready, 3);
  const seen = await farm.api('GET', `/plans/${plan.id}/traces`);
  assert.deepEqual([seen.samples, seen.bound, seen.missing.length], [plan.samples_count, 3, plan.samples_count - 3]);
  assert.equal(seen.bindings.length, 3);
  assert.equal(seen.bindings[0].warp_instructions, 2);
  const again = await bind(plan, list);
  assert.deepEqual([again.bound, again.already, again.missing], [plan.samples_count - 3, 3, 0]);
  const other = trace({ ...list[0], salt: 77777 });
  await farm.api('PUT', `/blobs/${sha256(other)}`, other);
  assert.match((await bind(plan, [{ ...list[0], sha256: sha256(other) }])).refused[0].detail, /bound to another trace already/);
  assert.equal((await getRun(run)).counts.ready, plan.samples_count);
  assert.equal(await w.drain(), plan.samples_count);
  assert.equal((await farm.finished(run.id)).state, 'done');
});

test('designs of one run are compared in pairs; the same key is never simulated twice', async () => {
  const { plan } = await tracedPlan();
  const run = await newRun(plan, 'cycle', ['v100', 'h100']);
  const w = await newWorker();
  // Every launch takes exactly three times as long on the second design, so the ratio has no uncertainty.
  const seconds = (l) => (100 + (l.launch * 37) % 11) * 1e-6 * (l.design_name === 'h100' ? 3 : 1);
  const clock = Object.fromEntries((await farm.api('GET', '/designs')).items.map((d) => [d.name, d.clock_hz]));
  const cycles = (l) => Math.round(seconds(l) * clock[l.design_name]);
  assert.equal(await w.drain(cycles), 2 * plan.samples_count);
  const done = await farm.finished(run.id);
  const [v100, h100] = done.designs;
  assert.equal(v100.baseline, null);
  assert.ok(Math.abs(h100.baseline.ratio - 3) < 1e-9);
  assert.ok(h100.baseline.ratio_half_width < 5e-3, `${h100.baseline.ratio_half_width}`); // as above
  assert.ok(Math.abs(h100.baseline.difference_s - 2 * v100.projection.value_s) < 1e-9 * v100.projection.value_s);
  assert.equal(h100.baseline.paired_on, plan.samples_count);
  assert.equal(h100.baseline.distinguishable, true);
  assert.ok(Math.abs(v100.projection.value_cycles / clock.v100 / v100.projection.value_s - 1) < 1e-12);
  // the profile says it was measured on an H100
  assert.equal(v100.model_error, null);
  assert.equal(h100.model_error.simulated_s, h100.projection.value_s);
  const parts = (await farm.api('GET', `/runs/${run.id}/projection`)).designs;
  assert.match(parts[0].parts.model_error_why_not, /measured on NVIDIA H100 80GB HBM3, which is not this design/);
  for (const { parts: p } of parts) {
    assert.equal(p.makespan_why_not === null, p.makespan_s !== null, 'a makespan, or why there is none');
    assert.equal(p.makespan_interval_why_not === null, p.makespan_s === null || p.makespan_half_width_s !== null, 'its interval, or why there is none');
  }
  const [check] = parts[0].cross_checks; // cycles follow the profile loosely here: near the total, not equal to it
  assert.ok(Math.abs(check.value / v100.projection.value - 1) < 0.5 && check.half_width > 0 && check.value_s > 0);

  const second = await newRun(plan, 'cycle', ['h100', 'v100', 'a100']);
  assert.equal(second.cached, 2 * plan.samples_count);
  assert.equal(second.counts.done, 2 * plan.samples_count);
  assert.equal(second.counts.ready, plan.samples_count);
  assert.equal(await w.drain(cycles), plan.samples_count, 'only jobs without a known result are simulated');
  const again = await farm.finished(second.id);
  assert.equal(again.designs[1].projection.value, v100.projection.value);
  assert.equal(again.designs[1].projection.half_width, v100.projection.half_width);
  // any design may be the baseline, and all intervals hold together: each of two at 97.5 %
  const other = await farm.api('GET', `/runs/${second.id}/compare?baseline=v100&kernels=true`);
  assert.deepEqual([other.baseline, other.level, other.items.map((i) => i.design)], ['v100', 0.95, ['h100', 'a100']]);
  assert.ok(Math.abs(other.items[0].ratio - 3) < 1e-9 && Math.abs(other.items[0].level - 0.975) < 1e-12);
  assert.ok(other.items[0].distinguishable && !other.items[1].distinguishable, 'v100 and a100 take the same time here');
  const kernels = other.kernels.filter((k) => k.design === 'h100');
  assert.ok(kernels.length > 1 && kernels.every((k) => Math.abs(k.ratio - 3) < 1e-9));
  assert.ok(Math.abs(kernels.reduce((n, k) => n + k.difference_s, 0) / other.items[0].difference_s - 1) < 1e-9);
  const first = (await farm.api('GET', `/runs/${second.id}/compare`)).items[0];
  assert.equal(first.ratio_half_width, again.designs[1].baseline.ratio_half_width, 'the page shows the same');
  await assert.rejects(farm.api('GET', `/runs/${second.id}/compare?baseline=b200`), (e) => e.status === 404);
  const job = (await jobsOf(second)).find((j) => j.cached);
  const result = await farm.api('GET', `/results/${job.result}`);
  assert.equal(result.counters[0].name, 'l2_hits');
  assert.equal(result.trace, job.trace);
});

test('two open runs with the same jobs: one is simulated, both complete', async () => {
  const { plan } = await tracedPlan();
  const a = await newRun(plan, 'cycle', ['v100']), b = await newRun(plan, 'cycle', ['v100']);
  assert.equal(b.counts.ready, plan.samples_count);
  const w = await newWorker();
  const leases = await w.claim(1);
  assert.equal(leases.length, 1);
  await w.finish(leases);
  assert.equal((await getRun(a)).counts.done, 1);
  assert.equal((await getRun(b)).counts.done, 1);
  // the first run stops: the jobs of the second run become the leaders
  await farm.api('POST', `/runs/${a.id}/cancel`);
  assert.equal(await w.drain(), plan.samples_count - 1);
  const done = await farm.finished(b.id);
  assert.equal(done.counts.done, plan.samples_count);
  assert.equal((await getRun(a)).counts.cancelled, plan.samples_count - 1);
});

test('a paused run leases no jobs, and does not delay other runs with the same jobs', async () => {
  const { plan } = await tracedPlan();
  const a = await newRun(plan, 'cycle', ['v100']);
  const w = await newWorker();
  const [first] = await w.claim(1);
  await farm.api('POST', `/runs/${a.id}/pause`);
  assert.deepEqual(await w.claim(), []);
  await w.finish([first]);
  assert.equal((await getRun(a)).counts.done, 1, 'running jobs may finish');
  const b = await newRun(plan, 'cycle', ['v100']);
  await farm.api('POST', `/runs/${b.id}/pause`);
  await farm.api('POST', `/runs/${b.id}/resume`);
  assert.equal(await w.drain(), plan.samples_count - 1);
  await farm.finished(b.id);
  assert.equal((await getRun(a)).counts.done, plan.samples_count, 'its waiting jobs got the results');
  await assert.rejects(farm.api('POST', `/runs/${b.id}/resume`), (e) => e.status === 409 && /the run is done/.test(e.message));
});

test('reports of attempts: repeated, stolen, fenced and late ones', async () => {
  const { plan } = await newPlan();
  const run = await newRun(plan, 'replay', []);
  const w = await newWorker({ slots: 1, engines: ['replay'] });
  const [lease, ...rest] = await w.claim();
  assert.equal(lease.attempt, 1);
  const [once] = await w.finish([lease]), [twice] = await w.finish([lease]);
  assert.deepEqual([once.accepted, once.reason], [true, null]);
  assert.deepEqual([twice.accepted, twice.reason], [true, 'the job was done already']);
  assert.equal((await getJob(lease.job)).attempts.length, 1);

  const [wrong] = await w.complete([{ ...ended(rest[0], 'crash'), attempt: 7 }]);
  assert.deepEqual([wrong.accepted, wrong.reason], [false, 'this attempt was never leased']);
  const [unknown] = await w.complete([ended({ job: '01234567-89ab-7cde-8f01-23456789abcd', attempt: 1 }, 'crash')]);
  assert.deepEqual([unknown.accepted, unknown.reason], [false, 'there is no such job']);

  // returned and claimed again: the old attempt is fenced, but its result still counts
  await w.fail([rest[0]], 'released');
  const other = await newWorker({ name: 'second', slots: 1, engines: ['replay'] });
  const second = (await other.claim()).find((l) => l.job === rest[0].job);
  assert.equal(second.attempt, 2);
  assert.deepEqual(await w.beat([rest[0]]), [{ job: rest[0].job, attempt: 1 }], 'the first worker has to stop');
  assert.deepEqual(await other.beat([second]), []);
  const [fenced] = await w.fail([rest[0]], 'crash');
  assert.deepEqual([fenced.accepted, fenced.reason], [false, 'the lease had ended']);
  const [late] = await w.finish([rest[0]]);
  assert.deepEqual([late.accepted, late.reason], [true, 'late: the lease had ended; the result is used']);
  assert.equal((await getJob(rest[0].job)).state, 'done');
  assert.deepEqual(await other.beat([second]), [{ job: second.job, attempt: 2 }], 'the present holder may stop');
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('a failed run continues with results that arrive late', async () => {
  const { plan } = await newPlan(), run = await newRun(plan, 'replay', []), same = await newRun(plan, 'replay', []);
  const all = async (w) => {
    const leases = [];
    for (let some; (some = await w.claim()).length > 0;) leases.push(...some);
    return leases;
  };
  const slow = await newWorker({ slots: 64, engines: ['replay'] }), mine = await all(slow);
  assert.equal(mine.length, run.jobs);
  await slow.fail(mine, 'released');
  const other = await newWorker({ name: 'second', slots: 64, engines: ['replay'] });
  await other.fail(await all(other), 'unsupported');
  for (const r of [run, same]) assert.equal((await farm.finished(r.id)).state, 'failed', 'its jobs waited for the jobs of the first run');
  const checkColumn = (what) => farm.psql(`SELECT ${what} FROM cache_check_request WHERE run_id = '${run.id}'`).trim();
  farm.psql(`INSERT INTO cache_check_request (run_id, launches, asked_by, asked_at, chosen_at, why_not, looks_back, still)
             VALUES ('${run.id}', 3, 'test', now(), now(), 'nothing was simulated', 64, 1)`);
  const state = async (n, of = run) => until(`${n} of its jobs to be done`, async () => {
    const r = await getRun(of);
    return r.finished_at && r.counts.done === n && r.designs[0].projection.done === n && r.state;
  });
  await slow.finish([mine[0]]);
  assert.equal(await state(1), 'done');
  assert.equal(await state(1, same), 'done', 'its job has the same result');
  await until('a new choice of launches for the cache check', () => /no traces/.test(checkColumn('why_not')));
  assert.equal(checkColumn('looks_back || \' \' || still'), '16 0');
  farm.psql(`UPDATE cache_check_request SET why_not = 'few were simulated' WHERE run_id = '${run.id}'`);
  await slow.finish([mine[0]]);
  assert.equal(checkColumn('why_not'), 'few were simulated', 'no new event arrived');
  await slow.finish(mine.slice(1));
  for (const r of [run, same]) assert.equal(await state(run.jobs, r), 'done');
  await until('a new choice of launches for the cache check', () => /no traces/.test(checkColumn('why_not')));
  const said = (await eventsOf(run)).filter((s) => /^The run /.test(s));
  assert.ok(said.length === 2 && /failed/.test(said[0]), said.join('\n'));
});

test('a result that differs from the stored one with its key is stored too and reported', async () => {
  const { plan } = await tracedPlan();
  const run = await newRun(plan, 'cycle', ['v100']);
  const w = await newWorker();
  const [lease] = await w.claim(1);
  await w.complete([good(lease, 1000)]);
  await w.complete([good(lease, 1001)]);
  const job = await getJob(lease.job);
  const result = await farm.api('GET', `/results/${job.result}`);
  assert.deepEqual([result.cycles, result.disputed], [1000, true]);
  assert.ok((await eventsOf(run)).some((s) => /determinism is broken/.test(s)));
  // a result of another trace, design or version is refused, and the attempt counts as a failure
  const [next] = await w.claim(1);
  const [strange] = await w.complete([{ ...good(next), result: { ...good(next).result, trace_sha256: sha256('x') } }]);
  assert.deepEqual([strange.accepted, strange.reason], [false, 'the result is for another trace than the job']);
  assert.equal((await getJob(next.job)).attempts[0].outcome, 'crash');
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('budgets: a job that kills workers fails, an unreliable cluster fails no jobs, a bad trace fails at once', async () => {
  const { plan } = await newPlan();
  const run = await newRun(plan, 'replay', []);
  const w = await newWorker({ slots: 1, engines: ['replay'] });
  const [bad, slow, big, flaky] = await w.claim();
  await w.fail([bad], 'bad_input', 'line 7: not an instruction');
  const failed = await getJob(bad.job);
  assert.deepEqual([failed.state, failed.failure], ['failed', { class: 'bad_input', detail: 'line 7: not an instruction' }]);
  assert.equal(failed.attempts[0].last_lines, 'the last lines');
  assert.equal(failed.attempts[0].worker, 'scripted');

  await w.fail([slow], 'timeout');
  assert.equal((await getJob(slow.job)).state, 'ready');
  const slowAgain = (await w.claim(4)).find((l) => l.job === slow.job);
  assert.equal(slowAgain.limits.time_s, 2 * slow.limits.time_s, 'twice the time');
  await w.fail([slowAgain], 'timeout');
  assert.equal((await getJob(slow.job)).failure.class, 'timeout');

  let lease = big;
  for (const factor of [2, 4]) {
    await w.fail([lease], 'memory');
    lease = (await w.claim(4)).find((l) => l.job === big.job);
    assert.equal(lease.limits.memory_bytes, factor * big.limits.memory_bytes);
  }
  await w.fail([lease], 'memory');
  assert.equal((await getJob(big.job)).failure.class, 'memory');

  await w.fail([flaky], 'fetch');
  const again = await getJob(flaky.job);
  assert.equal(again.state, 'ready');
  assert.ok(Date.parse(again.ready_at) - Date.parse(again.attempts.at(-1).ended_at) > 3000, 'it waits before the next try');

  const retried = await farm.api('POST', `/jobs/${bad.job}/retry`);
  assert.equal(retried.state, 'ready');
  await assert.rejects(farm.api('POST', `/jobs/${bad.job}/retry`), (e) => e.status === 409);
  const sentences = await eventsOf(run);
  assert.ok(sentences.some((s) => /^Launch \d+ on profile failed on worker scripted \(attempt 1, bad_input\): line 7.* It is not tried again\.$/.test(s)), sentences.join('\n'));
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('a lost worker loses its session, and others get its jobs', async () => {
  const { plan } = await newPlan();
  const run = await newRun(plan, 'replay', []);
  const gone = await newWorker({ name: 'gone', slots: 1, engines: ['replay'] });
  const lost = await gone.claim();
  const other = await newWorker({ name: 'other', engines: ['replay'] });
  gone.fallSilent();
  await until('it to be dead', () => farm.psql(`UPDATE worker_session SET seen_at = now() - interval '2 minutes' WHERE id = '${gone.session}' AND state = 'alive' RETURNING 1`) === '');
  await until('the lost jobs to come back', async () => {
    await other.beat();
    return (await jobsOf(run)).filter((j) => j.attempt === 1 && j.state === 'ready').length === lost.length;
  });
  await assert.rejects(gone.beat(lost), (e) => e.status === 410);
  await assert.rejects(gone.claim(), (e) => e.status === 410);
  const job = await getJob(lost[0].job);
  assert.equal(job.attempts[0].outcome, 'lost');
  assert.ok((await eventsOf(run)).some((s) => /vanished|ended without a result/.test(s)));
  const [late] = await gone.finish([lost[0]]);
  assert.equal(late.accepted, true, 'hours of work are not thrown away for missed beats');
  await until('the rest to be done', async () => { await other.drain(); return (await getRun(run)).state === 'done'; });
  assert.equal((await getRun(run)).counts.done, plan.samples_count);
  const dead = (await farm.api('GET', '/workers')).items.find((w) => w.name === 'gone');
  assert.equal(dead.state, 'dead');
});

test('a claim waits until a job is ready, and cancelling a run ends its running jobs', async () => {
  const { plan } = await newPlan();
  const w = await newWorker({ slots: 1, engines: ['replay'] });
  const began = performance.now();
  assert.deepEqual(await w.claim(1, 1), []);
  assert.ok(performance.now() - began >= 950, 'a claim without jobs waits for the requested time');
  const before = await farm.metric('vivace_claims_total'), waiting = w.claim(1, 25);
  await farm.claimsBeyond(before);
  const run = await newRun(plan, 'replay', []);
  const leases = await waiting;
  assert.ok(leases.length > 0, 'woken by a job, not answered at its deadline');
  await farm.api('POST', `/runs/${run.id}/cancel`);
  assert.equal((await getRun(run)).state, 'cancelled');
  assert.deepEqual((await w.beat(leases)).length, leases.length, 'all are to be ended');
  const [item] = await w.finish([leases[0]]);
  assert.equal(item.accepted, true);
  assert.equal((await getJob(leases[0].job)).state, 'cancelled', 'the result is kept, the job stays cancelled');
});

test('a worker of another simulator version gets no cycle jobs', async () => {
  const { plan } = await tracedPlan();
  const run = await newRun(plan, 'cycle', ['v100']);
  const old = await newWorker({ name: 'old', simulator: '0.0.9' });
  assert.deepEqual(await old.claim(), []);
  assert.equal((await (await newWorker()).claim(1)).length, 1);
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('designs: built-in ones, a team’s own, and refused ones', async () => {
  const { items } = await farm.api('GET', '/designs');
  assert.ok(items.some((d) => d.name === 'v100' && d.builtin && d.sms === 80));
  const v100 = await farm.api('GET', '/designs/v100');
  const mine = { ...v100, name: 'mine' };
  const made = await farm.api('POST', '/designs', mine);
  assert.equal(made.name, 'mine');
  assert.deepEqual(await farm.api('GET', `/designs/${made.id}`), mine);
  assert.equal((await farm.api('POST', '/designs', mine)).id, made.id);
  await assert.rejects(farm.api('POST', '/designs', { name: 'empty' }), (e) => e.status === 422 && /the design is not valid: /.test(e.message));
  await assert.rejects(farm.api('POST', '/designs', '{'), (e) => e.status === 422 || e.status === 400);
  await assert.rejects(farm.api('GET', '/designs/none'), (e) => e.status === 404);
  const { plan } = await newPlan();
  await assert.rejects(newRun(plan, 'cycle', ['none']), (e) => e.status === 404);
  await assert.rejects(newRun(plan, 'cycle', []), (e) => e.status === 422);
  await assert.rejects(newRun(plan, 'cycle', ['v100', 'v100']), /named twice/);
});

test('the sweep compares the methods, and its answer is cached', async () => {
  const { profile } = await newPlan();
  const ask = () => farm.api('GET', `/profiles/${profile.id}/sweep?errors=0.05,0.1`);
  const first = await ask();
  const ours = first.items.find((i) => i.method === 'vivace' && i.error === 0.05);
  assert.ok(ours.speedup > 1 && ours.promised_error <= 0.05 && ours.cloud.length === ours.repeats);
  assert.deepEqual(await ask(), first);
  await assert.rejects(farm.api('GET', `/profiles/${profile.id}/sweep?errors=2`), (e) => e.status >= 400 && e.status < 500);
});

test('a sweep can be limited to some methods', async () => {
  const { profile } = await newPlan();
  const { items } = await farm.api('GET', '/methods');
  assert.equal(items[0].name, 'vivace');
  assert.ok(items.length > 4 && items.every((m) => m.title && m.sentence && m.needs_sentence.startsWith('Needs ')));
  const root = await farm.api('GET', `/profiles/${profile.id}/sweep?errors=0.05&method=root`);
  assert.deepEqual(root.items.map((i) => i.method), ['root']);
  assert.equal(root.items[0].intervals, 0);
  const two = await farm.api('GET', `/profiles/${profile.id}/sweep?errors=0.05&method=srs,root`);
  assert.deepEqual(two.items.map((i) => i.method), ['root', 'srs'], 'in the order of the list of methods');
  await assert.rejects(farm.api('GET', `/profiles/${profile.id}/sweep?method=none`), (e) => e.status === 422 && /no method/.test(e.message));
});

/** The raw page of Nsight Compute for two kernels, with all metrics that PKA needs. */
function ncuReport(launches) {
  const metrics = ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum', 'l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum',
    'smsp__inst_executed_op_global_ld.sum', 'smsp__inst_executed_op_global_st.sum', 'smsp__inst_executed_op_local_ld.sum', 'smsp__inst_executed_op_shared_ld.sum', 'smsp__inst_executed_op_shared_st.sum',
    'smsp__sass_inst_executed_op_global_atom.sum', 'smsp__inst_executed.sum', 'smsp__thread_inst_executed_per_inst_executed.ratio', 'launch__grid_size'];
  const row = (cells) => cells.map((c) => `"${c}"`).join(',');
  const head = ['ID', 'Process ID', 'Process Name', 'Host Name', 'Kernel Name', 'Context', 'Stream', 'Block Size', 'Grid Size', 'Device', 'CC', 'gpu__time_duration.sum', ...metrics];
  const units = ['', '', '', '', '', '', '', '', '', '', '', 'nsecond', ...metrics.map(() => '')];
  const lines = Array.from({ length: launches }, (_, i) => {
    const big = i % 2;
    return row([i, 77, 'app', 'h', big ? 'big' : 'small', 1, 7, '(32, 1, 1)', `(${big ? 50 : 5}, 1, 1)`, 0, '8.0', (big ? 90000 : 1000) + (i % 7), ...metrics.map((m, k) => (big ? 1000 : 10) * (k + 1))]);
  });
  return Buffer.from([row(head), row(units), ...lines, ''].join('\n'));
}

test('features arrive with a profile, and methods that need them can plan', async () => {
  const profile = await farm.profile(ncuReport(60), { name: 'ncu.csv', workload: 'measured in detail' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'pka', error: 0.05 });
  assert.deepEqual([plan.representative, plan.variance, plan.strata.length], [true, 'none', 2]);
  assert.ok(plan.actual_error < 0.01 && plan.samples_count === 2);
  const scored = await farm.api('GET', `/profiles/${profile.id}/sweep?errors=0.05&method=pka`);
  assert.equal(scored.items[0].why_not, null);
  assert.equal(scored.items[0].repeats, 1);
  assert.ok(scored.items[0].speedup_instructions > 1);
  const { profile: plain } = await newPlan();
  await assert.rejects(farm.api('POST', `/profiles/${plain.id}/plans`, { method: 'pka' }), (e) => e.status === 422 && /twelve metrics/.test(e.message));
});

test('a plan keeps its parameters, and lists its warnings', async () => {
  const { profile } = await newPlan();
  const asked = { method: 'vivace', error: 0.02, noise_floor: 0.01, least_samples: 3, cost_fixed: 0.5, cost_per_unit: 1e-6, classifier: 'mlp' };
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, asked);
  for (const [key, value] of Object.entries(asked)) assert.deepEqual(plan[key], value, key);
  assert.deepEqual([plan.representative, plan.estimator, plan.variance], [false, 'expansion', 'samples']);
  const ratio = await farm.api('POST', `/profiles/${profile.id}/plans`, { error: 0.02, estimator: 'ratio' });
  assert.deepEqual([ratio.estimator, ratio.variance, ratio.extensible, ratio.actual_error], ['ratio', 'samples', true, null]);
  assert.match(ratio.note, /exact on this profile by construction/);
  assert.equal((await farm.api('GET', `/plans/${ratio.id}/file`)).estimator, 'ratio');
  assert.equal(typeof plan.caution, 'string');
  assert.ok(plan.strata.every((s) => s.cost > 0 && s.planned_sd >= 0));
  const doubt = plan.strata.reduce((sum, s) => sum + s.planned_variance_share, 0);
  assert.ok(Math.abs(doubt - 1) < 1e-9, `shares of the planned variance sum to ${doubt}`);
  const wrong = (body, why) => assert.rejects(farm.api('POST', `/profiles/${profile.id}/plans`, body), (e) => e.status === 422 && why.test(e.message));
  await wrong({ budget: 2 }, /budget/);
  await wrong({ least_samples: 0 }, /least_samples/);
  await wrong({ classifier: 'tree' }, /no classifier `tree`/);
  await wrong({ cost_fixed: -1 }, /cost/);
  await wrong({ estimator: 'instruction_ratio' }, /`estimator` of a plan must be ratio or expansion/);
  await wrong({ estimator: 'ratio', least_samples: 1 }, /needs two samples in each stratum/);
});

test('samples as CSV and JSON, page by page, and the plan file', async () => {
  const { plan } = await newPlan(0.02);
  const csv = await (await farm.request('GET', `/plans/${plan.id}/samples?format=csv`)).text();
  const lines = csv.trim().split('\r\n');
  assert.equal(lines.length, plan.samples_count + 1);
  assert.match(lines[0], /^launch,stratum,weight,launch_order/);
  const all = [];
  for (let after = ''; after !== null;) {
    const page = await farm.api('GET', `/plans/${plan.id}/samples?limit=7${after ? `&after=${after}` : ''}`);
    all.push(...page.items);
    after = page.next;
  }
  assert.equal(all.length, plan.samples_count);
  assert.equal(new Set(all.map((s) => s.launch)).size, all.length);
  const weights = all.reduce((n, s) => n + s.weight, 0);
  assert.ok(Math.abs(weights - 160) < 1e-9, 'the weights add up to the number of launches');
  const file = await farm.api('GET', `/plans/${plan.id}/file`);
  assert.equal(file.format, 'vivace-plan');
  await assert.rejects(farm.api('GET', `/plans/${plan.id}/samples?after=forged`), (e) => e.status === 422 || e.status === 400);
});
