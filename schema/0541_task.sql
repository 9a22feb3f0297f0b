BEGIN; -- 0541_task.sql: recordings, checks of the caches and second simulations of results are one queue: tasks.
SELECT schema_register('0541_task', requires => '0540_state_moves');
ALTER TYPE recording_state RENAME TO task_state;
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
COMMENT ON COLUMN task.trace_sha256 IS 'NULL: there is none, so the task has failed';
COMMENT ON COLUMN task.expected_s IS 'how long it will probably take, by what its job took; limits and the demand for workers follow from it';
COMMENT ON COLUMN task.not_worker IS 'the worker of this name may not take it';
COMMENT ON COLUMN task.attempt IS 'leases given out so far; the fence, as in job';

-- An id that a worker holds stays valid: that of a recording was its result's.
INSERT INTO task (id, kind, result_id, trace_sha256, design_sha256, simulator, expected_s, state, attempt, session_id, made_at, deadline_at, finished_at, why)
SELECT c.result_id, 'recording', c.result_id, r.trace_sha256, r.design_sha256, r.simulator, least(2 * coalesce(r.host_seconds, 0), 1e8),
       c.state, c.attempt, c.session_id, c.asked_at, c.deadline_at,
       CASE WHEN c.state IN ('done', 'failed') THEN coalesce(c.finished_at, c.asked_at) END, c.why
  FROM recording c JOIN result r ON r.id = c.result_id;
INSERT INTO task (id, kind, run_id, trace_sha256, design_sha256, simulator, expected_s, state, attempt, session_id, made_at, deadline_at, finished_at, why)
SELECT id, 'cache_check', run_id, trace_sha256, design_sha256, simulator, least((before + 1) * coalesce(host_seconds, 0), 1e8),
       state, attempt, session_id, made_at, deadline_at, CASE WHEN state IN ('done', 'failed') THEN coalesce(finished_at, made_at) END, why
  FROM cache_check;
INSERT INTO task (id, kind, result_id, trace_sha256, design_sha256, simulator, inside_kernels, expected_s, not_worker, state, attempt, session_id,
                  made_at, deadline_at, finished_at, why)
SELECT c.id, 'recheck', c.result_id, r.trace_sha256, r.design_sha256, r.simulator, r.inside_kernels, least(coalesce(r.host_seconds, 0), 1e8), c.worker,
       c.state, c.attempt, c.session_id, c.made_at, c.deadline_at,
       CASE WHEN c.state IN ('done', 'failed') THEN coalesce(c.finished_at, c.made_at) END, c.why
  FROM result_recheck c JOIN result r ON r.id = c.result_id;

CREATE TABLE new_recording (
    task_id  uuid PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    asked_by text NOT NULL,
    bytes    bytea
);
ALTER TABLE new_recording ALTER COLUMN bytes SET STORAGE EXTERNAL;
INSERT INTO new_recording SELECT result_id, asked_by, bytes FROM recording;
CREATE TABLE new_check (
    task_id       uuid PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    run_id        uuid NOT NULL,
    design        smallint NOT NULL,
    launch        bigint NOT NULL,
    looks_back    integer NOT NULL,
    stratum       integer NOT NULL,
    empty_cycles  double precision NOT NULL,
    warmed_cycles double precision,
    before        smallint NOT NULL,
    missing       smallint NOT NULL
);
INSERT INTO new_check SELECT id, run_id, design, invocation, looks_back, stratum, empty_cycles, warmed_cycles, before, missing FROM cache_check;
CREATE TABLE new_recheck (
    task_id uuid PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    second  text,
    agrees  boolean,
    acted   boolean NOT NULL DEFAULT false,
    CONSTRAINT compared_by_somebody CHECK ((agrees IS NULL) = (second IS NULL))
);
INSERT INTO new_recheck SELECT id, second, agrees, acted FROM result_recheck;

DROP VIEW scale_demand, scale_busy;
DROP TABLE recording, cache_check, result_recheck;
ALTER TABLE new_recording RENAME TO recording;
ALTER TABLE new_check RENAME TO cache_check;
ALTER TABLE new_recheck RENAME TO recheck;
ALTER TABLE cache_check ADD UNIQUE (run_id, design, launch, looks_back);
CREATE INDEX recheck_differs ON recheck (task_id) WHERE NOT agrees AND NOT acted;
COMMENT ON COLUMN recording.bytes IS 'docs/formats/recording.md; its columns are compressed already';
COMMENT ON COLUMN cache_check.run_id IS 'its task''s';
COMMENT ON COLUMN cache_check.empty_cycles IS 'what the run''s own job took';
COMMENT ON COLUMN cache_check.before IS 'launches before it that are in its trace';
COMMENT ON COLUMN cache_check.missing IS 'launches that should have been, and are not on the farm';
COMMENT ON COLUMN recheck.second IS 'the worker that simulated it again';
COMMENT ON COLUMN recheck.agrees IS 'both had the same bytes';
COMMENT ON COLUMN recheck.acted IS 'what follows of a difference was done';

-- A check with the state of its task.
CREATE VIEW cache_check_task AS
    SELECT k.*, t.state, t.why, t.trace_sha256, t.design_sha256, t.simulator, t.attempt FROM cache_check k JOIN task t ON t.id = k.task_id;
CREATE VIEW scale_demand AS
    SELECT class, ready_jobs, expected_s FROM scale_jobs
     UNION ALL
    SELECT 'recording', count(*), sum(expected_s) FROM task WHERE state = 'ready' HAVING count(*) > 0;
CREATE VIEW scale_busy AS
    SELECT count(DISTINCT session_id) AS workers
      FROM (SELECT session_id FROM job WHERE state = 'leased' UNION ALL SELECT session_id FROM task WHERE state = 'leased') held;

CREATE FUNCTION task_may_become(task_state, task_state) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE $1 WHEN 'ready' THEN $2 IN ('leased', 'failed')
                   WHEN 'leased' THEN $2 IN ('ready', 'done', 'failed')
                   WHEN 'failed' THEN $2 = 'ready'
                   ELSE false END $$;
CREATE TRIGGER task_moves AFTER UPDATE OF state ON task FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT task_may_become(OLD.state, NEW.state)) EXECUTE FUNCTION state_move_refused();
COMMIT;
