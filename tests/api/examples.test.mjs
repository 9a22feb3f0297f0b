// The large example from its CUDA kernels to a projection, without a farm: it is run and checked, profiled and planned, and
// only drawn launches are traced. The projection is compared with a simulation of every launch.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, root } from './harness.mjs';

const LIST = join(root, 'examples/tiny-gpt/launches.json');
let folder, profile;
const cli = (...args) => JSON.parse(execFileSync(program('vivace'), [...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 }));

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-examples-'));
  profile = join(folder, 'tiny-gpt.csv');
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('tiny-gpt gives the same results as plain C', () => {
  const run = cli('ptx', 'run', LIST, '--check', '--profile', profile);
  assert.ok(run.launches.length >= 2000);
  assert.deepEqual(run.expect.map((x) => [x.what, x.good]), [['tokens', true], ['logits', true]]);
});

test('a twentieth of tiny-gpt projects the total within the interval', { timeout: 300000 }, () => {
  const plan = join(folder, 'plan.json'), drawn = join(folder, 'drawn.vtrace');
  execFileSync(program('vivace'), ['plan', profile, '--method', 'vivace', '--budget', '5%', '--seed', '1', '--out', plan], { stdio: 'ignore' });
  const traced = cli('ptx', 'run', LIST, '--plan', plan, '--trace', drawn);
  const sampled = cli('simulate', drawn, '--gpu', 'v100', '--plan', plan);
  const counts = traced.launches.filter((l) => l.timing).reduce((n, l) => n + l.warp_instructions, 0);
  const all = traced.launches.reduce((n, l) => n + l.warp_instructions, 0);
  assert.ok(counts / all < 0.055, `${counts} of ${all} warp instructions were traced`);

  const whole = cli('ptx', 'run', LIST, '--gpu', 'v100');
  const cycles = whole.launches.reduce((n, l) => n + l.timing.cycles, 0);
  const [projected] = sampled.projections;
  assert.ok(Math.abs(projected.value_cycles - cycles) <= projected.half_width_cycles,
    `${projected.value_cycles} ± ${projected.half_width_cycles}, in truth ${cycles}`);
  assert.ok(projected.half_width_cycles < 0.4 * cycles, 'an interval narrower than the total');
});

test('with a pilot, the intervals are as wide as promised and contain the simulation of all launches in order', { timeout: 600000 }, () => {
  const plan = join(folder, 'pilot.json'), traces = join(folder, 'all.vtrace');
  cli('ptx', 'run', LIST, '--trace', traces);
  const full = cli('simulate', traces, '--gpu', 'v100', '--streams', 'serial', '--caches', 'kept').timelines[0];
  const truth = full.launches.reduce((n, l) => n + l.cycles, 0);
  const wide = { false: 0, true: 0 }, width = { ...wide }, holds = { ...wide }, drawn = { ...wide };
  for (let seed = 1; seed <= 5; seed++)
    for (const pilot of [false, true]) {
      const made = cli('plan', traces, '--error', '2%', '--seed', `${seed}`, ...(pilot ? ['--pilot', 'v100'] : []));
      writeFileSync(plan, JSON.stringify(made));
      const [p] = cli('simulate', traces, '--gpu', 'v100', '--plan', plan).projections;
      const ofPromise = p.half_width_cycles / (made.promised_error * truth);
      wide[pilot] += ofPromise > 1;
      width[pilot] += ofPromise;
      holds[pilot] += Math.abs(p.value_cycles - truth) <= p.half_width_cycles;
      drawn[pilot] = made.strata.filter((s) => s.kernel === 'attention_combine').reduce((n, s) => n + s.samples, 0);
      assert.equal(made.unit, pilot ? 'cycles' : 'warp_instructions');
    }
  assert.ok(wide.true === 0 && wide.false >= 3, JSON.stringify(width));
  assert.ok(width.true < 0.4 * width.false, JSON.stringify(width));
  assert.ok(holds.true >= 4, JSON.stringify(holds));
  assert.ok(drawn.true > 1.5 * drawn.false, JSON.stringify(drawn));
});
