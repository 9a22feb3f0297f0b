/* Interim analyses of a run: rules and the decision; the other files: interim_internal.h. */
#include "sampling/sequential/interim_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/sequential/interim_size.h"

#define PILOT_SHARE 0.3 /* of the plan's cost (methods reference 4.5) */

size_t interim_promises(const struct interim_rule *rule, size_t designs)
{
    return (rule->error > 0 ? designs : 0) + (rule->resolve > 0 && designs > 1 ? designs - 1 : 0);
}

int interim_possible(const struct plan *plan, struct err *e)
{
    if (plan->variance == PLAN_VARIANCE_SAMPLES && plan->estimator != PLAN_INSTRUCTION_RATIO &&
        !plan->with_replacement && !plan->representative)
        return 0;
    err_set(e, ERR_INVALID,
            "a run of method %s cannot have a stopping rule: its samples are not drawn without replacement, or "
            "have no variance estimate",
            plan->method);
    return err_hint(e, "Plan with method vivace or srs, with at least two samples per stratum.");
}

/* Raises the pilot to the effective size that a run needs to end, up to the sizes of the plan. */
static int raise_pilot(const struct plan *plan, uint64_t *n, struct err *e)
{
    struct alloc_stratum *s = mem_zalloc(plan->stratum_count, sizeof *s, e);
    struct even_stratum *even = mem_zalloc(plan->stratum_count, sizeof *even, e);
    int ret = s && even ? 0 : -1;

    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) {
        const struct plan_stratum *from = &plan->strata[h];

        s[h] = (struct alloc_stratum){
            .population = from->population, .cost = fmax(from->cost, 1e-300), .least = n[h], .n = n[h]};
        even[h] = (struct even_stratum){from->mean, from->planned_sd / from->mean};
    }
    if (ret == 0)
        ret = allocate_effective(s, even, plan->stratum_count, EFFECTIVE_MIN, NOISE_DF_MIN, e);
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) {
        ASSERT(s[h].n >= n[h]);
        n[h] = s[h].n < plan->strata[h].samples ? s[h].n : plan->strata[h].samples;
    }
    free(s);
    free(even);
    return ret;
}

int interim_pilot(const struct plan *plan, uint64_t *n, struct err *e)
{
    struct alloc_stratum *s = mem_zalloc(plan->stratum_count, sizeof *s, e);
    uint64_t of_each = plan->params.least_samples > 2 ? plan->params.least_samples : 2;
    double cost = 0, least = 0;
    int ret = s ? interim_possible(plan, e) : -1;

    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) {
        const struct plan_stratum *from = &plan->strata[h];

        s[h] = (struct alloc_stratum){.population = from->samples,
                                      .sd = (from->planned_sd > 0 ? from->planned_sd : from->sd) *
                                            (double)from->population / (double)from->samples,
                                      .cost = fmax(from->cost, 1e-300),
                                      .least = from->samples < of_each ? from->samples : of_each};
        ASSERT(from->samples > 0 && s[h].least <= from->samples);
        cost += s[h].cost * (double)from->samples;
        least += s[h].cost * (double)s[h].least;
    }
    if (ret == 0)
        ret = size_for_budget(s, plan->stratum_count, plan->params.confidence, fmax(0, PILOT_SHARE * cost - least),
                              e);
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++)
        n[h] = s[h].n;
    free(s);
    return ret < 0 ? -1 : raise_pilot(plan, n, e);
}

/* --- one analysis --- */

static int interim_work_init(struct interim_work *x, struct err *e)
{
    const struct plan *plan = x->plan;
    double confidence = x->rule->confidence > 0 ? x->rule->confidence : plan->params.confidence;

    ASSERT(confidence > 0 && confidence < 1);
    x->level = 1 - confidence;
    x->analyses = x->rule->analyses ? x->rule->analyses : INTERIM_MAX;
    x->costs = mem_zalloc(plan->stratum_count, sizeof *x->costs, e);
    x->values = mem_zalloc(plan->sample_count, sizeof *x->values, e);
    x->sizes = mem_zalloc(plan->sample_count, sizeof *x->sizes, e);
    x->out->stratum_count = plan->stratum_count;
    x->out->largest_increment_stratum = SIZE_MAX;
    x->out->promise_count = interim_promises(x->rule, x->designs);
    x->out->next = mem_zalloc(plan->stratum_count, sizeof *x->out->next, e);
    x->out->promises = mem_zalloc(x->out->promise_count, sizeof *x->out->promises, e);
    x->stock = mem_zalloc(x->out->promise_count, sizeof *x->stock, e);
    if (!x->costs || !x->values || !x->sizes || !x->stock || !x->out->next || !x->out->promises)
        return -1;
    for (size_t i = 0; i < x->out->promise_count; i++) {
        x->stock[i].s = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].s, e);
        x->stock[i].dead = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].dead, e);
        x->stock[i].steady = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].steady, e);
        x->stock[i].even = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].even, e);
        if (!x->stock[i].s || !x->stock[i].dead || !x->stock[i].steady || !x->stock[i].even)
            return -1;
    }
    for (size_t h = 0; h < plan->stratum_count; h++) {
        double cost = x->rule->costs ? x->rule->costs[h] : plan->strata[h].cost * (double)x->designs;

        x->costs[h] = fmax(cost, 1e-300);
        x->out->next[h] = plan->strata[h].samples;
    }
    return 0;
}

static void interim_work_release(struct interim_work *x)
{
    free(x->costs);
    free(x->values);
    free(x->sizes);
    for (size_t i = 0; x->stock && i < x->out->promise_count; i++) {
        free(x->stock[i].s);
        free(x->stock[i].dead);
        free(x->stock[i].steady);
        free(x->stock[i].even);
    }
    free(x->stock);
}

static void name_promises(struct interim_work *x)
{
    size_t n = 0;

    for (size_t d = 0; x->rule->error > 0 && d < x->designs; d++)
        x->out->promises[n++] = (struct interim_promise){.design = d};
    for (size_t d = 0; x->rule->resolve > 0 && d < x->designs; d++)
        if (d != x->rule->baseline)
            x->out->promises[n++] = (struct interim_promise){.design = d, .difference = true};
    ASSERT(n == x->out->promise_count);
}

static bool all_kept(const struct interim_analysis *l)
{
    for (size_t i = 0; i < l->promise_count; i++)
        if (!l->promises[i].kept)
            return false;
    return true;
}

/* Makes kept promises wait while others are not kept: they save their level for later analyses. */
static void wait_for_others(struct interim_work *x)
{
    for (size_t i = 0; i < x->out->promise_count; i++)
        if (x->out->promises[i].kept)
            interim_wait(x, i);
}

static void interim_decide(struct interim_work *x)
{
    ASSERT(x->out->number >= 1 && x->out->number <= x->analyses);
    if (all_kept(x->out))
        x->out->decision = INTERIM_KEPT;
    else if (x->out->number >= x->analyses)
        x->out->decision = INTERIM_LAST;
    else if (x->out->extra)
        x->out->decision = INTERIM_MORE;
    else
        x->out->decision = x->out->short_of_budget ? INTERIM_BUDGET : INTERIM_WHOLE;
    if (x->out->decision != INTERIM_MORE)
        interim_ask_nothing(x);
    ASSERT((x->out->decision == INTERIM_MORE) == (x->out->extra > 0));
}

static int check_rule(const struct interim_rule *rule, size_t designs, unsigned number, struct err *e)
{
    unsigned analyses = rule->analyses ? rule->analyses : INTERIM_MAX;

    if (analyses > INTERIM_MAX || number < 1 || number > analyses)
        return err_set(e, ERR_INVALID, "interim analysis %u of %u: a run has at most %d", number, analyses,
                       INTERIM_MAX);
    if (!interim_promises(rule, designs))
        return err_set(e, ERR_INVALID,
                       "a stopping rule needs an error to reach, or a difference to resolve between two designs");
    if (rule->resolve > 0 && rule->baseline >= designs)
        return err_set(e, ERR_INVALID, "the baseline is not one of the run's designs");
    return 0;
}

/* Computes all promises with their intervals. */
static int looks_see(struct interim_work *x, struct err *e)
{
    struct interim_analysis *out = x->out;

    if (check_rule(x->rule, x->designs, out->number, e) < 0 || interim_possible(x->plan, e) < 0 ||
        interim_work_init(x, e) < 0)
        return -1;
    ASSERT(out->promise_count > 0);
    name_promises(x);
    for (size_t i = 0; i < out->promise_count; i++)
        if (interim_stock(x, i, e) < 0)
            return -1;
    return 0;
}

int interim_analyze(const struct plan *plan, const double *const *y, size_t designs,
                    const struct interim_rule *rule, const struct interim_spent *past, unsigned number,
                    const struct interim_shape *shapes, struct interim_analysis *out, struct err *e)
{
    struct interim_work x = {
        .plan = plan, .y = y, .designs = designs, .rule = rule, .past = past, .shapes = shapes, .out = out};
    int ret;

    ASSERT(designs > 0);
    *out = (struct interim_analysis){.number = number};
    ret = looks_see(&x, e) < 0 ? -1 : interim_ask(&x, e);
    if (ret == 0) {
        interim_decide(&x);
        interim_explain(plan, out);
        if (out->decision == INTERIM_MORE)
            wait_for_others(&x);
    }
    interim_work_release(&x);
    if (ret < 0)
        interim_release(out);
    return ret;
}

int interim_intervals(const struct plan *plan, const double *const *y, size_t designs,
                      const struct interim_rule *rule, const struct interim_spent *past, unsigned number,
                      struct interim_analysis *out, struct err *e)
{
    struct interim_work x = {.plan = plan, .y = y, .designs = designs, .rule = rule, .past = past, .out = out};
    int ret;

    *out = (struct interim_analysis){.number = number};
    ret = looks_see(&x, e);
    if (ret == 0 && !all_kept(out) && number < x.analyses)
        wait_for_others(&x);
    interim_work_release(&x);
    if (ret < 0)
        interim_release(out);
    return ret;
}

void interim_release(struct interim_analysis *l)
{
    free(l->promises);
    free(l->next);
    *l = (struct interim_analysis){0};
}
