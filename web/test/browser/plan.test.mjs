// The plan page: marks are at the positions that the scales give, the handle moves the bound, and the address keeps each setting.
import assert from 'node:assert/strict';
import { assertClean, axe, becomes, look as visit, moduleAt, openPage, policyLines, settled, shot, stage, test, until } from '../harness.mjs';

const { browser, mock } = await stage();
const { page, seen } = await openPage(browser, mock.url); // the page of all tests except those that watch the network

/** Scales and marks of a picture, in pixels of the window. */
const look = (page) => page.evaluate(() => {
  const svg = document.querySelector('.picture .host svg.plot');
  const at = svg.getBoundingClientRect();
  const scale = (name) => ({ range: svg.scale(name).range, domain: svg.scale(name).domain });
  const marks = [...svg.querySelectorAll('circle, path[transform]')].map((c) => c.getBoundingClientRect()).map((b) => ({ x: b.x + b.width / 2 - at.x, y: b.y + b.height / 2 - at.y }));
  return { x: scale('x'), y: scale('y'), marks, left: at.x, top: at.y };
});
const place = (axis, v) => axis.range[0] + ((Math.log(v) - Math.log(axis.domain[0])) / (Math.log(axis.domain[1]) - Math.log(axis.domain[0]))) * (axis.range[1] - axis.range[0]);
const placeOf = (found, item) => ({ x: place(found.x, item.speedup), y: place(found.y, item.actual_error * 100) });
const setting = (error) => mock.world.sweepAt(['vivace'], [error])[0];
const speedupShown = (page) => page.locator('.strip .value data').first().getAttribute('value').then(Number);
const param = (page, name) => page.evaluate((n) => new URLSearchParams(location.search).get(n), name);
/** The position that the visitor points to, in the window. The picture is scrolled into view first. */
async function pointOf(page, item) {
  await page.locator('.picture .host').first().scrollIntoViewIfNeeded();
  const found = await look(page);
  const at = placeOf(found, item);
  return { x: found.left + at.x, y: found.top + at.y };
}

test('marks are where the scales put them; the nearest is read, a click pins it, and it can be planned with', async () => {
  await visit(page);
  await page.goto('/plans/p1');
  await settled(page);
  const found = await look(page);
  for (const error of [0.01, 0.02, 0.03, 0.05, 0.1]) {
    const at = placeOf(found, setting(error));
    const nearest = Math.min(...found.marks.map((c) => Math.hypot(c.x - at.x, c.y - at.y)));
    assert.ok(nearest < 1.5, `the mark of ε = ${error} is ${nearest} px away from its place`);
  }
  const target = await pointOf(page, setting(0.05));
  await page.mouse.move(target.x + 3, target.y + 2);
  const reading = page.locator('.reading').first();
  await reading.getByText(/Vivace, asked for 5/).waitFor();
  await page.mouse.click(target.x + 3, target.y + 2);
  const away = await pointOf(page, setting(0.01));
  await page.mouse.move(away.x, away.y);
  await reading.getByText(/Vivace, asked for 5/).waitFor(); // the reading is pinned, so it stays
  await reading.getByRole('button', { name: 'Plan with this…' }).click();
  await page.getByRole('dialog', { name: 'Plan' }).waitFor();
  await becomes(() => page.getByLabel('Error at most').inputValue(), '5');
  assert.deepEqual(await axe(page), []);
  await page.getByLabel('Error at most').fill('0');
  await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click();
  await page.getByText('The error must be a percentage from 0.01 to 100.').waitFor();
});

test('the strip shows the expected time of the farm and its uncertainty, and nothing waits for it', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  const cell = page.locator('.strip > div', { hasText: 'Farm estimate' });
  await cell.locator('data').waitFor();
  await settled(page); // the curve handles the keys, and it is loaded later
  await page.getByRole('slider', { name: 'Error bound' }).waitFor();
  await page.keyboard.press(']');
  await cell.getByText('known once it is planned').waitFor();
  await page.keyboard.press('[');
  await cell.locator('data').waitFor();
  await becomes(async () => [await cell.locator('data').getAttribute('value'), await cell.locator('.value').textContent()], ['754.2', '12\u00a0min\u00a034\u00a0s']);
  await cell.locator('.note', { hasText: /on a100; a launch is ≈ 12\s% off/ }).waitFor();
  await page.route(/\/costs$/, (route) => route.fulfill({ json: { simulator: '0.5.0', items: [] } }));
  await page.reload();
  await cell.getByText('known after ten simulations').waitFor();
  assertClean(seen);
  await context.close();
});

test('dragging the handle changes ε, strip and address; a reload shows the same; keys and the field do the same', async () => {
  await visit(page);
  await page.goto('/plans/p1');
  await settled(page);
  const handle = page.getByRole('slider', { name: 'Error bound' });
  await handle.waitFor();
  await becomes(() => handle.getAttribute('aria-valuenow'), '2');
  await becomes(() => speedupShown(page), mock.world.plans.p1.speedup);
  const [from, to] = [await pointOf(page, setting(0.02)), await pointOf(page, setting(0.05))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x + 4, to.y + 9); // the pointer is beside the curve: the mark stays on the curve
  const began = Date.now();
  await page.waitForFunction((want) => Number(document.querySelector('.strip .value data').getAttribute('value')) === want, setting(0.05).speedup);
  console.log(`# strip after the handle: ${Date.now() - began} ms`);
  await page.mouse.up();
  await page.waitForFunction(() => new URLSearchParams(location.search).get('eps') === '0.05');
  await page.waitForFunction(() => document.querySelector('[aria-label="Error bound, per cent"]').value === '5');
  const handleAt = () => handle.evaluate((el) => { const b = el.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; });
  await until('the handle to be on the mark', handleAt, (at) => Math.hypot(at.x - to.x, at.y - to.y) < 2);
  assert.deepEqual(await axe(page), []);
  await page.reload();
  await settled(page);
  await page.waitForFunction((want) => Number(document.querySelector('.strip .value data')?.getAttribute('value')) === want, setting(0.05).speedup);
  await page.getByText('this plan is for 2').waitFor();
  await page.locator('h1').click();
  await page.keyboard.press(']');
  await page.waitForFunction(() => location.search.includes('eps=0.1'));
  for (const eps of ['0.05', '0.03']) {
    await page.keyboard.press('[');
    await becomes(() => param(page, 'eps'), eps);
  }
  await page.getByLabel('Error bound, per cent').fill('4');
  await page.keyboard.press('Enter');
  await page.waitForFunction((want) => Number(document.querySelector('.strip .value data')?.getAttribute('value')) === want, setting(0.04).speedup); // the page requested this bound, because no setting had it
  await page.getByRole('button', { name: /Plan with 4/ }).click();
  await page.getByRole('dialog', { name: 'Plan' }).waitFor();
  await becomes(() => page.getByLabel('Error at most').inputValue(), '4');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Back to 2/ }).click();
  await page.waitForFunction(() => !location.search.includes('eps'));
  await becomes(() => speedupShown(page), mock.world.plans.p1.speedup);
  assert.deepEqual([policyLines(seen), seen.errors], [[], []]);
});

test('dragging over marks selects them, and the table shows the selection; Escape clears it', async () => {
  await visit(page);
  await page.goto('/plans/p1');
  await settled(page);
  const at = await pointOf(page, mock.world.sweepAt(['allegro'], [0.01])[0]);
  await page.mouse.move(at.x - 9, at.y - 9);
  await page.mouse.down();
  await page.mouse.move(at.x + 9, at.y + 9, { steps: 4 });
  await page.mouse.up();
  const chosen = page.locator('tr.chosen');
  await chosen.first().waitFor();
  const names = () => chosen.evaluateAll((rows) => [...new Set(rows.map((r) => r.dataset.row.replace(/-[0-9.]+$/, '')))]);
  await until('allegro to be selected', names, (all) => all.includes('allegro'));
  await page.locator('.over .chosen').first().waitFor({ state: 'attached' });
  // With Shift, the range that is dragged over is added to the selection; without Shift it replaces the selection.
  const of = (method) => page.locator(`tr.chosen[data-row^="${method}-"]`).first();
  const around = async (item) => {
    const p = await pointOf(page, item);
    await page.mouse.move(p.x - 6, p.y - 6);
    await page.mouse.down();
    await page.mouse.move(p.x + 6, p.y + 6, { steps: 4 });
    await page.mouse.up();
  };
  await page.keyboard.down('Shift');
  await around(setting(0.1));
  await page.keyboard.up('Shift');
  await of('vivace').waitFor();
  await of('allegro').waitFor();
  await around(setting(0.1));
  await of('allegro').waitFor({ state: 'detached' });
  await of('vivace').waitFor();
  // The address keeps the selection: another user sees the same, and a page whose address has none begins without a selection.
  const selected = () => page.evaluate(() => new URLSearchParams(location.search).get('selected'));
  await becomes(selected, 'method:vivace');
  await page.reload();
  await of('vivace').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Plans' }).first().click();
  await page.waitForURL(/\/plans$/);
  await page.goBack();
  await of('vivace').waitFor();
  await settled(page);
  await page.keyboard.press('Escape');
  await chosen.first().waitFor({ state: 'detached' });
  await becomes(selected, null);
});

test('going back restores the selection of the address; Escape clears it also without a picture', async () => {
  await visit(page);
  const chosen = page.locator('tr.chosen'), selected = () => new URL(page.url()).searchParams.get('selected');
  await page.goto('/profiles/f1?selected=kernel:2');
  await settled(page);
  await chosen.waitFor();
  await page.getByRole('button', { name: 'total', exact: true }).click(); // this click makes a new entry in the history
  await page.evaluate(async ({ file, name }) => {
    (await import(file))[name].choose(Array.from({ length: 240 }, (_, i) => `kernel:${i}`)); // like a visitor who drags over “239 more” of the bar
  }, moduleAt('charts/select.js'));
  await page.waitForFunction(() => document.querySelectorAll('tr.chosen').length > 20);
  await becomes(selected, null, 'too much for an address');
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('tr.chosen').length === 1);
  await becomes(async () => [await chosen.getAttribute('data-row'), selected()], ['2', 'kernel:2']);
  await page.goto('/compare?selected=design:h100'); // nothing is compared yet
  await settled(page);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.search.includes('selected'));
});

test('each page reports unknown objects in its address, and selects the others', async () => {
  const said = (id) => `The address selects “${id}”, which this page does not have; that is left out.`;
  for (const [i, [path, there, gone, lit]] of Object.entries([['/plans/p1', 'stratum:4', 'stratum:999', '4'], ['/plans/p1', 'method:allegro', 'method:none', 'allegro-0.01'], ['/runs/r1', 'stratum:4', 'design:x200', '4'], ['/profiles/f1', 'kernel:2', 'nokind:1', '2'], ['/compare?base=r1:h100&with=r1:h200-l2x2', 'design:h200-l2x2', 'worker:w-01', 'r1:h200-l2x2'], ['/farm', 'worker:w-02', 'worker:w-99', mock.world.workers[1].id]])) {
    await visit(page, { theme: i % 2 ? 'dark' : 'light' });
    const at = (ids) => `${path}${path.includes('?') ? '&' : '?'}selected=${encodeURIComponent(ids)}`;
    await page.goto(at(`${there},${gone}`));
    await page.getByText(said(gone)).waitFor();
    await page.locator(`tr.chosen[data-row="${lit}"]`).waitFor();
    await page.goto(at(there));
    await settled(page);
    await page.locator(`tr.chosen[data-row="${lit}"]`).waitFor();
    assert.equal(await page.getByText('The address selects').count(), 0, path);
    if (path === '/farm') {
      const marked = () => page.locator('.over .chosen').evaluateAll((all) => all.map((r) => [r.getAttribute('y'), Number(r.getAttribute('height')) < 24].join()));
      await until('its row alone to be marked', marked, (all) => all.length > 1 && new Set(all).size === 1 && all[0].endsWith('true'));
      await shot(page, 'farm-selected');
    }
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.search.includes('selected') && !document.querySelector('tr.chosen'));
  }
});

/** Scales and marks once the picture shows the window that is in the address, which has six digits. */
const zoomed = (page) => until('the picture to show the window of the address', async () => {
  const found = await look(page), wanted = (await param(page, 'zoom'))?.split(',').map(Number);
  return wanted && [...found.x.domain, ...found.y.domain].every((v, i) => Math.abs(v / wanted[i] - 1) < 1e-4) ? found : null;
});

test('keys in a picture: arrows move and are read aloud, Enter pins, + zooms, 0 resets, t shows the table', async () => {
  await visit(page);
  await page.goto('/plans/p1');
  await settled(page);
  const host = page.getByRole('group', { name: /^Speed-up against error/ });
  await host.focus();
  await page.keyboard.press('ArrowRight');
  const line = page.locator('.reading span').first();
  const first = await until('the reading line', async () => (await line.textContent()).trim());
  await becomes(() => line.getAttribute('aria-live'), 'polite');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('.reading span').textContent.trim() !== before, first);
  await page.keyboard.press('Enter');
  await page.locator('.reading.pinned').waitFor();
  await page.keyboard.press('+');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('zoom')?.split(',').length === 4);
  const before = await zoomed(page);
  await page.reload();
  await settled(page);
  const again = await zoomed(page);
  for (const [a, b] of [[before.x, again.x], [before.y, again.y]]) a.domain.forEach((v, i) => assert.ok(Math.abs(v / b.domain[i] - 1) < 1e-4, 'a reload shows the same window'));
  await host.focus();
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.search.includes('zoom'));
  await page.keyboard.press('t');
  await page.getByRole('table', { name: 'The numbers of this picture' }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('menuitem', { name: 'SVG' }).waitFor();
  assert.deepEqual(await axe(page), []);
});

test('Ctrl and wheel zoom at the pointer, a wheel alone scrolls the page, a double click resets', async () => {
  const { page, context } = await openPage(browser, mock.url, { height: 500 });
  await page.goto('/plans/p1');
  await settled(page);
  const point = await pointOf(page, setting(0.02));
  const whole = await look(page);
  await page.mouse.move(point.x, point.y);
  await page.evaluate(() => { addEventListener('scrollend', () => { globalThis.scrolled = true; }); });
  await page.mouse.wheel(0, 40);
  await page.waitForFunction(() => globalThis.scrolled && scrollY > 0); // a turn of the wheel scrolls during several frames
  assert.equal(await param(page, 'zoom'), null);
  const here = await pointOf(page, setting(0.02));
  await page.keyboard.down('Control');
  await page.mouse.move(here.x, here.y);
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await page.waitForFunction(() => location.search.includes('zoom='));
  await page.waitForFunction((low) => document.querySelector('.host svg.plot').scale('x').domain[0] > low, whole.x.domain[0]);
  await until('the point under the pointer to stay', () => pointOf(page, setting(0.02)), (at) => Math.hypot(at.x - here.x, at.y - here.y) < 3);
  await page.mouse.dblclick(here.x + 60, here.y);
  await page.waitForFunction(() => !location.search.includes('zoom='));
  await context.close();
});

for (const theme of ['light', 'dark']) {
  test(`an opened stratum shows its range and its samples; a method that cannot run shows the reason (${theme})`, async () => {
    await visit(page, { theme });
    await page.goto('/plans/p1');
    await settled(page);
    await page.getByText('needs twelve counters a launch; this profile has durations only').waitFor();
    await page.getByRole('button', { name: 'S4', exact: true }).click();
    await page.waitForFunction(() => location.search.includes('stratum=4'));
    await page.getByText('Where the launches of S4 sit').waitFor();
    const drawn = page.getByRole('table', { name: 'Drawn from S4' });
    await drawn.waitFor();
    await becomes(() => drawn.locator('tbody tr').count(), mock.world.plans.p1.strata[4].samples);
    await page.locator('.host svg .rug').first().waitFor({ state: 'attached' });
    await settled(page);
    assert.deepEqual(await axe(page), []);
    await shot(page, `plan-stratum-${theme}`);
    assert.deepEqual([policyLines(seen), seen.errors], [[], []]);
  });
}

test('a plan of single samples is called model-assisted, a published method published', async () => {
  const plan = mock.world.plans.p1, before = { ...plan };
  Object.assign(plan, { promise_valid: false, least_samples: 1, variance: 'model', caution: 'model-assisted: with one sample in a stratum' });
  try {
    await page.goto('/plans/p1');
    await page.getByText('model-assisted: with one sample in a stratum').waitFor();
    assert.equal(await page.getByText('as it was published').count(), 0);
    await page.goto('/plans/p2');
    await page.getByText('as it was published').waitFor();
  } finally {
    Object.assign(plan, before);
  }
});
