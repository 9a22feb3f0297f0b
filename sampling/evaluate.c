#include "sampling/evaluate.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/quantile.h"
#include "sampling/strata.h"

/* One projection as it grows, stratum after stratum. */
struct tally {
    double value, variance, below; /* below: of Satterthwaite's fraction */
    double cost;
    bool blind; /* a stratum shows no spread: no interval */
};

struct values {
    double mean, sum_squares; /* of the draws */
    double cost;              /* of the distinct ones */
};

static int id_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static struct values look_at(const struct profile *p, uint32_t *ids, uint64_t n, bool repeats_possible)
{
    struct values v = {0};
    double sum = 0;

    if (repeats_possible)
        qsort(ids, n, sizeof *ids, id_compare);
    for (uint64_t i = 0; i < n; i++) {
        double x = (double)p->value[ids[i]];

        sum += x;
        v.cost += repeats_possible && i && ids[i] == ids[i - 1] ? 0 : x;
    }
    v.mean = sum / (double)n;
    for (uint64_t i = 0; i < n; i++) {
        double d = (double)p->value[ids[i]] - v.mean;

        v.sum_squares += d * d;
    }
    return v;
}

static void tally_stratum(struct tally *t, const struct strata *s, size_t h, const struct values *v)
{
    double population = (double)stratum_population(s, h), n = (double)s->items[h].n, variance;
    double least = s->noise_floor * v->mean;
    double left = s->with_replacement ? population : population - n;

    t->value += population * v->mean;
    t->cost += v->cost;
    if (!s->with_replacement && n >= population)
        return;
    if (n < 2) {
        t->blind = true;
        return;
    }
    variance = population * left / n * fmax(v->sum_squares / (n - 1), least * least);
    t->variance += variance;
    t->below += variance * variance / (n - 1);
}

static void score(struct evaluation *out, unsigned repeat, const struct tally *t, double total)
{
    double off = fabs(t->value - total), error = off / total;
    double promise = isnan(out->promised_error) ? out->params.error : out->promised_error;

    out->actual_error += error / out->repeats;
    out->actual_error_max = fmax(out->actual_error_max, error);
    out->inside += error <= promise * (1 + 1e-12) + 1e-12; /* a census is exact but for rounding */
    out->cloud[repeat][0] = total / t->cost;
    out->cloud[repeat][1] = error;
    if (!t->blind) {
        double half_width = 0;

        if (t->variance > 0)
            half_width = t_factor(out->params.confidence, t->variance * t->variance / t->below) * sqrt(t->variance);
        out->intervals++;
        out->covered += off <= half_width + 1e-12 * total;
    }
}

static int repeat_all(const struct profile *p, const struct strata *s, struct evaluation *out, struct err *e)
{
    double total = (double)profile_total(p), cost = 0;
    struct drawer d = {0};
    uint32_t *ids = NULL;
    uint64_t most = 0;
    int ret = -1;

    for (size_t h = 0; h < s->count; h++)
        most = s->items[h].n > most ? s->items[h].n : most;
    ids = mem_zalloc(most, sizeof *ids, e);
    if (!ids || drawer_init(&d, s, e) < 0)
        goto out;
    for (unsigned r = 0; r < out->repeats; r++) {
        struct tally t = {0};

        for (size_t h = 0; h < s->count; h++) {
            struct values v;

            draw_stratum(&d, s, h, out->params.seed + r, RNG_EVALUATE, ids);
            v = look_at(p, ids, s->items[h].n, s->with_replacement);
            tally_stratum(&t, s, h, &v);
        }
        cost += t.cost;
        score(out, r, &t, total);
    }
    out->speedup = total * out->repeats / cost;
    ret = 0;
out:
    free(ids);
    drawer_release(&d);
    return ret;
}

int evaluate(const struct method *m, const struct profile *p, const struct plan_params *params, unsigned repeats,
             struct evaluation *out, struct err *e)
{
    struct strata s = {0};
    int ret = -1;

    *out = (struct evaluation){.method = m, .params = *params, .repeats = repeats};
    if (plan_params_check(params, e) < 0)
        return -1;
    if (!repeats || repeats > 1000000)
        return err_set(e, ERR_INVALID, "the number of repeats must lie between 1 and 1000000");
    out->why_not = method_why_not(m, p);
    if (out->why_not)
        return 0;
    out->cloud = mem_zalloc(repeats, sizeof *out->cloud, e);
    if (!out->cloud || m->stratify(p, params, &s, e) < 0)
        goto out;
    out->strata = s.count;
    out->promised_error = s.promised_error;
    out->promise_valid = s.promise_valid;
    for (size_t h = 0; h < s.count; h++)
        out->samples += s.items[h].n;
    ret = repeat_all(p, &s, out, e);
out:
    strata_release(&s);
    if (ret < 0)
        evaluation_release(out);
    return ret;
}

void evaluation_release(struct evaluation *v)
{
    free(v->cloud);
    v->cloud = NULL;
}
