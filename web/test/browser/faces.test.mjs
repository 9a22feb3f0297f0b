// Rules for every picture: its height is the same in each state (full, loading, error), and it has few enough marks for a
// browser.
import assert from 'node:assert/strict';
import { becomes, openPage, settled, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();
const BROKEN = { status: 500, contentType: 'application/problem+json', json: { title: 'Error', status: 500, detail: 'it broke', hint: 'Try again.', code: 'internal', request_id: 'x' } };
/** The request of each picture, and its title. */
const PICTURES = [[/\/profiles\/f1\/series/, 'From launch to launch'], [/\/profiles\/f1\/histogram/, 'Where the launches sit']]; // a picture whose height depends on its rows is left out: its height is unknown before the rows are loaded

test('a picture has the same height while it loads, when it fails and when it is drawn', async () => {
  const heights = async (/** @type {string} */ face, want) => {
    const { page, context } = await openPage(browser, mock.url);
    for (const [path] of PICTURES) {
      await page.route(path, (route) => (face === 'full' ? route.continue() : face === 'broken' ? route.fulfill(BROKEN) : undefined));
    }
    await page.goto('/profiles/f1');
    const cards = PICTURES.map(([, title]) => page.locator('.picture', { has: page.getByRole('heading', { name: title }) }));
    const sign = { full: '.plot, canvas', broken: 'button:has-text("Try again")', loading: '.skeleton' }[face];
    for (const card of cards) await card.locator(sign).first().waitFor({ state: 'attached' });
    if (face === 'full') await settled(page);
    const measure = () => Promise.all(cards.map(async (card) => (await card.boundingBox()).height));
    if (want) await becomes(measure, want, face);
    const all = await measure();
    await context.close();
    return all;
  };
  const full = await heights('full', null);
  assert.ok(full.every((h) => h > 150), full.join());
  assert.deepEqual(await heights('broken', full), full);
  assert.deepEqual(await heights('loading', full), full);
});

test('no picture has more than 400 SVG marks', async () => {
  const { page, context } = await openPage(browser, mock.url);
  let pictures = 0, most = 0;
  for (const path of ['/profiles/f1', '/plans/p1', '/runs/r1']) {
    await page.goto(path);
    await settled(page);
    const counts = await page.locator('svg.plot').evaluateAll((all) => all.map((svg) => svg.querySelectorAll(
      'g:not([aria-label*=axis]):not([aria-label*=grid]) > :is(circle, rect, path, line)').length));
    pictures += counts.length;
    most = Math.max(most, ...counts);
    assert.ok(counts.every((n) => n <= 400), `${path}: ${counts.join()}`);
  }
  assert.ok(pictures >= 6 && most > 50, `${pictures} pictures, ${most} marks at most`);
  await context.close();
});
