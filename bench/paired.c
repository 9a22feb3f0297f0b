/* paired FILE.csv [REPEATS [RESOLVE]]: how well differences of designs are known. FILE is what
 * `vivace simulate TRACES --gpu PLANNED,BASELINE,OTHER... --csv` printed: launches are planned by `vivace` for 2 %
 * on the cycles of the first design, and each other design is held against the second.
 *
 * REPEATS (10 000) draws of the plan: interval of the ratio of totals from the same launches on both designs, and
 * from launches drawn for each on their own, whose relative half-widths add up as squares. Then as many runs that
 * decide for themselves when the ratio is known to +- RESOLVE (0.005): does the interval hold when they stop? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/plan_make.h"
#include "sampling/plan_resize.h"
#include "sampling/projection.h"
#include "tests/harness/redraw.h"

enum { MOST_DESIGNS = 8, NAME = 128 };

struct bench {
    struct profile p;
    size_t designs, room, launches[MOST_DESIGNS];
    char names[MOST_DESIGNS][NAME];
    double *y[MOST_DESIGNS], total[MOST_DESIGNS];
    struct plan plan;
    struct strata strata;
    struct look_shape *shapes;
    unsigned repeats;
    double resolve;
};

struct score { /* sums over repeats */
    double paired, paired_holds, unpaired, unpaired_holds;
    double run_holds, run_kept, looks, samples;
};

/* --- the launches --- */

static size_t design_of(struct bench *b, const char *name)
{
    size_t d = 0;

    while (d < b->designs && strcmp(b->names[d], name) != 0)
        d++;
    if (d == b->designs && d < MOST_DESIGNS)
        snprintf(b->names[b->designs++], NAME, "%s", name);
    return d;
}

static int add_line(struct bench *b, const char *line, struct profile_builder *builder, struct err *e)
{
    struct profile_row row = {0};
    char design[NAME], name[NAME];
    double cycles;
    size_t id, d;

    if (sscanf(line, "%*u,%zu,%127[^,],%127[^,],\"(%u,%u,%u)\",\"(%u,%u,%u)\",%*u,%lf", &id, design, name,
               &row.grid[0], &row.grid[1], &row.grid[2], &row.block[0], &row.block[1], &row.block[2],
               &cycles) != 10)
        return err_set(e, ERR_INVALID, "not a line of `vivace simulate --csv`: %s", line);
    d = design_of(b, design);
    if (d == MOST_DESIGNS || id >= b->room)
        return err_set(e, ERR_INVALID, "more than %d designs, or launches that are not numbered from 0",
                       MOST_DESIGNS);
    b->y[d][id] = cycles;
    b->total[d] += cycles;
    b->launches[d]++;
    if (d > 0)
        return 0;
    row.name = name;
    row.correlation = id + 1;
    row.value = (uint64_t)cycles;
    return profile_builder_add(builder, &row, e);
}

static int load(struct bench *b, const char *path, struct err *e)
{
    struct profile_builder *builder = profile_builder_new(PROFILE_NS, 0, e);
    FILE *f = fopen(path, "r");
    char line[1024];
    int ret = builder && f ? 0 : err_set(e, ERR_NOT_FOUND, "%s: cannot be read", path);

    for (b->room = 1; f && fgets(line, sizeof line, f);)
        b->room++;
    for (size_t d = 0; ret == 0 && d < MOST_DESIGNS; d++)
        if (!(b->y[d] = mem_zalloc(b->room, sizeof(double), e)))
            ret = -1;
    if (f)
        rewind(f);
    for (bool head = true; ret == 0 && fgets(line, sizeof line, f); head = false)
        if (!head)
            ret = add_line(b, line, builder, e);
    if (ret == 0 && b->designs < 3)
        ret = err_set(e, ERR_INVALID, "%s: fewer than three designs", path);
    for (size_t d = 0; ret == 0 && d < b->designs; d++)
        if (b->launches[d] != b->launches[0] || !(b->y[d][b->launches[0] - 1] > 0))
            ret = err_set(e, ERR_INVALID, "%s: design %s lacks some launches", path, b->names[d]);
    if (ret == 0)
        ret = profile_builder_finish(builder, &b->p, e);
    if (f)
        fclose(f);
    profile_builder_free(builder);
    return ret;
}

static int make_plan(struct bench *b, struct err *e)
{
    if (design_plan(&b->p, 0.02, &b->strata, &b->plan, e) < 0)
        return -1;
    b->shapes = mem_zalloc(b->strata.count, sizeof *b->shapes, e);
    if (b->shapes)
        plan_shapes(&b->strata, b->shapes);
    return b->shapes ? 0 : -1;
}

/* --- draws of the plan --- */

/* Results of a plan's samples on a design; the caller frees them. */
static double *results(const struct bench *b, const struct plan *plan, size_t design, struct err *e)
{
    double *y = mem_zalloc(plan->sample_count, sizeof *y, e);

    for (size_t i = 0; y && i < plan->sample_count; i++)
        y[i] = b->y[design][plan->samples[i].invocation];
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

    if (plan_redraw(&b->plan, &b->p, &b->strata, seed + 1000000000, RNG_EVALUATE, e) < 0 ||
        !(alone = results(b, &b->plan, d, e)) || projected_total(&b->plan, alone, level, &above, e) < 0)
        goto out;
    if (plan_redraw(&b->plan, &b->p, &b->strata, seed, RNG_EVALUATE, e) < 0 || !(a = results(b, &b->plan, 1, e)) ||
        !(y = results(b, &b->plan, d, e)) || projected_total(&b->plan, a, level, &below, e) < 0 ||
        comparison_make(&b->plan, a, y, level, &c, e) < 0)
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

/* --- runs that decide for themselves --- */

static int look(const struct bench *b, const struct plan *plan, size_t d, struct look_spent *past, unsigned number,
                struct look *out, struct err *e)
{
    struct look_rule rule = LOOK_RULE_DEFAULT;
    double *y[2] = {results(b, plan, 1, e), results(b, plan, d, e)};
    int ret = -1;

    rule.resolve = b->resolve;
    if (y[0] && y[1])
        ret = look_take(plan, (const double *const *)y, 2, &rule, past, number, b->shapes, out, e);
    if (ret == 0)
        past[number - 1] = out->promises[0].spent;
    free(y[0]);
    free(y[1]);
    return ret;
}

static int resize(const struct bench *b, struct plan *plan, const uint64_t *n, struct err *e)
{
    struct plan next;

    if (plan_resize_strata(plan, &b->p, &b->strata, n, NULL, RNG_EVALUATE, &next, e) < 0)
        return -1;
    plan_release(plan);
    *plan = next;
    return 0;
}

static int run_once(const struct bench *b, size_t d, struct score *s, struct err *e)
{
    uint64_t *n = mem_zalloc(b->plan.stratum_count, sizeof *n, e);
    struct look_spent past[LOOKS_MOST];
    struct plan plan = {0};
    bool more = true;
    int ret = n ? look_pilot(&b->plan, n, e) : -1;

    if (ret == 0)
        ret = plan_resize_strata(&b->plan, &b->p, &b->strata, n, NULL, RNG_EVALUATE, &plan, e);
    for (unsigned number = 1; ret == 0 && more; number++) {
        struct look l;

        if (look(b, &plan, d, past, number, &l, e) < 0) {
            ret = -1;
            break;
        }
        more = l.decision == LOOK_MORE;
        if (more) {
            ret = resize(b, &plan, l.next, e);
        } else {
            s->run_holds += holds(b, d, l.promises[0].value, l.promises[0].half_width);
            s->run_kept += l.decision == LOOK_KEPT;
            s->looks += number;
            s->samples += (double)plan.sample_count;
        }
        look_release(&l);
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
           " run: holds %.2f %% kept %.2f %% looks %.2f samples %.1f\n",
           b->names[d], b->total[d] / b->total[1], 100 * s.paired / all * b->total[1] / b->total[d],
           100 * s.paired_holds / all, 100 * s.unpaired / all * b->total[1] / b->total[d],
           100 * s.unpaired_holds / all, s.paired > 0 ? s.unpaired / s.paired : INFINITY, 100 * s.run_holds / all,
           100 * s.run_kept / all, s.looks / all, s.samples / all);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench b = {.repeats = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10000,
                      .resolve = argc > 3 ? strtod(argv[3], NULL) : 0.005};
    struct err e;
    int ret = argc > 1 ? 0 : err_set(&e, ERR_INVALID, "usage: paired FILE.csv [REPEATS [RESOLVE]]");

    profile_init(&b.p);
    if (ret == 0)
        ret = load(&b, argv[1], &e);
    if (ret == 0)
        ret = make_plan(&b, &e);
    if (ret == 0)
        printf("%zu launches, planned on %s: %zu strata, %zu samples; against %s\n", b.p.count, b.names[0],
               b.plan.stratum_count, b.plan.sample_count, b.names[1]);
    for (size_t d = 2; ret == 0 && d < b.designs; d++)
        ret = compare(&b, d, &e);
    if (ret < 0)
        fprintf(stderr, "paired: %s\n", e.text);
    plan_release(&b.plan);
    strata_release(&b.strata);
    free(b.shapes);
    for (size_t d = 0; d < MOST_DESIGNS; d++)
        free(b.y[d]);
    profile_release(&b.p);
    return ret < 0;
}
