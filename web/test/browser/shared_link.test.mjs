// Visitors who may only read. A viewer sees no control that changes anything. A shared link shows only its own object. An
// expired or revoked link says so and shows nothing else.
import { before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { report, ScriptedWorker } from '../../../tests/api/scripted_worker.mjs';
import { assertClean, axe, becomes, enter, openPage, settled, shot, stage, test, UNKNOWN_VISITOR } from '../harness.mjs';
import { GUEST, VIEWER } from '../mock.mjs';

const { browser, mock, farm } = await stage({ farm: { args: ['--test-dead-after', '15min'] } });
const GONE = /410 \(Gone\)/; // the browser's console reports this status for the page itself
let run;
before(async () => {
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'decoder' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed: 1 });
  run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: ['v100'] });
  await (await new ScriptedWorker(farm).open()).drain(); // the scripted worker sends no heartbeats
  await farm.finished(run.id);
});

test('a viewer sees no action without permission', async () => {
  mock.session = VIEWER;
  const { page, context } = await openPage(browser, mock.url);
  for (const address of ['/', '/workloads/w1', '/profiles/f1', '/plans/p1', '/runs/r1', '/team/arch-lab']) {
    await page.goto(address);
    await settled(page);
    for (const name of [/^Upload$/, /^Plan$/, /^Delete/, /^Run on/, /^Pause/, /^Cancel/, /^Share/, /^Invite/, /^Remove .* from the team/, /^Take back/, /^Add features/, /^Try again/]) {
      assert.equal(await page.getByRole('main').getByRole('button', { name }).or(page.getByRole('main').getByRole('link', { name })).count(), 0, `${address}: ${name}`);
    }
  }
  await page.getByRole('button', { name: 'Leave the team' }).waitFor();
  await context.close();
});

test('a shared link shows its scope and its end, and has no other links', async () => {
  mock.session = GUEST;
  for (const theme of ['light', 'dark']) {
    const { page, context } = await openPage(browser, mock.url, { theme });
    await page.goto('/s/anything/runs/r2');
    await settled(page);
    await page.getByText(/You see one run, as it was on 2026-11-20.*until 2026-12-20.*labels/).waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').count(), 0);
    await becomes(() => page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').allInnerTexts(), ['plan']);
    assert.deepEqual(await axe(page), []);
    await shot(page, `shared-${theme}`);
    await context.close();
  }
});

test('a picture and a report from a shared link contain no secret', async () => {
  const { page, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  await page.goto('/s/anything/runs/r2');
  await settled(page);
  await page.getByRole('button', { name: 'Take this picture away' }).first().click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'SVG' }).click()]);
  const svg = readFileSync(await download.path(), 'utf8');
  assert.match(svg, /\/runs\/r2/);
  assert.ok(!svg.includes('anything'));
  await page.goto('/s/anything/runs/r2?report=yes');
  await settled(page);
  assert.match(await page.locator('.address').first().textContent(), /^http:[^ ]*\/runs\/r2\?report=yes$/);
  assert.ok(!(await page.locator('.address').first().textContent()).includes('anything'));
  await context.close();
});

test('an invited colleague registers with a password; a frozen link shows the run to a guest', async () => {
  const { team } = await farm.api('GET', '/session');
  const owner = await enter(browser, farm);
  await owner.page.goto(`/team/${team}`);
  await owner.page.getByRole('button', { name: 'Invite…' }).click();
  await owner.page.getByRole('radio', { name: /^viewer/ }).check();
  await owner.page.getByRole('button', { name: 'Make the invitation' }).click();
  const address = await owner.page.getByText(/\/join#/).innerText();

  const guest = await openPage(browser, farm.url);
  await guest.page.goto(address);
  await guest.page.getByLabel('User name').fill('colleague');
  await guest.page.getByLabel('Password').fill('a sentence is fine');
  await guest.page.getByRole('button', { name: 'Join' }).click();
  await guest.page.getByRole('link', { name: 'decoder' }).first().waitFor();
  assert.equal(await guest.page.getByRole('link', { name: 'Upload' }).count(), 0, 'a viewer uploads nothing');
  await guest.page.getByRole('button', { name: 'Log out' }).click();
  await guest.page.getByRole('heading', { name: 'Log in' }).waitFor();

  await owner.page.goto(`/runs/${run.id}`);
  await owner.page.getByRole('button', { name: 'Share…' }).click();
  await owner.page.getByRole('checkbox', { name: /^frozen/ }).check();
  await owner.page.getByRole('button', { name: 'Make the link' }).click();
  await guest.page.goto(await owner.page.getByText(/\/s\//).innerText());
  await guest.page.getByText(/You see one run, as it was on/).waitFor();
  await settled(guest.page);
  assert.equal(await guest.page.getByRole('button', { name: /Share|Cancel|Pause/ }).count(), 0);
  assert.deepEqual(await axe(guest.page), []);
  await shot(guest.page, 'real-shared');

  await owner.page.goto(`/team/${team}`);
  await owner.page.getByRole('row').filter({ hasText: 'colleague' }).first().waitFor();
  await settled(owner.page);
  assert.deepEqual(await axe(owner.page), []);
  await shot(owner.page, 'real-team');
  assertClean(owner.seen, [UNKNOWN_VISITOR]);
  assertClean(guest.seen, [UNKNOWN_VISITOR]);
  await owner.context.close();
  await guest.context.close();
});

/** Makes a link to the run as an owner, and a guest who has not opened the link yet. */
async function linked() {
  const link = await farm.api('POST', '/shares', { kind: 'run', object: run.id });
  return { link, ...(await openPage(browser, farm.url)) };
}

test('a guest can change nothing: by buttons, by keys, or by direct calls', async () => {
  const { link, page, seen, context } = await linked();
  await page.goto(link.url);
  await page.getByText(/You see one run/).waitFor();
  await becomes(() => new URL(page.url()).pathname, `${new URL(link.url, farm.url).pathname}/runs/${run.id}`, 'the address can be passed on');
  await settled(page);
  assert.deepEqual(await page.getByRole('button', { name: /Share|Cancel|Pause|Try again|Resume/ }).allInnerTexts(), []);
  const asked = [];
  page.on('request', (r) => { if (r.method() !== 'GET') asked.push(r.url()); });
  for (const key of ['/', 'c', 'b']) await page.keyboard.press(key);
  assert.equal(await page.getByRole('dialog').count(), 0, 'there is nothing to search for');
  await page.goto(`${link.url}/team/default`);
  await page.getByRole('alert').first().waitFor();
  for (const [method, path] of [['POST', `/runs/${run.id}/cancel`], ['POST', '/shares'], ['DELETE', `/workloads/${run.workload}`], ['GET', '/tokens']]) {
    const answer = await context.request.fetch(`${link.url}/api/v1${path}`, { method, headers: { 'X-Vivace-Request': '1' } });
    assert.equal(answer.status(), 403, `${method} ${path}`);
  }
  assert.deepEqual(asked, []);
  assert.equal((await farm.api('GET', `/runs/${run.id}`)).state, 'done');
  assertClean(seen, [UNKNOWN_VISITOR, /40[34]/]);
  await context.close();
});

test('a member who opens a link stays logged in, in every tab, and the link works for others too', async () => {
  const link = await farm.api('POST', '/shares', { kind: 'run', object: run.id });
  const { page, seen, context } = await enter(browser, farm);
  await page.goto('/');
  await page.getByRole('link', { name: 'decoder' }).first().waitFor();
  const other = await context.newPage();
  await other.goto(link.url);
  await other.getByText(/You see one run/).waitFor();
  await settled(other);
  await becomes(() => other.getByRole('navigation', { name: 'Where you are' }).getByRole('listitem').allInnerTexts(), ['decoder', 'plan', 'run'], 'the workload has its name');
  await page.reload();
  await page.getByRole('link', { name: 'Upload' }).waitFor();
  assert.equal(await page.getByText(/You see one/).count(), 0);
  // The visitor follows links inside the shared link, and another visitor opens the same address.
  await other.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'plan' }).click();
  await other.getByRole('heading', { name: /^Plan of .*: at most/ }).waitFor();
  await settled(other);
  assert.ok(other.url().startsWith(new URL(link.url, farm.url).href + '/plans/'), other.url());
  const stranger = await openPage(browser, farm.url);
  await stranger.page.goto(other.url());
  await stranger.page.getByRole('heading', { name: /^Plan of .*: at most/ }).waitFor();
  assert.deepEqual((await stranger.context.cookies()).map((c) => c.name), []);
  await other.getByRole('button', { name: 'Close' }).click();
  await other.getByRole('link', { name: 'Upload' }).waitFor();
  assertClean(seen);
  await stranger.context.close();
  await context.close();
});

test('a link that is revoked while it is open reports this, and cannot be opened again', async () => {
  const { link, page, seen, context } = await linked();
  await page.goto(link.url);
  await page.getByText(/You see one run/).waitFor();
  await settled(page);
  await farm.api('DELETE', `/shares/${link.id}`);
  await page.getByRole('button', { name: /^failed \d/ }).click(); // the page reads another list, which the link no longer allows
  await page.getByRole('heading', { name: 'This link shares nothing' }).waitFor();
  await page.getByText('has expired, or was revoked').waitFor();
  await becomes(() => page.getByText('decoder').count(), 0, 'nothing of the run is left on the page');
  assert.deepEqual(await axe(page), []);
  const again = await page.goto(link.url);
  assert.equal(again.status(), 410);
  await page.getByRole('heading', { name: 'This link shares nothing' }).waitFor();
  assertClean(seen, [UNKNOWN_VISITOR, GONE]);
  await context.close();
});

test('an expired or mistyped link is reported', async () => {
  const { link, page, seen, context } = await linked();
  farm.psql(`UPDATE share SET expires_at = now() - interval '1 minute' WHERE public_id = '${link.id}'`);
  for (const address of [link.url, `${link.url.slice(0, -3)}xyz`, '/s/nothing']) {
    assert.equal((await page.goto(address)).status(), 410, address);
    await page.getByRole('heading', { name: 'This link shares nothing' }).waitFor();
    await page.getByText('Ask the person who sent it for a new one.').waitFor();
  }
  await shot(page, 'shared-gone');
  await page.getByRole('link', { name: 'All workloads' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  assertClean(seen, [UNKNOWN_VISITOR, GONE]);
  await context.close();
});
