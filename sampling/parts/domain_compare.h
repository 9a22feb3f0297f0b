/* sampling/parts/domain_compare.h: compares two designs in each domain (layer, phase, step, class), over the same
 * samples.
 *
 * T is the total of a domain (sampling/parts/domain_estimate.h), and R = T_b / T_a. The error of R is the error of
 * the domain's total of b - R a, divided by T_a (Cochran 1977, ch. 6, as in sampling/estimate/paired.c). The spread
 * of these differences in a stratum is the same as in all comparisons (gather_differences()). */
#ifndef VIVACE_SAMPLING_DOMAIN_COMPARE_H
#define VIVACE_SAMPLING_DOMAIN_COMPARE_H

#include "sampling/checks/cache_bounds.h"
#include "sampling/parts/domain_estimate.h"

/* The two designs: values of the samples in one unit. */
struct domain_pair {
    struct bounded_values a, b; /* a: the baseline */
    double within[2];           /* error of each total from errors inside launches (within_launch_error()) */
    double level;               /* of each interval */
    size_t count;               /* of the greatest domains to compare: each ratio reads all samples */
};
/* NaN where a total is not known or not above zero; half-widths also where there are fewer than DOMAIN_RESULTS_MIN
 * pairs. */
struct domain_comparison {
    double difference, difference_half_width; /* total of b - total of a */
    double ratio, ratio_half_width;
    uint64_t paired_on;
    bool distinguishable, cache_reversible; /* as in struct comparison */
};
/* parts: as domain_estimates_of() gives them; out: one for each. Behind the first pair->count all is NaN. */
int domain_compare(const struct domain_counts *c, const struct domain_estimate *parts, size_t count,
                   const struct domain_pair *pair, struct domain_comparison *out, struct err *e);

#endif
