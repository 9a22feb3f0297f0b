/* sampling/estimator_aux.h: estimating a total, also with an auxiliary variable x that is known for all of them.
 *
 * Per stratum: N members whose x sum to X, and a simple random sample of (x, y). Formulas: Cochran 1977, ch. 5
 * (expansion), 6 (ratio), 7 (regression); Sarndal, Swensson, Wretman 1992, ch. 6 (difference). */
#ifndef VIVACE_SAMPLING_ESTIMATOR_AUX_H
#define VIVACE_SAMPLING_ESTIMATOR_AUX_H

#include <stddef.h>

struct aux_stratum {
    double population; /* N */
    double x_total;    /* X; not used by expansion */
    size_t n;
    const double *x, *y;  /* of the sample; x may be NULL for expansion */
    int with_replacement; /* no finite-population correction */
    double least_spread;  /* expansion only: y is taken to spread by at least this share of its mean */
};

struct aux_estimate {
    double value, variance;
    double df;          /* Satterthwaite's, from the strata's residuals; infinite where nothing is left to chance */
    double coefficient; /* the ratio R (combined), the slope b (regression) */
};

/* variance is NaN where a stratum that is not taken whole has fewer than two. */
struct aux_estimate estimate_expansion(const struct aux_stratum *s, size_t count);
/* One ratio for all strata: safe with few samples each. */
struct aux_estimate estimate_ratio_combined(const struct aux_stratum *s, size_t count);
/* A ratio per stratum: needs about five samples in each, as its bias falls with 1/n. */
struct aux_estimate estimate_ratio_separate(const struct aux_stratum *s, size_t count);
/* y - kappa x, with kappa fixed before anything was seen: exactly unbiased. */
struct aux_estimate estimate_difference(const struct aux_stratum *s, size_t count, double kappa);
/* One slope for all strata from the pooled sums; costs a degree of freedom. */
struct aux_estimate estimate_regression(const struct aux_stratum *s, size_t count);

#endif
