/* sampling/comparisons.h: n designs against one baseline, over the same samples, in all and per kernel.
 *
 * Differences and ratios by matched pairs (sampling/projection.h: struct comparison). All intervals are to hold
 * together: with m of them each is at 1 - (1 - level) / m (Bonferroni's inequality; Dunn, Journal of the American
 * Statistical Association 56, 1961), which is right however they depend on each other. Totals are one family of n -
 * 1, kernels another of (n - 1) x kernels. A design is not distinguishable from the baseline by
 * comparison_real(): zero is in the interval of its difference, or one in that of the ratio. */
#ifndef VIVACE_SAMPLING_COMPARISONS_H
#define VIVACE_SAMPLING_COMPARISONS_H

#include "sampling/projection.h"

struct kernel_comparison {
    const char *kernel;     /* of the plan; "" : a stratum of several names */
    size_t stratum;         /* its first */
    double baseline, total; /* of the pairs' strata; NaN as in struct comparison */
    double difference, difference_half_width;
    double ratio, ratio_half_width;
    bool distinguishable, cache_reversible; /* as in struct comparison */
};

struct comparisons {
    size_t baseline, design_count, kernel_count;
    double level;                      /* that all intervals of a family hold together with */
    double total_level;                /* of each interval of a total */
    double kernel_level;               /* of each interval of a kernel */
    struct comparison *totals;         /* per design; that of the baseline is all zero, ratio 1 */
    struct kernel_comparison *kernels; /* [design * kernel_count + kernel]; kernels in the plan's order */
};
extern const char comparisons_rule[]; /* one sentence for people */

/* y[d]: as for projection_make(). -1 with ERR_INVALID when the baseline is none of the designs or there is but one.
 */
int comparisons_make(const struct plan *plan, const double *const *y, size_t designs, size_t baseline, double level,
                     struct comparisons *out, struct err *e);
void comparisons_release(struct comparisons *c);

#endif
