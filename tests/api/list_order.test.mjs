// Lists that sort: every column that the API document names sorts the whole list in both directions, across pages, and on the
// command line too.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsed } from './csv_text.mjs';
import { build, program, startFarm, until } from './harness.mjs';
import { report, ScriptedWorker } from './scripted_worker.mjs';

/** The sort value of a row, as the page shows it. */
const VALUES = {
  workloads: (w) => ({ name: w.name.toLowerCase(), kernels: w.profile.kernels, launches: w.profile.launches, total: w.profile.total_s, created: w.created_at }),
  plans: (p) => ({ error: p.error, workload: p.workload_name.toLowerCase(), method: p.method, strata: p.strata_count, samples: p.samples_count, speedup: p.speedup, promised: p.promised_error, created: p.created_at }),
  runs: (r) => ({ designs: r.designs.map((d) => d.design).join(', '), workload: r.workload_name.toLowerCase(), state: r.state, done: r.done / r.jobs, created: r.created_at }),
};
const { paths } = JSON.parse(readFileSync(join(build, 'gen/api/openapi.json'), 'utf8'));
const ordersOf = (list) => paths[`/api/v1/${list}`].get.parameters.find((p) => p.name === 'sort').schema.enum;

let farm;
before(async () => {
  farm = await startFarm();
  for (const [seed, workload] of [[1, 'decoder'], [2, 'Encoder'], [3, 'attention']]) {
    const profile = await farm.profile(report(seed), { name: `report-${seed}.csv`, workload });
    const plans = [];
    for (const [method, error] of [['vivace', 0.2], ['vivace', 0.05], ['srs', 0.1]]) plans.push(await farm.api('POST', `/profiles/${profile.id}/plans`, { method, error, confidence: 0.95, seed }));
    await farm.api('POST', `/plans/${plans[0].id}/runs`, { engine: 'replay', designs: [] });
    const run = await farm.api('POST', `/plans/${plans[1].id}/runs`, { designs: seed === 1 ? ['v100', 'h100'] : ['b200'] });
    await farm.api('POST', `/runs/${run.id}/${seed === 3 ? 'pause' : 'cancel'}`);
  }
  await until('nothing more to change', () => farm.psql('SELECT bool_and(projected_version >= version) FROM run') === 't');
  // Objects that need a worker, and a method without a promise, which needs a profile with counts.
  farm.psql("UPDATE plan SET promised_error = NULL WHERE method = 'srs'");
  farm.psql('UPDATE run SET done = least(jobs, 1) WHERE id = (SELECT min(id::text)::uuid FROM run)');
});
after(async () => { await farm?.stop(); });

/** All rows, a few at a time. */
async function paged(list, sort, limit) {
  const rows = [];
  for (let next = ''; next !== null;) {
    const page = await farm.api('GET', `/${list}?sort=${sort}&limit=${limit}${next && `&after=${next}`}`);
    rows.push(...page.items);
    next = page.next;
  }
  return rows;
}

for (const list of Object.keys(VALUES)) {
  test(`${list}: sorted by each column`, { timeout: 600000 }, async () => {
    const newest = (await farm.api('GET', `/${list}`)).items;
    assert.ok(newest.length >= 3);
    const orders = ordersOf(list);
    assert.deepEqual([...new Set(orders.map((o) => o.replace('-', '')))].sort(), Object.keys(VALUES[list](newest[0])).sort());
    for (const sort of orders) {
      const rows = await paged(list, sort, 2), whole = (await farm.api('GET', `/${list}?sort=${sort}`)).items;
      assert.deepEqual(rows.map((r) => r.id), whole.map((r) => r.id), `${list} ${sort}: the pages equal the whole list`);
      assert.deepEqual(rows.map((r) => r.id).sort(), newest.map((r) => r.id).sort(), `${list} ${sort}: each row once`);
      const values = rows.map((r) => VALUES[list](r)[sort.replace('-', '')]);
      const known = values.filter((v) => v !== null);
      assert.deepEqual(values.slice(0, known.length), known, `${list} ${sort}: unknown values are last`);
      const wrong = known.findIndex((v, i) => i > 0 && (sort.startsWith('-') ? v > known[i - 1] : v < known[i - 1]));
      assert.equal(wrong, -1, `${list} ${sort}: ${JSON.stringify(values)}`);
    }
    assert.deepEqual((await farm.api('GET', `/${list}?sort=-created`)).items.map((r) => r.id), newest.map((r) => r.id));
  });

  test(`${list}: a cursor is valid only in its own order; an unknown column is refused, and the message lists the known ones`, async () => {
    const [one, other] = [ordersOf(list).at(-1), ordersOf(list)[1]];
    const { next } = await farm.api('GET', `/${list}?sort=${one}&limit=1`);
    for (const sort of [other, '']) await assert.rejects(farm.api('GET', `/${list}?sort=${sort}&after=${next}`), (e) => e.status === 422 && /cursor of this list/.test(e.message));
    await assert.rejects(farm.api('GET', `/${list}?sort=colour`), (e) => e.status === 422 && /`sort` must be .* or created, with - for largest first, not `colour`/.test(e.message));
  });
}

test('plans without a promise come last in both directions', async () => {
  for (const sort of ['promised', '-promised']) {
    const promised = (await farm.api('GET', `/plans?sort=${sort}`)).items.map((p) => p.promised_error);
    assert.deepEqual(promised.map((p) => p === null), [false, false, false, false, false, false, true, true, true]);
  }
});

test('CSV and command line have the same order', async () => {
  const vivace = (...args) => JSON.parse(execFileSync(program('vivace'), [...args, '--json'], { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } })).items.map((r) => r.id);
  for (const [list, sort] of [['workloads', '-name'], ['plans', '-speedup'], ['runs', 'designs']]) {
    const ids = (await farm.api('GET', `/${list}?sort=${sort}`)).items.map((r) => r.id);
    assert.deepEqual(parsed(await farm.api('GET', `/${list}?sort=${sort}&format=csv`)).map((r) => r.id), ids, list);
    assert.deepEqual(vivace(list, '--sort', sort), ids, list);
  }
  const { workload } = (await farm.api('GET', '/plans?sort=method')).items[0];
  assert.deepEqual(vivace('plans', '--workload', workload, '--sort', 'error'), (await farm.api('GET', `/plans?workload=${workload}&sort=error`)).items.map((p) => p.id));
});

test('workers are listed page by page, each once', async () => {
  for (let i = 0; i < 5; i++) await new ScriptedWorker(farm, { name: `w${i % 3}` }).openAlive();
  const all = [], pages = [];
  for (let after; after !== null;) {
    const page = await farm.api('GET', `/workers?limit=2${after ? `&after=${encodeURIComponent(after)}` : ''}`);
    all.push(...page.items);
    pages.push(page.items.length);
    after = page.next;
  }
  assert.deepEqual(pages, [2, 2, 1]);
  assert.deepEqual(all.map((w) => w.name), ['w0', 'w0', 'w1', 'w1', 'w2']);
  assert.equal(new Set(all.map((w) => w.id)).size, 5);
  await assert.rejects(farm.api('GET', '/workers?after=nothing'), (e) => e.status === 400 || e.status === 422);
});
