/* sampling/time_quantile.h: quantiles of the launches' times, e.g. the median launch, or the slowest hundredth.
 *
 * The value: from the weighted distribution F of the samples (a sample of stratum h counts N_h / n_h), the least v
 * with F(v) >= p.
 *
 * The interval: all v that a test would not refuse as the quantile (Francisco and Fuller, Annals of Statistics 19,
 * 1991; in the manner of Woodruff, Journal of the American Statistical Association 47, 1952). p_h(v) is the share
 * of a stratum's samples at or below v; of fewer than TIME_QUANTILE_FEW, which say little by being above v or
 * below, each is spread as a normal density of its logarithm with the standard deviation 1.06 s_h n_h^(-1/5)
 * (Silverman, Density Estimation, 1986, 3.28), with s_h that of the samples' logarithms, and at least the relative
 * spread that the plan was sized with and that which such strata show together. The number of launches at or below
 * v may be less than the sum of N_h p_h by the root of the sum of squares of
 *
 *     min(t_(n_h - 1) N_h sqrt((1 - n_h / N_h) p_h (1 - p_h) / (n_h - 1)), level N_h p_h)
 *
 * and more by the same with 1 - p_h for the last p_h: a share ends at 0 and 1, wherever t goes with two samples.
 * Launches of value 0 are not counted.
 */
#ifndef VIVACE_SAMPLING_TIME_QUANTILE_H
#define VIVACE_SAMPLING_TIME_QUANTILE_H

#include "sampling/projection.h"

#define TIME_QUANTILE_FEW 100

struct time_quantile {
    double p;         /* in (0, 1) */
    double value;     /* NaN while a stratum has no result */
    double low, high; /* NaN while a stratum that is not taken whole has only one */
};
/* Fills value, low and high of each; the plan counts launches (PLAN_EXPANSION) or ERR_INVALID. */
int time_quantiles(const struct plan *plan, const double *y, double level, struct time_quantile *out, size_t count,
                   struct err *e);

#endif
