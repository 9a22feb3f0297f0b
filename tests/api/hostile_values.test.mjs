// Hostile values and their readers: a projection that adds them, a spreadsheet, a terminal.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, good, report } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

let farm;
before(async () => { farm = await startFarm({ args: ['--test-dead-after', '15min'] }); });
after(() => farm?.stop());

test('a result that took 1e300 seconds is refused, and an existing one blocks no projection', async () => {
  const run = await replayRun(farm, 1, { designs: [] }), w = await new ScriptedWorker(farm, { engines: ['replay'] }).open();
  const leases = await until('leases', async () => { await w.claimPack(4, 1, 5); return w.held.size >= 3 ? [...w.held.values()] : null; });
  const absurd = good(leases[0]);
  await assert.rejects(w.complete([{ ...absurd, result: { ...absurd.result, host_seconds: 1e300 } }]), /host_seconds/);
  await assert.rejects(w.complete([{ ...absurd, host_seconds: 1e300 }]), /host_seconds/);
  await w.complete([good(leases[0])]);
  farm.psql(`UPDATE result SET host_seconds = 1e300 WHERE id IN (SELECT result_id FROM job WHERE run_id = '${run.id}' AND state = 'done')`);
  await w.complete([good(leases[1])]); // the other jobs are leased, so the remaining time is computed
  await until('the projection', () => farm.psql(`SELECT projected_version >= version AND done = 2 FROM run WHERE id = '${run.id}'`) === 't', 15000);
  await w.finish([...w.held.values()]);
  await w.drain();
  assert.equal((await farm.finished(run.id)).state, 'done');
});

test('CSV cells are never formulas; terminal output contains no control sequences', async () => {
  const formula = '=HYPERLINK("http://example.org","x")', bidi = 'gemm\u202eexe.txt\u009b2J';
  await farm.profile(report(7), { name: 'f.csv', workload: formula });
  const { workload } = await farm.profile(report(8), { name: 'b.csv', workload: 'plain' });
  farm.psql(`UPDATE workload SET name = U&'gemm\\202Eexe.txt\\009B2J' WHERE id = '${workload}'`); // stored before names were sanitized
  const csv = await farm.api('GET', '/workloads?format=csv');
  assert.match(csv, /^(?:[^\n]*,)?"'=HYPERLINK/m);
  assert.doesNotMatch(csv, /(^|,)"?=HYPERLINK/m);
  const env = { ...process.env, XDG_CONFIG_HOME: farm.folder };
  const cli = (...args) => { const r = spawnSync(program('vivace'), args, { env, encoding: 'utf8' }); assert.equal(r.status, 0, r.stderr); return r.stdout; };
  cli('login', farm.url, '--token-file', join(farm.state, 'admin-token'));
  const shown = cli('workloads');
  assert.match(shown, /gemm\?exe\.txt\?2J/);
  assert.doesNotMatch(shown, /[\u0080-\u009f\u202a-\u202e]/);
  assert.ok(JSON.stringify(JSON.parse(cli('workloads', '--json'))).includes(JSON.stringify(bidi)), 'programs get the stored text');
});
