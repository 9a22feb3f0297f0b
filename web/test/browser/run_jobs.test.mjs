// Jobs of a run. The address keeps the open job. The user can replace or drop a launch that cannot be simulated; before that
// the page says how this changes the estimate.
import assert from 'node:assert/strict';
import { assertClean, axe, becomes, openPage, said, settled, shot, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();
/** @param {import('playwright-core').Page} page */
const jobOf = (page) => page.evaluate(() => new URLSearchParams(location.search).get('job'));

test('the address contains the job whose attempts are open; going back closes it, a link opens it', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  const dialog = page.getByRole('dialog', { name: 'Attempts' });
  await page.getByRole('table', { name: 'Jobs' }).getByRole('button', { name: /^12\s?.?004$/ }).click();
  await dialog.getByText('warp 31: 12 of 4096 instructions').waitFor();
  await becomes(() => jobOf(page), 'j1');
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await becomes(() => jobOf(page), null);
  await page.waitForFunction(() => document.activeElement?.closest('[data-row="j1"]')); // the row that opened the job
  await page.goForward();
  await dialog.waitFor();
  await page.reload();
  await dialog.getByText('warp 31: 12 of 4096 instructions').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await becomes(() => jobOf(page), null);
  await page.goBack();
  await dialog.waitFor();
  await page.goto('/runs/r1?job=nowhere');
  await dialog.getByRole('alert').waitFor();
  await page.goto('/runs/r2?job=j1');
  await dialog.getByRole('alert').getByText('This job belongs to another run').waitFor();
  assert.equal(await dialog.getByText('warp 31').count(), 0);
  await context.close();
});

test('replace or drop: the dialog shows the effect on the estimate, then the run shows the change', async () => {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    mock.reset();
    const { page, context, seen } = await openPage(browser, mock.url, { theme });
    await page.goto('/runs/r1');
    await settled(page);
    const row = page.locator('[data-row="j1"]'), dialog = page.getByRole('dialog', { name: /could not be simulated$/ });
    const choose = () => row.getByRole('button', { name: 'Replace or drop' }).click();
    await choose();
    await dialog.getByText(/the plan expects ±\s1\.8\s%/).waitFor(); // run.promised_error
    await dialog.getByText(/The interval stays as it is: ±\s3\.0\s% on h100, from 78 of/).waitFor();
    await dialog.getByText(/No interval covers an error of that assumption/).waitFor();
    assert.deepEqual(await axe(page), []);
    await shot(page, `take-out-${theme}`);
    await dialog.getByRole('button', { name: 'Drop' }).click();
    await said(page, 'is dropped');
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('dropped').waitFor();
    const reported = page.getByText(/^1\slaunch dropped: launches that could not be simulated are assumed/);
    await reported.waitFor();
    await choose();
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Drop' }).count(), 0, 'this is the present interval');
    await dialog.getByRole('button', { name: 'Draw another sample' }).click();
    await said(page, 'replaces');
    await row.waitFor({ state: 'detached' });
    await page.getByText(/^1\slaunch replaced, 1 dropped: /).waitFor();
    assert.deepEqual(mock.requests.filter((r) => /^POST .*\/jobs\//.test(r)).map((r) => r.split('/').slice(-2).join('/')), ['j1/drop', 'j1/redraw']);
    assertClean(seen, [/404 \(Not Found\)/]); // the mock server does not have all objects
    await context.close();
  }
});

test('the dialog shows why the farm refuses, and nothing changes', async () => {
  mock.reset();
  const { page, context } = await openPage(browser, mock.url);
  await page.route(/\/jobs\/j1\/drop$/, (route) => route.fulfill({ status: 409, contentType: 'application/problem+json',
    json: { title: 'Conflict', status: 409, detail: 'launch 12004 is the only sample of stratum S5: no other sample represents it', hint: 'Draw another sample in its place.', code: 'conflict', request_id: 'x' } }));
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('[data-row="j1"]').getByRole('button', { name: 'Replace or drop' }).click();
  const dialog = page.getByRole('dialog', { name: /could not be simulated$/ });
  await dialog.getByRole('button', { name: 'Drop' }).click();
  await dialog.getByRole('alert').getByText(/only sample of stratum S5.*Draw another sample/).waitFor();
  await becomes(() => dialog.getByRole('button', { name: 'Drop' }).isEnabled(), true);
  await context.close();
});

test('a dialog closed before the answer still shows the result, and a view opened meanwhile stays', async () => {
  mock.reset();
  const { page, context } = await openPage(browser, mock.url);
  const answers = [];
  await page.route(/\/jobs\/j1\/drop$/, async (route) => {
    await new Promise((resolve) => { answers.push(resolve); });
    if (answers.length > 1) return route.continue();
    return route.fulfill({ status: 409, contentType: 'application/problem+json', json: { title: 'Conflict', status: 409, detail: 'no other sample represents it', hint: 'Draw another sample.', code: 'conflict', request_id: 'x' } });
  });
  await page.goto('/runs/r1');
  await settled(page);
  const dialog = (launch) => page.getByRole('dialog', { name: new RegExp(`^Launch ${launch} could not be simulated$`) });
  const open = (id) => page.locator(`[data-row="${id}"]`).getByRole('button', { name: 'Replace or drop' }).click();
  for (const words of ['12\u202f004: no other sample represents it', '12\u202f004 is dropped']) {
    await open('j1');
    const asked = page.waitForRequest(/\/jobs\/j1\/drop$/);
    await dialog('12.004').getByRole('button', { name: 'Drop' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await dialog('12.004').waitFor({ state: 'detached' });
    await open('j2');
    await dialog('88.214').waitFor();
    answers.at(-1)();
    await said(page, words);
    assert.equal(await dialog('88.214').count(), 1);
    assert.equal(await dialog('88.214').getByRole('alert').count(), 0, 'that is not about this one');
    await page.keyboard.press('Escape');
    await dialog('88.214').waitFor({ state: 'detached' });
  }
  await context.close();
});

test('the name of each button contains its object; before the first result the samples of the plan count', async () => {
  mock.reset();
  mock.world.runs.r1.designs[0].projection = { level: 0.95, confidence: 0.95, planned: 133 };
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  const names = () => page.getByRole('table', { name: 'Jobs' }).locator('button[aria-label]').evaluateAll((all) => all.map((b) => b.ariaLabel.replace(/\s/g, ' ')));
  await becomes(names, ['12 004', '88 214'].flatMap((n) => [`Try again, launch ${n}`, `Replace or drop, launch ${n}`]));
  await page.getByRole('button', { name: /^Replace or drop, launch 12.004$/ }).click();
  const dialog = page.getByRole('dialog', { name: /could not be simulated$/ });
  await dialog.getByText(/order replaces it, on all 3 designs; .*\. With all 133\ssamples the plan expects ±\s1\.8\s%/).waitFor();
  assert.doesNotMatch(await dialog.innerText(), /266/, 'the number of jobs (all designs) is not the number of samples');
  await context.close();
});
