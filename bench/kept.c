/* kept [REPEATS [PROFILE|all [other]]], kept REPEATS FILE.csv FEATURES.json: the cost of each sampling method at
 * which it keeps its promise of 5, 2 and 1 %. PROFILE: a recorded profile of times (tests/harness/datasets.h),
 * scored on itself, on another GPU, and with noise of 3 % (tests/harness/redraw.h); `other`: on another GPU only.
 * FILE.csv is the output of `vivace simulate TRACES --gpu A,B,... --csv`: the cycles of A are the profile, scored
 * on each design. FEATURES.json is the output of `vivace trace features TRACES`. bench/kept.sh makes both.
 *
 * One row for each method: its cost, in profiled time, at the coarsest setting at which 90 % of REPEATS (default
 * 1000) draws are within the error and 94 % of the intervals cover the truth (tests/harness/kept.h), and that
 * setting as a multiple of the error. For a method without an interval, its actual error counts, which its user
 * cannot know. `run` and `run ratio` are sequential runs with a stopping rule; `assured` is planned with an
 * assurance of 90 %. These use the requested error. The other methods get their best setting, which their user
 * cannot know beforehand. `fixed one` has one sample in each stratum (model-assisted). BEST: the cheaper run, the
 * cheapest other methods, and the oracle, each with the cost of our run as a multiple of its cost. The oracle knows
 * the spread on the design, by expansion or by ratio to the profiled times, and has no margin for chance
 * (tests/harness/runs.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ingest/ingest.h"
#include "sampling/profile/attach.h"
#include "tests/harness/datasets.h"
#include "tests/harness/kept.h"
#include "tests/harness/redraw.h"
#include "tests/harness/runs.h"
#include "tests/harness/simulated.h"

enum { REALISATIONS = 20 };
#define ASSURANCE 0.9
static bool other_only;

struct bench {
    const char *name, *design;
    const struct profile *p;
    struct kept_designs on;
    unsigned repeats;
    double oracle[KEPT_ERRORS], ours[KEPT_ERRORS]; /* ours: the cheaper run */
    /* The cheapest of the other methods: with an interval, and without. */
    struct best {
        double cost;
        const char *name;
    } seen[KEPT_ERRORS], blind[KEPT_ERRORS];
};

static void print(const struct bench *b, int k, const char *who, const struct kept_score *s)
{
    printf("%-12s %-12s %2.0f %%  %-13s", b->name, b->design, 100 * kept_errors[k], who);
    if (kept_promise(s))
        printf(" cost %9.5f %%", 100 * s->cost);
    else
        printf(" not kept   (%.3f %%)", 100 * s->cost);
    printf("  within %5.1f", 100 * s->within);
    if (isnan(s->covered))
        printf("  no interval");
    else
        printf("  holds %5.1f", 100 * s->covered);
    if (!isnan(s->setting))
        printf("  planned for %.2f of the error", s->setting / kept_errors[k]);
    printf("\n");
    fflush(stdout);
}

/* Scores sequential runs, and the cost of an oracle. */
static int bench_runs(struct bench *b, enum plan_estimator estimator, const char *who, struct err *e)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    size_t designs = b->on.count;
    int ret = 0;

    params.estimator = estimator;
    for (int k = 0; ret == 0 && k < KEPT_ERRORS; k++) {
        struct kept_score s = {.setting = NAN};
        struct runs r = {0};
        double oracle = 0;

        params.error = kept_errors[k];
        ret = runs_init_by(&r, b->p, &params, e);
        for (size_t d = 0; ret == 0 && d < designs; d++) {
            uint64_t *n = mem_zalloc(r.plan.stratum_count, sizeof *n, e);
            struct runs_score one = {0};
            double cost = 0;

            ret = n ? runs_oracle(&r, b->on.y[d], n, &cost, e) : -1;
            if (ret == 0)
                ret = runs_play(&r, b->on.y[d], n, 1000000 * (d + 1), b->repeats / (unsigned)designs, 0, &one, e);
            s.cost += one.cost / (double)designs / (double)r.plan.total;
            s.within += one.kept / (double)designs;
            s.covered += one.covered / (double)designs;
            oracle += cost / (double)designs / (double)r.plan.total;
            free(n);
        }
        runs_release(&r);
        if (ret == 0)
            print(b, k, who, &s);
        b->oracle[k] = fmin(b->oracle[k], oracle);
        if (kept_promise(&s))
            b->ours[k] = fmin(b->ours[k], s.cost);
    }
    return ret;
}

static int bench_assured(struct bench *b, struct err *e)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct kept_score s[KEPT_ERRORS];
    int ret = 0;

    params.assurance = ASSURANCE;
    for (int k = 0; ret == 0 && k < KEPT_ERRORS; k++) {
        params.error = kept_errors[k];
        ret = kept_at(method_find("vivace", e), b->p, &params, &b->on, b->repeats, s, e);
        if (ret == 0)
            print(b, k, "assured", &s[k]);
    }
    return ret;
}

static int bench_method(struct bench *b, const struct method *m, enum plan_estimator estimator, uint32_t least,
                        const char *who, struct err *e)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct kept_score s[KEPT_ERRORS];
    bool other = strcmp(m->name, "vivace") != 0;

    params.estimator = estimator;
    params.least_samples = least;
    if (kept_coarsest(m, b->p, &params, &b->on, b->repeats, s, e) < 0)
        return -1;
    for (int k = 0; k < KEPT_ERRORS; k++) {
        struct best *best;

        print(b, k, who, &s[k]);
        best = isnan(s[k].covered) ? &b->blind[k] : &b->seen[k];
        if (other && kept_promise(&s[k]) && s[k].cost < best->cost)
            *best = (struct best){s[k].cost, m->name};
    }
    return 0;
}

static int bench_design(struct bench *b, struct err *e)
{
    const struct method *vivace = method_find("vivace", e);
    int ret;

    for (int k = 0; k < KEPT_ERRORS; k++) {
        b->oracle[k] = b->ours[k] = INFINITY;
        b->seen[k] = b->blind[k] = (struct best){INFINITY, "none"};
    }
    ret = bench_runs(b, PLAN_EXPANSION, "run", e);
    if (ret == 0)
        ret = bench_runs(b, PLAN_RATIO, "run ratio", e);
    if (ret == 0)
        ret = bench_assured(b, e);
    if (ret == 0)
        ret = bench_method(b, vivace, PLAN_EXPANSION, 2, "fixed", e);
    if (ret == 0)
        ret = bench_method(b, vivace, PLAN_EXPANSION, 1, "fixed one", e);
    if (ret == 0)
        ret = bench_method(b, vivace, PLAN_RATIO, 2, "fixed ratio", e);
    for (size_t i = 0; ret == 0 && methods[i]; i++)
        if (methods[i] != vivace && !method_why_not(methods[i], b->p))
            ret = bench_method(b, methods[i], PLAN_EXPANSION, 2, methods[i]->name, e);
    for (int k = 0; ret == 0 && k < KEPT_ERRORS; k++)
        printf("%-12s %-12s %2.0f %%  BEST          ours %.5f %%  interval: %s %.5f %% (%.2f)  none: %s %.5f %% "
               "(%.2f)  "
               "oracle %.5f %% (%.2f)\n",
               b->name, b->design, 100 * kept_errors[k], 100 * b->ours[k], b->seen[k].name, 100 * b->seen[k].cost,
               b->ours[k] / b->seen[k].cost, b->blind[k].name, 100 * b->blind[k].cost,
               b->ours[k] / b->blind[k].cost, 100 * b->oracle[k], b->ours[k] / b->oracle[k]);
    return ret;
}

static int run(const struct dataset *d, unsigned repeats, struct err *e)
{
    static const enum design designs[] = {DESIGN_PROFILE, DESIGN_OTHER, DESIGN_NOISE_3};
    double *y[REALISATIONS] = {NULL};
    struct profile p;
    int ret = dataset_load(d, &p, e);

    if (ret == 0)
        printf("%-12s skipped: not here\n", d->name);
    if (ret > 0 && p.unit != PROFILE_NS)
        printf("%-12s skipped: no times\n", d->name);
    for (size_t i = 0; ret > 0 && p.unit == PROFILE_NS && i < sizeof designs / sizeof *designs; i++) {
        struct bench b = {.name = d->name, .design = design_names[designs[i]], .p = &p, .repeats = repeats};

        if (other_only && designs[i] != DESIGN_OTHER)
            continue;
        b.on = (struct kept_designs){y, designs[i] == DESIGN_PROFILE ? 1 : REALISATIONS};
        for (unsigned r = 0; ret > 0 && r < b.on.count; r++)
            if (!(y[r] = design_make(&p, designs[i], 7 + r, e)))
                ret = -1;
        if (ret > 0 && bench_design(&b, e) < 0)
            ret = -1;
        for (unsigned r = 0; r < REALISATIONS; r++) {
            free(y[r]);
            y[r] = NULL;
        }
    }
    profile_release(&p);
    return ret < 0 ? -1 : 0;
}

static int add_features(struct profile *p, const char *path, struct err *e)
{
    struct import_report report;
    struct profile from;
    int ret;

    profile_init(&from);
    import_report_init(&report);
    ret = ingest_file(path, NULL, &from, &report, e);
    if (ret == 0)
        ret = attach_features(p, "the simulation", &from, path, e);
    import_report_release(&report);
    profile_release(&from);
    return ret;
}

static int run_traces(const char *csv, const char *features, unsigned repeats, struct err *e)
{
    const char *name = strrchr(csv, '/') ? strrchr(csv, '/') + 1 : csv;
    char short_name[32];
    struct simulated s = {.designs = 0};
    int ret = simulated_load(&s, csv, PROFILE_NS, e);

    snprintf(short_name, sizeof short_name, "%.*s", (int)strcspn(name, "."), name);
    if (ret == 0)
        ret = add_features(&s.p, features, e);
    for (size_t d = 0; ret == 0 && d < s.designs; d++) {
        double *y[1] = {mem_zalloc(s.p.count, sizeof **y, e)};
        struct bench b = {.name = short_name, .design = s.names[d], .p = &s.p, .on = {y, 1}, .repeats = repeats};

        if (y[0])
            memcpy(y[0], simulated_counter(&s, d, "cycles"), s.p.count * sizeof **y);
        ret = y[0] ? bench_design(&b, e) : -1;
        free(y[0]);
    }
    simulated_release(&s);
    return ret;
}

int main(int argc, char **argv)
{
    struct err e;

    other_only = argc > 3 && strcmp(argv[3], "other") == 0;
    if (argc < 4 || other_only)
        return datasets_bench(argc, argv, 1000, run);
    if (run_traces(argv[2], argv[3], (unsigned)strtoul(argv[1], NULL, 10), &e) == 0)
        return 0;
    fprintf(stderr, "kept: %s\n", e.text);
    return 1;
}
