-- fragment: unreferenced
-- True if nothing refers to blob b and nothing has used it since $1. Unfinished jobs keep their
-- trace, even if another trace was bound to the launch since.
b.touched_at < $1::timestamptz
  AND NOT EXISTS (
      SELECT FROM profile p
      WHERE p.blob_sha256 = b.sha256
        OR p.traces_sha256 = b.sha256
  )
  AND NOT EXISTS (
      SELECT FROM upload u
      LEFT JOIN import i ON i.upload_id = u.id
      WHERE u.sha256 = b.sha256
        AND (u.state = 'open' OR i.state IN ('queued', 'reading'))
  )
  AND NOT EXISTS (
      SELECT FROM task k
      WHERE k.trace_sha256 = b.sha256
        AND k.state IN ('ready', 'leased')
  )
  AND NOT EXISTS (SELECT FROM used_trace t WHERE t.sha256 = b.sha256)
  AND NOT EXISTS (SELECT FROM used_trace t WHERE t.program_sha256 = b.sha256)

-- fragment: used_trace
-- The traces that are referenced: new ones, bound ones, and those of unfinished jobs and tasks.
WITH live_job AS MATERIALIZED (
    SELECT DISTINCT trace_sha256 FROM job
    WHERE state IN ('blocked', 'ready', 'leased')
      AND trace_sha256 IS NOT NULL
    UNION
    SELECT trace_sha256
    FROM task
    WHERE state IN ('ready', 'leased')
), used_trace AS MATERIALIZED (
    SELECT t.sha256, t.program_sha256
    FROM trace t
    WHERE t.created_at >= $1::timestamptz
      OR EXISTS (SELECT FROM trace_binding g WHERE g.trace_sha256 = t.sha256)
      OR t.sha256 IN (SELECT trace_sha256 FROM live_job)
)

-- name: blob_announce
-- No row is written while the bytes are being removed.
INSERT INTO blob_pending (sha256, going, at)
VALUES ($1::text, false, $2::timestamptz)
ON CONFLICT (sha256) DO UPDATE SET at = excluded.at
WHERE NOT blob_pending.going;

-- name: blob_put
INSERT INTO blob (sha256, bytes, created_at, touched_at)
VALUES ($1::text, $2::bigint, $3::timestamptz, $3::timestamptz)
ON CONFLICT (sha256) DO UPDATE SET touched_at = excluded.touched_at, quarantined_at = NULL;

-- name: blob_owner_put
INSERT INTO blob_owner (sha256, team_id, created_at, bytes)
VALUES ($1::text, $2::bigint, $3::timestamptz, $4::bigint)
ON CONFLICT DO NOTHING;

-- name: blob_arrived
DELETE FROM blob_pending WHERE sha256 = $1::text AND NOT going;

-- name: blob_of_team
SELECT b.bytes
FROM blob b
JOIN blob_owner o USING (sha256)
WHERE b.sha256 = $1::text
  AND o.team_id = $2::bigint
  AND b.quarantined_at IS NULL;

-- name: blob_of_lease
-- Only few jobs are leased at a time, so an index on the job's trace is not worth its cost.
SELECT 1
FROM worker_session s
JOIN job j ON j.session_id = s.id
    AND j.state = 'leased'
LEFT JOIN trace t ON t.sha256 = j.trace_sha256
WHERE s.state = 'alive'
  AND coalesce(s.token_id, $2::bigint) = $2::bigint
  AND (j.trace_sha256 = $1::text OR t.program_sha256 = $1::text)
UNION ALL
SELECT 1
FROM worker_session s
JOIN task k ON k.session_id = s.id
    AND k.state = 'leased'
LEFT JOIN trace t ON t.sha256 = k.trace_sha256
    AND k.kind <> 'cache_check'
WHERE s.state = 'alive'
  AND coalesce(s.token_id, $2::bigint) = $2::bigint
  AND (k.trace_sha256 = $1::text OR t.program_sha256 = $1::text)
LIMIT 1;

-- name: blob_touch
UPDATE blob
SET touched_at = $2::timestamptz
WHERE sha256 = $1::text
  AND touched_at < $2::timestamptz - interval '1 hour';

-- name: blob_unreferenced
{{used_trace}}
SELECT b.sha256, b.bytes
FROM blob b
WHERE {{unreferenced}}
ORDER BY b.sha256;

-- name: trace_condemn
-- Deletes the rows of traces whose blob is unreferenced.
{{used_trace}}
DELETE FROM trace t
WHERE t.sha256 IN (SELECT b.sha256 FROM blob b WHERE {{unreferenced}})
  AND NOT EXISTS (SELECT FROM used_trace u WHERE u.sha256 = t.sha256);

-- name: blob_condemn
-- Deletes rows of unreferenced blobs and notes that their bytes must be removed.
{{used_trace}}, gone AS (
    DELETE FROM blob d
    WHERE d.sha256 IN (
        SELECT b.sha256
        FROM blob b
        WHERE {{unreferenced}}
          AND NOT EXISTS (
              SELECT FROM trace t
              WHERE t.sha256 = b.sha256
                OR t.program_sha256 = b.sha256
          )
        ORDER BY b.sha256
        LIMIT 1000
        FOR UPDATE OF b SKIP LOCKED
    )
    RETURNING d.sha256
)
INSERT INTO blob_pending (sha256, going, at)
SELECT sha256, true, $2::timestamptz
FROM gone
ON CONFLICT (sha256) DO UPDATE SET at = excluded.at
WHERE blob_pending.going;

-- name: blob_condemn_stale
-- Marks announced bytes for removal that never got a row.
UPDATE blob_pending p
SET going = true
WHERE NOT p.going
  AND p.at < $1::timestamptz
  AND NOT EXISTS (SELECT FROM blob b WHERE b.sha256 = p.sha256);

-- name: blob_is_orphan
SELECT
WHERE NOT EXISTS (SELECT FROM blob WHERE sha256 = $1::text)
  AND NOT EXISTS (SELECT FROM blob_pending WHERE sha256 = $1::text);

-- name: blob_condemn_orphan
INSERT INTO blob_pending (sha256, going, at)
SELECT $1::text, true, $2::timestamptz
WHERE NOT EXISTS (SELECT FROM blob WHERE sha256 = $1::text)
ON CONFLICT DO NOTHING;

-- name: blob_going
SELECT sha256
FROM blob_pending
WHERE going
  AND sha256 > $1::text
ORDER BY sha256
LIMIT 1000;

-- name: blob_going_lock
SELECT FROM blob_pending WHERE sha256 = $1::text AND going FOR UPDATE;

-- name: blob_gone
DELETE FROM blob_pending WHERE sha256 = $1::text AND going;

-- name: blob_to_scrub
SELECT sha256, bytes
FROM blob
WHERE quarantined_at IS NULL
  AND coalesce(scrubbed_at, created_at - interval '1 second') < $1::timestamptz
ORDER BY scrubbed_at NULLS FIRST, sha256
LIMIT 100;

-- name: blob_scrubbed
UPDATE blob
SET scrubbed_at = $3::timestamptz,
    quarantined_at = CASE WHEN $2::boolean THEN quarantined_at ELSE $3::timestamptz END
WHERE sha256 = $1::text;

-- name: blob_any
-- True if the database has any stored blob.
SELECT EXISTS (SELECT 1 FROM blob);
