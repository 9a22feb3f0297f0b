-- fragment: job_from
FROM {{jobs_of_all}} j
JOIN run r ON r.id = j.run_id
JOIN sample s ON s.plan_id = r.plan_id
    AND s.number = j.sample

-- fragment: noted(launch)
skipped_sample x WHERE x.run_id = r.id AND x.invocation = {{launch}}

-- fragment: other
-- Another sample of the job's stratum that is not skipped.
o.plan_id = r.plan_id
  AND o.stratum = s.stratum
  AND o.invocation <> s.invocation
  AND NOT EXISTS (SELECT FROM {{noted(o.invocation)}})

-- name: passed_over_of_job
SELECT s.invocation, s.stratum, (SELECT count(*) FROM sample o WHERE {{other}}) - coalesce(
    (
        SELECT max(n)
        FROM (
            SELECT count(*) AS n
            FROM {{jobs_of_all}} q
            JOIN sample o ON o.number = q.sample
            WHERE {{other}}
              AND q.run_id = r.id
              AND q.state = 'failed'
              AND q.design IN (
                  SELECT design
                  FROM {{jobs_of_all}} f
                  WHERE f.run_id = r.id
                    AND f.sample = j.sample
                    AND f.state = 'failed'
              )
            GROUP BY q.design
        ) g
    ), 0
), coalesce(
    (SELECT CASE WHEN replaced THEN 'replaced' ELSE 'dropped' END FROM {{noted(s.invocation)}}), ''
)
{{job_from}}
WHERE j.id = $1::uuid
  AND j.state = 'failed';

-- name: passed_over_note
INSERT INTO skipped_sample
    (run_id, invocation, stratum, design, failure, failure_text, replaced, at)
SELECT r.id, s.invocation, s.stratum, d.name, j.failure, j.failure_text, $2::boolean,
    $3::timestamptz
{{job_from}}
JOIN run_design d ON d.run_id = r.id
    AND d.number = j.design
WHERE j.id = $1::uuid
  AND j.state = 'failed'
ON CONFLICT (run_id, invocation) DO UPDATE SET replaced = excluded.replaced, at = excluded.at
WHERE skipped_sample.replaced <> excluded.replaced;

-- name: passed_over_forget
DELETE FROM skipped_sample x USING job j, run r, sample s
WHERE j.id = $1::uuid
  AND r.id = j.run_id
  AND s.plan_id = r.plan_id
  AND s.number = j.sample
  AND x.run_id = r.id
  AND x.invocation = s.invocation
  AND NOT x.replaced;
