/* sampling/projection.h: simulated samples -> the whole workload, with an interval.
 *
 * total = sum over strata of N_h * mean_h. The interval comes from the simulated values, never from the profile:
 * stratified variance with finite-population correction and Satterthwaite's degrees of freedom (Cochran 1977,
 * ch. 5). A stratum that is not taken whole is taken to spread by at least the plan's noise floor: simulated cycles
 * are whole numbers with few distinct values, so two samples often agree by chance where the rest does not. Strata
 * that are not covered (fewer than two results and not taken whole) make it unknown, not zero. */
#ifndef VIVACE_SAMPLING_PROJECTION_H
#define VIVACE_SAMPLING_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/plan.h"

struct projection_stratum {
    uint64_t population, planned, done;
    double mean, sd;       /* of the results; sd with n - 1, NaN when done < 2 */
    double half_width;     /* of `mean`, at the level; NaN when not known */
    double total;          /* N_h * mean */
    double variance;       /* of `total`; `sd` is as seen, this is with the noise floor */
    double variance_share; /* of the whole variance: where the doubt sits */
};

struct projection {
    double value;      /* NaN until every stratum has at least one result */
    double half_width; /* NaN until every stratum has two, or is taken whole */
    double df, level;
    double variance;
    bool complete;          /* every planned sample has a result */
    uint64_t done, planned; /* distinct samples */
    bool reweighted;        /* some samples have no result: strata were re-weighted over those that have */
    size_t stratum_count;
    struct projection_stratum *strata;
    const char *variance_method; /* "stratified, fpc, Satterthwaite t", ... */
    const char *warning;         /* NULL, or one sentence */
    /* The same results, once more with the profiled values of all invocations as auxiliary (combined ratio
     * estimator: sampling/estimator_aux.h). Where it lies far outside the interval, look. NaN without profiled
     * values, or until every stratum has two results or is taken whole. */
    double cross_check, cross_check_half_width;
};

/* y: one value a plan sample, in the order of plan->samples; NaN where there is no result yet. */
int projection_make(const struct plan *plan, const double *y, double level, struct projection *out, struct err *e);
void projection_release(struct projection *p);

/* Two designs over the same samples (matched pairs): only samples with both results count. NaN until every stratum
 * has one such pair, half-widths until it has two or is taken whole. df is that of the difference. */
struct comparison {
    double difference, difference_half_width; /* total_b - total_a */
    double ratio, ratio_half_width;           /* total_b / total_a */
    double df, level;
    uint64_t paired_on;   /* samples with both results */
    bool distinguishable; /* zero is outside the interval of the difference */
};
int comparison_make(const struct plan *plan, const double *a, const double *b, double level, struct comparison *out,
                    struct err *e);

/* The makespan under a design (methods.md D18): every invocation's duration scaled by its stratum's
 * mean_h / profile mean_h, started when its stream is free and not before its profiled gap, busy-interval union.
 * seconds_per_unit converts y's unit. NaN when the profile has no times or the projection has no value. */
double projection_makespan_s(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             double seconds_per_unit);

#endif
