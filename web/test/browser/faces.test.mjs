// Each page has four faces: full, empty, loading, error. All of them, in both themes, pass axe, keep the content
// policy and are photographed into build/web-shots/ for eyes.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { axe, launch, openPage, policyLines, settled, shot, WEB_DIR } from '../harness.mjs';
import { startMock } from '../mock.mjs';

let mock;
let browser;
before(async () => {
  mock = await startMock(WEB_DIR);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await mock?.close();
});

const PAGES = {
  workloads: '/', upload: '/upload', workload: '/workloads/w1', profile: '/profiles/f1?plan=p1', plans: '/plans', plan: '/plans/p1', published: '/plans/p2', runs: '/runs',
  run: '/runs/r1?design=h200-l2x2', 'run-done': '/runs/r2', 'run-fresh': '/runs/r3', compare: '/compare?base=r1:h100&with=r1:h200-l2x2,r1:h100-slow-mem,r1:b200', 'compare-workloads': '/compare?base=r1:h100&with=r1:h200-l2x2,r1:v100,r2:h100,r2:h200-l2x2,r2:v100', 'compare-choose': '/compare', farm: '/farm?worker=w1', team: '/team/arch-lab', nothing: '/no/such/page',
  result: '/results/x1', 'result-unrecorded': '/results/x2', 'result-waiting': '/results/x3', 'result-failed': '/results/x4', 'result-replayed': '/results/x5',
};
const REFUSED = /the server responded with a status of (401|404|503)/;

async function look(theme, name, address, ready) {
  const { page, seen, context } = await openPage(browser, mock.url, { theme });
  await page.goto(address);
  await ready(page);
  await shot(page, `${name}-${theme}`);
  const found = { axe: await axe(page), policy: policyLines(seen), errors: seen.errors, foreign: seen.foreign, console: seen.console.filter((l) => !REFUSED.test(l)), text: await page.locator('body').innerText(), hit: await page.evaluate(() => window.hit) };
  await context.close();
  return found;
}

function clean(found, what) {
  for (const key of ['axe', 'policy', 'errors', 'foreign', 'console']) assert.deepEqual(found[key], [], `${what}: ${key}`);
  assert.equal(found.hit, undefined, `${what}: a foreign name ran as a script`);
}

for (const theme of ['light', 'dark']) {
  test(`full, ${theme}`, { timeout: 300000 }, async () => {
    mock.mode = 'full';
    for (const [name, address] of Object.entries(PAGES)) {
      const found = await look(theme, name, address, settled);
      clean(found, name);
      assert.ok(!/NaN|undefined|\[object|Infinity/.test(found.text), `${name}: ${found.text.match(/.{20}(NaN|undefined|\[object|Infinity).{20}/)?.[0]}`);
    }
  });

  test(`empty, ${theme}`, { timeout: 60000 }, async () => {
    mock.mode = 'empty';
    const says = { workloads: /Drop an Nsight Systems report here/, workload: /No plan yet.*|No profile yet/, plans: /No plan yet/, runs: /No run yet/, farm: /No workers yet/, 'compare-choose': /No run yet/, profile: /No kernel is in this profile/, 'run-fresh': /No estimate yet/, plan: /No method could plan/, team: /Nobody yet/ };
    for (const [name, words] of Object.entries(says)) {
      const found = await look(theme, `${name}-empty`, PAGES[name], settled);
      clean(found, name);
      assert.match(found.text, words, name);
    }
  });

  test(`loading, ${theme}`, { timeout: 60000 }, async () => {
    mock.mode = 'slow';
    for (const name of ['workloads', 'workload', 'profile', 'plan', 'run', 'farm', 'plans', 'runs', 'team', 'compare', 'result']) {
      const found = await look(theme, `${name}-loading`, PAGES[name], async (page) => {
        const words = page.getByText(/^Fetching the .+…/).first();
        await words.waitFor();
        await page.waitForFunction((el) => getComputedStyle(el).opacity === '1', await words.elementHandle()); // they come after 300 ms
      });
      clean(found, name);
      assert.match(found.text, /Fetching the .+…/, name);
    }
  });

  test(`error, ${theme}`, { timeout: 60000 }, async () => {
    mock.mode = 'broken';
    for (const name of ['workloads', 'workload', 'profile', 'plan', 'run', 'farm', 'plans', 'runs', 'team', 'compare', 'result']) {
      const found = await look(theme, `${name}-error`, PAGES[name], (page) => page.locator('.trouble').first().waitFor());
      clean(found, name);
      for (const words of [/Could not read the/, /The database does not answer/, /postgres\.log/, /Try again/, /request 01890a5d/]) assert.match(found.text, words, name);
    }
  });
}

test('“Try again” reads again and the page appears', async () => {
  mock.mode = 'broken';
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await page.locator('.trouble').waitFor();
  mock.mode = 'full';
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: /^Plan: at most 2/ }).waitFor();
  await context.close();
});

test('an id that is not there says so, and the rest of the page stays', async () => {
  mock.mode = 'full';
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r404');
  await page.getByText('There is nothing with this id.').waitFor();
  await page.getByText('It may have been deleted.').waitFor();
  await page.getByRole('link', { name: 'Workloads' }).first().waitFor();
  await context.close();
});

test('a session that ends shows the login, and coming back shows the same view', async () => {
  mock.mode = 'full';
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
  mock.loggedIn = true;
  await context.close();
});

test('no page scrolls sideways at 390 and 720 px', { timeout: 240000 }, async () => {
  mock.mode = 'full';
  for (const width of [390, 720]) {
    const { page, context } = await openPage(browser, mock.url, { width, height: 800 });
    for (const [name, address] of Object.entries(PAGES)) {
      await page.goto(address);
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), true, `${name} at ${width} px`);
    }
    await shot(page, `nothing-${width}`);
    await context.close();
  }
});

test('paper is light and in one column, without buttons', async () => {
  mock.mode = 'full';
  const { page, context } = await openPage(browser, mock.url, { theme: 'dark' });
  await page.goto('/runs/r1');
  await settled(page);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.columns')).gridTemplateColumns.split(' ').length), 1);
  assert.equal(await page.locator('.top').isVisible(), false);
  await page.pdf({ path: `${process.env.VIVACE_BUILD}/web-shots/run.pdf` }).catch((e) => assert.fail(e));
  await context.close();
});
