-- name: farm_id
SELECT id FROM farm;

-- name: session_replace
-- A worker's previous session ends only if it has the same worker name and the same token as the
-- new session, or if its token is not valid any more.
UPDATE worker_session o
SET state = 'dead', replaced_by = $2::uuid
WHERE o.id = $1::uuid
  AND o.name = $3
  AND o.state = 'alive'
  AND (
      o.token_id IS NOT DISTINCT FROM
          (SELECT n.token_id FROM worker_session n WHERE n.id = $2::uuid)
        OR (
            o.token_id IS NOT NULL
              AND NOT EXISTS (
                  SELECT FROM token t
                  WHERE t.id = o.token_id
                    AND (t.expires_at IS NULL OR t.expires_at > $4::timestamptz)
              )
        )
  );

-- name: session_is_of
SELECT 1
FROM worker_session
WHERE id = $1::uuid
  AND coalesce(token_id, 0) = $2::bigint;

-- name: session_open
INSERT INTO worker_session
    (id, name, host, version, simulator, sandbox, engines, slots, started_at, seen_at, token_id)
VALUES (
    $1::uuid, $2, $3, $4, $5, $6, $7::engine[], $8::integer, $9::timestamptz, $9::timestamptz,
    nullif($10::bigint, 0)
);

-- name: session_end
UPDATE worker_session
SET state = 'dead'
WHERE id IN (
    SELECT id
    FROM worker_session
    WHERE id = ANY($1::uuid[])
      AND state = 'alive'
    ORDER BY id
    FOR UPDATE
);

-- name: session_no_wait_for_disk
-- The commit of this transaction does not wait for the disk.
SELECT set_config('synchronous_commit', 'off', true);

-- name: session_beat
-- Records heartbeats. The rows are locked in order of id, because claims and heartbeats use
-- different connections, and there may be two servers. A session of a revoked token is not alive: a
-- claim may have waited since before.
WITH s AS (
    SELECT w.id
    FROM unnest($1::uuid[], $3::bigint[]) a(id, token)
    JOIN worker_session w ON w.id = a.id
        AND coalesce(w.token_id, 0) = a.token
        AND w.state = 'alive'
    WHERE a.token = 0
      OR EXISTS (SELECT FROM token t WHERE t.id = a.token)
    ORDER BY w.id
    FOR NO KEY UPDATE OF w
)
UPDATE worker_session
SET seen_at = $2::timestamptz
WHERE id IN (SELECT id FROM s)
RETURNING id, simulator, 'cycle' = ANY(engines), 'replay' = ANY(engines), slots,
    coalesce(token_id, 0);

-- name: session_still_leased
SELECT id, attempt
FROM job
WHERE id = ANY($1::uuid[])
  AND state::text = 'leased'
UNION ALL
SELECT id, attempt
FROM task
WHERE id = ANY($1::uuid[])
  AND state::text = 'leased';

-- name: claim_runs
-- Running runs with a job that can be leased. The subquery finds the first such job of each run by
-- an index. With EXISTS, the planner used a join that read all ready jobs of the farm.
SELECT r.id, f.team_id, r.engine, r.simulator, r.priority, r.jobs, t.share, r.plan_id, f.unit,
    r.inside_kernels, r.allow_foreign_isa
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
JOIN team t ON t.id = f.team_id
WHERE r.state = 'running'
  AND (
      SELECT j.seq
      FROM job j
      WHERE j.run_id = r.id
        AND j.state = 'ready'
        AND j.waits_on IS NULL
        AND j.ready_at <= $1::timestamptz
      ORDER BY j.seq
      LIMIT 1
  ) IS NOT NULL
ORDER BY r.id;

-- name: claim_loads
-- The number of leased jobs of each run, and the time since their leases began.
SELECT f.team_id, l.n, l.seconds
FROM (
    SELECT run_id, count(*) AS n,
        sum(extract(epoch FROM $1::timestamptz - leased_at))::float8 AS seconds
    FROM job
    WHERE state = 'leased'
    GROUP BY run_id
) l
JOIN run r ON r.id = l.run_id
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id;

-- name: claim_take
-- Leases jobs of a run to a session and returns their data in one statement. The caller knows what
-- all jobs of the run have in common ($5 is its plan), so only sample and design are looked up. The
-- plan is compared, because the run may have switched to a larger one.
WITH p AS (
    SELECT j.id, j.seq, j.attempt + 1 AS attempt, j.sample, j.design, j.trace_sha256, j.time_class,
        j.memory_class
    FROM job j
    WHERE j.run_id = $1::uuid
      AND j.state = 'ready'
      AND j.waits_on IS NULL
      AND j.seq > $2::integer
      AND j.ready_at <= $3::timestamptz
      AND EXISTS (
          SELECT 1
          FROM run r
          WHERE r.id = $1::uuid
            AND r.state = 'running'
            AND r.plan_id = $5::uuid
      )
      AND EXISTS (
          SELECT 1
          FROM worker_session w
          WHERE w.id = $6::uuid
            AND w.state = 'alive'
      )
    ORDER BY j.seq
    LIMIT $4::bigint
    FOR UPDATE OF j SKIP LOCKED
), taken AS (
    UPDATE job j
    SET state = 'leased', attempt = p.attempt, session_id = $6::uuid, leased_at = $3::timestamptz,
        deadline_at = $3::timestamptz + make_interval(secs => ($7::bigint << p.time_class))
    FROM p
    WHERE j.id = p.id
)
SELECT p.id, p.seq, p.attempt, s.invocation, p.trace_sha256,
    (SELECT b.bytes FROM blob b WHERE b.sha256 = p.trace_sha256), d.design_sha256, d.name, s.value,
    p.time_class, p.memory_class,
    (SELECT t.program_sha256 FROM trace t WHERE t.sha256 = p.trace_sha256),
    (
        SELECT b.bytes
        FROM trace t
        JOIN blob b ON b.sha256 = t.program_sha256
        WHERE t.sha256 = p.trace_sha256
    )
FROM p
JOIN run_design d ON d.run_id = $1::uuid
    AND d.number = p.design
JOIN sample s ON s.plan_id = $5::uuid
    AND s.number = p.sample;

-- name: worker_session_expire
UPDATE worker_session
SET state = 'dead'
WHERE state = 'alive'
  AND (seen_at < $1::timestamptz OR seen_at > $2::timestamptz);

-- name: claim_stale_dead
-- Jobs that are leased to dead sessions. OFFSET 0 makes the planner read the leased jobs first.
-- Otherwise, because of the limit, it would read all jobs in order of id.
SELECT id
FROM (
    SELECT j.id
    FROM job j
    JOIN worker_session w ON w.id = j.session_id
    WHERE j.state = 'leased'
      AND w.state = 'dead'
    OFFSET 0
) x
ORDER BY id
LIMIT 1000;

-- name: claim_unlisted
-- Jobs that are leased to these sessions but that the workers have not listed.
SELECT id
FROM (
    SELECT id
    FROM job
    WHERE session_id = ANY($1::uuid[])
      AND state = 'leased'
      AND leased_at < $3::timestamptz
      AND id NOT IN (SELECT unnest($2::uuid[]))
    OFFSET 0
) x
ORDER BY id
LIMIT 1000;

-- name: claim_stale_overdue
-- Leased jobs whose deadline has passed.
SELECT id
FROM (
    SELECT id
    FROM job
    WHERE state = 'leased'
      AND deadline_at < $1::timestamptz
    OFFSET 0
) x
ORDER BY id
LIMIT 1000;

-- name: farm_json
SELECT ROW(
    w.alive, w.busy, w.slots, ROW(q.blocked, q.ready, q.leased, q.total),
    (
        SELECT count(*)
        FROM attempt
        WHERE outcome = 'ok'
          AND ended_at > $1::timestamptz - interval '1 hour'
    ), $2::text, (
        SELECT ROW(kind, wanted, running, waiting, nullif(problem, ''), api_time(updated_at))
        FROM launcher
    )
)
FROM (
    SELECT count(*) AS alive, coalesce(sum(slots), 0) AS slots, count(*) FILTER
        (WHERE EXISTS (SELECT 1 FROM job j WHERE j.session_id = s.id AND j.state = 'leased')) AS
        busy
    FROM worker_session s
    WHERE state = 'alive'
) w, (
    SELECT s.*, s.blocked + s.ready + s.leased AS total
    FROM (
        SELECT {{jobs_by_state}}
        FROM job_tally t
        WHERE run_id IN (SELECT id FROM run WHERE state IN ('running', 'paused'))
    ) s
) q;
