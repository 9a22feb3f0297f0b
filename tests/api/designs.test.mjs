// The name of a built-in design means that design: to every team, before and after a restart.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';

let farm, v100;
const meant = async () => (await farm.api('GET', '/designs')).items.find((d) => d.name === 'v100');

before(async () => {
  farm = await startFarm();
  v100 = await meant();
}, { timeout: 600000 });
after(() => farm?.stop());

test('a file that uses a built-in name for another design is refused, from every sender', async () => {
  const file = join(farm.folder, 'wide.json'), env = { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token };
  const cli = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env });
  const text = await (await farm.request('GET', '/designs/v100')).text(), other = { ...JSON.parse(text), title: 'another one' };
  writeFileSync(file, JSON.stringify(other));
  const refused = cli('designs', 'add', file);
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /`v100` is a built-in design, and this one has other contents\n.*another `name`.*--name NAME/);
  await assert.rejects(farm.api('POST', '/designs', other), (e) => e.status === 409);
  assert.deepEqual(await meant(), v100);
  assert.equal((await farm.api('POST', '/designs', JSON.parse(text))).id, v100.id, 'an upload of the same design changes nothing');
  assert.deepEqual(await meant(), v100);
  const scaled = cli('design', 'scale', 'h100', '--set', 'l2.kb=x2', '--name', 'v100', '--out', file);
  assert.equal(scaled.status, 64);
  assert.match(scaled.stderr, /--name v100: a built-in design has that name/);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).title, other.title, 'nothing is written');
});

test('the program that reads a foreign design has dropped its permissions before', async (t) => {
  if (!/^full\n/.test(execFileSync(program('vivace-sim'), ['--test-sandbox'], { encoding: 'utf8' }))) return t.skip('no full sandbox here');
  const file = join(farm.folder, 'foreign.json'); // a FIFO: the program waits for its bytes
  execFileSync('mkfifo', [file]);
  const child = spawn(program('vivace-sim'), ['--check-design', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (d) => { text += d; });
  const ended = new Promise((done) => { child.on('close', done); });
  try {
    await until('the filter of system calls', () => /^Seccomp:\s+2$/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8')));
    await writeFile(file, await (await farm.request('GET', '/designs/v100')).text());
    assert.equal(await ended, 0);
    assert.equal(JSON.parse(text).name, 'v100');
  } finally {
    child.kill('SIGKILL');
  }
});

test('a design that states only differences is stored in full, and equals the full one', async () => {
  const short = { ...JSON.parse(readFileSync('simcore/designs/h100.json', 'utf8')), name: 'mine', gpu_names: [] };
  assert.equal(short.units, undefined, 'the file leaves this to the defaults');
  const made = await farm.api('POST', '/designs', short), whole = await farm.api('GET', `/designs/${made.id}`);
  assert.deepEqual(whole.units.fp32.rate, { value: 128, unit: 'results a clock an SM', source: 'CC' });
  assert.match(whole.sources.CC, /Programming Guide/);
  assert.equal((await farm.api('POST', '/designs', whole)).id, made.id);
  delete short.gpu.sms;
  await assert.rejects(farm.api('POST', '/designs', short), (e) => e.status === 422 && /gpu\.sms is missing/.test(e.message));
});

test('an older team design with a built-in name is found by its id only, and the log reports it', { timeout: 600000 }, async () => {
  const id = 'ab'.repeat(32);
  farm.psql(`INSERT INTO design SELECT '${id}', name, false, clock_hz, 81, gpu_names, json, now() + interval '1 day', now() FROM design WHERE sha256 = '${v100.id}';
             INSERT INTO design_owner SELECT id, '${id}', now(), now() + interval '1 day' FROM team WHERE slug = 'default'`);
  assert.deepEqual(await meant(), v100);
  await farm.kill('SIGTERM');
  await farm.start();
  assert.deepEqual(await meant(), v100);
  assert.match(readFileSync(farm.logs.at(-1), 'utf8'), new RegExp(`name of a built-in one.*team=default name=v100 id=${id}`));
  assert.equal((await farm.request('GET', `/designs/${id}`)).status, 200, 'runs that use it find it');
});
