-- fragment: plan_extensible
-- True if the plan allows interim analyses. The same conditions as interim_possible().
(
    p.variance = 'samples'
      AND p.estimator <> 'instruction_ratio'
      AND NOT p.with_replacement
      AND NOT p.representative
)

-- shared fragment: plan_part
-- The part of the workload that plan p of profile f is for. NULL: the whole.
CASE
    WHEN num_nonnulls(p.part_by, p.part_words) > 0 THEN ROW(
        p.part_by, p.part_only, p.part_steps, p.part_words,
        (p.total / nullif(f.total, 0))::float8
    )
END

-- fragment: plan_summary
p.id, w.id, w.name, f.id, p.method, p.error, p.confidence, p.seed, f.unit, p.promised_error,
p.promise_valid, p.planned_df, p.speedup, p.invocations, p.zero_invocations, p.total::text, p.share,
p.noise_floor, p.budget, p.least_samples, p.assurance, p.assured, p.assured_noise, p.cost_fixed,
p.cost_per_unit, p.classifier, p.with_replacement, p.representative, p.estimator, p.variance,
p.caution, p.note, {{plan_extensible}}, p.version, p.parent_id, p.samples, p.strata, p.actual_error,
api_time(p.created_at), ROW(p.name, p.tags, p.remark, p.hidden_at IS NOT NULL), {{plan_part}}

-- fragment: plan_from
FROM plan p
JOIN profile f ON f.id = p.profile_id
JOIN workload w ON w.id = f.workload_id

-- fragment: plan_shown
WHERE f.team_id = $1::bigint
  AND ($2::uuid IS NULL OR w.id = $2::uuid)
  AND ($5::text IS NULL OR $5 = ANY(p.tags))
  AND (p.hidden_at IS NOT NULL) = $6::boolean
  AND p.parent_id IS NULL

-- fragment: by_error
{{list_by(error; {{list_number(p.error)}})}}

-- fragment: by_workload
{{list_by(workload; {{list_text(w.name)}})}}

-- fragment: by_method
{{list_by(method; {{list_text(p.method)}})}}

-- fragment: by_strata
{{list_by(strata; {{list_number(p.strata)}})}}

-- fragment: by_samples
{{list_by(samples; {{list_number(p.samples)}})}}

-- fragment: by_speedup
{{list_by(speedup; {{list_number(p.speedup)}})}}

-- fragment: by_promised
{{list_by(promised; {{list_number(p.promised_error)}})}}

-- fragment: by_created
{{list_by(created; api_time(p.created_at))}}

-- fragment: by_column
{{by_error}} {{by_workload}} {{by_method}} {{by_strata}} {{by_samples}} {{by_speedup}}
{{by_promised}} {{by_created}}

-- fragment: plan_key
{{list_key_sql(CASE $7::text {{by_column}} END; $8)}}

-- fragment: plan_page
{{list_page('{}'::uuid[]; $8; $9; $3; $4)}}

-- fragment: sample_from
FROM sample s
JOIN plan p ON p.id = s.plan_id
JOIN kernel k ON k.profile_id = p.profile_id
    AND k.index = s.kernel
JOIN plan_context c ON c.plan_id = p.id
    AND c.number = s.context_number
WHERE s.plan_id = $1::uuid
  AND s.number > $2::integer
  AND ($4::bigint < 0 OR s.stratum = $4::bigint)
ORDER BY s.number
LIMIT $3::bigint

-- name: plan_put
INSERT INTO plan (
    id, profile_id, method, error, confidence, seed, share, noise_floor, budget, least_samples,
    cost_fixed, cost_per_unit, classifier, with_replacement, representative, estimator, variance,
    caution, note, invocations, zero_invocations, total, promised_error, promise_valid, planned_df,
    speedup, actual_error, strata, samples, file, created_at, assurance, assured, assured_noise,
    part_by, part_only, part_steps, part_words
)
VALUES (
    $1::uuid, $2::uuid, $3, $4::float8, $5::float8, $6::bigint, $7::float8, $8::float8, $9::float8,
    $10::integer, $11::float8, $12::float8, $13, $14::boolean, $15::boolean, $16, $17, $18, $19,
    $20::bigint, $21::bigint, $22::numeric, api_number($23::float8), $24::boolean,
    api_number($25::float8), api_number($26::float8), api_number($27::float8), $28::integer,
    $29::integer, $30, $31::timestamptz, $32::float8, api_number($33::float8),
    api_number($34::float8), $35, $36, $37, $38
);

-- name: plan_put_strata
INSERT INTO stratum (
    plan_id, number, kernel, kernel_name, mixed_shapes, grid, block, population, samples, mean, sd,
    total, certainty, planned_sd, cost, planned_variance
)
SELECT $1::uuid, number, kernel, name, mixed, ARRAY[gx, gy, gz], ARRAY[bx, by, bz], population,
    samples, mean, sd, total, certainty, planned_sd, cost, variance
FROM unnest(
    $2::integer[], $3::integer[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
    $14::float8[], $15::float8[], $16::numeric[], $17::boolean[], $18::float8[], $19::float8[],
    $20::float8[]
) AS c(
    number, kernel, name, mixed, gx, gy, gz, bx, by, bz, population, samples, mean, sd, total,
    certainty, planned_sd, cost, variance
);

-- name: plan_put_contexts
INSERT INTO plan_context (plan_id, number, device, process, context)
SELECT $1::uuid, *
FROM unnest($2::integer[], $3::integer[], $4::numeric[], $5::numeric[]);

-- name: plan_put_samples
INSERT INTO sample (
    plan_id, number, invocation, stratum, draws, weight, value, kernel, context_number, launch_order
)
SELECT $1::uuid, *
FROM unnest(
    $2::integer[], $3::bigint[], $4::integer[], $5::integer[], $6::float8[], $7::numeric[],
    $8::integer[], $9::integer[], $10::bigint[]
);

-- name: plan_exists
SELECT 1 FROM plan WHERE id = $1::uuid;

-- name: plan_load
SELECT file FROM plan WHERE id = $1::uuid;

-- name: plan_profile
SELECT f.id
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE p.id = $1::uuid
  AND f.team_id = $2::bigint;

-- name: plan_unit
SELECT f.unit
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE p.id = $1::uuid;

-- name: plan_work
SELECT p.profile_id, count(s.number)::float8, coalesce(sum(s.value), 0)::float8
FROM plan p
JOIN profile f ON f.id = p.profile_id
    AND f.team_id = $2::bigint
LEFT JOIN sample s ON s.plan_id = p.id
WHERE p.id = $1::uuid
GROUP BY p.profile_id;

-- name: plan_profile_of_team
SELECT 1
FROM profile
WHERE id = $1::uuid
  AND team_id = $2::bigint
  AND ready;

-- name: plan_json
SELECT ROW(
    {{plan_summary}}, (
            SELECT array_agg(
                ROW(
                    number, kernel_name, grid, block, mixed_shapes, population, samples, mean, sd,
                    sd / nullif(mean, 0), total::text,
                    CASE WHEN p.total > 0 THEN (total / p.total)::float8 ELSE 0 END, certainty,
                    planned_sd, cost, CASE WHEN whole > 0 THEN planned_variance / whole ELSE 0 END
                )
                ORDER BY number
            )
            FROM (
                SELECT *, sum(planned_variance) OVER () AS whole
                FROM stratum
                WHERE plan_id = p.id
            ) s
        ), (
        SELECT ROW(
            t.bound, p.samples - t.bound,
            CASE WHEN {{pack_whole}} THEN p.samples - t.bound ELSE 0 END
        )
        FROM (
            SELECT count(*) AS bound
            FROM trace_binding b
            JOIN sample s ON s.plan_id = p.id
                AND s.invocation = b.invocation
            WHERE b.profile_id = p.profile_id
        ) t
    )
)
{{plan_from}}
WHERE p.id = $1::uuid
  AND f.team_id = $2::bigint;

-- name: plan_file
SELECT p.file
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE p.id = $1::uuid
  AND f.team_id = $2::bigint;

-- name: plan_list
SELECT ROW({{plan_summary}}), p.id
{{plan_from}}
{{plan_shown}}
  AND ($3::text = '' OR p.id < nullif($3::text, '')::uuid)
ORDER BY p.id DESC
LIMIT $4::bigint;

-- name: plan_sorted
WITH k AS (SELECT p.id, {{plan_key}} AS key {{plan_from}} {{plan_shown}}), {{plan_page}}
SELECT ROW({{plan_summary}}), p.id, page.key
{{plan_from}}
JOIN page ON page.id = p.id
ORDER BY page.place;

-- name: plan_samples_json
SELECT ROW(
    s.invocation, s.stratum, s.weight, ROW(c.device, c.process::text, c.context::text, c.number),
    s.launch_order, k.name, k.mangled_name, k.grid, k.block, s.value
), s.number
{{sample_from}};

-- name: plan_samples
SELECT s.invocation, s.stratum, s.weight, s.launch_order, c.number, c.device, c.process, c.context,
    k.name, k.mangled_name, array_to_string(k.grid, 'x'), array_to_string(k.block, 'x'), s.value,
    s.number
{{sample_from}};

-- name: sweep_get
SELECT answer FROM sweep WHERE profile_id = $1::uuid AND question = $2;

-- name: sweep_put
INSERT INTO sweep (profile_id, question, answer, created_at)
SELECT id, $3, $4, $5::timestamptz
FROM profile
WHERE id = $1::uuid
  AND sha256 = $2
FOR SHARE
ON CONFLICT DO NOTHING;

-- name: sweep_clear
DELETE FROM sweep WHERE profile_id = $1::uuid;
