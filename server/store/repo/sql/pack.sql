-- fragment: unbound
NOT EXISTS (SELECT FROM trace_binding b WHERE b.profile_id = f.id AND b.invocation = s.invocation)

-- shared fragment: pack_whole
-- True for `profile f` if its file is known to contain all its launches. Then no run of it waits
-- for an upload of traces.
f.traces_launches >= f.invocations

-- name: pack_set
UPDATE profile
SET traces_sha256 = $2::text, traces_launches = $4::bigint
WHERE id = $1::uuid
  AND coalesce(traces_sha256, '') = $3::text
RETURNING 1;

-- name: pack_get
SELECT coalesce(traces_sha256, '') FROM profile WHERE id = $1::uuid;

-- name: pack_adopt
UPDATE profile f
SET traces_sha256 = b.sha256, traces_launches = i.traces_launches
FROM import i
JOIN blob b ON b.sha256 = i.traces_sha256
WHERE f.id = $1::uuid
  AND i.id = $2::uuid;

-- name: pack_of_import
UPDATE import
SET traces_sha256 = $2::text, traces_launches = $3::bigint
WHERE id = $1::uuid;

-- name: pack_count
UPDATE profile
SET traces_launches = $3::bigint
WHERE id = $1::uuid
  AND traces_sha256 = $2::text
  AND traces_launches IS DISTINCT FROM $3::bigint;

-- name: pack_uncount
UPDATE profile
SET traces_launches = NULL
WHERE id = $1::uuid
  AND traces_sha256 = $2::text
  AND traces_launches IS NOT NULL
RETURNING 1;

-- name: pack_whole
SELECT 1 FROM profile f WHERE id = $1::uuid AND {{pack_whole}};

-- name: pack_plans
-- Plans of open runs whose missing traces the profile's file may contain.
SELECT p.id, f.id, f.traces_sha256, f.team_id, f.invocations
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE f.traces_sha256 IS NOT NULL
  AND p.id IN (
      SELECT r.plan_id
      FROM run r
      WHERE r.state IN ('running', 'paused')
        AND r.engine = 'cycle'
  )
  AND EXISTS (SELECT FROM sample s WHERE s.plan_id = p.id AND {{unbound}})
ORDER BY p.id;

-- name: pack_without
SELECT r.id
FROM run r
WHERE r.plan_id = $1::uuid
  AND r.state IN ('running', 'paused')
  AND r.engine = 'cycle'
  AND NOT EXISTS (
      SELECT FROM event v
      WHERE v.topic = 'run:' || r.id
        AND v.severity IS NOT NULL
        AND v.kind = $2::text
  )
ORDER BY r.id;

-- name: pack_missing
SELECT s.context_number, s.launch_order
FROM sample s
JOIN plan p ON p.id = s.plan_id
JOIN profile f ON f.id = p.profile_id
WHERE s.plan_id = $1::uuid
  AND {{unbound}}
ORDER BY s.context_number, s.launch_order;
