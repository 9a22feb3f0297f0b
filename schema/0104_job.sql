BEGIN; -- 0104_job.sql: the queue. Every state and move: server/queue/job_state.h.
SELECT schema_register('0104_job', requires => '0103_run');
CREATE TYPE session_state AS ENUM ('alive', 'dead');
CREATE TABLE worker_session (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    host       text NOT NULL,
    version    text NOT NULL,
    simulator  text NOT NULL CHECK (simulator !~ '[\\|]'),
    sandbox    text NOT NULL,
    engines    engine[] NOT NULL,
    slots      integer NOT NULL CHECK (slots > 0),
    state      session_state NOT NULL DEFAULT 'alive',
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX worker_session_alive ON worker_session (id) WHERE state = 'alive';
COMMENT ON COLUMN worker_session.seen_at IS 'last sign of life; no index may name it, beats would stop being cheap';

CREATE TABLE result (
    id                uuid PRIMARY KEY,
    key               bytea NOT NULL UNIQUE CHECK (octet_length(key) = 32),
    engine            engine NOT NULL,
    trace_sha256      text,
    design_sha256     text,
    simulator         text NOT NULL,
    value             double precision NOT NULL,
    unit              text NOT NULL,
    digest            text NOT NULL,
    disputed          boolean NOT NULL DEFAULT false,
    cycles            bigint,
    launch_cycles     bigint,
    warp_instructions bigint,
    clock_hz          double precision,
    host_seconds      double precision,
    body              text NOT NULL,
    created_at        timestamptz NOT NULL
);
COMMENT ON COLUMN result.key IS 'SHA-256 of what decides the value: trace, design and simulator version, or profile and launch';
COMMENT ON COLUMN result.value IS 'what the projection adds up: cycles, or the replayed value';
COMMENT ON COLUMN result.body IS 'the result as the simulator wrote it: JSON, format vivace-result';
CREATE TABLE result_dispute (
    result_id  uuid NOT NULL REFERENCES result ON DELETE CASCADE,
    digest     text NOT NULL,
    worker     text NOT NULL,
    body       text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (result_id, digest)
);
COMMENT ON TABLE result_dispute IS 'a second result under a known key with another digest: determinism is broken; the first one counts';

-- What decides a value decides its key. The texts hold hex digits and a version, never a backslash.
CREATE FUNCTION result_key_cycle(trace text, design text, simulator text) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator)::bytea) $$;
CREATE FUNCTION result_key_replay(profile_sha256 text, invocation bigint) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('replay|' || profile_sha256 || '|' || invocation)::bytea) $$;

CREATE TYPE job_state AS ENUM ('blocked', 'ready', 'leased', 'done', 'failed', 'cancelled');
CREATE TABLE job (
    id            uuid PRIMARY KEY,
    run_id        uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    seq           integer NOT NULL,
    sample        integer NOT NULL,
    design        smallint NOT NULL,
    state         job_state NOT NULL DEFAULT 'blocked',
    attempt       integer NOT NULL DEFAULT 0,
    failures      smallint NOT NULL DEFAULT 0,
    troubles      smallint NOT NULL DEFAULT 0,
    losses        smallint NOT NULL DEFAULT 0,
    memory_class  smallint NOT NULL DEFAULT 0,
    time_class    smallint NOT NULL DEFAULT 0,
    ready_at      timestamptz,
    session_id    uuid REFERENCES worker_session,
    leased_at     timestamptz,
    deadline_at   timestamptz,
    key           bytea,
    trace_sha256  text,
    waits_on      uuid,
    result_id     uuid REFERENCES result,
    cached        boolean NOT NULL DEFAULT false,
    failure       text,
    failure_text  text,
    finished_at   timestamptz,
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
COMMENT ON COLUMN job.seq IS 'order in the run: the first sample of each stratum, then the second ones, designs of a sample together';
COMMENT ON COLUMN job.attempt IS 'leases given out so far; the fence: the current one''s number while leased';
COMMENT ON COLUMN job.failures IS 'attempts that crashed or hit a limit; budgets: server/queue/job_state.c';
COMMENT ON COLUMN job.troubles IS 'attempts that could not start: blob unreachable, disk full';
COMMENT ON COLUMN job.losses IS 'attempts whose worker vanished';
COMMENT ON COLUMN job.memory_class IS 'the memory limit is the default doubled so many times';
COMMENT ON COLUMN job.time_class IS 'the time limit is the default doubled so many times';
COMMENT ON COLUMN job.waits_on IS 'a live job with the same key: its result completes this one too';

CREATE TABLE attempt (
    job_id       uuid NOT NULL REFERENCES job ON DELETE CASCADE,
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
COMMENT ON TABLE attempt IS 'one row a lease, written when it ends; the running one is in job';
COMMIT;
