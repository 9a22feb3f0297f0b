// The answer of a run, with its interval, in the list of runs, in the list of its workload and in the title of its page.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, sharedData } from '../../../tests/api/harness.mjs';
import { ScriptedWorker } from '../../../tests/api/scripted_worker.mjs';
import { change, estimate, timeEstimate } from '../../ui/format.js';
import { assertClean, enter, settled, shot, stage, test } from '../harness.mjs';

const TRACES = sharedData('traces/pytorch-sgd-v100.tar.zst');
const { browser, farm } = TRACES ? await stage({ mock: false, farm: { args: ['--test-dead-after', '15min'] } }) : { browser: null, farm: null };
const plain = (text) => text.replaceAll(/\s+/g, ' ');

test('runs of a real profile: projection, interval, difference and title say what the API says', { skip: TRACES ? false : 'no recorded traces beside the project' }, async () => {
  const env = { ...process.env, XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'vivace-answers-')), VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token };
  const cli = (...args) => execFileSync(program('vivace'), args, { env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 }).toString();
  const { profile } = JSON.parse(cli('push', TRACES, '--workload', 'pytorch-sgd', '--json'));
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  cli('push', TRACES, '--plan', plan.id);
  const started = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], engine: 'cycle', cache_check: 0 });
  const worker = await new ScriptedWorker(farm, { slots: 16 }).open();
  await worker.drain((l) => Math.round((20000 + ((l.launch * 7919) % 400)) * (l.design_name === 'h100' ? 0.9 : 1)));
  const run = await farm.finished(started.id), [v100, h100] = run.designs;
  const { page, seen, context } = await enter(browser, farm);
  const difference = change(h100.baseline.ratio - 1, h100.baseline.ratio_half_width);
  for (const address of ['/runs', `/workloads/${run.workload}`]) {
    await page.goto(address);
    await settled(page);
    const row = plain(await page.locator(`tr[data-row="${run.id}"]`).innerText());
    for (const part of [...run.designs.map((d) => estimate(timeEstimate(d.projection.value_s, d.projection.half_width_s))), estimate(difference), 'vivace']) assert.ok(row.includes(plain(part)), `${address}: ${row} has no ${part}`);
  }
  await shot(page, 'answers');
  await page.goto(`/runs/${run.id}`);
  await settled(page);
  const title = plain(await page.locator('h1').innerText()), words = `pytorch-sgd on v100, h100: h100 ${estimate({ ...difference, value: difference.value.replace('\u2212', '') })} faster`;
  assert.equal(title.startsWith(plain(words)) || /not distinguishable|could reverse/.test(title), true, title);
  assert.equal(h100.baseline.distinguishable, title.startsWith(plain(words)), title);
  const strip = await page.locator('.strip').innerText();
  assert.doesNotMatch(strip, /Failed|Left/, 'what does not apply');
  assert.ok(v100.baseline === null && /Best: h100/.test(strip), strip);
  assertClean(seen);
  await context.close();
});
