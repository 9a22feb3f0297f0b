/* sampling/cluster/linkage.h: hierarchical clustering by average distance, cut at a height. */
#ifndef VIVACE_SAMPLING_LINKAGE_H
#define VIVACE_SAMPLING_LINKAGE_H

#include "sampling/cluster/points.h"

/* All pairs of a connected part are compared. With this number of points in one part that takes 1.6 GB and 10 to 20
 * seconds. */
#define LINKAGE_MAX 20000

/* Merges the two clusters of least mean distance (Euclid; over all pairs, a point of weight w counting as w points)
 * as long as it is below `cut`. label[i]: cluster of point i, numbered by first point, below *clusters.
 * ERR_TOO_LARGE for more than LINKAGE_MAX points. */
int average_linkage(const struct points *p, double cut, uint32_t *label, size_t *clusters, struct err *e);

/* Per cluster: the point nearest to the cluster's centroid (weighted mean); of equally near ones, the first. */
int nearest_to_centroid(const struct points *p, const uint32_t *label, size_t clusters, uint32_t *nearest,
                        struct err *e);

#endif
