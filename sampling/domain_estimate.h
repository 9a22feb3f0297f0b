/* sampling/domain_estimate.h: totals of domains (layers, phases, steps, classes) from the samples of a plan, each
 * with an interval.
 *
 * A stratum h of N launches may hold launches of several domains; N_d of them belong to domain d, which the profile
 * says. With n results y of mean m, of which those of d are s_d, and M = the stratum's projected total / N,
 *
 *     total_d = sum over strata of  N_d M + N/n sum over s_d of (y - m).
 *
 * This is the generalised regression estimator for domains with a common mean in each stratum (Sarndal, Swensson,
 * Wretman, Model Assisted Survey Sampling, 1992, sections 10.6 and 7.6). The first term knows N_d; the second
 * corrects for domains that differ from the rest of their stratum. The totals of all domains add up to the
 * projected total.
 *
 * Its variance in a stratum is that of the residuals u = y - m inside d, u = 0 outside (Cochran, Sampling
 * Techniques, 1977, section 2.13 for domains, 5A.14 in strata):  N (N - n) / n S_u^2. A sample with few launches of
 * d shows S_u badly, so the variance is at least N_d / N (1 + 1 / n) times the variance of the stratum's total:
 * what it is if d spreads as the stratum does. A stratum whose launches are all of d has the stratum's own
 * variance. */
#ifndef VIVACE_SAMPLING_DOMAIN_ESTIMATE_H
#define VIVACE_SAMPLING_DOMAIN_ESTIMATE_H

#include <stdbool.h>

#include "sampling/domains.h"
#include "sampling/projection.h"

/* Results in a domain from which on its interval is given, unless all its strata are taken whole. */
#define DOMAIN_RESULTS_MIN 10

struct domain_estimate {
    const char *name; /* belongs to the view; "": launches without a domain */
    uint32_t domain;
    uint64_t launches; /* in strata of the plan: with a value above 0, and in its part */
    uint64_t profiled; /* their total, in the unit of the profile */
    uint64_t results;  /* distinct launches of the domain with a result */
    double value;      /* NaN: the projection has no value */
    double half_width; /* at the projection's level; NaN: not known, or too few results */
    double df;
    bool few; /* too few results for an interval */
};

/* Estimates every domain of the view, the greatest profiled total first; steps in the order of the profile. y and
 * p: the results and the projection that was made of them. Free *out. ERR_INVALID: the profile is not the plan's.
 */
int domain_estimates_make(const struct domain_view *v, enum domain_kind kind, const struct plan *plan,
                          const double *y, const struct projection *p, struct domain_estimate **out, size_t *count,
                          struct err *e);

#endif
