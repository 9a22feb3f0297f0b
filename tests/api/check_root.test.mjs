// `vivace admin check` started as root checks the programs that a server started as root would use, although the user that it
// becomes cannot reach their folder.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, startFarm } from './harness.mjs';

const asRoot = process.getuid() === 0;
let farm;
before(async () => { farm = await startFarm(); });
after(() => farm?.stop());

test('programs in a folder that only root may enter', { skip: asRoot ? false : 'needs root' }, () => {
  const folder = join(farm.folder, 'of-root');
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ['vivace-server', 'vivace-sim', 'vivace']) cpSync(program(name), join(folder, name));
  cpSync(program('web'), join(folder, 'web'), { recursive: true });
  chmodSync(folder, 0o700);
  const r = spawnSync(join(folder, 'vivace'), ['admin', 'check', ...farm.place()], { encoding: 'utf8' });
  assert.equal(r.status, 0, r.stdout + r.stderr);
  assert.match(r.stdout, new RegExp(`^ok +dashboard: ${folder}/web$`, 'm'));
  assert.match(r.stdout, new RegExp(`^ok +simulator: ${folder}/vivace-sim$`, 'm'));
  assert.doesNotMatch(r.stdout, /^(note|WRONG)/m);
});
