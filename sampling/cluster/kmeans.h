/* sampling/cluster/kmeans.h: k-means clustering of weighted points. */
#ifndef VIVACE_SAMPLING_KMEANS_H
#define VIVACE_SAMPLING_KMEANS_H

#include "sampling/cluster/points.h"

/* The best of 10 starts. label[i]: group of point i, below *groups <= k; *groups is less if fewer than k points are
 * distinct. The same points, k and seed give the same labels. k >= 1, at least one point. */
int kmeans(const struct points *p, size_t k, uint64_t seed, uint32_t *label, size_t *groups, struct err *e);

#endif
