/* Tries prices on variance from high to low and keeps the plan that is cheapest after sizing; idea and limits:
 * search.h.
 *
 *     first price m^2,   m = sum(N S sqrt(cost)) / (v0 + sum(N S^2))   (theorem 5.6 of Cochran 1977: n = m N S /
 *     sqrt(cost)), 9 factors of e above it down to 13 below
 *
 * Assumes: shapes of a kernel that share a stratum differ on another GPU by up to NAME_NOISE times the noise floor,
 * kernels of different names by factors of 0.5 to 2. In a profile of instructions shapes differ by such factors
 * too: matrix products of examples/tiny-gpt with nearly equal counts differ by a factor of four in cycles,
 * depending on their depth and width. */
#include "sampling/strata/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/strata/assurance.h"
#include "sampling/math/quantile.h"

enum { PRICE_RANGE = 22 /* factors of e downwards */, CLOSER = 4 /* halvings of the step around the best */ };
#define GAIN_MIN   0.05 /* a cut or a shared line with a smaller saving is treated as noise */
#define NAME_NOISE 5.0  /* difference of a kernel's shapes on another GPU, in noise floors */
/* The same if the shapes also share a ratio; the spread of the values is then not included. */
#define RATIO_NAME_NOISE 8.0
#define MIXED_NOISE      0.4 /* kernels of different names: spread of factors log-uniform in 0.5 .. 2 */

/* Noise of cycles for launches with equal names, shapes and instruction counts, from different cache contents: 0.1
 * % in the recorded training loop, up to 8 % in examples/tiny-gpt. This value between them is an estimate. */
#define INSTRUCTION_NOISE 0.03
/* The same for cycles estimated by a pilot (sampling/plan/pilot.h). In examples/tiny-gpt, shapes with a tenth of
 * the cycles spread by 11 % (V100) to 17 % (H100) around the estimates. With a value of 3 to 7 % the coverage of
 * intervals planned for 2 % is 81 to 85 %, with 8 to 10 % it is 93 to 95 % (bench/pilot.c). */
#define PILOT_NOISE 0.08

struct search {
    const struct lines *l;
    const struct plan_params *params;
    const struct alloc_goal *goal;
    struct slice_step *scratch;
    double *cost; /* per line, at the current price */
    double
        *of_name; /* per name: cost of its kernels' lines; later the lower of that and the cost of its own line */
    size_t *own;  /* per name: its line, or 0 for none (line 0 is a kernel's) */
};

bool search_by_ratio(const struct plan_params *params, const struct lines *l)
{
    bool responses = l->count && l->items[0].bins.response_count;

    return params->estimator == PLAN_RATIO && l->unit == PROFILE_NS && params->least_samples > 1 && !responses;
}

/* The requested assurance; 0 for profiles without times and for plans with single samples. */
static double assurance_of(const struct lines *l, const struct plan_params *params)
{
    return l->unit == PROFILE_NS && params->least_samples >= 2 ? params->assurance : 0;
}

static struct slice_rules rules_of(const struct lines *l, const struct plan_params *params, enum line_kind kind)
{
    bool trusted = l->unit == PROFILE_NS || params->least_samples < 2; /* a point estimate relies on the profile */
    bool modelled = plan_cost_modelled(params), ratio = search_by_ratio(params, l);
    double shapes = ratio ? RATIO_NAME_NOISE : NAME_NOISE;
    double noise = l->unit == PROFILE_CYCLES ? PILOT_NOISE : INSTRUCTION_NOISE;
    double floor = trusted ? params->noise_floor : fmax(params->noise_floor, noise);

    return (struct slice_rules){.noise_floor = kind == LINE_KERNEL            ? floor
                                               : kind == LINE_NAME && trusted ? floor * shapes
                                                                              : fmax(floor * shapes, MIXED_NOISE),
                                .follows = ratio ? SEARCH_FOLLOWS : 0,
                                .noise = assurance_noise(assurance_of(l, params)),
                                .least_gain = GAIN_MIN,
                                .cost_fixed = modelled ? params->cost_fixed : 0,
                                .cost_per_unit = modelled ? params->cost_per_unit : 1,
                                .least = params->least_samples};
}

/* Third central moment and excess kurtosis of bins [i, j), with all values of a bin at its mean. */
static void shape_of(const struct bins *b, size_t i, size_t j, double *third, double *kurtosis)
{
    double n = b->n[j] - b->n[i], mean = (b->sum[j] - b->sum[i]) / n, second = 0, fourth = 0;

    ASSERT(i < j && j <= b->count);
    *third = 0;
    for (size_t k = i; k < j; k++) {
        double count = b->n[k + 1] - b->n[k], off = (b->sum[k + 1] - b->sum[k]) / count - mean;

        second += count * off * off;
        *third += count * off * off * off;
        fourth += count * off * off * off * off;
    }
    *third /= n;
    *kurtosis = second > 0 ? fourth * n / (second * second) - 3 : 0;
}

/* The slice of bins [i, j) as a stratum, with the spread to plan with. */
static struct alloc_stratum stratum_of(const struct bins *b, size_t i, size_t j, const struct slice_rules *rules,
                                       double interval_floor)
{
    double n = b->n[j] - b->n[i], mean = b->centre + (b->sum[j] - b->sum[i]) / n;
    struct alloc_stratum s = {.population = (uint64_t)n,
                              .sd = n > 1 ? sqrt(slice_variance(b, i, j, mean, rules->noise_floor, rules->follows))
                                          : 0,
                              .cost = rules->cost_fixed + rules->cost_per_unit * mean,
                              .least = (uint64_t)fmin(n, rules->least)};

    ASSERT(i < j && j <= b->count && s.population > 0 && s.least <= s.population && s.cost > 0);
    s.profiled = s.sd;
    s.sd = n > 1 && rules->noise > 0 ? hypot(s.sd, rules->noise * mean) : s.sd;
    s.seen = n > 1 ? sqrt(slice_variance(b, i, j, mean, interval_floor, rules->follows)) : 0;
    shape_of(b, i, j, &s.third, &s.kurtosis);
    s.third *= pow(1 - rules->follows, 3);
    ASSERT(!(s.sd < 0) && !(s.seen < 0));
    return s;
}

struct alloc_goal search_goal(const struct plan_params *params, const struct lines *l, double total)
{
    struct slice_rules rules = rules_of(l, params, LINE_KERNEL);
    struct alloc_goal goal = {.half_width = params->error * total,
                              .level = params->confidence,
                              .least_df = l->unit == PROFILE_NS ? SEARCH_LEAST_DF : SEARCH_LEAST_DF_INSTRUCTIONS,
                              .most_skewness = SEARCH_MOST_SKEWNESS,
                              .known = params->least_samples<2, .assured = assurance_of(l, params)> 0};
    double all = 0;

    if (goal.assured)
        goal.luck = normal_quantile(params->assurance);
    for (size_t i = 0; i < l->count && l->items[i].kind == LINE_KERNEL; i++) {
        const struct bins *b = &l->items[i].bins;
        double n = b->n[b->count];

        all += n * (rules.cost_fixed + rules.cost_per_unit * (b->centre + b->sum[b->count] / n));
    }
    goal.budget = params->budget * all;
    ASSERT(goal.half_width >= 0 && goal.budget >= 0);
    return goal;
}

static int slicing_init(struct slicing *s, const struct lines *l, struct err *e)
{
    *s = (struct slicing){0};
    s->chosen = mem_zalloc(l->count, sizeof *s->chosen, e);
    s->slices = mem_zalloc(l->count, sizeof *s->slices, e);
    s->first = mem_zalloc(l->count, sizeof *s->first, e);
    s->cuts = mem_zalloc(l->room, sizeof *s->cuts, e);
    s->sizes = mem_zalloc(l->room, sizeof *s->sizes, e);
    return s->chosen && s->slices && s->first && s->cuts && s->sizes ? 0 : -1;
}

void slicing_release(struct slicing *s)
{
    free(s->chosen);
    free(s->slices);
    free(s->first);
    free(s->cuts);
    free(s->sizes);
    *s = (struct slicing){0};
}

static int search_init(struct search *x, const struct lines *l, const struct plan_params *params,
                       const struct alloc_goal *goal, struct err *e)
{
    *x = (struct search){.l = l, .params = params, .goal = goal};
    x->scratch = mem_zalloc(l->bins_max + 1, sizeof *x->scratch, e);
    x->cost = mem_zalloc(l->count, sizeof *x->cost, e);
    x->of_name = mem_zalloc(l->name_count, sizeof *x->of_name, e);
    x->own = mem_zalloc(l->name_count, sizeof *x->own, e);
    if (!x->scratch || !x->cost || !x->of_name || !x->own)
        return -1;
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].kind == LINE_NAME)
            x->own[l->items[i].name] = i;
    return 0;
}

static void search_release(struct search *x)
{
    free(x->scratch);
    free(x->cost);
    free(x->of_name);
    free(x->own);
}

/* Chooses for each name the cheaper option: separate lines of its kernels, or one line. Then chooses the mixed line
 * with the largest saving, if there is one. */
static void choose_lines(const struct search *x, struct slicing *s, bool may_mix)
{
    const struct lines *l = x->l;
    size_t mixed = l->count, names = 0;
    double most = 0;

    for (size_t n = 0; n < l->name_count; n++)
        x->of_name[n] = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct line *line = &l->items[i];

        s->chosen[i] = false;
        if (line->kind == LINE_KERNEL)
            x->of_name[line->name] += x->cost[i];
        if (line->kind == LINE_NAME && x->cost[i] < (1 - GAIN_MIN) * x->of_name[line->name]) {
            s->chosen[i] = true;
            x->of_name[line->name] = x->cost[i];
        }
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct line *line = &l->items[i];
        double apart = 0;

        if (line->kind != LINE_MIXED || !may_mix)
            continue;
        for (size_t n = 0; n < l->name_count; n++)
            apart += l->rank[n] < line->names ? x->of_name[n] : 0;
        if (x->cost[i] < (1 - GAIN_MIN) * apart && apart - x->cost[i] > most) {
            most = apart - x->cost[i];
            mixed = i;
            names = line->names;
        }
    }
    ASSERT(names <= l->name_count && most >= 0);
    s->mixed = mixed < l->count;
    for (size_t i = 0; i < l->count; i++) {
        const struct line *line = &l->items[i];

        if (line->kind == LINE_MIXED)
            s->chosen[i] = i == mixed;
        else if (l->rank[line->name] < names)
            s->chosen[i] = false;
        else if (line->kind == LINE_KERNEL)
            s->chosen[i] = !x->own[line->name] || !s->chosen[x->own[line->name]];
    }
}

static void cut_lines(struct search *x, double price, struct slicing *s)
{
    for (size_t i = 0; i < x->l->count; i++) {
        const struct line *line = &x->l->items[i];
        struct slice_rules rules = rules_of(x->l, x->params, line->kind);
        size_t *cuts = s->cuts + line->room;

        s->slices[i] = slice(&line->bins, price, &rules, cuts, x->scratch);
        ASSERT(s->slices[i] <= line->bins.count);
        x->cost[i] = slices_cost(&line->bins, price, &rules, cuts, s->slices[i]);
    }
    s->price = price;
}

/* Sizes the slices of the chosen lines together. */
static int size_slices(const struct search *x, struct slicing *s, struct err *e)
{
    s->count = 0;
    for (size_t i = 0; i < x->l->count; i++) {
        const struct line *line = &x->l->items[i];
        struct slice_rules rules = rules_of(x->l, x->params, line->kind);
        const size_t *cuts = s->cuts + line->room;

        s->first[i] = s->count;
        for (size_t k = 0; s->chosen[i] && k < s->slices[i]; k++)
            s->sizes[s->count++] =
                stratum_of(&line->bins, k ? cuts[k - 1] : 0, cuts[k], &rules, x->params->noise_floor);
    }
    ASSERT(s->count > 0 && s->count <= x->l->room);
    return allocate_interval(s->sizes, s->count, x->goal, &s->outcome, e);
}

static bool search_better(const struct search *x, const struct slicing *a, const struct slicing *b)
{
    double by, than;

    if (!b->count || a->outcome.met != b->outcome.met)
        return !b->count || a->outcome.met;
    by = x->goal->budget > 0 && a->outcome.met ? a->outcome.half_width : a->outcome.cost;
    than = x->goal->budget > 0 && a->outcome.met ? b->outcome.half_width : b->outcome.cost;
    if (by != than)
        return by < than;
    return a->mixed != b->mixed ? !a->mixed : a->count < b->count;
}

static void search_copy(const struct lines *l, const struct slicing *from, struct slicing *to)
{
    struct slicing old = *to;

    ASSERT(from->count <= l->room);
    memcpy(old.chosen, from->chosen, l->count * sizeof *old.chosen);
    memcpy(old.slices, from->slices, l->count * sizeof *old.slices);
    memcpy(old.first, from->first, l->count * sizeof *old.first);
    memcpy(old.cuts, from->cuts, l->room * sizeof *old.cuts);
    memcpy(old.sizes, from->sizes, from->count * sizeof *old.sizes);
    *to = *from;
    to->chosen = old.chosen;
    to->slices = old.slices;
    to->first = old.first;
    to->cuts = old.cuts;
    to->sizes = old.sizes;
}

/* Tries the price with and without a mixed line: the option that is cheaper at a price may be more expensive after
 * sizing. */
static int try_price(struct search *x, double price, struct slicing *trial, struct slicing *best, struct err *e)
{
    bool may_mix = true;

    cut_lines(x, price, trial);
    do {
        choose_lines(x, trial, may_mix);
        if (size_slices(x, trial, e) < 0)
            return -1;
        if (search_better(x, trial, best))
            search_copy(x->l, trial, best);
        may_mix = false;
    } while (trial->mixed);
    return 0;
}

/* The first price: the one at which uncut kernels, sized by the plain formula, meet the error or use the budget. n
 * = m N S / sqrt(c) there, and n = sqrt(lambda) N S / sqrt(c) under a price, so lambda = m^2. */
static double first_price(const struct search *x)
{
    double roots = 0, bound = x->goal->half_width / normal_quantile(0.5 + x->goal->level / 2), m;
    struct slice_rules rules = rules_of(x->l, x->params, LINE_KERNEL);

    bound *= bound;
    for (size_t i = 0; i < x->l->count && x->l->items[i].kind == LINE_KERNEL; i++) {
        const struct bins *b = &x->l->items[i].bins;
        struct alloc_stratum whole = stratum_of(b, 0, b->count, &rules, x->params->noise_floor);

        roots += (double)whole.population * whole.sd * sqrt(whole.cost);
        bound += (double)whole.population * whole.sd * whole.sd;
    }
    if (x->goal->budget > 0)
        m = roots > 0 ? x->goal->budget / roots : 0;
    else
        m = bound > 0 ? roots / bound : 0;
    ASSERT(m >= 0);
    return m * m;
}

/* The number of prices tried per factor of e. The cost is not a smooth function of the price, as strata appear and
 * disappear, so the number is as large as the time limit allows. */
static int price_steps(const struct search *x)
{
    double pairs = 0;

    for (size_t i = 0; i < x->l->count; i++)
        pairs += (double)x->l->items[i].bins.count * (double)x->l->items[i].bins.count / 2;
    return pairs < 2e5 ? 8 : pairs < 1e6 ? 2 : 1;
}

/* Tries prices from far above the first price down to nearly 0, then with smaller steps around the best. */
static int search_prices(struct search *x, struct slicing *trial, struct slicing *best, struct err *e)
{
    int steps = price_steps(x);
    double step = 1.0 / steps, first = first_price(x) * exp(9);

    for (int i = 0; i < PRICE_RANGE * steps; i++)
        if (try_price(x, first * exp(-i * step), trial, best, e) < 0)
            return -1;
    for (int i = 0; i < CLOSER; i++) {
        double centre = best->price;

        step /= 2;
        if (try_price(x, centre * exp(step), trial, best, e) < 0 ||
            try_price(x, centre * exp(-step), trial, best, e) < 0)
            return -1;
    }
    return 0;
}

/* least: minimum share of the whole that has to be simulated. The hint rounds it up, so that the suggested budget
 * is enough. */
static void refuse_budget(const struct plan_params *params, double least, struct err *e)
{
    double enough = ceil(1e4 * least) / 100;

    err_set(e, ERR_INVALID, "a budget of %.3g %% of the whole is too small: the least samples cost %.3g %%",
            100 * params->budget, 100 * least);
    if (params->least_samples > 1)
        err_hint(e, "A budget of %.2f%% is enough, or use one sample per stratum (--min-samples 1).", enough);
    else
        err_hint(e, "A budget of %.2f%% is enough.", enough);
}

int search_best(const struct lines *l, const struct plan_params *params, const struct alloc_goal *goal,
                struct slicing *best, struct err *e)
{
    struct slicing trial = {0};
    struct search x;
    int ret = -1;

    *best = (struct slicing){0};
    if (search_init(&x, l, params, goal, e) < 0 || slicing_init(&trial, l, e) < 0 || slicing_init(best, l, e) < 0 ||
        search_prices(&x, &trial, best, e) < 0)
        goto out;
    ASSERT(best->count > 0 && best->outcome.cost > 0);
    if (goal->budget > 0 && !best->outcome.met) {
        refuse_budget(params, params->budget * best->outcome.cost / goal->budget, e);
        goto out;
    }
    ret = 0;
out:
    slicing_release(&trial);
    if (ret < 0)
        slicing_release(best);
    search_release(&x);
    return ret;
}
