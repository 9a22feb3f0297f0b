// The browser computes no statistic: on every page of a real farm that shows numbers, each number with its full
// precision (<data value>) is in an answer of the API, with equal digits. What a page may do with them is
// named below.
import assert from 'node:assert/strict';
import { becomes, enter, settled, SIMULATION_MS, stage, test, until } from '../harness.mjs';

const { browser, farm } = await stage({ mock: false, farm: { workers: 2 } });

/** Fills the farm: the example is planned, run on two designs, and one launch is recorded. Returns the addresses of all pages. */
async function filled() {
  const { import: id } = await farm.api('POST', '/examples/tiny-gpt');
  await until('the example', async () => (await farm.api('GET', `/imports/${id}`)).state === 'ready', Boolean, SIMULATION_MS);
  const [workload] = (await farm.api('GET', '/workloads')).items, profile = workload.profile.id;
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100', 'h100'], engine: 'cycle' });
  await farm.finished(run.id);
  const { result } = (await farm.api('GET', `/runs/${run.id}/jobs?state=done&limit=1`)).items[0];
  await farm.api('POST', `/results/${result}/series`);
  await until('the recording', async () => (await farm.api('GET', `/results/${result}`)).series?.state === 'done', Boolean, SIMULATION_MS);
  return { '/': 1, [`/workloads/${workload.id}`]: 8, [`/profiles/${profile}?plan=${plan.id}`]: 60, '/plans': 3, [`/plans/${plan.id}`]: 60, '/runs': 1, [`/runs/${run.id}?design=h100&by=class`]: 60, [`/runs/${run.id}?design=h100&report=yes`]: 60,
    [`/compare?base=${run.id}:v100&with=${run.id}:h100`]: 5, [`/results/${result}`]: 20, '/farm': 10, '/team/default': 1 };
}

/** Collects all numbers of an answer, including those in strings. @param {any} v @param {Set<number>} into */
function collect(v, into) {
  if (typeof v === 'number' || (typeof v === 'string' && v !== '' && Number.isFinite(Number(v)))) into.add(Number(v));
  else if (v && typeof v === 'object') for (const x of Object.values(v)) collect(x, into);
}

/** Numbers that a page may derive from an answer: the length of a received list; in an element that is marked as a change, a ratio minus one; an end of a picture's colour scale, which the visitor drags.
 * @param {number} value @param {{ change: boolean, ramp: boolean }} where @param {Set<number>} known @param {Set<number>} lengths */
const allowed = (value, where, known, lengths) => where.ramp || (where.change ? [...known].some((k) => k - 1 === value) : known.has(value) || lengths.has(value));

test('every number of every page equals a number of the API, to the last digit', async (t) => {
  const pages = await filled();
  const { page, context } = await enter(browser, farm);
  /** @type {Promise<void>[]} */
  let reading = [];
  let known = new Set(), lengths = new Set();
  page.on('response', (answer) => {
    if (!answer.url().includes('/api/v1/') || !(answer.headers()['content-type'] ?? '').includes('json')) return;
    reading.push(answer.json().then((json) => {
      collect(json, known);
      for (const list of Object.values(json).filter(Array.isArray)) lengths.add(list.length);
    }, () => { /* the page was left before the answer came */ }));
  });
  const reported = [];
  let changes = 0;
  for (const [address, least] of Object.entries(pages)) {
    [reading, known, lengths] = [[], new Set(), new Set()];
    await page.goto(address);
    await settled(page);
    let numbers;
    await becomes(async () => {
      if (address === '/farm') collect(await farm.api('GET', '/farm'), known); // the page also takes numbers from events, which this test does not read
      const shown = await page.evaluate(() => [...document.querySelectorAll('main data[value]')].map((el) => ({ value: el.getAttribute('value'), text: el.textContent, where: { ramp: el.closest('.ramp') !== null, change: el.hasAttribute('data-change') } })));
      await Promise.all(reading); // wait also for answers that arrived while the page was being read
      numbers = shown.filter(({ value }) => value !== '' && Number.isFinite(Number(value)));
      return numbers.filter(({ value, where }) => !allowed(Number(value), where, known, lengths));
    }, [], `${address} shows numbers that the API does not have`);
    changes += numbers.filter(({ where }) => where.change).length;
    assert.ok(numbers.length >= least, `${address}: ${numbers.length} numbers`);
    reported.push(`${address.replace(/[0-9a-f-]{36}/g, 'ID')} ${numbers.length}`);
  }
  assert.ok(changes > 0, 'changes are marked');
  t.diagnostic(reported.join(', '));
  await context.close();
});
