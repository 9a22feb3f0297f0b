/* sampling/search.h: the cheapest plan over all ways to lay out, cut and size a profile's launches.
 *
 * Every price on variance gives the slices that are cheapest under it (sampling/optimal.h); each set of slices is
 * sized against the real goal (sampling/allocate.h), which a price cannot express: whole numbers, Student's t,
 * degrees of freedom, a budget. Prices are tried from high to low, and the best plan is kept. */
#ifndef VIVACE_SAMPLING_SEARCH_H
#define VIVACE_SAMPLING_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/allocate.h"
#include "sampling/lines.h"
#include "sampling/plan.h"

/* Least planned degrees of freedom, and largest planned skewness of the total: Cochran's rule n > 25 G1^2 (Sampling
 * Techniques, 1977, 2.15) says 0.2 for a single stratum. With 0.15 and 3, intervals on recorded profiles hold the
 * truth as often as with ten degrees and no look at skewness (docs/design/sampling-methods.md). */
#define SEARCH_LEAST_DF 3.0
/* Instruction counts, and cycles estimated from them, say little about how cycles spread, so which strata will hold
 * the variance is not known. */
#define SEARCH_LEAST_DF_INSTRUCTIONS 10.0
#define SEARCH_MOST_SKEWNESS         0.15

/* What a ratio to the profiled times leaves of their spread: the plan counts on simulated times that follow the
 * profiled ones of a kernel with a slope that is off by up to 30 %. */
#define SEARCH_FOLLOWS 0.7

/* The plan goes by ratios to the profiled times: asked for, times, one response, and an interval to be had. */
bool search_by_ratio(const struct plan_params *params, const struct lines *l);

struct slicing {
    double price;
    bool *chosen;   /* per line */
    bool mixed;     /* names share one: at equal cost rather not, as kernels are then distinguished */
    size_t *slices; /* per line: how many */
    size_t *cuts;   /* slice k of line i ends before bin cuts[lines.items[i].room + k] */
    size_t *first;  /* per chosen line: where its slices stand in sizes[] */
    size_t count;   /* slices of all chosen lines */
    struct alloc_stratum *sizes;
    struct alloc_outcome outcome;
};

/* What the plan shall keep: from the parameters, and the total of the values. */
struct alloc_goal search_goal(const struct plan_params *params, const struct lines *l, double total);
/* -1 with ERR_INVALID when a budget does not even pay the least samples. */
int search_best(const struct lines *l, const struct plan_params *params, const struct alloc_goal *goal,
                struct slicing *best, struct err *e);
void slicing_release(struct slicing *s);

#endif
