// Data for operators of a farm: metrics, alerts, full disks, old snapshots, log lines.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { patience, program, root, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, plan, run, worker;
const metrics = async () => (await farm.request('GET', '//metrics')).text();
const value = (text, name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);

before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'one' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay' });
});
after(() => farm?.stop());

/** The findings of `vivace farm doctor --json`, by check: [state, detail, hint]. */
function doctor() {
  const env = { ...process.env, XDG_CONFIG_HOME: farm.folder };
  execFileSync(program('vivace'), ['login', farm.url, '--token-file', join(farm.state, 'admin-token')], { env, stdio: 'ignore' });
  const { status, stdout, stderr } = spawnSync(program('vivace'), ['farm', 'doctor', '--json'], { env, encoding: 'utf8' });
  return { status, stderr, found: JSON.parse(stdout), of: (check) => JSON.parse(stdout).filter((f) => f.check === check) };
}

test('the doctor reports missing workers where jobs wait', async () => {
  const ill = await until('the watch to have looked', () => {
    const d = doctor();
    return d.of('database')[0]?.state === 'ok' ? d : null;
  });
  assert.notEqual(ill.status, 0);
  assert.match(ill.stderr, /1 of the checks failed/);
  const [workers] = ill.of('workers');
  assert.equal(workers.state, 'wrong');
  assert.match(workers.hint, /vivace worker/);
  for (const check of ['server', 'versions', 'clocks', 'database', 'snapshots', 'stored files', 'results'])
    assert.deepEqual(ill.of(check).map((f) => [f.state, f.hint]), [['ok', null]], JSON.stringify(ill.found));

  worker = await new ScriptedWorker(farm, {}).open();
  const well = doctor();
  assert.equal(well.status, 0, well.stderr);
  const glance = (...words) => execFileSync(program('vivace'), ['farm', ...words], { env: { ...process.env, XDG_CONFIG_HOME: farm.folder }, encoding: 'utf8' });
  assert.match(glance(), /^workers    1 alive, .*\nqueue      0 jobs under way, \d+ wait for a worker, 0 for traces\n/);
  assert.equal(JSON.parse(glance('--json')).workers_alive, 1);
  assert.match(well.of('workers').map((f) => f.detail).join(), /sandbox of scripted/, 'a possible improvement is reported, but is not a failure');
});

test('counters of an older server are not reported as 0', async () => {
  const older = createServer(async (asked, answer) => { // the same farm without one metric
    const pieces = await asked.toArray(), body = pieces.length ? Buffer.concat(pieces) : undefined;
    const { host, connection, ...headers } = asked.headers, there = await fetch(farm.url + asked.url, { method: asked.method, headers, body });
    const bytes = Buffer.from(await there.arrayBuffer());
    answer.writeHead(there.status, { 'Content-Type': there.headers.get('content-type') ?? 'text/plain' });
    answer.end(asked.url.endsWith('/metrics') ? bytes.toString().replaceAll(/^vivace_runs_stuck .*\n/gm, '') : bytes);
  });
  await new Promise((listening) => older.listen(0, '127.0.0.1', listening));
  try {
    const found = (url) => new Promise((done) => execFile(program('vivace'), ['farm', 'doctor', '--json'],
      { env: { ...process.env, VIVACE_SERVER: url, VIVACE_TOKEN: farm.token } }, (_, stdout) => done(JSON.parse(stdout).map((f) => f.check))));
    const here = await found(farm.url), there = await found(`http://127.0.0.1:${older.address().port}`);
    assert.deepEqual(there, here.filter((check) => check !== 'projections'));
    assert.ok(here.includes('projections'));
  } finally {
    older.close();
  }
});

test('every metric that the alerts and the dashboard name is in /metrics', async () => {
  const text = await until('the watch to have looked', async () => {
    const m = await metrics();
    return value(m, 'vivace_leader') === 1 && value(m, 'vivace_sessions\\{state="alive"\\}') === 1 && /^vivace_db_dead_rows\{table="job"\}/m.test(m) ? m : null;
  });
  const there = new Set([...text.matchAll(/^(vivace_\w+)/gm)].map((m) => m[1]));
  for (const file of ['deploy/prometheus/alerts.yml', 'deploy/grafana/vivace.json']) {
    const named = new Set([...readFileSync(join(root, file), 'utf8').matchAll(/\bvivace_\w+/g)].map((m) => m[0]));
    assert.ok(named.size > 10, file);
    assert.deepEqual([...named].filter((name) => !there.has(name)), [], `${file} names what /metrics lacks`);
  }
  for (const line of text.trimEnd().split('\n')) // the text format, line by line
    assert.match(line, /^(# (HELP vivace_\w+ \S.*|TYPE vivace_\w+ (counter|gauge|histogram))|vivace_\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? (\+Inf|-?[0-9.e+-]+))$/);
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    if (type === 'counter') assert.match(name, /_total$/);
  assert.ok(value(text, 'vivace_queue_oldest_ready_seconds') > 0, 'the run waits');
});

test('the check examines a running farm, and suggests a fix for each fault', () => {
  const check = (...args) => spawnSync(program('vivace'), ['admin', 'check', ...args], { encoding: 'utf8', cwd: farm.folder });
  const good = check(...farm.place());
  assert.equal(good.status, 0, good.stdout + good.stderr);
  for (const what of ['stored files', 'database', 'clocks']) assert.match(good.stdout, new RegExp(`^ok     ${what}: `, 'm'));
  const full = check(...farm.place(), '--disk-reserve', '1000TiB');
  assert.equal(full.status, 74);
  assert.match(full.stdout, /^WRONG  room: .*\n       Free disk space/m);
});

test('a snapshot that is held for long is reported', async () => {
  const bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  const url = farm.databaseUrl();
  const psql = spawn(join(bin, 'psql'), ['-X', url], { stdio: ['pipe', 'ignore', 'inherit'], ...farm.asOwner() });
  const ended = new Promise((done) => psql.on('exit', done));
  psql.stdin.write('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM job;\n');
  await until('its age to be measured', async () => value(await metrics(), 'vivace_db_oldest_snapshot_seconds') > 2);
  psql.stdin.end('ROLLBACK;\n');
  await ended;
  await until('it to be removed', async () => value(await metrics(), 'vivace_db_oldest_snapshot_seconds') < 2);
});

test('with a full disk no new job starts, and running ones finish', async () => {
  await farm.kill('SIGTERM');
  farm.options.args = ['--disk-reserve', '1000TiB', '--test-dead-after', '15min'];
  await farm.start();
  assert.equal((await farm.request('GET', '//readyz')).status, 503);
  for (const [path, body] of [['/uploads', { name: 'a.csv', bytes: 10 }], [`/plans/${plan.id}/runs`, { engine: 'replay' }]]) {
    const r = await farm.request('POST', path, body);
    const problem = await r.json();
    assert.equal(r.status, 507, JSON.stringify(problem));
    assert.equal(problem.code, 'no_space');
    assert.ok(problem.hint && r.headers.get('retry-after'));
  }
  assert.ok(await worker.drain() > 0);
  assert.equal((await farm.finished(run.id)).state, 'done');
  await until('the message in the log', () => /level=error in=watch msg="no disk space: uploads and runs are refused/.test(farm.log()));
  assert.equal(value(await metrics(), 'vivace_blob_free_bytes'), 0);
  await farm.kill('SIGTERM');
  farm.options.args = [];
  await farm.start();
  await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay' });
});

test('a private database with too few connections is refused before it is created', () => {
  const state = join(farm.folder, 'few');
  const { status, stderr } = spawnSync(program('vivace-server'), ['--listen', '127.0.0.1:0', '--state', state, '--db-threads', '64', '--cpu-threads', '64'], { encoding: 'utf8', timeout: patience() });
  assert.notEqual(status, 0);
  assert.match(stderr, /this server's threads want up to 166 connections, and the private database has 100\n.*fewer db-threads/);
});

test('every setting is shown with its value and its source', () => {
  for (const name of ['vivace-server', 'vivace-worker']) {
    const { stdout, status } = spawnSync(program(name), ['--show-settings'], { encoding: 'utf8', cwd: farm.folder, env: { PATH: process.env.PATH, VIVACE_LOG_LEVEL: 'debug' } });
    const rows = stdout.trim().split('\n');
    assert.equal(status, 0);
    for (const row of rows) assert.match(row, /^[a-z0-9-]+ = .*   # (default|not set|environment)$/, `${name}: ${row}`);
    assert.ok(rows.includes('log-level = debug   # environment'), stdout);
  }
});
