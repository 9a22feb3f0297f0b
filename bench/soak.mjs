// bench/soak.mjs: a month of small runs, one after the other: does the farm keep its speed and size? Runs of one small plan are
// created over HTTP, served by clients without other work, ended, projected and archived.
//
//   node bench/soak.mjs [RUNS [MINUTES]]    default 2000 runs, without a time limit; the goal is 100000 in an hour on two cores
//
// Jobs and attempts are deleted a minute after they were archived, as a farm with `keep-jobs` does after months. So no table
// may keep growing, except those with the results of runs: run, run_design, projection, projection_point.
// With known results nearly all runs would end at once. So from time to time the keys of results are changed, and results without a
// job are deleted: a real farm keeps results, one for each simulated launch.
import { readFileSync } from 'node:fs';
import { startFarm, until } from '../tests/api/harness.mjs';
import { ScriptedWorker, report } from '../tests/api/scripted_worker.mjs';
import { cpuOf } from './cpu.mjs';

const RUNS = Number(process.argv[2] ?? 2000), ROUND = Math.max(100, Math.floor(RUNS / 20)), AT_ONCE = 8;
const UNTIL = Date.now() + Number(process.argv[3] ?? 1e6) * 60000;
const farm = await startFarm({
  args: ['--test-archive-after', '1s', '--test-keep-events', '60s', '--keep-jobs', '60s', '--test-keep-attempts', '60s'] });
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / 1024;
const row = (...cells) => console.log(cells.map((c) => String(c).padStart(12)).join(''));

async function main() {
  const plans = [];
  for (let seed = 1; seed <= 20; seed++) {
    const profile = await farm.profile(report(1000 + seed), { name: `soak-${seed}.csv`, workload: `soak ${seed}` });
    plans.push(await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed }));
  }
  const w = await new ScriptedWorker(farm, { engines: ['replay'], slots: 64 }).open();
  row('runs', 'runs/s', 'lease ms', 'p99', 'jobs', 'archived', 'queue MB', 'archive MB', 'events MB', 'results MB', 'B a run', 'all MB', 'server MB', 'CPU ms', 'of database');
  const used = () => [cpuOf(farm.server.pid), cpuOf(farm.postgresPid())];
  let before = used(), made = 0, reported = 0, leases = [], began = Date.now(), last = '00000000-0000-0000-0000-000000000000';
  const forget = () => {
    last = farm.psql(`WITH w AS (UPDATE result SET key = sha256(key || id::text::bytea) WHERE id > '${last}' RETURNING id) SELECT coalesce(max(id::text), '${last}') FROM w`);
  };
  const deleteOld = () => farm.psql(`DELETE FROM result t WHERE created_at < now() - interval '2 minutes'
    AND NOT EXISTS (SELECT FROM job WHERE result_id = t.id) AND NOT EXISTS (SELECT FROM job_archive WHERE result_id = t.id)`);
  const client = async () => {
    while (made < RUNS && Date.now() < UNTIL) {
      const n = made++;
      if (n % (2 * plans.length) === 0) forget();
      if (n % 500 === 0) deleteOld();
      await farm.api('POST', `/plans/${plans[n % plans.length].id}/runs`, { engine: 'replay', designs: [] });
      const asked = performance.now(), got = await w.claim(4, 0);
      if (got.length) {
        leases.push(performance.now() - asked);
        await w.finish(got);
      }
      if ((n + 1) % ROUND === 0) await tell(n + 1);
    }
  };
  const sizes = (...tables) => tables.map((t) => `pg_total_relation_size('${t}')`).join(' + ');
  const tell = async (done) => {
    const [jobs, archived, queue, archive, events, results, run, all] = farm.psql(`SELECT (SELECT count(*) FROM job),
      (SELECT count(*) FROM job_archive), round((${sizes('job', 'attempt')}) / 1e6, 1), round((${sizes('job_archive', 'attempt_archive')}) / 1e6, 1),
      round((${sizes('event')}) / 1e6, 1), round((${sizes('result')}) / 1e6, 1),
      (${sizes('run', 'run_design', 'projection', 'projection_point')}) / ${done}, round(pg_database_size(current_database()) / 1e6)`).split('|');
    const made = done - reported, lease = leases.sort((a, b) => a - b), at = (p) => (lease[Math.floor(p * lease.length)] ?? 0).toFixed(1);
    row(done, ((made * 1000) / (Date.now() - began)).toFixed(0), at(0.5), at(0.99), jobs, archived, queue, archive, events, results, run, all,
      resident().toFixed(0), ...used().map((x, i) => (((x - before[i]) * 1000) / Math.max(made, 1)).toFixed(1)));
    before = used();
    reported = done;
    leases = [];
    began = Date.now();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  await w.drain();
  await until('all runs to be over', () => farm.psql("SELECT count(*) FROM run WHERE state IN ('running', 'paused')") === '0', 120000, 500);
  await until('all to be archived', () => farm.psql('SELECT count(*) FROM run WHERE archived_at IS NULL') === '0', 600000, 1000);
  await tell(made);
}

try {
  await main();
} finally {
  await farm.stop();
}
