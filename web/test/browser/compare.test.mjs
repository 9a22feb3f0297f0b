// The page Compare as a visitor uses it. On a real farm the page shows the numbers of the API, digit by digit. A difference
// whose interval contains zero has a hollow mark, and the text says so. The star and a key move the baseline. The address
// restores the whole page.
import { before } from 'node:test';
import assert from 'node:assert/strict';
import { ScriptedWorker, tracedPlan } from '../../../tests/api/scripted_worker.mjs';
import { assertClean, axe, becomes, enter, openPage, policyLines, settled, stage, test, UNKNOWN_VISITOR } from '../harness.mjs';

const { browser, farm, mock } = await stage({ farm: {} });
let run;
before(async () => { run = await simulated(['v100', 'h100', 'a100']); });

/** A finished run whose designs take 1, about 0.5, and about 1 times the time. */
async function simulated(designs) {
  const plan = await tracedPlan(farm);
  const started = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs });
  const clock = Object.fromEntries((await farm.api('GET', '/designs')).items.map((d) => [d.name, d.clock_hz]));
  const worker = await new ScriptedWorker(farm).openAlive();
  const own = (l, share) => 1 + ((l.launch * 13) % 5 - 2) * share;
  const factor = (l) => ({ v100: 1, h100: 0.5 * own(l, 0.004), a100: own(l, 0.01) })[l.design_name];
  await worker.drain((l) => Math.round((100 + (l.launch * 37) % 11) * 1e-6 * factor(l) * clock[l.design_name]));
  worker.fallSilent();
  return farm.finished(started.id);
}

const row = (page, design) => page.getByRole('table', { name: 'Compared designs' }).getByRole('row').filter({ has: page.getByRole('button', { name: design, exact: true }) });
/** The same on a shared page, where rows have no button. */
const shownValues = (page, design) => page.getByRole('table', { name: 'Compared designs' }).getByRole('row').filter({ hasText: design }).locator('data').evaluateAll((list) => list.map((d) => d.getAttribute('value')));
const values = (page, design) => row(page, design).locator('data').evaluateAll((list) => list.map((d) => d.getAttribute('value')));

test('from a run to Compare: its paired differences have all digits of the API’s', async () => {
  const { page, seen, context } = await enter(browser, farm);
  await page.goto(`/runs/${run.id}`);
  await page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).click(); // the link of the run, not that of the bar
  await page.getByRole('heading', { name: 'h100 is the fastest' }).waitFor();
  await settled(page);
  const answer = await farm.api('GET', `/compare?base=${run.id}:v100&with=${run.id}:h100,${run.id}:a100`);
  for (const item of answer.items) {
    assert.equal(item.paired_on, item.samples);
    await becomes(() => values(page, item.design), [item.total.value_s, item.difference_s, item.ratio - 1, item.level].map(String), item.design);
  }
  // the exported picture has the same numbers, with their half-widths
  await page.locator('.picture', { hasText: 'Against v100' }).getByRole('button', { name: 'Take this picture away' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const lines = (await (await (await coming).createReadStream()).toArray()).join('').trim().split('\r\n').map((l) => l.split(','));
  const [h100] = answer.items;
  assert.deepEqual(lines.find((l) => l[0] === 'h100').slice(1), [h100.ratio - 1, h100.ratio_half_width, h100.distinguishable].map(String));
  // the address that the page offers for scripts has them too
  const csv = await (await farm.request('GET', `/compare?base=${run.id}:v100&with=${run.id}:h100&format=csv`)).text();
  assert.ok(csv.includes(`,${(await farm.api('GET', `/compare?base=${run.id}:v100&with=${run.id}:h100`)).items[0].half_width_s},`));
  await page.getByText(/paired on \d+ of \d+\ssamples/).first().waitFor();
  assert.deepEqual([policyLines(seen), seen.errors, seen.foreign], [[], [], []]);
  await context.close();
});

test('a difference whose interval contains zero has a hollow mark and the text “not distinguishable”', async () => {
  const { page, context } = await enter(browser, farm);
  await page.goto(`/compare?base=${run.id}:v100&with=${run.id}:h100,${run.id}:a100`);
  await settled(page);
  await row(page, 'a100').filter({ hasText: 'not distinguishable' }).waitFor();
  assert.doesNotMatch(await row(page, 'h100').innerText(), /not distinguishable/);
  const picture = page.locator('.picture', { hasText: 'Against v100' });
  const hollow = () => picture.locator('[aria-label=dot] circle').evaluateAll((list) => list.map((c) => c.getAttribute('fill') === 'var(--panel)'));
  await becomes(hollow, [false, true], 'h100 first: it is faster; a100 is hollow');
  await picture.getByText('not distinguishable', { exact: true }).waitFor();
  await context.close();
});

test('star and key change the baseline; the address and going back restore it', async () => {
  const { page, context } = await enter(browser, farm);
  await page.goto(`/compare?base=${run.id}:v100&with=${run.id}:h100,${run.id}:a100`);
  await page.getByRole('button', { name: 'a100: make it the baseline' }).click();
  await page.getByText('Baseline: a100').waitFor();
  await settled(page);
  await page.waitForURL((url) => url.searchParams.get('base').endsWith(':a100'));
  await row(page, 'h100').getByRole('button', { name: 'h100', exact: true }).focus();
  await page.keyboard.press('b');
  await page.getByText('Baseline: h100').waitFor();
  await page.getByRole('heading', { name: 'Nothing chosen is faster than h100' }).waitFor();
  await page.reload();
  await page.getByText('Baseline: h100').waitFor();
  await page.goBack();
  await page.getByText('Baseline: a100').waitFor();
  // a visitor who comes by the bar finds the choice again
  await Promise.all(['g', 'c'].map((k) => page.keyboard.press(k))); // together, or a slow machine takes them for two separate keys
  await page.getByRole('link', { name: 'Show that comparison' }).click();
  await page.getByText('Baseline: a100').waitFor();
  await context.close();
});

test('the parameters that differ between designs, and the cost of a distinguishable difference', async () => {
  const { page, context } = await enter(browser, farm);
  await page.goto(`/compare?base=${run.id}:v100&with=${run.id}:a100&resolve=0.001`);
  await page.getByRole('rowheader', { name: 'gpu.sms' }).waitFor();
  await becomes(() => page.getByRole('rowheader', { name: 'gpu.compute_capability' }).count(), 1);
  const few = await page.getByRole('table', { name: 'Parameters of the designs' }).getByRole('row').count();
  await page.getByLabel('all parameters').check();
  await page.waitForFunction((n) => document.querySelectorAll('table [scope=row] code').length > n, few + 20);
  const { resolve } = await farm.api('GET', `/compare?base=${run.id}:v100&with=${run.id}:a100&resolve=0.001`);
  assert.equal(resolve.decision, 'more');
  await page.getByRole('button', { name: `Simulate ${String(resolve.jobs).replace(/\B(?=(\d{3})+$)/g, resolve.jobs > 9999 ? '\u202f' : '')} more…` }).waitFor();
  await page.getByText(`vivace run compare ${run.id} --resolve 0.1%`).waitFor();
  await context.close();
});

test('several workloads, different launches, and an empty choice', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/compare');
  await page.getByLabel('Search runs').fill('no such');
  await page.getByText('No run of a workload or design with “no such” in its name.').waitFor();
  await page.getByLabel('Search runs').fill('prefill');
  await page.getByRole('button', { name: 'compare these' }).first().click();
  await page.getByRole('table', { name: 'Compared designs' }).waitFor();
  await page.waitForURL(/base=r1%3Ah100&with=r1%3Ah200-l2x2%2Cr1%3Ah100-slow-mem/);
  await page.goto('/compare?base=r1:h100&with=r1:h200-l2x2,r2:h100,r2:h200-l2x2,r1:b200');
  await settled(page);
  await page.getByText('b200: the runs simulated different launches').waitFor();
  const matrix = page.locator('.picture', { hasText: 'Design × workload' });
  const cells = matrix.getByRole('group', { name: /^Difference to h100, design by workload: h200-l2x2 / });
  await cells.press('t'); // the numbers of the picture: one row for each cell
  await becomes(() => matrix.locator('tbody tr').evaluateAll((rows) => rows.map((r) => r.cells[0].textContent)), ['h200-l2x2', 'h200-l2x2', 'b200']);
  await cells.press('ArrowRight');
  await matrix.locator('.reading', { hasText: /(h200-l2x2|b200) on .+: .+±.+% against h100 there/ }).waitFor();
  assert.equal(await page.evaluate(() => window.hit), undefined, 'a name ran as a script');
  await page.goto('/compare?base=r404:h100&with=r1:h100');
  await page.getByText('There is nothing with this id.').waitFor();
  await context.close();
});

test('a comparison becomes a link: the same answer, for a visitor without an account, and nothing to act on', async () => {
  const owner = await enter(browser, farm);
  await owner.page.goto(`/compare?base=${run.id}:v100&with=${run.id}:h100,${run.id}:a100&show=${run.id}:a100`);
  await settled(owner.page);
  await owner.page.getByRole('button', { name: 'Share…' }).click();
  const dialog = owner.page.getByRole('dialog', { name: 'Share this comparison' });
  await dialog.getByText(/the parameters in which the designs differ, nothing else/).waitFor();
  assert.deepEqual(await axe(owner.page), []);
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const address = await dialog.getByText(/\/s\//).innerText();
  for (const theme of ['light', 'dark']) {
    const { page, seen, context } = await openPage(browser, farm.url, { theme });
    await page.goto(address);
    await page.getByText(/Shared with you: decoder. You see one comparison, as it is now, read only, until/).waitFor();
    await becomes(() => new URL(page.url()).searchParams.get('show'), `${run.id}:a100`, 'the question is in the address, which can be passed on');
    await page.getByRole('heading', { name: 'h100 is the fastest' }).waitFor();
    await settled(page);
    await page.getByRole('heading', { name: 'From v100 to a100, by kernel' }).waitFor();
    for (const design of ['h100', 'a100']) assert.deepEqual(await shownValues(page, design), await values(owner.page, design), design);
    assert.deepEqual(await page.getByRole('main').getByRole('link').allInnerTexts(), []);
    for (const name of [/Share/, /baseline/, /^Take .* out$/, /^Simulate/, /^compare these$/]) assert.equal(await page.getByRole('main').getByRole('button', { name }).count(), 0, String(name));
    for (const gone of [/What it would take/, /Designs and runs to compare/, /all parameters/]) assert.equal(await page.getByText(gone).count(), 0, String(gone));
    await page.keyboard.press('b');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'The comparison of this link' }).click(); // `g c` names no comparison
    await page.getByRole('heading', { name: 'h100 is the fastest' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'h100' }).first().click();
    await page.getByRole('heading', { name: 'From v100 to h100, by kernel' }).waitFor();
    await page.reload();
    await settled(page);
    await page.getByRole('heading', { name: 'From v100 to h100, by kernel' }).waitFor();
    assert.deepEqual(await axe(page), []);
    assert.equal(await page.evaluate(() => localStorage.getItem('comparison')), null, 'the visitor\u2019s own collection stays');
    await page.goto(`${address}/runs/${run.id}`);
    await page.getByText(/does not share this object/).first().waitFor();
    assertClean(seen, [UNKNOWN_VISITOR, /404/]);
    await context.close();
  }
  const { team } = await farm.api('GET', '/session');
  await owner.page.goto(`/team/${team}`);
  await owner.page.getByRole('link', { name: 'the comparison' }).click();
  await becomes(() => new URL(owner.page.url()).search, `?${new URLSearchParams({ base: `${run.id}:v100`, with: `${run.id}:h100,${run.id}:a100`, show: `${run.id}:a100` })}`);
  assertClean(owner.seen, [UNKNOWN_VISITOR]);
  await owner.context.close();
});

test('a frozen link with hidden names keeps its answer and offers no table that it does not have', async () => {
  const side = (design) => ({ run: run.id, design });
  const link = await farm.api('POST', '/shares', { kind: 'compare', question: { base: side('v100'), with: [side('h100')], all_parameters: true }, frozen: true, hide_names: true });
  const { page, seen, context } = await openPage(browser, farm.url);
  await page.goto(link.url);
  await page.getByText(/You see one comparison, as it was on .*labels/).waitFor();
  await settled(page);
  assert.equal(await page.getByText('decoder').count(), 0);
  assert.equal(await page.getByText(/Shared with you:/).count(), 0, 'the name of the link is hidden, too');
  assert.doesNotMatch(await page.getByText('The rule for several of them').innerText(), /\.\./);
  await page.getByRole('checkbox', { name: 'all parameters' }).setChecked(false);
  await page.getByRole('heading', { name: /^The designs differ in/ }).waitFor();
  await settled(page);
  await page.getByRole('button', { name: 'Export this comparison' }).click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['All numbers, JSON']);
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'All numbers, JSON' }).click();
  const json = JSON.parse((await (await (await coming).createReadStream()).toArray()).join(''));
  assert.match(json.base.workload_name, /^x-/);
  assertClean(seen, [UNKNOWN_VISITOR]);
  await context.close();
});

test('a link to a run: its Compare button compares the designs of the run', async () => {
  const link = await farm.api('POST', '/shares', { kind: 'run', object: run.id }), { page, seen, context } = await openPage(browser, farm.url);
  await page.goto(link.url);
  await page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: 'h100 is the fastest' }).waitFor();
  await settled(page);
  assert.equal(await page.getByText(/The designs differ in/).count(), 0, 'parameters of designs are not part of a run');
  assertClean(seen, [UNKNOWN_VISITOR]);
  await context.close();
});
