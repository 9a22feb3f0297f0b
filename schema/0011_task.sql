BEGIN; -- 0011_task.sql: tasks: simulations beside the jobs of runs. Recordings, checks of the cache state, second simulations of results.
SELECT schema_register('0011_task', requires => '0010_projection');

CREATE TYPE task_state AS ENUM ('ready', 'leased', 'done', 'failed');

CREATE TYPE task_kind AS ENUM ('recording', 'cache_check', 'recheck'); -- in the order in which they are leased

CREATE TABLE task (
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    kind           task_kind NOT NULL,
    result_id      uuid REFERENCES result ON DELETE CASCADE,
    run_id         uuid REFERENCES run ON DELETE CASCADE,
    trace_sha256   text,
    design_sha256  text NOT NULL,
    simulator      text NOT NULL,
    inside_kernels double precision NOT NULL DEFAULT 0,
    expected_s     double precision NOT NULL DEFAULT 0,
    not_worker     text,
    state          task_state NOT NULL DEFAULT 'ready',
    attempt        integer NOT NULL DEFAULT 0,
    session_id     uuid REFERENCES worker_session ON DELETE SET NULL,
    made_at        timestamptz NOT NULL,
    deadline_at    timestamptz,
    finished_at    timestamptz,
    why            text,
    UNIQUE (result_id, kind),
    CONSTRAINT checks_are_of_runs CHECK ((kind = 'cache_check') = (run_id IS NOT NULL) AND (run_id IS NULL) = (result_id IS NOT NULL)),
    CONSTRAINT failed_tasks_say_why CHECK ((state = 'failed') = (why IS NOT NULL)),
    CONSTRAINT leased_tasks_have_a_deadline CHECK ((state = 'leased') = (deadline_at IS NOT NULL)),
    CONSTRAINT ended_tasks_know_when CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL)),
    CONSTRAINT live_tasks_have_a_trace CHECK (trace_sha256 IS NOT NULL OR state = 'failed')
);
CREATE INDEX task_open ON task (kind, made_at, id) WHERE state IN ('ready', 'leased');
CREATE INDEX task_by_run ON task (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX task_done ON task (trace_sha256) WHERE state = 'done' AND kind = 'cache_check';
COMMENT ON TABLE task IS 'simulations beside the jobs of runs: no run waits for one and no projection counts it';
COMMENT ON COLUMN task.result_id IS 'the result that is recorded or simulated again';
COMMENT ON COLUMN task.run_id IS 'the run whose launch is simulated once more behind the launches before it';
COMMENT ON COLUMN task.trace_sha256 IS 'NULL: it has no trace and has failed';
COMMENT ON COLUMN task.expected_s IS 'expected time, from that of its job; limits and the demand for workers follow from it';
COMMENT ON COLUMN task.not_worker IS 'the worker of this name may not take it';
COMMENT ON COLUMN task.attempt IS 'leases given out so far; the fence, as in job';

CREATE FUNCTION task_may_become(task_state, task_state) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE $1 WHEN 'ready' THEN $2 IN ('leased', 'failed')
                   WHEN 'leased' THEN $2 IN ('ready', 'done', 'failed')
                   WHEN 'failed' THEN $2 = 'ready'
                   ELSE false END $$;
CREATE TRIGGER task_moves AFTER UPDATE OF state ON task FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT task_may_become(OLD.state, NEW.state)) EXECUTE FUNCTION state_move_refused();

CREATE TABLE recording (
    task_id  uuid PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    asked_by text NOT NULL,
    bytes    bytea
);
ALTER TABLE recording ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON COLUMN recording.bytes IS 'docs/formats/recording.md; its columns are compressed already';

CREATE TABLE cache_check_request (
    run_id     uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    launches   smallint NOT NULL CHECK (launches BETWEEN 1 AND 100),
    asked_by   text NOT NULL,
    asked_at   timestamptz NOT NULL,
    chosen_at  timestamptz,
    why_not    text,
    looks_back integer NOT NULL DEFAULT 16 CHECK (looks_back > 0),
    still      smallint NOT NULL DEFAULT 0,
    is_default boolean NOT NULL DEFAULT false
);
CREATE INDEX cache_check_request_open ON cache_check_request (run_id) WHERE chosen_at IS NULL;
COMMENT ON TABLE cache_check_request IS 'requests to simulate some launches of a run again with warmed caches; they are chosen when the run is over';
COMMENT ON COLUMN cache_check_request.chosen_at IS 'for looks_back; NULL: its traces are not cut yet';
COMMENT ON COLUMN cache_check_request.why_not IS 'why nothing could be chosen';
COMMENT ON COLUMN cache_check_request.looks_back IS 'launches before each that are replayed now; doubles from 16 on';
COMMENT ON COLUMN cache_check_request.still IS 'doublings in a row that changed little';
COMMENT ON COLUMN cache_check_request.is_default IS 'requested by default; deleted if no launch began with empty caches';

CREATE TABLE cache_check (
    task_id       uuid PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    run_id        uuid NOT NULL,
    design        smallint NOT NULL,
    launch        bigint NOT NULL,
    looks_back    integer NOT NULL,
    stratum       integer NOT NULL,
    empty_cycles  double precision NOT NULL,
    warmed_cycles double precision,
    before        smallint NOT NULL,
    missing       smallint NOT NULL,
    UNIQUE (run_id, design, launch, looks_back)
);
COMMENT ON COLUMN cache_check.run_id IS 'that of its task';
COMMENT ON COLUMN cache_check.empty_cycles IS 'what the run''s own job took';
COMMENT ON COLUMN cache_check.before IS 'launches before it that are in its trace';
COMMENT ON COLUMN cache_check.missing IS 'launches before it that have no trace on the farm';

-- A check with the state of its task.
CREATE VIEW cache_check_task AS
    SELECT k.*, t.state, t.why, t.trace_sha256, t.design_sha256, t.simulator, t.attempt FROM cache_check k JOIN task t ON t.id = k.task_id;

CREATE TABLE cache_error (
    run_id     uuid NOT NULL,
    design     smallint NOT NULL,
    launches   integer NOT NULL,
    missing    integer NOT NULL,
    share      double precision NOT NULL,
    relative   double precision NOT NULL,
    version    bigint NOT NULL,
    counted_at timestamptz NOT NULL,
    looks_back integer NOT NULL DEFAULT 16,
    wanted     integer NOT NULL DEFAULT 0,
    whole      boolean NOT NULL DEFAULT false,
    settled    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (run_id, design),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE cache_error IS 'error of empty caches, from the finished checks of a design (sampling/cache_error.h)';
COMMENT ON COLUMN cache_error.version IS 'of the projection whose strata it weighs by';
COMMENT ON COLUMN cache_error.wanted IS 'launches within looks_back of all that were simulated both ways; `missing` of them have no trace';
COMMENT ON COLUMN cache_error.whole IS 'no launch has more before it';
COMMENT ON COLUMN cache_error.settled IS 'looking back farther changes nothing';

CREATE TABLE recheck (
    task_id uuid PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    second  text,
    agrees  boolean,
    acted   boolean NOT NULL DEFAULT false,
    CONSTRAINT compared_by_somebody CHECK ((agrees IS NULL) = (second IS NULL))
);
CREATE INDEX recheck_differs ON recheck (task_id) WHERE NOT agrees AND NOT acted;
COMMENT ON COLUMN recheck.second IS 'the worker that simulated it again';
COMMENT ON COLUMN recheck.agrees IS 'both had the same bytes';
COMMENT ON COLUMN recheck.acted IS 'the result was quarantined after a difference';
COMMIT;
