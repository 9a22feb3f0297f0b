/* `vivace simulate --plan`: projects the simulated launches to the whole workload, on each design. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/simulate/simulation.h"
#include "sampling/estimate/within_launch.h"

/* A design's cycles times a factor, in the order of the plan's samples. */
struct design_values {
    double *empty, *warm, *error; /* as in struct bounded_values */
};

/* Standard error of the task's cycles; only one of the projection rules has an interval. */
static double error_of(const struct sim_task *t)
{
    return !t->done || t->projected.method == PROJECT_NONE ? 0
           : t->projected.method == PROJECT_STABLE         ? sim_projected_error(&t->projected, t->cycles)
                                                           : NAN;
}

static void fill_values(const struct simulation *s, size_t d, double scale, const struct design_values *v)
{
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct sim_task *t = &s->tasks[i * s->design_count + d];

        v->empty[s->launches[i].sample] = t->done ? (double)t->cycles * scale : NAN;
        v->warm[s->launches[i].sample] = simulation_warm_cycles(s, i, d) * scale;
        v->error[s->launches[i].sample] = error_of(t) * scale;
    }
}

static struct bounded_values bounded(const struct design_values *v)
{
    return (struct bounded_values){v->empty, v->warm, v->error};
}

/* Cycles on this design per unit of the profile. Without an option: the design's clock rate, as if each launch took
 * its profiled time. A profile of instructions has no times. */
static double cycles_per_unit(const struct simulation *s, size_t d)
{
    double kappa = s->wanted.kappa;

    return s->plan.unit == PROFILE_NS ? (kappa > 0 ? kappa : 1) * design_clock_hz(s->designs[d]) * 1e-9 : kappa;
}

static int project_cycles(struct simulation *s, size_t d, const struct design_values *v, struct err *e)
{
    struct projection_options o = s->wanted;
    const struct bounded_values both = bounded(v);
    const double *y = v->empty;

    o.kappa = cycles_per_unit(s, d);
    o.error = v->error;
    s->warm_bounds[d].value = NAN;
    if (projection_make_with(&s->plan, y, &o, &s->cycles[d], e) < 0 ||
        (simulation_empty(s) && warm_bound_make(&s->plan, &both, &o, &s->cycles[d], &s->warm_bounds[d], e) < 0))
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
    for (size_t i = 0; ret == 0 && simulation_projected(s, d) && i < s->metric_count; i++)
        s->metrics[d][i].half_width = s->metrics[d][i].df = NAN; /* the error of scaled counters is not known */
    return ret;
}

static int compare(struct simulation *s, size_t d, const struct design_values *first, const struct design_values *v,
                   struct err *e)
{
    const struct bounded_values a = bounded(first), b = bounded(v);
    const double *const y[] = {a.empty, b.empty}, *const errors[] = {a.error, b.error};

    return comparison_make(&s->plan, a.empty, b.empty, s->plan.params.confidence, &s->against_first[d], e) < 0 ||
                   within_launch_compare(&s->plan, y, errors, &s->against_first[d], e) < 0
               ? -1
               : cache_bounds_check(&s->plan, &a, &b, &s->against_first[d], e);
}

int simulation_project(struct simulation *s, struct err *e)
{
    size_t n = s->plan.sample_count;
    double *room = mem_zalloc(6 * n + 1, sizeof *room, e);
    struct design_values first, v;
    int ret = room ? 0 : -1;

    if (!room)
        return -1;
    first = (struct design_values){room, room + n, room + 2 * n};
    v = (struct design_values){room + 3 * n, room + 4 * n, room + 5 * n};
    for (size_t d = 0; ret == 0 && d < s->design_count; d++) {
        double second = 1 / design_clock_hz(s->designs[d]);

        fill_values(s, d, 1, &v);
        ret = project_cycles(s, d, &v, e) < 0 || project_metrics(s, d, e) < 0 ||
                      (s->domains.wanted &&
                       simulation_domains_add(&s->domains, d, &s->plan, v.empty, &s->cycles[d], e) < 0)
                  ? -1
                  : 0;
        fill_values(s, d, second, d == 0 ? &first : &v);
        if (ret == 0 && d > 0)
            ret = compare(s, d, &first, &v, e);
    }
    free(room);
    return ret;
}
