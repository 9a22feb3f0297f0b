// Lists that are loaded page by page: the next page comes in the server's order, and each row is shown once.
import assert from 'node:assert/strict';
import { assertClean, becomes, openPage, settled, stage, test, within } from '../harness.mjs';

const { browser, mock } = await stage();
const more = (page) => page.getByRole('button', { name: 'Show more' });
/** Waits until the list shows these names. */
const until = (page, names) => page.waitForFunction((want) => JSON.stringify([...document.querySelectorAll('table.rows tbody tr[data-row] .name')].map((n) => n.textContent)) === want, JSON.stringify(names));

test('workloads: further pages follow the first; a column is sorted by the server, over all pages', async () => {
  mock.pageRows = 2;
  const newest = mock.world.workloads.map((w) => w.name), byName = [...newest].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  assert.ok(newest.length > 4 && JSON.stringify(newest) !== JSON.stringify(byName));
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/');
  await until(page, newest.slice(0, 2));
  await more(page).click();
  await until(page, newest.slice(0, 4));
  await page.getByRole('button', { name: 'workload', exact: true }).click();
  await until(page, byName.slice(0, 2));
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'workload', 'the list stays while another order is fetched, and so does the focus');
  await page.locator('th[aria-sort="ascending"]', { hasText: 'workload' }).waitFor();
  for (let n = 2; n < byName.length; n += 2) await more(page).click().then(() => until(page, byName.slice(0, n + 2)));
  await becomes(() => more(page).count(), 0, 'no more behind the last');
  await page.reload();
  await until(page, byName.slice(0, 2));
  assert.ok(mock.requests.some((r) => /\/workloads\?sort=name&after=2/.test(r)), mock.requests.filter((r) => /workloads/.test(r)).join('\n'));
  assertClean(seen);
  await context.close();
});

test('until sorted rows arrive, the arrow shows the old order, and no further page is requested', async () => {
  mock.pageRows = 2;
  const newest = mock.world.workloads.map((w) => w.name), byName = [...newest].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/');
  await until(page, newest.slice(0, 2));
  await more(page).click();
  await until(page, newest.slice(0, 4));
  const arrow = (direction, label) => page.locator(`th[aria-sort="${direction}"]`, { hasText: label });
  /** The answer in the new order waits here until the test releases it. */
  const hold = async () => {
    let held;
    const asked = new Promise((done) => { held = done; });
    await page.route(/\/api\/v1\/workloads\?.*sort=name/, held, { times: 1 });
    return { asked };
  };
  const inOldOrder = async () => {
    await until(page, newest.slice(0, 4));
    await more(page).waitFor({ state: 'detached' });
    await becomes(async () => [await arrow('descending', 'added').count(), await page.locator('th[aria-sort]').count()], [1, 1]);
  };
  const first = await hold();
  await page.getByRole('button', { name: 'workload', exact: true }).click();
  const slow = await within('the request in the new order', first.asked);
  await inOldOrder();
  await slow.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ code: 'database', detail: 'The database does not answer.' }) });
  await page.locator('.notice.bad').waitFor();
  await inOldOrder();
  const second = await hold();
  await page.getByRole('button', { name: 'Try again' }).click();
  await (await within('the second request', second.asked)).continue();
  await until(page, byName.slice(0, 2));
  await arrow('ascending', 'workload').waitFor();
  await more(page).click();
  await until(page, byName.slice(0, 4));
  assertClean(seen, [/503 \(Service Unavailable\)/]);
  await context.close();
});

test('a page that cannot be read is reported and can be requested again; typing in the search starts a new list', async () => {
  mock.pageRows = 1;
  const names = mock.world.workloads.map((w) => w.name);
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/');
  await until(page, names.slice(0, 1));
  mock.mode = 'broken';
  await more(page).click();
  await page.locator('.toast.bad').waitFor();
  mock.mode = 'full';
  await more(page).click();
  await until(page, names.slice(0, 2));
  await page.getByLabel('Search workloads').fill(names[2]);
  await until(page, [names[2]]);
  await becomes(() => more(page).count(), 0);
  await context.close();
});

test('plans and runs: a column is sorted by the server, over all pages, and the address contains it', async () => {
  mock.pageRows = 1;
  const { page, seen, context } = await openPage(browser, mock.url);
  const { plans, runs } = mock.world.details.w1;
  const last = (list, value) => [...list].sort((a, b) => value(b) - value(a))[0].id;
  for (const [address, column, clicks, id] of [['/plans', 'speed-up', ['-speedup'], last(plans, (p) => p.speedup)], ['/plans', 'speed-up', ['-speedup', 'speedup'], last(plans, (p) => -p.speedup)], ['/runs', 'designs', ['designs'], null], ['/runs', 'jobs done', ['done'], last(runs, (r) => -r.done / r.jobs)]]) {
    await page.goto(address);
    await settled(page);
    for (const at of clicks) {
      await page.getByRole('button', { name: column, exact: true }).click();
      await page.waitForURL((url) => url.search === `?sort=${at}`);
    }
    const sort = clicks.at(-1);
    await page.locator(`th[aria-sort="${sort.startsWith('-') ? 'descending' : 'ascending'}"]`, { hasText: column }).waitFor();
    if (id) await page.waitForFunction((want) => document.querySelector('main table.rows tr[data-row]').dataset.row === want, id);
    await more(page).click();
    await page.locator('main table.rows tbody tr').nth(1).waitFor();
    assert.ok(mock.requests.some((r) => r.includes(`${address}?sort=${sort}&after=1`)), mock.requests.filter((r) => r.includes(address)).join('\n'));
  }
  await page.goto('/plans?sort=colour');
  await settled(page);
  await page.locator('th[aria-sort="descending"]', { hasText: 'made' }).waitFor();
  assertClean(seen);
  await context.close();
});

test('runs are filtered by letters of a workload or design, and the address contains them', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  const { runs } = mock.world.details.w1, rows = page.locator('main table.rows tbody tr[data-row]');
  const slow = runs.filter((r) => r.designs.includes('h100-slow-mem')).map((r) => r.id);
  assert.ok(slow.length > 0 && slow.length < runs.length);
  await page.goto('/runs');
  await settled(page);
  await becomes(() => rows.count(), runs.length);
  await page.getByLabel('Search the runs').fill('slow-mem');
  await page.waitForFunction((n) => document.querySelectorAll('main table.rows tbody tr[data-row]').length === n, slow.length);
  await becomes(() => rows.evaluateAll((list) => list.map((r) => r.dataset.row)), slow);
  await page.reload();
  await settled(page);
  await becomes(async () => [await page.getByLabel('Search the runs').inputValue(), await rows.count()], ['slow-mem', slow.length]);
  await page.getByLabel('Search the runs').fill('gtx1050');
  await page.getByText('No run of a workload or design with “gtx1050” in its name.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await rows.nth(runs.length - 1).waitFor();
  await becomes(() => page.getByLabel('Search the runs').inputValue(), '');
  assertClean(seen);
  await context.close();
});

test('plans, runs and the list for comparisons are also loaded page by page', async () => {
  mock.pageRows = 1;
  const { page, seen, context } = await openPage(browser, mock.url);
  for (const [address, all] of [['/plans', mock.world.details.w1.plans.length], ['/runs', mock.world.details.w1.runs.length], ['/compare', mock.world.details.w1.runs.length]]) {
    await page.goto(address);
    await settled(page);
    const rows = () => page.locator('main table.rows tbody tr').count();
    for (let n = 1; n < all; n++) {
      await becomes(rows, n, address);
      await more(page).click();
      await page.locator('main table.rows tbody tr').nth(n).waitFor();
    }
    assert.ok(all > 1, address);
    await becomes(async () => [await rows(), await more(page).count()], [all, 0], address);
  }
  assertClean(seen);
  await context.close();
});
