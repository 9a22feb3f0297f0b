BEGIN; -- 0105_projection.sql: the answer so far of each run and design, and how it got there.
SELECT schema_register('0105_projection', requires => '0104_job');
CREATE TABLE projection (
    run_id      uuid NOT NULL,
    design      smallint NOT NULL,
    version     bigint NOT NULL,
    done        integer NOT NULL,
    planned     integer NOT NULL,
    complete    boolean NOT NULL,
    reweighted  boolean NOT NULL,
    unit        text NOT NULL,
    seconds_per_unit double precision,
    value       double precision,
    half_width  double precision,
    value_s     double precision,
    half_width_s double precision,
    df          double precision,
    level       double precision NOT NULL,
    warning     text,
    makespan_s  double precision,
    measured_s  double precision,
    cross_value double precision,
    cross_half_width double precision,
    strata      json NOT NULL,
    variance_method text NOT NULL,
    computed_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, design),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE projection IS 'a function of the set of results alone; made again after results come in';
COMMENT ON COLUMN projection.value IS 'in unit (cycles, ns or warp_instructions); NULL until every stratum has a result';
COMMENT ON COLUMN projection.measured_s IS 'what the profile measured, where the design is the GPU of the profile';
COMMENT ON COLUMN projection.cross_value IS 'the total by the combined ratio estimator, in unit; where it lies far off value, look';
COMMENT ON COLUMN projection.strata IS 'one object a stratum, in order: done, mean, sd, half_width, total, variance_share';
COMMENT ON COLUMN projection.seconds_per_unit IS 'NULL where the unit cannot be turned into time';

CREATE TABLE projection_point (
    run_id       uuid NOT NULL,
    design       smallint NOT NULL,
    done         integer NOT NULL,
    value        double precision NOT NULL,
    half_width   double precision,
    value_s      double precision,
    half_width_s double precision,
    at           timestamptz NOT NULL,
    PRIMARY KEY (run_id, design, done),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE projection_point IS 'how value and interval converged as results came in';

CREATE TABLE comparison (
    run_id           uuid NOT NULL,
    design           smallint NOT NULL CHECK (design > 0),
    difference       double precision,
    half_width       double precision,
    difference_s     double precision,
    half_width_s     double precision,
    ratio            double precision,
    ratio_half_width double precision,
    df               double precision,
    level            double precision NOT NULL,
    paired_on        bigint NOT NULL,
    distinguishable  boolean NOT NULL,
    PRIMARY KEY (run_id, design),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE comparison IS 'design against design 0 of the same run, over the same samples (matched pairs)';

CREATE TABLE sweep (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    question   text NOT NULL,
    answer     text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, question)
);
COMMENT ON TABLE sweep IS 'every method at several errors, evaluated by redraws; kept because it never changes';
COMMIT;
