-- fragment: sample_of(n)
-- For a done job `j` of run $1: the number of its sample in plan $n, which is the run's current
-- plan or an earlier one. NULL: the plan does not contain it.
CASE
    WHEN r.plan_id = {{n}}::uuid THEN j.sample
    ELSE (
        SELECT a.number
        FROM sample s
        JOIN sample a ON a.plan_id = {{n}}::uuid
            AND a.invocation = s.invocation
        WHERE s.plan_id = r.plan_id
          AND s.number = j.sample
    )
END

-- fragment: not_after(n)
({{n}}::timestamptz IS NULL OR j.finished_at IS NULL OR j.finished_at <= {{n}}::timestamptz)

-- name: projection_kernels
-- The kernels of a run's plan with their planned total; the name is empty where a stratum has several.
SELECT s.kernel_name, sum(s.total)::double precision
FROM run r
JOIN stratum s ON s.plan_id = r.plan_id
WHERE r.id = $1::uuid
GROUP BY s.kernel_name
ORDER BY s.kernel_name;

-- name: projection_designs
SELECT d.name, d.clock_hz, f.gpu_name <> ''
  AND f.unit = 'ns'
  AND r.engine = 'cycle'
  AND coalesce(f.gpu_name = ANY(g.gpu_names), false),
  coalesce(d.design_sha256 = (
    SELECT b.sha256
    FROM design b
    WHERE b.builtin
      AND b.name = d.name
    ORDER BY b.seen_at DESC
    LIMIT 1
  ), false)
FROM run_design d
JOIN run r ON r.id = d.run_id
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
LEFT JOIN design g ON g.sha256 = d.design_sha256
WHERE d.run_id = $1::uuid
ORDER BY d.number;

-- name: projection_values
-- The values of the run's done jobs.
SELECT j.design, coalesce({{sample_of($2)}}, -1), t.value, t.empty_caches, t.cycles_warm_bound,
    t.projected_error, t.foreign_isa, t.partial_trace
FROM {{jobs_of_all}} j
JOIN result t ON t.id = j.result_id
JOIN run r ON r.id = j.run_id
WHERE j.run_id = $1::uuid
  AND j.state = 'done'
  AND {{not_after($3)}};

-- name: projection_counters
SELECT j.design, coalesce({{sample_of($3)}}, -1), (
    SELECT string_agg(coalesce(c.value, ''), ',' ORDER BY k.number)
    FROM unnest($2::text[])
    WITH ORDINALITY k(name, number)
    LEFT JOIN json_to_recordset(t.body::json->'counters') c(name text, value text) ON c.name =
        k.name
)
FROM {{jobs_of_all}} j
JOIN result t ON t.id = j.result_id
JOIN run r ON r.id = j.run_id
WHERE j.run_id = $1::uuid
  AND j.state = 'done'
  AND t.engine = 'cycle'
  AND {{not_after($4)}};

-- name: projection_put
INSERT INTO projection (
    run_id, design, version, done, planned, complete, reweighted, unit, seconds_per_unit, value,
    half_width, value_s, half_width_s, df, level, warning, makespan_s, measured_s, strata,
    variance_method, computed_at, cross_checks, makespan_half_width_s, empty_caches, warm_bound,
    confidence, looks, level_note, difference_level, difference_looks, makespan_interval_why_not,
    communication, projected_inside, warnings
)
VALUES (
    $1::uuid, $2::smallint, $3::bigint, $4::integer, $5::integer, $6::boolean, $7::boolean, $8,
    $9::float8, $10::float8, $11::float8, $10::float8 * $9::float8, $11::float8 * $9::float8,
    api_number($12::float8), $13::float8, $14, $15::float8, $16::float8, $17::json, $18,
    $19::timestamptz, $20::json, $21::float8, $22::integer, $23::json, $24::float8,
    nullif($25::smallint, 0), nullif($26, ''), $27::float8,
    CASE WHEN $27::float8 IS NOT NULL THEN nullif($28::smallint, 0) END, $29, $30::json,
    $31::integer, $32::json
)
ON CONFLICT (run_id, design) DO UPDATE SET version = excluded.version, done = excluded.done,
    planned = excluded.planned, complete = excluded.complete, reweighted = excluded.reweighted,
    unit = excluded.unit, seconds_per_unit = excluded.seconds_per_unit, value = excluded.value,
    half_width = excluded.half_width, value_s = excluded.value_s,
    half_width_s = excluded.half_width_s, df = excluded.df, level = excluded.level,
    warning = excluded.warning, makespan_s = excluded.makespan_s, measured_s = excluded.measured_s,
    strata = excluded.strata, variance_method = excluded.variance_method,
    computed_at = excluded.computed_at, cross_checks = excluded.cross_checks,
    makespan_half_width_s = excluded.makespan_half_width_s, empty_caches = excluded.empty_caches,
    makespan_interval_why_not = excluded.makespan_interval_why_not,
    communication = excluded.communication, warm_bound = excluded.warm_bound,
    projected_inside = excluded.projected_inside, warnings = excluded.warnings, confidence = excluded.confidence,
    looks = excluded.looks, level_note = excluded.level_note,
    difference_level = excluded.difference_level, difference_looks = excluded.difference_looks
WHERE projection.version < excluded.version;

-- name: projection_point
INSERT INTO projection_point (run_id, design, done, value, half_width, value_s, half_width_s, at)
VALUES (
    $1::uuid, $2::smallint, $3::integer, $4::float8, $5::float8, $4::float8 * $6::float8,
    $5::float8 * $6::float8, $7::timestamptz
)
ON CONFLICT (run_id, design, done) DO UPDATE SET value = excluded.value,
    half_width = excluded.half_width, value_s = excluded.value_s,
    half_width_s = excluded.half_width_s;

-- name: comparison_put
INSERT INTO comparison (
    run_id, design, difference, half_width, difference_s, half_width_s, ratio, ratio_half_width, df,
    level, paired_on, distinguishable, cache_reversible, confidence, intervals, looks, level_note
)
VALUES (
    $1::uuid, $2::smallint, $3::float8, $4::float8, $3::float8 * $5::float8,
    $4::float8 * $5::float8, $6::float8, $7::float8, api_number($8::float8), $9::float8,
    $10::bigint, $11::boolean, $12::boolean, $13::float8, $14::integer, nullif($15::smallint, 0),
    nullif($16, '')
)
ON CONFLICT (run_id, design) DO UPDATE SET difference = excluded.difference,
    half_width = excluded.half_width, difference_s = excluded.difference_s,
    half_width_s = excluded.half_width_s, ratio = excluded.ratio,
    ratio_half_width = excluded.ratio_half_width, df = excluded.df, level = excluded.level,
    paired_on = excluded.paired_on, distinguishable = excluded.distinguishable,
    cache_reversible = excluded.cache_reversible, confidence = excluded.confidence,
    intervals = excluded.intervals, looks = excluded.looks, level_note = excluded.level_note;

-- name: projection_progress
-- Writes the progress unless a newer version was written.
UPDATE run
SET projected_version = $2::bigint, done = $3::integer, eta_s = $4::float8, half_notified = $5::boolean,
    promise_notified = $6::boolean, strata_notified = $7::integer, eta_error_s = $8::float8
WHERE id = $1::uuid
  AND projected_version < $2::bigint;

-- name: projection_pace
-- A run with leased jobs has no archived jobs. The first and the latest jobs are sufficient.
-- Reading all of a million jobs would take longer than the time between two calls.
SELECT (
    SELECT min(a.started_at)
    FROM (
        SELECT id
        FROM job
        WHERE run_id = $1::uuid
          AND state = 'done'
          AND NOT cached
        ORDER BY seq
        LIMIT 1000
    ) j, LATERAL (
        SELECT started_at
        FROM attempt
        WHERE job_id = j.id
          AND outcome = 'ok'
        OFFSET 0
    ) a
), (SELECT cached FROM run WHERE id = $1::uuid), count(t.s), coalesce(sum(h.cost * sign(t.s)), 0),
    coalesce(sum(t.s), 0), coalesce(sum(h.cost * h.cost * sign(t.s)), 0),
    coalesce(sum(h.cost * t.s), 0), coalesce(sum(t.s * t.s), 0)
FROM run r, LATERAL (
    SELECT sample, result_id
    FROM job
    WHERE run_id = r.id
      AND state = 'done'
      AND NOT cached
    ORDER BY seq DESC
    LIMIT 5000
) j, LATERAL (
    SELECT host_seconds AS s
    FROM result
    WHERE id = j.result_id
      AND host_seconds > 0
      AND host_seconds < 3e8
    OFFSET 0
) t, LATERAL (
    SELECT stratum
    FROM sample
    WHERE plan_id = r.plan_id
      AND number = j.sample
    OFFSET 0
) s, LATERAL (
    SELECT cost
    FROM stratum
    WHERE plan_id = r.plan_id
      AND number = s.stratum
    OFFSET 0
) h
WHERE r.id = $1::uuid;

-- name: projection_profile_total
SELECT (p.total / 1e9)::float8, f.unit = 'ns'
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
WHERE r.id = $1::uuid;
