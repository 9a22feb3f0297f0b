BEGIN; -- 0009_job.sql: the queue: worker sessions, jobs, attempts, and their archives. States and transitions: job_state.h.
SELECT schema_register('0009_job', requires => '0008_result');

CREATE TYPE session_state AS ENUM ('alive', 'dead');

CREATE TABLE worker_session (
    id          uuid PRIMARY KEY,
    name        text NOT NULL,
    host        text NOT NULL,
    version     text NOT NULL,
    simulator   text NOT NULL CHECK (simulator !~ '[\\|]'),
    sandbox     text NOT NULL,
    engines     engine[] NOT NULL,
    slots       integer NOT NULL CHECK (slots > 0),
    state       session_state NOT NULL DEFAULT 'alive',
    started_at  timestamptz NOT NULL,
    seen_at     timestamptz NOT NULL,
    replaced_by uuid,
    token_id    bigint
) WITH (fillfactor = 70);
CREATE INDEX worker_session_alive ON worker_session (id) WHERE state = 'alive';
COMMENT ON COLUMN worker_session.seen_at IS 'last heartbeat; an index on it would make heartbeats expensive';
COMMENT ON COLUMN worker_session.token_id IS 'its token, which may read the blobs of jobs that its sessions lease; NULL: a session of a person';

CREATE TYPE job_state AS ENUM ('blocked', 'ready', 'leased', 'done', 'failed', 'cancelled');

-- job has no foreign keys to run, worker_session and result, and attempt has none to job: for each job they would cost more
-- than its row. Results are never deleted, and a session's row outlives its leases. Triggers delete jobs with their run and
-- attempts with their job. A transaction that inserts jobs holds a lock on their run or has just created it.
CREATE TABLE job (
    id           uuid PRIMARY KEY,
    run_id       uuid NOT NULL,
    seq          integer NOT NULL,
    sample       integer NOT NULL,
    design       smallint NOT NULL,
    state        job_state NOT NULL DEFAULT 'blocked',
    attempt      integer NOT NULL DEFAULT 0,
    failures     smallint NOT NULL DEFAULT 0,
    troubles     smallint NOT NULL DEFAULT 0,
    losses       smallint NOT NULL DEFAULT 0,
    memory_class smallint NOT NULL DEFAULT 0,
    time_class   smallint NOT NULL DEFAULT 0,
    ready_at     timestamptz,
    session_id   uuid,
    leased_at    timestamptz,
    deadline_at  timestamptz,
    key          bytea,
    trace_sha256 text,
    waits_on     uuid,
    result_id    uuid,
    cached       boolean NOT NULL DEFAULT false,
    failure      text,
    failure_text text,
    finished_at  timestamptz,
    UNIQUE (run_id, seq),
    CONSTRAINT leased_jobs_have_a_lease CHECK ((state = 'leased') = (session_id IS NOT NULL)
        AND (state = 'leased') = (leased_at IS NOT NULL) AND (state = 'leased') = (deadline_at IS NOT NULL)),
    CONSTRAINT ready_jobs_know_when CHECK (state <> 'ready' OR ready_at IS NOT NULL),
    CONSTRAINT live_jobs_have_a_key CHECK (key IS NOT NULL OR state IN ('blocked', 'cancelled')),
    CONSTRAINT done_jobs_have_a_result CHECK ((state = 'done') = (result_id IS NOT NULL)),
    CONSTRAINT failed_jobs_say_why CHECK ((state = 'failed') = (failure IS NOT NULL)),
    CONSTRAINT only_ready_jobs_wait CHECK (waits_on IS NULL OR state = 'ready')
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX job_claimable ON job (run_id, seq) WHERE state = 'ready' AND waits_on IS NULL;
CREATE INDEX job_by_session ON job (session_id) WHERE state = 'leased';
CREATE INDEX job_waiting ON job (waits_on) WHERE waits_on IS NOT NULL;
CREATE UNIQUE INDEX job_one_live_a_key ON job (key) WHERE state IN ('ready', 'leased') AND waits_on IS NULL;
CREATE INDEX job_by_result ON job (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX job_failed_key ON job (key) WHERE state = 'failed';
-- Pages of a run's jobs in one state. Jobs that are ready are in job_claimable or in job_waiting_of_run. The few that are leased
-- are in job_by_session.
CREATE INDEX job_by_state ON job (run_id, state, seq) WHERE state IN ('blocked', 'done', 'failed', 'cancelled');
CREATE INDEX job_waiting_of_run ON job (run_id, seq) WHERE waits_on IS NOT NULL;
COMMENT ON COLUMN job.run_id IS 'a run, without a foreign key';
COMMENT ON COLUMN job.seq IS 'order in the run: the first sample of each stratum, then the second ones, designs of a sample together';
COMMENT ON COLUMN job.attempt IS 'leases given out so far; the fence: the current one''s number while leased';
COMMENT ON COLUMN job.failures IS 'attempts that crashed or hit a limit; budgets: job_state.c';
COMMENT ON COLUMN job.troubles IS 'attempts that could not start: blob unreachable, disk full';
COMMENT ON COLUMN job.losses IS 'attempts whose worker vanished';
COMMENT ON COLUMN job.memory_class IS 'the memory limit is the default times 2 to this power';
COMMENT ON COLUMN job.time_class IS 'the time limit is the default times 2 to this power';
COMMENT ON COLUMN job.session_id IS 'a worker_session, without a foreign key';
COMMENT ON COLUMN job.waits_on IS 'a live job with the same key: its result completes this one too';
COMMENT ON COLUMN job.result_id IS 'a result, without a foreign key';

-- The state machine of jobs: job_state.h.
CREATE FUNCTION job_may_become(job_state, job_state) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE $1 WHEN 'blocked' THEN $2 IN ('ready', 'done', 'cancelled')
                   WHEN 'ready' THEN $2 IN ('blocked', 'leased', 'done', 'failed', 'cancelled')
                   WHEN 'leased' THEN $2 IN ('blocked', 'ready', 'done', 'failed', 'cancelled')
                   WHEN 'done' THEN $2 IN ('blocked', 'failed', 'cancelled')
                   WHEN 'failed' THEN $2 IN ('blocked', 'done')
                   ELSE false END $$;
CREATE TRIGGER job_moves AFTER UPDATE OF state ON job FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT job_may_become(OLD.state, NEW.state)) EXECUTE FUNCTION state_move_refused();

CREATE FUNCTION job_follow_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM job WHERE run_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER job_follows_run AFTER DELETE ON run REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION job_follow_run();

CREATE TABLE attempt (
    job_id       uuid NOT NULL,
    number       integer NOT NULL,
    worker       text NOT NULL,
    session_id   uuid NOT NULL,
    started_at   timestamptz,
    ended_at     timestamptz NOT NULL,
    outcome      text NOT NULL,
    message      text NOT NULL,
    last_lines   text NOT NULL,
    host_seconds double precision,
    cpu_seconds  double precision,
    peak_bytes   bigint,
    PRIMARY KEY (job_id, number)
);
CREATE INDEX attempt_ended ON attempt (ended_at);
CREATE INDEX attempt_by_worker ON attempt (worker, job_id);
COMMENT ON TABLE attempt IS 'one row a lease, written when it ends; the running one is in job';

CREATE FUNCTION attempt_follow_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM attempt WHERE job_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER attempt_follows_job AFTER DELETE ON job REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION attempt_follow_job();

-- Same columns in the same order as job: statements read both with UNION ALL. Rows are never updated, so no vacuum is needed.
CREATE TABLE job_archive (LIKE job INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE job_archive ADD PRIMARY KEY (run_id, seq),
    ADD CONSTRAINT only_ended_jobs CHECK (state IN ('done', 'failed', 'cancelled')),
    ADD FOREIGN KEY (run_id) REFERENCES run ON DELETE CASCADE;
CREATE UNIQUE INDEX job_archive_id ON job_archive (id);
CREATE INDEX job_archive_by_result ON job_archive (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX job_archive_by_state ON job_archive (run_id, state, seq);
COMMENT ON TABLE job_archive IS 'jobs of runs that ended some time ago, so that the queue stays small';

CREATE TABLE attempt_archive (LIKE attempt INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE attempt_archive ADD PRIMARY KEY (job_id, number);
CREATE INDEX attempt_archive_ended ON attempt_archive (ended_at);
CREATE INDEX attempt_archive_by_worker ON attempt_archive (worker, job_id);

CREATE FUNCTION attempt_archive_follow_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM attempt_archive WHERE job_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER attempt_archive_follows_job AFTER DELETE ON job_archive REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION attempt_archive_follow_job();

-- Counting a million jobs takes a second, so their number by state is kept as they change.
CREATE TABLE job_tally (
    run_id    uuid NOT NULL,
    blocked   integer NOT NULL,
    ready     integer NOT NULL,
    leased    integer NOT NULL,
    done      integer NOT NULL,
    failed    integer NOT NULL,
    cancelled integer NOT NULL,
    folded    boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX job_tally_of_run ON job_tally (run_id);
COMMENT ON TABLE job_tally IS 'changes of statements: the sum of a run''s rows is its jobs by state, until the run is archived; rows are only added, so that no transaction waits; the sweeper merges them';
COMMENT ON COLUMN job_tally.folded IS 'the sum of other rows, which were deleted';

CREATE FUNCTION job_tally_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tally SELECT run_id, count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'ready'),
           count(*) FILTER (WHERE state = 'leased'), count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),
           count(*) FILTER (WHERE state = 'cancelled') FROM made GROUP BY run_id;
    RETURN NULL;
END $$;

CREATE FUNCTION job_tally_take() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tally SELECT run_id, -count(*) FILTER (WHERE state = 'blocked'), -count(*) FILTER (WHERE state = 'ready'),
           -count(*) FILTER (WHERE state = 'leased'), -count(*) FILTER (WHERE state = 'done'), -count(*) FILTER (WHERE state = 'failed'),
           -count(*) FILTER (WHERE state = 'cancelled') FROM gone GROUP BY run_id;
    RETURN NULL;
END $$;

CREATE FUNCTION job_tally_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tally SELECT * FROM (SELECT run_id, coalesce(sum(n) FILTER (WHERE state = 'blocked'), 0) AS blocked,
           coalesce(sum(n) FILTER (WHERE state = 'ready'), 0) AS ready, coalesce(sum(n) FILTER (WHERE state = 'leased'), 0) AS leased,
           coalesce(sum(n) FILTER (WHERE state = 'done'), 0) AS done, coalesce(sum(n) FILTER (WHERE state = 'failed'), 0) AS failed,
           coalesce(sum(n) FILTER (WHERE state = 'cancelled'), 0) AS cancelled
      FROM (SELECT run_id, state, 1 AS n FROM made UNION ALL SELECT run_id, state, -1 FROM gone) x GROUP BY run_id) t
     WHERE (blocked, ready, leased, done, failed, cancelled) <> (0, 0, 0, 0, 0, 0);
    RETURN NULL;
END $$;
CREATE TRIGGER job_tally_made AFTER INSERT ON job REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION job_tally_add();
CREATE TRIGGER job_tally_gone AFTER DELETE ON job REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION job_tally_take();
CREATE TRIGGER job_tally_moved AFTER UPDATE ON job REFERENCING OLD TABLE AS gone NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION job_tally_move();
CREATE TRIGGER job_tally_made AFTER INSERT ON job_archive REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION job_tally_add();
CREATE TRIGGER job_tally_gone AFTER DELETE ON job_archive REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION job_tally_take();

-- Runs whose jobs no connected worker can take.
CREATE VIEW run_stranded AS
    SELECT r.id, r.engine, r.simulator FROM run r WHERE r.state = 'running'
       AND EXISTS (SELECT FROM job j WHERE j.run_id = r.id AND j.state = 'ready' AND j.waits_on IS NULL)
       AND NOT EXISTS (SELECT FROM worker_session w WHERE w.state = 'alive' AND r.engine = ANY (w.engines)
                          AND (r.engine = 'replay' OR w.simulator = r.simulator));
COMMENT ON VIEW run_stranded IS 'results of versions never mix in a run: a job is given to workers of the simulator that its run was made for';
COMMIT;
