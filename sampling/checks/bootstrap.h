/* sampling/checks/bootstrap.h: an interval by resampling, to check the t interval.
 *
 * Rescaling bootstrap for stratified samples (Rao and Wu, JASA 83, 1988): n_h - 1 draws with replacement from the
 * n_h results of each stratum, deviations from the stratum's mean scaled by sqrt(1 - n_h / N_h); the estimator is
 * computed again for each resample. Interval: BCa (Efron, "Better bootstrap confidence intervals", JASA 82, 1987),
 * which follows skewness where t is symmetric. It uses the samples alone: no noise floor, and a stratum with two
 * results gives almost no information, so there the t interval is the better one. */
#ifndef VIVACE_SAMPLING_BOOTSTRAP_H
#define VIVACE_SAMPLING_BOOTSTRAP_H

#include "sampling/estimate/projection.h"

#define BOOTSTRAP_RESAMPLES 2000 /* Efron 1987: about a thousand for the ends of an interval */

struct bca {
    double bias;         /* z0: how far the estimate is from the middle of the resamples, in standard deviations */
    double acceleration; /* a: the change of the spread with the value */
    double probability[2]; /* probabilities of both ends in the resample distribution */
    double low, high;
    double percentile_low, percentile_high; /* ends of the interval without the two corrections */
};
/* `resamples` is the resample distribution, all values equally likely; the function sorts it. An end at probability
 * p is the value of rank ceil(p count). */
void bca_interval(double *resamples, size_t count, double estimate, double acceleration, double level,
                  struct bca *out);

struct bootstrap {
    const char *why_not; /* NULL; otherwise the reason why there is no bootstrap interval, and the fields below are
                            not valid */
    size_t resamples;
    struct bca interval;
    double standard_error;
    double uninformed; /* share of the variance in strata with two results or with a spread below the noise floor */
    bool informative;  /* less than half of it */
    bool disagrees;    /* informative, and an end differs from that of the normal interval by more than a quarter of
                          the half-width. (Resamples do not include what t adds for few results.) */
    const char *sentence; /* interpretation for users */
};
/* `p` was made from the same plan, results and options. Seeded by the plan's seed. */
int bootstrap_make(const struct plan *plan, const double *y, const struct projection_options *options,
                   const struct projection *p, size_t resamples, struct bootstrap *out, struct err *e);

#endif
