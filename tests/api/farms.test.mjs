// One worker's state folder and two farms: results of one farm are never sent to the other, and never dropped because the other
// does not know them.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker, good } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

let a, b;
before(async () => { [a, b] = await Promise.all([startFarm({ args: ['--test-dead-after', '15min'] }), startFarm()]); });
after(() => Promise.all([a?.stop(), b?.stop()]));

const idOf = (farm) => farm.psql('SELECT id FROM farm');
/** Starts a worker of a farm on this state folder, and waits for a line in its log. */
async function worker(farm, state, says) {
  const w = farm.startWorker(['--state', state]);
  await until(says, () => readFileSync(w.log, 'utf8').includes(says));
  return w;
}
async function end(w) {
  w.kill('SIGTERM');
  return w.ended;
}

test('a farm has an identity, which stays the same after a restart', async () => {
  const session = () => new ScriptedWorker(a).api('POST', '/worker/sessions', new ScriptedWorker(a).about);
  const { farm } = await session();
  assert.equal(farm, idOf(a));
  assert.notEqual(farm, idOf(b));
  await a.kill();
  await a.start();
  assert.equal((await session()).farm, farm);
});

test('a worker keeps results of another farm until it serves that farm again; results unknown to a farm are kept', { timeout: 600000 }, async () => {
  const run = await replayRun(a, 1, { designs: [] }), state = join(a.folder, 'shared-state'), folder = join(state, 'spool', idOf(a));
  const w = await new ScriptedWorker(a, { engines: ['replay'] }).openAlive();
  const [lease] = await until('a lease', async () => { const l = await w.claimPack(1, 1, 5); return l.length ? l : null; });
  // a spool as left by a worker whose server was unreachable; and an outcome from before farms had ids
  const name = `${lease.job}.${lease.attempt}`;
  const unknown = { ...good(lease), job: '01a217ca-cdc5-7904-b91d-ada81eb1f834' };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(good(lease)));
  writeFileSync(join(state, 'spool', `${unknown.job}.1.json`), JSON.stringify(unknown));

  const other = await worker(b, state, 'is kept in the spool folder as *.refused');
  assert.match(readFileSync(other.log, 'utf8'), /the spool folder has results of another farm[^\n]*results=1/);
  assert.ok(existsSync(join(folder, `${name}.json`)), 'not sent to the other farm, and not dropped');
  await until('what the other farm does not know to be kept', () => existsSync(join(state, 'spool', `${unknown.job}.1.refused`))); // it is renamed after the log line
  await end(other);
  assert.ok(existsSync(join(folder, `${name}.json`)));

  const own = await worker(a, state, 'the spool folder has results that a server refused');
  await until('the result to be delivered', async () => (await a.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items.some((j) => j.id === lease.job && j.state === 'done'));
  await until('its file to go', () => !readdirSync(folder).includes(`${name}.json`));
  await end(own);
});
