/* Gaussian kernel density, bandwidth 1, which Sieve's authors use to cut their third tier: log(sum(count exp(-(x -
 * v)^2 / 2))). Terms are computed relative to that of the nearest value, to avoid underflow. Assumes: values are
 * counts, so that a bandwidth of 1 is meaningful. */
#include "sampling/strata/density.h"

#include <math.h>

#include "base/assert.h"
#include "sampling/math/portable_math.h"

#define NOTHING_BEYOND 745.0 /* exp(-x) of a larger x is 0 in double precision */
#define STEPS          0x1p30

static double density_distance(const struct value_count *v, double x)
{
    return fabs((double)v->value - x);
}

/* The term of a value at distance d, relative to that of the nearest value. */
static double density_share(double d, double nearest)
{
    ASSERT_HOT(d >= nearest);
    return portable_exp(-(d - nearest) * (d + nearest) / 2);
}

double density_log(const struct value_count *values, size_t n, double x)
{
    size_t low = 0, high = n, at;
    double nearest, sum, d;

    ASSERT(n > 0);
    while (low < high) { /* finds the first value that is not below x */
        size_t middle = low + (high - low) / 2;

        if ((double)values[middle].value < x)
            low = middle + 1;
        else
            high = middle;
    }
    at = low == n || (low > 0 && density_distance(&values[low - 1], x) < density_distance(&values[low], x))
             ? low - 1
             : low;
    nearest = density_distance(&values[at], x);
    sum = (double)values[at].count;
    for (size_t i = at; i-- > 0;) {
        d = density_distance(&values[i], x);
        if ((d - nearest) * (d + nearest) / 2 > NOTHING_BEYOND)
            break;
        sum += (double)values[i].count * density_share(d, nearest);
    }
    for (size_t i = at + 1; i < n; i++) {
        d = density_distance(&values[i], x);
        if ((d - nearest) * (d + nearest) / 2 > NOTHING_BEYOND)
            break;
        sum += (double)values[i].count * density_share(d, nearest);
    }
    return rint((portable_log(sum) - nearest * nearest / 2) * STEPS) / STEPS;
}
