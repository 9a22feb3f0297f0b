/* sampling/evaluate.h: how a method does on a profile: draw again and again, project, compare with the truth.
 *
 * The simulated value of every launch is given: the profile's own (as in the papers), or another run's, another
 * GPU's, or one with noise (a plan scored on the very values it was made from looks better than it
 * is). A repeat draws under seed params->seed + r; a method that draws itself makes its strata anew for each.
 * Intervals are those that a projection of the same samples would have (sampling/projection.h). */
#ifndef VIVACE_SAMPLING_EVALUATE_H
#define VIVACE_SAMPLING_EVALUATE_H

#include "sampling/plan.h"

/* Means are over repeats, and exact where all repeats agree. */
struct evaluation {
    const struct method *method;
    struct plan_params params;
    char *why_not;                    /* NULL; else the method cannot run here, and nothing below holds */
    bool lacks_features;              /* why_not: features could be added to the profile */
    double strata, samples, distinct; /* means; `samples` counts draws, `distinct` each launch once */
    /* What simulating everything costs / mean cost of a repeat, each distinct launch once. */
    double speedup;              /* cost: the values scored on */
    double speedup_instructions; /* warp instructions; NaN where the profile does not have them */
    double speedup_seconds;      /* cost_fixed + cost_per_unit * planning value; NaN without a cost model */
    double promised_error;       /* mean; NaN: the method promises none */
    bool promise_valid, representative;
    enum plan_estimator estimator;
    enum plan_variance variance;
    char caution[PLAN_NOTE], note[PLAN_NOTE]; /* as in struct plan, of the first repeat */
    unsigned repeats;                         /* 1 where the samples do not depend on the seed */
    double actual_error;                      /* mean of |projected - true| / true over repeats */
    double actual_error_max;
    unsigned inside;    /* repeats whose error is at most the promised one (the asked one where none is promised) */
    unsigned intervals; /* repeats that have an interval */
    unsigned covered;   /* of these, how many hold the truth */
    double (*cloud)[2]; /* per repeat: speedup, error */
};

/* y: the simulated value of every launch, none negative; NULL: the profile's own. 0, or -1: out of memory, or
 * parameters or values without sense. A method that refuses this profile is no failure: see why_not. */
int evaluate_on(const struct method *m, const struct profile *p, const struct plan_params *params, const double *y,
                unsigned repeats, struct evaluation *out, struct err *e);
/* evaluate_on() the profile's own values. */
int evaluate(const struct method *m, const struct profile *p, const struct plan_params *params, unsigned repeats,
             struct evaluation *out, struct err *e);
void evaluation_release(struct evaluation *v);

#endif
