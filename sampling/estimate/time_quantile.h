/* sampling/estimate/time_quantile.h: quantiles of the launches' times, e.g. the median launch, or the slowest
 * hundredth.
 *
 * The value: from the weighted distribution F of the samples (a sample of stratum h counts N_h / n_h), the least v
 * with F(v) >= p.
 *
 * The interval: all v that a test does not reject as the quantile (Francisco and Fuller, Annals of Statistics 19,
 * 1991; in the manner of Woodruff, Journal of the American Statistical Association 47, 1952). p_h(v) is the share
 * of a stratum's samples at or below v; with fewer than TIME_QUANTILE_FEW samples, counts above and below v are too
 * coarse, so each sample is replaced by a normal density of its logarithm with the standard deviation 1.06 s_h
 * n_h^(-1/5) (Silverman, Density Estimation, 1986, 3.28), where s_h is the standard deviation of the samples'
 * logarithms, at least the planned relative spread, and at least the spread pooled over such strata. The number of
 * launches at or below v may be smaller than the sum of N_h p_h by the root of the sum of squares of
 *
 *     min(t_(n_h - 1) N_h sqrt((1 - n_h / N_h) p_h (1 - p_h) / (n_h - 1)), level N_h p_h)
 *
 * and larger by the same with 1 - p_h for the last p_h. The second argument of min keeps shares within 0 and 1, as
 * t is very large for two samples. Launches of value 0 are not counted. */
#ifndef VIVACE_SAMPLING_TIME_QUANTILE_H
#define VIVACE_SAMPLING_TIME_QUANTILE_H

#include "sampling/estimate/projection.h"

#define TIME_QUANTILE_FEW 100

struct time_quantile {
    double p;         /* in (0, 1) */
    double value;     /* NaN while a stratum has no result */
    double low, high; /* NaN while a stratum that is not taken whole has only one result */
};
/* Fills value, low and high of each; the plan counts launches (PLAN_EXPANSION) otherwise ERR_INVALID. */
int time_quantiles(const struct plan *plan, const double *y, double level, struct time_quantile *out, size_t count,
                   struct err *e);

#endif
