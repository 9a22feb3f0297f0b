/* The decision of an analysis in one sentence. */
#include "sampling/sequential/interim_internal.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

const char *interim_decision_name(enum interim_decision x)
{
    static const char *const names[] = {"more", "kept", "whole", "budget", "last"};

    return names[x];
}

static const struct interim_promise *furthest(const struct interim_analysis *l)
{
    const struct interim_promise *p = &l->promises[0];

    for (size_t i = 1; i < l->promise_count; i++)
        if (interim_gap(&l->promises[i]) > interim_gap(p))
            p = &l->promises[i];
    return p;
}

void interim_explain(const struct plan *plan, struct interim_analysis *l)
{
    const struct interim_promise *p = furthest(l);
    double share = p->difference ? 100 : 100 / fabs(p->value);
    char known[120];

    snprintf(known, sizeof known, "design %zu%s is known to +-%.3g %%, and +-%.3g %% is wanted", p->design + 1,
             p->difference ? " against the baseline" : "", share * p->half_width, share * p->wanted);
    if (estimate_says_nothing(p->value, p->half_width))
        snprintf(known, sizeof known,
                 "design %zu%s has an interval wider than the total itself, and +-%.3g %% is wanted", p->design + 1,
                 p->difference ? " against the baseline" : "", share * p->wanted);
    if (isnan(p->half_width))
        snprintf(known, sizeof known, "design %zu has strata without two results", p->design + 1);
    else if (!p->trusted && !p->kept && p->half_width <= p->wanted)
        snprintf(known, sizeof known, "design %zu has a narrow interval, but from too few or too skewed results",
                 p->design + 1);
    switch (l->decision) {
    case INTERIM_KEPT:
        snprintf(l->reason, sizeof l->reason, "every promise is kept at interim analysis %u", l->number);
        return;
    case INTERIM_WHOLE: snprintf(l->reason, sizeof l->reason, "%s; nothing is left to simulate", known); return;
    case INTERIM_BUDGET: snprintf(l->reason, sizeof l->reason, "%s; the budget is spent", known); return;
    case INTERIM_LAST:
        snprintf(l->reason, sizeof l->reason, "%s; this was the last interim analysis", known);
        return;
    case INTERIM_MORE: break;
    }
    snprintf(l->reason, sizeof l->reason, "%s: stratum %zu needs most, %llu -> %llu%s", known,
             l->largest_increment_stratum, (unsigned long long)plan->strata[l->largest_increment_stratum].samples,
             (unsigned long long)l->next[l->largest_increment_stratum],
             l->short_of_budget ? "; the budget pays for part of it" : "");
}
