// Names, tags and notes of runs and plans; archiving and deleting them.
import assert from 'node:assert/strict';
import { assertClean, axe, openPage, said, settled, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();

for (const [kind, list, path, answer] of [['run', 'Runs', '/runs/r1', 'for the review'], ['plan', 'Plans', '/plans/p1', 'h100']]) {
  test(`a ${kind} gets a name, tags and a note; the list shows them and can be filtered by a tag`, async () => {
    const { page, seen, context } = await openPage(browser, mock.url);
    const more = async (item) => {
      await page.getByRole('button', { name: `More to do with this ${kind}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await page.goto(path);
    await settled(page);
    await more('Name, tags, note…');
    const dialog = page.getByRole('dialog', { name: `Name, tags and note of this ${kind}` });
    await dialog.getByLabel('Name').fill('twice the L2');
    await dialog.getByLabel('Tags').fill('paper, L2');
    await dialog.getByLabel('Note').fill('For the figure.');
    assert.deepEqual(await axe(page), []);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: /^twice the L2 · / }).waitFor();
    await page.getByText('For the figure.').waitFor();
    await page.getByRole('link', { name: 'paper' }).click();
    await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor();
    const rows = page.getByRole('table', { name: list }).locator('tbody tr');
    await rows.filter({ hasText: 'twice the L2' }).waitFor();
    assert.equal(await rows.count(), 1);
    assert.match(page.url(), /tag=paper/);
    await page.getByRole('button', { name: /^All, not only/ }).click();
    await rows.nth(1).waitFor();
    // An archived run: the list does not show it until the switch is on.
    await page.goto(path);
    await settled(page);
    await more('Archive');
    await said(page, `The ${kind} is in the archive; nothing of it is deleted.`);
    await page.getByText('archived', { exact: true }).waitFor();
    await page.goto(`/${list.toLowerCase()}`);
    await settled(page);
    assert.equal(await rows.filter({ hasText: 'twice the L2' }).count(), 0);
    await page.getByLabel('archived').check();
    await rows.filter({ hasText: 'twice the L2' }).waitFor();
    assertClean(seen);
    await context.close();
  });

  test(`before a ${kind} is deleted, its dependent objects are listed`, async () => {
    const { page, seen, context } = await openPage(browser, mock.url);
    mock.world.runs.r1.state = 'done';
    await page.goto(path);
    await settled(page);
    await page.getByRole('button', { name: `More to do with this ${kind}` }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete this ${kind}?` });
    await dialog.getByText(`“${answer}”`).waitFor();
    assert.deepEqual(await axe(page), []);
    await page.keyboard.press('Escape');
    assert.equal(mock.requests.filter((r) => r.startsWith('DELETE')).length, 0);
    await page.getByRole('button', { name: `More to do with this ${kind}` }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog.getByRole('button', { name: `Delete the ${kind}` }).click();
    await said(page, `The ${kind} is deleted.`);
    await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor();
    assertClean(seen);
    await context.close();
  });
}
