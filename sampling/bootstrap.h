/* sampling/bootstrap.h: a second opinion on an interval, by resampling.
 *
 * Rescaling bootstrap for stratified samples (Rao and Wu, JASA 83, 1988): n_h - 1 draws with replacement from the
 * n_h results of each stratum, deviations from the stratum's mean scaled by sqrt(1 - n_h / N_h); the estimator is
 * worked out anew for each. Interval: BCa (Efron, "Better bootstrap confidence intervals", JASA 82, 1987), which
 * follows skewness where t is symmetric. It sees only what the samples show: no noise floor, and next to nothing of
 * a stratum with two results, so there t is to be trusted. */
#ifndef VIVACE_SAMPLING_BOOTSTRAP_H
#define VIVACE_SAMPLING_BOOTSTRAP_H

#include "sampling/projection.h"

#define BOOTSTRAP_RESAMPLES 2000 /* Efron 1987: some thousand for the ends of an interval */

struct bca {
    double bias;         /* z0: how far the estimate is from the middle of the resamples, in standard deviations */
    double acceleration; /* a: how the spread changes with the value */
    double probability[2]; /* of the ends, in the resample distribution */
    double low, high;
    double percentile_low, percentile_high; /* without both corrections */
};
/* The resample distribution is given (and sorted): each value as likely as any other. An end at probability p is
 * the value of rank ceil(p count). */
void bca_interval(double *resamples, size_t count, double estimate, double acceleration, double level,
                  struct bca *out);

struct bootstrap {
    const char *why_not; /* NULL; else there is none, and nothing below holds */
    size_t resamples;
    struct bca interval;
    double standard_error;
    double uninformed;    /* share of the variance that sits in strata with two results or under the noise floor */
    bool informative;     /* less than half of it */
    bool disagrees;       /* informative, and an end lies off that of the normal interval by more than a quarter of
                             the half-width: what t adds for few results, no resample shows */
    const char *sentence; /* what to make of it */
};
/* `p` was made from the same plan, results and options. Seeded by the plan's seed. */
int bootstrap_make(const struct plan *plan, const double *y, const struct projection_options *options,
                   const struct projection *p, size_t resamples, struct bootstrap *out, struct err *e);

#endif
