/* sampling/estimate/projection.h: projects simulated samples to the whole workload, with an interval.
 *
 * total = sum over strata of N_h * mean_h (or by the plan's estimator, or by the requested one). The interval comes
 * from the simulated values, never from the profile: stratified variance with finite-population correction and
 * Satterthwaite's degrees of freedom (Cochran 1977, ch. 5). The S of a stratum that is not taken whole is at least
 * the plan's noise floor: simulated cycles have few distinct values, so two samples often agree by chance. If a
 * stratum has fewer than two results and is not taken whole, the interval is unknown (not zero), unless the plan
 * uses a model variance or collapsed strata are requested. */
#ifndef VIVACE_SAMPLING_PROJECTION_H
#define VIVACE_SAMPLING_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/plan/plan.h"

/* The estimator of the total (sampling/estimate/estimator_aux.h); ratios and slopes are per kernel name. */
enum projection_estimator {
    PROJECT_AS_PLANNED,     /* plan->estimator */
    PROJECT_EXPANSION,      /* launches x mean */
    PROJECT_RATIO,          /* combined ratio to the profiled values of all launches */
    PROJECT_SEPARATE_RATIO, /* a ratio in each stratum: needs about five results in each */
    PROJECT_DIFFERENCE,     /* differences from kappa x the profiled value: exactly unbiased */
    PROJECT_REGRESSION      /* a line through the results against the profiled values */
};
const char *projection_estimator_name(enum projection_estimator x);     /* "planned", "expansion", "ratio", ... */
const char *projection_estimator_sentence(enum projection_estimator x); /* description without a full stop */
int projection_estimator_from_name(const char *name, enum projection_estimator *out, struct err *e);

struct projection_options {
    double level; /* of the interval; 0: the plan's */
    enum projection_estimator estimator;
    double kappa; /* y per unit of the profile, fixed before any result is known; 0: unknown, no difference
                     estimator */
    bool
        collapse; /* for strata with one result: variance from neighbouring strata (sampling/estimate/collapse.h) */
    bool alone;   /* no cross-checks */
    const double
        *error; /* one per sample: standard error of a value that was projected inside its launch; it widens the
                   interval (sampling/estimate/within_launch.h). NULL: all launches were simulated completely */
};
/* Default values. */
#define PROJECTION_OPTIONS_DEFAULT ((struct projection_options){.level = 0})

struct projection_stratum {
    uint64_t population, planned, done;
    double mean, sd;       /* of the results (total / N_h with a ratio); sd with n - 1, NaN when done < 2 */
    double half_width;     /* of `mean`, at the level; NaN when not known */
    double total;          /* N_h * mean */
    double variance;       /* of `total`; includes the noise floor, unlike `sd` */
    double variance_share; /* share of the variance of the whole total */
};

/* The same results by another estimator. A value far outside the interval needs investigation. A ratio that would
 * be biased, because launches vary too much, is left out. */
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
    double variance;        /* between launches */
    double within;          /* standard error inside launches that half_width includes (within_launch.h) */
    bool complete;          /* every planned sample has a result */
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

/* y: one value per plan sample, in the order of plan->samples; NaN: no result yet. Returns -1 also if the requested
 * estimator lacks an input: profiled values, or kappa. */
int projection_make_with(const struct plan *plan, const double *y, const struct projection_options *options,
                         struct projection *out, struct err *e);
int projection_make(const struct plan *plan, const double *y, double level, struct projection *out, struct err *e);
/* The projection of values that may be negative: gather_pairs() of two designs (sampling/estimate/gather.h). The
 * intervals of differences and ratios (struct comparison) come from the same spreads. Without warnings and
 * cross-checks. */
int projection_of_pairs(const struct plan *plan, const double *values, const double *sizes, double level,
                        struct projection *out, struct err *e);
void projection_release(struct projection *p);

/* Errors that no interval covers, one sentence each, NULL at the end. They are shown with every interval and never
 * included in it. */
extern const char *const projection_not_covered[];

/* --- two values of the same samples (sampling/estimate/paired.c) --- */

/* Two designs over the same samples (matched pairs): only samples with both results count. NaN until every stratum
 * has one such pair, half-widths until it has two or is taken whole. df is that of the difference. */
struct comparison {
    double difference, difference_half_width; /* total_b - total_a */
    double ratio, ratio_half_width;           /* total_b / total_a */
    double df, level;
    uint64_t paired_on;    /* samples with both results */
    bool distinguishable;  /* comparison_real() */
    bool cache_reversible; /* distinguishable, but not for all possible cache contents
                              (sampling/checks/cache_bounds.h) */
};
/* Whether 0 is outside the interval of the difference, and 1 outside that of the ratio if known. Both are required,
 * so that no displayed interval contradicts the result; near the limit they may differ, as the ratio's interval is
 * from a Taylor expansion. False if difference or half_width is NaN. */
bool comparison_real(double difference, double half_width, double ratio, double ratio_half_width);
int comparison_make(const struct plan *plan, const double *a, const double *b, double level, struct comparison *out,
                    struct err *e);

/* Any other quantity of the results, by the plan's own estimator. */
struct projected {
    double value, half_width, df; /* NaN as in struct projection */
    uint64_t results;             /* samples with a value; for a ratio those with both values */
    /* Counters and rates of counters (sampling/estimate/effective.h). effective: effective sample size of the
     * total; for a rate the least of both totals and, for a share, of the rest. hidden: the share of the total that
     * strata of several kernels or shapes may hide, whose launches are alike in the planned value only; for a rate
     * the larger of both. noise_df: degrees of freedom for noise that all strata have in common. The interval is
     * promised if no more than a fifth may be missing from the sample by either, and noise of a fifth of the
     * launches is in one of noise_df residuals. */
    double effective, hidden, noise_df;
    bool promised;
};
int projected_total(const struct plan *plan, const double *y, double level, struct projected *out, struct err *e);
/* Total top / total bottom of two designs over the same samples. NaN if the total of bottom is 0. */
int projected_ratio(const struct plan *plan, const double *top, const double *bottom, double level,
                    struct projected *out, struct err *e);

/* --- the simulator's counters; their spread: sampling/estimate/counters.c --- */

/* The total of a counter, 0 or more. */
int projected_counter(const struct plan *plan, const double *y, double level, struct projected *out, struct err *e);
/* A rate of two counters: the ratio of two totals, never a mean of rates. NaN if the total of bottom is 0. */
int projected_rate(const struct plan *plan, const double *top, const double *bottom, double level,
                   struct projected *out, struct err *e);

#endif
