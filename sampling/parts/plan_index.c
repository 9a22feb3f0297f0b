/* Finds the stratum of a launch: from the plan alone if strata are ranges of value of a name and shape, or by
 * making the strata again if a method clusters by features. */
#include "sampling/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/parts/part.h"
#include "sampling/plan/strata.h"

struct plan_index {
    const struct plan *plan;
    const struct profile *profile;
    struct part_view view; /* of the profile, for a plan of a part */
    size_t *first;         /* kernel k may be in the strata order[first[k]] .. order[first[k + 1] - 1] */
    uint32_t *order;       /* by kernel, then by `low` */
    uint32_t *of;          /* per launch, for methods that label; otherwise NULL */
};

static int same_name(const struct plan_stratum *s, const struct profile_kernel *k)
{
    return strcmp(s->kernel_name, k->name) == 0 && !s->domain == !k->domain &&
           (!s->domain || strcmp(s->domain, k->domain) == 0);
}

/* `alone`: the name's own strata contain all launches of the name, so strata of several names contain none. */
static int may_hold(const struct plan_stratum *s, const struct profile_kernel *k, int alone)
{
    if (s->mixed_names)
        return !alone;
    if (!same_name(s, k))
        return 0;
    return s->mixed_shapes ||
           (memcmp(s->grid, k->grid, sizeof k->grid) == 0 && memcmp(s->block, k->block, sizeof k->block) == 0);
}

static int low_compare(const void *a, const void *b, void *plan)
{
    const struct plan *p = plan;
    uint64_t x = p->strata[*(const uint32_t *)a].low, y = p->strata[*(const uint32_t *)b].low;

    return x < y ? -1 : x > y;
}

static int label_all(struct plan_index *x, const struct method *m, struct err *e)
{
    struct strata s = {0};
    int ret = -1;

    x->of = mem_zalloc(x->profile->count, sizeof *x->of, e);
    if (!x->of || m->stratify(x->profile, &x->plan->params, &s, e) < 0)
        goto out;
    if (s.count != x->plan->stratum_count) {
        err_set(e, ERR_INVALID, "method %s makes %zu strata of this profile, the plan has %zu", m->name, s.count,
                x->plan->stratum_count);
        err_hint(e, "The plan belongs to another profile, or was made by another version.");
        goto out;
    }
    for (size_t i = 0; i < x->profile->count; i++)
        x->of[i] = (uint32_t)s.count;
    for (size_t h = 0; h < s.count; h++) {
        uint32_t end = s.groups.runs[s.items[h].run_end].first;

        ASSERT(end <= s.groups.row_count && s.groups.row_count <= x->profile->count);
        for (uint32_t r = s.groups.runs[s.items[h].run_begin].first; r < end; r++)
            x->of[s.groups.rows[r]] = (uint32_t)h;
    }
    ret = 0;
out:
    strata_release(&s);
    return ret;
}

/* Finds the names whose own strata contain all their launches. Launches of value 0 are in no stratum. */
static int find_alone(const struct plan *p, const struct profile *profile, int **out, struct err *e)
{
    uint64_t *left = mem_zalloc(profile->name_count, sizeof *left, e);
    int *alone = mem_zalloc(profile->name_count, sizeof *alone, e);
    int ret = left && alone ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < profile->count; i++)
        left[profile->kernels[profile->kernel[i]].name_id] += profile->value[i] > 0;
    for (size_t h = 0; ret == 0 && h < p->stratum_count; h++) {
        const struct plan_stratum *s = &p->strata[h];

        for (size_t k = 0; !s->mixed_names && k < profile->kernel_count; k++) {
            if (same_name(s, &profile->kernels[k])) {
                left[profile->kernels[k].name_id] -= s->population;
                break;
            }
        }
    }
    for (size_t n = 0; ret == 0 && n < profile->name_count; n++)
        alone[n] = !left[n];
    free(left);
    *out = alone;
    return ret;
}

struct plan_index *plan_index_new(const struct plan *p, const struct profile *profile, struct err *e)
{
    struct plan_index *x = mem_zalloc(1, sizeof *x, e);
    const struct method *m = method_find(p->method, e);
    size_t used = 0, capacity = 0;
    int *alone = NULL;

    if (!x || !m)
        goto fail;
    if (plan_part_any(&p->part)) {
        if (part_view_make(profile, &p->part, &x->view, e) < 0)
            goto fail;
        profile = &x->view.profile;
    }
    x->plan = p;
    x->profile = profile;
    if (m->labels) {
        if (label_all(x, m, e) < 0)
            goto fail;
        return x;
    }
    x->first = mem_zalloc(profile->kernel_count + 1, sizeof *x->first, e);
    if (find_alone(p, profile, &alone, e) < 0 || !x->first)
        goto fail;
    for (size_t k = 0; k < profile->kernel_count; k++) {
        x->first[k] = used;
        for (size_t h = 0; h < p->stratum_count; h++) {
            if (!may_hold(&p->strata[h], &profile->kernels[k], alone[profile->kernels[k].name_id]))
                continue;
            if (array_reserve((void **)&x->order, &capacity, used + 1, sizeof *x->order, e) < 0)
                goto fail;
            x->order[used++] = (uint32_t)h;
        }
        ASSERT(x->first[k] <= used);
        if (used > x->first[k])
            qsort_r(x->order + x->first[k], used - x->first[k], sizeof *x->order, low_compare, (void *)p);
    }
    x->first[profile->kernel_count] = used;
    free(alone);
    return x;
fail:
    free(alone);
    plan_index_free(x);
    return NULL;
}

size_t plan_index_find(const struct plan_index *x, uint64_t launch)
{
    uint32_t kernel = x->profile->kernel[launch];
    uint64_t value = x->profile->value[launch];
    size_t low, high;

    ASSERT_HOT(launch < x->profile->count && kernel < x->profile->kernel_count);
    if (x->of)
        return x->of[launch];
    low = x->first[kernel];
    high = x->first[kernel + 1];
    while (low < high) { /* finds the first stratum whose range begins above the value */
        size_t middle = low + (high - low) / 2;

        if (x->plan->strata[x->order[middle]].low <= value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == x->first[kernel] || x->plan->strata[x->order[low - 1]].high < value)
        return x->plan->stratum_count;
    ASSERT_HOT(x->order[low - 1] < x->plan->stratum_count);
    return x->order[low - 1];
}

void plan_index_free(struct plan_index *x)
{
    if (!x)
        return;
    free(x->first);
    free(x->order);
    free(x->of);
    part_view_release(&x->view);
    free(x);
}
