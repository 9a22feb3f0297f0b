#include "sampling/estimate/effective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define NOISE_MIN     0.2
#define TIMES_PLANNED 3.0

double effective_samples(const struct alloc_stratum *s, const struct even_stratum *of, size_t count)
{
    double total = 0, below = 0;

    for (size_t h = 0; h < count; h++) {
        double population = (double)s[h].population, weight = population * of[h].mean;

        ASSERT(s[h].n > 0);
        total += weight;
        if (s[h].n < s[h].population)
            below += weight * weight * (1 / (double)s[h].n - 1 / population);
    }
    return below > 0 ? total * total / below : INFINITY;
}

/* c^2 of effective.h. */
static double noise_looked_for(const struct alloc_stratum *s, const struct even_stratum *of, size_t count)
{
    double planned = 0, even = 0;

    for (size_t h = 0; h < count; h++) {
        double population = (double)s[h].population, weight = population * of[h].mean, one;

        if (s[h].n >= s[h].population)
            continue;
        one = weight * weight * (1 / (double)s[h].n - 1 / population);
        planned += one * of[h].cv * of[h].cv;
        even += one;
    }
    return fmax(NOISE_MIN * NOISE_MIN, even > 0 ? TIMES_PLANNED * planned / even : 0);
}

/* Effective degrees of freedom of one degree of freedom of a stratum with this cv. */
static double noise_share(double cv, double noise2)
{
    ASSERT(noise2 > 0);
    double share = noise2 / (cv * cv + noise2);

    return share * share;
}

double noise_df(const struct alloc_stratum *s, const struct even_stratum *of, size_t count)
{
    double noise2 = noise_looked_for(s, of, count), df = 0;
    bool whole = true;

    for (size_t h = 0; h < count; h++) {
        whole &= s[h].n >= s[h].population;
        df += ((double)s[h].n - 1) * noise_share(of[h].cv, noise2);
    }
    return whole ? INFINITY : df;
}

double unseen_share(double effective, double confidence)
{
    ASSERT(confidence > 0 && confidence < 1 && effective > 0);
    return -expm1(log1p(-confidence) / effective);
}

double effective_results(const struct aux_stratum *s, size_t count, const double *y)
{
    double total = 0, below = 0;
    bool all = true;

    for (size_t h = 0; h < count; h++) {
        double n = (double)s[h].n, weight = s[h].population / n;
        bool whole = !s[h].with_replacement && n >= s[h].population;

        all &= whole;
        for (size_t i = 0; i < s[h].n; i++, y++) {
            total += weight * *y;
            below += whole ? 0 : weight * weight * *y * *y;
        }
    }
    return below > 0 ? total * total / below : total != 0 || all ? INFINITY : 0;
}

double unseen_in_unlike(const struct aux_stratum *s, const bool *unlike, size_t count, const double *y,
                        double confidence)
{
    double total = 0, hidden = 0;

    for (size_t h = 0; h < count; h++) {
        double n = (double)s[h].n, missing = 1 / n - (s[h].with_replacement ? 0 : 1 / s[h].population), sum = 0;

        for (size_t i = 0; i < s[h].n; i++)
            sum += s[h].population / n * fabs(*y++);
        total += sum;
        if (unlike[h] && missing > 0)
            hidden += sum * unseen_share(1 / missing, confidence);
    }
    ASSERT(!(hidden < 0));
    return total > 0 ? hidden / total : 0;
}

bool effective_enough(double effective, double confidence)
{
    return effective > 0 && unseen_share(effective, confidence) <= UNSEEN_MAX;
}

bool part_known(double part, double whole, double effective, double hidden, double confidence)
{
    return isinf(effective) ||
           (part > 0 && whole * fmax(unseen_share(effective, confidence), hidden) <= UNSEEN_MAX * part);
}

int unseen_in_kernels(const struct alloc_stratum *s, const struct even_stratum *of, const size_t *group,
                      size_t count, double confidence, struct unseen_kernel *out, struct err *e)
{
    double *weights = mem_zalloc(2 * count, sizeof *weights, e), *below, total = 0;

    *out = (struct unseen_kernel){0};
    if (!weights)
        return -1;
    below = weights + count;
    for (size_t h = 0; h < count; h++) {
        double population = (double)s[h].population, weight = population * of[h].mean;

        ASSERT(group[h] < count && s[h].n > 0 && population > 0);
        total += weight;
        weights[group[h]] += weight;
        if (s[h].n < s[h].population) /* with replacement there may be more draws than launches */
            below[group[h]] += weight * weight * (1 / (double)s[h].n - 1 / population);
    }
    for (size_t k = 0; k < count; k++) {
        double share = below[k] > 0 ? unseen_share(weights[k] * weights[k] / below[k], confidence) : 0;

        if (share * weights[k] / total > out->moves)
            *out = (struct unseen_kernel){k, share, share * weights[k] / total};
    }
    free(weights);
    return 0;
}

static int raise_effective(struct alloc_stratum *s, const struct even_stratum *of, size_t count, double wanted,
                           struct err *e)
{
    struct alloc_stratum *even = mem_zalloc(count, sizeof *even, e);
    double total = 0;
    int ret = even ? 0 : -1;

    ASSERT(wanted > 0);
    for (size_t h = 0; ret == 0 && h < count; h++) {
        even[h] = (struct alloc_stratum){.population = s[h].population,
                                         .sd = of[h].mean,
                                         .cost = s[h].cost,
                                         .least = s[h].least,
                                         .n = s[h].least};
        total += (double)s[h].population * of[h].mean;
    }
    if (ret == 0)
        ret = allocate_variance(even, count, total * total / wanted, e);
    for (size_t h = 0; ret == 0 && h < count; h++)
        s[h].n = even[h].n > s[h].n ? even[h].n : s[h].n;
    free(even);
    return ret;
}

/* The stratum whose next sample gives most information about noise per cost. */
static size_t best_for_noise(const struct alloc_stratum *s, const struct even_stratum *of, size_t count,
                             double noise2)
{
    size_t best = count;
    double most = 0;

    for (size_t h = 0; h < count; h++) {
        double gain = noise_share(of[h].cv, noise2) / s[h].cost;

        if (s[h].n < s[h].population && gain > most) {
            most = gain;
            best = h;
        }
    }
    return best;
}

static void raise_noise_df(struct alloc_stratum *s, const struct even_stratum *of, size_t count, double wanted)
{
    double noise2 = noise_looked_for(s, of, count);

    for (double df = noise_df(s, of, count); df < wanted;) {
        size_t h = best_for_noise(s, of, count, noise2);
        double share;
        uint64_t room, units;

        if (h == count)
            return;
        share = noise_share(of[h].cv, noise2);
        room = s[h].population - s[h].n;
        units = (uint64_t)fmin(ceil((wanted - df) / share), (double)room);
        ASSERT(units > 0); /* otherwise the loop would not end */
        s[h].n += units;
        df += (double)units * share;
    }
}

int allocate_effective(struct alloc_stratum *s, const struct even_stratum *of, size_t count, double effective,
                       double df, struct err *e)
{
    if (effective_samples(s, of, count) < effective && raise_effective(s, of, count, effective, e) < 0)
        return -1;
    raise_noise_df(s, of, count, df);
    return 0;
}
