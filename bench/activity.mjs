// bench/activity.mjs: the cost of the farm page after many attempts. Creates ATTEMPTS attempts (default 1 000 000) of the last
// hour by SQL, for WORKERS workers (default 200). Measures GET /farm/activity before and after the minutes are aggregated, and
// GET /runs/{run}/jobs?worker=. Prints one line per request: its name, and the median and the slowest of five, in milliseconds.
//
//   node bench/activity.mjs [ATTEMPTS] [WORKERS]
import { setTimeout as sleep } from 'node:timers/promises';
import { startFarm } from '../tests/api/harness.mjs';
import { report } from '../tests/api/scripted_worker.mjs';

const [attempts, workers] = [Number(process.argv[2] ?? 1e6), Number(process.argv[3] ?? 200)];
const farm = await startFarm({ args: ['--test-dead-after', '15min'] });

async function time(what, path) {
  const ms = [];
  for (let i = 0; i < 5; i++) {
    const begun = performance.now(), r = await farm.request('GET', path);
    await r.arrayBuffer();
    if (r.status !== 200) return console.log(`${what}: answered ${r.status} after ${(performance.now() - begun).toFixed(0)} ms`);
    ms.push(performance.now() - begun);
  }
  ms.sort((a, b) => a - b);
  console.log(`${what}: ${ms[2].toFixed(0)} ms, slowest ${ms[4].toFixed(0)} ms`);
}

const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'decoder' });
const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.2, confidence: 0.95, seed: 1 });
const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
await farm.api('POST', `/runs/${run.id}/cancel`, {}).catch(() => farm.psql(`UPDATE run SET state = 'cancelled' WHERE id = '${run.id}'`));
farm.psql(`
  INSERT INTO job (id, run_id, seq, sample, design, state, finished_at)
  SELECT gen_random_uuid(), '${run.id}', 1000000 + i, 0, 0, 'cancelled', now() FROM generate_series(1, ${attempts}) i;
  INSERT INTO attempt (job_id, number, worker, session_id, started_at, ended_at, outcome, message, last_lines, host_seconds)
  SELECT id, 1, 'w-' || (seq::bigint * 7919 % ${workers}), md5((seq::bigint * 7919 % ${workers})::text)::uuid, at - interval '2 seconds', at,
         CASE WHEN seq % 100 = 0 THEN 'crash' ELSE 'ok' END, '', '', 2 + seq % 1000 / 1000.0
    FROM (SELECT id, seq, now() - (seq - 1000000) * interval '1 hour' / ${attempts} AS at FROM job WHERE seq > 1000000) x;
  UPDATE activity_rolled SET upto = '-infinity';
  ANALYZE`);
const rolled = () => farm.psql("SELECT coalesce((SELECT count(*) FROM activity_minute), 0)");
await time(`activity at first (${rolled()} rows of minutes)`, '/farm/activity');
while (farm.psql("SELECT upto > now() - interval '5 minutes' FROM activity_rolled").trim() !== 't') await sleep(1000);
farm.psql('ANALYZE');
await time(`activity (${rolled()} rows of minutes)`, '/farm/activity');
await time('activity of a day', '/farm/activity?seconds=86400');
await time('activity of ten minutes', '/farm/activity?seconds=600');
await time('jobs of a worker', `/runs/${run.id}/jobs?worker=w-7&limit=50`);
await time('jobs of nobody', `/runs/${run.id}/jobs?worker=nobody&limit=50`);
await farm.stop();
