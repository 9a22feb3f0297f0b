BEGIN; -- 0130_look.sql: runs that decide for themselves: what they are to reach, what they saw, and how their plans grew.
SELECT schema_register('0130_look', requires => '0106_event');

-- A plan that grew is a plan of its own; the smaller one stays as it was.
ALTER TABLE plan ADD COLUMN parent_id uuid REFERENCES plan ON DELETE CASCADE, ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0);
CREATE INDEX plan_by_parent ON plan (parent_id) WHERE parent_id IS NOT NULL;
COMMENT ON COLUMN plan.parent_id IS 'the plan that a run made this one from: same strata, other numbers of samples; NULL: planned by somebody';
COMMENT ON COLUMN plan.version IS 'rises from parent to child';

CREATE TABLE run_rule (
    run_id     uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    error      double precision CHECK (error > 0 AND error < 1),
    confidence double precision NOT NULL CHECK (confidence > 0 AND confidence < 1),
    resolve    double precision CHECK (resolve > 0 AND resolve < 1),
    baseline   smallint NOT NULL DEFAULT 0,
    budget     double precision CHECK (budget > 0),
    budget_in  text CHECK (budget_in IN ('seconds', 'jobs', 'money')),
    price_per_s double precision CHECK (price_per_s > 0),
    looks      smallint NOT NULL CHECK (looks BETWEEN 1 AND 5),
    ask        boolean NOT NULL,
    redraw     boolean NOT NULL,
    settled    boolean NOT NULL DEFAULT false,
    CONSTRAINT something_is_wanted CHECK (error IS NOT NULL OR resolve IS NOT NULL),
    CONSTRAINT a_budget_has_a_unit CHECK ((budget IS NULL) = (budget_in IS NULL) AND (price_per_s IS NULL) = (budget_in IS DISTINCT FROM 'money'))
);
COMMENT ON TABLE run_rule IS 'when a run is over; a run without a row is over when its plan is simulated';
COMMENT ON COLUMN run_rule.error IS 'wanted half-width of each total, as a share of it';
COMMENT ON COLUMN run_rule.resolve IS 'wanted half-width of each difference to the baseline, as a share of the baseline''s total';
COMMENT ON COLUMN run_rule.confidence IS 'that all looks share';
COMMENT ON COLUMN run_rule.settled IS 'the rule has spoken: no more looks unless somebody extends the run';
COMMENT ON COLUMN run_rule.redraw IS 'a launch that cannot be simulated is replaced by the next of its stratum; false: dropped';

CREATE TABLE look (
    run_id       uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    number       smallint NOT NULL CHECK (number > 0),
    plan_id      uuid NOT NULL REFERENCES plan,
    at           timestamptz NOT NULL,
    jobs         integer NOT NULL,
    spent_s      double precision NOT NULL,
    unit         text NOT NULL,
    decision     text NOT NULL CHECK (decision IN ('more', 'kept', 'whole', 'budget', 'last')),
    reason       text NOT NULL,
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
COMMENT ON TABLE look IS 'one row each time that a run whose jobs had all ended was judged; the key makes a look one, whoever dies meanwhile';
COMMENT ON COLUMN look.spent_s IS 'seconds of simulation so far, of this run alone';
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
COMMENT ON TABLE look_promise IS 'what a look saw of each promise: the total of a design, or its difference to the baseline';
COMMENT ON COLUMN look_promise.half_width IS 'at the level of this look, by which it decided';
COMMENT ON COLUMN look_promise.once IS 'at the confidence of the rule, as if looked at once';
COMMENT ON COLUMN look_promise.information IS 'with bound and spent: what this look used up of the level (sampling/looks.h)';

CREATE TABLE run_passed_over (
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
COMMENT ON TABLE run_passed_over IS 'launches that could not be simulated: the next of their stratum stands in, or nothing does';
COMMIT;
