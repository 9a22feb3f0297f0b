/* sampling/means.h: the three means of a score over workloads. Which one is printed changes the story: papers
 * report speed-ups by their harmonic mean (STEM+ROOT) or their geometric mean (PKA, Allegro), errors by their
 * arithmetic mean. For the speed-up of a suite that is run as a whole, the harmonic mean is the one that means
 * something. */
#ifndef VIVACE_SAMPLING_MEANS_H
#define VIVACE_SAMPLING_MEANS_H

#include <stddef.h>

struct means {
    size_t count;                           /* values that went in */
    double harmonic, geometric, arithmetic; /* NaN without values; harmonic and geometric 0 where a value is 0 */
};
void means_add(struct means *m, double x); /* x >= 0; NaN is skipped. Start with {0} */
/* Turns the sums into means; once, at the end. */
void means_finish(struct means *m);

#endif
