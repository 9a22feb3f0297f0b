// Columns of the wide tables: the visitor chooses them in a menu, the address keeps the choice, and a hidden column can be
// shown again.
import assert from 'node:assert/strict';
import { axe, becomes, moduleAt, openPage, settled, shot, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();
const TABLES = [
  ['/', 'Workloads', 'durations', 'spark'], ['/plans', 'Plans', 'seed', 'seed'], ['/runs?q=h100', 'Runs', 'state', 'state'], ['/farm', 'Workers', 'host', 'host'],
  ['/profiles/f1', 'Kernels', 'CoV', 'cov'], ['/plans/p1', 'Strata', 'mean µ', 'mean'], ['/plans/p1', 'Methods', 'strata', 'strata', 'hidemethods'], ['/runs/r1', 'Strata of the run', 'share of time', 'share'],
  ['/compare?base=r1:h100&with=r1:h200-l2x2', 'Compared designs', 'pairs', 'pairs'],
];

/** @param {import('playwright-core').Locator} table */
const heads = (table) => table.locator('thead th').allInnerTexts();

test('a column is hidden and shown again, the address contains it, going back undoes it', async () => {
  for (const [i, [path, caption, label, key, rule = 'hide']] of TABLES.entries()) {
    const theme = i % 2 ? 'dark' : 'light';
    const { page, context } = await openPage(browser, mock.url, { theme });
    await page.goto(path);
    await settled(page);
    const table = page.getByRole('table', { name: caption, exact: true }), menu = page.getByRole('button', { name: `Columns of ${caption}`, exact: true });
    const all = await heads(table), cells = () => table.locator('tbody tr:not(.gap)').first().locator('td').count();
    const hidden = () => page.evaluate((name) => new URLSearchParams(location.search).get(name), rule);
    const until = (there) => page.waitForFunction(([name, want]) => new URLSearchParams(location.search).has(name) === want, [rule, there]);
    await menu.click();
    await page.getByRole('menu').waitFor();
    if (i < 2) assert.deepEqual(await axe(page), [], path); // in each theme; the menus differ only in their words
    const box = (name) => page.getByRole('menuitemcheckbox', { name, exact: true });
    assert.equal(await box(all[0]).count(), 0, 'the first says which row it is');
    await shot(page, `columns-${caption}-${theme}`);
    await becomes(() => box(label).isChecked(), true);
    await box(label).click();
    await until(true);
    await becomes(hidden, key);
    await becomes(() => heads(table), all.filter((h) => h.trim() !== label), path);
    await becomes(cells, all.length - 1, path);
    await becomes(() => box(label).isChecked(), false, 'the menu stays open, and the box is unchecked');
    await page.keyboard.press('ArrowDown');
    await becomes(() => page.evaluate(() => [document.activeElement.role, document.activeElement.ariaChecked]), ['menuitemcheckbox', 'true'], 'the keys walk on to the next');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.reload();
    await settled(page);
    await becomes(async () => (await heads(table)).length, all.length - 1, `${path}: a link shows the same`);
    await menu.click();
    await box(label).click();
    await until(false);
    await becomes(() => heads(table), all, path);
    await page.goBack();
    await until(true);
    await page.getByRole('menuitem', { name: 'Show all', exact: true }).click();
    await becomes(() => heads(table), all, path);
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}${rule}=colour`);
    await page.getByText(`asks for ${rule} = “colour”, which this page does not know; that is left out`).waitFor();
    await context.close();
  }
});

test('rows stay in the order of a column that is hidden', async () => {
  const came = () => ({ Kernels: mock.world.kernels.map((k) => k.kernel), Strata: mock.world.plans.p1.strata.map((s) => s.id), 'Strata of the run': mock.world.plans.p1.strata.map((s) => s.id), Workers: mock.world.workers.map((w) => w.id) });
  for (const [path, caption, key] of [['/profiles/f1?sort=-cov', 'Kernels', 'cov'], ['/plans/p1', 'Strata', 'share'], ['/plans/p1?sort=-mean', 'Strata', 'mean'], ['/runs/r1', 'Strata of the run', 'doubt'], ['/farm?sort=-state', 'Workers', 'state']]) {
    const { page, context } = await openPage(browser, mock.url);
    const table = page.getByRole('table', { name: caption, exact: true });
    const rows = () => table.locator('tr[data-row]').evaluateAll((all) => all.map((r) => r.dataset.row));
    await page.goto(path);
    await settled(page);
    const before = await rows(), all = (await heads(table)).length;
    assert.notDeepEqual(before, came()[caption].slice(0, before.length).map(String), `${path}: the order is the page's own`);
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}hide=${key}`);
    await settled(page);
    await becomes(async () => (await heads(table)).length, all - 1, path);
    await becomes(rows, before, path);
    await context.close();
  }
});

test('the menu names the columns like the table, whatever unit the plan counts', async () => {
  Object.assign(mock.world.plans.p1, { unit: 'warp_instructions' });
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  const named = (await heads(page.getByRole('table', { name: 'Strata', exact: true }))).map((text) => text.trim());
  assert.ok(named.includes('share of instructions'), named.join());
  await page.getByRole('button', { name: 'Columns of Strata', exact: true }).click();
  await becomes(async () => (await page.getByRole('menuitemcheckbox').allInnerTexts()).map((text) => text.replace('✓', '').trim()), named.slice(1));
  await context.close();
});

test('a row is drawn again only for a change of its own, of its marks or of the columns', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/');
  await settled(page);
  const drawn = await page.evaluate(async ([table, lib]) => {
    const { Table } = (await import(table.file))[table.name], { html, render } = (await import(lib.file))[lib.name];
    const host = document.body.appendChild(document.createElement('div')), said = [];
    const columnsOf = () => [{ key: 'name', label: 'name', cell: (r) => { said.push(r.name); return r.name; } }];
    const rows = ['a', 'b', 'c'].map((name) => ({ name })), columns = columnsOf();
    const draw = (more) => {
      said.length = 0;
      render(html`<${Table} rows=${rows} columns=${columns} id=${(r) => r.name} order="" caption="three" onPick=${() => {}} ...${more} />`, host);
      return [said.join(''), [...host.querySelectorAll('tbody tr')].map((r) => `${r.textContent.trim()}${r.className.trim()}`).join(' ')];
    };
    let picked = '';
    const all = [draw({ keep: true }), draw({ keep: true }), draw({ keep: true, picked: 'b' }), draw({ keep: true, picked: 'b', rows: [rows[0], { name: 'b' }, rows[2]] }),
      draw({ keep: true, picked: 'b', rows: [rows[2], rows[0]] }), draw({ keep: true, columns: columnsOf() }), draw({ keep: true, hide: 'none' }), draw({}), draw({})];
    draw({ keep: true, onPick: () => { picked = 'of the first render'; } });
    draw({ keep: true, onPick: (r) => { picked = `${r.name}, now`; } });
    host.querySelector('tbody tr').click();
    host.remove();
    return [all, picked];
  }, [moduleAt('ui/table.js'), moduleAt('ui/lib.js')]);
  assert.deepEqual(drawn[0].map(([cells]) => cells), ['abc', '', 'b', 'b', '', 'abc', 'abc', 'abc', 'abc']);
  assert.deepEqual([drawn[0][3][1], drawn[0][4][1]], ['aopen bpicked  open copen', 'copen aopen']);
  assert.equal(drawn[1], 'a, now');
  await context.close();
});

test('a sparkline is one element, and has its size before its counts arrive', async () => {
  const { page, context } = await openPage(browser, mock.url);
  const asked = Promise.withResolvers?.() ?? (() => { const d = {}; d.promise = new Promise((resolve) => { d.resolve = resolve; }); return d; })();
  await page.route('**/histogram?*', async (route) => { await asked.promise; await route.continue(); });
  await page.goto('/plans/p1');
  const widths = () => page.getByRole('table', { name: 'Strata', exact: true }).locator('thead th').evaluateAll((list) => list.map((h) => Math.round(h.getBoundingClientRect().width)));
  await page.getByRole('table', { name: 'Strata', exact: true }).locator('svg.spark').first().waitFor({ state: 'attached' });
  const before = await widths();
  asked.resolve();
  await page.getByRole('img', { name: /^Spread of/ }).first().waitFor({ state: 'attached' });
  assert.deepEqual(await widths(), before);
  assert.deepEqual(await page.locator('svg.spark').evaluateAll((list) => [...new Set(list.map((s) => `${s.children.length} ${s.firstElementChild?.tagName}`))]), ['1 path']);
  await context.close();
});
