// The farm makes a pilot on its own: one launch of each shape is simulated, then the plan is made of its cycles. A pilot
// survives restarts, has one result with two servers, and reports why it failed.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, root, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

const LIST = join(root, 'examples/bfs/launches.json');
const WANTED = { error: 0.04, seed: 7 };
let farm, folder, counts, trace, profile;
const refused = (status, part) => (e) => e.status === status && JSON.stringify(e.body ?? e.message).includes(part);
const begin = (body = { design: 'v100', plan: WANTED }, of = profile) => farm.api('POST', `/profiles/${of.id}/pilots`, body);
const get = (pilot) => farm.api('GET', `/pilots/${pilot.id}`);
const reaches = (pilot, ...states) => until(`pilot ${pilot.id} to be ${states}`, async () => {
  const now = await get(pilot);
  return states.includes(now.state) && now;
}, 60000);
const vivace = (on, ...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: on.url, VIVACE_TOKEN: on.token } });
const plansOf = async (on) => (await on.api('GET', '/plans?limit=1000')).items;

/** A farm with the profile of counts and its traces. */
async function withTraces(options) {
  const on = await startFarm(options);
  const made = await on.profile(readFileSync(counts), { name: 'counts.csv', workload: 'bfs' });
  assert.equal(vivace(on, 'push', trace, '--profile', made.id).status, 0);
  return [on, made];
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-pilots-'));
  counts = join(folder, 'counts.csv');
  trace = join(folder, 'bfs.vtrace');
  execFileSync(program('vivace'), ['ptx', 'run', LIST, '--profile', counts, '--trace', trace], { stdio: 'ignore' });
  [farm, profile] = await withTraces({});
});
after(async () => {
  await farm?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('an invalid request is refused at once, in one sentence', async () => {
  await assert.rejects(begin({}), refused(422, '`design` is missing'));
  await assert.rejects(begin({ design: 'none' }), refused(404, 'there is no GPU design `none`'));
  await assert.rejects(begin({ design: 'v100', plan: 7 }), refused(422, '`plan`'));
  await assert.rejects(begin({ design: 'v100', plan: { error: 3 } }), refused(422, '`error` must lie between 0 and 1'));
  await assert.rejects(begin({ design: 'v100', plan: { method: 'pilot' } }), refused(422, 'method pilot cannot plan on estimated cycles'));
  await assert.rejects(begin({ design: 'v100', plan: { estimator: 'ratio' } }), refused(422, 'a pilot estimates cycles'));
  await assert.rejects(begin({ design: 'v100', plan: { cost: 'farm' } }), refused(422, 'leave `cost` out: it needs simulations'));
  const times = await farm.profile(report(1), { name: 'report.csv', workload: 'times' });
  await assert.rejects(begin({ design: 'v100' }, times), refused(422, 'a pilot turns instruction counts into cycles'));
  const bare = await farm.profile(readFileSync(counts), { name: 'bare.csv', workload: 'bare' });
  await assert.rejects(begin({ design: 'v100' }, bare), (e) => refused(409, 'no launch of the profile has a trace')(e) && e.body.hint.includes(`vivace push TRACES --profile ${bare.id}`));
  assert.deepEqual((await farm.api('GET', `/profiles/${profile.id}/pilots`)).items, []);
  assert.deepEqual(await plansOf(farm), [], 'nothing was left behind');
});

test('a pilot waits for workers, is cancelled with its run, and restarts', async () => {
  const pilot = await begin();
  assert.deepEqual([pilot.design, pilot.wanted, pilot.tries, pilot.plan, pilot.launches], ['v100', WANTED, 1, null, profile.kernel_shapes]);
  const going = await reaches(pilot, 'simulating');
  assert.equal((await farm.api('GET', `/runs/${going.run}`)).jobs, profile.kernel_shapes);
  await assert.rejects(farm.api('POST', `/pilots/${pilot.id}/retry`), refused(409, 'only a pilot that failed or was cancelled'));

  const ended = await farm.api('POST', `/pilots/${pilot.id}/cancel`);
  assert.equal(ended.state, 'cancelled');
  assert.match(ended.problem, /cancelled it$/);
  assert.equal((await farm.api('GET', `/runs/${going.run}`)).state, 'cancelled');
  assert.equal((await farm.api('POST', `/pilots/${pilot.id}/cancel`)).state, 'cancelled', 'twice is once');

  await farm.api('POST', `/pilots/${pilot.id}/retry`);
  const again = await reaches(pilot, 'simulating');
  assert.deepEqual([again.tries, again.problem, again.pilot_plan], [2, null, going.pilot_plan]);
  assert.notEqual(again.run, going.run);
  await farm.api('POST', `/runs/${again.run}/cancel`); // by hand
  assert.equal((await reaches(pilot, 'cancelled')).problem, 'its run was cancelled');
  const { items } = await farm.api('GET', '/audit');
  assert.deepEqual(items.filter((a) => a.object === pilot.id).map((a) => a.action), ['pilot.cancel']);

  // Restores the state of a server that stopped between the two steps.
  await farm.api('POST', `/pilots/${pilot.id}/retry`);
  const third = await reaches(pilot, 'simulating');
  farm.psql(`UPDATE pilot SET state = 'cancelled', problem = 'somebody cancelled it', finished_at = now() WHERE id = '${pilot.id}'`);
  await until('its run to be cancelled', async () => (await farm.api('GET', `/runs/${third.run}`)).state === 'cancelled');
  await assert.rejects(farm.api('GET', `/pilots/${profile.id}`), refused(404, 'there is no pilot'));
});

test('launches that cannot be simulated end the pilot with the reason; a retry continues it', async () => {
  const pilot = await begin({ design: 'a100', plan: WANTED });
  await reaches(pilot, 'simulating');
  const worker = await new ScriptedWorker(farm).openAlive();
  for (let failed = 0; failed < profile.kernel_shapes;) {
    const leases = await worker.claim(4, 5);
    await worker.fail(leases, 'unsupported', 'no such instruction\nwas ever seen');
    failed += leases.length;
  }
  const failed = await reaches(pilot, 'failed');
  assert.equal(failed.problem, 'none of its launches could be simulated; the first: no such instruction');
  assert.ok(failed.hint && failed.finished_at && failed.not_simulated === profile.kernel_shapes, JSON.stringify(failed));
  assert.equal(failed.plan, null);
  await farm.api('POST', `/pilots/${pilot.id}/retry`);
  assert.equal((await reaches(pilot, 'simulating')).tries, 2);
  for (let done = 0; done < profile.kernel_shapes;) {
    const leases = await worker.claim(4, 5);
    await worker.finish(leases, () => 5000);
    done += leases.length;
  }
  worker.fallSilent();
  const done = await reaches(pilot, 'done', 'failed');
  assert.equal(done.state, 'done', done.problem);
  assert.equal((await farm.api('GET', `/plans/${done.plan}`)).profile, done.cycles);
});

test('killed at any moment, the pilot ends with the same plan, ready to run', { timeout: 300000 }, async () => {
  const key = { 'Idempotency-Key': 'a-pilot-once' }, post = () => farm.api('POST', `/profiles/${profile.id}/pilots`, { design: 'v100', plan: WANTED }, key);
  const pilot = await post();
  await farm.kill('SIGKILL');
  await farm.start();
  assert.equal((await post()).id, pilot.id);
  const going = await reaches(pilot, 'simulating');
  await farm.kill('SIGKILL');
  await farm.start();
  farm.startWorker();
  await farm.finished(going.run);
  await farm.kill();
  await farm.start();
  const done = await reaches(pilot, 'done', 'failed');
  assert.equal(done.state, 'done', done.problem);
  assert.deepEqual([done.run, done.simulated, done.not_simulated, done.problem], [going.run, profile.kernel_shapes, 0, null]);
  assert.match(done.note, new RegExp(`^estimated from \\d+ launches simulated on v100, which have ${profile.kernel_shapes} of ${profile.kernel_shapes} shapes; 0 %`));

  const cycles = await farm.api('GET', `/profiles/${done.cycles}`);
  assert.deepEqual([cycles.unit, cycles.format, cycles.gpu_name, cycles.workload, cycles.launches], ['cycles', 'vivace-cycles', 'v100', profile.workload, profile.launches]);
  const path = join(folder, 'cycles.json');
  writeFileSync(path, JSON.stringify(await farm.api('GET', `/profiles/${profile.id}/cycles?design=v100`)));
  const own = JSON.parse(execFileSync(program('vivace'), ['plan', path, '--error', '4%', '--seed', '7', '--json'], { encoding: 'utf8' }));
  const file = await farm.api('GET', `/plans/${done.plan}/file`);
  assert.deepEqual(file.samples, own.samples, 'the launches that `vivace plan` draws of the same cycles');
  assert.deepEqual([file.total_cycles, file.promised_error, file.seed], [own.total_cycles, own.promised_error, 7]);

  const plan = await farm.api('GET', `/plans/${done.plan}`);
  assert.deepEqual([plan.profile, plan.unit, plan.traces.missing - plan.traces.in_file], [done.cycles, 'cycles', 0]);
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  assert.equal((await farm.finished(run.id)).state, 'done');

  // Repeats the pilot: no launch is simulated twice, and equal cycles give one profile.
  const second = await reaches(await begin({ design: 'v100', plan: { error: 0.1 } }), 'done', 'failed');
  assert.deepEqual([second.state, second.cycles], ['done', done.cycles]);
  assert.deepEqual((await farm.api('GET', `/profiles/${profile.id}/pilots`)).items.slice(0, 2).map((p) => p.id), [second.id, pilot.id]);
  await assert.rejects(farm.api('POST', `/pilots/${pilot.id}/cancel`), refused(409, 'the pilot is done'));
});

test('unreadable traces end the pilot instead of waiting for ever', async () => {
  const [other, mine] = await withTraces({});
  try {
    const { traces } = await other.api('GET', `/profiles/${mine.id}`);
    const path = execFileSync('find', [other.state, '-name', `${traces}*`, '-type', 'f'], { encoding: 'utf8' }).trim();
    chmodSync(path, 0o644);
    writeFileSync(path, 'no trace');
    const pilot = await other.api('POST', `/profiles/${mine.id}/pilots`, { design: 'v100' });
    const failed = await until('the pilot to fail', async () => {
      const now = await other.api('GET', `/pilots/${pilot.id}`);
      return now.finished_at && now;
    }, 60000);
    assert.deepEqual([failed.state, failed.problem], ['failed', `the traces of ${mine.kernel_shapes} of its launches cannot be read`]);
    assert.equal((await other.api('GET', `/runs/${failed.run}`)).state, 'cancelled');
  } finally {
    await other.stop();
  }
});

test('with two servers there is one run, one profile of cycles and one plan', { timeout: 300000 }, async () => {
  const [first, mine] = await withTraces({});
  let second;
  try {
    const database = first.databaseUrl();
    second = await startFarm({ args: ['--database', database, '--blob-store', first.state, '--blob-store-shared'], token: first.token, port: 0 });
    const pilot = await second.api('POST', `/profiles/${mine.id}/pilots`, { design: 'v100', plan: WANTED });
    first.startWorker();
    const done = await until('the pilot to be over', async () => {
      const now = await first.api('GET', `/pilots/${pilot.id}`);
      return ['done', 'failed'].includes(now.state) && now;
    }, 120000);
    assert.equal(done.state, 'done', done.problem);
    assert.equal((await first.api('GET', '/runs')).items.length, 1);
    assert.deepEqual((await plansOf(first)).map((p) => p.id).sort(), [done.plan, done.pilot_plan].sort());
    assert.equal((await first.api('GET', `/workloads/${mine.workload}`)).profiles.length, 2);
  } finally {
    await second?.stop();
    await first.stop();
  }
});

test('the command line starts a pilot, follows it to its plan, shows, cancels and retries it', { timeout: 300000 }, async () => {
  const id = (text) => /^pilot +(\S+)/m.exec(text)?.[1];
  const wrong = vivace(farm, 'plans', 'create', profile.id, '--pilot', 'none');
  assert.deepEqual([wrong.status > 0, /there is no GPU design `none`/.test(wrong.stderr)], [true, true], wrong.stderr);
  const made = vivace(farm, 'plans', 'create', profile.id, '--pilot', 'v100', '--error', '4%', '--wait', '--json');
  assert.equal(made.status, 0, made.stderr);
  const plan = JSON.parse(made.stdout);
  assert.deepEqual([plan.unit, plan.error, plan.workload], ['cycles', 0.04, profile.workload]);
  const begun = vivace(farm, 'plans', 'create', profile.id, '--pilot', 'v100', '--error', '4%');
  assert.equal(begun.status, 0, begun.stderr);
  await reaches({ id: id(begun.stdout) }, 'done');
  const shown = vivace(farm, 'plans', 'pilot', id(begun.stdout)).stdout;
  for (const line of [/^state +done$/m, /^cycles +profile \S+$/m, /^note +estimated from/m, /^next +vivace plan show \S+$/m]) assert.match(shown, line);
  const list = vivace(farm, 'plans', 'pilots', profile.id, '--csv').stdout.split('\r\n');
  assert.match(list[0], /^id,design,state/);
  assert.ok(list.some((row) => row.startsWith(id(begun.stdout))), list.join('\n'));
  const over = vivace(farm, 'plans', 'cancel', id(begun.stdout));
  assert.deepEqual([over.status, /the pilot is done, so it cannot be cancelled/.test(over.stderr)], [75, true], over.stderr);
  const failed = (await farm.api('GET', `/profiles/${profile.id}/pilots`)).items.find((p) => p.state === 'cancelled');
  const again = vivace(farm, 'plans', 'pilot', failed.id, '--wait');
  assert.ok(again.status > 0 && again.stderr.includes(`the pilot was cancelled: ${failed.problem}`) && again.stderr.includes(`vivace plan retry ${failed.id}`), again.stderr);
  assert.equal(vivace(farm, 'plans', 'retry', failed.id).status, 0);
  assert.equal((await reaches(failed, 'done')).tries, failed.tries + 1);
});
