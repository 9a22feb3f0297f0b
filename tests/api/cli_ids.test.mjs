// Commands that take an id refuse an empty one, for example from an unset variable of a script: it would address the list. No
// request is sent, so there is no server.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, root } from './harness.mjs';

const table = [
  ['run', 'jobs', ''], ['run', 'run', 'show', ''], ['run', 'run', 'strata', ''], ['run', 'run', 'events', ''], ['run', 'run', 'extend', '', '--until', '1%'],
  ['run', 'run', 'accept', ''], ['run', 'run', 'undo', ''], ['run', 'run', 'not-simulated', ''], ['run', 'run', 'cache-check', ''],
  ['run', 'watch', ''], ['run', 'compare', ''], ['run', 'projection', ''], ['run', 'plan', 'trace', '', '--missing', '--for', 'accel-sim'],
  ['job', 'jobs', 'show', ''], ['job', 'jobs', 'retry', ''], ['job', 'jobs', 'redraw', ''], ['job', 'jobs', 'drop', ''],
  ['plan', 'costs', ''], ['plan', 'run', '', '--gpu', 'v100'], ['profile', 'push', join(root, 'README.md'), '--profile', ''],
  ['workload', 'workloads', 'show', ''], ['workload', 'workloads', 'delete', ''], ['token', 'tokens', 'revoke', ''], ['member', 'teams', 'remove', 'x', ''],
];

test('every command reports an empty id', () => {
  const env = { ...process.env, VIVACE_SERVER: 'http://127.0.0.1:9', VIVACE_TOKEN: 'x' };
  const said = table.map(([, ...args]) => spawnSync(program('vivace'), args, { encoding: 'utf8', env }));
  const wrong = table.flatMap(([what, ...args], i) => said[i].status === 64 && said[i].stderr.includes(`missing ${what} id`) ? [] : [`${args.join(' ')}: ${said[i].status} ${said[i].stderr}`]);
  assert.deepEqual(wrong, []);
});
