// Runs whose launches may be projected inside: their errors, their keys, and refused requests. The program has launches of
// many waves on a small GPU, whose CTAs differ.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';

// Each CTA takes steps[CTA mod 64] turns: of two sizes, in no order.
const ptx = `.version 7.0
.target sm_61
.address_size 64
.visible .entry uneven(.param .u64 steps, .param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<10>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [steps];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %ctaid.x;
	and.b32 %r2, %r1, 63;
	mul.wide.u32 %rd3, %r2, 4;
	add.s64 %rd4, %rd1, %rd3;
	ld.global.u32 %r3, [%rd4];
	mov.f32 %f1, 0f3F800000;
	mov.u32 %r4, 0;
LOOP:
	fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3A83126F;
	fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3A83126F;
	fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3A83126F;
	add.u32 %r4, %r4, 1;
	setp.lt.u32 %p1, %r4, %r3;
	@%p1 bra LOOP;
	mov.u32 %r5, %ntid.x;
	mov.u32 %r6, %tid.x;
	mad.lo.s32 %r7, %r1, %r5, %r6;
	mul.wide.u32 %rd5, %r7, 4;
	add.s64 %rd6, %rd2, %rd5;
	st.global.f32 [%rd6], %f1;
	ret;
}
`;

/** Writes module and list; `grids`: CTAs of each launch. Returns the list's path. */
function unevenProgram(folder, grids) {
  const steps = Array.from({ length: 64 }, (_, i) => ((i * 37) % 64 < 40 ? 20 : 45));
  writeFileSync(join(folder, 'uneven.ptx'), ptx);
  writeFileSync(join(folder, 'launches.json'), JSON.stringify({
    format: 'vivace-launch-list', version: 1, modules: { m: 'uneven.ptx' },
    buffers: { steps: { type: 'u32', init: { values: steps } }, out: { type: 'f32', count: 64 * Math.max(...grids) } },
    steps: grids.map((n) => ({ launch: { kernel: 'uneven', grid: [n], block: [64], params: [{ ptr: 'steps' }, { ptr: 'out' }] } })),
  }));
  return join(folder, 'launches.json');
}

let farm, folder, profile, bare, plan, inside, whole, truth;
const path = (name) => join(folder, name);
const start = (on, more) => farm.api('POST', `/plans/${on.id}/runs`, { designs: ['gtx1050', 'rtx2060'], cache_check: 0, ...more });
const ended = (id) => until('the end of the run', async () => { const r = await farm.api('GET', `/runs/${id}`); return ['done', 'failed'].includes(r.state) && r; }, 120000);
const refused = (promise, status, pattern) => assert.rejects(promise, (e) => e.status === status && pattern.test(e.message), String(pattern));
const env = () => ({ ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token });
const vivace = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', env: env() });
const json = (...args) => JSON.parse(execFileSync(program('vivace'), [...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }));

async function send(trace, name) {
  const p = await farm.profile(readFileSync(path('p.csv')), { name: 'p.csv', workload: name });
  await farm.request('POST', `/profiles/${p.id}/traces?name=t.vtrace`, readFileSync(trace), { 'Content-Type': 'application/octet-stream' });
  return p;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-inside-'));
  chmodSync(folder, 0o755);
  const list = unevenProgram(folder, Array.from({ length: 12 }, (_, i) => 4800 + 160 * (i % 3)));
  execFileSync(program('vivace'), ['ptx', 'run', list, '--profile', path('p.csv'), '--trace', path('t.vtrace')]);
  execFileSync(program('vivace'), ['trace', 'convert', path('t.vtrace'), path('bare.vtrace'), '--no-caches']);
  truth = json('simulate', path('t.vtrace'), '--gpu', 'gtx1050').totals[0].cycles;
  farm = await startFarm({ workers: 1 });
  profile = await send(path('t.vtrace'), 'uneven');
  bare = await send(path('bare.vtrace'), 'uneven, without images');
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.5, seed: 1 });
}, { timeout: 300000 });
after(async () => { await farm?.stop(); rmSync(folder, { recursive: true, force: true }); });

test('results report that they are projected, and their error; they never replace full simulations', { timeout: 300000 }, async () => {
  inside = await ended((await start(plan, { inside_kernels: 0.04 })).id);
  assert.equal(inside.inside_kernels, 0.04);
  const [small, large] = inside.designs, p = small.projection;
  assert.deepEqual([inside.state, p.done, p.projected_inside], ['done', 6, 6]);
  const { items } = await farm.api('GET', `/runs/${inside.id}/jobs?design=gtx1050`);
  const result = await farm.api('GET', `/results/${items[0].result}`), said = result.projected;
  assert.equal(said.method, 'stable');
  const far = Math.max(result.cycles - said.low_cycles, said.high_cycles - result.cycles);
  assert.ok(Math.abs(said.standard_error_cycles - far / 1.959964) < 1, JSON.stringify(said));
  assert.ok((said.high_cycles - said.low_cycles) / 2 <= 0.0401 * result.cycles, 'no wider than the run allows');
  whole = await ended((await start(plan)).id);
  assert.deepEqual([whole.inside_kernels, whole.cached, whole.designs[0].projection.projected_inside], [null, 0, 0], 'simulated, not taken from the other run');
  assert.ok(whole.designs[0].projection.half_width < p.half_width, 'the error inside is in the interval');
  assert.equal((await start(plan, { inside_kernels: 0.04 })).cached, 12, 'the result of the same request is known');
  assert.equal((await start(plan, { inside_kernels: 0.05 })).cached, 0, 'another one is not');
  assert.ok(large.projection.value > 0);
});

test('the interval contains the simulation of all launches, for each of these samples', { timeout: 300000 }, async () => {
  for (let seed = 2; seed < 8; seed++) {
    const other = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.4, seed });
    const { designs: [{ projection: p }] } = await ended((await start(other, { designs: ['gtx1050'], inside_kernels: 0.04 })).id);
    assert.ok(Math.abs(p.value - truth) <= p.half_width, `seed ${seed}: ${p.value} ± ${p.half_width}, whole ${truth}`);
    assert.ok(p.half_width < 0.2 * truth, 'and says something');
  }
});

test('the farm gives the same result as `vivace simulate --project`', { timeout: 300000 }, async () => {
  writeFileSync(path('plan.json'), JSON.stringify(await farm.api('GET', `/plans/${plan.id}/file`)));
  const here = json('simulate', path('t.vtrace'), '--plan', path('plan.json'), '--gpu', 'gtx1050,rtx2060', '--project', 'stable:4%');
  inside.designs.forEach(({ projection: p }, i) => {
    assert.ok(Math.abs(p.value_s / here.projections[i].value_s - 1) < 1e-9);
    assert.ok(Math.abs(p.half_width_s / here.projections[i].half_width_s - 1) < 1e-9, `${p.half_width_s}, here ${here.projections[i].half_width_s}`);
    assert.equal(p.projected_inside, here.projections[i].projected_inside);
  });
  assert.ok(Math.abs(inside.designs[1].baseline.half_width_s / here.comparison[0].half_width_s - 1) < 1e-9);
});

test('every view has the same numbers and shows how many are projected', async () => {
  const [p, q] = inside.designs.map((d) => d.projection), count = p.projected_inside + q.projected_inside;
  const { base, items: [side] } = await farm.api('GET', `/compare?base=${inside.id}:gtx1050&with=${inside.id}:rtx2060`);
  assert.deepEqual([base.projected_inside, side.projected_inside], [p.projected_inside, q.projected_inside]);
  const { items: [item] } = await farm.api('GET', `/runs/${inside.id}/compare`), answer = inside.designs[1].baseline;
  for (const x of [side, item]) {
    assert.ok(Math.abs(x.half_width_s / answer.half_width_s - 1) < 1e-9);
    assert.equal(x.distinguishable, answer.distinguishable);
  }
  assert.equal(item.projected_inside, count);
  const csv = await (await farm.request('GET', `/compare?base=${inside.id}:gtx1050&with=${inside.id}:rtx2060&format=csv`)).text();
  const [head, first] = csv.split('\r\n').map((l) => l.split(','));
  assert.equal(first[head.indexOf('projected_inside')], String(p.projected_inside));
  assert.match(vivace('run', 'show', inside.id), new RegExp(`${count} of 12 results are projected inside their launches, each with an interval of ± 4(\\.0)? %`));
  assert.match(vivace('projection', inside.id, '--csv'), /projected_inside/);
  const metrics = await farm.api('GET', `/runs/${inside.id}/metrics`);
  assert.ok(metrics.designs[0].metrics.every((m) => m.half_width === null), 'of counters the error is not known');
  const across = await farm.api('GET', `/compare?base=${whole.id}:gtx1050&with=${inside.id}:gtx1050`);
  assert.ok(Math.abs(across.items[0].difference_s) <= across.items[0].half_width_s, 'the same design: no difference beyond the error');
  const estimate = await farm.api('GET', `/runs/${inside.id}/estimate?bootstrap=true`);
  assert.ok(Math.abs(estimate.designs[0].half_width / p.half_width - 1) < 1e-9);
  assert.match(JSON.stringify(estimate.designs[0].bootstrap), /projected inside/);
});

test('a launch whose cache state is unknown is simulated in full, and has a bound', { timeout: 300000 }, async () => {
  const p = await farm.api('POST', `/profiles/${bare.id}/plans`, { method: 'srs', share: 0.2, seed: 1 });
  const r = await ended((await start(p, { designs: ['gtx1050'], inside_kernels: 0.04 })).id), { projection } = r.designs[0];
  assert.deepEqual([projection.projected_inside, projection.empty_caches], [0, projection.done]);
  assert.ok(projection.warm_bound.value > 0);
});

test('an extension keeps the setting, and refuses one that cannot be kept', { timeout: 300000 }, async () => {
  const few = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', share: 0.3, seed: 9 });
  const r = await ended((await start(few, { designs: ['gtx1050'], inside_kernels: 0.04 })).id);
  await refused(farm.api('POST', `/runs/${r.id}/extend`, { until: 0.05 }), 422, /must be at most 2\.5 %/);
  await farm.api('POST', `/runs/${r.id}/extend`, { until: 0.09 });
  const more = await ended(r.id);
  assert.equal(more.inside_kernels, 0.04);
  assert.equal(more.designs[0].projection.projected_inside, more.designs[0].projection.done);
  await refused(start(plan, { inside_kernels: 0.04, until: 0.05 }), 422, /`inside_kernels` is 4 %; it must be at most 2\.5 %/);
  await refused(start(plan, { inside_kernels: 0.04, resolve: 0.2 }), 422, /cannot resolve differences/);
  for (const wrong of [0.005, 0.09, -1]) await refused(start(plan, { inside_kernels: wrong }), 422, /`inside_kernels` must be from 0.01 \(1 %\) to 0.08/);
  await refused(farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', inside_kernels: 0.04 }), 422, /needs simulations, and a replay has none/);
  const { status, stderr } = spawnSync(program('vivace'), ['run', plan.id, '--gpu', 'gtx1050', '--inside-kernels', '4%', '--until', '5%'], { encoding: 'utf8', env: env() });
  assert.ok(status !== 0 && /half of the run's target error/.test(stderr), stderr);
});

test('a run that is restarted with another simulator keeps the setting and its keys', { timeout: 600000 }, async () => {
  const { id } = await start(plan, { designs: ['v100'], inside_kernels: 0.03 });
  await farm.api('POST', `/runs/${id}/pause`);
  farm.psql(`UPDATE run SET simulator = '0.0.1' WHERE id = '${id}'`);
  const r = await farm.api('POST', `/runs/${id}/restart`, { simulator: 'new' });
  assert.equal(r.inside_kernels, 0.03);
  const keys = (inside) => farm.psql(`SELECT count(*) FROM job j JOIN run r ON r.id = j.run_id JOIN run_design d ON d.run_id = r.id WHERE r.id = '${id}' AND j.key = result_key_cycle(j.trace_sha256, d.design_sha256, r.simulator${inside})`).trim();
  assert.deepEqual([keys(', 0.03'), keys(', 0'), keys('')], ['6', '0', '0']);
  assert.equal(farm.psql("SELECT result_key_cycle('a', 'b', 'c', 0) = result_key_cycle('a', 'b', 'c')").trim(), 't', 'keys of full simulations have not changed');
  await farm.api('POST', `/runs/${id}/cancel`);
});

test('a launch that was not simulated to its end has no series', async () => {
  const { items } = await farm.api('GET', `/runs/${inside.id}/jobs?design=gtx1050`);
  await refused(farm.api('POST', `/results/${items[0].result}/series`, {}), 409, /projected inside its launch/);
  assert.equal(farm.psql('SELECT count(*) FROM result WHERE projected_error IS NOT NULL AND inside_kernels = 0').trim(), '0');
});
