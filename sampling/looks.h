/* sampling/looks.h: interim analyses ("looks") of a run: evaluate the results, then stop, or request more samples.
 *
 * A run begins with a pilot: the first samples of every stratum's seeded permutation. When all of them have ended,
 * the first look computes the total and interval of each design, the significance level of this look, whether each
 * promise is kept, and otherwise the number of samples that each stratum should have (Stein, Annals of Mathematical
 * Statistics 16, 1945: size from a first sample; Cochran 1977, ch. 12). Spreads are pooled over all strata, so that
 * sizes do not depend on chance variation within one stratum (sampling/spread_model.h). An interval is never
 * narrower than these spreads give, so that no run stops by chance (looks_stock.c). No run ends with samples that
 * are too few to contain a behaviour of a fifth of the launches (sampling/effective.h). Sizes are those of
 * sampling/allocate.h with the samples simulated so far as the minimum, so that no result is discarded. At most
 * five looks share one level by sampling/alpha_spending.h, so that repeated looks keep the confidence level.
 *
 * Everything here is a pure function of (plan, results, earlier looks): equal inputs give an equal decision, so an
 * interrupted look can be repeated with the same outcome. The only state is struct look_spent: three numbers per
 * promise and look. No clock, no database. */
#ifndef VIVACE_SAMPLING_LOOKS_H
#define VIVACE_SAMPLING_LOOKS_H

#include <math.h>

#include "sampling/allocate.h"
#include "sampling/projection.h"

#define LOOKS_MAX 5
/* Least effective sample size and least noise degrees of freedom at which a promise counts as kept
 * (sampling/effective.h). All of more than 20 samples miss a behaviour of a fifth of all launches with a
 * probability of 1 % (0.8^20). */
#define LOOK_LEAST_EFFECTIVE 10.0
#define LOOK_LEAST_NOISE_DF  20.0

struct look_rule {
    double error;      /* each design's total: wanted half-width / total; 0: not wanted */
    double confidence; /* joint level of all looks, and of all differences (Bonferroni); 0: the plan's */
    double resolve; /* each design against the baseline: wanted half-width of the ratio of totals, e.g. 0.01; 0: not
                       wanted */
    size_t baseline;     /* design; with `resolve` */
    double budget;       /* the remaining budget, in the unit of `costs`; INFINITY: no limit */
    const double *costs; /* per stratum: cost of one more sample in all designs together; NULL: the plan's cost x
                            number of designs */
    unsigned looks;      /* maximum number; 0: LOOKS_MAX */
    enum projection_estimator estimator; /* PROJECT_AS_PLANNED, or that of the run; not the difference */
    const double *within; /* per design: standard error of its total from errors inside launches, which more samples
                             do not reduce (sampling/within_launch.h); only with `error`. NULL: none */
};

/* Default values. */
#define LOOK_RULE_DEFAULT ((struct look_rule){.budget = INFINITY})

/* Shape of the distribution of a stratum's profiled values; see plan_shapes(). */
struct look_shape {
    double third, kurtosis; /* as in struct alloc_stratum, in the profile's unit */
};

/* The part of a promise's level that a look spent. The caller stores it and passes it to later looks. */
struct look_spent {
    double information; /* 1: enough to keep the promise, including the allowance for repeated looks */
    double bound;       /* normal quantile that this look's interval used */
    double spent;       /* of the level (e.g. of 0.05), with all looks before */
};

enum look_decision {
    LOOK_MORE,   /* simulate the increment, then look again */
    LOOK_KEPT,   /* stop: every promise is kept */
    LOOK_WHOLE,  /* stop: all launches that can be simulated are simulated */
    LOOK_BUDGET, /* stop: the rest of the budget does not pay for a useful sample */
    LOOK_LAST    /* stop: no looks are left, and some promise is not kept */
};
const char *look_decision_name(enum look_decision x); /* "more", "kept", "whole", "budget", "last" */

/* One promise (precision goal): for a design's total, or for its ratio to the baseline's. */
struct look_promise {
    size_t design;
    bool difference;   /* to the baseline: `value` is the ratio of the totals, by pairs */
    double value;      /* total, or ratio; NaN while a stratum has no result */
    double half_width; /* at this look's level: used for the decision */
    double once;   /* at the rule's confidence, for a single analysis: the final interval (methods reference 4.5) */
    double wanted; /* half-width, in the unit of the values */
    double df, level;            /* level: of `half_width` */
    double planned_df, skewness; /* of the total, expected with the pooled variances */
    double effective, noise_df;  /* sampling/effective.h */
    bool trusted; /* these four values are within their limits (sampling/search.h); required for `kept` */
    bool kept;
    bool waits; /* would be kept, but other promises are not: requests no samples and spends the least level */
    struct look_spent spent; /* for the caller to store */
};

struct look {
    enum look_decision decision;
    unsigned number;  /* 1 .. looks */
    char reason[240]; /* one sentence */
    size_t promise_count;
    struct look_promise *promises; /* designs' totals, then differences, in the order of designs */
    size_t stratum_count;
    uint64_t *next;    /* samples each stratum should have (as struct plan_stratum.samples); without LOOK_MORE the
                          present numbers */
    uint64_t extra;    /* samples of the increment, per design */
    double extra_cost; /* in the unit of `costs`, all designs */
    size_t largest_increment_stratum; /* stratum that takes most of extra_cost; SIZE_MAX: none */
    bool short_of_budget;             /* the budget limits the increment to fewer samples than the promises need */
};

/* The number of promises under the rule: size of the caller's array of look_spent per look. */
size_t look_promises(const struct look_rule *rule, size_t designs);

/* Checks that a plan supports looks: drawn without replacement, weighted by launch counts, with an interval from
 * samples. Otherwise returns -1 with ERR_INVALID and the reason. */
int look_possible(const struct plan *plan, struct err *e);

/* Sizes of the pilot, n[stratum_count]: the plan's minimum per stratum (two, or params.least_samples) or the whole
 * stratum, and up to 30 % of the plan. If the effective size of that is too small to end a run, the pilot is
 * larger, up to the plan's sizes. */
int look_pilot(const struct plan *plan, uint64_t *n, struct err *e);

/* Performs a look. y[d]: one value per sample of the present plan; NaN: the launch failed and was not replaced.
 * past: (number - 1) x promises, earlier looks first. shapes: per stratum, or NULL: unknown, and the skewness limit
 * is not applied. */
int look_take(const struct plan *plan, const double *const *y, size_t designs, const struct look_rule *rule,
              const struct look_spent *past, unsigned number, const struct look_shape *shapes, struct look *out,
              struct err *e);
/* Computes only the promises of such a look, with their intervals; allowed at any time. Without shapes `trusted`
 * and `kept` do not include skewness. */
int look_see(const struct plan *plan, const double *const *y, size_t designs, const struct look_rule *rule,
             const struct look_spent *past, unsigned number, struct look *out, struct err *e);
void look_release(struct look *l);

#endif
