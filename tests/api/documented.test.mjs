// Answers about runs fit the description of the API, with and without results: no described member is missing, and no member is
// undescribed.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { Schemas } from '../attack/schema.mjs';
import { startFarm } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, plan, document;

before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  const profile = await farm.profile(report(41), { name: 'report.csv', workload: 'documented' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  document = await farm.api('GET', '/openapi.json');
});
after(() => farm?.stop());

/** All members of a schema, including those of its parts. */
function membersOf(schema) {
  const { allOf = [], properties = {} } = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return [...allOf.flatMap(membersOf), ...Object.keys(properties)];
}
const properties = (name) => membersOf({ $ref: `#/components/schemas/${name}` });
/** Members of the answer that are not described. */
const untold = (name, value) => Object.keys(value).filter((key) => !properties(name).includes(key));

function check(run, kind = 'Run') {
  assert.deepEqual(new Schemas(document).errors({ $ref: `#/components/schemas/${kind}` }, run), []);
  assert.deepEqual(untold(kind, run), []);
  for (const design of run.designs) {
    assert.deepEqual(untold('RunDesign', design), []);
    assert.deepEqual(Object.keys(design.projection).sort(), properties('Projection').sort());
  }
}

test('documented answers while nothing is known yet', async () => {
  const { id } = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], priority: 3 }), run = await farm.api('GET', `/runs/${id}`);
  check(run);
  assert.deepEqual([run.priority, run.designs[0].projection.value, run.designs[0].projection.done], [3, null, 0]);
});

test('documented answers with a projection, alone and in a list', async () => {
  const { id } = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  await (await new ScriptedWorker(farm, { slots: 64 }).open()).drain();
  const run = await farm.finished(id);
  check(run);
  assert.ok(run.designs[0].projection.value > 0);
  const { items } = await farm.api('GET', '/runs');
  assert.equal(items.length, 2);
  for (const listed of items) check(listed, 'RunRow');
  assert.equal(items.find((r) => r.id === id).done, run.jobs);
});
