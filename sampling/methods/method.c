/* sampling/methods/method.c: the inputs that methods require, and promises that several methods have in common. */
#include "sampling/methods/method.h"

#include <math.h>

#include "base/strbuf.h"

static const struct need {
    unsigned bit;
    const char *what, *missing, *partly;
} needs[] = {
    {NEEDS_INSTRUCTIONS, "instruction counts", "needs instruction counts, and this profile has none",
     "needs instruction counts of all launches, and this profile has them for the first ones only"},
    {NEEDS_METRICS, "the twelve metrics of PKA", "needs the twelve metrics of PKA, and this profile lacks some",
     "needs the twelve metrics of all launches, and this profile has them for the first ones only"},
    {NEEDS_BBVS, "basic-block vectors", "needs basic-block vectors, and this profile has none",
     "needs basic-block vectors of all launches, and this profile has them for the first ones only"},
    {NEEDS_CTA_COV, "the spread of instructions over thread blocks",
     "needs the spread of instructions over thread blocks, and this profile lacks it",
     "needs the spread over thread blocks for all launches, and this profile has it for the first ones only"},
};

static unsigned features_there(const struct features *f)
{
    unsigned there = 0;
    bool metrics = true;

    if (!f)
        return 0;
    for (int m = 0; m < FEATURE_COUNT; m++)
        metrics = metrics && f->metrics[m];
    there |= f->instructions ? NEEDS_INSTRUCTIONS : 0;
    there |= metrics ? NEEDS_METRICS : 0;
    there |= f->bbv_of ? NEEDS_BBVS : 0;
    there |= f->cta_cov ? NEEDS_CTA_COV : 0;
    return there;
}

bool method_lacks_features(const struct method *m, const struct profile *p)
{
    return m->needs & (NEEDS_INSTRUCTIONS | NEEDS_METRICS | NEEDS_BBVS | NEEDS_CTA_COV) &
           ~features_there(p->features);
}

const char *method_why_not(const struct method *m, const struct profile *p)
{
    unsigned there = features_there(p->features);

    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!(m->needs & needs[i].bit))
            continue;
        if (!(there & needs[i].bit))
            return needs[i].missing;
        if (!(m->needs & NEEDS_PREFIX) && p->features->known < p->count)
            return needs[i].partly;
    }
    if (!profile_total(p))
        return "needs at least one launch whose value is not 0";
    return m->why_not ? m->why_not(p) : NULL;
}

void method_needs_text(const struct method *m, struct strbuf *out)
{
    const char *join = "Needs ";

    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!(m->needs & needs[i].bit))
            continue;
        strbuf_addf(out, "%s%s", join, needs[i].what);
        join = " and ";
    }
    if (*join == 'N')
        strbuf_adds(out, "Needs only the value of each launch.");
    else
        strbuf_adds(out, m->needs & NEEDS_PREFIX ? ", of the first launches at least." : " of all launches.");
}

void promise_with_replacement(struct strata *s, double z, uint64_t total)
{
    double variance = 0, below = 0;
    bool blind = false;

    for (size_t h = 0; h < s->count; h++) {
        struct moments m = moments_of(&s->groups, s->items[h].run_begin, s->items[h].run_end);
        double spread = (double)m.count * moments_sd_population(&m), n = (double)s->items[h].n;
        double v = spread * spread / n;

        variance += v;
        blind |= n < 2 && m.count > 1;
        below += n > 1 ? v * v / (n - 1) : 0;
    }
    s->promised_error = z * sqrt(variance) / (double)total;
    s->planned_df = blind ? 0 : below > 0 ? variance * variance / below : INFINITY;
}
