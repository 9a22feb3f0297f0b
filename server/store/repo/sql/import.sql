-- name: import_of_upload
SELECT id
FROM import
WHERE upload_id = $1::uuid
ORDER BY created_at DESC
LIMIT 1;

-- name: import_put
INSERT INTO import (id, team_id, upload_id, name, workload, bytes, holder, created_at, uploaded_by)
VALUES (
    $1::uuid, $2::bigint, $3::uuid, $4::text, $5::text, $6::bigint, $7::text, $8::timestamptz,
    $9::text
);

-- name: import_open
SELECT i.id, coalesce(i.upload_id::text, ''), i.name, i.workload, coalesce(u.sha256, ''), i.bytes,
    i.team_id, coalesce(u.known, false)
FROM import i
LEFT JOIN upload u ON u.id = i.upload_id
WHERE i.id = $1::uuid
  AND i.state IN ('queued', 'reading');

-- name: import_unfinished
SELECT id
FROM import
WHERE holder = $1::text
  AND state IN ('queued', 'reading')
ORDER BY created_at;

-- name: import_progress
UPDATE import
SET state = 'reading', stage = $2::text, bytes_read = $3::bigint, rows_read = $4::bigint
WHERE id = $1::uuid
  AND state IN ('queued', 'reading');

-- name: import_upload_hash
UPDATE upload SET sha256 = $2::text, known = true WHERE id = $1::uuid;

-- name: import_fail
UPDATE import
SET state = 'failed', problem = $2::json, report = $3::json, finished_at = $4::timestamptz
WHERE id = $1::uuid
  AND state IN ('queued', 'reading');

-- name: import_ready
UPDATE import
SET state = 'ready', stage = 'done', report = $2::json, rows_read = $3::bigint, bytes_read = bytes,
    finished_at = $4::timestamptz
WHERE id = $1::uuid
  AND state IN ('queued', 'reading');

-- name: import_json
SELECT ROW(
    i.id, i.upload_id, i.name, i.state, i.stage, i.bytes_read, i.bytes, i.rows_read, p.workload_id,
    p.id, i.report, i.problem
)
FROM import i
LEFT JOIN profile p ON p.import_id = i.id
    AND p.ready
WHERE i.id = $1::uuid
  AND i.team_id = $2::bigint;
