/* makespan [REPEATS [DATASET]]: does the makespan's interval hold? For every recorded profile with start times,
 * plans of `vivace` for 2 % drawn REPEATS times (200), results from the designs of tests/harness/redraw.h. The
 * truth lays every launch out with its own result; the projection, with its stratum's mean. Percent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/makespan_layout.h"
#include "sampling/plan_make.h"
#include "sampling/projection.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"

struct score {
    double bias, within, width, total_within; /* sums over the repeats */
};

/* Every launch a stratum of its own. NaN: no memory. */
static double true_makespan_s(const struct profile *p, const struct plan *plan, const double *y)
{
    struct layout l = {0};
    struct err e;
    double ns = NAN;
    int ready = layout_init(&l, p, plan, &e);

    free(l.factors);
    free(l.gradient);
    l.factors = mem_zalloc(p->count, sizeof *l.factors, &e);
    l.gradient = mem_zalloc(p->count, sizeof *l.gradient, &e);
    if (ready == 0 && l.factors && l.gradient) {
        for (size_t i = 0; i < p->count; i++) {
            uint64_t x = p->value[l.rows[i]];

            l.strata[i] = (uint32_t)i;
            l.factors[i] = x > 0 ? y[l.rows[i]] / (double)x : 1;
        }
        ns = layout_busy(&l);
    }
    layout_release(&l);
    return ns * 1e-9;
}

static int draw_once(const struct profile *profile, const struct plan *plan, const double *all, double total,
                     double makespan, struct score *s, struct err *e)
{
    double *y = mem_zalloc(plan->sample_count, sizeof *y, e), half, value;
    struct projection p = {0};
    int ret = -1;

    for (size_t i = 0; y && i < plan->sample_count; i++)
        y[i] = all[plan->samples[i].invocation];
    if (y && projection_make(plan, y, 0.95, &p, e) == 0) {
        value = projection_makespan_s(profile, plan, &p, 1e-9, &half);
        s->bias += value / makespan - 1;
        s->within += fabs(value - makespan) <= half + 1e-12 * makespan;
        s->width += half / makespan;
        s->total_within += fabs(p.value - total) <= p.half_width + 1e-12 * total;
        ret = 0;
    }
    projection_release(&p);
    free(y);
    return ret;
}

static int play(const struct dataset *data, const struct profile *p, struct plan *plan, const struct strata *strata,
                enum design d, unsigned repeats, struct err *e)
{
    double *y = design_make(p, d, 7, e), total = 0, makespan, percent = 100.0 / repeats;
    struct score s = {0};
    int ret = y ? 0 : -1;

    if (!y)
        return -1;
    for (size_t i = 0; i < p->count; i++)
        total += y[i];
    makespan = true_makespan_s(p, plan, y);
    for (unsigned i = 0; ret == 0 && i < repeats; i++) {
        ret = plan_redraw(plan, p, strata, 1 + i, RNG_EVALUATE, e);
        if (ret == 0)
            ret = draw_once(p, plan, y, total, makespan, &s, e);
    }
    if (ret == 0)
        printf(
            "%-9s %-10s total / makespan %.2f | holds %5.1f, half-width %5.2f, off by %+5.2f | the total's holds "
            "%5.1f\n",
            data->name, design_names[d], total * 1e-9 / makespan, percent * s.within, percent * s.width,
            percent * s.bias, percent * s.total_within);
    fflush(stdout);
    free(y);
    return ret;
}

/* A profile without start times has no makespan. */
static int run(const struct dataset *data, unsigned repeats, struct err *e)
{
    struct strata strata = {0};
    struct plan plan = {0};
    struct profile p;
    int found = dataset_load(data, &p, e), ret = found < 0 ? -1 : 0;

    if (found == 0)
        printf("%-9s skipped: not here\n", data->name);
    if (found > 0 && p.start_ns && p.unit == PROFILE_NS) {
        ret = design_plan(&p, 0.02, &strata, &plan, e);
        for (int d = 0; ret == 0 && d < DESIGN_COUNT; d++)
            ret = play(data, &p, &plan, &strata, (enum design)d, repeats, e);
    }
    plan_release(&plan);
    strata_release(&strata);
    if (found > 0)
        profile_release(&p);
    return ret;
}

int main(int argc, char **argv)
{
    return datasets_bench(argc, argv, 200, run);
}
