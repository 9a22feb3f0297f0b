// The database refuses a change of state that the state machine of jobs or runs does not have.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { startFarm } from './harness.mjs';
import { ScriptedWorker, tracedPlan } from './scripted_worker.mjs';

const STATES = ['blocked', 'ready', 'leased', 'done', 'failed', 'cancelled'];
let farm, run;
before(async () => {
  farm = await startFarm();
  const plan = await tracedPlan(farm);
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], engine: 'cycle' });
});
after(() => farm?.stop());

test('database and server have the same state machine of jobs', () => {
  const source = readFileSync(new URL('../../server/store/repo/job_state.c', import.meta.url), 'utf8');
  const lines = [...source.matchAll(/\[JOB_(\w+)\] = (TO\(.*\)),/g)];
  const ofServer = Object.fromEntries(STATES.map((s) => [s, '']));
  for (const [, from, to] of lines)
    ofServer[from.toLowerCase()] = [...to.matchAll(/TO\((\w+)\)/g)].map((m) => m[1].toLowerCase()).sort().join();
  assert.ok(lines.length >= 5, 'the table of server/store/repo/job_state.c was found');
  const ofDatabase = Object.fromEntries(STATES.map((from) => [from, STATES.filter((to) =>
    farm.psql(`SELECT job_may_become('${from}', '${to}')`) === 't').sort().join()]));
  assert.deepEqual(ofDatabase, ofServer);
});

test('a done job is not leased again, and a cancelled run does not continue', async () => {
  const worker = await new ScriptedWorker(farm, { name: 'w' }).openAlive();
  await worker.drain(() => 1000);
  assert.equal((await farm.finished(run.id)).state, 'done');
  assert.throws(() => farm.psql(`UPDATE job SET state = 'ready', result_id = NULL, ready_at = now() WHERE run_id = '${run.id}'`),
    /job [0-9a-f-]{36} cannot become ready from done/);
  assert.throws(() => farm.psql(`UPDATE run SET state = 'paused', finished_at = NULL WHERE id = '${run.id}'`),
    /run [0-9a-f-]{36} cannot become paused from done/);
});
