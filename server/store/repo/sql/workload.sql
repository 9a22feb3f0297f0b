-- fragment: profile_row
-- The members of profile p in a list.
ROW(
    p.id, p.format, p.unit, p.invocations, p.kernels, p.kernel_shapes, p.total::text,
    CASE WHEN p.unit = 'ns' THEN p.total::double precision / 1e9 END, p.gpu_name, p.spark,
    (SELECT i.uploaded_by FROM import i WHERE i.id = p.import_id)
)

-- fragment: time_text
to_char(w.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')

-- fragment: workload_row
SELECT w.id, w.name, {{time_text}}, (
    SELECT {{profile_row}}
    FROM profile p
    WHERE p.workload_id = w.id
      AND p.ready
    ORDER BY p.created_at DESC
    LIMIT 1
), workload_state(w.id), w.archived_at IS NOT NULL
FROM workload w

-- fragment: total_text
-- A total can be larger than a double can represent exactly, so the sort key is its decimal digits.
CASE WHEN p.unit = 'ns' THEN lpad(p.total::text, 30, '0') END

-- fragment: by_name
{{list_by(name; {{list_text(w.name)}})}}

-- fragment: by_created
{{list_by(created; {{time_text}})}}

-- fragment: by_kernels
{{list_by(kernels; {{list_number(p.kernels)}})}}

-- fragment: by_launches
{{list_by(launches; {{list_number(p.invocations)}})}}

-- fragment: by_total
{{list_by(total; {{total_text}})}}

-- fragment: by_column
{{by_name}} {{by_created}} {{by_kernels}} {{by_launches}} {{by_total}}

-- fragment: workload_key
{{list_key_sql(CASE $9::text {{by_column}} END; $10)}}

-- fragment: workload_page
{{list_page($8::uuid[]; $10; $3; $4; $5)}}

-- fragment: shown
WHERE w.team_id = $1::bigint
  AND ($2::text = '' OR strpos(lower(w.name), lower($2::text)) > 0)
  AND (w.archived_at IS NOT NULL) = $6::boolean
  AND ($7::text = '' OR workload_state(w.id) = $7::text)

-- name: workload_named
-- Creates the workload, or restores and returns the existing one.
INSERT INTO workload (id, team_id, name, created_at)
VALUES ($1::uuid, $2::bigint, $3::text, $4::timestamptz)
ON CONFLICT (team_id, name) DO UPDATE SET archived_at = NULL
RETURNING id;

-- name: workload_list
{{workload_row}}
{{shown}}
  AND (
      $3::text = ''
        OR (
            w.id <> ALL ($8::uuid[])
              AND (w.created_at, w.id) <
                  (nullif($3::text, '')::timestamptz, nullif($4::text, '')::uuid)
        )
  )
ORDER BY w.id = ANY ($8::uuid[]) DESC, w.created_at DESC, w.id DESC
LIMIT $5::bigint;

-- name: workload_sorted
WITH k AS (
    SELECT w.id, {{workload_key}} AS key
    FROM workload w
    LEFT JOIN LATERAL (
        SELECT *
        FROM profile x
        WHERE x.workload_id = w.id
          AND x.ready
        ORDER BY x.created_at DESC
        LIMIT 1
    ) p ON true
    {{shown}}
), {{workload_page}}
SELECT r.*, page.key
FROM page
JOIN LATERAL ({{workload_row}} WHERE w.id = page.id) r ON true
ORDER BY place;

-- name: workload_get
{{workload_row}} WHERE w.id = $1::uuid AND w.team_id = $2::bigint;

-- name: workload_profiles
SELECT {{profile_row}}
FROM profile p
WHERE p.workload_id = $1::uuid
  AND p.ready
ORDER BY p.created_at DESC;

-- name: workload_change
UPDATE workload
SET name = coalesce($3::text, name), archived_at = CASE $4::boolean
    WHEN true THEN coalesce(archived_at, $5::timestamptz)
    WHEN false THEN NULL
    ELSE archived_at
END
WHERE id = $1::uuid
  AND team_id = $2::bigint;

-- name: workload_delete
DELETE FROM workload WHERE id = $1::uuid AND team_id = $2::bigint;
