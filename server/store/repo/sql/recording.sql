-- name: recording_ask
-- Creates the task. Its id is the result's id, because workers report a recording by it. The
-- expected time is longer than the job's, because the recording also stores a table of intervals.
WITH again AS (
    UPDATE task
    SET state = 'ready', attempt = 0, session_id = NULL, why = NULL, made_at = $3::timestamptz,
        finished_at = NULL
    WHERE result_id = $1::uuid
      AND kind = 'recording'
      AND state = 'failed'
    RETURNING id
), made AS (
    INSERT INTO task
        (id, kind, result_id, trace_sha256, design_sha256, simulator, expected_s, made_at)
    SELECT r.id, 'recording', r.id, r.trace_sha256, r.design_sha256, r.simulator,
        2 * coalesce(r.host_seconds, 0), $3::timestamptz
    FROM result r
    WHERE r.id = $1::uuid
    ON CONFLICT (result_id, kind) DO NOTHING
    RETURNING id
)
INSERT INTO recording (task_id, asked_by)
SELECT id, $2
FROM (TABLE again UNION ALL TABLE made) t
ON CONFLICT (task_id) DO UPDATE SET asked_by = excluded.asked_by;

-- name: recording_json
SELECT ROW(
    t.state, c.asked_by, api_time(t.made_at), api_time(t.finished_at), octet_length(c.bytes), t.why
)
FROM task t
JOIN recording c ON c.task_id = t.id
WHERE t.result_id = $1::uuid
  AND t.kind = 'recording';

-- name: recording_bytes
SELECT c.bytes
FROM task t
JOIN recording c ON c.task_id = t.id
WHERE t.result_id = $1::uuid
  AND t.kind = 'recording'
  AND t.state = 'done';

-- name: recording_leased
SELECT r.design_sha256, r.cycles
FROM task t
JOIN result r ON r.id = t.result_id
WHERE t.id = $1::uuid
  AND t.attempt = $2::integer
  AND t.session_id = $3::uuid
  AND t.state = 'leased'
  AND t.kind = 'recording';

-- name: recording_end
WITH {{task_end}}
UPDATE recording
SET bytes = $7::bytea
WHERE task_id IN (SELECT id FROM ended);
