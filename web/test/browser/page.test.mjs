// What a visitor does on a page: keys, addresses, exporting pictures, dialogs, long tables.
import assert from 'node:assert/strict';
import { axe, becomes, openPage, said, settled, shot, stage, test } from '../harness.mjs';
import { HOSTILE } from '../mock_world.mjs';

const { browser, mock } = await stage();

test('the address contains the view: sort, kernel, plan, scale, design survive a reload and going back', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/profiles/f1');
  await settled(page);
  await page.getByRole('button', { name: 'calls' }).click();
  await page.getByRole('button', { name: 'gemm_bf16_128x256' }).first().click();
  await page.getByLabel('Colour by the strata of').selectOption('p1');
  await page.waitForFunction(() => location.search.includes('plan=p1'));
  await becomes(() => page.evaluate(() => location.search), '?kernel=0&plan=p1&sort=-calls');
  await page.reload();
  await settled(page);
  await page.locator('th[aria-sort="descending"]', { hasText: 'calls' }).waitFor();
  await becomes(() => page.getByLabel('Colour by the strata of').inputValue(), 'p1');
  await page.goBack();
  await page.waitForFunction(() => !location.search.includes('plan='));
  await page.goto('/profiles/f1?sort=nonsense&who=me');
  await page.getByText('The address asks for sort = “nonsense”').waitFor();
  await context.close();
});

/** The text that Ctrl + C copies between two elements. */
async function copied(page, from, to = from) {
  const ends = await Promise.all([from, to].map((l) => l.elementHandle()));
  await page.evaluate(([a, b]) => {
    const range = document.createRange();
    range.setStartBefore(a);
    range.setEndAfter(b);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }, ends);
  await page.keyboard.press('Control+C');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('a copied number has all its digits, a copied table all its numbers and names', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: mock.url });
  await page.goto('/profiles/f1');
  await settled(page);
  const table = page.getByRole('table', { name: 'Kernels', exact: true }), rows = table.locator('tbody tr[data-row]');
  const truth = mock.world.kernels.slice(0, 3), spread = mock.world.spreads().items;
  const lines = async () => (await copied(page, rows.nth(0), rows.nth(2))).split('\n').map((l) => l.split('\t'));
  await becomes(async () => (await lines()).map((l) => [l[0], l[3], l[4], l[6], l[7], l[10]]), truth.map((k) => [k.name, k.calls, k.total, k.mean, k.cov, spread.find((s) => s.kernel === k.kernel).p99].map(String)));
  assert.equal((await copied(page, table)).split('\n')[0].split('\t').slice(0, 4).join(), 'kernel,grid · block,class,calls', 'the whole of it has its head');
  const number = page.locator('.strip data').first();
  assert.equal(await copied(page, number), String(mock.world.profiles.f1.total_s));
  await number.evaluate((el) => getSelection().setBaseAndExtent(el.firstChild, 0, el.firstChild, 2));
  await page.keyboard.press('Control+C');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), (await number.textContent()).slice(0, 2), 'a part of it stays a part');
  await context.close();
});

test('a method that cannot run shows the reason; a published promise is called a claim', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p2');
  await settled(page);
  await page.getByText('needs twelve counters a launch; this profile has durations only').waitFor();
  await page.getByText('Its promise does not hold for simulated values').waitFor();
  await page.getByText('One stratum holds 71 % of the planned variance').waitFor();
  await context.close();
});

for (const theme of ['light', 'dark']) {
  test(`representatives are marked as having no interval, methods are grouped, and ours is scored first (${theme})`, async () => {
    const { page, context, seen } = await openPage(browser, mock.url, { theme });
    const asked = [];
    page.on('request', (r) => { if (r.url().includes('/sweep?')) asked.push(new URL(r.url()).searchParams.get('method')); });
    await page.goto('/plans/p3');
    await settled(page);
    await becomes(() => asked, ['vivace', 'root,allegro,srs,photon,pka']);
    await page.getByText('A projection from them has no interval').waitFor();
    await page.getByText('61 % of the launches were matched').waitFor();
    await page.getByText('vivace methods A --score B').waitFor();
    const row = page.locator('tr', { hasText: 'Photon' }).first();
    await row.getByText('1 / 1').waitFor();
    await row.getByText('none').waitFor();
    assert.deepEqual(await axe(page), []);
    await shot(page, `plan-representative-${theme}`);
    await page.getByRole('button', { name: 'Plan again…' }).click();
    await page.getByRole('dialog').locator('optgroup').nth(2).waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.querySelector('dialog option[value="pka"]').disabled); // the method that is scored last
    const options = await page.getByRole('dialog').locator('optgroup').evaluateAll((groups) => groups.map((g) => [g.label, [...g.children].map((o) => `${o.value}${o.disabled ? ' off' : ''}`)]));
    assert.deepEqual(options, [['Ours', ['vivace']], ['Published, by the value of each launch', ['root', 'allegro', 'srs']], ['Published, by features of each launch', ['photon', 'pka off']]]);
    await page.getByLabel('Method', { exact: true }).selectOption('vivace');
    await page.getByLabel('Spend at most').fill('0');
    await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click();
    await page.getByText('The budget must be a percentage').waitFor();
    await page.getByLabel('Spend at most').fill('0.5');
    await page.getByLabel('Noise floor').fill('2');
    await page.getByLabel('Sure to keep it').fill('100');
    await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click();
    await page.getByText('The probability that the error is kept must be a percentage from 50 to 99').waitFor();
    await page.getByLabel('Sure to keep it').fill('90');
    await page.getByText('Scored on this profile, without being sure to keep it').waitFor();
    await page.waitForFunction(() => /Scored on this profile/.test(document.querySelector('dialog').textContent));
    assert.deepEqual(await axe(page), []);
    await shot(page, `plan-dialog-${theme}`);
    const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/profiles/f1/plans')), page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click()]);
    assert.deepEqual(request.postDataJSON(), { method: 'vivace', error: 0.02, confidence: 0.95, seed: 7, budget: 0.005, assurance: 0.9, noise_floor: 0.02 });
    assert.deepEqual(seen.errors, []);
    await context.close();
  });
}

test('a workload in its list: archived, renamed, filtered by the server, starred to the top', async () => {
  const { page, context, seen } = await openPage(browser, mock.url);
  const names = () => page.locator('table.rows tbody tr .name').allTextContents();
  const until = (want) => page.waitForFunction((w) => [...document.querySelectorAll('table.rows tbody tr .name')].map((e) => e.textContent).join() === w, want.join());
  await page.goto('/');
  await settled(page);
  const all = await names();
  const whoOf = (id) => page.locator(`tr[data-row="${id}"]`).locator('.who, .unknown[title="older than this record"]').allTextContents();
  await becomes(async () => [await whoOf('w2'), await whoOf('w3')], [[HOSTILE, HOSTILE], ['–']], 'who ran it, who sent it');
  const menuOf = (name) => page.getByRole('button', { name: `What to do with ${name}`, exact: true });
  await page.getByRole('button', { name: 'rodinia-bfs: keep it on top' }).click();
  await until(['rodinia-bfs', ...all.filter((n) => n !== 'rodinia-bfs')]);
  await menuOf('rodinia-bfs').click();
  const menu = page.getByRole('menu', { name: 'What to do with rodinia-bfs' });
  await becomes(() => menu.getByRole('menuitem').allTextContents(), ['Plan…', 'Take it from the top', 'Rename…', 'Archive', 'Delete…']);
  assert.deepEqual(await axe(page), []);
  await shot(page, 'workloads-menu');
  await menu.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByLabel('Name', { exact: true }).fill(all[0]);
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByText('there is a workload of this name already').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('bfs, large');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.locator('.name', { hasText: 'bfs, large' }).waitFor();
  await menuOf('bfs, large').click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await until(all.filter((n) => n !== 'rodinia-bfs'));
  await page.getByLabel('archived').check();
  await until(['bfs, large']);
  await becomes(() => new URL(page.url()).search, '?archived=true');
  await menuOf('bfs, large').click();
  await page.getByRole('menuitem', { name: 'Take out of the archive' }).click();
  await page.getByText('No workload is in the archive.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('latest run').selectOption('not_planned');
  await until(['bfs, large', ...all.slice(3)]);
  assert.ok(mock.requests.some((r) => /\/workloads\?state=not_planned&first=w3/.test(r)), 'the server narrows the list, and knows what is on top');
  assert.deepEqual(seen.errors, []);
  Object.assign(mock.world.workloads[2], { name: 'rodinia-bfs' });
  await context.close();
});

test('the timeline of each stream is read, zoomed and linked to the kernels', async () => {
  const { page, context, seen } = await openPage(browser, mock.url);
  await page.goto('/profiles/f1');
  await settled(page);
  const card = page.locator('.picture', { hasText: 'What ran when' });
  const lanes = card.getByRole('group', { name: /^What ran on 2\sstreams/ });
  await lanes.press('ArrowRight');
  await card.locator('.reading', { hasText: /^stream 7, 0\ss to .+: .+ 3\slaunches begin in it, busy 80\s%/ }).waitFor();
  for (let i = 0; i < 4; i += 1) await lanes.press('+');
  await page.waitForFunction(() => new URLSearchParams(location.search).has('time'));
  await page.waitForFunction(() => performance.getEntriesByType('resource').some((r) => /lanes\?from_ns=\d+/.test(r.name))); // the page requests this window with its own column width
  await lanes.press('t');
  await card.getByRole('region', { name: 'The numbers of this picture' }).getByText('stream 13').first().waitFor();
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(seen.errors, []);
  await context.close();
});

test('a report is one column with its origin and its method in words, and so is the printed page', async () => {
  const { page, context, seen } = await openPage(browser, mock.url);
  const words = { '/plans/p1': [/133\slaunches were drawn at random without replacement in each stratum/, /seed 7/, /Satterthwaite/], '/runs/r2': [/133\slaunches were drawn/, /Under h100 the projected total is 42\.13\s±\s0\.71\ss, a 95\s% interval with 38\sdegrees of freedom/],
    '/compare?base=r1:h100&with=r1:h200-l2x2,r1:b200': [/matched pairs within the strata/] };
  for (const [address, said] of Object.entries(words)) {
    await page.goto(address);
    await settled(page);
    assert.equal(await page.locator('.onpaper').first().isVisible(), false, `${address}: what is for paper is not on the page`);
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByRole('button', { name: 'Print' }).waitFor();
    for (const w of said) await page.locator('.words .prose', { hasText: w }).waitFor();
    await becomes(() => page.evaluate(() => [...document.querySelectorAll('.columns')].map((c) => getComputedStyle(c).gridTemplateColumns.split(' ').length).filter((n) => n !== 1)), []);
    await page.waitForFunction(() => [...document.querySelectorAll('.picture .caption')].some((c) => c.checkVisibility() && c.textContent.length > 10)); // the source of a picture
    await page.locator('.onpaper .address', { hasText: 'report=yes' }).waitFor();
    if (address === '/runs/r2') assert.deepEqual(await axe(page), []);
    await page.emulateMedia({ media: 'print' });
    await becomes(() => page.locator('.actions').first().isVisible(), false);
    await page.setViewportSize({ width: 718, height: 1000 }); // A4 less margins of 1 cm
    await becomes(() => page.evaluate(() => [...document.querySelectorAll('table.rows')].filter((t) => t.checkVisibility() && t.offsetWidth > t.parentElement.clientWidth).map((t) => t.caption.textContent)), [], `${address}: tables that paper cuts`);
    await page.setViewportSize({ width: 1400, height: 1000 });
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Back to the page' }).click();
    await page.getByRole('button', { name: 'Report', exact: true }).waitFor();
  }
  assert.deepEqual(seen.errors, []);
  await context.close();
});

test('features are added to a profile, and the page shows the result', async () => {
  const { page, context, seen } = await openPage(browser, mock.url);
  await page.goto('/profiles/f1');
  await settled(page);
  const field = page.getByLabel('File of features');
  await field.setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('<b>another program</b>') });
  await page.getByText('Could not add these features. other.csv does not belong to the profile: there it is launch 7: copy').waitFor();
  await page.getByText('Both must come from the same run of the program.').waitFor();
  assert.deepEqual(await axe(page), []);
  const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST' && r.url().includes('/profiles/f1/features')),
    field.setInputFiles({ name: 'counts & all.csv', mimeType: 'text/csv', buffer: Buffer.from('kernel,instructions\ngemm,10\n') })]);
  assert.equal(new URL(request.url()).searchParams.get('name'), 'counts & all.csv');
  await page.getByRole('status').getByText('counts & all.csv: Added instruction counts of all 60 launches. Methods that can plan this profile now: sieve.').waitFor();
  await page.getByText('Could not add these features').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add features' }).waitFor();
  await page.getByText('with instruction counts of all 1000000 launches').waitFor();
  assert.deepEqual(await axe(page), []);
  await shot(page, 'profile-features');
  assert.deepEqual(seen.errors.filter((e) => !/422/.test(e)), []);
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Plan for seconds' }).check();
  const [plan] = await Promise.all([page.waitForRequest((r) => r.url().endsWith('/profiles/f1/plans')), page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click()]);
  assert.equal(plan.postDataJSON().cost, 'farm');
  await context.close();
});

test('the run dialog requires a design, names the baseline and counts the jobs', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  await page.getByRole('button', { name: 'Run on…' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('No design is chosen.').waitFor();
  await page.getByRole('checkbox', { name: 'a100' }).check();
  await page.getByRole('checkbox', { name: 'h100' }).check();
  await page.getByText(/266\sjobs: 133\ssamples × 2 designs; 17 traces are missing/).waitFor();
  assert.deepEqual(await axe(page), []);
  await shot(page, 'run-dialog');
  const foreign = page.getByRole('checkbox', { name: /^Simulate instructions that a design’s GPU does not have/ });
  await foreign.check();
  await page.getByRole('radio', { name: 'replay' }).check();
  await foreign.waitFor({ state: 'detached' });
  await page.getByRole('dialog').getByText(/17 traces are missing/).waitFor({ state: 'detached' });
  const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/plans/p1/runs')), page.getByRole('button', { name: 'Run', exact: true }).click()]);
  assert.deepEqual(request.postDataJSON(), { designs: ['a100', 'h100'], engine: 'replay', until: 0.02 });
  await page.waitForURL('**/runs/r1');
  await context.close();
});

test('the run dialog shows the expected time of a design and the expected end of the run', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  await page.getByRole('button', { name: 'Run on…' }).click();
  const dialog = page.getByRole('dialog'), run = dialog.getByRole('button', { name: 'Run', exact: true });
  await dialog.getByText(/about 12\smin\s34\ss of simulation \(one launch is typically 12\s% off\)/).waitFor();
  await dialog.getByRole('checkbox', { name: 'a100' }).check();
  await dialog.getByRole('radio', { name: 'when it is known well enough' }).check();
  await dialog.getByLabel('Each total to ±').waitFor();
  assert.equal(await dialog.getByLabel('Each difference to the baseline to ±').count(), 0, 'one design has no differences');
  await dialog.getByRole('checkbox', { name: 'h100' }).check();
  await dialog.getByLabel('Each total to ±').fill('nothing');
  await run.click();
  await dialog.getByText('The error of a total must be a percentage from 0.01 to 100.').waitFor();
  await dialog.getByLabel('Each total to ±').fill('2');
  await dialog.getByLabel('Each difference to the baseline to ±').fill('0,5 %');
  for (const [most, spend] of [['1,000', 'minutes'], ['2.5', 'jobs']]) {
    await dialog.getByLabel('At most', { exact: true }).fill(most);
    await dialog.getByLabel('Unit of the limit').selectOption(spend);
    await run.click();
    await dialog.getByText(/^The most to spend is a .*number above 0, without separators\./).waitFor();
  }
  await dialog.getByLabel('At most', { exact: true }).fill('240');
  await dialog.getByLabel('Unit of the limit').selectOption('minutes');
  await dialog.getByRole('checkbox', { name: /^Ask before/ }).check();
  await dialog.getByRole('checkbox', { name: /^Simulate instructions that a design’s GPU does not have/ }).check();
  await dialog.getByLabel('Measure what cold caches cost on').fill('5');
  const inside = dialog.getByLabel('Stop inside launches once the rest is known to ±');
  for (const [text, problem] of [['9', /from 1 to 8/], ['1', /A difference cannot be resolved/]]) {
    await inside.fill(text);
    await run.click();
    await dialog.getByText(problem).waitFor();
  }
  await dialog.getByLabel('Each difference to the baseline to ±').fill('');
  await inside.fill('1.5');
  await run.click();
  await dialog.getByText('half of the error of a total at most').waitFor();
  await inside.fill('1');
  assert.deepEqual(await axe(page), []);
  await shot(page, 'run-dialog-rule');
  const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/plans/p1/runs')), run.click()]);
  assert.deepEqual(request.postDataJSON(), { designs: ['a100', 'h100'], engine: 'cycle', until: 0.02, budget: { seconds: 14400 }, approve: 'ask', cache_check: 5, inside_kernels: 0.01, allow_foreign_isa: true });
  await context.close();
});

test('before the first result the plan’s interval is shown as predicted; a cancelled run links to the next step', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r3');
  await settled(page);
  const cell = page.locator('.strip > .waiting', { hasText: 'Projected time' });
  await becomes(async () => [await cell.locator('data').getAttribute('value'), (await cell.locator('.value').innerText()).replace(/\s/g, ' ')], [String(mock.world.runs.r3.promised_error), '± 1.8 % predicted']);
  const colors = await page.evaluate(() => ['.strip > .waiting .value', '.strip > div:not(.waiting) .value'].map((s) => getComputedStyle(document.querySelector(s)).color));
  assert.notEqual(colors[0], colors[1], 'grey: nothing of it was simulated');
  mock.world.runs.r1.state = 'cancelled';
  await page.goto('/runs/r1');
  await page.getByRole('link', { name: 'Run its plan again' }).click();
  await page.waitForURL('**/plans/p1?run=ask');
  await page.getByRole('dialog').waitFor();
  await context.close();
});

test('a run that requests more samples shows which and why, and takes a yes or a no', async () => {
  const run = mock.world.runs.r1;
  const extension = { plan: 'p9', jobs: 36, expected_s: 1140, strata: [{ stratum: 4, kernel: 'gemm', from: 88, to: 124 }], answer: 'waiting', answered_by: null, answered_at: null };
  Object.assign(run, {
    rule: { until: 0.02, confidence: 0.95, resolve: null, baseline: 'h100', approve: 'ask', looks: 5, budget: null, failures: 'redraw', settled: false },
    looks: [{ number: 1, at: run.created_at, plan: 'p1', jobs: 133, spent_s: 100, unit: 's', decision: 'more', kind: 'look.more', params: {}, reason: 'S4 spreads by 0.31 here, by 0.20 in the profile.', extension,
      promises: [{ design: 'h100', difference: false, value: 43.6, half_width: 1.31, final_half_width: 1.31, wanted: 0.87, relative_half_width: 0.03, relative_wanted: 0.02, level: 0.95, kept: false, trusted: true }] }] });
  const { page, context } = await openPage(browser, mock.url);
  const asked = [];
  await page.route(/\/looks\/1\/(accept|undo)$/, (route) => {
    asked.push(new URL(route.request().url()).pathname.replace('/api/v1', ''));
    Object.assign(extension, { answer: asked.at(-1).endsWith('accept') ? 'accepted' : 'undone', answered_by: 'ann' });
    return route.fulfill({ json: { ...run, as_of: '100' } });
  });
  await page.goto('/runs/r1');
  await settled(page);
  const look = page.locator('.looks li');
  await look.getByText('S4 spreads by 0.31 here').waitFor();
  assert.match((await look.innerText()).replace(/\s/g, ' '), /h100 ± 3\.0 %\..*\+ 36 jobs, about 19 min \(S4 88 → 124\): waits for your word\./);
  assert.deepEqual(await axe(page), []);
  await look.getByRole('button', { name: 'Accept' }).click();
  await look.getByText('accepted by ann').waitFor();
  await becomes(() => look.getByRole('button', { name: 'Accept' }).count(), 0, 'that was said');
  await look.getByRole('button', { name: 'Undo' }).click();
  await look.getByText('undone by ann').waitFor();
  await becomes(() => look.getByRole('button').count(), 0);
  assert.deepEqual(asked, ['/runs/r1/looks/1/accept', '/runs/r1/looks/1/undo']);
  await context.close();
});

test('zooming a histogram requests finer bins of the window from the server', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/profiles/f1?plan=p1');
  await settled(page);
  const host = page.locator('.picture', { hasText: 'Where the launches sit' }).getByRole('group');
  const [asked] = await Promise.all([page.waitForRequest((r) => /\/histogram\?.*from=/.test(r.url())), host.press('+')]);
  const by = new URL(asked.url()).searchParams, [from, to] = ['from', 'to'].map((k) => Number(by.get(k)));
  assert.ok(from >= 10000 && to <= 400000 && to / from < 40 && by.get('plan') === 'p1', asked.url());
  await page.waitForFunction(() => new URLSearchParams(location.search).has('zoom'));
  const svg = await host.elementHandle();
  await page.waitForFunction((el) => { const [low, high] = el.querySelector('svg.plot').scale('x').domain; return high / low < 39; }, svg);
  await host.press('-');
  await page.waitForFunction(() => !new URLSearchParams(location.search).has('zoom')); // zoom out completely
  await context.close();
});

test('a failure shows its reason, attempts and last lines, and can be tried again', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.getByRole('button', { name: /^12\s?.?004$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Attempts' });
  await dialog.getByText('warp 31: 12 of 4096 instructions').waitFor();
  assert.deepEqual(await axe(page), []);
  await shot(page, 'attempts');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const [request] = await Promise.all([page.waitForRequest(/\/jobs\/j1\/retry$/), page.getByRole('button', { name: 'Try again' }).first().click()]);
  assert.equal(request.headers()['x-vivace-request'], '1');
  await said(page, 'is queued again');
  await context.close();
});

test('the jobs of a run are filtered by stratum and worker on the server, and the address contains the filter', async () => {
  const { page, context, seen } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  const jobs = page.getByRole('table', { name: 'Jobs' }), card = page.locator('#jobs');
  const workers = () => jobs.locator('tbody tr td:nth-child(5)').allTextContents();
  await card.getByRole('button', { name: /^leased/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('#jobs tbody tr').length === 10);
  await card.getByLabel('Of which worker').selectOption('w-01');
  await page.waitForFunction(() => document.querySelectorAll('#jobs tbody tr').length === 3);
  await becomes(workers, ['w-01', 'w-01', 'w-01']);
  await page.getByRole('table', { name: 'Strata of the run' }).getByRole('button', { name: 'S3', exact: true }).click();
  await card.getByText('No job of S3 of w-01 is leased.').waitFor();
  await card.getByLabel('Of which stratum').selectOption('4');
  await jobs.waitFor();
  await page.getByRole('button', { name: 'S4', exact: true, pressed: true }).waitFor(); // the row of the stratum shows it, too
  await becomes(() => new URL(page.url()).search, '?stratum=4&worker=w-01&jobs=leased');
  await page.reload();
  await settled(page);
  await becomes(workers, ['w-01', 'w-01', 'w-01']);
  assert.ok(mock.requests.some((r) => /\/runs\/r1\/jobs\?.*state=leased.*stratum=4&worker=w-01/.test(r)), 'the server narrows');
  await page.keyboard.press('Home'); // the page keeps its scroll position; the bar on top would cover a part
  await page.waitForFunction(() => scrollY === 0);
  assert.deepEqual(await axe(page), []);
  await page.goto('/runs/r1?stratum=77&sort=nonsense&zoom=3,1');
  for (const what of ['The address names stratum “77”', 'The address asks for sort = “nonsense”', 'The address asks for zoom = “3,1”']) await page.getByText(what).waitFor();
  assert.deepEqual(seen.errors, []);
  await context.close();
});

test('every estimate is shown with its interval or the reason why there is none', async () => {
  // A run whose interval is not known yet: the list of runs and the strip of its page say so.
  const { w1 } = mock.world.details, open = { design: 'h100', value_s: 40.4, half_width_s: null };
  mock.world.workloads[0].latest_run = { ...mock.world.workloads[0].latest_run, state: 'done', projections: [open] };
  w1.latest_run = { ...w1.latest_run, state: 'paused', projections: [open] };
  const { page, context } = await openPage(browser, mock.url);
  let seen = 0;
  for (const address of ['/', '/workloads/w1', '/runs/r1', '/runs/r2', '/runs/r3']) {
    await page.goto(address);
    await page.locator(address === '/' ? '.projections' : '.strip').first().waitFor();
    await settled(page);
    const reported = await page.evaluate(() => [
      ...[...document.querySelectorAll('.projections data')].filter((d) => !d.closest('.progress')).map((d) => d.parentElement.textContent),
      ...[...document.querySelectorAll('.strip > div')].filter((d) => /^(Projected|Latest run)/.test(d.querySelector('dt').textContent)).map((d) => d.querySelector('.value').textContent)].filter((t) => /\d/.test(t)));
    assert.deepEqual(reported.filter((t) => !t.includes('±')), [], address);
    seen += reported.length;
    if (address === '/workloads/w1') assert.ok(reported[0].includes('± ?'), reported[0]);
  }
  assert.ok(seen >= 4, `${seen} estimates were looked at`);
  await context.close();
});

test('“Try again” sends the request again and the page appears', async () => {
  mock.mode = 'broken';
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await page.locator('.trouble').waitFor();
  mock.mode = 'full';
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: /^Plan of .*: at most 2/ }).waitFor();
  await context.close();
});

test('an unknown id is reported, and the rest of the page stays', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r404');
  await page.getByText('There is nothing with this id.').waitFor();
  await page.getByText('It may have been deleted.').waitFor();
  await page.getByRole('link', { name: 'Workloads' }).first().waitFor();
  await context.close();
});

test('an expired session shows the login, and logging in shows the same view', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1?design=h200-l2x2');
  await settled(page);
  mock.loggedIn = false;
  await page.getByRole('button', { name: 'done 156' }).click();
  await page.getByLabel('Access token').fill(mock.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'h200-l2x2', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await context.close();
});
