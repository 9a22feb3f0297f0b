BEGIN; -- 0008_result.sql: results, found by their key; results that are disputed or discarded.
SELECT schema_register('0008_result', requires => '0007_run');

CREATE TABLE result_discard (
    id      uuid PRIMARY KEY,
    at      timestamptz NOT NULL,
    by_name text NOT NULL,
    why     text NOT NULL CHECK (why <> ''),
    chosen  json NOT NULL,
    results integer NOT NULL,
    jobs    integer NOT NULL,
    runs    integer NOT NULL
);
COMMENT ON TABLE result_discard IS 'one row for each time that results were discarded';
COMMENT ON COLUMN result_discard.chosen IS 'the filter of the request';

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
    created_at        timestamptz NOT NULL,
    empty_caches      boolean NOT NULL DEFAULT false,
    cycles_warm_bound bigint,
    worker            text,
    discard_id        uuid REFERENCES result_discard,
    discarded_key     bytea,
    quarantined       boolean NOT NULL DEFAULT false,
    inside_kernels    double precision NOT NULL DEFAULT 0,
    projected_error   double precision CHECK (projected_error IS NULL OR (projected_error >= 0 AND inside_kernels > 0)),
    CONSTRAINT discarded_results_keep_their_key CHECK ((discard_id IS NULL) = (discarded_key IS NULL)),
    CONSTRAINT quarantined_results_do_not_count CHECK (NOT quarantined OR discard_id IS NOT NULL)
);
CREATE INDEX result_by_discard ON result (discard_id) WHERE discard_id IS NOT NULL;
CREATE INDEX result_quarantined ON result (id) WHERE quarantined;
COMMENT ON COLUMN result.key IS 'SHA-256 of what decides the value: trace, design and simulator version, or profile and launch';
COMMENT ON COLUMN result.value IS 'what the projection adds up: cycles, or the replayed value';
COMMENT ON COLUMN result.body IS 'the result as the simulator wrote it: JSON, format vivace-result';
COMMENT ON COLUMN result.empty_caches IS 'simulated, and its trace does not hold what earlier launches left in the caches';
COMMENT ON COLUMN result.cycles_warm_bound IS 'with empty_caches: cycles right after the same launch; NULL: not known (simulators before 0.7.0)';
COMMENT ON COLUMN result.worker IS 'name of the worker that simulated it; NULL: not known';
COMMENT ON COLUMN result.discard_id IS 'NULL: it counts';
COMMENT ON COLUMN result.discarded_key IS 'its former key, which another result may have by now';
COMMENT ON COLUMN result.quarantined IS 'two workers differ: its jobs have failed until a site admin discards it';
COMMENT ON COLUMN result.inside_kernels IS 'as in run: part of its key';
COMMENT ON COLUMN result.projected_error IS 'standard error of cycles, which are a projection; NULL: simulated whole';

CREATE TABLE result_dispute (
    result_id  uuid NOT NULL REFERENCES result ON DELETE CASCADE,
    digest     text NOT NULL,
    worker     text NOT NULL,
    body       text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (result_id, digest)
);
COMMENT ON TABLE result_dispute IS 'a second result under a known key with another digest: determinism is broken; the first one counts';

CREATE TABLE discarded_use (
    result_id uuid NOT NULL REFERENCES result ON DELETE CASCADE,
    job_id    uuid NOT NULL,
    run_id    uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    PRIMARY KEY (result_id, job_id)
);
CREATE INDEX discarded_use_by_run ON discarded_use (run_id);
COMMENT ON TABLE discarded_use IS 'jobs that were done by a result before it was discarded';

-- What decides a value decides its key. The texts hold hex digits and a version, never a backslash.
CREATE FUNCTION result_key_cycle(trace text, design text, simulator text) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator)::bytea) $$;

-- A result that may be projected never has the key of one that may not.
CREATE FUNCTION result_key_cycle(trace text, design text, simulator text, inside double precision) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator
        || CASE WHEN inside > 0 THEN '|inside ' || inside::text ELSE '' END)::bytea) $$;

CREATE FUNCTION result_key_replay(profile_sha256 text, invocation bigint) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('replay|' || profile_sha256 || '|' || invocation::text)::bytea) $$;
COMMIT;
