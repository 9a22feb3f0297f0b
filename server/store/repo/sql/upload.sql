-- name: upload_storage
SELECT open_uploads, stored_bytes + reserved_bytes, quota_bytes
FROM team_storage
WHERE team_id = $1::bigint
FOR UPDATE;

-- name: upload_put
INSERT INTO upload (id, team_id, name, workload, bytes, sha256, known, created_at, reserved_bytes)
VALUES (
    $1::uuid, $2::bigint, $3::text, $4::text, $5::bigint, nullif($6::text, ''), $7::boolean,
    $8::timestamptz, CASE WHEN $7::boolean THEN 0 ELSE $5::bigint END
);

-- name: upload_get
SELECT id, name, workload, bytes, coalesce(sha256, ''), known, state = 'finished'
FROM upload
WHERE id = $1::uuid
  AND team_id = $2::bigint;

-- name: upload_received
SELECT piece
FROM upload_piece
WHERE upload_id = $1::uuid
ORDER BY piece;

-- name: upload_piece
SELECT sha256
FROM upload_piece
WHERE upload_id = $1::uuid
  AND piece = $2::integer;

-- name: upload_piece_put
INSERT INTO upload_piece (upload_id, piece, sha256)
VALUES ($1::uuid, $2::integer, $3::text)
ON CONFLICT DO NOTHING;

-- name: upload_settle
-- Releases the reservation and deletes the rows of the pieces.
WITH pieces AS (DELETE FROM upload_piece WHERE upload_id = $1::uuid)
UPDATE upload
SET reserved_bytes = 0
WHERE id = $1::uuid
  AND reserved_bytes > 0;

-- name: upload_finish
UPDATE upload
SET state = 'finished'
WHERE id = $1::uuid
  AND state = 'open';

-- name: upload_delete
DELETE FROM upload
WHERE id = $1::uuid
  AND team_id = $2::bigint
  AND state = 'open';

-- name: upload_expire
DELETE FROM upload
WHERE state = 'open'
  AND created_at < $1::timestamptz
RETURNING id;

-- name: upload_forget
DELETE FROM upload u
WHERE u.state = 'finished'
  AND u.created_at < $1::timestamptz
  AND NOT EXISTS (
      SELECT FROM import i
      WHERE i.upload_id = u.id
        AND i.state IN ('queued', 'reading')
  );

-- name: upload_gone
SELECT upload_id, pieces FROM upload_gone ORDER BY upload_id LIMIT 100;

-- name: upload_removed
DELETE FROM upload_gone WHERE upload_id = $1::uuid;

-- name: upload_exists
SELECT FROM upload WHERE id = $1::uuid;
