// bench/soak.mjs: a month of small runs in a row: is the farm after the last of them as quick and as small as after the
// first? Runs of one small plan are made over HTTP, served by clients that do nothing else, ended, projected, archived.
//
//   node bench/soak.mjs [RUNS]        default 2000; the bar is 100000, about an hour on two quiet cores
//
// Results that are known already would end nearly all runs at once, so now and then their keys are made strange.
import { readFileSync } from 'node:fs';
import { startFarm, until } from '../tests/api/harness.mjs';
import { ScriptedWorker, report } from '../tests/api/scripted_worker.mjs';
import { cpuOf } from './cpu.mjs';

const RUNS = Number(process.argv[2] ?? 2000), ROUND = Math.max(100, Math.floor(RUNS / 10)), AT_ONCE = 8;
const farm = await startFarm({ args: ['--archive-after', '1s', '--keep-events', '60s'] });
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / 1024;
const row = (...cells) => console.log(cells.map((c) => String(c).padStart(12)).join(''));

async function main() {
  const plans = [];
  for (let seed = 1; seed <= 20; seed++) {
    const profile = await farm.profile(report(1000 + seed), { name: `soak-${seed}.csv`, workload: `soak ${seed}` });
    plans.push(await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed }));
  }
  const w = await new ScriptedWorker(farm, { engines: ['replay'], slots: 64 }).open();
  row('runs', 'runs/s', 'lease ms', 'jobs', 'archived', 'queue MB', 'all MB', 'server MB', 'CPU ms a run: server', 'database');
  const used = () => [cpuOf(farm.server.pid), cpuOf(farm.postgresPid())];
  let before = used(), made = 0, leases = [], began = Date.now(), last = '00000000-0000-0000-0000-000000000000';
  const forget = () => {
    last = farm.psql(`WITH w AS (UPDATE result SET key = sha256(key || id::text::bytea) WHERE id > '${last}' RETURNING id) SELECT coalesce(max(id::text), '${last}') FROM w`);
  };
  const client = async () => {
    while (made < RUNS) {
      const n = made++;
      if (n % (2 * plans.length) === 0) forget();
      await farm.api('POST', `/plans/${plans[n % plans.length].id}/runs`, { engine: 'replay', designs: [] });
      const asked = performance.now(), got = await w.claim(4, 0);
      if (got.length) {
        leases.push(performance.now() - asked);
        await w.finish(got);
      }
      if ((n + 1) % ROUND === 0) await tell(n + 1);
    }
  };
  const tell = async (done) => {
    const [jobs, archived, queue, all] = farm.psql(`SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM job_archive),
      round(pg_total_relation_size('job') / 1e6 + pg_total_relation_size('attempt') / 1e6, 1), round(pg_database_size(current_database()) / 1e6)`).split('|');
    leases.sort((a, b) => a - b);
    row(done, ((ROUND * 1000) / (Date.now() - began)).toFixed(0), (leases[Math.floor(leases.length / 2)] ?? 0).toFixed(1), jobs, archived, queue, all, resident().toFixed(0), ...used().map((x, i) => (((x - before[i]) * 1000) / ROUND).toFixed(1)));
    before = used();
    leases = [];
    began = Date.now();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  await w.drain();
  await until('all runs to be over', () => farm.psql("SELECT count(*) FROM run WHERE state IN ('running', 'paused')") === '0', 120000, 500);
  await until('all to be archived', () => farm.psql('SELECT count(*) FROM run WHERE archived_at IS NULL') === '0', 600000, 1000);
  await tell(RUNS);
}

try {
  await main();
} finally {
  await farm.stop();
}
