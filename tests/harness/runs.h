/* tests/harness/runs.h: runs that decide for themselves, again and again, on designs that spread more or less than
 * the profile: does the interval hold when they stop, and what did it cost?
 *
 * Beside them a fixed plan, the naive rule (one sample more until a plain t interval is narrow enough, looked at
 * every time), and what a plan would cost that knew the design's variances (an oracle), or was sized for a multiple
 * of the profile's. All by the same strata; costs are profiled time. */
#ifndef VIVACE_TESTS_HARNESS_RUNS_H
#define VIVACE_TESTS_HARNESS_RUNS_H

#include "sampling/looks.h"
#include "sampling/strata.h"

struct runs {
    const struct profile *p;
    struct plan plan;
    struct strata strata;
    struct look_shape *shapes;
    double error;
};
/* Plans `vivace` at this error; to be released in any case. */
int runs_init(struct runs *r, const struct profile *p, double error, struct err *e);
/* The same by all these parameters, the draws apart. With an assurance for runs_play_fixed() only. */
int runs_init_by(struct runs *r, const struct profile *p, const struct plan_params *params, struct err *e);
void runs_release(struct runs *r);

/* y of every launch: within its stratum spread `spread` times as far around the mean as planned, each kernel name
 * `another GPU` by a factor of its own between 0.5 and 2 where strata keep names apart. Of a plan by ratio: around
 * the kernel's ratio to the profile, in proportion to the profiled time. The caller frees it. */
double *runs_design(const struct runs *r, double spread, uint64_t seed, struct err *e);

/* Rows of stratum h in the profile. */
const uint32_t *runs_members(const struct runs *r, size_t h, uint64_t *count);

/* The cheapest fixed plan of an oracle who knows every stratum's mean, variance, skewness and kurtosis on this
 * design before anything is simulated: n[] per stratum, and its cost. It has the run's strata, whole launches, two
 * of each stratum at least (fewer show no spread), the correction for finite populations, and is sized so that the
 * interval that every run reports (its confidence, Student's t on its degrees of freedom, its noise floor) is
 * expected to be as narrow as promised, with what a run must have for its interval to be trusted. Expected: no
 * margin for luck, so that about half of its draws keep the promise. */
int runs_oracle(const struct runs *r, const double *y, uint64_t *n, double *cost, struct err *e);
/* Cost of the fixed plan for `spread` times the planned spread. */
int runs_worst_cost(const struct runs *r, double spread, double *out, struct err *e);

struct runs_fixed_score { /* of a plan as it is: `kept`: its interval is narrow enough */
    double covered, kept, cost;
};
struct runs_score { /* means over repeats */
    double covered; /* the last look's own interval holds the truth */
    double once;    /* so does the final interval, at the plan's confidence */
    double within;  /* the total is within the error */
    double bias;    /* of the total, as a share of the truth */
    double below;   /* the last look's own interval lies wholly below the truth */
    double kept;    /* it stopped because the promise was kept */
    double cost, looks;
    double naive_covered, naive_cost;
    struct runs_fixed_score fixed, oracle;
};
/* naive: how many of the repeats go by the naive rule, too, which looks hundreds of times. */
int runs_play(const struct runs *r, const double *y, const uint64_t *oracle, uint64_t seed, unsigned repeats,
              unsigned naive, struct runs_score *out, struct err *e);

/* The plan as it is, alone. */
int runs_play_fixed(const struct runs *r, const double *y, uint64_t seed, unsigned repeats,
                    struct runs_fixed_score *out, struct err *e);

#endif
