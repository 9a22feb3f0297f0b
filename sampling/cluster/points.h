/* sampling/cluster/points.h: weighted feature vectors, each for one or more launches: the input of clustering and
 * classification.
 *
 * Launches with equal features are one point with a weight. Clustering distinct points with weights gives the same
 * result as clustering all launches, at lower cost. */
#ifndef VIVACE_SAMPLING_POINTS_H
#define VIVACE_SAMPLING_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/profile/profile.h"

struct points {
    size_t count, dims;
    double *x;        /* count rows of dims */
    uint64_t *weight; /* the number of launches that a row represents; at least 1 */
};

static inline double *point(const struct points *p, size_t i)
{
    return p->x + i * p->dims;
}
void points_release(struct points *p);
double distance_squared(const double *a, const double *b, size_t dims);

/* The distinct feature rows of the launches 0 .. n-1 whose value is not 0, by first appearance. */
struct feature_rows {
    struct points points; /* owned */
    uint32_t *first;      /* per row: lowest launch id */
    uint64_t *total;      /* per row: sum of values */
    uint32_t *of;         /* per launch: its row; GROUP_NOWHERE: its value is 0 */
};
/* `read` fills in the features of one launch. ERR_INVALID when one is negative, NaN or infinite. */
int feature_rows_make(const struct profile *p, uint64_t n, size_t dims,
                      void (*read)(const struct features *f, uint64_t launch, double *x), struct feature_rows *out,
                      struct err *e);
void feature_rows_release(struct feature_rows *r);

/* z = (v - mean) / population sd, column by column; a constant column becomes 0. */
struct standard {
    size_t dims;
    double *mean, *sd; /* sd 0: constant column */
};
int standard_fit(const struct points *p, struct standard *out, struct err *e);
void standard_apply(const struct standard *s, struct points *p);
void standard_release(struct standard *s);

#endif
