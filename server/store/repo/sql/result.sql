-- fragment: of_team
-- True if a run of team $2 uses result t, whose id is $1, or used it before the result was
-- discarded.
t.id = $1::uuid
  AND EXISTS (
      SELECT 1
      FROM (
          SELECT run_id
          FROM {{jobs_of_all}} j
          WHERE j.result_id = $1::uuid
          UNION ALL
          SELECT run_id
          FROM discarded_use
          WHERE result_id = $1::uuid
      ) j
      JOIN run r ON r.id = j.run_id
      JOIN plan p ON p.id = r.plan_id
      JOIN profile f ON f.id = p.profile_id
      WHERE f.team_id = $2::bigint
  )

-- name: result_put
-- The first result of a key is kept.
INSERT INTO result (
    id, key, engine, trace_sha256, design_sha256, simulator, value, unit, digest, cycles,
    launch_cycles, warp_instructions, clock_hz, host_seconds, body, created_at, empty_caches,
    cycles_warm_bound, worker, inside_kernels, projected_error, foreign_isa, partial_trace
)
SELECT id, decode(key, 'hex'), engine, trace, design, simulator, value, unit, digest, cycles,
    launch_cycles, warp_instructions, clock_hz, host_seconds, body, $17::timestamptz,
    engine = 'cycle'
  AND coalesce(body::json->>'caches', '') <> 'warm', bound, nullif(worker, ''), inside, error, foreign_isa, partial
FROM unnest(
    $1::uuid[], $2::text[], $3::engine[], $4::text[], $5::text[], $6::text[], $7::float8[],
    $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::float8[],
    $14::float8[], $15::text[], $16::bigint[], $18::text[], $19::float8[], $20::float8[],
    $21::text[], $22::text[]
) AS c(
    id, key, engine, trace, design, simulator, value, unit, digest, cycles, launch_cycles,
    warp_instructions, clock_hz, host_seconds, body, bound, worker, inside, error, foreign_isa,
    partial
)
ORDER BY key
ON CONFLICT (key) DO NOTHING;

-- name: result_find
SELECT id, encode(key, 'hex'), digest
FROM result
WHERE key = ANY(ARRAY(SELECT decode(x, 'hex') FROM unnest($1::text[]) x))
ORDER BY key;

-- name: result_dispute
WITH kept AS (
    INSERT INTO result_dispute (result_id, digest, worker, body, created_at)
    VALUES ($1::uuid, $2, $3, $4, $5::timestamptz)
    ON CONFLICT DO NOTHING
)
UPDATE result
SET disputed = true
WHERE id = $1::uuid
  AND NOT disputed;

-- name: result_get
SELECT t.id, t.trace_sha256, t.design_sha256, t.simulator, t.body, t.disputed, t.value, t.unit,
    encode(coalesce(t.discarded_key, t.key), 'hex'), t.worker, x.text
FROM result t
LEFT JOIN LATERAL (
    SELECT ROW(api_time(d.at), d.by_name, d.why, t.quarantined) AS text
    FROM result_discard d
    WHERE d.id = t.discard_id
) x ON true
WHERE {{of_team}};

-- name: result_brief
SELECT t.engine = 'replay', t.simulator,
    EXISTS (SELECT 1 FROM blob b WHERE b.sha256 = t.trace_sha256), t.discard_id IS NOT NULL,
    t.projected_error IS NOT NULL
FROM result t
WHERE {{of_team}};

-- name: result_use_json
SELECT ROW(
    r.id, j.id, p.id, f.id, w.id, w.name, s.invocation, s.stratum, f.gpu_name,
    CASE WHEN f.unit = 'ns' THEN s.value END
)
FROM (
    SELECT id
    FROM {{jobs_of_all}} j
    WHERE j.result_id = $1::uuid
    UNION ALL
    SELECT job_id
    FROM discarded_use
    WHERE result_id = $1::uuid
) u
JOIN {{jobs_of_all}} j ON j.id = u.id
JOIN run r ON r.id = j.run_id
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
JOIN workload w ON w.id = f.workload_id
JOIN sample s ON s.plan_id = r.plan_id
    AND s.number = j.sample
WHERE f.team_id = $2::bigint
ORDER BY r.id DESC, j.id
LIMIT 1;

-- name: result_costs
-- Reads only the newest runs, because the history has no limit. A result that several samples share
-- counts once.
SELECT value, host_seconds, name
FROM (
    SELECT DISTINCT ON (t.id) t.id, s.value, t.host_seconds, d.name
    FROM (
        SELECT r.id, r.plan_id
        FROM run r
        JOIN plan p ON p.id = r.plan_id
        JOIN profile f ON f.id = p.profile_id
        JOIN profile m ON m.id = $1::uuid
            AND m.team_id = f.team_id
            AND m.unit = f.unit
        WHERE r.engine = 'cycle'
          AND r.simulator = $2
        ORDER BY r.id DESC
        LIMIT 100
    ) r
    JOIN {{jobs_of_all}} j ON j.run_id = r.id
        AND j.state = 'done'
    JOIN result t ON t.id = j.result_id
        AND t.host_seconds > 0
        AND t.host_seconds < 3e8
        AND t.projected_error IS NULL
    JOIN sample s ON s.plan_id = r.plan_id
        AND s.number = j.sample
    JOIN run_design d ON d.run_id = r.id
        AND d.number = j.design
    ORDER BY t.id DESC, j.id
    LIMIT 20000
) x
ORDER BY name, id DESC;

-- name: result_cycles
-- Reads all plans of the profile. Equal results of a launch count once.
SELECT DISTINCT ON (s.invocation) s.invocation, t.cycles::float8, t.launch_cycles::float8
FROM plan p
JOIN run r ON r.plan_id = p.id
    AND r.engine = 'cycle'
    AND r.simulator = $3
JOIN run_design d ON d.run_id = r.id
    AND d.design_sha256 = $2
JOIN {{jobs_of_all}} j ON j.run_id = r.id
    AND j.design = d.number
    AND j.state = 'done'
JOIN sample s ON s.plan_id = r.plan_id
    AND s.number = j.sample
JOIN result t ON t.id = j.result_id
    AND t.cycles > 0
    AND t.launch_cycles IS NOT NULL
    AND NOT t.disputed
    AND t.projected_error IS NULL
WHERE p.profile_id = $1::uuid
ORDER BY s.invocation, t.id;
