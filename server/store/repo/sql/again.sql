-- shared fragment: results_forgotten(runs)
-- Members of a WITH clause. They delete everything computed or measured from the results of these
-- runs. runs: an array of ids.
answers AS (DELETE FROM run_answer WHERE run_id = ANY({{runs}})),
totals AS (DELETE FROM projection WHERE run_id = ANY({{runs}})),
points AS (DELETE FROM projection_point WHERE run_id = ANY({{runs}})),
differences AS (DELETE FROM comparison WHERE run_id = ANY({{runs}})),
checks AS (DELETE FROM task WHERE run_id = ANY({{runs}})),
errors AS (DELETE FROM cache_error WHERE run_id = ANY({{runs}})),
pending AS (UPDATE cache_check_request SET {{cache_request_anew}} WHERE run_id = ANY({{runs}}))

-- shared fragment: job_lets_go
-- Part of UPDATE job SET state = …, finished_at = …: clears lease and result, and resets the
-- attempt budgets.
session_id = NULL, leased_at = NULL, deadline_at = NULL, waits_on = NULL, result_id = NULL,
cached = false, failures = 0, troubles = 0, losses = 0

-- shared fragment: job_anew
{{job_lets_go}}, failure = NULL, failure_text = NULL

-- name: again_run
SELECT r.state, r.simulator, r.engine = 'cycle', EXISTS (SELECT FROM look WHERE run_id = r.id)
  OR coalesce((SELECT settled FROM run_rule WHERE run_id = r.id), false)
FROM run r
WHERE r.id = $1::uuid
FOR NO KEY UPDATE OF r;

-- name: again_long_work
SELECT set_config('statement_timeout', '120s', true);

-- name: again_results
SELECT count(*)
FROM job
WHERE run_id = $1::uuid
  AND result_id IS NOT NULL;

-- name: again_restart_jobs
-- Blocks all jobs of the run and assigns the keys of the new simulator version to them.
UPDATE job j
SET state = 'blocked', finished_at = NULL, {{job_anew}}, key =
    CASE
        WHEN j.trace_sha256 IS NOT NULL THEN result_key_cycle(
            j.trace_sha256, d.design_sha256, $2, r.inside_kernels, r.allow_foreign_isa
        )
    END
FROM run_design d, run r
WHERE j.run_id = $1::uuid
  AND r.id = j.run_id
  AND d.run_id = j.run_id
  AND d.number = j.design
  AND j.state <> 'cancelled';

-- name: again_restart_run
-- Assigns the new simulator version to the run and restarts it.
WITH dropped AS (DELETE FROM skipped_sample WHERE run_id = $1::uuid AND NOT replaced),
    {{results_forgotten(ARRAY[$1::uuid])}}
UPDATE run
SET simulator = $2, version = version + 1, cached = 0, done = 0, eta_s = NULL, eta_error_s = NULL,
    half_notified = false, promise_notified = false, strata_notified = 0
WHERE id = $1::uuid;
