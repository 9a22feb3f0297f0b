BEGIN; -- 0111_queue.sql: a queue that stays small and quick: jobs of finished runs move to archives; shares of teams.
SELECT schema_register('0111_queue', requires => '0109_program');

-- Of each job that is leased or done, foreign keys cost more than its row. What they guard is never deleted while a job
-- refers to it: results are kept for ever, and a session's row outlives its leases.
ALTER TABLE job DROP CONSTRAINT job_session_id_fkey, DROP CONSTRAINT job_result_id_fkey;
ALTER TABLE attempt DROP CONSTRAINT attempt_job_id_fkey;
CREATE FUNCTION attempt_follow_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM attempt WHERE job_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER attempt_follows_job AFTER DELETE ON job REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION attempt_follow_job();
CREATE INDEX job_by_result ON job (result_id) WHERE result_id IS NOT NULL;
COMMENT ON COLUMN job.session_id IS 'a worker_session; no foreign key, see 0111_queue.sql';
COMMENT ON COLUMN job.result_id IS 'a result; no foreign key, see 0111_queue.sql';

-- Same columns, same order: a reader takes both by UNION ALL. No vacuum is needed where nothing is updated.
CREATE TABLE job_archive (LIKE job INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE job_archive ADD PRIMARY KEY (run_id, seq), ADD CONSTRAINT only_ended_jobs CHECK (state IN ('done', 'failed', 'cancelled')),
    ADD FOREIGN KEY (run_id) REFERENCES run ON DELETE CASCADE;
CREATE UNIQUE INDEX job_archive_id ON job_archive (id);
CREATE INDEX job_archive_by_result ON job_archive (result_id) WHERE result_id IS NOT NULL;
COMMENT ON TABLE job_archive IS 'jobs of runs that ended some time ago, so that the queue stays small';
CREATE TABLE attempt_archive (LIKE attempt INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE attempt_archive ADD PRIMARY KEY (job_id, number);
CREATE INDEX attempt_archive_ended ON attempt_archive (ended_at);
CREATE FUNCTION attempt_archive_follow_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM attempt_archive WHERE job_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER attempt_archive_follows_job AFTER DELETE ON job_archive REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION attempt_archive_follow_job();

ALTER TABLE run ADD COLUMN archived_at timestamptz, ADD COLUMN dropped_at timestamptz, ADD COLUMN ended_counts json;
CREATE INDEX run_to_archive ON run (finished_at) WHERE finished_at IS NOT NULL AND archived_at IS NULL;
CREATE INDEX run_to_drop ON run (finished_at) WHERE archived_at IS NOT NULL AND dropped_at IS NULL;
COMMENT ON COLUMN run.archived_at IS 'all its jobs are in job_archive';
COMMENT ON COLUMN run.dropped_at IS 'they were deleted there, as the settings want it; projections and results stay';
COMMENT ON COLUMN run.ended_counts IS 'jobs by state as they were when the run was archived';

ALTER TABLE team ADD COLUMN share double precision NOT NULL DEFAULT 1 CHECK (share > 0 AND share <= 1000);
COMMENT ON COLUMN team.share IS 'of the workers, against the other teams that have something to simulate';

-- A restarted worker names the session that it had before; its jobs return at once.
ALTER TABLE worker_session ADD COLUMN replaced_by uuid;
COMMIT;
