-- fragment: since
-- The start of the window. Parameters: $1 team, $2 now, $3 seconds.
($2::timestamptz - make_interval(secs => $3::float8))

-- fragment: step
-- Intervals of a worker and run with a smaller gap than this are merged. It is about a pixel of the
-- chart.
make_interval(secs => $3::float8 / 1000)

-- fragment: of_run
JOIN run r ON r.id = x.run_id
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
JOIN workload w ON w.id = f.workload_id

-- fragment: whose
-- Id and workload of the run. NULL if the run belongs to another team.
CASE WHEN f.team_id = $1::bigint THEN x.run_id END, CASE WHEN f.team_id = $1::bigint THEN w.name END

-- fragment: ended
{{attempts_of_all}} t
JOIN {{jobs_of_all}} j ON j.id = t.job_id
WHERE t.ended_at > {{since}}

-- fragment: rolled_gap
-- Attempts of the minutes from `first` to `upto` are aggregated in activity_minute. Attempts in the
-- minute in which the window begins (before `first`), and attempts from `later` on, are read one by
-- one. An aggregated row merges attempts with a gap of at most rolled_gap. Therefore a window with
-- a smaller `step` reads all attempts one by one.
interval '250 milliseconds'

-- fragment: first
-- The first full minute of the window.
(date_trunc('minute', {{since}}) + interval '1 minute')

-- fragment: upto
-- The end of the aggregated minutes, or '-infinity' if the window cannot use them.
(SELECT CASE WHEN {{step}} >= {{rolled_gap}} THEN upto ELSE '-infinity' END FROM activity_rolled)

-- fragment: later
-- From this time on, attempts are read one by one.
(SELECT greatest({{upto}}, {{first}}))

-- fragment: its_job
-- The attempt's job, found by its id. Without the subquery, the planner would read all jobs.
CROSS JOIN LATERAL (
    SELECT run_id, sample, design, result_id
    FROM job
    WHERE id = t.job_id
    UNION ALL
    SELECT run_id, sample, design, result_id
    FROM job_archive
    WHERE id = t.job_id
) j

-- fragment: one_by_one(columns; and)
-- Attempts that are read one by one: those before `first` and those from `later` on.
SELECT {{columns}}
FROM {{attempts_of_all}} t
{{its_job}}
WHERE t.ended_at > {{since}}
  AND t.ended_at < {{first}} {{and}}
UNION ALL
SELECT {{columns}}
FROM {{attempts_of_all}} t
{{its_job}}
WHERE t.ended_at >= {{later}} {{and}}

-- fragment: by_minute
activity_minute m WHERE m.minute >= {{first}} AND m.minute < {{upto}}

-- fragment: own_run(id)
EXISTS (
    SELECT FROM run r
    JOIN plan p ON p.id = r.plan_id
    JOIN profile f ON f.id = p.profile_id
    WHERE r.id = {{id}}
      AND f.team_id = $1::bigint
)

-- fragment: slow_columns
t.job_id, t.worker, t.host_seconds, j.run_id, j.sample, j.design, j.result_id

-- fragment: slow_ones_alone
t.outcome = 'ok' AND t.host_seconds IS NOT NULL

-- fragment: slow_ones
AND {{slow_ones_alone}}

-- fragment: islands(step)
-- Merges intervals of table a (worker, run_id, s, e and counts) that touch or have a gap of at most
-- `step`. In the result, table c, merged intervals have the same number `island`.
b AS (
    SELECT *, max(e) OVER (
        PARTITION BY worker, run_id
        ORDER BY s, e ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS until
    FROM a
), c AS (
    SELECT *, count(*) FILTER (WHERE until IS NULL OR s > until + {{step}}) OVER
        (PARTITION BY worker, run_id ORDER BY s, e ROWS UNBOUNDED PRECEDING) AS island
    FROM b
)

-- name: activity_lanes
-- The merged intervals of each worker and run in the window, the latest first.
WITH a AS (
    {{one_by_one(
        t.worker, j.run_id, greatest(coalesce(t.started_at, t.ended_at), {{since}}) AS s,
        t.ended_at AS e, 1 AS jobs, (t.outcome <> 'ok')::integer AS failed, false AS going;
        
    )}}
    UNION ALL
    SELECT m.worker, m.run_id, greatest(m.began_at, {{since}}), m.ended_at, m.attempts,
        m.attempts - m.ok, false
    FROM {{by_minute}}
    UNION ALL
    SELECT v.name, j.run_id, greatest(j.leased_at, {{since}}), $2::timestamptz, 1, 0, true
    FROM job j
    JOIN worker_session v ON v.id = j.session_id
    WHERE j.state = 'leased'
), {{islands({{step}})}}, x AS (
    SELECT worker, run_id, min(s) AS s, max(e) AS e, sum(jobs) AS jobs, sum(failed) AS failed,
        bool_or(going) AS going
    FROM c
    GROUP BY worker, run_id, island
    ORDER BY max(e) DESC
    LIMIT $4::bigint
)
SELECT ROW(x.worker, {{whose}}, api_time(x.s), api_time(x.e), x.jobs, x.failed, x.going)
FROM x
{{of_run}}
ORDER BY x.worker, x.s, x.run_id;

-- name: activity_roll
-- Aggregates a few of the next past minutes. A minute is aggregated only when no attempt of it can
-- be written any more.
WITH mark AS (
    SELECT CASE
        WHEN upto = '-infinity' THEN date_trunc('minute', $1::timestamptz - interval '1 day')
        ELSE upto
    END AS since
    FROM activity_rolled
    FOR UPDATE
), turn AS MATERIALIZED (
    SELECT since, least(
        since + interval '1 minute',
        date_trunc('minute', $1::timestamptz - make_interval(secs => $2::float8))
    ) AS upto
    FROM mark
), a AS (
    SELECT t.worker, j.run_id, coalesce(t.started_at, t.ended_at) AS s, t.ended_at AS e, t.outcome,
        t.number, t.host_seconds, q.cycles, date_trunc('minute', t.ended_at) AS minute
    FROM {{attempts_of_all}} t
    {{its_job}}
    LEFT JOIN result q ON q.id = j.result_id
    WHERE t.ended_at >= (SELECT since FROM turn)
      AND t.ended_at < (SELECT upto FROM turn)
), {{islands({{rolled_gap}})}}, put AS (
    INSERT INTO activity_minute
    SELECT minute, run_id, worker, island, min(s), max(e), count(*),
        count(*) FILTER (WHERE outcome = 'ok'),
        count(*) FILTER (WHERE outcome IN ('lost', 'overdue')), count(*) FILTER (WHERE number > 1),
        coalesce(sum(cycles) FILTER (WHERE outcome = 'ok'), 0),
        max(host_seconds) FILTER (WHERE outcome = 'ok')
    FROM c
    GROUP BY minute, run_id, worker, island
), moved AS (
    UPDATE activity_rolled
    SET upto = turn.upto
    FROM turn
    WHERE turn.upto > turn.since
    RETURNING 1
)
SELECT count(*)
FROM moved, turn
WHERE turn.upto = turn.since + interval '1 minute';

-- name: activity_expire
DELETE FROM activity_minute
WHERE minute < $1::timestamptz - interval '25 hours';

-- name: activity_lock
-- Keeps activity_roll from running until the transaction ends.
SELECT upto FROM activity_rolled FOR SHARE;

-- name: activity_unlose
-- Subtracts the job's lost attempts from the aggregated counts. It runs before the outcome of the
-- attempts is changed.
UPDATE activity_minute m
SET lost = m.lost - x.n
FROM (
    SELECT m.minute, m.run_id, m.worker, m.island, count(*) AS n
    FROM attempt t
    JOIN job j ON j.id = t.job_id
    JOIN activity_minute m ON m.minute = date_trunc('minute', t.ended_at)
        AND m.run_id = j.run_id
        AND m.worker = t.worker
        AND t.ended_at BETWEEN m.began_at AND m.ended_at
    WHERE t.job_id = $1::uuid
      AND t.outcome = 'lost'
    GROUP BY 1, 2, 3, 4
) x
WHERE (m.minute, m.run_id, m.worker, m.island) = (x.minute, x.run_id, x.worker, x.island);

-- name: activity_queue
-- The runs with unfinished jobs, and their share of the leased jobs.
WITH x AS (
    SELECT *
    FROM (SELECT run_id, {{jobs_by_state}} FROM job_tally t GROUP BY run_id) s
    WHERE leased + ready + blocked > 0
)
SELECT ROW(
    {{whose}}, r.state, r.priority, x.leased, x.ready, x.blocked,
    x.leased / nullif((SELECT sum(leased) FROM x), 0)::float8, api_time(r.created_at)
)
FROM (SELECT * FROM x ORDER BY leased DESC, run_id LIMIT $2::bigint) x
{{of_run}}
ORDER BY x.leased DESC, r.id;

-- name: activity_slowest
-- The slowest attempts. They are among the attempts of the aggregated rows with the largest
-- `slowest`.
WITH m AS MATERIALIZED (
    SELECT m.minute, m.run_id, m.worker, m.began_at, m.ended_at
    FROM {{by_minute}}
      AND m.slowest IS NOT NULL
      AND {{own_run(m.run_id)}}
    ORDER BY m.slowest DESC FETCH FIRST 10 ROWS
    WITH TIES
), a AS (
    {{one_by_one({{slow_columns}}; {{slow_ones}} AND {{own_run(j.run_id)}})}}
    UNION ALL
    SELECT {{slow_columns}}
    FROM m
    JOIN {{attempts_of_all}} t ON t.ended_at >= m.began_at
        AND t.ended_at <= m.ended_at
        AND t.ended_at >= m.minute
        AND t.worker = m.worker
    JOIN {{jobs_of_all}} j ON j.id = t.job_id
        AND j.run_id = m.run_id
    WHERE {{slow_ones_alone}}
)
SELECT ROW(
    {{whose}}, x.job_id, x.worker, x.host_seconds, s.invocation, k.kernel_name, d.name, t.cycles
)
FROM (SELECT * FROM a ORDER BY host_seconds DESC, job_id LIMIT 10) x
{{of_run}}
JOIN sample s ON s.plan_id = p.id
    AND s.number = x.sample
JOIN stratum k ON k.plan_id = p.id
    AND k.number = s.stratum
JOIN run_design d ON d.run_id = r.id
    AND d.number = x.design
LEFT JOIN result t ON t.id = x.result_id
ORDER BY x.host_seconds DESC, x.job_id;

-- name: activity_facts
-- Totals of the window: done, failed and lost attempts, retries, simulated cycles, stored bytes.
WITH a AS (
    SELECT (t.outcome = 'ok')::integer AS ok, 1 AS attempts,
        (t.outcome IN ('lost', 'overdue'))::integer AS lost, (t.number > 1)::integer AS retries,
        CASE WHEN t.outcome = 'ok' THEN q.cycles END::float8 AS cycles
    FROM ({{one_by_one(t.outcome, t.number, j.result_id; )}}) t
    LEFT JOIN result q ON q.id = t.result_id
    UNION ALL
    SELECT m.ok, m.attempts, m.lost, m.retries, m.cycles
    FROM {{by_minute}}
      AND EXISTS (SELECT FROM run r WHERE r.id = m.run_id)
)
SELECT ROW(
    x.done, x.failed, x.lost, x.failed + x.lost, x.retries, x.cycles / $3::float8,
    (SELECT coalesce(sum(stored_bytes), 0)::bigint FROM team_storage),
    (SELECT stored_bytes FROM team_storage WHERE team_id = $1::bigint)
)
FROM (
    SELECT coalesce(sum(ok), 0) AS done, coalesce(sum(attempts - ok - lost), 0) AS failed,
        coalesce(sum(lost), 0) AS lost, coalesce(sum(retries), 0) AS retries,
        coalesce(sum(cycles), 0) AS cycles
    FROM a
) x;

-- name: activity_worker
SELECT ROW(
    {{whose}}, CASE WHEN f.team_id = $1::bigint THEN x.job_id END, x.number, api_time(x.started_at),
    api_time(x.ended_at), x.outcome, CASE WHEN f.team_id = $1::bigint THEN x.message END,
    x.host_seconds, x.peak_bytes
)
FROM (
    SELECT t.*, j.run_id
    FROM {{ended}}
      AND t.session_id = $4::uuid
    ORDER BY t.ended_at DESC, t.job_id
    LIMIT 100
) x
{{of_run}}
ORDER BY x.ended_at DESC, x.job_id;
