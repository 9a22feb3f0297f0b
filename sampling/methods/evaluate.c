/* Draws, projects, compares: error = |total - truth| / truth, covered: |total - truth| <= half-width, over repeats.
 * Definitions: evaluate.h. Assumes: the given values are those that a simulator would return. */
#include "sampling/methods/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/methods/plan_make.h"
#include "sampling/estimate/projection.h"
#include "sampling/math/quantile.h"

/* The three measures of simulation cost in struct evaluation. */
enum { COST_VALUE, COST_INSTRUCTIONS, COST_SECONDS, COSTS };

/* The result of one repeat. */
struct shot {
    double value, half_width; /* NaN: no interval */
    double cost[COSTS];
    double distinct;
};

struct scorer {
    const struct method *method;
    const struct profile *profile;
    const double *y;
    const uint64_t *instructions; /* NULL: not known */
    double total, whole[COSTS];
    struct strata strata;
    struct drawer drawer;
    struct evaluation *out;
    double cost[COSTS]; /* sum over repeats */
    /* of all draws of a repeat */
    struct aux_stratum *aux;
    uint32_t *ids;
    double *values;
    struct plan plan; /* for projections that the fast path does not support */
    bool planned;
};

static double value_of(const struct scorer *s, uint64_t i)
{
    return s->y ? s->y[i] : (double)s->profile->value[i];
}

static double seconds_of(const struct scorer *s, uint64_t i)
{
    const struct plan_params *p = &s->out->params;

    return p->cost_fixed + p->cost_per_unit * (double)s->profile->value[i];
}

static void add_cost(const struct scorer *s, uint64_t i, double cost[COSTS])
{
    cost[COST_VALUE] += value_of(s, i);
    cost[COST_INSTRUCTIONS] += s->instructions ? (double)s->instructions[i] : 0;
    cost[COST_SECONDS] += seconds_of(s, i);
}

static const uint64_t *instructions_of(const struct profile *p)
{
    if (p->unit == PROFILE_WARP_INSTRUCTIONS)
        return p->value;
    return p->features && p->features->known == p->count ? p->features->instructions : NULL;
}

static int add_up(struct scorer *s, struct err *e)
{
    s->instructions = instructions_of(s->profile);
    for (size_t i = 0; i < s->profile->count; i++) {
        if (!(value_of(s, i) >= 0 && isfinite(value_of(s, i))))
            return err_set(e, ERR_INVALID, "the value of launch %zu to score on is negative or no number", i);
        add_cost(s, i, s->whole);
    }
    s->total = s->whole[COST_VALUE];
    return s->total > 0 ? 0 : err_set(e, ERR_INVALID, "all values to score on are 0");
}

/* --- fast path: estimates from strata without making a plan --- */

/* Whether estimate_expansion() supports this projection. */
static bool is_plain(const struct strata *s)
{
    return s->estimator == PLAN_EXPANSION &&
           (s->variance == PLAN_VARIANCE_SAMPLES || s->variance == PLAN_VARIANCE_NONE);
}

static int prepare_plain(struct scorer *s, struct err *e)
{
    uint64_t all = 0;

    ASSERT(!s->aux && !s->ids && !s->values);
    for (size_t h = 0; h < s->strata.count; h++)
        all += s->strata.items[h].n;
    s->aux = mem_zalloc(s->strata.count, sizeof *s->aux, e);
    s->ids = mem_zalloc(all, sizeof *s->ids, e);
    s->values = mem_zalloc(all, sizeof *s->values, e);
    if (!s->aux || !s->ids || !s->values)
        return -1;
    for (size_t h = 0, at = 0; h < s->strata.count; at += s->strata.items[h++].n) {
        const struct stratum_pick *pick = &s->strata.items[h];
        struct moments m = moments_of(&s->strata.groups, pick->run_begin, pick->run_end);

        s->aux[h] = (struct aux_stratum){.population = (double)m.count,
                                         .n = pick->n,
                                         .y = s->values + at,
                                         .with_replacement = s->strata.with_replacement,
                                         .least_spread = s->strata.noise_floor,
                                         .planned_cv = pick->planned_sd / moments_mean(&m)};
    }
    return drawer_init(&s->drawer, &s->strata, e);
}

static int id_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void shoot_plain(struct scorer *s, uint64_t seed, struct shot *out)
{
    struct aux_estimate all;
    uint32_t *ids = s->ids;
    double *values = s->values;

    ASSERT(s->aux && ids && values);
    for (size_t h = 0; h < s->strata.count; h++) {
        uint64_t n = s->strata.items[h].n;

        draw_stratum(&s->drawer, &s->strata, h, seed, RNG_EVALUATE, ids);
        if (s->strata.with_replacement)
            qsort(ids, n, sizeof *ids, id_compare);
        for (uint64_t i = 0; i < n; i++) {
            *values++ = value_of(s, ids[i]);
            if (s->strata.with_replacement && i && ids[i] == ids[i - 1])
                continue;
            add_cost(s, ids[i], out->cost);
            out->distinct++;
        }
        ids += n;
    }
    all = estimate_expansion(s->aux, s->strata.count);
    out->value = all.value;
    if (s->strata.variance == PLAN_VARIANCE_SAMPLES && !isnan(all.variance))
        out->half_width = all.variance > 0 ? t_factor(s->out->params.confidence, all.df) * sqrt(all.variance) : 0;
}

/* --- general path: makes a plan and projects it --- */

static int shoot_plan(struct scorer *s, uint64_t seed, struct shot *out, struct err *e)
{
    const struct projection_options options = {.level = s->out->params.confidence, .alone = true};
    struct plan_params params = s->out->params;
    struct projection projection;
    double *y;
    int ret;

    ASSERT(!s->planned || s->plan.stratum_count == s->strata.count);
    params.seed = seed;
    ret = s->planned ? plan_redraw(&s->plan, s->profile, &s->strata, seed, RNG_EVALUATE, e)
                     : plan_from_strata(s->method, s->profile, &params, &s->strata, RNG_EVALUATE, &s->plan, e);
    if (ret < 0)
        return -1;
    s->planned = true;
    y = mem_zalloc(s->plan.sample_count, sizeof *y, e);
    if (!y)
        return -1;
    for (size_t i = 0; i < s->plan.sample_count; i++) {
        y[i] = value_of(s, s->plan.samples[i].launch);
        add_cost(s, s->plan.samples[i].launch, out->cost);
    }
    out->distinct = (double)s->plan.sample_count;
    ret = projection_make_with(&s->plan, y, &options, &projection, e);
    free(y);
    if (ret < 0)
        return -1;
    out->value = projection.value;
    out->half_width = s->strata.variance == PLAN_VARIANCE_NONE ? NAN : projection.half_width;
    projection_release(&projection);
    return 0;
}

/* --- a method's repeats --- */

static void forget_draws(struct scorer *s)
{
    drawer_release(&s->drawer);
    if (s->planned)
        plan_release(&s->plan);
    s->planned = false;
    free(s->aux);
    free(s->ids);
    free(s->values);
    s->aux = NULL;
    s->ids = NULL;
    s->values = NULL;
}

static int make_strata(struct scorer *s, uint64_t seed, struct err *e)
{
    struct plan_params params = s->out->params;
    bool again = s->method->redraw && s->strata.count > 0;

    forget_draws(s);
    params.seed = seed;
    if (!again)
        strata_release(&s->strata);
    if ((again ? s->method->redraw : s->method->stratify)(s->profile, &params, &s->strata, e) < 0)
        return -1;
    return is_plain(&s->strata) ? prepare_plain(s, e) : 0;
}

static void evaluate_describe(struct scorer *s)
{
    struct evaluation *out = s->out;

    out->promise_valid = s->strata.promise_valid;
    out->representative = s->strata.representative;
    out->estimator = s->strata.estimator;
    out->variance = s->strata.variance;
    memcpy(out->caution, s->strata.caution, sizeof out->caution);
    memcpy(out->note, s->strata.note, sizeof out->note);
    if (s->strata.chosen && !s->method->draws_itself)
        out->repeats = 1; /* the samples do not depend on the seed */
}

/* Updates a running mean with x; exact if all values are equal. */
static void average(double *mean, double x, unsigned before)
{
    *mean += (x - *mean) / (before + 1.0);
}

static void score(struct scorer *s, unsigned repeat, const struct shot *shot)
{
    struct evaluation *out = s->out;
    double off = fabs(shot->value - s->total), error = off / s->total;
    double promised = s->strata.promised_error, promise = isnan(promised) ? out->params.error : promised;
    double draws = 0;

    ASSERT(repeat < out->repeats && s->total > 0);
    for (size_t h = 0; h < s->strata.count; h++)
        draws += (double)s->strata.items[h].n;
    average(&out->strata, (double)s->strata.count, repeat);
    average(&out->samples, draws, repeat);
    average(&out->distinct, shot->distinct, repeat);
    average(&out->promised_error, promised, repeat);
    average(&out->actual_error, error, repeat);
    out->actual_error_max = fmax(out->actual_error_max, error);
    out->inside += error <= promise * (1 + 1e-12) + 1e-12; /* tolerance for rounding: a census is exact */
    out->cloud[repeat][0] = s->total / shot->cost[COST_VALUE];
    out->cloud[repeat][1] = error;
    for (int c = 0; c < COSTS; c++)
        s->cost[c] += shot->cost[c];
    if (!isnan(shot->half_width)) {
        out->intervals++;
        out->covered += off <= shot->half_width + 1e-12 * s->total;
    }
}

static int repeat_all(struct scorer *s, struct err *e)
{
    for (unsigned r = 0; r < s->out->repeats; r++) {
        struct shot shot = {.half_width = NAN};
        uint64_t seed = s->out->params.seed + r;

        if (r > 0 && s->method->draws_itself && make_strata(s, seed, e) < 0)
            return -1;
        if (is_plain(&s->strata))
            shoot_plain(s, seed, &shot);
        else if (shoot_plan(s, seed, &shot, e) < 0)
            return -1;
        score(s, r, &shot);
    }
    return 0;
}

static double speedup_in(const struct scorer *s, int cost)
{
    ASSERT(cost >= 0 && cost < COSTS);
    return s->whole[cost] > 0 ? s->whole[cost] * s->out->repeats / s->cost[cost] : NAN;
}

static void evaluate_finish(struct scorer *s)
{
    struct evaluation *out = s->out;

    out->speedup = speedup_in(s, COST_VALUE);
    out->speedup_instructions = speedup_in(s, COST_INSTRUCTIONS);
    out->speedup_seconds = speedup_in(s, COST_SECONDS);
}

static int evaluate_refuse(struct evaluation *out, const char *why, struct err *e)
{
    ASSERT(!out->why_not);
    out->why_not = mem_strdup(why, e);
    out->repeats = 0;
    return out->why_not ? 0 : -1;
}

int evaluate_on(const struct method *m, const struct profile *p, const struct plan_params *params, const double *y,
                unsigned repeats, struct evaluation *out, struct err *e)
{
    struct scorer s = {.method = m, .profile = p, .y = y, .out = out};
    const char *why_not;
    int ret = -1;

    *out = (struct evaluation){.method = m, .params = *params, .repeats = repeats};
    if (plan_params_check(params, e) < 0)
        return -1;
    if (!repeats || repeats > 1000000)
        return err_set(e, ERR_INVALID, "the number of repeats must lie between 1 and 1000000");
    out->lacks_features = method_lacks_features(m, p);
    why_not = method_why_not(m, p);
    if (why_not)
        return evaluate_refuse(out, why_not, e);
    out->cloud = mem_zalloc(repeats, sizeof *out->cloud, e);
    if (!out->cloud || add_up(&s, e) < 0)
        goto out;
    if (make_strata(&s, params->seed, e) < 0) {
        ret = e->code == ERR_INVALID ? evaluate_refuse(out, e->text, e) : -1;
        goto out;
    }
    evaluate_describe(&s);
    ret = repeat_all(&s, e);
    if (ret == 0)
        evaluate_finish(&s);
out:
    forget_draws(&s);
    strata_release(&s.strata);
    if (ret < 0)
        evaluation_release(out);
    return ret;
}

int evaluate(const struct method *m, const struct profile *p, const struct plan_params *params, unsigned repeats,
             struct evaluation *out, struct err *e)
{
    return evaluate_on(m, p, params, NULL, repeats, out, e);
}

void evaluation_release(struct evaluation *v)
{
    free(v->cloud);
    v->cloud = NULL;
    free(v->why_not);
    v->why_not = NULL;
}
