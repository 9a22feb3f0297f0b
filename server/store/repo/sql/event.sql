-- fragment: streamed
-- id, topic, name in the stream, parameters, whether the event has a text, and then its row.
id, topic, CASE WHEN severity IS NULL THEN kind ELSE 'run.event' END, params,
severity IS NOT NULL,
CASE WHEN severity IS NOT NULL THEN ROW(substr(topic, 5), api_time(at), severity, kind, params) END

-- name: event_put
INSERT INTO event (at, topic, kind, severity, params)
VALUES ($1::timestamptz, $2, $3, $4, $5::json);

-- name: event_horizon
-- The first id that a reader must not read: the first one of the oldest transaction that is still
-- running.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096;

-- name: event_tail
SELECT {{streamed}}
FROM event
WHERE id > $1::bigint
  AND id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096
ORDER BY id
LIMIT $2::bigint;

-- name: event_tail_topics
SELECT {{streamed}}
FROM event
WHERE id > $2::bigint
  AND id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096
  AND topic = ANY($1::text[])
ORDER BY id
LIMIT $3::bigint;

-- name: event_oldest
SELECT coalesce(min(id), 0) FROM event;

-- name: event_expire
DELETE FROM event
WHERE id IN (
    SELECT id
    FROM event
    WHERE at < $1::timestamptz
      AND (severity IS NULL OR at < $2::timestamptz)
    ORDER BY id
    LIMIT 1000
);

-- name: event_rebase
-- Moves all events below the ids of new transactions. This is needed after a restore into a new
-- cluster.
WITH far AS (
    SELECT max(id) - pg_current_xact_id()::text::bigint * 4096 + 1 AS shift
    FROM event
)
UPDATE event
SET id = id - far.shift
FROM far
WHERE far.shift > 0;

-- name: event_import_of_team
SELECT 1 FROM import WHERE id = $1::uuid AND team_id = $2::bigint;
