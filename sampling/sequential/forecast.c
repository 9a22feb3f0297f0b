#include "sampling/sequential/forecast.h"

#include <math.h>

#include "base/assert.h"

double forecast_half_width(double half_width, uint64_t done, uint64_t at)
{
    ASSERT(!(half_width < 0));
    return done && at && half_width >= 0 ? half_width * sqrt((double)done / (double)at) : NAN;
}

uint64_t forecast_samples(double half_width, uint64_t done, double wanted)
{
    double ratio = half_width / wanted, samples = ceil((double)done * ratio * ratio);

    if (half_width <= wanted)
        return done;
    return wanted > 0 && done && samples < 0x1p63 ? (uint64_t)samples : UINT64_MAX;
}
