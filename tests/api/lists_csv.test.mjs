// The data of every page can be exported: every list and series as CSV, with the numbers of its JSON; the data of pictures too.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parsed } from './csv_text.mjs';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

let farm, run, plan, ids;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] }); // its scripted worker sends no heartbeats
  run = await replayRun(farm);
  plan = await farm.api('GET', `/plans/${run.plan}`);
  const me = await farm.api('GET', '/session');
  const worker = await new ScriptedWorker(farm).open();
  await worker.finish(await worker.claimPack(1, 1)); // so that the worker has an ended attempt
  await until('all that follows from it', () => farm.psql(`SELECT projected_version = version FROM run WHERE id = '${run.id}'`) === 't');
  ids = { run: run.id, plan: run.plan, profile: plan.profile, workload: plan.workload, team: me.team, worker: (await farm.api('GET', '/workers')).items[0].id };
});
after(async () => { await farm?.stop(); });

test('every list and series that is documented as CSV is available as CSV, with the same rows and numbers', { timeout: 300000 }, async () => {
  const { paths } = await farm.api('GET', '/openapi.json');
  const routes = Object.entries(paths).filter(([path, { get }]) => get?.responses[200]?.content?.['text/csv'] && !/trace-commands|audit|samples|domains/.test(path));
  assert.ok(routes.length >= 29, `${routes.length} routes`);
  const unanswered = [];
  for (const [path, { get }] of routes) {
    const at = path.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, name) => ids[name]);
    const needs = path.endsWith('/{run}/compare') ? '&baseline=v100' : path.endsWith('/strata') || path.endsWith('/convergence') ? '&design=v100' : path.endsWith('/search') ? '&q=k' : '';
    const json = await farm.api('GET', `${at}?${needs.slice(1)}`).catch((e) => e);
    const csv = await farm.api('GET', `${at}?format=csv${needs}`).catch((e) => e);
    if (json instanceof Error) {
      assert.equal(csv.status, json.status, path); // data that is not available yet is not available as a table either
      unanswered.push([path.replace('/api/v1', ''), json.status]);
      continue;
    }
    assert.equal(typeof csv, 'string', `${path}: ${csv.message}`);
    assert.ok(get.parameters.some((p) => p.name === 'format'), path);
    const list = json.items ?? json.points ?? (json.edges ? null : Object.values(json).find((v) => Array.isArray(v) && typeof v[0] === 'object'));
    if (!list) continue;
    const rows = parsed(csv);
    if (!json.next) assert.equal(rows.length, list.length, path);
    rows.slice(0, list.length).forEach((row, i) => {
      for (const [name, value] of Object.entries(list[i])) {
        if (typeof value === 'number') assert.equal(Number(row[name]), value, `${path} row ${i} ${name}`);
        if (typeof value === 'string') assert.equal(row[name], value, `${path} row ${i} ${name}`);
        if (value === null) assert.equal(row[name], '', `${path} row ${i} ${name}`);
      }
    });
  }
  // These need two designs and a recorded result, which this farm does not have; see compare.test.mjs and series.test.mjs.
  assert.deepEqual(unanswered, [['/compare', 422], ['/results/{result}/series', 404]]);
});

/** Reads a float64 matrix as numpy.load() does. @param {Buffer} bytes @returns {number[][]} */
function matrix(bytes) {
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x93NUMPY\x01\x00');
  const length = bytes.readUInt16LE(8), [, rows, columns] = /'<f8'.*'shape': \((\d+), (\d+)\)/.exec(bytes.subarray(10, 10 + length).toString()).map(Number);
  assert.equal(bytes.length, 10 + length + 8 * rows * columns);
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, k) => bytes.readDoubleLE(10 + length + 8 * (i * columns + k))));
}

test('CSV contains all pages of a list, or one page with a limit; other documents are refused', async () => {
  const whole = parsed(await farm.api('GET', `/profiles/${ids.profile}/kernels?format=csv`));
  const one = parsed(await farm.api('GET', `/profiles/${ids.profile}/kernels?format=csv&limit=1`));
  const { items } = await farm.api('GET', `/profiles/${ids.profile}/kernels?limit=1000`);
  assert.deepEqual(whole.map((r) => r.kernel), items.map((k) => String(k.kernel)));
  assert.equal(whole[0].grid, items[0].grid.join('x'));
  assert.deepEqual(one, whole.slice(0, 1));
  await assert.rejects(farm.api('GET', `/session?format=csv`), (e) => e.status === 422 && /neither a list nor a series/.test(e.message));
});

test('an unknown query parameter is refused with the list of known ones', async () => {
  const refused = (path, pattern, method = 'GET') => assert.rejects(farm.api(method, path), (e) => e.status === 400 && e.body.code === 'malformed' && pattern.test(e.body.detail), path);
  await refused('/workloads?cursor=abc', /^this address has no query parameter `cursor`; valid ones: after, archived, first, format, limit, q, sort, state$/);
  await refused('/runs?limit=1&Workload=x', /no query parameter `Workload`; valid ones: after, archived, format, limit, q, sort, tag, workload$/);
  await refused(`/profiles/${ids.profile}?kernel=0`, /no query parameter `kernel`; valid ones: after, format, limit$/);
  await refused(`/workloads/${'0'.repeat(8)}-0000-7000-8000-000000000000?really=1`, /no query parameter `really`; valid ones: none$/, 'DELETE');
  await refused(`/profiles/${ids.profile}/plans?limit=1`, /no query parameter `limit`; valid ones: none$/, 'POST');
  await refused(`/profiles/${ids.profile}/features?nam=x.csv`, /no query parameter `nam`; valid ones: name$/, 'POST');
  assert.equal((await farm.request('HEAD', '/workloads?cursor=abc')).status, 400);
  assert.equal((await farm.request('GET', '/workloads?cursor=abc', undefined, { Authorization: null })).status, 401, 'a caller without permission gets that answer first');
  await farm.api('GET', '/methods?limit=1000'); // clients pass `limit` to every list
  assert.equal((await farm.request('GET', '//runs?cursor=abc', undefined, { Authorization: null })).status, 200, 'the dashboard reads its own');
});

test('a histogram covers its window, and shows the samples of each stratum', async () => {
  const at = `/profiles/${ids.profile}/histogram`;
  const whole = await farm.api('GET', `${at}?bins=20`);
  assert.deepEqual([whole.edges[0], whole.edges.length, whole.strata[0].counts.reduce((a, b) => a + b, 0)], [whole.low, 21, 200]);
  const [from, to] = [whole.edges[5], whole.edges[12]];
  const part = await farm.api('GET', `${at}?bins=7&from=${from}&to=${to}`);
  assert.deepEqual([part.low, part.high, part.edges[0]], [whole.low, whole.high, from]);
  assert.ok(Math.abs(part.edges[7] / to - 1) < 1e-12);
  const inside = part.strata[0].counts.reduce((a, b) => a + b, 0);
  assert.ok(inside > 0 && inside < 200 && part.strata[0].n === 200, `${inside}`);
  const byPlan = await farm.api('GET', `${at}?plan=${ids.plan}`);
  const drawn = await farm.api('GET', `/plans/${ids.plan}/samples?limit=1000`);
  assert.deepEqual(byPlan.strata.flatMap((s) => s.drawn).sort(), drawn.items.map((s) => s.value).sort());
  assert.deepEqual(byPlan.strata.flatMap((s) => s.ids).sort((a, b) => a - b), plan.strata.map((s) => s.id));
  const first = await farm.api('GET', `/plans/${ids.plan}/samples?stratum=0&limit=1000`);
  assert.deepEqual(first.items, drawn.items.filter((s) => s.stratum === 0));
  for (const bad of ['stratum=0', `plan=${ids.plan}&stratum=4000`, 'from=5&to=5', 'from=-1']) {
    await assert.rejects(farm.api('GET', `${at}?${bad}`), (e) => e.status === 422 || e.status === 404, bad);
  }
});

test('differences between consecutive launches, and the distribution of each kernel, are computed from the launches', async () => {
  // As replayRun() makes them: launch i of kernel i % 4 takes 400 + (37 i) % 101 + 1 ns.
  const value = (i) => 401 + (37 * i) % 101;
  const { points, launches } = await farm.api('GET', `/profiles/${ids.profile}/series?points=10&from=40&to=139`);
  assert.deepEqual([launches, points.length], [200, 10]);
  points.forEach((p, k) => {
    const of = Array.from({ length: 10 }, (_, i) => value(40 + 10 * k + i));
    assert.deepEqual(p, { first: 40 + 10 * k, last: 49 + 10 * k, launches: 10, min: Math.min(...of), mean: of.reduce((a, b) => a + b) / 10, max: Math.max(...of) });
  });
  const kernels = (await farm.api('GET', `/profiles/${ids.profile}/kernels`)).items;
  const spreads = await farm.api('GET', `/profiles/${ids.profile}/spreads`);
  assert.deepEqual(spreads.items.map((s) => s.kernel), kernels.map((k) => k.kernel), 'in the order of the list of kernels');
  for (const k of kernels) {
    const launches = Array.from({ length: 200 }, (_, i) => i).filter((i) => `k${i % 4}` === k.name);
    const sorted = launches.map(value).sort((a, b) => a - b);
    const s = spreads.items.find((x) => x.kernel === k.kernel);
    assert.deepEqual([s.p50, s.p99, s.spark.reduce((a, b) => a + b)], [sorted[24], sorted[49], 50]);
    const own = await farm.api('GET', `/profiles/${ids.profile}/series?kernel=${k.kernel}&points=1000`);
    assert.deepEqual(own.points.map((p) => [p.first, p.mean]), launches.map((i) => [i, value(i)]));
  }
  assert.equal(spreads.share_of_top_five, 1);
  assert.ok(Math.abs(spreads.mixed - kernels.reduce((s, k) => s + k.share * k.cov, 0)) < 1e-9);
  const pages = [];
  for (let after = ''; ;) {
    const page = await farm.api('GET', `/profiles/${ids.profile}/spreads?limit=3${after && `&after=${after}`}`);
    pages.push(page.items.length);
    if (!page.next) break;
    after = page.next;
  }
  assert.deepEqual(pages, [3, 1]);
});

test('workloads: rename, archive and restore, filter by state, list some first; runs by name', async () => {
  const names = async (query) => (await farm.api('GET', `/workloads?${query}`)).items.map((w) => w.name);
  const { name } = await farm.api('GET', `/workloads/${ids.workload}`);
  for (const seed of [2, 3]) await replayRun(farm, seed);
  const [second, third] = ['report-2', 'report-3'];
  assert.deepEqual(await names(''), [third, second, name], 'the newest first');
  assert.deepEqual(await names(`first=${ids.workload}`), [name, third, second]);
  const page = await farm.api('GET', `/workloads?first=${ids.workload}&limit=2`);
  assert.deepEqual([page.items.map((w) => w.name), await names(`first=${ids.workload}&limit=2&after=${page.next}`)], [[name, third], [second]], 'the rows listed first are not repeated');
  await assert.rejects(farm.api('GET', `/workloads?first=${ids.workload}&limit=1`), (e) => e.status === 422 && /fewer/.test(e.message));
  await assert.rejects(farm.api('GET', '/workloads?first=x'), (e) => e.status === 422);
  const { state } = (await farm.api('GET', `/workloads/${ids.workload}`));
  assert.ok((await names(`state=${state}`)).includes(name));
  assert.deepEqual(await names('state=not_planned'), []);
  await assert.rejects(farm.api('GET', '/workloads?state=asleep'), (e) => e.status === 422 && /asleep/.test(e.message));

  for (const [sort, want] of [['name', [name, second, third].sort()], ['-name', [name, second, third].sort().reverse()], ['created', [name, second, third]]]) {
    assert.deepEqual(await names(`sort=${sort}`), want, sort);
    const pages = [];
    for (let after = ''; ;) { // the order continues from page to page
      const one = await farm.api('GET', `/workloads?sort=${sort}&limit=1${after && `&after=${after}`}`);
      pages.push(...one.items.map((w) => w.name));
      if (!one.next) break;
      after = one.next;
      await assert.rejects(farm.api('GET', `/workloads?sort=kernels&after=${after}`), (e) => e.status === 422 && /cursor of this list/.test(e.message));
    }
    assert.deepEqual(pages, want, `${sort}, page by page`);
  }
  const { items } = await farm.api('GET', '/workloads?sort=-total'), totals = items.map((w) => w.profile.total_s);
  assert.deepEqual(totals, [...totals].sort((a, b) => b - a));
  const last = items.at(-1).id;
  assert.equal((await farm.api('GET', `/workloads?sort=-total&first=${last}`)).items[0].id, last, 'the requested ones come first in any order');
  await assert.rejects(farm.api('GET', '/workloads?sort=colour'), (e) => e.status === 422 && /`sort` must be name/.test(e.message));

  await farm.api('PATCH', `/workloads/${ids.workload}`, { archived: true });
  assert.deepEqual([await names(''), await names('archived=true')], [[third, second], [name]]);
  assert.equal((await farm.api('GET', `/workloads/${ids.workload}`)).archived, true);
  await farm.api('PATCH', `/workloads/${ids.workload}`, { name: 'another name', archived: false });
  assert.deepEqual([await names(''), await names('archived=true')], [[third, second, 'another name'], []]);
  await assert.rejects(farm.api('PATCH', `/workloads/${ids.workload}`, { name: third }), (e) => e.status === 409 && /report-3/.test(e.message));
  await assert.rejects(farm.api('PATCH', `/workloads/${ids.workload}`, { name: '' }), (e) => e.status === 422);

  const runs = async (q) => (await farm.api('GET', `/runs?q=${q}`)).items.map((r) => r.workload_name);
  assert.deepEqual([await runs('PORT-2'), await runs('nothing'), (await runs(run.designs[0].design)).length], [[second], [], 3], 'letters of the workload or of a design');
});

test('a histogram by strata shows every launch, also of kernels in which no stratum begins', async () => {
  const at = (plan_) => farm.api('GET', `/profiles/${ids.profile}/histogram?bins=20${plan_ ? `&plan=${plan_}` : ''}`);
  const whole = await at(), srs = await at(ids.plan);
  const rows = (h) => h.strata.map((s) => [s.id, s.ids, s.m, s.n]);
  assert.deepEqual([rows(whole), whole.launches], [[[0, [], null, 200]], 200]);
  // One stratum contains launches of all four kernels and begins in one of them; it is the only stratum that they can belong to.
  assert.deepEqual([rows(srs), srs.launches], [[[0, [0], plan.samples_count, 200]], 200]);
  assert.deepEqual(srs.strata[0].counts, whole.strata[0].counts);
  const one = await farm.api('GET', `/profiles/${ids.profile}/histogram?plan=${ids.plan}&kernel=1`);
  assert.deepEqual([rows(one), one.launches], [[[1, [], null, 50]], 50], 'for one of these kernels alone the samples are unknown');
});

test('lanes of a stream: columns of time, computed from the launches', async () => {
  const at = `/profiles/${ids.profile}/lanes`;
  const launches = Array.from({ length: 200 }, (_, i) => ({ from: 1000 * i, to: 1000 * i + 400 + (i * 37) % 101 + 1, kernel: i % 4 })); // as work.mjs writes them
  const whole = await farm.api('GET', at);
  assert.deepEqual([whole.from_ns, whole.to_ns, whole.streams], [0, launches.at(-1).to, 1]);
  const sum = (list, key) => list.reduce((s, x) => s + x[key], 0);
  assert.equal(sum(whole.items, 'busy_ns'), launches.reduce((s, l) => s + l.to - l.from, 0));
  assert.equal(sum(whole.items, 'launches'), 200);
  const window = await farm.api('GET', `${at}?from_ns=3200&to_ns=5000&columns=1800`);
  assert.deepEqual(window.items.map((s) => [s.stream, s.from_ns, s.to_ns, s.busy_ns, s.launches, s.name]), launches.slice(3, 5).map((l, i) => [7, Math.max(3200, l.from), l.to, l.to - Math.max(3200, l.from), 1, `k${(3 + i) % 4}`]));
  const one = await farm.api('GET', `${at}?columns=1`);
  const longest = launches.reduce((best, l) => (l.to - l.from > best.to - best.from || (l.to - l.from === best.to - best.from && l.kernel < best.kernel) ? l : best));
  assert.deepEqual(one.items.map((s) => [s.name, s.launches]), [[`k${longest.kernel}`, 200]], 'the kernel of the longest launch, the first of equals');
  await assert.rejects(farm.api('GET', `${at}?from_ns=5000&to_ns=5000`), (e) => e.status === 422 && /no launch runs/.test(e.message));
});

test('every document that is documented as .npy is available, with the numbers of its CSV; a table with text is refused', async () => {
  const { paths } = await farm.api('GET', '/openapi.json');
  const routes = Object.entries(paths).filter(([path, { get }]) => !path.includes('{result}') && get?.parameters?.some((p) => p.name === 'format' && p.schema.enum.includes('npy')));
  assert.deepEqual(routes.map(([path]) => path.split('/').pop()), ['histogram', 'series']);
  for (const [path] of routes) {
    const at = `${path.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, name) => ids[name])}?${path.endsWith('/series') ? 'points' : 'bins'}=20`;
    const rows = parsed(await farm.api('GET', `${at}&format=csv`)), answer = await farm.request('GET', `${at}&format=npy`);
    assert.equal(answer.status, 200, path);
    const numbers = matrix(Buffer.from(await answer.arrayBuffer()));
    assert.ok(rows.length > 0 && numbers.length === rows.length, path);
    rows.forEach((row, i) => assert.deepEqual(numbers[i], Object.values(row).map((v) => (v === '' ? NaN : Number(v))), `${path} row ${i}`));
  }
  await assert.rejects(farm.api('GET', `/profiles/${ids.profile}/kernels?format=npy`), (e) => e.status === 422 && /contains text/.test(e.message));
});

test('a long list needs no more memory than a short one', { timeout: 300000 }, async () => {
  const JOBS = 40_000, MIB = 1024, peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / MIB;
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'long' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed: 1 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  await farm.api('POST', `/runs/${run.id}/cancel`);
  await until('its jobs to be cancelled', async () => (await farm.api('GET', `/runs/${run.id}`)).counts.ready === 0);
  const more = (jobs, from) => farm.psql(`INSERT INTO job (id, run_id, seq, sample, design, state, finished_at)
    SELECT gen_random_uuid(), '${run.id}', i, 0, 0, 'cancelled', now() FROM generate_series(${from}, ${from + jobs - 1}) i; ANALYZE job`);
  const rows = async () => {
    const r = await farm.request('GET', `/runs/${run.id}/jobs?format=csv`), text = await r.text();
    assert.equal(r.status, 200, text.slice(0, 300));
    return text.trimEnd().split('\r\n').slice(1);
  };
  more(4000, 1000);
  const few = await rows(), before = peak();
  more(JOBS - 4000, 5000);
  const many = await rows(), grown = peak() - before;
  assert.equal(many.length, few.length + JOBS - 4000);
  assert.equal(new Set(many.map((row) => row.split(',')[0])).size, many.length);
  assert.deepEqual(many.slice(0, few.length), few);
  assert.ok(grown < 25, `${grown.toFixed(0)} MiB more for ${JOBS} rows than for ${few.length}`);
});
