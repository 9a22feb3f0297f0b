/* Harmonic n / sum(1 / x), geometric exp(sum(log x) / n), arithmetic sum(x) / n; use of each: means.h. */
#include "sampling/math/means.h"

#include <math.h>

/* Before means_finish() the fields contain the sums of 1/x, ln x and x. */
void means_add(struct means *m, double x)
{
    if (isnan(x))
        return;
    m->count++;
    m->harmonic += 1 / x;
    m->geometric += log(x);
    m->arithmetic += x;
}

void means_finish(struct means *m)
{
    double n = (double)m->count;

    m->harmonic = n > 0 ? n / m->harmonic : NAN;
    m->geometric = n > 0 ? exp(m->geometric / n) : NAN;
    m->arithmetic = n > 0 ? m->arithmetic / n : NAN;
}
