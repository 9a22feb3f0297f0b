-- fragment: failed_from
-- Launches with a failed job that are not recorded as skipped, one row each.
FROM run r
JOIN job j ON j.run_id = r.id
    AND j.state = 'failed'
JOIN sample s ON s.plan_id = r.plan_id
    AND s.number = j.sample
JOIN run_design d ON d.run_id = r.id
    AND d.number = j.design
WHERE r.id = $1::uuid
  AND NOT EXISTS (
      SELECT FROM skipped_sample x
      WHERE x.run_id = r.id
        AND x.invocation = s.invocation
  )
ORDER BY s.invocation, d.number

-- shared fragment: rule_row
CASE
    WHEN u.run_id IS NOT NULL THEN ROW(
        u.error, u.confidence, u.resolve, (
            SELECT name
            FROM run_design
            WHERE run_id = r.id
              AND number = u.baseline
        ), CASE
            WHEN u.budget_in IS NOT NULL THEN ROW(
                CASE WHEN u.budget_in = 'seconds' THEN u.budget END,
                CASE WHEN u.budget_in = 'jobs' THEN u.budget END,
                CASE WHEN u.budget_in = 'money' THEN u.budget END,
                CASE WHEN u.budget_in = 'money' THEN u.price_per_s END
            )
        END, CASE WHEN u.ask THEN 'ask' ELSE 'auto' END, u.looks,
        CASE WHEN u.redraw THEN 'redraw' ELSE 'drop' END, u.settled
    )
END

-- shared fragment: promise_unit
-- The value to which a promise's half-width is relative. For a difference it is 1, because a
-- difference is relative already.
(CASE WHEN m.difference THEN 1 ELSE abs(m.value) END)

-- shared fragment: shared_total
-- The confidence level of the intervals, for statements with projection `v`. `confidence` is the
-- level that all interim analyses share, `level` is the level of a single total. Before the first
-- projection, the values of the stopping rule are used.
coalesce(v.confidence, u.confidence, p.confidence),
CASE
    WHEN v.run_id IS NOT NULL THEN v.looks
    WHEN u.error > 0 THEN u.looks
END, v.level_note

-- shared fragment: interim_promises_rows
(
    SELECT array_agg(
        ROW(
            d.name, m.difference, m.value, m.half_width, m.level, m.once, m.wanted,
            m.half_width / nullif({{promise_unit}}, 0), m.wanted / nullif({{promise_unit}}, 0),
            m.df, m.trusted, m.kept
        )
        ORDER BY m.ordinal
    )
    FROM look_promise m
    JOIN run_design d ON d.run_id = m.run_id
        AND d.number = m.design
    WHERE m.run_id = k.run_id
      AND m.number = k.number
)

-- shared fragment: interim_rows
(
    SELECT array_agg(
        ROW(
            k.number, api_time(k.at), k.plan_id, k.jobs, k.spent_s, k.unit, k.decision, k.reason,
            {{interim_promises_rows}}, CASE
                WHEN k.next_plan_id IS NOT NULL THEN ROW(
                    k.next_plan_id, k.extra_jobs, k.extra_s, k.changes, k.answer, k.answered_by,
                    api_time(k.answered_at)
                )
            END
        )
        ORDER BY k.number
    )
    FROM look k
    WHERE k.run_id = r.id
)

-- shared fragment: passed_over_list_rows
-- Skipped launches, for exports.
(
    SELECT array_agg(
        ROW(invocation, stratum, design, ROW(failure, failure_text), replaced)
        ORDER BY invocation
    )
    FROM skipped_sample
    WHERE run_id = r.id
)

-- shared fragment: passed_over_row
(
    SELECT ROW(
        count(*) FILTER (WHERE replaced), count(*) FILTER (WHERE NOT replaced),
        CASE
            WHEN count(*) > 0 THEN
            'launches that could not be simulated are assumed to be like the others of their strata; no interval covers an error of this assumption'
        END
    )
    FROM skipped_sample
    WHERE run_id = r.id
)

-- name: interim_put_rule
INSERT INTO run_rule (
    run_id, error, confidence, resolve, baseline, budget, budget_in, price_per_s, looks, ask, redraw
)
VALUES (
    $1::uuid, $2::float8, $3::float8, $4::float8, $5::smallint, $6::float8, nullif($7, ''),
    $8::float8, $9::smallint, $10::boolean, $11::boolean
)
ON CONFLICT (run_id) DO UPDATE SET error = excluded.error, confidence = excluded.confidence,
    resolve = excluded.resolve, baseline = excluded.baseline, budget = excluded.budget,
    budget_in = excluded.budget_in, price_per_s = excluded.price_per_s, looks = excluded.looks,
    ask = excluded.ask, redraw = excluded.redraw, settled = false;

-- name: interim_rule
SELECT coalesce(error, 0), coalesce(resolve, 0), confidence, coalesce(budget, 0),
    coalesce(budget_in, ''), coalesce(price_per_s, 0), baseline, looks, ask, redraw, settled
FROM run_rule
WHERE run_id = $1::uuid;

-- name: interim_settle
UPDATE run_rule SET settled = true WHERE run_id = $1::uuid;

-- name: interim_put
-- Inserts an interim analysis.
INSERT INTO look (
    run_id, number, plan_id, at, jobs, spent_s, unit, decision, reason, next_plan_id, extra_jobs,
    extra_s, changes, answer
)
VALUES (
    $1::uuid, $2::smallint, $3::uuid, $4::timestamptz, $5::integer, $6::float8, $7, $8, $9::json,
    $10::uuid, $11::integer, $12::float8, $13::json, $14
);

-- name: interim_put_promise
INSERT INTO look_promise (
    run_id, number, ordinal, design, difference, value, half_width, once, wanted, df, level,
    information, bound, spent, trusted, kept
)
VALUES (
    $1::uuid, $2::smallint, $3::smallint, $4::smallint, $5::boolean, api_number($6::float8),
    api_number($7::float8), api_number($8::float8), api_number($9::float8), api_number($10::float8),
    api_number($11::float8), $12::float8, $13::float8, $14::float8, $15::boolean, $16::boolean
);

-- name: interim_last
SELECT number, plan_id, next_plan_id, coalesce(answer, '')
FROM look
WHERE run_id = $1::uuid
ORDER BY number DESC
LIMIT 1;

-- name: interim_past
-- The promises of all earlier interim analyses.
SELECT number, design, difference, value, wanted, information, bound, spent
FROM look_promise
WHERE run_id = $1::uuid
ORDER BY number, ordinal;

-- name: interim_answer
UPDATE look
SET answer = $4, answered_by = $5, answered_at = $6::timestamptz
WHERE run_id = $1::uuid
  AND number = $2::smallint
  AND answer = $3;

-- name: interim_costs
-- Mean seconds of a simulation for each stratum, summed over the designs.
SELECT stratum, sum(seconds)
FROM (
    SELECT s.stratum, j.design, avg(t.host_seconds) AS seconds
    FROM run r
    JOIN {{jobs_of_all}} j ON j.run_id = r.id
        AND j.state = 'done'
    JOIN sample s ON s.plan_id = r.plan_id
        AND s.number = j.sample
    JOIN result t ON t.id = j.result_id
        AND t.host_seconds > 0
    WHERE r.id = $1::uuid
    GROUP BY 1, 2
) x
GROUP BY stratum
HAVING count(*) = (SELECT count(*) FROM run_design WHERE run_id = $1::uuid);

-- name: interim_spent
SELECT coalesce(sum(a.host_seconds), 0)
FROM {{jobs_of_all}} j
JOIN {{attempts_of_all}} a ON a.job_id = j.id
WHERE j.run_id = $1::uuid;

-- name: interim_drop_jobs
-- Deletes jobs of samples that are not in the new plan. $2 old plan, $3 new plan.
DELETE FROM job j
WHERE j.run_id = $1::uuid
  AND NOT EXISTS (
      SELECT FROM sample o
      JOIN sample n ON n.plan_id = $3::uuid
          AND n.invocation = o.invocation
      WHERE o.plan_id = $2::uuid
        AND o.number = j.sample
  );

-- name: interim_renumber_jobs
-- Sets the sample numbers of the new plan.
UPDATE job j
SET sample = n.number
FROM sample o
JOIN sample n ON n.plan_id = $3::uuid
    AND n.invocation = o.invocation
WHERE j.run_id = $1::uuid
  AND o.plan_id = $2::uuid
  AND o.number = j.sample
  AND n.number <> o.number;

-- name: interim_set_plan
-- Switches the run to the new plan. Counts the cached jobs again, because some may have been
-- deleted.
UPDATE run
SET plan_id = $3::uuid, version = version + 1, eta_s = NULL, eta_error_s = NULL,
    cached = (SELECT count(*) FROM job WHERE run_id = $1::uuid AND cached)
WHERE id = $1::uuid
  AND plan_id = $2::uuid;

-- name: interim_set_parent
UPDATE plan
SET parent_id = $2::uuid, version = (SELECT version + 1 FROM plan WHERE id = $2::uuid)
WHERE id = $1::uuid;

-- name: interim_failed
SELECT DISTINCT ON (s.invocation) s.invocation, s.stratum, d.name, j.failure, j.failure_text
{{failed_from}};

-- name: interim_skip
-- Records the launches of failed_from as skipped.
INSERT INTO skipped_sample
    (run_id, invocation, stratum, design, failure, failure_text, replaced, at)
SELECT DISTINCT ON (s.invocation) r.id, s.invocation, s.stratum, d.name, j.failure, j.failure_text,
    $2::boolean, $3::timestamptz
{{failed_from}}
ON CONFLICT DO NOTHING;

-- name: interim_skipped
SELECT invocation, stratum
FROM skipped_sample
WHERE run_id = $1::uuid
  AND replaced
ORDER BY invocation;

-- name: interim_not_simulated
-- All skipped launches. A replaced launch is not in the run's current plan, but in an earlier one.
SELECT x.invocation, x.stratum, h.kernel_name, x.design, x.failure, x.failure_text, x.replaced,
    api_time(x.at), (
        SELECT s.value
        FROM plan q
        JOIN sample s ON s.plan_id = q.id
            AND s.invocation = x.invocation
        WHERE q.profile_id = p.profile_id
        LIMIT 1
    )
FROM skipped_sample x
JOIN run r ON r.id = x.run_id
JOIN plan p ON p.id = r.plan_id
JOIN stratum h ON h.plan_id = p.id
    AND h.number = x.stratum
WHERE x.run_id = $1::uuid
ORDER BY x.invocation;
