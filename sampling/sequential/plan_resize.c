/* Takes prefixes of the strata's seeded permutations, without skipped launches; guarantees: plan_resize.h. */
#include "sampling/sequential/plan_resize.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/parts/part.h"
#include "sampling/methods/plan_make.h"

static int other_profile(const struct plan *plan, struct err *e)
{
    err_set(e, ERR_INVALID, "method %s makes other strata of this profile than the plan has", plan->method);
    return err_hint(e, "The plan belongs to another profile, or was made by another version: make a new plan.");
}

/* The strata of the plan's part of the profile. */
static int stratify(const struct method *m, const struct plan *plan, const struct profile *p, struct strata *s,
                    struct err *e)
{
    struct part_view v;
    int ret;

    if (!plan_part_any(&plan->part))
        return m->stratify(p, &plan->params, s, e);
    if (part_view_make(p, &plan->part, &v, e) < 0)
        return -1;
    ret = m->stratify(&v.profile, &plan->params, s, e);
    part_view_release(&v);
    return ret;
}

int plan_strata(const struct plan *plan, const struct profile *p, struct strata *s, struct err *e)
{
    const struct method *m = method_find(plan->method, e);

    *s = (struct strata){0};
    if (!m || stratify(m, plan, p, s, e) < 0)
        return -1;
    if (s->count != plan->stratum_count || s->chosen)
        return s->chosen ? err_set(e, ERR_INVALID, "samples of method %s are not drawn from strata at random",
                                   plan->method)
                         : other_profile(plan, e);
    for (size_t h = 0; h < s->count; h++)
        if (stratum_population(s, h) != plan->strata[h].population)
            return other_profile(plan, e);
    return 0;
}

void plan_shapes(const struct strata *s, struct interim_shape *out)
{
    ASSERT(s->count == 0 || out);
    for (size_t h = 0; h < s->count; h++) {
        struct tails t = tails_of(&s->groups, s->items[h].run_begin, s->items[h].run_end);

        out[h] = (struct interim_shape){t.third, t.kurtosis};
    }
}

static int id_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static bool is_passed_over(const uint64_t *sorted, size_t count, uint64_t id)
{
    return count && bsearch(&id, sorted, count, sizeof id, id_compare);
}

/* --- drawing --- */

struct resizer {
    const struct profile *p;
    const struct strata *s;
    enum rng_purpose purpose;
    uint64_t *over; /* sorted */
    size_t over_count;
    struct strata drawn; /* a copy of *s with its own items: sizes include the skipped launches */
    struct drawer d;
    uint32_t *ids;
};

static void resizer_release(struct resizer *r)
{
    free(r->over);
    free(r->drawn.items);
    free(r->ids);
    drawer_release(&r->d);
}

/* The number of skipped launches of the stratum. */
static uint64_t over_in(const struct resizer *r, size_t h)
{
    const struct groups *g = &r->s->groups;
    uint32_t end = g->runs[r->s->items[h].run_end].first;
    uint64_t n = 0;

    ASSERT(h < r->s->count);
    if (!r->over_count)
        return 0;
    for (uint32_t i = g->runs[r->s->items[h].run_begin].first; i < end; i++)
        n += is_passed_over(r->over, r->over_count, g->rows[i]);
    return n;
}

static int resizer_init(struct resizer *r, const uint64_t *n, const struct skipped_launches *over, struct err *e)
{
    uint64_t most = 0;

    ASSERT(!over || over->count == 0 || over->ids);
    r->over_count = over ? over->count : 0;
    r->over = mem_zalloc(r->over_count + 1, sizeof *r->over, e);
    r->drawn = *r->s;
    r->drawn.items = mem_zalloc(r->s->count, sizeof *r->drawn.items, e);
    if (!r->over || !r->drawn.items)
        return -1;
    if (r->over_count) {
        memcpy(r->over, over->ids, r->over_count * sizeof *r->over);
        qsort(r->over, r->over_count, sizeof *r->over, id_compare);
    }
    for (size_t h = 0; h < r->s->count; h++) {
        uint64_t lost = over_in(r, h), population = stratum_population(r->s, h);

        if (n[h] < 1 || n[h] + lost > population)
            return err_set(e, ERR_INVALID,
                           "stratum %zu has %llu launches, %llu of which cannot be simulated: %llu samples cannot "
                           "be drawn",
                           h, (unsigned long long)population, (unsigned long long)lost, (unsigned long long)n[h]);
        r->drawn.items[h] = r->s->items[h];
        r->drawn.items[h].n = n[h] + lost;
        most = n[h] + lost > most ? n[h] + lost : most;
    }
    r->ids = mem_zalloc(most, sizeof *r->ids, e);
    return r->ids ? drawer_init(&r->d, r->s, e) : -1;
}

static int id32_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void resize_stratum(struct resizer *r, size_t h, uint64_t n, struct plan *out)
{
    struct plan_stratum *s = &out->strata[h];
    uint64_t got = 0;

    ASSERT(h < out->stratum_count && n >= 1);
    draw_stratum(&r->d, &r->drawn, h, out->params.seed, r->purpose, r->ids);
    for (uint64_t i = 0; got < n; i++) {
        ASSERT(i < r->drawn.items[h].n);
        if (!is_passed_over(r->over, r->over_count, r->ids[i]))
            r->ids[got++] = r->ids[i];
    }
    qsort(r->ids, n, sizeof *r->ids, id32_compare);
    s->samples = n;
    s->take_all = n >= s->population;
    for (uint64_t i = 0; i < n; i++)
        out->samples[out->sample_count++] = (struct plan_sample){.launch = r->ids[i],
                                                                 .stratum = (uint32_t)h,
                                                                 .draws = 1,
                                                                 .weight = (double)s->population / (double)n,
                                                                 .value = r->p->value[r->ids[i]]};
}

static int copy_strata(const struct plan *plan, struct plan *out, struct err *e)
{
    *out = *plan;
    out->samples = NULL;
    out->sample_count = out->stratum_count = 0;
    out->strata = mem_zalloc(plan->stratum_count, sizeof *out->strata, e);
    for (size_t h = 0; out->strata && h < plan->stratum_count; h++) {
        out->strata[h] = plan->strata[h];
        out->stratum_count = h + 1;
        if (plan_stratum_own(&out->strata[h], e) < 0)
            return -1;
    }
    return out->strata ? 0 : -1;
}

int plan_resize_strata(const struct plan *plan, const struct profile *p, const struct strata *s, const uint64_t *n,
                       const struct skipped_launches *over, enum rng_purpose purpose, struct plan *out,
                       struct err *e)
{
    struct resizer r = {.p = p, .s = s, .purpose = purpose};
    uint64_t all = 0;
    double cost = 0;
    int ret = -1;

    ASSERT(plan->stratum_count == s->count);
    if (copy_strata(plan, out, e) < 0 || resizer_init(&r, n, over, e) < 0)
        goto out;
    for (size_t h = 0; h < s->count; h++)
        all += n[h];
    out->samples = mem_zalloc(all, sizeof *out->samples, e);
    if (!out->samples || !r.ids)
        goto out;
    for (size_t h = 0; h < s->count; h++)
        resize_stratum(&r, h, n[h], out);
    ASSERT(out->sample_count == all);
    for (size_t i = 0; i < out->sample_count; i++)
        cost += (double)out->samples[i].value;
    out->speedup = (double)out->total / cost;
    ret = 0;
out:
    resizer_release(&r);
    if (ret < 0)
        plan_release(out);
    return ret;
}

/* Checks that the plan's samples are those that its seed draws. */
static int check_draws(const struct plan *plan, const struct profile *p, const struct strata *s,
                       const struct skipped_launches *over, struct err *e)
{
    uint64_t *n = mem_zalloc(plan->stratum_count, sizeof *n, e);
    struct plan again;
    int ret = n ? 0 : -1;

    for (size_t h = 0; n && h < plan->stratum_count; h++)
        n[h] = plan->strata[h].samples;
    if (ret == 0)
        ret = plan_resize_strata(plan, p, s, n, over, RNG_DRAW, &again, e);
    free(n);
    if (ret < 0)
        return -1;
    ASSERT(again.sample_count >= plan->sample_count);
    for (size_t i = 0; ret == 0 && i < plan->sample_count; i++)
        if (again.samples[i].launch != plan->samples[i].launch)
            ret = other_profile(plan, e);
    plan_release(&again);
    return ret;
}

/* Finds the skipped launches that are not in the plan, because an earlier resize skipped them already. */
static int plan_resize_earlier(const struct plan *plan, const struct skipped_launches *over, uint64_t **ids,
                               size_t *count, struct err *e)
{
    uint64_t *held = mem_zalloc(plan->sample_count, sizeof *held, e);
    size_t all = over ? over->count : 0;

    *count = 0;
    *ids = mem_zalloc(all + 1, sizeof **ids, e);
    for (size_t i = 0; held && i < plan->sample_count; i++)
        held[i] = plan->samples[i].launch;
    if (held)
        qsort(held, plan->sample_count, sizeof *held, id_compare);
    for (size_t i = 0; held && *ids && i < all; i++)
        if (!is_passed_over(held, plan->sample_count, over->ids[i]))
            (*ids)[(*count)++] = over->ids[i];
    free(held);
    ASSERT(*count <= all);
    return held && *ids ? 0 : -1;
}

int plan_resize(const struct plan *plan, const struct profile *p, const uint64_t *n,
                const struct skipped_launches *over, struct plan *out, struct err *e)
{
    struct skipped_launches before;
    struct strata s = {0};
    uint64_t *ids = NULL;
    int ret = -1;

    plan_init(out);
    if (interim_possible(plan, e) < 0 || plan_strata(plan, p, &s, e) < 0 ||
        plan_resize_earlier(plan, over, &ids, &before.count, e) < 0)
        goto out;
    before.ids = ids;
    if (check_draws(plan, p, &s, &before, e) == 0 &&
        plan_resize_strata(plan, p, &s, n, over, RNG_DRAW, out, e) == 0)
        ret = plan_check(out, e);
    if (ret < 0)
        plan_release(out);
out:
    free(ids);
    strata_release(&s);
    return ret;
}
