/* sampling/estimate/comparisons.h: compares several designs with a baseline over the same samples, for the total
 * and per kernel.
 *
 * Differences and ratios by matched pairs (sampling/estimate/projection.h: struct comparison). The intervals are
 * simultaneous: with m of them each has the level 1 - (1 - level) / m (Bonferroni's inequality; Dunn, Journal of
 * the American Statistical Association 56, 1961), which is valid for any dependence between them. The totals of n
 * designs are one family of n - 1 intervals, the kernels another of (n - 1) x kernels. A design is not
 * distinguishable from the baseline (comparison_real()) if the interval of the difference contains 0 or that of the
 * ratio contains 1. */
#ifndef VIVACE_SAMPLING_COMPARISONS_H
#define VIVACE_SAMPLING_COMPARISONS_H

#include "sampling/estimate/projection.h"

struct kernel_comparison {
    const char *kernel;     /* name in the plan; "": a stratum of several names */
    size_t stratum;         /* the kernel's first stratum */
    double baseline, total; /* of the pairs' strata; NaN as in struct comparison */
    double difference, difference_half_width;
    double ratio, ratio_half_width;
    bool distinguishable, cache_reversible; /* as in struct comparison */
};

struct comparisons {
    size_t baseline, design_count, kernel_count;
    double level;                      /* joint level of all intervals of a family */
    double total_level;                /* of each interval of a total */
    double kernel_level;               /* of each interval of a kernel */
    struct comparison *totals;         /* per design; that of the baseline is all zero, ratio 1 */
    struct kernel_comparison *kernels; /* [design * kernel_count + kernel]; kernels in the plan's order */
};
extern const char comparisons_rule[]; /* one sentence for users */

/* y[d]: as for projection_make(). -1 with ERR_INVALID when the baseline is not one of the designs, or there is only
 * one design. */
int comparisons_make(const struct plan *plan, const double *const *y, size_t designs, size_t baseline, double level,
                     struct comparisons *out, struct err *e);
void comparisons_release(struct comparisons *c);

#endif
