// Servers whose own clocks are wrong, by ten minutes either way: every deadline is set and compared by the database's clock,
// and a server with a wrong clock does not become the leader. A library (clock_hook.mjs) shifts
// the time of day of that process only.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCompiler, makeClock } from './clock_hook.mjs';
import { startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

const skip = hasCompiler ? false : 'there is no C compiler';
let folder, farm;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'vivace-clock-'));
  chmodSync(folder, 0o755);
  farm = await startFarm({ args: ['--test-heartbeat', '1s', '--test-dead-after', '20s'] });
});
after(async () => {
  await farm?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const seconds = (interval, from) => Number(farm.psql(`SELECT extract(epoch FROM ${interval}) FROM ${from}`));

for (const off of [600, -600])
  test(`a server whose clock differs by ${off} s: the farm works as with a correct clock`, { skip, timeout: 300000 }, async () => {
    const b = await startFarm({ args: ['--database', farm.databaseUrl(), '--blob-store', farm.state, '--blob-store-shared', '--test-heartbeat', '1s', '--test-dead-after', '20s'],
      database: farm.databaseUrl(), token: farm.token, port: 0, env: makeClock(folder, `off-${off}`, off).env });
    let killed = false;
    try {
      await until('its clock to be measured', async () => Math.abs(await b.metric('vivace_db_clock_skew_seconds') - off) < 5);
      await until('the first server to lead', async () => await farm.metric('vivace_leader') === 1);
      const here = await new ScriptedWorker(farm, { name: `right ${off}`, engines: ['replay'] }).openAlive(); // sends heartbeats to the server with the right clock
      const there = new ScriptedWorker(farm, { name: `wrong ${off}`, engines: ['replay'] });
      there.farm = b;
      await there.openAlive();
      const run = await replayRun(b, off + 1000, { designs: [] });
      const leases = await until('leases', async () => { const l = await there.claimPack(2, 1, 5); return l.length ? l : null; });
      const id = leases[0].job;
      assert.ok(Math.abs(seconds('leased_at - clock_timestamp()', `job WHERE id = '${id}'`)) < 60, 'leased now, by the one clock');
      assert.ok(Math.abs(seconds('deadline_at - leased_at', `job WHERE id = '${id}'`) - 4 * 3600) < 60);
      assert.ok(Math.abs(seconds('created_at - clock_timestamp()', `run WHERE id = '${run.id}'`)) < 60);
      // longer than a session lives without heartbeats: sessions with heartbeats stay alive, at both servers
      await new Promise((done) => setTimeout(done, 25000));
      assert.equal(farm.psql(`SELECT string_agg(state::text, ',') FROM worker_session WHERE id IN ('${here.session}', '${there.session}')`), 'alive,alive');
      assert.equal(farm.psql(`SELECT state FROM job WHERE id = '${id}'`), 'leased');
      assert.equal(await b.metric('vivace_leader'), 0);
      assert.match(b.log(), /clock and the database's differ, so this server does not become leader/);
      // also when there is no other server
      await farm.kill('SIGKILL'); // its database keeps running
      killed = true;
      await new Promise((done) => setTimeout(done, 20000));
      assert.equal(await b.metric('vivace_leader').catch(() => 0), 0);
      here.fallSilent();
      there.fallSilent();
    } finally {
      await b.stop();
      if (killed) await farm.start();
    }
  });
