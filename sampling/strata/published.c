/* Sizes as published: m = (z sigma / (mu epsilon))^2 for one cluster; for several, minimise sum(m mu) subject to
 * sum(N^2 sigma^2 / m) <= (epsilon sum(N mu) / z)^2. Sources: STEM+ROOT (Chung, Na, Kang, Kim, MICRO 2025), Allegro
 * (Chung, Na, Kim, MLArchSys 2024). Assumptions: draws with replacement, normal means, and simulated values with
 * the spread of the profiled ones. */
#include "sampling/strata/published.h"

#include <math.h>
#include <stdio.h>

#include "base/assert.h"

double stem_single(const struct moments *m, double z, double error)
{
    double ratio = z * moments_sd_population(m) / (moments_mean(m) * error);

    ASSERT(m->count > 0 && z > 0 && error > 0);
    return ratio * ratio;
}

void stem_joint(const struct moments *clusters, size_t count, double z, double error, double *n)
{
    double total = 0, roots = 0, bound;

    for (size_t i = 0; i < count; i++) {
        double spread = (double)clusters[i].count * moments_sd_population(&clusters[i]);

        total += (double)clusters[i].sum;
        roots += sqrt(moments_mean(&clusters[i])) * spread;
    }
    bound = error * total / z;
    bound *= bound;
    ASSERT(bound > 0);
    for (size_t i = 0; i < count; i++) {
        double spread = (double)clusters[i].count * moments_sd_population(&clusters[i]);

        n[i] = roots / bound * spread / sqrt(moments_mean(&clusters[i]));
    }
}

double root_single(const struct moments *m, double z, double error)
{
    return m->count == 1 ? 1 : ceil(stem_single(m, z, error));
}

double allegro_samples(const struct moments *m, double z, double error)
{
    return fmax(ceil(stem_single(m, z, error)), 30);
}

double allegro_tool_raw(const struct moments *m, double z, double error)
{
    double ratio = z * moments_sd(m) / (moments_mean(m) * error);

    ASSERT(m->count > 0 && z > 0 && error > 0);
    return ratio > 0 ? ratio * ratio : 1;
}

double allegro_tool_samples(double raw)
{
    return fmax(ceil(raw), 30);
}

uint64_t clip_samples(double n, uint64_t population)
{
    ASSERT(population > 0);
    if (!(n >= 1))
        return 1;
    return n >= (double)population ? population : (uint64_t)n;
}

void note_constant_strata(struct strata *s)
{
    size_t constant = 0;

    for (size_t h = 0; h < s->count; h++)
        constant += s->items[h].run_end - s->items[h].run_begin == 1 && stratum_population(s, h) > 1;
    if (constant)
        snprintf(s->note, sizeof s->note,
                 "In %zu of %zu strata all launches took the same time. The published formula gives them no "
                 "sample, so the projection would miss their time; here each has one.",
                 constant, s->count);
}
