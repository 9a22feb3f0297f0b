-- fragment: job_worker
-- The worker that has the job or had it last.
coalesce(
    (SELECT w.name FROM worker_session w WHERE w.id = j.session_id),
    (
        SELECT a.worker
        FROM {{attempts_of_all}} a
        WHERE a.job_id = j.id
        ORDER BY a.number DESC
        LIMIT 1
    )
)

-- fragment: job_columns
j.id, j.run_id, s.invocation, s.stratum, d.name, j.state, j.attempt, j.cached, j.waits_on,
    {{job_worker}}, CASE
        WHEN j.failure IS NOT NULL THEN ROW(j.failure, j.failure_text)
    END, j.state = 'failed'
  AND EXISTS (
      SELECT FROM skipped_sample x
      WHERE x.run_id = j.run_id
        AND x.invocation = s.invocation
        AND NOT x.replaced
  ), api_time(j.ready_at), api_time(j.deadline_at), api_time(j.finished_at), j.trace_sha256,
      j.result_id

-- fragment: job_facts
j
JOIN run r ON r.id = j.run_id
JOIN sample s ON s.plan_id = r.plan_id
    AND s.number = j.sample
JOIN run_design d ON d.run_id = j.run_id
    AND d.number = j.design

-- fragment: part(table; where)
-- One page of a table. Parameters: $1 run, $2 design, $3 after, $4 limit, $5 stratum. It is read in
-- the order of an index and ends when the page is full. This does not depend on the planner's
-- statistics, which may be old. Only the jobs of the page are joined with other tables.
(
    SELECT j.*
    FROM {{table}} j
    WHERE j.run_id = $1::uuid
      AND j.seq > $3::integer {{where}}
      AND (
          $2::text IS NULL
            OR EXISTS (SELECT FROM run_design WHERE run_id = $1::uuid AND name = $2)
      )
      AND (
          $2::text IS NULL
            OR j.design = (SELECT number FROM run_design WHERE run_id = $1::uuid AND name = $2)
      )
      AND (
          $5::bigint < 0
            OR EXISTS (
                SELECT FROM sample s
                WHERE s.number = j.sample
                  AND s.stratum = $5::bigint
                  AND s.plan_id = (SELECT plan_id FROM run WHERE id = $1::uuid)
            )
      )
    ORDER BY j.seq
    LIMIT $4::bigint
)

-- fragment: page(parts)
SELECT ROW({{job_columns}}), j.seq
FROM (SELECT * FROM ({{parts}}) u ORDER BY seq LIMIT $4::bigint) {{job_facts}}
ORDER BY j.seq

-- fragment: of_worker
-- Only jobs of table c that worker $6 has or had last, with the state $7 (NULL: any).
AND j.id IN (SELECT id FROM c)
  AND {{job_worker}} = $6
  AND ($7::text IS NULL OR j.state = $7::job_state)

-- fragment: any(state)
-- True if the run has a job in the state. Without this check, the planner might read all jobs of
-- the run to find none. It is only used for `job`: an archived run has no tally.
(SELECT coalesce(sum({{state}}), 0) > 0 FROM job_tally WHERE run_id = $1::uuid)

-- fragment: in_state(state)
{{page(
    {{part(job; AND j.state = '{{state}}' AND {{any({{state}})}})}}
    UNION ALL {{part(job_archive; AND j.state = '{{state}}')}}
)}}

-- name: job_list
{{page({{part(job; )}} UNION ALL {{part(job_archive; )}})}};

-- name: job_list_blocked
{{in_state(blocked)}};

-- name: job_list_ready
-- Waiting jobs are searched only if there are any: before the first ANALYZE the planner assumes
-- that nearly all jobs wait.
{{page(
    {{part(job; AND j.state = 'ready' AND j.waits_on IS NULL AND {{any(ready)}})}}
    UNION ALL {{part(
        job;
        AND j.state = 'ready'
          AND j.waits_on IS NOT NULL
          AND EXISTS (
              SELECT FROM (
                  SELECT waits_on
                  FROM job
                  WHERE waits_on IS NOT NULL
                  ORDER BY waits_on
                  LIMIT 1
              ) z
          )
    )}}
)}};

-- name: job_list_leased
{{page({{part((SELECT * FROM job WHERE state = 'leased' AND session_id IS NOT NULL OFFSET 0); )}})}};

-- name: job_list_done
{{in_state(done)}};

-- name: job_list_failed
{{in_state(failed)}};

-- name: job_list_cancelled
{{in_state(cancelled)}};

-- name: job_list_of_worker
-- Reads only the jobs that the worker has or has had.
WITH c AS MATERIALIZED (
    SELECT j.id
    FROM job j
    JOIN worker_session v ON v.id = j.session_id
    WHERE v.name = $6
      AND j.state = 'leased'
    UNION
    SELECT a.job_id
    FROM {{attempts_of_all}} a
    WHERE a.worker = $6
) {{page(
    {{part(job; {{of_worker}})}}
    UNION ALL {{part(job_archive; {{of_worker}})}}
)}};

-- name: job_json
SELECT ROW(
    {{job_columns}}, (
        SELECT array_agg(
            ROW(
                a.number, a.worker, api_time(a.started_at), api_time(a.ended_at), a.outcome,
                a.message, a.last_lines, a.host_seconds, a.cpu_seconds, a.peak_bytes
            )
            ORDER BY a.number
        )
        FROM {{attempts_of_all}} a
        WHERE a.job_id = j.id
    )
)
FROM {{jobs_of_all}} {{job_facts}}
WHERE j.id = $1::uuid;
