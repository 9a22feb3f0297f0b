/* The text of an interim analysis's decision, as a part of events. */
#include "server/domain/project/stopping_internal.h"

#include <math.h>

#include "base/text.h"
#include "server/store/event/event.h"

#define NAME_SHOWN 60 /* bytes of a kernel's name in an event; the rest is cut off */

const struct interim_promise *stopping_worst(const struct interim_analysis *analysis)
{
    const struct interim_promise *out = NULL;

    for (size_t i = 0; i < analysis->promise_count; i++) {
        const struct interim_promise *m = &analysis->promises[i];

        if (!m->kept && !m->waits && (!out || m->half_width * out->wanted > out->half_width * m->wanted))
            out = m;
    }
    return out;
}

static json_t *doubt(const struct verdict *v, const struct run_results *r, const struct interim_promise *m)
{
    double wanted = m->difference ? v->rule.resolve : v->rule.error;
    bool unknown = isnan(m->half_width) || !(m->wanted > 0);
    bool wide = !unknown && estimate_says_nothing(m->value, m->half_width);

    return event_part(EVENT(look_promise, .difference = m->difference, .design = r->designs[m->design].name,
                            .unknown = unknown, .wide = wide,
                            .known = unknown || wide ? NAN : wanted * m->half_width / m->wanted, .wanted = wanted,
                            .thin = m->half_width <= m->wanted)); /* narrow enough, but from too few samples */
}

static json_t *growth(const struct verdict *v, const struct run_results *r, size_t h)
{
    const struct plan_stratum *s = &r->plan.strata[h];
    char kernel[NAME_SHOWN + 1];

    snprintf(kernel, sizeof kernel, "%.*s", (int)utf8_cut(s->kernel_name, NAME_SHOWN), s->kernel_name);
    return event_part(EVENT(look_growth, .stratum = (int64_t)h, .kernel = s->mixed_names ? NULL : kernel,
                            .mixed = s->mixed_names, .from = (int64_t)s->samples,
                            .to = (int64_t)v->next.plan.strata[h].samples));
}

static json_t *extension(const struct verdict *v, const struct run_results *r, json_t *promise)
{
    size_t h = v->analysis.largest_increment_stratum;
    json_t *grown = h < r->plan.stratum_count ? growth(v, r, h) : NULL;

    if (h < r->plan.stratum_count && !grown) {
        json_decref(promise);
        return NULL;
    }
    return event_part(EVENT(look_more, .promise = promise, .growth = grown, .from = (int64_t)r->plan.sample_count,
                            .to = (int64_t)v->next.plan.sample_count, .time = v->extra_s,
                            .limited = v->analysis.short_of_budget));
}

json_t *stopping_decision(const struct verdict *v, const struct run_results *r)
{
    const struct interim_promise *worst = stopping_worst(&v->analysis);
    enum interim_decision decision = v->analysis.decision;
    bool doubtful = worst && decision != INTERIM_KEPT && decision != INTERIM_WHOLE;
    json_t *promise = doubtful ? doubt(v, r, worst) : NULL;

    if (doubtful && !promise)
        return NULL;
    switch (decision) {
    case INTERIM_KEPT: return event_part(EVENT(look_kept));
    case INTERIM_WHOLE: return event_part(EVENT(look_whole));
    case INTERIM_BUDGET: return event_part(EVENT(look_budget, .promise = promise));
    case INTERIM_LAST: return event_part(EVENT(look_last, .promise = promise));
    case INTERIM_MORE: return extension(v, r, promise);
    }
    return NULL;
}
