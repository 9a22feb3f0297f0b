/* sampling/projection.h: simulated samples -> the whole workload, with an interval.
 *
 * total = sum over strata of N_h * mean_h (or as the plan's estimator says, or as asked). The interval comes from
 * the simulated values, never from the profile: stratified variance with finite-population correction and
 * Satterthwaite's degrees of freedom (Cochran 1977, ch. 5). A stratum that is not taken whole is taken to spread by
 * at least the plan's noise floor: simulated cycles are whole numbers with few distinct values, so two samples
 * often agree by chance where the rest does not. Strata that are not covered (fewer than two results and not taken
 * whole) make it unknown, not zero, unless the plan says that a model replaces it, or collapsed strata are asked
 * for.
 */
#ifndef VIVACE_SAMPLING_PROJECTION_H
#define VIVACE_SAMPLING_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/plan.h"

/* How the total follows from the results (sampling/estimator_aux.h); ratios and slopes are per kernel name. */
enum projection_estimator {
    PROJECT_AS_PLANNED,     /* plan->estimator */
    PROJECT_EXPANSION,      /* launches x mean */
    PROJECT_RATIO,          /* combined ratio to the profiled values of all launches */
    PROJECT_SEPARATE_RATIO, /* a ratio in each stratum: wants five results in each */
    PROJECT_DIFFERENCE,     /* differences from kappa x the profiled value: exactly unbiased */
    PROJECT_REGRESSION      /* a line through the results against the profiled values */
};
const char *projection_estimator_name(enum projection_estimator x);     /* "planned", "expansion", "ratio", ... */
const char *projection_estimator_sentence(enum projection_estimator x); /* what it is, without a full stop */
int projection_estimator_from_name(const char *name, enum projection_estimator *out, struct err *e);

struct projection_options {
    double level; /* of the interval; 0: the plan's */
    enum projection_estimator estimator;
    double kappa;  /* y per unit of the profile, fixed before anything was seen; 0: not known, no difference
                      estimator */
    bool collapse; /* where strata have one result each: hold neighbours against each other (sampling/collapse.h) */
    bool alone;    /* no cross-checks */
    const double *error; /* a sample: standard error of a value that is projected inside its launch, which widens
                            the interval (sampling/within_launch.h); NULL: all are whole */
};
/* What callers begin with. */
#define PROJECTION_OPTIONS_DEFAULT ((struct projection_options){.level = 0})

struct projection_stratum {
    uint64_t population, planned, done;
    double mean, sd;       /* of the results (total / N_h with a ratio); sd with n - 1, NaN when done < 2 */
    double half_width;     /* of `mean`, at the level; NaN when not known */
    double total;          /* N_h * mean */
    double variance;       /* of `total`; `sd` is as seen, this is with the noise floor */
    double variance_share; /* of the whole variance: where the doubt sits */
};

/* The same results by another estimator: where it lies far outside the interval, look. A ratio from launches so
 * uneven that it would be biased is left out. */
struct cross_check {
    const char *estimator; /* as in struct projection */
    const char *sentence;
    double value, half_width, df;
};
#define PROJECTION_CROSS_CHECKS 3

struct projection {
    double value;      /* NaN until every stratum has at least one result */
    double half_width; /* NaN until every stratum has two, or is taken whole */
    double df, level;
    double variance; /* between launches */
    double within;   /* standard error inside launches, as far as it is part of half_width (within_launch.h) */
    bool complete;   /* every planned sample has a result */
    uint64_t done, planned; /* distinct samples */
    bool reweighted;        /* some samples have no result: strata were re-weighted over those that have */
    size_t stratum_count;
    struct projection_stratum *strata;
    const char *estimator;       /* "expansion", "instruction_ratio", "ratio", ... */
    const char *variance_method; /* "stratified, fpc, Satterthwaite t", ... */
    const char *warning;         /* NULL, or one sentence */
    size_t cross_check_count;    /* those whose interval is known */
    struct cross_check cross_checks[PROJECTION_CROSS_CHECKS];
};

/* y: one value a plan sample, in the order of plan->samples; NaN where there is no result yet. -1 also when an
 * estimator was asked for that lacks what it needs: profiled values, or kappa. */
int projection_make_with(const struct plan *plan, const double *y, const struct projection_options *options,
                         struct projection *out, struct err *e);
int projection_make(const struct plan *plan, const double *y, double level, struct projection *out, struct err *e);
void projection_release(struct projection *p);

/* What no interval covers, a sentence each, NULL at the end. To be said beside every interval,
 * never folded into it. */
extern const char *const projection_not_covered[];

/* --- two values of the same samples (sampling/paired.c) --- */

/* Two designs over the same samples (matched pairs): only samples with both results count. NaN until every stratum
 * has one such pair, half-widths until it has two or is taken whole. df is that of the difference. */
struct comparison {
    double difference, difference_half_width; /* total_b - total_a */
    double ratio, ratio_half_width;           /* total_b / total_a */
    double df, level;
    uint64_t paired_on;    /* samples with both results */
    bool distinguishable;  /* comparison_real() */
    bool cache_reversible; /* it was, but not whatever the caches held (sampling/cache_bounds.h) */
};
/* Zero is outside the interval of the difference, and one outside that of the ratio where it is known: nobody sees
 * a real difference over an interval that holds none. Near the limit the two may disagree, as the ratio's is its
 * Taylor expansion. False for a difference or half-width that is NaN. */
bool comparison_real(double difference, double half_width, double ratio, double ratio_half_width);
int comparison_make(const struct plan *plan, const double *a, const double *b, double level, struct comparison *out,
                    struct err *e);

/* Any other quantity of the results, by the plan's own estimator. */
struct projected {
    double value, half_width, df; /* NaN as in struct projection */
    uint64_t results;             /* samples that have it, for a ratio those that have both */
    /* Counters and rates of counters: as many even results as it rests on (sampling/effective.h): of the total, or
     * of the least of both totals and, of a share, of the rest. Where a behaviour of a fifth of them could be
     * unseen, the interval is not promised: what was not drawn shows in no result. */
    double effective;
    bool promised;
};
int projected_total(const struct plan *plan, const double *y, double level, struct projected *out, struct err *e);
/* Of two designs over the same samples: total top / total bottom. NaN where the lower one is 0. */
int projected_ratio(const struct plan *plan, const double *top, const double *bottom, double level,
                    struct projected *out, struct err *e);

/* --- the simulator's counters: how they spread: sampling/counters.c --- */

/* The total of a counter, 0 or more. */
int projected_counter(const struct plan *plan, const double *y, double level, struct projected *out, struct err *e);
/* A rate of two counters: the ratio of two totals, never a mean of rates. NaN where the lower one is 0. */
int projected_rate(const struct plan *plan, const double *top, const double *bottom, double level,
                   struct projected *out, struct err *e);

#endif
