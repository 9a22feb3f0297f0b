// Two servers of one farm: one database, one folder of stored files. Data sent to one server is available at the other. A
// worker of one server does jobs created at the other. A second server with a separate empty folder is refused.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFarm } from './harness.mjs';
import { replayRun } from './work.mjs';

test('two servers, one database, one folder of stored files', { timeout: 300000 }, async () => {
  const first = await startFarm();
  let second;
  try {
    const database = first.databaseUrl();
    const started = (args) => startFarm({ args: ['--database', database, ...args], token: first.token, port: 0 });
    const refused = async (args, why) => {
      const unwanted = await started(args).catch((e) => e);
      if (!(unwanted instanceof Error)) await unwanted.stop();
      assert.match(String(unwanted.message ?? 'it started'), why);
    };
    await replayRun(first);

    await refused([], /the database has stored files, but there are none in/);

    const mark = join(first.state, 'host'), mine = readFileSync(mark, 'utf8');
    writeFileSync(mark, 'ffffffffffffffffffffffffffffffff elsewhere\n');
    await refused(['--blob-store', first.state], /belong to the server of another machine, elsewhere/);
    second = await started(['--blob-store', first.state, '--blob-store-shared']);
    writeFileSync(mark, mine);

    /* both servers work at the same time, within the limit of connections */
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 ? first : second).request('GET', '/workloads').then(async (r) => { await r.text(); return r.status; })));
    assert.deepEqual([...new Set(answers)], [200]);

    const run = await replayRun(second, 2);
    assert.equal((await first.api('GET', `/runs/${run.id}`)).jobs, run.jobs);
    first.startWorker();
    assert.equal((await second.finished(run.id)).state, 'done');
    const profile = (await first.api('GET', '/workloads')).items.length;
    assert.equal((await second.api('GET', '/workloads')).items.length, profile);
  } finally {
    await second?.stop();
    await first.stop();
  }
});
