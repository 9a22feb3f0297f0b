// A profile's trace file is read and cut by another process in a sandbox: a damaged or hostile file, or the end of that process, costs
// an answer in a sentence, and never the server or a stored file.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { program, root, startFarm, until } from './harness.mjs';
import { numbers } from './seeded.mjs';

let farm, folder, counts, traces, launches;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-pack-'));
  const at = (name) => join(folder, name);
  execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/bfs/launches.json'), '--profile', at('bfs.csv'), '--trace', at('bfs.vtrace')]);
  [counts, traces] = ['bfs.csv', 'bfs.vtrace'].map((name) => readFileSync(at(name)));
  launches = counts.toString().trim().split('\n').length - 1;
  farm = await startFarm({ workers: 1 });
}, { timeout: 300000 });
after(async () => { await farm?.stop(); if (folder) rmSync(folder, { recursive: true, force: true }); });

const send = (bytes, profile, to = farm) => to.request('POST', `/profiles/${profile}/traces?name=some.vtrace`, bytes, { 'Content-Type': 'application/octet-stream' });
const profileOf = async (workload) => (await farm.profile(counts, { name: `${workload}.csv`, workload })).id;
const stored = async (profile) => (await farm.api('GET', `/profiles/${profile}`)).traces;
async function runOf(profile, to = farm, share = 1) {
  const plan = await to.api('POST', `/profiles/${profile}/plans`, { method: 'srs', share, seed: 1 });
  return to.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'], cache_check: 0 });
}
const events = async (run, pattern) => (await farm.api('GET', `/runs/${run.id}/events`)).items.filter((e) => pattern.test(e.text));
const staged = () => readdirSync(join(farm.state, 'staging')).filter((name) => name.startsWith('stage-'));

/** The process that does `what` with a trace file now. */
function reader(what) {
  for (const task of readdirSync(`/proc/${farm.server.pid}/task`))
    try {
      for (const pid of readFileSync(`/proc/${farm.server.pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (words[1] === 'pack-child' && words[2] === what) return Number(pid);
      }
    } catch { /* the thread or the process has ended */ }
  return 0;
}
/** Sends the signal to the process that `ask` leads to. It lives for some milliseconds, so this may take several attempts. */
async function strike(what, signal, ask) {
  for (let attempt = 0; attempt < 100; attempt++) {
    let over = false, struck = false;
    const asked = ask(attempt).finally(() => { over = true; });
    while (!over && !struck) {
      const pid = reader(what);
      try { struck = pid > 0 && process.kill(pid, signal); } catch { /* it has ended */ }
      await turn();
    }
    const answer = await asked;
    if (struck) return answer;
  }
  throw new Error(`no process was seen that would ${what}`);
}

test('a process that dies, is killed or takes too long while it reads a file: a sentence, and nothing is stored', { timeout: 300000 }, async () => {
  for (const [signal, status, pattern] of [
    ['SIGSEGV', 422, /ended by signal 11/], ['SIGXCPU', 422, /took longer than the time allowed/], ['SIGSYS', 422, /its sandbox forbids/], ['SIGKILL', 503, /was killed/],
  ]) {
    let answer, profile;
    for (let i = 0; i < 20 && answer?.status !== status; i++) // the signal may come when the work is done
      answer = await strike('table', signal, async (attempt) => { profile = await profileOf(`${signal} ${i} ${attempt}`); return send(traces, profile); });
    const { detail } = await answer.json();
    assert.equal(answer.status, status, `${signal}: ${detail}`);
    assert.match(detail, pattern);
    assert.equal(await stored(profile), null);
  }
  assert.equal((await farm.request('GET', '//readyz')).status, 200);
});

test('a process that is killed while it cuts: the run goes on later, and gets all its traces', { timeout: 300000 }, async () => {
  const profile = await profileOf('cut and killed');
  assert.equal((await send(traces, profile)).status, 200);
  const run = await strike('cut', 'SIGKILL', async () => {
    const made = await runOf(profile);
    await until('its traces', async () => (await farm.api('GET', `/plans/${made.plan}/traces`)).bound > 0, 60000, 1);
    return made;
  });
  assert.equal((await farm.finished(run.id)).state, 'done');
  assert.equal((await farm.api('GET', `/plans/${run.plan}/traces`)).bound, launches);
  assert.deepEqual(await events(run, /cannot serve all jobs/), []);
});

test('damaged files are refused in a sentence, or give up what cannot be read', { timeout: 600000 }, async () => {
  const next = numbers(19), seen = { refused: 0, taken: 0 }, runs = [];
  for (let i = 0; i < 24; i++) {
    let bytes = Buffer.from(traces);
    const from = i % 3 === 1 ? bytes.length - 4096 : 0, width = i % 3 === 2 ? bytes.length : Math.min(4096, bytes.length);
    if (i % 4 === 0) bytes = bytes.subarray(0, 1 + Math.floor(next() * (bytes.length - 1)));
    else for (let n = 0; n <= i; n++) bytes[Math.max(0, from) + Math.floor(next() * width)] = Math.floor(256 * next());
    const profile = await profileOf(`damaged ${i}`), answer = await send(bytes, profile), { detail } = await answer.json();
    if (answer.status === 200) {
      seen.taken++;
      runs.push(await runOf(profile));
    } else {
      assert.equal(answer.status, 422, detail);
      assert.ok(detail.length > 20 && !/signal|ended with code|sandbox/.test(detail), detail);
      assert.equal(await stored(profile), null);
      seen.refused++;
    }
  }
  assert.ok(seen.refused >= 12, JSON.stringify(seen));
  for (const run of runs)
    await until('an end or a warning', async () => (await farm.api('GET', `/runs/${run.id}`)).state !== 'running' || (await events(run, /cannot serve all jobs/)).length > 0, 120000);
  for (const run of runs) await farm.request('POST', `/runs/${run.id}/cancel`);
  assert.equal(farm.server.exitCode, null);
});

test('two servers cut out of one file: each trace is bound once, and no staged file is left', { timeout: 300000 }, async () => {
  const second = await startFarm({ args: ['--database', farm.databaseUrl(), '--blob-store', farm.state, '--blob-store-shared'], token: farm.token, database: farm.databaseUrl() });
  try {
    const profile = await profileOf('two servers');
    assert.equal((await send(traces, profile, second)).status, 200);
    const made = await Promise.all([runOf(profile, farm, 1), runOf(profile, second, 1), runOf(profile, farm, 0.5), runOf(profile, second, 0.5)]);
    for (const run of made) assert.equal((await farm.finished(run.id)).state, 'done');
    for (const run of made.slice(0, 2)) assert.equal((await farm.api('GET', `/plans/${run.plan}/traces`)).bound, launches);
    await until('the staging folder to be empty', () => staged().length === 0);
  } finally {
    await second.stop();
  }
});

test('folders that a crash has left are removed at the next start', async () => {
  const profile = await profileOf('left behind');
  await farm.kill('SIGKILL');
  execFileSync('sh', ['-c', 'mkdir "$1/staging/stage-left" && echo x >"$1/staging/stage-left/0" && chown -R --reference="$1/staging" "$1/staging/stage-left"', 'sh', farm.state]);
  await farm.start();
  assert.deepEqual(staged(), []);
  assert.equal(await stored(profile), null);
});
