// Team, invitations, tokens, shared links: secrets are shown once, rights show in what a page offers.
import assert from 'node:assert/strict';
import { axe, openPage, said, shot, stage, test } from '../harness.mjs';
import { INVITATION } from '../mock.mjs';

const { browser, mock } = await stage();
const { page, seen } = await openPage(browser, mock.url); // one visitor for all tests: from the second test on, the files are in the cache

const row = (table, text) => page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

test('an invitation is an address that is shown once, with its secret after the #', async () => {
  await page.goto('/team/arch-lab');
  await page.getByRole('button', { name: 'Invite…' }).click();
  await page.getByRole('radio', { name: /^viewer/ }).check();
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  await page.getByText(`${mock.url}/join#${INVITATION}`).waitFor();
  await page.getByText('join as viewer, once').waitFor();
  assert.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(INVITATION).waitFor({ state: 'detached' });
});

test('an invited user registers a new account; an invalid invitation shows the next step', async () => {
  mock.loggedIn = false;
  await page.goto('/join#vvi_wrong');
  await page.getByLabel('User name').fill('new');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('ask for another one').waitFor();
  await page.getByLabel('Invitation').fill(INVITATION);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Workloads' }).waitFor();
  await page.getByRole('button', { name: 'Team arch-lab' }).waitFor();
  assert.equal(mock.requests.some((r) => r.includes(INVITATION)), false, 'no request address contains the secret');
  assert.deepEqual(seen.errors, []);
});

test('name and password open a session, and the log-in method is remembered', async () => {
  mock.loggedIn = false;
  await page.goto('/');
  await page.getByRole('button', { name: 'Name and password' }).click();
  await page.getByLabel('User name').fill('ann');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('do not belong together').waitFor();
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Workloads' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('User name').waitFor();
});

test('a member is removed by the second click only; role changes have effect at once', async () => {
  await page.goto('/team/arch-lab');
  await row('Members', 'bob').getByRole('button').click();
  assert.equal(mock.world.members.length, 4);
  await row('Members', 'bob').getByText('Sure?').click();
  await said(page, 'bob is out of the team.');
  await row('Members', 'bob').waitFor({ state: 'detached' });
  await page.getByLabel('Role of vic').selectOption('member');
  await said(page, 'vic is member now.');
  assert.equal(mock.world.members.find((m) => m.user === 'vic').role, 'member');
});

test('a token needs a name and a scope, and is shown once', async () => {
  await page.goto('/team/arch-lab');
  await page.getByRole('button', { name: 'Make a token…' }).click();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('The token has no name.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('notebook');
  for (const scope of ['read', 'write']) await page.getByRole('checkbox', { name: new RegExp(`^${scope}`) }).uncheck();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('The token may do nothing.').waitFor();
  await page.getByRole('checkbox', { name: /^read/ }).check();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText(`VIVACE_TOKEN=${mock.token}`).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await row('Tokens', 'notebook').waitFor();
  assert.deepEqual(mock.world.tokens.at(-1).scopes, ['read']);
});

test('a token that expires within 14 days is marked', async () => {
  mock.world.tokens.push({ ...mock.world.tokens[0], id: 't14', name: 'pool', expires_at: new Date(Date.now() + 13 * 86400000).toISOString() });
  await page.goto('/team/arch-lab');
  await row('Tokens', 'pool').getByText('soon:').waitFor();
  assert.equal(await page.getByText('soon:').count(), 1);
});

test('Share creates a link to the present view; revoking it needs a second click', async () => {
  await page.goto('/runs/r2');
  await page.getByRole('button', { name: 'Share…' }).click();
  await page.getByRole('checkbox', { name: /^frozen/ }).check();
  await shot(page, 'share-dialog');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByText(`${mock.url}/s/vvs_`).waitFor();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.goto('/team/arch-lab');
  await row('Shared links', 'for the review').getByText('Take back').click();
  await row('Shared links', 'for the review').getByText('Sure?').click();
  await said(page, 'The link shows nothing any more.');
  await row('Shared links', 'for the review').waitFor({ state: 'detached' });
});

test('the bar at the top switches to another team', async () => {
  await page.goto('/runs');
  await page.getByRole('button', { name: 'Team arch-lab' }).click();
  await page.getByRole('menuitem', { name: 'Work for compilers' }).click();
  await page.getByRole('button', { name: 'Team compilers' }).waitFor();
  await page.getByRole('heading', { name: 'Workloads' }).waitFor();
});
