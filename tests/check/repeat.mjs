// Runs each file of API or browser tests many times, under three conditions, and prints one table of failures:
//   node tests/check/repeat.mjs api|web|table      (make check-api REPEAT=10, make check-web REPEAT=20, make repeat-table)
//
// Conditions:
//   quiet no other load is started
//   load    eight busy processes run beside the tests, at normal priority
//   slow    scripts run six times slower: of the page for browser tests (SLOW=6, web/test/harness.mjs), of the test's own
//           process for API tests (it runs 10 ms and is stopped 50 ms, again and again; its servers run at full speed)
//
// Settings (environment, or variables of make):
//   REPEAT           runs of each file under each condition; 0 prints the table only
//   CONDITIONS       "quiet load slow"
//   NODE_TESTS, BROWSER_TESTS   some files instead of all
//   REPEAT_JOBS      files at once (2)
//   REPEAT_LOAD      busy processes under load (8)
//   REPEAT_LIMIT_S   time limit of one run (600 s; five times this under load, six times when slow); a run that reaches it has
// failed
//   REPEAT_MINUTES   start no more runs after this time
//   RESUME=0         do not count the runs that are recorded already
//   SINCE=COMMIT     count and show the runs recorded at COMMIT and after it, not those of the current commit only
//
// Each run is a line of $VIVACE_BUILD/repeat/<suite>.jsonl. The output of failed runs is kept in $VIVACE_BUILD/repeat/<suite>/.
// SIGINT and SIGTERM end everything that was started; the table of the finished runs is still printed.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, readlinkSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CONDITIONS, plan, table } from './repeat_table.mjs';

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, '../..');
const env = process.env;
const build = resolve(root, env.VIVACE_BUILD || 'build');
const SUITES = {
  api: { title: 'API tests', folder: 'tests/api', files: env.NODE_TESTS },
  web: { title: 'browser tests', folder: 'web/test/browser', files: env.BROWSER_TESTS },
};
const LIMIT_FACTOR = { quiet: 1, load: 5, slow: 6 };
const RUN_MS = 10, STOPPED_MS = 50;
/** How long a test may take to end after SIGTERM, and its processes after each signal. */
const END_MS = 10000, SIGNAL_MS = 3000;
/** How long servers may take to end after the test did. */
const GRACE_MS = 3000;

function setting(name, otherwise, least = 1) {
  const value = env[name] ? Number(env[name]) : otherwise;
  if (!Number.isFinite(value) || value < least) {
    console.error(`repeat: ${name}=${env[name]} is no number from ${least}`);
    process.exit(64);
  }
  return value;
}

// --- records ---
const git = (...args) => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
};
const recordsFile = (suite) => join(build, 'repeat', `${suite}.jsonl`);

/** The commits whose records count. */
function commitsWanted(commit) {
  if (!env.SINCE) return new Set([commit]);
  const since = git('rev-parse', '--verify', '--quiet', `${env.SINCE}^{commit}`);
  if (!since) {
    console.error(`repeat: SINCE=${env.SINCE} is no commit`);
    process.exit(64);
  }
  return new Set([commit, since, ...git('rev-list', `${since}..HEAD`).split('\n')]);
}

function readRecords(suite, commits) {
  if (!existsSync(recordsFile(suite))) return [];
  const lines = readFileSync(recordsFile(suite), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter((r) => commits.has(r.commit));
}

// --- processes ---
/** Processes of a run: they have its mark in their environment, or work in its temporary folder. */
function processesOf(run) {
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)) {
    if (pid === process.pid) continue;
    const read = (get) => {
      try {
        return get();
      } catch {
        return ''; // the process has ended meanwhile, or is another user's
      }
    };
    const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    if (!command) continue; // a zombie, or a kernel thread
    const folder = read(() => readlinkSync(`/proc/${pid}/cwd`));
    if (`\0${read(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))}`.includes(`\0VIVACE_REPEAT_RUN=${run.mark}\0`)
      || folder === run.folder || folder.startsWith(`${run.folder}/`)) found.push({ pid, command });
  }
  return found;
}

async function waitUntilGone(run, ms) {
  const end = Date.now() + ms;
  let left = processesOf(run);
  while (left.length && Date.now() < end) {
    await sleep(50);
    left = processesOf(run);
  }
  return left;
}

/** Ends the processes of a run. PostgreSQL is among them: SIGINT ends it although it has clients. */
async function endProcesses(run) {
  let left = processesOf(run);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL']) {
    for (const { pid } of left) {
      for (const s of ['SIGCONT', signal]) {
        try {
          process.kill(pid, s);
        } catch { /* it has ended */ }
      }
    }
    if (left.length) left = await waitUntilGone(run, SIGNAL_MS);
  }
}

/** Ends a child that was started with `detached`, and its children. */
function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch { /* it has ended */ }
}

/** Busy processes. They end with this one, even if it is killed. */
function startLoad(count) {
  const script = 'while kill -0 "$1" 2>/dev/null; do i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; done';
  const busy = Array.from({ length: count }, () => spawn('sh', ['-c', script, 'busy', String(process.pid)], { stdio: 'ignore', detached: true }));
  return () => busy.forEach(endGroup);
}

/** The process runs a sixth of the time. If this process is killed, a guard lets the stopped process continue. */
function slowDown(child) {
  let stopped = false, timer;
  const turn = () => {
    stopped = !stopped;
    child.kill(stopped ? 'SIGSTOP' : 'SIGCONT');
    timer = setTimeout(turn, stopped ? STOPPED_MS : RUN_MS);
  };
  timer = setTimeout(turn, RUN_MS);
  const script = 'while kill -0 "$1" && kill -0 "$2"; do sleep 1; done 2>/dev/null; kill -CONT "$2" 2>/dev/null && kill -TERM "$2"';
  const guard = spawn('sh', ['-c', script, 'guard', String(process.pid), String(child.pid)], { stdio: 'ignore', detached: true });
  return () => {
    clearTimeout(timer);
    endGroup(guard);
    child.kill('SIGCONT');
  };
}

// --- one run ---
const active = new Set();
let interrupted = null, runs = 0;

function testEnvironment(suite, condition, run) {
  const e = { ...env, VIVACE_BUILD: build, VIVACE_REPEAT_RUN: run.mark, TMPDIR: run.folder };
  delete e.NODE_TEST_CONTEXT;
  if (suite === 'web' && condition === 'slow') e.SLOW = '6';
  return e;
}

/** Names of failed tests in a log (tests/check/count.awk). */
function failingTests(log, code) {
  const lines = execFileSync('awk', ['-v', `code=${code}`, '-v', 'expect=1', '-f', join(here, 'count.awk'), log], { encoding: 'utf8' });
  return lines.split('\n').filter((line) => line.startsWith('failing ')).map((line) => line.slice('failing '.length));
}

/** Where tests put their farms (scratch in tests/api/harness.mjs): in memory, if there is room and TMPDIR is not set. The tests get a TMPDIR of their own there, so that it is removed completely after a run. */
function scratch() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    const mount = readFileSync('/proc/mounts', 'utf8').split('\n').filter((line) => line.split(' ')[1] === '/dev/shm').at(-1);
    if (!env.TMPDIR && bavail * bsize >= 4 * 2 ** 30 && !/\bnoexec\b/.test(mount)) return '/dev/shm';
  } catch { /* there is no such folder */ }
  return tmpdir();
}

/** Runs a file once. @returns the record, or null if it was interrupted */
async function runFile(suite, file, condition, limit_s) {
  const at = new Date();
  const run = { mark: `${process.pid}-${++runs}`, folder: mkdtempSync(join(scratch(), 'vivace-repeat-')) };
  chmodSync(run.folder, 0o755); // a server started as root becomes another user, who must be able to enter
  const log = join(build, 'repeat', suite, `${basename(file, '.test.mjs')}.${condition}.${at.toISOString().replace(/[-:]/g, '').slice(0, 15)}.${run.mark}.log`);
  const out = openSync(log, 'w');
  writeSync(out, `# Test file: ${file}\n`);
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', join(here, 'on_term.cjs'), '--test-reporter=tap', resolve(root, file)], { cwd: root, detached: true, stdio: ['ignore', out, out], env: testEnvironment(suite, condition, run) });
  const exited = new Promise((done) => {
    child.on('exit', (exit, signal) => done({ exit, signal }));
    child.on('error', (error) => { writeSync(out, `${error}\n`); done({ exit: 127, signal: null }); });
  });
  const endSlow = condition === 'slow' && suite === 'api' && child.pid ? slowDown(child) : () => {};
  let limitReached = false;
  run.end = async () => {
    endSlow();
    child.kill('SIGTERM'); // tests/check/on_term.cjs
    if (!await Promise.race([exited, sleep(END_MS, null, { ref: false })])) child.kill('SIGKILL');
  };
  active.add(run);
  const limit = setTimeout(() => { limitReached = true; run.end(); }, limit_s * 1000);
  const { exit, signal } = await exited;
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  clearTimeout(limit);
  endSlow();
  const left = await waitUntilGone(run, interrupted || limitReached ? 0 : GRACE_MS);
  await endProcesses(run);
  active.delete(run);
  const code = signal ? 128 + constants.signals[signal] : exit;
  if (code) writeSync(out, `\n# Exit: ${code}\n`);
  closeSync(out);
  rmSync(run.folder, { recursive: true, force: true, maxRetries: 3 });
  if (interrupted) {
    rmSync(log);
    return null;
  }
  let failing = failingTests(log, code);
  if (limitReached) failing = [`${file}: time limit of ${limit_s} s reached`, ...failing.filter((name) => !name.endsWith('(not begun)'))];
  const ok = !failing.length;
  if (ok) rmSync(log);
  return {
    file, condition, at: at.toISOString(), seconds, ok, exit, signal, ...(limitReached && { limit_s }), failing,
    ...(left.length && !limitReached && { left: left.map((p) => p.command.slice(0, 80)) }), ...(!ok && { log: relative(root, log).startsWith('..') ? log : relative(root, log) }),
  };
}

// --- all runs ---
async function runAll(suite, { files, conditions, repeat, commit, changed, records }) {
  const jobs = setting('REPEAT_JOBS', 2), load = setting('REPEAT_LOAD', 8), limit_s = setting('REPEAT_LIMIT_S', 600);
  const end = env.REPEAT_MINUTES ? Date.now() + setting('REPEAT_MINUTES', 0, 0) * 60000 : Infinity;
  const phases = plan({ files, conditions, repeat, records: env.RESUME === '0' ? [] : records });
  const total = phases.reduce((n, phase) => n + phase.files.length, 0);
  const over = () => interrupted || Date.now() >= end;
  let done = 0;
  mkdirSync(join(build, 'repeat', suite), { recursive: true });
  console.log(`${total} runs of ${SUITES[suite].title} to do; ${records.length} are recorded`);
  for (const { condition, files: waiting } of phases) {
    if (over()) break;
    const endLoad = condition === 'load' ? startLoad(load) : () => {};
    stopLoad = endLoad;
    const job = async () => {
      while (waiting.length && !over()) {
        const record = await runFile(suite, waiting.shift(), condition, limit_s * LIMIT_FACTOR[condition]);
        if (!record) return;
        const kept = { ...record, commit, changed };
        records.push(kept);
        appendFileSync(recordsFile(suite), `${JSON.stringify(kept)}\n`);
        console.log(`${record.ok ? 'ok      ' : 'FAILED  '}${++done}/${total} ${condition} ${record.file}: ${record.seconds} s`);
        for (const name of record.failing) console.log(`          ${name}`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, job));
    endLoad();
  }
  if (done < total) console.log(`${total - done} runs remain: repeat the command to continue`);
}

let stopLoad = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (interrupted) return;
    interrupted = signal;
    stopLoad();
    for (const run of active) run.end();
  });
}
process.stdout.on('error', () => {}); // the reader of this output may end first

async function main([what]) {
  const suites = what === 'table' ? Object.keys(SUITES) : [what];
  if (!suites.every((s) => s in SUITES)) {
    console.error('usage: node tests/check/repeat.mjs api|web|table');
    process.exit(64);
  }
  const conditions = (env.CONDITIONS || CONDITIONS.join(' ')).split(/\s+/).filter(Boolean);
  const unknown = conditions.find((c) => !CONDITIONS.includes(c));
  if (unknown) {
    console.error(`repeat: CONDITIONS: '${unknown}' is not one of ${CONDITIONS.join(', ')}`);
    process.exit(64);
  }
  const commit = git('rev-parse', 'HEAD') ?? 'unknown', commits = commitsWanted(commit);
  const changed = Boolean(git('status', '--porcelain', '--untracked-files=no'));
  let failed = false;
  for (const suite of suites) {
    const { title, folder, files: named } = SUITES[suite];
    const records = readRecords(suite, commits);
    const repeat = what === 'table' ? 0 : setting('REPEAT', 0, 0);
    if (repeat) {
      const files = named?.trim() ? named.trim().split(/\s+/).map((f) => (isAbsolute(f) ? relative(root, f) : f))
        : readdirSync(join(root, folder)).filter((f) => f.endsWith('.test.mjs')).sort().map((f) => `${folder}/${f}`);
      const missing = files.find((f) => !existsSync(resolve(root, f)));
      if (missing) {
        console.error(`repeat: no file ${missing}`);
        process.exit(64);
      }
      await runAll(suite, { files, conditions, repeat, commit, changed, records });
    }
    process.stdout.write(`\n${table(records, title)}`);
    failed ||= records.some((r) => !r.ok);
  }
  process.exitCode = interrupted ? 128 + constants.signals[interrupted] : Number(failed);
}
await main(process.argv.slice(2));
