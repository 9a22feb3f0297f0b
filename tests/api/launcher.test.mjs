// The launcher: workers start when jobs wait, exit when they are idle, and are replaced when they die; GET /farm reports
// problems. Here workers are local processes; Slurm has its own test.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFarm, until } from './harness.mjs';
import { programs, replayRun } from './work.mjs';

/** The process that uses this state folder, or undefined. */
const workerOf = (state) => readdirSync('/proc').filter((n) => /^\d+$/.test(n)).map(Number).find((pid) => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words[0].endsWith('/vivace-worker') && words.includes(state);
  } catch {
    return false; // the process has ended meanwhile
  }
});
const launcher = async (farm) => (await farm.api('GET', '/farm')).launcher;

test('workers start when jobs exist, are replaced when killed, and exit when idle', { timeout: 300000 }, async () => {
  const bin = programs();
  const farm = await startFarm({ args: ['--launcher', 'local', '--test-launcher-each', '1s', '--test-launcher-idle', '2s', '--test-heartbeat', '1s', '--launcher-slots', '2',
    '--launcher-worker', join(bin, 'vivace-worker')] });
  try {
    assert.deepEqual((await until('a message of the launcher', () => launcher(farm))).wanted, 0);
    const first = await replayRun(farm);
    assert.equal((await farm.finished(first.id)).state, 'done');
    const workers = await farm.api('GET', '/workers');
    assert.ok(workers.items.length > 0);
    await until('the idle worker to leave', async () => (await launcher(farm)).running === 0);

    // A killed worker is replaced when jobs wait again; no problem is reported.
    const second = await replayRun(farm, 2), found = () => workerOf(join(farm.state, 'workers/0'));
    let newest = second, seed = 100;
    const pid = await until('a worker to kill', async () => {
      if (!found() && (await farm.api('GET', `/runs/${newest.id}`)).state === 'done') newest = await replayRun(farm, seed++); // the worker started and exited between two checks
      return found();
    });
    process.kill(pid, 'SIGKILL');
    assert.equal((await farm.finished(second.id)).state, 'done');
    const third = await replayRun(farm, 3);
    assert.equal((await farm.finished(third.id)).state, 'done');
    await until('no problem to be left', async () => (await launcher(farm)).problem === null);
    assert.equal((await launcher(farm)).kind, 'local');
  } finally {
    await farm.stop();
    rmSync(bin, { recursive: true, force: true });
  }
});

test('the farm page names a worker that cannot work, and its restarts end', { timeout: 300000 }, async () => {
  const bin = programs();
  const broken = join(bin, 'broken-worker');
  writeFileSync(broken, '#!/bin/sh\necho no >&2\nexit 77\n', { mode: 0o755 });
  const farm = await startFarm({ args: ['--launcher', 'local', '--test-launcher-each', '1s', '--launcher-worker', broken] });
  try {
    const run = await replayRun(farm);
    const said = await until('a problem', async () => (await launcher(farm))?.problem);
    assert.match(said, /^a worker ended with code 77; see .*\/workers\/0\.log$/);
    assert.equal((await farm.api('GET', `/runs/${run.id}`)).counts.done, 0);
    // After the repair, the launcher starts workers again.
    copyFileSync(join(bin, 'vivace-worker'), `${broken}.new`);
    renameSync(`${broken}.new`, broken); // a file that is being written cannot be started
    assert.equal((await farm.finished(run.id)).state, 'done');
    await until('the problem to be cleared', async () => (await launcher(farm)).problem === null);
  } finally {
    await farm.stop();
    rmSync(bin, { recursive: true, force: true });
  }
});
