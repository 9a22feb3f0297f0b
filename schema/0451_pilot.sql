BEGIN; -- 0451_pilot.sql: pilots that the farm makes: one launch of each shape, then the plan from its cycles.
SELECT schema_register('0451_pilot', requires => '0450_assurance');
CREATE TABLE pilot (
    id            uuid PRIMARY KEY,
    profile_id    uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    design_sha256 text NOT NULL,
    design_name   text NOT NULL,
    wanted        json NOT NULL,
    state         text NOT NULL DEFAULT 'starting'
        CHECK (state IN ('starting', 'simulating', 'planning', 'done', 'failed', 'cancelled')),
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
COMMENT ON COLUMN pilot.state IS 'starting: its run is to be made; simulating: it goes on; planning: cycles, then the plan, are to be made';
COMMENT ON COLUMN pilot.cycles_id IS 'the profile of estimated cycles';
COMMENT ON COLUMN pilot.note IS 'how much of the cycles rests on what';
COMMENT ON COLUMN pilot.problem IS 'why it failed or was cancelled; of an open one what keeps it, and it is tried again';
COMMIT;
