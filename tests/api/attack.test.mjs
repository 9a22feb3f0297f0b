// A short attack on a farm; `make attack` runs it for any time.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startFarm, until } from './harness.mjs';
import { report } from './scripted_worker.mjs';
import { bomb, kinds, nested } from '../attack/bombs.mjs';
import { fuzz } from '../attack/fuzz_openapi.mjs';

test('every route with every credential, valid and invalid: no 5xx, no access without permission, answers as documented', async () => {
  const seed = Number(process.env.SEED || 1);
  const farm = await startFarm({ args: ['--log-level', 'debug'] });
  try {
    const { asked, faults, reached } = await fuzz(farm, { seed, seconds: 10, least: 200 });
    assert.deepEqual(faults, [], `again: make attack SEED=${seed}`);
    assert.ok(asked >= 200 && reached.size > 10, `${asked} requests, ${reached.size} routes that answered with success`);
  } finally {
    await farm.stop();
  }
});

test('a client that sends a byte from time to time is disconnected, in a head or between requests', async () => {
  const farm = await startFarm({ args: ['--test-idle', '2s', '--test-head-time', '1s'] });
  const { hostname, port } = new URL(farm.url), slow = [];
  try {
    for (const begin of ['G', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nG'])
      for (let i = 0; i < 5; i++) {
        const s = connect(Number(port), hostname, () => s.write(begin));
        s.on('error', () => {});
        s.resume();
        s.on('close', () => clearInterval(s.dribble));
        s.dribble = setInterval(() => s.write('x'), 300);
        slow.push(s);
      }
    assert.equal((await farm.request('GET', '//healthz')).status, 200);
    await until('the server to end them', () => slow.every((s) => s.destroyed));
    await until('the message in the log', () => /clients took too long/.test(farm.log()));
  } finally {
    for (const s of slow) { clearInterval(s.dribble); s.destroy(); }
    await farm.stop();
  }
});

/** The number of bytes in a folder. */
const size = (folder) => readdirSync(folder, { withFileTypes: true }).reduce((n, f) => n + (f.isDirectory() ? size(join(folder, f.name)) : statSync(join(folder, f.name)).size), 0);

test('a small file that unpacks to a very large one is refused with a message, and uses little memory and disk', async () => {
  const farm = await startFarm();
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / 1024;
  try {
    const profile = await farm.profile(report(1), { name: 'report.csv' });
    const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, {});
    const before = resident(), disk = size(join(farm.state, 'blobs'));
    const line = String(report(1)).split('\n').slice(0, 2).join('\n'); // the head of a report, and a row whose name has no end
    for (const kind of kinds) {
      const bytes = bomb(kind, line.slice(0, -1), 256);
      assert.ok(bytes.length < 300 << 10, `${bytes.length} bytes`);
      for (const file of [bytes, nested(kind, 'gz', 64)]) {
        const i = await farm.imported(await farm.upload(file, { name: `bomb.csv.${kind}` }), 120000);
        assert.equal(i.state, 'failed');
        assert.ok(i.problem.detail.length > 10, i.problem.detail);
      }
      for (const path of [`/profiles/${profile.id}/features`, `/plans/${plan.id}/launch-list?context=0`]) {
        const r = await farm.request('POST', path, bytes, { 'Content-Type': 'application/octet-stream' });
        assert.ok([413, 415, 422].includes(r.status), `${kind}: ${path} answered ${r.status}`);
        assert.ok((await r.json()).detail.length > 10);
      }
      assert.ok([400, 413, 422].includes((await farm.request('POST', '/designs', bytes, { 'Content-Type': 'application/json' })).status));
    }
    assert.ok(resident() - before < 64, `the server's memory grew by ${resident() - before} MiB`);
    assert.ok(size(join(farm.state, 'blobs')) - disk < 4 << 20, 'the compressed bytes are stored, not the unpacked ones');
  } finally {
    await farm.stop();
  }
});
