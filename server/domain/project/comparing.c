#include "server/domain/project/comparing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/estimate/across.h"
#include "sampling/estimate/within_launch.h"

const char board_rule[] = "The confidence of a run holds for all its differences together, and that of the "
                          "baseline for differences between runs. Each of m differences is at "
                          "1\u00a0\u2212\u00a0(1\u00a0\u2212\u00a0confidence)\u00a0/\u00a0m (Bonferroni).";

/* --- Parsing RUN:DESIGN --- */

static int load_run(struct board_run *b, struct db *db, const struct run_row *row, struct err *e)
{
    return run_results_load(&b->r, db, row, RUN_RESULTS_SHOWN, e) < 0 ||
                   run_levels_load(&b->levels, db, &b->r, NULL, e) < 0 ||
                   repo_compare_about(db, row->id, &b->about, e) < 0 ||
                   !(b->answer = run_answer_json(db, row->id, e))
               ? -1
               : 0;
}

static int find_run(struct board *b, struct db *db, int64_t team, const char *id, size_t *out, struct err *e)
{
    struct run_row row;
    int found;

    for (*out = 0; *out < b->run_count; (*out)++)
        if (strcmp(b->runs[*out].r.run.id, id) == 0)
            return 0;
    found = uuid_valid(id) ? repo_run_find(db, id, team, &row, e) : 0;
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no run %.40s", id);
    b->runs[*out].about.workload_name = (struct strbuf)STRBUF_INIT;
    b->run_count++; /* from here on, board_release() releases it */
    return load_run(&b->runs[*out], db, &row, e);
}

static int add_side(struct board *b, struct db *db, int64_t team, const char *text, struct err *e)
{
    struct side *s = &b->sides[b->count];
    const char *colon = strchr(text, ':');
    char run[UUID_TEXT];

    if (!colon || (size_t)(colon - text) >= sizeof run)
        return err_set(e, ERR_INVALID, "`%.80s` must have the form RUN:DESIGN", text);
    if (b->count == SIDES_MAX)
        return err_set(e, ERR_INVALID, "at most %d designs can be compared at once", SIDES_MAX);
    snprintf(run, sizeof run, "%.*s", (int)(colon - text), text);
    if (find_run(b, db, team, run, &s->run, e) < 0)
        return -1;
    s->design = run_results_design(&b->runs[s->run].r, colon + 1);
    if (s->design == b->runs[s->run].r.design_count)
        return err_set(e, ERR_NOT_FOUND, "run %s has no design `%.80s`", run, colon + 1);
    for (size_t i = 0; i < b->count; i++)
        if (b->sides[i].run == s->run && b->sides[i].design == s->design)
            return 0; /* the side is named twice */
    b->count++;
    return 0;
}

static int add_list(struct board *b, struct db *db, int64_t team, const char *list, struct err *e)
{
    char *copy = mem_strdup(list, e), *rest = copy, *one;
    int ret = copy ? 0 : -1;

    while (ret == 0 && (one = strsep(&rest, ",")))
        if (*one)
            ret = add_side(b, db, team, one, e);
    free(copy);
    return ret;
}

/* --- Choosing baselines --- */

static bool same_workload(const struct board *b, const struct side *x, const struct side *y)
{
    const struct board_run *one = &b->runs[x->run], *other = &b->runs[y->run];

    return strcmp(one->about.workload, other->about.workload) == 0 &&
           plan_part_same(&one->r.plan.part, &other->r.plan.part);
}

static const char *name_of(const struct board *b, const struct side *s)
{
    return side_run(b, s)->designs[s->design].name;
}

/* The side of the same workload with the baseline's design. A side of the same run is preferred, because its
 * samples pair. */
static size_t base_elsewhere(const struct board *b, size_t i)
{
    size_t found = SIDES_MAX;

    for (size_t k = 0; k < b->count; k++) {
        const struct side *s = &b->sides[k];

        if (!same_workload(b, s, &b->sides[i]) || strcmp(name_of(b, s), name_of(b, &b->sides[0])) != 0)
            continue;
        if (s->run == b->sides[i].run)
            return k;
        if (found == SIDES_MAX)
            found = k;
    }
    return found;
}

static void choose_bases(struct board *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->sides[i].base = same_workload(b, &b->sides[0], &b->sides[i]) ? 0 : base_elsewhere(b, i);
    /* if several sides qualify as baselines of another workload, all of them are baselines */
    for (size_t i = 1; i < b->count; i++)
        if (!same_workload(b, &b->sides[0], &b->sides[i]) &&
            strcmp(name_of(b, &b->sides[i]), name_of(b, &b->sides[0])) == 0)
            b->sides[i].base = i;
}

static bool is_held(const struct board *b, size_t i)
{
    return b->sides[i].base != i && b->sides[i].base != SIDES_MAX;
}

/* The number of differences between runs. */
static size_t intervals_across(const struct board *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->count; i++)
        n += is_held(b, i) && b->sides[b->sides[i].base].run != b->sides[i].run;
    return n;
}

/* --- Numbers --- */

double side_seconds(const struct board *b, const struct side *s)
{
    return side_run(b, s)->seconds_per_unit[s->design];
}

/* Two totals can be compared if both are times, or if both count the same unit. */
static bool same_unit(const struct board *b, const struct side *x, const struct side *y)
{
    bool timed = !isnan(side_seconds(b, x)), other = !isnan(side_seconds(b, y));

    return timed == other &&
           (timed || strcmp(run_results_unit(side_run(b, x)), run_results_unit(side_run(b, y))) == 0);
}

const char *side_why_not(const struct board *b, size_t i)
{
    const struct side *s = &b->sides[i];

    if (s->base == i || s->paired)
        return NULL;
    if (s->base == SIDES_MAX)
        return "the baseline's design was not chosen for this workload";
    return same_unit(b, s, &b->sides[s->base]) ? "the runs simulated different launches, so the difference is that "
                                                 "of two independent totals, and its interval is wider"
                                               : "the results of one run are times, those of the other are not";
}

static struct projection in_seconds(const struct projection *p, double seconds)
{
    struct projection q = *p;

    if (!isnan(seconds)) {
        q.value *= seconds;
        q.half_width *= seconds;
        q.variance *= seconds * seconds;
        q.within *= seconds;
    }
    return q;
}

static struct bounded_total bounded_total(const struct board *b, const struct side *s)
{
    const struct run_results *r = side_run(b, s);
    double seconds = side_seconds(b, s);

    return (struct bounded_total){&r->plan, run_results_bounded(r, s->design), isnan(seconds) ? 1 : seconds,
                                  s->total_level.level};
}

static const struct comparison unknown = {.difference = NAN,
                                          .difference_half_width = NAN,
                                          .ratio = NAN,
                                          .ratio_half_width = NAN,
                                          .df = NAN,
                                          .level = NAN};

/* The samples of both sides in the order of the baseline's plan, in seconds: with empty caches, fully warm,
 * errors. */
struct pairs {
    double *y; /* the memory that a and b point into */
    struct bounded_values a, b;
};

/* Whether the samples pair. If so, `a` and `b` contain them. */
static bool pairs_of(const struct board *b, const struct side *base, const struct side *s,
                     const struct bounded_values *of_a, const struct bounded_values *of_b, struct pairs *out)
{
    const struct run_results *r = side_run(b, base), *q = side_run(b, s);
    double scale_a = side_seconds(b, base), scale_b = side_seconds(b, s);
    const double *from[3][2] = {
        {of_a->empty, of_b->empty},
        {of_a->warm, of_b->warm},
        {r->error + base->design * r->plan.sample_count, q->error + s->design * q->plan.sample_count}};
    size_t n = r->plan.sample_count;

    for (size_t k = 0; k < 3; k++) {
        double *ya = out->y + 2 * k * n, *yb = ya + n;

        if (!across_pairs(&r->plan, &q->plan, from[k][1], yb))
            return false;
        for (size_t i = 0; i < n; i++) {
            ya[i] = from[k][0][i] * (isnan(scale_a) ? 1 : scale_a);
            yb[i] *= isnan(scale_b) ? 1 : scale_b;
        }
    }
    out->a = (struct bounded_values){out->y, out->y + 2 * n, out->y + 4 * n};
    out->b = (struct bounded_values){out->y + n, out->y + 3 * n, out->y + 5 * n};
    return true;
}

/* --- Differences within one run --- */

/* The differences of that run to that design, computed once. NULL on failure. */
static const struct run_differences *differences_to(struct board *b, size_t run, size_t design, struct err *e)
{
    struct board_differences *d = b->differences;

    while (d < b->differences + b->differences_count && (d->run != run || d->of.c.baseline != design))
        d++;
    if (d < b->differences + b->differences_count)
        return &d->of;
    d->run = run;
    b->differences_count++; /* from here on, board_release() releases it */
    return run_differences_make(&d->of, &b->runs[run].r, &b->runs[run].levels, design, e) < 0 ? NULL : &d->of;
}

static int hold_in_run(struct board *b, struct side *s, const struct side *base, struct err *e)
{
    const struct run_differences *d = differences_to(b, s->run, base->design, e);

    if (!d)
        return -1;
    s->paired = true;
    s->total = d->c.totals[s->design];
    s->shared = d->levels[s->design];
    s->kernels = d->c.kernels + s->design * d->c.kernel_count;
    s->kernel_count = d->c.kernel_count;
    return 0;
}

/* --- Differences between runs --- */

static int hold_pairs(struct side *s, const struct plan *plan, const struct pairs *p, struct err *e)
{
    const double *const y[] = {p->a.empty, p->b.empty};
    const double *const errors[] = {p->a.error, p->b.error};
    const struct bounded_values v[] = {p->a, p->b};

    s->paired = true;
    if (comparisons_make(plan, y, 2, 0, s->shared.level, &s->across, e) < 0 ||
        within_launch_compare_all(plan, y, errors, &s->across, e) < 0 ||
        cache_bounds_check_all(plan, v, &s->across, e) < 0)
        return -1;
    s->total = s->across.totals[1];
    s->kernel_count = s->across.kernel_count;
    s->kernels = s->across.kernels + s->kernel_count;
    return 0;
}

static int hold_totals(const struct board *b, const struct side *base, struct side *s, struct err *e)
{
    struct projection pa = in_seconds(&base->p, side_seconds(b, base)), pb = in_seconds(&s->p, side_seconds(b, s));
    const struct bounded_total ta = bounded_total(b, base), tb = bounded_total(b, s);

    s->total = across_unpaired(&pa, &pb, s->shared.level);
    return cache_bounds_check_unpaired(&ta, &tb, &s->total, e);
}

static int hold_across(struct board *b, struct side *s, const struct side *base, struct err *e)
{
    const struct plan *plan = &side_run(b, base)->plan;
    const struct bounded_values of_a = run_results_bounded(side_run(b, base), base->design),
                                of_b = run_results_bounded(side_run(b, s), s->design);
    struct pairs p = {.y = mem_zalloc(6 * plan->sample_count + 1, sizeof *p.y, e)};
    double confidence = side_run(b, &b->sides[0])->run.confidence;
    size_t m = intervals_across(b);
    int ret = -1;

    s->shared =
        (struct level_shared){.level = 1 - (1 - confidence) / (double)m, .confidence = confidence, .intervals = m};
    if (p.y)
        ret = pairs_of(b, base, s, &of_a, &of_b, &p) ? hold_pairs(s, plan, &p, e) : hold_totals(b, base, s, e);
    free(p.y);
    return ret;
}

/* --- All differences --- */

static int make_totals(struct board *b, struct err *e)
{
    for (size_t i = 0; i < b->count; i++) {
        struct side *s = &b->sides[i];
        const struct board_run *run = &b->runs[s->run];

        s->total = unknown;
        s->shared = (struct level_shared){.level = NAN, .confidence = NAN};
        s->total_level = run_total_level(&run->levels, s->design);
        if (run_total_make(&run->r, &run->levels, s->design, &s->p, e) < 0)
            return -1;
    }
    return 0;
}

static int hold_all(struct board *b, struct err *e)
{
    double missed = 0;

    for (size_t i = 0; i < b->count; i++) {
        struct side *s = &b->sides[i];
        const struct side *base = is_held(b, i) ? &b->sides[s->base] : NULL;

        if (!base || !same_unit(b, s, base))
            continue;
        if ((base->run == s->run ? hold_in_run(b, s, base, e) : hold_across(b, s, base, e)) < 0)
            return -1;
        missed += 1 - s->shared.level;
    }
    b->level = missed > 0 ? fmax(0, 1 - missed) : side_run(b, &b->sides[0])->run.confidence;
    return 0;
}

int board_make(struct board *b, struct db *db, int64_t team, const char *base, const char *with, struct err *e)
{
    memset(b, 0, sizeof *b);
    if (add_side(b, db, team, base, e) < 0 || add_list(b, db, team, with, e) < 0)
        return -1;
    choose_bases(b);
    return make_totals(b, e) < 0 ? -1 : hold_all(b, e);
}

void board_release(struct board *b)
{
    for (size_t i = 0; i < b->count; i++) {
        projection_release(&b->sides[i].p);
        comparisons_release(&b->sides[i].across);
    }
    for (size_t i = 0; i < b->differences_count; i++)
        run_differences_release(&b->differences[i].of);
    for (size_t i = 0; i < b->run_count; i++) {
        run_results_release(&b->runs[i].r);
        run_levels_release(&b->runs[i].levels);
        run_about_release(&b->runs[i].about);
        json_decref(b->runs[i].answer);
    }
}
