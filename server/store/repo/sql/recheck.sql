-- name: recheck_make
-- Creates a recheck of each simulated result whose worker is known.
WITH made AS (
    INSERT INTO task (
        kind, result_id, trace_sha256, design_sha256, simulator, inside_kernels, expected_s,
        not_worker, made_at
    )
    SELECT 'recheck', r.id, r.trace_sha256, r.design_sha256, r.simulator, r.inside_kernels,
        coalesce(r.host_seconds, 0), r.worker, $2::timestamptz
    FROM result r
    WHERE r.id = ANY($1::uuid[])
      AND r.engine = 'cycle'
      AND r.worker IS NOT NULL
    ON CONFLICT (result_id, kind) DO NOTHING
    RETURNING id
)
INSERT INTO recheck (task_id)
SELECT id
FROM made;

-- name: recheck_held
-- Locks the recheck of a lease.
SELECT r.id, r.digest, w.name, t.trace_sha256, t.design_sha256, t.simulator, coalesce(w.token_id, 0)
FROM task t
JOIN result r ON r.id = t.result_id
JOIN worker_session w ON w.id = t.session_id
WHERE t.id = $1::uuid
  AND t.attempt = $2::integer
  AND t.state = 'leased'
  AND t.kind = 'recheck'
FOR UPDATE OF t;

-- name: recheck_end
WITH {{task_end}}
UPDATE recheck
SET second = $7, agrees = $8::boolean
WHERE task_id IN (SELECT id FROM ended);

-- name: recheck_differing
SELECT t.result_id, t.not_worker, c.second
FROM recheck c
JOIN task t ON t.id = c.task_id
WHERE NOT c.agrees
  AND NOT c.acted
ORDER BY t.id
LIMIT 100;
