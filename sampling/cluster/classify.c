/* Rows drawn in proportion to their weight: the row at which the running sum of weights passes a uniform number. */
#include "sampling/cluster/classify.h"

#include <stdlib.h>

#include "base/array.h"
#include "sampling/math/portable_math.h"

int row_draw_init(struct row_draw *d, const struct points *p, struct err *e)
{
    double sum = 0;

    *d = (struct row_draw){p, mem_zalloc(p->count, sizeof *d->until, e)};
    if (!d->until)
        return -1;
    for (size_t i = 0; i < p->count; i++)
        d->until[i] = sum += (double)p->weight[i];
    return 0;
}

size_t row_draw(const struct row_draw *d, struct rng *rng)
{
    size_t low = 0, high = d->points->count - 1;
    double at = rng_unit(rng) * d->until[high];

    while (low < high) { /* the first row whose range ends above `at` */
        size_t middle = low + (high - low) / 2;

        if (d->until[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void row_draw_release(struct row_draw *d)
{
    free(d->until);
}

void softmax(double *score, size_t n)
{
    double most = score[greatest(score, n)], sum = 0;

    for (size_t c = 0; c < n; c++)
        sum += score[c] = portable_exp(score[c] - most);
    for (size_t c = 0; c < n; c++)
        score[c] /= sum;
}

uint32_t greatest(const double *score, size_t n)
{
    uint32_t best = 0;

    for (uint32_t c = 1; c < n; c++)
        if (score[c] > score[best])
            best = c;
    return best;
}
