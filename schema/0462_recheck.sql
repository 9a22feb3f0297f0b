BEGIN; -- 0462_recheck.sql: some results are simulated by a second worker too; where two differ, nobody uses either until somebody decides.
SELECT schema_register('0462_recheck', requires => '0461_discard');
CREATE TABLE result_recheck (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    result_id   uuid NOT NULL UNIQUE REFERENCES result ON DELETE CASCADE,
    worker      text NOT NULL,
    state       recording_state NOT NULL DEFAULT 'ready',
    attempt     integer NOT NULL DEFAULT 0,
    session_id  uuid REFERENCES worker_session ON DELETE SET NULL,
    deadline_at timestamptz,
    made_at     timestamptz NOT NULL,
    finished_at timestamptz,
    second      text,
    agrees      boolean,
    acted       boolean NOT NULL DEFAULT false,
    why         text,
    CONSTRAINT done_rechecks_compared CHECK ((state = 'done') = (agrees IS NOT NULL) AND (state = 'done') = (second IS NOT NULL)),
    CONSTRAINT failed_rechecks_say_why CHECK ((state = 'failed') = (why IS NOT NULL)),
    CONSTRAINT leased_rechecks_have_a_deadline CHECK ((state = 'leased') = (deadline_at IS NOT NULL))
);
CREATE INDEX result_recheck_open ON result_recheck (made_at) WHERE state IN ('ready', 'leased');
CREATE INDEX result_recheck_differs ON result_recheck (id) WHERE NOT agrees AND NOT acted;
COMMENT ON COLUMN result_recheck.worker IS 'that simulated it first: another one does it again';
COMMENT ON COLUMN result_recheck.second IS 'the worker that simulated it again';
COMMENT ON COLUMN result_recheck.agrees IS 'both had the same bytes';
COMMENT ON COLUMN result_recheck.acted IS 'what follows of a difference was done';

ALTER TABLE result ADD COLUMN quarantined boolean NOT NULL DEFAULT false, ADD CONSTRAINT quarantined_results_do_not_count CHECK (NOT quarantined OR discard_id IS NOT NULL);
CREATE INDEX result_quarantined ON result (id) WHERE quarantined;
COMMENT ON COLUMN result.quarantined IS 'two workers differ: its jobs have failed until a site admin discards it';

-- They want workers, too.
CREATE OR REPLACE VIEW scale_demand AS
    SELECT class, ready_jobs, expected_s FROM scale_jobs
     UNION ALL
    SELECT 'recording', count(*), coalesce(sum(s), 0)::float8
      FROM (SELECT 2 * q.host_seconds AS s FROM recording c JOIN result q ON q.id = c.result_id WHERE c.state = 'ready'
             UNION ALL
            SELECT 4 * k.host_seconds FROM cache_check k WHERE k.state = 'ready'
             UNION ALL
            SELECT q.host_seconds FROM result_recheck c JOIN result q ON q.id = c.result_id WHERE c.state = 'ready') waiting HAVING count(*) > 0;
CREATE OR REPLACE VIEW scale_busy AS
    SELECT count(DISTINCT session_id) AS workers
      FROM (SELECT session_id FROM job WHERE state = 'leased'
             UNION ALL
            SELECT session_id FROM recording WHERE state = 'leased'
             UNION ALL
            SELECT session_id FROM cache_check WHERE state = 'leased'
             UNION ALL
            SELECT session_id FROM result_recheck WHERE state = 'leased') held;
COMMIT;
