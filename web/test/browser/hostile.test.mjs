// Names that are scripts remain text everywhere: in pages, titles, addresses, dialogs, search, pictures and exported
// files. Then on a farm: the policy that the server sends holds even where a page would fail, and no request leaves the host.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { report } from '../../../tests/api/scripted_worker.mjs';
import { assertClean, enter, openPage, settled, stage, test, UNKNOWN_VISITOR, until } from '../harness.mjs';
import { POLICY } from '../mock.mjs';
import { HOSTILE } from '../mock_world.mjs';

const { browser, mock, farm } = await stage({ farm: {} });
const FORMULA = '=HYPERLINK("http://example.invalid","x")';
/** A text that tries to break out of attributes, of JSON in a script, and of SVG. */
const NASTY = `"'></title></svg></script><svg onload="window.hit=3"><a href="javascript:window.hit=4">x</a>${HOSTILE}`;
const PAGES = ['/', '/workloads/w2', '/profiles/f1', '/plans/p1', '/plans/p3', '/runs/r1', '/runs/r2', '/compare?base=r1:h100&with=r1:h200-l2x2,r2:h100', '/farm?worker=w1', '/team/arch-lab', '/results/x1', '/results/x4'];

/** Each object that another user named gets a name that is a script. */
function poison(w) {
  for (const x of w.workloads) x.name = NASTY + x.id;
  Object.values(w.details).forEach((d) => { d.name = NASTY; });
  for (const x of [...Object.values(w.plans), ...Object.values(w.runs)]) Object.assign(x, { workload_name: NASTY, note: NASTY, caution: NASTY });
  for (const k of w.kernels.slice(0, 6)) k.name = NASTY + k.kernel;
  for (const s of w.plans.p1.strata) s.kernel = NASTY;
  for (const m of w.methods) Object.assign(m, { title: NASTY, sentence: NASTY });
  for (const x of w.workers) Object.assign(x, { name: NASTY + x.id, host: NASTY, version: NASTY });
  for (const x of [...w.tokens, ...w.shares]) x.name = NASTY + x.id;
  for (const m of w.members.slice(1)) m.user = NASTY + m.user;
  for (const d of w.audit) Object.assign(d, { actor: NASTY, object: NASTY, address: NASTY });
  for (const e of w.events) e.text = NASTY;
  for (const j of w.jobs) Object.assign(j, { worker: NASTY, failure: j.failure && { class: NASTY, detail: NASTY } });
}
/** Finds elements that another user's name must not create: pictures, scripts, handlers, links that run code. */
const made = (page) => page.evaluate(() => ({
  hit: window.hit ?? null,
  elements: [...document.querySelectorAll('img, iframe, object, embed, body script, [onerror], [onload], a[href^="javascript:" i]')].map((e) => e.outerHTML.slice(0, 80)),
}));
const NOTHING = { hit: null, elements: [] };

test('every page with hostile names only: all of them are shown as text', async () => {
  poison(mock.world);
  const { page, seen, context } = await openPage(browser, mock.url);
  for (const address of PAGES) {
    await page.goto(address);
    await settled(page);
    assert.deepEqual(await made(page), NOTHING, address);
    await until(`${address} to show the name as it is`, async () => (await page.locator('body').innerText()) + (await page.title()), (text) => /"'><\/title>|onerror="window/.test(text));
  }
  assertClean(seen, [/404 \(Not Found\)/]); // the mock server does not have all objects
  await context.close();
});

test('search, dialogs, toasts, the address: foreign text is shown as text', async () => {
  poison(mock.world);
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto(`/profiles/f1?sort=${encodeURIComponent(HOSTILE)}&kernel=${encodeURIComponent(HOSTILE)}`);
  await page.getByText('The address asks for sort = “<img src=x').waitFor();
  await page.keyboard.press('/');
  await page.locator('#everything').fill('<img');
  await page.locator('.found').getByText('onerror="window.hit=1"').first().waitFor();
  assert.deepEqual(await made(page), NOTHING, 'search');
  await page.keyboard.press('Escape');
  await page.goto('/plans/p1');
  await settled(page);
  for (const name of ['Plan again…', 'Run on…', 'Trace these…', 'Share…']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor();
    await page.waitForFunction(() => !document.querySelector('dialog .skeleton'));
    assert.deepEqual(await made(page), NOTHING, name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.goto(`/no/${encodeURIComponent(NASTY)}`);
  await page.getByRole('heading', { name: 'Nothing is at this address' }).waitFor();
  assert.deepEqual(await made(page), NOTHING);
  assertClean(seen, [/422/]);
  await context.close();
});

test('a picture, its table and its file contain the name as text; a formula of a spreadsheet is a quoted cell', async () => {
  mock.world.kernels[0].name = NASTY;
  mock.world.kernels[1].name = FORMULA;
  const { page, seen, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  const blank = await context.newPage(); // no content policy there
  await page.bringToFront(); // a page behind another draws once a second
  await page.goto('/profiles/f1');
  await settled(page);
  const picture = page.locator('.picture', { has: page.getByRole('heading', { name: 'Where the time goes' }) });
  const take = async (what) => {
    await picture.getByRole('button', { name: 'Take this picture away' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: what }).click()]);
    assert.match(download.suggestedFilename(), /^[\w.-]+$/);
    return readFileSync(await download.path(), 'utf8');
  };
  const svg = await take('SVG');
  const found = await blank.evaluate((text) => {
    const doc = new DOMParser().parseFromString(text, 'image/svg+xml');
    document.body.innerHTML = text; // as a user would who puts the picture into a page. The picture is one svg element inside the exported one
    return { bad: doc.querySelector('parsererror')?.textContent ?? null, elements: document.querySelectorAll('script, img, foreignObject, a, svg svg svg, [onload], [onerror]').length, text: document.body.textContent };
  }, svg);
  assert.deepEqual([found.bad, found.elements], [null, 0]);
  assert.equal(await blank.evaluate(() => window.hit), undefined);
  const csv = await take('CSV');
  assert.ok(csv.includes(`"${FORMULA.replaceAll('"', '""')}"`), csv.slice(0, 300));
  assert.ok(csv.includes(NASTY.replaceAll('"', '""')));
  assert.deepEqual(await made(page), NOTHING);
  assertClean(seen);
  await context.close();
});

test('on a farm: names of files, workloads and kernels; the content policy is active; no request goes to another host', async () => {
  const content = Buffer.from(report(1).toString().replaceAll('steady(float *)', NASTY.replaceAll('"', '""')));
  const profile = await farm.profile(content, { name: `${HOSTILE}.csv`, workload: NASTY });
  assert.equal((await farm.api('GET', '/workloads')).items[0].name, NASTY);
  const { page, seen, context } = await enter(browser, farm);
  for (const address of ['/', `/workloads/${profile.workload}`, `/profiles/${profile.id}`, '/upload', '/runs', '/farm', '/team/default', '/nothing']) {
    const { headers, status } = await page.goto(address).then((r) => ({ headers: r.headers(), status: r.status() }));
    assert.deepEqual([status, headers['content-security-policy'], headers['x-content-type-options'], headers['referrer-policy']], [200, POLICY, 'nosniff', 'same-origin'], address);
    await settled(page);
    assert.deepEqual(await made(page), NOTHING, address);
  }
  await page.goto(`/workloads/${profile.workload}`);
  await settled(page);
  await until('the title', () => page.title(), (title) => title.includes(NASTY));
  assertClean(seen, [UNKNOWN_VISITOR, /404/]);

  // Even if a page failed, the content policy would hold: a handler does not run, and no request goes to another host.
  const asked = [];
  const elsewhere = createServer((req, res) => { asked.push(req.url); res.end(); });
  await new Promise((r) => elsewhere.listen(0, '127.0.0.1', r));
  const host = `http://127.0.0.1:${elsewhere.address().port}`;
  await page.evaluate((text) => { document.body.insertAdjacentHTML('beforeend', text); }, `${HOSTILE}<img src="${host}/pixel">`);
  assert.equal(await page.evaluate((url) => fetch(url).then(() => 'asked', () => 'refused'), `${host}/data`), 'refused');
  await until('the policy to report both', () => ['inline event handler', 'img-src', 'connect-src'].every((what) => seen.console.some((l) => l.includes(what))));
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual(asked, []);
  await context.close();
  elsewhere.close();
});
