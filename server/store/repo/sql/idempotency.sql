-- fragment: claim
-- The reservation of a key by one request. It does not match a later reservation of the same key.
team_id = $1::bigint
  AND key = $2::text
  AND holder = $3::text
  AND running_until = $4::timestamptz

-- name: idempotency_begin
-- Reserves the key. It also takes over an expired reservation of the same request that has created
-- nothing.
INSERT INTO idempotent_request AS r (team_id, key, request, holder, created_at, running_until)
VALUES ($1::bigint, $2::text, $3::bytea, $4::text, $5::timestamptz, $6::timestamptz)
ON CONFLICT (team_id, key) DO UPDATE SET holder = excluded.holder,
    running_until = excluded.running_until
WHERE r.request = excluded.request
  AND r.running_until < $5::timestamptz
  AND r.created_id IS NULL;

-- name: idempotency_look
SELECT request = $3::bytea, status, location, answer, created_id, running_until < $4::timestamptz
FROM idempotent_request
WHERE team_id = $1::bigint
  AND key = $2::text;

-- name: idempotency_made
-- Records the created object in the transaction that creates it.
UPDATE idempotent_request
SET created_id = $3::uuid
WHERE team_id = $1::bigint
  AND key = $2::text
  AND created_id IS NULL
  AND status IS NULL;

-- name: idempotency_end
UPDATE idempotent_request
SET running_until = NULL, status = $3::integer, location = $4::text, answer = $5::bytea
WHERE team_id = $1::bigint
  AND key = $2::text;

-- name: idempotency_drop
-- Releases the reservation. The row remains if the request has created an object.
WITH kept AS (
    UPDATE idempotent_request
    SET running_until = '-infinity'
    WHERE {{claim}}
      AND status IS NULL
      AND created_id IS NOT NULL
)
DELETE FROM idempotent_request
WHERE {{claim}}
  AND status IS NULL
  AND created_id IS NULL;

-- name: idempotency_expire
DELETE FROM idempotent_request WHERE created_at < $1::timestamptz;

-- name: idempotency_resume
-- After a restart: releases the reservations of this server. Rows with a created object remain.
WITH kept AS (
    UPDATE idempotent_request
    SET running_until = '-infinity'
    WHERE holder = $1::text
      AND status IS NULL
      AND created_id IS NOT NULL
)
DELETE FROM idempotent_request
WHERE holder = $1::text
  AND status IS NULL
  AND created_id IS NULL;
