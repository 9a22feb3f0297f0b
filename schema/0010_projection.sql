BEGIN; -- 0010_projection.sql: projections of each run and design, the stopping rules of runs and what they decided.
SELECT schema_register('0010_projection', requires => '0009_job');

CREATE TABLE projection (
    run_id                    uuid NOT NULL,
    design                    smallint NOT NULL,
    version                   bigint NOT NULL,
    done                      integer NOT NULL,
    planned                   integer NOT NULL,
    complete                  boolean NOT NULL,
    reweighted                boolean NOT NULL,
    unit                      text NOT NULL,
    seconds_per_unit          double precision,
    value                     double precision,
    half_width                double precision,
    value_s                   double precision,
    half_width_s              double precision,
    df                        double precision,
    level                     double precision NOT NULL,
    warning                   text,
    makespan_s                double precision,
    measured_s                double precision,
    strata                    json NOT NULL,
    variance_method           text NOT NULL,
    computed_at               timestamptz NOT NULL,
    cross_checks              json NOT NULL DEFAULT '[]',
    makespan_half_width_s     double precision,
    empty_caches              integer NOT NULL DEFAULT 0,
    warm_bound                json,
    confidence                double precision,
    looks                     smallint,
    level_note                text,
    difference_level          double precision,
    difference_looks          smallint,
    makespan_interval_why_not text,
    communication             json,
    projected_inside          integer NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, design),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE projection IS 'a function of the set of results alone; made again after results come in';
COMMENT ON COLUMN projection.seconds_per_unit IS 'NULL where the unit cannot be turned into time';
COMMENT ON COLUMN projection.value IS 'in unit (cycles, ns or warp_instructions); NULL until every stratum has a result';
COMMENT ON COLUMN projection.measured_s IS 'what the profile measured, where the design is the GPU of the profile';
COMMENT ON COLUMN projection.strata IS 'one object a stratum, in order: done, mean, sd, half_width, total, variance_share';
COMMENT ON COLUMN projection.cross_checks IS 'the total by other estimators, in unit: name, estimator, value, half_width, df; one that is far from value needs a check';
COMMENT ON COLUMN projection.makespan_half_width_s IS 'at the level of the projection; NULL: not known';
COMMENT ON COLUMN projection.empty_caches IS 'results that began with empty caches; above 0: warm_bound is the other end';
COMMENT ON COLUMN projection.warm_bound IS 'the total if launches with empty caches were fully warm, and what both intervals cover; NULL: not known';
COMMENT ON COLUMN projection.confidence IS 'that all interim analyses share';
COMMENT ON COLUMN projection.looks IS 'most interim analyses that share it; NULL: none decides by this interval';
COMMENT ON COLUMN projection.level_note IS 'why the level is not the confidence, for people; NULL: it is';
COMMENT ON COLUMN projection.difference_level IS 'of its difference to the baseline of the run''s rule; NULL: no interim analysis decides by it';
COMMENT ON COLUMN projection.makespan_interval_why_not IS 'a clause; NULL: there is an interval, or no makespan';
COMMENT ON COLUMN projection.communication IS 'kernels that wait for other GPUs, and all others; NULL: the run is open, or strata do not separate them';
COMMENT ON COLUMN projection.projected_inside IS 'of done: results that are projected inside their launches; their error is in the interval';

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
    cache_reversible boolean NOT NULL DEFAULT false,
    confidence       double precision,
    intervals        integer,
    looks            smallint,
    level_note       text,
    PRIMARY KEY (run_id, design),
    FOREIGN KEY (run_id, design) REFERENCES run_design ON DELETE CASCADE
);
COMMENT ON TABLE comparison IS 'design against design 0 of the same run, over the same samples (matched pairs)';
COMMENT ON COLUMN comparison.cache_reversible IS 'the interval does not hold zero, and what the caches held could reverse the difference';
COMMENT ON COLUMN comparison.intervals IS 'that share the confidence: one for each other design of the run';

CREATE TABLE run_rule (
    run_id      uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    error       double precision CHECK (error > 0 AND error < 1),
    confidence  double precision NOT NULL CHECK (confidence > 0 AND confidence < 1),
    resolve     double precision CHECK (resolve > 0 AND resolve < 1),
    baseline    smallint NOT NULL DEFAULT 0,
    budget      double precision CHECK (budget > 0),
    budget_in   text CHECK (budget_in IN ('seconds', 'jobs', 'money')),
    price_per_s double precision CHECK (price_per_s > 0),
    looks       smallint NOT NULL CHECK (looks BETWEEN 1 AND 5),
    ask         boolean NOT NULL,
    redraw      boolean NOT NULL,
    settled     boolean NOT NULL DEFAULT false,
    CONSTRAINT something_is_wanted CHECK (error IS NOT NULL OR resolve IS NOT NULL),
    CONSTRAINT a_budget_has_a_unit CHECK ((budget IS NULL) = (budget_in IS NULL) AND (price_per_s IS NULL) = (budget_in IS DISTINCT FROM 'money'))
);
COMMENT ON TABLE run_rule IS 'when a run is over; a run without a row is over when its plan is simulated';
COMMENT ON COLUMN run_rule.error IS 'wanted half-width of each total, as a share of it';
COMMENT ON COLUMN run_rule.confidence IS 'that all interim analyses share';
COMMENT ON COLUMN run_rule.resolve IS 'wanted half-width of each difference to the baseline, as a share of the baseline''s total';
COMMENT ON COLUMN run_rule.redraw IS 'a launch that cannot be simulated is replaced by the next of its stratum; false: dropped';
COMMENT ON COLUMN run_rule.settled IS 'the rule has decided: no more interim analyses unless the run is extended';

CREATE TABLE look (
    run_id       uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    number       smallint NOT NULL CHECK (number > 0),
    plan_id      uuid NOT NULL REFERENCES plan,
    at           timestamptz NOT NULL,
    jobs         integer NOT NULL,
    spent_s      double precision NOT NULL,
    unit         text NOT NULL,
    decision     text NOT NULL CHECK (decision IN ('more', 'kept', 'whole', 'budget', 'last')),
    reason       json NOT NULL,
    next_plan_id uuid REFERENCES plan,
    extra_jobs   integer NOT NULL DEFAULT 0,
    extra_s      double precision,
    changes      json NOT NULL DEFAULT '[]',
    answer       text CHECK (answer IN ('auto', 'waiting', 'accepted', 'undone')),
    answered_by  text,
    answered_at  timestamptz,
    PRIMARY KEY (run_id, number),
    CONSTRAINT more_names_a_plan CHECK ((decision = 'more') = (next_plan_id IS NOT NULL) AND (decision = 'more') = (answer IS NOT NULL))
);
CREATE INDEX look_by_plan ON look (plan_id);
CREATE INDEX look_by_next_plan ON look (next_plan_id) WHERE next_plan_id IS NOT NULL;
COMMENT ON TABLE look IS 'interim analyses: one row each time that all jobs of a run had ended; the key prevents a second one of the same number';
COMMENT ON COLUMN look.spent_s IS 'seconds of simulation so far, of this run alone';
COMMENT ON COLUMN look.reason IS 'kind and params of the decision';
COMMENT ON COLUMN look.extra_s IS 'seconds that the extension is expected to take; NULL: not known';
COMMENT ON COLUMN look.changes IS 'one object a stratum that grows: stratum, kernel, from, to';

CREATE TABLE look_promise (
    run_id      uuid NOT NULL,
    number      smallint NOT NULL,
    ordinal     smallint NOT NULL,
    design      smallint NOT NULL,
    difference  boolean NOT NULL,
    value       double precision,
    half_width  double precision,
    once        double precision,
    wanted      double precision,
    df          double precision,
    level       double precision,
    information double precision NOT NULL,
    bound       double precision NOT NULL,
    spent       double precision NOT NULL,
    trusted     boolean NOT NULL,
    kept        boolean NOT NULL,
    PRIMARY KEY (run_id, number, ordinal),
    FOREIGN KEY (run_id, number) REFERENCES look ON DELETE CASCADE
);
COMMENT ON TABLE look_promise IS 'what an interim analysis found for each promise: the total of a design, or its difference to the baseline';
COMMENT ON COLUMN look_promise.half_width IS 'at the level of this interim analysis, by which it decided';
COMMENT ON COLUMN look_promise.once IS 'at the confidence of the rule, as if analyzed once';
COMMENT ON COLUMN look_promise.information IS 'with bound and spent: the share of the level that this interim analysis spent';

CREATE TABLE skipped_sample (
    run_id       uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    invocation   bigint NOT NULL,
    stratum      integer NOT NULL,
    design       text NOT NULL,
    failure      text NOT NULL,
    failure_text text,
    replaced     boolean NOT NULL,
    at           timestamptz NOT NULL,
    PRIMARY KEY (run_id, invocation)
);
COMMENT ON TABLE skipped_sample IS 'launches that could not be simulated; replaced: by the next one of their stratum';

CREATE TABLE run_answer (
    run_id     uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    plan_id    uuid NOT NULL REFERENCES plan,
    at         timestamptz NOT NULL,
    jobs       integer NOT NULL,
    done       integer NOT NULL,
    final      boolean NOT NULL,
    confidence double precision NOT NULL CHECK (confidence > 0 AND confidence < 1),
    baseline   smallint NOT NULL
);
CREATE INDEX run_answer_by_plan ON run_answer (plan_id);
COMMENT ON TABLE run_answer IS 'the last complete answer of a run; its rows in projection and comparison belong to it until the next one';
COMMENT ON COLUMN run_answer.at IS 'no earlier than its last result: later results are of the next answer';
COMMENT ON COLUMN run_answer.final IS 'the run ended with it; false: of an interim analysis, until the next one';
COMMENT ON COLUMN run_answer.baseline IS 'of the rule by which projection.difference_level was decided';
COMMIT;
