-- fragment: locked
j.id, j.run_id, j.session_id, j.state, j.attempt, j.failures, j.troubles, j.losses, j.memory_class,
j.time_class, j.leased_at, encode(j.key, 'hex'), j.trace_sha256, j.design

-- fragment: end_own
-- First part of job_end: ends jobs with their results and inserts attempts, in one statement.
-- Parameters: $1 ids, $2 their results, $3 runs that the projector must process again, $4 to $14
-- attempts, $15 now. `w` contains the jobs that waited for these jobs. They are done by the same
-- results. They are locked in order of id before they are changed, and runs are locked after jobs.
-- A failed run continues, because the result is a late one of a job that had failed. The statement
-- returns the ids of such runs, because parts of them may be archived.
WITH ended AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS c(id, result)),
own AS (
    UPDATE job j
    SET state = 'done', ready_at = NULL, session_id = NULL, leased_at = NULL, deadline_at = NULL,
        result_id = c.result, failure = NULL, failure_text = NULL, finished_at = $15::timestamptz,
        waits_on = NULL
    FROM ended c
    WHERE j.id = c.id
    RETURNING j.run_id
), tried AS (
    INSERT INTO attempt (
        job_id, number, worker, session_id, started_at, outcome, message, last_lines, host_seconds,
        cpu_seconds, peak_bytes, ended_at
    )
    SELECT c.*, $15::timestamptz
    FROM unnest(
        $4::uuid[], $5::integer[], $6::text[], $7::uuid[], $8::timestamptz[], $9::text[],
        $10::text[], $11::text[], $12::double precision[], $13::double precision[], $14::bigint[]
    ) c
    ON CONFLICT DO NOTHING
),

-- fragment: end_others
-- Second part of job_end: completes the waiting jobs `w` and updates the runs.
waited AS (
    UPDATE job f
    SET state = 'done', result_id = w.result, cached = true, waits_on = NULL, session_id = NULL,
        leased_at = NULL, deadline_at = NULL, failure = NULL, failure_text = NULL,
        finished_at = $15::timestamptz
    FROM w
    WHERE f.id = w.id
    RETURNING f.run_id
), n AS (SELECT run_id, count(*) AS n FROM waited GROUP BY run_id),
    r AS (
        SELECT id, state = 'failed' AS goes_on, state IN ('done', 'failed')
          AND id = ANY(ARRAY(SELECT run_id FROM own UNION SELECT run_id FROM n)) AS anew
        FROM run
        WHERE id = ANY(ARRAY(SELECT unnest($3::uuid[]) UNION SELECT run_id FROM n))
        ORDER BY id
        FOR NO KEY UPDATE
    ), {{run_caches_anew}}, looked AS (
        UPDATE run
        SET version = version + 1,
            cached = cached + coalesce((SELECT n FROM n WHERE run_id = run.id), 0), {{run_goes_on}}
        FROM r
        WHERE run.id = r.id
    )
SELECT id
FROM r
WHERE goes_on

-- name: job_lock
-- Locks the jobs $1 in order of id.
SELECT {{locked}}
FROM job j
WHERE j.id = ANY($1::uuid[])
ORDER BY j.id
FOR UPDATE;

-- name: job_lock_few
-- The same, joined with their runs, designs and sessions. For few jobs.
SELECT {{locked}}, r.engine = 'cycle', r.simulator, d.design_sha256, d.name, r.inside_kernels,
    w.name, w.token_id
FROM job j
JOIN run r ON r.id = j.run_id
JOIN run_design d ON d.run_id = j.run_id
    AND d.number = j.design
LEFT JOIN worker_session w ON w.id = j.session_id
WHERE j.id = ANY($1::uuid[])
ORDER BY j.id
FOR UPDATE OF j;

-- name: job_lock_runs
-- The runs and designs of a large batch. Each is looked up once instead of being joined to each
-- job.
SELECT r.id, d.number, r.engine = 'cycle', r.simulator, d.design_sha256, d.name, r.inside_kernels
FROM run r
JOIN run_design d ON d.run_id = r.id
WHERE r.id = ANY($1::uuid[])
ORDER BY r.id, d.number;

-- name: job_lock_workers
SELECT id, name, token_id
FROM worker_session
WHERE id = ANY($1::uuid[])
ORDER BY id;

-- name: job_launch
SELECT s.invocation
FROM job j
JOIN run r ON r.id = j.run_id
JOIN sample s ON s.plan_id = r.plan_id
    AND s.number = j.sample
WHERE j.id = $1::uuid;

-- name: job_write
-- Writes the jobs that do not end as done: requeued or failed.
UPDATE job j
SET state = c.state, ready_at = c.ready_at, session_id = NULL, leased_at = NULL, deadline_at = NULL,
    failures = c.failures, troubles = c.troubles, losses = c.losses, memory_class = c.memory_class,
    time_class = c.time_class, failure = c.failure, failure_text = c.failure_text,
    finished_at = CASE WHEN c.state = 'failed' THEN $11::timestamptz END,
    waits_on = CASE WHEN c.state = 'ready' THEN j.waits_on END
FROM unnest(
    $1::uuid[], $2::job_state[], $3::timestamptz[], $4::smallint[], $5::smallint[], $6::smallint[],
    $7::smallint[], $8::smallint[], $9::text[], $10::text[]
) AS c(
    id, state, ready_at, failures, troubles, losses, memory_class, time_class, failure, failure_text
)
WHERE j.id = c.id;

-- name: job_end
{{end_own}} w AS (
    SELECT f.id, c.result
    FROM ended c
    JOIN job f ON f.waits_on = c.id
    ORDER BY f.id
    FOR UPDATE OF f
), {{end_others}};

-- name: job_end_late
-- Like job_end, for late results: other jobs may have the same key. These are the new leader, the
-- jobs that wait for it, and failed jobs of any run. $16: keys in hex.
{{end_own}} k AS (
    SELECT t.key, t.id AS result
    FROM result t
    WHERE t.key IN (SELECT decode(x, 'hex') FROM unnest($16::text[]) x)
), l AS (
    SELECT j.id, k.result
    FROM k
    JOIN job j ON j.key = k.key
        AND j.state IN ('ready', 'leased')
        AND j.waits_on IS NULL
    UNION ALL
    SELECT j.id, k.result
    FROM k
    JOIN job j ON j.key = k.key
        AND j.state = 'failed'
), o AS (
    SELECT id, result
    FROM l
    UNION
    SELECT f.id, c.result
    FROM (SELECT * FROM ended UNION SELECT * FROM l) c
    JOIN job f ON f.waits_on = c.id
), w AS (
    SELECT f.id, o.result
    FROM o
    JOIN job f ON f.id = o.id
    WHERE f.state IN ('ready', 'leased', 'failed')
      AND f.id NOT IN (SELECT id FROM ended)
    ORDER BY f.id
    FOR UPDATE OF f
), {{end_others}};

-- name: job_waiting_failed
-- Fails the jobs that wait for a leader that has failed.
WITH w AS (
    SELECT f.id, d.failure
    FROM unnest($1::uuid[], $2::text[]) d(leader, failure)
    JOIN job f ON f.waits_on = d.leader
    ORDER BY f.id
    FOR UPDATE OF f
), failed AS (
    UPDATE job f
    SET state = 'failed', failure = w.failure, waits_on = NULL,
        failure_text = 'the same simulation failed in another job', finished_at = $3::timestamptz
    FROM w
    WHERE f.id = w.id
    RETURNING f.run_id
)
UPDATE run r
SET version = version + 1
WHERE r.id IN (SELECT run_id FROM failed);

-- name: job_attempt
SELECT w.token_id, a.worker, a.outcome = 'ok'
FROM attempt a
LEFT JOIN worker_session w ON w.id = a.session_id
WHERE a.job_id = $1::uuid
  AND a.number = $2::integer;

-- name: job_dead_sessions
-- The number of different sessions that died with a lease of the job.
SELECT count(DISTINCT session_id)
FROM attempt
WHERE job_id = $1::uuid
  AND outcome = 'lost';
