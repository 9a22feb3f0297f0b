#include "server/run/stopping_internal.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"

#define NAME_SHOWN 60 /* bytes of a kernel's name in a sentence */

const struct look_promise *stopping_worst(const struct look *look)
{
    const struct look_promise *out = NULL;

    for (size_t i = 0; i < look->promise_count; i++) {
        const struct look_promise *m = &look->promises[i];

        if (!m->kept && !m->waits && (!out || m->half_width * out->wanted > out->half_width * m->wanted))
            out = m;
    }
    return out;
}

/* "h100 is known to ± 3.1 %, and ± 2 % is wanted." */
static void add_doubt(const struct verdict *v, const struct run_results *r, struct strbuf *b)
{
    const struct look_promise *m = stopping_worst(&v->look);
    bool difference = m && m->difference;
    double wanted = difference ? v->rule.resolve : v->rule.error;

    if (!m)
        return;
    strbuf_addf(b, "%s%s%s is ", difference ? "the difference of " : "", r->designs[m->design].name,
                difference ? " to the baseline" : "");
    if (isnan(m->half_width) || !(m->wanted > 0))
        strbuf_adds(b, "not known yet");
    else if (estimate_says_nothing(m->value, m->half_width))
        strbuf_adds(b, "not known yet: its interval is wider than the total itself");
    else
        strbuf_addf(b, "known to ± %.3g %%", 100 * wanted * m->half_width / m->wanted);
    strbuf_addf(b, ", and ± %.3g %% is wanted", 100 * wanted);
    if (m->half_width <= m->wanted) /* narrow, but resting on too little */
        strbuf_adds(b, " with more samples under it");
}

/* "S5 (gemm) needs more: 88 → 124; in all 210 → 260 launches, + 19 min." */
static void add_extension(const struct verdict *v, const struct run_results *r, struct strbuf *b)
{
    size_t h = v->look.largest_increment_stratum;
    char time[NUM_TEXT];

    strbuf_adds(b, ". ");
    if (h < r->plan.stratum_count) {
        const struct plan_stratum *s = &r->plan.strata[h];
        const char *name = s->mixed_names ? "several kernels" : s->kernel_name;

        strbuf_addf(b, "S%zu (%.*s) needs more: %" PRIu64 " → %" PRIu64 "; in all ", h,
                    (int)utf8_cut(name, NAME_SHOWN), name, s->samples, v->next.plan.strata[h].samples);
    }
    strbuf_addf(b, "%zu → %zu launches, + %s", r->plan.sample_count, v->next.plan.sample_count,
                format_duration(v->extra_s, time));
    if (v->look.short_of_budget)
        strbuf_adds(b, ", which is all that the budget pays");
}

void stopping_decision_text(const struct verdict *v, const struct run_results *r, struct strbuf *b)
{
    switch (v->look.decision) {
    case LOOK_KEPT: strbuf_adds(b, "the promise is kept"); break;
    case LOOK_WHOLE: strbuf_adds(b, "everything is simulated that can be"); break;
    case LOOK_BUDGET: strbuf_adds(b, "the budget is spent: "); break;
    case LOOK_LAST: strbuf_adds(b, "this was the last look: "); break;
    case LOOK_MORE: break;
    }
    if (v->look.decision != LOOK_WHOLE)
        add_doubt(v, r, b);
    if (v->look.decision == LOOK_MORE)
        add_extension(v, r, b);
    strbuf_addc(b, '.');
}
