// A browser opens six connections to a host, so all its tabs share one event stream: the test counts streams at the mock
// server, which records each topic, and at a real server by its metric.
import assert from 'node:assert/strict';
import { ScriptedWorker, tracedPlan } from '../../../tests/api/scripted_worker.mjs';
import { becomes, enter, openPage, settled, stage, test, until } from '../harness.mjs';
import { progress } from '../mock.mjs';

const { browser, mock, farm } = await stage({ farm: {} });
const bumpRun = (done) => { mock.world.runs.r1.counts.done = done; };

/** The server notices a closed stream when it cannot send a keep-alive. It sends one every 15 s, and the first one may still be accepted. */
const CLOSED_SEEN_MS = 40000;

test('tabs of two pages share a stream with both topics; a topic ends with its last listening tab', async () => {
  const { page, context } = await openPage(browser, mock.url);
  const others = [await context.newPage(), await context.newPage()];
  await Promise.all([page.goto('/runs/r1'), others[0].goto('/runs/r1'), others[1].goto('/farm')]);
  for (const p of [page, ...others]) await p.locator('.badge', { hasText: 'live' }).waitFor();
  const topics = () => [...mock.streams].map((s) => s.topics); // of open streams: requests can arrive in another order
  await becomes(topics, ['farm,run:r1']);
  bumpRun(199);
  mock.send('run.progress', progress(199, 43.6));
  for (const p of [page, others[0]]) await p.locator('.barwords', { hasText: '199 done' }).waitFor();
  await others[0].close();
  await page.goto('/farm');
  await becomes(topics, ['farm']);
  await context.close();
});

test('without SharedWorker a tab has its own stream', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.addInitScript(() => { delete globalThis.SharedWorker; });
  await page.goto('/runs/r1');
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  bumpRun(161);
  mock.send('run.progress', progress(161, 43.6));
  await page.locator('.barwords', { hasText: '161 done' }).waitFor();
  assert.equal(await page.evaluate(() => typeof SharedWorker), 'undefined');
  await context.close();
});

test('a deleted topic does not end the stream for the others', async () => {
  mock.goneTopics = ['run:r2'];
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  const other = await context.newPage();
  await other.goto('/runs/r2');
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  bumpRun(163);
  mock.send('run.progress', progress(163, 43.6));
  await page.locator('.barwords', { hasText: '163 done' }).waitFor();
  await context.close();
});

test('eight tabs on a farm: the server has one stream, every tab is updated, and every tab can act', async () => {
  const run = await farm.api('POST', `/plans/${(await tracedPlan(farm)).id}/runs`, { engine: 'cycle', designs: ['v100'] });
  const streams = async () => Number(/^vivace_sse_streams (\d+)$/m.exec(await (await farm.request('GET', '//metrics')).text())[1]);
  const { page, context } = await enter(browser, farm);
  const pages = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))];
  await Promise.all(pages.map((p) => p.goto(`/runs/${run.id}`)));
  const each = (act) => Promise.all(pages.map(act)); // a tab behind another draws once a second
  await each(async (p) => {
    await settled(p);
    await p.locator('.badge', { hasText: 'live' }).waitFor();
  });
  await until('one stream', streams, (n) => n === 1, CLOSED_SEEN_MS);
  const worker = await new ScriptedWorker(farm).openAlive();
  for (let done = 1; done <= 3; done += 1) {
    await worker.finish(await worker.claim(1));
    await each((p) => p.locator('.barwords', { hasText: new RegExp(`^Running: ${done} done`) }).waitFor());
  }
  await pages[7].getByRole('button', { name: 'Pause' }).click();
  await each((p) => p.locator('.barwords', { hasText: /^Run paused/ }).waitFor());
  await pages[3].goto('/farm');
  await pages[3].locator('.badge', { hasText: 'live' }).waitFor();
  await until('one stream for both topics', streams, (n) => n === 1, CLOSED_SEEN_MS);
  await context.close();
  await until('no stream to be left', streams, (n) => n === 0, CLOSED_SEEN_MS);
});
