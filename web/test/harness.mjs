// harness.mjs: Chromium for tests, and what every browser test wants to know of a page.
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const BUILD = process.env.VIVACE_BUILD ?? 'build';
export const WEB_DIR = join(BUILD, 'web');
const require = createRequire(join(BUILD, 'web-check', 'package.json'));
const { chromium } = require('playwright-core');
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
export const SHOTS = join(BUILD, 'web-shots');
mkdirSync(SHOTS, { recursive: true });

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** A page of its own, which notes what the console said, and which requests left the host. */
export async function openPage(browser, origin, { theme = 'light', width = 1400, height = 1000, ...rest } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin', baseURL: origin, ...rest });
  const page = await context.newPage();
  const seen = { console: [], errors: [], foreign: [] };
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) seen.console.push(m.text()); });
  page.on('pageerror', (e) => seen.errors.push(String(e.stack ?? e)));
  context.on('request', (r) => {
    const url = new URL(r.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) seen.foreign.push(r.url());
  });
  page.setDefaultTimeout(15000);
  return { context, page, seen };
}

/** Violations by axe, as lines; of these rules alone where they are named. Its script is evaluated by the browser's debugger, so the content policy stays as it is. */
export async function axe(page, rules) {
  await page.evaluate(axeSource);
  const runOnly = rules ? { type: 'rule', values: rules } : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate((only) => globalThis.axe.run(document, { runOnly: only }), runOnly);
  return violations.flatMap((v) => v.nodes.slice(0, 4).map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary.split('\n').slice(1, 3).join(' ').trim()}`));
}

export const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
/** Until nothing is being fetched and the pictures are drawn. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.skeleton, .scoring'));
  await page.waitForFunction(() => [...document.querySelectorAll('.host')].every((h) => h.querySelector('svg')));
}
export const policyLines = (seen) => seen.console.filter((t) => /Content Security Policy|Refused to/i.test(t));
