/* The number of samples that the promises of an analysis need; sizes for one promise: interim_size.c. */
#include "sampling/sequential/interim_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/sequential/interim_size.h"

double interim_gap(const struct interim_promise *p)
{
    return p->kept ? 0 : isnan(p->half_width) ? INFINITY : p->half_width / p->wanted;
}

/* Sets the minimum of each stratum: the samples requested so far, and at least two results. */
static void set_min(const struct interim_work *x, struct stock *stock)
{
    for (size_t h = 0; h < x->plan->stratum_count; h++) {
        struct alloc_stratum *s = &stock->s[h];
        uint64_t dead = stock->dead[h], room = s->population > dead ? s->population - dead : 1;
        uint64_t asked = x->out->next[h] - dead, least = asked < 2 ? 2 : asked;

        ASSERT(x->out->next[h] >= dead);
        s->n = s->least = least < room ? least : room;
    }
}

/* Adds the samples that a promise needs beyond those requested by earlier promises. */
static int ask_for(struct interim_work *x, size_t index, double budget, struct err *e)
{
    const struct interim_promise *p = &x->out->promises[index];
    int left = (int)x->analyses - (int)x->out->number - 1;
    struct interim_need need = {.wanted = p->wanted * x->stock[index].room * x->stock[index].unit,
                                .now = x->stock[index].now,
                                .level = interim_next_level(x, index),
                                .kurtosis = x->stock[index].pooled.kurtosis,
                                .left = left > 0 ? (unsigned)left : 0};
    struct alloc_stratum *s = x->stock[index].s;
    size_t count = x->plan->stratum_count;
    int ret = 0;

    ASSERT(index < x->out->promise_count);
    set_min(x, &x->stock[index]);
    for (size_t h = 0; h < count; h++)
        s[h].steady = x->stock[index].steady[h];
    if (isfinite(budget))
        ret = size_for_budget(s, count, need.level, budget, e);
    else if (!isnan(need.now)) /* otherwise every stratum first needs two results */
        ret = size_for(x->plan, s, x->stock[index].even, count, &need, e);
    for (size_t h = 0; ret == 0 && h < count; h++) {
        uint64_t n = s[h].n + x->stock[index].dead[h], most = x->plan->strata[h].population;

        n = n < most ? n : most;
        x->out->next[h] = n > x->out->next[h] ? n : x->out->next[h];
        ASSERT(x->out->next[h] <= most);
    }
    return ret;
}

static void add_up(struct interim_work *x)
{
    struct interim_analysis *out = x->out;
    double most = 0;

    out->extra = 0;
    out->extra_cost = 0;
    out->largest_increment_stratum = SIZE_MAX;
    for (size_t h = 0; h < out->stratum_count; h++) {
        uint64_t extra = out->next[h] - x->plan->strata[h].samples;
        double cost = x->costs[h] * (double)extra;

        ASSERT(out->next[h] >= x->plan->strata[h].samples);
        out->extra += extra;
        out->extra_cost += cost;
        if (cost > most) {
            most = cost;
            out->largest_increment_stratum = h;
        }
    }
}

void interim_ask_nothing(struct interim_work *x)
{
    for (size_t h = 0; h < x->out->stratum_count; h++)
        x->out->next[h] = x->plan->strata[h].samples;
    add_up(x);
}

/* Promises request samples in turn, the one furthest from being kept first; samples serve all promises. If the
 * total exceeds the budget, only the first promise requests. */
int interim_ask(struct interim_work *x, struct err *e)
{
    size_t count = x->out->promise_count, first = 0;
    bool *asked = mem_zalloc(count, sizeof *asked, e);
    int ret = asked ? 0 : -1;

    for (size_t turn = 0; ret == 0 && turn < count; turn++) {
        size_t worst = SIZE_MAX;

        for (size_t i = 0; i < count; i++)
            if (!asked[i] && !x->out->promises[i].kept &&
                (worst == SIZE_MAX || interim_gap(&x->out->promises[i]) > interim_gap(&x->out->promises[worst])))
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
    interim_ask_nothing(x);
    x->out->short_of_budget = true;
    ret = ask_for(x, first, fmax(x->rule->budget, 0), e);
    add_up(x);
    return ret;
}
