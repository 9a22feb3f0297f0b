/* sampling/parts/domain_estimate.h: totals of domains (layers, phases, steps, classes) from the samples of a plan,
 * each with an interval.
 *
 * A stratum h of N launches may hold launches of several domains; N_d of them belong to domain d; N_d is known from
 * the profile. With n results y of mean m, of which those of d are s_d, and M = the stratum's projected total / N,
 *
 *     total_d = sum over strata of  N_d M + N/n sum over s_d of (y - m).
 *
 * This is the generalised regression estimator for domains with a common mean in each stratum (Sarndal, Swensson,
 * Wretman, Model Assisted Survey Sampling, 1992, sections 10.6 and 7.6). The first term uses the known N_d. The
 * second term corrects for domains that differ from the rest of their stratum. The totals of all domains add up to
 * the projected total.
 *
 * Its variance in a stratum is that of the residuals u = y - m inside d, u = 0 outside (Cochran, Sampling
 * Techniques, 1977, section 2.13 for domains, 5A.14 in strata):  N (N - n) / n S_u^2. S_u is estimated poorly from
 * a sample with few launches of d. So the variance is at least N_d / N (1 + 1 / n) times the variance of the
 * stratum's total, which is its value if d has the same spread as the stratum. If all launches of a stratum belong
 * to d, the variance is that of the stratum.
 *
 * The estimate of a domain with few results can be below zero. No total is, so it has no value then, and the other
 * domains add up to more than the projected total. */
#ifndef VIVACE_SAMPLING_DOMAIN_ESTIMATE_H
#define VIVACE_SAMPLING_DOMAIN_ESTIMATE_H

#include <stdbool.h>

#include "sampling/profile/domains.h"
#include "sampling/estimate/projection.h"

/* Minimum number of results in a domain for an interval, unless all its strata are taken whole. */
#define DOMAIN_RESULTS_MIN 10

struct domain_estimate {
    const char *name; /* belongs to the view; "": launches without a domain */
    uint32_t domain;
    uint64_t launches; /* launches in strata of the plan: those with a value above 0 in the plan's part of the
                          workload */
    uint64_t profiled; /* total of these launches, in the unit of the profile */
    uint64_t results;  /* distinct launches of the domain with a result */
    double value;      /* NaN: the projection has no value */
    double half_width; /* at the projection's level; NaN: not known, or too few results */
    double df;
    bool few;        /* too few results for an interval */
    bool below_zero; /* the estimate is negative, which no total is: value and half_width are NaN */
};

/* The launches of each domain in each stratum. The view and the plan must outlive it. ERR_INVALID: the profile is
 * not the plan's. */
struct domain_counts;
struct domain_counts *domain_counts_new(const struct domain_view *v, const struct plan *plan, struct err *e);
void domain_counts_free(struct domain_counts *c);
const struct plan *domain_counts_plan(const struct domain_counts *c);

/* Estimates every domain of the view, the greatest profiled total first; steps in the order of the profile. y: the
 * results; p: the projection that was made from them. The caller frees *out. */
int domain_estimates_of(const struct domain_counts *c, enum domain_kind kind, const double *y,
                        const struct projection *p, struct domain_estimate **out, size_t *count, struct err *e);
/* The same with counts of its own. ERR_INVALID: the profile is not the plan's. */
int domain_estimates_make(const struct domain_view *v, enum domain_kind kind, const struct plan *plan,
                          const double *y, const struct projection *p, struct domain_estimate **out, size_t *count,
                          struct err *e);
/* The same formula for some domains and any values of the samples, which may be negative, as differences are. out:
 * one per domain. */
int domain_values_of(const struct domain_counts *c, const double *y, const struct projection *p,
                     const uint32_t *domains, size_t count, struct domain_estimate *out, struct err *e);
/* Why there is no value or no interval, without a full stop; NULL: both are there, or results are missing. */
const char *domain_estimate_why_not(const struct domain_estimate *d);

#endif
