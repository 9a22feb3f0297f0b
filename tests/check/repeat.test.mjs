// Repeated runs of small files that pass, fail, hang and leave something running. (The table: repeat_table.test.mjs.)
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'vivace-repeat-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  passes: '',
  fails: "test('outer', (t) => t.test('inner', () => { throw new Error('no'); }));",
  hangs: "import { writeFileSync } from 'node:fs'; writeFileSync(`${process.env.VIVACE_BUILD}/begun`, ''); test('waits for ever', () => new Promise((done) => setTimeout(done, 1e8)));\ntest('not begun', () => {});",
  leaves: "import { spawn } from 'node:child_process'; spawn('sleep', ['1234'], { detached: true, stdio: 'ignore' }).unref();",
  computes: `let n = 0; for (const end = process.cpuUsage().user + 300000; process.cpuUsage().user < end;) n++;`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.mjs`), `import { test } from 'node:test';\ntest('passes', () => {});\n${text}\n`);

const LONG = { timeout: 300000 };
let builds = 0;
function repeat(names, settings) {
  const build = settings.VIVACE_BUILD ?? join(folder, `build${++builds}`);
  const env = { ...process.env, CONDITIONS: 'quiet', REPEAT: '1', REPEAT_LOAD: '1', VIVACE_BUILD: build, NODE_TESTS: names.map((n) => join(folder, `${n}.test.mjs`)).join(' '), SINCE: '', RESUME: '', REPEAT_MINUTES: '', ...settings };
  const child = spawn(process.execPath, [join(dirname(fileURLToPath(import.meta.url)), 'repeat.mjs'), 'api'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => { output += data; });
  const ended = new Promise((done) => child.on('close', (code) => {
    const file = join(build, 'repeat/api.jsonl');
    done({ code, output, records: existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : [] });
  }));
  return { child, ended, build };
}
const named = (records, name) => records.find((r) => r.file.endsWith(`${name}.test.mjs`));
/** Other processes that have this text in their environment. */
const processesWith = (text) => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid).filter((pid) => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
  } catch {
    return false;
  }
});

test('runs that pass, fail and leave processes running', LONG, async () => {
  const { ended, build } = repeat(['passes', 'fails', 'leaves'], { REPEAT_JOBS: '3' });
  const { code, output, records } = await ended;
  assert.deepEqual([code, records.length, named(records, 'passes').ok], [1, 3, true]);
  const failed = named(records, 'fails');
  assert.equal(failed.failing.length, 1);
  assert.match(failed.failing[0], /fails\.test\.mjs: outer > inner$/);
  assert.match(readFileSync(failed.log, 'utf8'), /not ok 1 - inner/);
  assert.match(output, /1 of 1, quiet: .*outer > inner/);
  assert.deepEqual([named(records, 'leaves').ok, named(records, 'leaves').left], [true, ['sleep 1234']]);
  assert.deepEqual(readdirSync(join(build, 'repeat/api')).length, 1, 'the logs of failed runs are kept');
  assert.deepEqual(processesWith(build), []);
});

test('a run that reaches the time limit', LONG, async () => {
  const { ended, build } = repeat(['hangs'], { REPEAT_LIMIT_S: '10' }); // a loaded machine needs part of this time to start node
  const { code, records: [hung] } = await ended;
  assert.equal(code, 1);
  assert.match(hung.failing.join('\n'), /^.*hangs\.test\.mjs: time limit of 10 s reached\n.*hangs\.test\.mjs: waits for ever$/);
  assert.deepEqual(processesWith(build), []);
});

test('a recorded run is not repeated', LONG, async () => {
  const first = repeat(['passes'], {}), { records: [once] } = await first.ended;
  // A commit may be made while the test runs.
  const settings = { VIVACE_BUILD: first.build, ...(once.commit !== 'unknown' && { SINCE: once.commit }) };
  const more = await repeat(['passes'], { ...settings, REPEAT: '3' }).ended;
  assert.equal(more.code, 0);
  assert.match(more.output, /^2 runs of API tests to do; 1 are recorded\n/);
  assert.equal(more.records.length, 3);
  const table = await repeat(['passes'], { ...settings, REPEAT: '0' }).ended;
  assert.match(table.output, /^all +3 +0$/m);
});

test('slow: the process runs a sixth of the time', LONG, async () => {
  const { records } = await repeat(['computes'], { CONDITIONS: 'slow' }).ended;
  assert.equal(records[0].ok, true);
  assert.ok(records[0].seconds >= 0.8, `0.3 s of computing took ${records[0].seconds} s`);
});

test('a signal ends everything; the table of the finished runs is printed', LONG, async () => {
  const { child, ended, build } = repeat(['passes', 'hangs'], { CONDITIONS: 'quiet load slow', REPEAT_JOBS: '1' });
  // `quiet` passes; `quiet hangs` is ended here: the second time under load, the third time while the process is stopped.
  while (!existsSync(join(build, 'repeat/api.jsonl'))) await sleep(20);
  child.kill('SIGTERM');
  const { code, output, records } = await ended;
  assert.deepEqual([code, records.length], [143, 1]);
  assert.match(output, /^all +1 +0$/m);
  assert.deepEqual(processesWith(build), []);
  for (const condition of ['load', 'slow']) {
    const again = repeat(['hangs'], { CONDITIONS: condition });
    while (!existsSync(join(again.build, 'begun'))) await sleep(20);
    again.child.kill('SIGINT');
    const { code: status, records: none } = await again.ended;
    assert.deepEqual([status, none], [130, []]);
    assert.deepEqual(processesWith(again.build), []);
  }
});
