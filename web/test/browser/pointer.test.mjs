// Touch and pointer on pictures. Two fingers zoom every picture that has a window, and change nothing else. An S-curve names
// the pointed workload in all its lines; an area picture highlights the part under the pointer.
import assert from 'node:assert/strict';
import { assertClean, becomes, openPage, settled, shot, stage, test, until } from '../harness.mjs';

const { browser, mock } = await stage();
const DESIGNS = '/compare?base=r1:h100&with=r1:h200-l2x2,r1:b200,r2:h100,r2:h200-l2x2,r2:b200';
/** Every picture with a window (zoom): page, title, and the parameter of the address that keeps the window. */
const TURNED = [
  ['/plans/p1', /^Every method, every error/, 'zoom'], ['/profiles/f1', 'Where the launches sit', 'zoom'], ['/profiles/f1', 'From launch to launch', 'launches'],
  ['/profiles/f1', 'What ran when', 'time'], ['/runs/r1', /^The interval closes in/, 'zoom'], [DESIGNS, 'Gains over workloads', 'zoom'], ['/results/x1', /^Each SM/, 'from'],
];
const card = (page, title) => page.locator('.picture', { has: page.getByRole('heading', { name: title }) });

/** Waits until all pictures are drawn: a picture that comes later moves the pictures below it. */
const drawn = (page) => page.waitForFunction(() => {
  const hosts = [...document.querySelectorAll('.picture .host, .picture .timehost')];
  return hosts.length > 0 && !document.querySelector('.skeleton, .scoring') && hosts.every((h) => h.getAttribute('aria-label'));
});
/** Scrolls the element to the middle of the browser window and returns its position. @param {import('playwright-core').Locator} host */
async function inView(host) {
  await host.evaluate((el) => el.scrollIntoView({ block: 'center' }));
  return host.boundingBox();
}

/** Two fingers at the same height move from the distance `from` to the distance `to` from the middle. */
async function pinch(client, { x, y }, from, to) {
  const at = (d) => [{ x: Math.round(x - d), y, id: 0 }, { x: Math.round(x + d), y, id: 1 }];
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from).slice(0, 1) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
  for (let i = 1; i <= 8; i += 1) await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from + ((to - from) * i) / 8) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Waits until the address has not changed for some frames: the window is written into it with a small delay. */
const addressSettled = (page) => page.evaluate(async () => {
  for (let calm = 0, last = ''; calm < 20; calm = location.search === last ? calm + 1 : 0) {
    last = location.search;
    await new Promise((r) => requestAnimationFrame(r));
  }
});

test('two fingers change the window of each picture that has one, and select nothing', async () => {
  for (const [address, title, kept] of TURNED) {
    const { page, seen, context } = await openPage(browser, mock.url, { hasTouch: true });
    const client = await context.newCDPSession(page), what = `${address} ${title}`;
    await page.goto(address);
    const host = card(page, title).locator('.host, .timehost');
    await host.waitFor();
    await drawn(page);
    const box = await inView(host), middle = { x: box.x + box.width / 2, y: Math.round(box.y + box.height / 2) };
    const inAddress = (there) => page.waitForFunction(([name, want]) => new URLSearchParams(location.search).has(name) === want, [kept, there]);
    await pinch(client, middle, 100, 300);
    await inAddress(true);
    await addressSettled(page);
    await pinch(client, middle, 250, 60);
    await inAddress(false);
    assert.equal(await page.evaluate(() => visualViewport.scale), 1, `${what}: the page stays as it is`);
    assert.equal(await page.evaluate(() => new URLSearchParams(location.search).get('selected')), null, `${what}: a pinch selects nothing`);
    assert.equal(await page.locator('.brush').count(), 0, what);
    assertClean(seen, [/404 \(Not Found\)/]); // parts of a run, which the mock server does not have
    await context.close();
  }
});

test('the points under two fingers stay under them', async () => {
  const { page, context } = await openPage(browser, mock.url, { hasTouch: true });
  const client = await context.newCDPSession(page), LEFT = 64, RIGHT = 10, CYCLES = 2000 * 500 - 120; // of charts/time_chart.js, mock_result.mjs
  await page.goto('/results/x1');
  const host = card(page, /^Each SM/).locator('.timehost[aria-label]');
  await host.waitFor();
  await drawn(page);
  const box = await inView(host), width = box.width - LEFT - RIGHT, middle = { x: Math.round(box.x + LEFT + width / 2), y: Math.round(box.y + 60) };
  const moment = (d, from, to) => from + ((middle.x + d - box.x - LEFT) / width) * (to - from);
  const fingers = [moment(-100, 0, CYCLES), moment(100, 0, CYCLES)];
  await pinch(client, middle, 100, 200);
  await page.waitForURL(/from=\d+&to=\d+/);
  await page.waitForFunction((half) => Math.abs(Number(new URLSearchParams(location.search).get('to')) - Number(new URLSearchParams(location.search).get('from')) - half) < half / 50, CYCLES / 2);
  await addressSettled(page);
  const [from, to] = await page.evaluate(() => ['from', 'to'].map((name) => Number(new URLSearchParams(location.search).get(name))));
  for (const [i, d] of [-200, 200].entries()) assert.ok(Math.abs(moment(d, from, to) - fingers[i]) < CYCLES / 500, `finger ${i}: ${moment(d, from, to)}, put on ${fingers[i]}`);
  await context.close();
});

test('hovering a point of an S-curve highlights its workload in all lines', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto(DESIGNS);
  await addressSettled(page);
  const answer = await page.evaluate(async (url) => (await fetch(url)).json(), `/api/v1${DESIGNS}`);
  const names = [...new Set([answer.base, ...answer.items].map((s) => s.workload_name))], curve = card(page, 'Gains over workloads');
  const dots = curve.locator('[aria-label=dot] circle');
  await becomes(() => dots.count(), 4, 'two lines over two workloads');
  await inView(curve);
  const reported = new Set();
  for (let i = 0; i < 4; i += 1) {
    await page.mouse.move(2, 2);
    await curve.locator('.reading', { hasText: /^\s*$/ }).waitFor(); // otherwise the reading may be that of the point before
    const at = await dots.nth(i).boundingBox();
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    const line = curve.locator('.reading', { hasText: /h200-l2x2 .*±.*%.*b200 .*±.*%/ });
    await line.waitFor();
    const text = await line.innerText();
    const name = names.find((n) => text.startsWith(`${n}: `));
    assert.ok(name, text);
    assert.ok(names.every((n) => n === name || !text.includes(n)), text);
    const own = answer.items.filter((s) => s.workload_name === name && !s.is_baseline);
    assert.deepEqual([...text.matchAll(/[−+]?[\d.]+(?=\s±\s[\d.]+\s%)/g)].map(([x]) => Number(x.replace('−', '-')).toFixed(1)), own.map((s) => (100 * (s.ratio - 1)).toFixed(1)), text);
    reported.add(name);
  }
  assert.deepEqual([...reported].sort(), [...names].sort());
  await page.mouse.move(2, 2);
  await curve.locator('.reading', { hasText: /^\s*$/ }).waitFor();
  assertClean(seen);
  await context.close();
});

test('hovering a part of an area fades the others, and leaving it restores them', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await page.goto('/results/x1');
  const picture = page.locator('section.card', { has: page.getByRole('heading', { name: /^Issue slots/ }) }), host = picture.locator('.timehost[aria-label]');
  await host.waitFor();
  await drawn(page);
  const box = await inView(host), x = Math.round(box.width / 2);
  /** The opacity of the pixel column under the pointer, upwards from the lower end of the axis. */
  const column = () => host.evaluate((el, at) => {
    const canvas = el.querySelector('canvas'), scale = canvas.width / el.clientWidth, height = 150;
    const { data } = canvas.getContext('2d').getImageData(Math.round(at * scale), 0, 1, canvas.height);
    return Array.from({ length: height - 8 }, (_, i) => data[4 * Math.round((6 + height - 4 - i) * scale) + 3]);
  }, x);
  // A faded part has a quarter of the opacity (charts/area.js). At the border of two parts a pixel shows both.
  const opaque = (a) => a > 180, fades = (a) => a < 80;
  await until('all parts to be alike', column, (now) => now.every(opaque));
  const lit = [];
  for (const y of [8, 80]) { // heights above the lower end of the axis
    await page.mouse.move(box.x + x, box.y + 6 + 150 - y);
    const now = await until(`one part at ${y}`, column, (all) => opaque(all[y - 4]) && all.some(fades));
    const own = now.flatMap((a, i) => (opaque(a) ? [i] : []));
    assert.equal(own.at(-1) - own[0] + 1, own.length, 'one part is highlighted, from its lower to its upper edge');
    lit.push(own);
    await shot(page, `area-hover-${y}`);
  }
  assert.equal(lit[0].filter((i) => lit[1].includes(i)).length, 0, 'each time the part under the pointer');
  await page.mouse.move(2, 2);
  await until('all parts to be back', column, (now) => now.every(opaque));
  assertClean(seen, [/willReadFrequently/]); // only this test reads pixels
  await context.close();
});
