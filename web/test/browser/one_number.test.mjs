// One difference, one number: value, half-width, level and verdict of a difference are the same wherever it is shown, also
// while a run is extended, between two interim analyses, and where two of many designs are compared.
import { before } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { program, until } from '../../../tests/api/harness.mjs';
import { parsed } from '../../../tests/api/csv_text.mjs';
import { report, ScriptedWorker, sha256, trace } from '../../../tests/api/scripted_worker.mjs';
import { change, level as levelText } from '../../ui/format.js';
import { enter, openPage, settled, shot, stage, test } from '../harness.mjs';

const { browser, farm } = await stage({ mock: false, farm: { args: ['--test-dead-after', '15min'] } }); // its scripted worker sends no heartbeats
let worker, clock, profiles = 0;
before(async () => {
  worker = await new ScriptedWorker(farm, { slots: 16 }).open();
  clock = Object.fromEntries((await farm.api('GET', '/designs')).items.map((d) => [d.name, d.clock_hz]));
});

const getRun = (id) => farm.api('GET', `/runs/${id}`);
const cliEnv = () => ({ ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token });
const cli = (...args) => execFileSync(program('vivace'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: cliEnv() });

/** The time of a launch: a factor of each design, plus up to 4 % that is only partly correlated between designs. */
const seconds = (l) => {
  const salt = [...l.design_name].reduce((n, c) => n + c.charCodeAt(0), 0), i = l.launch;
  return (1000 + ((i * 7919) % 1009)) * 1e-6 * (l.design_name === 'v100' ? 1 : 0.9) * (1 + 0.04 * (((i * salt) % 97) / 97));
};
const work = () => worker.drain((l) => Math.round(seconds(l) * clock[l.design_name]));

async function newPlan(error = 0.1) {
  const seed = ++profiles, profile = await farm.profile(report(seed), { name: `report-${seed}.csv`, workload: `one number ${seed}` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error, confidence: 0.95, seed: 1 });
  return { ...plan, salt: 1000 * seed };
}

/** Sends the traces that a plan still needs, at most `most` of them. */
async function bind(plan, salt, most = Infinity) {
  const { missing } = await farm.api('GET', `/plans/${plan}/traces`);
  const samples = new Map((await farm.api('GET', `/plans/${plan}/samples?limit=1000`)).items.map((s) => [s.launch, s]));
  const traces = await Promise.all(missing.slice(0, most).map(async ({ launch }) => {
    const s = samples.get(launch), bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: launch + salt });
    await farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes, { 'Content-Type': 'application/octet-stream' });
    return { sha256: sha256(bytes), context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block };
  }));
  if (traces.length > 0) await farm.api('POST', `/plans/${plan}/traces`, { traces });
}

async function started(plan, designs, rule = {}) {
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'cycle', designs, cache_check: 0, ...rule });
  await bind(run.plan, plan.salt);
  return run;
}
async function finished(plan, id) {
  return until('the run to end', async () => {
    const r = await getRun(id);
    if (r.state !== 'running') return r;
    await bind(r.plan, plan.salt);
    await work();
    return null;
  }, 60000);
}
async function simulated(plan, designs) {
  const run = await started(plan, designs);
  return finished(plan, run.id);
}
/** Brings an extension half way: half of its launches have traces, and these are simulated. */
async function halfWay(plan, id) {
  const open = await until('the extension', async () => {
    const r = await getRun(id);
    return r.counts.blocked > 0 && r;
  });
  const missing = open.counts.blocked / open.designs.length;
  await bind(open.plan, plan.salt, Math.ceil(missing / 2));
  await until('half of it to be simulated', async () => (await work(), (await getRun(id)).counts.done > open.counts.done));
  await until('its projection', async () => {
    const [at, version] = farm.psql(`SELECT projected_version, version FROM run WHERE id = '${id}'`).trim().split('|');
    return at === version;
  });
  return getRun(id);
}

// --- Where a difference is shown ---

/** The numbers that must be the same at every place. */
const numbers = (d) => ({ ratio: d.ratio, half: d.ratio_half_width, level: d.level, distinguishable: d.distinguishable });
const ofDesign = (list, design) => list.find((d) => d.design === design);

/** The unrounded answers, by their source. */
async function exact(run, base, design) {
  const shown = await getRun(run), json = (...args) => JSON.parse(cli(...args, run, '--json'));
  const all = {
    'API compare': ofDesign((await farm.api('GET', `/compare?base=${run}:${base}&with=${run}:${design}`)).items, design),
    'API compare of the run': ofDesign((await farm.api('GET', `/runs/${run}/compare?baseline=${base}`)).items, design),
    'vivace run compare --json': ofDesign(JSON.parse(cli('compare', run, '--baseline', base, '--json')).items, design),
  };
  if (shown.designs[0].design === base) {
    Object.assign(all, {
      'API run': ofDesign(shown.designs, design).baseline,
      'API projection': ofDesign((await farm.api('GET', `/runs/${run}/projection`)).comparison, design),
      'vivace run show --json': ofDesign(json('run', 'show').run.designs, design).baseline,
      'vivace run projection --json': ofDesign(json('projection').comparison, design),
    });
  }
  const fromCsv = (text) => {
    const row = parsed(text.replaceAll(/\r?\n/g, '\r\n')).find((r) => r.design === design);
    return { ratio: Number(row.ratio), ratio_half_width: Number(row.ratio_half_width), level: Number(row.level), distinguishable: ['true', 'yes'].includes(row.distinguishable) };
  };
  all['CSV of compare'] = fromCsv(await (await farm.request('GET', `/compare?base=${run}:${base}&with=${run}:${design}&format=csv`)).text());
  all['CSV of the run'] = fromCsv(await (await farm.request('GET', `/runs/${run}/compare?baseline=${base}&format=csv`)).text());
  all['vivace run compare --csv'] = fromCsv(cli('compare', run, '--baseline', base, '--csv'));
  return Object.fromEntries(Object.entries(all).map(([where, d]) => [where, numbers(d)]));
}

/** The number that a value is rounded to when it is printed. */
function rounds(text, value, where) {
  const [number] = /[\d.]+/.exec(text.replaceAll(/[\u2009\u202f ](?=\d{3})/g, '')), places = (number.split('.')[1] ?? '').length;
  assert.ok(Math.abs(Number(number) - Math.abs(value)) <= 0.5001 * 10 ** -places, `${where}: ${text} is not ${value}`);
}

/** The command line's texts. */
function texts(run, base, design, d) {
  const sentence = (where, text) => {
    const line = text.split('\n').find((l) => l.includes(`${design} against ${base}:`));
    const found = /ratio ([\d.]+) ± ([\d.]+) × at ([\d.]+) %.*; (.*)$/.exec(line ?? '');
    assert.ok(found, `${where}: ${line}`);
    rounds(found[1], d.ratio, where);
    rounds(found[2], d.half, where);
    rounds(found[3], 100 * d.level, where);
    assert.equal(found[4].startsWith('a real difference'), d.distinguishable, `${where}: ${line}`);
  };
  sentence('vivace run show', cli('run', 'show', run));
  sentence('vivace run projection', cli('projection', run));
  const row = cli('compare', run, '--baseline', base).split('\n').find((l) => l.trimStart().startsWith(`${design} `));
  const found = /([\d.]+) ± ([\d.]+) × +([\d.]+) %.* (true|false|yes|no) +(?:true|false|yes|no) +\d+\s*$/.exec(row);
  assert.ok(found, `vivace run compare: ${row}`);
  rounds(found[1], d.ratio, 'vivace run compare');
  rounds(found[2], d.half, 'vivace run compare');
  rounds(found[3], 100 * d.level, 'vivace run compare');
  assert.equal(['true', 'yes'].includes(found[4]), d.distinguishable, `vivace run compare: ${row}`);
}

const plain = (text) => text.replaceAll(/\s+/g, ' ');
/** A run's page: the strip of one design. */
async function runPage(page, where, base, design, d) {
  await settled(page);
  const fact = page.locator('.strip > *', { hasText: `Against ${base}` }), shown = change(d.ratio - 1, d.half);
  assert.equal(await fact.locator('data').first().getAttribute('value'), String(d.ratio - 1), where);
  const text = plain(await fact.innerText());
  for (const part of [shown.value, `± ${shown.half}`, `at ${levelText(d.level)}`].map(plain)) assert.ok(text.includes(part), `${where}: ${text} has no ${part}`);
  assert.equal(/not distinguishable/.test(text), !d.distinguishable, `${where}: ${text}`);
}

async function pages(run, base, design, d, name) {
  const owner = await enter(browser, farm);
  await owner.page.goto(`/runs/${run}?design=${design}`);
  await runPage(owner.page, 'the run’s page', base, design, d);
  await shot(owner.page, `one-number-run-${name}`);
  await owner.page.goto(`/compare?base=${run}:${base}&with=${run}:${design}`);
  await settled(owner.page);
  const row = owner.page.getByRole('table', { name: 'Compared designs' }).getByRole('row').filter({ has: owner.page.getByRole('button', { name: design, exact: true }) });
  const shown = change(d.ratio - 1, d.half), data = row.locator('data[data-change]');
  assert.equal(await data.getAttribute('value'), String(d.ratio - 1), 'Compare');
  const text = plain(await row.innerText());
  for (const part of [`${shown.value} ± ${shown.half}`, levelText(d.level)].map(plain)) assert.ok(text.includes(part), `Compare: ${text} has no ${part}`);
  assert.equal(/not distinguishable/.test(text), !d.distinguishable, `Compare: ${text}`);
  await shot(owner.page, `one-number-compare-${name}`);
  await owner.context.close();
  for (const frozen of [false, true]) {
    const link = await farm.api('POST', '/shares', { kind: 'run', object: run, frozen });
    const guest = await openPage(browser, farm.url);
    await guest.page.goto(link.url);
    await guest.page.getByText(/You see one run/).waitFor();
    await guest.page.goto(`${link.url}/runs/${run}?design=${design}`);
    await runPage(guest.page, `a ${frozen ? 'frozen ' : ''}shared page`, base, design, d);
    await guest.context.close();
  }
}

/** Checks that all places agree and returns their common numbers. Pages and texts are checked only if `base` is the run's first design. */
async function agreed(run, base, design, name) {
  const all = await exact(run, base, design), [first] = Object.values(all);
  assert.deepEqual(all, Object.fromEntries(Object.keys(all).map((where) => [where, first])), `${design} against ${base}`);
  if (first.distinguishable) assert.ok(Math.abs(first.ratio - 1) > first.half, `a real difference over an interval that holds none: ${JSON.stringify(first)}`);
  if ('API run' in all) {
    texts(run, base, design, first);
    if (name) await pages(run, base, design, first, name);
  }
  return first;
}

/** Each place says when it shows an older answer. */
async function assertLabelled(id, { answer: { under_way: more } }) {
  const label = /shown: the last complete answer, of .*, from \d+ launches on each design; it stays until the next one\nunder way: (\d+) jobs for the next answer, \1 to go, \1 of them blocked on (\d+) missing traces/;
  for (const text of [cli('run', 'show', id), cli('projection', id), cli('compare', id)]) assert.deepEqual(label.exec(text)?.slice(1).map(Number), [more.jobs, more.missing_traces], text);
  const compared = await farm.api('GET', `/compare?base=${id}:v100&with=${id}:h100`);
  for (const shown of [compared.base.answer, compared.items[0].answer, (await farm.api('GET', `/runs/${id}/projection`)).answer, (await farm.api('GET', `/runs/${id}/compare`)).answer]) assert.deepEqual(shown.under_way, more);
  const { page, context } = await enter(browser, farm);
  for (const address of [`/runs/${id}`, `/compare?base=${id}:v100&with=${id}:h100`]) {
    await page.goto(address);
    await page.getByText(/Shown is the last complete answer/).filter({ hasText: new RegExp(`For the next one ${more.jobs}\\sjobs are simulated, ${more.open} to go, ${more.blocked} of them blocked on ${more.missing_traces}\\smissing traces`) }).waitFor();
  }
  await context.close();
}

const THREE = ['v100', 'h100', 'a100'];
test('a finished run, extended: during the extension and finished', { limitMs: 300000 }, async () => {
  const plan = await newPlan(), { id } = await simulated(plan, THREE);
  const before = await agreed(id, 'v100', 'h100', 'finished');
  await agreed(id, 'v100', 'a100');
  await agreed(id, 'h100', 'a100');
  const cost = await farm.api('POST', `/runs/${id}/extend/cost`, { resolve: 0.0005 });
  assert.deepEqual(cost, (await farm.api('GET', `/compare?base=${id}:v100&with=${id}:h100&resolve=0.0005`)).resolve);
  assert.deepEqual(cost.designs, THREE.map((design) => ({ design, jobs: cost.samples })), 'pairs stay pairs');
  assert.deepEqual([cost.decision, cost.jobs, cost.missing_traces, cost.why_not], ['more', 3 * cost.samples, cost.samples, null]);
  assert.equal((await getRun(id)).state, 'done', 'asking changes nothing');
  const { stderr } = spawnSync(program('vivace'), ['run', 'extend', id, '--resolve', '0.05%'], { encoding: 'utf8', env: cliEnv() });
  assert.match(stderr, new RegExp(`^cost: ${cost.samples} launches more on all 3 designs of the run: ${cost.jobs} jobs \\(v100 ${cost.samples}, h100 ${cost.samples}, a100 ${cost.samples}\\)\n +${cost.samples} traces are missing`));
  await until('the look', async () => (await getRun(id)).counts.blocked > 0);
  const look = await getRun(id);
  assert.deepEqual([look.counts.blocked, look.jobs - look.counts.done], [cost.jobs, cost.jobs], 'what was announced is what is queued');
  assert.deepEqual(look.answer, { ...look.answer, final: true, under_way: { jobs: cost.jobs, open: cost.jobs, blocked: cost.jobs, missing_traces: cost.samples, designs: 3, cancelled: false } });
  await assertLabelled(id, look);
  const half = await halfWay(plan, id);
  assert.equal(half.state, 'running');
  assert.ok(half.counts.blocked > 0 && half.counts.done > 0);
  assert.deepEqual(await agreed(id, 'v100', 'h100', 'half-way'), before, 'a finished answer stays until the next one');
  const done = await finished(plan, id);
  assert.equal(done.state, 'done');
  await agreed(id, 'v100', 'h100', 'extended');
  await agreed(id, 'v100', 'a100');
  await agreed(id, 'h100', 'v100');
});

test('an extension that is undone or cancelled does not change the answer', { limitMs: 300000 }, async () => {
  for (const end of ['undo', 'cancel']) {
    const plan = await newPlan(), { id } = await simulated(plan, THREE), before = await agreed(id, 'v100', 'h100');
    await farm.api('POST', `/runs/${id}/extend`, { resolve: 0.0005 });
    await halfWay(plan, id);
    await farm.api('POST', `/runs/${id}/${end === 'undo' ? 'looks/1/undo' : 'cancel'}`, {});
    await until('its end', async () => (await getRun(id)).state !== 'running');
    assert.deepEqual(await agreed(id, 'v100', 'h100', end), before, end);
    assert.equal((await getRun(id)).answer.under_way?.cancelled ?? false, end === 'cancel');
  }
});

test('a run with a rule, between two interim analyses', { limitMs: 300000 }, async () => {
  const plan = await newPlan(0.02), run = await started(plan, THREE, { until: 0.005, resolve: 0.0005 });
  await until('the first interim analysis', async () => (await work(), (await getRun(run.id)).looks.length > 0));
  const half = await halfWay(plan, run.id);
  assert.equal(half.looks.length, 1);
  const between = await agreed(run.id, 'v100', 'h100', 'between');
  assert.equal(between.level, half.looks[0].promises.find((p) => p.difference && p.design === 'h100').level, 'that of the last interim analysis');
});

test('two of many designs are compared, and the run decides whether they are distinguishable', { limitMs: 300000 }, async () => {
  const designs = Object.keys(clock).sort((a, b) => Number(b === 'v100') - Number(a === 'v100') || a.localeCompare(b)).slice(0, 12);
  const plan = await newPlan(), { id } = await simulated(plan, designs);
  assert.equal(designs.length, 12);
  const [base, , other] = designs, reported = await agreed(id, base, other, 'twelve');
  assert.ok(Math.abs(reported.level - (1 - 0.05 / 11)) < 1e-12, `eleven intervals hold together: ${reported.level}`);
  await agreed(id, other, base);
  // more samples for two designs means more samples for all designs: the button and then its dialog say so
  const { resolve } = await farm.api('GET', `/compare?base=${id}:${base}&with=${id}:${other}&resolve=0.01`);
  assert.deepEqual([resolve.designs.length, resolve.jobs], [12, 12 * resolve.samples]);
  const { page, context } = await enter(browser, farm);
  await page.goto(`/compare?base=${id}:${base}&with=${id}:${other}`);
  const words = new RegExp(`${resolve.samples}\\smore\\slaunch(es)? on all 12\\sdesigns of the run: ${resolve.jobs}\\sjobs`);
  await page.getByText(words).waitFor();
  await page.getByRole('button', { name: `Simulate ${resolve.jobs} more…` }).click();
  const dialog = page.getByRole('dialog', { name: /^Simulate \d+\smore\sjobs\?$/ });
  await dialog.getByText(words).waitFor();
  await dialog.getByText(/traces? (is|are) missing/).waitFor();
  await shot(page, 'one-number-dialog');
  await dialog.getByRole('button', { name: 'Leave it' }).click();
  assert.equal((await getRun(id)).state, 'done', 'nothing was begun');
  await page.getByRole('button', { name: /^Simulate \d+ more…$/ }).click();
  await dialog.getByRole('button', { name: 'Simulate', exact: true }).click();
  await until('the jobs', async () => (await getRun(id)).jobs === 12 * plan.samples_count + resolve.jobs);
  await page.getByText(/Shown is the last complete answer/).waitFor();
  await context.close();
});
