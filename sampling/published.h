/* sampling/published.h: formulas of the papers, shared by the methods that follow them. */
#ifndef VIVACE_SAMPLING_PUBLISHED_H
#define VIVACE_SAMPLING_PUBLISHED_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/groups.h"

/* STEM's size for one cluster, before rounding: (z sigma / (mu epsilon))^2, sigma with N. */
double stem_single(const struct moments *m, double z, double error);

/* STEM's sizes for several clusters under one error, before rounding: minimise sum(m mu) subject to
 * sum(N^2 sigma^2 / m) <= (epsilon sum(N mu) / z)^2. The paper's equation 6 has the root over the sum; the sum of
 * the roots is what its appendix derives and what keeps the bound. */
void stem_joint(const struct moments *clusters, size_t count, double z, double error, double *n);

/* Allegro's size: max(ceil(raw), 30) where raw is STEM's formula for one cluster. */
double allegro_samples(const struct moments *m, double z, double error);

/* A whole number within 1 .. population. */
uint64_t clip_samples(double n, uint64_t population);

#endif
