BEGIN; -- 0007_run.sql: runs: a plan simulated on one or several designs; pilots; links that share them.
SELECT schema_register('0007_run', requires => '0006_trace');

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
    half_notified     boolean NOT NULL DEFAULT false,
    promise_notified  boolean NOT NULL DEFAULT false,
    strata_notified   integer NOT NULL DEFAULT 0,
    archived_at       timestamptz,
    dropped_at        timestamptz,
    ended_counts      json,
    eta_error_s       double precision,
    unmade            integer NOT NULL DEFAULT 0 CHECK (unmade >= 0),
    cancel_from       integer,
    inside_kernels    double precision NOT NULL DEFAULT 0,
    CONSTRAINT final_runs_have_an_end CHECK ((state IN ('done', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CONSTRAINT runs_end_with_all_their_jobs CHECK (unmade = 0 OR state IN ('running', 'paused')),
    CONSTRAINT only_cancelled_runs_cancel_jobs CHECK (cancel_from IS NULL OR state = 'cancelled'),
    CONSTRAINT only_simulations_are_projected_inside CHECK (inside_kernels = 0 OR (engine = 'cycle' AND inside_kernels BETWEEN 0.01 AND 0.08))
);
CREATE INDEX run_by_plan ON run (plan_id, id);
CREATE INDEX run_open ON run (id) WHERE state IN ('running', 'paused');
CREATE INDEX run_to_project ON run (id) WHERE projected_version < version;
CREATE INDEX run_to_archive ON run (finished_at) WHERE finished_at IS NOT NULL AND archived_at IS NULL;
CREATE INDEX run_to_drop ON run (finished_at) WHERE archived_at IS NOT NULL AND dropped_at IS NULL;
CREATE INDEX run_unmade ON run (id) WHERE unmade > 0;
CREATE INDEX run_cancelling ON run (id) WHERE cancel_from IS NOT NULL;
COMMENT ON COLUMN run.simulator IS 'version whose results count; part of every key; "replay" for that engine';
COMMENT ON COLUMN run.cached IS 'jobs that were done by results which existed already';
COMMENT ON COLUMN run.version IS 'rises with every change of its jobs that a projection may show';
COMMENT ON COLUMN run.projected_version IS 'the version that the projection was made from';
COMMENT ON COLUMN run.half_notified IS 'the event "half of the samples are done" was written';
COMMENT ON COLUMN run.archived_at IS 'all its jobs are in job_archive';
COMMENT ON COLUMN run.dropped_at IS 'they were deleted there, as the settings want it; projections and results stay';
COMMENT ON COLUMN run.ended_counts IS 'jobs by state as they were when the run was archived';
COMMENT ON COLUMN run.eta_error_s IS 'standard error of eta_s, from how far simulations were off what the plan takes them to cost; NULL: not known';
COMMENT ON COLUMN run.unmade IS 'number of its jobs that are not created yet: counted as blocked';
COMMENT ON COLUMN run.cancel_from IS 'its jobs from this seq on are still to be cancelled; NULL: none is';
COMMENT ON COLUMN run.inside_kernels IS 'largest half-width of a launch that is projected inside, as a share of its cycles; 0: all launches are simulated whole';

-- Runs end, are paused and are resumed. A run that ended continues when jobs are added or results are discarded.
CREATE FUNCTION run_may_become(run_state, run_state) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE $1 WHEN 'running' THEN $2 IN ('paused', 'done', 'failed', 'cancelled')
                   WHEN 'paused' THEN $2 IN ('running', 'done', 'failed', 'cancelled')
                   WHEN 'done' THEN $2 = 'running'
                   WHEN 'failed' THEN $2 = 'running'
                   ELSE false END $$;
CREATE TRIGGER run_moves AFTER UPDATE OF state ON run FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT run_may_become(OLD.state, NEW.state)) EXECUTE FUNCTION state_move_refused();

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

CREATE TABLE pilot (
    id            uuid PRIMARY KEY,
    profile_id    uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    design_sha256 text NOT NULL,
    design_name   text NOT NULL,
    wanted        json NOT NULL,
    state         text NOT NULL DEFAULT 'starting' CHECK (state IN ('starting', 'simulating', 'planning', 'done', 'failed', 'cancelled')),
    pilot_plan_id uuid REFERENCES plan ON DELETE SET NULL,
    run_id        uuid REFERENCES run ON DELETE SET NULL,
    cycles_id     uuid REFERENCES profile ON DELETE SET NULL,
    plan_id       uuid REFERENCES plan ON DELETE SET NULL,
    note          text NOT NULL DEFAULT '',
    problem       text,
    hint          text,
    tries         integer NOT NULL DEFAULT 1 CHECK (tries > 0),
    created_by    text NOT NULL,
    created_at    timestamptz NOT NULL,
    finished_at   timestamptz,
    CONSTRAINT pilots_end CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled'))),
    CONSTRAINT failed_pilots_say_why CHECK (state <> 'failed' OR problem IS NOT NULL)
);
CREATE INDEX pilot_by_profile ON pilot (profile_id, id);
CREATE INDEX pilot_open ON pilot (id) WHERE finished_at IS NULL;
CREATE INDEX pilot_by_cycles ON pilot (cycles_id) WHERE cycles_id IS NOT NULL;
CREATE INDEX pilot_by_plan ON pilot (plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX pilot_by_pilot_plan ON pilot (pilot_plan_id) WHERE pilot_plan_id IS NOT NULL;
CREATE INDEX pilot_by_run ON pilot (run_id) WHERE run_id IS NOT NULL;
COMMENT ON COLUMN pilot.wanted IS 'the plan that is asked for, as POST /profiles/{profile}/plans takes it';
COMMENT ON COLUMN pilot.state IS 'starting: no run yet; simulating: its run is open; planning: cycles, then the plan, are computed';
COMMENT ON COLUMN pilot.cycles_id IS 'the profile of estimated cycles';
COMMENT ON COLUMN pilot.note IS 'which share of the cycles comes from which estimate';
COMMENT ON COLUMN pilot.problem IS 'why it failed or was cancelled; while open: the error of the last try, which is repeated';

CREATE TABLE share (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id    uuid NOT NULL UNIQUE,
    team_id      bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    sha256       bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    kind         text NOT NULL CHECK (kind IN ('run', 'plan', 'profile')),
    object       uuid NOT NULL,
    name         text NOT NULL CHECK (length(name) <= 63),
    hide_names   boolean NOT NULL,
    frozen_at    timestamptz,
    made_by      text NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    opened       bigint NOT NULL DEFAULT 0,
    opened_at    timestamptz,
    discarded_at timestamptz
);
CREATE INDEX share_by_team ON share (team_id, id);
COMMENT ON COLUMN share.object IS 'no reference: a link to a deleted object shows nothing';
COMMENT ON COLUMN share.frozen_at IS 'NULL: shows the thing as it is now; else the documents of that moment';
COMMENT ON COLUMN share.discarded_at IS 'a frozen link whose documents rest on results that were discarded since';

CREATE TABLE share_document (
    share_id bigint NOT NULL REFERENCES share ON DELETE CASCADE,
    address  text NOT NULL,
    body     text NOT NULL,
    PRIMARY KEY (share_id, address)
);
COMMENT ON COLUMN share_document.address IS 'path, and ?design=NAME where the answer depends on it';

-- The state of a workload: that of its latest run, in fewer words; without a run, whether it has a plan.
CREATE FUNCTION workload_state(wanted uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT CASE r.state WHEN 'paused' THEN 'running' WHEN 'cancelled' THEN 'failed' ELSE r.state::text END
           FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id
          WHERE f.workload_id = wanted ORDER BY r.id DESC LIMIT 1),
        CASE WHEN EXISTS (SELECT FROM plan p JOIN profile f ON f.id = p.profile_id
                           WHERE f.workload_id = wanted AND p.parent_id IS NULL)
             THEN 'not_run' ELSE 'not_planned' END)
$$;
COMMIT;
