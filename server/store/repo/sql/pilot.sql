-- fragment: pilot_from
FROM pilot k
JOIN profile f ON f.id = k.profile_id
JOIN workload w ON w.id = f.workload_id
LEFT JOIN run r ON r.id = k.run_id

-- fragment: jobs_in(states)
-- The number of jobs of the pilot's run in these states.
(SELECT count(*) FROM job j WHERE j.run_id = r.id AND j.state IN ({{states}}))

-- fragment: stuck
-- The number of jobs that wait for traces, if nothing can produce these and no other job remains.
CASE
    WHEN r.state = 'running'
      AND r.unmade = 0
      AND NOT coalesce({{pack_whole}}, false)
      AND NOT EXISTS (
          SELECT FROM job j
          WHERE j.run_id = r.id
            AND j.state IN ('ready', 'leased')
      ) THEN {{jobs_in('blocked')}}
    ELSE 0
END

-- fragment: pilot_row
ROW(
    k.id, f.id, w.id, w.name, k.design_name, k.design_sha256, k.wanted, k.state,
    (SELECT p.samples FROM plan p WHERE p.id = k.pilot_plan_id), (
        SELECT count(*)
        FROM {{jobs_of_all}} j
        WHERE j.run_id = r.id
          AND j.state = 'done'
    ), (
        SELECT count(*)
        FROM {{jobs_of_all}} j
        WHERE j.run_id = r.id
          AND j.state = 'failed'
    ), k.pilot_plan_id, r.id, r.state, k.cycles_id, k.plan_id, k.note, k.problem, k.hint, k.tries,
    k.created_by, api_time(k.created_at), api_time(k.finished_at)
)

-- fragment: unless_there(column; given)
-- True if the value is not set already. If it is, another server was faster.
(${{given}}::uuid IS NULL OR {{column}} IS NULL)

-- name: pilot_put
INSERT INTO pilot
    (id, profile_id, design_sha256, design_name, wanted, pilot_plan_id, created_by, created_at)
VALUES ($1::uuid, $2::uuid, $3, $4, $5::json, $6::uuid, $7, $8::timestamptz);

-- name: pilot_find
SELECT k.id, k.profile_id, k.design_sha256, k.design_name, k.state, k.created_by, k.pilot_plan_id,
    r.id, k.cycles_id, r.state, r.simulator, w.id, f.team_id, {{stuck}}, k.wanted
{{pilot_from}}
WHERE k.id = $1::uuid
  AND ($2::bigint < 0 OR f.team_id = $2::bigint);

-- name: pilot_due
-- Pilots that can make progress now.
SELECT k.id
{{pilot_from}}
WHERE (
    k.finished_at IS NULL
      AND (
          k.state <> 'simulating'
            OR r.id IS NULL
            OR r.state NOT IN ('running', 'paused')
            OR {{stuck}} > 0
      )
)
  OR (k.state = 'cancelled' AND r.state IN ('running', 'paused'))
ORDER BY k.id
LIMIT 100;

-- name: pilot_move
UPDATE pilot
SET state = $3, run_id = coalesce($4::uuid, run_id), cycles_id = coalesce($5::uuid, cycles_id),
    plan_id = coalesce($6::uuid, plan_id), note = coalesce($7, note), problem = $8, hint = $9,
    finished_at = CASE
        WHEN $3 IN ('done', 'failed', 'cancelled') THEN $10::timestamptz
    END
WHERE id = $1::uuid
  AND state = ANY(string_to_array($2, ','))
  AND (state <> $3 OR $5::uuid IS NOT NULL OR problem IS DISTINCT FROM $8)
  AND {{unless_there(run_id; 4)}}
  AND {{unless_there(cycles_id; 5)}}
  AND {{unless_there(plan_id; 6)}};

-- name: pilot_retry
UPDATE pilot k
SET tries = k.tries + 1, problem = NULL, hint = NULL, finished_at = NULL,
    state = CASE WHEN s.simulated THEN 'planning' ELSE 'starting' END,
    run_id = CASE WHEN s.simulated THEN k.run_id END
FROM (
    SELECT p.id, p.cycles_id IS NOT NULL
      OR coalesce(r.state = 'done', false) AS simulated
    FROM pilot p
    LEFT JOIN run r ON r.id = p.run_id
    WHERE p.id = $1::uuid
) s
WHERE k.id = s.id
  AND k.state IN ('failed', 'cancelled');

-- name: pilot_failure
SELECT failure_text
FROM {{jobs_of_all}} j
WHERE j.run_id = $1::uuid
  AND j.state = 'failed'
  AND j.failure_text <> ''
ORDER BY j.seq
LIMIT 1;

-- name: pilot_traced
SELECT invocation
FROM trace_binding
WHERE profile_id = $1::uuid
ORDER BY invocation;

-- name: pilot_cycles
SELECT id
FROM profile
WHERE workload_id = $1::uuid
  AND sha256 = $2
  AND unit = 'cycles'
  AND ready
ORDER BY id
LIMIT 1;

-- name: pilot_share_bound
-- Copies the bindings of traces to another profile with the same launches.
INSERT INTO trace_binding (profile_id, invocation, trace_sha256, bound_at)
SELECT $2::uuid, invocation, trace_sha256, $3::timestamptz
FROM trace_binding
WHERE profile_id = $1::uuid
ON CONFLICT DO NOTHING;

-- name: pilot_share_file
UPDATE profile t
SET traces_sha256 = f.traces_sha256, traces_launches = f.traces_launches
FROM profile f
WHERE f.id = $1::uuid
  AND t.id = $2::uuid
  AND t.traces_sha256 IS NULL;

-- name: pilot_json
SELECT {{pilot_row}}
{{pilot_from}}
WHERE k.id = $1::uuid
  AND f.team_id = $2::bigint;

-- name: pilot_list
SELECT {{pilot_row}}, k.id
{{pilot_from}}
WHERE k.profile_id = $1::uuid
  AND ($2::text = '' OR k.id < nullif($2::text, '')::uuid)
ORDER BY k.id DESC
LIMIT $3::bigint;
