/* sampling/strata/density.h: kernel density estimate of whole numbers. */
#ifndef VIVACE_SAMPLING_DENSITY_H
#define VIVACE_SAMPLING_DENSITY_H

#include <stddef.h>

#include "sampling/strata/optimal.h"

/* log(sum over values v of count(v) exp(-(x - v)^2 / 2)): a Gaussian kernel density estimate with bandwidth 1,
 * without its constant factor. `values` ascending, n >= 1. The same on every machine, and rounded to 2^-30, so that
 * mirror-image positions have equal density for any order of summation. */
double density_log(const struct value_count *values, size_t n, double x);

#endif
