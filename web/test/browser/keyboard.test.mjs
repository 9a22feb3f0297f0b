// The whole dashboard without a mouse: every key of the help, rows, dialogs, menus, pictures, forms. From the first Tab on, a
// script in the page notes each moment at which no element has the focus.
import assert from 'node:assert/strict';
import { axe, becomes, openPage, said, settled, shot, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();

/** Runs in the page: checks after each task whether an element has the focus. */
function watch() {
  globalThis.lost = [];
  let last = '';
  setInterval(() => {
    const now = document.activeElement;
    if (now && now !== document.body) last = `${now.tagName} ${now.textContent.slice(0, 40)}`;
    else if (last && globalThis.lost.length < 5) globalThis.lost.push(`${location.pathname}, after ${last}`);
  }, 0);
}
/** Opens a page and moves the focus to its main part with Tab and the link "Skip to the page". */
async function visit(address) {
  const opened = await openPage(browser, mock.url);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: mock.url });
  await opened.page.addInitScript(watch);
  await opened.page.goto(address);
  await settled(opened.page);
  await opened.page.keyboard.press('Tab');
  await becomes(() => opened.page.evaluate(() => document.activeElement.textContent), 'Skip to the page');
  await opened.page.keyboard.press('Enter');
  await opened.page.waitForFunction(() => document.activeElement.id === 'main');
  return opened;
}
const focused = (page) => page.evaluate(() => document.activeElement.tagName);
const neverLost = async (page) => assert.deepEqual(await page.evaluate(() => globalThis.lost), [], 'the focus was lost');
/** Keys that belong together: a slow machine must not put more than a second between them. */
const together = (page, keys) => Promise.all([...keys].map((k) => page.keyboard.press(k)));
/** Runs in the page: returns the element that has the focus, if it has no outline of at least 2 px; otherwise null. */
function unseen() {
  const el = document.activeElement, style = getComputedStyle(el);
  return el === document.body || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) ? null : el.outerHTML.slice(0, 120);
}
/** Presses Tab until the wanted element has the focus. */
async function tabTo(page, locator, key = 'Tab') {
  await locator.waitFor();
  for (let i = 0; i < 150; i += 1) {
    if (await locator.evaluate((el) => el === document.activeElement)) return;
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(unseen), null, 'the focused element has no visible focus');
  }
  assert.fail(`${key} does not reach ${locator}`);
}

test('keys: go to a page, search, rows, help, theme; none of them acts in a field', async () => {
  const { page, context } = await visit('/');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await becomes(() => page.evaluate(() => document.activeElement.textContent.includes('<img src=x')), true, 'j goes to the second row');
  await page.keyboard.press('k');
  await becomes(() => page.evaluate(() => document.activeElement.textContent.includes('<img src=x')), false, 'k goes back');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/workloads/w1');
  for (const [keys, address] of [['gp', '/plans'], ['gr', '/runs'], ['gf', '/farm'], ['gw', '/'], ['u', '/upload']]) {
    await together(page, keys);
    await page.waitForFunction((a) => location.pathname === a, address);
    await settled(page);
    await becomes(() => focused(page), 'MAIN', `${address} begins at its beginning`);
  }
  await page.keyboard.press('d');
  await becomes(() => page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 'the choice is kept, and set before the first paint');
  await settled(page);
  await page.keyboard.press('d');
  await said(page, 'Always light.');
  await becomes(() => page.evaluate(() => document.documentElement.dataset.theme), 'light');
  await page.keyboard.press('d');
  await said(page, 'Light or dark, as the system has it.');
  for (const theme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForFunction((t) => document.documentElement.dataset.theme === t, theme); // the page changes its theme without being loaded again
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys of this page' }).waitFor();
  assert.equal(await page.getByRole('table', { name: /^In a picture/ }).count(), 0, 'there is none here');
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.notEqual(await focused(page), 'BODY');
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.id === 'everything');
  await page.keyboard.type('gdu?');
  await becomes(() => page.locator('#everything').inputValue(), 'gdu?', 'letters in a field are letters');
  await page.getByText('No object has “gdu?” in its name.').waitFor();
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('gemm');
  await page.locator('.found').getByRole('link', { name: /kernel gemm_bf16_128x256/ }).first().waitFor();
  await shot(page, 'search');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/profiles/f1?kernel=0');
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.id === 'everything');
  await page.keyboard.type('nvidia h100');
  await page.locator('.found').getByRole('link', { name: /design h100 132 SMs, NVIDIA H100/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/runs?q=h100');
  await settled(page);
  await becomes(() => page.getByLabel('Search the runs').inputValue(), 'h100', 'a design links to its runs');
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.id === 'everything');
  await page.keyboard.type('farm');
  await page.locator('.found').getByRole('button', { name: /go to Farm/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/farm');
  await settled(page);
  await neverLost(page);
  await context.close();
});

test('single letters can be switched off, and on again', async () => {
  const { page, context } = await visit('/plans');
  await page.keyboard.press('?');
  const off = page.getByRole('checkbox', { name: 'Single letters do nothing' });
  await tabTo(page, off);
  await page.keyboard.press('Space');
  await becomes(() => off.isChecked(), true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('u');
  await page.keyboard.press('?');
  assert.equal(new URL(page.url()).pathname, '/plans');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await tabTo(page, page.getByRole('button', { name: 'Keys of this page' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, off);
  await page.keyboard.press('Space');
  await becomes(() => off.isChecked(), false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('u');
  await page.waitForFunction(() => location.pathname === '/upload');
  await neverLost(page);
  await context.close();
});

test('a plan by keys: the error bound, a picture, its menu and table, a run of the plan', async () => {
  const { page, context } = await visit('/plans/p1');
  await page.keyboard.press('?');
  await page.getByRole('table', { name: /^In a picture/ }).getByRole('row', { name: /^t/ }).getByText('its table').waitFor();
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press(']');
  await page.waitForFunction(() => location.search.includes('eps=0.03'));
  await page.keyboard.press('[');
  await page.waitForFunction(() => !location.search.includes('eps=0.03'));
  const host = page.getByRole('group', { name: /^Speed-up against error/ });
  await tabTo(page, host);
  await page.keyboard.press('ArrowRight');
  await page.locator('.reading span', { hasText: /\S/ }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.reading.pinned').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.reading.pinned').waitFor({ state: 'detached' });
  await page.keyboard.press('+');
  await page.waitForFunction(() => location.search.includes('zoom='));
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.search.includes('zoom='));
  await page.keyboard.press('t');
  await page.getByRole('table', { name: 'The numbers of this picture' }).waitFor();
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'menuitem');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement.getAttribute('aria-haspopup') === 'menu');
  await tabTo(page, page.getByRole('button', { name: 'Run on…' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const a100 = dialog.getByRole('checkbox', { name: 'a100' });
  await tabTo(page, a100);
  await page.keyboard.press('Space');
  await becomes(() => a100.isChecked(), true);
  await tabTo(page, dialog.getByRole('button', { name: 'Run', exact: true }));
  await page.keyboard.press('Enter'); // the button is busy, then another page is shown: the focus moves to that page
  await page.waitForURL('**/runs/r1');
  await settled(page);
  await neverLost(page);
  await context.close();
});

test('a run by keys: comparison, link, a failed job and its retry', async () => {
  const { page, context } = await visit('/runs/r1');
  for (const [key, says] of [['c', 'comparison'], ['b', 'is the baseline of the comparison'], ['l', 'Link copied']]) {
    await page.keyboard.press(key);
    await said(page, says);
  }
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  const failed = page.getByRole('button', { name: /^12\s?.?004$/ });
  await tabTo(page, failed);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Attempts' }).getByText('12 of 4096 instructions').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await becomes(() => failed.evaluate((el) => el === document.activeElement), true, 'the focus comes back to the row');
  const row = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ has: failed });
  await tabTo(page, row.getByRole('button', { name: 'Try again' }));
  await page.keyboard.press('Enter');
  await said(page, 'is queued again');
  await neverLost(page);
  await context.close();
});

test('focus is kept when keys remove the focused element, and when the page is left and opened again', async () => {
  const { page, context } = await visit('/team/arch-lab');
  const links = page.getByRole('table', { name: 'Shared links' });
  const take = links.getByRole('button', { name: /^Take back .*for the review/ });
  await tabTo(page, take);
  await page.keyboard.press('Enter');
  await links.getByText('Sure?').waitFor();
  await page.keyboard.press('Enter');
  await said(page, 'The link shows nothing any more.');
  await links.getByText('for the review').waitFor({ state: 'detached' });
  await becomes(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Shared links', 'its list has the focus');
  await tabTo(page, page.getByRole('button', { name: 'Log out' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Access token');
  await tabTo(page, field);
  await page.keyboard.type(mock.token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'arch-lab' }).waitFor();
  await neverLost(page);
  await context.close();
});
