// A run that waits for traces reports this everywhere: when it is followed, when it is shown, in its events, and in `vivace
// farm doctor`.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report, sha256, trace } from './scripted_worker.mjs';

let farm, plan, run, worker;
const env = () => ({ ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token });
const cli = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: env(), stdio: ['ignore', 'pipe', 'ignore'] });
const traces = () => JSON.parse(cli('farm', 'doctor', '--json')).filter((f) => f.check === 'traces');

before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // the scripted worker sends no heartbeats
  const profile = await farm.profile(report(41), { name: 'report.csv', workload: 'waits' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  worker = await new ScriptedWorker(farm, { slots: 64 }).open();
});
after(() => farm?.stop());

async function bind(list) {
  const samples = new Map((await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items.map((s) => [s.launch, s]));
  const bound = [];
  for (const { launch } of list) {
    const s = samples.get(launch), bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: launch });
    await farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes, { 'Content-Type': 'application/octet-stream' });
    bound.push({ sha256: sha256(bytes), context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block });
  }
  await farm.api('POST', `/plans/${plan.id}/traces`, { traces: bound });
}

test('jobs and traces are counted separately, and each view names the plan to push to', async () => {
  assert.deepEqual(traces().map((f) => [f.state, f.hint]), [['ok', null]], 'nothing waits yet');
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'] });
  const n = plan.samples_count, says = `${2 * n} jobs wait for ${n} traces`, now = `vivace push TRACES --plan ${plan.id}`;
  for (const words of [['run', 'show', run.id], ['run', 'events', run.id]]) {
    const text = cli(...words);
    assert.ok(text.includes(says) && text.includes(now), `${words}: ${text}`);
  }
  assert.ok(!cli('run', 'events', run.id, '--csv').includes(says), 'a list for programs has its columns only');
  const [found, ...more] = traces();
  assert.deepEqual([found.state, found.detail, more.length], ['note', `run ${run.id}: ${says}`, 0]);
  assert.ok(found.hint.includes(now), found.hint);
});

test('without a terminal, the watcher of a run prints the message once, and ends when the traces arrive', async () => {
  const watch = spawn(program('vivace'), ['watch', run.id], { env: env() });
  const ended = new Promise((resolve) => { watch.on('exit', resolve); });
  let said = '';
  watch.stderr.on('data', (d) => { said += d; });
  watch.stdout.resume();
  await until('the message of watch about missing traces', async () => (said.includes('traces') ? true : null));
  const { missing } = await farm.api('GET', `/plans/${plan.id}/traces`);
  await bind(missing.slice(0, 1));
  await worker.drain(() => 1000);
  const n = plan.samples_count - 1;
  assert.ok(cli('run', 'show', run.id).includes(`${2 * n} jobs wait for ${n} ${n === 1 ? 'trace' : 'traces'}`));
  await bind(missing.slice(1));
  await until('the run to end', async () => {
    await worker.drain(() => 1000);
    return (await farm.api('GET', `/runs/${run.id}`)).state === 'done' ? true : null;
  });
  assert.equal(await ended, 0);
  assert.equal(said.match(/jobs wait for/g).length, 1, said);
  assert.doesNotMatch(cli('run', 'show', run.id), /wait for/);
  assert.deepEqual(traces().map((f) => f.state), ['ok']);
});
