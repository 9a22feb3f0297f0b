/* estimator_comparison [REPEATS [DATASET]]: how often do estimators disagree by chance? For every recorded profile,
 * plans of `vivace` for 2 % are drawn REPEATS times (default 200), with results from the designs of
 * tests/harness/redraw.h. Prints the share of draws in which an opinion, the estimate of another estimator,
 * disagrees with the estimate in use (sampling/checks/estimator_comparison.h); the share in which the projection's
 * interval misses the truth; and the share of these misses in which an opinion disagrees. Shares are in percent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/checks/estimator_comparison.h"
#include "sampling/methods/plan_make.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"

struct score { /* counts */
    double each[OPINIONS], bootstrap, any, any_and_missed, missed;
};

static int draw_once(const struct plan *plan, const double *all, double truth, struct score *s, struct err *e)
{
    double *y = mem_zalloc(plan->sample_count, sizeof *y, e);
    struct projection_options options = PROJECTION_OPTIONS_DEFAULT;
    struct projection p = {0};
    struct opinions o;
    int ret = -1;

    for (size_t i = 0; y && i < plan->sample_count; i++)
        y[i] = all[plan->samples[i].launch];
    options.kappa = 1;
    if (y && projection_make_with(plan, y, &options, &p, e) == 0 &&
        opinions_make(plan, y, &options, &p, &o, e) == 0) {
        bool missed = fabs(p.value - truth) > p.half_width + 1e-12 * truth;

        for (int i = 0; i < OPINIONS; i++)
            s->each[i] += o.each[i].disagrees;
        s->bootstrap += !o.bootstrap.why_not && o.bootstrap.disagrees;
        s->any += o.disagree;
        s->missed += missed;
        s->any_and_missed += missed && o.disagree;
        ret = 0;
    }
    projection_release(&p);
    free(y);
    return ret;
}

static int play(const struct profile *p, struct plan *plan, const struct strata *strata, enum design d,
                unsigned repeats, struct score *s, struct err *e)
{
    double *y = design_make(p, d, 7, e), truth = 0;
    int ret = y ? 0 : -1;

    for (size_t i = 0; y && i < p->count; i++)
        truth += y[i];
    for (unsigned i = 0; ret == 0 && i < repeats; i++) {
        ret = plan_redraw(plan, p, strata, 1 + i, RNG_EVALUATE, e);
        if (ret == 0)
            ret = draw_once(plan, y, truth, s, e);
    }
    free(y);
    return ret;
}

static int run(const struct dataset *data, unsigned repeats, struct err *e)
{
    struct strata strata = {0};
    struct plan plan = {0};
    struct profile p;
    int ret = dataset_load(data, &p, e);

    if (ret == 0)
        printf("%-12s skipped: not here\n", data->name);
    if (ret > 0 && design_plan(&p, 0.02, &strata, &plan, e) < 0)
        ret = -1;
    for (int d = DESIGN_OTHER; ret > 0 && d < DESIGN_COUNT; d++) {
        double percent = 100.0 / repeats;
        struct score s = {0};

        if (play(&p, &plan, &strata, (enum design)d, repeats, &s, e) < 0) {
            ret = -1;
            break;
        }
        printf("%-12s %-10s any %5.1f | ratio %5.1f difference %5.1f regression %5.1f bootstrap %5.1f |"
               " projection misses %4.1f, of these reported %5.1f\n",
               data->name, design_names[d], percent * s.any, percent * s.each[1], percent * s.each[2],
               percent * s.each[3], percent * s.bootstrap, percent * s.missed,
               s.missed > 0 ? 100 * s.any_and_missed / s.missed : NAN);
        fflush(stdout);
    }
    plan_release(&plan);
    strata_release(&strata);
    profile_release(&p);
    return ret < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    return datasets_bench(argc, argv, 200, run);
}
