/* sampling/sequential/interim.h: interim analyses of a run: evaluate the results, then stop, or request more
 * samples.
 *
 * A run begins with a pilot: the first samples of every stratum's seeded permutation. When all of them have ended,
 * the first analysis computes the total and interval of each design, the significance level of this analysis,
 * whether each promise is kept, and otherwise the number of samples that each stratum should have (Stein, Annals of
 * Mathematical Statistics 16, 1945: size from a first sample; Cochran 1977, ch. 12). Spreads are pooled over all
 * strata, so that sizes do not depend on chance variation within one stratum (sampling/sequential/spread_model.h).
 * An interval is never narrower than these spreads give, so that no run stops by chance (interim_spread.c). No run
 * ends with samples that are too few to contain a behaviour of a fifth of the launches
 * (sampling/estimate/effective.h). Sizes are those of sampling/allocate/allocate.h with the samples simulated so
 * far as the minimum, so that no result is discarded. At most five analyses share one level by
 * sampling/sequential/alpha_spending.h, so that repeated analyses keep the confidence level.
 *
 * Everything here is a pure function of (plan, results, earlier analyses): equal inputs give an equal decision, so
 * an interrupted analysis can be repeated with the same outcome. The only state is struct interim_spent: three
 * numbers per promise and analysis. No clock, no database. */
#ifndef VIVACE_SAMPLING_INTERIM_H
#define VIVACE_SAMPLING_INTERIM_H

#include <math.h>

#include "sampling/allocate/allocate.h"
#include "sampling/estimate/projection.h"

#define INTERIM_MAX 5

struct interim_rule {
    double error;      /* each design's total: wanted half-width / total; 0: not wanted */
    double confidence; /* joint level of all analyses, and of all differences (Bonferroni); 0: the plan's */
    double resolve; /* each design against the baseline: wanted half-width of the ratio of totals, e.g. 0.01; 0: not
                       wanted */
    size_t baseline;     /* design; with `resolve` */
    double budget;       /* the remaining budget, in the unit of `costs`; INFINITY: no limit */
    const double *costs; /* per stratum: cost of one more sample in all designs together; NULL: the plan's cost x
                            number of designs */
    unsigned analyses;   /* maximum number; 0: INTERIM_MAX */
    enum projection_estimator estimator; /* PROJECT_AS_PLANNED, or that of the run; not the difference */
    const double *within; /* per design: standard error of its total from errors inside launches, which more samples
                             do not reduce (sampling/estimate/within_launch.h); only with `error`. NULL: none */
};

/* Default values. */
#define INTERIM_RULE_DEFAULT ((struct interim_rule){.budget = INFINITY})

/* Shape of the distribution of a stratum's profiled values; see plan_shapes(). */
struct interim_shape {
    double third, kurtosis; /* as in struct alloc_stratum, in the profile's unit */
};

/* The part of a promise's level that an analysis spent. The caller stores it and passes it to later analyses. */
struct interim_spent {
    double information; /* 1: enough to keep the promise, including the allowance for repeated analyses */
    double bound;       /* normal quantile that this analysis's interval used */
    double spent;       /* of the level (e.g. of 0.05), with all analyses before */
};

enum interim_decision {
    INTERIM_MORE,   /* simulate the increment, then analyze again */
    INTERIM_KEPT,   /* stop: every promise is kept */
    INTERIM_WHOLE,  /* stop: all launches that can be simulated are simulated */
    INTERIM_BUDGET, /* stop: the rest of the budget does not pay for a useful sample */
    INTERIM_LAST    /* stop: no analyses are left, and some promise is not kept */
};
const char *interim_decision_name(enum interim_decision x); /* "more", "kept", "whole", "budget", "last" */

/* One promise (precision goal): for a design's total, or for its ratio to the baseline's. */
struct interim_promise {
    size_t design;
    bool difference;   /* to the baseline: `value` is the ratio of the totals, by pairs */
    double value;      /* total, or ratio; NaN while a stratum has no result */
    double half_width; /* at this analysis's level: used for the decision */
    double once;   /* at the rule's confidence, for a single analysis: the final interval (methods reference 4.5) */
    double wanted; /* half-width, in the unit of the values */
    double df, level;            /* level: of `half_width` */
    double planned_df, skewness; /* of the total, expected with the pooled variances */
    double effective, noise_df;  /* sampling/estimate/effective.h */
    bool trusted; /* these four values are within their limits (sampling/strata/search.h); required for `kept` */
    bool kept;
    bool waits; /* would be kept, but other promises are not: requests no samples and spends the least level */
    struct interim_spent spent; /* for the caller to store */
};

struct interim_analysis {
    enum interim_decision decision;
    unsigned number;  /* 1 .. analyses */
    char reason[240]; /* one sentence */
    size_t promise_count;
    struct interim_promise *promises; /* designs' totals, then differences, in the order of designs */
    size_t stratum_count;
    uint64_t *next; /* samples each stratum should have (as struct plan_stratum.samples); without INTERIM_MORE the
                       present numbers */
    uint64_t extra; /* samples of the increment, per design */
    double extra_cost;                /* in the unit of `costs`, all designs */
    size_t largest_increment_stratum; /* stratum that takes most of extra_cost; SIZE_MAX: none */
    bool short_of_budget;             /* the budget limits the increment to fewer samples than the promises need */
};

/* The number of promises under the rule: size of the caller's array of interim_spent per analysis. */
size_t interim_promises(const struct interim_rule *rule, size_t designs);

/* Checks that a plan supports analyses: drawn without replacement, weighted by launch counts, with an interval from
 * samples. Otherwise returns -1 with ERR_INVALID and the reason. */
int interim_possible(const struct plan *plan, struct err *e);

/* Sizes of the pilot, n[stratum_count]: the plan's minimum per stratum (two, or params.least_samples) or the whole
 * stratum, and up to 30 % of the plan. If the effective size of that is too small to end a run, the pilot is
 * larger, up to the plan's sizes. */
int interim_pilot(const struct plan *plan, uint64_t *n, struct err *e);

/* Performs an analysis. y[d]: one value per sample of the present plan; NaN: the launch failed and was not
 * replaced. past: (number - 1) x promises, earlier analyses first. shapes: per stratum, or NULL: unknown, and the
 * skewness limit is not applied. */
int interim_analyze(const struct plan *plan, const double *const *y, size_t designs,
                    const struct interim_rule *rule, const struct interim_spent *past, unsigned number,
                    const struct interim_shape *shapes, struct interim_analysis *out, struct err *e);
/* Computes only the promises of such an analysis, with their intervals; allowed at any time. Without shapes
 * `trusted` and `kept` do not include skewness. */
int interim_intervals(const struct plan *plan, const double *const *y, size_t designs,
                      const struct interim_rule *rule, const struct interim_spent *past, unsigned number,
                      struct interim_analysis *out, struct err *e);
void interim_release(struct interim_analysis *l);

#endif
