/* sampling/sequential/forecast.h: predicts the half-width of an interval after more samples. */
#ifndef VIVACE_SAMPLING_FORECAST_H
#define VIVACE_SAMPLING_FORECAST_H

#include <stdint.h>

/* Predicts the half-width at `at` samples from the half-width after `done` samples, in proportion to 1 /
 * sqrt(samples). Assumes that the spread and the allocation to strata do not change. NaN without samples or a
 * half-width. */
double forecast_half_width(double half_width, uint64_t done, uint64_t at);

/* The total number of samples for a half-width of at most `wanted`: `done` if it is reached already, UINT64_MAX if
 * no number is enough. */
uint64_t forecast_samples(double half_width, uint64_t done, double wanted);

#endif
