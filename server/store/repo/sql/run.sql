-- fragment: relative_columns
v.half_width / nullif(v.value, 0)

-- fragment: projection_row
CASE
    WHEN v.run_id IS NULL THEN ROW(
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, coalesce(u.confidence, p.confidence), NULL,
        {{shared_total}}, 0, p.samples, false, NULL, 0, 0, NULL, '[]'::json
    )
    ELSE ROW(
        v.value, v.half_width, v.unit, v.value_s, v.half_width_s,
        CASE WHEN v.unit = 'cycles' THEN v.value END,
        CASE WHEN v.unit = 'cycles' THEN v.half_width END, v.df, v.level, {{relative_columns}},
        {{shared_total}}, v.done, v.planned, v.complete, v.warning, v.empty_caches,
        v.projected_inside, v.warm_bound, v.warnings
    )
END

-- fragment: model_error_row
CASE
    WHEN v.measured_s > 0
      AND v.value_s IS NOT NULL THEN ROW(
          v.measured_s, v.value_s, (v.value_s - v.measured_s) / v.measured_s
      )
END

-- fragment: comparison_columns
c.difference_s, c.half_width_s, c.ratio, c.ratio_half_width, c.df, c.level, c.confidence,
c.intervals, c.looks, c.level_note, c.paired_on, c.distinguishable, c.cache_reversible

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
r.id, p.id, p.method, w.id, w.name, r.engine, r.state, r.simulator, api_time(r.created_at),
api_time(r.finished_at), r.created_by, r.priority, r.jobs, r.cached, nullif(r.inside_kernels, 0),
r.allow_foreign_isa, api_time(r.cancel_at), coalesce(u.error, p.error),
CASE WHEN p.promise_valid THEN p.promised_error END,
coalesce(u.confidence, p.confidence), p.seed, p.speedup, r.eta_s, r.eta_error_s,
ROW(r.name, r.tags, r.remark, r.hidden_at IS NOT NULL), {{plan_part}}

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
        OR strpos(lower(r.name), lower($5)) > 0
  )
  AND ($6::text IS NULL OR $6 = ANY(r.tags))
  AND (r.hidden_at IS NOT NULL) = $7::boolean

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
    CASE $8::text {{by_designs}} {{by_workload}} {{by_state}} {{by_done}} {{by_created}} END;
    $9
)}}

-- fragment: run_page
{{list_page('{}'::uuid[]; $9; $10; $3; $4)}}

-- fragment: as_of
-- All events with an id up to this one are visible in this snapshot. Later events have larger ids.
pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096 - 1

-- fragment: makespan_interval_why_not
CASE
    WHEN v.makespan_s IS NOT NULL
      AND v.makespan_half_width_s IS NULL THEN coalesce(
          v.makespan_interval_why_not, 'it was not worked out'
      )
END

-- fragment: designs_rows
(
    SELECT array_agg(
        ROW(
            d.name, d.design_sha256, d.clock_hz, {{projection_row}}, {{model_error_row}},
            {{cache_state_row}}, v.makespan_s, v.makespan_half_width_s, v.communication,
            {{makespan_interval_why_not}}, CASE
                WHEN c.run_id IS NOT NULL THEN ROW({{baseline}}, {{comparison_columns}})
            END
        )
        ORDER BY d.number
    )
    {{design_from}}
)

-- fragment: stranded_row
-- The run's ready jobs, and the number and the simulator versions of the connected workers, if none
-- of these can run the jobs. NULL: some worker can, or no job is ready.
(
    SELECT ROW(
        (SELECT coalesce(sum(ready), 0) FROM job_tally WHERE run_id = r.id),
        (SELECT count(*) FROM worker_session WHERE state = 'alive'),
        (
            SELECT array_agg(DISTINCT w.simulator)
            FROM worker_session w
            WHERE w.state = 'alive'
              AND 'cycle' = ANY (w.engines)
        )
    )
    FROM run_stranded s
    WHERE s.id = r.id
)

-- fragment: cancellation_ends
cancel_at = NULL, cancel_by = NULL, cancel_resumes = NULL

-- shared fragment: run_goes_on
-- Part of UPDATE run SET … FROM r WHERE run.id = r.id.
state = CASE WHEN r.goes_on THEN 'running' ELSE run.state END,
finished_at = CASE WHEN r.goes_on THEN NULL ELSE run.finished_at END

-- shared fragment: cache_request_anew
-- The launches of a cache check are chosen from the results when the run ends. After a restart they
-- are chosen again, beginning with the first window.
chosen_at = NULL, why_not = NULL, still = 0, looks_back = DEFAULT

-- shared fragment: run_caches_anew
-- A member of a WITH clause.
requests AS (
    UPDATE cache_check_request
    SET {{cache_request_anew}}
    WHERE chosen_at IS NOT NULL
      AND run_id = ANY(ARRAY(SELECT id FROM r WHERE r.anew))
)

-- name: run_put
INSERT INTO run
    (id, plan_id, engine, simulator, jobs, created_by, created_at, priority, inside_kernels,
    allow_foreign_isa)
VALUES
    ($1::uuid, $2::uuid, $3::engine, $4, $8::integer, $5, $6::timestamptz, $7::smallint, $9::float8,
    $10::boolean);

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
-- Changes the state of an open run. With $5 only if its cancellation is due.
UPDATE run
SET state = $3::run_state, version = version + 1, {{cancellation_ends}},
    finished_at = CASE WHEN $3::run_state = 'cancelled' THEN $4::timestamptz END,
    cancel_from = CASE WHEN $3::run_state = 'cancelled' THEN 0 END,
    jobs = CASE
        WHEN $3::run_state = 'cancelled' THEN jobs - unmade
        ELSE jobs
    END, unmade = CASE WHEN $3::run_state = 'cancelled' THEN 0 ELSE unmade END
WHERE id = $1::uuid
  AND state::text = ANY(string_to_array($2, ','))
  AND (NOT $5::boolean OR cancel_at <= $4::timestamptz);

-- name: run_cancel_later
-- A pending cancellation keeps its time.
UPDATE run
SET state = 'paused', version = version + 1, cancel_at = $2::timestamptz, cancel_by = $3,
    cancel_resumes = state = 'running'
WHERE id = $1::uuid
  AND state IN ('running', 'paused')
  AND cancel_at IS NULL;

-- name: run_cancel_undo
UPDATE run
SET state = CASE WHEN cancel_resumes THEN 'running' ELSE state END, version = version + 1,
    {{cancellation_ends}}
WHERE id = $1::uuid
  AND cancel_at IS NOT NULL;

-- name: run_cancel_due
SELECT id, cancel_by, cancel_at
FROM run
WHERE cancel_at IS NOT NULL
ORDER BY cancel_at, id
LIMIT 100;

-- name: run_take_up
-- Continues a run. The run is locked without a condition on its state, because another transaction
-- may be changing the state.
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
-- Ends the run. Its projection is also valid for the new version, because no job has changed.
UPDATE run
SET state = $3::run_state, finished_at = $4::timestamptz, version = version + 1,
    projected_version = version + 1, {{cancellation_ends}}
WHERE id = $1::uuid
  AND version = $2::bigint
  AND state IN ('running', 'paused');

-- name: run_touch
-- Increments the version, so that the projector processes the runs.
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
-- The content of a progress event.
SELECT ROW(
    r.id, r.state, coalesce((r.ended_counts->>'done')::bigint, s.done),
    coalesce((r.ended_counts->>'leased')::bigint, s.leased),
    coalesce((r.ended_counts->>'failed')::bigint, s.failed),
    coalesce((r.ended_counts->>'ready')::bigint, s.ready),
    coalesce((r.ended_counts->>'blocked')::bigint, r.unmade + s.blocked),
    coalesce((r.ended_counts->>'cancelled')::bigint, s.cancelled), r.jobs, (
        SELECT array_agg(
            ROW(
                d.name, v.value, v.half_width, v.unit, v.value_s, v.half_width_s, v.level,
                {{relative_columns}}, coalesce(v.done, 0)
            )
            ORDER BY d.number
        )
        {{design_from}}
    ), r.eta_s, r.eta_error_s
)
FROM run r
CROSS JOIN LATERAL (SELECT {{jobs_by_state}} FROM job_tally t WHERE t.run_id = r.id) s
WHERE r.id = $1::uuid;

-- name: run_progress_put
-- Inserts the progress event.
INSERT INTO event (at, topic, kind, params)
VALUES ($2::timestamptz, 'run:' || $1::uuid, 'run.progress', $3::json);

-- name: run_json
SELECT ROW(
    {{run_head}}, {{run_counts_row}}, {{rule_row}}, {{passed_over_row}}, {{stranded_row}},
    {{cache_check_row}}, {{answer_row}}, {{designs_rows}}, ({{as_of}})::text
), {{interim_rows}}
{{run_from}}
WHERE r.id = $1::uuid;

-- name: run_projection_json
SELECT ROW(
    r.id, r.state, {{rule_row}}, {{passed_over_row}}, {{passed_over_list_rows}},
    {{cache_check_row}}, {{answer_row}}, (
        SELECT array_agg(
            ROW(
                d.name, ROW(
                    {{projection_row}}, {{model_error_row}},
                    CASE
                        WHEN v.measured_s IS NOT NULL THEN NULL
                        WHEN f.unit <> 'ns' THEN 'the profile has no durations'
                        WHEN f.gpu_name = '' THEN
                        'the profile does not say on which GPU it was measured'
                        WHEN r.engine = 'replay' THEN 'a replay simulates nothing'
                        ELSE 'the profile was measured on ' || f.gpu_name ||
                        ', which is not this design'
                    END, {{cache_state_row}}, v.value_s, v.makespan_s, v.makespan_half_width_s,
                    {{makespan_interval_why_not}}, CASE
                        WHEN v.makespan_s IS NOT NULL THEN NULL
                        WHEN p.part_words IS NOT NULL THEN
                        'the plan is for a part of the workload'
                        WHEN f.unit <> 'ns' THEN 'the profile has no durations'
                        WHEN f.makespan_ns IS NULL
                          OR f.makespan_ns = 0 THEN 'the profile has no start times'
                        WHEN r.state IN ('running', 'paused') THEN
                        'it is worked out when the run has ended'
                        ELSE 'a stratum has no result, so there is no projection'
                    END, CASE WHEN f.makespan_ns > 0 THEN (f.makespan_ns / 1e9)::float8 END
                ), v.variance_method, coalesce(v.strata, '[]'::json),
                coalesce(v.cross_checks, '[]'::json)
            )
            ORDER BY d.number
        )
        {{design_from}}
    ), (
        SELECT array_agg(ROW(d.name, {{baseline}}, {{comparison_columns}}) ORDER BY d.number)
        FROM run_design d
        JOIN comparison c ON c.run_id = d.run_id
            AND c.design = d.number
        WHERE d.run_id = r.id
    )
), {{interim_rows}}
{{run_from}}
WHERE r.id = $1::uuid;

-- name: run_convergence_json
-- The requested error is shown only if the run has a stopping rule or the plan promises an error.
SELECT ROW(
    d.name, CASE
        WHEN u.run_id IS NOT NULL
          OR p.promised_error IS NOT NULL THEN coalesce(u.error, p.error)
    END, coalesce(u.confidence, p.confidence), p.samples, (
        SELECT array_agg(
            ROW(
                x.done, x.value_s, x.half_width_s, x.value, x.half_width,
                x.half_width / nullif(x.value, 0), api_time(x.at)
            )
            ORDER BY x.done
        )
        FROM projection_point x
        WHERE x.run_id = r.id
          AND x.design = d.number
    )
)
{{run_from}}
JOIN run_design d ON d.run_id = r.id
WHERE r.id = $1::uuid
  AND (d.name = $2 OR ($2::text IS NULL AND d.number = 0));

-- name: run_strata
SELECT ROW(
    s.number, s.kernel_name, s.grid, s.block, s.population,
    CASE
        WHEN p.with_replacement THEN (
            SELECT count(*)
            FROM sample a
            WHERE a.plan_id = p.id
              AND a.stratum = s.number
        )
        ELSE s.samples
    END, coalesce((x.h->>'done')::bigint, 0), s.certainty,
    (x.h->>'mean')::float8 * v.seconds_per_unit, (x.h->>'mean')::float8, v.unit,
    (x.h->>'half_width')::float8 * v.seconds_per_unit, s.mean, f.unit,
    CASE
        WHEN (x.h->>'mean')::float8 > 0 THEN (x.h->>'sd')::float8 / (x.h->>'mean')::float8
    END, CASE WHEN s.mean > 0 THEN s.sd / s.mean END,
    (x.h->>'half_width')::float8 / nullif((x.h->>'mean')::float8, 0),
    (x.h->>'total')::float8 * v.seconds_per_unit,
    (x.h->>'half_width')::float8 * s.population * v.seconds_per_unit,
    coalesce((x.h->>'total')::float8 / nullif(v.value, 0), (s.total / nullif(p.total, 0))::float8),
    (x.h->>'variance_share')::float8
), s.number
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
SELECT ROW({{run_head}}, r.done, {{designs_rows}}), r.id
{{run_from}}
{{run_shown}}
  AND ($3::text = '' OR r.id < nullif($3::text, '')::uuid)
ORDER BY r.id DESC
LIMIT $4::bigint;

-- name: run_sorted
WITH k AS (SELECT r.id, {{run_key}} AS key {{run_from}} {{run_shown}}), {{run_page}}
SELECT ROW({{run_head}}, r.done, {{designs_rows}}), r.id, page.key
{{run_from}}
JOIN page ON page.id = r.id
ORDER BY page.place;

-- name: run_events
SELECT ROW(id::text, api_time(at), kind, params, severity), id
FROM event
WHERE topic = 'run:' || $1::uuid
  AND severity IS NOT NULL
  AND ($2::bigint IS NULL OR id < $2::bigint)
ORDER BY id DESC
LIMIT $3::bigint;

-- name: run_latest_plan
SELECT ROW(p.id, p.method, p.speedup, p.promised_error)
FROM plan p
JOIN profile f ON f.id = p.profile_id
WHERE f.workload_id = $1::uuid
  AND p.parent_id IS NULL
ORDER BY p.id DESC
LIMIT 1;

-- name: run_latest_run
SELECT ROW(
    r.id, r.state, r.done, r.jobs, r.created_by, api_time(r.created_at),
    (
        SELECT array_agg(
            ROW(
                d.name, v.value_s, v.half_width_s, CASE WHEN v.unit = 'cycles' THEN v.value END,
                CASE WHEN v.unit = 'cycles' THEN v.half_width END,
                coalesce(v.level, u.confidence, p.confidence), {{shared_total}}
            )
            ORDER BY d.number
        )
        {{design_from}}
    )
)
{{run_from}}
WHERE w.id = $1::uuid
ORDER BY r.id DESC
LIMIT 1;

-- name: run_workload_plans
SELECT ROW(
    x.id, x.method, x.error, x.confidence, x.seed, x.samples, x.strata, x.speedup, x.promised_error,
    x.created_at
)
FROM (
    SELECT p.id, p.method, p.error, p.confidence, p.seed, p.samples, p.strata, p.speedup,
        p.promised_error, api_time(p.created_at) AS created_at
    FROM plan p
    JOIN profile f ON f.id = p.profile_id
    WHERE f.workload_id = $1::uuid
      AND p.parent_id IS NULL
      AND p.hidden_at IS NULL
    ORDER BY p.id DESC
    LIMIT 1000
) x
ORDER BY x.id DESC;

-- name: run_workload_runs
SELECT ROW(x.id, x.plan, x.state, x.designs, x.done, x.jobs, x.created_at)
FROM (
    SELECT r.id, p.id AS plan, r.state, (
        SELECT array_agg(d.name ORDER BY d.number)
        FROM run_design d
        WHERE d.run_id = r.id
    ) AS designs, r.done, r.jobs, api_time(r.created_at) AS created_at
    {{run_from}}
    WHERE w.id = $1::uuid
      AND r.hidden_at IS NULL
    ORDER BY r.id DESC
    LIMIT 1000
) x
ORDER BY x.id DESC;

-- name: run_workers
SELECT ROW(
    w.id, w.name, w.host, w.version, w.simulator, w.sandbox, w.slots, coalesce(l.n, 0), w.state,
    api_time(w.started_at), api_time(w.seen_at)
), w.id
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
