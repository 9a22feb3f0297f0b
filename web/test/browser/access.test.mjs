// Each page has four states: full, empty, loading, error. In both themes, each state passes axe, keeps the content policy and
// fits narrow screens. With PHOTOGRAPHS=1 the test writes screenshots into build/web-shots/. With forced colours and with large
// text the page stays complete.
import assert from 'node:assert/strict';
import { axe, openPage, PHOTOGRAPHS, policyLines, settled, shot, stage, test, until } from '../harness.mjs';

const { browser, mock } = await stage();

const PAGES = {
  workloads: '/', upload: '/upload', workload: '/workloads/w1', profile: '/profiles/f1?plan=p1', plans: '/plans', plan: '/plans/p1', published: '/plans/p2', runs: '/runs',
  run: '/runs/r1?design=h200-l2x2&by=class', 'run-done': '/runs/r2', 'run-fresh': '/runs/r3', compare: '/compare?base=r1:h100&with=r1:h200-l2x2,r1:h100-slow-mem,r1:b200', 'compare-workloads': '/compare?base=r1:h100&with=r1:h200-l2x2,r1:v100,r2:h100,r2:h200-l2x2,r2:v100', 'compare-choose': '/compare', farm: '/farm?worker=w1', discards: '/discards?discard=d1', team: '/team/arch-lab', nothing: '/no/such/page',
  result: '/results/x1', 'result-unrecorded': '/results/x2', 'result-waiting': '/results/x3', 'result-failed': '/results/x4', 'result-replayed': '/results/x5',
};
const REFUSED = /the server responded with a status of (401|404|503)/;

/** Checks a page in the light theme. Then checks its colours in the dark theme, which changes nothing else. */
async function look(name, address, ready, also = async (/** @type {any} */ _page, /** @type {string} */ _theme) => {}) {
  const { page, seen, context } = await openPage(browser, mock.url, { theme: 'light' });
  await page.goto(address);
  await ready(page);
  await shot(page, `${name}-light`);
  const found = { axe: await axe(page), text: await page.locator('body').innerText() };
  assert.ok(await page.locator('main .filled:visible').count() <= 1, `${name}: more than one button is filled`);
  await also(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await ready(page);
  await shot(page, `${name}-dark`);
  found.axe.push(...await axe(page, ['color-contrast', 'link-in-text-block']));
  await also(page, 'dark');
  Object.assign(found, { policy: policyLines(seen), errors: seen.errors, foreign: seen.foreign, console: seen.console.filter((l) => !REFUSED.test(l)), hit: await page.evaluate(() => window.hit) });
  await context.close();
  for (const key of ['axe', 'policy', 'errors', 'foreign', 'console']) assert.deepEqual(found[key], [], `${name}: ${key}`);
  assert.equal(found.hit, undefined, `${name}: a foreign name ran as a script`);
  return found.text;
}

/** Checks that the page fits narrow screens. Takes screenshots there, and one as a green-blind visitor sees the page. */
async function narrow(page, name, theme) {
  for (const width of [390, 720]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
    await page.waitForFunction(fits, null, {}).catch(() => assert.fail(`${name} scrolls sideways at ${width} px`));
    await shot(page, `${name}-${theme}-${width}`);
  }
  await page.setViewportSize({ width: 1400, height: 1000 });
  await settled(page);
  if (!PHOTOGRAPHS) return;
  const sight = await page.context().newCDPSession(page);
  await sight.send('Emulation.setEmulatedVisionDeficiency', { type: 'deuteranopia' });
  await shot(page, `${name}-${theme}-green-blind`);
  await sight.detach(); // ends the emulation of green-blindness
}

test('full: in both themes, and narrow', async () => {
  mock.mode = 'full';
  for (const [name, address] of Object.entries(PAGES)) {
    const text = await look(name, address, settled, (page, theme) => narrow(page, name, theme));
    assert.ok(!/NaN|undefined|\[object|Infinity/.test(text), `${name}: ${text.match(/.{20}(NaN|undefined|\[object|Infinity).{20}/)?.[0]}`);
  }
});

const type = async (page, label, text) => {
  await settled(page);
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  await page.locator('.field-problem').waitFor();
};
/** The pages that a visitor sees before the login. @type {Record<string, [string, (page: any) => Promise<unknown>, RegExp]>} */
const DOORS = {
  login: ['/', settled, /Access token/], 'login-refused': ['/', (page) => type(page, 'Access token', 'vvc_wrong'), /does not know this token/],
  'login-password': ['/', async (page) => { await settled(page); await page.getByRole('button', { name: 'Name and password' }).click(); await page.getByLabel('Password').waitFor(); }, /Accounts come by invitation/],
  join: ['/join#vvi_wrong', settled, /Twelve characters or more/],
  'join-refused': ['/join#vvi_wrong', async (page) => { await settled(page); await page.getByLabel('User name').fill('bob'); await type(page, 'Password', 'correct horse battery'); }, /the invitation is not known/],
};
test('without a session: log-in and invitation, in both themes, and narrow', async () => {
  mock.loggedIn = false;
  for (const [name, [address, ready, words]] of Object.entries(DOORS)) assert.match(await look(name, address, ready, (page, theme) => narrow(page, name, theme)), words, name);
});

test('empty', async () => {
  mock.mode = 'empty';
  const says = { workloads: /Drop an Nsight Systems report here/, workload: /No plan yet.*|No profile yet/, plans: /No plan yet/, runs: /No run yet/, farm: /No workers yet/, 'compare-choose': /No run yet/, profile: /This profile has no kernels/, 'run-fresh': /No estimate yet/, plan: /No method could plan/, team: /No members yet/, discards: /No result was discarded/ };
  for (const [name, words] of Object.entries(says)) assert.match(await look(`${name}-empty`, PAGES[name], settled), words, name);
});

const FETCHING = ['workloads', 'workload', 'profile', 'plan', 'run', 'farm', 'plans', 'runs', 'team', 'compare', 'result'];
test('loading', async () => {
  mock.mode = 'slow';
  for (const name of FETCHING) {
    const text = await look(`${name}-loading`, PAGES[name], async (page) => {
      const words = page.getByText(/^Fetching the .+…/).first();
      await words.waitFor();
      await page.waitForFunction((el) => getComputedStyle(el).opacity === '1', await words.elementHandle()); // the words appear after 300 ms
    });
    assert.match(text, /Fetching the .+…/, name);
  }
});

test('error', async () => {
  mock.mode = 'broken';
  for (const name of FETCHING) {
    const text = await look(`${name}-error`, PAGES[name], (page) => page.locator('.trouble').first().waitFor());
    for (const words of [/Could not read the/, /The database does not answer/, /postgres\.log/, /Try again/, /request 01890a5d/]) assert.match(text, words, name);
  }
});

test('a term is explained beside it, in three sentences and a picture', async () => {
  mock.mode = 'full';
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/plans/p1');
  await settled(page);
  await page.getByRole('button', { name: 'What is meant by Speed-up?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Speed-up' });
  await dialog.getByText(/^The cost of simulating all launches divided/).waitFor();
  await until('the picture of the word', () => dialog.getByRole('img', { name: 'Speed-up' }).boundingBox(), (box) => box?.height > 60);
  assert.deepEqual(await axe(page), []);
  await shot(page, 'help');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await context.close();
});

const SEVERAL = ['workloads', 'profile', 'plan', 'run', 'compare', 'farm', 'team', 'result'];

test('forced colours: text keeps its contrast, lines and marks differ from the background', async () => {
  for (const theme of ['light', 'dark']) {
    const { page, context } = await openPage(browser, mock.url, { theme, forcedColors: 'active' });
    for (const name of SEVERAL) {
      await page.goto(PAGES[name]);
      await settled(page);
      assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches));
      assert.deepEqual(await axe(page, ['color-contrast']), [], `${name}, ${theme}`);
      const bare = await page.evaluate(() => {
        const ground = getComputedStyle(document.body).backgroundColor;
        const paint = (el) => ['fill', 'stroke'].map((k) => getComputedStyle(el)[k]).filter((c) => c !== 'none' && !/, 0\)$/.test(c));
        const pictures = [...document.querySelectorAll('.host svg.plot')].filter((svg) => ![...svg.querySelectorAll('path, circle, rect, line')].some((el) => paint(el).some((c) => c !== ground)));
        const buttons = [...document.querySelectorAll('main :is(button.filled, .actions > button, .switch)')].filter((b) => getComputedStyle(b).borderTopWidth === '0px');
        const back = (el) => getComputedStyle(el).backgroundColor;
        const same = [...document.querySelectorAll('.switch')].filter((s) => s.querySelector('[aria-pressed=true]') && s.querySelector('[aria-pressed=false]') && back(s.querySelector('[aria-pressed=true]')) === back(s.querySelector('[aria-pressed=false]')));
        return [...pictures.map((p) => `a picture without marks: ${p.parentElement.getAttribute('aria-label')}`), ...buttons.map((b) => `no edge: ${b.textContent}`), ...same.map((s) => `what is pressed looks like what is not: ${s.textContent}`)];
      });
      assert.deepEqual(bare, [], `${name}, ${theme}`);
      if (theme === 'light' && name === 'plan') await shot(page, 'plan-forced');
    }
    await context.close();
  }
});

test('with reduced motion nothing is animated', async () => {
  const { page, context } = await openPage(browser, mock.url);
  for (const [motion, moves] of [['reduce', false], ['no-preference', true]]) {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto(PAGES.plan);
    await settled(page);
    const moving = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((el) => ['transitionDuration', 'animationDuration'].some((k) => getComputedStyle(el)[k].split(', ').some((t) => t !== '0s'))).length);
    assert.equal(moving > 0, moves, `${motion}: ${moving} elements move`);
  }
  await context.close();
});

test('text at 200 % is not cut off, and controls are 24 px high or are in a line of text', async () => {
  const { page, context } = await openPage(browser, mock.url);
  for (const name of SEVERAL) {
    await page.goto(PAGES[name]);
    await settled(page);
    assert.deepEqual(await axe(page, ['target-size']), [], name);
    // Like the browser's own zoom: half the width at twice the density.
    await page.setViewportSize({ width: 700, height: 500 });
    await settled(page);
    const cut = await page.evaluate(() => [...document.querySelectorAll('h1, h2, .strip dd, .strip dt, main button, .notice')].filter((el) => el.getClientRects().length && el.scrollWidth > el.clientWidth + 1 && ['hidden', 'clip'].includes(getComputedStyle(el).overflowX) && !el.title).map((el) => el.textContent.slice(0, 60)));
    assert.deepEqual(cut, [], name);
    await page.setViewportSize({ width: 1400, height: 1000 });
  }
  await context.close();
});
