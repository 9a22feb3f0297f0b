#include "sampling/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void gathered_release(struct gathered *g)
{
    free(g->strata);
    free(g->x);
    free(g->y);
    *g = (struct gathered){0};
}

enum aux_estimator planned_estimator(const struct plan *plan)
{
    return plan->estimator == PLAN_INSTRUCTION_RATIO ? AUX_RATIO_SEPARATE : AUX_EXPANSION;
}

/* --- groups --- */

struct named {
    const char *name; /* NULL: of mixed names, a group of its own */
    size_t stratum;
};

static int named_compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = !x->name || !y->name ? !x->name - !y->name : strcmp(x->name, y->name);

    return order ? order : x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

int gather_groups(const struct plan *plan, struct gathered *g, struct err *e)
{
    struct named *list = mem_zalloc(plan->stratum_count, sizeof *list, e);
    size_t first = 0;

    if (!list)
        return -1;
    for (size_t h = 0; h < plan->stratum_count; h++)
        list[h] = (struct named){plan->strata[h].mixed_names ? NULL : plan->strata[h].kernel_name, h};
    qsort(list, plan->stratum_count, sizeof *list, named_compare);
    for (size_t i = 0; i < plan->stratum_count; i++) {
        if (!list[i].name || strcmp(list[i].name, list[first].name) != 0)
            first = i;
        g->strata[list[i].stratum].group = list[first].stratum;
    }
    free(list);
    return 0;
}

/* --- samples --- */

static enum aux_spread spread_of(const struct plan *plan)
{
    return plan->variance == PLAN_VARIANCE_SUCCESSIVE ? AUX_SUCCESSIVE
           : plan->variance == PLAN_VARIANCE_MODEL    ? AUX_MODEL
                                                      : AUX_SAMPLES;
}

/* The profile's spread (planned with its floor), scaled as the results are to the profiled values. */
static double model_sd(const struct plan_stratum *from, double y_mean, double value_mean)
{
    double sd = from->planned_sd > 0 ? from->planned_sd : from->sd;

    return value_mean > 0 ? sd * fabs(y_mean) / value_mean : NAN;
}

/* Fills stratum h from samples[begin .. end); returns how many values it wrote. */
static size_t fill_stratum(const struct plan *plan, const double *y, size_t h, size_t begin, size_t end,
                           enum gather_x what, struct gathered *g, size_t at)
{
    bool instructions = what == GATHER_PLANNED && plan->estimator == PLAN_INSTRUCTION_RATIO;
    const struct plan_stratum *from = &plan->strata[h];
    struct aux_stratum *s = &g->strata[h];
    double values = 0;

    s->group = h;
    s->population = (double)from->population;
    s->x_total = (double)(instructions ? from->auxiliary : from->total);
    s->x = g->x + at;
    s->y = g->y + at;
    s->with_replacement = plan->with_replacement;
    s->least_spread = plan->params.noise_floor;
    s->spread = spread_of(plan);
    for (size_t i = begin; i < end; i++) {
        const struct plan_sample *sample = &plan->samples[i];
        uint64_t x = instructions ? sample->auxiliary : sample->value;

        g->has_x = g->has_x && x;
        for (uint32_t d = 0; d < sample->draws && !isnan(y[i]); d++) {
            g->x[at + s->n] = (double)x;
            g->y[at + s->n++] = y[i];
            values += (double)sample->value;
        }
    }
    g->blank |= !s->n;
    if (s->n && s->spread == AUX_MODEL)
        s->model_sd = model_sd(from, aux_mean(s->y, s->n), values / (double)s->n);
    return s->n;
}

int gather(const struct plan *plan, const double *y, enum gather_x what, struct gathered *out, struct err *e)
{
    size_t draws = 0, at = 0, begin = 0;

    *out = (struct gathered){.has_x = true, .count = plan->stratum_count};
    for (size_t k = 0; k < plan->sample_count; k++)
        draws += plan->samples[k].draws;
    out->strata = mem_zalloc(plan->stratum_count, sizeof *out->strata, e);
    out->x = mem_zalloc(draws, sizeof *out->x, e);
    out->y = mem_zalloc(draws, sizeof *out->y, e);
    if (!out->strata || !out->x || !out->y) {
        gathered_release(out);
        return -1;
    }
    for (size_t h = 0; h < plan->stratum_count; h++) {
        size_t end = begin;

        while (end < plan->sample_count && plan->samples[end].stratum == h)
            end++;
        at += fill_stratum(plan, y, h, begin, end, what, out, at);
        begin = end;
    }
    return 0;
}
