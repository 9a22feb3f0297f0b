/* sampling/strata/optimal.h: finds the strata with the lowest cost of the whole plan, by dynamic programming.
 *
 * ROOT cuts each kernel on its own until a cut no longer pays. Here all kernels share one error: with a price
 * `lambda` on variance, a slice of a kernel's sorted times costs
 *     min over n of  c n + lambda * N^2 S^2 (1/n - 1/N),   n >= 2 or the slice taken whole,
 * (c: cost of a sample, by default its mean time) and the cheapest cuts of a sorted line into slices are a shortest
 * path. Exact for additive costs, O(bins^2) a line; the Lagrange multiplier of Everett (Operations Research 11,
 * 1963) makes them additive. */
#ifndef VIVACE_SAMPLING_OPTIMAL_H
#define VIVACE_SAMPLING_OPTIMAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A distinct value and the number of launches with it. */
struct value_count {
    uint64_t value, count;
};

/* A sorted line of values as bins of whole runs of equal values, with running sums. */
struct bins {
    size_t count;
    size_t *run_end;           /* end of bin i; a bin begins at the end of the one before */
    double *n, *sum, *squares; /* of the bins before i, i = 0 .. count; values minus `centre` */
    double centre, low, high;
    /* Additional responses that the plan has to estimate within the error, each scaled to the total of the values.
     */
    size_t response_count;
    struct response_sum *responses; /* sums of response r before bin i: responses[i * response_count + r] */
};
struct response_sum {
    double sum, squares;
};
/* At most `most` bins: more bins where distances between values are large and where values are frequent.
 * `responses` holds response_count sums for each run, or is NULL. */
int bins_make(const struct value_count *runs, size_t count, size_t most, const struct response_sum *responses,
              size_t response_count, struct bins *out, struct err *e);
void bins_release(struct bins *b);

struct slice_rules {
    double noise_floor; /* S is planned at no less than this share of the mean: times differ between runs */
    double follows; /* share of S that an estimator using the profiled values removes, 0 .. 1; residuals then have
                       the spread (1 - follows) S, plus the noise floor in proportion to the values */
    double noise; /* additional noise as a share of the mean, added in quadrature (sampling/strata/assurance.h); 0:
                     none */
    double least_gain;                /* a cut must save this share of what the uncut slice costs */
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
/* The total cost of all slices. */
double slices_cost(const struct bins *b, double lambda, const struct slice_rules *rules, const size_t *cuts,
                   size_t count);
/* The cost of the slice of bins [i, j), and its number of samples. */
double slice_cost(const struct bins *b, size_t i, size_t j, double lambda, const struct slice_rules *rules,
                  double *n);
/* S^2 of the slice, with N - 1, at least the noise floor: that of the values, or of the response with the largest
 * spread if it is larger; that of residuals if results follow the values (slice_rules.follows). rules.noise is not
 * included. The slice has the mean `mean` and at least two members. */
double slice_variance(const struct bins *b, size_t i, size_t j, double mean, double noise_floor, double follows);

#endif
