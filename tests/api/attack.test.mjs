// The farm under attack, in small; `make attack` is the same for as long as one likes.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { startFarm } from './harness.mjs';
import { fuzz } from '../attack/fuzz_openapi.mjs';

test('every route as everybody, rightly and wrongly: no 5xx, no access, answers as documented', async () => {
  const seed = Number(process.env.SEED || 1);
  const farm = await startFarm({ args: ['--log-level', 'debug'] });
  try {
    const { asked, faults, reached } = await fuzz(farm, { seed, seconds: 15 });
    assert.deepEqual(faults, [], `again: make attack SEED=${seed}`);
    assert.ok(asked > 100 && reached.size > 10, `${asked} requests, ${reached.size} routes that answered well`);
  } finally {
    await farm.stop();
  }
});
