/* sampling/density.h: a smoothed histogram of whole numbers: where values lie dense, and where they do not. */
#ifndef VIVACE_SAMPLING_DENSITY_H
#define VIVACE_SAMPLING_DENSITY_H

#include <stddef.h>

#include "sampling/optimal.h"

/* log(sum over values v of count(v) exp(-(x - v)^2 / 2)): a Gaussian kernel density estimate with bandwidth 1, but
 * for a constant. `values` ascending, n >= 1. The same on every machine, and rounded to 2^-30, so that places that
 * mirror each other are equally dense whatever order the sum was taken in. */
double density_log(const struct value_count *values, size_t n, double x);

#endif
