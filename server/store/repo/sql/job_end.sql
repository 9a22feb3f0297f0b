-- fragment: locked
j.id, j.run_id, j.session_id, j.state, j.attempt, j.failures, j.troubles, j.losses, j.memory_class,
j.time_class, j.leased_at, encode(j.key, 'hex'), j.trace_sha256, j.design

-- fragment: end_own
-- What nearly every report says, and all that follows from it, in one question. $1 ids, $2 their
-- results; $3 runs that shall be looked at again; $4 to $14 attempts; $15 when. Jobs that waited for
-- these jobs, `w`, are done by the same results; rows of others are locked in order of id before
-- they are changed, runs after jobs. A run that failed goes on: the result is late, of a job that
-- was given up. Its id is the answer, because parts of it may be archived.
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
-- $1 ids
SELECT {{locked}}
FROM job j
WHERE j.id = ANY($1::uuid[])
ORDER BY j.id
FOR UPDATE;

-- name: job_lock_few
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
-- What the rows of a large batch share is looked up once a batch, not joined to each.
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
-- Where results came late, others may have their keys: who took the lead since, whom that one keeps
-- waiting, and jobs of any run that were given up. $16 the keys as hex.
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
SELECT count(DISTINCT session_id)
FROM attempt
WHERE job_id = $1::uuid
  AND outcome = 'lost';
