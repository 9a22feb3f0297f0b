-- fragment: lost
-- True if the lease of task t has ended without a report: the session is dead or the deadline has
-- passed. $1: now.
(
    t.state = 'leased'
      AND (
          t.deadline_at < $1::timestamptz
            OR NOT EXISTS (
                SELECT FROM worker_session w
                WHERE w.id = t.session_id
                  AND w.state = 'alive'
            )
      )
)

-- fragment: open
t.state IN ('ready', 'leased')

-- shared fragment: task_attempts_max
3

-- shared fragment: task_end
-- A member of a WITH clause: the task ends or becomes ready again. It returns a row if the lease
-- existed.
ended AS (
    UPDATE task
    SET session_id = NULL, deadline_at = NULL, state = (
        CASE
            WHEN $3::boolean THEN 'done'
            WHEN $5::boolean AND attempt < {{task_attempts_max}} THEN 'ready'
            ELSE 'failed'
        END
    )::task_state, why = CASE
        WHEN NOT $3::boolean
          AND NOT ($5::boolean AND attempt < {{task_attempts_max}}) THEN $4::text
    END, finished_at = CASE
        WHEN $3::boolean
          OR NOT ($5::boolean AND attempt < {{task_attempts_max}}) THEN $6::timestamptz
    END
    WHERE id = $1::uuid
      AND attempt = $2::integer
      AND state = 'leased'
    RETURNING id
)

-- name: task_waiting
-- Returns a row if a task is open and a connected worker may be able to run it.
SELECT 1
FROM task t
WHERE {{open}}
  AND (
      t.not_worker IS NULL
        OR EXISTS (
            SELECT FROM worker_session w
            WHERE w.state = 'alive'
              AND w.name <> t.not_worker
              AND w.simulator = t.simulator
              AND 'cycle' = ANY(w.engines)
        )
  )
LIMIT 1;

-- name: task_take
-- Leases a task. The time limit is four times the expected time, because another worker may be
-- slower and replayed launches may be longer.
WITH p AS (
    SELECT t.*, greatest($4::bigint, 60 + ceil(4 * t.expected_s)::bigint) AS time_s
    FROM task t
    WHERE {{open}}
      AND t.simulator = $3
      AND t.attempt < {{task_attempts_max}}
      AND (t.state = 'ready' OR {{lost}})
      AND (
          t.not_worker IS NULL
            OR t.not_worker <> (SELECT name FROM worker_session WHERE id = $2::uuid)
      )
    ORDER BY t.kind, t.made_at, t.id
    LIMIT 1
    FOR UPDATE OF t SKIP LOCKED
), taken AS (
    UPDATE task
    SET state = 'leased', attempt = p.attempt + 1, session_id = $2::uuid,
        deadline_at = $1::timestamptz + make_interval(secs => p.time_s)
    FROM p
    WHERE task.id = p.id
)
SELECT p.id, p.attempt + 1, p.trace_sha256, b.bytes, p.design_sha256, d.name, x.program_sha256,
    q.bytes, p.time_s, p.inside_kernels, p.kind
FROM p
LEFT JOIN blob b ON b.sha256 = p.trace_sha256
LEFT JOIN design d ON d.sha256 = p.design_sha256
LEFT JOIN trace x ON x.sha256 = p.trace_sha256
    AND p.kind <> 'cache_check'
LEFT JOIN blob q ON q.sha256 = x.program_sha256;

-- name: task_give_up
-- Fails tasks that have no attempts left, or whose simulator version no connected worker has.
WITH over AS (
    UPDATE task t
    SET state = 'failed', session_id = NULL, deadline_at = NULL, finished_at = $1::timestamptz,
        why = CASE
            WHEN t.simulator <> $3::text THEN $4::text
            ELSE 'three workers took it, and none reported how it ended'
        END
    WHERE {{open}}
      AND t.kind = $2::task_kind
      AND (
          (
              t.simulator <> $3::text
                AND (t.state = 'ready' OR {{lost}})
                AND NOT EXISTS (
                    SELECT FROM worker_session v
                    WHERE v.state = 'alive'
                      AND v.simulator = t.simulator
                )
          )
            OR (t.attempt >= {{task_attempts_max}} AND {{lost}})
      )
    RETURNING t.run_id
)
SELECT DISTINCT run_id FROM over;
