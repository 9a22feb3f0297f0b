/* `vivace simulate --plan`: from the simulated launches to the whole workload, on each design. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/simulation.h"

/* In the order of the plan's samples; NaN where nothing came out. */
static void fill_values(const struct simulation *s, size_t d, double scale, double *y)
{
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct sim_task *t = &s->tasks[i * s->design_count + d];

        y[s->launches[i].sample] = t->done ? (double)t->cycles * scale : NAN;
    }
}

/* Cycles of this design in a unit of the profile: without a wish, as if the launch took its profiled time. A
 * profile of instructions says nothing of time. */
static double cycles_per_unit(const struct simulation *s, size_t d)
{
    double kappa = s->wanted.kappa;

    return s->plan.unit == PROFILE_NS ? (kappa > 0 ? kappa : 1) * design_clock_hz(s->designs[d]) * 1e-9 : kappa;
}

static int project_cycles(struct simulation *s, size_t d, const double *y, struct err *e)
{
    struct projection_options o = s->wanted;

    o.kappa = cycles_per_unit(s, d);
    if (projection_make_with(&s->plan, y, &o, &s->cycles[d], e) < 0)
        return -1;
    if (!s->bootstrap)
        return 0;
    return bootstrap_make(&s->plan, y, &o, &s->cycles[d], BOOTSTRAP_RESAMPLES, &s->second_opinion[d], e);
}

static int project_metrics(struct simulation *s, size_t d, struct err *e)
{
    struct metric_values v;
    int ret;

    if (metric_values_init(&v, s->plan.sample_count, e) < 0)
        return -1;
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct sim_task *t = &s->tasks[i * s->design_count + d];

        for (int c = 0; t->done && c < METRIC_COUNTERS; c++)
            v.of[c][s->launches[i].sample] = t->counters[c];
    }
    ret = metrics_estimate(&s->plan, &v, design_clock_hz(s->designs[d]), s->plan.params.confidence, &s->metrics[d],
                           &s->metric_count, e);
    metric_values_release(&v);
    return ret;
}

int simulation_project(struct simulation *s, struct err *e)
{
    double *first = mem_zalloc(2 * s->plan.sample_count, sizeof *first, e);
    double *y = first ? first + s->plan.sample_count : NULL;
    int ret = first ? 0 : -1;

    for (size_t d = 0; ret == 0 && d < s->design_count; d++) {
        double second = 1 / design_clock_hz(s->designs[d]);

        fill_values(s, d, 1, y);
        ret = project_cycles(s, d, y, e) < 0 || project_metrics(s, d, e) < 0 ? -1 : 0;
        fill_values(s, d, second, d == 0 ? first : y);
        if (ret == 0 && d > 0)
            ret = comparison_make(&s->plan, first, y, s->plan.params.confidence, &s->against_first[d], e);
    }
    free(first);
    return ret;
}
