BEGIN; -- 0481_jobs_by_state.sql: pages of a run's jobs in one state, however many jobs in others it has.
SELECT schema_register('0481_jobs_by_state', requires => '0480_job_tally');
-- Jobs that are ready are in job_claimable, or wait; those that are leased, at most as many as slots, are in job_by_session.
CREATE INDEX job_by_state ON job (run_id, state, seq) WHERE state IN ('blocked', 'done', 'failed', 'cancelled');
CREATE INDEX job_waiting_of_run ON job (run_id, seq) WHERE waits_on IS NOT NULL;
CREATE INDEX job_archive_by_state ON job_archive (run_id, state, seq);
COMMIT;
