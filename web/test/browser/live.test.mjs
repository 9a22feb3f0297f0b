// Live progress over the one stream of the browser, with a scripted server: what comes in which order is the test's.
import test, { after, before, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, openPage, settled, WEB_DIR } from '../harness.mjs';
import { startMock } from '../mock.mjs';

let mock;
let browser;
before(async () => { browser = await launch(); });
beforeEach(async () => {
  await mock?.close();
  mock = await startMock(WEB_DIR);
});
after(async () => {
  await browser?.close();
  await mock?.close();
});

async function until(what, probe, ms = 10000) {
  const end = Date.now() + ms;
  while (!(await probe())) {
    assert.ok(Date.now() < end, `waited for ${what}`);
    await sleep(50);
  }
}
const progress = (done, value, extra = {}) => ({ run: 'r1', state: 'running', done, leased: 10, failed: 2, ready: 64 - (done - 156), blocked: 34, cancelled: 0, jobs: 266, eta_s: 1200, projections: [{ design: 'h100', value_s: value, half_width_s: 1.02 }], ...extra });
const bumpRun = (done) => { mock.world.runs.r1.counts.done = done; };

test('events move title, bar, strip, without a reload; an old event changes nothing', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.evaluate(() => { window.same = true; });
  bumpRun(160);
  mock.world.runs.r1.designs[0].projection.value_s = 44.1;
  mock.send('run.progress', progress(160, 44.1));
  await page.getByRole('heading', { name: 'Run: 160 of 266 samples simulated' }).waitFor();
  await page.getByText('44.1', { exact: true }).waitFor();
  await page.locator('.barwords', { hasText: '160 done' }).waitFor();
  // An event from before the snapshot must not undo it.
  for (const s of mock.streams) s.write(`id: 7\nevent: run.progress\ndata: ${JSON.stringify(progress(12, 99))}\n\n`);
  await sleep(300);
  await page.getByRole('heading', { name: 'Run: 160 of 266' }).waitFor();
  assert.equal(await page.evaluate(() => window.same), true);
  await context.close();
});

test('a finished run says so once, in words', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  Object.assign(mock.world.runs.r1, { state: 'done', counts: { blocked: 0, ready: 0, leased: 0, done: 264, failed: 2, cancelled: 0 } });
  mock.send('run.progress', progress(264, 43.7, { state: 'done', leased: 0, ready: 0, blocked: 0 }));
  await page.getByRole('heading', { name: /^Run finished: 264 of 266/ }).waitFor();
  await page.locator('.toast', { hasText: 'The run is finished.' }).waitFor();
  await context.close();
});

test('a broken stream is told, retried with the last id, and caught up with', { timeout: 60000 }, async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  bumpRun(157);
  mock.send('run.progress', progress(157, 43.6));
  await page.getByRole('heading', { name: /157 of 266/ }).waitFor();
  mock.streamDown = true;
  mock.dropStreams();
  await page.locator('.badge', { hasText: /stale since \d\d:\d\d/ }).waitFor({ timeout: 20000 });
  // While stale the page polls its snapshot.
  bumpRun(170);
  await page.getByRole('heading', { name: /170 of 266/ }).waitFor({ timeout: 12000 });
  mock.streamDown = false;
  await page.locator('.badge', { hasText: 'live' }).waitFor({ timeout: 25000 });
  bumpRun(180);
  mock.send('run.progress', progress(180, 43.6));
  await page.getByRole('heading', { name: /180 of 266/ }).waitFor();
  assert.equal(mock.lastEventIds.at(-1), String(101), 'the new stream said which event was last');
  await context.close();
});

test('eight tabs of a live run all work, over one stream', { timeout: 60000 }, async () => {
  const { page, context } = await openPage(browser, mock.url);
  const pages = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))];
  for (const p of pages) await p.goto('/runs/r1');
  for (const p of pages) await p.locator('.badge', { hasText: 'live' }).waitFor();
  assert.equal(mock.streams.size, 1);
  bumpRun(199);
  mock.send('run.progress', progress(199, 43.6));
  for (const p of pages) await p.getByRole('heading', { name: /199 of 266/ }).waitFor();
  // The last tab that listens to a topic takes it with it.
  for (const p of pages.slice(1)) await p.close();
  await page.goto('/farm');
  await until('the stream to carry only what is looked at', () => mock.requests.filter((r) => r.includes('/events?')).at(-1)?.endsWith('topics=farm'));
  await until('one stream to be left', () => mock.streams.size === 1);
  await context.close();
});

test('without SharedWorker a tab has its own stream', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.addInitScript(() => { delete globalThis.SharedWorker; });
  await page.goto('/runs/r1');
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  bumpRun(161);
  mock.send('run.progress', progress(161, 43.6));
  await page.getByRole('heading', { name: /161 of 266/ }).waitFor();
  assert.equal(await page.evaluate(() => typeof SharedWorker), 'undefined');
  await context.close();
});

test('a topic that was deleted does not end the stream for the others', { timeout: 40000 }, async () => {
  mock.goneTopics = ['run:r2'];
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  const other = await context.newPage();
  await other.goto('/runs/r2');
  await page.locator('.badge', { hasText: 'live' }).waitFor({ timeout: 20000 });
  bumpRun(163);
  mock.send('run.progress', progress(163, 43.6));
  await page.getByRole('heading', { name: /163 of 266/ }).waitFor();
  await context.close();
});

test('twenty events a second keep the page quick', { timeout: 60000 }, async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const frame = (now) => {
      window.longest = Math.max(window.longest, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    // What this machine took to show the page is the measure of what an event may take.
    window.began = performance.now();
    window.first = [50];
    window.tasks = [];
    new PerformanceObserver((list) => list.getEntries().forEach((e) => (e.startTime < window.began ? window.first : window.tasks).push(Math.round(e.duration)))).observe({ type: 'longtask', buffered: true });
  });
  const before = mock.requests.length;
  for (let i = 0; i < 160; i += 1) {
    bumpRun(156 + Math.floor(i / 4));
    mock.send('run.progress', progress(156 + Math.floor(i / 4), 43.6 + i / 1000));
    await sleep(50);
  }
  await page.getByRole('heading', { name: /195 of 266/ }).waitFor();
  const { longest, tasks, first } = await page.evaluate(() => ({ longest: window.longest, tasks: window.tasks, first: Math.max(...window.first) }));
  console.log(`# 160 events in 8 s: longest frame ${Math.round(longest)} ms, ${tasks.length} long tasks: ${tasks.join(' ')} ms, the longest of the first view ${first} ms; ${mock.requests.length - before} requests`);
  assert.ok(mock.requests.length - before <= 8 * 12, 'reading again is throttled');
  assert.ok(tasks.every((d) => d <= Math.max(250, 3 * first)), `a task held the page up: ${tasks}, first view ${first}`);
  await context.close();
});
