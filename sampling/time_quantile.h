/* sampling/time_quantile.h: quantiles of the launches' times, e.g. the median launch, or the slowest hundredth.
 *
 * From the weighted distribution F of the samples (a sample of stratum h counts N_h / n_h): the least value v with
 * F(v) >= p. Interval by Woodruff's method (Journal of the American Statistical Association 47, 1952): a stratified
 * t interval of the share of launches at or below v, read back through F. Launches of value 0 are not counted. */
#ifndef VIVACE_SAMPLING_TIME_QUANTILE_H
#define VIVACE_SAMPLING_TIME_QUANTILE_H

#include "sampling/projection.h"

struct time_quantile {
    double p;         /* in (0, 1) */
    double value;     /* NaN while a stratum has no result */
    double low, high; /* NaN while a stratum that is not taken whole has one */
};
/* Fills value, low and high of each; the plan counts launches (PLAN_EXPANSION) or ERR_INVALID. */
int time_quantiles(const struct plan *plan, const double *y, double level, struct time_quantile *out, size_t count,
                   struct err *e);

#endif
