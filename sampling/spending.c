/* Bounds of several looks by recursive integration; formulas and sources: spending.h.
 *
 *     g_k(z) = integral over |u| <= c_(k-1) of g_(k-1)(u) phi((z sqrt I_k - u sqrt I_(k-1)) / d) sqrt I_k / d du,
 *     d^2 = I_k - I_(k-1)
 *
 * by Simpson's rule. Assumes: estimates are normal; looks that lie closer than CLOSEST in information are taken to
 * lie that far apart, which errs on the safe side. Bounds are rounded up to whole millionths, so that the last
 * digits of a machine's exp() decide nothing. */
#include "sampling/spending.h"

#include <math.h>

#include "sampling/quantile.h"

#define CLOSEST 0.98 /* share of the next look's information */
#define FAR     8.0  /* nothing of a normal distribution lies beyond */
enum { STEPS = 160, HALVINGS = 50 };

double spending(double level, double t)
{
    double square = fmin(t, 1) * fmin(t, 1);

    return t > 0 ? level * square * square * square * square : 0;
}

/* Density of Z among those that have not missed yet, at STEPS + 1 places from -edge to edge. */
struct density {
    double information, edge, at[STEPS + 1];
};

static double place(const struct density *g, int i)
{
    return g->edge * (2.0 * i / STEPS - 1);
}

static double weight(const struct density *g, int i)
{
    double w = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;

    return w * 2 * g->edge / STEPS / 3;
}

static double phi(double x)
{
    return exp(-x * x / 2) * 0.39894228040143267794; /* 1 / sqrt(2 pi) */
}

static double next_information(const struct density *g, double information)
{
    return fmax(information, g->information / CLOSEST);
}

/* The density one look later, cut off at that look's bound. */
static void step(const struct density *from, const struct spending_look *to, struct density *out)
{
    double information = next_information(from, to->information), root = sqrt(information);
    double before = sqrt(from->information), d = sqrt(information - from->information);

    *out = (struct density){.information = information, .edge = fmin(to->bound, FAR)};
    for (int i = 0; i <= STEPS; i++) {
        double z = place(out, i) * root;

        for (int j = 0; j <= STEPS; j++)
            out->at[i] += weight(from, j) * from->at[j] * phi((z - place(from, j) * before) / d) * root / d;
    }
}

/* P(no miss before, a miss at the next look). */
static double miss(const struct density *g, double information, double bound)
{
    double next = next_information(g, information), root = sqrt(next), before = sqrt(g->information);
    double d = sqrt(next - g->information), sum = 0;

    for (int j = 0; j <= STEPS; j++)
        sum += weight(g, j) * g->at[j] * normal_probability((place(g, j) * before - bound * root) / d);
    return 2 * sum; /* both sides */
}

static void begin(const struct spending_look *first, struct density *out)
{
    *out = (struct density){.information = first->information, .edge = fmin(first->bound, FAR)};
    for (int i = 0; i <= STEPS; i++)
        out->at[i] = phi(place(out, i));
}

double spending_bound(const struct spending_look *looks, size_t count, double information, double share)
{
    double low = 0, high = FAR;
    struct density g, next;

    if (count == 0)
        return ceil(-normal_quantile(share / 2) * 1e6) / 1e6;
    begin(&looks[0], &g);
    for (size_t k = 1; k < count; k++) {
        step(&g, &looks[k], &next);
        g = next;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;

        if (miss(&g, information, middle) > share)
            low = middle;
        else
            high = middle;
    }
    return ceil(high * 1e6) / 1e6;
}
