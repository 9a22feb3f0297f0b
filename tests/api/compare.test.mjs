// Designs of several runs against one baseline: which differences are paired, and that all formats of the answer agree.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker, report, sha256, trace } from './scripted_worker.mjs';

let farm, seed = 0, worker, clock, plan, run;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  worker = await new ScriptedWorker(farm).open();
  clock = Object.fromEntries((await farm.api('GET', '/designs')).items.map((d) => [d.name, d.clock_hz]));
  plan = await newPlan(await newProfile());
  run = await simulated(plan, ['v100', 'h100']);
});
after(async () => { await farm?.stop(); });

/** Times by design, with a different part for each launch. */
const FACTOR = { v100: 1, h100: 0.5, a100: 1, b200: 0.4 };
const seconds = (l) => (100 + (l.launch * 37) % 11) * 1e-6 * FACTOR[l.design_name] * (1 + (l.design_name === 'a100' ? ((l.launch * 13) % 5 - 2) * 1e-2 : 0));

async function newPlan(profile, { error = 0.2, method = 'vivace', seed: draws = 1 } = {}) {
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method, error, confidence: 0.95, seed: draws });
  const traces = [];
  for (const s of (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items) {
    const bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: s.launch + 1000 * seed });
    const hash = sha256(bytes);
    await farm.api('PUT', `/blobs/${hash}`, bytes, { 'Content-Type': 'application/octet-stream' });
    traces.push({ sha256: hash, context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block });
  }
  assert.equal((await farm.api('POST', `/plans/${plan.id}/traces`, { traces })).missing, 0);
  return plan;
}
const newProfile = () => farm.profile(report(++seed), { name: `report-${seed}.csv`, workload: `workload ${seed}` });
async function simulated(plan, designs) {
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs });
  await worker.drain((l) => Math.round(seconds(l) * clock[l.design_name]));
  return farm.finished(run.id);
}
const compare = (base, with_, more = {}) => farm.api('GET', `/compare?${new URLSearchParams({ base, with: with_.join(','), ...more })}`);
const close = (a, b, how = 1e-9) => Math.abs(a - b) <= how * Math.abs(b);

test('runs of one plan are paired by launch; the answer has the confidence of all intervals together', async () => {
  const one = run, two = await simulated(plan, ['a100']);
  const c = await compare(`${one.id}:v100`, [`${one.id}:h100`, `${two.id}:a100`], { kernels: true, parameters: 'differences', resolve: '0.01' });
  const [h100, a100] = c.items;
  assert.deepEqual([c.base.design, c.base.is_baseline, Number(c.level.toFixed(12)), c.items.map((i) => i.design)], ['v100', true, 0.9, ['h100', 'a100']]);
  for (const i of c.items) assert.deepEqual([i.paired, i.paired_on, i.samples, i.why_not_paired], [true, plan.samples_count, plan.samples_count, null]);
  assert.ok(close(h100.level, 0.95) && close(a100.level, 0.95) && close(h100.ratio, 0.5, 1e-6) && h100.distinguishable);
  assert.ok(!a100.distinguishable && Math.abs(a100.difference_s) < a100.half_width_s, 'a100 takes the same time in this replay');
  assert.equal(c.base.total.value_s, one.designs[0].projection.value_s);
  assert.equal(h100.total.half_width_s, one.designs[1].projection.half_width_s);
  // for designs of one run, the numbers equal those of the run's own page to the last digit, independent of the other compared designs
  const shown = (await farm.api('GET', `/runs/${one.id}`)).designs[1].baseline;
  for (const key of ['difference_s', 'half_width_s', 'ratio', 'ratio_half_width', 'level', 'intervals', 'looks', 'level_note', 'distinguishable']) assert.equal(h100[key], shown[key], key);
  const alone = (await compare(`${one.id}:v100`, [`${one.id}:h100`])).items[0], own = (await farm.api('GET', `/runs/${one.id}/compare`)).items[0];
  for (const key of ['difference_s', 'half_width_s', 'ratio', 'ratio_half_width', 'level', 'paired_on', 'distinguishable']) assert.equal(alone[key], own[key], key);
  // the kernels' differences add up to the total difference
  const kernels = c.kernels.filter((k) => k.design === 'h100');
  assert.ok(kernels.length > 1 && close(kernels.reduce((n, k) => n + k.difference_s, 0), h100.difference_s));
  // the designs differ in these
  const sms = c.parameters.find((p) => p.parameter === 'gpu.sms');
  assert.deepEqual([sms.values, sms.unit, sms.same], [[80, 132, 108], 'count', false]);
  assert.ok(c.parameters.every((p) => !p.same));
  assert.ok((await compare(`${one.id}:v100`, [`${one.id}:h100`], { parameters: 'all' })).parameters.length > c.parameters.length);
  // the required number of samples: all pairs differ by exactly half, but a few equal pairs do not prove that all launches are
  // equal
  assert.deepEqual([c.resolve.run, c.resolve.resolve, c.resolve.decision, c.resolve.baseline], [one.id, 0.01, 'more', 0]);
  assert.ok(c.resolve.jobs > 0 && c.resolve.jobs <= 2 * 20 && h100.ratio_half_width < 0.01, `${c.resolve.jobs} jobs`);
  assert.match((await compare(`${two.id}:a100`, [`${one.id}:h100`], { resolve: '0.01' })).resolve.why_not, /no other design/);
});

test('the predicted extension for telling two designs apart is the one that the run then simulates', async () => {
  const run = await simulated(plan, ['v100', 'a100']);
  const { resolve } = await compare(`${run.id}:v100`, [`${run.id}:a100`], { resolve: '0.001' });
  assert.equal(resolve.decision, 'more');
  assert.equal(resolve.jobs, 2 * resolve.samples);
  await farm.api('POST', `/runs/${run.id}/extend`, { resolve: resolve.resolve, baseline: resolve.baseline, approve: 'ask' });
  const look = await until('the look', async () => (await farm.api('GET', `/runs/${run.id}`)).looks.at(-1));
  assert.equal(look.extension?.jobs, resolve.jobs, 'to the job');
});

test('different launches are not paired: the interval is wider, and the answer has the reason', async () => {
  const other = await simulated(await newPlan(await farm.api('GET', `/profiles/${plan.profile}`), { seed: 9 }), ['h100']);
  const c = await compare(`${run.id}:v100`, [`${run.id}:h100`, `${other.id}:h100`], { kernels: true });
  const [paired, apart] = c.items;
  assert.ok(paired.paired && !apart.paired && apart.paired_on === 0);
  assert.match(apart.why_not_paired, /different launches/);
  assert.deepEqual([c.base, paired, apart].map((i) => i.seed), [1, 1, 9]);
  assert.ok(apart.half_width_s > paired.half_width_s);
  assert.equal(apart.difference_s, apart.total.value_s - c.base.total.value_s);
  assert.ok(c.kernels.every((k) => k.run === run.id), 'kernels are known of pairs only');
});

test('a design on another workload is compared with the baseline’s design on that workload', async () => {
  const a = run, b = await simulated(await newPlan(await newProfile()), ['v100', 'h100', 'b200']);
  const c = await compare(`${a.id}:v100`, [`${a.id}:h100`, `${b.id}:v100`, `${b.id}:h100`, `${b.id}:b200`]);
  assert.deepEqual(c.items.map((i) => [i.design, i.is_baseline, i.against.run, i.against.design]), [
    ['h100', false, a.id, 'v100'], ['v100', true, b.id, 'v100'], ['h100', false, b.id, 'v100'], ['b200', false, b.id, 'v100']]);
  assert.ok(close(c.items[3].ratio, 0.4, 1e-6) && close(c.items[3].level, 1 - 0.05 / 2) && close(c.items[0].level, 0.95));
  const without = await compare(`${a.id}:v100`, [`${b.id}:b200`]);
  assert.deepEqual([without.items[0].against, without.items[0].difference_s], [null, null]);
  assert.match(without.items[0].why_not_paired, /not chosen for this workload/);
});

test('CSV has the same digits; an invalid comparison is refused', async () => {
  const c = await compare(`${run.id}:v100`, [`${run.id}:h100`]);
  const answer = await farm.request('GET', `/compare?base=${run.id}:v100&with=${run.id}:h100&format=csv`);
  assert.match(answer.headers.get('content-type'), /^text\/csv/);
  const [head, , row] = (await answer.text()).trim().split('\r\n').map((l) => l.split(','));
  const of = (name) => Number(row[head.indexOf(name)]);
  for (const key of ['difference_s', 'half_width_s', 'ratio', 'ratio_half_width', 'level', 'paired_on', 'seed']) assert.equal(of(key), c.items[0][key], key);
  const refused = async (query, status) => assert.equal((await farm.request('GET', `/compare?${query}`)).status, status, query);
  await refused(`base=${run.id}:v100`, 422);
  await refused(`base=${run.id}&with=${run.id}:h100`, 422);
  await refused(`base=${run.id}:v100&with=${run.id}:b200`, 404);
  await refused(`base=01890a5d-ac96-774b-bcce-b302099a8057:v100&with=${run.id}:h100`, 404);
  await refused(`base=${run.id}:v100&with=${run.id}:h100&resolve=2`, 422);
  await refused(`base=${run.id}:v100&with=${run.id}:h100&format=xml`, 422);
});
