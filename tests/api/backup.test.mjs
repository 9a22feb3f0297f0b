// Backup and restore of a farm: every table, every stored file; a database that is too new, and an older one.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupText } from './backup_text.mjs';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, run, profile, database, place; // database, place: those of the farm before its backup
const admin = (...words) => spawnSync(program('vivace'), ['admin', ...words], { encoding: 'utf8', cwd: farm.folder });
const at = (name) => join(farm.folder, name);
function done(result) {
  assert.equal(result.status, 0, result.stdout + result.stderr);
  return result.stdout;
}

/** The farm's answers about the run; every copy must give the same. Event ids come from the database's transaction numbers, which start again in a new database, so the server renumbers the events in their order. */
const story = async (f) => ({
  run: { ...await f.api('GET', `/runs/${run}`), as_of: null },
  jobs: await f.api('GET', `/runs/${run}/jobs?limit=1000`),
  kernels: await f.api('GET', `/profiles/${profile}/kernels?limit=1000`),
  events: (await f.api('GET', `/runs/${run}/events`)).items.map((e) => ({ ...e, id: null })),
});

before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  const p = await farm.profile(report(1), { name: 'report.csv', workload: 'one' });
  profile = p.id;
  const plan = await farm.api('POST', `/profiles/${p.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  run = (await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay' })).id;
  const w = await new ScriptedWorker(farm, {}).open();
  await w.drain();
  await farm.finished(run);
});
after(async () => { await farm?.stop(); await database?.stop(); });

test('a restored backup is the same in every table, and the farm continues', async () => {
  const live = at('live.backup'), cold = at('cold.backup'), second = at('second.backup');
  const reported = await story(farm);
  assert.match(done(admin('backup', live, ...farm.place())), /backed up: the database, and the names of 1 stored/);
  assert.equal(statSync(live).mode & 0o777, 0o600);
  await farm.kill('SIGTERM');
  assert.match(done(admin('backup', cold, '--with-blobs', ...farm.place())), /the bytes of 1 stored files/);

  [place, database, farm.database, farm.options.database, farm.state] = [farm.place(), farm.database, undefined, undefined, at('restored')];
  assert.match(done(admin('restore', cold, ...farm.place())), /restored: the database; of 1 stored files 1 are here/);
  done(admin('backup', second, ...farm.place()));
  const [a, b] = [backupText(cold), backupText(second)];
  assert.ok((a.sql.match(/^COPY public\./gm) ?? []).length > 25, 'a dump of all tables');
  assert.equal(a.sql, b.sql);
  assert.equal(a.blobs, b.blobs);
  assert.deepEqual(a.members.sort(), ['blobs', 'blobs.tsv', 'complete', 'database.dump', 'manifest.json']);

  const token = farm.token;
  farm.options.token = token; // token of the backed-up farm: it is valid here too
  await farm.start();
  assert.deepEqual(await story(farm), reported);
});

test('an obstacle or a damaged backup is reported in one sentence', () => {
  const file = at('live.backup'), half = at('half.backup');
  copyFileSync(file, half);
  truncateSync(half, Math.floor(statSync(file).size / 2));
  const cases = [
    [['backup', file, ...farm.place()], /live\.backup: File exists/],
    [['backup'], /needs one file/],
    [['restore', file, ...farm.place()], /uses|already|running/],
    [['restore', half, '--state', at('from-half')], /ends/],
    [['restore', program('vivace-sim'), '--state', at('from-nothing')], /a tar header is damaged[^]*It is not a backup of Vivace/],
    [['restore', file, ...place], /database is not empty/],
    [['repair'], /does not know "repair"/],
  ];
  for (const [words, sentence] of cases) {
    const r = admin(...words);
    assert.notEqual(r.status, 0, words.join(' '));
    assert.match(r.stderr, sentence, words.join(' '));
  }
});

test('variables of another database have no effect; an interrupted backup leaves no file and no process', { timeout: 300000 }, async () => {
  const foreign = { PGPORT: '5999', PGHOST: 'nowhere.invalid', PGDATABASE: 'other', PGUSER: 'nobody', PGPASSWORD: 'x', PGSERVICE: 'none', PGSSLMODE: 'verify-full',
    PGOPTIONS: '-c nonsense=1', PGREQUIREPEER: 'nobody', PGDATA: '/nowhere', PGTZ: 'Asia/Tokyo', PGDATESTYLE: 'German', PGCHANNELBINDING: 'require' };
  const other = await startFarm({ privateDatabase: true, env: foreign });
  const backup = (file, options = {}) => spawn(program('vivace-server'), ['backup', file, '--with-blobs', '--state', other.state],
    { cwd: other.folder, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...foreign, ...options } });
  const ended = (child) => new Promise((done) => { let text = ''; child.stderr.on('data', (t) => { text += t; }); child.on('close', (code, signal) => done({ code, signal, text })); });
  const processes = () => spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.split('\n').filter((l) => l.includes(`${other.state}/postgres/data`));
  try {
    const live = join(other.folder, 'live.backup'), cut = join(other.folder, 'cut.backup'), cold = join(other.folder, 'cold.backup');
    assert.equal((await ended(backup(live))).code, 0);
    assert.ok(statSync(live).size > 1000);
    const twice = await ended(backup(live));
    assert.notEqual(twice.code, 0);
    assert.match(twice.text, /File exists/);
    await other.kill('SIGTERM');
    // while the command starts PostgreSQL
    for (const [signal, ms] of [['SIGTERM', 50], ['SIGINT', 250], ['SIGTERM', 600], ['SIGKILL', 400]]) {
      const child = backup(cut), end = ended(child);
      await new Promise((done) => setTimeout(done, ms));
      child.kill(signal);
      await end;
      await until('the deletion of its file', () => !existsSync(`${cut}.part`));
      if (signal !== 'SIGKILL') await until('its database to end', () => processes().length === 0);
      if (existsSync(cut)) rmSync(cut); // the command finished before the signal
    }
    const last = await ended(backup(cold)); // the next command uses the PostgreSQL that SIGKILL left running
    assert.equal(last.code, 0, last.text);
    assert.ok(statSync(cold).size > 1000);
    await until('its database to end', () => processes().length === 0);
    // a failed backup leaves no file either
    writeFileSync(join(other.state, 'postgres/data/PG_VERSION'), '9.1\n');
    const failed = await ended(backup(cut));
    assert.notEqual(failed.code, 0);
    assert.deepEqual([existsSync(cut), existsSync(`${cut}.part`), processes()], [false, false, []]);
  } finally {
    await other.stop();
  }
});
