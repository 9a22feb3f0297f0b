/* sampling/checks/correlation.h: how simulated times agree with measured ones, launch by launch. */
#ifndef VIVACE_SAMPLING_CORRELATION_H
#define VIVACE_SAMPLING_CORRELATION_H

#include <stddef.h>

#define CORRELATION_FAR 0.3 /* an error beyond this counts as `far` */

/* With r = simulated / measured of each pair. NaN where it is not defined. */
struct correlation {
    size_t count;
    double error; /* mean of |r - 1|: the mean absolute error of architecture papers */
    double bias;  /* geometric mean of r */
    double log_r; /* Pearson's correlation of the logarithms; NaN below three pairs, or if one side is constant */
    double total; /* sum of simulated / sum of measured */
    size_t far;   /* pairs with |r - 1| above CORRELATION_FAR */
    double least, most; /* of r */
};

/* All values must be above 0. */
struct correlation correlation_of(const double *measured, const double *simulated, size_t count);

#endif
