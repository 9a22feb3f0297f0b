/* tests/harness/runs.h: repeats sequential runs, which stop by a stopping rule, on designs that spread more or less
 * than the profile. Measures how often the interval covers the truth when the run stops, and the cost of the run.
 *
 * For comparison: a fixed plan; the naive rule (one more sample until a plain t interval, computed after each
 * sample, is narrow enough); the cost of an oracle, which knows the design's variances; the cost of a plan sized
 * for a multiple of the profile's spread. All use the same strata. Costs are profiled time. */
#ifndef VIVACE_TESTS_HARNESS_RUNS_H
#define VIVACE_TESTS_HARNESS_RUNS_H

#include "sampling/sequential/interim.h"
#include "sampling/plan/strata.h"

struct runs {
    const struct profile *p;
    struct plan plan;
    struct strata strata;
    struct interim_shape *shapes;
    double error;
};
/* Makes a plan by method `vivace` for this error. The caller releases *r, also after an error. */
int runs_init(struct runs *r, const struct profile *p, double error, struct err *e);
/* The same with all these parameters, except those of the draws. A plan with an assurance is for runs_play_fixed()
 * only. */
int runs_init_by(struct runs *r, const struct profile *p, const struct plan_params *params, struct err *e);
void runs_release(struct runs *r);

/* The value y of every launch on a design. Within a stratum, values spread around the mean `spread` times as far as
 * planned. Where strata do not mix kernel names, each name also has a factor between 0.5 and 2. For a plan by
 * ratio, values spread around the kernel's ratio to the profile, in proportion to the profiled time. The caller
 * frees. */
double *runs_design(const struct runs *r, double spread, uint64_t seed, struct err *e);

/* Rows of stratum h in the profile. */
const uint32_t *runs_members(const struct runs *r, size_t h, uint64_t *count);

/* The cheapest fixed plan of an oracle, which knows every stratum's mean, variance, skewness and kurtosis on this
 * design: n[] per stratum, and its cost. It has the run's strata, whole launches, at least two of each stratum
 * (one shows no spread), and the finite-population correction. Its size is the smallest at which the expected
 * half-width of the interval that every run reports (its confidence, Student's t on its degrees of freedom, its
 * noise floor) is as promised, and the conditions for a trusted interval hold. The size has no margin for chance:
 * about half of the draws keep the promise. */
int runs_oracle(const struct runs *r, const double *y, uint64_t *n, double *cost, struct err *e);
/* Cost of a fixed plan that is sized for `spread` times the planned spread. */
int runs_worst_cost(const struct runs *r, double spread, double *out, struct err *e);

struct runs_fixed_score { /* of a fixed plan; kept: share of draws whose interval is narrow enough */
    double covered, kept, cost;
};
struct runs_score { /* means over repeats */
    double covered; /* the interval of the last interim analysis covers the truth */
    double once;    /* the final interval, at the plan's confidence, covers the truth */
    double within;  /* the total is within the error */
    double bias;    /* of the total, as a share of the truth */
    double below;   /* the interval of the last interim analysis is wholly below the truth */
    double kept;    /* it stopped because the promise was kept */
    double cost, analyses;
    double naive_covered, naive_cost;
    struct runs_fixed_score fixed, oracle;
};
/* naive: number of repeats that are also run by the naive rule, which analyses hundreds of times. */
int runs_play(const struct runs *r, const double *y, const uint64_t *oracle, uint64_t seed, unsigned repeats,
              unsigned naive, struct runs_score *out, struct err *e);

/* Scores the fixed plan alone. */
int runs_play_fixed(const struct runs *r, const double *y, uint64_t seed, unsigned repeats,
                    struct runs_fixed_score *out, struct err *e);

#endif
