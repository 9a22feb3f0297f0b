/* Multinomial logistic regression by stochastic gradient descent: P(c | x) = softmax(W x + b), trained on rows
 * drawn with probability proportional to their weight, which equals training on every launch separately.
 *
 * The step is RATE / (1 + |x|^2): the curvature of the loss along a row is at most |x|^2 / 2, so a step never
 * overshoots, even for a rare row (a rare one-hot column is large when standardised). PENALTY shrinks W slightly at
 * every step. Both constants and the number of steps are our choice: the paper gives none. */
#include "sampling/cluster/classify.h"

#include <stdlib.h>

#include "base/array.h"

#define RATE    0.5
#define PENALTY 1e-5
enum { STEPS = 40000, SEED = 4, STREAM = 1 };

static void scores(const double *w, size_t classes, size_t dims, const double *x, double *out)
{
    for (size_t c = 0; c < classes; c++) {
        const double *row = w + c * (dims + 1);

        out[c] = row[dims]; /* the bias is last */
        for (size_t d = 0; d < dims; d++)
            out[c] += row[d] * x[d];
    }
}

static void classify_sgd_step(const struct training *t, size_t i, double *w, double *p)
{
    size_t dims = t->points.dims;
    const double *x = point(&t->points, i);
    double length = 1, rate;

    for (size_t d = 0; d < dims; d++)
        length += x[d] * x[d];
    rate = RATE / length;
    scores(w, t->classes, dims, x, p);
    softmax(p, t->classes);
    for (size_t c = 0; c < t->classes; c++) {
        double push = rate * ((c == t->class_of[i]) - p[c]);
        double *row = w + c * (dims + 1);

        for (size_t d = 0; d < dims; d++)
            row[d] += push * x[d] - PENALTY * row[d];
        row[dims] += push;
    }
}

int classify_sgd(const struct training *t, const struct points *queries, uint32_t *label, struct err *e)
{
    size_t dims = t->points.dims;
    double *w = mem_zalloc(t->classes * (dims + 1), sizeof *w, e), *p = mem_zalloc(t->classes, sizeof *p, e);
    struct row_draw draw = {0};
    struct rng rng;
    int ret = -1;

    if (!w || !p || row_draw_init(&draw, &t->points, e) < 0)
        goto out;
    rng_init(&rng, SEED, STREAM, RNG_CLUSTER);
    for (int n = 0; n < STEPS; n++)
        classify_sgd_step(t, row_draw(&draw, &rng), w, p);
    for (size_t i = 0; i < queries->count; i++) {
        scores(w, t->classes, dims, point(queries, i), p);
        label[i] = greatest(p, t->classes);
    }
    ret = 0;
out:
    free(w);
    free(p);
    row_draw_release(&draw);
    return ret;
}
