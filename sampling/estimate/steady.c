/* Second computation of the degrees of freedom; formula, source and assumption: steady.h. The equation for c^2 is
 * solved by bisection: its left side falls as c grows. */
#include "sampling/estimate/steady.h"

#include <math.h>

#include "base/assert.h"

enum { HALVINGS = 30 };

static double slope_of(const struct aux_slope *slopes, size_t h)
{
    return slopes ? slopes[h].b : 0;
}

static double scale_of(const struct aux_stratum *s)
{
    return s->scale > 0 ? s->scale : aux_mean(s->y, s->n);
}

/* (s / scale)^2 */
static double seen_cv2(const struct aux_stratum *s, double slope)
{
    double scale = scale_of(s);

    ASSERT(s->n > 1);
    return scale > 0 ? aux_residual_squares(s, slope) / (double)(s->n - 1) / (scale * scale) : 0;
}

static double planned_cv(const struct aux_stratum *s, double slope)
{
    return slope != 0 ? s->residual_cv : s->planned_cv;
}

/* Source of the strata's spread beyond common noise. */
enum view { AS_PLANNED, SHARED_AS_SEEN };

/* Whether the strata spread more than expected with this common noise. */
static bool too_little(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count, enum view view,
                       double c2)
{
    double seen = 0, expected = 0;

    for (size_t h = 0; h < count; h++) {
        double df = (double)s[h].n - 1, slope = slope_of(slopes, h), cv = planned_cv(&s[h], slope);

        if (!aux_left_to_chance(&s[h]) || (view == SHARED_AS_SEEN && s[h].own_factors))
            continue;
        seen += df * seen_cv2(&s[h], slope) / (cv * cv + c2);
        expected += df;
    }
    return seen > expected;
}

static double common_noise(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count,
                           enum view view)
{
    double low = 0, high = 0;

    if (!too_little(s, slopes, count, view, 0))
        return 0;
    for (size_t h = 0; h < count; h++)
        if (aux_left_to_chance(&s[h]))
            high = fmax(high, seen_cv2(&s[h], slope_of(slopes, h)));
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;

        if (too_little(s, slopes, count, view, middle))
            low = middle;
        else
            high = middle;
    }
    ASSERT(low >= 0 && !(high < low));
    return high;
}

static double df_in(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count, enum view view)
{
    double c2 = common_noise(s, slopes, count, view);
    struct aux_sum sum = {0};

    for (size_t h = 0; h < count; h++) {
        double n = (double)s[h].n, left = s[h].with_replacement ? s[h].population : s[h].population - n;
        double slope = slope_of(slopes, h), cv = planned_cv(&s[h], slope), scale = scale_of(&s[h]), cv2;

        if (!aux_left_to_chance(&s[h]))
            continue;
        cv2 = view == SHARED_AS_SEEN && s[h].own_factors ? seen_cv2(&s[h], slope) : cv * cv + c2;
        ASSERT(!(cv2 < 0) && !(left < 0));
        aux_sum_add(&sum, s[h].population * left / n * scale * scale * cv2, n - 1);
    }
    return aux_sum_df(&sum);
}

void steady_spreads(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count, double *sd)
{
    bool known = true;
    double c2;

    for (size_t h = 0; h < count; h++) {
        sd[h] = 0;
        known &= !aux_left_to_chance(&s[h]) || planned_cv(&s[h], slope_of(slopes, h)) > 0;
    }
    c2 = known ? common_noise(s, slopes, count, AS_PLANNED) : 0;
    for (size_t h = 0; known && h < count; h++) {
        double cv = planned_cv(&s[h], slope_of(slopes, h));

        /* Residuals may have a mean below zero. It is no scale; 0: the spread is not used. */
        if (aux_left_to_chance(&s[h]))
            sd[h] = fmax(0, scale_of(&s[h])) * sqrt(cv * cv + c2);
        ASSERT(!(sd[h] < 0));
    }
}

double steady_df(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count)
{
    bool residuals = false;
    double df;

    for (size_t h = 0; h < count; h++) {
        if (aux_left_to_chance(&s[h]) && !(planned_cv(&s[h], slope_of(slopes, h)) > 0))
            return INFINITY;
        residuals |= slope_of(slopes, h) != 0 || s[h].scale > 0;
    }
    df = df_in(s, slopes, count, AS_PLANNED);
    ASSERT(!(df < 0));
    return residuals ? fmin(df, df_in(s, slopes, count, SHARED_AS_SEEN)) : df;
}
