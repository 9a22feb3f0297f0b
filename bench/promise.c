/* promise [REPEATS [PROFILE [ERROR [expansion|ratio]]]]: runs that decide for themselves, and fixed plans, on
 * populations unlike the profile that they were planned from (tests/harness/redraw.h): how often the interval holds
 * the total, how often the promise is kept, how far the total is off on average, and what it costs. REPEATS runs of
 * each (1000), shared by ten realisations; ERROR: 0.05, 0.02 and 0.01 unless given. `time`: simulated time of the
 * run and of the fixed plan, as shares of all; the last argument: what plans go by (expansion). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"
#include "tests/harness/runs.h"

enum { REALISATIONS = 10 };
static const double all_errors[] = {0.05, 0.02, 0.01};
static double only_error;
static enum plan_estimator estimator = PLAN_EXPANSION;

static void add(struct runs_score *to, const struct runs_score *x)
{
    double *sum = (double *)to;

    for (size_t k = 0; k < sizeof *to / sizeof(double); k++)
        sum[k] += ((const double *)x)[k] / REALISATIONS;
}

static int play(const struct runs *r, enum design d, unsigned repeats, struct runs_score *out, double *oracle,
                struct err *e)
{
    int ret = 0;

    *out = (struct runs_score){0};
    *oracle = 0;
    for (unsigned i = 0; ret == 0 && i < REALISATIONS; i++) {
        double *y = design_make(r->p, d, 7 + i, e), cost;
        uint64_t *n = mem_zalloc(r->plan.stratum_count, sizeof *n, e);
        struct runs_score one;

        ret = y && n ? runs_oracle(r, y, n, &cost, e) : -1;
        if (ret == 0)
            ret = runs_play(r, y, n, 1000000 * (uint64_t)(i + 1), repeats / REALISATIONS, 0, &one, e);
        if (ret == 0) {
            add(out, &one);
            *oracle += cost / REALISATIONS;
        }
        free(y);
        free(n);
    }
    return ret;
}

static int run_error(const struct dataset *d, const struct profile *p, double error, unsigned repeats,
                     struct err *e)
{
    struct runs r = {0};
    int ret = runs_init_by(&r, p, error, estimator, e);

    for (enum design k = 0; ret == 0 && k < DESIGN_ALL; k++) {
        struct runs_score s;
        double oracle;

        ret = play(&r, k, repeats, &s, &oracle, e);
        if (ret == 0)
            printf(
                "%-12s %2.0f %% %-14s | holds %5.1f below %5.1f bias %+6.2f %% kept %5.1f looks %4.2f time/oracle "
                "%5.2f | fixed holds %5.1f kept %5.1f time/oracle %4.2f time %.5f %.5f\n",
                d->name, 100 * error, design_names[k], 100 * s.covered, 100 * s.below, 100 * s.bias, 100 * s.kept,
                s.looks, s.cost / oracle, 100 * s.fixed.covered, 100 * s.fixed.kept, s.fixed.cost / oracle,
                s.cost / (double)r.plan.total, s.fixed.cost / (double)r.plan.total);
        fflush(stdout);
    }
    runs_release(&r);
    return ret;
}

static int run(const struct dataset *d, unsigned repeats, struct err *e)
{
    struct profile p;
    int ret = dataset_load(d, &p, e);

    if (ret == 0)
        printf("%-12s skipped: not here\n", d->name);
    for (size_t i = 0; ret > 0 && i < sizeof all_errors / sizeof *all_errors; i++)
        if (!(only_error > 0) || only_error == all_errors[i])
            ret = run_error(d, &p, all_errors[i], repeats, e) < 0 ? -1 : 1;
    profile_release(&p);
    return ret < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    only_error = argc > 3 ? strtod(argv[3], NULL) : 0;
    if (argc > 4 && plan_estimator_from_name(argv[4], &estimator) < 0)
        return fprintf(stderr, "promise: there is no estimator `%s`\n", argv[4]), 64;
    return datasets_bench(argc, argv, 1000, run);
}
