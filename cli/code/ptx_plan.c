/* vivace ptx run --plan: selects the drawn launches, and checks that the plan is of this list. */
#include "cli/code/ptx_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "wire/plan_json.h"

static int by_launch(const void *a, const void *b)
{
    const struct plan_sample *x = a, *y = b;

    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

int ptx_plan_read(struct ptx_plan *p, const char *path, struct err *e)
{
    p->path = path;
    if (plan_read_path(path, &p->plan, e) != 0)
        return -1;
    p->order = mem_zalloc(p->plan.sample_count + 1, sizeof *p->order, e);
    if (!p->order)
        return -1;
    memcpy(p->order, p->plan.samples, p->plan.sample_count * sizeof *p->order);
    qsort(p->order, p->plan.sample_count, sizeof *p->order, by_launch);
    return 0;
}

static int differs(const struct ptx_plan *p, uint64_t number, const char *kernel, const struct plan_stratum *s,
                   struct err *e)
{
    err_set(e, ERR_INVALID,
            "%s: launch %" PRIu64 " is %s with (%u, %u, %u) blocks of (%u, %u, %u) in the plan; the list "
            "has %s there, or the same kernel with another shape",
            p->path, number + 1, s->kernel_name, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
            s->block[2], kernel);
    return err_hint(e,
                    "A plan fits the list that it was made from: vivace ptx run LIST --profile, then vivace plan.");
}

int ptx_plan_wants(struct ptx_plan *p, uint64_t number, const char *kernel, const uint32_t grid[3],
                   const uint32_t block[3], struct err *e)
{
    const struct plan_stratum *s;

    if (p->next == p->plan.sample_count || p->order[p->next].launch != number)
        return 0;
    s = &p->plan.strata[p->order[p->next++].stratum];
    if (!s->mixed_names && !kernel_names_match(kernel, s->kernel_name))
        return differs(p, number, kernel, s, e);
    if (!s->mixed_shapes &&
        (memcmp(grid, s->grid, sizeof s->grid) != 0 || memcmp(block, s->block, sizeof s->block) != 0))
        return differs(p, number, kernel, s, e);
    return 1;
}

int ptx_plan_finish(const struct ptx_plan *p, uint64_t launches, struct err *e)
{
    return launches == p->plan.launches
               ? 0
               : err_set(e, ERR_INVALID, "%s is of a profile of %" PRIu64 " launches; the list has %" PRIu64,
                         p->path, p->plan.launches, launches);
}

void ptx_plan_release(struct ptx_plan *p)
{
    free(p->order);
    plan_release(&p->plan);
}
