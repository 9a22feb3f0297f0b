-- name: account_find
SELECT id, login, password, site_admin, disabled
FROM account
WHERE login = $1::text;

-- name: account_by_id
SELECT id, login, password, site_admin, disabled
FROM account
WHERE id = $1::bigint;

-- name: account_put
INSERT INTO account (login, password, site_admin, created_at)
VALUES ($1::text, $2::text, $3::boolean, $4::timestamptz)
RETURNING id;

-- name: account_password
UPDATE account SET password = $2::text WHERE id = $1::bigint;

-- name: account_password_replace
UPDATE account
SET password = $3::text
WHERE id = $1::bigint
  AND password = $2::text
  AND NOT disabled;

-- name: account_hold
-- A change of the account waits until the transaction ends.
SELECT id
FROM account
WHERE id = $1::bigint
  AND password = $2::text
  AND NOT disabled
FOR SHARE;

-- name: account_flags
WITH changed AS (
    UPDATE account
    SET site_admin = $2::boolean, disabled = $3::boolean
    WHERE id = $1::bigint
    RETURNING id
)
{{access_changed(changed)}};

-- name: account_list
SELECT ROW(
    a.login, a.site_admin, a.disabled, a.password IS NOT NULL,
    to_char(a.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), (
        SELECT array_agg(t.slug ORDER BY t.slug)
        FROM member m
        JOIN team t ON t.id = m.team_id
        WHERE m.account_id = a.id
    )
), a.login
FROM account a
WHERE a.login > $1::text
ORDER BY a.login
LIMIT $2::bigint;

-- name: account_site_admins
SELECT count(*)
FROM account
WHERE site_admin
  AND NOT disabled
  AND password IS NOT NULL;

-- name: team_put
INSERT INTO team (slug, created_at)
VALUES ($1::text, $2::timestamptz)
RETURNING id;

-- name: team_find
SELECT id FROM team WHERE slug = $1::text;

-- name: team_share
UPDATE team SET share = $2::float8 WHERE id = $1::bigint;

-- name: team_slug
SELECT slug FROM team WHERE id = $1::bigint;

-- name: team_list
SELECT ROW(
    t.slug, (SELECT count(*) FROM member n WHERE n.team_id = t.id), t.share,
    (ARRAY['viewer', 'member', 'owner'])[m.role]
), t.slug
FROM team t
LEFT JOIN member m ON m.team_id = t.id
    AND m.account_id = $1::bigint
WHERE t.slug > $3::text
  AND ($1::bigint <= 0 OR m.role IS NOT NULL)
  AND ($2::bigint <= 0 OR t.id = $2::bigint)
ORDER BY t.slug
LIMIT $4::bigint;

-- name: member_role
SELECT role
FROM member
WHERE team_id = $1::bigint
  AND account_id = $2::bigint;

-- name: member_first_team
SELECT team_id
FROM member
WHERE account_id = $1::bigint
ORDER BY created_at, team_id
LIMIT 1;

-- name: member_put
WITH changed AS (
    INSERT INTO member (team_id, account_id, role, created_at)
    VALUES ($1::bigint, $2::bigint, $3::smallint, $4::timestamptz)
    ON CONFLICT (team_id, account_id) DO UPDATE SET role = excluded.role
    RETURNING account_id
)
{{access_changed(changed)}};

-- name: member_delete
WITH gone AS (
    DELETE FROM member
    WHERE team_id = $1::bigint
      AND account_id = $2::bigint
    RETURNING account_id
)
{{access_changed(gone)}};

-- name: member_owners
SELECT count(*)
FROM member m
JOIN account a ON a.id = m.account_id
WHERE m.team_id = $1::bigint
  AND m.role = 3
  AND NOT a.disabled;

-- name: member_list
SELECT ROW(
    a.login, (ARRAY['viewer', 'member', 'owner'])[m.role], a.disabled,
    to_char(m.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
), a.login
FROM member m
JOIN account a ON a.id = m.account_id
WHERE m.team_id = $1::bigint
  AND a.login > $2::text
ORDER BY a.login
LIMIT $3::bigint;

-- name: invitation_put
INSERT INTO invitation (team_id, role, sha256, created_at, expires_at)
VALUES ($1::bigint, $2::smallint, $3::bytea, $4::timestamptz, $5::timestamptz);

-- name: invitation_use
DELETE FROM invitation
WHERE sha256 = $1::bytea
  AND expires_at > $2::timestamptz
RETURNING team_id, role;
