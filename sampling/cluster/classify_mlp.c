/* A perceptron with one hidden layer of 100 rectified units and softmax over classes, trained by Adam (Kingma and
 * Ba, ICLR 2015) on batches of rows drawn with probability proportional to their weight.
 *
 * Layer size and optimiser are the defaults of the library that PKA's authors used; the paper does not give them.
 * The weights start uniform within +- sqrt(6 / (in + out)) (Glorot and Bengio, AISTATS 2010). Batch size, number of
 * batches and learning rate are our choice: fixed, so that a plan is repeatable. */
#include "sampling/cluster/classify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { HIDDEN = 100, BATCH = 32, BATCHES = 1500, SEED = 4, STREAM = 2 };
#define RATE  0.003
#define BETA1 0.9
#define BETA2 0.999
#define TINY  1e-8

/* All weights in one block: hidden layer (HIDDEN rows of dims + bias), then output (classes rows of HIDDEN + bias).
 */
struct net {
    size_t dims, classes, count, second; /* count: weights; second: where the output layer begins */
    double *w, *gradient, *mean, *square;
    double hidden[HIDDEN], back[HIDDEN], *p;
};

static int net_init(struct net *n, const struct training *t, struct rng *rng, struct err *e)
{
    double wide[2];

    *n = (struct net){.dims = t->points.dims, .classes = t->classes};
    n->second = HIDDEN * (n->dims + 1);
    n->count = n->second + n->classes * (HIDDEN + 1);
    n->w = mem_zalloc(n->count, sizeof *n->w, e);
    n->gradient = mem_zalloc(n->count, sizeof *n->gradient, e);
    n->mean = mem_zalloc(n->count, sizeof *n->mean, e);
    n->square = mem_zalloc(n->count, sizeof *n->square, e);
    n->p = mem_zalloc(n->classes, sizeof *n->p, e);
    if (!n->w || !n->gradient || !n->mean || !n->square || !n->p)
        return -1;
    wide[0] = sqrt(6.0 / (double)(n->dims + HIDDEN));
    wide[1] = sqrt(6.0 / (double)(HIDDEN + n->classes));
    for (size_t i = 0; i < n->count; i++)
        n->w[i] = wide[i >= n->second] * (2 * rng_unit(rng) - 1);
    return 0;
}

static void net_release(struct net *n)
{
    free(n->w);
    free(n->gradient);
    free(n->mean);
    free(n->square);
    free(n->p);
}

/* Scores into n->p. */
static void classify_mlp_forward(struct net *n, const double *x)
{
    for (size_t h = 0; h < HIDDEN; h++) {
        const double *row = n->w + h * (n->dims + 1);
        double sum = row[n->dims];

        for (size_t d = 0; d < n->dims; d++)
            sum += row[d] * x[d];
        n->hidden[h] = sum > 0 ? sum : 0;
    }
    for (size_t c = 0; c < n->classes; c++) {
        const double *row = n->w + n->second + c * (HIDDEN + 1);

        n->p[c] = row[HIDDEN];
        for (size_t h = 0; h < HIDDEN; h++)
            n->p[c] += row[h] * n->hidden[h];
    }
}

/* Adds the gradient of -log P(class | x). */
static void backward(struct net *n, const double *x, uint32_t class)
{
    softmax(n->p, n->classes);
    memset(n->back, 0, sizeof n->back);
    for (size_t c = 0; c < n->classes; c++) {
        double off = n->p[c] - (c == class);
        double *g = n->gradient + n->second + c * (HIDDEN + 1), *row = n->w + n->second + c * (HIDDEN + 1);

        for (size_t h = 0; h < HIDDEN; h++) {
            g[h] += off * n->hidden[h];
            n->back[h] += off * row[h];
        }
        g[HIDDEN] += off;
    }
    for (size_t h = 0; h < HIDDEN; h++) {
        double *g = n->gradient + h * (n->dims + 1);

        if (!(n->hidden[h] > 0))
            continue;
        for (size_t d = 0; d < n->dims; d++)
            g[d] += n->back[h] * x[d];
        g[n->dims] += n->back[h];
    }
}

/* One step of Adam; power1, power2: beta1 and beta2 to the power of the step number. */
static void update(struct net *n, double power1, double power2)
{
    for (size_t i = 0; i < n->count; i++) {
        double g = n->gradient[i] / BATCH;

        n->mean[i] = BETA1 * n->mean[i] + (1 - BETA1) * g;
        n->square[i] = BETA2 * n->square[i] + (1 - BETA2) * g * g;
        n->w[i] -= RATE * (n->mean[i] / (1 - power1)) / (sqrt(n->square[i] / (1 - power2)) + TINY);
        n->gradient[i] = 0;
    }
}

int classify_mlp(const struct training *t, const struct points *queries, uint32_t *label, struct err *e)
{
    struct row_draw draw = {0};
    struct net n = {0};
    struct rng rng;
    double power1 = 1, power2 = 1;
    int ret = -1;

    rng_init(&rng, SEED, STREAM, RNG_CLUSTER);
    if (net_init(&n, t, &rng, e) < 0 || row_draw_init(&draw, &t->points, e) < 0)
        goto out;
    for (int batch = 0; batch < BATCHES; batch++) {
        for (int i = 0; i < BATCH; i++) {
            size_t row = row_draw(&draw, &rng);

            classify_mlp_forward(&n, point(&t->points, row));
            backward(&n, point(&t->points, row), t->class_of[row]);
        }
        update(&n, power1 *= BETA1, power2 *= BETA2);
    }
    for (size_t i = 0; i < queries->count; i++) {
        classify_mlp_forward(&n, point(queries, i));
        label[i] = greatest(n.p, n.classes);
    }
    ret = 0;
out:
    net_release(&n);
    row_draw_release(&draw);
    return ret;
}
