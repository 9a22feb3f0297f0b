// The page of a result with a small grid: 4 of 132 SMs have a CTA. Stall reasons are shares of the active SMs unless the
// page is asked for all; names in the legend hide their part, also in what is exported; titles say which part of the time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parsed } from '../../../tests/api/csv_text.mjs';
import { assertClean, axe, becomes, openPage, stage, test, until } from '../harness.mjs';
import { ofActive, ofAll } from '../mock_result.mjs';

const { browser, mock } = await stage();
const INTERVAL = 500, EMPTY = 10, MEMORY = 2;
const plain = (text) => text.replaceAll(/[\u202f\u00a0]/g, ' ');
const slots = (page) => page.locator('section.card', { has: page.getByRole('heading', { name: /^Issue slots/ }) });
const headline = async (page) => plain(await slots(page).locator('h2').innerText());
const name = async (page) => (await slots(page).locator('.timehost').getAttribute('aria-label')) ?? '';
async function open(page, address) {
  await page.goto(address);
  await until('the pictures', () => page.locator('.timehost').evaluateAll((all) => all.length > 5 && all.every((h) => h.getAttribute('aria-label'))), Boolean);
}
/** Cycle and shares of the reading line at a place of the picture. */
async function reading(page) {
  await slots(page).locator('.timehost').hover({ position: { x: 500, y: 60 } });
  const line = slots(page).locator('.reading', { hasText: /^cycle/ });
  await line.waitFor();
  const text = plain(await line.innerText());
  return { cycle: Number(/^cycle ([\d ]+):/.exec(text)[1].replaceAll(' ', '')), of: (label) => Number(new RegExp(`${label} ([\\d.]+) %`).exec(text)?.[1] ?? NaN) };
}
async function take(page, what) {
  await slots(page).getByRole('button', { name: 'Take this picture away' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: what }).click()]);
  return readFileSync(await download.path(), 'utf8');
}
const near = (a, b) => assert.ok(Math.abs(a - 100 * b) < 0.06, `${a} %, not ${100 * b} %`);

test('stall reasons are shares of the active SMs; a switch in the address shows all SMs', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await open(page, '/results/x1');
  assert.equal(await headline(page), 'Issue slots of active SMs: 20.0 % issued');
  assert.match(await slots(page).innerText(), /on average 4\.00 of 132/);
  const active = await reading(page);
  near(active.of('memory'), ofActive(MEMORY, active.cycle / INTERVAL));
  near(active.of('empty'), ofActive(EMPTY, active.cycle / INTERVAL));
  await slots(page).getByRole('button', { name: 'all SMs' }).click();
  await page.waitForURL(/slots=all/);
  await becomes(() => headline(page), 'Issue slots of all SMs: 0.606 % issued');
  await page.mouse.move(2, 2);
  const all = await reading(page);
  near(all.of('empty'), ofAll(EMPTY, all.cycle / INTERVAL));
  assert.ok(all.of('empty') > 95);
  await slots(page).getByRole('button', { name: 'active SMs' }).click();
  await becomes(() => headline(page), 'Issue slots of active SMs: 20.0 % issued');
  assertClean(seen);
  await context.close();
});

test('a name in the legend hides its part: picture, axis, address, SVG and CSV follow, and the legend shows it', async () => {
  const { page, seen, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  await open(page, '/results/x1?slots=all');
  const empty = slots(page).locator('.legend').getByRole('button', { name: 'empty' });
  assert.equal(await empty.getAttribute('aria-pressed'), 'true');
  const pixels = () => slots(page).locator('canvas').first().evaluate((c) => c.toDataURL()), before = await pixels();
  assert.match(await take(page, 'SVG'), />100 %</);
  await empty.focus();
  await page.keyboard.press('Space');
  await becomes(() => empty.getAttribute('aria-pressed'), 'false');
  await becomes(() => page.evaluate(() => new URLSearchParams(location.search).get('hide')), 'warp-states:empty');
  await until('the picture without it', () => name(page), (now) => /; hidden: empty$/.test(now));
  assert.notEqual(await pixels(), before);
  assert.deepEqual(await axe(page, undefined, 'main'), []);
  const svg = await take(page, 'SVG');
  assert.match(svg, />empty \(hidden\)</);
  assert.doesNotMatch(svg, />100 %</, 'the axis ends at the highest visible value');
  const lines = new Set(parsed(await take(page, /^CSV of/)).map((r) => r.line));
  assert.deepEqual([lines.has('memory'), lines.has('empty'), lines.size], [true, false, 10]);
  await page.reload();
  await until('the address to keep it', () => name(page), (now) => /; hidden: empty$/.test(now));
  await empty.click();
  await becomes(() => empty.getAttribute('aria-pressed'), 'true');
  await page.mouse.move(2, 2);
  await until('the picture as before', pixels, (now) => now === before);
  assert.equal(new URL(page.url()).searchParams.get('hide'), null);
  assertClean(seen);
  await context.close();
});

test('the title of each picture says which part of the time it shows, on the page and exported', async () => {
  const { page, seen, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  await open(page, '/results/x1?from=41000&to=61000');
  const titles = async () => (await page.locator('.picture.time h2').allInnerTexts()).map(plain);
  const part = /, cycles 41 000 to 61 000( \(whole launch: .+\))?$/;
  const zoomed = await titles();
  assert.ok(zoomed.length >= 9 && zoomed.every((t) => part.test(t)), zoomed.join('\n'));
  assert.equal(await headline(page), 'Issue slots of active SMs, cycles 41 000 to 61 000 (whole launch: 20.0 % issued)');
  await until('its name', () => name(page), (now) => /cycles 41 000 to 61 000$/.test(plain(now)));
  assert.match(plain(await take(page, 'SVG')).replaceAll(/<[^>]+>/g, ' '), /cycles 41 000 to\s+61 000/);
  await page.getByRole('button', { name: 'All of it' }).click();
  await until('titles of the whole', titles, (now) => now.every((t) => !/cycles/.test(t.replace('Instructions a cycle', ''))));
  await until('the title of the whole range', () => name(page), (now) => !/cycles/.test(now));
  assertClean(seen);
  await context.close();
});
