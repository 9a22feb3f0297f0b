-- fragment: columns
to_char(a.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, coalesce(t.slug, '') AS team, a.actor,
a.credential, a.address, a.action, a.object, a.outcome, a.request_id

-- name: audit_put
INSERT INTO audit (at, team_id, actor, credential, address, action, object, outcome, request_id)
VALUES (
    $1::timestamptz, nullif($2::bigint, 0), $3::text, $4::text, $5::text, $6::text, $7::text,
    $8::smallint, $9::text
);

-- name: audit_list
SELECT ROW(r.*), x.id, r.*
FROM (
    SELECT id
    FROM audit
    WHERE ($1::bigint = 0 OR team_id = $1::bigint)
      AND ($2::text IS NULL OR action = $2::text)
      AND ($3::timestamptz IS NULL OR at >= $3::timestamptz)
      AND id < coalesce(nullif($4::text, ''), '9223372036854775807')::bigint
    ORDER BY id DESC
    LIMIT $5::bigint
) x, LATERAL (
    SELECT {{columns}}
    FROM audit a
    LEFT JOIN team t ON t.id = a.team_id
    WHERE a.id = x.id
) r
ORDER BY x.id DESC;

-- name: audit_expire
DELETE FROM audit
WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT 1000)
  AND at < $1::timestamptz;
