-- name: scale_demand
-- The ready jobs of the farm, the expected time of their simulation, and the busy workers.
SELECT coalesce(sum(d.ready_jobs), 0), coalesce(sum(d.expected_s), 0),
    (SELECT workers FROM scale_busy)
FROM scale_demand d;

-- name: scale_report
INSERT INTO launcher (name, kind, wanted, running, waiting, problem, updated_at)
VALUES ('farm', $1, $2::integer, $3::integer, $4::integer, $5, $6::timestamptz)
ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, wanted = excluded.wanted,
    running = excluded.running, waiting = excluded.waiting, problem = excluded.problem,
    updated_at = excluded.updated_at;

-- name: scale_forget
DELETE FROM launcher;
