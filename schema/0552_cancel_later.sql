BEGIN; -- 0552_cancel_later.sql: cancellations of runs that take effect later and can be taken back until then.
SELECT schema_register('0552_cancel_later', requires => '0551_discard_answer');

ALTER TABLE run ADD COLUMN cancel_at timestamptz, ADD COLUMN cancel_by text, ADD COLUMN cancel_resumes boolean;
ALTER TABLE run ADD CONSTRAINT cancellations_wait_in_paused_runs CHECK (cancel_at IS NULL OR state = 'paused');
ALTER TABLE run ADD CONSTRAINT cancellations_are_whole CHECK (num_nulls(cancel_at, cancel_by, cancel_resumes) IN (0, 3));
CREATE INDEX run_to_cancel ON run (cancel_at, id) WHERE cancel_at IS NOT NULL;
COMMENT ON COLUMN run.cancel_at IS 'the run is cancelled at this time; NULL: it is not';
COMMENT ON COLUMN run.cancel_by IS 'who asked for that';
COMMENT ON COLUMN run.cancel_resumes IS 'the run was running when it was asked for: taking it back resumes the run';
COMMIT;
