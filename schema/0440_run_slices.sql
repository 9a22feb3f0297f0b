BEGIN; -- 0440_run_slices.sql: jobs of large runs are created and cancelled some thousand at a time.
SELECT schema_register('0440_run_slices', requires => '0360_run_answer');
ALTER TABLE run ADD COLUMN unmade integer NOT NULL DEFAULT 0 CHECK (unmade >= 0), ADD COLUMN cancel_from integer,
    ADD CONSTRAINT runs_end_with_all_their_jobs CHECK (unmade = 0 OR state IN ('running', 'paused')),
    ADD CONSTRAINT only_cancelled_runs_cancel_jobs CHECK (cancel_from IS NULL OR state = 'cancelled');
CREATE INDEX run_unmade ON run (id) WHERE unmade > 0;
CREATE INDEX run_cancelling ON run (id) WHERE cancel_from IS NOT NULL;
COMMENT ON COLUMN run.unmade IS 'number of its jobs that are not created yet: counted as blocked';
COMMENT ON COLUMN run.cancel_from IS 'its jobs from this seq on are still to be cancelled; NULL: none is';

-- Of each job that is created, this foreign key cost as much as its row and indexes. A transaction that inserts jobs holds or has just made
-- their run; what it did when a run is deleted is done here.
ALTER TABLE job DROP CONSTRAINT job_run_id_fkey;
CREATE FUNCTION job_follow_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM job WHERE run_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER job_follows_run AFTER DELETE ON run REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION job_follow_run();
COMMENT ON COLUMN job.run_id IS 'a run; no foreign key, see 0440_run_slices.sql';
COMMIT;
