// From bytes to a profile: uploads in pieces, imports of real reports, and inputs that must be refused.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { startFarm, sharedData } from './harness.mjs';

let farm;
before(async () => { farm = await startFarm(); });
after(async () => { await farm?.stop(); });

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const refused = (status, code, part) => (e) => {
  assert.equal(e.status, status, e.message);
  assert.equal(e.body.code, code);
  assert.match(e.body.detail, part);
  assert.equal(e.body.type, `/api/v1/problems/${code}`);
  assert.ok(e.body.request_id);
  return true;
};

// A minimal report of `nsys stats`: what the tool writes for four launches of two kernels.
const csv = (name) => `Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name
1000,500,1,4,1,1,128,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,"${name}"
2000,700,2,4,1,1,128,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,"${name}"
3000,900,3,8,2,1,64,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,"${name}"
4000,100,4,1,1,1,32,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,other_kernel
`;

// Counts of ../shared/data/INDEX.md; sums of durations by sqlite3 and jq from the files themselves.
const reports = [
  ['nsys/h100x2-2026.2.sqlite', { launches: 4010, kernels: 27, kernel_shapes: 48, devices: 2, format: 'nsys-sqlite', total: '535200650' }],
  ['nsys/rtx3080-2026.1.sqlite', { launches: 2, format: 'nsys-sqlite' }],
  ['nsys/saxpy-a100-2022.2.sqlite', { launches: 5, format: 'nsys-sqlite' }],
  ['kineto/resnet50-v100.json.gz', { launches: 8772, kernels: 67, zero_launches: 636, format: 'kineto' }],
  ['kineto/train-v100-ns.json.gz', { launches: 4350, kernels: 77, format: 'kineto' }],
  ['kineto/alexnet-a100.json.gz', { launches: 79, format: 'kineto' }],
];
for (const [file, want] of reports)
  test(`${file} becomes a profile with the counts of its index`, async (t) => {
    const path = sharedData(file);
    if (!path) return t.skip(`${file} is not here`);
    const p = await farm.profile(path);
    for (const [key, value] of Object.entries(want)) assert.equal(p[key], value, key);
    assert.equal(p.report.launches ?? p.report.accepted, want.launches);
    const kernels = (await farm.api('GET', `/profiles/${p.id}/kernels?limit=1000`)).items;
    assert.equal(kernels.length, p.kernel_shapes);
    assert.equal(kernels.reduce((n, k) => n + k.calls, 0), want.launches);
    assert.equal(String(kernels.reduce((n, k) => n + BigInt(k.total), 0n)), p.total);
    assert.ok(Math.abs(kernels.reduce((n, k) => n + k.share, 0) - 1) < 1e-9);
    if (path.includes('h100x2')) assert.deepEqual(kernels.filter((k) => k.name.includes('nccl') || k.name.includes('flash_fwd')).map((k) => k.class), ['attention', 'collective', 'attention']);
    for (let i = 1; i < kernels.length; i++) assert.ok(BigInt(kernels[i - 1].total) >= BigInt(kernels[i].total), 'sorted by total');
    const h = await farm.api('GET', `/profiles/${p.id}/histogram?bins=50`);
    assert.equal(h.edges.length, 51);
    assert.equal(h.strata[0].counts.reduce((a, b) => a + b, 0), p.launches - p.zero_launches);
  });

test('a trace without kernels is refused with the reason, and stores nothing', async (t) => {
  const path = sharedData('kineto/no-kernels.json.gz');
  if (!path) return t.skip('kineto/no-kernels.json.gz is not here');
  const before = (await farm.api('GET', '/workloads?limit=1000')).items.length;
  const i = await farm.imported(await farm.upload(path));
  assert.equal(i.state, 'failed');
  assert.match(i.problem.detail, /kernel/);
  assert.equal(i.profile, null);
  assert.equal((await farm.api('GET', '/workloads?limit=1000')).items.length, before);
});

test('kernels page by cursor without gap or repetition', async () => {
  const p = await farm.profile(Buffer.from(csv('page')), { name: 'page.csv' });
  const seen = [];
  for (let after = ''; ;) {
    const page = await farm.api('GET', `/profiles/${p.id}/kernels?limit=1${after && `&after=${after}`}`);
    seen.push(...page.items.map((k) => k.kernel));
    if (!page.next) break;
    after = page.next;
  }
  assert.deepEqual([...seen].sort(), [0, 1, 2]);
  await assert.rejects(farm.api('GET', `/profiles/${p.id}/kernels?after=AAAA`), refused(422, 'invalid', /cursor/));
  const workloads = await farm.api('GET', '/workloads?limit=1');
  if (workloads.next)
    await assert.rejects(farm.api('GET', `/profiles/${p.id}/kernels?after=${workloads.next}`), refused(422, 'invalid', /cursor/));
});

test('a kernel name that contains a script stays text', async () => {
  const name = "<script>alert('1')</script><img src=x onerror=alert(1)>&=cmd|' /C calc'!A0";
  const p = await farm.profile(Buffer.from(csv(name)), { name: '<b>evil</b>.csv' });
  const response = await farm.request('GET', `/profiles/${p.id}/kernels`);
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal((await response.json()).items[0].name, name);
  assert.equal(p.name, '<b>evil</b>.csv');
});

test('figures of a small profile, computed by hand', async () => {
  const p = await farm.profile(Buffer.from(csv('k')), { name: 'small.csv', workload: 'by hand' });
  assert.equal(p.total, '2200');
  assert.equal(p.total_s, 2.2e-6);
  assert.equal(p.makespan_s, 2.2e-6); // 500 + 700 + 900 + 100, nothing overlaps
  assert.equal(p.kernels, 2);
  assert.equal(p.kernel_shapes, 3);
  const [first, second] = (await farm.api('GET', `/profiles/${p.id}/kernels`)).items;
  assert.deepEqual([first.calls, first.total, first.mean, first.min, first.max], [2, '1200', 600, 500, 700]);
  assert.ok(Math.abs(first.cov - Math.SQRT2 * 100 / 600) < 1e-12); // sd of {500, 700} is 141.42
  assert.deepEqual([second.calls, second.total, second.grid, second.block], [1, '900', [8, 2, 1], [64, 1, 1]]);
  const w = (await farm.api('GET', '/workloads?q=BY%20HAND')).items;
  assert.equal(w.length, 1);
  assert.equal(w[0].profile.id, p.id);
  assert.deepEqual([p.uploaded_by, w[0].profile.uploaded_by], ['owner', 'owner']);
  assert.equal(w[0].profile.spark.length, 40);
  assert.equal(Math.max(...w[0].profile.spark), 1000);
});

test('a shape that the profile does not state is null: in lists, CSV, plan file', async () => {
  const kernel = (name, i) => `{"ph": "X", "cat": "kernel", "name": "${name}", "pid": 0, "tid": 7, "ts": ${10 * i}, "dur": ${3 + i % 4}}`;
  const p = await farm.profile(Buffer.from(`[${Array.from({ length: 40 }, (_, i) => kernel(i % 2 ? 'copy' : 'gemm', i)).join(',')}]`), { name: 'rocm.json' });
  const kernels = (await farm.api('GET', `/profiles/${p.id}/kernels`)).items;
  assert.deepEqual(kernels.map((k) => [k.grid, k.block]), [[null, null], [null, null]]);
  assert.match(await (await farm.request('GET', `/profiles/${p.id}/kernels?format=csv`)).text(), /grid/);
  const plan = await farm.api('POST', `/profiles/${p.id}/plans`, { error: 0.05 });
  assert.equal((await farm.api('GET', `/plans/${plan.id}`)).strata[0].grid, null);
  const file = await (await farm.request('GET', `/plans/${plan.id}/file`)).json();
  assert.deepEqual([file.strata[0].grid, file.strata[0].block], [null, null]);
});

test('a search by letters of a name finds the team’s objects', async () => {
  const p = await farm.profile(Buffer.from(csv('quokka')), { name: 'x.csv', workload: '50%_Off' });
  const plan = await farm.api('POST', `/profiles/${p.id}/plans`, { method: 'srs', share: 1, seed: 1 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay' });
  const { items } = await farm.api('GET', '/search?q=50%25_o');
  assert.deepEqual(items.map((i) => [i.kind, i.id, i.name]), [['workload', p.workload, '50%_Off'], ['plan', plan.id, '50%_Off'], ['run', run.id, '50%_Off']]);
  const [kernel] = (await farm.api('GET', `/profiles/${p.id}/kernels`)).items;
  const found = (await farm.api('GET', `/search?q=${encodeURIComponent(kernel.name.toUpperCase())}`)).items;
  assert.ok(found.some((i) => i.kind === 'kernel' && i.id === p.id && i.kernel === kernel.kernel && i.detail === `50%_Off, grid ${kernel.grid.join('x')}`));
  const designs = (await farm.api('GET', '/designs')).items, a100 = designs.find((d) => d.name === 'a100');
  const sought = (q) => farm.api('GET', `/search?q=${encodeURIComponent(q)}`).then(({ items }) => items.filter((i) => i.kind === 'design'));
  assert.deepEqual((await sought('A100')).filter((i) => i.name === 'a100'), [{ kind: 'design', id: a100.id, name: 'a100', detail: [`${a100.sms} SMs`, ...a100.gpu_names].join(', '), kernel: null }]);
  assert.ok((await sought(a100.gpu_names[0].toLowerCase())).some((i) => i.id === a100.id), 'by the name of its GPU');
  assert.equal((await sought('0')).length, Math.min(8, designs.filter((d) => [d.name, ...d.gpu_names].join(' ').includes('0')).length));
  assert.deepEqual((await farm.api('GET', '/search?q=no%20such%20thing')).items, []);
  for (const q of ['', 'x'.repeat(201)]) assert.equal((await farm.request('GET', `/search?q=${q}`)).status, 422);
});

test('a second file for a workload becomes its newest profile; deleting the workload deletes both', async () => {
  const a = await farm.profile(Buffer.from(csv('a')), { name: 'x.csv', workload: 'twice' });
  const b = await farm.profile(Buffer.from(csv('b')), { name: 'x.csv', workload: 'twice' });
  const w = await farm.api('GET', `/workloads/${a.workload}`);
  assert.deepEqual(w.profiles.map((p) => p.id), [b.id, a.id]);
  assert.equal(w.profile.id, b.id);
  assert.deepEqual([w.plans, w.runs, w.latest_plan, w.latest_run], [[], [], null, null]);
  assert.equal((await farm.request('DELETE', `/workloads/${a.workload}`)).status, 204);
  for (const path of [`/workloads/${a.workload}`, `/profiles/${a.id}`, `/profiles/${b.id}/kernels`])
    await assert.rejects(farm.api('GET', path), refused(404, 'not_found', /no/));
});

test('a file that is not a report is refused with one sentence', async () => {
  const summary = 'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n50.0,10,1,10,10,10,10,0,k\n';
  const cases = [
    ['random bytes', Buffer.from('\x00\x01\x02nothing anybody knows'.repeat(50)), /./],
    ['a summary report', Buffer.from(summary), /summar/i],
    ['a truncated gzip', gzipSync(Buffer.from(csv('k').repeat(200))).subarray(0, 120), /./],
    ['JSON nested a million deep', Buffer.from('{"traceEvents":' + '['.repeat(1000000)), /./],
    ['one long line', Buffer.alloc(30 << 20, 'x'), /./],
  ];
  for (const [what, bytes, part] of cases) {
    const i = await farm.imported(await farm.upload(bytes, { name: 'x.bin' }));
    assert.equal(i.state, 'failed', what);
    assert.match(i.problem.detail, part, what);
    assert.ok(i.problem.detail.length > 10 && !i.problem.detail.includes('\n'), what);
    assert.equal(i.profile, null);
  }
});

test('a truncated SQLite file is refused', async (t) => {
  const path = sharedData('nsys/h100x2-2026.2.sqlite');
  if (!path) return t.skip('nsys/h100x2-2026.2.sqlite is not here');
  const i = await farm.imported(await farm.upload(readFileSync(path).subarray(0, 1 << 20), { name: 'cut.sqlite' }));
  assert.equal(i.state, 'failed');
  assert.ok(i.problem.detail.length > 20);
});

// --- The protocol of uploads ---

const pieces = 8 << 20;
const big = () => { // 20 MiB in three pieces: a CSV with long names
  const lines = [csv('k').split('\n')[0]];
  for (let i = 0; lines.length * 330 < (20 << 20); i++)
    lines.push(`${i * 10},5,${i},4,1,1,128,1,1,16,0.000,0.000,,,,,NVIDIA X (0),1,7,${'k'.repeat(250)}${i % 7}`);
  return Buffer.from(lines.join('\n') + '\n');
};

test('pieces arrive in any order, may be repeated, and are refused when they differ', async () => {
  const bytes = big();
  const up = await farm.api('POST', '/uploads', { name: 'big.csv', bytes: bytes.length });
  const piece = (n) => bytes.subarray(n * pieces, (n + 1) * pieces);
  assert.equal(up.piece_bytes, pieces);
  assert.deepEqual(up.missing, [0, 1, 2]);
  await farm.api('PUT', `/uploads/${up.id}/pieces/2`, piece(2));
  await assert.rejects(farm.api('POST', `/uploads/${up.id}/finish`), refused(409, 'conflict', /2 of 3 pieces are missing/));
  assert.deepEqual((await farm.api('GET', `/uploads/${up.id}`)).missing, [0, 1]);
  assert.equal((await farm.request('PUT', `/uploads/${up.id}/pieces/2`, piece(2))).status, 204);
  const other = Buffer.from(piece(2));
  other[0] ^= 1;
  await assert.rejects(farm.api('PUT', `/uploads/${up.id}/pieces/2`, other), refused(409, 'conflict', /other bytes/));
  await assert.rejects(farm.api('PUT', `/uploads/${up.id}/pieces/0`, piece(2)), refused(422, 'invalid', /must have 8388608 bytes/));
  await assert.rejects(farm.api('PUT', `/uploads/${up.id}/pieces/3`, piece(2)), refused(404, 'not_found', /pieces 0 to 2/));
  await assert.rejects(farm.api('PUT', `/uploads/${up.id}/pieces/0`, piece(0), { 'Content-Digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }),
    refused(422, 'invalid', /Content-Digest/));
  const digest = createHash('sha256').update(piece(0)).digest('base64');
  await farm.api('PUT', `/uploads/${up.id}/pieces/0`, piece(0), { 'Content-Digest': `sha-256=:${digest}:` });
  await farm.api('PUT', `/uploads/${up.id}/pieces/1`, piece(1));
  const first = await farm.api('POST', `/uploads/${up.id}/finish`);
  const again = await farm.api('POST', `/uploads/${up.id}/finish`);
  assert.equal(first.import, again.import, 'finishing twice is one import');
  const i = await farm.imported(first.import);
  assert.equal(i.state, 'ready', i.problem?.detail);
  assert.equal((await farm.api('GET', `/profiles/${i.profile}`)).kernels, 7);

  const known = await farm.api('POST', '/uploads', { name: 'again.csv', bytes: bytes.length, sha256: sha256(bytes) });
  assert.deepEqual(known.missing, [], 'bytes that are here already are not sent again');
  assert.equal((await farm.imported((await farm.api('POST', `/uploads/${known.id}/finish`)).import)).state, 'ready');
});

test('an announced hash that differs from the bytes fails the import', async () => {
  const bytes = Buffer.from(csv('k'));
  const up = await farm.api('POST', '/uploads', { name: 'x.csv', bytes: bytes.length, sha256: 'ab'.repeat(32) });
  await farm.api('PUT', `/uploads/${up.id}/pieces/0`, bytes);
  const i = await farm.imported((await farm.api('POST', `/uploads/${up.id}/finish`)).import);
  assert.equal(i.state, 'failed');
  assert.match(i.problem.detail, /instead of/);
});

test('uploads are checked and can be dropped', async () => {
  const cases = [
    [{ name: 'x' }, 422, /bytes/], [{ name: 'x', bytes: 0 }, 422, /empty/], [{ name: 'x', bytes: -1 }, 422, /bytes/],
    [{ name: '', bytes: 1 }, 422, /name/], [{ name: 'x', bytes: 1, sha256: 'zz' }, 422, /sha256/],
    [{ name: 'x', bytes: 1, extra: 1 }, 422, /extra/], [{ name: 'x', bytes: 2 ** 50 }, 413, /at most/],
  ];
  for (const [body, status, part] of cases)
    await assert.rejects(farm.api('POST', '/uploads', body), (e) => e.status === status && part.test(e.body.detail), JSON.stringify(body));
  await assert.rejects(farm.api('POST', '/uploads', '{"name":"a","name":"b","bytes":1}'), refused(400, 'malformed', /./));
  await assert.rejects(farm.api('POST', '/uploads', '{'), refused(400, 'malformed', /./));
  const up = await farm.api('POST', '/uploads', { name: 'x', bytes: 10 });
  assert.equal((await farm.request('DELETE', `/uploads/${up.id}`)).status, 204);
  await assert.rejects(farm.api('GET', `/uploads/${up.id}`), refused(404, 'not_found', /upload/));
  await assert.rejects(farm.api('GET', '/uploads/nonsense'), refused(404, 'not_found', /upload/));
});

// --- Blobs ---

test('blobs: stored by hash, read in full, by range, with an ETag', async () => {
  const bytes = Buffer.from('0123456789'.repeat(1000));
  const hash = sha256(bytes);
  assert.equal((await farm.request('PUT', `/blobs/${hash}`, bytes)).status, 201);
  assert.equal((await farm.request('PUT', `/blobs/${hash}`, bytes)).status, 204);
  await assert.rejects(farm.api('PUT', `/blobs/${'0'.repeat(64)}`, bytes), refused(422, 'invalid', /SHA-256/));
  await assert.rejects(farm.api('PUT', '/blobs/XYZ', bytes), refused(422, 'invalid', /SHA-256/));
  const get = (headers, method = 'GET') => farm.request(method, `/blobs/${hash}`, undefined, headers);
  const whole = await get();
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
  assert.equal(whole.headers.get('etag'), `"${hash}"`);
  const part = await get({ Range: 'bytes=5-14' });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), 'bytes 5-14/10000');
  assert.equal(await part.text(), '5678901234');
  assert.equal(await (await get({ Range: 'bytes=-3' })).text(), '789');
  assert.equal(await (await get({ Range: 'bytes=9998-20000' })).text(), '89');
  assert.equal((await get({ Range: 'bytes=10000-' })).status, 416);
  assert.equal((await get({ Range: 'bytes=0-1,5-6' })).status, 200, 'several ranges: everything');
  assert.equal((await get({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status, 200);
  assert.equal((await get({ 'If-None-Match': `"${hash}"` })).status, 304);
  const head = await get({}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '10000', '']);
  await assert.rejects(farm.api('GET', `/blobs/${'1'.repeat(64)}`), refused(404, 'not_found', /blob/));
});

test('documents have an ETag, and a request with it gets 304', async () => {
  const first = await farm.request('GET', '/workloads');
  const tag = first.headers.get('etag');
  await first.text();
  assert.ok(tag);
  assert.equal((await farm.request('GET', '/workloads', undefined, { 'If-None-Match': tag })).status, 304);
  assert.equal((await farm.request('GET', '/workloads', undefined, { 'If-None-Match': '"other"' })).status, 200);
});
