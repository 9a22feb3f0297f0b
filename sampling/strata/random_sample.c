/* Random draws over all launches; formulas, source: random_sample.h. Assumes: the mean of n draws is nearly normal,
 * hence the caution below n = 25 G1^2 (G1: skewness; Cochran 1977, section 2.15). */
#include "sampling/strata/random_sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/allocate/allocate.h"
#include "sampling/math/quantile.h"

static void look_at_tails(const struct groups *g, struct random_population *r)
{
    double sd, n = (double)r->count;
    struct tails t;

    ASSERT(r->count > 0);
    if (r->sd <= 0)
        return;
    t = tails_of(g, 0, g->run_count);
    sd = r->sd * sqrt((n - 1) / n);
    r->skewness = t.third / (sd * sd * sd);
    r->kurtosis = fmax(t.kurtosis, 0);
}

int random_population_of(const struct profile *p, bool with_replacement, struct strata *s,
                         struct random_population *out, struct err *e)
{
    struct moments m;

    if (groups_make(p, GROUP_ALL, &s->groups, e) < 0)
        return -1;
    m = moments_of(&s->groups, 0, s->groups.run_count);
    *out = (struct random_population){.count = m.count,
                                      .total = m.sum,
                                      .mean = moments_mean(&m),
                                      .sd = moments_sd(&m),
                                      .with_replacement = with_replacement};
    look_at_tails(&s->groups, out);
    ASSERT(out->count > 0 && out->mean > 0);
    return 0;
}

static struct random_promise promise_with_repeats(const struct random_population *r, uint64_t n, double level)
{
    double draws = (double)n, population = (double)r->count;
    double variance = population * (population - 1) * r->sd * r->sd / draws;
    struct random_promise out = {.df = INFINITY};

    ASSERT(n > 0 && r->count > 0);
    if (variance > 0) {
        out.df = n < 2 ? 0 : 1 / (1 / (draws - 1) + r->kurtosis / (2 * draws));
        out.half_width = t_factor(level, out.df) * sqrt(variance) / (double)r->total;
    }
    return out;
}

struct random_promise random_promise(const struct random_population *r, uint64_t n, double level)
{
    struct alloc_stratum s = {
        .population = r->count, .sd = r->sd, .cost = r->mean, .least = 1, .n = n, .kurtosis = r->kurtosis};
    struct alloc_outcome o;

    if (r->with_replacement)
        return promise_with_repeats(r, n, level);
    o = allocation_outcome(&s, 1, level);
    return (struct random_promise){o.half_width / (double)r->total, o.df};
}

uint64_t random_size(const struct random_population *r, const struct plan_params *params)
{
    uint64_t least = r->count < 2 && !r->with_replacement ? 1 : 2, most = r->count < least ? least : r->count;

    if (params->share > 0) {
        uint64_t n = (uint64_t)llround(params->share * (double)r->count);

        return n < least ? least : n > most ? most : n;
    }
    while (least < most) { /* bisection: the half-width decreases with n */
        uint64_t middle = least + (most - least) / 2;

        if (random_promise(r, middle, params->confidence).half_width <= params->error)
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

/* Cochran (1977), section 2.15: above 25 G1^2 draws, G1 the skewness, a 95 % interval misses in less than 6 %. n is
 * corrected for the finite population: near a census it counts as 4 (N - n)
 * (sampling/allocate/allocate_interval.c). */
static void caution_skewness(const struct random_population *r, uint64_t n, struct strata *s)
{
    double needed = 25 * r->skewness * r->skewness, drawn = r->with_replacement ? 0 : (double)n / (double)r->count;
    double worth = (double)n * (1 - drawn) / ((1 - drawn / 2) * (1 - drawn / 2));

    if (r->sd <= 0 || worth >= needed || drawn >= 1)
        return;
    if ((double)n >= needed)
        snprintf(s->caution, sizeof s->caution,
                 "A few launches take much of the time (skewness %.1f), and only %llu launches are not drawn. The "
                 "result depends on whether one of the few is among those, so the interval contains the true value "
                 "less often than it says.",
                 r->skewness, (unsigned long long)(r->count - n));
    else
        snprintf(s->caution, sizeof s->caution,
                 "A few launches take much of the time (skewness %.1f). Intervals from less than %.0f draws "
                 "contain the true value less often than they say, and this plan has %llu.",
                 r->skewness, ceil(needed), (unsigned long long)n);
}

void random_finish(const struct random_population *r, uint64_t n, const struct plan_params *params,
                   struct strata *s)
{
    struct random_promise promise = random_promise(r, n, params->confidence);

    s->with_replacement = r->with_replacement;
    s->promised_error = promise.half_width;
    s->planned_df = promise.df;
    s->promise_valid = true;
    caution_skewness(r, n, s);
}

struct random_frame *random_frame_make(const struct profile *p, struct strata *s, struct err *e)
{
    struct random_population all;
    struct random_frame *frame;
    size_t used = 0;

    ASSERT(!s->kept);
    if (random_population_of(p, false, s, &all, e) < 0)
        return NULL;
    frame = s->kept = mem_zalloc(1, sizeof *frame + all.count * sizeof *frame->ids, e);
    if (!frame)
        return NULL;
    frame->all = all;
    for (size_t i = 0; i < p->count; i++)
        if (p->value[i])
            frame->ids[used++] = (uint32_t)i;
    ASSERT(used == all.count);
    return frame;
}

uint32_t *random_frame_copy(const struct random_frame *frame, struct err *e)
{
    uint32_t *ids = mem_zalloc(frame->all.count, sizeof *ids, e);

    if (ids)
        memcpy(ids, frame->ids, frame->all.count * sizeof *ids);
    return ids;
}

void random_next(struct rng *r, uint32_t *ids, uint64_t at, uint64_t count)
{
    uint64_t other = at + rng_below(r, count - at);
    uint32_t swap = ids[at];

    ASSERT(at < count);
    ids[at] = ids[other];
    ids[other] = swap;
}
