#include "sampling/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "sampling/method.h"

/* The whole list, ours first. */
const struct method *const methods[] = {&method_vivace, &method_root, &method_allegro, &method_srs, NULL};

static const struct need {
    unsigned bit;
    const char *missing, *partly;
} needs[] = {
    {NEEDS_INSTRUCTIONS, "needs instruction counts, and this profile has none (see --features)",
     "needs instruction counts of all launches, and this profile has them for the first ones only"},
    {NEEDS_METRICS, "needs the twelve metrics of PKA, and this profile lacks some (see --features)",
     "needs the twelve metrics of all launches, and this profile has them for the first ones only"},
    {NEEDS_BBVS, "needs basic-block vectors, and this profile has none (see --features)",
     "needs basic-block vectors of all launches, and this profile has them for the first ones only"},
    {NEEDS_CTA_COV,
     "needs the spread of instructions over thread blocks, and this profile lacks it (see --features)",
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

static const char *const estimator_names[] = {"expansion", "instruction_ratio"};
static const char *const variance_names[] = {"samples", "successive", "model", "none"};

const char *plan_estimator_name(enum plan_estimator x)
{
    return estimator_names[x];
}

const char *plan_variance_name(enum plan_variance x)
{
    return variance_names[x];
}

int plan_estimator_from_name(const char *name, enum plan_estimator *out)
{
    for (int i = PLAN_EXPANSION; i <= PLAN_INSTRUCTION_RATIO; i++) {
        if (strcmp(name, estimator_names[i]) == 0) {
            *out = i;
            return 0;
        }
    }
    return -1;
}

int plan_variance_from_name(const char *name, enum plan_variance *out)
{
    for (int i = PLAN_VARIANCE_SAMPLES; i <= PLAN_VARIANCE_NONE; i++) {
        if (strcmp(name, variance_names[i]) == 0) {
            *out = i;
            return 0;
        }
    }
    return -1;
}

const struct method *method_find(const char *name, struct err *e)
{
    struct strbuf names = STRBUF_INIT;

    for (size_t i = 0; methods[i]; i++) {
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    }
    for (size_t i = 0; methods[i]; i++)
        strbuf_addf(&names, "%s%s", i ? ", " : "", methods[i]->name);
    err_set(e, ERR_USAGE, "there is no method `%.40s`", name);
    err_hint(e, "Methods: %s.", names.text);
    strbuf_release(&names);
    return NULL;
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

void plan_init(struct plan *p)
{
    memset(p, 0, sizeof *p);
}

void plan_release(struct plan *p)
{
    for (size_t h = 0; h < p->stratum_count; h++)
        free(p->strata[h].kernel_name);
    free(p->strata);
    free(p->samples);
    plan_init(p);
}

int plan_params_check(const struct plan_params *params, struct err *e)
{
    if (!(params->error > 0 && params->error < 1))
        return err_set(e, ERR_INVALID, "the error must lie between 0 and 100 %%, as in 5%%");
    if (!(params->confidence >= 0.5 && params->confidence <= 0.9999))
        return err_set(e, ERR_INVALID, "the confidence must lie between 50 and 99.99 %%, as in 95%%");
    if (!(params->share >= 0 && params->share <= 1))
        return err_set(e, ERR_INVALID, "the share of invocations to draw must lie between 0 and 1");
    if (!(params->noise_floor >= 0 && params->noise_floor < 1))
        return err_set(e, ERR_INVALID, "the noise floor must lie between 0 and 100 %%, as in 2%%");
    if (!(params->budget >= 0 && params->budget <= 1))
        return err_set(e, ERR_INVALID, "the budget must lie between 0 and 100 %% of the whole, as in 1%%");
    if (params->least_samples < 1 || params->least_samples > 1000)
        return err_set(e, ERR_INVALID, "the least number of samples in a stratum must lie between 1 and 1000");
    if (!(params->cost_fixed >= 0 && params->cost_fixed <= 1e12 && params->cost_per_unit >= 0 &&
          params->cost_per_unit <= 1e12))
        return err_set(e, ERR_INVALID, "what a simulation costs must not be negative");
    return 0;
}

/* --- from strata to a plan --- */

/* The first invocation of a stratum describes it; are the others of the same kernel? */
static int describe(const struct strata *s, const struct profile *p, const struct stratum_pick *pick,
                    struct plan_stratum *out, struct err *e)
{
    const uint32_t *rows = s->groups.rows;
    uint32_t from = s->groups.runs[pick->run_begin].first, to = s->groups.runs[pick->run_end].first,
             first = rows[from];
    const struct profile_kernel *k;

    for (uint32_t i = from; i < to; i++)
        first = rows[i] < first ? rows[i] : first;
    out->kernel = p->kernel[first];
    k = &p->kernels[out->kernel];
    for (uint32_t i = from; pick->kind != GROUP_KERNEL && i < to; i++) {
        uint32_t other = p->kernel[rows[i]];

        if (other == out->kernel)
            continue;
        out->mixed_shapes = true;
        if (p->kernels[other].name_id != k->name_id) {
            out->mixed_names = true;
            break;
        }
    }
    memcpy(out->grid, k->grid, sizeof out->grid);
    memcpy(out->block, k->block, sizeof out->block);
    out->kernel_name = mem_strdup(out->mixed_names ? "" : k->name, e);
    return out->kernel_name ? 0 : -1;
}

static uint64_t instructions_of(const struct strata *s, const struct profile *p, const struct stratum_pick *pick)
{
    uint32_t from = s->groups.runs[pick->run_begin].first, to = s->groups.runs[pick->run_end].first;
    uint64_t sum = 0;

    for (uint32_t i = from; i < to; i++)
        sum += p->features->instructions[s->groups.rows[i]];
    return sum;
}

static int fill_strata(const struct strata *s, const struct profile *p, struct plan *out, struct err *e)
{
    out->strata = mem_zalloc(s->count, sizeof *out->strata, e);
    if (!out->strata)
        return -1;
    for (size_t h = 0; h < s->count; h++) {
        const struct stratum_pick *pick = &s->items[h];
        struct moments m = moments_of(&s->groups, pick->run_begin, pick->run_end);
        struct plan_stratum *to = &out->strata[h];

        out->stratum_count = h + 1;
        if (describe(s, p, pick, to, e) < 0)
            return -1;
        to->population = m.count;
        to->samples = pick->n;
        to->mean = moments_mean(&m);
        to->sd = moments_sd(&m);
        to->total = m.sum;
        to->low = s->groups.runs[pick->run_begin].value;
        to->high = s->groups.runs[pick->run_end - 1].value;
        to->certainty = !s->with_replacement && pick->n >= m.count;
        to->planned_sd = pick->planned_sd;
        to->cost = pick->cost > 0 ? pick->cost : to->mean;
        if (s->estimator == PLAN_INSTRUCTION_RATIO)
            to->auxiliary = instructions_of(s, p, pick);
    }
    return 0;
}

static int id_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* What one draw of the stratum stands for. */
static double weight_of(const struct profile *p, const struct plan *out, const struct plan_stratum *s,
                        const uint32_t *ids)
{
    uint64_t drawn = 0;

    if (out->estimator == PLAN_EXPANSION)
        return (double)s->population / (double)s->samples;
    for (uint64_t i = 0; i < s->samples; i++)
        drawn += p->features->instructions[ids[i]];
    return (double)s->auxiliary / (double)drawn;
}

static void fill_stratum_samples(const struct profile *p, struct plan *out, uint32_t h, uint32_t *ids)
{
    const struct plan_stratum *s = &out->strata[h];
    double weight = weight_of(p, out, s, ids);

    qsort(ids, s->samples, sizeof *ids, id_compare);
    for (uint64_t i = 0; i < s->samples; i++) {
        struct plan_sample *to = &out->samples[out->sample_count];

        if (i && ids[i] == ids[i - 1]) {
            to--;
            to->draws++;
        } else {
            out->sample_count++;
            *to = (struct plan_sample){.invocation = ids[i], .stratum = h, .draws = 1, .value = p->value[ids[i]]};
            if (out->estimator == PLAN_INSTRUCTION_RATIO)
                to->auxiliary = p->features->instructions[ids[i]];
        }
        to->weight = to->draws * weight;
    }
}

static int fill_samples(const struct strata *s, const struct profile *p, struct plan *out, struct err *e)
{
    struct drawer d = {0};
    uint64_t all = 0, most = 0, cost = 0;
    uint32_t *ids = NULL;
    int ret = -1;

    for (size_t h = 0; h < s->count; h++) {
        all += s->items[h].n;
        most = s->items[h].n > most ? s->items[h].n : most;
    }
    ids = mem_zalloc(most, sizeof *ids, e);
    out->samples = mem_zalloc(all, sizeof *out->samples, e);
    if (!ids || !out->samples || drawer_init(&d, s, e) < 0)
        goto out;
    for (size_t h = 0; h < s->count; h++) {
        draw_stratum(&d, s, h, out->params.seed, RNG_DRAW, ids);
        fill_stratum_samples(p, out, (uint32_t)h, ids);
    }
    for (size_t i = 0; i < out->sample_count; i++)
        cost += out->samples[i].value;
    out->speedup = (double)out->total / (double)cost;
    ret = 0;
out:
    free(ids);
    drawer_release(&d);
    return ret;
}

int plan_make(const char *method, const struct profile *p, const struct plan_params *params, struct plan *out,
              struct err *e)
{
    const struct method *m = method_find(method, e);
    struct strata s = {0};
    const char *why_not;
    int ret = -1;

    plan_init(out);
    if (!m || plan_params_check(params, e) < 0)
        return -1;
    why_not = method_why_not(m, p);
    if (why_not)
        return err_set(e, ERR_INVALID, "method %s cannot run on this profile: it %s", m->name, why_not);
    strcpy(out->method, m->name);
    out->params = *params;
    out->unit = p->unit;
    out->invocations = p->count;
    out->total = profile_total(p);
    if (profile_hash(p, out->profile_sha256, e) < 0 || m->stratify(p, params, &s, e) < 0)
        goto out;
    out->zero_invocations = p->count - s.groups.row_count;
    out->with_replacement = s.with_replacement;
    out->promised_error = s.promised_error;
    out->promise_valid = s.promise_valid;
    out->planned_df = s.planned_df;
    out->params.noise_floor = s.noise_floor;
    out->representative = s.representative;
    out->estimator = s.estimator;
    out->variance = s.variance;
    memcpy(out->caution, s.caution, sizeof out->caution);
    memcpy(out->note, s.note, sizeof out->note);
    if (fill_strata(&s, p, out, e) < 0 || fill_samples(&s, p, out, e) < 0)
        goto out;
    ret = plan_check(out, e);
    if (ret < 0)
        e->code = ERR_INTERNAL; /* we made it ourselves */
out:
    strata_release(&s);
    if (ret < 0)
        plan_release(out);
    return ret;
}

/* --- checking --- */

static int check_stratum(const struct plan *p, size_t h, uint64_t draws, uint64_t distinct, double weight,
                         struct err *e)
{
    const struct plan_stratum *s = &p->strata[h];
    uint64_t stands_for;

    if (!s->population || s->population > p->invocations)
        return err_set(e, ERR_INVALID, "stratum %zu: its population is not within 1 .. invocations", h);
    if (!s->samples || draws != s->samples)
        return err_set(e, ERR_INVALID, "stratum %zu: %llu samples are listed, it says %llu", h,
                       (unsigned long long)draws, (unsigned long long)s->samples);
    if (distinct > s->population || (!p->with_replacement && distinct != draws))
        return err_set(e, ERR_INVALID, "stratum %zu: more samples than it has invocations", h);
    if (s->certainty != (!p->with_replacement && s->samples == s->population))
        return err_set(e, ERR_INVALID, "stratum %zu: `certainty` does not agree with its samples", h);
    stands_for = p->estimator == PLAN_EXPANSION ? s->population : s->auxiliary;
    if (!(fabs(weight - (double)stands_for) <= 1e-9 * (double)stands_for))
        return err_set(e, ERR_INVALID, "stratum %zu: its weights sum to %.17g, not to its %s %llu", h, weight,
                       p->estimator == PLAN_EXPANSION ? "population" : "instructions",
                       (unsigned long long)stands_for);
    if ((s->auxiliary != 0) != (p->estimator == PLAN_INSTRUCTION_RATIO))
        return err_set(e, ERR_INVALID, "stratum %zu: instructions belong to plans that project by them", h);
    if (!(s->planned_sd >= 0 && isfinite(s->planned_sd) && s->cost > 0 && isfinite(s->cost)))
        return err_set(e, ERR_INVALID, "stratum %zu: planned spread or cost make no sense", h);
    if (!(s->mean > 0 && isfinite(s->mean) && s->sd >= 0 && isfinite(s->sd)) || s->low > s->high || !s->low)
        return err_set(e, ERR_INVALID, "stratum %zu: mean, sd or range make no sense", h);
    return 0;
}

static int check_sample(const struct plan *p, size_t i, struct err *e)
{
    const struct plan_sample *s = &p->samples[i], *before = i ? &p->samples[i - 1] : NULL;

    if (s->stratum >= p->stratum_count)
        return err_set(e, ERR_INVALID, "sample %zu: there is no stratum %u", i, s->stratum);
    if (s->invocation >= p->invocations)
        return err_set(e, ERR_INVALID, "sample %zu: there is no invocation %llu", i,
                       (unsigned long long)s->invocation);
    if (before &&
        (before->stratum > s->stratum || (before->stratum == s->stratum && before->invocation >= s->invocation)))
        return err_set(e, ERR_INVALID, "sample %zu: samples must stand by stratum, then invocation, each once", i);
    if (!s->draws || !(s->weight > 0) || !isfinite(s->weight))
        return err_set(e, ERR_INVALID, "sample %zu: its weight must be positive", i);
    return 0;
}

int plan_check(const struct plan *p, struct err *e)
{
    uint64_t population = 0, total = 0;
    size_t i = 0;

    if (plan_params_check(&p->params, e) < 0)
        return -1;
    for (size_t k = 0; k < p->sample_count; k++)
        if (check_sample(p, k, e) < 0)
            return -1;
    for (size_t h = 0; h < p->stratum_count; h++) {
        uint64_t draws = 0, distinct = 0;
        double weight = 0;

        for (; i < p->sample_count && p->samples[i].stratum == h; i++, distinct++) {
            if (__builtin_add_overflow(draws, p->samples[i].draws, &draws))
                return err_set(e, ERR_INVALID, "stratum %zu: more draws than can be counted", h);
            weight += p->samples[i].weight * (p->estimator == PLAN_EXPANSION ? 1 : (double)p->samples[i].auxiliary);
        }
        if (check_stratum(p, h, draws, distinct, weight, e) < 0)
            return -1;
        if (__builtin_add_overflow(population, p->strata[h].population, &population) ||
            __builtin_add_overflow(total, p->strata[h].total, &total))
            return err_set(e, ERR_INVALID, "stratum %zu: the sums pass 2^64", h);
    }
    if (!p->stratum_count || population > p->invocations || population + p->zero_invocations != p->invocations)
        return err_set(e, ERR_INVALID, "the strata hold %llu invocations, of %llu that are not 0",
                       (unsigned long long)population, (unsigned long long)(p->invocations - p->zero_invocations));
    if (total != p->total)
        return err_set(e, ERR_INVALID, "the totals of the strata sum to %llu, not to %llu",
                       (unsigned long long)total, (unsigned long long)p->total);
    return 0;
}
