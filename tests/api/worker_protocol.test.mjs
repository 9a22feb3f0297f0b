// vivace-worker with a faulty server: it refuses requests, forgets sessions, and stops and restarts. The simulator is
// a shell script, so that each job does exactly what its design says ("ok", "crash", "hang", "held").
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync, rmSync, readdirSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from './harness.mjs';
import { begun } from './work.mjs';

const build = resolve(process.env.VIVACE_BUILD ?? 'build');
const sha = (text) => createHash('sha256').update(text).digest('hex');
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

// Reads the jobs and does what the design file of each one requests. It parses JSON with sed, because the document is on one line.
const script = `#!/bin/sh
[ "$1" = --version ] && { echo "vivace-sim 9.9.9"; exit 0; }
{ cat; echo; } | sed 's/},{/}\\n{/g' | while read -r job; do
  field() { printf '%s' "$job" | sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }
  id=$(field job) what=$(cat "$(field design)") result=$(field result)
  trace=$(basename "$(field trace)") design=$(basename "$(field design)" .json)
  printf '\\036%s\\n' "$id" >&2
  echo "start $id" >&3
  case $what in
    crash*) echo "about to crash" >&2; kill -SEGV $$; sleep 9 ;;
    hang*) sleep 600 ;;
    held*) until [ -e @FOLDER@/let-go ]; do sleep 0.05; done ;;
  esac
  printf '{"format":"vivace-result","version":1,"simulator":"9.9.9","trace_sha256":"%s","design_sha256":"%s",
    "design":"d","kernel":{"name":"k","grid":[1,1,1],"block":[1,1,1]},"end":"done","cycles":10,"launch_cycles":1,
    "warp_instructions":5,"clock_hz":1000,"counters":[],"digest":"%064d","host_seconds":0.01}' "$trace" "$design" 1 >"$result"
  echo "end $id ok" >&3
done
`;

class Farm {
  constructor() {
    this.jobs = new Map(); this.blobs = new Map(); this.designs = new Map(); this.outcomes = []; this.sessions = 0;
    this.session = null; this.answer = {}; this.downloads = []; this.beats = 0;
    this.server = createServer((req, res) => this.handle(req, res));
  }
  listen(port = 0) {
    return new Promise((r) => this.server.listen(port, '127.0.0.1', () => { this.port = this.server.address().port; r(); }));
  }
  close() { this.server.closeAllConnections(); return new Promise((r) => this.server.close(r)); }
  add(id, what, { engine = 'cycle', trace = `trace of ${id}`, time_s = 100 } = {}) {
    const design = `${what} ${id}`;
    this.blobs.set(sha(trace), trace);
    this.designs.set(sha(design), design);
    this.jobs.set(id, { state: 'ready', attempt: 0, lease: { job: id, engine, launch: 1,
      trace: engine === 'cycle' ? sha(trace) : null, trace_bytes: trace.length,
      design_sha256: engine === 'cycle' ? sha(design) : null, design_name: 'd',
      replay: engine === 'replay' ? { value: '9007199254740993', unit: 'ns' } : null,
      limits: { time_s, memory_bytes: null, cycles: 0 }, deadline_at: null } });
  }
  reply(res, status, body, headers = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    res.writeHead(status, { 'Content-Length': Buffer.byteLength(text), ...headers });
    res.end(text);
  }
  async handle(req, res) {
    let text = '';
    for await (const piece of req) text += piece;
    const path = req.url.replace('/api/v1', ''), forced = this.answer[path]?.shift();
    if (forced) return this.reply(res, forced, { detail: 'not now', code: 'busy' }, { 'Retry-After': '0' });
    if (req.headers.authorization !== 'Bearer good') return this.reply(res, 401, { detail: 'no valid credential' });
    const get = /^\/(blobs|designs)\/(.*)$/.exec(path);
    if (get) {
      const found = this[get[1]].get(get[2]);
      this.downloads.push(get[2]);
      return found === undefined ? this.reply(res, 404, { detail: 'there is no such blob' }) : this.reply(res, 200, found);
    }
    const body = JSON.parse(text);
    if (path === '/worker/sessions') {
      this.hello = body;
      this.session = `s${++this.sessions}`;
      return this.reply(res, 201, { session: this.session, heartbeat_s: 1, dead_after_s: 60 });
    }
    if (body.session !== this.session) return this.reply(res, 410, { detail: 'this session is over' });
    if (path === '/worker/heartbeat') {
      this.beats++;
      const abort = body.running.filter((r) => this.jobs.get(r.job).abort).map(({ job, attempt }) => ({ job, attempt }));
      return this.reply(res, 200, { abort, heartbeat_s: 1 });
    }
    if (path === '/worker/complete') {
      for (const o of body.outcomes) {
        this.outcomes.push(o);
        const job = this.jobs.get(o.job);
        if (job.state !== 'done') job.state = o.outcome === 'released' ? 'ready' : 'done';
      }
      return this.reply(res, 200, { items: body.outcomes.map(({ job, attempt }) => ({ job, attempt, accepted: true, reason: null })) });
    }
    for (let waited = 0; ; waited += 20) { // the claim
      const ready = [...this.jobs.values()].filter((j) => j.state === 'ready').slice(0, body.slots * 8);
      if (ready.length || waited > 500 || this.session !== body.session) {
        for (const j of ready) { j.state = 'leased'; j.attempt++; }
        return this.reply(res, 200, { leases: ready.map((j) => ({ ...j.lease, attempt: j.attempt })) });
      }
      await sleep(20);
    }
  }
  finished(n) { return until(`${n} outcomes`, () => this.outcomes.length >= n); }
  leased(id) { return until(`${id} to be leased`, () => this.jobs.get(id).state === 'leased'); }
  of(id) { return this.outcomes.filter((o) => o.job === id); }
}

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-worker-'));
  writeFileSync(join(folder, 'sim'), script.replace('@FOLDER@', folder), { mode: 0o700 });
  writeFileSync(join(folder, 'token'), 'good\n', { mode: 0o600 });
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Lets the held simulations continue. */
const letGo = () => writeFileSync(join(folder, 'let-go'), '');
const running = new Set();
function worker(farm, state, ...more) {
  const child = spawn(join(build, 'vivace-worker'), ['--server', `http://127.0.0.1:${farm.port}`, '--token-file',
    join(folder, 'token'), '--state', join(folder, state), '--vivace-sim', join(folder, 'sim'), '--slots', '2', ...more],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH, HOME: folder } });
  child.log = '';
  child.stderr.on('data', (d) => { child.log += d; });
  child.ended = new Promise((r) => child.on('exit', (code, signal) => { r(signal ?? code); }));
  running.add(child);
  return child;
}
/** Its exit code, or the signal that ended it. */
async function end(child) {
  await until('the worker to end', () => child.exitCode !== null || child.signalCode !== null);
  return child.ended;
}
const said = (child, what) => until(String(what), () => what.test(child.log));
const nothingIn = (path) => until(`${path} to be empty`, () => readdirSync(join(folder, path)).length === 0);
const farmTest = (name, body) => test(name, { timeout: 300000 }, async () => {
  const farm = new Farm();
  await farm.listen();
  try { await body(farm); } catch (e) {
    e.message += `\n${[...running].map((w) => w.log).join('\n')}`;
    throw e;
  } finally {
    for (const child of [...running]) { child.kill('SIGKILL'); await child.ended; }
    running.clear();
    rmSync(join(folder, 'let-go'), { force: true });
    await farm.close();
  }
});

farmTest('all kinds of jobs end as they should, through a server that is busy', async (farm) => {
  farm.answer = { '/worker/sessions': [503], '/worker/claim': [503, 429], '/worker/complete': [503, 500] };
  for (let i = 0; i < 6; i++) farm.add(`ok${i}`, 'ok', { trace: i < 3 ? 'the same trace' : `trace ${i}` });
  farm.add('replayed', '', { engine: 'replay' });
  farm.add('crashing', 'crash');
  farm.add('hanging', 'hang', { time_s: 1 });
  farm.add('lost', 'ok', { trace: 'gone' });
  farm.blobs.delete(sha('gone'));
  const w = worker(farm, 'kinds');
  await farm.finished(10);
  w.kill('SIGTERM');
  assert.equal(await end(w), 0, w.log);
  for (let i = 0; i < 6; i++) assert.deepEqual(farm.of(`ok${i}`).map((o) => [o.outcome, o.result.cycles]), [['ok', 10]]);
  assert.equal(farm.of('replayed')[0].result.value, '9007199254740993');
  assert.equal(farm.of('crashing')[0].outcome, 'crash');
  assert.match(farm.of('crashing')[0].message, /crashed/);
  assert.match(farm.of('crashing')[0].last_lines, /about to crash/);
  assert.equal(farm.of('hanging')[0].outcome, 'timeout');
  assert.equal(farm.of('lost')[0].outcome, 'fetch');
  assert.match(farm.of('lost')[0].message, /no such blob/);
  assert.equal(farm.downloads.filter((d) => d === sha('the same trace')).length, 1, 'one download a blob');
  assert.deepEqual(farm.hello.engines.sort(), ['cycle', 'replay']);
  assert.equal(farm.hello.simulator, '9.9.9');
  assert.deepEqual(readdirSync(join(folder, 'kinds/spool')), []);
  assert.deepEqual(readdirSync(join(folder, 'kinds/attempts')), []);
});

farmTest('a result survives the end of server and worker', async (farm) => {
  farm.add('precious', 'ok');
  farm.answer = { '/worker/complete': Array(1000).fill(503) };
  const first = worker(farm, 'outlives');
  await until('the result in the spool', () => existsSync(join(folder, 'outlives/spool/precious.1.json')));
  first.kill('SIGKILL');
  assert.equal(await first.ended, 'SIGKILL');
  farm.answer = {};
  farm.session = null; // and the server has deleted the session
  worker(farm, 'outlives');
  await farm.finished(1);
  assert.equal(farm.of('precious')[0].result.cycles, 10);
  await nothingIn('outlives/spool');
});

farmTest('an ended session is opened again, and running jobs continue', async (farm) => {
  farm.add('held', 'held');
  const w = worker(farm, 'session');
  await begun(w);
  farm.session = 'nobody';
  await until('a new session', () => farm.sessions === 2);
  letGo();
  await farm.finished(1);
  assert.equal(farm.of('held')[0].outcome, 'ok');
  assert.equal(farm.of('held')[0].attempt, 1);
  assert.equal(farm.sessions, 2);
});

farmTest('SIGTERM waits for running jobs, a second one returns them', async (farm) => {
  farm.add('held', 'held');
  const patient = worker(farm, 'drain');
  await begun(patient);
  patient.kill('SIGTERM');
  await said(patient, /draining/);
  letGo();
  assert.equal(await end(patient), 0, patient.log);
  assert.deepEqual(farm.outcomes.map((o) => o.outcome), ['ok']);

  farm.add('hanging', 'hang');
  const hasty = worker(farm, 'drain');
  await begun(hasty);
  hasty.kill('SIGTERM');
  await said(hasty, /draining/);
  farm.jobs.get('hanging').attempt = 100;
  hasty.kill('SIGTERM');
  assert.equal(await end(hasty), 0, hasty.log);
  assert.deepEqual(farm.of('hanging').map((o) => [o.outcome, o.attempt]), [['released', 1]]);
});

farmTest('jobs that the server no longer needs are ended', async (farm) => {
  farm.add('hanging', 'hang');
  const w = worker(farm, 'abort', '--slots', '1'); // the next job needs the slot of the hanging job
  await begun(w);
  farm.jobs.get('hanging').abort = true;
  await said(w, /the server cancelled a job/);
  farm.add('next', 'ok');
  await farm.finished(1);
  assert.deepEqual(farm.outcomes.map((o) => o.job), ['next']);
});

farmTest('one worker for each state folder, and a wrong token ends the worker with a message', async (farm) => {
  const first = worker(farm, 'lock');
  await until('its session', () => farm.sessions);
  const second = worker(farm, 'lock');
  assert.equal(await end(second), 75);
  assert.match(second.log, /another worker uses the state folder/);
  first.kill('SIGINT');
  assert.equal(await end(first), 0);
  writeFileSync(join(folder, 'token'), 'bad\n');
  const third = worker(farm, 'lock');
  assert.equal(await end(third), 77);
  assert.match(third.log, /no valid credential/);
  assert.doesNotMatch(first.log + second.log + third.log, /Bearer|good|\bbad\b/);
  writeFileSync(join(folder, 'token'), 'good\n');
});

farmTest('a worker with --exit-when-idle ends after its idle time', async (farm) => {
  farm.add('one', 'ok');
  const w = worker(farm, 'idle', '--exit-when-idle', '1');
  assert.equal(await end(w), 0, w.log);
  assert.deepEqual(farm.outcomes.map((o) => o.outcome), ['ok']);
});
