-- fragment: wanted
-- Jobs of run $1 with plan $2 for samples $3, which have the launches $4. b is the trace.
run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
CROSS JOIN unnest($3::integer[], $4::bigint[])
WITH ORDINALITY s(number, invocation, place)
JOIN run_design d ON d.run_id = r.id
LEFT JOIN trace_binding b ON b.profile_id = f.id
    AND b.invocation = s.invocation
    AND r.engine = 'cycle'
WHERE r.id = $1::uuid
  AND r.plan_id = $2::uuid

-- fragment: key
CASE r.engine
    WHEN 'replay' THEN result_key_replay(f.sha256, s.invocation)
    ELSE result_key_cycle(
            b.trace_sha256, d.design_sha256, r.simulator, r.inside_kernels, r.allow_foreign_isa
        )
END

-- name: job_unmade_next
-- The oldest run whose jobs are not all created.
SELECT r.id, r.plan_id, r.unmade, (SELECT count(*) FROM run_design WHERE run_id = r.id)
FROM run r
WHERE r.unmade > 0
ORDER BY r.id
LIMIT 1;

-- name: job_unmade_order
-- The samples without jobs, in the order of job_create.
SELECT string_agg(number::text, ',' ORDER BY turn, stratum),
    string_agg(invocation::text, ',' ORDER BY turn, stratum)
FROM (
    SELECT number, stratum, invocation, row_number() OVER
        (PARTITION BY stratum ORDER BY md5(plan_id::text || ':' || number)) AS turn
    FROM sample
    WHERE plan_id = $2::uuid
) s
WHERE NOT EXISTS (SELECT FROM job o WHERE o.run_id = $1::uuid AND o.sample = s.number);

-- name: job_slice_planner
-- Makes the planner use indexes for every row of a slice, because the statistics of growing tables
-- are old.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
set_config('enable_mergejoin', 'off', true);

-- name: job_slice_alone
-- Returns a row if no other job can have the keys of this run. That holds for a replay, where each
-- launch has one job in a run, if no other run on a profile with the same bytes may have live jobs.
SELECT 1
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
WHERE r.id = $1::uuid
  AND r.engine = 'replay'
  AND NOT EXISTS (
      SELECT FROM profile g
      JOIN plan q ON q.profile_id = g.id
      JOIN run o ON o.plan_id = q.id
      WHERE g.sha256 = f.sha256
        AND o.id <> r.id
        AND o.engine = 'replay'
        AND (
            o.state IN ('running', 'paused')
              OR o.state = 'cancelled'
              AND o.archived_at IS NULL
        )
  );

-- name: job_slice_leaders
-- Locks the leaders of the slice's keys, in order of id.
SELECT count(*)
FROM (
    SELECT FROM job
    WHERE id = ANY(
        ARRAY(SELECT {{live_leader(w.key)}} FROM (SELECT {{key}} AS key FROM {{wanted}}) w)
    )
    ORDER BY id
    FOR UPDATE
) l;

-- name: job_slice_make
-- Creates the jobs of a slice. Their ids increase with seq, so that every index except the one of
-- keys grows at its end. $7: some keys have leaders.
WITH start AS MATERIALIZED (
    SELECT left(uuid_at($5::timestamptz)::text, 28) AS id,
    (SELECT coalesce(max(seq) + 1, 0) FROM job WHERE run_id = $1::uuid) AS seq,
    (SELECT count(*) FROM run_design WHERE run_id = $1::uuid) AS designs
), fresh AS MATERIALIZED (
    SELECT r.id AS run_id, a.id AS start, a.seq + (s.place - 1) * a.designs + d.number AS seq,
        s.number AS sample, d.number AS design, b.trace_sha256, {{key}} AS key
    FROM start a, {{wanted}}
), named AS (
    SELECT f.*, (f.start || lpad(to_hex(f.seq), 8, '0'))::uuid AS id
    FROM fresh f
    OFFSET 0
), led AS (
    SELECT n.*, (SELECT t.id FROM result t WHERE t.key = n.key) AS result,
        coalesce(
            CASE WHEN $7::boolean THEN {{live_leader(n.key)}} END,
            nullif(first_value(n.id) OVER (PARTITION BY n.key ORDER BY n.seq), n.id)
        ) AS leader
    FROM named n
), made AS (
    INSERT INTO job (
        id, run_id, seq, sample, design, trace_sha256, key, state, result_id, cached, finished_at,
        ready_at, waits_on
    )
    SELECT id, run_id, seq, sample, design, trace_sha256, key,
        (CASE WHEN key IS NULL THEN 'blocked' WHEN result IS NOT NULL THEN 'done' ELSE 'ready' END)::job_state,
        result, result IS NOT NULL, CASE WHEN result IS NOT NULL THEN $5::timestamptz END,
        CASE WHEN key IS NOT NULL AND result IS NULL THEN $5::timestamptz END,
        CASE WHEN key IS NOT NULL AND result IS NULL THEN leader END
    FROM led
    ORDER BY seq
    RETURNING cached
)
UPDATE run r
SET unmade = unmade - n.made, cached = r.cached + n.cached, version = version + 1
FROM (
    SELECT count(*) AS made, count(*) FILTER (WHERE cached) AS cached
    FROM made
) n
WHERE r.id = $1::uuid
  AND r.plan_id = $2::uuid
  AND r.unmade = $6::integer
  AND n.made > 0
  AND r.state IN ('running', 'paused')
RETURNING n.made, n.cached;

-- name: job_missing
SELECT count(*) * (SELECT count(*) FROM run_design WHERE run_id = $1::uuid)
FROM run r
JOIN sample s ON s.plan_id = r.plan_id
WHERE r.id = $1::uuid
  AND NOT EXISTS (SELECT FROM job o WHERE o.run_id = $1::uuid AND o.sample = s.number);

-- name: job_set_unmade
UPDATE run SET unmade = $2::integer WHERE id = $1::uuid;

-- name: job_cancel_next
SELECT id, cancel_from
FROM run
WHERE cancel_from IS NOT NULL
  AND ($1::text = '' OR id = nullif($1, '')::uuid)
ORDER BY id
LIMIT 1;

-- name: job_cancel_from
-- Cancels a slice of live jobs. For leased jobs it records the attempt, because the worker's result
-- may still arrive.
WITH c AS (
    SELECT id, state, attempt, session_id, leased_at
    FROM job
    WHERE run_id = $1::uuid
      AND seq >= $2::integer
      AND seq < $2::integer + 1000
      AND state IN ('blocked', 'ready', 'leased')
    ORDER BY id
    FOR UPDATE
), tried AS (
    INSERT INTO attempt
        (job_id, number, worker, session_id, started_at, ended_at, outcome, message, last_lines)
    SELECT c.id, c.attempt, w.name, c.session_id, c.leased_at, $3::timestamptz, 'released',
        'the run was cancelled', ''
    FROM c
    JOIN worker_session w ON w.id = c.session_id
    WHERE c.state = 'leased'
    ON CONFLICT DO NOTHING
)
UPDATE job
SET state = 'cancelled', session_id = NULL, leased_at = NULL, deadline_at = NULL, waits_on = NULL,
    finished_at = $3::timestamptz
FROM c
WHERE job.id = c.id;

-- name: job_cancel_next_from
-- Stores where the next slice begins, or NULL after the last one.
UPDATE run
SET version = version + 1, cancel_from = CASE
    WHEN EXISTS (SELECT FROM job WHERE run_id = $1::uuid AND seq >= $2::integer + 1000) THEN
    $2::integer + 1000
END
WHERE id = $1::uuid
  AND cancel_from = $2::integer;

-- name: job_last_seq
SELECT coalesce(max(seq), -1) FROM job WHERE run_id = $1::uuid;
