-- fragment: relative_json
'relative_half_width', v.half_width / nullif(v.value, 0)

-- fragment: projection_json
CASE
    WHEN v.run_id IS NULL THEN json_build_object(
        'value', NULL, 'half_width', NULL, 'unit', NULL, 'value_s', NULL, 'half_width_s', NULL,
        'value_cycles', NULL, 'half_width_cycles', NULL, 'df', NULL, 'relative_half_width', NULL,
        'level', coalesce(u.confidence, p.confidence), {{shared_total}}, 'done', 0, 'planned',
        p.samples, 'complete', false, 'warning', NULL, 'empty_caches', 0, 'projected_inside', 0,
        'warm_bound', NULL
    )
    ELSE json_build_object(
        'value', v.value, 'half_width', v.half_width, 'unit', v.unit, 'value_s', v.value_s,
        'half_width_s', v.half_width_s, 'value_cycles',
        CASE WHEN v.unit = 'cycles' THEN v.value END, 'half_width_cycles',
        CASE WHEN v.unit = 'cycles' THEN v.half_width END, 'df', v.df, 'level', v.level,
        {{relative_json}}, {{shared_total}}, 'done', v.done, 'planned', v.planned, 'complete',
        v.complete, 'warning', v.warning, 'empty_caches', v.empty_caches, 'projected_inside',
        v.projected_inside, 'warm_bound', v.warm_bound
    )
END

-- fragment: model_error_json
CASE
    WHEN v.measured_s > 0
      AND v.value_s IS NOT NULL THEN json_build_object(
          'measured_s', v.measured_s, 'simulated_s', v.value_s, 'relative',
          (v.value_s - v.measured_s) / v.measured_s
      )
END

-- fragment: comparison_json
'difference_s', c.difference_s, 'half_width_s', c.half_width_s, 'ratio', c.ratio,
'ratio_half_width', c.ratio_half_width, 'df', c.df, 'level', c.level, 'confidence', c.confidence,
'intervals', c.intervals, 'looks', c.looks, 'level_note', c.level_note, 'paired_on', c.paired_on,
'distinguishable', c.distinguishable, 'cache_reversible', c.cache_reversible

-- fragment: design_from
FROM run_design d
LEFT JOIN projection v ON v.run_id = d.run_id
    AND v.design = d.number
LEFT JOIN comparison c ON c.run_id = d.run_id
    AND c.design = d.number
WHERE d.run_id = r.id

-- fragment: baseline
(SELECT name FROM run_design WHERE run_id = r.id AND number = 0)

-- fragment: run_from
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
JOIN workload w ON w.id = f.workload_id
LEFT JOIN run_rule u ON u.run_id = r.id

-- fragment: run_head
'id', r.id, 'plan', p.id, 'workload', w.id, 'workload_name', w.name, 'engine', r.engine, 'state',
r.state, 'simulator', r.simulator, 'created_at', api_time(r.created_at), 'finished_at',
api_time(r.finished_at), 'created_by', r.created_by, 'priority', r.priority, 'jobs', r.jobs,
'cached', r.cached, 'inside_kernels', nullif(r.inside_kernels, 0), 'promise',
coalesce(u.error, p.error), 'promised_error', CASE WHEN p.promise_valid THEN p.promised_error END,
'confidence', coalesce(u.confidence, p.confidence), 'seed', p.seed, 'speedup', p.speedup, 'eta_s',
r.eta_s, 'eta_error_s', r.eta_error_s

-- fragment: run_shown
WHERE f.team_id = $1::bigint
  AND ($2::uuid IS NULL OR w.id = $2::uuid)
  AND (
      $5::text IS NULL
        OR strpos(lower(w.name), lower($5)) > 0
        OR EXISTS (
            SELECT FROM run_design d
            WHERE d.run_id = r.id
              AND strpos(lower(d.name), lower($5)) > 0
        )
  )

-- fragment: run_designs
(
    SELECT {{list_text(string_agg(d.name, ', ' ORDER BY d.number))}}
    FROM run_design d
    WHERE d.run_id = r.id
)

-- fragment: by_designs
{{list_by(designs; {{run_designs}})}}

-- fragment: by_workload
{{list_by(workload; {{list_text(w.name)}})}}

-- fragment: by_state
{{list_by(state; r.state::text)}}

-- fragment: by_done
{{list_by(done; {{list_number(r.done::float8 / greatest(1, r.jobs))}})}}

-- fragment: by_created
{{list_by(created; api_time(r.created_at))}}

-- fragment: run_key
{{list_key_sql(
    CASE $6::text {{by_designs}} {{by_workload}} {{by_state}} {{by_done}} {{by_created}} END;
    $7
)}}

-- fragment: run_page
{{list_page('{}'::uuid[]; $7; $8; $3; $4)}}

-- fragment: as_of
-- Everything up to here is in this very snapshot; later events have larger ids.
pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096 - 1

-- fragment: makespan_interval_why_not
CASE
    WHEN v.makespan_s IS NOT NULL
      AND v.makespan_half_width_s IS NULL THEN coalesce(
          v.makespan_interval_why_not, 'it was not worked out'
      )
END

-- fragment: designs_json
(
    SELECT json_agg(
        json_build_object(
            'design', d.name, 'design_sha256', d.design_sha256, 'clock_hz', d.clock_hz,
            'projection', {{projection_json}}, 'model_error', {{model_error_json}}, 'cache_state',
            {{cache_state_json}}, 'makespan_s', v.makespan_s, 'makespan_half_width_s',
            v.makespan_half_width_s, 'communication', v.communication, 'makespan_interval_why_not',
            {{makespan_interval_why_not}}, 'baseline',
            CASE
                WHEN c.run_id IS NOT NULL THEN json_build_object(
                    'design', {{baseline}}, {{comparison_json}}
                )
            END
        )
        ORDER BY d.number
    )
    {{design_from}}
)

-- fragment: stranded_json
-- NULL: some worker can take its jobs, or none is ready.
(
    SELECT json_build_object(
        'jobs', (SELECT coalesce(sum(ready), 0) FROM job_tally WHERE run_id = r.id), 'workers',
        (SELECT count(*) FROM worker_session WHERE state = 'alive'), 'simulators',
        (
            SELECT coalesce(json_agg(DISTINCT w.simulator), '[]')
            FROM worker_session w
            WHERE w.state = 'alive'
              AND 'cycle' = ANY (w.engines)
        )
    )
    FROM run_stranded s
    WHERE s.id = r.id
)

-- shared fragment: run_goes_on
-- For UPDATE run SET … FROM r WHERE run.id = r.id.
state = CASE WHEN r.goes_on THEN 'running' ELSE run.state END,
finished_at = CASE WHEN r.goes_on THEN NULL ELSE run.finished_at END

-- shared fragment: cache_request_anew
-- Launches whose caches are to be warmed are chosen from its results, when it is over: again from
-- the first window.
chosen_at = NULL, why_not = NULL, still = 0, looks_back = DEFAULT

-- shared fragment: run_caches_anew
-- A member of WITH.
requests AS (
    UPDATE cache_check_request
    SET {{cache_request_anew}}
    WHERE chosen_at IS NOT NULL
      AND run_id = ANY(ARRAY(SELECT id FROM r WHERE r.anew))
)

-- name: run_put
INSERT INTO run
    (id, plan_id, engine, simulator, jobs, created_by, created_at, priority, inside_kernels)
VALUES
    ($1::uuid, $2::uuid, $3::engine, $4, $8::integer, $5, $6::timestamptz, $7::smallint, $9::float8);

-- name: run_put_design
INSERT INTO run_design (run_id, number, design_sha256, name, clock_hz)
VALUES ($1::uuid, $2::smallint, nullif($3, ''), $4, $5::float8);

-- name: run_set_jobs
UPDATE run
SET jobs = unmade + (SELECT count(*) FROM job WHERE run_id = $1::uuid)
WHERE id = $1::uuid;

-- name: run_find
SELECT r.id, r.plan_id, p.profile_id, r.state, r.engine, r.version, r.jobs, r.done, r.half_notified,
    r.promise_notified, r.strata_notified, r.created_at, coalesce(u.error, p.error),
    coalesce(u.confidence, p.confidence), p.promised_error IS NOT NULL, u.run_id IS NOT NULL,
    r.dropped_at IS NOT NULL, r.inside_kernels
{{run_from}}
WHERE r.id = $1::uuid
  AND ($2::bigint < 0 OR f.team_id = $2::bigint);

-- name: run_move
UPDATE run
SET state = $3::run_state, version = version + 1,
    finished_at = CASE WHEN $3::run_state = 'cancelled' THEN $4::timestamptz END,
    cancel_from = CASE WHEN $3::run_state = 'cancelled' THEN 0 END,
    jobs = CASE
        WHEN $3::run_state = 'cancelled' THEN jobs - unmade
        ELSE jobs
    END, unmade = CASE WHEN $3::run_state = 'cancelled' THEN 0 ELSE unmade END
WHERE id = $1::uuid
  AND state::text = ANY(string_to_array($2, ','));

-- name: run_take_up
-- Locked without naming its state, which another may be changing.
WITH r AS (
    SELECT id, state IN ('done', 'failed') AS goes_on, state IN ('done', 'failed') AS anew
    FROM run
    WHERE id = $1::uuid
    FOR NO KEY UPDATE
), {{run_caches_anew}}
UPDATE run
SET version = version + 1, {{run_goes_on}}
FROM r
WHERE run.id = r.id;

-- name: run_designs
SELECT count(*) FROM run_design WHERE run_id = $1::uuid;

-- name: run_still
SELECT 1
FROM run
WHERE id = $1::uuid
  AND version = $2::bigint
  AND state = 'running'
FOR UPDATE;

-- name: run_end
-- its projection, which is of its version until now, is of the next one, too: no job has changed
UPDATE run
SET state = $3::run_state, finished_at = $4::timestamptz, version = version + 1,
    projected_version = version + 1
WHERE id = $1::uuid
  AND version = $2::bigint
  AND state IN ('running', 'paused');

-- name: run_touch
UPDATE run
SET version = version + 1
WHERE id IN (SELECT id FROM run WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE);

-- name: run_open_of_profile
SELECT r.id
FROM run r
JOIN plan p ON p.id = r.plan_id
WHERE p.profile_id = $1::uuid
  AND r.engine = 'cycle'
  AND r.state IN ('running', 'paused')
ORDER BY r.id;

-- name: run_behind
SELECT id
FROM run
WHERE projected_version < version
  AND id > $1::uuid
ORDER BY id
LIMIT 100;

-- name: run_open
SELECT r.id, r.version, coalesce(l.n, 0)
FROM run r
LEFT JOIN (
    SELECT run_id, count(*) AS n
    FROM job
    WHERE state = 'leased'
    GROUP BY run_id
) l ON l.run_id = r.id
WHERE r.state IN ('running', 'paused')
ORDER BY r.id;

-- name: run_progress
INSERT INTO event (at, topic, kind, params)
SELECT $2::timestamptz, 'run:' || r.id, 'run.progress', json_build_object(
    'run', r.id, 'state', r.state, 'done', c.n->'done', 'leased', c.n->'leased', 'failed',
    c.n->'failed', 'ready', c.n->'ready', 'blocked', c.n->'blocked', 'cancelled', c.n->'cancelled',
    'jobs', r.jobs, 'projections', (
        SELECT json_agg(
            json_build_object(
                'design', d.name, 'value', v.value, 'half_width', v.half_width, 'unit', v.unit,
                'value_s', v.value_s, 'half_width_s', v.half_width_s, 'level', v.level,
                {{relative_json}}, 'done', coalesce(v.done, 0)
            )
            ORDER BY d.number
        )
        {{design_from}}
    ), 'eta_s', r.eta_s, 'eta_error_s', r.eta_error_s
)
FROM run r, LATERAL (SELECT {{run_counts_json}} AS n OFFSET 0) c
WHERE r.id = $1::uuid;

-- name: run_json
SELECT json_build_object(
    {{run_head}}, 'counts', {{run_counts_json}}, 'rule', {{rule_json}}, 'not_simulated',
    {{passed_over_json}}, 'stranded', {{stranded_json}}, 'cache_check', {{cache_check_json}},
    'answer', {{answer_json}}, 'designs', {{designs_json}}, 'as_of', ({{as_of}})::text
)::text, {{looks_json}}
{{run_from}}
WHERE r.id = $1::uuid;

-- name: run_projection_json
SELECT json_build_object(
    'id', r.id, 'state', r.state, 'rule', {{rule_json}}, 'not_simulated', {{passed_over_json}},
    'not_simulated_launches', {{passed_over_list_json}}, 'cache_check', {{cache_check_json}},
    'answer', {{answer_json}}, 'designs', (
        SELECT json_agg(
            json_build_object(
                'design', d.name, 'parts', json_build_object(
                    'sampling_error', {{projection_json}}, 'model_error', {{model_error_json}},
                    'model_error_why_not', CASE
                        WHEN v.measured_s IS NOT NULL THEN NULL
                        WHEN f.unit <> 'ns' THEN 'the profile has no durations'
                        WHEN f.gpu_name = '' THEN
                        'the profile does not say on which GPU it was measured'
                        WHEN r.engine = 'replay' THEN 'a replay simulates nothing'
                        ELSE 'the profile was measured on ' || f.gpu_name ||
                        ', which is not this design'
                    END, 'cache_state', {{cache_state_json}}, 'sum_s', v.value_s, 'makespan_s',
                    v.makespan_s, 'makespan_half_width_s', v.makespan_half_width_s,
                    'makespan_interval_why_not', {{makespan_interval_why_not}}, 'makespan_why_not',
                    CASE
                        WHEN v.makespan_s IS NOT NULL THEN NULL
                        WHEN f.unit <> 'ns' THEN 'the profile has no durations'
                        WHEN f.makespan_ns IS NULL
                          OR f.makespan_ns = 0 THEN 'the profile has no start times'
                        WHEN r.state IN ('running', 'paused') THEN
                        'it is worked out when the run has ended'
                        ELSE 'a stratum has no result, so there is no projection'
                    END, 'measured_makespan_s',
                    CASE WHEN f.makespan_ns > 0 THEN (f.makespan_ns / 1e9)::float8 END
                ), 'variance_method', v.variance_method, 'strata', coalesce(v.strata, '[]'::json),
                'cross_checks', coalesce(v.cross_checks, '[]'::json)
            )
            ORDER BY d.number
        )
        {{design_from}}
    ), 'comparison', (
        SELECT coalesce(
            json_agg(
                json_build_object('design', d.name, 'baseline', {{baseline}}, {{comparison_json}})
                ORDER BY d.number
            ), '[]'
        )
        FROM run_design d
        JOIN comparison c ON c.run_id = d.run_id
            AND c.design = d.number
        WHERE d.run_id = r.id
    )
)::text, {{looks_json}}
{{run_from}}
WHERE r.id = $1::uuid;

-- name: run_convergence_json
-- what was asked for is no promise of a plan that makes none
SELECT json_build_object(
    'design', d.name, 'promise', CASE
        WHEN u.run_id IS NOT NULL
          OR p.promised_error IS NOT NULL THEN coalesce(u.error, p.error)
    END, 'confidence', coalesce(u.confidence, p.confidence), 'planned', p.samples, 'points',
    (
        SELECT coalesce(
            json_agg(
                json_build_object(
                    'done', x.done, 'value_s', x.value_s, 'half_width_s', x.half_width_s, 'value',
                    x.value, 'half_width', x.half_width, 'relative_half_width',
                    x.half_width / nullif(x.value, 0), 'at', api_time(x.at)
                )
                ORDER BY x.done
            ), '[]'
        )
        FROM projection_point x
        WHERE x.run_id = r.id
          AND x.design = d.number
    )
)::text
{{run_from}}
JOIN run_design d ON d.run_id = r.id
WHERE r.id = $1::uuid
  AND (d.name = $2 OR ($2::text IS NULL AND d.number = 0));

-- name: run_strata
SELECT json_build_object(
    'stratum', s.number, 'kernel', s.kernel_name, 'grid', s.grid, 'block', s.block, 'population',
    s.population, 'planned', CASE
        WHEN p.with_replacement THEN (
            SELECT count(*)
            FROM sample a
            WHERE a.plan_id = p.id
              AND a.stratum = s.number
        )
        ELSE s.samples
    END, 'done', coalesce((x.h->>'done')::bigint, 0), 'certainty', s.certainty, 'mean_s',
    (x.h->>'mean')::float8 * v.seconds_per_unit, 'mean', (x.h->>'mean')::float8, 'unit', v.unit,
    'half_width_s', (x.h->>'half_width')::float8 * v.seconds_per_unit, 'mean_profile', s.mean,
    'profile_unit', f.unit, 'spread_simulated', CASE
        WHEN (x.h->>'mean')::float8 > 0 THEN (x.h->>'sd')::float8 / (x.h->>'mean')::float8
    END, 'spread_profile', CASE WHEN s.mean > 0 THEN s.sd / s.mean END, 'relative_half_width',
    (x.h->>'half_width')::float8 / nullif((x.h->>'mean')::float8, 0), 'total_s',
    (x.h->>'total')::float8 * v.seconds_per_unit, 'total_half_width_s',
    (x.h->>'half_width')::float8 * s.population * v.seconds_per_unit, 'share_of_time',
    coalesce((x.h->>'total')::float8 / nullif(v.value, 0), (s.total / nullif(p.total, 0))::float8),
    'share_of_doubt', (x.h->>'variance_share')::float8
)::text, s.number
{{run_from}}
JOIN run_design d ON d.run_id = r.id
    AND (d.name = $2 OR ($2::text IS NULL AND d.number = 0))
JOIN stratum s ON s.plan_id = p.id
LEFT JOIN projection v ON v.run_id = r.id
    AND v.design = d.number
LEFT JOIN LATERAL (SELECT v.strata->s.number AS h) x ON true
WHERE r.id = $1::uuid
  AND s.number > $3::integer
ORDER BY s.number
LIMIT $4::bigint;

-- name: run_list
SELECT json_build_object({{run_head}}, 'done', r.done, 'designs', {{designs_json}})::text, r.id
{{run_from}}
{{run_shown}}
  AND ($3::text = '' OR r.id < nullif($3::text, '')::uuid)
ORDER BY r.id DESC
LIMIT $4::bigint;

-- name: run_sorted
WITH k AS (SELECT r.id, {{run_key}} AS key {{run_from}} {{run_shown}}), {{run_page}}
SELECT json_build_object({{run_head}}, 'done', r.done, 'designs', {{designs_json}})::text, r.id,
    page.key
{{run_from}}
JOIN page ON page.id = r.id
ORDER BY page.place;

-- name: run_events
SELECT json_build_object(
    'id', id::text, 'at', api_time(at), 'kind', kind, 'params', params, 'severity', severity
)::text, id
FROM event
WHERE topic = 'run:' || $1::uuid
  AND severity IS NOT NULL
  AND ($2::bigint IS NULL OR id < $2::bigint)
ORDER BY id DESC
LIMIT $3::bigint;

-- name: run_latest_plan
SELECT json_build_object(
    'id', p.id, 'method', p.method, 'speedup', p.speedup, 'promised_error', p.promised_error
)::text
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE f.workload_id = $1::uuid
  AND p.parent_id IS NULL
ORDER BY p.id DESC
LIMIT 1;

-- name: run_latest_run
SELECT json_build_object(
    'id', r.id, 'state', r.state, 'done', r.done, 'jobs', r.jobs, 'created_by', r.created_by,
    'created_at', api_time(r.created_at), 'projections', (
        SELECT json_agg(
            json_build_object(
                'design', d.name, 'value_s', v.value_s, 'half_width_s', v.half_width_s,
                'value_cycles', CASE WHEN v.unit = 'cycles' THEN v.value END, 'half_width_cycles',
                CASE WHEN v.unit = 'cycles' THEN v.half_width END, 'level',
                coalesce(v.level, u.confidence, p.confidence), {{shared_total}}
            )
            ORDER BY d.number
        )
        {{design_from}}
    )
)::text
{{run_from}}
WHERE w.id = $1::uuid
ORDER BY r.id DESC
LIMIT 1;

-- name: run_workload_plans
SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]')::text
FROM (
    SELECT p.id, p.method, p.error, p.confidence, p.seed, p.samples, p.strata, p.speedup,
        p.promised_error, api_time(p.created_at) AS created_at
    FROM plan p
    JOIN profile f ON f.id = p.profile_id
    WHERE f.workload_id = $1::uuid
      AND p.parent_id IS NULL
    ORDER BY p.id DESC
    LIMIT 1000
) x;

-- name: run_workload_runs
SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]')::text
FROM (
    SELECT r.id, p.id AS plan, r.state, (
        SELECT json_agg(d.name ORDER BY d.number)
        FROM run_design d
        WHERE d.run_id = r.id
    ) AS designs, r.done, r.jobs, api_time(r.created_at) AS created_at
    {{run_from}}
    WHERE w.id = $1::uuid
    ORDER BY r.id DESC
    LIMIT 1000
) x;

-- name: run_workers
SELECT json_build_object(
    'id', w.id, 'name', w.name, 'host', w.host, 'version', w.version, 'simulator', w.simulator,
    'sandbox', w.sandbox, 'slots', w.slots, 'busy', coalesce(l.n, 0), 'state', w.state,
    'started_at', api_time(w.started_at), 'seen_at', api_time(w.seen_at)
)::text, w.id
FROM worker_session w
LEFT JOIN (
    SELECT session_id, count(*) AS n
    FROM job
    WHERE state = 'leased'
    GROUP BY session_id
) l ON l.session_id = w.id
WHERE (w.state = 'alive' OR w.seen_at > $1::timestamptz)
  AND (
      $2 = ''
        OR (w.state, w.name, w.id) > (
            SELECT a.state, a.name, a.id
            FROM worker_session a
            WHERE a.id = nullif($2, '')::uuid
        )
  )
ORDER BY w.state, w.name, w.id
LIMIT $3::bigint + 1;
