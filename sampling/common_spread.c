/* Spreads drawn towards the common one; formula, sources and what it rests on: common_spread.h. The winsorized mean
 * is found by iteration from above. Where less than a sixth of all degrees of freedom shows any spread, no mean but
 * nothing winsorizes so, and it falls by that share a round; what it may take away falls with it. */
#include "sampling/common_spread.h"

#include <math.h>

#include "base/assert.h"

#define TRUST_IN_LITTLE 16.0 /* degrees of freedom: what the common spread is worth where less is seen */
#define TRUST_IN_MUCH   1.0  /* the same where more is seen */
#define EXCESS_MAX      6.0  /* a stratum counts as this many times the mean at most, also when drawn down */
#define SHARE_MIN       0.02 /* c over the plan's noise floor at least: 0.01 % at its default */
enum { ROUNDS = 20 };

static bool common_spread_counts(const struct aux_stratum *s)
{
    return aux_left_to_chance(s) && s->scale > 0;
}

/* What its spread is relative to. */
static double size_of(const struct aux_stratum *s)
{
    return s->expected_cv > 0 ? s->expected_cv * s->scale : s->scale;
}

/* c^2 of strata that kernels share, or of those of one kernel; -1: there is but one. */
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
        if (common > 0 && size * sqrt(common) > s[h].least_common_sd) /* less says nothing of how far they spread */
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
    return fmax(square, least);
}
