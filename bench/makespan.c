/* makespan [REPEATS [PROFILE [ERROR]]]: how often does the makespan's interval cover the truth? For every recorded
 * profile with start times and every schedule of tests/harness/schedules.h, plans of `vivace` for ERROR (default
 * 2 %) are drawn REPEATS times (default 200), with results from the designs of tests/harness/redraw.h. The true
 * makespan is that of the schedule in which every launch has its own result. Values are in percent; coverage and
 * half-width are over the draws that have an interval. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/time/makespan.h"
#include "sampling/time/makespan_layout.h"
#include "sampling/methods/plan_make.h"
#include "sampling/estimate/projection.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"
#include "tests/harness/schedules.h"

static const enum design played[] = {DESIGN_PROFILE,  DESIGN_OTHER,    DESIGN_NOISE_3,
                                     DESIGN_NOISE_10, DESIGN_NOISE_30, DESIGN_SLOW_MODE};

static double error = 0.02;

struct score {
    double bias, within, width, none, total_within, df, results; /* sums over the repeats */
};

/* NaN: memory ran out. */
static double true_makespan_s(const struct profile *p, const double *y)
{
    struct layout l = {0};
    struct err e;
    double ns = NAN;

    if (layout_init(&l, p, &e) == 0) {
        for (size_t i = 0; i < p->count; i++)
            l.durations[i] = y[l.rows[i]];
        ns = layout_busy(&l);
    }
    layout_release(&l);
    return ns * 1e-9;
}

static int draw_once(const struct profile *profile, const struct plan *plan, const double *all, double total,
                     double makespan, struct score *s, struct err *e)
{
    double *y = mem_zalloc(plan->sample_count, sizeof *y, e);
    struct projection p = {0};
    struct makespan m;
    int ret = -1;

    for (size_t i = 0; y && i < plan->sample_count; i++)
        y[i] = all[plan->samples[i].launch];
    if (y && projection_make(plan, y, 0.95, &p, e) == 0 && makespan_make(profile, plan, y, &p, 1e-9, &m, e) == 0) {
        s->bias += m.value_s / makespan - 1;
        if (isnan(m.half_width_s)) {
            s->none++;
        } else {
            s->within += fabs(m.value_s - makespan) <= m.half_width_s + 1e-12 * makespan;
            s->width += m.half_width_s / makespan;
        }
        s->results += fmin(m.results, 9999) / 1;
        s->df += fmin(p.df, 9999);
        s->total_within += fabs(p.value - total) <= p.half_width + 1e-12 * total;
        ret = 0;
    }
    projection_release(&p);
    free(y);
    return ret;
}

static int play(const char *name, const struct profile *p, struct plan *plan, const struct strata *strata,
                enum design d, unsigned repeats, struct err *e)
{
    double *y = design_make(p, d, 7, e), total = 0, makespan, percent = 100.0 / repeats;
    struct score s = {0};
    int ret = y ? 0 : -1;

    if (!y)
        return -1;
    for (size_t i = 0; i < p->count; i++)
        total += y[i];
    makespan = true_makespan_s(p, y);
    for (unsigned i = 0; ret == 0 && i < repeats; i++) {
        ret = plan_redraw(plan, p, strata, 1 + i, RNG_EVALUATE, e);
        if (ret == 0)
            ret = draw_once(p, plan, y, total, makespan, &s, e);
    }
    if (ret == 0)
        printf(
            "%-10s %-10s total / makespan %.2f | interval in %5.1f, holds %5.1f, half-width %6.2f, off by %+5.2f | "
            "the total's holds %5.1f, df %.1f, results %.1f\n",
            name, design_names[d], total * 1e-9 / makespan, 100 - percent * s.none,
            100 * s.within / (repeats - s.none), 100 * s.width / (repeats - s.none), percent * s.bias,
            percent * s.total_within, s.df / repeats, s.results / repeats);
    fflush(stdout);
    free(y);
    return ret;
}

static int play_all(const char *name, const struct profile *p, unsigned repeats, struct err *e)
{
    struct strata strata = {0};
    struct plan plan = {0};
    int ret = design_plan(p, error, &strata, &plan, e);

    for (size_t d = 0; ret == 0 && d < sizeof played / sizeof *played; d++)
        ret = play(name, p, &plan, &strata, played[d], repeats, e);
    plan_release(&plan);
    strata_release(&strata);
    return ret;
}

/* A profile without start times has no makespan. */
static int run(const struct dataset *data, unsigned repeats, struct err *e)
{
    struct profile p;
    int found = dataset_load(data, &p, e), ret = found < 0 ? -1 : 0;

    if (found == 0)
        printf("%-10s skipped: not here\n", data->name);
    if (found > 0 && p.start_ns && p.unit == PROFILE_NS)
        ret = play_all(data->name, &p, repeats, e);
    if (found > 0)
        profile_release(&p);
    return ret;
}

static int run_schedule(const struct schedule *s, unsigned repeats)
{
    struct profile p;
    struct err e;
    int ret = schedule_make(s, &p, &e);

    if (ret == 0)
        ret = play_all(s->name, &p, repeats, &e);
    if (ret < 0)
        fprintf(stderr, "makespan: %s: %s\n", s->name, e.text);
    profile_release(&p);
    return ret < 0;
}

int main(int argc, char **argv)
{
    const struct schedule *one = argc > 2 ? schedule_find(argv[2]) : NULL;
    unsigned repeats = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;
    int ret;

    if (argc > 3)
        error = strtod(argv[3], NULL) / 100;
    ret = one ? run_schedule(one, repeats) : datasets_bench(argc, argv, 200, run);

    for (const struct schedule *s = schedules; ret == 0 && (argc <= 2 || strcmp(argv[2], "all") == 0) && s->name;
         s++)
        ret = run_schedule(s, repeats);
    return ret;
}
