-- name: profile_clear
DELETE FROM profile WHERE import_id = $1::uuid;

-- name: profile_put
INSERT INTO profile (
    id, team_id, import_id, blob_sha256, name, format, unit, gpu_name, has_times, invocations,
    zero_invocations, kernels, kernel_shapes, devices, streams, total, makespan_ns, sha256, tables,
    spark, created_at, features
)
VALUES (
    $1::uuid, $2::bigint, $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::text, $9::boolean,
    $10::bigint, $11::bigint, $12::bigint, $13::bigint, $14::bigint, $15::bigint, $16::numeric,
    $17::numeric, $18::text, $19::bytea, $20::integer[], $21::timestamptz, $22::text
);

-- name: profile_kernels_put
-- Grid and block are six columns, because unnest() of a two-dimensional array does not return rows.
INSERT INTO kernel (
    profile_id, index, name, mangled_name, grid, block, registers, shared_bytes, name_id, calls,
    total, mean, cov, min, max
)
SELECT $1::uuid, $2::bigint + n - 1, name, mangled, ARRAY[gx, gy, gz], ARRAY[bx, by, bz], registers,
    shared, name_id, calls, total, mean, cov, min, max
FROM unnest(
    $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
    $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::numeric[],
    $16::double precision[], $17::double precision[], $18::numeric[], $19::numeric[]
)
WITH ORDINALITY AS t(
    name, mangled, gx, gy, gz, bx, by, bz, registers, shared, name_id, calls, total, mean, cov, min,
    max, n
);

-- name: profile_chunk_put
INSERT INTO profile_chunk (profile_id, chunk, rows, columns)
VALUES ($1::uuid, $2::integer, $3::integer, $4::bytea);

-- name: profile_ready
UPDATE profile
SET ready = true, workload_id = $2::uuid
WHERE id = $1::uuid;

-- name: profile_get
SELECT format, gpu_name, unit, has_times, invocations, kernels, kernel_shapes, tables
FROM profile
WHERE id = $1::uuid
  AND ready;

-- name: profile_kernels
SELECT name, mangled_name, grid[1], grid[2], grid[3], block[1], block[2], block[3], registers,
    shared_bytes, name_id
FROM kernel
WHERE profile_id = $1::uuid
  AND index >= $2::bigint
ORDER BY index
LIMIT $3::bigint;

-- name: profile_features_clear
DELETE FROM profile_feature WHERE profile_id = $1::uuid;

-- name: profile_feature_put
INSERT INTO profile_feature (profile_id, piece, bytes)
VALUES ($1::uuid, $2::integer, $3::bytea);

-- name: profile_features_hold
-- Keeps the features unchanged until the transaction ends.
SELECT 1 FROM profile WHERE id = $1::uuid FOR SHARE;

-- name: profile_sha256
SELECT sha256
FROM profile
WHERE id = $1::uuid
  AND team_id = $2::bigint
  AND ready;

-- name: profile_featured
UPDATE profile
SET sha256 = $3, features = $4
WHERE id = $1::uuid
  AND sha256 = $2;

-- name: profile_in_use
SELECT 1
FROM run r
JOIN plan p ON p.id = r.plan_id
WHERE p.profile_id = $1::uuid
  AND r.state IN ('running', 'paused')
LIMIT 1;

-- name: profile_feature
SELECT bytes
FROM profile_feature
WHERE profile_id = $1::uuid
  AND piece = $2::integer;

-- name: profile_chunk
SELECT rows, columns
FROM profile_chunk
WHERE profile_id = $1::uuid
  AND chunk = $2::integer;

-- name: profile_json
SELECT ROW(
    p.id, p.workload_id, w.name, p.name, p.format, p.unit, p.gpu_name, p.invocations,
    p.zero_invocations, p.kernels, p.kernel_shapes, p.total::text,
    CASE WHEN p.unit = 'ns' THEN p.total::double precision / 1e9 END,
    CASE WHEN p.has_times THEN p.makespan_ns::double precision / 1e9 END, p.devices, p.streams,
    p.sha256, p.features, p.traces_sha256, p.spark, i.report, i.uploaded_by,
    to_char(p.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
)
FROM profile p
JOIN workload w ON w.id = p.workload_id
LEFT JOIN import i ON i.id = p.import_id
WHERE p.id = $1::uuid
  AND p.team_id = $2::bigint
  AND p.ready;

-- name: profile_of_team
SELECT 1
FROM profile
WHERE id = $1::uuid
  AND team_id = $2::bigint
  AND ready;

-- name: profile_kernels_json
SELECT ROW(
    k.index, k.name, k.grid, k.block, k.calls, k.total::text, k.mean, k.cov, k.min, k.max,
    CASE
        WHEN p.total > 0 THEN k.total::double precision / p.total::double precision
        ELSE 0
    END
), k.total, k.index, k.name
FROM kernel k
JOIN profile p ON p.id = k.profile_id
WHERE k.profile_id = $1::uuid
  AND (
      $2::text = ''
        OR k.total < nullif($2::text, '')::numeric
        OR (
            k.total = nullif($2::text, '')::numeric
              AND k.index > nullif($3::text, '')::bigint
        )
  )
ORDER BY k.total DESC, k.index
LIMIT $4::bigint;
