// Layers over a page (dialogs, menus, pinned readings, a selection) close when the visitor presses Escape. Escape may come
// before the browser has drawn the layer, or before its script or the answer has arrived.
import assert from 'node:assert/strict';
import { becomes, look, openPage, said, settled, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();
const { page, seen } = await openPage(browser, mock.url);

const PAGES = ['/', '/workloads/w1', '/profiles/f1?plan=p1', '/plans/p1', '/runs/r1', '/runs/r2', '/results/x1', '/compare?base=r1:h100&with=r1:h200-l2x2', '/farm', '/team/arch-lab'];
/** Buttons that open something. */
const OPENERS = '[aria-haspopup]';
const OPEN = 'dialog, [role=menu]';

async function visit(address) {
  await look(page);
  await page.goto(address);
  await settled(page);
}

/** Runs in the page: finds the visible openers, the first of each kind. */
function openersOf(selector) {
  const kinds = new Map();
  for (const [i, el] of [...document.querySelectorAll(selector)].entries()) {
    const kind = `${el.className} ${el.textContent} ${el.closest('section, header, main')?.className}`;
    if (!kinds.has(kind) && el.checkVisibility({ visibilityProperty: true })) kinds.set(kind, i);
  }
  return [...kinds.values()];
}

/** Waits in the page until all requested files are fetched and drawn. The effects of a render run only after its frame. */
const quiet = () => page.evaluate(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const fetched = () => performance.getEntriesByType('resource').length;
  for (let before = -1; before !== fetched();) {
    before = fetched();
    for (let i = 0; i < 4; i += 1) await frame();
  }
});

const isOpen = () => page.evaluate((open) => [...document.querySelectorAll(open)].map((el) => el.getAttribute('aria-label')), OPEN);

/** The keys without a pause between them, faster than a page is drawn. */
const atOnce = (...keys) => Promise.all(keys.map((k) => page.keyboard.press(k)));

for (const address of PAGES) {
  test(`each dialog and each menu closes by Escape, at once and later, and by a click outside: ${address}`, async () => {
    await visit(address);
    const openers = await page.evaluate(openersOf, OPENERS);
    assert.ok(openers.length > 2, `${openers.length} openers`);
    const at = page.url();
    for (const i of openers) {
      const opener = page.locator(OPENERS).nth(i);
      const name = await opener.evaluate((el) => el.getAttribute('aria-label') ?? el.textContent);
      const closed = async (how) => {
        await becomes(isOpen, [], `${name}: closed by ${how}`);
        assert.equal(page.url(), at, `${name}: ${how}`);
      };
      const open = async () => {
        await opener.focus();
        await page.keyboard.press('Enter');
        await page.locator('dialog[open], [role=menu]').waitFor();
      };
      const hasFocus = () => opener.evaluate((el) => el === document.activeElement);
      await opener.focus();
      await atOnce('Enter', 'Escape');
      await quiet();
      await closed('Escape at once');

      await open();
      await page.keyboard.press('Escape');
      await closed('Escape');
      await becomes(hasFocus, true, `${name}: it has the focus again`);

      await open();
      await atOnce('Escape', 'Escape');
      await quiet();
      await closed('Escape twice');

      await open();
      await page.mouse.click(4, 400); // outside the page's column
      await closed('a press outside');
    }
    assert.deepEqual(seen.errors, []);
  });
}

test('a dialog opened from a menu closes by Escape, at once and later, and returns the focus to the menu', async () => {
  for (const address of ['/', '/workloads/w1']) {
    await visit(address);
    const menu = page.getByRole('button', { name: address === '/' ? /^What to do with llm/ : 'More to do with this workload' });
    const items = page.getByRole('menuitem').filter({ hasText: '…' });
    await menu.click();
    await items.first().waitFor();
    const names = await items.allInnerTexts();
    assert.ok(names.length >= 2, names.join());
    await page.keyboard.press('Escape');
    for (const name of names) {
      if (name === 'Run the latest plan…') continue; // the dialog of this button is on another page
      const item = page.getByRole('menuitem', { name, exact: true });
      await becomes(isOpen, []);
      await menu.click();
      await item.focus();
      await atOnce('Enter', 'Escape');
      await quiet();
      await becomes(isOpen, [], `${name}: closed at once`);
      await menu.click();
      await item.click();
      await page.locator('dialog[open]').waitFor();
      await page.keyboard.press('Escape');
      await becomes(isOpen, [], name);
      await becomes(() => menu.evaluate((el) => el === document.activeElement), true, `${name}: the menu has the focus again`);
    }
    assert.equal(new URL(page.url()).pathname, address);
  }
  assert.deepEqual(seen.errors, []);
});

test('a dialog whose script is still loading closes by Escape, and typed letters are not shortcuts', async () => {
  const { page: fresh, context } = await openPage(browser, mock.url); // this browser context has no script in its cache
  const held = Promise.withResolvers?.() ?? deferred();
  await fresh.route('**/views/{search,keys_dialog,help_texts}.js*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await fresh.goto('/plans');
  await settled(fresh);
  for (const key of ['/', '?']) {
    await fresh.keyboard.press(key);
    await fresh.keyboard.press('u'); // without an open dialog this key opens Upload
    await fresh.keyboard.press('Escape');
  }
  const came = fresh.waitForResponse(/keys_dialog\.js/);
  held.resolve();
  await came;
  await fresh.keyboard.press('?');
  await fresh.getByRole('dialog', { name: 'Keys of this page' }).waitFor();
  assert.equal(await fresh.locator('dialog').count(), 1, 'what was closed did not open');
  assert.equal(new URL(fresh.url()).pathname, '/plans');
  await context.close();
});

/** A replacement for Promise.withResolvers, which node 18 does not have. */
function deferred() {
  let resolve;
  const promise = new Promise((r) => { resolve = r; });
  return { promise, resolve };
}

for (const [what, opener, verb, path, sentence] of [
  ['plan', 'Plan again…', 'Plan', '/api/v1/profiles/f1/plans', 'The plan is made'],
  ['run', 'Run on…', 'Run', '/api/v1/plans/p1/runs', 'The run has started'],
]) {
  test(`the answer to a closed dialog does not change the page: ${what}`, async () => {
    await visit('/plans/p1');
    const held = deferred();
    await page.getByRole('button', { name: opener }).click();
    const dialog = page.getByRole('dialog');
    if (what === 'run') await dialog.getByRole('group', { name: 'GPU designs' }).getByRole('checkbox').first().check();
    mock.hold = (p) => (p === path ? held.promise : undefined);
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await becomes(() => mock.requests.some((r) => r.includes(path) && r.startsWith('POST')), true);
    await page.keyboard.press('Escape');
    await becomes(isOpen, []);
    held.resolve();
    await said(page, sentence);
    await quiet();
    assert.equal(new URL(page.url()).pathname, '/plans/p1');
    assert.deepEqual(await isOpen(), []);
  });
}

test('selecting text beyond the edge of a dialog leaves it open', async () => {
  await visit('/plans/p1');
  await page.getByRole('button', { name: 'Plan again…' }).click();
  const field = page.getByLabel('Error at most');
  const box = await field.boundingBox();
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(10, 400, { steps: 4 });
  await page.mouse.up();
  await quiet();
  assert.deepEqual(await isOpen(), ['Plan']);
  await page.mouse.click(10, 400);
  await becomes(isOpen, []);
});

test('Escape closes the newest first: menu, pinned reading, selection', async () => {
  await visit('/plans/p1');
  const host = page.getByRole('group', { name: /^Speed-up against error/ });
  const box = await host.boundingBox();
  await page.mouse.move(box.x + 120, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 300, { steps: 4 });
  await page.mouse.up();
  await page.locator('tr.chosen').first().waitFor();
  await host.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('.reading.pinned').waitFor();
  const state = async () => [await page.locator('[role=menu]').count(), await page.locator('.reading.pinned').count(), Math.min(1, await page.locator('tr.chosen').count())];
  await page.getByRole('button', { name: 'Export this plan' }).click();
  await becomes(state, [1, 1, 1]);
  await page.keyboard.press('Escape');
  await becomes(state, [0, 1, 1]);
  await page.keyboard.press('Escape'); // the focus is not in the picture
  await becomes(state, [0, 0, 1]);
  await page.keyboard.press('Escape');
  await becomes(state, [0, 0, 0]);
});

test('Escape cancels a rectangle that is being dragged, and a key that is held down', async () => {
  await visit('/plans/p1');
  const box = await page.getByRole('group', { name: /^Speed-up against error/ }).boundingBox();
  await page.mouse.move(box.x + 120, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 300, { steps: 4 });
  await page.locator('.over .brush').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.locator('.over .brush').waitFor({ state: 'detached' });
  await page.mouse.up();
  await quiet();
  assert.equal(await page.locator('tr.chosen').count(), 0);
  // A held Escape key closes the menu and nothing below it.
  await page.getByRole('button', { name: 'S4', exact: true }).focus();
  await page.getByRole('button', { name: 'Export this plan' }).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.down('Escape');
  await page.keyboard.down('Escape'); // a repeat
  await page.keyboard.up('Escape');
  await becomes(isOpen, []);
});

test('Escape cancels a question in a row', async () => {
  await visit('/team/arch-lab');
  const button = page.getByRole('button', { name: /^Remove/ }).first();
  await button.focus();
  await atOnce('Enter', 'Escape');
  await quiet();
  assert.equal(await page.getByText('Sure?').count(), 0);
  assert.equal(mock.requests.filter((r) => r.startsWith('DELETE')).length, 0);
});
