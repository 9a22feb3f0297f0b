BEGIN; -- 0005_plan.sql: plans: strata, and the launches that are drawn from them.
SELECT schema_register('0005_plan', requires => '0004_profile');

CREATE TABLE plan (
    id               uuid PRIMARY KEY,
    profile_id       uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    method           text NOT NULL,
    error            double precision NOT NULL CHECK (error > 0 AND error < 1),
    confidence       double precision NOT NULL CHECK (confidence > 0 AND confidence < 1),
    seed             bigint NOT NULL CHECK (seed >= 0),
    share            double precision NOT NULL DEFAULT 0,
    noise_floor      double precision NOT NULL,
    budget           double precision NOT NULL,
    least_samples    integer NOT NULL CHECK (least_samples > 0),
    cost_fixed       double precision NOT NULL,
    cost_per_unit    double precision NOT NULL,
    classifier       text NOT NULL,
    with_replacement boolean NOT NULL,
    representative   boolean NOT NULL,
    estimator        text NOT NULL,
    variance         text NOT NULL,
    caution          text NOT NULL,
    note             text NOT NULL,
    invocations      bigint NOT NULL,
    zero_invocations bigint NOT NULL,
    total            numeric(20) NOT NULL,
    promised_error   double precision,
    promise_valid    boolean NOT NULL,
    planned_df       double precision,
    speedup          double precision,
    actual_error     double precision,
    strata           integer NOT NULL CHECK (strata >= 0),
    samples          integer NOT NULL CHECK (samples >= 0),
    file             text NOT NULL,
    created_at       timestamptz NOT NULL,
    parent_id        uuid REFERENCES plan ON DELETE CASCADE,
    version          integer NOT NULL DEFAULT 1 CHECK (version > 0),
    assurance        double precision NOT NULL DEFAULT 0 CHECK (assurance >= 0 AND assurance < 1),
    assured          double precision,
    assured_noise    double precision,
    CONSTRAINT only_plans_with_an_assurance_are_assured CHECK (assurance > 0 OR (assured IS NULL AND assured_noise IS NULL))
);
CREATE INDEX plan_by_profile ON plan (profile_id, id);
CREATE INDEX plan_by_parent ON plan (parent_id) WHERE parent_id IS NOT NULL;
COMMENT ON COLUMN plan.cost_fixed IS 'seconds of simulation a launch, plus cost_per_unit times its value; both 0: no model';
COMMENT ON COLUMN plan.representative IS 'samples were chosen by a rule, not drawn: no interval';
COMMENT ON COLUMN plan.caution IS 'why the promise is not to be trusted; empty where nothing speaks against it';
COMMENT ON COLUMN plan.total IS 'sum of the planning variable over the profile, in the unit of the profile';
COMMENT ON COLUMN plan.promised_error IS 'planned relative half-width; NULL where the method promises none';
COMMENT ON COLUMN plan.planned_df IS 'degrees of freedom; NULL where every stratum is taken whole';
COMMENT ON COLUMN plan.actual_error IS 'relative error of this draw against the profile itself';
COMMENT ON COLUMN plan.file IS 'the canonical plan file, format vivace-plan';
COMMENT ON COLUMN plan.parent_id IS 'the plan that a run made this one from: same strata, other numbers of samples; NULL: planned by somebody';
COMMENT ON COLUMN plan.version IS 'rises from parent to child';
COMMENT ON COLUMN plan.assurance IS 'probability asked for that the half-width is within the error; 0: none was';
COMMENT ON COLUMN plan.assured IS 'the probability worked out; NULL where nothing can be said';
COMMENT ON COLUMN plan.assured_noise IS 'noise of each launch beyond the profile up to which it is what was asked for';

CREATE TABLE stratum (
    plan_id          uuid NOT NULL REFERENCES plan ON DELETE CASCADE,
    number           integer NOT NULL,
    kernel           integer NOT NULL,
    kernel_name      text NOT NULL,
    mixed_shapes     boolean NOT NULL,
    grid             bigint[] NOT NULL CHECK (cardinality(grid) = 3),
    block            bigint[] NOT NULL CHECK (cardinality(block) = 3),
    population       bigint NOT NULL CHECK (population > 0),
    samples          bigint NOT NULL CHECK (samples >= 0),
    mean             double precision NOT NULL,
    sd               double precision NOT NULL,
    total            numeric(20) NOT NULL,
    certainty        boolean NOT NULL,
    planned_sd       double precision NOT NULL,
    cost             double precision NOT NULL,
    planned_variance double precision NOT NULL,
    PRIMARY KEY (plan_id, number)
);
COMMENT ON COLUMN stratum.kernel IS 'number of the kernel of the first launch in the profile';
COMMENT ON COLUMN stratum.samples IS 'draws; with replacement a launch may be drawn more than once';
COMMENT ON COLUMN stratum.planned_sd IS 'the spread it was sized with; 0 where the method sizes by other rules';
COMMENT ON COLUMN stratum.cost IS 'of one sample: seconds with a cost model, else in the unit of the profile';
COMMENT ON COLUMN stratum.planned_variance IS 'of its total, as planned (sampling/plan_doubt.h)';

CREATE TABLE plan_context (
    plan_id uuid NOT NULL REFERENCES plan ON DELETE CASCADE,
    number  integer NOT NULL,
    device  integer NOT NULL,
    process numeric(20) NOT NULL,
    context numeric(20) NOT NULL,
    PRIMARY KEY (plan_id, number)
);
COMMENT ON TABLE plan_context IS 'contexts of the profile from which launches were drawn; tracers count within them';

CREATE TABLE sample (
    plan_id        uuid NOT NULL REFERENCES plan ON DELETE CASCADE,
    number         integer NOT NULL,
    invocation     bigint NOT NULL,
    stratum        integer NOT NULL,
    draws          integer NOT NULL CHECK (draws > 0),
    weight         double precision NOT NULL,
    value          numeric(20) NOT NULL,
    kernel         integer NOT NULL,
    context_number integer NOT NULL,
    launch_order   bigint NOT NULL,
    PRIMARY KEY (plan_id, number),
    UNIQUE (plan_id, invocation),
    UNIQUE (plan_id, context_number, launch_order)
);
COMMENT ON COLUMN sample.value IS 'what the profile measured for this launch';
COMMENT ON COLUMN sample.context_number IS 'which context of the profile, from 0';
COMMENT ON COLUMN sample.launch_order IS 'launches of the same context before this one';
COMMIT;
