/* sampling/looks.h: runs that decide for themselves: look at the results, then stop, or ask for more samples.
 *
 * A run begins with a pilot: the first samples of every stratum's seeded permutation. After all of them have ended
 * it is looked at: total and interval of each design, the level of this look, whether the promise is kept, and if
 * not, how many samples each stratum should have (Stein, Annals of Mathematical Statistics 16, 1945: size from a
 * first sample; Cochran 1977, ch. 12). How far strata spread is what all of them show together, so that sizes do
 * not follow a stratum's luck (sampling/spread_model.h). No interval is narrower than these spreads make it, so
 * that no run stops by luck (looks_stock.c), and none ends on samples that are too few to show a behaviour of a
 * fifth of the launches (sampling/effective.h). Sizes are those of sampling/allocate.h with what is simulated
 * already as the least, so that nothing is ever thrown away. At most five looks share one level by
 * sampling/alpha_spending.h, so that looking often does not make the promise hollow.
 *
 * Everything here is a pure function of (plan, results, earlier looks): the same in, the same decision out, so a
 * look that was interrupted is taken again and comes out the same. Nothing is remembered but struct look_spent,
 * three numbers a promise and look. No clock, no database. */
#ifndef VIVACE_SAMPLING_LOOKS_H
#define VIVACE_SAMPLING_LOOKS_H

#include <math.h>

#include "sampling/allocate.h"
#include "sampling/projection.h"

#define LOOKS_MAX 5
/* No promise is kept on less (sampling/effective.h): a behaviour of a fifth of all launches is unseen in one run of
 * a hundred. */
#define LOOK_LEAST_EFFECTIVE 10.0
#define LOOK_LEAST_NOISE_DF  20.0

struct look_rule {
    double error;      /* each design's total: wanted half-width / total; 0: not wanted */
    double confidence; /* that all looks share, and all differences (Bonferroni); 0: the plan's */
    double resolve; /* each design against the baseline: wanted half-width of the ratio of totals, e.g. 0.01; 0: not
                       wanted */
    size_t baseline;     /* design; with `resolve` */
    double budget;       /* what may still be spent, in the unit of `costs`; INFINITY: no limit */
    const double *costs; /* per stratum: of one more sample, in all designs together; NULL: the plan's cost of it x
                            designs */
    unsigned looks;      /* at most; 0: LOOKS_MAX */
    enum projection_estimator estimator; /* PROJECT_AS_PLANNED, or that of the run; not the difference */
    const double *within; /* per design: standard error of its total by errors inside launches, which no sample
                             makes less (sampling/within_launch.h); only with `error`. NULL: none */
};

/* What callers begin with. */
#define LOOK_RULE_DEFAULT ((struct look_rule){.budget = INFINITY})

/* How a stratum's values lie in the profile beyond mean and spread; see plan_shapes(). */
struct look_shape {
    double third, kurtosis; /* as in struct alloc_stratum, in the profile's unit */
};

/* What a look used up of a promise's level: kept by the caller, handed back at later looks. */
struct look_spent {
    double information; /* 1: what keeps the promise, with the allowance for looking */
    double bound;       /* normal quantile that this look's interval used */
    double spent;       /* of the level (e.g. of 0.05), with all looks before */
};

enum look_decision {
    LOOK_MORE,   /* simulate the increment, then look again */
    LOOK_KEPT,   /* stop: every promise is kept */
    LOOK_WHOLE,  /* stop: everything is simulated that can be */
    LOOK_BUDGET, /* stop: the budget pays for no further sample that helps */
    LOOK_LAST    /* stop: no looks are left, and some promise is not kept */
};
const char *look_decision_name(enum look_decision x); /* "more", "kept", "whole", "budget", "last" */

/* One promise: a design's total, or its ratio to the baseline's. */
struct look_promise {
    size_t design;
    bool difference;   /* to the baseline: `value` is the ratio of the totals, by pairs */
    double value;      /* total, or ratio; NaN while a stratum has no result */
    double half_width; /* at this look's level: what the decision goes by */
    double once;       /* at the rule's confidence, as if looked at once: the final interval (methods 4.5) */
    double wanted;     /* half-width, in the unit of the values */
    double df, level;  /* level: of `half_width` */
    double planned_df, skewness; /* of the total, expected with the pooled variances */
    double effective, noise_df;  /* sampling/effective.h */
    bool trusted;                /* these four are enough (sampling/search.h); without it nothing is kept */
    bool kept;
    bool waits;              /* for others: it would be kept if they were, asks for nothing, and saves its level */
    struct look_spent spent; /* to be kept */
};

struct look {
    enum look_decision decision;
    unsigned number;  /* 1 .. looks */
    char reason[240]; /* one sentence */
    size_t promise_count;
    struct look_promise *promises; /* designs' totals, then differences, in the order of designs */
    size_t stratum_count;
    uint64_t *next;    /* samples each stratum should have (as struct plan_stratum.samples); without LOOK_MORE
                          those it has */
    uint64_t extra;    /* samples of the increment, a design */
    double extra_cost; /* in the unit of `costs`, all designs */
    size_t largest_increment_stratum; /* stratum that takes most of extra_cost; SIZE_MAX: none */
    bool short_of_budget; /* the increment is all that the budget pays, less than what the promises need */
};

/* How many promises a look has under the rule, for the caller's array of look_spent. */
size_t look_promises(const struct look_rule *rule, size_t designs);

/* The plans that can be looked at: drawn without replacement, by count, with an interval from samples. -1 with
 * ERR_INVALID and why otherwise. */
int look_possible(const struct plan *plan, struct err *e);

/* Sizes of the pilot, n[stratum_count]: what the plan was to draw of each stratum at least (two, or as it was
 * asked) or all of it, and up to 30 % of the plan; more where that is worth too little to end a run, as far as the
 * plan has more. */
int look_pilot(const struct plan *plan, uint64_t *n, struct err *e);

/* Looks. y[d]: a value a sample of the plan as it is now; NaN: could not be done, and was not replaced. past:
 * (number - 1) x promises, earlier looks first. shapes: per stratum, or NULL: not known, and skewness is not
 * guarded against. */
int look_take(const struct plan *plan, const double *const *y, size_t designs, const struct look_rule *rule,
              const struct look_spent *past, unsigned number, const struct look_shape *shapes, struct look *out,
              struct err *e);
/* Only the promises of such a look, with their intervals: what it would see, at any time. Without shapes `trusted`
 * and `kept` say less. */
int look_see(const struct plan *plan, const double *const *y, size_t designs, const struct look_rule *rule,
             const struct look_spent *past, unsigned number, struct look *out, struct err *e);
void look_release(struct look *l);

#endif
