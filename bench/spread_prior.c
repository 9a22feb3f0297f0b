/* spread_prior [FILE.csv ...]: measures how far the spread on a design differs from the planned spread. It is the
 * source of the prior in sampling/strata/assurance.h.
 *
 * FILE is the output of `vivace simulate TRACES --gpu A,B,... --metrics --csv`: each design in turn is the planned
 * one (for 5, 2 and 1 %), and each other design is the simulated one. Then the recorded profiles of times, each
 * split in two: the first half of each kernel's launches is planned on, the second half is the simulated one.
 *
 * scale: the plan's standard error on the other design over the planned one, with the strata's weights on the other
 * design. noise: the excess, as a relative noise common to all launches; 0 where there is no excess. weights: the
 * ratio that the change of the strata's weights alone causes. The last lines are quantiles over workloads; each
 * workload has the same weight. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"
#include "tests/harness/simulated.h"

enum { PAIRS_MAX = 1024 };
static const double errors[] = {0.05, 0.02, 0.01};

struct seen {
    double scale, noise, weights, share; /* share: weight within its workload */
};
static struct seen all[PAIRS_MAX];
static size_t all_count;

struct sums {
    double planned, weighted, actual, even;
};

/* Adds one stratum. y: simulated values; floor: the noise floor. */
static void add_stratum(struct sums *sums, const struct plan_stratum *s, const uint32_t *rows, const double *y,
                        double floor)
{
    double population = (double)s->population, n = (double)s->samples, mean = 0, square = 0, cv;
    double times = population * (population - n) / n;

    if (n >= population)
        return;
    for (size_t i = 0; i < s->population; i++)
        mean += y[rows[i]] / population;
    for (size_t i = 0; i < s->population; i++)
        square += (y[rows[i]] - mean) * (y[rows[i]] - mean) / (population - 1);
    cv = s->planned_sd / s->mean;
    sums->planned += times * s->planned_sd * s->planned_sd;
    sums->weighted += times * cv * cv * mean * mean;
    sums->actual += times * fmax(square, floor * floor * mean * mean);
    sums->even += times * mean * mean;
}

/* Compares the plan on p with the simulated values y. Returns 0 when the plan is a census, which has no spread. */
static int compare(const struct profile *p, const double *y, double error, struct seen *out, struct err *e)
{
    struct strata strata = {0};
    struct plan plan;
    struct sums sums = {0};
    double x_total = (double)profile_total(p), y_total = 0;
    int ret = design_plan(p, error, &strata, &plan, e);

    for (size_t i = 0; i < p->count; i++)
        y_total += y[i];
    for (size_t h = 0; ret == 0 && h < strata.count; h++)
        add_stratum(&sums, &plan.strata[h],
                    strata.groups.rows + strata.groups.runs[strata.items[h].run_begin].first, y,
                    plan.params.noise_floor);
    if (ret == 0 && sums.planned > 0) {
        double excess = sums.actual - sums.weighted;

        *out = (struct seen){.scale = sqrt(sums.actual / sums.weighted),
                             .noise = sqrt(fmax(excess, 0) / sums.even),
                             .weights = sqrt(sums.weighted / sums.planned) * x_total / y_total};
        ret = 1;
    }
    plan_release(&plan);
    strata_release(&strata);
    return ret;
}

static int take(const char *name, const char *what, const struct profile *p, const double *y, size_t *first,
                struct err *e)
{
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
        struct seen *s = &all[all_count];
        int ret = compare(p, y, errors[k], s, e);

        if (ret < 0)
            return -1;
        if (ret == 0 || all_count == PAIRS_MAX - 1)
            continue;
        all_count++;
        printf("%-20s %2.0f %% %-12s scale %5.2f noise %5.1f %% weights %5.2f\n", name, 100 * errors[k], what,
               s->scale, 100 * s->noise, s->weights);
    }
    for (size_t k = *first; k < all_count; k++)
        all[k].share = 1 / (double)(all_count - *first);
    return 0;
}

static int pairs_of_designs(const char *path, struct err *e)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct simulated s;
    size_t first = all_count;
    int ret = simulated_load(&s, path, PROFILE_NS, e);

    for (size_t a = 0; ret == 0 && a < s.designs; a++) {
        const double *x = simulated_counter(&s, a, "cycles");

        for (size_t i = 0; i < s.p.count; i++)
            s.p.value[i] = (uint64_t)x[i];
        for (size_t b = 0; ret == 0 && b < s.designs; b++) {
            char what[64];

            snprintf(what, sizeof what, "%zu, on %zu", a, b);
            if (a != b)
                ret = take(name, what, &s.p, simulated_counter(&s, b, "cycles"), &first, e);
        }
    }
    simulated_release(&s);
    return ret;
}

/* Pairs the launches of each kernel: launch j of the first device with launch j of the second, where two devices
 * have the same launches; else launch j of the first half with launch j of the second half. *out: the profile of
 * the first launches of the pairs; y: the values of the second ones. */
static int split(const struct profile *p, struct profile *out, double *y, struct err *e)
{
    struct profile_builder *b = profile_builder_new(p->unit, 0, e);
    size_t *order = mem_zalloc(p->count, sizeof *order, e),
           *begin = mem_zalloc(p->kernel_count + 1, sizeof *begin, e);
    size_t *at = mem_zalloc(p->kernel_count + 1, sizeof *at, e), rows = 0;
    int ret = b && order && begin && at ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < p->count; i++)
        begin[p->kernel[i] + 1]++;
    for (size_t k = 0; ret == 0 && k < p->kernel_count; k++)
        begin[k + 1] += begin[k], at[k] = begin[k];
    for (size_t i = 0; ret == 0 && i < p->count; i++) /* launches are grouped by context */
        order[at[p->kernel[i]]++] = i;
    for (size_t i = 0; ret == 0 && i < p->count; i++)
        at[p->kernel[i]] = 0;
    for (size_t i = 0; ret == 0 && i < p->count; i++) {
        uint32_t k = p->kernel[i];
        size_t nth = at[k]++, half = (begin[k + 1] - begin[k]) / 2;
        const struct profile_kernel *kernel = &p->kernels[k];
        struct profile_row row = {.name = kernel->name, .value = p->value[i], .correlation = rows + 1};

        if (nth >= half)
            continue;
        memcpy(row.grid, kernel->grid, sizeof row.grid);
        memcpy(row.block, kernel->block, sizeof row.block);
        ret = profile_builder_add(b, &row, e);
        y[rows++] = (double)p->value[order[begin[k] + nth + half]];
    }
    if (ret == 0)
        ret = profile_builder_finish(b, out, e);
    profile_builder_free(b);
    free(order);
    free(begin);
    free(at);
    return ret;
}

static int halves(const struct dataset *d, struct err *e)
{
    struct profile p, half;
    size_t first = all_count;
    double *y = NULL;
    int ret = dataset_load(d, &p, e);

    profile_init(&half);
    if (ret > 0 && p.unit == PROFILE_NS && p.count >= 50 && d->column < 0) {
        y = mem_zalloc(p.count, sizeof *y, e);
        ret = y && split(&p, &half, y, e) == 0 ? take(d->name, "second half", &half, y, &first, e) : -1;
    }
    free(y);
    profile_release(&half);
    profile_release(&p);
    return ret < 0 ? -1 : 0;
}

static double key(const struct seen *s, size_t what)
{
    return what == 0 ? s->scale : what == 1 ? s->noise : s->weights;
}

static size_t sorted_by;

static int seen_compare(const void *a, const void *b)
{
    double x = key(a, sorted_by), y = key(b, sorted_by);

    return x < y ? -1 : x > y;
}

static void print_quantiles(void)
{
    static const double at[] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95};
    static const char *const names[] = {"scale", "noise", "weights"};
    double shares = 0;

    for (size_t k = 0; k < all_count; k++)
        shares += all[k].share;
    for (sorted_by = 0; sorted_by < 3; sorted_by++) {
        qsort(all, all_count, sizeof *all, seen_compare);
        printf("%-8s", names[sorted_by]);
        for (size_t q = 0; q < sizeof at / sizeof *at; q++) {
            double sum = 0;
            size_t k = 0;

            while (k + 1 < all_count && (sum += all[k].share) < at[q] * shares)
                k++;
            printf("  %2.0f %%: %.3f", 100 * at[q], key(&all[k], sorted_by));
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    struct err e;
    int ret = 0;

    for (int i = 1; ret == 0 && i < argc; i++)
        ret = pairs_of_designs(argv[i], &e);
    for (const struct dataset *d = datasets; ret == 0 && d->name; d++)
        ret = halves(d, &e);
    if (ret < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], e.text);
        return 1;
    }
    print_quantiles();
    return 0;
}
