#include "sampling/checks/correlation.h"

#include <math.h>

#include "base/assert.h"

/* Two passes: the means first, so that the sums of squares lose no digits. */
static double log_correlation(const double *x, const double *y, size_t count)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < count; i++) {
        mean_x += log(x[i]) / (double)count;
        mean_y += log(y[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double dx = log(x[i]) - mean_x, dy = log(y[i]) - mean_y;

        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return count > 2 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

struct correlation correlation_of(const double *measured, const double *simulated, size_t count)
{
    struct correlation c = {count, NAN, NAN, NAN, NAN, 0, NAN, NAN};
    double errors = 0, logs = 0, sums[2] = {0, 0};

    for (size_t i = 0; i < count; i++) {
        double r = simulated[i] / measured[i];

        ASSERT(measured[i] > 0 && simulated[i] > 0);
        errors += fabs(r - 1);
        logs += log(r);
        sums[0] += measured[i];
        sums[1] += simulated[i];
        c.far += fabs(r - 1) > CORRELATION_FAR;
        c.least = fmin(c.least, r); /* of a NaN and a number, fmin() returns the number */
        c.most = fmax(c.most, r);
    }
    if (count == 0)
        return c;
    c.error = errors / (double)count;
    c.bias = exp(logs / (double)count);
    c.total = sums[1] / sums[0];
    c.log_r = log_correlation(measured, simulated, count);
    return c;
}
