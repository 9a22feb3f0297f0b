/* coverage [REPEATS [DATASET]]: the tables of docs/design/sampling-methods.md about the promises of plans.
 *
 * For every recorded profile and error bound: the cost of a `vivace` plan and of `root` as published, and how often
 * the promises are kept. Samples are drawn REPEATS times (default 10 000) on GPU designs that differ from the
 * profile (tests/harness/redraw.h), with several realisations of each design. Shares are in percent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sampling/methods/method.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"

enum { REALISATIONS_MAX = 200, REALISATIONS_MIN = 20 };

struct bench {
    const char *name;
    struct profile p;
    unsigned repeats, realisations;
    double *y[REALISATIONS_MAX][DESIGN_COUNT];
};

struct row {
    size_t strata;
    uint64_t samples;
    double cost, promised, df;
    struct redraw_score score[DESIGN_COUNT];
};

static void add(struct redraw_score *to, const struct redraw_score *x, double share)
{
    to->within += share * x->within;
    to->covered_t += share * x->covered_t;
    to->covered_z += share * x->covered_z;
    to->kept += share * x->kept;
    to->half_width += share * x->half_width;
    to->df += share * x->df;
    to->rmse += share * x->rmse;
}

static int measure(const struct bench *b, const char *method, const struct plan_params *params, struct row *out,
                   struct err *e)
{
    const struct method *m = method_find(method, e);
    struct strata s = {0};
    int ret = m ? m->stratify(&b->p, params, &s, e) : -1;

    *out = (struct row){.strata = s.count, .promised = s.promised_error, .df = s.planned_df};
    for (size_t h = 0; ret == 0 && h < s.count; h++)
        out->samples += s.items[h].n;
    if (ret == 0)
        out->cost = redraw_cost(&s, &b->p);
    for (unsigned r = 0; ret == 0 && r < b->realisations; r++) {
        struct redraw_params rp = {params->error, params->confidence, 1 + r * 1000000, b->repeats / b->realisations,
                                   &b->p};
        struct redraw_score one[DESIGN_COUNT];

        ret = redraw(&s, (const double *const *)b->y[r], DESIGN_COUNT, b->p.count, &rp, one, e);
        for (int d = 0; ret == 0 && d < DESIGN_COUNT; d++)
            add(&out->score[d], &one[d], 1.0 / b->realisations);
    }
    strata_release(&s);
    return ret;
}

static void print_shares(const char *what, const struct row *r, size_t offset)
{
    printf(" %s", what);
    for (int d = 0; d < DESIGN_COUNT; d++)
        printf(" %5.1f", 100 * *(const double *)((const char *)&r->score[d] + offset));
    printf(" |");
}
#define SHARES(what_, row_, member_) print_shares(what_, row_, offsetof(struct redraw_score, member_))

static void print_row(const struct bench *b, const char *who, double error, const struct row *r, double against)
{
    printf("%-12s %3.0f %%  %-13s %4zu %5llu %9.2fx", b->name, 100 * error, who, r->strata,
           (unsigned long long)r->samples, 1 / r->cost);
    if (against > 0)
        printf(" %5.2f%s", r->cost / against, r->cost <= against * 1.0001 ? " " : "!");
    else
        printf("       ");
    printf(" %5.2f %% |", 100 * r->promised);
}

/* A valid interval needs at least two samples in each stratum. The row with one sample has no interval. */
static int compare(const struct bench *b, double error, struct err *e)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct row root, ours, point;

    params.error = error;
    if (measure(b, "root", &params, &root, e) < 0 || measure(b, "vivace", &params, &ours, e) < 0)
        return -1;
    params.least_samples = 1;
    if (measure(b, "vivace", &params, &point, e) < 0)
        return -1;
    print_row(b, "root", error, &root, 0);
    SHARES("within", &root, within);
    printf("\n");
    print_row(b, "vivace", error, &ours, root.cost);
    SHARES("within", &ours, within);
    SHARES("t covers", &ours, covered_t);
    SHARES("z covers", &ours, covered_z);
    SHARES("kept", &ours, kept);
    SHARES("half-width", &ours, half_width);
    printf(" df %.1f\n", ours.df);
    print_row(b, "vivace, point", error, &point, root.cost);
    SHARES("within", &point, within);
    printf("\n");
    return 0;
}

static int run(const struct dataset *d, unsigned repeats, struct err *e)
{
    static const double errors[] = {0.01, 0.02, 0.03, 0.05, 0.10};
    struct bench b = {.name = d->name, .repeats = repeats};
    int ret = dataset_load(d, &b.p, e);

    if (ret == 0)
        printf("%-12s skipped: not here\n", d->name);
    if (ret <= 0)
        return ret;
    b.realisations = (unsigned)(400000 / b.p.count);
    b.realisations = b.realisations < REALISATIONS_MIN   ? REALISATIONS_MIN
                     : b.realisations > REALISATIONS_MAX ? REALISATIONS_MAX
                                                         : b.realisations;
    for (unsigned r = 0; ret > 0 && r < b.realisations; r++)
        for (int k = 0; k < DESIGN_COUNT; k++)
            if (!(b.y[r][k] = design_make(&b.p, k, 7 + r, e)))
                ret = -1;
    for (size_t i = 0; ret >= 0 && i < sizeof errors / sizeof *errors; i++)
        ret = compare(&b, errors[i], e);
    for (unsigned r = 0; r < b.realisations; r++)
        for (int k = 0; k < DESIGN_COUNT; k++)
            free(b.y[r][k]);
    profile_release(&b.p);
    fflush(stdout);
    return ret < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    printf("shares in five designs: the profile, another GPU, noise of 3, 10, 30 %%. `!`: costs more than root\n");
    printf("%-12s %-6s %-13s %4s %5s %10s %-6s %-8s\n", "profile", "bound", "method", "H", "n", "speedup", "cost",
           "promised");
    return datasets_bench(argc, argv, 10000, run);
}
