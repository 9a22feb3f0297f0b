/* Confidence levels of the intervals of a run with interim analyses. */
#include "server/domain/project/stopping_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/math/quantile.h"
#include "server/domain/project/stopping_internal.h"

struct interim_rule stopping_rule(const struct rule_row *rule)
{
    return (struct interim_rule){.error = rule->error,
                                 .confidence = rule->confidence,
                                 .resolve = rule->resolve,
                                 .baseline = (size_t)rule->baseline,
                                 .budget = INFINITY,
                                 .analyses = (unsigned)rule->analyses};
}

/* --- The level that earlier interim analyses spent --- */

static const struct interim_past_promise *find_past(const struct interim_past *past, unsigned number, size_t design,
                                                    bool difference)
{
    for (size_t i = 0; i < past->count; i++) {
        const struct interim_past_promise *m = &past->promises[i];

        if (m->number == (int)number && m->design == (int)design && m->difference == difference)
            return m;
    }
    return NULL;
}

/* The same information as a fraction of that for another target half-width. The needed information is
 * proportional to the inverse square of the half-width. */
static struct interim_spent rescaled(const struct interim_past_promise *m, double wanted)
{
    struct interim_spent s = m->spent;
    double before = m->wanted / fabs(m->value);

    if (wanted > 0 && before > 0)
        s.information *= (wanted / before) * (wanted / before);
    return s;
}

struct interim_spent *stopping_past(const struct interim_past *past, int analyses, const struct interim_rule *rule,
                                    size_t designs, struct err *e)
{
    size_t n = interim_promises(rule, designs), k = 0;
    struct interim_spent *out = mem_zalloc((size_t)analyses * n + 1, sizeof *out, e);

    for (unsigned number = 1; out && number <= (unsigned)analyses; number++) {
        for (int difference = 0; difference < 2; difference++) {
            double wanted = difference ? rule->resolve : rule->error;

            for (size_t d = 0; wanted > 0 && d < designs; d++) {
                const struct interim_past_promise *m;

                if (difference && d == rule->baseline)
                    continue;
                m = find_past(past, number, d, difference);
                if (m)
                    out[k] = rescaled(m, difference ? 0 : wanted);
                k++;
            }
        }
    }
    return out;
}

/* --- Levels --- */

static int allocate(struct run_levels *l, const struct run_results *r, struct err *e)
{
    l->total = mem_zalloc(r->design_count + 1, sizeof *l->total, e);
    l->difference = mem_zalloc(r->design_count + 1, sizeof *l->difference, e);
    if (!l->total || !l->difference)
        return -1;
    for (size_t d = 0; d < r->design_count; d++) {
        l->total[d] = r->run.confidence;
        l->difference[d] = NAN;
    }
    l->confidence = r->run.confidence;
    return 0;
}

static void set(struct run_levels *l, size_t design, bool difference, double level)
{
    (difference ? l->difference : l->total)[design] = level;
}

static void take(struct run_levels *l, const struct interim_analysis *analysis)
{
    for (size_t i = 0; i < analysis->promise_count; i++)
        set(l, analysis->promises[i].design, analysis->promises[i].difference, analysis->promises[i].level);
}

/* Sets the levels of the last interim analysis. */
static void recall(struct run_levels *l, const struct interim_past *past)
{
    for (size_t i = 0; i < past->count; i++) {
        const struct interim_past_promise *m = &past->promises[i];

        if (m->number == past->analyses)
            set(l, (size_t)m->design, m->difference, 1 - 2 * normal_probability(-m->spent.bound));
    }
}

/* Sets the levels that an interim analysis would have now. */
static int see(struct run_levels *l, const struct run_results *r, const struct rule_row *row,
               const struct interim_past *past, struct err *e)
{
    struct interim_rule rule = stopping_rule(row);
    unsigned number = (unsigned)(past->analyses < row->analyses ? past->analyses + 1 : row->analyses);
    const double **y = mem_zalloc(r->design_count + 1, sizeof *y, e);
    double *values = y ? run_results_seconds(r, y, e) : NULL;
    struct interim_spent *spent = stopping_past(past, (int)number - 1, &rule, r->design_count, e);
    double *within = mem_zalloc(r->design_count + 1, sizeof *within, e);
    struct interim_analysis analysis = {.number = 0};
    int ret = values && spent && within ? run_results_within(r, within, e) : -1;

    rule.within = within;
    if (ret == 0)
        ret = interim_intervals(&r->plan, y, r->design_count, &rule, spent, number, &analysis, e);
    take(l, &analysis);
    interim_release(&analysis);
    free(y);
    free(values);
    free(spent);
    free(within);
    return ret;
}

/* Sets the levels that were stored with the answer. */
static int of_answer(struct run_levels *l, const struct run_results *r, struct db *db, struct err *e)
{
    struct db_rows q;

    l->confidence = r->answer.confidence;
    l->baseline = (size_t)r->answer.baseline;
    if (repo_answer_levels(db, r->run.id, &q, e) < 0)
        return -1;
    for (int d = 0; d < q.count && (size_t)d < r->design_count; d++) {
        if (!isnan(db_get_double(&q, d, 0)))
            l->total[d] = db_get_double(&q, d, 0);
        l->difference[d] = db_get_double(&q, d, 2);
        l->total_analyses = (int)db_get_i64(&q, d, 1);
        if (!isnan(l->difference[d]))
            l->difference_analyses = (int)db_get_i64(&q, d, 3);
    }
    db_rows_release(&q);
    return 0;
}

/* Sets the levels of the run's rule, if the run has a rule and its plan supports interim analyses. */
static int of_rule(struct run_levels *l, const struct run_results *r, struct db *db,
                   const struct interim_analysis *now, struct err *e)
{
    struct interim_past past = {.analyses = 0};
    struct rule_row rule;
    struct err ignored;
    int ret = repo_interim_rule(db, r->run.id, &rule, e);

    if (ret <= 0)
        return ret;
    if (interim_possible(&r->plan, &ignored) < 0)
        return 0; /* the rule ends the run without an interim analysis, and reports that */
    l->baseline = (size_t)rule.baseline;
    l->total_analyses = rule.error > 0 ? rule.analyses : 0;
    l->difference_analyses = rule.resolve > 0 ? rule.analyses : 0;
    if (now && now->number > 0) {
        take(l, now);
        return 0;
    }
    ret = repo_interim_past(db, r->run.id, &past, e);
    if (ret == 0 && past.analyses > 0 && strcmp(past.plan, r->run.plan) == 0)
        recall(l, &past);
    else if (ret == 0)
        ret = see(l, r, &rule, &past, e);
    interim_past_release(&past);
    return ret;
}

int run_levels_load(struct run_levels *out, struct db *db, const struct run_results *r,
                    const struct interim_analysis *now, struct err *e)
{
    *out = (struct run_levels){.baseline = 0};
    if (allocate(out, r, e) < 0)
        return -1;
    if (r->as_answered)
        return of_answer(out, r, db, e);
    return r->run.ruled ? of_rule(out, r, db, now, e) : 0;
}

double run_levels_between(const struct run_levels *l, size_t a, size_t b)
{
    return a == l->baseline ? l->difference[b] : b == l->baseline ? l->difference[a] : NAN;
}

void run_levels_release(struct run_levels *l)
{
    free(l->total);
    free(l->difference);
}
