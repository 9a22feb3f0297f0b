// tests/api/harness.mjs: a real farm in a temporary folder: server on a free port, private PostgreSQL, and (when asked)
// workers. Used by every test here and by the browser tests.
//
//   import { startFarm } from './harness.mjs';
//   const farm = await startFarm();                       // { workers: 2, args, env, state: DIR, token, port }
//   const w = await farm.api('GET', '/workloads');        // parsed answer; throws Problem on 4xx and 5xx
//   const r = await farm.request('GET', '/readyz');       // the plain Response; paths not under /api/v1 begin with '//'
//   await farm.kill('SIGKILL'); await farm.start();       // again, on the same state folder and port
//   await farm.stop();
//
// VIVACE_TEST_DATABASE=tcp: farms have a database over TCP with a password and TLS; =pooler: with PgBouncer before it. A test
// about the private database passes { privateDatabase: true }.
//
// Programs are those of $VIVACE_BUILD (default: build). Nothing here needs more than node 18.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, statfsSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach } from 'node:test';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { misfits } from './described.mjs';
import { load, quietClock } from './load.mjs';
import { startDatabase } from './tcp_database.mjs';
import { setTimeout as sleep } from 'node:timers/promises';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const build = resolve(root, process.env.VIVACE_BUILD || 'build');
let programs = build;
export const program = (name) => join(programs, name);
/** From now on programs are started from this folder; null: from the build again. */
export const startFrom = (folder) => { programs = folder ?? build; };

/** The path of a real input, or null if it is absent: the test then reports why it is skipped. */
export function sharedData(relative) {
  const path = resolve(root, '../shared/data', relative);
  return existsSync(path) ? path : null;
}

/** Tests send requests faster than users, so rate limits are off; they have a separate test. */
// Connections must not be closed while a test waits for a program.
const unlimited = { VIVACE_REQUESTS_A_SECOND: '0' }, patient = ['--test-anonymous-requests-a-second', '0', '--test-idle', '10min'];

export class Problem extends Error {
  constructor(status, body) {
    super(`${status}: ${body.detail ?? JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** The time limit of a wait that takes at most `ms` on a quiet machine: longer if more processes are ready to run than there are processors. */
export const patience = (ms = 30000) => Math.ceil(ms * load());
export { quietClock };

/** Waits until `probe` returns a true value. Fails with the text `what` after `ms` (on a quiet machine). */
export async function until(what, probe, ms = 30000, every = 50) {
  const began = performance.now(), past = quietClock();
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (past() > ms) throw new Error(`waited ${Math.round(performance.now() - began)} ms for ${what}`);
    await sleep(every);
  }
}

// --- The end of the server's log, where a test has failed ---

const TAIL_LINES = 30;
const running = new Set();
let stopped = []; // [which log, its end] of farms that were stopped in this test
const tail = (text) => text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
if (/\.test\.mjs$/.test(process.argv[1])) // programs other than tests also use farms
  afterEach((t) => {
    if (t.passed === false) // unknown before node 20.12
      for (const [which, end] of [...stopped, ...[...running].map((farm) => farm.logEnd())]) process.stderr.write(`--- the end of ${which} ---\n${end}\n`);
    stopped = [];
  });

// --- PostgreSQL's programs, with an initdb that copies ---

/** The folder of PostgreSQL's programs, as the server finds it; null where there is none. */
export function postgresPrograms() {
  const good = (folder) => (existsSync(join(folder, 'initdb')) ? folder : null);
  if (process.env.VIVACE_POSTGRES_BIN) return good(process.env.VIVACE_POSTGRES_BIN);
  for (const config of ['/usr/bin/pg_config', '/usr/local/bin/pg_config'].filter(existsSync))
    try {
      const found = good(execFileSync(config, ['--bindir'], { encoding: 'utf8' }).trim());
      if (found) return found;
    } catch { /* not found: try the next folder */ }
  const at = '/usr/lib/postgresql', versions = existsSync(at) ? readdirSync(at).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((v) => good(join(at, v, 'bin'))).find(Boolean) ?? null;
}

/** A folder of programs whose initdb makes a cluster once and copies it from then on (initdb.sh). All its settings are those that
 * the server asks for. Null: the server uses the real ones. */
function programsThatCopy(folder) {
  const real = postgresPrograms(), kept = join(build, 'tests', 'clusters');
  if (!real) return null;
  try {
    mkdirSync(kept, { recursive: true });
    chmodSync(kept, 0o1777); // a server started as root becomes another user, who makes the cluster
  } catch (error) {
    if (!existsSync(kept)) return null;
  }
  mkdirSync(folder);
  for (const name of readdirSync(real)) if (name !== 'initdb') symlinkSync(join(real, name), join(folder, name));
  const script = readFileSync(join(root, 'tests/api/initdb.sh'), 'utf8');
  writeFileSync(join(folder, 'initdb'), script.replace('@REAL@', real).replace('@KEPT@', kept), { mode: 0o755 });
  return folder;
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const GIB = 2 ** 30;
/** Where farms are made: in memory where 4 GiB of it are free for files, because a new database is a thousand of them. Otherwise,
 * and where TMPDIR is set, on the disk. */
function scratch() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm'); // node 18.15
    const mount = readFileSync('/proc/mounts', 'utf8').split('\n').filter((l) => l.split(' ')[1] === '/dev/shm').at(-1);
    if (!process.env.TMPDIR && bavail * bsize >= 4 * GIB && !/\bnoexec\b/.test(mount)) return '/dev/shm';
  } catch { /* no such folder */ }
  return tmpdir();
}

/** A port that is still free after a restart: below the ports that the kernel assigns to other programs, and different for each running test. */
let ports = 0;
async function keptPort() {
  const first = 10240, end = Math.min(32768, Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t')[0]));
  for (let tries = 0; end > first && tries < 100; tries++) {
    const port = first + (process.pid * 37 + 11 * ports++) % (end - first), probe = createServer();
    const free = await new Promise((done) => probe.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)));
    if (!free) continue;
    await new Promise((closed) => probe.close(closed));
    return port;
  }
  return 0;
}

class Farm {
  constructor(options) {
    this.options = options;
    this.folder = mkdtempSync(join(scratch(), 'vivace-test-'));
    chmodSync(this.folder, 0o755); // a server started as root becomes another user, who needs access to the folder
    this.state = options.state ?? join(this.folder, 'state');
    this.workers = [];
    this.logs = [];
    this.programs = programsThatCopy(join(this.folder, 'postgres-bin'));
    this.postgres = this.programs ? { VIVACE_POSTGRES_BIN: this.programs } : {};
    running.add(this);
  }

  /** A database over TCP, if farms must have one and this farm has no other. */
  async startDatabase() {
    const kind = this.options.tcp ?? process.env.VIVACE_TEST_DATABASE;
    if (!kind || kind === 'private' || this.options.privateDatabase || this.options.state || this.options.database || this.options.args?.includes('--database')) return;
    if (kind !== 'tcp' && kind !== 'pooler') throw new Error(`VIVACE_TEST_DATABASE is private, tcp or pooler, not ${kind}`);
    if (!this.programs) throw new Error('PostgreSQL is not installed here');
    this.database = await startDatabase(join(this.folder, 'database'), this.programs, { pooler: kind === 'pooler' });
    this.options = { ...this.options, database: this.database.url };
  }

  /** Starts the server and waits for the line with its address. */
  async start() {
    if (!this.logs.length) await this.startDatabase();
    this.listen ??= `127.0.0.1:${this.options.port ?? await keptPort()}`;
    const log = join(this.folder, `server-${this.logs.length}.log`);
    const out = openSync(log, 'w');
    this.logs.push(log);
    this.server = spawn(program('vivace-server'),
      ['--listen', this.listen, ...patient, ...this.place(), ...(this.options.args ?? [])],
      { stdio: ['ignore', out, out], cwd: this.folder, env: { ...unlimited, ...process.env, ...this.postgres, ...this.options.env } });
    closeSync(out);
    this.exited = new Promise((done) => this.server.on('exit', (code, signal) => done({ code, signal })));
    let ended = null;
    this.exited.then((e) => { ended = e; });
    const address = await until('the server to listen', () => {
      if (ended) throw new Error(`vivace-server ended: ${JSON.stringify(ended)}\n${readFileSync(log, 'utf8')}`);
      return /^Vivace listens on (https?:\/\/\S+)$/m.exec(readFileSync(log, 'utf8'))?.[1];
    }, 60000, 20);
    this.listen = address.split('//')[1]; // the same port after a restart
    this.url = address;
    this.token = this.options.token ?? readFileSync(join(this.state, 'admin-token'), 'utf8').trim();
    for (let i = this.workers.length; i < (this.options.workers ?? 0); i++) this.startWorker();
    return this;
  }

  startWorker(args = []) {
    const folder = join(this.folder, `worker-${this.workers.length}`);
    const log = openSync(`${folder}.log`, 'w');
    const worker = spawn(program('vivace-worker'),
      ['--server', this.url, '--token-file', join(this.state, 'worker-token'), '--state', folder, '--slots', '2', ...args],
      { stdio: ['ignore', log, log], cwd: this.folder });
    closeSync(log);
    worker.log = `${folder}.log`;
    worker.ended = new Promise((done) => worker.on('exit', (code, signal) => done({ code, signal })));
    this.workers.push(worker);
    return worker;
  }

  /** Ends the server with a signal and waits for its end. After SIGKILL, PostgreSQL keeps running. */
  async kill(signal = 'SIGTERM') {
    this.server.kill(signal);
    return this.exited;
  }

  postgresPid() {
    const path = join(this.state, 'postgres/data/postmaster.pid');
    return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : 0;
  }

  /** Options for a child process that must run as the user of the private PostgreSQL. */
  asOwner() {
    const { uid, gid } = statSync(this.state);
    return { cwd: '/', env: { ...process.env, HOME: this.folder }, ...(process.getuid() === 0 ? { uid, gid } : {}) };
  }

  /** Arguments and environment with which psql connects to the database. */
  databaseUrl() {
    return (this.options.database ?? execFileSync(program('vivace-server'), ['database-url', '--state', this.state],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).trim();
  }

  /** Arguments of programs that use this farm's state beside its server. */
  place() {
    return ['--state', this.state, ...(this.database?.args ?? [])];
  }

  /** Runs SQL for which the farm's role has no rights in an external database, such as creating a role. */
  psqlAsAdmin(sql) {
    return this.database ? this.database.psql(this.database.admin, sql) : this.psql(sql);
  }

  /** The result of SQL: one row per line, columns separated by bars. */
  psql(sql) {
    return execFileSync('psql', [this.databaseUrl(), '-XAtq', '-v', 'ON_ERROR_STOP=1'],
      { encoding: 'utf8', input: sql, maxBuffer: 1 << 28, ...this.asOwner() }).trim();
  }

  /** Stops everything and removes the folder. */
  async stop() {
    for (const w of this.workers) if (w.exitCode === null && w.signalCode === null) w.kill('SIGKILL');
    await Promise.all(this.workers.map((w) => w.ended));
    if (this.server && this.server.exitCode === null && this.server.signalCode === null) await this.kill('SIGTERM');
    const pid = this.postgresPid();
    if (pid && alive(pid)) {
      process.kill(pid, 'SIGQUIT');
      await until('PostgreSQL to end', () => !alive(pid));
    }
    await this.database?.stop();
    stopped.push(this.logEnd());
    running.delete(this);
    if (!process.env.VIVACE_KEEP) rmSync(this.folder, { recursive: true, force: true });
  }

  log() {
    return this.logs.map((path) => readFileSync(path, 'utf8')).join('');
  }

  /** The name of the log, and its last lines. */
  logEnd() {
    return [`the log of the server at ${this.url ?? 'no address yet'}`, tail(this.log())];
  }

  /** The plain Response. body: object (sent as JSON), string or bytes. */
  request(method, path, body, headers = {}) {
    const url = path.startsWith('//') ? this.url + path.slice(1) : `${this.url}/api/v1${path}`;
    const all = { Authorization: `Bearer ${this.token}`, ...headers };
    for (const k of Object.keys(all)) if (all[k] === null) delete all[k];
    let content = body;
    if (body !== undefined && body !== null && typeof body === 'object' && !ArrayBuffer.isView(body)) {
      content = JSON.stringify(body);
      all['Content-Type'] ??= 'application/json';
    }
    return fetch(url, { method, headers: all, body: content });
  }

  /** The present value of a metric; 0 if the server does not report it. */
  async metric(name) {
    const text = await (await this.request('GET', '//metrics')).text();
    return Number(text.split('\n').find((l) => l.startsWith(`${name} `))?.split(' ')[1] ?? 0);
  }

  /** Waits until the server has `n` more claims than `before` (answered or waiting for work), so that a claim that was just sent has arrived. */
  claimsBeyond(before, n = 1) {
    return until(`${n} more claims`, async () => await this.metric('vivace_claims_total') >= before + n);
  }

  /** The parsed answer; a Problem is thrown for 4xx and 5xx. */
  async api(method, path, body, headers) {
    const response = await this.request(method, path, body, headers);
    const text = await response.text();
    if (!response.ok) {
      let parsed;
      try { parsed = JSON.parse(text); } catch { parsed = { detail: text }; }
      throw new Problem(response.status, parsed);
    }
    if (!text || !response.headers.get('content-type')?.startsWith('application/json')) return text;
    const value = JSON.parse(text), wrong = misfits(method, path, response.status, value);
    if (wrong.length) throw new Error(`${method} ${path} is not what the API document says: ${wrong.slice(0, 5).join('; ')}`);
    return value;
  }

  /** Sends a file (path or bytes) in pieces and finishes the upload; answers the import's id. */
  async upload(file, { name, workload } = {}) {
    const bytes = typeof file === 'string' ? readFileSync(file) : Buffer.from(file);
    const up = await this.api('POST', '/uploads', { name: name ?? file.split('/').pop(), bytes: bytes.length, ...(workload ? { workload } : {}) });
    for (const n of up.missing)
      await this.api('PUT', `/uploads/${up.id}/pieces/${n}`, bytes.subarray(n * up.piece_bytes, (n + 1) * up.piece_bytes));
    return (await this.api('POST', `/uploads/${up.id}/finish`)).import;
  }

  /** Waits until an import has ended, successfully or not. */
  imported(id, ms) {
    return until(`import ${id}`, async () => {
      const i = await this.api('GET', `/imports/${id}`);
      return i.state === 'ready' || i.state === 'failed' ? i : null;
    }, ms);
  }

  /** Uploads and imports a report; returns its profile. */
  async profile(file, options) {
    const i = await this.imported(await this.upload(file, options));
    if (i.state !== 'ready') throw new Error(`import failed: ${i.problem.detail}`);
    return this.api('GET', `/profiles/${i.profile}`);
  }

  /** Waits until a run is over. */
  finished(run, ms = 120000) {
    return until(`run ${run}`, async () => {
      // 503: the database is restarting, so the wait continues
      const r = await this.api('GET', `/runs/${run}`).catch((e) => { if (e.status !== 503) throw e; });
      return r && ['done', 'failed', 'cancelled'].includes(r.state) ? r : null;
    }, ms, 100);
  }
}

export async function startFarm(options = {}) {
  const farm = new Farm(options);
  try {
    return await farm.start();
  } catch (error) {
    await farm.stop().catch(() => {});
    throw error;
  }
}

/** Size of a file in bytes. */
export const bytesOf = (path) => statSync(path).size;
