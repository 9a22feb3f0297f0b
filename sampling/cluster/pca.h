/* sampling/cluster/pca.h: principal components of weighted points. */
#ifndef VIVACE_SAMPLING_PCA_H
#define VIVACE_SAMPLING_PCA_H

#include "sampling/cluster/points.h"

struct pca {
    size_t dims, kept;
    double *explained; /* dims shares of the variance, greatest first; all 0 if no column varies */
    double *vectors;   /* dims rows of dims: row c is the direction of component c, of length 1 */
};
/* Keeps the fewest components whose shares sum to more than `share` (strictly); none if no column varies. The
 * points have mean 0 in every column (standard_apply). */
int pca_fit(const struct points *p, double share, struct pca *out, struct err *e);
/* The points in the kept components; out->weight is a copy. Release with points_release(). */
int pca_apply(const struct pca *a, const struct points *p, struct points *out, struct err *e);
void pca_release(struct pca *a);

#endif
