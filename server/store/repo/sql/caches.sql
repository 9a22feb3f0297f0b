-- shared fragment: cache_first_window
-- Equals CACHE_ERROR_BEFORE and the default of cache_check_request.looks_back.
16

-- shared fragment: cache_state_row
-- The measured error, in the format of `vivace simulate --cache-check`. NULL: none was measured.
(
    SELECT ROW(
        x.relative, x.launches, x.looks_back, x.wanted, x.missing, x.whole, x.settled, x.share,
        l.least, l.most
    )
    FROM cache_error x
    CROSS JOIN LATERAL (
        SELECT min(k.warmed_cycles / k.empty_cycles - 1) AS least,
            max(k.warmed_cycles / k.empty_cycles - 1) AS most
        FROM cache_check_task k
        WHERE k.run_id = x.run_id
          AND k.design = x.design
          AND k.looks_back = x.looks_back
          AND k.state = 'done'
    ) l
    WHERE x.run_id = d.run_id
      AND x.design = d.number
      AND x.launches > 0
)

-- shared fragment: cache_check_row
-- The progress of the measurement. NULL: it was not requested.
(
    SELECT ROW(
        x.launches, x.asked_by, api_time(x.asked_at), x.looks_back,
        CASE
            WHEN x.chosen_at IS NULL
              AND x.looks_back = {{cache_first_window}} THEN 'waiting'
            WHEN x.chosen_at IS NULL OR k.open > 0 THEN 'measuring'
            WHEN k.done > 0 THEN 'measured'
            ELSE 'failed'
        END, k.open + k.done + k.failed, k.done, k.failed, coalesce(x.why_not, k.why)
    )
    FROM cache_check_request x
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE state IN ('ready', 'leased')) AS open,
            count(*) FILTER (WHERE state = 'done') AS done,
            count(*) FILTER (WHERE state = 'failed') AS failed, min(why) AS why
        FROM cache_check_task
        WHERE run_id = x.run_id
    ) k
    WHERE x.run_id = r.id
)

-- name: caches_request
INSERT INTO cache_check_request (run_id, launches, asked_by, asked_at)
VALUES ($1::uuid, $2::smallint, $3, $4::timestamptz)
ON CONFLICT (run_id) DO UPDATE SET launches = greatest(cache_check_request.launches, excluded.launches),
    asked_by = excluded.asked_by, asked_at = excluded.asked_at, is_default = false,
    {{cache_request_anew}};

-- name: caches_request_usual
INSERT INTO cache_check_request (run_id, launches, asked_by, asked_at, is_default)
SELECT r.id, $2::smallint, $3, $4::timestamptz, true
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
WHERE r.id = $1::uuid
  AND r.engine = 'cycle'
  AND f.traces_sha256 IS NOT NULL;

-- name: caches_requests
-- Requests of ended and projected runs whose launches are not chosen yet.
SELECT r.id, f.traces_sha256, f.team_id, x.launches, f.invocations, r.simulator, x.looks_back
FROM cache_check_request x
JOIN run r ON r.id = x.run_id
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
WHERE x.chosen_at IS NULL
  AND r.finished_at IS NOT NULL
  AND r.projected_version >= r.version
ORDER BY r.id
LIMIT 100;

-- name: caches_forget
DELETE FROM cache_check_request WHERE run_id = $1::uuid AND is_default;

-- name: caches_chosen
UPDATE cache_check_request
SET chosen_at = $3::timestamptz, why_not = $2
WHERE run_id = $1::uuid;

-- name: caches_widen
UPDATE cache_check_request
SET chosen_at = NULL, looks_back = 2 * looks_back, still = $2::smallint
WHERE run_id = $1::uuid;

-- name: caches_candidates
-- Launches that every design has simulated, for each stratum the longest first.
WITH known AS (
    SELECT j.sample, max(q.cycles) FILTER (WHERE j.design = 0) AS cycles,
        min(q.trace_sha256) AS trace
    FROM {{jobs_of_all}} j
    JOIN result q ON q.id = j.result_id
    WHERE j.run_id = $1::uuid
      AND j.state = 'done'
      AND q.cycles > 0
    GROUP BY j.sample
    HAVING count(*) = (SELECT count(*) FROM run_design WHERE run_id = $1::uuid)
      AND bool_and(q.empty_caches)
), ranked AS (
    SELECT s.stratum, k.cycles, s.invocation, s.context_number, s.launch_order, k.trace,
        row_number() OVER (PARTITION BY s.stratum ORDER BY k.cycles DESC, s.invocation) AS place
    FROM run r
    JOIN sample s ON s.plan_id = r.plan_id
    JOIN known k ON k.sample = s.number
    WHERE r.id = $1::uuid
)
SELECT stratum, cycles, invocation, context_number, launch_order, trace,
    EXISTS (
        SELECT FROM cache_check_task c
        WHERE c.run_id = $1::uuid
          AND c.launch = ranked.invocation
          AND c.looks_back = $3::integer
          AND c.state <> 'failed'
    ), (
        SELECT count(*)
        FROM cache_check_task c
        WHERE c.run_id = $1::uuid
          AND c.launch = ranked.invocation
          AND 2 * c.looks_back = $3::integer
          AND c.state = 'done'
    ) = (SELECT count(*) FROM run_design WHERE run_id = $1::uuid)
FROM ranked
WHERE place <= $2::bigint
ORDER BY stratum, place;

-- name: caches_totals
SELECT p.value, p.version, (x.h->>'total')::float8
FROM projection p
CROSS JOIN LATERAL json_array_elements(p.strata)
WITH ORDINALITY AS x(h, n)
WHERE p.run_id = $1::uuid
  AND p.design = $2::smallint
  AND p.value > 0
  AND p.unit = 'cycles'
ORDER BY x.n;

-- name: caches_clear_failed
DELETE FROM task t USING cache_check k
WHERE k.task_id = t.id
  AND k.run_id = $1::uuid
  AND k.launch = $2::bigint
  AND k.looks_back = $3::integer
  AND t.state = 'failed';

-- name: caches_put
-- Creates the checks of a launch on all designs. If a check of the same launches on the same design
-- is done already, its result is used.
WITH n AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, d.number, d.design_sha256, r.simulator, q.cycles,
        q.host_seconds, k.warmed_cycles
    FROM run r
    JOIN run_design d ON d.run_id = r.id
    JOIN sample s ON s.plan_id = r.plan_id
        AND s.invocation = $2::bigint
    JOIN {{jobs_of_all}} j ON j.run_id = r.id
        AND j.sample = s.number
        AND j.design = d.number
        AND j.state = 'done'
    JOIN result q ON q.id = j.result_id
    LEFT JOIN LATERAL (
        SELECT c.warmed_cycles
        FROM cache_check_task c
        WHERE c.trace_sha256 = $4::text
          AND c.design_sha256 = d.design_sha256
          AND c.simulator = r.simulator
          AND c.state = 'done'
        LIMIT 1
    ) k ON true
    WHERE r.id = $1::uuid
      AND NOT EXISTS (
          SELECT FROM cache_check c
          WHERE c.run_id = r.id
            AND c.design = d.number
            AND c.launch = $2::bigint
            AND c.looks_back = $9::integer
      )
), made AS (
    INSERT INTO task (
        id, kind, run_id, trace_sha256, design_sha256, simulator, expected_s, state, made_at,
        finished_at, why
    )
    SELECT id, 'cache_check', $1::uuid, $4::text, design_sha256, simulator,
        ($5::smallint + 1) * coalesce(host_seconds, 0), (
            CASE
                WHEN $4::text IS NULL THEN 'failed'
                WHEN warmed_cycles IS NULL THEN 'ready'
                ELSE 'done'
            END
        )::task_state, $8::timestamptz, CASE
            WHEN $4::text IS NULL
              OR warmed_cycles IS NOT NULL THEN $8::timestamptz
        END, CASE WHEN $4::text IS NULL THEN $7::text END
    FROM n
)
INSERT INTO cache_check (
    task_id, run_id, design, launch, looks_back, stratum, empty_cycles, warmed_cycles, before,
    missing
)
SELECT id, $1::uuid, number, $2::bigint, $9::integer, $3::integer, cycles, warmed_cycles,
    $5::smallint, $6::smallint
FROM n;

-- name: caches_leased
SELECT t.design_sha256, t.run_id, k.design
FROM task t
JOIN cache_check k ON k.task_id = t.id
WHERE t.id = $1::uuid
  AND t.attempt = $2::integer
  AND t.session_id = $3::uuid
  AND t.state = 'leased';

-- name: caches_end
WITH {{task_end}}
UPDATE cache_check
SET warmed_cycles = $7::float8
WHERE task_id IN (SELECT id FROM ended);

-- name: caches_pairs
SELECT k.stratum, k.empty_cycles, k.warmed_cycles, k.before, k.missing,
    s.launch_order <= k.looks_back
FROM cache_check_task k
JOIN run r ON r.id = k.run_id
JOIN sample s ON s.plan_id = r.plan_id
    AND s.invocation = k.launch
WHERE k.run_id = $1::uuid
  AND k.design = $2::smallint
  AND k.looks_back = $3::integer
  AND k.state = 'done'
ORDER BY k.launch;

-- name: caches_known
SELECT launches, relative, looks_back
FROM cache_error
WHERE run_id = $1::uuid
  AND design = $2::smallint;

-- name: caches_count
INSERT INTO cache_error (
    run_id, design, launches, missing, share, relative, version, counted_at, looks_back, wanted,
    whole, settled
)
VALUES (
    $1::uuid, $2::smallint, $3::integer, $4::integer, $5::float8, $6::float8, $7::bigint,
    $8::timestamptz, $9::integer, $10::integer, $11::boolean, $12::boolean
)
ON CONFLICT (run_id, design) DO UPDATE SET launches = excluded.launches, missing = excluded.missing,
    share = excluded.share, relative = excluded.relative, version = excluded.version,
    counted_at = excluded.counted_at, looks_back = excluded.looks_back, wanted = excluded.wanted,
    whole = excluded.whole, settled = excluded.settled;

-- name: caches_lock
-- Locks the request until the transaction ends.
SELECT chosen_at IS NOT NULL, looks_back, still, launches
FROM cache_check_request
WHERE run_id = $1::uuid
FOR UPDATE;

-- name: caches_errors
SELECT d.name, x.relative, x.settled
FROM cache_error x
JOIN run_design d ON d.run_id = x.run_id
    AND d.number = x.design
WHERE x.run_id = $1::uuid
  AND x.launches > 0
ORDER BY x.design;

-- name: caches_states
SELECT count(*) FILTER (WHERE state IN ('ready', 'leased')),
    count(*) FILTER (WHERE state = 'failed')
FROM cache_check_task
WHERE run_id = $1::uuid
  AND looks_back = $2::integer;
