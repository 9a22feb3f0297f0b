/* paired FILE.csv [REPEATS [RESOLVE]]: the accuracy of differences between designs. FILE is the output of
 * `vivace simulate TRACES --gpu PLANNED,BASELINE,OTHER... --csv`: launches are planned by `vivace` for 2 % on the
 * cycles of the first design, and each other design is compared with the second.
 *
 * The plan is drawn REPEATS times (default 10 000). The interval of the ratio of totals is computed from the same
 * launches on both designs, and from launches that are drawn for each design independently, whose squared relative
 * half-widths add up. The same number of sequential runs then stop when the ratio is known to +- RESOLVE (default
 * 0.005): how often does the interval cover the truth at that moment? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/methods/plan_make.h"
#include "sampling/sequential/plan_resize.h"
#include "sampling/estimate/projection.h"
#include "tests/harness/redraw.h"
#include "tests/harness/simulated.h"

struct bench {
    struct simulated all;
    const double *y[SIMULATED_DESIGNS]; /* cycles of each launch */
    double total[SIMULATED_DESIGNS];
    struct plan plan;
    struct strata strata;
    struct interim_shape *shapes;
    unsigned repeats;
    double resolve;
};

struct score { /* sums over repeats */
    double paired, paired_holds, unpaired, unpaired_holds;
    double run_holds, run_kept, analyses, samples;
};

static int load(struct bench *b, const char *path, struct err *e)
{
    if (simulated_load(&b->all, path, PROFILE_NS, e) < 0)
        return -1;
    for (size_t d = 0; d < b->all.designs; d++) {
        b->y[d] = simulated_counter(&b->all, d, "cycles");
        for (size_t i = 0; i < b->all.p.count; i++)
            b->total[d] += b->y[d][i];
    }
    return b->all.designs < 3 ? err_set(e, ERR_INVALID, "%s: fewer than three designs", path) : 0;
}

static int make_plan(struct bench *b, struct err *e)
{
    if (design_plan(&b->all.p, 0.02, &b->strata, &b->plan, e) < 0)
        return -1;
    b->shapes = mem_zalloc(b->strata.count, sizeof *b->shapes, e);
    if (b->shapes)
        plan_shapes(&b->strata, b->shapes);
    return b->shapes ? 0 : -1;
}

/* --- draws of the plan --- */

/* Returns the results of a plan's samples on a design; the caller frees them. */
static double *results(const struct bench *b, const struct plan *plan, size_t design, struct err *e)
{
    double *y = mem_zalloc(plan->sample_count, sizeof *y, e);

    for (size_t i = 0; y && i < plan->sample_count; i++)
        y[i] = b->y[design][plan->samples[i].launch];
    return y;
}

static bool holds(const struct bench *b, size_t d, double ratio, double half_width)
{
    double truth = b->total[d] / b->total[1];

    return fabs(ratio - truth) <= half_width + 1e-12 * truth;
}

static int draw(struct bench *b, size_t d, uint64_t seed, struct score *s, struct err *e)
{
    double level = b->plan.params.confidence, ratio, off, *a = NULL, *y = NULL, *alone = NULL;
    struct projected below, above;
    struct comparison c;
    int ret = -1;

    if (plan_redraw(&b->plan, &b->all.p, &b->strata, seed + 1000000000, RNG_EVALUATE, e) < 0 ||
        !(alone = results(b, &b->plan, d, e)) || projected_total(&b->plan, alone, level, &above, e) < 0)
        goto out;
    if (plan_redraw(&b->plan, &b->all.p, &b->strata, seed, RNG_EVALUATE, e) < 0 ||
        !(a = results(b, &b->plan, 1, e)) || !(y = results(b, &b->plan, d, e)) ||
        projected_total(&b->plan, a, level, &below, e) < 0 || comparison_make(&b->plan, a, y, level, &c, e) < 0)
        goto out;
    ratio = above.value / below.value;
    off = ratio * hypot(above.half_width / above.value, below.half_width / below.value);
    s->unpaired += off;
    s->unpaired_holds += holds(b, d, ratio, off);
    s->paired += c.ratio_half_width;
    s->paired_holds += holds(b, d, c.ratio, c.ratio_half_width);
    ret = 0;
out:
    free(a);
    free(y);
    free(alone);
    return ret;
}

/* --- sequential runs --- */

static int analysis(const struct bench *b, const struct plan *plan, size_t d, struct interim_spent *past,
                    unsigned number, struct interim_analysis *out, struct err *e)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    double *y[2] = {results(b, plan, 1, e), results(b, plan, d, e)};
    int ret = -1;

    rule.resolve = b->resolve;
    if (y[0] && y[1])
        ret = interim_analyze(plan, (const double *const *)y, 2, &rule, past, number, b->shapes, out, e);
    if (ret == 0)
        past[number - 1] = out->promises[0].spent;
    free(y[0]);
    free(y[1]);
    return ret;
}

static int resize(const struct bench *b, struct plan *plan, const uint64_t *n, struct err *e)
{
    struct plan next;

    if (plan_resize_strata(plan, &b->all.p, &b->strata, n, NULL, RNG_EVALUATE, &next, e) < 0)
        return -1;
    plan_release(plan);
    *plan = next;
    return 0;
}

static int run_once(const struct bench *b, size_t d, struct score *s, struct err *e)
{
    uint64_t *n = mem_zalloc(b->plan.stratum_count, sizeof *n, e);
    struct interim_spent past[INTERIM_MAX];
    struct plan plan = {0};
    bool more = true;
    int ret = n ? interim_pilot(&b->plan, n, e) : -1;

    if (ret == 0)
        ret = plan_resize_strata(&b->plan, &b->all.p, &b->strata, n, NULL, RNG_EVALUATE, &plan, e);
    for (unsigned number = 1; ret == 0 && more; number++) {
        struct interim_analysis l;

        if (analysis(b, &plan, d, past, number, &l, e) < 0) {
            ret = -1;
            break;
        }
        more = l.decision == INTERIM_MORE;
        if (more) {
            ret = resize(b, &plan, l.next, e);
        } else {
            s->run_holds += holds(b, d, l.promises[0].value, l.promises[0].half_width);
            s->run_kept += l.decision == INTERIM_KEPT;
            s->analyses += number;
            s->samples += (double)plan.sample_count;
        }
        interim_release(&l);
    }
    plan_release(&plan);
    free(n);
    return ret;
}

static int compare(struct bench *b, size_t d, struct err *e)
{
    double all = b->repeats;
    struct score s = {0};

    for (unsigned i = 0; i < b->repeats; i++)
        if (draw(b, d, 1 + i, &s, e) < 0 || run_once(b, d, &s, e) < 0)
            return -1;
    printf("%-20s ratio %.4f | paired +-%.3f %% holds %.2f %% | unpaired +-%.3f %% holds %.2f %% | %.1f times |"
           " run: holds %.2f %% kept %.2f %% analyses %.2f samples %.1f\n",
           b->all.names[d], b->total[d] / b->total[1], 100 * s.paired / all * b->total[1] / b->total[d],
           100 * s.paired_holds / all, 100 * s.unpaired / all * b->total[1] / b->total[d],
           100 * s.unpaired_holds / all, s.paired > 0 ? s.unpaired / s.paired : INFINITY, 100 * s.run_holds / all,
           100 * s.run_kept / all, s.analyses / all, s.samples / all);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench b = {.repeats = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10000,
                      .resolve = argc > 3 ? strtod(argv[3], NULL) : 0.005};
    struct err e;
    int ret = argc > 1 ? 0 : err_set(&e, ERR_INVALID, "usage: paired FILE.csv [REPEATS [RESOLVE]]");

    if (ret == 0)
        ret = load(&b, argv[1], &e);
    if (ret == 0)
        ret = make_plan(&b, &e);
    if (ret == 0)
        printf("%zu launches, planned on %s: %zu strata, %zu samples; against %s\n", b.all.p.count, b.all.names[0],
               b.plan.stratum_count, b.plan.sample_count, b.all.names[1]);
    for (size_t d = 2; ret == 0 && d < b.all.designs; d++)
        ret = compare(&b, d, &e);
    if (ret < 0)
        fprintf(stderr, "paired: %s\n", e.text);
    plan_release(&b.plan);
    strata_release(&b.strata);
    free(b.shapes);
    simulated_release(&b.all);
    return ret < 0;
}
