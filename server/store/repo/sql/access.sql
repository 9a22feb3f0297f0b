-- shared fragment: access_changed(changed)
-- Notifies every server when the transaction commits (server/domain/queue/peer_notify.h).
SELECT pg_notify('vivace_access', '') FROM {{changed}}

-- fragment: of_token
-- A team's own token has the rights of an owner and a site admin, because an owner created it with
-- its scopes.
coalesce(m.role, CASE WHEN a.id IS NULL THEN 3 ELSE 0 END), coalesce(a.site_admin, true),
coalesce(a.id, 0)

-- name: token_by_hash
-- Finds a valid token by the hash of its secret.
SELECT t.id, coalesce(t.team_id, 0), coalesce(a.login, t.name), t.scopes, 0,
    coalesce(t.last_used_at < $2::timestamptz - interval '1 minute', true), {{of_token}}
FROM token t
LEFT JOIN account a ON a.id = t.account_id
LEFT JOIN member m ON m.team_id = t.team_id
    AND m.account_id = t.account_id
WHERE t.sha256 = $1::bytea
  AND (t.expires_at IS NULL OR t.expires_at > $2::timestamptz)
  AND NOT coalesce(a.disabled, false);

-- name: session_by_hash
-- Finds a valid session by the hash of its secret.
SELECT coalesce(t.id, 0), coalesce(s.team_id, t.team_id, 0), coalesce(a.login, t.name),
    coalesce(t.scopes, -1), s.id, s.used_at < $2::timestamptz - interval '1 minute', {{of_token}}
FROM session s
LEFT JOIN token t ON t.id = s.token_id
LEFT JOIN account a ON a.id = coalesce(s.account_id, t.account_id)
LEFT JOIN member m ON m.team_id = coalesce(s.team_id, t.team_id)
    AND m.account_id = a.id
WHERE s.sha256 = $1::bytea
  AND s.expires_at > $2::timestamptz
  AND s.used_at > $3::timestamptz
  AND (t.expires_at IS NULL OR t.expires_at > $2::timestamptz)
  AND NOT coalesce(a.disabled, false);

-- name: session_touch
UPDATE session SET used_at = $2::timestamptz WHERE id = $1::bigint;

-- name: token_touch
UPDATE token
SET last_used_at = date_trunc('minute', $2::timestamptz)
WHERE id = $1::bigint;

-- name: access_still
-- Returns a row while the token, session, account, membership or share link is still valid.
SELECT 1
WHERE (
    $1::bigint = 0
      OR EXISTS (
          SELECT 1
          FROM token
          WHERE id = $1::bigint
            AND (expires_at IS NULL OR expires_at > $5::timestamptz)
      )
)
  AND (
      $2::bigint = 0
        OR EXISTS (
            SELECT 1
            FROM session
            WHERE id = $2::bigint
              AND expires_at > $5::timestamptz
              AND (
                  token_id IS NOT NULL
                    OR team_id IS NOT DISTINCT FROM nullif($4::bigint, 0)
              )
        )
  )
  AND (
      $3::bigint = 0
        OR EXISTS (
            SELECT 1
            FROM account
            WHERE id = $3::bigint
              AND NOT disabled
              AND (
                  $4::bigint = 0
                    OR EXISTS (
                        SELECT 1
                        FROM member
                        WHERE account_id = $3::bigint
                          AND team_id = $4::bigint
                    )
              )
        )
  )
  AND (
      $6::bigint = 0
        OR EXISTS (
            SELECT 1
            FROM share
            WHERE id = $6::bigint
              AND expires_at > $5::timestamptz
        )
  );

-- name: token_put
INSERT INTO token
    (public_id, team_id, account_id, name, sha256, shown, scopes, created_at, expires_at)
VALUES (
    $1::uuid, nullif($2::bigint, 0), nullif($3::bigint, 0), $4::text, $5::bytea, $6::text,
    $7::integer, $8::timestamptz, $9::timestamptz
);

-- name: token_list
SELECT t.public_id, t.name, t.shown, t.scopes, t.created_at, t.expires_at, t.last_used_at, a.login
FROM token t
LEFT JOIN account a ON a.id = t.account_id
WHERE t.team_id IS NOT DISTINCT FROM nullif($1::bigint, 0)
  AND ($2::bigint = 0 OR t.account_id = $2::bigint)
ORDER BY t.id;

-- name: token_delete
WITH gone AS (
    DELETE FROM token
    WHERE public_id = $1::uuid
      AND team_id IS NOT DISTINCT FROM nullif($2::bigint, 0)
      AND ($3::bigint = 0 OR account_id = $3::bigint)
    RETURNING id
)
{{access_changed(gone)}};

-- name: token_left
SELECT greatest(0, extract(epoch FROM expires_at - $2::timestamptz))::bigint
FROM token
WHERE id = $1::bigint
  AND expires_at IS NOT NULL;

-- name: token_any
SELECT 1 FROM token LIMIT 1;

-- name: session_put
INSERT INTO session (token_id, account_id, team_id, sha256, created_at, used_at, expires_at)
VALUES (
    nullif($1::bigint, 0), nullif($2::bigint, 0), nullif($3::bigint, 0), $4::bytea, $5::timestamptz,
    $5::timestamptz, $6::timestamptz
);

-- name: session_delete
WITH gone AS (DELETE FROM session WHERE id = $1::bigint RETURNING id)
{{access_changed(gone)}};

-- name: session_team
WITH moved AS (
    UPDATE session
    SET team_id = nullif($2::bigint, 0)
    WHERE id = $1::bigint
    RETURNING id
)
{{access_changed(moved)}};

-- name: session_delete_all
WITH gone AS (
    DELETE FROM session
    WHERE account_id = $1::bigint
      OR token_id IN (SELECT id FROM token WHERE account_id = $1::bigint)
    RETURNING id
)
{{access_changed(gone)}};

-- name: session_expire
DELETE FROM session
WHERE expires_at < $1::timestamptz
  OR used_at < $2::timestamptz;

-- name: farm_touch
-- Writes a row without a change, to check that the database accepts writes.
UPDATE farm_secret SET value = value WHERE name = 'cursor';

-- name: metric_jobs
-- The number of the farm's jobs in each state, without states that have no jobs.
SELECT c.state, c.jobs
FROM (SELECT {{jobs_by_state}} FROM job_tally t) s
CROSS JOIN LATERAL (
    VALUES ('blocked', s.blocked), ('ready', s.ready), ('leased', s.leased), ('done', s.done),
        ('failed', s.failed), ('cancelled', s.cancelled)
) c (state, jobs)
WHERE c.jobs <> 0
ORDER BY c.state;

-- name: farm_secret
SELECT value FROM farm_secret WHERE name = $1::text;
