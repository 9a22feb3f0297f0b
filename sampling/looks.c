/* Looks at a run's results; the rule, its sources and what it assumes: looks.h, spending.h, looks_size.h.
 *
 * Information of a look: (wanted / half-width at the rule's confidence)^2, over ALLOWANCE; 1 is where the level is
 * spent. A promise that is kept at this look's own level keeps it whatever the looks before said. */
#include "sampling/looks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/looks_size.h"
#include "sampling/quantile.h"
#include "sampling/search.h"
#include "sampling/spending.h"
#include "sampling/steady.h"

#define PILOT_SHARE       0.3  /* of the plan's cost (methods reference 4.5) */
#define ALLOWANCE         1.1  /* information beyond what a single look would need */
#define RESERVE           0.35 /* of the level, kept for the last look: runs stop where they saw little spread */
#define LEAST_SPEND       0.02 /* of the level, at each look */
#define LEAST_INFORMATION 1e-6

const char *look_decision_name(enum look_decision x)
{
    static const char *const names[] = {"more", "kept", "whole", "budget", "last"};

    return names[x];
}

size_t look_promises(const struct look_rule *rule, size_t designs)
{
    return (rule->error > 0 ? designs : 0) + (rule->resolve > 0 && designs > 1 ? designs - 1 : 0);
}

int look_possible(const struct plan *plan, struct err *e)
{
    if (plan->variance == PLAN_VARIANCE_SAMPLES && plan->estimator == PLAN_EXPANSION && !plan->with_replacement &&
        !plan->representative)
        return 0;
    err_set(e, ERR_INVALID,
            "a run of method %s cannot decide for itself: its samples are not drawn without "
            "replacement, or show no spread",
            plan->method);
    return err_hint(e, "Plan with method vivace or srs, two samples a stratum at least.");
}

int look_pilot(const struct plan *plan, uint64_t *n, struct err *e)
{
    struct alloc_stratum *s = mem_zalloc(plan->stratum_count, sizeof *s, e);
    double cost = 0, least = 0;
    int ret = s ? look_possible(plan, e) : -1;

    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) {
        const struct plan_stratum *from = &plan->strata[h];

        s[h] = (struct alloc_stratum){.population = from->samples,
                                      .sd = (from->planned_sd > 0 ? from->planned_sd : from->sd) *
                                            (double)from->population / (double)from->samples,
                                      .cost = fmax(from->cost, 1e-300),
                                      .least = from->samples < 2 ? from->samples : 2};
        cost += s[h].cost * (double)from->samples;
        least += s[h].cost * (double)s[h].least;
    }
    if (ret == 0)
        ret = size_for_budget(s, plan->stratum_count, plan->params.confidence, fmax(0, PILOT_SHARE * cost - least),
                              e);
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++)
        n[h] = s[h].n;
    free(s);
    return ret;
}

/* --- one look --- */

struct stock;
struct looking {
    const struct plan *plan;
    const double *const *y;
    size_t designs;
    const struct look_rule *rule;
    const struct look_spent *past;
    const struct look_shape *shapes;
    struct look *out;
    double level; /* that may be missed: 0.05 */
    unsigned looks;
    double *costs;
    double *values, *sizes; /* of differences */
    struct stock *stock;    /* per promise */
};

/* What a promise knows of the strata. */
struct stock {
    struct alloc_stratum *s;
    uint64_t *dead;              /* samples without a result */
    double *steady;              /* S that steady degrees of freedom go by */
    double unit;                 /* of half-widths: 1, or the baseline's total */
    struct spending_past before; /* the looks before this one */
    double spent;                /* by them */
};

static int looking_init(struct looking *x, struct err *e)
{
    const struct plan *plan = x->plan;
    double confidence = x->rule->confidence > 0 ? x->rule->confidence : plan->params.confidence;

    x->level = 1 - confidence;
    x->looks = x->rule->looks ? x->rule->looks : LOOKS_MOST;
    x->costs = mem_zalloc(plan->stratum_count, sizeof *x->costs, e);
    x->values = mem_zalloc(plan->sample_count, sizeof *x->values, e);
    x->sizes = mem_zalloc(plan->sample_count, sizeof *x->sizes, e);
    x->out->stratum_count = plan->stratum_count;
    x->out->neediest = SIZE_MAX;
    x->out->promise_count = look_promises(x->rule, x->designs);
    x->out->next = mem_zalloc(plan->stratum_count, sizeof *x->out->next, e);
    x->out->promises = mem_zalloc(x->out->promise_count, sizeof *x->out->promises, e);
    x->stock = mem_zalloc(x->out->promise_count, sizeof *x->stock, e);
    if (!x->costs || !x->values || !x->sizes || !x->stock || !x->out->next || !x->out->promises)
        return -1;
    for (size_t i = 0; i < x->out->promise_count; i++) {
        x->stock[i].s = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].s, e);
        x->stock[i].dead = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].dead, e);
        x->stock[i].steady = mem_zalloc(plan->stratum_count, sizeof *x->stock[i].steady, e);
        if (!x->stock[i].s || !x->stock[i].dead || !x->stock[i].steady)
            return -1;
    }
    for (size_t h = 0; h < plan->stratum_count; h++) {
        double cost = x->rule->costs ? x->rule->costs[h] : plan->strata[h].cost * (double)x->designs;

        x->costs[h] = fmax(cost, 1e-300);
        x->out->next[h] = plan->strata[h].samples;
    }
    return 0;
}

static void looking_release(struct looking *x)
{
    free(x->costs);
    free(x->values);
    free(x->sizes);
    for (size_t i = 0; x->stock && i < x->out->promise_count; i++) {
        free(x->stock[i].s);
        free(x->stock[i].dead);
        free(x->stock[i].steady);
    }
    free(x->stock);
}

/* Residuals of a design's results around its ratio to the baseline, by pairs. */
static int gather_ratio(const struct looking *x, struct look_promise *p, struct gathered *g, double *unit,
                        struct err *e)
{
    const double *y = x->y[p->design], *base = x->y[x->rule->baseline];
    struct projected ratio, below;

    if (projected_ratio(x->plan, y, base, 1 - x->level, &ratio, e) < 0)
        return -1;
    for (size_t i = 0; i < x->plan->sample_count; i++)
        x->values[i] = isnan(y[i]) ? NAN : base[i];
    if (projected_total(x->plan, x->values, 1 - x->level, &below, e) < 0)
        return -1;
    p->value = ratio.value;
    *unit = fabs(below.value);
    gather_pairs(x->plan, base, y, isnan(ratio.value) ? 0 : ratio.value, x->values, x->sizes);
    return gather_differences(x->plan, x->values, x->sizes, g, e);
}

/* The strata of a promise; *unit: what its half-widths are divided by. */
static int gather_promise(const struct looking *x, struct look_promise *p, struct gathered *g, double *unit,
                          struct err *e)
{
    struct projection_options options = {.estimator = x->rule->estimator};
    int ret;

    if (p->difference)
        return gather_ratio(x, p, g, unit, e);
    *unit = 1;
    ret = gather(x->plan, x->y[p->design], x->rule->estimator, &options, g, e);
    if (ret == 0)
        err_set(e, ERR_INVALID, "the estimator %s needs the profiled values, or a factor fixed beforehand",
                projection_estimator_name(x->rule->estimator));
    return ret > 0 ? 0 : -1;
}

/* What a promise may miss: differences to one baseline hold together, as in sampling/comparisons.h. */
static double level_of(const struct looking *x, size_t promise)
{
    return x->out->promises[promise].difference ? x->level / (double)(x->designs - 1) : x->level;
}

/* The looks before this one, as the caller has kept them. */
static void recall(const struct looking *x, size_t promise)
{
    struct stock *stock = &x->stock[promise];

    for (size_t k = 0; k + 1 < x->out->number; k++) {
        const struct look_spent *s = &x->past[k * x->out->promise_count + promise];

        spending_add(&stock->before, &(struct spending_look){s->information, s->bound});
        stock->spent = s->spent;
    }
}

/* What may be spent by the end of look `number`, with this much information. */
static double allowed(const struct looking *x, size_t promise, unsigned number, double information, double spent)
{
    double level = level_of(x, promise), most = fmin(spending(level, information), level * (1 - RESERVE));

    return number >= x->looks ? level : fmin(fmax(most, spent + LEAST_SPEND * level), level);
}

/* The level to size the next look for: where its bound and the information it will then have agree. */
static double next_level(const struct looking *x, size_t promise)
{
    double z = normal_quantile(1 - level_of(x, promise) / 2), bound = z;
    const struct look_spent *now = &x->out->promises[promise].spent;
    struct spending_past before = x->stock[promise].before;

    spending_add(&before, &(struct spending_look){now->information, now->bound});
    for (int round = 0; round < 3; round++) {
        double information = bound * bound / (z * z) / ALLOWANCE;

        bound = spending_bound(&before, information,
                               allowed(x, promise, x->out->number + 1, information, now->spent) - now->spent);
    }
    return 1 - 2 * normal_probability(-bound);
}

/* The interval of this look when `spent` is spent by its end. */
static void look_with(const struct looking *x, size_t index, const struct aux_estimate *a, double spent)
{
    struct look_promise *p = &x->out->promises[index];
    const struct stock *stock = &x->stock[index];

    p->spent.spent = spent;
    p->spent.bound = spending_bound(&stock->before, p->spent.information, spent - stock->spent);
    p->level = 1 - 2 * normal_probability(-p->spent.bound);
    p->half_width = aux_half_width(a, p->level) / stock->unit;
    p->kept = p->half_width <= p->wanted && (p->trusted || p->half_width <= 0);
}

/* Where the promise is not kept with all that may be spent, nothing is stopped by it, and the least is spent. */
static void judge(const struct looking *x, size_t index, const struct aux_estimate *a)
{
    struct look_promise *p = &x->out->promises[index];
    const struct stock *stock = &x->stock[index];
    struct alloc_outcome planned = allocation_outcome(stock->s, x->plan->stratum_count, 1 - x->level);
    double information;

    p->df = a->df;
    p->once = aux_half_width(a, 1 - level_of(x, index)) / stock->unit;
    information = p->once > 0 ? p->wanted * p->wanted / (p->once * p->once) / ALLOWANCE : isnan(p->once) ? 0 : 1;
    p->planned_df = planned.df;
    p->skewness = planned.skewness;
    p->trusted = planned.df >= look_least_df(x->plan) && planned.skewness <= SEARCH_MOST_SKEWNESS;
    p->spent.information = fmax(information, LEAST_INFORMATION);
    recall(x, index);
    look_with(x, index, a, allowed(x, index, x->out->number, p->spent.information, x->stock[index].spent));
    if (!p->kept && x->out->number < x->looks)
        look_with(x, index, a, allowed(x, index, x->out->number, 0, x->stock[index].spent));
}

static int take_stock(struct looking *x, size_t index, struct err *e)
{
    struct look_promise *p = &x->out->promises[index];
    struct stock *stock = &x->stock[index];
    struct aux_estimate a = {NAN, NAN, NAN};
    struct gathered g;

    if (gather_promise(x, p, &g, &stock->unit, e) < 0)
        return -1;
    pooled_strata(x->plan, &g, x->shapes, x->costs, stock->s);
    steady_spreads(g.strata, g.slopes, g.count, stock->steady);
    for (size_t h = 0; h < g.count; h++)
        stock->dead[h] = x->plan->strata[h].samples - g.strata[h].n;
    if (!g.blank)
        a = aux_total(g.strata, g.slopes, g.count);
    if (!p->difference)
        p->value = a.value;
    p->wanted = p->difference ? x->rule->resolve : x->rule->error * fabs(a.value);
    judge(x, index, &a);
    gathered_release(&g);
    return 0;
}

static void name_promises(struct looking *x)
{
    size_t n = 0;

    for (size_t d = 0; x->rule->error > 0 && d < x->designs; d++)
        x->out->promises[n++] = (struct look_promise){.design = d};
    for (size_t d = 0; x->rule->resolve > 0 && d < x->designs; d++)
        if (d != x->rule->baseline)
            x->out->promises[n++] = (struct look_promise){.design = d, .difference = true};
}

/* --- the next sizes --- */

/* The least a stratum may have: what was asked for already, and two results. */
static void set_least(const struct looking *x, struct stock *stock)
{
    for (size_t h = 0; h < x->plan->stratum_count; h++) {
        struct alloc_stratum *s = &stock->s[h];
        uint64_t dead = stock->dead[h], room = s->population > dead ? s->population - dead : 1;
        uint64_t asked = x->out->next[h] - dead, least = asked < 2 ? 2 : asked;

        s->n = s->least = least < room ? least : room;
    }
}

/* What a promise needs beyond what the others have asked for already. */
static int ask_for(struct looking *x, size_t index, double budget, struct err *e)
{
    const struct look_promise *p = &x->out->promises[index];
    int left = (int)x->looks - (int)x->out->number - 1;
    struct look_need need = {.wanted = p->wanted * x->stock[index].unit,
                             .now = p->once / p->wanted,
                             .level = next_level(x, index),
                             .left = left > 0 ? (unsigned)left : 0};
    struct alloc_stratum *s = x->stock[index].s;
    size_t count = x->plan->stratum_count;
    int ret = 0;

    set_least(x, &x->stock[index]);
    for (size_t h = 0; h < count; h++)
        s[h].steady = x->stock[index].steady[h];
    if (isfinite(budget))
        ret = size_for_budget(s, count, need.level, budget, e);
    else if (!isnan(need.now)) /* else two results a stratum come first */
        ret = size_for(x->plan, s, count, &need, e);
    for (size_t h = 0; ret == 0 && h < count; h++) {
        uint64_t n = s[h].n + x->stock[index].dead[h], most = x->plan->strata[h].population;

        n = n < most ? n : most;
        x->out->next[h] = n > x->out->next[h] ? n : x->out->next[h];
    }
    return ret;
}

/* How far a promise is from being kept. */
static double gap(const struct look_promise *p)
{
    return p->kept ? 0 : isnan(p->half_width) ? INFINITY : p->half_width / p->wanted;
}

static void add_up(struct looking *x)
{
    struct look *out = x->out;
    double most = 0;

    out->extra = 0;
    out->extra_cost = 0;
    out->neediest = SIZE_MAX;
    for (size_t h = 0; h < out->stratum_count; h++) {
        uint64_t extra = out->next[h] - x->plan->strata[h].samples;
        double cost = x->costs[h] * (double)extra;

        out->extra += extra;
        out->extra_cost += cost;
        if (cost > most) {
            most = cost;
            out->neediest = h;
        }
    }
}

static void forget_increment(struct looking *x)
{
    for (size_t h = 0; h < x->out->stratum_count; h++)
        x->out->next[h] = x->plan->strata[h].samples;
    add_up(x);
}

/* Promises ask one after the other, the one furthest from being kept first: what it gets, the others have as well.
 * Where that costs more than there is, only the first asks. */
static int ask_all(struct looking *x, struct err *e)
{
    size_t count = x->out->promise_count, first = 0;
    bool *asked = mem_zalloc(count, sizeof *asked, e);
    int ret = asked ? 0 : -1;

    for (size_t turn = 0; ret == 0 && turn < count; turn++) {
        size_t worst = SIZE_MAX;

        for (size_t i = 0; i < count; i++)
            if (!asked[i] && !x->out->promises[i].kept &&
                (worst == SIZE_MAX || gap(&x->out->promises[i]) > gap(&x->out->promises[worst])))
                worst = i;
        if (worst == SIZE_MAX)
            break;
        first = turn == 0 ? worst : first;
        asked[worst] = true;
        ret = ask_for(x, worst, INFINITY, e);
    }
    free(asked);
    add_up(x);
    if (ret < 0 || x->out->extra_cost <= x->rule->budget)
        return ret;
    forget_increment(x);
    x->out->short_of_budget = true;
    ret = ask_for(x, first, fmax(x->rule->budget, 0), e);
    add_up(x);
    return ret;
}

/* --- the decision --- */

static void decide(struct looking *x)
{
    bool kept = true;

    for (size_t i = 0; i < x->out->promise_count; i++)
        kept &= x->out->promises[i].kept;
    if (kept)
        x->out->decision = LOOK_KEPT;
    else if (x->out->number >= x->looks)
        x->out->decision = LOOK_LAST;
    else if (x->out->extra)
        x->out->decision = LOOK_MORE;
    else
        x->out->decision = x->out->short_of_budget ? LOOK_BUDGET : LOOK_WHOLE;
    if (x->out->decision != LOOK_MORE)
        forget_increment(x);
}

static const struct look_promise *furthest(const struct look *l)
{
    const struct look_promise *p = &l->promises[0];

    for (size_t i = 1; i < l->promise_count; i++)
        if (gap(&l->promises[i]) > gap(p))
            p = &l->promises[i];
    return p;
}

static void explain(const struct plan *plan, struct look *l)
{
    const struct look_promise *p = furthest(l);
    double share = p->difference ? 100 : 100 / fabs(p->value);
    char known[120];

    snprintf(known, sizeof known, "design %zu%s is known to +-%.3g %%, and +-%.3g %% is wanted", p->design + 1,
             p->difference ? " against the baseline" : "", share * p->half_width, share * p->wanted);
    if (isnan(p->half_width))
        snprintf(known, sizeof known, "design %zu has strata without two results", p->design + 1);
    else if (!p->trusted && !p->kept && p->half_width <= p->wanted)
        snprintf(known, sizeof known, "design %zu looks known well enough, but by too few or too lopsided results",
                 p->design + 1);
    switch (l->decision) {
    case LOOK_KEPT: snprintf(l->reason, sizeof l->reason, "every promise is kept at look %u", l->number); return;
    case LOOK_WHOLE: snprintf(l->reason, sizeof l->reason, "%s; nothing is left to simulate", known); return;
    case LOOK_BUDGET: snprintf(l->reason, sizeof l->reason, "%s; the budget is spent", known); return;
    case LOOK_LAST: snprintf(l->reason, sizeof l->reason, "%s; this was the last look", known); return;
    case LOOK_MORE: break;
    }
    snprintf(l->reason, sizeof l->reason, "%s: stratum %zu needs most, %llu -> %llu%s", known, l->neediest + 1,
             (unsigned long long)plan->strata[l->neediest].samples, (unsigned long long)l->next[l->neediest],
             l->short_of_budget ? "; the budget pays for part of it" : "");
}

static int check_rule(const struct look_rule *rule, size_t designs, unsigned number, struct err *e)
{
    unsigned looks = rule->looks ? rule->looks : LOOKS_MOST;

    if (looks > LOOKS_MOST || number < 1 || number > looks)
        return err_set(e, ERR_INVALID, "look %u of %u: a run is looked at %d times at most", number, looks,
                       LOOKS_MOST);
    if (!look_promises(rule, designs))
        return err_set(e, ERR_INVALID,
                       "a run that decides for itself needs an error to reach, or a difference to "
                       "resolve between two designs");
    if (rule->resolve > 0 && rule->baseline >= designs)
        return err_set(e, ERR_INVALID, "the baseline is none of the run's designs");
    return 0;
}

/* Promises with their intervals. */
static int see(struct looking *x, struct err *e)
{
    struct look *out = x->out;

    if (check_rule(x->rule, x->designs, out->number, e) < 0 || look_possible(x->plan, e) < 0 ||
        looking_init(x, e) < 0)
        return -1;
    name_promises(x);
    for (size_t i = 0; i < out->promise_count; i++)
        if (take_stock(x, i, e) < 0)
            return -1;
    return 0;
}

int look_take(const struct plan *plan, const double *const *y, size_t designs, const struct look_rule *rule,
              const struct look_spent *past, unsigned number, const struct look_shape *shapes, struct look *out,
              struct err *e)
{
    struct looking x = {
        .plan = plan, .y = y, .designs = designs, .rule = rule, .past = past, .shapes = shapes, .out = out};
    int ret;

    *out = (struct look){.number = number};
    ret = see(&x, e) < 0 ? -1 : ask_all(&x, e);
    if (ret == 0) {
        decide(&x);
        explain(plan, out);
    }
    looking_release(&x);
    if (ret < 0)
        look_release(out);
    return ret;
}

int look_see(const struct plan *plan, const double *const *y, size_t designs, const struct look_rule *rule,
             const struct look_spent *past, unsigned number, struct look *out, struct err *e)
{
    struct looking x = {.plan = plan, .y = y, .designs = designs, .rule = rule, .past = past, .out = out};
    int ret;

    *out = (struct look){.number = number};
    ret = see(&x, e);
    looking_release(&x);
    if (ret < 0)
        look_release(out);
    return ret;
}

void look_release(struct look *l)
{
    free(l->promises);
    free(l->next);
    *l = (struct look){0};
}
