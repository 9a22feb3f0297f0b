// Live progress: first with a mock server, where the test decides the order of events; then on a farm that loses a worker and
// is stopped in the middle.
import assert from 'node:assert/strict';
import { good, report, ScriptedWorker, tracedPlan } from '../../../tests/api/scripted_worker.mjs';
import { assertClean, enter, openPage, patience, RECONNECT_MS, said, settled, stage, test, UNKNOWN_VISITOR, until } from '../harness.mjs';
import { progress } from '../mock.mjs';

const { browser, mock, farm } = await stage({ farm: { args: ['--test-heartbeat', '1s', '--test-dead-after', '15s'] } });

const bumpRun = (done) => { mock.world.runs.r1.counts.done = done; };

test('events update title, bar and strip without a reload; an old event changes nothing', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.evaluate(() => { window.same = true; });
  bumpRun(160);
  mock.world.runs.r1.designs[0].projection.value_s = 44.1;
  mock.send('run.progress', progress(160, 44.1));
  await page.locator('.barwords', { hasText: /^Running: 160 done.* of 266.jobs on 3.designs/ }).waitFor();
  await page.getByText('44.1', { exact: true }).waitFor();
  await page.locator('.barwords', { hasText: '160 done' }).waitFor();
  await page.locator('.strip', { hasText: /95\s% interval, ± [\d.]+\s% so far/ }).waitFor(); // while the run is running, the page calls nothing final
  // An event from before the snapshot must not undo the snapshot. The next event shows that the page has read the old one.
  await page.evaluate(() => {
    window.titles = [];
    new MutationObserver(() => window.titles.push(document.querySelector('.barwords').textContent)).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
  });
  for (const stream of mock.streams) stream.write(`id: 7\nevent: run.progress\ndata: ${JSON.stringify(progress(12, 99))}\n\n`);
  bumpRun(161);
  mock.send('run.progress', progress(161, 44.1));
  await page.locator('.barwords', { hasText: '161 done' }).waitFor();
  assert.deepEqual((await page.evaluate(() => window.titles)).filter((t) => !/16[01] done/.test(t)), []);
  assert.equal(await page.evaluate(() => window.same), true);
  await context.close();
});

test('an event that is older than the run’s data still causes the tables to be read again', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  const asked = () => mock.requests.filter((r) => r.startsWith('GET /api/v1/runs/r1/strata')).length;
  const before = asked();
  for (const stream of mock.streams) stream.write(`id: 1\nevent: run.progress\ndata: ${JSON.stringify(progress(12, 99))}\n\n`);
  await until('the strata to be read again', async () => asked() > before);
  await context.close();
});

test('the end of a run is announced once, in words', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.evaluate(() => { // each toast is a separate element
    window.reported = [];
    new MutationObserver((all) => window.reported.push(...all.flatMap((m) => [...m.addedNodes]).filter((n) => n.matches?.('.toast')).map((n) => n.textContent))).observe(document.querySelector('.toasts'), { childList: true });
  });
  Object.assign(mock.world.runs.r1, { state: 'done', counts: { blocked: 0, ready: 0, leased: 0, done: 264, failed: 2, cancelled: 0 } });
  const end = (value) => {
    mock.world.runs.r1.designs[0].projection.value_s = value;
    mock.send('run.progress', progress(264, value, { state: 'done', leased: 0, ready: 0, blocked: 0 }));
  };
  end(43.7);
  await page.locator('.barwords', { hasText: /^Run finished: 264 done, 2 failed of 266/ }).waitFor();
  await said(page, 'The run is finished.');
  end(44.2); // the result is reported again, with a later value
  await page.getByText('44.2', { exact: true }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.reported), ['The run is finished.']);
  assert.doesNotMatch(await page.locator('.strip').innerText(), /so far/);
  await context.close();
});

test('jobs whose simulator version no worker has are shown, with the next step', async () => {
  const { page, context } = await openPage(browser, mock.url);
  const { r1 } = mock.world.runs, was = structuredClone(r1);
  Object.assign(r1, { simulator: '0.5.4', stranded: { jobs: 60, workers: 2, simulators: ['0.5.5'] } });
  Object.assign(r1.counts, { leased: 0, ready: 60 });
  await page.goto('/runs/r1');
  const notice = page.locator('.notice', { hasText: 'for simulator 0.5.4, which no connected worker has: they have 0.5.5' });
  await notice.waitFor();
  assert.match(await notice.innerText(), /vivace run restart r1 --simulator new/);
  assert.equal(await page.getByText(/no worker has taken one/).count(), 0);
  mock.world.runs.r1 = was;
  await context.close();
});

test('jobs without a worker are reported if the state lasts, not between two jobs', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.clock.install();
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.clock.pauseAt(Date.now() + 60000);
  const notice = page.getByText(/wait and no worker has taken one/);
  /** Advances the page's clock in small steps until that number is shown. Returns how far the clock went, in ms. */
  const shown = async (locator, n) => {
    let ms = 0;
    await until(`${n} of ${locator}`, async () => {
      if (await locator.count() === n) return true;
      await page.clock.runFor(10);
      ms += 10;
      return false;
    });
    return ms;
  };
  const nobody = (done) => {
    Object.assign(mock.world.runs.r1.counts, { done, leased: 0, ready: 60 });
    mock.send('run.progress', progress(done, 43.6, { leased: 0, ready: 60 }));
    return shown(page.locator('.barwords', { hasText: `${done} done` }), 1);
  };
  await page.clock.runFor(4000 - await nobody(160));
  assert.equal(await notice.count(), 0, 'for a moment no worker has a job');
  await page.clock.runFor(2000);
  await shown(notice, 1);
  Object.assign(mock.world.runs.r1.counts, { leased: 4, ready: 56 });
  mock.send('run.progress', progress(160, 43.6, { leased: 4, ready: 56 }));
  await shown(notice, 0);
  await context.close();
});

test('a broken stream is reported, retried with the last id, and receives the missed events', async () => {
  const { page, context } = await openPage(browser, mock.url);
  await page.goto('/runs/r1');
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  bumpRun(157);
  mock.send('run.progress', progress(157, 43.6));
  await page.locator('.barwords', { hasText: '157 done' }).waitFor();
  mock.streamDown = true;
  mock.dropStreams();
  await page.locator('.badge', { hasText: /stale since \d\d:\d\d/ }).waitFor({ timeout: patience(RECONNECT_MS) });
  // A page that is stale polls its snapshot.
  bumpRun(170);
  await page.locator('.barwords', { hasText: '170 done' }).waitFor({ timeout: patience(RECONNECT_MS) });
  mock.streamDown = false;
  await page.locator('.badge', { hasText: 'live' }).waitFor({ timeout: patience(RECONNECT_MS) });
  bumpRun(180);
  mock.send('run.progress', progress(180, 43.6));
  await page.locator('.barwords', { hasText: '180 done' }).waitFor();
  assert.equal(mock.lastEventIds.at(-1), String(101), 'the new stream sent the id of the last event');
  await context.close();
});

/** The finished samples, as the table of strata shows them. */
const doneInTable = (page) => page.getByRole('table', { name: 'Strata of the run' }).locator('tbody td:nth-child(4)').evaluateAll((cells) => cells.reduce((sum, c) => sum + Number(c.textContent.split('/')[0].replace(/\D/g, '')), 0));
const isDone = (page, jobs) => page.locator('.barwords', { hasText: new RegExp(`: ${jobs} done`) }).waitFor();

test('on a farm: bar, strip, picture and table change; a lost worker is reported; after a server stop missed events arrive, each once', async () => {
  const run = await farm.api('POST', `/plans/${(await tracedPlan(farm, { error: 0.05 })).id}/runs`, { engine: 'cycle', designs: ['v100'] });
  const { page, seen, context } = await enter(browser, farm);
  await page.goto(`/runs/${run.id}`);
  await settled(page);
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.evaluate(() => { window.same = true; });

  // A worker takes a job and sends nothing more, as after kill -9.
  const doomed = await new ScriptedWorker(farm, { name: 'doomed' }).open();
  const [lost] = await doomed.claim(1);
  farm.psql(`UPDATE worker_session SET seen_at = seen_at - interval '1 minute' WHERE id = '${doomed.session}'`);
  await page.getByText(/^Worker doomed vanished while it simulated launch \d+ on v100/).first().waitFor({ timeout: patience(RECONNECT_MS) });
  assert.ok((await farm.api('GET', `/runs/${run.id}`)).counts.done === 0);

  let worker = await new ScriptedWorker(farm, { name: 'steady' }).openAlive();
  const work = async (n) => { for (let i = 0; i < n; i += 1) await worker.finish(await worker.claim(1), (l) => 100000 + (l.launch * 37) % 1009); };
  const part = run.jobs - 4;
  await work(part);
  await isDone(page, part);
  await until('the strip to show the farm’s projection', async () => {
    const { value_s: value } = (await farm.api('GET', `/runs/${run.id}`)).designs[0].projection;
    return value !== null && await page.locator(`.strip data[value="${value}"]`).count() > 0;
  });
  await until('the table to follow', async () => (await doneInTable(page)) === part);
  const picture = page.locator('.picture svg.plot').first();
  await picture.waitFor();
  const drawn = await picture.innerHTML();
  await work(2);
  await isDone(page, part + 2);
  await until('the picture to follow', async () => (await picture.innerHTML()) !== drawn);

  await farm.kill('SIGTERM');
  await page.locator('.badge', { hasText: /stale since \d\d:\d\d/ }).waitFor({ timeout: patience(RECONNECT_MS) });
  await farm.start();
  await page.locator('.badge', { hasText: 'live' }).waitFor({ timeout: patience(RECONNECT_MS) });
  worker.fallSilent();
  worker = await new ScriptedWorker(farm, { name: 'later' }).openAlive();
  await work(2);
  worker.fallSilent();
  await page.locator('.barwords', { hasText: new RegExp(`^Run finished: ${run.jobs} done`) }).waitFor();
  await doomed.complete([good(lost, 123456)]).catch((e) => assert.equal(e.status, 410)); // the lost worker returns too late
  await isDone(page, run.jobs);
  await until('the table to be whole', async () => (await doneInTable(page)) === run.jobs);
  assert.equal((await farm.api('GET', `/runs/${run.id}`)).counts.done, run.jobs);
  assert.equal(await page.evaluate(() => window.same), true, 'the page was not loaded again');
  assertClean(seen, [UNKNOWN_VISITOR, /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|503/]);
  await context.close();
});

test('a run that waits for traces is shown as such, and its buttons change it in all tabs', async () => {
  const profile = await farm.profile(report(2), { name: 'report-2.csv', workload: 'waiting' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 3 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { designs: ['v100'], engine: 'cycle' });
  const { page, seen, context } = await enter(browser, farm);
  await page.goto(`/runs/${run.id}`);
  await settled(page);
  await page.getByText(`${plan.samples_count} of ${plan.samples_count} traces are missing`).waitFor();
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.getByRole('button', { name: 'Which ones' }).click();
  await page.getByRole('table', { name: 'Missing traces' }).waitFor();
  await farm.api('POST', `/runs/${run.id}/pause`);
  await page.locator('.barwords', { hasText: /^Run paused/ }).waitFor();
  await farm.api('POST', `/runs/${run.id}/resume`);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('button', { name: 'Undo cancelling' }).waitFor();
  farm.psql(`UPDATE run SET cancel_at = now() WHERE id = '${run.id}'`); // the ten seconds in which the user can undo are over
  await page.locator('.barwords', { hasText: /^Run cancelled/ }).waitFor();
  assertClean(seen, [UNKNOWN_VISITOR]);
  await context.close();
});
