/* V_h = N (N - n) S^2 / n and Satterthwaite's df from the plan alone; source: plan_doubt.h. Assumes: simulated
 * values spread as planned. */
#include "sampling/plan/plan_doubt.h"

#include <math.h>

#include "base/assert.h"
#include "sampling/math/quantile.h"

double plan_stratum_sd(const struct plan_stratum *s)
{
    return s->planned_sd > 0 ? s->planned_sd : s->sd;
}

double plan_stratum_variance(const struct plan *p, size_t h, uint64_t n)
{
    const struct plan_stratum *s = &p->strata[h];
    double population = (double)s->population, sd = plan_stratum_sd(s);
    double left = p->with_replacement ? population : population - (double)n;

    ASSERT(h < p->stratum_count && n > 0 && !(sd < 0));
    return s->population > 1 && left > 0 ? population * left / (double)n * sd * sd : 0;
}

struct plan_doubt plan_doubt(const struct plan *p, size_t more)
{
    struct plan_doubt d = {0};
    double below = 0; /* denominator of Satterthwaite's formula */
    bool blind = false;

    for (size_t h = 0; h < p->stratum_count; h++) {
        uint64_t n = p->strata[h].samples + (h == more);
        double v = plan_stratum_variance(p, h, n);

        d.variance += v;
        blind |= v > 0 && n < 2;
        below += v > 0 && n > 1 ? v * v / (double)(n - 1) : 0;
    }
    d.df = d.variance > 0 ? d.variance * d.variance / below : INFINITY;
    d.half_width = d.variance > 0 ? t_factor(p->params.confidence, d.df) * sqrt(d.variance) : 0;
    ASSERT(!(d.variance < 0) && !(d.half_width < 0));
    if (blind)
        d.df = d.half_width = NAN;
    return d;
}
