// Uploads: pieces, a cut connection, a closed page, wrong files.
import { after } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe, becomes, openPage, settled, shot, stage, test, until, within } from '../harness.mjs';

const { browser, mock } = await stage();
const MIB = 1048576;
const folder = mkdtempSync(join(tmpdir(), 'vivace-web-'));
after(() => rmSync(folder, { recursive: true, force: true }));
function file(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, Buffer.alloc(bytes, 'x'));
  utimesSync(path, 1700000000, 1700000000);
  return path;
}
async function choose(page, path) {
  await page.goto('/upload');
  await settled(page);
  await page.locator('input[type=file]').first().setInputFiles(path);
}

/** Waits until the change is drawn. */
const frames = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));

test('a file is sent in pieces of 8 MiB, at most four at a time, and its report is shown', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  let now = 0, most = 0, go = () => {};
  const four = new Promise((r) => { go = r; });
  await page.route(/\/pieces\//, async (route) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 4) frames(page).then(go); // a fifth piece would be sent together with them
    await four;
    now -= 1;
    await route.continue();
  });
  await choose(page, file('six.sqlite', 45 * MIB));
  await page.getByRole('link', { name: 'See the profile' }).waitFor();
  const u = [...mock.pieces.values()].at(-1);
  assert.deepEqual([...u.have].sort(), [0, 1, 2, 3, 4, 5]);
  assert.equal(u.repeats, 0);
  assert.equal(most, 4, 'at a time');
  await page.getByText('the launch has no end time', { exact: false }).click();
  await page.getByText('row 88211: gemm_bf16_128x256').waitFor();
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual(await axe(page), []);
  await page.getByText(/on NVIDIA H100 80GB HBM3, SM clock at most 1\.98\sGHz; the GPU was busy/).waitFor();
  await shot(page, 'upload-report');
  assert.deepEqual(seen.errors, []);
  await becomes(() => page.evaluate(() => localStorage.getItem('uploads')), '[]', 'a finished upload is not waited for');
  await context.close();
});

test('after a lost connection only the missing pieces are sent again', async () => {
  mock.failPieces = Infinity;
  const { page, context } = await openPage(browser, mock.url);
  await choose(page, file('cut.sqlite', 30 * MIB));
  await page.getByText('connection lost, trying again').waitFor();
  mock.failPieces = 0;
  await page.getByRole('link', { name: 'See the profile' }).waitFor();
  const u = [...mock.pieces.values()].at(-1);
  assert.equal(u.have.size, 4);
  assert.equal(u.repeats, 0);
  await context.close();
});

test('a lost connection is reported until a try succeeds, not until the next one starts', async () => {
  const { page, context } = await openPage(browser, mock.url);
  let tries = 0, again = () => {}, release = () => {};
  const [asked, held] = [new Promise((r) => { again = r; }), new Promise((r) => { release = r; })];
  await page.route(/\/pieces\/1$/, async (route) => {
    tries += 1;
    if (tries === 1) return route.abort();
    again();
    await held;
    return route.continue();
  });
  await choose(page, file('hangs.sqlite', 30 * MIB));
  await within('the second try', asked);
  await until('the other pieces', () => [...mock.pieces.values()].at(-1).have.size === 3);
  await frames(page);
  assert.equal(await page.getByText('connection lost, trying again').count(), 1, 'the try in progress has sent nothing yet');
  release();
  await page.getByRole('link', { name: 'See the profile' }).waitFor();
  assert.equal(tries, 2);
  await context.close();
});

test('a page closed during an upload finds it again, and the same file continues', async () => {
  const { page, context } = await openPage(browser, mock.url);
  const path = file('long.sqlite', 40 * MIB);
  await page.route(/\/pieces\/[34]$/, () => {}); // never answered
  await choose(page, path);
  await page.waitForFunction(() => /24\.0 MiB of 40\.0 MiB/.test(document.body.innerText.replaceAll('\u00a0', ' ')));
  const u = [...mock.pieces.values()].at(-1);
  await page.reload();
  await page.getByText('This upload stopped when the page closed.').waitFor();
  await page.unroute(/\/pieces\/[34]$/); // not earlier: that would release the held request, which might be faster than the reload
  assert.deepEqual(await axe(page), []);
  await shot(page, 'upload-unfinished');
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByRole('link', { name: 'See the profile' }).waitFor();
  assert.equal(u.have.size, 5);
  assert.equal(u.repeats, 0, 'received pieces are not sent again');
  await context.close();
});

test('pause stops it, “Go on” finishes it, and Discard deletes it', async () => {
  const { page, context } = await openPage(browser, mock.url);
  let hold = true;
  await page.route(/\/pieces\//, (route) => (hold ? undefined : route.continue()));
  await choose(page, file('pause.sqlite', 20 * MIB));
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused').waitFor();
  hold = false;
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('link', { name: 'See the profile' }).waitFor();
  hold = true;
  const known = mock.pieces.size;
  await Promise.all([page.waitForRequest(/\/pieces\//), page.locator('input[type=file]').first().setInputFiles(file('gone.sqlite', 9 * MIB))]);
  assert.equal(mock.pieces.size, known + 1);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('gone.sqlite').waitFor({ state: 'detached' });
  await until('the upload on the server', () => mock.pieces.size === known);
  await context.close();
});

test('an upload discarded before the server’s answer is deleted there, and not waited for', async () => {
  const { page, context } = await openPage(browser, mock.url);
  let release = () => {};
  const held = new Promise((r) => { release = r; });
  await page.route(/\/uploads$/, async (route) => {
    await held;
    await route.continue();
  });
  await Promise.all([page.waitForRequest(/\/uploads$/), choose(page, file('early.sqlite', 9 * MIB))]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('early.sqlite').waitFor({ state: 'detached' });
  const [taken] = await Promise.all([page.waitForRequest((r) => r.method() === 'DELETE'), release()]);
  assert.match(taken.url(), /\/uploads\/u1$/);
  await until('the server to delete it', () => mock.pieces.size === 0);
  await becomes(() => page.evaluate(() => localStorage.getItem('uploads') ?? '[]'), '[]');
  await context.close();
});

test('an upload that is paused during a lost connection and continued sends each piece once', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.clock.install();
  let cut = true, all = () => {}, go = () => {};
  const [three, held] = [new Promise((r) => { all = r; }), new Promise((r) => { go = r; })];
  let now = 0;
  await page.route(/\/pieces\//, async (route) => {
    if (cut) return route.abort();
    now += 1;
    if (now === 3) all();
    await held;
    return route.continue();
  });
  await choose(page, file('again.sqlite', 20 * MIB));
  await page.getByText('connection lost, trying again').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused').waitFor();
  cut = false;
  await page.getByRole('button', { name: 'Go on' }).click();
  await within('three pieces', three);
  await page.clock.fastForward(20000); // longer than the longest delay before a new attempt
  go();
  await page.getByRole('link', { name: 'See the profile' }).waitFor();
  const [u] = mock.pieces.values();
  assert.deepEqual([u.have.size, u.repeats, now], [3, 0, 3]);
  await context.close();
});

test('several files at once: each has its own progress and its own report', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/upload');
  await settled(page);
  await page.locator('input[type=file]').first().setInputFiles([file('one.sqlite', 20 * MIB), file('bad-two.nsys-rep', 1000), file('three.csv', 9 * MIB)]);
  await page.waitForFunction(() => document.querySelectorAll('.transfer').length === 3);
  for (const name of ['one.sqlite', 'three.csv']) await page.locator('.transfer', { hasText: name }).getByRole('link', { name: 'See the profile' }).waitFor();
  await page.locator('.transfer', { hasText: 'bad-two.nsys-rep' }).getByText('This is a binary report of Nsight Systems').waitFor();
  assert.deepEqual([...mock.pieces.values()].map((u) => [u.name, u.have.size, u.repeats]).sort(), [['bad-two.nsys-rep', 1, 0], ['one.sqlite', 3, 0], ['three.csv', 2, 0]]);
  await context.close();
});

test('a file that cannot be read shows its type and what to do', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await choose(page, file('bad.nsys-rep', 1000));
  await page.getByText('This is a binary report of Nsight Systems').waitFor();
  await page.getByText('nsys export --type sqlite --output report.sqlite report.nsys-rep').first().waitFor();
  assert.deepEqual(await axe(page), []);
  await context.close();
});

test('the end of an import is shown completely, although its event arrives before its answer', async () => {
  const { page, context } = await openPage(browser, mock.url);
  const { failed } = mock.world.imports;
  let over = false;
  let asked = () => {}, release = () => {};
  const [received, held] = [new Promise((r) => { asked = r; }), new Promise((r) => { release = r; })];
  await page.route(/\/imports\/failed$/, async (route) => {
    if (over) asked();
    if (over) await held;
    await route.fulfill({ json: over ? failed : { ...failed, state: 'reading', problem: null } });
  });
  await Promise.all([page.waitForResponse(/\/imports\/failed$/), choose(page, file('bad-late.nsys-rep', 1000))]);
  await page.locator('.transfer').getByText('recognised').waitFor();
  await until('the stream of the import', () => mock.requests.some((r) => r.includes('/events?topics=import%3Afailed')) && mock.streams.size > 0);
  over = true;
  mock.send('import.stage', { id: 'failed', state: 'failed', stage: 'recognising', bytes_read: 4096, rows: 0 });
  await within('the read after the event', received);
  await frames(page);
  assert.equal(await page.locator('.transfer .trouble').count(), 0, 'a failure without its reason');
  release();
  await page.locator('.transfer .trouble', { hasText: 'binary report of Nsight Systems' }).waitFor();
  await context.close();
});
