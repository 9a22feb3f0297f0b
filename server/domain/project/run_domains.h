/* server/domain/project/run_domains.h: the totals of a run's designs by part (layer, phase, step, class), and each
 * design compared with one of them in each part.
 *
 * A total has the level of the run's total. The ratios hold simultaneously at the run's confidence, as those of
 * kernels do: with m of them each has the level 1 - (1 - confidence) / m (sampling/estimate/comparisons.h). */
#ifndef VIVACE_SERVER_RUN_RUN_DOMAINS_H
#define VIVACE_SERVER_RUN_RUN_DOMAINS_H

#include "sampling/parts/domain_compare.h"
#include "server/domain/project/run_differences.h"

struct design_domains {
    struct projection total;
    struct domain_estimate *parts;
    struct domain_comparison *compared; /* with the baseline; NULL: this is the baseline */
};
struct run_domains {
    size_t design_count, count, baseline; /* count: of parts */
    double ratio_level;                   /* of each ratio; NaN: there is one design */
    struct design_domains *designs;       /* parts of all designs are in the same order */
};
/* ERR_INVALID: the view's profile is not the one of the run's plan. The caller releases *out, also after a failure.
 */
int run_domains_make(struct run_domains *out, const struct run_results *r, const struct run_levels *l,
                     const struct domain_view *v, enum domain_kind kind, size_t baseline, struct err *e) MUST_CHECK;
void run_domains_release(struct run_domains *d);

#endif
