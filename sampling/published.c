#include "sampling/published.h"

#include <math.h>

double stem_single(const struct moments *m, double z, double error)
{
    double ratio = z * moments_sd_population(m) / (moments_mean(m) * error);

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
    for (size_t i = 0; i < count; i++) {
        double spread = (double)clusters[i].count * moments_sd_population(&clusters[i]);

        n[i] = roots / bound * spread / sqrt(moments_mean(&clusters[i]));
    }
}

double allegro_samples(const struct moments *m, double z, double error)
{
    return fmax(ceil(stem_single(m, z, error)), 30);
}

uint64_t clip_samples(double n, uint64_t population)
{
    if (!(n >= 1))
        return 1;
    return n >= (double)population ? population : (uint64_t)n;
}
