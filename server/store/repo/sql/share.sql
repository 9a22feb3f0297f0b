-- name: share_put
INSERT INTO share (
    public_id, team_id, sha256, kind, object, name, hide_names, frozen_at, made_by, created_at,
    expires_at, question, runs
)
VALUES (
    $1::uuid, $2::bigint, $3::bytea, $4::text, $5::uuid, $6::text, $7::boolean,
    CASE WHEN $8::boolean THEN $10::timestamptz END, $9::text, $10::timestamptz, $11::timestamptz,
    $12::jsonb, coalesce($13::uuid[], '{}')
)
RETURNING id;

-- name: share_by_secret
SELECT id, team_id, kind, object, coalesce(nullif(name, ''), 'share link'), hide_names,
    frozen_at IS NOT NULL
FROM share
WHERE sha256 = $1::bytea
  AND expires_at > $2::timestamptz;

-- name: share_opened
UPDATE share
SET opened = opened + 1, opened_at = $2::timestamptz
WHERE id = $1::bigint;

-- name: share_times
SELECT to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(frozen_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(discarded_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
FROM share
WHERE id = $1::bigint;

-- name: share_question
SELECT question
FROM share
WHERE id = $1::bigint
  AND question IS NOT NULL;

-- name: share_list
SELECT ROW(
    public_id, kind, object, name, hide_names, to_char(frozen_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    made_by, to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), opened,
    to_char(opened_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), question
), id
FROM share
WHERE team_id = $1::bigint
  AND id > coalesce(nullif($2::text, ''), '0')::bigint
ORDER BY id
LIMIT $3::bigint;

-- name: share_delete
WITH gone AS (
    DELETE FROM share
    WHERE public_id = $1::uuid
      AND team_id = $2::bigint
    RETURNING id
)
{{access_changed(gone)}};

-- name: share_run_of_plan
SELECT 1 FROM run WHERE id = $1::uuid AND plan_id = $2::uuid;

-- name: share_document_put
INSERT INTO share_document (share_id, address, body)
VALUES ($1::bigint, $2::text, $3::text);

-- name: share_document
SELECT body
FROM share_document
WHERE share_id = $1::bigint
  AND address = $2::text;
