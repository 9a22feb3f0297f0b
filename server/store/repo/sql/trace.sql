-- name: trace_put
INSERT INTO trace
    (sha256, name, grid, block, warp_instructions, ctas, warps, bytes, created_at, program_sha256)
VALUES (
    $1, $2, ARRAY[$3::bigint, $4::bigint, $5::bigint], ARRAY[$6::bigint, $7::bigint, $8::bigint],
    $9::bigint, $10::bigint, $11::bigint, $12::bigint, $13::timestamptz, nullif($14, '')
)
ON CONFLICT DO NOTHING;

-- name: trace_find
SELECT t.sha256 IS NOT NULL, t.name, t.grid[1], t.grid[2], t.grid[3], t.block[1], t.block[2],
    t.block[3], t.warp_instructions, t.ctas, t.warps, b.bytes, t.program_sha256
FROM blob b
JOIN blob_owner o ON o.sha256 = b.sha256
LEFT JOIN trace t ON t.sha256 = b.sha256
WHERE b.sha256 = $1
  AND o.team_id = $2::bigint;

-- name: trace_launch
-- The sampled launch with this order in a context of the plan's profile.
SELECT s.invocation, k.name, k.mangled_name, k.grid[1], k.grid[2], k.grid[3], k.block[1],
    k.block[2], k.block[3], b.trace_sha256
FROM plan w
JOIN plan p ON p.profile_id = w.profile_id
JOIN sample s ON s.plan_id = p.id
    AND s.context_number = $2::integer
    AND s.launch_order = $3::bigint
JOIN kernel k ON k.profile_id = p.profile_id
    AND k.index = s.kernel
LEFT JOIN trace_binding b ON b.profile_id = p.profile_id
    AND b.invocation = s.invocation
WHERE w.id = $1::uuid
LIMIT 1;

-- name: trace_bind
INSERT INTO trace_binding (profile_id, invocation, trace_sha256, bound_at)
VALUES ($1::uuid, $2::bigint, $3, $4::timestamptz)
ON CONFLICT DO NOTHING;

-- name: trace_bound
SELECT s.number
FROM sample s
JOIN plan p ON p.id = s.plan_id
JOIN trace_binding b ON b.profile_id = p.profile_id
    AND b.invocation = s.invocation
WHERE p.id = $1::uuid
ORDER BY s.number;

-- name: trace_contexts
SELECT count(*) FROM plan_context WHERE plan_id = $1::uuid;

-- name: trace_unbound
SELECT count(*)
FROM plan p, unnest($2::bigint[]) i
WHERE p.id = $1::uuid
  AND NOT EXISTS (SELECT FROM sample s WHERE s.plan_id = p.id AND s.invocation = i)
  AND NOT EXISTS (
      SELECT FROM trace_binding b
      WHERE b.profile_id = p.profile_id
        AND b.invocation = i
  );

-- name: trace_missing
SELECT p.samples, p.samples - (
    SELECT count(*)
    FROM trace_binding b
    JOIN sample s ON s.plan_id = p.id
        AND s.invocation = b.invocation
    WHERE b.profile_id = p.profile_id
)
FROM plan p
WHERE p.id = $1::uuid;

-- name: trace_json
WITH s AS (
    SELECT s.*, p.profile_id, b.trace_sha256
    FROM sample s
    JOIN plan p ON p.id = s.plan_id
    LEFT JOIN trace_binding b ON b.profile_id = p.profile_id
        AND b.invocation = s.invocation
    WHERE s.plan_id = $1::uuid
)
SELECT ROW(
    (SELECT count(*) FROM s), (SELECT count(*) FROM s WHERE trace_sha256 IS NOT NULL),
    (SELECT count(*) FROM s WHERE trace_sha256 IS NULL), (
        SELECT count(*)
        FROM s
        JOIN profile f ON f.id = s.profile_id
            AND {{pack_whole}}
        WHERE trace_sha256 IS NULL
    ), (
        SELECT array_agg(
            ROW(m.launch, m.stratum, m.context, m.launch_order, m.kernel, m.grid, m.block)
            ORDER BY m.context, m.launch_order
        )
        FROM (
            SELECT s.invocation AS launch, s.stratum, s.context_number AS context, s.launch_order,
                k.name AS kernel, k.grid, k.block
            FROM s
            JOIN kernel k ON k.profile_id = s.profile_id
                AND k.index = s.kernel
            WHERE s.trace_sha256 IS NULL
            ORDER BY s.context_number, s.launch_order
            LIMIT 1000
        ) m
    ), (
        SELECT array_agg(ROW(m.launch, m.trace, m.warp_instructions) ORDER BY m.launch)
        FROM (
            SELECT s.invocation AS launch, s.trace_sha256 AS trace, t.warp_instructions
            FROM s
            JOIN trace t ON t.sha256 = s.trace_sha256
            ORDER BY s.invocation
            LIMIT 10000
        ) m
    ), (
        SELECT array_agg(DISTINCT r.plan_id)
        FROM plan w
        JOIN plan q ON q.profile_id = w.profile_id
        JOIN run r ON r.plan_id = q.id
            AND r.engine = 'cycle'
            AND r.state IN ('running', 'paused')
        WHERE w.id = $1::uuid
          AND q.id <> w.id
          AND EXISTS (SELECT FROM job j WHERE j.run_id = r.id AND j.state = 'blocked')
    )
);
