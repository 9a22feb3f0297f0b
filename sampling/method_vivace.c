/* Ours: kernels by (name, grid, block), or by name where that is cheaper, cut into slices of similar time and sized
 * together against one error.
 *
 * One price for variance is looked for, such that the slices that are cheapest under it (sampling/optimal.h),
 * sized in whole numbers with finite-population correction, two samples at least, and Student's t on at least ten
 * planned degrees of freedom (sampling/allocate.h), keep the promised half-width at least cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/allocate.h"
#include "sampling/method.h"
#include "sampling/optimal.h"
#include "sampling/quantile.h"

enum {
    BIN_PAIRS = 4000000, /* slices weighed per price, over all groups: about 30 ms */
    BINS_MIN = 24,
    BINS_MAX = 2048,
    PRICE_RANGE = 16 /* factors of e downwards */
};
#define LEAST_DF                                                                                                   \
    10.0 /* coverage of 95 % intervals in simulated samplings: 95 to 97 % at 10, 88 to 97 % without                \
          */
#define LEAST_GAIN   0.05 /* a cut that saves less is cut from noise */
#define POOLED_NOISE 5.0  /* shapes of one kernel answer differently to another GPU: times the noise floor */

/* One way to lay out values on a line: those of a kernel, or those of all kernels of one name. */
struct line {
    struct bins bins;
    uint32_t kernel; /* its index, of pooled lines the first one's */
    bool pooled;
    size_t room;   /* where its cuts stand: cuts[room] .. */
    size_t slices; /* under the present price */
    size_t sizes;  /* where its slices stand in sizes[], when chosen */
    bool chosen;   /* of a name either the kernels' lines or the pooled one */
};

struct search {
    const struct plan_params *params;
    struct alloc_goal goal;
    size_t count, kernels; /* lines: first those of kernels, then the pooled ones */
    struct line *lines;
    size_t *pooled_of;           /* per name: its pooled line, or 0 (which is a kernel's) */
    size_t *name_of;             /* per line */
    double *apart_cost;          /* per name: of the kernels' lines under the present price */
    size_t room, bins_most;      /* bins of all lines, of the longest */
    size_t *cuts;                /* slices under the present price: bin numbers */
    struct alloc_stratum *sizes; /* one a slice of chosen lines */
    size_t strata;
    struct slice_step *scratch;
};

struct solution { /* the best so far */
    double price;
    size_t strata;
    struct line *lines; /* without their bins */
    size_t *cuts;
    struct alloc_stratum *sizes;
    struct alloc_outcome outcome;
};

static void search_release(struct search *x)
{
    for (size_t i = 0; x->lines && i < x->count; i++)
        bins_release(&x->lines[i].bins);
    free(x->lines);
    free(x->pooled_of);
    free(x->name_of);
    free(x->apart_cost);
    free(x->cuts);
    free(x->sizes);
    free(x->scratch);
}

static int value_compare(const void *a, const void *b)
{
    const struct value_count *x = a, *y = b;

    return x->value < y->value ? -1 : x->value > y->value;
}

/* The runs of some groups as one sorted line without repeated values; `out` has room for all of them. */
static size_t collect(const struct groups *g, const uint32_t *members, size_t count, struct value_count *out)
{
    size_t n = 0, kept = 0;

    for (size_t m = 0; m < count; m++) {
        for (size_t r = g->items[members[m]].run_begin; r < g->items[members[m]].run_end; r++)
            out[n++] = (struct value_count){g->runs[r].value, runs_rows(g, r, r + 1)};
    }
    if (count > 1)
        qsort(out, n, sizeof *out, value_compare);
    for (size_t i = 0; i < n; i++) {
        if (kept && out[kept - 1].value == out[i].value)
            out[kept - 1].count += out[i].count;
        else
            out[kept++] = out[i];
    }
    return kept;
}

static int add_line(struct search *x, const struct profile *p, const struct groups *g, const uint32_t *members,
                    size_t count, size_t most, struct value_count *runs, struct err *e)
{
    struct line *line = &x->lines[x->count];
    size_t n = collect(g, members, count, runs);

    if (bins_make(runs, n, most, &line->bins, e) < 0)
        return -1;
    line->kernel = g->items[members[0]].key;
    line->pooled = count > 1;
    line->room = x->room;
    x->name_of[x->count] = p->kernels[line->kernel].name_id;
    if (line->pooled)
        x->pooled_of[x->name_of[x->count]] = x->count;
    x->room += line->bins.count;
    x->bins_most = line->bins.count > x->bins_most ? line->bins.count : x->bins_most;
    x->count++;
    return 0;
}

/* Groups that share a name stand together in by_name. */
static void sort_by_name(const struct profile *p, const struct groups *g, uint32_t *by_name, size_t *at)
{
    size_t sum = 0;

    for (size_t i = 0; i < g->count; i++)
        at[p->kernels[g->items[i].key].name_id]++;
    for (size_t n = 0; n < p->name_count; n++) {
        size_t count = at[n];

        at[n] = sum;
        sum += count;
    }
    for (size_t i = 0; i < g->count; i++)
        by_name[at[p->kernels[g->items[i].key].name_id]++] = (uint32_t)i;
}

static int add_lines(struct search *x, const struct profile *p, const struct groups *g, struct err *e)
{
    size_t most = (size_t)sqrt((double)BIN_PAIRS / (double)g->count), begin = 0;
    struct value_count *runs = mem_zalloc(g->run_count, sizeof *runs, e);
    uint32_t *by_name = mem_zalloc(g->count, sizeof *by_name, e);
    size_t *end = mem_zalloc(p->name_count, sizeof *end, e);
    int ret = -1;

    if (!runs || !by_name || !end)
        goto out;
    most = most < BINS_MIN ? BINS_MIN : most > BINS_MAX ? BINS_MAX : most;
    for (uint32_t i = 0; i < g->count; i++)
        if (add_line(x, p, g, &i, 1, most, runs, e) < 0)
            goto out;
    x->kernels = x->count;
    sort_by_name(p, g, by_name, end);
    for (size_t n = 0; n < p->name_count; begin = end[n++])
        if (end[n] - begin > 1 && add_line(x, p, g, by_name + begin, end[n] - begin, most, runs, e) < 0)
            goto out;
    ret = 0;
out:
    free(runs);
    free(by_name);
    free(end);
    return ret;
}

static int search_init(struct search *x, const struct profile *p, const struct groups *g,
                       const struct plan_params *params, uint64_t total, struct err *e)
{
    *x = (struct search){.params = params};
    x->goal = (struct alloc_goal){params->error * (double)total, params->confidence, LEAST_DF};
    x->lines = mem_zalloc(g->count + p->name_count, sizeof *x->lines, e);
    x->name_of = mem_zalloc(g->count + p->name_count, sizeof *x->name_of, e);
    x->pooled_of = mem_zalloc(p->name_count, sizeof *x->pooled_of, e);
    x->apart_cost = mem_zalloc(p->name_count, sizeof *x->apart_cost, e);
    if (!x->lines || !x->name_of || !x->pooled_of || !x->apart_cost || add_lines(x, p, g, e) < 0)
        return -1;
    x->cuts = mem_zalloc(x->room, sizeof *x->cuts, e);
    x->sizes = mem_zalloc(x->room, sizeof *x->sizes, e);
    x->scratch = mem_zalloc(x->bins_most + 1, sizeof *x->scratch, e);
    return x->cuts && x->sizes && x->scratch ? 0 : -1;
}

/* Excess kurtosis of bins [i, j), each bin as if all stood at its mean; not below 0. */
static double kurtosis_of_slice(const struct bins *b, size_t i, size_t j)
{
    double n = b->n[j] - b->n[i], mean = (b->sum[j] - b->sum[i]) / n, second = 0, fourth = 0;

    for (size_t k = i; k < j; k++) {
        double count = b->n[k + 1] - b->n[k], off = (b->sum[k + 1] - b->sum[k]) / count - mean;

        second += count * off * off;
        fourth += count * off * off * off * off;
    }
    return second > 0 ? fmax(fourth * n / (second * second) - 3, 0) : 0;
}

/* A slice of bins [i, j) with the spread that the profile shows. */
static struct alloc_stratum size_of_slice(const struct bins *b, size_t i, size_t j)
{
    double n = b->n[j] - b->n[i], sum = b->sum[j] - b->sum[i];
    double s2 = n > 1 ? (b->squares[j] - b->squares[i] - sum * sum / n) / (n - 1) : 0;

    return (struct alloc_stratum){.population = (uint64_t)n,
                                  .sd = sqrt(fmax(s2, 0)),
                                  .cost = b->centre + sum / n,
                                  .least = n < 2 ? 1 : 2,
                                  .kurtosis = kurtosis_of_slice(b, i, j)};
}

static struct slice_rules rules_of(const struct search *x, const struct line *line)
{
    return (struct slice_rules){x->params->noise_floor * (line->pooled ? POOLED_NOISE : 1), LEAST_GAIN};
}

/* The spread to plan with: no less than the noise floor. */
static double planned_sd(const struct alloc_stratum *s, double noise_floor)
{
    return s->population > 1 ? fmax(s->sd, noise_floor * s->cost) : 0;
}

/* Fills sizes[] from the chosen lines. */
static void list_slices(struct search *x)
{
    x->strata = 0;
    for (size_t i = 0; i < x->count; i++) {
        struct line *line = &x->lines[i];
        const size_t *cuts = x->cuts + line->room;

        line->sizes = x->strata;
        for (size_t k = 0; line->chosen && k < line->slices; k++, x->strata++) {
            struct alloc_stratum *s = &x->sizes[x->strata];

            *s = size_of_slice(&line->bins, k ? cuts[k - 1] : 0, cuts[k]);
            s->sd = planned_sd(s, rules_of(x, line).noise_floor);
        }
    }
}

/* Sizes all slices together. The interval of a projection counts with the same noise floor, so the degrees of
 * freedom that it lends small spreads are there when results come in. */
static int size_slices(struct search *x, struct alloc_outcome *out, struct err *e)
{
    list_slices(x);
    return allocate_interval(x->sizes, x->strata, &x->goal, out, e);
}

/* Cuts every line under the price; of each name, what is cheaper: its kernels apart, or as one. */
static void cut_lines(struct search *x, double price)
{
    for (size_t i = 0; i < x->count; i++) {
        struct line *line = &x->lines[i];
        struct slice_rules rules = rules_of(x, line);
        size_t *cuts = x->cuts + line->room;
        double cost;

        line->slices = slice(&line->bins, price, &rules, cuts, x->scratch);
        cost = slices_cost(&line->bins, price, &rules, cuts, line->slices);
        if (!line->pooled)
            x->apart_cost[x->name_of[i]] += i < x->kernels ? cost : 0;
        line->chosen = !line->pooled || cost < (1 - LEAST_GAIN) * x->apart_cost[x->name_of[i]];
    }
    for (size_t i = 0; i < x->kernels; i++) {
        size_t pooled = x->pooled_of[x->name_of[i]];

        x->lines[i].chosen = !pooled || !x->lines[pooled].chosen;
        x->apart_cost[x->name_of[i]] = 0;
    }
}

static void keep(const struct search *x, double price, const struct alloc_outcome *outcome, struct solution *best)
{
    best->price = price;
    best->outcome = *outcome;
    best->strata = x->strata;
    memcpy(best->lines, x->lines, x->count * sizeof *x->lines);
    memcpy(best->cuts, x->cuts, x->room * sizeof *x->cuts);
    memcpy(best->sizes, x->sizes, x->strata * sizeof *x->sizes);
}

static int try_price(struct search *x, double price, struct solution *best, struct err *e)
{
    struct alloc_outcome o;

    cut_lines(x, price);
    if (size_slices(x, &o, e) < 0)
        return -1;
    if (best->strata == 0 || o.cost < best->outcome.cost ||
        (o.cost == best->outcome.cost && x->strata < best->strata))
        keep(x, price, &o, best);
    return 0;
}

/* Where to begin: the price at which uncut kernels, sized by the plain formula, keep the error. n = m N S / sqrt(c)
 * there, and n = sqrt(lambda) N S / sqrt(c) under a price, so lambda = m^2. */
static double first_price(const struct search *x)
{
    double roots = 0, bound = x->goal.half_width / normal_quantile(0.5 + x->goal.level / 2), m;

    bound *= bound;
    for (size_t i = 0; i < x->kernels; i++) {
        const struct bins *b = &x->lines[i].bins;
        struct alloc_stratum whole = size_of_slice(b, 0, b->count);
        double sd = planned_sd(&whole, x->params->noise_floor);

        roots += (double)whole.population * sd * sqrt(whole.cost);
        bound += (double)whole.population * sd * sd;
    }
    m = bound > 0 ? roots / bound : 0;
    return m * m;
}

/* How closely prices are tried: cost against price is bumpy, as whole strata come and go, so the closer the better,
 * as far as time allows. Returns steps per factor of e. */
static int price_steps(const struct search *x)
{
    double pairs = 0;

    for (size_t i = 0; i < x->count; i++)
        pairs += (double)x->lines[i].bins.count * (double)x->lines[i].bins.count / 2;
    return pairs < 2e5 ? 4 : pairs < 1e6 ? 2 : 1;
}

/* From far above the price of uncut kernels downwards to nearly nothing, then closer around the best. */
static int search_prices(struct search *x, struct solution *best, struct err *e)
{
    int steps = price_steps(x);
    double step = 1.0 / steps, first = first_price(x) * exp(4), centre;

    for (int i = 0; i < PRICE_RANGE * steps; i++)
        if (try_price(x, first * exp(-i * step), best, e) < 0)
            return -1;
    for (int i = 0; i < 2; i++) {
        centre = best->price;
        step /= 2;
        if (try_price(x, centre * exp(step), best, e) < 0 || try_price(x, centre * exp(-step), best, e) < 0)
            return -1;
    }
    return 0;
}

/* Gathers the invocations by the lines that were chosen. */
static int regroup(const struct search *x, const struct solution *best, const struct profile *p, struct strata *out,
                   struct err *e)
{
    uint32_t *of_kernel = mem_zalloc(p->kernel_count, sizeof *of_kernel, e);
    enum group_key *kind = mem_zalloc(p->kernel_count, sizeof *kind, e);
    struct group_map map = {p->kernel_count, of_kernel, kind};
    bool any = false;
    int ret = 0;

    if (!of_kernel || !kind) {
        free(of_kernel);
        free(kind);
        return -1;
    }
    for (size_t k = 0; k < p->kernel_count; k++) {
        size_t pooled = x->pooled_of[p->kernels[k].name_id];

        of_kernel[k] = (uint32_t)k;
        if (pooled && best->lines[pooled].chosen) {
            of_kernel[k] = best->lines[pooled].kernel;
            any = true;
        }
        kind[of_kernel[k]] =
            of_kernel[k] == k && !(pooled && best->lines[pooled].chosen) ? GROUP_KERNEL : GROUP_NAME;
    }
    if (any) {
        groups_release(&out->groups);
        ret = groups_make_mapped(p, &map, &out->groups, e);
    }
    free(of_kernel);
    free(kind);
    return ret;
}

static int emit(const struct search *x, const struct solution *best, const struct profile *p, struct strata *out,
                struct err *e)
{
    size_t *line_of = mem_zalloc(p->kernel_count, sizeof *line_of, e);
    int ret = line_of ? 0 : -1;

    for (size_t i = 0; line_of && i < x->count; i++)
        if (best->lines[i].chosen)
            line_of[best->lines[i].kernel] = i;
    for (size_t g = 0; ret == 0 && g < out->groups.count; g++) {
        const struct line *line = &best->lines[line_of[out->groups.items[g].key]];
        size_t first = out->groups.items[g].run_begin, begin = first;

        for (size_t k = 0; ret == 0 && k < line->slices; k++) {
            size_t end = first + line->bins.run_end[best->cuts[line->room + k] - 1];

            ret = strata_add(out, p, g, k, begin, end, best->sizes[line->sizes + k].n, e);
            begin = end;
        }
    }
    free(line_of);
    return ret;
}

static int stratify(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e)
{
    uint64_t total = profile_total(p);
    struct search x = {0};
    struct solution best = {0};
    int ret = -1;

    if (groups_make(p, GROUP_KERNEL, &out->groups, e) < 0 || search_init(&x, p, &out->groups, params, total, e) < 0)
        goto out;
    best.lines = mem_zalloc(x.count, sizeof *best.lines, e);
    best.cuts = mem_zalloc(x.room, sizeof *best.cuts, e);
    best.sizes = mem_zalloc(x.room, sizeof *best.sizes, e);
    if (!best.lines || !best.cuts || !best.sizes || search_prices(&x, &best, e) < 0 ||
        regroup(&x, &best, p, out, e) < 0 || emit(&x, &best, p, out, e) < 0)
        goto out;
    out->noise_floor = params->noise_floor;
    out->promised_error = best.outcome.half_width / (double)total;
    out->planned_df = best.outcome.df;
    out->promise_valid = true;
    ret = 0;
out:
    free(best.lines);
    free(best.cuts);
    free(best.sizes);
    search_release(&x);
    return ret;
}

const struct method method_vivace = {
    .name = "vivace",
    .title = "Vivace",
    .sentence = "Kernels by name, grid and block (by name where cheaper), cut into slices of similar time and "
                "sized together against one error, "
                "with an interval that holds for simulated values.",
    .stratify = stratify,
};
