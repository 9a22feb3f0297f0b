-- shared fragment: design_seen
-- The built-in designs and the team's own designs. A name means the built-in design of the last
-- server start. If there is none, it means the team's last upload.
(
    SELECT g.*, CASE WHEN g.builtin THEN g.seen_at ELSE o.seen_at END AS latest_at
    FROM design g
    LEFT JOIN design_owner o ON o.sha256 = g.sha256
        AND o.team_id = $1::bigint
    WHERE g.builtin
      OR o.team_id IS NOT NULL
) d

-- shared fragment: design_latest
builtin DESC, latest_at DESC

-- shared fragment: design_named
-- The design that each name means.
(SELECT DISTINCT ON (name) * FROM {{design_seen}} ORDER BY name, {{design_latest}}) d

-- name: design_put
-- An upload does not change seen_at of a built-in design, because that would change the meaning of
-- its name for other teams.
INSERT INTO design (sha256, name, builtin, clock_hz, sms, gpu_names, json, seen_at, created_at)
VALUES
    ($1, $2, $3::boolean, $4::float8, $5::integer, $6::text[], $7, $8::timestamptz, $8::timestamptz)
ON CONFLICT (sha256) DO UPDATE SET builtin = design.builtin
  OR excluded.builtin, seen_at = CASE
      WHEN excluded.builtin THEN excluded.seen_at
      ELSE design.seen_at
  END;

-- name: design_own
INSERT INTO design_owner (team_id, sha256, created_at, seen_at)
VALUES ($1::bigint, $2, $3::timestamptz, $3::timestamptz)
ON CONFLICT (team_id, sha256) DO UPDATE SET seen_at = excluded.seen_at
RETURNING created_at = $3::timestamptz
  AND NOT (SELECT builtin FROM design WHERE sha256 = $2);

-- name: design_find
SELECT sha256, name, clock_hz, sms, json
FROM {{design_seen}}
WHERE d.sha256 = $2
  OR d.name = $2
ORDER BY d.sha256 = $2 DESC, {{design_latest}}
LIMIT 1;

-- name: design_builtin
SELECT sha256
FROM design
WHERE builtin
  AND name = $1
ORDER BY seen_at DESC
LIMIT 1;

-- name: design_outnamed
-- Designs of teams that have the name of a built-in design.
SELECT d.sha256, d.name, t.slug
FROM design d
JOIN design_owner o ON o.sha256 = d.sha256
JOIN team t ON t.id = o.team_id
WHERE NOT d.builtin
  AND d.name IN (SELECT b.name FROM design b WHERE b.builtin)
ORDER BY t.slug, d.name, d.sha256;

-- name: design_by_hash
SELECT sha256, name, clock_hz, sms, json FROM design WHERE sha256 = $1;

-- name: design_list
SELECT ROW(sha256, name, builtin, clock_hz, sms, gpu_names)
FROM {{design_named}}
ORDER BY builtin DESC, name;
