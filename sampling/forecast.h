/* sampling/forecast.h: what more samples will do to an interval, as far as can be known before they are there. */
#ifndef VIVACE_SAMPLING_FORECAST_H
#define VIVACE_SAMPLING_FORECAST_H

#include <stdint.h>

/* A half-width after `done` samples, at `at` of them: as one over the root of their number, as long as the spread
 * stays what it is and the samples stay shared out as they are. NaN without samples or a half-width. */
double forecast_half_width(double half_width, uint64_t done, uint64_t at);

/* How many samples in all it then takes for a half-width of at most `wanted`: `done` where it is that already,
 * UINT64_MAX where no number does. */
uint64_t forecast_samples(double half_width, uint64_t done, double wanted);

#endif
