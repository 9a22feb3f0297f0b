-- shared fragment: live_leader(key)
-- The id of the leader of this key: the live job for which the other jobs with the key wait. NULL:
-- there is none. It is found by an index.
(
    SELECT l.id
    FROM job l
    WHERE l.key = {{key}}
      AND l.state IN ('ready', 'leased')
      AND l.waits_on IS NULL
)

-- name: job_create_scans
-- $1 'off': the plan of job_create searches the samples by an index. It is made once for all runs, and
-- beside one plan of a million samples the planner read the whole table for each small run.
SELECT set_config('enable_seqscan', $1::text, true);

-- name: job_create
-- Creates a job for each design of each sample that has no jobs yet. Within a stratum, the order is
-- a pseudo-random permutation that depends on the plan, so that the jobs done so far are a random
-- sample. The first samples of all strata come first, then the second ones, and so on.
INSERT INTO job (id, run_id, seq, sample, design, trace_sha256, key)
SELECT uuid_at($2::timestamptz), r.id, (row_number() OVER (ORDER BY s.turn, s.stratum, d.number)) -
    1 + (SELECT coalesce(max(seq) + 1, 0) FROM job WHERE run_id = $1::uuid), s.number, d.number,
    b.trace_sha256, CASE r.engine
        WHEN 'replay' THEN result_key_replay(f.sha256, s.invocation)
        ELSE result_key_cycle(
            b.trace_sha256, d.design_sha256, r.simulator, r.inside_kernels, r.allow_foreign_isa
        )
    END
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
JOIN run_design d ON d.run_id = r.id
CROSS JOIN LATERAL (
    SELECT number, stratum, invocation, row_number() OVER
        (PARTITION BY stratum ORDER BY md5(plan_id::text || ':' || number)) AS turn
    FROM sample
    WHERE plan_id = p.id
) s
LEFT JOIN trace_binding b ON b.profile_id = f.id
    AND b.invocation = s.invocation
    AND r.engine = 'cycle'
WHERE r.id = $1::uuid
  AND NOT EXISTS (SELECT FROM job o WHERE o.run_id = $1::uuid AND o.sample = s.number);

-- name: job_bind_traces
-- Sets the trace and the key of blocked jobs whose launches have a bound trace now.
UPDATE job j
SET trace_sha256 = b.trace_sha256,
    key = result_key_cycle(
            b.trace_sha256, d.design_sha256, r.simulator, r.inside_kernels, r.allow_foreign_isa
        )
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN run_design d ON d.run_id = r.id
JOIN sample s ON s.plan_id = p.id
JOIN trace_binding b ON b.profile_id = p.profile_id
    AND b.invocation = s.invocation
WHERE r.id = $1::uuid
  AND r.engine = 'cycle'
  AND j.run_id = r.id
  AND j.state = 'blocked'
  AND j.key IS NULL
  AND j.seq >= $2::integer
  AND j.seq <= $3::integer
  AND j.design = d.number
  AND j.sample = s.number;

-- name: job_long_work
-- A million rows take longer than 10 s. For a few rows, a plan made for the parameters of this run
-- takes longer than its execution, so generic plans are used.
SELECT set_config('statement_timeout', '120s', true),
set_config('plan_cache_mode', 'force_generic_plan', true);

-- name: job_admission_lock
-- The farm-wide admission lock. It is released when the transaction ends.
SELECT pg_advisory_xact_lock(7214001);

-- name: job_live_lock
-- Locks the run's ready and leased jobs in order of id.
SELECT count(*)
FROM (
    SELECT FROM job j
    WHERE run_id = $1::uuid
      AND state IN ('ready', 'leased')
    ORDER BY id
    FOR UPDATE
) l;

-- name: job_admit_cached
-- Completes blocked jobs whose result exists already.
WITH hit AS (
    UPDATE job j
    SET state = 'done', result_id = t.id, cached = true, finished_at = $2::timestamptz
    FROM result t
    WHERE j.run_id = $1::uuid
      AND j.state = 'blocked'
      AND t.key = j.key
      AND j.seq >= $3::integer
      AND j.seq <= $4::integer
    RETURNING j.run_id
)
UPDATE run r
SET version = version + 1, cached = cached + c.n
FROM (SELECT run_id, count(*) AS n FROM hit GROUP BY run_id) c
WHERE r.id = c.run_id
RETURNING c.n;

-- name: job_lock_leaders
-- Locks the leaders of the keys of the run's blocked jobs, in order of id.
SELECT id
FROM job
WHERE id = ANY(
    ARRAY(
        SELECT {{live_leader(w.key)}}
        FROM job w
        WHERE w.run_id = $1::uuid
          AND w.state = 'blocked'
          AND w.key IS NOT NULL
          AND w.seq >= $2::integer
          AND w.seq <= $3::integer
    )
)
ORDER BY id
FOR UPDATE;

-- name: job_admit
-- Makes blocked jobs ready. A job whose key has a leader waits for it. Each job searches for its
-- key separately: a join was planned as a scan of the index that this statement fills.
WITH mine AS (
    SELECT id, key, first_value(id) OVER (PARTITION BY key ORDER BY seq) AS first
    FROM job
    WHERE run_id = $1::uuid
      AND state = 'blocked'
      AND key IS NOT NULL
      AND seq >= $3::integer
      AND seq <= $4::integer
), led AS MATERIALIZED (
    SELECT m.id, coalesce({{live_leader(m.key)}}, nullif(m.first, m.id)) AS leader
    FROM mine m
)
UPDATE job j
SET state = 'ready', ready_at = $2::timestamptz, waits_on = led.leader
FROM led
WHERE j.id = led.id;

-- name: job_heal_any
-- Returns a row if any job waits for a leader. ORDER BY forces the index: before the first ANALYZE
-- the planner assumes that nearly all jobs wait.
SELECT waits_on
FROM job
WHERE waits_on IS NOT NULL
ORDER BY waits_on
LIMIT 1;

-- name: job_heal_resting
-- If a leader belongs to a run that is not running, one of the jobs that wait for it becomes the
-- leader.
WITH pick AS (
    SELECT DISTINCT ON (w.waits_on) w.waits_on AS leader, w.id
    FROM job w
    JOIN run wr ON wr.id = w.run_id
        AND wr.state = 'running'
    JOIN job l ON l.id = w.waits_on
        AND l.state = 'ready'
        AND l.waits_on IS NULL
    JOIN run lr ON lr.id = l.run_id
        AND lr.state <> 'running'
    WHERE w.waits_on IS NOT NULL
    ORDER BY w.waits_on, w.id
)
UPDATE job j
SET waits_on = p.id
FROM pick p
WHERE j.id = p.leader
  OR (j.waits_on = p.leader AND j.id <> p.id);

-- name: job_heal_promote
-- If a leader does not exist any more, or is not live, one of the jobs that waited for it becomes
-- the leader.
WITH pick AS (
    SELECT DISTINCT ON (w.key) w.key, w.id
    FROM job w
    JOIN run r ON r.id = w.run_id
    LEFT JOIN job l ON l.id = w.waits_on
    WHERE w.waits_on IS NOT NULL
      AND (
          l.id IS NULL
            OR l.waits_on IS NOT NULL
            OR l.state NOT IN ('ready', 'leased')
      )
    ORDER BY w.key, r.state = 'running' DESC, w.id
)
UPDATE job j
SET waits_on = NULL
FROM pick p
WHERE j.id = p.id
  AND NOT EXISTS (
      SELECT 1
      FROM job o
      WHERE o.key = p.key
        AND o.state IN ('ready', 'leased')
        AND o.waits_on IS NULL
  );

-- name: job_heal_follow
-- Jobs that still wait for an earlier leader wait for the new one.
UPDATE job j
SET waits_on = o.id
FROM job o
WHERE j.waits_on IS NOT NULL
  AND j.waits_on <> o.id
  AND o.key = j.key
  AND o.state IN ('ready', 'leased')
  AND o.waits_on IS NULL;

-- name: job_cancel_slice
-- Cancels live jobs of a cancelled run. The archive uses it for runs that were cancelled before
-- schema 0440.
UPDATE job
SET state = 'cancelled', session_id = NULL, leased_at = NULL, deadline_at = NULL, waits_on = NULL,
    finished_at = $2::timestamptz
WHERE id IN (
    SELECT id
    FROM job
    WHERE run_id = $1::uuid
      AND state IN ('blocked', 'ready', 'leased')
    ORDER BY id
    LIMIT 1000
    FOR UPDATE
);

-- name: job_retry
-- Blocks a failed job again, with fresh budgets.
UPDATE job
SET state = 'blocked', failures = 0, troubles = 0, losses = 0, failure = NULL, failure_text = NULL,
    finished_at = NULL
WHERE id = $1::uuid
  AND state = 'failed'
RETURNING run_id;

-- name: job_archived
SELECT run_id
FROM job_archive
WHERE id = $1::uuid
  AND state = 'failed';

-- name: job_forget_losses
-- Attempts that were lost before a retry do not count as lost any more.
UPDATE attempt
SET outcome = 'lost before retry'
WHERE job_id = $1::uuid
  AND outcome = 'lost';

-- name: job_counts
SELECT c.key, c.value
FROM run r, LATERAL json_each_text({{run_counts_json}}) c
WHERE r.id = $1::uuid;

-- name: job_find
SELECT j.run_id
FROM {{jobs_of_all}} j
JOIN run r ON r.id = j.run_id
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
WHERE j.id = $1::uuid
  AND f.team_id = $2::bigint;
