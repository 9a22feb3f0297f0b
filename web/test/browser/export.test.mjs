// Exported pictures: they are complete files, name their source, and contain the numbers of the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parsed } from '../../../tests/api/csv_text.mjs';
import { axe, becomes, openPage, policyLines, said, settled, SHOTS, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();

const card = (page, title) => page.locator('.picture', { has: page.getByRole('heading', { name: title }) });
/** @returns {Promise<Buffer>} */
async function take(page, picture, what) {
  await picture.getByRole('button', { name: 'Take this picture away' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: what }).click()]);
  return readFileSync(await download.path());
}
/** How an SVG file looks alone, where none of our style sheets applies. */
const alone = (blank, svg) => blank.evaluate((text) => {
  const bad = new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror');
  document.body.innerHTML = text;
  const whole = document.querySelector('svg').getBoundingClientRect();
  const inside = (b) => b.left >= whole.left - 1 && b.right <= whole.right + 1;
  const texts = [...document.querySelectorAll('svg text')];
  return { bad: bad?.textContent ?? null, texts: texts.map((t) => t.textContent), outside: texts.filter((t) => !inside(t.getBoundingClientRect())).map((t) => t.textContent), marks: document.querySelectorAll('svg path[d], svg circle, svg rect, svg line').length, images: document.querySelectorAll('svg image').length };
}, svg);

const PICTURES = [
  { address: '/plans/p1', title: /^Every method/, caption: /llm-prefill-8b, plan vivace 2\s%, 95\s% level, seed 7 · vivace \d+\.\d+\.\d+ · \d{4}-\d\d-\d\d · http/, label: 'speed-up (×)', png: true },
  { address: '/profiles/f1?plan=p1', title: 'Where the launches sit', caption: /llm-prefill-8b, all kernels, plan vivace 2\s%, 95\s% level, seed 7 · vivace \d/, label: 'duration (µs)' },
  { address: '/profiles/f1', title: 'From launch to launch', caption: /llm-prefill-8b, all kernels · vivace \d/, label: 'launch' },
  { address: '/profiles/f1', title: 'Where the time goes', caption: /llm-prefill-8b · vivace \d/, label: '50 %' },
  { address: '/runs/r2', title: /^The interval closes in/, caption: /llm-prefill-8b, design h100, engine replay, 95\s% level, seed 11 · vivace \d/, label: 'samples finished', png: true },
  { address: '/runs/r1', title: /^Against h100/, caption: /paired difference to h100, 97\.5\s% level, seed 7 · vivace \d/, label: /projected time against h100/ },
  { address: '/compare?base=r1:h100&with=r1:h200-l2x2', title: /^Against h100/, caption: /difference to h100, 95\s% for all intervals together, seed 7 · vivace \d/, label: /projected time against h100/ },
  { address: '/compare?base=r1:h100&with=r1:h200-l2x2,r2:h100', title: /^From h100 to h200-l2x2/, caption: /by kernel, 95\s% for all intervals together, seed 7 · vivace \d/, label: /./ },
  { address: '/compare?base=r1:h100&with=r1:h200-l2x2,r2:h100,r2:h200-l2x2', title: 'Gains over workloads', caption: /2\s?workloads, 95\s% for all intervals together, seeds 7 and 11 · vivace \d/, label: /./ },
];

test('each picture as SVG parses, needs no other file, and contains its source; as PNG it has twice its size', async () => {
  const { page, seen, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  const blank = await context.newPage(); // a blank page has no content policy
  await page.bringToFront(); // a page behind another draws once a second
  for (const [i, p] of PICTURES.entries()) {
    if (p.address !== PICTURES[i - 1]?.address) {
      await page.goto(p.address);
      await settled(page);
    }
    const picture = card(page, p.title);
    const svg = (await take(page, picture, 'SVG')).toString();
    const what = `${p.address} ${p.title}`;
    assert.ok(!svg.includes('var('), `${what}: colours are resolved`);
    assert.ok(!/class="(over|hair|mark)/.test(svg), `${what}: the cursor is not part of it`);
    const found = await alone(blank, svg);
    assert.deepEqual([found.bad, found.outside], [null, []], what);
    assert.ok(found.marks > 3, `${what}: ${found.marks} marks`);
    assert.match(found.texts.slice(-4).join(' '), p.caption, what);
    assert.ok(found.texts.some((t) => (p.label instanceof RegExp ? p.label.test(t) : t.replace(/\s/g, ' ') === p.label)), `${what}: ${found.texts}`);
    if (!p.png) continue; // the PNG is drawn from the SVG
    const size = /viewBox="0 0 (\d+) (\d+)"/.exec(svg);
    const png = await take(page, picture, 'PNG');
    assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from('PNG')], what);
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * Number(size[1]), 2 * Number(size[2])], what);
  }
  assert.deepEqual([policyLines(seen), seen.errors], [[], []]);
  await context.close();
});

const PAGES = ['/profiles/f1?plan=p1', '/plans/p1?stratum=4', '/runs/r1?design=h200-l2x2', '/compare?base=r1:h100&with=r1:h200-l2x2,r1:h100-slow-mem,r2:h100,r2:h200-l2x2', '/farm', '/results/x1', '/results/x1?each=bank&channel=3'];

test('every picture of every page can be exported, with its source and its numbers', async (t) => {
  const { page, seen, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  const blank = await context.newPage();
  await page.bringToFront();
  const titles = new Set();
  let scales = 0, legends = 0;
  mock.world.now -= mock.world.now % 3600000; // the last hour of the farm ends at a label of its axis
  for (const address of PAGES) {
    await page.goto(address);
    await settled(page);
    const pictures = page.locator('.picture', { has: page.getByRole('button', { name: 'Take this picture away' }) });
    await pictures.first().waitFor();
    for (let i = 0; i < await pictures.count(); i += 1) {
      const picture = pictures.nth(i), what = `${address} ${await picture.locator('h2').innerText()}`;
      titles.add(what);
      const svg = (await take(page, picture, 'SVG')).toString(), found = await alone(blank, svg);
      assert.deepEqual([found.bad, found.outside, svg.includes('var(')], [null, [], false], what);
      assert.ok(found.marks > 3 || found.images > 0, `${what}: ${found.marks} marks`);
      const [title, legend] = [await picture.locator('h2').innerText(), await picture.locator('.legend li').allInnerTexts()];
      const flat = (text) => text.replace(/\s+/g, ''), all = flat(found.texts.join(''));
      for (const text of [title, ...legend]) assert.ok(all.includes(flat(text)), `${what}: “${text}” is not in ${found.texts.join(' | ')}`);
      const ramp = await picture.locator('.ramp :is(.rampbar, .differencebar)').count();
      if (ramp > 0) assert.ok(found.marks >= 32, `${what}: the scale of the colours`);
      scales += ramp;
      legends += legend.length;
      assert.match(found.texts.slice(-5).join(' '), /\S.* · vivace \d+\.\d+\.\d+ · \d{4}-\d\d-\d\d · http/, what);
      const rows = parsed((await take(page, picture, /^CSV( of|$)/)).toString());
      assert.ok(rows.length > 0 && Object.keys(rows[0]).length > 1, `${what}: ${rows.length} rows`);
    }
  }
  t.diagnostic(`${titles.size} pictures, ${legends} entries of legends, ${scales} scales`);
  assert.ok(scales >= 2 && legends >= 20);
  assert.ok(titles.size >= 24, [...titles].join('\n'));
  assert.deepEqual([policyLines(seen), seen.errors], [[], []]);
  await context.close();
});

/** The labels of each axis of numbers in an SVG, and the faults of these labels. */
const axes = (blank, svg) => blank.evaluate((text) => {
  document.body.innerHTML = text;
  const groups = [...document.querySelectorAll('svg g[aria-label$="-axis tick label"]')].map((g) => [...g.querySelectorAll('text')]);
  // Pictures on a canvas have their axes in one group. The labels of the lower axis are centred.
  const drawn = [...document.querySelectorAll('svg image + g')].flatMap((g) => [[...g.querySelectorAll('text[text-anchor="middle"]')]]);
  return [...groups, ...drawn].map((texts) => texts.filter((t) => t.textContent !== '')).filter((texts) => texts.length > 0).map((texts) => {
    const labels = texts.map((t) => t.textContent), boxes = texts.map((t) => t.getBoundingClientRect());
    const clash = boxes.some((a, i) => boxes.some((b, k) => k > i && a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
    return { labels, numbers: labels.every((l) => /^[+−]?[\d.\u202f]+(\u00a0[kMGT]| %|\u00a0%)?$/.test(l)), distinct: new Set(labels).size, clash };
  });
}, svg);

test('every numeric axis has at least three labels, which differ and do not overlap: on all pages, at two widths, zoomed', async (t) => {
  const { page, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  const blank = await context.newPage();
  await page.bringToFront();
  let seen = 0;
  for (const width of [1400, 560]) {
    await page.setViewportSize({ width, height: 1000 });
    for (const address of [...PAGES, '/results/x1?from=41000&to=41900', '/profiles/f1?zoom=30000,30900&launches=1200,1300']) {
      await page.goto(address);
      await settled(page);
      const pictures = page.locator('.picture', { has: page.getByRole('button', { name: 'Take this picture away' }) });
      await pictures.first().waitFor();
      for (let i = 0; i < await pictures.count(); i += 1) {
        const svg = (await take(page, pictures.nth(i), 'SVG')).toString();
        for (const axis of await axes(blank, svg)) {
          const ranks = axis.labels.every((l, n) => l === String(n + 1)); // two workloads give two such labels
          if (!axis.numbers || (ranks && axis.labels.length < 3)) continue;
          seen += 1;
          assert.ok(axis.distinct >= 3 && axis.distinct === axis.labels.length && !axis.clash, `${address} at ${width}, ${await pictures.nth(i).locator('h2').innerText()}: ${axis.labels.join(' | ')}${axis.clash ? ', which overlap' : ''}`);
        }
      }
    }
  }
  t.diagnostic(`${seen} axes`);
  assert.ok(seen >= 60, `${seen} axes`);
  await context.close();
});

test('exported CSV equals the table and the answer of the server; the line for pandas names the same data', async () => {
  const { page, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: mock.url });
  await page.goto('/runs/r2');
  await settled(page);
  const picture = card(page, /^The interval closes in/);
  const rows = (await take(page, picture, 'CSV')).toString().trim().split('\r\n').map((r) => r.split(','));
  const truth = mock.world.convergence(mock.world.runs.r2, 'h100', false).points.filter((p) => p.value_s !== null);
  assert.deepEqual(rows, [['done', 'value_s', 'half_width_s'], ...truth.map((p) => [p.done, p.value_s, p.half_width_s].map((v) => (v === null ? '' : String(v))))]);
  await picture.getByRole('button', { name: 'Take this picture away' }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  const table = page.getByRole('table', { name: 'The numbers of this picture' });
  await table.waitFor();
  await becomes(() => table.evaluate((t) => [...t.rows].map((r) => [...r.cells].map((c) => c.textContent))), rows);
  assert.deepEqual(await axe(page), []);
  await picture.getByRole('button', { name: 'Take this picture away' }).click();
  await page.getByRole('menuitem', { name: 'Copy for pandas' }).click();
  await said(page, 'opied');
  const line = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(line, `import os, pandas; data = pandas.read_csv("${mock.url}/api/v1/runs/r2/convergence?design=h100&format=csv", storage_options={"Authorization": "Bearer " + os.environ["VIVACE_TOKEN"]})`);
  await context.close();
});

test('a dark picture is exported dark, with its background', async () => {
  const { page, context } = await openPage(browser, mock.url, { theme: 'dark', acceptDownloads: true });
  await page.goto('/profiles/f1?plan=p1');
  await settled(page);
  const svg = (await take(page, card(page, 'Where the launches sit'), 'SVG')).toString();
  assert.match(svg, /<rect width="100%" height="100%" fill="#161b22"/);
  await context.close();
});

test('the printed page is light and in one column, without buttons', async () => {
  const { page, context } = await openPage(browser, mock.url, { theme: 'dark' });
  await page.goto('/runs/r1');
  await settled(page);
  await page.emulateMedia({ media: 'print' });
  await becomes(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  await becomes(() => page.evaluate(() => getComputedStyle(document.querySelector('.columns')).gridTemplateColumns.split(' ').length), 1);
  await becomes(() => page.locator('.top').isVisible(), false);
  await page.setViewportSize({ width: 718, height: 1000 }); // A4 less margins of 1 cm
  for (const address of ['/runs/r1', '/plans/p1?stratum=4', '/profiles/f1', '/compare?base=r1:h100&with=r1:h200-l2x2,r1:b200', '/farm?worker=w1']) {
    await page.goto(address);
    await page.waitForFunction(() => document.querySelectorAll('table.rows tbody tr').length > 1 && !document.querySelector('.skeleton'));
    await becomes(() => page.evaluate(() => [...document.querySelectorAll('table.rows')].filter((t) => t.checkVisibility() && t.offsetWidth > t.parentElement.clientWidth).map((t) => `${t.caption.textContent}: ${t.offsetWidth} of ${t.parentElement.clientWidth}`)), [], `${address}: tables that paper cuts`);
  }
  await page.pdf({ path: `${SHOTS}/run.pdf` }).catch((e) => assert.fail(e));
  await context.close();
});
