#include "sampling/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "sampling/method.h"

/* The whole list, ours first. */
const struct method *const methods[] = {&method_vivace, &method_root, &method_allegro, &method_srs, NULL};

const char *method_needs_nothing(const struct profile *p)
{
    return profile_total(p) ? NULL : "needs at least one launch whose value is not 0";
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
    }
    return 0;
}

static int id_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void fill_stratum_samples(const struct profile *p, struct plan *out, uint32_t h, uint32_t *ids)
{
    const struct plan_stratum *s = &out->strata[h];
    double weight = (double)s->population / (double)s->samples;

    qsort(ids, s->samples, sizeof *ids, id_compare);
    for (uint64_t i = 0; i < s->samples; i++) {
        struct plan_sample *to = &out->samples[out->sample_count];

        if (i && ids[i] == ids[i - 1]) {
            to--;
            to->draws++;
        } else {
            out->sample_count++;
            *to = (struct plan_sample){.invocation = ids[i], .stratum = h, .draws = 1, .value = p->value[ids[i]]};
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
    why_not = m->why_not(p);
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

    if (!s->population || s->population > p->invocations)
        return err_set(e, ERR_INVALID, "stratum %zu: its population is not within 1 .. invocations", h);
    if (!s->samples || draws != s->samples)
        return err_set(e, ERR_INVALID, "stratum %zu: %llu samples are listed, it says %llu", h,
                       (unsigned long long)draws, (unsigned long long)s->samples);
    if (distinct > s->population || (!p->with_replacement && distinct != draws))
        return err_set(e, ERR_INVALID, "stratum %zu: more samples than it has invocations", h);
    if (s->certainty != (!p->with_replacement && s->samples == s->population))
        return err_set(e, ERR_INVALID, "stratum %zu: `certainty` does not agree with its samples", h);
    if (!(fabs(weight - (double)s->population) <= 1e-9 * (double)s->population))
        return err_set(e, ERR_INVALID, "stratum %zu: its weights sum to %.17g, not to its population %llu", h,
                       weight, (unsigned long long)s->population);
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
            weight += p->samples[i].weight;
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
