// A launch list is sent to the farm once. Workers execute it up to each drawn launch, and simulate that launch while it runs.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, root, startFarm } from './harness.mjs';
import { sha256 } from './scripted_worker.mjs';

const LIST = join(root, 'examples/bfs/launches.json');
let farm, profile, plan;

const flat = (steps) => steps.flatMap((s) => s.repeat ? Array.from({ length: s.repeat.times }, () => flat(s.repeat.steps)).flat() : s.launch ? [s.launch] : []);
const launches = flat(JSON.parse(readFileSync(LIST)).steps);
const three = (d) => [...d, 1, 1].slice(0, 3);
const vivace = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
const put = (bytes) => farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes, { 'Content-Type': 'application/octet-stream' });

/** The lines of a program launch file for launch `number`. */
const lines = (programHash, number, change = {}) => {
  const l = { ...launches[number], ...change };
  return Buffer.from(`vivace-program-launch 1\nprogram ${programHash} 100\nlaunch ${change.number ?? number}\nkernel ${l.kernel}\n`
    + `grid ${three(l.grid).join(' ')}\nblock ${three(l.block).join(' ')}\ncounts 1 1 1\n`);
};

before(async () => {
  farm = await startFarm({ workers: 1 });
  const ran = JSON.parse(execFileSync(program('vivace'), ['ptx', 'run', LIST, '--json'], { encoding: 'utf8' }));
  const rows = launches.map((l, i) => `${l.kernel},"${three(l.grid)}","${three(l.block)}",${ran.launches[i].warp_instructions}`);
  profile = await farm.profile(Buffer.from(`kernel,grid,block,instructions\n${rows.join('\n')}\n`), { name: 'counts.csv', workload: 'bfs' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.3, seed: 3 });
});
after(async () => { await farm?.stop(); });

test('the farm and the command line simulate a program with the same result', { timeout: 300000 }, async () => {
  const samples = (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items;
  assert.ok(samples.length >= 4 && samples.length < launches.length);
  const pushed = vivace('push', LIST, '--plan', plan.id, '--json');
  assert.equal(pushed.status, 0, pushed.stderr);
  const said = JSON.parse(pushed.stdout);
  assert.deepEqual([said.bound, said.missing, said.blobs_sent], [samples.length, 0, samples.length + 1]);
  assert.equal(JSON.parse(vivace('push', LIST, '--plan', plan.id, '--json').stdout).blobs_sent, 0, 'nothing is sent twice');

  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  assert.equal((await farm.finished(run.id)).state, 'done');
  const here = JSON.parse(execFileSync(program('vivace'), ['ptx', 'run', LIST, '--gpu', 'v100', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
  const order = new Map(samples.map((s) => [s.launch, s.launch_order]));
  const jobs = (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items;
  assert.equal(jobs.length, samples.length);
  for (const job of jobs) {
    const result = await farm.api('GET', `/results/${job.result}`);
    assert.equal(result.cycles, here.launches[order.get(job.launch)].timing.cycles, `launch ${job.launch}`);
  }
});

test('a launch of another profile, or with a missing program, is refused', async () => {
  const other = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.9, seed: 4 });
  const samples = (await farm.api('GET', `/plans/${other.id}/samples?limit=1000`)).items;
  const bound = new Set((await farm.api('GET', `/plans/${other.id}/traces`)).bindings.map((b) => b.launch));
  const { launch_order: order, context } = samples.find((s) => !bound.has(s.launch));
  const offer = async (bytes) => {
    await put(bytes);
    const answer = await farm.api('POST', `/plans/${other.id}/traces`, { traces: [{ sha256: sha256(bytes), context: context.index, order }] });
    assert.equal(answer.bound, 0);
    return answer.refused[0].detail;
  };
  assert.match(await offer(lines('0'.repeat(64), order)), /the farm does not have the program 000000000000… of that launch; send it first/);
  const some = Buffer.from('a file that is not a program');
  await put(some);
  assert.match(await offer(lines(sha256(some), order, { kernel: 'nobody' })), /the trace is of kernel nobody, but in the profile it is /);
  assert.match(await offer(Buffer.from('vivace-program-launch 9\n')), /version 9; this program reads version 1/);
  assert.match(await offer(Buffer.from('vivace-program-launch 1\nprogram x 1\n')), /`program` takes a SHA-256/);

  // The server does not check the content of the program, so it binds it. The simulator reports what is wrong.
  const bad = lines(sha256(some), order);
  await put(bad);
  const answer = await farm.api('POST', `/plans/${other.id}/traces`, { traces: [{ sha256: sha256(bad), context: context.index, order }] });
  assert.equal(answer.bound, 1);
  assert.equal(vivace('push', LIST, '--plan', other.id).status, 0);
  const run = await farm.api('POST', `/plans/${other.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  const ended = await farm.finished(run.id);
  assert.equal(ended.counts.failed, 1);
  const job = (await farm.api('GET', `/runs/${run.id}/jobs?limit=1000`)).items.find((j) => j.state === 'failed');
  const { failure } = await farm.api('GET', `/jobs/${job.id}`);
  assert.equal(failure.class, 'bad_input');
  assert.match(failure.message ?? failure.detail, /tar archive|end mark/, JSON.stringify(failure));
});
