/* Formulas: launch_spread.h. With few results per stratum, the common spread counts as COMMON_WORTH degrees of
 * freedom in addition to the stratum's own (Efron and Morris, J. American Statistical Association 68, 1973), and
 * the slope has a normal prior with mean 1 and standard deviation SLOPE_SD (ridge regression). Kernels of different
 * names in one stratum change by different factors on another GPU, so such strata do not contribute to the common
 * spread. */
#include "sampling/time/launch_spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

#define COMMON_WORTH 4.0
#define SLOPE_SD     0.5

/* Results of one stratum that is not taken whole: samples[begin .. end). */
struct seen {
    size_t h, begin, end;
    double n, x, y; /* number of launches with a result; means of x and y */
};

/* Returns 1, or 0 if the stratum gives no information. */
static int launch_spread_see(const struct plan *plan, const double *y, size_t h, size_t begin, size_t end,
                             struct seen *out)
{
    *out = (struct seen){.h = h, .begin = begin, .end = end};
    for (size_t i = begin; i < end; i++) {
        if (isnan(y[i]))
            continue;
        out->n++;
        out->x += (double)plan->samples[i].value;
        out->y += y[i];
    }
    out->x /= out->n;
    out->y /= out->n;
    ASSERT(out->n <= (double)(end - begin));
    return out->n > 1 && out->n < (double)plan->strata[h].population && out->x > 0 && out->y > 0;
}

static size_t see_all(const struct plan *plan, const double *y, struct seen *out)
{
    size_t count = 0, begin = 0;

    for (size_t h = 0; h < plan->stratum_count; h++) {
        size_t end = begin;

        while (end < plan->sample_count && plan->samples[end].stratum == h)
            end++;
        count += (size_t)launch_spread_see(plan, y, h, begin, end, &out[count]);
        begin = end;
    }
    ASSERT(begin == plan->sample_count && count <= plan->stratum_count);
    return count;
}

/* Deviation relative to the prediction from the stratum's mean and the slope; its square is unbiased. */
static double deviation(const struct plan *plan, const double *y, const struct seen *s, size_t i, double slope)
{
    double expected = s->y * (1 + slope * ((double)plan->samples[i].value / s->x - 1));

    return expected > 0 ? (y[i] / expected - 1) * sqrt(s->n / (s->n - 1)) : 0;
}

static double launch_spread_squares(const struct plan *plan, const double *y, const struct seen *s, double slope)
{
    double sum = 0;

    for (size_t i = s->begin; i < s->end; i++)
        if (!isnan(y[i]))
            sum += pow(deviation(plan, y, s, i, slope), 2);
    return sum * (s->n - 1) / s->n;
}

static double common_square(const struct plan *plan, const double *y, const struct seen *s, size_t count,
                            double slope)
{
    double sum = 0, df = 0;

    for (size_t k = 0; k < count; k++) {
        if (plan->strata[s[k].h].mixed_names)
            continue;
        sum += launch_spread_squares(plan, y, &s[k], slope);
        df += s[k].n - 1;
    }
    ASSERT(!(sum < 0));
    return df > 0 ? sum / df : 0;
}

static double find_slope(const struct plan *plan, const double *y, const struct seen *s, size_t count)
{
    double top = 0, bottom = 0, noise, prior;

    for (size_t k = 0; k < count; k++)
        for (size_t i = s[k].begin; i < s[k].end; i++) {
            double x = (double)plan->samples[i].value / s[k].x - 1;

            if (isnan(y[i]))
                continue;
            top += x * (y[i] / s[k].y - 1);
            bottom += x * x;
        }
    noise = fmin(common_square(plan, y, s, count, 1), common_square(plan, y, s, count, 0));
    prior = noise / (SLOPE_SD * SLOPE_SD);
    return bottom + prior > 0 ? fmax(0, fmin(1, (top + prior) / (bottom + prior))) : 1;
}

static void fill_pool(const struct plan *plan, const double *y, const struct seen *s, size_t count,
                      struct launch_spread *out)
{
    double mean = 0, square = 0;

    for (size_t k = 0; k < count; k++)
        for (size_t i = s[k].begin; i < s[k].end; i++)
            if (!isnan(y[i]) && out->spread[s[k].h] > 0)
                out->pool[out->pool_count++] = deviation(plan, y, &s[k], i, out->slope) / out->spread[s[k].h];
    for (size_t i = 0; i < out->pool_count; i++)
        mean += out->pool[i] / (double)out->pool_count;
    ASSERT(out->pool_count <= plan->sample_count);
    for (size_t i = 0; i < out->pool_count; i++)
        square += pow(out->pool[i] - mean, 2) / (double)out->pool_count;
    for (size_t i = 0; i < out->pool_count; i++)
        out->pool[i] = square > 0 ? (out->pool[i] - mean) / sqrt(square) : 0;
}

static void spread_out(const struct plan *plan, const double *y, const struct seen *s, size_t count,
                       struct launch_spread *out)
{
    double common, time = 0, time_squares = 0, by_results = 0;

    out->slope = find_slope(plan, y, s, count);
    common = common_square(plan, y, s, count, out->slope);
    for (size_t h = 0; h < plan->stratum_count; h++)
        out->spread[h] = sqrt(common);
    for (size_t k = 0; k < count; k++) {
        double left = (double)plan->strata[s[k].h].total, df = s[k].n - 1;
        double worth = plan->strata[s[k].h].mixed_names ? 0 : COMMON_WORTH;

        out->spread[s[k].h] =
            sqrt((worth * common + launch_spread_squares(plan, y, &s[k], out->slope)) / (worth + df));
        time += left;
        time_squares += left * left / df;
        by_results += left * left / s[k].n;
    }
    ASSERT(out->slope >= 0 && out->slope <= 1);
    out->results = by_results > 0 ? time * time / by_results : INFINITY;
    out->df = time_squares > 0 ? time * time / time_squares : 0;
    fill_pool(plan, y, s, count, out);
}

int launch_spread_make(const struct plan *plan, const double *y, struct launch_spread *out, struct err *e)
{
    struct seen *s = mem_zalloc(plan->stratum_count + 1, sizeof *s, e);

    *out = (struct launch_spread){.slope = 1};
    out->spread = mem_zalloc(plan->stratum_count + 1, sizeof *out->spread, e);
    out->pool = mem_zalloc(plan->sample_count + 1, sizeof *out->pool, e);
    if (s && out->spread && out->pool)
        spread_out(plan, y, s, see_all(plan, y, s), out);
    free(s);
    return s && out->spread && out->pool ? 0 : -1;
}

void launch_spread_release(struct launch_spread *s)
{
    free(s->spread);
    free(s->pool);
}
