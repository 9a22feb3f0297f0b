-- shared fragment: tally(state)
-- Sum over rows t of one run or of several. Does not include the jobs of a large run that are not
-- created yet.
coalesce(sum(t.{{state}}), 0)::bigint

-- shared fragment: jobs_by_state
{{tally(blocked)}} AS blocked, {{tally(ready)}} AS ready, {{tally(leased)}} AS leased,
{{tally(done)}} AS done, {{tally(failed)}} AS failed, {{tally(cancelled)}} AS cancelled

-- shared fragment: run_counts_json
-- The jobs of run `r` by state, as JSON. Jobs that are not created yet count as blocked.
coalesce(
    r.ended_counts, (
        SELECT json_build_object(
            'blocked', r.unmade + s.blocked, 'ready', s.ready, 'leased', s.leased, 'done', s.done,
            'failed', s.failed, 'cancelled', s.cancelled
        )
        FROM (SELECT {{jobs_by_state}} FROM job_tally t WHERE t.run_id = r.id) s
    )
)

-- shared fragment: run_counts_row
-- The jobs of run `r` by state, as in run_counts_json.
(
    SELECT ROW(
        coalesce((r.ended_counts->>'blocked')::bigint, r.unmade + s.blocked),
        coalesce((r.ended_counts->>'ready')::bigint, s.ready),
        coalesce((r.ended_counts->>'leased')::bigint, s.leased),
        coalesce((r.ended_counts->>'done')::bigint, s.done),
        coalesce((r.ended_counts->>'failed')::bigint, s.failed),
        coalesce((r.ended_counts->>'cancelled')::bigint, s.cancelled)
    )
    FROM (SELECT {{jobs_by_state}} FROM job_tally t WHERE t.run_id = r.id) s
)

-- name: tally_fold
-- Merges the rows of each run into one. Deletes the rows of archived and deleted runs.
WITH gone AS (
    DELETE FROM job_tally
    WHERE run_id IN (SELECT run_id FROM job_tally WHERE NOT folded)
    RETURNING *
), s AS (SELECT t.run_id, {{jobs_by_state}} FROM gone t GROUP BY t.run_id)
INSERT INTO job_tally
SELECT s.*, true
FROM s
JOIN run r ON r.id = s.run_id
WHERE r.archived_at IS NULL
  AND (s.blocked, s.ready, s.leased, s.done, s.failed, s.cancelled) <> (0, 0, 0, 0, 0, 0);
