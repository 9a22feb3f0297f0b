// The projection of a run by part: the numbers of `vivace simulate --by`, and the parts add up to the total.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { program, sharedData, startFarm } from './harness.mjs';
import { writeTextTraces } from './text_traces.mjs';

let farm, folder;
const path = (name) => join(folder, name);
const env = () => ({ ...process.env, XDG_CONFIG_HOME: folder, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token });
const vivace = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: env(), maxBuffer: 1 << 26 });
const domains = (run, by) => farm.api('GET', `/runs/${run.id}/domains?by=${by}`);
const refused = (promise, status, pattern) => assert.rejects(promise, (e) => e.status === status && pattern.test(e.message), String(pattern));
const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.abs(b), `${what}: ${a}, not ${b}`);

function addsUp(design) {
  const sum = (member) => design.parts.reduce((all, p) => all + p[member], 0);
  near(sum('value'), design.value, 'the parts');
  near(sum('share'), 1, 'the shares');
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-domains-'));
  farm = await startFarm({ workers: 1 });
});
after(async () => {
  await farm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('by class, a run has the same numbers as `vivace simulate --by`', { timeout: 120000 }, async () => {
  // three classes, and strata of `srs` that hold several of them
  writeTextTraces(path('t.tar.zst'), 40, Object.fromEntries([3, 13, 23, 33].map((i) => [i, { name: 'copy_kernel' }])));
  const { profile } = JSON.parse(vivace('push', path('t.tar.zst'), '--json'));
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'srs', share: 0.5, seed: 2 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs: ['v100', 'h100'] });
  const [none] = (await domains(run, 'class')).designs;
  assert.deepEqual([none.value, ...none.parts.map((p) => p.value ?? p.share ?? p.half_width)], [null, null, null, null], 'no results yet');
  assert.match(vivace('run', 'show', run.id, '--by', 'class'), /– +(too few results|not known) +– +\d+ +0 +copy\n/);
  vivace('push', path('t.tar.zst'), '--plan', plan.id);
  await farm.finished(run.id);
  writeFileSync(path('plan.json'), JSON.stringify(await farm.api('GET', `/plans/${plan.id}/file`)));
  const here = JSON.parse(vivace('simulate', path('t.tar.zst'), '--gpu', 'v100,h100', '--plan', path('plan.json'), '--profile', path('t.tar.zst'), '--by', 'class', '--json'));
  const { kind, designs } = await domains(run, 'class');
  assert.deepEqual([kind, designs.length], ['class', 2]);
  designs.forEach((d, i) => {
    const alone = here.projections[i].domains.parts;
    assert.deepEqual(d.parts.map((p) => p.name).sort(), ['copy', 'embedding', 'other']);
    assert.equal(d.parts.length, alone.length);
    d.parts.forEach((p, k) => {
      assert.deepEqual([p.name, p.launches, p.results, p.few_results], [alone[k].name, alone[k].launches, alone[k].results, alone[k].few_results]);
      near(p.value, alone[k].value_cycles, p.name);
      near(p.value_s, alone[k].value_s, p.name);
      assert.equal(p.half_width === null, alone[k].half_width_cycles === null);
      if (p.half_width !== null) near(p.half_width, alone[k].half_width_cycles, p.name);
    });
    assert.deepEqual(d.parts.map((p) => [p.name, p.few_results, p.half_width === null]).sort(), [['copy', true, true], ['embedding', true, true], ['other', false, false]]);
    addsUp(d);
  });
  const [v100, h100] = designs;
  assert.deepEqual(v100.parts.map((p) => [p.ratio, p.paired_on, p.distinguishable]), v100.parts.map(() => [null, null, false]), 'the baseline');
  h100.parts.forEach((p, k) => {
    near(p.ratio, p.value_s / v100.parts[k].value_s, `the ratio of ${p.name}`);
    assert.deepEqual([p.paired_on, p.ratio_half_width === null], [p.results, p.few_results]);
  });
  const other = await farm.api('GET', `/runs/${run.id}/domains?by=class&baseline=h100`), at = h100.parts.findIndex((p) => !p.few_results);
  near(other.designs[0].parts[at].ratio, 1 / h100.parts[at].ratio, 'the other way');
  near(1 - other.ratio_level, 0.05 / 3, 'three ratios share the level');
  const [head, ...rows] = (await farm.api('GET', `/runs/${run.id}/domains?by=class&format=csv`)).trim().split('\n').map((l) => l.split(','));
  const cell = (row, name) => row[head.indexOf(name)];
  assert.deepEqual(rows.map((r) => [cell(r, 'design'), cell(r, 'name'), Number(cell(r, 'value_s'))]),
    designs.flatMap((d) => d.parts.map((p) => [d.design, p.name, p.value_s])), 'a row for each design and part');
  await refused(farm.api('GET', `/runs/${run.id}/domains?by=class&baseline=a100`), 404, /no design `a100`/);
  const shown = vivace('run', 'show', run.id, '--by', 'class');
  assert.match(shown, /\n *total +interval +of v100 +share +launches +results +class\n/);
  assert.match(shown, /v100 by class; the rows add up to the whole:\n/);
  assert.match(shown, /too few results +\S+ % +4 +\d+ +copy\n/);
  assert.match(shown, /Without an interval: 2 rows with fewer than 10 results\./);
  assert.deepEqual(JSON.parse(vivace('run', 'show', run.id, '--by', 'class', '--json')).domains, await domains(run, 'class'));
  assert.equal(JSON.parse(vivace('run', 'show', run.id, '--json')).domains, undefined);
  await refused(domains(run, 'layer'), 422, /the profile has no layers: no range encloses its launch calls/);
  await refused(domains(run, 'rank'), 422, /the profile has one rank: all launches ran in one process on one GPU/);
  await refused(domains(run, 'colour'), 400, /`colour` is not a kind of part of a workload/);
  await refused(farm.api('GET', `/runs/${run.id}/domains`), 400, /`by` is missing/);
  const wrong = spawnSync(program('vivace'), ['run', 'show', run.id, '--by', 'colour'], { encoding: 'utf8', env: env() });
  assert.deepEqual([wrong.status, wrong.stdout], [64, '']);
  assert.match(wrong.stderr, /`colour` is not a kind of part/);
});

test('by phase and step, from the stored ranges; a link that hides names hides these too', { timeout: 120000 }, async (t) => {
  const file = sharedData('kineto/train-v100-ns.json.gz');
  if (!file) return t.skip('kineto/train-v100-ns.json.gz is not here');
  const profile = await farm.profile(readFileSync(file), { name: basename(file) });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.05, seed: 1 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  const done = await farm.finished(run.id);
  const [phases] = (await domains(run, 'phase')).designs, [steps] = (await domains(run, 'step')).designs;
  assert.deepEqual(phases.parts.map((p) => p.name), ['backward', 'forward', 'optimizer']);
  assert.deepEqual(steps.parts.map((p) => p.name), ['101', '102', '103', '104', '105']);
  assert.equal(phases.parts.reduce((n, p) => n + p.launches, 0), profile.launches - (profile.zero_launches ?? 0));
  for (const d of [phases, steps]) {
    addsUp(d);
    assert.deepEqual([d.value, d.half_width], [done.designs[0].projection.value, done.designs[0].projection.half_width]);
  }
  assert.ok(phases.parts[0].half_width > 0 && !phases.parts[0].few_results);
  const made = await farm.api('POST', '/shares', { kind: 'run', object: run.id, name: 'hidden', hide_names: true });
  const r = await fetch(`${farm.url}/api/v1/runs/${run.id}/domains?by=phase`, { headers: { Authorization: `Bearer ${made.url.slice(3)}` } });
  const hidden = await r.json();
  assert.equal(r.status, 200);
  assert.equal(hidden.kind, 'phase');
  assert.deepEqual(hidden.designs[0].parts.map((p) => p.value), phases.parts.map((p) => p.value));
  for (const p of hidden.designs[0].parts) assert.match(p.name, /^x-[0-9a-f]{10}$/);
});
