BEGIN; -- 0103_run.sql: a plan simulated on one or several designs.
SELECT schema_register('0103_run', requires => '0102_trace');
CREATE TYPE run_state AS ENUM ('running', 'paused', 'done', 'failed', 'cancelled');
CREATE TYPE engine AS ENUM ('cycle', 'replay');
CREATE TABLE run (
    id                uuid PRIMARY KEY,
    plan_id           uuid NOT NULL REFERENCES plan ON DELETE CASCADE,
    engine            engine NOT NULL,
    simulator         text NOT NULL CHECK (simulator !~ '[\\|]'),
    state             run_state NOT NULL DEFAULT 'running',
    priority          smallint NOT NULL DEFAULT 0,
    jobs              integer NOT NULL CHECK (jobs >= 0),
    cached            integer NOT NULL DEFAULT 0,
    done              integer NOT NULL DEFAULT 0,
    created_by        text NOT NULL,
    created_at        timestamptz NOT NULL,
    finished_at       timestamptz,
    eta_s             double precision,
    version           bigint NOT NULL DEFAULT 1,
    projected_version bigint NOT NULL DEFAULT 0,
    half_said         boolean NOT NULL DEFAULT false,
    promise_said      boolean NOT NULL DEFAULT false,
    strata_said       integer NOT NULL DEFAULT 0,
    CONSTRAINT final_runs_have_an_end
        CHECK ((state IN ('done', 'failed', 'cancelled')) = (finished_at IS NOT NULL))
);
CREATE INDEX run_by_plan ON run (plan_id, id);
CREATE INDEX run_open ON run (id) WHERE state IN ('running', 'paused');
CREATE INDEX run_to_project ON run (id) WHERE projected_version < version;
COMMENT ON COLUMN run.simulator IS 'version whose results count; part of every key; "replay" for that engine';
COMMENT ON COLUMN run.cached IS 'jobs that were done by results which existed already';
COMMENT ON COLUMN run.version IS 'rises with every change of its jobs that a projection may show';
COMMENT ON COLUMN run.projected_version IS 'the version that the projection was made from';
COMMENT ON COLUMN run.half_said IS 'the sentence "half of the samples are done" was written';

CREATE TABLE run_design (
    run_id        uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    number        smallint NOT NULL,
    design_sha256 text REFERENCES design,
    name          text NOT NULL,
    clock_hz      double precision,
    PRIMARY KEY (run_id, number),
    UNIQUE (run_id, name)
);
COMMENT ON TABLE run_design IS 'number 0 is the baseline; a replay needs no design and may have a row without one';
COMMIT;
