// Columns of the wide tables: chosen in a menu, kept in the address, none of them lost by it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { axe, LONG, openPage, settled, shot, stage } from '../harness.mjs';

const { browser, mock } = await stage();
const TABLES = [['/profiles/f1', 'Kernels', 'CoV', 'cov'], ['/plans/p1', 'Strata', 'mean µ', 'mean'], ['/runs/r1', 'Strata of the run', 'share of time', 'share'], ['/farm', 'Workers', 'host', 'host']];

/** @param {import('playwright-core').Locator} table */
const heads = (table) => table.locator('thead th').allInnerTexts();

test('a column is hidden and shown again, the address keeps it, back undoes it', LONG, async () => {
  for (const [i, [path, caption, label, key]] of TABLES.entries()) {
    const theme = i % 2 ? 'dark' : 'light';
    const { page, context } = await openPage(browser, mock.url, { theme });
    await page.goto(path);
    await settled(page);
    const table = page.getByRole('table', { name: caption, exact: true }), menu = page.getByRole('button', { name: `Columns of ${caption}`, exact: true });
    const all = await heads(table), cells = () => table.locator('tbody tr:not(.gap)').first().locator('td').count();
    const hidden = () => page.evaluate(() => new URLSearchParams(location.search).get('hide'));
    await menu.click();
    assert.deepEqual(await axe(page), [], path);
    assert.equal(await page.getByRole('menuitem', { name: `Hide ${all[0]}`, exact: true }).count(), 0, 'the first says which row it is');
    if (caption === 'Kernels' || caption === 'Strata') await shot(page, `columns-${theme}`);
    await page.getByRole('menuitem', { name: `Hide ${label}`, exact: true }).click();
    await page.waitForFunction(() => location.search.includes('hide='));
    assert.equal(await hidden(), key);
    assert.deepEqual(await heads(table), all.filter((h) => h.trim() !== label), path);
    assert.equal(await cells(), all.length - 1, path);
    await page.reload();
    await settled(page);
    assert.equal((await heads(table)).length, all.length - 1, `${path}: a link shows the same`);
    await menu.click();
    await page.getByRole('menuitem', { name: `Show ${label}`, exact: true }).click();
    await page.waitForFunction(() => !location.search.includes('hide='));
    assert.deepEqual(await heads(table), all, path);
    await page.goBack();
    await page.waitForFunction(() => location.search.includes('hide='));
    await menu.click();
    await page.getByRole('menuitem', { name: 'Show all', exact: true }).click();
    assert.deepEqual(await heads(table), all, path);
    await page.goto(`${path}?hide=colour`);
    await page.getByText(/asks for hide = “colour”, which this page does not know; that is left out/).waitFor();
    await context.close();
  }
});
