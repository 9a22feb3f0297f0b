// The projection by part on the page of a run: layers, phases, steps, classes of kernels; also on shared links.
import { before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { sharedData } from '../../../tests/api/harness.mjs';
import { moduleProfile } from '../../../tests/api/module_profile.mjs';
import { assertClean, becomes, enter, look, openPage, settled, shot, stage, test, UNKNOWN_VISITOR } from '../harness.mjs';

const { browser, mock, farm } = await stage({ farm: { workers: 1 } });
let run;
before(async () => {
  const profile = await farm.profile(moduleProfile(), { name: 'modules.json', workload: 'decoder' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.5, seed: 1 });
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: ['v100', 'h100'] });
  await farm.finished(run.id);
  run.profile = profile.id;
});

const partsOf = (page) => page.locator('.card').filter({ has: page.getByRole('heading', { name: 'By part', exact: true }) });
const rowsOf = (page) => partsOf(page).locator('tbody tr').evaluateAll((list) => list.map((tr) => [...tr.cells].map((td) => td.innerText.replace(/\s+/g, ' ').trim())));

test('a part is chosen, the address contains it, in both themes and at 390 px', async (t) => {
  const { page, seen, context } = await enter(browser, farm);
  t.after(() => context.close());
  await page.goto(`/runs/${run.id}`);
  await settled(page);
  await partsOf(page).getByRole('button', { name: 'layer' }).click();
  await settled(page);
  assert.match(page.url(), /by=layer/);
  const answer = await farm.api('GET', `/runs/${run.id}/domains?by=layer`), names = answer.designs[0].parts.map((p) => p.name);
  assert.deepEqual((await rowsOf(page)).map((r) => r[0]), names, 'the greatest share first');
  assert.match((await rowsOf(page))[0].join('|'), /^GPT_0\/Block_0\|120\|\d+ %\|.* ± .*\|.* ± .*\|not distinguishable .* %\|\d+$/);
  await partsOf(page).getByRole('button', { name: 'launches' }).click();
  assert.match(page.url(), /parts=-launches/);
  for (const [theme, width] of [['light', 1400], ['dark', 390]]) {
    await look(page, { theme, width });
    await settled(page);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    await shot(page, `run-parts-${theme}-${width}`);
  }
  assertClean(seen);
});

test('the numbers of all parts and the picture can be exported', async (t) => {
  const { page, context } = await enter(browser, farm, { acceptDownloads: true });
  t.after(() => context.close());
  await page.goto(`/runs/${run.id}?by=step`);
  await settled(page);
  const take = async (what) => {
    await partsOf(page).getByRole('button', { name: 'Take this picture away' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: what, exact: true }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  const csv = (await take('CSV')).trim().split(/\r?\n/);
  assert.match(csv[0], /^design,step,launches,results,share,total_s,half_width_s,total,half_width,unit,ratio_to_v100,ratio_half_width,why_not$/);
  assert.equal(csv.length, 1 + 2 * 10, 'ten steps on two designs');
  assert.match(await take('SVG'), /<svg[^>]*>.*by step, design v100/s);
  const table = await (await fetch(`${farm.url}/api/v1/runs/${run.id}/domains?by=step&format=csv`, { headers: { Authorization: `Bearer ${farm.token}` } })).text();
  assert.match(table, /^design,name,launches,results,share,value,/);
  assert.equal(table.trim().split('\r\n').length, 1 + 2 * 10);
});

test('a link that hides names also hides those of parts; a frozen one keeps the table', async (t) => {
  const answer = await farm.api('GET', `/runs/${run.id}/domains?by=layer`);
  for (const [name, options, shown] of [['hidden', { hide_names: true }, /^x-[0-9a-f]{10}$/], ['frozen', { frozen: true }, /^GPT_0\/Block_\d$/]]) {
    const made = await farm.api('POST', '/shares', { kind: 'run', object: run.id, name, ...options });
    const { page, seen, context } = await openPage(browser, farm.url);
    t.after(() => context.close());
    await page.goto(`${made.url}/runs/${run.id}?by=layer`);
    await settled(page);
    await becomes(async () => (await rowsOf(page)).length, answer.designs[0].parts.length, name);
    for (const [first, launches] of await rowsOf(page)) {
      assert.match(first, shown, name);
      assert.ok(answer.designs[0].parts.some((p) => String(p.launches) === launches));
    }
    assertClean(seen, [UNKNOWN_VISITOR]);
  }
});

test('for a profile without layers the page explains why and what to do', async (t) => {
  const file = sharedData('kineto/resnet50-v100.json.gz');
  if (!file) return t.skip('kineto/resnet50-v100.json.gz is not here');
  const profile = await farm.profile(readFileSync(file), { name: 'resnet50-v100.json.gz' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.02, seed: 3 });
  const other = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  await farm.finished(other.id);
  const { page, context } = await enter(browser, farm);
  t.after(() => context.close());
  await page.goto(`/runs/${other.id}?by=layer`);
  await partsOf(page).getByText(/^The profile has no layers: no range encloses its launch calls\. Profile with NVTX ranges .*with_modules=True\.$/).waitFor();
  await partsOf(page).getByRole('button', { name: 'kernel class' }).click();
  await partsOf(page).getByRole('row', { name: /^reduction/ }).getByText('cannot be estimated').waitFor();
  await partsOf(page).getByText(/^Cannot be estimated: the part's results are so far below/).waitFor();
  assert.ok(!/[-−]\d/.test((await rowsOf(page)).map((r) => r[3]).join(' ')), 'no negative total');
});

test('the dialog makes a plan of one layer; the plan and the projection show what they cover', async (t) => {
  const { page, seen, context } = await enter(browser, farm);
  t.after(() => context.close());
  await page.goto(`/profiles/${run.profile}`);
  await settled(page);
  await page.getByRole('button', { name: /^Plan/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan' });
  await dialog.getByLabel('Only layers').fill('nothing.*');
  await dialog.getByRole('button', { name: 'Plan', exact: true }).click();
  await dialog.getByText(/no launch of the profile is in this part: layers nothing/).waitFor();
  await dialog.getByLabel('Only layers').fill('GPT_0.Block_1');
  await dialog.getByLabel('Only steps').fill('2..5');
  await dialog.getByLabel('Strata keep to one').selectOption('step');
  await dialog.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByText(/^The plan is for a part of the workload: layers GPT_0\.Block_1, steps 2 to 5, 13\s% of the profiled total\.$/).waitFor();
  await page.getByText('Each stratum has launches of one step only.').waitFor();
  const plan = new URL(page.url()).pathname.split('/').at(-1);
  await page.getByRole('button', { name: 'Plan again…' }).click();
  assert.deepEqual([await dialog.getByLabel('Only layers').inputValue(), await dialog.getByLabel('Only steps').inputValue(), await dialog.getByLabel('Strata keep to one').inputValue()], ['GPT_0.Block_1', '2..5', 'step']);
  await page.keyboard.press('Escape');
  const part = await farm.api('POST', `/plans/${plan}/runs`, { engine: 'replay', designs: ['v100'] });
  await farm.finished(part.id);
  await page.goto(`/runs/${part.id}`);
  await page.getByText(/^The projection is of a part of the workload: layers GPT_0\.Block_1, steps 2 to 5, 13\s% of the profiled total\.$/).waitFor();
  assertClean(seen, [/422 \(Unprocessable/]);
});

test('few results and changes against the baseline are explained in words', async (t) => {
  const { page, context } = await openPage(browser, mock.url);
  t.after(() => context.close());
  await page.goto('/runs/r1?design=h200-l2x2&by=class');
  await settled(page);
  const row = (name) => partsOf(page).getByRole('row', { name });
  assert.match(await row(/^gemm/).innerText(), /[−-]7\.4\s±\s1\.0\s%/);
  assert.match(await row(/^elementwise/).innerText(), /too few results/);
  await partsOf(page).getByText('Too few results: the part has fewer than 10 results, too few for an interval.').waitFor();
  await partsOf(page).getByText('Cannot be estimated: its total would be negative. The other parts add up to more than the total.').waitFor();
  assert.equal(await partsOf(page).getByText('cannot be estimated', { exact: true }).count(), 3, 'on each design');
});
