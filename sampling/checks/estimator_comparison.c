/* Comparison of all estimators; definition of disagreement: estimator_comparison.h. */
#include "sampling/checks/estimator_comparison.h"

#include <math.h>

#include "base/assert.h"
#include "sampling/estimate/gather.h"

static const enum projection_estimator all[OPINIONS] = {PROJECT_EXPANSION, PROJECT_RATIO, PROJECT_DIFFERENCE,
                                                        PROJECT_REGRESSION};

static bool is_used(const struct plan *plan, enum projection_estimator asked, enum projection_estimator x)
{
    return asked == x ||
           (asked == PROJECT_AS_PLANNED && ((x == PROJECT_EXPANSION && plan->estimator == PLAN_EXPANSION) ||
                                            (x == PROJECT_RATIO && plan->estimator == PLAN_RATIO)));
}

static const char *why_not(const struct plan *plan, enum projection_estimator x)
{
    if (plan->unit != PROFILE_NS && estimator_needs_times(x))
        return plan->unit == PROFILE_CYCLES
                   ? "it needs profiled times: cycles do not follow estimated ones closely enough"
                   : "it needs profiled times: cycles do not follow warp instructions closely enough";
    return x == PROJECT_DIFFERENCE ? "it needs the profiled values, and a factor fixed beforehand"
                                   : "it needs the profiled value of every sample";
}

static int opinions_ask(const struct plan *plan, const double *y, const struct projection_options *options,
                        const struct projection *p, struct opinion *out, struct err *e)
{
    struct projection_options o = *options;
    struct projection r;

    o.estimator = out->estimator;
    o.alone = true;
    if (projection_make_with(plan, y, &o, &r, e) < 0) {
        out->why_not = why_not(plan, out->estimator);
        return e->code == ERR_INVALID ? 0 : -1;
    }
    out->value = r.value;
    out->half_width = r.half_width;
    out->df = r.df;
    out->warning = r.warning;
    ASSERT(!(r.half_width < 0) && !(p->half_width < 0));
    out->disagrees = fabs(r.value - p->value) > fmax(r.half_width, p->half_width) && !isnan(r.half_width) &&
                     !isnan(p->half_width);
    projection_release(&r);
    return 0;
}

int opinions_make(const struct plan *plan, const double *y, const struct projection_options *options,
                  const struct projection *p, struct opinions *out, struct err *e)
{
    *out = (struct opinions){0};
    for (int i = 0; i < OPINIONS; i++) {
        struct opinion *x = &out->each[i];

        x->estimator = all[i];
        x->used = is_used(plan, options->estimator, all[i]);
        if (opinions_ask(plan, y, options, p, x, e) < 0)
            return -1;
        x->disagrees &= !x->used;
        out->disagree |= x->disagrees;
        ASSERT(!x->used || !x->disagrees); /* the one in use is what the others are held against */
    }
    if (bootstrap_make(plan, y, options, p, BOOTSTRAP_RESAMPLES, &out->bootstrap, e) < 0)
        return -1;
    out->disagree |= !out->bootstrap.why_not && out->bootstrap.disagrees;
    return 0;
}
