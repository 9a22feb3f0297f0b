/* Shrinkage towards a pooled spread; formula, sources, assumptions: common_spread.h. The winsorized mean is found
 * by iteration from above. If less than a sixth of all degrees of freedom shows any spread, the only fixed point is
 * 0; the mean then falls by that factor in each round, and the largest reduction of a variance falls with it. */
#include "sampling/estimate/common_spread.h"

#include <math.h>

#include "base/assert.h"

#define TRUST_IN_LITTLE 16.0 /* degrees of freedom of the common spread for a stratum with a smaller spread */
#define TRUST_IN_MUCH   1.0  /* the same for a stratum with a larger spread */
#define EXCESS_MAX      6.0  /* a stratum counts at most this many times the mean, also in shrinkage */
#define SHARE_MIN       0.02 /* minimum of c / the plan's noise floor: c of 0.01 % at the default floor */
enum { ROUNDS = 20 };

static bool common_spread_counts(const struct aux_stratum *s)
{
    return aux_left_to_chance(s) && s->scale > 0;
}

/* The size that a stratum's spread is relative to. */
static double size_of(const struct aux_stratum *s)
{
    return s->expected_cv > 0 ? s->expected_cv * s->scale : s->scale;
}

/* c^2 of the strata that kernels share (`shared`), or of the others; -1: there is only one. */
static double common_square(const struct aux_stratum *s, size_t count, bool shared)
{
    double common = INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0, weight = 0;
        size_t strata = 0;

        for (size_t h = 0; h < count; h++) {
            double df = (double)s[h].n - 1, size = size_of(&s[h]);

            if (!common_spread_counts(&s[h]) || s[h].own_factors != shared)
                continue;
            sum += fmin(aux_residual_squares(&s[h], 0) / (size * size), df * EXCESS_MAX * common);
            weight += df;
            strata++;
        }
        if (strata < 2)
            return -1;
        common = sum / weight;
    }
    ASSERT(!(common < 0));
    return common;
}

void common_spread(struct aux_stratum *s, size_t count, double noise_floor)
{
    double square[2], least = SHARE_MIN * noise_floor;

    for (int shared = 0; shared < 2; shared++)
        square[shared] = common_square(s, count, shared);
    for (size_t h = 0; h < count; h++) {
        double common = square[s[h].own_factors], size = size_of(&s[h]);

        s[h].common_sd = s[h].least_common_sd = 0;
        if (!common_spread_counts(&s[h]))
            continue;
        s[h].least_common_sd = s[h].scale * least;
        if (common > 0 && size * sqrt(common) > s[h].least_common_sd) /* a smaller c is below the minimum */
            s[h].common_sd = size * sqrt(common);
    }
}

double common_spread_square(const struct aux_stratum *s, double square, double df)
{
    double common = s->common_sd * s->common_sd, least = s->least_common_sd * s->least_common_sd;

    ASSERT(df > 0 && !(square < 0));
    if (square < common)
        square = (TRUST_IN_LITTLE * common + df * square) / (TRUST_IN_LITTLE + df);
    else if (!s->keeps_excess)
        square -= TRUST_IN_MUCH * (fmin(square, EXCESS_MAX * common) - common) / (TRUST_IN_MUCH + df);
    ASSERT(!(square < 0));
    return fmax(square, least);
}
