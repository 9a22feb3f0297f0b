BEGIN; -- 0270_caches.sql: what it costs a run that each of its launches is simulated with empty caches (model error).
SELECT schema_register('0270_caches', requires => '0250_recording_scale');

CREATE TABLE cache_wish (
    run_id    uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    launches  smallint NOT NULL CHECK (launches BETWEEN 1 AND 100),
    asked_by  text NOT NULL,
    asked_at  timestamptz NOT NULL,
    chosen_at timestamptz,
    why_not   text
);
CREATE INDEX cache_wish_open ON cache_wish (run_id) WHERE chosen_at IS NULL;
COMMENT ON TABLE cache_wish IS 'so many launches of a run are to be simulated once more, with warmed caches; chosen when the run is over';
COMMENT ON COLUMN cache_wish.why_not IS 'why nothing could be chosen';

CREATE TABLE cache_check (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    run_id        uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    design        smallint NOT NULL,
    invocation    bigint NOT NULL,
    stratum       integer NOT NULL,
    empty_cycles  double precision NOT NULL,
    warmed_cycles double precision,
    trace_sha256  text,
    design_sha256 text NOT NULL,
    simulator     text NOT NULL,
    before        smallint NOT NULL,
    missing       smallint NOT NULL,
    host_seconds  double precision,
    state         recording_state NOT NULL DEFAULT 'ready',
    attempt       integer NOT NULL DEFAULT 0,
    session_id    uuid REFERENCES worker_session ON DELETE SET NULL,
    deadline_at   timestamptz,
    made_at       timestamptz NOT NULL,
    finished_at   timestamptz,
    why           text,
    UNIQUE (run_id, design, invocation),
    CONSTRAINT done_checks_have_cycles CHECK ((state = 'done') = (warmed_cycles IS NOT NULL)),
    CONSTRAINT failed_checks_say_why CHECK ((state = 'failed') = (why IS NOT NULL)),
    CONSTRAINT leased_checks_have_a_deadline CHECK ((state = 'leased') = (deadline_at IS NOT NULL)),
    CONSTRAINT live_checks_have_a_trace CHECK (trace_sha256 IS NOT NULL OR state = 'failed')
);
CREATE INDEX cache_check_open ON cache_check (made_at) WHERE state IN ('ready', 'leased');
CREATE INDEX cache_check_done ON cache_check (trace_sha256) WHERE state = 'done';
COMMENT ON TABLE cache_check IS 'a launch of a run simulated once more, after the launches before it; no job: no run waits for it and no projection counts it';
COMMENT ON COLUMN cache_check.empty_cycles IS 'what the run''s own job took';
COMMENT ON COLUMN cache_check.trace_sha256 IS 'a .vtrace of the launches before it and, last, itself; kept until the check is over';
COMMENT ON COLUMN cache_check.before IS 'launches before it that are in that file';
COMMENT ON COLUMN cache_check.missing IS 'launches that should have been, and are not on the farm';
COMMENT ON COLUMN cache_check.host_seconds IS 'of the run''s own job: what this one may take follows from it';
COMMENT ON COLUMN cache_check.attempt IS 'leases given out so far; the fence, as in job';

CREATE TABLE cache_error (
    run_id     uuid NOT NULL,
    design     smallint NOT NULL,
    launches   integer NOT NULL,
    missing    integer NOT NULL,
    share      double precision NOT NULL,
    relative   double precision NOT NULL,
    version    bigint NOT NULL,
    counted_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, design),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE cache_error IS 'what the finished checks of a design come to (sampling/cache_error.h)';
COMMENT ON COLUMN cache_error.version IS 'of the projection whose strata it weighs by';

-- Checks want workers, too. With its replays one takes perhaps four times what the launch took.
CREATE OR REPLACE VIEW scale_demand AS
    SELECT class, ready_jobs, expected_s FROM scale_jobs
     UNION ALL
    SELECT 'recording', count(*), coalesce(sum(s), 0)::float8
      FROM (SELECT 2 * q.host_seconds AS s FROM recording c JOIN result q ON q.id = c.result_id WHERE c.state = 'ready'
             UNION ALL
            SELECT 4 * k.host_seconds FROM cache_check k WHERE k.state = 'ready') waiting HAVING count(*) > 0;
CREATE OR REPLACE VIEW scale_busy AS
    SELECT count(DISTINCT session_id) AS workers
      FROM (SELECT session_id FROM job WHERE state = 'leased'
             UNION ALL
            SELECT session_id FROM recording WHERE state = 'leased'
             UNION ALL
            SELECT session_id FROM cache_check WHERE state = 'leased') held;
COMMIT;
