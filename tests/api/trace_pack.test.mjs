// A profile with its own trace file: its plans and runs never wait for users; examples are such profiles.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, root, startFarm, until } from './harness.mjs';

let farm, profile, folder, counts, traces, list;
const path = (name) => join(folder, name);
const cli = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
const send = (bytes, id = profile.id) => farm.request('POST', `/profiles/${id}/traces?name=some.vtrace`, bytes, { 'Content-Type': 'application/octet-stream' });
const planOf = (id, share, seed) => farm.api('POST', `/profiles/${id}/plans`, { method: 'srs', share, seed });

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-pack-'));
  chmodSync(folder, 0o755);
  list = join(root, 'examples/bfs/launches.json');
  execFileSync(program('vivace'), ['ptx', 'run', list, '--profile', path('bfs.csv'), '--trace', path('bfs.vtrace')]);
  [counts, traces] = ['bfs.csv', 'bfs.vtrace'].map((name) => readFileSync(path(name)));
  farm = await startFarm({ workers: 1, args: ['--test-examples', folder] });
  profile = await farm.profile(counts, { name: 'bfs.csv', workload: 'bfs' });
}, { timeout: 300000 });
after(async () => {
  await farm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a file that is not a trace of this profile is refused in a sentence, and nothing changes', async () => {
  const refused = async (bytes, pattern, status = 422) => {
    const answer = await send(bytes);
    const { detail } = await answer.json();
    assert.equal(answer.status, status, detail);
    assert.match(detail, pattern);
  };
  execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/reduction/launches.json'), '--trace', path('other.vtrace')]);
  await refused(readFileSync(path('other.vtrace')), /^some\.vtrace: launch 0 of context 0 is sum, and the profile has degrees there$/);
  const odd = await farm.profile(Buffer.from(counts.toString().replaceAll('degrees', `x${'é'.repeat(200)}`)), { name: 'odd.csv', workload: 'odd' });
  const answer = await send(traces, odd.id), { detail } = await answer.json();
  assert.equal(answer.status, 422, detail);
  assert.match(detail, /launch 0 of context 0 is degrees, and the profile has xé{59} there$/); // no half character
  await refused(traces.subarray(0, traces.length - 100), /some\.vtrace/);
  await refused(Buffer.from('SCTR and then nothing that makes sense'), /some\.vtrace/);
  await refused(Buffer.alloc(0), /some\.vtrace is empty/);
  assert.equal((await send(traces, '00000000-0000-7000-8000-000000000000')).status, 404);
  assert.equal((await farm.api('GET', `/profiles/${profile.id}`)).traces, null);
});

test('a waiting run continues when the traces arrive, and later runs never wait', { timeout: 300000 }, async () => {
  const first = await planOf(profile.id, 0.3, 3);
  const run = await farm.api('POST', `/plans/${first.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  assert.equal((await farm.api('GET', `/runs/${run.id}`)).counts.blocked, run.jobs);

  const said = JSON.parse(cli('push', path('bfs.vtrace'), '--profile', profile.id, '--json').stdout);
  const launches = counts.toString().trim().split('\n').length - 1;
  assert.deepEqual([said.launches, said.of], [launches, launches]);
  assert.equal((await farm.api('GET', `/profiles/${profile.id}`)).traces, said.sha256);
  assert.equal((await farm.finished(run.id)).state, 'done');

  const other = await planOf(profile.id, 0.9, 8);
  const again = await farm.api('POST', `/plans/${other.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  assert.equal((await farm.finished(again.id)).state, 'done');
  const here = JSON.parse(execFileSync(program('vivace'), ['simulate', path('bfs.vtrace'), '--gpu', 'v100', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
  const cycles = new Map(here.kernels.map((k) => [k.launch, k.cycles]));
  for (const job of (await farm.api('GET', `/runs/${again.id}/jobs?limit=1000`)).items) {
    assert.equal((await farm.api('GET', `/results/${job.result}`)).cycles, cycles.get(job.launch), `launch ${job.launch}`);
  }
});

test('a file with some of the launches serves these: numbers show which', { timeout: 300000 }, async () => {
  const mine = await farm.profile(counts, { name: 'again.csv', workload: 'some' });
  const drawn = await planOf(mine.id, 0.4, 5);
  execFileSync(program('vivace'), ['ptx', 'run', list, '--plan', (writeFileSync(path('plan.json'), JSON.stringify(await farm.api('GET', `/plans/${drawn.id}/file`))), path('plan.json')), '--trace', path('some.vtrace')]);
  const answer = await send(readFileSync(path('some.vtrace')), mine.id);
  const { launches, of } = await answer.json();
  assert.ok(answer.status === 200 && launches === drawn.samples_count && launches < of, `${answer.status} ${launches} of ${of}`);
  const run = await farm.api('POST', `/plans/${drawn.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  assert.equal((await farm.finished(run.id)).state, 'done');
  const all = await planOf(mine.id, 1, 1);
  const waits = await farm.api('POST', `/plans/${all.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  await until('those that are there', async () => (await farm.api('GET', `/plans/${all.id}/traces`)).bound >= launches);
  await until('their jobs to be ready', async () => (await farm.api('GET', `/runs/${waits.id}`)).counts.blocked === of - launches);
});

test('the file with more launches stays, a complete file replaces it, and the push reports it', { timeout: 300000 }, async () => {
  const mine = await farm.profile(counts, { name: 'third.csv', workload: 'fuller' }), push = (name) => cli('push', path(name), '--profile', mine.id);
  const partOf = async (name, seed) => {
    const drawn = await planOf(mine.id, 0.3, seed);
    writeFileSync(path('part.json'), JSON.stringify(await farm.api('GET', `/plans/${drawn.id}/file`)));
    execFileSync(program('vivace'), ['ptx', 'run', list, '--plan', path('part.json'), '--trace', path(name)]);
    return drawn.samples_count;
  };
  const has = async () => (await farm.api('GET', `/profiles/${mine.id}`)).traces, all = counts.toString().trim().split('\n').length - 1;
  const few = await partOf('few.vtrace', 21);
  await partOf('others.vtrace', 22);
  assert.match(push('few.vtrace').stdout, new RegExp(`traces of ${few} of ${all} launches; what plans draw is cut`));
  const first = await has(), refused = push('others.vtrace');
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /others\.vtrace: the profile's file of traces has \d+ launches that this one lacks.*\n.*--plan PLAN/);
  assert.equal(await has(), first);
  assert.match(push('bfs.vtrace').stdout, new RegExp(`traces of ${all} of ${all} launches; it takes the place of the file of ${few} `));
  const whole = await has();
  assert.notEqual(whole, first);
  assert.match(push('few.vtrace').stdout, new RegExp(`traces of ${few} of ${all} launches; the profile's file has them already, and stays as it is, with ${all}\\.`));
  farm.psql(`UPDATE profile SET traces_launches = NULL WHERE id = '${mine.id}'`); // as stored by a farm that did not count them
  const uncounted = await planOf(mine.id, 0.5, 23), inFile = async () => (await farm.api('GET', `/plans/${uncounted.id}`)).traces.in_file;
  assert.equal(await inFile(), 0);
  const again = JSON.parse(cli('push', path('others.vtrace'), '--profile', mine.id, '--json').stdout);
  assert.equal(await inFile(), uncounted.samples_count);
  assert.deepEqual([await has(), again.sha256, again.before, again.stays], [whole, whole, all, true]);
});

test('a client that has sent all traces is not asked for them again', { timeout: 300000 }, async () => {
  const mine = await farm.profile(counts, { name: 'fourth.csv', workload: 'all sent' });
  cli('push', path('bfs.vtrace'), '--profile', mine.id);
  const made = cli('plans', 'create', mine.id, '--method', 'srs', '--share', '0.2', '--seed', '77').stdout, id = made.match(/^plan +(\S+)/m)[1];
  assert.match(made, /^traces +in the profile's own file, out of which the farm cuts them$/m);
  assert.match(made, new RegExp(`^next +vivace run create ${id} --gpu A,B$`, 'm'));
  assert.match(made, /^ +0 +several kernels +several +several +22 /m, 'a stratum of two kernels belongs to neither');
  const [header, row] = cli('plans', 'show', id, '--csv').stdout.split('\r\n').map((line) => line.split(','));
  assert.deepEqual(['kernel', 'grid', 'block', 'population'].map((name) => row[header.indexOf(name)]), ['', '', '', '22'], `${header}\n${row}`);
  const { samples_count: n, traces: reported } = await farm.api('GET', `/plans/${id}`);
  assert.deepEqual(reported, { bound: 0, missing: n, in_file: n });
  assert.equal(cli('traces', id).stdout, `0 of ${n} missing; ${n} are in the profile's own file, from which runs get them\n`);
  const followed = cli('run', id, '--gpu', 'a100', '--wait', '--cache-check', '0');
  assert.equal(followed.status, 0, followed.stderr);
  assert.doesNotMatch(followed.stdout + followed.stderr, /vivace push|jobs wait for/);
  const run = (await farm.api('GET', '/runs?limit=1')).items[0], { items } = await farm.api('GET', `/runs/${run.id}/events`);
  assert.ok(items.some((e) => e.severity === 'info' && e.text === `Traces of ${n} jobs are being cut out of the profile's own file.`), JSON.stringify(items));
  assert.ok(!items.some((e) => /wait for their traces/.test(e.text)));
  assert.deepEqual((await farm.api('GET', `/plans/${id}`)).traces, { bound: n, missing: 0, in_file: 0 });
});

test('a file that has become unreadable is not used any more, and waiting runs get a message', { timeout: 300000 }, async () => {
  const mine = await farm.profile(counts, { name: 'fifth.csv', workload: 'damaged' }), well = await farm.profile(counts, { name: 'sixth.csv', workload: 'sound' });
  for (const p of [mine, well]) cli('push', path('bfs.vtrace'), '--profile', p.id);
  const bytes = Buffer.from('no trace at all'), sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.ok((await farm.request('PUT', `/blobs/${sha256}`, bytes, { 'Content-Type': 'application/octet-stream' })).ok);
  farm.psql(`UPDATE profile SET traces_sha256 = '${sha256}' WHERE id = '${mine.id}'`); // as if its bytes were damaged
  const [bad, good] = [await planOf(mine.id, 0.2, 91), await planOf(well.id, 0.2, 92)];
  const runOf = (plan) => farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100'] });
  const waits = await runOf(bad), goes = await runOf(good), reported = async () => (await farm.api('GET', `/runs/${waits.id}/events`)).items.filter((e) => /cannot serve all jobs/.test(e.text));
  const [said] = await until('the word', async () => { const list = await reported(); return list.length > 0 && list; });
  assert.equal(said.severity, 'warning');
  assert.match(said.text, /\(the profile's traces.*\): those left wait until their traces are sent\.$/);
  assert.deepEqual((await farm.api('GET', `/plans/${bad.id}`)).traces, { bound: 0, missing: bad.samples_count, in_file: 0 });
  assert.equal((await farm.finished(goes.id)).state, 'done', 'a bad file does not delay other plans');
  assert.equal((await reported()).length, 1, 'once');
});

test('a file that is temporarily unreadable does not delay other plans', { timeout: 300000 }, async () => {
  const [mine, other] = [await farm.profile(counts, { name: 'unread.csv', workload: 'unread now' }), await farm.profile(counts, { name: 'read.csv', workload: 'read' })];
  const { sha256 } = await (await send(readFileSync(path('few.vtrace')), mine.id)).json();
  assert.equal((await send(traces, other.id)).status, 200);
  const blob = join(farm.state, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256), aside = `${blob}.aside`;
  const runOf = async (p) => farm.api('POST', `/plans/${(await planOf(p.id, 1, 1)).id}/runs`, { engine: 'cycle', designs: ['v100'], cache_check: 0 });
  renameSync(blob, aside);
  let waits;
  try {
    symlinkSync(blob, blob);
    waits = await runOf(mine); // its plan is served first
    assert.equal((await farm.finished((await runOf(other)).id, 60000)).state, 'done');
    assert.equal((await farm.api('GET', `/plans/${waits.plan}/traces`)).bound, 0);
    rmSync(blob);
  } finally {
    renameSync(aside, blob);
  }
  await until('the launches in the file', async () => (await farm.api('GET', `/plans/${waits.plan}/traces`)).bound > 0);
  await farm.api('POST', `/runs/${waits.id}/cancel`);
});

test('a temporarily unreadable file is not replaced by one that may have fewer launches; a missing one is', { timeout: 300000 }, async () => {
  const mine = await farm.profile(counts, { name: 'seventh.csv', workload: 'unread' });
  const whole = (await (await send(traces, mine.id)).json()).sha256, has = async () => (await farm.api('GET', `/profiles/${mine.id}`)).traces;
  const bytes = readFileSync(path('few.vtrace')), few = createHash('sha256').update(bytes).digest('hex');
  const blob = join(farm.state, 'blobs', whole.slice(0, 2), whole.slice(2, 4), whole), aside = `${blob}.aside`;
  renameSync(blob, aside);
  try {
    symlinkSync(blob, blob); // opening it fails, as with too few descriptors or a failed disk: a temporary error
    const answer = await send(bytes, mine.id), { detail } = await answer.json();
    assert.deepEqual([answer.status, await has()], [500, whole], detail);
    assert.match(detail, /some\.vtrace could not be compared with the stored traces: cannot open the profile's traces: /);
    rmSync(blob);
    assert.equal((await send(bytes, mine.id)).status, 200);
    assert.equal(await has(), few);
  } finally {
    renameSync(aside, blob); // other profiles use it, too
  }
});

test('a team without storage for cut traces gets the reason why its run waits, and delays no other team', { timeout: 300000 }, async () => {
  const lists = join(root, 'examples/reduction/launches.json'), reduction = ['reduction.csv', 'reduction.vtrace'].map(path);
  execFileSync(program('vivace'), ['ptx', 'run', lists, '--profile', reduction[0], '--trace', reduction[1]]);
  const bytes = readFileSync(reduction[1]).length;
  const mine = await farm.profile(readFileSync(reduction[0]), { name: 'reduction.csv', workload: 'reduction' });
  const other = await farm.profile(counts, { name: 'eighth.csv', workload: 'cut before' });
  for (const [file, p] of [[reduction[1], mine], [path('bfs.vtrace'), other]]) assert.equal(cli('push', file, '--profile', p.id).status, 0);
  for (const file of reduction) rmSync(file); // the folder is that of the examples
  const runOf = async (p) => farm.api('POST', `/plans/${(await planOf(p.id, 1, 1)).id}/runs`, { engine: 'cycle', designs: ['v100'], cache_check: 0 });
  const events = async (run, pattern) => (await farm.api('GET', `/runs/${run.id}/events`)).items.filter((e) => pattern.test(e.text));
  const quota = (bytes) => farm.psql(`UPDATE team_storage SET quota_bytes = ${bytes}`);
  quota(`stored_bytes + reserved_bytes + ${bytes}`); // separate launches need more space than one file with all of them
  const waits = await runOf(mine);
  const reported = () => events(waits, /^Traces cannot be cut/);
  const [said] = await until('the word', async () => { const list = await reported(); return list.length > 0 && list; });
  const { traces: sha256 } = await farm.api('GET', `/profiles/${mine.id}`), blob = join(farm.state, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  renameSync(blob, `${blob}.aside`); // without free storage the file is not read
  const goes = await runOf(other);
  assert.equal(said.severity, 'warning');
  assert.match(said.text, /own file now \((\d+ bytes are more than|the team has \d+ of its) .*\): it is tried again\. (Delete workloads|The operator of the farm)/);
  assert.equal((await farm.finished(goes.id)).state, 'done', 'its launches are here already');
  const { bound, missing_count } = await farm.api('GET', `/plans/${waits.plan}/traces`);
  assert.ok(bound > 0 && missing_count > 0, `jobs with stored traces continue: ${bound} bound, ${missing_count} wait`);
  assert.deepEqual(await events(waits, /cannot serve/), [], 'its file was not requested');
  renameSync(`${blob}.aside`, blob);
  quota('NULL');
  assert.equal((await farm.finished(waits.id)).state, 'done');
  assert.equal((await reported()).length, 1, 'once');
});

test('examples are loaded like an upload, with their traces', { timeout: 300000 }, async () => {
  const { items } = await farm.api('GET', '/examples');
  assert.deepEqual(items, [{ name: 'bfs', profile_bytes: counts.length, traces_bytes: traces.length }]);
  assert.equal((await farm.request('POST', '/examples/nothing')).status, 404);
  assert.equal((await farm.request('POST', '/examples/Bfs.csv')).status, 404);
  writeFileSync(path('torn.csv'), counts);
  writeFileSync(path('torn.vtrace'), traces.subarray(0, traces.length - 100));
  assert.equal((await farm.request('POST', '/examples/torn')).status, 422);
  assert.equal(farm.psql("SELECT count(*) FROM upload WHERE name = 'torn.csv'"), '0', 'no process remains without an owner');
  const { import: id } = await farm.api('POST', '/examples/bfs');
  const made = await until('the import', async () => {
    const i = await farm.api('GET', `/imports/${id}`);
    return i.state === 'ready' && i;
  });
  assert.equal((await farm.api('GET', `/profiles/${made.profile}`)).traces, (await farm.api('GET', `/profiles/${profile.id}`)).traces);
  const plan = await planOf(made.profile, 0.5, 2);
  assert.equal((await farm.api('GET', `/plans/${plan.id}`)).traces.in_file, plan.samples_count);
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100', 'h100'] });
  assert.equal((await farm.finished(run.id)).state, 'done');
});
