/* sampling/math/means.h: harmonic, geometric and arithmetic mean of a score over workloads. Papers report the
 * harmonic mean (STEM+ROOT) or the geometric mean (PKA, Allegro) of speed-ups, and the arithmetic mean of errors.
 * For workloads of equal original time, the harmonic mean is the speed-up of the whole suite. */
#ifndef VIVACE_SAMPLING_MEANS_H
#define VIVACE_SAMPLING_MEANS_H

#include <stddef.h>

struct means {
    size_t count;                           /* number of values added */
    double harmonic, geometric, arithmetic; /* NaN without values; harmonic and geometric 0 where a value is 0 */
};
void means_add(struct means *m, double x); /* x >= 0; NaN is skipped. Start with {0} */
/* Turns the sums into means; once, at the end. */
void means_finish(struct means *m);

#endif
