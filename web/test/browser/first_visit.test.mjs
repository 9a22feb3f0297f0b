// A visitor in front of an empty farm reaches a finished projection by clicking only: real server, private PostgreSQL,
// two real workers, real Chromium. Then the same farm is used for tests that need a real farm.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsed } from '../../../tests/api/csv_text.mjs';
import { build, program, startFarm } from '../../../tests/api/harness.mjs';
import { assertClean, axe, becomes, enter, openPage, patience, RECONNECT_MS, settled, shot, SIMULATION_MS, stage, test, UNKNOWN_VISITOR, until, WEB_DIR } from '../harness.mjs';

const HOSTILE = '<img src=x onerror="window.hit=1">';

/** A report of `nsys stats --report cuda_gpu_trace`, invented: three kernels whose durations spread, one with a name
 * that is a script; a copy between them, and two launches that still ran when profiling stopped. */
function report(launches) {
  const header = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
  const kinds = [['gemm_bf16_128x256', 128, 13200, 0.06], ['void flash_fwd<128, 64>(Params)', 64, 29000, 0.15], [HOSTILE, 32, 105000, 0.25]];
  const lines = [header];
  let start = 1000;
  let state = 42;
  const random = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
  for (let i = 0; i < launches; i += 1) {
    const [name, grid, mean, spread] = kinds[i % 7 === 6 ? 2 : i % 2];
    const duration = Math.round(mean * (1 + spread * (random() + random() + random() - 1.5)));
    lines.push(`${start},${duration},${i + 1},${grid},1,1,256,1,1,32,0,0,,,,,NVIDIA H100 80GB HBM3 (0),1,7,"${name.replaceAll('"', '""')}"`);
    start += duration + 500;
    if (i % 100 === 50) lines.push(`${start},900,${launches + i},,,,,,,,,,1.05,1165.1,Pageable,Device,NVIDIA H100 80GB HBM3 (0),1,7,[CUDA memcpy Host-to-Device]`);
  }
  return lines.join('\n') + '\n';
}

const { browser, farm } = await stage({ mock: false, farm: { workers: 2 } });


test('from an empty farm to a finished projection by clicks', async (t) => {
  const { page, seen, context } = await openPage(browser, farm.url);
  const began = Date.now();
  await page.goto('/');

  await t.test('a wrong token is refused with a message', async () => {
    await page.getByLabel('Access token').fill('vvc_not-a-token');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The server does not know this token.').waitFor();
    assert.deepEqual(await axe(page), []);
  });
  await t.test('the owner token opens the empty page', async () => {
    await page.getByLabel('Access token').fill(farm.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Drop an Nsight Systems report here' }).waitFor();
    assert.deepEqual(await axe(page), []);
    assert.equal(await page.evaluate((token) => JSON.stringify(localStorage).includes(token) || document.cookie.includes(token), farm.token), false, 'the token is kept nowhere in the page');
  });
  await t.test('a dropped report is imported, with its report', async () => {
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'prefill.csv', { lastModified: 1 }));
      return transfer;
    }, report(3000));
    await page.dispatchEvent('h1', 'dragenter', { dataTransfer: data });
    await page.getByText('Drop to upload').waitFor();
    await page.dispatchEvent('h1', 'drop', { dataTransfer: data });
    await page.getByRole('link', { name: 'See the profile' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/upload');
    await page.locator('.report', { hasText: /accepted\s+3000\s+launches of 3\s+kernels/ }).waitFor();
    await page.locator('.report', { hasText: /ignored 30: memory copies/ }).waitFor();
    await shot(page, 'real-upload');
  });
  await t.test('the profile shows where the time goes', async () => {
    await page.getByRole('link', { name: 'See the profile' }).click();
    await page.getByRole('button', { name: HOSTILE }).waitFor();
    await settled(page);
    await becomes(() => page.locator('table.rows').first().locator('tbody tr').count(), 3);
    await page.getByRole('button', { name: HOSTILE }).click();
    await page.waitForFunction(() => location.search.includes('kernel='));
    await page.getByText(/launches in 120 bins/).waitFor();
    assert.equal(await page.evaluate(() => window.hit), undefined, 'a kernel name ran as a script');
    await shot(page, 'real-profile');
  });
  await t.test('a plan at 5 %', async () => {
    await page.getByRole('button', { name: 'Plan' }).click();
    await page.getByLabel('Error at most').fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click();
    await page.waitForURL(/\/plans\//);
    await page.locator('h1', { hasText: /at most 5\s% error, 95\s% of the time/ }).waitFor();
    await page.locator('.picture svg.plot').first().waitFor();
    await page.locator('.scoring').waitFor({ state: 'detached', timeout: patience(SIMULATION_MS) }); // the server scores all methods, which takes longer on a loaded machine
    await settled(page);
    const plan = await farm.api('GET', `/plans/${page.url().split('/').pop()}`);
    await becomes(() => page.locator('.strip data').first().getAttribute('value'), String(plan.speedup), 'the strip has the full precision of the API');
    await becomes(() => page.locator('.picture svg.plot').count(), 1);
    await shot(page, 'real-plan');
  });
  await t.test('run on two designs with engine replay', async () => {
    await page.getByRole('button', { name: 'Run on…' }).click();
    await page.getByRole('checkbox', { name: /^v100 / }).check();
    await page.getByRole('checkbox', { name: /^h100 / }).check();
    await page.getByText('baseline', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'replay' }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/runs\//);
    await page.locator('.barwords', { hasText: /^Run finished/ }).waitFor({ timeout: patience(SIMULATION_MS) });
    await settled(page);
  });
  await t.test('the projection has its interval, and equals that of the API', async () => {
    const id = new URL(page.url()).pathname.split('/').pop();
    const run = await farm.finished(id);
    const p = run.designs[0].projection;
    // The event for the end of a run may come before the page has read its projection.
    await page.locator(`.strip data[value="${p.value_s}"]`).waitFor();
    await page.locator('.strip', { hasText: /Projected time, v100\s*[\d.]+\s*± [\d.]+ (µs|ms|s)/ }).waitFor();
    await page.getByRole('button', { name: 'h100', exact: true }).click();
    await page.waitForFunction(() => location.search === '?design=h100');
    await page.getByText(/paired on \d+\ssamples, not distinguishable/).waitFor(); // the replay engine gives the same values for both designs
    await page.reload();
    await page.getByRole('button', { name: 'h100', exact: true, pressed: true }).waitFor(); // the address restores the view
    await settled(page);
    await shot(page, 'real-run');
    const profile = await farm.api('GET', `/plans/${run.plan}`);
    const truth = Number(profile.total) / 1e9;
    assert.ok(Math.abs(p.value_s - truth) < 4 * p.half_width_s, `replay projects what was measured: ${p.value_s} ± ${p.half_width_s}, measured ${truth}`);
  });
  await t.test('page, --json and CSV have the same numbers to the last digit', async () => {
    const id = new URL(page.url()).pathname.split('/').pop();
    const said = JSON.parse(execFileSync(program('vivace'), ['run', 'show', id, '--json'], { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } }));
    const h100 = said.run.designs.find((d) => d.design === 'h100').projection;
    await becomes(() => page.locator('.strip data').first().getAttribute('value'), String(h100.value_s));
    const rows = parsed(await farm.api('GET', `/runs/${id}/strata?design=h100&format=csv`));
    assert.ok(rows.length >= 3);
    for (const row of rows) {
      const cells = page.getByRole('table', { name: 'Strata of the run' }).locator('tbody tr', { has: page.getByRole('cell', { name: `S${row.stratum}`, exact: true }) }).locator('data');
      const numbers = ['population', 'mean_s', 'total_s', 'share_of_time', 'share_of_doubt'].map((column) => Number(row[column]));
      await until(`stratum ${row.stratum} to show ${numbers}`, () => cells.evaluateAll((all) => all.map((el) => Number(el.getAttribute('value')))), (shown) => numbers.every((n) => shown.includes(n)));
    }
  });
  t.diagnostic(`from an empty farm to the projection: ${Math.round((Date.now() - began) / 1000)} s`);
  assertClean(seen, [UNKNOWN_VISITOR]);
  await context.close();
});

test('without a report: the example, by clicks, with its traces', { skip: existsSync(join(build, 'examples/tiny-gpt.vtrace')) ? false : 'no build/examples: `make examples`' }, async (t) => {
  const visitors = await startFarm({ workers: 2, args: ['--test-web-dir', WEB_DIR, '--test-examples', join(build, 'examples')] });
  const { page, seen, context } = await openPage(browser, visitors.url);
  const began = Date.now();
  t.after(async () => {
    await context.close();
    await visitors.stop();
  });
  await page.goto('/');
  await page.getByLabel('Access token').fill(visitors.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Load the example tiny-gpt' }).waitFor();
  await settled(page);
  await shot(page, 'real-empty');
  await page.getByRole('button', { name: 'Load the example tiny-gpt' }).click();
  await page.getByRole('link', { name: 'See the profile' }).click();
  await page.getByRole('button', { name: 'Plan' }).click();
  await page.getByLabel('Error at most').fill('5');
  await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click();
  await page.waitForURL(/\/plans\//);
  await page.getByRole('button', { name: 'Run on…' }).click();
  await page.getByRole('checkbox', { name: /^v100 / }).check();
  await page.getByRole('checkbox', { name: /^h100 / }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/runs\//);
  await page.locator('.barwords', { hasText: /^Run finished/ }).waitFor({ timeout: patience(SIMULATION_MS) });
  await page.locator('.strip', { hasText: /Projected time, v100\s*[\d.\s]+\s*± [\d.]+ (µs|ms|s)/ }).waitFor();
  await settled(page);
  await shot(page, 'real-example');
  console.log(`# from an empty farm to the projection of the example: ${Math.round((Date.now() - began) / 1000)} s`);
  assertClean(seen, [UNKNOWN_VISITOR]);
});

test('the farm page lists both workers', async () => {
  const { page, context } = await enter(browser, farm);
  await page.goto('/farm');
  await page.getByRole('table', { name: 'Workers' }).locator('tbody tr').nth(1).waitFor();
  await settled(page);
  await becomes(() => page.getByRole('table', { name: 'Workers' }).locator('tbody tr').count(), 2);
  await shot(page, 'real-farm');
  assert.deepEqual(await axe(page), []);
  await context.close();
});

test('a wrong file is refused with its type and what to do', async () => {
  const { page, seen, context } = await enter(browser, farm);
  const path = join(farm.folder, 'notes.txt');
  writeFileSync(path, 'dear diary\n'.repeat(500));
  await page.goto('/');
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.locator('.transfer .trouble').waitFor();
  const text = await page.locator('.transfer .trouble', { hasText: /\S.{40}/ }).innerText();
  assert.ok(!text.includes(farm.folder), `a path of the server is shown: ${text}`);
  await shot(page, 'real-wrong-file');
  assertClean(seen, [UNKNOWN_VISITOR]);
  await context.close();
});

test('an upload that loses the server continues where it stopped', async () => {
  const { page, context } = await enter(browser, farm);
  const path = join(farm.folder, 'long.csv');
  const text = report(200000);
  writeFileSync(path, text);
  assert.ok(text.length > 2 * 8388608, `two pieces and more: ${text.length}`);
  // Piece 2 is held back. The server stops while piece 2 is being sent, and starts again after the page has reported the lost
  // connection.
  let gone = null, back = () => {};
  const restarted = new Promise((r) => { back = r; });
  await page.route(/\/pieces\/2$/, async (route) => {
    if (gone) return (await restarted, route.continue());
    gone = farm.kill('SIGTERM');
    return route.abort();
  });
  await page.goto('/');
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByText('connection lost, trying again').waitFor(); // two pieces are sent before piece 2
  await gone;
  await farm.start();
  back();
  await page.getByRole('link', { name: 'See the profile' }).waitFor({ timeout: patience(RECONNECT_MS) });
  await page.locator('.report', { hasText: /200\s000\s+launches/ }).waitFor();
  await context.close();
});

test('every page of the real farm passes axe in both themes, and fits 390 px', async () => {
  const [workload] = (await farm.api('GET', '/workloads')).items.filter((w) => w.latest_run);
  const detail = await farm.api('GET', `/workloads/${workload.id}`);
  const { page, seen, context } = await enter(browser, farm);
  for (const address of ['/', '/upload', `/workloads/${workload.id}`, `/profiles/${workload.profile.id}`, '/plans', `/plans/${detail.plans[0].id}`, '/runs', `/runs/${detail.runs.at(-1).id}`, '/farm', '/nothing']) {
    await page.goto(address);
    await settled(page);
    assert.deepEqual(await axe(page), [], address);
    await page.keyboard.press('d');
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    assert.deepEqual(await axe(page, ['color-contrast', 'link-in-text-block']), [], `${address}, dark`);
    await page.keyboard.press('d');
    await page.keyboard.press('d'); // the theme of the system again
    await page.setViewportSize({ width: 390, height: 800 });
    await settled(page);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth); // otherwise the page scrolls sideways
    await shot(page, `real-390-${address.split('/')[1] || 'workloads'}-${address.split('/').length > 2 ? 'one' : 'all'}`);
    await page.setViewportSize({ width: 1400, height: 1000 });
  }
  assertClean(seen, [UNKNOWN_VISITOR]);
  await context.close();
});
