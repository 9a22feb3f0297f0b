/* sampling/strata/search.h: searches for the cheapest plan over the ways to put launches on lines, cut lines into
 * slices and size slices.
 *
 * Every price on variance gives the slices that are cheapest under it (sampling/strata/optimal.h); each set of
 * slices is sized for the real goal (sampling/allocate/allocate.h), which includes what a price cannot express:
 * integer sizes, Student's t, degrees of freedom, a budget. Prices are tried from high to low, and the best plan is
 * kept. */
#ifndef VIVACE_SAMPLING_SEARCH_H
#define VIVACE_SAMPLING_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/allocate/allocate.h"
#include "sampling/strata/lines.h"
#include "sampling/plan/plan.h"

/* Least planned degrees of freedom, and largest planned skewness of the total: Cochran's rule n > 25 G1^2 (Sampling
 * Techniques, 1977, 2.15) says 0.2 for a single stratum. With 0.15 and 3, the coverage of intervals on recorded
 * profiles equals that with ten degrees of freedom and no limit on skewness (docs/design/sampling-methods.md). */
#define SEARCH_LEAST_DF 3.0
/* Instruction counts, and cycles estimated from them, predict the spread of cycles poorly, so the strata with most
 * of the variance are not known in advance. */
#define SEARCH_LEAST_DF_INSTRUCTIONS 10.0
#define SEARCH_MOST_SKEWNESS         0.15

/* Share of the spread that a ratio to the profiled times removes: the plan assumes that simulated times follow a
 * kernel's profiled ones with a slope error of up to 30 %. */
#define SEARCH_FOLLOWS 0.7

/* Whether the plan uses ratios to the profiled times: requested, the unit is time, one response, and an interval is
 * wanted. */
bool search_by_ratio(const struct plan_params *params, const struct lines *l);

struct slicing {
    double price;
    bool *chosen; /* per line */
    bool mixed;   /* a line is shared by names; at equal cost separate lines are preferred, as they give results per
                     kernel */
    size_t *slices; /* per line: number of slices */
    size_t *cuts;   /* slice k of line i ends before bin cuts[lines.items[i].room + k] */
    size_t *first;  /* per chosen line: index of its first slice in sizes[] */
    size_t count;   /* slices of all chosen lines */
    struct alloc_stratum *sizes;
    struct alloc_outcome outcome;
};

/* The goal of the plan, from the parameters and the total of the values. */
struct alloc_goal search_goal(const struct plan_params *params, const struct lines *l, double total);
/* Returns -1 with ERR_INVALID if a budget is less than the cost of the minimum samples. */
int search_best(const struct lines *l, const struct plan_params *params, const struct alloc_goal *goal,
                struct slicing *best, struct err *e);
void slicing_release(struct slicing *s);

#endif
