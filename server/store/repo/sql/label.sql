-- Statements of runs and of plans have the same parameters.

-- fragment: label_set
-- NULL keeps the old value.
name = coalesce($3::text, x.name), tags = coalesce($4::text[], x.tags),
remark = coalesce($5::text, x.remark), hidden_at = CASE $6::boolean
    WHEN true THEN coalesce(x.hidden_at, $7::timestamptz)
    WHEN false THEN NULL
    ELSE x.hidden_at
END

-- name: label_run_change
UPDATE run x
SET {{label_set}}
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE x.id = $1::uuid
  AND p.id = x.plan_id
  AND f.team_id = $2::bigint;

-- name: label_plan_change
UPDATE plan x
SET {{label_set}}
FROM profile f
WHERE x.id = $1::uuid
  AND f.id = x.profile_id
  AND f.team_id = $2::bigint;

-- fragment: shares_of(kind)
SELECT 'share' AS kind, public_id AS id, name, 'link' AS state
FROM share
WHERE (
    kind = '{{kind}}'
    AND object = $1::uuid
    OR $1::uuid = ANY(runs)
  )
  AND team_id = $2::bigint
  AND expires_at > $3::timestamptz

-- name: label_run_dependents
SELECT ROW(d.kind, d.id, d.name, d.state)
FROM (
    {{shares_of(run)}}
    UNION ALL
    SELECT 'pilot', k.id, k.design_name, k.state
    FROM pilot k
    JOIN profile f ON f.id = k.profile_id
    WHERE k.run_id = $1::uuid
      AND f.team_id = $2::bigint
) d
ORDER BY d.kind, d.id
LIMIT 1000;

-- fragment: versions
-- The plan and its later versions.
WITH RECURSIVE v AS (
    SELECT id
    FROM plan
    WHERE id = $1::uuid
    UNION
    SELECT p.id
    FROM plan p
    JOIN v ON p.parent_id = v.id
)

-- name: label_plan_dependents
{{versions}}
SELECT ROW(d.kind, d.id, d.name, d.state)
FROM (
    SELECT 'run' AS kind, r.id, coalesce(
        nullif(r.name, ''),
        (SELECT string_agg(name, ', ' ORDER BY number) FROM run_design WHERE run_id = r.id), ''
    ) AS name, r.state::text AS state
    FROM run r
    JOIN v ON v.id = r.plan_id
    JOIN plan p ON p.id = r.plan_id
    JOIN profile f ON f.id = p.profile_id
    WHERE f.team_id = $2::bigint
    UNION ALL
    {{shares_of(plan)}}
) d
ORDER BY d.kind, d.id
LIMIT 1000;

-- name: label_run_delete
DELETE FROM run r
USING plan p
JOIN profile f ON f.id = p.profile_id
WHERE r.id = $1::uuid
  AND p.id = r.plan_id
  AND f.team_id = $2::bigint
  AND r.state NOT IN ('running', 'paused');

-- name: label_plan_lock
-- First in its transaction: it waits for transactions that add a run of one of these plans, so the
-- later statements see that run.
{{versions}}
SELECT id
FROM plan
WHERE id IN (SELECT id FROM v)
ORDER BY id
FOR UPDATE;

-- name: label_plan_delete_runs
-- Those that are over. Analyses and answers of a run refer to its plan without a cascade.
{{versions}}
DELETE FROM run r
USING v, plan p
JOIN profile f ON f.id = p.profile_id
WHERE v.id = r.plan_id
  AND p.id = r.plan_id
  AND f.team_id = $2::bigint
  AND r.state NOT IN ('running', 'paused');

-- name: label_plan_delete
{{versions}}
DELETE FROM plan x
USING profile f
WHERE x.id = $1::uuid
  AND f.id = x.profile_id
  AND f.team_id = $2::bigint
  AND NOT EXISTS (SELECT FROM run r JOIN v ON v.id = r.plan_id)
  AND NOT EXISTS (SELECT FROM look k JOIN v ON v.id = k.next_plan_id);
