#include "sampling/steady.h"

#include <math.h>

enum { HALVINGS = 30 };

static bool left_to_chance(const struct aux_stratum *s)
{
    return s->n > 1 && (s->with_replacement || (double)s->n < s->population);
}

/* s^2 / mean^2 */
static double seen_cv2(const struct aux_stratum *s)
{
    double mean = aux_mean(s->y, s->n), squares = 0;

    for (size_t i = 0; i < s->n; i++)
        squares += (s->y[i] - mean) * (s->y[i] - mean);
    return mean > 0 ? squares / (double)(s->n - 1) / (mean * mean) : 0;
}

/* Do the strata spread by more than expected with this much noise in common? */
static bool too_little(const struct aux_stratum *s, size_t count, double c2)
{
    double seen = 0, expected = 0;

    for (size_t h = 0; h < count; h++) {
        double df = (double)s[h].n - 1;

        if (!left_to_chance(&s[h]))
            continue;
        seen += df * seen_cv2(&s[h]) / (s[h].planned_cv * s[h].planned_cv + c2);
        expected += df;
    }
    return seen > expected;
}

static double common_noise(const struct aux_stratum *s, size_t count)
{
    double low = 0, high = 0;

    if (!too_little(s, count, 0))
        return 0;
    for (size_t h = 0; h < count; h++)
        if (left_to_chance(&s[h]))
            high = fmax(high, seen_cv2(&s[h]));
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;

        if (too_little(s, count, middle))
            low = middle;
        else
            high = middle;
    }
    return high;
}

double steady_df(const struct aux_stratum *s, size_t count)
{
    double c2, variance = 0, below = 0;

    for (size_t h = 0; h < count; h++)
        if (left_to_chance(&s[h]) && !(s[h].planned_cv > 0))
            return INFINITY;
    c2 = common_noise(s, count);
    for (size_t h = 0; h < count; h++) {
        double n = (double)s[h].n, left = s[h].with_replacement ? s[h].population : s[h].population - n;
        double mean, v;

        if (!left_to_chance(&s[h]))
            continue;
        mean = aux_mean(s[h].y, s[h].n);
        v = s[h].population * left / n * mean * mean * (s[h].planned_cv * s[h].planned_cv + c2);
        variance += v;
        below += v * v / (n - 1);
    }
    return below > 0 ? variance * variance / below : INFINITY;
}
