// The parts of a projection. The error from the cache state is a line of it, and is measured when a user requests it.
import assert from 'node:assert/strict';
import { look, openPage, said, settled, shot, stage, test } from '../harness.mjs';

const { browser, mock } = await stage();
const MEASURED = { relative: -0.0123, launches: 3, launches_before: 16, wanted_before: 40, missing_before: 2, whole: false, settled: false, share: 0.84, least: -0.045, most: 0.002 };
const CHECK = { launches: 3, asked_by: 'ada', asked_at: '2026-01-01T00:00:00Z', launches_before: 16, state: 'measured', simulations: 6, done: 6, failed: 0, why: null };

const RUN = await (await fetch(`${mock.url}/api/v1/runs/r1`)).json();

/** Opens the run's page with these parts. `answer`: the answer to the request to measure. `projection`: members that differ from those of the mock's data. */
async function open(t, state, check, answer, projection = {}) {
  const { page, context } = await openPage(browser, mock.url);
  t.after(() => context.close());
  const asked = [];
  const run = (c) => ({ ...RUN, engine: 'cycle', cache_check: c, designs: RUN.designs.map((d) => ({ ...d, cache_state: state, projection: { ...d.projection, ...projection } })) });
  const reply = (request) => {
    if (request.method() !== 'POST') return { json: run(asked.length && answer.check ? answer.check : check) };
    asked.push(request.url());
    return answer.check ? { status: 202, json: run(answer.check) } : { status: 409, contentType: 'application/problem+json', json: answer.problem };
  };
  await page.route(/\/api\/v1\/runs\/r1(\/cache-check)?$/, (route) => route.fulfill(reply(route.request())).catch(() => {})); // the page may be gone
  await page.goto('/runs/r1');
  await settled(page);
  return { page, asked, row: page.getByRole('row', { name: /^Cache state/ }) };
}

test('a measured cache state shows its size, its source, and what is missing', async (t) => {
  const { row } = await open(t, MEASURED, CHECK);
  await row.getByText(/3\s+launches simulated both ways, of kernels with 84\s%/).waitFor();
  assert.match(await row.innerText(), /at least [−-]1\.23\s%.*the 16 before them leave.*; 2 of the launches before them have no trace, so the error may be larger/s);
  assert.match(await row.innerText(), /a single one from [−-]4\.50? to \+0\.2\S* %/);
  assert.equal(await row.getByRole('button').count(), 0, 'it is measured');
});

test('the measured model error of the classes is beside the interval; unmeasured classes are named', async (t) => {
  const classes = [{ class: 'gemm', share: 0.7, kernels: 12, error: 0.089, bias: 1.046, tuned: true, simulator: '0.8.1' },
    { class: 'attention', share: 0.3, kernels: 0, error: null, bias: null, tuned: false, simulator: null }];
  const { page } = await open(t, null, null, {});
  await page.route(/\/api\/v1\/runs\/r1\/projection$/, (route) => route.fulfill({ json: { id: 'r1', state: 'done', looks: [], designs: [],
    validated: RUN.designs.map((d) => ({ design: d.design, classes })) } }).catch(() => {})); // the page may be gone
  await page.reload();
  await settled(page);
  const row = page.getByRole('row', { name: /^Model error by kernel class/ });
  await row.getByText(/gemm \(70\s% of the total\): 8\.9\S*\s% mean over 12\s+kernels, some used to set parameters; attention \(30\s% of the total\): not validated on this GPU/).waitFor();
});

test('a cache state that does not change is not a lower bound, and a window with all launches is named as such', async (t) => {
  const still = { ...MEASURED, missing_before: 0, launches_before: 256, settled: true }, { row } = await open(t, still, CHECK);
  await row.getByText(/the 256 before them leave/).waitFor();
  assert.doesNotMatch(await row.innerText(), /at least|may be more/);
  assert.match(await row.innerText(), /earlier launches change nothing/);
  const whole = await open(t, { ...still, whole: true }, { ...CHECK, state: 'measuring', launches_before: 512, done: 4 });
  await whole.row.getByText(/what all before them leave/).waitFor();
  assert.match(await whole.row.innerText(), /4 of 6\s+simulations done, after a replay of the 512 launches before/);
});

test('a cache state without a request is measured by a button, once', async (t) => {
  const { asked, row } = await open(t, null, null, { check: { ...CHECK, state: 'waiting', simulations: 0, done: 0 } });
  await row.getByText('the error of these contents was not measured').waitFor();
  await row.getByRole('button', { name: 'Measure it' }).click();
  await row.getByText(/3\s+launches will be simulated after a replay of the launches before them, when the run has ended/).waitFor();
  await row.getByRole('button').waitFor({ state: 'detached' });
  assert.equal(asked.length, 1);
});

test('the page shows why a measurement failed, and why it cannot be requested', async (t) => {
  const { page, row } = await open(t, null, { ...CHECK, state: 'failed', done: 0, why: 'the farm has no traces' }, { problem: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'It rains.' } });
  await row.getByText('the farm has no traces').waitFor();
  await row.getByRole('button', { name: 'Measure it' }).click();
  await said(page, 'It rains.');
});

test('results with empty caches have a range, and a difference that the caches could reverse is not distinguishable', async (t) => {
  const { page, context } = await openPage(browser, mock.url);
  t.after(() => context.close());
  const [base, other] = mock.world.runs.r1.designs;
  base.projection.empty_caches = 5;
  Object.assign(other.baseline, { distinguishable: false, cache_reversible: true });
  await page.goto(`/runs/r1?design=${other.design}`);
  await settled(page);
  await page.locator('.strip').getByText('the cache state could reverse it').waitFor();
  await page.getByText('hollow: the cache state of launches that began with empty caches could reverse it').waitFor();
  await page.goto('/runs/r1');
  await settled(page);
  await page.getByText(/^5 of 78\s+results began with empty caches: .* no design is called faster\.$/).waitFor(); // by an older simulator
  await page.getByRole('row', { name: /^Cache state/ }).getByText(/5 of 78\s+results began with empty caches, .*; what that changes was not measured/).waitFor();
  base.projection.warm_bound = { value: 5.1e10, half_width: 2e9, value_s: 30, half_width_s: 1.2, low: 4.9e10, high: 8e10, low_s: 28.8, high_s: 47 };
  await page.reload();
  await settled(page);
  await page.getByText(/With all of them fully warm the total is 30\.0\s±\s1\.2\ss; it is between 28\.8\ss and 47(\.0)?\ss\.$/).waitFor();
  await page.getByRole('row', { name: /^Cache state/ }).getByText('the total with all of them fully warm is the other end of the range above').waitFor();
  await shot(page, 'run-warm-bound-light');
  await look(page, { theme: 'dark' });
  await settled(page);
  await shot(page, 'run-warm-bound-dark');
});

test('warnings about the traces of a design are shown once, for the design that is shown', async (t) => {
  const { page, context } = await openPage(browser, mock.url), { r1 } = mock.world.runs;
  const said = ['the trace is of code for sm_90, and v100 is sm_70: it would execute other code of this kernel', 'launches whose traces have only a part of their CTAs: 1. The first is launch 2: 3 of 4. Their cycles are those of this part'];
  t.after(() => { context.close(); r1.designs[0].projection.warnings = []; });
  r1.designs[0].projection.warnings = said;
  await page.goto('/runs/r1');
  await settled(page);
  for (const text of said) await page.locator('.notice.warn').getByText(`${text[0].toUpperCase()}${text.slice(1)}.`, { exact: true }).waitFor();
  await look(page, { theme: 'dark', width: 390 });
  await settled(page);
  await shot(page, 'run-warnings-dark');
  await page.goto(`/runs/r1?design=${r1.designs[1].design}`);
  await settled(page);
  assert.equal(await page.getByText('The trace is of code for').count(), 0);
});

test('results that are projected inside their launches are counted on the run’s page and in a comparison', async (t) => {
  const { page, context } = await openPage(browser, mock.url), { r1 } = mock.world.runs;
  t.after(() => { context.close(); delete r1.inside_kernels; delete r1.designs[0].projection.projected_inside; });
  r1.inside_kernels = 0.04;
  r1.designs[0].projection.projected_inside = 3;
  await page.goto('/runs/r1');
  await settled(page);
  await page.getByText(/^3 of 78\s+results are projected inside their launches, each with an interval of ± 4\s% of its cycles at most\. The intervals here include the error of these projections\.$/).waitFor();
  await page.route(/\/api\/v1\/compare\?/, async (route) => {
    const answer = await (await route.fetch()).json();
    answer.base.projected_inside = 5;
    await route.fulfill({ json: answer }).catch(() => {}); // the page may be gone
  });
  await page.goto('/compare?base=r1:v100&with=r1:h100');
  await settled(page);
  await page.getByText(/5\s+results of these are projected inside their launches; the intervals include the error of these projections\./).waitFor();
});

test('a comparison names the designs whose difference the cache state could reverse', async (t) => {
  const { page, context } = await openPage(browser, mock.url);
  t.after(() => context.close());
  await page.route(/\/api\/v1\/compare\?/, async (route) => {
    const answer = await (await route.fetch()).json();
    Object.assign(answer.items.find((s) => s.design === 'a100'), { distinguishable: false, cache_reversible: true, empty_caches: 5 });
    await route.fulfill({ json: answer }).catch(() => {}); // the page may be gone
  });
  await page.goto('/compare?base=r1:v100&with=r1:h100,r1:a100');
  await settled(page);
  const row = (design) => page.getByRole('row').filter({ has: page.getByRole('button', { name: design, exact: true }) });
  await row('a100').first().getByText('the cache state could reverse it').waitFor();
  assert.doesNotMatch(await row('h100').first().innerText(), /reverse/);
  await page.getByText('Hollow: not distinguishable, the interval holds zero, or the cache state could reverse the difference.').waitFor();
  await page.getByText('the cache state could reverse others').waitFor();
  await page.getByText(/a100 .* \(the cache state could reverse it\)/).waitFor();
  for (const theme of ['light', 'dark']) {
    await look(page, { theme });
    await settled(page);
    await shot(page, `compare-warm-bound-${theme}`);
  }
});

const METRICS = [
  { name: 'energy', unit: 'J', sentence: 'energy of the whole GPU and its memory', rate: false, value: 0.479, half_width: 0.02, df: 4, results: 66 },
  { name: 'ipc', unit: 'instructions a cycle', sentence: 'warp instructions a cycle of the whole GPU', rate: true, value: 2.353, half_width: 0.087, df: 5, results: 66, effective: 41, not_promised: null },
  { name: 'l2_hit_rate', unit: 'share', sentence: 'L2 hits of reads', rate: true, value: 0.985, half_width: 0.026, df: 3, results: 66, effective: 4, not_promised: 'few of the results determine it' },
  { name: 'power', unit: 'W', sentence: 'energy over the time of the launches', rate: true, value: null, half_width: null, df: null, results: 0 },
];

test('totals and rates are shown on request, shares with an interval in percentage points', async (t) => {
  const { page } = await open(t, null, null, {});
  await page.route(/\/api\/v1\/runs\/r1\/metrics$/, (route) => route.fulfill({ json: { run: 'r1', designs: RUN.designs.map((d) => ({ design: d.design, level: 0.95, metrics: METRICS })) } }));
  await page.getByRole('button', { name: 'Show totals and rates' }).click();
  const row = (name) => page.getByRole('row', { name });
  await row(/^l2 hit rate/).waitFor();
  assert.match(await row(/^l2 hit rate/).innerText(), /98\.5\s%\s±\s2\.6\spoints/);
  assert.match(await row(/^l2 hit rate/).innerText(), /Interval not promised: few of the results determine it/);
  assert.doesNotMatch(await row(/^ipc/).innerText(), /promised/);
  assert.match(await row(/^energy/).innerText(), /0\.479\s±\s0\.020\sJ/);
  assert.match(await row(/^ipc/).innerText(), /2\.353\s±\s0\.087\sinstructions a cycle/);
  assert.match(await row(/^power/).innerText(), /–/);
});

test('an interval wider than the total is explained in words, with the next step', async (t) => {
  const { value_s } = RUN.designs[0].projection;
  const { page } = await open(t, null, null, {}, { half_width_s: 16.06 * value_s, relative_half_width: 16.06 });
  const words = /nothing useful is known yet: the interval is wider than the total itself; more samples narrow it/;
  await page.locator('.strip').getByText(words).waitFor();
  assert.match(await page.getByRole('row', { name: /^Sampling error/ }).innerText(), words);
  assert.match(await page.getByRole('row', { name: /^Sum of durations/ }).innerText(), /not known yet/);
  assert.doesNotMatch(await page.locator('.strip').innerText(), /1\s?606/);
});
