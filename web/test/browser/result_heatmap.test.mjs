// The page of a result: the picture of 132 SMs over 2000 intervals opens at once, a step of the window costs no frame, the
// address keeps the zoom, and the reading line shows the values of the data. Then on a real farm: a worker records what the
// page asks for.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFarm } from '../../../tests/api/harness.mjs';
import { cycleRun } from '../../../tests/api/work.mjs';
import { becomes, enter, openPage, patience, policyLines, settled, shot, SIMULATION_MS, stage, test, until, WEB_DIR } from '../harness.mjs';
import { bankUse, smIpc } from '../mock_result.mjs';

const INTERVAL = 500, LEFT = 64, RIGHT = 10, TOP = 6; // of charts/time_chart.js
const { browser, mock } = await stage();

const heat = (page) => page.getByRole('group', { name: /^Each SM: bright is busy/ });
const card = (page) => page.locator('section.card', { has: heat(page) });
const drawn = (page, options = {}) => page.waitForFunction(() => [...document.querySelectorAll('.timehost')].length > 5 && [...document.querySelectorAll('.timehost')].every((h) => h.getAttribute('aria-label')), null, options);
async function open(page, address = '/results/x1') {
  await page.goto(address);
  await drawn(page);
}
/** Milliseconds of script that the pictures took since the last call. */
const costs = (page, name) => page.evaluate((n) => {
  const list = performance.getEntriesByName('time-chart').filter((e) => !n || e.detail === n).map((e) => e.duration);
  performance.clearMeasures('time-chart');
  return list;
}, name);
/** The text of the reading line, once it matches `what`: the line follows pointer and keys one frame later. */
async function reading(picture, what) {
  const line = picture.locator('.reading', { hasText: what });
  await line.waitFor();
  return line.innerText();
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

test('132 × 2000 cells are drawn once at the start; a step of the window draws each picture once, in a fraction of the time', async (t) => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await open(page);
  const first = await costs(page, 'sm_ipc');
  assert.ok(first.length >= 1 && first.length <= 3, `the heat map was drawn ${first.length} times to open`);
  await heat(page).focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('+');
  await costs(page);
  const steps = [];
  let maps = 0;
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press(i % 4 < 2 ? 'Shift+ArrowRight' : 'Shift+ArrowLeft');
    await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
    const each = await page.evaluate(() => performance.getEntriesByName('time-chart').map((e) => [e.detail, e.duration]));
    await costs(page);
    const map = each.filter(([n]) => n === 'sm_ipc');
    maps += map.length;
    if (each.length) steps.push({ map: map[0]?.[1] ?? 0, all: each.reduce((s, [, d]) => s + d, 0) });
  }
  // one drawing for a step, two if the key came between two frames; a drawing that the earlier zoom left may count with the
  // first step
  assert.ok(maps <= 2 * 12 + 2, `twelve steps drew the heat map ${maps} times`);
  t.diagnostic(`opens in ${first[0].toFixed(1)} ms; a step: heat map ${median(steps.map((s) => s.map)).toFixed(2)} ms, all nine pictures ${median(steps.map((s) => s.all)).toFixed(1)} ms`);
  assert.ok(steps.length >= 8, 'the window moved');
  assert.ok(median(steps.map((s) => s.map)) < Math.max(...first), 'data in memory is drawn again, not computed again');
  assert.deepEqual([policyLines(seen), seen.errors], [[], []]);
  await context.close();
});

test('the reading line agrees with the data, in every picture at once; a click pins it', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await open(page);
  const box = await heat(page).boundingBox(), width = box.width - LEFT - RIGHT, cycles = 2000 * INTERVAL - 120;
  for (const [column, line] of [[100, 3], [1234, 90], [1999, 131]]) {
    const x = LEFT + ((column + 0.5) * INTERVAL / cycles) * width;
    await heat(page).hover({ position: { x: Math.min(x, LEFT + width - 0.5), y: TOP + (line + 0.5) * 2 } });
    const text = await reading(card(page), new RegExp(`, SM ${line}:`));
    const [, at, sm, value] = /^cycle ([\d\u202f]+), SM (\d+): (\S+) instr/.exec(text) ?? assert.fail(text);
    const shown = Number(at.replaceAll('\u202f', '')) / INTERVAL;
    assert.ok(Math.abs(shown - column) <= 1, text); // two columns share a pixel here
    assert.equal(Number(sm), line);
    assert.ok(Math.abs(Number(value) - smIpc(line, shown)) < 0.006, `${text}: ${smIpc(line, shown)}`);
  }
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('.reading')];
    return all.length >= 9 && all.every((o) => o.textContent.startsWith('cycle 999'));
  });
  await page.mouse.down();
  await page.mouse.up();
  await page.getByText('the moment is pinned').waitFor();
  await heat(page).hover({ position: { x: LEFT + 20, y: 20 } });
  assert.match(await card(page).locator('.reading').innerText(), /^cycle 999/);
  await page.keyboard.press('Escape');
  await context.close();
});

test('dragging zooms, the address contains the window and restores it; 0 shows all again', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await open(page);
  const width = (await heat(page).boundingBox()).width - LEFT - RIGHT;
  await heat(page).hover({ position: { x: LEFT + width / 4, y: 40 } });
  await page.mouse.down();
  await heat(page).hover({ position: { x: LEFT + width / 2, y: 60 } });
  await page.mouse.up();
  await page.waitForURL(/from=\d+&to=\d+/);
  const window_ = () => { const u = new URL(page.url()).searchParams; return [Number(u.get('from')), Number(u.get('to'))]; };
  const [from, to] = window_();
  assert.ok(Math.abs(from - 250000) < 3000 && Math.abs(to - 500000) < 3000, `${from} to ${to}`);
  await page.reload();
  await drawn(page);
  await becomes(window_, [from, to]);
  await heat(page).hover({ position: { x: LEFT + 1, y: 1 } });
  const [, at] = /^cycle ([\d\u202f]+),/.exec(await reading(card(page), /^cycle .*, SM 0:/));
  assert.ok(Math.abs(Number(at.replaceAll('\u202f', '')) - from) <= 2 * INTERVAL, `the left edge is cycle ${at}`);
  await heat(page).focus();
  await page.keyboard.press('0');
  await page.waitForURL((u) => !u.searchParams.has('from'));
  await page.getByRole('button', { name: 'by similarity' }).click();
  await page.waitForURL(/rows=similarity/);
  await page.getByLabel('Search the counters').fill('dram');
  await page.getByRole('cell', { name: 'dram_read_sectors', exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.counters code').length === 1);
  await page.waitForFunction(() => new URLSearchParams(location.search).get('q') === 'dram');
  await context.close();
});

test('a window that is moved while the address is updated stays where it was moved to', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await open(page, '/results/x1?from=400000&to=500000');
  await heat(page).focus();
  await heat(page).evaluate((el) => { // the next step comes directly after the address of the step before, as when fingers continue to move
    const write = history.replaceState;
    history.replaceState = function (...what) {
      history.replaceState = write;
      write.apply(history, what);
      const next = new MessageChannel(); // the next task, before a frame
      next.port1.onmessage = () => el.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }));
      next.port2.postMessage(null);
    };
  });
  await page.keyboard.press('Shift+ArrowRight'); // a fifth of the window
  await page.waitForFunction(() => /from=440000&to=540000/.test(location.search));
  await heat(page).hover({ position: { x: LEFT + 1, y: 1 } });
  await reading(card(page), /^cycle 440.000, SM 0:/);
  await context.close();
});

test('the colour scale can be dragged and shows its end; a name under the pointer is highlighted among the others', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await open(page);
  const pixels = (picture) => picture.locator('canvas').first().evaluate((c) => c.toDataURL());
  const follows = (picture, test) => until('the picture to follow', async () => test(await pixels(picture)));
  const ramp = card(page).locator('.ramp'), whole = Number(await ramp.locator('data').getAttribute('value')), before = await pixels(card(page));
  await ramp.getByRole('slider', { name: 'Where the colour scale ends' }).fill('0.5');
  await follows(card(page), (now) => now !== before);
  await until('its end', async () => Number(await ramp.locator('data').getAttribute('value')) / whole, (share) => Math.abs(share - 0.5) < 1e-9);
  await ramp.getByRole('slider').fill('1');
  await follows(card(page), (now) => now === before);
  const shares = page.locator('section.card', { has: page.getByRole('heading', { name: /^Issue slots/ }) }), all = await pixels(shares);
  await shares.locator('.legend li').first().hover();
  await follows(shares, (now) => now !== all);
  await page.mouse.move(2, 2);
  await follows(shares, (now) => now === all);
  await context.close();
});

test('a picture over time by keys: arrows are read aloud, t shows the table, e exports', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await open(page, '/results/x1?from=100000&to=101000');
  const line = card(page).locator('.reading');
  await heat(page).focus();
  await page.keyboard.press('ArrowRight');
  await reading(card(page), /^cycle 100.500/);
  await becomes(() => line.getAttribute('aria-live'), 'polite');
  await becomes(() => page.locator('.reading[aria-live=polite]').count(), 1, 'only one picture is read aloud, although all of them move');
  await page.keyboard.press('t');
  await card(page).getByRole('region', { name: 'The numbers of this picture' }).getByText('SM 131').first().waitFor();
  await page.keyboard.press('e');
  await becomes(() => page.evaluate(() => [document.activeElement.role, document.activeElement.textContent]), ['menuitem', 'SVG']);
  await page.keyboard.press('Escape');
  await heat(page).hover({ position: { x: LEFT + 20, y: 20 } });
  await page.waitForFunction(() => !document.querySelector('.reading[aria-live=polite]')); // the element under the pointer is visible
  await context.close();
});

test('a picture is exported with its numbers: the visible part, as CSV', async () => {
  const { page, context } = await openPage(browser, mock.url, { acceptDownloads: true });
  await open(page, '/results/x1?from=100000&to=101000');
  await card(page).getByRole('button', { name: 'Take this picture away' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV of the visible part' }).click()]);
  const parts = [];
  for await (const chunk of await download.createReadStream()) parts.push(chunk);
  const rows = Buffer.concat(parts).toString().trimEnd().split('\r\n');
  assert.equal(rows[0], 'line,from_cycle,to_cycle,min (instructions a cycle),mean,max');
  assert.equal(rows.length, 1 + 132 * 4, 'four columns, the narrowest window');
  const [label, from, , , mean] = rows[1 + 4 * 7].split(',');
  assert.deepEqual([label, Number(mean)], ['SM 7', smIpc(7, Number(from) / INTERVAL)]);
  await context.close();
});

test('each bank of a channel, if banks were modelled: rows, values and the address; all of them at once', async () => {
  const { page, seen, context } = await openPage(browser, mock.url);
  await open(page);
  await page.getByRole('button', { name: 'each bank' }).click();
  await page.getByLabel('Which channel').selectOption('7');
  await page.waitForURL(/each=bank&channel=7|channel=7&each=bank/);
  const banks = page.getByRole('group', { name: /^Each DRAM bank: utilisation: 16 rows/ });
  await banks.waitFor();
  await banks.hover({ position: { x: LEFT + 400, y: TOP + 5.5 * 6 } });
  const text = await reading(page.locator('section.card', { has: banks }), /, channel 7 bank 5: /);
  const [, at, value] = /^cycle ([\d\u202f]+), channel 7 bank 5: (\S+) %/.exec(text) ?? assert.fail(text);
  const column = Number(at.replaceAll('\u202f', '')) / INTERVAL;
  assert.ok(Math.abs(Number(value) - 100 * bankUse(5, column)) < 0.006, `${text}: ${100 * bankUse(5, column)}`);
  await page.getByLabel('Which channel').selectOption('');
  await page.getByRole('group', { name: /^Each DRAM bank: utilisation: 1280 rows/ }).waitFor();
  await page.getByRole('button', { name: 'efficiency', exact: true }).click();
  await page.getByRole('group', { name: /^Each DRAM bank: efficiency/ }).waitFor();
  assert.deepEqual([policyLines(seen), seen.errors], [[], []]);
  await context.close();
});

test('on a farm: from the run to one of its results, which a worker records when the page asks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-result-'));
  const farm = await startFarm({ workers: 1, args: ['--test-web-dir', WEB_DIR] });
  t.after(async () => {
    await farm.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = await cycleRun(farm, folder, 3);
  await farm.finished(run.id);
  const { page, seen, context } = await enter(browser, farm);
  await page.goto(`/runs/${run.id}`);
  await page.getByRole('button', { name: 'done 3' }).click();
  await page.getByRole('link', { name: 'what the GPU did' }).first().click();
  farm.workers[0].kill('SIGSTOP'); // a fast worker would have made the recording before the page reads this
  await page.getByRole('button', { name: 'Record series' }).click();
  await page.getByText(/Waiting for a worker|is recording/).waitFor();
  farm.workers[0].kill('SIGCONT');
  await drawn(page, { timeout: patience(SIMULATION_MS) });
  const id = new URL(page.url()).pathname.split('/').pop();
  const result = await farm.api('GET', `/results/${id}`);
  await becomes(() => page.locator('.strip data').first().getAttribute('value'), String(result.cycles));
  const ipc = await farm.api('GET', `/results/${id}/series?name=ipc&columns=4096`);
  const line = page.getByRole('group', { name: /^Instructions a cycle/ });
  await line.focus();
  await page.keyboard.press('ArrowRight');
  const text = await reading(page.locator('section.card', { has: line }), /^cycle [\d\u202f]+: \d/);
  const [, at, value] = /^cycle ([\d\u202f]+): (\S+)/.exec(text) ?? assert.fail(text);
  const mean = ipc.lines[0].mean[Number(at.replaceAll('\u202f', '')) / ipc.cycles_a_column];
  assert.ok(Math.abs(Number(value) - mean) <= 0.005 * Math.max(mean, 1e-9), `${text}: ${mean}`);
  await settled(page);
  await shot(page, 'result-farm');
  await page.getByRole('button', { name: 'each bank' }).click(); // v100's own level of detail of DRAM has no banks
  await page.getByText(/The banks were not modelled separately.*vivace design scale v100 --set model.memory=event --set model.dram=bank/).waitFor();
  assert.deepEqual([policyLines(seen), seen.errors, seen.foreign], [[], [], []]);
  await context.close();
});
