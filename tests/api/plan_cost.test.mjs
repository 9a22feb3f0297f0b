// `"cost": "farm"`: plans with costs in seconds of simulation, fitted to the farm's own simulations.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { program, startFarm } from './harness.mjs';
import { ScriptedWorker, good, report, sha256, trace } from './scripted_worker.mjs';

let farm;
before(async () => { farm = await startFarm({ args: ['--test-dead-after', '15min'] }); }); // its scripted worker sends no heartbeats
after(async () => { await farm?.stop(); });

const newPlan = (profile, body) => farm.api('POST', `/profiles/${profile.id}/plans`, body);

test('the cost of a launch is fitted from what the farm simulated, and the plan records it', { timeout: 300000 }, async () => {
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'cost' });
  const refused = (body, status, part) => assert.rejects(newPlan(profile, body), (e) => e.status === status && part.test(e.message));
  await refused({ cost: 'farm' }, 409, /has 0 simulations by vivace-sim \S+ of profiles like this one; a cost model needs 10/);
  await refused({ cost: 'cheap' }, 422, /`cost` must be "farm"/);
  await refused({ cost: 'farm', cost_fixed: 1 }, 422, /state the same thing/);

  // Each simulation takes 3 s plus 2 ms per profiled nanosecond; on one machine, which swapped, it takes longer.
  const plan = await newPlan(profile, { method: 'srs', share: 0.25 });
  const samples = (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items;
  assert.ok(samples.length >= 20 && new Set(samples.map((s) => s.value)).size > 5);
  const traces = [];
  for (const s of samples) {
    const bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: s.launch });
    await farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes, { 'Content-Type': 'application/octet-stream' });
    traces.push({ sha256: sha256(bytes), context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block });
  }
  await farm.api('POST', `/plans/${plan.id}/traces`, { traces });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  const worker = await new ScriptedWorker(farm).open();
  const valueOf = new Map(traces.map((t, i) => [t.sha256, samples[i].value]));
  for (let done = 0; done < samples.length;) {
    const leases = await worker.claim(4);
    await worker.complete(leases.map((l, i) => {
      const outcome = good(l), seconds = (3 + 0.002 * valueOf.get(l.trace)) * (done + i === 5 ? 40 : 1);
      return { ...outcome, host_seconds: seconds, result: { ...outcome.result, host_seconds: seconds } };
    }));
    done += leases.length;
    if (done === 8) await refused({ cost: 'farm' }, 409, /has 8 simulations/);
  }
  assert.equal((await farm.finished(run.id)).state, 'done');

  const priced = await newPlan(profile, { cost: 'farm', error: 0.03 });
  assert.ok(Math.abs(priced.cost_fixed / 3 - 1) < 1e-3, `${priced.cost_fixed} s a launch`);
  assert.ok(Math.abs(priced.cost_per_unit / 0.002 - 1) < 1e-3, `${priced.cost_per_unit} s a ns`);
  const { items: [own, ...none] } = await farm.api('GET', `/profiles/${profile.id}/costs`);
  assert.deepEqual([own.design, own.simulations, none.length], ['v100', samples.length, 0]);
  assert.ok(Math.abs(own.fixed_s / 3 - 1) < 1e-3 && own.typical_error < 1e-3, JSON.stringify(own));
  const { items: [ofPlan] } = await farm.api('GET', `/plans/${plan.id}/costs`);
  const wanted = samples.reduce((n, s) => n + own.fixed_s + own.per_unit_s * s.value, 0);
  assert.ok(Math.abs(ofPlan.expected_s / wanted - 1) < 1e-9, `${ofPlan.expected_s} s, ${wanted} wanted`);
  await assert.rejects(farm.api('GET', `/plans/${profile.id}/costs`), (e) => e.status === 404);
  for (const s of priced.strata) assert.ok(Math.abs(s.cost / (priced.cost_fixed + priced.cost_per_unit * s.mean) - 1) < 1e-9);
  const file = await farm.api('GET', `/plans/${priced.id}/file`);
  assert.deepEqual([file.cost_fixed, file.cost_per_unit], [priced.cost_fixed, priced.cost_per_unit]);
  const again = await newPlan(profile, { cost_fixed: priced.cost_fixed, cost_per_unit: priced.cost_per_unit, error: 0.03 });
  assert.deepEqual(await farm.api('GET', `/plans/${again.id}/file`), file, 'the same plan as with explicit numbers');
  const env = { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token };
  const said = JSON.parse(execFileSync(program('vivace'), ['plans', 'create', profile.id, '--cost', 'farm', '--error', '3%', '--json'], { encoding: 'utf8', env }));
  assert.equal(said.cost_fixed, priced.cost_fixed);

  // The expected duration of the simulated plan equals its actual duration, except on the machine that swapped.
  const costs = (...args) => spawnSync(program('vivace'), ['costs', ...args], { encoding: 'utf8', env });
  const [v100] = JSON.parse(costs(plan.id, '--price', '2.4', '--json').stdout).items;
  const took = samples.reduce((n, s) => n + 3 + 0.002 * s.value, 0);
  assert.ok(v100.design === 'v100' && Math.abs(v100.expected_s / took - 1) < 1e-3, `${v100.expected_s} s, it took ${took}`);
  assert.ok(Math.abs(v100.money - v100.expected_s / 3600 * 2.4) < 1e-9);
  const wrong = costs(plan.id, '--price', '-3');
  assert.deepEqual([wrong.status, wrong.stdout], [64, ''], wrong.stderr);
  assert.match(wrong.stderr, /--price, the price of an hour of simulation, must be above 0/);
  assert.doesNotMatch(costs(plan.id).stderr, /order of magnitude/, 'a model that fits needs no warning');

  // Simulations that take anything from a second to a quarter of an hour, whatever the launch.
  const rough = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['h100'] });
  for (let done = 0; done < samples.length;) {
    const leases = await worker.claim(4);
    await worker.complete(leases.map((l, i) => {
      const outcome = good(l), seconds = 10 ** ((done + i) % 4);
      return { ...outcome, host_seconds: seconds, result: { ...outcome.result, host_seconds: seconds } };
    }));
    done += leases.length;
  }
  await farm.finished(rough.id);
  assert.match(costs(plan.id).stderr, /^vivace: h100: the error of a typical launch is .* %, so its time and money show only the order of magnitude$/m);
  assert.match(costs('01234567-89ab-7cde-8f01-23456789abcd').stderr, /no plan/);

  // A profile of instructions has values of another unit, so it has no cost model yet.
  const counts = Array.from({ length: 40 }, (_, i) => `k,"1,1,1","32,1,1",${100 + i % 7}`).join('\n');
  const other = await farm.profile(Buffer.from(`kernel,grid,block,instructions\n${counts}\n`), { name: 'counts.csv', workload: 'counts' });
  await assert.rejects(newPlan(other, { cost: 'farm' }), (e) => e.status === 409 && /has 0 simulations/.test(e.message));
});
