BEGIN; -- 0114_scale.sql: how much work waits, for whoever starts workers: our launcher, KEDA, or a person.
SELECT schema_register('0114_scale', requires => '0109_program');

-- At most 100 000 jobs are looked at: beyond that every launcher is at its most anyway, and the look must stay cheap.
-- A job is expected to take what its run's simulations took so far, else what the farm's newest ones took, else a minute.
CREATE VIEW scale_demand AS
    WITH ready AS (
        SELECT o.id, o.engine, o.memory_class, count(*) AS jobs
          FROM (SELECT r.id, r.engine, j.memory_class FROM run r JOIN job j ON j.run_id = r.id
                 WHERE r.state = 'running' AND j.state = 'ready' AND j.waits_on IS NULL LIMIT 100000) o
         GROUP BY o.id, o.engine, o.memory_class)
    SELECT ready.engine::text || CASE WHEN memory_class > 0 THEN ' memory x' || (1::bigint << memory_class) ELSE '' END AS class,
           sum(jobs)::bigint AS ready_jobs,
           sum(jobs * CASE WHEN ready.engine = 'replay' THEN 0.01 ELSE coalesce(own.s, farm.s, 60) END)::float8 AS expected_s
      FROM ready
      LEFT JOIN LATERAL (
          SELECT avg(host_seconds) AS s FROM (
              SELECT q.host_seconds FROM job d JOIN result q ON q.id = d.result_id
               WHERE d.run_id = ready.id AND d.state = 'done' AND NOT d.cached LIMIT 200) x) own ON true
      LEFT JOIN LATERAL (
          SELECT avg(host_seconds) AS s FROM (
              SELECT q.host_seconds FROM result q WHERE q.engine = ready.engine ORDER BY q.id DESC LIMIT 200) y) farm ON true
     GROUP BY 1;
COMMENT ON VIEW scale_demand IS 'jobs that a worker could take now, and the seconds of one slot they are expected to take';

CREATE VIEW scale_busy AS SELECT count(DISTINCT session_id) AS workers FROM job WHERE state = 'leased';
COMMENT ON VIEW scale_busy IS 'workers that hold a lease: never fewer are wanted';

CREATE TABLE launcher (
    name       text PRIMARY KEY,
    kind       text NOT NULL,
    wanted     integer NOT NULL,
    running    integer NOT NULL,
    waiting    integer NOT NULL,
    problem    text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL
);
COMMENT ON TABLE launcher IS 'what the launcher of the leading server sees; one row';
COMMENT ON COLUMN launcher.waiting IS 'submitted and not started yet';
COMMENT ON COLUMN launcher.problem IS 'why workers cannot be started, in the words of who was asked; empty: nothing is wrong';
COMMIT;
