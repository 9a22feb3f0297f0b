-- fragment: chosen
t.id = ANY($1::uuid[])

-- fragment: uses_chosen
-- True for a job that is done by one of the chosen results, or that failed because one of them is
-- quarantined.
(
    result_id = ANY($1::uuid[])
      OR (
          id IN (SELECT job_id FROM discarded_use WHERE result_id = ANY($1::uuid[]))
            AND state = 'failed'
            AND failure = 'quarantined'
      )
)

-- fragment: to_decide
'two workers simulated it, and had different results: a site admin decides (vivace result discard --quarantined)'

-- name: discard_choose
-- The results that match all given criteria.
SELECT coalesce(array_agg(c.id), '{}')::text, count(*)
FROM (
    SELECT t.id
    FROM result t
    WHERE (t.quarantined OR (t.discard_id IS NULL AND NOT $7::boolean))
      AND ($1::text IS NULL OR t.worker = $1)
      AND ($2::text IS NULL OR t.simulator = $2)
      AND ($3::text IS NULL OR t.created_at >= $3::timestamptz)
      AND ($4::text IS NULL OR t.created_at < $4::timestamptz)
      AND (
          $5::text IS NULL
            OR t.id::text = $5
            OR encode(coalesce(t.discarded_key, t.key), 'hex') = $5
      )
    ORDER BY t.id
    LIMIT $6::bigint
) c;

-- name: discard_cost
WITH t AS (
    SELECT id, worker, simulator, created_at
    FROM result t
    WHERE {{chosen}}
), j AS (SELECT j.run_id FROM {{jobs_of_all}} j WHERE {{uses_chosen}}),
    r AS (
        SELECT r.id, r.state, f.team_id
        FROM run r
        JOIN plan p ON p.id = r.plan_id
        JOIN profile f ON f.id = p.profile_id
        WHERE r.id IN (SELECT run_id FROM j)
    )
SELECT ROW(
    (SELECT count(*) FROM t), (SELECT count(*) FROM j), (SELECT count(*) FROM r),
    (SELECT count(*) FROM r WHERE state IN ('done', 'failed')),
    (SELECT count(DISTINCT team_id) FROM r), (SELECT api_time(min(created_at)) FROM t),
    (SELECT api_time(max(created_at)) FROM t), (
        SELECT count(*)
        FROM share s
        WHERE s.frozen_at IS NOT NULL
          AND (
              s.object IN (SELECT id FROM r)
                OR s.runs && ARRAY(SELECT id FROM r)
          )
    ), (
        SELECT array_agg(ROW(worker, simulator, n) ORDER BY n DESC, worker, simulator)
        FROM (
            SELECT worker, simulator, count(*) AS n
            FROM t
            GROUP BY worker, simulator
            ORDER BY n DESC
            LIMIT 100
        ) w
    )
);

-- name: discard_long_work
SELECT set_config('statement_timeout', '120s', true);

-- name: discard_put
INSERT INTO result_discard (id, at, by_name, why, chosen, results, jobs, runs)
VALUES ($1::uuid, $2::timestamptz, $3, $4, $5::json, 0, 0, 0);

-- name: discard_archived
SELECT DISTINCT run_id FROM job_archive
WHERE {{uses_chosen}}
ORDER BY run_id;

-- name: discard_lock
-- Locks the jobs that use the results.
SELECT count(*)
FROM (SELECT FROM job WHERE {{uses_chosen}} ORDER BY id FOR UPDATE) l;

-- name: discard_hold
-- Locks the runs, so that none ends or is cancelled until the transaction ends.
SELECT count(*)
FROM (
    SELECT FROM run
    WHERE id IN (SELECT run_id FROM job WHERE {{uses_chosen}})
    ORDER BY id
    FOR NO KEY UPDATE
) l;

-- name: discard_use
INSERT INTO discarded_use (result_id, job_id, run_id)
SELECT result_id, id, run_id
FROM job
WHERE result_id = ANY($1::uuid[])
ON CONFLICT DO NOTHING;

-- name: discard_jobs
-- Blocks the jobs again. They fail if the results are quarantined ($2), and are cancelled in
-- cancelled runs.
WITH again AS (
    UPDATE job j
    SET {{job_lets_go}}, state = (
        CASE
            WHEN r.state = 'cancelled' THEN 'cancelled'
            WHEN $2::boolean THEN 'failed'
            ELSE 'blocked'
        END
    )::job_state, failure = CASE
        WHEN r.state <> 'cancelled' AND $2::boolean THEN 'quarantined'
    END, failure_text = CASE
        WHEN r.state <> 'cancelled' AND $2::boolean THEN {{to_decide}}
    END, finished_at = CASE WHEN r.state = 'cancelled' OR $2::boolean THEN j.finished_at END
    FROM run r
    WHERE r.id = j.run_id
      AND j.id IN (SELECT id FROM job WHERE {{uses_chosen}})
    RETURNING j.run_id
)
SELECT run_id, count(*)
FROM again
GROUP BY run_id
ORDER BY run_id;

-- name: discard_passed_over
-- Deletes the skipped samples of these jobs, because their launches are simulated again.
DELETE FROM skipped_sample x USING job j, run r, sample s
WHERE j.id IN (SELECT id FROM job WHERE {{uses_chosen}})
  AND r.id = j.run_id
  AND s.plan_id = r.plan_id
  AND s.number = j.sample
  AND x.run_id = r.id
  AND x.invocation = s.invocation
  AND NOT x.replaced;

-- name: discard_results
-- Changes the key of the discarded results, so that a new result can have the old key.
UPDATE result t
SET discard_id = $2::uuid, quarantined = $3::boolean,
    discarded_key = coalesce(t.discarded_key, t.key),
    key = sha256(convert_to('discarded|' || t.id, 'UTF8'))
WHERE {{chosen}};

-- name: discard_rechecks
-- Ends the rechecks of the results.
WITH t AS (
    SELECT id
    FROM task
    WHERE result_id = ANY($1::uuid[])
      AND kind = 'recheck'
), open AS (
    UPDATE task
    SET state = 'failed', session_id = NULL, deadline_at = NULL, finished_at = $2::timestamptz,
        why = 'the result was discarded'
    WHERE id IN (SELECT id FROM t)
      AND state IN ('ready', 'leased')
)
UPDATE recheck
SET acted = true
WHERE task_id IN (SELECT id FROM t);

-- name: discard_answers
-- Keeps the answers of the runs, which discard_runs deletes.
INSERT INTO discard_answer (discard_id, run_id, design, value, half_width)
SELECT $2::uuid, run_id, design, value, half_width
FROM projection
WHERE run_id = ANY($1::uuid[])
  AND value IS NOT NULL;

-- name: discard_runs
-- Continues ended runs, deletes everything computed from the results, and marks frozen share links.
WITH r AS (
    SELECT id, state IN ('done', 'failed') AS goes_on, true AS anew
    FROM run
    WHERE id = ANY($1::uuid[])
    ORDER BY id
    FOR NO KEY UPDATE
), {{results_forgotten($1::uuid[])}}, links AS (
    UPDATE share
    SET discarded_at = $2::timestamptz
    WHERE frozen_at IS NOT NULL
      AND (
          object = ANY($1::uuid[])
            OR runs && $1::uuid[]
      )
)
UPDATE run
SET version = version + 1, promise_notified = false,
    cached = (SELECT count(*) FROM job j WHERE j.run_id = run.id AND j.cached), {{run_goes_on}}
FROM r
WHERE run.id = r.id;

-- name: discard_count
UPDATE result_discard d
SET results = (SELECT count(*) FROM result WHERE discard_id = d.id), jobs = u.jobs, runs = u.runs
FROM (
    SELECT count(*) AS jobs, count(DISTINCT run_id) AS runs
    FROM discarded_use
    WHERE result_id IN (SELECT id FROM result WHERE discard_id = $1::uuid)
) u
WHERE d.id = $1::uuid;

-- fragment: discard_row
d.id, api_time(d.at), d.by_name, d.why, d.chosen, d.results, d.jobs, d.runs

-- fragment: jobs_in(state)
-- The jobs of one run, or of all runs, that are in a state now.
count(*) FILTER (WHERE u.state IN {{state}})

-- fragment: uses_now
-- The jobs that results of discard $1 had done, as they are now. state NULL: the job was deleted.
SELECT x.run_id, j.state
FROM discarded_use x
LEFT JOIN {{jobs_of_all}} j ON j.id = x.job_id
WHERE x.result_id IN (SELECT id FROM result WHERE discard_id = $1::uuid)

-- fragment: answers_then_and_now
-- For each design of run r: the change of its answer relative to the answer before the discard. NULL:
-- the new answer is not complete yet.
(
    SELECT array_agg(
        ROW(
            n.name, CASE WHEN a.value <> 0 AND p.complete THEN p.value / a.value - 1 END,
            CASE WHEN a.value <> 0 THEN a.half_width / abs(a.value) END,
            CASE WHEN p.complete THEN abs(p.value - a.value) > a.half_width END
        ) ORDER BY a.design
    )
    FROM discard_answer a
    JOIN run_design n ON n.run_id = a.run_id
        AND n.number = a.design
    LEFT JOIN projection p ON p.run_id = a.run_id
        AND p.design = a.design
    WHERE a.discard_id = $1::uuid
      AND a.run_id = r.id
)

-- name: discard_one
-- A discard, the results that replaced its own, and the newest 200 runs that used them.
WITH u AS MATERIALIZED ({{uses_now}}),
    runs AS (
        SELECT u.run_id, count(*) AS jobs, {{jobs_in(('done'))}} AS done
        FROM u
        GROUP BY u.run_id
        ORDER BY u.run_id DESC
        LIMIT 200
    )
SELECT ROW(
    {{discard_row}}, (SELECT {{jobs_in(('done'))}} FROM u),
    (SELECT {{jobs_in(('blocked', 'ready', 'leased'))}} FROM u),
    (SELECT {{jobs_in(('failed'))}} FROM u), (
        SELECT array_agg(ROW(worker, simulator, n) ORDER BY n DESC, worker, simulator)
        FROM (
            SELECT worker, simulator, count(*) AS n
            FROM result
            WHERE discard_id = d.id
            GROUP BY worker, simulator
            ORDER BY n DESC
            LIMIT 100
        ) w
    ), (
        SELECT array_agg(
            ROW(r.id, t.slug, r.state, s.jobs, s.done, {{answers_then_and_now}}) ORDER BY r.id DESC
        )
        FROM runs s
        JOIN run r ON r.id = s.run_id
        JOIN plan q ON q.id = r.plan_id
        JOIN profile f ON f.id = q.profile_id
        JOIN team t ON t.id = f.team_id
    )
)
FROM result_discard d
WHERE d.id = $1::uuid;

-- name: discard_list
SELECT ROW({{discard_row}}), d.id
FROM result_discard d
WHERE ($1::text IS NULL OR d.id < $1::uuid)
ORDER BY d.id DESC
LIMIT $2::bigint;
