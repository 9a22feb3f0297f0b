/* sampling/optimal.h: the strata that make the whole plan cheapest, found by dynamic programming.
 *
 * Where ROOT cuts each kernel on its own until a cut no longer pays, all kernels are here weighed against one
 * error: with a price `lambda` on variance, a slice of a kernel's sorted times costs
 *     min over n of  mean * n + lambda * N^2 S^2 (1/n - 1/N),   n >= 2 or the slice taken whole,
 * and the cheapest way to cut a sorted line into slices is a shortest path. */
#ifndef VIVACE_SAMPLING_OPTIMAL_H
#define VIVACE_SAMPLING_OPTIMAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A distinct value and how many have it. */
struct value_count {
    uint64_t value, count;
};

/* A sorted line of values as bins of whole runs of equal values, with running sums. */
struct bins {
    size_t count;
    size_t *run_end;           /* of bin i; bins begin where the one before ends */
    double *n, *sum, *squares; /* of the bins before i, i = 0 .. count; values less `centre` */
    double centre, low, high;
};
/* At most `most` bins: cut where values lie far apart and where there are many of them. */
int bins_make(const struct value_count *runs, size_t count, size_t most, struct bins *out, struct err *e);
void bins_release(struct bins *b);

struct slice_rules {
    double noise_floor; /* S is planned at no less than this share of the mean: times differ between runs */
    double least_gain;  /* a cut must save this share of what the uncut slice costs */
};

/* The cheapest slices under the price: cuts[0 .. returned) are bin numbers at which slices end, the last one being
 * bins->count. `cuts` and `scratch` have room for count + 1. */
struct slice_step { /* shortest path to a bin */
    double cost;
    size_t from;
};
size_t slice(const struct bins *b, double lambda, const struct slice_rules *rules, size_t *cuts,
             struct slice_step *scratch);
/* What all of them cost together. */
double slices_cost(const struct bins *b, double lambda, const struct slice_rules *rules, const size_t *cuts,
                   size_t count);
/* What the slice of bins [i, j) costs, and how many samples it gets. */
double slice_cost(const struct bins *b, size_t i, size_t j, double lambda, const struct slice_rules *rules,
                  double *n);

#endif
