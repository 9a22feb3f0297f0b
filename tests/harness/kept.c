#include "tests/harness/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/methods/plan_make.h"
#include "sampling/estimate/projection.h"

const double kept_errors[KEPT_ERRORS] = {0.05, 0.02, 0.01};

/* Settings: COARSEST 2^(-k/4), down to 0.0001. */
enum { STEPS = 50, A_HALF = 4 };
#define COARSEST 0.5
#define CENSUS   0.995 /* share of the profiled time: finer settings draw no more launches */
/* Plans with very many samples, and plans that are made again for each draw, are drawn less often. */
enum { SAMPLES_MAX = 1000000, REPEATS_MIN = 200 };

bool kept_promise(const struct kept_score *s)
{
    return s->within >= KEPT_SHARE && !(s->covered < KEPT_COVERAGE);
}

/* --- one setting --- */

struct player {
    const struct method *m;
    const struct profile *p;
    struct plan_params params;
    const struct kept_designs *on;
    double *truth;
    struct strata strata;
    struct plan plan;
    double *y;
    size_t room;
};

static void drop_plan(struct player *x)
{
    plan_release(&x->plan);
    plan_init(&x->plan);
    strata_release(&x->strata);
    x->strata = (struct strata){0};
}

static int new_plan(struct player *x, uint64_t seed, struct err *e)
{
    drop_plan(x);
    x->params.seed = seed;
    return x->m->stratify(x->p, &x->params, &x->strata, e) == 0
               ? plan_from_strata(x->m, x->p, &x->params, &x->strata, RNG_EVALUATE, &x->plan, e)
               : -1;
}

static int player_init(struct player *x, struct err *e)
{
    plan_init(&x->plan);
    x->truth = mem_zalloc(x->on->count, sizeof *x->truth, e);
    for (size_t d = 0; x->truth && d < x->on->count; d++)
        for (size_t i = 0; i < x->p->count; i++)
            x->truth[d] += x->on->y[d][i];
    return x->truth ? new_plan(x, 1, e) : -1;
}

static void player_release(struct player *x)
{
    drop_plan(x);
    free(x->truth);
    free(x->y);
}

/* Scores one draw on one design. */
static int play(struct player *x, size_t d, struct kept_score *out, struct err *e)
{
    const struct projection_options options = {.level = x->params.confidence, .alone = true};
    struct projection j;
    double off;

    if (x->plan.sample_count > x->room) {
        free(x->y);
        x->room = 2 * x->plan.sample_count;
        x->y = mem_zalloc(x->room, sizeof *x->y, e);
        if (!x->y)
            return -1;
    }
    for (size_t i = 0; i < x->plan.sample_count; i++) {
        const struct plan_sample *s = &x->plan.samples[i];

        x->y[i] = x->on->y[d][s->launch];
        for (int k = 0; k < KEPT_ERRORS; k++)
            out[k].cost += (double)s->value;
    }
    if (projection_make_with(&x->plan, x->y, &options, &j, e) < 0)
        return -1;
    off = fabs(j.value - x->truth[d]);
    for (int k = 0; k < KEPT_ERRORS; k++) {
        bool interval = x->plan.variance != PLAN_VARIANCE_NONE && !isnan(j.half_width);
        double slack = 1e-12 * x->truth[d]; /* a census is exact except for rounding */

        if (!interval)
            out[k].covered = NAN;
        out[k].covered += off <= j.half_width + slack;
        out[k].within += interval ? j.half_width <= kept_errors[k] * j.value + slack
                                  : off <= kept_errors[k] * x->truth[d] + slack;
    }
    projection_release(&j);
    return 0;
}

int kept_at(const struct method *m, const struct profile *p, const struct plan_params *params,
            const struct kept_designs *on, unsigned repeats, struct kept_score *out, struct err *e)
{
    struct player x = {.m = m, .p = p, .params = *params, .on = on};
    int ret = player_init(&x, e);

    memset(out, 0, KEPT_ERRORS * sizeof *out);
    if (ret == 0 && x.strata.chosen && !m->draws_itself)
        repeats = (unsigned)on->count;
    else if (repeats > REPEATS_MIN && (m->draws_itself || x.plan.sample_count > SAMPLES_MAX / repeats))
        repeats = REPEATS_MIN;
    for (unsigned i = 0; ret == 0 && i < repeats; i++) {
        if (i > 0)
            ret = m->draws_itself ? new_plan(&x, 1 + i, e)
                                  : plan_redraw(&x.plan, p, &x.strata, 1 + i, RNG_EVALUATE, e);
        if (ret == 0)
            ret = play(&x, i % on->count, out, e);
    }
    for (int k = 0; k < KEPT_ERRORS; k++) {
        out[k].chosen = x.strata.chosen && !m->draws_itself;
        out[k].setting = params->error;
        out[k].cost /= (double)profile_total(p) * repeats;
        out[k].within /= repeats;
        out[k].covered /= repeats;
    }
    player_release(&x);
    return ret;
}

/* --- the coarsest setting --- */

struct ladder {
    const struct method *m;
    const struct profile *p;
    struct plan_params params;
    const struct kept_designs *on;
    unsigned repeats;
    bool known[STEPS];
    struct kept_score score[STEPS][KEPT_ERRORS];
};

/* 1: the promise is kept at step k; 0: it is not; -1: error. */
static int climb(struct ladder *l, int k, int error, struct err *e)
{
    l->params.error = COARSEST * exp2(-(double)k / A_HALF);
    if (!l->known[k] && kept_at(l->m, l->p, &l->params, l->on, l->repeats, l->score[k], e) < 0)
        return -1;
    l->known[k] = true;
    return kept_promise(&l->score[k][error]);
}

static bool census(const struct ladder *l, int k)
{
    return l->score[k][0].cost >= CENSUS;
}

/* Searches from the step whose setting is the error, in strides that double, then by bisection. */
static int find(struct ladder *l, int error, struct kept_score *out, struct err *e)
{
    int k = (int)ceil(A_HALF * log2(COARSEST / kept_errors[error])), bad = -1, good = STEPS, stride = 1, ret;

    while ((ret = climb(l, k, error, e)) >= 0) {
        if (ret)
            good = k;
        else
            bad = k;
        if (good - bad == 1 || (ret && bad < 0 && l->score[k][0].chosen) ||
            (good == STEPS && (k == STEPS - 1 || census(l, k))))
            break;
        if (bad < 0)
            k = k - stride < 0 ? 0 : k - stride;
        else if (good == STEPS)
            k = k + stride >= STEPS ? STEPS - 1 : k + stride;
        else
            k = (good + bad) / 2;
        stride *= 2;
    }
    if (ret < 0)
        return -1;
    *out = l->score[good < STEPS ? good : bad][error];
    if (good == STEPS)
        out->setting = NAN;
    return 0;
}

int kept_coarsest(const struct method *m, const struct profile *p, const struct plan_params *params,
                  const struct kept_designs *on, unsigned repeats, struct kept_score *out, struct err *e)
{
    struct ladder *l = mem_zalloc(1, sizeof *l, e);
    int ret = l ? 0 : -1;

    if (l)
        *l = (struct ladder){.m = m, .p = p, .params = *params, .on = on, .repeats = repeats};
    for (int k = 0; ret == 0 && k < KEPT_ERRORS; k++)
        ret = find(l, k, &out[k], e);
    free(l);
    return ret;
}
