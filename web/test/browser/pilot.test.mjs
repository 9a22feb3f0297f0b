// A profile of counts: the dialog "Plan" offers a pilot, shows how far it is, and the profile's page keeps it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe, becomes, openPage, patience, settled, shot, SIMULATION_MS, stage, test } from '../harness.mjs';
import { program, root, startFarm } from '../../../tests/api/harness.mjs';

const { browser, mock } = await stage();
const steps = (within) => within.locator('.steps li').evaluateAll((list) => list.map((li) => li.className));
const move = (pilot, change) => {
  Object.assign(pilot, change);
  mock.send('pilot.state', { pilot: pilot.id, state: pilot.state });
};

for (const theme of ['light', 'dark']) {
  test(`a pilot from the dialog: started, followed, failed, retried, planned (${theme})`, async () => {
    const { page, context, seen } = await openPage(browser, mock.url, { theme });
    await page.goto('/profiles/f2');
    await settled(page);
    assert.equal(await page.getByRole('heading', { name: 'Pilots' }).count(), 0);
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Plan' });
    const choice = dialog.getByLabel('Simulate first');
    await choice.waitFor();
    await becomes(() => choice.inputValue(), '');
    await dialog.getByText('time follows counts loosely').waitFor();
    await dialog.getByText('Plan for seconds').waitFor();
    assert.equal(await dialog.getByLabel('Sure to keep it').count(), 0, 'nothing is assured for counts');
    await choice.selectOption('h100');
    await dialog.getByText('The farm simulates 3 launches, one of each shape').waitFor();
    assert.equal(await dialog.getByText('Plan for seconds').count(), 0, 'what simulations of cycles take is not known yet');
    assert.equal(await dialog.getByText('Scored on this profile').count(), 0, 'what it scores on counts says nothing of cycles');
    await dialog.getByLabel('Error at most').fill('2');
    assert.deepEqual(await axe(page), []);
    await shot(page, `pilot-dialog-${theme}`);
    const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/profiles/f2/pilots')), dialog.getByRole('button', { name: 'Simulate, then plan' }).click()]);
    assert.deepEqual(request.postDataJSON(), { design: 'h100', plan: { method: 'vivace', error: 0.02, confidence: 0.95, seed: 1, noise_floor: 0.005 } });
    await becomes(() => steps(dialog), ['done', 'now', 'later', 'later']);

    const [pilot] = mock.world.pilots;
    move(pilot, { state: 'simulating', run: 'r1', run_state: 'running', simulated: 1 });
    await dialog.getByText('1 of 3').waitFor();
    assert.deepEqual(await axe(page), []);
    await shot(page, `pilot-goes-on-${theme}`);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const card = page.locator('.card', { hasText: 'Pilots' });
    await card.getByText('1 of 3').waitFor();
    move(pilot, { state: 'failed', run_state: 'failed', simulated: 0, not_simulated: 3, problem: 'none of its launches could be simulated; the first: no such instruction', hint: "The pilot's run shows why each launch failed. Correct that, then try the pilot again.", finished_at: new Date().toISOString() });
    await card.getByRole('alert').getByText('None of its launches could be simulated; the first: no such instruction.').waitFor();
    await becomes(() => steps(card), ['done', 'bad', 'later', 'later']);
    assert.deepEqual(await axe(page), []);
    await shot(page, `pilot-failed-${theme}`);
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText('try 2').waitFor();
    await becomes(() => steps(card), ['done', 'now', 'later', 'later']);
    move(pilot, { state: 'planning', run: 'r2', run_state: 'done', simulated: 2, not_simulated: 1, problem: 'the disk of the server’s stored files is full' });
    await card.getByText('It is tried again.').waitFor();
    await becomes(() => steps(card), ['done', 'done', 'now', 'later']);
    await card.getByRole('button', { name: 'Cancel the pilot' }).click();
    await card.getByText('Ann cancelled it.').waitFor();
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText('try 3').waitFor();
    move(pilot, { state: 'done', run: 'r2', run_state: 'done', cycles: 'f1', plan: 'p1', note: 'estimated from 2 launches simulated on h100: of 2 of 3 shapes; 4 % of the cycles are scaled by other shapes of the same kernel, 0 % by other kernels', finished_at: new Date().toISOString() });
    await card.getByRole('link', { name: 'Open the plan' }).waitFor();
    await becomes(() => steps(card), ['done', 'done', 'done', 'done']);
    await shot(page, `pilot-done-${theme}`);
    assert.deepEqual(await axe(page), []);
    assert.equal(await card.getByRole('link', { name: 'Open the plan' }).getAttribute('href'), '/plans/p1');
    assert.deepEqual(seen.errors, []);
    await context.close();
  });
}

test('a profile of times offers no pilot; a long method name does not widen a dialog', async () => {
  const { page, context } = await openPage(browser, mock.url);
  mock.world.methods[1].title = 'A method whose name is longer than those of most others (its artifact)';
  await page.goto('/profiles/f1');
  await settled(page);
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByRole('dialog', { name: 'Plan' }).getByLabel('Sure to keep it').waitFor();
  assert.equal(await page.getByLabel('Simulate first').count(), 0);
  const dialog = page.getByRole('dialog', { name: 'Plan' });
  await dialog.locator('option', { hasText: 'longer than' }).waitFor({ state: 'attached' });
  assert.deepEqual(await dialog.evaluate((d) => [d.scrollWidth - d.clientWidth, d.scrollLeft]), [0, 0]);
  await context.close();
});

test('on a real farm: from counts and traces to the plan on cycles', { timeout: 300000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-pilot-'));
  const farm = await startFarm({ workers: 1 });
  try {
    const counts = join(folder, 'counts.csv'), trace = join(folder, 'bfs.vtrace');
    execFileSync(program('vivace'), ['ptx', 'run', join(root, 'examples/bfs/launches.json'), '--profile', counts, '--trace', trace], { stdio: 'ignore' });
    const profile = await farm.profile(readFileSync(counts), { name: 'counts.csv', workload: 'bfs' });
    execFileSync(program('vivace'), ['push', trace, '--profile', profile.id], { stdio: 'ignore', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
    for (const theme of ['light', 'dark']) {
      const { page, context, seen } = await openPage(browser, farm.url, { theme });
      await page.goto(`/profiles/${profile.id}`);
      await page.getByLabel('Access token').fill(farm.token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await settled(page);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Plan' });
      await dialog.getByLabel('Simulate first').selectOption('v100');
      await shot(page, `pilot-real-question-${theme}`);
      await dialog.getByRole('button', { name: 'Simulate, then plan' }).click();
      await dialog.getByRole('link', { name: 'Open the plan' }).waitFor({ timeout: patience(SIMULATION_MS) });
      assert.deepEqual(await axe(page), []);
      await shot(page, `pilot-real-dialog-${theme}`);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.locator('.card', { hasText: 'Pilots' }).getByRole('link', { name: 'Open the plan' }).waitFor();
      await shot(page, `pilot-real-profile-${theme}`);
      await page.locator('.card', { hasText: 'Pilots' }).getByRole('link', { name: 'Open the plan' }).click();
      await page.getByText('cycles estimated for v100').first().waitFor();
      await settled(page);
      await shot(page, `pilot-real-plan-${theme}`);
      assert.deepEqual(seen.errors, []);
      await context.close();
    }
  } finally {
    await farm.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
