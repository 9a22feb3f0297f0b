// bench/queued_jobs.mjs: creates a queue of the length that a measurement needs, by SQL: its runs are copies of one real run.
import { ScriptedWorker, report } from '../tests/api/scripted_worker.mjs';

const RUN_JOBS = 100_000; // jobs of one run: ten million jobs are a hundred runs

/** A plan of one profile, and a run of it that the queue's runs are copies of. */
export async function model(farm) {
  const profile = await farm.profile(report(1), { name: 'report.csv', workload: 'queue' });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.02, confidence: 0.95, seed: 1 });
  const first = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
  await (await new ScriptedWorker(farm).open()).drain();
  await farm.finished(first.id);
  return { run: first.id, plan: plan.id, samples: plan.samples_count };
}

/** Creates this number of runs with ready jobs. Indexes are created after the rows, which is faster. */
export function fill(farm, count, of) {
  const psql = (sql) => farm.psql(sql);
  const indexes = psql(`SELECT indexdef || ';' FROM pg_indexes WHERE tablename = 'job' AND indexname <> 'job_pkey' AND indexname <> 'job_run_id_seq_key'`);
  const large = count > 500_000;
  if (large) psql(psql(`SELECT string_agg('DROP INDEX ' || indexname, ';') FROM pg_indexes WHERE tablename = 'job' AND indexname <> 'job_pkey' AND indexname <> 'job_run_id_seq_key'`));
  for (let made = 0; made < count; made += RUN_JOBS) {
    const n = Math.min(RUN_JOBS, count - made);
    psql(`SET session_replication_role = replica; BEGIN;
      CREATE TEMP TABLE fresh AS SELECT uuid_at(now()) AS id;
      INSERT INTO run (id, plan_id, engine, simulator, jobs, created_by, created_at)
        SELECT fresh.id, plan_id, engine, simulator, ${n}, created_by, now() FROM run, fresh WHERE run.id = '${of.run}';
      INSERT INTO run_design SELECT fresh.id, number, design_sha256, name, clock_hz FROM run_design, fresh WHERE run_id = '${of.run}';
      INSERT INTO job (id, run_id, seq, sample, design, state, ready_at, key)
        SELECT uuid_at(now()), fresh.id, n, n % ${of.samples}, 0, 'ready', now(), sha256((fresh.id::text || n)::bytea)
          FROM fresh, generate_series(0, ${n - 1}) n;
      INSERT INTO job_tally SELECT id, 0, ${n}, 0, 0, 0, 0, true FROM fresh; COMMIT;`);
  }
  if (large) psql(`SET maintenance_work_mem = '1GB'; ${indexes}`);
  psql('VACUUM ANALYZE job; ANALYZE run; CHECKPOINT;');
}
