// evidence.mjs: what a failed browser test leaves in $VIVACE_BUILD/web-check/failed/<file>-<test>/: the error, and of each
// open page a screenshot, the DOM, its address, console, errors and last requests.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { load, patience } from './patience.mjs';

const KEPT_REQUESTS = 50;
const KEPT_LINES = 500;
/** The test must end even if the browser does not answer. */
const EVIDENCE_MS = 3000;
const CLOSE_MS = 1000;

const file = basename(process.argv[1] ?? 'unknown').replace(/(\.test)?\.mjs$/, '');
const FAILED = join(process.env.VIVACE_BUILD ?? 'build', 'web-check', 'failed');
mkdirSync(FAILED, { recursive: true });
for (const name of readdirSync(FAILED)) if (name.startsWith(`${file}-`)) rmSync(join(FAILED, name), { recursive: true, force: true });

/** Open contexts, each with its log. @type {Map<import('playwright-core').BrowserContext, Log>} */
const contexts = new Map();
/** @typedef {{ console: any[], errors: any[], requests: any[] }} Log */

/** @template T @param {T[]} list @param {T} item @param {number} most */
function append(list, item, most) {
  list.push(item);
  if (list.length > most) list.shift();
}

/** From now on the context's console, errors and requests are noted. @param {import('playwright-core').BrowserContext} context */
export function record(context) {
  /** @type {Log} */
  const log = { console: [], errors: [], requests: [] };
  const started = new Map();
  contexts.set(context, log);
  context.on('close', () => contexts.delete(context));
  context.on('console', (m) => append(log.console, { page: m.page(), line: `${m.type()}: ${m.text()} (${m.location().url}:${m.location().lineNumber})` }, KEPT_LINES));
  context.on('weberror', (e) => append(log.errors, { page: e.page(), line: String(e.error().stack ?? e.error()) }, KEPT_LINES));
  context.on('request', (request) => {
    const entry = { method: request.method(), address: request.url(), status: null, began: Date.now(), duration_ms: null, pending: true, failure: null };
    started.set(request, entry);
    append(log.requests, entry, KEPT_REQUESTS);
  });
  context.on('response', (response) => {
    const entry = started.get(response.request());
    if (entry) entry.status = response.status();
  });
  const ended = (/** @type {import('playwright-core').Request} */ request) => {
    const entry = started.get(request);
    if (!entry) return;
    started.delete(request);
    Object.assign(entry, { pending: false, duration_ms: Date.now() - entry.began, failure: request.failure()?.errorText ?? null });
  };
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);
}

/** The contexts that are open now. */
export const openContexts = () => [...contexts.keys()];

/** Waits for the work, at most for its time limit. @param {Promise<unknown>} work @param {number} ms */
const bounded = (work, ms) => new Promise((done) => {
  const timer = setTimeout(done, patience(ms));
  work.catch(() => {}).finally(() => {
    clearTimeout(timer);
    done();
  });
});

const used = new Set();
/** @param {string} name */
function folderOf(name) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 80);
  let folder = join(FAILED, `${file}-${slug}`);
  for (let n = 2; used.has(folder); n += 1) folder = join(FAILED, `${file}-${slug}-${n}`);
  used.add(folder);
  return folder;
}

/** Writes the evidence of a failed test. Returns the folder. @param {string} name of the test @param {unknown} error @param {number} ranMs */
export async function keepEvidence(name, error, ranMs) {
  const folder = folderOf(name), now = Date.now();
  mkdirSync(folder, { recursive: true });
  const text = error instanceof Error ? `${error.stack}\n\n${inspect(error)}` : inspect(error);
  writeFileSync(join(folder, 'error.txt'), `${file}: ${name}\nfailed after ${ranMs} ms; load factor ${load().toFixed(2)}, patience ${patience()} ms\n\n${text}\n`);
  const pages = [...contexts].flatMap(([context, log]) => context.pages().map((page) => ({ page, log })));
  const linesOf = (/** @type {any[]} */ list, /** @type {any} */ page) => list.filter((l) => l.page === null || l.page === page).map((l) => l.line);
  const report = pages.map(({ page, log }, i) => ({
    page: i + 1, address: page.url(), viewport: page.viewportSize(), console: linesOf(log.console, page), errors: linesOf(log.errors, page),
    requests: log.requests.map(({ began, ...r }) => ({ ...r, duration_ms: r.duration_ms ?? now - began, began: new Date(began).toISOString() })),
  }));
  writeFileSync(join(folder, 'pages.json'), `${JSON.stringify(report, null, 2)}\n`);
  await bounded(Promise.all(pages.flatMap(({ page }, i) => [
    page.screenshot({ path: join(folder, `page-${i + 1}.png`), timeout: patience(EVIDENCE_MS) }).catch(() => {}),
    page.evaluate(() => document.documentElement.outerHTML).then((dom) => writeFileSync(join(folder, `page-${i + 1}.html`), dom)).catch(() => {}),
  ])), EVIDENCE_MS);
  return folder;
}

/** Closes what a failed test has left open, so that its pages take no events and no time from the next test.
 * @param {import('playwright-core').BrowserContext[]} left */
export const closeContexts = (left) => bounded(Promise.all(left.map((context) => context.close())), CLOSE_MS);
