// What visitors expect without thinking about it: going back, typing a number, reading a name, a narrow window, a question.
import assert from 'node:assert/strict';
import { assertClean, axe, becomes, openPage, said, settled, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();

/** Waits until the page is scrolled to this position. */
const scrolled = (page, to) => page.waitForFunction((y) => Math.abs(scrollY - y) <= 1, to);

test('going back restores the scroll position, also when data arrive late, and after a reload', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  await page.mouse.wheel(0, 700);
  await scrolled(page, 700);
  await Promise.all(['g', 'r'].map((k) => page.keyboard.press(k))); // together, or a slow machine takes them for two separate keys
  await page.waitForURL('**/runs');
  await settled(page);
  await scrolled(page, 0);
  let release;
  const asked = new Promise((done) => { release = done; });
  const late = new Promise((done) => { mock.hold = (path) => { if (!/plans\/p1$|sweep$/.test(path)) return undefined; release(); return late; }; mock.letGo = done; });
  await page.goBack();
  await asked;
  mock.letGo();
  await scrolled(page, 700);
  await settled(page);
  await scrolled(page, 700);
  await page.reload();
  await settled(page);
  await scrolled(page, 700);
  // From here on the visitor's own actions are counted.
  await page.mouse.wheel(0, -300);
  await scrolled(page, 400);
  await page.goForward();
  await page.waitForURL('**/runs');
  await scrolled(page, 0);
  await page.goBack();
  await scrolled(page, 400);
  assertClean(seen);
  await context.close();
});

test('typing replaces a number that gets the focus; a second click sets the caret', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  await page.getByRole('button', { name: 'Plan again…' }).click();
  const error = page.locator('#plan-error'), seed = page.locator('#plan-seed');
  await page.waitForFunction(() => document.activeElement?.id === 'plan-error'); // this field has the focus from the beginning
  await page.keyboard.type('7');
  await becomes(() => error.inputValue(), '7');
  await seed.click();
  await page.keyboard.type('42');
  await becomes(() => seed.inputValue(), '42');
  await seed.click();
  await page.keyboard.press('End');
  await page.keyboard.type('1');
  await becomes(() => seed.inputValue(), '421');
  assertClean(seen);
  await context.close();
});

test('no font replaces letters of a name by a ligature', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  for (const address of ['/', '/plans/p1', '/runs/r1', '/farm']) {
    await page.goto(address);
    await settled(page);
    const joined = await page.evaluate(() => [...new Set([...document.querySelectorAll('body *')].filter((e) => getComputedStyle(e).fontVariantLigatures !== 'none').map((e) => `${e.tagName} ${e.className}`))]);
    assert.deepEqual(joined, [], address);
  }
  // In the font Inter, the letter x has the same width between digits as elsewhere.
  const widths = await page.evaluate(() => ['100x2', '100\u200dx\u200d2'].map((text) => {
    const span = document.createElement('span');
    span.textContent = text;
    document.body.append(span);
    return span.getBoundingClientRect().width;
  }));
  assert.ok(Math.abs(widths[0] - widths[1]) < 0.01, `${widths}`);
  assertClean(seen);
  await context.close();
});

test('at 390 px the list of workloads shows name, plan and run without scrolling', async () => {
  const { page, seen, context } = await openPage(browser, mock.url, { width: 390, height: 800 });
  await page.goto('/');
  await settled(page);
  const outside = await page.evaluate(() => {
    const box = document.querySelector('.tablebox').getBoundingClientRect();
    return [...document.querySelectorAll('.tablebox th')].filter((th) => th.checkVisibility() && th.getBoundingClientRect().right > box.right + 1).map((th) => th.textContent.trim());
  });
  assert.deepEqual(outside, []);
  for (const name of ['workload', 'latest plan', 'latest run']) assert.ok(await page.getByRole('columnheader', { name }).isVisible(), name);
  assertClean(seen);
  await context.close();
});

test('the farm page sends no requests besides its stream while nothing changes', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.addInitScript(() => { const now = Date.now(); Date.now = () => now; }); // after a minute the page may ask
  await page.goto('/farm');
  await settled(page);
  await page.locator('.badge.ok').waitFor();
  const tick = (farm) => mock.send('farm.tick', farm);
  const asked = () => mock.requests.filter((r) => /^GET \/api\/v1\/(farm|workers)/.test(r)).length;
  assert.equal(asked(), 3);
  tick({ ...mock.world.farm, workers_busy: 1, queue: { ...mock.world.farm.queue, total: 76 } });
  await becomes(asked, 5, 'activity and workers are read again: the numbers are others');
  const before = asked();
  for (let done = 1; done <= 3; done += 1) {
    tick({ ...mock.world.farm, workers_busy: 1, queue: { ...mock.world.farm.queue, total: 76 } }); // the page shows what the event says
    await page.getByText('1 of them busy').waitFor();
  }
  tick({ ...mock.world.farm, workers_busy: 1, queue: { ...mock.world.farm.queue, total: 77 } });
  await page.locator('.strip').getByText('77', { exact: true }).waitFor();
  await becomes(() => asked() - before, 2, 'activity and workers are read again once the numbers are others');
  assert.equal(mock.requests.filter((r) => r === 'GET /api/v1/farm').length, 1, 'the farm’s numbers come with the tick');
  assertClean(seen);
  await context.close();
});

test('all methods are scored at the error of the plan, and the table begins there', async () => {
  mock.world.plans.p1.error = 0.07;
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  const rows = page.getByRole('table', { name: 'Methods' }).locator('tbody tr');
  const asked = await rows.evaluateAll((list) => list.map((r) => r.cells[1].textContent.replace(/\s/g, ' ')));
  const own = asked.filter((t) => t === '7 %').length;
  assert.ok(own > 3, `${own} methods at 7 %`);
  assert.deepEqual(asked.slice(0, own), Array.from({ length: own }, () => '7 %'));
  assertClean(seen);
  await context.close();
});

test('cancelling a run needs confirmation; until its time any tab can undo it, also after the page is closed', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  const other = await context.newPage();
  const button = (name, of = page) => of.getByRole('button', { name, exact: true });
  const sent = () => mock.requests.filter((r) => /^POST .*\/runs\/r1\//.test(r)).map((r) => r.split('/runs/r1/')[1]);
  await Promise.all([page, other].map(async (p) => { await p.goto('/runs/r1'); await settled(p); }));
  await button('Cancel…').click();
  await page.getByRole('dialog', { name: 'Cancel this run?' }).getByText('jobs will not be simulated').waitFor();
  await button('Keep it').click();
  assert.deepEqual(sent(), []);
  await button('Cancel…').click();
  await button('Cancel the run').click();
  await button('Undo cancelling').waitFor();
  await page.locator('.barwords', { hasText: /^Run paused/ }).waitFor();
  await page.getByText(/Paused, and cancelled at \d\d:\d\d:\d\d/).waitFor();
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'Undo cancelling');
  assert.deepEqual(await axe(page), []);
  // The other tab receives the event and undoes cancelling.
  mock.send('run.event', { run: 'r1' });
  await button('Undo cancelling', other).click();
  await button('Pause', other).waitFor();
  mock.send('run.event', { run: 'r1' });
  await button('Pause').waitFor();
  assert.deepEqual(sent(), ['cancel', 'cancel/undo']);
  // The server keeps the pending cancellation: closing the page does not change it, and a new page shows it.
  await button('Cancel…').click();
  await button('Cancel the run').click();
  await button('Undo cancelling').waitFor();
  await page.reload();
  await button('Undo cancelling').waitFor();
  Object.assign(mock.world.runs.r1, { state: 'cancelled', cancel_at: null });
  mock.send('run.event', { run: 'r1' });
  await said(page, 'The run is cancelled.');
  await page.locator('.barwords', { hasText: /^Run cancelled/ }).waitFor();
  assert.deepEqual(sent(), ['cancel', 'cancel/undo', 'cancel']);
  assertClean(seen);
  await context.close();
});
