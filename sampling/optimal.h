/* sampling/optimal.h: the strata that make the whole plan cheapest, found by dynamic programming.
 *
 * Where ROOT cuts each kernel on its own until a cut no longer pays, all kernels are here weighed against one
 * error: with a price `lambda` on variance, a slice of a kernel's sorted times costs
 *     min over n of  c n + lambda * N^2 S^2 (1/n - 1/N),   n >= 2 or the slice taken whole,
 * (c: what a sample costs, by default its mean time) and the cheapest way to cut a sorted line into slices is a
 * shortest path. Exact for additive costs, O(bins^2) a line; the Lagrange multiplier of Everett (Operations
 * Research 11, 1963) makes them additive. */
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
    /* Further responses that the plan shall keep as well, each scaled to the total of the values. */
    size_t response_count;
    struct response_sum *responses; /* of response r before bin i: responses[i * response_count + r] */
};
struct response_sum {
    double sum, squares;
};
/* At most `most` bins: cut where values lie far apart and where there are many of them. `responses` holds
 * response_count sums for each run, or is NULL. */
int bins_make(const struct value_count *runs, size_t count, size_t most, const struct response_sum *responses,
              size_t response_count, struct bins *out, struct err *e);
void bins_release(struct bins *b);

struct slice_rules {
    double noise_floor; /* S is planned at no less than this share of the mean: times differ between runs */
    double follows;     /* what an estimator that uses the values takes away of how far they spread, 0 .. 1; then
                         * residuals spread by (1 - follows) S and, in proportion to the values, by the floor */
    double noise;       /* and this share of the mean comes on top, as squares add up: sampling/assurance.h; 0 */
    double least_gain;  /* a cut must save this share of what the uncut slice costs */
    double cost_fixed, cost_per_unit; /* of a sample: fixed + per_unit * its value */
    double least;                     /* samples of a slice that is not taken whole: 1, 2, ... */
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
/* S^2 of the slice, with N - 1, no less than the noise floor: of the values or, where it is larger, of the
 * response that spreads most; of residuals where results follow the values (slice_rules.follows). Without
 * rules.noise. The slice has a mean of `mean`, and two members at least. */
double slice_variance(const struct bins *b, size_t i, size_t j, double mean, double noise_floor, double follows);

#endif
