/* sampling/methods/evaluate.h: evaluates a method on a profile: repeatedly draws samples, projects, and compares
 * with the true total.
 *
 * The simulated value of every launch is given: the profile's own (as in the papers), or another run's, another
 * GPU's, or one with noise (a plan evaluated on the values that it was made from looks better than it is). Repeat r
 * draws with seed params->seed + r; for a method with draws_itself the strata are formed again in each repeat.
 * Intervals are those of a projection of the same samples (sampling/estimate/projection.h). */
#ifndef VIVACE_SAMPLING_EVALUATE_H
#define VIVACE_SAMPLING_EVALUATE_H

#include "sampling/plan/plan.h"

/* Means are over repeats, and exact where all repeats agree. */
struct evaluation {
    const struct method *method;
    struct plan_params params;
    char *why_not; /* NULL; otherwise the reason why the method cannot run on this profile, and the fields below are
                      not valid */
    bool lacks_features; /* the reason in why_not is missing features, which can be added to the profile */
    double strata, samples, distinct; /* means; `samples` counts draws, `distinct` each launch once */
    /* Cost of simulating all launches / mean cost of a repeat, each distinct launch once. */
    double speedup;              /* cost: the simulated values y */
    double speedup_instructions; /* warp instructions; NaN where the profile does not have them */
    double speedup_seconds;      /* cost_fixed + cost_per_unit * planning value; NaN without a cost model */
    double promised_error;       /* mean; NaN: the method plans no error */
    bool promise_valid, representative;
    enum plan_estimator estimator;
    enum plan_variance variance;
    char caution[PLAN_NOTE], note[PLAN_NOTE]; /* as in struct plan, of the first repeat */
    unsigned repeats;                         /* 1 where the samples do not depend on the seed */
    double actual_error;                      /* mean of |projected - true| / true over repeats */
    double actual_error_max;
    unsigned
        inside; /* repeats whose error is at most the promised one (or the requested one if none is promised) */
    unsigned intervals; /* repeats that have an interval */
    unsigned covered;   /* those of them whose interval contains the true total */
    double (*cloud)[2]; /* per repeat: speedup, error */
};

/* y: the simulated value of every launch, none negative; NULL: the profile's own. 0, or -1: out of memory, or
 * invalid parameters or values. A method that cannot run on this profile is not an error: see why_not. */
int evaluate_on(const struct method *m, const struct profile *p, const struct plan_params *params, const double *y,
                unsigned repeats, struct evaluation *out, struct err *e);
/* evaluate_on() the profile's own values. */
int evaluate(const struct method *m, const struct profile *p, const struct plan_params *params, unsigned repeats,
             struct evaluation *out, struct err *e);
void evaluation_release(struct evaluation *v);

#endif
