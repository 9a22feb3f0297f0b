// Scripts for tracers, and the lists that tracers write, over the real server.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { program, root, startFarm } from './harness.mjs';

let farm, plan, profile;
const LAUNCHES = 240;
const launch = (i) => ({ name: i % 4 === 3 ? 'copy(int*)' : 'gemm<float>(float*)', grid: [1 + i % 4, 1, 1], block: [128, 1, 1] });

/** nsys's cuda_gpu_trace; two contexts; every 20th pair of calls is one graph of two kernels. */
function report() {
  const head = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
  const rows = Array.from({ length: LAUNCHES }, (_, i) => {
    const { name, grid, block } = launch(i);
    const call = i % 40 === 21 ? i : i + 1; // 20 and 21 share a correlation id
    return `${1000 * i + 5},${400 + (i * 37) % 101},${call},${grid},${block},16,0.000,0.000,,,,,Some GPU (0),1,7,"${name}"`;
  });
  rows.push(`${1000 * LAUNCHES},900,1,1,1,1,32,1,1,16,0.000,0.000,,,,,Some GPU (1),2,9,"other()"`);
  return `${head}\n${rows.join('\n')}\n`;
}
const graph = (i) => i % 40 === 20 || i % 40 === 21;
const header = 'kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, block_dimY, block_dimZ, #threads, total_insts, total_reported_insts';
/** What Accel-Sim's tracer writes: no kernels of graphs. */
const stats = (change = (l) => l) => `${header}\n${Array.from({ length: LAUNCHES }, (_, i) => i).filter((i) => !graph(i)).map((i, n) => {
  const l = change({ ...launch(i), n });
  return `kernel-${n + 1}.trace.xz, ${l.name}, ${l.grid.join(', ')}, ${l.grid[0]}, ${l.block.join(', ')}, ${l.block[0]}, 0,0`;
}).join('\n')}\n`;

before(async () => {
  farm = await startFarm();
  profile = await farm.profile(Buffer.from(report()), { name: 'report.csv', workload: 'traced' });
  plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.02, seed: 1 });
});
after(async () => { await farm?.stop(); });

const commands = (query, id = plan.id) => farm.request('GET', `/plans/${id}/trace-commands?${query}`);
const compare = (body, query = 'context=0', id = plan.id) => farm.api('POST', `/plans/${id}/launch-list?${query}`, body, { 'Content-Type': 'application/octet-stream' });

test('a script is available as text, or with data about it', async () => {
  const text = await commands('for=accel-sim&context=0');
  assert.equal(text.headers.get('content-type'), 'text/x-shellscript; charset=utf-8');
  assert.match(text.headers.get('content-disposition'), /^attachment; filename="accel-sim-[0-9a-f]{8}\.sh"$/);
  const script = await text.text();
  assert.ok(script.startsWith('#!/bin/sh\n'));
  const json = await (await commands('for=accel-sim&context=0&format=json')).json();
  assert.equal(json.script, script);
  const samples = (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items;
  const here = samples.filter((s) => s.context.index === 0);
  const replayed = here.filter((s) => graph(s.launch_order));
  assert.equal(json.samples, here.length - replayed.length);
  assert.equal(json.samples_replayed, replayed.length);
  assert.equal(json.samples_elsewhere, samples.length - here.length);
  assert.equal(json.launches, LAUNCHES - 12);
  assert.equal(json.contexts.length, 2);
  assert.equal(json.contexts[0].graph_launches, 12);
  assert.ok(json.notes.some((n) => /12 launches .* replays of CUDA graphs/.test(n)), json.notes.join('\n'));
  // The numbers that the tracer is given: from 1, without the kernels of graphs.
  const ids = /^pass 1 \d+ \d+ '([^']*)'/m.exec(script)[1].split(' ').flatMap((r) => {
    const [a, b] = r.split('-').map(Number);
    return Array.from({ length: (b ?? a) - a + 1 }, (_, k) => a + k);
  });
  const calls = Array.from({ length: LAUNCHES }, (_, i) => i).filter((i) => !graph(i));
  assert.deepEqual(ids.map((n) => calls[n - 1]), here.map((s) => s.launch_order).filter((o) => !graph(o)).sort((a, b) => a - b));
});

test('the script of the server runs: dry run, check, stop', async () => {
  const folder = join(farm.folder, 'tracing');
  mkdirSync(folder);
  writeFileSync(join(folder, 'report.csv'), report());
  writeFileSync(join(folder, 'plan.json'), await (await farm.request('GET', `/plans/${plan.id}/file`)).text());
  writeFileSync(join(folder, 'trace.sh'), await (await commands('for=accel-sim&context=0')).text());
  const calls = Array.from({ length: LAUNCHES }, (_, i) => i).filter((i) => !graph(i)).map(launch);
  writeFileSync(join(folder, 'launches'), calls.map((l) => `${l.name} ${l.grid.join(' ')} ${l.block.join(' ')}\n`).join(''));
  const env = { ...process.env, VIVACE: program('vivace'), OUT: 'traces', PLAN: 'plan.json', PROFILE: 'report.csv', TRACER: 'trace.sh', FAKE_LAUNCHES: 'launches', FAKE_LOG: 'log' };
  const fake = join(root, 'tests/unit/cli/fake_tracer.sh');
  execFileSync('sh', ['trace.sh', fake], { cwd: folder, env, stdio: 'pipe' });
  const { samples } = await (await commands('for=accel-sim&context=0&format=json')).json();
  assert.equal(readdirSync(join(folder, 'traces/traces')).filter((f) => f.endsWith('.trace')).length, samples);
  const wrong = spawnSync('sh', ['trace.sh', fake], { cwd: folder, env: { ...env, OUT: 'again', FAKE_WRONG: '5' }, encoding: 'utf8' });
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.stderr, /launch 4, gemm<float>\(float\*\), has grid \(2,1,1\) in the list/);
  assert.ok(!existsSync(join(folder, 'again/pass-1')));
});

test('every tool has its script, and other tools get a list', async () => {
  const alone = await farm.profile(Buffer.from(report().replace(/\n[^\n]*other\(\)"\n$/, '\n')), { name: 'alone.csv', workload: 'alone' });
  const itsPlan = await farm.api('POST', `/profiles/${alone.id}/plans`, { method: 'vivace', error: 0.02, seed: 1 });
  for (const tool of ['accel-sim', 'accel-sim-old', 'macsim', 'ncu']) {
    const answer = await commands(`for=${tool}`, itsPlan.id);
    assert.equal(answer.status, 200, tool);
    const path = join(farm.folder, `${tool}.sh`);
    writeFileSync(path, await answer.text());
    chmodSync(path, 0o755);
    execFileSync('sh', ['-n', path]);
  }
  const csv = await (await commands('for=list&format=csv')).text();
  assert.equal(csv.trim().split('\r\n').length, plan.samples_count + 1);
  assert.equal((await (await commands('for=list&format=json')).json()).samples.length, plan.samples_count);
  assert.match(await (await commands('for=list')).text(), /^# launch_order counts/);
  const own = await compare(csv);
  assert.ok(own.ok && own.matched === own.listed && !own.whole);
});

test('an invalid request is a problem with a hint', async () => {
  const refused = async (query, status, part) => {
    const answer = await commands(query);
    assert.equal(answer.status, status, query);
    const body = await answer.json();
    assert.match(`${body.detail} ${body.hint}`, part);
  };
  await refused('for=accel-sim', 422, /2 contexts.*context 1 on device 1/s);
  await refused('for=accel-sim&context=2', 422, /no context 2/);
  await refused('for=accel-sim-old&context=0', 422, /one process.*accel-sim \(from May 2025\)/s);
  await refused('for=gdb&context=0', 422, /accel-sim-old/);
  await refused('context=0', 422, /`for`/);
  await refused('for=ncu&context=0&format=xml', 422, /sh or json/);
  await refused('for=ncu&context=-1', 422, /context/);
  assert.equal((await commands('for=ncu&context=0', '01234567-89ab-7cde-8f01-23456789abcd')).status, 404);
});

test('lists are compared launch by launch', async () => {
  const good = await compare(stats());
  assert.deepEqual([good.ok, good.matched, good.expected, good.graph_launches, good.mismatch], [true, LAUNCHES - 12, LAUNCHES - 12, 12, null]);
  assert.equal((await compare(gzipSync(stats()))).ok, true);
  const bad = await compare(stats((l) => (l.n === 57 ? { ...l, name: 'intruder()' } : l)));
  assert.equal(bad.ok, false);
  assert.deepEqual([bad.matched, bad.mismatch.what, bad.mismatch.order, bad.mismatch.listed.name], [57, 'name', 57, 'intruder()']);
  assert.match(bad.mismatch.detail, /launch 57 is intruder\(\) in the list \(line 59\), but gemm<float>\(float\*\)|copy/);
  const short = stats().split('\n').slice(0, 101).join('\n');
  assert.equal((await compare(short)).mismatch.what, 'missing');
  assert.equal((await compare(short, 'context=0&at_least=100')).ok, true);
  await assert.rejects(compare('what is this'), (e) => e.status === 415 && /not a known list/.test(e.message));
  await assert.rejects(compare(stats(), ''), (e) => e.status === 422 && /2 contexts/.test(e.message));
  const bomb = Buffer.concat([gzipSync(stats()), ...Array(17).fill(gzipSync(Buffer.alloc(64 << 20, '\n')))]);
  await assert.rejects(compare(bomb), (e) => e.status === 413 && /unpacks to more/.test(e.message));
});
