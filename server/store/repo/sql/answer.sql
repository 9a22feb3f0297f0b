-- shared fragment: answer_row
-- The run's last complete answer. While the next one is computed, or if the run was cancelled,
-- also: the open jobs, and the samples without a trace on any design.
(
    SELECT ROW(
        api_time(z.at), z.plan_id, z.final, (SELECT samples FROM plan WHERE id = z.plan_id),
        CASE
            WHEN o.open > 0
              OR r.plan_id <> z.plan_id
              AND r.state IN ('running', 'paused', 'cancelled') THEN ROW(
                  greatest(r.jobs - z.jobs, o.open), o.open, o.blocked, o.missing,
                  (SELECT count(*) FROM run_design WHERE run_id = r.id), r.state = 'cancelled'
              )
        END
    )
    FROM run_answer z, LATERAL (
        SELECT s.blocked + s.ready + s.leased AS open, s.blocked,
            CASE
                WHEN s.blocked > 0 THEN (
                    SELECT count(DISTINCT j.sample)
                    FROM job j
                    WHERE j.run_id = r.id
                      AND j.state = 'blocked'
                      AND j.trace_sha256 IS NULL
                )
                ELSE 0
            END AS missing
        FROM (
            SELECT {{jobs_by_state}}
            FROM job_tally t
            WHERE t.run_id = r.id
              AND r.state IN ('running', 'paused', 'cancelled')
        ) s
    ) o
    WHERE z.run_id = r.id
)

-- name: answer_put
INSERT INTO run_answer (run_id, plan_id, at, jobs, done, final, confidence, baseline)
VALUES (
    $1::uuid, $2::uuid, greatest(
        $3::timestamptz, (SELECT max(finished_at) FROM {{jobs_of_all}} j WHERE j.run_id = $1::uuid)
    ), $4::integer, $5::integer, $6::boolean, $7::float8, $8::smallint
)
ON CONFLICT (run_id) DO UPDATE SET plan_id = excluded.plan_id, at = excluded.at,
    jobs = excluded.jobs, done = excluded.done, final = excluded.final,
    confidence = excluded.confidence, baseline = excluded.baseline;

-- name: answer_find
SELECT plan_id, at, jobs, done, final, confidence, baseline
FROM run_answer
WHERE run_id = $1::uuid;

-- name: answer_levels
SELECT v.level, v.looks, v.difference_level, v.difference_looks
FROM run_design d
LEFT JOIN projection v ON v.run_id = d.run_id
    AND v.design = d.number
WHERE d.run_id = $1::uuid
ORDER BY d.number;

-- name: answer_json
SELECT {{answer_row}}
FROM run r
WHERE r.id = $1::uuid;
