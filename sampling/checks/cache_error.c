#include "sampling/checks/cache_error.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

struct choosing {
    const struct cache_candidate *candidates;
    const struct cache_strata *strata;
    bool *taken;
    size_t n, *of; /* of: the chosen launches of a stratum */
};

static double total_of(const struct cache_strata *s, size_t h)
{
    return s->totals[h] > 0 ? s->totals[h] : 0; /* NaN: unknown, counts as 0 */
}

static bool cache_error_before(const struct choosing *c, size_t a, size_t b)
{
    const struct cache_candidate *x = &c->candidates[a], *y = &c->candidates[b];
    double tx = total_of(c->strata, x->stratum), ty = total_of(c->strata, y->stratum);

    if (c->of[x->stratum] != c->of[y->stratum])
        return c->of[x->stratum] < c->of[y->stratum];
    return tx != ty ? tx > ty : x->cycles > y->cycles;
}

static size_t next(const struct choosing *c)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < c->n; i++)
        if (!c->taken[i] && c->candidates[i].stratum < c->strata->count &&
            (best == SIZE_MAX || cache_error_before(c, i, best)))
            best = i;
    return best;
}

int cache_error_choose(const struct cache_candidate *candidates, size_t n, const struct cache_strata *strata,
                       size_t most, size_t *out, size_t *chosen, struct err *e)
{
    struct choosing c = {.candidates = candidates,
                         .strata = strata,
                         .taken = mem_zalloc(n + 1, sizeof *c.taken, e),
                         .n = n,
                         .of = mem_zalloc(strata->count + 1, sizeof *c.of, e)};
    int ret = c.taken && c.of ? 0 : -1;
    size_t i;

    *chosen = 0;
    while (ret == 0 && *chosen < most && (i = next(&c)) != SIZE_MAX) {
        c.taken[i] = true;
        c.of[candidates[i].stratum]++;
        out[(*chosen)++] = i;
    }
    ASSERT(*chosen <= n && *chosen <= most);
    free(c.taken);
    free(c.of);
    return ret;
}

void cache_error_weigh(const struct cache_pair *pairs, size_t n, const struct cache_strata *strata,
                       struct cache_error *out)
{
    double total = 0, more = 0;

    *out = (struct cache_error){.launches = n};
    for (size_t h = 0; h < strata->count; h++) {
        double empty = 0, warmed = 0;

        for (size_t i = 0; i < n; i++) {
            empty += pairs[i].stratum == h ? pairs[i].empty : 0;
            warmed += pairs[i].stratum == h ? pairs[i].warmed : 0;
        }
        if (empty > 0) {
            total += total_of(strata, h);
            more += total_of(strata, h) * (warmed / empty - 1);
        }
    }
    ASSERT(total >= 0);
    for (size_t i = 0; i < n; i++) {
        double x = pairs[i].warmed / pairs[i].empty - 1;

        out->least = i == 0 || x < out->least ? x : out->least;
        out->most = i == 0 || x > out->most ? x : out->most;
        ASSERT(!(out->least > out->most));
    }
    out->share = total > 0 ? total / strata->value : 0;
    out->relative = total > 0 ? more / total : 0;
}

bool cache_window_settled(const struct cache_window *w)
{
    return w->missing == 0 && (w->whole || w->still >= CACHE_ERROR_STILLS);
}

bool cache_window_unknown(const struct cache_window *w)
{
    ASSERT(w->missing <= w->wanted);
    return w->missing > w->wanted - w->missing;
}

void cache_window_changed(struct cache_window *w, double change)
{
    w->still = fabs(change) < CACHE_ERROR_STILL ? w->still + 1 : 0;
}
