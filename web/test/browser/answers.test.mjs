// The answer of a run, with its interval, in the list of runs, in the list of its workload and in the title of its page.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, sharedData } from '../../../tests/api/harness.mjs';
import { ScriptedWorker } from '../../../tests/api/scripted_worker.mjs';
import { change, estimate, timeEstimate } from '../../ui/format.js';
import { topsOf } from '../../ui/shown.js';
import { assertClean, enter, moduleAt, settled, shot, stage, test } from '../harness.mjs';

const TRACES = sharedData('traces/pytorch-sgd-v100.tar.zst');
const { browser, farm } = TRACES ? await stage({ mock: false, farm: { args: ['--test-dead-after', '15min'] } }) : { browser: null, farm: null };
const plain = (text) => text.replaceAll(/\s+/g, ' ');
/** The heights of a row of the list of runs with one, two and three lines. */
const heights = (page, id) => page.locator(`tr[data-row="${id}"]`).evaluate((row) => [1, 2, 3].map((n) => {
  const copy = row.cloneNode(true);
  for (const cell of copy.querySelectorAll('.designlines')) cell.replaceChildren(...Array.from({ length: n }, () => cell.firstElementChild.cloneNode(true)));
  row.after(copy, row.cloneNode(true)); // the last row of a table has no border
  const { height } = copy.getBoundingClientRect();
  copy.nextSibling.remove();
  copy.remove();
  return height;
}));

test('runs of a real profile: projection, interval, difference and title agree with the API', { skip: TRACES ? false : 'no recorded traces beside the project' }, async () => {
  const env = { ...process.env, XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'vivace-answers-')), VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token };
  const cli = (...args) => execFileSync(program('vivace'), args, { env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 }).toString();
  const { profile } = JSON.parse(cli('push', TRACES, '--workload', 'pytorch-sgd', '--json'));
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  cli('push', TRACES, '--plan', plan.id);
  const started = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], engine: 'cycle', cache_check: 0 });
  const worker = await new ScriptedWorker(farm, { slots: 16 }).open();
  await worker.drain((l) => Math.round((20000 + ((l.launch * 7919) % 400)) * (l.design_name === 'h100' ? 0.9 : 1)));
  const run = await farm.finished(started.id), [v100, h100] = run.designs;
  const { page, seen, context } = await enter(browser, farm);
  const difference = change(h100.baseline.ratio - 1, h100.baseline.ratio_half_width);
  for (const address of ['/runs', `/workloads/${run.workload}`]) {
    await page.goto(address);
    await settled(page);
    const row = plain(await page.locator(`tr[data-row="${run.id}"]`).innerText());
    assert.deepEqual(await heights(page, run.id), [1, 2, 3].map((n) => topsOf([n], () => n)[1]), 'heights of rows with 1, 2 and 3 lines');
    for (const part of [...run.designs.map((d) => estimate(timeEstimate(d.projection.value_s, d.projection.half_width_s))), estimate(difference), 'vivace']) assert.ok(row.includes(plain(part)), `${address}: ${row} has no ${part}`);
  }
  await shot(page, 'answers');
  const same = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'a100'], engine: 'cycle', cache_check: 0 });
  const clock = Object.fromEntries((await farm.api('GET', '/designs')).items.map((d) => [d.name, d.clock_hz]));
  await worker.drain((l) => Math.round((20000 + ((l.launch * 104729) % 400)) * clock.a100 / clock.v100)); // the same time on both designs, except for the part that each launch adds
  const level = (await farm.finished(same.id)).designs[1];
  assert.equal(level.baseline.distinguishable, false, JSON.stringify(level.baseline));
  await farm.api('PATCH', `/runs/${run.id}`, { name: 'twice the L2 for the figure of the paper', tags: ['paper', 'L2'] });
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto('/runs');
  await settled(page);
  const [whole, shown] = await page.locator('table.rows').first().evaluate((table) => [table.scrollWidth, table.parentElement.clientWidth]);
  assert.ok(whole <= shown, `at 1200 px the list is ${whole} px wide and ${shown} are shown`);
  await farm.api('PATCH', `/runs/${run.id}`, { name: '', tags: [] });
  await page.setViewportSize({ width: 390, height: 800 });
  for (const [address, theme] of [['/runs', 'light'], [`/workloads/${run.workload}`, 'dark']]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(address);
    await settled(page);
    for (const id of [run.id, same.id]) {
      const cells = await page.locator(`tr[data-row="${id}"] td`).evaluateAll((list) => list.slice(0, 3).map((c) => [c.innerText, c.getBoundingClientRect().right, Math.min(innerWidth, c.closest('table').parentElement.getBoundingClientRect().right)]));
      assert.match(cells[0][0], /^v100\s+[ah]100$/);
      assert.equal(/\?/.test(cells[2][0]), id === same.id, cells[2][0]);
      assert.match(cells[2][0], /%/);
      for (const [text, right, edge] of cells) assert.ok(right <= edge + 0.5, `${address}: ${plain(text)} ends at ${right}, what is visible at ${edge}`);
    }
    await page.locator(`tr[data-row="${same.id}"] [title="${level.baseline.cache_reversible ? 'the cache state could reverse it' : 'not distinguishable'}"]`).waitFor();
    await shot(page, `answers-390-${theme}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.route(/\/api\/v1\/runs\?/, async (route) => { // as if there were more runs than the workload's page loads
    assert.equal(new URL(route.request().url()).searchParams.get('limit'), '100');
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...await response.json(), next: 'more' } });
  });
  await page.reload();
  assert.ok((await page.getByRole('link', { name: 'All runs' }).getAttribute('href')).endsWith('/runs?q=pytorch-sgd'));
  await page.unroute(/\/api\/v1\/runs\?/);
  await page.goto(`/runs/${run.id}`);
  await settled(page);
  const title = plain(await page.locator('h1').innerText()), words = `pytorch-sgd on v100, h100: h100 ${estimate({ ...difference, value: difference.value.replace('\u2212', '') })} faster`;
  assert.equal(title.startsWith(plain(words)) || /not distinguishable|could reverse/.test(title), true, title);
  assert.equal(h100.baseline.distinguishable, title.startsWith(plain(words)), title);
  const strip = await page.locator('.strip').innerText();
  assert.doesNotMatch(strip, /Failed|Left/, 'what does not apply');
  assert.ok(v100.baseline === null && /Best: h100/.test(strip), strip);
  assertClean(seen);
  await context.close();
});

test('titles are correct: no design is faster, a reversible difference, no estimate, many designs', { skip: TRACES ? false : 'no recorded traces beside the project' }, async () => {
  const { page, context } = await enter(browser, farm);
  await page.goto('/runs');
  await settled(page);
  const base = { design: 'v100', baseline: null, projection: {} };
  const other = (design, ratio, more = {}) => ({ design, projection: {}, baseline: { design: 'v100', ratio, ratio_half_width: 0.001, distinguishable: true, cache_reversible: false, ...more } });
  const title = async (designs, state = 'done') => plain(await page.evaluate(async ([{ file, name }, run]) => (await import(file))[name].titleOf(run), [moduleAt('views/run_title.js'), { workload_name: 'sgd', state, designs: [base, ...designs] }]));
  assert.match(await title([other('h100', 0.9), other('a100', 0.95)]), /^sgd on v100, h100, a100: h100 10\.00 ± 0\.10 % faster$/);
  assert.match(await title([other('h100', 1.1)]), /: h100 10\.00 ± 0\.10 % slower$/);
  assert.match(await title([other('h100', 1.1), other('a100', 1.2)]), /: none faster than v100: h100 10\.00 ± 0\.10 % slower$/);
  assert.match(await title([other('h100', 0.9, { distinguishable: false, cache_reversible: true })]), /: h100 against v100: the cache state could reverse the difference$/);
  assert.match(await title([{ ...base, design: 'h100' }]), /: no estimate$/);
  assert.match(await title([{ ...base, design: 'h100' }], 'running'), /: no estimate yet$/);
  assert.match(await title(['a', 'b', 'c', 'd'].map((d) => other(d, 0.9))), /^sgd on 5 designs: /);
  await context.close();
});
