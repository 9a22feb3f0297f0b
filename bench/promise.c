/* promise [REPEATS [PROFILE [ERROR [expansion|ratio|assured]]]]: scores sequential runs, fixed plans, and fixed
 * plans with an assurance of 90 % (sampling/strata/assurance.h), on populations that differ from the planned
 * profile (tests/harness/redraw.h). Prints how often the interval covers the total, how often the promise is kept
 * (the half-width is within the error), and the cost; for runs also the mean error of the total. Each is repeated
 * REPEATS times (default 1000), divided among ten realisations; ERROR: 0.05, 0.02 and 0.01 unless given. `time`:
 * simulated time of the run and of the fixed plan, as shares of the total. The last argument is the estimator of
 * the plans (default expansion). Plans by ratio have no assurance: their rows end before it. `assured`: only plans
 * with an assurance, which takes a tenth of the time, on a hundred realisations, since the result depends more on
 * the realisation than on the draws.
 *
 * A row is marked when an assured plan keeps its promise in less than 90 % of the draws, or when its interval
 * covers the total in less than 94 %. The mark is "said" where the plan excludes the population in advance
 * ("outside": noise above the plan's limit, a second mode, a heavy tail, counts of instructions, nothing assured),
 * else "MISSED". With `assured` a missed row is repeated with 20 times as many other draws: the row "again" shows
 * whether it was chance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"
#include "tests/harness/runs.h"

enum { REALISATIONS = 10, REALISATIONS_ASSURED = 100 };
#define ASSURANCE    0.9
#define COVERAGE_MIN 0.94
enum { AGAIN = 20, AGAIN_SEED = 500000 /* the first seeds of two realisations differ by a million */ };
static const double all_errors[] = {0.05, 0.02, 0.01};
static double only_error;
static enum plan_estimator estimator = PLAN_EXPANSION;
static bool assured_only;
static unsigned realisations = REALISATIONS;

struct score {
    struct runs_score run;
    struct runs_fixed_score assured;
    double oracle;
};

static void add(double *sum, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++)
        sum[k] += x[k] / realisations;
}
#define ADD(to_, from_) add((double *)(to_), (const double *)(from_), sizeof *(to_) / sizeof(double))

static int play(const struct runs *r, const struct runs *assured, enum design d, unsigned repeats,
                uint64_t first_seed, struct score *out, struct err *e)
{
    int ret = 0;

    *out = (struct score){0};
    for (unsigned i = 0; ret == 0 && i < realisations; i++) {
        double *y = design_make(r->p, d, 7 + i, e);
        uint64_t *n = mem_zalloc(r->plan.stratum_count, sizeof *n, e),
                 seed = first_seed + 1000000 * (uint64_t)(i + 1);
        struct score one = {0};

        ret = y && n ? 0 : -1;
        if (ret == 0 && !assured_only)
            ret = runs_oracle(r, y, n, &one.oracle, e);
        if (ret == 0 && !assured_only)
            ret = runs_play(r, y, n, seed, repeats / realisations, 0, &one.run, e);
        if (ret == 0 && assured->p)
            ret = runs_play_fixed(assured, y, seed, repeats / realisations, &one.assured, e);
        if (ret == 0)
            ADD(out, &one);
        free(y);
        free(n);
    }
    return ret;
}

/* True when the plan's assurance excludes this population. */
static bool excluded(const struct plan *p, enum design d)
{
    static const double noise[DESIGN_ALL] = {
        [DESIGN_NOISE_3] = 0.03,     [DESIGN_NOISE_10] = 0.1,     [DESIGN_NOISE_30] = 0.3,
        [DESIGN_LOGNORMAL_3] = 0.03, [DESIGN_LOGNORMAL_10] = 0.1, [DESIGN_LOGNORMAL_30] = 0.3,
        [DESIGN_SLOW_MODE] = 1,      [DESIGN_FAST_MODE] = 1,      [DESIGN_HEAVY_TAIL] = 1,
        [DESIGN_NOISY_KERNELS] = 0.3};

    return !p->promise_valid || !(p->assured >= p->params.assurance) || noise[d] > p->assured_noise;
}

static void print_run(const struct plan *plan, const struct score *s)
{
    const struct runs_score *run = &s->run;

    printf(
        " | holds %5.1f below %5.1f bias %+6.2f %% kept %5.1f analyses %4.2f time/oracle %5.2f | fixed holds %5.1f "
        "kept %5.1f time/oracle %4.2f time %.5f %.5f",
        100 * run->covered, 100 * run->below, 100 * run->bias, 100 * run->kept, run->analyses,
        run->cost / s->oracle, 100 * run->fixed.covered, 100 * run->fixed.kept, run->fixed.cost / s->oracle,
        run->cost / (double)plan->total, run->fixed.cost / (double)plan->total);
}

static bool is_missed(const struct score *s)
{
    return s->assured.kept < ASSURANCE || s->assured.covered < COVERAGE_MIN;
}

static void print_assured(const struct plan *plan, enum design d, const struct score *s)
{
    bool missed = is_missed(s);

    printf(" | assured holds %5.1f kept %5.1f time %.5f", 100 * s->assured.covered, 100 * s->assured.kept,
           s->assured.cost / (double)plan->total);
    if (!assured_only)
        printf(" /oracle %5.2f /fixed %5.2f", s->assured.cost / s->oracle, s->assured.cost / s->run.fixed.cost);
    printf(" noise %4.1f %%%s%s", 100 * plan->assured_noise, excluded(plan, d) ? " outside" : "",
           !missed             ? ""
           : excluded(plan, d) ? " said"
                               : " MISSED");
}

static void print(const char *name, double error, enum design d, const struct plan *plan,
                  const struct runs *assured, const struct score *s)
{
    printf("%-12s %2.0f %% %-14s", name, 100 * error, design_names[d]);
    if (!assured_only)
        print_run(plan, s);
    if (assured->p)
        print_assured(&assured->plan, d, s);
    printf("\n");
    fflush(stdout);
}

static int run_error(const struct dataset *d, const struct profile *p, double error, unsigned repeats,
                     struct err *e)
{
    struct runs r = {0}, assured = {0};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    int ret;

    params.error = error;
    params.estimator = estimator;
    ret = runs_init_by(&r, p, &params, e);
    params.assurance = ASSURANCE;
    if (ret == 0 && estimator == PLAN_EXPANSION)
        ret = runs_init_by(&assured, p, &params, e);

    for (enum design k = 0; ret == 0 && k < DESIGN_ALL; k++) {
        struct score s;

        ret = play(&r, &assured, k, repeats, 0, &s, e);
        if (ret == 0)
            print(d->name, error, k, &r.plan, &assured, &s);
        /* With hundreds of rows, some miss their limit by chance only. Such a row is repeated with AGAIN times as
         * many draws and another seed. */
        if (ret == 0 && assured_only && is_missed(&s) && !excluded(&assured.plan, k)) {
            ret = play(&r, &assured, k, AGAIN * repeats, AGAIN_SEED, &s, e);
            if (ret == 0)
                print("  again", error, k, &r.plan, &assured, &s);
        }
    }
    runs_release(&r);
    runs_release(&assured);
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
    assured_only = argc > 4 && strcmp(argv[4], "assured") == 0;
    realisations = assured_only ? REALISATIONS_ASSURED : REALISATIONS;
    if (argc > 4 && !assured_only && plan_estimator_from_name(argv[4], &estimator) < 0)
        return fprintf(stderr, "promise: there is no estimator `%s`\n", argv[4]), 64;
    return datasets_bench(argc, argv, 1000, run);
}
