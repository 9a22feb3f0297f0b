-- shared fragment: jobs_of_all
-- For FROM clauses of queries that only read. PostgreSQL applies conditions on the columns to both
-- halves.
(SELECT * FROM job UNION ALL SELECT * FROM job_archive)

-- shared fragment: attempts_of_all
(SELECT * FROM attempt UNION ALL SELECT * FROM attempt_archive)

-- name: archive_next
-- The oldest ended runs that are not archived. Runs without a current projection are excluded,
-- because a projection reads the jobs. The rows stay locked until the slice is written, so that no
-- transaction can continue the runs.
SELECT id
FROM run
WHERE finished_at < $1::timestamptz
  AND finished_at IS NOT NULL
  AND archived_at IS NULL
  AND projected_version >= version
ORDER BY finished_at
LIMIT 50
FOR NO KEY UPDATE SKIP LOCKED;

-- name: archive_move
-- Moves jobs and their attempts to the archive. A job can still be live if its run was cancelled a
-- moment ago. Such a job and its run stay in the queue's tables.
WITH slice AS (
    SELECT id
    FROM job
    WHERE run_id = ANY($1::uuid[])
      AND state IN ('done', 'failed', 'cancelled')
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
), kept AS (
    INSERT INTO attempt_archive
    SELECT a.*
    FROM slice s
    JOIN attempt a ON a.job_id = s.id
    ON CONFLICT DO NOTHING
), gone AS (DELETE FROM job WHERE id IN (SELECT id FROM slice) RETURNING *)
INSERT INTO job_archive
SELECT *
FROM gone;

-- name: archive_close
-- Marks the runs without remaining jobs as archived, and stores their counts.
WITH empty AS (
    SELECT id
    FROM run
    WHERE id = ANY($1::uuid[])
      AND finished_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM job WHERE run_id = run.id)
    ORDER BY id
    FOR UPDATE
)
UPDATE run r
SET archived_at = $2::timestamptz, ended_counts = {{run_counts_json}}
FROM empty
WHERE r.id = empty.id;

-- name: archive_drop_next
SELECT id
FROM run
WHERE finished_at < $1::timestamptz
  AND archived_at IS NOT NULL
  AND dropped_at IS NULL
ORDER BY finished_at
LIMIT 50;

-- name: archive_drop_jobs
DELETE FROM job_archive
WHERE (run_id, seq) IN (
    SELECT run_id, seq
    FROM job_archive
    WHERE run_id = ANY($1::uuid[])
    LIMIT 1000
);

-- name: archive_drop_close
WITH empty AS (
    SELECT id
    FROM run
    WHERE id = ANY($1::uuid[])
      AND archived_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM job_archive WHERE run_id = run.id)
    ORDER BY id
    FOR UPDATE
)
UPDATE run r
SET dropped_at = $2::timestamptz
FROM empty
WHERE r.id = empty.id;

-- name: archive_drop_attempts
DELETE FROM attempt_archive
WHERE (job_id, number) IN (
    SELECT job_id, number
    FROM attempt_archive
    WHERE ended_at < $1::timestamptz
    ORDER BY ended_at
    LIMIT 1000
);

-- name: archive_return_hold
-- Locks the run. A slice that moves its jobs at the moment ends first, and the following statements
-- see its rows.
SELECT FROM run WHERE id = $1::uuid FOR NO KEY UPDATE;

-- name: archive_return_attempts
INSERT INTO attempt
SELECT a.*
FROM job_archive j
JOIN attempt_archive a ON a.job_id = j.id
WHERE j.run_id = $1::uuid
ON CONFLICT DO NOTHING;

-- name: archive_return_jobs
WITH back AS (DELETE FROM job_archive WHERE run_id = $1::uuid RETURNING *)
INSERT INTO job
SELECT *
FROM back;

-- name: archive_return_tally
-- Counts the run's jobs again, because some of them may have been deleted in the archive.
WITH old AS (DELETE FROM job_tally WHERE run_id = $1::uuid)
INSERT INTO job_tally
SELECT run_id, count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'ready'),
    count(*) FILTER (WHERE state = 'leased'), count(*) FILTER (WHERE state = 'done'),
    count(*) FILTER (WHERE state = 'failed'), count(*) FILTER (WHERE state = 'cancelled')
FROM job
WHERE run_id = $1::uuid
GROUP BY run_id;

-- name: archive_reopen
UPDATE run
SET archived_at = NULL, ended_counts = NULL
WHERE id = $1::uuid;
