// The dialog that gives a plan to a tracer: the script, possible failures, and the check of the tracer's list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { axe, becomes, look, openPage, policyLines, settled, shot, stage, test, until } from '../harness.mjs';

const { browser, mock } = await stage();
const { page, seen } = await openPage(browser, mock.url);

const list = (content) => ({ name: 'stats.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

async function opened(how) {
  await look(page, how);
  await page.goto('/plans/p1');
  await settled(page);
  await page.getByRole('button', { name: 'Trace these…' }).click();
  await page.getByText(/Traces 73\s*samples of 488.?000\s*launches in 2\s*runs/).first().waitFor();
  return page.getByRole('dialog', { name: 'Trace these' });
}

for (const theme of ['light', 'dark']) {
  test(`script, warning and both verdicts, ${theme}`, async () => {
    const dialog = await opened({ theme });
    await becomes(() => dialog.getByLabel('Context', { exact: true }).inputValue(), '1', 'the context with most samples comes first');
    await dialog.getByText('12000 launches of this context are replays').waitFor();
    await dialog.getByText('Kernels are counted in each CUDA context from 1.').waitFor();
    await dialog.getByLabel('The script').filter({ hasText: "it'\\''s <script>" }).waitFor();
    assert.deepEqual(await axe(page), []);
    await shot(page, `trace-dialog-${theme}`);

    const field = dialog.locator('input[type=file]');
    await field.setInputFiles(list('right'));
    await dialog.getByText('133 of 133 match.').waitFor();
    assert.deepEqual(await axe(page, undefined, 'dialog'), []);
    await shot(page, `trace-dialog-good-${theme}`);
    await field.setInputFiles(list('wrong'));
    await dialog.getByText('Do not trace with this: launch 56 differs in its name.').waitFor();
    await dialog.getByText('gemm(float*)', { exact: true }).waitFor();
    assert.deepEqual(await axe(page, undefined, 'dialog'), []);
    await page.getByRole('status').first().scrollIntoViewIfNeeded();
    await shot(page, `trace-dialog-bad-${theme}`);
    assert.deepEqual([policyLines(seen), seen.errors, seen.foreign, await page.evaluate(() => window.hit)], [[], [], [], undefined]);
  });
}

test('a profile of a part of the run', async () => {
  const dialog = await opened();
  const field = dialog.locator('input[type=file]');
  await field.setInputFiles(list('part'));
  await dialog.getByText('They are launches 812 to 944 of the list').waitFor();
  await dialog.getByText('This script is for a profile that begins at launch 812').waitFor();
  assert.ok(mock.requests.includes('GET /api/v1/plans/p1/trace-commands?for=accel-sim&context=1&offset=812&format=json'));
  assert.match(await dialog.getByRole('link', { name: 'Download' }).getAttribute('href'), /offset=812/);
  await field.setInputFiles(list('epochs'));
  await dialog.getByText('launches occur at 3 places of this list').waitFor();
  assert.deepEqual(await axe(page, undefined, 'dialog'), []);
});

test('another context, another tool, a refused request, lists and a download', async () => {
  const dialog = await opened();
  await dialog.getByLabel('Context', { exact: true }).selectOption('0');
  await dialog.getByText(/Traces 60\s*samples/).waitFor();
  assert.ok(mock.requests.includes('GET /api/v1/plans/p1/trace-commands?for=accel-sim&context=0&format=json'));
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Download' }).click()]);
  assert.equal(download.suggestedFilename(), 'accel-sim-p1.sh');
  assert.equal(readFileSync(await download.path(), 'utf8'), mock.world.traceCommands('accel-sim', 0).script);
  const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST'), dialog.locator('input[type=file]').setInputFiles(list('right'))]);
  assert.match(request.url(), /\/plans\/p1\/launch-list\?context=0$/);
  assert.equal(request.headers()['x-vivace-request'], '1');
  await dialog.getByText('133 of 133 match.').waitFor();
  await dialog.getByLabel('Tracer', { exact: true }).selectOption('macsim');
  await dialog.getByText(/counts over both in the order of calls/).waitFor();
  await becomes(() => dialog.getByText('133 of 133 match.').count(), 0, 'the verdict was for another tool');
  await dialog.getByLabel('Tracer', { exact: true }).selectOption('list');
  for (const format of ['Text', 'CSV', 'JSON']) {
    await until(`the link to ${format}`, () => dialog.getByRole('link', { name: format }).getAttribute('href'), (href) => href.includes(`for=list&format=${format.toLowerCase()}`));
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Trace these…'); // the focus comes back
});

test('the view fits narrow screens', async () => {
  const dialog = await opened({ width: 390, height: 800 });
  const wide = await dialog.evaluate((d) => d.scrollWidth - d.clientWidth);
  assert.ok(wide <= 1, `${wide} px too wide`);
  await shot(page, 'trace-dialog-narrow');
});
