/* Selects the launches that `vivace simulate` simulates: numbers them, keeps those of a plan, and compares them
 * with the plan. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "cli/simulate/simulation.h"

static int by_place(const void *a, const void *b)
{
    const struct bundle_kernel *x = ((const struct sim_launch *)a)->kernel,
                               *y = ((const struct sim_launch *)b)->kernel;

    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

int simulation_number_launches(struct simulation *s, struct err *e)
{
    uint64_t base = 0;

    s->launches = mem_zalloc(s->bundle.count + 1, sizeof *s->launches, e);
    if (!s->launches)
        return -1;
    s->launch_count = s->bundle.count;
    for (size_t i = 0; i < s->launch_count; i++)
        s->launches[i].kernel = &s->bundle.kernels[i];
    qsort(s->launches, s->launch_count, sizeof *s->launches, by_place);
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct bundle_kernel *k = s->launches[i].kernel;

        if (i > 0 && k->context != s->launches[i - 1].kernel->context)
            base += s->launches[i - 1].kernel->order + 1;
        if (base < k->before) /* the last kernels of earlier contexts are missing */
            base = k->before;
        s->launches[i].launch = base + k->order;
    }
    return 0;
}

static const struct bundle_kernel *find_launch(const struct sim_launch *all, size_t count, uint64_t launch)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle].launch < launch)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && all[low].launch == launch ? all[low].kernel : NULL;
}

static int by_launch(const void *a, const void *b)
{
    const struct sim_launch *x = a, *y = b;

    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static bool has_nameless_strata(const struct plan *p)
{
    for (size_t h = 0; h < p->stratum_count; h++)
        if (p->strata[h].mixed_names)
            return true;
    return false;
}

/* Where a plan lacks names to compare, only the number of launches can show that the traces are of another program.
 */
static int check_numbers(const struct plan *p, const struct sim_launch *all, size_t count, struct err *e)
{
    if (!has_nameless_strata(p))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].launch >= p->launches) {
            err_set(e, ERR_INVALID, "the traces hold launch %llu, but the plan is for a run of %llu launches",
                    (unsigned long long)all[i].launch, (unsigned long long)p->launches);
            return err_hint(e, "is this the plan of these traces? Launches are counted from 0 in launch order");
        }
    return 0;
}

int simulation_keep_sampled(struct simulation *s, struct err *e)
{
    struct sim_launch *all = s->launches;
    size_t all_count = s->launch_count;

    if (check_numbers(&s->plan, all, all_count, e) < 0)
        return -1;
    s->launches = mem_zalloc(s->plan.sample_count + 1, sizeof *s->launches, e);
    if (!s->launches) {
        s->launches = all;
        return -1;
    }
    s->launch_count = s->plan.sample_count;
    for (size_t i = 0; i < s->plan.sample_count; i++) {
        uint64_t launch = s->plan.samples[i].launch;
        const struct bundle_kernel *k = find_launch(all, all_count, launch);

        s->launches[i] = (struct sim_launch){.kernel = k, .launch = launch, .sample = i};
        s->missing += !k;
    }
    qsort(s->launches, s->launch_count, sizeof *s->launches, by_launch);
    free(all);
    if (s->missing < s->launch_count)
        return 0;
    err_set(e, ERR_INVALID, "the traces hold none of the %zu launches that the plan drew", s->launch_count);
    return err_hint(e, "is this the plan of these traces? Launches are counted from 0 in launch order");
}

/* True where the task's kernel is the plan's. For a stratum of several shapes only the name is compared. */
static bool as_planned(const struct sim_task *t, const struct plan_stratum *h)
{
    return kernel_names_match(t->name, h->kernel_name) &&
           (h->mixed_shapes ||
            (memcmp(t->grid, h->grid, sizeof t->grid) == 0 && memcmp(t->block, h->block, sizeof t->block) == 0));
}

static int not_as_planned(const struct sim_launch *l, const struct sim_task *t, const struct plan_stratum *h,
                          struct err *e)
{
    char planned[80] = "";

    if (!h->mixed_shapes)
        snprintf(planned, sizeof planned, " (%u,%u,%u)x(%u,%u,%u)", h->grid[0], h->grid[1], h->grid[2], h->block[0],
                 h->block[1], h->block[2]);
    err_set(e, ERR_INVALID, "launch %llu is %.120s (%u,%u,%u)x(%u,%u,%u), but the plan drew %.120s%s there",
            (unsigned long long)l->launch, t->name, t->grid[0], t->grid[1], t->grid[2], t->block[0], t->block[1],
            t->block[2], h->kernel_name, planned);
    return err_hint(e, "the plan was made for another set of launches");
}

int simulation_check_against_plan(struct simulation *s, struct err *e)
{
    size_t here = 0, unchecked = 0;

    for (size_t i = 0; i < s->launch_count; i++) {
        const struct plan_stratum *h = &s->plan.strata[s->plan.samples[s->launches[i].sample].stratum];
        const struct sim_task *t = &s->tasks[i * s->design_count];
        bool nameless = h->mixed_names;

        here += t->known;
        unchecked += t->known && nameless;
        for (size_t d = 0; d < s->design_count; d++)
            if (t[d].known && !nameless && !as_planned(&t[d], h))
                return not_as_planned(&s->launches[i], &t[d], h, e);
    }
    if (unchecked > 0) /* without this warning, traces of another program could be used unnoticed */
        cli_warn("%zu of %zu launches could not be checked against the plan, whose strata hold several kernels: "
                 "are these the traces of the program that it was made for?",
                 unchecked, here);
    return 0;
}
