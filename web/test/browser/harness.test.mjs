// Tests of the harness: a failing test ends soon and leaves the evidence that is needed to find the cause.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, test } from '../harness.mjs';

const HARNESS = fileURLToPath(new URL('../harness.mjs', import.meta.url));
const BUILD = resolve(process.env.VIVACE_BUILD ?? 'build');
const failed = join(BUILD, 'web-check', 'failed');
const DEADLINE_MS = 15000;

/** Runs a file of tests in a process of its own, as `node --test` does. Returns the duration of each test by its name, the output, and the folders of evidence. */
function run(name, content) {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-harness-')), factor = load();
  const ours = () => readdirSync(failed).filter((f) => f.startsWith(`${name}-`));
  try {
    writeFileSync(join(folder, `${name}.test.mjs`), content);
    const env = { ...process.env, VIVACE_BUILD: BUILD, SLOW: '1', LATE_MS: '0', LOAD_FACTOR: String(factor) };
    delete env.NODE_TEST_CONTEXT; // otherwise the child reports to the process that runs this file
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', join(folder, `${name}.test.mjs`)], { env, encoding: 'utf8' });
    const durations = Object.fromEntries([...stdout.matchAll(/^ *(?:not )?ok \d+ - (.*)\n +---\n +duration_ms: ([\d.]+)/gm)].map(([, test, ms]) => [test, Number(ms)]));
    const evidence = Object.fromEntries(ours().map((f) => [f.slice(name.length + 1), Object.fromEntries(readdirSync(join(failed, f)).map((n) => [n, readFileSync(join(failed, f, n))]))]));
    return { status, durations, evidence, printed: stdout + stderr, deadline: DEADLINE_MS * factor };
  } finally {
    for (const f of ours()) rmSync(join(failed, f), { recursive: true });
    rmSync(folder, { recursive: true });
  }
}

const FAILS = `
import { openPage, patience, settled, stage, test } from '${HARNESS}';
const { browser, mock } = await stage();
test('waits for what never comes', async () => {
  const { page } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await page.locator('h1').waitFor();
  await settled(page); // later requests of the page would displace the requests below from the log, which keeps only the last ones
  await page.evaluate(() => { console.warn('a line of the console'); setTimeout(() => { throw new Error('an error of the page'); }); });
  await page.evaluate(async () => (await fetch('/api/v1/never')).text());
  mock.hold = (path) => (path === '/api/v1/held' ? new Promise(() => {}) : undefined);
  await page.evaluate(() => { fetch('/api/v1/held'); });
  await page.getByText('this is nowhere').waitFor();
});
test('the page does not answer', async () => {
  const { page } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  page.evaluate(() => { for (;;); }).catch(() => {});
  await page.getByText('this is nowhere').waitFor({ timeout: patience(1000) });
});
test('runs longer than its limit', { limitMs: 1000 }, () => new Promise(() => {}));
test('has steps', async (t) => {
  await t.test('a step that fails', () => { throw new Error('on purpose'); });
  await t.test('a step after it', () => { console.log('this must not run'); });
});
test('passes', async () => {});
`;

test('a failing test ends within 15 s, and leaves a screenshot, the DOM, console, errors and requests', async (t) => {
  const { status, durations, evidence, printed, deadline } = run('fails_on_purpose', FAILS);
  t.diagnostic(JSON.stringify(durations));
  assert.notEqual(status, 0);
  assert.deepEqual(Object.keys(evidence).sort(), ['has-steps-a-step-that-fails', 'runs-longer-than-its-limit', 'the-page-does-not-answer', 'waits-for-what-never-comes'], printed);
  for (const name of ['waits for what never comes', 'the page does not answer', 'runs longer than its limit']) assert.ok(durations[name] < deadline, `${name}: ${durations[name]} ms of ${deadline}`);
  const kept = evidence['waits-for-what-never-comes'];
  assert.deepEqual(Object.keys(kept).sort(), ['error.txt', 'page-1.html', 'page-1.png', 'pages.json']);
  const png = kept['page-1.png'];
  assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  assert.equal(png.subarray(-8, -4).toString(), 'IEND', 'it is whole');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1400, 1000]);
  assert.match(kept['page-1.html'].toString(), /^<html[\s\S]*<h1/);
  assert.match(kept['error.txt'].toString(), /this is nowhere[\s\S]*fails_on_purpose\.test\.mjs/);
  const [page] = JSON.parse(kept['pages.json'].toString());
  assert.match(page.address, /^http:\/\/127\.0\.0\.1:\d+\/plans\/p1$/);
  assert.ok(page.console.some((l) => l.startsWith('warning: a line of the console')), page.console.join('\n'));
  assert.ok(page.errors.some((l) => l.includes('an error of the page')), page.errors.join('\n'));
  const request = (path) => page.requests.find((r) => r.address.endsWith(path));
  assert.deepEqual([request('/api/v1/never').method, request('/api/v1/never').status, request('/api/v1/never').pending], ['GET', 404, false]);
  assert.deepEqual([request('/api/v1/held').status, request('/api/v1/held').pending], [null, true]);
  assert.ok(request('/api/v1/held').duration_ms > 1000 && page.requests.length <= 50);
  assert.ok(printed.includes(join(failed, 'fails_on_purpose-waits-for-what-never-comes')), printed);
  assert.ok(evidence['the-page-does-not-answer']['pages.json'].toString().includes('/plans/p1'), 'evidence that needs no answer from the page exists');
  assert.ok(!printed.includes('this must not run'), 'steps after one that failed are not run');
  assert.match(printed, /^ok \d+ - passes/m);
});

test('a file of tests empties its own folders at its start, and a passing test leaves none', async () => {
  const content = (fails) => `import { test } from '${HARNESS}'; test('once', () => { if (${fails}) throw new Error('on purpose'); });`;
  const other = join(failed, 'passes_again2-other');
  const stale = join(failed, 'passes_again-stale');
  mkdirSync(other, { recursive: true });
  mkdirSync(stale, { recursive: true });
  assert.deepEqual(Object.keys(run('passes_again', content(false)).evidence), []);
  assert.deepEqual([existsSync(stale), existsSync(other)], [false, true]);
  rmSync(other, { recursive: true });
  assert.deepEqual(Object.keys(run('passes_again', content(true)).evidence), ['once']);
});
