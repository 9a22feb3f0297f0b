/* Bounds of several analyses by recursive integration; formulas and sources: alpha_spending.h.
 *
 *     g_k(z) = integral over |u| <= c_(k-1) of g_(k-1)(u) phi((z sqrt I_k - u sqrt I_(k-1)) / d) sqrt I_k / d du,
 *     d^2 = I_k - I_(k-1)
 *
 * by Simpson's rule over u >= 0, as all g are even. Assumes: estimates are normal; analyses closer than CLOSEST in
 * information are treated as that far apart, which is conservative. Bounds are rounded up to multiples of 10^-6, so
 * that the last digits of exp() on a machine have no effect. */
#include "sampling/sequential/alpha_spending.h"

#include <math.h>

#include "base/assert.h"
#include "sampling/math/quantile.h"

#define CLOSEST 0.98 /* share of the next analysis's information */
#define FAR     8.0  /* the normal density beyond this is neglected */
#define ENOUGH  1e-9 /* step of a bound at which the search ends */
enum { STEPS = SPENDING_STEPS, ROUNDS = 60 };

double spending(double level, double t)
{
    double square = fmin(t, 1) * fmin(t, 1);

    ASSERT(level > 0 && level < 1);
    return t > 0 ? level * square * square * square * square : 0;
}

static double alpha_spending_place(const struct alpha_spending_past *g, int i)
{
    return g->edge * i / STEPS;
}

/* Simpson weight times density at step i. */
static double mass(const struct alpha_spending_past *g, int i)
{
    double w = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;

    ASSERT_HOT(i >= 0 && i <= STEPS);
    return w * g->edge / STEPS / 3 * g->density[i];
}

static double phi(double x)
{
    return fabs(x) < FAR ? exp(-x * x / 2) * 0.39894228040143267794 : 0; /* 1 / sqrt(2 pi) */
}

/* From one analysis to the next: (z root - u before) / d is standard normal, given u. */
struct stride {
    double information, root, before, d;
};

static struct stride stride_to(const struct alpha_spending_past *from, double information)
{
    double next = fmax(information, from->information / CLOSEST);

    ASSERT(next > from->information);
    return (struct stride){next, sqrt(next), sqrt(from->information), sqrt(next - from->information)};
}

/* Density of the next analysis's z, restricted to the case that no earlier bound was exceeded. */
static double density_at(const struct alpha_spending_past *from, const struct stride *s, double z)
{
    double sum = 0;

    for (int j = 0; j <= STEPS; j++) {
        double u = alpha_spending_place(from, j) * s->before;

        sum += mass(from, j) * (phi((z * s->root - u) / s->d) + phi((z * s->root + u) / s->d));
    }
    return sum * s->root / s->d;
}

/* P(Z <= x) for x <= 0; 0 far out in the tail. */
static double tail(double x)
{
    return x > -FAR ? normal_probability(x) : 0;
}

/* P(no bound exceeded before, the bound exceeded at the next analysis). */
static double miss(const struct alpha_spending_past *g, const struct stride *s, double bound)
{
    double sum = 0;

    for (int j = 0; j <= STEPS; j++) {
        double u = alpha_spending_place(g, j) * s->before;

        sum += mass(g, j) * (tail((u - bound * s->root) / s->d) + tail((-u - bound * s->root) / s->d));
    }
    return 2 * sum; /* u < 0 */
}

void alpha_spending_add(struct alpha_spending_past *past, const struct alpha_spending_analysis *analysis)
{
    struct alpha_spending_past next = {.analyses = past->analyses + 1, .edge = fmin(analysis->bound, FAR)};
    struct stride s = {0};

    next.information = analysis->information;
    if (past->analyses) {
        s = stride_to(past, analysis->information);
        next.information = s.information;
    }
    for (int i = 0; i <= STEPS; i++)
        next.density[i] = past->analyses ? density_at(past, &s, alpha_spending_place(&next, i))
                                         : phi(alpha_spending_place(&next, i));
    ASSERT(next.information >= past->information && next.edge >= 0);
    *past = next;
}

double alpha_spending_bound(const struct alpha_spending_past *past, double information, double share)
{
    double low = 0, high = FAR, bound = past->analyses ? past->edge : -normal_quantile(share / 2);
    struct stride s;

    ASSERT(share < 1);
    if (!past->analyses)
        return ceil(bound * 1e6) / 1e6;
    s = stride_to(past, information);
    for (int i = 0; i < ROUNDS; i++) { /* Newton; bisection if Newton leaves the bracket */
        double off = miss(past, &s, bound) - share, next = bound + off / (2 * density_at(past, &s, bound));

        if (off > 0)
            low = bound;
        else
            high = bound;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (fabs(next - bound) < ENOUGH)
            break;
        bound = next;
    }
    ASSERT(bound >= 0 && bound <= FAR);
    return ceil(bound * 1e6) / 1e6;
}
