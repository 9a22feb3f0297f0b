// Plans of a part of a workload: their launches, also of plans that grow, are in it, and the projection names the part.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, startFarm } from './harness.mjs';
import { LAUNCHES_OF_BLOCK, LAUNCHES_OF_STEP, moduleProfile } from './module_profile.mjs';

let farm, folder, profile;
const env = () => ({ ...process.env, XDG_CONFIG_HOME: folder, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token });
const vivace = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: env() });
const plan = (body) => farm.api('POST', `/profiles/${profile.id}/plans`, body);
const run = async (p, more = {}) => farm.finished((await farm.api('POST', `/plans/${p.id}/runs`, { engine: 'replay', designs: ['v100'], ...more })).id);
const refused = (promise, status, pattern) => assert.rejects(promise, (e) => e.status === status && pattern.test(e.message), String(pattern));

/** Whether a launch is of block 1 and of step 2 to 5. */
const inside = ({ launch }) => Math.floor((launch % LAUNCHES_OF_STEP) / LAUNCHES_OF_BLOCK) === 1 && launch >= 2 * LAUNCHES_OF_STEP && launch < 6 * LAUNCHES_OF_STEP;
const samplesOf = async (id) => (await farm.api('GET', `/plans/${id}/samples?limit=1000`)).items;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-plan-part-'));
  farm = await startFarm({ workers: 1 });
  profile = await farm.profile(moduleProfile(), { name: 'modules.json', workload: 'decoder' });
});
after(async () => {
  await farm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a plan of some layers and steps draws only from them, also when the run is extended', { timeout: 120000 }, async () => {
  const whole = await plan({ method: 'vivace', error: 0.02 }), part = await plan({ method: 'vivace', error: 0.005, only: 'GPT_0.Block_1', steps: '2..5', by: 'step' });
  assert.equal(whole.part, null);
  assert.deepEqual([part.part.by, part.part.only, part.part.steps, part.part.words], ['step', 'GPT_0.Block_1', '2..5', 'layers GPT_0.Block_1, steps 2 to 5']);
  assert.ok(Math.abs(part.part.share - part.total / whole.total) < 1e-12);
  assert.equal(part.launches - part.zero_launches, 4 * LAUNCHES_OF_BLOCK);
  assert.ok((await samplesOf(part.id)).every(inside));
  const done = await run(part, { until: 0.002 });
  assert.deepEqual(done.part, part.part);
  assert.notEqual(done.plan, part.id, 'it began with fewer samples, or drew more');
  const last = await farm.api('GET', `/plans/${done.plan}`);
  assert.deepEqual(last.part, part.part);
  assert.ok((await samplesOf(done.plan)).every(inside));
  const { designs: [d] } = await farm.api('GET', `/runs/${done.id}/domains?by=layer`);
  assert.deepEqual(d.parts.map((p) => [p.name, p.launches]), [['GPT_0/Block_1', 4 * LAUNCHES_OF_BLOCK]]);
  const [{ projection }] = done.designs;
  assert.ok(Math.abs(projection.value_s - part.total / 1e9) <= 3 * projection.half_width_s + 1e-12, 'the replay finds the total of the part');
  const parts = (await farm.api('GET', `/runs/${done.id}/projection`)).designs[0].parts;
  assert.deepEqual([parts.makespan_s, parts.makespan_why_not], [null, 'the plan is for a part of the workload']);
  const other = await run(whole), compared = await farm.api('GET', `/compare?base=${other.id}:v100&with=${done.id}:v100`);
  assert.ok(compared.items.every((i) => i.is_baseline || i.ratio === null), 'a part is not compared with the whole');
});

test('the command line plans a part and shows what the projection covers', { timeout: 60000 }, async () => {
  const made = JSON.parse(vivace('plan', 'create', profile.id, '--only', 'GPT_0.Block_2', '--steps', '3', '--json'));
  assert.deepEqual([made.part.words, made.part.steps], ['layers GPT_0.Block_2, steps 3 to 3', '3..3']);
  assert.match(vivace('plan', 'show', made.id), /\npart +layers GPT_0\.Block_2, steps 3 to 3, 2\.\d+ % of the profiled total\n/);
  const done = await run(made), shown = vivace('run', 'show', done.id);
  assert.match(shown, /\nA part of the workload: layers GPT_0\.Block_2, steps 3 to 3, 2\.\d+ % of the profiled total:\n/);
  assert.doesNotMatch(shown, /The whole workload/);
});

test('a filter that matches no part is refused in one sentence', async () => {
  await refused(plan({ only: 'nothing.*' }), 422, /no launch of the profile is in this part: layers nothing\.\*/);
  await refused(plan({ steps: '9..3' }), 422, /`steps` must be a step or a range of steps, such as 12 or 10\.\.19, not `9\.\.3`/);
  await refused(plan({ by: 'colour' }), 422, /`colour` is not a kind of part/);
  await refused(plan({ by: 'layer', method: 'srs' }), 422, /strata of the method srs hold several kernels/);
});
