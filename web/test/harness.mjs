// harness.mjs: starts Chromium for tests, and has the checks that every browser test uses.
import nodeTest, { after, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VARIABLE } from '../bundle.mjs';
import { startFarm } from '../../tests/api/harness.mjs';
import { closeContexts, keepEvidence, openContexts, record } from './evidence.mjs';
import { startMock } from './mock.mjs';
import { LIMIT_MS, patience, SLOW, testClock } from './patience.mjs';

export { becomes, load, patience, RECONNECT_MS, SIMULATION_MS, until, within } from './patience.mjs';

export const BUILD = process.env.VIVACE_BUILD ?? 'build';
export const WEB_DIR = join(BUILD, 'web');
const require = createRequire(join(BUILD, 'web-check', 'package.json'));
const { chromium } = require('playwright-core');
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Screenshots are for human readers and cost half of the time of these tests. They are taken only with PHOTOGRAPHS=1. */
export const PHOTOGRAPHS = process.env.PHOTOGRAPHS === '1';
export const SHOTS = join(BUILD, 'web-shots');
mkdirSync(SHOTS, { recursive: true });

export const launch = () => chromium.launch({
  executablePath: execFileSync('sh', [fileURLToPath(new URL('chromium', import.meta.url))], { encoding: 'utf8' }).trim(), timeout: patience(30000),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** The default timeout of open contexts follows the load. */
setInterval(() => { for (const context of openContexts()) context.setDefaultTimeout(patience()); }, 1000).unref();

/** A step of a test has failed and left its evidence: the steps after it are not run. */
class StepFailed extends Error {}

/** Runs the body of a test within its time limit. After a failure, writes the evidence before the pages close.
 * @param {any} t @param {string} name @param {number} limitMs @param {(t: any) => unknown} body */
async function guarded(t, name, limitMs, body) {
  const before = openContexts(), began = Date.now(), ran = () => Date.now() - began, past = testClock();
  const runStep = t.test.bind(t);
  t.test = async (/** @type {string} */ step, /** @type {any} */ ...rest) => {
    const [options, stepBody] = optionsAndBody(rest);
    let failed = false;
    await runStep(step, options, (/** @type {any} */ inner) => guarded(inner, `${name}, ${step}`, limitMs, stepBody).catch((e) => {
      failed = true;
      throw e;
    }));
    if (failed) throw new StepFailed(`the step "${step}" failed`);
  };
  let timer;
  const late = new Promise((_, fail) => {
    timer = setInterval(() => { if (past() > limitMs) fail(new Error(`the test ran longer than its limit: ${ran()} ms`)); }, 250);
  });
  try {
    await Promise.race([body(t), late]);
  } catch (error) {
    if (!(error instanceof StepFailed)) t.diagnostic(`evidence: ${await keepEvidence(name, error, ran())}`);
    await closeContexts(openContexts().filter((context) => !before.includes(context)));
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** The bundle that contains a module of web/: import(file) in the page gives an object with the module under `name`. @param {string} path as in web/ */
export function moduleAt(path) {
  const name = VARIABLE(path), assets = join(WEB_DIR, 'assets');
  const file = readdirSync(assets, { recursive: true }).find((p) => p.endsWith('.js') && readFileSync(join(assets, p), 'utf8').includes(`const ${name} = (`));
  if (!file) throw new Error(`no file of ${assets} has web/${path}`);
  return { file: `/assets/${file}`, name };
}

/** @param {any[]} rest @returns {[any, any]} */
const optionsAndBody = (rest) => (typeof rest[0] === 'function' ? [{}, rest[0]] : [rest[0], rest[1]]);

/** The `test` of node:test, with a time limit and with evidence of a failure. Hooks of node 18 do not know whether a test failed, so the body is
 * wrapped. `limitMs`: the longest that the test may take on a quiet machine. @param {string} name @param {any} rest options, body */
export function test(name, ...rest) {
  const [{ limitMs = LIMIT_MS, ...options }, body] = optionsAndBody(rest);
  return nodeTest(name, options, (t) => guarded(t, name, limitMs, body));
}
export default test;

/** Chromium and the servers of a file of tests, which end with the file. `mock`: the invented server, whose data are new
 * for each test; `farm`: a real one, started with the options of startFarm. */
export async function stage({ mock: invented = true, farm: options } = {}) {
  const browser = await launch();
  const mock = invented ? await startMock(WEB_DIR) : null;
  if (mock) beforeEach(mock.reset);
  const farm = options ? await startFarm({ ...options, args: ['--test-web-dir', WEB_DIR, ...(options.args ?? [])] }) : null;
  after(async () => {
    await browser.close();
    await mock?.close();
    await farm?.stop();
  });
  return { browser, mock, farm };
}

/** A page whose visitor is logged in with the owner's token. first_visit.test.mjs tests the login page itself. */
export async function enter(browser, farm, options) {
  const opened = await openPage(browser, farm.url, options);
  const answer = await opened.context.request.post('/api/v1/session', { data: { token: farm.token }, headers: { 'X-Vivace-Request': '1' } });
  if (!answer.ok()) throw new Error(`the owner's token opens no session: ${answer.status()}`);
  return opened;
}

/** Runs in the page and records each toast: a toast disappears after some seconds, and a slow machine may look for it later. */
function noteToasts() {
  globalThis.toasts = [];
  new MutationObserver(() => {
    const text = document.querySelector('.toast')?.textContent;
    if (text && globalThis.toasts.at(-1) !== text) globalThis.toasts.push(text);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
/** Waits until a toast has shown this text since the page was loaded. @param {string} text */
export const said = (page, text) => page.waitForFunction((t) => globalThis.toasts.some((x) => x.includes(t)), text);

/** Opens a page in a context of its own. Records the messages of its console, its errors, and its requests to other hosts. */
export async function openPage(browser, origin, { theme = 'light', width = 1400, height = 1000, ...rest } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin', baseURL: origin, ...rest });
  context.setDefaultTimeout(patience());
  record(context);
  await context.addInitScript(noteToasts);
  const page = await context.newPage();
  if (SLOW > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  const seen = { console: [], errors: [], foreign: [] };
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) seen.console.push(m.text()); });
  page.on('pageerror', (e) => seen.errors.push(String(e.stack ?? e)));
  context.on('request', (r) => {
    const url = new URL(r.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) seen.foreign.push(r.url());
  });
  return { context, page, seen };
}

/** Gives the page this theme and this window size. If the tests of a file share one visitor, the files are in the cache from the second page on, which then takes a fifth of the time of the first. */
export async function look(page, { theme = 'light', width = 1400, height = 1000 } = {}) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
}

/** Violations that axe finds, as lines. `rules`: only these rules. `within`: only inside this element. Its script is evaluated by the browser's debugger, so the content policy stays as it is. */
export async function axe(page, rules, within) {
  await page.evaluate(axeSource);
  const runOnly = rules ? { type: 'rule', values: rules } : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate(([only, part]) => globalThis.axe.run(part ?? document, { runOnly: only }), [runOnly, within]);
  return violations.flatMap((v) => v.nodes.slice(0, 4).map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary.split('\n').slice(1, 3).join(' ').trim()}`));
}

export const shot = async (page, name) => PHOTOGRAPHS && page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
/** Waits until nothing is being fetched and the pictures are drawn, for three frames: work that starts after an answer has then started. */
export async function settled(page) {
  await page.evaluate(() => { globalThis.calm = 0; });
  await page.waitForFunction(() => {
    const calm = document.querySelector('h1') && !document.querySelector('.skeleton, .scoring') && [...document.querySelectorAll('.host')].every((h) => h.querySelector('svg'));
    globalThis.calm = calm ? (globalThis.calm ?? 0) + 1 : 0;
    return globalThis.calm >= 3;
  });
}
export const policyLines = (seen) => seen.console.filter((t) => /Content Security Policy|Refused to/i.test(t));

/** Checks what no page may do. `allowed`: what the console may say in this test. */
export function assertClean(seen, allowed = []) {
  assert.deepEqual(policyLines(seen), [], 'the content policy was broken');
  assert.deepEqual(seen.foreign, [], 'a request left the host');
  assert.deepEqual(seen.errors, [], 'a script failed');
  assert.deepEqual(seen.console.filter((l) => !allowed.some((a) => a.test(l))), []);
}
/** The browser's console reports each refused request itself. */
export const UNKNOWN_VISITOR = /401 \(Unauthorized\)/;
